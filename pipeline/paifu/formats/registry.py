"""The log formats: every folder of this package that has an ``importer.py``.

The folder's name is the key of the format. Its ``__init__.py`` sets ``VERSION``, which is raised
when the importer reads more than before, or reads something differently; so the versions are known
without loading the importers. It may set four more values. Without them a format is asked last,
has the lowest rank, and gets the logs within a web page one by one:

- ``OFFERED``: content is offered to the formats in the order of these numbers, lowest first, until
  a format recognises it. A format that could mistake another's content for its own comes later.
- ``TELLS``: if the same game is there in two formats, the record with the higher number is kept
  (``docs/formats.md`` lists what each format loses).
- ``READS_PAGES``: the format reads whole web pages.
- ``IS_JSON``: a file is JSON documents; if other text stands around one, it is looked for in it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

import paifu.formats

if TYPE_CHECKING:
    from paifu.formats.base import Importer

_ASKED_LAST = 1000

HEAD = 1 << 16
"""How many bytes of a log an importer gets to recognise it."""


def _declared(key: str, name: str, otherwise: int) -> int:
    return int(getattr(import_module(f"paifu.formats.{key}"), name, otherwise))


@cache
def formats() -> tuple[str, ...]:
    """Return the keys of all formats, in the order in which content is offered to them.

    >>> formats()[0]
    'mjlog'
    """
    found = {
        importer.parent.name
        for folder in paifu.formats.__path__
        for importer in Path(folder).glob("*/importer.py")
    }
    return tuple(sorted(found, key=lambda key: (_declared(key, "OFFERED", _ASKED_LAST), key)))


def telling() -> tuple[str, ...]:
    """Return the formats that may have the same game, from the least to the most detailed."""
    ranked = [(_declared(key, "TELLS", 0), key) for key in formats()]
    return tuple(key for rank, key in sorted(ranked) if rank)


def reads_pages(key: str) -> bool:
    """Return whether a format reads whole web pages."""
    return bool(_declared(key, "READS_PAGES", 0))


def is_json(key: str) -> bool:
    """Return whether files of a format are JSON documents."""
    return bool(_declared(key, "IS_JSON", 0))


def version(key: str) -> int:
    """Return the version of the importer of a format."""
    return _declared(key, "VERSION", 0)


def importer(key: str) -> Importer:
    """Return the importer of a format by its key."""
    return cast("Importer", import_module(f"paifu.formats.{key}.importer"))


def detect(data: bytes) -> str | None:
    """Return the key of the format of the content, or None if no format recognises it."""
    head = data[:HEAD]
    return next((key for key in formats() if importer(key).sniff(head)), None)
