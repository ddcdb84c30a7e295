"""The local yaku (地方役): known widely, counted only where a rule set allows them.

All are off in every preset, except renhou, which is a mangan under WRC and EMA. A rule set may give
them another value. Where a yaku has variants with another condition, the variant is an option of
the rule set.
"""

from __future__ import annotations

from itertools import permutations

import polars as pl

from paifu.game.tiles import EAST, GREEN, NORTH, RED
from paifu.rules.hands.features import (
    STRAIGHT,
    all_of,
    has,
    is_dealer,
    no_numbers,
    only,
    pair,
    ron,
    runs,
    seven_pairs,
    straight_of_a_suit,
    suits,
    triplets,
)
from paifu.rules.hands.shapes import FIRST_SPECIAL, MANZU, kinds
from paifu.rules.riichi.rule import Rule
from paifu.rules.riichi.ruleset import YAKUMAN, RuleSet
from paifu.rules.riichi.standard_yaku import GREENS

_ROUNDS_BEFORE = 7
"""How many rounds in a row come before the round whose win is paarenchan."""
PEACOCK = kinds([18, 22, 24, 26, RED])
"""1s 5s 7s 9s and the red dragon."""
WHEEL_PINZU = kinds(range(10, 17))
WHEELS = [kinds(range(first, first + 7)) for first in (1, 10, 19)]
"""2 to 8 of a suit."""


def _consecutive(suit: str, length: int) -> pl.Expr:
    """Return whether the hand has ``length`` triplets of a suit with consecutive numbers."""
    steps = triplets(suit)
    for step in range(1, length):
        steps = steps & (triplets(suit) // (1 << step))
    return steps != 0


def _straight_over_suits() -> pl.Expr:
    first, second, third = 0b1, 0b1000, 0b1000000
    return pl.any_horizontal(
        all_of(runs(a), first) & all_of(runs(b), second) & all_of(runs(c), third)
        for a, b, c in permutations("mps")
    )


def _wheels(rules: RuleSet) -> pl.Expr:
    tiles = has("tiles")
    return seven_pairs & (
        tiles == WHEEL_PINZU if rules.daisharin_suits == "pinzu" else tiles.is_in(WHEELS)
    )


def _north_east_express(rules: RuleSet) -> pl.Expr:
    east_and_north = ((triplets("z") & 0b0001 != 0) & (pair == NORTH)) | (
        (triplets("z") & 0b1000 != 0) & (pair == EAST)
    )
    straight = all_of(runs("s"), STRAIGHT) if rules.touhoku_souzu else straight_of_a_suit
    return straight & east_and_north


def _million_stones(rules: RuleSet) -> pl.Expr:
    total = has("manzu_sum")
    return (suits == MANZU) & (total >= 100 if rules.hyakumangoku == "at_least" else total > 100)


def _eighth_in_a_row(rules: RuleSet) -> pl.Expr:
    before = has("dealer_wins")
    if rules.paarenchan == "dealt":  # a seat that won as dealer also dealt that round
        before = pl.max_horizontal(before, has("dealer_rounds"))
    return is_dealer & (before >= _ROUNDS_BEFORE)


LOCAL: tuple[Rule, ...] = (
    Rule("open_riichi", 2, 0, has("open_riichi"), ("riichi",), closed_only=True),
    Rule(
        "open_double_riichi", 3, 0, has("open_riichi") & has("double_riichi"),
        ("riichi", "open_riichi", "double_riichi"), closed_only=True,
    ),
    Rule("sanshoku_tsuukan", 2, 1, _straight_over_suits()),
    Rule("isshoku_sanjun", 2, 2, has("run_copies") >= 3, ("iipeikou",)),
    Rule("sanrenkou", 2, 2, pl.any_horizontal(_consecutive(suit, 3) for suit in "mps")),
    Rule("renhou", YAKUMAN, 0, has("first_turn") & ron & ~is_dealer, closed_only=True),
    Rule(
        "shiisanpuutaa", YAKUMAN, 0, has("form") == FIRST_SPECIAL, ("menzen_tsumo",),
        closed_only=True,
    ),
    Rule("daichisei", 2 * YAKUMAN, 0, seven_pairs & no_numbers, closed_only=True),
    Rule("daisharin", YAKUMAN, 0, _wheels, closed_only=True),
    Rule("touhoku_shinkansen", YAKUMAN, YAKUMAN, _north_east_express),
    Rule("hyakumangoku", YAKUMAN, YAKUMAN, _million_stones),
    Rule(
        "junsei_hyakumangoku", 2 * YAKUMAN, 2 * YAKUMAN,
        (suits == MANZU) & (has("manzu_sum") == 100), ("hyakumangoku",),
    ),
    Rule("isshoku_yonjun", YAKUMAN, YAKUMAN, has("run_copies") == 4),
    Rule("suurenkou", YAKUMAN, YAKUMAN, pl.any_horizontal(_consecutive(suit, 4) for suit in "mps")),
    Rule("beni_kujaku", YAKUMAN, YAKUMAN, (has("triplet_count") == 4) & only(PEACOCK)),
    Rule("paarenchan", YAKUMAN, YAKUMAN, _eighth_in_a_row),
    Rule(
        "junsei_ryuuiisou", 2 * YAKUMAN, 2 * YAKUMAN, only(GREENS & ~kinds([GREEN])), ("ryuuiisou",)
    ),
)  # fmt: skip
"""The local yaku, in the order they are listed in."""
