"""How much faster two jobs are than one: ingest, rescore and simulate, in turns in one run.

This is not a timed test: it prints the seconds by the clock of each run, and the processor time of
the process that was started without its own units of work, which is what is not shared out. Run it
alone on a quiet machine:

    pytest tests/benchmarks/test_jobs_bench.py --slow -s
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.audit import workers as audit
from paifu.ingestion import workers as ingestion
from paifu.lake.staging import Staged
from paifu.rules import rulesets
from paifu.simulate import workers as simulation
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


class Units:
    """The processor time of units of work in this process."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, which adds its time."""

        def call(*args: Any, **kws: Any) -> Any:
            started = time.process_time()
            try:
                return work(*args, **kws)
            finally:
                self.seconds += time.process_time() - started

        return call


@pytest.fixture
def units(monkeypatch: pytest.MonkeyPatch) -> Units:
    """The units that this process does itself, beside those of its workers."""
    found = Units()
    for owner, name in (
        (ingestion, "prepare"), (ingestion, "store"), (Staged, "finish"),
        (audit.Auditor, "audit"), (simulation.Worker, "files"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, name, found.timed(getattr(owner, name)))
    return found


def told(
    what: str, run: Callable[[int], object], units: Units, print_: Callable[[str], None]
) -> None:
    """Run with one job and with two in turns, and print how long each took."""
    seconds: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    own: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    for _ in range(RUNS):
        for jobs in JOBS:
            started, used, units.seconds = time.perf_counter(), time.process_time(), 0.0
            run(jobs)
            seconds[jobs].append(time.perf_counter() - started)
            own[jobs].append(time.process_time() - used - units.seconds)
    one, two = (min(seconds[jobs]) for jobs in JOBS)
    print_(
        f"{what}: {one:.1f} s with one job, {two:.1f} s with two, {one / two:.2f} times as fast; "
        f"one after the other {1e6 * min(own[2]) / GAMES:.0f} us a game"
    )


def test_two_jobs_beside_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], units: Units
) -> None:
    def print_(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    logs, lake, copy = tmp_path / "logs.zip", tmp_path / "lake", tmp_path / "copy"
    told("simulate", lambda jobs: simulate(logs, jobs), units, print_)

    def ingest(jobs: int) -> None:
        shutil.rmtree(lake, ignore_errors=True)
        assert paifu.ingest(logs, lake, jobs=jobs).games == GAMES

    told("ingest", ingest, units, print_)

    def rescore(jobs: int) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(lake, copy)
        assert paifu.rescore(copy, jobs=jobs).count("game") == GAMES

    told("rescore", rescore, units, print_)
