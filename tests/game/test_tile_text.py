"""Texts written by kernels are the same as those of the plain functions in tiles.py."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.game.tile_text import hand_texts, mask_texts, meld_texts
from paifu.game.tiles import CODES, NO_TILE, parse_tiles, tiles_text

tiles = st.lists(st.integers(0, CODES - 1), max_size=14)


@settings(max_examples=50, deadline=None)
@given(st.lists(tiles, max_size=8))
def test_hands(hands: list[list[int]]) -> None:
    padded = [hand + [NO_TILE] * (14 - len(hand)) for hand in hands]
    codes = np.array(padded, np.int8).reshape(-1, 14)
    assert hand_texts(codes).to_pylist() == [tiles_text(hand) for hand in hands]


def test_a_hand_that_is_not_valid_is_null() -> None:
    codes = np.array([[0, 1], [NO_TILE, NO_TILE]], np.int8)
    assert hand_texts(codes, np.array([True, False])).to_pylist() == ["12m", None]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sets(st.integers(0, 33)), max_size=8))
def test_masks(kinds: list[set[int]]) -> None:
    masks = np.array([sum(1 << kind for kind in some) for some in kinds], np.uint64)
    assert mask_texts(masks).to_pylist() == [tiles_text(some) or None for some in kinds]


def test_melds() -> None:
    words = ("chi", "pon", "kan", "kakan", "ankan", "kita")
    melds = [
        ("chi", "132m"),
        ("kita", "4z"),
        ("pon", "550p"),
        ("ankan", "5055s"),
        ("kakan", "7777z"),
    ]
    kinds = np.zeros((2, 8), np.int8)
    laid = np.full((2, 8, 4), NO_TILE, np.int8)
    for i, (word, text) in enumerate(melds):
        kinds[0, i] = words.index(word)
        laid[0, i, : len(parse_tiles(text))] = parse_tiles(text)
    texts = meld_texts(np.array([5, 0], np.int8), kinds, laid).to_pylist()
    assert texts == ["chi:123m kita pon:055p ankan:0555s kakan:7777z", ""]
