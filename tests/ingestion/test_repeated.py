"""A game in several logs of one unit is stored once, and other games are not affected."""

from __future__ import annotations

from pathlib import Path

from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.schema.tables import PLAY_TABLES, TABLES

NAMES = ("four_riichi", "south_1", "double_ron")
OF_A_FILE = {"source_id", "member", "sha256", "log_id"}
"""Columns that show from which log the game was read."""


def rows(lake: Lake, table: str) -> list[dict[str, object]]:
    columns = [name for name in TABLES[table].names if name not in OF_A_FILE]
    found = lake.sql(f"SELECT * FROM {table}").to_arrow_table().select(columns)
    return sorted(found.to_pylist(), key=repr)


def test_every_table_is_as_if_each_game_had_come_alone(tmp_path: Path) -> None:
    """The second of three games comes three times: cut off, whole, and whole under another name."""
    once, often = tmp_path / "once", tmp_path / "often"
    for folder in (once, often):
        folder.mkdir()
        for place, name in enumerate(NAMES):
            log = (resource_dir("data") / f"{name}.mjlog").read_bytes()
            (folder / f"{place}.mjlog").write_bytes(log)
    again = (once / "1.mjlog").read_bytes()
    (often / "0a.mjlog").write_bytes(again.rpartition(b"owari=")[0].rpartition(b"<")[0])
    (often / "3.mjlog").write_bytes(again.replace(b"/>", b" />"))
    ingest(once, lake=tmp_path / "once.lake", jobs=1)
    summary = ingest(often, lake=tmp_path / "often.lake", jobs=1)
    assert (summary.games, summary.skipped + summary.superseded) == (3, 2)
    with Lake.open(tmp_path / "often.lake") as found, Lake.open(tmp_path / "once.lake") as expected:
        for table in PLAY_TABLES:
            assert rows(found, table) == rows(expected, table), table
