"""Games of score sheets by their final points: results of games without rounds, and their checks.

Where the rounds of a game cannot be settled one by one, because the hands of its wins are not
written down, its result follows from the final points.
"""

from __future__ import annotations

import polars as pl

from paifu.audit.comparison import Verdicts, judge, paired
from paifu.audit.game_results import seat_rows
from paifu.audit.wide_rounds import Play, spread
from paifu.rules.fan.flow import session_results
from paifu.rules.fan.game import Game
from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet

POINTS_SUM = "points_sum"
"""The flag of a game whose final points do not add up."""

_NO_POINTS = "the sheet does not say the final points of every seat"
_RESULT_DIGITS, _POINT_DIGITS = 1, 3
"""Digits of a riichi result in thousands, and of table points that seats share."""


def with_final_points(play: Play, rules: RuleSet | Game) -> pl.DataFrame:
    """Return the games of score sheets with ``final_0`` …, ``place_0`` … and ``worth_0`` ….

    The points are those recorded, moved by the difference of the starting points if ``rules`` begin
    with others. ``known`` says whether every seat has points; the computed columns are NULL if not.
    """
    players = play.players
    seats = range(players)
    columns = {name: pl.col(name) for name in ("final_points", "placement", "result")}
    games = play.games.filter(pl.col("detail").is_in(["result", "rounds"])).select(
        "game_id", "flags", "detail"
    )
    games = games.join(
        spread(play.seats, ["game_id"], columns, players),
        on="game_id",
        how="left",
        maintain_order="left",
    )
    recorded = [pl.col(f"final_points_{seat}") for seat in seats]
    known = pl.all_horizontal(own.is_not_null() for own in recorded)
    begun = rules.course.start_points if isinstance(rules, Game) else rules.start_points
    total = pl.sum_horizontal(recorded)
    moved = begun - (total / players).round().cast(pl.Int32)
    sound = ~pl.col("flags").list.contains(POINTS_SUM)
    if isinstance(rules, Game) or rules.leftover_sticks == "stay":
        # sticks that nobody got are missing from the sum
        moved = pl.when(moved.abs() * players < begun).then(0).otherwise(moved)
    games = games.with_columns(
        pl.when(known)
        .then(pl.when(sound).then(own + moved).otherwise(own))
        .cast(pl.Int32)
        .alias(f"final_{seat}")
        for seat, own in enumerate(recorded)
    ).with_columns(known=known, total=total)
    return _with_worth(games, rules, players)


def _with_worth(games: pl.DataFrame, rules: RuleSet | Game, players: int) -> pl.DataFrame:
    """Return the games with ``place_0`` … and ``worth_0`` …, from ``final_0`` …."""
    if isinstance(rules, Game):
        places = settlement.places_by_seat(players)
        begun = rules.course.start_points
        games = games.with_columns(
            *(pl.lit(False).alias(f"left_{seat}") for seat in range(players)),
            *((pl.col(f"final_{s}") - begun).alias(f"change_{s}") for s in range(players)),
        )
        worth, digits = session_results(rules.course, players), _POINT_DIGITS
    else:
        places, digits = settlement.placements(rules, players), _RESULT_DIGITS
        worth = settlement.results(
            rules, players, whole_thousands=rules.result_rounding == "thousands"
        )
    return games.with_columns(
        *(
            pl.when("known").then(expr).cast(pl.Int16).alias(f"place_{seat}")
            for seat, expr in enumerate(places)
        ),
        *(
            pl.when("known").then(expr.round(digits)).cast(pl.Float64).alias(f"worth_{seat}")
            for seat, expr in enumerate(worth)
        ),
    )


def sheet_results(games: pl.DataFrame, players: int) -> pl.DataFrame:
    """Return ``game_id seat placement points result`` of games of :func:`with_final_points`."""
    return seat_rows(games.filter("known"), players)


def audit_sheet_results(
    games: pl.DataFrame, players: int, rules: RuleSet | Game, engine_version: int
) -> Verdicts:
    """Return the verdicts on games without rounds, of :func:`with_final_points`.

    Compared are the sum of the points, the places, and the results if the sheet has them.
    """
    begun = rules.course.start_points if isinstance(rules, Game) else rules.start_points
    seats = range(players)
    wrong = pl.col("flags").list.contains(POINTS_SUM)
    rows = games.filter(pl.col("detail") == "result").select(
        "game_id",
        recorded_points_sum="total",
        computed_points_sum=pl.when(wrong).then(players * begun).otherwise("total"),
        **{f"recorded_placement_{seat}": pl.col(f"placement_{seat}") for seat in seats},
        **{f"computed_placement_{seat}": pl.col(f"place_{seat}") for seat in seats},
        **{
            f"recorded_result_{seat}": pl.col(f"result_{seat}").round(_RESULT_DIGITS)
            for seat in seats
        },
        **{
            f"computed_result_{seat}": pl.col(f"worth_{seat}").round(_RESULT_DIGITS)
            for seat in seats
        },
        unscorable=pl.when(~pl.col("known")).then(pl.lit(_NO_POINTS)),
    )
    fields = paired(("points_sum", "placement_", "result_"), players)
    return judge("game", rows, fields, rules, engine_version)
