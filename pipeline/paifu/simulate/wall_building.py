"""Builds walls as Tenhou does, from the base64 form of the SHUFFLE seed.

A 624-word key seeds MT19937, SHA-512 hashes its words, and a Fisher-Yates shuffle orders the tiles.
Everything works on a batch of games, one row per game. The twister and the shuffle are kernels; the
tests compare them with numpy's own MT19937.
"""

from __future__ import annotations

import base64
import hashlib

import numpy as np
import numpy.typing as npt

from paifu.kernels.compiling import njit
from paifu.simulate.table_record import TILES

Words = npt.NDArray[np.uint32]

SEED_WORDS = 624
SEED_KIND = "mt19937ar-sha512-n288-base64"
RAW_WORDS = 288
"""How many words of the twister each round uses."""
WHITE_WORDS = 144
"""How many words their hashes have: nine SHA-512 digests."""
DICE_WORDS = (135, 136)
_BLOCK = 128
_LAG = 397
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_GAP = (4, 32)
"""Tiles from 2m to 8m, which the three-player set does not have."""


def splitmix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the SplitMix64 output of each counter value (Steele, Lea and Flood, 2014)."""
    with np.errstate(over="ignore"):
        z = values + _GOLDEN
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: npt.NDArray[np.uint64] = z ^ (z >> np.uint64(31))
        return mixed


def game_words(
    seed: int, games: npt.NDArray[np.int64], count: int, purpose: int = 0
) -> npt.NDArray[np.uint64]:
    """Return ``count`` random words for each game number, ``uint64[len(games), count]``.

    They depend only on the seed, the game's number and the purpose, not on the batch, the thread or
    the machine.
    """
    key = splitmix(np.array([seed % 2**64], dtype=np.uint64))
    key = splitmix(key ^ np.uint64(purpose))
    rows = splitmix(key ^ games.astype(np.uint64))
    with np.errstate(over="ignore"):
        steps = _GOLDEN * np.arange(1, count + 1, dtype=np.uint64)
        return splitmix(rows[:, None] + steps)


def seed_text(key: Words) -> str:
    """Return a key as the ``seed`` attribute of mjlog's SHUFFLE element."""
    words = np.ascontiguousarray(key, dtype="<u4").tobytes()
    return f"{SEED_KIND},{base64.b64encode(words).decode('ascii')}"


def tile_set(players: int) -> npt.NDArray[np.int16]:
    """Return the tiles in order, 136 or, without 2m-8m, 108."""
    tiles = np.arange(TILES, dtype=np.int16)
    return tiles if players == 4 else np.delete(tiles, np.arange(*_GAP))


@njit
def seed_twisters(keys: Words, states: Words) -> None:
    """Fill ``states`` by MT19937's ``init_by_array`` from ``keys``, both uint32[N, 624]."""
    mask = np.int64(0xFFFFFFFF)
    for row in range(len(keys)):
        state = np.empty(SEED_WORDS, np.int64)
        state[0] = 19650218
        for i in range(1, SEED_WORDS):
            state[i] = (1812433253 * (state[i - 1] ^ (state[i - 1] >> 30)) + i) & mask
        i = 1
        for j in range(SEED_WORDS):
            mixed = ((state[i - 1] ^ (state[i - 1] >> 30)) * 1664525) & mask
            state[i] = ((state[i] ^ mixed) + keys[row, j] + j) & mask
            i += 1
            if i == SEED_WORDS:
                state[0] = state[SEED_WORDS - 1]
                i = 1
        for _ in range(SEED_WORDS - 1):
            mixed = ((state[i - 1] ^ (state[i - 1] >> 30)) * 1566083941) & mask
            state[i] = ((state[i] ^ mixed) - i) & mask
            i += 1
            if i == SEED_WORDS:
                state[0] = state[SEED_WORDS - 1]
                i = 1
        state[0] = 0x80000000
        for i in range(SEED_WORDS):
            states[row, i] = state[i]


@njit
def twist(states: Words, at: npt.NDArray[np.int32], out: Words) -> None:
    """Write each row's next ``out.shape[1]`` words to ``out``; ``at`` int32[N] is its position.

    A position of 624 (also at the start) means that the state is used up; it is twisted first.
    """
    for row in range(len(states)):
        state = states[row]
        for k in range(out.shape[1]):
            if at[row] >= SEED_WORDS:
                for i in range(SEED_WORDS):
                    joined = (state[i] & 0x80000000) | (state[(i + 1) % SEED_WORDS] & 0x7FFFFFFF)
                    word = state[(i + _LAG) % SEED_WORDS] ^ (joined >> 1)
                    state[i] = word ^ 0x9908B0DF if joined & 1 else word
                at[row] = 0
            word = np.int64(state[at[row]])
            at[row] += 1
            word ^= word >> 11
            word ^= (word << 7) & 0x9D2C5680
            word ^= (word << 15) & 0xEFC60000
            out[row, k] = word ^ (word >> 18)


@njit
def shuffle(
    white: npt.NDArray[np.int64], tiles: npt.NDArray[np.int16], walls: npt.NDArray[np.int16]
) -> None:
    """Write to ``walls`` int16[N, 136] the ``tiles`` shuffled by each row of 144 words."""
    last = len(tiles)
    for row in range(len(white)):
        wall = walls[row]
        for i in range(last):
            wall[i] = tiles[i]
        for i in range(last - 1):
            j = i + white[row, i] % (last - i)
            wall[i], wall[j] = wall[j], wall[i]


class Shufflers:
    """The walls of a batch of games, a round at a time."""

    def __init__(self, keys: Words, players: int) -> None:
        """Seed from ``keys`` uint32[N, 624]; three-player walls have no 2m-8m."""
        self._states = np.empty((len(keys), SEED_WORDS), dtype=np.uint32)
        seed_twisters(np.ascontiguousarray(keys, dtype=np.uint32), self._states)
        self._at = np.full(len(keys), SEED_WORDS, dtype=np.int32)
        self._tiles = tile_set(players)

    def deal(
        self, rows: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int8]]:
        """Return the next walls of the games ``rows``, int16[n, 136], and dice 0-5, int8[n, 2].

        A three-player wall ends after 108 tiles; the rest is -1.
        """
        states, at = self._states[rows], self._at[rows]
        raw = np.empty((len(rows), RAW_WORDS), dtype=np.uint32)
        twist(states, at, raw)
        self._states[rows], self._at[rows] = states, at
        data = raw.astype("<u4").tobytes()
        digests = [
            hashlib.sha512(data[i : i + _BLOCK]).digest() for i in range(0, len(data), _BLOCK)
        ]
        white = np.frombuffer(b"".join(digests), dtype="<u4").astype(np.int64)
        white = white.reshape(len(rows), WHITE_WORDS)
        walls = np.full((len(rows), TILES), -1, dtype=np.int16)
        shuffle(white, self._tiles, walls)
        return walls, (white[:, DICE_WORDS] % 6).astype(np.int8)
