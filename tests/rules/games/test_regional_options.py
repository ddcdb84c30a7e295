"""Points that regional sources leave open, option by option, and facts of a single game."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from paifu.calculator.hand_scores import HandScore, score
from paifu.errors import HandError
from paifu.rules import rulesets
from paifu.rules.fan.game import Game


def paid(hand: str, win: str | None, rules: str, /, **given: Any) -> HandScore:
    """Score a hand; names of the game's options set options, other names circumstances."""
    game = rulesets.get_any(rules)
    assert isinstance(game, Game)
    names = {choice.name for choice in game.choices}
    options = {name: value for name, value in given.items() if name in names}
    facts = {name: value for name, value in given.items() if name not in names}
    return score(hand, win, rules=game.with_options(options), **facts)


def deltas(*args: Any, **given: Any) -> list[int]:
    return list(paid(*args, **given).payments.values())


# --- Changsha: the bird, and several ways to be big

BIRDS = [("1m", 0), ("5s", 0), ("9p", 0), ("2m", 1), ("6s", 1), ("3m", 2), ("7m", 2), ("8p", 3)]
BIG = ("33p777s pon:111m pon:444m pon:999s", "7s", "changsha")


@pytest.mark.parametrize(("bird", "seat"), BIRDS)
def test_the_bird_counts_from_the_dealer(bird: str, seat: int) -> None:
    """The winner is south here, so that the bird can name any of the four seats."""
    found = deltas(*BIG, tsumo=True, seat="south", bird=bird, big_self_drawn=6)
    plain = [-6, 18, -6, -6]
    if seat == 1:  # the winner: everyone pays twice
        assert found == [-12, 36, -12, -12]
    else:
        plain[seat] -= 6
        plain[1] += 6
        assert found == plain


def test_the_bird_doubles_only_who_pays() -> None:
    assert deltas(*BIG, bird="2m", big_discard=6) == [12, -12, 0, 0]  # the discarder
    assert deltas(*BIG, bird="3m", big_discard=6) == [6, -6, 0, 0]  # a seat that pays nothing


def test_changsha_stacks_or_does_not() -> None:
    flush = ("33m777m pon:111m pon:444m pon:999m", "7m", "changsha")
    assert deltas(*flush, big_discard=6) == [6, -6, 0, 0]
    assert deltas(*flush, big_discard=6, big_stack="each") == [12, -12, 0, 0]
    dealt = ("1111m3344m6677m9p", None, "changsha")
    shown = paid(*dealt, dealt=True, small_self_drawn=2)
    assert set(shown.yaku) == {"dealt_four_alike", "dealt_no_258", "dealt_voided_suit"}
    assert shown.points == 6
    assert paid(*dealt, dealt=True, small_self_drawn=2, dealt_stack="each").points == 18


def test_a_hand_of_2_5_and_8_may_call_pung_and_kong() -> None:
    """将将和: every tile is 2, 5 or 8, also in calls (可碰，可杠)."""
    house = {"small_discard": 1, "big_discard": 6, "big_self_drawn": 4}
    for melds in ("pon:555m", "kan:8888m", "kakan:2222m", "ankan:5555m", "pon:222m pon:888s"):
        loose = "225588p2258s" if " " not in melds else "22558p25s"
        found = paid(f"{loose} {melds}", "5p", "changsha", **house)
        assert (set(found.yaku), found.points) == ({"all_258"}, 6)
        drawn = deltas(f"{loose} {melds}", "5p", "changsha", tsumo=True, **house)
        assert drawn == [12, -4, -4, -4]
    for melds in ("pon:333m", "chi:123m"):  # a meld of other tiles
        with pytest.raises(HandError, match="not a winning hand"):
            paid(f"225588p2258s {melds}", "5p", "changsha", **house)
    with pytest.raises(HandError, match="not a winning hand"):
        paid("225588p2258s pon:555m", "5p", "changsha", all_258_needs_sets=True, **house)


