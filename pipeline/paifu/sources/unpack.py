"""Bounded decompression of one log: recognised by its first bytes, never larger than a limit.

A few kilobytes can unpack to gigabytes. So every decompressor here is asked for one byte more than
the limit, and stops there. The work releases the GIL, so worker threads unpack at the same time.
"""

from __future__ import annotations

import bz2
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Any, ClassVar, cast

import zstandard
from isal import isal_zlib
from zstandard import ZstdError

LIMIT = 64 << 20
"""Most bytes one log, or one file of several logs, may have when unpacked."""

RATIO, SLACK = 250, 1 << 20
"""A file may unpack to this many times its packed bytes, plus this many bytes. Text that programs
write packs to a thirtieth. A file beyond 250 times is made to fill a disk or the memory."""

MOST_LAYERS = 4
"""How often a log may be compressed: a browser, a server and its owner may each compress it."""

_ZSTD_WINDOW = 1 << 27
"""The window of ``zstd --long``, and the most memory allowed per stream."""

GZIP, ZSTD, BZIP2 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh"


class UnpackError(Exception):
    """Bytes that cannot be unpacked: the reason, and the position among the packed bytes."""

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


DAMAGE: tuple[type[Exception], ...] = (
    zlib.error, cast("type[Exception]", isal_zlib.error), ZstdError, OSError, EOFError, ValueError,
)  # fmt: skip
"""The errors of decompressors for damaged data."""

BROKEN: tuple[type[Exception], ...] = (UnpackError, *DAMAGE)
"""The errors that may occur when a compressed stream is read to its end."""


def compression(head: bytes) -> str | None:
    """Return ``gzip``, ``zstd``, ``bzip2``, ``zlib`` or None, judging by the first bytes.

    >>> compression(b"\\x1f\\x8b\\x08\\x00")
    'gzip'
    """
    if head.startswith(GZIP):
        return "gzip"
    if head.startswith(ZSTD):
        return "zstd"
    if head.startswith(BZIP2) and head[3:4].isdigit():
        return "bzip2"
    # RFC 1950: method 8, and the first two bytes are a multiple of 31. No log begins like this.
    if len(head) > 2 and head[0] == 0x78 and (head[0] << 8 | head[1]) % 31 == 0:
        return "zlib"
    return None


def allowed(packed: int) -> int:
    """Return how many bytes ``packed`` packed bytes may unpack to.

    >>> allowed(0) == 1 << 20
    True
    """
    return SLACK + RATIO * packed


def unpack(packed: bytes, limit: int) -> bytes:
    """Return ``packed``, decompressed as often as it is compressed.

    Raises :class:`UnpackError` for damaged or truncated data, for a result of more than ``limit``
    bytes, and if it is compressed too often.
    """
    data, limit = packed, min(limit, max(len(packed), allowed(len(packed))))
    for _ in range(MOST_LAYERS):
        kind = compression(data)
        if kind is None:
            if len(data) > limit:
                raise _too_large(limit)
            return data
        data = decompress(data, kind, limit)
    if compression(data) is not None:
        raise UnpackError(f"compressed more than {MOST_LAYERS} times over")
    return data


def beginning(packed: bytes, size: int) -> bytes:
    """Return at most ``size`` unpacked bytes of a file that begins with ``packed``.

    If the file is damaged so early, fewer or none: unpacking it will report the damage.
    """
    kind = compression(packed)
    if kind is None:
        return packed[:size]
    try:
        if kind == "zstd":
            context = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
            return context.stream_reader(io.BytesIO(packed)).read(size)
        return bytes(_DECOMPRESSORS[kind]().decompress(packed, max_length=size))
    except DAMAGE:
        return b""


