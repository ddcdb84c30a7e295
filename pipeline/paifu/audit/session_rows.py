"""Sessions of games other than riichi: what each round was, from its record and its scored wins.

A session is a game with rounds: one of a score sheet, or a log of Chinese Official. Wins with a
hand are scored; a win without one, and a round of which only the changes of points are known,
counts with what is recorded.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from paifu.audit.wide_rounds import ROUND, Play, spread
from paifu.rules.engine import Scored
from paifu.rules.fan.flow import NEXT, Flow, draw_payments
from paifu.rules.fan.game import Game

DRAW, PENALTY = "exhaustive", "chombo"
"""Outcomes of a round: the wall ended; a penalty ended it."""

NO_HAND = "the hand is not written down"

without_hand = (pl.col("hand") == "") & (pl.col("melds") == "")
"""A win of which only the payments are known."""


def is_win(game: Game) -> pl.Expr:
    """Return whether a row of ``wins`` is a win, and not another payment: a kong, a hand as dealt,
    or an entry of a game's table that is no hand."""
    paid_only = pl.col("dealt").fill_null(False) | ((pl.col("hand") == "") & ~without_hand)
    if game.by_name:
        paid_only = paid_only | pl.col("hand").is_in(game.by_name.no_wins)
    return ~paid_only


