"""Takes rounds of tenhou.net/6 as columns, puts their acts in order of play, and makes rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from paifu.formats.batch_rows import Rows, rows_of
from paifu.formats.builder import (
    FROM_SHIFT,
    MAX_INDICATORS,
    NO_POINTS,
    NOT_SAID,
    NOT_SHOWN,
    SEAT_SHIFT,
    TILE_SHIFT,
)
from paifu.formats.tenhou_json.play_order import (
    ANY_SEAT,
    COUNT,
    END_ANY,
    END_PASSED,
    END_RON,
    END_TSUMO,
    LAST_SEAT,
    LAST_TILE,
    RIICHI_SEATS,
    order_rounds,
)
from paifu.formats.yaku_names import with_winds
from paifu.game.events import (
    LIMIT_KAZOE,
    LIMIT_YAKUMAN,
    OUTCOME_KYUUSHU,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
    Array,
)
from paifu.game.tiles import NO_TILE

INDICATORS = 10
"""Indicators that a round may list."""
VALUES = ("fu", "han", "limit", "first", "second", "each")


class Wins(NamedTuple):
    """Wins as in results; -1 for a number they do not give."""

    round: Array
    """int64[W], ascending."""
    seats: Array
    """int64[W, 3]: the winner, the seat won from, and the seat that pays by pao."""
    delta: Array
    """int64[W, 4]; ``UNKNOWN`` where no payments are listed."""
    value: Array
    """int64[W, 6]: the ``VALUES`` of a win's value text. ``first`` and ``second`` are its numbers
    of points; ``each`` says whether every other seat pays its only number."""
    yakuman: Array
    """int64[W]: how many yakuman are listed; -1 if no yaku is listed."""
    yaku: Array
    """int64[Y, 3]: win (ascending), index or marker of ``yaku_names``, and han."""


class Rounds(NamedTuple):
    """Rounds as in their lists."""

    players: Array
    """int64[R]"""
    heads: Array
    """int64[R, 3]: number (0-15), honba, sticks."""
    scores: Array
    """int64[R, 4]"""
    indicators: Array
    """int64[R, 10], like ``ura``; ``NO_TILE`` after the last indicator."""
    ura: Array
    haipai: Array
    """int64[R, 52]"""
    tokens: Array
    """int64: all seats' lists, in the form of ``order_rounds``."""
    starts: Array
    """int64[R, 8], like ``stops``."""
    stops: Array
    outcome: Array
    """int64[R]"""
    tenpai: Array
    """int64[R, 4], like ``delta``: of draws; -1 and ``UNKNOWN`` if the result does not say."""
    delta: Array
    wins: Wins


def played(rounds: Rounds) -> tuple[Rows, Array]:
    """Return rounds as rows, and the number of events (int64[R]) of each round.

    If the number is negative (``NO_ORDER`` or ``TOO_AMBIGUOUS``), do not use the round's rows.
    """
    indicators, outcome, wins = rounds.indicators, rounds.outcome, rounds.wins
    number = rounds.heads[:, 0] % 4
    out, facts = _in_order(rounds, number)
    won, known = outcome == OUTCOME_WIN, outcome != OUTCOME_UNKNOWN
    per_round = np.bincount(wins.round, minlength=len(outcome))
    closing = _closing(np.where(won, per_round, known), rounds, facts)
    counts = np.maximum(facts[:, COUNT], 0)
    events, round_events, closed_at = _joined(out, counts, *closing)
    # of the wins
    round_, who, win_number = wins.round, wins.seats[:, 0], number[wins.round]
    riichi = facts[round_, RIICHI_SEATS] >> who & 1 == 1
    ura = rounds.ura[round_, :MAX_INDICATORS]
    fu, _, limit, *_ = wins.value.T
    players = rounds.players[round_]
    winds = rounds.heads[round_, 0] // 4, (who - win_number) % players
    yaku_win = wins.yaku[:, 0]
    columns = {
        "round_wind": rounds.heads[:, 0] // 4,
        "round_number": number,
        "round_honba": rounds.heads[:, 1],
        "round_sticks": rounds.heads[:, 2],
        "round_dealer": number,
        "round_dice": -1,
        "round_indicator": indicators[:, 0],
        "round_haipai": rounds.haipai.reshape(-1, 4, 13),
        "round_scores": rounds.scores,
        "round_recorded_outcome": outcome,
        "round_recorded_tenpai": np.where(won[:, None], NOT_SAID, rounds.tenpai),
        "round_recorded_before": NO_POINTS,
        "round_recorded_delta": np.where(won[:, None], NO_POINTS, rounds.delta),
        "win_event": closed_at[won[closing[0]]],
        "win_hand": NOT_SHOWN,
        "win_indicators": indicators[round_, :MAX_INDICATORS],
        "win_ura": np.where(riichi[:, None], ura, NO_TILE),
        # people leave ura indicators out; Tenhou always lists them
        "win_before": NO_POINTS,
        "win_delta": wins.delta,
        "win_fu": fu,
        "win_han": _han(wins),
        "win_yakuman": wins.yakuman,
        "win_points": _points(wins, players),
        # a hand that is called a yakuman but has no yakuman is a counted yakuman
        "win_limit": np.where((limit == LIMIT_YAKUMAN) & (wins.yakuman == 0), LIMIT_KAZOE, limit),
        "win_pao": wins.seats[:, 2],
        "win_honba": -1,
        "win_sticks": -1,
        "win_chips": -1,
        "yaku_id": with_winds(wins.yaku[:, 1], *(wind[yaku_win] for wind in winds)),
        "yaku_han": wins.yaku[:, 2],
    }
    return rows_of(events, round_events, round_, yaku_win, columns), facts[:, COUNT]


