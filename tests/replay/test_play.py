"""Rules of the flow of the game, each on a few moves: furiten, ippatsu, pao, kuikae, draws."""

# ruff: noqa: E501  (moves on a line)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paifu.replay.replay_batch import replay
from tests.helpers.handmade import batch_of

FOUR = "game players=4 length=south\nround east 1 dora 9p scores 25000 25000 25000 25000\n"
THREE = "game players=3 length=south\nround east 1 dora 9p scores 35000 35000 35000\n"
LOOSE = "159m159p159s1234z"  # far from tenpai


class Table:
    """The replayed rows of one hand-made round."""

    def __init__(self, text: str) -> None:
        batch = batch_of(text)
        self.tables = replay(batch, np.zeros(1, np.int64))

    def rows(self, name: str) -> list[dict[str, Any]]:
        return self.tables[name].to_pylist()

    def seat(self, seat: int) -> dict[str, Any]:
        return self.rows("round_seats")[seat]

    def win(self) -> dict[str, Any]:
        return self.rows("wins")[0]


def test_passing_a_winning_tile_is_furiten_until_the_own_discard() -> None:
    waits = FOUR + f"haipai {LOOSE} | 123m456p789s1122z | {LOOSE} | {LOOSE}\n"
    passed = waits + "0 draw 7z\n0 discard 1z\n1 draw 7z"
    assert Table(passed).seat(1)["furiten_end"] == "temporary"
    assert Table(passed + "\n1 discard 7z*").seat(1)["furiten_end"] == "none"
    called = waits + "0 draw 7z\n0 discard 1z\n1 pon 1z from 0 with 11z\n1 discard 2z"
    assert Table(called).seat(1)["furiten_end"] == "own"  # waits for 2z, which it discarded


def test_passing_in_riichi_is_furiten_for_good() -> None:
    text = (
        FOUR
        + f"haipai 123m456p789s1122z | {LOOSE} | {LOOSE} | {LOOSE}\n"
        + (
            "0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n1 draw 6z\n1 discard 1z\n2 draw 6z\n"
            "2 discard 6z*\n3 draw 6z\n3 discard 6z*\n0 draw 5z\n0 discard 5z*"
        )
    )
    assert Table(text).seat(0)["furiten_end"] == "riichi"
    assert Table(text).seat(0)["furiten_riichi"] is False


def test_a_robbed_kan_leaves_ippatsu_and_a_completed_one_ends_it() -> None:
    deal = FOUR + f"haipai 23m456p789s11222z | {LOOSE} | 11m5p159s1234567z | 159m159p159s123z4m\n"
    riichi = (
        "0 draw 7z\n0 discard 7z*\n1 draw 6p\n1 discard 1m\n2 pon 1m from 1 with 11m\n2 discard 7z\n"
        "3 draw 6z\n3 discard 6z*\n0 draw 6z\n0 riichi\n0 discard 6z*\n0 accepted\n"
        "1 draw 6s\n1 discard 6s*\n2 draw 1m\n2 kakan 1m\n"
    )
    robbed = Table(deal + riichi + "0 win 1m from 2 delta 0 0 0 0").win()
    assert robbed["chankan"]
    assert robbed["ippatsu"]
    assert robbed["wait_kind"] == "ryanmen"
    later = Table(deal + riichi + "2 draw 7p\ndora 9s\n2 discard 7p*\n3 draw 4m\n3 discard 4m*\n"
                  "0 win 4m from 3 delta 0 0 0 0").win()  # fmt: skip
    assert not later["ippatsu"]


def test_who_feeds_the_third_dragon_is_liable() -> None:
    text = (
        FOUR
        + f"haipai 55z66z77z123m456p9s | {LOOSE} | {LOOSE} | {LOOSE}\n"
        + (
            "0 draw 9m\n0 discard 9m*\n1 draw 5z\n1 discard 5z*\n0 pon 5z from 1 with 55z\n0 discard 6p\n"
            "1 draw 2s\n1 discard 2s*\n2 draw 6z\n2 discard 6z*\n0 pon 6z from 2 with 66z\n0 discard 5p\n"
            "1 draw 2s\n1 discard 2s*\n2 draw 2s\n2 discard 2s*\n3 draw 7z\n3 discard 7z*\n"
            "0 pon 7z from 3 with 77z\n0 discard 4p\n1 draw 2p\n1 discard 9s\n0 win 9s from 1 delta 0 0 0 0"
        )
    )
    win = Table(text).win()
    assert (win["pao_daisangen"], win["pao_daisuushi"], win["pao_suukantsu"]) == (3, None, None)
    assert win["melds"] == "pon:555z pon:666z pon:777z"
    assert (win["winner_state"], win["wait"], win["wait_kind"]) == ("open", "9s", "tanki")


def test_kuikae_is_counted() -> None:
    deal = FOUR + f"haipai {LOOSE} | 2345m2345p2345s1z | {LOOSE} | {LOOSE}\n0 draw 7z\n"
    chi = deal + "0 discard 1m\n1 chi 1m from 0 with 23m\n"
    seat = Table(chi + "1 discard 4m").seat(1)
    assert (seat["kuikae"], seat["kuikae_suji"]) == (0, 1)
    seat = Table(chi + "1 discard 5m").seat(1)
    assert (seat["kuikae"], seat["kuikae_suji"]) == (0, 0)


