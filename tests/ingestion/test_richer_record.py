"""Of a game in several formats, the record with the most information is kept."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from paifu.export import mjai_writer
from paifu.export import tenhou_json_writer as tenhou_writer
from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.registry import formats, telling
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake


@pytest.fixture
def records(corpus: Path, tmp_path: Path) -> list[Path]:
    """One game as mjai, tenhou.net/6 and mjlog; each has more information than the one before."""
    log = next(file for file in sorted((corpus / "mjlog").iterdir()) if "gm-00a9-0000" in file.name)
    batch = mjlog.read([Blob(log.read_bytes(), 0, name=log.name)]).batch
    files = [tmp_path / "a.mjson", tmp_path / "b.json", log]
    for file, writer in zip(files, (mjai_writer, tenhou_writer), strict=False):
        file.write_bytes(writer.log_text(batch, 0))
    return files


def facts(lake: Path) -> list[tuple[object, ...]]:
    with Lake.open(lake) as opened:
        return opened.sql(
            """SELECT format, (SELECT count(*) FROM wins), (SELECT count(*) FROM seats),
            (SELECT count(*) FROM wins WHERE han IS NULL), (SELECT count(*) FROM actions)
            FROM games"""
        ).fetchall()


ORDERS = list(permutations(range(3)))
SLOW_ORDERS = [pytest.param(order, marks=pytest.mark.slow) for order in ORDERS[1:-1]]


@pytest.mark.parametrize("order", [ORDERS[0], ORDERS[-1], *SLOW_ORDERS])
def test_the_richest_record_stays_whichever_comes_first(
    records: list[Path], tmp_path: Path, order: tuple[int, ...]
) -> None:
    alone, mixed = tmp_path / "alone.lake", tmp_path / "mixed.lake"
    ingest([records[2]], lake=alone)
    best = -1
    for at in order:
        brought = ingest([records[at]], lake=mixed)
        assert brought.superseded == int(best not in (-1, *range(at, 3)))
        best = max(best, at)
        assert facts(mixed)[0][0] == ("mjai", "tenhou_json", "mjlog")[best]
    assert facts(mixed) == facts(alone)
    again = ingest([*records], lake=mixed)
    assert (again.games, again.superseded, again.skipped) == (0, 0, 3)


def test_all_at_once_and_read_anew_keep_the_richest_too(
    records: list[Path], tmp_path: Path
) -> None:
    lake = tmp_path / "games.lake"
    ingest([*records], lake=lake)
    assert [row[0] for row in facts(lake)] == ["mjlog"]
    ingest([records[0]], lake=lake, refresh=True)
    assert [row[0] for row in facts(lake)] == ["mjlog"]


def test_only_formats_that_there_are_are_ranked() -> None:
    assert set(telling()) < set(formats())
