"""The rule book: the yaku that every rule set knows, a few lines for each.

``Rule(key, closed han, open han, condition, yaku it counts instead of)``. Options of the rule set
that change a condition stand where they change it. Sources: Tenhou's yaku table and the general
descriptions of riichi; the local yaku are in :mod:`paifu.rules.riichi.local_yaku`.
"""

from __future__ import annotations

import polars as pl

from paifu.game.tiles import GREEN
from paifu.rules.hands.features import (
    DRAGON_BITS,
    TERMINALS,
    WIND_BITS,
    YAOCHUU,
    closed,
    dragon_pair,
    dragons_in_triplets,
    has,
    has_honours,
    is_dealer,
    no_honours,
    no_numbers,
    one_number_suit,
    only,
    regular_or_pairs,
    ron,
    runs,
    seven_pairs,
    straight_of_a_suit,
    suits,
    triplets,
    tsumo,
    value_pair,
    value_wind,
    wind_pair,
    winds_in_triplets,
)
from paifu.rules.hands.shapes import (
    MANZU,
    ORPHANS_13,
    PINZU,
    RYANMEN,
    SOUZU,
    TANKI,
    THIRTEEN_ORPHANS,
    kinds,
)
from paifu.rules.riichi.rule import Rule
from paifu.rules.riichi.ruleset import YAKUMAN, RuleSet

GREENS = kinds([19, 20, 21, 23, 25, GREEN])
"""2s 3s 4s 6s 8s and the green dragon."""


def _rinshan(rules: RuleSet) -> pl.Expr:
    if rules.rinshan_after_kita:
        return has("rinshan")
    return has("rinshan") & ~has("after_kita") & (has("kan_count") > 0)


def _haitei(rules: RuleSet) -> pl.Expr:
    return has("haitei") if rules.haitei_with_rinshan else has("haitei") & ~_rinshan(rules)


def _houtei(rules: RuleSet) -> pl.Expr:
    return has("houtei") if rules.houtei_after_rinshan else has("houtei") & ~has("after_rinshan")


def _ippatsu(rules: RuleSet) -> pl.Expr:
    ippatsu = has("ippatsu") & ~has("rinshan")
    return ippatsu if rules.ippatsu_with_chankan else ippatsu & ~has("chankan")


def _pinfu(rules: RuleSet) -> pl.Expr:
    pinfu = closed & (has("run_count") == 4) & (has("wait") == RYANMEN) & ~value_pair
    return pinfu if rules.pinfu_tsumo else pinfu & ron


def _tanyao(rules: RuleSet) -> pl.Expr:
    simples = (has("tiles") & YAOCHUU) == 0
    if rules.kuitan == "on":
        return simples
    return simples & (closed if rules.kuitan == "off" else closed | has("kuitan"))


def _ryanpeikou(rules: RuleSet) -> pl.Expr:
    twice = closed & (has("run_pairs") == 2)
    return twice & (has("run_copies") < 4) if rules.ryanpeikou_distinct else twice


def _ryuuiisou(rules: RuleSet) -> pl.Expr:
    green = only(GREENS)
    return green & ((has("tiles") & kinds([GREEN])) != 0) if rules.ryuuiisou_hatsu else green


def _nine_gates(kind: int, rules: RuleSet) -> pl.Expr:
    gates = has("nine_gates") >= kind
    if kind == 2:
        gates = _by_wait(gates, rules)
    return gates & (suits == MANZU) if rules.chuuren_manzu else gates


def _by_wait(hand: pl.Expr, rules: RuleSet) -> pl.Expr:
    """Return the condition of a yaku that depends on the wait, where the wait is known."""
    return hand if rules.tenhou_shows_wait else hand & ~(has("first_turn") & tsumo & is_dealer)


def _suuankou_tanki(rules: RuleSet) -> pl.Expr:
    return _by_wait((has("concealed_triplet_count") == 4) & (has("wait") == TANKI), rules)


def _kokushi_13(rules: RuleSet) -> pl.Expr:
    return _by_wait(has("wait") == ORPHANS_13, rules)


