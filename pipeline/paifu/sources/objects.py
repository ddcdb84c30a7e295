"""Files of an S3-compatible object store as sources: each is read once, into a temporary file.

Small files are fetched ahead, several at a time, because each request waits for its answer.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from paifu.errors import PaifuError, SourceError
from paifu.host.private_folder import private_folder
from paifu.stores.buckets import SCHEME, Bucket
from paifu.stores.store import Store, Stored

_AT_ONCE = 8
"""Files that are fetched at a time."""
_AHEAD_BYTES = 64 << 20
"""Bytes that are fetched before they are asked for; a larger file is fetched alone."""


class Fetched(NamedTuple):
    """A file of a store on this machine, until the next one is asked for."""

    address: str
    file: Path
    modified_at: datetime | None
    problem: str
    """Why it could not be read; empty if it was."""


def is_object(address: str) -> bool:
    """Return whether a source is in an object store.

    >>> is_object("s3://logs/2019.zip"), is_object("logs/2019.zip")
    (True, False)
    """
    return address.startswith(SCHEME)


class Objects:
    """What an address names: one file, or all files below a folder, in the order of their names."""

    def __init__(self, address: str, near: Store | None = None) -> None:
        """``near`` is the store of the lake.

        Its settings are used if the environment has none, and its own files are left out. Raises
        :class:`~paifu.errors.SourceError` for an address that has no file, or cannot be reached.
        """
        try:
            found = Bucket.of(address)
            if near and near.bucket and not found.endpoint:
                known = near.bucket
                found = Bucket(found.bucket, known.endpoint, known.path_style, known.region)
            self._store = Store(f"{SCHEME}{found.bucket}/", found)
            own = near.address if near and near.bucket else None
            self._files = [
                file
                for file in self._named(address.removeprefix(self._store.address))
                if not own or not self._store.address_of(file.path).startswith(own)
            ]
        except SourceError:
            raise
        except PaifuError as error:
            raise SourceError(str(error)) from None
        if not self._files:
            raise SourceError(f"there is no file or folder {address}")

    def _named(self, name: str) -> list[Stored]:
        """Return the file of a name, or the files below it."""
        with contextlib.suppress(FileNotFoundError):
            if name.strip("/") and not name.endswith("/"):
                return [self._store.facts(name)]
        found = sorted(self._store.list(name.strip("/")), key=lambda file: file.path)
        if not found:
            self._store.check()
        return found

    def fetch(self) -> Iterator[Fetched]:
        """Yield the files, each on this machine until the next one is asked for."""
        with (
            TemporaryDirectory(dir=private_folder()) as folder,
            ThreadPoolExecutor(_AT_ONCE) as threads,
        ):
            waiting: deque[tuple[Stored, Future[Fetched]]] = deque()
            ahead = 0
            for number, file in enumerate(self._files):
                while waiting and (len(waiting) == _AT_ONCE or ahead + file.bytes > _AHEAD_BYTES):
                    first, future = waiting.popleft()
                    ahead -= first.bytes
                    yield from _handed_out(future)
                place = Path(folder) / str(number)
                waiting.append((file, threads.submit(self._fetched, file, place)))
                ahead += file.bytes
            for _, future in waiting:
                yield from _handed_out(future)

    def _fetched(self, file: Stored, place: Path) -> Fetched:
        address = self._store.address_of(file.path)
        modified = datetime.fromtimestamp(file.modified, UTC)
        try:
            with place.open("wb") as copy:
                for block in self._store.blocks(file.path):
                    copy.write(block)
        except (PaifuError, OSError) as error:
            return Fetched(address, place, modified, f"cannot read {address}: {error}")
        return Fetched(address, place, modified, "")


def _handed_out(future: Future[Fetched]) -> Iterable[Fetched]:
    found = future.result()
    try:
        yield found
    finally:
        found.file.unlink(missing_ok=True)
