"""Every reason that a verdict can have, as the audit writes them."""

from __future__ import annotations

import ast
from pathlib import Path

from paifu import audit
from paifu.audit import legality
from paifu.rules import rulesets
from paifu.rules.hands.faults import FAULTS
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.flags import FLAGS

_MODULES = (
    "legality", "win_checks", "draw_checks", "round_checks", "game_checks", "wide_rounds",
    "other_game_checks", "session_checks", "session_rows",
)  # fmt: skip
_PREFIX = "the round had already ended by an abortive draw: "


def reasons() -> set[str]:
    """Return the reasons; numbers in them are those of some rule set."""
    found = {sentence for sentence in FAULTS.values() if sentence}
    found |= {legality._as_reason(FLAGS[key]) for key in legality.WIN_BREACHES}
    for name in rulesets.names():
        rules = rulesets.get(name)
        if isinstance(rules, RuleSet):
            found |= {told for _, told in legality._of_seat(rules, ())}
    found |= {f"{_PREFIX}{why}" for why in legality._OVER.values()}
    found |= {legality.DORA_MISSING}
    for module in _MODULES:
        path = Path(audit.__file__).parent / f"{module}.py"
        found |= set(_sentences(ast.parse(path.read_text(encoding="utf-8"))))
    return {told for told in found if "{" not in told} - set(legality._OVER.values())


def _sentences(tree: ast.Module) -> list[str]:
    """Return the texts of a module that are sentences of a verdict: no docstrings, no f-strings."""
    no_text = {
        id(part)
        for node in ast.walk(tree)
        for part in (
            node.values
            if isinstance(node, ast.JoinedStr)
            else [node.value]
            if isinstance(node, ast.Expr)
            else []
        )
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in no_text
        and node.value.strip().count(" ") >= 2
        and "\n" not in node.value
    ]
