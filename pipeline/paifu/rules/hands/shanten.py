"""Shanten, waits and useful tiles: how far a hand is from complete, and which tiles help.

These are kernels for other kernels. Each takes the suit tables (``suit_tables(players)``), the
concealed tiles as int8[34] counts by kind, and the number of melds (each is a set; a kan is one
meld). The concealed tiles are ``13 - 3 * melds`` or ``14 - 3 * melds``.

A form that needs a fifth copy of a tile, beside four in the concealed hand, does not count. So a
hand is not tenpai if it waits only for tiles of which its concealed part holds all four. Copies in
the hand's own melds do not matter here. That is Tenhou's rule for tenpai at a draw. A stricter rule
(no wait on a tile of which hand and melds hold four) masks the kinds it excludes. For a laxer rule,
:func:`waits_for_a_fifth` finds the hands that it also counts as tenpai.

>>> import numpy as np
>>> from paifu.rules.hands.suit_tables import suit_tables
>>> from paifu.game.tiles import parse_tiles
>>> counts = np.bincount(parse_tiles("123m456p78s11222z"), minlength=34).astype(np.int8)
>>> shanten(suit_tables(), counts, 0)
0
>>> bin(waits(suit_tables(), counts, 0)) == bin(1 << 23 | 1 << 26)  # 6s and 9s
True
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import IS_YAOCHUU, KINDS
from paifu.kernels.compiling import inner, njit
from paifu.rules.hands.suit_tables import (
    MOST_SETS,
    NO_STATE,
    TILES_SHIFT,
    WAITS_MASK,
    WAITS_SHIFT,
    SuitTables,
    rank,
    suit_tables,
)

__all__ = [
    "COMPLETE",
    "NOT_A_HAND",
    "regular",
    "shanten",
    "shanten_chiitoi",
    "shanten_kokushi",
    "shanten_regular",
    "suit_class",
    "suit_tables",
    "together",
    "useful",
    "waits",
    "waits_for_a_fifth",
    "waits_of_wins",
]

COMPLETE = -1
"""Shanten of a complete hand."""
NOT_A_HAND = 99
"""Shanten of impossible counts: more than four copies, more than 14 tiles, a fifth meld."""

_GROUPS = 4
_GROUP_SIZE = (9, 9, 9, 7)
_YAOCHUU = tuple(int(kind) for kind in np.flatnonzero(IS_YAOCHUU))

Counts = npt.NDArray[np.int8]
Word4 = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@njit
def _word(tables: SuitTables, counts: Counts, group: int) -> tuple[bool, np.uint64]:
    """Return whether the counts of one suit are a state, and the word of the state."""
    state = rank(tables.heads, tables.tails, counts, 9 * group, group == 3)
    if state < 0:
        return False, np.uint64(0)
    if group == 0:
        return True, tables.manzu[state]
    if group == 3:
        return True, tables.honours[state]
    return True, tables.suits[state]


@njit
def _words(tables: SuitTables, counts: Counts) -> tuple[bool, Word4]:
    """Return whether all four suits are states, and their words."""
    ok0, manzu = _word(tables, counts, 0)
    ok1, pinzu = _word(tables, counts, 1)
    ok2, souzu = _word(tables, counts, 2)
    ok3, honours = _word(tables, counts, 3)
    return ok0 and ok1 and ok2 and ok3, (manzu, pinzu, souzu, honours)


@inner
def _distance(word: np.uint64, sets: int, pairs: int) -> int:
    """Return how many tiles the state lacks for ``sets`` sets and ``pairs`` pairs."""
    return int(np.int64((word >> np.uint64(4 * (5 * pairs + sets))) & np.uint64(15)))


@njit
def suit_class(tables: SuitTables, counts: Counts, group: int) -> int:
    """Return the class of the counts of one suit; ``NO_STATE`` if they are no state."""
    state = rank(tables.heads, tables.tails, counts, 9 * group, group == 3)
    if state < 0:
        return NO_STATE
    if group == 0:
        return int(np.int64(tables.manzu_classes[state]))
    if group == 3:
        return int(np.int64(tables.honour_classes[state]))
    return int(np.int64(tables.suit_classes[state]))


@inner
def together(tables: SuitTables, a: int, b: int) -> int:
    """Return the class of two parts of a hand, given by their classes, taken together."""
    return int(np.int64(tables.together[a, b]))


@inner
def regular(tables: SuitTables, a: int, b: int, melds: int) -> int:
    """Return the shanten for sets and a pair of a hand of two parts, given by their classes.

    It is :data:`NOT_A_HAND` or more if either is no state. ``melds`` is 0-4.
    """
    return int(np.int64(tables.lacking[MOST_SETS - melds, a, b])) - 1


@njit
def shanten_regular(tables: SuitTables, counts: Counts, melds: int) -> int:
    """Return the shanten for sets and a pair; :data:`NOT_A_HAND` for impossible counts."""
    if melds < 0 or melds > MOST_SETS:
        return NOT_A_HAND
    numbers = together(tables, suit_class(tables, counts, 0), suit_class(tables, counts, 1))
    rest = together(tables, suit_class(tables, counts, 2), suit_class(tables, counts, 3))
    return min(regular(tables, numbers, rest, melds), NOT_A_HAND)


@njit
def shanten_chiitoi(counts: Counts) -> int:
    """Return the shanten for seven different pairs, for a hand without melds."""
    kinds = 0
    pairs = 0
    for kind in range(KINDS):
        kinds += counts[kind] >= 1
        pairs += counts[kind] >= 2
    return 6 - pairs + max(0, 7 - kinds)


@njit
def shanten_kokushi(counts: Counts) -> int:
    """Return the shanten for thirteen orphans, for a hand without melds."""
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

    Seven pairs and thirteen orphans count only without melds. :data:`NOT_A_HAND` for impossible
    counts.
    """
    best = shanten_regular(tables, counts, melds)
    if melds == 0 and best != NOT_A_HAND:
        best = min(best, shanten_chiitoi(counts), shanten_kokushi(counts))
    return best


