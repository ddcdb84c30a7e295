"""Shapes: every reading of a batch of winning hands, one per row, with the features for fan.

:func:`readings` knows tiles and sets and no rule set: yaku, fan and fu are expressions over its
columns. A hand has one reading for each way to divide its tiles into sets and a pair (or another
form), and within it for each set or pair that the winning tile can have completed. Equal readings
appear once. A hand that cannot be read has no readings.

=========================== ======= ==============================================================
column                      type    what it says
=========================== ======= ==============================================================
``hand``                    int32   row of the hand in the batch; ascending, so that the readings
                                    of a hand are a segment
``form``                    int16   ``REGULAR``: sets and a pair; ``SEVEN_PAIRS`` of seven kinds;
                                    ``SEVEN_PAIRS_ALIKE`` with four alike as two pairs;
                                    ``THIRTEEN_ORPHANS``; or the rule set's own special form
``set_0`` … ``set_3``       int16   the sets: melds as given, then concealed ones by kind. A run is
                                    the kind of its first tile (0-24), a triplet ``TRIPLET`` + kind,
                                    a kan ``KAN`` + kind; -1 for a set the form does not have
``pair``                    int16   kind of the pair; -1 in other forms
``won``                     int16   what the winning tile completed: 0-3 that set, ``WON_PAIR``;
                                    -1 in other forms
``wait``                    int16   ``RYANMEN KANCHAN PENCHAN SHANPON TANKI`` or ``ORPHANS_13``
                                    (thirteen orphans on any of the thirteen); ``TANKI`` in the
                                    other forms, ``NO_WAIT`` for a tile that completed the special
                                    tiles beside sets
``runs_m`` ``_p`` ``_s``    int16   bit n-1: a run of the suit starts at n
``triplets_m`` ``_p``       int16   bit n-1: a triplet or kan of n; in ``_z`` bits 0-3 are the winds
``_s`` ``_z``                       east to north, bits 4-6 white, green, red
``run_count``               int16   runs
``run_pairs``               int16   pairs of equal runs, each run in one pair (0-2)
``run_copies``              int16   how often the most frequent run occurs (0-4)
``triplet_count``           int16   triplets and kans
``concealed_triplet_count`` int16   of these, concealed; one completed by ron is not
``kan_count``               int16   kans
``concealed_kan_count``     int16   of these, concealed
``open_count``              int16   melds other than concealed kans; 0 is a closed hand (menzen)
``outside_count``           int16   sets and pair that have a terminal or honour: 5 is all (chanta);
                                    0 in other forms
``set_fu``                  int16   fu of all triplets and kans: 2 for an open triplet, twice that
                                    if concealed, four times if a kan, twice if terminal or honour
``suits``                   int16   ``MANZU | PINZU | SOUZU | WINDS | DRAGONS``, those in the hand
``nine_gates``              int16   1: a closed 1112345678999 and one more of the suit; 2: and it is
                                    the winning tile that is one more; else 0
``manzu_sum``               int16   sum of the numbers of all manzu tiles, four for a kan
``tiles``                   int64   bit kind: the kind is in the hand or its melds
``fours``                   int64   bit kind: all four of the kind are, as a kan or not
``concealed_triplets``      int64   bit kind: a concealed triplet or kan of it
``kans``                    int64   bit kind: a kan of it
=========================== ======= ==============================================================

In forms without sets, the counts and masks of sets are 0. ``suits``, ``tiles``, ``fours`` and
``manzu_sum`` are set in every form. :func:`kinds` makes masks to test ``tiles`` against.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.hands.partitions import KAN, RUN, TRIPLET
from paifu.rules.hands.reading_kernels import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DRAGONS,
    FIRST_SPECIAL,
    KAKAN,
    KANCHAN,
    MANZU,
    MOST_READINGS,
    NARROW,
    NO_MELD,
    NO_WAIT,
    ORPHANS_13,
    PENCHAN,
    PINZU,
    PON,
    REGULAR,
    RYANMEN,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    SHANPON,
    SOUZU,
    TANKI,
    THIRTEEN_ORPHANS,
    WAIT_WORDS,
    WIDE,
    WINDS,
    WON_PAIR,
    fill_readings,
)

__all__ = [
    "ANKAN",
    "CHI",
    "DAIMINKAN",
    "DRAGONS",
    "FIRST_SPECIAL",
    "KAKAN",
    "KAN",
    "KANCHAN",
    "MANZU",
    "NARROW",
    "NO_MELD",
    "NO_WAIT",
    "ORPHANS_13",
    "PENCHAN",
    "PINZU",
    "PON",
    "REGULAR",
    "RUN",
    "RYANMEN",
    "SEVEN_PAIRS",
    "SEVEN_PAIRS_ALIKE",
    "SHANPON",
    "SOUZU",
    "TANKI",
    "THIRTEEN_ORPHANS",
    "TRIPLET",
    "WAIT_WORDS",
    "WIDE",
    "WINDS",
    "WON_PAIR",
    "kinds",
    "readings",
]

Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def kinds(codes: Iterable[int]) -> int:
    """Return the mask of some kinds, to test ``tiles`` and other masks of kinds against.

    >>> kinds([0, 8]) == 0b100000001
    True
    """
    mask = 0
    for code in codes:
        mask |= 1 << int(code)
    return mask


def readings(
    concealed: Int8Array,
    meld_kind: Int8Array,
    meld_tile: Int8Array,
    win_tile: Int8Array,
    tsumo: BoolArray,
    special: Int8Array | None = None,
    aside: Int64Array | None = None,
) -> pl.DataFrame:
    """Return the readings of a batch of hands; the module's table describes the columns.

    ``concealed`` int8[N, 34] counts of the concealed tiles, the winning tile included;
    ``meld_kind`` and ``meld_tile`` int8[N, 4], melds first (a run's tile is its first);
    ``win_tile`` int8[N] its kind; ``tsumo`` bool[N]. ``special`` int8[N] is the form of hands that
    are complete by a shape of the rule set's own, 0 for other hands. ``aside`` int64[N] is the mask
    of the tiles of that shape, if the other tiles are sets and a pair. It is 0 if the shape is the
    whole hand, which then has one reading of that form.
    """
    hands = len(win_tile)
    forms = np.zeros(hands, dtype=np.int8) if special is None else special
    apart = np.zeros(hands, dtype=np.int64) if aside is None else aside
    room = hands + hands // 3 + MOST_READINGS
    rows = -1
    while rows < 0:
        hand_of = np.zeros(room, dtype=np.int32)
        narrow = np.zeros((len(NARROW), room), dtype=np.int16)
        wide = np.zeros((len(WIDE), room), dtype=np.int64)
        rows = fill_readings(
            concealed, meld_kind, meld_tile, win_tile, tsumo, forms, apart, hand_of, narrow, wide
        )
        room *= 2
    columns = {"hand": hand_of[:rows]}
    columns |= zip(NARROW, narrow[:, :rows], strict=True)
    columns |= zip(WIDE, wide[:, :rows], strict=True)
    return pl.DataFrame(columns)
