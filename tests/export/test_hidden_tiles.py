"""Games whose logs hide tiles: written only in a format that has a hidden tile."""

from __future__ import annotations

import json
from pathlib import Path

from paifu.export.files import games_of, write_games
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.query.filters import Filter

HAND = ["1m", "1m", "1m", "2p", "3p", "4p", "3s", "4s", "5s", "6s", "6s", "6s", "9s"]
EVENTS = [
    {"type": "start_game", "names": ["A", "B", "C", "D"]},
    {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "4m", "scores": [25000] * 4, "tehais": [["?"] * 13] * 3 + [HAND],
    },
    {"type": "tsumo", "actor": 0, "pai": "?"},
    {"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": True},
    {"type": "tsumo", "actor": 1, "pai": "?"},
    {"type": "hora", "actor": 1, "target": 1, "pai": "9p", "deltas": [-500, 1100, -300, -300],
     "hora_tehais": ["2m", "3m", "4m", "5m", "6m", "7m", "1p", "2p", "3p", "7p", "8p", "E", "E"]},
]  # fmt: skip


def test_hidden_tiles_are_left_out_or_come_back(tmp_path: Path) -> None:
    (tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, EVENTS)), encoding="utf-8")
    ingest(tmp_path / "log.mjson", lake=tmp_path / "lake", jobs=1)
    with Lake.open(tmp_path / "lake") as lake:
        chosen = games_of(lake, Filter(), (), "tenhou-json")
        assert chosen.ids == []
        assert sum(chosen.left_out.values()) == 1
        assert "hidden_tiles" in next(iter(chosen.left_out))
        chosen = games_of(lake, Filter(), (), "mjai")
        assert len(chosen.ids) == 1
        (file,) = write_games(lake, chosen.ids, "mjai", tmp_path / "out")
        flags, hand = lake.sql("SELECT flags, hand FROM games JOIN wins USING (game_id)").fetchone()
    # a tsumo on a tile that the log hid is no fault, and the hand is the one shown
    assert "win_without_tile" not in flags
    assert hand == "234567m123789p11z"
    again = ingest(file, lake=tmp_path / "lake", jobs=1)
    assert (again.rejected, again.skipped) == (0, 1)


def test_the_shanten_of_a_hidden_hand_is_not_known(tmp_path: Path) -> None:
    riichi = [{"type": "reach", "actor": 3}, {"type": "reach_accepted", "actor": 3}]
    events = [
        *EVENTS[:2], {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": True},
        {"type": "tsumo", "actor": 1, "pai": "?"}, {"type": "dahai", "actor": 1, "pai": "N"},
        {"type": "tsumo", "actor": 2, "pai": "?"}, {"type": "dahai", "actor": 2, "pai": "N"},
        {"type": "tsumo", "actor": 3, "pai": "N"}, riichi[0],
        {"type": "dahai", "actor": 3, "pai": "N", "tsumogiri": True}, riichi[1],
        {"type": "tsumo", "actor": 0, "pai": "?"}, {"type": "dahai", "actor": 0, "pai": "P"},
    ]  # fmt: skip
    (tmp_path / "log.mjson").write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    ingest(tmp_path / "log.mjson", lake=tmp_path / "lake", jobs=1)
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT seat, shanten FROM discard_risks").fetchall() == [(0, None)]
