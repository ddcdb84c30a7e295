"""The tokeniser of mjlog: one kernel that turns a buffer of many logs into arrays of events.

:func:`scan` reads each log once from end to end. A log that does not follow the strict grammar, or
has an impossible value, gives no rows; its row of the games matrix says where and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paifu.formats.mjlog import grammar as xml
from paifu.formats.mjlog.elements import (
    EVENTS,
    FROM,
    G_FIRST_EVENT,
    G_FIRST_ROUND,
    G_POSITION,
    G_ROUNDS_END,
    G_STATUS,
    G_TYPE,
    GAME_COLUMNS,
    KIND,
    ROUNDS,
    SEAT,
    TILE,
    TSUMOGIRI,
    Element,
    Rows,
    scan_about,
    scan_agari,
    scan_call,
    scan_init,
    scan_reach,
    scan_ryuukyoku,
    scan_single,
)
from paifu.formats.mjlog.grammar import (
    ALLOWED,
    BAD_TILE,
    BEFORE_DEAL,
    CODES,
    FINE,
    IN_PLAY,
    IS_DIGIT,
    MISSING,
    NO_DEAL,
    NOT_STRICT,
    REQUIRED,
    Array,
    byte,
    read_attributes,
    read_name,
    read_tile,
    starts_with,
)
from paifu.formats.mjlog.tags import ROUND_COLUMNS, WIN_COLUMNS
from paifu.formats.tenhou import NO_AKA
from paifu.game.events import DISCARD, DISCONNECT, DORA, DRAW, NO_SEAT
from paifu.game.tiles import NO_TILE
from paifu.kernels.compiling import inner, njit

ROOT = b'<mjloggm ver="2.3">'
END = b"</mjloggm>"
_ROOT = np.frombuffer(ROOT, dtype=np.uint8)
_END = np.frombuffer(END, dtype=np.uint8)
_LESS, _SLASH, _GREATER = (ord(c) for c in "</>")
_BLANK = np.zeros(256, dtype=np.bool_)
_BLANK[[ord(c) for c in " \n\r\t"]] = True
_TURN = np.full(256, -1, dtype=np.int8)
"""Kind of event by the letter of a turn's element; there is one letter for each seat."""
_TURN[[ord(c) for c in "TUVW"]] = DRAW
_TURN[[ord(c) for c in "DEFG"]] = DISCARD

# The fewest bytes of an element of each kind, which limit how many a buffer can have.
_EVENT_BYTES = len("<T1/>")
_ROUND_BYTES = len('<INIT seed="0,0,0,0,0,0" ten="0,0,0" oya="0" hai0=""/>')
_WIN_BYTES = len('<AGARI machi="0" who="0" fromWho="0"/>')
_YAKU_BYTES = len("0,")
_STATED_BYTES = len('<REACH who="0" ten="0,0,0" step="2"/>')


def scan(texts: Sequence[bytes]) -> tuple[bytes, Rows]:
    """Tokenise logs; return the joined logs, to which the rows' places refer, and the rows."""
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
    sizes = (64, 4, len(rows.counts))
    room = _Room(
        np.zeros((len(xml.ATTRIBUTES), 2), dtype=np.int64),
        *(np.zeros(size, dtype=np.int64) for size in sizes),
    )
    scan_logs(np.frombuffer(text, dtype=np.uint8), offsets, rows, room)
    return text, rows


class _Room(NamedTuple):
    """Arrays to work in."""

    places: Array
    """int64[ATTRIBUTES, 2]: where an element's values lie."""
    numbers: Array
    """int64[64]: a list."""
    drawn: Array
    """int64[4]: tile id that each seat has just drawn, or -1."""
    before: Array
    """int64[6]: the counts before a log, for undoing."""


@njit
def scan_logs(buf: Array, offsets: Array, rows: Rows, room: _Room) -> None:
    """Tokenise every log; if a log turns out to be unreadable, undo what it wrote."""
    counts = rows.counts
    for index in range(len(offsets) - 1):
        for output in range(len(counts)):
            room.before[output] = counts[output]
        game = rows.games[index]
        game[G_FIRST_ROUND] = counts[ROUNDS]
        game[G_FIRST_EVENT] = counts[EVENTS]
        game[G_TYPE] = -1
        status, position = scan_log(buf, offsets[index], offsets[index + 1], game, rows, room)
        if status != FINE:
            for output in range(len(counts)):
                counts[output] = room.before[output]
        game[G_STATUS] = status
        game[G_POSITION] = position - offsets[index]
        game[G_ROUNDS_END] = counts[ROUNDS]


