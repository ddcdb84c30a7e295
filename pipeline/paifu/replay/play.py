"""The one pass over the events: every round of a batch played forward, its rows written.

:func:`play` is the driver: it starts each round, hands each event to the kernel that knows what it
means, and ends the round. It trusts a validated batch and nothing else: events by nobody, out of
turn or after the end are flagged, and the play goes on from what the log says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from paifu.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DISCONNECT,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    PON,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
    Array,
)
from paifu.kernels import njit
from paifu.replay.acts import come_up, declare_riichi, discard, draw, see, start_hand
from paifu.replay.calls import ankan, call, kakan, kita, pass_offer
from paifu.replay.ends import abort_due, end_in_draw, finish_round
from paifu.replay.flags import (
    EVENT_AFTER_END,
    OUT_OF_TURN,
    RIICHI_NOT_ACCEPTED,
    RIICHI_WITHOUT_DISCARD,
    SHORT_HAIPAI,
    flag,
)
from paifu.replay.hand import KIND, bit
from paifu.replay.points import check_printed, check_stated, pay, pay_stick, pay_win, start_points
from paifu.replay.rows import ROUND_RON, ROUND_TSUMO, ROUND_UNKNOWN
from paifu.replay.state import (
    DRAW_DUE,
    ENDED,
    IN_RIICHI,
    MOST_DORA,
    NO_RIICHI,
    NOTHING,
    OFFERED_DISCARD,
    Record,
    Records,
)
from paifu.replay.wins import add_win
from paifu.rules.suit_tables import SuitTables
from paifu.tiles import DORA_OF, DORA_OF_SANMA, KINDS, NO_TILE

HAND = 13
DRAWS = 70
"""Tiles drawn from a four-player wall: 136 less the deal and the dead wall, replacements included."""
DRAWS_SANMA = 55
_LOW_MISSING, _HIGH_MISSING = 1, 7  # 2m-8m


class Played(NamedTuple):
    """The events of a batch, and its deals, as kernels take them."""

    game_rounds: Array
    round_events: Array
    wind: Array
    number: Array
    honba: Array
    sticks: Array
    dealer: Array
    indicator: Array
    haipai: Array
    scores: Array
    kind: Array
    seat: Array
    tile: Array
    feeder: Array
    tsumogiri: Array
    consumed: Array


class Recorded(NamedTuple):
    """What the log recorded of the ends of rounds, as kernels take it."""

    outcome: Array
    tenpai: Array
    before: Array
    delta: Array
    stated_event: Array
    stated_scores: Array
    win_hand: Array
    win_points: Array
    win_limit: Array
    win_pao: Array
    win_honba: Array
    win_sticks: Array
    win_indicators: Array
    win_before: Array
    win_delta: Array


class Rows(NamedTuple):
    """Where the rows go: structured arrays of ``rows.py``, large enough for all."""

    rounds: Records
    round_seats: Records
    actions: Records
    risks: Records
    wins: Records
    flags: Records


@njit
def _turn_up(table: Record, carry: Record, flags: Records, tile: int) -> None:
    """A dora indicator is turned up."""
    come_up(table, carry, flags, tile, -1)
    see(table, tile)
    if table.indicators < MOST_DORA:
        table.dora[table.indicators] = tile
    table.indicators += 1
    kind = KIND[tile]
    if kind < KINDS:
        table.dora_kinds |= bit(DORA_OF_SANMA[kind] if table.players == 3 else DORA_OF[kind])


@njit
def _start_table(table: Record, r: int, players: int, dealer: int) -> None:
    table.players = players
    table.row = r
    table.phase = DRAW_DUE
    table.turn = dealer
    table.tiles_left = DRAWS_SANMA if players == 3 else DRAWS
    table.offered_tile = NO_TILE
    table.offered_seat = -1
    table.declaring = -1
    table.dora_due = 1
    table.suufon = -1
    table.abort_due = -1
    table.outcome = ROUND_UNKNOWN
    for i in range(MOST_DORA):
        table.dora[i] = NO_TILE
    if players == 3:
        for kind in range(_LOW_MISSING, _HIGH_MISSING + 1):
            table.seen[kind] = 4


@njit
def _start_round(
    tables: SuitTables, table: Record, carry: Record, seats: Records, rows: Records,
    flags: Records, played: Played, r: int, players: int,
) -> None:  # fmt: skip
    dealer = played.dealer[r] % players
    _start_table(table, r, players, dealer)
    for seat in range(players):
        seats[seat].drawn = NO_TILE
        seats[seat].swap = -1
        seats[seat].swap_end = -1
        seats[seat].all_yaochuu = 1
        for i in range(3):
            seats[seat].pao[i] = -1
        rows[seat].round = r
        rows[seat].seat = seat
        rows[seat].seat_wind = (seat - dealer) % players
        rows[seat].is_dealer = seat == dealer
        rows[seat].disconnected = carry.away[seat]
    start_points(
        table, carry, flags, rows, played.wind[r], played.number[r], played.honba[r],
        played.sticks[r], played.dealer[r], played.scores[r],
    )  # fmt: skip
    _turn_up(table, carry, flags, played.indicator[r])
    for seat in range(players):
        start_hand(
            tables, table, carry, flags, seats[seat], rows[seat], seat, played.haipai[r, seat]
        )
        dealt = 0
        for i in range(HAND):
            dealt += played.haipai[r, seat, i] != NO_TILE
        if dealt != HAND:
            flag(table, carry, flags, SHORT_HAIPAI, seat)


@njit
def _pass(table: Record, carry: Record, seats: Records, rows: Records, flags: Records) -> None:
    """What was offered has passed: a declaration tile must have been paid for by now."""
    declarer = table.offered_seat
    if (
        table.offered == OFFERED_DISCARD
        and seats[declarer].riichi == IN_RIICHI
        and rows[declarer].riichi_accepted == 0
    ):
        flag(table, carry, flags, RIICHI_NOT_ACCEPTED, declarer)


@njit
def _undo_declaration(
    table: Record, carry: Record, seats: Records, flags: Records, seat: int, kind: int
) -> None:
    """A riichi declaration must be followed by the declarer's discard."""
    declarer = table.declaring
    if seat == declarer and kind == DISCARD:
        return
    flag(table, carry, flags, RIICHI_WITHOUT_DISCARD, declarer)
    seats[declarer].riichi = NO_RIICHI
    table.declaring = -1


