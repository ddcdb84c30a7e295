"""How processes at the same lake know of each other: by locks that end with their process.

Readers share the lock *readers*. A process that commits holds the lock *commits* alone during the
transaction. Each writer holds a lock with its own name from start to end, and is registered by that
name, so that the files that a killed writer left are known by it.

In a folder, locks are on files (:class:`FolderLocks`). With a catalog in PostgreSQL they are
advisory locks of a session of their own (:mod:`paifu.lake.postgres`).
"""

from __future__ import annotations

import contextlib
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from paifu.errors import LakeError
from paifu.host.file_locks import TOLD, FileLock, acquire

COMMIT_PATIENCE_S = 900.0
"""How long a commit waits for another; merging the files of a large table is a long commit."""
READERS_PATIENCE_S = 20.0
"""How long the removal of files waits for their readers."""

_WRITER = "writer-"


@dataclass(frozen=True, slots=True)
class DeadWriters:
    """Writers that were killed, while no other process can get hold of them."""

    since: dict[str, float]
    """When each began, by name, in seconds since 1970."""
    alone: bool
    """Whether no other writer is alive."""


class Locks(ABC):
    """The locks that one connection holds on a lake."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._commits = False
        """Whether this connection holds the lock for commits."""
        self.name = uuid.uuid4().hex[:16]
        """The name in the files that this connection writes."""
        self.abandoned = False
        """Whether files may be left that the next writer must remove, as those of the killed."""

    @abstractmethod
    def write(self) -> None:
        """Register as a writer."""

    @abstractmethod
    def close(self) -> None:
        """End all locks, and the registration as a writer unless files are abandoned."""

    @contextlib.contextmanager
    def committing(self) -> Iterator[None]:
        """In this context only this connection may commit.

        Raises :class:`~paifu.errors.LakeError` if waiting for others takes too long.
        """
        if self._commits:
            yield
            return
        with self._lock_commits() or self._refused("is being written"):
            self._commits = True
            try:
                yield
            finally:
                self._commits = False

    @abstractmethod
    def _lock_commits(self) -> AbstractContextManager[object] | None:
        """Return the held lock for commits; None if that takes too long."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents the removal of files, except files long out of use.

        Raises :class:`~paifu.errors.LakeError` if waiting for others takes too long.
        """

    def alone(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents reading.

        Raises :class:`~paifu.errors.LakeError` if others do not stop reading soon.
        """
        hint = "wait for it to end, or leave --now out"
        return self._lock_readers() or self._refused("is being read", hint)

    @abstractmethod
    def _lock_readers(self) -> AbstractContextManager[object] | None:
        """Return a held lock that excludes readers; None if that takes too long."""

    def _refused(self, state: str, hint: str = "try again when it has ended") -> NoReturn:
        raise LakeError(f"the lake at {self._place} {state} by another process: {hint}")

    @abstractmethod
    def dead_writers(self) -> AbstractContextManager[DeadWriters]:
        """Return a context with the writers that were killed.

        In this context no other process gets the same ones.
        """

    @abstractmethod
    def forget_writers(self, dead: DeadWriters) -> None:
        """End the registration of dead writers, after clearing up, within that context."""


class FolderLocks(Locks):
    """Locks on the files of a folder."""

    def __init__(self, place: str, folder: Path) -> None:
        super().__init__(place)
        self._folder = folder
        self._writer: FileLock | None = None

    def write(self) -> None:
        """Make the lock files, and register as a writer, unless this was done."""
        if self._writer is not None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in ("readers", "commits"):
            (self._folder / name).touch()
        self._writer = acquire(self._path(self.name))

    def close(self) -> None:
        """End the registration as a writer."""
        if self._writer is not None:
            if not self.abandoned:
                self._writer.path.unlink(missing_ok=True)
            self._writer.release()

    def _lock_commits(self) -> AbstractContextManager[object] | None:
        self._folder.mkdir(parents=True, exist_ok=True)
        return acquire(self._folder / "commits", patience_s=COMMIT_PATIENCE_S)

    def reading(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents the removal of files, except files long out of use."""
        try:
            lock = acquire(
                self._folder / "readers", shared=True, create=False, patience_s=COMMIT_PATIENCE_S
            )
        except OSError:  # a lake of an older paifu, or on a read-only medium
            return nullcontext()
        return lock or self._refused("is being compacted")

    def _lock_readers(self) -> AbstractContextManager[object] | None:
        return acquire(self._folder / "readers", patience_s=READERS_PATIENCE_S)

    @contextlib.contextmanager
    def dead_writers(self) -> Iterator[DeadWriters]:
        """A context with the writers that were killed, with their lock files locked."""
        since: dict[str, float] = {}
        alone = True
        with contextlib.ExitStack() as held:
            for path in self._folder.glob(f"{_WRITER}*") if TOLD else ():
                if self._writer is not None and path == self._writer.path:
                    continue
                with contextlib.suppress(FileNotFoundError):  # that writer has just ended
                    if lock := acquire(path, create=False):
                        held.enter_context(lock)
                        since[path.name.removeprefix(_WRITER)] = path.stat().st_mtime
                    else:
                        alone = False
            yield DeadWriters(since, alone)

    def forget_writers(self, dead: DeadWriters) -> None:
        """Remove the lock files of dead writers."""
        for name in dead.since:
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{_WRITER}{name}"
