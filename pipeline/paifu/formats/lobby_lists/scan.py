"""Reads the lines of Tenhou's lobby lists in one pass over their bytes.

A line is ``23:00 | 30 | 四鳳南喰赤－ | <a href="…?log=ID">牌譜</a> | name(+59.0) name(…) …<br>``;
the lobby may come first, minutes and address may be missing, chips may follow a result. Names may
have spaces and brackets, so players are found from the right, by their results. Each line becomes a
row of numbers (the columns below), the text of its log id, and a name and result for each player.
"""

from __future__ import annotations

import numpy as np

from paifu.game.events import Array
from paifu.game.fingerprint import finished
from paifu.kernels.compiling import inner, inner_allocating, njit
from paifu.kernels.digits import ZERO, is_digit, read_digits
from paifu.kernels.fnv import BASIS, fold_bytes

# --- columns of a line's row --------------------------------------------------------------------
(
    STATUS, LINE, START, DATE, MINUTE, RULE_START, RULE_END, RULE_HASH, LOBBY_START, LOBBY_END,
    LOBBY_HASH, GO_TYPE, PLAYERS, LIST_KEY, GAME_ID, LASTED,
) = range(16)  # fmt: skip
COLUMNS = 16

# --- what a line is -----------------------------------------------------------------------------
GAME, NO_TIME, NO_RULE, NO_PLAYERS = range(4)

NO_CHIPS = -(2**15)
NO_TYPE = -1
MAX_PLAYERS = 4
_LONGEST_RESULT = 32
_WHOLE_DIGITS, _CHIP_DIGITS = 6, 4
_CHIP_BYTES = len("枚".encode())
_ID_BYTES = 40
_NEWLINE, _SPACE, _BAR, _OPEN, _CLOSE, _COLON = 10, 32, 124, 40, 41, 58
_MINUS, _PLUS, _POINT, _COMMA, _AMPERSAND, _SEMICOLON, _LESS = 45, 43, 46, 44, 38, 59, 60
_FOUR_PLAYERS, _THREE_PLAYERS = 0xE59B9B, 0xE4B889
"""The bytes of 四 and 三, which begin a rule text."""
_LOG = np.frombuffer(b"log=", dtype=np.uint8)
_ENTITIES = np.frombuffer(b"amp;&lt;<gt;>quot;\"#39;'", dtype=np.uint8)
"""HTML's escapes, each followed by its character."""


@inner
def _number(data: Array, first: int, last: int) -> int:
    """Return the decimal number in ``data[first:last]``; -1 if it is not a number."""
    if first >= last or last - first > 9:
        return -1
    value, after = read_digits(data, first, last)
    return value if after == last else -1


@inner
def _field_end(data: Array, first: int, last: int) -> int:
    """Return where the field that begins at ``first`` ends: at `` | ``; -1 if there is none."""
    for i in range(first, last - 2):
        if data[i] == _SPACE and data[i + 1] == _BAR and data[i + 2] == _SPACE:
            return i
    return -1


@inner
def _read_sign(data: Array, at: int) -> tuple[int, int]:
    """Return the sign at ``at`` (1 if there is none), and where the number begins."""
    if data[at] == _MINUS:
        return -1, at + 1
    return 1, at + (data[at] == _PLUS)


@inner
def _read_tenths(data: Array, at: int, stop: int) -> tuple[int, int]:
    """Read a number with one decimal, as ``+59.0``: return ten times it, and its end or -1."""
    sign, at = _read_sign(data, at)
    whole, point = read_digits(data, at, stop)
    tenth, after = read_digits(data, point + 1, stop)
    if not 1 <= point - at <= _WHOLE_DIGITS or data[point] != _POINT or after - point != 2:
        return 0, -1
    return sign * (10 * whole + tenth), after


@inner
def _read_chips(data: Array, at: int, stop: int) -> int:
    """Read ``+5枚``, which ends at ``stop``; return ``NO_CHIPS`` for other text."""
    sign, at = _read_sign(data, at)
    chips, after = read_digits(data, at, stop)
    if not 1 <= after - at <= _CHIP_DIGITS or stop - after != _CHIP_BYTES:
        return NO_CHIPS
    return sign * chips


@inner
def _result(data: Array, low: int, end: int) -> tuple[int, int, int]:
    """Read ``(+59.0)`` or ``(+70.0,+5枚)`` that ends just before ``end``.

    Returns where it begins (-1 if there is no result), ten times the result, and the chips.
    """
    if end - low < 5 or data[end - 1] != _CLOSE:
        return -1, 0, NO_CHIPS
    start = end - 2
    while start >= low and data[start] != _OPEN and end - start < _LONGEST_RESULT:
        start -= 1
    if start < low or data[start] != _OPEN:
        return -1, 0, NO_CHIPS
    stop = end - 1
    value, at = _read_tenths(data, start + 1, stop)
    if at == stop:
        return start, value, NO_CHIPS
    if at < 0 or data[at] != _COMMA:
        return -1, 0, NO_CHIPS
    chips = _read_chips(data, at + 1, stop)
    return (start if chips != NO_CHIPS else -1), value, chips


