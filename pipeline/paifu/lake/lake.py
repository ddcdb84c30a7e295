"""An open lake: asking it, and changing it in transactions that hold over all its tables."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import duckdb
import pyarrow as pa

from paifu.errors import LakeError, UsageError
from paifu.host.signals import held_back
from paifu.lake.connection import CATALOG, Location, attach, connect, detach, first_line, quoted
from paifu.lake.layout import check_version, create_layout, read_facts, view_statements
from paifu.lake.names import Policy, salt, salt_check, stored_name, verified_salt
from paifu.lake.staging import Staged
from paifu.messages import counted, did_you_mean
from paifu.schema.tables import LAKE_TABLES, TABLES

if TYPE_CHECKING:
    import polars as pl


_PATIENCE_S = 120.0
"""How long a transaction is tried again while other processes are faster."""

_FOR_GOOD = ("disk is full", "No space left", "readonly database")
"""What DuckDB and SQLite say where waiting for other processes will not help."""
_CONFLICT = ("database is locked", "conflict", "has been deleted from", "has been altered")
_T = TypeVar("_T")


class Lake:
    """A lake as one connection sees it. Made by :meth:`open`; close it, or use ``with``."""

    def __init__(
        self,
        location: Location,
        connection: duckdb.DuckDBPyConnection,
        facts: dict[str, str],
        *,
        writable: bool,
    ) -> None:
        self.location = location
        self.connection = connection
        """DuckDB connection whose default catalog is the lake."""
        self.facts = facts
        """Table ``lake_info`` as it was when the lake was opened."""
        self.writable = writable

    @classmethod
    def open(
        cls,
        location: str | Path,
        *,
        write: bool = False,
        create: bool = False,
        names: Policy | None = None,
        check: bool = True,
    ) -> Self:
        """Open a lake for reading, or for writing too; ``create`` makes it where there is none.

        ``names`` is the policy to make it with, or the one an existing lake must have. ``check``
        refuses another schema version. Raises :class:`~paifu.errors.LakeError`.
        """
        where = Location(str(location))
        connection = connect()
        try:
            attach(connection, where, write=write or create, create=create)
            facts = read_facts(connection, where.text)
            if not facts:
                if not create:
                    raise LakeError(f"the lake at {where.text} is empty: ingest logs into it first")
                facts = _create(connection, where, names or "keep")
            if check:
                check_version(facts, where.text)
            if names and facts["names"] != names:
                raise LakeError(
                    f"the lake at {where.text} has the policy --names {facts['names']}; "
                    "one lake has one policy: leave --names out or use another lake"
                )
        except BaseException:
            connection.close()
            raise
        return cls(where, connection, facts, writable=write or create)

    def __repr__(self) -> str:
        """Name the place, the games and the schema, or say that the lake is closed."""
        where = self.location
        # of a URL no more than what keeps the catalog: the rest may hold a password
        place = ":".join(where.text.split(":")[:2]) if where.is_url else where.text
        try:
            with self.connection.cursor() as own:  # so as not to end a result being read
                (games,) = own.execute(f"SELECT count(*) FROM {CATALOG}.games").fetchone() or (0,)
        except duckdb.Error:
            return f"<Lake {place}: closed>"
        return f"<Lake {place}: {counted(games, 'game')}, schema {self.facts['schema_version']}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    # --- asking ---------------------------------------------------------------------------------

    def sql(self, query: str, **variables: Any) -> duckdb.DuckDBPyRelation:
        """Return the result of a query as a DuckDB relation: ``.df() .pl() .arrow() .fetchall()``.

        Keyword arguments are bound as ``$name``.
        """
        return self.connection.sql(query, params=variables or None)

    def table(self, name: str) -> pl.LazyFrame:
        """Return a table or view as a Polars LazyFrame, read when it is collected.

        Raises :class:`~paifu.errors.UsageError` for one that the lake does not have.
        """
        known = [*TABLES, *LAKE_TABLES, *view_statements()]
        if name not in known:
            hint = did_you_mean(name, known, 'paifu sql "SHOW TABLES" lists them')
            raise UsageError(f"there is no table {name!r}: {hint}")
        return self.connection.table(name).pl(lazy=True)

    # --- changing -------------------------------------------------------------------------------

    @property
    def names(self) -> Policy:
        """What the lake keeps of names."""
        return cast("Policy", self.facts["names"])

    def salt(self) -> bytes | None:
        """Return the salt names are hashed with, or None where the policy needs none.

        Raises :class:`~paifu.errors.LakeError` where the user's salt is not the lake's.
        """
        check = self.facts.get("salt_check")
        return verified_salt(check, self.location.text) if check else None

    def stored_name(self, name: str) -> str:
        """Return a player's name as this lake stores it: as it is, or hashed.

        Raises :class:`~paifu.errors.PaifuError` where no names are kept, or the salt is not known.
        """
        return stored_name(self.names, self.salt, name)

    def stage(self, tables: Mapping[str, pa.Table]) -> Staged:
        """Write tables to files that :meth:`Transaction.add` brings into the lake."""
        staged = self.new_stage()
        try:
            staged.append(tables)
            staged.finish()
        except BaseException:
            staged.discard()
            raise
        return staged

    def new_stage(self) -> Staged:
        """Return a stage to which rows are appended bit by bit."""
        return Staged(None if self.location.is_url else self.location.data)

    def transact(self, work: Callable[[Transaction], _T]) -> _T:
        """Do ``work`` in one transaction over all tables and return what it returns.

        ``work`` is done anew, from what the lake then holds, when another process commits first;
        it must take all it needs to know of the lake from the transaction. Raises
        :class:`~paifu.errors.LakeError` where the lake cannot be written.
        """
        if not self.writable:
            raise LakeError(f"the lake at {self.location.text} was opened for reading only")
        deadline, pause = time.monotonic() + _PATIENCE_S, 0.01
        while True:
            try:
                return self._attempt(work)
            except duckdb.Error as error:
                text = str(error)
                if not any(sign in text for sign in _CONFLICT) or time.monotonic() > deadline:
                    raise LakeError(
                        f"the lake at {self.location.text} cannot be written: {first_line(error)}"
                    ) from error
            time.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, 1.0)
            # what DuckLake keeps of a commit that failed has crashed the process at the next one
            detach(self.connection)
            attach(self.connection, self.location, write=True, create=False)

    def read(self, work: Callable[[Transaction], _T]) -> _T:
        """Do ``work`` on one unchanging state of the lake and return what it returns."""
        self.connection.execute("BEGIN")
        try:
            return work(Transaction(self.connection, self._commits()))
        finally:
            self.connection.execute("ROLLBACK")

    def _attempt(self, work: Callable[[Transaction], _T]) -> _T:
        self.connection.execute("BEGIN")
        try:
            commits = self._commits()
            transaction = Transaction(self.connection, commits)
            result = work(transaction)
            # every transaction changes this row, so that of two at once one has to start anew
            self.connection.execute(
                "UPDATE lake_info SET value = ? WHERE key = 'commits'", [str(commits + 1)]
            )
            # interrupted in a commit, nobody knew whether the staged files were the lake's
            with held_back():
                self.connection.execute("COMMIT")
                transaction.committed()
        except BaseException:
            with contextlib.suppress(duckdb.Error):  # a commit may have failed, or succeeded
                self.connection.execute("ROLLBACK")
            raise
        return result

    def _commits(self) -> int:
        query = "SELECT value FROM lake_info WHERE key = 'commits'"
        row = self.connection.execute(query).fetchone()
        if row is None:
            raise LakeError(f"the lake at {self.location.text} is damaged: no commits in lake_info")
        return int(row[0])


class Transaction:
    """What may be done within :meth:`Lake.transact`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, commits: int) -> None:
        self.connection = connection
        self.commits = commits
        """How many transactions came before; it tells whether another process wrote meanwhile."""
        self._staged: list[Staged] = []

    def execute(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        return self.connection.execute(query, parameters).fetchall()

    def add(self, staged: Staged) -> None:
        """Add the rows of a finished stage."""
        for name, path in staged.files.items():
            self.connection.execute(
                f"CALL ducklake_add_data_files('{CATALOG}', '{name}', {quoted(str(path))})"
            ).fetchall()
        for name, table in staged.read().items() if not staged.files else ():
            self.insert(name, table)
        self._staged.append(staged)

    def committed(self) -> None:
        """Hand the files of what was added over to the lake."""
        for staged in self._staged:
            staged.hand_over()

    def insert(self, name: str, table: pa.Table) -> None:
        """Insert a few rows; many are better staged."""
        self.connection.from_arrow(table).insert_into(name)

    def remove_games(self, ids: list[int]) -> None:
        """Remove every row of these games, the derived tables' among them."""
        for table in TABLES.values():
            if "game_id" in table.names:
                self.execute(f"DELETE FROM {table.name} WHERE game_id IN (SELECT unnest(?))", [ids])


def _create(
    connection: duckdb.DuckDBPyConnection, location: Location, names: Policy
) -> dict[str, str]:
    """Make the tables of a new lake, unless another process does at this moment."""
    facts: dict[str, str] = {"names": names}
    if names == "hash":
        facts["salt_check"] = salt_check(salt())
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.execute("BEGIN")
            if found := read_facts(connection, location.text):
                connection.execute("ROLLBACK")
                return found
            create_layout(connection, facts)
            connection.execute("COMMIT")
            return read_facts(connection, location.text)
        except duckdb.Error as error:
            with contextlib.suppress(duckdb.Error):
                connection.execute("ROLLBACK")
            in_vain = any(sign in str(error) for sign in _FOR_GOOD)
            if in_vain or time.monotonic() > deadline:
                raise LakeError(
                    f"the lake at {location.text} cannot be made: {first_line(error)}"
                ) from None
            time.sleep(0.05 * random.random())
