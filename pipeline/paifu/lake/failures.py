"""What can go wrong with the files of a lake: recognised from SQL errors, and explained."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

import duckdb

from paifu.errors import LakeError
from paifu.lake.postgres import without_password
from paifu.stores.buckets import reason_of, without_keys

DATABASE_ERRORS = (duckdb.Error, UnicodeDecodeError)

_FULL = ("disk is full", "No space left")
"""What SQLite, DuckDB and the system say when a disk is full."""
_IO_ERROR = "disk I/O error"
_FINAL = (*_FULL, "readonly database")
"""What they say when waiting for other processes does not help."""
_LOCKED = "database is locked"
_CONFLICT = (_LOCKED, "conflict", "has been deleted from", "has been altered")
"""What they say when another process was faster."""

_SQLITE_MAGIC = b"SQLite format 3\0"
_NO_TABLES = "creating a new DuckLake is explicitly disabled"
_NO_SNAPSHOT = "No snapshot found at version"
_DAMAGED_CATALOG = ("malformed", "is not a database", "Existing DuckLake", "corrupt database")
_OBJECTS = re.compile(r"https?://|s3://")
_MISSING = re.compile(r'[Cc]annot open file "([^"]*)": No such file')
_STORAGE = (
    duckdb.IOException, duckdb.SerializationException, duckdb.FatalException,
    duckdb.InternalException, duckdb.HTTPException, UnicodeDecodeError,
)  # fmt: skip
_OF_QUERIES = (
    duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException, duckdb.SyntaxException,
    duckdb.ConversionException,
)  # fmt: skip
_STORAGE_SIGNS = re.compile(
    r"Failed to read file|[Cc]orrupt|bitpacked|[Pp]arquet read|Parquet|magic bytes|Thrift"
    rf"|TProtocol|malformed|disk image|{_NO_SNAPSHOT}"
)


def of_storage(error: BaseException) -> bool:
    """Return whether an error is about files and their content, not about a query."""
    if isinstance(error, _OF_QUERIES):  # they quote the query
        return False
    # errors that DuckDB's readers raise themselves have no kind
    plain = type(error) is duckdb.Error
    signs = isinstance(error, duckdb.Error) and _STORAGE_SIGNS.search(str(error)) is not None
    return plain or signs or isinstance(error, _STORAGE)


def lacks_tables(error: BaseException) -> bool:
    """Return whether a database was refused because it has no tables of a DuckLake."""
    return _NO_TABLES in str(error)


def is_conflict(error: BaseException) -> bool:
    """Return whether another process was faster, so that trying again helps."""
    return any(sign in str(error) for sign in _CONFLICT)


def is_final(error: BaseException) -> bool:
    """Return whether trying again does not help."""
    return any(sign in str(error) for sign in _FINAL)


def unusable(place: str, catalog: Path | None, error: BaseException) -> LakeError:
    """Return why a lake cannot be opened; ``catalog`` is its file, if it has a file."""
    text = str(error)
    if _is_full(text, place):
        return _full(place)
    if catalog is not None and not _is_sqlite(catalog):
        return LakeError(f"{place} is not a lake: its catalog.sqlite is not an SQLite database")
    if lacks_tables(error):
        return LakeError(f"{place} is not a lake: its catalog has no DuckLake tables")
    if isinstance(error, UnicodeDecodeError) or any(sign in text for sign in _DAMAGED_CATALOG):
        return _damaged_catalog(place, error)
    return LakeError(f"the lake at {place} cannot be opened: {first_line(error)}")


def expired(place: str) -> LakeError:
    """Return the error for a state of a lake that is no longer kept."""
    return LakeError(
        f"the lake at {place} has been changed and compacted since it was opened, and what it was "
        "then is kept no longer: run this again"
    )


def unreadable(place: str, error: BaseException) -> LakeError:
    """Return why a lake could not be read completely."""
    text = str(error)
    if _is_full(text, place):
        return _full(place)
    if _NO_SNAPSHOT in text:
        return expired(place)
    if _LOCKED in text:
        return LakeError(f"the lake at {place} is being written by another program: run this again")
    if of_store := _of_store(error):
        return LakeError(f"the lake at {place} cannot be read: {of_store}")
    if missing := _MISSING.search(text):
        return LakeError(
            f"the lake at {place} lacks its file {missing[1]}: "
            f"paifu doctor --lake {place} says what to do"
        )
    if any(sign in text for sign in _DAMAGED_CATALOG):
        return _damaged_catalog(place, error)
    return LakeError(
        f"the lake at {place} cannot be read: {first_line(error)}; "
        f"paifu doctor --lake {place} --deep says what is damaged and what to do"
    )


def _of_store(error: BaseException) -> str | None:
    """Return what is wrong with the object store of a lake, or None."""
    text = str(error)
    if not isinstance(error, duckdb.HTTPException) and not _OBJECTS.search(text):
        return None
    return reason_of(text)


def unwritable(place: str, error: BaseException, doing: str = "written") -> LakeError:
    """Return why a lake could not be written, or could not be changed in the way of ``doing``."""
    if _is_full(str(error), place):
        return _full(place)
    if of_storage(error):
        return unreadable(place, error)
    return LakeError(f"the lake at {place} cannot be {doing}: {first_line(error)}")


def _is_full(text: str, place: str) -> bool:
    """Return whether an error is about a full disk; SQLite may call that an I/O error."""
    if _IO_ERROR in text:
        with suppress(OSError):  # a URL, or a folder that is gone
            return shutil.disk_usage(place).free == 0
    return any(sign in text for sign in _FULL)


def _full(place: str) -> LakeError:
    return LakeError(
        f"the disk is full: the lake at {place} cannot be written before room is made; "
        "what was finished is kept"
    )


def _damaged_catalog(place: str, error: BaseException) -> LakeError:
    return LakeError(
        f"the catalog of the lake at {place} is damaged ({first_line(error)}): bring "
        "catalog.sqlite back from a backup, or ingest the sources into a new lake"
    )


def _is_sqlite(catalog: Path) -> bool:
    """Return whether a file is empty, begins like a database, or cannot be read."""
    try:
        with catalog.open("rb") as file:
            return file.read(len(_SQLITE_MAGIC)) in (b"", _SQLITE_MAGIC)
    except OSError:
        return True


def first_line(error: BaseException) -> str:
    """Return the first line of a DuckDB error, without the name of its kind."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return without_password(without_keys(" ".join(line.strip() for line in lines[:2])))
