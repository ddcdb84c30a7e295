"""The engine of games other than riichi: winning hands in, fan, points and payments out.

It works like :mod:`paifu.rules.engine`: every reading is a row, every fan is an expression over the
rows, a kernel chooses the reading that is worth most, and payments are expressions over the chosen
rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import KINDS
from paifu.rules.fan.events import HAND, refusal_of, score_events, sorts
from paifu.rules.fan.game import FAN_COUNT, Game, amounts_needed, count_rows, resolved
from paifu.rules.fan.payments import SEATS, fan_rows, score_columns
from paifu.rules.hands.faults import FAULT, FAULT_KEYS, FIRST_IMPOSSIBLE
from paifu.rules.hands.features import has
from paifu.rules.hands.hands import Hands, find_foreign_facts, seat_faults
from paifu.rules.hands.reading_text import READING_COLUMNS, reading_text
from paifu.rules.hands.scoring_kernels import best_rows
from paifu.rules.hands.shapes import CHI, NARROW, WIDE, readings

CONTEXT = (
    "tsumo", "rinshan", "haitei", "houtei", "chankan", "first_turn", "last_copy", "seat_wind",
    "round_wind", "flowers", "liable", "wild", "winner", "loser", "dealer", "dealer_wins",
    "win_tile", "riichi", "bird", "out", "raised", "triple_ron",
)  # fmt: skip
"""Fields of :class:`Hands` that fan, values and payments may use."""

_STATUSES = ("ok", "no_yaku", "not_complete", "impossible", "unreadable", "unpriced")
_OK, _NO_YAKU, _NOT_COMPLETE, _IMPOSSIBLE, _UNREADABLE, _UNPRICED = range(6)


Found = tuple[pl.DataFrame, pl.DataFrame, npt.NDArray[np.int16]]
"""The frames ``wins`` and ``yaku`` and the array ``counted`` of a ``Scored``."""


def score_game(hands: Hands, game: Game) -> Found:
    """Return ``wins``, ``yaku`` and ``counted`` of :class:`paifu.rules.engine.Scored`.

    A complete hand that may not win has the status ``no_yaku``; the reason says what a win needs.
    A hand that wins but for which the source gives no price has the status ``unpriced``; the reason
    names the amounts to set.
    """
    sort = sorts(hands, game)
    present = np.unique(sort).tolist()
    if len(present) < 2:
        return _score_sort(hands, game, present[0] if present else HAND)
    rows = [np.flatnonzero(sort == each) for each in present]
    parts = [_score_sort(hands[at], game, each) for at, each in zip(rows, present, strict=True)]
    order = np.argsort(np.concatenate(rows))
    wins = pl.concat([wins for wins, _, _ in parts])[order]
    yaku = pl.concat(
        fan.with_columns(hand=pl.Series(at[fan["hand"].to_numpy()].astype(np.int32)))
        for at, (_, fan, _) in zip(rows, parts, strict=True)
    )
    counted = np.concatenate([each for _, _, each in parts])[order]
    return wins, yaku.sort("hand", maintain_order=True), counted


def _score_sort(hands: Hands, game: Game, sort: int) -> Found:
    return _score_hands(hands, game) if sort == HAND else _score_events(hands, game, sort)


def _score_events(hands: Hands, game: Game, sort: int) -> Found:
    """Score what is paid without a complete hand; see :mod:`paifu.rules.fan.events`."""
    found, yaku, fault = score_events(hands, game, sort, CONTEXT)
    won = found["won"].to_numpy()
    paid = np.ones(len(hands), dtype=np.bool_)
    refusal = pl.lit(refusal_of(game, sort))
    wins = found.drop("worth", "won", "needed").with_columns(
        reading=pl.lit(None, pl.String),
        **_status(fault, paid, won, found["needed"], refusal, game),
    )
    return wins, yaku, np.zeros(len(hands), dtype=np.int16)


def _score_hands(hands: Hands, game: Game) -> Found:
    """Score hands that are complete or claim to be."""
    fault = _faults(hands, game)
    rows = _rows(hands, game, fault)
    best = np.full(len(hands), -1, dtype=np.int64)
    if len(rows):
        key = rows.select(
            pl.when(has("may_win"))
            .then(has("worth").fill_null(0).cast(pl.Int64) * (1 << 24) + has("fan") + (1 << 16))
            .otherwise("fan")
        ).to_series()
        best_rows(rows["hand"].to_numpy(), key.to_numpy(), best)
    complete = best >= 0
    won = complete.copy()
    won[complete] = rows["may_win"].to_numpy()[best[complete]]
    counted = np.zeros(len(hands), dtype=np.int16)
    counted[complete] = rows["fan"].to_numpy()[best[complete]]
    needed = pl.Series([None] * len(hands), dtype=pl.String)
    if game.missing and won.any():
        at = np.flatnonzero(won)
        needed = needed.scatter(at, amounts_needed(rows[best[at]], game.worth, game))
    known = rows.drop([*NARROW, *WIDE])
    chosen = known[np.where(won, best, 0)] if len(rows) else known.clear(len(hands))
    chosen = chosen.with_columns(won=pl.Series(won))
    wins = score_columns(chosen, game.payments, game).with_columns(
        reading=_reading_text(hands, rows, np.where(won, best, -1)),
        **_status(fault, complete, won, needed, _needs(game, counted), game),
    )
    return wins, fan_rows(rows, best[won], game.fan), counted


def _needs(game: Game, counted: npt.NDArray[np.int16]) -> pl.Expr:
    """Return why complete hands may not win; where it is for their fan, with how many there are."""
    if FAN_COUNT not in game.needs:
        return pl.lit(game.needs)
    return pl.format(game.needs.replace(FAN_COUNT, "{}"), pl.Series(counted))


def _reading_text(hands: Hands, rows: pl.DataFrame, best: npt.NDArray[np.int64]) -> pl.Series:
    if not len(rows):
        return pl.Series([None] * len(hands), dtype=pl.String)
    columns = {name: rows[name].to_numpy() for name in READING_COLUMNS}
    return reading_text(columns, hands.concealed, best)


def _faults(hands: Hands, game: Game) -> npt.NDArray[np.int8]:
    """Return the code of what is wrong with each hand, such as tiles the game does not have."""
    codes = _without_riichi(hands, game).faults()
    codes[(hands.winner >= hands.players) & (codes == 0)] = FAULT["bad_seat"]
    has_kind = np.array([kind in game.tile_kinds for kind in range(KINDS)])
    foreign = (hands.concealed > 0)[:, ~has_kind].any(axis=1)
    for shown in (hands.wild, hands.bird):
        foreign |= (shown >= 0) & ~has_kind[np.clip(shown, 0, KINDS - 1)]
    tile = np.clip(hands.meld_tile, 0, KINDS - 1)
    is_out = np.zeros(len(hands), dtype=np.bool_)
    for seat in (hands.winner, hands.loser):
        is_out |= (seat >= 0) & ((hands.out >> np.clip(seat, 0, SEATS) & 1) == 1)
    foreign |= ((hands.meld_tile >= 0) & ~has_kind[tile]).any(axis=1)
    for wrong, fault in (
        (foreign, "foreign_tiles"),
        (hands.flowers > 8, "foreign_flowers"),
        ((hands.meld_kind == CHI).any(axis=1) if not game.chi else foreign, "foreign_chi"),
        (hands.players != game.players, "foreign_players"),
        (seat_faults(hands), "bad_seat"),
        (is_out, "seat_is_out"),
        (hands.triple_ron & hands.tsumo, "tsumo_event"),
    ):
        codes[wrong & (codes == 0)] = FAULT[fault]
    return codes


def _without_riichi(hands: Hands, game: Game) -> Hands:
    """Return a copy of the hands to which the checks of riichi's own rules do not apply.

    This includes the rules for three players. A fact that the game does not know becomes a fault.
    """
    seen = hands[:]
    seen.fault = hands.fault.copy()
    find_foreign_facts(hands, game.known_facts, seen.fault)
    seen.riichi = seen.double_riichi = seen.open_riichi = seen.ippatsu = np.zeros_like(hands.riichi)
    if game.players != SEATS:
        seen.players = np.full_like(hands.players, SEATS)
        seen.seat_wind = (hands.winner - hands.dealer) % SEATS
    return seen


def _rows(hands: Hands, game: Game, fault: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Return the readings with all that is known about them, also ``may_win`` and ``worth``."""
    hands = hands[:]
    hands.win_tile = np.where(fault == 0, hands.win_tile, np.int8(-1))
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
    frame = pl.concat([frame, count_rows(frame, game.fan, game)], how="horizontal")
    frame = frame.with_columns(may_win=resolved(game.may_win, game.options))
    frame = frame.with_columns(worth=resolved(game.worth, game.options).cast(pl.Int32))
    if expanded is None:
        return frame
    return frame.with_columns(hand=pl.Series(expanded.origin[hand].astype(np.int32)))


def _status(
    fault: npt.NDArray[np.int8],
    complete: npt.NDArray[np.bool_],
    won: npt.NDArray[np.bool_],
    needed: pl.Series,
    refusal: pl.Expr,
    game: Game,
) -> dict[str, Any]:
    """Return the status and reason columns.

    ``needed`` names the missing amounts that a price needs; it is NULL if the hand has a price.
    ``refusal`` says why a complete hand may not win.
    """
    unpriced = needed.is_not_null().to_numpy() & won & (fault == 0)
    code = np.where(won, _OK, np.where(complete, _NO_YAKU, _NOT_COMPLETE))
    code[unpriced] = _UNPRICED
    code[fault > 0] = np.where(fault[fault > 0] >= FIRST_IMPOSSIBLE, _IMPOSSIBLE, _UNREADABLE)
    faults = pl.Series([None, *FAULT_KEYS[1:]], dtype=pl.String).gather(fault.astype(np.uint32))
    return {
        "status": pl.Series(_STATUSES, dtype=pl.String).gather(code),
        "reason": pl.when(pl.Series(unpriced))
        .then(game.how_to_give(pl.lit(needed)))
        .when(pl.Series(code == _NO_YAKU))
        .then(refusal)
        .otherwise(faults),
    }