def test_blessings_make_a_small_hand_big() -> None:
    """天和 of the dealer; 地和 of another seat on the dealer's first discard."""
    small = ("123m456p789p333s5p", "5p", "changsha")
    assert "blessing_of_heaven" in paid(*small, first_turn=True, tsumo=True, big_self_drawn=6).yaku
    earth = {"first_turn": True, "seat": "south", "small_discard": 1, "big_discard": 6}
    assert paid(*small, loser="east", **earth).points == 6
    with pytest.raises(HandError, match="plays before the winner"):
        paid(*small, loser="west", **earth)  # whose first turn comes after that of south


# --- Chengdu and Sichuan: who has won already

SUITS_TWO = ("123m456m789s22m34s", "2s")


def test_who_has_won_already_pays_no_more() -> None:
    drawn = deltas(*SUITS_TWO, "sichuan", tsumo=True, out="south, north", base=1)
    assert drawn == [1, 0, -1, 0]
    everyone = {"discard_payers": "everyone", "base": 1}
    assert deltas(*SUITS_TWO, "chengdu", out="west", **everyone) == [2, -1, 0, -1]
    with pytest.raises(HandError, match="neither wins nor pays again"):
        paid(*SUITS_TWO, "sichuan", out="south", base=1)


def test_kongs_of_chengdu_are_paid_if_an_option_says_so() -> None:
    with pytest.raises(HandError, match="unless kong_money is on"):
        paid("ankan:1111m", None, "chengdu", base=1)
    assert deltas("ankan:1111m", None, "chengdu", kong_unit=1, kong_money=True) == [6, -2, -2, -2]
    assert deltas("kan:1111m", None, "sichuan", kong_unit=3, exposed_kong=2) == [6, -6, 0, 0]


def test_fan_of_chengdu_double_or_add() -> None:
    flush = ("1111223344556m", "6m", "chengdu")  # five fan
    assert paid(*flush, base=2).points == 64
    assert paid(*flush, base=2, cap=3).points == 16
    assert paid(*flush, base=2, fan_value="add").points == 12


# --- Qingyuan: who fed the kong

FED = ("123456p44p67p kan:9999p", "8p", "qingyuan")


def test_the_feeder_of_a_kong_must_be_named() -> None:
    with pytest.raises(HandError, match="the seat that fed the open kong is missing"):
        paid(*FED, tsumo=True)
    assert deltas(*FED, tsumo=True, fed="north") == [30, -9, -9, -12]
    with pytest.raises(HandError, match="not a list of seats, one for each"):
        paid(*FED, tsumo=True, fed="north south")
    assert deltas(*FED, tsumo=True, kongs_paid="at_once") == [27, -9, -9, -9]
    assert deltas("kan:9999p", None, "qingyuan", kongs_paid="at_once") == [3, -3, 0, 0]
    with pytest.raises(HandError, match="with their owner's win"):
        paid("kan:9999p", None, "qingyuan")


# --- Guangdong: special wins count at least three fan


def test_special_wins_count_at_least_three_fan() -> None:
    """Items 1 to 4 and 7 of the source say 不满3番牌型，按照3番满计算."""
    chicken = ("123m456p789s22m78p", "9p", "guangdong-jph")
    assert paid(*chicken).points == 2  # 平和
    assert paid(*chicken, triple_ron=True).points == 8
    assert paid(*chicken, chankan=True).points == 24
    assert paid(*chicken, tsumo=True, haitei=True).points == 24
    assert paid(*chicken, tsumo=True, haitei=True, floor=4, cap=4).points == 48
    fed = ("123m456p22m78p kan:1111s", "9p", "guangdong-jph")
    assert deltas(*fed, tsumo=True, rinshan=True) == [24, -8, -8, -8]
    assert deltas(*fed, tsumo=True, rinshan=True, liable="west") == [24, 0, -24, 0]  # 包杠


