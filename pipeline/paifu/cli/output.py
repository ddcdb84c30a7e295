"""How commands print: results on standard output, progress and messages on standard error."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from paifu.errors import UsageError
from paifu.host.terminal import printable, spreadsheet_text
from paifu.messages import counted

if TYPE_CHECKING:
    import pyarrow as pa

_ID_SUFFIXES = ("_id", "_key", "_hash")
_EXACT = 1 << 53
_PAGE = 80
_ANY_WIDTH = 1_000_000
_GAP = 2
"""Blanks between two columns."""
_HEADER = 9
"""Length of a line of a broken header, if its words are short enough."""
_FURTHER_IN = 4
"""Extra indentation of the rest of a broken line."""
_ON_THEIR_SIDE = 2
"""So many rows, if too wide, are printed as one line per column instead of in parts."""


_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def quietly() -> Iterator[None]:
    """A context without messages and progress; results and errors are still printed."""
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


def is_quiet() -> bool:
    """Return whether messages are not printed at the moment."""
    return _quiet.get()


def say(message: str) -> None:
    """Print a message of one line for the user on standard error, unless in quiet mode."""
    if not is_quiet():
        complain(message)


def complain(message: str) -> None:
    """Print a message that the user must see even in quiet mode."""
    print(printable(message), file=sys.stderr)


def say_rest(shown: int, more: str, total: int | None = None) -> None:
    """Say that only the first rows were printed, of how many if known, and how to see more.

    Print nothing if all rows were printed.
    """
    if total is not None and total <= shown:
        return
    of = "" if total is None else f" of {total:,}"
    say(f"the first {counted(shown, 'row')}{of}; {more}")


def print_lines(text: str) -> None:
    """Print lines on standard output, broken between words if a terminal is too narrow.

    The rest of a broken line is indented. A file or another program gets unbroken lines.
    """
    console = Console(file=sys.stdout)
    for line in text.split("\n"):
        if not console.is_terminal or cell_len(line) <= console.width:
            print(line)
            continue
        margin = " " * (len(line) - len(line.lstrip()) + _FURTHER_IN)
        first, *_ = Text(line).wrap(console, console.width)
        rest = Text(line[len(first.plain) :].lstrip())
        print(first.plain.rstrip())
        for part in rest.wrap(console, max(console.width - len(margin), _HEADER)):
            print(margin + part.plain.rstrip())


def json_value(name: str, value: Any) -> Any:
    """Return a value for JSON: ids become strings, because they do not fit a double.

    >>> json_value("game_id", 7), json_value("n", 7), json_value("n", 2**60)
    ('7', 7, '1152921504606846976')
    """
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and (name.endswith(_ID_SUFFIXES) or abs(value) > _EXACT):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    return value


def print_json(result: Any) -> None:
    """Print one JSON value on standard output."""
    sys.stdout.write(orjson.dumps(result, default=str).decode() + "\n")
    sys.stdout.flush()


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str | None = None
) -> None:
    """Print rows as a table on standard output; numbers are right-aligned."""
    kept = [list(row) for row in rows]
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
    for index, column in enumerate(columns):
        numeric = all(isinstance(row[index], int | float | None) for row in kept)
        table.add_column(printable(column), justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        table.add_row(*(printable(cell(value)) for value in row))
    console = Console(file=sys.stdout)
    if not _has_width(console):
        wide = Console(file=sys.stdout, width=_ANY_WIDTH)
        console = Console(file=sys.stdout, width=max(200, wide.measure(table).maximum))
    console.print(table, markup=False)


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows folded to the width of the terminal, or as one table if there is no width.

    The width is that of the terminal, or ``COLUMNS``. A file or another program has no width and
    gets every row on one line.
    """
    if _has_width(Console(file=sys.stdout)):
        print_folded(columns, rows, keys=1)
    else:
        print_table(columns, rows)


def _has_width(console: Console) -> bool:
    """Return whether lines have a limited width: that of a terminal, or ``COLUMNS``."""
    return console.is_terminal or os.environ.get("COLUMNS", "").strip("0").isdecimal()


