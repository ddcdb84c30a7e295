"""Small inputs that once came out wrong, kept beside the real logs: each has its right outcome."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.cli.main import main
from paifu.lake.lake import Lake
from paifu.query.statistics import run

VERDICTS = "SELECT subject, status, reason FROM verdicts ORDER BY ALL"


@pytest.fixture(scope="module")
def cases(corpus: Path) -> Path:
    """The folder of the inputs, or a skip."""
    folder = corpus.parent / "cases"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    return folder


def lake_of(cases: Path, name: str, folder: Path) -> Path:
    paifu.ingest(cases / name, lake=folder / "lake", jobs=1)
    paifu.rescore(folder / "lake", jobs=1)
    return folder / "lake"


def rows(lake: Path, query: str) -> list[tuple[Any, ...]]:
    with Lake.open(lake) as opened:
        return opened.sql(query).fetchall()


def status(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return int(ended.value.code or 0)


def test_a_rinshan_tsumo_as_the_converter_writes_it(cases: Path, tmp_path: Path) -> None:
    lake = lake_of(cases, "majiang_rinshan_kaigang.json", tmp_path)
    assert rows(lake, "SELECT rinshan, tsumo FROM wins") == [(True, True)]
    assert rows(lake, "SELECT status FROM verdicts WHERE subject = 'win'") == [("match",)]
    assert rows(lake, "SELECT flags FROM games") == [([],)]


def test_hidden_tiles_are_read_and_left_out_of_an_export(
    cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = lake_of(cases, "hidden_tiles.mjson", tmp_path)
    assert rows(lake, "SELECT count(*) FROM games") == [(1,)]
    status("export", "--lake", lake, "--format", "tenhou-json", "--out", tmp_path / "out")
    assert "1 game left out" in "".join(capsys.readouterr())
    assert not list((tmp_path / "out").glob("*.json"))


def test_the_address_bar_s_form_of_a_link(cases: Path, tmp_path: Path) -> None:
    summary = paifu.ingest(cases / "url_browser_form.txt", lake=tmp_path / "lake", jobs=1)
    assert (summary.games, summary.rejected) == (1, 0)


@pytest.mark.parametrize(
    ("name", "reason", "of_round"),
    [
        ("four_kans_then_tsumo.mjson", "abortive draw", "mismatch"),
        ("riichi_furiten_ron_without_ura.mjson", "furiten", "match"),
    ],
)
def test_illegal_wins(cases: Path, tmp_path: Path, name: str, reason: str, of_round: str) -> None:
    lake = lake_of(cases, name, tmp_path)
    wins = [row[1:] for row in rows(lake, VERDICTS) if row[0] == "win"]
    assert [(verdict, reason in why) for verdict, why in wins] == [("illegal", True)]
    assert [row[1] for row in rows(lake, VERDICTS) if row[0] == "round"] == [of_round]


def test_an_attribute_given_twice_with_one_value(cases: Path, tmp_path: Path) -> None:
    lake = lake_of(cases, "reach_attribute_twice.mjlog", tmp_path)
    assert rows(lake, "SELECT flags FROM games") == [([],)]
    assert {row[1] for row in rows(lake, VERDICTS) if row[0] == "win"} == {"match"}


def test_sheets(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("score", "--sheet", cases / "open_hand_first_turn.csv") != 0
    assert "first turn" in "".join(capsys.readouterr())
    sheet = tmp_path / "regional.csv"
    shutil.copy(cases / "changsha.toml", tmp_path)
    lines = (cases / "regional_sheet.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    sheet.write_text("".join(lines[:3]), encoding="utf-8")
    status("score", "--sheet", sheet)
    assert re.search(r"2 match\b(?!.*(?:mismatch|reject))", "".join(capsys.readouterr()))


def test_names_of_files_and_rows_without_a_log(
    cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status("ingest", cases / "cp932_names.zip", "--lake", tmp_path / "one")
    assert "牌譜.mjlog" in "".join(capsys.readouterr())
    assert status("ingest", cases / "houou_no_content.db", "--lake", tmp_path / "two") == 0
    assert "2 rows of databases without a log" in "".join(capsys.readouterr())


def test_a_rule_set_of_one_s_own_changes_nothing_about_the_record(
    cases: Path, tmp_path: Path
) -> None:
    lake = lake_of(cases, "reach_attribute_twice.mjlog", tmp_path)
    with Lake.open(lake) as opened:
        before = run(opened, "data_quality").rows
    status("rescore", "--lake", lake, "--ruleset", cases / "own_uma.toml")
    with Lake.open(lake) as opened:
        assert run(opened, "data_quality").rows == before
