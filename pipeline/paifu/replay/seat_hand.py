"""A seat's concealed tiles: add and take tiles, shanten, waits, kind of wait and live tiles."""

from __future__ import annotations

import numpy as np

from paifu.game.events import Array
from paifu.game.tiles import HIDDEN, KIND_OF, KINDS, RED_5M, RED_5S
from paifu.kernels.compiling import inner
from paifu.replay.row_types import (
    CHIITOI,
    FURITEN_NONE,
    FURITEN_OWN,
    FURITEN_RIICHI,
    FURITEN_TEMPORARY,
    KANCHAN,
    KOKUSHI,
    KOKUSHI13,
    MULTI,
    PASSED_ANKAN,
    PASSED_KITA,
    PASSED_TILE,
    PENCHAN,
    RYANMEN,
    SHANPON,
    TANKI,
)
from paifu.replay.table_state import MOST_MELDS, MOST_TILES, NO_SHANTEN, Record
from paifu.rules.hands.shanten import (
    COMPLETE,
    NOT_A_HAND,
    shanten,
    shanten_chiitoi,
    shanten_kokushi,
    shanten_regular,
    waits,
)
from paifu.rules.hands.suit_tables import SuitTables

KIND = KIND_OF.astype(np.int64)
"""Kind of each code; -1 for ``NO_TILE`` and for a hidden tile."""
ONE = np.uint64(1)
NO_KINDS = np.uint64(0)
_HONOURS = 27
_ONE_OF_2 = np.uint64(0x5555555555555555)
_TWO_OF_4 = np.uint64(0x3333333333333333)
_FOUR_OF_8 = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONE_OF_8 = np.uint64(0x0101010101010101)


@inner
def bit(kind: int) -> np.uint64:
    """Return the mask of one kind; 0 for flowers and hidden tiles."""
    if 0 <= kind < KINDS:
        return ONE << np.uint64(kind)
    return NO_KINDS


@inner
def add_tile(me: Record, tile: int) -> None:
    """Put a tile into the hand; counts stop at one more than a tile set has."""
    kind = KIND[tile]
    if tile < 0 or tile == HIDDEN:
        me.hidden += 1
    elif kind < KINDS and me.counts[kind] < MOST_TILES:
        me.counts[kind] += 1
        if RED_5M <= tile <= RED_5S:
            me.reds[tile - RED_5M] += 1


