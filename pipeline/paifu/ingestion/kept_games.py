"""The games of a unit that are stored: their rows in all tables, and their counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.lake.layout import arrow_schema
from paifu.schema.tables import PLAY_TABLES


@dataclass(slots=True)
class Counts:
    """Counts of what was brought into the lake.

    For a new lake, ``games``, ``skipped`` and ``superseded`` add up to all logs that could be read.
    """

    games: int = 0
    """Games stored that are new or were read again, and that were not superseded since."""
    rounds: int = 0
    """Rounds of these games."""
    wins: int = 0
    """Wins of these games."""
    rejected: int = 0
    """Logs that could not be read and are new rejects (table ``rejects``)."""
    known_rejected: int = 0
    """Logs that could not be read; an earlier run or another file already had this reject."""
    flagged: int = 0
    """How many of the games have a fault in their record (table ``flags``)."""
    flags: dict[str, int] = field(default_factory=dict)
    """The flagged games by reason; a game may have several reasons."""
    skipped: int = 0
    """Games that were already known, stored earlier or by this run."""
    superseded: int = 0
    """Games, arriving or stored, superseded by a record of the same game with more information, or
    by a corrected score sheet."""

    def add(self, other: Counts, times: int = 1) -> None:
        """Add the counts of other games; with ``times`` -1, subtract them."""
        for spec in fields(Counts):
            if spec.name != "flags":
                more = times * getattr(other, spec.name)
                setattr(self, spec.name, getattr(self, spec.name) + more)
        for reason, games in other.flags.items():
            self.flags[reason] = self.flags.get(reason, 0) + times * games
        self.flags = {reason: games for reason, games in self.flags.items() if games}


def counts_of(tables: dict[str, pa.Table]) -> Counts:
    """Return the counts of stored games."""
    flags = tables["games"].column("flags")
    return Counts(
        games=tables["games"].num_rows,
        rounds=tables["rounds"].num_rows,
        wins=tables["wins"].num_rows,
        flagged=int(pc.sum(pc.greater(pc.list_value_length(flags), 0)).as_py() or 0),
        flags=dict(Counter(pc.list_flatten(flags).to_pylist())),
    )


def filled(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """Return the tables; tables for which a batch has no rows are added empty."""
    empty = {name: arrow_schema(name).empty_table() for name in (*PLAY_TABLES, "rejects")}
    return empty | tables


def kept_rows(tables: dict[str, pa.Table], keep: npt.NDArray[np.bool_]) -> dict[str, pa.Table]:
    """Return the tables with only the games to keep; tables without games stay whole."""
    if keep.all():
        return dict(tables)
    games = tables["games"].filter(pa.array(keep))
    ids = games.column("game_id").combine_chunks()
    return {
        name: table.filter(pc.is_in(table.column("game_id"), value_set=ids))
        if "game_id" in table.column_names
        else table
        for name, table in tables.items()
    }
