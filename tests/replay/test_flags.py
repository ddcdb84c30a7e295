"""Faults of a log are found and flagged at their place; correct play is not flagged."""

# ruff: noqa: E501  (a case a line)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paifu.replay.replay_batch import replay
from tests.helpers.handmade import batch_of

HEAD = "game players=4\nround east 1 dora 3p scores 25000 25000 25000 25000\n"
HANDS = "haipai 123m456p789s1122z | 19m19p19s1234567z | 222m333p444s555z6z | 0m0p0s678m678p678s4z\n"
SANMA = (
    "game players=3\nround east 1 dora 3p scores 35000 35000 35000\n"
    "haipai 119m456p789s1244z | 19m19p19s1234567z | 222p333p444s5556z\n"
)


def flags(text: str) -> list[dict[str, Any]]:
    batch = batch_of(text)
    return replay(batch, np.zeros(len(batch.games), np.int64))["flags"].to_pylist()


def reasons(text: str) -> set[str]:
    return {row["reason"] for row in flags(text)} - {"no_end"}


CLEAN = """
0 draw 9m
0 discard 9m*
1 draw 1s
1 discard 1s*
2 draw 4s
2 ankan 4s with 444s
dora 4p
2 draw 9p
2 discard 9p*
"""


def test_a_clean_beginning_has_no_flag_but_that_it_breaks_off() -> None:
    assert reasons(HEAD + HANDS + CLEAN) == set()
    found = flags(HEAD + HANDS + "0 draw 9m\n0 discard 9m*")
    assert [(row["reason"], row["round_index"], row["seq"]) for row in found] == [("no_end", 0, 1)]


@pytest.mark.parametrize(
    ("reason", "seat", "seq", "events"),
    [
        ("tile_not_in_hand", 0, 0, "0 draw 9m\n0 discard 8m"),
        ("tile_not_in_hand", 0, 0, "0 draw 9m\n0 discard 0p"),  # a red five is not a plain one
        ("tile_not_in_hand", 2, 1, "0 draw 9m\n0 discard 9m*\n1 draw 9s\n2 ankan 9m with 999m"),
        ("fifth_copy", 0, 0, "0 draw 2m"),
        ("out_of_turn", 1, 0, "1 draw 9m"),
        ("out_of_turn", 2, 1, "0 draw 9m\n0 discard 9m*\n2 draw 9m"),
        ("out_of_turn", 1, 0, "0 draw 9m\n1 discard 1m"),
        ("out_of_turn", None, 0, "0 draw 9m\n-1 discard 1m"),
        ("discard_missing", 0, 0, "0 draw 9m\n0 draw 9m"),
        ("bad_meld", 1, 1, "0 draw 9m\n0 discard 1m\n1 chi 1m from 0 with 19m"),
        ("bad_meld", 2, 1, "0 draw 9m\n0 discard 2z\n2 pon 2m from 0 with 22m"),
        ("bad_chi", 3, 1, "0 draw 9m\n0 discard 9s\n3 chi 9s from 0 with 78s"),
        ("kakan_without_pon", 2, 2, "0 draw 9m\n0 discard 9m*\n1 draw 1s\n1 discard 1s*\n2 draw 2m\n2 kakan 2m"),
        ("riichi_noten", 0, 0, "0 draw 9m\n0 riichi\n0 discard 1m"),
        ("riichi_without_discard", 0, 0, "0 draw 9m\n0 riichi\n1 draw 9m"),
        ("riichi_not_accepted", 0, 1, "0 draw 9m\n0 riichi\n0 discard 9m*\n1 draw 9m"),
        ("event_after_end", 0, None, "0 draw 9m\nend kyuushu by 0\n0 discard 9m*"),
        ("win_not_complete", 0, 0, "0 draw 9m\n0 win 9m from 0"),
        ("win_without_tile", 0, 0, "0 draw 9m\n0 win 1z from 0"),
        ("dora_missing", None, None, CLEAN.replace("dora 4p\n", "")),
        ("dora_surplus", None, None, "dora 4p\n0 draw 9m\n0 discard 9m*"),
        ("hidden_tiles", 0, 0, "0 draw 0z\n0 discard 0z*"),
        ("outcome_differs", None, 0, "0 draw 9m\nend kyuushu by 0"),
        ("outcome_differs", None, 1, "0 draw 9m\n0 discard 9m*\nend exhaustive"),
        ("call_without_draw_left", 2, 70, "".join(f"{i % 4} draw {3 + i % 4}z\n{i % 4} discard {3 + i % 4}z*\n"
                                                  for i in range(70)) + "2 pon 4z from 1 with 44z"),
        ("wall_overdrawn", 2, 70, "".join(f"{i % 4} draw {3 + i % 4}z\n{i % 4} discard {3 + i % 4}z*\n"
                                          for i in range(70)) + "2 draw 5z"),
    ],
)  # fmt: skip
def test_each_breach_is_flagged_where_it_happens(
    reason: str, seat: int | None, seq: int | None, events: str
) -> None:
    found = [
        (row["seat"], row["seq"]) for row in flags(HEAD + HANDS + events) if row["reason"] == reason
    ]
    assert found[:1] == [(seat, seq)]


