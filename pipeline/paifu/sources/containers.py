"""From the arguments of ``ingest`` to single logs: files, folders, archives, standard input.

The content of a file decides what it is, never its name::

    for source in open_sources(["games/", "2019.zip", "-"]):     # in a stable order
        ...                        # source.sha256 and source.bytes are known by now
        for member in source.members():                          # one thread reads the source
            if isinstance(member, Unreadable): ...               # -> table rejects
            blob = member.unpack()                               # any thread: Blob | Unreadable
        ...                        # source.complete tells whether it was read to its end

A lobby list comes in parts of whole lines, so it may have any length. Here at most one member of a
source is in memory at a time. A caller that keeps several members limits their number and the sum
of ``len(member.packed)``. One level of nesting is opened: a gzip within a zip, but not a zip within
a zip.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from paifu.errors import SourceError
from paifu.sources.archives import (
    HEAD,
    TOO_LARGE,
    Member,
    Unreadable,
    archive_kind,
    sqlite_members,
    tar_members,
)
from paifu.sources.lines import is_lobby_list, whole_lines
from paifu.sources.objects import Objects, is_object
from paifu.sources.unpack import (
    BROKEN,
    LIMIT,
    UnpackedFile,
    UnpackError,
    beginning,
    compression,
)
from paifu.sources.zips import zip_members
from paifu.stores.store import Store

__all__ = ["Member", "Source", "Unreadable", "open_sources"]

_CHUNK = 1 << 20
_BAR, _BAR_WITHIN = b" | ", 1 << 13
"""The text between the columns of a lobby list, and how many first bytes are searched for it."""

_MOST_FILES, _SHORTEST_FILE = 2_000, 64
"""An archive may have this many files, and another file for each of these many bytes of its size.
The log of a game takes at least a thousand bytes, even packed as well as possible."""

_FAILURES: tuple[type[Exception], ...] = (
    zipfile.BadZipFile, tarfile.TarError, sqlite3.Error, UnicodeDecodeError, *BROKEN,
)  # fmt: skip
"""The errors of an archive that cannot be read any further."""

Digest = bytes


@dataclass(slots=True)
class Source:
    """One file on disk, or standard input, with the facts of table ``sources``."""

    number: int
    """Position among the sources of this run; the ``source`` of its members and blobs."""
    path: str
    """The path as given, or as found in a given folder; ``-`` is standard input."""
    format: str
    """``file``, ``gzip``, ``zstd``, ``bzip2``, ``zip``, ``tar``, ``tar.gz``, ``tar.zst``,
    ``tar.bz2``, ``sqlite``; ``unreadable``."""
    bytes: int
    modified_at: datetime | None
    """When the file was modified, with its zone (UTC)."""
    sha256: Digest | None
    """Of the file as it is on disk; None if it could not be read."""
    file: Path
    """Where its bytes are: the file itself, or the temporary copy of what is not on a disk."""
    is_list: bool = False
    """Whether it is a lobby list, which is handed out in parts of whole lines."""
    problem: str = ""
    """Why it could not be opened."""
    complete: bool = False
    """Whether :meth:`members` has reached the end of the source."""
    without_log: int = 0
    """How many rows of a database have no log; :meth:`members` skips them."""

    def members(self) -> Iterator[Member | Unreadable]:
        """Yield the source's files one by one, packed; ``Unreadable`` if one cannot be read."""
        if self.problem:
            yield Unreadable(self.number, "", "", self.problem)
            return
        most = _MOST_FILES + self.bytes // _SHORTEST_FILE
        try:
            for number, item in enumerate(self._open()):
                if number == most:
                    raise UnpackError(f"it has more than {most:,} files, too many for its size")
                yield item
        except _FAILURES as error:
            yield Unreadable(self.number, "", "", f"cannot read this {self.format}: {error}")
        else:
            self.complete = True

    def _count_without_log(self) -> None:
        self.without_log += 1

    def _open(self) -> Iterator[Member | Unreadable]:
        if self.format == "sqlite":
            yield from sqlite_members(self.file, self.number, self._count_without_log)
        elif self.format == "zip":
            with self.file.open("rb") as file:
                yield from zip_members(file, self.number)
        elif self.format.startswith("tar"):
            with closing(_decompressed(self.file, self.format.removeprefix("tar"))) as stream:
                yield from tar_members(stream, self.number)
        else:
            yield from self._single()

    def _single(self) -> Iterator[Member | Unreadable]:
        name = Path(self.path).name
        if self.is_list:
            with closing(_decompressed(self.file, _SUFFIX.get(self.format, ""))) as stream:
                for before, part in whole_lines(stream.read(HEAD), stream):
                    yield Member(self.number, "", name, part, lines_before=before)
        elif self.bytes > LIMIT:
            yield Unreadable(self.number, "", "", TOO_LARGE)
        else:
            yield Member(self.number, "", name, self.file.read_bytes(), start=0)


