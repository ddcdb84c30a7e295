"""Botzone's games of Chinese Official: match logs in JSON, and the text form of its data set.

A match is one hand. Each seat draws from its own wall, seat 0 is east and deals, and there are no
flowers. Both forms use the same words: ``Draw``, ``Play``, ``Chi`` (with the middle tile),
``Peng``, ``Gang``, ``AnGang``, ``BuGang``, ``Hu``. Tiles are W, B, T (manzu, pinzu, souzu) with a
number, F1-F4 winds, J1-J3 the red, green and white dragon.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats.base import Blob, Imported
from paifu.formats.botzone.fan_names import FAN
from paifu.formats.builder import NO_POINTS, NOT_SHOWN, Builder, WinRecord, located, pack
from paifu.formats.json.text import documents, fields, items, parse, text_or_none, whole
from paifu.formats.read_loop import read_each
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    KAKAN,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_UNKNOWN,
    PON,
    RYUUKYOKU,
    UNKNOWN,
    GameInfo,
)
from paifu.game.tiles import EAST, NO_TILE, WHITE
from paifu.messages import counted

KEY = "botzone"
TITLE = "Botzone Chinese Official (match JSON, data set text)"

_TEXT_START = re.compile(rb"\s*Match [0-9A-Za-z]+\s+Wind [0-3]\b")
_JSON_START = re.compile(rb'"(?:tileCnt|quan)"')
_WORDS = {
    "DRAW": "Draw", "PLAY": "Play", "CHI": "Chi", "PENG": "Peng", "GANG": "Gang",
    "BUGANG": "BuGang", "HU": "Hu",
}  # fmt: skip

TILES: dict[str, int] = {
    **{f"{suit}{n}": 9 * at + n - 1 for at, suit in enumerate("WBT") for n in range(1, 10)},
    **{f"F{n}": EAST + n - 1 for n in range(1, 5)},
    **{f"J{n}": WHITE + 3 - n for n in range(1, 4)},
}
"""Code of each tile as Botzone writes it."""


@dataclass(slots=True)
class Match:
    """One match, from either form."""

    wind: int
    deals: list[list[int]]
    steps: list[tuple[str, int, int]] = field(default_factory=list)
    """Word, seat and tile of each act in order; ``NO_TILE`` if no tile is given."""
    log_id: str | None = None
    names: tuple[str | None, ...] = (None,) * 4
    fan: int = -1
    fan_list: list[tuple[str, int]] | None = None
    """Name of each fan and how often it counts, as recorded."""
    score: list[int] | None = None


def sniff(head: bytes) -> bool:
    """Return whether content begins like a match of either form."""
    if _TEXT_START.match(head):
        return True
    return b'"display"' in head and _JSON_START.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read matches; a match that cannot be read becomes a reject."""
    return read_each(blobs, _matches, _add)


class _Found(NamedTuple):
    """Where a match is, its bytes, and the match or the reason why it cannot be read."""

    position: str
    text: bytes
    match: Match | LogError


def _matches(blob: Blob) -> Iterator[_Found]:
    data = blob.data.removeprefix(b"\xef\xbb\xbf")
    if _TEXT_START.match(data):
        starts = [match.start() for match in re.finditer(rb"^Match ", data, re.MULTILINE)]
        for start, stop in zip(starts, [*starts[1:], len(data)], strict=True):
            line = data.count(b"\n", 0, start) + 1
            text = data[start:stop]
            yield _Found(f"line {line}", text, _guarded(_read_text, text))
        return
    if data[:1] == b"[":  # only the list of the match's log
        yield _Found("$", data, _guarded(_read_whole, data))
        return
    for document in documents(data):
        found = document.error or _guarded(_read_json, document.value)
        yield _Found(document.position, document.text, found)


def _guarded(reader: Any, content: Any) -> Match | LogError:
    try:
        match: Match = reader(content)
    except LogError as error:
        return error
    return match


# --- the text form