@inner
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
def _tiles(word: np.uint64) -> int:
    """Return how many tiles the state has."""
    return int(np.int64(word >> np.uint64(TILES_SHIFT)))


@inner
def _is_finished(word: np.uint64) -> bool:
    """Return whether the state consists of sets, or of sets and a pair."""
    tiles = _tiles(word)
    return tiles % 3 != 1 and _distance(word, tiles // 3, 1 if tiles % 3 == 2 else 0) == 0


@njit
def waits(tables: SuitTables, counts: Counts, melds: int) -> np.uint64:
    """Return the kinds that complete ``13 - 3 * melds`` concealed tiles, as a mask by kind.

    A kind of which the concealed tiles hold four is never among them. The mask is 0 for a hand that
    is not tenpai, and for impossible counts.
    """
    if melds < 0 or melds > MOST_SETS:
        return np.uint64(0)
    ok, words = _words(tables, counts)
    total = 0
    unfinished = 0  # suits that do not consist of sets, or of sets and a pair
    pairs = 0
    for group in range(_GROUPS):
        tiles = _tiles(words[group])
        total += tiles
        if _is_finished(words[group]):
            pairs += tiles % 3 == 2
        else:
            unfinished += 1
    if not ok or total != 13 - 3 * melds:
        return np.uint64(0)
    mask = np.uint64(0)
    for group in range(_GROUPS):
        over = _tiles(words[group]) % 3
        is_finished = _is_finished(words[group])
        if unfinished > (0 if is_finished else 1):
            continue
        # The other suits are finished. If they have the pair, this suit is a tile short of sets. If
        # they have no pair, this suit is a tile short of sets and a pair.
        pairs_beside = pairs - (is_finished and over == 2)
        if pairs_beside == (over == 2):
            found = (words[group] >> np.uint64(WAITS_SHIFT)) & np.uint64(WAITS_MASK)
            found >>= np.uint64(9 - _GROUP_SIZE[group])
            mask |= found << np.uint64(9 * group)
    if melds == 0:
        mask |= _special_waits(counts)
    return mask


@inner
def _all_sets(tables: SuitTables, counts: Counts) -> bool:
    """Return whether the tiles consist of sets only."""
    ok, words = _words(tables, counts)
    for group in range(_GROUPS):
        if _tiles(words[group]) % 3 != 0 or not _is_finished(words[group]):
            return False
    return ok


@njit
def waits_for_a_fifth(tables: SuitTables, counts: Counts, melds: int) -> bool:
    """Return whether a fifth copy of a kind would complete ``13 - 3 * melds`` concealed tiles.

    Among five copies, three are a triplet or two are the pair. The counts are changed and restored.
    """
    total = 0
    for kind in range(KINDS):
        total += counts[kind]
    if melds < 0 or melds >= MOST_SETS or total != 13 - 3 * melds:
        return False
    found = False
    for kind in range(KINDS):
        if counts[kind] == 4 and not found:
            counts[kind] = 2
            found = shanten_regular(tables, counts, melds + 1) == COMPLETE
            counts[kind] = 3
            found = found or _all_sets(tables, counts)
            counts[kind] = 4
    return found


@njit
def waits_of_wins(
    tables: SuitTables, concealed: Counts, win_tile: Counts, melds: Counts,
    out: npt.NDArray[np.uint64],
) -> None:  # fmt: skip
    """Write what each winning hand waited for before its last tile; 0 for faulty hands.

    ``concealed`` int8[N, 34] includes the winning tile, ``win_tile`` int8[N] is its kind, ``melds``
    int8[N] is the number of melds.
    """
    counts = np.zeros(KINDS, dtype=np.int8)
    for hand in range(len(out)):
        out[hand] = 0
        kind = win_tile[hand]
        if kind < 0 or kind >= KINDS or concealed[hand, kind] < 1:
            continue
        for each in range(KINDS):
            counts[each] = concealed[hand, each]
        counts[kind] -= 1
        out[hand] = waits(tables, counts, melds[hand])


@inner
def _useful_in(
    tables: SuitTables, counts: Counts, group: int, others: int, melds: int, before: int
) -> np.uint64:
    """Return the kinds of a suit that reduce the shanten for sets and a pair below ``before``.

    ``others`` is the class of the other three suits together.
    """
    mask = np.uint64(0)
    for kind in range(9 * group, 9 * group + _GROUP_SIZE[group]):
        counts[kind] += 1
        more = suit_class(tables, counts, group)
        counts[kind] -= 1
        if regular(tables, others, more, melds) < before:
            mask |= np.uint64(1) << np.uint64(kind)
    return mask


@inner
def _regular_useful(tables: SuitTables, counts: Counts, melds: int, before: int) -> np.uint64:
    """Return the kinds that reduce the shanten for sets and a pair below ``before``."""
    manzu, pinzu = suit_class(tables, counts, 0), suit_class(tables, counts, 1)
    souzu, honours = suit_class(tables, counts, 2), suit_class(tables, counts, 3)
    numbers = together(tables, manzu, pinzu)
    rest = together(tables, souzu, honours)
    return (
        _useful_in(tables, counts, 0, together(tables, pinzu, rest), melds, before)
        | _useful_in(tables, counts, 1, together(tables, manzu, rest), melds, before)
        | _useful_in(tables, counts, 2, together(tables, numbers, honours), melds, before)
        | _useful_in(tables, counts, 3, together(tables, numbers, souzu), melds, before)
    )


@inner
def _special_useful(counts: Counts, before: int) -> np.uint64:
    """Return the kinds that reduce the shanten for seven pairs or orphans below ``before``."""
    for_pairs = shanten_chiitoi(counts) == before
    for_orphans = shanten_kokushi(counts) == before
    kinds = 0
    has_pair = False
    for kind in range(KINDS):
        kinds += counts[kind] >= 1
        has_pair = has_pair or (IS_YAOCHUU[kind] and counts[kind] >= 2)
    mask = np.uint64(0)
    for kind in range(KINDS):
        count = counts[kind]
        if (for_pairs and (count == 1 or (count == 0 and kinds < 7))) or (
            for_orphans and IS_YAOCHUU[kind] and (count == 0 or (count < 4 and not has_pair))
        ):
            mask |= np.uint64(1) << np.uint64(kind)
    return mask


@njit
def useful(tables: SuitTables, counts: Counts, melds: int, live: Counts) -> tuple[np.uint64, int]:
    """Return the kinds that reduce the shanten when drawn, as a mask, and how many tiles they are.

    ``counts`` are ``13 - 3 * melds`` tiles. ``live`` int8[34] is how many tiles of each kind the
    seat cannot see. A kind is not useful if no tile of it is left, or if the concealed tiles hold
    four. The counts are changed and restored.
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
