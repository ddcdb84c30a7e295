"""The distance of every suit from every number of sets: the table for shanten and waits.

A **state** is the nine counts of one suit (0-4 of each number, 14 tiles at most); there are
405,350, numbered in lexicographic order by :func:`rank`. The table holds one 64-bit word each:

========== =====================================================================================
bits 0-39  ten nibbles; nibble ``5 * p + m`` is how many tiles must be added to the state for it
           to contain ``m`` sets and ``p`` pairs (m 0-4, p 0-1), no number more than four times
bits 40-48 the numbers that complete the state: with one of them added it is nothing but sets, or
           nothing but sets and one pair, as its number of tiles decides
bits 49-52 the number of tiles
========== =====================================================================================

Suits with the same ten distances are of one **class**, and so are the parts of a hand of several
suits that are as far from ``m`` sets and ``p`` pairs. There are 180 classes in all, so the shanten
of a hand takes a few look-ups: of each suit's class, of the class of two parts together, and of
what two parts lack. Class 0 is for counts that are no state.

Honours make no runs and have their own table with the same numbering (their seven kinds are the
last seven numbers). With three players manzu has only 1m and 9m and uses that table too.

Kernels take a :class:`SuitTables` as their first argument, so the tables are not part of the
compiled code. :func:`suit_tables` loads them from the kernel cache, or builds them in less than a
second.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from paifu.kernels.cache import cache_dir
from paifu.kernels.compiling import inner, njit

NUMBERS = 9
MOST_TILES = 14
"""The most tiles a hand has, a kan counted as three."""
STATES = 405_350
MOST_SETS = 4
DISTANCES = 2 * (MOST_SETS + 1)
"""How many distances a word has."""
NO_STATE = 0
"""The class of counts that are no state."""
NO_DISTANCE = 255
"""In place of what they lack."""
CLASSES = 181
WAITS_SHIFT = 4 * DISTANCES
WAITS_MASK = (1 << NUMBERS) - 1
TILES_SHIFT = WAITS_SHIFT + NUMBERS

Words = npt.NDArray[np.uint64]
Classes = npt.NDArray[np.uint8]
Numbering = npt.NDArray[np.int32]


SuitTables: TypeAlias = Any
"""The tables as kernels take them: words and classes of states for each kind of suit.

