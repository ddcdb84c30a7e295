"""FNV-1a, the 64-bit hash of bytes that kernels and tables of hashes use.

``h = (h ^ byte) * PRIME`` from ``BASIS`` on, modulo 2**64 (Fowler, Noll and Vo).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.kernels.compiling import inner

BASIS = np.uint64(0xCBF29CE484222325)
"""Hash of no bytes."""
PRIME = np.uint64(0x100000001B3)


@inner
def fold(h: np.uint64, byte: Any) -> np.uint64:
    """Continue the hash ``h`` with one byte."""
    return (h ^ np.uint64(byte)) * PRIME


@inner
def fold_bytes(h: np.uint64, data: Any, first: int, last: int) -> np.uint64:
    """Continue the hash ``h`` with ``data[first:last]`` (uint8)."""
    for i in range(first, last):
        h = fold(h, data[i])
    return h


def fnv(data: bytes) -> int:
    """Return the hash of some bytes, 0 to 2**64 - 1, in plain Python.

    >>> hex(fnv(b"a"))
    '0xaf63dc4c8601ec8c'
    """
    h = int(BASIS)
    for byte in data:
        h = (h ^ byte) * int(PRIME) % 2**64
    return h
