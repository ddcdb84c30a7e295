"""Games of a batch as plain Python values, for the writers of logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from paifu.game.events import UNKNOWN, Batch
from paifu.game.tiles import NO_TILE


@dataclass(frozen=True, slots=True)
class Event:
    """One event; fields as the columns ``event_…`` of a batch."""

    kind: int
    seat: int
    tile: int
    from_seat: int
    tsumogiri: int
    consumed: list[int]


@dataclass(frozen=True, slots=True)
class Win:
    """One win's record; fields as the columns ``win_…`` of a batch."""

    fu: int
    han: int
    yakuman: int
    points: int
    limit: int
    pao: int
    ura: list[int]
    delta: list[int] | None
    yaku: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a game."""

    wind: int
    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    scores: list[int]
    haipai: list[list[int]]
    outcome: int
    tenpai: list[int]
    delta: list[int] | None
    events: list[Event]
    wins: list[Win]
    """In the order of the ``WIN`` events."""


def rounds_of(batch: Batch, game: int) -> Iterator[Round]:
    """Yield the rounds of a game of the batch."""
    for index in range(batch.game_rounds[game], batch.game_rounds[game + 1]):
        first, last = batch.round_events[index : index + 2].tolist()
        wins = np.searchsorted(batch.win_event, [first, last])
        yield Round(
            wind=int(batch.round_wind[index]),
            number=int(batch.round_number[index]),
            honba=int(batch.round_honba[index]),
            sticks=int(batch.round_sticks[index]),
            dealer=int(batch.round_dealer[index]),
            indicator=int(batch.round_indicator[index]),
            scores=batch.round_scores[index].tolist(),
            haipai=[_tiles(hand) for hand in batch.round_haipai[index]],
            outcome=int(batch.round_recorded_outcome[index]),
            tenpai=batch.round_recorded_tenpai[index].tolist(),
            delta=_points(batch.round_recorded_delta[index]),
            events=_events(batch, first, last),
            wins=[_win(batch, win) for win in range(*wins.tolist())],
        )


def _tiles(codes: Any) -> list[int]:
    return [code for code in codes.tolist() if code != NO_TILE]


def _points(numbers: Any) -> list[int] | None:
    listed: list[int] = numbers.tolist()
    return None if UNKNOWN in listed else listed


def _events(batch: Batch, first: int, last: int) -> list[Event]:
    span = slice(first, last)
    columns = (
        batch.event_kind, batch.event_seat, batch.event_tile, batch.event_from,
        batch.event_tsumogiri,
    )  # fmt: skip
    consumed = [_tiles(codes) for codes in batch.event_consumed[span]]
    return [
        Event(*fields)
        for fields in zip(*(column[span].tolist() for column in columns), consumed, strict=True)
    ]


def _win(batch: Batch, win: int) -> Win:
    yaku = slice(batch.win_yaku[win], batch.win_yaku[win + 1])
    return Win(
        fu=int(batch.win_fu[win]),
        han=int(batch.win_han[win]),
        yakuman=int(batch.win_yakuman[win]),
        points=int(batch.win_points[win]),
        limit=int(batch.win_limit[win]),
        pao=int(batch.win_pao[win]),
        ura=_tiles(batch.win_ura[win]),
        delta=_points(batch.win_delta[win]),
        yaku=list(zip(batch.yaku_id[yaku].tolist(), batch.yaku_han[yaku].tolist(), strict=True)),
    )
