"""Plays many games, here and in worker processes, and yields them in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack

import numpy as np

from paifu.host.worker_processes import WorkerProcess
from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.game_loop import play_games
from paifu.simulate.log_files import FORMATS, file_name

BATCH = 1000
"""Games per batch, which take 55 MB; with fewer, scoring costs more per game."""

ALONE = 500
"""Games that are played before worker processes are started, which takes each a second."""

_AHEAD = 2
"""How many batches each worker is given at a time."""

Files = list[tuple[str, bytes]]
"""Name and content of each file of a game."""


class Worker:
    """Plays games of a seed and writes them in some formats."""

    def __init__(self, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str]) -> None:
        self._seed, self._rules, self._flow, self._formats = seed, rules, flow, formats

    def files(self, first: int, last: int) -> list[Files]:
        """Return the files of the games from ``first`` until before ``last``."""
        numbers = np.arange(first, last, dtype=np.int64)
        return [
            [
                (_path(file_name(game, name), name, self._formats), FORMATS[name].write(game))
                for name in self._formats
            ]
            for game in play_games(numbers, self._seed, self._rules, self._flow)
        ]

    def close(self) -> None:
        """Do nothing: nothing is held."""


def written_games(
    count: int, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str], jobs: int
) -> Iterator[Files]:
    """Yield the files of games 0 to ``count - 1`` of a seed, in order.

    They are played here and, if there are many, by ``jobs`` processes. With several formats, each
    has its own folder.
    """
    setup = seed, rules, flow, formats
    alone = Worker(*setup)
    pending: deque[Future[list[Files]]] = deque()
    workers: list[WorkerProcess] = []
    first = 0
    with ExitStack() as started:
        while first < count:
            if jobs > 1 and not workers and first >= ALONE:
                for _ in range(jobs):
                    process = WorkerProcess(f"{__name__}:Worker", *setup)
                    workers.append(started.enter_context(process))
            ready = [worker for worker in workers if worker.ready]
            size = BATCH if ready or jobs == 1 else ALONE
            last = min(first + size, count)
            if ready:
                worker = min(ready, key=lambda worker: worker.waiting)
                pending.append(worker.ask("files", first, last))
                if len(pending) > _AHEAD * len(ready):
                    yield from pending.popleft().result()
            else:
                yield from alone.files(first, last)
            first = last
        while pending:
            yield from pending.popleft().result()


def _path(name: str, format: str, formats: Sequence[str]) -> str:
    return name if len(formats) == 1 else f"{format}/{name}"
