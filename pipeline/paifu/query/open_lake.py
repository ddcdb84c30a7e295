"""A lake opened for queries: the stored lake with the named statistics."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from paifu.lake.lake import Lake
from paifu.query.adhoc_sql import shut_in
from paifu.query.filters import EVERYTHING, Filter
from paifu.query.statistics import Answer, run


class OpenLake(Lake):
    """A lake for queries, by ``.sql(query)``, ``.table(name)`` and ``.stats(name)``."""

    def stats(
        self, name: str, *, only: Filter | None = None, where: str | None = None, **params: Any
    ) -> Answer:
        """Run a named statistic with its parameters; see :func:`paifu.query.statistics.run`.

        ``only`` says which games and seats count, ``where`` is its expression on ``games``.
        """
        chosen = only or EVERYTHING
        return run(self, name, params, only=replace(chosen, where=where) if where else chosen)


def open_lake(lake: str | Path, *, locked: bool = False) -> OpenLake:
    """Open a lake for queries; with ``locked`` it can then open only its own files.

    Returns an object with ``.sql(query)`` (a DuckDB relation: ``.df() .pl() .arrow()``),
    ``.table(name)`` (a Polars LazyFrame) and ``.stats(name, **params)``. Raises
    :class:`~paifu.errors.LakeError` if there is no lake or it is of another version.
    """
    opened = OpenLake.open(lake)
    if locked:
        shut_in(opened)
    return opened
