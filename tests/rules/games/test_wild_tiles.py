"""Wild tiles: the result suit by suit is the same as that of trying every replacement."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from paifu.game.tiles import EAST, KINDS
from paifu.rules.fan.wild_tiles import completions
from paifu.rules.hands.partitions import MOST_PARTITIONS, find_partitions

_WALL = np.repeat(np.arange(KINDS), 4)
_FEW_SUITS = _WALL[: 4 * 14]
"""Tiles close to each other, which wild tiles complete in many ways."""


def near(real: np.ndarray) -> list[int]:
    """Return the kinds there are, and the numbers up to two from one there is."""
    return [
        kind
        for kind in range(KINDS)
        if real[kind]
        or (
            kind < EAST
            and any(
                real[other] for other in range(kind - 2, kind + 3)
                if 0 <= other < EAST and other // 9 == kind // 9
            )
        )
    ]  # fmt: skip


def is_complete(counts: np.ndarray, sets: int) -> bool:
    found = np.zeros((MOST_PARTITIONS, 5), dtype=np.int8)
    return find_partitions(counts, sets, found) > 0


@pytest.mark.parametrize("wilds", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("tiles", [_WALL, _FEW_SUITS], ids=["all suits", "few suits"])
def test_suit_by_suit_is_as_good_as_every_way(wilds: int, tiles: np.ndarray) -> None:
    random = np.random.default_rng(wilds)
    ways = 0
    for sets in (4, 4, 3, 2) if wilds < 6 else (3,):
        drawn = random.choice(tiles, 3 * sets + 2 - wilds, replace=False)
        real = np.bincount(drawn, minlength=KINDS).astype(np.int8)
        every = []
        for kinds in combinations_with_replacement(near(real), wilds):
            stood_for = np.bincount(kinds, minlength=KINDS).astype(np.int8)
            if is_complete(real + stood_for, sets):
                every.append(stood_for.tolist())
        found = [way.tolist() for way in completions(real, wilds) if is_complete(real + way, sets)]
        assert found == every
        ways += len(every)
    assert ways or tiles is _WALL or wilds < 3


def test_what_is_complete_takes_no_wild_tile() -> None:
    real = np.zeros(KINDS, dtype=np.int8)
    real[[0, 1, 2]] = 1
    real[EAST] = 2
    assert completions(real, 0).tolist() == [[0] * KINDS]
    assert completions(real, 1).tolist() == []
