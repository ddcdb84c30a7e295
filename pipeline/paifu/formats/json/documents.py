"""What importers of JSON share: each document of each blob becomes a game or a reject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject
from paifu.formats.builder import Builder
from paifu.formats.json import text as json_text
from paifu.formats.json.text import Document, Piece


def read_documents(
    blobs: Sequence[Blob],
    add: Callable[[Builder, Document], None],
    add_quickly: Callable[[Builder, Piece], bool] | None = None,
) -> Imported:
    """Return the games that ``add`` makes of the JSON values in the blobs, one each.

    ``add`` adds a whole game to the builder or raises :class:`LogError`; what it had added by then
    is taken back, and the document becomes a reject. ``add_quickly`` is tried before, on text that
    has not been parsed; what it returns False or raises :class:`LogError` for is left to ``add``.
    """
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for index, blob in enumerate(blobs):
        before = len(game_blob) + len(rejects)
        for piece in json_text.pieces(blob.data):
            try:
                if not (add_quickly and _added_quickly(builder, piece, add_quickly)):
                    _add(builder, json_text.document(piece), add)
                game_blob.append(index)
            except LogError as error:
                shown = json_text.excerpt(piece.text)
                rejects.append(Reject(index, error.position, error.reason, shown))
        if len(game_blob) + len(rejects) == before:
            rejects.append(Reject(index, "$", "there is no game in it", ""))
    return Imported(builder.finish(), game_blob, rejects)


def _add(builder: Builder, document: Document, add: Callable[[Builder, Document], None]) -> None:
    if document.error is not None:
        raise document.error
    with builder.game():
        add(builder, document)


def _added_quickly(builder: Builder, piece: Piece, add: Callable[[Builder, Piece], bool]) -> bool:
    try:
        with builder.game():
            if not add(builder, piece):
                raise LogError("to be read otherwise")
    except LogError:
        return False
    return True


def played_length(wind: int, number: int, players: int) -> str | None:
    """Return the scheduled length of a game that came to its end with a round, if that tells it.

    ``number`` is from 0. Only the last round of a wind tells: others end games by a bust, or are
    played beyond the schedule.

    >>> played_length(1, 3, 4), played_length(1, 1, 4)
    ('south', None)
    """
    if number != players - 1 and wind < 2:
        return None
    return "south" if wind else "east"
