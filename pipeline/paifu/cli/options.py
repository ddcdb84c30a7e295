"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter, Token, convert

from paifu.errors import UsageError
from paifu.query.filter_options import Conditions, GameConditions

LakeOption = Annotated[
    str,
    Parameter(
        name="--lake",
        env_var="PAIFU_LAKE",
        help=(
            "Folder of the lake; or a TOML file with its catalog and data (docs/scale.md); or a "
            "DuckLake URL such as ducklake:postgres:dbname=games (its data path, when it is made, "
            "from PAIFU_DATA_PATH)."
        ),
    ),
]

JsonOption = Annotated[
    bool, Parameter(name="--json", help="Print one machine-readable result on standard output.")
]

LangOption = Annotated[
    str | None,
    Parameter(
        name="--lang", help="Language of the result, such as en or ja; by default the locale's."
    ),
]

CsvOption = Annotated[bool, Parameter(name="--csv", help="Print CSV on standard output.")]
RawOption = Annotated[
    bool,
    Parameter(
        name="--raw",
        help="CSV for programs: text unchanged, even if a spreadsheet would take it for a formula.",
    ),
]

TABLE_ROWS = 100
"""How many rows of a table are printed by default."""
_LONGEST = timedelta(days=3650)
"""The longest time for which old files can be kept, also after a ``forget``."""
_MOST_ROWS = (1 << 63) - 1
"""DuckDB cannot count more rows."""

LimitOption = Annotated[
    int | None,
    Parameter(
        name="--limit",
        help=(
            f"Rows to give; without it {TABLE_ROWS} as a table, and all as --json, --csv and "
            "--parquet."
        ),
    ),
]


def check_limit(limit: int | None) -> None:
    """Raise :class:`~paifu.errors.UsageError` for a ``--limit`` that is not a number of rows."""
    if limit is not None and not 0 <= limit <= _MOST_ROWS:
        most = f", at most {_MOST_ROWS:,}" if limit > 0 else ""
        raise UsageError(f"--limit is a number of rows, 0 or more{most}")


KeepOption = Annotated[
    timedelta | None,
    Parameter(
        name="--keep",
        help=(
            "How long old files are kept for programs that read them, such as 90s, 30m, 2h or 1d. "
            "The lake remembers it; an hour if it was never set."
        ),
    ),
]

NowOption = Annotated[
    bool,
    Parameter(
        name="--now",
        help=(
            "Keep no old files: wait until no other paifu reads the lake, and fail if that takes "
            "long. It does not wait for programs other than paifu."
        ),
    ),
]


def check_keep(keep: timedelta | None, now: bool) -> None:
    """Raise :class:`~paifu.errors.UsageError` if the options do not say how long files stay."""
    if keep is not None and now:
        raise UsageError("choose one of --keep and --now")
    if keep is not None and not timedelta(0) <= keep <= _LONGEST:
        raise UsageError(f"--keep is a time from 0s to {_LONGEST.days}d")


_CONDITIONS = Parameter(name="*", group=Group("Which games count", sort_key=9))

FilterOptions = Annotated[Conditions | None, _CONDITIONS]
"""Which games and seats a statistic counts; each condition is an option."""

GameFilterOptions = Annotated[GameConditions | None, _CONDITIONS]
"""Which games count, with all their seats; each condition is an option."""


def _hyphenated(type_: Any, tokens: Sequence[Token]) -> Any:
    """Return the name of a format, also if written with an underscore as in column ``format``."""
    (token,) = tokens
    return convert(type_, (token.evolve(value=token.value.replace("_", "-")),))


FormatParameter = Parameter(name="--format", converter=_hyphenated)
"""An option for names of formats, with hyphens or with underscores as in the lake's tables."""


def _file_here(type_: Any, tokens: Sequence[Token]) -> Any:
    """Return the path of a file or folder to write, which is no address of a store."""
    (token,) = tokens
    if "://" in token.value:
        raise UsageError(
            f"{token.value} is not on this machine: write a file here, and copy it there"
        )
    return convert(type_, (token,))


OutPath = Annotated[Path, Parameter(converter=_file_here)]
"""A file or folder that a command writes on this machine."""


def check_raw(raw: bool, csv: bool) -> None:
    """Raise :class:`~paifu.errors.UsageError` if ``--raw`` is given without CSV."""
    if raw and not csv:
        raise UsageError("--raw goes with CSV")
