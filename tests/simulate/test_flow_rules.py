"""The rules of flow (T1-T33 and S1-S13 of the Tenhou sheets), each in a round laid by hand.

``RULES`` says where each rule is tested: here, in the tests of settlement, by the referee, which
checks every event of free play and of the scenarios, or by a scenario of the coverage table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from paifu.errors import UsageError
from paifu.simulate.game_loop import Game
from paifu.simulate.scoring import dora_tiles
from paifu.simulate.scripted import Deal, Scenario, play_scenario
from paifu.simulate.table_record import CHI, DORA, EXHAUSTIVE, RON, SUUKAN
from paifu.simulate.wall_building import tile_set

THREE_PONS = ("0 pon 5z", "0 discard 3s", "0 pon 6z", "0 discard 4s", "0 pon 7z", "0 discard 5s")
PON_DRAWS = "9s5z6z8p7z8p8s4m"
"""The dealer pons three dragons, and the seat before him discards 4m."""


def first_round(deal: Deal, players: int = 4) -> tuple[Any, dict[str, int]]:
    """Return the table of a round laid by hand, and the yaku of its first win."""
    game = play_scenario(Scenario("rule", "", (deal,), players=players))
    return game.rounds[0], dict(game.values[0][0].yaku) if game.values[0] else {}


def is_impossible(deal: Deal, line: str, players: int = 4) -> bool:
    """Return whether this is the first line of a script that could not be done."""
    with pytest.raises(UsageError, match=f"'{line}' was never possible"):
        first_round(deal, players)
    return True


def test_t3_a_yaku_may_come_with_the_last_tile() -> None:
    _, yaku = first_round(Deal(("0 ron 9s",), {0: "123456m789p111s9s"}, last="9s", away="9s"))
    assert set(yaku) - {"dora", "aka_dora"} == {"houtei"}


def test_t4_a_call_that_leaves_only_swapped_tiles_is_none() -> None:
    chi = "0 chi 4m from 2m"
    assert is_impossible(Deal((*THREE_PONS, chi), {0: "556677z1234m345s"}, PON_DRAWS), chi)
    table, _ = first_round(Deal((*THREE_PONS, chi), {0: "556677z2339m345s"}, PON_DRAWS))
    assert table["meld_kind"][0].tolist()[3] == CHI


def test_t4_the_called_tile_and_its_suji_may_not_go_at_once() -> None:
    table, _ = first_round(
        Deal(("0 chi 4m from 2m", "0 discard 9p"), {0: "1234m9p"}, draws="9s8s8p4m")
    )
    assert table["river"][0].tolist()[1] // 4 == 17
    for kept in ("1m", "4m"):
        deal = Deal(("0 chi 4m from 2m", f"0 discard {kept}"), {0: "1234m9p"}, draws="9s8s8p4m")
        later, _ = first_round(deal)
        assert later["river"][0].tolist()[1] // 4 not in (0, 3)


def test_t5_no_open_tanyao_where_the_room_has_none(scripted: dict[str, Game]) -> None:
    game = scripted["no_kuitan"]
    for table, wins in zip(game.rounds, game.values, strict=True):
        for nth, value in enumerate(wins):
            opened = table["open_melds"][table["winner"][nth]] > 0
            assert not (opened and "tanyao" in dict(value.yaku))


def test_t6_three_red_fives(four: list[Game]) -> None:
    most = max(
        dict(value.yaku).get("aka_dora", 0) for g in four for wins in g.values for value in wins
    )
    assert 2 <= most <= 3


def test_t14_one_han_is_enough(four: list[Game]) -> None:
    hans = {value.han for game in four for wins in game.values for value in wins}
    assert 1 in hans


def test_t16_a_ron_on_the_discard_after_the_fourth_kan_comes_first() -> None:
    kans = ("0 ankan 1m", "0 ankan 3p", "1 ankan 5s", "1 ankan 9s")
    hands = {0: "111m333p", 1: "555s999s", 2: "234m456p678s22p67m"}
    table, _ = first_round(Deal((*kans, "2 ron 8m"), hands, "1m0s", rinshan="3p6z9s8m"))
    assert (table["outcome"], table["kans"].sum()) == (RON, 4)
    table, _ = first_round(Deal(kans, hands, "1m0s", rinshan="3p6z9s8m"))
    assert table["outcome"] == SUUKAN


def test_t17_nine_kinds_only_before_any_call() -> None:
    hands = {1: "19m19p19s1234z123m", 2: "55z"}
    assert is_impossible(Deal(("2 pon 5z", "1 kyuushu"), hands, "5z"), "1 kyuushu")


def test_t21_no_liability_for_rinshan_after_a_daiminkan(scripted: dict[str, Game]) -> None:
    delta = scripted["rinshan_daiminkan"].rounds[0]["delta"][0].tolist()
    assert len(set(delta[1:])) == 1
    assert delta[1] < 0


def test_t22_a_wait_for_a_fifth_copy_is_tenpai_only_with_one_of_the_four_in_a_meld() -> None:
    in_hand, _ = first_round(Deal(("0 discard 4z",), {0: "1111z234m567p789s"}, own_draws={0: "4z"}))
    assert in_hand["outcome"] == EXHAUSTIVE
    assert in_hand["tenpai"][0] == 0
    melded, _ = first_round(
        Deal(("0 pon 1z", "0 discard 9m"), {0: "111z234m567p789s9m"}, draws="4z1z")
    )
    assert melded["outcome"] == EXHAUSTIVE
    assert melded["tenpai"][0] == 1


def test_t25_riichi_in_furiten_but_not_on_four_of_ones_own() -> None:
    table, _ = first_round(
        Deal(("0 discard 1s", "0 riichi 4z"), {0: "123456789m11p23s"}, own_draws={0: "1s4z"})
    )
    assert table["riichi"][0] == 2
    hopeless = Deal(("0 riichi 4z",), {0: "1111z234m567p789s"}, own_draws={0: "4z"})
    assert is_impossible(hopeless, "0 riichi 4z")


def test_t27_a_tile_let_pass_cannot_be_won_on_until_the_own_discard() -> None:
    """Seat 2 could win on seat 0's tile, but its line comes too late; then not on seat 1's."""
    hands = {2: "234567m345p67s88s"}
    waiting = ("2 tsumo 8s",)
    table, _ = first_round(Deal(waiting, hands, own_draws={0: "5s", 1: "5s", 2: "4z8s"}))
    assert table["winner"][0] == 2
    assert table["river_size"].tolist() == [2, 2, 1, 1]


def test_t28_an_ankan_in_riichi_keeps_the_waits() -> None:
    """A kan with the fourth 1z changes no wait; a kan with the fourth 3m would change it."""
    honours = Deal(("0 riichi 4z", "0 ankan 1z"), {0: "111z234m567p67s99s"}, own_draws={0: "4z1z"})
    assert first_round(honours)[0]["kans"][0] == 1
    shape = Deal(("0 riichi 4z", "0 ankan 3m"), {0: "3334m567p678p999s"}, own_draws={0: "4z3m"})
    assert is_impossible(shape, "0 ankan 3m")


def test_t29_ura_lie_beneath_every_indicator_shown(four: list[Game]) -> None:
    seen = 0
    for game in four:
        for table in game.rounds:
            shown = dora_tiles(table, game.flow, ura=False)
            beneath = dora_tiles(table, game.flow, ura=True)
            assert len(beneath) == len(shown) == table["shown"]
            assert not set(beneath) & set(shown)
            seen += len(shown) > 1
    assert seen > 20


def test_t30_the_dora_of_an_open_kan_counts_for_a_ron_of_the_discard_after_it() -> None:
    table, yaku = first_round(
        Deal(("0 kan 5p", "0 discard 5s", "1 ron 5s"),
             {0: "555p5s", 1: "234567m234p67s88s"}, "1z0p", rinshan="4z", dora="1z7s"),
    )  # fmt: skip
    events = table["event_kind"][: table["events"]].tolist()
    assert events.count(DORA) == 1
    assert yaku["dora"] == 2  # 88s: the kan turned up the indicator 7s


def test_s2_s4_three_play_without_2m_to_8m_and_without_chi(three: list[Game]) -> None:
    kinds = {int(tile) // 4 for tile in tile_set(3)}
    assert kinds == set(range(34)) - set(range(1, 8))
    assert len(tile_set(3)) == 108
    for game in three:
        for table in game.rounds:
            assert CHI not in table["event_kind"][: table["events"]].tolist()


def test_s5_a_north_set_aside_leaves_the_hand_closed_and_is_a_dora() -> None:
    _, yaku = first_round(
        Deal(("0 kita", "0 tsumo 8s"), {0: "234567p345s67s99p"}, draws="4z", rinshan="8s"), 3
    )
    assert yaku["menzen_tsumo"] == yaku["kita"] == 1
    assert "rinshan" in yaku  # S13


def test_s8_no_north_right_after_a_pon() -> None:
    table, _ = first_round(
        Deal(("0 pon 5p", "0 kita"), {0: "55p4z234p678s99m"}, draws="2z5p1m1m7z"), 3
    )
    kinds = table["event_kind"][: table["events"]].tolist()
    north = kinds.index(7)
    assert kinds[north - 1] == 0  # a draw: the turn after the pon's


def test_s9_a_north_ends_the_first_go_around() -> None:
    hands = {1: "19m19p19s1235z123p", 0: "4z"}
    assert is_impossible(Deal(("0 kita", "1 kyuushu"), hands), "1 kyuushu", 3)


def test_s10_a_ronned_north_breaks_no_ippatsu_and_is_no_dora_of_the_winner() -> None:
    table, yaku = first_round(
        Deal(("0 riichi 1z", "1 kita", "0 ron 4z"), {0: "123456789p55z44z"}, draws="1z4z"), 3
    )
    assert table["loser"] == 1
    assert "ippatsu" in yaku
    assert "kita" not in yaku
    assert "chankan" not in yaku


def test_s11_ones_own_north_set_aside_is_no_furiten() -> None:
    table, _ = first_round(
        Deal(("0 kita", "0 ron 4z"), {0: "123456789p55z44z"}, draws="4z4z", rinshan="1z"), 3
    )
    assert table["outcome"] == RON
    assert table["norths"][0] == 1


RULES: dict[str, str] = {
    "T1": "test_t1_t2", "T2": "test_t1_t2", "T3": "test_t3", "T4": "test_t4", "T5": "test_t5",
    "T6": "test_t6", "T7": "test_t7", "T8": "test_t8", "T9": "test_t9", "T10": "test_t10",
    "T11": "test_t11", "T12": "test_t12", "T13": "test_t13", "T14": "test_t14",
    "T15": "test_t15", "T16": "test_t16", "T17": "test_t17", "T18": "test_t18",
    "T19": "test_t19", "T20": "test_t20", "T21": "test_t21", "T22": "test_t22",
    "T23": '"T23 riichi has points and tiles"', "T24": '"T24 riichi ronned on its tile"',
    "T25": "test_t25", "T26": '"T26 T27 no ron in furiten"', "T27": "test_t27",
    "T28": "test_t28", "T29": "test_t29", "T30": "test_t30",
    "T31": '"T31 ippatsu survives a robbed kan"', "T32": '"T32 no call on the last discard"',
    "S1": "test_an_exhausted_wall_has_been_drawn_to_its_last_tile", "S2": "test_s2_s4",
    "S3": "test_scenarios_ingest_clean", "S4": "test_s2_s4", "S5": "test_s5",
    "S6": '"S10 a ronned north"', "S7": "test_scenarios_ingest_clean", "S8": "test_s8",
    "S9": "test_s9", "S10": "test_s10", "S11": "test_s11", "S12": "test_s12",
    "S13": '"rinshan after a north"',
}  # fmt: skip
"""The test of each rule: the beginning of a test's name, or its name in the referee or in the
coverage table. The engine scores S3 and S7, so the scenarios are compared with it. T33 says that
acts that a client cannot do do not occur."""


def test_every_rule_of_flow_has_its_test() -> None:
    wanted = {f"T{n}" for n in range(1, 33)} | {f"S{n}" for n in range(1, 14)}
    assert set(RULES) == wanted
    here = Path(__file__).parent
    text = "".join(path.read_text() for path in [*here.glob("test_*.py"), here / "referee.py"])
    text = text.replace(text[text.index("RULES: dict") : text.index("def test_every_rule")], "")
    for rule, test in RULES.items():
        pattern = rf"def {test}" if test.startswith("test_") else re.escape(test)
        assert re.search(pattern, text), rule
