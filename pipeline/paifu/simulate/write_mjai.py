"""Writes games as mjai: one JSON event per line, in the dialect with yaku, fu and payments.

The format has the players' names, but not their ranks, results and connections, and not which copy
of a tile was drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from paifu.simulate.game_loop import Game
from paifu.simulate.naming import mjai_tile
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
    KITA,
    KYUUSHU,
    NAGASHI,
    PON,
    RIICHI,
    RIICHI_PAID,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAN,
    WIN,
)

_REASON = {
    EXHAUSTIVE: "fanpai", NAGASHI: "nagashimangan", KYUUSHU: "kyushukyuhai", SUUFON: "sufonrenta",
    SUUCHA: "suchareach", SUUKAN: "sukaikan", SANCHAHOU: "sanchaho",
}  # fmt: skip
_CALLS = {CHI: "chi", PON: "pon", DAIMINKAN: "daiminkan"}
_YAKUMAN_FAN = 100
_NAMES = {
    "menzen_tsumo": "menzenchin_tsumoho", "riichi": "reach", "rinshan": "rinshankaiho",
    "haitei": "haiteiraoyue", "houtei": "hoteiraoyui", "tanyao": "tanyaochu", "iipeikou": "ipeko",
    "haku": "sangenpai", "hatsu": "sangenpai", "chun": "sangenpai",
    "double_riichi": "double_reach", "chiitoitsu": "chitoitsu", "chanta": "honchantaiyao",
    "ittsuu": "ikkitsukan", "sanshoku_doujun": "sanshokudojun", "sanshoku_doukou": "sanshokudoko",
    "toitoi": "toitoiho", "sanankou": "sananko", "shousangen": "shosangen",
    "honroutou": "honroto", "ryanpeikou": "ryanpeko", "junchan": "junchantaiyao",
    "honitsu": "honiso", "chinitsu": "chiniso", "renhou": "renho", "tenhou": "tenho",
    "chihou": "chiho", "suuankou": "suanko", "suuankou_tanki": "suankotanki",
    "tsuuiisou": "tsuiso", "ryuuiisou": "ryuiso", "chinroutou": "chinroto",
    "chuuren": "churenpoton", "junsei_chuuren": "junseichurenpoton", "kokushi": "kokushimuso",
    "kokushi_13": "kokushimusojusanmenmachi", "daisuushii": "daisushi",
    "shousuushii": "shosushi", "suukantsu": "sukantsu", "ura_dora": "uradora",
    "aka_dora": "akadora", "kita": "nukidora",
}  # fmt: skip
"""gimite's names of yaku that differ from the vocabulary's keys."""
Event = dict[str, Any]


def write(game: Game) -> bytes:
    """Return a game as the bytes of an mjai file."""
    return b"".join(
        json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for event in events(game)
    )


def events(game: Game) -> Iterator[Event]:
    """Yield the events of a game."""
    yield {
        "type": "start_game",
        "names": [person.name for person in game.seating.people],
        "kyoku_first": 4 if game.flow.winds == 1 else 0,
        "aka_flag": bool(game.flow.aka),
    }
    for table, values in zip(game.rounds, game.values, strict=True):
        yield from _Round(game, table, values).events()
    yield {"type": "end_game", "scores": game.final_points}


class _Round:
    """The state while a round is written: the tiles in hand and the points."""

    def __init__(self, game: Game, table: Any, values: list[Value]) -> None:
        self.game, self.table, self.values = game, table, values
        self.players = game.flow.players
        self.aka = bool(game.flow.aka)
        self.scores = [int(points) for points in table["start"][: self.players]]
        self.win = 0

    def tiles(self, tiles: list[int]) -> list[str]:
        """Return tiles in order of kind, without the places that hold no tile."""
        return [mjai_tile(tile, self.aka) for tile in sorted(tiles) if tile >= 0]

    def events(self) -> Iterator[Event]:
        """Yield the events of the round."""
        table = self.table
        yield {
            "type": "start_kyoku",
            "bakaze": "ESWN"[int(table["wind"])],
            "kyoku": int(table["number"]) + 1,
            "honba": int(table["honba"]),
            "kyotaku": int(table["start_sticks"]),
            "oya": int(table["number"]),
            "dora_marker": mjai_tile(dora_tiles(table, self.game.flow, ura=False)[0], self.aka),
            "scores": list(self.scores),
            "tehais": [self.tiles(table["haipai"][seat].tolist()) for seat in range(self.players)],
        }
        drawn = -1
        count = int(table["events"])
        names = ("event_kind", "event_seat", "event_tile", "event_from", "event_used")
        for kind, seat, tile, source, used in zip(
            *(table[name][:count].tolist() for name in names), strict=True
        ):
            if kind == DISCARD:
                yield {
                    "type": "dahai",
                    "actor": seat,
                    "pai": mjai_tile(tile, self.aka),
                    "tsumogiri": tile == drawn,
                }
            elif (event := self.other(kind, seat, tile, source, used)) is not None:
                yield event
            drawn = tile if kind == DRAW else drawn if kind in (RIICHI, DORA) else -1
        yield {"type": "end_kyoku"}

    def other(self, kind: int, seat: int, tile: int, source: int, used: list[int]) -> Event | None:
        """Return an event that is not a discard, or None if the format does not have it."""
        named = mjai_tile(tile, self.aka) if tile >= 0 else ""
        if kind == DRAW:
            return {"type": "tsumo", "actor": seat, "pai": named}
        if kind in _CALLS:
            return {
                "type": _CALLS[kind],
                "actor": seat,
                "target": source,
                "pai": named,
                "consumed": self.tiles(used),
            }
        if kind == ANKAN:
            return {"type": "ankan", "actor": seat, "consumed": self.tiles([tile, *used])}
        if kind == KAKAN:
            return {"type": "kakan", "actor": seat, "pai": named, "consumed": self.tiles(used)}
        if kind == KITA:
            return {"type": "nukidora", "actor": seat, "pai": named}
        if kind == DORA:
            return {"type": "dora", "dora_marker": named}
        if kind == RIICHI:
            return {"type": "reach", "actor": seat}
        if kind == RIICHI_PAID:
            self.scores[seat] -= 1000
            deltas = [-1000 if other == seat else 0 for other in range(self.players)]
            return {
                "type": "reach_accepted",
                "actor": seat,
                "deltas": deltas,
                "scores": list(self.scores),
            }
        if kind == WIN:
            return self.hora(seat)
        return self.ryukyoku() if kind == DRAWN_GAME else None

    def changes(self, nth: int) -> Event:
        """Return the payments of a win or draw, and the points after them."""
        deltas = [int(points) for points in self.table["delta"][nth][: self.players]]
        self.scores = [points + change for points, change in zip(self.scores, deltas, strict=True)]
        return {"deltas": deltas, "scores": list(self.scores)}

    def hora(self, winner: int) -> Event:
        """Return the event of a win."""
        table, value = self.table, self.values[self.win]
        tile = int(table["win_tile"])
        hand = [held for held in table["hand"][winner].tolist() if held != tile]
        in_riichi = table["riichi"][winner] == 2
        ura = dora_tiles(table, self.game.flow, ura=True) if in_riichi else []
        changes = self.changes(self.win)
        self.win += 1
        return {
            "type": "hora",
            "actor": winner,
            "target": int(table["loser"]),
            "pai": mjai_tile(tile, self.aka),
            "uradora_markers": [mjai_tile(indicator, self.aka) for indicator in ura],
            "hora_tehais": [*self.tiles(hand), mjai_tile(tile, self.aka)],
            "yakus": [list(named) for named in yaku_names(value).items()],
            "fu": value.fu,
            "fan": _YAKUMAN_FAN * value.yakuman if value.yakuman else value.han,
            "hora_points": value.points,
            **changes,
        }

    def ryukyoku(self) -> Event:
        """Return the event of a round's end without a win."""
        outcome = int(self.table["outcome"])
        return {
            "type": "ryukyoku",
            "reason": _REASON[outcome],
            "tenpais": [bool(ready) for ready in self.table["tenpai"][: self.players]],
            **self.changes(0),
        }


def yaku_names(value: Value) -> dict[str, int]:
    """Return the yaku of a win by gimite's names, which do not name the wind or the dragon."""
    named: dict[str, int] = {}
    for key, han in value.yaku:
        name = _NAMES.get(key, key)
        if key.startswith(("round_", "seat_")):
            name = "bakaze" if key.startswith("round_") else "jikaze"
        fan = _YAKUMAN_FAN * han // 13 if value.yakuman else han
        if fan:
            named[name] = named.get(name, 0) + fan
    return named
