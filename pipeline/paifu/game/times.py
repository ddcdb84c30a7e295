"""Japan time, in which Tenhou's ids and lists, and its players, count hours and days."""

from __future__ import annotations

from datetime import timedelta

JAPAN = timedelta(hours=9)
"""What Japan time is ahead of UTC."""
