"""Attaches a lake: DuckDB, its extensions, the catalog, the store, and possible errors."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import duckdb

from paifu.errors import LakeError, UsageError
from paifu.host.duckdb_extensions import DUCKLAKE, SQLITE, STORE, extension_file
from paifu.host.private_folder import private_folder
from paifu.host.terminal import is_utf8
from paifu.lake.catalogs import BUSY_TIMEOUT_MS, Options, SqliteCatalog
from paifu.lake.failures import DATABASE_ERRORS, lacks_tables, unusable
from paifu.lake.location import DATA, Location, data_store
from paifu.lake.locks import Locks
from paifu.lake.other_process import CannotError, DamagedError, last_row
from paifu.stores.buckets import make_secret
from paifu.stores.store import Store

CATALOG = "lake"
"""The name under which every connection of paifu attaches the lake."""

METADATA = f"__ducklake_metadata_{CATALOG}"
"""The name under which DuckLake itself attaches the lake's catalog."""

_WRITER_MEMORY = "1GB"
"""The memory that DuckDB may use to write a lake of any size; beyond that it uses the disk."""
_BUSY = "database is locked"


def connect() -> duckdb.DuckDBPyConnection:
    """Return a DuckDB connection in memory with DuckLake and SQLite."""
    connection = duckdb.connect(
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            # The packages installed with pip are trusted like DuckDB itself: checking the
            # signatures of 70 MB would take longer than everything else when a lake is opened.
            "allow_unsigned_extensions": "true",
            "temp_directory": _spill_folder(),
        }
    )
    with suppress(duckdb.InvalidInputException):  # a notebook without ipywidgets has no bar
        connection.execute("SET enable_progress_bar = false")
    for package in (SQLITE, DUCKLAKE):
        connection.load_extension(str(extension_file(package)))
    # Otherwise SQLite's scanner reads each table of the catalog in a separate connection, and one
    # statement could see the catalog both before and after another process commits.
    connection.execute("SET GLOBAL sqlite_disable_multithreaded_scans = true")
    connection.execute("SET allow_unsigned_extensions = false")  # this cannot be undone
    return connection


def _spill_folder() -> str:
    """Return a new folder for data that does not fit into memory; it is removed at exit.

    Each connection has its own folder, because connections write files of the same names. The text
    is empty if no folder can be made; then all data stays in memory.
    """
    try:
        return tempfile.mkdtemp(prefix="spill-", dir=private_folder())
    except OSError:
        return ""


def reach(
    connection: duckdb.DuckDBPyConnection, location: Location, *, create: bool
) -> tuple[Store, int | None]:
    """Load what a lake needs; return where its files are, and its newest snapshot.

    The snapshot is None if there is none yet, or it cannot be read. Raises
    :class:`~paifu.errors.LakeError` if there is no lake, unless ``create`` makes one.
    """
    location.check()
    catalog = location.catalog
    for package in catalog.extensions:
        connection.load_extension(str(extension_file(package)))
    if location.folder is not None:
        _check_folder(connection, location, create=create)
    snapshot, data = catalog.state(connection, location.place)
    store = location.store
    if location.folder is None:
        if snapshot is None and not create:
            raise LakeError(
                f"there is no lake at {location.place}: "
                f"make one with paifu ingest … --lake {location.place}"
            )
        file = catalog.file if isinstance(catalog, SqliteCatalog) else None
        known = data_store(data, file and file.parent) if data else None
        if known and store and store.address != known.address:
            raise LakeError(
                f"the data of the lake at {location.place} are at {known.address}, not at "
                f"{store.address}: its catalog says so"
            )
        store = store or known
        if store is None and file is not None:
            store = Store.folder(file.with_name(f"{file.name}.files"))
    if store is None:
        raise LakeError(
            f"nothing says where the data of the new lake at {location.place} go: set "
            "PAIFU_DATA_PATH, or name a TOML file with catalog and data as the lake"
        )
    if store.bucket:
        connection.load_extension(str(extension_file(STORE)))
        make_secret(connection, store.bucket)
    return store, snapshot


