"""Datong (大同麻将): a base of ten, doublings, the dealer's streak, and kongs paid apart."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from paifu.rules.fan import Choice, Fan, Game, Options, any_of
from paifu.rules.games import words
from paifu.rules.games.words import EVERY_KIND, kong_payments
from paifu.rules.shapes import (
    ANKAN,
    DAIMINKAN,
    KAKAN,
    REGULAR,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    THIRTEEN_ORPHANS,
)
from paifu.rules.terms import has

FAN = (
    Fan("thirteen_orphans", "十三幺", 1, has("form") == THIRTEEN_ORPHANS),
    Fan("full_flush", "清一色", 1, words.full_flush),
    Fan("all_pungs", "碰碰胡", 1, words.all_pungs),
    Fan("seven_pairs", "七对", 1, words.seven_pairs_any),
)


def _worth(options: Options) -> pl.Expr:
    """Return what a seat that did not discard pays on a discard: the base, doubled by patterns."""
    base = pl.lit(options["base"], pl.Int32)
    doubled = pl.lit(2, pl.Int32).pow(has("fan"))
    factor = doubled if options["doublings"] == "multiply" else pl.min_horizontal(doubled, 2)
    orphans = pl.lit(options["thirteen_orphans"], pl.Int32)
    return base * pl.when(any_of("thirteen_orphans")).then(orphans).otherwise(factor)


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: the dealer pays or is paid his streak beside the hand."""
    streak = options["base"] * has("dealer_wins").cast(pl.Int32)
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


def kong_deltas(kind: int, seat: int, base: int) -> list[int]:
    """Return what each seat gains by a kong: everyone pays the base, twice it for a concealed one.

    >>> kong_deltas(ANKAN, 0, 10)
    [60, -20, -20, -20]
    """
    return kong_payments(kind, seat, {DAIMINKAN: base, KAKAN: base, ANKAN: 2 * base})


DATONG = Game(
    name="datong",
    title="大同麻将 · Datong",
    doc="136 tiles, four players, no chi. On a discard each seat pays the base and the discarder "
    "twice it, self-drawn each pays twice it; 碰碰胡, 清一色 and 七对 double. The source names "
    "patterns (坎和, 一条龙 …) without prices too.",
    kinds=EVERY_KIND,
    fan=FAN,
    choices=(
        Choice("base", 10, "The base, ten in the source's example."),
        Choice("thirteen_orphans", 6, "Factor of thirteen orphans ('再番6倍'): 6, or six "
               "doublings.", (6, 64)),
        Choice("doublings", "multiply", "Several doubling patterns multiply, or count once.",
               ("multiply", "once")),
    ),
    chi=False,
    forms=(REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS),
    worth=_worth,
    payments=_payments,
)  # fmt: skip

GAMES = (DATONG,)
