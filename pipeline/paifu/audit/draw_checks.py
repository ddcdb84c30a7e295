"""Draws: was this draw due, who was tenpai, and what did each seat get or pay?"""

from __future__ import annotations

import polars as pl

from paifu.audit.comparison import Verdicts, judge, paired
from paifu.audit.wide_rounds import ROUND, as_played, unsettled
from paifu.rules.hands.faults import FAULTS
from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet


def audit_draws(
    rounds: pl.DataFrame, players: int, rules: RuleSet, engine_version: int
) -> Verdicts:
    """Return the verdicts on all rounds (rows of ``round_rows``) that ended without a win."""
    drawn = rounds.filter(~pl.col("recorded_outcome").is_in(settlement.WINS))
    passed = pl.col("passed")
    due = pl.col("outcome").is_not_null() & passed.is_null()
    played_out = pl.col("recorded_outcome").is_in(settlement.DRAWS) & passed.is_null()
    unread = pl.any_horizontal(*(pl.col(f"hidden_{seat}") for seat in range(players)))
    hidden = unread & pl.col("flags").list.contains("hidden_tiles")
    deltas = settlement.round_deltas(rules, players)
    rows = drawn.select(
        *ROUND,
        recorded_outcome=as_played(),
        computed_outcome=pl.coalesce(passed, "outcome", pl.lit("none")),
        **{
            f"recorded_tenpai_{seat}": pl.when(played_out).then(pl.col(f"recorded_tenpai_{seat}"))
            for seat in range(players)
        },
        **{f"computed_tenpai_{seat}": pl.col(f"tenpai_{seat}") for seat in range(players)},
        # for a draw that was not due, there is no right payment
        **{
            f"recorded_delta_{seat}": pl.when(due).then(pl.col(f"recorded_delta_{seat}"))
            for seat in range(players)
        },
        **{f"computed_delta_{seat}": delta for seat, delta in enumerate(deltas)},
        unscorable=pl.coalesce(
            unsettled(rules),
            pl.when(pl.col("recorded_outcome") == "unknown").then(
                pl.lit("the log does not say how the round ended")
            ),
            pl.when(played_out & hidden).then(pl.lit(FAULTS["hidden_tiles"])),
        ),
    )
    fields = paired(("outcome", "tenpai_", "delta_"), players)
    return judge("draw", rows, fields, rules, engine_version)
