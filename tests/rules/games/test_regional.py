"""The regional games: every worked example of their sources, and the points left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paifu.calculator.hand_scores import score as score_hand
from paifu.errors import HandError, RuleError
from paifu.game.tiles import CODE, parse_tiles
from paifu.rules import rulesets
from paifu.rules.engine import score
from paifu.rules.fan.choices import Choice
from paifu.rules.fan.features import EVERY_KIND, discarder_alone
from paifu.rules.fan.game import Fan, Game
from paifu.rules.games import all_games
from paifu.rules.games.changsha import bird_seat
from paifu.rules.games.mentioned import MENTIONED
from paifu.rules.games.yingkou import wild_of
from paifu.rules.hands.features import has
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shapes import ANKAN, CHI, DAIMINKAN, KAKAN, PON
from paifu.rules.riichi.presets import CALLED
from paifu.schema.yaku import YAKU_INDEX

MELDS = {"chi": CHI, "pung": PON, "kong": DAIMINKAN, "added": KAKAN, "concealed": ANKAN}
A, B, C, D = range(4)
"""Seat A wins in every example; B discards."""


def hand(
    tiles: str, tile: str, melds: Sequence[tuple[str, str]] = (), players: int = 4, **facts: Any
) -> Hands:
    """Return one hand of seat 0, which is dealer unless ``dealer`` is given; B discards."""
    hands = Hands.blank(1)
    np.add.at(hands.concealed[0], parse_tiles(tiles + tile), 1)
    for at, (word, text) in enumerate(melds):
        hands.meld_kind[0, at], hands.meld_tile[0, at] = MELDS[word], min(parse_tiles(text))
    facts = {"loser": -1 if facts.get("tsumo") else B, **facts}
    facts["seat_wind"] = (0 - facts.get("dealer", 0)) % players
    hands.win_tile[0], hands.players[0] = parse_tiles(tile)[0], players
    for name, value in facts.items():
        getattr(hands, name)[0] = value
    return hands


def game(name: str, **options: Any) -> Game:
    found = rulesets.get_any(name)
    assert isinstance(found, Game)
    return found.with_options(options)


def outcome(hands: Hands, rules: Game) -> dict[str, Any]:
    found = score(hands, rules)
    row = found.wins.row(0, named=True)
    row["fan"] = dict(zip(found.yaku["yaku"], found.yaku["han"], strict=True))
    row["deltas"] = [row[f"delta_{seat}"] for seat in range(rules.players)]
    return row


PLAIN = ("123m456p789s22m34s", "2s")

# --- QQ


def test_qq_no_fan() -> None:
    rules = game("qq-no-fan")
    assert outcome(hand(*PLAIN, tsumo=True), rules)["deltas"] == [30, -10, -10, -10]
    assert outcome(hand(*PLAIN), rules)["deltas"] == [10, -10, 0, 0]
    pairs = hand("1122m3344p5566s7z", "7z")
    assert outcome(pairs, rules)["status"] == "not_complete"
    assert outcome(pairs, game("qq-no-fan", special_shapes=True))["status"] == "ok"


def test_qq_popular() -> None:
    rules = game("qq-popular")
    pungs = hand("66s33p", "3p", [("pung", "111m"), ("pung", "444m"), ("pung", "999s")])
    found = outcome(pungs, rules)
    assert found["fan"]["all_pungs"] == 6
    points = sum(found["fan"].values())
    assert found["deltas"] == [points, -points, 0, 0]
    pungs.tsumo[0], pungs.loser[0] = True, -1
    drawn = outcome(pungs, rules)
    assert drawn["deltas"] == [3 * (points + 1), *[-(points + 1)] * 3]


def test_qq_popular_needs_the_points_of_its_two_fan() -> None:
    eight = hand("123m456m678p345s8s", "8s")
    missing = outcome(eight, game("qq-popular"))
    assert missing["status"] == "unpriced"
    assert "pair_258_points" in missing["reason"]
    assert missing["deltas"] == [None] * 4
    priced = outcome(eight, game("qq-popular", pair_258_points=2))
    plain = outcome(hand("123m456m678p345s9s", "9s"), game("qq-popular"))
    assert priced["points"] == plain["points"] + 2


def test_qq_guobiao_is_chinese_official() -> None:
    mcr = outcome(hand("123456789m34p99s", "2p", tsumo=True), game("mcr"))
    assert outcome(hand("123456789m34p99s", "2p", tsumo=True), game("qq-guobiao")) == mcr
    assert mcr["deltas"] == [90, -30, -30, -30]


# --- Guangdong


def test_guangdong() -> None:
    rules = game("guangdong-jph")
    chicken = ("123m456p789s22m77p", "7p")
    assert outcome(hand(*chicken, tsumo=True), rules)["deltas"] == [6, -2, -2, -2]
    dragon = [("pung", "555z"), ("pung", "111m"), ("pung", "444p")]
    assert outcome(hand("99s33m", "3m", dragon), rules)["deltas"] == [8, -8, 0, 0]
    capped = [("pung", "555z"), ("pung", "111z"), ("pung", "444p")]
    assert outcome(hand("99s33m", "3m", capped), rules)["deltas"] == [8, -8, 0, 0]
    flush = hand("123345567789m1m", "1m", tsumo=True)
    assert outcome(flush, rules)["deltas"] == [48, -16, -16, -16]
    assert outcome(flush, rules)["fan"] == {"full_flush": 4}
    robbed = outcome(hand("123m456p789s22m78p", "9p", chankan=True), rules)
    assert robbed["deltas"] == [24, -24, 0, 0]


def test_guangdong_liability() -> None:
    melds = [("pung", "111m"), ("pung", "444p"), ("pung", "999s"), ("pung", "777s")]
    found = outcome(hand("3m", "3m", melds, tsumo=True, liable=C), game("guangdong-jph"))
    assert found["deltas"] == [24, 0, -24, 0]  # 碰碰和 自摸: already three fan


@pytest.mark.parametrize(
    ("tiles", "tile", "melds", "value"),
    [
        ("1177z", "7z", [("pung", "222z"), ("pung", "333z"), ("pung", "444z")], 64),  # 字一色
        ("11199m", "9m", [("pung", "111p"), ("pung", "999p"), ("pung", "111s")], 64),  # 清幺九
        ("19m19p19s1234567z", "1m", [], 64),
        ("1112345678999m", "5m", [], 64),
        ("22233m", "3m", [("pung", "444m"), ("pung", "666m"), ("pung", "888m")], 32),  # 清碰
        ("22233m", "3m", [("pung", "444m"), ("pung", "666m"), ("pung", "111z")], 16),  # 混碰
    ],
)
def test_guangdong_outside_hands(
    tiles: str, tile: str, melds: list[tuple[str, str]], value: int
) -> None:
    row = outcome(hand(_short(tiles, melds), tile, melds), game("guangdong-jph"))
    assert row["points"] == value


def _short(tiles: str, melds: Sequence[tuple[str, str]]) -> str:
    """Drop tiles from the front until only the winning tile is missing."""
    codes = parse_tiles(tiles)
    need = 13 - 3 * len(melds)
    return "".join(f"{c % 9 + 1}{'mpsz'[c // 9]}" for c in codes[len(codes) - need :])


def test_guangdong_choices() -> None:
    plain = hand("123m456p789s22m77p", "7p")
    assert outcome(plain, game("guangdong-jph"))["deltas"] == [1, -1, 0, 0]
    assert outcome(plain, game("guangdong-jph", discarder_pays="all"))["deltas"] == [3, -3, 0, 0]
    assert outcome(plain, game("guangdong-jph", discarder_pays="own"))["deltas"] == [3, -1, -1, -1]
    plain.first_turn[0], plain.dealer[0], plain.seat_wind[0] = True, B, 3  # 地和 on B's discard
    assert outcome(plain, game("guangdong-jph"))["status"] == "unpriced"
    assert outcome(plain, game("guangdong-jph", blessing=64))["points"] == 64


# --- Changsha


def test_changsha_pairs_and_big_hands() -> None:
    rules = game("changsha", small_discard=1, big_discard=6)
    assert outcome(hand("123m456p789p333s5p", "5p"), rules)["points"] == 1
    assert outcome(hand("123m456p789p333s4p", "4p"), rules)["status"] == "no_yaku"
    pungs = [("pung", "111m"), ("pung", "444p"), ("pung", "999s")]
    big = outcome(hand("77s33p", "7s", pungs), rules)
    assert big["fan"] == {"all_pungs": 1}
    assert big["points"] == 6
    all_258 = outcome(hand("2258m2558p22588s", "8p"), rules)
    assert all_258["fan"] == {"all_258": 1}
    strict = game("changsha", all_258_needs_sets=True)
    assert outcome(hand("2258m2558p22588s", "8p"), strict)["status"] == "not_complete"


def test_changsha_has_no_amounts_of_its_own() -> None:
    row = outcome(hand("123m456p789p333s5p", "5p"), game("changsha"))
    assert row["status"] == "unpriced"
    assert "small_discard" in row["reason"]
    assert row["fan"] == {"small_win": 0}


def test_changsha_bird() -> None:
    assert bird_seat(CODE["7m"], 0) == 2
    assert [bird_seat(CODE[f"{number}s"], 1) for number in range(1, 6)] == [1, 2, 3, 0, 1]


# --- Chengdu and Sichuan


def test_chengdu() -> None:
    rules = game("chengdu", base=1)
    kong = [("kong", "1111m"), ("pung", "444m"), ("pung", "999m")]
    pungs = outcome(hand("7733m", "3m", kong), rules)
    assert pungs["fan"] == {"full_flush": 2, "all_pungs": 1, "four_of_a_kind": 1}
    assert pungs["deltas"] == [16, -16, 0, 0]
    pairs = outcome(hand("1111223344556m", "6m"), rules)
    assert pairs["fan"] == {"full_flush": 2, "seven_pairs": 2, "four_of_a_kind": 1}
    assert outcome(hand("123m456p789s22m34s", "2s"), rules)["status"] == "no_yaku"
    assert outcome(hand("123m456m789s22m34s", "2s"), game("chengdu"))["status"] == "unpriced"


# --- Qingyuan


def test_qingyuan() -> None:
    rules = game("qingyuan")
    assert outcome(hand("123p456p789s22p34s", "2s", tsumo=True), rules)["deltas"] == [9, -3, -3, -3]
    assert outcome(hand("123p456p789s22p34s", "2s"), rules)["status"] == "no_yaku"
    fed = hand("123456p44p67p", "8p", [("kong", "9999p")], tsumo=True)
    fed.meld_from[0, 0] = B
    assert outcome(fed, rules)["deltas"] == [30, -12, -9, -9]
    pungs = [("concealed", "1111p"), ("pung", "444p"), ("pung", "999p")]
    assert outcome(hand("7733p", "3p", pungs, tsumo=True), rules)["deltas"] == [42, -14, -14, -14]


def test_qingyuan_has_no_manzu() -> None:
    row = outcome(hand("123m456p789s22p34s", "2s", tsumo=True), game("qingyuan"))
    assert (row["status"], row["reason"]) == ("impossible", "foreign_tiles")


# --- Yangzhou, Datong


def test_yangzhou() -> None:
    rules = game("yangzhou", base=1)
    pungs = [("pung", "111p"), ("pung", "444p"), ("pung", "999p")]
    assert outcome(hand("7733p", "3p", pungs), rules)["points"] == 6
    mixed = [("pung", "111p"), ("pung", "444p"), ("pung", "555z")]
    assert outcome(hand("7733p", "3p", mixed), rules)["points"] == 4
    assert outcome(hand("7733p", "3p", mixed), game("yangzhou"))["status"] == "unpriced"


def test_datong() -> None:
    rules = game("datong")
    plain = ("123m456p789s22m34s", "2s")
    dealt_by_b = {"dealer": B}
    assert outcome(hand(*plain, **dealt_by_b), rules)["deltas"] == [40, -20, -10, -10]
    assert outcome(hand(*plain, tsumo=True, **dealt_by_b), rules)["deltas"] == [60, -20, -20, -20]
    flush = hand("123345567789m1m", "1m", **dealt_by_b)
    assert outcome(flush, rules)["deltas"] == [80, -40, -20, -20]
    streak = hand(*plain, tsumo=True, dealer_wins=1)
    assert outcome(streak, rules)["deltas"] == [90, -30, -30, -30]


def test_datong_the_dealer_pays_his_streak_to_another_winner() -> None:
    row = outcome(hand(*PLAIN, tsumo=True, dealer=C, dealer_wins=2), game("datong"))
    assert row["deltas"] == [80, -20, -40, -20]


def test_datong_thirteen_orphans() -> None:
    orphans = ("19m19p19s1234567z", "1m")
    assert outcome(hand(*orphans), game("datong"))["points"] == 240
    assert outcome(hand(*orphans), game("datong", thirteen_orphans=64))["points"] == 2560


# --- Yingkou


def test_yingkou_conditions() -> None:
    rules = game("yingkou", base=1)
    pung = [("pung", "111m")]
    assert outcome(hand("456p789s234s5p", "5p", pung), rules)["status"] == "ok"
    assert outcome(hand("456p789s234s8p", "8p", pung), rules)["status"] == "no_yaku"
    chi = [("chi", "234m")]
    assert outcome(hand("456p567s789s7z", "7z", chi), rules)["status"] == "ok"
    assert outcome(hand("234m456p567s789s7z", "7z"), rules)["status"] == "no_yaku"
    assert outcome(hand("456p567p789p5p", "5p", pung), rules)["status"] == "no_yaku"  # two suits


def test_yingkou_wild_tiles() -> None:
    assert [wild_of(CODE[tile]) for tile in ("9m", "7z", "4z", "5z", "6z")] == [
        CODE[tile] for tile in ("1m", "6z", "1z", "7z", "5z")
    ]
    rules = game("yingkou", base=1)
    pung = [("pung", "111m")]
    wild = CODE["3p"]
    one_short = hand("456p79s3p234s5p", "5p", pung, wild=wild)  # 3p stands for 8s
    assert outcome(one_short, rules)["status"] == "ok"
    assert outcome(hand("456p79s3p234s5p", "5p", pung), rules)["status"] == "not_complete"
    borrowed = hand("456p789s234s3p", "3p", pung, wild=wild)  # 4p and a wild, a wild with 56p
    assert outcome(borrowed, rules)["status"] == "ok"
    melds = [("pung", "111m"), ("chi", "456p"), ("chi", "789s"), ("chi", "234s")]
    two_wilds = hand("3p", "3p", melds, wild=wild)
    assert outcome(two_wilds, rules)["status"] == "no_yaku"


def test_yingkou_a_wild_is_no_terminal() -> None:
    rules = game("yingkou", base=1)
    needs_terminal = hand("456p678s234s1m", "5p", [("pung", "333m")], wild=CODE["1m"])
    needs_terminal.concealed[0] = np.bincount(parse_tiles("456p678s234s1m5p"), minlength=34)
    assert outcome(needs_terminal, rules)["status"] == "no_yaku"


# --- three players


def test_kawuxing() -> None:
    rules = game("kawuxing")
    closed = outcome(hand("123m789m77z555z46s", "5s", players=3), rules)
    assert closed["fan"] == {"middle_five": 1}
    assert closed["status"] == "unpriced"
    edge = outcome(hand("123m789m77z555z34s", "5s", players=3), rules)
    assert edge["fan"] == {}
    priced = game("kawuxing", big=8, ordinary=2)
    assert outcome(hand("123m789m77z555z46s", "5s", players=3), priced)["deltas"] == [8, -8, 0]
    assert outcome(hand("123p789m77z555z46s", "5s", players=3), rules)["reason"] == "foreign_tiles"
    assert outcome(hand("456s99m77z555z", "7z", [("chi", "123m")], players=3), rules)["reason"] in (
        "foreign_chi", "sanma_chi",
    )  # fmt: skip


def test_fushun_is_not_guessed() -> None:
    nines = hand("123p456p789p99m11z", "1z", players=3)
    row = outcome(nines, game("fushun-3p"))
    assert row["status"] == "unpriced"
    assert "tile_set" in row["reason"]
    assert outcome(nines, game("fushun-3p", tile_set=116, base=1))["status"] == "ok"
    souzu = hand("123s456p789p99m11z", "1z", players=3)
    assert outcome(souzu, game("fushun-3p", tile_set=68, base=1))["reason"] == "foreign_tiles"


# --- all of them


def test_a_hand_without_a_price_is_refused_with_its_fan() -> None:
    pungs = "33p77s7s pon:111m pon:444p pon:999s"
    with pytest.raises(HandError, match=r"wins with all_pungs, but .*big_discard"):
        score_hand(pungs, "7s", rules="changsha")
    with pytest.raises(HandError, match="qingyuan has no 1m"):
        score_hand(pungs, "7s", rules="qingyuan")
    with pytest.raises(HandError, match="lacks one suit"):
        score_hand(pungs, "7s", rules="chengdu")
    found = score_hand(pungs, "7s", rules="datong", seat="south")
    assert found.reading == "111m 444p 999s 777s 33p"
    assert found.payments == {"east": -20, "south": 80, "west": -40, "north": -20}


def test_every_fan_is_in_the_vocabulary() -> None:
    for each in all_games().values():
        assert {fan.key for fan in each.fan} <= set(YAKU_INDEX), each.name


def test_games_are_found_by_name_and_mentioned_ones_refused() -> None:
    assert {
        "mcr",
        "guangdong-jph",
        "changsha",
        "chengdu",
        "sichuan",
        "qingyuan",
        "yangzhou",
    } <= set(rulesets.game_names())
    for name in MENTIONED:
        with pytest.raises(RuleError, match="cannot be scored"):
            rulesets.get_any(name)
    with pytest.raises(RuleError, match="did you mean 'chengdu'"):
        rulesets.get_any("chengde")


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("国标", "mcr"), ("國標麻將", "mcr"), ("Guobiao", "mcr"), ("长沙", "changsha"),
        ("四川麻将", "sichuan"), ("血战到底", "sichuan"), ("鸡平和", "guangdong-jph"),
        ("大同", "datong"), ("营口", "yingkou"), ("天鳳", "tenhou-4p"), ("雀魂", "majsoul-4p"),
        ("Mリーグ", "mleague"), ("m.league", "mleague"), ("Tenhou 3p", "tenhou-3p"),
        ("最高位戦", "saikouisen"), ("QQ 国标馆", "qq-guobiao"),
    ],
)  # fmt: skip
def test_rule_sets_answer_to_the_names_people_use(called: str, name: str) -> None:
    assert rulesets.get_any(called).name == name


@pytest.mark.parametrize(
    ("called", "name"),
    [("新章", "guangdong-xinzhang"), ("广东推倒和", "guangdong-tuidaohu"), ("台湾麻将", "taiwan"),
     ("雀龍門", "jan-ryumon"), ("Philippines", "philippine")],
)  # fmt: skip
def test_games_only_mentioned_are_refused_by_the_names_people_use(called: str, name: str) -> None:
    with pytest.raises(RuleError, match=f"{name} cannot be scored"):
        rulesets.get_any(called)


def test_no_two_games_are_called_the_same() -> None:
    names = [
        *((game.name, game.called) for game in all_games().values()),
        *CALLED.items(),
        *((name, mentioned.called) for name, mentioned in MENTIONED.items()),
    ]
    for name, called in names:
        for each in called:
            try:
                assert rulesets.get_any(each).name == name
            except RuleError as error:
                assert str(error).startswith(f"{name} cannot be scored"), each  # noqa: PT017


def test_options_are_checked() -> None:
    with pytest.raises(RuleError, match="no option 'capp'"):
        game("guangdong-jph", capp=4)
    with pytest.raises(RuleError, match="one of 'one', 'all', 'own'"):
        game("guangdong-jph", discarder_pays="none")
    with pytest.raises(RuleError, match="whole number"):
        game("guangdong-jph", cap="four")


@pytest.mark.parametrize(
    ("written", "missing"),
    [
        ('extends = "sichuan"\ncap = 3', "an amount base"),
        ('extends = "chengdu"\nkong_unit = 3', "kong_money = true"),
        ('extends = "sichuan"\nexposed_kong = 2', "an amount kong_unit"),
        ('extends = "yangzhou"\ndiscard_payers = "everyone"', "an amount base"),
        ('extends = "yingkou"\nfan_value = "add"', "an amount base"),
        ('extends = "yingkou"\nboth_raised = 1', "an amount base"),
        ('extends = "changsha"\nbig_stack = "each"\nsmall_discard = 1', "an amount big_self_drawn"),
        ('extends = "changsha"\ndealt_stack = "each"', "an amount small_self_drawn"),
        ('extends = "kawuxing"\nfives = "any"', 'removed_suit = "m" or "s"'),
        ('extends = "fushun-3p"\nbase = 2', "an amount tile_set"),
    ],
)
def test_an_option_without_effect_is_refused(tmp_path: Path, written: str, missing: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(f"{written}\n", encoding="utf-8")
    with pytest.raises(RuleError, match=f"changes nothing without {missing}"):
        rulesets.load_any(file)


def test_a_game_of_the_user_in_toml(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('extends = "changsha"\nsmall_discard = 2\n', encoding="utf-8")
    ours = rulesets.load_any(file)
    assert isinstance(ours, Game)
    assert ours.name == "ours"
    assert ours.hash != game("changsha").hash
    assert outcome(hand("123m456p789p333s5p", "5p"), ours)["points"] == 2
    file.write_text('extends = "changsha"\nsmall = 2\n', encoding="utf-8")
    with pytest.raises(RuleError, match="no option 'small'"):
        rulesets.load_any(file)


def test_a_fan_cannot_strike_one_that_stands_before_it() -> None:
    small = Fan("all_chows", "平和", 1, has("run_count") == 4)
    big = Fan("all_pungs", "碰碰和", 2, has("triplet_count") == 4, ("all_chows",))
    base = Game(
        name="x", title="", doc="", kinds=EVERY_KIND, fan=(big, small), payments=discarder_alone,
        choices=(Choice("cap", 3, ""),),
    )  # fmt: skip
    assert base.options["cap"] == 3
    with pytest.raises(ValueError, match="stands before it"):
        replace(base, fan=(small, big))
