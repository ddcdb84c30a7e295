"""Hands of Chinese Official for the tests: written, random, and as scored by another engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paifu.game.tiles import parse_tiles
from paifu.rules.fan.game import Game
from paifu.rules.fan.scoring import score_game
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.shapes import ANKAN, CHI, DAIMINKAN, PON

LETTERS = "WBT"
POOLS: tuple[Sequence[int], ...] = (
    range(9), range(18), range(34), range(34), range(27), range(27, 34), (0, 8, 9, 17, 18, 26),
    (19, 20, 21, 23, 25, 32), (0, 8, *range(27, 34)),
)  # fmt: skip
"""Kinds of which random hands are made: few at a time, so that rare fan occur."""
MELDS = {"chi": CHI, "pung": PON, "kong": DAIMINKAN, "concealed": ANKAN}


@dataclass
class Win:
    """One win: concealed kinds without the winning tile, and the circumstances."""

    tiles: list[int]
    win: int
    melds: list[tuple[int, int]] = field(default_factory=list)
    tsumo: bool = False
    flowers: int = 0
    seat_wind: int = 1
    round_wind: int = 0
    last_copy: bool = False
    about_kong: bool = False
    last_tile: bool = False


def win(tiles: str, tile: str, melds: Sequence[tuple[str, str]] = (), **circumstances: Any) -> Win:
    """Return a win written in MPSZ; melds are like ``("chi", "123m")``."""
    made = [(MELDS[word], min(parse_tiles(text))) for word, text in melds]
    return Win(parse_tiles(tiles), parse_tiles(tile)[0], made, **circumstances)


def hands_of(wins: Sequence[Win]) -> Hands:
    """Return the wins as a batch; seat 1 wins, from seat 2 unless self-drawn."""
    hands = Hands.blank(len(wins))
    for row, each in enumerate(wins):
        np.add.at(hands.concealed[row], [*each.tiles, each.win], 1)
        for at, (kind, tile) in enumerate(each.melds):
            hands.meld_kind[row, at], hands.meld_tile[row, at] = kind, tile
    hands.win_tile[:] = [each.win for each in wins]
    hands.tsumo[:] = [each.tsumo for each in wins]
    hands.winner[:] = 1
    hands.loser[:] = np.where(hands.tsumo, -1, 2)
    hands.seat_wind[:] = [each.seat_wind for each in wins]
    hands.dealer[:] = (1 - hands.seat_wind) % 4
    hands.round_wind[:] = [each.round_wind for each in wins]
    hands.flowers[:] = [each.flowers for each in wins]
    hands.last_copy[:] = [each.last_copy for each in wins]
    about_kong = np.array([each.about_kong for each in wins], dtype=bool)
    last_tile = np.array([each.last_tile for each in wins], dtype=bool)
    hands.rinshan[:], hands.chankan[:] = about_kong & hands.tsumo, about_kong & ~hands.tsumo
    hands.haitei[:], hands.houtei[:] = last_tile & hands.tsumo, last_tile & ~hands.tsumo
    return hands


def fan_of(wins: Sequence[Win], game: Game) -> tuple[list[Counter[str]], list[dict[str, Any]]]:
    """Return the points of each fan by Chinese name, and the row of each win."""
    frame, yaku, _ = score_game(hands_of(wins), game)
    names = {fan.key: fan.name for fan in game.fan}
    found: list[Counter[str]] = [Counter() for _ in wins]
    for hand, key, points in yaku.iter_rows():
        found[hand][names[key]] += points
    return found, list(frame.iter_rows(named=True))


def random_wins(seed: int, count: int) -> Iterator[Win]:
    """Wins of every form with random circumstances; half have few suits and so many fan."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        each = _random_hand(rng)
        if each is None:
            continue
        tiles, melds = each
        win_tile = int(rng.choice(tiles))
        tiles.remove(win_tile)
        tsumo = bool(rng.random() < 0.5)
        copies = Counter([*tiles, win_tile])
        for kind, first in melds:
            copies.update(range(first, first + 3) if kind == CHI else [first] * 3)
        kongs = [kind for kind, _ in melds if kind in (DAIMINKAN, ANKAN)]
        last_copy = copies[win_tile] == 1 and rng.random() < 0.2
        about_kong = rng.random() < 0.1 and (bool(kongs) if tsumo else copies[win_tile] == 1)
        yield Win(
            tiles,
            win_tile,
            melds,
            tsumo,
            int(rng.integers(0, 4)) if rng.random() < 0.2 else 0,
            int(rng.integers(4)),
            int(rng.integers(4)),
            bool(last_copy),
            bool(about_kong),
            bool(rng.random() < 0.1 and not about_kong),
        )
        made += 1


