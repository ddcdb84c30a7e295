"""Shanten, waits and useful tiles: how far a hand is from complete, and what brings it nearer.

Kernels for kernels: each takes the suit tables (``suit_tables(players)``) first, then the
concealed tiles as int8[34] counts by kind and the number of melds (each stands for a set; a kan
is one meld). The concealed tiles are ``13 - 3 * melds`` or ``14 - 3 * melds``.

A form that would need a fifth copy of a tile beside four in the concealed hand is not one: a hand
that waits only for tiles of which its concealed part holds all four is not tenpai. Copies in the
hand's own melds do not matter here; that is Tenhou's rule for tenpai at a draw, and a stricter
one (no wait on a tile of which hand and melds hold four) masks the kinds it excludes.

>>> import numpy as np
>>> from paifu.rules.suit_tables import suit_tables
>>> from paifu.tiles import parse_tiles
>>> counts = np.bincount(parse_tiles("123m456p78s11222z"), minlength=34).astype(np.int8)
>>> shanten(suit_tables(), counts, 0)
0
>>> bin(waits(suit_tables(), counts, 0)) == bin(1 << 23 | 1 << 26)  # 6s and 9s
True
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.kernels import njit
from paifu.rules.suit_tables import (
    MOST_SETS,
    WAITS_MASK,
    WAITS_SHIFT,
    SuitTables,
    rank,
    suit_tables,
)
from paifu.tiles import IS_YAOCHUU, KINDS

__all__ = [
    "COMPLETE",
    "NOT_A_HAND",
    "shanten",
    "shanten_chiitoi",
    "shanten_kokushi",
    "shanten_regular",
    "suit_tables",
    "useful",
    "waits",
]

COMPLETE = -1
"""Shanten of a complete hand."""
NOT_A_HAND = 99
"""Shanten of counts that no hand has: more than four copies, more than 14 tiles, a fifth meld."""

_GROUPS = 4
_GROUP_SIZE = (9, 9, 9, 7)
_YAOCHUU = tuple(int(kind) for kind in np.flatnonzero(IS_YAOCHUU))

Counts = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]


@njit
def _word(tables: SuitTables, counts: Counts, group: int) -> tuple[bool, np.uint64]:
    """Return whether the counts of one suit are a state at all, and its word."""
    state = rank(tables.offsets, counts, 9 * group, _GROUP_SIZE[group])
    if state < 0:
        return False, np.uint64(0)
    if group == 0:
        return True, tables.manzu[state]
    if group == 3:
        return True, tables.honours[state]
    return True, tables.suits[state]


@njit
def _distance(word: np.uint64, sets: int, pairs: int) -> int:
    """Return how many tiles the state lacks for so many sets and pairs."""
    return int(np.int64((word >> np.uint64(4 * (5 * pairs + sets))) & np.uint64(15)))


@njit
def _together(a: np.uint64, b: np.uint64, sets: int) -> np.uint64:
    """Return the word of two suits taken together, for up to ``sets`` sets."""
    word = np.uint64(0)
    for total in range(sets + 1):
        without = 99
        with_pair = 99
        for here in range(total + 1):
            a0 = _distance(a, here, 0)
            b0 = _distance(b, total - here, 0)
            without = min(without, a0 + b0)
            with_pair = min(
                with_pair, a0 + _distance(b, total - here, 1), _distance(a, here, 1) + b0
            )
        word |= np.uint64(min(without, 15)) << np.uint64(4 * total)
        word |= np.uint64(min(with_pair, 15)) << np.uint64(4 * (5 + total))
    return word


@njit
def _complete_distance(a: np.uint64, b: np.uint64, sets: int) -> int:
    """Return how many tiles two parts of a hand lack for ``sets`` sets and a pair."""
    best = 99
    for here in range(sets + 1):
        best = min(
            best,
            _distance(a, here, 0) + _distance(b, sets - here, 1),
            _distance(a, here, 1) + _distance(b, sets - here, 0),
        )
    return best


@njit
def shanten_regular(tables: SuitTables, counts: Counts, melds: int) -> int:
    """Return the shanten of sets and a pair; :data:`NOT_A_HAND` for counts that are no hand."""
    if melds < 0 or melds > MOST_SETS:
        return NOT_A_HAND
    ok0, manzu = _word(tables, counts, 0)
    ok1, pinzu = _word(tables, counts, 1)
    ok2, souzu = _word(tables, counts, 2)
    ok3, honours = _word(tables, counts, 3)
    if not (ok0 and ok1 and ok2 and ok3):
        return NOT_A_HAND
    sets = MOST_SETS - melds
    return (
        _complete_distance(_together(manzu, pinzu, sets), _together(souzu, honours, sets), sets) - 1
    )


@njit
def shanten_chiitoi(counts: Counts) -> int:
    """Return the shanten of seven pairs, all different, for a hand without melds."""
    kinds = 0
    pairs = 0
    for kind in range(KINDS):
        kinds += counts[kind] >= 1
        pairs += counts[kind] >= 2
    return 6 - pairs + max(0, 7 - kinds)


@njit
def shanten_kokushi(counts: Counts) -> int:
    """Return the shanten of thirteen orphans, for a hand without melds."""
    kinds = 0
    pair = 0
    for kind in _YAOCHUU:
        kinds += counts[kind] >= 1
        if counts[kind] >= 2:
            pair = 1
    return 13 - kinds - pair


@njit
def shanten(tables: SuitTables, counts: Counts, melds: int) -> int:
    """Return the least shanten over all forms: 0 is tenpai, -1 complete.

    Seven pairs and thirteen orphans count only without melds. :data:`NOT_A_HAND` for counts that
    are no hand.
    """
    best = shanten_regular(tables, counts, melds)
    if melds == 0 and best != NOT_A_HAND:
        best = min(best, shanten_chiitoi(counts), shanten_kokushi(counts))
    return best


@njit
def _special_waits(counts: Counts) -> np.uint64:
    """Return the kinds that complete seven pairs or thirteen orphans, for 13 concealed tiles."""
    mask = np.uint64(0)
    if shanten_chiitoi(counts) == 0:
        for kind in range(KINDS):
            if counts[kind] == 1:
                mask |= np.uint64(1) << np.uint64(kind)
    if shanten_kokushi(counts) == 0:
        missing = np.uint64(0)
        every = np.uint64(0)
        for kind in _YAOCHUU:
            every |= np.uint64(1) << np.uint64(kind)
            if counts[kind] == 0:
                missing |= np.uint64(1) << np.uint64(kind)
        mask |= missing if missing else every
    return mask


@njit
def waits(tables: SuitTables, counts: Counts, melds: int) -> np.uint64:
    """Return the kinds that complete ``13 - 3 * melds`` concealed tiles, bit ``kind`` set for each.

    A kind of which the concealed tiles hold four is never among them. 0 for a hand that is not
    tenpai, or counts that are no hand.
    """
    if melds < 0 or melds > MOST_SETS:
        return np.uint64(0)
    words = np.zeros(_GROUPS, dtype=np.uint64)
    total = 0
    over = np.zeros(_GROUPS, dtype=np.int64)  # tiles beyond whole sets: 0, 1 or 2
    unfinished = 0
    pairs = 0
    for group in range(_GROUPS):
        ok, words[group] = _word(tables, counts, group)
        if not ok:
            return np.uint64(0)
        tiles = 0
        for kind in range(9 * group, 9 * group + _GROUP_SIZE[group]):
            tiles += counts[kind]
        total += tiles
        over[group] = tiles % 3
        has_pair = over[group] == 2
        if over[group] == 1 or _distance(words[group], tiles // 3, 1 if has_pair else 0) > 0:
            unfinished += 1
            over[group] = over[group] + 3
        elif has_pair:
            pairs += 1
    if total != 13 - 3 * melds:
        return np.uint64(0)
    mask = np.uint64(0)
    for group in range(_GROUPS):
        is_finished = over[group] < 3
        if unfinished > (0 if is_finished else 1):
            continue
        # the other suits are complete; between them they have the pair, or this one makes it
        pairs_beside = pairs - (1 if over[group] == 2 else 0)
        if pairs_beside == (1 if over[group] % 3 == 2 else 0):
            found = (words[group] >> np.uint64(WAITS_SHIFT)) & np.uint64(WAITS_MASK)
            found >>= np.uint64(9 - _GROUP_SIZE[group])
            mask |= found << np.uint64(9 * group)
    if melds == 0:
        mask |= _special_waits(counts)
    return mask


@njit
def _regular_useful(tables: SuitTables, counts: Counts, melds: int, before: int) -> np.uint64:
    """Return the kinds that bring sets and a pair below the shanten ``before``."""
    sets = MOST_SETS - melds
    words = np.zeros(_GROUPS, dtype=np.uint64)
    for group in range(_GROUPS):
        _, words[group] = _word(tables, counts, group)
    mask = np.uint64(0)
    for group in range(_GROUPS):
        a = words[(group + 1) % _GROUPS]
        b = words[(group + 2) % _GROUPS]
        c = words[(group + 3) % _GROUPS]
        others = _together(_together(a, b, sets), c, sets)
        for kind in range(9 * group, 9 * group + _GROUP_SIZE[group]):
            counts[kind] += 1
            ok, word = _word(tables, counts, group)
            counts[kind] -= 1
            if ok and _complete_distance(others, word, sets) - 1 < before:
                mask |= np.uint64(1) << np.uint64(kind)
    return mask


@njit
def _special_useful(counts: Counts, before: int) -> np.uint64:
    """Return the kinds that bring seven pairs or thirteen orphans below the shanten ``before``."""
    mask = np.uint64(0)
    for kind in range(KINDS):
        if counts[kind] == 4:
            continue
        counts[kind] += 1
        if min(shanten_chiitoi(counts), shanten_kokushi(counts)) < before:
            mask |= np.uint64(1) << np.uint64(kind)
        counts[kind] -= 1
    return mask


@njit
def useful(tables: SuitTables, counts: Counts, melds: int, live: Counts) -> tuple[np.uint64, int]:
    """Return the kinds whose draw lowers the shanten, as a bitmask, and how many tiles they are.

    ``counts`` are ``13 - 3 * melds`` tiles; ``live`` int8[34] is how many of each kind the seat
    cannot see (a kind with none left is not useful). A kind of which the concealed tiles hold four
    never is. The counts are changed and restored on the way.
    """
    before = shanten(tables, counts, melds)
    if before == NOT_A_HAND:
        return np.uint64(0), 0
    mask = _regular_useful(tables, counts, melds, before)
    if melds == 0:
        mask |= _special_useful(counts, before)
    tiles = 0
    for kind in range(KINDS):
        bit = np.uint64(1) << np.uint64(kind)
        if mask & bit:
            if live[kind] > 0:
                tiles += live[kind]
            else:
                mask ^= bit
    return mask, tiles
