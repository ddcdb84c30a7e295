"""Decimal digits in bytes of text, as every kernel reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.kernels.compiling import inner

ZERO = ord("0")


@inner
def is_digit(byte: int) -> bool:
    """Return whether a byte is one of ``0`` to ``9``."""
    return 0 <= byte - ZERO <= 9


@inner
def read_digits(text: Any, at: int, stop: int) -> tuple[int, int]:
    """Return the number that the digits from ``at`` on make (0 if there are none), and their end.

    ``text`` is uint8, read only before ``stop``. A number of more than eighteen digits is wrong:
    the caller checks how many digits there were.
    """
    number = 0
    while at < stop and is_digit(text[np.uint64(at)]):
        number = 10 * number + text[np.uint64(at)] - ZERO
        at += 1
    return number, at
