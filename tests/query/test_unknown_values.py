"""Unknown values of a log, such as points or hidden tiles, are not counted as zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from paifu.lake.lake import Lake
from paifu.lake.layout import macro_statements, view_statements
from paifu.query.statistics import statistics
from paifu.schema.tables import TABLES

MEANS = ("balance", "income")
"""Columns that are a mean change of a seat's points."""
Ask = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask(lake: Lake) -> Iterator[Ask]:
    """Answer statistics on a copy in which a seat wins or loses 700 points, if that is known.

    Of one round in three no change is known, and in one of five all tiles are hidden. How a game
    ended is known only of those that a bust ended.
    """
    connection = duckdb.connect()
    for name in TABLES:
        connection.register(f"of_{name}", lake.table(name).collect().to_arrow())
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM of_{name}")
    connection.execute(
        """UPDATE round_seats SET
            delta = CASE WHEN (game_id + round_index) % 3 <> 0 THEN 700 END,
            haipai_shanten = CASE WHEN (game_id + round_index) % 5 <> 0 THEN haipai_shanten END,
            haipai_dora = CASE WHEN (game_id + round_index) % 5 <> 0 THEN haipai_dora ELSE 0 END,
            haipai_yaochuu_kinds = CASE WHEN (game_id + round_index) % 5 <> 0
                THEN haipai_yaochuu_kinds ELSE 0 END"""
    )
    connection.execute("UPDATE games SET ended_by = 'unknown' WHERE ended_by <> 'bust'")
    for statement in (macro_statements() | view_statements()).values():
        connection.execute(statement)

    def answer(name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = (
            connection.execute(statistics()[name].sql).to_arrow_table().to_pylist()
        )
        return rows

    yield answer
    connection.close()


@pytest.mark.parametrize(
    "name",
    [
        "calls", "dama_or_riichi", "dealer", "draws", "facing_riichi", "first_call",
        "first_discards", "haipai", "haipai_dora", "haipai_orphans", "kans", "open_rounds",
        "riichi", "riichi_by_live", "riichi_by_tile", "riichi_by_turn", "riichi_by_wait",
        "riichi_tiles", "seat_winds", "yakuhai_pairs",
    ],
)  # fmt: skip
def test_a_mean_of_points_is_over_the_rounds_whose_points_are_known(name: str, ask: Ask) -> None:
    found = {row[column] for row in ask(name) for column in MEANS if column in row}
    assert found - {None} == {700}


@pytest.mark.parametrize("name", ["haipai", "haipai_dora", "haipai_orphans"])
def test_hidden_first_tiles_are_in_no_row(name: str, ask: Ask, lake: Lake) -> None:
    ((known, players),) = lake.sql(
        """SELECT count(*) FILTER ((game_id + round_index) % 5 <> 0), count(*) FROM round_seats"""
    ).fetchall()
    assert sum(row["n"] for row in ask(name)) == known < players


def test_how_games_end_is_a_share_of_those_of_which_it_is_known(ask: Ask) -> None:
    rows = ask("games")
    assert 0 < sum(row["n_ended"] for row in rows) < sum(row["n"] for row in rows)
    assert {row["bust_rate"] for row in rows} <= {1.0, None}
    assert all((row["bust_rate"] is None) == (row["n_ended"] == 0) for row in rows)
