"""A round as text: what it must contain, and what must never reach a terminal."""

from __future__ import annotations

import re

import pytest

from paifu.errors import UsageError
from paifu.host.terminal import printable
from paifu.labels import labels_in
from paifu.query.game_rows import find_round, json_ready, other_honba
from paifu.query.game_text import game_text, round_text

ROUNDS = [
    {"round_index": index, "wind": wind, "number": number, "honba": honba, "remarks": None} | more
    for index, (wind, number, honba, more) in enumerate(
        [
            (0, 1, 0, {"outcome": "exhaustive", "points_end": [28000, 24000, 24000, 24000]}),
            (0, 1, 1, {"outcome": "ron", "points_end": [28000, 28900, 20100, 24000]}),
            (1, 3, 0, {"outcome": "tsumo", "points_end": None}),
        ]
    )
]
SEATS = [
    {"seat": seat, "player": name, "final_points": points, "placement": place, "result": result}
    for seat, (name, points, place, result) in enumerate(
        [
            ("東の人", 31000, 1, 51.0),
            ("\x1b[31mred\x07", 28900, 2, 8.9),
            ("a‮b", 20100, 4, -39.9),
            (None, 20000, 3, None),
        ]
    )
]
GAME = {
    "game_id": -5, "log_id": "2019010100gm-00a9-0000-0123abcd", "platform": "tenhou",
    "played_at": None, "room": "houou", "players": 4, "length": "south", "aka": True,
    "kuitan": False, "ruleset": "tenhou-4p", "game": None, "remarks": None,
    "ended_by": "last_round",
    "detail": "play", "seats": SEATS, "rounds": ROUNDS, "wins": [], "verdicts": [],
}  # fmt: skip


def seat_row(seat, **more):
    return {
        "seat": seat, "seat_wind": seat, "is_dealer": seat == 0, "points_start": 25000,
        "points_end": 25000, "delta": 0, "outcome": "bystander", "haipai": "123m456p789s1122z",
        "haipai_shanten": 1, "kita": 0, "riichi_turn": None, "end_wait": None, "won": False,
        "held_draw": None, "pao_paid": 0,
    } | more  # fmt: skip


def act(seat, action, tile, **more):
    return {
        "seat": seat, "action": action, "tile": tile, "tsumogiri": False, "from_seat": None,
        "meld": None, "turn": 1,
    } | more  # fmt: skip


RIICHI = {
    "riichi_turn": 2, "riichi_double": False, "riichi_accepted": False, "riichi_wait": "3p6p",
    "riichi_live": 5,
}  # fmt: skip
WIN = {
    "winner": 0, "loser": 3, "tsumo": False, "win_tile": "0p", "hand": "34567m",
    "melds": "pon:777z", "han": 4, "fu": 40, "yakuman": 0, "limit": "mangan", "points": 8000,
    "honba": 2, "honba_points": 600, "sticks": 0, "stick_points": 0, "delta_0": 8600,
    "pao_seat": None,
    "yaku": [{"yaku": "chun", "han": 1}, {"yaku": "daisangen", "han": 13}],
    "yaku_source": "recorded", "computed": None,
}  # fmt: skip
NOTHING = dict.fromkeys(("han", "fu", "yakuman", "limit", "points", "honba_points", "stick_points"))


def verdict(subject, status, **more):
    return {
        "subject": subject, "round_index": 2, "win_index": None, "winner": None,
        "ruleset": "tenhou-4p", "status": status, "reason": None, "fields": None,
    } | more  # fmt: skip