@inner
def _unescaped(data: Array, first: int, last: int, out: Array, at: int) -> int:
    """Copy ``data[first:last]`` to ``out`` from ``at``, without HTML escapes; return the end."""
    i = first
    while i < last:
        byte = data[i]
        i += 1
        if byte == _AMPERSAND:
            # compare with each escape: its text up to the semicolon, then its meaning
            entity = 0
            while entity < len(_ENTITIES):
                length = 0
                while _ENTITIES[entity + length] != _SEMICOLON:
                    length += 1
                length += 1
                same = i + length <= last
                for k in range(length):
                    same = same and data[i + k] == _ENTITIES[entity + k]
                    if not same:
                        break
                if same:
                    byte = _ENTITIES[entity + length]
                    i += length
                    break
                entity += length + 1
        out[at] = byte
        at += 1
    return at


@inner
def _before(names: Array, ends: Array, results: Array, a: int, b: int) -> bool:
    """Return whether player ``a`` is before ``b``: by result, then by the bytes of the name."""
    if results[a] != results[b]:
        return bool(results[a] > results[b])
    first_a, first_b = ends[a], ends[b]
    for k in range(min(ends[a + 1] - first_a, ends[b + 1] - first_b)):
        if names[first_a + k] != names[first_b + k]:
            return bool(names[first_a + k] < names[first_b + k])
    return bool(ends[a + 1] - first_a < ends[b + 1] - first_b)


@inner
def _fold_decimal(h: np.uint64, value: int, digits: Array) -> np.uint64:
    """Continue a hash with a whole number in decimal digits."""
    at = len(digits)
    rest = abs(value)
    while rest or at == len(digits):
        at -= 1
        digits[at] = ZERO + rest % 10
        rest //= 10
    if value < 0:
        at -= 1
        digits[at] = _MINUS
    return fold_bytes(h, digits, at, len(digits))


@inner
def _read_head(data: Array, first: int, last: int, row: Array) -> int:
    """Read the fields before the players into the row; return where the players begin, or -1."""
    at = first
    end = _field_end(data, at, last)
    row[LOBBY_START] = row[LOBBY_END] = first
    if end > at and not is_digit(data[at]):
        row[LOBBY_START], row[LOBBY_END] = at, end
        at = end + 3
        end = _field_end(data, at, last)
    if end - at != 5 or data[at + 2] != _COLON:
        row[STATUS] = NO_TIME
        return -1
    hour, minute = _number(data, at, at + 2), _number(data, at + 3, at + 5)
    if hour < 0 or hour > 23 or minute < 0 or minute > 59:
        row[STATUS] = NO_TIME
        return -1
    row[MINUTE] = 60 * hour + minute
    at = end + 3
    end = _field_end(data, at, last)
    row[LASTED] = _number(data, at, end)
    if row[LASTED] >= 0:
        at = end + 3
        end = _field_end(data, at, last)
    if end - at < 3 or end - at > 64:
        row[STATUS] = NO_RULE
        return -1
    kind = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
    if kind != _FOUR_PLAYERS and kind != _THREE_PLAYERS:
        row[STATUS] = NO_RULE
        return -1
    row[PLAYERS] = 4 if kind == _FOUR_PLAYERS else 3
    row[RULE_START], row[RULE_END] = at, end
    return end + 3


@inner
def _read_id(data: Array, first: int, last: int, row: Array, ids: Array, at: int) -> int:
    """Copy the log id of an address to ``ids`` and read its date and type; return its end."""
    for i in range(first, last - 30):
        if (
            data[i] == _LOG[0] and data[i + 1] == _LOG[1]
            and data[i + 2] == _LOG[2] and data[i + 3] == _LOG[3]
        ):  # fmt: skip
            start = i + 4
            stop = start
            while (
                stop < last
                and stop - start < _ID_BYTES
                and (is_digit(data[stop]) or 97 <= data[stop] <= 122 or data[stop] == _MINUS)
            ):
                stop += 1
            date, hour = _number(data, start, start + 8), _number(data, start + 8, start + 10)
            if date > 0 and 0 <= hour < 24 and stop - start > 18:
                row[DATE] = date
                row[MINUTE] = 60 * hour + row[MINUTE] % 60
                go_type = 0
                for k in range(start + 13, start + 17):
                    digit = data[k] - ZERO if is_digit(data[k]) else data[k] - 87
                    if digit < 0 or digit > 15:
                        go_type = -(1 << 20)
                    go_type = 16 * go_type + digit
                row[GO_TYPE] = go_type if go_type >= 0 else NO_TYPE
                for k in range(start, stop):
                    ids[at] = data[k]
                    at += 1
            return at
    return at


