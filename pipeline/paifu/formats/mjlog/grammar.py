"""The strict grammar of mjlog bytes: names, attributes, numbers and tiles, as kernels.

This is what Tenhou itself writes: elements without content, one space before an attribute, double
quotes, printable ASCII, at most one space before ``/>`` (white space in draws and discards), and
only white space between elements. :mod:`paifu.formats.mjlog.any_xml` rewrites other logs to this
grammar.

Positions are indices into the buffer of all logs. Every kernel stops at its ``end``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import NO_TILE, RED_5M, RED_5P, RED_5S
from paifu.kernels.compiling import inner
from paifu.kernels.digits import ZERO, read_digits

Array = npt.NDArray[Any]

# --- what can be wrong with a log ---------------------------------------------------------------
FINE = 0
NOT_STRICT = 1
"""Not the grammar of this module, but perhaps XML."""
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
"""The attributes that each element may have."""

ALLOWED = np.array(
    [sum(1 << ATTRIBUTES.index(name) for name in GRAMMAR[tag]) for tag in TAGS], dtype=np.int64
)
"""The same as a bit mask, by element."""

REQUIRED_NAMES: dict[str, tuple[str, ...]] = {
    "GO": ("type",), "BYE": ("who",), "INIT": ("seed", "ten", "oya", "hai0"), "N": ("who", "m"),
    "REACH": ("who", "step"), "DORA": ("hai",), "AGARI": ("who", "fromWho", "machi"),
}  # fmt: skip
"""The attributes that each element must have."""
REQUIRED = np.array(
    [sum(1 << ATTRIBUTES.index(name) for name in REQUIRED_NAMES.get(tag, ())) for tag in TAGS],
    dtype=np.int64,
)
"""The same as a bit mask, by element."""

IN_PLAY = np.array([tag in ("N", "REACH", "DORA", "AGARI", "RYUUKYOKU") for tag in TAGS])
"""Elements that are possible only after a deal."""

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LONGEST = 10
_LETTER = np.zeros(256, dtype=np.uint8)
"""A number 1-62 for each byte that a name may have: ten of them exactly fill a 64-bit key."""
_LETTER[[ord(letter) for letter in _LETTERS]] = range(1, len(_LETTERS) + 1)


def name_key(name: str) -> int:
    """Return the number that :func:`read_name` computes for a name."""
    key = 0
    for byte in name.encode():
        key = key << 6 | int(_LETTER[byte])
    return key


def name_table(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return a table without collisions: row ``key % len(table)`` is (key, index of the name)."""
    keys = [name_key(name) for name in names]
    size = next(n for n in range(len(keys), 1 << 16) if len({key % n for key in keys}) == len(keys))
    table = np.full((size, 2), -1, dtype=np.int64)
    for index, key in enumerate(keys):
        table[key % size] = key, index
    return table


TAG_TABLE = name_table(TAGS)
ATTRIBUTE_TABLE = name_table(ATTRIBUTES)

