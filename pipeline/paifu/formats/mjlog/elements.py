"""What each element of an mjlog adds to the tokeniser's output, one kernel per element.

Each kernel takes an element whose attributes have been found, appends events, a round or a win, or
notes a fact of the game, and returns ``FINE`` or what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.formats.mjlog import grammar as xml
from paifu.formats.mjlog.grammar import (
    BAD_COUNT,
    BAD_MELD,
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    CODES,
    FINE,
    LAST_TILE,
    NOT_STRICT,
    Array,
    read_base64,
    read_number,
    read_numbers,
    starts_with,
)
from paifu.formats.mjlog.tags import (
    MELD_CONSUMED,
    MELD_FROM,
    MELD_TILE,
    R_EVENTS,
    R_OUTCOME,
    W_EVENT,
    W_FROM,
    W_SEAT,
    W_TILE,
    W_YAKU_END,
    decode_meld,
    read_agari,
    read_init,
    read_ryuukyoku,
    read_worth,
    read_yaku,
)
from paifu.game.events import (
    DORA,
    NO_SEAT,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    WIN,
)
from paifu.game.tiles import NO_TILE
from paifu.kernels.compiling import inner

# --- columns of a game's row --------------------------------------------------------------------
(
    G_STATUS, G_POSITION, G_FIRST_ROUND, G_ROUNDS_END, G_FIRST_EVENT, G_PLAYERS, G_TYPE, G_UNKNOWN,
    G_CSRULE, G_ROSTER,
) = range(10)  # fmt: skip
G_DAN, G_RATE, G_RESULT = 11, 16, 21
"""Ranks; rates in hundredths; ``owari`` in tenths: (points in hundreds, result) by seat, and in
chip lobbies also (chips, change) by seat. The column before each list has its length."""
G_NAMES, G_LOBBY, G_SEX, G_REF, G_SEED, G_WORDS = 37, 45, 47, 49, 51, 53
"""Where texts begin and end: four names, lobby, sex, ref and seed in the buffer, and the seed's
decoded words in ``Rows.seeds``."""
GAME_COLUMNS = 55

# --- rows of the events matrix ------------------------------------------------------------------
KIND, SEAT, TILE, FROM, TSUMOGIRI = range(5)

# --- how many rows of each output are used ------------------------------------------------------
EVENTS, ROUNDS, WINS, YAKU, STATED, SEEDS = range(6)
_BASE64 = np.frombuffer(b"base64,", dtype=np.uint8)
_COMMA = ord(",")
_TYPES = 0xFFFFFF
"""The highest possible game type."""


@inner
def put_event(
    events: Array, consumed: Array, counts: Array, kind: int, seat: int, tile: int, source: int
) -> None:
    """Append an event other than a draw or discard, without consumed tiles for now."""
    at = counts[EVENTS]
    events[KIND, at] = kind
    events[SEAT, at] = seat
    events[TILE, at] = tile
    events[FROM, at] = source
    events[TSUMOGIRI, at] = -1
    for i in range(3):
        consumed[at, i] = NO_TILE
    counts[EVENTS] = at + 1


@inner
def scan_single(
    buf: Array, places: Array, attribute: int, kind: int, plain: int, events: Array,
    consumed: Array, counts: Array,
) -> int:  # fmt: skip
    """Append an event with one number: a further indicator, or the seat of a disconnection."""
    dora = kind == DORA
    number = read_number(buf, places, attribute, LAST_TILE if dora else 3)
    if number < 0:
        return BAD_TILE if dora else BAD_SEAT
    seat = NO_SEAT if dora else number
    tile: Any = np.int64(CODES[plain, number]) if dora else NO_TILE
    put_event(events, consumed, counts, kind, seat, tile, NO_SEAT)
    return FINE


@inner
def scan_call(
    buf: Array, places: Array, plain: int, meld: Array, drawn: Array, events: Array,
    consumed: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a call, kan or kita."""
    who = read_number(buf, places, xml.WHO, 3)
    if who < 0:
        return BAD_SEAT
    kind = decode_meld(read_number(buf, places, xml.M, 0xFFFF), who, plain, meld)
    if kind < 0:
        return BAD_MELD
    event = counts[EVENTS]
    put_event(events, consumed, counts, kind, who, meld[MELD_TILE], meld[MELD_FROM])
    for i in range(3):
        consumed[event, i] = meld[MELD_CONSUMED + i]
    drawn[who] = -1
    return FINE


