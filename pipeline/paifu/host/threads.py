"""How many threads work at once: one per processor, or the number that the user gives."""

from __future__ import annotations

import os

from paifu.errors import UsageError

MOST = 256
"""More threads than any machine has use for; each takes memory."""


def processors() -> int:
    """Return how many processors this process may use, which may be fewer than the machine has."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # this system does not have it
        return os.cpu_count() or 1


def worker_count(asked: int | None, option: str = "--jobs") -> int:
    """Return how many threads work at once; one per processor if no number is given.

    >>> worker_count(3)
    3

    Raises :class:`~paifu.errors.UsageError` for an impossible number of threads.
    """
    if asked is None:
        return processors()
    if not 1 <= asked <= MOST:
        raise UsageError(f"{option} takes a number of threads from 1 to {MOST}, not {asked}")
    return asked
