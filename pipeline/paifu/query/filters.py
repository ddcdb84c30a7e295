"""Which games and seats a statistic counts: the filters that every statistic takes."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import duckdb

from paifu.errors import UsageError
from paifu.game.times import JAPAN
from paifu.lake.connection import CATALOG, quoted
from paifu.lake.failures import DATABASE_ERRORS, first_line, of_storage
from paifu.lake.layout import table_macro_statements, view_statements
from paifu.messages import did_you_mean, nearest
from paifu.query.adhoc_sql import check, parsed, time_limit
from paifu.query.filter_options import Conditions, GameConditions
from paifu.schema.tables import TABLES

if TYPE_CHECKING:
    from typing import Self

    from paifu.lake.lake import Lake

PLAYERS = (3, 4)
LENGTHS = ("east", "south", "one_round", "hand")
"""Values of column ``length`` of ``games``; ``hand`` is a single deal."""
_WHERE_SECONDS = 60.0
_TOO_LONG = "--where took longer than {seconds:g} s: ask for less, or use paifu sql with --timeout"
_WORD = re.compile(r"\w+")
_MONTH = re.compile(r"(\d{4})(?:-(\d{2}))?", re.ASCII)
_OF_SEAT = (
    "seats", "round_seats", "game_seats", "actions", "discard_risks", "luck", "computed_results",
    "rated_games", "round_values", "deal_in_chances", "riichi_chances",
    "player_rounds", "player_actions",
)  # fmt: skip
_OF_WINNER = ("win_facts", "computed_win_facts")
_OF_NO_GAME = "rejects"
_OF_WIN = ("yaku_facts", "computed_yaku_facts", "win_yaku")


@dataclass(frozen=True, slots=True, repr=False)
class Filter(Conditions):
    """Which games count, and which of their seats; :meth:`apply` narrows a connection to them.

    >>> Filter(room="houou", players=4)
    Filter(room='houou', players=4)
    """

    riichi: bool = False
    """Only games of riichi."""

    def __repr__(self) -> str:
        set_ = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
        return f"Filter({', '.join(s for s in set_ if not s.endswith(('=None', '=False')))})"

    def stored(self, lake: Lake) -> Self:
        """Return the filter with its player's name as the lake stores it, which may be a hash."""
        return self if self.player is None else replace(self, player=lake.stored_name(self.player))

    def apply(self, connection: duckdb.DuckDBPyConnection, query: str | None = None) -> None:
        """Hide the lake's tables behind temporary views that show only what counts.

        With ``query``, only the tables that it names are hidden, which is quicker: each view that
        is made looks up its table in the catalog.

        With ``player`` or ``dan``, the tables of seats show only these seats, ``win_yaku`` and the
        views of wins and yaku show the wins of these seats, and ``wins`` shows the wins that they
        made or paid for with a discard. The tables of games and rounds show all games in which they
        played. ``rejects`` shows nothing, because it is not known whether a log that cannot be read
        would meet the conditions.

        Raises :class:`~paifu.errors.UsageError` for a ``where`` that is not one expression, for an
        invalid day, and for numbers of players and lengths that no game has.
        """
        self._check()
        of_games = (n for n, t in TABLES.items() if "game_id" in t.names)
        narrowed = (*of_games, *view_statements(), _OF_NO_GAME)
        for name in narrowed:  # of an earlier filter: conditions are about the whole lake
            connection.execute(f"DROP VIEW IF EXISTS temp.{name}")
        if self == EVERYTHING:
            return
        self._choose_games(connection)
        of_seats = self.player is not None or self.dan is not None
        if of_seats:
            self._choose_seats(connection)
        for name in narrowed if query is None else _named_in(query, narrowed):
            connection.execute(
                f"CREATE OR REPLACE TEMP VIEW {name} AS SELECT t.* FROM {CATALOG}.{name} AS t "
                + _narrowed(name, of_seats=of_seats)
            )

    def _choose_games(self, connection: duckdb.DuckDBPyConnection) -> None:
        conditions = dict(self._conditions())
        if self.where is not None:
            _check_expression(connection, self.where)
            conditions[f"(\n{self.where}\n)"] = []
        try:
            with time_limit(connection, _WHERE_SECONDS, told=_TOO_LONG):
                connection.execute(
                    "CREATE OR REPLACE TEMP TABLE chosen_games AS SELECT game_id "
                    f"FROM {CATALOG}.games WHERE {' AND '.join(conditions) or 'true'}",
                    [value for values in conditions.values() for value in values],
                )
        except DATABASE_ERRORS as error:
            if of_storage(error):
                raise
            raise UsageError(f"--where: {first_line(error)}") from None

    def expression(self) -> str | None:
        """Return the conditions on games as one expression for ``where``; None if there are none.

        >>> Filter(room="houou", until="2020", where="fast OR aka").expression()
        "room = 'houou' AND played_at < TIMESTAMP '2020-12-31 15:00:00' AND (\\nfast OR aka\\n)"
        """
        self._check()
        written = []
        for text, values in self._conditions():
            before, *after = text.split("?")
            written.append(before + "".join(map(_literal, values)) + "".join(after))
        if self.where is not None:
            written.append(f"(\n{self.where}\n)")
        return " AND ".join(written) or None

    def _check(self) -> None:
        """Raise :class:`~paifu.errors.UsageError` for conditions that no game can meet."""
        if self.players is not None and self.players not in PLAYERS:
            raise UsageError(f"--players is 3 or 4, not {self.players}")
        if self.length is not None and self.length not in LENGTHS:
            hint = did_you_mean(self.length, LENGTHS, f"it is one of {', '.join(LENGTHS)}")
            raise UsageError(f"there is no --length {self.length!r}: {hint}")
        if self.since is not None and self.until is not None:
            first, last = _days("since", self.since)[0], _days("until", self.until)[1]
            if first > last:
                raise UsageError(f"--since {self.since} is later than --until {self.until}")

    def _conditions(self) -> Iterator[tuple[str, list[Any]]]:
        for name in ("room", "length", "players", "ruleset"):
            if (value := getattr(self, name)) is not None:
                yield f"{name} = ?", [value]
        if self.since is not None:
            yield "played_at >= ?", [_japanese_midnight(_days("since", self.since)[0])]
        if self.until is not None:
            last = _japanese_midnight(_days("until", self.until)[1])
            yield "played_at < ?", [last + timedelta(days=1)]
        if self.riichi:
            yield "game IS NULL", []
        if self.matched:
            yield (
                (
                    f"game_id IN (SELECT game_id FROM {CATALOG}.verdicts "
                    f"JOIN {CATALOG}.games USING (game_id, ruleset) GROUP BY game_id "
                    "HAVING bool_and(status = 'match'))"
                ),
                [],
            )

    def _choose_seats(self, connection: duckdb.DuckDBPyConnection) -> None:
        rank = _rank_column(self.dan)
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE chosen_seats AS SELECT game_id, seat "
            f"FROM {CATALOG}.seats SEMI JOIN chosen_games USING (game_id) "
            f"WHERE ($player IS NULL OR player = $player) AND ($dan IS NULL OR {rank} = $dan)",
            {"player": self.player, "dan": self.dan},
        )
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE chosen_games AS SELECT DISTINCT game_id FROM chosen_seats"
        )

    @classmethod
    def of(cls, conditions: GameConditions | None) -> Self:
        """Return the filter with the conditions that a user gave."""
        return cls(**asdict(conditions)) if conditions else cls()


