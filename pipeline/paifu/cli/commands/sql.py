"""``paifu sql``: query the lake in SQL."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from paifu.cli.options import (
    TABLE_ROWS,
    CsvOption,
    JsonOption,
    LakeOption,
    LimitOption,
    OutPath,
    RawOption,
    check_limit,
    check_raw,
)
from paifu.cli.output import json_value, print_csv, print_rows, say, say_rest, write_parquet
from paifu.errors import UsageError
from paifu.host.terminal import is_utf8

if TYPE_CHECKING:
    import duckdb

QueryArgument = Annotated[str, Parameter(allow_leading_hyphen=True)]  # "-", or a comment first

_CHUNK = 10_000


def sql(
    query: QueryArgument,
    /,
    *,
    lake: LakeOption,
    json: JsonOption = False,
    csv: CsvOption = False,
    raw: RawOption = False,
    parquet: OutPath | None = None,
    limit: LimitOption = None,
    timeout: float = 60.0,
    memory: str = "2GB",
    threads: int | None = None,
) -> None:
    """Query the lake in SQL (one SELECT, read-only).

    SHOW TABLES lists the tables and views, DESCRIBE games the columns of a table. A query cannot
    write anything, and cannot read files outside the lake.

    Example: paifu sql "SELECT outcome, count(*) FROM rounds GROUP BY 1" --lake games.lake

    Parameters
    ----------
    query
        One SELECT; - reads it from standard input.
    parquet
        Write the result to this Parquet file.
    timeout
        Seconds after which the query is stopped.
    memory
        Memory that the query may use.
    threads
        Threads that the query may use.
    """
    if json + csv + (parquet is not None) > 1:
        raise UsageError("choose one of --json, --csv and --parquet")
    check_raw(raw, csv)
    check_limit(limit)
    if not timeout > 0:
        raise UsageError("--timeout is a number of seconds, more than 0")
    import duckdb

    from paifu.errors import LakeError
    from paifu.lake.failures import DATABASE_ERRORS, first_line, of_storage
    from paifu.lake.lake import Lake
    from paifu.query.adhoc_sql import Limits, ask, lock, memory_limit, time_limit

    try:
        text = sys.stdin.read() if query == "-" else query
    except UnicodeDecodeError as error:
        raise UsageError(f"the query on standard input is not UTF-8 text: {error}") from None
    if not is_utf8(text):  # Python reads it like this in the C locale
        raise UsageError("the query on standard input is not UTF-8 text")
    with Lake.open(lake) as opened:
        lock(opened, Limits(memory, threads))
        try:
            with time_limit(opened.connection, timeout, _give_up), memory_limit(opened):
                result = ask(opened, text)
                if limit is not None and (json or csv or parquet):
                    result = result.limit(limit)
                if parquet:
                    reader = result.to_arrow_reader(_CHUNK * 10)
                    write_parquet(reader, reader.schema, parquet)
                elif json:
                    _print_json(result)
                elif csv:
                    print_csv(result.columns, _rows(result), raw=raw)
                else:
                    _print(result, TABLE_ROWS if limit is None else limit)
        except (duckdb.OutOfMemoryException, MemoryError):
            raise LakeError(f"the query needs more than --memory {memory}") from None
        except DATABASE_ERRORS as error:
            if of_storage(error):
                raise
            raise UsageError(first_line(error)) from None


def _give_up(message: str) -> None:
    """Exit in the middle of a query that cannot be stopped; none of its result is kept."""
    say(f"paifu: {message}")
    os._exit(3)


def _rows(result: duckdb.DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
    while rows := result.fetchmany(_CHUNK):
        yield from rows


def _print(result: duckdb.DuckDBPyRelation, limit: int) -> None:
    rows = result.fetchmany(limit + 1)
    print_rows(result.columns, rows[:limit])
    if not rows:
        say("no rows")
    if len(rows) > limit:
        say_rest(limit, "--limit shows more")


def _print_json(result: duckdb.DuckDBPyRelation) -> None:
    import orjson

    columns = result.columns
    kinds = [
        {"name": name, "type": str(kind)} for name, kind in zip(columns, result.types, strict=True)
    ]
    out = sys.stdout
    out.write('{"columns":' + orjson.dumps(kinds).decode() + ',"rows":[')
    count = 0
    for row in _rows(result):
        values = {name: json_value(name, v) for name, v in zip(columns, row, strict=True)}
        out.write(
            ("," if count else "")
            + "\n"
            + orjson.dumps(values, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
        )
        count += 1
    out.write(f'\n],"row_count":{count}}}\n')
    out.flush()