def test_a_kita_is_ronned_and_does_not_break_ippatsu_or_make_furiten() -> None:
    deal = THREE + "haipai 123p456p789s44z11z | 19m159p159s12344z | 19m159p159s12357z\n"
    text = deal + (
        "0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n1 draw 6s\n1 kita\n"
        "0 win 4z from 1 delta 0 0 0"
    )
    win = Table(text).win()
    assert win["kita_ron"]
    assert win["ippatsu"]
    assert not win["chankan"]
    own = THREE + "haipai 123p456p789s4z11z9m | 19m159p159s12344z | 19m159p159s12357z\n"
    seat = Table(own + "0 draw 4z\n0 kita\n0 draw 2s\n0 discard 9m").seat(0)
    assert seat["kita"] == 1
    assert seat["furiten_end"] in (None, "none")


def test_a_passed_north_is_told_from_other_passed_tiles() -> None:
    """Rule sets differ in whether passing a north that is set aside is furiten."""
    deal = THREE + "haipai 123p456p789s44z11z | 19m159p159s12344z | 19m159p159s12357z\n"
    north = deal + (
        "0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n1 draw 6s\n1 kita\n1 draw 7s\n"
        "1 discard 7s*\n2 draw 8s\n2 discard 1z\n0 win 1z from 2 delta 0 0 0"
    )
    win = Table(north).win()
    assert (win["furiten"], win["passed"]) == ("riichi", 2)
    also = deal + (
        "0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n1 draw 6s\n1 kita\n1 draw 7s\n"
        "1 discard 1z\n2 draw 8s\n2 discard 1z\n0 win 1z from 2 delta 0 0 0"
    )
    win = Table(also).win()
    assert (win["furiten"], win["passed"]) == ("riichi", 3)


def test_a_north_right_after_a_pon_is_counted() -> None:
    deal = THREE + "haipai 123p456p789s4z11z9m | 19m159p159s12344z | 19m159p159s12357z\n"
    text = deal + "0 draw 6s\n0 discard 6s*\n1 draw 6s\n1 discard 1z\n0 pon 1z from 1 with 11z\n"
    seat = Table(text + "0 kita\n0 draw 2s\n0 discard 9m").seat(0)
    assert seat["kita_after_pon"] == 1
    seat = Table(text + "0 discard 9m\n1 draw 7s\n1 discard 7s*\n2 draw 8s\n2 discard 8s*\n"
                 "0 draw 2s\n0 kita").seat(0)  # fmt: skip
    assert (seat["kita"], seat["kita_after_pon"]) == (1, 0)


def test_a_wait_whose_four_copies_lie_in_the_hand_is_noten() -> None:
    # waits only for 1z and holds all four itself; with one in a pon the wait would count
    all_in_hand = FOUR + f"haipai 1111z123m456p789s | {LOOSE} | {LOOSE} | {LOOSE}\nend exhaustive"
    seat = Table(all_in_hand).seat(0)
    assert (seat["tenpai_at_draw"], seat["keishiki"], seat["end_wait"]) == (False, False, None)
    assert seat["tenpai_exhausted"]  # some rule sets count it
    in_a_pon = (
        FOUR
        + f"haipai 111z123m456p789s9s | {LOOSE} | {LOOSE} | {LOOSE}\n"
        + (
            "0 draw 9m\n0 discard 9m*\n1 draw 7z\n1 discard 1z\n0 pon 1z from 1 with 11z\n"
            "0 discard 9s\nend exhaustive"
        )
    )
    seat = Table(in_a_pon).seat(0)
    assert (seat["tenpai_at_draw"], seat["keishiki"], seat["end_wait"]) == (True, True, "1z")
    assert not seat["tenpai_exhausted"]


def test_nagashi_needs_every_discard_to_be_an_uncalled_terminal_or_honour() -> None:
    deal = FOUR + f"haipai {LOOSE} | 9m9p9s111p23467z | {LOOSE} | {LOOSE}\n"
    play = deal + "0 draw 7z\n0 discard 9m\n1 draw 7z\n1 discard 7z*\n2 draw 5p\n2 discard 5p*\n"
    seats = Table(play.replace("discard 9m", "discard 9p") + "end exhaustive").rows("round_seats")
    assert [seat["nagashi"] for seat in seats] == [True, True, False, False]
    called = play.replace("0 discard 9m", "0 discard 1p") + "end exhaustive"
    called = called.replace("1 draw 7z\n1 discard 7z*", "1 pon 1p from 0 with 11p\n1 discard 7z")
    assert [s["nagashi"] for s in Table(called).rows("round_seats")] == [False, True, False, False]


