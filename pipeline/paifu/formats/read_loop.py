"""The loop of an importer that reads log by log: a log becomes a game, or a reject with a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject, excerpt
from paifu.formats.builder import Builder, located


class Log(Protocol):
    """One log of a blob, in any format."""

    @property
    def position(self) -> str:
        """Where it begins: ``line 3``, ``byte 0``, ``$[2]``."""

    @property
    def text(self) -> bytes:
        """Its bytes, from which a reject gets its excerpt."""


_L = TypeVar("_L", bound=Log)


def read_each(
    blobs: Sequence[Blob],
    logs_in: Callable[[Blob], Iterable[_L]],
    add: Callable[[Builder, _L, Blob], None],
    *,
    add_quickly: Callable[[Builder, _L], bool] | None = None,
    start: str = "byte 0",
) -> Imported:
    """Return the games that ``add`` makes from the logs in each blob.

    ``add`` adds one whole game to the builder or raises :class:`LogError`. After an error, the
    unfinished game is removed, and the log becomes a reject at the place in the error, or at the
    place of the log. ``add_quickly`` is tried first; if it returns False or raises, ``add`` reads
    the log. A blob without a log becomes a reject at ``start``.
    """
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for index, blob in enumerate(blobs):
        before = len(game_blob) + len(rejects)
        for log in logs_in(blob):
            try:
                if not (add_quickly and _added_quickly(builder, log, add_quickly)):
                    with located(log.position), builder.game():
                        add(builder, log, blob)
                game_blob.append(index)
            except LogError as error:
                rejects.append(Reject(index, error.position, error.reason, excerpt(log.text)))
        if len(game_blob) + len(rejects) == before:
            rejects.append(Reject(index, start, "there is no game in it", excerpt(blob.data)))
    return Imported(builder.finish(), game_blob, rejects)


def _added_quickly(builder: Builder, log: _L, add: Callable[[Builder, _L], bool]) -> bool:
    try:
        with builder.game():
            if not add(builder, log):
                raise LogError("to be read otherwise")
    except LogError:
        return False
    return True
