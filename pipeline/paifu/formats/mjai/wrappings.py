"""mjai in other forms than lines of events: lists, objects around events, a converter's object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any
from urllib.parse import unquote

from paifu.errors import LogError
from paifu.formats.json.text import (
    Document,
    Piece,
    document,
    fields,
    items,
    parse,
    text_or_none,
    values_after,
    whole,
)
from paifu.schema.yaku import YAKU

_NOT_BETWEEN = re.compile(rb"[^\s,]")
"""Blanks and commas may stand between values."""
_DEEPEST = 16
"""How many levels of nested objects are searched."""
_NO_AKA = 0x02
"""Bit of Tenhou's game type."""
_TILES = {
    **{f"0{suit}": f"5{suit}r" for suit in "mps"},
    **{f"{at}z": letter for at, letter in enumerate("ESWNPFC", 1)},
}
"""mjai's name of each tile that the converter writes differently."""
_TYPES = {"riichi": "reach", "riichi_accepted": "reach_accepted", "chii": "chi"}
_BY_ID = {yaku.tenhou: yaku for yaku in YAKU if yaku.tenhou is not None}
_DORA = frozenset({52, 53, 54})
_YAKUMAN = range(36, 52)
"""Tenhou's ids of dora, ura and aka, and of yakuman."""
_YAKUMAN_FAN = 100
_HAN = dict.fromkeys(range(21, 32), 2) | {32: 3, 33: 3, 34: 3, 35: 6}
"""Han of closed hands, by Tenhou's id, of yaku with other than one han."""
_LESS_WHEN_OPEN = frozenset({23, 24, 25, 33, 34, 35})


def events_within(data: bytes) -> tuple[str, list[Any]]:
    """Return the events of JSON that is not lines of events, and how their places are called.

    The places are a path like ``$.mjaiLog`` if all events are in one list of one value, else
    ``event`` and a number. Raises :class:`LogError` for JSON that is broken or has no events.
    """
    lists: list[tuple[str, list[Any]]] = []
    for found in _values(data):
        if found.error is not None:
            raise found.error
        root = found.position if found.position[0] == "$" else ""
        value = found.value
        if _is_event(value):
            lists.append(("", [value]))
        elif root == "" and type(value) is list and value and all(map(_is_event, value)):
            lists.append(("", value))
        else:
            lists += list(_lists_in(value, root)) or [("", within) for within in _wrapped(value)]
    if not lists:
        raise LogError("no list of events in it", "$")
    if len(lists) == 1 and lists[0][0]:
        return lists[0]
    return "event", [event for _, listed in lists for event in listed]


def _values(data: bytes) -> Iterable[Document]:
    """Return the values of a file, one or several."""
    try:
        return [Document("$", data, parse(data))]
    except LogError:
        places = values_after(data, _NOT_BETWEEN)
        return (document(Piece(f"byte {at}", data[at:end])) for at, end in places)


def _is_event(value: Any) -> bool:
    return type(value) is dict and type(value.get("type")) is str


def _wrapped(value: Any) -> list[list[Any]]:
    """Return the event that an object has under any of its keys, as a list."""
    if type(value) is not dict:
        return []
    return [[event] for event in value.values() if _is_event(event)][:1]


def _numbered(value: dict[str, Any]) -> list[Any]:
    """Return the values of an object whose keys are all numbers, in the order of the numbers."""
    if not value or not all(key.isascii() and key.isdecimal() for key in value):
        return []
    return [value[key] for key in sorted(value, key=lambda key: (len(key.lstrip("0")), key))]


