"""Every sentence with which ``score``, ``waits`` and ``show`` refuse, as the code writes them."""

from __future__ import annotations

import ast
import inspect
from string import ascii_lowercase

from paifu.calculator import circumstances, hand, hand_scores, refusals, tile_waits
from paifu.cli.commands import score, show, waits
from paifu.game import notation, tiles
from paifu.query import filters, game_rows
from paifu.rules import rulesets

_MODULES = (
    circumstances, hand, hand_scores, refusals, tile_waits, notation, tiles, score, show, waits,
    game_rows,
)  # fmt: skip
_FUNCTIONS = (
    rulesets.load_scoring, refusals._not_won, filters.nobody_named, filters.check_computed,
)  # fmt: skip
_ERRORS = {"HandError", "FactError", "UsageError", "RuleError"}


def refused() -> set[str]:
    """Return the sentences, with letters for their values: ``{a} is not a run``."""
    sources = [ast.parse(inspect.getsource(source)) for source in (*_MODULES, *_FUNCTIONS)]
    return {told for source in sources for told in _sentences(source)}


def _sentences(tree: ast.Module) -> list[str]:
    """Return what errors are raised with, and what a function returns as a sentence."""
    told = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _ERRORS and node.args:
                told.append(_template(node.args[0]))
        elif isinstance(node, ast.Return) and isinstance(tree.body[0], ast.FunctionDef):
            told.append(_template(node.value))
    return [text for text in told if text]


def _template(node: ast.expr | None) -> str:
    """Return a text with letters for its values; "" if it is no text by itself."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    letters = iter(ascii_lowercase)
    return "".join(
        part.value if isinstance(part, ast.Constant) else f"{{{next(letters)}}}"
        for part in node.values
    )
