"""Walls from seeds: regenerates every round's wall and dice from the seed in a Tenhou log.

One Mersenne Twister per game, keyed with the seed's words, gives all its rounds in order. A round
takes 288 words. SHA-512 of each of their nine blocks of 128 bytes gives 144 numbers in all: the
first numbers shuffle the tiles, and two later ones are the dice (formats §3.9, verified on 16,975
logs).

The wall is an array that is dealt and drawn **from its end backwards**. The replacement tiles and
the indicators are at its beginning; their positions depend on the kind of seed (:data:`LAYOUTS`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.errors import LogError
from paifu.game.tiles import RED_5M, TEXT
from paifu.kernels.compiling import njit

Array = npt.NDArray[Any]

TILES = {3: 108, 4: 136}
"""Tiles of the wall, by number of players."""
DEAL = 13
"""Tiles dealt to each seat; the dealer's fourteenth tile is the first draw."""

_WORDS = 288
"""How many words of the generator a round takes."""
_BLOCK = 128
"""Bytes hashed at a time."""
_NUMBERS = 144
"""How many numbers the hashes of a round give."""
_DICE = slice(135, 137)
"""Which of these numbers are the dice."""
_SANMA_GAP = range(4, 32)
"""Tile ids (four to a kind) that a three-player set lacks: 2m-8m."""
_RED_IDS = {16: RED_5M, 52: RED_5M + 1, 88: RED_5M + 2}
"""Tile ids of the red fives, if red fives are in play, and their codes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the dead wall's tiles in the wall's array, in order of use."""

    name: str
    """The name in table ``walls``."""
    rinshan: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]


LAYOUTS: dict[tuple[str, int], Layout] = {
    ("mt19937ar-sha512-n288-base64", 4): Layout(
        "n288-base64", (1, 0, 3, 2), (5, 7, 9, 11, 13), (4, 6, 8, 10, 12)
    ),
    ("mt19937ar-sha512-n288-base64", 3): Layout(
        "n288-base64", (1, 0, 3, 2, 5, 4, 7, 6), (9, 11, 13, 15, 17), (8, 10, 12, 14, 16)
    ),
    ("mt19937ar-sha512-n288", 4): Layout(
        "n288-hex", (0, 1, 2, 3), (4, 6, 8, 10, 12), (5, 7, 9, 11, 13)
    ),
}
"""Layout by kind of seed and number of players. Walls of other kinds cannot be regenerated."""


