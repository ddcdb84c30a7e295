"""Guangdong 鸡平和: hands that double by fan to a cap, and seats that are liable."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from paifu.rules.fan import features as words
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options
from paifu.rules.fan.features import EVERY_KIND, dearest_alone, ones, wind_pung
from paifu.rules.fan.flow import Flow
from paifu.rules.fan.game import Fan, Game, any_of
from paifu.rules.hands.features import (
    YAOCHUU,
    dragon_pair,
    dragons_in_triplets,
    has,
    only,
    tsumo,
    wind_pair,
    winds_in_triplets,
)
from paifu.rules.hands.shapes import REGULAR, THIRTEEN_ORPHANS

INSIDE = (
    Fan("all_pungs", "碰碰和", 2, words.all_pungs),
    Fan("half_flush", "混一色", 2, words.half_flush),
    Fan("all_chows", "平和", 1, words.all_chows),
    Fan("self_drawn", "自摸", 1, tsumo),
    Fan("seat_wind", "门风刻", 1, wind_pung("seat")),
    Fan("prevalent_wind", "圈风刻", 1, wind_pung("round")),
    Fan("dragon_pung", "箭刻", 1, ones(dragons_in_triplets)),
)
"""Fan that add up, at most to the cap."""
_INSIDE = tuple(fan.key for fan in INSIDE)

_MIXED_PUNGS = words.all_pungs & words.half_flush
_PURE_PUNGS = words.all_pungs & words.full_flush

OUTSIDE = (
    Fan("all_honors", "字一色", 6, words.all_honours),
    Fan("all_terminals", "清幺九", 6, words.all_terminals & words.all_pungs),
    Fan("big_three_dragons", "大三元", 6, ones(dragons_in_triplets) == 3),
    Fan("big_four_winds", "大四喜", 6, ones(winds_in_triplets) == 4),
    Fan("nine_gates", "九莲宝灯", 6, has("nine_gates") == 2),
    Fan("thirteen_orphans", "十三幺", 6, has("form") == THIRTEEN_ORPHANS),
    Fan("pure_pungs", "清碰", 5, _PURE_PUNGS),
    Fan("all_terminals_and_honors", "混幺九", 5, only(YAOCHUU) & words.all_pungs),
    Fan("little_three_dragons", "小三元", 5, dragon_pair & (ones(dragons_in_triplets) == 2)),
    Fan("little_four_winds", "小四喜", 5, wind_pair & (ones(winds_in_triplets) == 3)),
    Fan("full_flush", "清一色", 4, words.full_flush),
    Fan("mixed_pungs", "混碰", 4, _MIXED_PUNGS),
)
"""Fan above the cap: the highest counts alone, without additions."""

FAN = (*dearest_alone(OUTSIDE, *_INSIDE), *INSIDE)

_floor = has("chankan") | has("triple_ron") | (tsumo & (has("rinshan") | has("haitei")))
"""The special wins that are worth at least the floor: items 1 to 4 and 7 of the source's list. It
does not say this of the items a seat is liable for: twelve tiles down (5), winds and dragons
(6)."""


def _worth(options: Options) -> pl.Expr:
    """Return 2 to the power of the fan: inside hands capped, special wins at least the floor."""
    outside = any_of(*(fan.key for fan in OUTSIDE))
    fan = pl.when(outside).then(has("fan")).otherwise(pl.min_horizontal("fan", options["cap"]))
    fan = pl.when(_floor).then(pl.max_horizontal(fan, options["floor"])).otherwise(fan)
    value = pl.lit(2, pl.Int32).pow(fan)
    blessing = pl.lit(options["blessing"], pl.Int32)
    blessed = pl.when(blessing.is_not_null()).then(pl.max_horizontal(value, blessing))
    return pl.when(has("first_turn")).then(blessed).otherwise(value)


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    everyone = pl.when(has("chankan")).then(3 * has("worth"))
    by_discarder = 3 * has("worth") if options["discarder_pays"] == "all" else has("worth")
    other = has("worth") if options["discarder_pays"] == "own" else pl.lit(0)
    return {
        "from_each": has("worth"),
        "from_loser": everyone.otherwise(by_discarder),
        "from_other": pl.when(has("chankan")).then(0).otherwise(other),
        "liable": has("liable").cast(pl.Int32),
    }


JIPINGHU = Game(
    name="guangdong-jph",
    title="广东鸡平和 · Guangdong",
    called=("鸡平和", "雞平和", "广东麻将", "廣東麻將"),
    doc="Hands double by fan: inside hands up to a cap of 3; outside hands (清一色 and above) have "
    "fixed fan. Wins on a replacement tile, on the last tile, by robbing a kong and by three seats "
    "on one tile count at least 3. A seat that a rule makes liable pays for all. The source does "
    "not say who pays for an ordinary discard win, or what 天和, 地和 and 人和 are worth.",
    kinds=EVERY_KIND,
    facts=frozenset({"liable", "triple_ron"}),
    fan=FAN,
    choices=(
        Choice("cap", 3, "The most fan of an inside hand."),
        Choice("floor", 3, "The least fan of a win on a replacement tile, on the last tile, by "
        "robbing a kong or by three seats on one tile."),
        Choice("discarder_pays", "one", "What a discarder pays: one share, and the others pay "
        "nothing; all three shares; or his own share, and the others "
        "theirs.", ("one", "all", "own")),
        Choice("blessing", NO_AMOUNT, "Value of a win in the first go-around (天和, 地和, 人和)."),
    ),
    forms=(REGULAR, THIRTEEN_ORPHANS),
    worth=_worth,
    payments=_payments,
    flow=Flow(
        said=dict.fromkeys(
            (
                "dealer_after_own_win", "dealer_after_other_win", "dealer_after_several_wins",
                "dealer_after_draw", "winners",
            ),
            "",
        ),
        has_winds=True,
        missed_win="the same kind of tile, until the seat acts itself (碰, 上, 杠, 摸)",
    ),
)  # fmt: skip

GAMES = (JIPINGHU,)
