"""A cluster does what one process does, and tells no secret; if it cannot, it says why."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.audit import lake_audit
from paifu.audit.lake_audit import rescore
from paifu.cli.clusters import cluster_for
from paifu.cli.commands.ingest import KERNELS
from paifu.cli.main import run
from paifu.errors import SourceError
from paifu.host import cluster as cluster_module
from paifu.ingestion import driver
from paifu.ingestion.cluster_workers import Logs
from paifu.ingestion.units import units
from paifu.lake.forget import forget_game, forget_player
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.rules import rulesets
from paifu.schema.tables import PLAY_TABLES
from paifu.simulate import workers
from paifu.simulate.flow import flow_of
from paifu.sources.containers import open_sources
from tests.formats.score_sheet.sheets import MCR_ROUNDS, RESULTS, RIICHI, table, workbook
from tests.helpers.clusters import Processes, kill
from tests.helpers.processes import python

DRIVER = """
import os, signal, sys
from paifu.ingestion import driver
from paifu.lake.lake import Lake
driver.UNIT_LOGS = 3
transact, done = Lake.transact, []
def second_is_the_last(self, work):
    done.append(work)
    return os.kill(os.getpid(), signal.SIGKILL) if len(done) == 2 else transact(self, work)
Lake.transact = second_is_the_last
driver.ingest(sys.argv[1], sys.argv[2], scheduler=sys.argv[3], batch_games=8)
"""
"""An ingest that is killed when the files of its second batch are written and not registered."""

AUDIT_TABLES = (
    "verdicts", "verdict_fields", "scored_wins", "scored_yaku", "computed_results", "walls", "luck",
)  # fmt: skip


@pytest.fixture(autouse=True)
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    monkeypatch.setattr(lake_audit, "UNIT_GAMES", 3)


def rows(lake: Path, tables: tuple[str, ...] = PLAY_TABLES) -> dict[str, list[tuple[Any, ...]]]:
    with Lake.open(lake) as opened:
        return {
            name: opened.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for name in tables
        }


def unregistered(lake: Path) -> list[Path]:
    with Lake.open(lake) as opened:
        return orphans(opened.connection, opened.store)


def test_ingest_and_rescore_give_the_tables_of_one_process(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    done = paifu.ingest(simulated, lake, scheduler=cluster.address, batch_games=20)
    assert rows(lake) == rows(place)
    judged = rescore(lake, scheduler=cluster.address, batch_games=10)
    assert judged.count("game") == done.games
    assert rows(lake, AUDIT_TABLES) == rows(place, AUDIT_TABLES)
    for kind in ("zip", "gztar"):  # a worker reads the zip itself, and gets the logs of the tar
        packed = shutil.make_archive(str(tmp_path / "packed"), kind, simulated)
        again = paifu.ingest(packed, lake, scheduler=cluster.address)
        assert (again.games, again.skipped) == (0, done.games)
    assert {path.name for path in (lake / "locks").iterdir()} == {"commits", "readers"}
    assert inspect(lake, deep=True).damage == []
    assert unregistered(lake) == []


def test_score_sheets_give_the_tables_of_one_process(cluster: Processes, tmp_path: Path) -> None:
    """Also a game that a later sheet corrects, and one that is refused."""
    book = tmp_path / "book"
    book.mkdir()
    changed = [*MCR_ROUNDS[:2], (*[""] * 6, 2, "", "Aiko", "", "", 60, -20, -20, -20)]
    (book / "1.csv").write_bytes(table(*MCR_ROUNDS))
    (book / "2.xlsx").write_bytes(workbook(*changed))
    days = [(f"2026-12-{day:02}", *RIICHI[1:], 41000, 29000, 22000, 28000) for day in range(1, 25)]
    (book / "3.csv").write_bytes(table(RESULTS, *days, ("2026-12-31", *RIICHI[1:], "x", 1, 1, 1)))
    alone, together = tmp_path / "alone", tmp_path / "together"
    one = paifu.ingest(book, alone)
    done = paifu.ingest(book, together, scheduler=cluster.address)
    assert (done.games, done.superseded, done.rejected) == (25, 1, 1)
    assert (one.games, one.superseded, one.rejected) == (25, 1, 1)
    rescore(alone)
    rescore(together, scheduler=cluster.address)
    tables = (*PLAY_TABLES, *AUDIT_TABLES)
    assert rows(together, tables) == rows(alone, tables)
    assert unregistered(together) == []


def test_a_worker_reads_logs_in_files_itself_unless_the_file_is_another(
    simulated: Path, tmp_path: Path
) -> None:
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", simulated)
    for source in (packed, simulated):
        (unit,) = units(open_sources([source]), 500, lambda source: False)
        logs = Logs.of(unit)
        assert logs.sent == 0
        assert logs.unit().items == unit.items
    (unit,) = units(open_sources([packed]), 500, lambda source: False)
    logs = Logs.of(unit)
    with Path(packed).open("ab") as file:
        file.write(b"more")
    with pytest.raises(SourceError, match=r"packed.zip is another file on"):
        logs.unit()


def test_simulate_gives_the_bytes_of_one_process(
    cluster: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "BATCH", 2)
    rules = rulesets.get("tenhou-4p")
    flow = flow_of(rules, 4, "south", True, True)
    given = 5, 3, rules, flow, ["mjlog", "mjai"]
    alone = list(workers.written_games(*given, jobs=1))
    with cluster_module.Cluster(cluster.address) as connected:
        assert list(workers.written_games(*given, jobs=1, cluster=connected)) == alone


def test_names_and_what_is_forgotten_stay_out_and_no_process_logs_them(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    salt = "a salt that nobody sees"
    monkeypatch.setenv("PAIFU_SALT", salt)
    lake = tmp_path / "lake"
    with Lake.open(place) as known:
        game, name = known.sql(
            "SELECT game_id, player FROM seats WHERE NOT anonymous ORDER BY ALL LIMIT 1"
        ).fetchall()[0]
    with Lake.open(lake, create=True, names="hash") as opened:
        forget_game(opened, game)
        forget_player(opened, name)
    paifu.ingest(simulated, lake, scheduler=cluster.address)
    with Lake.open(lake) as opened:
        assert opened.sql("SELECT * FROM games WHERE game_id = $game", game=game).fetchall() == []
        named = {player for (player,) in opened.sql("SELECT DISTINCT player FROM seats").fetchall()}
        assert not {name, opened.stored_name(name)} & named
        assert len(named) > 1
    with (
        cluster_module.Cluster(cluster.address) as connected,
        connected.workers("paifu.simulate.workers:Worker", salt, name, 0, 0) as asked,
        pytest.raises(AttributeError),  # what fails is logged without what it was given
    ):
        asked.ask("no_method", salt, name).result()
    told = cluster.logs()
    assert "Compute Failed" in told
    assert salt not in told
    assert name not in told


def test_a_worker_killed_midway_costs_nothing(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path
) -> None:
    third = cluster.add_worker()
    lake = tmp_path / "lake"
    with cluster_module.Cluster(cluster.address) as connected:
        connected.client.wait_for_workers(3, timeout=60)
        killed = []

        def kills(done: int, games: int) -> None:
            if games and not killed:
                killed.append(kill(third))

        paifu.ingest(simulated, lake, scheduler=connected, batch_games=4, progress=kills)
    assert killed
    assert rows(lake) == rows(place)
    assert unregistered(lake) == []


@pytest.mark.slow
def test_after_the_driver_was_killed_the_next_run_does_the_rest(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    killed = python("-c", DRIVER, str(simulated), str(lake), cluster.address)
    assert killed.returncode == -9, killed.stderr
    assert unregistered(lake)
    with Lake.open(lake) as opened:
        (before,) = opened.sql("SELECT count(*) FROM games").fetchone()
    done = paifu.ingest(simulated, lake, scheduler=cluster.address)
    assert 0 < done.games < done.games + before
    assert rows(lake) == rows(place)
    assert unregistered(lake) == []


def version(of: str, what: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Return a change: the scheduler or its workers have another version of something."""

    def change(monkeypatch: pytest.MonkeyPatch) -> None:
        asked = cluster_module.distributed.Client.get_versions

        def answer(self: Any, **options: Any) -> Any:
            found = asked(self, **options)
            them = [found["scheduler"]] if of == "scheduler" else found["workers"].values()
            for one in them:
                one["packages"][what] = "3.10.1.final.0"
            return found

        monkeypatch.setattr(cluster_module.distributed.Client, "get_versions", answer)

    return change


