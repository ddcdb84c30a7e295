"""Every named statistic on a small sample game or scenario, with figures counted by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paifu.audit.lake_audit import rescore
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.query.statistics import run, statistics
from paifu.simulate.samples import scenario_files
from tests.query.hand_cases import CASES, Case

DATED = "2026010112gm-00a1-0000-00000000.mjlog"
"""The name of a log gives the time when it was played."""


def log_of(game: str) -> bytes:
    """Return the log of a sample game, or of a scenario that has no sample."""
    sample = resource_dir("data") / f"{game}.mjlog"
    if sample.exists():
        return sample.read_bytes()
    ((_, log),) = scenario_files(game, ["mjlog"])
    return log


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Lake]]:
    """A lake of each sample game, re-scored."""
    opened = {}
    for game in sorted({case.game for case in CASES}):
        folder: Path = tmp_path_factory.mktemp(game)
        log = folder / DATED
        log.write_bytes(log_of(game))
        ingest(log, lake=folder / "lake")
        rescore(folder / "lake")
        opened[game] = Lake.open(folder / "lake")
    yield opened
    for lake in opened.values():
        lake.close()


def told(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with rounded floating-point figures, so that rows can be compared."""
    return tuple(round(v, 6) if isinstance(v, float) else v for v in row)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.name} {c.game} {c.params or ''}")
def test_as_counted_by_hand(case: Case, lakes: dict[str, Lake]) -> None:
    table = run(lakes[case.game], case.name, case.params).pl().select(case.columns)
    found = {told(row) for row in table.iter_rows()}
    counted = {told(row) for row in case.rows}
    assert counted <= found
    if not case.some:
        assert len(table) == len(case.rows)


def test_what_is_counted_by_hand_is_there() -> None:
    """Each statistic has its recount; it has a case by hand if a sample game has figures for it."""
    assert {case.name for case in CASES} <= set(statistics())