def attach(
    connection: duckdb.DuckDBPyConnection,
    location: Location,
    store: Store,
    *,
    write: bool,
    version: int | None = None,
) -> None:
    """Attach a lake that was reached as ``lake``, and make it the default catalog.

    ``version`` is the snapshot to read, which stays the same when others write. A catalog whose
    writer was killed must be opened once for writing before it can be read. A catalog on a
    read-only medium is read from a copy, because SQLite needs to write beside it. Raises
    :class:`~paifu.errors.LakeError`.
    """
    options = _options(connection, location, store, write=write, create=False)
    if version is not None:
        options["SNAPSHOT_VERSION"] = version
    catalog = location.catalog
    if write:
        _attach_patiently(connection, location, options, create=False)
        return
    try:
        _attach(connection, catalog.url, options, location)
    except LakeError:
        if not isinstance(catalog, SqliteCatalog):
            raise
        _attach(connection, f"ducklake:sqlite:{_recovered(catalog.file)}", options, location)


def make(
    connection: duckdb.DuckDBPyConnection, location: Location, store: Store, locks: Locks
) -> None:
    """Attach a lake for writing; if there is none, make its catalog.

    Raises :class:`~paifu.errors.LakeError` if something else is there.
    """
    with locks.committing():
        if location.folder is None:
            _check_elsewhere(connection, location, store)
        options = _options(connection, location, store, write=True, create=True)
        if path := store.path:
            path.mkdir(parents=True, exist_ok=True)
        if isinstance(location.catalog, SqliteCatalog):
            options["CREATE_IF_NOT_EXISTS"] = not location.catalog.file.exists()
        _attach_patiently(connection, location, options, create=True)


def _options(
    connection: duckdb.DuckDBPyConnection, location: Location, store: Store, *, write: bool,
    create: bool,
) -> Options:  # fmt: skip
    if write:  # a writer reads each file once, and need not keep the files in memory
        connection.execute("SET enable_external_file_cache = false")
        connection.execute(f"SET memory_limit = '{_WRITER_MEMORY}'")
    return {
        "READ_ONLY": not write, "CREATE_IF_NOT_EXISTS": create,
        "DATA_PATH": store.address, "OVERRIDE_DATA_PATH": True,
        **location.catalog.options(write=write),
    }  # fmt: skip


def current_version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the snapshot that a statement reads now; None if the lake has no snapshot."""
    row = connection.execute(f"SELECT id FROM ducklake_current_snapshot('{CATALOG}')").fetchone()
    return row[0] if row else None


def last_committed(connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the snapshot of the last commit by this connection; None if it made none."""
    row = connection.execute(f"SELECT id FROM ducklake_last_committed_snapshot('{CATALOG}')")
    found = row.fetchone()
    return found[0] if found else None


def detach(connection: duckdb.DuckDBPyConnection) -> None:
    """Detach the lake, so that it can be attached again."""
    connection.execute(f"USE memory; DETACH {CATALOG}")


def _attach_patiently(
    connection: duckdb.DuckDBPyConnection, location: Location, options: Options, *, create: bool
) -> None:
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            _attach(connection, location.catalog.url, options, location)
            break
        except _NoTablesError:
            if not create:
                raise
            options["CREATE_IF_NOT_EXISTS"] = True  # its maker stopped after that
        except LakeError as error:
            # if two processes make the same lake, the second finds it when it tries again
            if not create or _BUSY not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.05 + 0.1 * random.random())
    if location.folder is not None:
        _make_movable(connection)


