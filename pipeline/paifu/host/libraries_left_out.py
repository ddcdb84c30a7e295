"""Keeps libraries from importing pandas and SciPy, which takes them a third of a second.

pyarrow and DuckDB import pandas when they first get a value from Python, in case it is from pandas,
and Numba asks SciPy for linear algebra. The command line and its worker processes need neither. A
program that imports paifu may need them, so nothing is done there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_LEFT_OUT = ("pandas", "scipy")


class _Refusal(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in _LEFT_OUT else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        raise ModuleNotFoundError(f"paifu runs without {spec.name}", name=spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: no module is made."""


def leave_out_libraries() -> None:
    """From now on, importing these fails in this process, as if they were not installed."""
    sys.meta_path.insert(0, _Refusal())
