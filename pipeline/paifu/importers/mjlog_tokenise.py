"""The tokeniser of mjlog: a buffer of many logs in, arrays of their events out, in one kernel.

:func:`scan` reads each log once from end to end. A log that leaves the strict grammar, or has a
value that cannot be, leaves no rows; its row of the games matrix says where and why.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

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
    LAST_TILE,
    MISSING,
    NO_DEAL,
    NOT_STRICT,
    Array,
    read_attributes,
    read_base64,
    read_number,
    read_numbers,
    read_tag,
    starts_with,
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
from paifu.importers.tenhou import NO_AKA
from paifu.kernels import njit
from paifu.tiles import NO_TILE

# --- columns of a game's row --------------------------------------------------------------------
(
    G_STATUS, G_POSITION, G_FIRST_ROUND, G_ROUNDS_END, G_FIRST_EVENT, G_PLAYERS, G_TYPE, G_UNKNOWN,
    G_CSRULE, G_ROSTER, G_DANS, G_RATES, G_RESULTS,
) = range(13)  # fmt: skip
"""``G_DANS``, ``G_RATES``, ``G_RESULTS``: how many numbers the lists below were given as."""
G_DAN, G_RATE, G_RESULT = 16, 20, 24
"""Ranks; rates in hundredths; ``owari`` in tenths: (points in hundreds, result) by seat, then, in
chip lobbies, (chips, change) by seat."""
G_NAMES, G_LOBBY, G_SEX, G_REF, G_SEED, G_WORDS = 40, 48, 50, 52, 54, 56
"""Where texts begin and end: four names, lobby, sex, ref and seed in the buffer, and the decoded
words of the seed in ``Rows.seeds``."""
GAME_COLUMNS = 58

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
_BLANK = np.zeros(256, dtype=np.bool_)
_BLANK[[9, 10, 13, 32]] = True
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


def scan(buf: Array, offsets: Array) -> Rows:
    """Tokenise the logs ``buf[offsets[g]:offsets[g + 1]]`` (uint8[N], int64[G + 1])."""
    size = len(buf)
    events = size // _EVENT_BYTES + 1
    rows = Rows(
        games=np.zeros((len(offsets) - 1, GAME_COLUMNS), dtype=np.int64),
        events=np.empty((5, events), dtype=np.int8),
        consumed=np.empty((events, 3), dtype=np.int8),
        rounds=np.empty((size // _ROUND_BYTES + 1, ROUND_COLUMNS), dtype=np.int32),
        wins=np.empty((size // _WIN_BYTES + 1, WIN_COLUMNS), dtype=np.int32),
        yaku=np.empty((size // _YAKU_BYTES + 1, 2), dtype=np.int16),
        stated=np.empty((size // _STATED_BYTES + 1, 5), dtype=np.int64),
        seeds=np.empty(size, dtype=np.uint8),
        counts=np.zeros(6, dtype=np.int64),
    )
    scan_logs(buf, offsets, *rows)
    return rows


@njit
def scan_logs(
    buf: Array, offsets: Array, games: Array, events: Array, consumed: Array, rounds: Array,
    wins: Array, yaku: Array, stated: Array, seeds: Array, counts: Array,
) -> None:  # fmt: skip
    """Tokenise every log; undo what a log wrote where it turns out not to be readable."""
    places = np.zeros((len(xml.ATTRIBUTES), 2), dtype=np.int64)
    numbers = np.zeros(64, dtype=np.int64)
    meld = np.zeros(MELD_COLUMNS, dtype=np.int64)
    drawn = np.zeros(4, dtype=np.int64)
    before = np.zeros(len(counts), dtype=np.int64)
    for index in range(len(offsets) - 1):
        for output in range(len(counts)):
            before[output] = counts[output]
        game = games[index]
        game[G_FIRST_ROUND] = counts[ROUNDS]
        game[G_FIRST_EVENT] = counts[EVENTS]
        game[G_TYPE] = -1
        status, position = scan_log(
            buf, offsets[index], offsets[index + 1], game, events, consumed, rounds, wins, yaku,
            stated, seeds, counts, places, numbers, meld, drawn,
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
    numbers: Array, meld: Array, drawn: Array,
) -> tuple[int, int]:  # fmt: skip
    """Tokenise one log; return (status, position)."""
    if not starts_with(buf, start, end, _ROOT):
        return NOT_STRICT, start
    at = start + len(_ROOT)
    while True:
        # Whatever begins here, the tag that ends the log must still fit: ten bytes may be read.
        if end - at < len(_END) or buf[at] != _LESS:
            return NOT_STRICT, at
        if is_turn(buf, at):
            if not dealt(game, counts):
                return BEFORE_DEAL, at
            status, at = scan_turns(buf, at, end, plain_of(game), drawn, events, consumed, counts)
            if status != FINE:
                return status, at
            continue
        if buf[at + 1] == _SLASH:
            return scan_end(buf, at, end, game, counts), at
        tag, after = read_tag(buf, at + 1, end)
        if tag < 0:
            return NOT_STRICT, at
        seen, after = read_attributes(buf, after, end, places)
        if seen < 0 or seen & ~ALLOWED[tag]:
            return NOT_STRICT, at
        if tag == xml.N:
            status = scan_call(buf, places, seen, game, meld, drawn, events, consumed, counts)
        elif tag == xml.REACH:
            status = scan_reach(buf, places, seen, game, numbers, events, consumed, stated, counts)
        elif tag == xml.DORA:
            status = scan_dora(buf, places, seen, game, events, consumed, counts)
        elif tag == xml.INIT:
            status = scan_init(buf, places, seen, game, numbers, drawn, rounds, counts)
        elif tag == xml.AGARI:
            status = scan_agari(
                buf, places, seen, game, numbers, events, consumed, rounds, wins, yaku, counts
            )
        elif tag == xml.RYUUKYOKU:
            status = scan_ryuukyoku(
                buf, places, seen, game, numbers, events, consumed, rounds, counts
            )
        elif tag == xml.BYE:
            status = scan_bye(buf, places, seen, events, consumed, counts)
        elif tag == xml.UN:
            status = scan_un(buf, places, seen, game, numbers, events, consumed, counts)
        elif tag == xml.GO:
            status = scan_go(buf, places, seen, game, counts)
        elif tag == xml.SHUFFLE:
            status = scan_shuffle(buf, places, seen, game, seeds, counts)
        else:
            status = FINE  # TAIKYOKU: the first dealer is always seat 0
        if status != FINE:
            return status, at
        at = after


@njit
def is_turn(buf: Array, at: int) -> bool:
    """Tell whether a draw or discard stands at ``at``: a letter of DEFGTUVW and a digit."""
    letter, digit = buf[at + 1], buf[at + 2]
    if not (_DISCARDS <= letter < _DISCARDS + 4 or _DRAWS <= letter < _DRAWS + 4):
        return False
    return bool(_ZERO <= digit <= _NINE)


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
    while end - at >= len(_END) and buf[at] == _LESS and is_turn(buf, at):
        letter = np.int64(buf[at + 1])
        tile = np.int64(buf[at + 2]) - _ZERO
        after = at + 3
        for _ in range(2):
            digit = np.int64(buf[after]) - _ZERO
            if digit < 0 or digit > 9:
                break
            tile = 10 * tile + digit
            after += 1
        if buf[after] == _SPACE:
            after += 1
        if buf[after] != _SLASH or buf[after + 1] != _GREATER:
            return NOT_STRICT, at
        if tile > LAST_TILE:
            return BAD_TILE, at
        if letter >= _DRAWS:
            seat = letter - _DRAWS
            events[KIND, event] = DRAW
            events[TSUMOGIRI, event] = -1
            drawn[seat] = tile
        else:
            seat = letter - _DISCARDS
            events[KIND, event] = DISCARD
            events[TSUMOGIRI, event] = 1 if drawn[seat] == tile else 0
            drawn[seat] = -1
        events[SEAT, event] = seat
        events[TILE, event] = CODES[plain, tile]
        events[FROM, event] = NO_SEAT
        for i in range(3):
            consumed[event, i] = NO_TILE
        event += 1
        at = after + 2
    counts[EVENTS] = event
    return FINE, at


@njit
def put_event(
    events: Array, consumed: Array, counts: Array, kind: int, seat: int, tile: int, source: int,
    tsumogiri: int,
) -> None:  # fmt: skip
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
def dealt(game: Array, counts: Array) -> bool:
    """Tell whether the game has had its first deal."""
    return counts[ROUNDS] > game[G_FIRST_ROUND]  # type: ignore[no-any-return]


@njit
def plain_of(game: Array) -> int:
    """Return which row of ``CODES`` holds: 1 where the fives with red ids are plain ones."""
    return 1 if game[G_TYPE] > 0 and game[G_TYPE] & NO_AKA else 0


@njit
def keep_place(game: Array, column: int, places: Array, attribute: int, seen: int) -> None:
    """Note where an attribute's value lies, where the element has it."""
    if seen >> attribute & 1:
        game[column] = places[attribute, 0]
        game[column + 1] = places[attribute, 1]


