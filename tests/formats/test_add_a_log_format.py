"""The page on adding a log format, done word for word."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import paifu
from paifu.formats import registry as importers
from paifu.formats.base import Blob
from paifu.lake.lake import Lake

PAGE = Path(__file__).parents[2] / "docs" / "add-a-log-format.md"
HANDS = [
    "1m 2m 3m 4m 5m 6m 7m 8m 9m 1z 1z 2z 2z", "1p 2p 3p 4p 0p 6p 7p 8p 9p 3z 3z 4z 4z",
    "1s 2s 3s 4s 5s 6s 7s 8s 9s 5z 5z 6z 6z", "1m 2m 3m 4p 5p 6p 7s 8s 9s 7z 7z 9p 9p",
]  # fmt: skip
ROUND = {
    "hands": [hand.split() for hand in HANDS],
    "points": [25000] * 4,
    "dora": "1p",
    "play": ["0+7m", "0-7m", "1+9s", "1-3z"],
}


def game(**changed: object) -> bytes:
    rounds = [ROUND, ROUND | changed]
    return json.dumps({"club": "ours", "players": list("abcd"), "rounds": rounds}).encode()


@pytest.fixture
def ourlog(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The page's module, in its place and in the list of formats."""
    (text,) = re.findall(r"```python\n(\"\"\"Our club.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    module = ModuleType("paifu.formats.registry.ourlog")
    exec(compile(text, "ourlog.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(importers, "FORMATS", (*importers.FORMATS, "ourlog"))
    return module


def test_a_log_of_the_new_format_is_ingested(ourlog: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "club.log").write_bytes(b"\n".join([game(), game(dora="2p")]))
    summary = paifu.ingest([tmp_path / "club.log"], tmp_path / "lake")
    assert (summary.games, summary.rejected) == (2, 0)
    with Lake.open(tmp_path / "lake") as lake:
        assert set(lake.sql("SELECT format, position, rounds FROM games").fetchall()) == {
            ("ourlog", "line 1", 2), ("ourlog", "line 2", 2),
        }  # fmt: skip
        assert lake.sql("SELECT DISTINCT player FROM seats ORDER BY 1").fetchall() == [
            ("a",), ("b",), ("c",), ("d",),
        ]  # fmt: skip
        acted = lake.sql(
            "SELECT DISTINCT seat, action, drawn, tile FROM actions ORDER BY seat"
        ).fetchall()
        assert acted == [(0, "discard", "7m", "7m"), (1, "discard", "9s", "3z")]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"play": ["0+7m", "0-8z"]}, "$.rounds[1].play[1]"),
        ({"hands": []}, "$.rounds[1].hands"),
        ({"points": [1e99]}, "$.rounds[1].points[0]"),
        ({"dora": None}, "$.rounds[1].dora"),
    ],
)
def test_a_broken_log_costs_itself_only(
    ourlog: ModuleType, changed: dict[str, object], place: str
) -> None:
    blobs = [Blob(game(), 0), Blob(game(**changed), 0), Blob(game(), 0)]
    imported = ourlog.read(blobs)
    assert imported.game_blob == [0, 2]
    assert [reject.position for reject in imported.rejects] == [place]


def test_other_formats_are_not_taken(ourlog: ModuleType) -> None:
    assert importers.detect(game()) == "ourlog"
    assert importers.detect(b'{"log": [[[0,0,0],[25000,25000,25000,25000]]]}') == "tenhou_json"
