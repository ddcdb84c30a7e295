"""A user's own game, written in TOML: the game it starts from, then the options that differ.

::

    extends = "guangdong-jph"
    name = "our table"            # else the file's name
    cap = 4                       # any option of `paifu rulesets guangdong-jph`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from paifu.errors import RuleError
from paifu.rules.fan.game import Game
from paifu.rules.toml_document import read_document


def parse_game(content: str, *, name: str, games: Mapping[str, Game], where: str) -> Game | None:
    """Return the game that TOML text describes; None where it does not extend one of ``games``.

    Raises :class:`~paifu.errors.RuleError` naming the file, the key and what is allowed.
    """
    document = read_document(content, where)
    base = games.get(str(document.pop("extends", "")))
    if base is None:
        return None
    title = document.pop("title", f"{name}, from {base.name}")
    name = document.pop("name", name)
    if not isinstance(name, str) or not isinstance(title, str):
        raise RuleError(f"{where}: name and title are text")
    return replace(base.with_options(document, where), name=name, title=title, extends=base.name)
