"""The hand calculator: in Python, for one hand or a table, and as ``paifu score``."""

from __future__ import annotations

import io
import json
import random
import re
import shlex
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import paifu
from paifu.calculator.circumstances import WINDS
from paifu.calculator.hand import to_arrays, typed
from paifu.calculator.hand_scores import Circumstances, HandScore
from paifu.cli.main import run
from paifu.errors import FactError, Fault, HandError, RuleError
from paifu.rules import engine, rulesets
from paifu.rules.hands import from_wins
from paifu.rules.hands.hands import Hands
from tests.helpers.random_hands import random_hand
from tests.helpers.winning_hands import table

NO_KITA_RON = replace(rulesets.get("tenhou-3p"), kita_ron=False)
FLAGS = ("riichi", "double_riichi", "ippatsu", "rinshan", "haitei", "houtei", "chankan",
         "first_turn")  # fmt: skip
EXAMPLE = "234m 067p 345s 88s 67m"


def text_of(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert run(["score", *arguments]) == status
    return capsys.readouterr().out


def test_a_score_in_japanese_names_yaku_fu_and_seats(capsys: pytest.CaptureFixture[str]) -> None:
    text = text_of(capsys, "222m 067p 345s 88s 68m", "--win", "7m", "--lang", "ja")
    for expected in (
        "断幺九", "2飜 40符: 3,900", "東 +3,900, 南 -3,900",
        "20 副底 + 10 門前ロン + 4 222m 暗刻 + 2 嵌張 待ち = 36、切り上げて40",
    ):  # fmt: skip
        assert expected in text


# --- in Python


def test_the_example_of_the_manual() -> None:
    found = paifu.score(EXAMPLE, "8m", riichi=True, tsumo=True, dora="3p", rules="tenhou-4p")
    assert isinstance(found, HandScore)
    assert found.yaku == {
        "menzen_tsumo": 1, "riichi": 1, "pinfu": 1, "tanyao": 1, "aka_dora": 1,
    }  # fmt: skip
    assert (found.han, found.fu, found.limit, found.points) == (5, 20, "mangan", 12000)
    assert found.payments == {"east": 12000, "south": -4000, "west": -4000, "north": -4000}
    assert found.fu_parts == (("the hand", 20),)


def test_dora_names_indicators() -> None:
    assert paifu.score(EXAMPLE, "8m", riichi=True, dora="2m").yaku["dora"] == 1
    assert "dora" not in paifu.score(EXAMPLE, "8m", riichi=True, dora="1p").yaku
    assert paifu.score(EXAMPLE, "8m", riichi=True, ura="2m7s").yaku["ura_dora"] == 3


def test_the_parts_of_the_fu_add_up() -> None:
    found = paifu.score("234m678m34s11z ankan:5555p", "5s", tsumo=True, rinshan=True)
    assert found.fu_parts == (
        ("the hand", 20), ("tsumo", 2), ("5555p concealed kan", 16), ("11z pair", 4),
    )  # fmt: skip
    assert found.fu == 50
    by_ron = paifu.score("123m456p789s11z22z", "1z")
    assert dict(by_ron.fu_parts)["111z triplet"] == 4
    assert paifu.score("1133m5577p2288s4z", "4z").fu_parts == ()


def test_seats_are_named_by_wind() -> None:
    found = paifu.score(EXAMPLE, "8m", riichi=True, seat="west", loser="north", honba=1, sticks=2)
    assert found.payments == {"east": 0, "south": 0, "west": 7700 + 300 + 2000, "north": -8000}
    assert (found.honba_points, found.stick_points) == (300, 2000)
    sanma = paifu.score("234567p345s67s99s kita", "8s", tsumo=True, rules="tenhou-3p", seat="南")
    assert list(sanma.payments) == ["east", "south", "west"]
    assert sanma.yaku["kita"] == 1


def test_rarer_circumstances_reach_the_engine(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'extends = "tenhou-3p"\n'
        "rinshan_after_kita = false\nhoutei_after_rinshan = false\nopen_riichi_yakuman = true\n"
        '[yaku]\nallow = ["open_riichi", "paarenchan"]\n'
    )
    hand = "999m456p789s333s2z"
    kita = paifu.score(f"{hand} kita", "2z", tsumo=True, rinshan=True, after_kita=True, rules=house)
    assert set(kita.yaku) == {"menzen_tsumo", "kita"}
    late = paifu.score(hand, "2z", riichi=True, houtei=True, after_rinshan=True, rules=house)
    assert set(late.yaku) == {"riichi"}
    for loser_riichi, han in ((False, 13), (True, 2)):
        found = paifu.score(hand, "2z", open_riichi=True, loser_riichi=loser_riichi, rules=house)
        assert found.yaku == {"open_riichi": han}
    assert paifu.score(hand, "2z", dealer_wins=7, rules=house).yaku == {"paarenchan": 13}


def test_the_winning_tile_may_be_among_the_tiles_or_beside_them() -> None:
    beside = paifu.score(EXAMPLE, "8m", riichi=True)
    assert paifu.score("234m067p345s88s678m", "8m", riichi=True) == beside
    red = paifu.score("234m067p345s88s678m", "5p", riichi=True)
    assert red.win_tile == "0p"


def test_other_notations() -> None:
    plain = paifu.score("345678m77p23s pon:444p", "4s", seat="south")
    assert paifu.score("ertyuimmsd vvV F", notation="keyboard", seat="south") == plain
    mjai = paifu.score("3m4m5m6m7m8m 7p7p 2s3s pon:4p4p4p", "4s", notation="mjai", seat="south")
    assert mjai == plain


@pytest.mark.parametrize(
    ("hand", "win", "circumstances", "says"),
    [
        ("55555m234p567s11z", "5m", {}, "6 of 5m"),
        ("123m456p789s1122z", "1z", {"dora": "1z1z"}, "5 of 1z"),
        ("123m456p789s1z", "1z", {}, "there are 11"),
        ("123m456p789s11122z3z", "3z", {}, "there are 15"),
        ("123m456p789s1122z", "3z", {}, "not a winning hand"),
        ("123m456p789s11122z", "3z", {}, "3z is not among"),
        ("234m456p789s88m11z", "8m", {}, "no yaku"),
        ("123p456p11z chi:789s pon:222z", "1z", {"riichi": True}, "riichi with an open hand"),
        ("123p456p11z chi:789s pon:222z", "1z", {"rules": "tenhou-3p"}, "no chi"),
        ("123m456p789s1122z", "1z", {"rules": "tenhou-3p"}, "no 2m-8m: 2m, 3m"),
        ("123m456p789s1122z", "1z", {"ippatsu": True}, "without riichi"),
        ("123m456p789s1122z", "1z", {"haitei": True}, "haitei are tsumo"),
        ("123m456p789s1122z", "1z", {"loser": "east"}, "own tile"),
        ("123m456p789s1144z", "4z", {"kita_ron": True}, "three players set norths aside"),
        ("123p456p789s1144z", "1z", {"kita_ron": True, "rules": "tenhou-3p"}, "is then a 4z"),
        ("19m19p19s1234567z", "4z", {"kita_ron": True, "rules": NO_KITA_RON}, "may not be ronned"),
        ("123m456p789s1122z", "1z", {"seat": "centre"}, "seat is east"),
        ("123m456p789s1122z", "1z", {"seat": "north", "rules": "tenhou-3p"}, "seat is east"),
        ("123m456p789s1122z", "1z", {"honba": -1}, "honba is a number"),
        ("11m22z pon:555z pon:666z pon:777z", "1m", {"pao": "east"}, "cannot be the winner's own"),
        ("123m456p789s1122z", "12z", {}, "one tile"),
        ("123m456p789s1122z", None, {}, "which tile was won on"),
        ("123m456p789s1122q", "1z", {}, "'q'"),
        ("123m456p789s1122z", "1z", {"dora": "0z"}, "indicator is not one tile"),
    ],
)
def test_an_impossible_hand_says_what_is_wrong(
    hand: str, win: str | None, circumstances: dict[str, Any], says: str
) -> None:
    with pytest.raises(HandError) as caught:
        paifu.score(hand, win, **circumstances)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("hand", "win", "circumstances", "fault"),
    [
        ("55555m234p567s11z", "5m", {}, Fault("five_copies", ((4, 6),))),
        ("123m456p789s1122z", "1z", {"dora": "1z1z"}, Fault("five_copies", ((27, 5),))),
        ("123m456p789s1z", "1z", {}, Fault("tile_count", number=11)),
        (
            "19m789p789s11222z",
            "1m",
            {"rules": "tenhou-3p", "ura": "3m", "riichi": True},
            Fault("sanma_tiles", ((2, 1),)),
        ),
        (
            "123m456p789s1122z",
            "1z",
            {"rules": "sichuan"},
            Fault("foreign_tiles", ((27, 3), (28, 2))),
        ),
        ("120m456p789s1122z", "1z", {"rules": "mcr"}, Fault("foreign_reds", ((34, 1),))),
        ("123m456p789s1122z", "3z", {}, Fault("not_complete")),
        ("234m456p789s88m11z", "8m", {}, Fault("no_yaku", number=0)),
        ("123m456p789s1122q", "1z", {}, None),
    ],
)
def test_a_fault_is_data_before_it_is_a_sentence(
    hand: str, win: str, circumstances: dict[str, Any], fault: Fault | None
) -> None:
    with pytest.raises(HandError) as caught:
        paifu.score(hand, win, **circumstances)
    assert caught.value.fault == fault