def _in_order(rounds: Rounds, number: Array) -> tuple[Array, Array]:
    """Return all rounds' packed events in order of play, and the facts of ``order_rounds``."""
    further = rounds.indicators[:, 1:]
    shown = further != NO_TILE
    flips = np.concatenate([[0], shown.sum(axis=1).cumsum()])
    out = np.empty(3 * len(rounds.tokens) + flips[-1], dtype=np.int64)
    facts = np.empty((len(number), 4), dtype=np.int64)
    order_rounds(
        rounds.tokens, rounds.starts, rounds.stops, rounds.players, _last_acts(rounds, number),
        further[shown], flips, out, facts,
    )  # fmt: skip
    return out, facts


def _last_acts(rounds: Rounds, number: Array) -> Array:
    """Return int64[R, 4]: the dealer, and how the play of a round ended according to its result."""
    outcome, wins = rounds.outcome, rounds.wins
    ends = np.empty((len(outcome), 4), dtype=np.int64)
    ends[:, 0], ends[:, 1], ends[:, 2] = number, END_PASSED, ANY_SEAT
    ends[outcome == OUTCOME_KYUUSHU, 1] = END_TSUMO
    ends[(outcome == OUTCOME_UNKNOWN) | (outcome == OUTCOME_SUUKAN), 1] = END_ANY
    first = np.flatnonzero(np.diff(wins.round, prepend=-1))
    who, source, _ = wins.seats[first].T
    ends[wins.round[first], 1] = np.where(who == source, END_TSUMO, END_RON)
    ends[wins.round[first], 2] = source
    ends[:, 3] = (ends[:, 1] != END_RON) & (outcome != OUTCOME_SANCHAHOU)
    return ends


def _closing(counts: Array, rounds: Rounds, facts: Array) -> tuple[Array, Array]:
    """Return the round (ascending) of each event that ends a round, and those packed events."""
    round_ = np.repeat(np.arange(len(counts)), counts)
    declared = rounds.outcome[round_] == OUTCOME_KYUUSHU
    events = RYUUKYOKU | np.where(declared, facts[round_, LAST_SEAT] + 1, 0) << SEAT_SHIFT
    wins = rounds.wins
    who, source, _ = wins.seats.T + 1
    tile = facts[wins.round, LAST_TILE] + 1
    won = WIN | tile << TILE_SHIFT | source << FROM_SHIFT | who << SEAT_SHIFT
    events[rounds.outcome[round_] == OUTCOME_WIN] = won
    return round_, events


def _joined(
    out: Array, counts: Array, closing_round: Array, closing: Array
) -> tuple[Array, Array, Array]:
    """Return all events, the first event of each round, and the places of closing events."""
    closed = np.bincount(closing_round, minlength=len(counts))
    round_events = np.concatenate([[0], (counts + closed).cumsum()])
    events = np.empty(round_events[-1], dtype=np.int64)
    at = np.arange(len(closing)) + counts.cumsum()[closing_round]
    plays = np.ones(len(events), dtype=np.bool_)
    plays[at] = False
    events[at] = closing
    events[plays] = out[: len(events) - len(closing)]
    return events, round_events, at


def _han(wins: Wins) -> Array:
    """Return the han of hands without yakuman: as listed, else as in the value; -1 if not given."""
    win, _, han = wins.yaku.T
    listed = np.bincount(win, weights=han, minlength=len(wins.round)).astype(np.int64)
    lists = np.bincount(win, minlength=len(wins.round)) > 0
    return np.where(wins.yakuman > 0, -1, np.where(lists, listed, wins.value[:, 1]))


def _points(wins: Wins, players: Array) -> Array:
    """Return the total value of the hands; records give the payments in many ways."""
    *_, first, second, each = wins.value.T
    alone = first * np.where(each == 1, players - 1, 1)
    points = np.where(second >= 0, first * (players - 2) + second, alone)
    return np.where(first >= 0, points, UNKNOWN)
