"""Each element of an mjlog as a row of numbers: kernels for ``INIT``, ``N``, ``AGARI``, …

They read the attribute values that :func:`~paifu.importers.mjlog_scan.read_attributes` has found
and write one row of an output matrix, whose columns are named here. They return ``FINE`` or what
is wrong with the element.
"""

from __future__ import annotations

import numpy as np

from paifu.events import (
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
from paifu.importers.mjlog_scan import (
    BA,
    BAD_COUNT,
    BAD_MELD,
    BAD_NUMBER,
    BAD_SEAT,
    BAD_TILE,
    CHIP,
    DORA_HAI,
    DORA_HAI_URA,
    FINE,
    FROM_WHO,
    HAI,
    HAI0,
    HAI3,
    M,
    MACHI,
    MISSING,
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
    name_key,
    read_name,
    read_number,
    read_numbers,
    read_tiles,
)
from paifu.kernels import njit
from paifu.schema import YAKU as VOCABULARY
from paifu.tiles import NO_TILE

# --- columns of a round's row -------------------------------------------------------------------
R_EVENTS, R_WIND, R_NUMBER, R_HONBA, R_STICKS, R_DEALER = range(6)
R_DICE, R_INDICATOR, R_SCORES, R_OUTCOME, R_TENPAI, R_BEFORE, R_DELTA = 6, 8, 9, 13, 14, 18, 22
R_SHUFFLE, R_SHUFFLE_END = 26, 27
"""Where the round's own ``shuffle`` (2009) lies in the buffer; an empty span without one."""
ROUND_COLUMNS = 28

# --- columns of a win's row ---------------------------------------------------------------------
(
    W_EVENT, W_SEAT, W_FROM, W_TILE, W_FU, W_HAN, W_YAKUMAN, W_POINTS, W_LIMIT, W_PAO, W_HONBA,
    W_STICKS, W_CHIPS, W_URA_KNOWN, W_YAKU_END,
) = range(15)  # fmt: skip
W_BEFORE, W_DELTA, W_HAND, W_INDICATORS, W_URA = 15, 19, 23, 37, 42
WIN_COLUMNS = 47

_TENHOU_YAKU = np.full(64, -1, dtype=np.int64)
"""Index in the yaku vocabulary of each Tenhou id."""
for _index, _yaku in enumerate(VOCABULARY):
    if _yaku.tenhou is not None:
        _TENHOU_YAKU[_yaku.tenhou] = _index

YAKUMAN_HAN = 13

_ROUNDS = 16
_OUTCOME_KEYS = np.array(
    [name_key(name) for name in ("nm", "yao9", "kaze4", "reach4", "kan4", "ron3")], dtype=np.int64
)
_OUTCOMES = np.array(
    [OUTCOME_NAGASHI, OUTCOME_KYUUSHU, OUTCOME_SUUFON, OUTCOME_SUUCHA, OUTCOME_SUUKAN,
     OUTCOME_SANCHAHOU],
    dtype=np.int64,
)  # fmt: skip

# --- columns of a decoded meld ------------------------------------------------------------------
MELD_TILE, MELD_FROM, MELD_CONSUMED = 0, 1, 2
MELD_COLUMNS = 5


@njit
def read_init(buf, starts, stops, seen, codes, numbers, row, haipai):  # type: ignore[no-untyped-def]
    """Read an ``INIT`` into a round's row and its int8[4, 13] haipai."""
    for column in range(ROUND_COLUMNS):
        row[column] = 0
    row[R_OUTCOME] = OUTCOME_UNKNOWN
    for seat in range(4):
        row[R_TENPAI + seat] = -1
        row[R_BEFORE + seat] = UNKNOWN
        row[R_DELTA + seat] = UNKNOWN
    if not (seen >> SEED & 1 and seen >> TEN & 1 and seen >> OYA & 1 and seen >> HAI0 & 1):
        return MISSING

    count = read_numbers(buf, starts[SEED], stops[SEED], numbers)
    if count != 6 or numbers[0] < 0 or numbers[0] >= _ROUNDS:
        return BAD_NUMBER
    row[R_WIND] = numbers[0] // 4
    row[R_NUMBER] = numbers[0] % 4
    for i in range(1, 3):
        if numbers[i] < 0 or numbers[i] > 9999:
            return BAD_NUMBER
    row[R_HONBA] = numbers[1]
    row[R_STICKS] = numbers[2]
    for i in range(2):
        if numbers[3 + i] < 0 or numbers[3 + i] > 5:
            return BAD_NUMBER
        row[R_DICE + i] = numbers[3 + i]
    if numbers[5] < 0 or numbers[5] > 135:
        return BAD_TILE
    row[R_INDICATOR] = codes[numbers[5]]

    count = read_numbers(buf, starts[TEN], stops[TEN], numbers)
    if count != 3 and count != 4:
        return BAD_COUNT
    for seat in range(count):
        row[R_SCORES + seat] = 100 * numbers[seat]
    dealer = read_number(buf, starts[OYA], stops[OYA], 0, 3, numbers)
    if dealer < 0:
        return BAD_SEAT
    row[R_DEALER] = dealer

    for seat in range(4):
        haipai[seat, :] = NO_TILE
        if seen >> (HAI0 + seat) & 1:
            hand = haipai[seat]
            attribute = HAI0 + seat
            if read_tiles(buf, starts[attribute], stops[attribute], codes, numbers, hand) < 0:
                return BAD_TILE
    if seen >> SHUFFLED & 1:
        row[R_SHUFFLE] = starts[SHUFFLED]
        row[R_SHUFFLE_END] = stops[SHUFFLED]
    return FINE


@njit
def decode_meld(m, who, codes, meld):  # type: ignore[no-untyped-def]
    """Decode the 16 bits of a call by seat ``who`` into ``meld``; return its event kind or -1.

    ``meld`` is int64[5]: the tile taken, added or set aside, whose it was, and the tiles consumed.
    Source: formats.md §3.1 (table of ``N m``).
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
            tile = codes[4 * (first + i) + (m >> (3 + 2 * i) & 3)]
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
            tile = codes[4 * kind + copy]
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
    if tile_id > 135:
        return -1
    meld[MELD_TILE] = codes[tile_id]
    if m & 32:
        return KITA
    others = 0
    for copy in range(4):
        if copy != tile_id & 3:
            meld[MELD_CONSUMED + others] = codes[tile_id - (tile_id & 3) + copy]
            others += 1
    if relative == 0:
        return ANKAN
    meld[MELD_FROM] = source
    return DAIMINKAN


@njit
def read_call(buf, starts, stops, seen, codes, numbers, meld):  # type: ignore[no-untyped-def]
    """Read an ``N`` into ``meld``; return (status, who, event kind)."""
    if not (seen >> WHO & 1 and seen >> M & 1):
        return MISSING, 0, 0
    who = read_number(buf, starts[WHO], stops[WHO], 0, 3, numbers)
    if who < 0:
        return BAD_SEAT, 0, 0
    bits = read_number(buf, starts[M], stops[M], 0, 0xFFFF, numbers)
    kind = decode_meld(bits, who, codes, meld)
    if kind < 0:
        return BAD_MELD, 0, 0
    return FINE, who, kind


@njit
def read_payments(buf, starts, stops, numbers, before, delta):  # type: ignore[no-untyped-def]
    """Read ``sc``: points and payments of each seat, then, in chip lobbies, chips likewise.

    Returns how many numbers it has, or -1.
    """
    count = read_numbers(buf, starts[SC], stops[SC], numbers)
    if count != 6 and count != 8 and count != 12 and count != 16:
        return -1
    seats = count // 4 if count > 8 else count // 2
    for seat in range(4):
        before[seat] = 100 * numbers[2 * seat] if seat < seats else 0
        delta[seat] = 100 * numbers[2 * seat + 1] if seat < seats else 0
    return count


@njit
def read_yaku(buf, starts, stops, seen, numbers, row, yaku, at):  # type: ignore[no-untyped-def]
    """Read the yaku of a win into ``yaku`` from row ``at`` on; return (its new end, unknown ids).

    The end is -1 where the lists cannot be read.
    """
    unknown = 0
    row[W_HAN] = -1
    row[W_YAKUMAN] = -1
    if seen >> YAKU & 1:
        count = read_numbers(buf, starts[YAKU], stops[YAKU], numbers)
        if count < 0 or count % 2:
            return -1, 0
        total = 0
        for i in range(0, count, 2):
            if numbers[i + 1] < 0 or numbers[i + 1] > 999:
                return -1, 0
            total += numbers[i + 1]
            if 0 <= numbers[i] < 64 and _TENHOU_YAKU[numbers[i]] >= 0:
                yaku[at, 0] = _TENHOU_YAKU[numbers[i]]
                yaku[at, 1] = numbers[i + 1]
                at += 1
            else:
                unknown += 1
        row[W_HAN] = total
        row[W_YAKUMAN] = 0
    if seen >> YAKUMAN & 1:
        count = read_numbers(buf, starts[YAKUMAN], stops[YAKUMAN], numbers)
        if count < 0:
            return -1, 0
        for i in range(count):
            if 0 <= numbers[i] < 64 and _TENHOU_YAKU[numbers[i]] >= 0:
                yaku[at, 0] = _TENHOU_YAKU[numbers[i]]
                yaku[at, 1] = YAKUMAN_HAN
                at += 1
            else:
                unknown += 1
        row[W_HAN] = -1
        row[W_YAKUMAN] = count
    row[W_YAKU_END] = at
    return at, unknown


@njit
def read_agari(buf, starts, stops, seen, codes, numbers, row):  # type: ignore[no-untyped-def]
    """Read an ``AGARI``, its yaku aside, into a win's row."""
    row[:] = -1
    for seat in range(4):
        row[W_BEFORE + seat] = UNKNOWN
        row[W_DELTA + seat] = UNKNOWN
    row[W_POINTS] = UNKNOWN
    if not (seen >> WHO & 1 and seen >> FROM_WHO & 1 and seen >> MACHI & 1):
        return MISSING
    row[W_SEAT] = read_number(buf, starts[WHO], stops[WHO], 0, 3, numbers)
    row[W_FROM] = read_number(buf, starts[FROM_WHO], stops[FROM_WHO], 0, 3, numbers)
    if row[W_SEAT] < 0 or row[W_FROM] < 0:
        return BAD_SEAT
    if seen >> PAO_WHO & 1:
        row[W_PAO] = read_number(buf, starts[PAO_WHO], stops[PAO_WHO], 0, 3, numbers)
        if row[W_PAO] < 0:
            return BAD_SEAT
    if read_tiles(
        buf, starts[MACHI], stops[MACHI], codes, numbers, row[W_TILE : W_TILE + 1]
    ) != 1:  # fmt: skip
        return BAD_TILE
    if seen >> HAI & 1 and (
        read_tiles(buf, starts[HAI], stops[HAI], codes, numbers, row[W_HAND : W_HAND + 14]) < 0
    ):
        return BAD_TILE
    if seen >> DORA_HAI & 1 and (
        read_tiles(
            buf, starts[DORA_HAI], stops[DORA_HAI], codes, numbers,
            row[W_INDICATORS : W_INDICATORS + 5],
        ) < 0
    ):  # fmt: skip
        return BAD_TILE
    if seen >> DORA_HAI_URA & 1 and (
        read_tiles(
            buf, starts[DORA_HAI_URA], stops[DORA_HAI_URA], codes, numbers, row[W_URA : W_URA + 5]
        ) < 0
    ):  # fmt: skip
        return BAD_TILE
    row[W_URA_KNOWN] = 1
    return _read_value(buf, starts, stops, seen, numbers, row)


@njit
def _read_value(buf, starts, stops, seen, numbers, row):  # type: ignore[no-untyped-def]
    """Read what an ``AGARI`` says the win is worth and who pays."""
    if seen >> BA & 1:
        if read_numbers(buf, starts[BA], stops[BA], numbers) != 2:
            return BAD_COUNT
        for i in range(2):
            if numbers[i] < 0 or numbers[i] > 9999:
                return BAD_NUMBER
            row[W_HONBA + i] = numbers[i]
    if seen >> TEN & 1:
        if read_numbers(buf, starts[TEN], stops[TEN], numbers) != 3:
            return BAD_COUNT
        if numbers[0] < 0 or numbers[0] > 9999 or numbers[2] < 0 or numbers[2] > 5:
            return BAD_NUMBER
        row[W_FU] = numbers[0]
        row[W_POINTS] = numbers[1]
        row[W_LIMIT] = numbers[2]
        if numbers[2] == LIMIT_KAZOE and seen >> YAKUMAN & 1:
            row[W_LIMIT] = LIMIT_YAKUMAN
    chips = False
    if seen >> SC & 1:
        count = read_payments(
            buf, starts, stops, numbers, row[W_BEFORE : W_BEFORE + 4], row[W_DELTA : W_DELTA + 4]
        )
        if count < 0:
            return BAD_COUNT
        chips = count > 8
    if chips or seen >> CHIP & 1:
        row[W_CHIPS] = 0
    if seen >> CHIP & 1:
        count = read_numbers(buf, starts[CHIP], stops[CHIP], numbers)
        if count < 0 or count % 2:
            return BAD_COUNT
        for i in range(1, count, 2):
            if numbers[i] < 0 or numbers[i] > 99:
                return BAD_NUMBER
            row[W_CHIPS] += numbers[i]
    return FINE


@njit
def read_ryuukyoku(buf, starts, stops, seen, numbers, players, row):  # type: ignore[no-untyped-def]
    """Read a ``RYUUKYOKU`` into its round's row; return (status, who declared it or -1)."""
    outcome = OUTCOME_EXHAUSTIVE
    if seen >> TYPE & 1:
        outcome = OUTCOME_UNKNOWN
        key, after = read_name(buf, starts[TYPE], stops[TYPE])
        if after == stops[TYPE]:
            for i in range(len(_OUTCOME_KEYS)):
                if key == _OUTCOME_KEYS[i]:
                    outcome = _OUTCOMES[i]
    row[R_OUTCOME] = outcome
    declarer = NO_SEAT
    for seat in range(players):
        shown = seen >> (HAI0 + seat) & 1
        if outcome == OUTCOME_EXHAUSTIVE or outcome == OUTCOME_NAGASHI:
            row[R_TENPAI + seat] = shown
        elif outcome == OUTCOME_KYUUSHU and shown:
            declarer = seat
    if seen >> SC & 1:
        before = row[R_BEFORE : R_BEFORE + 4]
        delta = row[R_DELTA : R_DELTA + 4]
        if read_payments(buf, starts, stops, numbers, before, delta) < 0:
            return BAD_COUNT, NO_SEAT
    return FINE, declarer


@njit
def players_of(seen, starts, stops):  # type: ignore[no-untyped-def]
    """Return 3 or 4: an ``INIT`` of three players has an empty ``hai3``, or none."""
    return 4 if seen >> HAI3 & 1 and stops[HAI3] > starts[HAI3] else 3
