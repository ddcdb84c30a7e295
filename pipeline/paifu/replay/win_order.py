"""The order of several winners on one tile: the nearest after the discarder is paid first."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from paifu.game.events import UNKNOWN, Array, Batch


def _distances(batch: Batch, round_: Array) -> Array:
    """Return int64[W]: how many seats after the discarder each winner sits; 0 for a tsumo."""
    players = np.array([3 if info.players == 3 else 4 for info in batch.games], dtype=np.int64)
    seated = np.repeat(players, np.diff(batch.game_rounds))[round_]
    seat, feeder = batch.event_seat[batch.win_event], batch.event_from[batch.win_event]
    return np.where(feeder < 0, 0, (seat.astype(np.int64) - feeder) % seated)


def in_order_of_payment(batch: Batch) -> Batch:
    """Return the batch with the wins on each tile in turn order from the discarder.

    Some logs list them otherwise. A win that is moved keeps what the log recorded of it, except the
    points before its payment, which hold in the log's order only.
    """
    won = batch.win_event
    if len(won) < 2:
        return batch
    round_ = np.searchsorted(batch.round_events, won, side="right") - 1
    feeder = batch.event_from[won]
    same = (np.diff(won) == 1) & (np.diff(round_) == 0) & (feeder[1:] == feeder[:-1])
    if not same.any():
        return batch
    tile = np.concatenate([[0], np.cumsum(~same)])
    order = np.lexsort((_distances(batch, round_), tile))
    moved = order != np.arange(len(order))
    if not moved.any():
        return batch
    paid = replace(batch)
    for spec in fields(Batch):
        values = getattr(batch, spec.name)
        if spec.name.startswith("event_"):
            sorted_ = values.copy()
            sorted_[won] = values[won[order]]
            setattr(paid, spec.name, sorted_)
        elif spec.name.startswith("win_") and spec.name not in ("win_event", "win_yaku"):
            setattr(paid, spec.name, values[order])
    paid.win_before[np.isin(tile, tile[moved])] = UNKNOWN
    listed = np.diff(batch.win_yaku)[order]
    paid.win_yaku = np.concatenate([np.zeros(1, np.int64), np.cumsum(listed)])
    shift = batch.win_yaku[:-1][order] - paid.win_yaku[:-1]
    rows = np.repeat(shift, listed) + np.arange(paid.win_yaku[-1])
    paid.yaku_id, paid.yaku_han = batch.yaku_id[rows], batch.yaku_han[rows]
    return paid
