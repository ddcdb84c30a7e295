"""Reads the rounds of a tenhou.net/6 game from parsed JSON; every error has a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from paifu.errors import LogError
from paifu.formats.builder import Builder, located
from paifu.formats.json.text import items, whole, wholes
from paifu.formats.tenhou_json.acts import TILES, token
from paifu.formats.tenhou_json.play_order import NO_ORDER
from paifu.formats.tenhou_json.result import Result, Value, read_result
from paifu.formats.tenhou_json.round_columns import INDICATORS, Rounds, Wins, played
from paifu.game.events import Array
from paifu.game.tiles import NO_TILE
from paifu.messages import counted

Placed = tuple[str, list[Any]]
"""A round and its path."""
HAIPAI_AT, DRAWS_AT, DISCARDS_AT = 4, 5, 6
"""Index of the first seat's lists in a round; each further seat's lists are three later."""
LISTS_4P, LISTS_3P = 17, 14
"""How many lists a round has; with three players there may also be empty lists for a fourth
seat."""
MAX_ROUNDS = 256
"""Rounds that a game may have; East to North with every repeat has far fewer."""
MOST = 2**15 - 1
"""The largest number of honba, sticks or han."""


class _Round(NamedTuple):
    """A round without its play."""

    head: list[int]
    scores: list[int]
    indicators: list[int]
    ura: list[int]
    haipai: list[int]
    result: Result


def players_of(round_: Any, path: str) -> int:
    """Return the number of players from the number of a round's lists."""
    lists = items(round_, path)
    if len(lists) not in (LISTS_3P, LISTS_4P):
        raise LogError(f"a round has {LISTS_4P} lists or {LISTS_3P}, not {len(lists)}", path)
    return 3 if len(lists) == LISTS_3P or lists[13] == [] else 4


def read_rounds(builder: Builder, rounds: Sequence[Placed], players: int) -> list[int]:
    """Add a game's rounds to the builder.

    Returns the rounds whose results have a name or text that is not known.
    """
    frames: list[_Round] = []
    for path, round_ in rounds:
        with located(path):
            frames.append(_read_frame(round_, players))
    rows, counts = played(_columns(rounds, frames, players))
    for (path, _), count in zip(rounds, counts.tolist(), strict=True):
        if count < 0:
            many = "no order" if count == NO_ORDER else "too many orders"
            raise LogError(f"the draws and discards of the seats fit {many} of play", path)
    builder.rows(rows, 0, len(frames))
    return [at for at, frame in enumerate(frames) if frame.result.unknown]


def _read_frame(round_: list[Any], players: int) -> _Round:
    """Return a round without its play; places of errors are relative to the round."""
    head = wholes(round_[0], "[0]", 3)
    if whole(head[0], "[0][0]", 0, 15) % 4 >= players:
        raise LogError(f"round {head[0]} has no dealer with three players", "[0][0]")
    for at in (1, 2):
        whole(head[at], f"[0][{at}]", 0, MOST)
    hands = [round_[at] for at in range(HAIPAI_AT, HAIPAI_AT + 3 * players, 3)]
    dealt = [_tiles(hand, f"[{HAIPAI_AT + 3 * seat}]", 13) for seat, hand in enumerate(hands)]
    return _Round(
        head,
        wholes(round_[1], "[1]", 4),
        _tiles(round_[2], "[2]", INDICATORS),
        _tiles(round_[3], "[3]", INDICATORS),
        [code for hand in dealt for code in hand] + [NO_TILE] * (13 * (4 - players)),
        read_result(round_[-1], players, f"[{len(round_) - 1}]"),
    )


def _tiles(elements: Any, path: str, room: int) -> list[int]:
    """Return the codes of a list of tiles, filled up with ``NO_TILE`` to ``room`` codes."""
    tiles = items(elements, path)
    if len(tiles) > room:
        raise LogError(f"{counted(len(tiles), 'tile')} where there may be at most {room}", path)
    try:
        return [TILES[tile] for tile in tiles] + [NO_TILE] * (room - len(tiles))
    except (KeyError, TypeError):
        known = [type(tile) is int and tile in TILES for tile in tiles]
        bad = known.index(False)
        raise LogError(f"{str(tiles[bad])[:40]!r} is not a tile", f"{path}[{bad}]") from None


def _columns(rounds: Sequence[Placed], frames: Sequence[_Round], players: int) -> Rounds:
    draws, drawn = _tokens(rounds, players, draws=True)
    discards, discarded = _tokens(rounds, players, draws=False)
    lengths = np.array([drawn, discarded]).reshape(2, len(rounds), players)
    starts, stops = np.zeros((2, len(rounds), 8), dtype=np.int64)
    ends = lengths.cumsum().reshape(lengths.shape)
    for which in range(2):
        stops[:, which : 2 * players : 2] = ends[which]
        starts[:, which : 2 * players : 2] = ends[which] - lengths[which]
    results = [frame.result for frame in frames]

    def column(name: str) -> Array:
        return np.array([getattr(frame, name) for frame in frames], dtype=np.int64)

    return Rounds(
        np.full(len(rounds), players),
        column("head"),
        column("scores"),
        column("indicators"),
        column("ura"),
        column("haipai"),
        np.array(draws + discards, dtype=np.int64),
        starts,
        stops,
        np.array([result.outcome for result in results], dtype=np.int64),
        np.array([result.tenpai for result in results], dtype=np.int64),
        np.array([result.delta for result in results], dtype=np.int64),
        _wins(results),
    )


def _wins(results: Sequence[Result]) -> Wins:
    wins = [(at, win) for at, result in enumerate(results) for win in result.wins]

    def table(rows: Sequence[Sequence[int]], width: int) -> Array:
        return np.array(rows, dtype=np.int64).reshape(-1, width)

    return Wins(
        np.array([at for at, _ in wins], dtype=np.int64),
        table([(win.who, win.from_seat, win.pao) for _, win in wins], 3),
        table([win.delta for _, win in wins], 4),
        table([value_columns(win.value) for _, win in wins], 6),
        np.array([win.yakuman for _, win in wins], dtype=np.int64),
        table([(at, *yaku) for at, (_, win) in enumerate(wins) for yaku in win.yaku], 3),
    )


def value_columns(value: Value | None) -> tuple[int, ...]:
    """Return the ``VALUES`` of a win's value; -1 for a number it does not have."""
    value = value or Value()
    first, second, *_ = (*value.points, -1, -1)
    return value.fu, value.han, value.limit, first, second, int(value.each)


def _tokens(rounds: Sequence[Placed], players: int, *, draws: bool) -> tuple[list[int], list[int]]:
    """Return the tokens of all seats' draws or discards, and the length of each list."""
    first = DRAWS_AT if draws else DISCARDS_AT
    tokens: list[int] = []
    lengths = []
    for path, round_ in rounds:
        for at in range(first, first + 3 * players, 3):
            elements = items(round_[at], f"{path}[{at}]")
            for place, element in enumerate(elements):
                try:
                    tokens.append(token(element, draws=draws))
                except (ValueError, KeyError, TypeError):
                    act = "draw or call" if draws else "discard, kan or north"
                    shown, where = str(element)[:40], f"{path}[{at}][{place}]"
                    raise LogError(f"{shown!r} is not a {act}", where) from None
            lengths.append(len(elements))
    return tokens, lengths
