"""Draws, points from round to round, and the end of games, on small games written by hand."""

from __future__ import annotations

from datetime import datetime

import pytest

from paifu.audit.draw_checks import audit_draws
from paifu.audit.game_checks import audit_games
from paifu.audit.round_checks import audit_rounds
from paifu.audit.wide_rounds import round_rows
from paifu.rules import rulesets
from tests.audit.games_by_hand import a_game, settled, won_by

TENHOU = rulesets.get("tenhou-4p")
CUSTOM = rulesets.get("tenhou-custom")


def draws(*rounds, rules=TENHOU, **facts):
    play, paid = a_game(*rounds, **facts)
    return audit_draws(round_rows(play, paid, rules), play.players, rules, 1)


def rounds_of(*rounds, rules=TENHOU, **facts):
    play, paid = a_game(*rounds, **facts)
    return audit_rounds(settled(play, paid, rules), play.players, rules, 1)


def game(*rounds, rules=TENHOU, **facts):
    play, paid = a_game(*rounds, **facts)
    return audit_games(play, settled(play, paid, rules), rules, 1)


def status(verdicts):
    return verdicts.verdicts["status"].to_list()


def differing(verdicts):
    return {row["field"]: (row["recorded"], row["computed"]) for row in verdicts.fields.to_dicts()}


# --- draws ---


def test_a_draw_paid_as_the_hands_were():
    tenpai = {"tenpai_at_draw": [True, False, False, False], "delta": [3000, -1000, -1000, -1000]}
    assert status(draws(tenpai)) == ["match"]


def test_a_draw_paid_otherwise_and_a_hand_shown_that_was_not_tenpai():
    verdicts = draws(
        {
            "tenpai_at_draw": [True, False, False, False],
            "tenpai_shown": [True, True, False, False],
            "delta": [1500, 1500, -1500, -1500],
        }
    )
    assert status(verdicts) == ["mismatch"]
    assert differing(verdicts)["tenpai_1"] == ("true", "false")
    assert differing(verdicts)["delta_0"] == ("1500", "3000")


def test_an_own_riichi_stick_is_not_part_of_the_draws_payments():
    riichi = {
        "riichi_accepted": [True, None, False, None],
        "tenpai_at_draw": [True, False, False, False],
        "delta": [3000 - 1000, -1000, -1000, -1000],
    }
    assert status(draws(riichi)) == ["match"]


@pytest.mark.parametrize("kind", ["kyuushu", "suufon", "suucha", "suukan", "sanchahou"])
def test_a_round_broken_off_must_have_been_due(kind):
    due = {"outcome": kind, "abort_due": kind, "tiles_left": 40}
    assert status(draws(due)) == ["match"]
    not_due = draws(due | {"abort_due": None})
    assert differing(not_due) == {"outcome": (kind, "none")}
    other = draws(due | {"abort_due": "suukan" if kind != "suukan" else "kyuushu"})
    assert status(other) == ["mismatch"]
    league = rulesets.get("mleague")
    assert differing(draws(due, rules=league)) == {"outcome": (kind, "none")}


def test_nagashi_is_paid_where_the_rules_have_it():
    nagashi = {
        "outcome": "nagashi",
        "nagashi": [False, True, False, False],
        "delta": [-4000, 8000, -2000, -2000],
    }
    assert status(draws(nagashi)) == ["match"]
    assert differing(draws(nagashi, rules=rulesets.get("mleague")))["outcome"] == (
        "nagashi",
        "exhaustive",
    )


def test_a_draw_before_the_wall_is_used_up_is_flagged():
    assert differing(draws({"tiles_left": 3}))["outcome"] == ("exhaustive", "none")


def test_custom_lobbies_and_broken_logs_are_not_scored():
    assert status(draws({"delta": [1, 2, 3, 4]}, rules=CUSTOM)) == ["unscorable"]
    assert status(draws({"outcome": "unknown", "tiles_left": 12})) == ["unscorable"]


# --- rounds ---

FIRST = won_by(1, [0, 3900, -3900, 0])
SECOND = {"number": 2, "points": [25000, 28900, 21100, 25000]}


def test_scores_and_counters_follow_from_the_round_before():
    third = SECOND | {"number": 3, "honba": 1}
    assert status(rounds_of(FIRST, SECOND, third)) == ["match"] * 3


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"honba": 1}, {"honba": ("1", "0")}),
        ({"sticks": 2}, {"sticks": ("2", "0")}),
        ({"number": 3}, {"number": ("3", "2")}),
        ({"wind": 1}, {"wind": ("1", "0")}),
        (
            {"points": [25000, 29900, 21100, 24000]},
            {"points_1": ("29900", "28900"), "points_3": ("24000", "25000")},
        ),
    ],
)
def test_what_does_not_follow_is_named(wrong, expected):
    verdicts = rounds_of(FIRST, SECOND | wrong)
    assert status(verdicts) == ["match", "mismatch"]
    assert differing(verdicts) == expected


def test_a_game_starts_with_its_rule_sets_points():
    verdicts = rounds_of({"points": [25000, 25000, 30000, 20000]})
    assert differing(verdicts) == {"points_2": ("30000", "25000"), "points_3": ("20000", "25000")}


