"""Finds JSON within other text: the script of a web page, a link, a program's output.

Values are found by brackets and strings, and count if they are strict JSON. The time is limited: at
most a few times the length of any text is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from paifu.formats.escapes import unquoted

_BEGINS = re.compile(rb'\{\s{,99}["}]|\[\s{,99}[\[{]')
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
_OPENING = (b"{", b"[")
_LOOKS = 4
"""How often, on average, a byte may be read before the search ends."""
_SLACK = 1 << 16

LINK = b"#json="
"""The text before a game in the address of Tenhou's viewer."""
_WORD = re.compile(rb"""[^\s"'<>`&]*""")
_LINE = re.compile(rb"""[^\n"<]*""")


def value_end(text: bytes, start: int, stop: int) -> int:
    """Return where the bracket at ``start`` is closed, or -1 if it is not closed before ``stop``.

    >>> value_end(b'{"a": ["]"]} ', 0, 99)
    12
    """
    depth = 0
    for match in _TOKEN.finditer(text, start, stop):
        token = match[0]
        if token in _OPENING:
            depth += 1
        elif token[:1] != b'"':
            depth -= 1
            if depth <= 0:
                return match.end()
    return -1


def values_in(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where objects, and arrays of objects or arrays, begin and end in a text.

    Values with only white space between them count as one: lines of events.
    """
    looked, at, begun, ended = 0, 0, -1, -1
    while (match := _BEGINS.search(text, at)) and looked < _LOOKS * len(text) + _SLACK:
        start = match.start()
        end = value_end(text, start, len(text))
        looked += (len(text) if end < 0 else end) - start
        if end < 0 or not _is_json(text[start:end]):
            at = start + 1
            continue
        if begun >= 0 and text[ended:start].strip():
            yield begun, ended
            begun = start
        begun, ended, at = (begun if begun >= 0 else start), end, end
    if begun >= 0:
        yield begun, ended


def links_in(text: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where links of Tenhou's viewer begin and end after ``#json=``, and the JSON in them.

    A link may be percent-encoded once, again, only in its quotes (as in address bars), or not at
    all, and may have spaces. Only its JSON says where it ends; if its quotes are encoded, it is
    taken to end with the line. Of a link without JSON the first word is yielded.

    >>> list(links_in(b"see https://tenhou.net/6/#json={%22ver%22: 2.3}&ts=1 there"))
    [(31, 58, b'{"ver": 2.3}')]
    """
    found = text.find(LINK)
    while found >= 0:
        start = found + len(LINK)
        found = text.find(LINK, start)
        rest = text[start : found if found >= 0 else len(text)]
        word, line = (_length(pattern, rest) for pattern in (_WORD, _LINE))
        for plain, length in (
            *((plain, word) for plain in unquoted(rest[:word])),
            (rest, 0),
            *((plain, line) for plain in unquoted(rest)),
        ):
            end = value_end(plain, 0, len(plain)) if plain[:1] == b"{" else -1
            if end >= 0 and _is_json(plain[:end]):
                yield start, start + (length or end), plain[:end]
                break
        else:
            if word:
                yield start, start + word, [rest[:word], *unquoted(rest[:word])][-1]


def _length(pattern: re.Pattern[bytes], text: bytes) -> int:
    """Return how much of the beginning of a text matches a pattern."""
    match = pattern.match(text)
    return match.end() if match else 0


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
