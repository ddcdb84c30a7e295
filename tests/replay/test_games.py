"""Games and seats: how a game ended, its players, and the sums of the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paifu.formats.tenhou import dan_names
from paifu.game.events import Batch
from paifu.replay.replay_batch import replay
from tests.helpers.handmade import batch_of

HANDS = "haipai 123m456p789s1122z | 19m19p19s1234567z | 222m333p444s555z6z | 0m0p0s678m678p678s4z\n"
DRAW = "end exhaustive tenpai 1 1 1 0 delta 1000 1000 1000 -3000\n"


def rows(batch: Batch, table: str) -> list[dict[str, Any]]:
    return replay(batch, np.zeros(len(batch.games), np.int64))[table].to_pylist()


def one_round(
    where: str, scores: str, end: str = DRAW, length: str = "south", complete: str = "yes"
) -> Batch:
    return batch_of(
        f"game players=4 length={length} complete={complete}\n"
        f"round {where} dora 3p scores {scores}\n{HANDS}{end}"
    )


WIN = "0 draw 1z\n0 win 1z from 0 delta 6000 -2000 -2000 -2000\n"


@pytest.mark.parametrize(
    ("ended_by", "batch"),
    [
        ("broken_off", one_round("south 4", "25000 25000 25000 25000", complete="no")),
        ("unknown", one_round("east 1", "25000 25000 25000 25000")),
        ("bust", one_round("east 1", "47000 25000 25000 2900")),
        (
            "last_round",
            one_round("south 4", "25000 25000 25000 25000"),
        ),  # dealer (seat 3) noten
        ("last_round", one_round("east 4", "25000 25000 25000 25000", length="east")),
        ("sudden_death", one_round("west 1", "29000 29000 21000 21000")),
        ("last_round", one_round("west 4", "25000 25000 25000 25000")),
        ("unknown", one_round("south 4", "25000 25000 25000 25000", length="whatever")),
    ],
)
def test_why_a_game_was_over(ended_by: str, batch: Batch) -> None:
    assert [row["ended_by"] for row in rows(batch, "games")] == [ended_by]


def test_a_dealer_may_stop_in_the_last_round() -> None:
    text = (
        "game players=3 length=east\nround east 3 dora 3p scores 35000 35000 35000\n"
        "haipai 119m456p789s1233z | 199m19p19s123456z | 222p333p444s5556z\n"
    )
    drawn = text + "end exhaustive tenpai 0 0 1 delta -1000 -1000 2000"
    won = text + "2 draw 6z\n2 win 6z from 2 delta -1000 -1000 2000"
    assert rows(batch_of(drawn), "games")[0]["ended_by"] == "tenpai_yame"
    assert rows(batch_of(won), "games")[0]["ended_by"] == "agari_yame"


def test_final_points_are_the_record_or_the_end_with_the_sticks_left_over() -> None:
    batch = one_round("south 4 honba 0 sticks 2", "24000 25000 25000 24000")
    seats = rows(batch, "seats")
    assert [seat["final_points"] for seat in seats] == [25000, 28000, 26000, 21000]
    assert [seat["placement"] for seat in seats] == [3, 1, 2, 4]
    batch.games[0].final_points = (25000, 28000, 26000, 21000)
    assert "final_differs" not in rows(batch, "games")[0]["flags"]
    batch.games[0].final_points = (27000, 26000, 26000, 21000)
    assert "final_differs" in rows(batch, "games")[0]["flags"]
    assert [seat["placement"] for seat in rows(batch, "seats")] == [1, 2, 3, 4]  # ties by seat
    batch.games[0].complete = False
    assert [seat["placement"] for seat in rows(batch, "seats")] == [None] * 4


@pytest.mark.parametrize(
    ("ruleset", "ends"),
    [
        ("tenhou-4p", [25000, 28000, 26000, 21000]),  # the sticks go to the first
        ("jpml-a", [25000, 26000, 26000, 21000]),  # they stay on the table
        ("wrc", [25000, 26000, 26000, 21000]),
        ("mleague", [25000, 27000, 27000, 21000]),  # those who are level share them
        ("", [25000, 28000, 26000, 21000]),
    ],
)
def test_the_rule_set_of_the_game_says_who_takes_the_sticks_left_over(
    ruleset: str, ends: list[int]
) -> None:
    batch = one_round("south 4 honba 0 sticks 2", "24000 25000 25000 24000")
    batch.games[0].ruleset = ruleset
    seats = rows(batch, "seats")
    assert [seat["final_points"] for seat in seats] == ends
    assert [seat["final_recorded"] for seat in seats] == [False] * 4
    batch.games[0].final_points = tuple(ends)
    assert [seat["final_recorded"] for seat in rows(batch, "seats")] == [True] * 4
    assert "final_differs" not in rows(batch, "games")[0]["flags"]
    batch.games[0].final_points = (ends[0] + 1000, ends[1] - 1000, *ends[2:])
    assert "final_differs" in rows(batch, "games")[0]["flags"]


def test_points_after_a_round_are_null_where_nothing_tells_them() -> None:
    """Neither the payments, nor the next round's start, nor the final points."""
    batch = one_round("south 4", "25000 25000 25000 25000", "0 draw 1z\n0 win 1z from 0\n")
    for seat in rows(batch, "round_seats"):
        assert (seat["points_end"], seat["delta"], seat["rank_end"]) == (None, None, None)
    ended = rows(batch, "seats")
    assert [(seat["final_points"], seat["final_recorded"]) for seat in ended] == [(None, False)] * 4
    batch.games[0].final_points = (31000, 23000, 23000, 23000)
    told = rows(batch, "round_seats")
    assert [seat["points_end"] for seat in told] == [31000, 23000, 23000, 23000]
    assert [seat["delta"] for seat in told] == [6000, -2000, -2000, -2000]


