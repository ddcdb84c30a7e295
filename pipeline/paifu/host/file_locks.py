"""Locks on files: they end with the process that holds them, however that ends."""

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
"""A lock tells whether its holder lives. Else, on Windows, every lock is granted and tells nothing;
there a file that is in use cannot be removed."""


class FileLock:
    """A lock that is held until :meth:`release`, or until its process ends."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let others have it."""
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
    """Return a lock on a file; None where others hold it for longer than the patience.

    ``shared`` locks stand beside one another, but not beside one that is not. Raises ``OSError``
    for a file that cannot be opened or, with ``create``, made.
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
        os.close(descriptor)  # whoever held it before took the file away


def _opened(path: Path, *, shared: bool, create: bool) -> int:
    if shared:  # on a medium that is only read, too
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
    """Tell whether the path still leads to the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
