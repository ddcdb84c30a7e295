"""How processes at the same lake know of each other: locks on files in its folder ``locks``.

Readers share the lock ``readers``. A process that commits holds the lock ``commits`` alone during
the transaction. Each writer holds a lock file with its own name from start to end. A lock ends with
its process, and files that a killed writer left have its name.

A lake at a URL has no folder. There only the catalog keeps writers apart, and readers are unknown.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NoReturn

from paifu.errors import LakeError
from paifu.host.file_locks import TOLD, FileLock, acquire
from paifu.lake.connection import Location

COMMIT_PATIENCE_S = 900.0
"""How long a commit waits for another; merging the files of a large table is a long commit."""
READERS_PATIENCE_S = 20.0
"""How long the removal of files waits for their readers."""

_WRITER = "writer-"


class Locks:
    """The locks that one connection holds on a lake."""

    def __init__(self, location: Location) -> None:
        self._place = location.place
        self._folder = None if location.is_url else location.locks
        self._writer: FileLock | None = None
        self._commits = False
        """Whether this connection holds the lock for commits."""
        self.name = uuid.uuid4().hex[:16]
        """The name in the files that this connection writes."""

    def write(self) -> None:
        """Make the lock files, and register as a writer, unless this was done."""
        if self._folder is None or self._writer is not None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in ("readers", "commits"):
            (self._folder / name).touch()
        self._writer = acquire(self._folder / f"{_WRITER}{self.name}")

    def close(self) -> None:
        """End the registration as a writer."""
        if self._writer is not None:
            self._writer.path.unlink(missing_ok=True)
            self._writer.release()

    @contextlib.contextmanager
    def committing(self) -> Iterator[None]:
        """In this context only this connection may commit.

        Raises :class:`~paifu.errors.LakeError` if waiting for others takes too long.
        """
        if self._folder is None or self._commits:
            yield
            return
        lock = acquire(self._folder / "commits", patience_s=COMMIT_PATIENCE_S)
        with lock or self._refused("is being written"):
            self._commits = True
            try:
                yield
            finally:
                self._commits = False

    def reading(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents the removal of files, except files long out of use.

        Raises :class:`~paifu.errors.LakeError` if waiting for others takes too long.
        """
        if self._folder is None:
            return nullcontext()
        try:
            lock = acquire(
                self._folder / "readers", shared=True, create=False, patience_s=COMMIT_PATIENCE_S
            )
        except OSError:  # a lake of an older paifu, or on a read-only medium
            return nullcontext()
        return lock or self._refused("is being compacted")

    def alone(self) -> AbstractContextManager[object]:
        """Return a held lock that prevents reading.

        Raises :class:`~paifu.errors.LakeError` if others do not stop reading soon.
        """
        if self._folder is None:
            return nullcontext()
        lock = acquire(self._folder / "readers", patience_s=READERS_PATIENCE_S)
        return lock or self._refused("is being read", "wait for it to end, or leave --now out")

    def _refused(self, state: str, hint: str = "try again when it has ended") -> NoReturn:
        raise LakeError(f"the lake at {self._place} {state} by another process: {hint}")

    @contextlib.contextmanager
    def dead_writers(self) -> Iterator[tuple[list[Path], bool]]:
        """Yield the lock files of writers that were killed, and whether no other writer is alive.

        In this context no other process gets the same files. Remove a file after clearing up.
        """
        dead: list[Path] = []
        alone = True
        with contextlib.ExitStack() as held:
            for path in self._folder.glob(f"{_WRITER}*") if self._folder and TOLD else ():
                if self._writer is not None and path == self._writer.path:
                    continue
                with contextlib.suppress(FileNotFoundError):  # that writer has just ended
                    if lock := acquire(path, create=False):
                        held.enter_context(lock)
                        dead.append(path)
                    else:
                        alone = False
            yield dead, alone


def writer_of(lock: Path) -> str:
    """Return the name of the writer of a lock file."""
    return lock.name.removeprefix(_WRITER)
