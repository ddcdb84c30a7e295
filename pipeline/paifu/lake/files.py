"""The files in the catalog of a lake, what they should be like, and their digests.

DuckLake knows how many rows and bytes each file has. In addition, paifu keeps the SHA-256 of each
file in its own table in the same catalog, ``paifu_files``. It is computed right after the commit
that added the file. ``paifu compact`` and ``paifu doctor`` compare it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from paifu.lake.connection import METADATA, quoted
from paifu.messages import counted
from paifu.stores.store import Store

DIGESTS = f"{METADATA}.paifu_files"
"""The table of digests."""

_PATH = """CASE WHEN {file}.path_is_relative THEN s.path || t.path ELSE '' END || {file}.path"""

_FILES = f"""
    WITH t AS (
        SELECT DISTINCT ON (table_id) table_id, table_name, schema_id, path
        FROM {METADATA}.ducklake_table ORDER BY table_id, begin_snapshot DESC
    ), s AS (
        SELECT DISTINCT ON (schema_id) schema_id, path
        FROM {METADATA}.ducklake_schema ORDER BY schema_id, begin_snapshot DESC
    ), f AS (
        SELECT {_PATH.format(file="f")} AS path, f.data_file_id AS number, t.table_name,
            false AS deletes, f.file_size_bytes, f.record_count, f.begin_snapshot, f.partial_max,
            f.end_snapshot
        FROM {METADATA}.ducklake_data_file AS f JOIN t USING (table_id) JOIN s USING (schema_id)
        UNION ALL
        SELECT {_PATH.format(file="f")}, f.data_file_id, t.table_name,
            true, f.file_size_bytes, f.delete_count, f.begin_snapshot, f.partial_max,
            f.end_snapshot
        FROM {METADATA}.ducklake_delete_file AS f JOIN t USING (table_id) JOIN s USING (schema_id)
    )
    SELECT f.path, number, table_name, deletes, file_size_bytes, record_count, begin_snapshot,
        coalesce(partial_max, begin_snapshot), end_snapshot IS NULL, d.sha256
    FROM f LEFT JOIN {DIGESTS} AS d USING (path)
"""


@dataclass(frozen=True, slots=True)
class LakeFile:
    """A file of a lake, as the catalog says it should be."""

    path: str
    """Relative to the folder of the data, or absolute."""
    number: int
    """The number of the file of rows in the catalog."""
    table: str
    deletes: bool
    """Whether the file says which rows of file ``number`` are deleted."""
    bytes: int
    rows: int
    first: int
    """The first snapshot that its rows came with; ``last`` is the last."""
    last: int
    current: bool
    """Whether it is part of the current lake; other files are kept for readers of older
    snapshots."""
    sha256: str | None
    """None if the writer was killed before it computed the digest, or was an older paifu."""


def prepare(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table of digests if it does not exist."""
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {DIGESTS} (path VARCHAR, bytes BIGINT, sha256 VARCHAR)"
    )


def files(
    connection: duckdb.DuckDBPyConnection, where: str = "true", values: Sequence[str] = ()
) -> list[LakeFile]:
    """Return the files of a lake in a folder, including those that are kept for readers."""
    query = f"{_FILES} WHERE {where} ORDER BY table_name, f.path"
    try:
        rows = connection.execute(query, values).fetchall()
    except duckdb.CatalogException:
        if has_digests(connection):
            raise
        rows = connection.execute(query.replace(DIGESTS, f"({_NO_DIGESTS})"), values).fetchall()
    return [LakeFile(*row) for row in rows]


_NO_DIGESTS = "SELECT '' AS path, 0 AS bytes, NULL AS sha256"


def has_digests(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the lake keeps digests: it does after such a paifu has written to it."""
    try:
        connection.execute(f"SELECT path FROM {DIGESTS} LIMIT 0")
    except duckdb.CatalogException:
        return False
    return True


def record(
    connection: duckdb.DuckDBPyConnection, store: Store, computed: Mapping[str, str] | None = None
) -> None:
    """Note the digest of each file that has no digest yet; ``computed`` are digests by path."""
    known = computed or {}
    rows: list[tuple[str, int, str]] = []
    for file in files(connection, "d.path IS NULL"):
        with contextlib.suppress(FileNotFoundError):
            rows.append((file.path, file.bytes, known.get(file.path) or store.digest(file.path)))
    if rows:
        values = ", ".join(f"({quoted(path)}, {size}, '{sha}')" for path, size, sha in rows)
        connection.execute(f"INSERT INTO {DIGESTS} VALUES {values}")


def sizes(store: Store) -> dict[str, int]:
    """Return the bytes of all files of a store, by their paths."""
    return {file.path: file.bytes for file in store.list()}


def damage(
    store: Store, file: LakeFile, *, deep: bool, there: Mapping[str, int] | None = None
) -> str | None:
    """Return what is wrong with a file, or None; with ``deep`` all of it is read.

    ``there`` are the sizes of the files of the store, if they are known already.
    """
    try:
        size = (there or {}).get(file.path)
        if size is None:
            size = store.facts(file.path).bytes
        if size != file.bytes:
            return f"has {counted(size, 'byte')} instead of {file.bytes:,}"
        if deep and file.sha256 is not None and store.digest(file.path) != file.sha256:
            return "has other content than was written"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return None
