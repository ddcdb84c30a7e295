"""Finds the order of play behind the per-seat lists of a tenhou.net/6 round.

The format gives each seat's draws (calls among them) and discards (kans, norths and riichi among
them), but not how the seats' lists interleave. Play is followed from the dealer's first draw: after
a discard either a seat whose next draw is a call of just that tile takes it, or the next seat
draws. Where both are possible the call is tried first; a choice after which the lists do not come
out even is taken back (an explicit stack of choices, so that no kernel recurses).

Kan dora are turned up as Tenhou does, as far as the round lists further indicators: at once after
an ankan; after a daiminkan or kakan just before the discard, or before the replacement draw of the
next kan or north. Indicators left over are turned up at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.events import (
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
from paifu.importers.builder import (
    FROM_SHIFT,
    KIND_MASK,
    SEAT_MASK,
    SEAT_SHIFT,
    TILE_MASK,
    TILE_SHIFT,
    TSUMOGIRI_MASK,
    TSUMOGIRI_SHIFT,
)
from paifu.kernels import inner, njit

# A token is a packed event without its seat; a call's "from" is relative (1 shimocha, 2 toimen,
# 3 kamicha). Two things are not events:
PLACEHOLDER = EVENT_KINDS
"""Kind of the ``0`` that stands in the discards where a daiminkan stands in the draws."""
RIICHI_BIT = 1 << 40
"""Set in a discard that declares riichi."""

# How a round ended, as far as it restricts the last act.
END_ANY, END_RON, END_TSUMO, END_PASSED = range(4)
ANY_SEAT = -1

NO_ORDER, TOO_AMBIGUOUS = -1, -2
MAX_STEPS = 100_000
"""Acts tried before a round counts as too ambiguous; real rounds need 150."""
MAX_CHOICES = 256

_PASS = 4
_POSITIONS = 8  # a frame: the eight positions in the lists, then the fields below, by index
_SEAT, _EVENTS, _FLIPPED, _PENDING, _RIICHI, _OPTIONS, _TILE = range(8, 15)
_FRAME = 15


@inner
def _ended_well(at: Array, starts: Array, actor: int, drew: bool, end: int, end_seat: int) -> bool:
    for index in range(_POSITIONS):
        if at[index] != starts[index + 1]:
            return False
    if end == END_RON:
        return actor == end_seat and not drew
    if end == END_TSUMO:
        return drew and (end_seat == ANY_SEAT or actor == end_seat)
    if end == END_PASSED:
        return not drew
    return True


@inner
def _callers(tokens: Array, at: Array, starts: Array, seat: int, tile: int) -> int:
    """Return a bitmask of the seats whose next draw is a call of this discard."""
    mask = 0
    for caller in range(4):
        index = at[2 * caller]
        if caller == seat or index >= starts[2 * caller + 1]:
            continue
        token = tokens[index]
        kind = token & KIND_MASK
        relative = ((token >> FROM_SHIFT) & SEAT_MASK) - 1
        if (
            kind in (CHI, PON, DAIMINKAN)
            and (caller + relative) % 4 == seat
            and ((token >> TILE_SHIFT) & TILE_MASK) - 1 == tile
        ):
            mask |= 1 << caller
    return mask


@inner
def _next_option(options: int, tokens: Array, at: Array) -> int:
    """Return the option to try first: a pon or daiminkan, then a chi, then passing."""
    chi = -1
    for caller in range(4):
        if options & (1 << caller):
            if tokens[at[2 * caller]] & KIND_MASK != CHI:
                return caller
            chi = caller
    return chi if chi >= 0 else _PASS


@inner
def _flip(out: Array, count: int, indicators: Array, flipped: int, wanted: int) -> int:
    """Append up to ``wanted`` DORA events, as far as there are indicators; return how many."""
    done = 0
    while done < wanted and flipped + done < len(indicators):
        out[count + done] = DORA | (indicators[flipped + done] + 1) << TILE_SHIFT
        done += 1
    return done


@njit
def order_round(
    tokens: Array,
    starts: Array,
    players: int,
    dealer: int,
    end: int,
    end_seat: int,
    riichi_stands: bool,
    indicators: Array,
    out: Array,
) -> int:
    """Write the round's events to ``out`` in order of play and return how many.

    ``tokens`` (int64) hold all seats' lists, ``starts`` (int64[9]) where each begins: draws and
    discards of seat 0, of seat 1 …, and the end of the last. ``indicators`` (int64) are those after
    the first. ``end`` and ``end_seat`` say what the last act has to be; ``riichi_stands``, whether
    a riichi declared with the last discard was accepted. ``out`` (int64) holds at least
    ``3 * len(tokens) + len(indicators)``. Returns ``NO_ORDER`` or ``TOO_AMBIGUOUS`` on failure.
    """
    at = starts[:_POSITIONS].copy()
    frames = np.empty((MAX_CHOICES, _FRAME), dtype=np.int64)
    depth = 0
    seat, count, flipped, pending, riichi = dealer, 0, 0, 0, -1
    tile, drawing = -1, True  # the tile drawn or discarded last; whether the seat is to draw
    failed = False
    for _ in range(MAX_STEPS):
        deciding = False
        options = 1 << _PASS
        if failed:
            if depth == 0:
                return NO_ORDER
            depth -= 1
            frame = frames[depth]
            at[:] = frame[:_POSITIONS]
            seat, count, flipped = frame[_SEAT], frame[_EVENTS], frame[_FLIPPED]
            pending, riichi, tile = frame[_PENDING], frame[_RIICHI], frame[_TILE]
            options = frame[_OPTIONS]
            failed, deciding = False, True
        elif drawing:
            index = at[2 * seat]
            if index == starts[2 * seat + 1]:
                # a kan or north that was robbed, or no replacement tile recorded
                if _ended_well(at, starts, seat, False, end, end_seat):
                    break
                failed = True
            elif tokens[index] & KIND_MASK != DRAW:
                failed = True
            else:
                out[count] = tokens[index] | (seat + 1) << SEAT_SHIFT
                count += 1
                tile = ((tokens[index] >> TILE_SHIFT) & TILE_MASK) - 1
                at[2 * seat] += 1
                drawing = False
        else:
            index = at[2 * seat + 1]
            exhausted = index == starts[2 * seat + 2]
            token: Any = np.int64(PLACEHOLDER) if exhausted else tokens[index]
            kind = token & KIND_MASK
            if exhausted:
                if _ended_well(at, starts, seat, True, end, end_seat):
                    break
                failed = True
            elif kind == DISCARD:
                tsumogiri = (token >> TSUMOGIRI_SHIFT) & TSUMOGIRI_MASK == 2
                if tsumogiri and tile < 0:
                    failed = True  # "the tile just drawn" right after a call
                else:
                    turned = _flip(out, count, indicators, flipped, pending)
                    count, flipped, pending = count + turned, flipped + turned, 0
                    if token & RIICHI_BIT:
                        out[count] = RIICHI | (seat + 1) << SEAT_SHIFT
                        count += 1
                        riichi = seat
                    if tsumogiri:
                        token |= (tile + 1) << TILE_SHIFT
                    else:
                        tile = ((token >> TILE_SHIFT) & TILE_MASK) - 1
                    out[count] = (token & ~RIICHI_BIT) | (seat + 1) << SEAT_SHIFT
                    count += 1
                    at[2 * seat + 1] += 1
                    options |= _callers(tokens, at, starts, seat, tile)
                    deciding = True
            elif kind in (ANKAN, KAKAN, KITA):
                out[count] = token | (seat + 1) << SEAT_SHIFT
                count += 1
                at[2 * seat + 1] += 1
                turned = _flip(out, count, indicators, flipped, pending + (kind == ANKAN))
                count, flipped = count + turned, flipped + turned
                pending = 1 if kind == KAKAN else 0
                drawing = True
            else:
                failed = True

        if deciding:
            option = _next_option(options, tokens, at)
            options &= ~(1 << option)
            if options:
                if depth == MAX_CHOICES:
                    return TOO_AMBIGUOUS
                frame = frames[depth]
                frame[:_POSITIONS] = at
                frame[_SEAT], frame[_EVENTS], frame[_FLIPPED] = seat, count, flipped
                frame[_PENDING], frame[_RIICHI], frame[_TILE] = pending, riichi, tile
                frame[_OPTIONS] = options
                depth += 1
            following = (seat + 1) % players if option == _PASS else option
            if option == _PASS and at[2 * following] == starts[2 * following + 1]:
                if _ended_well(at, starts, seat, False, end, end_seat):
                    if riichi >= 0 and riichi_stands:
                        out[count] = RIICHI_ACCEPTED | (riichi + 1) << SEAT_SHIFT
                        count += 1
                    break
                failed = True
                continue
            if riichi >= 0:
                out[count] = RIICHI_ACCEPTED | (riichi + 1) << SEAT_SHIFT
                count += 1
                riichi = -1
            if option == _PASS:
                seat, drawing = following, True
                continue
            token = tokens[at[2 * option]]
            out[count] = (
                (token & ~(SEAT_MASK << FROM_SHIFT))
                | (seat + 1) << FROM_SHIFT
                | (option + 1) << SEAT_SHIFT
            )
            count += 1
            at[2 * option] += 1
            seat, tile = option, -1
            drawing = token & KIND_MASK == DAIMINKAN
            if drawing:
                turned = _flip(out, count, indicators, flipped, pending)
                count, flipped, pending = count + turned, flipped + turned, 1
                index = at[2 * seat + 1]
                if index < starts[2 * seat + 2] and tokens[index] & KIND_MASK == PLACEHOLDER:
                    at[2 * seat + 1] += 1
    else:
        return TOO_AMBIGUOUS
    return count + _flip(out, count, indicators, flipped, len(indicators))
