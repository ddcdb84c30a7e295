"""What the wall held: the kernel compared with plain Python, and properties of table ``luck``."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from paifu.audit.luck import look_ahead, wait_masks, wall_kinds


def ahead(wall: list[int], start: int, left: int, wait: set[int], players: int) -> list[int]:
    """Return what the kernel should return, computed in the obvious way."""
    rest = wall[start : start + left]
    draws = [at for at, kind in enumerate(rest, start=1) if kind in wait]
    own = [draw // players for draw in draws if draw % players == 0]
    return [len(draws), draws[0] if draws else -1, own[0] if own else -1]


@given(
    st.permutations([kind for kind in range(34) for _ in range(2)]),
    st.integers(0, 60),
    st.integers(0, 60),
    st.sets(st.integers(0, 33), max_size=13),
    st.sampled_from([3, 4]),
)
def test_the_rest_of_the_wall(
    wall: list[int], start: int, left: int, wait: set[int], players: int
) -> None:
    out = np.zeros((1, 3), dtype=np.int16)
    look_ahead(
        np.array([wall], dtype=np.int8),
        np.array([0]),
        np.array([start]),
        np.array([left]),
        np.array([sum(1 << kind for kind in wait)], dtype=np.uint64),
        players,
        out,
    )
    assert out[0].tolist() == ahead(wall, start, left, wait, players)


def test_walls_and_waits_are_read_from_text() -> None:
    assert wall_kinds(pl.Series(["1m9m0p1s7z", "5z0m0s9p1z"])).tolist() == [
        [0, 8, 13, 18, 33],
        [31, 4, 22, 17, 27],
    ]
    assert wait_masks(pl.Series(["14m", None, "7z", "14m"])).tolist() == [9, 0, 1 << 33, 9]
    assert wait_masks(pl.Series([None, None], dtype=pl.String)).tolist() == [0, 0]
