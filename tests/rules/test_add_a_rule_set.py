"""docs/add-a-rule-set.md and docs/win-sheets.md, done word for word."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from paifu.cli.main import run
from paifu.formats.win_sheet.sheet import check_sheet
from paifu.rules import games, rulesets
from paifu.rules.games import all_games

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "add-a-rule-set.md").read_text(encoding="utf-8")
SHEETS = (DOCS / "win-sheets.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page's module and its TOML file, as someone who follows it has them."""
    (code,) = blocks(PAGE, "python")
    (name,) = re.findall(r"save it as `paifu/rules/games/(\w+\.py)`", PAGE)
    (tmp_path / name).write_text(code, encoding="utf-8")
    (toml,) = re.findall(r"a file `high\.toml` of the two lines `(.+?)` and `(.+?)`", PAGE)
    (tmp_path / "high.toml").write_text("\n".join(toml), encoding="utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    monkeypatch.chdir(tmp_path)
    all_games.cache_clear()
    yield tmp_path
    all_games.cache_clear()


def test_the_game_of_the_page_works_at_once(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "our-club" in rulesets.game_names()
    commands = [
        line.removeprefix("$ paifu ")
        for block in blocks(PAGE, "console")
        for line in block.splitlines()
    ]
    assert len(commands) == 4
    shown = []
    for command in commands:
        assert run(shlex.split(command)) == 0
        shown.append(capsys.readouterr().out)
    pungs, kong, explained, high = shown
    assert "points  east +8, south -8\n" in pungs
    assert "points  east -2, south +6, west -2, north -2\n" in kong
    assert "What a hand without fan is worth to each payer." in explained
    assert "points  east +300, south -100, west -100, north -100\n" in high


def test_what_the_game_of_the_page_does_not_have_is_told(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "123m456p789s22m34s1f", "--win", "2s", "--rules", "our-club"]) != 0
    assert "our-club has no flowers: there is 1f" in capsys.readouterr().err


def test_the_sheets_of_the_page_agree_with_their_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wins, events = blocks(SHEETS, "csv")
    for game, toml in zip(("sichuan", "changsha"), blocks(SHEETS, "toml"), strict=True):
        assert f'extends = "{game}"' in toml
        (tmp_path / f"my-{game}.toml").write_text(toml, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, text in (("wins.csv", wins), ("events.csv", events)):
        Path(name).write_text(text, encoding="utf-8")
        checked = check_sheet(name)
        assert set(checked["status"]) == {"match"}, checked.to_dicts()
