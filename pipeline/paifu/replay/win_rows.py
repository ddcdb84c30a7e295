"""A win: the hand as replayed, its circumstances, and whether the play allows it."""

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
from paifu.replay.seat_hand import KIND, bit, furiten, live
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
    """Write the concealed tiles by kind, the tile won on among them; ``NO_TILE`` fills up."""
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
    """Tell whether two lists hold the same tiles, whatever their order."""
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
def _check_hand(table: Record, me: Record, win: Record, shown: Array) -> None:
    """The hand must wait for the tile, and be the one the log shows, as far as both are known."""
    if me.hidden > 0:
        return
    if not me.waits & bit(KIND[win.win_tile]):
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
def _note_loser(
    table: Record, loser: Record, row: Record, win: Record, discard: bool, tile: int
) -> None:
    """Write down for the seat whose tile was won on how it stood."""
    win.loser_state = state_of(loser)
    win.loser_shanten = loser.shanten
    if row.riichi_accepted == 0:
        row.riichi_ronned = 1
    row.deal_ins += 1
    row.deal_in_turn = loser.discards + (0 if discard else 1)
    row.deal_in_table_turn = table_turn(table) - (1.0 / table.players if discard else 0.0)
    row.deal_in_tile = tile
    row.deal_in_shanten = loser.shanten
    row.deal_in_state = win.loser_state


@inner
def _note_risk(table: Record, risks: Records, winner: int) -> None:
    for i in range(table.first_risk, min(table.after_risk, len(risks))):
        if risks[i].against == winner:
            risks[i].dealt_in = 1


@inner
def _note_circumstances(table: Record, me: Record, row: Record, win: Record, tsumo: bool) -> None:
    win.turn = 1 + me.discards
    win.table_turn = table_turn(table)
    win.tiles_left = table.tiles_left
    win.winner_state = state_of(me)
    win.riichi = me.riichi != NO_RIICHI
    win.double_riichi = row.riichi_double == 1
    win.ippatsu = me.ippatsu
    win.rinshan = tsumo and table.rinshan != LIVE_DRAW
    win.after_kita = tsumo and table.rinshan == KITA_DRAW
    last = table.tiles_left <= 0
    win.haitei = tsumo and last and table.rinshan == LIVE_DRAW
    win.houtei = not tsumo and last and table.offered == OFFERED_DISCARD
    win.chankan = not tsumo and (table.offered == OFFERED_KAKAN or table.offered == OFFERED_ANKAN)
    win.kita_ron = not tsumo and table.offered == OFFERED_KITA
    win.first_turn = me.discards == 0 and not table.interrupted
    win.furiten = furiten(me)
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
def add_win(
    table: Record, actions: Records, risks: Records, wins: Records, winner: int, tile: int,
    feeder: int, record: int, dealer: int, wind: int, honba: int, wait_kind: int, shown: Array,
    indicators: Array,
) -> Record:  # fmt: skip
    """Write down a win, and return its row; payments come after it."""
    me = table.seats[winner]
    row = table.rows[winner]
    tsumo = feeder == winner
    offers = table.offered != NOTHING and feeder == table.offered_seat
    if not 0 <= feeder < table.players:  # the log does not say whose tile it was
        tsumo = table.phase == DISCARD_DUE and winner == table.turn
        feeder = winner if tsumo else table.offered_seat
        flag(table, WIN_WITHOUT_TILE, winner)
    elif tsumo:
        if table.phase != DISCARD_DUE or winner != table.turn:
            flag(table, OUT_OF_TURN, winner)
        if not me.has_drawn or me.drawn != tile:
            flag(table, WIN_WITHOUT_TILE, winner)
    elif not offers or tile != table.offered_tile:
        flag(table, WIN_WITHOUT_TILE, winner)
    win = wins[table.wins]
    table.wins += 1
    win.round = table.row
    win.record = record
    win.win_index = table.round_wins
    win.seq = table.acts
    win.players = table.players
    win.winner = winner
    win.tsumo = tsumo
    win.dealer = dealer
    win.round_wind = wind
    win.seat_wind = (winner - dealer) % table.players
    win.win_tile = tile if tile >= 0 else HIDDEN
    win.wait = me.waits
    win.wait_kind = wait_kind
    won_on_wait = me.waits & bit(KIND[tile])
    win.wait_live = live(me, table, me.waits) + (1 if won_on_wait else 0)
    if table.round_wins == 0:
        win.honba = honba
        win.sticks = table.sticks
    _list_hand(me, tile, not tsumo, win.hand_tiles)
    _copy_laid(table, me, win)
    _note_circumstances(table, me, row, win, tsumo)
    _check_hand(table, me, win, shown)
    _check_indicators(table, indicators)
    action = add_action(table, actions, me, winner, ACT_TSUMO if tsumo else ACT_RON, win.win_tile)
    if tsumo:
        action.drawn = me.drawn if me.has_drawn else NO_TILE
    action.shanten = _COMPLETE if won_on_wait else NULL16
    row.won = 1
    row.won_by = BY_TSUMO if tsumo else BY_RON
    row.win_turn = win.turn
    row.win_table_turn = win.table_turn
    row.shanten_min = _COMPLETE
    if not tsumo and 0 <= feeder < table.players:
        win.loser = feeder
        loser = table.seats[feeder]
        action.from_seat = feeder
        by_discard = table.offered == OFFERED_DISCARD
        _note_loser(table, loser, table.rows[feeder], win, by_discard, win.win_tile)
        if offers and by_discard:  # a robbed kan or north is no discard
            _note_risk(table, risks, winner)
    if winner == dealer:
        table.dealer_won = 1
    return win