It is one NumPy record, which kernels get by reference; with a tuple, each call would count the
references of each array. The fields ``manzu``, ``suits`` (pinzu and souzu) and ``honours`` are
uint64[STATES], and ``manzu_classes``, ``suit_classes`` and ``honour_classes`` are uint8[STATES].
``together`` uint8[CLASSES, CLASSES] is the class of two parts together. ``lacking``
uint8[5, CLASSES, CLASSES] is how many tiles two parts lack for a number of sets and a pair; 255 if
either is no state. ``heads`` int32[3125] is indexed by the first five counts as a number to base
five. It has 16 times the first state that begins with them, plus the number of tiles still allowed.
``tails`` int32[15, 625] is indexed by the tiles still allowed and the last four counts. It has the
distance from that first state. Both are -1 where there is no state.
"""

_SUIT_TABLES = np.dtype(
    [
        ("manzu", np.uint64, STATES),
        ("suits", np.uint64, STATES),
        ("honours", np.uint64, STATES),
        ("manzu_classes", np.uint8, STATES),
        ("suit_classes", np.uint8, STATES),
        ("honour_classes", np.uint8, STATES),
        ("together", np.uint8, (CLASSES, CLASSES)),
        ("lacking", np.uint8, (MOST_SETS + 1, CLASSES, CLASSES)),
        ("heads", np.int32, 5**5),
        ("tails", np.int32, (MOST_TILES + 1, 5**4)),
    ],
    align=True,
)

_KEPT = np.dtype(
    [
        ("words", np.uint64, (2, STATES)),
        ("classes", np.uint8, (2, STATES)),
        ("together", np.uint8, (CLASSES, CLASSES)),
        ("lacking", np.uint8, (MOST_SETS + 1, CLASSES, CLASSES)),
    ]
)
"""What is kept in a file: words and classes of suits with runs, then without."""


def _numbering() -> tuple[Numbering, Numbering]:
    """Return ``heads`` and ``tails``, worked out from the lexicographic order of the states."""
    tails = np.full((MOST_TILES + 1, 5**4), -1, dtype=np.int32)
    sizes = np.array([sum(digits) for digits in product(range(5), repeat=4)])
    for left in range(MOST_TILES + 1):
        fits = sizes <= left
        tails[left, fits] = np.arange(fits.sum())
    following = (tails >= 0).sum(axis=1)
    heads = np.full(5**5, -1, dtype=np.int32)
    state = 0
    for head, digits in enumerate(product(range(5), repeat=5)):
        left = MOST_TILES - sum(digits)
        if left >= 0:
            heads[head] = 16 * state + left
            state += following[left]
    return heads, tails


@njit
def rank(
    heads: Numbering, tails: Numbering, counts: npt.NDArray[np.int8], first: int, honours: bool
) -> int:
    """Return the number of the state of nine counts from ``first`` on; -1 if no hand has them.

    The seven counts of honours are the last of the nine.
    """
    at = first if honours else first + 2
    a = np.int64(0 if honours else counts[first])
    b = np.int64(0 if honours else counts[first + 1])
    c, d, e = np.int64(counts[at]), np.int64(counts[at + 1]), np.int64(counts[at + 2])
    f, g = np.int64(counts[at + 3]), np.int64(counts[at + 4])
    h, i = np.int64(counts[at + 5]), np.int64(counts[at + 6])
    # negative if any count is below 0 or above 4
    wrong = a | b | c | d | e | f | g | h | i
    wrong |= (4 - a) | (4 - b) | (4 - c) | (4 - d) | (4 - e) | (4 - f) | (4 - g) | (4 - h) | (4 - i)
    if wrong < 0:
        return -1
    head = heads[625 * a + 125 * b + 25 * c + 5 * d + e]
    if head < 0:
        return -1
    tail = tails[head & 15, 125 * f + 25 * g + 5 * h + i]
    return -1 if tail < 0 else (head >> 4) + tail


@inner
def _list_states(states: npt.NDArray[np.int8], counts: npt.NDArray[np.int8]) -> None:
    """Write every state in lexicographic order to ``states``; the first is there already."""
    total = 0
    for state in range(1, STATES):
        number = NUMBERS - 1
        while counts[number] == 4 or total == MOST_TILES:
            total -= counts[number]
            counts[number] = 0
            number -= 1
        counts[number] += 1
        total += 1
        for i in range(NUMBERS):  # Numba takes a second to compile the assignment of a row
            states[state, i] = counts[i]


@inner
def _list_targets(
    heads: Numbering, tails: Numbering, runs: bool, sets: int, pairs: int,
    targets: npt.NDArray[np.bool_], chosen: npt.NDArray[np.int64], counts: npt.NDArray[np.int8],
) -> None:  # fmt: skip
    """Write to ``targets`` which states are exactly ``sets`` sets and ``pairs`` pairs."""
    kinds_of_set = NUMBERS + (NUMBERS - 2 if runs else 0)
    for state in range(STATES):
        targets[state] = False
    for i in range(MOST_SETS):
        chosen[i] = 0
    while True:
        for pair in range(NUMBERS if pairs else 1):
            for number in range(NUMBERS):
                counts[number] = 0
            if pairs:
                counts[pair] = 2
            for i in range(sets):
                if chosen[i] < NUMBERS:
                    counts[chosen[i]] += 3
                else:
                    for number in range(chosen[i] - NUMBERS, chosen[i] - NUMBERS + 3):
                        counts[number] += 1
            state = rank(heads, tails, counts, 0, False)
            if state >= 0:
                targets[state] = True
        # the next choice of sets in non-decreasing order
        last = sets - 1
        while last >= 0 and chosen[last] == kinds_of_set - 1:
            last -= 1
        if last < 0:
            return
        following = chosen[last] + 1
        for i in range(last, sets):
            chosen[i] = following


@njit
def _build(
    heads: Numbering, tails: Numbering, runs: bool, words: Words, distance: Words,
    states: npt.NDArray[np.int8], row: npt.NDArray[np.int8], tiles: npt.NDArray[np.int64],
    within: npt.NDArray[np.bool_], chosen: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the word of every state to ``words``; the other arrays are to work in, and are zero.

    (The caller makes them, because Numba would take a second to compile that.)
    """
    _list_states(states, row)
    for state in range(STATES):
        for number in range(NUMBERS):
            tiles[state] += states[state, number]
        words[state] = np.uint64(tiles[state]) << np.uint64(TILES_SHIFT)
    for pairs in range(2):
        for sets in range(MOST_SETS + 1):
            target_tiles = 3 * sets + 2 * pairs
            _list_targets(heads, tails, runs, sets, pairs, within, chosen, row)
            # A state within a target becomes the target by adding the missing tiles. Larger states
            # have higher numbers, so this loop goes backwards and the next loop forwards.
            for state in range(STATES - 1, -1, -1):
                counts = states[state]
                missing = target_tiles - tiles[state]
                if missing < 1:
                    continue
                for number in range(NUMBERS):
                    if counts[number] == 4:
                        continue
                    counts[number] += 1
                    larger = rank(heads, tails, counts, 0, False)
                    counts[number] -= 1
                    if within[larger]:
                        within[state] = True
                        if missing == 1:
                            words[state] |= np.uint64(1) << np.uint64(WAITS_SHIFT + number)
            # Any other state has a tile that can be removed.
            for state in range(STATES):
                counts = states[state]
                best = np.uint64(MOST_TILES)
                if within[state]:
                    best = np.uint64(target_tiles - tiles[state])
                for number in range(NUMBERS):
                    if counts[number] == 0:
                        continue
                    counts[number] -= 1
                    best = min(best, distance[rank(heads, tails, counts, 0, False)])
                    counts[number] += 1
                distance[state] = best
                words[state] |= best << np.uint64(4 * (5 * pairs + sets))


