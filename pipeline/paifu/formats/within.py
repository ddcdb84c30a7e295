"""Finds logs within other content: in a web page or an address, one after another, escaped.

Content that a format recognises as a whole is left to that format. All other content is searched
for mjlogs and JSON: first as it is, and if there are none, with its escapes decoded.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import orjson

from paifu.formats.json.embedded import LINK, links_in, values_in
from paifu.formats.mjlog.cutting import mjlogs_in
from paifu.formats.registry import detect, importer, reads_pages

WEB_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{,99}(?:<\?xml[^>]{,99}>\s{,99})?"
    rb"(?:<!--.{,999}?-->\s{,99})?"
    rb"<(?:!doctype|html|head|body|title|meta|script|div|table|pre|p|a|ul|ol|h\d)\b",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of mark-up that is not itself a log."""
_MOST = 8 << 20
"""How many bytes of a page are searched."""
_BACKSLASHED = re.compile(rb"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ROOT_LENGTH = 99
_OPENING = ("{", "[", "<")
"""How a log begins."""


class Within(NamedTuple):
    """A log within other content."""

    position: str
    """``byte 1234`` of the content around it, as it is or with its escapes decoded."""
    data: bytes
    format: str


def _without_backslashes(text: bytes) -> bytes:
    def meant(escape: re.Match[bytes]) -> bytes:
        letter = escape[1]
        if len(letter) == 1:
            return _LETTERS.get(letter, letter)
        return chr(int(letter[1:], 16)).encode("utf-8", "replace")

    return _BACKSLASHED.sub(meant, text)


def _without_references(text: bytes) -> bytes:
    return html.unescape(text.decode("utf-8", "replace")).encode()


_ESCAPES: tuple[tuple[re.Pattern[bytes], Callable[[bytes], bytes]], ...] = (
    (re.compile(rb"&(?:lt|quot|#34|#60|#x22|#x3c);", re.IGNORECASE), _without_references),
    (re.compile(rb'\\"'), _without_backslashes),
    (re.compile(rb"%3cmjloggm|%7b(?:%20)*%22|%5b%7b", re.IGNORECASE), unquote_to_bytes),
)


def logs_within(data: bytes, key: str | None, forced: str | None = None) -> list[Within]:
    """Return the logs within content that a format (``key``) recognised as a whole, or no format.

    An empty list means that the content must be read as a whole. ``forced`` is the only format to
    look for.
    """
    if key is not None:
        if key == "mjlog" and data.count(b"<mjloggm", 1) and not WEB_PAGE.match(data):
            cut = list(mjlogs_in(data))
            return [Within(f"byte {a}", data[a:b], key) for a, b in cut] if len(cut) > 1 else []
        if reads_pages(key) or not WEB_PAGE.match(data):
            return []
    text = data[:_MOST]
    for view in _views(text):
        found = [
            Within(f"byte {at}", part, format)
            for at, part in _parts(view)
            if (format := _format_of(part, forced))
        ]
        if found:
            return found
    return []


def _format_of(part: bytes, forced: str | None) -> str | None:
    if forced is None:
        return detect(part)
    return forced if importer(forced).sniff(part) else None


def _views(text: bytes) -> Iterator[bytes]:
    """Yield a text as it is, the strings of JSON, and the text with its escapes decoded.

    The backslashes of JSON are decoded string by string: what stands in two strings is not one log.
    """
    yield text
    strings = _strings(text)
    yield from strings or ()
    for sign, unescaped in _ESCAPES:
        if sign.search(text) and (strings is None or unescaped is not _without_backslashes):
            text = unescaped(text)
            yield text


def _strings(text: bytes) -> list[bytes] | None:
    """Return the strings within a JSON document, or None if it is not one document.

    The strings of a list of strings are lines of one text.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ["\n".join(value).encode()]
    found, waiting = [], [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if value.lstrip()[:1] in _OPENING:
                found.append(value.encode())
        elif isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
    return found


def _parts(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield possible logs of a text and where they are."""
    cut = list(mjlogs_in(text))
    for start, end in cut:
        if b"\\" not in text[start : min(end, start + _ROOT_LENGTH)]:
            yield start, text[start:end]
    if cut:
        return
    if LINK in text:
        yield from links_in(text)
        return
    for start, end in values_in(text):
        yield start, text[start:end]
