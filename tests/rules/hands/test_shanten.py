"""Shanten, waits and useful tiles, compared with enumeration and two independent libraries."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from mahjong.shanten import Shanten

from paifu.game.tiles import IS_YAOCHUU, parse_tiles
from paifu.rules.hands.shanten import (
    COMPLETE,
    NOT_A_HAND,
    shanten,
    shanten_chiitoi,
    shanten_kokushi,
    shanten_regular,
    suit_tables,
    useful,
    waits,
)
from paifu.rules.hands.suit_tables import STATES, rank

TABLES = suit_tables()
SANMA = suit_tables(3)
SANMA_TILES = np.repeat([k for k in range(34) if not 1 <= k <= 7], 4)


def counts_of(text: str) -> np.ndarray:
    return np.bincount(parse_tiles(text), minlength=34).astype(np.int8)


def kinds_in(mask: int) -> list[int]:
    return [kind for kind in range(34) if int(mask) >> kind & 1]


def random_hands(
    seed: int, hands: int, tiles: int, wall: np.ndarray | None = None
) -> Iterator[np.ndarray]:
    """Hands of all shapes: half are uniform, half are of few kinds and so have many sets."""
    rng = np.random.default_rng(seed)
    wall = np.repeat(np.arange(34), 4) if wall is None else wall
    for i in range(hands):
        pool = wall
        if i % 2:
            kinds = rng.choice(np.unique(wall), rng.integers(5, 12), replace=False)
            pool = np.repeat(kinds, 4)
        yield np.bincount(rng.choice(pool, tiles, replace=False), minlength=34).astype(np.int8)


@cache
def targets(sets: int, pairs: int, numbers: int, runs: bool) -> np.ndarray:
    """Every way to have exactly this many sets and pairs in one suit, as rows of counts."""
    units = [tuple(3 * (i == j) for i in range(numbers)) for j in range(numbers)]
    if runs:
        units += [tuple(int(j <= i < j + 3) for i in range(numbers)) for j in range(numbers - 2)]
    rows = set()
    for chosen in itertools.combinations_with_replacement(units, sets):
        total = np.sum(chosen, axis=0) if chosen else np.zeros(numbers, dtype=int)
        for pair in range(numbers) if pairs else [-1]:
            row = total + 2 * (np.arange(numbers) == pair)
            if row.max() <= 4:
                rows.add(tuple(row))
    return np.array(sorted(rows))


def plain_shanten_regular(counts: np.ndarray, melds: int, players: int = 4) -> int:
    """Number of missing tiles of the nearest complete hand, from all complete hands."""
    suits = [
        (counts[0:9], 9, players == 4),
        (counts[9:18], 9, True),
        (counts[18:27], 9, True),
        (counts[27:34], 7, False),
    ]
    best = {(0, 0): 0}
    for suit, numbers, runs in suits:
        merged: dict[tuple[int, int], int] = {}
        for sets, pairs in itertools.product(range(5), range(2)):
            lack = np.maximum(targets(sets, pairs, numbers, runs) - suit, 0).sum(axis=1).min()
            for (m, p), distance in best.items():
                key = (m + sets, p + pairs)
                if key[0] <= 4 - melds and key[1] <= 1:
                    merged[key] = min(merged.get(key, 99), distance + int(lack))
        best = merged
    return best[4 - melds, 1] - 1


def test_states_are_numbered_in_lexicographic_order() -> None:
    numbering = TABLES["heads"], TABLES["tails"]
    rng = np.random.default_rng(0)
    suits = [tuple(rng.integers(0, 5, 9)) for _ in range(3000)]
    states = sorted({suit for suit in suits if sum(suit) <= 14})
    ranks = [rank(*numbering, np.array(suit, dtype=np.int8), 0, False) for suit in states]
    assert ranks == sorted(set(ranks))
    assert ranks[0] >= 0
    for suit in set(suits) - set(states):
        assert rank(*numbering, np.array(suit, dtype=np.int8), 0, False) == -1
    last = np.array([4, 4, 4, 2, 0, 0, 0, 0, 0], dtype=np.int8)
    assert rank(*numbering, last, 0, False) == STATES - 1
    assert rank(*numbering, last - last, 0, False) == 0
    honours = counts_of("1122777z")
    as_numbers = np.array([0, 0, *honours[27:]], dtype=np.int8)
    assert rank(*numbering, honours, 27, True) == rank(*numbering, as_numbers, 0, False)


@pytest.mark.parametrize("melds", range(5))
def test_regular_shanten_is_the_distance_to_the_nearest_complete_hand(melds: int) -> None:
    for tiles in (13 - 3 * melds, 14 - 3 * melds):
        for counts in random_hands(melds, 60, tiles):
            expected = plain_shanten_regular(counts, melds)
            assert shanten_regular(TABLES, counts, melds) == expected, counts


def test_with_three_players_manzu_makes_no_runs() -> None:
    for counts in random_hands(7, 100, 13, SANMA_TILES):
        assert shanten_regular(SANMA, counts, 0) == plain_shanten_regular(counts, 0, 3), counts
    # with three of its kind, a fourth 1m can only start 1m2m3m
    four_of_one = counts_of("1111m123456p557s")
    live = np.full(34, 4, dtype=np.int8)
    with_runs = kinds_in(useful(TABLES, four_of_one, 0, live)[0])
    without = kinds_in(useful(SANMA, four_of_one, 0, live)[0])
    assert sorted(set(with_runs) - set(without)) == parse_tiles("23m")


def test_agrees_with_the_mahjong_library() -> None:
    other = Shanten()
    for counts in random_hands(3, 1500, 13):
        if counts.max() == 4:
            continue  # that library lets a hand wait for a fifth copy
        listed = counts.tolist()
        assert shanten_regular(TABLES, counts, 0) == other.calculate_shanten_for_regular_hand(
            listed
        )
        assert shanten_chiitoi(counts) == other.calculate_shanten_for_chiitoitsu_hand(listed)
        assert shanten_kokushi(counts) == other.calculate_shanten_for_kokushi_hand(listed)
        assert shanten(TABLES, counts, 0) == other.calculate_shanten(listed)


def test_agrees_with_riichienv() -> None:
    riichienv = pytest.importorskip("riichienv")
    for counts in random_hands(4, 3000, 13):
        if counts.max() == 4:
            continue
        tiles = [4 * kind + copy for kind in range(34) for copy in range(counts[kind])]
        assert shanten(TABLES, counts, 0) == riichienv.calculate_shanten(tiles)


def test_hands_known_not_to_be_tenpai(corpus: Path) -> None:
    cases = json.loads((corpus / "oracles" / "not_a_win.json").read_text())["cases"]
    assert len(cases) > 50
    for case in cases:
        counts = np.array(case["counts_34"], dtype=np.int8)
        melds = (14 - int(counts.sum())) // 3
        assert (shanten(TABLES, counts, melds) <= 0) == case["is_tenpai"]
        assert (waits(TABLES, counts, melds) != 0) == case["is_tenpai"]


@pytest.mark.parametrize("melds", range(5))
def test_waits_are_the_tiles_that_complete_the_hand(melds: int) -> None:
    rng = np.random.default_rng(melds)
    tenpai = 0
    one_suit = np.repeat([*range(9), 26, 27], 4)
    for counts in random_hands(10 + melds, 500, 14 - 3 * melds, one_suit):
        counts[rng.choice(np.flatnonzero(counts))] -= 1
        expected = []
        for kind in np.flatnonzero(counts < 4):
            counts[kind] += 1
            if shanten(TABLES, counts, melds) == COMPLETE:
                expected.append(int(kind))
            counts[kind] -= 1
        tenpai += bool(expected)
        assert kinds_in(waits(TABLES, counts, melds)) == expected, counts
        assert (shanten(TABLES, counts, melds) == 0) == bool(expected), counts
    assert tenpai > 20


@pytest.mark.parametrize(
    ("hand", "melds", "tiles"),
    [
        ("1112345678999m", 0, "123456789m"),  # nine gates
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),  # thirteen waits
        ("19m19p19s1123456z", 0, "7z"),
        ("1199m1199p1199s1z", 0, "1z"),
        ("1111m456m789m111p", 0, ""),  # the fifth 1m does not count as a wait
        ("1z", 4, "1z"),
        ("23m55p", 3, "14m"),
        ("3334m", 3, "245m"),
        ("1122334455667m", 0, "147m"),
        ("123456m2244p111z", 0, "24p"),
        ("123m456p789s1234z", 0, ""),
    ],
)
def test_waits_a_player_knows(hand: str, melds: int, tiles: str) -> None:
    assert kinds_in(waits(TABLES, counts_of(hand), melds)) == parse_tiles(tiles)


@pytest.mark.parametrize("melds", [0, 1, 3])
def test_useful_tiles_are_those_that_lower_the_shanten(melds: int) -> None:
    rng = np.random.default_rng(20 + melds)
    orphans = np.repeat([*np.flatnonzero(IS_YAOCHUU), 4, 5], 4)
    hands = itertools.chain(
        random_hands(30 + melds, 150, 13 - 3 * melds),
        random_hands(40 + melds, 50, 13 - 3 * melds, orphans),
    )
    for counts in hands:
        live = rng.integers(0, 5, 34).astype(np.int8)
        before = counts.copy()
        expected = []
        for kind in range(34):
            drawn = counts.copy()
            drawn[kind] += 1
            nearer = shanten(TABLES, drawn, melds) < shanten(TABLES, counts, melds)
            if nearer and live[kind] > 0:
                expected.append(kind)
        mask, tiles = useful(TABLES, counts, melds, live)
        assert kinds_in(mask) == expected
        assert tiles == live[expected].sum()
        assert (counts == before).all()


def test_seven_pairs_need_seven_kinds_and_orphans_all_thirteen() -> None:
    assert shanten_chiitoi(counts_of("1111222233334m")) == 6 - 3 + 3
    assert shanten_chiitoi(counts_of("11223344556677m")) == COMPLETE
    orphans = "".join(f"{k % 9 + 1}{'mpsz'[k // 9]}" for k in np.flatnonzero(IS_YAOCHUU))
    assert shanten_kokushi(counts_of(orphans)) == 0
    assert shanten_kokushi(counts_of(orphans + "1z")) == COMPLETE


def test_counts_that_are_no_hand_are_refused() -> None:
    five = counts_of("123m456p789s1z")
    five[30] = 5
    crowded = np.zeros(34, dtype=np.int8)
    crowded[:4] = 4
    negative = counts_of("123m")
    negative[5] = -1
    for counts, melds in ((five, 0), (crowded, 0), (negative, 3), (counts_of("1z"), 5)):
        assert shanten(TABLES, counts, melds) == NOT_A_HAND
        assert waits(TABLES, counts, melds) == 0
        assert useful(TABLES, counts, melds, np.full(34, 4, np.int8)) == (0, 0)
    assert waits(TABLES, counts_of("123m45p"), 0) == 0