@pytest.mark.parametrize(
    ("hand", "win", "circumstances", "fault"),
    [
        (
            "22456p789s11z chi:123m",
            "1z",
            {"tsumo": True, "first_turn": True},
            Fault("first_turn_called"),
        ),
        (
            "456p789s1122z ankan:3333m",
            "1z",
            {"tsumo": True, "first_turn": True, "seat": "west"},
            Fault("first_turn_called"),
        ),
        (
            "22456p789s11z pon:333m",
            "1z",
            {"first_turn": True, "seat": "south", "rules": "wrc", "loser": "east"},
            Fault("first_turn_called"),
        ),
        (
            "258m258p258s88s22m",
            "2m",
            {
                "first_turn": True,
                "seat": "south",
                "loser": "east",
                "rules": "changsha",
                "houtei": True,
            },
            Fault("first_turn_last_tile"),
        ),
        (
            "22456p789s55s pon:333m",
            "5s",
            {"first_turn": True, "seat": "south", "loser": "east", "rules": "changsha"},
            Fault("first_turn_called"),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"chankan": True, "rules": "mcr"},
            Fault("chankan_copy", ((15, 3),)),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"chankan": True, "rules": "guangdong-jph"},
            Fault("chankan_copy", ((15, 3),)),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"tsumo": True, "rinshan": True, "rules": "sichuan"},
            Fault("rinshan_without_kan"),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"tsumo": True, "rinshan": True, "rules": "mcr", "flowers": 2},
            Fault("rinshan_without_kan"),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"last_copy": True, "rules": "mcr"},
            Fault("last_copy_held", ((15, 3),)),
        ),
        (
            "123m456p789s22m77p",
            "7p",
            {"tsumo": True, "triple_ron": True, "rules": "guangdong-jph"},
            Fault("tsumo_event"),
        ),
    ],
)
def test_circumstances_that_cannot_be_are_refused_in_every_game(
    hand: str, win: str, circumstances: dict[str, Any], fault: Fault
) -> None:
    with pytest.raises(HandError) as caught:
        paifu.score(hand, win, **circumstances)
    assert caught.value.fault == fault


