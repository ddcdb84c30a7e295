"""The rows of table ``sources``: where each source is, what was read, and by which versions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

import paifu
from paifu.ingestion.prepare import Rejected, importer_versions
from paifu.replay.replay_batch import VERSION as REPLAY_VERSION
from paifu.sources.containers import Source


@dataclass(slots=True)
class Tally:
    """The counts of a source over all its units."""

    source: Source
    logs: int = 0
    rejected: int = 0
    reject_rows: int = 0
    """How many of its rejects are rows of their own."""
    left_out: int = 0
    """How many rejected logs are not."""
    first_left_out: Rejected | None = None
    ended: bool = False
    """The source was read to its end."""
    found: list[npt.NDArray[np.int64]] = field(default_factory=list)
    """Ids of the games stored from it; kept only for ``--refresh``."""


def source_id(source: Source) -> int:
    """Return the id of a source: the first eight bytes of its SHA-256, or of that of its path."""
    digest = source.sha256 or source.path.encode("utf-8", "surrogateescape").ljust(8, b"\0")[-8:]
    return int.from_bytes(digest[:8], "little", signed=True)


def versions_text() -> str:
    """Return the versions of all importers as table ``sources`` stores them."""
    return " ".join(f"{key}={version}" for key, version in sorted(importer_versions().items()))


def source_row(tally: Tally, games: int, ingested_at: datetime) -> dict[str, Any]:
    """Return the row of a source from which the lake has ``games`` games."""
    source = tally.source
    modified = source.modified_at
    return {
        "source_id": source_id(source),
        "path": source.path,
        "format": source.format,
        "sha256": source.sha256,
        "bytes": source.bytes,
        "modified_at": modified.astimezone(UTC).replace(tzinfo=None) if modified else None,
        "logs": tally.logs,
        "games": games,
        "rejected": tally.rejected,
        "complete": tally.ended and source.complete,
        "paifu_version": paifu.__version__,
        "importer_version": versions_text(),
        "replay_version": REPLAY_VERSION,
        "ingested_at": ingested_at,
    }
