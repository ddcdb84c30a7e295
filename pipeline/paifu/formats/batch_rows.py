"""Rows of a batch's columns: packed one by one as a game is read, or made from columns at once."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paifu.game.events import Array, Batch

_TEMPLATE = Batch()
STARTS = (
    "round_wind", "round_number", "round_honba", "round_sticks", "round_dealer", "round_dice",
    "round_indicator", "round_haipai", "round_scores",
)  # fmt: skip
ENDS = (
    "round_recorded_outcome", "round_recorded_tenpai", "round_recorded_before",
    "round_recorded_delta",
)  # fmt: skip
WINS = (
    "win_event", "win_hand", "win_indicators", "win_ura", "win_before",
    "win_delta", "win_fu", "win_han", "win_yakuman", "win_points", "win_limit", "win_pao",
    "win_honba", "win_sticks", "win_chips",
)  # fmt: skip
YAKU_OF_WINS = ("yaku_id", "yaku_han")
STATED = ("stated_event", "stated_scores")
_TYPECODES = {np.dtype(np.int8): "b", np.dtype(np.bool_): "?", np.dtype(np.int16): "h",
              np.dtype(np.int32): "i", np.dtype(np.int64): "q"}  # fmt: skip


def _row_type(names: Sequence[str]) -> np.dtype[np.void]:
    """Return the type of rows with these columns of a batch, in this order."""
    columns = [(name, getattr(_TEMPLATE, name)) for name in names]
    return np.dtype([(name, it.dtype, it.shape[1:]) for name, it in columns])


@dataclass(slots=True)
class Rows:
    """Rounds of many games as rows of a batch; :meth:`Builder.rows` adds them game by game."""

    events: Array
    """int64[E], packed."""
    round_events: Array
    """int64[R + 1]: index of the first event of each round, as in a batch."""
    starts: Array
    """Rows with the start of each round; likewise its end, each win and each yaku."""
    ends: Array
    wins: Array
    yaku: Array
    round_wins: Array
    """int64[R + 1]"""
    win_yaku: Array
    """int64[W + 1]"""


def rows_of(
    events: Array,
    round_events: Array,
    win_round: Array,
    yaku_win: Array,
    columns: Mapping[str, Any],
) -> Rows:
    """Return rounds as rows, from columns of a batch or one value for all rows.

    ``win_round`` and ``yaku_win`` (int64, ascending) are the round of each win and the win of each
    yaku. Raises ``ValueError`` if a number does not fit its column.
    """
    rounds = len(round_events) - 1

    def made(names: Sequence[str], count: int) -> Array:
        table = np.empty(count, dtype=_row_type(names))
        for name in names:
            values = np.broadcast_to(columns[name], table[name].shape)
            table[name] = values
            if not np.array_equal(table[name], values):
                raise ValueError(f"{name} holds a number that does not fit it")
        return table

    return Rows(
        events,
        round_events,
        made(STARTS, rounds),
        made(ENDS, rounds),
        made(WINS, len(win_round)),
        made(YAKU_OF_WINS, len(yaku_win)),
        np.searchsorted(win_round, np.arange(rounds + 1)),
        np.searchsorted(yaku_win, np.arange(len(win_round) + 1)),
    )


class Packed:
    """Rows of some columns of a batch, packed as consecutive bytes."""

    def __init__(self, names: Sequence[str]) -> None:
        self._dtype = _row_type(names)
        empty = [getattr(_TEMPLATE, name) for name in names]
        codes = (f"{math.prod(it.shape[1:])}{_TYPECODES[it.dtype]}" for it in empty)
        self._pack = struct.Struct("=" + "".join(codes)).pack
        self.data = bytearray()

    def add(self, *values: int) -> None:
        """Add a row, the values of all columns; ``ValueError`` if a value does not fit."""
        try:
            self.data += self._pack(*values)
        except struct.error as error:
            raise ValueError(str(error)) from None

    def __len__(self) -> int:
        return len(self.data) // self._dtype.itemsize

    def columns(self) -> dict[str, Array]:
        """Return the columns by name."""
        rows = np.frombuffer(bytes(self.data), dtype=self._dtype)
        return {name: np.ascontiguousarray(rows[name]) for name in self._dtype.names or ()}