def test_what_a_seat_is_liable_for_has_no_floor_of_its_own() -> None:
    """Items 5 and 6: twelve tiles melded, and the pung that completes winds or dragons."""
    down = ("4s pon:111m pon:333p chi:789s pon:222s", "4s", "guangdong-jph")
    assert deltas(*down, tsumo=True) == [6, -2, -2, -2]  # 自摸 alone
    assert deltas(*down, tsumo=True, liable="south") == [6, -6, 0, 0]
    pungs = ("4s pon:111m pon:333p pon:999s pon:222s", "4s", "guangdong-jph")
    assert deltas(*pungs, tsumo=True, liable="north") == [24, 0, 0, -24]  # 碰碰和 自摸, at the cap
    last = deltas(*down, tsumo=True, liable="south", haitei=True)
    assert last == [24, -24, 0, 0]  # the last tile has its minimum, liable or not
    big = ("2m pon:555z pon:666z pon:777z chi:123p", "2m", "guangdong-jph")
    assert deltas(*big, tsumo=True, liable="west") == [192, 0, -192, 0]  # 大三元


# --- Yingkou: wild tiles, fourth copies, raising

PUNG = "pon:111m"


def test_the_fourth_copy_of_a_pung_is_wild_and_a_fan() -> None:
    """绝头会: the 1m outside the pung of 1m stands for 8s, and counts a fan."""
    found = paid(f"456p79s1m234s5p {PUNG}", "5p", "yingkou", base=1)
    assert found.yaku == {"fourth_copy_wild": 1}
    assert found.points == 2


def test_the_fourth_copy_in_the_hand_is_wild_and_a_fan() -> None:
    found = paid("6666p79s234s5p chi:123m", "5p", "yingkou", base=1)
    assert found.yaku == {"fourth_copy_wild": 1}
    assert found.reading is not None
    assert "789s" in found.reading
    # all four in separate sets: the fourth stands for itself, and still counts
    own = paid("666678p234s5p chi:123m", "5p", "yingkou", base=1)
    assert own.yaku == {"fourth_copy_wild": 1}


def test_a_declared_kong_is_no_fourth_copy() -> None:
    assert paid("789s234s456p5p kan:1111m", "5p", "yingkou", base=1).yaku == {}


def test_the_fourth_copy_cannot_stand_alone() -> None:
    """Two wild tiles are not a pair: the fourth copies of two pungs."""
    melds = "pon:111m pon:333p chi:789s chi:234s"
    with pytest.raises(HandError, match="not a winning hand"):
        paid(f"1m {melds}", "3p", "yingkou", base=1)


def test_a_pung_of_the_turned_up_tile() -> None:
    """墙头绝: 2m is wild, so 1m was turned up; with a dragon it needs all pungs."""
    turned = paid(f"456p789s234s5p {PUNG}", "5p", "yingkou", base=1, wild="2m")
    assert turned.yaku == {"turned_tile_pung": 1}
    white = "pon:777z"  # 6z wild: 7z turned up
    with pytest.raises(HandError, match="a dragon, all pungs"):
        paid(f"234m456p789s5p {white}", "5p", "yingkou", base=1, wild="6z")
    pungs = f"33s55p {white} pon:111m pon:444p"
    found = paid(pungs, "3s", "yingkou", base=1, wild="6z", all_pungs_fan=1)
    assert found.yaku == {"turned_tile_pung": 1, "all_pungs": 0}
    assert found.points == 4


def test_all_pungs_need_a_value_and_one_tile_left_another() -> None:
    with pytest.raises(HandError, match="no amount for all_pungs_fan:"):
        paid(f"33s55p pon:777z {PUNG} pon:444p", "3s", "yingkou", base=1)
    alone = ("5p pon:777z pon:111m pon:444p pon:333s", "5p", "yingkou")
    with pytest.raises(HandError, match="no amount for one_tile_left_fan:"):
        paid(*alone, base=1, all_pungs_fan=1)
    assert paid(*alone, base=1, one_tile_left_fan=2).points == 4


