"""Rows of cells from a score sheet: CSV, JSON lines, or an Excel workbook, within limits.

An Excel workbook is a zip of XML files. What it unpacks to is limited, a DTD is refused (so no
entity can expand), and so are formulas and merged cells below a header: what a reader of the file
sees would be another thing than what is stored. Excel's dates become ISO dates.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, NamedTuple

import orjson

from paifu.errors import LogError
from paifu.formats.score_sheet.columns import is_header
from paifu.sources.workbooks import is_workbook

MOST_ROWS = 200_000
MOST_COLUMNS = 200
MOST_LETTERS = 2_000
"""Letters of one cell."""
_MOST_UNPACKED = 64 << 20
"""Bytes to which a workbook may unpack; a row of a sheet takes about a thousand."""
_MOST_PARTS = 1_000
_CHUNK = 1 << 18
_OVERLAP = 128
_MERGED = re.compile(rb"<(?:\w{1,20}:)?mergeCell\s+ref=[\"']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})")
_MOST_MERGED = 1_000
"""Merged ranges of a sheet that are looked at, at least."""
_DTD = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00")
_SAMPLE_ROWS = 200
"""How many first rows of a sheet may come before its header."""


class Row(NamedTuple):
    """One row of a sheet: where it is, and its cells as text by column or by position."""

    number: int
    """As a spreadsheet counts: the header is usually row 1."""
    cells: list[str] | dict[str, str]


class Sheet(NamedTuple):
    """The rows of one sheet; the name of a worksheet, or empty."""

    name: str
    rows: Iterator[Row]
    merged: tuple[str, ...] = ()
    """The ranges of its merged cells, such as ``A2:A4``."""


def sheets(data: bytes) -> list[Sheet]:
    """Return the sheets of a file.

    Raises :class:`~paifu.errors.LogError`, also while rows are taken, for a file that cannot be
    read or is beyond the limits; a place in the error is a row.
    """
    if is_workbook(data):
        return _worksheets(data)
    text = _text(data)
    if text.lstrip()[:1] == "{":
        return [Sheet("", _json_rows(text))]
    return [Sheet("", _csv_rows(text))]


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:  # Excel of Japan and China writes CSV in these, unless told to write UTF-8
        return data.decode("cp932")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


def first_header(head: bytes) -> bool:
    """Return whether the beginning of a text has the header of a score sheet, or such an object."""
    text = head.decode("utf-8-sig", "replace")
    if text.lstrip()[:1] == "{":
        line = text.lstrip().split("\n", 1)[0]
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            return False
        return isinstance(row, dict) and "type" not in row and is_header(list(row))
    texts = [text]
    if "\ufffd" in text[:-3]:
        texts = [head.decode("cp932", "replace"), head.decode("gb18030", "replace")]
    return any(_has_header(each) for each in texts)


def _has_header(text: str) -> bool:
    for line in text.splitlines()[:_SAMPLE_ROWS]:
        if line.strip(' ,;\t"') and not line.lstrip('\ufeff"').startswith("#"):
            if len(line) > MOST_COLUMNS * 40:
                return False
            try:
                return is_header(next(csv.reader([line], delimiter=_delimiter(line))))
            except (csv.Error, StopIteration):
                return False
    return False


def _delimiter(line: str) -> str:
    """Return what separates the cells: a comma, or the semicolon or tab of some spreadsheets."""
    return max(",;\t", key=line.count)


def _csv_rows(text: str) -> Iterator[Row]:
    lines = text.splitlines()
    first = next((each for each in lines if each.strip() and not each.startswith("#")), "")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_delimiter(first))
    begun = 1  # a quote that is never closed belongs to the row in which it was opened
    try:
        for count, cells in enumerate(reader, start=1):
            _limit(count, cells)
            yield Row(begun, [cell.strip() for cell in cells])
            begun = reader.line_num + 1
    except csv.Error as error:
        raise LogError(f"not CSV: {error}", f"row {begun}") from None


def _json_rows(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise LogError(f"not JSON: {error.msg}", f"row {number}") from None
        if not isinstance(row, dict):
            raise LogError("not an object", f"row {number}")
        _limit(number, list(row))
        yield Row(number, {name: _written(value) for name, value in row.items()})


def _limit(count: int, cells: list[Any]) -> None:
    if count > MOST_ROWS:
        raise LogError(f"it has more than {MOST_ROWS:,} rows: part it", f"row {count}")
    if len(cells) > MOST_COLUMNS:
        raise LogError(f"it has more than {MOST_COLUMNS} columns", f"row {count}")


def _written(value: Any) -> str:
    """Return a value of JSON or Excel as it would be written in CSV."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.strftime("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return ",".join(map(_written, value))
    if isinstance(value, Mapping):
        raise LogError("a cell is an object")
    return str(value).strip()