def test_a_last_copy_is_one_beside_the_winners_own_open_pung() -> None:
    """A tile that the winner has called is visible on the table like any discard."""
    hand = ("456m789s22m12p pon:333p", "3p")
    claimed = paifu.score(*hand, last_copy=True, rules="mcr", seat="south")
    assert claimed.yaku["last_tile"] == 4
    assert claimed == paifu.score(*hand, rules="mcr", seat="south")


def test_a_ron_on_the_first_turn_is_on_a_tile_of_a_seat_that_played_before() -> None:
    hand = "123m456p789s333s2z", "2z"
    renhou = paifu.score(*hand, first_turn=True, seat="south", rules="wrc")
    assert (renhou.yaku, renhou.payments["east"]) == ({"renhou": 5}, -8000)
    for claims in ({"seat": "east"}, {"seat": "south", "loser": "west"}):
        with pytest.raises(HandError, match="nobody plays before the dealer") as caught:
            paifu.score(*hand, first_turn=True, rules="wrc", **claims)
        assert caught.value.fault == Fault("first_turn_order")


def test_a_hand_that_falls_short_says_by_how_much(tmp_path: Path) -> None:
    with pytest.raises(HandError, match=r"at least 8 points.* it has 5$") as caught:
        paifu.score("123789m234p678s5p", "5p", seat="south", rules="mcr")  # 平和 门前清 老少副
    assert caught.value.fault == Fault("no_yaku", number=5)
    strict = tmp_path / "strict.toml"
    strict.write_text('extends = "tenhou-4p"\ntwo_han_honba = 5\n')
    with pytest.raises(HandError, match=r"needs 2 han.* has 1$"):
        paifu.score("123m456p789s333s2z", "2z", riichi=True, honba=5, rules=strict)


