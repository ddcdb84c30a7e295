"""Keeping a lake small and quick: files merged, deleted rows and old snapshots dropped.

Also sweeps away files that a killed ingest wrote and never registered.
"""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from datetime import timedelta

import duckdb

from paifu.errors import LakeError
from paifu.lake.connection import CATALOG, METADATA, first_line
from paifu.lake.lake import Lake

ORPHAN_AGE = timedelta(hours=1)
"""How old an unregistered file must be: a younger one may be of an ingest that is running."""

_STEPS = (
    f"CALL ducklake_flush_inlined_data('{CATALOG}')",
    f"CALL ducklake_rewrite_data_files('{CATALOG}', delete_threshold => 0)",
    f"CALL ducklake_merge_adjacent_files('{CATALOG}')",
    # the latest snapshot always stays
    f"CALL ducklake_expire_snapshots('{CATALOG}', older_than => now() + INTERVAL 1 DAY)",
    f"CALL ducklake_cleanup_old_files('{CATALOG}', cleanup_all => true)",
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
    sweep = (
        f"CALL ducklake_delete_orphaned_files('{CATALOG}', "
        f"older_than => now() - INTERVAL {int(orphan_age.total_seconds())} SECOND)"
    )
    for step in (*_STEPS, sweep):
        try:
            # as Arrow: the times with a zone among the values would need pytz in Python
            lake.connection.execute(step).to_arrow_table()
        except duckdb.Error as error:
            raise LakeError(
                f"the lake at {lake.location.text} cannot be compacted now: {first_line(error)}"
            ) from None
    return before, size(lake)
