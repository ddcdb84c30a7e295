"""mjai: one JSON event per line, the protocol of programs that play mahjong.

The modern dialect (Mortal and similar programs) records payments and ura dora of a win. gimite's
original also records yaku, fu, han and points. Other programs leave out more. Events come in lines,
in lists and within objects (``wrappings``), or in the dumps of gimite's own tools, which draw the
table between the lines. Many whole games of the modern dialect are read at once (``scan``), all
others line by line (``one_game``). Here seats are numbered so that seat 0 dealt first; mjai's
actors may be numbered otherwise.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import orjson

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject, excerpt
from paifu.formats.builder import Builder
from paifu.formats.json.columns import portions
from paifu.formats.json.memo import SPECIAL, TextMemo
from paifu.formats.json.text import fields, parse
from paifu.formats.mjai.lines import NOTHING, line_meaning
from paifu.formats.mjai.one_game import GameReader
from paifu.formats.mjai.scan import Lines, ScannedGame, scan
from paifu.formats.mjai.wrappings import events_within
from paifu.game.events import GameInfo

KEY = "mjai"
TITLE = "mjai (lines of JSON events)"

_START = re.compile(rb'"type"\s*:\s*"start_(?:game|kyoku)"')
_CONVERTED = re.compile(
    rb'"games"\s*:\s*\[\s*\{\s*"data"\s*:\s*\{[^{}]{,999}"(?:bakaze|kyoku|tehais)"'
)
"""How the rounds of a converter's object begin; they have no type."""
_FLAT = re.compile(rb'\{[^{}]*"type"\s*:\s*"')
"""How an event begins; any other object contains the events."""
_FLAT_LINE = re.compile(rb'^\s{,99}\{[^{}\n]*"type"\s*:\s*"', re.MULTILINE)
_DUMP = re.compile(rb"^-{40,}\s*$", re.MULTILINE)
"""The line that gimite's tools draw under every drawing of the table."""
_DUMPED_ROUND = re.compile(rb"([ESWN])-([1-4]) kyoku \d{1,3} honba")
_RED = re.compile(rb'"5[mps]r"')
_BEGIN = 4096
_START_GAME = re.compile(rb"start_game")
_NEWLINE = ord("\n")
_OPENS, _CLOSES, _COMMA, _LIST_OPENS = b"{},["
_LINES = TextMemo(line_meaning)


class _Game(NamedTuple):
    """Lines of one game, from ``begin`` up to and not including ``end``."""

    blob: int
    prefix: str
    """How its places are called: ``line``, ``event``, or a JSON path."""
    first: int
    """The line of the blob at which it begins, from 0."""
    lines: Lines
    begin: int
    end: int

    def line(self, index: int) -> bytes:
        """Return a line by its number within the game."""
        return self.lines.line(self.begin + index)

    @property
    def text(self) -> bytes:
        """All its lines."""
        return self.lines.text[self.lines.starts[self.begin] : self.lines.stops[self.end - 1]]


def sniff(head: bytes) -> bool:
    """Return whether content begins like a game of mjai."""
    return _START.search(head) is not None or _CONVERTED.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for game, scanned in _games(blobs, rejects):
        try:
            with builder.game():
                if scanned is None:
                    info = _read_game(builder, game)
                else:
                    info = scanned.info
                    builder.rows(scanned.rows, scanned.first, scanned.last)
                _end_game(builder, game, info)
            game_blob.append(game.blob)
        except LogError as error:
            shown = excerpt(game.line(0))
            rejects.append(Reject(game.blob, error.position, error.reason, shown))
    return Imported(builder.finish(), game_blob, sorted(rejects, key=lambda reject: reject.blob))


def _games(
    blobs: Sequence[Blob], rejects: list[Reject]
) -> Iterator[tuple[_Game, ScannedGame | None]]:
    """Yield the games of all blobs; content that cannot be split into lines becomes a reject."""
    for portion in portions(enumerate(blobs), lambda placed: len(placed[1].data)):
        parts: list[tuple[int, str, bytes]] = []
        for index, blob in portion:
            try:
                parts.append((index, *_lines(blob.data)))
            except LogError as error:
                shown = excerpt(blob.data)
                rejects.append(Reject(index, error.position, error.reason, shown))
        lines = _in_lines(b"\n".join(text for _, _, text in parts))
        for games in portions(_split(lines, parts), lambda game: len(game.text)):
            yield from zip(games, scan(lines, [(g.begin, g.end) for g in games]), strict=True)


