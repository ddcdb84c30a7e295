"""How many threads work at once: as many as there are processors, or what the user says."""

from __future__ import annotations

import os

from paifu.errors import UsageError

MOST = 256
"""More threads than any machine has use for; each takes memory."""


def worker_count(asked: int | None, option: str = "--jobs") -> int:
    """Return how many threads work at once; one per processor where nothing is asked.

    >>> worker_count(3)
    3

    Raises :class:`~paifu.errors.UsageError` for a number of threads that cannot be.
    """
    if asked is None:
        return os.cpu_count() or 1
    if not 1 <= asked <= MOST:
        raise UsageError(f"{option} takes a number of threads from 1 to {MOST}, not {asked}")
    return asked
