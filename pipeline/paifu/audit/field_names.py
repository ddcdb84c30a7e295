"""Readable names for the compared fields of a verdict, which are column names in SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping

_OF_A_SEAT = re.compile(r"(\w+)_([0-3])")

_NAMES = {
    ("win", "honba_points"): "points for honba",
    ("win", "stick_points"): "points for sticks",
    ("win", "pao_seat"): "seat liable",
    ("round", "sticks"): "sticks at the start",
    ("round", "sum"): "sum of the changes",
    ("wall", "digest"): "digest of the wall",
}
_OTHER_GAMES = {"yaku": "fan", "han": "fan in all"}
_SEAT_NAMES = {
    ("win", "delta"): "seat {seat}'s change by the win",
    ("draw", "delta"): "seat {seat}'s change by the draw",
    ("round", "points"): "seat {seat}'s points at the start",
    ("round", "delta"): "seat {seat}'s change in the round",
}


def field_name(subject: str, field: str, *, riichi: bool = True) -> str:
    """Return the name of a field of a subject, in the words of riichi or of another game.

    >>> field_name("win", "delta_2"), field_name("round", "points_0"), field_name("win", "fu")
    ("seat 2's change by the win", "seat 0's points at the start", 'fu')
    >>> field_name("game", "final_points_3"), field_name("win", "ura_han")
    ("seat 3's final points", 'ura han')
    """
    if not riichi and field in _OTHER_GAMES:
        return _OTHER_GAMES[field]
    if found := _OF_A_SEAT.fullmatch(field):
        name, seat = found.groups()
        words = f"seat {{seat}}'s {name.replace('_', ' ')}"
        return _SEAT_NAMES.get((subject, name), words).format(seat=seat)
    return _NAMES.get((subject, field), field.replace("_", " "))


def difference(subject: str, row: Mapping[str, str | None], *, riichi: bool = True) -> str:
    """Return a row's ``field``, its ``recorded`` and its ``computed`` value as a line.

    >>> difference("win", {"field": "fu", "recorded": "40", "computed": None})
    'fu: recorded 40, computed nothing'
    """
    name = field_name(subject, row["field"] or "", riichi=riichi)
    return f"{name}: recorded {_shown(row['recorded'])}, computed {_shown(row['computed'])}"


def _shown(value: str | None) -> str:
    return "nothing" if value is None else value
