"""Games: did the game end at the right round, and are placements and results right?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import polars as pl

from paifu.audit.comparison import Verdicts, judge, paired
from paifu.audit.wide_rounds import Play, spread, unsettled
from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet

_WHOLE_THOUSANDS_UNTIL = datetime(2021, 8, 1)
"""Before this day, Tenhou's results are in whole thousands in all logs …"""
_TENTHS_FROM = datetime(2022, 6, 1)
"""… and from this day on in tenths; between the two, and without a date, either may fit."""

_TENHOU_PRESETS = ("tenhou-4p", "tenhou-3p")
_OLDEST_SEEDS = "mt19937ar"
_OLDEST_SEEDS_UNTIL = datetime(2009, 7, 31)
"""Logs without a date whose seeds are of the oldest kind were played before this day."""
_TENPAI_YAME_FROM = datetime(2010, 6, 1)
_EAST_UMA_FROM = datetime(2009, 8, 1)
_EAST_UMA_BEFORE = (10, 5, -5, -10)

_FIELDS = ("rounds", "ended_by", "final_points_", "result_")
"""The fields that are compared. No record says why a game ended, only after which round."""


def audit_games(play: Play, settled: pl.DataFrame, rules: RuleSet, engine_version: int) -> Verdicts:
    """Return the verdicts on all games of ``play``, from the rounds of ``round_checks.settle``."""
    rows = [
        _game_rows(games, play, settled, rules_then)
        for games, rules_then in by_history(play, rules)
    ]
    return judge("game", pl.concat(rows), paired(_FIELDS, play.players), rules, engine_version)


def by_history(play: Play, rules: RuleSet) -> list[tuple[pl.DataFrame, RuleSet]]:
    """Return the games grouped by the rules at the time when they were played, with these rules.

    Since June 2010 a Tenhou game ends when a leading dealer is tenpai, and until August 2009 its
    East games had a smaller uma. Other rule sets did not change. ``played_at`` of the games is
    filled in if their seeds show the latest possible day.
    """
    oldest = play.seeds.filter(pl.col("kind") == _OLDEST_SEEDS).select("game_id", oldest=True)
    games = play.games.join(oldest, on="game_id", how="left", maintain_order="left").with_columns(
        played_at=pl.when("oldest", pl.col("played_at").is_null())
        .then(_OLDEST_SEEDS_UNTIL)
        .otherwise("played_at")
    )
    return [part for part in _split_by_date(games, rules) if len(part[0])]


def _split_by_date(games: pl.DataFrame, rules: RuleSet) -> Iterator[tuple[pl.DataFrame, RuleSet]]:
    if rules.name not in _TENHOU_PRESETS:
        yield games, rules
        return
    before_yame = (pl.col("played_at") < _TENPAI_YAME_FROM).fill_null(False)
    small_uma = (
        (pl.col("played_at") < _EAST_UMA_FROM)
        & (pl.col("length") == "east")
        & (pl.col("players") == 4)
    ).fill_null(False)
    yield games.filter(~before_yame), rules
    earlier = replace(rules, tenpai_yame=False)
    yield games.filter(before_yame & ~small_uma), earlier
    yield games.filter(small_uma), replace(earlier, uma=_EAST_UMA_BEFORE)


def _game_rows(
    games: pl.DataFrame, play: Play, settled: pl.DataFrame, rules: RuleSet
) -> pl.DataFrame:
    """Return recorded and computed values of some games, one row each."""
    players = play.players
    rows = with_recorded_ends(games, play).join(
        _last_rounds(settled, players, rules), on="game_id", how="left", maintain_order="left"
    )
    rows = with_results(rows, rules, players)
    computed = {
        "final_points": [pl.col(f"final_{seat}") for seat in range(players)],
        "result": [pl.col(f"worth_{seat}") for seat in range(players)],
    }
    return rows.select(
        "game_id",
        recorded_rounds=pl.col("rounds"),
        computed_rounds=pl.col("ends_after"),
        recorded_ended_by=pl.when(
            (pl.col("ended_by") != "unknown") & pl.col("ends_after").is_null()
        ).then("ended_by"),
        computed_ended_by=pl.col("end_reason").fill_null("goes on"),
        **{
            f"recorded_{name}_{seat}": pl.col(f"{name}_{seat}")
            for name in computed
            for seat in range(players)
        },
        **{
            f"computed_{name}_{seat}": expr
            for name, exprs in computed.items()
            for seat, expr in enumerate(exprs)
        },
        unscorable=_unscorable(rules, players),
        said=pl.when(pl.col("detail") != "rounds")
        .then(None)
        .when(pl.col("ends_after").is_null())
        .then(pl.lit("the game goes on after its last round"))
        .when(pl.col("ends_after") != pl.col("rounds"))
        .then(pl.format("the game ends after round {}", "ends_after")),
    )


