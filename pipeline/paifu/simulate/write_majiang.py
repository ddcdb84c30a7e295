"""Writes games as majiang JSON (牌譜), the format of kobalab's programs; only four players.

The format counts seats from the dealer of each round. It does not have ranks, ratings, connections,
or the payment of a riichi stick as a separate event.
"""

from __future__ import annotations

import json
from typing import Any

from paifu.errors import UsageError
from paifu.schema.yaku import YAKU, YAKU_INDEX
from paifu.simulate.game_loop import Game
from paifu.simulate.naming import majiang_tile
from paifu.simulate.scoring import Value, dora_tiles
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    DRAWN_GAME,
    EXHAUSTIVE,
    KAKAN,
    KYUUSHU,
    NAGASHI,
    PON,
    RIICHI,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAN,
)
from paifu.simulate.write_mjlog import log_id

_DRAWN = {
    EXHAUSTIVE: "荒牌平局", NAGASHI: "流し満貫", KYUUSHU: "九種九牌", SUUFON: "四風連打",
    SUUCHA: "四家立直", SUUKAN: "四開槓", SANCHAHOU: "三家和",
}  # fmt: skip
_FROM = {3: "-", 2: "=", 1: "+"}
"""The seat before, the seat opposite, the seat after."""
Event = dict[str, Any]


def write(game: Game) -> bytes:
    """Return a game as the bytes of a majiang JSON file.

    Raises ``UsageError`` for three players, which the format does not have.
    """
    if game.flow.players != 4:
        raise UsageError("majiang JSON is for four players: choose another --format")
    points = game.final_points
    order = sorted(range(4), key=lambda seat: (-points[seat], seat))
    paipu = {
        "title": log_id(game),
        "player": [person.name for person in game.seating.people],
        "qijia": 0,
        "log": [
            _Round(game, table, values).events()
            for table, values in zip(game.rounds, game.values, strict=True)
        ],
        "defen": points,
        "rank": [order.index(seat) + 1 for seat in range(4)],
        "point": [f"{result:.1f}" for result in game.final_results],
    }
    return json.dumps(paipu, ensure_ascii=False, separators=(",", ":")).encode()


def hand_text(tiles: list[str]) -> str:
    """Return tiles as majiang writes a hand: by suit, with red fives in the place of fives.

    >>> hand_text(["p1", "m2", "m0", "m6", "z7"])
    'm206p1z7'
    """
    ordered = sorted(tiles, key=lambda tile: (tile[0], int(tile[1]) or 5, tile[1] != "0"))
    text, suit = "", ""
    for tile in ordered:
        text += tile if tile[0] != suit else tile[1]
        suit = tile[0]
    return text


