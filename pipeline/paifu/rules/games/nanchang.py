"""Nanchang-style 精 payments (南昌): one formula behind the forty entries of the table.

The source gives payments by the name of the hand and does not define the hands. So a hand is named
and not written in tiles: ``paifu score 德国大七杠吊 --rules nanchang-jing``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options
from paifu.rules.fan.features import EVERY_KIND
from paifu.rules.fan.game import ByName, Fan, Game, any_of
from paifu.rules.hands.features import has, is_dealer

_UNITS = {
    "chicken_hand": ("屁胡", 4),
    "seven_pairs": ("七对", 8),
    "thirteen_scattered": ("十三烂", 8),
    "seven_stars": ("七星", 16),
    "big_seven": ("大七", 16),
    "blessing_of_heaven": ("天胡", 32),
    "blessing_of_earth": ("地胡", 32),
}
"""The name of each hand, and what each other seat pays for it when it is self-drawn."""
_BLESSINGS = ("天胡", "地胡", "天地胡")
_KEYS = {name: key for key, (name, _) in _UNITS.items()} | {"天地胡": "blessing_of_heaven"}
_DEGUO_BONUS = 5
_COUNTS = {number: n for n, number in enumerate("五六七八九十", start=5)}

_TABLE = """
    屁胡自摸 德国放炮 精吊 德国自摸 德国精吊 杠开 德国杠开 杠吊 德国杠吊
    七对放炮 七对自摸 七对精吊 德国七对自摸 德国七对精吊
    十三烂放炮 十三烂自摸 德国十三烂放炮 德国十三烂自摸
    七星放炮 七星自摸 德国七星放炮 德国七星自摸
    大七放炮 大七自摸 大七精吊 大七杠吊 德国大七放炮 德国大七自摸 德国大七杠吊
    天地胡 德国天胡 地胡精吊 德国地胡 德国地胡精吊
    五精冲关 六精冲关 七精冲关 八精冲关 九精冲关 十精冲关 杠精 庄起手杠
