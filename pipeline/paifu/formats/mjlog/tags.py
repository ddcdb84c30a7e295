"""Each element of an mjlog as a row of numbers: kernels for ``INIT``, ``N``, ``AGARI``, …

They read the attribute values that :func:`~paifu.formats.mjlog.grammar.read_attributes` has found,
and write one row of an output matrix; its columns are named here. They return ``FINE`` or what is
wrong with the element.
"""

from __future__ import annotations

import numpy as np

from paifu.formats.mjlog.grammar import (
    BA,
    BAD_COUNT,
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    CHIP,
    CODES,
    DORA_HAI,
    DORA_HAI_URA,
    FINE,
    FROM_WHO,
    HAI,
    HAI0,
    LAST_TILE,
    MACHI,
    OYA,
    PAO_WHO,
    SC,
    SEED,
    SHUFFLED,
    TEN,
    TYPE,
    WHO,
    YAKU,
    YAKUMAN,
    Array,
    name_table,
    read_name,
    read_number,
    read_numbers,
    read_tiles,
)
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KITA,
    LIMIT_KAZOE,
    LIMIT_YAKUMAN,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    PON,
    UNKNOWN,
)
from paifu.game.tiles import NO_TILE
from paifu.kernels.compiling import inner, njit
from paifu.schema.yaku import YAKU as VOCABULARY

# --- columns of a round's row -------------------------------------------------------------------
R_EVENTS, R_WIND, R_NUMBER, R_HONBA, R_STICKS, R_DEALER = range(6)
R_DICE, R_INDICATOR, R_SCORES, R_OUTCOME, R_TENPAI, R_BEFORE, R_DELTA = 6, 8, 9, 13, 14, 18, 22
R_SHUFFLE, R_SHUFFLE_END = 26, 27
"""Where the round's own ``shuffle`` (2009) is in the buffer; an empty span if it has no
``shuffle``."""
R_HAIPAI = 28
"""Thirteen tiles for each of four seats."""
ROUND_COLUMNS = 80

# --- columns of a win's row ---------------------------------------------------------------------
(
    W_EVENT, W_SEAT, W_FROM, W_TILE, W_FU, W_HAN, W_YAKUMAN, W_POINTS, W_LIMIT, W_PAO, W_HONBA,
    W_STICKS, W_CHIPS, W_YAKU_END,
) = range(14)  # fmt: skip
W_BEFORE, W_DELTA, W_HAND, W_INDICATORS, W_URA = 14, 18, 22, 36, 41
WIN_COLUMNS = 46

_TENHOU_YAKU = np.full(64, -1, dtype=np.int64)
"""Index in the yaku vocabulary of each Tenhou id."""
for _index, _yaku in enumerate(VOCABULARY):
    if _yaku.tenhou is not None:
        _TENHOU_YAKU[_yaku.tenhou] = _index

YAKUMAN_HAN = 13

_ROUNDS = 16
_COUNTERS = 9999
"""The highest possible number of honba, sticks, fu and chips."""
_HAN = 999

_DRAWS = ("nm", "yao9", "kaze4", "reach4", "kan4", "ron3")
_DRAW_TABLE = name_table(_DRAWS)
_OUTCOMES = np.array(
    [OUTCOME_NAGASHI, OUTCOME_KYUUSHU, OUTCOME_SUUFON, OUTCOME_SUUCHA, OUTCOME_SUUKAN,
     OUTCOME_SANCHAHOU],
    dtype=np.int64,
)  # fmt: skip
"""Outcome of each ``type`` of a ``RYUUKYOKU``."""

HAIPAI, INDICATORS = 13, 5

# --- columns of a decoded meld ------------------------------------------------------------------
MELD_TILE, MELD_FROM, MELD_CONSUMED = 0, 1, 2


@inner
def read_init(buf: Array, places: Array, seen: int, plain: int, numbers: Array, row: Array) -> int:
    """Read an ``INIT`` into a round's row."""
    for column in range(ROUND_COLUMNS):
        row[column] = 0
    row[R_OUTCOME] = OUTCOME_UNKNOWN
    for seat in range(4):
        row[R_TENPAI + seat] = -1
        row[R_BEFORE + seat] = UNKNOWN
        row[R_DELTA + seat] = UNKNOWN
    if read_numbers(buf, places, SEED, 0, numbers) != 6:
        return BAD_COUNT
    round_, honba, sticks, indicator = numbers[0], numbers[1], numbers[2], numbers[5]
    if not (0 <= round_ < _ROUNDS and 0 <= honba <= _COUNTERS and 0 <= sticks <= _COUNTERS):
        return BAD_NUMBER
    row[R_WIND] = round_ // 4
    row[R_NUMBER] = round_ % 4
    row[R_HONBA] = honba
    row[R_STICKS] = sticks
    for i in range(2):
        die = numbers[3 + i]
        if die < 0 or die > 5:
            return BAD_NUMBER
        row[R_DICE + i] = die
    if indicator < 0 or indicator > LAST_TILE:
        return BAD_TILE
    row[R_INDICATOR] = CODES[plain, indicator]
    count = read_numbers(buf, places, TEN, 0, numbers)
    if count != 3 and count != 4:
        return BAD_COUNT
    for seat in range(count):
        row[R_SCORES + seat] = 100 * numbers[seat]
    row[R_DEALER] = read_number(buf, places, OYA, 3)
    if row[R_DEALER] < 0:
        return BAD_SEAT
    for seat in range(4):
        if not seen >> (HAI0 + seat) & 1:
            places[HAI0 + seat, 1] = places[HAI0 + seat, 0]
        hand = R_HAIPAI + HAIPAI * seat
        if read_tiles(buf, places, HAI0 + seat, plain, row, hand, HAIPAI) < 0:
            return BAD_TILE
    if seen >> SHUFFLED & 1:
        row[R_SHUFFLE] = places[SHUFFLED, 0]
        row[R_SHUFFLE_END] = places[SHUFFLED, 1]
    return FINE


