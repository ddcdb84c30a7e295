"""How processes that are paifu's own begin and end quickly: the command line and its workers.

A program that imports paifu may need what is left out here, so there nothing of this is done.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn

_LEFT_OUT = ("pandas", "scipy")
"""pyarrow and DuckDB import pandas when they first get a value from Python, in case it is from
pandas, and Numba asks SciPy for linear algebra: a third of a second."""

_NEW_OBJECTS = 50_000
"""Objects after which Python looks for garbage: its usual 700 cost a sixth of a start, while
libraries are imported."""


class _Refusal(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in _LEFT_OUT else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        raise ModuleNotFoundError(f"paifu runs without {spec.name}", name=spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: no module is made."""


def begin() -> None:
    """Leave out libraries, as if they were not installed, and look for garbage less often."""
    sys.meta_path.insert(0, _Refusal())
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def leave(status: int) -> NoReturn:
    """Exit without taking down the interpreter: that takes as long as a small query.

    It would also abort if a thread of a library is still working.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(status)