@njit
def expect_list(game: Array, column: int) -> None:
    """Take a list that could not be read for one that is not there, and note it."""
    if game[column] < 0:
        game[column] = 0
        game[G_UNKNOWN] += 1


@njit
def scan_end(buf: Array, at: int, end: int, game: Array, counts: Array) -> int:
    """Return the status of a log at the tag that should end it, with nothing but blanks after."""
    if not starts_with(buf, at, end, _END):
        return NOT_STRICT
    for rest in range(at + len(_END), end):
        if not _BLANK[buf[rest]]:
            return NOT_STRICT
    return FINE if dealt(game, counts) else NO_DEAL


@njit
def scan_init(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, drawn: Array,
    rounds: Array, counts: Array,
) -> int:  # fmt: skip
    """Begin a round. What came before the first deal (a disconnection) belongs to it."""
    row = rounds[counts[ROUNDS]]
    status = read_init(buf, places, seen, plain_of(game), numbers, row)
    if status != FINE:
        return status
    row[R_EVENTS] = counts[EVENTS]
    if not dealt(game, counts):
        row[R_EVENTS] = game[G_FIRST_EVENT]
        game[G_PLAYERS] = players_of(places)
    counts[ROUNDS] += 1
    for seat in range(4):
        drawn[seat] = -1
    return FINE