EVERYTHING = Filter()
"""The filter that lets every game and seat through."""

_MOST_NAMED = 12
"""How many rooms or rule sets a message names, the most played first."""
_ALIKE = 200
"""How many names of the lake are compared letter by letter."""


def nobody_named(lake: Lake, name: str) -> str | None:
    """Return a message if the lake has no player of this name, with similar names; else None.

    ``name`` is the player's own name or, in a lake of hashed names, its hash.
    """
    stored = lake.stored_name(name)
    query = f"SELECT 1 FROM {CATALOG}.seats WHERE player = ? LIMIT 1"
    if lake.connection.execute(query, [stored]).fetchone():
        return None
    hint = "in a lake of hashed names, similar names cannot be found"
    if lake.names == "keep":
        alike = lake.connection.execute(
            f"SELECT player FROM {CATALOG}.seats WHERE player IS NOT NULL GROUP BY player "
            f"ORDER BY jaro_similarity(lower(player), lower(?)) DESC, count(*) DESC, player "
            f"LIMIT {_ALIKE}",
            [name],
        ).fetchall()
        hint = did_you_mean(name, [player for (player,) in alike], "paifu stats players lists them")
    return f"there is nobody named {name!r} in the lake: {hint}"


def check_computed(lake: Lake, ruleset: str) -> None:
    """Raise :class:`~paifu.errors.UsageError` unless games were re-scored under this rule set.

    ``ruleset`` is a name as column ``ruleset`` of ``verdicts`` has it.
    """
    counts = lake.connection.execute(
        f"SELECT ruleset FROM {CATALOG}.verdicts WHERE subject = 'game' "
        "GROUP BY ruleset ORDER BY count(*) DESC, ruleset"
    ).fetchall()
    known = [name for (name,) in counts]
    if ruleset not in known:
        near = nearest(ruleset, known) or known[:_MOST_NAMED]
        has = f"only under {', '.join(near)}" if near else "under no rule set yet"
        raise UsageError(
            f"nothing is re-scored under {ruleset!r}: the lake's games are {has}; "
            f"paifu rescore --ruleset re-scores them under another"
        )


