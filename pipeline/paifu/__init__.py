"""paifu: mahjong game logs to columnar tables, every win re-scored, questions asked in SQL.

>>> import paifu
>>> lake = paifu.open("games.lake")                           # doctest: +SKIP
>>> lake.sql("SELECT outcome, count(*) FROM rounds GROUP BY 1").df()  # doctest: +SKIP

``ingest`` brings logs into a lake, ``rescore`` checks every record with the rules engine, ``value``
says what every position was worth, ``open`` opens a lake for queries, ``score`` is the hand
calculator, ``waits`` says what a hand waits for, ``points_table`` what han and fu are worth, and
``rulesets`` has the rule sets. ``show`` shows a game and ``report`` writes pages about many. Each
is imported when first used. No module of the package has one of these names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paifu.audit.lake_audit import rescore
    from paifu.calculator.hand_scores import score
    from paifu.calculator.points_tables import points_table
    from paifu.calculator.tile_waits import waits
    from paifu.ingestion.driver import ingest
    from paifu.models.round_values import value
    from paifu.pages.site import report
    from paifu.pages.viewer import show
    from paifu.query.open_lake import open_lake as open
    from paifu.rules import rulesets

__version__ = "0.1.0"
__all__ = [
    "ingest", "open", "points_table", "report", "rescore", "rulesets", "score", "show", "value",
    "waits",
]  # fmt: skip

_HOMES = {
    "ingest": "paifu.ingestion.driver:ingest",
    "open": "paifu.query.open_lake:open_lake",
    "points_table": "paifu.calculator.points_tables:points_table",
    "report": "paifu.pages.site:report",
    "rescore": "paifu.audit.lake_audit:rescore",
    "rulesets": "paifu.rules.rulesets:",
    "score": "paifu.calculator.hand_scores:score",
    "show": "paifu.pages.viewer:show",
    "value": "paifu.models.round_values:value",
    "waits": "paifu.calculator.tile_waits:waits",
}
"""Module and name of each public name."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'paifu' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    home = import_module(module)
    return getattr(home, attribute) if attribute else home


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
