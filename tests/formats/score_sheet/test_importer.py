"""Score sheets: what their rows say, in three languages and file forms, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paifu.cli.main import run
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from tests.formats.score_sheet.sheets import (
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


def test_rounds_of_chinese_official_become_rows_of_the_tables() -> None:
    imported = read(table(*MCR_ROUNDS))
    (game,) = games(imported)
    assert (game["detail"], game["rounds"], game["game"]) == ("rounds", 3, "mcr")
    told = [tuple(each[name] for name in ("dealer", "wind", "number", "outcome"))
            for each in rows(imported, "rounds")]  # fmt: skip
    # mcr never repeats the dealer
    assert told == [(0, 0, 1, "ron"), (1, 0, 2, "tsumo"), (2, 0, 3, "exhaustive")]
    seats = rows(imported, "round_seats")
    assert [seat["points_end"] for seat in seats[-4:]] == [46, 14, -34, -26]
    assert [seat["outcome"] for seat in seats[:4]] == [
        "bystander", "won_ron", "deal_in", "bystander",
    ]  # fmt: skip
    assert [s["final_points"] for s in rows(imported, "seats")] == [46, 14, -34, -26]
    assert [s["placement"] for s in rows(imported, "seats")] == [1, 2, 4, 3]


def test_riichi_sticks_stay_on_the_table_until_a_win_takes_them() -> None:
    sheet = table(
        ROUNDS,
        (*RIICHI, "E1", "draw", "", "", "Ben", 1500, 500, -1500, -1500),
        (*[""] * 6, "E1-1", "ron", "Aiko", "Dora", "Aiko", 3300 + 1000, 0, 0, -3300),
    )
    imported = read(sheet)
    (game,) = games(imported)
    assert game["flags"] == []
    first, second = rows(imported, "rounds")
    assert (first["sticks"], first["sticks_end"], second["sticks"], second["sticks_end"]) == (
        0, 1, 1, 0,
    )  # fmt: skip
    assert (second["dealer"], second["honba"]) == (0, 1)
    seats = rows(imported, "round_seats")
    assert [seat["tenpai_shown"] for seat in seats[:4]] == [True, True, False, False]
    (win,) = rows(imported, "wins")
    assert [win[f"delta_{seat}"] for seat in range(4)] == [5300, 0, 0, -3300]
    assert (win["sticks"], win["honba"], win["riichi"]) == (2, 1, True)


def test_a_result_is_a_game_without_rounds() -> None:
    imported = read(
        table(
            RESULTS, (*RIICHI, 41000, 29000, 22000, 28000), (*[""] * 6, 30000, 30000, 30000, 30000)
        )
    )
    first, second = games(imported)
    assert {first["detail"], second["detail"]} == {"result"}
    assert (first["log_id"], second["log_id"]) == ("2026-11-30 01", "2026-11-30 02")
    assert [s["placement"] for s in rows(imported, "seats")][:4] == [1, 2, 4, 3]
    assert all(seat["final_recorded"] for seat in rows(imported, "seats"))


JAPANESE = ("日付", "ルール", "東家", "南家", "西家", "北家", "局", "結果", "和了者",
            "放銃者", "立直", "東家増減", "南家増減", "西家増減", "北家増減")  # fmt: skip
CHINESE = ("日期", "规则", "东家", "南家", "西家", "北家", "局", "结果", "和牌者",
           "点炮者", "立直", "东家得失", "南家得失", "西家得失", "北家得失")  # fmt: skip


PAID = ("▲8", "+３２", "−16", "-8")


@pytest.mark.parametrize(
    ("header", "date", "told"),
    [
        (JAPANESE, "2026年11月30日", ("東1局", "ロン", "Ben", "Chen")),
        (CHINESE, "30.11.2026", ("东风东", "点炮", "ben", "2")),
    ],
)
def test_three_languages_say_the_same(
    header: tuple[str, ...], date: str, told: tuple[str, ...]
) -> None:
    said = read(table(header, (date, "mcr", *PEOPLE, *told, "", *PAID)))
    plain = read(table(*MCR_ROUNDS[:2]))
    for name in ("seats", "rounds", "round_seats", "wins"):
        assert rows(said, name) == rows(plain, name)


def test_csv_json_lines_and_excel_say_the_same() -> None:
    filled = [MCR_ROUNDS[1], *((*MCR, *row[6:]) for row in MCR_ROUNDS[2:])]
    lines = "\n".join(
        json.dumps(dict(zip(ROUNDS, row, strict=False)), ensure_ascii=False) for row in filled
    )
    expected = read(table(*MCR_ROUNDS))
    for data in (lines.encode(), workbook(*MCR_ROUNDS), table(*MCR_ROUNDS).replace(b",", b";")):
        for name in ("seats", "rounds", "round_seats", "wins"):
            assert rows(read(data), name) == rows(expected, name)


def test_the_same_game_again_replaces_and_says_so(tmp_path: Path) -> None:
    first, corrected = tmp_path / "first.csv", tmp_path / "corrected.csv"
    first.write_bytes(table(*MCR_ROUNDS))
    changed = [
        *MCR_ROUNDS[:2],
        (*[""] * 6, 2, "", "Aiko", "", "", 60, -20, -20, -20),
        MCR_ROUNDS[3],
    ]
    corrected.write_bytes(table(*changed))
    lake = tmp_path / "club.lake"
    assert ingest(first, lake).games == 1
    done = ingest(corrected, lake)
    assert (done.games, done.superseded, done.skipped) == (1, 1, 0)
    again = tmp_path / "again.csv"
    again.write_bytes(table(*changed) + b"\n")
    assert (ingest(again, lake).skipped, ingest(first, lake).superseded) == (1, 0)
    with Lake.open(lake) as opened:
        points = opened.sql("SELECT final_points FROM seats ORDER BY seat").fetchall()
        (count,) = opened.sql("SELECT count(*) FROM rounds").fetchone() or (0,)
    assert ([p for (p,) in points], count) == ([52, 12, -36, -28], 3)


def test_of_two_sheets_of_one_run_the_last_stays(tmp_path: Path) -> None:
    changed = [*MCR_ROUNDS[:2], (*[""] * 6, 2, "", "Aiko", "", "", 60, -20, -20, -20)]
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "1.csv").write_bytes(table(*MCR_ROUNDS))
    (folder / "2.csv").write_bytes(table(*changed))
    (folder / "3.csv").write_bytes(table(*changed) + b"\n")
    done = ingest(folder, tmp_path / "club.lake")
    assert (done.games, done.rounds, done.superseded, done.skipped) == (1, 2, 1, 1)


def test_a_person_spelled_in_two_ways_is_told_with_the_near_name(tmp_path: Path) -> None:
    points = (30000, 30000, 30000, 30000)
    known = tmp_path / "known.csv"
    known.write_bytes(table(RESULTS, *[("2026-11-29", "wrc", *PEOPLE, *points)] * 3))
    lake = tmp_path / "club.lake"
    assert ingest(known, lake).alike_names == []
    today = tmp_path / "today.csv"
    today.write_bytes(
        table(
            RESULTS,
            ("2026-11-30", "wrc", "Akio", "Ben", "Chen", "Doraa", *points),
            ("2026-11-30", "wrc", "Aiko", "Emi", "Cheng", "Chen", *points),  # two people
        )
    )
    told = [(each.name, each.other, each.other_games) for each in ingest(today, lake).alike_names]
    assert sorted(told) == [("Akio", "Aiko", 4), ("Doraa", "Dora", 3)]


def remarks(lake: Path) -> list[tuple[str | None, str | None]]:
    with Lake.open(lake) as opened:
        return opened.sql(
            """SELECT r.remarks, g.remarks FROM rounds AS r JOIN games AS g USING (game_id)
            ORDER BY round_index"""
        ).fetchall()


NOTED = (
    (*ROUNDS, "East points", "South points", "West points", "North points", "remarks"),
    (*MCR_ROUNDS[1], *[""] * 4, "Ben's first win"),
    (*MCR_ROUNDS[2], *[""] * 4, ""),
    (*MCR_ROUNDS[3], *[""] * 11, "no tile left, and <b>nobody</b> ready"),
    (*[""] * 15, 46, 14, -34, -26, "a late evening"),
)


def test_remarks_are_kept_with_their_round_or_game_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, lake = tmp_path / "noted.csv", tmp_path / "club.lake"
    sheet.write_bytes(table(*NOTED))
    assert ingest(sheet, lake).games == 1
    game = "a late evening"
    assert remarks(lake) == [
        ("Ben's first win", game), (None, game),
        ("no tile left, and <b>nobody</b> ready", game),
    ]  # fmt: skip
    assert run(["show", "2026-11-30 01", "--lake", str(lake), "--html", str(tmp_path / "a")]) == 0
    assert run(["show", "2026-11-30 01", "--lake", str(lake)]) == 0
    shown = capsys.readouterr().out
    assert ", record sheet, " in shown
    assert "noted: Ben's first win" in shown
    assert "noted: a late evening" in shown
    page = (tmp_path / "a").read_text(encoding="utf-8")
    assert "&lt;b&gt;nobody&lt;/b&gt; ready" in page
    assert "<b>nobody" not in page


def test_remarks_are_not_kept_where_names_are_not_and_go_with_a_forgotten_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIFU_SALT", "a salt")
    sheet = tmp_path / "noted.csv"
    sheet.write_bytes(table(*NOTED))
    for names in ("hash", "drop"):
        ingest(sheet, tmp_path / names, names=names)
        assert set(remarks(tmp_path / names)) == {(None, None)}
    lake = tmp_path / "keep"
    ingest(sheet, lake)
    assert run(["forget", "--player", "Dora", "--lake", str(lake), "--now"]) == 0
    assert set(remarks(lake)) == {(None, None)}
    later = tmp_path / "later.csv"
    later.write_bytes(table(*NOTED).replace(b"2026-11-30", b"2026-12-24"))
    assert ingest(later, lake).games == 1
    assert set(remarks(lake)) == {(None, None)}


def test_a_formula_in_a_remark_is_refused_like_any_other() -> None:
    (reject,) = read(table((*ROUNDS, "remarks"), (*MCR_ROUNDS[1], "=NOW()"))).rejects
    assert "row 2, remarks: '=NOW()' is a formula" in reject.reason
