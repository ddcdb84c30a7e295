"""Finds and attaches a lake: DuckDB, its two extensions, the catalog, and possible errors.

A lake is a folder with ``catalog.sqlite`` and ``data/``, or a DuckLake URL. For a URL,
``PAIFU_DATA_PATH`` says where the Parquet files go when the lake is made. The extensions are loaded
from the files of installed packages, so nothing is downloaded.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import duckdb

from paifu.errors import LakeError, UsageError
from paifu.host.private_folder import private_folder
from paifu.host.terminal import is_utf8
from paifu.lake.failures import DATABASE_ERRORS, lacks_tables, unusable
from paifu.lake.other_process import CannotError, DamagedError, last_row

CATALOG = "lake"
"""The name under which every connection of paifu attaches the lake."""

DATA = "data/"
"""The folder of the Parquet files of a lake in a folder, relative to its catalog."""

METADATA = f"__ducklake_metadata_{CATALOG}"
"""The name under which DuckLake itself attaches the lake's catalog."""

_EXTENSIONS = ("duckdb_extension_sqlite_scanner", "duckdb_extension_ducklake")
_OF_CATALOG = {
    "postgres": "duckdb_extension_postgres_scanner",
    "mysql": "duckdb_extension_mysql_scanner",
}
_OF_STORE = "duckdb_extension_httpfs"
_STORES = ("s3://", "gs://", "gcs://", "r2://", "http://", "https://")
"""The beginnings of addresses of object stores."""
_WRITER_MEMORY = "1GB"
"""The memory that DuckDB may use to write a lake of any size; beyond that it uses the disk."""
_BUSY_TIMEOUT_MS = 20_000
_BUSY = "database is locked"
Options = dict[str, str | int | bool]
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""The beginning of an address; a single letter is a Windows drive."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a lake is: a folder, or a DuckLake URL of a catalog elsewhere."""

    text: str

    @property
    def is_url(self) -> bool:
        """Whether the lake was named by a DuckLake URL."""
        return self.text.startswith("ducklake:")

    @property
    def folder(self) -> Path:
        """The folder of a lake in a folder."""
        return Path(self.text).expanduser().absolute()

    @property
    def catalog(self) -> Path:
        """The catalog file of a lake in a folder."""
        return self.folder / "catalog.sqlite"

    @property
    def data(self) -> Path:
        """The folder of the Parquet files of a lake in a folder."""
        return self.folder / DATA

    @property
    def locks(self) -> Path:
        """The folder of the lock files of processes that use a lake in a folder."""
        return self.folder / "locks"

    @property
    def place(self) -> str:
        """The name of the lake in messages."""
        return self.text if self.is_url else str(self.folder)


def extension_file(package: str) -> Path:
    """Return the DuckDB extension that a package installs.

    Raises :class:`~paifu.errors.LakeError` if the package does not fit the installed DuckDB.
    """
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        for path in Path(folder).glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"):
            return path
    name = package.replace("_", "-")
    raise LakeError(
        f"the package {name} for DuckDB {duckdb.__version__} is missing: "
        f"pip install '{name}=={duckdb.__version__}'"
    )


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
    for package in _EXTENSIONS:
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


def attach(
    connection: duckdb.DuckDBPyConnection,
    location: Location,
    *,
    write: bool,
    create: bool,
    version: int | None = None,
) -> None:
    """Attach a lake as ``lake`` and make it the default catalog.

    ``create`` makes a lake if there is no lake. ``version`` is the snapshot to read, which stays
    the same when others write. A catalog whose writer was killed must be opened once for writing
    before it can be read. A catalog on a read-only medium is read from a copy, because SQLite needs
    to write beside it. Raises :class:`~paifu.errors.LakeError`.
    """
    if write:  # a writer reads each file once, and need not keep the files in memory
        connection.execute("SET enable_external_file_cache = false")
        connection.execute(f"SET memory_limit = '{_WRITER_MEMORY}'")
    options: Options = {"READ_ONLY": not write, "CREATE_IF_NOT_EXISTS": create}
    if version is not None:
        options["SNAPSHOT_VERSION"] = version
    if location.is_url:
        data_path = os.environ.get("PAIFU_DATA_PATH")
        if data_path:
            options["DATA_PATH"] = data_path
        if write and location.text.startswith("ducklake:sqlite:"):  # as for a lake in a folder
            options |= {"META_BUSY_TIMEOUT": _BUSY_TIMEOUT_MS, "META_JOURNAL_MODE": "WAL"}
        for package in _packages_for(location.text, data_path or ""):
            connection.load_extension(str(extension_file(package)))
        _attach(connection, location.text, options, location)
    else:
        check_folder(connection, location, create=create)
        options |= {
            "DATA_PATH": f"{location.data}/", "OVERRIDE_DATA_PATH": True,
            "META_BUSY_TIMEOUT": _BUSY_TIMEOUT_MS,
        }  # fmt: skip
        if write:
            _attach_for_writing(connection, location, options, create=create)
        else:
            _attach_for_reading(connection, location, options)
    try:
        connection.execute(f"USE {CATALOG}")
    except DATABASE_ERRORS as error:
        raise _unusable(location, error) from None


