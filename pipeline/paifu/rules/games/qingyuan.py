"""Qingyuan (清远麻将): 100 tiles, self-drawn wins only, six prices, and money for kongs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt
import polars as pl

from paifu.rules.fan import features as words
from paifu.rules.fan.choices import Choice, Options
from paifu.rules.fan.features import EVERY_KIND, dearest_alone, kong_event, kong_feeders
from paifu.rules.fan.flow import Flow
from paifu.rules.fan.game import Fan, Game
from paifu.rules.hands.features import has, tsumo
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shapes import ANKAN, DAIMINKAN, KAKAN

_CLASSES = (
    Fan("all_honor_pungs", "全字全对", 18, words.all_honours & words.all_pungs),
    Fan("all_terminal_pungs", "壹玖全对", 15, words.all_terminals & words.all_pungs),
    Fan("pure_pungs", "清一色全对", 12, words.full_flush & words.all_pungs),
    Fan("full_flush", "清一色", 9, words.full_flush),
    Fan("all_pungs", "对对糊", 6, words.all_pungs),
    Fan("chicken_hand", "鸡糊", 3, pl.lit(True)),
)
FAN = dearest_alone(_CLASSES)
"""The prices; only the highest class counts."""


def _kongs(hands: Hands, rows: pl.DataFrame, options: Options) -> Mapping[str, npt.NDArray[Any]]:
    hand = rows["hand"].to_numpy()
    fed = kong_feeders(hands)[hand]
    added = (hands.meld_kind == KAKAN).sum(axis=1)[hand]
    return {**{f"fed_{seat}": fed[:, seat] for seat in range(4)}, "added_kongs": added}


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    if options["kongs_paid"] == "at_once":
        return {"from_each": has("worth")}
    concealed = options["concealed_kong"] * has("kongs_concealed")
    added = options["added_kong"] * has("added_kongs")
    extra = {
        f"extra_{seat}": concealed + added + options["exposed_kong"] * has(f"fed_{seat}")
        for seat in range(4)
    }
    return {"from_each": has("worth"), **extra}


def _columns(hands: Hands, rows: pl.DataFrame, options: Options) -> Mapping[str, npt.NDArray[Any]]:
    concealed = rows["concealed_kan_count"].to_numpy()
    return {**_kongs(hands, rows, options), "kongs_concealed": concealed}


QINGYUAN = Game(
    name="qingyuan",
    title="清远麻将 · Qingyuan",
    doc="Honours, pinzu and souzu; pungs and kongs, no chi; only a self-drawn hand wins. Each seat "
    "pays the price of the highest class, 2 more for each concealed kong, and 3 more for each "
    "exposed kong that it fed.",
    kinds=frozenset(kind for kind in EVERY_KIND if kind >= 9),
    facts=lambda options: frozenset({"fed"} if options["kongs_paid"] == "with_win" else ()),
    fan=FAN,
    choices=(
        Choice("exposed_kong", 3, "What the seat that fed an exposed kong pays in addition."),
        Choice("concealed_kong", 2, "What each seat pays in addition for a concealed kong."),
        Choice("added_kong", 0, "What each seat pays in addition for a kong added to a pung; the "
        "source does not say."),
        Choice("kongs_paid", "with_win", "Kongs are paid with their owner's win ('多输'), or at "
               "once and always.", ("with_win", "at_once")),
    ),
    chi=False,
    may_win=tsumo,
    refusal="only a self-drawn hand wins",
    columns=_columns,
    payments=_payments,
    kong=kong_event(
        lambda options: {
            DAIMINKAN: options["exposed_kong"],
            KAKAN: options["added_kong"],
            ANKAN: options["concealed_kong"],
        },
        lambda options: 1,
        by_feeder=True,
        may_win=lambda options: pl.lit(options["kongs_paid"] == "at_once"),
        refusal="kongs are paid with their owner's win unless kongs_paid is at_once",
    ),
    flow=Flow(by_discard=False),
)  # fmt: skip

GAMES = (QINGYUAN,)
