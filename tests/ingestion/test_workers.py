"""Worker processes store what one process stores; whichever is killed, nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import paifu
from paifu.errors import PaifuError
from paifu.ingestion import driver, workers
from paifu.lake.forget import forget_game, forget_player
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.schema.tables import PLAY_TABLES
from tests.helpers.processes import python
from tests.helpers.workers import rows_of, start_at_once

COMMITTER = import_module("paifu.ingestion.committer").Committer
TOLD = """
import os, signal, sys
from paifu.host.worker_processes import WorkerProcess
from paifu.ingestion import driver, workers
from paifu.lake.lake import Lake
driver.UNIT_LOGS, workers.ALONE_UNITS = 3, 1
WorkerProcess.ready = property(lambda self: self._made.result() is None)
Lake.transact = lambda self, work: os.kill(os.getpid(), signal.SIGKILL)
driver.ingest(sys.argv[1], sys.argv[2], jobs=2)
"""
"""An ingest that is killed when its files are written and not yet registered."""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the workers after one unit of few logs, and wait until they are ready."""
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    start_at_once(monkeypatch, workers, ALONE_UNITS=1)


def rows(lake: Path) -> dict[str, list[tuple[object, ...]]]:
    return rows_of(lake, PLAY_TABLES)


def files_without_game(lake: Path) -> list[Path]:
    with Lake.open(lake, write=True) as opened:
        return orphans(opened.connection, opened.store)


@pytest.mark.usefixtures("at_once")
def test_the_tables_are_those_of_one_process(simulated: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    alone = paifu.ingest(simulated, one, jobs=1)
    together = paifu.ingest(simulated, two, jobs=2, batch_games=20)
    assert rows(one) == rows(two)
    assert (alone.games, alone.rounds, alone.wins) == (
        together.games, together.rounds, together.wins,
    )  # fmt: skip
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", simulated)
    again = paifu.ingest(packed, two, jobs=2)
    assert (again.games, again.skipped) == (0, alone.games)
    assert {path.name for path in (two / "locks").iterdir()} == {"commits", "readers"}
    assert inspect(two, deep=True).damage == []
    with Lake.open(two) as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(alone.games,)]


@pytest.mark.usefixtures("at_once")
def test_workers_keep_names_and_what_is_forgotten_out(
    simulated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_SALT", "salt")
    place = tmp_path / "lake"
    with Lake.open(place, create=True, names="hash") as lake:
        pass
    first = tmp_path / "first"
    paifu.ingest(simulated, first, jobs=1)
    with Lake.open(first) as lake:
        game, name = lake.sql(
            "SELECT game_id, player FROM seats WHERE NOT anonymous ORDER BY ALL LIMIT 1"
        ).fetchall()[0]
    with Lake.open(place, write=True) as lake:
        forget_game(lake, game)
        forget_player(lake, name)
    paifu.ingest(simulated, place, jobs=2)
    with Lake.open(place) as lake:
        assert lake.sql("SELECT * FROM games WHERE game_id = $game", game=game).fetchall() == []
        named = lake.sql("SELECT DISTINCT player FROM seats").fetchall()
        stored = lake.stored_name(name)
    assert (name,) not in named
    assert (stored,) not in named
    assert len(named) > 1


@pytest.mark.usefixtures("at_once")
def test_a_worker_killed_ends_the_run_and_the_next_run_completes_it(
    simulated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = COMMITTER.commit

    def kills_a_worker(self, prepared, held=None):
        if held is not None:
            os.kill(held.process._process.pid, signal.SIGKILL)
        return commit(self, prepared, held)

    monkeypatch.setattr(COMMITTER, "commit", kills_a_worker)
    lake = tmp_path / "lake"
    with pytest.raises(PaifuError, match=r"worker process ended.*signal 9.*--jobs"):
        paifu.ingest(simulated, lake, jobs=2)
    monkeypatch.setattr(COMMITTER, "commit", commit)
    with Lake.open(lake) as opened:
        assert orphans(opened.connection, opened.store) == []
    done = paifu.ingest(simulated, lake, jobs=2)
    with Lake.open(lake) as opened:
        assert opened.sql("SELECT count(*) FROM games").fetchall() == [(done.games,)]


def ended(what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not what() and time.monotonic() < deadline:
        time.sleep(0.1)
    return what()


def test_workers_end_with_a_killed_run_and_their_files_are_removed(
    simulated: Path, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    done = python("-c", TOLD, str(simulated), str(lake))
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert list((lake / "data").rglob("*.parquet"))
    assert len(list((lake / "locks").glob("writer-*"))) == 2
    assert ended(lambda: files_without_game(lake) == [])
    assert list((lake / "data").rglob("*.parquet")) == []
    assert ended(
        lambda: files_without_game(lake) == [] and not any((lake / "locks").glob("writer-*"))
    )


@pytest.mark.usefixtures("at_once")
def test_a_lake_at_a_url_gets_the_rows_of_workers(
    simulated: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_DATA_PATH", f"{tmp_path / 'elsewhere'}/")
    url = f"ducklake:sqlite:{tmp_path / 'games.sqlite'}"
    paifu.ingest(simulated, url, jobs=2)
    with Lake.open(url) as there, Lake.open(place) as here:
        for name in PLAY_TABLES:
            query = f"SELECT * FROM {name} ORDER BY ALL"
            assert there.sql(query).fetchall() == here.sql(query).fetchall(), name