def print_folded(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, keys: int) -> None:
    """Print rows no wider than the terminal or ``COLUMNS``, or 80 columns if there is neither.

    If rows do not fit, one or two rows are printed as one line per column. More rows are printed in
    parts below each other, each part with the first ``keys`` columns, which name the row.
    """
    console = Console(file=sys.stdout)
    if not _has_width(console):
        console = Console(file=sys.stdout, width=_PAGE)
    places = [_places(column) for column in zip(*rows, strict=True)]
    texts = [[printable(cell(v, p)) for v, p in zip(row, places, strict=True)] for row in rows]
    headers = [_header(printable(name)) for name in columns]
    widths = [
        _GAP + max(map(cell_len, [*header.split("\n"), *(text[at] for text in texts)]))
        for at, header in enumerate(headers)
    ]
    if sum(widths) > console.width and 0 < len(rows) <= _ON_THEIR_SIDE:
        lines = [[printable(c), *values] for c, *values in zip(columns, *texts, strict=True)]
        names = min(max(cell_len(c) for c, *_ in lines), console.width // 2 - _GAP)
        each = (console.width - names) // len(rows) - _GAP
        heads, left = [""] * len(lines[0]), [False] * len(lines[0])
        _print(console, heads, lines, left, [names, *[max(each, 1)] * len(rows)])
        return
    numeric = [
        all(isinstance(row[at], int | float | None) for row in rows) for at in range(len(columns))
    ]
    for part in _parts(widths, keys, console.width):
        _print(
            console,
            [headers[at] for at in part],
            [[text[at] for at in part] for text in texts],
            [numeric[at] for at in part],
        )
        if part[-1] != len(columns) - 1:
            console.print()


def _header(name: str) -> str:
    """Return a column's name; a long name is broken at underscores and blanks.

    >>> _header("_n"), _header("average_in_wall"), _header("max(points - 25000)")
    ('_n', 'average\\nin_wall', 'max(points\\n- 25000)')
    """
    lines = [""]
    for part in _PART.findall(name):
        if cell_len(lines[-1] + part) > _HEADER and lines[-1]:
            lines.append(part[1:])
        else:
            lines[-1] += part
    return "\n".join(lines)


_PART = re.compile("^[^_ ]+|[_ ][^_ ]*")
"""The pieces of a long name: its first word, then each word with the separator before it."""


def _parts(widths: Sequence[int], keys: int, width: int) -> list[list[int]]:
    """Return the columns of each part: the keys, and as many others as fit, at least one."""
    first = list(range(keys))
    parts = [list(first)]
    for at in range(keys, len(widths)):
        if len(parts[-1]) > keys and sum(widths[c] for c in parts[-1]) + widths[at] > width:
            parts.append(list(first))
        parts[-1].append(at)
    return parts


def _print(
    console: Console,
    headers: Sequence[str],
    texts: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    widest: Sequence[int | None] = (),
) -> None:
    """Print one table of texts; columns of numbers are right-aligned, ``widest`` limits widths."""
    table = Table(
        show_edge=False,
        pad_edge=False,
        show_header=any(headers),
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    widths = widest or [None] * len(headers)
    for header, right, width in zip(headers, numeric, widths, strict=True):
        justify: Literal["right", "left"] = "right" if right else "left"
        table.add_column(header, justify=justify, overflow="fold", max_width=width)
    for text in texts:
        table.add_row(*text)
    console.print(table, markup=False)


def print_options(title: str, options: Iterable[tuple[str, str, str, str, str]]) -> None:
    """Print options as a file would set them, each with its description below, on a page's width.

    An option has its name, value, other values, the tags of its sources, and a sentence.
    """
    print(f"\n{title}")
    for name, value, others, source, doc in options:
        facts = (f"{name} = {value}", others and f"or {others}", source and f"[{source}]")
        print(_paragraph("   ".join(filter(None, facts)), "  "))
        print(_paragraph(doc, "      "))


def _paragraph(text: str, margin: str) -> str:
    """Return text in lines no wider than a page; a Chinese character is two columns wide."""
    lines = Text(text).wrap(Console(), _PAGE - len(margin))
    return "\n".join(margin + line.plain.rstrip() for line in lines)


def _places(values: Iterable[Any]) -> int | None:
    """Return the decimal places for a column of numbers, by its largest; None without fractions.

    >>> _places([0.21, 1.0]), _places([2.49, None]), _places([9.57, 10.4]), _places([5_647.3])
    (4, 3, 2, 1)
    """
    largest = max((abs(value) for value in values if isinstance(value, float)), default=None)
    if largest is None:
        return None
    return 4 if largest <= 1 else 3 if largest < 10 else 2 if largest < 100 else 1


def cell(value: Any, places: int | None = None) -> str:
    """Return the text of a value in a table, with these decimal places, or as many as it needs.

    >>> cell(0.21097), cell(5_647.3), cell(None), cell(["a", "b"]), cell(0.21097, 3), cell(b"\\n")
    ('0.2110', '5647.3', '', 'a b', '0.211', '0a')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        if places is None:
            places = 4 if abs(value) < 10 else 1
        return f"{value:.{places}f}"
    if isinstance(value, list):
        return " ".join(map(cell, value))
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, raw: bool = False) -> None:
    """Print rows as CSV on standard output; unless ``raw``, text is made safe for spreadsheets."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = [cell(value) if isinstance(value, list | bytes) else value for value in row]
        if not raw:
            values = [spreadsheet_text(v) if isinstance(v, str) else v for v in values]
        writer.writerow(values)


def write_parquet(
    parts: Iterable[pa.Table | pa.RecordBatch], schema: pa.Schema, path: Path
) -> None:
    """Write a result to a Parquet file, part by part, and say how many rows it has.

    Raises :class:`~paifu.errors.UsageError` for a column of a type that Parquet does not have.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    try:
        pq.ParquetWriter(io.BytesIO(), schema).close()
    except pa.ArrowNotImplementedError as error:
        raise UsageError(f"Parquet cannot hold a column: {error}; cast it to text") from None
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for part in parts:
            writer.write(part)
            rows += part.num_rows
    say(f"{counted(rows, 'row')} in {path}")


def progress_bar(*, bytes: bool = True) -> Progress:
    """Return a progress bar on standard error; it prints nothing if that is not a terminal.

    It counts bytes, or else the unit of the task.
    """
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True) if bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        disable=is_quiet() or not sys.stderr.isatty(),
        transient=True,
    )
