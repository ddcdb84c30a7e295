"""Whether a winning hand has a yaku: a simple check, deliberately independent of the engine.

It knows the yaku that the players play for, and misses some others (chanta, three kans). So a
player may pass a win, but never wins without a yaku.
"""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import EAST, IS_YAOCHUU, KINDS, WHITE
from paifu.kernels.compiling import inner, inner_allocating
from paifu.rules.hands.shanten import COMPLETE, shanten_chiitoi, shanten_kokushi, shanten_regular
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.flow import Flow
from paifu.simulate.table_kernels import bit
from paifu.simulate.table_record import AFTER_KAN, AFTER_KITA, CHI, KAKAN, LIVE_WALL, Table

NO_ROB = -1
_SIMPLES = tuple(int(kind) for kind in range(KINDS) if not IS_YAOCHUU[kind])


@inner
def seat_wind(t: Table, flow: Flow, seat: int) -> int:
    """Return the wind of a seat; 0 is east, the dealer's wind."""
    return int((seat - t.number + flow.players) % flow.players)


@inner
def is_value(t: Table, flow: Flow, seat: int, kind: int) -> bool:
    """Return whether three of a kind are yakuhai for a seat: dragon, seat wind or round wind."""
    return kind >= WHITE or kind == EAST + t.wind or kind == EAST + seat_wind(t, flow, seat)


@inner
def by_circumstance(t: Table, flow: Flow, seat: int, tsumo: bool, robbed: int) -> bool:
    """Return whether the way of winning is itself a yaku."""
    if t.riichi[seat] == 2:
        return True
    if tsumo:
        return (
            t.open_melds[seat] == 0
            or t.left == 0
            or t.source == AFTER_KAN
            or (t.source == AFTER_KITA and flow.rinshan_after_kita != 0)
        )
    return robbed == KAKAN or (
        t.left == 0
        and robbed == NO_ROB
        and (t.source == LIVE_WALL or flow.houtei_after_rinshan != 0)
    )


@inner_allocating
def _complete_without(
    tables: SuitTables, counts: np.ndarray, melds: int, first: int, second: int, third: int
) -> bool:
    """Return whether the hand is complete and has these three runs (by first kind, -1 none)."""
    rest = counts.copy()
    sets = melds
    for start in (first, second, third):
        if start >= 0:
            sets += 1
            for kind in range(start, start + 3):
                rest[kind] -= 1
                if rest[kind] < 0:
                    return False
    return sets <= 4 and shanten_regular(tables, rest, sets) == COMPLETE


@inner
def _run_or_none(t: Table, seat: int, start: int) -> int:
    """Return -1 if a meld is the run that starts there, or the start if no meld is."""
    for meld in range(t.melds[seat]):
        if t.meld_kind[seat, meld] == CHI:
            others = 0
            for i in range(3):
                others += not start <= t.meld_tile[seat, meld, i] // 4 <= start + 2
            if others == 0:
                return -1
    return start


@inner
def _has_straight_or_three_colours(
    t: Table, tables: SuitTables, seat: int, counts: np.ndarray
) -> bool:
    """Return whether hand and melds have 123 456 789 of a suit, or one run in all suits."""
    melds = t.melds[seat]
    for suit in range(3):
        base = 9 * suit
        a, b, c = base, base + 3, base + 6
        if _complete_without(
            tables, counts, melds,
            _run_or_none(t, seat, a), _run_or_none(t, seat, b), _run_or_none(t, seat, c),
        ):  # fmt: skip
            return True
    for low in range(7):
        if _complete_without(
            tables, counts, melds,
            _run_or_none(t, seat, low), _run_or_none(t, seat, 9 + low),
            _run_or_none(t, seat, 18 + low),
        ):  # fmt: skip
            return True
    return False


@inner
def _is_nothing(counts: np.ndarray) -> bool:
    """Return whether all counts are 0."""
    for kind in range(KINDS):
        if counts[kind] != 0:
            return False
    return True


