"""The zones in which platforms give times. Tenhou's ids and lists have hours of Japan."""

from __future__ import annotations

from datetime import timedelta

JAPAN = timedelta(hours=9)
"""How far Japan time is ahead of UTC."""
CHINA = timedelta(hours=8)
"""How far China time is ahead of UTC."""

ZONES: dict[str, tuple[str, timedelta]] = {
    "tenhou": ("JST", JAPAN),
    "mleague": ("JST", JAPAN),
    "botzone": ("UTC+8", CHINA),
    "sheet": ("", JAPAN),
}
"""Name and distance from UTC of a platform's own time, for platforms that play in one zone. The
days of sheets are stored as days of Japan, wherever people played."""
