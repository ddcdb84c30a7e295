"""Mahjong Soul game records as decoded JSON, before and after version 210715.

Friend rooms with their own settings are ``majsoul-custom``: their wins are scored, but the course
of the game and its final result are not judged.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported
from paifu.formats.builder import Builder, located
from paifu.formats.json.documents import read_documents
from paifu.formats.json.text import Document, Piece, fields
from paifu.formats.majsoul.game_info import game_info
from paifu.formats.majsoul.one_game import GameReader
from paifu.formats.majsoul.records import find_records, inner_path
from paifu.formats.majsoul.scan import scan

KEY = "majsoul"
TITLE = "Mahjong Soul records (decoded JSON)"

_RECORD = re.compile(rb'"(?:\.?lq\.)?Record(?:NewRound|DealTile|DiscardTile)"')
_HEAD = re.compile(rb'"accounts"\s*:\s*\[\s*\{[^]]{0,400}"account_?[iI]d"')
MAX_RECORDS = 100_000


def sniff(head: bytes) -> bool:
    """Return whether content begins like a game record: a head with accounts, or records."""
    return _RECORD.search(head) is not None or _HEAD.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    return read_documents(blobs, _read_game, _read_quickly)


def _read_quickly(builder: Builder, piece: Piece) -> bool:
    """Add a game whose records kernels can find; return False for any other game."""
    scanned = scan(piece.text, _root(piece.position))
    if scanned is None or len(scanned.meanings) > MAX_RECORDS:
        return False
    game = GameReader(builder, game_info(_head(scanned.frame)))
    game.take_scanned(scanned)
    _end(builder, game, piece.position, piece.text)
    return True


def _read_game(builder: Builder, document: Document) -> None:
    root = _root(document.position)
    value = fields(document.value, root)
    records, path = find_records(value, root)
    if len(records) > MAX_RECORDS:
        raise LogError(f"{len(records)} records, more than a game has", path)
    info = game_info(_head(value))
    if not records:
        raise LogError("a game without a round", path)
    game = GameReader(builder, info)
    with located(lambda: f"{path}[{game.at}]{inner_path(records[game.at])}"):
        game.take_all(records)
        _end(builder, game, document.position, document.text)


def _root(position: str) -> str:
    return position if position[0] == "$" else f"{position}, $"


def _head(game: dict[str, Any]) -> dict[str, Any]:
    head: Any = game.get("head")
    return head if type(head) is dict else {}


def _end(builder: Builder, game: GameReader, position: str, text: bytes) -> None:
    info = game.finish()
    info.position = position
    info.sha256 = hashlib.sha256(text).digest()
    builder.end_game(info)
