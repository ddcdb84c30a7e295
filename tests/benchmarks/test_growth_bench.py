"""What a game costs as the lake grows: ingest, re-ingest, rescore, forget, compact, questions.

This is not a timed test: it prints a table of processor time. A lake of simulated games grows by
copies of them under other ids, which the committer brings in like games that were just read. At
each size, new games are ingested, ingested again from another archive, and re-scored, so that
these columns show what a game costs there. ``PAIFU_BENCH_SIZES`` sets the sizes (default
``10000,100000,1000000``); ``PAIFU_BENCH_YEAR`` names a folder to work in:

    PAIFU_BENCH_SIZES=10000,100000 pytest tests/benchmarks/test_growth_bench.py --slow -s
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import resource
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import paifu
from paifu.host.threads import processors
from paifu.ingestion.committer import Committer
from paifu.ingestion.driver import BATCH_GAMES
from paifu.ingestion.prepare import Prepared
from paifu.ingestion.source_rows import source_id
from paifu.ingestion.units import Unit
from paifu.lake.compact import compact
from paifu.lake.forget import forget_game
from paifu.lake.lake import Lake
from paifu.query.game_rows import read_game
from paifu.query.statistics import run, statistics
from paifu.rules import rulesets
from paifu.schema.tables import DERIVED, PLAY_TABLES
from paifu.simulate.flow import flow_of
from paifu.simulate.log_files import Output
from paifu.simulate.workers import written_games
from paifu.sources.containers import Source

pytestmark = pytest.mark.slow

SIZES = [int(n) for n in os.environ.get("PAIFU_BENCH_SIZES", "10000,100000,1000000").split(",")]
GROUP = 2_000
"""Simulated games that are copied."""
SAMPLE = 10_000
"""New games at each size."""
IDS = ("game_id", "deal_id", "list_key")
SHOWN = 20
"""Games that are shown and forgotten."""


def spent() -> float:
    """Return the processor time of this process and of those that it has started and that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(work: Callable[[], Any]) -> float:
    started = spent()
    work()
    return spent() - started


def simulated(path: Path, games: int, seed: int) -> Path:
    """Write an archive of simulated games."""
    rules = rulesets.get("tenhou-4p")
    with Output(path) as output:
        for files in written_games(
            games, seed, rules, flow_of(rules, 4, "south", True, True), ["mjlog"], processors()
        ):
            for name, data in files:
                output.add(name, data)
    return path


def again(path: Path) -> Path:
    """Return an archive of the same logs as another file."""
    copy = path.with_name(f"again-{path.name}")
    copy.write_bytes(path.read_bytes())
    with zipfile.ZipFile(copy, "a") as archive:
        archive.comment = b"again"
    return copy


def copied(table: pa.Table, copy: int, source: int) -> pa.Table:
    """Return rows of games as rows of other games, from another source."""
    mask = int.from_bytes(hashlib.sha256(b"%d" % copy).digest()[:8], "little", signed=True)
    for at, name in enumerate(table.column_names):
        if name in IDS:
            other = pc.bit_wise_xor(table.column(at), pa.scalar(mask, pa.int64()))
            table = table.set_column(at, table.schema.field(at), other)
        elif name == "source_id":
            column = pa.repeat(pa.scalar(source, pa.int64()), table.num_rows)
            table = table.set_column(at, table.schema.field(at), column)
    return table


