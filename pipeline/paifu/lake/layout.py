"""The tables and views of a lake, made from ``schema.tables``, and the facts of the lake."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from paifu import __version__
from paifu.errors import LakeError
from paifu.lake.chances import DEAL_IN_CHANCES, RIICHI_CHANCES
from paifu.lake.connection import quoted
from paifu.lake.rated_games import RATED_GAMES
from paifu.schema.flags import WRONG_SUMS
from paifu.schema.table import Column, Table
from paifu.schema.tables import LAKE_TABLES, SCHEMA_VERSION, TABLES
from paifu.schema.views import GAME_COLUMNS, PLAYER_COLUMNS

_SQL_TYPES = {
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
    "text": "VARCHAR",
    "double": "DOUBLE",
    "timestamp": "TIMESTAMP",
    "binary": "BLOB",
    "list<int16>": "SMALLINT[]",
    "list<int32>": "INTEGER[]",
    "list<double>": "DOUBLE[]",
    "list<text>": "VARCHAR[]",
}

_VALUES = (
    "han", "fu", "yakuman", "limit", "points", "honba_points", "stick_points", "dora_han",
    "aka_han", "ura_han", "kita_han", "pao_seat", "chips", "delta_0", "delta_1", "delta_2",
    "delta_3",
)  # fmt: skip
"""Columns of a win's value: recorded in ``wins``, computed in ``scored_wins``."""

_WIN_KEY = "game_id, round_index, win_index"


def sql_type(column: Column) -> str:
    """Return the DuckDB type of a column.

    >>> sql_type(TABLES["rounds"].columns[0])
    'BIGINT'
    """
    return _SQL_TYPES[column.type]


def arrow_schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table of the lake, also of the lake's own tables."""
    return (TABLES.get(name) or LAKE_TABLES[name]).arrow()


def create_table(table: Table) -> str:
    """Return the statement that makes a table."""
    columns = ", ".join(
        f'"{column.name}" {sql_type(column)}{"" if column.nullable else " NOT NULL"}'
        for column in table.columns
    )
    return f"CREATE TABLE {table.name} ({columns})"


def view_statements() -> dict[str, str]:
    """Return the statements that make the views, by name.

    ``win_facts`` and ``yaku_facts`` have the value of each win as recorded, else as computed under
    the rule set that the game's record names. ``source`` says which (NULL: neither), and
    ``yaku_source`` in ``win_facts`` says the same about its yaku.
    ``computed_win_facts`` and ``computed_yaku_facts`` always have the computed value.
    :mod:`paifu.lake.rated_games` describes ``rated_games``. ``player_rounds`` and
    ``player_actions`` add the player and the game to ``round_seats`` and ``actions``.
    """
    columns = [c.name for c in TABLES["wins"].columns]
    recorded = ", ".join(f'wins."{name}"' for name in columns)
    filled = ", ".join(
        f'coalesce(wins."{name}", s."{name}") AS "{name}"' if name in _VALUES else f'wins."{name}"'
        for name in columns
    )
    computed = ", ".join(f's."{name}"' if name in _VALUES else f'wins."{name}"' for name in columns)
    on_win = " AND ".join(f"s.{column} = wins.{column}" for column in _WIN_KEY.split(", "))
    scored = (
        "(SELECT scored_wins.* FROM scored_wins JOIN games"
        " ON games.game_id = scored_wins.game_id AND games.ruleset = scored_wins.ruleset)"
    )
    else_computed = "WHEN s.points IS NOT NULL THEN 'computed' END"
    yaku = f"""SELECT s.game_id, s.round_index, s.win_index, s.yaku, s.han, 'computed' AS source
            FROM scored_yaku AS s
            JOIN {scored} AS w USING ({_WIN_KEY}, ruleset_hash)"""
    return {
        # a completely recorded win needs no join, which makes a year of logs quick
        "win_facts": f"""CREATE OR REPLACE VIEW win_facts AS
            SELECT {recorded}, 'recorded' AS source, 'recorded' AS yaku_source FROM wins
            WHERE points IS NOT NULL AND fu IS NOT NULL AND yaku_recorded > 0
            UNION ALL
            SELECT {filled},
                CASE WHEN wins.points IS NOT NULL THEN 'recorded' {else_computed} AS source,
                CASE WHEN wins.yaku_recorded > 0 THEN 'recorded' {else_computed} AS yaku_source
            FROM wins LEFT JOIN {scored} AS s ON {on_win}
            WHERE wins.points IS NULL OR wins.fu IS NULL OR wins.yaku_recorded = 0""",
        "computed_win_facts": f"""CREATE OR REPLACE VIEW computed_win_facts AS
            SELECT {computed}, 'computed' AS source, CASE {else_computed} AS yaku_source
            FROM wins JOIN {scored} AS s ON {on_win}""",
        # first the few wins recorded without yaku, then their computed yaku
        "yaku_facts": f"""CREATE OR REPLACE VIEW yaku_facts AS
            SELECT {_WIN_KEY}, yaku, han, 'recorded' AS source FROM win_yaku
            UNION ALL
            SELECT s.game_id, s.round_index, s.win_index, s.yaku, s.han, 'computed' AS source
            FROM (SELECT {_WIN_KEY} FROM wins WHERE yaku_recorded = 0) AS bare
            JOIN {scored} AS w USING ({_WIN_KEY})
            JOIN scored_yaku AS s USING ({_WIN_KEY}, ruleset_hash)""",
        "computed_yaku_facts": f"CREATE OR REPLACE VIEW computed_yaku_facts AS {yaku}",
        "rated_games": RATED_GAMES,
        "deal_in_chances": DEAL_IN_CHANCES,
        "riichi_chances": RIICHI_CHANCES,
        "player_rounds": _of_player("player_rounds", "round_seats"),
        "player_actions": _of_player("player_actions", "actions"),
    }


