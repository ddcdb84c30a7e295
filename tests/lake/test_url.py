"""A lake whose catalog is named by a DuckLake URL: the same code, rows inserted by DuckDB."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.ingest.commit import Committer
from paifu.lake import Lake
from paifu.lake.compact import compact
from paifu.sql import Limits, ask, lock
from synthetic import ACTIONS, Game, Sources


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
