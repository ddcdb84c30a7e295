"""The worked examples of Tenhou's rules (four and three players) and of riichi with local yaku."""

from __future__ import annotations

from typing import Any

import pytest

from paifu.rules import rulesets
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.toml_rules import parse
from tests.helpers.winning_hands import Row, result, scored, win

TENHOU = rulesets.get("tenhou-4p")
SANMA = rulesets.get("tenhou-3p")


def general(changes: str = "") -> RuleSet:
    """Return the general rule set with some lines of TOML changed."""
    text = f'extends = "general"\n{changes}'
    return parse(text, name="test", get=rulesets.get, where="test.toml")


def deltas(found: Row, players: int = 4) -> list[int]:
    return [found[f"delta_{seat}"] for seat in range(players)]


def check(found: Row, **expected: Any) -> None:
    assert {key: found[key] for key in expected} == expected


# --- Tenhou, four players; seat 0 is east


def test_t4_1_pinfu_tsumo_has_twenty_fu() -> None:
    hand = win("234567m345p22s678s", "8s", by="tsumo", riichi=True, honba=1, sticks=1)
    found = result(hand, TENHOU)
    check(found, han=4, fu=20, points=5200)
    assert set(found["yaku"]) == {"riichi", "menzen_tsumo", "pinfu", "tanyao"}
    assert deltas(found) == [-2700, 5500 + 1000, -1400, -1400]


def test_t4_2_seven_pairs_have_twenty_five_fu_flat() -> None:
    hand = win("1199m2255p3388s77z", "7z", seat_wind=0, by="tsumo", riichi=True)
    found = result(hand, TENHOU)
    check(found, han=4, fu=25)
    assert deltas(found) == [9600, -3200, -3200, -3200]


def test_t4_3_open_pinfu_shape_has_thirty_fu_and_no_yaku_without_kuitan() -> None:
    hand = win("567m345s678s88p", "8s", seat_wind=2, melds="chi:234p", loser=3)
    found = result(hand, TENHOU)
    check(found, han=1, fu=30, yaku={"tanyao": 1})
    assert deltas(found) == [0, 0, 1000, -1000]
    check(result(hand | {"kuitan": False}, TENHOU), status="no_yaku", points=None, yaku={})


def test_t4_4_no_kiriage_mangan_at_tenhou() -> None:
    hand = win("223344m567p678s55s", "7p", seat_wind=2, loser=0, riichi=True)
    found = result(hand, TENHOU)
    check(found, han=4, fu=30, points=7700, limit="none")
    assert set(found["yaku"]) == {"riichi", "pinfu", "tanyao", "iipeikou"}
    assert deltas(found) == [-7700, 0, 7700, 0]


def test_t4_5_double_wind_pair_and_rinshan_tsumo_count_fu() -> None:
    hand = win("234m678m345s11z", "5s", seat_wind=0, by="tsumo", melds="ankan:5555p", rinshan=True)
    found = result(hand, TENHOU)
    check(found, han=2, fu=50)
    assert deltas(found) == [4800, -1600, -1600, -1600]


def big_dragons_and_honours(by: str) -> Row:
    return win(
        "333z44z", "3z", seat_wind=2, by=by, loser=0 if by == "ron" else None, honba=2,
        round_wind=1, melds="pon:555z pon:666z pon:777z", pao_daisangen=3,
    )  # fmt: skip


def test_t4_6_liability_covers_all_yakuman_of_the_hand_and_honba() -> None:
    found = result(big_dragons_and_honours("ron"), TENHOU)
    check(found, yakuman=2, points=64000, pao_seat=3, han=None)
    assert deltas(found) == [-32000, 0, 64600, -32600]
    assert deltas(result(big_dragons_and_honours("tsumo"), TENHOU)) == [0, 0, 64600, -64600]


def test_t4_7_honba_and_sticks_of_a_double_ron_go_to_the_nearest() -> None:
    mangan = win(
        "234m234p234567s55p", "7s", loser=3, winner=0, dealer=1, seat_wind=3, riichi=True, sticks=2
    )
    cheap = win("223344m567p678s55s", "7p", loser=3, winner=2, dealer=1, riichi=True)
    wins = scored([mangan, cheap], TENHOU).wins
    assert wins["points"].to_list() == [8000, 7700]
    assert deltas(wins.row(0, named=True)) == [10000, 0, 0, -8000]
    assert deltas(wins.row(1, named=True)) == [0, 0, 7700, -7700]


# --- Tenhou, three players


