"""What ``paifu rulesets`` prints for a game other than riichi: its options and fan table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from paifu.cli.output import print_options
from paifu.rules.fan.flow import Flow, flow_choices

if TYPE_CHECKING:
    from paifu.rules.fan.choices import Choice
    from paifu.rules.fan.game import Game


def game_as_json(game: Game) -> dict[str, Any]:
    """Return a game with its options, their values, and its fan with the fan that each includes."""
    return {
        "name": game.name,
        "title": game.title,
        "doc": game.doc,
        "hash": str(game.hash),
        "players": game.players,
        "options": {
            choice.name: {
                "value": game.options[choice.name],
                "values": list(choice.values),
                "doc": choice.doc,
                "missing": game.options[choice.name] is None,
            }
            for choice in game.choices
        },
        "session": {name: getattr(game.flow, name) for name in _FACTS},
        "fan": {
            fan.key: {"name": fan.name, "points": fan.points, "strikes": list(fan.strikes)}
            for fan in game.every_fan
        },
        "events": [event.what for event in game.events],
        "table": _payments_by_name(game),
    }


def explain_game(game: Game) -> None:
    """Print a game: its description, its options, its fan table."""
    from rich.console import Console
    from rich.table import Table

    out = Console(file=sys.stdout, highlight=False)
    if not out.is_terminal:
        out = Console(file=sys.stdout, highlight=False, width=160)
    out.print(f"{game.name}: {game.title}\n{game.doc}", markup=False)
    if game.missing:
        out.print(
            f"Not in the source: {', '.join(game.missing)}. A TOML file with extends = "
            f"{game.name!r} and these lines gives them.",
            markup=False,
        )
    for title, choices in (
        ("options", game.own_choices),
        ("options of a session", flow_choices(game.flow)),
    ):
        rows = [
            (choice.name, _value(game, choice), _others(game, choice), "", choice.doc)
            for choice in choices
        ]
        if rows:
            print_options(title, rows)
    for line in _session_lines(game.flow):
        out.print(line, markup=False)
    fan_tables = {"fan": game.fan, **{event.what: event.fan for event in game.events}}
    for title, fans in fan_tables.items():
        if not fans and title != "fan":
            out.print(f"\n{title}", markup=False)
        if not fans:
            continue
        table = Table(title=f"\n{title}", title_justify="left", show_edge=False, pad_edge=False)
        table.add_column("", justify="right")
        for column in ("fan", "", "not counted beside it"):
            table.add_column(column, overflow="fold")
        names = {fan.key: fan.name for fan in fans}
        for fan in fans:
            struck = " ".join(names[key] for key in fan.strikes)
            table.add_row(str(fan.points), fan.key, fan.name, struck)
        out.print(table, markup=False)
    if game.by_name:
        table = Table(title="\nthe table", title_justify="left", show_edge=False, pad_edge=False)
        table.add_column("hand")
        for column in ("each seat", "or the discarder", "and each other"):
            table.add_column(column, justify="right")
        for name, paid in _payments_by_name(game).items():
            table.add_row(name, *(str(paid.get(who, "")) for who in ("each", "discarder", "other")))
        out.print(table, markup=False)


_FACTS = ("has_winds", "by_discard", "undrawn", "forced_last", "missed_win", "ranks")
"""What a source says about a session, and tables do not change."""


def _session_lines(flow: Flow) -> Iterator[str]:
    """Yield what a source says about a session beside the options."""
    if flow.has_winds:
        yield "The round wind changes when the last seat has dealt and passes the deal."
    if not flow.by_discard:
        yield "A hand cannot win on a discard."
    if flow.undrawn:
        yield f"A round is drawn with {flow.undrawn} tiles left in the wall."
    if flow.forced_last:
        yield f"On the last {flow.forced_last} tiles a seat that can win must win."
    if flow.missed_win:
        yield f"A seat that let a winning discard pass may not win on {flow.missed_win} (漏和)."
    if flow.ranks:
        ranks = ", ".join(f"{name} {points:,}" for name, points in flow.ranks)
        yield f"Ranks, by points: {ranks}."


def _payments_by_name(game: Game) -> dict[str, dict[str, int]]:
    """Return what the seats pay for each entry of a game's table.

    The keys are ``each``, or ``discarder`` and ``other``."""
    from paifu.calculator.hand_scores import score

    found = {}
    for name in game.by_name.entries if game.by_name else ():
        _, discarder, other, _ = score(name, rules=game).payments.values()
        fed = game.by_name and game.by_name.drawn(name) is False
        found[name] = {"discarder": -discarder, "other": -other} if fed else {"each": -other}
    return found


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(f"{number:g}" for number in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(game: Game, choice: Choice) -> str:
    value = game.options[choice.name]
    return "to be given" if value is None else _text(value)


def _others(game: Game, choice: Choice) -> str:
    return ", ".join(_text(each) for each in choice.values if each != game.options[choice.name])
