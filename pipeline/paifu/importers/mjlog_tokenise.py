"""The tokeniser of mjlog: a buffer of many logs in, arrays of their events out, in one kernel.

:func:`scan` reads each log once from end to end. A log that leaves the strict grammar, or has a
value that cannot be, leaves no rows; its row of the games matrix says where and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from paifu.events import (
    DISCARD,
    DISCONNECT,
    DORA,
    DRAW,
    NO_SEAT,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    WIN,
)
from paifu.importers import mjlog_scan as xml
from paifu.importers.mjlog_scan import (
    ALLOWED,
    BAD_COUNT,
    BAD_MELD,
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    BEFORE_DEAL,
    CODES,
    FINE,
    IN_PLAY,
    LAST_TILE,
    MISSING,
    NO_DEAL,
    NOT_STRICT,
    REQUIRED,
    Array,
    read_attributes,
    read_base64,
    read_name,
    read_number,
    read_numbers,
    read_tile,
    starts_with,
)
from paifu.importers.mjlog_tags import (
    MELD_CONSUMED,
    MELD_FROM,
    MELD_TILE,
    R_EVENTS,
    R_OUTCOME,
    ROUND_COLUMNS,
    W_EVENT,
    W_FROM,
    W_SEAT,
    W_TILE,
    W_YAKU_END,
    WIN_COLUMNS,
    decode_meld,
    read_agari,
    read_init,
    read_ryuukyoku,
    read_worth,
    read_yaku,
)
from paifu.importers.tenhou import NO_AKA
from paifu.kernels import njit
from paifu.tiles import NO_TILE

# --- columns of a game's row --------------------------------------------------------------------
(
    G_STATUS, G_POSITION, G_FIRST_ROUND, G_ROUNDS_END, G_FIRST_EVENT, G_PLAYERS, G_TYPE, G_UNKNOWN,
    G_CSRULE, G_ROSTER,
) = range(10)  # fmt: skip
G_DAN, G_RATE, G_RESULT = 11, 16, 21
"""Ranks; rates in hundredths; ``owari`` in tenths: (points in hundreds, result) by seat, then, in
chip lobbies, (chips, change) by seat. The column before each list has its length."""
G_NAMES, G_LOBBY, G_SEX, G_REF, G_SEED, G_WORDS = 37, 45, 47, 49, 51, 53
"""Where texts begin and end: four names, lobby, sex, ref and seed in the buffer, and the decoded
words of the seed in ``Rows.seeds``."""
GAME_COLUMNS = 55

# --- rows of the events matrix ------------------------------------------------------------------
KIND, SEAT, TILE, FROM, TSUMOGIRI = range(5)

# --- how many rows of each output are used ------------------------------------------------------
EVENTS, ROUNDS, WINS, YAKU, STATED, SEEDS = range(6)

ROOT = b'<mjloggm ver="2.3">'
END = b"</mjloggm>"
_ROOT = np.frombuffer(ROOT, dtype=np.uint8)
_END = np.frombuffer(END, dtype=np.uint8)
_BASE64 = np.frombuffer(b"base64,", dtype=np.uint8)
_LESS, _SLASH, _SPACE, _GREATER, _COMMA = (ord(c) for c in "</ >,")
_NEWLINE, _RETURN, _TAB = (ord(c) for c in "\n\r\t")
_TYPES = 0xFFFFFF
_ZERO, _NINE, _DRAWS, _DISCARDS = (ord(c) for c in "09TD")

# Fewest bytes an element of each kind takes, which bounds how many a buffer can hold.
_EVENT_BYTES = len("<T1/>")
_ROUND_BYTES = len('<INIT seed="0,0,0,0,0,0" ten="0,0,0" oya="0" hai0=""/>')
_WIN_BYTES = len('<AGARI machi="0" who="0" fromWho="0"/>')
_YAKU_BYTES = len("0,")
_STATED_BYTES = len('<REACH who="0" ten="0,0,0" step="2"/>')


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


def scan(texts: Sequence[bytes]) -> tuple[bytes, Rows]:
    """Tokenise logs; return them joined, as the rows' places mean them, and the rows."""
    text = b"".join([*texts, bytes(xml.PADDING)])
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in texts], out=offsets[1:])
    size = len(text)
    events = size // _EVENT_BYTES + 1
    rows = Rows(
        games=np.zeros((len(texts), GAME_COLUMNS), dtype=np.int64),
        events=np.empty((5, events), dtype=np.int8),
        consumed=np.empty((events, 3), dtype=np.int8),
        rounds=np.empty((size // _ROUND_BYTES + 1, ROUND_COLUMNS), dtype=np.int32),
        wins=np.empty((size // _WIN_BYTES + 1, WIN_COLUMNS), dtype=np.int32),
        yaku=np.empty((size // _YAKU_BYTES + 1, 2), dtype=np.int16),
        stated=np.empty((size // _STATED_BYTES + 1, 5), dtype=np.int64),
        seeds=np.empty(size, dtype=np.uint8),
        counts=np.zeros(6, dtype=np.int64),
    )
    places = np.zeros((len(xml.ATTRIBUTES), 2), dtype=np.int64)
    numbers, drawn, before = (np.zeros(size, dtype=np.int64) for size in (64, 4, len(rows.counts)))
    buf = np.frombuffer(text, dtype=np.uint8)
    scan_logs(buf, offsets, *rows, places, numbers, drawn, before)
    return text, rows


@njit
def scan_logs(
    buf: Array, offsets: Array, games: Array, events: Array, consumed: Array, rounds: Array,
    wins: Array, yaku: Array, stated: Array, seeds: Array, counts: Array, places: Array,
    numbers: Array, drawn: Array, before: Array,
) -> None:  # fmt: skip
    """Tokenise every log; undo what a log wrote where it turns out not to be readable.

    Room to work in comes from outside: ``places`` for where an element's values lie, ``numbers``
    for lists, ``drawn`` for the tile id each seat has just drawn, ``before`` for the way back.
    """
    for index in range(len(offsets) - 1):
        for output in range(len(counts)):
            before[output] = counts[output]
        game = games[index]
        game[G_FIRST_ROUND] = counts[ROUNDS]
        game[G_FIRST_EVENT] = counts[EVENTS]
        game[G_TYPE] = -1
        status, position = scan_log(
            buf, offsets[index], offsets[index + 1], game, events, consumed, rounds, wins, yaku,
            stated, seeds, counts, places, numbers, drawn,
        )  # fmt: skip
        if status != FINE:
            for output in range(len(counts)):
                counts[output] = before[output]
        game[G_STATUS] = status
        game[G_POSITION] = position - offsets[index]
        game[G_ROUNDS_END] = counts[ROUNDS]


@njit
def scan_log(
    buf: Array, start: int, end: int, game: Array, events: Array, consumed: Array, rounds: Array,
    wins: Array, yaku: Array, stated: Array, seeds: Array, counts: Array, places: Array,
    numbers: Array, drawn: Array,
) -> tuple[int, int]:  # fmt: skip
    """Tokenise one log; return (status, position)."""
    if not starts_with(buf, start, end, _ROOT):
        return NOT_STRICT, start
    at = start + len(_ROOT)
    while True:
        dealt = counts[ROUNDS] > game[G_FIRST_ROUND]
        plain = 1 if game[G_TYPE] > 0 and game[G_TYPE] & NO_AKA else 0
        status, after = scan_turns(buf, at, end, plain, drawn, events, consumed, counts)
        if status != FINE or (after > at and not dealt):
            return (status if status != FINE else BEFORE_DEAL), after
        at = after
        if starts_with(buf, at, end, _END):
            if not blank(buf, at + len(_END), end):
                return NOT_STRICT, at
            return (FINE if dealt else NO_DEAL), at
        if at >= end or buf[at] != _LESS:
            return NOT_STRICT, at
        tag, after = read_name(buf, at + 1, end, xml.TAG_TABLE)
        if tag < 0:
            return NOT_STRICT, at
        seen, after = read_attributes(buf, after, end, places)
        if seen < 0 or seen & ~ALLOWED[tag]:
            return NOT_STRICT, at
        if not dealt and IN_PLAY[tag]:
            return BEFORE_DEAL, at
        if seen & REQUIRED[tag] != REQUIRED[tag]:
            return MISSING, at
        if tag == xml.N:
            status = scan_call(buf, places, plain, numbers, drawn, events, consumed, counts)
        elif tag == xml.REACH:
            status = scan_reach(buf, places, seen, numbers, events, consumed, stated, counts)
        elif tag == xml.DORA:
            status = scan_single(buf, places, xml.HAI, DORA, plain, events, consumed, counts)
        elif tag == xml.BYE:
            status = scan_single(buf, places, xml.WHO, DISCONNECT, plain, events, consumed, counts)
        elif tag == xml.INIT:
            status = scan_init(buf, places, seen, plain, game, numbers, drawn, rounds, counts)
        elif tag == xml.AGARI:
            status = scan_agari(
                buf, places, seen, plain, game, numbers, events, consumed, rounds, wins, yaku,
                counts,
            )  # fmt: skip
        elif tag == xml.RYUUKYOKU:
            status = scan_ryuukyoku(
                buf, places, seen, game, numbers, events, consumed, rounds, counts
            )
        else:
            status = scan_about(
                buf, places, tag, seen, dealt, game, numbers, events, consumed, seeds, counts
            )
        if status != FINE:
            return status, at
        at = after


@njit
def blank(buf: Array, at: int, end: int) -> bool:
    """Tell whether nothing but white space stands from ``at`` to ``end``."""
    for i in range(at, end):
        if buf[i] != _SPACE and buf[i] != _NEWLINE and buf[i] != _RETURN and buf[i] != _TAB:
            return False
    return True


@njit
def scan_turns(
    buf: Array, at: int, end: int, plain: int, drawn: Array, events: Array, consumed: Array,
    counts: Array,
) -> tuple[int, int]:  # fmt: skip
    """Append the draws and discards from ``at`` on, ``<T12/>`` or ``<E103 />``, most of any log.

    Returns (status, position behind them, or of the one that cannot be read). ``drawn`` is the
    tile id each seat has just drawn, or -1: a discard of the same id is a tsumogiri.
    """
    event = counts[EVENTS]
    while at < end and buf[at] == _LESS:
        letter: Any = np.int64(buf[at + 1])
        if not (_DISCARDS <= letter < _DISCARDS + 4 or _DRAWS <= letter < _DRAWS + 4):
            break
        digit: Any = np.int64(buf[at + 2])
        if digit < _ZERO or digit > _NINE:
            break
        tile, after = read_tile(buf, at + 2)
        if buf[after] == _SPACE:
            after += 1
        if buf[after] != _SLASH or buf[after + 1] != _GREATER or after + 2 > end:
            return NOT_STRICT, at
        if tile < 0:
            return BAD_TILE, at
        draw = letter >= _DRAWS
        seat = letter & 3
        events[KIND, event] = DRAW if draw else DISCARD
        events[SEAT, event] = seat
        events[TILE, event] = CODES[plain, tile]
        events[FROM, event] = NO_SEAT
        events[TSUMOGIRI, event] = -1 if draw else (1 if drawn[seat] == tile else 0)
        drawn[seat] = tile if draw else -1
        for i in range(3):
            consumed[event, i] = NO_TILE
        event += 1
        at = after + 2
    counts[EVENTS] = event
    return FINE, at


@njit
def put_event(
    events: Array, consumed: Array, counts: Array, kind: int, seat: int, tile: int, source: int
) -> None:
    """Append an event other than a draw or discard, as yet without consumed tiles."""
    at = counts[EVENTS]
    events[KIND, at] = kind
    events[SEAT, at] = seat
    events[TILE, at] = tile
    events[FROM, at] = source
    events[TSUMOGIRI, at] = -1
    for i in range(3):
        consumed[at, i] = NO_TILE
    counts[EVENTS] = at + 1


@njit
def scan_single(
    buf: Array, places: Array, attribute: int, kind: int, plain: int, events: Array,
    consumed: Array, counts: Array,
) -> int:  # fmt: skip
    """Append an event that is one number: a further indicator, or a disconnection's seat."""
    dora = kind == DORA
    number = read_number(buf, places, attribute, LAST_TILE if dora else 3)
    if number < 0:
        return BAD_TILE if dora else BAD_SEAT
    seat = NO_SEAT if dora else number
    tile: Any = np.int64(CODES[plain, number]) if dora else NO_TILE
    put_event(events, consumed, counts, kind, seat, tile, NO_SEAT)
    return FINE


@njit
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


@njit
def scan_reach(
    buf: Array, places: Array, seen: int, numbers: Array, events: Array, consumed: Array,
    stated: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a riichi declared (step 1) or accepted (step 2), with the points stated after it."""
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


@njit
def scan_init(
    buf: Array, places: Array, seen: int, plain: int, game: Array, numbers: Array, drawn: Array,
    rounds: Array, counts: Array,
) -> int:  # fmt: skip
    """Begin a round. What came before the first deal (a disconnection) belongs to it."""
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


@njit
def scan_agari(
    buf: Array, places: Array, seen: int, plain: int, game: Array, numbers: Array, events: Array,
    consumed: Array, rounds: Array, wins: Array, yaku: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a win and what is recorded of it."""
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


@njit
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


@njit
def read_list(
    buf: Array, places: Array, seen: int, attribute: int, decimals: int, numbers: Array,
    game: Array, column: int, most: int,
) -> None:  # fmt: skip
    """Read a list into a game's row from ``column`` on, and its length into the one before.

    A list that cannot be read is taken for one that is not there, and noted.
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


@njit
def keep_place(game: Array, column: int, places: Array, attribute: int, seen: int) -> None:
    """Note where an attribute's value lies, where the element has it."""
    if seen >> attribute & 1:
        game[column] = places[attribute, 0]
        game[column + 1] = places[attribute, 1]


@njit
def scan_about(
    buf: Array, places: Array, tag: int, seen: int, dealt: bool, game: Array, numbers: Array,
    events: Array, consumed: Array, seeds: Array, counts: Array,
) -> int:  # fmt: skip
    """Read an element about the game: ``GO``, ``UN`` or ``SHUFFLE``; ``TAIKYOKU`` says nothing.

    The game type comes once and first, since it says whether the fives are red. ``UN`` names the
    players the first time; later it says who has come back.
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


@njit
def scan_seed(buf: Array, game: Array, seeds: Array, counts: Array) -> None:
    """Decode the words of a seed, where they are base64."""
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
