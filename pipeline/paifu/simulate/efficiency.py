"""Which discards keep a hand nearest to complete, for the decisions of simulated players."""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import KINDS
from paifu.kernels.compiling import njit
from paifu.rules.hands.shanten import (
    NOT_A_HAND,
    regular,
    shanten_chiitoi,
    shanten_kokushi,
    suit_class,
    together,
)
from paifu.rules.hands.suit_tables import SuitTables

_GROUP_SIZE = (9, 9, 9, 7)
_FAR = 3
"""Seven pairs and thirteen orphans are tried only from this shanten on."""


@njit
def discard_shantens(tables: SuitTables, counts: np.ndarray, melds: int, out: np.ndarray) -> int:
    """Write to ``out`` int8[34] the shanten after the discard of each kind held; return the least.

    ``counts`` are ``14 - 3 * melds`` tiles; they are changed during the work and restored. Kinds
    that are not held get :data:`NOT_A_HAND`.
    """
    for kind in range(KINDS):
        out[kind] = NOT_A_HAND
    suit0 = suit_class(tables, counts, 0)
    suit1 = suit_class(tables, counts, 1)
    suit2 = suit_class(tables, counts, 2)
    suit3 = suit_class(tables, counts, 3)
    low = together(tables, suit0, suit1)
    high = together(tables, suit2, suit3)
    best = NOT_A_HAND
    special = melds == 0 and (shanten_chiitoi(counts) <= _FAR or shanten_kokushi(counts) <= _FAR)
    for group in range(4):
        first = 9 * group
        held = False
        for kind in range(first, first + _GROUP_SIZE[group]):
            held = held or counts[kind] > 0
        if not held:
            continue
        others = low if group > 1 else high
        beside = suit1
        if group == 1:
            beside = suit0
        elif group == 2:
            beside = suit3
        elif group == 3:
            beside = suit2
        rest = together(tables, others, beside)
        for kind in range(first, first + _GROUP_SIZE[group]):
            if counts[kind] == 0:
                continue
            counts[kind] -= 1
            away = regular(tables, rest, suit_class(tables, counts, group), melds)
            if special:
                pairs, orphans = shanten_chiitoi(counts), shanten_kokushi(counts)
                if pairs < away:
                    away = pairs
                if orphans < away:
                    away = orphans
            counts[kind] += 1
            out[kind] = away
            if away < best:
                best = away
    return best
