"""The engine of games other than riichi: winning hands in, fan, points and payments out.

The way is that of :mod:`paifu.rules.engine`: every reading a row, every fan an expression over the
rows, the dearest reading chosen by a kernel, payments as expressions over the chosen rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.fan import Game, column_of, count_rows, resolved
from paifu.rules.hands import FAULT, FAULT_KEYS, FIRST_IMPOSSIBLE, Hands
from paifu.rules.reading_text import READING_COLUMNS, reading_text
from paifu.rules.scoring_kernels import best_rows
from paifu.rules.shapes import CHI, NARROW, WIDE, readings
from paifu.rules.terms import has
from paifu.tiles import KINDS

CONTEXT = (
    "tsumo", "rinshan", "haitei", "houtei", "chankan", "first_turn", "last_copy", "seat_wind",
    "round_wind", "flowers", "liable", "wild", "winner", "loser", "dealer", "dealer_wins",
    "win_tile", "riichi",
)  # fmt: skip
"""Fields of :class:`Hands` that fan, values and payments may use."""

_STATUSES = ("ok", "no_yaku", "not_complete", "impossible", "unreadable", "unpriced")
_OK, _NO_YAKU, _NOT_COMPLETE, _IMPOSSIBLE, _UNREADABLE, _UNPRICED = range(6)
_SEATS = 4
_NOT_COUNTED = (
    "honba_points", "stick_points", "dora_han", "aka_han", "ura_han", "kita_han", "pao_seat",
    "chips",
)  # fmt: skip
"""Columns of a score that only riichi has."""


def score_game(hands: Hands, game: Game) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the frames ``wins`` and ``yaku`` of :class:`paifu.rules.engine.Scored`.

    A hand that is complete but may not win has the status ``no_yaku``; one that wins by the rules
    but whose price the source does not give ``unpriced``, with the amounts to be given as reason.
    """
    fault = _faults(hands, game)
    rows = _rows(hands, game, fault)
    best = np.full(len(hands), -1, dtype=np.int64)
    if len(rows):
        key = rows.select(
            pl.when(has("may_win"))
            .then(has("worth").fill_null(0).cast(pl.Int64) * (1 << 24) + has("fan") + (1 << 16))
            .otherwise(0)
        ).to_series()
        best_rows(rows["hand"].to_numpy(), key.to_numpy(), best)
    complete = best >= 0
    won = complete.copy()
    won[complete] = rows["may_win"].to_numpy()[best[complete]]
    known = rows.drop([*NARROW, *WIDE])
    chosen = known[np.where(won, best, 0)] if len(rows) else known.clear(len(hands))
    wins = _wins(chosen.with_columns(won=pl.Series(won)), game).with_columns(
        reading=_reading_text(hands, rows, np.where(won, best, -1)),
        **_status(fault, complete, won, chosen, game),
    )
    return wins, _yaku(rows, best[won], game)


def _reading_text(hands: Hands, rows: pl.DataFrame, best: npt.NDArray[np.int64]) -> pl.Series:
    if not len(rows):
        return pl.Series([None] * len(hands), dtype=pl.String)
    columns = {name: rows[name].to_numpy() for name in READING_COLUMNS}
    return reading_text(columns, hands.concealed, best)


def _faults(hands: Hands, game: Game) -> npt.NDArray[np.int8]:
    """Return the code of what is wrong with each hand, tiles the game does not have included."""
    codes = (hands if game.players == _SEATS else _seated_as_four(hands)).faults()
    codes[(hands.winner >= hands.players) & (codes == 0)] = FAULT["bad_seat"]
    has_kind = np.array([kind in game.tile_kinds for kind in range(KINDS)])
    foreign = (hands.concealed > 0)[:, ~has_kind].any(axis=1)
    tile = np.clip(hands.meld_tile, 0, KINDS - 1)
    foreign |= ((hands.meld_tile >= 0) & ~has_kind[tile]).any(axis=1)
    for wrong, fault in (
        (foreign, "foreign_tiles"),
        ((hands.flowers > 0) if not game.flowers else hands.flowers > 8, "foreign_flowers"),
        ((hands.meld_kind == CHI).any(axis=1) if not game.chi else foreign, "foreign_chi"),
        (hands.players != game.players, "foreign_players"),
    ):
        codes[wrong & (codes == 0)] = FAULT[fault]
    return codes


def _seated_as_four(hands: Hands) -> Hands:
    """Return hands of three players as of four, so that riichi's rules for three do not apply."""
    seated = hands[np.arange(len(hands))]
    seated.players[:] = _SEATS
    seated.seat_wind[:] = (seated.winner - seated.dealer) % _SEATS
    return seated


