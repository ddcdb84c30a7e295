"""A year of games: the time of every named statistic, and the size of the lake and of its logs.

The year is 200,000 games played by ``paifu simulate``, ingested, re-scored, valued and compacted,
which takes half an hour on two cores. ``PAIFU_BENCH_GAMES`` sets a smaller number of games. The few
players of simulated games are then replaced by thousands, who play more or less often, several
games in an evening, and whose R follows from their results: so ``rating`` and other statistics of
players have as much to do as with a year of a real room. ``PAIFU_BENCH_YEAR`` names a folder: if it
has ``year.zip`` and ``lake`` (from an earlier run, or made by hand), they are used; otherwise they
are made there. ``PAIFU_BENCH_THREADS`` is the number of threads of DuckDB, 1 for one core. Run it
alone on a quiet machine:

    PAIFU_BENCH_THREADS=1 pytest tests/benchmarks/test_stats_bench.py --slow -s
"""

from __future__ import annotations

import os
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import paifu
from paifu.cli.main import run as command
from paifu.lake.compact import compact
from paifu.lake.connection import CATALOG
from paifu.lake.lake import Lake, Transaction
from paifu.query.statistics import run, statistics
from paifu.schema.tables import DERIVED

pytestmark = pytest.mark.slow

YEAR = 200_000
GAMES = int(os.environ.get("PAIFU_BENCH_GAMES", YEAR))
SEED = 2026
THREADS = os.environ.get("PAIFU_BENCH_THREADS")
RUNS = 3
SECONDS = 1.0
"""A statistic may take this long if its data was read before."""
SECONDS_OF_ACTIONS = 3.0
"""The same for a statistic that scans every act."""
GAMES_PER_PLAYER = 25
"""A year of Tenhou's highest room has 200,000 games of about 8,000 players."""
AT_ONCE = 3.5
"""Players who play in an hour, for each game of the hour: some play a second one."""
GZIP_FRAME = 18
"""Bytes that a gzip file has besides its deflated data, and its name plus one byte."""


@dataclass(frozen=True)
class Year:
    """The games as logs, and as a lake."""

    logs: Path
    lake: Path
    games: int

    @property
    def gzipped(self) -> int:
        """Bytes of the logs, each gzipped by itself."""
        with zipfile.ZipFile(self.logs) as archive:
            return sum(
                entry.compress_size + GZIP_FRAME + len(Path(entry.filename).name) + 1
                for entry in archive.infolist()
            )


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    given = os.environ.get("PAIFU_BENCH_YEAR")
    folder = Path(given) if given else tmp_path_factory.mktemp("year")
    folder.mkdir(exist_ok=True, parents=True)
    logs, lake = folder / "year.zip", folder / "lake"
    if not logs.exists():
        command(["simulate", "--games", str(GAMES), "--seed", str(SEED), "--out", str(logs)])
    if not lake.exists():
        started = time.perf_counter()
        paifu.ingest(logs, lake)
        print(f"\ningested in {time.perf_counter() - started:.0f} s")
        report = paifu.rescore(lake)
        print(f"re-scored in {report.seconds:.0f} s")
        with Lake.open(lake, write=True) as opened:
            print(f"{seat_many_players(opened):,} players")
        command(["value", "--lake", str(lake)])
        with Lake.open(lake, write=True) as opened:
            compact(opened)
    with Lake.open(lake) as opened:
        (games,) = opened.sql("SELECT count(*) FROM games").fetchone() or (0,)
    return Year(logs, lake, games)


def seat_many_players(lake: Lake) -> int:
    """Replace the players of a lake of Tenhou's games by many, and return how many they are."""
    rows = lake.sql(
        """SELECT game_id, played_at, list(placement ORDER BY seat) AS placements FROM seats
        JOIN games USING (game_id) GROUP BY game_id, played_at ORDER BY played_at, game_id"""
    ).fetchnumpy()
    placements = np.stack(rows["placements"])
    games, seats = placements.shape
    dice = np.random.default_rng(SEED)
    players = max(10 * seats, games // GAMES_PER_PLAYER)
    often = dice.lognormal(0, 1.5, players)
    rate = dice.normal(2000, 90, players)
    results = np.array([30, 10, -10, -30] if seats == 4 else [30, 0, -30])
    who, before = np.empty((games, seats), np.int64), np.empty((games, seats))
    hours = np.unique(rows["played_at"], return_index=True)[1]
    for first, last in pairwise([*hours, games]):
        at_once = min(players, max(3 * seats, round(AT_ONCE * (last - first))))
        there = dice.choice(players, at_once, replace=False, p=often / often.sum())
        for game in range(first, last):
            who[game] = dice.choice(there, seats, replace=False)
            before[game] = np.round(rate[who[game]], 2)
            table = (before[game].mean() - before[game]) / 40
            rate[who[game]] += 0.2 * (results[placements[game] - 1] + table)
    people = pa.table(
        {
            "game_id": np.repeat(rows["game_id"], seats),
            "seat": np.tile(np.arange(seats, dtype=np.int16), games),
            "name": [f"player {number}" for number in who.ravel().tolist()],
            "r": before.ravel(),
            "r_of_table": np.repeat(before.mean(axis=1), seats),
        }
    )

    def change(tx: Transaction) -> None:
        tx.connection.register("people", people)
        same = "FROM people AS p WHERE p.game_id = seats.game_id AND p.seat = seats.seat"
        values = {"player": "name", "rate": "r", "table_rate": "r_of_table"}
        columns = ", ".join(f"(SELECT {new} {same}) AS {old}" for old, new in values.items())
        tx.update("seats", columns, "true", [])

    lake.transact(change)
    return players


@pytest.fixture(scope="module")
def lake(year: Year) -> Iterator[Lake]:
    with Lake.open(year.lake) as opened:
        if THREADS:
            opened.connection.execute(f"SET threads = {int(THREADS)}")
        yield opened


@pytest.mark.parametrize("name", sorted(statistics()))
def test_a_statistic_by_the_clock(name: str, year: Year, lake: Lake) -> None:
    answer = run(lake, name)
    times = []
    for _ in range(RUNS):
        started = time.perf_counter()
        assert run(lake, name).table.num_rows == answer.table.num_rows
        times.append(time.perf_counter() - started)
    scans = re.search(r"\b(FROM|JOIN) actions\b", answer.statistic.sql)
    limit = SECONDS_OF_ACTIONS if scans else SECONDS
    over = " (over)" if min(times) > limit else ""
    print(f"\n{name} {min(times):.2f} s of {limit:.0f} on {year.games:,} games{over}")


def test_the_lake_is_no_larger_than_its_gzipped_logs(year: Year, lake: Lake) -> None:
    """Bytes of what the logs contain; re-scoring adds more, mostly walls."""
    sizes = dict(
        lake.connection.execute(
            f"SELECT table_name, file_size_bytes FROM ducklake_table_info('{CATALOG}')"
        ).fetchall()
    )
    derived = sum(sizes.get(name, 0) for name in DERIVED)
    logs = sum(sizes.values()) - derived
    for what, kept in (("from the logs", logs), ("with what re-scoring adds", logs + derived)):
        print(f"\nlake {what} {kept:,} bytes: {kept / year.gzipped:.3f} of the gzipped logs")
    if year.games >= YEAR:
        assert logs <= year.gzipped
