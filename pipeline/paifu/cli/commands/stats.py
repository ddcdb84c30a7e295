"""``paifu stats``: run a named statistic, or list them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.options import (
    TABLE_ROWS,
    CsvOption,
    FilterOptions,
    JsonOption,
    LimitOption,
    OutPath,
    RawOption,
    check_limit,
    check_raw,
)
from paifu.cli.output import (
    json_value,
    print_csv,
    print_folded,
    print_json,
    say,
    say_rest,
    write_parquet,
)
from paifu.errors import UsageError
from paifu.messages import counted

_WIDTH = 80
"""Width of the list of statistics, in columns."""
_COUNTS = {"n", "wins", "rounds", "busts", "found", "deal_ins", "deal_in_rounds"}

if TYPE_CHECKING:
    from paifu.lake.lake import Lake
    from paifu.query.filter_options import Conditions
    from paifu.query.statistics import Answer, Param, Statistic


def stats(
    name: str | None = None,
    /,
    *,
    lake: Annotated[
        str | None,
        Parameter(name="--lake", env_var="PAIFU_LAKE", help="Folder of the lake, or its URL."),
    ] = None,
    param: Annotated[list[str] | None, Parameter(name="--param")] = None,
    only: FilterOptions = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    raw: RawOption = False,
    parquet: OutPath | None = None,
    limit: LimitOption = None,
) -> None:
    """Run a named statistic, or list them.

    Each is a file of plain SQL that any DuckDB client can run; every rate has its n beside it.

    Example: paifu stats placement --lake games.lake --param min_games=100 --where "room = 'houou'"

    Parameters
    ----------
    name
        The statistic; without it, all are listed with what they answer.
    param
        A parameter as key=value; may be given several times.
    parquet
        Write the result to this Parquet file.
    """
    if json + csv + (parquet is not None) > 1:
        raise UsageError("choose one of --json, --csv and --parquet")
    check_raw(raw, csv)
    check_limit(limit)
    if name is None:
        _list(json)
        return
    from paifu.lake.lake import Lake
    from paifu.query.adhoc_sql import shut_in
    from paifu.query.filters import Filter
    from paifu.query.statistics import run, statistic

    statistic(name)
    if lake is None:
        raise UsageError("name the lake: --lake, or PAIFU_LAKE in the environment")
    with Lake.open(lake) as opened:
        shut_in(opened)
        given = dict(map(_pair, param or ()))
        answer = run(opened, name, given, only=Filter.of(only))
        absent = [] if answer.table.num_rows else _absent(opened, answer, given, only)
    shown = answer if limit is None else answer.first(limit)
    if parquet:
        write_parquet([shown.table], shown.table.schema, parquet)
    elif json:
        _print_json(shown)
    elif csv:
        print_csv(shown.columns, shown.rows, raw=raw)
    else:
        print_answer(answer, TABLE_ROWS if limit is None else limit)
    for line in (*answer.told, *absent):
        say(line)


def _absent(
    lake: Lake, answer: Answer, given: dict[str, str], only: Conditions | None
) -> list[str]:
    """Return which of the given names the lake does not have, as the reason for having no rows."""
    from paifu.query.filters import nobody_named, unmatched

    of_players = [p.name for p in answer.statistic.params if p.type == "player" and p.name in given]
    lines = [nobody_named(lake, given[name]) for name in of_players]
    return [line for line in lines if line] + (unmatched(lake, only) if only else [])


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--param takes key=value, not {text!r}")
    return key.strip(), value


def _list(json: bool) -> None:
    from paifu.query.statistics import statistics

    found = statistics().values()
    if json:
        print_json(
            [
                {
                    "name": s.name,
                    "title": s.title,
                    "group": s.group,
                    "answers": s.answers,
                    "numerator": s.numerator,
                    "denominator": s.denominator,
                    "params": [
                        {"name": p.name, "type": p.type, "default": p.default, "doc": p.doc}
                        for p in s.params
                    ],
                    "source": s.source,
                    "example": s.example,
                }
                for s in found
            ]
        )
        return
    print(_contents(list(found)))


def _contents(found: list[Statistic]) -> str:
    """Return the list of statistics by subject: what each answers, and its parameters."""
    from paifu.query.statistics import GROUPS

    margin = 2 + max(len(s.name) for s in found) + 2
    lines = []
    for group in GROUPS:
        lines += ["", group.capitalize()]
        for s in (s for s in found if s.group == group):
            told = textwrap.wrap(s.answers, _WIDTH - margin)
            if s.params:
                takes = ", ".join(map(_taken, s.params))
                told += textwrap.wrap(f"--param {takes}", _WIDTH - margin)
            lines += [f"  {s.name}".ljust(margin) + told[0], *(" " * margin + t for t in told[1:])]
    return "\n".join(lines[1:])


def _taken(param: Param) -> str:
    """Return a parameter with its default, or with the values it takes if it has no default."""
    if param.default is None:
        return f"{param.name}={'|'.join(param.choices) or '…'}"
    return f"{param.name}={_text(param.default)}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _keys(columns: list[str]) -> int:
    """Return how many columns come before the first count: these columns name the row."""
    for at, name in enumerate(columns):
        if name in _COUNTS or name.startswith("n_"):
            return at
    return 1


def _print_json(answer: Answer) -> None:
    columns = answer.columns
    print_json(
        {
            "name": answer.statistic.name,
            "title": answer.statistic.title,
            "params": answer.params,
            "columns": columns,
            "told": list(answer.told),
            "rows": [
                {name: json_value(name, value) for name, value in zip(columns, row, strict=True)}
                for row in answer.rows
            ],
        }
    )


def print_answer(answer: Answer, limit: int, *, command: str = "") -> None:
    """Print a statistic with its definition and first rows; say so if there are none or more.

    ``command`` is the command that shows more rows, if it is not the user's own command.
    """
    chosen = answer.statistic
    definition = f"{chosen.title}: {chosen.numerator} / {chosen.denominator}"
    for line in textwrap.wrap(definition, _WIDTH):
        say(line)
    set_ = {name: value for name, value in answer.params.items() if value is not None}
    if set_:
        say(", ".join(f"{name} = {_text(value)}" for name, value in set_.items()))
    if answer.left_out:
        left_out = counted(answer.left_out, "game")
        say(f"{left_out} other than riichi not counted: --ruleset mcr counts those of mcr")
    if answer.table.num_rows:
        total = answer.table.num_rows
        print_folded(answer.columns, answer.first(limit).rows, keys=_keys(answer.columns))
        say_rest(limit, f"{command}--limit {total} shows all", total)
    elif answer.games:
        met = counted(answer.games, "game")
        or_left_out = "" if answer.told else ", or a --param leaves it out"
        say(f"no rows: of {met} nothing is counted here{or_left_out}")
    else:
        say("no rows: no game of the lake meets the conditions")
