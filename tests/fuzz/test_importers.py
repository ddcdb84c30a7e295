"""Nothing is lost and nothing crashes: every input is games, results or a reject with a reason.

``--slow`` reads 3,000 spoiled logs of each format. The job of a million of each:
``PAIFU_FUZZ=1000000 pytest tests/fuzz --slow -s -n auto``. ``PAIFU_FUZZ_SEED`` chooses others.
"""

from __future__ import annotations

import os
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest

from paifu.formats.base import Blob
from paifu.formats.registry import formats, importer
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.replay.replay_batch import replay
from tests.fuzz.inputs import FOLDERS, misplaced, seeds, spoiled

SEED = int(os.environ.get("PAIFU_FUZZ_SEED", "20"))
INPUTS = int(os.environ.get("PAIFU_FUZZ", "3000"))
CHUNK = 200


def read(format: str, texts: list[bytes]) -> Counter[str]:
    """Read inputs and replay their games; each input has to come to something."""
    imported = importer(format).read([Blob(text, at) for at, text in enumerate(texts)])
    imported.batch.validate()
    replay(imported.batch, np.zeros(len(imported.batch.games), np.int64))
    found = {*imported.game_blob, *(reject.blob for reject in imported.rejects)}
    results = 0
    if imported.results is not None:
        found.update(imported.results.repeated + imported.results.superseded)
        numbers = imported.results.games.column("source_id").to_pylist()
        found.update(numbers)
        results = len(numbers)
    assert found == set(range(len(texts)))
    assert all(reject.reason for reject in imported.rejects)
    return Counter(
        inputs=len(texts), games=len(imported.game_blob), results=results,
        rejects=len(imported.rejects),
    )  # fmt: skip


def fuzz(format: str, inputs: Iterator[bytes], count: int, folder: Path) -> Counter[str]:
    """Read ``count`` inputs; keep the one that cannot be survived, and name it."""
    counts: Counter[str] = Counter()
    while counts["inputs"] < count:
        chunk = list(islice(inputs, min(CHUNK, count - counts["inputs"])))
        try:
            counts += read(format, chunk)
        except Exception:
            for text in chunk:
                try:
                    read(format, [text])
                except Exception as error:
                    path = folder / f"{format}.input"
                    path.write_bytes(text)
                    raise AssertionError(f"{path}: {type(error).__name__}: {error}") from error
            raise
    return counts


@pytest.fixture
def whole(request: pytest.FixtureRequest, format: str) -> list[bytes]:
    """Whole logs of a format, from the corpus where paifu does not write them."""
    corpus = request.getfixturevalue("corpus") if format in FOLDERS else None
    return seeds(format, corpus)


@pytest.fixture
def short(request: pytest.FixtureRequest, format: str) -> list[bytes]:
    """The same, but only short logs."""
    corpus = request.getfixturevalue("corpus") if format in FOLDERS else None
    return seeds(format, corpus, short=True)


@pytest.mark.parametrize("format", formats())
def test_every_spoiled_log_is_games_or_a_reject(
    format: str, whole: list[bytes], tmp_path: Path
) -> None:
    counts = fuzz(format, spoiled(whole, SEED), 60, tmp_path)
    assert counts["games"] + counts["results"] + counts["rejects"] >= counts["inputs"] == 60


@pytest.mark.slow
@pytest.mark.parametrize("format", formats())
def test_every_one_of_very_many(format: str, short: list[bytes], tmp_path: Path) -> None:
    counts = fuzz(format, spoiled(short, SEED), INPUTS, tmp_path)
    print(format, dict(counts))
    assert counts["games"] + counts["results"] + counts["rejects"] >= counts["inputs"] == INPUTS
    assert counts["rejects"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("format", formats())
def test_every_value_of_a_log_may_be_of_another_type(
    format: str, whole: list[bytes], tmp_path: Path
) -> None:
    """The values at random places above seldom stand where one field of one act is read."""
    logs = [log for log in sorted(whole, key=len) if any(misplaced(log))][:2]
    if not logs:
        pytest.skip("no log of this format is JSON")
    inputs = list(chain.from_iterable(map(misplaced, logs)))
    counts = fuzz(format, iter(inputs), len(inputs), tmp_path)
    assert counts["games"] + counts["results"] + counts["rejects"] >= len(inputs)


@pytest.mark.slow
@pytest.mark.parametrize("format", formats())
def test_logs_are_games_or_known_or_rejects(
    format: str, whole: list[bytes], tmp_path: Path
) -> None:
    """What an ingest says of spoiled logs adds up to the logs of its sources."""
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for number, text in enumerate(islice(spoiled(whole, SEED), 200)):
            packed.writestr(f"{number}", text)
    done = ingest(archive, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        (logs,) = lake.sql("SELECT sum(logs) FROM sources").fetchone() or ()
    assert logs >= 200
    assert logs == done.games + done.skipped + done.superseded + done.rejected + done.known_rejected
