"""What each element of an mjlog adds to the tokeniser's output, one kernel per element.

Each kernel takes an element with its attributes already found, appends events, a round or a win, or
notes a fact of the game, and returns ``FINE`` or what is wrong.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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


class Rows(NamedTuple):
    """Output of the tokeniser; ``counts`` says how many rows of each are used."""

    games: Array
    """int64[G, GAME_COLUMNS]"""
    events: Array
    """int8[5, E]"""
    consumed: Array
    """int8[E, 3]"""
    rounds: Array
    """int32[R, ROUND_COLUMNS]"""
    wins: Array
    """int32[W, WIN_COLUMNS]"""
    yaku: Array
    """int16[Y, 2]: index in the vocabulary, han."""
    stated: Array
    """int64[S, 5]: event, points of each seat."""
    seeds: Array
    """uint8[N]: decoded words of all games' seeds."""
    counts: Array
    """int64[6]"""


class Element(NamedTuple):
    """One element of a log, and room to read its values."""

    buf: Array
    places: Array
    """int64[ATTRIBUTES, 2]: where each attribute's value is, if the element has it."""
    seen: int
    """Mask of the attributes it has."""
    plain: int
    """1 if the game has no red fives, else 0."""
    numbers: Array
    """int64[64]: room for a list."""


@inner
def put_event(rows: Rows, kind: int, seat: int, tile: int, source: int) -> None:
    """Append an event other than a draw or discard; the caller adds its consumed tiles, if any."""
    at = rows.counts[EVENTS]
    rows.events[KIND, at] = kind
    rows.events[SEAT, at] = seat
    rows.events[TILE, at] = tile
    rows.events[FROM, at] = source
    rows.events[TSUMOGIRI, at] = -1
    for i in range(3):
        rows.consumed[at, i] = NO_TILE
    rows.counts[EVENTS] = at + 1


@inner
def scan_single(element: Element, attribute: int, kind: int, rows: Rows) -> int:
    """Append an event with one number: a further indicator, or the seat of a disconnection."""
    dora = kind == DORA
    number = read_number(element.buf, element.places, attribute, LAST_TILE if dora else 3)
    if number < 0:
        return BAD_TILE if dora else BAD_SEAT
    seat = NO_SEAT if dora else number
    tile: Any = np.int64(CODES[element.plain, number]) if dora else NO_TILE
    put_event(rows, kind, seat, tile, NO_SEAT)
    return FINE


@inner
def scan_call(element: Element, drawn: Array, rows: Rows) -> int:
    """Append a call, kan or kita."""
    meld = element.numbers
    who = read_number(element.buf, element.places, xml.WHO, 3)
    if who < 0:
        return BAD_SEAT
    bits = read_number(element.buf, element.places, xml.M, 0xFFFF)
    kind = decode_meld(bits, who, element.plain, meld)
    if kind < 0:
        return BAD_MELD
    event = rows.counts[EVENTS]
    put_event(rows, kind, who, meld[MELD_TILE], meld[MELD_FROM])
    for i in range(3):
        rows.consumed[event, i] = meld[MELD_CONSUMED + i]
    drawn[who] = -1
    return FINE


@inner
def scan_reach(element: Element, rows: Rows) -> int:
    """Append a declared (step 1) or accepted (step 2) riichi, with the points stated after it."""
    buf, places, numbers = element.buf, element.places, element.numbers
    who = read_number(buf, places, xml.WHO, 3)
    step = read_number(buf, places, xml.STEP, 2)
    if who < 0:
        return BAD_SEAT
    if step < 1:
        return BAD_NUMBER
    if step == 2 and element.seen >> xml.TEN & 1:
        count = read_numbers(buf, places, xml.TEN, 0, numbers)
        if count != 3 and count != 4:
            return BAD_COUNT
        at = rows.counts[STATED]
        rows.stated[at, 0] = rows.counts[EVENTS]
        for seat in range(4):
            rows.stated[at, 1 + seat] = 100 * numbers[seat] if seat < count else 0
        rows.counts[STATED] = at + 1
    kind = RIICHI if step == 1 else RIICHI_ACCEPTED
    put_event(rows, kind, who, NO_TILE, NO_SEAT)
    return FINE


