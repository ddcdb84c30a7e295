"""The chances of places agree with a sum over all orders, and add up."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paifu.models.permutations import place_chances


def by_orders(scores: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the chances of one position and the log of the sum, order by order."""
    players = len(scores)
    orders = list(permutations(range(players)))  # the place of each seat
    logs = np.array([sum(scores[seat, order[seat]] for seat in range(players)) for order in orders])
    log_sum = np.logaddexp.reduce(logs)
    chances = np.zeros((players, players))
    for order, log in zip(orders, logs, strict=True):
        for seat, place in enumerate(order):
            chances[seat, place] += np.exp(log - log_sum)
    return chances, float(log_sum)


def some_scores(largest: float) -> st.SearchStrategy[np.ndarray]:
    return st.sampled_from([3, 4]).flatmap(
        lambda players: arrays(
            np.float64, (players, players), elements=st.floats(-largest, largest)
        )
    )


@given(some_scores(8))
def test_the_same_as_summed_over_all_orders(scores: np.ndarray) -> None:
    chances, log_sum = place_chances(scores[:, :, None])
    expected, expected_sum = by_orders(scores)
    assert chances[:, :, 0] == pytest.approx(expected, abs=1e-12)
    assert log_sum[0] == pytest.approx(expected_sum)


@given(some_scores(150))
def test_places_and_seats_add_up_to_one_even_for_extreme_scores(scores: np.ndarray) -> None:
    chances = place_chances(scores[:, :, None])[0][:, :, 0]
    assert chances.sum(axis=0) == pytest.approx(1, abs=1e-12)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert (chances >= 0).all()