def test_abortive_draws_are_seen_in_the_play() -> None:
    wind = "".join(f"{seat} draw 7s\n{seat} discard 1z\n" for seat in range(4))
    deal = FOUR + f"haipai {' | '.join([LOOSE] * 4)}\n"
    assert Table(deal + wind + "end suufon").rows("rounds")[0]["abort_due"] == "suufon"
    assert Table(deal + "0 draw 9m\nend unknown").rows("rounds")[0]["outcome"] == "kyuushu"
    third = deal + "0 draw 7s\n0 discard 1m\n1 draw 9m\n"
    assert Table(third + "end kyuushu by 1").rows("rounds")[0]["abort_due"] == "kyuushu"
    kita = THREE + f"haipai {' | '.join(['19m159p159s12347z'] * 3)}\n0 draw 4z\n0 kita\n0 draw 2p\n"
    after = Table(kita + "0 discard 2p*\n1 draw 6z\nend kyuushu by 1")
    assert after.rows("rounds")[0]["abort_due"] is None
    assert "outcome_differs" in after.rows("games")[0]["flags"]


def test_an_ankan_robbed_by_thirteen_orphans_turns_no_indicator_up() -> None:
    text = (
        FOUR
        + f"haipai 19m19p19s1234566z | {LOOSE} | 777z123m456p789s1s | {LOOSE}\n"
        + (
            "0 draw 2m\n0 discard 2m*\n1 draw 2m\n1 discard 2m*\n2 draw 7z\n2 ankan 7z with 777z\n"
            "0 win 7z from 2 delta 0 0 0 0"
        )
    )
    table = Table(text)
    assert table.win()["chankan"]
    assert table.win()["wait_kind"] == "kokushi"
    assert table.rows("flags") == []


def risks_of(text: str, seat: int) -> list[tuple[Any, ...]]:
    """Return for each discard of a seat its columns about suji."""
    columns = ("tile", "class", "suji_left", "tile_suji", "chance", "ippatsu", "against_dealer")
    rows = Table(text).rows("discard_risks")
    return [tuple(row[name] for name in columns) for row in rows if row["seat"] == seat]


_RIICHI = (
    "0 draw 4p\n0 discard 4p*\n1 draw 5z\n1 discard 5z*\n2 draw 5z\n2 discard 5z*\n3 draw 6z\n"
    "3 discard 6z*\n0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n"
)


def test_suji_pass_with_a_discard_of_riichi_and_with_what_it_lets_by() -> None:
    """4p removes 14p and 47p from the eighteen suji; then 5s, passed in riichi, 25s and 58s; …"""
    text = (
        FOUR + f"haipai 123m456p789s1122z | 1p5s5p2p159m159s123z | {LOOSE} | {LOOSE}\n" + _RIICHI
        + "1 draw 7p\n1 discard 5s\n2 draw 7z\n2 discard 7z*\n3 draw 7z\n3 discard 7z*\n"
        "0 draw 6z\n0 discard 6z*\n1 draw 8s\n1 discard 8s*\n2 draw 3m\n2 discard 9s\n"
        "3 draw 3m\n3 discard 9s\n0 draw 6z\n0 discard 6z*\n1 draw 4z\n1 discard 1p\n"
        "2 draw 3m\n2 discard 9m\n3 draw 3m\n3 discard 9m\n0 draw 6z\n0 discard 6z*\n"
        "1 draw 4z\n1 discard 5p\n"
    )  # fmt: skip
    assert risks_of(text, 1) == [
        (
            "5s",
            "no_suji_456",
            16,
            2,
            4,
            True,
            True,
        ),  # both sides: 34s and 67s; none of them are seen
        ("8s", "suji_28", 14, 0, None, False, True),  # 5s has passed
        ("1p", "suji_19", 13, 0, None, False, True),  # and 9s, with it 69s
        ("5p", "no_suji_456", 12, 2, 3, False, True),  # and 9m; one 4p and one 7p are visible
    ]


@pytest.mark.parametrize(
    ("held", "tile_class", "left"), [("888p1z", "no_suji_19", 1), ("8888p", "no_chance", 0)]
)
def test_a_wall_of_three_is_one_chance_and_of_four_no_chance(
    held: str, tile_class: str, left: int
) -> None:
    """The discarder of 9p holds three or four copies of 8p, which a ryanmen 78p needs."""
    text = (
        FOUR + f"haipai 123m456p789s1122z | 9p{held}159m159s23z | {LOOSE} | {LOOSE}\n" + _RIICHI
        + "1 draw 7m\n1 discard 9p\n"
    )  # fmt: skip
    assert risks_of(text, 1) == [("9p", tile_class, 16, 1, left, True, True)]


def test_three_players_have_no_suji_of_characters() -> None:
    text = (
        THREE + "haipai 111m456p789s1122z | 1m9m5p159s159p1234z | 9m159p159s123456z\n"
        "0 draw 7z\n0 riichi\n0 discard 7z*\n0 accepted\n"
        "1 draw 5z\n1 discard 9m\n2 draw 5s\n2 discard 5s*\n"
    )
    assert risks_of(text, 1) == [("9m", "no_chance", 12, 0, 0, True, True)]
    assert risks_of(text, 2) == [("5s", "no_suji_456", 12, 2, 4, True, True)]