@inner
def scan_init(element: Element, drawn: Array, game: Array, rows: Rows) -> int:
    """Begin a round. Events before the first deal (a disconnection) belong to the first round."""
    places, counts = element.places, rows.counts
    row = rows.rounds[counts[ROUNDS]]
    status = read_init(element.buf, places, element.seen, element.plain, element.numbers, row)
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
def scan_agari(element: Element, game: Array, rows: Rows) -> int:
    """Append a win and what is recorded about it."""
    buf, places, numbers, seen = element.buf, element.places, element.numbers, element.seen
    counts = rows.counts
    win = rows.wins[counts[WINS]]
    status = read_agari(buf, places, seen, element.plain, win)
    if status == FINE:
        status = read_worth(buf, places, seen, numbers, win)
    if status != FINE:
        return status
    win[W_EVENT] = counts[EVENTS]
    win[W_YAKU_END] = counts[YAKU]
    for attribute in (xml.YAKU, xml.YAKUMAN):
        if seen >> attribute & 1:
            stop, unknown = read_yaku(buf, places, attribute, numbers, win, rows.yaku, counts[YAKU])
            if stop < 0:
                return BAD_NUMBER
            counts[YAKU] = stop
            game[G_UNKNOWN] += unknown
    counts[WINS] += 1
    seat: Any = np.int64(win[W_SEAT])
    tile: Any = np.int64(win[W_TILE])
    source: Any = np.int64(win[W_FROM])
    put_event(rows, WIN, seat, tile, source)
    rows.rounds[counts[ROUNDS] - 1, R_OUTCOME] = OUTCOME_WIN
    read_list(element, xml.OWARI, 1, game, G_RESULT, 16)
    return FINE


@inner
def scan_ryuukyoku(element: Element, game: Array, rows: Rows) -> int:
    """End a round without a win."""
    row = rows.rounds[rows.counts[ROUNDS] - 1]
    status, declarer = read_ryuukyoku(
        element.buf, element.places, element.seen, element.numbers, game[G_PLAYERS], row
    )
    if row[R_OUTCOME] == OUTCOME_UNKNOWN:
        game[G_UNKNOWN] += 1
    put_event(rows, RYUUKYOKU, declarer, NO_TILE, NO_SEAT)
    read_list(element, xml.OWARI, 1, game, G_RESULT, 16)
    return status


@inner
def read_list(
    element: Element, attribute: int, decimals: int, game: Array, column: int, most: int
) -> None:
    """Read a list into a game's row from ``column`` on, and its length into the column before.

    A list that cannot be read counts as absent and is noted.
    """
    if not element.seen >> attribute & 1:
        return
    numbers = element.numbers
    count = read_numbers(element.buf, element.places, attribute, decimals, numbers)
    if count < 0 or count > most:
        game[G_UNKNOWN] += 1
        count = 0
    game[column - 1] = count
    for i in range(count):
        game[column + i] = numbers[i]


@inner
def keep_place(element: Element, attribute: int, game: Array, column: int) -> None:
    """Note where an attribute's value is, if the element has it."""
    if element.seen >> attribute & 1:
        game[column] = element.places[attribute, 0]
        game[column + 1] = element.places[attribute, 1]


@inner
def scan_about(element: Element, tag: int, dealt: bool, game: Array, rows: Rows) -> int:
    """Read an element about the game: ``GO``, ``UN`` or ``SHUFFLE``; ``TAIKYOKU`` has no facts.

    The game type comes once and first, because it says whether there are red fives. ``UN`` names
    the players the first time; later it says which player has come back.
    """
    seen = element.seen
    if tag == xml.GO:
        if dealt or game[G_TYPE] >= 0:
            return NOT_STRICT
        game[G_TYPE] = read_number(element.buf, element.places, xml.TYPE, _TYPES)
        if game[G_TYPE] < 0:
            return BAD_NUMBER
        game[G_CSRULE] = seen >> xml.CSRULE & 1
        keep_place(element, xml.LOBBY, game, G_LOBBY)
    elif tag == xml.SHUFFLE:
        keep_place(element, xml.REF, game, G_REF)
        keep_place(element, xml.SEED, game, G_SEED)
        if seen >> xml.SEED & 1:  # only once per game, so that there is room for the words
            scan_seed(element.buf, game, rows)
    elif tag == xml.UN and game[G_ROSTER]:
        for seat in range(4):
            if seen >> (xml.N0 + seat) & 1 and not seen >> xml.DAN & 1:
                put_event(rows, RECONNECT, seat, NO_TILE, NO_SEAT)
    elif tag == xml.UN:
        game[G_ROSTER] = 1
        for seat in range(4):
            keep_place(element, xml.N0 + seat, game, G_NAMES + 2 * seat)
        keep_place(element, xml.SX, game, G_SEX)
        read_list(element, xml.DAN, 0, game, G_DAN, 4)
        read_list(element, xml.RATE, 2, game, G_RATE, 4)
    return FINE


@inner
def scan_seed(buf: Array, game: Array, rows: Rows) -> None:
    """Decode the words of a seed, if they are base64."""
    start, stop = game[G_SEED], game[G_SEED + 1]
    comma = start
    while comma < stop and buf[comma] != _COMMA:
        comma += 1
    prefix = comma + 1 - len(_BASE64)
    if prefix >= start and starts_with(buf, prefix, stop, _BASE64):
        words = rows.counts[SEEDS]
        end = read_base64(buf, comma + 1, stop, rows.seeds, words)
        if end >= 0:
            game[G_WORDS] = words
            game[G_WORDS + 1] = end
            rows.counts[SEEDS] = end
