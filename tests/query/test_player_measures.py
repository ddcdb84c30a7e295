"""A player's measures equal statistic ``players``; their tests equal a slow computation by game."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import polars as pl
import pytest

from paifu.lake.lake import Lake
from paifu.query.filters import Filter
from paifu.query.player_measures import (
    MEASURES,
    _measure,
    compared,
    compared_shares,
    compared_values,
    holm,
    moving_averages,
    wilson,
)


@pytest.fixture(scope="module")
def four(lake: Lake) -> Any:
    """The lake's games of four players, and their most frequent player."""
    Filter(players=4).apply(lake.connection)
    (player,) = lake.sql(
        "SELECT player FROM seats WHERE NOT anonymous GROUP BY player "
        "ORDER BY count(*) DESC, player LIMIT 1"
    ).fetchone()
    yield lake, player
    Filter().apply(lake.connection)


def test_values_are_those_of_the_statistic(four: Any, answers: Any) -> None:
    lake, player = four
    (row,) = answers("players").pl().filter(player=player, players=4).to_dicts()
    Filter(players=4).apply(lake.connection)
    checked = 0
    for measure in compared(lake, player).iter_rows(named=True):
        assert measure["mine"] == pytest.approx(row[measure["measure"]]), measure["measure"]
        checked += 1
    assert checked >= len(MEASURES) - 2


def test_the_test_is_that_of_a_slow_computation_by_game(four: Any) -> None:
    lake, player = four
    Filter(players=4).apply(lake.connection)
    rows = lake.sql(
        """SELECT game_id, player, platform || room || length AS place, wins, g.rounds
        FROM seats JOIN games USING (game_id) JOIN game_seats AS g USING (game_id, seat)
        WHERE NOT anonymous"""
    ).fetchall()
    own = [row for row in rows if row[1] == player]
    others = [row for row in rows if row[1] != player and row[2] in {mine[2] for mine in own}]
    total = sum(row[4] for row in own)
    mine = sum(row[3] for row in own) / total
    weight: dict[str, float] = defaultdict(float)
    for row in own:
        weight[row[2]] += row[4] / total
    size: dict[str, float] = defaultdict(float)
    won: dict[str, float] = defaultdict(float)
    for row in others:
        size[row[2]] += row[4]
        won[row[2]] += row[3]
    pooled = sum(weight[place] * won[place] / size[place] for place in size)
    first: dict[int, float] = defaultdict(float)
    second: dict[int, float] = defaultdict(float)
    for game, _, _, k, n in own:
        first[game] += (k - mine * n) / total
    for game, _, place, k, n in others:
        second[game] += weight[place] * (k - won[place] / size[place] * n) / size[place]

    def variance(parts: dict[int, float]) -> float:
        return len(parts) / (len(parts) - 1) * sum(part**2 for part in parts.values())

    both = sum(part * second[game] for game, part in first.items())
    error = math.sqrt(variance(first) + variance(second) - 2 * both)
    (found,) = compared(lake, player, names=["win_rate"]).to_dicts()
    assert found["pooled"] == pytest.approx(pooled)
    assert found["difference"] == pytest.approx(mine - pooled)
    if len(first) >= 20:
        assert found["z"] == pytest.approx((mine - pooled) / error)
    else:
        assert found["p"] is None  # too few games


def test_values_by_cause_are_tested_by_a_slow_computation_by_game(four: Any, answers: Any) -> None:
    lake, player = four
    stated = answers("value_by_cause", only=Filter(players=4, player=player)).pl()
    Filter(players=4).apply(lake.connection)
    found = {row["measure"]: row for row in compared_values(lake, player, "7dan").to_dicts()}
    for row in stated.iter_rows(named=True):
        assert found[row["cause"]]["mine"] == pytest.approx(row["per_game"])
        assert found[row["cause"]]["n"] == row["n_games"]
    rows = lake.sql(
        """SELECT game_id, player, platform || room || games.length AS place,
            coalesce(sum(change) FILTER (cause = 'deal_in'), 0), sum(change)
        FROM value_changes('7dan') JOIN games USING (game_id) JOIN seats USING (game_id, seat)
        WHERE NOT anonymous GROUP BY ALL"""
    ).fetchall()
    for cause, at in (("deal_in", 3), ("all", 4)):
        own = {row[0]: row for row in rows if row[1] == player}
        places = {row[2] for row in own.values()}
        others = [row for row in rows if row[1] != player and row[2] in places]
        mine = sum(row[at] for row in own.values()) / len(own)
        weight = {p: sum(row[2] == p for row in own.values()) / len(own) for p in places}
        seats = {p: sum(row[2] == p for row in others) for p in places}
        mean = {p: sum(row[at] for row in others if row[2] == p) / seats[p] for p in places}
        pooled = sum(weight[p] * mean[p] for p in places)
        first = {game: (row[at] - mine) / len(own) for game, row in own.items()}
        second: dict[int, float] = defaultdict(float)
        for game, _, p, *values in others:
            second[game] += weight[p] * (values[at - 3] - mean[p]) / seats[p]

        def variance(parts: dict[int, float]) -> float:
            return len(parts) / (len(parts) - 1) * sum(part**2 for part in parts.values())

        both = sum(part * second[game] for game, part in first.items())
        error = math.sqrt(variance(first) + variance(second) - 2 * both)
        assert found[cause]["difference"] == pytest.approx(mine - pooled)
        if min(len(own), len(second)) >= 20:
            assert found[cause]["z"] == pytest.approx((mine - pooled) / error)
        else:
            assert found[cause]["p"] is None  # too few games


