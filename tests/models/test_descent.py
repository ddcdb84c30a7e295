"""The minimum is found of what curves very differently in different directions."""

from __future__ import annotations

import numpy as np
import pytest

from paifu.models.descent import minimised


@pytest.mark.parametrize("spread", [1, 100, 10_000])
def test_the_minimum_of_a_stretched_bowl(spread: float) -> None:
    rng = np.random.default_rng(0)
    turned = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    curves = turned @ np.diag(np.geomspace(1, spread, 8)) @ turned.T
    least = rng.normal(size=8)

    def bowl(x: np.ndarray) -> tuple[float, np.ndarray]:
        return float((x - least) @ curves @ (x - least) / 2), curves @ (x - least)

    assert minimised(bowl, np.zeros(8), close=1e-8) == pytest.approx(least, abs=1e-6)
