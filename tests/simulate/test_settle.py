"""Payments and next rounds, rule by rule of the Tenhou sheets (T1-T33, S1-S13)."""

from __future__ import annotations

import pytest

from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.settle import Ended, Win, base_of, noten_delta, results, settle, whole_results
from paifu.simulate.table_record import (
    AGARI_YAME,
    BUST,
    EXHAUSTIVE,
    KYUUSHU,
    LAST_ROUND,
    NAGASHI,
    RON,
    SANCHAHOU,
    SUDDEN_DEATH,
    SUUCHA,
    SUUFON,
    SUUKAN,
    TENPAI_YAME,
    TSUMO,
)

FOUR = flow_of(rulesets.get("tenhou-4p"), 4, "south", True, True)
THREE = flow_of(rulesets.get("tenhou-3p"), 3, "south", True, True)
EVEN = [25000] * 4
GOES_ON = -1


def ended(outcome: int, scores: list[int] | None = None, dealer: int = 0, **more: object) -> Ended:
    scores = scores or EVEN
    values: dict[str, object] = {
        "wind": 0, "honba": 0, "sticks": 0, "tenpai": [False] * len(scores),
        "nagashi": [False] * len(scores), **more,
    }  # fmt: skip
    return Ended(outcome, list(scores), dealer, **values)  # type: ignore[arg-type]


def settled(end: Ended, flow: object = FOUR) -> Ended:
    settle(end, flow)  # type: ignore[arg-type]
    return end


def total(end: Ended) -> list[int]:
    return [sum(column) for column in zip(*end.deltas, strict=True)]


@pytest.mark.parametrize(
    ("han", "fu", "ron", "dealer_ron"),
    [(1, 30, 1000, 1500), (2, 25, 1600, 2400), (3, 40, 5200, 7700), (4, 30, 7700, 11600)],
)
def test_a_ron_pays_four_shares_and_the_dealers_six(
    han: int, fu: int, ron: int, dealer_ron: int
) -> None:
    base = base_of("none", han, fu, 0, False)
    assert total(settled(ended(RON, wins=[Win(1, 2, base)]))) == [0, ron, -ron, 0]
    by_dealer = settled(ended(RON, wins=[Win(0, 2, base)]))
    assert total(by_dealer) == [dealer_ron, 0, -dealer_ron, 0]


def test_a_tsumo_costs_the_dealer_double() -> None:
    child = settled(ended(TSUMO, wins=[Win(1, 1, 2000)]))
    assert total(child) == [-4000, 8000, -2000, -2000]
    dealer = settled(ended(TSUMO, wins=[Win(0, 0, 2000)]))
    assert total(dealer) == [12000, -4000, -4000, -4000]


def test_s12_three_players_lose_the_absent_seats_share() -> None:
    scores = [35000] * 3
    assert total(settled(ended(TSUMO, scores, wins=[Win(0, 0, 2000)]), THREE)) == [
        8000,
        -4000,
        -4000,
    ]
    assert total(settled(ended(TSUMO, scores, wins=[Win(1, 1, 2000)]), THREE)) == [
        -4000,
        6000,
        -2000,
    ]


def test_kiriage_rounds_a_mangan_up_only_where_the_rules_have_it() -> None:
    assert base_of("none", 4, 30, 0, False) == 1920
    assert base_of("none", 4, 30, 0, True) == 2000


def test_honba_is_three_hundred_and_two_hundred_with_three() -> None:
    assert total(settled(ended(RON, wins=[Win(1, 2, 2000)], honba=2))) == [0, 8600, -8600, 0]
    tsumo = settled(ended(TSUMO, wins=[Win(1, 1, 2000)], honba=2))
    assert total(tsumo) == [-4200, 8600, -2200, -2200]
    sanma = settled(ended(RON, [35000] * 3, wins=[Win(1, 2, 2000)], honba=2), THREE)
    assert total(sanma) == [0, 8400, -8400]


def test_t19_the_nearest_winner_has_honba_and_sticks() -> None:
    end = settled(ended(RON, wins=[Win(1, 0, 2000), Win(3, 0, 480)], honba=1, sticks=2))
    assert end.deltas == [[-8300, 10300, 0, 0], [-2000, 0, 0, 2000]]
    assert end.sticks_after == 0


def test_t20_a_feeder_pays_a_tsumo_alone_and_half_of_a_ron() -> None:
    tsumo = settled(ended(TSUMO, wins=[Win(1, 1, 8000, 2, 8000)], honba=1))
    assert total(tsumo) == [0, 32300, -32300, 0]
    ron = settled(ended(RON, wins=[Win(1, 3, 8000, 2, 8000)], honba=1))
    assert total(ron) == [0, 32300, -16300, -16000]
    own = settled(ended(RON, wins=[Win(1, 2, 8000, 2, 8000)], honba=1))
    assert total(own) == [0, 32300, -32300, 0]


def test_t20_composite_yakuman_are_the_feeders_too() -> None:
    end = settled(ended(TSUMO, dealer=1, wins=[Win(1, 1, 16000, 2, 16000)], honba=3))
    assert total(end) == [0, 96900, -96900, 0]


