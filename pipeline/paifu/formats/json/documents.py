"""The read loop of JSON importers: each document of each blob becomes a game or a reject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paifu.formats.base import Blob, Imported
from paifu.formats.builder import Builder
from paifu.formats.json import text as json_text
from paifu.formats.json.text import Document, Piece
from paifu.formats.read_loop import read_each


def read_documents(
    blobs: Sequence[Blob],
    add: Callable[[Builder, Document], None],
    add_quickly: Callable[[Builder, Piece], bool] | None = None,
) -> Imported:
    """Return the games that ``add`` makes from the JSON values in the blobs, one from each.

    It works like :func:`paifu.formats.read_loop.read_each`; ``add_quickly`` gets the unparsed text.
    """

    def add_parsed(builder: Builder, piece: Piece, _: Blob) -> None:
        document = json_text.document(piece)
        if document.error is not None:
            raise document.error
        add(builder, document)

    return read_each(
        blobs, lambda blob: json_text.pieces(blob.data), add_parsed,
        add_quickly=add_quickly, start="$",
    )  # fmt: skip


def played_length(wind: int, number: int, players: int) -> str | None:
    """Return the scheduled length of a game that ended normally with a round; None if not known.

    ``number`` is from 0. Only the last round of a wind shows the length: a game that ends with
    another round ended by a bust or in an extra round.

    >>> played_length(1, 3, 4), played_length(1, 1, 4)
    ('south', None)
    """
    if number != players - 1 and wind < 2:
        return None
    return "south" if wind else "east"
