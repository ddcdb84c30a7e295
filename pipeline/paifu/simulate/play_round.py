"""Plays a round from the deal to its end: kernels that ask the players and change the table."""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import EAST, IS_YAOCHUU, KINDS, NORTH
from paifu.kernels.compiling import inner, njit
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.flow import Flow
from paifu.simulate.has_yaku import NO_ROB, has_yaku
from paifu.simulate.legality import all_kans, in_furiten, pass_by, swap_kinds, waits_for
from paifu.simulate.players import PASS, own_turn, reaction
from paifu.simulate.script import (
    next_line,
    scripted_reaction,
    scripted_ron,
    scripted_turn,
)
from paifu.simulate.table_kernels import (
    MAX_KANS,
    NO_TILE,
    ankan,
    bit,
    call,
    deal,
    declare_riichi,
    discard,
    draw,
    find,
    kakan,
    kita,
    pay_riichi,
    replace_after,
    roll,
    show_pending,
    write,
)
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAWN_GAME,
    EXHAUSTIVE,
    KAKAN,
    KITA,
    KYUUSHU,
    LEAVE,
    NAGASHI,
    NOBODY,
    PLAYING,
    RETURN,
    RIICHI,
    RON,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAN,
    TSUMO,
    WIN,
    Table,
)

LEAVES_ONE_IN = 60_000
"""One in so many draws breaks a player's connection; one in :data:`RETURNS_ONE_IN` restores it."""
RETURNS_ONE_IN = 12
_YAOCHUU_MASK = sum(1 << kind for kind in range(KINDS) if IS_YAOCHUU[kind])


@inner
def _connections(t: Table, script: np.ndarray, done: np.ndarray, seat: int) -> None:
    """Let a seat that is about to draw lose its connection or come back."""
    if len(script) == 0:
        if roll(t, RETURNS_ONE_IN if t.away[seat] else LEAVES_ONE_IN) > 0:
            return
    else:
        line = next_line(script, done, seat, RETURN if t.away[seat] else LEAVE)
        if line < 0:
            return
        done[line] = True
    write(t, RETURN if t.away[seat] else LEAVE, seat, NO_TILE, NOBODY)
    t.away[seat] = 1 - t.away[seat]


@inner
def _end_by_rons(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    script: np.ndarray,
    done: np.ndarray,
    source: int,
    tile: int,
    robbed: int,
) -> bool:
    """Let every seat that can win on a tile win, in turn order; return whether the round ends."""
    kind = tile // 4
    t.wins = 0
    for step in range(1, flow.players):
        seat = (source + step) % flow.players
        if not waits_for(t, seat, kind) or in_furiten(t, seat):
            continue
        if robbed == ANKAN and (
            t.melds[seat] > 0 or t.waits[seat] & ~_YAOCHUU_MASK or not _only_orphans(t, seat)
        ):
            continue
        if len(script) > 0:
            wins = scripted_ron(script, done, seat, kind)
        else:
            wins = has_yaku(t, flow, tables, seat, kind, False, robbed)
        if wins:
            t.winner[t.wins] = seat
            t.wins += 1
    if t.wins == 0:
        return False
    if t.wins == 3 and flow.sanchahou:
        t.wins = 0
        _end_without_win(t, SANCHAHOU, NOBODY)
        return True
    if t.wins > flow.max_winners:
        t.wins = flow.max_winners
    t.outcome = RON
    t.loser = source
    t.win_tile = tile
    t.robbed = robbed
    for i in range(t.wins):
        write(t, WIN, t.winner[i], tile, source)
    return True


@inner
def _only_orphans(t: Table, seat: int) -> bool:
    """Return whether a hand has only terminals and honours, of twelve or more kinds."""
    kinds = 0
    for kind in range(KINDS):
        if t.count[seat, kind] > 0:
            if _YAOCHUU_MASK & bit(kind) == 0:
                return False
            kinds += 1
    return kinds >= 12


