"""Memory: returns free memory to the system between batches, and limits its use."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


def give_back() -> None:
    """Return free memory to the system if the C library is glibc; others do so by themselves.

    glibc keeps the memory that a thread freed for that thread. When batches run in changing
    threads, this can grow to several times the memory in use.
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
    """A context in which this process may use at most so many more bytes; works only on Linux."""
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
