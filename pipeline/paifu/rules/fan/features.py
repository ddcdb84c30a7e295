"""The conditions that the fan tables of Chinese games share, in addition to ``hands.features``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import EAST, KINDS, parse_tiles
from paifu.rules.fan.choices import Options
from paifu.rules.fan.game import Condition, Event, Fan
from paifu.rules.hands.features import (
    TERMINALS,
    has,
    has_honours,
    no_numbers,
    one_number_suit,
    only,
    straight_of_a_suit,
    suits,
)
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shapes import (
    DAIMINKAN,
    MANZU,
    PINZU,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    SOUZU,
    kinds,
)

EVERY_KIND = frozenset(range(KINDS))
NUMBER_KINDS = frozenset(range(EAST))


def ones(mask: pl.Expr) -> pl.Expr:
    """Return how many bits of a mask are set."""
    return mask.bitwise_count_ones().cast(pl.Int8)


def tiles_among(text: str) -> pl.Expr:
    """Return whether the hand has only these tiles, written in MPSZ."""
    return only(kinds(parse_tiles(text)))


def numbers_between(low: int, high: int) -> pl.Expr:
    """Return whether all tiles are numbers from ``low`` to ``high``."""
    return only(kinds(kind for kind in range(EAST) if low <= kind % 9 + 1 <= high))


def wind_pung(role: str) -> pl.Expr:
    """Return whether there is a pung of the ``seat`` or ``round`` wind."""
    return pl.any_horizontal(
        ((has("triplets_z") & (1 << wind)) != 0) & (has(f"{role}_wind") == wind)
        for wind in range(4)
    )


all_pungs = has("triplet_count") == 4
seven_pairs_any = has("form").is_in([SEVEN_PAIRS, SEVEN_PAIRS_ALIKE])
number_pair = has("pair").is_between(0, EAST - 1)
pair_258 = number_pair & ((has("pair") % 9) % 3 == 1)
all_chows = has("run_count") == 4
straight = straight_of_a_suit
full_flush = suits.is_in([MANZU, PINZU, SOUZU])
half_flush = one_number_suit & has_honours
all_honours = no_numbers
all_terminals = only(TERMINALS)
number_suits = ones(suits & (MANZU | PINZU | SOUZU))


def dearest_alone(classes: Sequence[Fan], *more: str) -> tuple[Fan, ...]:
    """Return fan that each strike all later fan and ``more``, so that only the first counts."""
    return tuple(
        replace(fan, strikes=(*(later.key for later in classes[place + 1 :]), *more))
        for place, fan in enumerate(classes)
    )


def discarder_alone(options: Options) -> Mapping[str, pl.Expr]:
    """Return payments: each seat pays for a drawn hand, only the discarder for a claimed hand."""
    return {"from_each": has("worth"), "from_loser": has("worth"), "from_other": pl.lit(0)}


def kong_feeders(hands: Hands) -> npt.NDArray[np.int16]:
    """Return int16[N, 4]: how many exposed kongs each seat fed the winner."""
    fed = np.zeros((len(hands), 4), dtype=np.int16)
    for seat in range(4):
        is_fed = (hands.meld_kind == DAIMINKAN) & (hands.meld_from == seat)
        fed[:, seat] = is_fed.sum(axis=1)
    return fed


def kong_event(
    times: Callable[[Options], Mapping[int, int]],
    unit: Callable[[Options], int | None],
    *,
    by_feeder: bool,
    may_win: Condition | None = None,
    refusal: str = "it is paid nothing",
) -> Event:
    """Return the payment of a kong that is paid at once.

    ``times`` says how many units each payer pays for each kind of kong (``DAIMINKAN``, ``KAKAN``,
    ``ANKAN``), ``unit`` how much a unit is. If ``by_feeder``, the seat that fed an exposed kong
    pays for it. Everyone pays for any other kong.
    """

    def columns(hands: Hands, options: Options) -> Mapping[str, npt.NDArray[Any]]:
        return {"kong": hands.meld_kind[:, 0]}

    def worth(options: Options) -> pl.Expr:
        paid = has("kong").replace_strict(times(options), default=None, return_dtype=pl.Int32)
        return paid * pl.lit(unit(options), pl.Int32)

    other = pl.lit(0) if by_feeder else has("worth")
    return Event(
        what="a kong by itself, which is paid at once",
        columns=columns,
        worth=worth,
        may_win=pl.lit(True) if may_win is None else may_win,
        refusal=refusal,
        payments=lambda options: {
            "from_each": has("worth"), "from_loser": has("worth"), "from_other": other,
        },
    )  # fmt: skip
