"""Finds logs within other content: a web page, a mail, a table, a program's log; or escaped.

Content that a format recognises as a whole is left to that format. All other content is searched
for mjlogs and JSON: first as it is, then what is left of it with more and more of its escapes
decoded, until a view of it has a log. When more is found than before, the ``VERSION`` of each
format it may be in is raised, so that ingest tries their rejects again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple

import orjson

from paifu.formats.escapes import (
    from_base64,
    from_quoted_printable,
    listed_lines,
    strings_in,
    unquoted,
    without_doubled_quotes,
    without_references,
)
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
_ENCODED = re.compile(rb'=\r?\n|=3D|(?:=|[{\[]\s{,9})""\w')
"""Quoted-printable, or a cell of CSV, as a log begins in it."""
_BEGINNING = 999
_PART_OF_MAJIANG = re.compile(rb'[\s\[]*+\{\s*"qipai"')
"""Rounds without the game around them, as they are found in a game that is escaped."""
_ELEMENT = re.compile(rb"<[^!?]")
_COMPARED = 16
"""With how many logs of earlier texts a text is compared, and which part of one may be found twice:
the time stays linear."""
_DEEPEST = 4
"""How deep in a JSON document an mjlog may have another game beside it."""
_LOGGED = re.compile(
    rb'^[ \t]{,9}[^\s{}][^{}\n]{,199}?(\{[^{}\n]{,999}"type"\s{,9}:\s{,9}"[^\n]*)', re.MULTILINE
)
"""A line of a program's log: a time or a level, then an event of mjai."""
_BARE = re.compile(rb'^[ \t]{,9}\{[^{}\n]{,999}"type"', re.MULTILINE)
_LEVEL = re.compile(rb"\[[^{}\[\]\n]{,99}\][^{},\n]{,99}\{")
"""How a line of a program's log may begin that looks like the beginning of a list."""


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
            several = len(cut) > 1 or bool(cut and _ELEMENT.search(data, 0, cut[0][0]))
            return Found([Within(f"byte {a}", data[a:b], key) for a, b in cut if several])
        may_be_within = key == "mjai" or is_json(key)
        stands_alone = not (
            WEB_PAGE.match(data)
            or (may_be_within and _is_surrounded(data))
            or _ENCODED.search(data, 0, _BEGINNING)
        )
        if both := _beside_mjlogs(data):
            return Found(both)
        if key == "mjai" and (events := _logged_events(data)):
            return Found([Within("byte 0", events, key)])
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
    """Return the logs in some texts, and the texts without them.

    Of texts that are parts of each other, only the first has the log.
    """
    found: list[Within] = []
    rest: list[bytes] = []
    before = 0
    earlier: list[bytes] = []
    for text in texts:
        left = bytearray(text)
        for start, end, part in _parts(text):
            if len(part) < _SHORTEST or _PART_OF_MAJIANG.match(part):
                continue
            if _EVENT.match(part) and part.count(b'"type"') == 1:
                continue  # one event is no log, and other text stands between it and the next
            if any(_is_in(part, log) for log in earlier):
                continue
            if format := _format_of(part, forced):
                found.append(Within(f"byte {before + start}", part, format))
                left[start:end] = _NOTHING * (end - start)
        earlier = [log.data for log in found[:_COMPARED]]
        before += len(text) + 1
        rest.append(bytes(left))
    return found, rest


def _is_in(part: bytes, log: bytes) -> bool:
    """Return whether a part of a text is in a log; small parts are not looked for."""
    return len(part) * _COMPARED >= len(log) and part in log


def _is_surrounded(data: bytes) -> bool:
    """Return whether a JSON document stands in a program, a call or other text.

    Links are not meant. Text that breaks off is not surrounded.

    >>> list(map(_is_surrounded, (b"a = {};", b"{};", b" {} ", b"f([{}]);", b'{"a', b"{}{}")))
    [True, True, False, True, False, False]
    >>> list(map(_is_surrounded, (b"[INFO] {}", b"[[1], {}]")))
    [True, False]
    """
    return LINK not in data and bool(
        _BEFORE.match(data) or _LEVEL.match(data) or _BEHIND.search(data[-_TAIL:])
    )


