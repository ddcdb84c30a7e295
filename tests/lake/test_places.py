"""Places of rows: a batch is read completely, few other rows are read, and moves are noticed."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from paifu.lake.compact import compact
from paifu.lake.lake import Lake
from paifu.lake.layout import arrow_schema
from paifu.lake.places import FILE_ORDER, Places, find_places, have_moved, in_newer_files
from tests.helpers import synthetic

TABLE = "win_yaku"
ROWS = 20
"""Rows of each game: more than DuckLake keeps in its catalog instead of a file."""


def rows_of(games: list[int]) -> pa.Table:
    rows = [
        {"game_id": game, "round_index": index, "win_index": 0, "yaku": "riichi", "han": 1}
        for game in games
        for index in range(ROWS)
    ]
    return pa.Table.from_pylist(rows, schema=arrow_schema(TABLE))


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    opened = Lake.open(tmp_path / "lake", create=True)
    for games in ([7, -3, 5], [2, 9], [-8, 4, 1]):
        staged = opened.stage({TABLE: rows_of(games)})
        opened.transact(lambda tx, staged=staged: tx.add(staged))
    return opened


def batches_of(lake: Lake, size: int) -> list[pl.DataFrame]:
    query = f"SELECT game_id FROM {TABLE} WHERE round_index = 0 ORDER BY {FILE_ORDER}"
    games = lake.sql(query).pl()
    return [games.slice(start, size) for start in range(0, len(games), size)]


def games_within(lake: Lake, condition: str) -> set[int]:
    query = f"SELECT DISTINCT game_id FROM {TABLE} WHERE {condition}"
    return {game for (game,) in lake.sql(query).fetchall()}


def found_from(lake: Lake, batches: list[pl.DataFrame], first: int = 0) -> Places:
    rest = {number: batches[number] for number in range(first, len(batches))}
    return lake.read(lambda tx: find_places(tx.connection, rest, [TABLE]))


def moved(lake: Lake, places: Places, batch: pl.DataFrame) -> bool:
    ids = batch["game_id"].to_numpy()
    return lake.read(lambda tx: have_moved(tx.connection, places.snapshot, [TABLE], ids))


def test_a_batch_is_found_between_two_rows_of_its_files(lake: Lake) -> None:
    batches = batches_of(lake, 2)
    places = found_from(lake, batches)
    # two batches begin late in one file and end early in the next: more rows of both are read
    assert [games_within(lake, places.of(n)[TABLE]) for n in range(len(batches))] == [
        {7, -3}, {5, 2} | {7, -3, 9}, {9, -8} | {2, 4}, {4, 1},
    ]  # fmt: skip


def test_rows_that_others_moved_are_found_again(lake: Lake) -> None:
    batches = batches_of(lake, 2)
    places = found_from(lake, batches)
    compact(lake)
    assert games_within(lake, places.of(0)[TABLE]) == set()
    assert moved(lake, places, batches[1])
    places = found_from(lake, batches, 1)
    assert games_within(lake, places.of(1)[TABLE]) == {5, 2}
    lake.transact(lambda tx: tx.execute(f"UPDATE {TABLE} SET han = 2 WHERE game_id = 4"))
    assert not moved(lake, places, batches[2].filter(game_id=-8))
    assert moved(lake, places, batches[3])
    assert games_within(lake, found_from(lake, batches, 3).of(3)[TABLE]) >= {4, 1}


def test_commits_about_other_games_move_nothing(lake: Lake) -> None:
    batches = batches_of(lake, 4)
    places = found_from(lake, batches)
    with Lake.open(lake.location.text, write=True) as other:
        staged = other.stage({TABLE: rows_of([11, 12])})
        other.transact(lambda tx: tx.add(staged))
        other.transact(lambda tx: tx.execute(f"DELETE FROM {TABLE} WHERE game_id IN (11, 5)"))
    assert not any(moved(lake, places, batch) for batch in batches)
    assert games_within(lake, places.of(1)[TABLE]) >= {-8, 4, 1}


def test_files_older_than_the_games_are_left_out(lake: Lake) -> None:
    games = {"games": synthetic.tables([synthetic.Game(n) for n in (21, 22)], 1)["games"]}
    staged = lake.stage(games | {TABLE: rows_of([21, 22])})
    lake.transact(lambda tx: tx.add(staged))
    batch = pl.DataFrame({"game_id": [21, 22]})
    condition = found_from(lake, [batch]).of(0)[TABLE]
    assert games_within(lake, condition) == {21, 22}
    assert lake.read(lambda tx: opened(tx.connection, [batch])) == 1
    compact(lake)
    assert games_within(lake, found_from(lake, [batch]).of(0)[TABLE]) >= {21, 22}


def opened(connection: duckdb.DuckDBPyConnection, batches: list[pl.DataFrame]) -> int:
    """Return in how many files of the table the games are looked for."""
    connection.register("batches", pl.concat(batches).to_arrow())
    condition = in_newer_files(connection, "batches")[TABLE]
    connection.unregister("batches")
    query = f"SELECT count(DISTINCT filename) FROM {TABLE} WHERE {condition}"
    return connection.execute(query).fetchall()[0][0]


def test_rows_in_the_catalog_itself_are_found(lake: Lake) -> None:
    lake.transact(lambda tx: tx.insert(TABLE, rows_of([6]).slice(0, 3)))
    batch, other = pl.DataFrame({"game_id": [6, 4]}), pl.DataFrame({"game_id": [9]})
    found = lake.read(
        lambda tx: find_places(tx.connection, {0: batch, 1: other}, [TABLE, "wins"])
    ).of(0)
    assert games_within(lake, found[TABLE]) >= {6, 4}
    assert found["wins"] == "false"
