"""Removes the rows of games that must not be in the lake."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc


def without_games(tables: dict[str, pa.Table], ids: npt.NDArray[np.int64]) -> dict[str, pa.Table]:
    """Return tables without the rows of some games."""
    gone = pa.array(ids, pa.int64())
    return {
        name: table.filter(pc.invert(pc.is_in(table.column("game_id"), value_set=gone)))
        for name, table in tables.items()
    }