def decompress(packed: bytes, kind: str, limit: int) -> bytes:
    """Return the decompressed bytes of one file; ``kind`` as :func:`compression`, or ``deflate``.

    Raises :class:`UnpackError` as :func:`unpack` does.
    """
    parts: list[bytes] = []
    limit = min(limit, allowed(len(packed)))
    total, rest = 0, packed
    while rest:
        part, rest = _first_stream(rest, kind, limit - total, len(packed) - len(rest))
        parts.append(part)
        total += len(part)
        rest = rest.lstrip(b"\0")  # padding, as on tapes
        if rest and (kind in ("zlib", "deflate") or compression(rest) != kind):
            where = len(packed) - len(rest)
            raise UnpackError(f"other data follows the end of the {kind} data", where)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _first_stream(packed: bytes, kind: str, limit: int, offset: int) -> tuple[bytes, bytes]:
    """Decompress the first of the concatenated streams; return it and the bytes after it."""
    try:
        stream = _DECOMPRESSORS[kind]()
        if kind == "zstd":
            _measure_zstd(packed, limit)
            data = stream.decompress(packed)
        else:
            data = stream.decompress(packed, max_length=limit + 1)
    except DAMAGE as error:
        raise UnpackError(f"damaged {kind} data ({error})", offset) from None
    if len(data) > limit:
        raise _too_large(limit)
    if not stream.eof:
        raise UnpackError(f"{kind} data breaks off: its end is missing", offset + len(packed))
    return data, stream.unused_data


_DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: isal_zlib.decompressobj(wbits=31),
    "zlib": lambda: isal_zlib.decompressobj(wbits=15),
    "deflate": lambda: isal_zlib.decompressobj(wbits=-15),
    "bzip2": bz2.BZ2Decompressor,
    "zstd": lambda: zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj(),
}


def _measure_zstd(packed: bytes, limit: int) -> None:
    """Raise UnpackError if the unpacked data would exceed the limit.

    zstandard's decompression objects detect a truncated frame, but cannot be limited. Its readers
    can be limited, but take a truncated frame for an empty one.
    """
    context = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    reader = context.stream_reader(io.BytesIO(packed))
    total = 0
    with suppress(ZstdError):  # decompressing will report it, or end before it
        while chunk := reader.read(1 << 20):
            total += len(chunk)
            if total > limit:
                raise _too_large(limit)


def _too_large(limit: int) -> UnpackError:
    size = f"{limit >> 20} MiB" if limit == LIMIT else f"{RATIO} times its packed size"
    return UnpackError(f"larger than {size} when unpacked, more than any log is", 0)


class UnpackedFile:
    """A compressed file, open to read its unpacked content from beginning to end.

    Where the file breaks off, reading raises ``EOFError``, after all bytes before that point have
    been read. Where it is damaged, reading raises one of ``DAMAGE``. Little is read from the file
    at a time, so a bomb is noticed after a few megabytes.
    """

    _FEED: ClassVar[dict[str, int]] = {
        "gzip": 8192, "zlib": 8192, "deflate": 8192, "zstd": 256, "bzip2": 256,
    }  # fmt: skip

    def __init__(self, file: IO[bytes], kind: str) -> None:
        self._file = file
        self._chunks = self._unpacked(kind)
        self._held = bytearray()

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, fewer at the end."""
        while len(self._held) < size and (chunk := next(self._chunks, b"")):
            self._held += chunk
        data = bytes(self._held[:size])
        del self._held[:size]
        return data

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _unpacked(self, kind: str) -> Iterator[bytes]:
        stream = _DECOMPRESSORS[kind]()
        taken = given = 0
        while packed := self._file.read(self._FEED[kind]):
            taken += len(packed)
            while packed:
                if stream.eof:
                    stream = _DECOMPRESSORS[kind]()
                if chunk := stream.decompress(packed):
                    given += len(chunk)
                    if given > allowed(taken) + LIMIT:
                        raise UnpackError(
                            f"it unpacks to more than {RATIO} times its size, as no logs do"
                        )
                    yield chunk
                packed = stream.unused_data.lstrip(b"\0") if stream.eof else b""
        if not stream.eof:
            raise EOFError("it breaks off: its end is missing")
