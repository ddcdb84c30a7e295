"""Locks on files: a lock ends with the process that holds it, in whatever way that ends."""

from __future__ import annotations

import contextlib
import os
import random
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

TOLD = find_spec("fcntl") is not None
"""Whether a lock shows that its holder is running. On Windows every lock is granted and shows
nothing; but there a file that is in use cannot be removed."""


class FileLock:
    """A lock that is held until :meth:`release`, or until its process ends."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


def acquire(
    path: Path, *, shared: bool = False, create: bool = True, patience_s: float = 0.0
) -> FileLock | None:
    """Return a lock on a file, or None if others hold it for longer than the patience.

    Several ``shared`` locks are possible at the same time, but not together with an exclusive lock.
    Raises ``OSError`` for a file that cannot be opened or, with ``create``, made.
    """
    deadline = time.monotonic() + patience_s
    while True:
        descriptor = _opened(path, shared=shared, create=create)
        try:
            while not _locked(descriptor, shared=shared):
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return None
                time.sleep(0.01 + 0.04 * random.random())
        except BaseException:
            os.close(descriptor)
            raise
        if _is_at(path, descriptor):
            return FileLock(path, descriptor)
        os.close(descriptor)  # the holder before removed the file


def _opened(path: Path, *, shared: bool, create: bool) -> int:
    if shared:  # also on a read-only medium
        with contextlib.suppress(FileNotFoundError):
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return os.open(path, os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0), 0o666)


def _locked(descriptor: int, *, shared: bool) -> bool:
    if not TOLD:
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether the path still leads to the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