@inner
def holds(me: Record, tile: int) -> bool:
    """Return whether exactly this tile, red or not, is in the known part of the hand."""
    kind = KIND[tile]
    if tile < 0 or kind >= KINDS:
        return False
    if tile >= RED_5M:
        return bool(me.reds[tile - RED_5M] > 0)
    reds = 0
    if kind < _HONOURS and kind % 9 == 4:
        reds = me.reds[kind // 9]
    return bool(me.counts[kind] > reds)


@inner
def take_tile(me: Record, tile: int) -> bool:
    """Take a tile out of the hand, or else a hidden tile; False if there is neither."""
    if holds(me, tile):
        me.counts[KIND[tile]] -= 1
        if RED_5M <= tile <= RED_5S:
            me.reds[tile - RED_5M] -= 1
        return True
    if me.hidden > 0:
        me.hidden -= 1
        return True
    return False


@inner
def take_kind(me: Record, kind: int) -> bool:
    """Take a tile of a kind, plain before red, or else a hidden tile; False if there is neither."""
    if kind < _HONOURS and kind % 9 == 4 and not holds(me, kind) and me.counts[kind] > 0:
        return take_tile(me, RED_5M + kind // 9)
    return take_tile(me, kind)


@inner
def _completes(tables: SuitTables, counts: Array, melds: int, a: int, b: int) -> bool:
    """Return whether the hand without a tile of each of two kinds is three sets and a pair."""
    if melds >= MOST_MELDS:
        return False
    counts[a] -= 1
    counts[b] -= 1
    whole = (
        counts[a] >= 0 and counts[b] >= 0 and shanten_regular(tables, counts, melds + 1) == COMPLETE
    )
    counts[a] += 1
    counts[b] += 1
    return whole


@inner
def tile_wait_kind(tables: SuitTables, counts: Array, melds: int, kind: int) -> int:
    """Return how a regular hand waits for one kind; of several readings the best counts."""
    number = kind % 9 if kind < _HONOURS else -1
    below = number >= 2 and _completes(tables, counts, melds, kind - 2, kind - 1)
    above = 0 <= number <= 6 and _completes(tables, counts, melds, kind + 1, kind + 2)
    if (below and number > 2) or (above and number < 6):
        return RYANMEN
    if _completes(tables, counts, melds, kind, kind):
        return SHANPON
    if 1 <= number <= 7 and _completes(tables, counts, melds, kind - 1, kind + 1):
        return KANCHAN
    return PENCHAN if below or above else TANKI


@inner
def count_kinds(mask: np.uint64) -> int:
    """Return how many kinds are in a mask: counts of two bits, of four, of eight, and their sum."""
    pairs = mask - ((mask >> ONE) & _ONE_OF_2)
    fours = (pairs & _TWO_OF_4) + ((pairs >> np.uint64(2)) & _TWO_OF_4)
    bytes_ = (fours + (fours >> np.uint64(4))) & _FOUR_OF_8
    return int(np.int64((bytes_ * _ONE_OF_8) >> np.uint64(56)))


@inner
def _special_wait_kind(tables: SuitTables, counts: Array, melds: int, kinds: int) -> int:
    """Return the kind of a wait that is only for thirteen orphans or seven pairs, else -1."""
    if melds > 0:
        return -1
    if shanten_kokushi(counts) == 0:
        return KOKUSHI13 if kinds == 13 else KOKUSHI
    if shanten_chiitoi(counts) == 0 and shanten_regular(tables, counts, 0) > 0:
        return CHIITOI
    return -1


@inner
def wait_kind(tables: SuitTables, counts: Array, melds: int, mask: np.uint64) -> int:
    """Return the kind of a tenpai hand's wait, as an index into ``row_types.WAIT_KINDS``."""
    kinds = count_kinds(mask)
    special = _special_wait_kind(tables, counts, melds, kinds)
    if special >= 0:
        return special
    low = 0
    while low < KINDS - 1 and not mask & (ONE << np.uint64(low)):
        low += 1
    if kinds == 1:
        return tile_wait_kind(tables, counts, melds, low)
    if kinds != 2:
        return MULTI
    high = low + 1
    while high < KINDS - 1 and not mask & (ONE << np.uint64(high)):
        high += 1
    if (
        high == low + 3
        and high < _HONOURS
        and low // 9 == high // 9
        and _completes(tables, counts, melds, low + 1, low + 2)
    ):
        return RYANMEN
    if _completes(tables, counts, melds, low, low) and _completes(
        tables, counts, melds, high, high
    ):
        return SHANPON
    return MULTI


@inner
def win_wait_kind(tables: SuitTables, me: Record, kind: int) -> int:
    """Return the kind of wait of a win on ``kind``; of a combined wait the part won on."""
    if me.wait_kind != MULTI or not me.waits & bit(kind):
        return int(me.wait_kind)
    drawn = KIND[me.drawn]
    aside = me.has_drawn and drawn < KINDS and me.counts[drawn] > 0
    me.counts[drawn if aside else kind] -= aside
    found = tile_wait_kind(tables, me.counts, me.melds, kind)
    me.counts[drawn if aside else kind] += aside
    return found


@inner
def refresh(tables: SuitTables, me: Record) -> None:
    """Work out shanten, waits and kind of wait of the 13 tiles."""
    me.changed = 0
    me.shanten = NO_SHANTEN
    me.waits = NO_KINDS
    me.wait_kind = -1
    if me.hidden > 0:
        return
    distance = shanten(tables, me.counts, me.melds)
    if distance == NOT_A_HAND:
        return
    me.shanten = distance
    if distance == 0:
        me.waits = waits(tables, me.counts, me.melds)
        if me.waits:
            me.wait_kind = wait_kind(tables, me.counts, me.melds, me.waits)


@inner
def settle(tables: SuitTables, me: Record) -> None:
    """Refresh a hand that has changed, without the tile just drawn."""
    if not me.changed:
        return
    kind = KIND[me.drawn]
    aside = me.has_drawn and kind < KINDS and me.counts[kind] > 0
    hidden_aside = me.has_drawn and not aside and me.hidden > 0
    if aside:
        me.counts[kind] -= 1
    if hidden_aside:
        me.hidden -= 1
    refresh(tables, me)
    if aside:
        me.counts[kind] += 1
    if hidden_aside:
        me.hidden += 1


@inner
def live(me: Record, table: Record, mask: np.uint64) -> int:
    """Return how many tiles of the kinds in ``mask`` the seat cannot see."""
    total = 0
    for kind in range(KINDS):
        if mask & (ONE << np.uint64(kind)):
            total += max(0, 4 - me.counts[kind] - table.seen[kind])
    return total


@inner
def holds_all_waits(me: Record) -> bool:
    """Return whether the seat has, including melds, all four copies of all kinds it waits for."""
    for kind in range(KINDS):
        if me.waits & bit(kind):
            held = me.counts[kind]
            for i in range(me.laid):
                for j in range(4):
                    held += KIND[me.laid_tiles[i, j]] == kind
            if held < 4:
                return False
    return True


@inner
def _uses_in_run(tables: SuitTables, me: Record, kind: int) -> bool:
    """Return whether a reading of the tenpai tiles with a waited tile has the kind in a run."""
    if kind >= _HONOURS or me.melds >= MOST_MELDS:
        return False
    found = False
    for wait in range(KINDS):
        if found or not me.waits & bit(wait):
            continue
        me.counts[wait] += 1
        for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
            if me.counts[low] > 0 and me.counts[low + 1] > 0 and me.counts[low + 2] > 0:
                for step in range(3):
                    me.counts[low + step] -= 1
                found |= shanten_regular(tables, me.counts, me.melds + 1) == COMPLETE
                for step in range(3):
                    me.counts[low + step] += 1
        me.counts[wait] -= 1
    return found


@inner
def changes_readings(tables: SuitTables, me: Record, kind: int) -> bool:
    """Return whether an ankan of the drawn kind removes a reading of the hand before the draw.

    It does unless the three tiles in the hand are a triplet in every reading.
    """
    if not me.has_drawn or KIND[me.drawn] != kind:
        return False
    me.counts[kind] -= 1
    found = _uses_in_run(tables, me, kind)
    me.counts[kind] += 1
    return found


@inner
def waits_after_ankan(tables: SuitTables, me: Record, kind: int) -> np.uint64:
    """Return what the seat waits for after an ankan of a kind."""
    me.counts[kind] -= 4
    found = waits(tables, me.counts, me.melds + 1)
    me.counts[kind] += 4
    return np.uint64(found)


@inner
def furiten(me: Record, table: Record) -> int:
    """Return the furiten of a tenpai seat, as an index into ``row_types.FURITEN``.

    The rule set of the game says what of that which was passed counts.
    """
    counted = PASSED_TILE
    if table.kita_furiten != 0:
        counted |= PASSED_KITA
    if table.ankan_furiten != 0:
        counted |= PASSED_ANKAN
    if me.waits & me.own:
        return FURITEN_OWN
    if me.riichi_furiten & counted:
        return FURITEN_RIICHI
    return FURITEN_TEMPORARY if me.temporary_furiten & counted else FURITEN_NONE
