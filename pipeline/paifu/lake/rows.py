"""The rows of games: which ones a lake has, and tables without those that must not be in it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.lake.lake import Transaction

Rows = dict[int, int]
"""The row of each game in table ``games``; a game that is read again gets another row."""


def rows_of(tx: Transaction, ids: list[int]) -> Rows:
    """Return the rows of games; games that are not in the lake have none."""
    return dict(
        tx.execute("SELECT game_id, rowid FROM games WHERE game_id IN (SELECT unnest(?))", [ids])
    )


def without_games(tables: dict[str, pa.Table], ids: npt.NDArray[np.int64]) -> dict[str, pa.Table]:
    """Return tables without the rows of some games."""
    gone = pa.array(ids, pa.int64())
    return {
        name: table.filter(pc.invert(pc.is_in(table.column("game_id"), value_set=gone)))
        for name, table in tables.items()
    }
