"""An open lake: reads it, and changes it in transactions over all its tables."""

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
from paifu.lake.comments import write_comments
from paifu.lake.connection import (
    CATALOG,
    METADATA,
    attach,
    connect,
    current_version,
    detach,
    make,
    quoted,
    reach,
)
from paifu.lake.empty_catalog import put_empty_catalog
from paifu.lake.failures import (
    DATABASE_ERRORS,
    expired,
    is_conflict,
    is_final,
    of_storage,
    unreadable,
    unwritable,
)
from paifu.lake.files import has_digests, prepare, record
from paifu.lake.layout import (
    arrow_schema,
    check_version,
    layout_statements,
    read_facts,
    view_statements,
)
from paifu.lake.leftovers import mark, sweep, sweep_own
from paifu.lake.location import Location
from paifu.lake.locks import Locks
from paifu.lake.names import Policy, salt, salt_check, stored_name, verified_salt
from paifu.lake.places import in_newer_files
from paifu.lake.staging import Staged
from paifu.messages import counted, did_you_mean
from paifu.schema.tables import LAKE_TABLES, TABLES
from paifu.stores.store import Store

if TYPE_CHECKING:
    import polars as pl


_PATIENCE_S = 120.0
"""How long a transaction is repeated while other programs are faster."""

_READS = 5
"""How often a read is repeated if the state it read was removed meanwhile."""

_T = TypeVar("_T")


