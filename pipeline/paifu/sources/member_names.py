"""Names of files within archives, which do not say what encoding they are in."""

from __future__ import annotations

import re
from collections.abc import Callable

_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uff66-\uff9f]")
"""Kana of either width, and kanji."""
_WITHIN_A_WORD = re.compile(r"[A-Za-z][\u4e00-\u9fff][A-Za-z]")
"""What two accented letters of a Western word become in CP932."""


def member_name(name: bytes, otherwise: Callable[[bytes], str]) -> str:
    """Return a name that is UTF-8, or Japanese as Windows writes it (CP932).

    What is neither is left to ``otherwise``. Western names that are CP932 by chance hold no kana,
    and a kanji at most between letters.

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
