"""Decodes names of files within archives, whose encoding is not stated."""

from __future__ import annotations

import re
from collections.abc import Callable

_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uff66-\uff9f]")
"""Kana of either width, and kanji."""
_WITHIN_A_WORD = re.compile(r"[A-Za-z][\u4e00-\u9fff][A-Za-z]")
"""Two accented letters of a Western word when read as CP932."""


def member_name(name: bytes, otherwise: Callable[[bytes], str]) -> str:
    """Return a name that is UTF-8, or Japanese as Windows writes it (CP932).

    ``otherwise`` decodes any other name. A Western name that is valid CP932 by chance has no kana,
    and has kanji only between letters.

    >>> member_name("牌譜.mjlog".encode("cp932"), repr), member_name(b"\\x81.mjlog", repr)
    ('牌譜.mjlog', "b'\\\\x81.mjlog'")
    """
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        japanese = name.decode("cp932")
    except UnicodeDecodeError:
        return otherwise(name)
    if not _JAPANESE.search(japanese) or _WITHIN_A_WORD.search(japanese):
        return otherwise(name)
    return japanese