def _worksheets(data: bytes) -> list[Sheet]:
    try:
        from openpyxl.chartsheet import Chartsheet
        from openpyxl.reader.excel import ExcelReader
    except ImportError:
        raise LogError(
            "an Excel workbook: install openpyxl (pip install 'paifu[excel]'), or save it as CSV"
        ) from None
    merged = _merged_cells(data)
    try:
        reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=False)
        # a chart sheet has no cells; openpyxl would read its charts, and fails without one
        reader.read_chartsheet = lambda sheet, _: reader.wb._add_sheet(
            Chartsheet(parent=reader.wb, title=sheet.name)
        )
        reader.read()
        found = [
            Sheet(
                sheet.title,
                _excel_rows(sheet),
                merged.get(getattr(sheet, "_worksheet_path", "").lstrip("/"), ()),
            )
            for sheet in reader.wb.worksheets
        ]
    except Exception as error:  # openpyxl raises errors of many kinds for a damaged workbook
        raise LogError(f"an Excel workbook that cannot be read: {error}") from None
    if not found:
        raise LogError("an Excel workbook with charts only: a score sheet is a worksheet of cells")
    return found


def _merged_cells(data: bytes) -> dict[str, tuple[str, ...]]:
    """Return the merged ranges of each part of a workbook.

    Raises for a workbook that unpacks to too much, or has a DTD.
    """
    merged: dict[str, tuple[str, ...]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            found = parts.infolist()
            if len(found) > _MOST_PARTS or sum(part.file_size for part in found) > _MOST_UNPACKED:
                raise LogError(
                    f"an Excel workbook of more than {_MOST_UNPACKED >> 20} MiB unpacked: part it, "
                    "or save the sheet as CSV"
                )
            for part in found:
                if part.filename.endswith((".xml", ".rels")):
                    with parts.open(part) as file:
                        merged[part.filename] = tuple(_merged_in(part.filename, file))
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise LogError(f"an Excel workbook that cannot be unpacked: {error}") from None
    except Exception as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"an Excel workbook that cannot be unpacked: {error}") from None
    return merged


def _merged_in(name: str, file: Any) -> list[str]:
    """Return the first merged ranges of a part; raise for a DTD."""
    found: dict[str, None] = {}  # a range in two chunks counts once
    before = b""
    while chunk := file.read(_CHUNK):
        seen = before + chunk
        if _DTD.search(seen) or (not before and seen.startswith(_UTF16)):
            raise LogError(f"an Excel workbook with a DTD or UTF-16 in {name}, which Excel never "
                           "writes: save it again")  # fmt: skip
        if len(found) < _MOST_MERGED:
            found |= dict.fromkeys(each.decode() for each in _MERGED.findall(seen))
        before = seen[-_OVERLAP:]
    return list(found)


def _excel_rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_row=MOST_ROWS + 2, max_col=MOST_COLUMNS + 1)
    try:
        for count, cells in enumerate(rows, start=1):
            values = [cell.value for cell in cells]
            while values and values[-1] is None:
                values.pop()
            _limit(count, values)
            for place, cell in enumerate(cells):
                if cell.data_type == "f":  # of an array formula, or a data table, or one cell
                    text = getattr(cell.value, "text", cell.value) or ""
                    values[place] = f"={str(text).lstrip('=')}"
                elif cell.data_type == "e":
                    values[place] = f"={cell.value}"
            yield Row(count, [_written(value) for value in values])
    except LogError:
        raise
    except Exception as error:
        raise LogError(f"an Excel workbook that cannot be read: {error}") from None
