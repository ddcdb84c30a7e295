"""tenhou.net/6 JSON: Tenhou's logs for its viewer, and what programs and people write like it.

A game is an object with ``log``, a list of rounds. A round is 17 lists (14 with three players):
number, points, indicators, ura indicators, then haipai, draws and discards of each seat, and the
result. A game comes alone, one per line, in an array, after ``#json=`` in a URL, or in the
``split_logs`` of a review report. It may be cut into objects of one round each; these are joined
again if one follows from the other. Games as programs write them are read many at once (``scan``),
all others one by one (``parsed_round``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported, Reject, excerpt
from paifu.formats.builder import Builder
from paifu.formats.json import text as json_text
from paifu.formats.json.columns import portions
from paifu.formats.json.embedded import LINK, links_in
from paifu.formats.json.text import Piece, fields, items
from paifu.formats.majsoul.game_info import names_old_yaku, set_rules
from paifu.formats.tenhou_json.game_info import Course, game_info
from paifu.formats.tenhou_json.parsed_round import MAX_ROUNDS, players_of, read_rounds
from paifu.formats.tenhou_json.scan import Game, scan

KEY = "tenhou_json"
TITLE = "tenhou.net/6 JSON"

_LOG = re.compile(rb'"log"\s*:\s*\[\s*\[\s*\[\s*\d+\s*,\s*\d+')
_LINKED_LOG = re.compile(
    rb'#json=(?:%(?:25)*7B|\{)[^\n]{0,8192}?(?:%(?:25)*22|")log(?:%(?:25)*22|")', re.IGNORECASE
)
_REPORT = re.compile(rb'\s*\{\s*"engine"\s*:\s*"[^"]*"\s*,\s*"game_length"')
"""How a review report of mjai-reviewer begins; its ``split_logs`` come long after its head."""


class _Part:
    """An object with rounds: a whole game, or a part of a game."""

    def __init__(
        self, blob: int, position: str, text: bytes, frame: dict[str, Any], scanned: Game | None
    ) -> None:
        self.blob = blob
        self.position = position
        self.text = text
        self.frame = frame
        """The object, without its rounds if these have been scanned."""
        self.scanned = scanned

    @cached_property
    def rounds(self) -> list[Any]:
        """Its rounds, parsed."""
        whole = self.frame if self.scanned is None else json_text.parse(self.text)
        return items(whole.get("log"), f"{self.position}.log")


def sniff(head: bytes) -> bool:
    """Return whether content is of this format: a ``log`` of rounds that begin with numbers."""
    return bool(_LOG.search(head) or _LINKED_LOG.search(head) or _REPORT.match(head))


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for game in _games(_parts(blobs, rejects)):
        first = game[0]
        try:
            with builder.game():
                _add_game(builder, game, blobs[first.blob])
            game_blob.append(first.blob)
        except LogError as error:
            shown = excerpt(first.text)
            rejects.append(Reject(first.blob, error.position, error.reason, shown))
    known = {*game_blob, *(reject.blob for reject in rejects)}
    nothing = [index for index in range(len(blobs)) if index not in known]
    rejects += [Reject(index, "$", "there is no game in it", "") for index in nothing]
    return Imported(builder.finish(), game_blob, sorted(rejects, key=lambda reject: reject.blob))


def _games(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Yield games, each as the list of its objects."""
    game: list[_Part] = []
    for part in parts:
        if game and not _continues(game[-1], part):
            yield game
            game = []
        game.append(part)
    if game:
        yield game


def _parts(blobs: Sequence[Blob], rejects: list[Reject]) -> Iterator[_Part]:
    """Yield the objects with rounds of all blobs; anything else becomes a reject."""
    pieces = ((index, piece) for index, blob in enumerate(blobs) for piece in _pieces(blob.data))
    for portion in portions(pieces, lambda placed: len(placed[1].text)):
        games = scan([piece.text for _, piece in portion])
        for (index, piece), game in zip(portion, games, strict=True):
            if game is None:
                yield from _parsed(index, piece, rejects)
            else:
                yield _Part(index, _root(piece.position), piece.text, game.frame, game)


