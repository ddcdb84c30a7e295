"""Dan points and stable levels of Mahjong Soul: as the platform gave them, and by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.lake.layout import macro_statements
from paifu.query.statistics import run, statistic


@pytest.fixture
def ranked() -> Iterator[duckdb.DuckDBPyConnection]:
    """One game of each place of ``somebody``, who ends each with the points it began with."""
    with duckdb.connect() as connection:
        for statement in macro_statements().values():
            connection.execute(statement)
        connection.execute("""CREATE TABLE games AS
            SELECT game_id, CASE WHEN game_id < 4 THEN 4 ELSE 3 END::SMALLINT AS players,
                'majsoul-' || players || 'p' AS ruleset, 'jade' AS room, 'south' AS length,
                NULL::VARCHAR AS lobby, NULL::TIMESTAMP AS played_at, true AS complete,
                'play' AS detail
            FROM range(7) AS r(game_id)""")
        connection.execute("""CREATE TABLE seats AS
            SELECT game_id, 0::SMALLINT AS seat, 'somebody' AS player, false AS anonymous,
                (CASE WHEN players = 4 THEN 10401 ELSE 20401 END)::SMALLINT AS dan,
                '雀豪★1' AS dan_name,
                (1 + game_id - CASE WHEN players = 4 THEN 0 ELSE 4 END)::SMALLINT AS placement,
                CASE WHEN players = 4 THEN 25000 ELSE 35000 END AS final_points
            FROM games""")
        yield connection


def answer(connection: duckdb.DuckDBPyConnection, name: str) -> list[dict]:
    connection.execute("SET VARIABLE min_games = 1")
    return connection.sql(statistic(name).sql).pl().to_dicts()


def test_the_stable_level_is_where_dan_points_are_zero(
    ranked: duckdb.DuckDBPyConnection,
) -> None:
    """Of four: 125 + 60 - 5 - 15 = 165, the penalty of 雀豪★1. Of three: 160, less than 165."""
    four, three = answer(ranked, "stable_level")
    assert (four["players"], three["players"]) == (4, 3)
    assert four["stable_level"] == pytest.approx(1)
    assert three["stable_level"] == pytest.approx((160 - 140) / 25)
    assert four["low"] < 1 < four["high"]
    of_four, of_three = answer(ranked, "dan_points")
    assert of_four["average_dan_points"] == pytest.approx(0)
    assert of_three["average_dan_points"] == pytest.approx((175 - 15 - 165) / 3)


def test_nothing_is_told_of_ranks_and_rooms_whose_points_are_not_known(
    ranked: duckdb.DuckDBPyConnection,
) -> None:
    ranked.execute("UPDATE seats SET dan = 10601, dan_name = '魂天'")
    assert answer(ranked, "dan_points") == []
    ranked.execute("UPDATE games SET room = 'bronze'")
    assert answer(ranked, "stable_level") == []


def test_dan_points_are_those_that_the_platform_gave(corpus: Path, tmp_path: Path) -> None:
    log = corpus / "majsoul" / "paipu_record.json"
    ingest(log, lake=tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        found = run(lake, "dan_points").pl()
    given: dict[tuple[int, int], list[int]] = {}
    head = json.loads(log.read_text(encoding="utf-8"))
    head = head.get("head", head)
    ranks = {each["seat"]: each["level"]["id"] for each in head["accounts"]}
    for each in head["result"]["players"]:
        given.setdefault(ranks[each["seat"]], []).append(each["grading_score"])
    told = {row["dan"]: row["average_dan_points"] for row in found.to_dicts()}
    assert told == {
        f"雀豪★{rank % 10}": pytest.approx(sum(points) / len(points))
        for rank, points in given.items()
    }
    assert pl.Series(given[10401]).max() == 141
