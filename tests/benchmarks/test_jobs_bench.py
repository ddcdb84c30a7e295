"""How much faster two jobs are than one: ingest, rescore and simulate, in turns in one run.

This is not a timed test: it prints the seconds by the clock of each run, and the processor time of
the process that was started, which is what is not shared out. Run it alone on a quiet machine:

    pytest tests/benchmarks/test_jobs_bench.py --slow -s
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import paifu
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.log_files import Output
from paifu.simulate.workers import written_games

pytestmark = pytest.mark.slow

GAMES = 20_000
RUNS = 3
JOBS = (1, 2)


def simulate(path: Path, jobs: int) -> None:
    rules = rulesets.get("tenhou-4p")
    flow = flow_of(rules, 4, "south", True, True)
    with Output(path) as output:
        for files in written_games(GAMES, 7, rules, flow, ["mjlog"], jobs, deflate=True):
            for name, data in files:
                output.add(name, data)


def told(what: str, run: Callable[[int], object], print_: Callable[[str], None]) -> None:
    """Run with one job and with two in turns, and print how long each took."""
    seconds: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    own: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    for _ in range(RUNS):
        for jobs in JOBS:
            started, used = time.perf_counter(), time.process_time()
            run(jobs)
            seconds[jobs].append(time.perf_counter() - started)
            own[jobs].append(time.process_time() - used)
    one, two = (min(seconds[jobs]) for jobs in JOBS)
    print_(
        f"{what}: {one:.1f} s with one job, {two:.1f} s with two, {one / two:.2f} times as fast; "
        f"in the process itself {1e6 * min(own[2]) / GAMES:.0f} us a game"
    )


def test_two_jobs_beside_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def print_(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    logs, lake, copy = tmp_path / "logs.zip", tmp_path / "lake", tmp_path / "copy"
    told("simulate", lambda jobs: simulate(logs, jobs), print_)

    def ingest(jobs: int) -> None:
        shutil.rmtree(lake, ignore_errors=True)
        assert paifu.ingest(logs, lake, jobs=jobs).games == GAMES

    told("ingest", ingest, print_)

    def rescore(jobs: int) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(lake, copy)
        assert paifu.rescore(copy, jobs=jobs).count("game") == GAMES

    told("rescore", rescore, print_)
