"""A catalog in PostgreSQL: a session beside DuckDB's, with the locks and what DuckDB cannot do.

The locks are PostgreSQL's advisory locks. They belong to a session, which ends with its process, or
with its machine after some minutes. DuckDB's own sessions come from a pool and change, so that they
can hold no lock; and each of their transactions keeps old rows from being vacuumed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, LiteralString

from paifu.errors import LakeError
from paifu.lake import locks
from paifu.lake.locks import DeadWriters, Locks

if TYPE_CHECKING:
    import psycopg

_CONNECT_S = 10
"""How long the server is waited for."""
_SPACE = 0x70616966
"""The first half of the keys of paifu's locks that are not of one writer."""
_COMMITS, _READERS, _MAKING = 1, 2, 3
_VACUUM_S = 20
"""How long to wait for others before the tables of the catalog are rewritten."""

_PASSWORD = re.compile(
    r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|\S+)|(://[^/@:\s]*:)[^/@\s]*(?=@)", re.I
)


def without_password(text: str) -> str:
    """Return a connection string, or a text with one, without its password.

    >>> without_password("dbname=games password=secret host=db")
    'dbname=games password=… host=db'
    >>> without_password("postgresql://me:secret@db/games")
    'postgresql://me:…@db/games'
    """
    return _PASSWORD.sub(lambda found: f"{found[1] or found[3]}…", text)


def connect(target: str, place: str) -> psycopg.Connection[Any]:
    """Return a session at a database; each of its statements is a transaction.

    ``target`` is a connection string of libpq. Raises :class:`~paifu.errors.LakeError`.
    """
    try:
        import psycopg
    except ImportError as error:
        raise LakeError(
            f"the package psycopg is missing ({error}): pip install 'paifu[cluster]'"
        ) from None
    try:
        given = psycopg.conninfo.conninfo_to_dict(target)
        known = {"connect_timeout": _CONNECT_S, "application_name": "paifu", **given}
        session = psycopg.connect(psycopg.conninfo.make_conninfo("", **known), autocommit=True)
        # the server must notice that a machine has gone, and must not end a session that waits
        session.execute("SET tcp_keepalives_idle = 60")
        session.execute("SET tcp_keepalives_interval = 15")
        session.execute("SET tcp_keepalives_count = 4")
        session.execute("SET client_min_messages = warning")
        if session.info.server_version >= 140_000:
            session.execute("SET idle_session_timeout = 0")
    except psycopg.Error as error:
        told = without_password(str(error).strip().splitlines()[0])
        raise LakeError(f"the catalog of the lake at {place} cannot be reached: {told}") from None
    return session