def test_results_must_sum_to_zero() -> None:
    batch = one_round("south 4", "25000 25000 25000 25000")
    batch.games[0].result = (45.0, 5.0, -15.0, -35.0)
    assert "result_sum" not in rows(batch, "games")[0]["flags"]
    batch.games[0].result = (45.0, 5.0, -15.0, -34.0)
    assert "result_sum" in rows(batch, "games")[0]["flags"]


def test_anonymous_seats_are_no_players() -> None:
    batch = one_round("east 1", "25000 25000 25000 25000")
    info = batch.games[0]
    info.platform, info.dan = "tenhou", (16, 0, 20, 99)
    info.names, info.sex, info.bots = (
        ("a", "NoName", "b", "c"),
        ("M", "F", "C", "M"),
        (False,) * 3 + (True,),
    )
    seats = rows(batch, "seats")
    assert [seat["anonymous"] for seat in seats] == [False, True, True, True]
    assert [seat["dan_name"] for seat in seats] == [None] * 4  # importers name the ranks
    assert dan_names(info.dan) == ("七段", "新人", "天鳳位", None)


def test_numbers_no_game_has_are_null_rather_than_the_end_of_the_batch() -> None:
    batch = one_round("south 4", "25000 25000 25000 25000")
    info = batch.games[0]
    info.dan, info.go_type, info.chips = (10**9, 1, 2, 3), 10**12, (10**6, 0, 0, 0)
    info.final_points = (10**12, 0, 0, 0)
    game, seats = rows(batch, "games")[0], rows(batch, "seats")
    assert game["go_type"] is None
    assert [seat["dan"] for seat in seats] == [None, 1, 2, 3]
    assert seats[0]["chips"] is None
    assert [seat["final_points"] for seat in seats] == [26000, 26000, 26000, 22000]


def test_what_an_importer_noted_is_flagged_once_where_it_belongs() -> None:
    batch = one_round("south 4", "25000 25000 25000 25000")
    notes = ["unknown_tag@0", "unknown_tag@0", "unknown_tag", "not a reason"]
    batch.games[0].notes = notes
    found = [row for row in rows(batch, "flags") if row["reason"] == "unknown_tag"]
    assert [row["round_index"] for row in found] == [0, None]
    assert "no_rounds" in rows(batch_of("game players=4"), "games")[0]["flags"]


def test_a_dealer_other_than_the_rounds_number_is_flagged() -> None:
    batch = one_round("east 2", "25000 25000 25000 25000")
    assert "dealer_differs" not in rows(batch, "games")[0]["flags"]
    batch.round_dealer[0] = 0
    assert "dealer_differs" in rows(batch, "games")[0]["flags"]


def test_indicators_listed_at_a_win_are_those_turned_up() -> None:
    batch = one_round("east 1", "25000 25000 25000 25000", WIN)
    batch.win_indicators[0, :1] = 11
    assert "indicators_differ" not in rows(batch, "games")[0]["flags"]
    batch.win_indicators[0, :2] = 11
    assert "indicators_differ" in rows(batch, "games")[0]["flags"]
