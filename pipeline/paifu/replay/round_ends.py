"""How a round ends: draws of every kind, and the state of each seat at the end."""

from __future__ import annotations

from paifu.game.events import (
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
    UNKNOWN,
    Array,
)
from paifu.game.tiles import IS_YAOCHUU, KINDS
from paifu.kernels.compiling import inner
from paifu.replay.flags import (
    ABORT_PASSED,
    DORA_MISSING,
    DORA_SURPLUS,
    NO_END,
    OUTCOME_DIFFERS,
    TENPAI_DIFFERS,
    flag,
)
from paifu.replay.risks import state_of
from paifu.replay.row_types import (
    FURITEN_NONE,
    MOST_ABORTS,
    MOST_DORA,
    NULL16,
    ROUND_EXHAUSTIVE,
    ROUND_KYUUSHU,
    ROUND_NAGASHI,
    ROUND_RON,
    ROUND_SANCHAHOU,
    ROUND_SUUCHA,
    ROUND_SUUFON,
    ROUND_SUUKAN,
    ROUND_TRIPLE_RON,
    ROUND_TSUMO,
    ROUND_UNKNOWN,
    SEAT_ABORT,
    SEAT_BYSTANDER,
    SEAT_DEAL_IN,
    SEAT_DRAW_NOTEN,
    SEAT_DRAW_TENPAI,
    SEAT_NAGASHI,
    SEAT_PAID_TSUMO,
    SEAT_UNKNOWN,
    SEAT_WON_RON,
    SEAT_WON_TSUMO,
)
from paifu.replay.running_points import rank
from paifu.replay.seat_hand import KIND, bit, furiten, holds_all_waits, live
from paifu.replay.table_state import (
    DISCARD_DUE,
    ENDED,
    OFFERED_ANKAN,
    OFFERED_DISCARD,
    Record,
)
from paifu.rules.hands.shanten import waits_for_a_fifth
from paifu.rules.hands.suit_tables import SuitTables

_KYUUSHU_KINDS = 9
_BY_PLAY = (ROUND_SUUFON, ROUND_SUUCHA, ROUND_SUUKAN)
"""Abortive draws that no seat declares."""
_NOTEN_POOL = 3000
"""A seat that receives more than this at a draw gets it for nagashi mangan."""


@inner
def _has_kyuushu(table: Record, recorded: int) -> bool:
    """Return whether the seat to move may declare nine terminals and honours (kyuushu kyuuhai).

    Hidden tiles may be such tiles if that draw is ``recorded``.
    """
    if table.phase != DISCARD_DUE or table.interrupted:
        return False
    me = table.seats[table.turn]
    kinds = 0
    for kind in range(KINDS):
        if IS_YAOCHUU[kind] and me.counts[kind] > 0:
            kinds += 1
    if recorded == OUTCOME_KYUUSHU:
        kinds += me.hidden
    return me.discards == 0 and kinds >= _KYUUSHU_KINDS


@inner
def _three_could_win(table: Record, was_offered: int, recorded: int) -> bool:
    """Return whether three seats wait for the last tile on the table without furiten.

    A hand with hidden tiles may wait for it if a triple ron is ``recorded``.
    """
    if was_offered != OFFERED_DISCARD:
        return False
    count = 0
    for seat in range(table.players):
        me = table.seats[seat]
        if seat == table.offered_seat:
            continue
        if me.hidden > 0:
            count += recorded == OUTCOME_SANCHAHOU
        elif me.waits & bit(KIND[table.offered_tile]) and furiten(me, table) == FURITEN_NONE:
            count += 1
    return count >= 3


@inner
def _is_due(table: Record, outcome: int) -> bool:
    """Return whether an abortive draw after a discard is due if nobody wins on the discard."""
    if outcome == ROUND_SUUFON:
        first_four = table.players == 4 and table.discards == 4 and not table.interrupted
        return bool(first_four and table.suufon >= 0)
    if outcome == ROUND_SUUCHA:
        return bool(table.players == 4 and table.riichis == 4)
    return bool(table.kans >= 4 and table.kan_seats & (table.kan_seats - 1) != 0)


