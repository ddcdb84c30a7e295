"""The risk of each discard: what it is against every opponent who threatens.

A ryanmen on a number tile needs two neighbours on one side and waits for the tile three away as
well. It is ruled out by **suji** where that other tile is one the opponent cannot win on, by a
**wall** (no chance) where all four copies of a neighbour are in sight of the discarder. A tile
none of whose ryanmen is left is ``suji_…`` where suji alone rules them out, ``no_chance`` where
walls help; ``half_suji_456`` has one side ruled out by suji and one left; the rest is no suji.
"""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import HIDDEN, KINDS
from paifu.kernels.compiling import inner
from paifu.replay.row_types import (
    CLOSED,
    GENBUTSU,
    HALF_SUJI_456,
    HONOUR,
    NEAR_NONE,
    NEAR_SAME,
    NEAR_WITHIN_TWO,
    NO_CHANCE,
    NO_SUJI_19,
    OPEN,
    RIICHI,
    SUJI_19,
    THREAT_OPEN,
    THREAT_RIICHI,
)
from paifu.replay.seat_hand import KIND, ONE, bit
from paifu.replay.table_state import IN_RIICHI, NO_RIICHI, Record, Records

_HONOURS = 27


@inner
def state_of(me: Record) -> int:
    """Return riichi, open or closed, as index into ``rows.STATES``."""
    if me.riichi != NO_RIICHI:
        return RIICHI
    return OPEN if me.open_melds > 0 else CLOSED


@inner
def _all_seen(table: Record, me: Record, kind: int) -> bool:
    return bool(table.seen[kind] + me.counts[kind] >= 4)


@inner
def tile_class(table: Record, me: Record, kind: int, safe: np.uint64, furiten: np.uint64) -> int:
    """Return what a tile is against an opponent, as index into ``rows.CLASSES``.

    ``safe`` are the kinds the opponent cannot win on now, ``furiten`` those that would also make
    its other waits furiten.
    """
    if safe & bit(kind):
        return GENBUTSU
    if kind >= _HONOURS:
        return HONOUR
    number = kind % 9
    by_suji = 0
    by_wall = 0
    left = 0
    if number >= 3:
        if furiten & bit(kind - 3):
            by_suji += 1
        elif _all_seen(table, me, kind - 1) or _all_seen(table, me, kind - 2):
            by_wall += 1
        else:
            left += 1
    if number <= 5:
        if furiten & bit(kind + 3):
            by_suji += 1
        elif _all_seen(table, me, kind + 1) or _all_seen(table, me, kind + 2):
            by_wall += 1
        else:
            left += 1
    distance = min(number, 8 - number, 3)  # 19, 28, 37, 456
    if left == 0:
        return NO_CHANCE if by_wall > 0 else SUJI_19 + distance
    return HALF_SUJI_456 if by_suji > 0 else NO_SUJI_19 + distance


@inner
def near_dora(kind: int, dora_kinds: np.uint64) -> int:
    """Return how near a kind is to a dora, as index into ``rows.NEAR_DORA``."""
    if dora_kinds & bit(kind):
        return NEAR_SAME
    if kind < _HONOURS:
        for other in range(max(kind - 2, kind // 9 * 9), min(kind + 2, kind // 9 * 9 + 8) + 1):
            if dora_kinds & (ONE << np.uint64(other)):
                return NEAR_WITHIN_TWO
    return NEAR_NONE


@inner
def outside_early(kind: int, early: np.uint64) -> bool:
    """Tell whether a number lies further out than one of its suit among the early discards."""
    if kind >= _HONOURS:
        return False
    number = kind % 9
    for other in range(9):
        if early & (ONE << np.uint64(kind - number + other)) and (
            number < other <= 4 or number > other >= 4
        ):
            return True
    return False


@inner
def add_risks(
    table: Record, risks: Records, seat: int, tile: int,
    tsumogiri: int,
) -> None:  # fmt: skip
    """Write a row for each opponent who threatens, before the discard is counted as one."""
    table.first_risk = table.risks
    me = table.seats[seat]
    kind = KIND[tile]
    facing = 0
    safe_from = 0
    for against in range(table.players):
        opponent = table.seats[against]
        in_riichi = opponent.riichi == IN_RIICHI
        if against == seat or not (in_riichi or opponent.open_melds >= 2):
            continue
        row = risks[table.risks]
        table.risks += 1
        row.round = table.row
        row.seq = table.acts
        row.turn = 1 + me.discards
        row.table_turn = (1.0 + table.discards) / table.players
        row.seat = seat
        row.against = against
        furiten = opponent.own
        if in_riichi:
            furiten |= opponent.passed
            row.threat = THREAT_RIICHI
            row.threat_turn = opponent.discards - opponent.riichi_at - 1
        else:
            row.threat = THREAT_OPEN
            row.threat_turn = opponent.discards - opponent.open_at
        row.tile = tile if tile >= 0 else HIDDEN
        row["class"] = tile_class(table, me, kind, furiten | opponent.passing, furiten)
        row.live = 0
        if kind < KINDS:
            row.live = max(0, 4 - me.counts[kind] - table.seen[kind])
        row.near_dora = near_dora(kind, table.dora_kinds)
        row.outside_early = outside_early(kind, opponent.early)
        row.tsumogiri = tsumogiri == 1
        row.state = state_of(me)
        row.shanten = me.shanten
        row.dealt_in = 0
        facing += in_riichi
        safe_from += in_riichi and row["class"] == GENBUTSU
    table.after_risk = table.risks
    table.rows[seat].facing_riichi += facing > 0
    table.rows[seat].facing_riichi_safe += facing > 0 and safe_from == facing
