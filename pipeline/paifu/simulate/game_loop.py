"""Plays many whole games at once: plays a round of each, scores all wins together, settles.

A game depends only on the seed and its own number, so that it is the same in any batch, thread or
machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.rules.hands.suit_tables import suit_tables
from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.people import Seating, seatings
from paifu.simulate.play_round import play_rounds
from paifu.simulate.scoring import FalseWinError, Value, values_of
from paifu.simulate.script import no_script
from paifu.simulate.settle import Ended, Win, base_of, results, settle
from paifu.simulate.table_kernels import clear
from paifu.simulate.table_record import NOBODY, TABLE
from paifu.simulate.wall_building import SEED_WORDS, Shufflers, Words, game_words

KEY_PURPOSE, PLAY_PURPOSE, SEAT_PURPOSE = range(3)
"""The purposes of the random words of a game."""


@dataclass(slots=True)
class Game:
    """One finished game: its number, its players by seat, its rounds as records of ``TABLE``."""

    number: int
    flow: Flow
    rules: RuleSet
    key: Words | None
    """The shuffle key from which its walls follow, uint32[624]; None if walls were laid by hand."""
    seating: Seating
    rounds: list[Any] = field(default_factory=list)
    values: list[list[Value]] = field(default_factory=list)
    """The values of the wins of each round."""
    ended_by: int = -1

    @property
    def final_points(self) -> list[int]:
        """Points by seat at the end, with leftover sticks."""
        return [int(points) for points in self.rounds[-1]["end"][: self.flow.players]]

    @property
    def final_results(self) -> list[float]:
        """Results by seat in thousands."""
        return results(self.final_points, self.rules)


def new_tables(numbers: npt.NDArray[np.int64], seed: int, flow: Flow, seats: list[Seating]) -> Any:
    """Return new tables for the games with these numbers."""
    tables = np.zeros(len(numbers), dtype=TABLE)
    # an xorshift state must not be zero
    tables["rng"] = game_words(seed, numbers, 1, PLAY_PURPOSE)[:, 0] | np.uint64(1)
    tables["scores"][:, : flow.players] = flow.start_points
    for row, seating in enumerate(seats):
        tables["style"][row, : flow.players] = [person.style for person in seating.people]
    return tables


def play_games(numbers: npt.NDArray[np.int64], seed: int, rules: RuleSet, flow: Flow) -> list[Game]:
    """Play the games with these numbers to their ends and return them in order."""
    keys = game_words(seed, numbers, SEED_WORDS // 2, KEY_PURPOSE).astype("<u8").view("<u4")
    seats = seatings(game_words(seed, numbers, flow.players + 1, SEAT_PURPOSE), flow.players)
    games = [
        Game(int(number), flow, rules, keys[row], seats[row]) for row, number in enumerate(numbers)
    ]
    tables = new_tables(numbers, seed, flow, seats)
    shufflers = Shufflers(keys, flow.players)
    options, suits = flow.for_kernels(), suit_tables(flow.players)
    live = np.arange(len(numbers), dtype=np.int64)
    while len(live):
        tables["wall"][live], tables["dice"][live] = shufflers.deal(live)
        clear(tables, live, flow)
        play_rounds(tables, live, options, suits, *no_script())
        live = finish_rounds(tables, live, games)
    return games


def finish_rounds(
    tables: Any, live: npt.NDArray[np.int64], games: list[Game]
) -> npt.NDArray[np.int64]:
    """Score and settle a round of the games ``live``, store it, and return the games that go on."""
    rules, flow = games[0].rules, games[0].flow
    rows, nth = _wins(tables, live)
    try:
        values = values_of(tables, rows, nth, rules, flow)
    except FalseWinError as error:
        game = games[error.row]
        raise RuntimeError(f"game {game.number}, round {len(game.rounds)}: {error}") from error
    by_row: dict[int, list[Value]] = {}
    for row, value in zip(rows.tolist(), values, strict=True):
        by_row.setdefault(row, []).append(value)
    ends = _ended_rounds(tables, live, by_row, rules, flow)
    for row, end in zip(live.tolist(), ends, strict=True):
        settle(end, flow)
        for at, delta in enumerate(end.deltas):
            tables["delta"][row, at, : flow.players] = delta
    players = flow.players
    tables["end"][live, :players] = [end.after for end in ends]
    tables["end_sticks"][live] = [end.sticks_after for end in ends]
    tables["over"][live] = [end.ended_by >= 0 for end in ends]
    tables["ended_by"][live] = [end.ended_by for end in ends]
    snapshot = tables[live]  # a copy, because the tables are used for the next round
    for at, (row, end) in enumerate(zip(live.tolist(), ends, strict=True)):
        games[row].rounds.append(snapshot[at])
        games[row].values.append(by_row.get(row, []))
        games[row].ended_by = end.ended_by
    tables["scores"][live, :players] = tables["end"][live, :players]
    tables["sticks"][live] = tables["end_sticks"][live]
    tables["wind"][live] = [end.next_wind for end in ends]
    tables["number"][live] = [end.next_dealer for end in ends]
    tables["honba"][live] = [end.next_honba for end in ends]
    going_on: npt.NDArray[np.int64] = live[tables["over"][live] == 0]
    return going_on


def _wins(
    tables: Any, live: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the row of each win of the tables ``live``, and its number in its round."""
    wins = tables["wins"][live].astype(np.int64)
    rows = np.repeat(live, wins)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(wins) - wins, wins)
    return rows, nth


def _ended_rounds(
    tables: Any,
    live: npt.NDArray[np.int64],
    values: dict[int, list[Value]],
    rules: RuleSet,
    flow: Flow,
) -> list[Ended]:
    """Return the rounds of the tables ``live`` in the form that settlement takes."""
    players = flow.players
    columns = [
        tables[name][live].tolist()
        for name in ("outcome", "scores", "number", "wind", "honba", "sticks", "winner", "loser")
    ]
    tenpai = tables["tenpai"][live, :players].astype(bool).tolist()
    nagashi = tables["nagashi"][live, :players].astype(bool).tolist()
    paid = (tables["riichi"][live] == 2).astype(int).tolist()
    ends = []
    for at, (row, outcome, scores, dealer, wind, honba, sticks, winners, loser) in enumerate(
        zip(live.tolist(), *columns, strict=True)
    ):
        wins = [
            _win(value, winner, loser, paid[at][winner], rules)
            for value, winner in zip(values.get(row, ()), winners, strict=False)
        ]
        ends.append(
            Ended(
                outcome,
                scores[:players],
                dealer,
                wind,
                honba,
                sticks,
                wins,
                tenpai[at],
                nagashi[at],
            )
        )
    return ends


def _win(value: Value, winner: int, loser: int, own_sticks: int, rules: RuleSet) -> Win:
    base = base_of(value.limit, value.han, value.fu, value.yakuman, rules.kiriage_mangan)
    share = base // value.yakuman if value.yakuman else 0
    feeder = value.feeder if value.feeder != winner else NOBODY
    return Win(winner, loser, base, feeder, share * value.fed, own_sticks)
