"""Several processes use one lake: no game is stored twice, incomplete or lost."""

from __future__ import annotations

import multiprocessing as mp
import re
from pathlib import Path

import pytest

import paifu
from paifu.lake.lake import Lake
from tests.lake.lake_workers import OWN, SHARED, create, watch, write

pytestmark = pytest.mark.usefixtures("all_processors")

TURNS = 4
"""How often two ingests write to each lake at the same time."""
SPAWN = mp.get_context("spawn")


def meet(places: list[Path], turns: int) -> list[tuple[int, int]]:
    """Let two writers work at the same time; return how many games each stored and skipped."""
    barrier, results = SPAWN.Barrier(2), SPAWN.Queue()
    writers = [
        SPAWN.Process(target=write, args=(places, n, turns, barrier, results)) for n in (0, 1)
    ]
    for process in writers:
        process.start()
    for process in writers:
        process.join(600)
        assert process.exitcode == 0
    return [results.get(timeout=10) for _ in writers]


@pytest.mark.parametrize("lakes", [1, pytest.param(25, marks=pytest.mark.slow)])
def test_two_ingests_of_overlapping_sources_store_each_game_once(
    tmp_path: Path, lakes: int
) -> None:
    places = [tmp_path / f"lake{n}" for n in range(lakes)]
    brought = meet(places, TURNS)
    games = TURNS * (2 * OWN + SHARED)
    assert sum(stored for stored, _ in brought) == lakes * games
    assert sum(skipped for _, skipped in brought) == lakes * TURNS * SHARED
    for place in places:
        with Lake.open(place) as lake:
            for table, rows in (("games", 1), ("seats", 4), ("actions", 20)):
                query = f"SELECT count(*), count(DISTINCT game_id) FROM {table}"
                assert lake.sql(query).fetchall() == [(games * rows, games)], table
            assert lake.sql("SELECT count(*) FROM sources").fetchall() == [(2 * TURNS,)]


def test_a_reader_sees_whole_batches_only(tmp_path: Path) -> None:
    place = tmp_path / "lake"
    Lake.open(place, create=True).close()
    stop, seen = SPAWN.Event(), SPAWN.Queue()
    reader = SPAWN.Process(target=watch, args=(place, stop, seen))
    reader.start()
    meet([place], 3)
    stop.set()
    looks, torn = seen.get(timeout=60)
    reader.join(60)
    assert looks > 0
    assert not torn


def test_two_processes_may_make_one_lake(tmp_path: Path) -> None:
    barrier, results = SPAWN.Barrier(2), SPAWN.Queue()
    place = tmp_path / "lake"
    processes = [SPAWN.Process(target=create, args=(place, n, barrier, results)) for n in (0, 1)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    assert {results.get(timeout=10) for _ in processes} == {0, 1}
    with Lake.open(place) as lake:
        assert lake.sql("SELECT game_id FROM games ORDER BY 1").fetchall() == [(1,), (2,), (3,)]
        assert lake.sql("SELECT count(*) FROM lake_info").fetchall() == [(4,)]


def test_only_another_process_opens_a_catalog_with_pythons_sqlite() -> None:
    """Where DuckDB has it open, closing the file drops the locks of DuckDB."""
    package = Path(paifu.__file__).parent
    importing = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if re.search(r"^\s*(import|from) sqlite3", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert importing == {"sources"}  # other people's databases, which DuckDB does not open
