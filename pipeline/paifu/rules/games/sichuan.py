"""Chengdu and Sichuan (成都, 四川): at most two suits, fan that double, kongs paid at once.

Play goes on after a win (血战到底): seats that have won already pay no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from paifu.rules.fan import features as words
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Need, Options, amount
from paifu.rules.fan.features import NUMBER_KINDS, kong_event, ones
from paifu.rules.fan.flow import DISCARDER, WINNER, Flow
from paifu.rules.fan.game import Fan, Game
from paifu.rules.hands.features import has
from paifu.rules.hands.shapes import (
    ANKAN,
    DAIMINKAN,
    KAKAN,
    REGULAR,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
)

FAN = (
    Fan("full_flush", "清一色", 2, words.full_flush),
    Fan("seven_pairs", "七对", 2, words.seven_pairs_any),
    Fan("all_pungs", "对对和", 1, words.all_pungs),
    Fan("four_of_a_kind", "杠或四归一", 1, ones(has("fours"))),
    Fan("out_with_replacement_tile", "杠上开花", 1, has("rinshan")),
)


def _worth(options: Options) -> pl.Expr:
    fan = has("fan").cast(pl.Int32)
    fan = pl.min_horizontal(fan, options["cap"]) if options["cap"] else fan
    times = fan + 1 if options["fan_value"] == "add" else pl.lit(2, pl.Int32).pow(fan)
    return pl.lit(options["base"], pl.Int32) * times


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    other = has("worth") if options["discard_payers"] == "everyone" else pl.lit(0)
    return {"from_each": has("worth"), "from_loser": has("worth"), "from_other": other}


_CHOICES = (
    Choice("base", NO_AMOUNT, "What a hand without fan is worth to each payer."),
    Choice("cap", 0, "The most fan that count; 0: no cap. The source names no cap.",
           needs=amount("base")),
    Choice("fan_value", "double", "Each fan doubles the base (assumed), or adds it once.",
           ("double", "add"), needs=amount("base")),
    Choice("discard_payers", "discarder", "Who pays a discard win; the source does not say.",
           ("discarder", "everyone"), needs=amount("base")),
    Choice("kong_money", False, "Kongs are paid at once, in addition to their fan; the source of "
    "Sichuan says so, the source of Chengdu does not.", (False, True)),
    Choice("kong_unit", NO_AMOUNT, "The unit in the payment of a kong.",
           needs=Need("kong_money = true", lambda options: options["kong_money"])),
    Choice("exposed_kong", 1, "How often the feeder of an exposed kong (直杠) pays the unit: once "
           "as in the source, elsewhere twice.", (1, 2), needs=amount("kong_unit")),
)  # fmt: skip

FLOW = Flow(
    said={"winners": "", "play_on": "The source implies it: who has not won yet (未和者) pays."},
    more=frozenset({"play_on", "flower_pig", "not_ready", "pig_pays_both", "kongs_returned"}),
    dealer_after_other_win=WINNER,
    dealer_after_several_wins=DISCARDER,
    play_on=True,
    forced_last=4,
)
"""Several seats win on one tile (一炮多响), and play goes on until three have won or the wall ends.
On the last four tiles a seat that can win must win. 查花猪 is at the end of a round without a last
win; the sources name no amounts and no dealer."""

CHENGDU = Game(
    name="chengdu",
    title="成都麻将 · Chengdu",
    called=("成都麻將",),
    doc="108 tiles, no chi; a winning hand has at most two suits. Fan add up and each doubles the "
    "base, which the source does not give. Play goes on after a win (血战到底), and a seat that "
    "has won pays no more. Four players with hands of thirteen; the source's other games are not "
    "scored.",
    kinds=NUMBER_KINDS,
    facts=frozenset({"out"}),
    fan=FAN,
    choices=_CHOICES,
    chi=False,
    forms=(REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE),
    may_win=words.number_suits <= 2,
    refusal="a winning hand lacks one suit (缺一门)",
    worth=_worth,
    payments=_payments,
    kong=kong_event(
        lambda options: {DAIMINKAN: options["exposed_kong"], KAKAN: 1, ANKAN: 2},
        lambda options: options["kong_unit"],
        by_feeder=True,
        may_win=lambda options: pl.lit(options["kong_money"]),
        refusal="kongs are not paid at once unless kong_money is on",
    ),
    flow=replace(FLOW, said={"play_on": "The source names it as a way to play."}, forced_last=0),
)

SICHUAN = replace(
    CHENGDU,
    name="sichuan",
    title="四川麻将 · Sichuan",
    called=("四川麻將", "血战到底", "血戰到底"),
    flow=FLOW,
    doc="As chengdu (成都计番), with kongs paid at once (刮风下雨): the feeder pays for an exposed "
    "kong, every seat that has not won yet pays for an added kong, and pays twice for a concealed "
    "kong. The source gives no base, and names 查叫 and 查花猪 without describing them.",
    options={},
    choices=tuple(
        replace(each, default=True) if each.name == "kong_money" else each for each in _CHOICES
    ),
)

GAMES = (CHENGDU, SICHUAN)
