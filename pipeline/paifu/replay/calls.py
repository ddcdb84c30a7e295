"""Calls, kans and norths set aside: what a seat lays down, and what follows from it."""

from __future__ import annotations

import numpy as np

from paifu.game.events import CHI, DAIMINKAN, PON, Array
from paifu.game.tiles import KINDS, NO_TILE, NORTH
from paifu.kernels.compiling import inner
from paifu.replay.acts import add_action, see, table_turn
from paifu.replay.flags import (
    BAD_CHI,
    BAD_MELD,
    CALL_IN_RIICHI,
    CALL_WITHOUT_DRAW_LEFT,
    KAKAN_WITHOUT_PON,
    KITA_AFTER_PON,
    OUT_OF_TURN,
    RIICHI_KAN,
    RIICHI_KAN_DRAWN,
    RIICHI_KAN_READINGS,
    RIICHI_KAN_WAIT,
    TILE_NOT_IN_HAND,
    TOO_MANY_KANS,
    flag,
)
from paifu.replay.play_arrays import Event
from paifu.replay.rights import RIICHI_KAN_FREE, RIICHI_KAN_OFF, RIICHI_KAN_SAME_READINGS
from paifu.replay.row_types import (
    ACT_ANKAN,
    ACT_CHI,
    ACT_DAIMINKAN,
    ACT_KAKAN,
    ACT_KITA,
    ACT_PON,
    KOKUSHI,
    KOKUSHI13,
    MOST_LAID,
    NULL16,
    PASSED_ANKAN,
    PASSED_KITA,
    PASSED_TILE,
)
from paifu.replay.seat_hand import (
    KIND,
    bit,
    changes_readings,
    take_kind,
    take_tile,
    waits_after_ankan,
)
from paifu.replay.table_state import (
    CALL_DISCARD_DUE,
    DISCARD_DUE,
    DRAW_DUE,
    IN_RIICHI,
    KAN_DRAW,
    KITA_DRAW,
    LAID_ANKAN,
    LAID_CHI,
    LAID_DAIMINKAN,
    LAID_KAKAN,
    LAID_KITA,
    LAID_PON,
    MOST_MELDS,
    NO_RIICHI,
    NOTHING,
    OFFERED_ANKAN,
    OFFERED_DISCARD,
    OFFERED_KAKAN,
    OFFERED_KITA,
    Record,
    Records,
)
from paifu.rules.hands.suit_tables import SuitTables

_WINDS = (27, 31)
_DRAGONS = (31, 34)
_HONOURS = 27
# of chi, pon and daiminkan, in the order of their events
_LAID_AS = np.array([LAID_CHI, LAID_PON, LAID_DAIMINKAN])
_CALLED_AS = np.array([ACT_CHI, ACT_PON, ACT_DAIMINKAN])
_PAO_DAISANGEN, _PAO_DAISUUSHI, _PAO_SUUKANTSU = range(3)


@inner
def interrupt(table: Record) -> None:
    """A call, kan or kita is completed: the first turn and ippatsu are over."""
    table.interrupted = 1
    table.break_due = 0
    for seat in range(table.players):
        table.seats[seat].ippatsu = 0


@inner
def _miss(seat: Record, cause: int) -> None:
    """A seat has let pass a tile that it waited for."""
    if seat.riichi == IN_RIICHI:
        seat.riichi_furiten |= cause
    else:
        seat.temporary_furiten |= cause


@inner
def _pass_ankan(table: Record, tile: np.uint64) -> None:
    """No seat robbed an ankan that thirteen orphans may rob."""
    for other in range(table.players):
        seat = table.seats[other]
        orphans = seat.wait_kind == KOKUSHI or seat.wait_kind == KOKUSHI13
        if other != table.offered_seat and orphans and seat.waits & tile:
            _miss(seat, PASSED_ANKAN)


@inner
def pass_offer(table: Record, caller: int) -> None:
    """No seat won on the tile that was offered.

    What was passed is noted of a seat that waited for the tile, except of a seat that called it. An
    ankan can be won on only by thirteen orphans. The rule set of the game says whether an ankan or
    a north set aside that is passed makes furiten.
    """
    table.passed = table.offered
    table.offered = NOTHING
    if table.break_due:
        interrupt(table)
    if table.passed == NOTHING:
        return
    tile = bit(KIND[table.offered_tile])
    if table.passed == OFFERED_ANKAN:
        _pass_ankan(table, tile)
        return
    is_kita = table.passed == OFFERED_KITA
    cause = PASSED_KITA if is_kita else PASSED_TILE
    noted = not is_kita or table.kita_furiten != 0
    for other in range(table.players):
        if other == table.offered_seat:
            continue
        seat = table.seats[other]
        if noted:
            seat.passing |= tile
        if noted and seat.riichi == IN_RIICHI:
            seat.passed |= tile
        if seat.waits & tile and other != caller:
            _miss(seat, cause)