def test_t3_1_tsumo_loss_and_norths() -> None:
    hand = win(
        "234567p345s67s99s8s", "8s", by="tsumo", players=3, melds="kita kita", riichi=True,
        honba=1, sticks=1,
    )  # fmt: skip
    found = result(hand, SANMA)
    check(found, han=5, kita_han=2, limit="mangan")
    assert deltas(found, 3) == [-4100, 6200 + 1000, -2100]
    assert found["delta_3"] is None


def test_t3_2_dealer_mangan_by_tsumo_is_8000_by_ron_12000() -> None:
    hand = win("234567p345s67s99s8s", "8s", seat_wind=0, by="tsumo", players=3, riichi=True)
    found = result(hand | {"melds": "kita kita"}, SANMA)
    assert deltas(found, 3) == [8000, -4000, -4000]
    ron = hand | {"melds": "kita kita kita", "tsumo": False, "loser": 1}
    assert deltas(result(ron, SANMA), 3) == [12000, -12000, 0]


def test_t3_3_one_of_manzu_shows_nine_of_manzu() -> None:
    hand = win(
        "345567p456s678s99m", "8s", seat_wind=2, players=3, loser=1, riichi=True,
        dora_indicators=["1m"],
    )  # fmt: skip
    check(result(hand, SANMA), han=4, fu=30, points=7700, dora_han=2)
    check(result(hand | {"honba": 1}, SANMA), delta_2=7900, delta_1=-7900)


def test_t3_4_a_ronned_north_is_no_chankan_and_no_dora() -> None:
    hand = win("111m456p789p234s44z", "4z", players=3, loser=2, riichi=True, kita_ron=True)
    check(result(hand, SANMA), han=1, fu=40, points=1300, yaku={"riichi": 1})
    assert deltas(result(hand, SANMA), 3) == [0, 1300, -1300]
    check(result(hand | {"ippatsu": True}, SANMA), points=2600)


# --- riichi with options and local yaku; seat 1 is not the dealer


def test_rg_1_big_wheels() -> None:
    hand = win("22334455667788p", "2p", by="tsumo")
    found = result(hand, general())
    check(found, han=12, limit="sanbaiman", yakuman=0)
    assert deltas(found) == [-12000, 24000, -6000, -6000]
    check(result(hand, general('[yaku]\nallow = ["daisharin"]')), yakuman=1, points=32000)
    doubled = general('[yaku.values]\ndaisharin = "double_yakuman"')
    check(result(hand, doubled), yakuman=2, yaku={"daisharin": 26})


def test_rg_2_three_consecutive_triplets_or_three_like_runs_not_both() -> None:
    hand = win("222333444m678p55p", "8p", by="tsumo")
    check(result(hand, general()), han=4, fu=40, limit="mangan")
    found = result(hand, general('[yaku]\nallow = ["sanrenkou", "isshoku_sanjun"]'))
    check(found, han=6, points=12000)
    assert set(found["yaku"]) == {"sanrenkou", "sanankou", "tanyao", "menzen_tsumo"}


def test_rg_3_twenty_fu_three_han_by_tsumo_is_2700() -> None:
    hand = win("234567m345p22s678s", "8s", by="tsumo")
    found = result(hand, general())
    check(found, han=3, fu=20, points=2700)
    assert deltas(found) == [-1300, 2700, -700, -700]


def test_rg_4_kiriage_makes_7700_a_mangan() -> None:
    hand = win("223344m567p678s55s", "7p", riichi=True)
    check(result(hand, general()), points=7700)
    check(result(hand, general("kiriage_mangan = true")), points=8000, limit="none")


def test_rg_5_million_stones() -> None:
    hand = win("5556777788899m9m", "6m", by="tsumo")
    check(result(hand, general()), han=9, limit="baiman", points=16000)
    stones = '[yaku]\nallow = ["hyakumangoku"]'
    check(result(hand, general(stones)), yakuman=1)
    check(result(hand, general('hyakumangoku = "above"\n' + stones)), han=9)
    exact = general('[yaku]\nallow = ["hyakumangoku", "junsei_hyakumangoku"]')
    check(result(hand, exact), yakuman=2, yaku={"junsei_hyakumangoku": 26})


@pytest.mark.parametrize(
    ("value", "expected"), [("yakuman", [48000, -16000]), ("mangan", [12000, -4000])]
)
def test_rg_6_thirteen_unconnected(value: str, expected: list[int]) -> None:
    hand = win("147m258p369s12344z", "4z", seat_wind=0, by="tsumo", first_turn=True)
    allowed = general(f'[yaku.values]\nshiisanpuutaa = "{value}"')
    found = result(hand, allowed)
    assert deltas(found)[:2] == expected
    assert set(found["yaku"]) == {"shiisanpuutaa"}
    check(result(hand | {"first_turn": False}, allowed), status="not_complete")
    check(result(hand, general()), status="not_complete")
