"""Chinese Official (國標麻將, MCR): the table of 81 fan and the rule set ``mcr``.

Source: 中国麻将竞赛规则(试行), People's Sports Publishing House, 1998, whose fan table QQ's 国标馆
uses too. The five counting principles are in three places. A fan strikes the fan that it implies
(:attr:`Fan.strikes`: non-repeat). Every reading is scored by itself and the highest is taken
(non-separation, the higher choice). And :func:`mcr_kernels.combine_sets` combines sets
(non-identical, account-once).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import EAST, KINDS
from paifu.rules.fan.choices import Choice, Options
from paifu.rules.fan.features import (
    all_pungs,
    number_pair,
    numbers_between,
    ones,
    seven_pairs_any,
    tiles_among,
    wind_pung,
)
from paifu.rules.fan.flow import NEXT, ONE, Flow
from paifu.rules.fan.game import FAN_COUNT, Fan, Game
from paifu.rules.games import mcr_kernels as combined
from paifu.rules.games.mcr_kernels import GREATER_KNITTED, KNITTED_STRAIGHT, LESSER_KNITTED
from paifu.rules.hands.features import (
    TERMINALS,
    YAOCHUU,
    closed,
    dragon_pair,
    dragons_in_triplets,
    has,
    has_honours,
    no_honours,
    no_numbers,
    one_number_suit,
    only,
    ron,
    runs,
    suits,
    triplets,
    tsumo,
    wind_pair,
    winds_in_triplets,
)
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shanten import suit_tables
from paifu.rules.hands.shapes import (
    DRAGONS,
    KANCHAN,
    MANZU,
    PENCHAN,
    PINZU,
    REGULAR,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    SOUZU,
    TANKI,
    THIRTEEN_ORPHANS,
    WINDS,
    kinds,
)


def _run_group(group: int) -> pl.Expr:
    return has("run_group") == group


def _pung_group(group: int) -> pl.Expr:
    return has("pung_group") == group


_HONOURS = kinds(range(EAST, KINDS))
_pungs_or_pairs = all_pungs | seven_pairs_any
_open_kongs = has("kan_count") - has("concealed_kan_count")
_knitted = has("form") == KNITTED_STRAIGHT

_every_set_has_a_five = (
    (has("form") == REGULAR)
    & pl.all_horizontal((runs(suit) & ~0b0011100) == 0 for suit in "mps")
    & pl.all_horizontal((triplets(suit) & ~0b10000) == 0 for suit in "mps")
    & (triplets("z") == 0)
    & number_pair
    & (has("pair") % 9 == 4)
)

_shifted_pairs = has("tiles").is_in(
    [0b1111111 << first + 9 * suit for suit in range(3) for first in range(3)]
)

_pungs_of_the_wind_fan = pl.when(ones(winds_in_triplets) >= 3).then(winds_in_triplets)
_value_winds = pl.sum_horizontal(
    (pl.lit(1, pl.Int16) * (1 << wind))
    * ((has("seat_wind") == wind) | (has("round_wind") == wind)).cast(pl.Int16)
    for wind in range(4)
)
_plain_winds = winds_in_triplets & ~_pungs_of_the_wind_fan.otherwise(_value_winds)
"""Pungs of winds, without seat wind, round wind and those in a fan of winds. Nine gates always has
one pung of terminals, which is subtracted below."""
_terminal_pungs = pl.sum_horizontal(ones(triplets(suit) & 0b100000001) for suit in "mps")


def _unique(wait: int) -> pl.Expr:
    """Return whether the hand had this wait, and for one kind of tile only."""
    return (has("wait") == wait) & (has("wait_count") == 1)


def _all_chows(options: Options) -> pl.Expr:
    chows = has("run_count") == 4
    if options["knitted_chows"]:
        chows = chows | (_knitted & (has("run_count") == 1))
    return chows & number_pair


def _mixed_kongs(options: Options) -> pl.Expr:
    both = (has("concealed_kan_count") == 1) & (_open_kongs == 1)
    return both if options["mixed_kongs"] else both & pl.lit(False)


def _two_concealed_kongs(points: int) -> Any:
    return lambda options: (
        (has("concealed_kan_count") == 2) & pl.lit(options["two_concealed_kongs"] == points)
    )


_FULLY_CLOSED = ("fully_concealed", "single_wait", "concealed_hand")
"""What seven pairs, orphans and knitted hands always have."""

FAN: tuple[Fan, ...] = (
    # --- 88
    Fan("big_four_winds", "大四喜", 88, winds_in_triplets == 0b1111,
        ("little_four_winds", "big_three_winds", "all_pungs", "prevalent_wind", "seat_wind")),
    Fan("big_three_dragons", "大三元", 88, dragons_in_triplets == 0b1110000,
        ("two_dragon_pungs", "dragon_pung")),
    Fan("all_green", "绿一色", 88, tiles_among("23468s6z"), ("half_flush",)),
    Fan("nine_gates", "九莲宝灯", 88, has("nine_gates") == 2,
        ("full_flush", "fully_concealed", "concealed_hand", "no_honors", "one_voided_suit")),
    Fan("four_kongs", "四杠", 88, has("kan_count") == 4,
        ("three_kongs", "all_pungs", "two_concealed_kongs", "two_concealed_kongs_8",
         "concealed_and_melded_kong", "two_melded_kongs", "concealed_kong", "melded_kong",
         "single_wait")),
    Fan("seven_shifted_pairs", "连七对", 88, (has("form") == SEVEN_PAIRS) & _shifted_pairs,
        (*_FULLY_CLOSED, "seven_pairs", "full_flush", "no_honors", "one_voided_suit")),
    Fan("thirteen_orphans", "十三幺", 88, has("form") == THIRTEEN_ORPHANS,
        (*_FULLY_CLOSED, "all_types")),
    # --- 64
    Fan("all_terminals", "清幺九", 64, only(TERMINALS) & _pungs_or_pairs,
        ("all_terminals_and_honors", "all_pungs", "outside_hand", "double_pung",
         "pung_of_terminals_or_honors", "no_honors")),
    Fan("little_four_winds", "小四喜", 64, wind_pair & (ones(winds_in_triplets) == 3),
        ("big_three_winds",)),
    Fan("little_three_dragons", "小三元", 64, dragon_pair & (ones(dragons_in_triplets) == 2),
        ("two_dragon_pungs", "dragon_pung")),
    Fan("all_honors", "字一色", 64, no_numbers & _pungs_or_pairs,
        ("all_terminals_and_honors", "all_pungs", "outside_hand", "pung_of_terminals_or_honors")),
    Fan("four_concealed_pungs", "四暗刻", 64, has("concealed_triplet_count") == 4,
        ("three_concealed_pungs", "two_concealed_pungs", "all_pungs", "fully_concealed",
         "concealed_hand")),
    Fan("pure_terminal_chows", "一色双龙会", 64, _run_group(combined.PURE_TERMINAL_CHOWS),
        ("seven_pairs", "full_flush", "all_chows", "no_honors", "one_voided_suit")),
    # --- 48
    Fan("quadruple_chow", "一色四同顺", 48, _run_group(combined.QUADRUPLE_CHOW),
        ("pure_shifted_pungs", "tile_hog", "pure_double_chow")),
    Fan("four_pure_shifted_pungs", "一色四节高", 48, _pung_group(combined.FOUR_SHIFTED_PUNGS),
        ("pure_triple_chow", "all_pungs")),
    # --- 32
    Fan("four_pure_shifted_chows", "一色四步高", 32, _run_group(combined.FOUR_SHIFTED_CHOWS),
        ("short_straight", "two_terminal_chows")),
    Fan("three_kongs", "三杠", 32, has("kan_count") == 3,
        ("two_concealed_kongs", "two_concealed_kongs_8", "concealed_and_melded_kong",
         "two_melded_kongs", "concealed_kong", "melded_kong")),
    Fan("all_terminals_and_honors", "混幺九", 32, only(YAOCHUU) & _pungs_or_pairs,
        ("all_pungs", "outside_hand", "pung_of_terminals_or_honors")),
    # --- 24
    Fan("seven_pairs", "七对", 24, seven_pairs_any, _FULLY_CLOSED),
    Fan("greater_honors_and_knitted_tiles", "七星不靠", 24, has("form") == GREATER_KNITTED,
        (*_FULLY_CLOSED, "all_types")),
    Fan("all_even_pungs", "全双刻", 24, all_pungs & tiles_among("2468m2468p2468s"),
        ("all_pungs", "all_simples", "no_honors")),
    Fan("full_flush", "清一色", 24, suits.is_in([MANZU, PINZU, SOUZU]),
        ("no_honors", "one_voided_suit")),
    Fan("pure_triple_chow", "一色三同顺", 24, _run_group(combined.PURE_TRIPLE_CHOW)),
    Fan("pure_shifted_pungs", "一色三节高", 24, _pung_group(combined.PURE_SHIFTED_PUNGS)),
    Fan("upper_tiles", "全大", 24, numbers_between(7, 9), ("upper_four", "no_honors")),
    Fan("middle_tiles", "全中", 24, numbers_between(4, 6), ("all_simples", "no_honors")),
    Fan("lower_tiles", "全小", 24, numbers_between(1, 3), ("lower_four", "no_honors")),
    # --- 16
    Fan("pure_straight", "清龙", 16, _run_group(combined.PURE_STRAIGHT)),
    Fan("three_suited_terminal_chows", "三色双龙会", 16,
        _run_group(combined.THREE_SUITED_TERMINAL_CHOWS),
        ("all_chows", "mixed_double_chow", "two_terminal_chows", "no_honors")),
    Fan("pure_shifted_chows", "一色三步高", 16, _run_group(combined.PURE_SHIFTED_CHOWS)),
    Fan("all_fives", "全带五", 16, _every_set_has_a_five, ("all_simples", "no_honors")),
    Fan("triple_pung", "三同刻", 16, _pung_group(combined.TRIPLE_PUNG)),
    Fan("three_concealed_pungs", "三暗刻", 16, has("concealed_triplet_count") == 3),
    # --- 12
    Fan("lesser_honors_and_knitted_tiles", "全不靠", 12, has("form") == LESSER_KNITTED,
        (*_FULLY_CLOSED, "all_types")),
    Fan("knitted_straight", "组合龙", 12,
        _knitted | ((has("form") == LESSER_KNITTED) & (ones(has("tiles") & _HONOURS) == 5))),
    Fan("upper_four", "大于五", 12, numbers_between(6, 9), ("no_honors",)),
    Fan("lower_four", "小于五", 12, numbers_between(1, 4), ("no_honors",)),
    Fan("big_three_winds", "三风刻", 12, ones(winds_in_triplets) == 3),
    # --- 8
    Fan("mixed_straight", "花龙", 8, _run_group(combined.MIXED_STRAIGHT)),
    Fan("reversible_tiles", "推不倒", 8, tiles_among("1234589p245689s5z"), ("one_voided_suit",)),
    Fan("mixed_triple_chow", "三色三同顺", 8, _run_group(combined.MIXED_TRIPLE_CHOW)),
    Fan("mixed_shifted_pungs", "三色三节高", 8, _pung_group(combined.MIXED_SHIFTED_PUNGS)),
    Fan("chicken_hand", "无番和", 8, pl.lit(False)),
    Fan("last_tile_draw", "妙手回春", 8, has("haitei"), ("self_drawn",)),
    Fan("last_tile_claim", "海底捞月", 8, has("houtei")),
    Fan("out_with_replacement_tile", "杠上开花", 8, has("rinshan"), ("self_drawn",)),
    Fan("robbing_the_kong", "抢杠和", 8, has("chankan"), ("last_tile",)),
    Fan("two_concealed_kongs_8", "双暗杠", 8, _two_concealed_kongs(8),
        ("two_concealed_pungs", "concealed_kong")),
    # --- 6
    Fan("all_pungs", "碰碰和", 6, all_pungs),
    Fan("half_flush", "混一色", 6, one_number_suit & has_honours),
    Fan("mixed_shifted_chows", "三色三步高", 6, _run_group(combined.MIXED_SHIFTED_CHOWS)),
    Fan("all_types", "五门齐", 6, suits == (MANZU | PINZU | SOUZU | WINDS | DRAGONS)),
    Fan("melded_hand", "全求人", 6, (has("open_count") == 4) & ron, ("single_wait",)),
    Fan("two_concealed_kongs", "双暗杠", 6, _two_concealed_kongs(6),
        ("two_concealed_pungs", "concealed_kong")),
    Fan("two_dragon_pungs", "双箭刻", 6, ones(dragons_in_triplets) == 2, ("dragon_pung",)),
    Fan("concealed_and_melded_kong", "明暗杠", 5, _mixed_kongs, ("concealed_kong", "melded_kong")),
    # --- 4
    Fan("outside_hand", "全带幺", 4, has("outside_count") == 5),
    Fan("fully_concealed", "不求人", 4, closed & tsumo, ("concealed_hand", "self_drawn")),
    Fan("two_melded_kongs", "双明杠", 4, _open_kongs == 2, ("melded_kong",)),
    Fan("last_tile", "和绝张", 4, has("is_last_copy")),
    # --- 2
    Fan("dragon_pung", "箭刻", 2, ones(dragons_in_triplets)),
    Fan("prevalent_wind", "圈风刻", 2, wind_pung("round")),
    Fan("seat_wind", "门风刻", 2, wind_pung("seat")),
    Fan("concealed_hand", "门前清", 2, closed & ron),
    Fan("all_chows", "平和", 2, _all_chows, ("no_honors",)),
    Fan("tile_hog", "四归一", 2, ones(has("fours") & ~has("kans"))),
    Fan("double_pung", "双同刻", 2, has("double_pungs")),
    Fan("two_concealed_pungs", "双暗刻", 2, has("concealed_triplet_count") == 2),
    Fan("concealed_kong", "暗杠", 2, has("concealed_kan_count") == 1),
    Fan("all_simples", "断幺", 2, (has("tiles") & YAOCHUU) == 0, ("no_honors",)),
    # --- 1
    Fan("pure_double_chow", "一般高", 1, has("pure_doubles")),
    Fan("mixed_double_chow", "喜相逢", 1, has("mixed_doubles")),
    Fan("short_straight", "连六", 1, has("short_straights")),
    Fan("two_terminal_chows", "老少副", 1, has("terminal_pairs")),
    Fan("pung_of_terminals_or_honors", "幺九刻", 1,
        _terminal_pungs + ones(_plain_winds) - (has("nine_gates") == 2)),
    Fan("melded_kong", "明杠", 1, _open_kongs == 1),
    Fan("one_voided_suit", "缺一门", 1, ones(suits & (MANZU | PINZU | SOUZU)) == 2),
    Fan("no_honors", "无字", 1, no_honours),
    Fan("edge_wait", "边张", 1, _unique(PENCHAN)),
    Fan("closed_wait", "坎张", 1, _unique(KANCHAN)),
    Fan("single_wait", "单钓将", 1, _unique(TANKI)),
    Fan("self_drawn", "自摸", 1, tsumo),
    Fan("flower_tiles", "花牌", 1, has("flowers")),
)  # fmt: skip
"""The fan, highest first. 双暗杠 has two entries; an option chooses one. 明暗杠 is from later
tables."""


def knitted_shapes(hands: Hands) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the knitted form of each hand, and the tiles of its knitted straight."""
    form = np.zeros(len(hands), dtype=np.int8)
    aside = np.zeros(len(hands), dtype=np.int64)
    combined.find_knitted(hands.concealed, hands.meld_kind, form, aside)
    return form, aside


