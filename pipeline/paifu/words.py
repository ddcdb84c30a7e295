"""Numbers and articles as people write them: ``1 game``, ``2,000 games``, ``an ankan``."""

from __future__ import annotations


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