def test_a_hand_goes_from_text_to_the_engine_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    split = engine.readings

    def counted(concealed: Any, *others: Any) -> Any:
        runs.append(len(concealed))
        return split(concealed, *others)

    def written_again(*_: Any) -> None:
        raise AssertionError("a hand that was read is read again from text")

    monkeypatch.setattr(engine, "readings", counted)
    monkeypatch.setattr(from_wins, "read_wins", written_again)
    assert paifu.score(EXAMPLE, "8m", riichi=True).fu_parts
    with pytest.raises(HandError):
        paifu.score("55555m234p567s11z", "5m")
    assert runs == [1, 1]


def test_a_typed_hand_is_the_hand_that_a_row_of_wins_is() -> None:
    """Typed hands fill the same arrays as rows of table ``wins``, field by field."""
    rng = random.Random(12)
    drawn = [random_hand(rng, players) for players in (3, 4) for _ in range(300)]
    for players in (3, 4):
        rules = rulesets.get(f"tenhou-{players}p")
        rows = [hand.row() for hand in drawn if hand.players == players]
        hands = [
            typed(
                f"{row['hand']} {row['melds']}", row["win_tile"],
                Circumstances(
                    tsumo=row["tsumo"], seat=WINDS[row["seat_wind"]], honba=row["honba"],
                    round=WINDS[row["round_wind"]], dora=" ".join(row["dora_indicators"]),
                    ura=" ".join(row["ura_indicators"]),
                    **{name: row[name] for name in FLAGS if name in row},
                ),
                rules,
            )
            for row in rows
        ]  # fmt: skip
        read, filled = from_wins.read_wins(table(rows)), to_arrays(hands)
        for field in fields(Hands):
            assert (getattr(read, field.name) == getattr(filled, field.name)).all(), field.name


def test_a_hand_of_any_size_has_a_fault_and_wraps_no_number() -> None:
    for hand, key in (("1m" * 400, "tile_count"), ("123m" * 90, "tile_count")):
        with pytest.raises(HandError, match="there are") as caught:
            paifu.score(hand, "1m")
        assert caught.value.fault is not None
        assert caught.value.fault.key == key
    with pytest.raises(HandError, match="not so many"):
        paifu.score("123m456p789s1122z", "1z", rules="mcr", flowers=300)


def test_a_north_set_aside_may_be_ronned_by_three_players() -> None:
    found = paifu.score("123p456p789s1144z", "4z", riichi=True, kita_ron=True, rules="tenhou-3p")
    assert found.yaku == {"riichi": 1}


def test_two_han_are_asked_for_where_they_are_needed(tmp_path: Path) -> None:
    (tmp_path / "strict.toml").write_text('extends = "tenhou-4p"\ntwo_han_honba = 5\n')
    with pytest.raises(HandError, match="needs 2 han"):
        paifu.score("123m456p789s333s2z", "2z", riichi=True, honba=5,
                    rules=tmp_path / "strict.toml")  # fmt: skip


def test_an_unknown_rule_set_is_named() -> None:
    with pytest.raises(RuleError, match="did you mean 'tenhou-4p'"):
        paifu.score(EXAMPLE, "8m", rules="tenhuo-4p")


