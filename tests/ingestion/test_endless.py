"""Logs longer than any real game, whose rounds and acts the tables could not number."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake

DEAL = '<INIT seed="0,0,0,0,0,0" ten="250,250,250,250" oya="0" hai0="" hai1="" hai2="" hai3="4"/>'


@pytest.mark.parametrize(
    "more", [DEAL * 40_000, "<T5/><D5/>" * 40_000, '<N who="0" m="1"/>' * 40_000]
)
def test_a_log_without_end_is_rejected_and_its_neighbours_are_not(
    tmp_path: Path, more: str
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("double_ron", "four_riichi", "south_1"):
        text = (resource_dir("data") / f"{name}.mjlog").read_text(encoding="utf-8")
        if name == "four_riichi":
            text = text.replace("</mjloggm>", more + "</mjloggm>")
        (logs / f"{name}.mjlog").write_text(text, encoding="utf-8")
    summary = ingest(logs, lake=tmp_path / "lake", jobs=1)
    assert (summary.games, summary.rejected) == (2, 1)
    with Lake.open(tmp_path / "lake") as lake:
        ((path, reason),) = lake.sql(
            "SELECT path, reason FROM rejects JOIN sources USING (source_id)"
        ).fetchall()
    assert Path(path).name == "four_riichi.mjlog"
    assert reason.startswith("longer than any game")
