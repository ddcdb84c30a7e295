"""Ad-hoc SQL on a lake: one SELECT, read-only, without access to anything outside the lake.

There are four protections; each alone stops most attacks. The lake is attached read-only. DuckDB
may open no file outside the lake's data and loads no extension. The configuration is locked. The
parsed query may name only the lake's tables and a short list of table functions (SQLite's scanner,
for example, ignores DuckDB's settings).
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from paifu.errors import LakeError, UsageError
from paifu.host.memory import address_space
from paifu.host.threads import worker_count
from paifu.lake.connection import CATALOG, quoted
from paifu.lake.failures import DATABASE_ERRORS, first_line, of_storage
from paifu.lake.lake import Lake
from paifu.messages import counted

MEMORY = "2GB"
_GRACE_S = 5.0
"""How long a query may take to stop after its time limit."""
_BESIDE = 2 << 30
"""Memory that a query may take beyond what DuckDB counts: it reserves more than it uses."""
_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

_TABLE_FUNCTIONS = frozenset(
    {
        "range", "generate_series", "unnest", "json_each", "json_tree", "regexp_split_to_table",
        "summary", "duckdb_tables", "duckdb_views", "duckdb_columns", "duckdb_functions",
        "duckdb_types", "duckdb_keywords", "scheme_points", "value_changes",
    }
)  # fmt: skip
"""Table functions that read only their arguments, DuckDB's own catalog or the lake's tables."""

_FUNCTIONS = frozenset(
    {
        "write_log", "getenv", "query", "query_table", "which_secret", "json_serialize_plan",
        "json_execute_serialized_sql",
    }
)  # fmt: skip
"""Functions that access something outside the lake, or that run or plan text as a query."""

_CATALOGS = frozenset({"", CATALOG, "temp", "system"})
_SCHEMAS = frozenset({"", "main", CATALOG, "temp", "information_schema"})
_PIVOT = re.compile(r"^\s*(from\s+\S+\s+)?pivot", re.IGNORECASE)
_PATH = re.compile(r"[/\\.:*?]")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one query."""

    memory: str = MEMORY
    threads: int | None = None


def lock(lake: Lake, limits: Limits) -> None:
    """Lock a lake's connection: it opens only the lake's files, and no setting can be changed.

    Raises :class:`~paifu.errors.UsageError` for limits that DuckDB does not understand.
    """
    if lake.writable:
        raise LakeError("ad-hoc SQL runs on a lake opened for reading")
    settings = [
        f"memory_limit = {quoted(limits.memory)}",
        f"max_temp_directory_size = {quoted(limits.memory)}",
    ]
    if limits.threads is not None:
        settings.insert(0, f"threads = {worker_count(limits.threads, '--threads')}")
    for setting in settings:
        try:
            lake.connection.execute(f"SET {setting}")
        except DATABASE_ERRORS as error:
            if setting.startswith(("memory_limit", "max_temp")):
                raise UsageError(
                    f"--memory takes an amount such as 500MB or 2GB, not {limits.memory!r}"
                ) from None
            raise UsageError(f"cannot set {setting}: {first_line(error)}") from None
    shut_in(lake)


def shut_in(lake: Lake, *folders: Path) -> None:
    """Let a lake's connection open only files of the lake and of these folders, permanently.

    An expression of a user (``--where``) then cannot read or write anything else, even if the check
    of its text misses something.
    """
    allowed = [lake.store.address, *(f"{folder.absolute()}/" for folder in folders)]
    for setting in (
        f"allowed_directories = [{', '.join(map(quoted, allowed))}]",
        "enable_external_access = false",
        "python_enable_replacements = false",
        "allow_community_extensions = false",
        "lock_configuration = true",
    ):
        lake.connection.execute(f"SET {setting}")