class _Round:
    """The state while a round is written."""

    def __init__(self, game: Game, table: Any, values: list[Value]) -> None:
        self.game, self.table, self.values = game, table, values
        self.aka = bool(game.flow.aka)
        self.dealer = int(table["number"])
        self.melds: list[list[str]] = [[], [], [], []]
        """The melds of each seat, with the game's numbering of seats."""

    def place(self, seat: int) -> int:
        """Return a seat counted from the dealer."""
        return (seat - self.dealer) % 4

    def by_place(self, values: list[Any]) -> list[Any]:
        """Return values by seat in the order counted from the dealer."""
        return [values[(self.dealer + place) % 4] for place in range(4)]

    def tile(self, tile: int) -> str:
        """Return a tile's name."""
        return majiang_tile(tile, self.aka)

    def hand(self, tiles: list[int]) -> str:
        """Return concealed tiles as a hand."""
        return hand_text([self.tile(tile) for tile in tiles if tile >= 0])

    def events(self) -> list[Event]:
        """Return the events of the round."""
        table = self.table
        hands = [self.hand(table["haipai"][seat].tolist()) for seat in range(4)]
        events: list[Event] = [
            {
                "qipai": {
                    "zhuangfeng": int(table["wind"]),
                    "jushu": self.dealer,
                    "changbang": int(table["honba"]),
                    "lizhibang": int(table["start_sticks"]),
                    "defen": self.by_place([int(points) for points in table["start"]]),
                    "baopai": self.tile(dora_tiles(table, self.game.flow, ura=False)[0]),
                    "shoupai": self.by_place(hands),
                }
            }
        ]
        count = int(table["events"])
        names = ("event_kind", "event_seat", "event_tile", "event_from", "event_used")
        drawn, after_kan, riichi = -1, False, False
        for kind, seat, tile, source, used in zip(
            *(table[name][:count].tolist() for name in names), strict=True
        ):
            place = self.place(seat)
            if kind == DRAW:
                drawn = tile
                key = "gangzimo" if after_kan else "zimo"
                events.append({key: {"l": place, "p": self.tile(tile)}})
                after_kan = False
            elif kind == DISCARD:
                mark = ("_" if tile == drawn else "") + ("*" if riichi else "")
                events.append({"dapai": {"l": place, "p": self.tile(tile) + mark}})
                drawn, riichi = -1, False
            elif kind in (CHI, PON, DAIMINKAN):
                meld = self.called(seat, source, tile, used)
                events.append({"fulou": {"l": place, "m": meld}})
                drawn, after_kan = -1, kind == DAIMINKAN
            elif kind in (ANKAN, KAKAN):
                events.append({"gang": {"l": place, "m": self.kan(seat, kind, tile, used)}})
                after_kan = True
            elif kind == DORA:
                events.append({"kaigang": {"baopai": self.tile(tile)}})
            elif kind == RIICHI:
                riichi = True
            elif kind == DRAWN_GAME:
                events.append({"pingju": self.drawn()})
        return events + [self.win(nth) for nth in range(len(self.values))]

    def called(self, seat: int, source: int, tile: int, used: list[int]) -> str:
        """Return a called meld and store it; the called tile is marked with its discarder."""
        mark = _FROM[(source - seat) % 4]
        own = [self.tile(other) for other in used if other >= 0]
        name = self.tile(tile)
        numbers = [(other[1], "") for other in own] + [(name[1], mark)]
        numbers.sort(key=lambda n: (int(n[0]) or 5, n[1] != "", n[0]))
        meld = name[0] + "".join(number + sign for number, sign in numbers)
        self.melds[seat].append(meld)
        return meld

    def kan(self, seat: int, kind: int, tile: int, used: list[int]) -> str:
        """Return an ankan, or a pon with the added tile, and store it."""
        if kind == ANKAN:
            numbers = sorted(
                (self.tile(t)[1] for t in (tile, *used)), key=lambda n: (int(n) or 5, n)
            )
            meld = self.tile(tile)[0] + "".join(numbers)
            self.melds[seat].append(meld)
            return meld
        name = self.tile(tile)
        for at, meld in enumerate(self.melds[seat]):
            digits = [character for character in meld if character.isdigit()]
            if meld[0] == name[0] and {d.replace("0", "5") for d in digits} == {
                name[1].replace("0", "5")
            }:
                self.melds[seat][at] = meld + name[1]
                return meld + name[1]
        raise ValueError(f"seat {seat} adds {name} to no pon")

    def shown(self, seat: int, last: str = "") -> str:
        """Return a seat's hand with its melds; the winning tile is the last concealed tile."""
        tiles = [tile for tile in self.table["hand"][seat].tolist() if tile >= 0]
        if last and int(self.table["win_tile"]) in tiles:
            tiles.remove(int(self.table["win_tile"]))
        riichi = "*" if last and self.table["riichi"][seat] == 2 else ""
        return ",".join([self.hand(tiles) + last + riichi, *self.melds[seat]])

    def win(self, nth: int) -> Event:
        """Return a win."""
        table, value = self.table, self.values[nth]
        winner, loser = int(table["winner"][nth]), int(table["loser"])
        in_riichi = table["riichi"][winner] == 2
        hule: Event = {
            "l": self.place(winner),
            "shoupai": self.shown(winner, self.tile(int(table["win_tile"]))),
            "baojia": None if loser == winner else self.place(loser),
        }
        if in_riichi:
            hule["fubaopai"] = [self.tile(t) for t in dora_tiles(table, self.game.flow, ura=True)]
        if value.yakuman:
            hule["damanguan"] = value.yakuman
        else:
            hule |= {"fu": value.fu, "fanshu": value.han}
        hule |= {
            "defen": value.points,
            "hupai": [
                {
                    "name": YAKU[YAKU_INDEX[key]].japanese,
                    "fanshu": "*" * (han // 13) if value.yakuman else han,
                }
                for key, han in value.yaku
                if han
            ],
            "fenpei": self.by_place([int(points) for points in table["delta"][nth]]),
        }
        return {"hule": hule}

    def drawn(self) -> Event:
        """Return a round's end without a win."""
        table, outcome = self.table, int(self.table["outcome"])
        shown = [
            self.shown(seat) if table["tenpai"][seat] or seat == int(table["declarer"]) else ""
            for seat in range(4)
        ]
        return {
            "name": _DRAWN[outcome],
            "shoupai": self.by_place(shown),
            "fenpei": self.by_place([int(points) for points in table["delta"][0]]),
        }