@pytest.mark.parametrize("kind", ["polars", "arrow", "pandas"])
def test_a_table_of_hands(kind: str) -> None:
    rows = {
        "hand": ["234678m067p34588s", "123m", "234888m456p789s11z"],
        "win_tile": ["8m", "1m", "8m"],
        "riichi": [True, False, False],
        "tsumo": [True, True, False],
    }
    frame = pl.DataFrame(rows)
    given = {"polars": frame, "arrow": pa.table(rows), "pandas": frame.to_pandas()}[kind]
    found = paifu.score(given)
    assert found["status"].to_list() == ["ok", "impossible", "no_yaku"]
    assert found["points"].to_list() == [12000, None, None]
    assert found["yaku"][0].to_list() == ["menzen_tsumo", "riichi", "pinfu", "tanyao", "aka_dora"]
    assert found["yaku_han"][0].to_list() == [1, 1, 1, 1, 1]


def test_a_table_without_hands_or_with_circumstances_beside_it_is_refused() -> None:
    with pytest.raises(HandError, match="win_tile"):
        paifu.score(pl.DataFrame({"hand": ["123m"]}))
    with pytest.raises(HandError, match="wrong type"):
        paifu.score(pl.DataFrame({"hand": ["123m"], "win_tile": ["1m"], "riichi": ["yes"]}))
    with pytest.raises(TypeError):
        paifu.score(pl.DataFrame({"hand": ["123m"], "win_tile": ["1m"]}), riichi=True)


# --- paifu score


def test_the_command_prints_what_a_person_wants_to_know(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = text_of(capsys, EXAMPLE, "--win", "8m", "--riichi", "--tsumo", "--dora", "3p")
    for expected in (
        "Pinfu", "平和", "1 han", "20 the hand", "5 han 20 fu, mangan: 12,000", "south -4,000",
        "234m 678m 567p 345s 88s", "tenhou-4p",
    ):  # fmt: skip
        assert expected in out
    out = text_of(capsys, "234m678m34s11z", "ankan:5555p", "--win", "5s", "--tsumo", "--rinshan")
    assert "= 42, counted as 50" in " ".join(out.split())


def test_yakuman_chips_and_honba_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    out = text_of(capsys, "19m19p19s1234567z", "--win", "1z", "--rules", "general", "--honba", "2")
    assert "double yakuman: 96,000" in out
    assert re.search(r"thirteen orphans .* double yakuman$", out, re.MULTILINE)
    assert "600 for honba" in out
    out = text_of(capsys, EXAMPLE, "--win", "8m", "--riichi", "--rules", "tenhou-chip")
    assert "1 from each payer" in out


@pytest.mark.parametrize(
    ("hand", "dora", "worth"),
    [
        ("234678m22345p34s", "1m", "4 han 30 fu"),
        ("234m888m34s11z ankan:5555p", "3s4s", "3 han 60 fu"),
    ],
)
def test_a_hand_rounded_up_to_a_mangan_is_called_one(
    capsys: pytest.CaptureFixture[str], hand: str, dora: str, worth: str
) -> None:
    arguments = (hand, "--win", "5s", "--riichi", "--dora", dora)
    assert f"{worth}: 11,600" in text_of(capsys, *arguments, "--rules", "tenhou-4p")
    assert f"{worth}, mangan: 12,000" in text_of(capsys, *arguments, "--rules", "mleague")


def test_the_command_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(text_of(capsys, EXAMPLE, "--win", "8m", "--riichi", "--json"))
    assert found["yaku"] == {"riichi": 1, "pinfu": 1, "tanyao": 1, "aka_dora": 1}
    assert found["points"] == 11600


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        ([EXAMPLE], 3, "--win 8m"),
        ([], 2, "--stdin"),
        ([EXAMPLE, "--win", "8m", "--rules", "tenhu-4p"], 2, "tenhou-4p"),
        ([EXAMPLE, "--win", "8m", "--notation", "braille"], 2, "keyboard"),
        ([EXAMPLE, "--win", "8m", "--honba", "x"], 2, "honba"),
        ([EXAMPLE, "--stdin"], 2, "--stdin"),
    ],
)
def test_a_mistake_is_reported_without_a_traceback(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, says: str
) -> None:
    assert run(["score", *arguments]) == status
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


