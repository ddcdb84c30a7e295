"""How fast the importers of JSON logs and lobby lists are, beside parsing the same JSON.

Run ``pytest tests/benchmarks/test_formats_bench.py --benchmark-only`` and compare within one run;
``extra_info`` has games or lines per second. To be reached on two cores: 1,500 games per second of
tenhou.net/6 and of mjai, 500 of Mahjong Soul, 500,000 lines of lobby lists. JSON is read under the
interpreter's lock, so that one core does nearly all of it; lists are read on both.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paifu.events import Batch
from paifu.export import mjai as mjai_writer
from paifu.export import tenhou_json as tenhou_writer
from paifu.importers import lobby_lists, majsoul, mjai, mjlog, tenhou_json
from paifu.importers.base import Blob

GAMES = 200
LINES = 400_000

pytestmark = pytest.mark.benchmark(min_rounds=3, warmup=True, warmup_iterations=1)


@pytest.fixture(scope="module")
def games(corpus: Path) -> Batch:
    """Whole games of four players from all over the corpus."""
    files = sorted((corpus / "mjlog").glob("*gm-00a9*"))
    chosen = files[:: max(1, len(files) // GAMES)][:GAMES]
    return mjlog.read([Blob(file.read_bytes(), 0, name=file.name) for file in chosen]).batch


def texts_of(games: Batch, writer: ModuleType) -> list[bytes]:
    return [writer.log_text(games, game) for game in range(len(games.games))]


def count(benchmark: BenchmarkFixture, work: Callable[[], int], unit: str) -> None:
    done = benchmark(work)
    if benchmark.stats:  # none where benchmarks are switched off, as side by side in workers
        benchmark.extra_info[f"{unit} per second"] = round(done / benchmark.stats["min"])


def read_all(importer: ModuleType, texts: list[bytes]) -> Callable[[], int]:
    blobs = [Blob(text, 0) for text in texts]

    def read() -> int:
        imported = importer.read(blobs)
        assert not imported.rejects
        return len(imported.batch.games)

    return read


def test_orjson_tenhou_json(benchmark: BenchmarkFixture, games: Batch) -> None:
    texts = texts_of(games, tenhou_writer)
    count(benchmark, lambda: len([orjson.loads(text) for text in texts]), "games")


def test_tenhou_json(benchmark: BenchmarkFixture, games: Batch) -> None:
    count(benchmark, read_all(tenhou_json, texts_of(games, tenhou_writer)), "games")


def test_orjson_mjai(benchmark: BenchmarkFixture, games: Batch) -> None:
    texts = texts_of(games, mjai_writer)

    def lines() -> int:
        return len([[orjson.loads(line) for line in text.splitlines()] for text in texts])

    count(benchmark, lines, "games")


def test_mjai(benchmark: BenchmarkFixture, games: Batch) -> None:
    count(benchmark, read_all(mjai, texts_of(games, mjai_writer)), "games")


@pytest.fixture(scope="module")
def records(corpus: Path) -> list[bytes]:
    """The two whole Mahjong Soul games there are, again and again."""
    folder = corpus / "majsoul"
    whole = [folder / "190301-5a8a2d21-716e-489e-8def-5c30a358576c", folder / "paipu_record.json"]
    return [file.read_bytes() for file in whole] * 20


def test_orjson_majsoul(benchmark: BenchmarkFixture, records: list[bytes]) -> None:
    count(benchmark, lambda: sum(1 for text in records if orjson.loads(text)), "games")


def test_majsoul(benchmark: BenchmarkFixture, records: list[bytes]) -> None:
    count(benchmark, read_all(majsoul, records), "games")


def test_lobby_lists_on_two_cores(benchmark: BenchmarkFixture, corpus: Path) -> None:
    text = b"".join(file.read_bytes() for file in sorted((corpus / "sc_lists").glob("scc2017*")))
    lines = text.count(b"\n")
    blob = Blob(text * (LINES // 2 // lines + 1), 0, name="scc20170101.html")

    def read(_: int) -> int:
        results = lobby_lists.read([blob]).results
        assert results is not None
        return results.games.num_rows

    with ThreadPoolExecutor(2) as pool:
        count(benchmark, lambda: sum(pool.map(read, range(2))), "lines")
