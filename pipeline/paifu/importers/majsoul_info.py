"""What is known of Mahjong Soul beside its log format: record ids, ranks, names of rooms."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

CHINA = timezone(timedelta(hours=8))
"""The servers' time, in which record ids write their date."""

RECORD_ID = re.compile(
    r"(?P<date>\d{6})-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)
ROOM = re.compile(r"[銅铜銀银金玉]の間|[铜银金玉]之间|王座|友人|大会|\bRoom\b|Friendly|Tournament")
"""What the names of its rooms have in common, in the languages of its clients."""

_RANKS = ("初心", "雀士", "雀傑", "雀豪", "雀聖", "魂天")
_RANKS_ELSEWHERE = {
    "雀杰": 3, "雀圣": 5,
    "novice": 1, "adept": 2, "expert": 3, "master": 4, "saint": 5, "celestial": 6,
}  # fmt: skip
_RANK = re.compile(r"([^\d★ ]+?)\s*★?\s*(\d|I{1,3})?")
_STARS = {"I": 1, "II": 2, "III": 3}


def dan_code(name: str, players: int) -> int | None:
    """Return the platform's rank code (``level_id``) of a written rank, or None.

    The code is 10000 (four players) or 20000 (three) + 100 × rank + stars.

    >>> dan_code("雀豪★2", 4), dan_code("Saint I", 4), dan_code("七段", 4)
    (10402, 10501, None)
    """
    match = _RANK.fullmatch(name.strip())
    if match is None:
        return None
    rank, stars = match.groups()
    number = _RANKS.index(rank) + 1 if rank in _RANKS else _RANKS_ELSEWHERE.get(rank.casefold())
    if number is None:
        return None
    star = _STARS[stars] if stars in _STARS else int(stars or 1)
    return (20000 if players == 3 else 10000) + 100 * number + star


def played_on(record_id: str) -> datetime | None:
    """Return the start of the day a record id names, in UTC, or None.

    >>> played_on("230117-2f56958d-7b7e-4156-a9a4-d60c4ab5c698").isoformat()
    '2023-01-16T16:00:00+00:00'
    """
    match = RECORD_ID.search(record_id)
    if match is None:
        return None
    try:
        day = datetime.strptime(match["date"], "%y%m%d").replace(tzinfo=CHINA)
    except ValueError:
        return None
    return day.astimezone(UTC)
