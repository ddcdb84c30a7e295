"""What an importer is: it reads blobs and returns games, results and rejects."""

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
    """A log that could not be read: where it is, and why."""

    blob: int
    """Index of the blob in the sequence given to ``read``."""
    position: str
    """``byte 1234``, ``line 3`` or a JSON path like ``$.log[2][0]``."""
    reason: str
    """A sentence for a person."""
    excerpt: str = ""
    """At most 80 characters of the log."""


@dataclass(slots=True)
class Results:
    """Games without their acts (results, rounds, single wins): rows of ``games`` and ``seats``.

    Both have the columns of the schema, in its order and types. ``games.source_id`` holds the
    ``source`` number of the blob; the caller replaces it by the id of the source. Games without
    play have a ``detail`` other than ``play``, no ``deal_id``, and a ``game_id`` that is a hash of
    the list's facts. ``list_key`` equals the ``list_key`` of the same game's log
    (:func:`paifu.game.fingerprint.list_key`). A game of a score sheet has the hash of its key as
    ``game_id`` and the hash of all that is said of it as ``list_key``.
    """

    games: pa.Table
    seats: pa.Table
    more: dict[str, pa.Table] = field(default_factory=dict)
    """Rows of other tables, if the source has rounds or wins without their play."""
    repeated: list[int] = field(default_factory=list)
    """The sources of further games that were read and are the same as one of these."""
    superseded: list[int] = field(default_factory=list)
    """The sources of further games that one of these corrects."""


@dataclass(slots=True)
class Imported:
    """The result of an importer: the games it could read, and rejects for the rest."""

    batch: Batch
    game_blob: list[int] = field(default_factory=list)
    """Index of the blob that each game of the batch came from."""
    rejects: list[Reject] = field(default_factory=list)
    results: Results | None = None
    """Games of lobby lists, which cannot be in a batch."""


class Importer(Protocol):
    """The functions of a log format's module, which knows its own format only."""

    KEY: str
    """Name of the format: ``mjlog``."""
    TITLE: str
    """One line for people: ``Tenhou XML (mjlog)``."""

    def sniff(self, head: bytes) -> bool:
        """Return whether content that begins with ``head`` (up to 64 KiB) is of this format."""

    def read(self, blobs: Sequence[Blob]) -> Imported:
        """Read logs of this format; a log that cannot be read becomes a reject, never an error."""


_EXCERPT = 80


def excerpt(text: bytes) -> str:
    """Return the first characters of a log, by which a person can recognise it."""
    return text[: 4 * _EXCERPT].decode("utf-8", "replace")[:_EXCERPT]
