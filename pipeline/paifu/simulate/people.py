"""The simulated players: a fixed list of invented players, each with rank, rating and style."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from paifu.simulate.table_record import CALLING, DECLARING, FOLDING, KANNING

_BIRDS = (
    "カワセミ", "モズ", "ツグミ", "ヒバリ", "コマドリ", "シジュウカラ", "ウグイス", "メジロ",
    "アオサギ", "ハヤブサ", "トビ", "フクロウ", "キジバト", "カモメ", "ツバメ", "ヒヨドリ",
)  # fmt: skip
_MARKS = ("", "100%", "+1", ",", "の弟", "&姉", "<3", '"本"', "二世", " (仮)", "改", "'s")
"""Plain names, and some names that need escaping wherever they are written."""
_DAN_HOUOU = (16, 16, 16, 17, 17, 18)
_STYLE_MEAN = {CALLING: 198, DECLARING: 140, FOLDING: 246, KANNING: 180}
_STYLE_SPREAD = {CALLING: 50, DECLARING: 40, FOLDING: 10, KANNING: 70}


@dataclass(frozen=True, slots=True)
class Person:
    """A player: what a log records about the player, and how the player plays."""

    name: str
    dan: int
    """Tenhou's code: 16 is 七段."""
    rate: float
    sex: str
    style: tuple[int, int, int, int]
    """How often the player calls, declares riichi, folds and declares kans, in 256ths."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The players of a game by seat, and the hour in which it starts."""

    people: tuple[Person, ...]
    started: str
    """Start of the game, Japan time: ``2026`` month, day and hour in digits."""
    tag: str
    """Eight hexadecimal digits that make the log's id unique."""


@cache
def cast() -> tuple[Person, ...]:
    """Return all players; each name always has the same style."""
    people = []
    for number, (mark, bird) in enumerate((m, b) for m in _MARKS for b in _BIRDS):
        words = np.random.PCG64(number).random_raw(6).tolist()
        style = [
            _STYLE_MEAN[trait]
            + words[trait] % (2 * _STYLE_SPREAD[trait] + 1)
            - _STYLE_SPREAD[trait]
            for trait in (CALLING, DECLARING, FOLDING, KANNING)
        ]
        people.append(
            Person(
                bird + mark,
                _DAN_HOUOU[words[4] % len(_DAN_HOUOU)],
                2000 + words[5] % 30_000 / 100,
                "MF"[words[4] // 7 % 2],
                (style[0], style[1], style[2], style[3]),
            )
        )
    return tuple(people)


def seatings(words: npt.NDArray[np.uint64], players: int) -> list[Seating]:
    """Return who sits at each table, from ``uint64[N, players + 1]`` random words."""
    everybody = cast()
    tables = []
    for *chosen, when in words.tolist():
        people: list[Person] = []
        for word in chosen:
            at = word % len(everybody)
            while everybody[at] in people:
                at = (at + 1) % len(everybody)
            people.append(everybody[at])
        day = when % 365
        month, date = _month_and_date(day)
        started = f"2026{month:02}{date:02}{when // 365 % 24:02}"
        tables.append(Seating(tuple(people[:players]), started, f"{when >> 32:08x}"))
    return tables


def _month_and_date(day: int) -> tuple[int, int]:
    """Return month and date of a day of a common year, from 0."""
    for month, days in enumerate((31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), start=1):
        if day < days:
            return month, day + 1
        day -= days
    raise ValueError("a year has 365 days")
