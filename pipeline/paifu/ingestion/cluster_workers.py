"""Prepares units on the workers of a cluster, and yields them in order.

A task is some units, the more the longer an ingest runs, because each task costs the scheduler and
the committer the same. The rows stay in the memory of the worker, packed, while the committer
decides which games to keep; then they are written. So what is done depends only on what is asked,
and if a worker ends, another does it again. Files that are never registered have the name of the
committer's writer, which removes them at its end.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.errors import SourceError
from paifu.ingestion.kept_games import Counts
from paifu.ingestion.known_games import COLUMNS
from paifu.ingestion.prepare import Prepared, Settings, prepare
from paifu.ingestion.units import Unit
from paifu.ingestion.workers import source_ids, store
from paifu.lake.forget import Forgotten
from paifu.lake.lake import Lake
from paifu.lake.names import Policy, apply_policy
from paifu.lake.staging import Staged, Written, try_to_write
from paifu.sources.archives import Member
from paifu.sources.containers import Unreadable
from paifu.stores.store import Store

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster, Kept, Workers

Mask = npt.NDArray[np.bool_]
Items = list[Member | Unreadable]

MOST_UNITS = 20
"""Units of a task; the first tasks have fewer, so that no worker waits."""

_AHEAD = 2
"""Tasks that are asked of each worker at a time."""

_MOST_SENT = 8 << 20
"""Bytes of logs that are sent with a task; most logs are read by the worker itself."""


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs of a unit as a worker gets them: those in files that it can read have no bytes."""

    items: Items
    ids: dict[int, int]
    """The ids of the sources, by number."""
    files: dict[int, tuple[Path, int]]
    """Path and size of the file of each source that the worker reads itself, by number."""
    lengths: list[int]
    """The length of the packed bytes of each item."""

    @staticmethod
    def of(unit: Unit) -> Logs:
        """Return the logs of a unit, without the bytes of those that are in a file."""
        files = {
            number: (source.file.absolute(), source.bytes)
            for number, source in unit.sources.items()
            if str(source.file) == source.path  # a copy of standard input is only here
        }
        lengths = [len(item.packed) if isinstance(item, Member) else 0 for item in unit.items]
        items = [
            replace(item, packed=b"")
            if isinstance(item, Member) and item.start is not None and item.source in files
            else item
            for item in unit.items
        ]
        return Logs(items, source_ids(unit), files, lengths)

    @property
    def sent(self) -> int:
        """How many bytes of logs are sent."""
        return sum(len(item.packed) for item in self.items if isinstance(item, Member))

    def unit(self) -> Unit:
        """Return the unit with all bytes.

        Raises :class:`~paifu.errors.SourceError` if a file is not the one that the sender read,
        ``OSError`` if it cannot be read.
        """
        unit = Unit()
        with ExitStack() as opened:
            source, file = -1, cast("BinaryIO", None)
            for item, length in zip(self.items, self.lengths, strict=True):
                if (
                    not isinstance(item, Member)
                    or item.start is None
                    or item.source not in self.files
                ):
                    unit.add(item)
                    continue
                if item.source != source:
                    opened.close()
                    file = opened.enter_context(_same_file(*self.files[item.source]))
                    source = item.source
                file.seek(item.start)
                unit.add(replace(item, packed=file.read(length)))
        return unit


def _same_file(path: Path, size: int) -> BinaryIO:
    """Open a file, which must have the size that it has for the sender."""
    file = path.open("rb")
    if os.fstat(file.fileno()).st_size != size:
        file.close()
        raise SourceError(
            f"{path} is another file on {socket.gethostname()}, or has just changed: all workers "
            "must see the sources under the same paths"
        )
    return file


@dataclass(frozen=True, slots=True)
class Rows:
    """The units of a task: what decisions need, and all rows, packed."""

    facts: list[Prepared]
    packed: list[dict[str, pa.Buffer]]

    def __sizeof__(self) -> int:
        """Return the bytes that this takes in the memory of a worker."""
        return sum(buffer.size for tables in self.packed for buffer in tables.values())


