"""The acts of a seat in its own turn: it draws, declares riichi, and discards."""

from __future__ import annotations

from paifu.game.events import Array
from paifu.game.tiles import HIDDEN, IS_YAOCHUU, KINDS, NO_TILE, RED_5M, RED_5S
from paifu.kernels.compiling import inner
from paifu.replay.flags import (
    DISCARD_MISSING,
    FIFTH_COPY,
    HAND_CHANGED_IN_RIICHI,
    HIDDEN_TILES,
    KUIKAE,
    KUIKAE_SUJI,
    OUT_OF_TURN,
    RIICHI_FURITEN,
    RIICHI_NOTEN,
    RIICHI_OPEN,
    RIICHI_TOO_LATE,
    RIICHI_TWICE,
    RIICHI_WITHOUT_POINTS,
    SHORT_HAIPAI,
    TILE_NOT_IN_HAND,
    WALL_OVERDRAWN,
    WRONG_TILE_FOR_PLAYERS,
    flag,
)
from paifu.replay.play_arrays import Event
from paifu.replay.rights import KUIKAE_ALLOWED, KUIKAE_WITH_SUJI
from paifu.replay.risks import add_risks
from paifu.replay.row_types import ACT_DISCARD, ACT_RIICHI, EARLY, NULL16
from paifu.replay.seat_hand import (
    KIND,
    NO_KINDS,
    add_tile,
    bit,
    holds,
    holds_all_waits,
    live,
    take_tile,
)
from paifu.replay.table_state import (
    CALL_DISCARD_DUE,
    DISCARD_DUE,
    DRAW_DUE,
    IN_RIICHI,
    LIVE_DRAW,
    MOST_TILES,
    NO_RIICHI,
    NOTHING,
    OFFERED_DISCARD,
    RIICHI_DECLARED,
    Record,
    Records,
)

_FIRST_WIND, _LAST_WIND = 27, 30


@inner
def see(table: Record, tile: int) -> None:
    """Count a tile that everybody sees from now on."""
    kind = KIND[tile]
    if kind < KINDS and table.seen[kind] < MOST_TILES:
        table.seen[kind] += 1


@inner
def come_up(table: Record, tile: int, seat: int) -> None:
    """Count a tile that came from the wall, and flag a tile that the tile set does not have."""
    kind = KIND[tile]
    if kind == HIDDEN:
        flag(table, HIDDEN_TILES, seat)
        return
    if kind >= KINDS or (table.players == 3 and 1 <= kind <= 7):
        flag(table, WRONG_TILE_FOR_PLAYERS, seat)
        return
    if table.copies[kind] >= 4:
        flag(table, FIFTH_COPY, seat)
    else:
        table.copies[kind] += 1


@inner
def table_turn(table: Record) -> float:
    """Return (1 + all discards before this) / players."""
    return float((1.0 + table.discards) / table.players)


@inner
def add_action(table: Record, actions: Records, seat: int, action: int, tile: int) -> Record:
    """Begin a row of ``actions`` and return it; the last row is a scratch one without actions."""
    me = table.seats[seat]
    row = actions[min(table.actions, len(actions) - 1)]
    table.actions += 1
    row.round = table.row
    row.seq = table.acts
    table.acts += 1
    row.turn = 1 + me.discards
    row.table_turn = table_turn(table)
    row.seat = seat
    row.action = action
    row.drawn = -1
    row.tile = tile if tile >= 0 else HIDDEN
    row.tsumogiri = -1
    row.from_seat = NULL16
    row.shanten = NULL16
    row.waits = NO_KINDS
    row.tiles_left = table.tiles_left
    row.dora_shown = table.indicators
    row.open_melds = me.open_melds
    for i in range(4):
        row.meld_tiles[i] = NO_TILE
    return row


@inner
def draw(table: Record, me: Record, seat: int, tile: int) -> None:
    """A seat draws a tile from the live wall, or a replacement for a kan or north."""
    if table.phase != DRAW_DUE:
        reason = DISCARD_MISSING if seat == table.turn else OUT_OF_TURN
        flag(table, reason, seat)
    elif seat != table.turn:
        flag(table, OUT_OF_TURN, seat)
    table.passed = NOTHING
    table.tiles_left -= 1
    if table.replaces == LIVE_DRAW:
        table.live_draws += 1
    if table.tiles_left < 0:
        flag(table, WALL_OVERDRAWN, seat)
    come_up(table, tile, seat)
    add_tile(me, tile)
    me.drawn = tile
    me.has_drawn = 1
    table.turn = seat
    table.phase = DISCARD_DUE
    table.rinshan = table.replaces
    table.replaces = LIVE_DRAW