@pytest.mark.parametrize(
    ("raised", "options", "expected"),
    [
        (None, {}, [3, -1, -1, -1]),
        ("east", {}, [6, -2, -2, -2]),
        ("south", {}, [4, -2, -1, -1]),
        ("east south", {}, [8, -4, -2, -2]),
        ("east south", {"both_raised": 1}, [6, -2, -2, -2]),
        ("east south", {"fan_value": "add"}, [7, -3, -2, -2]),
    ],
)
def test_raising_counts_a_fan_for_wins_and_losses(
    raised: str | None, options: dict[str, Any], expected: list[int]
) -> None:
    """加钢: that of the winner applies to every payer, that of a payer only to itself."""
    hand = (f"456p789s234s5p {PUNG}", "5p", "yingkou")
    assert deltas(*hand, tsumo=True, base=1, raised=raised, **options) == expected


def test_one_who_raised_and_does_not_pay_pays_nothing() -> None:
    hand = (f"456p789s234s5p {PUNG}", "5p", "yingkou")
    assert deltas(*hand, base=1, raised="west") == [1, -1, 0, 0]


# --- the others


def test_datong() -> None:
    straight = ("123456789m22p34s", "2s", "datong")
    assert paid(*straight).points == 40
    assert paid(*straight, straight=3).points == 120
    flush = ("123345567789m1m", "1m", "datong")
    assert deltas(*flush, tsumo=True, dealer_wins=1) == [150, -50, -50, -50]
    doubled = deltas(*flush, tsumo=True, dealer_wins=1, streak_multiplies=True)
    assert doubled == [180, -60, -60, -60]
    assert deltas("kan:1111m", None, "datong", seat="west", loser="north") == [-10, -10, 30, -10]
    pungs = ("33m777m pon:111m pon:444m pon:999m", "7m", "datong")
    assert paid(*pungs).points == 160
    assert paid(*pungs, doublings="once").points == 80


def test_yangzhou_honours_alone() -> None:
    honours = ("11z222z pon:333z pon:444z pon:555z", "2z", "yangzhou")
    assert paid(*honours, base=1).points == 2
    assert paid(*honours, base=1, honours_are_half_flush=True).points == 4


def test_kawuxing_fives() -> None:
    fives = ("123s789s77z555z46p", "5p", "kawuxing")
    amounts = {"big": 8, "ordinary": 2, "removed_suit": "m"}
    assert paid(*fives, **amounts).points == 2
    assert paid(*fives, **amounts, fives="any").points == 8


def test_qq_popular() -> None:
    chicken = ("34p77z chi:123p pon:444s chi:789m", "2p", "qq-popular")
    assert paid(*chicken).points == 8
    assert paid(*chicken, chicken_hand=False).points == 0
    assert paid(*chicken, flowers=2).points == 10
    assert paid(*chicken, flowers=2, flower_points=False).points == 8
    assert paid(*chicken, riichi=True, ready_points=3).points == 11


# --- a table of them


def test_a_table_has_kongs_dealt_and_named_hands_among_its_rows() -> None:
    sichuan = rulesets.get_any("sichuan")
    assert isinstance(sichuan, Game)
    table = pl.DataFrame(
        {
            "hand": ["", "", "123456m22p345678p", "123m456p789s22m34s2s"],
            "melds": ["ankan:1111m", "kan:1111m", "", ""],
            "win_tile": ["", "", "8p", "2s"],
            "out": [[2], [], [1, 2], []],
        }
    )
    found = score(table, rules=sichuan.with_options({"base": 1, "kong_unit": 1}))
    assert found["status"].to_list() == ["ok", "ok", "impossible", "no_yaku"]
    assert found["points"].to_list() == [4, 1, None, None]
    named = score(pl.DataFrame({"hand": ["七精冲关", "x"], "win_tile": ["", ""]}),
                  rules="nanchang-jing")  # fmt: skip
    assert named["points"].to_list() == [84, None]
    assert named["reason"].to_list() == [None, "unknown_name"]
