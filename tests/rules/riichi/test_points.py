"""Points: every cell of the points tables, the limits, honba, liability and three players."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from paifu.rules import rulesets
from paifu.rules.riichi.points import base_points, limit_word, ron_points, tsumo_share
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.toml_rules import parse
from tests.helpers.winning_hands import Row, result, win

TENHOU = rulesets.get("tenhou-4p")

CHILD = """
20 700 200/400 1300 400/700 2600 700/1300 5200 1300/2600
25 800 200/400 1600 400/800 3200 800/1600 6400 1600/3200
30 1000 300/500 2000 500/1000 3900 1000/2000 7700 2000/3900
40 1300 400/700 2600 700/1300 5200 1300/2600 8000 2000/4000
50 1600 400/800 3200 800/1600 6400 1600/3200 8000 2000/4000
60 2000 500/1000 3900 1000/2000 7700 2000/3900 8000 2000/4000
70 2300 600/1200 4500 1200/2300 8000 2000/4000 8000 2000/4000
80 2600 700/1300 5200 1300/2600 8000 2000/4000 8000 2000/4000
90 2900 800/1500 5800 1500/2900 8000 2000/4000 8000 2000/4000
100 3200 800/1600 6400 1600/3200 8000 2000/4000 8000 2000/4000
110 3600 900/1800 7100 1800/3600 8000 2000/4000 8000 2000/4000
"""
DEALER = """
20 1000 400 2000 700 3900 1300 7700 2600
25 1200 400 2400 800 4800 1600 9600 3200
30 1500 500 2900 1000 5800 2000 11600 3900
40 2000 700 3900 1300 7700 2600 12000 4000
50 2400 800 4800 1600 9600 3200 12000 4000
60 2900 1000 5800 2000 11600 3900 12000 4000
70 3400 1200 6800 2300 12000 4000 12000 4000
80 3900 1300 7700 2600 12000 4000 12000 4000
90 4400 1500 8700 2900 12000 4000 12000 4000
100 4800 1600 9600 3200 12000 4000 12000 4000
110 5300 1800 10600 3600 12000 4000 12000 4000
"""
LIMITS = [
    (5, 8000, "2000/4000", 12000, "4000", "mangan"),
    (6, 12000, "3000/6000", 18000, "6000", "haneman"),
    (7, 12000, "3000/6000", 18000, "6000", "haneman"),
    (8, 16000, "4000/8000", 24000, "8000", "baiman"),
    (9, 16000, "4000/8000", 24000, "8000", "baiman"),
    (10, 16000, "4000/8000", 24000, "8000", "baiman"),
    (11, 24000, "6000/12000", 36000, "12000", "sanbaiman"),
    (12, 24000, "6000/12000", 36000, "12000", "sanbaiman"),
    (13, 32000, "8000/16000", 48000, "16000", "kazoe"),
    (14, 32000, "8000/16000", 48000, "16000", "kazoe"),
    (26, 32000, "8000/16000", 48000, "16000", "kazoe"),
]


def cells(table: str) -> list[tuple[int, int, int, str]]:
    """Return fu, han, ron and tsumo of each cell."""
    rows = [line.split() for line in table.strip().splitlines()]
    return [
        (int(row[0]), han, int(row[2 * han - 1]), row[2 * han])
        for row in rows
        for han in (1, 2, 3, 4)
    ]


def ruleset(lines: str, name: str = "tenhou-4p") -> RuleSet:
    return parse(f'extends = "{name}"\n{lines}', name="test", get=rulesets.get, where="test.toml")


def worth(rules: RuleSet, han: int, fu: int, yakuman: int = 0, players: int = 4) -> dict[str, Any]:
    """Return base, limit, and the ron and tsumo points of a non-dealer and of the dealer."""
    row = pl.DataFrame(
        {"han": [han], "fu": [fu], "yakuman": [yakuman], "players": [players]}
    ).select(
        base=base_points(rules, pl.col("han"), pl.col("fu"), pl.col("yakuman")),
        limit=limit_word(rules, pl.col("han"), pl.col("fu"), pl.col("yakuman")),
        players="players",
    )
    yes, no = pl.lit(True), pl.lit(False)
    paid = row.select(
        "base", "limit",
        child_ron=ron_points(pl.col("base"), no),
        child_tsumo=tsumo_share(rules, pl.col("base"), no, no),
        child_tsumo_dealer=tsumo_share(rules, pl.col("base"), no, yes),
        dealer_ron=ron_points(pl.col("base"), yes),
        dealer_tsumo=tsumo_share(rules, pl.col("base"), yes, no),
    )  # fmt: skip
    return paid.row(0, named=True)


@pytest.mark.parametrize(("fu", "han", "ron", "tsumo"), cells(CHILD))
def test_every_cell_of_the_child_table(fu: int, han: int, ron: int, tsumo: str) -> None:
    paid = worth(TENHOU, han, fu)
    assert (paid["child_ron"], f"{paid['child_tsumo']}/{paid['child_tsumo_dealer']}") == (
        ron,
        tsumo,
    )
    assert paid["limit"] == ("mangan" if fu * 2 ** (han + 2) >= 2000 else "none")


@pytest.mark.parametrize(("fu", "han", "ron", "tsumo"), cells(DEALER))
def test_every_cell_of_the_dealer_table(fu: int, han: int, ron: int, tsumo: str) -> None:
    paid = worth(TENHOU, han, fu)
    assert (paid["dealer_ron"], str(paid["dealer_tsumo"])) == (ron, tsumo)


@pytest.mark.parametrize(("han", "child", "shares", "dealer", "each", "limit"), LIMITS)
@pytest.mark.parametrize("fu", [20, 110])
def test_every_limit(
    fu: int, han: int, child: int, shares: str, dealer: int, each: str, limit: str
) -> None:
    paid = worth(TENHOU, han, fu)
    assert paid["child_ron"] == child
    assert f"{paid['child_tsumo']}/{paid['child_tsumo_dealer']}" == shares
    assert (paid["dealer_ron"], str(paid["dealer_tsumo"])) == (dealer, each)
    assert paid["limit"] == limit


def test_counted_yakuman_may_be_off_or_come_several_at_once() -> None:
    assert worth(ruleset('counted_yakuman = "off"'), 13, 30)["child_ron"] == 24000
    assert worth(ruleset('counted_yakuman = "off"'), 13, 30)["limit"] == "sanbaiman"
    multiple = ruleset('counted_yakuman = "multiple"')
    assert [worth(multiple, han, 30)["child_ron"] for han in (13, 25, 26, 39)] == [
        32000, 32000, 64000, 96000,
    ]  # fmt: skip


def test_kiriage_raises_exactly_two_cells_of_each_table() -> None:
    kiriage = ruleset("kiriage_mangan = true")
    raised = [
        (fu, han) for fu, han, ron, _ in cells(CHILD) if worth(kiriage, han, fu)["child_ron"] != ron
    ]
    assert raised == [(30, 4), (60, 3)]
    assert worth(kiriage, 4, 30)["dealer_ron"] == 12000


def test_yakuman_add_unless_a_rule_set_caps_them() -> None:
    assert worth(TENHOU, 0, 30, yakuman=3)["child_ron"] == 96000
    hand = win("333z44z", "3z", melds="pon:555z pon:666z pon:777z", by="tsumo")
    assert result(hand, TENHOU)["yakuman"] == 2
    assert result(hand, ruleset("max_yakuman = 1"))["points"] == 32000


# --- three players


@pytest.mark.parametrize(
    ("loss", "child", "dealer"),
    [("lost", (2000, 4000), 4000), ("halved", (3000, 5000), 6000), ("equal", (4000, 4000), 6000)],
)
def test_the_absent_share_of_a_mangan_tsumo(loss: str, child: tuple[int, int], dealer: int) -> None:
    paid = worth(ruleset(f'tsumo_loss = "{loss}"', "tenhou-3p"), 5, 30, players=3)
    assert (paid["child_tsumo"], paid["child_tsumo_dealer"]) == child
    assert paid["dealer_tsumo"] == dealer


@pytest.mark.parametrize(("loss", "shares"), [("lost", (500, 1000)), ("halved", (800, 1300)),
                                              ("equal", (1000, 1000))])  # fmt: skip
def test_split_shares_are_rounded_up_to_a_hundred(loss: str, shares: tuple[int, int]) -> None:
    paid = worth(ruleset(f'tsumo_loss = "{loss}"', "tenhou-3p"), 2, 30, players=3)
    assert (paid["child_tsumo"], paid["child_tsumo_dealer"]) == shares


# --- honba and sticks

PINFU = win("234567m345p22s678s", "8s", riichi=True)


@pytest.mark.parametrize(
    ("rules", "players", "by", "expected"),
    [
        (TENHOU, 4, "ron", [0, 3900 + 600, -3900 - 600, 0]),
        (TENHOU, 4, "tsumo", [-2600 - 200, 5200 + 600, -1300 - 200, -1300 - 200]),
        (rulesets.get("tenhou-chip-5"), 4, "ron", [0, 3900 + 3000, -3900 - 3000, 0]),
    ],
)
def test_honba_is_paid_by_whoever_pays(
    rules: RuleSet, players: int, by: str, expected: list[int]
) -> None:
    found = result(PINFU | {"honba": 2, "tsumo": by == "tsumo",
                            "loser": None if by == "tsumo" else 2}, rules)  # fmt: skip
    assert [found[f"delta_{seat}"] for seat in range(players)] == expected


def test_sticks_come_from_the_table() -> None:
    found = result(PINFU | {"sticks": 3}, TENHOU)
    assert found["stick_points"] == 3000
    assert sum(found[f"delta_{seat}"] for seat in range(4)) == 3000


# --- liability


def fed(by: str, **facts: Any) -> Row:
    """Daisangen and tsuuiisou of the south seat."""
    return win("333z44z", "3z", by=by, round_wind=1, melds="pon:555z pon:666z pon:777z", **facts)


FED_ONLY = 'pao_scope = "fed"\n'


@pytest.mark.parametrize(
    ("lines", "by", "expected"),
    [
        ("", "tsumo", [0, 64600, 0, -64600]),
        ("", "ron", [0, 64600, -32000, -32600]),
        ('pao_honba = "discarder"', "ron", [0, 64600, -32600, -32000]),
        # daisangen by its feeder, tsuuiisou as any tsumo: 16000 from the dealer, 8000 each
        (FED_ONLY, "tsumo", [-16000, 64600, -8000, -40600]),
        (FED_ONLY, "ron", [0, 64600, -48000, -16600]),
        (FED_ONLY + 'pao_honba = "discarder"', "ron", [0, 64600, -48600, -16000]),
        ("pao = []", "tsumo", [-32200, 64600, -16200, -16200]),
        ("pao = []", "ron", [0, 64600, -64600, 0]),
    ],
)
def test_liability_for_two_yakuman_of_which_one_was_fed(
    lines: str, by: str, expected: list[int]
) -> None:
    hand = fed(by, honba=2, pao_daisangen=3)
    found = result(hand, ruleset(lines))
    assert [found[f"delta_{seat}"] for seat in range(4)] == expected
    assert found["pao_seat"] == (None if lines == "pao = []" else 3)


def test_a_feeder_who_also_deals_in_pays_all() -> None:
    found = result(fed("ron", pao_daisangen=2), TENHOU)
    assert [found[f"delta_{seat}"] for seat in range(4)] == [0, 64000, -64000, 0]


def test_a_feeder_is_liable_only_for_the_yakuman_he_fed() -> None:
    hand = win("333s99s123m", "9s", melds="pon:555z pon:666z", pao_daisangen=3)
    assert result(hand, TENHOU)["pao_seat"] is None


def test_double_big_winds_are_fed_twice_over_at_mahjong_soul() -> None:
    hand = win("55z444z", "4z", melds="pon:111z pon:222z pon:333z", by="tsumo", pao_daisuushi=0)
    found = result(hand, rulesets.get("majsoul-4p"))
    assert found["yakuman"] == 3  # daisuushii counts double, tsuuiisou single
    assert [found[f"delta_{seat}"] for seat in range(4)] == [-64000 - 16000, 96000, -8000, -8000]


def test_two_feeders_each_answer_for_their_own() -> None:
    rules = ruleset('pao = ["daisangen", "suukantsu"]\npao_scope = "fed"')
    hand = win("22s", "2s", melds="kan:5555z kan:6666z kan:7777z kan:2222p", seat_wind=0,
               loser=1, pao_daisangen=2, pao_suukantsu=3)  # fmt: skip
    found = result(hand, rules)
    assert [found[f"delta_{seat}"] for seat in range(4)] == [96000, -48000, -24000, -24000]