def test_a_log_that_begins_later_or_a_round_not_settled_leaves_nothing_to_compare():
    assert status(rounds_of({"number": 3, "honba": 2})) == ["unscorable"]
    unknown = {"outcome": "unknown", "tiles_left": 20}
    assert status(rounds_of(unknown, SECOND)) == ["match", "unscorable"]
    unscored = won_by(1, [None, None, None, None], delta=[0, 0, 0, 0])
    assert status(rounds_of(unscored, SECOND)) == ["match", "unscorable"]


# --- games ---

LAST = {
    "wind": 1,
    "number": 4,
    "points": [20000, 25000, 25000, 30000],
    **won_by(0, [12000, -12000, 0, 0]),
}
FINAL = [32000, 13000, 25000, 30000]
RESULT = [42.0, -37.0, -15.0, 10.0]


def test_a_game_that_ended_as_it_had_to():
    # only one round is given; the rounds before it do not matter here
    assert status(game(LAST, final=FINAL, result=RESULT)) == ["match"]


def test_a_game_that_should_have_gone_on_or_ended_before():
    early = game(LAST | {"number": 3}, final=FINAL, result=RESULT)
    assert differing(early) == {"rounds": ("1", None), "ended_by": ("last_round", "goes on")}
    late = game(LAST, LAST | {"points": FINAL}, final=[44000, 1000, 25000, 30000])
    assert differing(late) == {"rounds": ("2", "1")}


def test_placement_points_and_result_are_worked_out():
    verdicts = game(LAST, final=[32000, 13000, 26000, 29000], result=[42.0, -37.0, -14.0, 9.0])
    assert differing(verdicts) == {
        "final_points_2": ("26000", "25000"),
        "final_points_3": ("29000", "30000"),
        "result_2": ("-14.0", "-15.0"),
        "result_3": ("9.0", "10.0"),
    }


ODD = {
    "wind": 1,
    "number": 4,
    "points": [20000, 25600, 25400, 29000],
    **won_by(0, [12000, -12000, 0, 0]),
}
ODD_FINAL = [32000, 13600, 25400, 29000]
TENTHS = [42.0, -36.4, -14.6, 9.0]
WHOLE = [42.0, -36.0, -15.0, 9.0]


@pytest.mark.parametrize(
    ("year", "result", "expected"),
    [
        (2020, WHOLE, "match"),
        (2020, TENTHS, "mismatch"),
        (2023, TENTHS, "match"),
        (2023, WHOLE, "mismatch"),
        (None, TENTHS, "match"),
        (None, WHOLE, "match"),
        (None, [42.0, -36.0, -14.6, 9.0], "mismatch"),
    ],
)
def test_results_are_rounded_as_at_the_time(year, result, expected):
    played_at = year and datetime(year, 1, 1)
    assert status(game(ODD, final=ODD_FINAL, result=result, played_at=played_at)) == [expected]


def test_tenpai_yame_and_the_uma_of_east_games_by_date():
    tenpai = {
        "wind": 1, "number": 4, "points": [20000, 20000, 20000, 40000],
        "tenpai_at_draw": [False, False, False, True], "delta": [-1000, -1000, -1000, 3000],
    }  # fmt: skip
    now = game(tenpai, final=[19000, 19000, 19000, 43000], ended_by="tenpai_yame")
    assert status(now) == ["match"]
    then = game(
        tenpai, final=[19000, 19000, 19000, 43000], ended_by="tenpai_yame",
        played_at=datetime(2010, 1, 1),
    )  # fmt: skip
    assert differing(then) == {"rounds": ("1", None), "ended_by": ("tenpai_yame", "goes on")}
    east = {"length": "east", "final": FINAL}
    east["result"] = [32.0 - 30 + 10 + 20, 13.0 - 30 - 10, 25.0 - 30 - 5, 30.0 - 30 + 5]
    small = game(LAST | {"wind": 0}, played_at=datetime(2009, 7, 1), **east)
    assert status(small) == ["match"]
    assert status(game(LAST | {"wind": 0}, played_at=datetime(2009, 9, 1), **east)) == ["mismatch"]
    undated = LAST | {"wind": 0}
    assert status(game(undated, played_at=None, seed="mt19937ar", **east)) == ["match"]
    assert status(game(undated, played_at=None, **east)) == ["mismatch"]


def test_a_log_without_its_end_cannot_be_judged():
    assert status(game(LAST, final=FINAL, complete=False)) == ["unscorable"]
    assert status(game(LAST, final=FINAL, length=None)) == ["unscorable"]
    assert status(game(LAST, final=FINAL, rules=CUSTOM)) == ["unscorable"]


def test_a_log_without_points_cannot_be_settled():
    flags = {"flags": ["points_unknown"]}
    assert status(draws({}, **flags)) == ["unscorable"]
    assert status(rounds_of(FIRST, SECOND, **flags)) == ["unscorable"] * 2
    assert status(game(LAST, final=FINAL, **flags)) == ["unscorable"]


def test_how_a_game_ended_is_not_compared_where_it_is_not_known():
    assert status(game(LAST, final=FINAL, result=RESULT, ended_by="unknown")) == ["match"]
