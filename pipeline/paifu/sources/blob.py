"""One log from a folder, an archive or a database: its bytes, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True)
class Blob:
    """One log, or one file of several logs, out of its container and decompressed."""

    data: bytes
    source: int
    """Which source it came from: the number that the caller gave."""
    member: str = ""
    """Path within the source, ``""`` if the source is the log itself."""
    name: str = ""
    """File name (of the source or member), from which a log id can be read."""
    log_id: str | None = None
    """The id, if the container knows it (a database row)."""
    played_at: datetime | None = None
    """UTC, without a zone, to the minute, if the container knows it."""
    lines_before: int = 0
    """If a long list is handed out in parts, how many lines of the file come before this part."""
    within: str = ""
    """Where it is in the file, if the file has more than this log."""
