"""Rounds: does each follow from the round before, and was it played by the rules?"""

from __future__ import annotations

import polars as pl

from paifu.audit.comparison import Verdicts, differs, judge, paired
from paifu.audit.legality import DORA_MISSING
from paifu.audit.wide_rounds import ROUND, as_played, unsettled
from paifu.rules.riichi import settlement
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.settlement import STICK

WINDS = ("East", "South", "West", "North")
_CARRIED = ("wind", "number", "honba", "sticks")


def settle(rounds: pl.DataFrame, players: int, rules: RuleSet) -> pl.DataFrame:
    """Return rows of ``round_rows`` with the result of each round.

    It adds ``end_0`` … (points after the round), ``sticks_end``, and ``next_wind``,
    ``next_number``, ``next_honba``, ``next_sticks``. They are NULL if the round's end is not known.
    """
    known = pl.col("outcome").is_not_null()
    following = settlement.next_round(rules, players)
    return rounds.with_columns(
        *(
            expr.alias(f"end_{seat}")
            for seat, expr in enumerate(settlement.end_points(rules, players))
        ),
        *(pl.when(known).then(expr).alias(f"next_{name}") for name, expr in following.items()),
        sticks_end=pl.when(known).then(settlement.sticks_end(players)),
    )


def audit_rounds(
    settled: pl.DataFrame, players: int, rules: RuleSet, engine_version: int
) -> Verdicts:
    """Return the verdicts on all rounds of :func:`settle`.

    The first round of a game is compared with the rule set's start. A round cannot be compared if
    the log begins with a later round, or if the round before could not be settled. If play went on
    after an abortive draw was due, the round differs in its ``outcome``. A round with an act that
    was not allowed is illegal. In a score sheet the changes of the points have to add up to the
    sticks paid and taken; what differs there is also said in words.
    """
    first = pl.col("round_index") == 0
    opening = {"wind": 0, "number": 1, "honba": 0, "sticks": 0}
    begins_later = first & pl.any_horizontal(
        *(pl.col(name) != value for name, value in opening.items())
    )
    before = pl.col("game_id") == pl.col("game_id").shift(1)
    carried = {name: pl.col(f"next_{name}").shift(1) for name in _CARRIED} | {
        f"points_{seat}": pl.col(f"end_{seat}").shift(1) for seat in range(players)
    }
    start = opening | {f"points_{seat}": rules.start_points for seat in range(players)}
    recorded = {name: pl.col(name) for name in _CARRIED} | {
        f"points_{seat}": pl.col(f"start_{seat}") for seat in range(players)
    }
    fields = paired((*_CARRIED, "points_"), players)
    written = pl.col("detail") == "rounds"
    total = pl.sum_horizontal(
        (pl.col(f"end_recorded_{seat}") - pl.col(f"start_{seat}") for seat in range(players)),
        ignore_nulls=False,
    )
    rows = settled.select(
        *ROUND,
        **{f"recorded_{field}": recorded[field] for field in fields},
        **{
            f"computed_{field}": pl.when(first).then(start[field]).when(before).then(carried[field])
            for field in fields
        },
        recorded_outcome=pl.when(pl.col("passed").is_not_null()).then(as_played()),
        computed_outcome="passed",
        begins_later=begins_later,
        unsettled=unsettled(rules),
        recorded_sum=pl.when(written).then(total),
        computed_sum=STICK * (pl.col("sticks") - pl.col("sticks_left")).cast(pl.Int32),
        illegal="illegal",
        dora_unknown="dora_unknown",
        written=written,
    )
    unknown = pl.any_horizontal(*(pl.col(f"computed_{field}").is_null() for field in fields))
    rows = rows.with_columns(
        unscorable=pl.coalesce(
            "unsettled",
            pl.when("dora_unknown").then(pl.lit(DORA_MISSING)),
            pl.when("begins_later").then(pl.lit("the log does not begin with the first round")),
            pl.when(unknown).then(pl.lit("the round before could not be settled")),
        )
    ).with_columns(said=pl.when("written").then(_in_words()))
    return judge("round", rows, [*fields, "outcome", "sum"], rules, engine_version)


def _in_words() -> pl.Expr:
    """Return what differs in a round as people at the table say it, or NULL."""
    wind = pl.col("computed_wind").replace_strict(
        dict(enumerate(WINDS)), default=None, return_dtype=pl.String
    )
    due = pl.format("it should be {} {}, honba {}", wind, "computed_number", "computed_honba")
    total = pl.format("the changes add up to {} and not to {}", "recorded_sum", "computed_sum")
    named = pl.any_horizontal(differs(name) for name in ("wind", "number", "honba"))
    said = [pl.when(named).then(due), pl.when(differs("sum")).then(total)]
    text = pl.concat_str(said, separator="; ", ignore_nulls=True)
    return pl.when(text != "").then(text)