@inner
def _end_without_win(t: Table, outcome: int, declarer: int) -> None:
    t.outcome = outcome
    t.declarer = declarer
    write(t, DRAWN_GAME, declarer, NO_TILE, NOBODY)


@inner
def _end_exhausted(t: Table, flow: Flow) -> None:
    """End a round after the last tile of the wall: nagashi mangan, or tenpai and noten."""
    outcome = EXHAUSTIVE
    for seat in range(flow.players):
        t.tenpai[seat] = t.waits[seat] != 0
        if (
            flow.nagashi
            and t.river_size[seat] > 0
            and t.river_called[seat] == 0
            and t.river_kinds[seat] & ~_YAOCHUU_MASK == 0
            and (flow.nagashi_own_calls or t.open_melds[seat] == 0)
        ):
            t.nagashi[seat] = 1
            outcome = NAGASHI
    _end_without_win(t, outcome, NOBODY)


@inner
def _aborts_after_discard(t: Table, flow: Flow) -> bool:
    """End the round by four winds, four riichi or four kans, if this is due (T15, T16)."""
    outcome = PLAYING
    kind = t.river[t.number, 0] // 4
    alike = 0
    in_riichi = 0
    most_kans = 0
    for seat in range(flow.players):
        alike += t.river_size[seat] == 1 and t.river_kinds[seat] == bit(kind)
        in_riichi += t.riichi[seat] == 2
        if t.kans[seat] > most_kans:
            most_kans = int(t.kans[seat])
    if flow.suufon and t.broken == 0 and alike == 4 and EAST <= kind <= NORTH:
        outcome = SUUFON
    elif flow.suucha and in_riichi == 4:
        outcome = SUUCHA
    elif flow.suukan and all_kans(t) == MAX_KANS and most_kans < MAX_KANS:
        outcome = SUUKAN
    if outcome != PLAYING:
        _end_without_win(t, outcome, NOBODY)
    return outcome != PLAYING


@inner
def _own_tiles(
    t: Table, seat: int, event: int, kind: int, low: int, called: int
) -> tuple[int, int, int, int]:
    """Return the called tile and the tiles of the seat's hand that go with it, padded with -1."""
    if event == CHI:
        first = low if low != kind else low + 1
        second = low + 2 if low + 2 != kind else low + 1
        return called, find(t, seat, first, True), find(t, seat, second, True), NO_TILE
    first, second, third = NO_TILE, NO_TILE, NO_TILE
    for i in range(t.size[seat]):
        tile = int(t.hand[seat, i])
        if tile // 4 != kind:
            continue
        if first < 0:
            first = tile
        elif second < 0:
            second = tile
        else:
            third = tile
    if event == DAIMINKAN:
        return called, first, second, third
    if third >= 0 and third % 4 == 0:  # use a red five first
        return called, first, third, NO_TILE
    return called, first, second, NO_TILE


@inner
def _calls(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    script: np.ndarray,
    done: np.ndarray,
    source: int,
    tile: int,
) -> int:
    """Let seats call a discard, triplets before runs; return the caller, or -1."""
    kind = tile // 4
    chi_seat = NOBODY
    chi_low = -1
    for step in range(1, flow.players):
        seat = (source + step) % flow.players
        if len(script) > 0:
            event, low = scripted_reaction(t, flow, script, done, seat, source, kind)
        else:
            event, low = reaction(t, flow, tables, seat, source, kind)
        if event == CHI:
            chi_seat, chi_low = seat, low
        elif event != PASS:
            call(t, flow, tables, seat, source, event, _own_tiles(t, seat, event, kind, low, tile))
            t.forbidden = swap_kinds(flow, kind, -1)
            if event == DAIMINKAN:
                replace_after(t, flow, seat, DAIMINKAN)
            return seat
    if chi_seat >= 0:
        own = _own_tiles(t, chi_seat, CHI, kind, chi_low, tile)
        call(t, flow, tables, chi_seat, source, CHI, own)
        t.forbidden = swap_kinds(flow, kind, chi_low)
    return chi_seat


