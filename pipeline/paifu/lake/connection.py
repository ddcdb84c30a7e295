"""How a lake is found and attached: DuckDB, its two extensions, the catalog, and what can go wrong.

A lake is a folder with ``catalog.sqlite`` and ``data/``, or a DuckLake URL; where the Parquet files
of a URL's catalog go, is said by ``PAIFU_DATA_PATH`` when the lake is made. The extensions come
from installed packages and are loaded from their files, so nothing is downloaded.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import sqlite3
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
from paifu.lake.failures import lacks_tables, unusable

CATALOG = "lake"
"""Name under which every connection of paifu attaches the lake."""

DATA = "data/"
"""Where the Parquet files of a lake in a folder lie, seen from its catalog."""

METADATA = f"__ducklake_metadata_{CATALOG}"
"""Name under which DuckLake attaches the lake's catalog for itself."""

_EXTENSIONS = ("duckdb_extension_sqlite_scanner", "duckdb_extension_ducklake")
_OF_CATALOG = {
    "postgres": "duckdb_extension_postgres_scanner",
    "mysql": "duckdb_extension_mysql_scanner",
}
_OF_STORE = "duckdb_extension_httpfs"
_STORES = ("s3://", "gs://", "gcs://", "r2://", "http://", "https://")
"""How the addresses of object stores begin."""
_WRITER_MEMORY = "1GB"
"""What DuckDB may use to write a lake, however large; beyond that it uses the disk."""
_BUSY_TIMEOUT_MS = 20_000
_BUSY = "database is locked"
Options = dict[str, str | int | bool]
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How an address begins; one letter is a drive of Windows."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a lake is: a folder, or a DuckLake URL for a catalog kept elsewhere."""

    text: str

    @property
    def is_url(self) -> bool:
        """The lake was named by a DuckLake URL."""
        return self.text.startswith("ducklake:")

    @property
    def folder(self) -> Path:
        """The folder of a lake that is not a URL."""
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
        """The folder of the files by which processes at a lake in a folder know of each other."""
        return self.folder / "locks"

    @property
    def place(self) -> str:
        """How messages name it."""
        return self.text if self.is_url else str(self.folder)


def extension_file(package: str) -> Path:
    """Return the DuckDB extension that a package installs.

    Raises :class:`~paifu.errors.LakeError` where the package does not fit the installed DuckDB.
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
    """Return a DuckDB connection in memory that knows DuckLake and SQLite."""
    connection = duckdb.connect(
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            # what pip has put beside DuckDB is trusted as DuckDB is: to check the signatures of
            # 70 MB takes longer than all else that opening a lake does
            "allow_unsigned_extensions": "true",
            "temp_directory": _spill_folder(),
        }
    )
    with suppress(duckdb.InvalidInputException):  # a notebook without ipywidgets has no bar to stop
        connection.execute("SET enable_progress_bar = false")
    for package in _EXTENSIONS:
        connection.load_extension(str(extension_file(package)))
    # else SQLite's scanner reads each table of the catalog in a connection of its own, and one
    # statement sees the catalog of before and after what another process commits
    connection.execute("SET GLOBAL sqlite_disable_multithreaded_scans = true")
    connection.execute("SET allow_unsigned_extensions = false")  # which cannot be undone
    return connection


def _spill_folder() -> str:
    """Return a new folder for what does not fit into memory, until the exit.

    Each connection has its own, for they would write files of one name. Empty, for everything to
    stay in memory, where no folder can be made.
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

    ``create`` makes one where there is none; ``version`` is the snapshot to read, and to go on
    reading whatever is written. A catalog whose writer was killed has to be opened once for writing
    before it can be read; one on a read-only medium is read from a copy, since SQLite wants to
    write beside it. Raises :class:`~paifu.errors.LakeError`.
    """
    if not location.text:
        raise LakeError("the lake is named by an empty text: name the folder it is in")
    if write:  # a writer reads each file once, and should not keep a lake's worth of them
        connection.execute("SET enable_external_file_cache = false")
        connection.execute(f"SET memory_limit = '{_WRITER_MEMORY}'")
    options: Options = {"READ_ONLY": not write, "CREATE_IF_NOT_EXISTS": create}
    if version is not None:
        options["SNAPSHOT_VERSION"] = version
    if location.is_url:
        data_path = os.environ.get("PAIFU_DATA_PATH")
        if data_path:
            options["DATA_PATH"] = data_path
        for package in _packages_for(location.text, data_path or ""):
            connection.load_extension(str(extension_file(package)))
        _attach(connection, location.text, options, location)
    else:
        _check_folder(location, create=create)
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
    except duckdb.Error as error:
        raise _unusable(location, error) from None


def current_version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """Return the snapshot that a statement reads now; None where the lake has none."""
    row = connection.execute(f"SELECT id FROM ducklake_current_snapshot('{CATALOG}')").fetchone()
    return row[0] if row else None


def detach(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave the lake, so that it can be attached afresh."""
    connection.execute(f"USE memory; DETACH {CATALOG}")


