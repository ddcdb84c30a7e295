"""Named statistics: reads and lists the files of ``sql/``, and runs them with parameters.

A file has comment lines that document it, and a query that any DuckDB client runs unchanged::

    -- title: Placement
    -- group: placement
    -- answers: How often does each player come first to last?
    -- numerator: games ended at that placement
    -- denominator: the player's complete games (n)
    -- param: min_games int = 20 | Players with fewer games are left out.
    -- source: statistics.md 2.1
    -- example: paifu stats placement --param min_games=100
    SELECT … HAVING count(*) >= coalesce(getvariable('min_games'), 20)

``param`` may occur several times. Its type is int, count (at least 1), number, bool, text, player
(a name, looked up as the lake stores it) or ruleset (the name of a rule set under which games were
re-scored). Its default is NULL if nothing is set. The values that a text may have follow in
parentheses: ``hand (hand, received)``. A line without a key continues the line before. A line
``compares: players`` is for a statistic that compares a player with all others: the filter
``player`` then selects rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from paifu.errors import LakeError, UsageError
from paifu.host.shipped_files import resource_dir
from paifu.lake.connection import CATALOG
from paifu.lake.failures import DATABASE_ERRORS, first_line, of_storage
from paifu.messages import did_you_mean
from paifu.query.filters import EVERYTHING, Filter, check_computed

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from paifu.lake.lake import Lake

Value = int | float | bool | str | None

_HEADER = re.compile(r"--\s?(?:([a-z]+):\s?)?(.*)")
_PARAM = re.compile(
    r"(\w+) (int|count|number|bool|text|player|ruleset) = (\S+)(?: \(([\w, ]+)\))? \| (.+)"
)
_SAYS_WHAT_COUNTS = re.compile(r"\b(game|ruleset)\b", re.IGNORECASE)
_VARIABLE = re.compile(r"getvariable\('(\w+)'\)")
GROUPS = (
    "yaku", "wins", "deal-in", "riichi", "calls", "draws", "dealer", "haipai", "placement",
    "players", "rating", "luck", "rounds and games", "data quality",
)  # fmt: skip
"""The groups of statistics, in the order in which they are listed."""

_GAMES = "games"
_KINDS = {
    "int": "a whole number",
    "count": "a whole number from 1 on",
    "number": "a number",
    "bool": "true or false",
}
_REQUIRED = ("title", "group", "answers", "numerator", "denominator", "source", "example")


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a statistic."""

    name: str
    type: str
    default: Value
    doc: str
    choices: tuple[str, ...] = ()
    """The values that a text may have; empty if any value is possible."""

    def value(self, given: Any) -> Value:
        """Return a given value as the parameter's type.

        >>> Param("min_games", "int", 20, "").value("100")
        100

        Raises :class:`~paifu.errors.UsageError` for a value of another type.
        """
        text = str(given).strip()
        if self.choices and text not in self.choices:
            raise UsageError(f"--param {self.name} takes {', '.join(self.choices)}, not {text!r}")
        try:
            match self.type:
                case "int":
                    return int(text)
                case "count" if int(text) < 1:
                    raise ValueError
                case "count":
                    return int(text)
                case "number":
                    return float(text)
                case "bool":
                    return {"true": True, "false": False, "1": True, "0": False}[text.lower()]
                case _:
                    return text
        except (ValueError, KeyError):
            kind = _KINDS[self.type]
            raise UsageError(f"--param {self.name} takes {kind}, not {text!r}") from None


