"""Which discards keep a hand nearest to complete, for the decisions of simulated players."""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import KINDS
from paifu.kernels.compiling import njit
from paifu.rules.hands.shanten import (
    NOT_A_HAND,
    complete_distance,
    shanten_chiitoi,
    shanten_kokushi,
    suit_word,
    together,
)
from paifu.rules.hands.suit_tables import MOST_SETS, SuitTables

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
    sets = MOST_SETS - melds
    w0 = suit_word(tables, counts, 0)[1]
    w1 = suit_word(tables, counts, 1)[1]
    w2 = suit_word(tables, counts, 2)[1]
    w3 = suit_word(tables, counts, 3)[1]
    low = together(w0, w1, sets)
    high = together(w2, w3, sets)
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
        beside = w1
        if group == 1:
            beside = w0
        elif group == 2:
            beside = w3
        elif group == 3:
            beside = w2
        rest = together(others, beside, sets)
        for kind in range(first, first + _GROUP_SIZE[group]):
            if counts[kind] == 0:
                continue
            counts[kind] -= 1
            word = suit_word(tables, counts, group)[1]
            away = complete_distance(rest, word, sets) - 1
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