class Worker:
    """What a worker of a cluster does: prepares units and writes what is kept of them."""

    def __init__(
        self, files: Store, writer: str, names: Policy, salt: bytes | None, settings: Settings
    ) -> None:
        """``files`` and ``writer`` are the place and the name for the files.

        Raises ``OSError`` or ``LakeError`` if the worker cannot write there.
        """
        self._files, self._writer = files, writer
        self._names, self._salt, self._settings = names, salt, settings
        try_to_write(files, writer)

    def prepare(self, units: list[Logs]) -> Rows:
        """Prepare units."""
        rows = Rows([], [])
        for logs in units:
            prepared = prepare(logs.unit(), logs.ids, self._settings)
            stored = apply_policy(self._names, self._salt, prepared.tables)
            rows.packed.append({name: _packed(table) for name, table in stored.items()})
            games = prepared.tables["games"].select(COLUMNS)
            rows.facts.append(replace(prepared, unit=Unit(), tables={"games": games}))
        return rows

    def facts(self, rows: Rows) -> list[Prepared]:
        """Return of each unit the rejects, and of the tables what decisions need."""
        return rows.facts

    def store(
        self, rows: Rows, keep: dict[int, Mask], forgotten: Forgotten
    ) -> tuple[dict[int, Counts], Written]:
        """Write the games to keep of some units, by their numbers; return the counts of each."""
        staged = Staged(self._files, self._writer)
        forgotten = replace(forgotten, key=self._salt or b"")
        counts: dict[int, Counts] = {}
        try:
            for number, kept in keep.items():
                tables = {name: _unpacked(data) for name, data in rows.packed[number].items()}
                counts[number] = store(tables, kept, forgotten, staged, "keep", None)
            staged.finish()
            return counts, Written.of(staged)
        except BaseException:
            staged.discard()
            raise

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _packed(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _unpacked(data: pa.Buffer) -> pa.Table:
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


class _Task:
    """The units of a task while the committer decides about them."""

    def __init__(self, workers: Workers, rows: Kept, units: int) -> None:
        self._workers, self._rows, self._units = workers, rows, units
        self._keep: dict[int, Mask] = {}
        self._counts: dict[int, Future[Counts]] = {}
        self._forgotten = Forgotten()
        self._written: Future[Written] = Future()

    def store(self, number: int, keep: Mask, forgotten: Forgotten) -> Future[Counts]:
        """Note what to keep of a unit; after the last unit, let a worker write."""
        self._forgotten = replace(forgotten, key=b"")  # workers have the key
        self._keep[number] = keep
        counts = self._counts[number] = Future()
        if number == self._units - 1:
            self.finish()
        return counts

    def finish(self) -> Future[Written]:
        """Let a worker write what is to be kept; return what the last such task writes."""
        if self._keep:
            counts, self._counts = self._counts, {}
            keep, self._keep = self._keep, {}
            written = self._written = Future()
            stored = self._workers.ask("store", keep, self._forgotten, of=(self._rows,), first=True)
            stored.add_done_callback(lambda answer: _pass_on(answer, counts, written))
        return self._written


def _pass_on(
    answer: Future[tuple[dict[int, Counts], Written]],
    counts: dict[int, Future[Counts]],
    written: Future[Written],
) -> None:
    if error := answer.exception():
        for future in counts.values():
            future.set_exception(error)
        written.set_exception(error)
        return
    each, files = answer.result()
    for number, future in counts.items():
        future.set_result(each[number])
    written.set_result(files)


@dataclass(frozen=True, slots=True)
class Held:
    """The rows of one unit of a task."""

    writer: _Task
    number: int

    def store(self, keep: Mask, forgotten: Forgotten) -> Future[Counts]:
        """Let a worker write the rows of the games to keep, with those of the other units."""
        return self.writer.store(self.number, keep, forgotten)

    def finish(self) -> Future[Written]:
        """Let a worker write the rows of the units about which was decided."""
        return self.writer.finish()


def prepared_units(
    work: Iterator[Unit], settings: Settings, lake: Lake, cluster: Cluster, started: ExitStack
) -> Iterator[tuple[Prepared, Held]]:
    """Yield the units in order, prepared by workers that ``started`` ends."""
    started.callback(lake.clear_up_own)
    names, salt = lake.names, lake.salt()
    workers = started.enter_context(
        cluster.workers(f"{__name__}:Worker", lake.store, lake.locks.name, names, salt, settings)
    )
    waiting: deque[tuple[list[Unit], _Task, Future[list[Prepared]]]] = deque()
    for units, logs in _tasks(work, workers):
        rows = workers.keep("prepare", logs)
        facts = workers.ask("facts", of=(rows,))
        waiting.append((units, _Task(workers, rows, len(units)), facts))
        while len(waiting) > _AHEAD * workers.count:
            yield from _first(waiting)
    while waiting:
        yield from _first(waiting)


def _tasks(work: Iterator[Unit], workers: Workers) -> Iterator[tuple[list[Unit], list[Logs]]]:
    """Yield units together: a round of tasks has one for each worker, of about the same size.

    In each round the tasks are twice as large as before. The units come without their logs, and
    with what is sent of these.
    """
    most = 1
    while parts := _round(work, most * workers.count, _MOST_SENT * workers.count):
        size = -(-len(parts) // workers.count)
        for first in range(0, len(parts), size):
            part = parts[first : first + size]
            yield [unit for unit, _ in part], [logs for _, logs in part]
        most = min(2 * most, MOST_UNITS)


def _round(work: Iterator[Unit], most: int, most_sent: int) -> list[tuple[Unit, Logs]]:
    """Return the next units, at most so many, of which about so many bytes are sent."""
    parts: list[tuple[Unit, Logs]] = []
    sent = 0
    for unit in islice(work, most):
        logs = Logs.of(unit)
        parts.append((replace(unit, items=[]), logs))
        sent += logs.sent
        if sent >= most_sent:
            break
    return parts


def _first(
    waiting: deque[tuple[list[Unit], _Task, Future[list[Prepared]]]],
) -> Iterator[tuple[Prepared, Held]]:
    units, task, facts = waiting.popleft()
    for number, (unit, prepared) in enumerate(zip(units, facts.result(), strict=True)):
        yield replace(prepared, unit=unit), Held(task, number)
