"""Simple players: they reduce shanten, call for a yaku, declare riichi, and fold when it is late.

Players compute only with whole numbers, so that games are equal on every machine. A seat's
``style`` (in 256ths) says how often it calls, declares riichi, folds and declares kans.
"""

from __future__ import annotations

import numpy as np

from paifu.game.tiles import DORA_OF, DORA_OF_SANMA, EAST, KINDS, NORTH
from paifu.kernels.compiling import inner, inner_allocating
from paifu.rules.hands.shanten import NOT_A_HAND, shanten, shanten_kokushi, useful
from paifu.rules.hands.suit_tables import SuitTables
from paifu.simulate.efficiency import discard_shantens
from paifu.simulate.flow import Flow
from paifu.simulate.has_yaku import NO_ROB, has_yaku, is_value
from paifu.simulate.legality import (
    all_kans,
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
    yaochuu_kinds,
)
from paifu.simulate.table_kernels import MAX_KANS, bit, find, first_dora, melded, roll
from paifu.simulate.table_record import (
    ANKAN,
    CALLING,
    CHI,
    DAIMINKAN,
    DECLARING,
    DISCARD,
    DRAWN_GAME,
    FOLDING,
    KAKAN,
    KANNING,
    KITA,
    PON,
    RIICHI,
    WIN,
    Table,
)

PASS = -1
KOKUSHI_KINDS = 11
"""With so many kinds of terminals and honours, thirteen orphans are tried, not kyuushu kyuuhai."""
CANDIDATES = 4
"""For how many discards the acceptance is counted; more would change little and cost much."""
_FAR = 3
_INWARD = (6, 8, 10, 10, 10, 10, 10, 8, 6)
"""The value of each number for runs with its neighbours."""
_DORA = tuple(int(kind) for kind in DORA_OF)
_DORA_SANMA = tuple(int(kind) for kind in DORA_OF_SANMA)


@inner
def threats(t: Table, flow: Flow, seat: int) -> int:
    """Return how many opponents are in riichi, or have three melds open."""
    count = 0
    for other in range(flow.players):
        if other != seat and (t.riichi[other] == 2 or t.open_melds[other] >= 3):
            count += 1
    return count


@inner
def danger(t: Table, flow: Flow, seat: int, kind: int) -> int:
    """Return how dangerous a kind looks against all threatening seats; 0 for genbutsu of all."""
    total = 0
    for other in range(flow.players):
        if other == seat or not (t.riichi[other] == 2 or t.open_melds[other] >= 3):
            continue
        if t.safe[other] & bit(kind):
            continue
        unseen = 4 - t.seen[kind] - t.count[seat, kind]
        if kind >= EAST:
            risk = 3 * unseen + 1
        else:
            number = kind % 9
            sides = 0
            passed = 0
            if number >= 3:
                sides += 1
                passed += t.safe[other] & bit(kind - 3) != 0
            if number <= 5:
                sides += 1
                passed += t.safe[other] & bit(kind + 3) != 0
            reach = number if number < 4 else 8 - number
            risk = (8, 10, 13, 14, 14)[reach]
            if passed == sides:
                risk = (3, 4, 5, 5, 5)[reach]
            elif passed == 1:
                risk = 9
        total += risk * (4 if t.riichi[other] == 2 else 2)
    return total


@inner
def is_dora(t: Table, flow: Flow, kind: int) -> int:
    """Return how many indicators show a kind as dora."""
    hits = 0
    for i in range(t.shown):
        shown = t.wall[first_dora(flow) + 2 * i] // 4
        hits += (_DORA[shown] if flow.players == 4 else _DORA_SANMA[shown]) == kind
    return hits


@inner
def worth(t: Table, flow: Flow, seat: int, kind: int) -> int:
    """Return the value of keeping a kind, apart from shanten: neighbours, yakuhai, dora."""
    unseen = 4 - t.seen[kind] - t.count[seat, kind]
    value = 14 * is_dora(t, flow, kind)
    if kind >= EAST:
        value += 2 * unseen + (4 if is_value(t, flow, seat, kind) and unseen >= 1 else 0)
    else:
        number = kind % 9
        value += _INWARD[number]
        for step in (-2, -1, 1, 2):
            if 0 <= number + step <= 8 and t.count[seat, kind + step] > 0:
                value += 7 if step * step == 1 else 4
    if t.count[seat, kind] == 1 and find(t, seat, kind, True) in (16, 52, 88):
        value += 10
    return value


