"""A lake of an older schema is refused until it is upgraded; then it is like a new lake."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import LakeError
from paifu.lake.lake import Lake
from paifu.schema.tables import SCHEMA_VERSION

VERDICTS = "SELECT subject, status, count(*) FROM verdicts GROUP BY ALL ORDER BY ALL"


def test_a_lake_without_computed_results_gets_them(place: Path, tmp_path: Path) -> None:
    """A lake of schema 3, whose verdicts have hashes of every option."""
    folder = shutil.copytree(place, tmp_path / "lake")
    with Lake.open(folder, write=True) as lake:
        results = lake.sql("SELECT count(*), sum(result) FROM computed_results").fetchone()
        before = lake.sql(VERDICTS).fetchall()
        lake.connection.execute("DROP TABLE computed_results")
        lake.connection.execute("UPDATE verdicts SET ruleset_hash = ruleset_hash + 1")
        lake.connection.execute("UPDATE lake_info SET value = '3' WHERE key = 'schema_version'")
    with pytest.raises(LakeError, match="paifu upgrade"):
        Lake.open(folder)
    assert run(["upgrade", "--lake", str(folder)]) == 0
    report = rescore(folder)
    assert report.stale == report.count("game") > 0
    with Lake.open(folder) as lake:
        assert lake.facts["schema_version"] == str(SCHEMA_VERSION)
        again = lake.sql("SELECT count(*), sum(result) FROM computed_results").fetchone()
        assert again == pytest.approx(results)
        assert lake.sql(VERDICTS).fetchall() == before


def test_a_column_that_may_be_null_now_may_be_so_in_an_older_lake(
    place: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(place, tmp_path / "lake")
    with Lake.open(folder, write=True) as lake:
        nullable = """SELECT is_nullable FROM duckdb_columns() WHERE database_name = 'lake'
            AND table_name = 'discard_risks' AND column_name = 'shanten'"""
        lake.connection.execute("ALTER TABLE discard_risks ALTER COLUMN shanten SET NOT NULL")
        assert lake.connection.execute(nullable).fetchone() == (False,)
        lake.connection.execute("UPDATE lake_info SET value = '3' WHERE key = 'schema_version'")
    assert run(["upgrade", "--lake", str(folder)]) == 0
    with Lake.open(folder) as lake:
        assert lake.connection.execute(nullable).fetchone() == (True,)
