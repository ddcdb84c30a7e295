"""QQ's three rooms: 国标馆 (Chinese Official), 大众馆 (its fan, no minimum) and 无番馆 (no fan)."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options
from paifu.rules.fan.features import EVERY_KIND, discarder_alone, pair_258
from paifu.rules.fan.game import Fan, Game, any_of
from paifu.rules.games.mcr import FAN, MCR
from paifu.rules.games.mcr import FLOW as CHINESE_FLOW
from paifu.rules.hands.features import has
from paifu.rules.hands.shapes import REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS

RANKS = (
    ("九万", 12_000), ("东风", 20_000), ("西风", 30_000), ("南风", 40_000), ("北风", 80_000),
    ("中", 120_000), ("发", 160_000), ("雀神", 200_000),
)  # fmt: skip
"""QQ's ladder, as far as the page shows it."""

FLOW = replace(
    CHINESE_FLOW, more=frozenset({"coin", "leaving_coins"}), table_points=(), ranks=RANKS
)
"""Chinese Official's, settled in coins: only when a session has ended. A seat that leaves before
its end loses coins, and the others' do not change. The page does not say how many."""

GUOBIAO = replace(
    MCR, name="qq-guobiao", title="QQ 国标馆", called=("国标馆",), options={}, flow=FLOW
)


def _popular_worth(options: Options) -> pl.Expr:
    worth = has("fan") + has("bonus")
    for key, option in (("ready", "ready_points"), ("pair_258", "pair_258_points")):
        amount = pl.lit(options[option], pl.Int32)
        worth = worth + pl.when(any_of(key)).then(amount).otherwise(0)
    return worth


def _flowers(options: Options) -> pl.Expr:
    return has("flowers") if options["flower_points"] else pl.lit(0)


POPULAR = replace(
    MCR,
    name="qq-popular",
    title="QQ 大众馆",
    called=("大众馆", "大众麻将"),
    doc="The fan of Chinese Official, with 听 and 258将 and without a minimum. After a self-draw "
    "every seat pays the points, after a discard only the discarder. The source gives no points "
    "for 听 and 258将.",
    facts=frozenset({"flowers", "riichi"}),
    fan=(
        *(replace(fan, when=_flowers) if fan.key == "flower_tiles" else fan for fan in FAN),
        Fan("ready", "听", 0, has("riichi")),
        Fan("pair_258", "258将", 0, pair_258),
    ),
    options={},
    otherwise=lambda options: "chicken_hand" if options["chicken_hand"] else "",
    choices=(
        *(choice for choice in MCR.choices if choice.name not in ("minimum", "base")),
        Choice("ready_points", NO_AMOUNT, "Points for a declared ready hand (听)."),
        Choice("pair_258_points", NO_AMOUNT, "Points for a pair of 2, 5 or 8 (258将)."),
        Choice(
            "chicken_hand",
            True,
            "A hand without fan is 无番和 (8) as in Chinese Official; else it wins nothing.",
            (True, False),
        ),
        Choice("flower_points", True, "Flowers count a point each.", (True, False)),
    ),
    may_win=pl.lit(True),
    refusal="every complete hand wins",
    worth=_popular_worth,
    payments=discarder_alone,
    flow=FLOW,
)


def _forms(options: Options) -> tuple[int, ...]:
    special = (SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS)
    return (REGULAR, *special) if options["special_shapes"] else (REGULAR,)


NO_FAN = Game(
    name="qq-no-fan",
    title="QQ 无番馆",
    called=("无番馆", "无番麻将"),
    doc="No fan: the first complete hand wins 10, from each seat after a self-draw, and only from "
    "the discarder after a discard.",
    kinds=EVERY_KIND,
    facts=frozenset({"flowers"}),
    choices=(
        Choice("special_shapes", False, "Seven pairs and thirteen orphans win too; the source has "
        "only the basic shape.", (False, True)),
    ),
    forms=_forms,
    worth=pl.lit(10),
    payments=discarder_alone,
    flow=replace(FLOW, said={"winners": ""}, circles=0),
)  # fmt: skip

GAMES = (GUOBIAO, POPULAR, NO_FAN)
