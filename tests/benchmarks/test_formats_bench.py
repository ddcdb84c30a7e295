"""How fast the importers of JSON logs and lobby lists are, compared with parsing the same JSON.

Run ``pytest tests/benchmarks/test_formats_bench.py --benchmark-only`` and compare within one run.
To be reached on two cores: 1,500 games per second of tenhou.net/6 and of mjai, 500 of Mahjong Soul,
500,000 lines of lobby lists. What is timed is an import, from the bytes of whole games to a
validated batch of events, on two threads with half of the games each, kernels compiled and texts
known. ``extra_info`` has games (or lines) per second by the clock in the best of the rounds, and
the milliseconds that each takes of a processor, which do not depend on what else the machine does:
a thousand divided by them is what one core can do alone. What little is left of Python holds the
interpreter's lock. Ingest overlaps it with the replay of other batches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paifu.export import mjai_writer
from paifu.export import tenhou_json_writer as tenhou_writer
from paifu.formats.base import Blob
from paifu.formats.lobby_lists import importer as lobby_lists
from paifu.formats.majsoul import importer as majsoul
from paifu.formats.mjai import importer as mjai
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import Batch

GAMES = 400
LINES = 400_000

pytestmark = pytest.mark.benchmark(min_rounds=8, warmup=True, warmup_iterations=2)


@pytest.fixture(scope="module")
def games(corpus: Path) -> Batch:
    """Complete games of four players from the whole corpus."""
    files = sorted((corpus / "mjlog").glob("*gm-00a9*"))
    chosen = files[:: max(1, len(files) // GAMES)][:GAMES]
    return mjlog.read([Blob(file.read_bytes(), 0, name=file.name) for file in chosen]).batch


def texts_of(games: Batch, writer: ModuleType) -> list[bytes]:
    return [writer.log_text(games, game) for game in range(len(games.games))]


def count(benchmark: BenchmarkFixture, work: Callable[[], int], unit: str) -> None:
    done = benchmark(work)
    if not benchmark.stats:  # missing if benchmarks are switched off, as in parallel workers
        return
    spent = []
    for _ in range(5):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    benchmark.extra_info[f"{unit} per second"] = round(done / benchmark.stats["min"])
    benchmark.extra_info[f"processor ms per {unit[:-1]}"] = round(1000 * min(spent) / done, 4)


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


def read_all(
    importer: ModuleType, texts: list[bytes], pool: ThreadPoolExecutor
) -> Callable[[], int]:
    blobs = [Blob(text, 0) for text in texts]

    def read(half: list[Blob]) -> int:
        imported = importer.read(half)
        assert not imported.rejects
        return len(imported.batch.games)

    return lambda: sum(pool.map(read, (blobs[::2], blobs[1::2])))


def test_orjson_tenhou_json(benchmark: BenchmarkFixture, games: Batch) -> None:
    texts = texts_of(games, tenhou_writer)
    count(benchmark, lambda: len([orjson.loads(text) for text in texts]), "games")


def test_tenhou_json_on_two_cores(
    benchmark: BenchmarkFixture, games: Batch, pool: ThreadPoolExecutor
) -> None:
    count(benchmark, read_all(tenhou_json, texts_of(games, tenhou_writer), pool), "games")


def test_orjson_mjai(benchmark: BenchmarkFixture, games: Batch) -> None:
    texts = texts_of(games, mjai_writer)

    def lines() -> int:
        return len([[orjson.loads(line) for line in text.splitlines()] for text in texts])

    count(benchmark, lines, "games")


def test_mjai_on_two_cores(
    benchmark: BenchmarkFixture, games: Batch, pool: ThreadPoolExecutor
) -> None:
    count(benchmark, read_all(mjai, texts_of(games, mjai_writer), pool), "games")


@pytest.fixture(scope="module")
def records(corpus: Path) -> list[bytes]:
    """The two complete Mahjong Soul games, again and again."""
    folder = corpus / "majsoul"
    whole = [folder / "190301-5a8a2d21-716e-489e-8def-5c30a358576c", folder / "paipu_record.json"]
    both = [file.read_bytes() for file in whole]
    return [*both, *reversed(both)] * 10


def test_orjson_majsoul(benchmark: BenchmarkFixture, records: list[bytes]) -> None:
    count(benchmark, lambda: sum(1 for text in records if orjson.loads(text)), "games")


def test_majsoul_on_two_cores(
    benchmark: BenchmarkFixture, records: list[bytes], pool: ThreadPoolExecutor
) -> None:
    count(benchmark, read_all(majsoul, records, pool), "games")


def test_lobby_lists_on_two_cores(
    benchmark: BenchmarkFixture, corpus: Path, pool: ThreadPoolExecutor
) -> None:
    text = b"".join(file.read_bytes() for file in sorted((corpus / "sc_lists").glob("scc2017*")))
    lines = text.count(b"\n")
    blob = Blob(text * (LINES // 2 // lines + 1), 0, name="scc20170101.html")

    def read(_: int) -> int:
        results = lobby_lists.read([blob]).results
        assert results is not None
        return results.games.num_rows

    count(benchmark, lambda: sum(pool.map(read, range(2))), "lines")
