"""Every seat's play is judged by the rule set: calls, riichi, kans, rounds that went on."""

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

LOOSE = "159m159p159s1234z"  # far from tenpai
TENPAI = "123m456p789s1122z"  # waits for 1z and 2z
WHITE = "234m456p234s2255z"  # waits for 2z and 5z, white
TENHOU = rulesets.get("tenhou-4p")


def head(ruleset="tenhou-4p", scores=None, where="east 1"):
    points = scores or " ".join([str(rulesets.get(ruleset).start_points)] * 4)
    return f"game players=4 length=south ruleset={ruleset}\nround {where} dora 9p scores {points}\n"


def deal(*hands):
    return "haipai " + " | ".join([*hands, *[LOOSE] * (4 - len(hands))]) + "\n"


def moves(text):
    """Return moves that are written on one line with semicolons between them."""
    return text.replace("; ", "\n") + "\n"


def turns(first, count, tile="7z"):
    """Return that many turns in which a seat draws the tile and discards it."""
    seats = [(first + i) % 4 for i in range(count)]
    return "".join(moves(f"{seat} draw {tile}; {seat} discard {tile}*") for seat in seats)


class Judged:
    """The flags and verdicts of rounds written by hand, under the rule set of their game."""

    def __init__(self, text, rules=None):
        batch = batch_of(text)
        self.tables = replay(batch, np.zeros(len(batch.games), np.int64))
        connection = duckdb.connect()
        for name, table in self.tables.items():
            connection.register(name, table)
        games = connection.sql("SELECT game_id FROM games").pl()
        play = read_play(connection, games, batch.games[0].players)
        found = audit(play, rules or rulesets.get(batch.games[0].ruleset)).verdicts
        self.verdicts = {
            (row["subject"], row["round_index"]): (row["status"], row["reason"])
            for row in found.verdicts.to_dicts()
        }
        self.fields = {
            (row["subject"], row["field"]): (row["recorded"], row["computed"])
            for row in found.fields.to_dicts()
        }
        self.flags = {
            (row["reason"], row["seat"], row["seq"])
            for row in self.tables["flags"].to_pylist()
            if row["reason"] not in ("no_end", "fifth_copy")
        }

    def why(self, subject="round", index=0):
        """Return why a subject is illegal."""
        status, reason = self.verdicts[subject, index]
        assert status == "illegal", (status, reason)
        return reason

    @property
    def in_order(self):
        """The first round was played by the rules and has no flags."""
        return self.verdicts["round", 0] == ("match", None) and not self.flags


# --- kuikae ---


def kuikae(discard, ruleset="tenhou-4p", rules=None):
    text = head(ruleset) + deal(LOOSE, "1234m15p159s1234z")
    text += moves("0 draw 7z; 0 discard 1m; 1 chi 1m from 0 with 23m")
    return Judged(text + moves(f"1 discard {discard}; 2 draw 7z"), rules)


def test_who_swaps_a_tile_back_breaks_the_rules_whoever_wins():
    same = kuikae("1m")
    assert same.why() == "kuikae: the tile called was discarded again (seat 1)"
    assert same.flags == {("kuikae", 1, 2)}
    other_end = kuikae("4m")
    assert "other end of the run" in other_end.why()
    assert other_end.flags == {("kuikae_suji", 1, 2)}
    assert kuikae("5p").in_order


def test_kuikae_is_judged_only_where_the_rules_are_known_and_forbid_it():
    assert not kuikae("4m", "tenhou-custom").flags
    same_only = replace(TENHOU, kuikae="same")
    assert kuikae("4m", rules=same_only).verdicts["round", 0] == ("match", None)
    assert kuikae("1m", rules=same_only).why()


# --- riichi ---


def riichi_at(draw, ruleset="tenhou-4p", scores=None):
    """Return a round in which the seat of this draw (1 is the dealer's first) declares riichi."""
    seat = (draw - 1) % 4
    hands = [LOOSE] * 4
    hands[seat] = TENPAI
    text = head(ruleset, scores) + deal(*hands) + turns(0, draw - 1)
    text += moves(f"{seat} draw 6z; {seat} riichi; {seat} discard 6z*; {seat} accepted")
    return Judged(text + f"{(seat + 1) % 4} draw 6z")


def test_riichi_needs_as_many_tiles_left_as_the_rule_set_says():
    assert riichi_at(66).in_order  # four left
    late = riichi_at(67)
    assert late.why() == "riichi with fewer than 4 tiles left to draw (seat 2)"
    assert [flag[:2] for flag in late.flags] == [("riichi_too_late", 2)]
    assert riichi_at(69, "mleague").in_order
    assert riichi_at(69, "wrc").in_order
    assert not riichi_at(69, "tenhou-custom").flags


