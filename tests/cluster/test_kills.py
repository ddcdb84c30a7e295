"""A scheduler that is killed ends the run in one line, and the next run does the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

import paifu
from paifu.host import cluster as cluster_module
from paifu.host.cluster import ClusterError
from paifu.ingestion import driver
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.schema.tables import PLAY_TABLES
from tests.helpers.clusters import Processes, kill

pytestmark = pytest.mark.slow


def test_a_scheduler_killed_midway_is_told_and_the_next_run_does_the_rest(
    simulated: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    lake, folder = tmp_path / "lake", tmp_path / "cluster"
    folder.mkdir()
    with Processes(folder, workers=1) as processes:

        def kills(done: int, games: int) -> None:
            if games and processes.scheduler.returncode is None:
                kill(processes.scheduler)

        with pytest.raises(ClusterError, match=r"the scheduler at .* was lost"):
            paifu.ingest(
                simulated, lake, scheduler=processes.address, batch_games=4, progress=kills
            )
    paifu.ingest(simulated, lake, jobs=1)
    with Lake.open(lake) as ours, Lake.open(place) as theirs:
        for name in PLAY_TABLES:
            query = f"SELECT * FROM {name} ORDER BY ALL"
            assert ours.sql(query).fetchall() == theirs.sql(query).fetchall(), name
        assert orphans(ours.connection, ours.store) == []


def test_a_cluster_whose_workers_have_all_ended_is_told(
    simulated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    monkeypatch.setattr(cluster_module, "_WORKERLESS_S", 3.0)
    folder = tmp_path / "cluster"
    folder.mkdir()
    with Processes(folder, workers=1) as processes:

        def kills(done: int, games: int) -> None:
            if games and processes.workers[0].returncode is None:
                kill(processes.workers[0])

        for _ in range(2):  # midway, and from the beginning
            with pytest.raises(ClusterError, match="has no worker: start some with dask worker"):
                paifu.ingest(
                    simulated, tmp_path / "lake", scheduler=processes.address, batch_games=4,
                    progress=kills,
                )  # fmt: skip
