"""Kernels of the engine: count dora, find special shapes, choose and write the best reading."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import DORA_OF, DORA_OF_SANMA, IS_YAOCHUU, KINDS, NORTH
from paifu.kernels.compiling import inner, njit
from paifu.rules.hands.partitions import KAN, TRIPLET
from paifu.rules.hands.reading_kernels import (
    CHI,
    FIRST_SPECIAL,
    NO_MELD,
    PON,
    REGULAR,
)

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]

_DORA_OF, _DORA_OF_SANMA = DORA_OF, DORA_OF_SANMA
_IS_YAOCHUU = IS_YAOCHUU


@njit
def count_dora(
    concealed: Int8Array,
    meld_kind: Int8Array,
    meld_tile: Int8Array,
    kita: Int8Array,
    players: Int8Array,
    fault: Int8Array,
    indicators: Int8Array,
    shown: int,
    kita_counts: bool,
    out: Int16Array,
) -> None:
    """Write how many dora each hand has by the first ``shown`` indicators; a kan has four tiles.

    A set-aside north is dora under a west indicator if ``kita_counts``. 0 for a faulty hand.
    """
    for hand in range(len(out)):
        if fault[hand] != 0:
            continue
        total = 0
        for at in range(min(shown, indicators.shape[1])):
            indicator = indicators[hand, at]
            if indicator < 0 or indicator >= KINDS:
                continue
            dora = _DORA_OF_SANMA[indicator] if players[hand] == 3 else _DORA_OF[indicator]
            total += concealed[hand, dora]
            for meld in range(4):
                made, tile = meld_kind[hand, meld], meld_tile[hand, meld]
                if made == CHI:
                    total += tile <= dora <= tile + 2
                elif made != NO_MELD and tile == dora:
                    total += 3 if made == PON else 4
            if dora == NORTH and kita_counts:
                total += kita[hand]
        out[hand] = total


@njit
def find_unconnected(concealed: Int8Array, out: Int8Array) -> None:
    """Write ``FIRST_SPECIAL`` for hands of thirteen unconnected kinds and a pair (shiisanpuutaa).

    These are fourteen concealed tiles of thirteen kinds. Numbers of a suit are at least three
    apart, and not all tiles are terminals and honours.
    """
    for hand in range(len(out)):
        tiles, pairs, simples, last, good = 0, 0, 0, -9, True
        for kind in range(KINDS):
            count = concealed[hand, kind]
            if count == 0:
                continue
            tiles += count
            pairs += count == 2
            good = good and count <= 2
            if not _IS_YAOCHUU[kind]:
                simples += 1
            if kind < 27:
                good = good and (kind // 9 != last // 9 or kind - last >= 3)
                last = kind
        if good and tiles == 14 and pairs == 1 and simples > 0:
            out[hand] = FIRST_SPECIAL


@njit
def best_rows(hand: Int32Array, key: Int64Array, best: Int64Array) -> None:
    """Write each hand's row with the highest key into ``best``; -1 if no key is above -1.

    ``hand`` is ascending; of equal keys the first row counts.
    """
    best[:] = -1
    for row in range(len(hand)):
        at = hand[row]
        held = best[at]
        if key[row] >= 0 and (held < 0 or key[row] > key[held]):
            best[at] = row


@njit
def order_by_hand(hand: Int32Array, first: Int64Array, order: Int64Array) -> None:
    """Write into ``order`` the entries grouped by hand, in their order within each hand.

    ``first[hand + 1]`` of ``first`` int64[N + 1] must have the number of the hand's entries. The
    kernel uses ``first`` for the next free places and changes it.
    """
    for at in range(1, len(first)):
        first[at] += first[at - 1]
    for entry in range(len(hand)):
        order[first[hand[entry]]] = entry
        first[hand[entry]] += 1


_SUIT_LETTERS = (109, 112, 115, 122)
_DIGIT_ONE, _BLANK = 49, 32
LONGEST_READING = 48
"""More bytes than the text of any reading: thirteen separate kinds take 41."""

Bytes = npt.NDArray[np.uint8]


@inner
def _write_part(first: int, step: int, copies: int, at: int, text: Bytes) -> int:
    """Write a set like ``123m`` and a blank; return where the next set goes."""
    for copy in range(copies):
        text[at] = _DIGIT_ONE + first % 9 + copy * step
        at += 1
    text[at] = _SUIT_LETTERS[first // 9]
    text[at + 1] = _BLANK
    return at + 2


@njit
def write_readings(
    rows: Int64Array,
    form: Int16Array,
    set_0: Int16Array,
    set_1: Int16Array,
    set_2: Int16Array,
    set_3: Int16Array,
    pair: Int16Array,
    concealed: Int8Array,
    text: Bytes,
    offsets: Int32Array,
) -> None:
    """Write each hand's chosen reading one after the other, ``123m 456p 789s 111z 55p``.

    ``rows`` int64[N] are rows of the feature columns, -1 for a hand without reading. ``text`` has
    room for ``LONGEST_READING`` bytes per hand. ``offsets`` int32[N + 1] starts with 0. Forms
    without sets are written kind by kind: ``11m 22p …``.
    """
    at = 0
    for hand in range(len(rows)):
        row = rows[hand]
        start = at
        if row >= 0 and form[row] == REGULAR:
            for part in (set_0[row], set_1[row], set_2[row], set_3[row]):
                if part >= KAN:
                    at = _write_part(part - KAN, 0, 4, at, text)
                elif part >= TRIPLET:
                    at = _write_part(part - TRIPLET, 0, 3, at, text)
                elif part >= 0:
                    at = _write_part(part, 1, 3, at, text)
            at = _write_part(pair[row], 0, 2, at, text)
        elif row >= 0:
            for kind in range(KINDS):
                if concealed[hand, kind] > 0:
                    at = _write_part(kind, 0, min(concealed[hand, kind], 4), at, text)
        at -= at > start  # the blank after the last set
        offsets[hand + 1] = at