def _rows(hands: Hands, game: Game, fault: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Return the readings with all that is known of them, up to ``may_win`` and ``worth``."""
    hands = hands[np.arange(len(hands))]
    hands.win_tile[fault != 0] = -1
    expanded = game.expand(hands) if game.expand else None
    if expanded:
        hands = expanded.hands
    special, aside = game.special(hands) if game.special else (None, None)
    frame = readings(
        hands.concealed, hands.meld_kind, hands.meld_tile, hands.win_tile, hands.tsumo, special,
        aside,
    )  # fmt: skip
    forms = game.forms(game.options) if callable(game.forms) else game.forms
    frame = frame.filter(has("form").is_in(forms))
    hand = frame["hand"].to_numpy()
    frame = frame.with_columns(
        **{name: pl.Series(getattr(hands, name)[hand]) for name in CONTEXT},
        is_dealer=pl.Series((hands.winner == hands.dealer)[hand]),
    )
    if expanded:
        facts = {name: pl.Series(values[hand]) for name, values in expanded.columns.items()}
        frame = frame.with_columns(**facts)
    if game.columns:
        more = game.columns(hands, frame, game.options)
        frame = frame.with_columns(**{name: pl.Series(values) for name, values in more.items()})
    frame = pl.concat([frame, count_rows(frame, game)], how="horizontal")
    frame = frame.with_columns(may_win=resolved(game.may_win, game.options))
    frame = frame.with_columns(worth=resolved(game.worth, game.options).cast(pl.Int32))
    if expanded is None:
        return frame
    return frame.with_columns(hand=pl.Series(expanded.origin[hand].astype(np.int32)))


def _wins(chosen: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Return the score columns of the chosen readings; NULL where the hand did not win."""
    paid = {name: expr.cast(pl.Int32) for name, expr in game.payments(game.options).items()}
    nothing = pl.lit(None, pl.Int32)
    from_each = paid.get("from_each", nothing)
    from_loser = paid.get("from_loser", nothing)
    from_other = paid.get("from_other", nothing)
    seats = range(game.players)
    owed = [
        pl.when(has("winner") == seat)
        .then(0)
        .when(has("tsumo"))
        .then(from_each)
        .when(has("loser") == seat)
        .then(from_loser)
        .otherwise(from_other)
        for seat in seats
    ]
    for seat in seats:
        if f"extra_{seat}" in paid:
            extra = pl.when(has("winner") == seat).then(0).otherwise(paid[f"extra_{seat}"])
            owed[seat] = owed[seat] + extra
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
            for seat in range(_SEATS)
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


def _yaku(rows: pl.DataFrame, best: npt.NDArray[np.int64], game: Game) -> pl.DataFrame:
    """Return the fan of the chosen readings, in the order of the table, with their points."""
    hand_of = rows["hand"].to_numpy()[best]
    hands, keys, points = [], [], []
    for place, fan in enumerate(game.fan):
        times = rows[column_of(fan.key)].to_numpy()[best]
        has_it = np.flatnonzero(times)
        hands.append(hand_of[has_it])
        keys.append(np.full(len(has_it), place, dtype=np.uint32))
        points.append(times[has_it].astype(np.int16) * np.int16(fan.points))
    if not hands:
        return pl.DataFrame(schema={"hand": pl.Int32, "yaku": pl.String, "han": pl.Int16})
    hand = np.concatenate(hands)
    order = np.argsort(hand, kind="stable")
    names = pl.Series([fan.key for fan in game.fan], dtype=pl.String)
    return pl.DataFrame(
        {
            "hand": hand[order],
            "yaku": names.gather(np.concatenate(keys)[order]),
            "han": np.concatenate(points)[order],
        }
    )


def _status(
    fault: npt.NDArray[np.int8],
    complete: npt.NDArray[np.bool_],
    won: npt.NDArray[np.bool_],
    chosen: pl.DataFrame,
    game: Game,
) -> dict[str, Any]:
    """Return the status and reason columns."""
    unpriced = won & chosen["worth"].is_null().to_numpy()
    code = np.where(won, _OK, np.where(complete, _NO_YAKU, _NOT_COMPLETE))
    code[unpriced] = _UNPRICED
    code[fault > 0] = np.where(fault[fault > 0] >= FIRST_IMPOSSIBLE, _IMPOSSIBLE, _UNREADABLE)
    missing = (
        f"the rules give no amount for {', '.join(game.missing)}: set it in a TOML file with "
        f"extends = {game.name!r}"
    )
    reasons = pl.Series([None, *FAULT_KEYS[1:], missing], dtype=pl.String)
    which = np.where(unpriced & (fault == 0), len(FAULT_KEYS), fault)
    return {
        "status": pl.Series(_STATUSES, dtype=pl.String).gather(code),
        "reason": reasons.gather(which.astype(np.uint32)),
    }
