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
POINTS = {
    "delta": "rounds", "riichi_delta": "riichis", "riichi_win_delta": "riichi_wins",
    "riichi_deal_in_delta": "-riichi_deal_ins",
}  # fmt: skip
"""Sums of points in ``game_seats``, each with what it is divided by."""
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
            tsumo_paid = CASE WHEN (game_id + round_index) % 3 <> 0 THEN 500 END,
            haipai_shanten = CASE WHEN (game_id + round_index) % 5 <> 0 THEN haipai_shanten END,
            haipai_dora = CASE WHEN (game_id + round_index) % 5 <> 0 THEN haipai_dora ELSE 0 END,
            haipai_yaochuu_kinds = CASE WHEN (game_id + round_index) % 5 <> 0
                THEN haipai_yaochuu_kinds ELSE 0 END"""
    )
    connection.execute("UPDATE actions SET shanten = NULL WHERE (game_id + round_index) % 5 = 0")
    for column, rounds in POINTS.items():
        connection.execute(
            f"""UPDATE game_seats
            SET {column} = CASE WHEN game_id % 3 <> 0 THEN 700 * {rounds} END"""
        )
    connection.execute("SET VARIABLE min_games = 1")
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


@pytest.mark.parametrize("name", ["players", "player_percentiles", "player_trend"])
def test_points_of_players_are_over_the_games_whose_points_are_known(name: str, ask: Ask) -> None:
    means = ("points_per_round", "riichi_balance", "riichi_income", "riichi_expense")
    found = {row[column] for row in ask(name) for column in means if column in row}
    assert found - {None} == {700}


def test_payments_for_a_tsumo_are_over_the_rounds_whose_payments_are_known(ask: Ask) -> None:
    assert {row["paid_tsumo_rate"] for row in ask("facing_riichi")} == {1.0}


def test_riichi_whose_tiles_are_hidden_are_in_no_turn(ask: Ask, lake: Lake) -> None:
    """The hands of n are known, so the riichi among them must be those of known hands, too."""
    rows = lake.sql(
        """SELECT players, turn, count(*), count(*) FILTER (turn >= riichi_turn)
        FROM actions
        JOIN (
            SELECT game_id, round_index, seat, riichi_turn, haipai_shanten FROM round_seats
        ) USING (game_id, round_index, seat)
        WHERE action IN ('discard', 'riichi') AND shanten IS NOT NULL
            AND (game_id + round_index) % 5 <> 0 AND haipai_shanten IS NOT NULL
        GROUP BY ALL"""
    ).fetchall()
    expected = {(players, turn): (n, riichi / n) for players, turn, n, riichi in rows}
    found = {(r["players"], r["turn"]): (r["n"], r["riichi_rate"]) for r in ask("tenpai_by_turn")}
    assert found.keys() == expected.keys()
    for place, (n, rate) in found.items():
        assert (n, rate) == (expected[place][0], pytest.approx(expected[place][1])), place


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
