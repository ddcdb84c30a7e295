"""Reads a batch of games from a lake: only the columns that the audit needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import duckdb
import polars as pl

from paifu.audit.legality import ACT_BREACHES, SEAT_COLUMNS, WIN_BREACHES
from paifu.audit.wide_rounds import POINTS_UNKNOWN, ROUND, YAKU_TYPE, Play
from paifu.audit.win_checks import WIN

_WINNER = ", ".join(f"s.{name}" for name in SEAT_COLUMNS)
_SEAT = ", ".join(
    f"s.{name}" for name in SEAT_COLUMNS if name not in ("points_start", "riichi_tiles_left")
)


def _breaches(reasons: Sequence[str]) -> str:
    """Return SQL for the first of these flags of each seat in each round."""
    listed = ", ".join(f"'{reason}'" for reason in reasons)
    return f"""(
            SELECT game_id, round_index, seat, first(reason ORDER BY seq) AS breach FROM {{flags}}
            WHERE reason IN ({listed}) GROUP BY ALL
        )"""


_OF_ROUND = """(
            SELECT game_id, round_index,
                bool_or(reason = 'dora_missing') AS dora_missing,
                bool_or(reason = 'wall_overdrawn') AS overdrawn,
                bool_or(reason = 'riichi_unknown') AS riichi_unknown
            FROM {flags} WHERE round_index IS NOT NULL GROUP BY ALL
        )"""

_QUERIES = {
    "games": """
        SELECT game_id, log_id, ruleset, players, length, aka, rounds, ended_by, complete,
            played_at, flags, detail
        FROM {games} ORDER BY game_id""",
    "seats": """
        SELECT game_id, seat, final_points, final_recorded, placement, result
        FROM {seats}""",
    "rounds": f"""
        SELECT game_id, round_index, wind, number, honba, sticks, sticks_end AS sticks_left, dealer,
            dice, outcome, abort_due, aborts_passed, tiles_left, dora_indicators, ura_indicators,
            dora_missing, coalesce(riichi_unknown, false) AS riichi_unknown
        FROM {{rounds}} LEFT JOIN {_OF_ROUND} USING (game_id, round_index)
        ORDER BY game_id, round_index""",
    "round_seats": f"""
        SELECT game_id, round_index, seat, points_start, points_end, delta, haipai, riichi_accepted,
            riichi_ronned, won, calls, tenpai_at_draw, tenpai_shown, tenpai_exhausted, keishiki,
            three_suits, penalty, nagashi, tenpai_wait, tenpai_draws, tenpai_tiles_left,
            riichi_wait, riichi_draws, riichi_tiles_left, {_SEAT}, breach
        FROM {{round_seats}} AS s
        LEFT JOIN {_breaches(ACT_BREACHES)} USING (game_id, round_index, seat)""",
    "wins": f"""
        SELECT w.* REPLACE (w.haitei OR (w.rinshan AND w.tiles_left <= 0) IS TRUE AS haitei),
            r.honba AS table_honba, r.aborts_passed, o.dora_missing,
            coalesce(o.overdrawn, false) AS overdrawn, g.own_yaku,
            coalesce(o.riichi_unknown, false) AS riichi_unknown,
            (w.dealer + r.dice[1] + r.dice[2] - 1) % w.players AS wareme, {_WINNER}, f.breach
        FROM {{wins}} AS w
        LEFT JOIN (
            SELECT game_id, round_index, honba, aborts_passed, dice FROM {{rounds}}
        ) AS r USING (game_id, round_index)
        LEFT JOIN (
            SELECT game_id, list_contains(flags, 'own_yaku') AS own_yaku FROM {{games}}
        ) AS g USING (game_id)
        LEFT JOIN {_OF_ROUND} AS o USING (game_id, round_index)
        LEFT JOIN (
            SELECT * FROM {{round_seats}} WHERE won
        ) AS s ON s.game_id = w.game_id AND s.round_index = w.round_index AND s.seat = w.winner
        LEFT JOIN {_breaches(WIN_BREACHES)} AS f
            ON f.game_id = w.game_id AND f.round_index = w.round_index AND f.seat = w.winner
        ORDER BY w.game_id, w.round_index, w.win_index""",
    "win_yaku": """
        SELECT game_id, round_index, win_index, yaku, han
        FROM {win_yaku}
        ORDER BY game_id, round_index, win_index""",
    "acts": """
        SELECT game_id, round_index, seq, drawn,
            action IN ('daiminkan', 'ankan', 'kakan', 'kita') AS replaced
        FROM {actions} SEMI JOIN {seeds} AS seeded USING (game_id)""",
    "seeds": "SELECT game_id, kind, seed FROM {seeds}",
}
"""The query for each table; a name in braces stands for its rows of the chosen games."""


_AFTER_REPLACEMENT = """
    WITH last AS (
        SELECT w.game_id, w.round_index, w.win_index, w.loser, max(a.seq) AS seq
        FROM {wins} AS w
        JOIN {actions} AS a ON a.game_id = w.game_id AND a.round_index = w.round_index
            AND a.seq < w.seq AND a.seat = w.loser AND a.action IN ('discard', 'riichi')
        WHERE w.houtei GROUP BY ALL
    )
    SELECT last.game_id, last.round_index, last.win_index,
        before.seat = last.loser
            AND before.action IN ('daiminkan', 'ankan', 'kakan', 'kita') AS after_rinshan
    FROM last JOIN {actions} AS before ON before.game_id = last.game_id
        AND before.round_index = last.round_index AND before.seq = last.seq - 1