"""
"""The entries of the table that have an amount: its forty hands, and two kongs."""

_HAND = re.compile(
    rf"(德国)?({'|'.join(sorted(_KEYS, key=len, reverse=True))})?(精吊|杠开|杠吊)?(自摸|放炮)?"
)
_RUSH = re.compile(r"(精霸)?([五六七八九十])精冲关")
_KONGS = {
    "杠精": "jing_kong",
    "庄起手杠": "dealt_kong",
    "庄起手放杠": "dealt_kong_fed",
    "抢杠": "robbing_the_kong",
}
_NO_WINS = frozenset(
    {"杠精", "庄起手杠", "庄起手放杠"}
    | {f"{alone}{number}精冲关" for alone in ("", "精霸") for number in _COUNTS}
)
"""What is paid beside a win: kongs, and many 精."""
_NAMES = (
    "[德国][屁胡 七对 十三烂 七星 大七 天胡 地胡][精吊 杠开 杠吊][自摸 放炮], "
    "[精霸]五精冲关 … 十精冲关, 杠精, 庄起手杠, 庄起手放杠, 抢杠"
)


def read_name(text: str) -> dict[str, int] | None:
    """Return the facts that the name of an entry says; None if the table has no such entry.

    >>> read_name("德国大七杠吊")
    {'big_seven': 1, 'without_jing': 1, 'jing_wait': 1, 'out_with_replacement_tile': 1}
    >>> read_name("七精冲关")
    {'jing_rush': 7}
    >>> read_name("清一色")
    """
    if text in _KONGS:
        return {_KONGS[text]: 1}
    if rush := _RUSH.fullmatch(text):
        facts = {"jing_rush": _COUNTS[rush[2]]}
        return facts | {"jing_alone": 1} if rush[1] else facts
    hand = _HAND.fullmatch(text)
    if not text or not hand:
        return None
    deguo, name, drawn_by, how = hand.groups()
    if how == "放炮" and (drawn_by or name in _BLESSINGS):
        return None  # these are drawn
    facts = {_KEYS[name or "屁胡"]: 1}
    if deguo:
        facts["without_jing"] = 1
    if drawn_by in ("精吊", "杠吊"):
        facts["jing_wait"] = 1
    if drawn_by in ("杠开", "杠吊"):
        facts["out_with_replacement_tile"] = 1
    return facts


def says_drawn(text: str) -> bool | None:
    """Return whether the hand was drawn by the name of its entry; None if the name does not say.

    >>> says_drawn("七对精吊"), says_drawn("德国放炮"), says_drawn("大七")
    (True, False, None)
    """
    if text in _KONGS:
        return text not in ("抢杠", "庄起手放杠")
    if text.endswith("放炮"):
        return False
    drawn = ("自摸", "精吊", "杠开", "杠吊", "冲关", "天胡", "地胡")
    return True if any(word in text for word in drawn) else None


FAN = (
    *(Fan(key, name, unit, has(key)) for key, (name, unit) in _UNITS.items()),
    Fan("without_jing", "德国", 0, has("without_jing")),
    Fan("jing_wait", "精吊", 0, has("jing_wait")),
    Fan("out_with_replacement_tile", "杠开", 0, has("out_with_replacement_tile")),
    Fan("jing_rush", "冲关", 0, has("jing_rush") > 0),
    Fan("jing_alone", "精霸", 0, has("jing_alone")),
    Fan("jing_kong", "杠精", 14, has("jing_kong")),
    Fan("dealt_kong", "庄起手杠", 7, has("dealt_kong")),
    Fan("dealt_kong_fed", "庄起手放杠", 0, has("dealt_kong_fed")),
    Fan("robbing_the_kong", "抢杠", 0, has("robbing_the_kong")),
)


def _doubled() -> pl.Expr:
    """Return the unit of a hand, doubled by 精吊, by 杠开 and by 德国."""
    fan = has("fan").cast(pl.Int32)
    for key in ("jing_wait", "out_with_replacement_tile", "without_jing"):
        fan = fan * pl.when(any_of(key)).then(2).otherwise(1)
    return fan


def _worth(options: Options) -> pl.Expr:
    """Return what the payer of the hand pays, or what each seat pays for a drawn hand."""
    jing = has("jing_rush").cast(pl.Int32)
    rush = jing * (jing - 3) * pl.when(any_of("jing_alone")).then(2).otherwise(1)
    bonus = pl.when(any_of("without_jing")).then(_DEGUO_BONUS).otherwise(0)
    return (
        pl.when(any_of("jing_rush"))
        .then(rush)
        .when(any_of("robbing_the_kong"))
        .then(pl.lit(options["robbed_kong"], pl.Int32))
        .when(any_of("dealt_kong_fed"))
        .then(pl.lit(options["dealt_kong_fed"], pl.Int32))
        .otherwise(_doubled() + bonus)
    )


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: on a discard the others pay half the doubled unit, without the 5."""
    return {
        "from_each": has("worth"),
        "from_loser": has("worth"),
        "from_other": _doubled() // 2,
    }


NANCHANG = Game(
    name="nanchang-jing",
    title="南昌 精 payments · Nanchang",
    called=("南昌麻将", "南昌麻將", "nanchang"),
    doc="A table of payments by the name of the hand; the source defines neither the hands nor 精. "
    "After a self-draw each seat pays the unit; after a discard the discarder pays the unit and "
    "the others pay half of it. 精吊 and 杠开 double it; 德国 doubles it and adds 5, which the "
    "others do not pay. 冲关 with n 精 is n(n-3) from each seat, twice that if only one seat has "
    "精 (精霸翻番). Two entries cannot be understood and need an amount: 抢杠 (每人-32个(24)) and "
    "庄起手放杠 (每人得5个).",
    kinds=EVERY_KIND,
    choices=(
        Choice("robbed_kong", NO_AMOUNT, "What the robbed seat pays for 抢杠; the others pay "
               "nothing."),
        Choice("dealt_kong_fed", NO_AMOUNT, "What the feeder pays for 庄起手放杠; the others pay "
               "nothing."),
    ),
    by_name=ByName(
        what="a hand by its name",
        names=_NAMES,
        entries=tuple(_TABLE.split()),
        facts=tuple(fan.key for fan in FAN),
        read=read_name,
        drawn=says_drawn,
        no_wins=_NO_WINS,
        fan=FAN,
        may_win=is_dealer | ~any_of("dealt_kong", "dealt_kong_fed"),
        refusal="庄起手杠 and 庄起手放杠 are the dealer's",
        worth=_worth,
        payments=_payments,
    ),
)  # fmt: skip

GAMES = (NANCHANG,)
