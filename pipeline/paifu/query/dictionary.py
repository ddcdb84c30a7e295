"""The data dictionary: what each table, view and column of a lake is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paifu.errors import UsageError
from paifu.messages import did_you_mean
from paifu.schema.table import Table
from paifu.schema.tables import DERIVED, LAKE_TABLES, TABLES
from paifu.schema.views import VIEWS

if TYPE_CHECKING:
    import polars as pl


def described() -> dict[str, Table]:
    """Return every table and view by its name: the tables, the views, the lake's own tables."""
    return TABLES | VIEWS | LAKE_TABLES


def kind(name: str) -> str:
    """Return what a table is: ``table``, ``derived`` (filled by re-scoring), ``view``, ``lake``.

    >>> kind("wins"), kind("verdicts"), kind("win_facts"), kind("lake_info")
    ('table', 'derived', 'view', 'lake')
    """
    if name in VIEWS:
        return "view"
    if name in LAKE_TABLES:
        return "lake"
    return "derived" if name in DERIVED else "table"


def table_of(name: str) -> Table:
    """Return a table or view. Raises :class:`~paifu.errors.UsageError` for an unknown name."""
    known = described()
    if name not in known:
        hint = did_you_mean(name, known, "paifu tables lists them")
        raise UsageError(f"there is no table {name!r}: {hint}")
    return known[name]


def list_tables() -> pl.DataFrame:
    """Return a row per table and view: ``name kind one_row_per key about`` (text each)."""
    import polars as pl

    return pl.DataFrame(
        [
            (name, kind(name), table.row, ", ".join(table.key), table.doc)
            for name, table in described().items()
        ],
        schema=["name", "kind", "one_row_per", "key", "about"],
        orient="row",
    )


def list_columns(name: str) -> pl.DataFrame:
    """Return a row per column: ``column type unit about`` (text), ``nullable`` (bool).

    >>> list_columns("win_yaku").row(3, named=True)["column"]
    'yaku'
    """
    import polars as pl

    return pl.DataFrame(
        [(c.name, c.type, c.nullable, c.unit, c.doc) for c in table_of(name).columns],
        schema=["column", "type", "nullable", "unit", "about"],
        orient="row",
    )
