"""The empty sheet: its example is a game that can be read, in every rule set, language and form."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import PaifuError
from paifu.formats.base import Blob
from paifu.formats.registry import detect
from paifu.formats.score_sheet import importer as score_sheet
from paifu.formats.score_sheet.columns import COLUMNS, WIN_TITLES
from paifu.formats.score_sheet.guides import LANGUAGES, about, guide_of
from paifu.formats.score_sheet.template import as_csv, as_workbook, template
from paifu.ingestion.driver import ingest
from paifu.rules import rulesets

NAMES = (*rulesets.names(), *rulesets.game_names())


def with_example(rows: list[list[str]], language: str) -> list[list[str]]:
    """Return the header with the rows of the example below it, as a person fills them in."""
    begin = rows.index([f"# {about(language)[3]}"])
    return [rows[-1], *([row[0].removeprefix("# "), *row[1:]] for row in rows[begin + 2 : -2])]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_read(name: str) -> None:
    for depth, language in zip(("results", "rounds", "hands"), LANGUAGES, strict=True):
        rows = template(rulesets.load_any(name), name, depth=depth, language=language)  # type: ignore[arg-type]
        data = as_csv(with_example(rows, language)).encode()
        imported = score_sheet.read([Blob(data, 0)])
        assert imported.rejects == []
        assert imported.results is not None
        (game,) = imported.results.games.to_pylist()
        assert (game["detail"], game["flags"]) == (
            "result" if depth == "results" else "rounds", [],
        )  # fmt: skip


def test_every_rule_set_has_an_example_that_agrees_with_it(tmp_path: Path) -> None:
    """The written files, with the example filled in below the header, in every depth."""
    book = tmp_path / "book"
    book.mkdir()
    for number, name in enumerate(NAMES):
        for depth, language in zip(("results", "rounds", "hands"), LANGUAGES, strict=True):
            rows = template(rulesets.load_any(name), name, depth=depth, language=language)  # type: ignore[arg-type]
            filled = [rows[-1], *with_example(rows, language)[1:]]
            at = rows[-1].index(about_titles(language)["table"])
            filled[1][at] = f"{number} {depth}"  # each on a table of its own
            path = book / f"{name}-{depth}.{'xlsx' if depth == 'rounds' else 'csv'}"
            data = [*rows[:-1], *filled]
            text = as_csv(data).encode("utf-8-sig")
            path.write_bytes(as_workbook(data) if path.suffix == ".xlsx" else text)
    done = ingest(book, tmp_path / "club.lake", jobs=1)
    assert (done.games, done.rejected, done.flagged) == (3 * len(NAMES), 0, 0)
    report = rescore(tmp_path / "club.lake", jobs=1)
    wrong = {(subject, status) for subject, counts in report.counts.items() for status in counts}
    assert not {status for _, status in wrong} & {"illegal"}
    assert wrong & {(subject, "mismatch") for subject in report.counts} == {("game", "mismatch")}
    unfinished = [name for name in rulesets.names() if rulesets.get(name).flow == "known"]
    assert report.count("game", "mismatch") <= 2 * len(unfinished)  # riichi's example goes on


def about_titles(language: str) -> dict[str, str]:
    return {each.key: each.titles[LANGUAGES.index(language)] for each in COLUMNS}


def test_the_guide_is_in_the_language_of_the_headings() -> None:
    told = {
        language: {key: guide_of(key, language) for key in (*_KEYS, *WIN_TITLES.keys() & _GUIDED)}
        for language in LANGUAGES
    }
    for key, english in told["en"].items():
        assert len({english, told["ja"][key], told["zh"][key]}) == 3, key
    rows = template(rulesets.load_any("wrc"), "wrc", depth="hands", language="ja")
    assert ["# 放銃者", "放銃した人。ツモなら空欄"] in rows
    with pytest.raises(PaifuError, match="sheets are written in en, ja, zh"):
        template(rulesets.load_any("wrc"), "wrc", language="de")


_KEYS = [each.key for each in COLUMNS]
_GUIDED = {"hand", "melds", "win_tile", "fan", "han", "dora_indicators", "ura_indicators"}


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


def test_the_guide_names_only_tiles_and_melds_of_the_rule_set() -> None:
    words = ("winds", "white", "0m 0p 0s red fives", "0p 0s red fives", "chi:123s")
    has = {
        "mleague": (True, True, True, True, True),
        "wrc": (True, True, False, False, True),
        "tenhou-3p": (True, True, False, True, False),
        "mcr": (True, True, False, False, True),
        "sichuan": (False, False, False, False, False),
        "kawuxing": (False, True, False, False, False),
    }
    for name, expected in has.items():
        rows = template(rulesets.load_any(name), name, depth="hands")
        guide = " ".join(row[1] for row in rows if len(row) == 2)
        assert tuple(word in guide for word in words) == expected, name
