"""Partitions: every way to divide tiles into sets and a pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import KINDS
from paifu.kernels.compiling import inner, njit

Int8Array = npt.NDArray[np.int8]

RUN, TRIPLET, KAN = 0, KINDS, 2 * KINDS
"""A set as a number is this plus the kind of its first tile."""

MOST_PARTITIONS = 16
"""More than the number of ways to divide 14 tiles into sets and a pair."""

_FIRST_HONOUR = 27


_TRIPLET, _PAIR = 1, 2
"""What a kind gives; 0 is neither. The other copies of the kind begin runs."""


class _Search(NamedTuple):
    """The state of the search. Each position is a kind that the hand has, in order."""

    kinds: Int8Array
    left: Int8Array
    """By kind: copies that no run of an earlier position uses."""
    choice: Int8Array
    """By position."""
    runs: Int8Array
    """By position: how many runs begin with its kind."""


@inner
def _taken(choice: int) -> int:
    """Return how many copies a choice takes."""
    return 3 if choice == _TRIPLET else 2 if choice == _PAIR else 0


@inner
def _can_run(left: Int8Array, kind: int, runs: int) -> bool:
    """Return whether ``runs`` runs can begin with a kind."""
    if runs == 0:
        return True
    if kind >= _FIRST_HONOUR or kind % 9 > 6:
        return False
    return bool(left[kind + 1] >= runs and left[kind + 2] >= runs)


@inner
def _move_runs(left: Int8Array, kind: int, runs: int) -> None:
    """Take the second and third tiles of runs; negative ``runs`` puts them back."""
    if runs:
        left[kind + 1] -= runs
        left[kind + 2] -= runs


@inner
def _write_partition(search: _Search, size: int, pair: int, found: Int8Array) -> None:
    at = 0
    for position in range(size):
        kind = search.kinds[position]
        if search.choice[position] == _TRIPLET:
            found[at] = TRIPLET + kind
            at += 1
        for _ in range(search.runs[position]):
            found[at] = kind
            at += 1
    found[4] = pair


@njit
def find_partitions(counts: Int8Array, sets: int, found: Int8Array) -> int:
    """Write every way to divide the counts into ``sets`` sets and a pair; return how many.

    ``counts`` is int8[34], each 0-4. ``found`` int8[MOST_PARTITIONS, 5] gets the sets in order of
    kind (a run as its first kind, a triplet as ``TRIPLET`` + kind), and last the kind of the pair.
    Each kind in turn gives a triplet, a pair or neither, and the rest of it starts runs. So no way
    is found twice.
    """
    search = _Search(
        np.zeros(KINDS, np.int8), counts.copy(), np.zeros(KINDS + 1, np.int8),
        np.zeros(KINDS, np.int8),
    )  # fmt: skip
    kinds, left, choice, runs = search
    size = 0
    for kind in range(KINDS):
        if counts[kind] > 0:
            kinds[size] = kind
            size += 1
    position, made, pair, ways = 0, 0, -1, 0
    while True:
        if position == size:
            if made == sets and pair >= 0 and ways < MOST_PARTITIONS:
                _write_partition(search, size, pair, found[ways])
                ways += 1
        else:
            kind, chosen = kinds[position], choice[position]
            rest = left[kind] - _taken(chosen)
            more = rest + (chosen == _TRIPLET)
            second_pair = chosen == _PAIR and pair >= 0
            if rest >= 0 and not second_pair and made + more <= sets and _can_run(left, kind, rest):
                _move_runs(left, kind, rest)
                runs[position] = rest
                made += more
                if chosen == _PAIR:
                    pair = kind
                position += 1
                choice[position] = 0
                continue
            choice[position] += 1
        # step back to the last kind that has another choice
        while position == size or choice[position] > _PAIR:
            if position == 0:
                return ways
            position -= 1
            _move_runs(left, kinds[position], -runs[position])
            made -= runs[position] + (choice[position] == _TRIPLET)
            if choice[position] == _PAIR:
                pair = -1
            choice[position] += 1
