"""Score sheets written by tests, in each file form, and what is read of them."""

from __future__ import annotations

import csv
import io
from typing import Any

import openpyxl

from paifu.formats.base import Blob, Imported
from paifu.formats.registry import detect
from paifu.formats.score_sheet import importer as score_sheet

PEOPLE = ("Aiko", "Ben", "Chen", "Dora")
HEAD = ("date", "rules", "East", "South", "West", "North")
ROUNDS = (*HEAD, "round", "outcome", "winner", "discarder", "riichi", "East change",
          "South change", "West change", "North change")  # fmt: skip
RESULTS = (*HEAD, "East points", "South points", "West points", "North points")
MCR = ("2026-11-30", "mcr", *PEOPLE)
RIICHI = ("2026-11-30", "wrc", *PEOPLE)


def table(*rows: tuple[Any, ...]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def workbook(*rows: tuple[Any, ...]) -> bytes:
    book, data = openpyxl.Workbook(), io.BytesIO()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(data)
    return data.getvalue()


def read(*sheets: bytes) -> Imported:
    assert {detect(data) for data in sheets} == {"score_sheet"}
    return score_sheet.read([Blob(data, 0) for data in sheets])


def games(imported: Imported) -> list[dict[str, Any]]:
    assert imported.rejects == []
    assert imported.results is not None
    return imported.results.games.to_pylist()


def rows(imported: Imported, name: str) -> list[dict[str, Any]]:
    assert imported.results is not None
    found = imported.results.seats if name == "seats" else imported.results.more[name]
    return found.to_pylist()


MCR_ROUNDS = (
    ROUNDS,
    (*MCR, 1, "ron", "Ben", "Chen", "", -8, 32, -16, -8),
    (*[""] * 6, 2, "", "Aiko", "", "", 54, -18, -18, -18),
    (*[""] * 6, 3, "draw"),
)
