"""Finds the records of a Mahjong Soul game in its text, and the meaning of most, by kernels.

Most of a record is for a client's display (waits, furiten, clocks, offered calls). Without that,
nineteen of twenty records are one of a few hundred texts: plain draws, discards and calls, whose
events are looked up.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import orjson

from paifu.errors import LogError
from paifu.formats.builder import pack
from paifu.formats.json.memo import SPECIAL, TextMemo
from paifu.formats.json.tape import Tape, kept_table, tape
from paifu.formats.json.text import items, whole, wholes
from paifu.formats.majsoul.records import (
    CHI_PENG_GANG,
    DEAL_TILE,
    DISCARD_TILE,
    RIICHI_KEYS,
    find_records,
    kind_by_itself,
    unwrapped,
)
from paifu.game.events import CHI, DAIMINKAN, DISCARD, DRAW, PON, Array
from paifu.game.tiles import CODE, HIDDEN, RED_5S

NOTHING = -2
"""Meaning of an entry that is not a record, but an act of a player or the clock."""

TILES = {text: code for text, code in CODE.items() if code <= RED_5S or code == HIDDEN}
"""Code of each tile, and of a tile that a live game does not show."""
DRAWS = {(seat, text): pack(DRAW, seat, code) for seat in range(4) for text, code in TILES.items()}
DISCARDS = {
    (seat, text, moqie): pack(DISCARD, seat, code, tsumogiri=int(moqie))
    for seat in range(4)
    for text, code in TILES.items()
    for moqie in (False, True)
}

_CALLS = ((CHI, 3), (PON, 3), (DAIMINKAN, 4))

_KEPT = kept_table(
    (
        # around a record
        "result", "name", "@type", "data",
        # its fields
        "seat", "tile", "moqie", *RIICHI_KEYS, "doras", "dora", "type", "tiles", "froms", "chang",
        "ju", "ben", "liqibang", "paishan", "md5", "sha256", "salt",
        "scores", *(f"tiles{seat}" for seat in range(4)),
        *(f"begin_tiles[{seat}]" for seat in range(4)), "players", "tingpai", "liujumanguan",
        "old_scores", "oldScores", "delta_scores", "deltaScores", "hules",
        # those of a win
        "hand", "hu_tile", "huTile", "zimo", "li_doras", "liDoras", "yiman", "count", "fans", "id",
        "val", "fu", "point_rong", "pointRong", "point_zimo_xian", "pointZimoXian",
        "point_zimo_qin", "pointZimoQin", "qinjia", "title", "title_id", "titleId",
    )
)  # fmt: skip
"""All keys whose values are read."""
_LONGEST_PLAIN = 200
"""The most bytes of a plain draw, discard or call; deals and wins have several times as many."""
_PATH_KEY = re.compile(r"[\w]+")


def read_tile(text: Any) -> int:
    """Return the code of a tile."""
    code = TILES.get(text) if type(text) is str else None
    if code is None:
        raise LogError(f"{str(text)[:40]!r} is not a tile")
    return code


def read_tiles(texts: list[Any]) -> list[int]:
    """Return the codes of tiles."""
    try:
        return [TILES[text] for text in texts]
    except (KeyError, TypeError):
        return [read_tile(text) for text in texts]


def call_event(record: dict[str, Any]) -> int:
    """Return the packed event of a chi, pon or daiminkan; the caller checks its seat."""
    seat = record.get("seat", 0)
    kind, count = _CALLS[whole(record.get("type", 0), ".type", 0, 2)]
    tiles = read_tiles(items(record.get("tiles"), ".tiles"))
    froms = wholes(record.get("froms"), ".froms", count)
    called = [at for at, source in enumerate(froms) if source != seat]
    if len(tiles) != count or len(called) != 1:
        raise LogError("a call takes one tile from another seat")
    tile = tiles.pop(called[0])
    return pack(kind, seat, tile, froms[called[0]], consumed=tiles)


class Scanned(NamedTuple):
    """The parts of a game's text."""

    frame: dict[str, Any]
    """Everything except its records."""
    path: str
    """The path of the records."""
    text: bytes
    """The pruned text of the records."""
    starts: Array
    stops: Array
    meanings: Array
    """int64: of each record, its packed event, ``NOTHING`` or ``SPECIAL``."""

    def record(self, index: int) -> Any:
        """Return the value of a record that must be read by itself."""
        return orjson.loads(self.text[self.starts[index] : self.stops[index]])


def scan(text: bytes, root: str) -> Scanned | None:
    """Return the parts of a game; None if that is not possible without parsing all of it."""
    nodes = tape(text)
    if nodes is None:
        return None
    longest, elements = nodes.longest_array()
    keys = nodes.keys_above(longest) if longest >= 0 else None
    if not keys or not all(map(_PATH_KEY.fullmatch, keys)):
        return None
    frame, path = _without(nodes, longest), ".".join([root, *keys])
    try:
        # an object has each key once, so one path is one list
        if type(frame) is not dict or find_records(frame, root) != ([], path):
            return None
    except LogError:
        return None
    pruned = nodes.pruned(elements, _KEPT)
    return Scanned(frame, path, *pruned, _MEANINGS.meanings(*pruned))


def _without(nodes: Tape, array: int) -> Any:
    """Return the value of a text, with its one array as an empty list."""
    text, start, stop = nodes.text, nodes.starts[array], nodes.stops[array]
    return orjson.loads(text[: start + 1] + text[stop - 1 :])


def _meaning(text: bytes) -> int:
    """Return what an entry of the list means by itself, in any game."""
    if len(text) > _LONGEST_PLAIN:
        return SPECIAL
    try:
        known = unwrapped(orjson.loads(text))
        if known is None:
            return NOTHING
        kind, record = kind_by_itself(*known), known[1]
        if "doras" in record:
            return SPECIAL
        seat = record.get("seat", 0)
        if kind == DEAL_TILE:
            return DRAWS[seat, record["tile"]]
        if kind == DISCARD_TILE and not any(record.get(key) for key in RIICHI_KEYS):
            return DISCARDS[seat, record["tile"], record.get("moqie", False)]
        if kind == CHI_PENG_GANG:
            whole(seat, ".seat", 0, 3)
            return call_event(record)
    except (LogError, KeyError, TypeError, ValueError):
        pass  # the error is reported where its place is known
    return SPECIAL


_MEANINGS = TextMemo(_meaning)
