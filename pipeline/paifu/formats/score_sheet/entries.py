"""Rows of a score sheet as entries: cells by column, with what an empty cell carries on.

Every fault is noted with its row and column, so that a person is told all of them at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from paifu.errors import LogError
from paifu.formats.score_sheet.cells import MOST_LETTERS, Row
from paifu.formats.score_sheet.columns import (
    CARRIED,
    COLUMNS,
    SEATS,
    WIN_COLUMNS,
    WIN_TITLES,
    first_seat,
    is_header,
    key_of,
)
from paifu.formats.score_sheet.dates import read_date, style_of
from paifu.messages import did_you_mean

PEOPLE = tuple(f"player_{seat}" for seat in range(SEATS))
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_DECIMAL = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,3})?")
MOST_POINTS = 10_000_000
"""Points that a person may have, get or pay; the sums of a round fit in 32 bits."""
_TITLES = {column.key: column.titles[0] for column in COLUMNS} | {
    key: titles[0] for key, titles in WIN_TITLES.items()
}
_BEFORE_HEADER = 200
_ROW_NUMBER = re.compile(r"\d+")
_MOST_MERGED = 5
"""How many merged ranges are told; all others are counted."""


@dataclass(slots=True)
class Entry:
    """One row: its cells as text by column; carried cells are filled in."""

    row: int
    cells: dict[str, str]
    faults: list[str] = field(default_factory=list)
    """What is wrong in it, with row and column."""
    refused: set[str] = field(default_factory=set)
    """The columns whose cells are not empty, but were not read."""
    at: datetime | None = None
    has_time: bool = False
    own_game: bool = False
    """Its number of the game stands in this row."""

    def fault(self, column: str, reason: str) -> None:
        """Note what is wrong in a column; a cell that is refused is not also told to be empty."""
        where = f"row {self.row}, {title(column)}: "
        if reason.startswith("empty") and any(told.startswith(where) for told in self.faults):
            return
        self.faults.append(where + reason)

    def has(self, *columns: str) -> bool:
        """Return whether one of the cells is not empty."""
        return any(self.cells.get(column) for column in columns)

    def number(self, column: str) -> int | None:
        """Return a whole number; None if the cell is empty or wrong, which is noted."""
        text = self.cells.get(column, "")
        if not text:
            return None
        plain = plain_number(text)
        if not _NUMBER.fullmatch(plain):
            self.fault(column, f"{text[:40]!r} is not a whole number")
            return None
        if abs(int(plain)) > MOST_POINTS:
            self.fault(column, f"{text[:40]} is beyond {MOST_POINTS:,}")
            return None
        return int(plain)

    def decimal(self, column: str) -> float | None:
        """Return a number such as +45.3; None if the cell is empty or wrong, which is noted."""
        text = self.cells.get(column, "")
        if not text:
            return None
        plain = plain_number(text)
        if not _DECIMAL.fullmatch(plain):
            self.fault(column, f"{text[:40]!r} is not a number")
            return None
        return float(plain)


def title(column: str) -> str:
    """Return a column's English heading.

    >>> title("points_1"), title("win_tile"), title("rinshan")
    ('South points', 'winning tile', 'rinshan')
    """
    return _TITLES.get(column, column)


@lru_cache(maxsize=1 << 14)
def plain_number(text: str) -> str:
    """Return a number without what people write around it: ``▲1,200`` is ``-1200``.

    >>> plain_number("▲1,200"), plain_number("＋３２"), plain_number("−8"), plain_number("25 000")
    ('-1200', '+32', '-8', '25000')
    """
    plain = unicodedata.normalize("NFKC", text)
    for sign in "▲△−–ー":
        plain = plain.replace(sign, "-")
    plain = "".join(plain.split()).replace(",", "").replace("'", "")
    whole, point, rest = plain.partition(".")
    return whole if point and rest.strip("0") == "" else plain


def entries(rows: Iterable[Row], merged: Sequence[str] = ()) -> list[Entry] | None:
    """Return the entries of a sheet, or None if it has no header of a score sheet.

    Rows whose first cell begins with ``#``, empty rows and repeated headers are left out. Raises
    :class:`~paifu.errors.LogError` for a header with unknown or repeated columns, for ranges of
    ``merged`` cells that reach below a title, and for dates of two styles.
    """
    header: list[str | None] | None = None
    first_number = 0
    headings: list[str] = []
    found: list[Entry] = []
    for count, row in enumerate(rows):
        cells = row.cells
        if isinstance(cells, dict):
            if count == 0:
                if not is_header(list(cells)):
                    return None
                first_number = first_seat(cells)
            found.append(_json_entry(row.number, cells, first_number))
            header = []
            continue
        first = next((cell for cell in cells if cell), "")
        if not first or cells[0].startswith("#"):
            continue
        if header is None:
            if is_header(cells):
                _check_merged(row.number, merged)
                header, headings = _header(row.number, cells), cells
            elif count > _BEFORE_HEADER:
                return None
        elif cells != headings:
            found.append(_entry(row.number, header, cells))
    if header is None:
        return None
    _carry(found)
    _read_dates(found)
    return found


def _check_merged(header: int, merged: Sequence[str]) -> None:
    """Raise for merged cells in the header's row or below; a title above it may be merged."""
    below = [each for each in merged if int(_ROW_NUMBER.findall(each)[-1]) >= header]
    if below:
        more = len(below) - _MOST_MERGED
        told = ", ".join(below[:_MOST_MERGED]) + (f" and {more} more" if more > 0 else "")
        raise LogError(
            f"merged cells {told}: unmerge them (Home, Merge & Center), so that each row has its "
            "own cells",
            f"row {_ROW_NUMBER.findall(below[0])[0]}",
        )


