"""The tile vocabulary: every code has one text, and dora follow the indicator."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paifu.errors import HandError
from paifu.game.tiles import (
    CODE,
    CODES,
    DORA_OF,
    DORA_OF_SANMA,
    KIND_OF,
    TEXT,
    parse_tiles,
    tiles_text,
)


def test_codes_and_texts_are_one_to_one() -> None:
    assert len(TEXT) == len(set(TEXT)) == CODES
    assert [CODE[text] for text in TEXT] == list(range(CODES))


@pytest.mark.parametrize(
    "pair",
    # the examples of document 003: v o 2 4 6 7 5 show b q 3 1 7 5 6
    ["4p 5p", "9m 1m", "2z 3z", "4z 1z", "6z 7z", "7z 5z", "5z 6z"],
)
def test_dora_is_the_tile_after_the_indicator(pair: str) -> None:
    indicator, dora = pair.split()
    assert TEXT[DORA_OF[CODE[indicator]]] == dora


def test_a_red_five_shows_the_six() -> None:
    assert TEXT[DORA_OF[KIND_OF[CODE["0p"]]]] == "6p"


def test_manzu_wrap_between_one_and_nine_with_three_players() -> None:
    assert TEXT[DORA_OF_SANMA[CODE["1m"]]] == "9m"
    assert TEXT[DORA_OF_SANMA[CODE["9m"]]] == "1m"
    assert (DORA_OF_SANMA[9:] == DORA_OF[9:]).all()


@given(st.lists(st.integers(0, CODES - 1)))
def test_what_is_written_is_read_back(codes: list[int]) -> None:
    assert sorted(parse_tiles(tiles_text(codes))) == sorted(codes)
    assert parse_tiles(tiles_text(codes, sort=False)) == codes


@pytest.mark.parametrize("text", ["8z", "123", "12x", "m", "1m2", "九m", "9f", "１m"])
def test_what_is_not_a_tile_is_named(text: str) -> None:
    with pytest.raises(HandError, match=r"tile|suit|read"):
        parse_tiles(text)
