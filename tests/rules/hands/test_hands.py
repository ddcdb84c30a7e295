"""Hands read from table ``wins``: parsed as written, and every value checked."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paifu.errors import HandError
from paifu.game.notation import read_hand
from paifu.game.tiles import HIDDEN, KIND_OF, KINDS, parse_tiles
from paifu.rules import rulesets
from paifu.rules.engine import score
from paifu.rules.hands.faults import FAULT_KEYS, FAULTS
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.hands.reading_kernels import ANKAN, CHI, DAIMINKAN, KAKAN, NO_MELD, PON
from tests.helpers.random_hands import random_hand
from tests.helpers.winning_hands import COLUMNS, Row, result, scored, table, win

TENHOU = rulesets.get("tenhou-4p")
MELD_KINDS = {"chi": CHI, "pon": PON, "kan": DAIMINKAN, "kakan": KAKAN, "ankan": ANKAN}
GOOD = win("123m456p789s11122z", "1z")


def fault(**changes: Any) -> str:
    return FAULT_KEYS[read_wins(table([GOOD | changes])).faults()[0]]


def test_a_hand_is_read_as_it_is_written() -> None:
    row = win(
        "0m55p1z", "1z", melds="chi:340s pon:777z kan:1111p kakan:2222s ankan:0555s kita",
        dora_indicators=["3p", "7z"], ura_indicators=["1m"], tsumo=True, honba=3, sticks=2,
        round_wind=2, pao_daisangen=3,
    )  # fmt: skip
    hands = read_wins(table([row | {"melds": "chi:340s pon:777z kan:1111p kakan:2222s kita"}]))
    counts = np.zeros(KINDS, dtype=np.int8)
    counts[[4, 13, 27]] = 1, 2, 1
    assert (hands.concealed[0] == counts).all()
    assert hands.meld_kind[0].tolist() == [CHI, PON, DAIMINKAN, KAKAN]
    assert hands.meld_tile[0].tolist() == [20, 33, 9, 19]
    assert hands.reds[0] == 2
    assert hands.kita[0] == 1
    assert hands.win_tile[0] == 27
    assert hands.dora_indicators[0].tolist() == [11, 33, -1, -1, -1]
    assert hands.ura_indicators[0].tolist() == [0, -1, -1, -1, -1]
    assert (hands.honba[0], hands.sticks[0], hands.round_wind[0]) == (3, 2, 2)
    assert (hands.pao_daisangen[0], hands.pao_suukantsu[0]) == (3, -1)
    assert fault(melds=row["melds"]) == "too_many_melds"


def test_columns_may_come_as_any_kind_of_arrow_text() -> None:
    rows = table([GOOD, win("222m22s", "2s", melds="pon:777z chi:123p ankan:1111m")])
    plain = score(read_wins(rows), TENHOU)
    for kind in (pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()):
        columns = {
            name: rows[name].cast(kind) if name in ("hand", "melds", "win_tile") else rows[name]
            for name in rows.column_names
        }
        cast = pa.table(columns)
        sliced = pa.concat_tables([cast, cast]).slice(1, 2)
        again = score(read_wins(sliced), TENHOU)
        assert again.wins.reverse().equals(plain.wins)


def test_what_is_left_out_is_not_so_and_seats_follow_from_winds() -> None:
    few = pa.table({"hand": [GOOD["hand"]], "win_tile": ["1z"], "seat_wind": [2]})
    found = score(read_wins(few), TENHOU).wins.row(0, named=True)
    assert found["status"] == "ok"
    assert [found[f"delta_{seat}"] for seat in range(4)] == [0, 0, 1300, -1300]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "ok"),
        ({"hand": "123m456p789s1112"}, "unreadable_hand"),
        ({"hand": "123x456p789s11122z"}, "unreadable_hand"),
        ({"hand": "123m456p789s11122z8z"}, "unreadable_hand"),
        ({"hand": "m123"}, "unreadable_hand"),
        ({"hand": "1" * 300 + "m"}, "unreadable_hand"),
        ({"hand": "1m" * 300}, "unreadable_hand"),
        ({"hand": "123m456p789s1110z2z"}, "hidden_tiles"),
        ({"hand": "123m456p789s11z1f1f"}, "tile_count"),
        ({"melds": "chi123m"}, "unreadable_melds"),
        ({"melds": "chi:"}, "unreadable_melds"),
        ({"melds": "chi:124m"}, "unreadable_melds"),
        ({"melds": "chi:891m"}, "unreadable_melds"),
        ({"melds": "chi:123z"}, "unreadable_melds"),
        ({"melds": "pon:112m"}, "unreadable_melds"),
        ({"melds": "kan:111m"}, "unreadable_melds"),
        ({"melds": "pon:1111m"}, "unreadable_melds"),
        ({"melds": "kita:4z"}, "unreadable_melds"),
        ({"melds": "daiminkan:1111m"}, "unreadable_melds"),
        ({"win_tile": ""}, "unreadable_win_tile"),
        ({"win_tile": "11z"}, "unreadable_win_tile"),
        ({"win_tile": "9z"}, "unreadable_win_tile"),
        ({"win_tile": "3z"}, "win_tile_absent"),
        ({"dora_indicators": ["x"]}, "unreadable_indicators"),
        ({"dora_indicators": ["1m"] * 6}, "unreadable_indicators"),
        ({"hand": "123m456p789s1112z"}, "tile_count"),
        ({"hand": "123m456p789s111222z"}, "tile_count"),
        ({"melds": "pon:333z"}, "tile_count"),
        ({"hand": "11111m456p789s112z"}, "five_copies"),
        ({"dora_indicators": ["1z", "1z"]}, "five_copies"),
        ({"hand": "123m456p789s11z", "melds": "pon:111z"}, "five_copies"),
        ({"riichi": True, "hand": "123m456p789s11z", "melds": "pon:222z"}, "riichi_open"),
        ({"riichi": True, "hand": "123m456p789s11z", "melds": "ankan:2222z"}, "ok"),
        ({"ippatsu": True}, "ippatsu_without_riichi"),
        ({"double_riichi": True}, "ippatsu_without_riichi"),
        ({"loser": 1}, "own_tile"),
        ({"tsumo": True}, "tsumo_loser"),
        ({"tsumo": True, "loser": None, "loser_state": "riichi"}, "tsumo_loser"),
        ({"ura_indicators": ["5s"]}, "ura_without_riichi"),
        ({"riichi": True, "dora_indicators": ["5s"], "ura_indicators": ["4s", "4p"]},
         "ura_beyond_dora"),
        ({"riichi": True, "ura_indicators": ["4s", "4p"]}, "ok"),
        ({"pao_daisangen": 1}, "own_pao"),
        ({"pao_daisuushi": 2}, "ok"),
        ({"dealer_wins": 3, "dealer_rounds": 2}, "dealer_streak"),
        ({"dealer_wins": 3}, "ok"),
        ({"tsumo": True, "loser": None, "houtei": True}, "tsumo_event"),
        ({"haitei": True}, "tsumo_event"),
        ({"kita_ron": True}, "kita_ron"),
        ({"winner": 4}, "bad_seat"),
        ({"winner": 2}, "bad_seat"),
        ({"loser": 9}, "bad_seat"),
        ({"players": 5}, "bad_seat"),
        ({"round_wind": 4}, "bad_seat"),
        ({"pao_daisangen": 7}, "bad_seat"),
        ({"melds": "kita"}, "kita"),
        ({"players": 3}, "sanma_tiles"),
        ({"players": 3, "hand": "456p789s11122z", "melds": "chi:123s"}, "sanma_chi"),
        ({"players": 3, "hand": "123p456p789s11122z", "melds": "kita " * 5}, "kita"),
        ({"players": 3, "hand": "123p456p789s11122z", "melds": "kita " * 4}, "ok"),
        ({"players": 3, "hand": "123p456p789s11144z", "melds": "kita " * 3}, "five_copies"),
    ],
)  # fmt: skip
def test_what_cannot_be_has_a_reason(changes: Row, expected: str) -> None:
    assert fault(**changes) == expected
    found = result(GOOD | changes, TENHOU)
    if expected == "ok":
        assert found["reason"] is None
    else:
        unreadable = expected.startswith("unreadable") or expected in (
            "hidden_tiles", "too_many_melds",
        )  # fmt: skip
        assert found["status"] == ("unreadable" if unreadable else "impossible")
        assert found["reason"] == expected
        assert FAULTS[expected]


DRAWN = {"tsumo": True, "loser": None}
SANMA = {"players": 3, "hand": "111p456p789s11122z"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # the first turn of a seat that has not discarded, before any call
        (DRAWN | {"first_turn": True}, "ok"),
        ({"first_turn": True, "loser": 0}, "ok"),
        (DRAWN | {"first_turn": True, "hand": "456p789s11122z", "melds": "chi:123m"},
         "first_turn_called"),
        ({"first_turn": True, "hand": "456p789s11122z", "melds": "chi:123m"}, "first_turn_called"),
        (DRAWN | {"first_turn": True, "hand": "123m789s11122z", "melds": "ankan:6666p"},
         "first_turn_called"),
        (DRAWN | SANMA | {"first_turn": True, "melds": "kita"}, "first_turn_called"),
        ({"first_turn": True, "loser": 0, "houtei": True}, "first_turn_last_tile"),
        (DRAWN | {"first_turn": True, "haitei": True}, "first_turn_last_tile"),
        ({"first_turn": True, "after_rinshan": True}, "first_turn_called"),
        (DRAWN | {"first_turn": True, "riichi": True}, "first_turn_riichi"),
        ({"first_turn": True, "riichi": True, "double_riichi": True}, "first_turn_riichi"),
        (DRAWN | {"first_turn": True, "winner": 0, "seat_wind": 0}, "ok"),
        # in it only seats that play before the winner have discarded
        ({"first_turn": True, "winner": 0, "seat_wind": 0, "loser": 3}, "first_turn_order"),
        ({"first_turn": True, "winner": 0, "seat_wind": 0, "loser": None}, "first_turn_order"),
        ({"first_turn": True, "winner": 2, "seat_wind": 2, "loser": 1}, "ok"),
        ({"first_turn": True, "winner": 2, "seat_wind": 2, "loser": 3}, "first_turn_order"),
        ({"first_turn": True, "winner": 2, "seat_wind": 1, "dealer": 1, "loser": 0},
         "first_turn_order"),
        ({"first_turn": True, "winner": 2, "seat_wind": 1, "dealer": 1, "loser": 1}, "ok"),
        ({"first_turn": True, "loser": 0, "hand": "19m19p19s12345677z", "win_tile": "5z",
          "chankan": True}, "ok"),  # an ankan robbed by a kokushi is not completed
        ({"first_turn": True, "hand": "123m45677p789s222z", "win_tile": "6p", "chankan": True},
         "first_turn_called"),
        # a double riichi has the first go-around for its ippatsu
        ({"riichi": True, "double_riichi": True, "ippatsu": True, "houtei": True},
         "first_turn_last_tile"),
        ({"riichi": True, "double_riichi": True, "houtei": True}, "ok"),
        # rinshan follows a kan of any kind, or a north set aside
        (DRAWN | {"rinshan": True}, "rinshan_without_kan"),
        (DRAWN | {"rinshan": True, "hand": "123m789s11122z", "melds": "pon:666p"},
         "rinshan_without_kan"),
        *((DRAWN | {"rinshan": True, "hand": "123m789s11122z", "melds": f"{kan}:6666p"}, "ok")
          for kan in ("kan", "kakan", "ankan")),
        (DRAWN | SANMA | {"rinshan": True, "melds": "kita", "after_kita": True}, "ok"),
        (DRAWN | SANMA | {"rinshan": True, "after_kita": True}, "rinshan_without_kan"),
        (DRAWN | SANMA | {"melds": "kita", "after_kita": True}, "rinshan_without_kan"),
        (DRAWN | {"rinshan": True, "riichi": True, "ippatsu": True, "hand": "123m789s11122z",
                  "melds": "ankan:6666p"}, "ippatsu_over"),
        ({"riichi": True, "ippatsu": True, "houtei": True, "after_rinshan": True}, "ippatsu_over"),
        ({"riichi": True, "ippatsu": True, "after_rinshan": True}, "ippatsu_over"),
        ({"riichi": True, "ippatsu": True, "houtei": True}, "ok"),
        # a kan before a double riichi makes it none, a kan after it ends its ippatsu
        ({"riichi": True, "double_riichi": True, "ippatsu": True, "hand": "123m789s11122z",
          "melds": "ankan:6666p"}, "ippatsu_over"),
        (SANMA | {"riichi": True, "double_riichi": True, "ippatsu": True, "melds": "kita"},
         "ippatsu_over"),
        ({"riichi": True, "double_riichi": True, "hand": "123m789s11122z", "melds": "ankan:6666p"},
         "ok"),
        ({"riichi": True, "ippatsu": True, "hand": "123m789s11122z", "melds": "ankan:6666p"}, "ok"),
        # the other three copies of a robbed tile are in the kan
        ({"chankan": True, "hand": "123m45677p789s222z", "win_tile": "6p"}, "ok"),
        ({"chankan": True}, "chankan_copy"),
        ({"chankan": True, "hand": "123m456667p789s22z", "win_tile": "5p"}, "ok"),
        ({"chankan": True, "hand": "123m456667p789s22z", "win_tile": "6p"}, "chankan_copy"),
        ({"chankan": True, "hand": "45677p789s222z", "win_tile": "6p", "melds": "chi:678p"},
         "chankan_copy"),
        ({"chankan": True, "hand": "123m45677p789s222z", "win_tile": "6p",
          "dora_indicators": ["6p"]}, "chankan_copy"),
        ({"chankan": True, "hand": "123m45677p789s222z", "win_tile": "6p", "riichi": True,
          "ura_indicators": ["6p"]}, "chankan_copy"),
        ({"chankan": True, "houtei": True, "hand": "123m45677p789s222z", "win_tile": "6p"},
         "one_ron"),
        ({"chankan": True, "after_rinshan": True, "hand": "123m45677p789s222z", "win_tile": "6p"},
         "one_ron"),
        (SANMA | {"hand": "111p456p789s22244z", "win_tile": "4z", "kita_ron": True}, "ok"),
        (SANMA | {"hand": "111p456p789s22244z", "win_tile": "4z", "kita_ron": True,
                  "houtei": True}, "one_ron"),
        # a win on the discard after a rinshan draw is not a tsumo
        (DRAWN | {"after_rinshan": True}, "tsumo_event"),
        ({"houtei": True, "after_rinshan": True}, "ok"),
    ],
)  # fmt: skip
def test_circumstances_that_cannot_be_have_a_reason(changes: Row, expected: str) -> None:
    assert fault(**changes) == expected
    rules = rulesets.get("tenhou-3p") if changes.get("players") == 3 else TENHOU
    assert result(GOOD | changes, rules)["reason"] in (
        [None, "the hand has no yaku"] if expected == "ok" else [expected]
    )


def test_a_draw_after_a_north_alone_is_no_rinshan_where_the_rules_say_so() -> None:
    """Rinshan without a kan, but with a north, means rinshan after the north."""
    rules = replace(rulesets.get("tenhou-3p"), rinshan_after_kita=False)
    drawn = GOOD | DRAWN | SANMA | {"rinshan": True}
    assert "rinshan" not in result(drawn | {"melds": "kita"}, rules)["yaku"]
    with_kan = drawn | {"hand": "456p789s11122z", "melds": "kita ankan:1111p"}
    assert "rinshan" in result(with_kan, rules)["yaku"]
    assert "rinshan" in result(drawn | {"melds": "kita"}, rulesets.get("tenhou-3p"))["yaku"]


def test_a_hand_without_four_sets_and_a_pair_is_not_complete() -> None:
    found = result(GOOD | {"hand": "124m456p789s11122z"}, TENHOU)
    assert (found["status"], found["points"], found["yaku"]) == ("not_complete", None, {})


def test_bad_rows_do_not_disturb_the_rows_beside_them() -> None:
    bad = [GOOD | {"hand": "?"}, GOOD | {"winner": 7}, GOOD | {"hand": "124m456p789s11122z"}]
    rows = [GOOD, bad[0], GOOD, bad[1], bad[2], GOOD]
    wins = scored(rows, TENHOU).wins
    assert wins["status"].to_list() == [
        "ok", "unreadable", "ok", "impossible", "not_complete", "ok",
    ]  # fmt: skip
    assert wins[0].equals(wins[2])
    assert wins[0].equals(wins[5])


def test_no_hands_at_all_score_to_empty_frames() -> None:
    found = scored([], TENHOU)
    assert (len(found.wins), len(found.yaku)) == (0, 0)
    assert found.wins.columns == scored([GOOD], TENHOU).wins.columns


TEXT = st.text("0123456789mpszf :?chiponkat", max_size=40)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=8))
def test_any_text_at_all_gets_a_status(texts: list[tuple[str, str, str]]) -> None:
    rows = [GOOD | {"hand": hand, "melds": melds, "win_tile": tile} for hand, melds, tile in texts]
    wins = scored(rows, TENHOU).wins
    assert wins["status"].null_count() == 0
    assert (wins["points"].is_null() == (wins["status"] != "ok")).all()


@settings(max_examples=150, deadline=None)
@given(TEXT)
@example("80z")  # what cannot be read comes before what is hidden
def test_the_kernel_reads_the_hands_and_melds_the_plain_parser_reads(text: str) -> None:
    """The simple parser gives the same as the parsing kernels."""
    hands = read_wins(table([GOOD | {"hand": text, "win_tile": "1m"}]))
    read = FAULT_KEYS[hands.fault[0]]
    try:
        codes = parse_tiles(text)
    except HandError:
        assert read == "unreadable_hand"
        return
    if read == "hidden_tiles":
        assert HIDDEN in codes
    elif len(codes) <= 24:
        expected = np.bincount([KIND_OF[code] for code in codes], minlength=HIDDEN)
        assert (hands.concealed[0] == expected[:KINDS]).all()
        assert hands.flowers[0] == expected[KINDS:].sum()


def test_melds_of_random_hands_are_read_by_kernel_and_plain_parser_alike() -> None:
    rng = random.Random(5)
    rows = [random_hand(rng, rng.choice([3, 4])).row() for _ in range(500)]
    hands = read_wins(table(rows))
    for index, row in enumerate(rows):
        plain = read_hand(row["melds"])
        kinds = [MELD_KINDS[word] for word, _ in plain.melds]
        lows = [min(int(KIND_OF[code]) for code in tiles) for _, tiles in plain.melds]
        blank = 4 - len(kinds)
        assert hands.meld_kind[index].tolist() == kinds + [NO_MELD] * blank
        assert hands.meld_tile[index].tolist() == lows + [-1] * blank
        assert hands.kita[index] == plain.kita
    assert set(COLUMNS) >= {"hand", "melds"}
