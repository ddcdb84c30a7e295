"""Repairs a damaged lake by removing what is damaged, which can then be ingested again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from paifu.errors import LakeError
from paifu.lake.agreement import agreement
from paifu.lake.connection import METADATA, current_version
from paifu.lake.failures import DATABASE_ERRORS
from paifu.lake.files import LakeFile
from paifu.lake.lake import Lake, Transaction
from paifu.lake.text_bounds import widen
from paifu.schema.tables import DERIVED, MODEL_TABLES

_FOR_GOOD = ("lake_info", "forgotten")
"""Tables that cannot be filled again: without ``forgotten``, forgotten games would come back."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What a lake has lost by the repair."""

    games: int
    sources: list[str]
    """The sources of these games; the next ingest of them reads them again."""
    derived: bool
    """Whether computed rows were removed; the next re-scoring computes them again."""


def mend(lake: Lake, bad: Iterable[LakeFile]) -> Mended:
    """Take damaged files out of a lake, and all rows of the games that may have been in them.

    After that, games that violate what must hold between the tables are removed. Raises
    :class:`~paifu.errors.LakeError` if a file belongs to a table that cannot be filled again.
    """
    bad = list(bad)
    if lost := [file for file in bad if file.table in _FOR_GOOD]:
        raise LakeError(
            f"{lost[0].path} cannot be done without: bring it back from a backup, or ingest the "
            "sources into a new lake"
        )
    games, sources, derived = set[int](), set[str](), set[int]()
    for file in bad:
        if file.table in MODEL_TABLES:
            continue
        span = f"snapshot_id BETWEEN {file.first} AND {file.last}"
        if file.table in DERIVED:  # all that was computed of a game came in one transaction
            for name in DERIVED:
                derived |= _read(lake, f"SELECT game_id FROM {name} WHERE {span}")
        else:
            games |= _read(lake, f"SELECT game_id FROM games WHERE {span}")
            sources |= _read(lake, f"SELECT path FROM sources WHERE {span}")
    _take_out(lake, bad)
    widen(lake)
    played = set(games)
    for table, _, query in agreement():
        (derived if table in DERIVED else played).update(_read(lake, query))
    if any(file.table == "sources" for file in bad):
        sources = set()  # all of them will be read again
    return lake.transact(
        lambda tx: _remove(tx, sorted(played), sorted(derived), sources, _any_derived(bad))
    )


def _any_derived(bad: Iterable[LakeFile]) -> bool:
    """Return whether a file belongs to a table that can be computed again."""
    return any(file.table in DERIVED | MODEL_TABLES for file in bad)


def _read(lake: Lake, query: str) -> set[Any]:
    """Return the first column of a query's result; empty if a damaged file prevents the query."""
    with contextlib.suppress(*DATABASE_ERRORS):
        return {value for (value, *_) in lake.connection.execute(query).fetchall()}
    return set()


def _take_out(lake: Lake, bad: list[LakeFile]) -> None:
    """Remove the files from the catalog, starting with the current snapshot."""
    if not bad:
        return
    numbers = ", ".join(str(file.number) for file in bad)
    with lake.locks.committing():
        version = current_version(lake.connection)
        for table in ("ducklake_delete_file", "ducklake_data_file"):
            lake.maintain(
                f"UPDATE {METADATA}.{table} SET end_snapshot = {version} "
                f"WHERE data_file_id IN ({numbers}) AND end_snapshot IS NULL"
            )


def _remove(
    tx: Transaction, played: list[int], derived: list[int], sources: set[str], computed: bool
) -> Mended:
    """Remove games from all tables, and other games from computed tables; keep their sources."""
    gone = "game_id IN (SELECT unnest(?::BIGINT[]))"
    (games,) = tx.execute(f"SELECT count(*) FROM games WHERE {gone}", [played])[0]
    for (path,) in tx.execute(
        f"SELECT DISTINCT path FROM sources JOIN games USING (source_id) WHERE {gone}", [played]
    ):
        sources.add(path)
    tx.remove_games(played)
    for name in DERIVED:
        tx.execute(f"DELETE FROM {name} WHERE {gone}", [derived])
    tx.execute(
        "UPDATE sources SET complete = false WHERE path IN (SELECT unnest(?::VARCHAR[]))",
        [sorted(sources)],
    )
    return Mended(games, sorted(sources), computed or bool(derived))
