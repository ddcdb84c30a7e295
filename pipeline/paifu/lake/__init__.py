"""The lake: a DuckLake of Parquet files under an SQL catalog, where games and answers live.

:class:`Lake` opens one and changes it in transactions; ``known`` decides which games are new,
``names`` what is kept of people, ``compact`` and ``forget`` tidy and remove.
"""

from __future__ import annotations

from pathlib import Path

from paifu.lake.lake import Lake, Transaction
from paifu.lake.names import Policy
from paifu.lake.staging import Staged

__all__ = ["Lake", "Policy", "Staged", "Transaction", "open_lake"]


def open_lake(lake: str | Path) -> Lake:
    """Open a lake for asking.

    Returns an object with ``.sql(query)`` (a DuckDB relation: ``.df() .pl() .arrow()``),
    ``.table(name)`` (a Polars LazyFrame) and ``.stats(name, **params)``. Raises
    :class:`~paifu.errors.LakeError` where there is no lake or it is of another version.
    """
    return Lake.open(lake)
