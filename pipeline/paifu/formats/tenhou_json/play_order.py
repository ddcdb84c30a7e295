"""Finds the order of play behind the per-seat lists of a tenhou.net/6 round.

The format gives each seat's draws (including calls) and discards (including kans, norths and
riichi), but not the order between the seats. The search follows play from the dealer's first draw.
After a discard, either a seat whose next draw is a call of this tile takes it, or the next seat
draws. If both are possible, the call is tried first. If the lists do not fit after a choice, the
choice is undone. The choices are on an explicit stack, so no kernel recurses.

Kan dora are turned up as on Tenhou, as long as the round has further indicators: at once after an
ankan; after a daiminkan or kakan just before the discard, or before the replacement draw of the
next kan or north. Remaining indicators are turned up at the end.
"""

from __future__ import annotations

import numpy as np

from paifu.formats.builder import (
    FROM_SHIFT,
    KIND_MASK,
    SEAT_MASK,
    SEAT_SHIFT,
    TILE_MASK,
    TILE_SHIFT,
    TSUMOGIRI_MASK,
    TSUMOGIRI_SHIFT,
)
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    EVENT_KINDS,
    KAKAN,
    KITA,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    Array,
)
from paifu.kernels.compiling import inner, inner_allocating, njit

# A token is a packed event without its seat; a call's "from" is relative (1 shimocha, 2 toimen,
# 3 kamicha). Two things are not events:
PLACEHOLDER = EVENT_KINDS
"""Kind of the ``0`` in the discards at the place of a daiminkan in the draws."""
RIICHI_BIT = 1 << 40
"""Set in a discard that declares riichi."""

# How a round ended, where that restricts the last act.
END_ANY, END_RON, END_TSUMO, END_PASSED = range(4)
ANY_SEAT = -1

NO_ORDER, TOO_AMBIGUOUS = -1, -2
MAX_STEPS = 100_000
"""After this many tried acts a round counts as too ambiguous; real rounds need 150."""
MAX_CHOICES = 256

COUNT, LAST_SEAT, LAST_TILE, RIICHI_SEATS = range(4)
"""The facts about a round: its number of events (or why it has none), the seat of the last event,
the tile drawn, discarded or set aside last, and a bit mask of the seats that declared riichi."""

_PASS = 4
"""The choice not to call; the other choices are the seats that can call."""

# The state of play is one int64 vector, so a choice is saved and undone by copying it. First come
# the positions in the eight lists, then these.
_LISTS = 8
_SEAT, _COUNT, _FLIPPED, _PENDING, _RIICHI, _TILE, _DRAWING, _OPTIONS = range(_LISTS, 16)
_STATE = 16
# _SEAT: whose turn it is. _COUNT: events written. _FLIPPED, _PENDING: further indicators turned up
# and still to be. _RIICHI: who has declared and not yet paid, or -1. _TILE: drawn or discarded
# last, -1 after a call. _DRAWING: the seat draws next. _OPTIONS: bits of choices not tried yet.

_GOES_ON, _TO_CHOOSE, _ENDED, _STUCK = range(4)


@inner
def _emit(now: Array, out: Array, seat: int, event: int) -> None:
    out[now[_COUNT]] = event | (seat + 1) << SEAT_SHIFT
    now[_COUNT] += 1


@inner
def _turn_up(now: Array, out: Array, indicators: Array, wanted: int) -> None:
    """Write at most ``wanted`` further indicators, if the round has them."""
    while wanted > 0 and now[_FLIPPED] < len(indicators):
        _emit(now, out, -1, DORA | (indicators[now[_FLIPPED]] + 1) << TILE_SHIFT)
        now[_FLIPPED] += 1
        wanted -= 1


@inner
def _tile_of(token: int) -> int:
    return ((token >> TILE_SHIFT) & TILE_MASK) - 1


@inner
def _ended_well(now: Array, stops: Array, drew: bool, end: int, end_seat: int) -> bool:
    """Return whether all lists are used up and the last act fits the result."""
    for index in range(_LISTS):
        if now[index] != stops[index]:
            return False
    if end == END_RON:
        return now[_SEAT] == end_seat and not drew
    if end == END_TSUMO:
        return drew and (end_seat == ANY_SEAT or now[_SEAT] == end_seat)
    if end == END_PASSED:
        return not drew
    return True


