"""The sums over a game: what each round of a seat adds to its row of ``game_seats``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from paifu.game.events import LIMIT_NONE, Array
from paifu.replay.row_types import (
    BY_TSUMO,
    CLOSED,
    NULL16,
    NULL32,
    OPEN,
    RIICHI,
    SEAT_DRAW_NOTEN,
    SEAT_DRAW_TENPAI,
    SEAT_NAGASHI,
)
from paifu.replay.tables import numbers
from paifu.schema.tables import TABLES

_SEATS = 4
_GOOD_WAIT = 6
_MULTI_WAIT = 2


class _Sum(NamedTuple):
    """What each round of a seat adds to a column."""

    counted: Array
    """bool[N]: the rounds that add something."""
    values: Array | None = None
    """int[N]: what they add; None for one each."""
    null: int | None = None
    """The value that is not known; a sum with it is NULL."""


def _summands(rows: Array) -> dict[str, _Sum]:
    """Return what rows of ``round_seats`` add to each column; the rows are of ``row_types``."""
    won, dealer = rows["won"] > 0, rows["is_dealer"] > 0
    deal_ins, dealt_in = rows["deal_ins"], rows["deal_ins"] > 0
    turn = rows["riichi_turn"]
    riichi = turn != NULL16
    calls, state = rows["calls"], rows["state_end"]
    is_open = calls > 0
    delta, outcome = rows["delta"], rows["outcome"]
    drawn = (outcome == SEAT_DRAW_TENPAI) | (outcome == SEAT_DRAW_NOTEN) | (outcome == SEAT_NAGASHI)
    paid, limit = rows["tsumo_paid"], rows["tsumo_paid_limit"]
    hit = dealer & (paid > 0) & (limit >= 0)
    hit_by_mangan = hit & (limit != LIMIT_NONE)
    every = np.ones(len(rows), np.bool_)
    return {
        "rounds": _Sum(every),
        "haipai_shanten": _Sum(every, rows["haipai_shanten"], NULL16),
        "delta": _Sum(every, delta, NULL32),
        "wins": _Sum(won),
        "tsumo_wins": _Sum(rows["won_by"] == BY_TSUMO),
        "closed_wins": _Sum(won & (state == CLOSED)),
        "win_points": _Sum(won, rows["win_points"], NULL32),
        "win_turns": _Sum(rows["win_turn"] != NULL16, rows["win_turn"]),
        "deal_in_rounds": _Sum(dealt_in),
        "deal_ins": _Sum(dealt_in, deal_ins),
        "deal_in_points": _Sum(dealt_in, rows["deal_in_points"], NULL32),
        "deal_in_riichi": _Sum(dealt_in & (state == RIICHI)),
        "deal_in_open": _Sum(dealt_in & (state == OPEN)),
        "deal_in_tenpai": _among(dealt_in, rows["shanten_end"], 0, 0),
        "riichis": _Sum(riichi),
        "riichi_turns": _Sum(riichi, turn),
        "riichi_wins": _Sum(riichi & won),
        "riichi_deal_ins": _Sum(riichi & dealt_in),
        "riichi_ronned": _Sum(rows["riichi_ronned"] > 0),
        "riichi_draws": _Sum(riichi & drawn),
        "riichi_delta": _Sum(riichi, delta, NULL32),
        "riichi_win_delta": _Sum(riichi & won, delta, NULL32),
        "riichi_deal_in_delta": _Sum(riichi & dealt_in, delta, NULL32),
        "first_riichis": _Sum(rows["riichi_order"] == 1),
        "chased_riichis": _Sum(rows["riichi_later"] > 0),
        "furiten_riichis": _Sum(rows["furiten_riichi"] > 0),
        "multi_wait_riichis": _among(riichi, rows["riichi_wait_tiles"], _MULTI_WAIT),
        "good_wait_riichis": _among(riichi, rows["riichi_live"], _GOOD_WAIT),
        "open_rounds": _Sum(is_open),
        "open_wins": _Sum(is_open & won),
        "open_deal_ins": _Sum(is_open & dealt_in),
        "open_draws": _Sum(is_open & drawn),
        "calls": _Sum(is_open, calls),
        "draws": _Sum(drawn),
        "draw_tenpai": _among(drawn, rows["tenpai_at_draw"], 1, null=-1),
        "dealer_rounds": _Sum(dealer),
        "dealer_wins": _Sum(dealer & won),
        "dealer_hits": _Sum(hit),
        "dealer_mangan_hits": _Sum(hit_by_mangan),
        "dealer_mangan_points": _Sum(hit_by_mangan, paid),
    }


def _among(
    counted: Array, values: Array, least: int, most: int | None = None, null: int = NULL16
) -> _Sum:
    """Return how many rounds of some have a value from ``least`` to ``most``."""
    fits = values >= least
    if most is not None:
        fits &= values <= most
    return _Sum(counted, np.where(values == null, null, fits), null)


def game_seats(rows: Array, rounds: Array, game_id: Array, players: Array) -> pa.Table:
    """Return table ``game_seats`` of a batch from its rows of ``round_seats``, in their order.

    ``rounds``, ``game_id`` and ``players`` (int64[G]) are by game. A game may have no rounds, or be
    there twice. A sum is NULL if one of its values is NULL.
    """
    game = np.repeat(np.arange(len(game_id)), players)
    seat = np.nonzero(np.arange(_SEATS) < players[:, None])[1]
    shown = _SEATS * game + seat
    place = _SEATS * np.repeat(np.arange(len(game_id)), rounds * players) + rows["seat"]
    columns = {
        "game_id": pa.array(game_id[game]),
        "seat": pa.array(seat.astype(np.int16)),
        "players": pa.array(players[game].astype(np.int16)),
    }
    summands = _summands(rows)
    for column in TABLES["game_seats"].columns:
        if column.name in summands:
            counted, values, null = summands[column.name]
            at = place[counted]
            added = None if values is None else values[counted]
            missing = None
            if added is not None and null is not None and (unknown := added == null).any():
                missing = np.bincount(at[unknown], minlength=_SEATS * len(game_id))[shown] > 0
                added = np.where(unknown, 0, added)
            sums = np.bincount(at, added, minlength=_SEATS * len(game_id))
            columns[column.name] = numbers(sums[shown].astype(np.int64), column.type, missing)
    return pa.table({name: columns[name] for name in TABLES["game_seats"].names})