def _with_moments(wins: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Return the wins (without other payments) with ``moment``: their place among the moments of
    their round at which seats won, from 0. Wins in a row on the same tile are one moment.
    """
    found = wins.filter(is_win(game)).sort(*ROUND, "win_index")
    same = ~pl.col("tsumo") & pl.all_horizontal(
        pl.col(name) == pl.col(name).shift(1) for name in (*ROUND, "loser", "win_tile", "tsumo")
    ).fill_null(False)
    return found.with_columns(
        moment=(~same).cast(pl.Int16).cum_sum().over(ROUND).cast(pl.Int16) - 1
    )


def with_session_facts(play: Play, game: Game) -> Play:
    """Return the play with the facts about wins that follow from the rounds of a session.

    They are the dealer's streak before the win (``dealer_wins``), the seats that had won already
    (``out``), and ``triple_ron``.
    """
    if not len(play.rounds) or not len(play.wins):
        return play
    wins = play.wins.join(
        _streaks(play.rounds, game), on=ROUND, how="left", maintain_order="left"
    ).with_columns(dealer_wins=pl.coalesce("streak", "dealer_wins"))
    moments = _with_moments(wins, game).select(*ROUND, "win_index", "winner", "moment")
    count = pl.len().over(*ROUND, "moment")
    three = moments.select(*ROUND, "win_index", three=count == 3)
    wins = wins.join(three, on=[*ROUND, "win_index"], how="left", maintain_order="left")
    if "triple_ron" in game.known_facts:
        wins = wins.with_columns(triple_ron=pl.coalesce("three", "triple_ron"))
    if "out" in game.known_facts:
        wins = wins.join(
            _already_out(wins, moments), on=[*ROUND, "win_index"], how="left",
            maintain_order="left",
        ).with_columns(
            out=pl.when(pl.col("out").list.len().fill_null(0) > 0)
            .then("out")
            .otherwise(pl.col("earlier").fill_null([]))
        ).drop("earlier")  # fmt: skip
    return replace(play, wins=wins.drop("streak", "three"))


def _already_out(wins: pl.DataFrame, moments: pl.DataFrame) -> pl.DataFrame:
    """Return for each win or other payment the seats that had won before: ``earlier``."""
    own = wins.select(*ROUND, "win_index").join(
        moments.select(*ROUND, "win_index", "moment"), on=[*ROUND, "win_index"], how="left"
    )
    before = moments.select(*ROUND, at="win_index", seat="winner", then="moment")
    pairs = own.join(before, on=ROUND).filter(
        (pl.col("at") < pl.col("win_index")) & (pl.col("then") != pl.col("moment").fill_null(-1))
    )
    return pairs.group_by(*ROUND, "win_index").agg(earlier=pl.col("seat").sort())


def _streaks(rounds: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Return how often the dealer of each round had dealt again, or won, in a row: ``streak``."""
    same = (
        (pl.col("game_id") == pl.col("game_id").shift(1))
        & (pl.col("dealer") == pl.col("dealer").shift(1))
    ).fill_null(False)
    run = (~same).cast(pl.Int32).cum_sum()
    rows = rounds.select(*ROUND, run=run, drawn=(pl.col("outcome") == DRAW).cast(pl.Int16))
    dealt = pl.int_range(pl.len(), dtype=pl.Int16).over("run")
    draws = (pl.col("drawn").cum_sum() - pl.col("drawn")).over("run").cast(pl.Int16)
    wins_alone = game.options.get("streak") == "wins"
    return rows.select(*ROUND, streak=dealt - draws if wins_alone else dealt)


def session_rows(play: Play, scored: Scored, game: Game) -> pl.DataFrame:
    """Return one row per round, in order, with the columns that :mod:`paifu.rules.fan.flow` reads.

    Beside those: ``start_i`` and ``delta_i`` as recorded; ``paid_i``, what the scored wins and
    other payments come to (NULL if one of them cannot be scored); ``draw_i``, what the draw pays;
    ``penalty_i``; ``computed_i``, their sum; ``won_i``, ``later`` (a seat won after the first
    winners), ``by_discard`` (a seat won on a discard), ``after_last`` (a seat won after a win on
    the last tile of the wall), ``other_bird`` (a win on that tile has another bird) and ``drawn``.
    """
    players, flow = play.players, game.course
    seats = range(players)
    wide = spread(
        play.round_seats,
        ROUND,
        {
            "start": pl.col("points_start"),
            "delta": pl.col("delta"),
            "ready": pl.coalesce("tenpai_at_draw", "tenpai_shown"),
            "pig": pl.col("three_suits").fill_null(False),
            "penalty": pl.col("penalty").fill_null(0),
        },
        players,
    )
    rows = (
        play.rounds.select(*ROUND, "wind", "number", "dealer", "outcome")
        .join(wide, on=ROUND, how="left", maintain_order="left")
        .join(_winners(play, game, flow), on=ROUND, how="left", maintain_order="left")
        .join(_paid(play, scored), on=ROUND, how="left", maintain_order="left")
        .join(_kongs(play, scored, game), on=ROUND, how="left", maintain_order="left")
    )
    always_next = {
        flow.dealer_after_own_win, flow.dealer_after_other_win, flow.dealer_after_draw
    } == {NEXT}  # fmt: skip
    fined = (pl.col("outcome") == PENALTY) & (not always_next)
    known = (pl.col("outcome") != "unknown") & ~fined & pl.col("in_order").fill_null(True)
    rows = rows.with_columns(
        *(
            pl.when(known).then(pl.col(f"first_{seat}").fill_null(False)).alias(f"first_{seat}")
            for seat in seats
        ),
        *(pl.col(f"won_{seat}").fill_null(False) for seat in seats),
        pl.col("later", "by_discard", "after_last", "other_bird").fill_null(False),
        drawn=pl.col("outcome") == DRAW,
        paid_known=pl.col("paid_known").fill_null(True),
    ).with_columns(
        *((pl.col("drawn") & ~pl.col(f"won_{seat}")).alias(f"waits_{seat}") for seat in seats),
        *(
            pl.when("paid_known").then(pl.col(f"paid_{seat}").fill_null(0)).alias(f"paid_{seat}")
            for seat in seats
        ),
    )
    payments = draw_payments(flow, players)
    if flow.kongs_returned:
        payments = [paid + _returned(seat, players) for seat, paid in enumerate(payments)]
    rows = rows.with_columns(
        pl.when("drawn").then(paid).otherwise(0).cast(pl.Int32).alias(f"draw_{seat}")
        for seat, paid in enumerate(payments)
    )
    return rows.with_columns(
        (pl.col(f"paid_{seat}") + pl.col(f"draw_{seat}") + pl.col(f"penalty_{seat}"))
        .cast(pl.Int32)
        .alias(f"computed_{seat}")
        for seat in seats
    )  # fmt: skip


def _winners(play: Play, game: Game, flow: Flow) -> pl.DataFrame:
    """Return for each round with a win who won, who won first, and on whose tile.

    ``in_order`` says whether it is known who won first. If play goes on after a win, two wins from
    one seat without their tiles may be on one tile or on two.
    """
    moments = _with_moments(play.wins, game)
    first = pl.col("moment") == 0
    last = pl.col("haitei") | pl.col("houtei")
    told = (pl.col("win_tile") != "").all() | (first.sum() == 1)
    return moments.group_by(ROUND, maintain_order=True).agg(
        *(
            ((pl.col("winner") == seat) & first).any().alias(f"first_{seat}")
            for seat in range(play.players)
        ),
        *((pl.col("winner") == seat).any().alias(f"won_{seat}") for seat in range(play.players)),
        discarder=pl.col("loser").filter(first).first().cast(pl.Int16),
        later=(~first).any(),
        by_discard=(~pl.col("tsumo")).any(),
        after_last=(pl.col("moment") > pl.col("moment").filter(last).min()).any(),
        other_bird=(last & (pl.col("bird") != pl.col("win_tile"))).any(),
        in_order=told if flow.play_on else pl.lit(True).first(),
    )


def _deltas(play: Play, scored: Scored) -> pl.DataFrame:
    names = [f"delta_{seat}" for seat in range(play.players)]
    return play.wins.select(*ROUND, "win_index", "winner", "hand", "melds", "dealt").hstack(
        scored.wins.select(names)
    )


def _paid(play: Play, scored: Scored) -> pl.DataFrame:
    """Return the scored change of points of each seat in each round with wins or other payments."""
    seats = range(play.players)
    return (
        _deltas(play, scored)
        .group_by(ROUND, maintain_order=True)
        .agg(
            *(pl.col(f"delta_{seat}").sum().alias(f"paid_{seat}") for seat in seats),
            paid_known=pl.col("delta_0").is_not_null().all(),
        )
    )


def _kongs(play: Play, scored: Scored, game: Game) -> pl.DataFrame:
    """Return what each seat got from each other for kongs: ``kong_i_j``, the change of seat j's
    points by kongs of seat i."""
    kongs = _deltas(play, scored).filter(
        (pl.col("hand") == "") & ~without_hand & ~pl.col("dealt").fill_null(False)
    )
    pairs = [(own, other) for own in range(play.players) for other in range(play.players)]
    return kongs.group_by(ROUND, maintain_order=True).agg(
        pl.col(f"delta_{other}").filter(pl.col("winner") == own).sum().alias(f"kong_{own}_{other}")
        for own, other in pairs
    )


def _returned(seat: int, players: int) -> pl.Expr:
    """Return what a seat gets back or gives back for the kongs of seats that are not ready."""
    terms = [
        pl.when(pl.col(f"waits_{own}") & ~pl.col(f"ready_{own}"))
        .then(-pl.col(f"kong_{own}_{seat}").fill_null(0))
        .otherwise(0)
        for own in range(players)
    ]
    return pl.sum_horizontal(terms)
