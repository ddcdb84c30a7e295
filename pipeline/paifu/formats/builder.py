"""Builds a :class:`~paifu.game.events.Batch` from logs that are read game by game.

An importer adds rounds, events and wins one by one, or a game's ``Rows`` at once. If a game turns
out to be unreadable, all of it is removed again, so it does not affect other games. Columns are
growing arrays of the batch's own types: a number that does not fit its column is the log's fault
and becomes a :class:`~paifu.errors.LogError`.

An event is one 64-bit number (:func:`pack`). So importers can remember the meaning of a text and
append many events with one call.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from paifu.errors import LogError
from paifu.formats.batch_rows import ENDS, STARTS, STATED, WINS, YAKU_OF_WINS, Packed, Rows
from paifu.game.events import (
    ANKAN,
    DISCARD,
    DRAW,
    KAKAN,
    KITA,
    NO_SEAT,
    OUTCOME_WIN,
    RIICHI_ACCEPTED,
    UNKNOWN,
    WIN,
    Array,
    Batch,
    GameInfo,
)
from paifu.game.tiles import CODES, NO_TILE

# The fields of an event in its 64-bit number; each has its value + 1, so that "none" is 0.
TILE_SHIFT, FROM_SHIFT, SEAT_SHIFT, TSUMOGIRI_SHIFT = 4, 10, 13, 16
CONSUMED_SHIFTS = (18, 24, 30)
KIND_MASK, TILE_MASK, SEAT_MASK, TSUMOGIRI_MASK = 0xF, 0x3F, 0x7, 0x3

NOT_SHOWN = (NO_TILE,) * 14
"""The hand of a win whose log shows none."""
NOT_SAID = (-1, -1, -1, -1)
NO_POINTS = (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
MAX_INDICATORS = 5
_MISSING = (NO_TILE,) * MAX_INDICATORS


def pack(
    kind: int,
    seat: int = NO_SEAT,
    tile: int = NO_TILE,
    from_seat: int = NO_SEAT,
    tsumogiri: int = -1,
    consumed: Sequence[int] = (),
) -> int:
    """Return an event as one number; ``ValueError`` for a seat or tile that does not exist.

    >>> unpack(np.array([pack(3, 2, 27, 0, consumed=(27, 27))]))["event_consumed"].tolist()
    [[27, 27, -1]]
    """
    if not (-1 <= seat <= 3 and -1 <= from_seat <= 3 and len(consumed) <= 3):
        raise ValueError(f"no event has seat {seat}, from {from_seat}, consumed {consumed}")
    number = (
        kind
        | (tile + 1) << TILE_SHIFT
        | (from_seat + 1) << FROM_SHIFT
        | (seat + 1) << SEAT_SHIFT
        | (tsumogiri + 1) << TSUMOGIRI_SHIFT
    )
    for code, shift in zip(consumed, CONSUMED_SHIFTS, strict=False):
        if not 0 <= code < CODES:
            raise ValueError(f"{code} is not a tile")
        number |= (code + 1) << shift
    if not -1 <= tile < CODES:
        raise ValueError(f"{tile} is not a tile")
    return number


def unpack(numbers: Array) -> dict[str, Array]:
    """Return the ``event_…`` columns of a batch from packed events (int64[E])."""

    def part(shift: int, mask: int) -> Array:
        return (((numbers >> shift) & mask) - 1).astype(np.int8)

    return {
        "event_kind": (numbers & KIND_MASK).astype(np.int8),
        "event_seat": part(SEAT_SHIFT, SEAT_MASK),
        "event_tile": part(TILE_SHIFT, TILE_MASK),
        "event_from": part(FROM_SHIFT, SEAT_MASK),
        "event_tsumogiri": part(TSUMOGIRI_SHIFT, TSUMOGIRI_MASK),
        "event_consumed": np.stack([part(s, TILE_MASK) for s in CONSUMED_SHIFTS], axis=1),
    }


def tiles_of(event: int) -> list[int]:
    """Return the tiles of a packed event: its tile and those it consumes."""
    shifts = (TILE_SHIFT, *CONSUMED_SHIFTS)
    return [code for shift in shifts if (code := (event >> shift & TILE_MASK) - 1) >= 0]


_WON_ON = frozenset((DRAW, DISCARD, KAKAN, ANKAN, KITA))


def last_tile(events: Sequence[int]) -> int:
    """Return the winning tile of a win right after these packed events, or ``NO_TILE``."""
    last = next((event for event in reversed(events) if event & KIND_MASK in _WON_ON), 0)
    return (last >> TILE_SHIFT & TILE_MASK) - 1


@dataclass(slots=True)
class WinRecord:
    """What a log records about a win; the defaults mean that it does not say."""

    winner: int
    from_seat: int
    tile: int = NO_TILE
    hand: Sequence[int] = NOT_SHOWN
    fu: int = -1
    han: int = -1
    yakuman: int = -1
    points: int = UNKNOWN
    limit: int = -1
    pao: int = NO_SEAT
    honba: int = -1
    sticks: int = -1
    indicators: Sequence[int] = ()
    ura: Sequence[int] = ()
    before: Sequence[int] = NO_POINTS
    delta: Sequence[int] = NO_POINTS
    chips: int = -1
    yaku: Sequence[tuple[int, int]] = ()
    """Index into ``schema.YAKU`` and han of each."""


class Builder:
    """Builds a batch game by game.

    >>> from paifu.game.events import OUTCOME_UNKNOWN
    >>> builder = Builder()
    >>> with builder.game():
    ...     builder.round(0, 0, 0, 0, [25000] * 4, 27, [NO_TILE] * 52)
    ...     builder.draw(OUTCOME_UNKNOWN)
    ...     builder.end_game(GameInfo(players=4))
    >>> builder.finish().game_rounds.tolist()
    [0, 1]
    """

    def __init__(self) -> None:
        self.games: list[GameInfo] = []
        self.events = array("q")
        """Packed events; importers append and extend it themselves."""
        self._starts = Packed(STARTS)
        self._ends = Packed(ENDS)
        self._wins = Packed(WINS)
        self._yaku = Packed(YAKU_OF_WINS)
        self._stated = Packed(STATED)
        self._packed = (self._starts, self._ends, self._wins, self._yaku, self._stated)
        self._offsets = {
            name: array("q", [0]) for name in ("game_rounds", "round_events", "win_yaku")
        }

    @contextmanager
    def game(self) -> Iterator[None]:
        """Remove all that was added within this context, if it raises."""
        games, events = len(self.games), len(self.events)
        rows = [len(part.data) for part in self._packed]
        offsets = {name: len(column) for name, column in self._offsets.items()}
        try:
            yield
            if len(self.games) == games:
                raise LogError("the game has no end")
        except Exception as error:
            del self.games[games:], self.events[events:]
            for part, size in zip(self._packed, rows, strict=True):
                del part.data[size:]
            for name, length in offsets.items():
                del self._offsets[name][length:]
            if isinstance(error, (OverflowError, ValueError)):
                raise LogError(f"a number out of range: {error}") from error
            raise

    def round(
        self,
        wind: int,
        number: int,
        honba: int,
        sticks: int,
        scores: Sequence[int],
        indicator: int,
        haipai: Sequence[int],
        *,
        dealer: int | None = None,
        dice: tuple[int, int] = (-1, -1),
    ) -> None:
        """Begin a round. ``number`` is 0-3; ``haipai`` has thirteen codes for each of 4 seats."""
        if not (0 <= wind <= 3 and 0 <= number <= 3 and honba >= 0 and sticks >= 0):
            raise LogError(
                f"no round is wind {wind}, number {number}, {honba} honba, {sticks} sticks"
            )
        dealer = number if dealer is None else dealer
        self._starts.add(
            wind, number, honba, sticks, dealer, *dice, indicator, *haipai, *scores
        )  # fmt: skip

    def rows(self, rows: Rows, first: int, last: int) -> None:
        """Add whole rounds, from ``first`` up to and not including ``last``."""
        events = slice(rows.round_events[first], rows.round_events[last])
        wins = slice(rows.round_wins[first], rows.round_wins[last])
        yaku = slice(rows.win_yaku[wins.start], rows.win_yaku[wins.stop])
        shift = len(self.events) - events.start
        won = rows.wins[wins].copy()
        won["win_event"] += shift
        listed = len(self._yaku) - yaku.start
        self._offsets["round_events"].extend(
            (rows.round_events[first + 1 : last + 1] + shift).tolist()
        )
        self._offsets["win_yaku"].extend(
            (rows.win_yaku[wins.start + 1 : wins.stop + 1] + listed).tolist()
        )
        self.events.frombytes(rows.events[events].tobytes())
        self._starts.data += rows.starts[first:last].tobytes()
        self._ends.data += rows.ends[first:last].tobytes()
        self._wins.data += won.tobytes()
        self._yaku.data += rows.yaku[yaku].tobytes()

    def win(self, win: WinRecord) -> None:
        """Add a win of the current round: its event and its record."""
        self._wins.add(
            len(self.events), *win.hand, *_padded(win.indicators), *_padded(win.ura),
            *win.before, *win.delta, win.fu, win.han, win.yakuman, win.points, win.limit, win.pao,
            win.honba, win.sticks, win.chips,
        )  # fmt: skip
        self.events.append(pack(WIN, win.winner, win.tile, win.from_seat))
        for index, han in win.yaku:
            self._yaku.add(index, han)
        self._offsets["win_yaku"].append(len(self._yaku))

    def stated(self, scores: Sequence[int]) -> None:
        """Note the points that the log states after the last event, an accepted riichi."""
        if (self.events[-1] & KIND_MASK) != RIICHI_ACCEPTED:
            raise LogError("points stated, but not after an accepted riichi")
        self._stated.add(len(self.events) - 1, *scores)

    def won(self) -> None:
        """End a round that was won."""
        self._end(OUTCOME_WIN, NOT_SAID, NO_POINTS, NO_POINTS)

    def draw(
        self,
        outcome: int,
        tenpai: Sequence[int] = NOT_SAID,
        before: Sequence[int] = NO_POINTS,
        delta: Sequence[int] = NO_POINTS,
    ) -> None:
        """End a round without a win; if the round ended, its event is already there."""
        self._end(outcome, tenpai, before, delta)

    def _end(
        self, outcome: int, tenpai: Sequence[int], before: Sequence[int], delta: Sequence[int]
    ) -> None:
        self._ends.add(outcome, *tenpai, *before, *delta)
        self._offsets["round_events"].append(len(self.events))

    def end_game(self, info: GameInfo) -> None:
        """End the game."""
        self.games.append(info)
        self._offsets["game_rounds"].append(len(self._starts))

    def finish(self) -> Batch:
        """Return the validated batch. The builder must not be used afterwards."""
        batch = Batch(games=self.games)
        for name, offsets in self._offsets.items():
            setattr(batch, name, np.array(offsets, dtype=np.int64))
        for packed in self._packed:
            for name, values in packed.columns().items():
                setattr(batch, name, values)
        for name, values in unpack(np.array(self.events, dtype=np.int64)).items():
            setattr(batch, name, values)
        batch.validate()
        return batch


@contextmanager
def located(position: str | Callable[[], str]) -> Iterator[None]:
    """Give a place to errors raised in this context that have no place, or a relative place.

    ``.scores[2]`` and ``[1][2]`` are places relative to ``position``. An error about a number out
    of its column's range has no place.
    """
    try:
        yield
    except LogError as error:
        if error.position and error.position[0] not in ".[":
            raise
        place = position if isinstance(position, str) else position()
        raise LogError(error.reason, place + error.position) from error
    except (OverflowError, ValueError) as error:
        place = position if isinstance(position, str) else position()
        raise LogError(f"a number out of range: {error}", place) from error


def _padded(indicators: Sequence[int]) -> Sequence[int]:
    shown = indicators[:MAX_INDICATORS]
    return shown if len(shown) == MAX_INDICATORS else (*shown, *_MISSING[len(shown) :])
