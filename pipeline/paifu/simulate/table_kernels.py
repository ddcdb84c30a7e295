"""The acts at a table: kernels that deal, draw, discard, meld and turn up dora.

Each kernel changes the state and writes the event. It decides nothing and does not check whether
the act is allowed: :mod:`paifu.simulate.legality` does that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import EAST, KINDS, NORTH, RED, WHITE
from paifu.kernels.compiling import inner
from paifu.rules.hands.shanten import waits as find_waits
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.flow import Flow
from paifu.simulate.table_record import (
    AFTER_KAN,
    AFTER_KITA,
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    LIVE_WALL,
    MAX_EVENTS,
    MAX_RIVER,
    NOBODY,
    PAO_DAISANGEN,
    PAO_DAISUUSHII,
    PAO_SUUKANTSU,
    PLAYING,
    PON,
    RIICHI,
    RIICHI_PAID,
    Table,
)

STICK = 1000
DEAD_WALL = 14
HAIPAI = 13
MAX_KANS = 4
NO_TILE = -1
FIRST_DORA_4P, FIRST_DORA_3P = 5, 9
"""Wall position of the first indicator; then every second position, each ura before its dora."""


@inner
def roll(t: Table, sides: int) -> int:
    """Return a number from 0 to ``sides - 1`` from the game's own xorshift64* stream."""
    x = t.rng
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    t.rng = x
    return int(np.int64((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % sides)


@inner
def bit(kind: int) -> int:
    """Return the bit of a kind."""
    return 1 << kind


@inner
def write(t: Table, event: int, seat: int, tile: int, source: int) -> None:
    """Append an event without consumed tiles."""
    at = t.events
    if at < MAX_EVENTS:
        t.event_kind[at] = event
        t.event_seat[at] = seat
        t.event_tile[at] = tile
        t.event_from[at] = source
        for i in range(3):
            t.event_used[at, i] = NO_TILE
        t.events = at + 1


@inner
def first_dora(flow: Flow) -> int:
    """Return the wall position of the first dora indicator."""
    return FIRST_DORA_4P if flow.players == 4 else FIRST_DORA_3P


@inner
def see(t: Table, tile: int) -> None:
    """Count a tile that all seats can now see."""
    t.seen[tile // 4] += 1


@inner
def take(t: Table, seat: int, tile: int) -> None:
    """Put a tile into a seat's hand."""
    t.hand[seat, t.size[seat]] = tile
    t.size[seat] += 1
    t.count[seat, tile // 4] += 1


@inner
def give(t: Table, seat: int, tile: int) -> None:
    """Take a tile out of a seat's hand; the others keep their order."""
    last = t.size[seat] - 1
    at = 0
    while at < last and t.hand[seat, at] != tile:
        at += 1
    for i in range(at, last):
        t.hand[seat, i] = t.hand[seat, i + 1]
    t.hand[seat, last] = NO_TILE
    t.size[seat] = last
    t.count[seat, tile // 4] -= 1


@inner
def find(t: Table, seat: int, kind: int, red_first: bool) -> int:
    """Return a tile of a kind in a seat's hand, or -1; the red five first or last."""
    found = NO_TILE
    for i in range(t.size[seat]):
        tile = t.hand[seat, i]
        if tile // 4 == kind and (found < 0 or (tile % 4 == 0) == red_first):
            found = tile
    return found


@inner
def melded(t: Table, seat: int, kind: int) -> int:
    """Return how many tiles of a kind are in a seat's melds."""
    copies = 0
    for meld in range(t.melds[seat]):
        for i in range(4):
            tile = t.meld_tile[seat, meld, i]
            if tile >= 0 and tile // 4 == kind:
                copies += 1
    return copies


@inner
def find_live_waits(t: Table, flow: Flow, tables: SuitTables, seat: int) -> int:
    """Return the waits of a seat with 13 tiles, as the rule set counts tenpai, as a bit set."""
    waits = np.int64(find_waits(tables, t.count[seat], t.melds[seat]))
    if waits != 0 and flow.wait_in_melds_counts == 0:
        for kind in range(KINDS):
            if waits & bit(kind) and t.count[seat, kind] + melded(t, seat, kind) == 4:
                waits &= ~bit(kind)
    return int(waits)


@inner
def update_waits(t: Table, flow: Flow, tables: SuitTables, seat: int) -> None:
    """Store the waits of a seat with 13 tiles."""
    t.waits[seat] = find_live_waits(t, flow, tables, seat)


_EMPTY: dict[str, int] = {
    **dict.fromkeys(("loser", "declarer", "winner", "pao", "meld_from"), NOBODY),
    **dict.fromkeys(("drawn", "win_tile", "hand", "haipai", "river", "north_tile"), NO_TILE),
    **dict.fromkeys(("meld_tile", "meld_kind", "robbed"), -1),
    **dict.fromkeys(("replacements", "shown", "pending", "broken", "forbidden", "source"), 0),
    **dict.fromkeys(("events", "wins", "delta", "seen", "count", "size", "melds"), 0),
    **dict.fromkeys(("open_melds", "norths", "kans", "river_size", "river_called"), 0),
    **dict.fromkeys(("riichi", "double", "ippatsu", "passed", "tenpai", "nagashi"), 0),
    **dict.fromkeys(("river_kinds", "safe", "waits"), 0),
    "outcome": PLAYING,
}
"""Fields of a cleared table."""


def clear(tables: npt.NDArray[Any], rows: npt.NDArray[np.int64], flow: Flow) -> None:
    """Clear the tables ``rows`` for their next round; points, sticks and the wall stay."""
    for name, value in _EMPTY.items():
        tables[name][rows] = value
    tables["start"][rows] = tables["scores"][rows]
    tables["start_sticks"][rows] = tables["sticks"][rows]
    tiles = 136 if flow.players == 4 else 108
    tables["next"][rows] = tiles - 1
    tables["left"][rows] = tiles - DEAD_WALL - HAIPAI * flow.players


@inner
def deal(t: Table, flow: Flow, tables: SuitTables) -> None:
    """Deal four, four, four and one tile per seat from ``t.wall``, from its end backwards."""
    for block in range(4):
        for step in range(flow.players):
            seat = (t.number + step) % flow.players
            for _ in range(4 if block < 3 else 1):
                tile = int(t.wall[t.next])
                t.haipai[seat, t.size[seat]] = tile
                take(t, seat, tile)
                t.next -= 1
    for seat in range(flow.players):
        update_waits(t, flow, tables, seat)
    see(t, int(t.wall[first_dora(flow)]))
    t.shown = 1


@inner
def draw(t: Table, seat: int) -> None:
    """Draw the next tile of the live wall."""
    t.drawn = t.wall[t.next]
    t.next -= 1
    t.left -= 1
    t.source = LIVE_WALL
    t.forbidden = 0
    take(t, seat, t.drawn)
    write(t, DRAW, seat, t.drawn, NOBODY)


@inner
def draw_replacement(t: Table, seat: int, source: int) -> None:
    """Draw from the dead wall, which has stacks of two tiles, the upper tile first."""
    at = t.replacements
    t.drawn = t.wall[at + 1 if at % 2 == 0 else at - 1]
    t.replacements += 1
    t.left -= 1
    t.source = source
    t.forbidden = 0
    take(t, seat, t.drawn)
    write(t, DRAW, seat, t.drawn, NOBODY)


@inner
def show_dora(t: Table, flow: Flow) -> None:
    """Turn up one more indicator."""
    if flow.kan_dora:
        tile = int(t.wall[first_dora(flow) + 2 * t.shown])
        t.shown += 1
        see(t, tile)
        write(t, DORA, NOBODY, tile, NOBODY)


@inner
def show_pending(t: Table, flow: Flow) -> None:
    """Turn up the indicators of open kans that are due."""
    while t.pending > 0:
        t.pending -= 1
        show_dora(t, flow)


@inner
def discard(t: Table, flow: Flow, tables: SuitTables, seat: int, tile: int) -> None:
    """Discard a tile; indicators of open kans that are due are turned up first."""
    show_pending(t, flow)
    write(t, DISCARD, seat, tile, NOBODY)
    give(t, seat, tile)
    at = t.river_size[seat]
    if at < MAX_RIVER:
        t.river[seat, at] = tile
        t.river_size[seat] = at + 1
    kind = bit(tile // 4)
    t.river_kinds[seat] |= kind
    for other in range(flow.players):
        if other == seat or t.riichi[other] == 2:
            t.safe[other] |= kind
    see(t, tile)
    t.forbidden = 0
    t.ippatsu[seat] = 0
    if t.passed[seat] == 1:
        t.passed[seat] = 0
    update_waits(t, flow, tables, seat)


@inner
def declare_riichi(t: Table, seat: int) -> None:
    """Declare riichi; the discard follows."""
    t.riichi[seat] = 1
    t.double[seat] = t.river_size[seat] == 0 and t.broken == 0
    write(t, RIICHI, seat, NO_TILE, NOBODY)


@inner
def pay_riichi(t: Table, seat: int) -> None:
    """Pay the stick once the declaration tile has passed."""
    t.riichi[seat] = 2
    t.ippatsu[seat] = 1
    t.scores[seat] -= STICK
    t.sticks += 1
    write(t, RIICHI_PAID, seat, NO_TILE, NOBODY)


@inner
def interrupt(t: Table) -> None:
    """End the first go-around and the ippatsu of all seats, after a call."""
    t.broken = 1
    for seat in range(4):
        t.ippatsu[seat] = 0


@inner
def _lay_down(
    t: Table, event: int, seat: int, source: int, tiles: tuple[int, int, int, int]
) -> None:
    """Add a meld, with the called tile first, and its event."""
    at = t.melds[seat]
    t.meld_kind[seat, at] = event
    t.meld_from[seat, at] = source
    for i in range(4):
        t.meld_tile[seat, at, i] = tiles[i]
    t.melds[seat] = at + 1
    write(t, event, seat, tiles[0], source)
    for i in range(3):
        t.event_used[t.events - 1, i] = tiles[i + 1]


@inner
def call(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    seat: int,
    source: int,
    event: int,
    tiles: tuple[int, int, int, int],
) -> None:
    """Call a discard: ``tiles`` are the called tile and then the seat's own, padded with -1."""
    for i in range(1, 4):
        if tiles[i] >= 0:
            give(t, seat, tiles[i])
            see(t, tiles[i])
    t.river_called[source] += 1
    t.open_melds[seat] += 1
    _lay_down(t, event, seat, source, tiles)
    t.drawn = NO_TILE
    t.source = LIVE_WALL
    interrupt(t)
    if event == DAIMINKAN:
        t.kans[seat] += 1
        update_waits(t, flow, tables, seat)
    if event != CHI:
        _note_feeder(t, seat, source, tiles[0] // 4, event)


@inner
def _note_feeder(t: Table, seat: int, source: int, kind: int, event: int) -> None:
    """Store who fed the last set of three dragons, four winds or four kans."""
    dragons = 0
    winds = 0
    for meld in range(t.melds[seat]):
        other = t.meld_tile[seat, meld, 0] // 4
        dragons += WHITE <= other <= RED
        winds += EAST <= other <= NORTH
    if WHITE <= kind <= RED and dragons == 3:
        t.pao[seat, PAO_DAISANGEN] = source
    if EAST <= kind <= NORTH and winds == 4:
        t.pao[seat, PAO_DAISUUSHII] = source
    if event == DAIMINKAN and t.kans[seat] == MAX_KANS:
        t.pao[seat, PAO_SUUKANTSU] = source


@inner
def ankan(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int) -> None:
    """Meld the four tiles of a kind as an ankan."""
    for i in range(4):
        give(t, seat, 4 * kind + i)
        see(t, 4 * kind + i)
    _lay_down(t, ANKAN, seat, NOBODY, (4 * kind, 4 * kind + 1, 4 * kind + 2, 4 * kind + 3))
    t.kans[seat] += 1
    update_waits(t, flow, tables, seat)


@inner
def kakan(t: Table, flow: Flow, tables: SuitTables, seat: int, tile: int) -> None:
    """Add a tile to its pon; it becomes a kan only if nobody robs it."""
    give(t, seat, tile)
    see(t, tile)
    for meld in range(t.melds[seat]):
        if t.meld_kind[seat, meld] == PON and t.meld_tile[seat, meld, 0] // 4 == tile // 4:
            t.meld_kind[seat, meld] = KAKAN
            t.meld_tile[seat, meld, 3] = tile
            write(t, KAKAN, seat, tile, NOBODY)
            for i in range(3):
                t.event_used[t.events - 1, i] = t.meld_tile[seat, meld, i]
    t.kans[seat] += 1
    update_waits(t, flow, tables, seat)


@inner
def kita(t: Table, flow: Flow, tables: SuitTables, seat: int, tile: int) -> None:
    """Set a north aside."""
    give(t, seat, tile)
    see(t, tile)
    t.north_tile[seat, t.norths[seat]] = tile
    t.norths[seat] += 1
    write(t, KITA, seat, tile, NOBODY)
    update_waits(t, flow, tables, seat)


@inner
def replace_after(t: Table, flow: Flow, seat: int, event: int) -> None:
    """After a kan or north that was not robbed: turn up dora if due, and draw the replacement."""
    interrupt(t)
    if event == KITA:
        draw_replacement(t, seat, AFTER_KITA)
        return
    at_once = flow.dora_kakan
    if event == ANKAN:
        at_once = flow.dora_ankan
    elif event == DAIMINKAN:
        at_once = flow.dora_daiminkan
    if at_once:
        show_dora(t, flow)
    else:
        t.pending += 1
    draw_replacement(t, seat, AFTER_KAN)