def unmatched(lake: Lake, conditions: GameConditions) -> list[str]:
    """Return which of the names that a user gave are not in the lake, and which ones are."""
    told: list[str | None] = []
    asked: list[tuple[str, str, str, int | str | None]] = [
        ("room", "games", "room", conditions.room),
        ("rule set", "games", "ruleset", conditions.ruleset),
    ]
    if isinstance(conditions, Conditions):
        asked.append(("rank", "seats", _rank_column(conditions.dan), conditions.dan))
        if conditions.player is not None:
            told.append(nobody_named(lake, conditions.player))
    told += [_not_there(lake, *each) for each in asked if each[-1] is not None]
    return [line for line in told if line]


def _not_there(
    lake: Lake, what: str, table: str, column: str, asked: int | str | None
) -> str | None:
    """Return a message if a column has no such value, with the values it has; else None."""
    counts = lake.connection.execute(
        f"SELECT CAST({column} AS VARCHAR) FROM {CATALOG}.{table} WHERE {column} IS NOT NULL "
        f"GROUP BY {column} ORDER BY count(*) DESC, {column}"
    ).fetchall()
    known = [value for (value,) in counts]
    if str(asked) in known:
        return None
    near = nearest(str(asked), known) or known[:_MOST_NAMED]
    has = f"it has {', '.join(near)}" if near else f"its {table} name no {what}"
    more = " …" if near == known[:_MOST_NAMED] and len(known) > _MOST_NAMED else ""
    return f"the lake has no {table[:-1]} of {what} {str(asked)!r}: {has}{more}"


def _rank_column(rank: int | str | None) -> str:
    """Return the column of ``seats`` for a rank: the column of names, or the column of codes."""
    return "dan_name" if isinstance(rank, str) else "dan"


def _days(option: str, period: str | date) -> tuple[date, date]:
    """Return the first and the last day of a day, a month or a year."""
    try:
        if isinstance(period, date):
            first = last = period
        elif matched := _MONTH.fullmatch(period):
            year, month = int(matched[1]), matched[2]
            first = date(year, int(month or 1), 1)
            last_month = int(month or 12)
            last = date(year, last_month, monthrange(year, last_month)[1])
        else:
            first = last = date.fromisoformat(period)
    except ValueError:
        raise UsageError(
            f"--{option} takes a day, month or year like 2026-01-31, 2026-01 or 2026, "
            f"not {period!r}"
        ) from None
    if not MINYEAR < first.year < MAXYEAR:  # the days next to it are computed too
        raise UsageError(f"--{option}: no game was played in the year {first.year}")
    return first, last


def _literal(value: str | int | datetime) -> str:
    """Return a value as SQL."""
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value}'"
    return quoted(value) if isinstance(value, str) else str(value)


def _japanese_midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).replace(tzinfo=None) - JAPAN


def _named_in(query: str, tables: Iterable[str]) -> list[str]:
    """Return the tables that a query names, itself or by the macros that it uses."""
    macros = table_macro_statements()
    words = set(_WORD.findall(query.lower()))
    if words & macros.keys():  # they use each other
        words.update(_WORD.findall(" ".join(macros.values())))
    return [name for name in tables if name in words]


def _narrowed(name: str, *, of_seats: bool) -> str:
    """Return the clause that limits a table or view to the chosen games or seats.

    With ``of_seats``, the filter chooses seats as well as games.
    """
    if name == _OF_NO_GAME:
        return "WHERE false"
    if not of_seats:
        return "SEMI JOIN chosen_games USING (game_id)"
    if name in _OF_SEAT:
        return "SEMI JOIN chosen_seats USING (game_id, seat)"
    if name == "wins":
        # a join on either of two columns would compare every win with every seat
        return (
            "JOIN (SELECT game_id, list(seat) AS seats FROM chosen_seats GROUP BY game_id) AS c "
            "ON c.game_id = t.game_id "
            "WHERE list_contains(c.seats, t.winner) OR list_contains(c.seats, t.loser)"
        )
    if name in _OF_WINNER:
        return "SEMI JOIN chosen_seats AS c ON c.game_id = t.game_id AND c.seat = t.winner"
    if name in _OF_WIN:
        return (
            f"SEMI JOIN (SELECT w.* FROM {CATALOG}.wins AS w "
            "JOIN chosen_seats AS c ON c.game_id = w.game_id AND c.seat = w.winner) AS own "
            "USING (game_id, round_index, win_index)"
        )
    return "SEMI JOIN chosen_games USING (game_id)"


def _check_expression(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Raise :class:`~paifu.errors.UsageError` unless the text is one expression on ``games``."""
    for expression in (where, f"(\n{where}\n)"):  # also unchanged: parentheses must be paired
        query = f"SELECT 1 FROM games WHERE {expression}"
        try:
            check(connection, query)
            node = parsed(connection, query)["statements"][0]["node"]
        except UsageError as error:
            raise UsageError(f"--where takes one expression on games: {error}") from None
        plain = node["type"] == "SELECT_NODE" and node["from_table"].get("table_name") == "games"
        if not plain or node["modifiers"] or node["group_expressions"] or node["having"]:
            raise UsageError("--where takes one expression on games, without further clauses")
