"""Audits units of games on the workers of a cluster.

A task is some units, whose verdicts a worker writes to files of their own. If a worker ends,
another does its tasks again, and the files of the first are removed at the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from paifu.audit.pending_games import Unit
from paifu.audit.summary import Counted
from paifu.audit.workers import Auditor, Batch, Finder, Sent, Where, received, sent
from paifu.lake.lake import Lake
from paifu.lake.staging import Staged, Written, try_to_write
from paifu.stores.store import Store

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster

MOST_UNITS = 5
"""Units of a task; the first tasks have fewer, so that no worker waits."""

_AHEAD = 2
"""Tasks that are asked of each worker at a time."""

Answer = tuple[list[Counted | None], Written]
"""Of each unit the counts, or None if its games were no more where they had been; and the files."""


class Worker:
    """What a worker of a cluster does: the work of an :class:`Auditor` on the lake as it is."""

    def __init__(self, lake: str, files: Store, writer: str) -> None:
        """``files`` and ``writer`` are the place and the name for the files.

        Raises ``OSError`` if the worker cannot write there, or an error of the lake.
        """
        self._lake = lake
        self._new_stage = partial(Staged, files, writer)
        Lake.open(lake).close()
        try_to_write(files, writer)

    def audit(self, units: list[tuple[Sent, Where]], examples: int) -> Answer:
        """Audit units and write their rows."""
        with Lake.open(self._lake) as lake:
            lake.connection.execute("SET threads = 1")
            auditor = Auditor(lake, self._new_stage)
            try:
                counted = [auditor.audit(received(*unit), where, examples) for unit, where in units]
                return counted, auditor.finish()
            except BaseException:
                auditor.discard()
                raise

    def close(self) -> None:
        """Do nothing: nothing is held."""


def audited_batches(
    lake: Lake, units: Sequence[Unit], batch_games: int, cluster: Cluster, examples: int,
    started: ExitStack,
) -> Iterator[Batch]:  # fmt: skip
    """Yield all units, audited by workers that ``started`` ends; the files are the caller's."""
    started.callback(lake.clear_up_own)
    named = lake.location
    place = named.text if named.folder is None else named.place
    workers = started.enter_context(
        cluster.workers(f"{__name__}:Worker", place, lake.store, lake.locks.name)
    )
    todo, places = deque(units), Finder(lake)
    asked: dict[Future[Answer], list[Unit]] = {}
    batch, games, tasks = Batch(), 0, 0
    while todo or asked:
        while todo and len(asked) < _AHEAD * workers.count:
            most = min(MOST_UNITS, 2 ** min(tasks // workers.count, MOST_UNITS))
            share = -(-len(todo) // workers.count)
            task = [todo.popleft() for _ in range(min(most, share))]
            where = [
                places.of(unit, (*task[number + 1 :], *todo)) for number, unit in enumerate(task)
            ]
            given = [(sent(unit), at) for unit, at in zip(task, where, strict=True)]
            asked[workers.ask("audit", given, examples)] = task
            tasks += 1
        for answer in wait(asked, return_when=FIRST_COMPLETED).done:
            counted, written = answer.result()
            batch.written.append(written)
            for unit, counts in zip(asked.pop(answer), counted, strict=True):
                if counts is None:
                    places.forget()
                    todo.append(unit)
                else:
                    batch.audited.append((unit, counts))
                    games += len(unit.games)
        if batch.audited and (games >= batch_games or not (todo or asked)):
            yield batch
            batch, games = Batch(), 0
