"""What short texts mean, worked out once each and looked up by a kernel ever after.

Most of a log is the same few thousand texts over and over, like ``{"type":"tsumo","actor":0,
"pai":"F"}``. A plain Python function says what such a text means, a number; a kernel then finds the
numbers of all the texts of a log at once, by their very bytes and without the interpreter's lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from paifu.game.events import Array
from paifu.kernels.compiling import inner, njit

SPECIAL = -1
"""What the function returns for a text that is to be read by itself each time; not remembered."""

_MISSING = -(2**62)
_LONGEST = 200
"""Bytes of a text that is remembered."""
_MOST = 1 << 16
"""Texts that are remembered."""
_PROBES = 32
"""Slots looked at for a text, so that texts made to collide cost little."""
_FNV_BASIS, _FNV_PRIME = -3750763034362895579, 1099511628211


@inner
def _slot(text: Array, start: int, stop: int, mask: int) -> int:
    """Return where in a table the search for a text begins (FNV-1a, folded)."""
    key = _FNV_BASIS
    for at in range(start, stop):
        key = (key ^ text[at]) * _FNV_PRIME
    return (key ^ (key >> 29)) & mask


@inner
def _same(text: Array, start: int, pool: Array, other: int, length: int) -> bool:
    for at in range(length):
        if text[start + at] != pool[other + at]:
            return False
    return True


@njit
def _fill(table: Array, pool: Array, offsets: Array) -> None:
    """Enter texts (``pool``, from each of the ``offsets`` to the next) in a table of free slots."""
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
    """Write what each text from ``starts`` to ``stops`` means to ``found``, or ``_MISSING``."""
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
    """Numbers of texts; what is not known yet is worked out by a function.

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
        """Return what the texts between ``starts`` and ``stops`` (int64) mean, as int64.

        Spans must lie within ``text``, each with its start before its stop or on it.
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
        """Return the kernel's table, texts, their offsets and meanings: of all that is known now.

        Other threads may go on with the table there was.
        """
        with self._learning:
            known = list(self._known.items())
        texts = [text for text, _ in known]
        self._built = len(known)
        table = np.full(1 << max(8, (2 * len(known)).bit_length()), -1, dtype=np.int32)
        pool = np.frombuffer(b"".join(texts), dtype=np.uint8)
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        if known:  # no kernel is compiled before there is something to look up
            _fill(table, pool, offsets)
        return table, pool, offsets, np.array([meaning for _, meaning in known], dtype=np.int64)
