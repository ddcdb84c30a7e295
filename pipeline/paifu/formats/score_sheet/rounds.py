"""The rounds of a game in a score sheet: their names, who did what, and the points.

``round`` of a row is a running number, or a name such as ``E1``, ``East 1``, ``東1局2本場`` or
``东风东``. Rows that follow each other with the same round are one round.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from paifu.formats.score_sheet.entries import Entry
from paifu.messages import did_you_mean

WINDS = ("East", "South", "West", "North")
STICK = 1000
MOST_ROUNDS = 1_000
"""Rounds of one game; no club's game comes near it."""
MOST_ROWS = 100
"""Rows of one round: its wins, kongs and penalties."""
MOST_HONBA = 999

_WIND_OF = {
    **{letter: seat for seat, letter in enumerate("東南西北")},
    **{letter: seat for seat, letter in enumerate("东南西北")},
    **{wind[0].casefold(): seat for seat, wind in enumerate(WINDS)},
    **{wind.casefold(): seat for seat, wind in enumerate(WINDS)},
}
_DIGITS = str.maketrans("一二三四", "1234")
_WIND = "(east|south|west|north|[eswn東东南西北])"
_HONBA = r"(?:\s*[-.・/ ]?\s*(?P<honba>\d{1,3})\s*(?:本場|本场|honba)?)?"
_NAME = re.compile(rf"{_WIND}\s*-?(?P<number>[1-4])\s*局?{_HONBA}", re.IGNORECASE)
_WIND_NAME = re.compile(r"([東东南西北])[風风圈]{1,2}([東东南西北])(?:局|盘)?")

DRAW, PENALTY = "exhaustive", "chombo"
ABORTS = ("kyuushu", "suufon", "suucha", "suukan", "sanchahou")
OUTCOMES: dict[str, tuple[str, ...]] = {
    "tsumo": ("自摸", "ツモ", "self-drawn", "self draw"),
    "ron": ("ロン", "栄和", "荣和", "点炮", "放炮", "点和", "discard"),
    DRAW: ("draw", "流局", "荒庄", "黄庄", "荒牌", "荒牌流局", "流れ", "exhaustive draw", "黄牌"),
    "nagashi": ("流し満貫", "流满", "nagashi mangan"),
    "kyuushu": ("九種九牌", "九种九牌", "nine terminals"),
    "suufon": ("四風連打", "四风连打", "四風子連打", "four winds"),
    "suucha": ("四家立直", "四人リーチ", "four riichi"),
    "suukan": ("四槓散了", "四杠散了", "四開槓", "four kans"),
    "sanchahou": ("三家和", "triple ron draw"),
    PENALTY: ("チョンボ", "錯和", "错和", "诈和", "詐和", "penalty", "罰符", "罚分"),
}
"""The outcomes that a row may name, with the words for them."""
_NOBODY = {"none", "nobody", "-", "なし", "无", "無", "no"}
_YES = {"yes", "y", "x", "1", "true", "是", "○"}


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


_OUTCOME_OF = {_folded(word): key for key, words in OUTCOMES.items() for word in (key, *words)}


@dataclass(slots=True)
class Round:
    """One round of a game."""

    rows: list[Entry] = field(default_factory=list)
    running: int | None = None
    """Its running number, if that is what the sheet gives."""
    wind: int = 0
    number: int = 1
    honba: int = 0
    dealer: int = 0
    sticks: int = 0
    sticks_end: int = 0
    outcome: str = "unknown"
    start: list[int] = field(default_factory=list)
    end: list[int] | None = None
    riichi: frozenset[int] | None = None
    """Who paid a stick; None if the sheet does not say."""
    tenpai: frozenset[int] | None = None
    three_suits: frozenset[int] = frozenset()
    """Whose hand had all three suits at a draw (花猪)."""
    penalty: list[int] | None = None
    """What each seat got or paid for penalties; None without one."""
    wins: list[Win] = field(default_factory=list)
    unbalanced: bool = False
    """The payments do not sum to the sticks taken."""

    @property
    def remarks(self) -> str | None:
        """What is noted in its rows."""
        return remarks_of(self.rows)


@dataclass(slots=True)
class Win:
    """A win, or a payment without one (a kong, a hand as dealt), of one row."""

    entry: Entry
    winner: int
    loser: int | None
    ends: bool
    """It is a win and not such a payment."""
    delta: list[int] | None


def remarks_of(rows: Iterable[Entry]) -> str | None:
    """Return what is noted in some rows, or None."""
    return "; ".join(row.cells["remarks"] for row in rows if row.has("remarks")) or None


