"""Makes text from logs safe to show in a terminal or a spreadsheet, which may act on it."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """Return text with control and invisible characters spelled out, safe for a terminal.

    >>> printable("ok \\x1b[31m")
    'ok \\\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character)[0] == "C" or character in "\u2028\u2029"
        else character
        for character in text
    )


def spreadsheet_text(text: str) -> str:
    """Return text without control characters that a spreadsheet does not run as a formula.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("a\\tb"), spreadsheet_text("東")
    ("'=1+1", 'a b', '東')
    """
    shown = "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)
    return f"'{shown}" if shown.lstrip().startswith(("=", "+", "-", "@")) else shown


def is_utf8(text: str) -> bool:
    """Return whether text can be written as UTF-8; arguments and file names may be other bytes.

    >>> is_utf8("東"), is_utf8("\\udcff")
    (True, False)
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
