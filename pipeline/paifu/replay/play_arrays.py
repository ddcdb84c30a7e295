"""The input and output of replay: the arrays of a batch, in bundles for kernels.

Numba passes a named tuple as its parts, so a bundle costs nothing. :class:`Deal`, :class:`Event`
and :class:`RecordedWin` are one round, event or win from the arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.game.events import Array
from paifu.replay.table_state import Records


class Played(NamedTuple):
    """The events and deals of a batch (:class:`~paifu.game.events.Batch` has the types)."""

    players: Array
    """int64[G]: 3 or 4."""
    rights: Records
    """[G], of :mod:`~paifu.replay.rights`."""
    game_rounds: Array
    round_events: Array
    wind: Array
    number: Array
    honba: Array
    sticks: Array
    dealer: Array
    indicator: Array
    haipai: Array
    scores: Array
    kind: Array
    seat: Array
    tile: Array
    feeder: Array
    tsumogiri: Array
    consumed: Array


class Recorded(NamedTuple):
    """What the log recorded about the ends of rounds and games."""

    final_points: Array
    """int32[G, 4]; ``UNKNOWN`` if not recorded."""
    outcome: Array
    tenpai: Array
    before: Array
    delta: Array
    stated_event: Array
    stated_scores: Array
    win_hand: Array
    win_points: Array
    win_limit: Array
    win_pao: Array
    win_honba: Array
    win_sticks: Array
    win_indicators: Array
    win_before: Array
    win_delta: Array


class Rows(NamedTuple):
    """Room for the rows of a batch, as structured arrays of ``row_types``."""

    rounds: Records
    round_seats: Records
    round_seat_words: Array
    """The same memory as uint64 words."""
    first_seat: Array
    """int64[R]: each round's first row in ``round_seats``."""
    actions: Records
    risks: Records
    wins: Records
    flags: Records
    disconnected: Array
    """int8[G, 4]: 1 for a seat that was ever disconnected."""


class Workspace(NamedTuple):
    """One table to play at."""

    table: Records
    """The table, an array of one."""
    words: Array
    """The same memory as uint64 words."""
    fresh: Array
    """The words of a table before its first round."""


class Deal(NamedTuple):
    """The start of a round, as in the log."""

    wind: int
    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    haipai: Array
    """int8[4, 13]."""
    scores: Array
    """int32[4]."""


class Event(NamedTuple):
    """One event."""

    kind: int
    seat: int
    tile: int
    feeder: int
    tsumogiri: int


class RecordedWin(NamedTuple):
    """What the log recorded about one win."""

    number: int
    """Its index among the batch's wins."""
    hand: Array
    points: int
    limit: int
    pao: int
    honba: int
    sticks: int
    indicators: Array
    before: Array
    delta: Array
