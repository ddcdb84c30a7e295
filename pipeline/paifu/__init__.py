"""paifu: mahjong game logs to columnar tables, every win re-scored, questions asked in SQL.

>>> import paifu
>>> lake = paifu.open("games.lake")                           # doctest: +SKIP
>>> lake.sql("SELECT outcome, count(*) FROM rounds GROUP BY 1").df()  # doctest: +SKIP

``ingest`` brings logs into a lake, ``rescore`` holds every record against the rules engine,
``open`` gives a lake to ask, ``score`` is the hand calculator and ``rulesets`` the rule sets. Each
is imported when first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paifu.ingest import ingest
    from paifu.lake import open_lake as open
    from paifu.rescore import rescore
    from paifu.rules import rulesets
    from paifu.score import score

__version__ = "0.1.0"
__all__ = ["ingest", "open", "rescore", "rulesets", "score"]

_HOMES = {
    "ingest": ("paifu.ingest", "ingest"),
    "open": ("paifu.lake", "open_lake"),
    "rescore": ("paifu.rescore", "rescore"),
    "rulesets": ("paifu.rules", "rulesets"),
    "score": ("paifu.score", "score"),
}
"""Module and name behind each public name."""


class _Package(ModuleType):
    """Keeps ``paifu.ingest`` the function after the module of the same name has been imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'paifu' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
