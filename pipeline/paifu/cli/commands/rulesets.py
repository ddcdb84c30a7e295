"""``paifu rulesets``: lists and explains the rule sets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_options, print_table
from paifu.messages import yakuman_times

if TYPE_CHECKING:
    from paifu.rules.riichi.ruleset import RuleSet


_HOW_TO_ALLOW = """
a TOML file counts or drops yaku, and sets what they are worth (docs/local-yaku.md):

  extends = "{}"
  [yaku]
  allow = ["sanrenkou", "renhou"]       # at the values above
  forbid = ["ippatsu"]
  [yaku.values]                         # han, mangan to triple_yakuman, or closed and open apart
  renhou = "mangan"
  honroutou = {{ closed = 3, open = 2 }}"""


def rulesets(name: str | None = None, /, *, json: JsonOption = False) -> None:
    """List the rule sets, or explain one: its options, their sources, its yaku.

    Your own rule set is a TOML file: extends = "tenhou-4p", then a line for each option that
    differs, and a table [yaku] with allow, forbid and values (docs/local-yaku.md).

    Example: paifu rulesets mleague

    Parameters
    ----------
    name
        A rule set, or a TOML file; without it, all rule sets are listed.
    """
    from paifu.cli.game_rules_text import explain_game, game_as_json
    from paifu.rules import rulesets as known
    from paifu.rules.fan.game import Game

    if name is not None:
        ruleset = known.load_any(name)
        if isinstance(ruleset, Game):
            if json:
                print_json(game_as_json(ruleset))
            else:
                explain_game(ruleset)
        elif json:
            print_json(as_json(ruleset))
        else:
            _explain(ruleset)
        return
    listed = [known.get_any(each) for each in (*known.names(), *known.game_names())]
    if json:
        print_json([{"name": each.name, "title": each.title} for each in listed])
    else:
        print_table(("rule set", "what it is"), [(each.name, each.title) for each in listed])


def as_json(ruleset: RuleSet) -> dict[str, Any]:
    """Return a rule set with its options, their values and sources, and the values of its yaku.

    Yaku that it does not count have the values that they get when a TOML file allows them.
    """
    from paifu.rules.riichi.all_yaku import YAKU_VALUES
    from paifu.rules.riichi.ruleset import OPTIONS

    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "hash": str(ruleset.hash),
        "options": {
            spec.name: {
                "value": getattr(ruleset, spec.name),
                "values": list(spec.metadata["values"]),
                "group": spec.metadata["group"],
                "doc": spec.metadata["doc"],
                "source": ruleset.sources.get(spec.name),
                "simulator_only": spec.metadata["simulator_only"],
            }
            for spec in OPTIONS
        },
        "yaku": {
            key: {"closed": value.closed, "open": value.open} for key, value in ruleset.yaku.items()
        },
        "yaku_not_counted": {
            key: {"closed": value.closed, "open": value.open}
            for key, value in YAKU_VALUES.items()
            if key not in ruleset.yaku
        },
    }


def _explain(ruleset: RuleSet) -> None:
    from rich.console import Console
    from rich.table import Table

    from paifu.rules.riichi.all_yaku import RULES, YAKU_VALUES
    from paifu.rules.riichi.presets import SOURCES
    from paifu.rules.riichi.ruleset import GROUPS, OPTIONS
    from paifu.schema.yaku import YAKU, YAKU_INDEX

    out = Console(file=sys.stdout, highlight=False)
    if not out.is_terminal:
        out = Console(file=sys.stdout, highlight=False, width=160)
    out.print(f"{ruleset.name}: {ruleset.title}", markup=False)
    used: set[str] = set()
    for group, what in GROUPS.items():
        if (group == "sanma" and ruleset.players == 4) or (group == "chips" and not ruleset.chips):
            continue
        options = []
        for spec in OPTIONS:
            if spec.metadata["group"] != group:
                continue
            value = getattr(ruleset, spec.name)
            source = ruleset.sources.get(spec.name, "")
            used.update(source.split())
            allowed = ", ".join(_text(each) for each in spec.metadata["values"] if each != value)
            doc = spec.metadata["doc"]
            if spec.metadata["simulator_only"]:
                doc += " For paifu simulate alone: a record shows it by itself."
            options.append((spec.name, _text(value), allowed, source, doc))
        print_options(what, options)
    counted = [rule.key for rule in RULES if rule.key in ruleset.yaku]
    others = [rule.key for rule in RULES if rule.key not in ruleset.yaku]
    for title, keys, values in (
        ("yaku", counted, ruleset.yaku), ("yaku that do not count here", others, YAKU_VALUES),
    ):  # fmt: skip
        table = Table(title=f"\n{title}", title_justify="left", show_edge=False, pad_edge=False)
        for column in ("yaku", "", "", "closed", "open", "source"):
            table.add_column(column, overflow="fold")
        for key in keys:
            yaku, value = YAKU[YAKU_INDEX[key]], values[key]
            source = ruleset.sources.get(key, "")
            used.update(source.split())
            table.add_row(
                key, yaku.japanese, yaku.english, _han(value.closed), _han(value.open), source
            )
        if keys:
            out.print(table, markup=False)
    out.print(_HOW_TO_ALLOW.format(ruleset.extends or ruleset.name), markup=False)
    out.print("\nsources (? not confirmed by a document)")
    for tag, document in SOURCES.items():
        if tag in {each.rstrip("0123456789") for each in used} | used:
            out.print(f"  {tag:4}{document}", markup=False)


def _text(value: Any) -> str:
    """Return an option's value almost as TOML writes it.

    >>> _text(True), _text((20, 10, -10, -20)), _text("tenpai")
    ('true', '20 10 -10 -20', 'tenpai')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        nested = any(isinstance(each, tuple) for each in value)
        return (", " if nested else " ").join(map(_text, value)) or "none"
    return str(value)


def _han(han: int) -> str:
    """Return a yaku's value as players say it.

    >>> _han(0), _han(2), _han(13), _han(26)
    ('', '2', 'yakuman', 'double yakuman')
    """
    from paifu.rules.riichi.ruleset import YAKUMAN

    if han and han % YAKUMAN == 0:
        return yakuman_times(han // YAKUMAN)
    return str(han or "")
