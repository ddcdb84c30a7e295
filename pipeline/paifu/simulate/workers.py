"""Plays many games, here and in worker processes, and yields them in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

from paifu.host.worker_processes import WorkerProcesses
from paifu.kernels.cache import compiled
from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.game_loop import Game, play_games
from paifu.simulate.log_files import FORMATS, Deflated, deflated, file_name

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster, Workers

BATCH = 1000
"""Games per batch, which take 55 MB; with fewer, scoring costs more per game."""

SMALL_BATCH = 500
"""Games per batch at the end, so that all processes end at about the same time; 1,000 games cost a
tenth less a game."""

ALONE = 500
"""Games that are worth no worker processes, each of which takes a second to start."""

_AHEAD = 2
"""How many batches each worker is given at a time."""

_MOST = 8
"""How many batches per process may be played or wait to be written."""

_KERNELS = "simulate.play_round"
"""If these are not compiled, the first games are played here: workers then load the kernels."""

Files = list[tuple[str, bytes | Deflated]]
"""Name and content of each file of a game."""


class Worker:
    """Plays games of a seed and writes them in some formats."""

    def __init__(
        self, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str], deflate: bool = False
    ) -> None:
        self._seed, self._rules, self._flow, self._formats = seed, rules, flow, formats
        self._deflate = deflate

    def files(self, first: int, last: int) -> list[Files]:
        """Return the files of the games from ``first`` until before ``last``."""
        numbers = np.arange(first, last, dtype=np.int64)
        return [
            [
                (_path(file_name(game, name), name, self._formats), self._content(game, name))
                for name in self._formats
            ]
            for game in play_games(numbers, self._seed, self._rules, self._flow)
        ]

    def _content(self, game: Game, format: str) -> bytes | Deflated:
        data = FORMATS[format].write(game)
        return deflated(data) if self._deflate else data

    def close(self) -> None:
        """Do nothing: nothing is held."""


def written_games(
    count: int, seed: int, rules: RuleSet, flow: Flow, formats: Sequence[str], jobs: int,
    cluster: Cluster | None = None, *, deflate: bool = False,
) -> Iterator[Files]:  # fmt: skip
    """Yield the files of games 0 to ``count - 1`` of a seed, in order; ``deflate`` packs them.

    They are played by ``jobs`` processes, here and if there are many by others, or else by the
    workers of a cluster. With several formats, each has its own folder.
    """
    setup = seed, rules, flow, formats, deflate
    work = f"{__name__}:Worker"
    alone = Worker(*setup)
    pending: deque[Future[list[Files]]] = deque()
    workers: WorkerProcesses | Workers | None = None
    first = 0
    with ExitStack() as started:
        if cluster is not None:
            workers = started.enter_context(cluster.workers(work, *setup))
            jobs = workers.count
        while first < count:
            if workers is None and jobs > 1 and count > ALONE and (first or compiled(_KERNELS)):
                workers = started.enter_context(WorkerProcesses(jobs - 1, work, *setup))
            # the fewer games are left, the fewer are in a batch
            share = (count - first) // (2 * _AHEAD * jobs) if workers else count
            last = min(first + min(max(share, SMALL_BATCH), BATCH), count)
            asked = sum(not future.done() for future in pending)
            if workers and asked < _AHEAD * workers.count:
                pending.append(workers.ask("files", first, last))
            elif cluster is not None:
                yield from pending.popleft().result()
                continue
            else:
                mine: Future[list[Files]] = Future()
                mine.set_result(alone.files(first, last))
                pending.append(mine)
            while pending and (pending[0].done() or len(pending) > _MOST * jobs):
                yield from pending.popleft().result()
            first = last
        while pending:
            yield from pending.popleft().result()


def _path(name: str, format: str, formats: Sequence[str]) -> str:
    return name if len(formats) == 1 else f"{format}/{name}"
