"""tenhou.net/6 JSON: Tenhou's logs for its viewer, and what programs and people write like it.

A game is an object with ``log``, a list of rounds; a round is 17 lists (14 with three players):
number, points, indicators, ura indicators, then haipai, draws and discards of each seat, and the
result. It comes alone, one a line, in an array, behind ``#json=`` in a URL, in the ``split_logs``
of a review report, or cut into objects of one round each, which are joined again where one follows
from the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from paifu.errors import LogError
from paifu.importers import json_text
from paifu.importers.base import Blob, Imported, Reject
from paifu.importers.builder import Builder
from paifu.importers.json_text import fields, items
from paifu.importers.tenhou_json_info import game_info
from paifu.importers.tenhou_json_round import players_of, read_rounds

KEY = "tenhou_json"
VERSION = 1
TITLE = "tenhou.net/6 JSON"

_LOG = re.compile(rb'"log"\s*:\s*\[\s*\[\s*\[\s*\d+\s*,\s*\d+')
_ENCODED_LOG = re.compile(rb"#json=%7B.{0,8192}?%22log%22", re.DOTALL | re.IGNORECASE)
_REPORT = re.compile(rb'\s*\{\s*"engine"\s*:\s*"[^"]*"\s*,\s*"game_length"')
"""How a review report of mjai-reviewer begins; its ``split_logs`` stand far behind the head."""
_URL = b"#json="
MAX_ROUNDS = 256
"""Rounds a game may have; East to North with every repeat stays far below."""


class _Part(NamedTuple):
    """An object with rounds: a whole game, or a piece of one."""

    position: str
    text: bytes
    game: dict[str, Any]
    rounds: list[Any]


def sniff(head: bytes) -> bool:
    """Tell whether content is of this format: a ``log`` of rounds that begin with numbers."""
    return bool(_LOG.search(head) or _ENCODED_LOG.search(head) or _REPORT.match(head))


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; one that cannot be read becomes a reject."""
    builder = Builder()
    game_blob: list[int] = []
    rejects: list[Reject] = []
    for index, blob in enumerate(blobs):
        before = len(game_blob) + len(rejects)
        for game in _games(blob.data, index, rejects):
            try:
                with builder.game():
                    _add_game(builder, game, blob)
                game_blob.append(index)
            except LogError as error:
                shown = json_text.excerpt(game[0].text)
                rejects.append(Reject(index, error.position, error.reason, shown))
        if len(game_blob) + len(rejects) == before:
            rejects.append(Reject(index, "$", "there is no game in it", ""))
    return Imported(builder.finish(), game_blob, rejects)


def _games(data: bytes, blob: int, rejects: list[Reject]) -> Iterator[list[_Part]]:
    """Yield games as the objects they stand in; what is no game becomes a reject."""
    game: list[_Part] = []
    for part in _parts(data, blob, rejects):
        if game and not _continues(game[-1], part):
            yield game
            game = []
        game.append(part)
    if game:
        yield game


def _parts(data: bytes, blob: int, rejects: list[Reject]) -> Iterator[_Part]:
    for document in json_text.documents(_without_urls(data)):
        try:
            if document.error is not None:
                raise document.error
            root = document.position if document.position[0] == "$" else f"{document.position}, $"
            value = fields(document.value, root)
            pieces = {root: value}
            if "log" not in value and "split_logs" in value:
                split = items(value["split_logs"], f"{root}.split_logs")
                pieces = {f"{root}.split_logs[{at}]": piece for at, piece in enumerate(split)}
            for path, piece in pieces.items():
                rounds = items(fields(piece, path).get("log"), f"{path}.log")
                yield _Part(path, document.text, piece, rounds)
        except LogError as error:
            shown = json_text.excerpt(document.text)
            rejects.append(Reject(blob, error.position, error.reason, shown))


def _without_urls(data: bytes) -> bytes:
    """Return the lines of a file with the JSON that URLs carry in their fragment in their place."""
    if _URL not in data:
        return data
    return b"\n".join(_fragment(line) if _URL in line else line for line in data.splitlines())


def _fragment(line: bytes) -> bytes:
    text = line.split(_URL, 1)[1]
    if text[:3].upper() == b"%7B":
        text = unquote_to_bytes(text)
    return text[: text.rfind(b"}") + 1]


def _continues(before: _Part, after: _Part) -> bool:
    """Tell whether an object's rounds are the same game's as those of the one before it."""
    if "sc" in before.game or not before.rounds or not after.rounds:
        return False
    if any(before.game.get(key) != after.game.get(key) for key in ("name", "rule", "lobby", "ref")):
        return False
    try:
        return _follows(before.rounds[-1], after.rounds[0])
    except (TypeError, ValueError, IndexError, KeyError):
        return False


def _follows(before: list[Any], after: list[Any]) -> bool:
    """Tell whether a round is the next one: by its number, and by points that carry over."""
    (number, honba, _), (next_number, next_honba, _) = before[0], after[0]
    repeated = next_number == number and next_honba == honba + 1
    passed = next_number in (number + 1, number + 2 if number % 4 == 2 else number + 1)
    if not repeated and not passed:
        return False
    paid = [0] * len(before[1])
    for deltas in before[-1][1::2]:
        paid = [total + delta for total, delta in zip(paid, deltas, strict=False)]
    return all(
        # a riichi stick that no winner took back is not in the payments
        now - then - delta in (0, -1000)
        for now, then, delta in zip(after[1], before[1], paid, strict=True)
    )


def _add_game(builder: Builder, parts: list[_Part], blob: Blob) -> None:
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
    notes = [f"unknown_tag@{index}" for index in read_rounds(builder, rounds, players)]
    first = parts[0]
    info = game_info(first.game, [round_ for _, round_ in rounds], players, first.position, blob)
    info.notes += notes
    info.position = first.position.removesuffix(", $")
    digest = hashlib.sha256()
    for text in dict.fromkeys(part.text for part in parts):
        digest.update(text)
    info.sha256 = digest.digest()
    builder.end_game(info)