def _packages_for(url: str, data_path: str) -> list[str]:
    """Return the packages a lake beyond this machine needs, which paifu does not bring along.

    >>> _packages_for("ducklake:postgres:dbname=games", "s3://bucket/games/")
    ['duckdb_extension_postgres_scanner', 'duckdb_extension_httpfs']
    """
    catalog = url.split(":")[1]
    found = [_OF_CATALOG[catalog]] if catalog in _OF_CATALOG else []
    return [*found, _OF_STORE] if data_path.startswith(_STORES) else found


def _attach_for_writing(
    connection: duckdb.DuckDBPyConnection, location: Location, options: Options, *, create: bool
) -> None:
    # readers and a writer do not block each other with a write-ahead log
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
            options["CREATE_IF_NOT_EXISTS"] = True  # whoever made the file went no further
        except LakeError as error:
            # two processes make one lake: the second finds it made when it tries again
            if not create or _BUSY not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.05 + 0.1 * random.random())
    _make_movable(connection)


def _make_movable(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the catalog name its data by where they lie from it, not by where they lay at first.

    Else any other client would read the files of the original when it is given a copy.
    """
    place = f"{METADATA}.ducklake_metadata"
    where = "WHERE key = 'data_path' AND value <> ?"
    with suppress(duckdb.Error):  # another process does it at this moment, or the next one will
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


def _check_folder(location: Location, *, create: bool) -> None:
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
    elif create and _is_foreign(catalog):  # before anything is written there
        raise LakeError(f"{folder} is not a lake: its catalog has no DuckLake tables")


def _holds_other_files(location: Location) -> bool:
    """Tell whether a folder without a catalog has anything but an empty ``data``.

    Compacting a lake removes what its catalog does not know: nobody else's files may lie there.
    """
    folder, catalog = location.folder, location.catalog
    if not folder.is_dir():
        return False
    others = any(path not in (location.data, location.locks) for path in folder.iterdir())
    others = others or any(path.is_file() for path in location.data.rglob("*"))
    return others and not catalog.exists()  # another process may make the lake at this moment


def _is_foreign(catalog: Path) -> bool:
    """Tell whether a database has tables, and they are not DuckLake's."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    try:
        with contextlib.closing(sqlite3.connect(catalog)) as database:
            tables = [name for (name,) in database.execute(query)]
    except sqlite3.Error:  # locked, or damaged: attaching it will say so
        return False
    return bool(tables) and not any(name.startswith("ducklake_") for name in tables)


def _recovered(catalog: Path) -> Path:
    """Return a catalog that opens for reading: recovered in place, else a copy."""
    try:
        with contextlib.closing(sqlite3.connect(catalog)) as database:
            database.execute("PRAGMA wal_checkpoint").fetchall()
    except sqlite3.Error:
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
    except duckdb.Error as error:
        raise _unusable(location, error) from None


class _NoTablesError(LakeError):
    """A database without the tables of a DuckLake."""


def _unusable(location: Location, error: duckdb.Error) -> LakeError:
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

    Raises :class:`~paifu.errors.UsageError` for the name of a file that is not UTF-8.
    """
    if not is_utf8(text):
        raise UsageError(f"choose another name, in UTF-8, than {text!r}")
    return "'" + text.replace("'", "''") + "'"
