"""Rules: hands, yaku, points and settlement; knows nothing of logs, lakes or command lines.

``Hands``, ``score``, ``Scored``, ``ENGINE_VERSION``, ``RuleSet`` and ``rulesets`` are loaded when
first asked for, so that a module that only needs shanten does not load the whole engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paifu.rules import rulesets
    from paifu.rules.engine import ENGINE_VERSION, Scored, score
    from paifu.rules.hands import Hands
    from paifu.rules.ruleset import RuleSet

__all__ = ["ENGINE_VERSION", "Hands", "RuleSet", "Scored", "rulesets", "score"]

_HOMES = {
    "ENGINE_VERSION": "engine", "Hands": "hands", "RuleSet": "ruleset", "Scored": "engine",
    "score": "engine",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "rulesets":
        return import_module("paifu.rules.rulesets")
    if name in _HOMES:
        return getattr(import_module(f"paifu.rules.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
