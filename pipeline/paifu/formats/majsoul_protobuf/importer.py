"""Mahjong Soul games as the server sends them: protocol buffers, stored and live.

The decoded messages are what exporters write as JSON. The same reader takes both
(:mod:`paifu.formats.majsoul`), so a game is the same in either form. A live game has the view of
one seat; the tiles that this seat was not shown are hidden.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported
from paifu.formats.builder import Builder, located
from paifu.formats.majsoul.game_info import RECORD_ID, game_info, played_on
from paifu.formats.majsoul.importer import MAX_RECORDS
from paifu.formats.majsoul.one_game import GameReader
from paifu.formats.majsoul_protobuf.live import ACTION, Frames, LiveGame
from paifu.formats.majsoul_protobuf.payloads import Payload, find_payloads
from paifu.formats.majsoul_protobuf.stored import (
    DETAILS,
    answer,
    record,
    records,
    with_zeros,
    wrapper,
)
from paifu.formats.read_loop import read_each
from paifu.messages import counted

KEY = "majsoul_protobuf"
TITLE = "Mahjong Soul records and live games (protocol buffers)"

_FRAMES = (1, 2, 3)
_WORDS = (
    b".lq.Lobby.", b".lq.FastTest.", b".lq.Notify", ACTION.encode(), DETAILS.encode(),
    b".lq.RecordNewRound",
)  # fmt: skip
"""Words that a file of messages contains, in any encoding."""


_STEM = b".lq."
"""What all these words contain."""


def _marks(words: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return words as they look in base64 (at three offsets), in hex, and as numbers."""
    marks: list[bytes] = []
    for word in words:
        for before in range(3):
            coded = base64.b64encode(b"\0" * before + word).rstrip(b"=")
            # the first and last characters contain bits of the neighbouring bytes
            marks.append(coded[-(-8 * before // 6) : 8 * (before + len(word)) // 6])
        numbers = ",".join(map(str, word)).encode()
        marks += [word.hex().encode(), word.hex().upper().encode(), numbers]
    return tuple(marks)


_MARKS, _STEM_MARKS = _marks(_WORDS), _marks((_STEM,))
_RAW = 64


def sniff(head: bytes) -> bool:
    """Return whether content begins like a message of Mahjong Soul, or its text contains one."""
    if head[:1] in (b"\n", b"\x1a", b"\x22") or head[:1] in map(bytes, zip(_FRAMES, strict=True)):
        return any(word in head for word in _WORDS)
    text = head.translate(None, b" \t\r\n")
    return any(mark in text for mark in _STEM_MARKS) and any(mark in text for mark in _MARKS)


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    return read_each(blobs, _found, _add)


class _Found(NamedTuple):
    """A game in a file, or an error there."""

    place: str
    """``""`` if the file itself is a message."""
    head: dict[str, Any]
    records: Iterable[dict[str, Any]]
    text: bytes
    joined_late: bool = False
    error: LogError | None = None

    @property
    def position(self) -> str:
        """Where it begins."""
        return self.place or "byte 0"


def _broken(error: LogError, text: bytes = b"") -> _Found:
    return _Found(error.position, {}, (), text, error=error)


def _found(blob: Blob) -> Iterator[_Found]:
    """Yield the games and errors of a file, or else the reason why it has no game."""
    some = False
    why = None
    for found in _games(blob.data):
        if isinstance(found, str):
            why = found
        else:
            some = True
            yield found if found.error is None else found._replace(text=blob.data)
    if why and not some:
        yield _broken(LogError(why, "byte 0"), blob.data)


def _games(data: bytes) -> Iterator[_Found | str]:
    """Yield the games and errors of a file, and reasons (text) why an answer has no game."""
    frames = Frames()
    single: list[Payload] = []
    for payload in find_payloads(data):
        if isinstance(payload, LogError):
            yield _broken(payload)
            continue
        if single and not _is_record(payload):
            yield _of_single(single)
            single = []
        try:
            if payload.data and payload.data[0] in _FRAMES:
                for game in frames.take(payload.data, payload.position):
                    if isinstance(game, LiveGame):
                        yield _of_live(game)
                    else:
                        yield from _of_answer(payload._replace(data=game))
            elif _is_record(payload):
                single.append(payload)
            else:
                yield from _of_message(payload, frames)
        except LogError as error:
            yield _broken(LogError(error.reason, _place(payload.position, error.position)))
    if single:
        yield _of_single(single)
    for live in frames.finish():
        yield _of_live(live)


def _of_message(payload: Payload, frames: Frames) -> Iterator[_Found | str]:
    """Yield the games of a message that is not a frame, or the reason why it has none."""
    data = payload.data
    try:
        name, begin, end = wrapper(data, 0, len(data))
    except LogError:
        if b".lq." in data[:_RAW]:
            raise
        return
    if name == DETAILS:
        head = payload.head or {"uuid": payload.record_id}
        yield _Found(payload.position, head, _records(payload, begin, end), data)
    elif name == ACTION:
        for game in frames.notice(name, data[begin:end], payload.position):
            yield _of_live(game)
    else:
        yield from _of_answer(payload)


def _of_answer(payload: Payload) -> Iterator[_Found | str]:
    """Yield the game of a ``ResGameRecord``, or the reason why it has none."""
    told = answer(payload.data)
    if told is None:
        return
    details = told.get("data", b"")
    if not details:
        code = told.get("error", {}).get("code", 0)
        if code:
            yield f"the server's answer has no game: error {code}"
        else:
            yield (
                "the answer has only the head of a game: its records are at the address in"
                " data_url; save them too"
            )
        return
    head = with_zeros(told.get("head", {})) or payload.head
    inner = payload._replace(data=details)
    name, begin, end = wrapper(details, 0, len(details))
    if name != DETAILS:
        raise LogError(f"{name[:40]!r} in the place of the records of a game")
    yield _Found(payload.position, head, _records(inner, begin, end), details)


def _records(payload: Payload, begin: int, end: int) -> Iterator[dict[str, Any]]:
    try:
        yield from records(payload.data, begin, end)
    except LogError as error:
        raise LogError(error.reason, _place(payload.position, error.position)) from error


def _is_record(payload: Payload) -> bool:
    """Return whether a message is a single record, as written by decoders that know no names."""
    return payload.data.startswith(b".lq.Record", 2)


def _of_single(payloads: list[Payload]) -> _Found:
    def one_by_one() -> Iterator[dict[str, Any]]:
        for payload in payloads:
            try:
                found = record(payload.data, 0, len(payload.data))
            except LogError as error:
                place = _place(payload.position, error.position)
                raise LogError(error.reason, place) from error
            if found is not None:
                yield found

    first = payloads[0]
    head = first.head or {"uuid": first.record_id}
    text = b"".join(payload.data for payload in payloads)
    return _Found(first.position, head, one_by_one(), text)


def _of_live(game: LiveGame) -> _Found:
    return _Found(game.position, with_zeros(game.head), game.records(), game.text, game.joined_late)


def _place(position: str, within: str) -> str:
    if not position or not within:
        return position or within or "byte 0"
    return f"{position}, {within}"


def _add(builder: Builder, found: _Found, blob: Blob) -> None:
    """Add one game, or raise LogError."""
    if found.error is not None:
        raise found.error
    info = game_info(found.head)
    info.format = KEY
    if info.log_id is None and (named := RECORD_ID.search(blob.name)):
        info.log_id = named[0]
    if info.played_at is None and info.log_id and (day := played_on(info.log_id)):
        info.played_at, info.played_precision = day, "day"
    if found.joined_late:
        info.notes.append("no_beginning")
    game = GameReader(builder, info)
    with located(lambda: _place(found.place, f"record {game.at}")):
        game.take_all(_counted(found.records))
        info = game.finish()
    info.position = found.position
    info.sha256 = hashlib.sha256(found.text).digest()
    builder.end_game(info)


def _counted(entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for at, entry in enumerate(entries):
        if at == MAX_RECORDS:
            raise LogError(f"more than {counted(MAX_RECORDS, 'record')}, more than a game has")
        yield entry
