"""The strict grammar of mjlog bytes: names, attributes, numbers and tiles, as kernels.

This is what Tenhou itself writes: elements without content, one space before an attribute, double
quotes, printable ASCII, at most one space before ``/>``, nothing between elements. Anything else is
for :mod:`paifu.importers.mjlog_xml`, which rewrites a log to this grammar.

Positions are indices into the buffer of all logs; every kernel stops at the ``end`` it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from paifu.kernels import njit
from paifu.tiles import NO_TILE, RED_5M, RED_5P, RED_5S

# --- what can be wrong with a log ---------------------------------------------------------------
FINE = 0
NOT_STRICT = 1
"""Not the grammar of this module; perhaps still XML."""
BAD_NUMBER, BAD_TILE, BAD_SEAT, BAD_MELD, BAD_COUNT, MISSING, BEFORE_DEAL, NO_DEAL = range(2, 10)

# --- elements and attributes --------------------------------------------------------------------
TAGS: tuple[str, ...] = (
    "GO", "UN", "BYE", "SHUFFLE", "TAIKYOKU", "INIT", "N", "REACH", "DORA", "AGARI", "RYUUKYOKU",
)  # fmt: skip
GO, UN, BYE, SHUFFLE, TAIKYOKU, INIT, N, REACH, DORA, AGARI, RYUUKYOKU = range(len(TAGS))

ATTRIBUTES: tuple[str, ...] = (
    "type", "lobby", "title", "rule", "ranking", "csrule", "n0", "n1", "n2", "n3", "dan", "rate",
    "sx", "rc", "gold", "who", "seed", "ref", "oya", "ten", "chip", "hai0", "hai1", "hai2", "hai3",
    "shuffle", "m", "step", "hai", "ba", "machi", "yaku", "yakuman", "doraHai", "doraHaiUra",
    "fromWho", "paoWho", "sc", "owari", "ratio",
)  # fmt: skip
(
    TYPE, LOBBY, TITLE, RULE, RANKING, CSRULE, N0, N1, N2, N3, DAN, RATE, SX, RC, GOLD, WHO, SEED,
    REF, OYA, TEN, CHIP, HAI0, HAI1, HAI2, HAI3, SHUFFLED, M, STEP, HAI, BA, MACHI, YAKU, YAKUMAN,
    DORA_HAI, DORA_HAI_URA, FROM_WHO, PAO_WHO, SC, OWARI, RATIO,
) = range(len(ATTRIBUTES))  # fmt: skip

GRAMMAR: dict[str, frozenset[str]] = {
    "GO": frozenset({"type", "lobby", "title", "rule", "ranking", "csrule"}),
    "UN": frozenset({"n0", "n1", "n2", "n3", "dan", "rate", "sx", "rc", "gold"}),
    "BYE": frozenset({"who"}),
    "SHUFFLE": frozenset({"seed", "ref"}),
    "TAIKYOKU": frozenset({"oya"}),
    "INIT": frozenset({"seed", "ten", "chip", "oya", "hai0", "hai1", "hai2", "hai3", "shuffle"}),
    "N": frozenset({"who", "m"}),
    "REACH": frozenset({"who", "step", "ten"}),
    "DORA": frozenset({"hai"}),
    "AGARI": frozenset(
        {"ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "doraHai", "doraHaiUra", "who",
         "fromWho", "paoWho", "sc", "owari", "ratio", "chip"}
    ),
    "RYUUKYOKU": frozenset(
        {"type", "ba", "sc", "hai0", "hai1", "hai2", "hai3", "owari", "ratio", "chip"}
    ),
}  # fmt: skip
"""The attributes each element may have."""

ALLOWED = np.array(
    [sum(1 << ATTRIBUTES.index(name) for name in GRAMMAR[tag]) for tag in TAGS], dtype=np.int64
)
"""The same as a bit mask by element."""

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LONGEST = 10
_LETTER = np.zeros(256, dtype=np.int64)
"""A number 1-62 for each byte a name may have: ten of them fit in a 64-bit key exactly."""
_LETTER[[ord(letter) for letter in _LETTERS]] = range(1, len(_LETTERS) + 1)

_VALUE = np.zeros(256, dtype=np.bool_)
"""Bytes a value may have: printable ASCII but the quote and what XML gives a meaning."""
_VALUE[32:127] = True
_VALUE[[ord(character) for character in '"<&']] = False


def name_key(name: str) -> int:
    """Return the key :func:`read_name` makes of a name."""
    key = 0
    for byte in name.encode():
        key = key << 6 | int(_LETTER[byte])
    return key


def _name_table(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return a table without collisions: row ``key % len(table)`` is (key, index of the name)."""
    keys = [name_key(name) for name in names]
    size = next(n for n in range(len(keys), 1 << 16) if len({key % n for key in keys}) == len(keys))
    table = np.full((size, 2), -1, dtype=np.int64)
    for index, key in enumerate(keys):
        table[key % size] = key, index
    return table


