"""Follows docs/add-a-rule-set.md and docs/win-sheets.md word for word."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
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


BEFORE, GAME = PAGE.split("## A game that is not riichi")
EDIT = re.compile(r"[Ii]n `([^`]+)`, below the line `([^`]+)`:\n\n```\w+\n(.*?)\n```", re.DOTALL)
FILE = re.compile(r"a file `(\w+\.toml)` of the \w+ lines ((?:`[^`]+`(?:, | and )?)+)")


def commands(page: str) -> list[list[str]]:
    """Return the commands that a page shows, as arguments."""
    return [
        shlex.split(line.removeprefix("$ paifu "))
        for block in blocks(page, "console")
        for line in block.splitlines()
    ]


def test_the_page_names_lines_that_are_there() -> None:
    edits = EDIT.findall(BEFORE)
    assert len(edits) == 6
    for file, line, _ in edits:
        text = (DOCS.parent / file).read_text(encoding="utf-8")
        assert text.count(f"\n{line}\n") == 1, line


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of paifu with the changes of the page, and its TOML files beside it."""
    folder = tmp_path_factory.mktemp("changed")
    shutil.copytree(DOCS.parent / "pipeline", folder / "pipeline")
    shutil.copytree(DOCS.parent / "data", folder / "data")  # labels
    for file, line, added in EDIT.findall(BEFORE):
        path = folder / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(f"\n{line}\n", f"\n{line}\n{added}\n"), encoding="utf-8")
    (club,) = blocks(BEFORE, "toml")
    (folder / "club.toml").write_text(club, encoding="utf-8")
    for name, lines in FILE.findall(BEFORE):
        text = "\n".join(re.findall(r"`([^`]+)`", lines))
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def told(folder: Path, code: str, *arguments: str) -> str:
    """Return what Python prints in the folder, with its paifu."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "pipeline")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.slow
def test_the_changes_of_the_page_do_what_it_says(changed: Path) -> None:
    every = commands(BEFORE)
    assert len(every) == 6
    code = (
        "import sys, json; from paifu.cli.main import run\n"
        "for words in json.loads(sys.argv[1]): print('\\0', run(words))"
    )
    shown = told(changed, code, json.dumps(every)).split("\0")
    assert all(status.startswith(" 0\n") for status in shown[1:])
    scored, listed, preset, by_preset, guest, five, _ = shown
    assert "4 han 30 fu, mangan: 12,000" in scored  # rounded up
    assert "sanrenkou" in listed.partition("yaku that do not count here")[0]
    assert "rules on the wall of the harbour club, 2026-11" in preset
    assert "mangan: 12,000" in by_preset
    assert "Pinfu" not in guest
    assert "Riichi" in guest
    assert "五門斉" in five


def test_the_changes_of_the_page_leave_every_rule_set_as_it_was(changed: Path) -> None:
    code = (
        "import paifu; from paifu.rules import rulesets as r\n"
        "print(*(f'{n}={r.get(n).hash}' for n in r.names()))"
    )
    after = dict(word.split("=") for word in told(changed, code).split())
    assert after.pop("harbour-club")
    assert after == {name: str(rulesets.get(name).hash) for name in rulesets.names()}


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page's module and its TOML file, as somebody who follows the page makes them."""
    (code,) = blocks(GAME, "python")
    (name,) = re.findall(r"save it as `paifu/rules/games/(\w+\.py)`", GAME)
    (tmp_path / name).write_text(code, encoding="utf-8")
    (toml,) = re.findall(r"a file `high\.toml` of the two lines `(.+?)` and `(.+?)`", GAME)
    (tmp_path / "high.toml").write_text("\n".join(toml), encoding="utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    monkeypatch.chdir(tmp_path)
    all_games.cache_clear()
    yield tmp_path
    all_games.cache_clear()


def test_the_game_of_the_page_works_at_once(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "our-club" in rulesets.game_names()
    assert len(commands(GAME)) == 4
    shown = []
    for command in commands(GAME):
        assert run(command) == 0
        shown.append(capsys.readouterr().out)
    pungs, kong, explained, high = shown
    assert "points  east +8, south -8\n" in pungs
    assert "points  east -2, south +6, west -2, north -2\n" in kong
    assert "What a hand without fan is worth to each payer." in explained
    assert "points  east +300, south -100, west -100, north -100\n" in high


def test_facts_the_game_does_not_have_are_refused(
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
