"""Score sheets: a club's book of games, as results, as rounds, or as rounds with their hands.

Module ``columns`` describes the form. A row is a round (or one of several wins of a round), or the
result of a game. Games have ``detail`` ``rounds`` or ``result``. A game that is entered again, with
the same date, place, table and number, replaces the game that the lake has.
"""

from __future__ import annotations

from collections.abc import Sequence

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject
from paifu.formats.score_sheet import tables
from paifu.formats.score_sheet.cells import Sheet, first_header, sheets
from paifu.formats.score_sheet.entries import Entry, entries
from paifu.formats.score_sheet.games import Game, games_of
from paifu.formats.win_sheet.importer import Rulesets
from paifu.game.events import Batch
from paifu.messages import counted
from paifu.sources.workbooks import begins_as_workbook

KEY = "score_sheet"
TITLE = "Score sheets (CSV, JSON lines, Excel)"

_NO_HEADER = (
    "no row names the columns of a score sheet, such as date, East, South, West, North: "
    "paifu sheet template writes an empty sheet"
)
_MOST_FAULTS = 20
"""How many faults of one game are told; all others are counted."""


def sniff(head: bytes) -> bool:
    """Return whether content begins like a score sheet, or is an Excel workbook."""
    return begins_as_workbook(head) or first_header(head[: 1 << 15])


def read(blobs: Sequence[Blob]) -> Imported:
    """Read sheets; a game with a fault becomes a reject that names all its faults."""
    books = tables.Books()
    rejects: list[Reject] = []
    rulesets = Rulesets()
    for index, blob in enumerate(blobs):
        try:
            every = sheets(blob.data)
            found = [(sheet, listed) for sheet in every
                     if (listed := _entries(sheet)) is not None]  # fmt: skip
        except LogError as error:
            rejects.append(Reject(index, error.position or "row 1", error.reason))
            continue
        if not found:
            names = ", ".join(repr(sheet.name) for sheet in every[:_MOST_FAULTS] if sheet.name)
            where = f" (looked at in sheet {names})" if names else ""
            rejects.append(Reject(index, "row 1", _NO_HEADER + where))
        games = [
            (sheet.name, game) for sheet, listed in found for game in games_of(listed, rulesets)
        ]
        if found and not games:
            rejects.append(Reject(index, "row 1", "the sheet has a header and no row"))
        for name, game in games:
            rows = tables.rows_of(game, blob, name)
            if game.faults:
                rejects.append(_reject(game, index, name))
            else:
                books.add(rows)
    return Imported(Batch(), [], rejects, books.results())


def _entries(sheet: Sheet) -> list[Entry] | None:
    try:
        return entries(sheet.rows, sheet.merged)
    except LogError as error:
        if sheet.name:
            raise LogError(error.reason, f"{sheet.name}, {error.position}") from None
        raise


def _reject(game: Game, index: int, sheet: str) -> Reject:
    """Return a reject with the faults of a game."""
    told = list(dict.fromkeys(game.faults))
    more = len(told) - _MOST_FAULTS
    lines = told[:_MOST_FAULTS] + ([counted(more, "more fault")] if more > 0 else [])
    reason = f"game {game.name} is not stored: {'; '.join(lines)}"
    return Reject(index, tables.position_of(game, sheet), reason)
