"""Every worked example of a game other than riichi: hand and circumstances to fan and payments.

The examples are the specification's, by their ids, and scored as a person would: by text. Those of
riichi (T4, T3, RG) are in ``test_worked_examples.py`` and ``test_settlement.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from paifu.calculator.hand_scores import HandScore, score
from paifu.errors import HandError
from paifu.rules import rulesets
from paifu.rules.fan.game import Game


class Example(NamedTuple):
    """One example: the hand, the rules, and the result."""

    id: str
    rules: str
    hand: str
    win: str | None
    facts: dict[str, Any]
    fan: dict[str, int] | None
    """By the game's own names; None if the example does not give them."""
    payments: list[int]
    """Changes of the winner, of the discarder or next seat, and of the others."""


def example(
    id: str, rules: str, hand: str, win: str | None = None, *, fan: dict[str, int] | None = None,
    pays: list[int], options: dict[str, Any] | None = None, **facts: Any,
) -> Any:  # fmt: skip
    facts |= {"options": options or {}}
    return pytest.param(Example(id, rules, hand, win, facts, fan, pays), id=id)


_PUNGS = "pon:444p pon:999s pon:777s"

EXAMPLES = [
    example("M-1", "mcr", "34p77z chi:123p pon:444s chi:789m", "2p", fan={"无番和": 8},
            pays=[32, -16, -8, -8]),
    example("M-2", "mcr", "456s23m345p55m chi:123s", "4m",
            fan={"三色三步高": 6, "平和": 2, "连六": 1}, pays=[33, -17, -8, -8]),
    example("M-3", "mcr", "123456789m34p99s", "2p", tsumo=True,
            fan={"清龙": 16, "不求人": 4, "平和": 2}, pays=[90, -30, -30, -30]),
    example("M-4 discard", "mcr", "33m22s77p1144z55z7z", "7z", fan={"七对": 24, "五门齐": 6},
            pays=[54, -38, -8, -8]),
    example("M-4 self-draw", "mcr", "33m22s77p1144z55z7z", "7z", tsumo=True,
            fan={"七对": 24, "五门齐": 6, "自摸": 1}, pays=[117, -39, -39, -39]),
    example("M-5", "mcr", "147m258s369p2567z", "4z", fan={"全不靠": 12, "组合龙": 12},
            pays=[48, -32, -8, -8]),
    example("M-6", "mcr", "567m67m99m15f pon:777z chi:123m", "8m",
            fan={"混一色": 6, "箭刻": 2, "花牌": 2}, pays=[34, -18, -8, -8]),
    example("QN-1", "qq-no-fan", "123m456p789s22m34s", "2s", tsumo=True,
            pays=[30, -10, -10, -10]),
    example("QN-2", "qq-no-fan", "123m456p789s22m34s", "2s", pays=[10, -10, 0, 0]),
    example("QP-1", "qq-popular", "22s11z pon:444m pon:666p pon:888s", "2s", fan={"碰碰和": 6},
            pays=[6, -6, 0, 0]),
    example("QP-2", "qq-popular", "22s11z pon:444m pon:666p pon:888s", "2s", tsumo=True,
            fan={"碰碰和": 6, "自摸": 1}, pays=[21, -7, -7, -7]),
    example("GD-1", "guangdong-jph", "123m456p789s22m77p", "7p", tsumo=True, fan={"自摸": 1},
            pays=[6, -2, -2, -2]),
    example("GD-2", "guangdong-jph", "99s33m pon:555z pon:111m pon:444p", "3m",
            fan={"碰碰和": 2, "箭刻": 1}, pays=[8, -8, 0, 0]),
    example("GD-2 capped", "guangdong-jph", "99s33m pon:555z pon:222z pon:444p", "3m",
            seat="south", fan={"碰碰和": 2, "门风刻": 1, "箭刻": 1}, pays=[8, -8, 0, 0]),
    example("GD-3", "guangdong-jph", "123345567789m1m", "1m", tsumo=True, fan={"清一色": 4},
            pays=[48, -16, -16, -16]),
    example("GD-4", "guangdong-jph", "123m456p999s22m78p", "9p", chankan=True, fan={},
            pays=[24, -24, 0, 0]),
    example("GD-5", "guangdong-jph", f"3m pon:111m {_PUNGS}", "3m", tsumo=True,
            liable="south", fan={"碰碰和": 2, "自摸": 1}, pays=[24, -24, 0, 0]),
    example("CS-1", "changsha", "5555p123m1379s46m", dealt=True, options={"small_self_drawn": 2},
            fan={"四喜": 1}, pays=[6, -2, -2, -2]),
    example("CS-2", "changsha", "123m456p789p333s5p", "5p", options={"small_discard": 1},
            fan={"平和": 0}, pays=[1, -1, 0, 0]),
    example("CS-3", "changsha", "77s33p pon:111m pon:444p pon:999s", "7s",
            options={"big_discard": 6}, fan={"碰碰和": 1}, pays=[6, -6, 0, 0]),
    example("CS-4", "changsha", "77s33p pon:111m pon:444p pon:999s", "7s", tsumo=True, bird="7m",
            options={"big_self_drawn": 6}, fan={"碰碰和": 1}, pays=[24, -6, -12, -6]),
    example("CD-1", "chengdu", "7733m kan:1111m pon:444m pon:999m", "3m", options={"base": 1},
            fan={"清一色": 2, "对对和": 1, "杠或四归一": 1}, pays=[16, -16, 0, 0]),
    example("CD-2", "chengdu", "1111223344556m", "6m", options={"base": 1},
            fan={"清一色": 2, "七对": 2, "杠或四归一": 1}, pays=[32, -32, 0, 0]),
    example("SC-1", "sichuan", "kan:1111m", loser="south", options={"kong_unit": 1},
            pays=[1, -1, 0, 0]),
    example("SC-2", "sichuan", "ankan:1111m", options={"kong_unit": 1}, pays=[6, -2, -2, -2]),
    example("SC-2 after a win", "sichuan", "ankan:1111m", options={"kong_unit": 1}, out="west",
            pays=[4, -2, 0, -2]),
    example("SC-3", "sichuan", "kakan:1111m", options={"kong_unit": 1}, pays=[3, -1, -1, -1]),
    example("QY-1", "qingyuan", "123456p78933s55z", "5z", tsumo=True,
            fan={"鸡糊": 3}, pays=[9, -3, -3, -3]),
    example("QY-2", "qingyuan", "123456p44p67p kan:9999p", "8p", tsumo=True, fed="south",
            fan={"清一色": 9}, pays=[30, -12, -9, -9]),
    example("QY-3", "qingyuan", "7733p ankan:1111p pon:444p pon:999p", "3p", tsumo=True,
            fan={"清一色全对": 12}, pays=[42, -14, -14, -14]),
    example("YZ-1", "yangzhou", "7733p pon:111p pon:444p pon:999p", "3p", options={"base": 1},
            fan={"清对对": 6}, pays=[6, -6, 0, 0]),
    example("YZ-2", "yangzhou", "7733p pon:111p pon:444p pon:555z", "3p", options={"base": 1},
            fan={"混对对": 4}, pays=[4, -4, 0, 0]),
    example("DT-1 discard", "datong", "123m456p789s22m34s", "2s", fan={}, pays=[40, -20, -10, -10]),
    example("DT-1 self-draw", "datong", "123m456p789s22m34s", "2s", tsumo=True, fan={},
            pays=[60, -20, -20, -20]),
    example("DT-3", "datong", "123345567789m1m", "1m", fan={"清一色": 1},
            pays=[80, -40, -20, -20]),
    example("DT-4", "datong", "123m456p789s22m34s", "2s", tsumo=True, dealer_wins=1, fan={},
            pays=[90, -30, -30, -30]),
    example("DT-4 the kong apart", "datong", "ankan:5555z", pays=[60, -20, -20, -20]),
    example("YK-1", "yingkou", "456p789s234s5p pon:111m", "5p", options={"base": 1}, fan={},
            pays=[1, -1, 0, 0]),
    example("YK-2", "yingkou", "456p567s789s7z chi:234m", "7z", options={"base": 1}, fan={},
            pays=[1, -1, 0, 0]),
    example("NC-1", "nanchang-jing", "德国大七杠吊",
            fan={"大七": 16, "德国": 0, "精吊": 0, "杠开": 0}, pays=[399, -133, -133, -133]),
    example("NC-2", "nanchang-jing", "德国七星放炮", fan={"七星": 16, "德国": 0},
            pays=[69, -37, -16, -16]),
    example("NC-3", "nanchang-jing", "七精冲关", fan={"冲关": 0}, pays=[84, -28, -28, -28]),
    example("KW-1", "kawuxing", "123m789m77z555z46s", "5s", options={"big": 8, "ordinary": 2},
            fan={"卡五": 1}, pays=[8, -8, 0]),
    example("KW-2", "kawuxing", "123m789m77z555z34s", "5s", options={"big": 8, "ordinary": 2},
            fan={}, pays=[2, -2, 0]),
]  # fmt: skip


