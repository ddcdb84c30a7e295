"""How fast the mjlog importer is, compared with other ways of reading the same logs.

Run ``pytest tests/benchmarks/test_mjlog_bench.py --benchmark-only`` and compare within one run:

- ``zlib``: decompressing the logs one by one, the yardstick of the whole pipeline;
- ``lxml``: a loop that turns every element into a tuple and does nothing with it;
- ``jansou``: that library's mjlog reader;
- ``tokenise`` and ``importer``: the kernel alone, and all that ``mjlog.read`` does.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.mjlog.tokeniser import scan

LOGS = 200

pytestmark = pytest.mark.benchmark(group="mjlog", min_rounds=3, warmup=True, warmup_iterations=1)


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[bytes]:
    """Logs of one game each, as Tenhou serves them, from the whole corpus."""
    paths = sorted((corpus / "mjlog").glob("*gm-*"))
    texts = [path.read_bytes() for path in paths[:: len(paths) // (LOGS + LOGS // 4)]]
    return [text for text in texts if text.startswith(b"<mjloggm") and b"\n" not in text][:LOGS]


def test_zlib(benchmark: BenchmarkFixture, logs: list[bytes]) -> None:
    packed = [zlib.compress(log) for log in logs]
    assert benchmark(lambda: [zlib.decompress(log) for log in packed]) == logs


def test_lxml(benchmark: BenchmarkFixture, logs: list[bytes]) -> None:
    etree = pytest.importorskip("lxml.etree")

    def tuples() -> int:
        return sum(
            len([(element.tag, *element.attrib.items()) for element in etree.fromstring(log)])
            for log in logs
        )

    assert benchmark(tuples) > 500 * len(logs)


def test_jansou(benchmark: BenchmarkFixture, logs: list[bytes]) -> None:
    reader = pytest.importorskip("jansou.io.mjlog")
    assert len(benchmark(lambda: [reader.parse_mjlog(log) for log in logs])) == len(logs)


def test_tokenise(benchmark: BenchmarkFixture, logs: list[bytes]) -> None:
    assert len(benchmark(lambda: scan(logs))[1].games) == len(logs)


def test_importer(benchmark: BenchmarkFixture, logs: list[bytes]) -> None:
    blobs = [Blob(log, 0) for log in logs]
    assert len(benchmark(lambda: mjlog.read(blobs)).batch.games) == len(logs)
