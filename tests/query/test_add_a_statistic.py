"""Follows docs/add-a-statistic.md word for word on a copy of ``sql/``."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from paifu.cli.main import run as command
from paifu.docgen.statistics_page import OPENS
from paifu.docgen.statistics_page import main as write_page
from paifu.host.shipped_files import resource_dir
from paifu.lake.lake import Lake
from tests.query import registry
from tests.query.slow_game import Game
from tests.query.test_against_logs import asked_for, compare, walked

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-a-statistic.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(sql|console|python)\n(.*?)\n```", re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(PAGE) if kind == language]


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The statistic of the page, saved where the page says, in a copy that paifu reads."""
    path = re.search(r"Save this as `sql/(\w+)\.sql`", PAGE)
    assert path
    shutil.copytree(resource_dir("sql"), tmp_path / "sql")
    (tmp_path / "sql" / f"{path[1]}.sql").write_text(blocks("sql")[0], encoding="utf-8")
    monkeypatch.setattr("paifu.query.statistics.resource_dir", lambda folder: tmp_path / folder)
    return path[1]


def test_the_commands_of_the_page_do_what_it_says(
    name: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "statistics.md"
    page.write_text(OPENS, encoding="utf-8")
    ran = 0
    for line in "\n".join(blocks("console")).splitlines():
        words = shlex.split(line.removeprefix("$ "))
        if words[0] == "paifu":
            assert (
                command([str(place) if word == "games.lake" else word for word in words[1:]]) == 0
            )
            assert "no rows" not in capsys.readouterr().err
        else:
            assert words[:3] == ["python", "-m", "paifu.docgen.statistics_page"]
            write_page(page)
            assert f"#### {name}" in page.read_text(encoding="utf-8")
        ran += 1
    assert ran == 3
    assert command(["stats"]) == 0
    assert name in capsys.readouterr().out


def test_the_check_of_the_page_counts_the_same(
    name: str, lake: Lake, simulated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "CHECKS", registry.CHECKS.copy())
    told = asked_for({name}, set(registry.CHECKS))
    assert told.startswith(f"{name} has no check: count it plainly in one of tests/query/checks_")
    assert "docs/add-a-statistic.md" in told
    names: dict[str, Any] = {**vars(registry), "Game": Game}
    exec(blocks("python")[0], names)  # the page's own code
    (check,) = registry.CHECKS[name]
    assert asked_for({name}, set(registry.CHECKS)) == ""
    compare(name, check, lake, walked(sorted(simulated.rglob("*.mjlog")), lake))
