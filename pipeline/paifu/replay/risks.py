"""The risk of each discard: what it is against every opponent who threatens.

A ryanmen on a number tile needs two neighbours on one side and waits for the tile three away as
well. It is ruled out by **suji** where that other tile is one the opponent cannot win on, by a
**wall** (no chance) where all four copies of a neighbour are in sight of the discarder. A tile
none of whose ryanmen is left is ``suji_…`` where suji alone rules them out, ``no_chance`` where
walls help; ``half_suji_456`` has one side ruled out by suji and the other left; the rest is no suji
(a side that a wall alone rules out does not make a half suji).

There are 18 suji, the pairs of tiles three apart: six in each suit. One has **passed** against an
opponent that cannot win on one of its two tiles: no ryanmen on them is left to fear. How many have
not passed is what players count to judge a push (remaining suji).
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
    NULL16,
    OPEN,
    RIICHI,
    SUJI_19,
    THREAT_OPEN,
    THREAT_RIICHI,
)
from paifu.replay.seat_hand import KIND, ONE, bit
from paifu.replay.table_state import IN_RIICHI, NO_RIICHI, Record, Records

_HONOURS = 27
NO_RYANMEN, BY_SUJI = -2, -1
_LOW = sum(1 << number for number in range(6))
_SUJI = np.uint64(_LOW | _LOW << 9 | _LOW << 18)
"""The lower kinds of all suji."""
_SUJI_3P = np.uint64(_LOW << 9 | _LOW << 18)
"""Those of three players, who have no suji of characters."""


@inner
def state_of(me: Record) -> int:
    """Return riichi, open or closed, as index into ``rows.STATES``."""
    if me.riichi != NO_RIICHI:
        return RIICHI
    return OPEN if me.open_melds > 0 else CLOSED


@inner
def unseen(table: Record, me: Record, kind: int) -> int:
    """Return the copies of a kind that the discarder does not see, 0-4."""
    return int(max(0, 4 - table.seen[kind] - me.counts[kind]))


@inner
def ryanmen_on(table: Record, me: Record, kind: int, step: int, furiten: np.uint64) -> int:
    """Return how many copies are left of the scarcer of the two tiles a ryanmen on a kind needs.

    ``step`` is the side they lie on: -1 below, 1 above. BY_SUJI where the opponent cannot win on
    the other tile of the ryanmen, NO_RYANMEN where there is none on that side.
    """
    other = kind + 3 * step
    if kind >= _HONOURS or other < 0 or other // 9 != kind // 9:
        return NO_RYANMEN
    if furiten & bit(other):
        return BY_SUJI
    return min(unseen(table, me, kind + step), unseen(table, me, kind + 2 * step))


@inner
def tile_class(kind: int, below: int, above: int, safe: np.uint64) -> int:
    """Return what a tile is against an opponent, as index into ``rows.CLASSES``.

    ``below`` and ``above`` are of :func:`ryanmen_on`, ``safe`` the kinds the opponent cannot win on
    now.
    """
    if safe & bit(kind):
        return GENBUTSU
    if kind >= _HONOURS:
        return HONOUR
    number = kind % 9
    distance = min(number, 8 - number, 3)  # 19, 28, 37, 456
    left = max(below, above)
    if left > 0:
        return HALF_SUJI_456 if min(below, above) == BY_SUJI else NO_SUJI_19 + distance
    return NO_CHANCE if left == 0 else SUJI_19 + distance


@inner
def suji_not_passed(furiten: np.uint64, players: int) -> np.uint64:
    """Return the suji that have not passed, as the mask of the lower kind of each."""
    every = _SUJI_3P if players == 3 else _SUJI
    return every & ~(furiten | (furiten >> np.uint64(3)))


@inner
def count_kinds(mask: np.uint64) -> int:
    """Return how many kinds are in a mask."""
    count = 0
    while mask:
        mask &= mask - ONE
        count += 1
    return count


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
def add_risks(table: Record, risks: Records, seat: int, tile: int) -> None:
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
        below = ryanmen_on(table, me, kind, -1, furiten)
        above = ryanmen_on(table, me, kind, 1, furiten)
        tile_is = tile_class(kind, below, above, furiten | opponent.passing)
        row["class"] = tile_is
        row.chance = NULL16
        if tile_is != GENBUTSU and max(below, above) >= 0:
            row.chance = max(below, above)
        suji = suji_not_passed(furiten, table.players)
        row.suji_left = count_kinds(suji)
        row.tile_suji = ((suji & bit(kind)) != 0) + ((suji & bit(kind - 3)) != 0)
        row.live = 0
        if kind < KINDS:
            row.live = unseen(table, me, kind)
        row.near_dora = near_dora(kind, table.dora_kinds)
        row.outside_early = outside_early(kind, opponent.early)
        row.tsumogiri = me.tsumogiri == 1
        row.state = state_of(me)
        row.shanten = me.shanten
        row.against_dealer = table.rows[against].is_dealer
        row.ippatsu = opponent.ippatsu
        row.dealt_in = 0
        facing += in_riichi
        safe_from += in_riichi and tile_is == GENBUTSU
    table.after_risk = table.risks
    table.rows[seat].facing_riichi += facing > 0
    table.rows[seat].facing_riichi_safe += facing > 0 and safe_from == facing