def test_two_players_differ_in_opposite_ways(four: Any) -> None:
    lake, player = four
    Filter(players=4).apply(lake.connection)
    (other,) = lake.sql(
        "SELECT player FROM seats WHERE NOT anonymous AND player <> $player GROUP BY player "
        "ORDER BY count(*) DESC, player LIMIT 1",
        player=player,
    ).fetchone()
    there = {row["measure"]: row for row in compared(lake, player, other).to_dicts()}
    back = {row["measure"]: row for row in compared(lake, other, player).to_dicts()}
    for name in ("win_rate", "average_placement", "riichi_balance"):
        assert there[name]["difference"] == pytest.approx(-back[name]["difference"])
        assert there[name]["pooled"] == pytest.approx(back[name]["mine"])


def test_equal_shares_do_not_differ_and_far_ones_do() -> None:
    mine = pl.DataFrame({"yaku": ["riichi", "tanyao"], "wins": [500, 300], "n": [1000, 1000]})
    all_ = pl.DataFrame({"yaku": ["riichi", "tanyao"], "wins": [5000, 2000], "n": [10000, 10000]})
    riichi, tanyao = compared_shares(mine, all_, "yaku").to_dicts()
    assert riichi["difference"] == 0
    assert not riichi["differs"]
    # 300 of 1,000 against 1,700 of 9,000: pooled share 0.2, error 0.2 * 0.8 * (1/1000 + 1/9000)
    assert tanyao["z"] == pytest.approx((0.3 - 1700 / 9000) / math.sqrt(0.16 / 900))
    assert tanyao["differs"]


def test_shares_within_a_group_are_of_its_own_cases() -> None:
    mine = pl.DataFrame({"state": ["open", "open", "riichi"], "wait": ["tanki", "kanchan", "tanki"],
                         "wins": [5, 15, 8], "n": [20, 20, 8]})  # fmt: skip
    everyone = pl.DataFrame(
        {"state": ["open", "open", "riichi", "riichi", "closed"],
         "wait": ["tanki", "kanchan", "tanki", "kanchan", "tanki"],
         "wins": [30, 90, 18, 90, 5], "n": [120, 120, 108, 108, 5]}
    )  # fmt: skip
    rows = compared_shares(mine, everyone, "state", "wait", within=("state",)).to_dicts()
    found = {(row["state"], row["wait"]): row for row in rows}
    assert ("closed", "tanki") not in found  # the player has no such case, nor any in that state
    assert found["open", "tanki"]["mine"] == found["open", "tanki"]["pooled"] == 0.25
    assert found["riichi", "tanki"]["mine"] == 1
    assert found["riichi", "kanchan"]["mine"] == 0
    assert found["riichi", "kanchan"]["pooled"] == 0.9
    assert found["riichi", "tanki"]["differs"]


def test_a_mean_that_cannot_be_negative_has_an_interval_that_is_not() -> None:
    """Two deal-ins of 1,000 and 12,000: a symmetric interval would begin below zero."""
    place = {"k1": 13_000.0, "n1": 2.0, "k1k1": 145e6, "k1n1": 13_000.0, "n1n1": 2.0, "g1": 2}
    place |= dict.fromkeys(("k2", "n2", "g2"), 0)
    found = _measure("average_deal_in", [place])
    assert 0 < found["low"] < found["mine"] == 6500 < found["high"]
    assert found["low"] * found["high"] == pytest.approx(6500**2)


def test_holm_stops_at_the_first_test_that_does_not_reject() -> None:
    assert holm([0.04]) == [True]
    assert holm([0.02, 0.024, 0.2]) == [False, False, False]  # 0.02 > 0.05 / 3
    assert holm([0.001, 0.024, 0.2, None]) == [True, True, False, False]


def test_a_moving_average_of_a_constant_is_that_constant_without_a_band() -> None:
    line = moving_averages([2.0] * 50, 10)
    assert line["value"].to_list() == pytest.approx([2.0] * 50)
    assert line["low"].to_list() == pytest.approx(line["high"].to_list())


def test_after_a_half_life_a_game_counts_half() -> None:
    line = moving_averages([1.0] + [0.0] * 10, 10)
    weights = sum(0.5 ** (game / 10) for game in range(11))
    assert line["value"][-1] == pytest.approx(0.5 / weights)


def test_an_interval_of_a_share_stays_between_0_and_1() -> None:
    assert wilson(0, 5)[0] == pytest.approx(0)
    assert wilson(1, 5)[1] == pytest.approx(1)
    # Newcombe (1998), table I: 15 of 148
    assert [round(end, 4) for end in wilson(15 / 148, 148)] == [0.0624, 0.1605]