@inner
def _lay(me: Record, kind: int, tile: int, consumed: Array, count: int) -> None:
    """Lay a set or north down for the seat; there is no room for a ninth."""
    if me.laid >= MOST_LAID:
        return
    slot = me.laid
    me.laid += 1
    me.laid_kind[slot] = kind
    me.laid_tiles[slot, 0] = tile
    for i in range(3):
        me.laid_tiles[slot, 1 + i] = consumed[i] if i < count else NO_TILE


@inner
def _write_meld(action: Record, tile: int, consumed: Array, count: int) -> None:
    action.meld_tiles[0] = tile
    for i in range(count):
        action.meld_tiles[1 + i] = consumed[i]


@inner
def _is_meld(kind: int, tile: int, consumed: Array, count: int) -> bool:
    """Return whether the tiles make the claimed set."""
    called = KIND[tile]
    if called >= KINDS:
        return False
    if kind != CHI:
        for i in range(count):
            if KIND[consumed[i]] != called:
                return False
        return True
    a = min(KIND[consumed[0]], KIND[consumed[1]])
    b = max(KIND[consumed[0]], KIND[consumed[1]])
    low = min(called, a)
    high = max(called, b)
    middle = a + b + called - low - high
    same_suit = high < _HONOURS and low // 9 == high // 9
    return bool(same_suit and high == low + 2 and middle == low + 1)


@inner
def _sets_among(me: Record, first: int, end: int) -> int:
    """Return how many of the sets that the seat laid down have kinds ``first`` to ``end - 1``."""
    count = 0
    for i in range(me.laid):
        if me.laid_kind[i] != LAID_KITA and me.laid_kind[i] != LAID_CHI:
            kind = KIND[me.laid_tiles[i, 0]]
            if first <= kind < end:
                count += 1
    return count


@inner
def _kans_of(me: Record) -> int:
    count = 0
    for i in range(me.laid):
        kind = me.laid_kind[i]
        if kind == LAID_DAIMINKAN or kind == LAID_KAKAN or kind == LAID_ANKAN:
            count += 1
    return count


@inner
def _note_pao(me: Record, kind: int, tile: int, feeder: int) -> None:
    """A call that completes three dragons, four winds or four kans makes its feeder liable."""
    called = KIND[tile]
    if _DRAGONS[0] <= called < _DRAGONS[1] and _sets_among(me, _DRAGONS[0], _DRAGONS[1]) == 3:
        me.pao[_PAO_DAISANGEN] = feeder
    if _WINDS[0] <= called < _WINDS[1] and _sets_among(me, _WINDS[0], _WINDS[1]) == 4:
        me.pao[_PAO_DAISUUSHI] = feeder
    if kind == DAIMINKAN and _kans_of(me) == 4:
        me.pao[_PAO_SUUKANTSU] = feeder


@inner
def _check_kan(table: Record, seat: int) -> None:
    """A round has at most four kans, and each needs a replacement tile."""
    if table.kans >= 4:
        flag(table, TOO_MANY_KANS, seat)
    if table.tiles_left <= 0:
        flag(table, CALL_WITHOUT_DRAW_LEFT, seat)


@inner
def _start_kan(table: Record, seat: int) -> None:
    """Count a kan; the indicators of earlier kans must be open by now."""
    table.kans += 1
    table.kan_seats |= 1 << seat
    table.dora_due += table.dora_pending
    table.dora_pending = 0
    table.replaces = KAN_DRAW
    table.phase = DRAW_DUE


@inner
def _note_swap(me: Record, kind: int, tile: int, consumed: Array) -> None:
    """Remember which discards would be kuikae: they only swap the called tile back."""
    called = KIND[tile]
    me.swap = called
    me.swap_end = -1
    if kind != CHI or called >= _HONOURS:
        return
    a = min(KIND[consumed[0]], KIND[consumed[1]])
    b = max(KIND[consumed[0]], KIND[consumed[1]])
    if called < a and called % 9 <= 5:
        me.swap_end = called + 3
    elif called > b and called % 9 >= 3:
        me.swap_end = called - 3