def other_paifu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "__version__", "99.1")


def no_distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "distributed", None)


@pytest.fixture
def status_and_line(
    simulated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., tuple[int, str]]]:
    def result(address: str, *options: str) -> tuple[int, str]:
        lake = str(tmp_path / "lake")
        status = run(["ingest", str(simulated), "--lake", lake, "--scheduler", address, *options])
        told = capsys.readouterr().err.strip()
        assert "\n" not in told
        return status, told

    return result


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        (
            version("scheduler", "python"),
            3,
            "the scheduler at tcp://.* has Python 3.10.1, and here",
        ),
        (version("worker", "python"), 3, "the worker tcp://.* has Python 3.10.1, and here"),
        (version("worker", "distributed"), 3, "the worker tcp://.* has distributed 3.10.1"),
        (other_paifu, 3, "the scheduler at tcp://.* has paifu .*, and here is paifu 99.1"),
        (no_distributed, 2, r"pip install 'paifu\[cluster\]'"),
    ],
    ids=["scheduler", "python", "distributed", "paifu", "nothing"],
)
def test_versions_that_differ_are_told_in_one_line(
    cluster: Processes, monkeypatch: pytest.MonkeyPatch, status_and_line, change, status, told
) -> None:
    change(monkeypatch)
    found, line = status_and_line(cluster.address)
    assert found == status
    assert re.search(told, line)


def test_what_is_no_scheduler_is_told_in_one_line(monkeypatch, status_and_line) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECTING_S", 0.5)
    status, line = status_and_line("tcp://127.0.0.1:1")
    assert (status, line) == (
        3,
        "paifu: no scheduler answers at tcp://127.0.0.1:1: correct the address, or start one with "
        "dask scheduler",
    )
    status, line = status_and_line("tcp://127.0.0.1:1", "--jobs", "2")
    assert status == 2
    assert "--jobs" in line


def test_a_worker_that_cannot_write_is_told_in_one_line(
    cluster: Processes, tmp_path: Path, status_and_line
) -> None:
    Lake.open(tmp_path / "lake", create=True).close()
    (tmp_path / "lake" / "data" / "main").write_bytes(b"")
    status, line = status_and_line(cluster.address)
    assert status == 3
    assert "on the worker tcp://127.0.0.1:" in line
    assert str(tmp_path / "lake" / "data" / "main") in line


@pytest.mark.slow
def test_workers_without_compiled_kernels_are_told(
    cluster: Processes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third = cluster.add_worker(NUMBA_CACHE_DIR=str(tmp_path / "nothing"))
    with cluster_module.Cluster(cluster.address) as connected:
        connected.client.wait_for_workers(3, timeout=60)
    with cluster_for(cluster.address, None, KERNELS, "ingest"):
        told = capsys.readouterr().err
    assert told.startswith("1 of 3 workers compile the kernels of ingest")
    kill(third)
