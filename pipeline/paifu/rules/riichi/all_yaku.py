"""The whole rule book: standard and local yaku, and which yaku exclude each other."""

from __future__ import annotations

from collections.abc import Mapping

from paifu.rules.riichi.local_yaku import LOCAL
from paifu.rules.riichi.rule import Rule
from paifu.rules.riichi.ruleset import RuleSet, Value
from paifu.rules.riichi.standard_yaku import LIMIT_HANDS, ORDINARY

RULES: tuple[Rule, ...] = (*ORDINARY, *LIMIT_HANDS, *LOCAL)
YAKU_VALUES: Mapping[str, Value] = {rule.key: Value(rule.closed, rule.open) for rule in RULES}
"""The usual value of every yaku the engine knows."""
STANDARD_YAKU: tuple[str, ...] = tuple(rule.key for rule in (*ORDINARY, *LIMIT_HANDS))
"""Yaku that count unless a rule set forbids them; the others count where it allows them."""
CLOSED_ONLY: frozenset[str] = frozenset(rule.key for rule in RULES if rule.closed_only)
"""Yaku no open hand can have."""


def replaced_by(ruleset: RuleSet) -> dict[str, tuple[str, ...]]:
    """Return, for each yaku of a rule set, the other yaku beside which it does not count."""
    pairs = [(old, rule.key) for rule in RULES for old in rule.instead_of]
    if not ruleset.daichisei_with_tsuuiisou:
        pairs.append(("tsuuiisou", "daichisei"))
    if not ruleset.shiisanpuutaa_with_tenhou:
        pairs += [("tenhou", "shiisanpuutaa"), ("chihou", "shiisanpuutaa")]
    out: dict[str, tuple[str, ...]] = {}
    for old, new in pairs:
        if old in ruleset.yaku and new in ruleset.yaku:
            out[old] = (*out.get(old, ()), new)
    return out