def combined_sets(
    hands: Hands, rows: pl.DataFrame, options: Options
) -> Mapping[str, npt.NDArray[Any]]:
    """Return the columns of the readings that depend on combined sets, waits and last copies.

    They are how the sets combine, how many kinds the hand waited for, and whether the winning tile
    was the last of its kind. The hand's own melds may show that too.
    """
    out = np.zeros((len(combined.COMBINED), len(rows)), dtype=np.int8)
    sets = [rows[f"set_{i}"].to_numpy() for i in range(4)]
    combined.combine_sets(sets[0], sets[1], sets[2], sets[3], rows["pair"].to_numpy(), out)
    waited = np.zeros(len(hands), dtype=np.int8)
    combined.count_waits(
        suit_tables(), hands.concealed, hands.meld_kind, hands.win_tile,
        options["exhausted_waits"], waited,
    )  # fmt: skip
    last = hands.last_copy.copy()
    combined.find_last_copies(hands.meld_kind, hands.meld_tile, hands.win_tile, last)
    hand = rows["hand"].to_numpy()
    columns = dict(zip(combined.COMBINED, out, strict=True))
    return {**columns, "wait_count": waited[hand], "is_last_copy": last[hand]}


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: 8 from everyone, and the points from who pays for the hand."""
    base = pl.lit(options["base"])
    return {
        "from_each": base + has("worth"),
        "from_loser": base + has("worth"),
        "from_other": base,
    }


CHOICES: tuple[Choice, ...] = (
    Choice("minimum", 8, "Points a win needs, flowers not counted."),
    Choice("base", 8, "Points that every other seat pays in addition to the points of the fan."),
    Choice("mixed_kongs", False, "An exposed and a concealed kong are a fan of 5 (later tables) "
           "and not 2 + 1.", (False, True)),
    Choice("two_concealed_kongs", 6, "Points of two concealed kongs: 6, or 8 in later tables.",
           (6, 8)),
    Choice("knitted_chows", True, "A knitted straight beside a chow and a pair of numbers is all "
           "chows; the book does not say.", (True, False)),
    Choice("exhausted_waits", False, "A tile of which the hand holds all four still counts as a "
    "wait, so that a wait for another tile is not unique; the book does not say.", (False, True)),
)  # fmt: skip

FLOW = Flow(
    said={
        "circles": "", "dealer_after_own_win": "", "dealer_after_other_win": "",
        "dealer_after_draw": "", "winners": "",
        "start_points": "The book of 1998 has 500; QQ's text of it leaves them out.",
        "false_win": "The book of 1998 has 10 or 20; QQ's text of it leaves them out.",
        "table_points": "The source does not say; these are usual in tournaments.",
    },
    more=frozenset({"table_points", "false_win"}),
    circles=4,
    dealer_after_own_win=NEXT,
    dealer_after_other_win=NEXT,
    dealer_after_draw=NEXT,
    winners=ONE,
    has_winds=True,
    table_points=(4, 2, 1, 0),
)  # fmt: skip
"""The dealer never repeats; four rounds are a circle (圈), four circles a session (局) of sixteen
rounds, unless the time is over before; one seat wins, the first in turn after the discarder."""

MCR = Game(
    name="mcr",
    title="国标麻将 · Chinese Official (MCR)",
    called=("國標麻將", "中国麻将竞赛规则", "Chinese Official", "guobiao"),
    doc="The 81 fan of the 1998 competition rules; a win needs 8 points without flowers. After a "
    "self-draw each other seat pays 8 and the points; after a discard the discarder pays 8 and the "
    "points, and the others pay 8.",
    kinds=frozenset(range(KINDS)),
    facts=frozenset({"flowers"}),
    fan=FAN,
    choices=CHOICES,
    forms=(
        REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS, LESSER_KNITTED, GREATER_KNITTED,
        KNITTED_STRAIGHT,
    ),
    otherwise="chicken_hand",
    bonus=("flower_tiles",),
    may_win=lambda options: has("fan") >= options["minimum"],
    refusal=lambda options: (
        f"a win needs at least {options['minimum']} points, flowers not counted: "
        f"it has {FAN_COUNT}"
    ),
    worth=has("fan") + has("bonus"),
    payments=_payments,
    special=knitted_shapes,
    columns=combined_sets,
    flow=FLOW,
)  # fmt: skip

GAMES = (MCR,)