def _parsed(blob: int, piece: Piece, rejects: list[Reject]) -> Iterator[_Part]:
    """Yield the objects with rounds of a piece that was not scanned."""
    document = json_text.document(piece)
    try:
        if document.error is not None:
            raise document.error
        root = _root(document.position)
        value = fields(document.value, root)
        objects = {root: value}
        if "log" not in value and "split_logs" in value:
            split = items(value["split_logs"], f"{root}.split_logs")
            objects = {f"{root}.split_logs[{at}]": part for at, part in enumerate(split)}
        for path, part in objects.items():
            items(fields(part, path).get("log"), f"{path}.log")
            yield _Part(blob, path, document.text, part, None)
    except LogError as error:
        shown = excerpt(document.text)
        rejects.append(Reject(blob, error.position, error.reason, shown))


def _root(position: str) -> str:
    return position if position[0] == "$" else f"{position}, $"


def _pieces(data: bytes) -> Iterator[Piece]:
    """Yield the JSON texts of a file: its values, or those in links and those that are whole lines.

    If there are links, the other lines are people's text around them.
    """
    if LINK not in data:
        yield from json_text.pieces(data)
        return
    found = []
    for number, line in enumerate(data.splitlines(), 1):
        if LINK in line:
            found += [Piece(f"line {number}", text) for *_, text in links_in(line)]
        elif line.strip()[:1] == b"{":
            found.append(Piece(f"line {number}", line))
    yield from found if len(found) != 1 else [found[0]._replace(position="$")]


def _continues(before: _Part, after: _Part) -> bool:
    """Return whether an object's rounds belong to the same game as those of the object before."""
    if "sc" in before.frame or before.blob != after.blob:
        return False
    same = ("name", "rule", "lobby", "ref")
    if any(before.frame.get(key) != after.frame.get(key) for key in same):
        return False
    try:
        return _follows(before.rounds[-1], after.rounds[0])
    except (TypeError, ValueError, IndexError, KeyError):
        return False


def _follows(before: list[Any], after: list[Any]) -> bool:
    """Return whether a round is the next round, by its number and by points that carry over."""
    (number, honba, _), (next_number, next_honba, _) = before[0], after[0]
    repeated = next_number == number and next_honba == honba + 1
    passed = next_number in (number + 1, number + 2 if number % 4 == 2 else number + 1)
    if not repeated and not passed:
        return False
    paid = [0] * len(before[1])
    for deltas in before[-1][1::2]:
        paid = [total + delta for total, delta in zip(paid, deltas, strict=False)]
    return all(
        # a riichi stick that no winner took is not in the payments
        now - then - delta in (0, -1000)
        for now, then, delta in zip(after[1], before[1], paid, strict=True)
    )


def _add_game(builder: Builder, parts: list[_Part], blob: Blob) -> None:
    first = parts[0]
    scanned = first.scanned
    if len(parts) == 1 and scanned is not None:
        builder.rows(scanned.rows, scanned.first, scanned.last)
        course, unknown = scanned.course, list[int]()
    else:
        course, unknown = _add_rounds(builder, parts)
    info = game_info(first.frame, course, first.position, blob)
    if info.platform == "majsoul" and any(names_old_yaku(part.text) for part in parts):
        set_rules(info, own=True, own_wins=True)
    info.notes += [f"unknown_tag@{index}" for index in unknown]
    info.position = first.position.removesuffix(", $")
    digest = hashlib.sha256()
    for text in dict.fromkeys(part.text for part in parts):
        digest.update(text)
    info.sha256 = digest.digest()
    builder.end_game(info)


def _add_rounds(builder: Builder, parts: list[_Part]) -> tuple[Course, list[int]]:
    """Add the rounds of a game that must be read by itself.

    Returns the facts that follow from the rounds, and the rounds with a name or text that is not
    known.
    """
    rounds = [
        (f"{part.position}.log[{at}]", round_)
        for part in parts
        for at, round_ in enumerate(part.rounds)
    ]
    if not 1 <= len(rounds) <= MAX_ROUNDS:
        raise LogError(f"a game of {len(rounds)} rounds", f"{parts[0].position}.log")
    players = players_of(rounds[0][1], rounds[0][0])
    for path, round_ in rounds:
        if players_of(round_, path) != players:
            raise LogError("rounds of three and of four players in one game", path)
    unknown = read_rounds(builder, rounds, players)
    (head, scores, *_), (last, *_) = rounds[0][1], rounds[-1][1]
    return Course(players, head, last, scores), unknown
