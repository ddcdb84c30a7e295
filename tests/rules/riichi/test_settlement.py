"""Settlement compared with the rule sheets' numbers, and properties of every settlement."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet

TENHOU = RuleSet(name="four")
SANMA = RuleSet(
    name="three",
    players=3,
    start_points=35000,
    return_points=40000,
    target_points=40000,
    uma=(20, 0, -20),
    oka=15,
    noten_pool=2000,
)
SOUTH_GAME = 1
EAST_GAME = 0


def a_round(players=4, **given):
    """A frame of one round: by default East 1 of a South game in which nobody did anything."""
    row = {
        "wind": 0,
        "number": 1,
        "honba": 0,
        "sticks": 0,
        "last_wind": SOUTH_GAME,
        "outcome": "exhaustive",
    }
    per_seat = {
        "start": 25000 if players == 4 else 35000,
        "riichi": False,
        "won": False,
        "paid": 0,
        "tenpai": False,
        "nagashi": False,
    }
    for name, default in per_seat.items():
        values = given.pop(name, [default] * players)
        row |= {f"{name}_{seat}": value for seat, value in enumerate(values)}
    row |= given
    row.setdefault("dealer", row["number"] - 1)
    return pl.DataFrame([row])


def values(frame, exprs):
    return list(frame.select(expr.alias(str(seat)) for seat, expr in enumerate(exprs)).row(0))


def players_of(frame):
    return sum(name.startswith("start_") for name in frame.columns)


def deltas(rules, frame):
    return values(frame, settlement.round_deltas(rules, players_of(frame)))


def following(rules, frame):
    row = frame.select(**settlement.next_round(rules, players_of(frame)))
    return row.row(0, named=True)


def with_ends(rules, frame, ends=None):
    players = players_of(frame)
    computed = settlement.end_points(rules, players)
    if ends is not None:
        computed = [pl.lit(end) for end in ends]
    return frame.with_columns(
        *(expr.alias(f"end_{seat}") for seat, expr in enumerate(computed)),
        sticks_end=settlement.sticks_end(players),
    )


def end_of(rules, frame, ends=None):
    frame = with_ends(rules, frame, ends)
    return frame.select(settlement.game_end(rules, players_of(frame))).item()


def final(rules, points, *, whole_thousands=False):
    frame = pl.DataFrame({f"final_{seat}": [value] for seat, value in enumerate(points)})
    return values(frame, settlement.results(rules, len(points), whole_thousands=whole_thousands))


# --- draws ---


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [
        ([True, False, False, False], [3000, -1000, -1000, -1000]),
        ([False, True, False, True], [-1500, 1500, -1500, 1500]),
        ([True, True, False, True], [1000, 1000, -3000, 1000]),
        ([False] * 4, [0] * 4),
        ([True] * 4, [0] * 4),
    ],
)
def test_t7_the_noten_pay_three_thousand_together(tenpai, expected):
    assert deltas(TENHOU, a_round(tenpai=tenpai)) == expected


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [
        ([False, True, False], [-1000, 2000, -1000]),  # T3-5 of the examples
        ([True, True, False], [1000, 1000, -2000]),
        ([False] * 3, [0] * 3),
        ([True] * 3, [0] * 3),
    ],
)
def test_t7_with_three_players_two_thousand(tenpai, expected):
    assert deltas(SANMA, a_round(3, tenpai=tenpai)) == expected


def test_t3_5_the_noten_dealer_passes_and_the_honba_goes_up():
    frame = a_round(3, tenpai=[False, True, False])
    assert following(SANMA, frame) == {"wind": 0, "number": 2, "honba": 1, "sticks": 0}


@pytest.mark.parametrize(
    ("rules", "dealer", "who", "expected"),
    [
        (TENHOU, 1, 0, [8000, -4000, -2000, -2000]),  # as in a real record
        (TENHOU, 2, 2, [-4000, -4000, 12000, -4000]),
        (SANMA, 0, 0, [8000, -4000, -4000]),
        (SANMA, 0, 1, [-4000, 6000, -2000]),
    ],
)
def test_t18_nagashi_is_paid_as_a_mangan_tsumo(rules, dealer, who, expected):
    players = len(expected)
    frame = a_round(
        players,
        number=dealer + 1,
        outcome="nagashi",
        nagashi=[seat == who for seat in range(players)],
        tenpai=[True] + [False] * (players - 1),
        sticks=1,
        honba=2,
    )
    assert deltas(rules, frame) == expected
    assert following(rules, frame)["sticks"] == 1
    assert following(rules, frame)["honba"] == 3


def test_t18_two_nagashi_add_up():
    frame = a_round(outcome="nagashi", nagashi=[True, True, False, False])
    assert deltas(TENHOU, frame) == [12000 - 4000, 8000 - 4000, -6000, -6000]


@pytest.mark.parametrize(
    ("way", "dealer_wins", "child_wins"),
    [
        ("lost", [8000, -4000, -4000], [-4000, 6000, -2000]),
        ("halved", [12000, -6000, -6000], [-5000, 8000, -3000]),
        ("equal", [12000, -6000, -6000], [-4000, 8000, -4000]),
    ],
)
def test_nagashi_of_three_players_follows_the_tsumo_loss(way, dealer_wins, child_wins):
    rules = RuleSet(name=way, players=3, tsumo_loss=way)
    for who, expected in enumerate([dealer_wins, child_wins]):
        frame = a_round(3, outcome="nagashi", nagashi=[seat == who for seat in range(3)])
        assert deltas(rules, frame) == expected


@given(
    players=st.sampled_from([3, 4]),
    bits=st.lists(st.booleans(), min_size=8, max_size=8),
    dealer=st.integers(0, 2),
    outcome=st.sampled_from(["exhaustive", "nagashi", "kyuushu", "suukan"]),
)
@settings(max_examples=60, deadline=None)
def test_payments_of_a_draw_sum_to_zero(players, bits, dealer, outcome):
    rules = TENHOU if players == 4 else SANMA
    frame = a_round(
        players,
        number=dealer + 1,
        outcome=outcome,
        tenpai=bits[:players],
        nagashi=bits[4 : 4 + players],
    )
    assert sum(deltas(rules, frame)) == 0


def test_an_unknown_outcome_is_not_settled():
    assert deltas(TENHOU, a_round(outcome="unknown")) == [None] * 4


# --- from round to round ---


def test_a_riichi_stick_stays_on_the_table_at_a_draw_and_goes_with_a_win():
    drawn = a_round(riichi=[False, True, True, False], sticks=1, tenpai=[False, True, True, False])
    ends = values(drawn, settlement.end_points(TENHOU, 4))
    assert ends == [23500, 25500, 25500, 23500]
    assert following(TENHOU, drawn)["sticks"] == 3
    won = a_round(
        outcome="ron",
        riichi=[False, True, False, False],
        won=[False, True, False, False],
        paid=[-2000, 3000, 0, 0],
    )
    assert values(won, settlement.end_points(TENHOU, 4)) == [23000, 27000, 25000, 25000]
    assert following(TENHOU, won)["sticks"] == 0


@pytest.mark.parametrize(
    ("outcome", "won", "tenpai", "number", "honba"),
    [
        ("ron", [True, False, False, False], [], 1, 3),
        ("tsumo", [False, True, False, False], [], 2, 0),
        ("double_ron", [True, True, False, False], [], 1, 3),  # T19: the dealer among the winners
        ("double_ron", [False, True, True, False], [], 2, 0),
        ("exhaustive", [], [True, False, False, False], 1, 3),  # T7
        ("exhaustive", [], [False, True, False, False], 2, 3),
        ("nagashi", [], [False, True, False, False], 2, 3),  # T18
        ("kyuushu", [], [], 1, 3),  # T15
        ("sanchahou", [], [], 1, 3),
    ],
)
def test_who_deals_next_and_the_honba(outcome, won, tenpai, number, honba):
    frame = a_round(outcome=outcome, honba=2, won=won or [False] * 4, tenpai=tenpai or [False] * 4)
    assert following(TENHOU, frame) == {"wind": 0, "number": number, "honba": honba, "sticks": 0}


def test_after_the_last_dealer_comes_the_next_wind():
    assert following(TENHOU, a_round(number=4))["wind"] == 1
    assert following(TENHOU, a_round(number=4))["number"] == 1
    assert following(SANMA, a_round(3, number=3))["wind"] == 1
    assert following(SANMA, a_round(3, number=2))["number"] == 3


def test_rule_sets_that_do_not_let_the_dealer_stay():
    tenpai = a_round(tenpai=[True, False, False, False], honba=1)
    won = a_round(outcome="tsumo", won=[True, False, False, False], honba=1)
    only_wins = RuleSet(name="win", renchan="win", honba_noten_dealer=False)
    never = RuleSet(name="never", renchan="never", abort_renchan=False)
    assert following(only_wins, tenpai)["number"] == 2
    assert following(only_wins, tenpai)["honba"] == 0
    assert following(only_wins, won)["number"] == 1
    assert following(never, won) == {"wind": 0, "number": 2, "honba": 0, "sticks": 0}
    assert following(never, a_round(outcome="suufon"))["number"] == 2


# --- the end of the game ---

DEALER_WON = {"outcome": "tsumo", "won": [False, False, False, True]}
CHILD_WON = {"outcome": "ron", "won": [True, False, False, False]}
DEALER_TENPAI = {"outcome": "exhaustive", "tenpai": [False, False, False, True]}
LAST = {"wind": 1, "number": 4}
WEST_2 = {"wind": 2, "number": 2}


@pytest.mark.parametrize(
    ("given", "ends", "reason"),
    [
        # T9: below zero, at any time; zero is not
        ({}, [-100, 30100, 35000, 35000], "bust"),
        ({}, [0, 30000, 35000, 35000], None),
        ({"outcome": "nagashi"}, [-1, 30001, 35000, 35000], "bust"),
        # T10: the leading dealer stops
        (LAST | DEALER_WON, [20000, 20000, 20000, 40000], "agari_yame"),
        (LAST | DEALER_TENPAI, [20000, 20000, 20000, 40000], "tenpai_yame"),
        (LAST | DEALER_WON, [20000, 20000, 30000, 30000], None),  # a tie is not first
        (LAST | DEALER_WON, [25000, 25000, 20200, 29800], None),  # below the target
        (LAST | DEALER_WON, [40000, 20000, 20000, 20000], None),
        ({"wind": 1, "number": 3, **DEALER_WON}, [10000, 10000, 10000, 70000], None),
        (LAST | {"outcome": "kyuushu"}, [20000, 20000, 20000, 40000], None),  # T15: dealt again
        # the scheduled end
        (LAST | CHILD_WON, [40000, 20000, 20000, 20000], "last_round"),
        (LAST, [30000, 25000, 25000, 20000], "last_round"),
        # T8: below the target there is an extra round
        (LAST | CHILD_WON, [29900, 25000, 25000, 20100], None),
        (WEST_2, [29900, 25000, 25000, 20100], None),
        (WEST_2 | CHILD_WON, [30000, 25000, 25000, 20000], "sudden_death"),
        ({"wind": 2, "number": 4}, [29900, 25000, 25000, 20100], "last_round"),
        ({"wind": 2, "number": 4} | DEALER_TENPAI, [29900, 25000, 25000, 20100], None),
        # … in which the dealer who stays plays on unless it leads
        ({"wind": 2, "number": 4} | DEALER_WON, [35000, 20000, 20000, 25000], None),
        ({"wind": 2, "number": 4} | DEALER_WON, [25000, 20000, 20000, 35000], "sudden_death"),
        ({"wind": 2, "number": 4} | DEALER_TENPAI, [35000, 20000, 20000, 25000], None),
    ],
)
def test_when_a_tenhou_game_ends(given, ends, reason):
    assert end_of(TENHOU, a_round(**given), ends) == reason


def test_t8_an_east_game_goes_on_into_the_south():
    ends = [29000, 27000, 24000, 20000]
    east_4 = a_round(number=4, last_wind=EAST_GAME)
    assert end_of(TENHOU, east_4, ends) is None
    assert end_of(TENHOU, east_4, [30000, 26000, 24000, 20000]) == "last_round"
    south_1 = a_round(wind=1, number=1, last_wind=EAST_GAME, **CHILD_WON)
    assert end_of(TENHOU, south_1, [30000, 26000, 24000, 20000]) == "sudden_death"


def test_three_players_need_forty_thousand_and_end_with_the_third_dealer():
    last = {"players": 3, "wind": 1, "number": 3}
    assert end_of(SANMA, a_round(**last), [39900, 35000, 30100]) is None
    assert end_of(SANMA, a_round(**last), [40000, 35000, 30000]) == "last_round"
    won = a_round(**last, outcome="ron", won=[False, False, True])
    assert end_of(SANMA, won, [30000, 35000, 40000]) == "agari_yame"


def test_t10_sticks_on_the_table_are_not_the_dealers_yet():
    frame = a_round(**LAST, **DEALER_TENPAI, sticks=2)
    assert end_of(TENHOU, frame, [20000, 24500, 24500, 29000]) is None


def test_rule_sets_without_bust_yame_or_extra_round():
    league = RuleSet(
        name="league", tobi="off", agari_yame=False, tenpai_yame=False, extra_round=False
    )
    assert end_of(league, a_round(), [-100, 30100, 35000, 35000]) is None
    assert end_of(league, a_round(**LAST, **DEALER_WON), [2000, 2000, 2000, 94000]) is None
    assert end_of(league, a_round(**LAST), [25000] * 4) == "last_round"
    at_zero = RuleSet(name="zero", tobi="zero")
    assert end_of(at_zero, a_round(), [0, 30000, 35000, 35000]) == "bust"


def test_a_level_dealer_may_lead_by_seat():
    rules = RuleSet(name="level", yame_sole_first=False, yame_in_extra_round=True)
    level = [20000, 30000, 30000, 20000]
    second_deals = {"number": 2, "outcome": "tsumo", "won": [False, True, False, False]}
    third_deals = {"number": 3, "outcome": "tsumo", "won": [False, False, True, False]}
    assert end_of(rules, a_round(wind=2, **second_deals), level) == "agari_yame"
    assert end_of(rules, a_round(wind=2, **third_deals), level) is None


# --- results ---


def test_t4_8_a_real_final_result_in_whole_thousands():
    points = [-500, 26600, 29500, 44400]
    assert final(TENHOU, points, whole_thousands=True) == [-51, -13, 10, 54]


def test_t11_of_three_players_in_whole_thousands():
    assert final(SANMA, [-5500, 27400, 83100], whole_thousands=True) == [-66, -13, 79]


def test_t11_halves_round_away_from_zero():
    results = final(TENHOU, [-7500, 26500, 30500, 50500], whole_thousands=True)
    assert results == [-8 - 30 - 20, 27 - 30 - 10, 31 - 30 + 10, 58 + 13 - 11]


def test_later_results_keep_their_tenths():
    assert final(TENHOU, [19400, 25600, 15000, 40000]) == [-20.6, 5.6, -35.0, 50.0]


def test_t13_level_seats_rank_by_seat():
    assert final(TENHOU, [25000] * 4) == [35.0, 5.0, -15.0, -25.0]


def test_level_seats_may_share():
    shared = RuleSet(name="shared", ties="shared", uma=(30, 10, -10, -30))
    assert final(shared, [30000, 30000, 20000, 20000]) == [30.0, 30.0, -30.0, -30.0]
    nearest = RuleSet(name="nearest", ties="shared_nearest", uma=(30, 10, -10, -30))
    # 50 + 10 - 10 shared by three: 16.6 each, and the remaining 0.2 to the earliest seat
    assert final(nearest, [20000, 26000, 27000, 27000])[:2] == [-40.0, -14.0]
    assert final(nearest, [30000, 30000, 30000, 10000]) == [16.8, 16.6, 16.6, -50.0]


def test_uma_by_how_many_float():
    rules = RuleSet(
        name="floating",
        start_points=30000,
        oka=0,
        uma_floating=(
            (0, 0, 0, 0), (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0, 0, 0, 0)
        ),
    )  # fmt: skip
    assert final(rules, [45000, 29000, 26000, 20000]) == [27.0, -2.0, -7.0, -18.0]
    assert final(rules, [45000, 31000, 30000, 14000]) == [23.0, 4.0, 1.0, -28.0]
    assert final(rules, [30000] * 4) == [0.0] * 4


@given(
    points=st.lists(st.integers(-200, 800).map(lambda n: n * 100), min_size=3, max_size=3),
    ties=st.sampled_from(["seat", "shared", "shared_nearest"]),
    whole=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_results_sum_to_zero(points, ties, whole):
    rules = RuleSet(name="any", ties=ties)
    results = final(rules, [*points, 100_000 - sum(points)], whole_thousands=whole)
    assert sum(results) == pytest.approx(0)


@pytest.mark.parametrize(
    ("way", "ends", "expected"),
    [
        ("first", [30000, 30000, 20000, 18000], [32000, 30000, 20000, 18000]),
        ("first_shared", [30000, 30000, 20000, 18000], [31000, 31000, 20000, 18000]),
        ("first_shared", [28000, 28000, 28000, 14000], [28800, 28600, 28600, 14000]),
        ("first_shared_down", [28000, 28000, 28000, 14000], [28600, 28600, 28600, 14000]),
        ("stay", [30000, 30000, 20000, 18000], [30000, 30000, 20000, 18000]),
    ],
)
def test_t12_leftover_sticks(way, ends, expected):
    rules = RuleSet(name=way, leftover_sticks=way)
    frame = with_ends(rules, a_round(sticks=2), ends)
    assert values(frame, settlement.final_points(rules, 4)) == expected


def test_placement_of_level_seats():
    frame = pl.DataFrame(
        {"final_0": [30000], "final_1": [40000], "final_2": [30000], "final_3": [0]}
    )
    assert values(frame, settlement.placements(TENHOU, 4)) == [2, 1, 3, 4]
    shared = RuleSet(name="shared", ties="shared")
    assert values(frame, settlement.placements(shared, 4)) == [2, 1, 2, 4]