@njit
def decode_meld(m: int, who: int, plain: int, meld: Array) -> int:
    """Decode the 16 bits of a call by seat ``who`` into ``meld``; return its event kind or -1.

    ``meld`` is int64[5]: the tile taken, added or set aside, the seat it came from, and the tiles
    consumed. Source: formats.md §3.1 (table of ``N m``).
    """
    meld[MELD_TILE] = NO_TILE
    meld[MELD_FROM] = NO_SEAT
    for i in range(3):
        meld[MELD_CONSUMED + i] = NO_TILE
    if m < 0 or m > 0xFFFF:
        return -1
    relative = m & 3
    source = (who + relative) & 3
    if m & 4:
        called = (m >> 10) % 3
        place = (m >> 10) // 3
        if place > 20 or relative == 0:
            return -1
        meld[MELD_FROM] = source
        first = place // 7 * 9 + place % 7
        others = 0
        for i in range(3):
            tile = CODES[plain, 4 * (first + i) + (m >> (3 + 2 * i) & 3)]
            if i == called:
                meld[MELD_TILE] = tile
            else:
                meld[MELD_CONSUMED + others] = tile
                others += 1
        return CHI
    if m & 24:
        called = (m >> 9) % 3
        kind = (m >> 9) // 3
        unused = m >> 5 & 3
        if kind > 33:
            return -1
        used = 0
        others = 0
        for copy in range(4):
            tile = CODES[plain, 4 * kind + copy]
            if copy == unused:
                if not m & 8:
                    meld[MELD_TILE] = tile
                continue
            if m & 8 and used == called:
                meld[MELD_TILE] = tile
            else:
                meld[MELD_CONSUMED + others] = tile
                others += 1
            used += 1
        if not m & 8:
            return KAKAN
        meld[MELD_FROM] = source
        return PON if relative else -1
    tile_id = m >> 8
    if tile_id > LAST_TILE:
        return -1
    meld[MELD_TILE] = CODES[plain, tile_id]
    if m & 32:
        return KITA
    others = 0
    for copy in range(4):
        if copy != tile_id & 3:
            meld[MELD_CONSUMED + others] = CODES[plain, tile_id - (tile_id & 3) + copy]
            others += 1
    if relative == 0:
        return ANKAN
    meld[MELD_FROM] = source
    return DAIMINKAN


@inner
def read_payments(
    buf: Array, places: Array, numbers: Array, row: Array, before: int, delta: int
) -> int:
    """Read ``sc``: points and payments of each seat and, in chip lobbies, the same of chips.

    They go into the four columns from ``before`` on and from ``delta`` on. Returns how many numbers
    there are, or -1 if there are not two or four for each of three or four seats.
    """
    count = read_numbers(buf, places, SC, 0, numbers)
    if count != 6 and count != 8 and count != 12 and count != 16:
        return -1
    seats = count // 4 if count > 8 else count // 2
    for seat in range(4):
        row[before + seat] = 100 * numbers[2 * seat] if seat < seats else 0
        row[delta + seat] = 100 * numbers[2 * seat + 1] if seat < seats else 0
    return count


@inner
def read_yaku(
    buf: Array, places: Array, attribute: int, numbers: Array, row: Array, yaku: Array, at: int
) -> tuple[int, int]:
    """Read ``yaku`` (id and han) or ``yakuman`` (ids) of a win into ``yaku`` from row ``at`` on.

    Returns (the row after them, or -1 if the list cannot be read; the number of unknown ids).
    """
    start = at
    each = 2 if attribute == YAKU else 1
    count = read_numbers(buf, places, attribute, 0, numbers)
    if count < 0 or count % each:
        return -1, 0
    total = 0
    for i in range(0, count, each):
        tenhou = numbers[i]
        han = numbers[i + 1] if each == 2 else YAKUMAN_HAN
        if han < 0 or han > _HAN:
            return -1, 0
        total += han
        if 0 <= tenhou < len(_TENHOU_YAKU) and _TENHOU_YAKU[tenhou] >= 0:
            yaku[at, 0] = _TENHOU_YAKU[tenhou]
            yaku[at, 1] = han
            at += 1
    row[W_HAN] = total if each == 2 else -1
    row[W_YAKUMAN] = 0 if each == 2 else count
    row[W_YAKU_END] = at
    return at, count // each - (at - start)


