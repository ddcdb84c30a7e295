"""Who pays what for a hand of a game other than riichi: payments as the columns of a score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.fan.game import Fan, Game, Payments, column_of
from paifu.rules.hands.features import has

SEATS = 4
_NOT_COUNTED = (
    "honba_points", "stick_points", "dora_han", "aka_han", "ura_han", "kita_han", "pao_seat",
    "chips",
)  # fmt: skip
"""Columns of a score that only riichi has."""


def score_columns(chosen: pl.DataFrame, payments: Payments, game: Game) -> pl.DataFrame:
    """Return the score columns of rows with ``won``, ``worth``, ``fan`` and the circumstances.

    Everything is NULL where ``won`` is false; a row without ``worth`` keeps only its ``han``.
    """
    seats = range(game.players)
    paid = {name: expr.cast(pl.Int32) for name, expr in payments(game.options).items()}
    owed = [_owed(seat, paid) for seat in seats]
    total = pl.sum_horizontal(owed, ignore_nulls=False)
    liable = paid.get("liable", pl.lit(-1, pl.Int32))
    is_liable = (liable >= 0) & (liable != has("winner"))
    deltas = [
        pl.when(has("winner") == seat)
        .then(total)
        .when(is_liable)
        .then(pl.when(liable == seat).then(-total).otherwise(0))
        .otherwise(-owed[seat])
        for seat in seats
    ]
    columns: dict[str, pl.Expr] = {
        "han": (has("fan") + has("bonus")).cast(pl.Int16),
        "fu": pl.lit(None, pl.Int16),
        "yakuman": pl.lit(None, pl.Int16),
        "limit": pl.lit(None, pl.String),
        "points": total,
        **{
            name: pl.lit(None, pl.Int32 if name.endswith("_points") else pl.Int16)
            for name in _NOT_COUNTED
        },
        **{
            f"delta_{seat}": deltas[seat] if seat in seats else pl.lit(None, pl.Int32)
            for seat in range(SEATS)
        },
    }
    is_priced = has("worth").is_not_null()
    return chosen.select(
        pl.when(has("won") & (is_priced if name not in ("han", "limit") else True))
        .then(expr)
        .otherwise(None)
        .alias(name)
        for name, expr in columns.items()
    )


def _owed(seat: int, paid: dict[str, pl.Expr]) -> pl.Expr:
    """Return what a seat owes the winner: 0 for the winner and for a seat that has won before."""
    nothing = pl.lit(None, pl.Int32)
    owed = (
        pl.when(has("tsumo"))
        .then(paid.get("from_each", nothing))
        .when(has("loser") == seat)
        .then(paid.get("from_loser", nothing))
        .otherwise(paid.get("from_other", nothing))
    )
    if f"extra_{seat}" in paid:
        owed = owed + paid[f"extra_{seat}"]
    if f"times_{seat}" in paid:
        owed = owed * paid[f"times_{seat}"]
    is_free = (has("winner") == seat) | ((has("out") & (1 << seat)) != 0)
    return pl.when(is_free).then(0).otherwise(owed)


def fan_rows(
    rows: pl.DataFrame, best: npt.NDArray[np.int64], table: tuple[Fan, ...]
) -> pl.DataFrame:
    """Return the fan of the chosen rows, in the order of the table, with their points.

    Columns ``hand``, ``yaku`` and ``han``, by hand.
    """
    hand_of = rows["hand"].to_numpy()[best]
    hands, keys, points = [], [], []
    for place, fan in enumerate(table):
        times = rows[column_of(fan.key)].to_numpy()[best]
        has_it = np.flatnonzero(times)
        hands.append(hand_of[has_it])
        keys.append(np.full(len(has_it), place, dtype=np.uint32))
        points.append(times[has_it].astype(np.int16) * np.int16(fan.points))
    if not hands:
        return pl.DataFrame(schema={"hand": pl.Int32, "yaku": pl.String, "han": pl.Int16})
    hand = np.concatenate(hands).astype(np.int32)
    order = np.argsort(hand, kind="stable")
    names = pl.Series([fan.key for fan in table], dtype=pl.String)
    return pl.DataFrame(
        {
            "hand": hand[order],
            "yaku": names.gather(np.concatenate(keys)[order]),
            "han": np.concatenate(points)[order],
        }
    )