@inner
def _discarded_tile(t: Table, seat: int, kind: int) -> int:
    """Return the tile of a kind to discard: the drawn tile if possible, a red five last."""
    if t.drawn >= 0 and t.drawn // 4 == kind and (t.riichi[seat] == 2 or t.drawn % 4 != 0):
        return int(t.drawn)
    return find(t, seat, kind, False)


@inner
def _replace(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    script: np.ndarray,
    done: np.ndarray,
    seat: int,
    event: int,
    kind: int,
) -> None:
    """Declare an ankan, kakan or north: if nobody robs it, a replacement tile is drawn."""
    tile = 4 * kind
    if event == ANKAN:
        ankan(t, flow, tables, seat, kind)
    elif event == KAKAN:
        tile = find(t, seat, kind, True)
        kakan(t, flow, tables, seat, tile)
    else:
        tile = find(t, seat, kind, True)
        kita(t, flow, tables, seat, tile)
    show_pending(t, flow)
    may_rob = event == KAKAN or (event == ANKAN and flow.kokushi_ankan_ron)
    if may_rob or (event == KITA and flow.kita_ron):
        if _end_by_rons(t, flow, tables, script, done, seat, tile, event):
            return
        if event != ANKAN:
            pass_by(t, flow, seat, kind, event)
    replace_after(t, flow, seat, event)


@inner
def _discard_turn(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    script: np.ndarray,
    done: np.ndarray,
    seat: int,
    tile: int,
    riichi: bool,
) -> int:
    """Discard, and return who acts next: nobody after a win, the caller after a call."""
    if riichi:
        declare_riichi(t, seat)
    discard(t, flow, tables, seat, tile)
    if _end_by_rons(t, flow, tables, script, done, seat, tile, NO_ROB):
        if riichi and flow.ronned_riichi_pays:
            pay_riichi(t, seat)
        return seat
    pass_by(t, flow, seat, tile // 4, DISCARD)
    if riichi:
        pay_riichi(t, seat)
    if _aborts_after_discard(t, flow):
        return seat
    if t.left > 0:
        caller = _calls(t, flow, tables, script, done, seat, tile)
        if caller >= 0:
            return caller
    if t.left == 0:
        _end_exhausted(t, flow)
        return seat
    following = (seat + 1) % flow.players
    _connections(t, script, done, following)
    draw(t, following)
    return following


@njit
def play_rounds(
    games: np.ndarray,
    rows: np.ndarray,
    flow: Flow,
    tables: SuitTables,
    script: np.ndarray,
    done: np.ndarray,
) -> None:
    """Play one round at each of the cleared tables ``rows``, whose walls are ready.

    ``games`` is a :data:`~paifu.simulate.table_record.TABLE` array and ``flow`` the record that
    ``Flow.for_kernels`` returns. ``script`` int16[n, 4] and ``done`` bool[n] are those of
    :mod:`paifu.simulate.script`; with an empty script, :mod:`paifu.simulate.players` plays all
    seats.
    """
    for row in rows:
        t = games[row]
        deal(t, flow, tables)
        seat = int(t.number)
        _connections(t, script, done, seat)
        draw(t, seat)
        while t.outcome == PLAYING:
            tile = NO_TILE
            if len(script) > 0:
                event, kind, tile = scripted_turn(t, flow, tables, script, done, seat)
            else:
                event, kind = own_turn(t, flow, tables, seat)
            if event == WIN:
                t.outcome = TSUMO
                t.wins = 1
                t.winner[0] = seat
                t.loser = seat
                t.win_tile = t.drawn
                write(t, WIN, seat, t.drawn, seat)
            elif event == DRAWN_GAME:
                _end_without_win(t, KYUUSHU, seat)
            elif event in (ANKAN, KAKAN, KITA):
                _replace(t, flow, tables, script, done, seat, event, kind)
            else:
                if tile < 0:
                    tile = _discarded_tile(t, seat, kind)
                seat = _discard_turn(t, flow, tables, script, done, seat, tile, event == RIICHI)