def test_riichi_needs_a_thousand_points_where_the_rule_set_says_so():
    poor, enough = "900 49100 25000 25000", "1000 49000 25000 25000"
    judged = riichi_at(1, scores=poor)
    assert judged.why() == "riichi with less than 1000 points (seat 0)"
    assert judged.flags == {("riichi_without_points", 0, 0)}
    assert not riichi_at(1, scores=enough).flags
    assert not riichi_at(1, "mleague", poor).flags


def test_riichi_in_furiten_is_judged_where_a_rule_set_forbids_it():
    text = head() + deal(TENPAI) + turns(0, 4) + moves("0 draw 2z; 0 discard 2z*") + turns(1, 3)
    text += moves("0 draw 6z; 0 riichi; 0 discard 6z*; 0 accepted; 1 draw 6z")
    assert Judged(text).in_order
    strict = replace(TENHOU, furiten_riichi=False)
    assert Judged(text, strict).why() == "riichi in furiten (seat 0)"


def riichi_then_ankan(hand, kan, drawn=None, ruleset="tenhou-4p", rules=None):
    text = head(ruleset) + deal(hand) + moves("0 draw 7z; 0 riichi; 0 discard 7z*; 0 accepted")
    text += turns(1, 3, "6z")
    text += moves(f"0 draw {drawn or kan}; 0 ankan {kan} with {kan[0] * 3}{kan[1]}; dora 8p")
    return Judged(text + moves("0 draw 6z; 0 discard 6z*; 1 draw 6z"), rules)


SAME_WAIT = "111m456p789s23s22z"
OTHER_WAIT = "22234m567p678s11z"
"""Waits for 2m, 5m and east; no longer for east without a pair of 2m."""
THREE_RUNS = "111222333m55p67s"
"""Three triplets, or one run three times."""


def test_an_ankan_in_riichi_must_leave_the_waits_as_they_are():
    assert riichi_then_ankan(SAME_WAIT, "1m").in_order
    changed = riichi_then_ankan(OTHER_WAIT, "2m")
    assert changed.why() == "an ankan in riichi that changed the wait (seat 0)"
    assert ("riichi_kan_wait", 0, 4) in changed.flags
    # not allowed at any table, whatever its own settings are
    assert riichi_then_ankan(OTHER_WAIT, "2m", ruleset="tenhou-custom").why()


def test_an_ankan_in_riichi_is_of_the_tile_just_drawn():
    other = riichi_then_ankan("111123m456p789s2z", "1m", drawn="5z")
    assert "without the tile just drawn" in other.why()


def test_where_the_readings_must_stay_a_triplet_must_be_one_in_all_of_them():
    assert riichi_then_ankan(THREE_RUNS, "1m").in_order
    league = riichi_then_ankan(THREE_RUNS, "1m", ruleset="mleague")
    assert "not a triplet in every reading" in league.why()
    assert league.flags == {("riichi_kan_readings", 0, 4)}
    assert riichi_then_ankan(SAME_WAIT, "1m", ruleset="mleague").in_order


def test_a_rule_set_may_forbid_kans_in_riichi():
    never = replace(TENHOU, riichi_ankan="off")
    assert riichi_then_ankan(SAME_WAIT, "1m", rules=never).why() == "an ankan in riichi (seat 0)"


def test_a_wait_of_which_the_seat_holds_all_is_no_tenpai_where_melds_count():
    # 12m waits for 3m only, and the seat's own ankan has all four
    text = deal("333312m456p789s2z") + moves("0 draw 2z; 0 ankan 3m with 333m; dora 8p")
    text += moves("0 draw 6z; 0 riichi; 0 discard 6z*; 0 accepted; 1 draw 6z")
    assert Judged(head() + text).in_order
    assert "not tenpai" in Judged(head("mleague") + text).why()


# --- kans and calls that no rule set allows ---

FOUR_KANS_OF_ONE = "".join(
    moves(f"0 draw {n}m; 0 ankan {n}m with {n}{n}{n}m; dora {n + 4}p") for n in (1, 2, 3, 4)
) + moves("0 draw 6z; 0 discard 6z*")


@pytest.mark.parametrize("ruleset", ["tenhou-4p", "mleague", "tenhou-custom"])
def test_a_fifth_kan_is_never_allowed(ruleset):
    text = head(ruleset) + deal("111222333444m9p", "111p59m159s12345z") + FOUR_KANS_OF_ONE
    assert not Judged(text + "1 draw 6z").flags
    fifth = Judged(text + moves("1 draw 1p; 1 ankan 1p with 111p; 1 draw 6z"))
    assert fifth.why() == "a fifth kan (seat 1)"


