"""mjai: one JSON event a line, as programs that play mahjong speak it.

The modern dialect (Mortal and its kin) records payments and ura dora of a win; gimite's original
also yaku, fu, han and points; other programs leave out more. Besides lines, the events come in an
array, within an object's ``events``, and in the dumps of gimite's own tools, which draw the table
between the lines. Seats are numbered here so that seat 0 dealt first; mjai's actors may not be.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import orjson

from paifu.errors import LogError
from paifu.events import Array
from paifu.importers import json_text
from paifu.importers.base import Blob, Imported, Reject
from paifu.importers.builder import Builder
from paifu.importers.json_text import fields, items, parse
from paifu.importers.mjai_game import GameReader
from paifu.importers.mjai_lines import NOTHING, line_meaning
from paifu.importers.text_memo import SPECIAL, TextMemo

KEY = "mjai"
VERSION = 2
TITLE = "mjai (lines of JSON events)"

_START = re.compile(rb'"type"\s*:\s*"start_(?:game|kyoku)"')
_FLAT = re.compile(rb'\{[^{}]*"type"\s*:')
"""How an event begins; anything else in braces holds the events within."""
_DUMP = re.compile(rb"^-{40,}\s*$", re.MULTILINE)
"""What gimite's tools draw under every drawing of the table."""
_DUMPED_ROUND = re.compile(rb"([ESWN])-([1-4]) kyoku \d{1,3} honba")
_RED = re.compile(rb'"5[mps]r"')
_BEGIN = 4096
_NEWLINE = ord("\n")
_LINES = TextMemo(line_meaning)


class _Game(NamedTuple):
    """Lines of one game, and where the first of them stands."""

    prefix: str
    first: int
    text: bytes
    """Of the whole file."""
    starts: Array
    """int64[L], where in it each line begins, as ``stops`` where it ends."""
    stops: Array
    meanings: Array
    """int64[L]: each line's packed event, ``SPECIAL`` or ``NOTHING``."""

    def line(self, index: int) -> bytes:
        """Return a line by its number within the game."""
        return self.text[self.starts[index] : self.stops[index]]


def sniff(head: bytes) -> bool:
    """Tell whether content begins like a game of mjai."""
    return _START.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; one that cannot be read becomes a reject."""
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for index, blob in enumerate(blobs):
        before = len(game_blob) + len(rejects)
        try:
            for game in _games(blob.data):
                try:
                    with builder.game():
                        _read_game(builder, game)
                    game_blob.append(index)
                except LogError as error:
                    shown = json_text.excerpt(game.line(0))
                    rejects.append(Reject(index, error.position, error.reason, shown))
        except LogError as error:
            rejects.append(
                Reject(index, error.position, error.reason, json_text.excerpt(blob.data))
            )
        if len(game_blob) + len(rejects) == before:
            rejects.append(Reject(index, "line 1", "there is no game in it", ""))
    return Imported(builder.finish(), game_blob, rejects)


def _games(data: bytes) -> Iterator[_Game]:
    """Yield the games of a file, each from its ``start_game`` to the next."""
    prefix, text = _lines(data)
    breaks = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _NEWLINE)
    starts, stops = np.append(0, breaks + 1), np.append(breaks, len(text))
    meanings = _LINES.meanings(text, starts, stops)
    special = np.flatnonzero(meanings == SPECIAL)
    spans = zip(special.tolist(), starts[special].tolist(), stops[special].tolist(), strict=True)
    begins = [at for at, start, stop in spans if text.find(b"start_game", start, stop) >= 0]
    if not begins or (meanings[: begins[0]] != NOTHING).any():
        begins.insert(0, 0)
    for begin, end in pairwise([*begins, len(starts)]):
        span = slice(begin, end)
        yield _Game(prefix, begin, text, starts[span], stops[span], meanings[span])


def _lines(data: bytes) -> tuple[str, bytes]:
    """Return events as lines, and how their places are named: ``line`` or a JSON path."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    begin = data[:_BEGIN].lstrip()
    if begin[:1] == b"[":
        return "$", _one_a_line(items(parse(data), "$"))
    if begin[:1] == b"{" and not _FLAT.match(begin):
        try:
            whole = fields(parse(data), "$")
        except LogError:
            return "line", data
        if "events" in whole:
            return "$.events", _one_a_line(items(whole["events"], "$.events"))
    if _DUMP.search(data, 0, _BEGIN):
        lines = data.split(b"\n")
        return "line", b"\n".join(_dumped(*pair) for pair in pairwise([*lines, b""]))
    return "line", data


def _one_a_line(events: list[Any]) -> bytes:
    return b"\n".join(map(orjson.dumps, events))


def _dumped(line: bytes, following: bytes) -> bytes:
    """Return the event in a line of a dump; a deal's round is in the drawing that follows it.

    Its honba is there too, but wrong after a draw that moved the deal on.
    """
    if line[:1] != b"{":
        return b""
    if b'"start_kyoku"' in line and (drawn := _DUMPED_ROUND.match(following)):
        told = {"bakaze": drawn[1].decode(), "kyoku": int(drawn[2])}
        return orjson.dumps(told | fields(parse(line), "$"))
    return line


def _read_game(builder: Builder, game: _Game) -> None:
    reader = GameReader(builder)
    done = here = 0
    try:
        for at in [*np.flatnonzero(game.meanings < 0).tolist(), len(game.meanings)]:
            if at > done:
                here = done
                reader.play(game.meanings[done:at])
            if at < len(game.meanings) and game.meanings[at] == SPECIAL:
                here = at
                reader.special(game.line(at))
            done = at + 1
    except LogError as error:
        raise LogError(error.reason, _place(game, here, error.position)) from error
    except (OverflowError, ValueError) as error:
        raise LogError(f"a number out of range: {error}", _place(game, here, "")) from error
    text = game.text[game.starts[0] : game.stops[-1]]
    info = reader.finish()
    if info.aka is None:
        info.aka = _RED.search(text) is not None
    info.position = _place(game, 0, "")
    info.sha256 = hashlib.sha256(text).digest()
    builder.end_game(info)


def _place(game: _Game, at: int, path: str) -> str:
    if game.prefix == "line":
        place = f"line {game.first + at + 1}"
        return f"{place}, {path}" if path else place
    return f"{game.prefix}[{game.first + at}]{path.removeprefix('$')}"
