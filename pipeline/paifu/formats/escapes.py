"""Decodes text that was escaped to stand in other text: an address, a string, a page, a mail."""

from __future__ import annotations

import binascii
import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import orjson

_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_FORM = re.compile(rb"(?:[A-Za-z0-9_.~*+=&-]|%[0-9A-Fa-f]{2})*\Z")
"""The only characters of a form: its spaces are ``+``. An address has others as well."""
_MOST = 3
"""How often a text may have been percent-encoded."""
_BACKSLASHED = re.compile(rb"\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_OPENS = rb"(?=(?:\s|\\[nrt])*+(?:[{\[<]|\\u00(?:3c|5b|7b)|\\x(?:3c|5b|7b)))"
_STRINGS = (
    re.compile(rb'"' + _OPENS + rb'(?:[^"\\]++|\\.)*+("|\Z)', re.DOTALL | re.IGNORECASE),
    re.compile(rb"'" + _OPENS + rb"(?:[^'\\]++|\\.)*+('|\Z)", re.DOTALL | re.IGNORECASE),
)
"""A string of a program or of JSON that begins like a log."""
_LOOKS = 4
"""How often, on average, a byte is read in search of a string's end."""
_BETWEEN = re.compile(rb"[\s,]*+\Z")
_SOME_STRINGS = re.compile(rb'(?:\s*+"(?:[^"\\]++|\\.)*+"\s*+(?:,|(?=\]))){1,10000}+', re.DOTALL)

_BREAK_OR_SIGN = re.compile(rb"=(?:\r?\n|3D)")
_IN_MAIL = re.compile(
    rb"^content-transfer-encoding:[ \t]*+base64[ \t]*+\r?\n"
    rb"(?:[^\r\n][^\n]{,999}\n){,20}+\r?\n([A-Za-z0-9+/=\r\n]*+)",
    re.IGNORECASE | re.MULTILINE,
)
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{60,}+(?:\r?\n[A-Za-z0-9+/]{4,}+)*+={0,2}")
_FIRST = 8
"""How much of a text in base64 shows whether it begins like a log; a multiple of four."""
_OPENERS = (b"{", b"[", b"<")
_DOUBLED = re.compile(rb'(?:=|[{\[]\s{,9})""\w')


def unquoted(text: bytes) -> Iterator[bytes]:
    """Yield a percent-encoded text decoded once, twice and so on, while it has escapes.

    >>> list(unquoted(b"%257B%22a+b%22%257D")), list(unquoted(b"{%22+%22}")), list(unquoted(b"a+b"))
    ([b'%7B"a b"%7D', b'{"a b"}'], [b'{"+"}'], [])
    """
    for _ in range(_MOST):
        if not _PERCENT.search(text):
            return
        spaced = text.replace(b"+", b" ") if _FORM.match(text.strip()) else text
        text = unquote_to_bytes(spaced)
        yield text


def without_references(text: bytes) -> bytes:
    """Return a text with the character references of HTML decoded."""
    return html.unescape(text.decode("utf-8", "replace")).encode()


def from_quoted_printable(text: bytes) -> bytes:
    """Return a text that a mail has in quoted-printable; any other text unchanged.

    >>> from_quoted_printable(b"<a b=3D'1'>")
    b"<a b='1'>"
    """
    return binascii.a2b_qp(text) if _BREAK_OR_SIGN.search(text) else text


def without_doubled_quotes(text: bytes) -> bytes:
    """Return a text that stands in a cell of CSV with its quotes single; any other unchanged.

    >>> without_doubled_quotes(b'1,"<a b=""1"">"')
    b'1,"<a b="1">"'
    """
    return text.replace(b'""', b'"') if _DOUBLED.search(text) else text


def from_base64(text: bytes) -> list[bytes]:
    """Return what stands in base64 in a text: parts of a mail, and what begins like a log.

    >>> from_base64(b'{"text": "%s"}' % binascii.b2a_base64(b'{"a": "%s"}' % (b"b" * 60)).strip())
    [b'{"a": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}']
    """
    parts = [match[1] for match in _IN_MAIL.finditer(text)]
    runs = (match[0] for match in _BASE64.finditer(_IN_MAIL.sub(b"", text) if parts else text))
    parts += [run for run in runs if _begins_like_a_log(run[:_FIRST])]
    decoded = map(_whole, dict.fromkeys(parts))
    return [each for each in decoded if each]


def _begins_like_a_log(first: bytes) -> bool:
    return _whole(first).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in _OPENERS


def _whole(encoded: bytes) -> bytes:
    """Return what letters of base64 say, without one that is too many."""
    letters = encoded.translate(None, b"\r\n=")
    return binascii.a2b_base64(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")


def strings_in(text: bytes) -> list[bytes]:
    r"""Return the strings of a program or of JSON that begin like a log, decoded.

    Strings with only commas between them are lines of one text.

    >>> strings_in(rb'a("{\"type\":1}", "{\"type\":2}"); b = "<p class=\"c\">"')
    [b'{"type":1}\n{"type":2}', b'<p class="c">']
    >>> strings_in(b"a('[1]') + b(\"<p>it's</p>\")")
    [b'[1]', b"<p>it's</p>"]
    """
    double, single = (list(_closed(string, text)) for string in _STRINGS)
    found: list[list[bytes]] = []
    end = -1
    for match in sorted([*double, *_outside(double, single)], key=re.Match.start):
        if end < 0 or not _BETWEEN.match(text, end, match.start()):
            found.append([])
        found[-1].append(_meant(match[0]))
        end = match.end()
    return list(map(b"\n".join, found))


def _outside(taken: list[re.Match[bytes]], more: list[re.Match[bytes]]) -> list[re.Match[bytes]]:
    """Return the matches of ``more`` that overlap none of ``taken``; each list is in order."""
    ends = [match.end() for match in taken]
    starts = [match.start() for match in taken]
    return [
        match
        for match in more
        if bisect_right(ends, match.start()) == bisect_left(starts, match.end())
    ]


def _closed(string: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the strings that are closed. If many are not, the search ends early."""
    looked = at = 0
    while (match := string.search(text, at)) and looked <= _LOOKS * len(text):
        if match[1]:
            yield match
        else:
            looked += len(text) - match.start()
        at = match.end() if match[1] else match.start() + 1


def _meant(string: bytes) -> bytes:
    try:
        return str(orjson.loads(string)).encode()
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return _BACKSLASHED.sub(_character, string[1:-1])


def _character(escape: re.Match[bytes]) -> bytes:
    letter = escape[1]
    if len(letter) == 1:
        return _LETTERS.get(letter, letter)
    return chr(int(letter[1:], 16)).encode("utf-8", "replace")


def listed_lines(text: bytes) -> bytes | None:
    """Return the strings of a JSON list as lines of one text; None for anything else.

    However many strings there are, few of them are in memory at a time.

    >>> listed_lines(b'["a", "b"]'), listed_lines(b'["a", 1]')
    (b'a\\nb', None)
    """
    begin, end = text.find(b"["), text.rfind(b"]")
    if begin < 0 or text[:begin].strip() or text[end + 1 :].strip():
        return None
    lines, at = [], begin + 1
    while at < end and (some := _SOME_STRINGS.match(text, at)):
        try:
            lines.append("\n".join(orjson.loads(b"[%b]" % some[0].rstrip(b"\r\n\t ,"))).encode())
        except orjson.JSONDecodeError:
            return None
        at = some.end()
    return b"\n".join(lines) if lines and at == end else None
