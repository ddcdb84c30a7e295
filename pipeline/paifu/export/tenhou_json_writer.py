"""Writes games as tenhou.net/6 JSON, which Tenhou's viewer and review tools read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

from paifu.export.game_values import Event, Round, Win, rounds_of
from paifu.formats.tenhou_json.game_info import OWN_KEY
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    LIMIT_KAZOE,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_YAKUMAN,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    PON,
    RIICHI,
    UNKNOWN,
    WIN,
    Batch,
    GameInfo,
)
from paifu.game.tiles import IS_RED, KIND_OF, KINDS
from paifu.schema.flags import OWN_YAKU
from paifu.schema.yaku import YAKU

SUFFIX = ".tenhou6.json"

_SEATS = 4
_TSUMOGIRI = 60
_YAKUMAN_HAN, _MANGAN_HAN = 13, 4
"""Han from which on a win is a counted yakuman, and above which it is at least mangan."""
_CALL_LETTERS = {CHI: "c", PON: "p", DAIMINKAN: "m"}
_LIMIT_NAMES = ("", "満貫", "跳満", "倍満", "三倍満", "役満", "役満")
_BASES = (0, 2000, 3000, 4000, 6000, 8000, 8000)
_DRAW_NAMES = {
    OUTCOME_KYUUSHU: "九種九牌", OUTCOME_SUUFON: "四風連打", OUTCOME_SUUCHA: "四家立直",
    OUTCOME_SUUKAN: "四槓散了", OUTCOME_SANCHAHOU: "三家和了",
}  # fmt: skip
_ROOM_TEXT = {"ippan": "般", "joukyuu": "上", "tokujou": "特", "houou": "鳳"}


def log_text(batch: Batch, game: int) -> bytes:
    """Return a game of the batch as one JSON object."""
    return orjson.dumps(log_of(batch, game)) + b"\n"


def log_of(batch: Batch, game: int) -> dict[str, Any]:
    """Return a game of the batch as an object that tenhou.net/6 reads."""
    info = batch.games[game]
    red = 0 if info.aka is False else 1
    log: dict[str, Any] = {
        "ver": 2.3,
        "title": ["", ""],
        "name": _padded(info.names, "", info.players),
        "rule": {
            "disp": _table_name(info),
            **dict.fromkeys(("aka51", "aka52", "aka53"), red),
            OWN_KEY: _own(info),
        },
        "log": [_round(round_, info.players) for round_ in rounds_of(batch, game)],
    }
    if info.log_id:
        log["ref"] = info.log_id
    if info.lobby and info.lobby.isdigit():
        log["lobby"] = int(info.lobby)
    for key, values, empty in (
        ("dan", info.dan_names, ""), ("rate", info.rate, 0), ("sx", info.sex, ""),
    ):  # fmt: skip
        if any(value is not None for value in values):
            log[key] = _padded(values, empty, info.players)
    if info.complete and info.final_points and info.result:
        ends = zip(info.final_points, info.result, strict=True)
        log["sc"] = [number for pair in ends for number in pair]
        log["sc"] += [0] * (2 * _SEATS - len(log["sc"]))
    return log


def _own(info: GameInfo) -> dict[str, Any]:
    """Return what the format has no place for; other programs ignore it.

    In Tenhou's format the room says what the rules are (``鳳南喰赤``). A game without a room has no
    other place for them, and a game without results no place for how it ended.
    """
    own: dict[str, Any] = {"complete": info.complete, "room": info.room}
    if info.ruleset:
        own["ruleset"] = info.ruleset
    if info.length:
        own["length"] = info.length
    if info.final_points:
        own["points"] = list(info.final_points)
    if OWN_YAKU in info.notes:
        own[OWN_YAKU] = True
    return own


def _padded(values: tuple[Any, ...], empty: Any, players: int) -> list[Any]:
    """Return a value for each of four seats."""
    given = [empty if value is None else value for value in values[:players]]
    return given + [empty] * (_SEATS - len(given))


def _table_name(info: GameInfo) -> str:
    """Return the table's name as on Tenhou, ``三鳳南喰赤``; another platform's room unchanged."""
    room = _ROOM_TEXT.get(info.room or "", info.room or "")
    return (
        ("三" if info.players == 3 else "")
        + room
        + {"east": "東", "south": "南"}.get(info.length or "", "")
        + ("" if info.kuitan is False else "喰")
        + ("" if info.aka is False else "赤")
        + ("速" if info.fast else "")
    )


def _tile(code: int) -> int:
    """Return a tile as the format writes it; a hidden or unknown tile is 0."""
    if not 0 <= code < KINDS + 3:
        return 0
    kind = int(KIND_OF[code])
    if IS_RED[code]:
        return 51 + kind // 9
    return 41 + kind - 27 if kind >= 27 else 11 + 10 * (kind // 9) + kind % 9


def _round(round_: Round, players: int) -> list[Any]:
    seats = [_Seat() for _ in range(_SEATS)]
    indicators = [round_.indicator]
    for event in round_.events:
        if event.kind == DORA:
            indicators.append(event.tile)
        elif 0 <= event.seat < players:
            seats[event.seat].take(event)
    lists: list[Any] = []
    for seat, hand in zip(seats, round_.haipai, strict=True):
        lists += [sorted(_tile(code) for code in hand), seat.draws, seat.discards]
    ura = next((win.ura for win in round_.wins if win.ura), [])
    return [
        [4 * round_.wind + round_.number, round_.honba, round_.sticks],
        round_.scores,
        [_tile(code) for code in indicators if code >= 0],
        [_tile(code) for code in ura],
        *lists,
        _result(round_, players),
    ]


class _Seat:
    """The draws and discards of one seat."""

    def __init__(self) -> None:
        self.draws: list[int | str] = []
        self.discards: list[int | str] = []
        self._riichi = False
        self._pons: dict[int, tuple[str, int]] = {}
        """By kind of tile: a pon as written, and the position of its letter."""

    def take(self, event: Event) -> None:
        kind, tile = event.kind, _tile(event.tile)
        if kind == DRAW:
            self.draws.append(tile)
        elif kind == DISCARD:
            number = _TSUMOGIRI if event.tsumogiri == 1 else tile
            self.discards.append(f"r{number}" if self._riichi else number)
            self._riichi = False
        elif kind == RIICHI:
            self._riichi = True
        elif kind in _CALL_LETTERS:
            self._call(event)
        elif kind == ANKAN:
            others = sorted(map(_tile, event.consumed))
            self.discards.append("".join(map(str, others)) + f"a{tile}")
        elif kind == KAKAN:
            written, place = self._pons.get(int(KIND_OF[event.tile]), ("", 0))
            if not written:  # the log does not have the pon
                written = "p" + "".join(str(_tile(code)) for code in event.consumed)
            self.discards.append(f"{written[:place]}k{tile}{written[place + 1 :]}")
        elif kind == KITA:
            self.discards.append(f"f{tile}")

    def _call(self, event: Event) -> None:
        letter = _CALL_LETTERS[event.kind]
        others = sorted(_tile(code) for code in event.consumed)
        relative = (event.from_seat - event.seat) % _SEATS
        # the position of the called tile says whose it was: kamicha, toimen, shimocha
        before = 0 if event.kind == CHI else {3: 0, 2: 1, 1: len(others)}.get(relative, 0)
        place = 2 * before
        written = (
            "".join(map(str, others[:before]))
            + f"{letter}{_tile(event.tile)}"
            + "".join(map(str, others[before:]))
        )
        self.draws.append(written)
        if event.kind == PON:
            self._pons[int(KIND_OF[event.tile])] = written, place
        elif event.kind == DAIMINKAN:
            self.discards.append(0)


# --- the end ----------------------------------------------------------------------------------


def _result(round_: Round, players: int) -> list[Any]:
    if round_.wins:
        result: list[Any] = ["和了"]
        wins = (event for event in round_.events if event.kind == WIN)
        for event, win in zip(wins, round_.wins, strict=True):
            result += [win.delta or [], _win(event, win, round_, players)]
        return result
    if round_.outcome in _DRAW_NAMES:
        return [_DRAW_NAMES[round_.outcome]]
    if round_.outcome not in (OUTCOME_EXHAUSTIVE, OUTCOME_NAGASHI):
        return ["不明"]
    delta = [] if round_.delta is None else [round_.delta]
    if round_.outcome == OUTCOME_NAGASHI:
        return ["流し満貫", *delta]
    if delta and not any(delta[0]):
        shown = set(round_.tenpai[:players])
        if shown == {1}:
            return ["全員聴牌"]
        if shown == {0}:
            return ["全員不聴"]
    return ["流局", *delta]


def _win(event: Event, win: Win, round_: Round, players: int) -> list[Any]:
    pao = win.pao if win.pao >= 0 else event.seat
    told: list[Any] = [event.seat, event.from_seat, pao]
    limit = win.limit if win.limit >= 0 else _limit(win)
    if win.points != UNKNOWN and limit >= 0:
        told.append(_value(event, replace(win, limit=limit), round_, players))
        told += [_yaku(index, han) for index, han in win.yaku if han]
    return told


def _limit(win: Win) -> int:
    """Return the limit that the fu and han of a win come to, -1 if they are not recorded."""
    if win.yakuman > 0:
        return LIMIT_YAKUMAN
    if win.han < 0 or win.fu < 0:
        return -1
    if win.han > _MANGAN_HAN:
        at_least = ((_YAKUMAN_HAN, LIMIT_KAZOE), (11, 4), (8, 3), (6, 2), (5, LIMIT_MANGAN))
        return next(limit for han, limit in at_least if win.han >= han)
    return LIMIT_MANGAN if win.fu << (2 + win.han) >= _BASES[LIMIT_MANGAN] else LIMIT_NONE


def _value(event: Event, win: Win, round_: Round, players: int) -> str:
    """Return the value of the hand as Tenhou writes it: ``30符2飜2000点``, ``満貫2000-4000点``."""
    plain = win.limit == LIMIT_NONE
    name = f"{max(win.fu, 0)}符{max(win.han, 0)}飜" if plain else _LIMIT_NAMES[win.limit]
    if event.seat != event.from_seat:
        return f"{name}{win.points}点"
    if event.seat == round_.dealer:
        return f"{name}{win.points // (players - 1)}点∀"
    base = win.fu << (2 + win.han) if plain else _BASES[win.limit] * max(1, win.yakuman)
    other, dealer = -(-base // 100) * 100, -(-2 * base // 100) * 100
    if (players - 2) * other + dealer != win.points:  # kiriage, or a rule of the lobby
        dealer = win.points - (players - 2) * (win.points // 4)
        other = win.points // 4
    return f"{name}{other}-{dealer}点"


def _yaku(index: int, han: int) -> str:
    if han < _YAKUMAN_HAN or YAKU[index].key.endswith("dora"):
        return f"{YAKU[index].japanese}({han}飜)"
    return f"{YAKU[index].japanese}({'ダブル役満' if han > _YAKUMAN_HAN else '役満'})"
