"""How fast hands are scored, compared with two other engines in the same run.

Run: ``pytest tests/benchmarks/test_rules_bench.py --slow -s``. Speeds are per processor second, so
that other work of the machine matters little; look at the ratios.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pyarrow as pa
import pytest

from paifu.rules import rulesets
from paifu.rules.engine import CHUNK, score
from paifu.rules.hands.from_wins import read_wins
from tests.helpers.random_hands import RandomHand, by_mahjong, random_hand, riichienv_call
from tests.helpers.winning_hands import table

pytestmark = pytest.mark.slow
TENHOU = rulesets.get("tenhou-4p")


@pytest.fixture(scope="module")
def hands() -> list[RandomHand]:
    rng = random.Random(1)
    return [random_hand(rng) for _ in range(10_000)]


@pytest.fixture(scope="module")
def wins(hands: list[RandomHand]) -> pa.Table:
    """More than a million wins in memory, as in table ``wins``."""
    once = table([hand.row() for hand in hands])
    return pa.concat_tables([once] * 100).combine_chunks()


def per_second(count: int, work: Callable[[], object], rounds: int = 3) -> float:
    """Return how many hands are scored per processor second, in the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return count / best


def test_speed_beside_mahjong_and_riichienv(hands: list[RandomHand], wins: pa.Table) -> None:
    some = wins.slice(0, 2 * CHUNK)
    score(read_wins(some), TENHOU, jobs=1)  # kernels compiled, plan made
    ours = per_second(len(some), lambda: score(read_wins(some), TENHOU, jobs=1))

    few = hands[:2000]
    mahjong = per_second(len(few), lambda: [by_mahjong(hand) for hand in few])
    calls = [riichienv_call(hand) for hand in hands]

    def riichienv() -> None:
        for evaluator, made_of, called_with in calls:
            evaluator(*made_of).calc(*called_with)

    rust = per_second(len(calls), riichienv)
    print(
        f"\nhands a processor second: paifu {ours:,.0f} from table wins to scored columns, "
        f"mahjong {mahjong:,.0f} (× {ours / mahjong:.0f}), "
        f"riichienv {rust:,.0f} (× {ours / rust:.1f})"
    )
    assert ours > 30 * mahjong
    assert ours > rust


def test_wins_a_second_on_all_cores(wins: pa.Table) -> None:
    start = time.perf_counter()
    found = score(read_wins(wins), TENHOU)
    seconds = time.perf_counter() - start
    print(f"\n{len(wins):,} wins in {seconds:.2f} s: {len(wins) / seconds:,.0f} wins a second")
    assert len(found.wins) == len(wins)
