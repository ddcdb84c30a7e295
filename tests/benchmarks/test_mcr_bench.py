"""How fast hands of Chinese Official are scored, beside PyMahjongGB in the same run.

Run: ``pytest tests/benchmarks/test_mcr_bench.py --slow -s``. Speeds are per processor second, so
that what else the machine does matters little; the ratios are what counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent.parent / "rules"))

from mcr_hands import hands_of, other_arguments, random_wins

from paifu.rules.engine import CHUNK, score
from paifu.rules.games.mcr import MCR

pytestmark = pytest.mark.slow


def per_second(count: int, work: Callable[[], object], rounds: int = 3) -> float:
    """Return how many hands a processor second gets through, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return count / best


def test_speed_beside_pymahjonggb() -> None:
    from MahjongGB import MahjongFanCalculator

    wins = list(random_wins(1, 10_000))
    hands = hands_of(wins)[np.tile(np.arange(len(wins)), 2 * CHUNK // len(wins))]
    score(hands[:1000], MCR)  # kernels compiled
    ours = per_second(len(hands), lambda: score(hands, MCR, jobs=1))
    calls = [other_arguments(each) for each in wins]
    theirs = per_second(len(calls), lambda: [MahjongFanCalculator(*each) for each in calls])
    print(f"\nMCR hands a processor second: paifu {ours:,.0f}, PyMahjongGB {theirs:,.0f} "
          f"(× {ours / theirs:.1f})")  # fmt: skip
    assert ours > theirs