def game(name: str, options: dict[str, Any]) -> Game:
    found = rulesets.get_any(name)
    assert isinstance(found, Game)
    return found.with_options(options)


def scored(given: Example) -> HandScore:
    facts = dict(given.facts)
    rules = game(given.rules, facts.pop("options"))
    return score(given.hand, given.win, rules=rules, **facts)


@pytest.mark.parametrize("given", EXAMPLES)
def test_example(given: Example) -> None:
    found = scored(given)
    seats = list(found.payments.values())
    first = list(found.payments).index(given.facts.get("seat", "east"))
    assert seats[first:] + seats[:first] == given.payments
    assert sum(seats) == 0
    if given.fan is not None:
        names = {fan.key: fan.name for fan in game(given.rules, {}).every_fan}
        assert {names[key]: points for key, points in found.yaku.items()} == given.fan


@pytest.mark.parametrize(
    ("rules", "options", "hand", "win", "facts", "says"),
    [
        pytest.param("mcr", {}, "567m67m33z15f chi:123m pon:444m", "8m", {"seat": "south"},
                     "needs at least 8 points, flowers not counted", id="M-7"),
        pytest.param("mcr", {"minimum": 12}, "567m67m33z15f chi:123m pon:444m", "8m",
                     {"seat": "south"}, "needs at least 12 points", id="M-7 with another minimum"),
        pytest.param("changsha", {}, "123m456p789p333s4p", "4p", {}, "pair of 2, 5 or 8",
                     id="CS-2 pair of fours"),
        pytest.param("chengdu", {}, "123m456p789s22m34s", "2s", {}, "lacks one suit", id="CD-3"),
        pytest.param("qingyuan", {}, "123456p78933s55z", "5z", {}, "only a self-drawn hand wins",
                     id="QY-1 discard"),
        pytest.param("yingkou", {}, "456p789s234s8p pon:111m", "8p", {}, "a pair other than 2 or 8",
                     id="YK-1 pair of eights"),
        pytest.param("yingkou", {}, "234m456p567s789s7z", "7z", {}, "a chi or pung",
                     id="YK-2 closed"),
        pytest.param("fushun-3p", {}, "123p456p789p99m11z", "1z", {}, "no amount for tile_set",
                     id="FS-1"),
    ],
)  # fmt: skip
def test_what_may_not_win(
    rules: str, options: dict[str, Any], hand: str, win: str, facts: dict[str, Any], says: str
) -> None:
    with pytest.raises(HandError, match=says):
        score(hand, win, rules=game(rules, options), **facts)


