"""Checks sessions of games other than riichi: draws, rounds, and the session as a whole.

A round is compared with the round before it (who deals, which wind, the running totals) and with
what its wins, its draw and its penalty come to. What differs is also said in words of the table,
such as "East should still deal after the draw", where East is the dealer of the round before.
"""

from __future__ import annotations

import polars as pl

from paifu.audit.comparison import Verdicts, differs, judge, paired
from paifu.audit.round_checks import WINDS
from paifu.audit.session_rows import PENALTY
from paifu.audit.wide_rounds import POINTS_UNKNOWN, ROUND, Play, spread
from paifu.rules.fan.flow import (
    NOBODY,
    ONE,
    Flow,
    false_win_payments,
    leaving_payments,
    missing_at_draw,
    next_round,
    session_ends,
    session_results,
)
from paifu.rules.fan.game import Game

_FIELDS = ("dealer", "wind", "number", "points_", "delta_", "sum")
_NOT_SAID = "the record does not say who was ready at the draw"
_NO_POINTS = "the record does not say the points of the rounds"


def audit_session_draws(
    rows: pl.DataFrame, play: Play, game: Game, engine_version: int
) -> Verdicts:
    """Return the verdicts on rounds (of ``session_rows``) that ended with a draw."""
    players, flow = play.players, game.course
    seats = range(players)
    drawn = _with_flags(rows, play).filter("drawn")
    needed = drawn.select(missing_at_draw(flow, players)).to_series()
    unknown = pl.any_horizontal(pl.col(f"draw_{seat}").is_null() for seat in seats)
    drawn = drawn.select(
        *ROUND,
        *(
            (pl.col(f"delta_{seat}") - pl.col(f"paid_{seat}") - pl.col(f"penalty_{seat}"))
            .cast(pl.Int32)
            .alias(f"recorded_delta_{seat}")
            for seat in seats
        ),
        *(pl.col(f"draw_{seat}").alias(f"computed_delta_{seat}") for seat in seats),
        unscorable=pl.coalesce(
            pl.when("no_points").then(pl.lit(_NO_POINTS)),
            pl.when(needed.is_not_null()).then(game.how_to_give(pl.lit(needed))),
            pl.when(unknown).then(pl.lit(_NOT_SAID)),
        ),
    )
    return judge("draw", drawn, paired(["delta_"], players), game, engine_version)


def audit_session_rounds(
    rows: pl.DataFrame, play: Play, game: Game, engine_version: int
) -> Verdicts:
    """Return the verdicts on all rounds of ``session_rows``.

    A value that cannot be computed is not compared: the dealer of the first round, or the changes
    of a round with a win whose hand is not known.
    """
    players, flow = play.players, game.course
    seats = range(players)
    rows = _with_flags(rows, play).with_columns(
        expr.alias(f"next_{name}") for name, expr in next_round(flow, players).items()
    )
    first = pl.col("round_index") == 0
    before = ~first & (pl.col("game_id") == pl.col("game_id").shift(1)).fill_null(False)
    total = pl.sum_horizontal((pl.col(f"delta_{seat}") for seat in seats), ignore_nulls=False)
    computed: dict[str, pl.Expr] = {
        name: pl.when(before).then(pl.col(f"next_{name}").shift(1))
        for name in ("dealer", "wind", "number")
    }
    computed |= {
        f"points_{seat}": pl.when(first)
        .then(flow.start_points or None)
        .when(before)
        .then((pl.col(f"start_{seat}") + pl.col(f"delta_{seat}")).shift(1))
        for seat in seats
    }
    penalties = _penalties(game, players)
    computed |= {
        f"delta_{seat}": pl.when(pl.col("outcome") == PENALTY)
        .then(penalties[seat])
        .otherwise(f"computed_{seat}")
        for seat in seats
    }
    computed["sum"] = pl.lit(0, pl.Int32)
    fined = pl.col("outcome") == PENALTY
    kept = pl.lit(flow.leaving_fine > 0 and flow.leaving_fine_to == NOBODY)
    recorded: dict[str, pl.Expr] = {name: pl.col(name) for name in ("dealer", "wind", "number")}
    recorded |= {f"points_{seat}": pl.col(f"start_{seat}") for seat in seats}
    recorded |= {f"delta_{seat}": pl.col(f"delta_{seat}") for seat in seats}
    recorded["sum"] = pl.when(~(fined & kept)).then(total)
    fields = paired(_FIELDS, players)
    rows = rows.with_columns(
        **{f"computed_{field}": computed[field] for field in fields},
        no_fine=pl.when(fined & pl.lit(_missing_fine(flow) is not None)).then(
            game.how_to_give(pl.lit(_missing_fine(flow)))
        ),
    ).with_columns(
        **{
            f"recorded_{field}": pl.when(pl.col(f"computed_{field}").is_not_null()).then(
                recorded[field]
            )
            for field in fields
        }
    )
    rows = rows.with_columns(illegal=_illegal(flow, players)).with_columns(
        said=_in_words(flow, players),
        unscorable=pl.coalesce(pl.when("no_points").then(pl.lit(_NO_POINTS)), "no_fine"),
    )
    return judge("round", rows, fields, game, engine_version)


