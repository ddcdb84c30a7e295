"""Rare rounds, legal and not: several winners, what a kan or a north ends, the last tile."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import numpy as np
import pytest

from paifu.audit.batch_audit import audit
from paifu.audit.lake_reader import read_play
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets
from tests.helpers.handmade import batch_of

LOOSE, LOOSE_SANMA = "159m159p159s1234z", "19m159p159s12347z"  # far from tenpai
WHITE = "234m456p234s2255z"  # waits for 2z and 5z, white
SANMA = "123456p789s1122z"  # waits for 1z and 2z


class Judged:
    """The tables and verdicts of one round, under the rule set of its game or another."""

    def __init__(self, deal, moves, game="tenhou-4p", *, rules=None, honba=0, sticks=0):
        preset = rulesets.get(game)
        players = preset.players
        loose = LOOSE_SANMA if players == 3 else LOOSE
        points = " ".join([str(preset.start_points)] * players)
        text = (
            f"game players={players} length=south ruleset={game}\n"
            f"round east 1 honba {honba} sticks {sticks} dora 9p scores {points}\n"
            f"haipai {' | '.join([*deal, *[loose] * (players - len(deal))])}\n"
        )
        self.tables = replay(batch_of(text + moves.replace("; ", "\n")), np.zeros(1, np.int64))
        connection = duckdb.connect()
        for name, rows in self.tables.items():
            connection.register(name, rows)
        games = connection.sql("SELECT game_id FROM games").pl()
        audited = audit(read_play(connection, games, players), rules or preset)
        self.verdicts = {
            (row["subject"], row["win_index"]): (row["status"], row["reason"])
            for row in audited.verdicts.verdicts.to_dicts()
        }
        self.fields = {
            (row["subject"], row["field"]): (row["recorded"], row["computed"])
            for row in audited.verdicts.fields.to_dicts()
        }
        self.flags = {
            row["reason"]
            for row in self.tables["flags"].to_pylist()
            if row["reason"] not in ("no_end", "fifth_copy")
        }
        self.wins = self.tables["wins"].to_pylist()
        self.yaku = {row["yaku"] for row in audited.tables["scored_yaku"].to_pylist()}

    @property
    def paid(self):
        """Seat, honba and sticks of each winner in the order of payment."""
        return [(win["winner"], win["honba"], win["sticks"]) for win in self.wins]


def turns(first, count, players=4):
    """Return that many turns in which a seat draws a tile and discards it."""
    seats = [(first + i) % players for i in range(count)]
    return "".join(f"{seat} draw 6z; {seat} discard 6z*; " for seat in seats)


# --- several winners of a tile ---

WHITE_OF_DEALER = "0 draw 5z; 0 discard 5z*; "


def test_the_nearest_winner_is_paid_first_in_whatever_order_the_log_lists_them():
    near = "1 win 5z from 0 delta -2900 3900 0 0"  # 1300, two honba and a stick
    far = "2 win 5z from 0 delta -1300 0 1300 0"
    for first, then in ((near, far), (far, near)):
        table = Judged(
            [LOOSE, WHITE, WHITE], f"{WHITE_OF_DEALER}{first}; {then}", honba=2, sticks=1
        )
        assert table.paid == [(1, 2, 1), (2, 0, 0)]
        assert [win["delta_0"] for win in table.wins] == [-2900, -1300]
        assert table.flags == set()


def test_points_before_a_win_hold_in_the_order_of_the_log():
    far = "2 win 5z from 0 before 25000 25000 25000 25000 delta -1300 0 1300 0"
    near = "1 win 5z from 0 before 23700 25000 26300 25000 delta -1300 1300 0 0"
    assert Judged([LOOSE, WHITE, WHITE], f"{WHITE_OF_DEALER}{far}; {near}").flags == set()
    in_turn = Judged([LOOSE, WHITE, WHITE], f"{WHITE_OF_DEALER}{near}; {far}")
    assert in_turn.flags == {"scores_before_differ"}


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_by_head_bump_the_far_winner_is_not_paid(order):
    wins = "; ".join(f"{seat} win 5z from 0" for seat in order)
    table = Judged([LOOSE, WHITE, WHITE], WHITE_OF_DEALER + wins, "mleague")
    assert table.verdicts["win", 0] == ("match", None)
    assert table.verdicts["win", 1] == ("illegal", "only the nearest winner of a tile is paid")
    assert table.wins[1]["winner"] == 2


def test_both_may_ron_a_north_and_the_nearest_is_paid_first():
    deal = [LOOSE_SANMA, "123456p99s44z555z", "123456p11s44z666z"]
    moves = "0 draw 4z; 0 kita; 2 win 4z from 0; 1 win 4z from 0"
    table = Judged(deal, moves, "tenhou-3p", honba=1, sticks=2)
    assert table.paid == [(1, 1, 2), (2, 0, 0)]
    assert [table.verdicts["win", win] for win in (0, 1)] == [("match", None)] * 2


def test_a_seat_wins_a_tile_only_once():
    table = Judged([LOOSE, WHITE], WHITE_OF_DEALER + "1 win 5z from 0; 1 win 5z from 0")
    assert table.flags == {"event_after_end"}
    assert table.paid == [(1, 0, 0)]
    assert table.tables["rounds"]["outcome"].to_pylist() == ["ron"]


# --- the last tile ---


@pytest.mark.parametrize(("counts", "yaku"), [(False, {"rinshan"}), (True, {"rinshan", "haitei"})])
def test_the_last_tile_drawn_for_a_kan_is_haitei_only_where_both_count(counts, yaku):
    rules = replace(rulesets.get("tenhou-4p"), haitei_with_rinshan=counts)
    moves = turns(0, 68) + "0 draw 3m; 0 ankan 3m with 333m; dora 8p; 0 draw 5z; 0 win 5z"
    table = Judged(["333m234p456s5522z"], moves, rules=rules)
    assert table.verdicts["win", 0] == ("match", None)
    assert table.yaku & {"rinshan", "haitei"} == yaku


def test_the_last_tile_drawn_for_a_north_is_haitei_where_it_is_no_rinshan():
    moves = turns(0, 53, 3) + "2 draw 4z; 2 kita; 2 draw 1z; 2 win 1z"
    deal = [LOOSE_SANMA, LOOSE_SANMA, SANMA]
    known = rulesets.get("tenhou-3p")
    assert Judged(deal, moves, "tenhou-3p").yaku & {"rinshan", "haitei"} == {"rinshan"}
    rules = replace(known, rinshan_after_kita=False)
    table = Judged(deal, moves, "tenhou-3p", rules=rules)
    assert table.yaku & {"rinshan", "haitei"} == {"haitei"}


# --- what a call, a kan or a north ends ---

KYUUSHU = "19m19p19s1234567z"
KITA = "0 draw 4z; 0 kita; 0 draw 6s; 0 discard 6s*; "
ANKAN = "0 draw 6s; 0 ankan 3m with 333m; dora 8p; 0 draw 6s; 0 discard 6s*; "


@pytest.mark.parametrize(
    ("game", "before"),
    [("tenhou-4p", ANKAN), ("tenhou-3p", KITA), ("majsoul-4p", ANKAN), ("majsoul-3p", KITA)],
)
def test_nine_terminals_and_a_double_riichi_are_over_after_a_kan_or_north_of_another(game, before):
    three = game.endswith("3p")
    dealer = LOOSE_SANMA if three else "3333m159p159s123z"
    delta = "0 0 0" if three else "0 0 0 0"
    draw = f"1 draw 5s; end kyuushu by 1 delta {delta}"
    over = Judged([dealer, KYUUSHU], before + draw, game)
    assert over.fields["draw", "outcome"] == ("kyuushu", "none")
    untouched = "0 draw 6s; 0 discard 6s*; "
    assert Judged([dealer, KYUUSHU], untouched + draw, game).verdicts["draw", None][0] == "match"
    riichi = "1 draw 7z; 1 riichi; 1 discard 7z*; 1 accepted; 2 draw 2z; 2 discard 2z*; "
    for turn, double in ((before, False), (untouched, True)):
        hand = SANMA if three else WHITE
        win = Judged([dealer, hand], f"{turn}{riichi}1 win 2z from 2", game).wins[0]
        assert (win["double_riichi"], win["ippatsu"]) == (double, True)


@pytest.mark.parametrize(
    ("game", "kan"),
    [
        ("tenhou-4p", "1 draw 6s; 1 ankan 3m with 333m; dora 8p; 1 draw 6s; 1 discard 6s*; "),
        ("tenhou-3p", "1 draw 4z; 1 kita; 1 draw 6s; 1 discard 6s*; "),
    ],
)
def test_ippatsu_is_over_after_a_kan_or_north_of_another(game, kan):
    three = game.endswith("3p")
    deal = [SANMA, LOOSE_SANMA] if three else [WHITE, "3333m159p159s123z"]
    riichi = "0 draw 7z; 0 riichi; 0 discard 7z*; 0 accepted; "
    win = "2 draw 2z; 2 discard 2z*; 0 win 2z from 2"
    assert not Judged(deal, riichi + kan + win, game).wins[0]["ippatsu"]
    assert Judged(deal, f"{riichi}{turns(1, 1)}{win}", game).wins[0]["ippatsu"]


def test_an_own_ankan_ends_the_right_to_nine_terminals():
    hand = "1111m9m19p19s1234z"
    moves = "0 draw 5z; 0 ankan 1m with 111m; dora 8p; 0 draw 6z; end kyuushu by 0 delta 0 0 0 0"
    assert Judged([hand], moves).fields["draw", "outcome"] == ("kyuushu", "none")


def test_a_ron_on_the_tile_of_the_fourth_riichi_takes_the_three_sticks_paid():
    declared = "".join(
        f"{seat} draw {tile}; {seat} riichi; {seat} discard {tile}*; {seat} accepted; "
        for seat, tile in ((0, "7s"), (1, "6z"), (2, "7m"))
    )
    deal = ["123m456p789s1122z", WHITE, "123m456p789s1133z", "123m456p789s7744z"]
    table = Judged(deal, declared + "3 draw 2z; 3 riichi; 3 discard 2z*; 0 win 2z from 3")
    assert table.paid == [(0, 0, 3)]
    assert table.verdicts["round", None] == ("match", None)
    seats = table.tables["round_seats"].to_pylist()
    assert [seat["riichi_accepted"] for seat in seats] == [True, True, True, False]
    assert [seat["riichi_ronned"] for seat in seats] == [False, False, False, True]


# --- kan dora and furiten ---

DAIMINKAN = "0 draw 3m; 0 discard 3m*; 1 daiminkan 3m from 0 with 333m; "


@pytest.mark.parametrize(
    ("moves", "missing"),
    [
        ("1 draw 5z; 1 win 5z", False),  # won before the discard: none is turned up
        ("1 draw 7p; dora 9s; 1 ankan 7p with 777p; dora 8p; 1 draw 5z; 1 win 5z", False),
        ("1 draw 7p; 1 ankan 7p with 777p; dora 8p; 1 draw 5z; 1 win 5z", True),
    ],
)
def test_a_daiminkan_turns_its_dora_up_with_the_discard_or_the_next_kan(moves, missing):
    table = Judged([LOOSE, "333m777p456s5522z"], DAIMINKAN + moves)
    assert table.flags == ({"dora_missing"} if missing else set())
    assert table.verdicts["win", 0][0] == ("unscorable" if missing else "match")


def test_an_own_discard_that_another_called_makes_furiten_too():
    called = "0 draw 5z; 0 discard 5z*; 1 pon 5z from 0 with 55z; 1 discard 2z; 0 win 2z from 1"
    table = Judged([WHITE, "55z159m159p15s123z"], called)
    reason = "ron in furiten: a winning tile among the seat's own discards"
    assert table.verdicts["win", 0] == ("illegal", reason)
