"""The empty sheet: its example is a game that can be read, in every rule set, language and form."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from paifu.cli.main import run
from paifu.formats.base import Blob
from paifu.formats.registry import detect
from paifu.formats.score_sheet import importer as score_sheet
from paifu.formats.score_sheet.template import LANGUAGES, as_csv, as_workbook, template
from paifu.rules import rulesets

NAMES = (*rulesets.names(), *rulesets.game_names())


def with_example(rows: list[list[str]]) -> list[list[str]]:
    """Return the header with the rows of the example below it, as a person fills them in."""
    begin = rows.index(["# an example:"])
    return [rows[-1], *([row[0].removeprefix("# "), *row[1:]] for row in rows[begin + 2 : -2])]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_read(name: str) -> None:
    for depth, language in zip(("results", "rounds", "hands"), LANGUAGES, strict=True):
        rows = template(rulesets.load_any(name), name, depth=depth, language=language)  # type: ignore[arg-type]
        data = as_csv(with_example(rows)).encode()
        imported = score_sheet.read([Blob(data, 0)])
        assert imported.rejects == []
        assert imported.results is not None
        (game,) = imported.results.games.to_pylist()
        assert (game["detail"], game["flags"]) == (
            "result" if depth == "results" else "rounds", [],
        )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unfilled_sheet_has_no_games(language: str) -> None:
    rows = template(rulesets.load_any("mcr"), "mcr", language=language)
    for data in (as_csv(rows).encode("utf-8-sig"), as_workbook(rows)):
        assert detect(data) == "score_sheet"
        (reject,) = score_sheet.read([Blob(data, 0)]).rejects
        assert "no row" in reject.reason


def test_the_command_writes_a_sheet_and_never_over_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.xlsx"
    assert run(["sheet", "template", "国标", "--out", str(out), "--lang", "zh"]) == 0
    book = openpyxl.load_workbook(io.BytesIO(out.read_bytes()))
    assert book.active is not None
    assert [cell.value for cell in list(book.active.rows)[-1]][:2] == ["日期", "地点"]
    before = out.read_bytes()
    assert run(["sheet", "template", "mcr", "--out", str(out)]) == 2
    assert "exists" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert run(["sheet", "template", "nothing"]) == 2
    assert run(["sheet", "template", "mcr", "--out", str(tmp_path / "sheet.doc")]) == 2
