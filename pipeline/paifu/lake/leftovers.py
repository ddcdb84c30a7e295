"""What killed processes left in a lake: files that were written but never registered."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import timedelta
from pathlib import PurePath

import duckdb

from paifu.errors import LakeError
from paifu.lake.connection import METADATA
from paifu.lake.locks import Locks
from paifu.lake.staging import file_name
from paifu.stores.store import Store, Stored

ORPHAN_AGE = timedelta(hours=1)
"""How old an unregistered file of an unknown writer must be: a program other than paifu may be
about to register a younger file."""

_CLOCK_S = 2.0
"""The assumed precision of file times."""

_MARK = "paifu-{}.lake"
"""The name of the file that says to which lake the files of a store belong."""


def mark(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    """Note in a store that its files belong to the attached lake, whose catalog is elsewhere.

    Raises :class:`~paifu.errors.LakeError` if they belong to another lake.
    """
    own = _MARK.format(_identity(connection))
    sink = store.write(own)
    sink.close()
    try:
        check_marks(connection, store)
    except LakeError:
        store.delete([own])
        raise


def check_marks(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    """Raise :class:`~paifu.errors.LakeError` if a store has files of another lake."""
    own = _MARK.format(_identity(connection))
    if any(found.path != own for found in store.list(pattern=_MARK.format("*"), deep=False)):
        raise LakeError(
            f"{store.address} holds the files of another lake: two lakes cannot share them, "
            "because each would remove those of the other"
        )


def _identity(connection: duckdb.DuckDBPyConnection) -> str:
    """Return what tells a lake from all others: DuckLake's id of its first schema."""
    row = connection.execute(
        f"SELECT schema_uuid FROM {METADATA}.ducklake_schema ORDER BY begin_snapshot, schema_id"
    ).fetchone()
    if row is None:
        raise LakeError("the catalog is damaged: it has no schema")
    return str(row[0])


def sweep(connection: duckdb.DuckDBPyConnection, store: Store, locks: Locks) -> int:
    """Remove the files of writers that were killed; return how many.

    Files that paifu writes have their writer's name. Files that DuckLake writes do not have it.
    They are recognised by their time, if no other writer is alive that could have written them.
    """
    with locks.dead_writers() as dead:
        if not dead.since:
            return 0
        since = min(dead.since.values()) - _CLOCK_S
        own = tuple(file_name(name, "").removesuffix(".parquet") for name in dead.since)
        found = [
            file.path
            for file in store.list()
            if PurePath(file.path).name.startswith(own)
            or (dead.alone and _is_ducklakes(file) and file.modified >= since)
        ]
        lost = _unregistered(connection, found)
        store.delete(lost)
        if dead.alone:
            locks.forget_writers(dead)
    return len(lost)


def sweep_own(connection: duckdb.DuckDBPyConnection, store: Store, locks: Locks) -> int:
    """Remove the files of this writer that it has not registered and never will; return how many.

    Workers of a cluster write in its name, and a task that was begun twice leaves files.
    """
    found = (file.path for file in store.list(pattern=file_name(locks.name, "*")))
    lost = _unregistered(connection, found)
    store.delete(lost)
    return len(lost)


def _is_ducklakes(file: Stored) -> bool:
    return PurePath(file.path).name.startswith("ducklake-")


def orphans(connection: duckdb.DuckDBPyConnection, store: Store) -> list[Stored]:
    """Return all files of rows that the catalog does not know, also those being written now."""
    found = {file.path: file for file in store.list(pattern="*.parquet")}
    return [found[path] for path in sorted(_unregistered(connection, found))]


def sweep_old(
    connection: duckdb.DuckDBPyConnection, store: Store, age: timedelta = ORPHAN_AGE
) -> int:
    """Remove unregistered files of a certain age by any writer; return how many."""
    before = time.time() - age.total_seconds()
    old = [file.path for file in orphans(connection, store) if file.modified <= before]
    if old:
        check_marks(connection, store)
        store.delete(old)
    return len(old)


def _unregistered(connection: duckdb.DuckDBPyConnection, found: Iterable[str]) -> list[str]:
    """Return the files that the catalog does not know; the query runs after they were found."""
    tables = ("ducklake_data_file", "ducklake_delete_file", "ducklake_files_scheduled_for_deletion")
    query = " UNION ALL ".join(f"SELECT path FROM {METADATA}.{table}" for table in tables)
    known = {PurePath(path).name for (path,) in connection.execute(query).fetchall()}
    return [path for path in found if PurePath(path).name not in known]
