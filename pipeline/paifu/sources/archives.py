"""Opens archives: the members of a tar file and the rows of a SQLite database, one by one.

Members come out packed, as they are in the archive. So the thread that reads the archive has little
to do, and worker threads unpack. Only a long lobby list is unpacked by the reading thread, in parts
of whole lines. A member that cannot be read becomes an :class:`Unreadable`, and reading goes on.
"""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

from isal import isal_zlib

from paifu.game.times import JAPAN
from paifu.messages import with_article
from paifu.sources.blob import Blob
from paifu.sources.lines import is_lobby_list, whole_lines
from paifu.sources.member_names import member_name
from paifu.sources.plain_text import plain_text
from paifu.sources.unpack import (
    BROKEN,
    LIMIT,
    UnpackedFile,
    UnpackError,
    beginning,
    compression,
    decompress,
    unpack,
)
from paifu.sources.workbooks import begins_as_workbook

_TAR_SUM = slice(148, 156)
_OCTAL = b"01234567 \0"

BAD_CHECKSUM = "damaged: its checksum (CRC-32) does not fit"
TOO_LARGE = f"larger than {LIMIT >> 20} MiB, more than any log is"


@dataclass(slots=True)
class Unreadable:
    """Something in a source that cannot be read, for the table of rejects."""

    source: int
    member: str
    position: str
    """``byte 1234`` of the packed member, or ``""``."""
    reason: str
    """A sentence for a person."""


@dataclass(slots=True)
class Member:
    """One file of a source, still packed. :meth:`unpack` may run in any thread."""

    source: int
    member: str
    """Path within the source, ``""`` if the source is the log itself."""
    name: str
    """File name, from which a log id can be read."""
    packed: bytes
    deflated: bool = False
    """Whether ``packed`` is a bare deflate stream, as in a zip."""
    crc: int | None = None
    """The CRC-32 of the unpacked bytes, as the zip says."""
    log_id: str | None = None
    played_at: datetime | None = None
    lines_before: int = 0
    """How many lines of the file come before this part."""
    start: int | None = None
    """Where the packed bytes begin in the file of the source, if that has them as they are."""

    def unpack(self) -> Blob | Unreadable:
        """Return the log without the compression of the archive and its own; text as UTF-8."""
        try:
            data = self.packed
            if self.deflated:
                data = decompress(data, "deflate", LIMIT)
            if self.crc is not None and isal_zlib.crc32(data) != self.crc:
                raise UnpackError(BAD_CHECKSUM)
            data = plain_text(unpack(data, LIMIT))
        except UnpackError as error:
            return Unreadable(self.source, self.member, f"byte {error.position}", error.reason)
        if archive := archive_kind(data):
            what = f"{with_article(archive)} archive within an archive"
            reason = f"{what}: unpack it once, then ingest the result"
            return Unreadable(self.source, self.member, "", reason)
        return Blob(
            data, self.source, self.member, self.name, self.log_id, self.played_at,
            self.lines_before,
        )  # fmt: skip


def archive_kind(head: bytes) -> str | None:
    """Return ``zip``, ``sqlite``, ``tar`` or None, judging by the first 512 bytes.

    An Excel workbook is a zip too, but is read as a whole.
    """
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None if begins_as_workbook(head) else "zip"
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    # The header of a tar has a checksum that few other files have there, so the header is enough.
    if len(head) >= tarfile.BLOCKSIZE and head[0] and not head[_TAR_SUM].strip(_OCTAL):
        try:
            tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            return None
        return "tar"
    return None


def file_name(path: str) -> str:
    """Return the last part of a member's path."""
    return path.rpartition("/")[2]


# --- long lists ---------------------------------------------------------------------------------

STREAMED = 1 << 20
"""A lobby list of at least this many packed bytes is handed out in parts."""
HEAD = 1 << 18
"""Bytes by which a file is recognised. A block of zstd, which unpacks only whole, is smaller."""


class Begun:
    """A stream whose first bytes were read before; it starts again from its beginning."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return at most ``size`` of the next bytes; empty at the end."""
        if not self._head:
            return self._stream.read(size)
        data, self._head = self._head[:size], self._head[size:]
        return data


