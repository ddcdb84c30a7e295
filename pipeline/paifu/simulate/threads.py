"""Plays many games on several threads and yields them in order, for any number of threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.game_loop import play_games
from paifu.simulate.log_files import FORMATS, file_name

BATCH = 1000
"""Games per batch, which take 55 MB per thread; with fewer, scoring costs more per game."""
AHEAD = 1
"""How many batches per thread are played ahead."""

Files = list[tuple[str, bytes]]
"""Name and content of each file of a game."""


def written_games(
    count: int, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str], jobs: int
) -> Iterator[Files]:
    """Yield the files of games 0 to ``count - 1`` of a seed, in order.

    With several formats, each has its own folder."""

    size = min(BATCH, -(-count // max(1, jobs)))

    def work(first: int) -> list[Files]:
        numbers = np.arange(first, min(first + size, count), dtype=np.int64)
        games = play_games(numbers, seed, rules, flow)
        return [
            [
                (_path(file_name(game, name), name, formats), FORMATS[name].write(game))
                for name in formats
            ]
            for game in games
        ]

    pending: deque[Future[list[Files]]] = deque()
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            for first in range(0, count, size):
                pending.append(pool.submit(work, first))
                if len(pending) > AHEAD * max(1, jobs):
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _path(name: str, format: str, formats: Sequence[str]) -> str:
    return name if len(formats) == 1 else f"{format}/{name}"
