"""Chances of each order of seats, from a score of each seat for each place.

The chance of an order is the softmax over all orders of the sum of the scores: seat ``i`` adds
``scores[i, k]`` if it ends at place ``k``. So over the seats the chances of a place sum to one, and
so do the places of a seat. The sum over all 24 (6) orders is done by sets of seats, place by place,
forward and backward: 32 (12) products each way.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def place_chances(scores: Floats) -> tuple[Floats, Floats]:
    """Return the chances of each seat to end at each place, and the logarithm of the sum.

    ``scores`` has the shape (players, players, n): seat, place, position. The chances have the same
    shape; the logarithm of the sum of exp(score) over all orders has the shape (n,).

    >>> chances, log_sum = place_chances(np.zeros((3, 3, 1)))
    >>> chances[:, :, 0].round(3).tolist()[0], round(float(log_sum[0]), 3)
    ([0.333, 0.333, 0.333], 1.792)
    """
    players = len(scores)
    best = scores.max(axis=1)
    weights = np.exp(scores - best[:, None])
    everyone = (1 << players) - 1
    # before[s]: the seats of set s have the first places; after[s]: the others have the rest
    before, after = {0: np.ones(scores.shape[2])}, {everyone: np.ones(scores.shape[2])}
    for seats in range(1, everyone + 1):
        place = seats.bit_count() - 1
        before[seats] = _sum(
            before[seats ^ 1 << seat] * weights[seat, place]
            for seat in range(players)
            if seats >> seat & 1
        )
    for seats in range(everyone - 1, -1, -1):
        place = seats.bit_count()
        after[seats] = _sum(
            after[seats | 1 << seat] * weights[seat, place]
            for seat in range(players)
            if not seats >> seat & 1
        )
    chances = np.zeros_like(weights)
    for seats in range(everyone):
        place = seats.bit_count()
        for seat in range(players):
            if not seats >> seat & 1:
                chances[seat, place] += before[seats] * after[seats | 1 << seat]
    total = before[everyone]
    chances *= weights
    chances /= total
    return chances, np.log(total) + best.sum(axis=0)


def _sum(terms: Iterable[Floats]) -> Floats:
    """Return the sum of a few arrays, added into the first."""
    total, *others = terms
    for term in others:
        total += term
    return total
