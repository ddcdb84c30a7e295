"""Points during a game: paid sticks, recorded payments, and whether the record adds up.

The checks are the invariants of a Tenhou log. A round starts with the points and sticks that the
round before left. Points stated before a payment are those at the start less the paid sticks. The
honba and sticks printed for the first winner are those on the table. The payments of a win sum to
the sticks it takes.
"""

from __future__ import annotations

from paifu.game.events import UNKNOWN, Array
from paifu.kernels.compiling import inner
from paifu.replay.flags import (
    DEALER_DIFFERS,
    HONBA_DIFFERS,
    ROUND_ORDER,
    SCORES_BEFORE_DIFFER,
    SCORES_NOT_CARRIED,
    SUM_DIFFERS,
    flag,
)
from paifu.replay.play_arrays import Deal, RecordedWin
from paifu.replay.row_types import NULL16, NULL32
from paifu.replay.table_state import Record

STICK = 1000
_HONBA = 100  # from each payer of a tsumo; by ron one payer pays all


@inner
def rank(scores: Array, players: int, seat: int) -> int:
    """Return the placement of a seat, 1 for first, ties by seat."""
    place = 1
    for other in range(players):
        if scores[other] > scores[seat] or (scores[other] == scores[seat] and other < seat):
            place += 1
    return place


@inner
def _follows(table: Record, wind: int, number: int, honba: int) -> bool:
    """Return whether a round may follow the last: the dealer stays, or the next seat deals."""
    stays = (
        wind == table.last_wind and number == table.last_number and honba == table.last_honba + 1
    )
    last = table.last_number == table.players - 1
    next_number = 0 if last else table.last_number + 1
    next_wind = (table.last_wind + 1) % 4 if last else table.last_wind
    passes = wind == next_wind and number == next_number
    if table.last_drawn:
        return stays or (passes and honba == table.last_honba + 1)
    return (stays and table.last_dealer_won) or (passes and honba == 0)


@inner
def start_points(table: Record, deal: Deal) -> None:
    """Set the points at the start of a round, and compare them with the round before."""
    scores = deal.scores
    if deal.dealer != deal.number:
        flag(table, DEALER_DIFFERS, deal.dealer)
    if table.had_round:
        if not _follows(table, deal.wind, deal.number, deal.honba):
            flag(table, ROUND_ORDER, -1)
        if table.last_scores_known and deal.sticks != table.last_sticks:
            flag(table, SCORES_NOT_CARRIED, -1)
        for seat in range(table.players):
            if table.last_scores_known and scores[seat] != table.last_scores[seat]:
                flag(table, SCORES_NOT_CARRIED, seat)
    table.sticks = deal.sticks
    table.scores_known = 1
    for seat in range(table.players):
        table.scores[seat] = scores[seat]
    for seat in range(table.players):
        row = table.rows[seat]
        row.points_start = scores[seat]
        row.rank_start = rank(table.scores, table.players, seat)
        for other in range(table.players):
            place = rank(table.scores, table.players, other)
            if place == 1:
                row.gap_to_first = scores[other] - scores[seat]
            if place == row.rank_start - 1:
                row.gap_to_next = scores[other] - scores[seat]


@inner
def check_stated(table: Record, stated: Array) -> None:
    """Check points that the log states before a payment or after a stick, unless ``UNKNOWN``."""
    if not table.scores_known:
        return
    for seat in range(table.players):
        if stated[seat] != UNKNOWN and stated[seat] != table.scores[seat]:
            flag(table, SCORES_BEFORE_DIFFER, seat)


@inner
def pay_stick(table: Record, seat: int) -> None:
    """The riichi discard passed: a stick goes on the table."""
    table.scores[seat] -= STICK
    table.sticks += 1
    table.accepted += 1


@inner
def pay(table: Record, delta: Array, sticks: int) -> bool:
    """Move points as recorded; they must sum to the sticks taken. False if not recorded."""
    total = 0
    for seat in range(table.players):
        if delta[seat] == UNKNOWN:
            table.scores_known = 0
            return False
        total += delta[seat]
    if total != STICK * sticks:
        flag(table, SUM_DIFFERS, -1)
    for seat in range(table.players):
        table.scores[seat] += delta[seat]
    return True


@inner
def check_printed(table: Record, honba: int, record: RecordedWin) -> None:
    """Check honba and sticks printed beside a win; -1 if not printed.

    A later winner on the same tile has no sticks; its honba is printed but not paid.
    """
    first = table.round_wins == 0
    sticks = table.sticks if first else 0
    if record.sticks >= 0 and record.sticks != sticks:
        flag(table, HONBA_DIFFERS, -1)
    if record.honba >= 0 and record.honba != honba and (first or record.honba != 0):
        flag(table, HONBA_DIFFERS, -1)


@inner
def pay_win(table: Record, win: Record, record: RecordedWin) -> None:
    """Pay a win as recorded, and write down who paid for what.

    If the log gives no points, the value of the hand follows from the payments.
    """
    delta, points = record.delta, record.points
    known = pay(table, delta, win.sticks)
    if points == UNKNOWN and known:
        points = delta[win.winner] - STICK * win.sticks
        points -= _HONBA * (table.players - 1) * win.honba
    table.rows[win.winner].win_points = points if points != UNKNOWN else NULL32
    for seat in range(table.players):
        if seat == win.winner:
            continue
        row = table.rows[seat]
        paid = -delta[seat] if known else NULL32
        if seat == win.loser:
            win.loser_paid = paid
            if not known or row.deal_in_points == NULL32:
                row.deal_in_points = NULL32
            else:
                row.deal_in_points += paid
        elif seat == record.pao:
            row.pao_paid += paid if known else 0
        elif win.loser == NULL16:
            row.tsumo_paid = paid
        if win.loser == NULL16:
            row.tsumo_paid_limit = record.limit
