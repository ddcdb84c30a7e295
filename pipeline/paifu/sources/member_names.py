"""Decodes names of files within archives, whose encoding is not stated."""

from __future__ import annotations

import re
from collections.abc import Callable

_EAST_ASIAN = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uff66-\uff9f]")
"""Kana of either width, and Chinese characters."""
_KANA = re.compile(r"[\u3041-\u30ff]")
_NARROW_AND_WIDE = re.compile(r"(?=.*[\uff61-\uff9f])(?=.*[\u3041-\u30ff\u4e00-\u9fff])", re.DOTALL)
"""Half-width kana beside others: no person writes so, but another encoding looks like this."""
_WITHIN_A_WORD = re.compile(r"[A-Za-z][\u4e00-\u9fff][A-Za-z]")
"""Two accented letters of a Western word when read as an encoding of two bytes a character."""
_OF_MAHJONG = frozenset("牌譜谱麻雀将東东南西北風风局戦战回年月日第段位卓鳳凰凤记録录")


def member_name(name: bytes, otherwise: Callable[[bytes], str]) -> str:
    """Return a name that is UTF-8, Japanese (CP932, EUC-JP) or Chinese (GBK).

    ``otherwise`` decodes any other name. A Western name that is valid in one of these encodings by
    chance has no kana, and has Chinese characters only between letters. Of several encodings, the
    one is taken in which the name has most of the characters of mahjong.

    >>> member_name("牌譜.mjlog".encode("cp932"), repr), member_name(b"\\x81.mjlog", repr)
    ('牌譜.mjlog', "b'\\\\x81.mjlog'")
    >>> member_name("牌谱.json".encode("gbk"), repr), member_name("牌譜.xml".encode("euc-jp"), repr)
    ('牌谱.json', '牌譜.xml')
    """
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        pass
    unix = _decoded(name, "euc-jp")
    order = (
        ("cp932", "euc-jp", "gbk") if unix and _KANA.search(unix) else ("cp932", "gbk", "euc-jp")
    )
    likely = [text for encoding in order if (text := _decoded(name, encoding))]
    return max(likely, key=_usual) if likely else otherwise(name)


def _decoded(name: bytes, encoding: str) -> str | None:
    """Return a name in an encoding of East Asia; None if it is not likely to be in it."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return None
    unlikely = _WITHIN_A_WORD.search(text) or _NARROW_AND_WIDE.match(text)
    return text if _EAST_ASIAN.search(text) and not unlikely else None


def _usual(text: str) -> int:
    return sum(letter in _OF_MAHJONG for letter in text)
