"""What an ingest says it did."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import orjson

from paifu.ingest import ingest
from paifu.lake import Lake
from paifu.resources import resource_dir


def test_flagged_games_are_told_by_what_is_wrong_with_them(tmp_path: Path) -> None:
    """Two games with other final points than their last rounds came to, in two transactions."""
    for name in ("double_ron", "four_riichi", "south_1"):
        log = (resource_dir("data") / f"{name}.mjlog").read_text(encoding="utf-8")
        head, owari, tail = log.partition('owari="')
        changed = head + owari + ("9" if name != "south_1" else "") + tail
        (tmp_path / f"{name}.mjlog").write_text(changed, encoding="utf-8")
    summary = ingest(tmp_path, lake=tmp_path / "lake", jobs=1, batch_games=1)
    with Lake.open(tmp_path / "lake") as lake:
        rows = lake.sql("SELECT reason, count(DISTINCT game_id) FROM flags GROUP BY 1").fetchall()
    assert summary.games == 3
    assert summary.flagged == 2
    assert summary.flags == dict(rows)
    assert summary.flags["final_differs"] == 2
    assert orjson.loads(orjson.dumps(asdict(summary)))["flags"] == summary.flags
