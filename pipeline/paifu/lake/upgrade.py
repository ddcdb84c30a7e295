"""Upgrades a lake of an older schema to this paifu's: adds what is new, and loses nothing."""

from __future__ import annotations

from paifu.lake.comments import write_comments
from paifu.lake.lake import Lake, Transaction
from paifu.lake.layout import computed_statements, create_table, sql_type
from paifu.schema.tables import LAKE_TABLES, SCHEMA_VERSION, TABLES

_FILLED = {
    "wins.yaku_recorded": """UPDATE wins SET yaku_recorded = (
        SELECT count(*) FROM win_yaku AS y
        WHERE y.game_id = wins.game_id AND y.round_index = wins.round_index
            AND y.win_index = wins.win_index
    )""",
    "wins.dealer_rounds": """UPDATE wins SET dealer_rounds = coalesce((
        SELECT r.streak
        FROM (
            SELECT game_id, round_index, round_index - max(
                CASE WHEN dealer IS DISTINCT FROM before THEN round_index END
            ) OVER (PARTITION BY game_id ORDER BY round_index) AS streak
            FROM (
                SELECT game_id, round_index, dealer,
                    lag(dealer) OVER (PARTITION BY game_id ORDER BY round_index) AS before
                FROM rounds
            )
        ) AS r
        WHERE r.game_id = wins.game_id AND r.round_index = wins.round_index
    ), 0)""",
}
"""Statements that fill a new column from what the lake already has."""


def upgrade(lake: Lake) -> tuple[int, int]:
    """Add the tables, columns and views that the lake lacks; return its schema before and after.

    A column without values for older games is NULL until these are read again with ``paifu ingest
    --refresh``.
    """
    before = int(lake.facts.get("schema_version", 0))
    if before < SCHEMA_VERSION:
        lake.transact(_add_what_is_new)
        with lake.locks.committing():
            write_comments(lake.connection)
        lake.transact(_set_version)  # last: an upgrade that was killed begins again
    return before, max(before, SCHEMA_VERSION)


def _add_what_is_new(tx: Transaction) -> None:
    existing: dict[str, dict[str, bool]] = {}  # whether each column may be NULL
    for table, column, nullable in tx.execute(
        """SELECT table_name, column_name, is_nullable FROM duckdb_columns()
        WHERE database_name = 'lake'"""
    ):
        existing.setdefault(table, {})[column] = bool(nullable)
    for name, table in (TABLES | LAKE_TABLES).items():
        if name not in existing:
            tx.execute(create_table(table))
            continue
        for column in table.columns:
            if column.name not in existing[name]:
                tx.execute(f'ALTER TABLE {name} ADD COLUMN "{column.name}" {sql_type(column)}')
                if statement := _FILLED.get(f"{name}.{column.name}"):
                    tx.execute(statement)
            elif column.nullable and not existing[name][column.name]:
                tx.execute(f'ALTER TABLE {name} ALTER COLUMN "{column.name}" DROP NOT NULL')
    for statement in computed_statements():
        tx.execute(statement)


def _set_version(tx: Transaction) -> None:
    tx.execute("DELETE FROM lake_info WHERE key = 'schema_version'")
    tx.execute("INSERT INTO lake_info VALUES ('schema_version', ?)", [str(SCHEMA_VERSION)])
