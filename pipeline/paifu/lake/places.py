"""Where the rows of some games lie: in which files of each table, between which rows of these.

Game ids are hashes, so they tell of no file or row group that it has nothing of a game. But an
ingest writes its games to all tables in one order, and compaction keeps that order: the rows of
games that lie side by side in ``games`` lie side by side everywhere. Batches of such games are read
between two rows of one or two files, where each of them would else scan whole tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import polars as pl

from paifu.lake.connection import CATALOG, quoted
from paifu.lake.lake import Lake, Transaction

FILE_ORDER = "file_index, file_row_number"
"""What to order ``games`` by, for games that lie side by side to stand so."""

_PLACES = """
    SELECT batch, any_value(filename) AS file,
        min(file_row_number) AS first, max(file_row_number) AS last
    FROM {table} JOIN batches USING (game_id) GROUP BY batch, file_index ORDER BY batch
"""


class Places:
    """Where the rows of batches of games lie, looked up anew once others have changed the lake."""

    def __init__(self, batches: Sequence[pl.DataFrame], tables: Sequence[str]) -> None:
        """``batches`` each have a column ``game_id``; the rows are those of ``tables``."""
        self._batches = batches
        self._tables = tables
        self._snapshot: int | None = None
        self._conditions: dict[str, dict[int, str]] = {}

    def of(self, tx: Transaction, number: int) -> dict[str, str]:
        """Return for each table a condition that holds for all rows of a batch, and few others.

        ``number`` is the batch's; batches are asked for in order.
        """
        snapshot = _snapshot(tx.connection, "current_snapshot")
        if snapshot != self._snapshot:
            self._conditions = self._look(tx.connection, number)
            self._snapshot = snapshot
        return {table: rows.get(number, "false") for table, rows in self._conditions.items()}

    def committed(self, lake: Lake) -> None:
        """Take note of a transaction that moved no row of these tables.

        Told of each right after it; one by anybody else in between is found out.
        """
        ours = _snapshot(lake.connection, "last_committed_snapshot")
        if ours is not None and ours - 1 == self._snapshot:
            self._snapshot = ours

    def _look(self, connection: duckdb.DuckDBPyConnection, start: int) -> dict[str, dict[int, str]]:
        ids = pl.concat(
            batch.select("game_id", batch=pl.lit(number, dtype=pl.Int64))
            for number, batch in enumerate(self._batches[start:], start)
        )
        connection.register("batches", ids.to_arrow())
        try:
            return {
                table: _conditions(connection.execute(_PLACES.format(table=table)).pl())
                for table in self._tables
            }
        finally:
            connection.unregister("batches")


def _conditions(places: pl.DataFrame) -> dict[int, str]:
    """Return a condition for each batch from its files and its first and last row in them."""
    spans = places.group_by("batch").agg("file", pl.col("first").min(), pl.col("last").max())
    return {
        batch: f"filename IN ({', '.join(map(quoted, files))})"
        f" AND file_row_number BETWEEN {first} AND {last}"
        for batch, files, first, last in spans.iter_rows()
    }


def _snapshot(connection: duckdb.DuckDBPyConnection, which: str) -> int | None:
    """Return the number of the ``current_snapshot`` or ``last_committed_snapshot``."""
    row = connection.execute(f"SELECT id FROM ducklake_{which}('{CATALOG}')").fetchone()
    return row[0] if row else None
