"""95 % intervals of parts of all games contain the rate of all games in 95 of 100 parts."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.lake.layout import macro_statements
from paifu.query.filters import Filter
from paifu.query.statistics import run
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import play_games
from paifu.simulate.write_mjlog import log_id, write

SAMPLES, GAMES, ROUNDS = 600, 120, 10


def samples(kind: str) -> pl.DataFrame:
    """Return many samples of games: ``k`` of ``n`` in each part of a sample, and the true ``p``.

    ``draw`` is true for all four seats of a round or for none, and its frequency differs between
    games. ``win`` is true for at most one seat, ``bust`` for one seat in some games, and ``own``
    for each seat independently.
    """
    rng = np.random.default_rng(15)
    shape = (SAMPLES, GAMES)
    draws = rng.binomial(ROUNDS, rng.beta(3, 17, shape))
    k, each, truth = {
        "draw": (4 * draws, 4 * ROUNDS, 0.15),
        "win": (ROUNDS - draws, 4 * ROUNDS, 0.85 / 4),
        "bust": (rng.binomial(1, 0.2, shape), 4, 0.05),
        "own": (rng.binomial(4 * ROUNDS, 0.3, shape), 4 * ROUNDS, 0.3),
    }[kind]
    games = pl.DataFrame(
        {
            "sample": np.repeat(np.arange(SAMPLES), GAMES),
            "part": rng.integers(0, 256, SAMPLES * GAMES),
            "k": k.ravel(),
            "n": np.full(SAMPLES * GAMES, each),
        }
    )
    return games.group_by("sample", "part").agg(pl.col("k", "n").sum()).with_columns(p=truth)


def covered(parts: pl.DataFrame, low: str, high: str) -> tuple[float, float]:
    """Return the share of samples whose interval contains the true rate, and the mean width."""
    connection = duckdb.connect()
    for statement in macro_statements().values():
        connection.execute(statement)
    connection.register("parts", parts.to_arrow())
    (found,) = connection.execute(
        f"""SELECT avg((low <= p AND p <= high)::INT), avg(high - low)
        FROM (SELECT any_value(p) AS p, {low} AS low, {high} AS high FROM parts GROUP BY sample)"""
    ).fetchall()
    return found


@pytest.mark.parametrize("kind", ["draw", "win", "bust", "own"])
def test_the_interval_of_what_comes_together_in_games_holds(kind: str) -> None:
    share, _ = covered(samples(kind), "clustered_low(k, n)", "clustered_high(k, n)")
    assert 0.93 < share < 0.975


def test_a_plain_interval_is_too_narrow_for_draws_and_too_wide_for_wins() -> None:
    plain = "rate_low(sum(k), sum(n))", "rate_high(sum(k), sum(n))"
    clustered = "clustered_low(k, n)", "clustered_high(k, n)"
    assert covered(samples("draw"), *plain)[0] < 0.75
    wins = samples("win")
    assert covered(wins, *plain)[0] > 0.99
    assert covered(wins, *plain)[1] > 1.5 * covered(wins, *clustered)[1]


@pytest.mark.parametrize("kind", ["draw", "bust"])
def test_the_interval_of_a_mean_holds(kind: str) -> None:
    mean, half = "sum(k) / sum(n)", "clustered_plus_minus(k, n)"
    share, _ = covered(samples(kind), f"{mean} - {half}", f"{mean} + {half}")
    assert 0.92 < share < 0.975


RATES = {
    "draws": ("draw_rate", "low", "high"),
    "wins": ("win_rate", "low", "high"),
    "calls": ("win_rate", "low", "high"),
    "riichi": ("riichi_rate", "low", "high"),
    "deal_in": ("deal_in_rate", "deal_in_low", "deal_in_high"),
    "facing_riichi": ("deal_in_rate", "low", "high"),
    "open_rounds": ("call_rate", "call_low", "call_high"),
    "first_call": ("win_rate", "low", "high"),
    "busts": ("rate", "low", "high"),
}
"""Statistics with an interval, and the columns of the interval."""
BLOCKS = 32
SIMULATED = 2_000


@pytest.mark.slow
@pytest.mark.parametrize("name", RATES)
def test_intervals_of_blocks_of_games_have_the_rate_of_all(name: str, many_games: Lake) -> None:
    hits, n = blocks_that_hold(many_games, name)
    print(f"\n{name}: {hits} of {n} intervals have the rate of all games ({hits / n:.1%})")
    # a block's interval is one of 95 in 100; rows of a block hold and miss together
    assert hits / n > 0.9, f"{hits} of {n}"


def blocks_that_hold(lake: Lake, name: str) -> tuple[int, int]:
    """Return how many intervals of blocks contain the rate of all games, and how many there are.

    Rows in which fewer than five of a block are expected to have it, or not to, are left out.
    """
    rate, low, high = RATES[name]
    of_all = {key: row[rate] for key, row in rows_by_key(lake, name, None).items()}
    hits = n = 0
    for block in range(BLOCKS):
        for key, row in rows_by_key(lake, name, block).items():
            seen = row.get("n_rounds", row["n"])
            if min(of_all[key], 1 - of_all[key]) * seen >= 5:
                hits, n = hits + (row[low] <= of_all[key] <= row[high]), n + 1
    return hits, n


def rows_by_key(lake: Lake, name: str, block: int | None) -> dict[tuple[Any, ...], Any]:
    """Return the rows of a statistic by their first two columns: of all games, or of a block."""
    where = None if block is None else f"(game_id >> 12) & {BLOCKS - 1} = {block}"
    answer = run(lake, name, only=Filter(where=where))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    return {(row[answer.columns[0]], row[answer.columns[1]]): row for row in rows}


@pytest.fixture(scope="module")
def many_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    """A lake of many simulated games."""
    folder = tmp_path_factory.mktemp("coverage")
    rules = rulesets.get("tenhou-4p")
    flow = flow_of(rules, 4, "south", True, True)
    with zipfile.ZipFile(folder / "games.zip", "w") as archive:
        for game in play_games(np.arange(SIMULATED), 15, rules, flow):
            archive.writestr(f"{log_id(game)}.mjlog", write(game))
    ingest([folder / "games.zip"], lake=folder / "lake")
    with Lake.open(folder / "lake") as lake:
        yield lake