def _last_rounds(settled: pl.DataFrame, players: int, rules: RuleSet) -> pl.DataFrame:
    """Return one row per game: the end of its last round and why the game ended there.

    ``ends_after`` is the number of rounds after which the game had to end, NULL if it had to go on.
    """
    ended = settled.with_columns(end_reason=settlement.game_end(rules, players))
    return ended.group_by("game_id", maintain_order=True).agg(
        pl.col("end_reason", "last_wind", "sticks_end").last(),
        *(pl.col(f"end_{seat}").last() for seat in range(players)),
        ends_after=pl.col("round_index").filter(pl.col("end_reason").is_not_null()).first() + 1,
    )


def with_recorded_ends(games: pl.DataFrame, play: Play) -> pl.DataFrame:
    """Return the games with ``final_points_0`` … and ``result_0`` … as recorded, or NULL."""
    seats = spread(
        play.seats,
        ["game_id"],
        {
            "final_points": pl.when("final_recorded").then("final_points"),
            "result": pl.col("result"),
        },
        play.players,
    )
    return games.select(
        "game_id", "rounds", "ended_by", "played_at", "complete", "flags", "detail"
    ).join(seats, on="game_id", how="left", maintain_order="left")


def with_results(rows: pl.DataFrame, rules: RuleSet, players: int) -> pl.DataFrame:
    """Return the rows with ``final_0`` …, points with leftover sticks, and ``worth_0`` …, results.

    Results are rounded as the rule set says, or as Tenhou did at that time. The rows have ``end_0``
    … (points after the last round), ``sticks_end``, ``played_at`` and the recorded ``result_0`` ….
    """
    rows = rows.with_columns(
        expr.alias(f"final_{seat}")
        for seat, expr in enumerate(settlement.final_points(rules, players))
    )
    exact = settlement.results(rules, players, whole_thousands=False)
    rounded = settlement.rounded_results(rules, players)
    # Columns between the steps: one expression for all takes twice as long.
    rows = rows.with_columns(
        *(expr.round(1).alias(f"exact_{seat}") for seat, expr in enumerate(exact)),
        *(expr.alias(f"rounded_{seat}") for seat, expr in enumerate(rounded)),
        *(
            expr.alias(f"by_seat_{seat}")
            for seat, expr in enumerate(settlement.places_by_seat(players))
        ),
    )
    whole = settlement.balanced(
        settlement.seats("by_seat", players), settlement.seats("rounded", players)
    )
    rows = rows.with_columns(expr.alias(f"whole_{seat}") for seat, expr in enumerate(whole))
    fits = pl.all_horizontal(
        *(pl.col(f"result_{seat}") == pl.col(f"whole_{seat}") for seat in range(players))
    ).fill_null(False)
    played_at = pl.col("played_at")
    to_thousands = {
        "none": pl.lit(False),
        "thousands": pl.lit(True),
        "by_date": pl.when(played_at < _WHOLE_THOUSANDS_UNTIL)
        .then(True)
        .when(played_at >= _TENTHS_FROM)
        .then(False)
        .otherwise(fits),
    }[rules.result_rounding]
    return rows.with_columns(
        pl.when(to_thousands)
        .then(f"whole_{seat}")
        .otherwise(f"exact_{seat}")
        .alias(f"worth_{seat}")
        for seat in range(players)
    )


def _unscorable(rules: RuleSet, players: int) -> pl.Expr:
    no_end = pl.any_horizontal(*(pl.col(f"end_{seat}").is_null() for seat in range(players)))
    return pl.coalesce(
        unsettled(rules),
        pl.when(~pl.col("complete")).then(pl.lit("the log breaks off before the end of the game")),
        pl.when(pl.col("last_wind").is_null()).then(
            pl.lit("the log does not say the planned length of the game")
        ),
        pl.when(no_end).then(pl.lit("the last round could not be settled")),
    )
