"""How the games of a batch ended: final points, placements, why they ended, and contradictions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paifu.game.events import UNKNOWN, Array, Batch
from paifu.replay.rights import LEFTOVER, LEFTOVER_UNKNOWN
from paifu.replay.row_types import NULL32, ROUND_EXHAUSTIVE, ROUND_NAGASHI
from paifu.replay.running_points import STICK

LAST_WIND = {"east": 0, "south": 1, "west": 2, "north": 3}
"""The wind of the last scheduled round, by the length of the game."""

TARGET = {3: 40_000, 4: 30_000}
"""Points that a seat must have for extra rounds to end."""

ENDED_BY = (
    "last_round", "agari_yame", "tenpai_yame", "bust", "sudden_death", "broken_off", "unknown",
)  # fmt: skip
(LAST_ROUND, AGARI_YAME, TENPAI_YAME, BUST, SUDDEN_DEATH, BROKEN_OFF, NOT_KNOWN) = range(7)

_EMPTY_SEAT = np.iinfo(np.int64).min
_RESULT_TOLERANCE = 0.05


@dataclass(slots=True)
class Finals:
    """The ends of a batch's games. The arrays are by game; [G, 4] is by game and seat."""

    players: Array
    scheduled: Array
    """int16[G]: the wind of the last scheduled round; -1 if not known."""
    points: Array
    """int64[G, 4]: the final points, as recorded, else as replayed."""
    known: Array
    """bool[G]: whether the final points are known: the game is complete, and they are recorded or
    follow from the end of the last round."""
    recorded: Array
    """bool[G]: whether the final points are recorded."""
    placement: Array
    """int16[G, 4]"""
    ended_by: Array
    """int8[G]: index into :data:`ENDED_BY`."""
    contradictions: list[tuple[int, str]]
    """Games with a wrong record of their end, each with the key in ``schema.FLAGS``."""


def scheduled_winds(batch: Batch) -> Array:
    """Return the wind of each game's last scheduled round, int16[G]; -1 if not known."""
    return np.array([LAST_WIND.get(info.length or "", -1) for info in batch.games], np.int16)


def recorded_finals(batch: Batch) -> Array:
    """Return the recorded final points, int32[G, 4]; ``UNKNOWN`` if not recorded."""
    finals = np.full((len(batch.games), 4), UNKNOWN, np.int32)
    for game, info in enumerate(batch.games):
        if recorded := info.final_points:
            # no game has more
            known = [p if UNKNOWN < p < -UNKNOWN else UNKNOWN for p in recorded[:4]]
            finals[game, : len(known)] = known
    return finals


def placements(points: Array) -> Array:
    """Return the placement of each seat, ties by seat; ``points`` int64[G, 4]."""
    better = points[:, None, :] > points[:, :, None]
    tied = points[:, None, :] == points[:, :, None]
    earlier = np.arange(4)[None, :] < np.arange(4)[:, None]
    places: Array = (1 + (better | (tied & earlier)).sum(axis=2)).astype(np.int16)
    return places


def _with_sticks(ends: Array, pot: Array, leftover: Array) -> Array:
    """Return the points after the sticks left on the table are given away.

    ``ends`` is int64[G, 4], with empty seats far below all others. ``pot`` int64[G] is what the
    sticks are worth. ``leftover`` int[G] is an index into :data:`~paifu.replay.rights.LEFTOVER`;
    unknown counts as ``first``.
    """
    top = ends == ends.max(axis=1, keepdims=True)
    earliest = placements(ends) == 1
    level = top.sum(axis=1)
    share = pot // level // 100 * 100
    shared = top * share[:, None]
    rest = earliest * (pot - share * level)[:, None]
    ways = [earliest * pot[:, None], shared + rest, shared, np.zeros_like(ends)]
    way = np.where(leftover == LEFTOVER_UNKNOWN, 0, leftover)
    given: Array = ends + np.choose(way[:, None], ways)
    return given


def _as_recorded(ends: Array, pot: Array, leftover: Array, recorded: Array, seated: Array) -> Array:
    """Return whether the recorded final points are the replayed ends and the sticks left over.

    The game's rule set says who takes the sticks. If it does not, every way is tried.
    """
    fits = np.zeros(len(ends), dtype=bool)
    for way in range(len(LEFTOVER)):
        applies = (leftover == way) | (leftover == LEFTOVER_UNKNOWN)
        points = _with_sticks(ends, pot, np.full_like(leftover, way))
        fits |= applies & ((points == recorded) | ~seated).all(axis=1)
    return fits


