"""``paifu export``: write games or tables of a lake as files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from paifu.cli.options import (
    FilterOptions,
    FormatParameter,
    JsonOption,
    LakeOption,
    OutPath,
    RawOption,
    check_raw,
)
from paifu.cli.output import print_json, progress_bar, say
from paifu.errors import UsageError
from paifu.messages import counted


def export(
    *,
    lake: LakeOption,
    format: Annotated[Literal["parquet", "csv", "mjai", "tenhou-json"], FormatParameter],
    out: OutPath,
    game: Annotated[list[str] | None, Parameter(name="--game", allow_leading_hyphen=True)] = None,
    table: Annotated[list[str] | None, Parameter(name="--table")] = None,
    raw: RawOption = False,
    only: FilterOptions = None,
    json: JsonOption = False,
) -> None:
    """Write games as logs for review tools and training, or tables for other programs.

    mjai and tenhou-json write a file per game; parquet and csv a file per table.

    Example: paifu export --lake games.lake --format mjai --out games --room houou

    Parameters
    ----------
    format
        What to write: logs or tables.
    out
        Folder to write into; it is made if necessary, and files of the same name are replaced.
    game
        Only this game: its game_id, or the platform's own id; may be given several times.
    table
        Only this table or view (parquet and csv); may be given several times.
    """
    from paifu.export.files import LOG_FORMATS, games_of, write_games, write_tables
    from paifu.lake.lake import Lake
    from paifu.query.adhoc_sql import shut_in
    from paifu.query.filters import Filter, unmatched

    logs = format in LOG_FORMATS
    if game and not logs:
        raise UsageError("--game goes with --format mjai or tenhou-json; for tables use --where")
    if table and logs:
        raise UsageError("--table goes with --format parquet or csv")
    check_raw(raw, format == "csv")
    chosen = Filter.of(only)
    with Lake.open(lake) as opened, progress_bar(bytes=False) as progress:
        shut_in(opened, out)
        files: Iterator[Path]
        total = None
        left_out: dict[str, int] = {}
        if logs:
            games = games_of(opened, chosen, game or [], format)
            left_out = games.left_out
            files, total = write_games(opened, games.ids, format, out), len(games.ids)
        else:
            files = write_tables(opened, chosen, table or [], format, out, raw=raw)
        written = [str(file) for file in progress.track(files, total=total, description="writing")]
        absent = unmatched(opened, only) if only and not written else []
    if json:
        result = {"format": format, "out": str(out), "files": len(written)}
        print_json(result | ({"left_out": sum(left_out.values())} if logs else {}))
    else:
        say(f"{counted(len(written), 'file')} written to {out}")
    for why, count in left_out.items():
        say(f"{counted(count, 'game')} left out: {why}")
    for line in absent:
        say(line)
