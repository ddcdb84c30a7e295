"""Which tables were changed by the commits after a snapshot, without reading the tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import duckdb

from paifu.lake.connection import CATALOG, METADATA, current_version

_INSERTED = ("inserted_into_table", "inlined_insert")
_DELETED = ("deleted_from_table", "inlined_delete")
_CHANGE = re.compile(r"(\w+):(\d+)")
"""A change of a table, as DuckLake notes it for each snapshot: what was done and the table's id."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Names of tables that commits changed."""

    last: int
    """The snapshot of the last of these commits."""
    inserted: set[str] = field(default_factory=set)
    """Tables that rows were added to."""
    deleted: set[str] = field(default_factory=set)
    """Tables that rows were removed from; a changed row is removed and added."""
    moved: set[str] = field(default_factory=set)
    """Tables of which rows were moved to other files, as compaction does."""


def changes_since(connection: duckdb.DuckDBPyConnection, snapshot: int) -> Changes | None:
    """Return what the commits after a snapshot changed; None if that is not kept any more."""
    last = current_version(connection)
    if last is None or last < snapshot:
        return None
    found = Changes(last)
    if last == snapshot:
        return found
    notes = connection.execute(
        f"SELECT changes_made FROM {METADATA}.ducklake_snapshot_changes"
        " WHERE snapshot_id BETWEEN ? AND ?",
        [snapshot + 1, last],
    ).fetchall()
    if len(notes) != last - snapshot:
        return None
    names = dict(
        connection.execute(f"SELECT table_id, table_name FROM {METADATA}.ducklake_table").fetchall()
    )
    for (note,) in notes:
        for what, number in _CHANGE.findall(note):
            added, removed = what in _INSERTED, what in _DELETED
            kind = found.inserted if added else found.deleted if removed else found.moved
            kind.add(names[int(number)])
    return found


def inserted(table: str, first: int, last: int) -> str:
    """Return SQL of the rows that the snapshots ``first`` to ``last`` added to a table."""
    return f"ducklake_table_insertions('{CATALOG}', 'main', '{table}', {first}, {last})"


def deleted(table: str, first: int, last: int) -> str:
    """Return SQL of the rows that the snapshots ``first`` to ``last`` removed from a table."""
    return f"ducklake_table_deletions('{CATALOG}', 'main', '{table}', {first}, {last})"