def list_parts(
    head: bytes, stream: IO[bytes], source: int, path: str
) -> Iterator[Member | Unreadable] | None:
    """Return the parts of a lobby list that begins with ``head``; None for any other file.

    The list may be compressed. If a part cannot be unpacked, the last item is an ``Unreadable``.
    """
    if not is_lobby_list(beginning(head, HEAD)):
        return None
    return _list_parts(cast("IO[bytes]", Begun(head, stream)), compression(head), source, path)


def _list_parts(
    stream: IO[bytes], kind: str | None, source: int, path: str
) -> Iterator[Member | Unreadable]:
    lines = cast("IO[bytes]", UnpackedFile(stream, kind)) if kind else stream
    try:
        for before, part in whole_lines(b"", lines):
            yield Member(source, path, file_name(path), part, lines_before=before)
    except BROKEN as error:
        yield Unreadable(source, path, "", f"cannot be read to its end: {error}")


# --- tar ----------------------------------------------------------------------------------------

_LONGEST_HEADER = 1 << 20
"""Bytes of an extended header (long names, PAX records), which tarfile holds in memory."""
_EXTENDED = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip


class _Header(tarfile.TarInfo):
    """A header of a tar archive; refused if reading its member would take much memory or time."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Return the header in a block. Raises ``tarfile.ReadError`` if it is refused."""
        header = super().frombuf(buf, encoding, errors)
        if header.type in _EXTENDED and header.size > _LONGEST_HEADER:
            raise tarfile.ReadError(
                f"an extended header of {header.size:,} bytes, where names are some hundred"
            )
        if header.type == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError(f"{header.name} is a sparse file, which no log is")
        return header

    def _proc_gnusparse_10(self, next: Any, pax_headers: Any, tar: Any) -> None:
        raise tarfile.ReadError(f"{self.name} is a sparse file, which no log is")


def tar_members(stream: IO[bytes], source: int) -> Iterator[Member | Unreadable]:
    """Yield the files of a tar archive, reading its (decompressed) stream once from end to end.

    Raises ``tarfile.TarError``, or the error of the stream, if the archive breaks off.
    """
    try:
        yield from _tar_members(stream, source)
    except RecursionError:  # tarfile recurses into each extended header
        raise tarfile.ReadError("a file with hundreds of extended headers") from None


def _tar_members(stream: IO[bytes], source: int) -> Iterator[Member | Unreadable]:
    with tarfile.open(
        fileobj=stream, mode="r|", errorlevel=1, errors="surrogateescape", tarinfo=_Header
    ) as archive:
        for info in archive:
            name = _tar_name(info.name)
            archive.members = []  # type: ignore[attr-defined]  # a tarfile remembers every member it has seen
            if info.issparse():
                raise tarfile.ReadError(f"{name} is a sparse file, which no log is")
            if not info.isfile():
                if not info.isdir():
                    reason = "a link, pipe or device, not a file"
                    yield Unreadable(source, name, f"byte {info.offset}", reason)
                continue
            content = archive.extractfile(info)
            packed = content.read(HEAD) if content else b""
            if content and info.size > STREAMED:
                if parts := list_parts(packed, content, source, name):
                    yield from parts
                    continue
            if info.size > LIMIT:
                yield Unreadable(source, name, f"byte {info.offset}", TOO_LARGE)
                continue
            packed += content.read() if content else b""
            if len(packed) < info.size:
                raise tarfile.ReadError(f"the archive breaks off within {name}")
            yield Member(source, name, file_name(name), packed)


def _tar_name(name: str) -> str:
    """Return a name as text for a table: bytes of an unknown encoding become escapes."""
    written = name.encode("utf-8", "surrogateescape")
    return member_name(written, lambda other: other.decode("utf-8", "backslashreplace"))


# --- SQLite -------------------------------------------------------------------------------------

_STEPS, _STEPS_A_BYTE, _STEPS_AT_ONCE = 20_000_000, 2, 10_000
"""Steps of SQLite's machine that reading a database may take: a fixed number, and a number for each
byte of it. A row takes about twelve. The third number is how many steps are counted at a time."""
_SHORTEST_ROW = 4
"""The least bytes of a file that a row takes."""
_BLANK = b"\0 \t\r\n"
_MOST_OF_NOTHING = 1024
"""Packed bytes that may be those of blank text; a log has more."""
_CONTENT_COLUMNS = ("log", "log_content", "content")
_ID_COLUMNS = ("id", "log_id")
_DATE_COLUMNS = ("date",)


