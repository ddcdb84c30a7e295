"""Every real log, ingested and re-scored on a cluster and by one process: equal tables."""

from __future__ import annotations

from pathlib import Path

import pytest

import paifu
from paifu.audit.lake_audit import rescore
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.schema.tables import TABLES
from tests.helpers.clusters import Processes

pytestmark = pytest.mark.slow

WHEN = {"ingested_at"}
"""Columns that say when something was done."""


def test_the_corpus_gives_the_tables_of_one_process(
    cluster: Processes, corpus: Path, tmp_path: Path
) -> None:
    one, many = tmp_path / "one", tmp_path / "many"
    alone = paifu.ingest(corpus, one, jobs=1)
    rescore(one, jobs=1)
    together = paifu.ingest(corpus, many, scheduler=cluster.address)
    rescore(many, scheduler=cluster.address)
    assert (alone.games, alone.rejected, alone.flags) == (
        together.games, together.rejected, together.flags,
    )  # fmt: skip
    assert inspect(many, deep=True).damage == []
    with Lake.open(one) as ours, Lake.open(many) as theirs:
        for name, table in TABLES.items():
            columns = ", ".join(f'"{column}"' for column in table.names if column not in WHEN)
            query = f"SELECT {columns} FROM {name} ORDER BY ALL"
            assert ours.sql(query).fetchall() == theirs.sql(query).fetchall(), name
