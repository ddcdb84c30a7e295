"""Readings as people write them: ``123m 456p 789s 111z 55p``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from paifu.rules.hands.scoring_kernels import LONGEST_READING, write_readings

READING_COLUMNS = ("form", "set_0", "set_1", "set_2", "set_3", "pair")
"""Columns of a reading that its text is made of."""


def reading_text(
    columns: dict[str, npt.NDArray[Any]],
    concealed: npt.NDArray[np.int8],
    best: npt.NDArray[np.int64],
) -> pl.Series:
    """Return the text of the readings in rows ``best`` (int64[N]); NULL where it is -1.

    ``columns`` are those of :data:`READING_COLUMNS`, ``concealed`` int8[N, 34] the hands' tiles.
    """
    text = np.zeros(len(best) * LONGEST_READING, dtype=np.uint8)
    offsets = np.zeros(len(best) + 1, dtype=np.int32)
    form, set_0, set_1, set_2, set_3, pair = (columns[name] for name in READING_COLUMNS)
    write_readings(best, form, set_0, set_1, set_2, set_3, pair, concealed, text, offsets)
    array = pa.StringArray.from_buffers(
        len(best), pa.py_buffer(offsets), pa.py_buffer(text[: offsets[-1]])
    )
    return pl.Series(_Capsule(array)).set(pl.Series(best < 0), None).alias("reading")


class _Capsule:
    """An Arrow array that shows Polars only its C interface.

    For an array of pyarrow, Polars would load ``pyarrow.compute``: a tenth of a second for one
    hand.
    """

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        capsules: tuple[object, object] = self._array.__arrow_c_array__(requested_schema)
        return capsules
