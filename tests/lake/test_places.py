"""Places of rows: a batch is read completely, few other rows are read, and moves are noticed."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from paifu.lake.compact import compact
from paifu.lake.lake import Lake
from paifu.lake.layout import arrow_schema
from paifu.lake.places import FILE_ORDER, Places

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


def test_a_batch_is_found_between_two_rows_of_its_files(lake: Lake) -> None:
    batches = batches_of(lake, 2)
    places = Places(batches, [TABLE])
    found = [lake.read(lambda tx, n=n: places.of(tx, n)[TABLE]) for n in range(len(batches))]
    # two batches begin late in one file and end early in the next: more rows of both are read
    assert [games_within(lake, condition) for condition in found] == [
        {7, -3}, {5, 2} | {7, -3, 9}, {9, -8} | {2, 4}, {4, 1},
    ]  # fmt: skip


def test_rows_that_others_moved_are_found_again(lake: Lake) -> None:
    batches = batches_of(lake, 2)
    places = Places(batches, [TABLE])
    before = lake.read(lambda tx: places.of(tx, 0)[TABLE])
    compact(lake)
    assert games_within(lake, before) == set()
    assert games_within(lake, lake.read(lambda tx: places.of(tx, 1)[TABLE])) == {5, 2}
    lake.transact(lambda tx: tx.execute(f"UPDATE {TABLE} SET han = 2 WHERE game_id = 4"))
    assert games_within(lake, lake.read(lambda tx: places.of(tx, 3)[TABLE])) >= {4, 1}


def test_after_commits_that_moved_nothing_it_is_not_looked_anew(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Places(batches_of(lake, 4), [TABLE])
    looked = []
    look = places._look

    def counted(connection, start):
        looked.append(start)
        return look(connection, start)

    monkeypatch.setattr(places, "_look", counted)
    lake.read(lambda tx: places.of(tx, 0))
    lake.transact(lambda tx: None)
    places.committed(lake)
    lake.read(lambda tx: places.of(tx, 1))
    assert looked == [0]
    with Lake.open(lake.location.text, write=True) as other:
        other.transact(lambda tx: None)
    lake.transact(lambda tx: None)
    places.committed(lake)
    lake.read(lambda tx: places.of(tx, 1))
    assert looked == [0, 1]


def test_rows_in_the_catalog_itself_are_found(lake: Lake) -> None:
    lake.transact(lambda tx: tx.insert(TABLE, rows_of([6]).slice(0, 3)))
    batch = pl.DataFrame({"game_id": [6, 4]})
    places = Places([batch], [TABLE, "wins"])
    found = lake.read(lambda tx: places.of(tx, 0))
    assert games_within(lake, found[TABLE]) >= {6, 4}
    assert found["wins"] == "false"
