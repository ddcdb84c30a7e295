"""Writes games as mjai: one JSON event per line.

It is the dialect of today's programs, with the ``reason`` of a draw from the original dialect,
which today's programs ignore. Games that were read from the original dialect also keep what it says
of a win: yaku, fu, fan and points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from paifu.export.game_values import Event, Round, Win, rounds_of
from paifu.formats.mjai.lines import TILES
from paifu.formats.mjai.one_game import REASONS
from paifu.formats.mjai.win import YAKUMAN_FAN, YAKUMAN_HAN
from paifu.formats.yaku_names import named
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
    Batch,
)
from paifu.game.tiles import KIND_OF
from paifu.schema.yaku import YAKU

SUFFIX = ".mjai.jsonl"

_TEXT = {code: text for text, code in TILES.items()}
_WINDS = "ESWN"
_REASONS = {outcome: reason for reason, outcome in REASONS.items()}
_CALLS = {CHI: "chi", PON: "pon", DAIMINKAN: "daiminkan"}


def log_text(batch: Batch, game: int) -> bytes:
    """Return a game of the batch as mjai lines."""
    return b"".join(orjson.dumps(event) + b"\n" for event in events(batch, game))


def events(batch: Batch, game: int) -> Iterator[dict[str, Any]]:
    """Yield the events of a game of the batch."""
    info = batch.games[game]
    names = [name or "" for name in info.names] or [""] * info.players
    aka = True if info.aka is None else info.aka
    yield {"type": "start_game", "names": names, "kyoku_first": 0, "aka_flag": aka}
    for round_ in rounds_of(batch, game):
        yield from _round(round_, info.players, with_values=info.format == "mjai")
    if info.complete:
        ends = {"scores": list(info.final_points)} if info.final_points else {}
        yield {"type": "end_game", **ends}


def _round(round_: Round, players: int, *, with_values: bool) -> Iterator[dict[str, Any]]:
    yield {
        "type": "start_kyoku", "bakaze": _WINDS[round_.wind],
        "dora_marker": _text(round_.indicator), "kyoku": round_.number + 1,
        "honba": round_.honba, "kyotaku": round_.sticks, "oya": round_.dealer,
        "scores": round_.scores[:players],
        "tehais": [[_text(code) for code in hand] for hand in round_.haipai[:players]],
    }  # fmt: skip
    wins = iter(round_.wins)
    pons: dict[tuple[int, int], list[str]] = {}
    ended = False
    for event in round_.events:
        if event.kind == WIN:
            win = next(wins)
            hora: dict[str, Any] = {
                "type": "hora", "actor": event.seat, "target": event.from_seat,
                "pai": _text(event.tile),
            }  # fmt: skip
            if win.delta is not None:
                hora["deltas"] = win.delta[:players]
            hora["ura_markers"] = [_text(code) for code in win.ura]
            yield hora | (_value(win) if with_values else {})
            ended = True
        elif event.kind == RYUUKYOKU:
            delta = [0] * players if round_.delta is None else round_.delta[:players]
            reason = _REASONS.get(round_.outcome)
            yield {"type": "ryukyoku", "deltas": delta} | ({"reason": reason} if reason else {})
            ended = True
        elif (line := _act(event, pons)) is not None:
            yield line
    if ended:
        yield {"type": "end_kyoku"}


def _value(win: Win) -> dict[str, Any]:
    """Return what a win is worth in gimite's dialect, as far as it is recorded."""
    told: dict[str, Any] = {}
    if win.yaku:
        told["yakus"] = [[_yaku_name(index), _fan(index, han)] for index, han in win.yaku]
    if win.fu >= 0:
        told["fu"] = win.fu
    if win.yakuman > 0:
        told["fan"] = YAKUMAN_FAN * win.yakuman
    elif win.han >= 0:
        told["fan"] = win.han
    return told if win.points == UNKNOWN else told | {"hora_points": win.points}


def _yaku_name(index: int) -> str:
    yaku = YAKU[index]
    return yaku.key if named(yaku.key) == index else yaku.japanese


def _fan(index: int, han: int) -> int:
    """Return the fan of a yaku: gimite counts 100 for a yakuman."""
    if han < YAKUMAN_HAN or YAKU[index].key.endswith("dora"):
        return han
    return YAKUMAN_FAN * (han // YAKUMAN_HAN)


def _act(event: Event, pons: dict[tuple[int, int], list[str]]) -> dict[str, Any] | None:
    """Return the line of an act, or None for an act that mjai does not know."""
    kind, seat = event.kind, event.seat
    consumed = [_text(code) for code in event.consumed]
    if kind == DRAW:
        return {"type": "tsumo", "actor": seat, "pai": _text(event.tile)}
    if kind == DISCARD:
        line = {"type": "dahai", "actor": seat, "pai": _text(event.tile)}
        return line if event.tsumogiri < 0 else line | {"tsumogiri": event.tsumogiri == 1}
    if kind in _CALLS:
        if kind == PON:
            pons[seat, int(KIND_OF[event.tile])] = [_text(event.tile), *consumed]
        return {
            "type": _CALLS[kind], "actor": seat, "target": event.from_seat,
            "pai": _text(event.tile), "consumed": consumed,
        }  # fmt: skip
    if kind == ANKAN:
        return {"type": "ankan", "actor": seat, "consumed": [_text(event.tile), *consumed]}
    if kind == KAKAN:
        laid = pons.get((seat, int(KIND_OF[event.tile])), consumed)
        return {"type": "kakan", "actor": seat, "pai": _text(event.tile), "consumed": laid}
    if kind == KITA:
        return {"type": "nukidora", "actor": seat, "pai": _text(event.tile)}
    if kind == RIICHI:
        return {"type": "reach", "actor": seat}
    if kind == RIICHI_ACCEPTED:
        return {"type": "reach_accepted", "actor": seat}
    if kind == DORA:
        return {"type": "dora", "dora_marker": _text(event.tile)}
    return None


def _text(code: int) -> str:
    return _TEXT.get(code, "?")
