"""A lake whose catalog is given by a DuckLake URL: the same code, with rows inserted by DuckDB."""

from __future__ import annotations

import stat
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from paifu.errors import LakeError
from paifu.ingestion.committer import Committer
from paifu.lake.compact import compact
from paifu.lake.lake import Lake
from paifu.lake.location import Location
from paifu.query.adhoc_sql import Limits, ask, lock
from paifu.schema.tables import SCHEMA_VERSION
from tests.helpers.synthetic import ACTIONS, Game, Sources


def test_a_lake_by_its_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "elsewhere"
    url = f"ducklake:sqlite:{tmp_path / 'games.sqlite'}"
    monkeypatch.setenv("PAIFU_DATA_PATH", f"{data}/")
    sources = Sources()
    with Lake.open(url, create=True) as lake:
        Committer(lake).commit(sources.prepared([Game(i, deal=i) for i in range(20)]))
        Committer(lake).commit(sources.prepared([Game(i, deal=i) for i in range(10, 30)]))
        compact(lake)
    assert list(data.rglob("*.parquet"))
    monkeypatch.delenv("PAIFU_DATA_PATH")
    with Lake.open(url) as lake:
        lock(lake, Limits())
        counted = "SELECT count(*), (SELECT count(*) FROM actions) FROM games"
        assert ask(lake, counted).fetchall() == [(30, 30 * ACTIONS)]


@pytest.mark.parametrize(
    ("url", "data", "package"),
    [
        ("ducklake:postgres:dbname=games", "", "duckdb-extension-postgres-scanner"),
        ("ducklake:sqlite:games.sqlite", "s3://bucket/games/", "duckdb-extension-httpfs"),
    ],
)
def test_a_package_that_is_missing_is_named(
    url: str, data: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_DATA_PATH", data)
    monkeypatch.setattr("paifu.host.duckdb_extensions.find_spec", spec_of_what_paifu_brings_along)
    with pytest.raises(LakeError, match=f"pip install '{package}=="):
        Lake.open(url, create=True)


def spec_of_what_paifu_brings_along(name: str) -> ModuleSpec | None:
    return None if "postgres" in name or "httpfs" in name else find_spec(name)


def test_what_is_spilled_is_for_its_user_alone(tmp_path: Path) -> None:
    with Lake.open(tmp_path / "lake", create=True) as written:
        folders = {spill_folder(written)}
    for _ in range(2):
        with Lake.open(tmp_path / "lake") as lake:
            lock(lake, Limits())
            folders.add(spill_folder(lake))
    assert len(folders) == 3
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def spill_folder(lake: Lake) -> Path:
    (folder,) = ask(lake, "SELECT current_setting('temp_directory')").fetchall()[0]
    return Path(folder)


def test_a_machine_with_no_room_for_spilling_still_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Lake.open(tmp_path / "lake", create=True):
        pass

    def refuses(*_: object, **__: object) -> str:
        raise OSError("read-only")

    monkeypatch.setattr("paifu.lake.connection.private_folder", refuses)
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(0,)]


def test_a_lake_says_where_it_is_and_how_many_games_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    sources = Sources()
    with Lake.open(folder, create=True) as lake:
        Committer(lake).commit(sources.prepared([Game(i, deal=i) for i in range(3)]))
        rows = lake.connection.execute("SELECT range FROM range(2)")
        assert repr(lake) == f"<Lake {folder}: 3 games, schema {SCHEMA_VERSION}>"
        assert rows.fetchall() == [(0,), (1,)]  # a half-read result is not affected
    assert repr(lake) == f"<Lake {folder}: closed>"


def test_a_lake_by_its_url_shows_no_password(tmp_path: Path) -> None:
    with Lake.open(tmp_path / "lake", create=True) as lake:
        lake.location = Location.of("ducklake:postgres:dbname=games password=secret")
        assert (
            repr(lake)
            == f"<Lake ducklake:postgres:dbname=games password=…: 0 games, schema {SCHEMA_VERSION}>"
        )
