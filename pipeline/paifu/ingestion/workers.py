"""Prepares units, here and in worker processes if there are many, and yields them in order.

Whoever prepared a unit writes its rows too, after the committer has said which games to keep. So
only what decisions need goes from a worker to the committer: some columns of ``games``, and the
rejects.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.host.worker_processes import WorkerProcess
from paifu.ingestion.kept_games import Counts, counts_of, kept_rows
from paifu.ingestion.known_games import COLUMNS
from paifu.ingestion.prepare import Prepared, Settings, prepare
from paifu.ingestion.source_rows import source_id
from paifu.ingestion.units import Unit
from paifu.kernels.cache import compiled
from paifu.lake.forget import Forgotten
from paifu.lake.lake import Lake
from paifu.lake.location import Location
from paifu.lake.names import Policy, apply_policy
from paifu.lake.staging import Staged, Written
from paifu.sources.archives import Member
from paifu.sources.containers import Unreadable
from paifu.stores.store import Store

ALONE_UNITS = 4
"""Units that are worth no worker processes, each of which takes a second to start."""

_AHEAD = 3
"""Units that each worker is given at a time, so that none waits for the committer."""


class Worker:
    """What a worker process does: prepares units, holds their rows, and writes what is kept."""

    def __init__(
        self, lake: str, store: Store, names: Policy, salt: bytes | None, settings: Settings
    ) -> None:
        place = Location.of(lake)
        pa.set_cpu_count(1)
        self._names, self._salt, self._settings = names, salt, settings
        self._locks = place.catalog.locks(place.place)
        self._locks.write()
        self._store = store
        self._staged = Staged(store, self._locks.name)
        self._held: dict[int, dict[str, pa.Table]] = {}

    def prepare(
        self, number: int, items: list[Member | Unreadable], source_ids: dict[int, int]
    ) -> Prepared:
        """Prepare a unit and hold its rows; return only the columns by which games are known."""
        prepared = prepare(Unit(items), source_ids, self._settings)
        self._held[number] = prepared.tables
        games = prepared.tables["games"].select(COLUMNS)
        return replace(prepared, unit=Unit(), tables={"games": games})

    def store(self, number: int, keep: npt.NDArray[np.bool_], forgotten: Forgotten) -> Counts:
        """Write the rows of a unit's games to keep; return their counts."""
        return store(self._held.pop(number), keep, forgotten, self._staged, self._names, self._salt)

    def finish(self) -> Written:
        """Close the files; what is stored next goes into other files."""
        staged, self._staged = self._staged, Staged(self._store, self._locks.name)
        staged.finish()
        return Written.of(staged)

    def close(self) -> None:
        """Drop what has not been finished."""
        self._locks.abandoned = not self._staged.discard()
        self._locks.close()


class Held(Protocol):
    """The rows of a unit that a worker holds."""

    @property
    def writer(self) -> object:
        """Who writes the rows, together with those of other units."""

    def store(self, keep: npt.NDArray[np.bool_], forgotten: Forgotten) -> Future[Counts]:
        """Let the worker write the rows of the games to keep."""

    def finish(self) -> Future[Written]:
        """Let the writer close the files; what is stored next goes into other files."""


def store(
    tables: dict[str, pa.Table], keep: npt.NDArray[np.bool_], forgotten: Forgotten, staged: Staged,
    names: Policy, salt: bytes | None,
) -> Counts:  # fmt: skip
    """Append the rows of the games to keep to a stage, with what the lake keeps of names."""
    kept = forgotten.anonymous(kept_rows(tables, keep))
    staged.append(apply_policy(names, salt, kept))
    return counts_of(kept)


@dataclass(frozen=True, slots=True)
class HeldHere:
    """The rows of a unit that a worker process of this machine holds."""

    process: WorkerProcess
    number: int

    @property
    def writer(self) -> object:
        """Who writes the rows, together with those of other units."""
        return self.process

    def store(self, keep: npt.NDArray[np.bool_], forgotten: Forgotten) -> Future[Counts]:
        """Let the worker write the rows of the games to keep."""
        return self.process.ask("store", self.number, keep, forgotten)

    def finish(self) -> Future[Written]:
        """Let the worker close the files; what is stored next goes into other files."""
        return self.process.ask("finish")


_KERNELS = "replay.play_rounds"
"""If these are not compiled, the first unit is prepared here: workers then load its kernels."""

_Waiting = deque[tuple[Unit, HeldHere | None, "Future[Prepared]"]]
"""Units in order, who holds their rows, and what they are when they are prepared."""


def prepared_units(
    work: Iterator[Unit], settings: Settings, lake: Lake, jobs: int, started: ExitStack
) -> Iterator[tuple[Prepared, Held | None]]:
    """Yield the units in order, prepared by ``jobs`` processes; few are in memory.

    One of them is this process: while the others have enough to do and nothing is to be committed,
    it prepares units too. The others hold rows of the units until ``started`` ends them.
    """
    ahead = deque(islice(work, ALONE_UNITS + 1 if jobs > 1 else 0))
    many = len(ahead) > ALONE_UNITS
    waiting: _Waiting = deque()
    workers: list[WorkerProcess] = []
    for number, unit in enumerate(chain(_emptied(ahead), work)):
        if jobs > 1 and many and not workers and (number or compiled(_KERNELS)):
            setup = (lake.location.text, lake.store, lake.names, lake.salt(), settings)
            started.push(lake.clear_up_after)
            for _ in range(jobs - 1):
                process = WorkerProcess(f"{__name__}:Worker", *setup)
                workers.append(started.enter_context(process))
        if worker := _with_room(workers, waiting):
            future = worker.ask("prepare", number, unit.items, source_ids(unit))
            waiting.append((replace(unit, items=[]), HeldHere(worker, number), future))
        else:
            future = Future()
            future.set_result(prepare(unit, source_ids(unit), settings))
            waiting.append((replace(unit, items=[]), None, future))
        while waiting and (waiting[0][2].done() or len(waiting) > (_AHEAD + 1) * jobs):
            yield _first(waiting)
    while waiting:
        yield _first(waiting)


def _emptied(units: deque[Unit]) -> Iterator[Unit]:
    while units:
        yield units.popleft()


def _with_room(workers: list[WorkerProcess], waiting: _Waiting) -> WorkerProcess | None:
    """Return the worker with the fewest units to prepare; None if all have enough."""
    asked = Counter(held.process for _, held, future in waiting if held and not future.done())
    ready = [worker for worker in workers if worker.ready and asked[worker] < _AHEAD]
    return min(ready, key=lambda worker: asked[worker], default=None)


def _first(waiting: _Waiting) -> tuple[Prepared, Held | None]:
    unit, held, future = waiting.popleft()
    return replace(future.result(), unit=unit), held


def source_ids(unit: Unit) -> dict[int, int]:
    """Return the ids of a unit's sources, by their numbers."""
    return {number: source_id(source) for number, source in unit.sources.items()}
