"""Score sheets with faults: each is named with its row and column; no game is stored by half."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import orjson
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from paifu.formats.base import Blob
from paifu.formats.score_sheet import importer as score_sheet
from tests.formats.score_sheet.sheets import (
    HEAD,
    MCR,
    MCR_ROUNDS,
    PEOPLE,
    RESULTS,
    RIICHI,
    ROUNDS,
    games,
    read,
    rows,
    table,
    workbook,
)

EMPTY = ("",) * 6
WON = ("ron", "Ben", "Chen", "", -8, 32, -16, -8)


def faults(*lines: tuple[Any, ...], header: tuple[str, ...] = ROUNDS) -> str:
    """Return why the only game of a sheet is refused; none of its rows may be there."""
    imported = read(table(header, *lines))
    assert imported.results is not None
    assert imported.results.games.num_rows == 0
    assert all(more.num_rows == 0 for more in imported.results.more.values())
    (reject,) = imported.rejects
    return reject.reason


def test_all_faults_of_a_game_are_told_at_once() -> None:
    told = faults(
        (*MCR, 1, "ron", "Bem", "Chen", "", "eight", 32, -16, -8),
        (*EMPTY, 2, "washout"),
        (*EMPTY, 4, "", "Aiko", "", "", "=16*3", -16, -16, -16),
    )
    for fault in (
        "row 2, winner: nobody at the table is 'Bem': did you mean 'Ben'?",
        "row 2, East change: 'eight' is not a whole number",
        "row 3, outcome: there is no outcome 'washout'",
        "row 4, round: 4, but round 3 is missing",
        "row 4, East change: '=16*3' is a formula: write its value",
    ):
        assert fault in told


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([("", "mcr", *PEOPLE, 1, *WON)], "row 2, date: empty"),
        ([("2026-13-01", *MCR[1:], 1, *WON)], "there is no day '2026-13-01'"),
        ([("yesterday", *MCR[1:], 1, *WON)], "'yesterday' is not a date"),
        ([("3/4/2026", *MCR[1:], 1, *WON)], "may be 3 April or 4 March: write it like 2026-04"),
        ([("45990", *MCR[1:], 1, *WON)], "'45990' is not a date"),
        ([(MCR[0], "mrc", *PEOPLE, 1, *WON)], "row 2, rules: there is no rule set 'mrc'"),
        ([(MCR[0], "", *PEOPLE, 1, *WON)], "row 2, rules: empty"),
        ([(*MCR[:2], "Aiko", "Aiko", "Chen", "Dora", 1, *WON)], "'Aiko' sits there twice"),
        ([(*MCR[:2], "Aiko", "", "Chen", "Dora", 1, *WON)], "row 2, South: empty: who sat there?"),
        ([(*MCR[:2], "Aiko", "Ben", "Chen", "", 1, *WON)], "mcr is for 4 players, and 3 are named"),
        ([(*MCR, 2, *WON)], "2, but round 1 is missing"),
        ([(*RIICHI, "E2", "draw")], "East 2 first: East 1 is missing"),
        ([(*RIICHI, "E1", "draw"), (*EMPTY, "E3", "draw")], "after East 1: East 2 is missing"),
        ([(*RIICHI, "E1", "draw"), (*EMPTY, "E1-2", "draw")], "East 1-1 is missing"),
        ([(*RIICHI, "E5", "draw")], "row 2, round: 'E5' is not a round: write it like"),
        ([(*MCR, 1, *WON), (*EMPTY, 1, *WON)], "was already won by 'Ben' in row 2"),
        ([(*MCR, 1, "tsumo", "Ben", "Chen")], "a self-drawn win has no discarder"),
        ([(*MCR, 1, "ron", "Ben", "Ben")], "the winner cannot be the discarder"),
        ([(*MCR, 1, "ron", "Ben")], "row 2, discarder: empty"),
        ([(*MCR, 1, "ron", "", "Ben")], "row 2, winner: empty"),
        (
            [(MCR[0], "mcr", *PEOPLE, 1, *WON), (*EMPTY[:2], "Emi", *PEOPLE[1:], 3, "draw")],
            "3, but round 1 is missing",
        ),
        ([(*MCR, 1, *WON, "5")], "stands below no heading"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_row_and_column(lines: list[Any], fault: str) -> None:
    imported = read(table(ROUNDS, *lines))
    assert any(fault in reject.reason for reject in imported.rejects)


def test_a_faulty_game_leaves_the_other_games_of_its_sheet() -> None:
    header = (*HEAD[:1], "game", *HEAD[1:], *RESULTS[6:])
    imported = read(
        table(
            header,
            (MCR[0], 1, *MCR[1:], 30, 10, -20, -20),
            ("", 2, *[""] * 5, 30, "x", -20, -20),
            ("", 3, *[""] * 5, 0, 0, 0, 0),
        )
    )
    assert [reject.position for reject in imported.rejects] == ["row 3"]
    assert imported.results is not None
    assert imported.results.games.column("log_id").to_pylist() == ["2026-11-30 01", "2026-11-30 03"]


@pytest.mark.parametrize("first", [0, 1])
def test_numbered_seats_count_from_0_or_from_1(first: int) -> None:
    numbers = range(first, first + 3)
    header = ("date", "rules", *(f"player {i}" for i in numbers), *(f"points_{i}" for i in numbers))
    imported = read(table(header, ("2026-11-30", "tenhou-3p", *PEOPLE[:3], 50000, 35000, 20000)))
    assert not imported.rejects
    assert imported.results is not None
    seats = imported.results.seats.select(["seat", "player", "final_points"]).to_pylist()
    assert [(row["seat"], row["final_points"]) for row in seats] == [
        (0, 50000), (1, 35000), (2, 20000)
    ]  # fmt: skip
    assert [row["player"] for row in seats] == list(PEOPLE[:3])


def test_a_misspelled_file_of_rules_names_the_file_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours.toml").write_text('extends = "wrc"\n')
    monkeypatch.chdir(tmp_path)
    row = ("2026-11-30", "our.toml", *PEOPLE, 41000, 29000, 22000, 28000)
    assert "no such file; did you mean 'ours.toml'?" in faults(row, header=RESULTS)


def test_a_length_that_the_rules_do_not_have_is_told() -> None:
    row = ("2026-11-30", "wrc", *PEOPLE, 41000, 29000, 22000, 28000, "east")
    told = faults(row, header=(*RESULTS, "length"))
    assert "row 2, length: east, but a game of wrc is south: a TOML file with length" in told


def test_a_formula_is_told_once() -> None:
    row = ("2026-11-30", "wrc", *PEOPLE, 41000, 29000, 22000, "=120000-SUM(G2:I2)")
    told = faults(row, header=RESULTS)
    assert "is a formula: write its value" in told
    assert "empty" not in told


def test_totals_that_contradict_their_changes_are_refused() -> None:
    header = (*ROUNDS, "East points")
    told = faults(
        (*MCR, 1, *WON, -8), (*EMPTY, 2, "", "Aiko", "", "", 54, -18, -18, -18, 64), header=header
    )
    assert "row 3, East points: 64, but -8 and a change of +54 make 46" in told


def test_sums_that_do_not_add_up_are_kept_and_flagged() -> None:
    (game,) = games(read(table(ROUNDS, (*MCR, 1, "ron", "Ben", "Chen", "", -8, 32, -16, 0))))
    assert game["flags"] == ["sum_differs"]
    (game,) = games(read(table(RESULTS, (*RIICHI, 41000, 29000, 22000, 27500))))
    assert game["flags"] == ["points_sum"]


def test_dates_of_three_styles_are_read_and_two_that_contradict_are_told() -> None:
    days = ("2026-11-30", "2026/12/01", "30.11.2026", "2026年12月1日", "03.04.2026")
    results = [(day, *RIICHI[1:], 30000, 30000, 30000, 30000) for day in days]
    told = [game["log_id"] for game in games(read(table(RESULTS, *results)))]
    assert told == [
        "2026-11-30 01", "2026-12-01 01", "2026-11-30 02", "2026-12-01 02", "2026-04-03 01",
    ]  # fmt: skip
    alone = ("6.12.2026", *RIICHI[1:], 30000, 30000, 30000, 30000)
    assert games(read(table(RESULTS, alone)))[0]["log_id"] == "2026-12-06 01"
    months = [("11/30/2026", *alone[1:]), ("6.12.2026", *alone[1:])]
    imported = read(table(RESULTS, *months))
    assert [reject.position for reject in imported.rejects] == ["row 3"]
    assert "may be 6 December or 12 June" in imported.rejects[0].reason
    mixed = [*results, ("11/30/2026", *RIICHI[1:], 30000, 30000, 30000, 30000)]
    (reject,) = read(table(RESULTS, *mixed)).rejects
    assert "dates in two styles: 30.11.2026 (row 4) has the day first, 11/30/2026" in reject.reason


@pytest.mark.parametrize(
    ("header", "fault"),
    [
        ((*ROUNDS, "colour"), "there is no column 'colour'"),
        ((*ROUNDS[:-1], "Nroth change"), "did you mean 'North change'"),
        ((*ROUNDS, "winner"), "the header has the column winner twice"),
    ],
)
def test_a_header_that_cannot_be_read_says_so(header: tuple[str, ...], fault: str) -> None:
    (reject,) = read(table(header, (*MCR, 1, *WON))).rejects
    assert (reject.position, fault in reject.reason) == ("row 1", True)


# --- workbooks


def changed(change: str) -> bytes:
    book, data = openpyxl.Workbook(), io.BytesIO()
    sheet: Any = book.active
    for row in MCR_ROUNDS:
        sheet.append(row)
    if change == "merged":
        sheet.merge_cells("A2:A4")
    elif change == "charts":
        book.create_chartsheet("Points", 0)
    elif change == "only charts":
        book.remove(sheet)
        book.create_chartsheet("Points")
    elif change == "array":
        sheet["M2"] = ArrayFormula("M2:M2", "=SUM(L2*2)")
    elif change == "formula":
        sheet["M2"] = "=L2*2"
    elif change == "error":
        sheet["M2"] = "#REF!"
    book.save(data)
    return data.getvalue()


def repacked(data: bytes, name: str, replace: tuple[bytes, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for part in old.namelist():
            content = old.read(part)
            new.writestr(part, content.replace(*replace) if part == name else content)
    return out.getvalue()


LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><worksheet'
BLANKS = b"<sheetData>" + b" " * (65 << 20)
SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (changed("merged"), "merged cells A2:A4: unmerge them"),
        (changed("only charts"), "with charts only"),
        (changed("array"), "row 2, South change: '=SUM(L2*2)' is a formula: write its value"),
        (changed("formula"), "row 2, South change: '=L2*2' is a formula: write its value"),
        (changed("error"), "row 2, South change: '=#REF!' is a formula"),
        (repacked(workbook(*MCR_ROUNDS), SHEET, (b"<worksheet", LAUGHS)), "a DTD"),
        (repacked(workbook(*MCR_ROUNDS), SHEET, (b"</row>", b"")), "cannot be read"),
        (
            repacked(
                workbook(*MCR_ROUNDS), SHEET, (b"<sheetData>", b"<sheetData>" + b" " * (65 << 20))
            ),
            "more than 64 MiB unpacked",
        ),
        (workbook(*MCR_ROUNDS)[:-300], "cannot be unpacked"),
        (workbook(("a",), ("b",)), "no row names the columns of a score sheet"),
    ],
    ids=(
        "merged",
        "charts",
        "array",
        "formula",
        "error",
        "entities",
        "xml",
        "bomb",
        "cut off",
        "no header",
    ),
)
def test_workbooks_that_are_refused_say_why(data: bytes, fault: str) -> None:
    imported = score_sheet.read([Blob(data, 0)])
    assert imported.results is not None
    assert imported.results.games.num_rows == 0
    (reject,) = imported.rejects
    assert fault in reject.reason


def test_a_title_above_the_header_and_other_sheets_may_have_merged_cells() -> None:
    book, data = openpyxl.Workbook(), io.BytesIO()
    sheet: Any = book.active
    sheet.title = "Evening"
    sheet.append(["Our club's book"])
    for row in MCR_ROUNDS:
        sheet.append(row)
    sheet.merge_cells("A1:F1")
    book.create_sheet("members").merge_cells("A1:B2")
    book.create_chartsheet("Points", 0)
    book.save(data)
    assert len(games(read(data.getvalue()))) == 1
    sheet.merge_cells("C3:D4")
    book.save(data := io.BytesIO())
    (reject,) = read(data.getvalue()).rejects
    assert reject.position == "Evening, row 3"
    assert reject.reason.startswith("merged cells C3:D4: ")


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"honba": 40_000}, "row 1, honba: 40000, but counters are 0 to 999"),
        ({"honba": -1}, "row 1, honba: -1, but counters"),
        ({"East change": 3_000_000_000}, "row 1, East change: '3000000000' is not a whole number"),
        ({"East change": 30_000_000}, "row 1, East change: 30000000 is beyond 10,000,000"),
        ({"東家": "Emi"}, "row 1, East: stands twice in the row, also as '東家'"),
    ],
)
def test_a_value_beyond_its_column_refuses_its_game_only(cells: dict[str, Any], fault: str) -> None:
    row = dict(zip(HEAD, RIICHI, strict=True)) | {
        "round": "E1", "outcome": "tsumo", "winner": 0, "East change": 3000,
        "South change": -1000, "West change": -1000, "North change": -1000,
    }  # fmt: skip
    lines = [orjson.dumps(each) for each in (row | cells, row | {"date": "2026-12-24"})]
    imported = read(b"\n".join(lines))
    assert imported.results is not None
    assert imported.results.games.num_rows == 1
    (reject,) = imported.rejects
    assert fault in reject.reason


def test_points_beyond_all_sums_are_refused() -> None:
    more = [
        (*RIICHI, f"E1-{honba}", "tsumo", "Aiko", "", "", 9_000_000, -3_000_000, -3_000_000,
         -3_000_000, *EMPTY)[: len(ROUNDS)] for honba in range(2)
    ]  # fmt: skip
    assert "beyond 10,000,000" in faults(*more)


def test_a_game_entered_again_after_many_others_counts_once() -> None:
    points = (30000, 30000, 30000, 30000)
    days = [date(2020, 1, 1) + timedelta(days) for days in range(1200)]
    sheet = table(RESULTS, *((day, *RIICHI[1:], *points) for day in days))
    other = table(RESULTS, (days[3], *RIICHI[1:], 31000, 29000, 30000, 30000))
    imported = score_sheet.read([Blob(sheet, 0), Blob(other, 1)])
    assert imported.results is not None
    assert imported.results.superseded == [0]
    found = imported.results.games
    assert len(set(found["game_id"].to_pylist())) == found.num_rows == len(days)
    assert imported.results.seats.num_rows == 4 * len(days)
    assert 31000 in imported.results.seats["final_points"].to_pylist()


def test_a_rule_set_called_by_another_name_is_stored_by_its_own() -> None:
    line = (RIICHI[0], "M.League", *RIICHI[2:], 40000, 30000, 20000, 10000)
    assert [game["ruleset"] for game in games(read(table(RESULTS, line)))] == ["mleague"]


def test_dates_of_excel_and_worksheets_beside_the_book_are_read() -> None:
    book, data = openpyxl.Workbook(), io.BytesIO()
    sheet: Any = book.active
    sheet.append(["Our club's book"])
    points = (30000.0, 30000, 30000, 30000)
    sheet.append(RESULTS)
    sheet.append((date(2026, 11, 30), *RIICHI[1:], *points))
    sheet.append((datetime(2026, 12, 1, 19, 30), *[""] * 5, *points))
    book.create_sheet("members").append(["name", "since"])
    book.save(data)
    imported = read(data.getvalue())
    assert [(g["log_id"], g["played_precision"], g["position"]) for g in games(imported)] == [
        ("2026-11-30 01", "day", "Sheet, row 3"), ("2026-12-01 01", "minute", "Sheet, row 4"),
    ]  # fmt: skip
    assert all(seat["placement"] == 1 for seat in rows(imported, "seats"))  # WRC shares places
