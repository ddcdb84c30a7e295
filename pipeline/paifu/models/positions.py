"""Positions between rounds as arrays, and what the placement model looks at in them.

A position is the state before a deal: each seat's points, how many scheduled rounds are left, who
deals and how many honba lie on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.models.permutations import Floats

SCHEDULED = {"east": 1, "south": 2}
"""Scheduled winds of the lengths that models know."""

FEATURES_VERSION = 1
"""Raised when the columns of :func:`features` change: coefficients of older ones do not fit."""

_CLIP = 100.0
"""Leads beyond this many thousands count as this many."""
_TIE = 0.05
"""What a tie counts, in thousands: less than the smallest lead, for the seat that dealt earlier."""

_PER_LEAD, _OF_DEALER = 3, 4


@dataclass(frozen=True, slots=True)
class Positions:
    """``n`` positions of games of the same number of players."""

    points: npt.NDArray[np.int32]
    """(n, players) Points of each seat."""
    rounds_left: npt.NDArray[np.int16]
    """(n,) Scheduled rounds left, with the one to be played; 1 also beyond the schedule."""
    dealer: npt.NDArray[np.int16]
    """(n,) The dealer's seat."""
    honba: npt.NDArray[np.int16]
    """(n,) Honba on the table."""

    def __len__(self) -> int:
        return len(self.points)

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.points.shape[1])

    def __getitem__(self, rows: slice | npt.NDArray[Any]) -> Positions:
        return Positions(
            self.points[rows], self.rounds_left[rows], self.dealer[rows], self.honba[rows]
        )

    def with_points(self, points: npt.NDArray[np.int32]) -> Positions:
        """Return the same positions with other points."""
        return Positions(points, self.rounds_left, self.dealer, self.honba)


def rounds_left(
    wind: npt.NDArray[np.int16],
    number: npt.NDArray[np.int16],
    players: int,
    winds: npt.NDArray[np.int16] | int,
) -> npt.NDArray[np.int16]:
    """Return the scheduled rounds left with this one, at least 1.

    ``wind`` counts from 0 and ``number`` from 1, as in table ``rounds``; ``winds`` are scheduled.

    >>> rounds_left(np.array([0, 1, 2]), np.array([1, 4, 1]), 4, 2).tolist()
    [8, 1, 1]
    """
    left = winds * players - (wind * players + number - 1)
    return np.asarray(np.maximum(left, 1), np.int16)


def feature_names(players: int) -> list[str]:
    """Return the names of the columns of :func:`features`, in order.

    >>> len(feature_names(4)), len(feature_names(3))
    (13, 10)
    """
    others = [f"lead_{order}" for order in range(1, players)]
    return [
        *(f"{name}_linear" for name in others),
        *(f"{name}_tanh" for name in others),
        *(f"{name}_last" for name in others),
        "dealer", "dealer_per_root", "dealer_last", "dealer_honba",
    ]  # fmt: skip


def features(positions: Positions) -> Floats:
    """Return what the model looks at: an array (features, players, n).

    With ``d`` the lead over the other seat with the most (second most, …) points in thousands and
    ``r`` the rounds left, these are d / (10 √r), tanh(d / (4 √r)) and, in the last round and later,
    tanh(d / 3); and for the dealer 1, 1 / √r, 1 in the last round, and the honba. Nothing but the
    order of equal seats depends on their numbers.
    """
    players, n = positions.players, len(positions)
    root = np.sqrt(positions.rounds_left.astype(np.float64))
    last = (positions.rounds_left == 1).astype(np.float64)
    found = np.zeros((_PER_LEAD * (players - 1) + _OF_DEALER, players, n))
    leads = _leads(positions.points)
    linear, curved, final, dealer = np.split(
        found, [players - 1, 2 * (players - 1), 3 * (players - 1)]
    )
    np.divide(leads, 10 * root, out=linear)
    np.tanh(leads / (4 * root), out=curved)
    at = np.flatnonzero(last)
    final[:, :, at] = np.tanh(leads[:, :, at] / 3)
    rows = np.arange(n)
    for column, value in zip(dealer, (1.0, 1 / root, last, positions.honba), strict=True):
        column[positions.dealer, rows] = value
    return found


def _leads(points: npt.NDArray[np.int32]) -> Floats:
    """Return each seat's leads over the others, the best of them first: (players - 1, players, n).

    In thousands. Of two seats with equal points, the one that dealt earlier is ahead.
    """
    players = points.shape[1]
    held = np.ascontiguousarray(points.T) / 1000
    leads = np.empty((players - 1, players, len(points)))
    for seat in range(players):
        others = [other for other in range(players) if other != seat]
        for row, other in enumerate(others):
            lead = held[seat] - held[other]
            lead[lead == 0] = _TIE if seat < other else -_TIE
            leads[row, seat] = lead
    _sort_few(leads)
    return np.clip(leads, -_CLIP, _CLIP, out=leads)


def _sort_few(rows: Floats) -> None:
    """Sort two or three rows element by element, the smallest first."""
    for low, high in ((0, 1), (1, 2), (0, 1))[: 3 if len(rows) == 3 else 1]:
        smaller = np.minimum(rows[low], rows[high])
        np.maximum(rows[low], rows[high], out=rows[high])
        rows[low] = smaller
