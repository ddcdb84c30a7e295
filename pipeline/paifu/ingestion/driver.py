"""An ingest: cuts sources into units, lets workers prepare them, and commits them in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from paifu.errors import SourceError, UsageError
from paifu.formats.registry import formats
from paifu.host.schedulers import cluster_at
from paifu.host.threads import worker_count
from paifu.ingestion.alike_names import AlikeNames
from paifu.ingestion.cluster_workers import prepared_units as prepared_on_cluster
from paifu.ingestion.committer import Committer, Flagged
from paifu.ingestion.kept_games import Counts
from paifu.ingestion.prepare import Prepared, Rejected, Settings
from paifu.ingestion.units import units
from paifu.ingestion.workers import Held, prepared_units
from paifu.lake.lake import Lake
from paifu.lake.location import Location
from paifu.lake.names import Policy
from paifu.lake.retention import tidy
from paifu.sources.containers import Source, open_sources

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster

BATCH_GAMES = 20_000
"""Games per transaction by default, or more: each of ``jobs`` writes files of half as many."""

UNIT_LOGS = 500
"""Logs that a worker takes at a time: many enough for kernels to pay, few enough for memory."""

Progress = Callable[[int, int], None]
"""Called during the work with the bytes of sources read and the games stored so far."""

OnReject = Callable[[str, Rejected], None]
"""Called for each new reject, with the path of the source of the log."""

OnFlag = Callable[[Flagged], None]
"""Called for each flag of a game that was stored."""


@dataclass(slots=True)
class Summary(Counts):
    """What an ingest did. ``paifu ingest --json`` prints these fields."""

    sources: int = 0
    """Files looked at, including files with nothing new."""
    without_log: int = 0
    """Rows of databases that name a log but have none: known, but not downloaded."""
    seconds: float = 0.0
    lake: str = ""
    alike_names: list[AlikeNames] = field(default_factory=list)
    """Names in score sheets of this run that are nearly the name of somebody else."""


def ingest(
    sources: str | Path | Iterable[str | Path],
    lake: str | Path,
    *,
    format: str | None = None,
    jobs: int | None = None,
    batch_games: int | None = None,
    names: Policy | None = None,
    actions: bool = True,
    refresh: bool = False,
    scheduler: str | Cluster | None = None,
    progress: Progress | None = None,
    on_reject: OnReject | None = None,
    on_flag: OnFlag | None = None,
) -> Summary:
    """Bring logs into a lake; make the lake if there is none, and skip what it already has.

    ``sources`` are files, folders, archives, ``s3://bucket/…`` for a file or a folder of an
    object store, and ``-`` for standard input. A folder within them
    that is the lake is left out, and so is its catalog. ``format`` is the key of an importer
    (``tenhou_json`` or ``tenhou-json``) that reads all logs, instead of recognising them by
    content. ``jobs`` is the number of processes that work (default: one per processor); others than
    this one are started if there are more than some thousand logs. With ``scheduler``, the address
    of a Dask scheduler or a :class:`~paifu.host.cluster.Cluster`, its workers do their work.
    ``batch_games`` are stored in one transaction. ``names`` is the policy ``keep``, ``hash`` or
    ``drop`` for a new lake. ``actions`` False leaves table ``actions`` empty. ``refresh`` replaces
    games that older versions read.

    A log that cannot be read goes to table ``rejects``; the other logs are still read.
    ``on_reject`` gets it too, unless an earlier run has stored it with the same reason. At the end,
    ``on_flag`` gets the flags of the games stored.

    Raises :class:`~paifu.errors.SourceError`, before a lake is made, for a source that does not
    exist or if no source has a file; :class:`~paifu.errors.LakeError` for a lake that cannot be
    opened or written; :class:`~paifu.host.cluster.ClusterError` for a cluster that cannot be used.
    """
    started = time.monotonic()
    format = format and format.replace("-", "_")
    if format is not None and format not in formats():
        raise UsageError(f"there is no format {format!r}: there are {', '.join(formats())}")
    if jobs is not None and scheduler is not None:
        raise UsageError(
            "choose one of jobs and scheduler: its workers are those that were started"
        )
    jobs = worker_count(jobs)
    if batch_games is not None and batch_games < 1:
        raise UsageError("a batch takes at least one game")
    paths = [sources] if isinstance(sources, str | Path) else list(sources)
    where = Location.of(lake)
    found = open_sources(paths, leave_out=where.own_files(), near=where.store)
    first = next(found, None)  # before a lake is made: without files there is no lake to make
    if first is None:
        raise SourceError(f"there is no file in {', '.join(map(str, paths))}")
    with ExitStack() as held:
        cluster = held.enter_context(cluster_at(scheduler))
        workers = jobs if cluster is None else cluster.count
        if batch_games is None:
            batch_games = max(BATCH_GAMES, workers * BATCH_GAMES // 2)
        opened = held.enter_context(Lake.open(lake, create=True, names=names))
        tidy(opened)
        committer = Committer(opened, refresh=refresh, batch_games=batch_games)
        read = _Reading(chain([first], found), progress, committer)
        work = units(read.sources(), min(batch_games, UNIT_LOGS), committer.skip)
        settings = Settings(format, actions)
        prepared: Iterator[tuple[Prepared, Held | None]]
        if cluster is None:
            prepared = prepared_units(work, settings, opened, workers, held)
        else:
            prepared = prepared_on_cluster(work, settings, opened, cluster, held)
        try:
            for unit, rows in prepared:
                for reject in committer.commit(unit, rows):
                    if on_reject:
                        on_reject(read.paths[reject.source], reject)
                read.report()
            committer.finish()
            alike = committer.alike_names()
            if on_flag:
                for flagged in committer.flags():
                    on_flag(flagged)
        finally:
            committer.discard()
    seconds = round(time.monotonic() - started, 3)
    counts = asdict(committer.counts)
    return Summary(
        **counts, sources=len(read.paths), without_log=read.without_log, seconds=seconds,
        lake=where.text if where.folder else where.place,
        alike_names=alike,
    )  # fmt: skip


class _Reading:
    """The sources of a run while they are read, and how much has been read."""

    def __init__(
        self, sources: Iterable[Source], progress: Progress | None, committer: Committer
    ) -> None:
        self._sources = sources
        self._progress = progress
        self._committer = committer
        self._bytes = 0
        self.paths: list[str] = []
        self.without_log = 0

    def sources(self) -> Iterator[Source]:
        for source in self._sources:
            self.paths.append(source.path)
            yield source
            self._bytes += source.bytes
            self.without_log += source.without_log
            self.report()

    def report(self) -> None:
        if self._progress:
            self._progress(self._bytes, self._committer.counts.games)
