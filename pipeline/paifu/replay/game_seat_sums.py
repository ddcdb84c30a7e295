"""The sums over a game: what each round of a seat adds to its row of ``game_seats``."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl
import pyarrow as pa

from paifu.game.events import Array
from paifu.replay.tables import numbers
from paifu.schema.tables import TABLES

_SEATS = 4
_GOOD_WAIT = 6
_MULTI_WAIT = 2


def _among(values: pl.Expr, condition: pl.Expr) -> pl.Expr:
    """Return the values of the rounds that meet a condition, and 0 for the others."""
    return pl.when(condition).then(values).otherwise(0)


_won, _delta, _dealer = pl.col("won"), pl.col("delta"), pl.col("is_dealer")
_drawn = pl.col("outcome").is_in(["draw_tenpai", "draw_noten", "nagashi"])
_dealt_in = pl.col("deal_ins") > 0
_riichi = pl.col("riichi_turn").is_not_null()
_open = pl.col("calls") > 0
_hit = _dealer & (pl.col("tsumo_paid") > 0) & pl.col("tsumo_paid_limit").is_not_null()
_hit_by_mangan = _hit & (pl.col("tsumo_paid_limit") != "none")

SUMMANDS: Final[dict[str, pl.Expr]] = {
    "rounds": pl.lit(1),
    "haipai_shanten": pl.col("haipai_shanten"),
    "delta": _delta,
    "wins": _won,
    "tsumo_wins": pl.col("won_by") == "tsumo",
    "closed_wins": _won & (pl.col("state_end") == "closed"),
    "win_points": pl.col("win_points"),
    "win_turns": pl.col("win_turn"),
    "deal_in_rounds": _dealt_in,
    "deal_ins": pl.col("deal_ins"),
    "deal_in_points": _among(pl.col("deal_in_points"), _dealt_in),
    "deal_in_riichi": _dealt_in & (pl.col("state_end") == "riichi"),
    "deal_in_open": _dealt_in & (pl.col("state_end") == "open"),
    "deal_in_tenpai": _among(pl.col("shanten_end") == 0, _dealt_in),
    "riichis": _riichi,
    "riichi_turns": pl.col("riichi_turn"),
    "riichi_wins": _riichi & _won,
    "riichi_deal_ins": _riichi & _dealt_in,
    "riichi_ronned": pl.col("riichi_ronned"),
    "riichi_draws": _riichi & _drawn,
    "riichi_delta": _among(_delta, _riichi),
    "riichi_win_delta": _among(_delta, _riichi & _won),
    "riichi_deal_in_delta": _among(_delta, _riichi & _dealt_in),
    "first_riichis": pl.col("riichi_order") == 1,
    "chased_riichis": pl.col("riichi_later") > 0,
    "furiten_riichis": pl.col("furiten_riichi"),
    "multi_wait_riichis": _among(pl.col("riichi_wait_tiles") >= _MULTI_WAIT, _riichi),
    "good_wait_riichis": _among(pl.col("riichi_live") >= _GOOD_WAIT, _riichi),
    "open_rounds": _open,
    "open_wins": _open & _won,
    "open_deal_ins": _open & _dealt_in,
    "open_draws": _open & _drawn,
    "calls": pl.col("calls"),
    "draws": _drawn,
    "draw_tenpai": _among(pl.col("tenpai_at_draw"), _drawn),
    "dealer_rounds": _dealer,
    "dealer_wins": _dealer & _won,
    "dealer_hits": _hit,
    "dealer_mangan_hits": _hit_by_mangan,
    "dealer_mangan_points": _among(pl.col("tsumo_paid"), _hit_by_mangan),
}
"""What a round adds to each column, as an expression over its row of ``round_seats``."""

_READ = sorted({name for summand in SUMMANDS.values() for name in summand.meta.root_names()})


def game_seats(round_seats: pa.Table, rounds: Array, game_id: Array, players: Array) -> pa.Table:
    """Return table ``game_seats`` of a batch from its ``round_seats``, in the order of the batch.

    ``rounds``, ``game_id`` and ``players`` (int64[G]) are by game. A game may have no rounds, or be
    there twice. A sum is NULL if one of its values is NULL.
    """
    game = np.repeat(np.arange(len(game_id)), players)
    seat = np.nonzero(np.arange(4) < players[:, None])[1]
    of_round = np.repeat(np.arange(len(game_id)), rounds * players)
    place = _SEATS * of_round + round_seats.column("seat").to_numpy()
    columns = [column for column in TABLES["game_seats"].columns if column.name in SUMMANDS]
    frame = pl.DataFrame(round_seats.select(_READ))
    added = frame.select(
        **{name: summand.cast(pl.Float64).fill_null(0) for name, summand in SUMMANDS.items()}
    )
    nullable = [column.name for column in columns if column.nullable]
    absent = frame.select(**{name: SUMMANDS[name].is_null().cast(pl.Float64) for name in nullable})

    def total(values: pl.Series) -> Array:
        sums = np.bincount(place, values.to_numpy(), minlength=_SEATS * len(game_id))
        shown: Array = sums.astype(np.int64)[_SEATS * game + seat]
        return shown

    given = {
        "game_id": pa.array(game_id[game]),
        "seat": pa.array(seat.astype(np.int16)),
        "players": pa.array(players[game].astype(np.int16)),
    }
    for column in columns:
        missing = total(absent[column.name]) > 0 if column.nullable else None
        given[column.name] = numbers(total(added[column.name]), column.type, missing)
    return pa.table({name: given[name] for name in TABLES["game_seats"].names})
