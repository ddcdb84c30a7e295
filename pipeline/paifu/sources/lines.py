"""Recognises files in which every line is a log, and hands them out in parts of whole lines.

A year of a lobby list is gigabytes of text; at most one part of it is in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from paifu.sources.unpack import UnpackError

PART = 8 << 20
"""Bytes of a part, not counting the rest of its last line."""

_LIST_LINE = re.compile(
    rb"(?:^|\n|\xef\xbb\xbf)(?:[A-Z]\d{1,6} \| )?\d\d:\d\d \| (?:\d{1,4} \| )?"
    rb"(?:\xe5\x9b\x9b|\xe4\xb8\x89)[^\n|]{3,48} \| "
)
_LOOK = 8192


def is_lobby_list(head: bytes) -> bool:
    """Return whether content that begins with ``head`` is a lobby list of Tenhou.

    >>> is_lobby_list("00:00 | 17 | 三般南喰赤－ | A(+56.0) B(+1.0) C(-57.0)".encode())
    True
    """
    return _LIST_LINE.search(head[:_LOOK]) is not None


def whole_lines(head: bytes, stream: IO[bytes], size: int = PART) -> Iterator[tuple[int, bytes]]:
    """Yield ``head`` and the rest of the stream in parts of whole lines.

    Each part comes with the number of lines before it. Raises :class:`UnpackError` for a line that
    is longer than ``size``.
    """
    before, rest = 0, head
    while True:
        chunk = stream.read(max(size - len(rest), size // 2))
        rest += chunk
        if not chunk:
            if rest:
                yield before, rest
            return
        if len(rest) >= size:
            stop = rest.rfind(b"\n") + 1
            if not stop:
                raise UnpackError(f"line {before + 1} is longer than {size >> 20} MiB")
            yield before, rest[:stop]
            before += rest.count(b"\n", 0, stop)
            rest = rest[stop:]