def test_a_kan_needs_a_tile_to_replace_it():
    text = head() + deal(LOOSE, "111p59m159s12345z") + turns(0, 69)
    last = Judged(text + moves("1 draw 1p; 1 ankan 1p with 111p; dora 8p; 1 draw 6z"))
    assert ("call_without_draw_left", 1, 69) in last.flags
    assert "without a tile to replace it (seat 1)" in last.why()


def test_a_winner_who_broke_the_rules_of_play_has_not_won():
    text = head() + deal(LOOSE, LOOSE, LOOSE, "23m456p789s11222z")
    text += moves("0 draw 7z; 0 discard 1m; 3 chi 1m from 0 with 23m; 3 discard 1z") + turns(0, 3)
    won = Judged(text + moves("3 draw 1z; 3 win 1z"))
    assert "a chi from a seat other than the previous one" in won.why("win")
    assert "(seat 3)" in won.why()


# --- rounds that had already ended ---

WINDS = "".join(moves(f"{seat} draw 7z; {seat} discard 1z") for seat in range(4))
FOUR_RIICHI = "".join(
    moves(f"{s} draw 7z; {s} riichi; {s} discard 7z*; {s} accepted") for s in range(4)
)
FOUR_KANS_OF_TWO = moves(
    "0 draw 7z; 0 ankan 1m with 111m; dora 1p; 0 draw 7z; 0 ankan 2m with 222m; dora 2p; 0 draw 7z;"
    " 0 discard 7z*; 1 draw 7z; 1 ankan 3m with 333m; dora 3p; 1 draw 7z; 1 ankan 4m with 444m;"
    " dora 4p; 1 draw 7z; 1 discard 7z*"
)
OVER = {
    "suufon": deal(LOOSE, LOOSE, "234m456p234s1255z") + WINDS,
    "suucha": deal(TENPAI, TENPAI, WHITE, TENPAI) + FOUR_RIICHI,
    "suukan": deal("11112222m12345z", "33334444m12345z", WHITE) + FOUR_KANS_OF_TWO,
}
"""Rounds up to the discard that ends them; if they went on, seat 2 could win."""
NEXT = {"suufon": 0, "suucha": 0, "suukan": 2}
TO_THE_WIN = {
    "suufon": turns(0, 2) + moves("2 draw 2z; 2 discard 7z") + turns(3, 3),
    "suucha": turns(0, 2),
    "suukan": "",
}
NO_ONE_PAYS = "tenpai 0 0 0 0 delta 0 0 0 0"


def played_on(kind, more, ruleset="tenhou-4p"):
    return Judged(head(ruleset) + OVER[kind] + more)


def won_by_seat_2(kind, ruleset="tenhou-4p"):
    return played_on(kind, TO_THE_WIN[kind] + moves("2 draw 5z; 2 win 5z"), ruleset)


@pytest.mark.parametrize("kind", OVER)
def test_a_win_after_an_abortive_draw_that_was_due_is_illegal(kind):
    judged = won_by_seat_2(kind)
    assert "the round had already ended by an abortive draw" in judged.why("win")
    assert judged.verdicts["round", 0] == ("mismatch", None)
    assert judged.fields["round", "outcome"] == ("tsumo", kind)
    assert [flag[:2] for flag in judged.flags] == [("abort_passed", None)]


@pytest.mark.parametrize("kind", OVER)
def test_it_is_found_however_the_round_ended(kind):
    on = turns(NEXT[kind], 4)
    exhausted = played_on(kind, f"{on}end exhaustive {NO_ONE_PAYS}")
    assert exhausted.verdicts["draw", 0][0] == "mismatch"
    assert exhausted.fields["draw", "outcome"] == ("exhaustive", kind)
    assert exhausted.fields["round", "outcome"] == ("exhaustive", kind)
    late = played_on(kind, f"{on}end {kind} delta 0 0 0 0")
    assert late.fields["round", "outcome"] == (f"{kind}, later", kind)
    assert played_on(kind, on).fields["round", "outcome"] == ("unknown", kind)


@pytest.mark.parametrize("kind", OVER)
def test_a_round_that_ended_when_it_was_over_is_in_order(kind):
    ended = played_on(kind, f"end {kind} delta 0 0 0 0")
    assert ended.verdicts["draw", 0] == ("match", None)
    assert ended.in_order


