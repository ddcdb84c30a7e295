"""Minimises a smooth convex function of some dozens of numbers (L-BFGS)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from paifu.models.permutations import Floats

_MEMORY = 20
_ENOUGH = 1e-4
"""The least part of the decrease that the slope promises for a step to be taken."""


def minimised(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    steps: int = 500,
    close: float = 1e-6,
) -> Floats:
    """Return where ``function``, which gives its value and gradient, is least.

    Stops when every number of the gradient is within ``close`` of zero. Each direction is that of
    Nocedal & Wright, *Numerical Optimization*, algorithm 7.4, with halved steps.

    >>> def bowl(x):
    ...     return float(((x - 3) ** 2).sum()), 2 * (x - 3)
    >>> minimised(bowl, np.zeros(2)).round(4).tolist()
    [3.0, 3.0]
    """
    at = start
    value, slope = function(at)
    past: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    for _ in range(steps):
        if np.abs(slope).max() < close:
            break
        direction = _direction(slope, past)
        promised, step = float(slope @ direction), 1.0
        while True:
            there = at + step * direction
            value_there, slope_there = function(there)
            if value_there <= value + _ENOUGH * step * promised or step < 1e-10:
                break
            step /= 2
        moved, bent = there - at, slope_there - slope
        if moved @ bent > 0:
            past.append((moved, bent))
        at, value, slope = there, value_there, slope_there
    return at


def _direction(slope: Floats, past: deque[tuple[Floats, Floats]]) -> Floats:
    """Return the direction of descent by the curvature that the last steps showed."""
    direction = -slope
    if not past:
        return direction / max(1.0, float(np.abs(slope).max()))
    parts = []
    for moved, bent in reversed(past):
        part = moved @ direction / (moved @ bent)
        direction = direction - part * bent
        parts.append(part)
    moved, bent = past[-1]
    direction = direction * (moved @ bent) / (bent @ bent)
    for (moved, bent), part in zip(past, reversed(parts), strict=True):
        direction = direction + (part - bent @ direction / (moved @ bent)) * moved
    return direction
