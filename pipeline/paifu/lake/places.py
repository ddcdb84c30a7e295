"""Where the rows of some games are: in which files of each table, between which rows.

Game ids are hashes, so they do not show that a file or row group lacks a game. But an ingest writes
its games to all tables in the same order, and compaction keeps that order. So the rows of games
that are neighbours in ``games`` are neighbours in every table. A batch of such games is read
between two rows of one or two files; otherwise each batch would scan whole tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import polars as pl

from paifu.lake.connection import CATALOG, quoted
from paifu.lake.lake import Lake, Transaction

FILE_ORDER = "file_index, file_row_number"
"""The order of ``games`` in which neighbours are neighbours in the files."""

_PLACES = """
    SELECT batch, any_value(filename) AS file,
        min(file_row_number) AS first, max(file_row_number) AS last
    FROM {table} JOIN batches USING (game_id) GROUP BY batch, file_index ORDER BY batch
"""


class Places:
    """Where the rows of batches of games are; looked up again after others changed the lake."""

    def __init__(self, batches: Sequence[pl.DataFrame], tables: Sequence[str]) -> None:
        """Each of ``batches`` has a column ``game_id``; the rows are those of ``tables``."""
        self._batches = batches
        self._tables = tables
        self._snapshot: int | None = None
        self._conditions: dict[str, dict[int, str]] = {}

    def of(self, tx: Transaction, number: int) -> dict[str, str]:
        """Return, for each table, a condition that is true for all rows of a batch and few others.

        ``number`` is the number of the batch; batches are requested in order.
        """
        snapshot = _snapshot(tx.connection, "current_snapshot")
        if snapshot != self._snapshot:
            self._conditions = self._look(tx.connection, number)
            self._snapshot = snapshot
        return {table: rows.get(number, "false") for table, rows in self._conditions.items()}

    def committed(self, lake: Lake) -> None:
        """Note a transaction that moved no row of these tables.

        Call it right after each such transaction; a transaction by others in between is detected.
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
    """Return a condition for each batch, from its files and its first and last row in them."""
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