@njit
def scan_call(
    buf: Array, places: Array, seen: int, game: Array, meld: Array, drawn: Array, events: Array,
    consumed: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a call, kan or kita."""
    if not dealt(game, counts):
        return BEFORE_DEAL
    status, who, kind = read_call(buf, places, seen, plain_of(game), meld)
    if status != FINE:
        return status
    event = counts[EVENTS]
    put_event(events, consumed, counts, kind, who, meld[MELD_TILE], meld[MELD_FROM], -1)
    for i in range(3):
        consumed[event, i] = meld[MELD_CONSUMED + i]
    drawn[who] = -1
    return FINE


@njit
def scan_reach(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, events: Array,
    consumed: Array, stated: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a riichi declared (step 1) or accepted (step 2), with the points stated after it."""
    if not dealt(game, counts):
        return BEFORE_DEAL
    if not (seen >> xml.WHO & 1 and seen >> xml.STEP & 1):
        return MISSING
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
    put_event(events, consumed, counts, kind, who, NO_TILE, NO_SEAT, -1)
    return FINE


@njit
def scan_dora(
    buf: Array, places: Array, seen: int, game: Array, events: Array, consumed: Array,
    counts: Array,
) -> int:  # fmt: skip
    """Append a further dora indicator."""
    if not dealt(game, counts):
        return BEFORE_DEAL
    if not seen >> xml.HAI & 1:
        return MISSING
    tile = read_number(buf, places, xml.HAI, LAST_TILE)
    if tile < 0:
        return BAD_TILE
    code = CODES[plain_of(game), tile]
    put_event(events, consumed, counts, DORA, NO_SEAT, code, NO_SEAT, -1)
    return FINE


@njit
def scan_agari(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, events: Array,
    consumed: Array, rounds: Array, wins: Array, yaku: Array, counts: Array,
) -> int:  # fmt: skip
    """Append a win and what is recorded of it."""
    if not dealt(game, counts):
        return BEFORE_DEAL
    win = wins[counts[WINS]]
    status = read_agari(buf, places, seen, plain_of(game), numbers, win)
    if status != FINE:
        return status
    yaku_end, unknown = read_yaku(buf, places, seen, numbers, win, yaku, counts[YAKU])
    if yaku_end < 0:
        return BAD_NUMBER
    win[W_EVENT] = counts[EVENTS]
    put_event(events, consumed, counts, WIN, win[W_SEAT], win[W_TILE], win[W_FROM], -1)
    game[G_UNKNOWN] += unknown
    counts[YAKU] = yaku_end
    counts[WINS] += 1
    rounds[counts[ROUNDS] - 1, R_OUTCOME] = OUTCOME_WIN
    read_owari(buf, places, seen, game, numbers)
    return FINE


@njit
def scan_ryuukyoku(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, events: Array,
    consumed: Array, rounds: Array, counts: Array,
) -> int:  # fmt: skip
    """End a round without a win."""
    if not dealt(game, counts):
        return BEFORE_DEAL
    row = rounds[counts[ROUNDS] - 1]
    status, declarer = read_ryuukyoku(buf, places, seen, numbers, game[G_PLAYERS], row)
    if status != FINE:
        return status
    put_event(events, consumed, counts, RYUUKYOKU, declarer, NO_TILE, NO_SEAT, -1)
    read_owari(buf, places, seen, game, numbers)
    return FINE


@njit
def read_owari(buf: Array, places: Array, seen: int, game: Array, numbers: Array) -> None:
    """Read the game's final results, where the element has them."""
    if seen >> xml.OWARI & 1:
        count = read_numbers(buf, places, xml.OWARI, 1, numbers)
        game[G_RESULTS] = count if count <= 16 else -1
        for i in range(max(game[G_RESULTS], 0)):
            game[G_RESULT + i] = numbers[i]
        expect_list(game, G_RESULTS)


@njit
def scan_bye(
    buf: Array, places: Array, seen: int, events: Array, consumed: Array, counts: Array
) -> int:
    """Append a disconnection."""
    if not seen >> xml.WHO & 1:
        return MISSING
    who = read_number(buf, places, xml.WHO, 3)
    if who < 0:
        return BAD_SEAT
    put_event(events, consumed, counts, DISCONNECT, who, NO_TILE, NO_SEAT, -1)
    return FINE


@njit
def scan_go(buf: Array, places: Array, seen: int, game: Array, counts: Array) -> int:
    """Read the game type. It comes once and first: it says whether the fives are red."""
    if dealt(game, counts) or game[G_TYPE] >= 0:
        return NOT_STRICT
    if not seen >> xml.TYPE & 1:
        return MISSING
    game[G_TYPE] = read_number(buf, places, xml.TYPE, _TYPES)
    if game[G_TYPE] < 0:
        return BAD_NUMBER
    game[G_CSRULE] = seen >> xml.CSRULE & 1
    keep_place(game, G_LOBBY, places, xml.LOBBY, seen)
    return FINE


@njit
def scan_un(
    buf: Array, places: Array, seen: int, game: Array, numbers: Array, events: Array,
    consumed: Array, counts: Array,
) -> int:  # fmt: skip
    """Read who plays, the first time; later, append who has come back."""
    if game[G_ROSTER]:
        for seat in range(4):
            if seen >> (xml.N0 + seat) & 1 and not seen >> xml.DAN & 1:
                put_event(events, consumed, counts, RECONNECT, seat, NO_TILE, NO_SEAT, -1)
        return FINE
    game[G_ROSTER] = 1
    for seat in range(4):
        keep_place(game, G_NAMES + 2 * seat, places, xml.N0 + seat, seen)
    keep_place(game, G_SEX, places, xml.SX, seen)
    if seen >> xml.DAN & 1:
        game[G_DANS] = read_seats(buf, places, xml.DAN, 0, numbers, game, G_DAN)
    if seen >> xml.RATE & 1:
        game[G_RATES] = read_seats(buf, places, xml.RATE, 2, numbers, game, G_RATE)
    expect_list(game, G_DANS)
    expect_list(game, G_RATES)
    return FINE


@njit
def read_seats(
    buf: Array, places: Array, attribute: int, decimals: int, numbers: Array, game: Array,
    column: int,
) -> int:  # fmt: skip
    """Read a number for each seat into a game's row; return how many, or -1."""
    count = read_numbers(buf, places, attribute, decimals, numbers)
    if count > 4:
        return -1
    for seat in range(count):
        game[column + seat] = numbers[seat]
    return count


@njit
def scan_shuffle(
    buf: Array, places: Array, seen: int, game: Array, seeds: Array, counts: Array
) -> int:
    """Note the seed, its words decoded where they are base64."""
    keep_place(game, G_REF, places, xml.REF, seen)
    keep_place(game, G_SEED, places, xml.SEED, seen)
    start, stop = game[G_SEED], game[G_SEED + 1]
    comma = start
    while comma < stop and buf[comma] != _COMMA:
        comma += 1
    prefix = comma + 1 - len(_BASE64)
    if prefix < start or not starts_with(buf, prefix, stop, _BASE64):
        return FINE
    end = read_base64(buf, comma + 1, stop, seeds, counts[SEEDS])
    if end >= 0:
        game[G_WORDS] = counts[SEEDS]
        game[G_WORDS + 1] = end
        counts[SEEDS] = end
    return FINE