def _in_lines(text: bytes) -> Lines:
    breaks = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _NEWLINE)
    starts, stops = np.append(0, breaks + 1), np.append(breaks, len(text))
    return Lines(text, starts, stops, _LINES.meanings(text, starts, stops))


def _split(lines: Lines, parts: Sequence[tuple[int, str, bytes]]) -> Iterator[_Game]:
    """Yield the games of blobs with consecutive lines, each from its start to the next start."""
    places = [match.start() for match in _START_GAME.finditer(lines.text)]
    at = np.unique(np.searchsorted(lines.starts, places, side="right") - 1)
    begins = at[lines.meanings[at] == SPECIAL]
    end = 0
    for blob, prefix, text in parts:
        first, end = end, end + text.count(b"\n") + 1
        here = begins[slice(*np.searchsorted(begins, (first, end)))].tolist()
        if not here or (lines.meanings[first : here[0]] != NOTHING).any():
            here.insert(0, first)
        for begin, stop in pairwise([*here, end]):
            yield _Game(blob, prefix, begin - first, lines, begin, stop)


def _lines(data: bytes) -> tuple[str, bytes]:
    """Return how the places of events are called (``line``, ``event``, a path), and their lines."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    begin = data[:_BEGIN].lstrip()
    flat = _FLAT.match(begin)
    if begin[:1] == b"[" or (begin[:1] == b"{" and (not flat or _has_several_in_a_line(data))):
        try:
            prefix, events = events_within(data)
        except LogError:
            if begin[:1] == b"[" or not _FLAT_LINE.search(data):
                raise
            return "line", data
        return prefix, b"\n".join(map(orjson.dumps, events))
    if _DUMP.search(data, 0, _BEGIN):
        lines = data.split(b"\n")
        return "line", b"\n".join(_dumped(*pair) for pair in pairwise([*lines, b""]))
    return "line", data


def _has_several_in_a_line(data: bytes) -> bool:
    """Return whether, blanks aside, an event or a list begins behind another event or its comma.

    Only within a name would that stand in an event.

    >>> list(map(_has_several_in_a_line, (b"{} {}", b"{},\\n{}", b"{}\\n [{}]", b"{}\\n{}\\n")))
    [True, True, True, False]
    """
    dense = np.frombuffer(data.translate(None, b" \t") + bytes(2), dtype=np.uint8)
    ends = np.flatnonzero(dense == _CLOSES)
    following = dense[ends + 1]
    commas = ends[following == _COMMA]
    return bool(
        (following == _OPENS).any()
        or np.isin(dense[commas + 2], (_OPENS, _NEWLINE)).any()
        or (dense[np.flatnonzero(dense == _NEWLINE) + 1] == _LIST_OPENS).any()
    )


def _dumped(line: bytes, following: bytes) -> bytes:
    """Return the event in a line of a dump; a deal's round is in the drawing that follows it.

    The drawing also has the honba, but it is wrong after a draw that moved the deal on.
    """
    if line[:1] != b"{":
        return b""
    if b'"start_kyoku"' in line and (drawn := _DUMPED_ROUND.match(following)):
        told = {"bakaze": drawn[1].decode(), "kyoku": int(drawn[2])}
        return orjson.dumps(told | fields(parse(line), "$"))
    return line


def _read_game(builder: Builder, game: _Game) -> GameInfo:
    """Add the rounds of a game line by line, and return the facts of the game."""
    reader = GameReader(builder)
    meanings = game.lines.meanings[game.begin : game.end]
    done = here = 0
    try:
        for at in [*np.flatnonzero(meanings < 0).tolist(), len(meanings)]:
            if at > done:
                here = done
                reader.play(meanings[done:at])
            if at < len(meanings) and meanings[at] == SPECIAL:
                here = at
                reader.special(game.line(at))
            done = at + 1
    except LogError as error:
        raise LogError(error.reason, _place(game, here, error.position)) from error
    except (OverflowError, ValueError) as error:
        raise LogError(f"a number out of range: {error}", _place(game, here, "")) from error
    return reader.finish()


def _end_game(builder: Builder, game: _Game, info: GameInfo) -> None:
    if info.aka is None:
        info.aka = _RED.search(game.text) is not None
    info.position = _place(game, 0, "")
    info.sha256 = hashlib.sha256(game.text).digest()
    builder.end_game(info)


def _place(game: _Game, at: int, path: str) -> str:
    if game.prefix in ("line", "event"):
        place = f"{game.prefix} {game.first + at + 1}"
        return f"{place}, {path}" if path else place
    return f"{game.prefix}[{game.first + at}]{path.removeprefix('$')}"
