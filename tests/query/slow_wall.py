"""Walls from a log's seed, with only Python's own generator and hashes.

The seed is 624 words for MT19937's ``init_by_array``; :class:`random.Random` does the same with the
integer that they make. For each round, 288 words are hashed into the numbers of a shuffle.
"""

from __future__ import annotations

import base64
import hashlib
import random
import struct
from functools import cache

from tests.query.slow_game import Game, Round, Seat, Tenpai
from tests.query.slow_hands import dora_of

KNOWN = "mt19937ar-sha512-n288-base64,"


@cache
def _walls(seed: str, players: int, rounds: int) -> list[list[int]]:
    key = base64.b64decode(seed.removeprefix(KNOWN))
    generator = random.Random(int.from_bytes(key, "little"))
    walls = []
    for _ in range(rounds):
        words = struct.pack("<288I", *(generator.getrandbits(32) for _ in range(288)))
        hashed = b"".join(
            hashlib.sha512(words[at : at + 128]).digest() for at in range(0, len(words), 128)
        )
        numbers = struct.unpack("<144I", hashed)
        wall = [tile for tile in range(136) if players == 4 or not 4 <= tile < 32]
        for at in range(len(wall) - 1):
            other = at + numbers[at] % (len(wall) - at)
            wall[at], wall[other] = wall[other], wall[at]
        walls.append(wall)
    return walls


def wall(now: Round) -> list[int] | None:
    """Return a round's wall in array order, or None if the log has no seed of that form."""
    game: Game = now.game
    if not game.seed.startswith(KNOWN):
        return None
    return _walls(game.seed, game.players, len(game.rounds))[now.index]


def ahead(now: Round, at: Tenpai) -> list[int]:
    """Return the kinds still to be drawn from the live wall, in order."""
    tiles = wall(now)
    assert tiles is not None
    drawn = [tile // 4 for tile in reversed(tiles)][13 * now.game.players :]
    return drawn[at.draws : at.draws + at.left]


def in_wall(now: Round, at: Tenpai) -> int:
    """Return how many of the tiles waited for are in the live wall."""
    return sum(kind in at.kinds for kind in ahead(now, at))


def next_draw(now: Round, at: Tenpai, every: int) -> int | None:
    """Return which draw of the seat that draws last in each go-around brings a winning tile."""
    draws = ahead(now, at)[every - 1 :: every]
    return next((place for place, kind in enumerate(draws, 1) if kind in at.kinds), None)


def ura_han(now: Round, seat: Seat) -> int:
    """Return the han that the ura of a win would give its hand."""
    tiles, won = wall(now), seat.win
    assert tiles is not None
    assert won is not None
    first = 4 if now.game.players == 4 else 8
    under = [tiles[first + 2 * at] for at in range(len(won.indicators))]
    held = [*won.hand, *(tile for meld in won.melds for tile in meld.tiles)]
    return sum(tile // 4 == dora_of(ura // 4, now.game.players) for ura in under for tile in held)
