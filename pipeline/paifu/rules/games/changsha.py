"""Changsha (长沙麻将): small and big hands, payments for a dealt hand, and the bird."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import EAST, KINDS
from paifu.rules.fan import features as words
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Need, Options, amount
from paifu.rules.fan.features import NUMBER_KINDS, discarder_alone
from paifu.rules.fan.flow import DISCARDER, WINNER, Flow
from paifu.rules.fan.game import Event, Fan, Game, any_of
from paifu.rules.hands.features import has, is_dealer, ron, tsumo
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shapes import (
    CHI,
    FIRST_SPECIAL,
    NO_MELD,
    REGULAR,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
)

_Number = TypeVar("_Number", int, pl.Expr)

ONLY_258 = FIRST_SPECIAL
"""The form of concealed 2s, 5s and 8s that are not sets and a pair; melds are pungs and kongs."""
_IS_258 = np.array([kind < EAST and kind % 9 % 3 == 1 for kind in range(KINDS)])

BIG = (
    Fan("seven_pairs", "七巧对", 1, words.seven_pairs_any),
    Fan("all_pungs", "碰碰和", 1, words.all_pungs),
    Fan("all_258", "将将和", 1, words.tiles_among("258m258p258s")),
    Fan("full_flush", "清一色", 1, words.full_flush),
    Fan("out_with_replacement_tile", "杠上花", 1, has("rinshan")),
    Fan("robbing_the_kong", "抢杠和", 1, has("chankan")),
    Fan("last_tile_draw", "海底捞月", 1, has("haitei")),
    Fan("last_tile_claim", "海底炮和", 1, has("houtei")),
    Fan("blessing_of_heaven", "天和", 1, has("first_turn") & tsumo & is_dealer),
    Fan(
        "blessing_of_earth",
        "地和",
        1,
        has("first_turn") & ron & ~is_dealer & (has("loser") == has("dealer")),
    ),
)
"""What makes a hand big; with the first four any pair will do."""
_FREE_PAIR = ("seven_pairs", "all_pungs", "all_258", "full_flush")
_BIG = tuple(fan.key for fan in BIG)

_DEALT = (
    Fan("dealt_four_alike", "四喜", 1, has("dealt_four_alike")),
    Fan("dealt_no_258", "板板和", 1, has("dealt_no_258")),
    Fan("dealt_voided_suit", "缺一色", 1, has("dealt_voided_suit")),
)
"""The small hands that a player shows as dealt."""


def _dealt_columns(hands: Hands, options: Options) -> Mapping[str, npt.NDArray[Any]]:
    suits = hands.concealed[:, :EAST].reshape(len(hands), 3, 9).sum(axis=2)
    return {
        "dealt_four_alike": (hands.concealed == 4).any(axis=1),
        "dealt_no_258": ~hands.concealed[:, _IS_258].any(axis=1),
        "dealt_voided_suit": (suits == 0).any(axis=1),
        "tsumo": np.ones(len(hands), dtype=np.bool_),
    }


def _dealt_worth(options: Options) -> pl.Expr:
    amount = pl.lit(options["small_self_drawn"], pl.Int32)
    return amount * has("fan").cast(pl.Int32) if options["dealt_stack"] == "each" else amount


def bird_seat(tile: _Number, dealer: _Number) -> _Number:
    """Return the seat of the bird: its number, counted from the dealer, who is 1.

    >>> [bird_seat(number - 1, 2) for number in (1, 2, 3, 4, 5)]
    [2, 3, 0, 1, 2]
    """
    return (dealer + tile % 9) % 4


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: everyone pays for a drawn hand, only the discarder for a claimed hand.

    The seat of the bird wins or loses twice the amount.
    """
    bird = has("bird").cast(pl.Int16)
    seat_of_bird = pl.when(bird >= 0).then(bird_seat(bird, has("dealer")))
    times = {
        f"times_{seat}": pl.when((seat_of_bird == seat) | (seat_of_bird == has("winner")))
        .then(2)
        .otherwise(1)
        for seat in range(4)
    }
    return {**discarder_alone(options), **times}


