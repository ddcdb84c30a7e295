"""Honba and riichi sticks: which winner of a tile gets them, and whether a ronned riichi is paid.

Replay gives honba and sticks to the nearest winner, and returns the stick of a declaration that was
ronned to its seat, as most rule sets do. This module changes both for other rule sets.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from paifu.audit.wide_rounds import ROUND, Play
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.settlement import STICK


def with_honba_and_sticks(play: Play, rules: RuleSet) -> Play:
    """Return the play with ``honba`` and ``sticks`` of its wins by the rule set.

    The recorded amount that a win received for sticks is changed with them. If the rule set takes
    the stick of a seat whose declaration tile was ronned, the seat counts as having paid it
    (``round_seats.riichi_accepted``).
    """
    if rules.ronned_riichi_pays:
        play = _ronned_pay(play)
    if rules.multi_ron_payment == "honba_to_all":
        play = _honba_to_all(play)
    return play


def _with_sticks(wins: pl.DataFrame, sticks: pl.Expr) -> pl.DataFrame:
    """Return the wins with other ``sticks``, and with the recorded amounts split accordingly."""
    more = (sticks - pl.col("sticks")) * STICK
    return wins.with_columns(
        sticks=sticks.cast(pl.Int16),
        stick_points=(pl.col("stick_points") + more).cast(pl.Int32),
        honba_points=(pl.col("honba_points") - more).cast(pl.Int32),
    )


def _ronned_pay(play: Play) -> Play:
    ronned = pl.col("riichi_ronned").fill_null(False)
    won = play.wins.select(ROUND).unique()
    paid = (
        play.round_seats.filter(ronned)
        .join(won, on=ROUND, how="semi")
        .group_by(ROUND)
        .agg(pl.len().alias("ronned"))
    )
    wins = play.wins.join(paid, on=ROUND, how="left", maintain_order="left")
    nearest = pl.col("win_index") == 0
    more = pl.when(nearest).then(pl.col("ronned").fill_null(0)).otherwise(0)
    return replace(
        play,
        wins=_with_sticks(wins, pl.col("sticks") + more).drop("ronned"),
        round_seats=play.round_seats.with_columns(
            riichi_accepted=pl.when(ronned).then(True).otherwise("riichi_accepted")
        ),
    )


def _honba_to_all(play: Play) -> Play:
    """Give honba to every winner, each winner its own stick, and the rest to the nearest."""
    own = play.round_seats.select(
        *ROUND, winner="seat", own=pl.col("riichi_accepted").fill_null(False).cast(pl.Int16)
    )
    wins = play.wins.join(own, on=[*ROUND, "winner"], how="left", maintain_order="left")
    nearest, own_stick = pl.col("win_index") == 0, pl.col("own").fill_null(0)
    later = pl.when(nearest).then(0).otherwise(own_stick)
    all_sticks = pl.col("sticks").sum().over(ROUND)
    sticks = pl.when(nearest).then(all_sticks - later.sum().over(ROUND)).otherwise(own_stick)
    wins = _with_sticks(wins, sticks).drop("own")
    return replace(play, wins=wins.with_columns(honba=pl.col("table_honba")))