@inner
def _check_call(table: Record, event: Event, consumed: Array, count: int) -> None:
    """Check that a call takes the tile just discarded, is in turn, and makes a set."""
    seat, feeder = event.seat, event.feeder
    if table.passed != OFFERED_DISCARD or feeder != table.offered_seat or seat == feeder:
        flag(table, OUT_OF_TURN, seat)
    if event.tile != table.offered_tile or not _is_meld(event.kind, event.tile, consumed, count):
        flag(table, BAD_MELD, seat)
    if event.kind == CHI and (table.players == 3 or seat != (feeder + 1) % table.players):
        flag(table, BAD_CHI, seat)
    if table.seats[seat].riichi != NO_RIICHI:
        flag(table, CALL_IN_RIICHI, seat)
        table.rows[seat].riichi_broken += 1
    if event.kind == DAIMINKAN:
        _check_kan(table, seat)
    elif table.tiles_left <= 0:
        flag(table, CALL_WITHOUT_DRAW_LEFT, seat)


@inner
def _count_call(table: Record, event: Event) -> None:
    """Count a call in its seat's row."""
    me = table.seats[event.seat]
    row = table.rows[event.seat]
    if row.first_call_turn == NULL16:
        row.first_call_turn = 1 + me.discards
        row.first_call_table_turn = table_turn(table)
    row.calls += 1
    if event.kind == CHI:
        row.chi += 1
    elif event.kind == PON:
        row.pon += 1
        if me.value_pairs & bit(KIND[event.tile]):
            row.yakuhai_pairs_called += 1
    else:
        row.daiminkan += 1


@inner
def _lay_call(table: Record, event: Event, consumed: Array, count: int) -> None:
    """Lay a called set down for its seat, unless it already has four sets."""
    me = table.seats[event.seat]
    if me.melds >= MOST_MELDS:
        flag(table, BAD_MELD, event.seat)
        return
    me.melds += 1
    me.open_melds += 1
    if me.open_melds == 2:
        me.open_at = me.discards
    _lay(me, _LAID_AS[event.kind - CHI], event.tile, consumed, count)
    if 0 <= event.feeder < table.players:
        _note_pao(me, event.kind, event.tile, event.feeder)


@inner
def call(table: Record, actions: Records, event: Event, consumed: Array) -> None:
    """A seat calls a discard: chi, pon or daiminkan."""
    kind, seat, tile = event.kind, event.seat, event.tile
    me = table.seats[seat]
    count = 3 if kind == DAIMINKAN else 2
    _check_call(table, event, consumed, count)
    table.passed = NOTHING
    for i in range(count):
        if not take_tile(me, consumed[i]):
            flag(table, TILE_NOT_IN_HAND, seat)
        see(table, consumed[i])
    interrupt(table)
    if 0 <= event.feeder < table.players:
        table.seats[event.feeder].all_yaochuu = 0
    me.changed = 1
    me.has_drawn = 0
    table.turn = seat
    _count_call(table, event)
    _lay_call(table, event, consumed, count)
    action = add_action(table, actions, seat, _CALLED_AS[kind - CHI], tile)
    action.from_seat = event.feeder if event.feeder >= 0 else NULL16
    _write_meld(action, tile, consumed, count)
    if kind == DAIMINKAN:
        _start_kan(table, seat)
        table.dora_pending = 1
    else:
        table.phase = CALL_DISCARD_DUE
        _note_swap(me, kind, tile, consumed)


@inner
def _must_be_turn(table: Record, seat: int) -> None:
    if table.phase != DISCARD_DUE or seat != table.turn:
        flag(table, OUT_OF_TURN, seat)


@inner
def _offer(table: Record, seat: int, tile: int, offered: int) -> None:
    """A kan or north that is laid down may be robbed; it counts as a call only if it is not."""
    table.offered = offered
    table.offered_seat = seat
    table.offered_tile = tile
    table.break_due = 1
    table.turn = seat


@inner
def _finish_own(action: Record, me: Record) -> None:
    """After an ankan, kakan or kita a replacement is due: the drawn tile is part of the hand."""
    action.drawn = me.drawn if me.has_drawn else NO_TILE
    me.has_drawn = 0
    me.drawn = NO_TILE


@inner
def _check_riichi_kan(tables: SuitTables, table: Record, seat: int, kind: int) -> None:
    """Check an ankan in riichi: it must use the drawn tile and leave the waits as they were."""
    me = table.seats[seat]
    row = table.rows[seat]
    row.riichi_kans += 1
    if table.riichi_kan == RIICHI_KAN_OFF:
        flag(table, RIICHI_KAN, seat)
    if me.hidden > 0 or not 0 <= kind < KINDS or me.counts[kind] < 4:
        return
    if not me.has_drawn or KIND[me.drawn] != kind:
        row.riichi_kan_drawn += 1
        if table.riichi_kan != RIICHI_KAN_FREE:
            flag(table, RIICHI_KAN_DRAWN, seat)
    if waits_after_ankan(tables, me, kind) != me.waits:
        row.riichi_kan_wait += 1
        if table.riichi_kan != RIICHI_KAN_FREE:
            flag(table, RIICHI_KAN_WAIT, seat)
    if changes_readings(tables, me, kind):
        row.riichi_kan_readings += 1
        if table.riichi_kan == RIICHI_KAN_SAME_READINGS:
            flag(table, RIICHI_KAN_READINGS, seat)