"""


READ = (
    "games", "seats", "rounds", "round_seats", "wins", "win_yaku", "flags", "actions", "seeds",
)  # fmt: skip
"""The tables that are read."""


_SHARED = ("games", "rounds", "flags", "seeds")
"""Small tables that several of the queries read. DuckLake looks at all files of a table for each
query, which takes longer the more files there are."""


@contextmanager
def rows_of(
    connection: duckdb.DuckDBPyConnection,
    games: pl.DataFrame,
    places: Mapping[str, str] | None = None,
    shared: Sequence[str] = (),
) -> Iterator[dict[str, str]]:
    """Provide for each table the SQL of its rows of the games with the given ``game_id``.

    ``places`` are conditions that these rows meet (:class:`~paifu.lake.places.Places`), so that
    other rows are not read. The rows of ``shared`` tables are read from the lake once.
    """
    connection.register("batch", games.select("game_id").to_arrow())
    try:
        rows = {
            table: f"(SELECT * FROM {table} SEMI JOIN batch USING (game_id)"
            f" WHERE {places[table] if places else 'true'})"
            for table in READ
        }
        for table in shared:
            connection.execute(f"CREATE OR REPLACE TEMP TABLE batch_{table} AS FROM {rows[table]}")
            rows[table] = f"batch_{table}"
        yield rows
        for table in shared:
            connection.execute(f"DROP TABLE batch_{table}")
    finally:
        connection.unregister("batch")


def read_play(
    connection: duckdb.DuckDBPyConnection,
    games: pl.DataFrame,
    players: int,
    places: Mapping[str, str] | None = None,
) -> Play:
    """Return the play of the games with the given ``game_id``, all with ``players`` players.

    For ``places`` see :func:`rows_of`.
    """
    with rows_of(connection, games, places, _SHARED) as rows:
        frames = {
            name: connection.execute(query.format_map(rows)).pl()
            for name, query in _QUERIES.items()
        }
    no_points = frames["games"].filter(pl.col("flags").list.contains(POINTS_UNKNOWN))
    if len(no_points):  # the importer lets every round start with the starting points
        known = ~pl.col("game_id").is_in(no_points["game_id"].implode())
        for name in ("round_seats", "wins"):
            frames[name] = frames[name].with_columns(pl.when(known).then("points_start"))
    frames["win_yaku"] = frames["win_yaku"].with_columns(pl.col("yaku").cast(YAKU_TYPE))
    return Play(players=players, draws=_draws(frames.pop("acts")), **frames)


def _draws(acts: pl.DataFrame) -> pl.DataFrame:
    """Return the tiles drawn in each round; a draw after a ``replaced`` act is from the dead wall.

    This uses Polars, because DuckDB needs ten times the memory to join texts in order.
    """
    acts = acts.sort(*ROUND, "seq")
    same_round = pl.all_horizontal(pl.col(key) == pl.col(key).shift() for key in ROUND)
    dead = pl.col("dead")
    return (
        acts.lazy()
        .select(*ROUND, "drawn", dead=(pl.col("replaced").shift() & same_round).fill_null(False))
        .drop_nulls("drawn")
        .group_by(ROUND, maintain_order=True)
        .agg(
            live=pl.col("drawn").filter(~dead).str.join(),
            dead=pl.col("drawn").filter(dead).str.join(),
        )
        .collect()
    )


def with_last_discards(
    connection: duckdb.DuckDBPyConnection, play: Play, places: Mapping[str, str] | None = None
) -> Play:
    """Return the play with ``after_rinshan`` of its wins on the last discard, from the acts.

    Few rule sets need it (``houtei_after_rinshan``). In a lake without acts it is not known and
    counts as false.
    """
    with rows_of(connection, play.games, places) as rows:
        facts = connection.execute(_AFTER_REPLACEMENT.format_map(rows)).pl()
    wins = play.wins.drop("after_rinshan").join(facts, on=WIN, how="left", maintain_order="left")
    return replace(play, wins=wins.with_columns(pl.col("after_rinshan").fill_null(False)))
