"""Writes numbers and articles for messages, suggests similar words, and shortens long text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the plural takes an s unless ``plural`` is given.

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


_FOLDS = {1: "yakuman", 2: "double yakuman", 3: "triple yakuman"}


def yakuman_times(times: int) -> str:
    """Return how many yakuman a hand or a yaku is worth, as players say it.

    >>> yakuman_times(1), yakuman_times(2), yakuman_times(6)
    ('yakuman', 'double yakuman', '6-fold yakuman')
    """
    return _FOLDS.get(times, f"{times}-fold yakuman")


_LIKENESS = 0.65
"""How similar a word must be to a known word to be suggested; 1 is identical."""


def nearest(word: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Return the known words that a user may have meant, the most similar first.

    >>> nearest("Houo", ["ippan", "houou"]), nearest("nosuch", ["tenhou-chip"])
    (['houou'], [])
    """
    by_letters: dict[str, str] = {}
    for each in known:
        by_letters.setdefault(each.casefold(), each)
    found = difflib.get_close_matches(word.casefold(), by_letters, n=most, cutoff=_LIKENESS)
    return [by_letters[each] for each in found]


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return advice for an unknown word: the most similar known words, or where to look.

    >>> did_you_mean("houuo", ["ippan", "houou"], "paifu sql lists the rooms")
    "did you mean 'houou'?"
    >>> did_you_mean("xyz", ["ippan", "houou"], "paifu sql lists the rooms")
    'paifu sql lists the rooms'
    """
    found = [repr(each) for each in nearest(word, known)]
    if not found:
        return otherwise
    several = f"{', '.join(found[:-1])} or {found[-1]}" if found[1:] else found[0]
    return f"did you mean {several}?"


_WORD, _TEXT = 300, 2000
_ENDING = 60
"""How many characters are kept at the end of a text that is cut."""


def shortened(text: str) -> str:
    """Return text in which the middle of very long words, and of very long text, is cut out.

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
