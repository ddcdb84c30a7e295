"""How processes at one lake know of each other: locks on files in its folder ``locks``.

Whoever reads holds ``readers`` together with all others who do; whoever commits holds ``commits``
alone, for as long as the transaction takes; and each writer holds a file of its own name from start
to end. Locks end with their process: files that a killed writer left are known by its name.

A lake by a URL has no folder. There the catalog alone keeps writers apart, and nobody is known to
read.
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
"""How long a commit waits for another one: merging the files of a large table is one."""
READERS_PATIENCE_S = 20.0
"""How long files that are to go at once wait for those who read them."""

_WRITER = "writer-"


class Locks:
    """The locks of one lake, as one connection to it takes them."""

    def __init__(self, location: Location) -> None:
        self._place = location.place
        self._folder = None if location.is_url else location.locks
        self._writer: FileLock | None = None
        self._commits = False
        """This connection holds the lock of commits."""
        self.name = uuid.uuid4().hex[:16]
        """What the files that this connection writes are known by."""

    def write(self) -> None:
        """Make the files of the locks, and be known as a writer from here on."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in ("readers", "commits"):
            (self._folder / name).touch()
        self._writer = acquire(self._folder / f"{_WRITER}{self.name}")

    def close(self) -> None:
        """Be known as a writer no longer."""
        if self._writer is not None:
            self._writer.path.unlink(missing_ok=True)
            self._writer.release()

    @contextlib.contextmanager
    def committing(self) -> Iterator[None]:
        """Within, this connection is the only one to commit.

        Raises :class:`~paifu.errors.LakeError` where waiting for others takes too long.
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
        """Return a held lock under which no file is taken away, but for those long out of use.

        Raises :class:`~paifu.errors.LakeError` where waiting for others takes too long.
        """
        if self._folder is None:
            return nullcontext()
        try:
            lock = acquire(
                self._folder / "readers", shared=True, create=False, patience_s=COMMIT_PATIENCE_S
            )
        except OSError:  # of an older paifu, or on a medium that is only read
            return nullcontext()
        return lock or self._refused("is being compacted")

    def alone(self) -> AbstractContextManager[object]:
        """Return a held lock under which nobody reads.

        Raises :class:`~paifu.errors.LakeError` where others do not stop reading soon.
        """
        if self._folder is None:
            return nullcontext()
        lock = acquire(self._folder / "readers", patience_s=READERS_PATIENCE_S)
        return lock or self._refused("is being read", "wait for it to end, or leave --now out")

    def _refused(self, state: str, hint: str = "try again when it has ended") -> NoReturn:
        raise LakeError(f"the lake at {self._place} {state} by another process: {hint}")

    @contextlib.contextmanager
    def dead_writers(self) -> Iterator[tuple[list[Path], bool]]:
        """Offer the lock files of writers that were killed, and whether no other writer lives.

        Within, nobody else is offered the same. Who removes such a file has cleared up.
        """
        dead: list[Path] = []
        alone = True
        with contextlib.ExitStack() as held:
            for path in self._folder.glob(f"{_WRITER}*") if self._folder and TOLD else ():
                if self._writer is not None and path == self._writer.path:
                    continue
                with contextlib.suppress(FileNotFoundError):  # it has just come to its end
                    if lock := acquire(path, create=False):
                        held.enter_context(lock)
                        dead.append(path)
                    else:
                        alone = False
            yield dead, alone


def writer_of(lock: Path) -> str:
    """Return the name of the writer that a lock's file is of."""
    return lock.name.removeprefix(_WRITER)
