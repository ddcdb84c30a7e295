"""The whole audit of one batch of games: from the tables of play to the derived tables."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl
import pyarrow as pa

from paifu.audit.comparison import Verdicts, concat
from paifu.audit.disagreements import Disagreement, first_disagreements
from paifu.audit.draw_checks import audit_draws
from paifu.audit.game_checks import audit_games
from paifu.audit.game_results import RESULT_SCHEMA, points_only, result_rows
from paifu.audit.honba_and_sticks import with_honba_and_sticks
from paifu.audit.legality import dora_unknown
from paifu.audit.luck import luck_rows
from paifu.audit.other_game_checks import audit_results, audit_win_facts, points_won
from paifu.audit.result_checks import audit_sheet_results, sheet_results, with_final_points
from paifu.audit.round_checks import audit_rounds, settle
from paifu.audit.session_checks import (
    audit_session_draws,
    audit_session_rounds,
    audit_sessions,
)
from paifu.audit.session_rows import session_rows, with_session_facts
from paifu.audit.wall_checks import (
    SeededRounds,
    audit_walls,
    seeded_rounds,
    wall_rows,
    with_ura,
)
from paifu.audit.wide_rounds import ROUND, Play, round_rows, spread
from paifu.audit.win_checks import WIN, audit_wins, score_wins, ura_unknown
from paifu.rules.engine import ENGINE_VERSION, Scored, score
from paifu.rules.fan.game import Game
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.tables import TABLES


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of the audit of a batch."""

    verdicts: Verdicts
    tables: dict[str, pa.Table]
    """Rows of the derived tables, in the schema's columns and types."""
    examples: list[Disagreement]
    """The first disagreements, for users to read."""


def audit(play: Play, rules: RuleSet | Game, *, examples: int = 0) -> Audited:
    """Score and settle everything in ``play`` and compare it with the record.

    For win sheets only the wins are scored, and their sum is compared with the result.
    """
    seeded = seeded_rounds(play)
    if (play.games["detail"] == "result").all():
        return _audited_results(play, rules, seeded, examples)
    if (play.games["detail"] == "sheet").all():
        return _audited_wins(play, rules, seeded, examples)
    if isinstance(rules, Game):
        return _audited_sessions(play, rules, seeded, examples)
    play = with_honba_and_sticks(with_ura(play, seeded), rules)
    scored = score_wins(play, rules)
    rounds = round_rows(play, _paid(play, scored, rules), rules)
    settled = settle(rounds, play.players, rules)
    verdicts = concat(
        [
            audit_wins(play, scored, rules, ENGINE_VERSION),
            audit_draws(rounds, play.players, rules, ENGINE_VERSION),
            audit_rounds(settled, play.players, rules, ENGINE_VERSION),
            audit_games(play, settled, rules, ENGINE_VERSION),
            audit_walls(play, seeded, rules, ENGINE_VERSION),
        ]
    )
    results = _with_final_points(result_rows(play, settled, rules), play, rules)
    return _audited(play, rules, scored, verdicts, results, seeded, examples)


def _audited_wins(
    play: Play, rules: RuleSet | Game, seeded: SeededRounds, examples: int
) -> Audited:
    """Audit single wins."""
    scored = score_wins(play, rules)
    verdicts = concat(
        [
            audit_win_facts(play, scored, rules, ENGINE_VERSION),
            audit_results(play, points_won(play, scored), rules, ENGINE_VERSION),
        ]
    )
    results = pl.DataFrame(schema=RESULT_SCHEMA)
    return _audited(play, rules, scored, verdicts, results, seeded, examples)


def _audited_sessions(play: Play, game: Game, seeded: SeededRounds, examples: int) -> Audited:
    """Audit sessions of a game other than riichi."""
    play = with_session_facts(play, game)
    scored = score(read_wins(play.wins.to_arrow()), game)
    rows = session_rows(play, scored, game)
    judged, sessions = audit_sessions(rows, play, game, ENGINE_VERSION)
    verdicts = concat(
        [
            audit_win_facts(play, scored, game, ENGINE_VERSION),
            audit_session_draws(rows, play, game, ENGINE_VERSION),
            audit_session_rounds(rows, play, game, ENGINE_VERSION),
            judged,
        ]
    )
    results = points_only(sessions.filter("complete"), play.players)
    results = _with_final_points(results, play, game)
    return _audited(play, game, scored, verdicts, results, seeded, examples)


