"""Chengdu and Sichuan (成都, 四川): two suits at most, fan that double, kongs paid at once."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from paifu.rules.fan import NO_AMOUNT, Choice, Fan, Game, Options
from paifu.rules.games import words
from paifu.rules.games.words import NUMBER_KINDS, discarder_alone, kong_payments, ones
from paifu.rules.shapes import ANKAN, DAIMINKAN, KAKAN, REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE
from paifu.rules.terms import has

FAN = (
    Fan("full_flush", "清一色", 2, words.full_flush),
    Fan("seven_pairs", "七对", 2, words.seven_pairs_any),
    Fan("all_pungs", "对对和", 1, words.all_pungs),
    Fan("four_of_a_kind", "杠或四归一", 1, ones(has("fours"))),
    Fan("out_with_replacement_tile", "杠上开花", 1, has("rinshan")),
)


def _worth(options: Options) -> pl.Expr:
    fan = pl.min_horizontal("fan", options["cap"]) if options["cap"] else has("fan")
    return pl.lit(options["base"], pl.Int32) * pl.lit(2, pl.Int32).pow(fan)


CHENGDU = Game(
    name="chengdu",
    title="成都麻将 · Chengdu",
    doc="108 tiles, no chi; a winning hand has two suits at most. Fan add and each doubles the "
    "base, which the source does not give; the discarder or everyone pays (assumed).",
    kinds=NUMBER_KINDS,
    fan=FAN,
    choices=(
        Choice("base", NO_AMOUNT, "What a hand without fan is worth to each payer."),
        Choice("cap", 0, "Most fan that count; 0: no cap. The source names none."),
    ),
    chi=False,
    forms=(REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE),
    may_win=words.number_suits <= 2,
    refusal="a winning hand lacks one suit (缺一门)",
    worth=_worth,
    payments=discarder_alone,
)

SICHUAN = replace(
    CHENGDU,
    name="sichuan",
    title="四川麻将 · Sichuan",
    doc="As chengdu (成都计番), with kongs paid at once (刮风下雨) by those who have not won yet. "
    "The source gives no base, and names 查叫 and 查花猪 without describing them.",
)


def kong_deltas(
    kind: int, seat: int, base: int, *, feeder: int = -1, out: tuple[int, ...] = ()
) -> list[int]:
    """Return what each seat gains by a kong of ``seat``, for ``base`` points.

    ``DAIMINKAN`` (直杠): its ``feeder`` pays the base; ``KAKAN`` (面下杠): everyone who has not won
    (is not in ``out``) pays it; ``ANKAN`` (暗杠): they pay it twice.

    >>> kong_deltas(ANKAN, 0, 1, out=(2,))
    [4, -2, 0, -2]
    """
    unit = {DAIMINKAN: base, KAKAN: base, ANKAN: 2 * base}
    return kong_payments(kind, seat, unit, feeder=feeder, out=out)


GAMES = (CHENGDU, SICHUAN)
