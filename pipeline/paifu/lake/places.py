"""Where the rows of some games are: in which files of each table, between which rows.

Game ids are hashes, so they do not show that a file or row group lacks a game. But an ingest writes
its games to all tables in the same order, and compaction keeps that order. So the rows of games
that are neighbours in ``games`` are neighbours in every table. A batch of such games is read
between two rows of one or two files; otherwise each batch would scan whole tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import numpy.typing as npt

from paifu.lake.changes import changes_since, inserted
from paifu.lake.connection import METADATA, current_version, quoted
from paifu.lake.staging import file_name

if TYPE_CHECKING:
    import polars as pl

FILE_ORDER = "file_index, file_row_number"
"""The order of ``games`` in which neighbours are neighbours in the files."""

_FEW_OTHERS = 4
"""A batch with every fourth game of the lake or more is read without looking where its rows are."""

_PLACES = """
    SELECT '{table}' AS name, batch, any_value(filename) AS file,
        min(file_row_number) AS first, max(file_row_number) AS last
    FROM {table} JOIN batches USING (game_id) WHERE {condition} GROUP BY batch, file_index
"""

_OLDER = f"""
    SELECT table_name, f.path FROM {METADATA}.ducklake_data_file AS f
    JOIN (SELECT DISTINCT table_id, table_name FROM {METADATA}.ducklake_table) USING (table_id)
    WHERE f.end_snapshot IS NULL AND coalesce(f.partial_max, f.begin_snapshot) < ?
"""
"""The files of which all rows came before a snapshot."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the rows of batches of games are, by the number of the batch."""

    snapshot: int
    """The snapshot in which they are there."""
    conditions: Mapping[str, Mapping[int, str]]
    """For each table and batch, a condition that is true for all its rows and for few others."""

    def of(self, number: int) -> dict[str, str]:
        """Return the condition of each table for a batch."""
        return {table: rows.get(number, "false") for table, rows in self.conditions.items()}


def find_places(
    connection: duckdb.DuckDBPyConnection,
    batches: Mapping[int, pl.DataFrame],
    tables: Sequence[str],
) -> Places:
    """Find the rows of ``tables`` of batches, by number, that have a column ``game_id``."""
    import polars as pl

    snapshot = current_version(connection)
    ids = pl.concat(
        batch.select("game_id", batch=pl.lit(number, dtype=pl.Int64))
        for number, batch in batches.items()
    )
    connection.register("batches", ids.to_arrow())
    try:
        newer = in_newer_files(connection, "batches")
        if len(batches) == 1 and _is_most(connection, len(ids)):
            ((number, _),) = batches.items()
            conditions = {table: {number: newer.get(table, "true")} for table in tables}
            return Places(snapshot or 0, conditions)
        query = " UNION ALL ".join(
            _PLACES.format(table=table, condition=newer.get(table, "true")) for table in tables
        )
        found = connection.execute(f"{query} ORDER BY name, batch").pl()
    finally:
        connection.unregister("batches")
    return Places(snapshot or 0, {table: _conditions(found.filter(name=table)) for table in tables})


def _is_most(connection: duckdb.DuckDBPyConnection, games: int) -> bool:
    """Return whether a lake has so few other games that to look for rows is not worth it."""
    row = connection.execute("SELECT count(*) FROM games").fetchone()
    return row is not None and row[0] <= _FEW_OTHERS * games


def have_moved(
    connection: duckdb.DuckDBPyConnection,
    snapshot: int,
    tables: Collection[str],
    games: npt.NDArray[np.int64],
) -> bool:
    """Return whether rows of some games may have been moved by the commits after a snapshot."""
    changes = changes_since(connection, snapshot)
    if changes is None or not changes.moved.isdisjoint(tables):
        return True
    for table in changes.inserted.intersection(tables):
        rows = inserted(table, snapshot + 1, changes.last)
        found = connection.execute(f"SELECT DISTINCT game_id FROM {rows}").fetchnumpy()
        if np.isin(found["game_id"], games).any():
            return True
    return False


def in_newer_files(connection: duckdb.DuckDBPyConnection, ids: str) -> dict[str, str]:
    """Return conditions, by table, that leave out the files that are older than some games.

    ``ids`` is a relation with the ``game_id`` of these games. Their rows came with them or later.
    If a file with them in ``games`` has been rewritten, or ``games`` has lost some of them, it is
    not known when they came; then nothing is left out.
    """
    found = connection.execute(
        f"""SELECT filename, count(*) FROM games SEMI JOIN {ids} USING (game_id) GROUP BY 1
        UNION ALL SELECT NULL, -count(*) FROM {ids}"""
    ).fetchall()
    names = [Path(name).name for name, _ in found if name]
    known = names and not sum(games for _, games in found)
    if not known or not all(Path(name).match(file_name("*", "*")) for name in names):
        return {}
    came = connection.execute(
        f"""SELECT min(begin_snapshot) FROM {METADATA}.ducklake_data_file
        WHERE list_contains($names, parse_filename(path))""",
        {"names": names},
    ).fetchall()
    files: dict[str, list[str]] = {}
    for table, path in connection.execute(_OLDER, [came[0][0]]).fetchall():
        files.setdefault(table, []).append(path)
    return {
        table: f"parse_filename(filename) NOT IN ({', '.join(quoted(Path(p).name) for p in paths)})"
        for table, paths in files.items()
    }


def _conditions(places: pl.DataFrame) -> dict[int, str]:
    """Return a condition for each batch, from its files and its first and last row in them."""
    import polars as pl

    spans = places.group_by("batch").agg("file", pl.col("first").min(), pl.col("last").max())
    return {
        batch: f"filename IN ({', '.join(map(quoted, files))})"
        f" AND file_row_number BETWEEN {first} AND {last}"
        for batch, files, first, last in spans.iter_rows()
    }