@dataclass(frozen=True, slots=True)
class Walls:
    """The walls of ``R`` rounds of games with the same number of players and kind of seed."""

    layout: Layout
    players: int
    tiles: Array
    """int8[R, 136 or 108]: tile codes in array order."""
    dice: Array
    """int8[R, 2]: 1-6."""

    def haipai(self, dealer: Array) -> Array:
        """Return int8[R, players, 13]: the deal of each seat in order, for ``dealer`` int8[R].

        Each seat, beginning with the dealer, gets four tiles three times, then one tile.
        """
        place = np.arange(DEAL)
        turn = (np.arange(self.players)[None, :] - dealer[:, None]) % self.players
        fours = (place // 4 * self.players + turn[..., None]) * 4 + place % 4
        ones = 12 * self.players + turn[..., None]
        dealt = np.where(place < 12, fours, ones)
        backwards = self.tiles[:, ::-1]
        return np.take_along_axis(
            backwards, dealt.reshape(len(backwards), self.players * DEAL), axis=1
        ).reshape(dealt.shape)

    def draws(self) -> Array:
        """Return int8[R, n]: the tiles after the deal, in the order in which they are drawn.

        These are all tiles down to the first of the array; the tiles that play never reaches are
        the dead wall.
        """
        return self.tiles[:, ::-1][:, DEAL * self.players :]

    def rinshan(self) -> Array:
        """Return int8[R, 4 or 8]: the replacement tiles in order."""
        return self.tiles[:, list(self.layout.rinshan)]

    def dora(self) -> Array:
        """Return int8[R, 5]: the dora indicators in order, whether turned up or not."""
        return self.tiles[:, list(self.layout.dora)]

    def ura(self) -> Array:
        """Return int8[R, 5]: the ura indicators in order."""
        return self.tiles[:, list(self.layout.ura)]


def read_seed(kind: str, seed: bytes) -> Array:
    """Return the key of a seed as uint32 words.

    ``seed`` is the value in table ``seeds``: little-endian words for the base64 kind, the
    comma-separated hexadecimal text for the older kind.

    Raises :class:`~paifu.errors.LogError` if the seed does not fit its kind.
    """
    try:
        if kind.endswith("-base64"):
            words = np.frombuffer(seed, dtype="<u4").astype(np.uint32)
        else:
            numbers = [int(word, 16) for word in seed.decode("ascii").split(",")]
            words = np.array(numbers, dtype=np.uint32)
    except (ValueError, OverflowError, UnicodeDecodeError) as error:
        raise LogError(f"the shuffle seed is not a {kind} seed: {error}") from None
    if not len(words):
        raise LogError("the shuffle seed is empty")
    return words


def _numbers(keys: Sequence[Array], rounds: Array) -> bytes:
    """Return the shuffle numbers of each game's first rounds, one round after the other."""
    generator = np.random.MT19937(0)
    seeding = np.random.RandomState(generator)
    sha512 = hashlib.sha512
    digests: list[bytes] = []
    for key, count in zip(keys, rounds.tolist(), strict=True):
        seeding.seed(key)  # `init_by_array` of the original MT19937
        stream = memoryview(generator.random_raw(_WORDS * count).astype("<u4").tobytes())
        digests += [
            sha512(stream[at : at + _BLOCK]).digest() for at in range(0, len(stream), _BLOCK)
        ]
    return b"".join(digests)


@njit
def _shuffle(ordered: Array, numbers: Array) -> Array:
    """Return int8[R, n]: ``ordered`` int8[R, n] shuffled by ``numbers`` uint32[R, >= n - 1]."""
    walls = ordered.copy()
    size = walls.shape[1]
    for row in range(walls.shape[0]):
        for place in range(size - 1):
            other = place + int(numbers[row, place]) % (size - place)
            tile = walls[row, place]
            walls[row, place] = walls[row, other]
            walls[row, other] = tile
    return walls


def _tile_set(players: int, aka: bool) -> Array:
    """Return int8[136 or 108]: the codes of the tiles in their order before the shuffle."""
    ids = [tile for tile in range(136) if players == 4 or tile not in _SANMA_GAP]
    return np.array(
        [_RED_IDS.get(tile, tile // 4) if aka else tile // 4 for tile in ids], dtype=np.int8
    )


def regenerate(
    kind: str, players: int, keys: Sequence[Array], rounds: Array, aka: Array
) -> Walls | None:
    """Return the walls of the first ``rounds[g]`` rounds of each game ``g``, games in order.

    ``keys`` are the games' seeds as :func:`read_seed` returns them, ``aka`` bool[G] says which
    have red fives. Returns None if walls do not follow from seeds of this kind.
    """
    layout = LAYOUTS.get((kind, players))
    if layout is None:
        return None
    numbers = np.frombuffer(_numbers(keys, rounds), dtype="<u4").reshape(-1, _NUMBERS)
    sets = np.stack([_tile_set(players, False), _tile_set(players, True)])
    ordered = sets[np.repeat(np.asarray(aka, dtype=np.int8), rounds)]
    dice = (numbers[:, _DICE] % 6 + 1).astype(np.int8)
    return Walls(layout, players, _shuffle(ordered, numbers.astype(np.uint32)), dice)


_TEXT_BYTES = np.frombuffer("".join(TEXT).encode("ascii"), dtype=np.uint8).reshape(-1, 2)


def tiles_column(codes: Array) -> pa.LargeStringArray:
    """Return each row of ``codes`` int8[R, n] in MPSZ without grouping, as a text column.

    >>> tiles_column(np.array([[0, 35, 33]], dtype=np.int8)).to_pylist()
    ['1m0p7z']
    """
    rows, width = codes.shape
    offsets = np.arange(rows + 1, dtype=np.int64) * (2 * width)
    return pa.LargeStringArray.from_buffers(
        rows, pa.py_buffer(offsets), pa.py_buffer(_TEXT_BYTES[codes].tobytes())
    )
