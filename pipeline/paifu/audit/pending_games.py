"""Which games of a lake are to be audited, under which rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from paifu.audit.summary import Report
from paifu.errors import RuleError
from paifu.lake.lake import Transaction
from paifu.lake.places import FILE_ORDER
from paifu.rules import rulesets
from paifu.rules.engine import ENGINE_VERSION
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Unit:
    """Games to audit together: with the same rule set and number of players."""

    games: pl.DataFrame
    """Columns ``game_id``, ``row`` (the row id of the game) and ``judged`` (it has verdicts)."""
    players: int
    rules: RuleSet | Game
    played: bool
    """The games have play; they are not from a win sheet."""


def pending_games(
    tx: Transaction, rules: RuleSet | Game | None, force: bool, report: Report
) -> list[Unit]:
    """Return the games to audit by rule set and players; count stale and left-out games."""
    games = tx.connection.sql(
        "SELECT game_id, rowid AS row, ruleset, game, players, detail FROM games"
        " WHERE detail IN ('play', 'rounds', 'sheet') OR format = 'score_sheet'"
        f" ORDER BY {FILE_ORDER}"
    ).pl()
    judged = tx.connection.sql(
        "SELECT game_id, ruleset AS judged_as, ruleset_hash, engine_version"
        " FROM verdicts WHERE subject = 'game'"
    ).pl()
    report.games = len(games)
    todo: list[Unit] = []
    by_rules = games.partition_by(
        "ruleset", "game", "players", "detail", as_dict=True, maintain_order=True
    )
    for (name, game, players, detail), part in by_rules.items():
        chosen = _chosen(rules, _rules_named(str(name)))
        if isinstance(chosen, str):
            report.left_out[chosen] = len(part)
            continue
        if isinstance(chosen, Game) != (game is not None):
            played = f"games of {game or 'riichi'}"
            report.left_out[f"{chosen.name} is not for {played}"] = len(part)
            continue
        if chosen.players not in (0, players):
            report.left_out[f"{chosen.name} is not for {players} players"] = len(part)
            continue
        own = judged.filter(
            (pl.col("ruleset_hash") == chosen.hash) | (pl.col("judged_as") == chosen.name)
        )
        current = (pl.col("ruleset_hash") == chosen.hash) & (
            pl.col("engine_version") == ENGINE_VERSION
        )
        pending = part.join(own.filter(current), on="game_id", how="anti", maintain_order="left")
        report.stale += len(pending.join(own, on="game_id", how="semi"))
        if force:
            pending = part
        if len(pending):
            with_verdicts = pending.join(judged, on="game_id", how="semi")["game_id"]
            has_verdicts = np.isin(pending["game_id"].to_numpy(), with_verdicts.to_numpy())
            kept = pending.select("game_id", "row", judged=has_verdicts)
            todo.append(Unit(kept, int(players), chosen, detail == "play"))
    return todo


def _chosen(asked: RuleSet | Game | None, named: RuleSet | Game | str) -> RuleSet | Game | str:
    """Return the rule set under which games are checked: the one asked for, or their record's.

    A rule set with the same settings as the record's is the record's, whatever its name. Raises
    :class:`~paifu.errors.RuleError` for a different rule set with the name of the record's.
    """
    if asked is None or (not isinstance(named, str) and named.hash == asked.hash):
        return named
    if not isinstance(named, str) and named.name == asked.name:
        raise RuleError(
            f"games of this lake were played under another rule set named {asked.name!r}: give "
            'yours a name of its own, with a line like name = "ours"'
        )
    return asked


def _rules_named(name: str) -> RuleSet | Game | str:
    """Return the rule set that a record names, under that name, or why there is no such set."""
    if not name.endswith(".toml"):
        known = (*rulesets.names(), *rulesets.game_names())
        return rulesets.get_any(name) if name in known else f"{name} is no rule set"
    try:
        return replace(rulesets.load_within(name, Path()), name=name)
    except RuleError as error:
        return str(error)


def split(unit: Unit, size: int) -> Iterator[Unit]:
    """Yield the games of a unit in units of at most ``size``."""
    for start in range(0, len(unit.games), size):
        yield replace(unit, games=unit.games.slice(start, size))