@inner
def declare_riichi(table: Record, me: Record, seat: int) -> None:
    """A seat declares riichi; its next discard is the declaration tile."""
    if table.phase != DISCARD_DUE or seat != table.turn:
        flag(table, OUT_OF_TURN, seat)
    if me.open_melds > 0:
        flag(table, RIICHI_OPEN, seat)
    if me.riichi != NO_RIICHI:
        flag(table, RIICHI_TWICE, seat)
        return
    me.riichi = RIICHI_DECLARED
    table.declaring = seat


@inner
def _is_tsumogiri(me: Record, tile: int, said: int) -> int:
    """Return 1 if the drawn tile is discarded, 0 if another tile is, -1 if it is not known."""
    if not me.has_drawn:
        return 0
    if me.drawn < 0 or me.drawn == HIDDEN:
        return said
    if tile != me.drawn:
        return 0
    if said >= 0:
        return said
    if me.riichi == IN_RIICHI:
        return 1
    take_tile(me, tile)
    another = holds(me, tile)
    add_tile(me, tile)
    return -1 if another else 1


@inner
def note_tenpai(table: Record, me: Record, row: Record, turn: int, at: float) -> None:
    """Write down the first tenpai of the round."""
    if me.waits and row.tenpai_turn == NULL16:
        row.tenpai_turn = turn
        row.tenpai_table_turn = at
        row.tenpai_wait = me.waits
        row.tenpai_wait_kind = me.wait_kind
        row.tenpai_live = live(me, table, me.waits)
        row.tenpai_tiles_left = table.tiles_left
        row.tenpai_draws = table.live_draws


@inner
def _enter_riichi(table: Record, seat: int, tile: int) -> None:
    """The riichi discard is on the table: write down the riichi."""
    me = table.seats[seat]
    row = table.rows[seat]
    me.riichi = IN_RIICHI
    me.riichi_at = me.discards
    me.ippatsu = 1
    me.passed = NO_KINDS
    table.declaring = -1
    table.riichis += 1
    for other in range(table.players):
        if other != seat and table.seats[other].riichi == IN_RIICHI:
            table.rows[other].riichi_later += 1
    exhausted = table.own_tiles_exhaust != 0 and me.waits != NO_KINDS and holds_all_waits(me)
    if me.shanten > 0 or exhausted:
        flag(table, RIICHI_NOTEN, seat)
    if table.scores[seat] < table.riichi_points:
        flag(table, RIICHI_WITHOUT_POINTS, seat)
    if table.tiles_left < table.riichi_tiles:
        flag(table, RIICHI_TOO_LATE, seat)
    row.riichi_turn = me.discards + 1
    row.riichi_table_turn = table_turn(table)
    row.riichi_accepted = 0
    row.riichi_double = 1 if me.discards == 0 and not table.interrupted else 0
    row.riichi_order = table.riichis
    row.riichi_later = 0
    row.riichi_tile = tile
    row.riichi_ronned = 0
    row.riichi_tiles_left = table.tiles_left
    row.riichi_draws = table.live_draws
    if me.waits:
        row.riichi_wait = me.waits
        row.riichi_wait_kind = me.wait_kind
        row.riichi_live = live(me, table, me.waits)
        kinds = 0
        for kind in range(KINDS):
            if me.waits & bit(kind):
                kinds += 1
        row.riichi_wait_tiles = kinds
    row.furiten_riichi = 1 if me.waits & me.own else 0
    if row.furiten_riichi == 1 and table.furiten_riichi == 0:
        flag(table, RIICHI_FURITEN, seat)


@inner
def _note_discard(table: Record, me: Record, tile: int) -> None:
    """Add the discard to the seat's discards and to the tiles that everybody sees."""
    kind = KIND[tile]
    me.own |= bit(kind)
    if me.discards < EARLY and me.riichi == NO_RIICHI:
        me.early |= bit(kind)
    if kind >= KINDS or not IS_YAOCHUU[kind]:
        me.all_yaochuu = 0
    if table.discards == 0 and _FIRST_WIND <= kind <= _LAST_WIND:
        table.suufon = kind
    elif kind != table.suufon:
        table.suufon = -1
    see(table, tile)
    me.passing = NO_KINDS
    me.temporary_furiten = 0
    me.ippatsu = 0