def _of_player(name: str, table: str) -> str:
    """Return the statement of a view that adds the player and the game to a table of seats."""
    more = [f"s.{column}" for column in PLAYER_COLUMNS] + [f"g.{column}" for column in GAME_COLUMNS]
    return f"""CREATE OR REPLACE VIEW {name} AS SELECT t.*, {", ".join(more)}
        FROM {table} AS t JOIN seats AS s USING (game_id, seat) JOIN games AS g USING (game_id)"""


_Z = 1.959963984540054  # the normal distribution's 97.5 % point
_WILSON = f"""CREATE OR REPLACE MACRO {{name}}(k, n) AS CASE WHEN n > 0 THEN {{within}}
    (k + {_Z * _Z / 2}e0 {{sign}} {_Z}e0 * sqrt(k * (n - k) / n::DOUBLE + {_Z * _Z / 4}e0))
    / (n + {_Z * _Z}e0)
) END"""


_BINOMIAL_PARTS = 5
"""The binomial variance counts like this many parts of the games, beside the actual parts."""
_EFFECTIVE = f"""CREATE OR REPLACE MACRO effective_n(k, n) AS CASE
    WHEN sum(k) = 0 OR sum(k) = sum(n) THEN sum(n)::DOUBLE
    ELSE sum(n) * (count(*) + {_BINOMIAL_PARTS - 1}) / ({_BINOMIAL_PARTS} + count(*) * (
        sum(k * k)::DOUBLE - 2 * sum(k * n)::DOUBLE * sum(k) / sum(n)
        + sum(n * n)::DOUBLE * sum(k) / sum(n) * sum(k) / sum(n)
    ) / (sum(k)::DOUBLE * (sum(n) - sum(k)) / sum(n)))
END"""
_CLUSTERED = """CREATE OR REPLACE MACRO clustered_{end}(k, n) AS
    rate_{end}(sum(k) / sum(n) * effective_n(k, n), effective_n(k, n))"""
_ROUNDING = "1e-13"
"""The part of a sum of squares that may be rounding: without it, equal values have a variance."""
_CLUSTERED_MEAN = f"""CREATE OR REPLACE MACRO clustered_plus_minus(total, n) AS
    CASE WHEN count(*) > 1 THEN {_Z}e0 * sqrt(greatest(0, count(*) / (count(*) - 1) * (
        sum(total * total)::DOUBLE - 2 * sum(total * n)::DOUBLE * sum(total) / sum(n)
        + sum(n * n)::DOUBLE * sum(total) / sum(n) * sum(total) / sum(n)
        - {_ROUNDING} * sum(total * total)::DOUBLE
    ))) / sum(n) END"""


