"""Yangzhou (扬州麻将): six multipliers of a stake that the source does not name."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from paifu.rules.fan import features as words
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options, amount
from paifu.rules.fan.features import EVERY_KIND, dearest_alone
from paifu.rules.fan.flow import Flow
from paifu.rules.fan.game import Fan, Game
from paifu.rules.hands.features import has


def _half_flush(options: Options) -> pl.Expr:
    honours = pl.lit(options["honours_are_half_flush"]) & words.all_honours
    return words.half_flush | honours


_CLASSES = (
    Fan("pure_pungs", "清对对", 6, words.full_flush & words.all_pungs),
    Fan("mixed_pungs", "混对对", 4, lambda options: _half_flush(options) & words.all_pungs),
    Fan("full_flush", "清一色", 4, words.full_flush),
    Fan("half_flush", "混一色", 2, _half_flush),
    Fan("all_pungs", "对对胡", 2, words.all_pungs),
    Fan("chicken_hand", "屁胡", 1, pl.lit(True)),
)
FAN = dearest_alone(_CLASSES)
"""The multipliers; only the highest counts (清对对 is 6, not 4 times 2)."""


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    other = has("worth") if options["discard_payers"] == "everyone" else pl.lit(0)
    return {"from_each": has("worth"), "from_loser": has("worth"), "from_other": other}


YANGZHOU = Game(
    name="yangzhou",
    title="扬州麻将 · Yangzhou",
    doc="136 tiles, no chi. The stake is multiplied by the highest of six classes; the source does "
    "not give the stake, or say who pays for a discard win.",
    kinds=EVERY_KIND,
    fan=FAN,
    choices=(
        Choice("base", NO_AMOUNT, "The stake."),
        Choice("discard_payers", "discarder", "Who pays a discard win; the source does not say.",
               ("discarder", "everyone"), needs=amount("base")),
        Choice("honours_are_half_flush", False, "Honours alone are 混一色 too, as its wording "
               "allows.", (False, True)),
    ),
    chi=False,
    worth=lambda options: has("fan") * pl.lit(options["base"], pl.Int32),
    payments=_payments,
    flow=Flow(
        said=dict.fromkeys(
            (
                "dealer_after_own_win", "dealer_after_other_win", "dealer_after_several_wins",
                "dealer_after_draw", "winners",
            ),
            "",
        ),
    ),
)  # fmt: skip

GAMES = (YANGZHOU,)
