"""Converts text to UTF-8, without the zero bytes that programs add."""

from __future__ import annotations

import codecs
import re

_ENCODINGS = (
    # the mark of UTF-32 begins with the mark of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_UNMARKED = (
    (re.compile(rb"[<{\[]\0[^\0]\0"), "utf-16-le"), (re.compile(rb"\0[<{\[]\0[^\0]"), "utf-16-be"),
)  # fmt: skip
"""How a log begins in UTF-16 without a byte order mark."""
_BEYOND_ASCII = bytes(range(0x80, 0x100))
_DECLARED = re.compile(rb"""\A(\s{,9}<\?xml[^>]{,99}?)\s+encoding\s*=\s*(?:"[^">]*"|'[^'>]*')""")
_DECLARES = re.compile(
    rb"""\A(?:\xef\xbb\xbf)?\s{,9}<\?xml[^>]{,99}?\sencoding\s{,9}=\s{,9}["']([\w.:-]{1,20})["']"""
)
_OF_EAST_ASIA = {
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "cp932"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "cp936", "gb18030"), "gb18030"),
    **dict.fromkeys(("euc-jp", "x-euc-jp", "iso-2022-jp", "euc-kr", "big5"), None),
}
"""Declared encodings of more than one byte a character, and the encoding that has all of each."""
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HEAD = 1024


def plain_text(data: bytes) -> bytes:
    """Return text as UTF-8 and without zero bytes around it; other data unchanged.

    UTF-16 and UTF-32 are recognised by their byte order mark, UTF-16 also by how a log begins; zero
    bytes may come before. XML in an encoding of East Asia is decoded as it declares. The encoding
    in an XML declaration is removed, because it is no longer true. Text that does not fit its mark
    or its declaration stays unchanged.

    >>> plain_text("<a/>".encode("utf-16"))
    b'<a/>'
    >>> plain_text(bytes(3) + b"{}" + bytes(2))
    b'{}'
    """
    if (decoded := _decoded(data)) is not None or (decoded := _as_declared(data)) is not None:
        data = _DECLARED.sub(rb"\1", decoded, count=1)
    if data[:1] == b"\0" or data[-1:] == b"\0":
        text = data.strip(b"\0")
        if not _BINARY.search(text[:_HEAD]):
            return text
    return data


def _decoded(data: bytes) -> bytes | None:
    """Return UTF-16 or UTF-32 as UTF-8, also after zero bytes; None for any other data."""
    text = data.lstrip(b"\0")
    after_zeros = data[:1] == b"\0"
    for begin in (data, bytes(2) + text, text) if after_zeros else (data,):
        for mark, encoding in _ENCODINGS:
            if begin.startswith(mark):
                decoded = _as_utf8(begin[len(mark) :], encoding)
                if decoded is not None:
                    return decoded
    unmarked = (text, b"\0" + text) if after_zeros else (data,)
    found = [
        decoded
        for begin in unmarked
        for begins, encoding in _UNMARKED
        if begins.match(begin) and (decoded := _as_utf8(begin, encoding)) is not None
    ]
    # The zero bytes before the text do not say which byte order it has. In the wrong one, each run
    # of other characters takes a character of ASCII that is beside it.
    return max(found, key=lambda decoded: len(decoded.translate(None, _BEYOND_ASCII)), default=None)


def _as_declared(data: bytes) -> bytes | None:
    """Return XML that declares an encoding of East Asia as UTF-8; None for any other data."""
    declared = _DECLARES.match(data)
    name = declared[1].decode().lower() if declared else ""
    if name not in _OF_EAST_ASIA:
        return None
    try:
        return data.decode(_OF_EAST_ASIA[name] or name).encode("utf-8")
    except UnicodeError:
        return None


def _as_utf8(data: bytes, encoding: str) -> bytes | None:
    width = 4 if encoding.startswith("utf-32") else 2
    if data[-1:] == b"\0":  # of zero bytes after the text, not all need be whole characters
        data = data[: len(data) // width * width]
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeError:
        return None
