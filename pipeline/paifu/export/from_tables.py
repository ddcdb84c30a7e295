"""Turns the tables of played games back into a :class:`~paifu.game.events.Batch`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paifu.formats.builder import NO_POINTS, Builder, WinRecord, pack
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    LIMITS,
    NO_SEAT,
    OUTCOME_UNKNOWN,
    OUTCOMES,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    Batch,
    GameInfo,
)
from paifu.game.tiles import CODE, NO_TILE, parse_tiles
from paifu.schema.flags import OWN_YAKU
from paifu.schema.yaku import YAKU_INDEX

Row = Mapping[str, Any]
Rows = Mapping[str, Sequence[Row]]

TABLES = ("games", "seats", "rounds", "round_seats", "actions", "wins", "win_yaku")
"""The tables a game is rebuilt from."""

_MELDS = {
    "chi": CHI, "pon": PON, "daiminkan": DAIMINKAN, "ankan": ANKAN, "kakan": KAKAN, "kita": KITA,
}  # fmt: skip
_STICK = 1000
_SEATS = 4


def batch_of(rows: Rows) -> Batch:
    """Return the games of some rows as events, in the order of ``games``.

    ``rows`` are the rows of :data:`TABLES` by table. Games known only from a lobby list, and games
    whose acts the lake does not keep, cannot be rebuilt and must not be among them.
    """
    by_game = {name: _grouped(rows[name], "game_id") for name in TABLES if name != "games"}
    builder = Builder()
    for game in rows["games"]:
        of_game = {name: found[game["game_id"]] for name, found in by_game.items()}
        with builder.game():
            for round_ in sorted(of_game["rounds"], key=lambda row: int(row["round_index"])):
                _add_round(builder, game["players"], round_, of_game)
            builder.end_game(_info(game, of_game["seats"]))
    return builder.finish()


def _grouped(rows: Iterable[Row], key: str) -> dict[int, list[Row]]:
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[key]].append(row)
    return groups


def _info(game: Row, seats: Sequence[Row]) -> GameInfo:
    seated = sorted(seats, key=lambda row: int(row["seat"]))
    points = tuple(row["final_points"] for row in seated if row["final_recorded"])
    results = tuple(row["result"] for row in seated)
    return GameInfo(
        players=game["players"],
        platform=game["platform"],
        format=game["format"],
        log_id=game["log_id"],
        played_at=game["played_at"],
        played_precision=game["played_precision"],
        ruleset=game["ruleset"],
        length=game["length"],
        aka=game["aka"],
        kuitan=game["kuitan"],
        fast=game["fast"],
        room=game["room"],
        lobby=game["lobby"],
        go_type=game["go_type"],
        names=tuple(row["player"] for row in seated),
        dan=tuple(row["dan"] for row in seated),
        dan_names=tuple(row["dan_name"] for row in seated),
        rate=tuple(row["rate"] for row in seated),
        sex=tuple(row["sex"] for row in seated),
        final_points=points if len(points) == len(seated) and None not in points else None,
        result=None if None in results else results,
        complete=game["complete"],
        notes=[OWN_YAKU] if OWN_YAKU in game["flags"] else [],
    )


def _add_round(
    builder: Builder, players: int, round_: Row, of_game: Mapping[str, Sequence[Row]]
) -> None:
    index = round_["round_index"]

    def mine(table: str, key: str) -> list[Row]:
        found = [row for row in of_game[table] if row["round_index"] == index]
        return sorted(found, key=lambda row: int(row[key]))

    seats = mine("round_seats", "seat")
    indicators = [CODE[text] for text in round_["dora_indicators"]]
    scores = list(round_["scores_start"])
    haipai: list[int] = []
    for row in seats:
        hand = parse_tiles(row["haipai"])
        haipai += [*hand, *[NO_TILE] * (13 - len(hand))]
    dice = round_["dice"]
    builder.round(
        round_["wind"],
        round_["number"] - 1,
        round_["honba"],
        round_["sticks"],
        scores + [0] * (_SEATS - len(scores)),
        indicators[0] if indicators else NO_TILE,
        haipai + [NO_TILE] * (13 * _SEATS - len(haipai)),
        dealer=round_["dealer"],
        dice=(dice[0] - 1, dice[1] - 1) if dice else (-1, -1),
    )
    wins = {win["seq"]: win for win in mine("wins", "win_index")}
    yaku = _grouped(mine("win_yaku", "win_index"), "win_index")
    _Play(builder, seats, indicators).add(mine("actions", "seq"), wins, yaku)
    if wins:
        builder.won()
    else:
        _end_without_win(builder, players, round_, seats)


class _Play:
    """Adds the events of one round."""

    def __init__(self, builder: Builder, seats: Sequence[Row], indicators: Sequence[int]) -> None:
        self._builder = builder
        self._accepted = {row["seat"] for row in seats if row["riichi_accepted"]}
        self._held = {
            row["seat"]: CODE[row["held_draw"]] for row in seats if row["held_draw"] is not None
        }
        self._indicators = indicators
        self._shown = 1
        self._riichi = NO_SEAT
        """The seat that has just declared riichi and has not paid yet."""

    def add(
        self, acts: Sequence[Row], wins: Mapping[int, Row], yaku: Mapping[int, Sequence[Row]]
    ) -> None:
        """Add the acts in order, and the events between them."""
        events = self._builder.events
        before = ""
        for act in acts:
            action, seat = act["action"], act["seat"]
            if action != "ron" or self._riichi not in (NO_SEAT, act["from_seat"]):
                self._accept()
            drawn = None if act["drawn"] is None else pack(DRAW, seat, CODE[act["drawn"]])
            if before == "ankan":  # turned up before the replacement is drawn, else after
                self._turn_up(act["dora_shown"])
            if drawn is not None:
                events.append(drawn)
            self._turn_up(act["dora_shown"])
            if action in ("tsumo", "ron"):
                win = wins[act["seq"]]
                self._builder.win(_win(win, yaku.get(win["win_index"], ())))
            elif action in ("discard", "riichi"):
                if action == "riichi":
                    events.append(pack(RIICHI, seat))
                    self._riichi = seat if seat in self._accepted else NO_SEAT
                said = -1 if act["tsumogiri"] is None else int(act["tsumogiri"])
                events.append(pack(DISCARD, seat, CODE[act["tile"]], tsumogiri=said))
            else:
                events.append(_meld(act))
            before = action
        self._accept()
        for seat, tile in self._held.items():
            events.append(pack(DRAW, seat, tile))
        if not wins:
            self._turn_up(len(self._indicators))

    def _accept(self) -> None:
        if self._riichi != NO_SEAT:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
            self._riichi = NO_SEAT

    def _turn_up(self, shown: int) -> None:
        for tile in self._indicators[self._shown : shown]:
            self._builder.events.append(pack(DORA, NO_SEAT, tile))
            self._shown += 1


def _meld(act: Row) -> int:
    tile = CODE[act["tile"]]
    consumed = parse_tiles(act["meld"] or "")
    if tile in consumed:
        consumed.remove(tile)
    source = NO_SEAT if act["from_seat"] is None else act["from_seat"]
    return pack(_MELDS[act["action"]], act["seat"], tile, source, consumed=consumed[:3])


def _win(win: Row, yaku: Sequence[Row]) -> WinRecord:
    def known(name: str, unknown: int = -1) -> int:
        return unknown if win[name] is None else int(win[name])

    deltas = [win[f"delta_{seat}"] for seat in range(win["players"])]
    paid = NO_POINTS if None in deltas else [*deltas, *[0] * (_SEATS - len(deltas))]
    hand = parse_tiles(win["hand"])
    return WinRecord(
        win["winner"],
        win["winner"] if win["loser"] is None else win["loser"],
        CODE[win["win_tile"]],
        hand=[*hand, *[NO_TILE] * (14 - len(hand))][:14],
        fu=known("fu"),
        han=known("han"),
        yakuman=known("yakuman"),
        points=known("points", UNKNOWN),
        limit=-1 if win["limit"] is None else LIMITS.index(win["limit"]),
        pao=known("pao_seat", NO_SEAT),
        indicators=[CODE[text] for text in win["dora_indicators"]],
        ura=[CODE[text] for text in win["ura_indicators"]],
        delta=paid,
        yaku=[(YAKU_INDEX[row["yaku"]], row["han"]) for row in yaku],
    )


def _end_without_win(builder: Builder, players: int, round_: Row, seats: Sequence[Row]) -> None:
    outcome = (
        OUTCOMES.index(round_["outcome"]) if round_["outcome"] in OUTCOMES else OUTCOME_UNKNOWN
    )
    if outcome == OUTCOME_UNKNOWN:
        builder.draw(outcome)
        return
    held = [row["seat"] for row in seats if row["held_draw"] is not None]
    declarer = held[0] if round_["outcome"] == "kyuushu" and held else NO_SEAT
    builder.events.append(pack(RYUUKYOKU, declarer))
    tenpai = [-1] * _SEATS
    delta = [0] * _SEATS
    for row in seats:
        if row["tenpai_shown"] is not None:
            tenpai[row["seat"]] = int(row["tenpai_shown"])
        delta[row["seat"]] = row["delta"] + (_STICK if row["riichi_accepted"] else 0)
    builder.draw(outcome, tenpai, delta=delta)