# --- the forty entries of the Nanchang table, as printed: each seat, or discarder and others

NANCHANG = """
屁胡自摸 4
德国放炮 13 4
精吊 8
德国自摸 13
德国精吊 21
杠开 8
德国杠开 21
杠吊 16
德国杠吊 37
七对自摸 8
七对精吊 16
十三烂放炮 8 4
德国十三烂放炮 21 8
七星放炮 16 8
德国七星放炮 37 16
大七放炮 16 8
德国大七放炮 37 16
大七精吊 32
德国大七杠吊 133
德国天胡 69
地胡精吊 64
五精冲关 10
七精冲关 28
九精冲关 54
七对放炮 8 4
德国七对自摸 21
德国七对精吊 37
十三烂自摸 8
德国十三烂自摸 21
七星自摸 16
德国七星自摸 37
大七自摸 16
德国大七自摸 37
大七杠吊 64
天地胡 32
德国地胡 69
德国地胡精吊 133
六精冲关 18
八精冲关 40
十精冲关 70
"""
ENTRIES = [tuple(line.split()) for line in NANCHANG.split("\n") if line]


def test_the_table_of_nanchang_has_forty_entries() -> None:
    assert len(set(ENTRIES)) == 40


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[0])
def test_nanchang_entry(entry: tuple[str, ...]) -> None:
    name, *amounts = entry
    paid = [int(amount) for amount in amounts]
    fed = {} if len(paid) == 1 else {"loser": "north"}  # one amount: drawn, and paid by everyone
    found = score(name, rules="nanchang-jing", seat="west", **fed)
    owed = paid * 3 if len(paid) == 1 else [paid[1], paid[1], paid[0]]
    assert [-found.payments[wind] for wind in ("east", "south", "north")] == owed
    assert found.payments["west"] == found.points == sum(owed)


