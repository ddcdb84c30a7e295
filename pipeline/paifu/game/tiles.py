"""The tile vocabulary: how a tile is numbered in arrays and written in text.

Arrays hold a tile as an int8 **code**:

====== =========================================================================================
0-33   the kinds: 1m-9m (0-8), 1p-9p (9-17), 1s-9s (18-26), 1z-7z (27-33: east south west north
       white green red)
34-36  the red fives 0m 0p 0s
37-44  the flowers 1f-8f
45     0z, a tile the log hides
-1     no tile
====== =========================================================================================

Text is MPSZ: ``1m``-``9m``, ``1p``, ``1s``, ``1z``-``7z``, red fives ``0m 0p 0s``, flowers
``1f``-``8f``, a hidden tile ``0z``; several tiles of one suit share the letter: ``123m0456p11z``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from paifu.errors import HandError

Int8Array = npt.NDArray[np.int8]

KINDS = 34
"""How many kinds of tile riichi knows."""
RED_5M, RED_5P, RED_5S = 34, 35, 36
FIRST_FLOWER = 37
HIDDEN = 45
NO_TILE = -1
CODES = 46
"""How many codes there are, without ``NO_TILE``."""

EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)

TEXT: tuple[str, ...] = (
    *(f"{number}{suit}" for suit in "mps" for number in range(1, 10)),
    *(f"{number}z" for number in range(1, 8)),
    "0m",
    "0p",
    "0s",
    *(f"{number}f" for number in range(1, 9)),
    "0z",
)
"""MPSZ text of each code."""

CODE: dict[str, int] = {text: code for code, text in enumerate(TEXT)}
"""Code of each MPSZ text."""

KIND_OF: Int8Array = np.array(
    [*range(KINDS), 4, 13, 22, *range(FIRST_FLOWER, CODES)], dtype=np.int8
)
"""Kind of each code: that of a red five is its plain five; flowers and 0z are their own kind."""

IS_RED: npt.NDArray[np.bool_] = np.array([RED_5M <= code <= RED_5S for code in range(CODES)])

IS_YAOCHUU: npt.NDArray[np.bool_] = np.array(
    [kind >= 27 or kind % 9 in (0, 8) for kind in range(KINDS)]
)
"""Terminals and honours, by kind."""

DORA_OF: Int8Array = np.array(
    [9 * (k // 9) + (k + 1) % 9 if k < 27 else 27 + (k - 26) % 4 if k < 31 else 31 + (k - 30) % 3
     for k in range(KINDS)],
    dtype=np.int8,
)  # fmt: skip
"""Dora kind under each indicator kind with four players (000 has no table; 003 L36)."""

DORA_OF_SANMA: Int8Array = DORA_OF.copy()
DORA_OF_SANMA[[0, 8]] = [8, 0]
"""The same with three players, without 2m-8m: 1m shows 9m and 9m shows 1m."""

SORT_KEY: npt.NDArray[np.int16] = np.array(
    [3 * kind - (code in (RED_5M, RED_5P, RED_5S)) for code, kind in enumerate(KIND_OF.tolist())],
    dtype=np.int16,
)
"""Order of the codes in a written hand: by kind, a red five before its plain ones."""

_PLACES: list[int] = SORT_KEY.tolist()
_RUN = re.compile(r"([0-9]+)([mpszf])")


def parse_tiles(text: str) -> list[int]:
    """Return the codes of a hand written in MPSZ, in the order written; spaces are ignored.

    >>> parse_tiles("123m 0p 11z")
    [0, 1, 2, 35, 27, 27]

    Raises :class:`~paifu.errors.HandError` for anything that is not a tile.
    """
    codes: list[int] = []
    written = "".join(text.split())
    read = 0
    for run in _RUN.finditer(written):
        if run.start() != read:
            break
        numbers, suit = run.groups()
        for number in numbers:
            code = CODE.get(number + suit)
            if code is None:
                raise HandError(f"there is no tile {number}{suit} in {text!r}")
            codes.append(code)
        read = run.end()
    if rest := written[read:]:
        if not (unread := rest.lstrip("0123456789")):
            raise HandError(f"{rest!r} at the end of {text!r} has no suit (m, p, s, z, f)")
        raise HandError(
            f"cannot read {unread[0]!r} in {text!r}: tiles are written like 123m0456p11z"
        )
    return codes


def tiles_text(codes: Iterable[int], *, sort: bool = True) -> str:
    """Return codes written in MPSZ, sorted by kind by default.

    >>> tiles_text([27, 35, 0, 2, 1, 27])
    '123m0p11z'
    """
    ordered = sorted(codes, key=_PLACES.__getitem__) if sort else list(codes)
    out: list[str] = []
    suit = ""
    for code in ordered:
        number, letter = TEXT[code][0], TEXT[code][1]
        if suit and letter != suit:
            out.append(suit)
        out.append(number)
        suit = letter
    return "".join(out) + suit
