"""Kernels of Chinese Official: how sets combine, the knitted shapes, the width of a wait."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import KINDS
from paifu.kernels.compiling import inner, inner_allocating, njit
from paifu.rules.hands.partitions import KAN, MOST_PARTITIONS, TRIPLET, find_partitions
from paifu.rules.hands.reading_kernels import ANKAN, CHI, FIRST_SPECIAL, NO_MELD
from paifu.rules.hands.shanten import waits
from paifu.rules.hands.suit_tables import SuitTables

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

LESSER_KNITTED, GREATER_KNITTED, KNITTED_STRAIGHT = range(FIRST_SPECIAL, FIRST_SPECIAL + 3)
"""Forms of Chinese Official in addition to those of :mod:`paifu.rules.hands.shapes`."""

(
    NO_RUN_GROUP, PURE_TERMINAL_CHOWS, QUADRUPLE_CHOW, FOUR_SHIFTED_CHOWS, PURE_TRIPLE_CHOW,
    THREE_SUITED_TERMINAL_CHOWS, PURE_STRAIGHT, PURE_SHIFTED_CHOWS, MIXED_STRAIGHT,
    MIXED_TRIPLE_CHOW, MIXED_SHIFTED_CHOWS,
) = range(11)  # fmt: skip
"""What three or four runs make together; higher first."""
NO_PUNG_GROUP, FOUR_SHIFTED_PUNGS, PURE_SHIFTED_PUNGS, TRIPLE_PUNG, MIXED_SHIFTED_PUNGS = range(5)
"""What three or four triplets make together; higher first."""

COMBINED = (
    "run_group", "pung_group", "pure_doubles", "mixed_doubles", "short_straights",
    "terminal_pairs", "double_pungs",
)  # fmt: skip
"""Columns of :func:`combine_sets`: the group of runs and of triplets, and how many combinations of
two sets of each kind count beside it."""

_NO_SET = -1


@inner
def _sorted3(a: int, b: int, c: int) -> tuple[int, int, int]:
    low, high = min(a, b, c), max(a, b, c)
    return low, a + b + c - low - high, high


@inner
def _sort4(sets: Int64Array) -> None:
    """Sort four sets in place."""
    for i in range(1, 4):
        for j in range(i, 0, -1):
            if sets[j] < sets[j - 1]:
                sets[j], sets[j - 1] = sets[j - 1], sets[j]


@inner
def _group_of_runs(a: int, b: int, c: int) -> int:
    """Return what three runs make together."""
    x, y, z = _sorted3(a % 9, b % 9, c % 9)
    one_suit = a // 9 == b // 9 == c // 9
    three_suits = a // 9 != b // 9 and b // 9 != c // 9 and a // 9 != c // 9
    if one_suit:
        if x == z:
            return PURE_TRIPLE_CHOW
        if x == 0 and y == 3 and z == 6:
            return PURE_STRAIGHT
        if y - x == z - y and y - x <= 2 and y > x:
            return PURE_SHIFTED_CHOWS
    elif three_suits:
        if x == 0 and y == 3 and z == 6:
            return MIXED_STRAIGHT
        if x == z:
            return MIXED_TRIPLE_CHOW
        if y - x == 1 and z - y == 1:
            return MIXED_SHIFTED_CHOWS
    return NO_RUN_GROUP


@inner
def _group_of_four_runs(runs: Int64Array, pair: int) -> int:
    """Return what four runs, in order, make together, also with the pair if it needs the pair."""
    a, b, c, d = runs[0], runs[1], runs[2], runs[3]
    if a // 9 == d // 9:
        if a == d:
            return QUADRUPLE_CHOW
        step = b - a
        if 1 <= step <= 2 and c - b == step and d - c == step:
            return FOUR_SHIFTED_CHOWS
    terminals = a % 9 == 0 and b % 9 == 6 and c % 9 == 0 and d % 9 == 6
    if terminals and a // 9 == b // 9 and c // 9 == d // 9 and a // 9 != c // 9:
        third = 3 - a // 9 - c // 9
        if pair == 9 * third + 4:
            return THREE_SUITED_TERMINAL_CHOWS
    if a == b and c == d and a % 9 == 0 and c == a + 6 and pair == a + 4:
        return PURE_TERMINAL_CHOWS
    return NO_RUN_GROUP


@inner
def _group_of_four(sets: Int64Array, are_runs: bool, pair: int) -> int:
    """Return what four runs or four triplets, in order, make together."""
    if are_runs:
        return _group_of_four_runs(sets, pair)
    in_steps = sets[3] < 27 and sets[0] // 9 == sets[3] // 9 and sets[3] - sets[0] == 3
    return FOUR_SHIFTED_PUNGS if in_steps else NO_PUNG_GROUP


@inner
def _group_of_pungs(a: int, b: int, c: int) -> int:
    """Return what three triplets make together, by kind."""
    if a >= 27 or b >= 27 or c >= 27:
        return NO_PUNG_GROUP
    x, y, z = _sorted3(a % 9, b % 9, c % 9)
    one_suit = a // 9 == b // 9 == c // 9
    three_suits = a // 9 != b // 9 and b // 9 != c // 9 and a // 9 != c // 9
    in_steps = y - x == 1 and z - y == 1
    if one_suit and in_steps:
        return PURE_SHIFTED_PUNGS
    if three_suits and x == z:
        return TRIPLE_PUNG
    if three_suits and in_steps:
        return MIXED_SHIFTED_PUNGS
    return NO_PUNG_GROUP


@inner
def _pair_of_runs(a: int, b: int) -> int:
    """Return the column of ``COMBINED`` that two runs count in; 0 if they make nothing."""
    if a == b:
        return 2
    if a % 9 == b % 9:
        return 3
    if a // 9 == b // 9:
        if abs(a - b) == 3:
            return 4
        if abs(a - b) == 6:
            return 5
    return 0


@inner
def _pair_of_pungs(a: int, b: int) -> int:
    """Return the column of ``COMBINED`` that two triplets count in; 0 if they make nothing."""
    return 6 if a < 27 and b < 27 and a % 9 == b % 9 else 0


@inner_allocating
def _connect(made: Int8Array, size: int, joined: int, counts: Int8Array) -> int:
    """Count combinations of two sets that are not joined to each other yet; return how many.

    ``made`` int8[4, 4] is the column of ``COMBINED`` that two sets count in, 0 if they do not
    combine; ``joined`` is the mask of the sets that already make a group. So every set is joined at
    most once, and what a group implies is not counted again. ``counts`` int8[7] gets how many there
    are of each kind.
    """
    counts[:] = 0
    part = np.zeros(4, dtype=np.int64)
    first = -1
    for i in range(size):
        part[i] = i
        if joined >> i & 1:
            first = i if first < 0 else first
            part[i] = first
    joins = 0
    for kind in range(2, 7):
        for ij in range(size * size):
            i, j = ij // size, ij % size
            if i < j and made[i, j] == kind and part[i] != part[j]:
                old = part[j]
                for k in range(size):
                    if part[k] == old:
                        part[k] = part[i]
                joins += 1
                counts[kind] += 1
    return joins


@inner_allocating
def _combine(sets: Int64Array, size: int, are_runs: bool, counts: Int8Array) -> int:
    """Return the highest group of three of the sets; count the combinations of two beside it."""
    made = np.zeros((4, 4), dtype=np.int8)
    for i in range(size):
        for j in range(size):
            a, b = sets[i], sets[j]
            made[i, j] = _pair_of_runs(a, b) if are_runs else _pair_of_pungs(a, b)
    best = 0
    best_joins = -1
    best_joined = 0
    for left_out in range(size if size == 4 else size // 3):
        joined = 0
        chosen = np.zeros(4, dtype=np.int64)
        taken = 0
        for i in range(size):
            if size == 3 or i != left_out:
                chosen[taken] = sets[i]
                taken += 1
                joined |= 1 << i
        a, b, c = chosen[0], chosen[1], chosen[2]
        group = _group_of_runs(a, b, c) if are_runs else _group_of_pungs(a, b, c)
        if group == 0 or (best != 0 and group > best):
            continue
        joins = _connect(made, size, joined, counts)
        if best == 0 or group < best or joins > best_joins:
            best, best_joins, best_joined = group, joins, joined
    _connect(made, size, best_joined, counts)
    return best


@njit
def combine_sets(
    set_0: Int16Array,
    set_1: Int16Array,
    set_2: Int16Array,
    set_3: Int16Array,
    pair: Int16Array,
    out: Int8Array,
) -> None:
    """Write the columns ``COMBINED`` of readings, int8[7, rows], zero before.

    The principles of the book: the highest group of three or four sets counts. Each remaining set
    may be combined once with a set that is already used, so combinations of two never form a
    circle.
    """
    sets = np.zeros((2, 4), dtype=np.int64)  # runs by first kind, triplets by kind
    sizes = np.zeros(2, dtype=np.int64)
    counts = np.zeros(len(COMBINED), dtype=np.int8)
    for row in range(len(pair)):
        sizes[:] = 0
        for part in (set_0[row], set_1[row], set_2[row], set_3[row]):
            if part == _NO_SET:
                continue
            family = 0 if part < TRIPLET else 1
            first = 0 if part < TRIPLET else KAN if part >= KAN else TRIPLET
            sets[family, sizes[family]] = part - first
            sizes[family] += 1
        for family in range(2):
            if sizes[family] == 4:
                _sort4(sets[family])
                out[family, row] = _group_of_four(sets[family], family == 0, pair[row])
            if out[family, row] == 0 and sizes[family] >= 2:
                out[family, row] = _combine(sets[family], sizes[family], family == 0, counts)
                for kind in range(2, len(COMBINED)):
                    out[kind, row] += counts[kind]


KNITTED: Int64Array = np.array(
    [
        sum(
            1 << (9 * suit + first + 3 * step)
            for first, suit in enumerate(suits)
            for step in range(3)
        )
        for suits in permutations(range(3))
    ],
    dtype=np.int64,
)
"""The six knitted patterns as masks of kinds: 147 of a suit, 258 of another, 369 of the third."""
_KNITTED = KNITTED
_NUMBERS = (1 << 27) - 1


@inner
def _bits(mask: int) -> int:
    """Return how many bits of a mask of kinds are set, summing neighbours."""
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    return (mask + (mask >> 32)) & 0x7F


@inner_allocating
def knitted_form(
    counts: Int8Array, melds: int, rest: Int8Array, found: Int8Array
) -> tuple[int, int]:
    """Return the knitted form of a hand and the mask of its knitted straight; 0, 0 if not knitted.

    ``rest`` int8[34] and ``found`` int8[MOST_PARTITIONS, 5] are scratch.
    """
    held = np.int64(0)
    tiles = 0
    for kind in range(KINDS):
        tiles += counts[kind]
        if counts[kind] > 0:
            held |= np.int64(1) << kind
    if melds == 0 and _bits(int(held)) == 14 and tiles == 14:
        for pattern in _KNITTED:
            if held & _NUMBERS & ~pattern == 0:
                honours = _bits(int(held >> 27))
                return (GREATER_KNITTED if honours == 7 else LESSER_KNITTED), 0
    if melds <= 1 and tiles == 14 - 3 * melds:
        for pattern in _KNITTED:
            if held & pattern == pattern:
                for kind in range(KINDS):
                    rest[kind] = counts[kind] - (pattern >> kind & 1)
                if find_partitions(rest, 1 - melds, found) > 0:
                    return KNITTED_STRAIGHT, pattern
    return 0, 0


@inner
def _melds_of(meld_kind: Int8Array) -> int:
    melds = 0
    for kind in meld_kind:
        melds += kind != 0
    return melds


@njit
def find_knitted(
    concealed: Int8Array, meld_kind: Int8Array, form: Int8Array, aside: Int64Array
) -> None:
    """Write each hand's knitted form and the tiles of its knitted straight, zero before."""
    rest = np.zeros(KINDS, dtype=np.int8)
    found = np.zeros((MOST_PARTITIONS, 5), dtype=np.int8)
    for hand in range(len(form)):
        made, tiles = knitted_form(concealed[hand], _melds_of(meld_kind[hand]), rest, found)
        form[hand] = made
        aside[hand] = tiles