_TAG_TABLE = _name_table(TAGS)
_ATTRIBUTE_TABLE = _name_table(ATTRIBUTES)

CODES = np.array([kind // 4 for kind in range(136)], dtype=np.int8)
CODES = np.stack([CODES, CODES])
"""int8[2, 136]: code of each tile id, with red fives and (second row) without."""
CODES[0, [16, 52, 88]] = RED_5M, RED_5P, RED_5S

_QUOTE, _COMMA, _MINUS, _SLASH, _SPACE, _EQUALS, _GREATER = (ord(c) for c in '",-/ =>')


@njit
def read_name(buf, at, end):  # type: ignore[no-untyped-def]
    """Return the key of the name that begins at ``at`` (-1 if it is too long), and its end."""
    key = 0
    start = at
    while at < end:
        letter = _LETTER[buf[at]]
        if letter == 0:
            break
        if at - start >= _LONGEST:
            return -1, at
        key = key << 6 | letter
        at += 1
    return key, at


@njit
def tag_of(key):  # type: ignore[no-untyped-def]
    """Return the index in ``TAGS`` of a name's key, or -1."""
    row = key % len(_TAG_TABLE)
    return _TAG_TABLE[row, 1] if _TAG_TABLE[row, 0] == key else -1


@njit
def attribute_of(key):  # type: ignore[no-untyped-def]
    """Return the index in ``ATTRIBUTES`` of a name's key, or -1."""
    row = key % len(_ATTRIBUTE_TABLE)
    return _ATTRIBUTE_TABLE[row, 1] if _ATTRIBUTE_TABLE[row, 0] == key else -1


@njit
def read_attributes(buf, at, end, starts, stops):  # type: ignore[no-untyped-def]
    """Read the rest of an element from behind its name.

    Returns (mask of the attributes found, position behind ``/>``); the mask is -1 where the
    grammar is left, at the position returned. ``starts`` and ``stops`` get each value's place.
    """
    seen = 0
    while at < end:
        byte = buf[at]
        if byte == _SLASH:
            if at + 1 < end and buf[at + 1] == _GREATER:
                return seen, at + 2
            return -1, at
        if byte != _SPACE:
            return -1, at
        at += 1
        if at < end and buf[at] == _SLASH:
            continue
        key, after = read_name(buf, at, end)
        attribute = attribute_of(key)
        if attribute < 0 or seen >> attribute & 1:
            return -1, at
        if after + 1 >= end or buf[after] != _EQUALS or buf[after + 1] != _QUOTE:
            return -1, after
        at = after + 2
        starts[attribute] = at
        while at < end and _VALUE[buf[at]]:
            at += 1
        if at >= end or buf[at] != _QUOTE:
            return -1, at
        stops[attribute] = at
        seen |= 1 << attribute
        at += 1
    return -1, at


@njit
def read_numbers(buf, start, stop, numbers):  # type: ignore[no-untyped-def]
    """Read ``1,-20,300`` into ``numbers``; return how many, or -1 for anything else.

    A number has at most seven digits, so that a hundred times it fits in 32 bits.
    """
    count = 0
    at = start
    while at < stop:
        if count >= len(numbers):
            return -1
        negative = buf[at] == _MINUS
        if negative:
            at += 1
        value = 0
        first = at
        while at < stop:
            digit = np.int64(buf[at]) - 48
            if digit < 0 or digit > 9:
                break
            value = value * 10 + digit
            at += 1
        if at == first or at - first > 7:
            return -1
        numbers[count] = -value if negative else value
        count += 1
        if at < stop:
            if buf[at] != _COMMA or at + 1 == stop:
                return -1
            at += 1
    return count


@njit
def read_tiles(buf, start, stop, codes, numbers, tiles):  # type: ignore[no-untyped-def]
    """Read tile ids as codes into ``tiles``, padded with ``NO_TILE``; return how many, or -1."""
    count = read_numbers(buf, start, stop, numbers[: len(tiles)])
    if count < 0:
        return -1
    for i in range(len(tiles)):
        tiles[i] = NO_TILE
    for i in range(count):
        if numbers[i] < 0 or numbers[i] > 135:
            return -1
        tiles[i] = codes[numbers[i]]
    return count


@njit
def read_number(buf, start, stop, low, high, numbers):  # type: ignore[no-untyped-def]
    """Return the one number of a value, or ``low - 1`` where it is not one of low..high."""
    if read_numbers(buf, start, stop, numbers[:1]) != 1:
        return low - 1
    return numbers[0] if low <= numbers[0] <= high else low - 1