def _built(heads: Numbering, tails: Numbering, runs: bool) -> Words:
    """Return the word of every state."""
    words = np.zeros(STATES, np.uint64)
    _build(
        heads, tails, runs, words, np.zeros(STATES, np.uint64),
        np.zeros((STATES, NUMBERS), np.int8), np.zeros(NUMBERS, np.int8),
        np.zeros(STATES, np.int64), np.zeros(STATES, np.bool_), np.zeros(MOST_SETS, np.int64),
    )  # fmt: skip
    return words


def _all_together(distances: Classes) -> Classes:
    """Return uint8[N, N, DISTANCES], the distances of each two of uint8[N, DISTANCES] together."""
    first, second = distances[:, None], distances[None]
    best = np.full((len(distances), len(distances), DISTANCES), NO_DISTANCE, np.uint8)
    for sets in range(MOST_SETS + 1):
        for here in range(sets + 1):
            rest = sets - here
            for pairs, in_first, in_second in ((0, 0, 0), (1, 0, 1), (1, 1, 0)):
                at = (MOST_SETS + 1) * pairs + sets
                a = first[..., (MOST_SETS + 1) * in_first + here]
                b = second[..., (MOST_SETS + 1) * in_second + rest]
                best[..., at] = np.minimum(best[..., at], a + b)
    return best


def _packed(distances: Classes) -> Words:
    """Return distances as the first bits of a word."""
    shifts = np.uint64(4) * np.arange(DISTANCES, dtype=np.uint64)
    packed: Words = (distances.astype(np.uint64) << shifts).sum(axis=-1, dtype=np.uint64)
    return packed


def _unpacked(words: Words) -> Classes:
    shifts = np.uint64(4) * np.arange(DISTANCES, dtype=np.uint64)
    return ((words[:, None] >> shifts) & np.uint64(15)).astype(np.uint8)


def _set_classes(kept: Any) -> None:
    """Fill in the classes and their tables, given the words."""
    words = kept["words"] & np.uint64((1 << WAITS_SHIFT) - 1)
    distances, suits = np.unique(words, return_inverse=True)
    known = distances
    while True:
        every = _all_together(_unpacked(known))
        both = np.unique(_packed(every))  # no suit has no tile, so they are all there
        if len(both) == len(known):
            break
        known = both
    kept["classes"] = 1 + np.searchsorted(known, distances)[suits].reshape(2, STATES)
    kept["together"][1:, 1:] = 1 + np.searchsorted(known, _packed(every))
    kept["lacking"] = NO_DISTANCE
    kept["lacking"][:, 1:, 1:] = np.moveaxis(every[..., MOST_SETS + 1 :], -1, 0)


def _load(path: Path) -> Any:
    try:
        kept = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return kept if kept.shape == () and kept.dtype == _KEPT else None


def _save(path: Path, kept: Any) -> None:
    """Write the table completely or not at all: another process may be reading or writing it."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".npy")
    except OSError:
        return  # a cache that cannot be written costs only time
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            np.save(file, kept)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)


@cache
def _kept() -> Any:
    path = cache_dir() / "suit-tables.npy"
    kept = _load(path)
    if kept is None:
        heads, tails = _numbering()
        kept = np.zeros((), _KEPT)
        kept["words"] = _built(heads, tails, True), _built(heads, tails, False)
        _set_classes(kept)
        _save(path, kept)
    return kept


@cache
def suit_tables(players: int = 4) -> SuitTables:
    """Return the tables for kernels, built at first use and then kept in the kernel cache.

    With three players manzu makes no runs.
    """
    kept = _kept()
    words, classes = kept["words"], kept["classes"]
    manzu = int(players == 3)
    block = np.zeros(1, dtype=_SUIT_TABLES)
    block["manzu"], block["suits"], block["honours"] = words[manzu], words[0], words[1]
    block["manzu_classes"] = classes[manzu]
    block["suit_classes"], block["honour_classes"] = classes[0], classes[1]
    block["together"], block["lacking"] = kept["together"], kept["lacking"]
    block["heads"], block["tails"] = _numbering()
    return block[0]
