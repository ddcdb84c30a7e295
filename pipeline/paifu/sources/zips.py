"""Zip archives read one file at a time, without holding their directory in memory.

The standard library's reader needs 760 bytes and a slow open for every file of an archive, and an
archive of a year of games has hundreds of thousands of files. Here the directory is read along with
the files. A long lobby list is not held in memory either: it comes in parts. Layout of the records:
PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import IO, NamedTuple, cast
from zipfile import BadZipFile

from isal import isal_zlib

from paifu.messages import counted
from paifu.sources.archives import (
    BAD_CHECKSUM,
    HEAD,
    STREAMED,
    Member,
    Unreadable,
    file_name,
    list_parts,
)
from paifu.sources.member_names import member_name
from paifu.sources.unpack import BROKEN, LIMIT, UnpackedFile, UnpackError

_END = struct.Struct("<4sHHHHLLH")
_END64 = struct.Struct("<4sQHHLLQQQQ")
_LOCATOR64 = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<8xHH4xLLLHHH8xL")
_LOCAL = struct.Struct("<26xHH")
_IN_EXTRA, _MANY = 0xFFFFFFFF, 0xFFFF
"""The largest values of 32 and 16 bits: they mean that the value is in a zip64 record."""
_LONGEST_ENTRY = _ENTRY.size + 3 * _MANY
_CHUNK = 1 << 19
_SHORT_WAY = 1 << 14
_ENCRYPTED, _UTF8 = 0x1, 0x800
_STORED, _DEFLATED = 0, 8


class _Entry(NamedTuple):
    """What the directory says about one file."""

    name: str
    flags: int
    method: int
    crc: int
    packed_size: int
    header: int
    """Position of its local header."""


def zip_members(file: IO[bytes], source: int) -> Iterator[Member | Unreadable]:
    """Yield the files of a zip archive in the order of its directory.

    Raises ``zipfile.BadZipFile`` if the directory cannot be found or breaks off, and if the files
    it lists overlap: otherwise a small archive could list one large file many times.
    """
    ahead = _Ahead(file)
    length, before, listed = file.seek(0, 2), -1, 0
    for entry in _directory(file):
        listed += _LOCAL.size + entry.packed_size
        if entry.header == before or listed > length:
            raise BadZipFile(f"its files overlap, from {entry.name!r} on")
        before = entry.header
        if entry.name.endswith("/"):
            continue
        if entry.packed_size > STREAMED and (parts := _long_list(ahead, entry, source)):
            yield from parts
        else:
            yield _member(ahead, entry, source)


class _Ahead:
    """A file that is read ahead: neighbouring data is read at once.

    The distance grows while reading goes straight on, and is short again after a jump: a directory
    may list the files in any order, and little should be read for nothing.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = file.seek(0, 2)
        self._held, self._start = b"", 0
        self._way = _SHORT_WAY

    def read(self, at: int, size: int) -> bytes:
        """Return ``size`` bytes from ``at`` on; fewer at the end of the file, none after it."""
        if at >= self._end:  # ``at`` may be larger than a file position can be
            return b""
        first = at - self._start
        if first < 0 or first + size > len(self._held):
            onward = 0 <= first <= len(self._held)
            self._way = min(2 * self._way, _CHUNK) if onward else _SHORT_WAY
            self._file.seek(at)
            self._held, self._start, first = self._file.read(max(size, self._way)), at, 0
        return self._held[first : first + size]