@inner
def ankan(
    tables: SuitTables, table: Record, actions: Records, event: Event, consumed: Array
) -> None:
    """A seat lays down a concealed kan."""
    seat, tile = event.seat, event.tile
    me = table.seats[seat]
    row = table.rows[seat]
    _must_be_turn(table, seat)
    _check_kan(table, seat)
    kind = KIND[tile]
    if me.riichi == IN_RIICHI:
        _check_riichi_kan(tables, table, seat, kind)
    if kind >= KINDS:
        flag(table, BAD_MELD, seat)
    for i in range(3):
        if consumed[i] != NO_TILE and KIND[consumed[i]] != kind:
            flag(table, BAD_MELD, seat)
    for _ in range(4):
        if kind >= KINDS or not take_kind(me, kind):
            flag(table, TILE_NOT_IN_HAND, seat)
        see(table, tile)
    row.ankan += 1
    if me.melds >= MOST_MELDS:
        flag(table, BAD_MELD, seat)
    else:
        me.melds += 1
        _lay(me, LAID_ANKAN, tile, consumed, 3)
    me.changed = 1
    action = add_action(table, actions, seat, ACT_ANKAN, tile)
    _write_meld(action, tile, consumed, 3)
    _finish_own(action, me)
    _start_kan(table, seat)
    table.dora_due += 1
    _offer(table, seat, tile, OFFERED_ANKAN)


@inner
def kakan(table: Record, actions: Records, event: Event) -> None:
    """A seat adds a tile to its pon."""
    seat, tile = event.seat, event.tile
    me = table.seats[seat]
    _must_be_turn(table, seat)
    _check_kan(table, seat)
    if not take_tile(me, tile):
        flag(table, TILE_NOT_IN_HAND, seat)
    see(table, tile)
    table.rows[seat].kakan += 1
    pon = -1
    for i in range(me.laid):
        if me.laid_kind[i] == LAID_PON and KIND[me.laid_tiles[i, 0]] == KIND[tile]:
            pon = i
    if pon < 0:
        flag(table, KAKAN_WITHOUT_PON, seat)
    action = add_action(table, actions, seat, ACT_KAKAN, tile)
    if pon >= 0:
        me.laid_kind[pon] = LAID_KAKAN
        me.laid_tiles[pon, 3] = tile
        for i in range(4):
            action.meld_tiles[i] = me.laid_tiles[pon, i]
    if not me.has_drawn or KIND[tile] != KIND[me.drawn]:
        me.changed = 1
    _finish_own(action, me)
    _start_kan(table, seat)
    table.dora_pending = 1
    _offer(table, seat, tile, OFFERED_KAKAN)


@inner
def kita(table: Record, actions: Records, event: Event, consumed: Array) -> None:
    """A seat sets a north aside (three players); right after a pon only some rule sets let it."""
    seat, tile = event.seat, event.tile
    me, row = table.seats[seat], table.rows[seat]
    if table.phase == CALL_DISCARD_DUE and seat == table.turn:
        row.kita_after_pon += 1
        if table.kita_after_pon == 0:
            flag(table, KITA_AFTER_PON, seat)
    else:
        _must_be_turn(table, seat)
    if table.players != 3 or KIND[tile] != NORTH:
        flag(table, BAD_MELD, seat)
    if table.tiles_left <= 0:
        flag(table, CALL_WITHOUT_DRAW_LEFT, seat)
    if not take_tile(me, tile):
        flag(table, TILE_NOT_IN_HAND, seat)
    see(table, tile)
    row.kita += 1
    _lay(me, LAID_KITA, tile, consumed, 0)
    if not me.has_drawn or KIND[tile] != KIND[me.drawn]:
        me.changed = 1
    action = add_action(table, actions, seat, ACT_KITA, tile)
    _finish_own(action, me)
    table.dora_due += table.dora_pending
    table.dora_pending = 0
    table.replaces = KITA_DRAW
    table.phase = DRAW_DUE
    _offer(table, seat, tile, OFFERED_KITA)
