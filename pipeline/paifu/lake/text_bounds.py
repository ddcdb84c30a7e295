"""The smallest and largest text of each column, as the catalog has them for whole tables.

DuckDB takes them for true: a condition on a text outside them finds no rows. They must also not
keep texts of removed rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from paifu.lake.connection import METADATA
from paifu.lake.lake import Lake

_LAST_CHARACTER = chr(0x10FFFF)


def widen(lake: Lake) -> None:
    """Make the bounds those of all text.

    NULL would not do: DuckLake takes the bounds of the next rows for those of the whole table then.
    """
    lake.maintain(
        f"""UPDATE {METADATA}.ducklake_table_column_stats
        SET min_value = '', max_value = '{_LAST_CHARACTER}'
        WHERE (table_id, column_id) IN
            (SELECT (table_id, column_id) FROM {METADATA}.ducklake_column
            WHERE column_type = 'varchar')"""
    )


def narrow(lake: Lake) -> Iterator[tuple[str, str, int]]:
    """Yield the columns whose bounds do not hold all their texts: table, column, number of rows.

    It reads all texts, because the bounds themselves decide what a plain condition reads.
    """
    bounds = lake.connection.execute(
        f"""SELECT table_name, column_name, min_value, max_value
        FROM {METADATA}.ducklake_table_column_stats AS s
        JOIN {METADATA}.ducklake_column AS c USING (table_id, column_id)
        JOIN {METADATA}.ducklake_table AS t USING (table_id)
        WHERE column_type = 'varchar' AND parent_column IS NULL
        AND c.end_snapshot IS NULL AND t.end_snapshot IS NULL
        AND min_value IS NOT NULL AND max_value IS NOT NULL
        AND (min_value, max_value) != ('', '{_LAST_CHARACTER}') ORDER BY ALL"""
    ).fetchall()
    for table, column, least, most in bounds:
        row = lake.connection.execute(
            f"""SELECT count(*) FROM (SELECT "{column}" || '' AS text FROM {table})
            WHERE text < $1 OR text > $2 AND NOT starts_with(text, $2)""",
            [least, most],
        ).fetchone()
        if row and row[0]:
            yield table, column, int(row[0])