def _pays_big(options: Options) -> bool:
    return options["big_self_drawn"] is not None or options["big_discard"] is not None


def _special(hands: Hands) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Find the hands of 2, 5 and 8 only. The source lets them call pung and kong."""
    called = hands.meld_kind != NO_MELD
    fits = (hands.meld_kind != CHI) & _IS_258[np.clip(hands.meld_tile, 0, KINDS - 1)]
    outside = hands.concealed[:, ~_IS_258].any(axis=1) | (called & ~fits).any(axis=1)
    form = np.where(outside, 0, ONLY_258).astype(np.int8)
    return form, np.zeros(len(hands), dtype=np.int64)


def _forms(options: Options) -> tuple[int, ...]:
    forms = (REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE)
    return forms if options["all_258_needs_sets"] else (*forms, ONLY_258)


def _worth(options: Options) -> pl.Expr:
    def paid(size: str) -> pl.Expr:
        drawn, claimed = options[f"{size}_self_drawn"], options[f"{size}_discard"]
        return pl.when(tsumo).then(pl.lit(drawn, pl.Int32)).otherwise(pl.lit(claimed, pl.Int32))

    times = has("fan").cast(pl.Int32) if options["big_stack"] == "each" else pl.lit(1)
    return pl.when(any_of(*_BIG)).then(paid("big") * times).otherwise(paid("small"))


CHANGSHA = Game(
    name="changsha",
    title="长沙麻将 · Changsha",
    called=("長沙麻將",),
    doc="108 tiles. A small win needs a pair of 2, 5 or 8; seven pairs, all pungs, all 258 and one "
    "suit are big and free the pair; a win on a special tile is big; 四喜, 板板和 and 缺一色 are "
    "small hands shown as dealt. The seat of the bird wins or loses twice. The source has no "
    "amounts.",
    kinds=NUMBER_KINDS,
    facts=frozenset({"bird"}),
    fan=(*BIG, Fan("small_win", "平和", 0, words.pair_258)),
    choices=(
        Choice("small_self_drawn", NO_AMOUNT, "What each seat pays for a small self-drawn win."),
        Choice("small_discard", NO_AMOUNT, "What the discarder pays for a small win."),
        Choice("big_self_drawn", NO_AMOUNT, "What each seat pays for a big self-drawn win."),
        Choice("big_discard", NO_AMOUNT, "What the discarder pays for a big win."),
        Choice("all_258_needs_sets", False, "A hand of 2, 5 and 8 needs sets and a pair; the "
        "source does not say.", (False, True)),
        Choice("big_stack", "once", "A hand that is big in several ways is paid once, or for each "
               "way; the source does not say.", ("once", "each"),
               needs=Need("an amount big_self_drawn or big_discard", _pays_big)),
        Choice("dealt_stack", "once", "A dealt hand that shows several of 四喜, 板板和 and 缺一色 "
               "is paid once, or for each; the source does not say.", ("once", "each"),
               needs=amount("small_self_drawn")),
    ),
    forms=_forms,
    special=_special,
    may_win=any_of(*_FREE_PAIR, "small_win"),
    refusal="a small win needs a pair of 2, 5 or 8",
    worth=_worth,
    payments=_payments,
    dealt=Event(
        what="a hand as dealt, paid like a small self-drawn win",
        fan=_DEALT,
        columns=_dealt_columns,
        may_win=any_of(*(fan.key for fan in _DEALT)),
        refusal="it shows none of 四喜, 板板和 and 缺一色",
        worth=_dealt_worth,
        payments=_payments,
    ),
    flow=Flow(
        said=dict.fromkeys(
            (
                "dealer_after_own_win", "dealer_after_other_win", "dealer_after_several_wins",
                "winners",
            ),
            "",
        ),
        dealer_after_other_win=WINNER,
        dealer_after_several_wins=DISCARDER,
        missed_win="any discard, until the seat draws",
    ),
)  # fmt: skip

GAMES = (CHANGSHA,)
