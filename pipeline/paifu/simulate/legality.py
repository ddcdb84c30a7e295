"""What the rules allow at a table: wins, riichi, kans, norths, calls, kyuushu kyuuhai.

The numbers T1-T33 and S1-S13 are from the Tenhou rule sheets for four and three players.
"""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import EAST, IS_YAOCHUU, KINDS, NORTH
from paifu.kernels.compiling import inner
from paifu.rules.hands.shanten import waits as find_waits
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.flow import (
    ANKAN_NEVER,
    ANKAN_SAME_WAITS,
    KUIKAE_ALLOWED,
    KUIKAE_SUJI,
    Flow,
)
from paifu.simulate.table_kernels import MAX_KANS, bit, find_live_waits
from paifu.simulate.table_record import KITA, PON, Table

NINE = 9
FOR_A_TURN, FOR_THE_ROUND = 1, 2
"""How long a seat stays in furiten after it let a winning tile pass."""
_YAOCHUU = tuple(int(kind) for kind in np.flatnonzero(IS_YAOCHUU))


@inner
def waits_for(t: Table, seat: int, kind: int) -> bool:
    """Return whether a seat with 13 tiles is complete with one more tile of the kind."""
    return bool(t.waits[seat] & bit(kind) != 0)


@inner
def in_furiten(t: Table, seat: int) -> bool:
    """Return whether a seat may not win by ron: own discards, T26, T27."""
    return bool(t.passed[seat] != 0 or t.waits[seat] & t.river_kinds[seat] != 0)


@inner
def pass_by(t: Table, flow: Flow, seat: int, kind: int, event: int) -> None:
    """Record that a tile of ``seat`` passed: furiten for seats that wait for it (T26, T27)."""
    if event == KITA and not flow.kita_pass_furiten:
        return
    for other in range(flow.players):
        if other != seat and waits_for(t, other, kind) and t.passed[other] != FOR_THE_ROUND:
            t.passed[other] = FOR_THE_ROUND if t.riichi[other] == 2 else FOR_A_TURN


@inner
def yaochuu_kinds(t: Table, seat: int) -> int:
    """Return how many different terminals and honours a seat holds."""
    kinds = 0
    for kind in _YAOCHUU:
        kinds += t.count[seat, kind] > 0
    return kinds


@inner
def may_declare_nine(t: Table, flow: Flow, seat: int) -> bool:
    """Kyuushu kyuuhai: on the first draw, before any call or kita (T17, S9)."""
    return (
        flow.kyuushu != 0
        and t.broken == 0
        and t.river_size[seat] == 0
        and t.drawn >= 0
        and yaochuu_kinds(t, seat) >= NINE
    )


@inner
def may_riichi(t: Table, flow: Flow, seat: int) -> bool:
    """Closed, points for the stick, tiles left (T23); tenpai is checked with the discard."""
    return bool(
        t.riichi[seat] == 0
        and t.open_melds[seat] == 0
        and t.drawn >= 0
        and t.scores[seat] >= flow.riichi_points
        and t.left >= flow.riichi_min_tiles
    )


@inner
def riichi_waits_after(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int) -> int:
    """Return the waits after riichi with the discard of a kind (T25); 0 if it is not allowed."""
    t.count[seat, kind] -= 1
    waits = find_live_waits(t, flow, tables, seat)
    t.count[seat, kind] += 1
    if flow.furiten_riichi == 0 and waits & (t.river_kinds[seat] | bit(kind)):
        return 0
    return waits


@inner
def all_kans(t: Table) -> int:
    """Return the kans of all seats."""
    return int(t.kans[0] + t.kans[1] + t.kans[2] + t.kans[3])


@inner
def _may_replace(t: Table) -> bool:
    """A replacement needs a drawn tile in hand and a tile left in the wall."""
    return bool(t.drawn >= 0 and t.left > 0)


@inner
def may_ankan(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int) -> bool:
    """Four in hand; in riichi only with the drawn tile and if the waits stay the same (T28)."""
    if not _may_replace(t) or all_kans(t) >= MAX_KANS or t.count[seat, kind] != 4:
        return False
    if t.riichi[seat] == 0:
        return True
    if flow.riichi_ankan == ANKAN_NEVER or t.drawn // 4 != kind:
        return False
    if flow.riichi_ankan != ANKAN_SAME_WAITS and not _is_triplet_in_every_reading(
        t, tables, seat, kind
    ):
        return False
    t.count[seat, kind] -= 4
    waits = np.int64(find_waits(tables, t.count[seat], t.melds[seat] + 1))
    t.count[seat, kind] += 4
    return bool(waits == t.waits[seat])


