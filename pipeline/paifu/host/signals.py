"""Ctrl-C and SIGTERM: handled in the same way, and delayed while work must not be interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM: the system ends the work, not the user at the keyboard."""


def terminate(number: int, frame: FrameType | None) -> NoReturn:
    """Raise :class:`Terminated`; a handler of signals."""
    raise Terminated


@contextmanager
def held_back() -> Iterator[None]:
    """A context in which signals that end the work are delayed; they take effect at its end.

    Only the main thread gets them in any case.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heard: list[int] = []
    for number, handler in before.items():
        if callable(handler):  # else it is ignored, or ends the process at once
            signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
    for late in heard:
        handler = before[signal.Signals(late)]
        if callable(handler):
            handler(late, None)