def _make_movable(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the catalog name its data by a relative path, not by the original absolute path.

    Otherwise other clients would read the original's files when they open a copy.
    """
    place = f"{METADATA}.ducklake_metadata"
    where = "WHERE key = 'data_path' AND value <> ?"
    # another process is doing it now, or the next process will do it
    with suppress(*DATABASE_ERRORS):
        if connection.execute(f"SELECT 1 FROM {place} {where}", [DATA]).fetchone():
            connection.execute(f"UPDATE {place} SET value = ? {where}", [DATA, DATA])


def _check_folder(
    connection: duckdb.DuckDBPyConnection, location: Location, *, create: bool
) -> None:
    folder, catalog = _folder_and_catalog(location)
    if folder.is_file():
        raise LakeError(f"{folder} is a file, not a lake: name the folder the lake is in")
    if not catalog.exists():
        if not create:
            raise LakeError(
                f"there is no lake at {folder}: make one with paifu ingest … --lake {location.text}"
            )
        if _holds_other_files(location):
            raise LakeError(
                f"{folder} holds other files and no lake: name a new or an empty folder"
            )
    elif create and _is_foreign(connection, catalog):  # before anything is written there
        raise LakeError(f"{folder} is not a lake: its catalog has no DuckLake tables")


def _folder_and_catalog(location: Location) -> tuple[Path, Path]:
    folder = location.folder or Path()
    return folder, folder / "catalog.sqlite"


def _holds_other_files(location: Location) -> bool:
    """Return whether a folder without a catalog has anything except an empty ``data``.

    Compacting a lake removes files that its catalog does not know, so no other files may be there.
    """
    folder, catalog = _folder_and_catalog(location)
    if not folder.is_dir():
        return False
    data = folder / DATA
    others = any(path not in (data, folder / "locks") for path in folder.iterdir())
    others = others or any(path.is_file() for path in data.rglob("*"))
    return others and not catalog.exists()  # another process may be making the lake


def _check_elsewhere(
    connection: duckdb.DuckDBPyConnection, location: Location, store: Store
) -> None:
    """Refuse to make a lake, in the lock for commits, where files are that are not its own."""
    catalog = location.catalog
    snapshot, _ = catalog.state(connection, location.place)
    if snapshot is not None:
        return
    if isinstance(catalog, SqliteCatalog):
        if catalog.file.exists() and _is_foreign(connection, catalog.file):
            raise LakeError(f"{catalog.name} is not a lake: it has no DuckLake tables")
    try:
        there = next(iter(store.list()), None)
    except OSError as error:
        raise LakeError(f"{store.address} cannot be read: {error.strerror or error}") from None
    if there is not None:
        raise LakeError(
            f"{store.address} holds files of something else, such as {there.path}: the data of a "
            "new lake need a place of their own"
        )


def _is_foreign(connection: duckdb.DuckDBPyConnection, catalog: Path) -> bool:
    """Return whether a database has tables that are not DuckLake's."""
    table = f"sqlite_scan({_literal(str(catalog))}, 'sqlite_master')"
    try:
        rows = connection.execute(f"SELECT name FROM {table} WHERE type = 'table'").fetchall()
    except DATABASE_ERRORS:  # locked or damaged: attaching it reports the error
        return False
    return bool(rows) and not any(name.startswith("ducklake_") for (name,) in rows)


def _recovered(catalog: Path) -> Path:
    """Return a catalog that can be opened for reading: recovered in place, or else a copy."""
    try:
        last_row(catalog, ["PRAGMA wal_checkpoint"], writes=True)
    except (CannotError, DamagedError):
        folder = Path(tempfile.mkdtemp(prefix="catalog-", dir=private_folder()))
        for path in catalog.parent.glob(f"{catalog.name}*"):
            shutil.copy(path, folder)
        return folder / catalog.name
    return catalog


def _attach(
    connection: duckdb.DuckDBPyConnection, url: str, options: Options, location: Location
) -> None:
    listed = ", ".join(f"{name} {_literal(value)}" for name, value in options.items())
    try:
        connection.execute(f"ATTACH {_literal(url)} AS {CATALOG} ({listed})")
        connection.execute(f"USE {CATALOG}")
    except DATABASE_ERRORS as error:
        with suppress(*DATABASE_ERRORS):  # the next attempt shall fail for the same reason
            connection.execute(f"DETACH DATABASE IF EXISTS {CATALOG}")
        raise _unusable(location, error) from None


class _NoTablesError(LakeError):
    """A database without the tables of a DuckLake."""


def _unusable(location: Location, error: Exception) -> LakeError:
    file = _folder_and_catalog(location)[1] if location.folder else None
    told = unusable(location.place, file, error)
    return _NoTablesError(str(told)) if lacks_tables(error) else told


def _literal(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else quoted(value)


def quoted(text: str) -> str:
    """Return text as an SQL string literal.

    >>> quoted("it's")
    "'it''s'"

    Raises :class:`~paifu.errors.UsageError` for a file name that is not UTF-8.
    """
    if not is_utf8(text):
        raise UsageError(f"choose another name, in UTF-8, than {text!r}")
    return "'" + text.replace("'", "''") + "'"