@dataclass(frozen=True, slots=True)
class Statistic:
    """One file of ``sql/``: what it answers, how it is defined, its parameters and its query."""

    name: str
    title: str
    group: str
    """One of :data:`GROUPS`."""
    answers: str
    numerator: str
    denominator: str
    source: str
    example: str
    params: tuple[Param, ...]
    sql: str
    compares: bool = False
    """It compares players with each other: the filter ``player`` selects rows, not games."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a statistic."""

    statistic: Statistic
    params: dict[str, Value]
    """Values of all its parameters, including defaults."""
    table: pa.Table
    left_out: int = 0
    """Games other than riichi that meet the conditions and were not counted."""
    games: int = 0
    """Games that were counted."""
    told: tuple[str, ...] = ()
    """The effect of filters on a comparison of players, and a parameter that left out every row."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return cast("list[str]", self.table.column_names)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as Python values."""
        columns = [map(_plain, column.to_pylist()) for column in self.table.columns]
        return list(zip(*columns, strict=True))

    def first(self, rows: int) -> Answer:
        """Return the answer with at most so many of its first rows."""
        return replace(self, table=self.table.slice(0, rows))

    def arrow(self) -> pa.Table:
        """Return the result as an Arrow table."""
        return self.table

    def pl(self) -> pl.DataFrame:
        """Return the result as a Polars DataFrame."""
        import polars as pl

        return cast("pl.DataFrame", pl.from_arrow(self.table))

    def _repr_html_(self) -> str:
        """Return the answer as Jupyter shows it: its title, its definition and its first rows."""
        chosen = self.statistic
        definition = f"{chosen.numerator} / {chosen.denominator}"
        heading = f"<b>{escape(chosen.title)}</b><br><small>{escape(definition)}</small>"
        return heading + self.pl()._repr_html_()

    def df(self) -> pd.DataFrame:
        """Return the result as a pandas DataFrame."""
        return self.table.to_pandas()