@inner
def _callers(tokens: Array, now: Array, stops: Array) -> int:
    """Return a bit mask of the seats whose next draw is a call of the tile just discarded."""
    mask = 0
    for caller in range(4):
        index = now[2 * caller]
        if caller == now[_SEAT] or index >= stops[2 * caller]:
            continue
        token = tokens[index]
        relative = ((token >> FROM_SHIFT) & SEAT_MASK) - 1
        if (
            token & KIND_MASK in (CHI, PON, DAIMINKAN)
            and (caller + relative) % 4 == now[_SEAT]
            and _tile_of(token) == now[_TILE]
        ):
            mask |= 1 << caller
    return mask


@inner
def _draw(tokens: Array, now: Array, stops: Array, out: Array, end: int, end_seat: int) -> int:
    """Let the seat draw its next tile."""
    index = now[2 * now[_SEAT]]
    if index == stops[2 * now[_SEAT]]:
        # a kan or north that was robbed, or no replacement tile recorded
        return _ENDED if _ended_well(now, stops, False, end, end_seat) else _STUCK
    token = tokens[index]
    if token & KIND_MASK != DRAW:
        return _STUCK
    _emit(now, out, now[_SEAT], token)
    now[_TILE] = _tile_of(token)
    now[2 * now[_SEAT]] += 1
    now[_DRAWING] = 0
    return _GOES_ON


@inner
def _act(
    tokens: Array, now: Array, stops: Array, indicators: Array, out: Array, end: int,
    end_seat: int,
) -> int:  # fmt: skip
    """Let the seat, which has a tile more, do the next act in its discards."""
    seat = now[_SEAT]
    index = now[2 * seat + 1]
    if index == stops[2 * seat + 1]:
        return _ENDED if _ended_well(now, stops, True, end, end_seat) else _STUCK
    token = tokens[index]
    kind = token & KIND_MASK
    if kind == DISCARD:
        tsumogiri = (token >> TSUMOGIRI_SHIFT) & TSUMOGIRI_MASK == 2
        if tsumogiri and now[_TILE] < 0:
            return _STUCK  # "the tile just drawn" right after a call
        _turn_up(now, out, indicators, now[_PENDING])
        now[_PENDING] = 0
        if token & RIICHI_BIT:
            _emit(now, out, seat, RIICHI)
            now[_RIICHI] = seat
        if tsumogiri:
            token |= (now[_TILE] + 1) << TILE_SHIFT
        now[_TILE] = _tile_of(token)
        _emit(now, out, seat, token & ~RIICHI_BIT)
        now[2 * seat + 1] += 1
        now[_OPTIONS] = 1 << _PASS | _callers(tokens, now, stops)
        return _TO_CHOOSE
    if kind in (ANKAN, KAKAN, KITA):
        _emit(now, out, seat, token)
        now[2 * seat + 1] += 1
        _turn_up(now, out, indicators, now[_PENDING] + (kind == ANKAN))
        now[_PENDING] = 1 if kind == KAKAN else 0
        now[_DRAWING] = 1
        return _GOES_ON
    return _STUCK


@inner
def _next_option(tokens: Array, now: Array) -> int:
    """Take the next option to try: a pon or daiminkan, then a chi, then passing."""
    option = _PASS
    for caller in range(4):
        if now[_OPTIONS] & (1 << caller):
            option = caller
            if tokens[now[2 * caller]] & KIND_MASK != CHI:
                break
    now[_OPTIONS] &= ~(1 << option)
    return option


@inner
def _accept(now: Array, out: Array) -> None:
    if now[_RIICHI] >= 0:
        _emit(now, out, now[_RIICHI], RIICHI_ACCEPTED)
        now[_RIICHI] = -1


@inner
def _pass_on(
    now: Array, stops: Array, out: Array, players: int, end: int, end_seat: int,
    riichi_stands: bool,
) -> int:  # fmt: skip
    """Nobody calls: the next seat draws, or the round is over."""
    following = (now[_SEAT] + 1) % players
    if now[2 * following] == stops[2 * following]:
        if not _ended_well(now, stops, False, end, end_seat):
            return _STUCK
        if riichi_stands:
            _accept(now, out)
        return _ENDED
    _accept(now, out)
    now[_SEAT], now[_DRAWING] = following, 1
    return _GOES_ON


