"""The independent checks of the statistics: a simple count for each, by the statistic's name.

A check takes games and gives rows as dicts: the columns that name a row, and the columns to check.
The SQL must give the same rows with the same values.
"""

from __future__ import annotations

import inspect
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.query.slow_game import Game, Round, Seat

T = TypeVar("T")
Row = dict[str, Any]


@dataclass(frozen=True)
class Lived:
    """A round from the view of one seat."""

    game: Game
    round: Round
    seat: Seat

    @property
    def players(self) -> int:
        return self.game.players

    @property
    def dealer(self) -> bool:
        return self.seat.number == self.round.dealer

    @property
    def player(self) -> str:
        return self.game.names[self.seat.number]

    @property
    def won(self) -> bool:
        return self.seat.win is not None

    @property
    def dealt_in(self) -> bool:
        return bool(self.seat.dealt)

    @property
    def points(self) -> int:
        """The value of its win, without honba and sticks."""
        return self.seat.win.points if self.seat.win else 0

    @property
    def cost(self) -> int:
        """What it paid for its deal-ins."""
        return -sum(win.paid[self.seat.number] for win in self.seat.dealt)

    @property
    def balance(self) -> int:
        """The change of its points, with its riichi stick."""
        return self.seat.change - 1000 * self.seat.riichi_paid

    @property
    def drew(self) -> bool:
        """The round ended in an exhaustive draw."""
        return self.round.drawn

    @property
    def hit_by(self) -> int:
        """What it paid for another seat's tsumo."""
        return -sum(
            min(0, win.paid[self.seat.number])
            for win in self.round.wins
            if win.tsumo and win.winner != self.seat.number
        )

    @property
    def hit_hard(self) -> bool:
        """The tsumo that it paid for was a mangan or more."""
        return self.hit_by > 0 and self.round.wins[0].limit != "none"

    @property
    def ronned(self) -> bool:
        """Its declaration tile was ronned."""
        return self.seat.riichi_order > 0 and not self.seat.riichi_paid and self.dealt_in


@dataclass(frozen=True)
class Check:
    """A check: the columns that name a row, and the count."""

    keys: tuple[str, ...]
    count: Callable[..., Iterable[Row]]
    params: Row
    some: bool
    """It gives only some of the rows."""
    four: bool
    """It counts games of four players only: a computed yaku ``kita`` is a dora on Tenhou."""

    def rows(self, games: list[Game]) -> list[Row]:
        """Return the rows of the count, which takes those of the parameters that it needs."""
        takes = inspect.signature(self.count).parameters
        counted = [game for game in games if game.players == 4 or not self.four]
        return list(
            self.count(counted, **{key: v for key, v in self.params.items() if key in takes})
        )


CHECKS: dict[str, list[Check]] = defaultdict(list)


def check(
    name: str,
    *keys: str,
    some: bool = False,
    four: bool = False,
    by_players: bool = True,
    **params: Any,
) -> Callable[[Callable[..., Iterable[Row]]], Callable[..., Iterable[Row]]]:
    """Register a count as the check of a statistic, run with some parameters."""

    def register(count: Callable[..., Iterable[Row]]) -> Callable[..., Iterable[Row]]:
        named = ("players", *keys) if by_players else keys
        CHECKS[name].append(Check(named, count, params, some, four))
        return count

    return register


def lived(games: Iterable[Game]) -> list[Lived]:
    """Return every round from the view of every seat."""
    return [Lived(game, now, seat) for game in games for now in game.rounds for seat in now.seats]


def grouped(items: Iterable[T], *keys: Callable[[T], Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of some keys and the items that have them, as one tuple."""
    found: dict[tuple[Any, ...], list[T]] = defaultdict(list)
    for item in items:
        found[tuple(key(item) for key in keys)].append(item)
    for values, members in found.items():
        yield (*values, members)


def players(item: Any) -> int:
    """Return how many players a game, or the game of a round or win, has."""
    return int(item.players)


def mean(values: Iterable[float | bool | None]) -> float | None:
    """Return the mean of the known values, or None if there are none."""
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if known else None


def share(items: Iterable[T], holds: Callable[[T], Any]) -> float | None:
    """Return the share of the items for which a condition is true."""
    return mean(bool(holds(item)) for item in items)


def half_width(values: list[float]) -> float | None:
    """Return half the width of the 95 % interval of a mean."""
    if len(values) < 2:
        return None
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return 1.959964 * math.sqrt(variance / len(values))


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval."""
    z = 1.959963984540054
    rate = hits / n
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def spread(parts: dict[int, tuple[float, float]]) -> float:
    """Return the variance of the quotient of a sum and a count over the parts."""
    total, n = (sum(part[at] for part in parts.values()) for at in (0, 1))
    rate = total / n
    squares = sum((part_total - rate * count) ** 2 for part_total, count in parts.values())
    return len(parts) / (len(parts) - 1) * squares / n**2


def in_parts(
    items: Iterable[T], part: Callable[[T], int], value: Callable[[T], float]
) -> dict[int, tuple[float, float]]:
    """Return the sum of a value, and the number of items, in each part."""
    found: dict[int, tuple[float, float]] = {}
    for item in items:
        total, n = found.get(part(item), (0.0, 0.0))
        found[part(item)] = (total + float(value(item)), n + 1)
    return found


def clustered(
    items: Iterable[T], holds: Callable[[T], Any], part: Callable[[T], int] | None = None
) -> tuple[float, float]:
    """Return the ends of the interval of a share of items that are clustered in games.

    It is Wilson's interval for the number of independent items that would vary as much. The
    variance of g parts has the weight g - 1, the binomial variance the weight 5.
    """
    of_part = part or (lambda item: item.game.part)  # type: ignore[attr-defined]
    parts = in_parts(items, of_part, lambda item: bool(holds(item)))
    hits, n = (sum(part[at] for part in parts.values()) for at in (0, 1))
    if hits in (0, n):
        return inside(wilson(hits, n))
    binomial = hits / n * (1 - hits / n) / n
    shown = spread(parts) / binomial if len(parts) > 1 else 0.0
    more = ((len(parts) - 1) * shown + 5) / (len(parts) + 4)
    return inside(wilson(hits / more, n / more))


def inside(ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an interval of a rate, limited to 0 and 1."""
    return max(0.0, ends[0]), min(1.0, ends[1])


def clustered_half_width(
    items: Iterable[T], value: Callable[[T], float], part: Callable[[T], int] | None = None
) -> float | None:
    """Return half the width of the interval of a mean of items that are clustered in games."""
    of_part = part or (lambda item: item.game.part)  # type: ignore[attr-defined]
    parts = in_parts(items, of_part, value)
    return 1.959963984540054 * math.sqrt(spread(parts)) if len(parts) > 1 else None


def median(values: Iterable[float]) -> float | None:
    """Return the middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    if not ordered:
        return None
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def ended(rounds: list[Lived]) -> Row:
    """Return the columns that many statistics share: how rounds ended for a seat."""
    return {
        "n": len(rounds),
        "win_rate": share(rounds, lambda r: r.won),
        "deal_in_rate": share(rounds, lambda r: r.dealt_in),
        "balance": mean(r.balance for r in rounds),
    }
