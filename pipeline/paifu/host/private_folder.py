"""A temporary folder for this process only; a later run removes it if this one is killed."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from paifu.host.file_locks import TOLD, FileLock, acquire

_PREFIX = "paifu-run-"
_LOCK = "in-use"


@cache
def private_folder() -> Path:
    """Return a folder that only this user may read. Raises ``OSError`` if it cannot be made."""
    sweep()
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with contextlib.suppress(FileNotFoundError):  # removed before it could be locked
            if lock := acquire(folder / _LOCK):
                atexit.register(_remove, folder, lock)
                return folder


def _remove(folder: Path, lock: FileLock) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()


def leftovers() -> list[Path]:
    """Return the folders of this user's processes that were killed."""
    found = _abandoned()
    for _, lock in found:
        lock.release()
    return [folder for folder, _ in found]


def sweep() -> None:
    """Remove what killed processes of this user left behind."""
    for folder, lock in _abandoned():
        _remove(folder, lock)


def _abandoned() -> list[tuple[Path, FileLock]]:
    found: list[tuple[Path, FileLock]] = []
    if not TOLD:
        return found
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # another run may remove it first
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            if lock := acquire(folder / _LOCK, create=False):
                found.append((folder, lock))
    return found