_SUMS_ARE_WRONG = f"""CREATE OR REPLACE MACRO sums_are_wrong(platform, flags) AS
    platform = 'sheet' AND coalesce(list_has_any(flags, {list(WRONG_SUMS)}), false)"""


_PLACE_VALUE = """CREATE OR REPLACE MACRO place_value(points, first, second, third, fourth) AS
    points[1] * first + points[2] * second + points[3] * third + coalesce(points[4] * fourth, 0)"""
_SCHEME_POINTS = """CREATE OR REPLACE MACRO scheme_points(wanted) AS TABLE
    SELECT scheme, players, length, ruleset, room, dan, since, until, points
    FROM place_points
    WHERE scheme = wanted
    UNION ALL
    SELECT wanted, len(given), NULL, NULL, NULL, NULL, NULL, NULL, given
    FROM (
        SELECT CASE
            WHEN contains(wanted, '/') AND len(string_split(wanted, '/')) NOT IN (3, 4)
                THEN error('place points are 3 or 4 numbers, such as 90/45/0/-135')
            WHEN contains(wanted, '/') THEN string_split(wanted, '/')::DOUBLE[]
            WHEN wanted NOT IN (SELECT scheme FROM place_points)
                AND EXISTS (SELECT 1 FROM place_points)
                THEN error('there is no scheme of place points ' || wanted
                    || ': it is 7dan, tenhou, majsoul, uma, or numbers such as 90/45/0/-135')
        END AS given
    )
    WHERE given IS NOT NULL"""
_VALUE_CHANGES = """CREATE OR REPLACE MACRO value_changes(wanted) AS TABLE
    SELECT
        *,
        value_after - value_before AS change,
        value_sticks - value_before AS stick_change,
        value_paid - value_sticks AS payment_change,
        value_after - value_paid AS dealership_change
    FROM (
        SELECT
            v.game_id, v.round_index, v.seat, v.model_id, s.players, s.length, r.wind, r.number,
            ['E', 'S', 'W', 'N'][r.wind + 1] || r.number AS round, v.cause,
            place_value(points, place_1, place_2, place_3, place_4) AS value_before,
            coalesce(
                place_value(
                    points, place_1_sticks, place_2_sticks, place_3_sticks, place_4_sticks
                ),
                value_before
            ) AS value_sticks,
            place_value(points, place_1_after, place_2_after, place_3_after, place_4_after)
                AS value_after,
            coalesce(
                place_value(points, place_1_paid, place_2_paid, place_3_paid, place_4_paid),
                value_after
            ) AS value_paid
        FROM round_values AS v
        SEMI JOIN (SELECT model_id FROM placement_models WHERE current) AS m USING (model_id)
        JOIN rounds AS r ON r.game_id = v.game_id AND r.round_index = v.round_index
        JOIN (
            SELECT game_id, seat, games.players, games.length, p.points
            FROM seats
            JOIN games USING (game_id)
            JOIN scheme_points(wanted) AS p
                ON p.players = games.players
                AND (p.length IS NULL OR p.length = games.length)
                AND (p.ruleset IS NULL OR p.ruleset = games.ruleset)
                AND (p.room IS NULL OR p.room = games.room)
                AND (p.dan IS NULL OR p.dan = seats.dan)
                AND (p.since IS NULL OR coalesce(played_at >= p.since, true))
                AND (p.until IS NULL OR played_at < p.until)
        ) AS s ON s.game_id = v.game_id AND s.seat = v.seat
    )"""