@inner
def abort_due(table: Record, was_offered: int, recorded: int) -> int:
    """Return the abortive draw that is due before ``was_offered`` is passed, else -1.

    A ron comes before every other end. But three seats that could win may pass, or lack a yaku on
    the last discard, so it is a triple ron only if it is ``recorded``.
    """
    if _has_kyuushu(table, recorded):
        return ROUND_KYUUSHU
    three_could_win = _three_could_win(table, was_offered, recorded)
    if three_could_win and recorded == OUTCOME_SANCHAHOU:
        return ROUND_SANCHAHOU
    if table.phase != DISCARD_DUE:
        for outcome in _BY_PLAY:
            if _is_due(table, outcome):
                return outcome
    return ROUND_SANCHAHOU if three_could_win and table.tiles_left > 0 else -1


@inner
def pass_abort(table: Record) -> None:
    """Note the abortive draws that were due although play goes on after the last discard."""
    if table.offered != OFFERED_DISCARD:
        return
    for outcome in _BY_PLAY:
        if not _is_due(table, outcome):
            continue
        known = False
        for i in range(table.aborts_count):
            known |= table.aborts_passed[i] == outcome
        if not known:
            table.aborts_passed[table.aborts_count] = outcome
            table.aborts_count += 1
            if table.aborts & (1 << outcome):
                flag(table, ABORT_PASSED, -1)


@inner
def _draw_outcome(table: Record, recorded: int, delta: Array) -> int:
    """Return the kind of draw: as recorded, else as the play and the payments show."""
    if recorded != OUTCOME_UNKNOWN and recorded != OUTCOME_WIN:
        return ROUND_EXHAUSTIVE + recorded - OUTCOME_EXHAUSTIVE
    if table.abort_due >= 0:
        return int(table.abort_due)
    if table.tiles_left > 0:
        return ROUND_UNKNOWN
    for seat in range(table.players):
        if delta[seat] != UNKNOWN and delta[seat] > _NOTEN_POOL:
            return ROUND_NAGASHI
    return ROUND_EXHAUSTIVE


@inner
def _check_outcome(table: Record, recorded: int) -> None:
    """Check that the recorded kind of draw agrees with the play."""
    if recorded == OUTCOME_EXHAUSTIVE or recorded == OUTCOME_NAGASHI:
        differs = table.tiles_left > 0
        if recorded == OUTCOME_NAGASHI:
            nagashi = False
            for seat in range(table.players):
                nagashi |= table.seats[seat].all_yaochuu == 1 and table.seats[seat].discards > 0
            differs |= not nagashi
    elif OUTCOME_KYUUSHU <= recorded <= OUTCOME_SANCHAHOU:
        differs = table.abort_due != ROUND_EXHAUSTIVE + recorded - OUTCOME_EXHAUSTIVE
    else:
        differs = recorded == OUTCOME_WIN
    if differs:
        flag(table, OUTCOME_DIFFERS, -1)


@inner
def end_in_draw(table: Record, recorded: int, delta: Array) -> None:
    """The round ends without a win; the tile offered last has passed already."""
    _check_outcome(table, recorded)
    table.outcome = _draw_outcome(table, recorded, delta)


@inner
def _seat_outcome(table: Record, row: Record) -> int:
    if row.won:
        return SEAT_WON_TSUMO if table.outcome == ROUND_TSUMO else SEAT_WON_RON
    if table.outcome == ROUND_TSUMO:
        return SEAT_PAID_TSUMO
    if table.outcome <= ROUND_TRIPLE_RON:
        return SEAT_DEAL_IN if row.deal_ins > 0 else SEAT_BYSTANDER
    if table.outcome == ROUND_NAGASHI and row.nagashi:
        return SEAT_NAGASHI
    if table.outcome <= ROUND_NAGASHI:
        return SEAT_DRAW_TENPAI if row.tenpai_at_draw == 1 else SEAT_DRAW_NOTEN
    return SEAT_UNKNOWN if table.outcome == ROUND_UNKNOWN else SEAT_ABORT


