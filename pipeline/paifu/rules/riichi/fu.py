"""Fu: how many fu each part of a reading has, and their sum, rounded as a rule set says.

20 for the hand, 10 for a closed ron, 2 for tsumo (not with pinfu), the triplets and kans, 2 for a
value pair (a double wind 2 or 4), 2 for a kanchan, penchan or tanki wait, rounded up to ten. Seven
pairs have a fixed number. An open hand without other fu has 30 by ron. Thirteen orphans have no fu.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from paifu.game.tiles import IS_YAOCHUU, tiles_text
from paifu.rules.hands.features import (
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
from paifu.rules.hands.shapes import KAN, RYANMEN, SHANPON, TRIPLET
from paifu.rules.riichi.ruleset import RuleSet

BASE_FU = 20
PARTS: Mapping[str, str] = {
    "base_fu": "the hand",
    "closed_ron_fu": "closed ron",
    "tsumo_fu": "tsumo",
    "set_fu": "triplets and kans",
    "pair_fu": "pair",
    "wait_fu": "wait",
}
"""The parts of a regular hand's fu, by column, each with its description."""


def fu_of_sets(reading: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return each triplet and kan of a reading (a row of its columns) and its fu."""
    parts: list[tuple[str, int]] = []
    for index in range(4):
        number = reading[f"set_{index}"]
        if number < TRIPLET:
            continue
        kind, is_kan = (number - KAN, True) if number >= KAN else (number - TRIPLET, False)
        concealed = bool(reading["concealed_triplets"] >> kind & 1)
        fu = 2 * (2 if concealed else 1) * (4 if is_kan else 1) * (2 if IS_YAOCHUU[kind] else 1)
        word = f"{'concealed ' if concealed else ''}{'kan' if is_kan else 'triplet'}"
        parts.append((f"{tiles_text([kind] * (4 if is_kan else 3))} {word}", fu))
    return parts


def _points(condition: pl.Expr, fu: int) -> pl.Expr:
    return condition.cast(pl.Int16) * pl.lit(fu, pl.Int16)


def fu_parts(ruleset: RuleSet, pinfu: pl.Expr) -> dict[str, pl.Expr]:
    """Return a regular hand's fu except ``set_fu``, by column; ``pinfu``: whether pinfu counts."""
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


def total_fu(ruleset: RuleSet, han: pl.Expr) -> pl.Expr:
    """Return the fu of a reading, rounded, from the columns of its ``PARTS``.

    ``han`` is the han of the reading, dora included.
    """
    exact = pl.sum_horizontal(*PARTS).cast(pl.Int16)
    rounded = (exact + pl.lit(9, pl.Int16)) // pl.lit(10, pl.Int16) * pl.lit(10, pl.Int16)
    bare = ron & (exact == BASE_FU)  # a closed ron has at least 30
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
