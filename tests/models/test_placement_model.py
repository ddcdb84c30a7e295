"""What must hold of the shipped models at any position: sums, symmetry, no harm in points."""

from __future__ import annotations

import numpy as np
import pytest

from paifu.models.model_file import read_models
from paifu.models.placement_fit import TOLERATED, perturbations
from paifu.models.placement_model import PlacementModel
from paifu.models.positions import Positions

MODELS = {model.rules.players: model for model in read_models()}


def some_positions(players: int, n: int, seed: int = 0) -> Positions:
    """Positions with points that add up, most seats far from equal, no seat below zero."""
    rng = np.random.default_rng(seed)
    total = MODELS[players].rules.start_points * players // 100
    shares = rng.dirichlet(np.full(players, 4.0), n)
    points = np.floor(shares * total).astype(np.int32)
    points[:, 0] += total - points.sum(axis=1)
    return Positions(
        points * 100,
        rng.integers(1, 2 * players + 1, n).astype(np.int16),
        rng.integers(0, players, n).astype(np.int16),
        rng.integers(0, 4, n).astype(np.int16),
    )


@pytest.fixture(params=[4, 3])
def model(request: pytest.FixtureRequest) -> PlacementModel:
    return MODELS[request.param]


def test_it_has_under_a_hundred_numbers(model: PlacementModel) -> None:
    assert model.weights.size < 100


def test_places_and_seats_add_up_to_one(model: PlacementModel) -> None:
    chances = model.chances(some_positions(model.rules.players, 5_000))
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert chances.sum(axis=2) == pytest.approx(1, abs=1e-12)


def test_numbering_the_seats_from_another_changes_nothing(model: PlacementModel) -> None:
    players = model.rules.players
    asked = some_positions(players, 2_000)
    different = np.array([len(set(row)) == players for row in asked.points.tolist()])
    asked = asked[different]
    turned = Positions(
        np.roll(asked.points, 1, axis=1), asked.rounds_left,
        ((asked.dealer + 1) % players).astype(np.int16), asked.honba,
    )  # fmt: skip
    assert model.chances(turned) == pytest.approx(np.roll(model.chances(asked), 1, axis=1))


def test_seats_with_equal_points_that_do_not_deal_differ_only_by_their_order(
    model: PlacementModel,
) -> None:
    """The seat that dealt earlier wins a tie, which is worth little at the start."""
    players = model.rules.players
    start = np.full((1, players), model.rules.start_points, np.int32)
    asked = Positions(start, *np.array([[2 * players], [0], [0]], np.int16))
    chances = model.chances(asked)[0, 1:]
    assert chances == pytest.approx(np.broadcast_to(chances.mean(axis=0), chances.shape), abs=0.005)


def test_more_points_are_no_worse(model: PlacementModel) -> None:
    tried, worse = perturbations(model.weights, some_positions(model.rules.players, 8_334))
    assert tried > 99_000
    assert worse <= 0.0005 * tried, TOLERATED


def test_in_the_last_round_a_lead_of_thirty_thousand_is_nearly_won(model: PlacementModel) -> None:
    players = model.rules.players
    points = np.full((1, players), model.rules.start_points - 10_000, np.int32)
    points[0, 0] += 30_000 + 10_000
    asked = Positions(points, *np.array([[1], [1], [0]], np.int16))
    assert model.chances(asked)[0, 0, 0] > 0.97


def test_a_thousand_points_count_more_later(model: PlacementModel) -> None:
    players = model.rules.players
    points = np.full((2, players), model.rules.start_points, np.int32)
    points[:, 1:] -= np.arange(players - 1, dtype=np.int32) * 1_000 + 500
    early = np.array([2 * players, 1], np.int16)
    asked = Positions(points, early, *np.array([[0, 0], [0, 0]], np.int16))
    first = model.chances(asked)[:, 0, 0]
    assert first[1] > first[0] + 0.05