class Lake:
    """A lake as seen by one connection. Made by :meth:`open`; close it, or use ``with``.

    A lake that is open for reading does not change when others write: every answer is about the
    same games. If it stays open until that state is no longer kept, it gives no more answers, and
    the end of ``with`` raises :class:`~paifu.errors.LakeError`.
    """

    def __init__(
        self,
        location: Location,
        store: Store,
        connection: duckdb.DuckDBPyConnection,
        facts: dict[str, str],
        locks: Locks,
        *,
        version: int | None,
    ) -> None:
        self.location = location
        self.store = store
        """Where the files of the lake are."""
        self.connection = connection
        """The DuckDB connection; its default catalog is the lake."""
        self.facts = facts
        """Table ``lake_info`` at the time when the lake was opened."""
        self.locks = locks
        self.version = version
        """The snapshot that is read; None if the lake was opened for writing."""
        self.digests: dict[str, str] = {}
        """Digests of new files, by path, that are not in the catalog yet."""
        self._held = contextlib.ExitStack()
        """What must be closed with the lake."""

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
        """Open a lake for reading, or also for writing; ``create`` makes it if it does not exist.

        ``names`` is the policy of a new lake, or the policy that an existing lake must have.
        ``check`` refuses another schema version. Raises :class:`~paifu.errors.LakeError`.
        """
        where = Location.of(location)
        locks = where.catalog.locks(where.place)
        version = None
        with contextlib.ExitStack() as held:
            connection = connect()
            held.callback(connection.close)
            held.callback(locks.close)
            try:
                store, newest = reach(connection, where, create=create)
                if create and where.folder is not None:
                    locks.write()
                    put_empty_catalog(connection, where, locks, _facts(names or "keep"))
                if create:
                    make(connection, where, store, locks)
                elif write:
                    attach(connection, where, store, write=True)
                if write or create:
                    locks.write()
                else:
                    held.enter_context(locks.reading())
                    version = _attach_as_it_is(connection, where, store, newest)
                facts = read_facts(connection, where.place)
                if not facts:
                    if not create:
                        raise LakeError(
                            f"the lake at {where.place} is empty: ingest logs into it first"
                        )
                    facts = _create(connection, where, store, locks, names or "keep")
            except DATABASE_ERRORS as error:
                raise unreadable(where.place, error) from None
            if check:
                check_version(facts, where.place)
            if names and facts["names"] != names:
                raise LakeError(
                    f"the lake at {where.place} has the policy --names {facts['names']}; "
                    "one lake has one policy: leave --names out or use another lake"
                )
            opened = cls(where, store, connection, facts, locks, version=version)
            opened._held = held.pop_all()
        if opened.writable:
            try:
                opened._clear_up()
            except BaseException:
                opened.close()
                raise
        return opened

    def __repr__(self) -> str:
        """Name the place, the games and the schema, or say that the lake is closed."""
        where = self.location
        place = where.text if where.folder else where.place
        try:
            with self.connection.cursor() as own:  # so that a result that is being read continues
                (games,) = own.execute(f"SELECT count(*) FROM {CATALOG}.games").fetchone() or (0,)
        except DATABASE_ERRORS:
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
        # a store that failed may have kept what was to be removed
        self.locks.abandoned |= error is not None and self.store.bucket is not None
        try:
            if isinstance(error, DATABASE_ERRORS) and of_storage(error):
                raise self.unreadable(error) from None
            if error is None and not self._stands(self.version):
                raise expired(self.location.place)
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        self._held.close()

    def unreadable(self, error: Exception) -> LakeError:
        """Return, for people, why a file of the lake or of its catalog could not be read."""
        if not self._stands(self.version):
            return expired(self.location.place)
        return unreadable(self.location.place, error)

    def _stands(self, version: int | None) -> bool:
        """Return whether a snapshot is still kept; DuckLake reads no rows of removed snapshots.

        True if that cannot be known: the connection is closed, or the catalog is damaged.
        """
        query = f"SELECT 1 FROM {METADATA}.ducklake_snapshot WHERE snapshot_id = ?"
        with contextlib.suppress(*DATABASE_ERRORS):
            return version is None or bool(self.connection.execute(query, [version]).fetchone())
        return True

    def _clear_up(self) -> None:
        """Finish the work of writers that were killed."""
        try:
            if not has_digests(self.connection):
                self._patiently(lambda: prepare(self.connection), "written")
            sweep(self.connection, self.store, self.locks)
            if self.facts.get("commits") != "0":
                with self.locks.committing():
                    self._record()
        except DATABASE_ERRORS as error:
            raise unwritable(self.location.place, error) from None

    def clear_up_after(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the files of worker processes if their work has failed; the end of a context."""
        if kind is not None:
            with contextlib.suppress(*DATABASE_ERRORS, OSError, LakeError):
                sweep(self.connection, self.store, self.locks)

    def clear_up_own(self) -> None:
        """Remove the files of this connection, and in its name, that are not in the lake."""
        with contextlib.suppress(*DATABASE_ERRORS, OSError, LakeError):
            sweep_own(self.connection, self.store, self.locks)

    # --- asking ---------------------------------------------------------------------------------

    def sql(self, query: str, **variables: Any) -> duckdb.DuckDBPyRelation:
        """Return the result of a query as a DuckDB relation: ``.df() .pl() .arrow() .fetchall()``.

        Keyword arguments are bound as ``$name``.
        """
        return self.connection.sql(query, params=variables or None)

    def table(self, name: str) -> pl.LazyFrame:
        """Return a table or view as a Polars LazyFrame, read when it is collected.

        Raises :class:`~paifu.errors.UsageError` for a table that the lake does not have.
        """
        known = [*TABLES, *LAKE_TABLES, *view_statements()]
        if name not in known:
            hint = did_you_mean(name, known, 'paifu sql "SHOW TABLES" lists them')
            raise UsageError(f"there is no table {name!r}: {hint}")
        return self.connection.table(name).pl(lazy=True)

    # --- changing -------------------------------------------------------------------------------

    @property
    def writable(self) -> bool:
        """Whether the lake was opened for writing."""
        return self.version is None

    @property
    def names(self) -> Policy:
        """The lake's policy for names."""
        return cast("Policy", self.facts["names"])

    def salt(self) -> bytes | None:
        """Return the salt for hashing names, or None if the policy does not need a salt.

        Raises :class:`~paifu.errors.LakeError` if the user's salt is not the lake's.
        """
        check = self.facts.get("salt_check")
        return verified_salt(check, self.location.place) if check else None

    def stored_name(self, name: str) -> str:
        """Return a player's name as this lake stores it: unchanged or hashed.

        Raises :class:`~paifu.errors.PaifuError` if no names are kept, or the salt is not known.
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
        """Return a stage to which rows are appended step by step."""
        return Staged(self.store, self.locks.name)

    def transact(self, work: Callable[[Transaction], _T]) -> _T:
        """Do ``work`` in one transaction over all tables and return what it returns.

        If another process commits first, ``work`` is repeated on the new state of the lake. So it
        must read everything it needs from the lake in the transaction. Raises
        :class:`~paifu.errors.LakeError` if the lake cannot be written.
        """
        return self._patiently(lambda: self._attempt(work), "written")

    def maintain(self, statement: str) -> pa.Table:
        """Execute a statement that is a transaction by itself, such as DuckLake's maintenance.

        Raises :class:`~paifu.errors.LakeError` if that is not possible.
        """
        # Arrow, because in Python the times with a zone would need pytz
        return self._patiently(
            lambda: self.connection.execute(statement).to_arrow_table(), "compacted"
        )

    def _patiently(self, attempt: Callable[[], _T], doing: str) -> _T:
        """Return the result of a change, repeated until no other commit conflicts with it."""
        if not self.writable:
            raise LakeError(f"the lake at {self.location.place} was opened for reading only")
        deadline, pause = time.monotonic() + _PATIENCE_S, 0.01
        while True:
            try:
                with self.locks.committing():
                    return attempt()
            except DATABASE_ERRORS as error:
                if not is_conflict(error) or time.monotonic() > deadline:
                    raise unwritable(self.location.place, error, doing) from error
            time.sleep(pause * (0.5 + random.random()))
            pause = min(2 * pause, 1.0)
            # after a failed commit, DuckLake's remaining state has crashed the process at the next
            # commit
            detach(self.connection)
            attach(self.connection, self.location, self.store, write=True)

    def read(self, work: Callable[[Transaction], _T]) -> _T:
        """Do ``work`` on one state of the lake that does not change, and return what it returns.

        ``work`` is repeated if that state was no longer kept at the end of ``work``. Raises
        :class:`~paifu.errors.LakeError` if a file of the lake cannot be read.
        """
        for _ in range(_READS):
            with self.locks.reading():
                self.connection.execute("BEGIN")
                version = None
                try:
                    version = current_version(self.connection)
                    result = work(Transaction(self.connection, self._commits, self.new_stage))
                except Exception as error:
                    self._roll_back()
                    if self._stands(version):
                        if isinstance(error, DATABASE_ERRORS) and of_storage(error):
                            raise self.unreadable(error) from None
                        raise
                    continue
                except BaseException:
                    self._roll_back()
                    raise
                self._roll_back()
                if self._stands(version):
                    return result
        raise expired(self.location.place)

    def _roll_back(self) -> None:
        with contextlib.suppress(*DATABASE_ERRORS):  # the failure may have ended the transaction
            self.connection.execute("ROLLBACK")

    def _attempt(self, work: Callable[[Transaction], _T]) -> _T:
        with self.locks.reading():
            result = self._committed(work)
        self._record()
        return result

    def _record(self) -> None:
        """Compute the digests of new files; if another program is in the way, the next run does."""
        try:
            record(self.connection, self.store, self.digests)
            self.digests.clear()
        except DATABASE_ERRORS as error:
            if not is_conflict(error):
                raise

    def _committed(self, work: Callable[[Transaction], _T]) -> _T:
        self.connection.execute("BEGIN")
        transaction = None
        try:
            commits = self._commits()
            transaction = Transaction(self.connection, lambda: commits, self.new_stage)
            result = work(transaction)
            # every transaction changes this row, so of two transactions at once one must start
            # again
            self.connection.execute(
                "UPDATE lake_info SET value = ? WHERE key = 'commits'", [str(commits + 1)]
            )
            # after an interrupted commit, it would be unknown whether the staged files belong to
            # the lake
            with held_back():
                self.connection.execute("COMMIT")
                self.digests |= transaction.committed()
        except BaseException:
            self._roll_back()
            if transaction is not None:
                transaction.failed()
            raise
        return result

    def _commits(self) -> int:
        query = "SELECT value FROM lake_info WHERE key = 'commits'"
        row = self.connection.execute(query).fetchone()
        if row is None:
            raise LakeError(
                f"the lake at {self.location.place} is damaged: no commits in lake_info"
            )
        return int(row[0])


class Transaction:
    """The operations within :meth:`Lake.transact`."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        commits: Callable[[], int],
        new_stage: Callable[[], Staged],
    ) -> None:
        self.connection = connection
        self._commits = commits
        self._new_stage = new_stage
        self._staged: list[Staged] = []
        self._own: list[Staged] = []
        """Stages of this transaction itself, which are discarded if it fails."""

    @property
    def commits(self) -> int:
        """How many transactions came before; it shows whether another process has written."""
        return self._commits()

    def execute(self, query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        return self.connection.execute(query, parameters).fetchall()

    def add(self, staged: Staged) -> None:
        """Add the rows of a finished stage."""
        for name, address in staged.addresses().items():
            self.connection.execute(
                f"CALL ducklake_add_data_files('{CATALOG}', '{name}', {quoted(address)})"
            ).fetchall()
        self._staged.append(staged)

    def committed(self) -> dict[str, str]:
        """Pass the added files to the lake; return their digests by path."""
        for staged in self._staged:
            staged.hand_over()
        return {path: sha for staged in self._staged for path, sha in staged.digests.items()}

    def failed(self) -> None:
        """Remove the files that this transaction wrote by itself."""
        for staged in self._own:
            staged.discard()

    def insert(self, name: str, table: pa.Table) -> None:
        """Insert a few rows into a table that is never staged (see :meth:`update`)."""
        self.connection.from_arrow(table).insert_into(name)

    def update(self, name: str, values: str, where: str, parameters: list[Any]) -> int:
        """Change columns of some rows; return the number of rows.

        ``values`` are as in ``SELECT * REPLACE (values)``. Staged files have no statistics for most
        columns. After an ``UPDATE`` of such a table, DuckLake would take the smallest and largest
        values of the changed rows for those of the whole table, and queries would leave out rows.
        """
        changed = self.connection.execute(
            f"SELECT * REPLACE ({values}) FROM {name} WHERE {where}", parameters
        ).to_arrow_table()
        if changed.num_rows:
            staged = self._new_stage()
            self._own.append(staged)
            schema = arrow_schema(name)
            staged.append({name: changed.select(schema.names).cast(schema)})
            staged.finish()
            self.execute(f"DELETE FROM {name} WHERE {where}", parameters)
            self.add(staged)
        return int(changed.num_rows)

    def remove_games(self, ids: list[int]) -> None:
        """Remove every row of these games, also from derived tables."""
        self.connection.register("gone", pa.table({"game_id": pa.array(ids, pa.int64())}))
        try:
            newer = in_newer_files(self.connection, "gone")
            for table in TABLES.values():
                if "game_id" in table.names:
                    where = newer.get(table.name, "true")
                    self.execute(
                        f"DELETE FROM {table.name} WHERE {where} AND game_id IN (FROM gone)"
                    )
        finally:
            self.connection.unregister("gone")


def _attach_as_it_is(
    connection: duckdb.DuckDBPyConnection, location: Location, store: Store, newest: int | None
) -> int | None:
    """Attach a lake to read its current state, even if others write; return its snapshot."""
    if newest is not None:
        try:
            attach(connection, location, store, write=False, version=newest)
            return newest
        except (LakeError, *DATABASE_ERRORS):  # what is wrong is told below
            with contextlib.suppress(*DATABASE_ERRORS):
                detach(connection)
    attach(connection, location, store, write=False)
    version = current_version(connection)
    detach(connection)
    attach(connection, location, store, write=False, version=version)
    return version


def _facts(names: Policy) -> dict[str, str]:
    """Return what ``lake_info`` says of a new lake and not of every lake."""
    return {"names": names, **({"salt_check": salt_check(salt())} if names == "hash" else {})}


def _create(
    connection: duckdb.DuckDBPyConnection,
    location: Location,
    store: Store,
    locks: Locks,
    names: Policy,
) -> dict[str, str]:
    """Make the tables of a lake whose catalog has none, unless another process makes them."""
    facts = _facts(names)
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with locks.committing():
                connection.execute("BEGIN")
                if found := read_facts(connection, location.place):
                    connection.execute("ROLLBACK")
                    return found
                if location.folder is None:
                    mark(connection, store)
                for statement in layout_statements(facts):
                    connection.execute(statement)
                connection.execute("COMMIT")
                write_comments(connection)
                return read_facts(connection, location.place)
        except DATABASE_ERRORS as error:
            with contextlib.suppress(*DATABASE_ERRORS):
                connection.execute("ROLLBACK")
            if is_final(error) or time.monotonic() > deadline:
                raise unwritable(location.place, error, "made") from None
            time.sleep(0.05 * random.random())