def _lists_in(value: Any, path: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of events within a value, level by level in their order."""
    level = [(path, value)]
    for _ in range(_DEEPEST):
        following: list[tuple[str, Any]] = []
        for place, within in level:
            if _is_list_of_events(within):
                yield place, within
            elif type(within) is dict and _is_converted(within):
                yield "", list(_converted(within, place or "$"))
            elif type(within) is dict and _is_list_of_events(listed := _numbered(within)):
                yield "", listed
            elif type(within) is dict:
                following += [(f"{place}.{key}" if place else "", v) for key, v in within.items()]
            elif type(within) is list:
                following += [(f"{place}[{at}]" if place else "", v) for at, v in enumerate(within)]
        level = [(p, v) for p, v in following if type(v) in (dict, list)]


def _is_list_of_events(value: Any) -> bool:
    """Return whether most elements are objects with a type in words, some of them of a game."""
    if type(value) is not list or not value:
        return False
    told = list(filter(_is_event, value))
    return 2 * len(told) >= len(value) and any(
        "actor" in event or event["type"] in ("start_game", "start_kyoku", "end_game")
        for event in told
    )


# --- a converter's object: games[].data and games[].game ----------------------------------------


def _is_converted(value: dict[str, Any]) -> bool:
    games = value.get("games")
    return (
        type(games) is list
        and bool(games)
        and all(type(game) is dict and {"data", "game"} <= game.keys() for game in games)
    )


def _converted(value: dict[str, Any], root: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a game from a converter: rounds in ``data`` and ``game``."""
    names = value.get("id")
    told = names if type(names) is list else []
    start: dict[str, Any] = {"type": "start_game", "names": [_name(name) for name in told]}
    if type(kind := value.get("type")) is int:
        start["aka_flag"] = not kind & _NO_AKA
    yield start
    for at, game in enumerate(value["games"]):
        path = f"{root}.games[{at}]"
        yield {**_in_mjai(fields(game["data"], f"{path}.data")), "type": "start_kyoku"}
        for number, event in enumerate(items(game["game"], f"{path}.game")):
            place = f"{path}.game[{number}]"
            written = fields(event, place)
            kind = written.get("type")
            if kind == "agari":
                yield _hora(written, place)
            elif kind == "ryuukyoku":
                reason = {"howanpai": "fanpai"}.get(str(written.get("reason")))
                yield {"type": "ryukyoku"} | ({"reason": reason} if reason else {})
            else:
                yield {**_in_mjai(written), "type": _TYPES.get(str(kind), kind)}
    owari = value.get("owari")
    if type(owari) is list and owari:
        scores = [100 * whole(n, f"{root}.owari[{at}]") for at, n in enumerate(owari)]
        yield {"type": "end_game", "scores": scores}


def _name(name: Any) -> str | None:
    text = text_or_none(name)
    return None if text is None else unquote(text, errors="replace")


def _in_mjai(value: Any) -> Any:
    """Return a value with mjai's names of tiles."""
    if type(value) is str:
        return _TILES.get(value, value)
    if type(value) is list:
        return [_in_mjai(each) for each in value]
    if type(value) is dict:
        return {key: _in_mjai(each) for key, each in value.items() if key != "junme"}
    return value


def _hora(event: dict[str, Any], path: str) -> dict[str, Any]:
    """Return a win in gimite's dialect."""
    calls = [
        fields(call, f"{path}.naki") for call in items(event.get("naki") or [], f"{path}.naki")
    ]
    opened = any(call.get("type") != "ankan" for call in calls)
    listed = items(event.get("yaku"), f"{path}.yaku")
    ids = [whole(each, f"{path}.yaku", -1, 99) for each in listed]
    told = {
        "type": "hora", "actor": event.get("actor"), "target": event.get("fromwho"),
        "pai": _in_mjai(event.get("machi")), "hora_tehais": _in_mjai(event.get("hai") or []),
        "ura_markers": _in_mjai(event.get("ura_marker") or []), "fu": event.get("hu"),
        "fan": event.get("han"), "hora_points": event.get("score"),
        "yakus": [_yaku(each, len(list(same)), opened) for each, same in groupby(sorted(ids))],
    }  # fmt: skip
    return {key: value for key, value in told.items() if value is not None}


def _yaku(tenhou: int, times: int, opened: bool) -> list[Any]:
    """Return a yaku's name and fan; the converter repeats dora as often as they count."""
    yaku = _BY_ID.get(tenhou)
    name = yaku.japanese if yaku else str(tenhou)
    if tenhou in _DORA:
        return [name, times]
    if tenhou in _YAKUMAN:
        return [name, _YAKUMAN_FAN]
    han = _HAN.get(tenhou, 1)
    return [name, han - (opened and tenhou in _LESS_WHEN_OPEN)]
