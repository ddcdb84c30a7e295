"""Datong (大同麻将): a base of ten, doublings, the dealer's streak, and kongs paid separately."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from paifu.rules.fan import features as words
from paifu.rules.fan.choices import Choice, Options
from paifu.rules.fan.features import EVERY_KIND, kong_event
from paifu.rules.fan.flow import ONE, Flow
from paifu.rules.fan.game import Fan, Game, any_of
from paifu.rules.hands.features import has
from paifu.rules.hands.shapes import (
    ANKAN,
    DAIMINKAN,
    KAKAN,
    REGULAR,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    THIRTEEN_ORPHANS,
)

FAN = (
    Fan("thirteen_orphans", "十三幺", 1, has("form") == THIRTEEN_ORPHANS),
    Fan("full_flush", "清一色", 1, words.full_flush),
    Fan("all_pungs", "碰碰胡", 1, words.all_pungs),
    Fan("seven_pairs", "七对", 1, words.seven_pairs_any),
    Fan("pure_straight", "一条龙", 0, words.straight),
)


def _factor(options: Options) -> pl.Expr:
    """Return the factor by which the patterns of a hand multiply the base."""
    doubled = pl.lit(2, pl.Int32).pow(has("fan"))
    factor = doubled if options["doublings"] == "multiply" else pl.min_horizontal(doubled, 2)
    factor = factor * pl.when(any_of("pure_straight")).then(options["straight"]).otherwise(1)
    orphans = pl.lit(options["thirteen_orphans"], pl.Int32)
    return pl.when(any_of("thirteen_orphans")).then(orphans).otherwise(factor)


def _worth(options: Options) -> pl.Expr:
    """Return what a seat other than the discarder pays for a ron: the base, multiplied."""
    return pl.lit(options["base"], pl.Int32) * _factor(options)


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: in addition to the hand, the dealer pays or is paid his streak."""
    streak = options["base"] * has("dealer_wins").cast(pl.Int32)
    if options["streak_multiplies"]:
        streak = streak * _factor(options)
    extra = {
        f"extra_{seat}": pl.when((has("winner") == has("dealer")) | (has("dealer") == seat))
        .then(streak)
        .otherwise(0)
        for seat in range(4)
    }
    return {
        "from_each": 2 * has("worth"),
        "from_loser": 2 * has("worth"),
        "from_other": has("worth"),
        **extra,
    }


DATONG = Game(
    name="datong",
    title="大同麻将 · Datong",
    doc="136 tiles, four players, no chi. After a discard each seat pays the base and the "
    "discarder twice the base; after a self-draw each seat pays twice the base. 碰碰胡, 清一色 and "
    "七对 double. A kong is paid at once: each seat pays the base, or twice the base for a "
    "concealed kong. A seat that leaves before the end pays eight bases. The patterns 坎和, 堆和 "
    "and 坎堆和, which the source only names, are not scored.",
    kinds=EVERY_KIND,
    fan=FAN,
    choices=(
        Choice("base", 10, "The base, ten in the source's example."),
        Choice("thirteen_orphans", 6, "Factor of thirteen orphans ('再番6倍'): 6, or six "
               "doublings.", (6, 64)),
        Choice("doublings", "multiply", "Several doubling patterns multiply, or count once.",
               ("multiply", "once")),
        Choice("straight", 1, "Factor of 一条龙 (and of 套龙 beside 清一色), which the source "
               "names without a price."),
        Choice("streak", "deals", "What makes the dealer's streak (连庄) longer: every round after "
               "which he deals again, or his wins alone; the source does not say.",
               ("deals", "wins")),
        Choice("streak_multiplies", False, "The patterns also multiply what the dealer's streak "
        "adds.", (False, True)),
    ),
    chi=False,
    forms=(REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS),
    worth=_worth,
    payments=_payments,
    kong=kong_event(
        lambda options: {DAIMINKAN: 1, KAKAN: 1, ANKAN: 2},
        lambda options: options["base"],
        by_feeder=False,
    ),
    flow=Flow(
        said=dict.fromkeys(
            (
                "dealer_after_own_win", "dealer_after_other_win", "dealer_after_draw", "winners",
                "leaving_fine",
            ),
            "",
        ),
        more=frozenset({"leaving_fine", "leaving_fine_to"}),
        winners=ONE,
        leaving_fine=8,
        undrawn=13,
    ),
)  # fmt: skip

GAMES = (DATONG,)