class _Stretch:
    """Some bytes of the zip as a stream; meanwhile the zip may be read at other places."""

    def __init__(self, file: _Ahead, start: int, size: int) -> None:
        self._file = file
        self._at, self._stop = start, start + size

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, fewer at the end."""
        data = self._file.read(self._at, min(size, self._stop - self._at))
        self._at += len(data)
        return data


class _Checked:
    """A stream that is compared with its checksum at its end."""

    def __init__(self, stream: IO[bytes], crc: int) -> None:
        self._stream = stream
        self._crc, self._due = 0, crc

    def read(self, size: int) -> bytes:
        """Return the next bytes; raise ``UnpackError`` at the end if the stream is damaged."""
        data = self._stream.read(size)
        self._crc = isal_zlib.crc32(data, self._crc)
        if size and not data and self._crc != self._due:
            raise UnpackError(BAD_CHECKSUM)
        return data


def _long_list(file: _Ahead, entry: _Entry, source: int) -> Iterator[Member | Unreadable] | None:
    """Return the parts of a file that is a lobby list; None for any other file."""
    if _problem(entry) or (start := _start(file, entry)) is None:
        return None
    packed = cast("IO[bytes]", _Stretch(file, start, entry.packed_size))
    plain = UnpackedFile(packed, "deflate") if entry.method == _DEFLATED else packed
    content = cast("IO[bytes]", _Checked(cast("IO[bytes]", plain), entry.crc))
    try:
        return list_parts(content.read(HEAD), content, source, entry.name)
    except BROKEN:
        return None  # unpacking the file reports the damage


def _problem(entry: _Entry) -> str:
    """Return why a file cannot be unpacked, whatever its content; ``""`` if it can."""
    if entry.flags & _ENCRYPTED:
        return "encrypted with a password: unpack the zip first"
    if entry.method not in (_STORED, _DEFLATED):
        return f"packed with zip method {entry.method}, not deflate: unpack the zip first"
    return ""


def _start(file: _Ahead, entry: _Entry) -> int | None:
    """Return where a file's packed bytes begin; None if the file is not there."""
    header = file.read(entry.header, _LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
        return None
    name_size, extra_size = _LOCAL.unpack(header)
    return int(entry.header + _LOCAL.size + name_size + extra_size)


def _member(file: _Ahead, entry: _Entry, source: int) -> Member | Unreadable:
    reason = _problem(entry)
    if not reason and entry.packed_size > LIMIT:
        reason = f"larger than {LIMIT >> 20} MiB, more than any log is"
    if not reason:
        if (start := _start(file, entry)) is not None:
            packed = file.read(start, entry.packed_size)
            if len(packed) == entry.packed_size:
                return Member(
                    source, entry.name, file_name(entry.name), packed,
                    deflated=entry.method == _DEFLATED, crc=entry.crc, start=start,
                )  # fmt: skip
        reason = "damaged: this file is not where the zip's directory says it is"
    return Unreadable(source, entry.name, f"byte {entry.header}", reason)


def _directory(file: IO[bytes]) -> Iterator[_Entry]:
    """Yield the directory's entries, reading some of it at a time."""
    at, end, shift, count = _find_directory(file)
    held, first = b"", 0
    while at - (len(held) - first) < end:
        if at < end and len(held) - first < _LONGEST_ENTRY:
            file.seek(at)
            chunk = file.read(_CHUNK)
            at += len(chunk)
            held, first = held[first:] + chunk, 0
        if len(held) - first < _ENTRY.size or not held.startswith(b"PK\x01\x02", first):
            raise BadZipFile("its directory is damaged")
        (
            flags, method, crc, packed, size, name_size, extra_size, comment_size, header,
        ) = _ENTRY.unpack_from(held, first)  # fmt: skip
        first += _ENTRY.size
        name = held[first : first + name_size]
        first += name_size
        if _IN_EXTRA in (packed, size, header):
            extra = held[first : first + extra_size]
            packed, header = _zip64_values(extra, packed, size, header)
        first += extra_size + comment_size
        count -= 1
        yield _Entry(_text(name, flags), flags, method, crc, packed, header + shift)
    # The number has 16 bits, and programs let it overflow; more files than it says do no harm.
    if 0 < (missing := count % (_MANY + 1)) <= _MANY // 2:
        raise BadZipFile(f"its directory is damaged: {counted(missing, 'file')} fewer than it says")


def _zip64_values(extra: bytes, packed: int, size: int, header: int) -> tuple[int, int]:
    """Return the packed size and header position if they need more than 32 bits."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 1:
            values = struct.iter_unpack("<Q", extra[4 : 4 + length // 8 * 8])
            try:
                if size == _IN_EXTRA:
                    next(values)
                packed = next(values)[0] if packed == _IN_EXTRA else packed
                header = next(values)[0] if header == _IN_EXTRA else header
            except StopIteration:
                break
            return packed, header
        extra = extra[4 + length :]
    raise BadZipFile("its directory is damaged (zip64)")


def _find_directory(file: IO[bytes]) -> tuple[int, int, int, int]:
    """Return begin and end of the entries, the offset of all positions, and the entry count.

    The offset is the length of what precedes the archive (a program that unpacks it).
    """
    length = file.seek(0, 2)
    tail_start = max(0, length - _END.size - _MANY)
    file.seek(tail_start)
    tail = file.read()
    ends = [m.start() for m in re.finditer(rb"PK\x05\x06", tail[: 4 - _END.size])]
    if not ends:
        raise BadZipFile("its directory, which stands at its end, is missing")
    # A comment may contain what looks like an end; the real end has the length of its comment.
    whole = (at for at in ends if at + _END.size + _END.unpack_from(tail, at)[-1] == len(tail))
    at = next(whole, ends[-1])
    _, _, _, _, count, size, start, _ = _END.unpack_from(tail, at)
    end = tail_start + at
    if count == _MANY or _IN_EXTRA in (size, start):
        file.seek(max(0, end - _LOCATOR64.size))
        locator = file.read(_LOCATOR64.size)
        if locator.startswith(b"PK\x06\x07"):
            file.seek(max(0, end - _LOCATOR64.size - _END64.size))
            record = file.read(_END64.size)
            if len(record) < _END64.size or not record.startswith(b"PK\x06\x06"):
                raise BadZipFile("its directory is damaged (zip64)")
            *_, count, size, start = _END64.unpack(record)
            end -= _LOCATOR64.size + _END64.size
    first = end - size
    if first < start or first < 0:
        raise BadZipFile("its directory is damaged: it does not fit into the file")
    return first, end, first - start, count


def _text(name: bytes, flags: int) -> str:
    """Return a file's name, read as UTF-8 if it says so or can be, else as CP932 or CP437."""
    if flags & _UTF8:
        return name.decode("utf-8", "replace")
    return member_name(name, lambda other: other.decode("cp437"))