def audit_sessions(
    rows: pl.DataFrame, play: Play, game: Game, engine_version: int
) -> tuple[Verdicts, pl.DataFrame]:
    """Return the verdicts on whole sessions, and what they come to.

    The sessions have ``game_id complete detail``, ``end_i`` (points at the end; rounds with a win
    that cannot be scored count as recorded) and ``worth_i``, table points or coins.
    """
    players, flow = play.players, game.course
    seats = range(players)
    ended = rows.with_columns(ends=session_ends(flow, players))
    fined = pl.col("outcome") == PENALTY
    sums = ended.group_by("game_id", maintain_order=True).agg(
        *(
            pl.coalesce(f"computed_{seat}", f"delta_{seat}").sum().alias(f"change_{seat}")
            for seat in seats
        ),
        *(pl.col(f"start_{seat}").first() for seat in seats),
        *(
            (fined & (pl.col(f"delta_{seat}") == _lowest(players))).any().alias(f"left_{seat}")
            for seat in seats
        ),
        known=pl.all_horizontal(
            pl.coalesce(f"computed_{seat}", f"delta_{seat}").is_not_null() for seat in seats
        ).all(),
        ends_after=(pl.col("round_index") + 1).filter("ends").first(),
    )
    recorded = spread(
        play.seats,
        ["game_id"],
        {
            "final": pl.when("final_recorded").then("final_points"),
            "place": pl.when("final_recorded").then("placement"),
            "result": pl.col("result"),
        },
        players,
    )
    sessions = (
        play.games.select("game_id", "complete", "detail", "rounds", "length")
        .join(sums, on="game_id", maintain_order="left")
        .with_columns(
            pl.when("known")
            .then(_begun(flow, seat) + pl.col(f"change_{seat}"))
            .alias(f"end_{seat}")
            for seat in seats
        )
        .join(
            recorded.rename(
                {f"{name}_{seat}": f"recorded_{name}_{seat}"
                 for name in ("final", "place", "result") for seat in seats}
            ),
            on="game_id",
            how="left",
            maintain_order="left",
        )
        .with_columns(pl.col(f"end_{seat}").alias(f"final_{seat}") for seat in seats)
    )  # fmt: skip
    single = (pl.col("length") == "hand").fill_null(False)  # a match of one round is no session
    sessions = sessions.with_columns(
        pl.when(~single).then(expr).alias(f"worth_{seat}")
        for seat, expr in enumerate(session_results(flow, players))
    )
    judged = sessions.select(
        "game_id",
        recorded_rounds="rounds",
        computed_rounds=_due_rounds(flow),
        **{f"recorded_final_points_{seat}": pl.col(f"recorded_final_{seat}") for seat in seats},
        **{f"computed_final_points_{seat}": pl.col(f"final_{seat}") for seat in seats},
        **{f"recorded_placement_{seat}": pl.col(f"recorded_place_{seat}") for seat in seats},
        **{f"computed_placement_{seat}": _place(seat, players) for seat in seats},
        **{
            f"recorded_result_{seat}": pl.when(pl.col(f"worth_{seat}").is_not_null()).then(
                pl.col(f"recorded_result_{seat}").round(2)
            )
            for seat in seats
        },
        **{f"computed_result_{seat}": pl.col(f"worth_{seat}").round(2) for seat in seats},
        said=pl.when((pl.col("rounds") != _due_rounds(flow)).fill_null(False)).then(
            pl.format("the session ends after round {}", _due_rounds(flow))
        ),
        unscorable=pl.when(~pl.col("complete"))
        .then(pl.lit("the game is broken off"))
        .when(~pl.col("known"))
        .then(pl.lit("a win could not be scored")),
    )
    fields = paired(["rounds", "final_points_", "placement_", "result_"], players)
    return judge("game", judged, fields, game, engine_version), sessions


def _begun(flow: Flow, seat: int) -> pl.Expr:
    """Return the points with which a seat began: the rule set's, or those of the record."""
    return pl.lit(flow.start_points) if flow.start_points else pl.col(f"start_{seat}")


def _with_flags(rows: pl.DataFrame, play: Play) -> pl.DataFrame:
    flags = play.games.select(
        "game_id", no_points=pl.col("flags").list.contains(POINTS_UNKNOWN).fill_null(False)
    )
    return rows.join(flags, on="game_id", how="left", maintain_order="left")


def _lowest(players: int) -> pl.Expr:
    return pl.min_horizontal(f"delta_{seat}" for seat in range(players))


def _penalties(game: Game, players: int) -> list[pl.Expr]:
    """Return what each seat gets or pays in a round that a penalty ended, NULL if not known.

    The seat that pays most is the one that was fined.
    """
    flow = game.course
    paid: list[pl.Expr] = [pl.lit(None, pl.Int32)] * players
    for seat in range(players):
        amounts = None
        if "false_win" in flow.more:
            amounts = false_win_payments(flow, players, seat)
        elif flow.leaving_fine:
            amounts = leaving_payments(flow, game.options["base"], players, seat)
        if amounts is None:
            continue
        is_fined = pl.col(f"delta_{seat}") == _lowest(players)
        paid = [
            pl.when(is_fined).then(pl.lit(amount, pl.Int32)).otherwise(before)
            for amount, before in zip(amounts, paid, strict=True)
        ]
    return paid