def test_sanma_breaches() -> None:
    assert reasons(SANMA + "0 draw 4z\n0 kita") == set()
    assert "bad_chi" in reasons(SANMA + "0 draw 4z\n0 discard 3s\n1 chi 3s from 0 with 12s")
    assert "wrong_tile_for_players" in reasons(SANMA + "0 draw 5m")
    assert "bad_meld" in reasons(HEAD + HANDS + "0 draw 4z\n0 kita")


def test_riichi_breaches() -> None:
    tenpai = HEAD + HANDS.replace("123m456p789s1122z", "123m456p789s1123z")
    riichi = (
        tenpai
        + "0 draw 3z\n0 riichi\n0 discard 2z\n0 accepted\n1 draw 9m\n1 discard 9m*\n2 draw 8s\n2 discard 8s*\n3 draw 9p\n3 discard 9p*\n0 draw 9p\n"
    )
    assert reasons(riichi + "0 discard 9p*") == set()
    assert reasons(riichi + "0 discard 1m") == {"hand_changed_in_riichi"}
    assert "riichi_twice" in reasons(riichi + "0 riichi\n0 discard 9p*")
    called = (
        tenpai
        + "0 draw 9m\n0 discard 9m*\n1 draw 1z\n1 discard 1z*\n0 pon 1z from 1 with 11z\n0 riichi"
    )
    assert "riichi_open" in reasons(called)
    pon = riichi.replace("3 draw 9p\n3 discard 9p*\n0 draw 9p\n", "3 draw 1z\n3 discard 1z*\n")
    assert "call_in_riichi" in reasons(pon + "0 pon 1z from 3 with 11z")


def test_a_fifth_kan() -> None:
    hands = "haipai 1111m2222m3333m4m | 4444p5555p66667p | 19m19p19s1234567z | 0m678m678p789s123z\n"
    kans = "".join(
        f"0 ankan {k}m with {k}{k}{k}m\ndora 9s\n0 draw {d}s\n" for k, d in ((1, 1), (2, 2), (3, 3))
    )
    text = HEAD.replace("3p", "9s") + hands + "0 draw 9p\n" + kans + "0 discard 9p\n1 draw 7p\n"
    assert "too_many_kans" not in reasons(text + "1 ankan 4p with 444p")
    assert "too_many_kans" in reasons(
        text + "1 ankan 4p with 444p\n1 draw 8s\n1 ankan 5p with 555p"
    )


def test_a_haipai_of_other_than_thirteen_tiles() -> None:
    assert "short_haipai" in reasons(HEAD + HANDS.replace("123m456p789s1122z", "123m456p789s112z"))


SECOND = "round {where} dora 3p scores {scores}\n" + HANDS


@pytest.mark.parametrize(
    ("end", "second", "expected"),
    [
        ("end exhaustive tenpai 1 1 1 0 delta 1000 1000 1000 -3000", "east 1 honba 1|26000 26000 26000 22000", set()),
        ("end exhaustive delta 1500 1500 -1500 -1500", "east 2 honba 1|26500 26500 23500 23500", set()),
        ("end exhaustive delta 0 0 0 0", "east 2 honba 1|25000 25000 25000 24000", {"scores_not_carried"}),
        ("end exhaustive delta 0 0 0 0", "east 2 honba 1 sticks 1|25000 25000 25000 25000", {"scores_not_carried"}),
        ("end exhaustive delta 0 0 0 0", "east 2 honba 0|25000 25000 25000 25000", {"round_order"}),
        ("end exhaustive delta 0 0 0 0", "east 3 honba 1|25000 25000 25000 25000", {"round_order"}),
        ("end exhaustive delta 0 0 0 1000", "east 2 honba 1|25000 25000 25000 26000", {"sum_differs"}),
        ("end exhaustive before 25000 25000 25000 24000 delta 0 0 0 0", "east 2 honba 1|25000 25000 25000 25000",
         {"scores_before_differ"}),
        ("end exhaustive tenpai 1 0 0 0 delta 0 0 0 0", "east 2 honba 1|25000 25000 25000 25000", {"tenpai_differs"}),
    ],
)  # fmt: skip
def test_the_record_against_itself(end: str, second: str, expected: set[str]) -> None:
    where, scores = second.split("|")
    play = HEAD + HANDS.replace("0m0p0s678m678p678s4z", "0m0p0s679m679p679s4z") + end + "\n"
    found = reasons(play + SECOND.format(where=where, scores=scores))
    assert found - {"outcome_differs"} == expected  # many tiles are left in the wall


def test_what_is_printed_beside_a_win() -> None:
    win = (
        HEAD.replace("scores", "honba 2 sticks 1 scores")
        + HANDS.replace("1122z |", "1122z |")
        + (
            "0 draw 1z\n0 win 1z from 0 delta 7800 -2200 -2200 -2400 honba {honba} sticks {sticks} hand {hand}\n"
        )
    )
    right = {"honba": 2, "sticks": 1, "hand": "123m456p789s11122z"}
    assert reasons(win.format(**right)) == set()
    assert reasons(win.format(**right | {"honba": 1})) == {"honba_differs"}
    assert reasons(win.format(**right | {"sticks": 0})) == {"honba_differs"}
    assert reasons(win.format(**right | {"hand": "123m456p789s11222z"})) == {"hand_differs"}
    assert reasons(win.format(**right).replace("-2400", "-2300")) == {"sum_differs"}
