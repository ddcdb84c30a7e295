"""Japan time, which Tenhou's ids and lists use for hours and days."""

from __future__ import annotations

from datetime import timedelta

JAPAN = timedelta(hours=9)
"""How far Japan time is ahead of UTC."""