@inner
def _call(
    tokens: Array, now: Array, stops: Array, indicators: Array, out: Array, caller: int
) -> None:
    """Let a seat take the tile just discarded."""
    _accept(now, out)
    token = tokens[now[2 * caller]]
    taken_from = (now[_SEAT] + 1) << FROM_SHIFT
    _emit(now, out, caller, (token & ~(SEAT_MASK << FROM_SHIFT)) | taken_from)
    now[2 * caller] += 1
    now[_SEAT], now[_TILE] = caller, -1
    now[_DRAWING] = token & KIND_MASK == DAIMINKAN
    if now[_DRAWING]:
        _turn_up(now, out, indicators, now[_PENDING])
        now[_PENDING] = 1
        index = now[2 * caller + 1]
        if index < stops[2 * caller + 1] and tokens[index] & KIND_MASK == PLACEHOLDER:
            now[2 * caller + 1] += 1


@inner_allocating
def _order_round(
    tokens: Array, starts: Array, stops: Array, players: int, dealer: int, end: int, end_seat: int,
    riichi_stands: bool, indicators: Array, out: Array,
) -> int:  # fmt: skip
    """Write a round's events to ``out`` in order of play; return how many, or why it has none."""
    kept = np.empty((MAX_CHOICES, _STATE), dtype=np.int64)
    choices = 0
    now = np.zeros(_STATE, dtype=np.int64)
    now[:_LISTS] = starts
    now[_SEAT], now[_RIICHI], now[_TILE], now[_DRAWING] = dealer, -1, -1, 1
    status = _GOES_ON
    for _ in range(MAX_STEPS):
        if status == _STUCK:
            if choices == 0:
                return NO_ORDER
            choices -= 1
            now[:] = kept[choices]
            status = _TO_CHOOSE
        elif now[_DRAWING]:
            status = _draw(tokens, now, stops, out, end, end_seat)
        else:
            status = _act(tokens, now, stops, indicators, out, end, end_seat)
        if status == _TO_CHOOSE:
            option = _next_option(tokens, now)
            if now[_OPTIONS]:
                if choices == MAX_CHOICES:
                    return TOO_AMBIGUOUS
                kept[choices] = now
                choices += 1
            if option == _PASS:
                status = _pass_on(now, stops, out, players, end, end_seat, riichi_stands)
            else:
                _call(tokens, now, stops, indicators, out, option)
                status = _GOES_ON
        if status == _ENDED:
            _turn_up(now, out, indicators, len(indicators))
            return int(now[_COUNT])
    return TOO_AMBIGUOUS


@inner
def _note_facts(events: Array, facts: Array) -> None:
    """Write the last seat, the tile of the last act, and the seats that declared riichi."""
    facts[LAST_SEAT] = facts[LAST_TILE] = -1
    facts[RIICHI_SEATS] = 0
    for event in events:
        kind, seat = event & KIND_MASK, ((event >> SEAT_SHIFT) & SEAT_MASK) - 1
        facts[LAST_SEAT] = seat
        if kind in (DRAW, DISCARD, ANKAN, KAKAN, KITA):
            facts[LAST_TILE] = _tile_of(event)
        elif kind == RIICHI:
            facts[RIICHI_SEATS] |= 1 << seat


@njit
def order_rounds(
    tokens: Array,
    starts: Array,
    stops: Array,
    players: Array,
    ends: Array,
    indicators: Array,
    flips: Array,
    out: Array,
    facts: Array,
) -> None:
    """Write the events of rounds to ``out`` in order of play.

    ``tokens`` (int64) has all seats' lists. ``starts`` and ``stops`` (int64[R, 8]) say where each
    list begins and ends: draws and discards of seat 0, of seat 1 …, for ``players`` (int64[R])
    seats. ``ends`` (int64[R, 4]) are the dealer, how the round ended and with which seat, and
    whether a riichi declared with the last discard was accepted. ``indicators`` (int64) are the
    indicators after the first; ``flips`` (int64[R + 1]) has the first index of each round. ``out``
    (int64) has room for at least three times as many events as there are tokens, and for all
    indicators. ``facts`` (int64[R, 4]) gets the columns ``COUNT`` ….
    """
    at = 0
    for index in range(len(starts)):
        dealer, end, end_seat, stands = ends[index]
        shown = indicators[flips[index] : flips[index + 1]]
        lists = (tokens, starts[index], stops[index], players[index], dealer)
        count = _order_round(*lists, end, end_seat, stands != 0, shown, out[at:])
        if count == NO_ORDER and end != END_ANY:
            # the recorded result may be wrong: replay will report it
            count = _order_round(*lists, END_ANY, ANY_SEAT, stands != 0, shown, out[at:])
        facts[index, COUNT] = count
        if count > 0:
            at += count
        _note_facts(out[at - max(count, 0) : at], facts[index])
