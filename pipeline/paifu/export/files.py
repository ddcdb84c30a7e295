"""Writes the games or tables of a lake that a filter selects, one file per game or table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from paifu.errors import LakeError, UsageError
from paifu.export.from_tables import TABLES as PLAYED
from paifu.export.from_tables import Row, batch_of
from paifu.lake.connection import CATALOG, quoted
from paifu.lake.failures import first_line
from paifu.lake.layout import view_statements
from paifu.messages import did_you_mean
from paifu.schema.tables import TABLES

if TYPE_CHECKING:
    from paifu.lake.lake import Lake
    from paifu.query.filters import Filter

LOG_FORMATS = {"mjai": "mjai_writer", "tenhou-json": "tenhou_json_writer"}
"""Log formats that can be written, each with the module of this package that writes it."""
TABLE_FORMATS = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER true",
}
FORMATS = (*LOG_FORMATS, *TABLE_FORMATS)
_BY_SEAT = frozenset({"tenhou-json"})
"""Log formats with a list per seat, where the order of play follows only from the rules."""

_WITHOUT_PLAY = {
    "result": "only the result is known, from a list or score sheet",
    "rounds": "only the rounds are known, from a score sheet",
    "sheet": "a win of a win sheet, not a game",
    "no acts": "ingested without its acts (--no-actions)",
    "not riichi": "not riichi: these formats write only riichi",
    "hidden tiles": "flagged hidden_tiles: the format has no tile that was not shown",
    "out of turn": "flagged out_of_turn: lists of each seat's draws and discards cannot tell it",
}
"""Why a game cannot be written, by its ``detail`` or by another fault."""
_AT_ONCE = 200
"""Games in memory at a time."""
_FORMULA = r"^\s*[=+@-]"
"""The beginning of text that a spreadsheet takes for a formula."""
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Games to write, and how many of the chosen games cannot be written, by reason."""

    ids: list[int]
    left_out: dict[str, int]


def games_of(lake: Lake, chosen: Filter, names: Sequence[str], format: str) -> Chosen:
    """Return the ids of the chosen games that the log format can hold, the oldest first.

    ``names`` are ids, ours or the platform's; without names, all games that the filter selects.
    Raises :class:`UsageError` for a name that is not among them, or if no chosen game has play, and
    :class:`LakeError` if the lake keeps no acts.
    """
    connection = lake.connection
    chosen.stored(lake).apply(connection)
    found = connection.execute(
        f"""SELECT game_id, log_id, CASE WHEN detail <> 'play' THEN detail
            WHEN game IS NOT NULL THEN 'not riichi'
            WHEN game_id NOT IN (SELECT DISTINCT game_id FROM {CATALOG}.actions) THEN 'no acts'
            WHEN $by_seat AND list_contains(flags, 'hidden_tiles') THEN 'hidden tiles'
            WHEN $by_seat AND list_contains(flags, 'out_of_turn') THEN 'out of turn' END
        FROM games ORDER BY played_at NULLS LAST, log_id, game_id""",
        {"by_seat": format in _BY_SEAT},
    ).fetchall()
    if names:
        wanted = set(names)
        found = [row for row in found if str(row[0]) in wanted or row[1] in wanted]
        missing = wanted - {str(row[0]) for row in found} - {row[1] for row in found}
        if missing:
            raise UsageError(f"there is no game {min(missing)!r} among those chosen")
    without_play = Counter(detail for _, _, detail in found if detail)
    ids = [game_id for game_id, _, detail in found if not detail]
    if without_play["no acts"] and not ids:
        raise LakeError(
            "the lake keeps no acts of these games (ingest --no-actions): they cannot be written"
        )
    left_out = {_WITHOUT_PLAY[detail]: n for detail, n in without_play.items()}
    if names and not ids:
        raise UsageError(f"nothing can be written of {names[0]}: {next(iter(left_out))}")
    return Chosen(ids, left_out)


def write_games(lake: Lake, ids: Sequence[int], format: str, out: Path) -> Iterator[Path]:
    """Write games into the folder, a file each, and yield each file once it is written."""
    writer = import_module(f"paifu.export.{LOG_FORMATS[format]}")
    out.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(ids), _AT_ONCE):
        batch = batch_of(rows_of(lake, ids[first : first + _AT_ONCE]))
        for at, info in enumerate(batch.games):
            name = _UNSAFE.sub("_", info.log_id or "")[:120] or f"game{ids[first + at]}"
            file = out / f"{name}{writer.SUFFIX}"
            file.write_bytes(writer.log_text(batch, at))
            yield file


def rows_of(lake: Lake, ids: Sequence[int]) -> dict[str, Sequence[Row]]:
    """Return all rows of some games; a filter of seats does not apply here."""
    connection = lake.connection
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE exported AS SELECT unnest(?::BIGINT[]) AS game_id, "
        "generate_subscripts(?::BIGINT[], 1) AS place",
        [list(ids), list(ids)],
    )
    rows: dict[str, Sequence[Row]] = {}
    for name in PLAYED:
        query = f"SELECT t.* FROM {CATALOG}.{name} AS t JOIN exported USING (game_id)"
        order = " ORDER BY place" if name == "games" else ""
        table = connection.execute(query + order).to_arrow_table()
        rows[name] = cast("list[dict[str, Any]]", table.to_pylist())
    return rows


def write_tables(
    lake: Lake, chosen: Filter, tables: Sequence[str], format: str, out: Path, *, raw: bool = False
) -> Iterator[Path]:
    """Write tables or views into the folder, a file each, and yield each once it is written.

    Unless ``raw``, text in CSV is made safe for spreadsheets, as by
    :func:`paifu.host.terminal.spreadsheet_text`.
    """
    views = list(view_statements())
    for name in tables:
        if name not in TABLES and name not in views:
            hint = did_you_mean(name, [*TABLES, *views], 'paifu sql "SHOW TABLES" lists them')
            raise UsageError(f"there is no table {name!r}: {hint}")
    chosen.stored(lake).apply(lake.connection)
    out.mkdir(parents=True, exist_ok=True)
    for name in tables or [name for name, table in TABLES.items() if table.columns]:
        file = out / f"{name}.{format}"
        query = _query(lake, name, safe=format == "csv" and not raw)
        try:
            lake.connection.execute(
                f"COPY ({query}) TO {quoted(str(file))} ({TABLE_FORMATS[format]})"
            )
        except duckdb.IOException as error:
            if str(file) in str(error):
                raise UsageError(f"cannot write {file}: {first_line(error)}") from None
            raise lake.unreadable(error) from None
        yield file


def _query(lake: Lake, name: str, *, safe: bool) -> str:
    """Return the query for a table's rows; with ``safe``, texts are made safe for a spreadsheet."""
    if not safe:
        return f"SELECT * FROM {name}"
    relation = lake.connection.table(name)
    texts = [
        column
        for column, kind in zip(relation.columns, relation.types, strict=True)
        if str(kind) == "VARCHAR"
    ]
    shown = ", ".join(
        f"CASE WHEN regexp_matches(\"{column}\", '{_FORMULA}') THEN '''' ELSE '' END || "
        f"regexp_replace(\"{column}\", '[[:cntrl:]]', ' ', 'g') AS \"{column}\""
        for column in texts
    )
    return f"SELECT * REPLACE ({shown}) FROM {name}" if texts else f"SELECT * FROM {name}"
