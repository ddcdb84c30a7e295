"""How hands are written: every example of the keyboard notation, mjai tiles, melds as words."""

from __future__ import annotations

import numpy as np
import pytest

from paifu.errors import HandError
from paifu.game.notation import read_hand, read_tiles
from paifu.game.tiles import DORA_OF, KIND_OF, TEXT, tiles_text
from paifu.rules import rulesets
from paifu.rules.hands.shanten import suit_tables, waits
from tests.helpers.winning_hands import result, win


def tiles(text: str, notation: str = "keyboard") -> str:
    return tiles_text(read_tiles(text, notation))


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("qwertyuio", "123456789m"), ("asdfghjkl", "123456789s"), ("zxcvbnm,.", "123456789p"),
        ("1234567", "1234567z"), ("qoalz.", "19m19p19s"), ("1234567qoalz.", "19m19p19s1234567z"),
        ("gtb", "5m5p5s"), ("QWE", "123m"), ("!\"#$%&'", "1234567z"), ("<>", "89p"),
    ],
)  # fmt: skip
def test_letters_are_tiles(letters: str, expected: str) -> None:
    assert tiles(letters) == expected


def test_indicators_of_the_guide_show_their_dora() -> None:
    shown = [int(KIND_OF[code]) for code in read_tiles("vo2467 5", "keyboard")]
    dora = [TEXT[DORA_OF[kind]] for kind in shown]
    assert dora == [TEXT[code] for code in read_tiles("bq31756", "keyboard")]


@pytest.mark.parametrize(
    ("letters", "waited"),
    [
        ("xxxcvbtyudddf", "sfg"), ("ertyuimmsd vvV", "af"), ("11122qwecvbdf", "sg"),
        ("11122qwecvbsf", "d"), ("11122qwecvbas", "d"), ("11122qwecvbss", "2s"),
        ("111222qwecvbs", "s"),
    ],
)  # fmt: skip
def test_the_waits_the_guide_names(letters: str, waited: str) -> None:
    hand = read_hand(letters, "keyboard")
    counts = np.bincount([KIND_OF[code] for code in hand.tiles], minlength=34).astype(np.int8)
    mask = int(waits(suit_tables(), counts, len(hand.melds)))
    expected = {int(code) for code in read_tiles(waited, "keyboard")}
    assert {kind for kind in range(34) if mask >> kind & 1} == expected


@pytest.mark.parametrize(
    ("letters", "concealed", "melds", "win_tile", "yaku"),
    [
        ("ertyuimmsd vvV", "345678m77p23s", "pon:444p", "4s", {"tanyao"}),
        ("11qqrrzzvvass A", "1144m1144p122s11z", "", "1s", {"chiitoitsu"}),
        ("tyudfgjjm,Rwe N", "567m78p34577s", "chi:234m", "6p", {"tanyao"}),
        ("222sssz Z &66ooOo", "1p222s222z", "pon:666z kan:9999m", "1p",
         {"toitoi", "hatsu", "seat_south"}),
        ("uioasdll11 Wqe L", "789m12399s11z", "chi:123m", "9s", {"chanta"}),
        ("uioasdllzz Wqe L", "789m11p12399s", "chi:123m", "9s", {"junchan"}),
        ("ffghj11 Sad&66 !", "44567s11z", "chi:123s pon:666z", "1z",
         {"honitsu", "hatsu", "round_east"}),
        ("zxxccv,,.. Bbb >", "1223348899p", "pon:555p", "9p", {"chinitsu"}),
    ],
)  # fmt: skip
def test_the_hands_of_the_guide(
    letters: str, concealed: str, melds: str, win_tile: str, yaku: set[str]
) -> None:
    hand = read_hand(letters, "keyboard")
    assert (tiles_text(hand.tiles), hand.melds_text) == (concealed, melds)
    tile = win_tile if hand.win is None else TEXT[hand.win]
    assert tile == win_tile
    row = win(tiles_text([*hand.tiles, *read_tiles(tile)]), tile, melds=melds)
    assert set(result(row, rulesets.get("tenhou-4p"))["yaku"]) == yaku


@pytest.mark.parametrize(
    ("letters", "concealed", "melds"),
    [
        ("33#", "", "pon:333z"), ("66&", "", "pon:666z"), ("11!1", "", "kan:1111z"),
        ("rty WqeUio", "456m", "chi:123m chi:789m"), ("zxc WqeDas", "123p", "chi:123m chi:123s"),
        ("wwwsss Xxxx", "222m222s", "kan:2222p"), ("qqq 9xx9", "111m", "ankan:2222p"),
        ("cvX", "", "chi:234p"),
    ],
)  # fmt: skip
def test_melds_of_sideways_tiles(letters: str, concealed: str, melds: str) -> None:
    hand = read_hand(letters, "keyboard")
    assert (tiles_text(hand.tiles), hand.melds_text) == (concealed, melds)


def test_mjai_tiles() -> None:
    hand = read_hand("2m 3m 4m 5pr 6p 7p E E P pon:CCC chi:1s2s3s", "mjai")
    assert tiles_text(hand.tiles) == "234m067p115z"
    assert hand.melds_text == "pon:777z chi:123s"
    assert tiles("ESWNPFC", "mjai") == "1234567z"


@pytest.mark.parametrize(
    ("text", "notation", "says"),
    [
        ("123", "mpsz", "no suit"), ("9z", "mpsz", "no tile 9z"), ("12x", "mpsz", "'x'"),
        ("chi:124m", "mpsz", "not a run"), ("chi:123z", "mpsz", "not a run"),
        ("chi:891m", "mpsz", "not a run"), ("pon:112m", "mpsz", "like tiles"),
        ("kan:111m", "mpsz", "not 3"), ("peng:111m", "mpsz", "not a meld"),
        ("5mr 6mr", "mjai", "red 6m"), ("5q", "mjai", "'5q'"), ("q8", "keyboard", "'8'"),
        ("q9", "keyboard", "sideways"), ("qA", "keyboard", "sideways"),
        ("qqq A S", "keyboard", "second winning tile"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(text: str, notation: str, says: str) -> None:
    with pytest.raises(HandError) as caught:
        read_hand(text, notation)
    assert says in str(caught.value)


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(HandError, match="mpsz, mjai, keyboard"):
        read_tiles("1m", "braille")
