"""A cluster fills a lake with its catalog in PostgreSQL and its files in an object store."""

from __future__ import annotations

from pathlib import Path

import pytest

import paifu
from paifu.audit.lake_audit import rescore
from paifu.ingestion import driver
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.schema.tables import PLAY_TABLES
from tests.helpers.clusters import Processes
from tests.helpers.servers import Servers

pytestmark = pytest.mark.slow


def test_workers_write_to_a_store_and_read_from_it(
    servers: Servers, simulated: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cluster"
    folder.mkdir()
    lake = servers.lake(tmp_path, "clustered").relative_to(tmp_path)
    with Processes(folder, 2, **servers.settings()) as processes:
        done = paifu.ingest(simulated, lake, scheduler=processes.address, batch_games=20)
        judged = rescore(lake, scheduler=processes.address)
    assert judged.count("game") == done.games
    with Lake.open(lake) as ours, Lake.open(place) as theirs:
        for name in (*PLAY_TABLES, "verdicts"):
            query = f"SELECT * FROM {name} ORDER BY ALL"
            assert ours.sql(query).fetchall() == theirs.sql(query).fetchall(), name
    assert inspect(lake, deep=True).damage == []
