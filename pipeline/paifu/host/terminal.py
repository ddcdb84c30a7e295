"""Text from logs and archives made fit for a terminal, which obeys some of what it is shown."""

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


def is_utf8(text: str) -> bool:
    """Tell whether text can be written as UTF-8; arguments and names of files need not.

    >>> is_utf8("東"), is_utf8("\\udcff")
    (True, False)
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