def _missing_fine(flow: Flow) -> str | None:
    """Return the amount of a penalty that the rules do not give, if they have one."""
    return "false_win" if "false_win" in flow.more and flow.false_win is None else None


def _illegal(flow: Flow, players: int) -> pl.Expr:
    """Return what the rules do not allow in a round, or NULL."""
    together = pl.sum_horizontal(
        pl.col(f"first_{seat}").fill_null(False).cast(pl.Int16) for seat in range(players)
    )
    winners = pl.sum_horizontal(pl.col(f"won_{seat}").cast(pl.Int16) for seat in range(players))
    several = "several seats won on one tile, but only the first in turn wins"
    return pl.coalesce(
        pl.when((together > 1) & pl.lit(flow.winners == ONE)).then(pl.lit(several)),
        pl.when(pl.col("later") & pl.lit(not flow.play_on)).then(
            pl.lit("a seat won after the round had ended with a win")
        ),
        pl.when((winners >= players) & pl.lit(flow.play_on)).then(
            pl.lit("the last seat won, but the round ends when one seat is left")
        ),
        pl.when(pl.col("by_discard") & pl.lit(not flow.by_discard)).then(
            pl.lit("a seat won on a discard, but only a self-drawn hand wins")
        ),
        pl.when("after_last").then(pl.lit("a seat won after the last tile of the wall")),
        pl.when("other_bird").then(
            pl.lit("the bird of a win on the last tile of the wall is that tile")
        ),
    )


# --- in words


def _wind_of(seat: pl.Expr, dealer: pl.Expr, players: int) -> pl.Expr:
    """Return a seat's wind in a round, as a word."""
    return ((seat - dealer) % players).replace_strict(
        dict(enumerate(WINDS)), default=None, return_dtype=pl.String
    )


def _what_happened(players: int) -> pl.Expr:
    """Return how a round ended, as the end of a sentence; seats are named by their winds."""
    names = [
        pl.when(pl.col(f"first_{seat}")).then(
            _wind_of(pl.lit(seat), pl.col("dealer"), players) + pl.lit("'s")
        )
        for seat in range(players)
    ]
    winners = pl.concat_str(names, separator=" and ", ignore_nulls=True)
    count = pl.sum_horizontal(
        pl.col(f"first_{seat}").fill_null(False).cast(pl.Int16) for seat in range(players)
    )
    return (
        pl.when(count == 0)
        .then(pl.lit("the draw"))
        .when(count == 1)
        .then(winners + pl.lit(" win"))
        .otherwise(winners + pl.lit(" wins"))
    )


def _in_words(flow: Flow, players: int) -> pl.Expr:
    """Return what differs in a round in words, or NULL."""
    dealer_then = pl.col("dealer").shift(1)
    due = _wind_of(pl.col("computed_dealer"), dealer_then, players)
    still = pl.when(pl.col("computed_dealer") == dealer_then).then(pl.lit("still "))
    dealer = pl.format(
        "{} should {}deal after {}",
        due,
        still.otherwise(pl.lit("")),
        _what_happened(players).shift(1),
    )
    wind = pl.format(
        "it belongs to the {} round",
        pl.col("computed_wind").replace_strict(
            dict(enumerate(WINDS)), default=None, return_dtype=pl.String
        ),
    )
    total = pl.format("the changes add up to {} and not to 0", "recorded_sum")
    said = [
        pl.when(differs("dealer")).then(dealer),
        pl.when(differs("wind")).then(wind),
        pl.when(differs("sum")).then(total),
    ]
    text = pl.concat_str(said, separator="; ", ignore_nulls=True)
    return pl.when(text != "").then(text)


def _due_rounds(flow: Flow) -> pl.Expr:
    """Return the number of rounds that a session may have: circles may end early by the clock."""
    due = pl.col("ends_after").cast(pl.Int16)
    early = pl.lit(not flow.rounds) & (pl.col("rounds") < due)
    if flow.rounds:
        due = due.fill_null(flow.rounds)
    return pl.when(due.is_null() | early).then("rounds").otherwise(due).cast(pl.Int16)


def _place(seat: int, players: int) -> pl.Expr:
    """Return a seat's place by its points; among equal points the recorded one, if it fits."""
    own = pl.col(f"final_{seat}")
    others = [pl.col(f"final_{other}") for other in range(players)]
    better = pl.sum_horizontal((other > own).cast(pl.Int16) for other in others)
    alike = pl.sum_horizontal((other == own).cast(pl.Int16) for other in others)
    recorded = pl.col(f"recorded_place_{seat}")
    fits = (recorded > better) & (recorded <= better + alike)
    return pl.when(fits).then(recorded).otherwise(better + 1).cast(pl.Int16)
