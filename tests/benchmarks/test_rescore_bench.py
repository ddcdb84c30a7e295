"""How fast re-scoring is: from table ``wins`` in memory to verdicts, and over a whole lake.

This is not a timed test: figures are printed and kept in ``extra_info``; the test asserts only that
the work was done and that verdicts agree. Run it alone on a quiet machine:

    pytest tests/benchmarks/test_rescore_bench.py --slow -s
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import paifu
from paifu.audit.lake_reader import read_play
from paifu.audit.wide_rounds import Play
from paifu.audit.win_checks import audit_wins, score_wins
from paifu.game.wall import regenerate
from paifu.lake.lake import Lake
from paifu.rules import rulesets

pytestmark = pytest.mark.slow

WINS = 1_000_000
BATCH = 200_000
JOBS = 2
ROUNDS = 200_000
TENHOU = rulesets.get("tenhou-4p")


@pytest.fixture(scope="module")
def lake(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench") / "corpus.lake"
    paifu.ingest(corpus / "mjlog", folder)
    return folder


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Return the shortest of several runs in seconds, after one run to warm up."""
    work()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def many(play: Play, wins: int) -> Play:
    """Return the wins of a play repeated, as wins of different games."""
    copies = -(-wins // len(play.wins))

    def repeated(frame: pl.DataFrame, key: list[str]) -> pl.DataFrame:
        others = [
            frame.with_columns(game_id=pl.col("game_id") // copies * copies + copy)
            for copy in range(copies)
        ]
        return pl.concat(others).sort(key).rechunk()

    key = ["game_id", "round_index", "win_index"]
    return replace(play, wins=repeated(play.wins, key), win_yaku=repeated(play.win_yaku, key))


def test_wins_in_memory_to_verdicts(lake, benchmark):
    with Lake.open(lake) as opened:
        games = opened.sql("SELECT game_id FROM games WHERE ruleset = 'tenhou-4p'").pl()
        play = many(read_play(opened.connection, games, 4), BATCH)
    batches = WINS // BATCH

    def audited() -> int:
        def one(_: int) -> int:
            verdicts = audit_wins(play, score_wins(play, TENHOU), TENHOU, 1)
            return verdicts.counts["win"]["match"]

        with ThreadPoolExecutor(JOBS) as pool:
            return sum(pool.map(one, range(batches)))

    assert audited() == batches * len(play.wins)
    scored = best_of(2, lambda: [score_wins(play, TENHOU) for _ in range(batches)])
    seconds = benchmark.pedantic(lambda: best_of(3, audited), rounds=1)
    total = batches * len(play.wins)
    print(
        f"\n{total:,} wins to verdicts in {seconds:.2f} s: {total / seconds:,.0f} wins/s"
        f" (scoring alone {total / scored:,.0f} wins/s)"
    )
    benchmark.extra_info.update(wins_per_second=total / seconds, scored_per_second=total / scored)


def test_a_whole_lake_read_audited_and_written(lake, benchmark):
    report = benchmark.pedantic(lambda: paifu.rescore(lake, force=True, jobs=JOBS), rounds=2)
    assert report.disagreements == 0
    wins = report.count("win")
    print(f"\n{wins:,} wins of {report.count('game'):,} games in {report.seconds:.2f} s")
    benchmark.extra_info.update(wins=wins, games=report.count("game"), seconds=report.seconds)


def test_walls_from_seeds(benchmark):
    random = np.random.default_rng(1)
    games = ROUNDS // 10
    keys = list(random.integers(0, 2**32, (games, 624), dtype=np.uint32))
    rounds, aka = np.full(games, 10), np.ones(games, dtype=bool)
    kind = "mt19937ar-sha512-n288-base64"
    walls = benchmark.pedantic(lambda: regenerate(kind, 4, keys, rounds, aka), rounds=2)
    assert walls is not None
    assert walls.tiles.shape == (ROUNDS, 136)
    if not benchmark.stats:  # benchmarks are switched off
        return
    seconds = benchmark.stats.stats.min
    print(f"\n{ROUNDS:,} walls in {seconds:.2f} s")
    benchmark.extra_info["walls_per_second"] = ROUNDS / seconds
