"""Win sheets: a club's records, compared with the rules of any game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.commands.score import score as score_command
from paifu.errors import RuleError, SourceError
from paifu.formats.base import Blob
from paifu.formats.registry import detect
from paifu.formats.win_sheet import importer as win_sheet
from paifu.formats.win_sheet.sheet import check_sheet, sheet_rows
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.rules.hands.faults import FAULTS

HEADER = "rules,hand,melds,win_tile,tsumo,winner,loser,dealer,flowers,fan,han,delta_1,delta_2\n"
RIGHT = "mcr,234p77z,chi:123p pon:444s chi:789m,2p,no,1,2,0,0,无番和,8,32,-16\n"
ROWS = (
    RIGHT,
    "mcr,56677899m,pon:777z chi:123m,8m,no,1,2,0,2,混一色 箭刻 花牌*2,10,34,-18\n",
    "mcr,56677899m,pon:777z chi:123m,8m,no,1,2,0,2,混一色 箭刻,8,32,-16\n",  # flowers forgotten
    "mcr,567m678m33z,chi:123m pon:444m,8m,no,1,2,0,2,,,,\n",  # six points
    "mcr,567m67m33z,chi:123m pon:444m,8m,no,1,2,0,2,,,,\n",  # one tile missing
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


CLAIMS = (
    # rules, hand, melds, tile, tsumo, winner, loser, dealer, and impossible circumstances
    ("tenhou-4p,22p789s,pon:333z chi:345m ankan:1111p,9s,yes,0,,0", "first_turn"),
    ("tenhou-3p,22p789s111z678p123s,kita,9s,yes,1,,0", "first_turn"),
    ("wrc,22p789s111z678p,chi:345m,9s,no,2,1,0", "first_turn"),
    ("changsha,55m789s678p,pon:333m chi:345m,9s,no,2,1,1", "first_turn"),
    ("guangdong-jph,22p789s111z678p,ankan:3333m,9s,yes,1,,0", "first_turn"),
    ("tenhou-4p,22p789s111z678p345m,,9s,yes,1,,0", "first_turn haitei"),
    ("tenhou-4p,22p789s111z678p345m,,9s,no,1,0,0", "first_turn houtei"),
    ("tenhou-4p,22p789s111z678p345m,,9s,yes,1,,0", "first_turn riichi"),
    ("wrc,22p789s111z678p345m,,9s,no,0,3,0", "first_turn"),
    ("changsha,55m789s678p333m345m,,9s,no,1,2,0", "first_turn"),
    ("mcr,22p789s111z678p345m,,9s,yes,1,,0", "rinshan"),
    ("sichuan,22p789s678p345m,pon:111m,9s,yes,1,,0", "rinshan"),
    ("mcr,22p78999s678p345m1s,,9s,no,1,0,0", "chankan"),
    ("tenhou-4p,99s789s111z678p345m,,9s,no,1,0,0", "chankan"),
    ("tenhou-4p,22p789s111z678p345m,,9s,no,1,0,0", "chankan houtei"),
    ("mcr,99s789s111z678p345m,,9s,no,1,0,0", "last_copy"),
    ("tenhou-4p,22p789s111z678p345m,,9s,no,1,0,0", "ura_indicators"),
)


@pytest.mark.parametrize(("row", "claims"), CLAIMS)
def test_circumstances_that_cannot_be_are_illegal(row: str, claims: str, tmp_path: Path) -> None:
    """Without its claims the row may win or not; with them it is impossible under any rules."""
    path = tmp_path / "wins.csv"
    flags = claims.split()
    claimed = "".join(",1p" if flag == "ura_indicators" else ",yes" for flag in flags)
    header = "rules,hand,melds,win_tile,tsumo,winner,loser,dealer"
    path.write_text(f"{header}\n{row}\n", encoding="utf-8")
    checked = check_sheet(path)
    assert checked["reason"][0] not in FAULTS.values()
    path.write_text(f"{header},{','.join(flags)}\n{row}{claimed}\n", encoding="utf-8")
    checked = check_sheet(path)
    assert checked["status"].to_list() == ["illegal"]
    assert checked["reason"][0] in FAULTS.values()


def test_red_fives_and_streaks_are_checked_in_a_row(tmp_path: Path) -> None:
    path = tmp_path / "wins.csv"
    header = "rules,hand,win_tile,tsumo,winner,loser,dealer,riichi,dealer_wins,dealer_rounds"
    path.write_text(
        f"{header}\n"
        "wrc,22p789s111z678p340m,9s,no,1,0,0,no,0,0\n"
        "tenhou-4p,22p789s111z678p340m,9s,no,1,0,0,yes,0,0\n"
        "tenhou-4p,22p789s111z678p340m,9s,no,0,1,0,yes,3,2\n",
        encoding="utf-8",
    )
    checked = check_sheet(path)
    assert checked["status"].to_list() == ["illegal", "match", "illegal"]
    assert checked["reason"].to_list() == [
        FAULTS["foreign_reds"], None, FAULTS["dealer_streak"],
    ]  # fmt: skip


def test_red_fives_in_a_sheet_are_illegal_in_the_lake_too(tmp_path: Path) -> None:
    path = tmp_path / "wins.csv"
    path.write_text(
        "rules,hand,win_tile,tsumo,winner,loser,dealer,riichi\n"
        "wrc,22p789s111z678p340m,9s,no,1,0,0,yes\n"
        "mleague,22p789s111z678p340m,9s,no,1,0,0,yes\n",
        encoding="utf-8",
    )
    ingest(path, lake=tmp_path / "lake", jobs=1)
    query = "SELECT ruleset, status, reason FROM verdicts WHERE subject = 'win' AND ruleset = "
    rescore(tmp_path / "lake")
    rescore(tmp_path / "lake", ruleset="ema")
    with Lake.open(tmp_path / "lake") as lake:
        own = lake.sql(f"{query} 'wrc'").fetchall()
        others = lake.sql(f"{query} 'ema' AND status = 'illegal'").fetchall()
        allowed = lake.sql(f"{query} 'mleague'").fetchall()
    assert own == [("wrc", "illegal", FAULTS["foreign_reds"])]
    assert others == []  # under other rules than their own they are plain fives
    assert allowed[0][1] != "illegal"


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
        (HEADER, "a header and no row"),
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


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("han", "-+34", "han is a whole number"),
        ("han", "40000", "out of range"),
        ("honba", "32768", "honba = 32768 is out of range"),
        ("honba", "-1", "honba = -1 is out of range"),
        ("flowers", "9" * 30, "flowers is a whole number"),
        ("delta_0", "99999999", "out of range"),
        ("tsumo", "maybe", "tsumo is yes or no"),
        ("out", "4", "out is seats from 0 to 3"),
    ],
)
def test_a_cell_that_cannot_be_read_rejects_its_row_alone(
    tmp_path: Path, column: str, value: str, reason: str
) -> None:
    right: dict[str, object] = {
        "rules": "mcr", "hand": "234p77z", "melds": "chi:123p pon:444s chi:789m", "win_tile": "2p",
        "winner": 1, "loser": 2, "dealer": 0, "han": 8, "fan": "chicken_hand:8",
    }  # fmt: skip
    path = tmp_path / "wins.jsonl"
    rows = [right, right | {column: value}, right]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    checked = check_sheet(path)
    assert checked["status"].to_list() == ["match", "rejected", "match"]
    assert checked["reason"][1].startswith("line 2: ")
    assert reason in checked["reason"][1]
    imported = win_sheet.read([Blob(path.read_bytes(), 0)])
    assert [(reject.position, reject.reason) for reject in imported.rejects] == [
        ("line 2", checked["reason"][1].removeprefix("line 2: "))
    ]
    assert imported.results is not None
    assert imported.results.games.num_rows == 2


def test_impossible_hands_are_refused(tmp_path: Path) -> None:
    five = RIGHT.replace("234p77z", "234p11p")
    nonsense = RIGHT.replace("234p77z", "hello")
    checked = check_sheet(sheet(tmp_path, five.replace("chi:123p", "pon:111p"), nonsense))
    assert checked["status"].to_list() == ["illegal", "unscorable"]
    assert "four copies" in checked["reason"][0]


def test_a_row_under_unknown_rules_is_rejected_and_the_others_go_on(tmp_path: Path) -> None:
    checked = check_sheet(sheet(tmp_path, RIGHT.replace("mcr,", "taiwan,"), RIGHT))
    assert checked["status"].to_list() == ["rejected", "match"]
    assert "taiwan cannot be scored" in checked["reason"][0]
    with pytest.raises(RuleError, match="nosuch"):
        check_sheet(sheet(tmp_path, RIGHT.replace("mcr,", ",")), rules="nosuch")


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
        (b"rules,hand,melds,winner,loser,out,dealt,delta_0\n", True),
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


# --- games with their own amounts, and payments without a win

EVENTS = (
    "rules,hand,melds,win_tile,tsumo,winner,loser,dealer,out,fed,bird,dealt,raised,points,delta_0,"
    "delta_1,delta_2,delta_3,fan\n"
    "sichuan.toml,,kan:1111m,,no,0,1,0,,,,,,1,1,-1,0,0,\n"
    "sichuan.toml,,ankan:1111m,,,0,,0,2,,,,,4,4,-2,0,-2,\n"
    "sichuan.toml,,kakan:1111m,,,3,,0,,,,,,3,-1,-1,-1,3,\n"
    "sichuan.toml,22p123456m345678p,,8p,yes,0,,0,1,,,,,2,2,0,-1,-1,\n"
    "changsha.toml,5555p123m1379s46m,,,,1,,0,,,,yes,,6,-2,6,-2,-2,四喜\n"
    "changsha.toml,33p777s,pon:111m pon:444p pon:999s,7s,yes,0,,0,,,7m,,,24,24,-6,-12,-6,碰碰和\n"
    "qingyuan,123456p44p678p,kan:9999p,8p,yes,0,,0,,1,,,,30,30,-12,-9,-9,清一色\n"
    "yingkou.toml,456p789s234s55p,pon:111m,5p,no,0,1,0,,,,,1,2,2,-2,0,0,\n"
    "nanchang-jing,德国七星放炮,,,,2,3,0,,,,,,69,-16,-16,69,-37,七星 德国\n"
    "nanchang-jing,七精冲关,,,,2,,0,,,,,,84,-28,-28,84,-28,冲关\n"
)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the rule sets of a club and a sheet of its wins."""
    for name, lines in {
        "sichuan": "base = 1\nkong_unit = 1\n",
        "changsha": "small_self_drawn = 2\nbig_self_drawn = 6\nbig_discard = 6\n",
        "yingkou": "base = 1\n",
    }.items():
        text = f'extends = "{name}"\n{lines}'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "events.csv").write_text(EVENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_kongs_dealt_and_named_hands_are_rows_like_wins(club: Path) -> None:
    checked = check_sheet(club / "events.csv")
    assert checked.filter(checked["status"] != "match").to_dicts() == []
    wrong = EVENTS.replace(",4,4,-2,0,-2,", ",6,6,-2,-2,-2,")
    (club / "wrong.csv").write_text(wrong, encoding="utf-8")
    checked = check_sheet(club / "wrong.csv")
    assert checked["status"].to_list().count("mismatch") == 1
    assert "delta_2: recorded -2, computed 0" in checked["differs"][1]


def test_a_sheet_may_name_toml_files_in_a_lake_too(club: Path) -> None:
    done = ingest(club / "events.csv", lake=club / "lake")
    assert (done.games, done.rejected) == (10, 0)
    report = rescore(club / "lake")
    assert (report.count("win"), report.count("win", "match")) == (10, 10)
    with Lake.open(club / "lake") as lake:
        games = lake.sql("SELECT ruleset, game, count(*) FROM games GROUP BY ALL").fetchall()
        assert ("sichuan.toml", "sichuan", 4) in games
        assert ("qingyuan", "qingyuan", 1) in games
        values = "SELECT count(*) FROM win_facts WHERE source IS NOT NULL"
        assert lake.sql(values).fetchone() == (10,)


def test_payments_without_a_win_are_shown_as_such(club: Path) -> None:
    spoiled = EVENTS.replace(",,6,-2,6,-2,-2,", ",,6,-1,6,-2,-2,").replace(
        ",4,4,-2,0,-2,", ",6,6,-2,-2,-2,"
    )
    (club / "spoiled.csv").write_text(spoiled, encoding="utf-8")
    ingest(club / "spoiled.csv", lake=club / "lake")
    told = [example.context for example in rescore(club / "lake").examples]
    assert ["a win sheet", "seat 1 (south) is paid, east round", "hand 5555p123m1379s46m"] in told
    assert ["a win sheet", "seat 0 (east) is paid, east round", "melds ankan:1111m"] in told


def test_a_missing_toml_file_is_reported(club: Path) -> None:
    ingest(club / "events.csv", lake=club / "lake")
    (club / "sichuan.toml").unlink()
    report = rescore(club / "lake")
    (told,) = report.left_out
    assert "cannot read the rule set sichuan.toml" in told
    assert report.count("win") == 6
    (club / "more.csv").write_text(EVENTS + "\n", encoding="utf-8")
    assert ingest(club / "more.csv", lake=club / "other").rejected == 4


@pytest.mark.parametrize("name", ["../house.toml", "{outside}/house.toml", "link/house.toml"])
def test_a_sheet_names_no_file_outside_its_folder(club: Path, name: str) -> None:
    outside = club.parent / f"{club.name} elsewhere"
    outside.mkdir()
    for folder in (outside, club.parent):  # the second is what .. names
        (folder / "house.toml").write_text('extends = "mcr"\n', encoding="utf-8")
    (club / "link").symlink_to(outside)
    written = RIGHT.replace("mcr,", f"{name.format(outside=outside)},")
    (club / "sheet.csv").write_text(HEADER + written, encoding="utf-8")
    checked = check_sheet(club / "sheet.csv")
    assert checked["status"].to_list() == ["rejected"]
    assert re.search(r"house\.toml is not in .* or below", checked["reason"][0])
    done = ingest(club / "sheet.csv", lake=club / "lake")
    assert (done.games, done.rejected) == (0, 1)


def test_a_sheet_names_files_in_its_own_folder(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(club.parent)
    checked = check_sheet(club / "events.csv")
    assert checked.filter(checked["status"] != "match").to_dicts() == []


def test_an_open_quote_is_reported_where_it_opens(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    rows = [*RIGHT.splitlines(keepends=True) * 3, "\n"]
    path.write_text(HEADER + "".join(rows) + '"' + "".join(rows), encoding="utf-8")
    last = check_sheet(path)[-1]
    assert last["status"].item() == "rejected"
    assert last["reason"].item().startswith(f"line {len(rows) + 2}: not CSV")
    assert [line for line, _ in sheet_rows(path.read_text(encoding="utf-8"))] == [
        *range(2, len(rows) + 1), len(rows) + 2,
    ]  # fmt: skip


def test_rescoring_under_a_toml_file_gives_the_amounts(club: Path) -> None:
    rows = RIGHT + "changsha,33p777s,pon:111m pon:444p pon:999s,7s,no,0,1,0,0,碰碰和,1,-6,0\n"
    ingest(sheet(club, rows), lake=club / "lake")
    plain = rescore(club / "lake")
    assert plain.count("win", "unscorable") == 1
    with Lake.open(club / "lake") as lake:
        reason = "SELECT reason FROM verdicts WHERE subject = 'win' AND status = 'unscorable'"
        assert lake.sql(reason).fetchall() == [
            (
                "the rules give no amount for big_discard: set it in a TOML file with extends = "
                "'changsha'",
            )
        ]
        fan = "SELECT yaku FROM scored_yaku JOIN games USING (game_id) WHERE game = 'changsha'"
        assert lake.sql(fan).fetchall() == [("all_pungs",)]
    priced = rescore(club / "lake", ruleset="changsha.toml")
    # the hand of Chinese Official is not one of this game's rules
    assert priced.count("win") == 2


@pytest.mark.parametrize("ruleset", ["mleague", "changsha.toml"])
def test_a_game_is_not_held_against_rules_of_another_sort(club: Path, ruleset: str) -> None:
    riichi = "tenhou-4p,223344m567p678s55s,,7p,no,1,2,0,0,断幺九 平和 一盃口,3,3900,-3900\n"
    ingest(sheet(club, RIGHT, riichi), lake=club / "lake")
    report = rescore(club / "lake", ruleset=ruleset)
    assert sum(report.left_out.values()) == 1
    (told,) = report.left_out
    assert "is not for games of" in told


def test_open_riichi_and_a_last_discard_after_a_replacement_come_through_a_lake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text(
        'extends = "tenhou-4p"\nhoutei_after_rinshan = false\n[yaku]\nallow = ["open_riichi"]\n'
    )
    (tmp_path / "wins.csv").write_text(
        "rules,hand,win_tile,riichi,open_riichi,houtei,after_rinshan,han,fan\n"
        "house.toml,234m567m22p345678s,8s,no,yes,no,no,4,開立直 断幺九 平和\n"
        "house.toml,234m567m22p345678s,8s,yes,no,yes,yes,3,立直 断幺九 平和\n"
    )
    assert check_sheet("wins.csv")["status"].to_list() == ["match", "match"]
    ingest("wins.csv", lake="lake")
    assert rescore("lake").count("win", "match") == 2