@inner
def scan_log(
    buf: Array, start: int, end: int, game: Array, rows: Rows, room: _Room
) -> tuple[int, int]:
    """Tokenise one log; return (status, position)."""
    if not starts_with(buf, start, end, _ROOT):
        return NOT_STRICT, start
    at = start + len(_ROOT)
    while True:
        at = after_blank(buf, at, end)
        dealt = rows.counts[ROUNDS] > game[G_FIRST_ROUND]
        plain = 1 if game[G_TYPE] > 0 and game[G_TYPE] & NO_AKA else 0
        status, after = scan_turns(buf, at, end, plain, room.drawn, rows)
        if status != FINE or (after > at and not dealt):
            return (status if status != FINE else BEFORE_DEAL), after
        at = after
        if starts_with(buf, at, end, _END):
            if after_blank(buf, at + len(_END), end) < end:
                return NOT_STRICT, at
            return (FINE if dealt else NO_DEAL), at
        if at >= end or buf[at] != _LESS:
            return NOT_STRICT, at
        tag, after = read_name(buf, at + 1, end, xml.TAG_TABLE)
        if tag < 0:
            return NOT_STRICT, at
        seen, after = read_attributes(buf, after, end, room.places)
        element = Element(buf, room.places, seen, plain, room.numbers)
        status = _status_of(tag, seen, dealt)
        if status == FINE:
            status = scan_element(element, tag, dealt, game, rows, room.drawn)
        if status != FINE:
            return status, at
        at = after


@inner
def _status_of(tag: int, seen: int, dealt: bool) -> int:
    """Return ``FINE`` if an element may stand here and has the attributes it needs."""
    if seen < 0 or seen & ~ALLOWED[tag]:
        return NOT_STRICT
    if not dealt and IN_PLAY[tag]:
        return BEFORE_DEAL
    return FINE if seen & REQUIRED[tag] == REQUIRED[tag] else MISSING


@inner
def scan_element(
    element: Element, tag: int, dealt: bool, game: Array, rows: Rows, drawn: Array
) -> int:
    """Add what an element says to the rows."""
    if tag == xml.N:
        return scan_call(element, drawn, rows)
    if tag == xml.REACH:
        return scan_reach(element, rows)
    if tag == xml.DORA:
        return scan_single(element, xml.HAI, DORA, rows)
    if tag == xml.BYE:
        return scan_single(element, xml.WHO, DISCONNECT, rows)
    if tag == xml.INIT:
        return scan_init(element, drawn, game, rows)
    if tag == xml.AGARI:
        return scan_agari(element, game, rows)
    if tag == xml.RYUUKYOKU:
        return scan_ryuukyoku(element, game, rows)
    return scan_about(element, tag, dealt, game, rows)


@inner
def after_blank(buf: Array, at: int, end: int) -> int:
    """Return the first place from ``at`` on that is not white space, or ``end``."""
    while at < end and _BLANK[byte(buf, at)]:
        at += 1
    return at


@inner
def is_turn(buf: Array, at: int, end: int) -> bool:
    """Return whether a draw or discard begins at ``at``."""
    return (
        at < end
        and byte(buf, at) == _LESS
        and _TURN[byte(buf, at + 1)] >= 0
        and IS_DIGIT[byte(buf, at + 2)] != 0
    )


@inner
def scan_turns(
    buf: Array, at: int, end: int, plain: int, drawn: Array, rows: Rows
) -> tuple[int, int]:
    """Append the draws and discards from ``at`` on, ``<T12/>`` or ``<E103 />``: most of a log.

    Returns (status, position after them, or of the turn that cannot be read). ``drawn`` is the tile
    id that each seat has just drawn, or -1: a discard of the same id is a tsumogiri.
    """
    status = FINE
    events, consumed, counts = rows.events, rows.consumed, rows.counts
    first = counts[EVENTS]
    event = first
    while status == FINE and is_turn(buf, at, end):
        letter = byte(buf, at + 1)
        tile, after = read_tile(buf, at + 2)
        after = after_blank(buf, after, end)
        if byte(buf, after) != _SLASH or byte(buf, after + 1) != _GREATER or after + 2 > end:
            status = NOT_STRICT
        elif tile < 0:
            status = BAD_TILE
        else:
            seat = letter & 3
            drew = _TURN[letter] == DRAW
            place = np.uint64(event)
            events[KIND, place] = _TURN[letter]
            events[SEAT, place] = seat
            events[TILE, place] = CODES[plain, tile]
            events[TSUMOGIRI, place] = -1 if drew else np.int64(drawn[seat] == tile)
            drawn[seat] = tile if drew else -1
            event += 1
            at = after_blank(buf, after + 2, end)
    for put in range(first, event):
        events[FROM, put] = NO_SEAT
        for i in range(3):
            consumed[put, i] = NO_TILE
    counts[EVENTS] = event
    return status, at
