"""One log as it comes out of a folder, an archive or a database: its bytes and where it lay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True)
class Blob:
    """One log, or one file of several logs, taken out of its container and decompressed."""

    data: bytes
    source: int
    """Which source it came from: the caller's own number, handed through."""
    member: str = ""
    """Path within the source, ``""`` where the source is the log itself."""
    name: str = ""
    """File name (of the source or member), from which a log id can be read."""
    log_id: str | None = None
    """The id where the container knows it (a database row)."""
    played_at: datetime | None = None
    """UTC, without a zone, to the minute, where the container knows it."""
    lines_before: int = 0
    """Lines of the file before this part of it, where a long list is handed out in parts."""