def open_sources(
    paths: Iterable[str | Path], leave_out: Iterable[Path] = (), near: Store | None = None
) -> Iterator[Source]:
    """Yield every file that the arguments name, in a stable order; folders are read recursively.

    An argument ``s3://bucket/…`` is a file or folder of an object store. The files and folders
    ``leave_out`` are skipped, and so is what belongs to ``near``, the store of a lake
    (:class:`~paifu.sources.objects.Objects`). Raises :class:`~paifu.errors.SourceError` for
    an argument that does not exist, before anything is read. A file that cannot be read becomes a
    source with one member, which is ``Unreadable``. The copy of standard input exists until the
    next source is requested.
    """
    given = [str(path) for path in paths]
    for path in given:
        if not path:  # Path would take it for the current folder
            raise SourceError("a source is named by an empty text: name a file or folder")
        if path != "-" and not is_object(path) and not Path(path).exists():
            raise SourceError(f"there is no file or folder {path}")
    elsewhere = {path: Objects(path, near) for path in given if is_object(path)}
    left_out = {path.resolve() for path in leave_out}
    number = 0
    for path in given:
        if path in elsewhere:
            for found in elsewhere[path].fetch():
                yield _source(number, found.address, found.file, found.modified_at, found.problem)
                number += 1
            continue
        if path == "-" or Path(path).is_fifo():
            with tempfile.NamedTemporaryFile(prefix="paifu-stdin-") as spool:
                with (
                    nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as pipe
                ):
                    shutil.copyfileobj(pipe, spool, _CHUNK)
                spool.flush()
                yield _source(number, path, Path(spool.name), None)
            number += 1
            continue
        for file in _files(Path(path), left_out):
            yield _source(number, _path_text(file), file, _modified(file))
            number += 1


def _source(
    number: int, path: str, file: Path, modified_at: datetime | None, problem: str = ""
) -> Source:
    def unreadable(problem: str, size: int = 0) -> Source:
        return Source(number, path, "unreadable", size, modified_at, None, file, problem=problem)

    if problem:
        return unreadable(problem)
    try:
        if not stat.S_ISREG(file.stat().st_mode) and not file.is_dir():
            return unreadable(f"{path} is a pipe, socket or device, not a file")
        with file.open("rb") as handle:
            head = handle.read(HEAD)
            inner = beginning(head, HEAD)
            container = _container(head, inner)
            if head.startswith(_PROGRAM):  # perhaps a zip that unpacks itself
                container = "zip" if zipfile.is_zipfile(handle) else container
                handle.seek(len(head))
            # The first check is quick, and enough for nearly all files.
            is_list = _BAR in inner[:_BAR_WITHIN] and is_lobby_list(inner)
            size = os.fstat(handle.fileno()).st_size
            if container == "file" and not is_list and size > LIMIT:
                return unreadable(TOO_LARGE, size)
            digest = hashlib.sha256(head)
            while chunk := handle.read(HEAD):
                digest.update(chunk)
            size = handle.tell()
    except OSError as error:
        return unreadable(f"cannot read {path}: {error.strerror or error}")
    return Source(
        number, path, container, size, modified_at, digest.digest(), file, is_list=is_list
    )


def _files(path: Path, left_out: set[Path]) -> Iterator[Path]:
    """Yield the files below a folder by path, or a file itself, except what is left out."""
    if not path.is_dir():
        if path.resolve() not in left_out:
            yield path
        return
    seen: set[tuple[int, int]] = set()  # symbolic links may form circles
    closed: list[Path] = []

    def note(error: OSError) -> None:
        closed.append(Path(error.filename))

    for folder, folders, names in os.walk(path, followlinks=True, onerror=note):
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) in seen or Path(folder).resolve() in left_out:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name)
    yield from closed  # opening such a folder as a file fails, and that is reported


def _path_text(file: Path) -> str:
    """Return a path as text for a table: bytes that are not UTF-8 become escapes like ``\\xff``."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")


def _modified(file: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):  # a file may have any year
        return None


_PROGRAM = (b"MZ", b"\x7fELF", b"#!")
"""The first bytes of a program on Windows, of a program elsewhere, and of a script."""
_SUFFIX = {"gzip": ".gz", "zstd": ".zst", "bzip2": ".bz2"}


def _container(head: bytes, inner: bytes) -> str:
    """Return the container format of a file, judging by its first bytes, packed and unpacked."""
    if archive := archive_kind(head):
        return archive
    kind = compression(head)
    if kind not in _SUFFIX:
        return "file"
    return f"tar{_SUFFIX[kind]}" if archive_kind(inner) == "tar" else kind


def _decompressed(file: Path, suffix: str) -> IO[bytes]:
    """Open a file to read its decompressed content."""
    handle = file.open("rb")
    kind = next((kind for kind, ending in _SUFFIX.items() if ending == suffix), None)
    return cast("IO[bytes]", UnpackedFile(handle, kind)) if kind else handle
