"""Scripted seats: players that do what a script says as soon as they can, and nothing else.

A script is int16[n, 4]: seat, event, kind (or the code of a red five; -1 for any), and a detail:
for ``CHI`` the first kind of the run, for ``WIN`` 1 by tsumo and 0 by ron. Each seat does its lines
in order, each line as soon as it is possible. Until then it discards the tile that it draws, and
calls nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import KIND_OF, KINDS, NORTH
from paifu.kernels.compiling import inner
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.flow import Flow
from paifu.simulate.legality import (
    may_ankan,
    may_chi,
    may_daiminkan,
    may_declare_nine,
    may_kakan,
    may_kita,
    may_pon,
    may_riichi,
    riichi_waits_after,
    waits_for,
)
from paifu.simulate.players import PASS
from paifu.simulate.table_kernels import NO_TILE, bit, find
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAWN_GAME,
    KAKAN,
    KITA,
    PON,
    RIICHI,
    WIN,
    Table,
)

SEAT, EVENT, CODE, DETAIL = range(4)


def no_script() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """Return an empty script and the empty list of lines done."""
    return np.empty((0, 4), dtype=np.int16), np.empty(0, dtype=np.bool_)


_KIND_OF = tuple(int(kind) for kind in KIND_OF)


@inner
def next_line(script: np.ndarray, done: np.ndarray, seat: int, event: int) -> int:
    """Return the index of a seat's next line if it is the event (any: -1), else -1."""
    for line in range(len(script)):
        if script[line, SEAT] == seat and not done[line]:
            return line if event < 0 or script[line, EVENT] == event else -1
    return -1


@inner
def line_kind(script: np.ndarray, line: int) -> int:
    """Return the kind of tile that a line names, -1 for any."""
    code = script[line, CODE]
    return -1 if code < 0 else _KIND_OF[code]


@inner
def named_tile(t: Table, seat: int, code: int) -> int:
    """Return the tile of a code (a red five, or a kind without its red five first), or -1."""
    if code >= KINDS:
        tile = 4 * _KIND_OF[code]
        for i in range(t.size[seat]):
            if t.hand[seat, i] == tile:
                return tile
        return NO_TILE
    return find(t, seat, code, False)


@inner
def scripted_turn(
    t: Table, flow: Flow, tables: SuitTables, script: np.ndarray, done: np.ndarray, seat: int
) -> tuple[int, int, int]:
    """Return what a seat with 14 tiles does: the event, its kind, and the tile (-1: any)."""
    line = next_line(script, done, seat, -1)
    if line >= 0:
        event = int(script[line, EVENT])
        kind = line_kind(script, line)
        tile = named_tile(t, seat, int(script[line, CODE])) if kind >= 0 else NO_TILE
        drawn = t.drawn // 4 if t.drawn >= 0 else -1
        able = False
        if event == WIN:
            able = script[line, DETAIL] == 1 and drawn >= 0 and waits_for(t, seat, drawn)
        elif event == DRAWN_GAME:
            able = may_declare_nine(t, flow, seat)
        elif event == ANKAN:
            able = may_ankan(t, flow, tables, seat, kind)
        elif event == KAKAN:
            able = may_kakan(t, seat, kind)
        elif event == KITA:
            able = may_kita(t, flow, seat)
            kind = NORTH
        elif event == DISCARD:
            able = tile >= 0 and t.forbidden & bit(kind) == 0 and t.riichi[seat] == 0
        elif event == RIICHI:
            able = (
                tile >= 0
                and may_riichi(t, flow, seat)
                and riichi_waits_after(t, flow, tables, seat, kind) != 0
            )
        if able:
            done[line] = True
            return event, kind, tile
    if t.drawn >= 0:
        return DISCARD, t.drawn // 4, t.drawn
    for i in range(t.size[seat]):  # after a call: the first tile that may be discarded
        if t.forbidden & bit(t.hand[seat, i] // 4) == 0:
            return DISCARD, t.hand[seat, i] // 4, int(t.hand[seat, i])
    return DISCARD, t.hand[seat, 0] // 4, int(t.hand[seat, 0])


@inner
def scripted_ron(script: np.ndarray, done: np.ndarray, seat: int, kind: int) -> bool:
    """Return whether a seat that waits for the kind now wins on it."""
    line = next_line(script, done, seat, WIN)
    if line < 0 or script[line, DETAIL] != 0 or line_kind(script, line) not in (-1, kind):
        return False
    done[line] = True
    return True


@inner
def scripted_reaction(
    t: Table, flow: Flow, script: np.ndarray, done: np.ndarray, seat: int, source: int, kind: int
) -> tuple[int, int]:
    """Return the call that a seat makes on a discard, and the first kind of a run."""
    line = next_line(script, done, seat, -1)
    if line < 0 or line_kind(script, line) != kind:
        return PASS, -1
    event = int(script[line, EVENT])
    low = int(script[line, DETAIL])
    able = (
        (event == PON and may_pon(t, flow, seat, kind))
        or (event == DAIMINKAN and may_daiminkan(t, seat, kind))
        or (
            event == CHI
            and (source + 1) % flow.players == seat
            and may_chi(t, flow, seat, kind, low)
        )
    )
    if not able:
        return PASS, -1
    done[line] = True
    return event, low
