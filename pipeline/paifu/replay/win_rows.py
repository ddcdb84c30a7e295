"""Wins: the replayed hand, its circumstances, and whether the play allows the win."""

from __future__ import annotations

from paifu.game.events import Array
from paifu.game.tiles import HIDDEN, KINDS, NO_TILE, RED_5M
from paifu.kernels.compiling import inner
from paifu.replay.acts import add_action, table_turn
from paifu.replay.flags import (
    HAND_DIFFERS,
    INDICATORS_DIFFER,
    OUT_OF_TURN,
    WIN_NOT_COMPLETE,
    WIN_WITHOUT_TILE,
    flag,
)
from paifu.replay.play_arrays import Deal, Event, RecordedWin, Rows
from paifu.replay.risks import state_of
from paifu.replay.row_types import (
    ACT_RON,
    ACT_TSUMO,
    BY_RON,
    BY_TSUMO,
    MOST_DORA,
    MOST_LAID,
    NULL16,
)
from paifu.replay.seat_hand import KIND, NO_KINDS, bit, furiten, live
from paifu.replay.table_state import (
    DISCARD_DUE,
    KITA_DRAW,
    LIVE_DRAW,
    NO_RIICHI,
    NOTHING,
    OFFERED_ANKAN,
    OFFERED_DISCARD,
    OFFERED_KAKAN,
    OFFERED_KITA,
    Record,
    Records,
)

_MOST_HAND = 14
_COMPLETE = -1


