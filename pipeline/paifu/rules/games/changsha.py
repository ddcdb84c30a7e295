"""Changsha (长沙麻将): small and big hands, what the dealt hand can win, and the bird."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.fan import NO_AMOUNT, Choice, Fan, Game, Options, any_of
from paifu.rules.games import words
from paifu.rules.games.words import NUMBER_KINDS, discarder_alone
from paifu.rules.hands import Hands
from paifu.rules.shapes import FIRST_SPECIAL, NO_MELD, REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE
from paifu.rules.terms import has, is_dealer, ron, tsumo

ONLY_258 = FIRST_SPECIAL
"""Fourteen tiles of 2, 5 and 8 that are no sets and pair."""
_IS_258 = np.array([kind < 27 and kind % 9 % 3 == 1 for kind in range(34)])

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
    Fan("blessing_of_earth", "地和", 1, has("first_turn") & ron & ~is_dealer),
)
"""What makes a hand a big one; the first four also free the pair."""
_FREE_PAIR = ("seven_pairs", "all_pungs", "all_258", "full_flush")
_BIG = tuple(fan.key for fan in BIG)

DEALT = ("四喜", "板板和", "缺一色")


def dealt_wins(counts: npt.NDArray[np.int8]) -> list[str]:
    """Return the small hands (小和) that a dealt hand shows, by their names in ``DEALT``.

    ``counts`` int8[34] are the 13 or 14 tiles dealt: four alike, no 2, 5 or 8, or a suit missing.
    """
    suits = counts[:27].reshape(3, 9).sum(axis=1)
    shown = ((counts == 4).any(), counts[_IS_258].sum() == 0, (suits == 0).any())
    return [name for name, is_shown in zip(DEALT, shown, strict=True) if is_shown]


def bird_seat(tile: int, dealer: int) -> int:
    """Return the seat the bird falls on: its number counted from the dealer, who is 1."""
    return (dealer + tile % 9) % 4


def _special(hands: Hands) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    outside = hands.concealed[:, ~_IS_258].sum(axis=1) + (hands.meld_kind != NO_MELD).sum(axis=1)
    form = np.where(outside == 0, ONLY_258, 0).astype(np.int8)
    return form, np.zeros(len(hands), dtype=np.int64)


def _forms(options: Options) -> tuple[int, ...]:
    forms = (REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE)
    return forms if options["all_258_needs_sets"] else (*forms, ONLY_258)


def _worth(options: Options) -> pl.Expr:
    def amount(size: str) -> pl.Expr:
        drawn, claimed = options[f"{size}_self_drawn"], options[f"{size}_discard"]
        return pl.when(tsumo).then(pl.lit(drawn, pl.Int32)).otherwise(pl.lit(claimed, pl.Int32))

    return pl.when(any_of(*_BIG)).then(amount("big")).otherwise(amount("small"))


CHANGSHA = Game(
    name="changsha",
    title="长沙麻将 · Changsha",
    doc="108 tiles. A small win needs a pair of 2, 5 or 8; seven pairs, all pungs, all 258 and one "
    "suit are big and free the pair; a win on a special tile is big. The source has no amounts.",
    kinds=NUMBER_KINDS,
    fan=(*BIG, Fan("small_win", "平和", 0, words.pair_258)),
    choices=(
        Choice("small_self_drawn", NO_AMOUNT, "What each seat pays for a small self-drawn win."),
        Choice("small_discard", NO_AMOUNT, "What the discarder pays for a small win."),
        Choice("big_self_drawn", NO_AMOUNT, "What each seat pays for a big self-drawn win."),
        Choice("big_discard", NO_AMOUNT, "What the discarder pays for a big win."),
        Choice("all_258_needs_sets", False, "A hand of 2, 5 and 8 needs sets and a pair; the "
               "source does not say.", (False, True)),
    ),
    forms=_forms,
    special=_special,
    may_win=any_of(*_FREE_PAIR, "small_win"),
    refusal="a small win needs a pair of 2, 5 or 8",
    worth=_worth,
    payments=discarder_alone,
)  # fmt: skip

GAMES = (CHANGSHA,)