CODES = np.array([kind // 4 for kind in range(136)], dtype=np.int8)
CODES = np.stack([CODES, CODES])
"""int8[2, 136]: code of each tile id, with red fives and (second row) without them."""
CODES[0, [16, 52, 88]] = RED_5M, RED_5P, RED_5S

_QUOTE, _COMMA, _MINUS, _POINT, _SLASH, _SPACE, _EQUALS, _GREATER = (ord(c) for c in '",-./ =>')
_LESS, _AND, _TILDE = (ord(c) for c in "<&~")
_BLOCK = 16
"""Bytes of a value that are checked in one step."""
_DIGITS = 7
"""The most digits of a number: a hundred times such a number fits in 32 bits."""
_DIGIT = np.zeros(256, dtype=np.uint8)
"""Value of each digit, 0 for any other byte."""
_DIGIT[ZERO : ZERO + 10] = range(10)
IS_DIGIT = np.zeros(256, dtype=np.uint8)
"""1 for each digit, 0 for any other byte."""
IS_DIGIT[ZERO : ZERO + 10] = 1
LAST_TILE = 135
PADDING = 16
"""Bytes that must follow the last log in the buffer, because kernels read ahead."""

_SEXTET = np.full(256, -1, dtype=np.int8)
"""Value of each base64 character."""
_SEXTET[[ord(c) for c in _LETTERS[10:36] + _LETTERS[36:] + _LETTERS[:10] + "+/"]] = range(64)


@inner
def byte(buf: Array, at: int) -> Any:
    """Return the byte at a place that is never negative, so that this need not be checked."""
    return np.int64(buf[np.uint64(at)])


@inner
def starts_with(buf: Array, at: int, end: int, text: Array) -> bool:
    """Return whether ``text`` is at ``at``."""
    if end - at < len(text):
        return False
    for i in range(len(text)):
        if buf[at + i] != text[i]:
            return False
    return True


@inner
def read_name(buf: Array, at: int, end: int, table: Array) -> tuple[int, int]:
    """Return which name of a table is at ``at`` (-1: no name), and where it ends."""
    key = 0
    stop = min(end, at + _LONGEST)
    while at < stop and _LETTER[byte(buf, at)]:
        key = key << 6 | _LETTER[byte(buf, at)]
        at += 1
    row = np.uint64(key) % np.uint64(len(table))
    return (table[row, 1] if table[row, 0] == key else -1), at


@inner
def ends_value(character: int) -> bool:
    """Return whether a byte cannot be in a value, which is printable ASCII.

    The quote ends a value. Characters with a meaning in XML are left to the other reader. All
    comparisons are always made, so that they can be made for many bytes at once.
    """
    meant = (character == _QUOTE) | (character == _LESS) | (character == _AND)
    return meant | (character < _SPACE) | (character > _TILDE)


@inner
def after_value(buf: Array, at: int, end: int) -> int:
    """Return the first place from ``at`` on of a byte that cannot be in a value, or ``end``.

    Whole blocks come first; all bytes of a block are compared at once.
    """
    while at + _BLOCK <= end:
        odd = False
        for i in range(_BLOCK):
            odd |= ends_value(buf[np.uint64(at + i)])
        if odd:
            break
        at += _BLOCK
    while at < end and not ends_value(buf[np.uint64(at)]):
        at += 1
    return at


@inner
def read_attributes(buf: Array, at: int, end: int, places: Array) -> tuple[int, int]:
    """Read the rest of an element after its name.

    Returns (mask of the attributes found, position after ``/>``); the mask is -1 if the text does
    not follow the grammar. ``places``, int64[ATTRIBUTES, 2], gets the begin and end of the value of
    each attribute found; its other rows do not change.
    """
    seen = 0
    while seen >= 0 and at < end and byte(buf, at) == _SPACE and byte(buf, at + 1) != _SLASH:
        attribute, after = read_name(buf, at + 1, end, ATTRIBUTE_TABLE)
        start = after + 2
        stop = after_value(buf, start, end)
        quoted = byte(buf, after) == _EQUALS and byte(buf, after + 1) == _QUOTE and stop < end
        if attribute < 0 or seen >> attribute & 1 or not quoted or byte(buf, stop) != _QUOTE:
            seen = -1
        else:
            places[attribute, 0] = start
            places[attribute, 1] = stop
            seen |= 1 << attribute
            at = stop + 1
    if at < end and byte(buf, at) == _SPACE:
        at += 1
    closed = at + 1 < end and byte(buf, at) == _SLASH and byte(buf, at + 1) == _GREATER
    return (seen if closed else -1), at + 2


@inner
def read_numbers(buf: Array, places: Array, attribute: int, decimals: int, numbers: Array) -> int:
    """Read ``1,-20.5,300`` into ``numbers`` (int64), each times ``10 ** decimals``.

    Returns how many there are, or -1 for other text, such as a number with more than seven digits
    before its point or more than ``decimals`` digits after it.
    """
    count = 0
    at, stop = places[attribute, 0], places[attribute, 1]
    while at < stop:
        if count >= len(numbers):
            return -1
        negative = byte(buf, at) == _MINUS
        if negative:
            at += 1
        value, after = read_digits(buf, at, stop)
        if after == at or after - at > _DIGITS:
            return -1
        at = after
        if decimals:
            missing = decimals
            if at < stop and byte(buf, at) == _POINT:
                fraction, after = read_digits(buf, at + 1, stop)
                given = after - at - 1
                if given < 1 or given > decimals:
                    return -1
                for _ in range(given):
                    value *= 10
                value += fraction
                missing -= given
                at = after
            for _ in range(missing):
                value *= 10
        numbers[count] = -value if negative else value
        count += 1
        if at < stop:
            if byte(buf, at) != _COMMA or at + 1 == stop:
                return -1
            at += 1
    return count


@inner
def read_number(buf: Array, places: Array, attribute: int, highest: int) -> int:
    """Return the one number of a value, or -1 if it is not a number from 0 to ``highest``."""
    at, stop = places[attribute, 0], places[attribute, 1]
    value, after = read_digits(buf, at, stop)
    if after == at or after != stop or after - at > _DIGITS or value > highest:
        return -1
    return value


@inner
def read_tiles(
    buf: Array, places: Array, attribute: int, plain: int, row: Array, column: int, width: int
) -> int:
    """Read tile ids as codes into ``row[column : column + width]``, padded with ``NO_TILE``.

    Row ``plain`` of ``CODES`` decides which fives are red. Returns how many tiles there are, or -1.
    """
    for i in range(column, column + width):
        row[i] = NO_TILE
    count = 0
    at, stop = places[attribute, 0], places[attribute, 1]
    while at < stop:
        tile, at = read_tile(buf, at)
        if tile < 0 or at > stop or count == width:
            return -1
        row[np.uint64(column + count)] = CODES[plain, tile]
        count += 1
        if at < stop:
            if byte(buf, at) != _COMMA or at + 1 == stop:
                return -1
            at += 1
    return count


@inner
def read_tile(buf: Array, at: int) -> tuple[int, int]:
    """Return the tile id of at most three digits at ``at`` (-1 if not an id), and where it ends.

    It has no branches, because a processor cannot predict how many digits an id has. (It uses
    tables, because the compiler turns comparisons into branches.) It may read ahead because of the
    ``PADDING`` after the buffer.
    """
    first, second, third = byte(buf, at), byte(buf, at + 1), byte(buf, at + 2)
    two: Any = np.int64(IS_DIGIT[second])
    three: Any = two & np.int64(IS_DIGIT[third])
    tile: Any = np.int64(_DIGIT[first]) * (1 + 9 * two) + np.int64(_DIGIT[second])
    tile = tile * (1 + 9 * three) + three * np.int64(_DIGIT[third])
    fine = (IS_DIGIT[first] != 0) & (tile <= LAST_TILE)
    return (tile if fine else -1), at + 1 + two + three


@inner
def read_base64(buf: Array, at: int, stop: int, out: Array, put: int) -> int:
    """Decode base64 into ``out`` from ``put`` on; return its end, or -1 if it is not base64."""
    if (stop - at) % 4 or stop == at:
        return -1
    padding = 0
    while padding < 2 and buf[stop - 1 - padding] == _EQUALS:
        padding += 1
    for group in range(at, stop, 4):
        bits = 0
        for place in range(group, group + 4):
            sextet: Any = np.int64(_SEXTET[byte(buf, place)])
            bits = bits << 6 | (sextet if place < stop - padding else 0)
        if bits < 0:
            return -1
        for i in range(3):
            out[np.uint64(put + i)] = bits >> (16 - 8 * i) & 255
        put += 3
    return put - padding
