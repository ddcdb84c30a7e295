"""The placement model: the chance of each seat to end first to last, at any round's start.

A seat's score for a place is a weighted sum of the features of its position
(:func:`paifu.models.positions.features`); the chances of the places follow from the scores by
:func:`paifu.models.permutations.place_chances`. The last place has weights of zero, because only
differences between places count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.models.permutations import Floats, place_chances
from paifu.models.positions import Positions, features

_ROWS = 8_192
"""Positions valued at a time: their arrays fit in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of play on which chances depend, as the options of rule sets name them.

    Games with others are never valued.
    """

    players: int
    start_points: int
    target_points: int
    tobi: str
    agari_yame: bool
    extra_round: bool
    ties: str


@dataclass(frozen=True, slots=True)
class PlacementModel:
    """A fitted model for games of one number of players under one kind of rules."""

    weights: Floats
    """(features, players - 1) The weight of each feature for each place but the last."""
    rules: Rules
    name: str
    """Name of the model, with the hash of its weights: key ``model_id`` of the lake."""
    population: str
    """The games it was fitted on, in words."""
    rulesets: tuple[str, ...]
    """The rule sets of these games."""
    lengths: tuple[str, ...]
    """The lengths of these games."""
    games: int
    rounds: int
    scores: dict[str, float]
    """Log loss on games held out, of the model and of the baselines, by name."""

    def chances(self, positions: Positions) -> Floats:
        """Return the chances at each position: an array (n, players, players), seat by place.

        >>> import numpy as np
        >>> start = Positions(
        ...     np.full((1, 4), 25000, np.int32), *np.array([[8], [0], [0]], np.int16)
        ... )
        >>> flat = PlacementModel(np.zeros((13, 3)), None, "flat", "", (), (), 0, 0, {})
        >>> flat.chances(start)[0, 0].tolist()
        [0.25, 0.25, 0.25, 0.25]
        """
        found = np.empty((len(positions), positions.players, positions.players))
        for start in range(0, len(positions), _ROWS):
            part = slice(start, start + _ROWS)
            found[part] = chances_of(self.weights, features(positions[part])).transpose(2, 0, 1)
        return found


def chances_of(weights: Floats, seen: Floats) -> Floats:
    """Return the chances (players, players, n) from weights and features."""
    return place_chances(scores_of(weights, seen))[0]


def scores_of(weights: Floats, seen: Floats) -> Floats:
    """Return each seat's score for each place (players, players, n); 0 for the last place."""
    count, players, n = seen.shape
    scores = np.zeros((players, players, n))
    scores[:, : players - 1] = (
        (weights.T @ seen.reshape(count, players * n))
        .reshape(players - 1, players, n)
        .transpose(1, 0, 2)
    )
    return scores
