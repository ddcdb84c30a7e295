"""The words the fan tables of Chinese games share, beside those of :mod:`paifu.rules.terms`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.fan import Fan, Options
from paifu.rules.hands import Hands
from paifu.rules.shapes import (
    DAIMINKAN,
    MANZU,
    PINZU,
    SEVEN_PAIRS,
    SEVEN_PAIRS_ALIKE,
    SOUZU,
    kinds,
)
from paifu.rules.terms import TERMINALS, has, has_honours, no_numbers, one_number_suit, only, suits
from paifu.tiles import EAST, KINDS, parse_tiles

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
full_flush = suits.is_in([MANZU, PINZU, SOUZU])
half_flush = one_number_suit & has_honours
all_honours = no_numbers
all_terminals = only(TERMINALS)
number_suits = ones(suits & (MANZU | PINZU | SOUZU))


def dearest_alone(classes: Sequence[Fan], *more: str) -> tuple[Fan, ...]:
    """Return fan of which the first that is there strikes the later ones, and ``more``."""
    return tuple(
        replace(fan, strikes=(*(later.key for later in classes[place + 1 :]), *more))
        for place, fan in enumerate(classes)
    )


def discarder_alone(options: Options) -> Mapping[str, pl.Expr]:
    """Return payments of which each seat pays a drawn hand, the discarder alone a claimed one."""
    return {"from_each": has("worth"), "from_loser": has("worth"), "from_other": pl.lit(0)}


def kong_feeders(hands: Hands) -> npt.NDArray[np.int16]:
    """Return int16[N, 4]: how many exposed kongs each seat fed the winner."""
    fed = np.zeros((len(hands), 4), dtype=np.int16)
    for seat in range(4):
        is_fed = (hands.meld_kind == DAIMINKAN) & (hands.meld_from == seat)
        fed[:, seat] = is_fed.sum(axis=1)
    return fed


def kong_payments(
    kind: int, seat: int, unit: dict[int, int], *, feeder: int = -1, out: tuple[int, ...] = ()
) -> list[int]:
    """Return what each of four seats gains by a kong that is paid at once.

    ``unit`` says what a payer of each kind of kong pays (``DAIMINKAN``, ``KAKAN``, ``ANKAN``). An
    exposed kong with a ``feeder`` is paid by him alone; otherwise everyone pays who has not won
    yet (is not in ``out``).
    """
    payers = [feeder] if kind == DAIMINKAN and feeder >= 0 else range(4)
    deltas = [0, 0, 0, 0]
    for payer in payers:
        if payer != seat and payer not in out:
            deltas[payer] -= unit[kind]
            deltas[seat] += unit[kind]
    return deltas