@inner
def _completes_pairs(counts: Int8Array) -> int:
    """Return the kind that 13 tiles lack for seven pairs, four alike being two; -1 if several."""
    odd = -1
    for kind in range(KINDS):
        if counts[kind] % 2 == 1:
            if odd >= 0:
                return -1
            odd = kind
    return odd


@inner_allocating
def _fifth_copies(counts: Int8Array, melds: int, found: Int8Array) -> int:
    """Return the mask of the kinds of which the hand holds four and a fifth would complete it."""
    mask = 0
    for kind in range(KINDS):
        if counts[kind] != 4:
            continue
        counts[kind] = 5
        completes = find_partitions(counts, 4 - melds, found) > 0
        counts[kind] = 2  # the search does not look for a triplet and a pair of one kind
        completes = completes or (melds < 4 and find_partitions(counts, 3 - melds, found) > 0)
        counts[kind] = 4
        if completes:
            mask |= 1 << kind
    return mask


@njit
def count_waits(
    tables: SuitTables,
    concealed: Int8Array,
    meld_kind: Int8Array,
    win_tile: Int8Array,
    fifth_copies: bool,
    out: Int8Array,
) -> None:
    """Write how many kinds would have completed each hand, in any form; 0 if it is not a win.

    ``fifth_copies``: whether a kind of which the concealed tiles hold four counts.
    """
    rest = np.zeros(KINDS, dtype=np.int8)
    found = np.zeros((MOST_PARTITIONS, 5), dtype=np.int8)
    counts = np.zeros(KINDS, dtype=np.int8)
    for hand in range(len(out)):
        win = win_tile[hand]
        if win < 0 or win >= KINDS or concealed[hand, win] < 1:
            continue
        counts[:] = concealed[hand]
        counts[win] -= 1
        melds = _melds_of(meld_kind[hand])
        mask = np.int64(waits(tables, counts, melds))
        if mask == 0 and melds > 1:
            continue
        if fifth_copies:
            mask |= _fifth_copies(counts, melds, found)
        if melds == 0:
            odd = _completes_pairs(counts)
            if odd >= 0:
                mask |= np.int64(1) << odd
        held = np.int64(0)
        for kind in range(KINDS):
            if counts[kind] > 0:
                held |= np.int64(1) << kind
        nearly = False
        for pattern in _KNITTED:
            nearly = nearly or _bits(int(held & pattern)) >= 6
        if melds <= 1 and nearly:
            for kind in range(KINDS):
                if counts[kind] < 4:
                    counts[kind] += 1
                    if knitted_form(counts, melds, rest, found)[0] > 0:
                        mask |= np.int64(1) << kind
                    counts[kind] -= 1
        out[hand] = _bits(int(mask))


@njit
def find_last_copies(
    meld_kind: Int8Array, meld_tile: Int8Array, win_tile: Int8Array, out: BoolArray
) -> None:
    """Mark the hands whose own open melds show the other three copies of the winning tile."""
    for hand in range(len(out)):
        copies = 0
        win = win_tile[hand]
        for i in range(4):
            kind, tile = meld_kind[hand, i], meld_tile[hand, i]
            if kind == CHI:
                copies += tile <= win and win <= tile + 2
            elif kind != NO_MELD and kind != ANKAN and tile == win:
                copies += 3
        if copies >= 3:
            out[hand] = True
