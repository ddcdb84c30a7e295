"""How much time and memory an ingest takes, compared with other programs in the same run.

This is not a timed test: figures are printed and kept in ``extra_info``; the test asserts only that
the work was done. Run it alone on a quiet machine:

    pytest tests/benchmarks/test_ingest_bench.py --slow -s
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jansou.io.mjlog import parse_mjlog
from lxml import etree

import paifu
from paifu.formats.mjlog import importer as mjlog
from paifu.host.threads import processors
from paifu.ingestion.driver import UNIT_LOGS
from paifu.ingestion.units import units
from paifu.lake.compact import compact, size
from paifu.lake.lake import Lake
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.log_files import Output
from paifu.simulate.workers import written_games
from paifu.sources.containers import open_sources

pytestmark = pytest.mark.slow

PEAK = """
import os, threading, time

def memory(process):
    # of pages that processes share, each has its part
    try:
        with open(f"/proc/{process}/smaps_rollup") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0

def children():
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                parent = file.read().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if int(parent) == os.getpid():
            yield process

most = 0

def watch():
    global most
    while True:
        most = max(most, sum(map(memory, ["self", *children()])))
        time.sleep(0.1)

threading.Thread(target=watch, daemon=True).start()

def peak():
    return most // 1024
"""
"""Code that returns the maximum memory in MiB of a process and its workers, on Linux."""

MEASURE = f"""
import json, sys
import paifu
{PEAK}
started = time.monotonic()
summary = paifu.ingest(sys.argv[1], sys.argv[2], jobs=int(sys.argv[3]))
print(json.dumps([summary.games, peak(), time.monotonic() - started]))
"""

UPKEEP = f"""
import sys
import paifu
{PEAK}
from paifu.lake.lake import Lake
from paifu.lake.compact import compact
work, lake = sys.argv[1:]
if work == "compact":
    with Lake.open(lake, write=True) as opened:
        compact(opened)
else:
    paifu.rescore(lake, jobs=2, force=work == "rescore again")
