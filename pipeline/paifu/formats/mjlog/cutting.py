"""Finds mjlogs in a text: several in one file, or within a web page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_ROOT = re.compile(rb"<mjloggm[\s>]")
_END = re.compile(rb"</mjloggm\s*>")


def mjlogs_in(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each mjlog of a text begins and ends; an mjlog without end ends with the text.

    >>> list(mjlogs_in(b"<p><mjloggm ver='2.3'></mjloggm></p><mjloggm>"))
    [(3, 32), (36, 45)]
    """
    starts = [match.start() for match in _ROOT.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        end = _END.search(text, start, following)
        yield start, end.end() if end else following
