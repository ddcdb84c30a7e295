"""A lake opened for queries: the stored lake with its dictionary and the named statistics."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paifu.errors import UsageError
from paifu.lake.lake import Lake
from paifu.query.adhoc_sql import shut_in
from paifu.query.dictionary import list_columns, list_tables
from paifu.query.filter_options import Conditions
from paifu.query.filters import EVERYTHING, Filter
from paifu.query.overview import Overview, overview
from paifu.query.statistics import Answer, run, statistic

if TYPE_CHECKING:
    import polars as pl

CONDITIONS = tuple(field.name for field in fields(Conditions))
"""Conditions on games and seats that a statistic takes."""


class OpenLake(Lake):
    """A lake for queries: ``.sql(query)``, ``.table(name)``, ``.stats(name)``, ``.info()``."""

    def stats(self, name: str, /, *, only: Filter | None = None, **given: Any) -> Answer:
        """Run a named statistic; see :func:`paifu.query.statistics.run`.

        ``given`` are values for its parameters, and conditions on the games and seats that count:
        ``since until room length players ruleset matched where player dan``, as on the command line
        (a parameter of the statistic comes before a condition of the same name). ``only`` is such
        conditions as one object. Raises :class:`~paifu.errors.UsageError` for an unknown name; it
        lists the names there are.

        >>> lake.stats("placement", player="Zoe", since="2026", min_games=10)  # doctest: +SKIP
        """
        params = {param.name for param in statistic(name).params}
        met = [key for key in CONDITIONS if key in given and key not in params]
        conditions = {key: given.pop(key) for key in met}
        unknown = [key for key in given if key not in params]
        if unknown:
            raise UsageError(
                f"statistic {name} has no parameter {unknown[0]!r}; its parameters: "
                f"{', '.join(sorted(params)) or 'none'}; conditions: {', '.join(CONDITIONS)}"
            )
        return run(self, name, given, only=replace(only or EVERYTHING, **conditions))

    def tables(self) -> pl.DataFrame:
        """Return what each table and view is: ``name kind one_row_per key about``."""
        return list_tables()

    def columns(self, name: str) -> pl.DataFrame:
        """Return what the columns of a table or view are: ``column type nullable unit about``.

        Raises :class:`~paifu.errors.UsageError` for a table that the lake does not have.
        """
        return list_columns(name)

    def info(self) -> Overview:
        """Return what the lake holds."""
        return overview(self)


def open_lake(lake: str | Path, *, locked: bool = False) -> OpenLake:
    """Open a lake for queries; with ``locked`` it can then open only its own files.

    Returns an object with ``.sql(query)`` (a DuckDB relation: ``.df() .pl() .arrow()``),
    ``.table(name)`` (a Polars LazyFrame), ``.stats(name, **given)``, ``.tables()``,
    ``.columns(name)`` and ``.info()``. Raises :class:`~paifu.errors.LakeError` if there is no lake
    or it is of another version.
    """
    opened = OpenLake.open(lake)
    if locked:
        shut_in(opened)
    return opened
