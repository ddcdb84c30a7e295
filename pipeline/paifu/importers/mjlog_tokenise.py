"""The tokeniser of mjlog: a buffer of many logs in, arrays of their events out, in one kernel.

:func:`scan_logs` reads each log once from end to end. A log that leaves the strict grammar or has a
value that cannot be is undone, and its row of the games matrix says where and why.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from paifu.events import (
    DISCARD,
    DISCONNECT,
    DORA,
    DRAW,
    NO_SEAT,
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
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    BEFORE_DEAL,
    CODES,
    FINE,
    MISSING,
    NO_DEAL,
    NOT_STRICT,
    read_attributes,
    read_name,
    read_number,
    read_numbers,
    tag_of,
)
from paifu.importers.mjlog_tags import (
    MELD_COLUMNS,
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
    WIN_COLUMNS,
    players_of,
    read_agari,
    read_call,
    read_init,
    read_ryuukyoku,
    read_yaku,
)
from paifu.kernels import njit
from paifu.tiles import NO_TILE

# --- columns of a game's row --------------------------------------------------------------------
(
    G_STATUS, G_POSITION, G_ROUNDS, G_PLAYERS, G_TYPE, G_UNKNOWN, G_CSRULE,
) = range(7)  # fmt: skip
GAME_COLUMNS = 7

# --- places of a game's texts in the buffer -----------------------------------------------------
S_LOBBY, S_SEED, S_REF, S_NAMES, S_DAN, S_RATE, S_SEX, S_OWARI = 0, 1, 2, 3, 7, 8, 9, 10
SPANS = 11

# --- rows of the events matrix ------------------------------------------------------------------
KIND, SEAT, TILE, FROM, TSUMOGIRI = range(5)

# --- how many rows each output has so far -------------------------------------------------------
EVENTS, ROUNDS, WINS, YAKU, STATED = range(5)

ROOT = b'<mjloggm ver="2.3">'
END = b"</mjloggm>"
_ROOT = np.frombuffer(ROOT, dtype=np.uint8)
_END = np.frombuffer(END, dtype=np.uint8)
_LESS, _SLASH, _SPACE, _GREATER = (ord(c) for c in "</ >")

# Fewest bytes an element of each kind takes, which bounds how many a buffer can hold.
_EVENT_BYTES = len("<T1/>")
_ROUND_BYTES = len('<INIT seed="0,0,0,0,0,0" ten="0,0,0" oya="0" hai0=""/>')
_WIN_BYTES = len('<AGARI machi="0" who="0" fromWho="0"/>')
_YAKU_BYTES = len("0,")
_STATED_BYTES = len('<REACH who="0" ten="0,0,0" step="2"/>')


@dataclass(slots=True)
class Scanned:
    """What :func:`scan_logs` fills; ``counts`` says how many rows of each are used."""

    games: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    events: npt.NDArray[np.int8]
    consumed: npt.NDArray[np.int8]
    rounds: npt.NDArray[np.int32]
    haipai: npt.NDArray[np.int8]
    wins: npt.NDArray[np.int32]
    yaku: npt.NDArray[np.int16]
    stated: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


def scan(buf: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> Scanned:
    """Tokenise the logs ``buf[offsets[g]:offsets[g + 1]]`` (uint8[N], int64[G + 1])."""
    games, size = len(offsets) - 1, len(buf)
    out = Scanned(
        games=np.zeros((games, GAME_COLUMNS), dtype=np.int64),
        spans=np.zeros((games, SPANS, 2), dtype=np.int64),
        events=np.empty((5, size // _EVENT_BYTES + 1), dtype=np.int8),
        consumed=np.empty((size // _EVENT_BYTES + 1, 3), dtype=np.int8),
        rounds=np.empty((size // _ROUND_BYTES + 1, ROUND_COLUMNS), dtype=np.int32),
        haipai=np.empty((size // _ROUND_BYTES + 1, 4, 13), dtype=np.int8),
        wins=np.empty((size // _WIN_BYTES + 1, WIN_COLUMNS), dtype=np.int32),
        yaku=np.empty((size // _YAKU_BYTES + 1, 2), dtype=np.int16),
        stated=np.empty((size // _STATED_BYTES + 1, 5), dtype=np.int64),
        counts=np.zeros(5, dtype=np.int64),
    )
    scan_logs(
        buf, offsets, out.games, out.spans, out.events, out.consumed, out.rounds, out.haipai,
        out.wins, out.yaku, out.stated, out.counts,
    )  # fmt: skip
    return out


@njit
def scan_logs(  # type: ignore[no-untyped-def]
    buf, offsets, games, spans, events, consumed, rounds, haipai, wins, yaku, stated, counts
):
    """Tokenise every log; undo what a log wrote where it turns out not to be readable."""
    starts = np.zeros(64, dtype=np.int64)
    stops = np.zeros(64, dtype=np.int64)
    numbers = np.zeros(64, dtype=np.int64)
    before = np.zeros_like(counts)
    for game in range(len(offsets) - 1):
        before[:] = counts
        status, position = scan_log(
            buf, offsets[game], offsets[game + 1], games[game], spans[game], events, consumed,
            rounds, haipai, wins, yaku, stated, counts, starts, stops, numbers,
        )  # fmt: skip
        if status != FINE:
            counts[:] = before
        games[game, G_STATUS] = status
        games[game, G_POSITION] = position - offsets[game]
        games[game, G_ROUNDS] = counts[ROUNDS]


@njit
def starts_with(buf, at, end, text):  # type: ignore[no-untyped-def]
    """Tell whether ``text`` stands at ``at``."""
    if end - at < len(text):
        return False
    for i in range(len(text)):
        if buf[at + i] != text[i]:
            return False
    return True


@njit
def put_event(events, consumed, counts, kind, seat, tile, source, tsumogiri):  # type: ignore[no-untyped-def]
    """Append an event without consumed tiles."""
    at = counts[EVENTS]
    events[KIND, at] = kind
    events[SEAT, at] = seat
    events[TILE, at] = tile
    events[FROM, at] = source
    events[TSUMOGIRI, at] = tsumogiri
    for i in range(3):
        consumed[at, i] = NO_TILE
    counts[EVENTS] = at + 1


@njit
def read_turn(buf, at):  # type: ignore[no-untyped-def]
    """Read ``<T12/>`` or ``<E103 />``, of which the first digit has been seen.

    Returns (seat, whether it is a draw, tile id, position behind it), the tile id -1 if it is not
    written so. Eight bytes from ``at`` on must be there.
    """
    letter = np.int64(buf[at + 1])
    draw = letter >= 84  # T U V W, after D E F G
    seat = letter - 84 if draw else letter - 68
    tile = np.int64(buf[at + 2]) - 48
    at += 3
    for _ in range(2):
        digit = np.int64(buf[at]) - 48
        if digit < 0 or digit > 9:
            break
        tile = 10 * tile + digit
        at += 1
    if buf[at] == _SPACE:
        at += 1
    if buf[at] != _SLASH or buf[at + 1] != _GREATER:
        return seat, draw, -1, at
    return seat, draw, tile, at + 2


@njit
def is_turn(buf, at):  # type: ignore[no-untyped-def]
    """Tell whether a draw or discard stands at ``at``: a letter of DEFGTUVW and a digit."""
    letter = buf[at + 1]
    digit = buf[at + 2]
    return (68 <= letter <= 71 or 84 <= letter <= 87) and 48 <= digit <= 57


@njit
def scan_log(  # type: ignore[no-untyped-def]
    buf, start, end, game, spans, events, consumed, rounds, haipai, wins, yaku, stated, counts,
    starts, stops, numbers,
):  # fmt: skip
    """Tokenise one log; return (status, position)."""
    if not starts_with(buf, start, end, _ROOT):
        return NOT_STRICT, start
    at = start + len(_ROOT)
    first_round = counts[ROUNDS]
    first_event = counts[EVENTS]
    drawn = np.full(4, -1, dtype=np.int64)
    meld = np.empty(MELD_COLUMNS, dtype=np.int64)
    codes = CODES[0]
    players = 4
    game[G_TYPE] = -1
    roster = False
    while True:
        if end - at < len(_END) or buf[at] != _LESS:
            return NOT_STRICT, at
        if is_turn(buf, at):
            if counts[ROUNDS] == first_round:
                return BEFORE_DEAL, at
            seat, draw, tile, after = read_turn(buf, at)
            if tile < 0 or tile > 135:
                return (NOT_STRICT if tile < 0 else BAD_TILE), at
            if draw:
                put_event(events, consumed, counts, DRAW, seat, codes[tile], NO_SEAT, -1)
                drawn[seat] = tile
            else:
                tsumogiri = 1 if drawn[seat] == tile else 0
                put_event(events, consumed, counts, DISCARD, seat, codes[tile], NO_SEAT, tsumogiri)
                drawn[seat] = -1
            at = after
            continue
        if buf[at + 1] == _SLASH:
            if not starts_with(buf, at, end, _END):
                return NOT_STRICT, at
            for rest in range(at + len(_END), end):
                if buf[rest] not in (9, 10, 13, 32):
                    return NOT_STRICT, rest
            return (FINE if counts[ROUNDS] > first_round else NO_DEAL), at
        key, after = read_name(buf, at + 1, end)
        tag = tag_of(key)
        if tag < 0:
            return NOT_STRICT, at
        seen, after = read_attributes(buf, after, end, starts, stops)
        if seen < 0 or seen & ~ALLOWED[tag]:
            return NOT_STRICT, after if seen < 0 else at
        in_round = counts[ROUNDS] > first_round
        row = rounds[counts[ROUNDS] - 1] if in_round else rounds[counts[ROUNDS]]

        if tag == xml.N:
            if not in_round:
                return BEFORE_DEAL, at
            status, who, kind = read_call(buf, starts, stops, seen, codes, numbers, meld)
            if status != FINE:
                return status, at
            event = counts[EVENTS]
            put_event(events, consumed, counts, kind, who, meld[MELD_TILE], meld[MELD_FROM], -1)
            for i in range(3):
                consumed[event, i] = meld[MELD_CONSUMED + i]
            drawn[who] = -1
        elif tag == xml.REACH:
            if not in_round:
                return BEFORE_DEAL, at
            status = _scan_reach(
                buf, starts, stops, seen, numbers, events, consumed, stated, counts
            )
            if status != FINE:
                return status, at
        elif tag == xml.DORA:
            tile = read_number(buf, starts[xml.HAI], stops[xml.HAI], 0, 135, numbers)
            if not in_round or not seen >> xml.HAI & 1 or tile < 0:
                return (BAD_TILE if in_round else BEFORE_DEAL), at
            put_event(events, consumed, counts, DORA, NO_SEAT, codes[tile], NO_SEAT, -1)
        elif tag == xml.INIT:
            row = rounds[counts[ROUNDS]]
            hands = haipai[counts[ROUNDS]]
            status = read_init(buf, starts, stops, seen, codes, numbers, row, hands)
            if status != FINE:
                return status, at
            row[R_EVENTS] = counts[EVENTS] if in_round else first_event
            players = players_of(seen, starts, stops)
            if not in_round:
                game[G_PLAYERS] = players
            counts[ROUNDS] += 1
            drawn[:] = -1
        elif tag == xml.AGARI:
            if not in_round:
                return BEFORE_DEAL, at
            win = wins[counts[WINS]]
            status = read_agari(buf, starts, stops, seen, codes, numbers, win)
            if status != FINE:
                return status, at
            yaku_end, unknown = read_yaku(
                buf, starts, stops, seen, numbers, win, yaku, counts[YAKU]
            )
            if yaku_end < 0:
                return BAD_NUMBER, at
            game[G_UNKNOWN] += unknown
            counts[YAKU] = yaku_end
            win[W_EVENT] = counts[EVENTS]
            counts[WINS] += 1
            put_event(events, consumed, counts, WIN, win[W_SEAT], win[W_TILE], win[W_FROM], -1)
            row[R_OUTCOME] = OUTCOME_WIN
        elif tag == xml.RYUUKYOKU:
            if not in_round:
                return BEFORE_DEAL, at
            status, declarer = read_ryuukyoku(buf, starts, stops, seen, numbers, players, row)
            if status != FINE:
                return status, at
            put_event(events, consumed, counts, RYUUKYOKU, declarer, NO_TILE, NO_SEAT, -1)
        elif tag == xml.BYE:
            who = read_number(buf, starts[xml.WHO], stops[xml.WHO], 0, 3, numbers)
            if not seen >> xml.WHO & 1 or who < 0:
                return BAD_SEAT, at
            put_event(events, consumed, counts, DISCONNECT, who, NO_TILE, NO_SEAT, -1)
        elif tag == xml.UN:
            if not roster:
                roster = True
                for seat in range(4):
                    keep_span(spans, S_NAMES + seat, seen, xml.N0 + seat, starts, stops)
                keep_span(spans, S_DAN, seen, xml.DAN, starts, stops)
                keep_span(spans, S_RATE, seen, xml.RATE, starts, stops)
                keep_span(spans, S_SEX, seen, xml.SX, starts, stops)
            elif not seen >> xml.DAN & 1:
                for seat in range(4):
                    if seen >> (xml.N0 + seat) & 1:
                        put_event(events, consumed, counts, RECONNECT, seat, NO_TILE, NO_SEAT, -1)
        elif tag == xml.GO:
            if in_round or game[G_TYPE] >= 0:
                return NOT_STRICT, at
            if not seen >> xml.TYPE & 1:
                return MISSING, at
            game[G_TYPE] = read_number(buf, starts[xml.TYPE], stops[xml.TYPE], 0, 0xFFFFFF, numbers)
            if game[G_TYPE] < 0:
                return BAD_NUMBER, at
            codes = CODES[1 if game[G_TYPE] & 2 else 0]
            game[G_CSRULE] = seen >> xml.CSRULE & 1
            keep_span(spans, S_LOBBY, seen, xml.LOBBY, starts, stops)
        elif tag == xml.SHUFFLE:
            keep_span(spans, S_SEED, seen, xml.SEED, starts, stops)
            keep_span(spans, S_REF, seen, xml.REF, starts, stops)
        if tag in (xml.AGARI, xml.RYUUKYOKU):
            keep_span(spans, S_OWARI, seen, xml.OWARI, starts, stops)
        at = after


@njit
def keep_span(spans, span, seen, attribute, starts, stops):  # type: ignore[no-untyped-def]
    """Note where an attribute's value lies, where the element has it."""
    if seen >> attribute & 1:
        spans[span, 0] = starts[attribute]
        spans[span, 1] = stops[attribute]


@njit
def _scan_reach(buf, starts, stops, seen, numbers, events, consumed, stated, counts):  # type: ignore[no-untyped-def]
    """Append a riichi declared (step 1) or accepted (step 2), with the points stated after it."""
    if not (seen >> xml.WHO & 1 and seen >> xml.STEP & 1):
        return MISSING
    who = read_number(buf, starts[xml.WHO], stops[xml.WHO], 0, 3, numbers)
    if who < 0:
        return BAD_SEAT
    step = read_number(buf, starts[xml.STEP], stops[xml.STEP], 1, 2, numbers)
    if step < 1:
        return BAD_NUMBER
    if step == 2 and seen >> xml.TEN & 1:
        count = read_numbers(buf, starts[xml.TEN], stops[xml.TEN], numbers)
        if count != 3 and count != 4:
            return BAD_COUNT
        row = stated[counts[STATED]]
        row[0] = counts[EVENTS]
        for seat in range(4):
            row[1 + seat] = 100 * numbers[seat] if seat < count else 0
        counts[STATED] += 1
    kind = RIICHI if step == 1 else RIICHI_ACCEPTED
    put_event(events, consumed, counts, kind, who, NO_TILE, NO_SEAT, -1)
    return FINE