def _header(row: int, cells: list[str]) -> list[str | None]:
    first = first_seat(cells)
    keys = [key_of(cell, first) if cell else None for cell in cells]
    unknown = [cell for cell, key in zip(cells, keys, strict=True) if cell and key is None]
    if unknown:
        known = [each for column in COLUMNS for each in column.titles] + list(WIN_COLUMNS)
        hints = (did_you_mean(cell[:40], known, "") for cell in unknown)
        told = "; ".join(
            f"there is no column {cell[:40]!r}" + (f": {hint}" if hint else "")
            for cell, hint in zip(unknown, hints, strict=True)
        )
        raise LogError(f"{told} (paifu sheet template lists the columns)", f"row {row}")
    named = [key for key in keys if key]
    twice = {key for key in named if named.count(key) > 1}
    if twice:
        listed = ", ".join(sorted(map(title, twice)))
        raise LogError(f"the header has the column {listed} twice", f"row {row}")
    return keys


def _entry(row: int, header: list[str | None], cells: list[str]) -> Entry:
    entry = Entry(row, {})
    for place, cell in enumerate(cells):
        key = header[place] if place < len(header) else None
        if not cell:
            continue
        if key is None:
            entry.faults.append(
                f"row {row}, column {place + 1}: {cell[:40]!r} stands below no heading"
            )
        else:
            _set(entry, key, cell)
    return entry


def _json_entry(row: int, cells: dict[str, str], first: int) -> Entry:
    entry = Entry(row, {})
    for name, cell in cells.items():
        key = key_of(name, first)
        if key is None:
            entry.faults.append(f"row {row}: there is no column {name[:40]!r}")
        elif cell and key in entry.cells:
            entry.fault(key, f"stands twice in the row, also as {name[:40]!r}")
        elif cell:
            _set(entry, key, cell)
    return entry


def _set(entry: Entry, key: str, cell: str) -> None:
    if cell.startswith("="):
        entry.refused.add(key)
        entry.fault(key, f"{cell[:40]!r} is a formula: write its value")
    elif len(cell) > MOST_LETTERS:
        entry.refused.add(key)
        entry.fault(key, f"more than {MOST_LETTERS:,} letters")
    else:
        entry.cells[key] = " ".join(cell.split()) if key in CARRIED else cell


def _carry(found: list[Entry]) -> None:
    """Fill in the cells that are as in the row above; people are carried all together."""
    last: dict[str, str] = {}
    for entry in found:
        cells = entry.cells
        entry.own_game = "game" in cells
        moved = any(cells.get(key, last.get(key)) != last.get(key) for key in ("date", "place"))
        left_out = {"game"} | ({"table"} if moved else set())
        if entry.has(*PEOPLE):
            left_out |= set(PEOPLE)
        for key in CARRIED:
            if key not in left_out and key in last:
                cells.setdefault(key, last[key])
        last = {key: cells[key] for key in CARRIED if key in cells}


def _read_dates(found: list[Entry]) -> None:
    style = style_of((entry.row, entry.cells["date"]) for entry in found if entry.has("date"))
    known: dict[str, tuple[datetime, bool] | str] = {}
    for entry in found:
        text = entry.cells.get("date", "")
        if not text:
            entry.fault("date", "empty: on which day was it played?")
            continue
        if text not in known:
            try:
                known[text] = read_date(text, style)
            except LogError as error:
                known[text] = error.reason
        read = known[text]
        if isinstance(read, str):
            entry.fault("date", read)
        else:
            entry.at, entry.has_time = read
