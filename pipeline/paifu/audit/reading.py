"""Reading a batch of games out of a lake: the columns the audit needs, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import polars as pl

from paifu.audit.play import YAKU_TYPE, Play
from paifu.audit.wins import BREACHES, WIN, WINNER_COLUMNS

_WINNER = ", ".join(f"s.{name}" for name in WINNER_COLUMNS)
_BREACHES = ", ".join(f"'{name}'" for name in BREACHES)

_QUERIES = {
    "games": """
        SELECT game_id, log_id, players, length, aka, rounds, ended_by, complete, played_at, flags,
            detail
        FROM games SEMI JOIN batch USING (game_id) ORDER BY game_id""",
    "seats": """
        SELECT game_id, seat, final_points, placement, result
        FROM seats SEMI JOIN batch USING (game_id)""",
    "rounds": """
        SELECT game_id, round_index, wind, number, honba, sticks, dealer, dice, outcome, abort_due,
            tiles_left, dora_indicators, ura_indicators
        FROM rounds SEMI JOIN batch USING (game_id) ORDER BY game_id, round_index""",
    "round_seats": """
        SELECT game_id, round_index, seat, points_start, points_end, delta, haipai, riichi_accepted,
            won, calls, tenpai_at_draw, tenpai_shown, keishiki, nagashi, tenpai_wait, tenpai_draws,
            tenpai_tiles_left, riichi_wait, riichi_draws, riichi_tiles_left
        FROM round_seats SEMI JOIN batch USING (game_id)""",
    "wins": f"""
        SELECT w.*, r.honba AS table_honba, {_WINNER}, f.breach
        FROM wins AS w SEMI JOIN batch USING (game_id)
        LEFT JOIN (
            SELECT game_id, round_index, honba FROM rounds SEMI JOIN batch USING (game_id)
        ) AS r USING (game_id, round_index)
        LEFT JOIN (
            SELECT * FROM round_seats SEMI JOIN batch USING (game_id) WHERE won
        ) AS s ON s.game_id = w.game_id AND s.round_index = w.round_index AND s.seat = w.winner
        LEFT JOIN (
            SELECT game_id, round_index, seat, first(reason ORDER BY seq) AS breach FROM flags
            WHERE reason IN ({_BREACHES}) GROUP BY ALL
        ) AS f ON f.game_id = w.game_id AND f.round_index = w.round_index AND f.seat = w.winner
        ORDER BY w.game_id, w.round_index, w.win_index""",
    "win_yaku": """
        SELECT game_id, round_index, win_index, yaku, han
        FROM win_yaku SEMI JOIN batch USING (game_id)
        ORDER BY game_id, round_index, win_index""",
    "draws": """
        WITH drawn AS (
            SELECT game_id, round_index, seq, drawn,
                coalesce(lag(action) OVER (PARTITION BY game_id, round_index ORDER BY seq)
                    IN ('daiminkan', 'ankan', 'kakan', 'kita'), false) AS dead
            FROM actions SEMI JOIN batch USING (game_id) SEMI JOIN seeds USING (game_id)
        )
        SELECT game_id, round_index,
            string_agg(drawn, '' ORDER BY seq) FILTER (NOT dead) AS live,
            string_agg(drawn, '' ORDER BY seq) FILTER (dead) AS dead
        FROM drawn WHERE drawn IS NOT NULL GROUP BY ALL""",
    "seeds": "SELECT game_id, kind, seed FROM seeds SEMI JOIN batch USING (game_id)",
}
"""What is read of each table for the games of the relation ``batch``."""


_AFTER_REPLACEMENT = """
    WITH last AS (
        SELECT w.game_id, w.round_index, w.win_index, w.loser, max(a.seq) AS seq
        FROM wins AS w SEMI JOIN batch USING (game_id)
        JOIN actions AS a ON a.game_id = w.game_id AND a.round_index = w.round_index
            AND a.seq < w.seq AND a.seat = w.loser AND a.action IN ('discard', 'riichi')
        WHERE w.houtei GROUP BY ALL
    )
    SELECT last.game_id, last.round_index, last.win_index,
        before.seat = last.loser
            AND before.action IN ('daiminkan', 'ankan', 'kakan', 'kita') AS after_rinshan
    FROM last JOIN actions AS before ON before.game_id = last.game_id
        AND before.round_index = last.round_index AND before.seq = last.seq - 1
"""


def with_last_discards(connection: duckdb.DuckDBPyConnection, play: Play) -> Play:
    """Return the play with ``after_rinshan`` of its wins on the last discard, from the acts.

    Few rule sets ask for it (``houtei_after_rinshan``). In a lake without acts it is not known and
    counts as not so.
    """
    connection.register("batch", play.games.select("game_id").to_arrow())
    try:
        facts = connection.execute(_AFTER_REPLACEMENT).pl()
    finally:
        connection.unregister("batch")
    wins = play.wins.drop("after_rinshan").join(facts, on=WIN, how="left", maintain_order="left")
    return replace(play, wins=wins.with_columns(pl.col("after_rinshan").fill_null(False)))


def read_play(connection: duckdb.DuckDBPyConnection, games: pl.DataFrame, players: int) -> Play:
    """Return the play of the games whose ``game_id`` is given, all with ``players`` players."""
    connection.register("batch", games.select("game_id").to_arrow())
    try:
        frames = {name: connection.execute(query).pl() for name, query in _QUERIES.items()}
    finally:
        connection.unregister("batch")
    frames["win_yaku"] = frames["win_yaku"].with_columns(pl.col("yaku").cast(YAKU_TYPE))
    return Play(players=players, **frames)