def _plain(value: Any) -> Any:
    """Return a table with DuckDB's wide integers, which arrive as decimals, as integers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def statistics() -> dict[str, Statistic]:
    """Return every statistic by its name, in order."""
    return {path.stem: read(path) for path in sorted(resource_dir("sql").glob("*.sql"))}


def statistic(name: str) -> Statistic:
    """Return one statistic. Raises :class:`~paifu.errors.UsageError` with the nearest names."""
    path = resource_dir("sql") / f"{name}.sql"
    if name.isidentifier() and path.is_file():
        return read(path)
    names = [path.stem for path in resource_dir("sql").glob("*.sql")]
    hint = did_you_mean(name, names, "paifu stats lists them")
    raise UsageError(f"there is no statistic {name!r}: {hint}")


def read(path: Path) -> Statistic:
    """Return the statistic of a file. Raises ``ValueError`` if its header is not complete."""
    text = path.read_text(encoding="utf-8")
    fields: dict[str, str] = {}
    params: list[str] = []
    key = ""
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        matched = cast("re.Match[str]", _HEADER.match(line))
        key, new = matched[1] or key, bool(matched[1])
        if key == "param":
            params[len(params) if new else -1 :] = [
                matched[2] if new else f"{params[-1]} {matched[2].strip()}"
            ]
        else:
            fields[key] = matched[2] if new else f"{fields[key]} {matched[2].strip()}"
    missing = [key for key in _REQUIRED if key not in fields]
    if missing:
        raise ValueError(f"{path.name} has no line -- {missing[0]}: …")
    if fields["group"].strip() not in GROUPS:
        raise ValueError(f"{path.name} has no known group; the groups are {', '.join(GROUPS)}")
    known = {key: fields[key].strip() for key in _REQUIRED}
    compares = "compares" in fields
    found = Statistic(
        path.stem, params=tuple(map(_param, params)), sql=text, compares=compares, **known
    )
    declared = {param.name for param in found.params}
    if declared != set(_VARIABLE.findall(text)):
        raise ValueError(f"{path.name} declares {sorted(declared)} and reads other variables")
    return found


def _param(line: str) -> Param:
    matched = _PARAM.fullmatch(line.strip())
    if not matched:
        raise ValueError(f"a parameter is written `name type = default | sentence`, not {line!r}")
    name, kind, default, choices, doc = matched.groups()
    allowed = tuple((choices or "").replace(",", " ").split())
    bare = Param(name, kind, None, doc, allowed)
    value = None if default == "NULL" else bare.value(default.strip("'"))
    return Param(name, kind, value, doc, allowed)


def run(
    lake: Lake, name: str, params: Mapping[str, Any] | None = None, *, only: Filter = EVERYTHING
) -> Answer:
    """Run a statistic on a lake and return its answer.

    ``params`` are values for its parameters (the others keep their defaults). ``only`` narrows
    every table to the games and seats that count; for a statistic that compares players, its
    ``player`` selects rows. Raises :class:`~paifu.errors.UsageError` for an unknown statistic,
    parameter or column.
    """
    chosen = statistic(name)
    given = _given(lake, chosen, params or {})
    only = only.stored(lake)
    picked = only.player if chosen.compares else None
    told = _what_filters_did(only) if chosen.compares else ()
    if chosen.compares:
        only = replace(only, player=None)
    connection = lake.connection.cursor()
    connection.execute(f"USE {CATALOG}")
    connection.begin()  # DuckLake then looks up the state of the lake once, not for each statement
    try:
        for param, value in given.items():
            connection.execute(f"SET VARIABLE {param} = ?", [value])
        left_out = _apply(connection, chosen, only)
        games = _numbers(connection, "count(*)")[0]
        table = _rows(connection, chosen, picked)
        defaults = {param.name: param.default for param in chosen.params}
        if games and not table.num_rows:
            told += _what_left_no_row(connection, chosen, picked, defaults | given)
    except duckdb.InterruptException:
        raise
    except DATABASE_ERRORS as error:
        if of_storage(error):
            raise lake.unreadable(error) from None
        raise LakeError(f"statistic {name}: {first_line(error)}") from None
    finally:
        connection.close()
    return Answer(chosen, defaults | given, table, left_out, games, told)


def _rows(connection: duckdb.DuckDBPyConnection, chosen: Statistic, picked: str | None) -> pa.Table:
    """Return the rows of a statistic, or only those of one player if ``picked`` names one."""
    table = connection.execute(chosen.sql).to_arrow_table()
    return table if picked is None else table.filter(pc.equal(table["player"], picked))


def _what_filters_did(only: Filter) -> tuple[str, ...]:
    """Return the effects of filters of seats on a statistic that compares players."""
    told = []
    if only.player is not None:
        told.append("filter player: only this player's rows, still compared with all players")
    if only.dan is not None:
        told.append(f"filter dan {only.dan}: seats of this rank are compared with each other only")
    return tuple(told)


def _what_left_no_row(
    connection: duckdb.DuckDBPyConnection,
    chosen: Statistic,
    picked: str | None,
    params: Mapping[str, Value],
) -> tuple[str, ...]:
    """Return which minimum (``min_games`` and others) leaves out every row."""
    told = []
    for param in chosen.params:
        value = params[param.name]
        if not (param.name.startswith("min_") and isinstance(value, int) and value > 1):
            continue
        connection.execute(f"SET VARIABLE {param.name} = 1")
        rows = _rows(connection, chosen, picked).num_rows
        connection.execute(f"SET VARIABLE {param.name} = ?", [value])
        if rows:
            told.append(
                f"{param.name} = {value} leaves every row out: --param {param.name}=1 shows {rows}"
            )
    return tuple(told)


def _apply(connection: duckdb.DuckDBPyConnection, chosen: Statistic, only: Filter) -> int:
    """Apply a filter, without games other than riichi; return how many of these it left out.

    Yaku, points and rounds of different games (riichi, Chinese Official, …) cannot be added up. So
    other games are left out if there are several kinds. They are not left out by statistics about
    the data, by a filter that names a rule set or a game, or if all games are of one kind.
    """
    query = f"{_GAMES} {chosen.sql}"
    only.apply(connection, query)
    names_it = only.ruleset is not None or _SAYS_WHAT_COUNTS.search(only.where or "")
    if chosen.group == "data quality" or names_it:
        return 0
    others, games = _numbers(connection, "count(game), count(*)")
    if not 0 < others < games:
        return 0
    replace(only, riichi=True).apply(connection, query)
    return others


def _numbers(connection: duckdb.DuckDBPyConnection, what: str) -> tuple[int, ...]:
    """Return counts of the games that the last filter lets through."""
    return connection.execute(f"SELECT {what} FROM {_GAMES}").fetchone() or ()


def _given(lake: Lake, chosen: Statistic, params: Mapping[str, Any]) -> dict[str, Value]:
    """Return the given values, with players' names as the lake stores them."""
    declared = {param.name: param for param in chosen.params}
    for name in params:
        if name not in declared:
            takes = ", ".join(declared) or "none"
            raise UsageError(
                f"statistic {chosen.name} has no parameter {name!r}; its parameters: {takes}"
            )
    values = {name: declared[name].value(value) for name, value in params.items()}
    for name, value in values.items():
        if declared[name].type == "ruleset":
            check_computed(lake, str(value))
    return {
        name: lake.stored_name(str(value)) if declared[name].type == "player" else value
        for name, value in values.items()
    }
