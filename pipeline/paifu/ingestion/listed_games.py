"""Adds games that only a lobby list or a win sheet has to the played games of a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paifu.formats.base import Results
from paifu.schema.tables import TABLES


def with_results(
    tables: dict[str, pa.Table], listed: Sequence[Results], source_ids: dict[int, int]
) -> tuple[dict[str, pa.Table], int]:
    """Return the tables with the rows of the lists' games, and how many lines were repeated.

    A game in two lists is taken from the first. ``source_ids`` are by the number of the source.
    """
    games = pa.concat_tables([results.games for results in listed])
    if not games.num_rows:
        return tables, 0
    seats = pa.concat_tables([results.seats for results in listed])
    ids = games.column("game_id").to_numpy()
    keep = np.zeros(len(ids), dtype=bool)
    keep[np.unique(ids, return_index=True)[1]] = True
    seats = seats.filter(np.repeat(keep, games.column("players").to_numpy()))
    numbers = games.column("source_id").to_numpy()
    present, which = np.unique(numbers, return_inverse=True)
    known = np.array([source_ids[number] for number in present.tolist()], dtype=np.int64)
    at = games.schema.get_field_index("source_id")
    games = games.set_column(at, games.schema.field(at), pa.array(known[which]))
    arriving = {"games": games.filter(keep), "seats": seats}
    kept = games.column("game_id").filter(pa.array(keep))
    for name in sorted({name for results in listed for name in results.more}):
        rows = pa.concat_tables([r.more[name] for r in listed if name in r.more])
        first = ~_repeated(rows, keys=TABLES[name].key)
        of_kept = pc.is_in(rows.column("game_id"), value_set=kept.combine_chunks())
        arriving[name] = rows.filter(pc.and_(of_kept, pa.array(first)))
    joined = {
        name: pa.concat_tables([tables[name], _in_schema(rows, tables[name].schema)])
        for name, rows in arriving.items()
    }
    return tables | joined, int(len(ids) - keep.sum())


def _repeated(rows: pa.Table, keys: Sequence[str]) -> np.ndarray:
    """Return which rows have the same key as an earlier row."""
    seen: set[tuple[object, ...]] = set()
    out = np.zeros(rows.num_rows, dtype=bool)
    for at, key in enumerate(zip(*(rows.column(name).to_pylist() for name in keys), strict=True)):
        out[at] = key in seen
        seen.add(key)
    return out


def _in_schema(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows with the types of a schema; text of the rows may be dictionary-encoded."""
    columns = [
        (column.dictionary_encode() if pa.types.is_dictionary(field.type) else column).cast(
            field.type
        )
        for column, field in zip(rows.columns, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)
