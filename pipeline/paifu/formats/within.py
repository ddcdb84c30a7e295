"""Finds logs within other content: in a web page or an address, one after another, escaped.

Content that a format recognises as a whole is left to that format. All other content is searched
for mjlogs and JSON: first as it is, then what is left of it with more and more of its escapes
decoded, until a view of it has a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import NamedTuple

import orjson

from paifu.formats.escapes import listed_lines, strings_in, unquoted, without_references
from paifu.formats.json.embedded import LINK, links_in, values_in
from paifu.formats.mjlog.cutting import mjlogs_in
from paifu.formats.registry import detect, importer, is_json, reads_pages

WEB_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{,99}(?:<\?xml[^>]{,99}>\s{,99})?"
    rb"(?:<!--.{,999}?-->\s{,99})?"
    rb"<(?:!doctype|html|head|body|title|meta|script|div|table|pre|p|a|ul|ol|h\d)\b",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of mark-up that is not itself a log."""
_SEARCHED = 8 << 20
"""How many bytes of content are searched, if it is not a list of texts."""
_REFERENCES = re.compile(rb"&(?:lt|quot|#34|#60|#x22|#x3c);", re.IGNORECASE)
_PERCENT = re.compile(
    rb"%(?:25)*3cmjloggm|%(?:25)*7b(?:%(?:25)*20|%(?:25)*0a|\+)*%(?:25)*22|%(?:25)*5b%(?:25)*7b",
    re.IGNORECASE,
)
_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?\s*+[^\s{\[]")
_BEHIND = re.compile(rb"[}\]]\s*[;),`][\s;),`]*\Z")
_TAIL = 99
"""What stands around JSON, and how much of the end is looked at."""
_SHORTEST = 99
"""A log has at least this many bytes."""
_ESCAPED_TWICE, _QUOTED_OFTEN = 2, 3
_ROOT_LENGTH = 99
_NOTHING = b"~"
"""What stands in the place of a log that was found: white space would join the values around it."""
_EVENT = re.compile(rb'\s{,9}\[?\s{,9}\{[^{}]{,9999}"type"\s*:\s*"')
"""How an event of mjai begins, which is only a line of a log."""
_OPENING = ("{", "[", "<")
"""How a log begins."""


class Within(NamedTuple):
    """A log within other content."""

    position: str
    """``byte 1234`` of the content around it, as it is or with its escapes decoded."""
    data: bytes
    format: str


class Found(NamedTuple):
    """The logs within content, and how many bytes at its end were not searched."""

    logs: list[Within]
    unsearched: int = 0


def logs_within(data: bytes, key: str | None, forced: str | None = None) -> Found:
    """Return the logs within content that a format (``key``) recognised as a whole, or no format.

    Without logs the content must be read as a whole. ``forced`` is the only format to look for.
    """
    if key is not None:
        if key == "mjlog" and data.count(b"<mjloggm", 1) and not WEB_PAGE.match(data):
            cut = list(mjlogs_in(data))
            return Found([Within(f"byte {a}", data[a:b], key) for a, b in cut if len(cut) > 1])
        stands_alone = not (WEB_PAGE.match(data) or (is_json(key) and _is_surrounded(data)))
        if reads_pages(key) or stands_alone:
            return Found([])
    lines = listed_lines(data)
    if lines is not None:
        return Found(_found_in([lines], forced)[0])
    logs, rest = _found_in([data[:_SEARCHED]], forced)
    more = (_found_in(view, forced)[0] for view in islice(_views(rest[0]), 1, None))
    logs += next(filter(None, more), [])
    return Found(logs, max(0, len(data) - _SEARCHED) if logs else 0)


def _found_in(texts: list[bytes], forced: str | None) -> tuple[list[Within], list[bytes]]:
    """Return the logs in some texts, and the texts without them."""
    found: list[Within] = []
    rest: list[bytes] = []
    before = 0
    for text in texts:
        left = bytearray(text)
        for start, end, part in _parts(text):
            if len(part) >= _SHORTEST and (format := _format_of(part, forced)):
                found.append(Within(f"byte {before + start}", part, format))
                left[start:end] = _NOTHING * (end - start)
        before += len(text) + 1
        rest.append(bytes(left))
    return found, rest


def _is_surrounded(data: bytes) -> bool:
    """Return whether a JSON document stands in a program, a call or other text.

    Links are not meant. Text that breaks off is not surrounded.

    >>> list(map(_is_surrounded, (b"a = {};", b"{};", b" {} ", b"f([{}]);", b'{"a', b"{}{}")))
    [True, True, False, True, False, False]
    """
    return LINK not in data and bool(_BEFORE.match(data) or _BEHIND.search(data[-_TAIL:]))


def _format_of(part: bytes, forced: str | None) -> str | None:
    if forced is None:
        return detect(part)
    return forced if importer(forced).sniff(part) else None


def _views(text: bytes) -> Iterator[list[bytes]]:
    """Yield a text as it is, then with more and more of its escapes decoded.

    Strings are decoded one by one: what stands in two strings is not one log, unless they are lines
    of one list.
    """
    texts = [text]
    yield texts
    for _ in range(_ESCAPED_TWICE):
        found = (string for each in texts for string in _strings(each))
        if strings := [each for each in _events_joined(found) if len(each) >= _SHORTEST]:
            yield strings
        more = texts + strings
        texts = [without_references(each) if _REFERENCES.search(each) else each for each in more]
        if texts != more:
            yield texts
        for _ in range(_QUOTED_OFTEN):
            if any(map(_PERCENT.search, texts)):
                texts = [next(unquoted(each), each) for each in texts]
                yield texts


def _events_joined(strings: Iterable[bytes]) -> Iterator[bytes]:
    """Yield strings; those that follow one another and are events are lines of one text."""
    for is_event, some in groupby(strings, lambda string: bool(_EVENT.match(string))):
        alike = list(some)
        yield from [b"\n".join(alike)] if is_event else alike


def _strings(text: bytes) -> list[bytes]:
    """Return the strings of JSON, or of a program, that begin like a log.

    The strings of a list of strings are lines of one text.
    """
    try:
        waiting = [orjson.loads(text)]
    except orjson.JSONDecodeError:
        return strings_in(text)
    found = []
    while waiting:
        value = waiting.pop()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = "\n".join(value)
        if isinstance(value, str):
            if value.lstrip()[:1] in _OPENING:
                found.append(value.encode())
        elif isinstance(value, dict | list):
            waiting += reversed([*(value.values() if isinstance(value, dict) else value)])
    return found


def _parts(text: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield possible logs of a text, and where each begins and ends."""
    left = bytearray(text)
    for start, end in mjlogs_in(text):
        left[start:end] = _NOTHING * (end - start)
        if b"\\" not in text[start : min(end, start + _ROOT_LENGTH)]:
            yield start, end, text[start:end]
    if LINK in left:
        for start, end, json in links_in(bytes(left)):
            left[start:end] = _NOTHING * (end - start)
            yield start, end, json
    for start, end in values_in(bytes(left)):
        yield start, end, text[start:end]
