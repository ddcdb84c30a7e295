"""Plays many games, here and in worker processes, and yields them in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

from paifu.host.worker_processes import WorkerProcesses
from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.game_loop import play_games
from paifu.simulate.log_files import FORMATS, file_name

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster, Workers

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
    count: int, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str], jobs: int,
    cluster: Cluster | None = None,
) -> Iterator[Files]:  # fmt: skip
    """Yield the files of games 0 to ``count - 1`` of a seed, in order.

    They are played here and, if there are many, by ``jobs`` processes, or else by the workers of a
    cluster. With several formats, each has its own folder.
    """
    setup = seed, rules, flow, formats
    work = f"{__name__}:Worker"
    alone = Worker(*setup)
    pending: deque[Future[list[Files]]] = deque()
    workers: WorkerProcesses | Workers | None = None
    first = 0
    with ExitStack() as started:
        if cluster is not None:
            workers = started.enter_context(cluster.workers(work, *setup))
        while first < count:
            if workers is None and jobs > 1 and first >= ALONE:
                workers = started.enter_context(WorkerProcesses(jobs, work, *setup))
            ready = workers.count if workers else 0
            size = BATCH if ready or jobs == 1 else ALONE
            last = min(first + size, count)
            if workers and ready:
                pending.append(workers.ask("files", first, last))
                if len(pending) > _AHEAD * ready:
                    yield from pending.popleft().result()
            else:
                yield from alone.files(first, last)
            first = last
        while pending:
            yield from pending.popleft().result()


def _path(name: str, format: str, formats: Sequence[str]) -> str:
    return name if len(formats) == 1 else f"{format}/{name}"
