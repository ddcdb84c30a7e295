"""Follows the page on adding a log format word for word."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import paifu
from paifu import formats
from paifu.cli.main import run
from paifu.formats import registry
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
def ourlog(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """The folder that somebody who follows the page makes; nothing else is changed."""
    (text,) = re.findall(r"```python\n(\"\"\"Our club.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    folder = tmp_path / "formats" / "ourlog"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""Our club."""\n', encoding="utf-8")
    (folder / "importer.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder.parent)])
    registry.formats.cache_clear()
    monkeypatch.delitem(sys.modules, "paifu.cli.commands.ingest", raising=False)
    yield import_module("paifu.formats.ourlog.importer")
    registry.formats.cache_clear()
    for name in [name for name in sys.modules if name.startswith("paifu.formats.ourlog")]:
        del sys.modules[name]


def test_the_new_format_is_known_by_its_folder(
    ourlog: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert registry.formats()[-1] == "ourlog"
    assert run(["ingest", "--help"]) == 0
    assert "ourlog" in capsys.readouterr().out


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
    assert registry.detect(game()) == "ourlog"
    assert registry.detect(b'{"log": [[[0,0,0],[25000,25000,25000,25000]]]}') == "tenhou_json"
