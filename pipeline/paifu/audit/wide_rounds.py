"""The tables of a batch of games, and wide rows of its rounds for settlement."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from paifu.audit.legality import dora_unknown, passed_abort, seat_breach
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.settlement import ABORTS, DRAWS, WINS
from paifu.schema.yaku import YAKU

ROUND = ["game_id", "round_index"]

YAKU_TYPE = pl.Enum([yaku.key for yaku in YAKU])
"""Yaku as an enumeration in the order of the vocabulary."""

_DRAWN = (*DRAWS, *ABORTS)
_NO_FLOW = "the lobby's own settings are not known"
_NO_POINTS = "the log does not say what points the rounds begin with"
POINTS_UNKNOWN = "points_unknown"
"""The flag of a log that gives no points."""


def unsettled(rules: RuleSet) -> pl.Expr:
    """Return the reason in ``flags`` why the flow of a game cannot be settled, or NULL."""
    return (
        pl.when(pl.lit(rules.flow == "unknown"))
        .then(pl.lit(_NO_FLOW))
        .when(pl.col("flags").list.contains(POINTS_UNKNOWN))
        .then(pl.lit(_NO_POINTS))
    )


@dataclass(frozen=True, slots=True)
class Play:
    """Rows of the lake's tables for games with the same rule set and number of players."""

    players: int
    games: pl.DataFrame
    seats: pl.DataFrame
    rounds: pl.DataFrame
    """Sorted by game and round."""
    round_seats: pl.DataFrame
    wins: pl.DataFrame
    """Sorted by game, round and win."""
    win_yaku: pl.DataFrame
    """Sorted by game, round and win; ``yaku`` of type :data:`YAKU_TYPE`."""
    draws: pl.DataFrame
    """One row per round: the tiles drawn from the ``live`` and from the ``dead`` wall, in order and
    with two characters each. No rows if the lake keeps no actions."""
    seeds: pl.DataFrame


def spread(
    frame: pl.DataFrame, key: list[str], columns: dict[str, pl.Expr], players: int
) -> pl.DataFrame:
    """Return one row per ``key`` with each column once per seat: ``name_0``, ``name_1``, …

    ``frame`` has one row per key and ``seat``. The columns of a seat without a row are NULL.
    """
    wide = frame.select(key).unique(maintain_order=True)
    for seat in range(players):
        own = frame.filter(pl.col("seat") == seat).select(
            *key, *(expr.alias(f"{name}_{seat}") for name, expr in columns.items())
        )
        wide = wide.join(own, on=key, how="left", maintain_order="left")
    return wide


def round_rows(play: Play, paid: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Return one row per round with the columns that ``settlement`` reads, and the record.

    ``paid`` has a row per round with a win: ``paid_0`` …, the computed change of each seat by all
    wins of the round, NULL if one of them could not be scored. These columns are added:
    ``last_wind``; ``passed``, an abortive draw that was due although play went on, or NULL; the
    computed ``outcome`` (:func:`due_outcome`) beside the recorded one; ``illegal``, an act that was
    not allowed (:func:`~paifu.audit.legality.seat_breach`); ``dora_unknown``; and per seat
    ``recorded_delta`` (without riichi sticks) and ``recorded_tenpai``.
    """
    # if the log hides a hand, only what was shown at the draw is known
    tenpai = pl.coalesce("tenpai_at_draw", "tenpai_shown")
    if rules.exhausted_wait == "own":
        tenpai = tenpai & ~pl.col("keishiki").fill_null(False)
    elif rules.exhausted_wait == "never":
        tenpai = tenpai | pl.col("tenpai_exhausted").fill_null(False)
    if rules.tenpai_declared:  # only a hand in riichi must be shown
        hidden = ~pl.col("tenpai_shown").fill_null(True) & pl.col("riichi_accepted").is_null()
        tenpai = tenpai & ~hidden
    nagashi = pl.col("nagashi")
    if not rules.nagashi_own_calls:
        nagashi = nagashi & (pl.col("calls") == 0)
    riichi = pl.col("riichi_accepted").fill_null(False)
    seats = spread(
        play.round_seats,
        ROUND,
        {
            "start": pl.col("points_start"),
            "end_recorded": pl.col("points_end"),
            "riichi": riichi,
            "won": pl.col("won"),
            "tenpai": tenpai.fill_null(False),
            "hidden": pl.col("tenpai_at_draw").is_null(),
            "nagashi": nagashi,
            "recorded_tenpai": pl.col("tenpai_shown"),
            "recorded_delta": pl.col("delta") + 1000 * riichi.cast(pl.Int32),
        },
        play.players,
    )
    length = pl.col("length") if rules.length == "by_game" else pl.lit(rules.length)
    games = play.games.select(
        "game_id",
        "flags",
        "detail",
        last_wind=length.replace_strict(
            {"east": 0, "south": 1}, default=None, return_dtype=pl.Int16
        ),
    )
    return (
        play.rounds.join(games, on="game_id", how="left", maintain_order="left")
        .join(seats, on=ROUND, how="left", maintain_order="left")
        .join(paid, on=ROUND, how="left", maintain_order="left")
        .join(_breaches(play, rules), on=ROUND, how="left", maintain_order="left")
        .rename({"outcome": "recorded_outcome"})
        .with_columns(passed=passed_abort(rules), dora_unknown=dora_unknown(rules))
        .with_columns(
            passed=pl.when(
                pl.lit(rules.sanchahou and rules.flow == "known")
                & (pl.col("recorded_outcome") == "triple_ron")
            )
            .then(pl.coalesce("passed", pl.lit("sanchahou")))
            .otherwise("passed")
        )
        .with_columns(outcome=due_outcome(rules, play.players))
    )


def _breaches(play: Play, rules: RuleSet) -> pl.DataFrame:
    """Return the rounds with an act that was not allowed: ``illegal`` says which, and the seat."""
    return (
        play.round_seats.lazy()
        .select(*ROUND, "seat", breach=seat_breach(rules))
        .drop_nulls("breach")
        .sort("seat")
        .group_by(ROUND, maintain_order=True)
        .agg(illegal=pl.format("{} (seat {})", "breach", "seat").str.join("; "))
        .collect()
    )


def due_outcome(rules: RuleSet, players: int) -> pl.Expr:
    """Return the outcome of a round without a win by its play; NULL if it had to go on.

    For a round with a win, and for a round that went on after an abortive draw was due, the outcome
    is the recorded one: the next round is compared with what was played.
    """
    recorded, due = pl.col("recorded_outcome"), pl.col("abort_due")
    allowed = [name for name in ABORTS if getattr(rules, name)]
    nagashi = pl.any_horizontal(*(pl.col(f"nagashi_{seat}") for seat in range(players)))
    return (
        pl.when(recorded.is_in(WINS) | (pl.col("passed").is_not_null() & recorded.is_in(_DRAWN)))
        .then(recorded)
        .when(due.is_in(allowed))
        .then(due)
        .when(pl.col("tiles_left") > 0)
        .then(pl.lit(None, dtype=pl.String))
        .when(nagashi & pl.lit(rules.nagashi_mangan))
        .then(pl.lit("nagashi"))
        .otherwise(pl.lit("exhaustive"))
    )


def as_played() -> pl.Expr:
    """Return the recorded outcome; an abortive draw that came later than due is marked."""
    recorded = pl.col("recorded_outcome")
    return (
        pl.when(recorded == pl.col("passed"))
        .then(pl.format("{}, later", recorded))
        .otherwise(recorded)
    )