def _read_text(text: bytes) -> Match:
    match = Match(0, [[] for _ in range(4)])
    for number, raw in enumerate(text.decode("utf-8", "replace").splitlines()):
        words = raw.split(" Ignore ")[0].split()
        if not words:
            continue
        with located(f"line +{number}"):
            head, rest = words[0], words[1:]
            if head == "Match" and rest:
                match.log_id = rest[0]
            elif head == "Wind" and rest:
                match.wind = _small(rest[0])
            elif head == "Player" and len(rest) >= 2:
                _text_step(match, _small(rest[0]), rest[1], rest[2:])
            elif head == "Fan" and rest:
                match.fan = _small(rest[0], 2000)
                match.fan_list = _fan_list(rest[1:])
            elif head == "Huang":
                match.steps.append(("Huang", -1, NO_TILE))
            elif head == "Score" and len(rest) == 4:
                match.score = [_small(word, 100_000) for word in rest]
            else:
                raise LogError(f"cannot read {raw[:60]!r}")
    return match


def _text_step(match: Match, seat: int, word: str, tiles: list[str]) -> None:
    if not 0 <= seat <= 3:
        raise LogError(f"there is no player {seat}")
    if word == "Deal":
        match.deals[seat] = [_tile(tile) for tile in tiles]
    elif len(tiles) == 1:
        match.steps.append((word, seat, _tile(tiles[0])))
    else:
        raise LogError(f"{word} has {counted(len(tiles), 'tile')}")


def _fan_list(words: list[str]) -> list[tuple[str, int]]:
    parts = [part.partition("*") for word in words for part in word.split("+")]
    return [(name, _small(times or "1", 100)) for name, _, times in parts]


def _small(word: str, most: int = 3) -> int:
    digits = word.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 6 or abs(int(word)) > most:
        raise LogError(f"{word[:20]!r} is not a number from 0 to {most}")
    return int(word)


def _tile(text: Any) -> int:
    code = TILES.get(text) if isinstance(text, str) else None
    if code is None:
        raise LogError(f"there is no tile {str(text)[:20]!r}")
    return code


# --- the JSON form


def _read_whole(data: bytes) -> Match:
    return _read_json({"logs": parse(data)})


def _read_json(value: Any) -> Match:
    log = fields(value, "$")
    match = Match(0, [[] for _ in range(4)])
    match.log_id = text_or_none(log.get("_id"))
    if isinstance(log.get("players"), list):
        names = [text_or_none(p.get("name")) for p in log["players"] if isinstance(p, dict)]
        match.names = tuple(names) if len(names) == 4 else match.names
    for at, entry in enumerate(items(log.get("logs"), ".logs")):
        output = entry.get("output") if isinstance(entry, dict) else None
        display = output.get("display") if isinstance(output, dict) else None
        if isinstance(display, dict):
            with located(f".logs[{at}].output.display"):
                _json_step(match, display)
    return match


def _json_step(match: Match, display: dict[str, Any]) -> None:
    action = display.get("action")
    if action == "INIT":
        match.wind = whole(display.get("quan"), ".quan", 0, 3)
    elif action == "DEAL":
        hands = items(display.get("hand"), ".hand")
        match.deals = [[_tile(tile) for tile in items(hand, ".hand")] for hand in hands]
    elif action == "HUANG":
        match.steps.append(("Huang", -1, NO_TILE))
    elif isinstance(action, str) and action in _WORDS:
        seat = whole(display.get("player"), ".player", 0, 3)
        last = match.steps[-1][0] if match.steps else ""
        tile = NO_TILE if action == "HU" else _tile(display.get("tile"))
        if action == "CHI":
            match.steps.append(("Chi", seat, _tile(display.get("tileCHI"))))
            match.steps.append(("Play", seat, tile))
        elif action == "PENG":
            match.steps.append(("Peng", seat, match.steps[-1][2] if match.steps else NO_TILE))
            match.steps.append(("Play", seat, tile))
        elif action == "GANG" and last == "Draw":
            match.steps.append(("AnGang", seat, tile))
        else:
            match.steps.append((_WORDS[action], seat, tile))
        if action == "HU":
            match.fan = whole(display.get("fanCnt"), ".fanCnt", 0, 2000)
            fan = items(display.get("fan"), ".fan")
            match.fan_list = [
                (str(each.get("name")), whole(each.get("cnt"), ".fan.cnt", 0, 100))
                for each in fan
                if isinstance(each, dict)
            ]
            score = items(display.get("score"), ".score")
            match.score = [whole(each, ".score", -100_000, 100_000) for each in score]
    else:
        raise LogError(f"an action {str(action)[:20]!r} that is not known")


# --- into the batch


