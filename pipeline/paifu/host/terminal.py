"""Text from logs made fit for a terminal or a spreadsheet, which obey some of what they show."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """Return text that a terminal can only show: control and invisible characters are spelled out.

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
    """Return text that a spreadsheet shows and does not run, without control characters.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("a\\tb"), spreadsheet_text("東")
    ("'=1+1", 'a b', '東')
    """
    shown = "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)
    return f"'{shown}" if shown.lstrip().startswith(("=", "+", "-", "@")) else shown


def is_utf8(text: str) -> bool:
    """Tell whether text can be written as UTF-8; arguments and names of files need not.

    >>> is_utf8("東"), is_utf8("\\udcff")
    (True, False)
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