@inner
def read_agari(buf: Array, places: Array, seen: int, plain: int, row: Array) -> int:
    """Read an ``AGARI``, without its yaku, into a win's row."""
    for column in range(WIN_COLUMNS):
        row[column] = -1
    row[W_POINTS] = UNKNOWN
    for seat in range(4):
        row[W_BEFORE + seat] = UNKNOWN
        row[W_DELTA + seat] = UNKNOWN
    row[W_SEAT] = read_number(buf, places, WHO, 3)
    row[W_FROM] = read_number(buf, places, FROM_WHO, 3)
    if seen >> PAO_WHO & 1:
        row[W_PAO] = read_number(buf, places, PAO_WHO, 3)
        if row[W_PAO] < 0:
            return BAD_SEAT
    if row[W_SEAT] < 0 or row[W_FROM] < 0:
        return BAD_SEAT
    if read_tiles(buf, places, MACHI, plain, row, W_TILE, 1) != 1:
        return BAD_TILE
    if seen >> HAI & 1 and read_tiles(buf, places, HAI, plain, row, W_HAND, HAIPAI + 1) < 0:
        return BAD_TILE
    for attribute, column in ((DORA_HAI, W_INDICATORS), (DORA_HAI_URA, W_URA)):
        if seen >> attribute & 1 and (
            read_tiles(buf, places, attribute, plain, row, column, INDICATORS) < 0
        ):
            return BAD_TILE
    return FINE


@inner
def read_worth(buf: Array, places: Array, seen: int, numbers: Array, row: Array) -> int:
    """Read the value of a win and its payments from an ``AGARI`` into a win's row."""
    if seen >> BA & 1:
        if read_numbers(buf, places, BA, 0, numbers) != 2:
            return BAD_COUNT
        for i in range(2):
            if numbers[i] < 0 or numbers[i] > _COUNTERS:
                return BAD_NUMBER
            row[W_HONBA + i] = numbers[i]
    if seen >> TEN & 1:
        if read_numbers(buf, places, TEN, 0, numbers) != 3:
            return BAD_COUNT
        fu, points, limit = numbers[0], numbers[1], numbers[2]
        if fu < 0 or fu > _COUNTERS or limit < 0 or limit > LIMIT_KAZOE:
            return BAD_NUMBER
        row[W_FU] = fu
        row[W_POINTS] = points
        row[W_LIMIT] = limit
        if limit == LIMIT_KAZOE and seen >> YAKUMAN & 1:
            row[W_LIMIT] = LIMIT_YAKUMAN
    if seen >> SC & 1:
        count = read_payments(buf, places, numbers, row, W_BEFORE, W_DELTA)
        if count < 0:
            return BAD_COUNT
        if count > 8:
            row[W_CHIPS] = 0
    if seen >> CHIP & 1:
        row[W_CHIPS] = 0
        count = read_numbers(buf, places, CHIP, 0, numbers)
        if count < 0 or count % 2:
            return BAD_COUNT
        for i in range(1, count, 2):
            if numbers[i] < 0 or numbers[i] > _COUNTERS:
                return BAD_NUMBER
            row[W_CHIPS] = min(row[W_CHIPS] + numbers[i], _COUNTERS)
    return FINE


@inner
def read_ryuukyoku(
    buf: Array, places: Array, seen: int, numbers: Array, players: int, row: Array
) -> tuple[int, int]:
    """Read a ``RYUUKYOKU`` into its round's row; return (status, seat that declared it or -1)."""
    outcome = OUTCOME_EXHAUSTIVE
    if seen >> TYPE & 1:
        draw, after = read_name(buf, places[TYPE, 0], places[TYPE, 1], _DRAW_TABLE)
        known = draw >= 0 and after == places[TYPE, 1]
        outcome = _OUTCOMES[draw] if known else OUTCOME_UNKNOWN
    row[R_OUTCOME] = outcome
    declarer = NO_SEAT
    for seat in range(players):
        shown = seen >> (HAI0 + seat) & 1
        if outcome == OUTCOME_EXHAUSTIVE or outcome == OUTCOME_NAGASHI:
            row[R_TENPAI + seat] = shown
        elif outcome == OUTCOME_KYUUSHU and shown:
            declarer = seat
    if seen >> SC & 1 and read_payments(buf, places, numbers, row, R_BEFORE, R_DELTA) < 0:
        return BAD_COUNT, NO_SEAT
    return FINE, declarer
