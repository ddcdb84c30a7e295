"""Numbers and articles as people write them, and texts of a length that people read."""

from __future__ import annotations

import re


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, which takes an s unless ``plural`` says otherwise.

    >>> counted(1, "game"), counted(0, "game"), counted(2000, "loss", "losses")
    ('1 game', '0 games', '2,000 losses')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def with_article(noun: str) -> str:
    """Return a noun with its article, by its first letter.

    >>> with_article("ankan"), with_article("pon"), with_article("n288 seed")
    ('an ankan', 'a pon', 'a n288 seed')
    """
    return f"an {noun}" if noun[:1].lower() in tuple("aeiou") else f"a {noun}"


_WORD, _TEXT = 300, 2000
_ENDING = 60
"""Characters kept of the end of a text that is cut."""


def shortened(text: str) -> str:
    """Return text without the middle of words and texts that are too long to be read.

    >>> shortened("no file " + 1000 * "x") == "no file " + 240 * "x" + "…" + 60 * "x"
    True
    """
    words = _LONG_WORD.sub(lambda word: _cut(word[0], _WORD), text)
    return _cut(words, _TEXT)


_LONG_WORD = re.compile(rf"\S{{{_WORD + 1},}}")


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return f"{text[: length - _ENDING]}…{text[-_ENDING:]}"