def test_nanchang_beside_the_table() -> None:
    assert score("杠精", rules="nanchang-jing").points == 3 * 14
    assert score("庄起手杠", rules="nanchang-jing").points == 3 * 7
    with pytest.raises(HandError, match="are the dealer's"):
        score("庄起手杠", rules="nanchang-jing", seat="south")
    assert score("精霸五精冲关", rules="nanchang-jing").points == 3 * 20
    # not printed, derived: 屁胡 on a discard
    assert list(score("屁胡放炮", rules="nanchang-jing").payments.values()) == [8, -4, -2, -2]
    # if a name does not say how the hand was won, the other facts decide
    drawn = score("大七", rules="nanchang-jing", tsumo=True)
    assert drawn.payments == score("大七自摸", rules="nanchang-jing").payments
    fed = score("大七", rules="nanchang-jing")
    assert fed.payments == score("大七放炮", rules="nanchang-jing").payments


@pytest.mark.parametrize(
    ("hand", "facts", "says"),
    [
        ("抢杠", {}, "no amount for robbed_kong"),
        ("庄起手放杠", {}, "no amount for .*dealt_kong_fed"),
        ("清一色", {}, "no hand '清一色'. Its source pays hands by their names"),
        ("123m456p789s1122z", {}, "does not say which tiles they are: name one of"),
        ("大七精吊放炮", {}, "no hand"),
        ("天胡放炮", {}, "no hand"),
        ("四精冲关", {}, "no hand"),
        ("", {}, "no hand ''"),
        ("德国放炮", {"tsumo": True}, "disagree about how it was won"),
    ],
)
def test_what_the_table_of_nanchang_does_not_have(
    hand: str, facts: dict[str, Any], says: str
) -> None:
    with pytest.raises(HandError, match=says):
        score(hand, rules="nanchang-jing", **facts)


def test_what_the_source_of_nanchang_does_not_say_may_be_given() -> None:
    rules = game("nanchang-jing", {"robbed_kong": 32, "dealt_kong_fed": 15})
    assert list(score("抢杠", rules=rules).payments.values()) == [32, -32, 0, 0]
    assert score("庄起手放杠", rules=rules, loser="north").payments["north"] == -15
