"""Importers: one module per log format, each turning bytes into a :class:`paifu.events.Batch`."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from paifu.importers.base import Importer

FORMATS: tuple[str, ...] = (
    "mjlog",
    "tenhou_json",
    "mjai",
    "majsoul",
    "majiang",
    "lobby_lists",
    "botzone",
    "win_sheet",
)
"""Modules of this package that read a log format, in the order in which content is offered."""

TELLING: tuple[str, ...] = ("mjai", "majiang", "tenhou_json", "majsoul", "mjlog")
"""Formats in which there may be records of one game, from what tells least of it to what tells
most (``docs/formats.md`` lists what each loses)."""

HEAD = 1 << 16
"""How many bytes of a log an importer sees to recognise it by."""


def importer(key: str) -> Importer:
    """Return the importer of a format by its key."""
    return cast(Importer, import_module(f"{__name__}.{key}"))


def detect(data: bytes) -> str | None:
    """Return the key of the format the content is of, or None where none recognises it."""
    head = data[:HEAD]
    return next((key for key in FORMATS if importer(key).sniff(head)), None)
