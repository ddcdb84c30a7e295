"""What a yaku of riichi is: a named condition over a reading, its value, and what it replaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from paifu.rules.riichi.ruleset import RuleSet

Condition = pl.Expr | Callable[[RuleSet], pl.Expr]


@dataclass(frozen=True, slots=True)
class Rule:
    """One yaku of the rule book."""

    key: str
    closed: int
    """Usual han in a closed hand; 13 is a yakuman."""
    open: int
    """Usual han in an open hand; 0 if it does not count there."""
    when: Condition
    """Boolean expression, or a function that returns it for a rule set's options."""
    instead_of: tuple[str, ...] = ()
    """Yaku that do not count beside this one."""
    closed_only: bool = False
    """No open hand can have it, whatever a rule set says."""

    def condition(self, ruleset: RuleSet) -> pl.Expr:
        """Return the expression under a rule set."""
        return self.when if isinstance(self.when, pl.Expr) else self.when(ruleset)
