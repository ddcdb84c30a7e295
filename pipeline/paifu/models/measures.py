"""How good chances are: log loss, paired differences, and calibration with errors by game.

Rounds of one game end alike, so all standard errors count games, not rounds (errors clustered by
game: Cochran, *Sampling Techniques*, ch. 6, a ratio of sums).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.models.permutations import Floats

BANDS = 10
"""Equally large bands of chances in which calibration is looked at."""

Games = npt.NDArray[np.int64]
"""(n,) The number of the game of each row, from 0."""


def log_loss(chances: Floats, places: npt.NDArray[np.int8]) -> Floats:
    """Return each position's mean log loss over its seats, (n,).

    ``chances`` is (n, players, players), ``places`` (n, players) with 0 for first.
    """
    seen = np.take_along_axis(chances, places[:, :, None].astype(np.int64), 2)[:, :, 0]
    return np.asarray(-np.log(seen).mean(axis=1))


def mean_and_error(values: Floats, games: Games) -> tuple[float, float]:
    """Return the mean of the rows and its standard error, clustered by game.

    >>> mean_and_error(np.array([1.0, 1.0, 3.0, 3.0]), np.array([0, 0, 1, 1]))[0]
    2.0
    """
    mean = float(values.mean())
    sums = np.bincount(games, values - mean)
    return mean, float(np.sqrt((sums**2).sum()) / len(values))


@dataclass(frozen=True, slots=True)
class Band:
    """A band of chances: what was said, what happened, and how far apart in standard errors."""

    n: int
    said: float
    seen: float
    z: float


def calibration(
    chances: Floats, happened: npt.NDArray[np.bool_], games: Games
) -> tuple[float, list[Band]]:
    """Return the expected calibration error and the bands, for chances (n,) of one event."""
    order = np.argsort(chances, kind="stable")
    bands = []
    for rows in np.array_split(order, BANDS):
        off = happened[rows] - chances[rows]
        said, seen = float(chances[rows].mean()), float(happened[rows].mean())
        by_game = (np.bincount(games[rows], off) ** 2).sum()
        # of rare events too few may be seen to tell how much their number varies
        error = np.sqrt(max(by_game, (chances[rows] * (1 - chances[rows])).sum()))
        z = float(off.sum() / error) if error else 0.0
        bands.append(Band(len(rows), said, seen, z))
    total = sum(abs(band.said - band.seen) * band.n for band in bands)
    return total / len(chances), bands
