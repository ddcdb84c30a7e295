"""Pages of M.League's viewer, and lists of events taken from such a page.

The page's script calls ``UMP_PLAYER.init(true, true, '[…]', autoplay);``: the text is a JSON list
of ``{"time", "id", "cmd", "args"}``. People record the game at the table, tile by tile.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported
from paifu.formats.builder import Builder
from paifu.formats.json.text import fields, items, parse
from paifu.formats.mleague_page.one_game import GameReader
from paifu.formats.read_loop import read_each

KEY = "mleague_page"
TITLE = "M.League viewer pages"

_CALL = re.compile(rb"UMP_PLAYER\s*\.\s*init\s*\(")
_TEXT = re.compile(rb"[^'\"]{0,200}(['\"])")
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_EVENT = re.compile(rb'"cmd"\s*:\s*"(?:kyokustart|sutehai|haipai)"')
MAX_EVENTS = 100_000


def sniff(head: bytes) -> bool:
    """Return whether content begins like a page of the viewer, or is its list of events."""
    return _CALL.search(head) is not None or _EVENT.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    return read_each(blobs, _lists, _add)


class _List(NamedTuple):
    """The text of a list of events."""

    position: str
    text: bytes
    error: LogError | None = None


def _lists(blob: Blob) -> Iterator[_List]:
    """Yield a file's lists of events: in calls of a page's script, or whole, or one per line."""
    data = blob.data.removeprefix(b"\xef\xbb\xbf")
    calls = list(_CALL.finditer(data))
    for call in calls:
        place = f"byte {call.start()}"
        begins = _TEXT.match(data, call.end())
        if begins is None:
            yield _List(place, b"", LogError("the page's script has no game", place))
            continue
        quote = begins[1]
        end = begins.end()
        while (end := data.find(quote, end)) >= 0 and _is_escaped(data, end):
            end += 1
        if end < 0:
            yield _List(place, b"", LogError("the page breaks off within the game", place))
            return
        yield _List(place, data[begins.end() : end])
    if calls:
        return
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.strip()[:2] == b"[{" for line in lines):
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                yield _List(f"line {number}", line)
        return
    yield _List("$", data)


def _is_escaped(data: bytes, at: int) -> bool:
    """Return whether an odd number of backslashes is before a byte."""
    before = data[max(0, at - 64) : at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def _add(builder: Builder, listed: _List, _: Blob) -> None:
    """Add one game, or raise LogError."""
    if listed.error is not None:
        raise listed.error
    events = _events(listed.text)
    if len(events) > MAX_EVENTS:
        raise LogError(f"{len(events)} events, more than a game has")
    game = GameReader(builder)
    for at, entry in enumerate(events):
        event = fields(entry, f"[{at}]")
        try:
            game.take(event)
        except LogError as error:
            raise LogError(error.reason, f"[{at}]{error.position}") from error
    info = game.finish()
    info.position = listed.position
    info.sha256 = hashlib.sha256(listed.text).digest()
    builder.end_game(info)


def _events(text: bytes) -> list[Any]:
    """Return the events of a list, which is JSON or a script's text that contains JSON."""
    try:
        return items(parse(text), "")
    except LogError:
        if b"\\" not in text:
            raise
    return items(parse(_ESCAPED.sub(rb"\1", text)), "")