@inner
def _note_kuikae(table: Record, me: Record, row: Record, seat: int, tile: int) -> None:
    kind = KIND[tile]
    if me.swap >= 0:
        if kind == me.swap:
            row.kuikae += 1
            if table.kuikae != KUIKAE_ALLOWED:
                flag(table, KUIKAE, seat)
        elif kind == me.swap_end:
            row.kuikae_suji += 1
            if table.kuikae == KUIKAE_WITH_SUJI:
                flag(table, KUIKAE_SUJI, seat)
    me.swap = -1
    me.swap_end = -1


@inner
def take_discard(table: Record, event: Event) -> bool:
    """Take the discard out of the hand; return whether the 13 tiles have changed."""
    seat, tile = event.seat, event.tile
    me = table.seats[seat]
    if table.phase not in (DISCARD_DUE, CALL_DISCARD_DUE) or seat != table.turn:
        flag(table, OUT_OF_TURN, seat)
    me.tsumogiri = _is_tsumogiri(me, tile, event.tsumogiri)
    if me.riichi == IN_RIICHI and me.tsumogiri == 0:
        flag(table, HAND_CHANGED_IN_RIICHI, seat)
        table.rows[seat].riichi_broken += 1
    if not take_tile(me, tile):
        flag(table, TILE_NOT_IN_HAND, seat)
    me.had_drawn = me.drawn if me.has_drawn else NO_TILE
    same_hand = me.has_drawn and KIND[tile] == KIND[me.drawn] and not me.changed
    me.has_drawn = 0
    me.drawn = NO_TILE
    return not same_hand


@inner
def discard(table: Record, actions: Records, risks: Records, seat: int, tile: int) -> None:
    """A seat discards a tile; its hand is worked out again."""
    me = table.seats[seat]
    row = table.rows[seat]
    _note_kuikae(table, me, row, seat, tile)
    _note_discard(table, me, tile)
    declares = me.riichi == RIICHI_DECLARED
    if declares:
        _enter_riichi(table, seat, tile)
    add_risks(table, risks, seat, tile)
    kind = ACT_RIICHI if declares else ACT_DISCARD
    action = add_action(table, actions, seat, kind, tile)
    action.drawn = me.had_drawn
    action.tsumogiri = me.tsumogiri
    action.shanten = me.shanten
    action.waits = me.waits
    if me.discards < EARLY:
        row.pond[me.discards] = tile if tile >= 0 else HIDDEN
    me.discards += 1
    row.discards += 1
    row.tsumogiri += max(0, me.tsumogiri)
    if me.shanten != NULL16 and (row.shanten_min == NULL16 or me.shanten < row.shanten_min):
        row.shanten_min = me.shanten
    note_tenpai(table, me, row, me.discards, table_turn(table))
    table.discards += 1
    table.dora_due += table.dora_pending
    table.dora_pending = 0
    table.offered = OFFERED_DISCARD
    table.offered_tile = tile
    table.offered_seat = seat
    table.turn = (seat + 1) % table.players
    table.phase = DRAW_DUE
    table.replaces = LIVE_DRAW


@inner
def deal_seat(table: Record, me: Record, row: Record, seat: int, haipai: Array) -> None:
    """Deal a seat its first 13 tiles."""
    kinds = NO_KINDS
    dealt = 0
    for i in range(len(haipai)):
        tile = haipai[i]
        if tile == NO_TILE:
            continue
        dealt += 1
        come_up(table, tile, seat)
        add_tile(me, tile)
        kind = KIND[tile]
        if table.dora_kinds & bit(kind):
            row.haipai_dora += 1
        if RED_5M <= tile <= RED_5S:
            row.haipai_dora += 1
        if kind < KINDS and IS_YAOCHUU[kind]:
            if not kinds & bit(kind):
                row.haipai_yaochuu_kinds += 1
            kinds |= bit(kind)
    if dealt != len(haipai):
        flag(table, SHORT_HAIPAI, seat)


@inner
def note_haipai(table: Record, me: Record, row: Record, round_wind: int) -> None:
    """Write down the facts of the first 13 tiles."""
    for kind in range(_FIRST_WIND, KINDS):
        wind = kind - _FIRST_WIND
        value = kind > _LAST_WIND or wind == round_wind or wind == row.seat_wind
        if value and me.counts[kind] == 2:
            me.value_pairs |= bit(kind)
            row.yakuhai_pairs += 1
    row.haipai_shanten = me.shanten
    row.shanten_min = me.shanten
    note_tenpai(table, me, row, 0, 0.0)