LINES = """
234m067p345s88s67m --win 8m --riichi --tsumo
111z 222z 333z 44z 55z --win 4z --seat=south

234m --win 5m
1234 --win 2m
123m456p789s1122z --win 1z --honba many
123m456p789s1122z --win 1z --banana
"123m
"""


def test_many_hands_are_read_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(LINES))
    out = text_of(capsys, "--stdin", status=1).splitlines()
    assert len(out) == 7
    assert out[0].endswith("menzen_tsumo:1 riichi:1 pinfu:1 tanyao:1 aka_dora:1")
    assert "double yakuman: 64,000" in out[1]
    for line, says in zip(out[2:], ("there are 4", "no suit", "a number", "--banana", "quotation"),
                          strict=True):  # fmt: skip
        assert says in line


def test_a_line_that_is_no_text_costs_that_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b"\xff\xfe --win 1m\n234m 067p 345s 88s 67m --win 8m\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
    bad, good = text_of(capsys, "--stdin", status=1).splitlines()
    assert "cannot read" in bad
    assert "5,800" in good


def test_ura_indicators_without_riichi_are_refused() -> None:
    with pytest.raises(HandError, match="riichi"):
        paifu.score("234m067p345s88s67m", win="8m", ura="3p")


def test_many_hands_in_json_keep_their_line_numbers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(LINES))
    found = [
        json.loads(line) for line in text_of(capsys, "--stdin", "--json", status=1).splitlines()
    ]
    assert [each["line"] for each in found] == [2, 3, 5, 6, 7, 8, 9]
    assert found[0]["points"] == 12000
    assert "there are 4" in found[2]["error"]


def test_every_circumstance_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "--help"]) == 0
    shown = capsys.readouterr().out
    for name in Circumstances.__dataclass_fields__:
        assert f"--{name.replace('_', '-')}" in shown


# --- paifu rulesets


