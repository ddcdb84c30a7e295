"""卡五心 and Fushun (抚顺), for three players: the sources describe little but their tiles."""

from __future__ import annotations

import polars as pl

from paifu.game.tiles import NORTH, WHITE
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Need, Options, amount
from paifu.rules.fan.features import EVERY_KIND, discarder_alone
from paifu.rules.fan.game import Fan, Game, any_of
from paifu.rules.hands.features import has
from paifu.rules.hands.shapes import KANCHAN

_FIVES = {"sm": (4, 22), "any": (4, 13, 22)}
"""5m (五万) and 5s (五条), or the fives of all suits."""
_SUITS = {"m": range(9), "p": range(9, 18), "s": range(18, 27)}


def _without_suit(options: Options) -> frozenset[int]:
    removed = _SUITS[options["removed_suit"]]
    dragons = range(WHITE, WHITE + 3)
    return frozenset({*range(27), *dragons} - set(removed))


KAWUXING = Game(
    name="kawuxing",
    title="卡五心 · three players",
    called=("卡五星",),
    doc="84 tiles: two suits and the dragons; no chi. A win on 5s or 5m between 4 and 6 is big "
    "(大胡), any other win is ordinary; the source gives no amounts.",
    kinds=_without_suit,
    fan=(
        Fan("middle_five", "卡五", 1,
            lambda options: has("win_tile").is_in(_FIVES[options["fives"]])
            & (has("wait") == KANCHAN)),
    ),
    choices=(
        Choice("removed_suit", "p", "The suit that is taken out; the source says any "
        "suit.", ("m", "p", "s")),
        Choice("fives", "sm", "Which fives make a big win: 5s and 5m, which the source names, or "
        "the five of any suit.", ("sm", "any"),
               needs=Need('removed_suit = "m" or "s"', lambda o: o["removed_suit"] != "p")),
        Choice("big", NO_AMOUNT, "What each payer pays for a big win."),
        Choice("ordinary", NO_AMOUNT, "What each payer pays for an ordinary win."),
    ),
    players=3,
    chi=False,
    worth=lambda options: pl.when(any_of("middle_five"))
    .then(pl.lit(options["big"], pl.Int32))
    .otherwise(pl.lit(options["ordinary"], pl.Int32)),
    payments=discarder_alone,
)  # fmt: skip

_NINES = {0, 8}
_FUSHUN_TILES: dict[int | None, frozenset[int]] = {
    116: EVERY_KIND - set(range(1, 8)),
    72: frozenset({*_NINES, *range(9, 18), *range(27, 34)} - {NORTH}),
    68: frozenset({*_NINES, *range(9, 18), *range(27, 34)} - {NORTH}),
    None: EVERY_KIND - set(range(1, 8)),
}
"""The kinds of each tile set; the source contradicts itself: 116 tiles with eight flowers, 72 with
four flowers, 68 without flowers."""

FUSHUN = Game(
    name="fushun-3p",
    title="抚顺三人麻将 · Fushun, three players",
    called=("抚顺麻将", "撫順麻將", "fushun"),
    doc="The source gives only a tile set, in three ways: 116 tiles by the walls (20 + 19 + 19 "
    "stacks), 72 or 68 by what is taken out. It gives no winning conditions and no scores.",
    kinds=lambda options: _FUSHUN_TILES[options["tile_set"]],
    choices=(
        Choice("tile_set", NO_AMOUNT, "The number of tiles: 116, 72 or 68.",
               (116, 72, 68)),
        Choice("base", NO_AMOUNT, "What each payer pays for a win.", needs=amount("tile_set")),
    ),
    players=3,
    worth=lambda options: pl.lit(options["base"] if options["tile_set"] else None, pl.Int32),
    payments=discarder_alone,
)  # fmt: skip

GAMES = (KAWUXING, FUSHUN)
