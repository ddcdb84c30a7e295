"""Divides a batch into parts, so that the rows in memory are limited for a batch of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np

from paifu.game.events import Batch

PART = 512
"""Games that are played forward at a time: about 30 MiB of rows."""


def part_of(batch: Batch, first: int, last: int) -> Batch:
    """Return the games ``first:last`` of a valid batch as a batch; its arrays are views."""
    r0, r1 = batch.game_rounds[[first, last]]
    e0, e1 = batch.round_events[[r0, r1]]
    w0, w1 = np.searchsorted(batch.win_event, [e0, e1])
    y0, y1 = batch.win_yaku[[w0, w1]]
    s0, s1 = np.searchsorted(batch.stated_event, [e0, e1])
    spans = {"round_": (r0, r1), "event_": (e0, e1), "win_": (w0, w1), "yaku_": (y0, y1)}
    part = Batch(
        games=batch.games[first:last],
        game_rounds=batch.game_rounds[first : last + 1] - r0,
        round_events=batch.round_events[r0 : r1 + 1] - e0,
        win_event=batch.win_event[w0:w1] - e0,
        win_yaku=batch.win_yaku[w0 : w1 + 1] - y0,
        stated_event=batch.stated_event[s0:s1] - e0,
        stated_scores=batch.stated_scores[s0:s1],
    )
    shifted = ("round_events", "win_event", "win_yaku")
    for prefix, (start, end) in spans.items():
        for spec in fields(Batch):
            if spec.name.startswith(prefix) and spec.name not in shifted:
                setattr(part, spec.name, getattr(batch, spec.name)[start:end])
    return part


def parts_of(batch: Batch) -> Iterator[tuple[int, Batch]]:
    """Yield the parts of a batch, each with the number of its first game."""
    count = len(batch.games)
    if count <= PART:
        yield 0, batch
        return
    for first in range(0, count, PART):
        yield first, part_of(batch, first, min(first + PART, count))
