"""How much faster two workers of a cluster are than one: ingest, rescore and simulate, in turns.

Each cluster is a scheduler and workers, processes that talk over TCP on this machine. This is not a
timed test: it prints the seconds by the clock of each run, and the processor time of the process
that decides and commits. Run it alone on a quiet machine:

    pytest tests/benchmarks/test_cluster_bench.py --slow -s
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

import paifu
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.log_files import Output
from paifu.simulate.workers import written_games
from tests.helpers.clusters import Processes

pytest.importorskip("distributed", reason="no distributed: pip install 'paifu[cluster]'")

from paifu.host.cluster import Cluster

pytestmark = pytest.mark.slow

GAMES = 20_000
RUNS = 3


def test_two_workers_beside_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs, lake, copy = tmp_path / "logs.zip", tmp_path / "lake", tmp_path / "copy"

    def simulate(cluster: Cluster) -> None:
        rules = rulesets.get("tenhou-4p")
        flow = flow_of(rules, 4, "south", True, True)
        with Output(logs) as output:
            for files in written_games(GAMES, 7, rules, flow, ["mjlog"], 1, cluster, deflate=True):
                for name, data in files:
                    output.add(name, data)

    def ingest(cluster: Cluster) -> None:
        shutil.rmtree(lake, ignore_errors=True)
        assert paifu.ingest(logs, lake, scheduler=cluster).games == GAMES

    def rescore(cluster: Cluster) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(lake, copy)
        assert paifu.rescore(copy, scheduler=cluster).count("game") == GAMES

    with ExitStack() as started:
        clusters: dict[int, Cluster] = {}
        for workers in (1, 2):
            folder = tmp_path / f"of-{workers}"
            folder.mkdir()
            processes = started.enter_context(Processes(folder, workers))
            clusters[workers] = started.enter_context(Cluster(processes.address))
            clusters[workers].client.wait_for_workers(workers)
        for run in (simulate, ingest, rescore):
            with capsys.disabled():
                print("\n" + told(run, clusters), flush=True)


def told(run: Callable[[Cluster], None], clusters: dict[int, Cluster]) -> str:
    """Run on each cluster in turns, and return how long each took."""
    seconds: dict[int, list[float]] = {workers: [] for workers in clusters}
    own: list[float] = []
    for _ in range(RUNS):
        for workers, cluster in clusters.items():
            started, used = time.perf_counter(), time.process_time()
            run(cluster)
            seconds[workers].append(time.perf_counter() - started)
            own.append(time.process_time() - used)
    one, two = (min(seconds[workers]) for workers in clusters)
    pairs = ", ".join(f"{a / b:.2f}" for a, b in zip(*seconds.values(), strict=True))
    return (
        f"{run.__name__}: {one:.1f} s with one worker, {two:.1f} s with two, {one / two:.2f} times "
        f"as fast (pairs: {pairs}); in the process that commits {1e6 * min(own) / GAMES:.0f} us "
        "a game"
    )
