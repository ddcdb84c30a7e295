"""What an importer is: the blobs it reads, and the games, results and rejects it makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from paifu.game.events import Batch
from paifu.sources.blob import Blob

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Blob", "Imported", "Importer", "Reject", "Results", "excerpt"]


@dataclass(slots=True)
class Reject:
    """A log that could not be read: where it lay and why."""

    blob: int
    """Index of the blob in the sequence given to ``read``."""
    position: str
    """``byte 1234``, ``line 3`` or a JSON path like ``$.log[2][0]``."""
    reason: str
    """A sentence for a person."""
    excerpt: str = ""
    """At most 80 characters of the place."""


@dataclass(slots=True)
class Results:
    """Games known by their results (or single wins) alone: rows of ``games`` and ``seats``.

    Both have the columns of the schema, in its order and types. ``games.source_id`` holds the
    ``source`` number of the blob, for the caller to replace by the id of the source. Games without
    play have ``detail`` ``result``, no ``deal_id``, and a ``game_id`` made of what the list says;
    ``list_key`` is that of the log of the same game (:func:`paifu.game.fingerprint.list_key`).
    """

    games: pa.Table
    seats: pa.Table
    more: dict[str, pa.Table] = field(default_factory=dict)
    """Rows of ``wins`` and ``win_yaku``, where the source has wins without their play."""


@dataclass(slots=True)
class Imported:
    """What an importer made of its blobs: the games it could read, and what it could not."""

    batch: Batch
    game_blob: list[int] = field(default_factory=list)
    """Index of the blob each game of the batch came from."""
    rejects: list[Reject] = field(default_factory=list)
    results: Results | None = None
    """Games of lobby lists, which have no place in a batch."""


class Importer(Protocol):
    """What a module of a log format offers. It knows its format and nothing else."""

    KEY: str
    """Name of the format: ``mjlog``."""
    VERSION: int
    """Raised whenever the importer reads something it did not, or reads it otherwise."""
    TITLE: str
    """One line for people: ``Tenhou XML (mjlog)``."""

    def sniff(self, head: bytes) -> bool:
        """Tell whether content that begins with ``head`` (up to 64 KiB) is of this format."""

    def read(self, blobs: Sequence[Blob]) -> Imported:
        """Read logs of this format; a log it cannot read becomes a reject, never an exception."""


_EXCERPT = 80


def excerpt(text: bytes) -> str:
    """Return the first characters of a log, for a person to recognise it by."""
    return text[: 4 * _EXCERPT].decode("utf-8", "replace")[:_EXCERPT]