@inner
def _list_hand(me: Record, win_tile: int, ron: bool, out: Array) -> None:
    """Write the concealed tiles by kind, including the winning tile, filled up with ``NO_TILE``."""
    size = 0
    for kind in range(KINDS):
        reds = me.reds[kind // 9] if kind < 27 and kind % 9 == 4 else 0
        for copy in range(me.counts[kind]):
            if size < _MOST_HAND:
                out[size] = RED_5M + kind // 9 if copy < reds else kind
                size += 1
    if ron and size < _MOST_HAND:
        out[size] = win_tile if win_tile >= 0 else HIDDEN
        size += 1
    for _ in range(me.hidden):
        if size < _MOST_HAND:
            out[size] = HIDDEN
            size += 1
    for i in range(size, _MOST_HAND):
        out[i] = NO_TILE


@inner
def _same_tiles(a: Array, b: Array) -> bool:
    """Return whether two lists have the same tiles in any order."""
    for i in range(len(a)):
        in_a = 0
        in_b = 0
        for j in range(len(a)):
            in_a += a[j] == a[i]
            in_b += b[j] == a[i]
        if in_a != in_b:
            return False
    return True


@inner
def _take_shown(table: Record, win: Record, shown: Array) -> None:
    """Use the hand shown at a win, by kind, if it has the right number of tiles."""
    held = 0
    size = 0
    for i in range(_MOST_HAND):
        held += win.hand_tiles[i] != NO_TILE
        size += shown[i] != NO_TILE
        if shown[i] == HIDDEN:
            return
    if size != held:
        flag(table, HAND_DIFFERS, win.winner)
        return
    for i in range(size):
        at = i
        while at > 0 and _stands_before(shown[i], win.hand_tiles[at - 1]):
            win.hand_tiles[at] = win.hand_tiles[at - 1]
            at -= 1
        win.hand_tiles[at] = shown[i]


@inner
def _stands_before(tile: int, other: int) -> bool:
    """Return whether a tile comes before another tile: by kind, red fives first."""
    if KIND[tile] != KIND[other]:
        return bool(KIND[tile] < KIND[other])
    return tile > other


@inner
def _check_hand(table: Record, me: Record, win: Record, shown: Array) -> None:
    """Check that the hand waits for the tile and is the hand in the log, if both are known.

    If the log hides tiles, the winner's hand is the one that was shown at the win.
    """
    if me.hidden > 0:
        if shown[0] != NO_TILE:
            _take_shown(table, win, shown)
        return
    if not _waits_for(me, win.win_tile):
        flag(table, WIN_NOT_COMPLETE, win.winner)
    if shown[0] != NO_TILE and not _same_tiles(shown, win.hand_tiles):
        flag(table, HAND_DIFFERS, win.winner)


@inner
def _check_indicators(table: Record, shown: Array) -> None:
    if shown[0] == NO_TILE:
        return
    for i in range(MOST_DORA):
        up = table.dora[i] if i < table.indicators else NO_TILE
        if shown[i] != up:
            flag(table, INDICATORS_DIFFER, -1)


@inner
def _note_loser(table: Record, win: Record, seat: int) -> None:
    """Write down the state of the seat whose tile was won on."""
    loser = table.seats[seat]
    row = table.rows[seat]
    discard = table.offered == OFFERED_DISCARD
    win.loser = seat
    win.loser_state = state_of(loser)
    win.loser_shanten = loser.shanten
    if row.riichi_accepted == 0:
        row.riichi_ronned = 1
    row.deal_ins += 1
    row.deal_in_turn = loser.discards + (0 if discard else 1)
    row.deal_in_table_turn = table_turn(table) - (1.0 / table.players if discard else 0.0)
    row.deal_in_tile = win.win_tile
    row.deal_in_shanten = loser.shanten
    row.deal_in_state = win.loser_state


@inner
def _note_risk(table: Record, risks: Records, winner: int) -> None:
    for i in range(table.first_risk, min(table.after_risk, len(risks))):
        if risks[i].against == winner:
            risks[i].dealt_in = 1


@inner
def _note_circumstances(table: Record, me: Record, win: Record) -> None:
    tsumo = win.tsumo == 1
    win.turn = 1 + me.discards
    win.table_turn = table_turn(table)
    win.tiles_left = table.tiles_left
    win.winner_state = state_of(me)
    win.riichi = me.riichi != NO_RIICHI
    win.double_riichi = table.rows[win.winner].riichi_double == 1
    win.ippatsu = me.ippatsu
    win.rinshan = tsumo and table.rinshan != LIVE_DRAW
    win.after_kita = tsumo and table.rinshan == KITA_DRAW
    last = table.tiles_left <= 0
    win.haitei = tsumo and last and table.rinshan == LIVE_DRAW
    win.houtei = not tsumo and last and table.offered == OFFERED_DISCARD
    win.chankan = not tsumo and (table.offered == OFFERED_KAKAN or table.offered == OFFERED_ANKAN)
    win.kita_ron = not tsumo and table.offered == OFFERED_KITA
    win.ankan_ron = not tsumo and table.offered == OFFERED_ANKAN
    win.first_turn = me.discards == 0 and not table.interrupted
    win.furiten = furiten(me, table)
    win.passed = me.riichi_furiten | me.temporary_furiten
    win.riichi_sticks = table.accepted
    if table.last_dealer == win.dealer:
        win.dealer_wins = table.dealer_wins
        win.dealer_rounds = table.dealer_rounds
    for i in range(3):
        if me.pao[i] >= 0:
            if i == 0:
                win.pao_daisangen = me.pao[i]
            elif i == 1:
                win.pao_daisuushi = me.pao[i]
            else:
                win.pao_suukantsu = me.pao[i]


@inner
def _copy_laid(table: Record, me: Record, win: Record) -> None:
    win.laid = me.laid
    for i in range(MOST_LAID):
        win.laid_kind[i] = me.laid_kind[i]
        for j in range(4):
            win.laid_tiles[i, j] = me.laid_tiles[i, j]
    win.indicators = min(table.indicators, MOST_DORA)
    for i in range(MOST_DORA):
        win.dora[i] = table.dora[i]


@inner
def _is_tsumo(table: Record, event: Event) -> bool:
    """Return whether a win is a tsumo; if the log does not say, as the play shows."""
    if 0 <= event.feeder < table.players:
        return event.feeder == event.seat
    return bool(table.phase == DISCARD_DUE and event.seat == table.turn)


@inner
def _check_tile(table: Record, event: Event) -> None:
    """Check that the winning tile was just drawn, or is offered by a seat."""
    me = table.seats[event.seat]
    if not 0 <= event.feeder < table.players:
        flag(table, WIN_WITHOUT_TILE, event.seat)
    elif event.feeder == event.seat:
        if table.phase != DISCARD_DUE or event.seat != table.turn:
            flag(table, OUT_OF_TURN, event.seat)
        if not me.has_drawn or (me.drawn != event.tile and me.drawn != HIDDEN):
            flag(table, WIN_WITHOUT_TILE, event.seat)
    elif not _offers(table, event.feeder) or event.tile != table.offered_tile:
        flag(table, WIN_WITHOUT_TILE, event.seat)


@inner
def _offers(table: Record, seat: int) -> bool:
    """Return whether a tile of the seat can be won on now."""
    return bool(table.offered != NOTHING and seat == table.offered_seat)


@inner
def _start_win(table: Record, win: Record, event: Event, deal: Deal, number: int) -> None:
    """Begin the row of a win: who won on which tile, and the wait."""
    me = table.seats[event.seat]
    win.round = table.row
    win.record = number
    win.win_index = table.round_wins
    win.seq = table.acts
    win.players = table.players
    win.winner = event.seat
    win.tsumo = _is_tsumo(table, event)
    win.dealer = table.dealer
    win.round_wind = deal.wind
    win.seat_wind = (event.seat - table.dealer) % table.players
    win.win_tile = event.tile if event.tile >= 0 else HIDDEN
    win.wait = me.waits
    win.wait_live = live(me, table, me.waits) + (1 if _waits_for(me, event.tile) else 0)
    if table.round_wins == 0:
        win.honba = deal.honba
        win.sticks = table.sticks


@inner
def _waits_for(me: Record, tile: int) -> bool:
    return bool((me.waits & bit(KIND[tile])) != NO_KINDS)


@inner
def _note_winner(table: Record, win: Record) -> None:
    """Write the win down in the winner's row of ``round_seats``."""
    row = table.rows[win.winner]
    row.won = 1
    row.won_by = BY_TSUMO if win.tsumo else BY_RON
    row.win_turn = win.turn
    row.win_table_turn = win.table_turn
    row.shanten_min = _COMPLETE
    if win.winner == win.dealer:
        table.dealer_won = 1


@inner
def add_win(
    table: Record, rows: Rows, event: Event, deal: Deal, record: RecordedWin, wait_kind: int
) -> Record:
    """Write down a win, and return its row; its payments follow later."""
    me = table.seats[event.seat]
    _check_tile(table, event)
    win = rows.wins[table.wins]
    table.wins += 1
    _start_win(table, win, event, deal, record.number)
    win.wait_kind = wait_kind
    _list_hand(me, event.tile, not win.tsumo, win.hand_tiles)
    _copy_laid(table, me, win)
    _note_circumstances(table, me, win)
    _check_hand(table, me, win, record.hand)
    _check_indicators(table, record.indicators)
    kind = ACT_TSUMO if win.tsumo else ACT_RON
    action = add_action(table, rows.actions, event.seat, kind, win.win_tile)
    action.shanten = _COMPLETE if _waits_for(me, event.tile) else NULL16
    _note_winner(table, win)
    if win.tsumo:
        action.drawn = me.drawn if me.has_drawn else NO_TILE
        return win
    # if the log does not name the feeder, it is the seat that offered the tile, if any
    feeder = event.feeder if 0 <= event.feeder < table.players else table.offered_seat
    if 0 <= feeder < table.players:
        action.from_seat = feeder
        _note_loser(table, win, feeder)
        if _offers(table, event.feeder) and table.offered == OFFERED_DISCARD:
            _note_risk(table, rows.risks, event.seat)  # a robbed kan or north is not a discard
    return win
