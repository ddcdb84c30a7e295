"""The terms of yaku and fan: expressions over the columns of a reading and of its hand.

The columns are those of :mod:`paifu.rules.hands.shapes` and :mod:`paifu.rules.hands.hands`.
"""

from __future__ import annotations

import polars as pl

from paifu.game.tiles import EAST, IS_YAOCHUU, KINDS, WHITE
from paifu.rules.hands.shapes import (
    DRAGONS,
    MANZU,
    PINZU,
    REGULAR,
    SEVEN_PAIRS,
    SOUZU,
    WINDS,
    kinds,
)


def has(column: str) -> pl.Expr:
    """Return the expression of a circumstance or feature column."""
    return pl.col(column)


# --- the hand's circumstances
closed = pl.col("open_count") == 0
tsumo = pl.col("tsumo")
ron = ~pl.col("tsumo")
is_dealer = pl.col("is_dealer")

# --- its form
regular = pl.col("form") == REGULAR
seven_pairs = pl.col("form") == SEVEN_PAIRS
regular_or_pairs = pl.col("form") <= SEVEN_PAIRS

# --- its tiles
ALL = (1 << KINDS) - 1
YAOCHUU = kinds(kind for kind in range(KINDS) if IS_YAOCHUU[kind])
TERMINALS = kinds(kind for kind in range(EAST) if IS_YAOCHUU[kind])
NUMBERS, HONOURS = MANZU | PINZU | SOUZU, WINDS | DRAGONS

suits = pl.col("suits")
has_honours = (suits & HONOURS) != 0
no_honours = (suits & HONOURS) == 0
no_numbers = (suits & NUMBERS) == 0
one_number_suit = (suits & NUMBERS).is_in([MANZU, PINZU, SOUZU])


def only(mask: int) -> pl.Expr:
    """Return whether all kinds of the hand are in ``mask``."""
    return (pl.col("tiles") & (ALL & ~mask)) == 0


# --- its sets
def runs(suit: str) -> pl.Expr:
    """Return the mask of run starts of a suit (``m``, ``p``, ``s``)."""
    return pl.col(f"runs_{suit}")


def triplets(suit: str) -> pl.Expr:
    """Return the mask of triplets of a suit (``m``, ``p``, ``s``) or of honours (``z``)."""
    return pl.col(f"triplets_{suit}")


def all_of(masks: pl.Expr, mask: int) -> pl.Expr:
    """Return whether a mask column has all bits of ``mask``."""
    return (masks & mask) == mask


STRAIGHT = 0b1001001
"""The mask of runs from 1, 4 and 7."""
WIND_BITS, DRAGON_BITS = 0b0001111, 0b1110000

straight_of_a_suit = pl.any_horizontal(all_of(runs(suit), STRAIGHT) for suit in "mps")
winds_in_triplets = triplets("z") & WIND_BITS
dragons_in_triplets = triplets("z") & DRAGON_BITS

pair = pl.col("pair")
wind_pair = pair.is_between(EAST, WHITE - 1)
dragon_pair = pair >= WHITE
seat_pair = pair == pl.col("seat_wind") + EAST
round_pair = pair == pl.col("round_wind") + EAST
value_pair = dragon_pair | seat_pair | round_pair


def value_wind(role: str, wind: int) -> pl.Expr:
    """Return whether there is a triplet of ``wind`` and it is the ``seat`` or ``round`` wind."""
    return ((triplets("z") & (1 << wind)) != 0) & (pl.col(f"{role}_wind") == wind)