@inner_allocating
def _is_pinfu(t: Table, flow: Flow, seat: int, counts: np.ndarray, win: int) -> bool:
    """Return whether a hand without melds is pinfu: four runs, a pair without fu, a ryanmen."""
    for pair in range(KINDS):
        if counts[pair] < 2 or is_value(t, flow, seat, pair):
            continue
        rest = counts.copy()
        rest[pair] -= 2
        two_sided = False
        for kind in range(27):
            runs = rest[kind]
            if runs == 0:
                continue
            if kind % 9 > 6 or runs < 0:
                rest[kind] = -1
                break
            for other in range(kind, kind + 3):
                rest[other] -= runs
            if (kind == win and kind % 9 < 6) or (kind + 2 == win and kind % 9 > 0):
                two_sided = True
        if two_sided and _is_nothing(rest):
            return True
    return False


@inner
def _has_two_like_runs(tables: SuitTables, counts: np.ndarray, melds: int) -> bool:
    """Return whether a closed hand has the same run twice."""
    for kind in range(25):
        if (
            kind % 9 < 7
            and counts[kind] > 1
            and counts[kind + 1] > 1
            and counts[kind + 2] > 1
            and _complete_without(tables, counts, melds, kind, kind, -1)
        ):
            return True
    return False


@inner
def _of_one_suit(t: Table, seat: int, counts: np.ndarray) -> bool:
    """Return whether hand and melds are of one suit, with or without honours."""
    suits = 0
    for kind in range(27):
        if counts[kind] > 0:
            suits |= bit(kind // 9)
    for meld in range(t.melds[seat]):
        kind = t.meld_tile[seat, meld, 0] // 4
        if kind < 27:
            suits |= bit(kind // 9)
    return suits in (0, 1, 2, 4)


@inner
def _of_simples(t: Table, seat: int, counts: np.ndarray) -> bool:
    """Return whether hand and melds have neither terminals nor honours."""
    total = 0
    for kind in _SIMPLES:
        total += counts[kind]
    for meld in range(t.melds[seat]):
        simple = True
        for i in range(3):
            kind = t.meld_tile[seat, meld, i] // 4
            if kind >= 27 or kind % 9 == 0 or kind % 9 == 8:
                simple = False
        if simple:
            total += 3
    return total == 14


@inner
def by_tiles(
    t: Table, flow: Flow, tables: SuitTables, seat: int, counts: np.ndarray, win: int
) -> bool:
    """Return whether the tiles make a yaku; ``counts`` are the concealed tiles with ``win``."""
    melds = t.melds[seat]
    closed = t.open_melds[seat] == 0
    for kind in range(EAST, KINDS):
        if counts[kind] == 3 and is_value(t, flow, seat, kind):
            return True
    triplets = 0
    for meld in range(melds):
        triplets += t.meld_kind[seat, meld] != CHI
        if t.meld_kind[seat, meld] != CHI and is_value(
            t, flow, seat, t.meld_tile[seat, meld, 0] // 4
        ):
            return True
    pairs = 0
    for kind in range(KINDS):
        triplets += counts[kind] == 3
        pairs += counts[kind] == 2
    if melds == 0 and (shanten_chiitoi(counts) == COMPLETE or shanten_kokushi(counts) == COMPLETE):
        return True
    if (closed or flow.kuitan) and _of_simples(t, seat, counts):
        return True
    if (triplets == 4 and pairs == 1) or _of_one_suit(t, seat, counts):
        return True
    if melds == 0 and _is_pinfu(t, flow, seat, counts, win):
        return True
    if closed and _has_two_like_runs(tables, counts, melds):
        return True
    return _has_straight_or_three_colours(t, tables, seat, counts)


@inner_allocating
def has_yaku(
    t: Table, flow: Flow, tables: SuitTables, seat: int, win: int, tsumo: bool, robbed: int
) -> bool:
    """Return whether a complete hand may win; ``robbed`` is the event that was robbed, or -1."""
    if by_circumstance(t, flow, seat, tsumo, robbed):
        return True
    counts = t.count[seat].copy()
    if not tsumo:
        counts[win] += 1
    return by_tiles(t, flow, tables, seat, counts, win)