@njit
def _accept_riichi(
    table: Record, carry: Record, seats: Records, rows: Records, flags: Records, seat: int
) -> None:
    if seats[seat].riichi != IN_RIICHI or rows[seat].riichi_accepted == 1:
        flag(table, carry, flags, RIICHI_WITHOUT_DISCARD, seat)
        return
    rows[seat].riichi_accepted = 1
    pay_stick(table, seat)


@njit
def _win(
    tables: SuitTables, table: Record, carry: Record, seats: Records, rows: Records, out: Rows,
    played: Played, recorded: Recorded, e: int, record: int, r: int, players: int,
) -> None:  # fmt: skip
    check_stated(table, carry, out.flags, recorded.win_before[record])
    check_printed(
        table, carry, out.flags, played.honba[r], recorded.win_honba[record],
        recorded.win_sticks[record],
    )  # fmt: skip
    win = add_win(
        tables, table, carry, seats, rows, out.actions, out.risks, out.wins, out.flags,
        played.seat[e], played.tile[e], played.feeder[e], record, played.dealer[r] % players,
        played.wind[r], played.honba[r], recorded.win_hand[record],
        recorded.win_indicators[record],
    )  # fmt: skip
    pay_win(
        table, carry, out.flags, rows, win, recorded.win_delta[record],
        recorded.win_points[record], recorded.win_limit[record], recorded.win_pao[record],
    )  # fmt: skip
    table.sticks = 0
    table.wins += 1
    table.outcome = ROUND_TSUMO if win.tsumo else ROUND_RON
    table.phase = ENDED


@njit
def _draw_round(
    table: Record, carry: Record, seats: Records, rows: Records, flags: Records,
    recorded: Recorded, r: int,
) -> None:  # fmt: skip
    was_offered = table.offered
    table.abort_due = abort_due(table, seats, was_offered)
    _pass(table, carry, seats, rows, flags)
    pass_offer(table, seats, -1)
    check_stated(table, carry, flags, recorded.before[r])
    end_in_draw(table, carry, seats, flags, recorded.outcome[r], recorded.delta[r])
    pay(table, carry, flags, recorded.delta[r], 0)
    table.phase = ENDED


@njit
def _is_over(table: Record, carry: Record, flags: Records, kind: int, seat: int) -> bool:
    """Tell whether an event comes after the round's end, where only further rons may come."""
    if table.phase != ENDED or kind == DISCONNECT or kind == RECONNECT:
        return False
    if kind == WIN and table.outcome == ROUND_RON and table.wins < table.players - 1:
        return False
    flag(table, carry, flags, EVENT_AFTER_END, seat)
    return True


@njit
def _connect(carry: Record, rows: Records, players: int, seat: int, away: int) -> None:
    if 0 <= seat < players:
        carry.away[seat] = away
        if away:
            carry.ever_away[seat] = 1
            rows[seat].disconnected = 1


