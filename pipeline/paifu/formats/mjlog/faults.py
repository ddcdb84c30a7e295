"""What is wrong with an element of an mjlog, as a sentence with the element and its attribute."""

from __future__ import annotations

import re
from collections.abc import Callable

from paifu.formats.mjlog.grammar import (
    BAD_COUNT,
    BAD_MELD,
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    BEFORE_DEAL,
    MISSING,
    NO_DEAL,
    NOT_STRICT,
    REQUIRED_NAMES,
)

REASONS = {
    NOT_STRICT: "an element or attribute that cannot be read",
    BAD_NUMBER: "an impossible number",
    BAD_TILE: "a tile that is not one of the ids 0 to 135, or too many of them",
    BAD_SEAT: "a seat that is not one of 0 to 3",
    BAD_MELD: "a call whose number is not the code of a meld",
    BAD_COUNT: "a list of numbers of the wrong length",
    MISSING: "an element without an attribute it must have",
    BEFORE_DEAL: "play before the first deal",
    NO_DEAL: "no round was dealt",
}
"""What each status of the tokeniser means, in words."""

_ELEMENT = re.compile(rb"<([A-Za-z]{1,16})")
_ATTRIBUTE = re.compile(rb'\s([A-Za-z]\w{,15})="([^"]*)"')
_LONGEST = 1 << 14
_SHOWN = 60
_NUMBERS = re.compile(r"-?\d{1,7}(?:\.\d{1,3})?(?:,-?\d{1,7}(?:\.\d{1,3})?)*")
_TILE_LISTS = {"hai": 14, "machi": 1, "doraHai": 5, "doraHaiUra": 5} | dict.fromkeys(
    ("hai0", "hai1", "hai2", "hai3"), 13
)
"""How many tiles each attribute may list."""
_SEATS = frozenset({"who", "fromWho", "paoWho", "oya"})
_LENGTHS = {
    "seed": (6,), "sc": (6, 8, 12, 16), "owari": (6, 8, 12, 16), "ba": (2,), "ten": (3, 4),
}  # fmt: skip
"""How many numbers each attribute may list."""
_AGARI_TEN = 3
_FREE = frozenset({"n0", "n1", "n2", "n3", "title", "rule", "ranking", "csrule", "ref", "shuffle",
                   "sx", "lobby"})  # fmt: skip


def fault(status: int, text: bytes, at: int) -> str:
    """Return why the element at a byte of a log in the strict grammar cannot be read.

    >>> fault(MISSING, b'<INIT ten="250,250,250,250" oya="0"/>', 0)
    '<INIT> has no seed and no hai0, which it must have'
    >>> fault(BAD_SEAT, b'<N who="4" m="30729" />', 0)
    '<N>: who="4" is a seat that is not one of 0 to 3'
    """
    reason = REASONS[status]
    stop = text.find(b">", at, at + _LONGEST)
    element = text[at : stop if stop > 0 else at + _LONGEST]
    named = _ELEMENT.match(element)
    if named is None or status in (BEFORE_DEAL, NO_DEAL):
        return reason
    name = named[1].decode()
    said = {
        key.decode(): value.decode("utf-8", "replace") for key, value in _ATTRIBUTE.findall(element)
    }
    if status == MISSING:
        missing = [key for key in REQUIRED_NAMES.get(name, ()) if key not in said]
        return f"<{name}> has no {' and no '.join(missing)}, which it must have"
    wrong = _WRONG.get(status)
    keys = [key for key, value in said.items() if wrong is not None and wrong(name, key, value)]
    if not keys and status in (BAD_NUMBER, BAD_COUNT):
        keys = [k for k, v in said.items() if k not in _FREE and not _NUMBERS.fullmatch(v)]
    if not keys:
        return f"<{name}>: {reason}"
    value = said[keys[0]]
    shown = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
    return f'<{name}>: {keys[0]}="{shown}" is {reason}'


def _bad_tile(name: str, key: str, value: str) -> bool:
    if key == "seed" and name == "INIT":
        indicator = value.rsplit(",", 1)[-1]
        return not (indicator.isdecimal() and int(indicator[:9]) <= 135)
    if key not in _TILE_LISTS:
        return False
    tiles = value.split(",") if value else []
    return len(tiles) > _TILE_LISTS[key] or not all(
        tile.isdecimal() and int(tile[:9]) <= 135 for tile in tiles
    )


def _bad_seat(name: str, key: str, value: str) -> bool:
    return key in _SEATS and value not in ("0", "1", "2", "3")


def _bad_meld(name: str, key: str, value: str) -> bool:
    return key == "m"


def _bad_count(name: str, key: str, value: str) -> bool:
    if key not in _LENGTHS:
        return False
    lengths = (_AGARI_TEN,) if name == "AGARI" and key == "ten" else _LENGTHS[key]
    return value.count(",") + 1 not in lengths or not _NUMBERS.fullmatch(value)


def _bad_number(name: str, key: str, value: str) -> bool:
    if key in _FREE or key in _TILE_LISTS or key in _SEATS:
        return False
    if not _NUMBERS.fullmatch(value):
        return True
    numbers = [float(number) for number in value.split(",")]
    if name == "AGARI" and key == "ten":
        fu, _, limit = (*numbers, 0, 0, 0)[:3]
        return fu < 0 or not 0 <= limit <= 5
    if key == "seed":
        return any(number < 0 for number in numbers) or numbers[0] >= 16 or max(numbers[3:5]) > 5
    return key == "ba" and any(number < 0 for number in numbers)


_WRONG: dict[int, Callable[[str, str, str], bool]] = {
    BAD_TILE: _bad_tile, BAD_SEAT: _bad_seat, BAD_MELD: _bad_meld, BAD_COUNT: _bad_count,
    BAD_NUMBER: _bad_number,
}  # fmt: skip
