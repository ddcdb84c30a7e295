"""The sums of a game: what the rounds of a seat add to its row of ``game_seats``."""

from __future__ import annotations

from paifu.events import LIMIT_NONE
from paifu.kernels import inner
from paifu.replay.rows import (
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
from paifu.replay.state import Record

_GOOD_WAIT = 6
_MULTI_WAIT = 2


@inner
def _drawn(row: Record) -> bool:
    """Tell whether the round was drawn by exhaustion."""
    return bool(
        row.outcome == SEAT_DRAW_TENPAI
        or row.outcome == SEAT_DRAW_NOTEN
        or row.outcome == SEAT_NAGASHI
    )


@inner
def _plus(total: int, value: int, null: int) -> int:
    """Return a sum and one more value, NULL where either is."""
    return null if total == null or value == null else total + value


@inner
def _reaches(value: int, least: int) -> int:
    """Return 1 or 0, whether a value is as much as that, or NULL where it is."""
    return NULL16 if value == NULL16 else int(value >= least)


@inner
def _add_ends(game: Record, row: Record) -> None:
    """Add how the round ended for the seat."""
    game.rounds += 1
    game.haipai_shanten = _plus(
        game.haipai_shanten, NULL32 if row.haipai_shanten == NULL16 else row.haipai_shanten, NULL32
    )
    game.delta += row.delta
    if row.won:
        game.wins += 1
        game.tsumo_wins += row.won_by == BY_TSUMO
        game.closed_wins += row.state_end == CLOSED
        game.win_points = _plus(game.win_points, row.win_points, NULL32)
        game.win_turns += row.win_turn
    if row.deal_ins > 0:
        game.deal_in_rounds += 1
        game.deal_ins += row.deal_ins
        game.deal_in_points = _plus(game.deal_in_points, row.deal_in_points, NULL32)
        game.deal_in_riichi += row.state_end == RIICHI
        game.deal_in_open += row.state_end == OPEN
        tenpai = NULL16 if row.shanten_end == NULL16 else int(row.shanten_end == 0)
        game.deal_in_tenpai = _plus(game.deal_in_tenpai, tenpai, NULL16)
    if _drawn(row):
        game.draws += 1
        tenpai = NULL16 if row.tenpai_at_draw < 0 else row.tenpai_at_draw
        game.draw_tenpai = _plus(game.draw_tenpai, tenpai, NULL16)


@inner
def _add_riichi(game: Record, row: Record) -> None:
    """Add a round with a riichi."""
    game.riichis += 1
    game.riichi_turns += row.riichi_turn
    game.riichi_draws += _drawn(row)
    game.riichi_delta += row.delta
    if row.won:
        game.riichi_wins += 1
        game.riichi_win_delta += row.delta
    if row.deal_ins > 0:
        game.riichi_deal_ins += 1
        game.riichi_deal_in_delta += row.delta
        game.riichi_ronned += row.riichi_ronned
    game.first_riichis += row.riichi_order == 1
    game.chased_riichis += row.riichi_later > 0
    game.furiten_riichis += row.furiten_riichi
    game.multi_wait_riichis = _plus(
        game.multi_wait_riichis, _reaches(row.riichi_wait_tiles, _MULTI_WAIT), NULL16
    )
    game.good_wait_riichis = _plus(
        game.good_wait_riichis, _reaches(row.riichi_live, _GOOD_WAIT), NULL16
    )


@inner
def add_round(game: Record, row: Record) -> None:
    """Add a round that is over, as a seat lived it, to its game."""
    _add_ends(game, row)
    if row.riichi_turn != NULL16:
        _add_riichi(game, row)
    if row.calls > 0:
        game.open_rounds += 1
        game.open_wins += row.won
        game.open_deal_ins += row.deal_ins > 0
        game.open_draws += _drawn(row)
        game.calls += row.calls
    if row.is_dealer:
        game.dealer_rounds += 1
        game.dealer_wins += row.won
        if row.tsumo_paid > 0 and row.tsumo_paid_limit >= 0:
            game.dealer_hits += 1
            if row.tsumo_paid_limit != LIMIT_NONE:
                game.dealer_mangan_hits += 1
                game.dealer_mangan_points += row.tsumo_paid