ORDINARY: tuple[Rule, ...] = (
    # --- circumstances
    Rule("menzen_tsumo", 1, 0, closed & tsumo, closed_only=True),
    Rule("riichi", 1, 0, has("riichi"), closed_only=True),
    Rule("double_riichi", 2, 0, has("double_riichi"), ("riichi",), closed_only=True),
    Rule("ippatsu", 1, 0, _ippatsu, closed_only=True),
    Rule("chankan", 1, 1, has("chankan")),
    Rule("rinshan", 1, 1, _rinshan),
    Rule("haitei", 1, 1, _haitei),
    Rule("houtei", 1, 1, _houtei),
    # --- runs
    Rule("pinfu", 1, 0, _pinfu, closed_only=True),
    Rule("iipeikou", 1, 0, closed & (has("run_pairs") >= 1), closed_only=True),
    Rule("ryanpeikou", 3, 0, _ryanpeikou, ("iipeikou", "isshoku_sanjun"), closed_only=True),
    Rule("ittsuu", 2, 1, straight_of_a_suit),
    Rule("sanshoku_doujun", 2, 1, (runs("m") & runs("p") & runs("s")) != 0),
    # --- triplets and kans
    Rule("toitoi", 2, 2, has("triplet_count") == 4),
    Rule("sanankou", 2, 2, has("concealed_triplet_count") >= 3),
    Rule("sankantsu", 2, 2, has("kan_count") >= 3),
    Rule("sanshoku_doukou", 2, 2, (triplets("m") & triplets("p") & triplets("s")) != 0),
    # --- value tiles
    Rule("seat_east", 1, 1, value_wind("seat", 0)),
    Rule("seat_south", 1, 1, value_wind("seat", 1)),
    Rule("seat_west", 1, 1, value_wind("seat", 2)),
    Rule("seat_north", 1, 1, value_wind("seat", 3)),
    Rule("round_east", 1, 1, value_wind("round", 0)),
    Rule("round_south", 1, 1, value_wind("round", 1)),
    Rule("round_west", 1, 1, value_wind("round", 2)),
    Rule("round_north", 1, 1, value_wind("round", 3)),
    Rule("haku", 1, 1, (triplets("z") & 0b0010000) != 0),
    Rule("hatsu", 1, 1, (triplets("z") & 0b0100000) != 0),
    Rule("chun", 1, 1, (triplets("z") & 0b1000000) != 0),
    Rule(
        "shousangen", 2, 2,
        dragon_pair & dragons_in_triplets.is_in([0b0110000, 0b1010000, 0b1100000]),
    ),
    # --- what tiles the hand is made of
    Rule("tanyao", 1, 1, _tanyao),
    Rule(
        "chanta", 2, 1, (has("outside_count") == 5) & (has("run_count") > 0) & has_honours
    ),
    Rule(
        "junchan", 3, 2, (has("outside_count") == 5) & (has("run_count") > 0) & no_honours
    ),
    Rule("honroutou", 2, 2, only(YAOCHUU) & regular_or_pairs),
    Rule("honitsu", 3, 2, one_number_suit & has_honours),
    Rule("chinitsu", 6, 5, suits.is_in([MANZU, PINZU, SOUZU])),
    Rule("chiitoitsu", 2, 0, seven_pairs, closed_only=True),
)  # fmt: skip
"""The yaku that are not yakuman, in the order they are listed in."""

LIMIT_HANDS: tuple[Rule, ...] = (
    Rule("tenhou", YAKUMAN, 0, has("first_turn") & tsumo & is_dealer, closed_only=True),
    Rule("chihou", YAKUMAN, 0, has("first_turn") & tsumo & ~is_dealer, closed_only=True),
    Rule("kokushi", YAKUMAN, 0, has("form") == THIRTEEN_ORPHANS, closed_only=True),
    Rule("kokushi_13", YAKUMAN, 0, _kokushi_13, ("kokushi",), closed_only=True),
    Rule("suuankou", YAKUMAN, 0, has("concealed_triplet_count") == 4, closed_only=True),
    Rule("suuankou_tanki", YAKUMAN, 0, _suuankou_tanki, ("suuankou",), closed_only=True),
    Rule("suukantsu", YAKUMAN, YAKUMAN, has("kan_count") == 4),
    Rule("daisangen", YAKUMAN, YAKUMAN, dragons_in_triplets == DRAGON_BITS),
    Rule(
        "shousuushii", YAKUMAN, YAKUMAN,
        wind_pair & winds_in_triplets.is_in([0b0111, 0b1011, 0b1101, 0b1110]),
    ),
    Rule("daisuushii", YAKUMAN, YAKUMAN, winds_in_triplets == WIND_BITS),
    Rule("tsuuiisou", YAKUMAN, YAKUMAN, no_numbers),
    Rule("chinroutou", YAKUMAN, YAKUMAN, only(TERMINALS)),
    Rule("ryuuiisou", YAKUMAN, YAKUMAN, _ryuuiisou),
    Rule("chuuren", YAKUMAN, 0, lambda rules: _nine_gates(1, rules), closed_only=True),
    Rule(
        "junsei_chuuren", YAKUMAN, 0, lambda rules: _nine_gates(2, rules), ("chuuren",),
        closed_only=True,
    ),
)  # fmt: skip
"""The yakuman."""