def _add(builder: Builder, found: _Found, blob: Blob) -> None:
    """Add a match as a game of one round."""
    position, text, match = found
    if isinstance(match, LogError):
        raise match
    if len(match.deals) != 4 or any(len(deal) != 13 for deal in match.deals):
        raise LogError("the deal is not thirteen tiles for each of four seats")
    haipai = [tile for deal in match.deals for tile in deal]
    builder.round(match.wind, 0, 0, 0, [0] * 4, NO_TILE, haipai)
    hands = [Counter(deal) for deal in match.deals]
    last = ("", -1, NO_TILE)
    ended = ""
    for word, seat, tile in match.steps:
        if ended:
            raise LogError(f"{word} after the end")
        if word == "Hu":
            builder.win(_win(match, seat, last, hands[seat]))
            ended = word
        elif word == "Huang":
            builder.events.append(pack(RYUUKYOKU))
            ended = word
        else:
            builder.events.append(_event(word, seat, tile, last, hands[seat]))
            if word != "Chi" and word != "Peng":
                last = (word, seat, tile)
    if ended == "Hu":
        builder.won()
    else:
        builder.draw(OUTCOME_EXHAUSTIVE if ended else OUTCOME_UNKNOWN)
    builder.end_game(
        GameInfo(
            players=4,
            platform="botzone",
            format=KEY,
            log_id=match.log_id or _id_in_name(blob.name),
            ruleset="mcr",
            game="mcr",
            riichi=False,
            length="hand",
            names=match.names,
            bots=(True,) * 4,
            final_points=tuple(match.score) if match.score and len(match.score) == 4 else None,
            complete=bool(ended),
            member=blob.member,
            position=position,
            sha256=hashlib.sha256(text).digest(),
        )
    )


def _event(word: str, seat: int, tile: int, last: tuple[str, int, int], hand: Counter[int]) -> int:
    """Return an act as a packed event, and take it out of (or into) the hand."""
    called, giver = last[2], last[1]
    if word == "Draw":
        hand[tile] += 1
        return pack(DRAW, seat, tile)
    if word == "Play":
        hand[tile] -= 1
        return pack(DISCARD, seat, tile)
    if word == "Chi":
        run = [tile - 1, tile, tile + 1]
        if called not in run or tile >= EAST or not 1 <= tile % 9 <= 7:
            raise LogError(f"a chi around tile {tile} of a tile that is not in it")
        run.remove(called)
        hand.subtract(run)
        return pack(CHI, seat, called, giver, consumed=run)
    if word in ("Peng", "Gang"):
        own = [called] * (2 if word == "Peng" else 3)
        hand.subtract(own)
        return pack(PON if word == "Peng" else DAIMINKAN, seat, called, giver, consumed=own)
    if word == "AnGang":
        hand[tile] -= 4
        return pack(ANKAN, seat, tile, consumed=[tile] * 3)
    if word == "BuGang":
        hand[tile] -= 1
        return pack(KAKAN, seat, tile, consumed=[tile] * 3)
    raise LogError(f"an act {word[:20]!r} that is not known")


def _win(match: Match, seat: int, last: tuple[str, int, int], hand: Counter[int]) -> WinRecord:
    """Return what is recorded about the win, which is on the tile of the last act."""
    word, giver, tile = last
    if tile == NO_TILE or word not in ("Draw", "Play", "BuGang"):
        raise LogError("a win without a tile drawn, played or added just before")
    shown = sorted((+hand).elements())
    if word != "Draw":
        shown.append(tile)
    fits = len(shown) <= 14 and min(hand.values(), default=0) >= 0
    listed = match.fan_list or []
    known = bool(listed) and all(name in FAN for name, _ in listed)
    delta = match.score if match.score and len(match.score) == 4 else NO_POINTS
    return WinRecord(
        winner=seat,
        from_seat=giver,
        tile=tile,
        hand=[*shown, *NOT_SHOWN][:14] if fits else NOT_SHOWN,
        han=match.fan,
        points=delta[seat] if delta is not NO_POINTS else UNKNOWN,
        delta=delta,
        yaku=[(FAN[name][0], FAN[name][1] * times) for name, times in listed] if known else (),
    )


def _id_in_name(name: str) -> str | None:
    found = re.search(r"[0-9a-f]{24}", name)
    return found[0] if found else None