@inner_allocating
def flush_suit(t: Table, seat: int) -> int:
    """Return the suit in which a seat plays honitsu, or -1; it has few tiles of other suits."""
    tiles = np.zeros(3, np.int64)
    total = 0
    for kind in range(27):
        tiles[kind // 9] += t.count[seat, kind]
        total += t.count[seat, kind]
    for meld in range(t.melds[seat]):
        kind = t.meld_tile[seat, meld, 0] // 4
        if kind < 27:
            tiles[kind // 9] += 3
            total += 3
    best = 0
    for suit in range(1, 3):
        if tiles[suit] > tiles[best]:
            best = suit
    return best if total - tiles[best] <= 3 and tiles[best] >= 7 else -1


@inner
def has_value_set(t: Table, flow: Flow, seat: int) -> bool:
    """Return whether hand or melds have a set of yakuhai."""
    for kind in range(EAST, KINDS):
        if is_value(t, flow, seat, kind) and (
            t.count[seat, kind] >= 3 or melded(t, seat, kind) > 0
        ):
            return True
    return False


@inner
def _melds_are(t: Table, seat: int, suit: int) -> bool:
    """Return whether the melds allow tanyao (``suit`` -1), or honitsu in a suit."""
    for meld in range(t.melds[seat]):
        for i in range(3):
            kind = t.meld_tile[seat, meld, i] // 4
            if suit < 0 and (kind >= EAST or kind % 9 in (0, 8)):
                return False
            if suit >= 0 and kind < EAST and kind // 9 != suit:
                return False
    return True


@inner
def open_plan(t: Table, flow: Flow, seat: int, kind: int, low: int) -> bool:
    """Return whether a hand opened with a call of ``kind`` will have a yaku.

    ``low`` is the first kind of a run, or -1 for a triplet. The yaku that are tried are yakuhai,
    tanyao, honitsu and toitoi.
    """
    if (low < 0 and is_value(t, flow, seat, kind)) or has_value_set(t, flow, seat):
        return True
    edge = 0
    pairs = 0
    for other in range(KINDS):
        held = t.count[seat, other]
        if other >= EAST or other % 9 in (0, 8):
            edge += held
        pairs += held >= 2
    simple = kind < EAST and (1 <= kind % 9 <= 7 if low < 0 else (low % 9 > 0 and low % 9 < 6))
    if flow.kuitan and simple and edge <= 2 and _melds_are(t, seat, -1):
        return True
    suit = flush_suit(t, seat)
    if suit >= 0 and (kind >= EAST or kind // 9 == suit) and _melds_are(t, seat, suit):
        return True
    if low >= 0 or pairs < 4:
        return False
    for meld in range(t.melds[seat]):
        if t.meld_kind[seat, meld] == CHI:
            return False
    return True


@inner
def safest(t: Table, flow: Flow, seat: int) -> int:
    """Return the kind to discard when folding."""
    best = -1
    least = 1 << 30
    for kind in range(KINDS):
        if t.count[seat, kind] > 0 and t.forbidden & bit(kind) == 0:
            risk = 16 * danger(t, flow, seat, kind) - t.count[seat, kind]
            if risk < least:
                least = risk
                best = kind
    return best


@inner_allocating
def most_useful(
    t: Table,
    flow: Flow,
    tables: SuitTables,
    seat: int,
    after: np.ndarray,
    least: int,
    careful: bool,
) -> int:
    """Return the kind to discard when attacking: least shanten, then acceptance, then value.

    ``after`` is the shanten after each discard, and ``least`` the least of it over the kinds that
    are not forbidden.
    """
    kinds = np.empty(14, np.int64)
    worths = np.empty(14, np.int64)
    found = 0
    flush = flush_suit(t, seat)
    for kind in range(KINDS):
        if after[kind] != least or t.forbidden & bit(kind):
            continue
        value = worth(t, flow, seat, kind)
        if flush >= 0 and kind < EAST and kind // 9 != flush:
            value -= 40
        if careful:
            value -= danger(t, flow, seat, kind)
        at = found
        while at > 0 and worths[at - 1] > value:  # the least valuable first
            worths[at] = worths[at - 1]
            kinds[at] = kinds[at - 1]
            at -= 1
        worths[at] = value
        kinds[at] = kind
        found += 1
    if found == 1 or least >= _FAR:
        return int(kinds[0])
    live = 4 - t.seen - t.count[seat]
    best = kinds[0]
    most = -(1 << 30)
    if found > CANDIDATES:
        found = CANDIDATES
    for i in range(found):
        kind = kinds[i]
        t.count[seat, kind] -= 1
        tiles = useful(tables, t.count[seat], t.melds[seat], live)[1]
        t.count[seat, kind] += 1
        score = 8 * tiles - worths[i]
        if score > most:
            most = score
            best = kind
    return int(best)


@inner
def folds(t: Table, flow: Flow, seat: int, least: int) -> bool:
    """Return whether a seat folds against the threatening seats."""
    count = threats(t, flow, seat)
    if count == 0 or least <= 0:
        return False
    push = 256 - t.style[seat, FOLDING]
    if least == 1:
        push = 256 - t.style[seat, FOLDING] // 2
    elif least >= 3:
        push //= 4
    return bool(roll(t, 256) >= push // count)


@inner_allocating
def wants_kan(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int, event: int) -> bool:
    """Return whether a seat declares a kan that is allowed; never if it raises the shanten."""
    if roll(t, 256) >= t.style[seat, KANNING] or (threats(t, flow, seat) and t.riichi[seat] == 0):
        return False
    if t.riichi[seat] != 0:
        return True
    counts = t.count[seat].copy()
    before = shanten(tables, counts, t.melds[seat])
    if event == KAKAN:
        counts[kind] -= 1
        return shanten(tables, counts, t.melds[seat]) <= before
    counts[kind] -= 4
    return shanten(tables, counts, t.melds[seat] + 1) <= before


@inner
def _own_kan(t: Table, flow: Flow, tables: SuitTables, seat: int) -> tuple[int, int]:
    """Return the kan that a seat declares in its turn, and its kind; ``PASS`` if none."""
    if all_kans(t) >= MAX_KANS:
        return PASS, -1
    for held in range(KINDS):
        if t.count[seat, held] == 4 and may_ankan(t, flow, tables, seat, held):
            if wants_kan(t, flow, tables, seat, held, ANKAN):
                return ANKAN, held
        elif t.melds[seat] > 0 and may_kakan(t, seat, held):
            if wants_kan(t, flow, tables, seat, held, KAKAN):
                return KAKAN, held
    return PASS, -1


@inner
def _on_draw(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int) -> tuple[int, int]:
    """Return what a seat that has drawn ``kind`` does at once; ``PASS`` if it chooses a discard."""
    if waits_for(t, seat, kind) and has_yaku(t, flow, tables, seat, kind, True, NO_ROB):
        return WIN, kind
    if t.away[seat]:
        return DISCARD, kind
    if may_declare_nine(t, flow, seat) and yaochuu_kinds(t, seat) < KOKUSHI_KINDS:
        return DRAWN_GAME, kind
    if may_kita(t, flow, seat) and (
        t.riichi[seat] != 0 or shanten_kokushi(t.count[seat]) > 2 or t.melds[seat] > 0
    ):
        return KITA, NORTH
    event, held = _own_kan(t, flow, tables, seat)
    if event == PASS and t.riichi[seat] == 2:
        return DISCARD, kind
    return event, held


@inner_allocating
def own_turn(t: Table, flow: Flow, tables: SuitTables, seat: int) -> tuple[int, int]:
    """Return what a seat with 14 tiles does, as an event and its kind of tile.

    The event is ``WIN``, ``DRAWN_GAME`` (kyuushu kyuuhai), ``ANKAN``, ``KAKAN``, ``KITA``,
    ``RIICHI`` with the kind discarded, or ``DISCARD``.
    """
    if t.drawn >= 0:
        event, kind = _on_draw(t, flow, tables, seat, t.drawn // 4)
        if event != PASS:
            return event, kind
    after = np.empty(KINDS, np.int8)
    discard_shantens(tables, t.count[seat], t.melds[seat], after)
    least = NOT_A_HAND
    for kind in range(KINDS):
        if t.forbidden & bit(kind) == 0 and after[kind] < least:
            least = int(after[kind])
    if folds(t, flow, seat, least):
        return DISCARD, safest(t, flow, seat)
    chosen = most_useful(t, flow, tables, seat, after, least, threats(t, flow, seat) > 0)
    if least == 0 and may_riichi(t, flow, seat):
        waits = riichi_waits_after(t, flow, tables, seat, chosen)
        if waits != 0 and wants_riichi(t, seat, waits):
            return RIICHI, chosen
    return DISCARD, chosen


@inner
def wants_riichi(t: Table, seat: int, waits: int) -> bool:
    """Return whether a seat declares riichi on its waits; less often if it is late or furiten."""
    if all_kans(t) >= MAX_KANS:
        return False
    readiness = t.style[seat, DECLARING]
    live = 0
    for wait in range(KINDS):
        if waits & bit(wait):
            live += 4 - t.seen[wait] - t.count[seat, wait]
    if live == 0:
        return False
    if waits & t.river_kinds[seat]:
        readiness //= 4
    elif live <= 2:
        readiness = readiness * 2 // 3
    if t.left < 16:
        readiness //= 2
    return bool(roll(t, 256) < readiness)


@inner
def _improves(
    t: Table, tables: SuitTables, seat: int, before: int, first: int, second: int
) -> bool:
    """Return whether a meld with two kinds from the hand reduces the shanten."""
    t.count[seat, first] -= 1
    t.count[seat, second] -= 1
    after = shanten(tables, t.count[seat], t.melds[seat] + 1)
    t.count[seat, first] += 1
    t.count[seat, second] += 1
    return after < before


@inner
def _chi(t: Table, flow: Flow, tables: SuitTables, seat: int, kind: int, before: int) -> int:
    """Return the first kind of the run for which a seat calls ``kind``; -1 if it does not call."""
    for low in range(max(kind - 2, 0), kind + 1):
        if not may_chi(t, flow, seat, kind, low) or not open_plan(t, flow, seat, kind, low):
            continue
        first = low if low != kind else low + 1
        second = low + 2 if low + 2 != kind else low + 1
        if (
            _improves(t, tables, seat, before, first, second)
            and roll(t, 256) < t.style[seat, CALLING]
        ):
            return low
    return -1


@inner
def reaction(
    t: Table, flow: Flow, tables: SuitTables, seat: int, source: int, kind: int
) -> tuple[int, int]:
    """Return the call that a seat makes on a discard, and the first kind of a run.

    The call is ``PASS``, ``PON``, ``CHI`` or ``DAIMINKAN``."""
    if t.away[seat] or t.riichi[seat] != 0:
        return PASS, -1
    next_seat = (source + 1) % flow.players == seat
    if t.count[seat, kind] < 2 and not (next_seat and kind < EAST and flow.players == 4):
        return PASS, -1
    before = shanten(tables, t.count[seat], t.melds[seat])
    if before <= 0 and t.open_melds[seat] == 0:
        return PASS, -1
    danger_now = threats(t, flow, seat) > 0
    if danger_now and before > 1:
        return PASS, -1
    if may_pon(t, flow, seat, kind) and open_plan(t, flow, seat, kind, -1):
        if may_daiminkan(t, seat, kind) and t.open_melds[seat] > 0 and not danger_now:
            if roll(t, 2048) < t.style[seat, KANNING]:
                return DAIMINKAN, -1
        ready = t.style[seat, CALLING] * (2 if is_value(t, flow, seat, kind) else 1)
        if _improves(t, tables, seat, before, kind, kind) and roll(t, 256) < ready:
            return PON, -1
    low = _chi(t, flow, tables, seat, kind, before) if next_seat else -1
    return (CHI if low >= 0 else PASS), low
