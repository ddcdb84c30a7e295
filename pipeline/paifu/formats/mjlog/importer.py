"""Importer of Tenhou's XML logs (mjlog): four and three players, every variant since 2006.

All logs go through the tokeniser of :mod:`~paifu.formats.mjlog.tokeniser` at once. For logs that it
does not accept, an XML parser (:mod:`~paifu.formats.mjlog.any_xml`) rewrites them in Tenhou's form,
and they go through the same tokeniser. Both ways give the same arrays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject, excerpt
from paifu.formats.mjlog.any_xml import Rewritten, rewrite
from paifu.formats.mjlog.build import KEY, game_info, play_of
from paifu.formats.mjlog.elements import G_FIRST_ROUND, G_POSITION, G_ROUNDS_END, G_STATUS, SEEDS
from paifu.formats.mjlog.faults import fault
from paifu.formats.mjlog.grammar import FINE, NO_DEAL
from paifu.formats.mjlog.tags import R_SCORES, R_SHUFFLE, R_SHUFFLE_END
from paifu.formats.mjlog.tokeniser import scan
from paifu.game.events import concat

__all__ = ["KEY", "TITLE", "read", "sniff"]

TITLE = "Tenhou XML (mjlog)"

_ROOT = b"<mjloggm"
_BEFORE_XML = b"\xef\xbb\xbf\xff\xfe \t\r\n"
"""Byte order marks and blanks. (Zero bytes, of which UTF-16 has many, are also skipped.)"""


def sniff(head: bytes) -> bool:
    """Return whether content that begins with ``head`` is an mjlog."""
    if head.startswith(_ROOT):
        return True
    text = head.replace(b"\0", b"").lstrip(_BEFORE_XML)
    return text.startswith(b"<") and _ROOT in text


_GROUP = 2 << 20
"""How many bytes are tokenised at once. The output, with room for the worst case, then stays in the
processor's cache until it is read, and its memory is used again for the next bytes."""


def read(blobs: Sequence[Blob]) -> Imported:
    """Read mjlogs; see :class:`~paifu.formats.base.Importer`."""
    parts: list[Imported] = []
    group: list[int] = []
    size = 0
    for index, blob in enumerate(blobs):
        if group and size + len(blob.data) > _GROUP:
            parts += _read_group(blobs, group)
            group, size = [], 0
        group.append(index)
        size += len(blob.data)
    if group:
        parts += _read_group(blobs, group)
    return Imported(
        batch=concat([part.batch for part in parts]) if len(parts) != 1 else parts[0].batch,
        game_blob=[index for part in parts for index in part.game_blob],
        rejects=[reject for part in parts for reject in part.rejects],
    )


def _read_group(blobs: Sequence[Blob], group: list[int]) -> list[Imported]:
    """Read a group of blobs: first all strict logs, then the rest."""
    strict, rest = _tokenise(blobs, group, [blobs[index].data for index in group])
    rewritten: dict[int, Rewritten] = {}
    for index in rest:
        try:
            rewritten[index] = rewrite(blobs[index].data)
        except LogError as error:
            strict.rejects.append(_reject(blobs, index, error.position, error.reason))
    if not rewritten:
        return [strict]
    texts = [log.data for log in rewritten.values()]
    other, unread = _tokenise(blobs, list(rewritten), texts)
    for game, index in zip(other.batch.games, other.game_blob, strict=True):
        log = rewritten[index]
        if log.unknown and "unknown_tag" not in game.notes:
            game.notes.append("unknown_tag")
        if log.differing:
            game.notes.append("attribute_twice")
    for index, (status, position) in unread.items():
        log = rewritten[index]
        where, reason = log.origin(position), fault(status, log.data, position)
        if status == NO_DEAL:
            where = len(blobs[index].data)
            reason = "the log breaks off before the first deal" if log.cut is not None else reason
        other.rejects.append(_reject(blobs, index, f"byte {where}", reason))
    return [strict, other]


def _tokenise(
    blobs: Sequence[Blob], group: list[int], texts: list[bytes]
) -> tuple[Imported, dict[int, tuple[int, int]]]:
    """Return the logs that could be read, and status and position by blob for the others."""
    text, rows = scan(texts)
    words = rows.seeds[: rows.counts[SEEDS]].tobytes()
    imported = Imported(play_of(rows))
    unread: dict[int, tuple[int, int]] = {}
    for index, game in zip(group, rows.games.tolist(), strict=True):
        if game[G_STATUS] != FINE:
            unread[index] = game[G_STATUS], game[G_POSITION]
            continue
        first = rows.rounds[game[G_FIRST_ROUND]]
        own = rows.rounds[game[G_FIRST_ROUND] : game[G_ROUNDS_END], R_SHUFFLE : R_SHUFFLE_END + 1]
        shuffles = [text[start:stop] for start, stop in own.tolist()] if first[R_SHUFFLE] else []
        start = first[R_SCORES : R_SCORES + 4].tolist()
        info = game_info(blobs[index], text, words, game, start, shuffles)
        info.sha256 = hashlib.sha256(blobs[index].data).digest()
        imported.batch.games.append(info)
        imported.game_blob.append(index)
    return imported, unread


def _reject(blobs: Sequence[Blob], index: int, position: str, reason: str) -> Reject:
    start = int(position.removeprefix("byte ") or 0)
    return Reject(index, position, reason, excerpt(blobs[index].data[start : start + 400]))