def check(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise :class:`~paifu.errors.UsageError` unless the query is one SELECT on the lake's tables.

    The text is only parsed.
    """
    try:
        statements = connection.extract_statements(query)
    except DATABASE_ERRORS as error:
        raise UsageError(first_line(error)) from None
    if len(statements) != 1:
        if _PIVOT.search(query):
            raise UsageError("PIVOT takes its values here too: PIVOT … ON column IN ('a', 'b')")
        raise UsageError(
            f"exactly one SELECT can be run, not {counted(len(statements), 'statement')}"
        )
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = statements[0].type.name
        raise UsageError(f"only SELECT can be run, not {kind}: the lake is read-only here")
    _check_tree(parsed(connection, query), _Names(connection))


def parsed(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, Any]:
    """Return DuckDB's parse of a SELECT. Raises :class:`~paifu.errors.UsageError`."""
    row = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    tree: dict[str, Any] = json.loads(row[0]) if row else {"error": True}
    if tree.get("error"):
        raise UsageError(f"this SELECT cannot be checked: {tree.get('error_message', '')}")
    return tree


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    stack = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


class _Names:
    """The tables and views of a connection, looked up on first use."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._names: frozenset[str] | None = None

    def __contains__(self, name: str) -> bool:
        if self._names is None:
            rows = self._connection.execute(
                "SELECT lower(table_name) FROM duckdb_tables() "
                "UNION SELECT lower(view_name) FROM duckdb_views()"
            ).fetchall()
            self._names = frozenset(found for (found,) in rows)
        return name in self._names


def _check_tree(tree: dict[str, Any], names: _Names) -> None:
    for node in _nodes(tree):
        match node.get("type"):
            case "TABLE_FUNCTION":
                name = str(node["function"].get("function_name", "")).lower()
                if name not in _TABLE_FUNCTIONS:
                    raise UsageError(
                        f"the table function {name} cannot be used here, only the lake's tables "
                        f"and {', '.join(sorted(_TABLE_FUNCTIONS))}"
                    )
            case "BASE_TABLE" | "SHOW_REF":
                _check_table(node, names)
            case "FUNCTION":
                name = str(node.get("function_name", "")).lower()
                if name in _FUNCTIONS:
                    raise UsageError(f"the function {name} cannot be used here")


def _check_table(node: dict[str, Any], names: _Names) -> None:
    catalog, schema, table = (
        str(node.get(f"{part}_name") or "").lower() for part in ("catalog", "schema", "table")
    )
    if catalog not in _CATALOGS or schema not in _SCHEMAS:
        raise UsageError(f"{schema or catalog}.{table} is not part of the lake")
    # DuckDB takes main.csv for a file if it is not a table
    is_file = _PATH.search(table) or ((catalog or schema) and table not in names)
    if node["type"] == "BASE_TABLE" and is_file:
        raise UsageError(f"{table} is not a table of the lake, and files cannot be read here")


@contextlib.contextmanager
def time_limit(
    connection: duckdb.DuckDBPyConnection,
    seconds: float,
    give_up: Callable[[str], None] | None = None,
    *,
    told: str = "the query took longer than {seconds:g} s: narrow it, or raise --timeout",
) -> Iterator[None]:
    """Interrupt the connection's work after some seconds; raise a ``LakeError`` that says so.

    DuckDB stops between two steps. If one step never ends, ``give_up`` is called with the same
    message, from another thread.
    """
    told = told.format(seconds=seconds)
    seconds = min(seconds, threading.TIMEOUT_MAX - _GRACE_S)
    timers = [threading.Timer(seconds, connection.interrupt)]
    if give_up:
        timers.append(threading.Timer(seconds + _GRACE_S, give_up, [told]))
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise LakeError(told) from None
    finally:
        for timer in timers:
            timer.cancel()


@contextlib.contextmanager
def memory_limit(lake: Lake) -> Iterator[None]:
    """A context with a memory limit for the process, including memory that DuckDB does not count.

    Beyond the limit, DuckDB raises its own error, or Python a ``MemoryError``.
    """
    row = lake.connection.execute("SELECT current_setting('memory_limit')").fetchone()
    number, unit = str(row[0] if row else "").partition(" ")[::2]
    with address_space(int(float(number) * _UNITS[unit]) + _BESIDE):
        yield


def ask(lake: Lake, query: str) -> duckdb.DuckDBPyRelation:
    """Return the result of a checked query on a locked lake, evaluated as it is fetched.

    Times with a zone are returned as text, because Python would need another package for them. If
    several columns have the same name, all but the first get a number, as in ``game_id_1``. Raises
    :class:`~paifu.errors.UsageError` for a query that is refused or wrong.
    """
    check(lake.connection, query)
    try:
        relation = lake.connection.sql(query)
        zoned = ["TIMESTAMP WITH TIME ZONE" in str(kind) for kind in relation.types]
        names = _told_apart(relation.columns)
        if any(zoned) or names != relation.columns:
            columns = (
                f"CAST(#{place} AS VARCHAR) AS {_identifier(name)}" if as_text
                else f"#{place} AS {_identifier(name)}"
                for place, (name, as_text) in enumerate(zip(names, zoned, strict=True), 1)
            )  # fmt: skip
            relation = relation.project(", ".join(columns))
    except DATABASE_ERRORS as error:
        if of_storage(error):
            raise
        raise UsageError(first_line(error)) from None
    return relation


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _told_apart(names: Sequence[str]) -> list[str]:
    """Return the names, with numbers added so that each occurs once.

    >>> _told_apart(["a", "a", "a_1", "b"])
    ['a', 'a_2', 'a_1', 'b']
    """
    told: list[str] = []
    for name in names:
        chosen, number = name, 0
        while chosen in told or (number and chosen in names):
            number += 1
            chosen = f"{name}_{number}"
        told.append(chosen)
    return told
