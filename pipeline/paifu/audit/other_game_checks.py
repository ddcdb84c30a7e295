"""Checks wins and results of games other than riichi, and wins of win sheets.

Two facts that riichi's tables do not have are read from the acts: whether the other copies of the
winning tile were visible, and whether it was the last tile of the wall.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import duckdb
import polars as pl

from paifu.audit.comparison import Verdicts, judge, paired
from paifu.audit.lake_reader import rows_of
from paifu.audit.session_rows import NO_HAND, without_hand
from paifu.audit.wide_rounds import YAKU_TYPE, Play
from paifu.audit.win_checks import NOT_COMPLETE, WIN, recorded_yaku, with_yaku
from paifu.rules.engine import Scored
from paifu.rules.fan.game import Game
from paifu.rules.hands.faults import FAULTS
from paifu.rules.riichi.ruleset import RuleSet

_FIELDS = ("yaku", "han", "points", "delta_")
_DEALT = 52
_TILES = 136
"""Tiles of a game that is recorded act by act; no known log has flowers."""

_FACTS = """
WITH shown AS (
    SELECT w.game_id, w.round_index, w.win_index, w.tsumo,
        count(a.drawn) AS draws,
        sum(CASE
            WHEN a.action = 'discard' THEN (a.tile = w.win_tile)::INT
            WHEN a.action = 'kakan' THEN (a.tile = w.win_tile)::INT
            WHEN a.action = 'pon' THEN 2 * (a.tile = w.win_tile)::INT
            WHEN a.action = 'daiminkan' THEN 3 * (a.tile = w.win_tile)::INT
            WHEN a.action = 'chi' THEN (
                a.tile <> w.win_tile AND right(a.meld, 1) = right(w.win_tile, 1)
                AND contains(a.meld, left(w.win_tile, 1)))::INT
            ELSE 0 END) AS copies
    FROM {wins} AS w
    JOIN {actions} AS a
        ON a.game_id = w.game_id AND a.round_index = w.round_index AND a.seq <= w.seq
    GROUP BY ALL
)
SELECT game_id, round_index, win_index,
    copies >= CASE WHEN tsumo THEN 3 ELSE 4 END AS last_copy,
    draws = $wall AS last_tile
FROM shown ORDER BY game_id, round_index, win_index
"""


def with_table_facts(
    connection: duckdb.DuckDBPyConnection, play: Play, places: Mapping[str, str] | None = None
) -> Play:
    """Return the play with ``last_copy``, ``haitei`` and ``houtei`` of its wins from the acts.

    In a lake without acts they are not known and count as false. For ``places`` see
    :func:`~paifu.audit.lake_reader.rows_of`. Honba and sticks that a program counts in a game that
    pays none are left out: no winner claims them.
    """
    with rows_of(connection, play.games, places) as rows:
        query = _FACTS.format_map(rows)
        facts = connection.execute(query, {"wall": _TILES - _DEALT}).pl()
    wins = play.wins.drop("haitei", "houtei", "last_copy").join(
        facts, on=WIN, how="left", maintain_order="left"
    )
    last_tile = pl.col("last_tile").fill_null(False)
    return replace(
        play,
        wins=wins.with_columns(
            pl.col("last_copy").fill_null(False),
            haitei=last_tile & pl.col("tsumo"),
            houtei=last_tile & ~pl.col("tsumo"),
            **{name: pl.lit(0, pl.Int16) for name in ("honba", "sticks", "table_honba")},
        ).drop("last_tile"),
    )


def audit_win_facts(
    play: Play, scored: Scored, rules: RuleSet | Game, engine_version: int
) -> Verdicts:
    """Return the verdicts on all wins of ``play``, ``scored`` in the same order."""
    fields = paired(_FIELDS, play.players)
    plain = [field for field in fields if field != "yaku"]
    computed = scored.wins.select(
        *(pl.col(field).alias(f"computed_{field}") for field in plain),
        engine_status="status",
        engine_reason="reason",
    )
    yaku = scored.yaku.select(
        pl.col("hand").cast(pl.UInt32).alias("row"), pl.col("yaku").cast(YAKU_TYPE), "han"
    )
    rows = (
        play.wins.with_row_index("row")
        .hstack(computed)
        .with_columns(**{f"recorded_{field}": pl.col(field) for field in plain})
    )
    rows = with_yaku(rows, recorded_yaku(play), yaku)
    fault = pl.col("engine_reason").replace_strict(FAULTS, default=None)
    status = pl.col("engine_status")
    rows = rows.with_columns(
        unscorable=pl.when(without_hand)
        .then(pl.lit(NO_HAND))
        .when(status == "unreadable")
        .then(fault)
        .when(status == "unpriced")
        .then("engine_reason"),
        illegal=pl.when(without_hand)
        .then(None)
        .when(status == "impossible")
        .then(fault)
        .when(status.is_in(["no_yaku", "uncertain_yaku"]))
        .then("engine_reason")
        .when(status == "not_complete")
        .then(pl.lit(NOT_COMPLETE)),
    )
    return judge("win", rows, fields, rules, engine_version)


def points_won(play: Play, scored: Scored) -> pl.DataFrame:
    """Return ``game_id complete detail won`` and ``end_0`` …, the sum of the wins of each game.

    ``won`` says whether there are wins. The points are NULL if a win could not be scored.
    """
    names = [f"delta_{seat}" for seat in range(play.players)]
    paid = (
        play.wins.select("game_id")
        .hstack(scored.wins.select(names))
        .group_by("game_id")
        .agg(
            pl.when(pl.col(name).is_null().any())
            .then(None)
            .otherwise(pl.col(name).sum())
            .alias(name)
            for name in names
        )
    )
    games = play.games.select("game_id", "complete", "detail").join(
        paid, on="game_id", how="left", maintain_order="left"
    )
    won = pl.col("game_id").is_in(paid["game_id"].implode())
    return games.select(
        "game_id",
        "complete",
        "detail",
        won=won,
        **{f"end_{seat}": pl.when(won).then(name).otherwise(0) for seat, name in enumerate(names)},
    )


def audit_results(
    play: Play, won: pl.DataFrame, rules: RuleSet | Game, engine_version: int
) -> Verdicts:
    """Return the verdicts on all games: :func:`points_won` compared with the recorded result."""
    recorded = [
        play.seats.filter(pl.col("seat") == seat).select(
            "game_id",
            pl.when("final_recorded").then("final_points").alias(f"recorded_final_points_{seat}"),
        )
        for seat in range(play.players)
    ]
    rows = won
    for each in recorded:
        rows = rows.join(each, on="game_id", how="left")
    rows = rows.with_columns(
        *(
            pl.col(f"end_{seat}").alias(f"computed_final_points_{seat}")
            for seat in range(play.players)
        ),
        unscorable=pl.when(~pl.col("complete"))
        .then(pl.lit("the game is broken off"))
        .when(pl.col("end_0").is_null())
        .then(pl.lit("a win could not be scored")),
    )
    fields = paired(["final_points_"], play.players)
    return judge("game", rows, fields, rules, engine_version)
