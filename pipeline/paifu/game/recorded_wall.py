"""Walls that a log records; they are stored in the place of seeds, from which other walls follow.

They are text, one line per round::

    <tiles dealt>|<wall> [<algorithm> <digest> [<salt>]]

Tiles are MPSZ, in the order in which they are taken, from the front; the last tile of the dead wall
is the first replacement tile. The tiles dealt are given separately only if the recorded wall begins
after them. The digest is the hash of the wall as text, followed by the salt. A server shows the
digest before the deal, so that it can prove afterwards that it has not changed the wall.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paifu.errors import LogError
from paifu.game.tiles import CODE, NO_TILE
from paifu.game.wall import TILES, Array, Layout, Walls

RECORDED = "recorded"
"""The kind of a seed that holds the walls themselves."""

LAYOUTS = {
    4: Layout(RECORDED, (0, 1, 2, 3), (4, 6, 8, 10, 12), (5, 7, 9, 11, 13)),
    3: Layout(RECORDED, (0, 1, 2, 3, 4, 5, 6, 7), (8, 10, 12, 14, 16), (9, 11, 13, 15, 17)),
}
"""Positions of the dead wall's tiles, counted from the end."""
_ALGORITHMS = ("sha256", "md5")


class RecordedWall(NamedTuple):
    """The wall of a round as a log gives it."""

    wall: str
    """MPSZ, beginning with the first tile taken."""
    dealt: str = ""
    """The tiles dealt, if ``wall`` begins after them."""
    algorithm: str = ""
    """``sha256`` or ``md5``; ``""`` without a digest."""
    digest: str = ""
    salt: str = ""

    def computed(self) -> str:
        """Return the digest of the wall, in upper or lower case like the recorded digest."""
        text = (self.wall + self.salt).encode("utf-8", "surrogatepass")
        digest = hashlib.new(self.algorithm, text, usedforsecurity=False).hexdigest()
        return digest.upper() if self.digest.isupper() else digest


def seed_of(walls: Sequence[RecordedWall]) -> bytes:
    r"""Return the walls of a game as one seed.

    >>> seed_of([RecordedWall("1m2m", digest="ab", algorithm="md5")])
    b'|1m2m md5 ab'
    """
    lines = [
        " ".join(
            part for part in (f"{w.dealt}|{w.wall}", w.algorithm, w.digest, w.salt) if part
        )
        for w in walls
    ]  # fmt: skip
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def read_walls(seed: bytes) -> list[RecordedWall]:
    """Return the walls of a seed; raise :class:`~paifu.errors.LogError` if it holds no walls."""
    try:
        lines = seed.decode().split("\n")
    except UnicodeDecodeError as error:
        raise LogError(f"the recorded walls are not text (byte {error.start})") from None
    return [_wall(line) for line in lines]


def _wall(line: str) -> RecordedWall:
    parts = line.split(" ")
    dealt, _, wall = parts[0].partition("|")
    if len(parts) == 1:
        return RecordedWall(wall, dealt)
    if len(parts) > 4 or len(parts) < 3 or parts[1] not in _ALGORITHMS:
        raise LogError("a recorded wall has a digest of an unknown kind")
    return RecordedWall(wall, dealt, *parts[1:])


def codes_of(walls: Sequence[RecordedWall], players: int, rounds: int) -> Array:
    """Return int8[rounds, 136 or 108]: the walls of the first rounds, the last tile taken first.

    Raises :class:`~paifu.errors.LogError` if walls or tiles are missing.
    """
    if len(walls) < rounds:
        raise LogError(f"walls of {len(walls)} of the {rounds} rounds are recorded")
    size = TILES[players]
    codes = np.empty((rounds, size), dtype=np.int8)
    for at, wall in enumerate(walls[:rounds]):
        text = wall.dealt + wall.wall
        tiles = [CODE.get(text[start : start + 2], NO_TILE) for start in range(0, len(text), 2)]
        if len(tiles) != size or NO_TILE in tiles:
            raise LogError(f"the recorded wall of round {at} is not of {size} tiles")
        codes[at] = tiles[::-1]
    return codes


def walls_of(codes: Sequence[Array], players: int) -> Walls:
    """Return the walls of the rounds of several games; the dice do not follow from them."""
    size = TILES[players]
    tiles = np.concatenate([np.empty((0, size), dtype=np.int8), *codes])
    return Walls(LAYOUTS[players], players, tiles, np.zeros((len(tiles), 2), dtype=np.int8))
