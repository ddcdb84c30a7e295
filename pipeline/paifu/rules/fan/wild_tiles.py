"""What wild tiles can stand for in a complete hand, found suit by suit.

Six wild tiles can stand for half a million combinations of tiles. But each suit of a complete hand
consists of sets, or of sets and the pair. So each suit is filled up separately with 0 to all wild
tiles, and the ways that give sets are combined.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import EAST, KINDS

Int8 = npt.NDArray[np.int8]

_SUITS = ((0, 9), (9, 18), (18, EAST), (EAST, KINDS))
"""First kind of each suit and of the next; honours are the last."""


def completions(real: Int8, wilds: int) -> Int8:
    """Return how many of each kind the wild tiles can stand for, a row for each way.

    ``real`` int8[34] are the other tiles of the hand; the result is int8[N, 34]. With each way
    every suit consists of sets, and one suit of sets and a pair. A way may have more copies of a
    kind than a hand may hold. A wild tile stands for a kind in ``real``, or for a number at most
    two away from one in ``real``. Ways with more of a lower kind come first.
    """
    none = np.zeros((1, KINDS), dtype=np.int8)
    ways: dict[tuple[int, bool], list[Int8]] = {(0, False): [none]}
    for first, end in _SUITS:
        filled = {
            (used, paired): fills
            for used in range(wilds + 1)
            for paired in (False, True)
            if len(fills := _fills(real, first, end, used, paired))
        }
        before, ways = ways, {}
        for (so_far, has_pair), parts in before.items():
            for (used, paired), fills in filled.items():
                if so_far + used <= wilds and not (has_pair and paired):
                    key = so_far + used, has_pair or paired
                    ways.setdefault(key, []).extend(_crossed(part, fills) for part in parts)
    found = np.concatenate([none[:0], *ways.get((wilds, True), [])])
    return found[np.lexsort(-found.T[::-1])]


def _crossed(one: Int8, other: Int8) -> Int8:
    """Return the sum of each row of ``one`` and each row of ``other``."""
    return (one[:, None] + other[None]).reshape(-1, KINDS)


def _fills(real: Int8, first: int, end: int, used: int, paired: bool) -> Int8:
    """Return the ways for ``used`` wild tiles to make sets of a suit, or ``paired`` with a pair."""
    if (real[first:end].sum() + used) % 3 != 2 * paired:
        return np.zeros((0, KINDS), dtype=np.int8)
    kinds = [kind for kind in range(first, end) if _is_near(real, kind, first, end)]
    fills = np.zeros((len(_multisets(len(kinds), used)), KINDS), dtype=np.int8)
    fills[:, kinds] = _multisets(len(kinds), used)
    suits = (fills + real)[:, first:end]
    numbers = first < EAST
    if not paired:
        return fills[_are_sets(suits, numbers)]
    fits = np.zeros(len(fills), dtype=np.bool_)
    for at in range(end - first):
        has_two = np.flatnonzero((suits[:, at] >= 2) & ~fits)
        rest = suits[has_two]
        rest[:, at] -= 2
        fits[has_two] = _are_sets(rest, numbers)
    return fills[fits]


def _is_near(real: Int8, kind: int, first: int, end: int) -> bool:
    """Return whether the real tiles have the kind, or a number of its suit at most two away."""
    if first == EAST:
        return bool(real[kind])
    return bool(real[max(kind - 2, first) : min(kind + 3, end)].any())


@lru_cache(maxsize=256)
def _multisets(kinds: int, size: int) -> Int8:
    """Return every way to choose ``size`` tiles of ``kinds``: int8[N, kinds], how many of each."""
    chosen = list(combinations_with_replacement(range(kinds), size))
    counts = np.zeros((len(chosen), kinds), dtype=np.int8)
    for column in np.array(chosen, dtype=np.int64).reshape(len(chosen), size).T:
        counts[np.arange(len(chosen)), column] += 1
    return counts


def _are_sets(suits: Int8, numbers: bool) -> npt.NDArray[np.bool_]:
    """Return whether the counts of a suit, int8[N, W], consist of runs and triplets.

    From the lowest kind up, the count modulo 3 is the number of runs that begin there: three equal
    runs are the same tiles as three triplets.
    """
    left = suits.copy()
    fits = np.ones(len(suits), dtype=np.bool_)
    width = suits.shape[1]
    for at in range(width):
        fits &= left[:, at] >= 0
        runs = left[:, at] % 3
        if numbers and at + 2 < width:
            left[:, at + 1] -= runs
            left[:, at + 2] -= runs
        else:
            fits &= runs == 0
    return fits
