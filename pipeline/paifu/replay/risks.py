"""The risk of each discard against every opponent who threatens.

A ryanmen on a number tile needs two neighbours on one side and waits for the tile three away as
well. **Suji** rules it out if the opponent cannot win on that other tile. A **wall** (no chance)
rules it out if the discarder sees all four copies of a neighbour. If no ryanmen is left for a tile,
its class is ``suji_…`` if suji alone rules them out, and ``no_chance`` if walls help.
``half_suji_456`` has one side ruled out by suji and the other side left. All other number tiles are
no suji (a side that only a wall rules out does not make a half suji).

There are 18 suji, the pairs of tiles three apart: six in each suit. A suji has **passed** against
an opponent who cannot win on one of its two tiles: then no ryanmen on them is possible. Players
count the suji that have not passed (remaining suji) to judge a push.
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
from paifu.replay.seat_hand import KIND, ONE, bit, count_kinds
from paifu.replay.table_state import IN_RIICHI, NO_RIICHI, Record, Records

_HONOURS = 27
NO_RYANMEN, BY_SUJI = -2, -1
_MIDDLE = 4
"""The number in the middle of a suit, counted from 0."""
_TWO = np.uint64(2)
_FIVE, _NINE = np.uint64(0b11111), np.uint64(0b111111111)
"""Five and nine neighbouring numbers."""
_UP_TO_MIDDLE, _FROM_MIDDLE = np.uint64(0b000011111), np.uint64(0b111110000)
_LOW = sum(1 << number for number in range(6))
_SUJI = np.uint64(_LOW | _LOW << 9 | _LOW << 18)
"""The mask of the lower kinds of all suji."""
_SUJI_3P = np.uint64(_LOW << 9 | _LOW << 18)
"""The same with three players, who have no suji of manzu."""


@inner
def state_of(me: Record) -> int:
    """Return riichi, open or closed, as an index into ``row_types.STATES``."""
    if me.riichi != NO_RIICHI:
        return RIICHI
    return OPEN if me.open_melds > 0 else CLOSED


@inner
def unseen(table: Record, me: Record, kind: int) -> int:
    """Return how many copies of a kind the discarder does not see, 0-4."""
    return int(max(0, 4 - table.seen[kind] - me.counts[kind]))


@inner
def ryanmen_on(table: Record, me: Record, kind: int, step: int, furiten: np.uint64) -> int:
    """Return how many copies are left of the rarer of the two tiles for a ryanmen on a kind.

    ``step`` is the side of the two tiles: -1 below, 1 above. BY_SUJI if the opponent cannot win on
    the other tile of the ryanmen; NO_RYANMEN if no ryanmen is possible on that side.
    """
    other = kind + 3 * step
    if kind >= _HONOURS or other < 0 or other // 9 != kind // 9:
        return NO_RYANMEN
    if furiten & bit(other):
        return BY_SUJI
    return min(unseen(table, me, kind + step), unseen(table, me, kind + 2 * step))


@inner
def tile_class(kind: int, below: int, above: int, safe: np.uint64) -> int:
    """Return the class of a tile against an opponent, as an index into ``row_types.CLASSES``.

    ``below`` and ``above`` are results of :func:`ryanmen_on`; ``safe`` are the kinds on which the
    opponent cannot win now.
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
    """Return the suji that have not passed, as the mask of their lower kinds."""
    every = _SUJI_3P if players == 3 else _SUJI
    return every & ~(furiten | (furiten >> np.uint64(3)))


@inner
def near_dora(kind: int, dora_kinds: np.uint64) -> int:
    """Return how near a kind is to a dora, as an index into ``row_types.NEAR_DORA``."""
    if dora_kinds & bit(kind):
        return NEAR_SAME
    if 0 <= kind < _HONOURS:
        within_two = (_FIVE << np.uint64(kind % 9)) >> np.uint64(2)
        if _of_suit(dora_kinds, kind) & within_two:
            return NEAR_WITHIN_TWO
    return NEAR_NONE


@inner
def _of_suit(mask: np.uint64, kind: int) -> np.uint64:
    """Return the numbers in a mask that are of the suit of a number tile."""
    return (mask >> np.uint64(kind // 9 * 9)) & _NINE


@inner
def outside_early(kind: int, early: np.uint64) -> bool:
    """Return whether a number is further out than an early discard of its suit."""
    if not 0 <= kind < _HONOURS:
        return False
    numbers = _of_suit(early, kind)
    number = np.uint64(kind % 9)
    if kind % 9 < _MIDDLE:  # the numbers above it, up to the middle
        return bool(numbers & _UP_TO_MIDDLE & ~((_TWO << number) - ONE))
    return bool(numbers & _FROM_MIDDLE & ((ONE << number) - ONE))


@inner
def add_risks(table: Record, risks: Records, seat: int, tile: int) -> None:
    """Write a row for each opponent who threatens, before the discard itself is counted."""
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
