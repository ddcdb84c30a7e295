"""Plain tables of placement chances, beside which the placement model must show what it adds.

Each is fitted on some positions and applied to others. The places are numbers from 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.models.permutations import Floats
from paifu.models.positions import Positions

Places = npt.NDArray[np.int8]
"""(n, players) The place at which each seat ended, from 0 for first."""

_GAPS = (1_100, 3_100, 6_100, 12_100)
"""Ends of the bands of gaps, in points."""
_ROUNDS_LEFT = (2, 3, 5)
"""Starts of the bands of rounds left after the first: 1, 2, 3-4, 5-8."""
_RANK_ROUND_ROWS, _GAP_ROWS = 1.0, 20.0
"""How many seats the wider share counts like, in a cell."""
_BALANCED = 30
"""Steps of balancing rows and columns; 30 leave less than 1e-6."""


def ranks(points: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return each seat's rank by points, from 0; of equal seats, the lower number is ahead.

    >>> ranks(np.array([[100, 300, 300]], np.int32)).tolist()
    [[2, 0, 1]]
    """
    return np.asarray(np.argsort(np.argsort(-points, axis=1, kind="stable"), axis=1, kind="stable"))


def shares(positions: Positions, places: Places) -> Floats:
    """Return the shares of the places by themselves, (players,)."""
    return np.bincount(places.ravel(), minlength=positions.players) / places.size


def by_rank_and_round(fit: Positions, places: Places, apply: Positions) -> Floats:
    """Return chances (n, players, players) from the shares by rank and rounds left."""
    table = _smoothed(_rank_round(fit), places, shares(fit, places), _RANK_ROUND_ROWS)
    return table[_rank_round(apply)]


def by_gaps(fit: Positions, places: Places, apply: Positions) -> Floats:
    """Return chances from the shares by rank, rounds left, and the gaps to both neighbours.

    Each cell is smoothed by the shares of its rank and rounds left; then the rows and columns of
    each position are balanced to sum to one (Sinkhorn).
    """
    players = fit.players
    wide = _smoothed(_rank_round(fit), places, shares(fit, places), _RANK_ROUND_ROWS)
    cells = _gap_cells(fit)
    prior = np.zeros((_gap_cell_count(players), players))
    bands = len(_ROUNDS_LEFT) + 1
    widths = (len(_GAPS) + 1) ** 2
    for rank in range(players):
        for band in range(bands):
            left = (1, *_ROUNDS_LEFT)[band]
            start = (rank * bands + band) * widths
            prior[start : start + widths] = wide[rank * 2 * players + left - 1]
    table = _smoothed(cells, places, prior, _GAP_ROWS)
    chances = table[_gap_cells(apply)]
    for _ in range(_BALANCED):
        chances /= chances.sum(axis=1, keepdims=True)
        chances /= chances.sum(axis=2, keepdims=True)
    return chances


def _smoothed(cells: npt.NDArray[np.int64], places: Places, prior: Floats, rows: float) -> Floats:
    """Return the share of each place in each cell, as if it had ``rows`` more seats as in prior."""
    players = places.shape[1]
    count = max(int(cells.max()) + 1, len(prior) if prior.ndim == 2 else 2 * players**2)
    seen = np.bincount((cells * players + places).ravel(), minlength=count * players)
    table = seen.reshape(-1, players) + rows * prior
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _rank_round(positions: Positions) -> npt.NDArray[np.int64]:
    players = positions.players
    return np.asarray(ranks(positions.points) * 2 * players + positions.rounds_left[:, None] - 1)


def _gap_cell_count(players: int) -> int:
    return players * (len(_ROUNDS_LEFT) + 1) * (len(_GAPS) + 1) ** 2


def _gap_cells(positions: Positions) -> npt.NDArray[np.int64]:
    """Return the cell (n, players): rank, band of rounds left, bands of the gaps up and down."""
    rank = ranks(positions.points)
    ordered = -np.sort(-positions.points, axis=1)
    gaps = np.digitize(ordered[:, :-1] - ordered[:, 1:], _GAPS)
    nothing = np.zeros((len(positions), 1), np.int64)
    above = np.take_along_axis(np.hstack([nothing, gaps]), rank, 1)
    below = np.take_along_axis(np.hstack([gaps, nothing]), rank, 1)
    band = np.digitize(positions.rounds_left, _ROUNDS_LEFT)[:, None]
    widths = len(_GAPS) + 1
    band_and_rank = rank * (len(_ROUNDS_LEFT) + 1) + band
    return np.asarray((band_and_rank * widths + above) * widths + below)
