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
from contextlib import contextmanager
from typing import NamedTuple

import orjson

from paifu.errors import LogError
from paifu.importers import json_text
from paifu.importers.base import Blob, Imported, Reject
from paifu.importers.builder import Builder
from paifu.importers.json_text import fields, items, parse
from paifu.importers.mjai_game import GameReader
from paifu.importers.mjai_lines import SPECIAL, LineMemo

KEY = "mjai"
VERSION = 1
TITLE = "mjai (lines of JSON events)"

_START = re.compile(rb'"type"\s*:\s*"start_(?:game|kyoku)"')
_FLAT = re.compile(rb'\{[^{}]*"type"\s*:')
"""How an event begins; anything else in braces holds the events within."""
_DUMP = re.compile(rb"^-{40,}\s*$", re.MULTILINE)
"""What gimite's tools draw under every drawing of the table."""
_DUMPED_ROUND = re.compile(rb"([ESWN])-([1-4]) kyoku \d{1,3} honba")
_RED = re.compile(rb'"5[mps]r"')
_BEGIN = 4096
_LINES = LineMemo()


class _Game(NamedTuple):
    """Lines of one game, and where the first of them stands."""

    prefix: str
    first: int
    lines: list[bytes]
    codes: list[int]
    special: list[int]
    """Where the codes are no event, rising."""


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
                    shown = json_text.excerpt(game.lines[0])
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
    prefix, lines = _lines(data)
    codes = list(map(_LINES.__getitem__, lines))
    special = [at for at, code in enumerate(codes) if code < 0]
    starts = [at for at in special if b"start_game" in lines[at]]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        starts.insert(0, 0)
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        within = [at - start for at in special if start <= at < stop]
        yield _Game(prefix, start, lines[start:stop], codes[start:stop], within)


def _lines(data: bytes) -> tuple[str, list[bytes]]:
    """Return events as lines, and how their places are named: ``line`` or a JSON path."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    begin = data[:_BEGIN].lstrip()
    if begin[:1] == b"[":
        return "$", [orjson.dumps(event) for event in items(parse(data), "$")]
    lines = data.split(b"\n")
    if begin[:1] == b"{" and not _FLAT.match(begin):
        try:
            whole = fields(parse(data), "$")
        except LogError:
            return "line", lines
        if "events" in whole:
            return "$.events", [orjson.dumps(e) for e in items(whole["events"], "$.events")]
    if _DUMP.search(data, 0, _BEGIN):
        lines = [_dumped(line, lines[at + 1 : at + 2]) for at, line in enumerate(lines)]
    return "line", lines


def _dumped(line: bytes, following: list[bytes]) -> bytes:
    """Return the event in a line of a dump; a deal's round is in the drawing that follows it.

    Its honba is there too, but wrong after a draw that moved the deal on.
    """
    if line[:1] != b"{":
        return b""
    if b'"start_kyoku"' in line and following and (drawn := _DUMPED_ROUND.match(following[0])):
        told = {"bakaze": drawn[1].decode(), "kyoku": int(drawn[2])}
        return orjson.dumps(told | fields(parse(line), "$"))
    return line


def _read_game(builder: Builder, game: _Game) -> None:
    lines, codes = game.lines, game.codes
    reader = GameReader(builder)
    done = 0
    for at in [*game.special, len(lines)]:
        if at > done:
            with _at_line(game, done):
                reader.play(codes[done:at])
        if at < len(lines) and codes[at] == SPECIAL:
            with _at_line(game, at):
                reader.special(lines[at])
        done = at + 1
    text = b"\n".join(lines)
    info = reader.finish()
    if info.aka is None:
        info.aka = _RED.search(text) is not None
    info.position = _place(game, 0, "")
    info.sha256 = hashlib.sha256(text).digest()
    builder.end_game(info)


@contextmanager
def _at_line(game: _Game, at: int) -> Iterator[None]:
    """Say in errors raised within which line they are about."""
    try:
        yield
    except LogError as error:
        raise LogError(error.reason, _place(game, at, error.position)) from error
    except (OverflowError, ValueError) as error:
        raise LogError(f"a number out of range: {error}", _place(game, at, "")) from error


def _place(game: _Game, at: int, path: str) -> str:
    if game.prefix == "line":
        place = f"line {game.first + at + 1}"
        return f"{place}, {path}" if path else place
    return f"{game.prefix}[{game.first + at}]{path.removeprefix('$')}"
