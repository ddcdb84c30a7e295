"""Re-scoring in worker processes gives what one gives, also while others change the lake."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import paifu
from paifu.audit import lake_audit, workers
from paifu.audit.verdict_writer import VerdictWriter
from paifu.errors import PaifuError
from paifu.host.worker_processes import WorkerProcess
from paifu.lake.compact import compact
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.schema.tables import DERIVED
from tests.helpers.workers import rows_of, start_at_once


@pytest.fixture(scope="module")
def ingested(simulated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ingested") / "lake"
    paifu.ingest(simulated, place, jobs=1)
    return place


@pytest.fixture
def copy(ingested: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(ingested, tmp_path / "lake"))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the workers at once for units of few games, and wait until they are ready."""
    monkeypatch.setattr(lake_audit, "UNIT_GAMES", 4)
    start_at_once(monkeypatch, workers, ALONE_UNITS=1)


def rows(lake: Path) -> dict[str, list[tuple[object, ...]]]:
    return rows_of(lake, DERIVED - {"round_values"})


@pytest.mark.usefixtures("at_once")
def test_the_verdicts_are_those_of_one_process(copy: Path, place: Path) -> None:
    told: list[tuple[int, int]] = []
    report = paifu.rescore(
        copy, jobs=2, batch_games=10, progress=lambda done, total: told.append((done, total))
    )
    assert rows(copy) == rows(place)
    assert told == [(10, 32), (20, 32), (30, 32), (32, 32)]
    assert report.count("game") == 32
    assert inspect(copy, deep=True).damage == []


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_the_verdicts_stay_those_if_all_are_made_again(place: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(place, tmp_path / "lake"))
    again = paifu.rescore(copy, jobs=2, force=True, batch_games=10)
    assert again.count("game") == 32
    assert rows(copy) == rows(place)


def after_the_first(
    monkeypatch: pytest.MonkeyPatch, lake: Path, change: Callable[[Lake], object]
) -> None:
    """Let another writer change the lake after the first verdicts were written."""
    write, done = VerdictWriter.write, []

    def then_others_write(self, units, written):
        write(self, units, written)
        if not done:
            done.append(1)
            with Lake.open(lake, write=True) as other:
                change(other)

    monkeypatch.setattr(VerdictWriter, "write", then_others_write)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("jobs", [1, 2])
def test_games_that_others_move_meanwhile_are_found_again(
    copy: Path, place: Path, simulated: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    with Lake.open(copy, write=True) as lake:  # so that there is something to compact
        (game,) = lake.sql("SELECT min(game_id) FROM games").fetchone() or (0,)
        lake.transact(lambda tx: tx.remove_games([game]))
    after_the_first(monkeypatch, copy, compact)
    paifu.rescore(copy, jobs=jobs, batch_games=8)
    monkeypatch.undo()
    paifu.ingest(simulated, copy, jobs=1, refresh=True)
    assert rows(copy) == {
        name: [row for row in found if game not in row] for name, found in rows(place).items()
    }


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_a_worker_killed_ends_the_run_and_the_next_run_completes_it(
    copy: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = VerdictWriter.write
    ask = WorkerProcess.ask

    def remembers(self, method, *arguments):
        asked.append(self)
        return ask(self, method, *arguments)

    def kills(self, units, written):
        write(self, units, written)
        for worker in asked:
            with suppress(ProcessLookupError):
                os.kill(worker._process.pid, signal.SIGKILL)

    asked: list[WorkerProcess] = []
    monkeypatch.setattr(WorkerProcess, "ask", remembers)
    monkeypatch.setattr(VerdictWriter, "write", kills)
    with pytest.raises(PaifuError, match=r"worker process ended.*signal 9"):
        paifu.rescore(copy, jobs=2, batch_games=4)
    monkeypatch.setattr(VerdictWriter, "write", write)
    with Lake.open(copy) as lake:
        assert orphans(lake.connection, lake.store) == []
    paifu.rescore(copy, jobs=2, batch_games=4)
    assert rows(copy) == rows(place)
