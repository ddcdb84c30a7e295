"""Keeping a lake small and quick: files merged, deleted rows and old snapshots dropped.

Also sweeps away files that a killed ingest wrote and never registered.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import duckdb

from paifu.errors import LakeError
from paifu.lake.connection import CATALOG, METADATA, first_line
from paifu.lake.lake import Lake

ORPHAN_AGE = timedelta(hours=1)
"""How old an unregistered file must be: a younger one may be of an ingest that is running."""

_WRITTEN = {"parquet_compression": "zstd", "parquet_compression_level": "6"}
"""How DuckLake writes the files it merges: seldom, so smaller rather than sooner."""

_ROW_GROUPS = {"seeds": 4_096, "walls": 20_480}
"""Rows held together where a row is long: a writer, and who reads a few, has them in memory."""


def _steps(tables: Iterable[str], orphan_age: timedelta) -> Iterator[str]:
    """Yield the statements of a compaction, one table after the other to keep memory small."""
    for option, value in _WRITTEN.items():
        yield f"CALL ducklake_set_option('{CATALOG}', '{option}', '{value}')"
    for table, rows in _ROW_GROUPS.items():
        yield (
            f"CALL ducklake_set_option('{CATALOG}', 'parquet_row_group_size', {rows},"
            f" table_name => '{table}')"
        )
    yield f"CALL ducklake_flush_inlined_data('{CATALOG}')"
    for table in tables:
        yield f"CALL ducklake_rewrite_data_files('{CATALOG}', '{table}', delete_threshold => 0)"
        yield f"CALL ducklake_merge_adjacent_files('{CATALOG}', '{table}')"
    # the latest snapshot always stays
    yield f"CALL ducklake_expire_snapshots('{CATALOG}', older_than => now() + INTERVAL 1 DAY)"
    yield f"CALL ducklake_cleanup_old_files('{CATALOG}', cleanup_all => true)"
    yield (
        f"CALL ducklake_delete_orphaned_files('{CATALOG}', "
        f"older_than => now() - INTERVAL {int(orphan_age.total_seconds())} SECOND)"
    )


@dataclass(frozen=True, slots=True)
class Size:
    """How large a lake is."""

    files: int
    bytes: int


def size(lake: Lake) -> Size:
    """Return the number and bytes of the Parquet files of the lake as it stands."""
    row = lake.connection.execute(
        f"""SELECT coalesce(sum(file_count), 0), coalesce(sum(file_size_bytes), 0)
        FROM ducklake_table_info('{CATALOG}')"""
    ).fetchone()
    return Size(int(row[0]), int(row[1])) if row else Size(0, 0)


def scrub(lake: Lake) -> None:
    """Remove from the catalog what it still tells of rows that are gone.

    It keeps the smallest and largest text of each column ever seen, and SQLite keeps deleted rows
    in its free pages. Run after :func:`compact`, with no transaction open.
    """
    lake.connection.execute(
        f"""UPDATE {METADATA}.ducklake_table_column_stats SET min_value = NULL, max_value = NULL
        WHERE (table_id, column_id) IN
            (SELECT (table_id, column_id) FROM {METADATA}.ducklake_column
            WHERE column_type = 'varchar')"""
    )
    if not lake.location.is_url:
        with contextlib.closing(sqlite3.connect(lake.location.catalog, timeout=20)) as catalog:
            catalog.execute("VACUUM")
            catalog.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def compact(lake: Lake, *, orphan_age: timedelta = ORPHAN_AGE) -> tuple[Size, Size]:
    """Merge small files, drop deleted rows and old snapshots; return the size before and after.

    A query that another process is running on an older snapshot may fail. Raises
    :class:`~paifu.errors.LakeError` where the lake cannot be written.
    """
    before = size(lake)
    tables = lake.connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = ?", [CATALOG]
    ).fetchall()
    for step in _steps([table for (table,) in tables], orphan_age):
        try:
            # as Arrow: the times with a zone among the values would need pytz in Python
            lake.connection.execute(step).to_arrow_table()
        except duckdb.Error as error:
            raise LakeError(
                f"the lake at {lake.location.text} cannot be compacted now: {first_line(error)}"
            ) from None
    return before, size(lake)
