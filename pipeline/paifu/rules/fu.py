"""Fu: what each part of a reading counts, and their sum as a rule set rounds it.

20 for the hand, 10 for a closed ron, 2 for tsumo (not with pinfu), the triplets and kans, 2 for a
value pair (a double wind 2 or 4), 2 for a kanchan, penchan or tanki wait, rounded up to ten. Seven
pairs have a fixed number, an open hand by ron that has nothing 30, thirteen orphans none.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from paifu.rules.ruleset import RuleSet
from paifu.rules.shapes import RYANMEN, SHANPON
from paifu.rules.terms import (
    closed,
    has,
    regular,
    ron,
    round_pair,
    seat_pair,
    seven_pairs,
    tsumo,
    value_pair,
)

BASE_FU = 20
PARTS: Mapping[str, str] = {
    "base_fu": "the hand",
    "closed_ron_fu": "closed ron",
    "tsumo_fu": "tsumo",
    "set_fu": "triplets and kans",
    "pair_fu": "pair",
    "wait_fu": "wait",
}
"""The parts of a regular hand's fu, by column, with what each is for."""


def _points(condition: pl.Expr, fu: int) -> pl.Expr:
    return condition.cast(pl.Int16) * pl.lit(fu, pl.Int16)


def fu_parts(ruleset: RuleSet, pinfu: pl.Expr) -> dict[str, pl.Expr]:
    """Return the parts of a regular hand's fu but ``set_fu``, by column; ``pinfu``: it counts."""
    drawn = tsumo & ~pinfu
    if not ruleset.rinshan_tsumo_fu:
        drawn = drawn & ~has("rinshan")
    wait = (has("wait") != RYANMEN) & (has("wait") != SHANPON)
    return {
        "base_fu": pl.lit(BASE_FU, pl.Int16),
        "closed_ron_fu": _points(closed & ron, 10),
        "tsumo_fu": _points(drawn, 2),
        "pair_fu": _points(value_pair, 2)
        + _points(seat_pair & round_pair, ruleset.double_wind_pair_fu - 2),
        "wait_fu": _points(wait, 2),
    }


def total_fu(ruleset: RuleSet, pinfu: pl.Expr, han: pl.Expr) -> pl.Expr:
    """Return the fu a reading is counted with, rounded; ``han`` its han, dora included."""
    parts = fu_parts(ruleset, pinfu)
    exact = pl.sum_horizontal(has("set_fu"), *parts.values()).cast(pl.Int16)
    rounded = (exact + pl.lit(9, pl.Int16)) // pl.lit(10, pl.Int16) * pl.lit(10, pl.Int16)
    bare = ron & (exact == BASE_FU)  # a closed ron has 30 at least
    if ruleset.open_pinfu_fu == "30":
        rounded = pl.when(bare).then(30).otherwise(rounded)
    elif ruleset.open_pinfu_fu == "30_at_one_han":
        rounded = pl.when(bare & (han == 1)).then(30).otherwise(rounded)
    return (
        pl.when(regular)
        .then(rounded)
        .when(seven_pairs)
        .then(pl.lit(ruleset.chiitoitsu_fu, pl.Int16))
        .otherwise(pl.lit(0, pl.Int16))
        .cast(pl.Int16)
    )
