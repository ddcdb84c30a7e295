"""Where the Parquet files of a lake are: in a folder, or in an S3-compatible object store.

Whoever writes, lists, reads or removes these files does it by a :class:`Store`, over
``pyarrow.fs``. DuckDB reads them by their addresses, in an object store with the same keys
(:func:`paifu.stores.buckets.make_secret`).
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from paifu.host.private_folder import private_folder
from paifu.stores.buckets import Bucket, explained

if TYPE_CHECKING:
    import pyarrow as pa
    from _typeshed import ReadableBuffer as Buffer
    from pyarrow.fs import FileInfo, FileSystem

_BLOCK = 8 << 20


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in a store."""

    path: str
    """Relative to the store."""
    bytes: int
    modified: float
    """When it was written, in seconds since 1970, by the clock of the store."""


@dataclass(frozen=True, slots=True)
class Store:
    """The place of a lake's files; it holds no keys and can be sent to other processes.

    ``Lake.store`` is that of an open lake. In another process, or on another machine with the same
    folder mounted or the same keys in its environment, the files of a stage are written by it:

        staged = Staged(store, writer)   # paifu.lake.staging; writer: the name of a Locks
        staged.append(tables)            # Arrow tables by name, as often as you like
        staged.finish()                  # the files are complete and nobody's yet
        Written.of(staged)               # their paths, sizes and digests, to be sent

    The process that commits registers them: ``tx.add(written.staged(store))`` in
    :meth:`Lake.transact`. ``staged.discard()`` removes what was not handed over.

    Paths are relative to the store, with slashes (``main/games/paifu-….parquet``); absolute
    addresses are taken too, because a catalog may name files outside. In an object store all
    methods raise :class:`~paifu.errors.LakeError` with one line that says what is wrong and no
    key; in a folder they raise ``OSError``. A missing file is always a ``FileNotFoundError``.
    """

    address: str
    """The folder or URL, with a slash at the end, as DuckDB takes it."""
    bucket: Bucket | None = None
    """How to reach an object store; None for a folder."""

    @staticmethod
    def folder(path: Path) -> Store:
        """Return the store that is a folder."""
        return Store(f"{path}/")

    @property
    def path(self) -> Path | None:
        """The folder, or None for an object store."""
        return None if self.bucket else Path(self.address)

    def address_of(self, path: str) -> str:
        """Return the full name of a file, as DuckDB takes it.

        >>> Store.folder(Path("/srv/data")).address_of("main/games/a.parquet")
        '/srv/data/main/games/a.parquet'
        """
        absolute = path.startswith("/") or "://" in path or Path(path).is_absolute()
        return path if absolute else f"{self.address}{path}"

    def write(self, path: str) -> Sink:
        """Open a new file for writing.

        A file of an object store is first written on this machine, and sent when it is closed: so
        many files may be open, and one that is given up costs the store nothing.
        """
        system, name = self._at(path)
        if self.bucket:
            return Sink(self, path, tempfile.TemporaryFile(dir=private_folder()))
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        return Sink(self, path, system.open_output_stream(name))

    def send(self, path: str, source: BinaryIO) -> None:
        """Write a file that has the rest of another as its content."""
        system, name = self._at(path)
        with self._explaining(), system.open_output_stream(name) as stream:
            while block := source.read(_BLOCK):
                stream.write(block)

    def read(self, path: str) -> pa.NativeFile:
        """Open a file for reading at any position."""
        system, name = self._at(path)
        with self._explaining():
            return system.open_input_file(name)

    def delete(self, paths: Iterable[str]) -> None:
        """Remove files; those that are not there are left out."""
        for path in paths:
            system, name = self._at(path)
            with self._explaining(), contextlib.suppress(FileNotFoundError):
                system.delete_file(name)

    def list(self, under: str = "", pattern: str = "*", *, deep: bool = True) -> Iterator[Stored]:
        """Yield the files below a folder of the store whose names match a pattern."""
        from fnmatch import fnmatchcase

        from pyarrow.fs import FileSelector, FileType

        system, base = self._at(under)
        start = len(self._at("")[1])
        selector = FileSelector(base.rstrip("/"), allow_not_found=True, recursive=deep)
        with self._explaining():
            found: Iterable[FileInfo] = system.get_file_info(selector)
        for info in found:
            if info.type == FileType.File and fnmatchcase(info.base_name, pattern):
                yield Stored(info.path[start:], info.size, info.mtime_ns / 1e9)

    def facts(self, path: str) -> Stored:
        """Return the size and time of a file."""
        from pyarrow.fs import FileType

        system, name = self._at(path)
        with self._explaining():
            info = system.get_file_info(name)
        if info.type != FileType.File:
            raise FileNotFoundError(self.address_of(path))
        return Stored(path, info.size, info.mtime_ns / 1e9)

    def check(self) -> None:
        """Raise as all methods do if the folder or the bucket is not there."""
        system, name = self._at("")
        with self._explaining():
            if self.bucket:
                from pyarrow.fs import FileType

                name = name.partition("/")[0]
                if system.get_file_info(name).type == FileType.NotFound:
                    raise OSError("NoSuchBucket")
            else:
                Path(name).stat()

    def blocks(self, path: str) -> Iterator[bytes]:
        """Yield the content of a file from its beginning, in blocks."""
        system, name = self._at(path)
        with self._explaining(), system.open_input_stream(name) as file:
            while block := file.read(_BLOCK):
                yield block

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file, in hexadecimal."""
        found = hashlib.sha256()
        for block in self.blocks(path):
            found.update(block)
        return found.hexdigest()

    def _at(self, path: str) -> tuple[FileSystem, str]:
        """Return the file system, and the name of a file in it."""
        address = self.address_of(path)
        if self.bucket:
            return self.bucket.file_system(), self.bucket.name(address)
        from pyarrow.fs import LocalFileSystem

        return LocalFileSystem(), address

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            if self.bucket is None:
                raise
            raise explained(self.address, error) from None


class Sink:
    """A file that is being written: knows how many bytes it has, and their digest."""

    def __init__(self, store: Store, path: str, stream: BinaryIO | pa.NativeFile) -> None:
        self._store = store
        self._path = path
        self._stream = stream
        self._hash = hashlib.sha256()
        self.bytes = 0

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return bool(self._stream.closed)

    @property
    def sha256(self) -> str:
        """The SHA-256 of what has been written, in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, data: Buffer) -> int:
        """Append bytes."""
        self._stream.write(data)
        self._hash.update(data)
        size = memoryview(data).nbytes
        self.bytes += size
        return size

    def tell(self) -> int:
        """Return how many bytes have been written."""
        return self.bytes

    def flush(self) -> None:
        """Do nothing: the file is complete when it is closed."""

    def close(self) -> None:
        """Complete the file. Raises as the methods of :class:`Store` do."""
        if self._store.bucket and not self._stream.closed:
            with self._stream as stream:
                stream.seek(0)
                self._store.send(self._path, stream)
        self._stream.close()

    def give_up(self) -> None:
        """Close the file without completing it; a folder may have a part of it."""
        self._stream.close()