def macro_statements() -> dict[str, str]:
    """Return the statements that make the macros, by name.

    ``rate_low(k, n)`` and ``rate_high(k, n)`` are the ends of Wilson's 95 % interval of a rate of
    ``k`` among ``n``; NULL if ``n`` is 0.

    That interval is for independent events. Events of the seats of one round are not independent: a
    draw concerns all seats, and a win excludes wins of the others. For such events a statistic
    counts ``k`` and ``n`` in random parts of the games (``game_id & 255``). The aggregates
    ``clustered_low(k, n)`` and ``clustered_high(k, n)`` over the parts are the ends of Wilson's
    interval for ``effective_n`` events: as many independent events as would have the same variance.
    It follows from the variance of a ratio of sums over clusters (Cochran, *Sampling Techniques*,
    ch. 6; Wolter, *Introduction to Variance Estimation*, ch. 2, random groups) divided by the
    binomial variance. With few parts it is near the binomial variance, and with one part the
    interval is Wilson's. ``clustered_plus_minus(total, n)`` is half the width of the 95 % interval
    of a mean, NULL with one part.

    ``sums_are_wrong(platform, flags)`` is true of a game of a score sheet whose points do not add
    up, so that its results are not known.
    """
    return {
        "rate_low": _WILSON.format(name="rate_low", within="greatest(0, ", sign="-"),
        "rate_high": _WILSON.format(name="rate_high", within="least(1, ", sign="+"),
        "effective_n": _EFFECTIVE,
        "clustered_low": _CLUSTERED.format(end="low"),
        "clustered_high": _CLUSTERED.format(end="high"),
        "clustered_plus_minus": _CLUSTERED_MEAN,
        "sums_are_wrong": _SUMS_ARE_WRONG,
    }


def table_macro_statements() -> dict[str, str]:
    """Return the statements that make the macros over tables of the lake, by name.

    ``value_changes(scheme)`` is a table: for each valued round and seat what the position was worth
    in place points before, after the riichi sticks, after the payments and at the next deal (or the
    end), and the parts of the change. The scheme is the name of one in ``place_points`` or three or
    four numbers such as ``'90/45/0/-135'`` (``scheme_points``).
    """
    return {
        "place_value": _PLACE_VALUE,
        "scheme_points": _SCHEME_POINTS,
        "value_changes": _VALUE_CHANGES,
    }


def computed_statements() -> list[str]:
    """Return the statements that make all views and macros of a lake."""
    made = view_statements() | macro_statements() | table_macro_statements()
    return list(made.values())


def layout_statements(facts: dict[str, str]) -> list[str]:
    """Return the statements that make every table and view of a new lake.

    They also fill ``lake_info`` with ``facts`` and with what each lake has.
    """
    facts = {
        "schema_version": str(SCHEMA_VERSION), "created_by": f"paifu {__version__}", "commits": "0",
    } | facts  # fmt: skip
    rows = ", ".join(f"({quoted(key)}, {quoted(value)})" for key, value in facts.items())
    return [
        *(create_table(table) for table in (*TABLES.values(), *LAKE_TABLES.values())),
        *computed_statements(),
        f"INSERT INTO lake_info VALUES {rows}",
    ]


def read_facts(connection: duckdb.DuckDBPyConnection, place: str) -> dict[str, str]:
    """Return ``lake_info``, or an empty dict if the catalog has no tables yet.

    Raises :class:`~paifu.errors.LakeError` for a DuckLake that is not paifu's.
    """
    query = "SELECT key, value FROM lake_info"
    try:
        return dict(connection.execute(query).fetchall())
    except duckdb.CatalogException:
        names = {name for (name,) in connection.execute("SHOW TABLES").fetchall()}
    if "lake_info" in names:  # another process made it between the two statements
        return dict(connection.execute(query).fetchall())
    if names:
        raise LakeError(f"the DuckLake at {place} was not made by paifu: it has no lake_info table")
    return {}


def check_version(facts: dict[str, str], place: str) -> None:
    """Raise :class:`~paifu.errors.LakeError` unless the lake has this paifu's schema."""
    check_not_newer(facts, place)
    version = int(facts.get("schema_version", 0))
    if version < SCHEMA_VERSION:
        raise LakeError(
            f"the lake at {place} has schema {version}, this paifu {SCHEMA_VERSION}: "
            f"run paifu upgrade --lake {place}"
        )


def check_not_newer(facts: dict[str, str], place: str) -> None:
    """Raise :class:`~paifu.errors.LakeError` for a lake that was made by a newer paifu."""
    version = int(facts.get("schema_version", 0))
    if version > SCHEMA_VERSION:
        raise LakeError(
            f"the lake at {place} has schema {version} and this paifu knows {SCHEMA_VERSION}: "
            "install a newer paifu"
        )
