"""Memory given back to the system by a process that works batch after batch in threads."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Give the system what is free, where the C library is glibc; else it does so by itself.

    glibc keeps what each thread freed for that thread. Batches of changing threads let that grow
    to several times of what is in use.
    """
    trim = _malloc_trim()
    if trim:
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    if sys.platform != "linux":
        return None
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