@inner
def _finish_seat(tables: SuitTables, table: Record, seat: int, shown: int) -> None:
    me = table.seats[seat]
    row = table.rows[seat]
    row.shanten_end = me.shanten
    row.state_end = state_of(me)
    if me.waits:
        row.end_wait = me.waits
        row.end_wait_kind = me.wait_kind
        row.end_live = live(me, table, me.waits)
        row.furiten_end = furiten(me, table)
    drawn_out = table.outcome == ROUND_EXHAUSTIVE or table.outcome == ROUND_NAGASHI
    row.nagashi = drawn_out and me.all_yaochuu == 1 and me.discards > 0
    if shown >= 0:
        row.tenpai_shown = shown
    if drawn_out and me.shanten != NULL16:
        tenpai = me.waits != 0
        row.tenpai_at_draw = tenpai
        row.keishiki = tenpai and holds_all_waits(me)
        row.tenpai_exhausted = not tenpai and waits_for_a_fifth(tables, me.counts, me.melds)
        if shown >= 0 and shown != tenpai:
            flag(table, TENPAI_DIFFERS, seat)
    if table.round_wins == 0 and me.has_drawn:
        row.held_draw = me.drawn
    row.outcome = _seat_outcome(table, row)


@inner
def _settle_points(table: Record, scores: Array) -> None:
    """Take the final points from the next round or the game's end if payments are not recorded."""
    known = True
    if not table.scores_known:
        for seat in range(table.players):
            if scores[seat] != UNKNOWN:
                table.scores[seat] = scores[seat]
            else:
                known = False
    if not known:
        return
    for seat in range(table.players):
        row = table.rows[seat]
        row.points_end = table.scores[seat]
        row.delta = row.points_end - row.points_start
        row.rank_end = rank(table.scores, table.players, seat)


@inner
def finish_round(
    tables: SuitTables, table: Record, round_row: Record, shown: Array, scores: Array
) -> None:
    """Write down how the round ended, and the state of every seat.

    ``scores`` are those recorded after it: at the next round's start or at the end of the game.
    """
    if table.phase != ENDED:
        flag(table, NO_END, -1)
        table.phase = ENDED
    if table.round_wins > 0:
        by_discard = ROUND_RON + min(table.round_wins, 3) - 1
        table.outcome = ROUND_TSUMO if table.outcome == ROUND_TSUMO else by_discard
    robbed = table.round_wins > 0 and table.offered == OFFERED_ANKAN
    if table.kan_dora != 0 and table.indicators < min(table.dora_due - robbed, MOST_DORA):
        flag(table, DORA_MISSING, -1)
    if table.indicators > 1 + table.kans or table.indicators > MOST_DORA:
        flag(table, DORA_SURPLUS, -1)
    for seat in range(table.players):
        _finish_seat(tables, table, seat, shown[seat])
    _settle_points(table, scores)
    round_row.sticks_end = table.sticks
    round_row.outcome = table.outcome
    round_row.turns = table.discards
    round_row.tiles_left = max(0, table.tiles_left)
    round_row.kans = table.kans
    round_row.riichis = table.accepted
    round_row.abort_due = table.abort_due
    round_row.aborts_count = table.aborts_count
    for i in range(MOST_ABORTS):
        round_row.aborts[i] = table.aborts_passed[i]
    round_row.dealer_won = table.dealer_won
    round_row.indicators = min(table.indicators, MOST_DORA)
    for i in range(MOST_DORA):
        round_row.dora[i] = table.dora[i]