def sqlite_members(
    path: Path, source: int, without_log: Callable[[], None] = lambda: None
) -> Iterator[Member | Unreadable]:
    """Yield the logs of a database made by houou-logs or phoenix-logs, whatever their version.

    ``without_log`` is called for each row without a log (known but not downloaded). Raises
    ``sqlite3.Error`` if the database cannot be read. Raises :class:`UnpackError` if no table has
    logs, or if the rows and logs are more than the file's bytes can hold: pages that several trees
    share are read once for each tree, and may form a circle.
    """
    size = path.stat().st_size
    steps = iter(range(_STEPS // _STEPS_AT_ONCE + size // _STEPS_AT_ONCE * _STEPS_A_BYTE))
    # Without a write-ahead log beside it, immutable stops SQLite from creating files.
    wal = path.with_name(path.name + "-wal").exists()
    uri = f"{path.resolve().as_uri()}?mode=ro" + ("" if wal else "&immutable=1")
    connection = sqlite3.connect(uri, uri=True)
    connection.text_factory = bytes
    connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS_AT_ONCE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, size + _LONGEST_HEADER)
    rows = held = 0
    try:
        for table, *columns in _log_tables(connection):
            chosen = ", ".join(_quoted(name) if name else "NULL" for name in columns)
            for identity, log, day in connection.execute(f"SELECT {chosen} FROM {_quoted(table)}"):
                rows += 1
                held += len(log) if isinstance(log, bytes) else 0
                if rows > size // _SHORTEST_ROW or held > size:
                    raise UnpackError("damaged: it has more rows or longer logs than bytes")
                if log is None or (isinstance(log, bytes) and _is_blank(log)):
                    without_log()
                else:
                    yield _row_member(source, _text(identity), log, _text(day))
    except sqlite3.OperationalError:
        if next(steps, None) is None:
            raise UnpackError("damaged: it can be read without end") from None
        raise
    finally:
        connection.close()


def _is_blank(log: bytes) -> bool:
    """Return whether a row's log is blank, by itself or when it is unpacked."""
    try:
        content = unpack(log, LIMIT) if len(log) <= _MOST_OF_NOTHING else log
    except UnpackError:
        return False
    return not content[:1].strip(_BLANK) and not content.strip(_BLANK)


def _row_member(source: int, log_id: str | None, log: Any, date: str | None) -> Member | Unreadable:
    name = log_id or ""
    if not isinstance(log, bytes):
        return Unreadable(source, name, "", "the database has a number where the log should be")
    return Member(source, name, name, log, log_id=log_id, played_at=_japan_time(date))


def _log_tables(
    connection: sqlite3.Connection,
) -> list[tuple[str, str | None, str, str | None]]:
    """Return the tables that hold logs, each with its columns for the id, the log and the date."""
    found = []
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    for table in [name.decode() for (name,) in tables]:
        rows = connection.execute(f"PRAGMA table_info({_quoted(table)})")
        columns = {row[1].decode().lower(): row[1].decode() for row in rows}
        content = next((columns[key] for key in _CONTENT_COLUMNS if key in columns), None)
        if content is not None:
            log_id = next((columns[key] for key in _ID_COLUMNS if key in columns), None)
            date = next((columns[key] for key in _DATE_COLUMNS if key in columns), None)
            found.append((table, log_id, content, date))
    if not found:
        raise UnpackError(
            "a SQLite database without logs: no table has a column named "
            + " or ".join(_CONTENT_COLUMNS)
        )
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None if value is None else str(value)


def _japan_time(text: str | None) -> datetime | None:
    """Return the UTC time of a date in a database, which is Japan time to the minute."""
    if text is None or ":" not in text:
        return None
    try:
        when = datetime.fromisoformat(text.replace("/", "-"))
        return when - JAPAN if when.tzinfo is None else when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # not a date, or a date at an end of the calendar
        return None
