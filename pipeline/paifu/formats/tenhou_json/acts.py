"""Tiles, draws and discards as tenhou.net/6 writes them: ``41``, ``"c131415"``, ``"r60"``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from paifu.formats.builder import KIND_MASK, pack
from paifu.formats.tenhou_json.play_order import PLACEHOLDER, RIICHI_BIT
from paifu.game.events import ANKAN, CHI, DAIMINKAN, DISCARD, DRAW, KAKAN, KITA, PON

TILES = {
    **{10 * suit + n: 9 * (suit - 1) + n - 1 for suit in (1, 2, 3) for n in range(1, 10)},
    **{40 + n: 26 + n for n in range(1, 8)},
    51: 34, 52: 35, 53: 36,
}  # fmt: skip
"""Code of each tile by its number."""

_TSUMOGIRI = 60
_ACT = re.compile(r"((?:[1-5][1-9])*)([cpmkaf])((?:[1-5][1-9])+)")
_CALLS = {"c": CHI, "p": PON, "m": DAIMINKAN}
_LENGTH = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4, "f": 1}
_FROM = {0: 3, 2: 2, 4: 1, 6: 1}
"""The relative seat whose tile a call took, by the place of its letter: kamicha, toimen,
shimocha."""


@lru_cache(maxsize=1 << 16, typed=True)
def token(element: Any, *, draws: bool) -> int:
    """Return one element of a list of draws or discards as a token of ``play_order``.

    Raises ``ValueError``, ``KeyError`` or (for other than a number or text) ``TypeError``.
    """
    if type(element) is str and element.isascii() and element.isdigit() and len(element) == 2:
        element = int(element)
    if type(element) in (int, float):
        if element in TILES:
            tile = TILES[element]
            return pack(DRAW, tile=tile) if draws else pack(DISCARD, tile=tile, tsumogiri=0)
        if element == _TSUMOGIRI and not draws:
            return pack(DISCARD, tsumogiri=1)
        if element == 0 and not draws:
            return PLACEHOLDER
    elif type(element) is str:
        if element[:1] == "r" and not draws:
            discard = token(element[1:], draws=False)
            if discard & KIND_MASK == DISCARD and discard < RIICHI_BIT:
                return discard | RIICHI_BIT
        elif (match := _ACT.fullmatch(element)) is not None:
            return _act(*match.groups(), draws=draws)
    raise ValueError


def _act(before: str, letter: str, after: str, *, draws: bool) -> int:
    """Return the token of a call, kan or north: its letter is before the tile it is about."""
    digits = before + after
    tiles = [TILES[int(digits[at : at + 2])] for at in range(0, len(digits), 2)]
    place = len(before)
    if len(tiles) != _LENGTH[letter] or (letter in _CALLS) is not draws:
        raise ValueError
    tile = tiles.pop(place // 2)
    if letter in _CALLS:
        return pack(_CALLS[letter], tile=tile, from_seat=_FROM[place], consumed=tiles)
    if letter == "f":
        return pack(KITA, tile=tile)
    return pack(KAKAN if letter == "k" else ANKAN, tile=tile, consumed=tiles)