ROUND = {
    "wind": 1, "number": 3, "honba": 2, "sticks": 1, "dora_indicators": ["4p"],
    "ura_indicators": ["0s"], "remarks": None, "outcome": "ron", "tiles_left": 20,
    "seats": [
        seat_row(0, delta=8000, points_end=33000, won=True, outcome="won_ron"),
        seat_row(1, haipai_shanten=0, **RIICHI),
        seat_row(2, kita=2, end_wait="1z"),
        seat_row(3, delta=-8000, points_end=17000, outcome="deal_in"),
    ],
    "actions": [
        act(0, "discard", "9m"),
        act(1, "pon", "9m", from_seat=0, meld="999m"),
        act(1, "discard", "1z"),
        act(2, "discard", "2z", tsumogiri=True),
        act(1, "riichi", "5p", tsumogiri=True),
        *(act(2, "discard", f"{number}s", tsumogiri=True) for number in range(1, 8)),
        act(3, "discard", "0p"),
        act(0, "ron", "0p", from_seat=3),
    ],
    "wins": [WIN],
    "verdicts": [
        verdict(
            "win", "mismatch", win_index=0, winner=0,
            fields=[{"field": "fu", "recorded": "40", "computed": "50"}],
        ),
        verdict("round", "match"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "index"),
    [("0", 0), ("2", 2), ("E1", 0), ("e1.1", 1), ("East 1", 0), ("E1-1", 1), ("South3", 2)],
)
def test_rounds_are_named_by_index_or_as_players_do(name, index):
    assert find_round(GAME, name) == index


@pytest.mark.parametrize("name", ["3", "W1", "E5", "E1.2", "²", "", "north", "\x1b[2J"])
def test_a_round_that_is_not_there_is_answered_with_those_that_are(name):
    with pytest.raises(UsageError, match=r"it has E1\.0, E1\.1, S3\.0") as caught:
        find_round(GAME, name)
    assert "\x1b" not in str(caught.value)


def test_a_name_without_honba_tells_which_others_it_could_mean():
    third = ROUNDS[1] | {"round_index": 3, "honba": 2}
    game = GAME | {"rounds": [*ROUNDS[:2], third, ROUNDS[2] | {"round_index": 4}]}
    assert [row["honba"] for row in other_honba(game, "E1", 0)] == [1, 2]
    for plain in ("E1.0", "E1.1", "0", "S3"):  # named with its honba, by index, or the only one
        assert other_honba(game, plain, find_round(game, plain)) == []


def test_nothing_a_name_holds_reaches_the_terminal_as_a_command():
    for text in (game_text(GAME), round_text(GAME, ROUND)):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "‮" not in text
        assert "\\x1b[31mred\\x07" in text
        assert "東の人" in text
    assert printable("line one\u2028two\u0000") == "line one\\u2028two\\x00"


def test_a_game_lists_its_rounds_and_results():
    lines = game_text(GAME).splitlines()
    (ron,) = (line for line in lines if "E1.1" in line)
    assert ron.split() == ["1", "E1.1", "28000", "28900", "20100", "24000", "ron"]
    assert any("1st" in line and "31000" in line and "+51.0" in line for line in lines)
    assert any("not re-scored yet" in line for line in lines)


def test_a_round_shows_play_and_result():
    text = round_text(GAME, ROUND)
    for expected in (
        "South 3, honba 2   sticks 1   dora indicators 4p   ura 0s",
        "seat 0 east, dealer: 東の人",
        "points    25000 → 33000 (+8000)   won ron",
        "haipai    123m456p789s1122z   1-shanten",
        " 9m(",  # from the hand, called
        "0p!",  # from the hand, ronned
        " 5p↓*",  # a riichi tile just drawn
        "calls     pon 999m from seat 0 (turn 1)",
        "2 norths set aside",
        "riichi    turn 2, waiting for 3p6p (5 live), stick not paid",
        "tenpai    on 1z",
        "wins from seat 3 on 0p",
        "hand      34567m   pon:777z",
        "Red dragon 1, Big three dragons (yakuman)",
        "4 han, 40 fu, mangan, 8,000 points, honba 600",
        "1 of 2 agree under tenhou-4p",
        "fu: recorded 40, computed 50",
    ):
        assert expected in text, expected


def test_japanese_text_has_no_english_word():
    labels = labels_in("ja")
    win = WIN | {"pao_seat": 2, "computed": None}
    for text in (
        game_text(GAME | {"wins": [win | {"round_index": 1}]}, labels),
        round_text(GAME, ROUND | {"wins": [win]}, labels),
        round_text(GAME, ROUND | {"wins": [], "outcome": "suufon"}, labels),
    ):
        plain = text.replace("tenhou-4p", "").replace(GAME["log_id"], "")
        plain = plain.replace(r"\x1b[31mred\x07", "").replace("paifu rescore", "")
        plain = plain.replace("pon:", "")  # the notation of a meld
        assert re.findall(r"[a-z]{3,}", plain) == []
        assert "南3" in plain


def value_of(**changes):
    """Return the value of a win as the text gives it."""
    lines = round_text(GAME, ROUND | {"wins": [WIN | changes]}).splitlines()
    (found,) = (line.removeprefix("  value").strip() for line in lines if line[:7] == "  value")
    return found


@pytest.mark.parametrize(
    ("times", "said"), [(1, "yakuman"), (2, "double yakuman"), (6, "6-fold yakuman")]
)
def test_a_yakuman_shows_its_multiple_and_no_fu(times, said):
    points = times * 32000
    value = value_of(han=None, yakuman=times, limit="yakuman", points=points, honba_points=0)
    assert value == f"{said}, {points:,} points"
    double = round_text(GAME, ROUND | {"wins": [WIN | {"yaku": [{"yaku": "tenhou", "han": 26}]}]})
    assert "(double yakuman)" in double


def test_kyuushu_kyuuhai_shows_who_declared_it_on_which_tiles():
    seats = [seat_row(seat, outcome="abort") for seat in range(4)]
    seats[0] |= {"haipai": "19m19p19s1234z123m", "held_draw": "5z"}
    ended = ROUND | {"outcome": "kyuushu", "tiles_left": 69, "wins": [], "seats": seats}
    text = round_text(GAME, ended)
    assert "no win: kyuushu kyuuhai declared by seat 0 東の人, 69 tiles left" in text
    assert text.count("  hand      ") == 1
    assert "  hand      19m19p19s1234z123m   drew 5z" in text
    # after its own north, the hand is not the haipai plus one draw
    seats[0] |= {"kita": 1}
    assert "  hand      " not in round_text(GAME, ended)


def ends_of(seats, wins):
    """Return the line of points of each seat, and the text."""
    text = round_text(GAME, ROUND | {"seats": seats, "wins": wins})
    return [line.rsplit("   ", 1)[1] for line in text.splitlines() if "  points  " in line], text


def test_a_haipai_with_hidden_tiles_has_no_shanten():
    text = round_text(GAME, ROUND | {"seats": [seat_row(0, haipai_shanten=None)]})
    assert "123m456p789s1122z   shanten not known" in text


def test_a_win_with_liability_tells_who_pays_it_and_who_does_not():
    win = WIN | {
        "tsumo": True, "loser": None, "pao_seat": 2, "points": 48000, "delta_0": 48000,
        "delta_1": 0, "delta_2": -48000, "delta_3": 0,
    }  # fmt: skip
    others = {"outcome": "paid_tsumo"}
    seats = [
        seat_row(0, delta=48000, outcome="won_tsumo"),
        seat_row(1, **others, delta=-1000),  # its riichi stick
        seat_row(2, **others, delta=-48000, pao_paid=48000),
        seat_row(3, **others),
    ]
    ends, text = ends_of(seats, [win])
    nothing = "pays nothing: seat 2 is liable (pao)"
    assert ends == ["won tsumo", nothing, "paid tsumo as liable (pao)", nothing]
    assert "  pao       seat 2 is liable" in text
    # liable for one of two yakuman; all seats pay for the other
    shared = win | {"delta_1": -16000, "delta_2": -64000, "delta_3": -16000}
    ends, _ = ends_of(seats, [shared])
    assert ends == ["won tsumo", "paid tsumo", "paid tsumo as liable (pao)", "paid tsumo"]
    # by ron the discarder pays the other half
    ron = WIN | {"pao_seat": 2, "loser": 3}
    by_ron = {2: {"outcome": "bystander", "pao_paid": 24000}, 3: {"outcome": "deal_in"}}
    ends, _ = ends_of([seat_row(seat, **by_ron.get(seat, {})) for seat in range(4)], [ron])
    assert ends[2:] == ["paid a part as liable (pao)", "deal in"]


def test_a_counted_yakuman_keeps_its_han_and_fu():
    value = value_of(han=13, fu=30, limit="kazoe", points=32000, honba_points=0)
    assert value == "13 han, 30 fu, counted yakuman, 32,000 points"
    dora = round_text(GAME, ROUND | {"wins": [WIN | {"yaku": [{"yaku": "dora", "han": 13}]}]})
    assert "Dora 13" in dora


def test_without_a_recorded_value_the_points_that_changed_hands_are_shown():
    assert value_of(**NOTHING, honba=0, delta_0=7700) == "7,700 points"
    value = value_of(**NOTHING, honba=1, sticks=2, delta_0=10000)
    assert value == "10,000 points, honba and sticks included"
    assert value_of(**NOTHING, delta_0=None) == "not recorded"
    computed = {"han": 4, "fu": 30, "yakuman": 0, "limit": "none", "points": 7700}
    text = round_text(GAME, ROUND | {"wins": [WIN | NOTHING | {"computed": computed}]})
    assert "  computed  4 han, 30 fu, 7,700 points" in text


def test_a_chinese_hand_has_fan_and_neither_yakuman_nor_dora():
    win = {"yaku": [{"yaku": "thirteen_orphans", "han": 88}], "han": 88, "fu": None, "limit": None}
    text = round_text(
        GAME | {"game": "mcr"}, ROUND | {"dora_indicators": [], "wins": [WIN | NOTHING | win]}
    )
    assert "  fan       Thirteen orphans 88" in text
    assert "88 fan, 8,600 points" in text
    assert "yakuman" not in text
    assert "dora" not in text
    assert "honba" not in text


def test_verdicts_on_several_winners_name_their_seats():
    verdicts = [
        verdict("win", "mismatch", win_index=i, winner=seat) for i, seat in ((0, 3), (1, 2))
    ]
    text = round_text(GAME, ROUND | {"verdicts": verdicts})
    assert "win of seat 3: mismatch" in text
    assert "win of seat 2: mismatch" in text
    text = game_text(GAME | {"verdicts": verdicts})
    assert "win of seat 3 in S3.0: mismatch" in text
    assert "win of seat 2 in S3.0: mismatch" in text


def test_a_game_tells_a_reason_that_many_rounds_share_once():
    verdicts = [
        verdict("round", "unscorable", round_index=index, reason="it is not known")
        for index in range(3)
    ]
    text = game_text(GAME | {"verdicts": [*verdicts, verdict("game", "match", round_index=None)]})
    assert text.count("it is not known") == 1
    assert "3 rounds: unscorable (it is not known)" in text


def test_a_game_without_play_shows_what_is_known():
    bare = GAME | {"rounds": [], "ended_by": None}
    sheet = game_text(bare | {"detail": "sheet", "wins": [WIN]})
    assert "wins from seat 3 on 0p" in sheet
    assert "ended by" not in sheet
    assert "nothing to re-score" in game_text(bare | {"detail": "result"})
    with pytest.raises(UsageError, match="has no rounds in the lake: leave the round out"):
        find_round(bare, "0")


def test_discards_stand_in_rows_of_six():
    lines = round_text(GAME, ROUND).splitlines()
    (first,) = (index for index, line in enumerate(lines) if line.startswith("  discards  2z↓"))
    assert lines[first].split()[1:] == [
        "2z↓", "1s↓", "2s↓", "3s↓", "4s↓", "5s↓",
    ]  # fmt: skip
    assert lines[first + 1].split() == ["6s↓", "7s↓"]


def test_a_lake_without_actions_says_so():
    text = round_text(GAME, ROUND | {"actions": []})
    assert "keeps no discards" in text
    assert "discards:" not in text


def test_ids_are_text_in_json():
    assert json_ready({"game_id": -5, "rows": [{"source_id": 2**60, "n": 3}]}) == {
        "game_id": "-5",
        "rows": [{"source_id": str(2**60), "n": 3}],
    }
