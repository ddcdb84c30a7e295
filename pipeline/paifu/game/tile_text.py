"""Texts of many tiles, written by kernels straight into the buffers of Arrow string columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paifu.game.events import Array
from paifu.game.tiles import KINDS, NO_TILE, SORT_KEY, TEXT
from paifu.kernels.compiling import inner, njit

_PLACE = SORT_KEY.astype(np.int64)
_NUMBER = np.array([ord(text[0]) for text in TEXT], dtype=np.uint8)
_SUIT = np.array([ord(text[1]) for text in TEXT], dtype=np.uint8)
_SPACE = ord(" ")
_MOST_SUITS = 6
"""Letters that a text may need: m p s z, flowers, and z again for hidden tiles."""

LAID_WORDS = (b"chi:", b"pon:", b"kan:", b"kakan:", b"ankan:", b"kita")
"""How a meld begins, by the kinds of ``state.py``."""
_WORDS = np.zeros((len(LAID_WORDS), 6), dtype=np.uint8)
for _i, _word in enumerate(LAID_WORDS):
    _WORDS[_i, : len(_word)] = np.frombuffer(_word, np.uint8)
_WORD_SIZES = np.array([len(word) for word in LAID_WORDS])
_LAID_KITA = len(LAID_WORDS) - 1
_LONGEST_MELD = 6 + 4 + 4 + 1


@inner
def _write_tiles(tiles: Array, count: int, out: Array, position: int) -> int:
    """Sort the tiles in place, write them, and return where the text ends."""
    for i in range(1, count):
        tile = tiles[i]
        j = i
        while j > 0 and _PLACE[tiles[j - 1]] > _PLACE[tile]:
            tiles[j] = tiles[j - 1]
            j -= 1
        tiles[j] = tile
    for i in range(count):
        out[position] = _NUMBER[tiles[i]]
        position += 1
        if i == count - 1 or _SUIT[tiles[i + 1]] != _SUIT[tiles[i]]:
            out[position] = _SUIT[tiles[i]]
            position += 1
    return position


@njit
def _write_hands(hands: Array, offsets: Array, out: Array) -> None:
    tiles = np.empty(hands.shape[1], np.int64)
    position = 0
    for i in range(len(hands)):
        count = 0
        for j in range(hands.shape[1]):
            if hands[i, j] != NO_TILE:
                tiles[count] = hands[i, j]
                count += 1
        position = _write_tiles(tiles, count, out, position)
        offsets[i + 1] = position


@njit
def _write_masks(masks: Array, offsets: Array, out: Array) -> None:
    tiles = np.empty(KINDS, np.int64)
    position = 0
    for i in range(len(masks)):
        count = 0
        for kind in range(KINDS):
            if masks[i] & (np.uint64(1) << np.uint64(kind)):
                tiles[count] = kind
                count += 1
        position = _write_tiles(tiles, count, out, position)
        offsets[i + 1] = position


@njit
def _write_melds(laid: Array, kinds: Array, melds: Array, offsets: Array, out: Array) -> None:
    tiles = np.empty(4, np.int64)
    position = 0
    for i in range(len(laid)):
        for j in range(laid[i]):
            if j:
                out[position] = _SPACE
                position += 1
            word = kinds[i, j]
            for letter in range(_WORD_SIZES[word]):
                out[position] = _WORDS[word, letter]
                position += 1
            if word == _LAID_KITA:
                continue
            count = 0
            for k in range(4):
                if melds[i, j, k] != NO_TILE:
                    tiles[count] = melds[i, j, k]
                    count += 1
            position = _write_tiles(tiles, count, out, position)
        offsets[i + 1] = position


def _strings(offsets: Array, out: Array, valid: Array | None = None) -> pa.Array:
    """Return the Arrow strings of a filled buffer, with NULL where they are not valid."""
    bitmap = None
    if valid is not None:
        bitmap = pa.py_buffer(np.packbits(valid, bitorder="little"))
        sizes = np.zeros(len(valid) + 1, np.int32)
        sizes[1:][valid] = np.diff(offsets)
        offsets = np.cumsum(sizes, dtype=np.int32)
    data = pa.py_buffer(out[: offsets[-1]])
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), data, bitmap)


def hand_texts(hands: Array, valid: Array | None = None) -> pa.Array:
    """Return the sorted texts of hands int8[n, most], which are padded with ``NO_TILE``.

    The text is NULL where ``valid`` bool[n] is false.
    """
    shown = np.ascontiguousarray(hands if valid is None else hands[valid])
    offsets = np.zeros(len(shown) + 1, np.int32)
    out = np.empty(len(shown) * (hands.shape[1] + _MOST_SUITS) + _MOST_SUITS, np.uint8)
    _write_hands(shown, offsets, out)
    return _strings(offsets, out, valid)


def tile_texts(tiles: Array, counts: Array) -> pa.Array:
    """Return texts of the first ``counts`` tiles of int8[n, most] in their order, as ``1z9m0p``."""
    kept = np.arange(tiles.shape[1]) < counts[:, None]
    shown = tiles[kept]
    out = np.empty((len(shown), 2), np.uint8)
    out[:, 0], out[:, 1] = _NUMBER[shown], _SUIT[shown]
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(2 * kept.sum(axis=1), out=offsets[1:])
    return _strings(offsets, out.ravel())


def mask_texts(masks: Array) -> pa.Array:
    """Return the texts of kinds given as bit masks uint64[n]; NULL for an empty mask."""
    valid = masks != 0
    shown = masks[valid]
    offsets = np.zeros(len(shown) + 1, np.int32)
    size = int(np.bitwise_count(shown).sum(dtype=np.int64)) + 4 * len(shown) + _MOST_SUITS
    out = np.empty(size, np.uint8)
    _write_masks(shown, offsets, out)
    return _strings(offsets, out, valid)


def meld_texts(laid: Array, kinds: Array, tiles: Array) -> pa.Array:
    """Return texts like ``chi:123s ankan:2222s kita`` of the melds and norths of seats.

    ``laid`` int8[n] is their number, ``kinds`` int8[n, 8] their kinds, ``tiles`` int8[n, 8, 4]
    their tiles.
    """
    offsets = np.zeros(len(laid) + 1, np.int32)
    out = np.empty(int(laid.sum(dtype=np.int64)) * _LONGEST_MELD + _MOST_SUITS, np.uint8)
    _write_melds(laid, kinds, tiles, offsets, out)
    return _strings(offsets, out)
