"""Recorded yaku: one row for each win and yaku, and the han of each kind of dora."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.game.events import Array, Batch
from paifu.kernels.compiling import njit
from paifu.schema.yaku import YAKU, YAKU_INDEX

DORA_KEYS = ("dora", "aka_dora", "ura_dora", "kita")
_DORA_INDICES = np.array([YAKU_INDEX[key] for key in DORA_KEYS])
_URA = YAKU_INDEX["ura_dora"]
_KEYS = len(YAKU)


@dataclass(slots=True)
class RecordedYaku:
    """The yaku of a batch's wins."""

    win: Array
    """int64[N]: row in ``wins`` of the win of each yaku."""
    yaku: Array
    """int16[N]: index into ``schema.YAKU``."""
    han: Array
    """int16[N]"""
    any_recorded: Array
    """bool[W]: whether the log lists yaku for the win."""
    dora: Array
    """int16[W, 4]: the han of each of :data:`DORA_KEYS`."""


@njit
def _collect(
    records: Array, win_yaku: Array, yaku_id: Array, yaku_han: Array,
    win: Array, yaku: Array, han: Array, dora: Array,
) -> int:  # fmt: skip
    """Write the rows, each yaku of a win once, and return the number of rows."""
    size = 0
    for w in range(len(records)):
        first = size
        for y in range(win_yaku[records[w]], win_yaku[records[w] + 1]):
            key = yaku_id[y]
            if key < 0 or key >= _KEYS:
                continue
            for i in range(len(_DORA_INDICES)):
                if key == _DORA_INDICES[i]:
                    dora[w, i] += yaku_han[y]
            if key == _URA and yaku_han[y] == 0:
                continue  # Tenhou writes ura dora for every win in riichi
            known = first
            while known < size and yaku[known] != key:
                known += 1
            if known < size:
                han[known] += yaku_han[y]
                continue
            win[size] = w
            yaku[size] = key
            han[size] = yaku_han[y]
            size += 1
    return size


def recorded_yaku(batch: Batch, records: Array) -> RecordedYaku:
    """Return the yaku of the wins ``records`` int32[W], which are indices into ``win_event``."""
    most = len(batch.yaku_id)
    win, yaku = np.empty(most, np.int64), np.empty(most, np.int16)
    han, dora = np.empty(most, np.int16), np.zeros((len(records), len(DORA_KEYS)), np.int16)
    size = _collect(
        records, batch.win_yaku, batch.yaku_id, batch.yaku_han, win, yaku, han, dora
    )  # fmt: skip
    listed = (np.diff(batch.win_yaku) > 0)[records]
    return RecordedYaku(win[:size], yaku[:size], han[:size], listed, dora)