def current_version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the snapshot that a statement reads now; None if the lake has no snapshot."""
    row = connection.execute(f"SELECT id FROM ducklake_current_snapshot('{CATALOG}')").fetchone()
    return row[0] if row else None


def newest_snapshot(connection: duckdb.DuckDBPyConnection, catalog: Path) -> int | None:
    """Return the newest snapshot of a catalog file that is not attached; None if that fails."""
    query = (
        f"SELECT max(snapshot_id) FROM sqlite_scan({_literal(str(catalog))}, 'ducklake_snapshot')"
    )
    try:
        row = connection.execute(query).fetchone()
    except DATABASE_ERRORS:
        return None
    return None if row is None or row[0] is None else int(row[0])


def last_committed(connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the snapshot of the last commit by this connection; None if it made none."""
    row = connection.execute(f"SELECT id FROM ducklake_last_committed_snapshot('{CATALOG}')")
    found = row.fetchone()
    return found[0] if found else None


def detach(connection: duckdb.DuckDBPyConnection) -> None:
    """Detach the lake, so that it can be attached again."""
    connection.execute(f"USE memory; DETACH {CATALOG}")


def _packages_for(url: str, data_path: str) -> list[str]:
    """Return the packages that a lake on another machine needs, and that paifu does not include.

    >>> _packages_for("ducklake:postgres:dbname=games", "s3://bucket/games/")
    ['duckdb_extension_postgres_scanner', 'duckdb_extension_httpfs']
    """
    catalog = url.split(":")[1]
    found = [_OF_CATALOG[catalog]] if catalog in _OF_CATALOG else []
    return [*found, _OF_STORE] if data_path.startswith(_STORES) else found


def _attach_for_writing(
    connection: duckdb.DuckDBPyConnection, location: Location, options: Options, *, create: bool
) -> None:
    # with a write-ahead log, readers and a writer do not block each other
    options["META_JOURNAL_MODE"] = "WAL"
    url = f"ducklake:sqlite:{location.catalog}"
    deadline = time.monotonic() + _BUSY_TIMEOUT_MS / 1000
    if create:
        location.data.mkdir(parents=True, exist_ok=True)
        options["CREATE_IF_NOT_EXISTS"] = not location.catalog.exists()
    while True:
        try:
            _attach(connection, url, options, location)
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


def _attach_for_reading(
    connection: duckdb.DuckDBPyConnection, location: Location, options: Options
) -> None:
    try:
        _attach(connection, f"ducklake:sqlite:{location.catalog}", options, location)
    except LakeError:
        recovered = _recovered(location.catalog)
        _attach(connection, f"ducklake:sqlite:{recovered}", options, location)


def check_folder(
    connection: duckdb.DuckDBPyConnection, location: Location, *, create: bool
) -> None:
    """Raise :class:`~paifu.errors.LakeError` for a folder that has no lake.

    With ``create`` also for one in which no lake can be made.
    """
    if not location.text:
        raise LakeError("the lake is named by an empty text: name the folder it is in")
    folder, catalog = location.folder, location.catalog
    if _SCHEME.match(location.text):
        raise LakeError(
            f"{location.text} is neither a folder nor a DuckLake URL such as "
            f"ducklake:postgres:dbname=games (a folder of that name: ./{location.text})"
        )
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


def _holds_other_files(location: Location) -> bool:
    """Return whether a folder without a catalog has anything except an empty ``data``.

    Compacting a lake removes files that its catalog does not know, so no other files may be there.
    """
    folder, catalog = location.folder, location.catalog
    if not folder.is_dir():
        return False
    others = any(path not in (location.data, location.locks) for path in folder.iterdir())
    others = others or any(path.is_file() for path in location.data.rglob("*"))
    return others and not catalog.exists()  # another process may be making the lake


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
    except DATABASE_ERRORS as error:
        raise _unusable(location, error) from None


class _NoTablesError(LakeError):
    """A database without the tables of a DuckLake."""


def _unusable(location: Location, error: Exception) -> LakeError:
    told = unusable(location.place, None if location.is_url else location.catalog, error)
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
