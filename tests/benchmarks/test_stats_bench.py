"""A year of games: the time of every named statistic, and the size of the lake and of its logs.

The year is 200,000 games played by ``paifu simulate``, ingested, re-scored and compacted, which
takes half an hour on two cores. ``PAIFU_BENCH_GAMES`` sets a smaller number of games.
``PAIFU_BENCH_YEAR`` names a folder: if it has ``year.zip`` and ``lake`` (from an earlier run, or
made by hand), they are used; otherwise they are made there. Run it alone on a quiet machine:

    PAIFU_BENCH_YEAR=year pytest tests/benchmarks/test_stats_bench.py --slow -s
"""

from __future__ import annotations

import os
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import paifu
from paifu.cli.main import run as command
from paifu.lake.compact import compact
from paifu.lake.connection import CATALOG
from paifu.lake.lake import Lake
from paifu.query.statistics import run, statistics
from paifu.schema.tables import DERIVED

pytestmark = pytest.mark.slow

YEAR = 200_000
GAMES = int(os.environ.get("PAIFU_BENCH_GAMES", YEAR))
SEED = 2026
RUNS = 3
SECONDS = 1.0
"""A statistic may take this long if its data was read before."""
SECONDS_OF_ACTIONS = 3.0
"""The same for a statistic that scans every act."""
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
            compact(opened)
    with Lake.open(lake) as opened:
        (games,) = opened.sql("SELECT count(*) FROM games").fetchone() or (0,)
    return Year(logs, lake, games)


@pytest.fixture(scope="module")
def lake(year: Year) -> Iterator[Lake]:
    with Lake.open(year.lake) as opened:
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