def round_name(text: str) -> tuple[int | None, int | None, int | None, int | None] | None:
    """Return running number, wind (0-3), number (1-4) and honba of a round; None if unreadable.

    >>> round_name("7"), round_name("E3"), round_name("東１局2本場"), round_name("南风北")
    ((7, None, None, None), (None, 0, 3, None), (None, 0, 1, 2), (None, 1, 4, None))
    >>> round_name("South 4-1"), round_name("last")
    ((None, 1, 4, 1), None)
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if plain.isdecimal() and len(plain) <= 4:
        return int(plain), None, None, None
    if found := _NAME.fullmatch(plain.translate(_DIGITS)):
        wind, honba = _WIND_OF[found[1].casefold()], found["honba"]
        return None, wind, int(found["number"]), int(honba) if honba else None
    if found := _WIND_NAME.fullmatch(plain):
        return None, _WIND_OF[found[1]], _WIND_OF[found[2]] + 1, None
    return None


def called(wind: int, number: int, honba: int) -> str:
    """Return the name of a round for people.

    >>> called(0, 1, 0), called(1, 4, 2)
    ('East 1', 'South 4-2')
    """
    return f"{WINDS[wind % 4]} {number}" + (f"-{honba}" if honba else "")


def outcome_of(entry: Entry) -> str | None:
    """Return the outcome that a row names, or None; what cannot be read is noted."""
    text = entry.cells.get("outcome", "")
    if not text:
        return None
    found = _OUTCOME_OF.get(_folded(text))
    if found is None:
        words = [word for key, words in OUTCOMES.items() for word in (key, *words)]
        hint = did_you_mean(text[:40], words, "it is tsumo, ron, draw, an abortive draw, penalty")
        entry.fault("outcome", f"there is no outcome {text[:40]!r}: {hint}")
    return found


def seat_of(entry: Entry, column: str, text: str, people: list[str]) -> int | None:
    """Return the seat of a person named in a cell, or by its number; what is wrong is noted."""
    plain = " ".join(text.split())
    if plain in people:
        return people.index(plain)
    folded = [_folded(person) for person in people]
    if folded.count(_folded(plain)) == 1:
        return folded.index(_folded(plain))
    if plain.isdecimal() and int(plain) < len(people):
        return int(plain)
    hint = did_you_mean(plain[:40], people, f"there are {', '.join(map(repr, people))}")
    entry.fault(column, f"nobody at the table is {plain[:40]!r}: {hint}")
    return None


def seats_of(
    entry: Entry, column: str, people: list[str], winner: int | None = None
) -> frozenset[int] | None:
    """Return the seats named in a cell, separated by commas; None if the cell is empty."""
    text = entry.cells.get(column, "")
    if not text:
        return None
    folded = _folded(text)
    if folded in _NOBODY and text not in people:
        return frozenset()
    if winner is not None and folded in _YES and text not in people:
        return frozenset({winner})
    words = [word for word in re.split(r"[,、，;/・]", text) if word.strip()]
    if len(words) == 1 and text not in people and all(c in "0123 " for c in text):
        words = text.split()
    found = {seat_of(entry, column, word, people) for word in words}
    return frozenset(seat for seat in found if seat is not None)


def sticks_at_draw(
    changes: list[int], pool: int
) -> tuple[frozenset[int], frozenset[int] | None] | None:
    """Return who paid a stick before an exhaustive draw, and who was tenpai, by what was paid.

    ``pool`` is what all noten pay together. Whoever is in riichi is tenpai. None if the changes fit
    no draw; tenpai is None if all or nobody may have been.

    >>> sticks_at_draw([-1500, 500, -1500, 1500], 3000)
    (frozenset({1}), frozenset({1, 3}))
    >>> sticks_at_draw([0, 0, -1000, 0], 3000), sticks_at_draw([0, 0, 0, 0], 3000)
    ((frozenset({2}), frozenset({0, 1, 2, 3})), (frozenset(), None))
    >>> sticks_at_draw([-2000, 3000, 0, 0], 3000)
    """
    players = len(changes)
    fits = set()
    for count in range(players + 1):
        some = 0 < count < players
        got, paid = (pool // count, -pool // (players - count)) if some else (0, 0)
        ready = [seat for seat, own in enumerate(changes) if count and own in (got, got - STICK)]
        noten = [seat for seat, own in enumerate(changes) if own == paid and seat not in ready]
        if (len(ready), len(noten)) == (count, players - count):
            riichi = frozenset(seat for seat in ready if changes[seat] != got)
            fits.add((riichi, frozenset(ready)))
    if len({riichi for riichi, _ in fits}) != 1:
        return None
    riichi, tenpai = fits.pop()
    return riichi, None if fits else tenpai


def amounts(entry: Entry, name: str, players: int) -> list[int] | None:
    """Return a number of each seat, 0 for an empty cell; None if all are empty."""
    columns = [f"{name}_{seat}" for seat in range(players)]
    beyond = [f"{name}_{seat}" for seat in range(players, 4)]
    for column in beyond:
        if entry.number(column):
            entry.fault(column, "nobody sits there")
    if not entry.has(*columns):
        return None
    return [entry.number(column) or 0 for column in columns]
