"""The meanings of short texts: each is worked out once, and then looked up by a kernel.

Most of a log consists of the same few thousand texts, like
``{"type":"tsumo","actor":0,"pai":"F"}``. A Python function returns the meaning of such a text as a
number. A kernel then finds the numbers of all texts of a log at once, by their bytes and without
the interpreter's lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from paifu.game.events import Array
from paifu.kernels.compiling import inner, njit
from paifu.kernels.fnv import BASIS, fold_bytes

SPECIAL = -1
"""Returned by the function for a text that must be read by itself each time; not remembered."""

_MISSING = -(2**62)
_LONGEST = 200
"""The most bytes of a text that is remembered."""
_MOST = 1 << 16
"""The most texts that are remembered."""
_PROBES = 32
"""How many slots are searched for a text, so that texts made to collide cost little."""


@inner
def _slot(text: Array, start: int, stop: int, mask: int) -> int:
    """Return the slot of a table at which the search for a text begins (FNV-1a, folded)."""
    h = fold_bytes(BASIS, text, start, stop)
    return int(np.int64(h ^ (h >> np.uint64(29)))) & mask


@inner
def _same(text: Array, start: int, pool: Array, other: int, length: int) -> bool:
    for at in range(length):
        if text[start + at] != pool[other + at]:
            return False
    return True


@njit
def _fill(table: Array, pool: Array, offsets: Array) -> None:
    """Enter texts (``pool``, from each of the ``offsets`` to the next) in an empty table."""
    mask = len(table) - 1
    for entry in range(len(offsets) - 1):
        slot = _slot(pool, offsets[entry], offsets[entry + 1], mask)
        for _ in range(_PROBES):
            if table[slot] < 0:
                table[slot] = entry
                break
            slot = (slot + 1) & mask


@njit
def _look_up(
    text: Array, starts: Array, stops: Array, table: Array, pool: Array, offsets: Array,
    meanings: Array, found: Array,
) -> None:  # fmt: skip
    """Write the meaning of each text from ``starts`` to ``stops`` to ``found``, or ``_MISSING``."""
    mask = len(table) - 1
    for index in range(len(starts)):
        start, stop = starts[index], stops[index]
        found[index] = _MISSING
        if stop - start > _LONGEST:
            continue
        slot = _slot(text, start, stop, mask)
        for _ in range(_PROBES):
            entry = table[slot]
            if entry < 0:
                break
            length = offsets[entry + 1] - offsets[entry]
            if length == stop - start and _same(text, start, pool, offsets[entry], length):
                found[index] = meanings[entry]
                break
            slot = (slot + 1) & mask


class TextMemo:
    """Numbers of texts; a function works out the numbers that are not known yet.

    >>> memo = TextMemo(lambda text: int(text) if text.isdigit() else SPECIAL)
    >>> memo.meanings(b"12 x 12", np.array([0, 3, 5]), np.array([2, 4, 7])).tolist()
    [12, -1, 12]
    """

    def __init__(self, work_out: Callable[[bytes], int]) -> None:
        self._work_out = work_out
        self._learning = threading.Lock()
        self._known: dict[bytes, int] = {}
        self._built = 0
        self._table = self._tabulated()

    def meanings(self, text: bytes, starts: Array, stops: Array) -> Array:
        """Return the meanings of the texts between ``starts`` and ``stops`` (int64), as int64.

        Each span must be within ``text``, with its start not after its stop.
        """
        found = np.empty(len(starts), dtype=np.int64)
        _look_up(np.frombuffer(text, dtype=np.uint8), starts, stops, *self._table, found)
        missing = np.flatnonzero(found == _MISSING)
        if len(missing):
            spans = zip(starts[missing].tolist(), stops[missing].tolist(), strict=True)
            found[missing] = [self._meaning(text[start:stop]) for start, stop in spans]
            if len(self._known) > self._built + self._built // 4:
                self._table = self._tabulated()
        return found

    def _meaning(self, text: bytes) -> int:
        known = self._known.get(text)
        if known is None:
            known = self._work_out(text)
            if known != SPECIAL and len(text) <= _LONGEST and len(self._known) < _MOST:
                with self._learning:
                    self._known[text] = known
        return known

    def _tabulated(self) -> tuple[Array, Array, Array, Array]:
        """Return the kernel's table, texts, offsets and meanings of all texts that are known now.

        Other threads may continue to use the previous table.
        """
        with self._learning:
            known = list(self._known.items())
        texts = [text for text, _ in known]
        self._built = len(known)
        table = np.full(1 << max(8, (2 * len(known)).bit_length()), -1, dtype=np.int32)
        pool = np.frombuffer(b"".join(texts), dtype=np.uint8)
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        if known:  # without known texts no kernel needs to be compiled
            _fill(table, pool, offsets)
        return table, pool, offsets, np.array([meaning for _, meaning in known], dtype=np.int64)