print(peak())
"""

LOGS = 2000
COPIES = 25
"""Enough games that the time to open the lake does not matter."""
JANSOU_LOGS = 400
LARGE = 50_000
SEED = 50
"""Number of simulated games."""
MEMORY_LIMIT_MIB = {1: 1536, 2: 1536, 4: 2560}
"""Memory allowed, by jobs."""


def text_of(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def altered(log: bytes, copy: int) -> bytes:
    """Return a log as another game: its first dora indicator is another tile."""
    indicator = b"%d" % (4 * (copy % 34) + copy // 34)
    return re.sub(rb'( seed="(?:\d+,){5})\d+"', lambda m: m[1] + indicator + b'"', log, count=1)


def archive(path: Path, logs: Iterable[bytes]) -> int:
    """Write a zip of gzipped logs; return how many."""
    count = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        for log in logs:
            out.writestr(f"{count}.mjlog.gz", gzip.compress(log, 6))
            count += 1
    return count


def seconds(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def inflate(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            zlib.decompress(archive.read(member), wbits=31)


def lxml_tags(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            log = zlib.decompress(archive.read(member), wbits=31)
            [(tag.tag, tuple(tag.attrib.items())) for tag in etree.fromstring(log)]


def jansou(logs: list[bytes]) -> None:
    for log in logs:
        parse_mjlog(log)


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[bytes]:
    return [text_of(path) for path in sorted((corpus / "mjlog").iterdir())[:LOGS]]


def test_ingest_beside_its_yardsticks(
    logs: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "logs.zip"
    count = archive(path, (altered(log, copy) for copy in range(COPIES) for log in logs))
    paifu.ingest(path, tmp_path / "warm", jobs=1)  # kernels compiled
    yardstick = seconds(lambda: inflate(path)) / count
    tags = seconds(lambda: lxml_tags(path)) / count
    reader = seconds(lambda: jansou(logs[:JANSOU_LOGS])) / JANSOU_LOGS
    ours = seconds(lambda: paifu.ingest(path, tmp_path / "lake", jobs=1)) / count
    with Lake.open(tmp_path / "lake", write=True) as lake:
        done = compact(lake)
        games = lake.sql("SELECT count(*) FROM games").fetchall()[0][0]
    with capsys.disabled():
        print(
            f"\n{count} logs, microseconds of processor time a log: zlib {1e6 * yardstick:.0f}, "
            f"lxml tags {1e6 * tags:.0f}, jansou {1e6 * reader:.0f}, ingest {1e6 * ours:.0f} "
            f"({ours / yardstick:.1f} x zlib, {tags / ours:.2f} x as fast as lxml, "
            f"{reader / ours:.1f} x as fast as jansou)\n"
            f"archive {path.stat().st_size / 1e6:.1f} MB, lake {done.before.bytes / 1e6:.1f} MB, "
            f"compacted {done.after.bytes / 1e6:.1f} MB"
        )
    assert games > 0.9 * count
    assert done.after.bytes < path.stat().st_size


def stages(path: Path, folder: Path) -> Iterator[tuple[str, float]]:
    """Yield the seconds of processor time of each stage of an ingest."""
    clock = time.process_time
    spent = dict.fromkeys(("read and unpack", "import", "replay", "Parquet"), 0.0)
    started = clock()
    with Lake.open(folder, create=True) as lake:
        yield "make the lake", clock() - started
        staged = lake.new_stage()
        work = units(open_sources([path]), UNIT_LOGS, lambda source: False)
        while True:
            marks = [clock()]
            unit = next(work, None)
            if unit is None:
                break
            blobs = [item.unpack() for item in unit.items]
            marks.append(clock())
            batch = mjlog.read(blobs).batch
            marks.append(clock())
            tables = replay(batch, np.zeros(len(batch.games), np.int64))
            marks.append(clock())
            staged.append(tables)
            marks.append(clock())
            for stage, (start, end) in zip(spent, pairwise(marks), strict=True):
                spent[stage] += end - start
        started = clock()
        staged.finish()
        spent["Parquet"] += clock() - started
        yield from spent.items()
        started = clock()
        lake.transact(lambda tx: tx.add(staged))
        yield "commit", clock() - started


def test_where_the_time_of_an_ingest_goes(
    logs: list[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "logs.zip"
    count = archive(path, (altered(log, copy) for copy in range(2) for log in logs))
    dict(stages(path, tmp_path / "warm"))  # kernels compiled
    found = dict(stages(path, tmp_path / "lake"))
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall()[0][0] == count
    with capsys.disabled():
        print(f"\n{count} logs, microseconds of processor time a log")
        for stage, seconds in found.items():
            print(f"  {stage:16} {1e6 * seconds / count:6.1f}")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of simulated games, much larger than the memory allowed."""
    path = tmp_path_factory.mktemp("large") / "large.zip"
    rules = rulesets.get("tenhou-4p")
    flow = flow_of(rules, 4, "south", True, True)
    with Output(path) as output:
        for files in written_games(
            LARGE, SEED, rules, flow, ["mjlog"], jobs=processors(), deflate=True
        ):
            for name, data in files:
                output.add(name, data)
    return path


def output_of(script: str, *arguments: object) -> str:
    """Return what a script prints in a separate process."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("jobs", MEMORY_LIMIT_MIB)
def test_memory_does_not_grow_with_the_archive(
    large: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: int
) -> None:
    games, peak, duration = json.loads(output_of(MEASURE, large, tmp_path / "lake", jobs))
    with Lake.open(tmp_path / "lake") as lake:
        held = size(lake)
    with capsys.disabled():
        print(
            f"\n{games} games of {large.stat().st_size / 1e6:.0f} MB at --jobs {jobs}: "
            f"{peak} MiB, {games / duration:.0f} games/s, lake {held.bytes / 1e6:.0f} MB"
        )
    assert games == LARGE
    assert peak < MEMORY_LIMIT_MIB[jobs]


def test_memory_does_not_grow_with_the_lake(
    large: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paifu.ingest(large, tmp_path / "lake")
    for work in ("rescore", "compact", "rescore again", "compact"):
        peak = int(output_of(UPKEEP, work, tmp_path / "lake"))
        with capsys.disabled():
            print(f"\n{work}, {LARGE} games: {peak} MiB")
        assert peak < MEMORY_LIMIT_MIB[2], work
    with Lake.open(tmp_path / "lake") as lake:
        judged = lake.sql("SELECT count(*) FROM verdicts WHERE subject = 'game'").fetchall()
    assert judged == [(LARGE,)]
