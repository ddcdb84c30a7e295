"""Lines of mjai: the event of each line, if the line is exactly one event."""

from __future__ import annotations

import re
from typing import Any

import orjson

from paifu.errors import LogError
from paifu.formats.builder import pack
from paifu.formats.json.memo import SPECIAL
from paifu.formats.json.text import fields, items, parse, whole
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    NO_SEAT,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
)
from paifu.game.tiles import HIDDEN
from paifu.messages import counted

TILES: dict[str, int] = {
    **{f"{n}{suit}": 9 * at + n - 1 for at, suit in enumerate("mps") for n in range(1, 10)},
    **{letter: 27 + at for at, letter in enumerate("ESWNPFC")},
    **{f"5{suit}r": 34 + at for at, suit in enumerate("mps")},
    "?": HIDDEN,
}
"""Code of each tile as mjai writes it."""

NOTHING = -2
"""Meaning of a line without content: blank, or a program's greeting."""

_MISSING = object()
_CALLS = {"chi": (CHI, 2), "pon": (PON, 2), "daiminkan": (DAIMINKAN, 3)}
_MORE = re.compile(rb'"type"\s*:\s*"(?:start_|hora|ryukyoku|end_game|haipai)')
_SAYS_NOTHING = frozenset(("none", "hello", "end_kyoku"))


def line_meaning(line: bytes) -> int:
    """Return a line's packed event, ``NOTHING``, or ``SPECIAL``.

    Deals, ends, points and lines that are not an event are ``SPECIAL``.
    """
    if not line.strip():
        return NOTHING
    if _MORE.search(line):
        return SPECIAL
    try:
        return event_code(parse(line), "$")
    except LogError:
        return SPECIAL  # read again later, where its place is known


def tile(value: Any, path: str) -> int:
    """Return the code of a tile."""
    code = TILES.get(value) if type(value) is str else None
    if code is None:
        shown = (
            "nothing" if value is _MISSING else orjson.dumps(value)[:40].decode("utf-8", "replace")
        )
        raise LogError(f"{shown} is not a tile", path)
    return code


def tiles(value: Any, path: str, limit: int, *, hidden: bool = False) -> list[int]:
    """Return the codes of a list of tiles, at most ``limit``; null is a hidden tile if allowed."""
    written = items(value, path)
    if hidden:
        written = ["?" if text is None else text for text in written]
    if len(written) > limit:
        raise LogError(f"{counted(len(written), 'tile')} where there may be at most {limit}", path)
    try:
        return [TILES[text] for text in written]
    except (KeyError, TypeError):
        return [tile(text, f"{path}[{at}]") for at, text in enumerate(written)]


def actor(event: dict[str, Any], key: str = "actor") -> int:
    """Return a seat of an event, in the log's numbering."""
    return whole(event.get(key), f"$.{key}", 0, 3)


def event_type(event: dict[str, Any]) -> str:
    """Return the type of an event."""
    kind = event.get("type")
    if type(kind) is not str:
        raise LogError("an event has a type", "$.type")
    return kind


def event_code(value: Any, path: str) -> int:
    """Return a line's packed event, ``NOTHING``, or ``SPECIAL`` if it is more or unknown.

    Raises :class:`LogError` if an event lacks a field it needs.
    """
    event = fields(value, path)
    kind = event_type(event)
    if kind == "tsumo":
        drawn = event.get("pai", _MISSING)
        return pack(DRAW, actor(event), HIDDEN if drawn is None else tile(drawn, "$.pai"))
    if kind == "dahai":
        tsumogiri = event.get("tsumogiri")
        said = int(tsumogiri) if type(tsumogiri) is bool else -1
        return pack(DISCARD, actor(event), tile(event.get("pai"), "$.pai"), tsumogiri=said)
    if kind == "reach":
        return pack(RIICHI, actor(event))
    if kind == "reach_accepted" and "scores" not in event:
        return pack(RIICHI_ACCEPTED, actor(event))
    if kind == "dora":
        return pack(DORA, NO_SEAT, tile(event.get("dora_marker"), "$.dora_marker"))
    return _meld_code(event, kind)


def _meld_code(event: dict[str, Any], kind: str) -> int:
    if kind in _CALLS:
        call, count = _CALLS[kind]
        consumed = _consumed(event, count)
        called = tile(event.get("pai"), "$.pai")
        return pack(call, actor(event), called, actor(event, "target"), consumed=consumed)
    if kind == "ankan":
        consumed = _consumed(event, 4)
        return pack(ANKAN, actor(event), consumed[0], consumed=consumed[1:])
    if kind == "kakan":
        consumed = tiles(event.get("consumed", []), "$.consumed", 3)
        return pack(KAKAN, actor(event), tile(event.get("pai"), "$.pai"), consumed=consumed)
    if kind in ("nukidora", "kita"):
        return pack(KITA, actor(event), tile(event.get("pai", "N"), "$.pai"))
    return NOTHING if kind in _SAYS_NOTHING else SPECIAL


def _consumed(event: dict[str, Any], count: int) -> list[int]:
    consumed = tiles(event.get("consumed"), "$.consumed", count)
    if len(consumed) != count:
        raise LogError(f"{counted(len(consumed), 'tile')} where it takes {count}", "$.consumed")
    return consumed