class PostgresLocks(Locks):
    """Advisory locks in the database of a catalog."""

    def __init__(self, place: str, target: str) -> None:
        super().__init__(place)
        self._target = target
        self._session: psycopg.Connection[Any] | None = None
        self._registered = False

    def _ask(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        import psycopg

        if self._session is None:
            self._session = connect(self._target, self._place)
        try:
            cursor = self._session.execute(query, values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.errors.LockNotAvailable:
            raise
        except psycopg.Error as error:
            told = without_password(str(error).strip().splitlines()[0])
            raise LakeError(f"the catalog of the lake at {self._place} fails: {told}") from None

    def write(self) -> None:
        """Register as a writer, in table ``paifu_writers``, unless this was done."""
        if self._registered:
            return
        with self._held(_MAKING, locks.COMMIT_PATIENCE_S) or self._refused("is being made"):
            self._ask(
                """CREATE TABLE IF NOT EXISTS paifu_writers (
                name text PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())"""
            )
        self._ask("SELECT pg_advisory_lock(%s)", _key(self.name))
        self._ask("INSERT INTO paifu_writers (name) VALUES (%s)", self.name)
        self._registered = True

    def close(self) -> None:
        """End the registration as a writer, and the session."""
        if self._session is not None:
            with contextlib.suppress(LakeError):
                if self._registered and not self.abandoned:
                    self._ask("DELETE FROM paifu_writers WHERE name = %s", self.name)
            self._session.close()
            self._session = None

    def _lock_commits(self) -> AbstractContextManager[object] | None:
        return self._held(_COMMITS, locks.COMMIT_PATIENCE_S)

    def reading(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents the removal of files, except files long out of use."""
        held = self._held(_READERS, locks.COMMIT_PATIENCE_S, shared=True)
        return held or self._refused("is being compacted")

    def _lock_readers(self) -> AbstractContextManager[object] | None:
        return self._held(_READERS, locks.READERS_PATIENCE_S)

    def _held(
        self, lock: int, patience_s: float, *, shared: bool = False
    ) -> contextlib.ExitStack | None:
        import psycopg

        kind = "_shared" if shared else ""
        self._ask("SELECT set_config('lock_timeout', %s, false)", f"{int(patience_s * 1000)}ms")
        try:
            if shared:
                self._ask("SELECT pg_advisory_lock_shared(%s, %s)", _SPACE, lock)
            else:
                self._ask("SELECT pg_advisory_lock(%s, %s)", _SPACE, lock)
        except psycopg.errors.LockNotAvailable:
            return None
        held = contextlib.ExitStack()
        held.callback(self._release, lock, kind)
        return held

    def _release(self, lock: int, kind: str) -> None:
        if self._session is None or self._session.closed:  # the locks have gone with it
            return
        if kind:
            self._ask("SELECT pg_advisory_unlock_shared(%s, %s)", _SPACE, lock)
        else:
            self._ask("SELECT pg_advisory_unlock(%s, %s)", _SPACE, lock)

    @contextlib.contextmanager
    def dead_writers(self) -> Iterator[DeadWriters]:
        """A context with the registered writers that hold no lock any more."""
        since: dict[str, float] = {}
        alone = True
        rows: list[tuple[Any, ...]] = []
        if self._ask("SELECT 1 WHERE to_regclass('paifu_writers') IS NOT NULL"):
            rows = self._ask(
                """SELECT name, extract(epoch FROM since)::float8 FROM paifu_writers
                WHERE name <> %s""",
                self.name,
            )
        try:
            for name, began in rows:
                if self._ask("SELECT pg_try_advisory_lock(%s)", _key(name))[0][0]:
                    since[name] = began
                else:
                    alone = False
            yield DeadWriters(since, alone)
        finally:
            for name in since:
                self._ask("SELECT pg_advisory_unlock(%s)", _key(name))

    def forget_writers(self, dead: DeadWriters) -> None:
        """End the registration of dead writers."""
        self._ask("DELETE FROM paifu_writers WHERE name = ANY(%s)", list(dead.since))


def _key(name: str) -> int:
    """Return the key of a writer's lock.

    >>> _key("ffffffffffffffff")
    -1
    """
    return int.from_bytes(bytes.fromhex(name), "big", signed=True)


def snapshot_and_data(session: psycopg.Connection[Any]) -> tuple[int | None, str | None]:
    """Return the newest snapshot of a catalog, and its data path; None where there is none."""
    tables = "SELECT to_regclass('ducklake_snapshot'), to_regclass('ducklake_metadata')"
    row = session.execute(tables).fetchone()
    if row is None or None in row:
        return None, None
    found = session.execute(
        """SELECT (SELECT max(snapshot_id) FROM ducklake_snapshot),
        (SELECT value FROM ducklake_metadata WHERE key = 'data_path' AND scope IS NULL)"""
    ).fetchone()
    return found or (None, None)


def vacuum(target: str, place: str) -> bool:
    """Rewrite the tables of a catalog without deleted rows; return whether others prevented it."""
    import psycopg
    from psycopg import sql

    with connect(target, place) as session:
        session.execute("SELECT set_config('lock_timeout', %s, false)", [f"{_VACUUM_S}s"])
        tables = session.execute(
            """SELECT relname FROM pg_class WHERE relkind = 'r' AND pg_table_is_visible(oid)
            AND (starts_with(relname, 'ducklake_') OR starts_with(relname, 'paifu_'))"""
        ).fetchall()
        try:
            for (name,) in tables:
                session.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(name)))
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            return True
    return False
