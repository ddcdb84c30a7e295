"""How fast hands of Chinese Official are scored, compared with PyMahjongGB in the same run.

Run: ``pytest tests/benchmarks/test_mcr_bench.py --slow -s``, on a quiet machine with two
processors. Speeds are by the clock; PyMahjongGB uses one processor, because it has no threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from paifu.rules.engine import CHUNK, score
from paifu.rules.games.mcr import MCR
from tests.rules.games.mcr_hands import hands_of, other_arguments, random_wins

pytestmark = pytest.mark.slow


def per_second(count: int, work: Callable[[], object], rounds: int = 5) -> float:
    """Return how many hands are scored per second, in the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return count / best


def test_speed_beside_pymahjonggb() -> None:
    from MahjongGB import MahjongFanCalculator

    wins = list(random_wins(1, 10_000))
    hands = hands_of(wins)[np.tile(np.arange(len(wins)), 4 * CHUNK // len(wins))]
    score(hands[:1000], MCR)  # kernels compiled
    ours = per_second(len(hands), lambda: score(hands, MCR, jobs=2))
    alone = per_second(len(hands), lambda: score(hands, MCR, jobs=1), rounds=2)
    calls = [other_arguments(each) for each in wins]
    theirs = per_second(len(calls), lambda: [MahjongFanCalculator(*each) for each in calls])
    print(f"\nMCR hands a second: paifu {ours:,.0f} on two processors, {alone:,.0f} on one, "
          f"PyMahjongGB {theirs:,.0f} (× {ours / theirs:.1f})")  # fmt: skip
    assert ours > theirs
