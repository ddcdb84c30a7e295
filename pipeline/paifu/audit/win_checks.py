"""Wins: compares the value of each hand by the rules with the log, and asks if it was legal."""

from __future__ import annotations

import numpy as np
import polars as pl

from paifu.audit.comparison import Verdicts, differs, judge, paired
from paifu.audit.legality import DORA_MISSING, dora_unknown, illegality
from paifu.audit.session_rows import NO_HAND, without_hand
from paifu.audit.wide_rounds import ROUND, YAKU_TYPE, Play
from paifu.rules.engine import Scored, score
from paifu.rules.fan.game import Game
from paifu.rules.hands.faults import FAULTS
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.red_fives import find_foreign_reds
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.yaku import YAKU

WIN = [*ROUND, "win_index"]

_FIELDS = (
    "yaku", "han", "fu", "yakuman", "limit", "points", "honba_points", "stick_points", "dora_han",
    "aka_han", "ura_han", "kita_han", "pao_seat", "chips", "delta_",
)  # fmt: skip

NOT_COMPLETE = "the hand is not complete"

_WRITTEN = ("sheet", "rounds")
"""``detail`` of games that a person wrote into a sheet."""
_MOST_HAN = 64
_NUMBERS = np.random.default_rng(136).integers(-(2**63), 2**63 - 1, len(YAKU) * _MOST_HAN)
"""A random number for each pair of yaku and han."""


_may_be_riichi = (
    pl.col("riichi_unknown") & (pl.col("winner_state") == "closed") & (pl.col("yaku_recorded") == 0)
)
"""A closed hand of a sheet that says neither who was in riichi nor which yaku counted."""


def score_wins(play: Play, rules: RuleSet | Game) -> Scored:
    """Score all wins of ``play``, in order.

    Red fives that a person wrote into a sheet for rules without red fives are a fault, as in
    ``paifu score --sheet``. Under other rules than the game's own, they count as plain fives.
    """
    hands = read_wins(play.wins.to_arrow())
    written = play.games.filter(
        pl.col("detail").is_in(_WRITTEN) & (pl.col("ruleset") == rules.name)
    )["game_id"]
    if len(written):
        on_sheet = play.wins["game_id"].is_in(written.implode()).to_numpy()
        find_foreign_reds(hands, rules, on_sheet)
    return score(hands, rules)


def audit_wins(play: Play, scored: Scored, rules: RuleSet, engine_version: int) -> Verdicts:
    """Return the verdicts on all wins of ``play``, ``scored`` in the same order.

    Besides the columns of table ``wins``, ``play.wins`` has the columns that
    :func:`~paifu.audit.legality.illegality` reads, ``dora_missing``, and ``own_yaku``, which says
    whether the room has its own yaku or payments: such wins are scored only under a rule set that
    defines them. If the record counts kita as dora (Tenhou), the computed kita is added to the dora
    before they are compared.
    """
    fields = paired(_FIELDS, play.players)
    plain = [field for field in fields if field != "yaku"]
    folds = pl.col("kita_han").is_null() & pl.lit(play.players == 3)
    computed = scored.wins.select(
        *(pl.col(field).alias(f"computed_{field}") for field in plain),
        engine_status="status",
        engine_reason="reason",
    )
    yaku = scored.yaku.select(
        pl.col("hand").cast(pl.UInt32).alias("row"), pl.col("yaku").cast(YAKU_TYPE), "han"
    )
    folded = play.wins.select(folds=folds)["folds"]
    if folded.any():
        yaku = _folded(yaku, folded)
    rows = (
        play.wins.with_row_index("row")
        .hstack(computed)
        .with_columns(
            computed_dora_han=pl.when(folds)
            .then(pl.col("computed_dora_han") + pl.col("computed_kita_han").fill_null(0))
            .otherwise(pl.col("computed_dora_han")),
            **{f"recorded_{field}": pl.col(field) for field in plain},
        )
    )
    if rules.flow == "unknown" or not rules.chips:  # it is not known what the chips were paid for
        rows = rows.with_columns(recorded_chips=pl.lit(None, dtype=pl.Int16))
    orphans = yaku.filter(pl.col("yaku").is_in(["kokushi", "kokushi_13"]))["row"]
    rows = with_yaku(rows, recorded_yaku(play), yaku).with_columns(
        orphans=pl.col("row").is_in(orphans.implode())
    )
    fault = pl.col("engine_reason").replace_strict(FAULTS, default=None)
    own = pl.col("own_yaku") & pl.lit(rules.flow == "unknown")
    not_won = (
        pl.when(pl.col("engine_status") == "not_complete")
        .then(pl.lit(NOT_COMPLETE))
        .when(~own & pl.col("engine_status").is_in(["no_yaku", "uncertain_yaku"]))
        .then("engine_reason")
    )
    rows = rows.with_columns(
        unscorable=pl.when(own)
        .then(pl.lit("the room has yaku or payments of its own"))
        .when(without_hand)
        .then(pl.lit(NO_HAND))
        .when(_may_be_riichi)
        .then(pl.lit("the sheet does not say who was in riichi"))
        .when(pl.col("engine_status") == "unreadable")
        .then(fault)
        .when(dora_unknown(rules))
        .then(pl.lit(DORA_MISSING))
        .when(ura_unknown(rules))
        .then(pl.lit("the ura dora are not known")),
        illegal=pl.when(pl.col("engine_status") == "impossible")
        .then(fault)
        .when(~without_hand & ~_may_be_riichi)
        .then(pl.coalesce(illegality(rules, play.players), not_won)),
    )
    return judge("win", rows, fields, rules, engine_version)


