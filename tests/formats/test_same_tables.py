"""The same games from two formats give the same tables, except for what a format loses."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import concat
from paifu.game.fingerprint import identify
from paifu.replay.replay_batch import replay

LOST = {
    "rounds": {"dice"},
    # disconnections, and the hands shown at nagashi mangan
    "round_seats": {"disconnected", "tenpai_shown"},
    "wins": {"fu", "recorded_honba", "recorded_sticks"},
}
TABLES = ("rounds", "round_seats", "actions", "discard_risks", "wins", "win_yaku")


@pytest.fixture(scope="module")
def tables(corpus: Path) -> list[dict[str, pl.DataFrame]]:
    """Tables of complete games of four and three players, from mjlog and from tenhou.net/6."""
    with (corpus / "pairs.tsv").open(encoding="utf-8") as table:
        rows = [
            row
            for row in csv.DictReader(table, delimiter="\t")
            if not row["mjlog"].startswith("mjlog_partial")
        ][::6]
    both = []
    for column, importer in (("mjlog", mjlog), ("tenhou_json", tenhou_json)):
        batch = concat(
            [
                importer.read(
                    [Blob((corpus / row[column]).read_bytes(), 0, name=row[column])]
                ).batch
                for row in rows
            ]
        )
        made = replay(batch, np.zeros(len(batch.games), dtype=np.int64))
        both.append({name: _plain(made[name]) for name in TABLES})
    return both


def _plain(table: object) -> pl.DataFrame:
    frame = pl.DataFrame(table)
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_same_from_both(tables: list[dict[str, pl.DataFrame]], name: str) -> None:
    xml, text = (frames[name] for frames in tables)
    assert xml.height == text.height > 10
    differing = [
        column
        for column in xml.columns
        if column not in LOST.get(name, ()) and not xml[column].equals(text[column])
    ]
    assert not differing


def test_fu_are_lost_from_mangan_on_only(tables: list[dict[str, pl.DataFrame]]) -> None:
    xml, text = (frames["wins"] for frames in tables)
    known = text["fu"].is_not_null()
    assert xml.filter(known)["fu"].equals(text.filter(known)["fu"])
    assert "none" not in text.filter(~known)["limit"].to_list()


def test_every_pair_is_one_game(corpus: Path) -> None:
    """The one pair whose mjlog is cut off aside, which holds less of the game."""
    with (corpus / "pairs.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    ids = []
    for column, importer in (("mjlog", mjlog), ("tenhou_json", tenhou_json)):
        imported = importer.read([Blob((corpus / row[column]).read_bytes(), 0) for row in rows])
        assert not imported.rejects
        found = dict(zip(imported.game_blob, identify(imported.batch).game_id, strict=True))
        ids.append([found[at] for at in range(len(rows))])
    differing = [row["mjlog"] for row, a, b in zip(rows, *ids, strict=True) if a != b]
    assert differing == ["mjlog_partial/2011020401gm-00a9-0000-f6eff225-no-round-end.mjlog"]