def test_only_the_fed_yakuman_where_the_rules_say_so() -> None:
    """Mahjong Soul: the rest of the hand is paid as an ordinary tsumo."""
    end = settled(ended(TSUMO, wins=[Win(1, 1, 16000, 2, 8000)]))
    assert total(end) == [-16000, 64000, -32000 - 8000, -8000]


@pytest.mark.parametrize(
    ("tenpai", "paid"),
    [
        ([1, 0, 0, 0], [3000, -1000, -1000, -1000]),
        ([1, 1, 0, 0], [1500, 1500, -1500, -1500]),
        ([1, 1, 1, 0], [1000, 1000, 1000, -3000]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([1, 1, 1, 1], [0, 0, 0, 0]),
    ],
)
def test_t7_the_noten_pay_three_thousand(tenpai: list[int], paid: list[int]) -> None:
    assert noten_delta([bool(ready) for ready in tenpai], FOUR) == paid


def test_t7_three_players_share_two_thousand() -> None:
    assert noten_delta([True, False, False], THREE) == [2000, -1000, -1000]
    assert noten_delta([True, True, False], THREE) == [1000, 1000, -2000]


@pytest.mark.parametrize("tenpai", [False, True])
def test_t7_the_dealer_stays_if_tenpai_and_honba_rise_anyway(tenpai: bool) -> None:
    end = settled(ended(EXHAUSTIVE, tenpai=[tenpai, False, False, False], honba=1))
    assert end.next_dealer == (0 if tenpai else 1)
    assert end.next_honba == 2


def test_a_childs_win_passes_the_deal_and_clears_the_honba() -> None:
    end = settled(ended(RON, dealer=3, wins=[Win(1, 2, 240)], honba=4))
    assert (end.next_wind, end.next_dealer, end.next_honba) == (1, 0, 0)


def test_t18_nagashi_is_a_mangan_tsumo_without_honba_or_sticks() -> None:
    end = settled(ended(NAGASHI, nagashi=[False, True, False, False], honba=2, sticks=3))
    assert total(end) == [-4000, 8000, -2000, -2000]
    assert (end.sticks_after, end.next_honba, end.next_dealer) == (3, 3, 1)
    both = settled(ended(NAGASHI, nagashi=[True, True, False, False]))
    assert total(both) == [12000 - 4000, 8000 - 4000, -6000, -6000]


def test_t18_with_three_players() -> None:
    scores = [35000] * 3
    dealer = settled(ended(NAGASHI, scores, nagashi=[True, False, False]), THREE)
    assert total(dealer) == [8000, -4000, -4000]
    child = settled(ended(NAGASHI, scores, nagashi=[False, True, False]), THREE)
    assert total(child) == [-4000, 6000, -2000]


@pytest.mark.parametrize("outcome", [KYUUSHU, SUUFON, SUUCHA, SUUKAN, SANCHAHOU])
def test_t15_an_abort_keeps_the_dealer_and_adds_a_honba(outcome: int) -> None:
    end = settled(ended(outcome, dealer=2, honba=1, sticks=2))
    assert total(end) == [0] * 4
    assert (end.next_dealer, end.next_honba, end.sticks_after) == (2, 2, 2)


def test_t9_a_game_ends_below_zero_not_at_it() -> None:
    scores = [25000, 32000, 8000, 35000]
    at_zero = settled(ended(RON, scores, wins=[Win(1, 2, 2000)]))
    assert at_zero.after[2] == 0
    assert at_zero.ended_by == GOES_ON
    scores = [25000, 32100, 7900, 35000]
    assert settled(ended(RON, scores, wins=[Win(1, 2, 2000)])).ended_by == BUST


def test_t9_only_after_every_winner_is_paid() -> None:
    scores = [1000, 33000, 33000, 33000]
    end = settled(ended(RON, scores, dealer=1, wins=[Win(0, 3, 2000), Win(2, 3, 2000)], wind=0))
    assert end.after[3] == 17000
    assert end.ended_by == GOES_ON


LAST = {"dealer": 3, "wind": 1}


def test_the_last_round_ends_the_game_once_somebody_has_thirty_thousand() -> None:
    end = settled(ended(RON, [29000, 24000, 24000, 23000], wins=[Win(0, 3, 480)], **LAST))
    assert end.ended_by == LAST_ROUND


def test_t8_else_there_is_an_extra_wind() -> None:
    end = settled(ended(RON, wins=[Win(0, 3, 240)], **LAST))
    assert end.ended_by == GOES_ON
    assert (end.next_wind, end.next_dealer) == (2, 0)


def test_t8_which_ends_as_soon_as_somebody_has_them() -> None:
    scores = [29000, 24000, 24000, 23000]
    end = settled(ended(RON, scores, dealer=1, wins=[Win(0, 3, 480)], wind=2))
    assert end.ended_by == SUDDEN_DEATH


def test_t8_unless_the_dealer_goes_on_and_does_not_lead() -> None:
    scores = [36000, 21000, 22000, 21000]
    end = settled(ended(RON, scores, dealer=1, wins=[Win(1, 3, 240)], wind=2))
    assert end.ended_by == GOES_ON
    assert end.next_dealer == 1
    leads = settled(
        ended(RON, [26000, 29000, 24000, 21000], dealer=1, wins=[Win(1, 3, 240)], wind=2)
    )
    assert leads.ended_by == SUDDEN_DEATH


def test_t8_at_most_one_extra_wind() -> None:
    end = settled(ended(EXHAUSTIVE, dealer=3, wind=2))
    assert end.ended_by == LAST_ROUND


def test_t10_the_leading_dealer_stops_in_the_last_round() -> None:
    scores = [24000, 24000, 24000, 28000]
    won = settled(ended(RON, scores, wins=[Win(3, 0, 480)], **LAST))
    assert won.ended_by == AGARI_YAME
    drawn = settled(
        ended(EXHAUSTIVE, [20000, 25000, 25000, 30000], tenpai=[False] * 3 + [True], **LAST)
    )
    assert drawn.ended_by == TENPAI_YAME


def test_t10_not_if_level_with_another() -> None:
    tenpai = [False, False, False, True]
    ahead = settled(ended(EXHAUSTIVE, [33000, 20000, 17000, 30000], tenpai=tenpai, **LAST))
    assert ahead.after == [32000, 19000, 16000, 33000]
    assert ahead.ended_by == TENPAI_YAME
    level = settled(ended(EXHAUSTIVE, [34000, 20000, 16000, 30000], tenpai=tenpai, **LAST))
    assert level.after[0] == level.after[3] == 33000
    assert (level.ended_by, level.next_dealer) == (GOES_ON, 3)


def test_t10_not_below_thirty_thousand() -> None:
    end = settled(ended(RON, [24000, 24000, 24000, 28000], wins=[Win(3, 0, 160)], **LAST))
    assert end.after[3] == 29000
    assert end.ended_by == GOES_ON


def test_t10_the_draws_test_is_made_before_the_sticks_are_given_away() -> None:
    scores = [29000, 20000, 21000, 26000]
    end = settled(ended(EXHAUSTIVE, scores, tenpai=[True, False, True, True], sticks=4, **LAST))
    assert end.after == [30000, 17000, 22000, 27000]
    assert end.ended_by == GOES_ON


def test_t11_results_are_rounded_half_away_from_zero_where_the_rules_round() -> None:
    """The first gets the rest: figures of games of 2009 to 2021."""
    four, three = rulesets.get("tenhou-4p"), rulesets.get("tenhou-3p")
    assert whole_results([41500, 33000, 31000, -5500], four) == [52, 13, -9, -56]
    assert whole_results([45000, 32500, 30000, -7500], four) == [55, 13, -10, -58]
    assert whole_results([83100, 27400, -5500], three) == [79, -13, -66]
    chips = rulesets.get("tenhou-chip")
    assert results([30000, 44800, 4500, 20700], chips) == [10.0, 64.0, -55.0, -19.0]


def test_t12_leftover_sticks_go_to_the_first() -> None:
    end = settled(ended(EXHAUSTIVE, [33000, 20000, 20000, 25000], sticks=2, **LAST))
    assert end.ended_by == LAST_ROUND
    assert end.after[0] == 35000
    assert end.sticks_after == 0


def test_t13_ties_rank_by_seat() -> None:
    assert results([25000] * 4, rulesets.get("tenhou-4p")) == [35.0, 5.0, -15.0, -25.0]


def test_t1_t2_results_count_from_the_return_with_uma_and_oka() -> None:
    assert results([40200, 27100, 18900, 13800], rulesets.get("tenhou-4p")) == [
        50.2,
        7.1,
        -21.1,
        -36.2,
    ]
    assert results([59000, 27400, 18600], rulesets.get("tenhou-3p")) == [54.0, -12.6, -41.4]


def test_shared_places_share_their_uma() -> None:
    assert results([30000] * 4, rulesets.get("ema")) == [0.0] * 4


def test_sticks_may_stay_on_the_table_where_the_rules_say_so() -> None:
    flow = replace_flow(leftover_sticks=3)
    end = settled(ended(EXHAUSTIVE, [33000, 20000, 20000, 25000], sticks=2, **LAST), flow)
    assert end.after[0] == 33000


def replace_flow(**changes: int) -> object:
    return FOUR._replace(**changes)


def test_honba_to_every_winner_where_the_rules_say_so() -> None:
    flow = replace_flow(honba_to_all=1)
    wins = [Win(1, 0, 2000), Win(3, 0, 2000, own_sticks=1)]
    end = settled(ended(RON, wins=wins, honba=1, sticks=3), flow)
    assert end.deltas == [[-8300, 10300, 0, 0], [-8300, 0, 0, 9300]]


def test_payments_of_a_round_sum_to_the_sticks_taken() -> None:
    for win in (Win(1, 2, 320), Win(2, 2, 1280), Win(0, 3, 8000, 1, 8000)):
        end = settled(
            ended(RON if win.loser != win.winner else TSUMO, wins=[win], honba=1, sticks=2)
        )
        assert sum(total(end)) == 2000
