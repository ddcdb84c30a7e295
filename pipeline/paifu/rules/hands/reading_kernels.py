"""The kernels behind ``shapes``: count each hand's readings, then write them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import IS_YAOCHUU, KINDS
from paifu.kernels.compiling import inner, njit
from paifu.rules.hands.partitions import KAN, MOST_PARTITIONS, RUN, TRIPLET, find_partitions

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS, FIRST_SPECIAL = range(5)
"""Forms; a rule set numbers its own forms from ``FIRST_SPECIAL``."""

WON_PAIR = 4

RYANMEN, KANCHAN, PENCHAN, SHANPON, TANKI, ORPHANS_13 = range(6)
"""Kinds of wait."""
NO_WAIT = -1
"""The wait of a winning tile that is one of the special tiles of a form."""
WAIT_WORDS = ("ryanmen", "kanchan", "penchan", "shanpon", "tanki", "orphans_13")

MANZU, PINZU, SOUZU, WINDS, DRAGONS = (1 << bit for bit in range(5))
"""Bits of ``suits``."""

NO_MELD, CHI, PON, DAIMINKAN, KAKAN, ANKAN = range(6)
"""Kinds of meld, as in :class:`paifu.rules.hands.hands.Hands`."""

NARROW = (
    "form", "set_0", "set_1", "set_2", "set_3", "pair", "won", "wait",
    "runs_m", "runs_p", "runs_s", "triplets_m", "triplets_p", "triplets_s", "triplets_z",
    "run_count", "run_pairs", "run_copies", "triplet_count", "concealed_triplet_count",
    "kan_count", "concealed_kan_count", "open_count", "outside_count", "set_fu", "suits",
    "nine_gates", "manzu_sum",
)  # fmt: skip
"""The int16 columns of :func:`readings`."""
WIDE = ("tiles", "fours", "concealed_triplets", "kans")
"""The int64 columns of :func:`readings`."""

_FORM, _SET, _PAIR, _WON, _WAIT = 0, 1, 5, 6, 7
_RUNS, _TRIPLETS = 8, 11
(
    _RUN_COUNT, _RUN_PAIRS, _RUN_COPIES, _TRIPLET_COUNT, _CONCEALED_TRIPLET_COUNT, _KAN_COUNT,
    _CONCEALED_KAN_COUNT, _OPEN_COUNT, _OUTSIDE_COUNT, _SET_FU, _SUITS, _NINE_GATES, _MANZU_SUM,
) = range(15, 28)  # fmt: skip
_TILES, _FOURS, _CONCEALED_TRIPLETS, _KANS = range(4)

_FIRST_HONOUR, _FIRST_DRAGON = 27, 31
_YAOCHUU = tuple(bool(outside) for outside in IS_YAOCHUU)
_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


@inner
def _count_melds(meld_kind: Int8Array, meld_tile: Int8Array) -> int:
    """Return how many melds a hand has; -1 if a meld is impossible or there are gaps."""
    melds = 0
    for i in range(4):
        kind = meld_kind[i]
        if kind == NO_MELD:
            continue
        tile = meld_tile[i]
        if melds < i or kind < NO_MELD or kind > ANKAN or tile < 0 or tile >= KINDS:
            return -1
        if kind == CHI and (tile >= _FIRST_HONOUR or tile % 9 > 6):
            return -1
        melds += 1
    return melds


@inner
def _form_without_sets(counts: Int8Array) -> int:
    """Return the form of 14 concealed tiles without sets; -1 if they have no such form."""
    pairs = 0
    alike = False
    kinds_of_orphans = 0
    orphans = 0
    for kind in range(KINDS):
        count = counts[kind]
        pairs += count // 2
        alike = alike or count == 4
        if count % 2 == 1:
            pairs = -8
        if _YAOCHUU[kind] and count > 0:
            kinds_of_orphans += 1
            orphans += count
    if pairs == 7:
        return SEVEN_PAIRS_ALIKE if alike else SEVEN_PAIRS
    return THIRTEEN_ORPHANS if kinds_of_orphans == 13 and orphans == 14 else -1


@inner
def _is_readable(counts: Int8Array, melds: int, win: int) -> bool:
    """Return whether a hand has the right number of tiles, including the winning tile."""
    if melds < 0 or win < 0 or win >= KINDS or counts[win] < 1:
        return False
    tiles = 0
    for kind in range(KINDS):
        if counts[kind] < 0 or counts[kind] > 4:
            return False
        tiles += counts[kind]
    return tiles == 14 - 3 * melds


@inner
def _holds(part: int, win: int) -> bool:
    """Return whether a concealed run or triplet has the tile."""
    if part >= TRIPLET:
        return part - TRIPLET == win
    return part <= win and win <= part + 2


@inner
def _leave_aside(counts: Int8Array, aside: int, rest: Int8Array) -> int:
    """Write into ``rest`` the counts less one of each kind of the mask.

    Return how many sets beside a pair are left to read; -1 if no pair is left, or if the mask has a
    kind that is not there.
    """
    tiles = 0
    for kind in range(KINDS):
        rest[kind] = counts[kind] - (aside >> kind & 1)
        if rest[kind] < 0:
            return -1
        tiles += rest[kind]
    return tiles // 3 if aside != 0 and tiles % 3 == 2 else -1


@inner
def _count_copies(
    counts: Int8Array, meld_kind: Int8Array, meld_tile: Int8Array, copies: Int8Array
) -> None:
    """Write into ``copies`` int8[34] how many tiles of each kind hand and melds have."""
    for kind in range(len(copies)):
        copies[kind] = counts[kind]
    for i in range(4):
        kind = meld_kind[i]
        tile = meld_tile[i]
        if kind == CHI:
            for step in range(3):
                copies[tile + step] += 1
        elif kind != NO_MELD:
            copies[tile] += 3 if kind == PON else 4


@inner
def _suit_of(kind: int) -> int:
    """Return the bit of ``suits`` for a kind."""
    if kind < _FIRST_HONOUR:
        return 1 << (kind // 9)
    return WINDS if kind < _FIRST_DRAGON else DRAGONS


@njit
def _nine_gates(counts: Int8Array, win: int) -> int:
    """Return 1 for 1112345678999 and one more of its suit, 2 if that one is the winning tile."""
    if win >= _FIRST_HONOUR:
        return 0
    first = win - win % 9
    extra = -1
    for number in range(9):
        over = counts[first + number] - _GATES[number]
        if over < 0:
            return 0
        if over > 0:
            extra = first + number
    return 2 if extra == win else 1


@inner
def _write_tiles(copies: Int8Array, row: int, narrow: Int16Array, wide: Int64Array) -> None:
    """Write the columns that follow from the tiles alone."""
    suits = 0
    manzu_sum = 0
    tiles = np.int64(0)
    fours = np.int64(0)
    for kind in range(KINDS):
        count = copies[kind]
        if count > 0:
            tiles |= np.int64(1) << kind
            suits |= _suit_of(kind)
            if count >= 4:
                fours |= np.int64(1) << kind
            if kind < 9:
                manzu_sum += count * (kind + 1)
    narrow[_SUITS, row] = suits
    narrow[_MANZU_SUM, row] = manzu_sum
    wide[_TILES, row] = tiles
    wide[_FOURS, row] = fours


@inner
def _wait_of(part: int, win: int) -> int:
    """Return the kind of wait that a run or triplet was completed from."""
    if part >= TRIPLET:
        return SHANPON
    step = win - part
    if step == 1:
        return KANCHAN
    number = part % 9
    return PENCHAN if (step == 2 and number == 0) or (step == 0 and number == 6) else RYANMEN


@inner
def _write_sets(
    parts: Int8Array,
    concealed: int,
    won: int,
    tsumo: bool,
    row: int,
    narrow: Int16Array,
    wide: Int64Array,
) -> None:
    """Write the columns that follow from the sets and the pair.

    ``parts`` are the four sets (-1 for a set replaced by special tiles) and the pair; bit i of
    ``concealed`` is set if set i is not an open meld.
    """
    runs = 0
    run_pairs = 0
    run_copies = 0
    seen_in_pair = 0
    outside = 1 if _YAOCHUU[parts[4]] else 0
    fu = 0
    triplets = 0
    concealed_triplets = 0
    kans = 0
    concealed_kans = 0
    concealed_mask = np.int64(0)
    kan_mask = np.int64(0)
    for i in range(4):
        part = parts[i]
        narrow[_SET + i, row] = part
        if part < 0:
            continue
        if part < TRIPLET:
            narrow[_RUNS + part // 9, row] |= 1 << (part % 9)
            runs += 1
            outside += part % 9 == 0 or part % 9 == 6
            copies = 1
            for j in range(4):
                if j != i and parts[j] == part:
                    copies += 1
                    if j > i and not (seen_in_pair >> i & 1 or seen_in_pair >> j & 1):
                        seen_in_pair |= 1 << i | 1 << j
                        run_pairs += 1
            run_copies = max(run_copies, copies)
            continue
        is_kan = part >= KAN
        kind = part - (KAN if is_kan else TRIPLET)
        is_concealed = (concealed >> i & 1) == 1 and (tsumo or won != i)
        narrow[_TRIPLETS + kind // 9, row] |= 1 << (kind % 9)
        triplets += 1
        outside += _YAOCHUU[kind]
        if is_kan:
            kans += 1
            kan_mask |= np.int64(1) << kind
            concealed_kans += is_concealed
        if is_concealed:
            concealed_triplets += 1
            concealed_mask |= np.int64(1) << kind
        fu += 2 * (2 if is_concealed else 1) * (4 if is_kan else 1) * (2 if _YAOCHUU[kind] else 1)
    narrow[_PAIR, row] = parts[4]
    narrow[_WON, row] = won
    narrow[_RUN_COUNT, row] = runs
    narrow[_RUN_PAIRS, row] = run_pairs
    narrow[_RUN_COPIES, row] = run_copies
    narrow[_TRIPLET_COUNT, row] = triplets
    narrow[_CONCEALED_TRIPLET_COUNT, row] = concealed_triplets
    narrow[_KAN_COUNT, row] = kans
    narrow[_CONCEALED_KAN_COUNT, row] = concealed_kans
    narrow[_OUTSIDE_COUNT, row] = outside
    narrow[_SET_FU, row] = fu
    wide[_CONCEALED_TRIPLETS, row] = concealed_mask
    wide[_KANS, row] = kan_mask


@inner
def _write_form(form: int, counts: Int8Array, win: int, row: int, narrow: Int16Array) -> None:
    """Write a reading without sets."""
    narrow[_FORM, row] = form
    for i in range(_SET, _WON + 1):
        narrow[i, row] = -1
    any_of_13 = form == THIRTEEN_ORPHANS and counts[win] == 2
    narrow[_WAIT, row] = ORPHANS_13 if any_of_13 else TANKI


@inner
def _write_way(
    parts: Int8Array,
    first: int,
    last: int,
    is_concealed: int,
    win: int,
    in_aside: bool,
    tsumo: bool,
    form: int,
    row: int,
    narrow: Int16Array,
    wide: Int64Array,
) -> int:
    """Write one row for each place of the winning tile; return the next free row.

    The concealed sets are ``parts[first:last]``; ``in_aside`` says whether the winning tile can be
    one of the special tiles.
    """
    for at in range(first, WON_PAIR + 2):
        won = at
        if at == WON_PAIR:
            if parts[4] != win:
                continue
            wait = TANKI
        elif at > WON_PAIR:
            if not in_aside:
                continue
            won = -1
            wait = NO_WAIT
        else:
            repeated = at > first and parts[at] == parts[at - 1]
            if at >= last or repeated or not _holds(parts[at], win):
                continue
            wait = _wait_of(parts[at], win)
        narrow[_FORM, row] = form
        narrow[_WAIT, row] = wait
        _write_sets(parts, is_concealed, won, tsumo, row, narrow, wide)
        row += 1
    return row


MOST_READINGS = 10 * MOST_PARTITIONS + 2
"""More than the readings of any hand: each part of a partition may have the winning tile."""


@njit
def fill_readings(
    concealed: Int8Array,
    meld_kind: Int8Array,
    meld_tile: Int8Array,
    win_tile: Int8Array,
    tsumo: BoolArray,
    special: Int8Array,
    aside: Int64Array,
    hand_of: Int32Array,
    narrow: Int16Array,
    wide: Int64Array,
) -> int:
    """Write the readings of all hands one after the other into columns that are zero before.

    Returns how many readings there are; -1 if the columns may be too short for the next hand.
    """
    found = np.empty((MOST_PARTITIONS, 5), dtype=np.int8)
    copies = np.zeros(KINDS, dtype=np.int8)
    parts = np.zeros(5, dtype=np.int8)
    rest = np.empty(KINDS, dtype=np.int8)
    row = 0
    for hand in range(len(win_tile)):
        counts = concealed[hand]
        win = win_tile[hand]
        melds = _count_melds(meld_kind[hand], meld_tile[hand])
        if not _is_readable(counts, melds, win):
            continue
        if row + MOST_READINGS > len(hand_of):
            return -1
        first_row = row
        open_count = 0
        is_concealed = 0b1111
        for i in range(melds):
            kind = meld_kind[hand, i]
            tile = meld_tile[hand, i]
            parts[i] = tile + (RUN if kind == CHI else (TRIPLET if kind == PON else KAN))
            if kind != ANKAN:
                open_count += 1
                is_concealed ^= 1 << i
        for way in range(find_partitions(counts, 4 - melds, found)):
            parts[melds:4] = found[way, : 4 - melds]
            parts[4] = found[way, 4]
            row = _write_way(
                parts, melds, 4, is_concealed, win, False, tsumo[hand], REGULAR, row, narrow, wide
            )
        if melds == 0:
            if row > first_row:
                narrow[_NINE_GATES, first_row:row] = _nine_gates(counts, win)
            form = _form_without_sets(counts)
            if form >= 0:
                _write_form(form, counts, win, row, narrow)
                row += 1
        if special[hand] > 0:
            sets = _leave_aside(counts, aside[hand], rest)
            if sets < 0:
                _write_form(special[hand], counts, win, row, narrow)
                row += 1
            else:
                for way in range(find_partitions(rest, sets, found)):
                    parts[melds:4] = -1
                    parts[melds : melds + sets] = found[way, :sets]
                    parts[4] = found[way, 4]
                    in_aside = (aside[hand] >> win & 1) == 1
                    row = _write_way(
                        parts, melds, melds + sets, is_concealed, win, in_aside, tsumo[hand],
                        special[hand], row, narrow, wide,
                    )  # fmt: skip
        if row == first_row:
            continue
        _count_copies(counts, meld_kind[hand], meld_tile[hand], copies)
        for written in range(first_row, row):
            hand_of[written] = hand
            narrow[_OPEN_COUNT, written] = open_count
            _write_tiles(copies, written, narrow, wide)
    return row