def _random_hand(rng: np.random.Generator) -> tuple[list[int], list[tuple[int, int]]] | None:
    form = rng.random()
    if form < 0.04:
        kinds = rng.choice(34, 7) if rng.random() < 0.5 else rng.integers(0, 3) + np.arange(7)
        tiles = [int(kind) for kind in kinds for _ in range(2)]
        return (tiles, []) if max(Counter(tiles).values()) <= 4 else None
    knitted = [
        9 * suit + first + 3 * step
        for first, suit in enumerate(rng.permutation(3))
        for step in range(3)
    ]
    if form < 0.08:
        honours = int(rng.integers(5, 8))
        tiles = [*rng.choice(range(27, 34), honours, replace=False)]
        tiles += [*rng.choice(knitted, 14 - honours, replace=False)]
        return [int(kind) for kind in tiles], []
    sets = 1 if form < 0.12 else 4
    concealed = [int(kind) for kind in knitted] if sets == 1 else []
    melds: list[tuple[int, int]] = []
    suits = POOLS[rng.integers(len(POOLS))]
    runs = rng.choice([0.1, 0.5, 0.9])
    near = int(rng.choice(suits))
    copies = Counter(concealed)
    for _ in range(sets):
        kind = int(rng.choice(suits)) if rng.random() < 0.6 else near
        if rng.random() < runs:
            if kind >= 27 or kind % 9 > 6:
                return None
            tiles = [kind, kind + 1, kind + 2]
            meld = CHI
        else:
            tiles = [kind] * 3
            meld = int(rng.choice([PON, DAIMINKAN, ANKAN], p=[0.6, 0.2, 0.2]))
        if rng.random() < 0.35:
            melds.append((meld, kind))
            copies.update([kind] * 4 if meld in (DAIMINKAN, ANKAN) else tiles)
        else:
            concealed += tiles
            copies.update(tiles)
    pair = int(rng.choice(suits))
    concealed += [pair] * 2
    copies.update([pair] * 2)
    return (concealed, melds) if max(copies.values()) <= 4 else None


def tile_name(kind: int) -> str:
    """Return a kind as Botzone and PyMahjongGB write it."""
    if kind < 27:
        return f"{LETTERS[kind // 9]}{kind % 9 + 1}"
    return f"F{kind - 26}" if kind < 31 else {31: "J3", 32: "J2", 33: "J1"}[kind]


def other_arguments(each: Win) -> tuple[Any, ...]:
    """Return a win as the arguments of PyMahjongGB's calculator."""
    packs = tuple(
        (
            {CHI: "CHI", PON: "PENG", DAIMINKAN: "GANG", ANKAN: "GANG"}[kind],
            tile_name(tile + 1 if kind == CHI else tile),
            0 if kind == ANKAN else 1,
        )
        for kind, tile in each.melds
    )
    tiles = tuple(tile_name(kind) for kind in each.tiles)
    return (
        packs, tiles, tile_name(each.win), each.flowers, each.tsumo, each.last_copy,
        each.about_kong, each.last_tile, each.seat_wind, each.round_wind, True,
    )  # fmt: skip


def other_engine(each: Win) -> Counter[str]:
    """Return PyMahjongGB's points of each fan by Chinese name."""
    from MahjongGB import MahjongFanCalculator

    waits = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}
    found: Counter[str] = Counter()
    for points, times, name, _ in MahjongFanCalculator(*other_arguments(each)):
        found[waits.get(name, name)] += points * times
    return found