@inner
def _is_triplet_in_every_reading(t: Table, tables: SuitTables, seat: int, kind: int) -> bool:
    """Return whether no run of the 13-tile hand can use the kind: honours, or no neighbours."""
    if kind >= EAST:
        return True
    number = kind % 9
    for start in range(number - 2, number + 1):
        if start < 0 or start > 6:
            continue
        others = 0
        for step in range(3):
            if start + step != number:
                others += t.count[seat, kind - number + start + step] > 0
        if others == 2:
            return False
    return True


@inner
def may_kakan(t: Table, seat: int, kind: int) -> bool:
    """The seat has a pon of the tile's kind."""
    if not _may_replace(t) or all_kans(t) >= MAX_KANS or t.count[seat, kind] != 1:
        return False
    for meld in range(t.melds[seat]):
        if t.meld_kind[seat, meld] == PON and t.meld_tile[seat, meld, 0] // 4 == kind:
            return True
    return False


@inner
def may_kita(t: Table, flow: Flow, seat: int) -> bool:
    """A north with three players, not right after a pon (S8); in riichi only the drawn tile."""
    if flow.players != 3 or t.left == 0 or t.count[seat, NORTH] == 0:
        return False
    if t.drawn < 0:
        return flow.kita_after_pon != 0
    return bool(t.riichi[seat] == 0 or t.drawn // 4 == NORTH)


@inner
def may_call(t: Table, seat: int) -> bool:
    """Not in riichi, and not on the last discard (T32)."""
    return bool(t.riichi[seat] == 0 and t.left > 0 and t.melds[seat] < 4)


@inner
def swap_kinds(flow: Flow, kind: int, low: int) -> int:
    """Return the kinds that kuikae forbids after a call (T4); for a pon, ``low`` is -1."""
    if flow.kuikae == KUIKAE_ALLOWED:
        return 0
    forbidden = bit(kind)
    if low >= 0 and flow.kuikae == KUIKAE_SUJI:
        if kind == low and low % 9 < 6:
            forbidden |= bit(low + 3)
        elif kind == low + 2 and low % 9 > 0:
            forbidden |= bit(low - 1)
    return forbidden


@inner
def has_discard(t: Table, seat: int, forbidden: int) -> bool:
    """Return whether a seat holds a tile that is not of a forbidden kind."""
    for kind in range(KINDS):
        if t.count[seat, kind] > 0 and forbidden & bit(kind) == 0:
            return True
    return False


@inner
def may_pon(t: Table, flow: Flow, seat: int, kind: int) -> bool:
    """Two more in hand, and a tile to discard afterwards."""
    if not may_call(t, seat) or t.count[seat, kind] < 2:
        return False
    t.count[seat, kind] -= 2
    possible = has_discard(t, seat, swap_kinds(flow, kind, -1))
    t.count[seat, kind] += 2
    return possible


@inner
def may_chi(t: Table, flow: Flow, seat: int, kind: int, low: int) -> bool:
    """The two other tiles of the run that starts at ``low``, and a tile to discard afterwards."""
    if flow.players == 3 or not may_call(t, seat) or kind >= EAST:
        return False
    if low < 0 or low // 9 != kind // 9 or low % 9 > 6 or not low <= kind <= low + 2:
        return False
    for other in range(low, low + 3):
        if other != kind and t.count[seat, other] == 0:
            return False
    for other in range(low, low + 3):
        t.count[seat, other] -= other != kind
    possible = has_discard(t, seat, swap_kinds(flow, kind, low))
    for other in range(low, low + 3):
        t.count[seat, other] += other != kind
    return possible


@inner
def may_daiminkan(t: Table, seat: int, kind: int) -> bool:
    """Three more in hand; no fifth kan, also not if one seat has four kans (T16)."""
    return may_call(t, seat) and t.count[seat, kind] == 3 and all_kans(t) < MAX_KANS