def ura_unknown(rules: RuleSet) -> pl.Expr:
    """Return whether a win has ura dora that neither the record nor a wall shows."""
    return pl.col("riichi") & (pl.col("ura_indicators").list.len() == 0) & rules.ura_dora


def recorded_yaku(play: Play) -> pl.DataFrame:
    """Return table ``win_yaku`` as ``row`` (of the win), ``yaku`` and ``han``."""
    yaku = play.win_yaku
    starts = pl.any_horizontal(pl.col(WIN) != pl.col(WIN).shift(1)).fill_null(True)
    run = yaku.select(starts.cum_sum() - 1).to_series()
    wins = yaku.filter(starts).select(WIN)
    if not wins.equals(play.wins.select(WIN)):  # some wins have no yaku recorded
        row = wins.join(
            play.wins.select(WIN).with_row_index("row"), on=WIN, how="left", maintain_order="left"
        )["row"]
        run = row.gather(run)
    return yaku.select(run.cast(pl.UInt32).alias("row"), "yaku", "han")


def _folded(yaku: pl.DataFrame, folds: pl.Series) -> pl.DataFrame:
    """Return computed yaku; for the wins in ``folds``, kita counts as dora."""
    own = folds.gather(yaku["row"])
    dora = own & yaku["yaku"].is_in(["dora", "kita"])
    together = (
        yaku.filter(dora)
        .group_by("row")
        .agg(
            pl.lit("dora", dtype=YAKU_TYPE).first().alias("yaku"),
            pl.col("han").sum().cast(pl.Int16),
        )
    )
    return pl.concat([yaku.filter(~dora), together.select(yaku.columns)]).sort(
        "row", maintain_order=True
    )


def _fingerprints(yaku: pl.DataFrame, count: int) -> pl.Series:
    """Return one number per win that is equal for equal lists of yaku in any order.

    It is a sum of random numbers, one for each yaku with its han; NULL for a win without yaku. Two
    different lists have the same number by chance once in 10^19.
    """
    row = yaku["row"].to_numpy()
    code = yaku["yaku"].to_physical().to_numpy().astype(np.int64) * _MOST_HAN
    code += np.clip(yaku["han"].to_numpy(), 0, _MOST_HAN - 1)
    sums = np.zeros(count, dtype=np.int64)
    np.add.at(sums, row, _NUMBERS[code])
    listed = np.zeros(count, dtype=np.bool_)
    listed[row] = True
    return pl.Series(sums).set(pl.Series(~listed), None)


def _listed(yaku: pl.DataFrame, rows: pl.Series) -> pl.DataFrame:
    """Return ``row`` and ``text`` of the yaku of some wins, in the vocabulary's order."""
    return (
        yaku.filter(pl.col("row").is_in(rows.implode()))
        .sort("row", pl.col("yaku").to_physical())
        .group_by("row")
        .agg(text=pl.format("{} {}", pl.col("yaku").cast(pl.String), "han").str.join(", "))
    )


def with_yaku(rows: pl.DataFrame, recorded: pl.DataFrame, computed: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with ``recorded_yaku`` and ``computed_yaku``, as text if they differ.

    If they are equal, or if no yaku is recorded, both are NULL.
    """
    sides = {"recorded_yaku": recorded, "computed_yaku": computed}
    rows = rows.with_columns(
        _fingerprints(yaku, len(rows)).alias(name) for name, yaku in sides.items()
    )
    different = rows.filter(differs("yaku"))["row"]
    rows = rows.drop(sides.keys())
    for name, yaku in sides.items():
        text = _listed(yaku, different).rename({"text": name})
        rows = rows.join(text, on="row", how="left", maintain_order="left")
    return rows
