"""Memory: given back to the system between batches, and kept within bounds."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


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


@contextmanager
def address_space(more: int) -> Iterator[None]:
    """Within, let this process have so many bytes more than it has; Linux alone can say so."""
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = min(pages * resource.getpagesize() + more, sys.maxsize)
    known = [limit for limit in (before, most) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *known]), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
