"""Games other than riichi, one module for each; every module here with ``GAMES`` is found.

``mentioned`` has the games that are known by name but cannot be scored.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from paifu.rules.fan.game import Game


@cache
def all_games() -> dict[str, Game]:
    """Return every game by its name, in the order of the modules."""
    found: dict[str, Game] = {}
    for module in sorted(each.name for each in iter_modules(__path__)):
        for game in getattr(import_module(f"{__name__}.{module}"), "GAMES", ()):
            found[game.name] = game
    return found
