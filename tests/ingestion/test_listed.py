"""Games of lobby lists beside played games."""

from __future__ import annotations

import polars as pl
import pyarrow as pa

from paifu.formats.base import Blob, Results
from paifu.formats.lobby_lists import importer as lobby_lists
from paifu.ingestion.listed_games import with_results
from paifu.schema.tables import TABLES

RANKED = "00:00 | 17 | 三般南喰赤－ | a(+56.0) NoName(+1.0) b(-57.0)"
PRIVATE = "L1001 | 15:24 | 四般南喰赤－ | a(+57.0) b(+25.0) c(-23.0) d(-59.0)"


def listed(*lines: str) -> Results:
    text = "\n".join(lines).encode()
    results = lobby_lists.read([Blob(text, 7, name="scb20180928.log")]).results
    assert results is not None
    return results


def test_listed_games_stand_beside_the_played_ones_each_once() -> None:
    empty = {name: TABLES[name].arrow().empty_table() for name in ("games", "seats", "rounds")}
    at = empty["games"].schema.get_field_index("platform")
    encoded = pa.dictionary(pa.int32(), pa.string())
    empty["games"] = empty["games"].set_column(
        at, pa.field("platform", encoded, nullable=False), pa.array([], encoded)
    )
    tables, repeated = with_results(empty, [listed(RANKED, PRIVATE), listed(PRIVATE)], {7: 1234})
    assert repeated == 1
    assert tables["games"].column("source_id").to_pylist() == [1234, 1234]
    seat_rows = pl.from_arrow(tables["seats"])
    assert isinstance(seat_rows, pl.DataFrame)
    assert seat_rows.height == 7
    assert set(seat_rows["game_id"]) == set(tables["games"].column("game_id").to_pylist())
