"""Riichi City: records of games, three or four players, ranked and in rooms of friends.

The record has every event in order, each as a JSON text within the JSON, and the whole wall of
every round with its SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from paifu.formats.base import Blob, Imported
from paifu.formats.builder import Builder
from paifu.formats.json.documents import read_documents
from paifu.formats.json.text import Document, fields, items
from paifu.formats.riichicity.game_info import game_info
from paifu.formats.riichicity.one_game import GameReader, Options
from paifu.game.recorded_wall import RECORDED, seed_of

KEY = "riichicity"
TITLE = "Riichi City records (JSON)"


def sniff(head: bytes) -> bool:
    """Return whether content begins like a record of Riichi City."""
    return b'"handRecord"' in head and (b'"handEventRecord"' in head or b'"handCardEncode"' in head)


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    return read_documents(blobs, _read_game)


def _read_game(builder: Builder, document: Document) -> None:
    path = document.position if document.position[0] == "$" else f"{document.position}, $"
    record: dict[str, Any] = fields(document.value, path)
    if "handRecord" not in record and type(record.get("data")) is dict:
        record, path = record["data"], f"{path}.data"
    info = game_info(record, path)
    options = Options(record.get("isLuck") is True, record.get("isGeMu") is True)
    game = GameReader(builder, info, options)
    game.take_all(items(record.get("handRecord"), f"{path}.handRecord"), f"{path}.handRecord")
    walls = game.walls
    info.aka = any("0" in wall.wall for wall in walls) or not any(wall.wall for wall in walls)
    if all(wall.wall for wall in walls):
        info.shuffle_kind, info.shuffle_seed = RECORDED, seed_of(walls)
    info.position = document.position
    info.sha256 = hashlib.sha256(document.text).digest()
    builder.end_game(info)
