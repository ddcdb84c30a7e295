"""Win sheets: a club's records, held against the rules of any game."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.commands.score import score as score_command
from paifu.errors import RuleError, SourceError
from paifu.importers import detect
from paifu.ingest import ingest
from paifu.lake import Lake
from paifu.rescore import rescore
from paifu.win_sheet import check_sheet

HEADER = "rules,hand,melds,win_tile,tsumo,winner,loser,dealer,flowers,fan,han,delta_1,delta_2\n"
RIGHT = "mcr,234p77z,chi:123p pon:444s chi:789m,2p,no,1,2,0,0,无番和,8,32,-16\n"
ROWS = (
    RIGHT,
    "mcr,56677899m,pon:777z chi:123m,8m,no,1,2,0,2,混一色 箭刻 花牌*2,10,34,-18\n",
    "mcr,56677899m,pon:777z chi:123m,8m,no,1,2,0,2,混一色 箭刻,8,32,-16\n",  # flowers forgotten
    "mcr,567m678m33z,chi:123m pon:444m,8m,no,1,2,0,2,,,,\n",  # six points
    "mcr,567m67m33z,chi:123m pon:444m,8m,no,1,2,0,2,,,,\n",  # a tile short
    "qingyuan,123p456p789s22p234s,,2s,yes,1,,0,0,鸡糊,3,9,-3\n",
    "chengdu,123p456p789s22p234s,,2s,yes,1,,0,0,,,,\n",  # no base
    "tenhou-4p,223344m567p678s55s,,7p,no,1,2,0,0,断幺九 平和 一盃口,3,3900,-3900\n",
)


def sheet(folder: Path, *rows: str, name: str = "wins.csv") -> Path:
    path = folder / name
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return path


def test_each_row_is_judged_by_its_own_rules(tmp_path: Path) -> None:
    checked = check_sheet(sheet(tmp_path, *ROWS))
    assert checked["row"].to_list() == list(range(1, 9))
    assert checked["status"].to_list() == [
        "match", "match", "mismatch", "illegal", "illegal", "match", "unscorable", "match",
    ]  # fmt: skip
    forgotten = checked["differs"][2]
    for part in ("han: recorded 8, computed 10", "delta_1: recorded 32, computed 34", "flower"):
        assert part in forgotten
    assert "base" in checked["reason"][6]


def test_json_lines_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "wins.jsonl"
    path.write_text(
        '{"hand": "234p77z", "melds": "chi:123p pon:444s chi:789m", "win_tile": "2p",'
        ' "winner": 1, "loser": 2, "dealer": 0, "han": 8, "fan": "chicken_hand:8"}\n'
        '{"hand": "234p77z", "melds": "chi:123p pon:444s chi:789m", "win_tile": "2p",'
        ' "winner": 1, "loser": 2, "dealer": 0, "fan": "chicken_hand:6"}\n',
        encoding="utf-8",
    )
    checked = check_sheet(path, "mcr")
    assert checked["status"].to_list() == ["match", "mismatch"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hand,colour\n123m,red\n", "unknown: colour"),
        ("melds\nx\n", "no column hand"),
        (HEADER + RIGHT.replace(",no,", ",maybe,"), "tsumo is yes or no"),
        (HEADER + RIGHT.replace(",8,32,", ",eight,32,"), "han is a whole number"),
        (HEADER + "mcr,123m\n", "a cell for each column"),
        ('{"hand": "123m"\n', "not JSON"),
        ('{"hand": "123m", "colour": 1}\n', "no column 'colour'"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=reason):
        check_sheet(path)


def test_hands_that_cannot_be_are_told(tmp_path: Path) -> None:
    five = RIGHT.replace("234p77z", "234p11p")
    nonsense = RIGHT.replace("234p77z", "hello")
    checked = check_sheet(sheet(tmp_path, five.replace("chi:123p", "pon:111p"), nonsense))
    assert checked["status"].to_list() == ["illegal", "unscorable"]
    assert "four copies" in checked["reason"][0]


def test_rules_that_do_not_exist_are_named(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="taiwan cannot be scored"):
        check_sheet(sheet(tmp_path, RIGHT.replace("mcr,", "taiwan,")))


def test_the_command_tells_the_rows_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score_command(sheet=str(sheet(tmp_path, *ROWS[:3]))) == 1
    out = capsys.readouterr().out
    assert "row 3\tmismatch\than: recorded 8, computed 10" in out
    assert "2 match, 1 mismatch" in out
    assert score_command(sheet=str(sheet(tmp_path, RIGHT))) == 0


@pytest.mark.parametrize(
    ("head", "is_sheet"),
    [
        (HEADER.encode() + RIGHT.encode(), True),
        (b'\xef\xbb\xbf"rules","hand","win_tile"\r\n', True),
        (b'{"rules": "mcr", "hand": "1z", "win_tile": "1z"}\n', True),
        (b'{"type": "hora", "hand": [], "win_tile": "1z"}\n', False),
        (b"date,hand\n", False),
        (b"hand," * 10_000, False),
        (b'{"hand":' * 5_000, False),
        (b"", False),
    ],
)
def test_sheets_are_recognised_by_their_columns(head: bytes, is_sheet: bool) -> None:
    assert (detect(head) == "win_sheet") is is_sheet


def test_a_sheet_goes_into_a_lake_and_is_rescored(tmp_path: Path) -> None:
    path = sheet(tmp_path, *ROWS, RIGHT.replace("mcr,", "taiwan,"))
    done = ingest(path, lake=tmp_path / "lake")
    assert (done.games, done.wins, done.rejected) == (8, 8, 1)
    assert ingest(path, lake=tmp_path / "lake").games == 0
    report = rescore(tmp_path / "lake")
    assert {
        status: report.count("win", status)
        for status in ("match", "mismatch", "illegal", "unscorable")
    } == {"match": 4, "mismatch": 1, "illegal": 2, "unscorable": 1}
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT DISTINCT detail FROM games").fetchall() == [("sheet",)]
        rows = lake.sql(
            "SELECT field, recorded, computed FROM verdict_fields WHERE subject = 'win'"
        ).fetchall()
        assert ("han", "8", "10") in rows
        wrong = lake.sql("SELECT reason FROM rejects").fetchone()
        assert wrong is not None
        assert "taiwan cannot be scored" in wrong[0]


def test_two_equal_rows_are_two_wins(tmp_path: Path) -> None:
    assert ingest(sheet(tmp_path, RIGHT, RIGHT), lake=tmp_path / "lake").wins == 2