def _audited_results(
    play: Play, rules: RuleSet | Game, seeded: SeededRounds, examples: int
) -> Audited:
    """Audit games of score sheets without rounds."""
    games = with_final_points(play, rules)
    verdicts = audit_sheet_results(games, play.players, rules, ENGINE_VERSION)
    scored = score(read_wins(play.wins.to_arrow()), rules)
    results = sheet_results(games, play.players)
    return _audited(play, rules, scored, verdicts, results, seeded, examples)


def _with_final_points(results: pl.DataFrame, play: Play, rules: RuleSet | Game) -> pl.DataFrame:
    """Return the results with those of sheets' games whose rounds could not be settled."""
    if not (play.games["detail"] == "rounds").any():
        return results
    more = sheet_results(with_final_points(play, rules), play.players)
    return pl.concat([results, more.join(results, on="game_id", how="anti")])


def _audited(
    play: Play, rules: RuleSet | Game, scored: Scored, verdicts: Verdicts, results: pl.DataFrame,
    seeded: SeededRounds, examples: int,
) -> Audited:  # fmt: skip
    about = {
        "ruleset": pl.lit(rules.name),
        "ruleset_hash": pl.lit(rules.hash, dtype=pl.Int64),
        "engine_version": pl.lit(ENGINE_VERSION, dtype=pl.Int16),
    }
    keys = play.wins.select(WIN)
    frames = {
        "scored_wins": keys.hstack(scored.wins).with_columns(**about),
        "scored_yaku": keys.with_row_index("hand")
        .join(
            scored.yaku.with_columns(pl.col("hand").cast(pl.UInt32)),
            on="hand",
            maintain_order="right",
        )
        .with_columns(**about),
        "computed_results": results.with_columns(**about),
        "verdicts": verdicts.verdicts,
        "verdict_fields": verdicts.fields,
        "walls": wall_rows(seeded),
        "luck": luck_rows(play, seeded),
    }
    tables = {
        name: frame.select(TABLES[name].names).to_arrow().cast(TABLES[name].arrow())
        for name, frame in frames.items()
    }
    riichi = not isinstance(rules, Game)
    return Audited(verdicts, tables, first_disagreements(play, verdicts, examples, riichi=riichi))


def _paid(play: Play, scored: Scored, rules: RuleSet) -> pl.DataFrame:
    """Return the change of points of each seat by the wins of each round.

    The values are computed, but recorded if a win could not be scored or its ura dora are not
    known, so that the following rounds can still be checked. NULL if an indicator is missing. If it
    is not known who paid riichi sticks, they are what the seats got or paid in the round.
    """
    seats = range(play.players)
    in_all = spread(
        play.round_seats.join(
            play.rounds.filter("riichi_unknown").select(ROUND), on=ROUND, how="semi"
        ),
        ROUND,
        {"net": pl.col("delta")},
        play.players,
    )
    names = [f"delta_{seat}" for seat in range(play.players)]
    computed = scored.wins.select(pl.col(name).alias(f"computed_{name}") for name in names)
    return (
        play.wins.with_columns(ura_unknown=ura_unknown(rules), dora_unknown=dora_unknown(rules))
        .select(*ROUND, *names, "ura_unknown", "dora_unknown")
        .hstack(computed)
        .with_columns(
            pl.when("dora_unknown")
            .then(None)
            .when("ura_unknown")
            .then(name)
            .otherwise(pl.coalesce(f"computed_{name}", name))
            .alias(name)
            for name in names
        )
        .group_by(ROUND)
        .agg(
            pl.when(pl.col(name).is_null().any())
            .then(None)
            .otherwise(pl.col(name).sum())
            .alias(f"paid_{seat}")
            for seat, name in enumerate(names)
        )
        .join(in_all, on=ROUND, how="left")
        .with_columns(
            pl.coalesce(f"net_{seat}", f"paid_{seat}").alias(f"paid_{seat}") for seat in seats
        )
        .drop(f"net_{seat}" for seat in seats)
    )