@njit
def _play_event(
    tables: SuitTables, table: Record, carry: Record, seats: Records, rows: Records, out: Rows,
    played: Played, recorded: Recorded, e: int, r: int,
) -> None:  # fmt: skip
    kind = played.kind[e]
    seat = played.seat[e]
    tile = played.tile[e]
    if kind == DORA:
        _turn_up(table, carry, out.flags, tile)
        return
    if kind == RYUUKYOKU:
        _draw_round(table, carry, seats, rows, out.flags, recorded, r)
        return
    if not 0 <= seat < table.players:
        flag(table, carry, out.flags, OUT_OF_TURN, -1)
        return
    if kind == RIICHI_ACCEPTED:
        _accept_riichi(table, carry, seats, rows, out.flags, seat)
        return
    if table.offered != NOTHING:
        _pass(table, carry, seats, rows, out.flags)
    if kind == CHI or kind == PON or kind == DAIMINKAN:
        call(
            table, carry, seats, rows, out.actions, out.flags, seat, kind, tile, played.feeder[e],
            played.consumed[e],
        )  # fmt: skip
        return
    if table.offered != NOTHING:
        pass_offer(table, seats, -1)
    if kind == DRAW:
        draw(tables, table, carry, out.flags, seats[seat], seat, tile)
    elif kind == DISCARD:
        discard(
            tables, table, carry, seats, rows, out.actions, out.risks, out.flags, seat, tile,
            played.tsumogiri[e],
        )  # fmt: skip
    elif kind == RIICHI:
        declare_riichi(table, carry, out.flags, seats[seat], seat)
    elif kind == ANKAN:
        ankan(
            tables, table, carry, seats, rows, out.actions, out.flags, seat, tile,
            played.consumed[e],
        )  # fmt: skip
    elif kind == KAKAN:
        kakan(table, carry, seats, rows, out.actions, out.flags, seat, tile)
    elif kind == KITA:
        kita(table, carry, seats, rows, out.actions, out.flags, seat, tile, played.consumed[e])


@njit
def _carry_over(carry: Record, table: Record, played: Played, r: int) -> None:
    dealer = played.dealer[r] % table.players
    carry.dealer_wins = (
        (carry.dealer_wins if carry.dealer == dealer else 0) + 1 if table.dealer_won else 0
    )
    carry.dealer = dealer
    carry.has_round = 1
    carry.wind = played.wind[r]
    carry.number = played.number[r]
    carry.honba = played.honba[r]
    carry.scores_known = table.paid_known
    carry.sticks = table.sticks
    carry.dealer_won = table.dealer_won
    carry.drawn_out = table.wins == 0
    for seat in range(table.players):
        carry.scores[seat] = table.scores[seat]


@njit
def _start_game(carry: Record) -> None:
    carry.has_round = 0
    carry.dealer = -1
    carry.dealer_wins = 0
    for seat in range(4):
        carry.away[seat] = 0
        carry.ever_away[seat] = 0


@njit
def play(
    tables4: SuitTables, tables3: SuitTables, played: Played, recorded: Recorded, out: Rows,
    players: Array, final_points: Array, first_row: Array, disconnected: Array,
    table_block: Records, seats: Records, carry_block: Records, table_bytes: Array,
    seats_bytes: Array,
) -> None:  # fmt: skip
    """Play every round of a batch forward and write its rows.

    ``players`` int64[G]; ``final_points`` int32[G, 4] as recorded or ``UNKNOWN``; ``first_row``
    int64[R] is each round's first row in ``round_seats``; ``disconnected`` int8[G, 4] is written.
    The blocks hold one table, four seats and one carry, the last three arguments their bytes.
    """
    table = table_block[0]
    carry = carry_block[0]
    unknown = np.full(4, UNKNOWN, np.int32)
    record = 0
    stated = 0
    for game in range(len(players)):
        _start_game(carry)
        tables = tables3 if players[game] == 3 else tables4
        for r in range(played.game_rounds[game], played.game_rounds[game + 1]):
            table_bytes[:] = 0
            seats_bytes[:] = 0
            rows = out.round_seats[first_row[r] : first_row[r] + players[game]]
            _start_round(
                tables, table, carry, seats, rows, out.flags, played, r, players[game]
            )
            for e in range(played.round_events[r], played.round_events[r + 1]):
                kind = played.kind[e]
                seat = played.seat[e]
                this_record = record
                if kind == WIN:
                    record += 1
                if _is_over(table, carry, out.flags, kind, seat):
                    continue
                if kind == DISCONNECT or kind == RECONNECT:
                    _connect(carry, rows, players[game], seat, kind == DISCONNECT)
                    continue
                if table.declaring >= 0 and kind != DORA:
                    _undo_declaration(table, carry, seats, out.flags, seat, kind)
                if kind == WIN:
                    if 0 <= seat < players[game]:
                        _win(
                            tables, table, carry, seats, rows, out, played, recorded, e,
                            this_record, r, players[game],
                        )  # fmt: skip
                    else:
                        flag(table, carry, out.flags, OUT_OF_TURN, -1)
                    continue
                _play_event(tables, table, carry, seats, rows, out, played, recorded, e, r)
                while stated < len(recorded.stated_event) and recorded.stated_event[stated] < e:
                    stated += 1
                if stated < len(recorded.stated_event) and recorded.stated_event[stated] == e:
                    check_stated(table, carry, out.flags, recorded.stated_scores[stated])
            last = r + 1 == played.game_rounds[game + 1]
            finish_round(
                tables, table, carry, seats, rows, out.rounds[r], out.flags, recorded.tenpai[r],
                unknown if last else played.scores[r + 1], final_points[game] if last else unknown,
            )  # fmt: skip
            out.rounds[r].dealer_won = table.dealer_won
            _carry_over(carry, table, played, r)
        for seat in range(4):
            disconnected[game, seat] = carry.ever_away[seat]
