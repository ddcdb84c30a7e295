"""A player's order of games within an hour, and number of earlier games, found from R alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pytest

from paifu.lake.rated_games import RATED_GAMES

START = datetime(2020, 1, 1)
RESULTS = (30, 10, -10, -30)


@dataclass
class Played:
    """A game as it was played: its order, and the R before it."""

    id: int
    hour: datetime | None
    rate: float
    table: float
    placement: int
    lobby: str = "0"


def career(
    games: int, before: int, per_hour: int, seed: int, start: float = 1800.0
) -> Iterator[Played]:
    """Play games in order, several per hour, by Tenhou's formula; R is written with two digits."""
    dice = random.Random(seed)
    rate = start
    ids = dice.sample(range(10_000), games)  # which say nothing about the order
    for n in range(games):
        table = round(rate + dice.uniform(-90, 90), 2)
        place = dice.randint(1, 4)
        yield Played(ids[n], START + timedelta(hours=n // per_hour), round(rate, 2), table, place)
        factor = max(0.2, 1 - 0.002 * (before + n))
        rate += factor * (RESULTS[place - 1] + (table - rate) / 40)


def told(games: list[Played]) -> dict[int, dict[str, Any]]:
    """Return the rows of the view by game."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE games (game_id BIGINT, players SMALLINT, played_at TIMESTAMP, room VARCHAR, "
        "lobby VARCHAR, ruleset VARCHAR, complete BOOLEAN)"
    )
    connection.execute(
        "CREATE TABLE seats (game_id BIGINT, seat SMALLINT, player VARCHAR, anonymous BOOLEAN, "
        "dan SMALLINT, dan_name VARCHAR, rate DOUBLE, table_rate DOUBLE, placement SMALLINT)"
    )
    connection.executemany(
        "INSERT INTO games VALUES (?, 4, ?, 'houou', ?, 'tenhou-4p', true)",
        [(game.id, game.hour, game.lobby) for game in games],
    )
    connection.executemany(
        "INSERT INTO seats VALUES (?, 0, 'one', false, 16, '七段', ?, ?, ?)",
        [(game.id, game.rate, game.table, game.placement) for game in games],
    )
    connection.execute(RATED_GAMES)
    rows = connection.execute("SELECT * FROM rated_games")
    names = [column[0] for column in rows.description]
    return {row[0]: dict(zip(names, row, strict=True)) for row in rows.fetchall()}


def order(rows: dict[int, dict[str, Any]]) -> list[int]:
    return [row["game_id"] for row in sorted(rows.values(), key=lambda row: row["nth"])]


@pytest.mark.parametrize("before", [1000, 350, 60])
@pytest.mark.parametrize("seed", range(4))
def test_r_tells_the_order_within_an_hour_and_the_games_before(before: int, seed: int) -> None:
    games = list(career(40, before, 2, seed))
    rows = told(games)
    right = [a.id == b for a, b in zip(games, order(rows), strict=True)]
    known = [rows[game.id]["order_known"] for game in games]
    assert all(true for true, certain in zip(right, known, strict=True) if certain)
    assert sum(known) >= 36  # two steps may be equal by chance
    for n, game in enumerate(games):
        assert rows[game.id]["games_before"] == pytest.approx(min(400, before + n), abs=4)


def test_where_nothing_tells_the_order_it_is_said_to_be_unknown() -> None:
    """Only the first and the third game of each hour: the games between are not in the lake."""
    games = [game for n, game in enumerate(career(60, 1000, 5, 1)) if n % 5 in (0, 2)]
    rows = told(games)
    assert len(rows) == 24
    unknown = [row for row in rows.values() if not row["order_known"]]
    assert len(unknown) >= 20
    # nor does R have to show that a player has played 400 games
    assert {row["games_before"] for row in rows.values()} <= {None, 400}


def test_games_of_no_known_hour_have_no_order() -> None:
    games = [*career(3, 1000, 1, 2)]
    for game in games:
        game.hour = None
    rows = told(games)
    assert [rows[game.id]["order_known"] for game in games] == [False] * 3
    alone = told(games[:1])
    assert alone[games[0].id]["order_known"]


def test_a_private_lobby_moves_no_r() -> None:
    games = list(career(6, 1000, 1, 3))
    private = Played(99_999, games[2].hour, games[2].rate, 1500.0, 4, lobby="2789")
    rows = told([*games, private])
    assert order(rows) == [game.id for game in games]


def test_games_that_could_follow_each_other_either_way_have_no_order() -> None:
    """Two equal steps of almost zero leave R unchanged."""
    games = [Played(1, START, 2000.0, 1600.05, 2), Played(2, START, 2000.0, 1600.05, 2)]
    rows = told(games)
    assert len(rows) == 2
    assert [row["order_known"] for row in rows.values()] == [False, False]
