"""Kernels that count fan: which of the fan found count, and their sum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.kernels.compiling import njit


@njit
def count_fan(
    found: npt.NDArray[np.int8],
    strikes: npt.NDArray[np.bool_],
    points: npt.NDArray[np.int16],
    is_bonus: npt.NDArray[np.bool_],
    otherwise: int,
    totals: npt.NDArray[np.int16],
) -> None:
    """Strike from ``found`` int8[fan, rows] the fan that others imply, and sum the points.

    Fan are taken in order: a fan that is not struck strikes the fan in its row of ``strikes``
    bool[fan, fan]. ``points`` int16[fan] is what a fan gives each time it counts. ``totals``
    int16[2, rows], zero before, gets the sum of the fan and the sum of the bonus fan. ``otherwise``
    is the fan of rows without other fan, -1 if there is no such fan.
    """
    fans, rows = found.shape
    for fan in range(fans):
        for struck in range(fan + 1, fans):
            if strikes[fan, struck]:
                for row in range(rows):
                    if found[fan, row] > 0:
                        found[struck, row] = 0
        sum_of = 1 if is_bonus[fan] else 0
        for row in range(rows):
            totals[sum_of, row] += found[fan, row] * points[fan]
    if 0 <= otherwise < fans:
        for row in range(rows):
            if totals[0, row] == 0:
                found[otherwise, row] = 1
                totals[0, row] = points[otherwise]
