"""The list of statistics, and tables that fit a page of 80 columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from paifu.cli.commands.stats import print_answer
from paifu.cli.main import run as command
from paifu.cli.options import TABLE_ROWS
from paifu.query.statistics import GROUPS, read, statistics
from tests.helpers.answers import Answers

NAMES = sorted(statistics())


def test_the_table_of_contents(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["stats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings == [group.capitalize() for group in GROUPS]
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert sorted(listed) == NAMES
    assert any("--param points=hand, turn=own" in line for line in lines)


def test_the_table_of_contents_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(one["name"] for one in found) == NAMES
    assert {one["group"] for one in found} == set(GROUPS)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_fits_a_page(
    answers: Answers, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_answer(answers(name), TABLE_ROWS)
    printed = capsys.readouterr().out
    assert max((cell_len(line) for line in printed.splitlines()), default=0) <= 80


def test_a_single_row_is_printed_on_its_side(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No word is cut: each column has a line of its own."""
    command(["stats", "games", "--lake", str(place), "--where", "players = 4"])
    lines = capsys.readouterr().out.split("\n")
    assert [line.split()[0] for line in lines if line.strip()][:4] == [
        "players", "length", "room", "n",
    ]  # fmt: skip


def test_a_file_of_no_group_is_refused(tmp_path: Path) -> None:
    text = "".join(
        f"-- {key}: x\n"
        for key in (
            "title", "group", "answers", "numerator", "denominator", "source", "example",
        )
    )  # fmt: skip
    path = tmp_path / "odd.sql"
    path.write_text(text + "SELECT 1")
    with pytest.raises(ValueError, match=r"odd\.sql has no known group; the groups are yaku, wins"):
        read(path)