class Growing:
    """A lake that grows by copies of the games it began with."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "lake"
        first = folder / "first"
        paifu.ingest(simulated(folder / "first.zip", GROUP, 1), first)
        paifu.rescore(first)
        with Lake.open(first) as lake:
            self.tables = {
                name: lake.sql(f"SELECT * FROM {name}").to_arrow_table()
                for name in (*PLAY_TABLES, *DERIVED)
            }
        self.copies = 0
        Lake.open(self.place, create=True).close()

    def to(self, games: int) -> tuple[int, float]:
        """Grow the lake to a number of games; return the games added and the seconds it took."""
        with Lake.open(self.place, write=True) as lake:
            (have,) = lake.sql("SELECT count(*) FROM games").fetchone() or (0,)
            count = max(0, -(-(games - have) // GROUP))
            committer = Committer(lake, batch_games=BATCH_GAMES)
            took = seconds(lambda: [committer.commit(self.next()) for _ in range(count)])
            took += seconds(committer.finish)
            for start in range(self.copies - count, self.copies, BATCH_GAMES // GROUP):
                staged = lake.new_stage()
                for copy in range(start, min(start + BATCH_GAMES // GROUP, self.copies)):
                    staged.append({name: copied(self.tables[name], copy, 0) for name in DERIVED})
                staged.finish()
                lake.transact(lambda tx, staged=staged: tx.add(staged))
        return count * GROUP, took

    def next(self) -> Prepared:
        """Return a unit with one more copy of the games."""
        copy, self.copies = self.copies, self.copies + 1
        source = Source(
            copy, f"copy{copy}.zip", "zip", 1, dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
            hashlib.sha256(b"source %d" % copy).digest(), Path("none"), complete=True,
        )  # fmt: skip
        number = source_id(source)
        tables = {name: copied(self.tables[name], copy, number) for name in PLAY_TABLES}
        return Prepared(Unit([], {copy: source}, {copy}), tables, games={copy: GROUP})


def measured(growing: Growing, folder: Path, games: int) -> Iterator[tuple[str, float, str]]:
    """Yield what was done, what it cost, and in which unit, at one size."""
    added, took = growing.to(games)
    yield "commit of copies, a game", 1e6 * took / max(added, 1), "us"
    logs = simulated(folder / f"{games}.zip", SAMPLE, 10 + games)
    one = simulated(folder / f"one{games}.zip", 1, 11 + games)
    place = growing.place

    def opened() -> None:
        with Lake.open(place) as lake:
            lake.sql("SELECT 1").fetchall()

    yield "open and SELECT 1", 1e3 * seconds(opened), "ms"
    start = seconds(lambda: paifu.ingest(one, place, jobs=1))
    yield "ingest of one game", 1e3 * start, "ms"

    def ingested(path: Path) -> float:
        took = seconds(lambda: paifu.ingest(path, place, jobs=1, batch_games=SAMPLE // 2))
        return 1e6 * (took - start) / SAMPLE

    yield "ingest, a game", ingested(logs), "us"
    yield "re-ingest, a game", ingested(again(logs)), "us"
    small = seconds(lambda: paifu.rescore(place, jobs=1))
    (took,) = [seconds(lambda: paifu.rescore(place, jobs=1))]
    yield "rescore with nothing to do", 1e3 * took, "ms"
    yield "rescore, a game", 1e6 * (small - took) / SAMPLE, "us"
    with Lake.open(place) as lake:
        rows = lake.sql(f"SELECT game_id FROM games USING SAMPLE {SHOWN} (reservoir, 1)").fetchall()
        ids = [row[0] for row in rows]
        took = seconds(lambda: [read_game(lake, game) for game in ids])
        yield "show, a game", 1e3 * took / SHOWN, "ms"
        for name in sorted(statistics()):
            yield f"statistic {name}", 1e3 * seconds(lambda name=name: run(lake, name)), "ms"
    with Lake.open(place, write=True) as lake:
        took = seconds(lambda: [forget_game(lake, game) for game in ids[:3]])
        yield "forget, a game", 1e3 * took / 3, "ms"
        yield "compact, a game", 1e6 * seconds(lambda: compact(lake)) / games, "us"


def test_the_cost_of_a_game_as_the_lake_grows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(os.environ.get("PAIFU_BENCH_YEAR", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    growing = Growing(folder)
    found: dict[str, list[str]] = {}
    for games in SIZES:
        for what, cost, unit in measured(growing, folder, games):
            found.setdefault(what, []).append(f"{cost:,.0f} {unit}")
            with capsys.disabled():
                print(f"{games:>9,} {what:40} {cost:>10,.1f} {unit}", flush=True)
    with capsys.disabled():
        for what, costs in found.items():
            print(f"{what:40}" + "".join(f"{cost:>14}" for cost in costs))
    with Lake.open(growing.place) as lake:
        (count,) = lake.sql("SELECT count(*) FROM games").fetchone() or (0,)
    assert count >= SIZES[-1]
