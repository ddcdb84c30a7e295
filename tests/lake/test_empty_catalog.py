"""A new lake is a copy of a kept one, and cannot be told from one that DuckLake made for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from paifu.host.cache_folder import cache_folder
from paifu.lake.lake import Lake

CHANGING = {"ducklake_snapshot": "snapshot_time", "ducklake_table": "table_uuid",
            "ducklake_view": "view_uuid", "ducklake_schema": "schema_uuid"}  # fmt: skip


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept catalogs, which does not exist yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return cache_folder() / "catalogs"


def new(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """Make a lake and return the rows of all tables of its catalog."""
    with Lake.open(path, create=True, names="drop"):
        pass
    catalog = sqlite3.connect(path / "catalog.sqlite")
    names = catalog.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    rows = {name: set(catalog.execute(f"SELECT * FROM {name}").fetchall()) for (name,) in names}
    del rows["ducklake_snapshot_changes"]  # DuckLake lists what it made in no order
    return rows


def test_a_copy_differs_from_the_original_in_identifiers_and_times(
    kept: Path, tmp_path: Path
) -> None:
    first, second = new(tmp_path / "a"), new(tmp_path / "b")
    assert len(list(kept.iterdir())) == 1
    assert {name for name in first if first[name] != second[name]} == set(CHANGING)
    for name in CHANGING:
        assert first[name].isdisjoint(second[name])
        assert len(first[name]) == len(second[name])


def test_a_damaged_or_missing_kept_catalog_is_made_again(kept: Path, tmp_path: Path) -> None:
    first = new(tmp_path / "a")
    (path,) = kept.iterdir()
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert new(tmp_path / "b")["ducklake_column"] == first["ducklake_column"]
    assert path.read_bytes()[:32] != content[:32] or path.read_bytes() == content
    path.unlink()
    path.mkdir()  # nothing can be kept at its place
    assert new(tmp_path / "c")["ducklake_column"] == first["ducklake_column"]


def test_what_a_killed_maker_left_does_not_get_into_the_lake(kept: Path, tmp_path: Path) -> None:
    locks = tmp_path / "a" / "locks"
    locks.mkdir(parents=True)
    (locks / "catalog.sqlite").write_bytes(b"half")
    (locks / "catalog.sqlite-wal").write_bytes(b"a log of another file")
    assert new(tmp_path / "a").keys() == new(tmp_path / "b").keys()
    assert not list(locks.glob("catalog*"))
