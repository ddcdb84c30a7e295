"""Partitions: every way to divide tiles into sets and a pair."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import KINDS
from paifu.kernels.compiling import njit

Int8Array = npt.NDArray[np.int8]

RUN, TRIPLET, KAN = 0, KINDS, 2 * KINDS
"""A set as a number is this plus the kind of its first tile."""

MOST_PARTITIONS = 16
"""More than the number of ways to divide 14 tiles into sets and a pair."""

_FIRST_HONOUR = 27


@njit
def find_partitions(counts: Int8Array, sets: int, found: Int8Array) -> int:
    """Write every way to divide the counts into ``sets`` sets and a pair; return how many.

    ``counts`` is int8[34], each 0-4. ``found`` int8[MOST_PARTITIONS, 5] gets the sets in order of
    kind (a run as its first kind, a triplet as ``TRIPLET`` + kind), and last the kind of the pair.
    Each kind in turn gives a triplet, a pair or neither, and the rest of it starts runs. So no way
    is found twice.
    """
    left = counts.copy()
    present = np.zeros(KINDS, dtype=np.int8)
    size = 0
    for kind in range(KINDS):
        if counts[kind] > 0:
            present[size] = kind
            size += 1
    choice = np.zeros(KINDS + 1, dtype=np.int8)  # by position: 0 runs only, 1 a triplet, 2 a pair
    runs = np.zeros(KINDS, dtype=np.int8)
    position = 0
    made = 0
    pair = -1
    ways = 0
    while True:
        if position == size:
            if made == sets and pair >= 0 and ways < MOST_PARTITIONS:
                at = 0
                for i in range(size):
                    if choice[i] == 1:
                        found[ways, at] = TRIPLET + present[i]
                        at += 1
                    for _ in range(runs[i]):
                        found[ways, at] = present[i]
                        at += 1
                found[ways, 4] = pair
                ways += 1
        else:
            kind = present[position]
            taken = 3 if choice[position] == 1 else (2 if choice[position] == 2 else 0)
            rest = left[kind] - taken
            fits = rest >= 0 and not (taken == 2 and pair >= 0)
            if fits and rest > 0:
                fits = (
                    kind < _FIRST_HONOUR
                    and kind % 9 < 7
                    and left[kind + 1] >= rest
                    and left[kind + 2] >= rest
                )
            if fits and made + rest + (taken == 3) <= sets:
                if rest > 0:
                    left[kind + 1] -= rest
                    left[kind + 2] -= rest
                runs[position] = rest
                made += rest + (taken == 3)
                if taken == 2:
                    pair = kind
                position += 1
                choice[position] = 0
                continue
            choice[position] += 1
        # step back to the last kind that has another choice
        while position == size or choice[position] > 2:
            if position == 0:
                return ways
            position -= 1
            kind = present[position]
            rest = runs[position]
            if rest > 0:
                left[kind + 1] += rest
                left[kind + 2] += rest
            made -= rest + (choice[position] == 1)
            if choice[position] == 2:
                pair = -1
            choice[position] += 1