def _beside_mjlogs(data: bytes) -> list[Within]:
    """Return the mjlogs that are values of JSON objects, and the games that stand beside them.

    Without mjlogs, or without other games that stand alone, nothing is returned. A list within a
    game is no game, but mjai is a list of events.
    """
    if b"<mjloggm" not in data:
        return []
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return []
    if not isinstance(document, dict | list):
        return []
    found = set()
    logs = []
    at = 0
    for value in _values(document, _DEEPEST):
        if game := _game(value):
            format, part = game
            found.add(format)
            logs.append(Within(f"byte {at}", part, format))
            at += len(part) + 1
    return logs if "mjlog" in found and len(found) > 1 else []


def _game(value: Any) -> tuple[str, bytes] | None:
    """Return the format of a value of JSON that is a game, and its text."""
    if isinstance(value, str):
        part = value.encode() if "<mjloggm" in value[:_ROOT_LENGTH] else b""
    else:
        part = orjson.dumps(value) if isinstance(value, dict | list) else b""
    format = detect(part) if part else None
    return (format, part) if format and (format == "mjai" or not isinstance(value, list)) else None


def _values(value: Any, depth: int) -> Iterator[Any]:
    """Yield the values in a document that may be games.

    Only what holds an mjlog is looked into, and only so deep; and the objects beside it in a list.
    """
    for inner in value.values() if isinstance(value, dict) else value:
        if depth and isinstance(inner, dict | list) and b"<mjloggm" in orjson.dumps(inner):
            yield from _values(inner, depth - 1)
        elif isinstance(value, list) and isinstance(inner, dict):
            yield from inner.values() if any(map(_game, inner.values())) else (inner,)
        else:
            yield inner


def _logged_events(data: bytes) -> bytes:
    """Return the events of mjai in a program's log as lines; nothing for any other text.

    >>> _logged_events(b'12:00 INFO {"type":"hora"}\\n12:01 INFO {"type":"end_kyoku"}\\n')
    b'{"type":"hora"}\\n{"type":"end_kyoku"}'
    """
    if not (_BEFORE.match(data) or _LEVEL.match(data)):
        return b""
    events: list[bytes] = _LOGGED.findall(data)
    return b"\n".join(events) if len(events) > 1 + len(_BARE.findall(data)) else b""


def _format_of(part: bytes, forced: str | None) -> str | None:
    if forced is None:
        return detect(part)
    return forced if importer(forced).sniff(part) else None


def _views(text: bytes) -> Iterator[list[bytes]]:
    """Yield a text as it is, then with more and more of its escapes decoded.

    A mail or a cell of a table is decoded first, because it may be a page or a link.

    Strings are decoded one by one: what stands in two strings is not one log, unless they are lines
    of one list.
    """
    texts = [text]
    yield texts
    for decode in (from_quoted_printable, without_doubled_quotes):
        if (decoded := decode(texts[0])) != texts[0]:
            texts = [decoded]
            yield texts
    if parts := from_base64(texts[0]):
        yield parts
        texts += parts
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
            else:
                found += from_base64(value.encode())
        elif isinstance(value, dict | list):
            waiting += reversed([*(value.values() if isinstance(value, dict) else value)])
    return found


def _parts(text: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield possible logs of a text, and where each begins and ends."""
    left = bytearray(text)
    for start, end in mjlogs_in(text):
        left[start:end] = _NOTHING * (end - start)
        root = text[start : min(end, start + _ROOT_LENGTH)]
        if b"\\" not in root and not _ENCODED.search(root):
            yield start, end, text[start:end]
    if LINK in left:
        for start, end, json in links_in(bytes(left)):
            left[start:end] = _NOTHING * (end - start)
            yield start, end, json
    for start, end in values_in(bytes(left)):
        yield start, end, text[start:end]
