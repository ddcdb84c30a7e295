"""What each table, view and column is, as comments in the catalog that any DuckDB client shows.

``COMMENT ON`` takes five hundred statements, longer than all else that makes a lake. Therefore the
rows that it would write are written at once (DuckLake's specification: tables ``ducklake_tag`` and
``ducklake_column_tag``).
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from paifu.lake.connection import METADATA, quoted
from paifu.schema.table import Column
from paifu.schema.tables import LAKE_TABLES, TABLES
from paifu.schema.views import VIEWS


def comments() -> Iterator[tuple[str, str, str]]:
    """Yield each table or view, its column or an empty text, and what it is."""
    for table in (*TABLES.values(), *LAKE_TABLES.values()):
        yield table.name, "", table.doc
        for column in table.columns:
            yield table.name, column.name, comment(column)
    for view in VIEWS.values():
        yield view.name, "", view.doc


def write_comments(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the comments into the catalog; not within a transaction."""
    every = list(comments())
    connection.execute("BEGIN")
    try:
        for tags in ("ducklake_tag", "ducklake_column_tag"):
            connection.execute(f"DELETE FROM {METADATA}.{tags} WHERE key = 'comment'")
        told = ((name, text) for name, column, text in every if not column)
        connection.execute(f"""
            INSERT INTO {METADATA}.ducklake_tag
            SELECT id, begin_snapshot, NULL, 'comment', comment
            FROM ({_values(told)}) AS told(name, comment)
            JOIN (
                SELECT table_id AS id, begin_snapshot, table_name AS name
                FROM {METADATA}.ducklake_table WHERE end_snapshot IS NULL
                UNION ALL
                SELECT view_id, begin_snapshot, view_name
                FROM {METADATA}.ducklake_view WHERE end_snapshot IS NULL
            ) USING (name)""")
        told_columns = (each for each in every if each[1])
        connection.execute(f"""
            INSERT INTO {METADATA}.ducklake_column_tag
            SELECT c.table_id, c.column_id, c.begin_snapshot, NULL, 'comment', comment
            FROM ({_values(told_columns)}) AS told(table_name, column_name, comment)
            JOIN {METADATA}.ducklake_table AS t USING (table_name)
            JOIN {METADATA}.ducklake_column AS c USING (table_id, column_name)
            WHERE t.end_snapshot IS NULL AND c.end_snapshot IS NULL AND c.parent_column IS NULL""")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def comment(column: Column) -> str:
    """Return what a column is, with its unit.

    >>> comment(TABLES["wins"].columns[-1])[-1]
    '.'
    """
    return f"[{column.unit}] {column.doc}" if column.unit else column.doc


def _values(rows: Iterator[tuple[str, ...]]) -> str:
    return "VALUES " + ", ".join(f"({', '.join(map(quoted, row))})" for row in rows)
