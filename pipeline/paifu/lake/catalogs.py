"""The catalog of a lake: an SQLite file, or a database of PostgreSQL.

A catalog says how DuckDB attaches it, gives out the locks of the lake, and does with its own means
what DuckDB cannot do: it rewrites itself without deleted rows, and looks for damage.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import duckdb

from paifu.host.duckdb_extensions import POSTGRES
from paifu.lake import postgres
from paifu.lake.failures import DATABASE_ERRORS
from paifu.lake.locks import FolderLocks, Locks
from paifu.lake.other_process import CannotError, DamagedError, last_row

BUSY_TIMEOUT_MS = 20_000
_VACUUM_S = 20
"""How long to wait for the others before the catalog is rewritten."""

Options = dict[str, str | int | bool]


class Catalog(Protocol):
    """What a lake asks of its catalog."""

    @property
    def url(self) -> str:
        """How DuckDB attaches it."""

    @property
    def name(self) -> str:
        """What messages call it, without a password."""

    @property
    def extensions(self) -> tuple[str, ...]:
        """The packages of DuckDB's extensions that it needs, beside DuckLake and SQLite."""

    def options(self, *, write: bool) -> Options:
        """Return how it is attached."""

    def locks(self, place: str) -> Locks:
        """Return the locks of a lake, none of them held."""

    def state(
        self, connection: duckdb.DuckDBPyConnection, place: str
    ) -> tuple[int | None, str | None]:
        """Return the newest snapshot and the path of the data of a catalog that is not attached.

        None if that cannot be found out, as in a catalog without tables.
        """

    def vacuum(self, place: str) -> bool:
        """Rewrite it without deleted rows; return whether that was prevented by others."""

    def damage(self) -> str | None:
        """Return what is wrong with it, as far as the database itself can tell."""


@dataclass(frozen=True, slots=True)
class SqliteCatalog:
    """An SQLite file; locks are files in the folder ``lock_folder``."""

    file: Path
    lock_folder: Path

    @property
    def url(self) -> str:
        """How DuckDB attaches it."""
        return f"ducklake:sqlite:{self.file}"

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self.file)

    @property
    def extensions(self) -> tuple[str, ...]:
        """None: paifu always has that of SQLite."""
        return ()

    def options(self, *, write: bool) -> Options:
        """Return how it is attached: with a write-ahead log, so that nobody blocks readers."""
        options: Options = {"META_BUSY_TIMEOUT": BUSY_TIMEOUT_MS}
        return options | {"META_JOURNAL_MODE": "WAL"} if write else options

    def locks(self, place: str) -> Locks:
        """Return the locks of a lake, none of them held."""
        return FolderLocks(place, self.lock_folder)

    def state(
        self, connection: duckdb.DuckDBPyConnection, place: str
    ) -> tuple[int | None, str | None]:
        """Return the newest snapshot and the path of the data."""
        if not self.file.exists():
            return None, None
        query = f"""SELECT
            (SELECT max(snapshot_id) FROM {self._table(connection, "ducklake_snapshot")}),
            (SELECT any_value(value) FROM {self._table(connection, "ducklake_metadata")}
            WHERE key = 'data_path')"""
        try:
            row = connection.execute(query).fetchone()
        except DATABASE_ERRORS:
            return None, None
        return row or (None, None)

    def _table(self, connection: duckdb.DuckDBPyConnection, name: str) -> str:
        path = str(self.file).replace("'", "''")
        return f"sqlite_scan('{path}', '{name}')"

    def vacuum(self, place: str) -> bool:
        """Rewrite it without deleted rows; return whether that was prevented by others."""
        statements = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"]
        try:
            busy, *_ = last_row(self.file, statements, writes=True, timeout=_VACUUM_S)
        except (CannotError, DamagedError):  # locked: the next writer tries again
            return True
        return bool(busy)

    def damage(self) -> str | None:
        """Return what is wrong with the file."""
        if not self.file.is_file():
            return None
        try:
            said, *_ = last_row(self.file, ["PRAGMA integrity_check(1)"], writes=False)
        except CannotError:  # it cannot be opened for reading only; attaching it says more
            return None
        except DamagedError as error:
            return f"is damaged ({error})"
        return None if said == "ok" else f"is damaged ({said})"


@dataclass(frozen=True, slots=True)
class PostgresCatalog:
    """A database of PostgreSQL; ``target`` is a connection string of libpq."""

    target: str

    @property
    def url(self) -> str:
        """How DuckDB attaches it."""
        return f"ducklake:postgres:{self.target}"

    @property
    def name(self) -> str:
        """What messages call it, without a password."""
        return f"postgres:{postgres.without_password(self.target)}"

    @property
    def extensions(self) -> tuple[str, ...]:
        """That of PostgreSQL."""
        return (POSTGRES,)

    def options(self, *, write: bool) -> Options:
        """Return how it is attached: as it is."""
        return {}

    def locks(self, place: str) -> Locks:
        """Return the locks of a lake, none of them held."""
        return postgres.PostgresLocks(place, self.target)

    def state(
        self, connection: duckdb.DuckDBPyConnection, place: str
    ) -> tuple[int | None, str | None]:
        """Return the newest snapshot and the path of the data.

        Raises :class:`~paifu.errors.LakeError` if the database cannot be reached.
        """
        with closing(postgres.connect(self.target, place)) as session:
            return postgres.snapshot_and_data(session)

    def vacuum(self, place: str) -> bool:
        """Rewrite it without deleted rows; return whether that was prevented by others."""
        return postgres.vacuum(self.target, place)

    def damage(self) -> str | None:
        """Return None: the server looks after its files."""
        return None