def test_rule_sets_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulesets"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in rulesets.names())
    assert run(["rulesets", "mleague"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for expected in ("kiriage_mangan", "head_bump", "M.League official competition rules, copied",
                     "suuankou_tanki", "四暗刻単騎", "yakuman"):  # fmt: skip
        assert expected in shown


def test_a_rule_set_in_json_has_every_option_with_its_value_and_source(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "club.toml").write_text('extends = "tenhou-3p"\nhonba = 500\n')
    assert run(["rulesets", str(tmp_path / "club.toml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["options"]["honba"]["value"] == 500
    assert found["options"]["honba"]["source"].endswith("club.toml")
    assert found["options"]["tobi"]["values"] == ["off", "below_zero", "zero"]
    assert found["yaku"]["chinitsu"] == {"closed": 6, "open": 5}
    assert found["hash"] == str(rulesets.load(tmp_path / "club.toml").hash)


@pytest.mark.parametrize(
    "command",
    [
        ["rulesets"],
        ["score", "234m067p345s88s67m", "--win", "8m", "--rules"],
        ["simulate", "--games", "1", "--out", "none.zip", "--ruleset"],
    ],
)
def test_a_rule_set_nobody_knows_is_wrong_usage(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "majsol-4p"]) == 2
    assert "did you mean 'majsoul-4p'" in capsys.readouterr().err


def test_what_a_file_extends_is_the_files_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "club.toml").write_text('extends = "majsol-4p"\n')
    assert run(["rulesets", str(tmp_path / "club.toml")]) == 3
    assert "club.toml, extends: there is no rule set 'majsol-4p'" in capsys.readouterr().err


# --- circumstances that exclude each other


PLAIN = EXAMPLE.replace("0", "5")
NO_KITA_RON = replace(rulesets.get("tenhou-3p"), name="mine", kita_ron=False)
DRAGONS = "11m22z pon:555z pon:666z pon:777z"


@pytest.mark.parametrize(
    ("hand", "win", "told", "says"),
    [
        (EXAMPLE, "8m", {"riichi": True, "dora": "3p", "ura": "2m 7s"}, "2 ura, 1 dora"),
        (EXAMPLE, "8m", {"tsumo": True, "loser": "west"}, "leave out --loser or --tsumo"),
        (EXAMPLE, "8m", {"tsumo": True, "loser_riichi": True}, "a tsumo has none"),
        (EXAMPLE, "8m", {"riichi": True, "pao": "south"}, "pao is about daisangen or daisuushii"),
        (PLAIN, "8m", {"riichi": True, "pao": "south", "rules": "saikouisen"}, "has no pao"),
        ("11m22z555666777z", "1m", {"pao": "south", "tsumo": True}, "sets that were called"),
        (
            "11m22z ankan:5555z ankan:6666z ankan:7777z", "1m", {"pao": "south"},
            "sets that were called",
        ),
        ("11m22z555z pon:666z pon:777z", "1m", {"pao": "south"}, "sets that were called"),
        (EXAMPLE, "8m", {"riichi": True, "seat": "west", "dealer_wins": 7}, "the dealer"),
        (EXAMPLE, "8m", {"riichi": True, "seat": "west", "dealer_rounds": 1}, "the dealer"),
        (EXAMPLE, "8m", {"riichi": True, "dealer_wins": 3, "dealer_rounds": 2}, "too low"),
        ("123m456p789s11z23m", "1m", {"rules": "mcr", "pao": "south"}, "--liable"),
    ],
)  # fmt: skip
def test_circumstances_that_exclude_each_other_are_refused(
    hand: str, win: str, told: dict[str, Any], says: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with pytest.raises(FactError) as caught:
        paifu.score(hand, win, **told)
    assert says in str(caught.value)
    rules = ["--rules", told.get("rules", "tenhou-4p")]
    options = [
        f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")
        for name, value in told.items()
        if name != "rules"
    ]
    assert run(["score", hand, "--win", win, *options, *rules]) == 2
    assert says in capsys.readouterr().err
    line = f"{hand} --win {win} {' '.join(map(shlex.quote, options))}\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(line + f"{EXAMPLE} --win 8m --riichi\n"))
    assert run(["score", "--stdin", *rules]) == 1
    assert says in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"riichi": True, "dora_indicators": ["3p"], "ura_indicators": ["2m", "7s"]},
         "ura_beyond_dora"),
        ({"ura_indicators": ["2m"]}, "ura_without_riichi"),
        ({"tsumo": True, "loser": 1}, "tsumo_loser"),
        ({"riichi": True, "winner": 0, "seat_wind": 0, "pao_daisangen": 0}, "own_pao"),
        ({"riichi": True, "dealer_wins": 3, "dealer_rounds": 2}, "dealer_streak"),
        ({"riichi": True, "hand": f"8m{EXAMPLE}", "rules": "wrc"}, "foreign_reds"),
        ({"kita_ron": True, "hand": "111p456p789s22244z", "win_tile": "4z", "rules": NO_KITA_RON},
         "kita_ron_forbidden"),
    ],
)  # fmt: skip
def test_a_row_of_a_table_is_refused_as_a_hand_is(row: dict[str, Any], reason: str) -> None:
    told = {"hand": f"8m{PLAIN}", "win_tile": "8m", "winner": 0, "dealer": 0} | row
    rules = told.pop("rules", "tenhou-4p")
    table = pl.DataFrame({name: [value] for name, value in told.items()})
    found = paifu.score(table, rules=rules).row(0, named=True)
    assert (found["status"], found["reason"]) == ("impossible", reason)


def test_the_streak_of_a_dealer_who_does_not_win_counts_in_datong() -> None:
    hand = {"rules": "datong", "seat": "south"}
    found = [
        paifu.score("123m456p789p333s5p", "5p", dealer_wins=wins, **hand).payments["east"]
        for wins in (0, 2)
    ]
    assert found == [-10, -30]


@pytest.mark.parametrize("hand", [
    DRAGONS, "11m22z ankan:5555z ankan:6666z pon:777z", "11m22z kakan:5555z pon:666z kan:7777z",
])  # fmt: skip
def test_a_seat_is_liable_for_sets_that_were_called(hand: str) -> None:
    found = paifu.score(hand, "1m", pao="south", tsumo=True)
    assert found.payments["south"] == -found.points


def test_the_dealer_may_have_won_before() -> None:
    assert paifu.score(EXAMPLE, "8m", riichi=True, dealer_wins=7, honba=7).payments["east"] > 0
