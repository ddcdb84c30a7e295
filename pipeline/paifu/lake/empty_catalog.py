"""The catalog of a lake without games, made once and then copied for each new lake in a folder.

DuckLake takes some eighty statements to make the tables, views and macros of a lake, longer than
the ingest of a hundred logs. So the finished file is kept in paifu's cache folder. Its name is a
hash of all that is in it, so another paifu, another DuckDB or another policy for names makes its
own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from paifu import __version__
from paifu.host.cache_folder import cache_folder
from paifu.host.private_folder import private_folder
from paifu.lake.catalogs import SqliteCatalog
from paifu.lake.comments import comments, write_comments
from paifu.lake.connection import connect, detach, make, quoted, reach
from paifu.lake.failures import DATABASE_ERRORS, unwritable
from paifu.lake.files import prepare
from paifu.lake.layout import layout_statements
from paifu.lake.location import Location
from paifu.lake.locks import Locks

_DIGEST_BYTES = hashlib.sha256().digest_size
"""A kept file begins with the SHA-256 of the catalog, which follows."""
_OWN = {"ducklake_schema": "schema_uuid", "ducklake_table": "table_uuid",
        "ducklake_view": "view_uuid"}  # fmt: skip
"""Columns of identifiers that no other lake should have."""
_NEW = "new_lake"
"""The name under which a copied catalog is attached before it is at its place."""


def put_empty_catalog(
    connection: duckdb.DuckDBPyConnection, location: Location, locks: Locks, facts: dict[str, str]
) -> None:
    """Make the catalog of a new lake in a folder, unless there is a catalog.

    ``facts`` are what ``lake_info`` says of this lake and not of every lake. The catalog appears
    whole or not at all. Raises :class:`~paifu.errors.LakeError` if it cannot be written.
    """
    catalog = location.catalog
    if not isinstance(catalog, SqliteCatalog) or catalog.file.exists():
        return
    try:
        content = _kept(facts)
        with locks.committing():
            if not catalog.file.exists():
                new = catalog.lock_folder / catalog.file.name
                for left in new.parent.glob(f"{new.name}*"):  # by a process that was killed
                    left.unlink()
                new.write_bytes(content)
                _make_its_own(connection, new)
                new.rename(catalog.file)
    except (*DATABASE_ERRORS, OSError) as error:
        raise unwritable(location.place, error, "made") from None


def _kept(facts: dict[str, str]) -> bytes:
    """Return the catalog of a lake with these facts, kept or else made and kept."""
    try:
        path = cache_folder() / "catalogs" / f"{_fingerprint(facts)}.sqlite"
    except RuntimeError:  # the user has no home folder
        return _made(facts)
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        catalog = content[_DIGEST_BYTES:]
        if hashlib.sha256(catalog).digest() == content[:_DIGEST_BYTES]:
            return catalog
    catalog = _made(facts)
    with contextlib.suppress(OSError):  # it is made again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(catalog).digest() + catalog)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink()
            raise
    return catalog


def _fingerprint(facts: dict[str, str]) -> str:
    """Return a hash of everything that shapes the catalog."""
    parts = (
        __version__, duckdb.__version__, Path(__file__).read_text("utf-8"),
        *layout_statements(facts), *map(repr, comments()),
    )  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _made(facts: dict[str, str]) -> bytes:
    """Return a catalog that DuckLake has made."""
    with tempfile.TemporaryDirectory(dir=private_folder()) as folder, connect() as connection:
        place = Location.of(folder)
        store, _ = reach(connection, place, create=True)
        locks = place.catalog.locks(folder)
        make(connection, place, store, locks)
        connection.execute("BEGIN")
        for statement in layout_statements(facts):
            connection.execute(statement)
        connection.execute("COMMIT")
        write_comments(connection)
        prepare(connection)
        detach(connection)
        return (Path(folder) / "catalog.sqlite").read_bytes()


def _make_its_own(connection: duckdb.DuckDBPyConnection, catalog: Path) -> None:
    """Give a copied catalog its own identifiers and times."""
    connection.execute(f"ATTACH {quoted(str(catalog))} AS {_NEW} (TYPE sqlite)")
    try:
        connection.execute("BEGIN")
        connection.execute(
            f"UPDATE {_NEW}.ducklake_snapshot SET snapshot_time = ?",
            [datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f+00")],
        )
        for table, column in _OWN.items():
            connection.execute(f"UPDATE {_NEW}.{table} SET {column} = uuid()")
        connection.execute("COMMIT")
    finally:
        connection.execute(f"DETACH {_NEW}")