@inner_allocating
def _read_players(
    data: Array, first: int, last: int, count: int, names: Array, ends: Array, base: int,
    results: Array, chips: Array,
) -> bool:  # fmt: skip
    """Read the players of a line from the right into the seats from ``base`` on, in order."""
    starts = np.empty(MAX_PLAYERS, dtype=np.int64)
    stops = np.empty(MAX_PLAYERS, dtype=np.int64)
    end = last
    for place in range(count - 1, -1, -1):
        open_, result, won = _result(data, first, end)
        if open_ < 0:
            return False
        results[base + place], chips[base + place] = result, won
        start = first
        if place:
            start = open_ - 1
            while start > first + 1:
                if data[start] == _SPACE and data[start - 1] == _CLOSE:
                    before, _, _ = _result(data, first, start)
                    if before >= 0:
                        break
                start -= 1
            if start <= first + 1:
                return False
            end = start
            start += 1
        starts[place], stops[place] = start, open_
    at = ends[base]
    for place in range(count):
        at = _unescaped(data, starts[place], stops[place], names, at)
        ends[base + place + 1] = at
    return True


@inner_allocating
def _identify(
    data: Array, row: Array, names: Array, ends: Array, base: int, results: Array, digits: Array
) -> None:
    """Set the row's ``LIST_KEY`` and ``GAME_ID`` (see ``identity.list_key``)."""
    count = row[PLAYERS]
    order = np.arange(count)
    for i in range(1, count):
        j = i
        while j > 0 and _before(names, ends, results, base + order[j], base + order[j - 1]):
            order[j], order[j - 1] = order[j - 1], order[j]
            j -= 1
    separator = np.zeros(1, dtype=np.uint8)
    h = BASIS
    if row[DATE] > 0:
        hour = row[MINUTE] // 60
        h = _fold_decimal(h, 100 * row[DATE] + hour, digits)
    h = fold_bytes(h, separator, 0, 1)
    h = fold_bytes(h, data, row[RULE_START], row[RULE_END])
    for place in order:
        h = fold_bytes(h, separator, 0, 1)
        h = fold_bytes(h, names, ends[base + place], ends[base + place + 1])
        h = fold_bytes(h, separator, 0, 1)
        h = _fold_decimal(h, results[base + place], digits)
    row[LIST_KEY] = finished(h)
    h = fold_bytes(h, separator, 0, 1)
    h = fold_bytes(h, data, row[LOBBY_START], row[LOBBY_END])
    h = fold_bytes(h, separator, 0, 1)
    row[GAME_ID] = finished(_fold_decimal(h, row[MINUTE], digits))


@njit
def scan(
    data: Array, date: int, rows: Array, names: Array, name_ends: Array, results: Array,
    chips: Array, ids: Array, id_ends: Array, bad: Array,
) -> tuple[int, int]:  # fmt: skip
    """Read every line of ``data`` (uint8); return how many games and how many bad lines there are.

    ``date`` is the date of the file as yyyymmdd, 0 if unknown. The kernel fills from the beginning:
    ``rows`` (int64[lines, COLUMNS]); ``results`` and ``chips`` (int32[4 * lines]) and ``name_ends``
    (int64[4 * lines + 1]) by player; ``names`` (uint8, as long as ``data``); ``ids`` (uint8) and
    ``id_ends`` (int64[lines + 1]); ``bad`` (int64[lines, 3]), which has line, start of the line,
    and status.
    """
    digits = np.empty(24, dtype=np.uint8)
    size, line, games, wrong, seats = len(data), 0, 0, 0, 0
    name_ends[0] = id_ends[0] = 0
    first = 0
    while first < size:
        stop = first
        while stop < size and data[stop] != _NEWLINE:
            stop += 1
        line += 1
        last = stop
        while last > first and (data[last - 1] <= _SPACE):
            last -= 1
        # <br> at the end
        if last - first > 4 and data[last - 1] == 62 and data[last - 4] == _LESS:
            last -= 4
        if last > first:
            row = rows[games]
            row[STATUS], row[LINE], row[START], row[DATE] = GAME, line, first, date
            row[GO_TYPE] = NO_TYPE
            id_end = id_ends[games]
            at = _read_head(data, first, last, row)
            if at >= 0 and data[at] == _LESS:
                end = _field_end(data, at, last)
                if end < 0:
                    at, row[STATUS] = -1, NO_PLAYERS
                else:
                    id_end = _read_id(data, at, end, row, ids, id_end)
                    at = end + 3
            if at >= 0 and not _read_players(
                data, at, last, row[PLAYERS], names, name_ends, seats, results, chips
            ):
                at, row[STATUS] = -1, NO_PLAYERS
            if at >= 0:
                _identify(data, row, names, name_ends, seats, results, digits)
                row[RULE_HASH] = finished(fold_bytes(BASIS, data, row[RULE_START], row[RULE_END]))
                row[LOBBY_HASH] = finished(
                    fold_bytes(BASIS, data, row[LOBBY_START], row[LOBBY_END])
                )
                seats += row[PLAYERS]
                games += 1
                id_ends[games] = id_end
            else:
                bad[wrong, 0], bad[wrong, 1], bad[wrong, 2] = line, first, row[STATUS]
                wrong += 1
        first = stop + 1
    return games, wrong