def finals(
    batch: Batch, rounds: Array, seats: Array, first_row: Array, players: Array, recorded: Array,
    leftover: Array,
) -> Finals:  # fmt: skip
    """Return how the games ended.

    ``rounds`` and ``seats`` are the replayed rows of ``rounds`` and ``round_seats``; ``first_row``
    is the first row of each round in ``seats``; ``players`` is int64[G]; ``recorded`` is the result
    of :func:`recorded_finals`; ``leftover`` says who takes the sticks left over, as in
    :mod:`~paifu.replay.rights`.
    """
    has_round = np.diff(batch.game_rounds) > 0
    complete = np.array([info.complete for info in batch.games], dtype=bool)
    last = batch.game_rounds[1:][has_round] - 1
    seated = np.arange(4) < players[:, None]
    replayed = np.where(seated, 0, _EMPTY_SEAT)
    rows = first_row[last][:, None] + np.minimum(np.arange(4), players[has_round, None] - 1)
    ends = seats["points_end"][rows].astype(np.int64)
    replayed[has_round] = np.where(seated[has_round], ends, _EMPTY_SEAT)
    has_end = has_round.copy()
    has_end[has_round] = (ends != NULL32).all(axis=1)
    pot = np.zeros(len(players), np.int64)
    pot[has_round] = STICK * rounds["sticks_end"][last].astype(np.int64)
    recorded = recorded.astype(np.int64)
    has_record = ((recorded != UNKNOWN) | ~seated).all(axis=1)
    fits = _as_recorded(replayed, pot, leftover, recorded, seated)
    differs = has_record & has_end & complete & ~fits
    points = np.where(seated & has_record[:, None], recorded, _with_sticks(replayed, pot, leftover))
    scheduled = scheduled_winds(batch)
    ended_by = np.where(complete, NOT_KNOWN, BROKEN_OFF).astype(np.int8)
    dealer_tenpai = seats["tenpai_at_draw"][
        first_row[last] + batch.round_dealer[last] % players[has_round]
    ]
    ended_by[has_round & complete] = _ended_by(
        batch, rounds, last, np.where(seated[has_round], ends, 0), players[has_round],
        scheduled[has_round], dealer_tenpai == 1,
    )[complete[has_round]]  # fmt: skip
    riichi = np.array([info.riichi for info in batch.games], dtype=bool)
    ended_by[complete & has_round & ~has_end] = NOT_KNOWN
    ended_by[has_round & complete & ~riichi] = LAST_ROUND  # others never end early
    differs &= (ended_by != NOT_KNOWN) | _begins(batch, has_round)  # else it is a part of a game
    wrong = [(int(game), "final_differs") for game in np.flatnonzero(differs)]
    wrong += [(int(game), "no_rounds") for game in np.flatnonzero(~has_round)]
    wrong += [
        (game, "result_sum")
        for game, info in enumerate(batch.games)
        if info.result is not None and abs(sum(info.result)) > _RESULT_TOLERANCE
    ]
    known = complete & (has_end | has_record)
    return Finals(
        players, scheduled, points, known, has_record, placements(points), ended_by, wrong
    )


def _begins(batch: Batch, has_round: Array) -> Array:
    """Return whether records begin with the first round of their game.

    A record that neither begins nor ends like a game holds a part of it, and the final points may
    be those of the whole.
    """
    begins = np.zeros(len(has_round), dtype=bool)
    first = batch.game_rounds[:-1][has_round]
    begins[has_round] = (
        (batch.round_wind[first] == 0)
        & (batch.round_number[first] == 0)
        & (batch.round_honba[first] == 0)
    )
    return begins


def _ended_by(
    batch: Batch, rounds: Array, last: Array, ends: Array, players: Array, scheduled: Array,
    dealer_tenpai: Array,
) -> Array:  # fmt: skip
    """Return why complete games ended, from their last rounds."""
    wind, number = batch.round_wind[last], batch.round_number[last]
    target = np.where(players == 3, TARGET[3], TARGET[4])
    outcome = rounds["outcome"][last]
    drawn = (outcome >= ROUND_EXHAUSTIVE) & (outcome <= ROUND_NAGASHI)
    reached = (ends >= target[:, None]).any(axis=1)
    return np.select(
        [
            (ends < 0).any(axis=1),
            (scheduled < 0) | (wind < scheduled),
            (wind > scheduled) & reached,
            wind > scheduled,
            number < players - 1,
            rounds["dealer_won"][last] == 1,
            drawn & dealer_tenpai,
        ],
        [BUST, NOT_KNOWN, SUDDEN_DEATH, LAST_ROUND, NOT_KNOWN, AGARI_YAME, TENPAI_YAME],
        LAST_ROUND,
    )
