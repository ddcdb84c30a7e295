"""Riichi as a club writes it down, with each kind of round; every cell by hand (tenhou-4p.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.cli.main import run
from paifu.lake.lake import Lake
from tests.formats.score_sheet.sheets import PEOPLE, table

HEAD = (
    "table", "date", "rules", "length", "East", "South", "West", "North", "round", "outcome",
    "winner", "discarder", "riichi", "tenpai", "delta_0", "delta_1", "delta_2", "delta_3",
    "points_0", "points_1", "points_2", "points_3", "result_0", "result_1", "result_2", "result_3",
)  # fmt: skip
Rows = list[list[Any]]

EVENING: Rows = [
    # T7: the noten pay 3000; the dealer is tenpai and deals again; Ben's stick stays
    ["E1", "draw", "", "", "Ben", "Aiko,Ben", 1500, 500, -1500, -1500],
    ["E1-1", "九種九牌", "", "", "", "", 0, 0, 0, 0],  # T15: the dealer stays, a honba more
    # 2 han 30 fu: 2000, two honba, and the stick
    ["E1-2", "ron", "Ben", "Chen", "", "", 0, 3600, -2600, 0],
    # T18: a mangan tsumo; the dealer is noten, so the deal passes with a honba
    ["E2", "nagashi", "", "", "", "none", -2000, -4000, 8000, -2000],
    # T19: both win, and Dora, the nearest to the discarder, has the honba
    ["E3-1", "ron", "Dora", "Ben", "", "", 0, -1300, 0, 1300],
    ["E3-1", "ron", "Aiko", "Ben", "", "", 2000, -2000, 0, 0],
    # a mangan of the dealer; T10: she leads with 30000 or more, and the game ends
    ["E4", "tsumo", "Dora", "", "", "", -4000, -4000, -4000, 12000],
    # T1, T2: 30000 to return, uma 20 10 -10 -20 and the oka
    [*[""] * 10, 22500, 17800, 24900, 34800, -17.5, -32.2, 4.9, 44.8],
]

WITHOUT_RIICHI: Rows = [[*row[:4], "", *row[5:]] for row in EVENING]


def but(row: list[Any], **cells: Any) -> list[Any]:
    """Return a row with other cells; ``c3`` is the cell at position 3."""
    return [cells.get(f"c{place}", value) for place, value in enumerate(row)]


SPOILED: dict[str, tuple[Rows, str, str]] = {
    # its rows, and what is said of which subject
    "honba": (
        [*EVENING[:4], but(EVENING[4], c0="E3"), but(EVENING[5], c0="E3")],
        "round", "it should be East 3, honba 1",
    ),
    "dealer": (
        [EVENING[0], but(EVENING[1], c0="E2-1")], "round", "it should be East 1, honba 1",
    ),
    "sum": (
        [*EVENING[:2], but(EVENING[2], c7=3700), EVENING[3]],
        "round", "the changes add up to 1100 and not to 1000",
    ),
    "noten": (
        [but(EVENING[0], c6=3000, c7=0, c8=-2000, c9=-2000), EVENING[1]],
        "draw", "delta_0 3000 1500",
    ),
    "result": ([*EVENING[:7], but(EVENING[7], c17=44.7)], "game", "result_3 44.7 44.8"),
}  # fmt: skip


def written(name: str, rows: Rows) -> Rows:
    about = [name, "2026-11-30", "tenhou-4p", "east", *PEOPLE]
    return [[*about, *row] for row in rows]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    folder = tmp_path_factory.mktemp("riichi")
    rows = written("right", EVENING) + written("no column", WITHOUT_RIICHI)
    rows += written("too short", EVENING[:-2])
    for name, (spoiled, *_) in SPOILED.items():
        rows += written(name, spoiled)
    (folder / "book.csv").write_bytes(table(HEAD, *map(tuple, rows)))
    paifu.ingest(folder / "book.csv", folder / "lake", jobs=1)
    paifu.rescore(folder / "lake", jobs=1)
    with Lake.open(folder / "lake") as opened:
        assert opened.sql("SELECT reason FROM rejects").fetchall() == []
        yield opened


def verdicts(lake: Lake, name: str) -> list[tuple[str, str, str | None]]:
    return lake.sql(
        """SELECT subject, status, reason FROM verdicts JOIN games USING (game_id)
        WHERE lobby = $name ORDER BY ALL""",
        name=name,
    ).fetchall()


def test_an_evening_agrees_with_the_rules(lake: Lake) -> None:
    found = verdicts(lake, "right")
    assert [each for each in found if each[1] == "mismatch" or each[1] == "illegal"] == []
    counts = {name: sum(each[:2] == (name, "match") for each in found) for name in
              ("draw", "round", "game")}  # fmt: skip
    assert counts == {"draw": 3, "round": 6, "game": 1}
    worth = lake.sql(
        """SELECT result FROM computed_results JOIN games USING (game_id)
        WHERE lobby = 'right' ORDER BY seat"""
    ).fetchall()
    assert [result for (result,) in worth] == [-17.5, -32.2, 4.9, 44.8]


def test_without_a_column_for_riichi_the_sums_say_who_paid_a_stick(lake: Lake) -> None:
    """Only of rounds with a win it is not known; the points are carried on, and the game ends."""
    found = verdicts(lake, "no column")
    assert {each[1] for each in found if each[0] != "win"} == {"match"}
    flags = lake.sql(
        """SELECT round_index, reason FROM flags JOIN games USING (game_id)
        WHERE lobby = 'no column' ORDER BY ALL"""
    ).fetchall()
    assert flags == [(index, "riichi_unknown") for index in (2, 3, 4, 5)]
    sticks = lake.sql(
        """SELECT seat FROM round_seats JOIN games USING (game_id)
        WHERE lobby = 'no column' AND riichi_accepted"""
    ).fetchall()
    assert sticks == [(1,)]


def test_a_game_whose_sticks_are_not_known_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book.csv").write_bytes(table(HEAD, *map(tuple, written("A", WITHOUT_RIICHI))))
    assert run(["ingest", str(tmp_path / "book.csv"), "--lake", str(tmp_path / "lake")]) == 0
    (told,) = (line for line in capsys.readouterr().err.splitlines() if "flagged: " in line)
    assert "its rounds 3, 4, 5, 6: The score sheet does not say who paid a riichi stick" in told


def test_a_game_that_is_not_over_says_so(lake: Lake) -> None:
    told = [each for each in verdicts(lake, "too short") if each[0] == "game"]
    assert told == [("game", "mismatch", "the game goes on after its last round")]


@pytest.mark.parametrize("name", SPOILED)
def test_what_differs_is_said(lake: Lake, name: str) -> None:
    _, subject, words = SPOILED[name]
    fields = lake.sql(
        """SELECT concat_ws(' ', field, recorded, computed) FROM verdict_fields
        JOIN games USING (game_id) WHERE lobby = $name AND subject = $subject""",
        name=name,
        subject=subject,
    ).fetchall()
    told = {reason for found, _, reason in verdicts(lake, name) if found == subject}
    assert words in told | {text for (text,) in fields}