@pytest.mark.parametrize("kind", OVER)
@pytest.mark.parametrize("ruleset", ["mleague", "wrc", "tenhou-custom"])
def test_no_round_is_over_by_a_draw_its_rule_set_does_not_have(kind, ruleset):
    on = won_by_seat_2(kind, ruleset)
    assert on.verdicts["round", 0][0] == ("unscorable" if ruleset == "tenhou-custom" else "match")
    assert on.verdicts["win", 0][0] != "illegal"
    assert not on.flags


def test_the_discard_that_ends_a_round_may_still_be_ronned():
    text = head() + deal("123m456p789s1133z", TENPAI, TENPAI, "123m456p789s2277z")
    riichi = FOUR_RIICHI.replace("3 draw 7z", "3 draw 3z").replace("3 discard 7z*", "3 discard 3z*")
    assert Judged(text + riichi.replace("3 accepted\n", "") + "0 win 3z from 3").in_order


def test_four_kans_of_one_seat_end_nothing():
    text = head() + deal("111222333444m9p", LOOSE, WHITE) + FOUR_KANS_OF_ONE
    judged = Judged(text + turns(1, 1) + moves("2 draw 5z; 2 win 5z"))
    assert judged.in_order
    assert judged.verdicts["win", 0] == ("match", None)


def test_what_follows_is_held_against_the_round_as_it_was_played():
    text = OVER["suucha"] + turns(0, 4) + "end suucha delta 0 0 0 0\n"
    points = " ".join(["24000"] * 4)
    text += f"round east 1 honba 1 sticks 4 dora 9p scores {points}\n" + deal() + "0 draw 7z"
    assert Judged(head() + text).verdicts["round", 1] == ("match", None)


def test_three_winners_of_a_tile_abort_the_round_where_the_rule_set_says_so():
    text = deal(LOOSE, WHITE, WHITE, WHITE) + moves("0 draw 5z; 0 discard 5z*")
    text += "".join(moves(f"{seat} win 5z from 0") for seat in (1, 2, 3))
    judged = Judged(head() + text)
    assert judged.why("win") == "three winners of a tile abort the round"
    assert judged.fields["round", "outcome"] == ("triple_ron", "sanchahou")
    assert Judged(head("majsoul-4p") + text).verdicts["round", 0] == ("match", None)


# --- legality when facts are not known ---


def test_a_ron_in_furiten_is_illegal_whether_the_ura_dora_are_known_or_not():
    text = (
        head()
        + deal("123m456p789s1123z")
        + moves(
            "0 draw 3z; 0 riichi; 0 discard 2z; 0 accepted; 1 draw 7z; 1 discard 1z; 2 draw 7z;"
            " 2 discard 7z*; 3 draw 7z; 3 discard 3z; 0 win 3z from 3"
        )
    )
    assert Judged(text).why("win") == "ron in furiten: a winning tile passed in riichi"
    legal = Judged(text.replace("1 discard 1z", "1 discard 7z*"))
    assert legal.verdicts["win", 0] == ("unscorable", "the ura dora are not known")


def kan(ruleset, indicator):
    """Return two rounds; in the first, a kan turned up the indicator, if any, and its seat won."""
    start = rulesets.get(ruleset).start_points
    text = head(ruleset) + deal("3333m234p456s552z")
    text += moves(f"0 draw 7z; 0 ankan 3m with 333m; {indicator}0 draw 2z; 0 discard 7z")
    text += turns(1, 3, "6z") + moves("0 draw 5z; 0 win 5z delta 4800 -1600 -1600 -1600")
    points = " ".join(map(str, [start + 4800, *[start - 1600] * 3]))
    return Judged(f"{text}round east 1 honba 1 dora 9p scores {points}\n{deal()}0 draw 7z")


def test_a_round_short_of_an_indicator_cannot_be_scored_nor_what_depends_on_it():
    whole = kan("tenhou-4p", "dora 8p; ")
    assert [whole.verdicts[key][0] for key in (("win", 0), ("round", 0), ("round", 1))] == [
        "match"
    ] * 3
    short = kan("tenhou-4p", "")
    assert short.flags == {("dora_missing", None, None)}
    assert short.verdicts["win", 0][0] == "unscorable"
    assert "indicator" in short.verdicts["win", 0][1]
    assert short.verdicts["round", 0] == short.verdicts["win", 0]
    assert short.verdicts["round", 1] == (
        "unscorable", "the round before could not be settled",
    )  # fmt: skip
    assert not short.fields


def test_without_kan_dora_no_indicator_is_missing():
    league = kan("jpml-a", "")
    assert league.verdicts["win", 0] == ("match", None)
    assert league.verdicts["round", 1] == ("match", None)
    assert not league.flags