@inner
def scan_reach(
    buf: Array, places: Array, seen: int, numbers: Array, events: Array, consumed: Array,
    stated: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a declared (step 1) or accepted (step 2) riichi, with the points stated after it."""
    who = read_number(buf, places, xml.WHO, 3)
    step = read_number(buf, places, xml.STEP, 2)
    if who < 0:
        return BAD_SEAT
    if step < 1:
        return BAD_NUMBER
    if step == 2 and seen >> xml.TEN & 1:
        count = read_numbers(buf, places, xml.TEN, 0, numbers)
        if count != 3 and count != 4:
            return BAD_COUNT
        at = counts[STATED]
        stated[at, 0] = counts[EVENTS]
        for seat in range(4):
            stated[at, 1 + seat] = 100 * numbers[seat] if seat < count else 0
        counts[STATED] = at + 1
    kind = RIICHI if step == 1 else RIICHI_ACCEPTED
    put_event(events, consumed, counts, kind, who, NO_TILE, NO_SEAT)
    return FINE


@inner
def scan_init(
    buf: Array, places: Array, seen: int, plain: int, game: Array, numbers: Array, drawn: Array,
    rounds: Array, counts: Array,
) -> int:  # fmt: skip
    """Begin a round. Events before the first deal (a disconnection) belong to the first round."""
    row = rounds[counts[ROUNDS]]
    status = read_init(buf, places, seen, plain, numbers, row)
    if status != FINE:
        return status
    row[R_EVENTS] = counts[EVENTS]
    if counts[ROUNDS] == game[G_FIRST_ROUND]:
        row[R_EVENTS] = game[G_FIRST_EVENT]
        game[G_PLAYERS] = 4 if places[xml.HAI3, 1] > places[xml.HAI3, 0] else 3
    counts[ROUNDS] += 1
    for seat in range(4):
        drawn[seat] = -1
    return FINE


@inner
def scan_agari(
    buf: Array, places: Array, seen: int, plain: int, game: Array, numbers: Array, events: Array,
    consumed: Array, rounds: Array, wins: Array, yaku: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a win and what is recorded about it."""
    win = wins[counts[WINS]]
    status = read_agari(buf, places, seen, plain, win)
    if status == FINE:
        status = read_worth(buf, places, seen, numbers, win)
    if status != FINE:
        return status
    win[W_EVENT] = counts[EVENTS]
    win[W_YAKU_END] = counts[YAKU]
    for attribute in (xml.YAKU, xml.YAKUMAN):
        if seen >> attribute & 1:
            stop, unknown = read_yaku(buf, places, attribute, numbers, win, yaku, counts[YAKU])
            if stop < 0:
                return BAD_NUMBER
            counts[YAKU] = stop
            game[G_UNKNOWN] += unknown
    counts[WINS] += 1
    seat: Any = np.int64(win[W_SEAT])
    tile: Any = np.int64(win[W_TILE])
    source: Any = np.int64(win[W_FROM])
    put_event(events, consumed, counts, WIN, seat, tile, source)
    rounds[counts[ROUNDS] - 1, R_OUTCOME] = OUTCOME_WIN
    read_list(buf, places, seen, xml.OWARI, 1, numbers, game, G_RESULT, 16)
    return FINE


@inner
def scan_ryuukyoku(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, events: Array,
    consumed: Array, rounds: Array, counts: Array,
) -> int:  # fmt: skip
    """End a round without a win."""
    row = rounds[counts[ROUNDS] - 1]
    status, declarer = read_ryuukyoku(buf, places, seen, numbers, game[G_PLAYERS], row)
    if row[R_OUTCOME] == OUTCOME_UNKNOWN:
        game[G_UNKNOWN] += 1
    put_event(events, consumed, counts, RYUUKYOKU, declarer, NO_TILE, NO_SEAT)
    read_list(buf, places, seen, xml.OWARI, 1, numbers, game, G_RESULT, 16)
    return status


@inner
def read_list(
    buf: Array, places: Array, seen: int, attribute: int, decimals: int, numbers: Array,
    game: Array, column: int, most: int,
) -> None:  # fmt: skip
    """Read a list into a game's row from ``column`` on, and its length into the column before.

    A list that cannot be read counts as absent and is noted.
    """
    if not seen >> attribute & 1:
        return
    count = read_numbers(buf, places, attribute, decimals, numbers)
    if count < 0 or count > most:
        game[G_UNKNOWN] += 1
        count = 0
    game[column - 1] = count
    for i in range(count):
        game[column + i] = numbers[i]


@inner
def keep_place(game: Array, column: int, places: Array, attribute: int, seen: int) -> None:
    """Note where an attribute's value is, if the element has it."""
    if seen >> attribute & 1:
        game[column] = places[attribute, 0]
        game[column + 1] = places[attribute, 1]


@inner
def scan_about(
    buf: Array, places: Array, tag: int, seen: int, dealt: bool, game: Array, numbers: Array,
    events: Array, consumed: Array, seeds: Array, counts: Array,
) -> int:  # fmt: skip
    """Read an element about the game: ``GO``, ``UN`` or ``SHUFFLE``; ``TAIKYOKU`` has no facts.

    The game type comes once and first, because it says whether there are red fives. ``UN`` names
    the players the first time; later it says which player has come back.
    """
    if tag == xml.GO:
        if dealt or game[G_TYPE] >= 0:
            return NOT_STRICT
        game[G_TYPE] = read_number(buf, places, xml.TYPE, _TYPES)
        if game[G_TYPE] < 0:
            return BAD_NUMBER
        game[G_CSRULE] = seen >> xml.CSRULE & 1
        keep_place(game, G_LOBBY, places, xml.LOBBY, seen)
    elif tag == xml.SHUFFLE:
        keep_place(game, G_REF, places, xml.REF, seen)
        keep_place(game, G_SEED, places, xml.SEED, seen)
        if seen >> xml.SEED & 1:  # only once per game, so that there is room for the words
            scan_seed(buf, game, seeds, counts)
    elif tag == xml.UN and game[G_ROSTER]:
        for seat in range(4):
            if seen >> (xml.N0 + seat) & 1 and not seen >> xml.DAN & 1:
                put_event(events, consumed, counts, RECONNECT, seat, NO_TILE, NO_SEAT)
    elif tag == xml.UN:
        game[G_ROSTER] = 1
        for seat in range(4):
            keep_place(game, G_NAMES + 2 * seat, places, xml.N0 + seat, seen)
        keep_place(game, G_SEX, places, xml.SX, seen)
        read_list(buf, places, seen, xml.DAN, 0, numbers, game, G_DAN, 4)
        read_list(buf, places, seen, xml.RATE, 2, numbers, game, G_RATE, 4)
    return FINE


@inner
def scan_seed(buf: Array, game: Array, seeds: Array, counts: Array) -> None:
    """Decode the words of a seed, if they are base64."""
    start, stop = game[G_SEED], game[G_SEED + 1]
    comma = start
    while comma < stop and buf[comma] != _COMMA:
        comma += 1
    prefix = comma + 1 - len(_BASE64)
    if prefix >= start and starts_with(buf, prefix, stop, _BASE64):
        end = read_base64(buf, comma + 1, stop, seeds, counts[SEEDS])
        if end >= 0:
            game[G_WORDS] = counts[SEEDS]
            game[G_WORDS + 1] = end
            counts[SEEDS] = end
