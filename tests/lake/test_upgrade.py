"""A lake of an older schema is refused until it is upgraded; then it is like a new lake."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import LakeError
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.schema.tables import SCHEMA_VERSION
from tests.formats.score_sheet.sheets import PEOPLE, RESULTS
from tests.formats.score_sheet.sheets import table as score_table

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


def test_a_lake_without_remarks_and_macros_gets_them(place: Path, tmp_path: Path) -> None:
    """A lake of schema 10; its older games have no remarks, those of a new sheet have theirs."""
    folder = shutil.copytree(place, tmp_path / "lake")
    with Lake.open(folder, write=True) as lake:
        (games,) = lake.sql("SELECT count(*) FROM games").fetchone() or (0,)
        for table in ("games", "rounds"):
            lake.connection.execute(f"ALTER TABLE {table} DROP COLUMN remarks")
        lake.connection.execute("DROP MACRO sums_are_wrong")
        lake.connection.execute("UPDATE lake_info SET value = '10' WHERE key = 'schema_version'")
    with pytest.raises(LakeError, match="has schema 10"):
        Lake.open(folder)
    assert run(["upgrade", "--lake", str(folder)]) == 0
    sheet = tmp_path / "evening.csv"
    result = ("2026-11-30", "wrc", *PEOPLE, 41000, 29000, 22000, 27500)
    sheet.write_bytes(score_table((*RESULTS, "remarks"), (*result, "a point is missing")))
    assert ingest(sheet, folder, jobs=1).games == 1
    with Lake.open(folder) as lake:
        told = lake.sql(
            """SELECT remarks, sums_are_wrong(platform, flags), count(*) FROM games
            GROUP BY ALL ORDER BY ALL"""
        ).fetchall()
        assert told == [("a point is missing", True, 1), (None, False, games)]
        assert lake.sql("SELECT count(remarks) FROM rounds").fetchone() == (0,)


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
