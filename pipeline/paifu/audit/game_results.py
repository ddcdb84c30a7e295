"""Results: the final result of each seat under a rule set, for table ``computed_results``."""

from __future__ import annotations

import polars as pl

from paifu.audit.game_checks import by_history, with_recorded_ends, with_results
from paifu.audit.wide_rounds import Play, unsettled
from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet

RESULT_SCHEMA = pl.Schema({
    "game_id": pl.Int64, "seat": pl.Int16, "placement": pl.Int16, "points": pl.Int32,
    "result": pl.Float64,
})  # fmt: skip


def result_rows(play: Play, settled: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Return ``game_id seat placement points result`` of all complete games that can be settled.

    The points are the rule set's starting points plus the change of every round (rows of
    ``round_checks.settle``). Under another rule set than that of the game, they are therefore the
    sum of what that rule set gives for each round.
    """
    players = play.players
    parts = [pl.DataFrame(schema=RESULT_SCHEMA)]
    for games, rules_then in by_history(play, rules):
        rows = (
            with_recorded_ends(games, play)
            .filter(pl.col("complete") & unsettled(rules_then).is_null())
            .join(_carried(settled, rules_then, players), on="game_id", maintain_order="left")
        )
        rows = with_results(rows, rules_then, players).with_columns(
            expr.alias(f"place_{seat}")
            for seat, expr in enumerate(settlement.placements(rules_then, players))
        )
        parts.append(seat_rows(rows, players))
    return pl.concat(parts)


def _carried(settled: pl.DataFrame, rules: RuleSet, players: int) -> pl.DataFrame:
    """Return ``end_0`` … and ``sticks_end`` of each game in which every round could be settled.

    A game begins with the rule set's points. If the log begins with a later round, the game begins
    with the recorded points, adjusted by the difference of the total points under the rule set.
    """
    seats = range(players)
    starts = [pl.col(f"start_{seat}") for seat in seats]
    begun = pl.sum_horizontal(*starts) + settlement.STICK * pl.col("sticks").cast(pl.Int32)
    opening = (pl.col("wind") == 0) & (pl.col("number") == 1) & (pl.col("honba") == 0)
    base = [
        pl.when(opening & (pl.col("sticks") == 0))
        .then(rules.start_points)
        .otherwise(start + rules.start_points - begun // players)
        for start in starts
    ]
    return (
        settled.lazy()
        .group_by("game_id", maintain_order=True)
        .agg(
            pl.col("sticks_end").last(),
            known=pl.all_horizontal(*(pl.col(f"end_{seat}").is_not_null() for seat in seats)).all(),
            **{
                f"end_{seat}": base[seat].first()
                + (pl.col(f"end_{seat}") - pl.col(f"start_{seat}")).sum()
                for seat in seats
            },
        )
        .filter("known")
        .drop("known")
        .collect()
    )


def points_only(games: pl.DataFrame, players: int) -> pl.DataFrame:
    """Return the rows of games without uma: ``end_0`` … are each seat's points, NULL if unknown.

    ``worth_0`` … are what the game is worth beside them, or NULL. Seats with equal points are
    placed in the order of seats.
    """
    points = [f"end_{seat}" for seat in range(players)]
    rows = games.drop_nulls(points).with_columns(
        **{f"final_{seat}": pl.col(name) for seat, name in enumerate(points)}
    )
    rows = rows.with_columns(
        expr.alias(f"place_{seat}") for seat, expr in enumerate(settlement.places_by_seat(players))
    )
    return seat_rows(rows, players)


def seat_rows(rows: pl.DataFrame, players: int) -> pl.DataFrame:
    """Return a row per game and seat from ``final_0`` …, ``place_0`` … and ``worth_0`` …."""
    return pl.concat(
        rows.select(
            "game_id",
            seat=pl.lit(seat),
            placement=f"place_{seat}",
            points=f"final_{seat}",
            result=f"worth_{seat}",
        ).cast(RESULT_SCHEMA)
        for seat in range(players)
    )
