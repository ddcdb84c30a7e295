"""How much faster two jobs are than one: ingest, rescore and simulate, in turns in one run.

This is not a timed test: it prints the seconds by the clock of each run, and the processor time of
the process that was started without its own units of work, which is what is not shared out. It also
prints the processor time of all processes: if one job uses more than its seconds by the clock,
threads of its libraries use a second processor already, and two jobs cannot be twice as fast. Run
it alone on a quiet machine; ``PAIFU_BENCH_GAMES`` sets the number of games (default 20,000):

    PAIFU_BENCH_GAMES=5000 pytest tests/benchmarks/test_jobs_bench.py --slow -s -k rescore
"""

from __future__ import annotations

import os
import resource
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

GAMES = int(os.environ.get("PAIFU_BENCH_GAMES", "20000"))
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
    what: str, run: Callable[[int], object], before: Callable[[], object], units: Units,
    print_: Callable[[str], None],
) -> None:  # fmt: skip
    """Run with one job and with two in turns, each after ``before``, and print how long it took."""
    seconds: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    used: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    own: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    for _ in range(RUNS):
        for jobs in JOBS:
            before()
            started, mine, units.seconds = time.perf_counter(), time.process_time(), 0.0
            all_ = spent()
            run(jobs)
            seconds[jobs].append(time.perf_counter() - started)
            used[jobs].append(spent() - all_)
            own[jobs].append(time.process_time() - mine - units.seconds)
    one, two = (min(seconds[jobs]) for jobs in JOBS)
    print_(
        f"{what}: {one:.1f} s with one job ({min(used[1]):.1f} s of processors), {two:.1f} s with "
        f"two ({min(used[2]):.1f} s), {one / two:.2f} times as fast; "
        f"one after the other {1e6 * min(own[2]) / GAMES:.0f} us a game"
    )


def spent() -> float:
    """Return the processor time of this process and of the workers that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


Tell = Callable[[str, Callable[[int], object], Callable[[], object]], None]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str], units: Units) -> Tell:
    """Measure something with one job and with two, and print it."""

    def print_(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    return lambda what, run, before: told(what, run, before, units, print_)


def test_simulate(tmp_path: Path, tell: Tell) -> None:
    tell("simulate", lambda jobs: simulate(tmp_path / "logs.zip", jobs), lambda: None)


def test_ingest(tmp_path: Path, tell: Tell) -> None:
    logs, lake = tmp_path / "logs.zip", tmp_path / "lake"
    simulate(logs, JOBS[-1])

    def ingest(jobs: int) -> None:
        assert paifu.ingest(logs, lake, jobs=jobs).games == GAMES

    tell("ingest", ingest, lambda: shutil.rmtree(lake, ignore_errors=True))


def test_rescore(tmp_path: Path, tell: Tell) -> None:
    logs, lake, copy = tmp_path / "logs.zip", tmp_path / "lake", tmp_path / "copy"
    simulate(logs, JOBS[-1])
    paifu.ingest(logs, lake)

    def again() -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(lake, copy)

    def rescore(jobs: int) -> None:
        assert paifu.rescore(copy, jobs=jobs).count("game") == GAMES

    tell("rescore", rescore, again)
