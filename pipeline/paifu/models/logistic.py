"""Logistic regression with a ridge, by Newton's method."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.models.permutations import Floats

_STEPS = 30
_CLOSE = 1e-8


def fitted(seen: Floats, happened: npt.NDArray[np.bool_], ridge: float = 0.1) -> Floats:
    """Return the weights (features,) for ``seen`` (n, features) and events (n,).

    The ridge holds weights near zero that the rows say little about, also those of columns that
    are always zero.

    >>> rows = np.repeat([[1.0, 0.0], [1.0, 1.0]], 4, axis=0)
    >>> events = np.array([0, 0, 0, 1, 0, 1, 1, 1], bool)
    >>> chances(rows[[0, 4]], fitted(rows, events, ridge=1e-9)).round(3).tolist()
    [0.25, 0.75]
    """
    weights = np.zeros(seen.shape[1])
    for _ in range(_STEPS):
        said = chances(seen, weights)
        slope = seen.T @ (happened - said) - ridge * weights
        curve = (seen * (said * (1 - said))[:, None]).T @ seen + ridge * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < _CLOSE:
            break
    return weights


def chances(seen: Floats, weights: Floats) -> Floats:
    """Return the chance of the event for each row."""
    return np.asarray(1 / (1 + np.exp(-(seen @ weights))))


def losses(said: Floats, happened: npt.NDArray[np.bool_]) -> Floats:
    """Return the log loss of each row; nothing if what is certain happens."""
    right = np.where(happened, said, 1 - said)
    return np.asarray(-np.log(np.maximum(right, 1e-300)))
