"""What killed processes left in a lake: files that were written but never registered."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import duckdb

from paifu.lake.connection import METADATA
from paifu.lake.locks import Locks, writer_of
from paifu.lake.staging import file_name

ORPHAN_AGE = timedelta(hours=1)
"""How old an unregistered file of an unknown writer must be: a program other than paifu may be
about to register a younger file."""

_CLOCK_S = 2.0
"""The assumed precision of file times."""


def sweep(connection: duckdb.DuckDBPyConnection, data: Path, locks: Locks) -> int:
    """Remove the files of writers that were killed; return how many.

    Files that paifu writes have their writer's name. Files that DuckLake writes do not have it.
    They are recognised by their time, if no other writer is alive that could have written them.
    """
    with locks.dead_writers() as (dead, alone):
        if not dead:
            return 0
        since = min(lock.stat().st_mtime for lock in dead) - _CLOCK_S
        found: set[Path] = set()
        for lock in dead:
            found.update(data.rglob(file_name(writer_of(lock), "*")))
        if alone:
            found.update(path for path, made in _times(data.rglob("ducklake-*")) if made >= since)
        removed = _remove(_unregistered(connection, found))
        for lock in dead if alone else ():
            lock.unlink(missing_ok=True)
    return removed


def sweep_own(connection: duckdb.DuckDBPyConnection, data: Path, locks: Locks) -> int:
    """Remove the files of this writer that it has not registered and never will; return how many.

    Workers of a cluster write in its name, and a task that was begun twice leaves files.
    """
    return _remove(_unregistered(connection, set(data.rglob(file_name(locks.name, "*")))))


def orphans(connection: duckdb.DuckDBPyConnection, data: Path) -> list[Path]:
    """Return all files of rows that the catalog does not know, also those being written now."""
    return sorted(_unregistered(connection, set(data.rglob("*.parquet"))))


def sweep_old(
    connection: duckdb.DuckDBPyConnection, data: Path, age: timedelta = ORPHAN_AGE
) -> int:
    """Remove unregistered files of a certain age by any writer; return how many."""
    before = time.time() - age.total_seconds()
    return _remove(path for path, made in _times(orphans(connection, data)) if made <= before)


def _times(paths: Iterable[Path]) -> Iterator[tuple[Path, float]]:
    """Yield when files were written; some files may have just been removed."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            yield path, path.stat().st_mtime


def _unregistered(connection: duckdb.DuckDBPyConnection, found: set[Path]) -> list[Path]:
    """Return the files that the catalog does not know; the query runs after they were found."""
    tables = ("ducklake_data_file", "ducklake_delete_file", "ducklake_files_scheduled_for_deletion")
    query = " UNION ALL ".join(f"SELECT path FROM {METADATA}.{table}" for table in tables)
    known = {Path(path).name for (path,) in connection.execute(query).fetchall()}
    return [path for path in found if path.name not in known]


def _remove(paths: Iterable[Path]) -> int:
    removed = 0
    for path in paths:
        path.unlink(missing_ok=True)
        removed += 1
    return removed
