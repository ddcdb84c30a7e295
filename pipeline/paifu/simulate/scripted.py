"""Scripted games: walls laid by hand and seats that follow a script, for rare events.

A scenario is a few such rounds. Then the game goes on by free play with other walls to its end, so
that the result is always a whole legal game. It has no SHUFFLE seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from paifu.errors import UsageError
from paifu.game.tiles import KIND_OF, KINDS, parse_tiles, tiles_text
from paifu.rules import rulesets
from paifu.rules.hands.suit_tables import suit_tables
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import SEAT_PURPOSE, Game, finish_rounds, new_tables
from paifu.simulate.people import seatings
from paifu.simulate.play_round import play_rounds
from paifu.simulate.script import no_script
from paifu.simulate.table_kernels import DEAD_WALL, FIRST_DORA_3P, FIRST_DORA_4P, HAIPAI, clear
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAWN_GAME,
    KAKAN,
    KITA,
    LEAVE,
    PON,
    RED_TILES,
    RETURN,
    RIICHI,
    TILES,
    WIN,
)
from paifu.simulate.wall_building import game_words, tile_set

Wall = npt.NDArray[np.int16]

SCENARIO_SEED = 20_260_101
_WORDS = {
    "discard": DISCARD, "riichi": RIICHI, "chi": CHI, "pon": PON, "kan": DAIMINKAN,
    "ankan": ANKAN, "kakan": KAKAN, "kita": KITA, "kyuushu": DRAWN_GAME, "leave": LEAVE,
    "return": RETURN, "ron": WIN, "tsumo": WIN,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Deal:
    """A round laid by hand; everything that is not given is filled from the tiles left over.

    Tiles are MPSZ, red fives ``0m 0p 0s``. The script has a line for each act, ``seat verb tile``:
    ``0 riichi 9s``, ``1 pon 5z``, ``2 chi 3m from 2m`` (the called tile, and the run's first tile),
    ``0 tsumo``, ``3 ron 5p``. A seat does its next line as soon as it can; until then it discards
    the tile that it draws.
    """

    script: Sequence[str]
    hands: dict[int, str] = field(default_factory=dict)
    """Haipai by seat, 13 tiles or fewer."""
    draws: str = ""
    """Draws from the live wall in order, for any seat."""
    own_draws: dict[int, str] = field(default_factory=dict)
    """Draws by seat, if no call changes the order."""
    rinshan: str = ""
    dora: str = ""
    """Indicators in the order in which they are turned up; ``ura`` in the same order."""
    ura: str = ""
    last: str = ""
    """The last tiles of the live wall, in order."""
    away: str = ""
    """Tiles to keep out of the live wall: they go to the dead wall, or to other hands."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scripted game: its name, what it shows, its players and its first rounds."""

    name: str
    shows: str
    deals: tuple[Deal, ...]
    players: int = 4
    length: str = "east"
    kuitan: bool = True
    rules: str = ""
    """The name of a rule set, if not Tenhou's usual rules."""


class _Supply:
    """The tiles that are not placed yet."""

    def __init__(self, players: int) -> None:
        self.left = tile_set(players).tolist()

    def take(self, code: int) -> int:
        """Take a tile of a code: a red five only if it is named, or if no other tile is left."""
        kind = int(KIND_OF[code])
        copies = [tile for tile in self.left if tile // 4 == kind]
        red = [tile for tile in copies if tile in RED_TILES]
        plain = [tile for tile in copies if tile not in RED_TILES]
        wanted = red if code >= KINDS else plain + red
        if not wanted:
            raise UsageError(f"a scenario uses more {tiles_text([code])} than there are")
        self.left.remove(wanted[0])
        return int(wanted[0])


def lay_wall(deal: Deal, players: int, dealer: int, seed: int) -> Wall:
    """Return the wall of a deal, int16[136], -1 beyond a three-player set.

    Raises ``UsageError`` for a fifth copy of a tile.
    """
    supply = _Supply(players)
    size = len(supply.left)
    wall = np.full(TILES, -1, dtype=np.int16)
    live = size - 1 - HAIPAI * players
    hands = _hand_positions(players, dealer, size)
    first_dora = FIRST_DORA_4P if players == 4 else FIRST_DORA_3P
    layout: list[tuple[str, list[int]]] = [(deal.hands[seat], hands[seat]) for seat in deal.hands]
    layout.append((deal.draws, list(range(live, DEAD_WALL - 1, -1))))
    for seat, text in deal.own_draws.items():
        first = live - (seat - dealer) % players
        layout.append((text, list(range(first, DEAD_WALL - 1, -players))))
    layout += [
        (deal.rinshan, [1, 0, 3, 2] if players == 4 else [1, 0, 3, 2, 5, 4, 7, 6]),
        (deal.dora, [first_dora + 2 * nth for nth in range(5)]),
        (deal.ura, [first_dora - 1 + 2 * nth for nth in range(5)]),
    ]
    for text, positions in layout:
        for position, code in zip(positions, parse_tiles(text), strict=False):
            wall[position] = supply.take(code)
    last = parse_tiles(deal.last)
    for nth, code in enumerate(last):
        wall[DEAD_WALL + len(last) - 1 - nth] = supply.take(code)
    _keep_away(deal, wall, supply, [p for seat in range(players) for p in hands[seat]])
    rest = np.random.Generator(np.random.PCG64(seed)).permutation(np.array(supply.left))
    wall[np.flatnonzero(wall[:size] < 0)] = rest
    return wall


def _hand_positions(players: int, dealer: int, size: int) -> dict[int, list[int]]:
    """Return the wall positions of each seat's haipai, in the order of the deal."""
    positions: dict[int, list[int]] = {seat: [] for seat in range(players)}
    at = size - 1
    for block in range(4):
        for step in range(players):
            for _ in range(4 if block < 3 else 1):
                positions[(dealer + step) % players].append(at)
                at -= 1
    return positions


def _keep_away(deal: Deal, wall: Wall, supply: _Supply, hands: list[int]) -> None:
    """Place tiles that must not be drawn in free places of the dead wall, then of the hands."""
    free = [at for at in range(DEAD_WALL) if wall[at] < 0] + [at for at in hands if wall[at] < 0]
    for kind in dict.fromkeys(int(KIND_OF[code]) for code in parse_tiles(deal.away)):
        for tile in [tile for tile in supply.left if tile // 4 == kind]:
            if not free:
                raise UsageError("a scenario keeps more tiles away than there is room for")
            wall[free.pop(0)] = tile
            supply.left.remove(tile)


def parse_line(line: str) -> tuple[int, int, int, int]:
    """Return a line of a script as its row: seat, event, code, detail.

    >>> parse_line("2 chi 3m from 2m") == (2, CHI, 2, 1)
    True

    Raises ``UsageError`` for an invalid line.
    """
    words = line.split()
    try:
        seat, event = int(words[0]), _WORDS[words[1]]
        code = parse_tiles(words[2])[0] if len(words) > 2 else -1
        detail = int(words[1] == "tsumo")
        if event == CHI:
            detail = parse_tiles(words[4])[0]
    except (IndexError, KeyError, ValueError) as error:
        raise UsageError(f"{line!r} is no line of a script") from error
    return seat, event, code, detail


def play_scenario(scenario: Scenario, number: int | None = None) -> Game:
    """Play a scenario and the rest of its game.

    Everything that the script leaves open follows from ``number``. By default, it is made from the
    scenario's name, so that adding another scenario changes no byte of this one. Raises
    ``UsageError`` with the first line of a script that could not be done.
    """
    if number is None:
        number = zlib.crc32(scenario.name.encode())
    players = scenario.players
    rules = rulesets.get(scenario.rules or f"tenhou-{players}p")
    flow = flow_of(rules, players, scenario.length, True, scenario.kuitan)
    numbers = np.array([number], dtype=np.int64)
    seats = seatings(game_words(SCENARIO_SEED, numbers, players + 1, SEAT_PURPOSE), players)
    game = Game(number, flow, rules, None, seats[0])
    tables = new_tables(numbers, SCENARIO_SEED, flow, seats)
    live = np.zeros(1, dtype=np.int64)
    played = 0
    while len(live):
        deal = scenario.deals[played] if played < len(scenario.deals) else Deal(())
        dealer = int(tables["number"][0])
        tables["wall"][0] = lay_wall(deal, players, dealer, 1000 * number + played)
        clear(tables, live, flow)
        script, done = _script(deal)
        play_rounds(tables, live, flow.for_kernels(), suit_tables(players), script, done)
        if not done.all():
            line = deal.script[int(np.flatnonzero(~done)[0])]
            raise UsageError(
                f"scenario {scenario.name}, round {played}: {line!r} was never possible"
            )
        live = finish_rounds(tables, live, [game])
        played += 1
    if played < len(scenario.deals):
        raise UsageError(f"scenario {scenario.name} ended after round {played - 1}")
    return game


def _script(deal: Deal) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    if not deal.script:
        return no_script()
    rows = np.array([parse_line(line) for line in deal.script], dtype=np.int16)
    return rows, np.zeros(len(rows), dtype=np.bool_)
