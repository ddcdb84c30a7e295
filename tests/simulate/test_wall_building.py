"""Walls follow from their seed as Tenhou's do, compared with numpy's own MT19937."""

from __future__ import annotations

import base64
import hashlib

import numpy as np
import pytest

from paifu.simulate.game_loop import Game
from paifu.simulate.table_record import DRAW
from paifu.simulate.wall_building import (
    RAW_WORDS,
    SEED_WORDS,
    Shufflers,
    game_words,
    seed_text,
    seed_twisters,
    splitmix,
    tile_set,
    twist,
)


def keys(count: int) -> np.ndarray:
    return game_words(9, np.arange(count), SEED_WORDS // 2).astype("<u8").view("<u4")


def test_the_twister_is_mt19937_by_array() -> None:
    seeds = keys(5)
    states = np.empty((5, SEED_WORDS), dtype=np.uint32)
    seed_twisters(seeds, states)
    at = np.full(5, SEED_WORDS, dtype=np.int32)
    for _ in range(3):  # also past the end of a state
        out = np.empty((5, RAW_WORDS), dtype=np.uint32)
        twist(states, at, out)
        if _ == 0:
            first = out
    for row in range(5):
        oracle = np.random.RandomState(seeds[row]).randint(0, 2**32, 3 * RAW_WORDS, dtype=np.uint32)
        assert first[row].tolist() == oracle[:RAW_WORDS].tolist()
        assert out[row].tolist() == oracle[2 * RAW_WORDS :].tolist()


@pytest.mark.parametrize("players", [3, 4])
def test_a_wall_is_the_shuffle_of_the_whitened_words(players: int) -> None:
    key = keys(1)
    shufflers = Shufflers(key, players)
    oracle = np.random.RandomState(key[0])
    for _ in range(4):
        walls, dice = shufflers.deal(np.zeros(1, dtype=np.int64))
        raw = oracle.randint(0, 2**32, RAW_WORDS, dtype=np.uint32).astype("<u4").tobytes()
        digests = b"".join(hashlib.sha512(raw[i : i + 128]).digest() for i in range(0, 1152, 128))
        words = np.frombuffer(digests, dtype="<u4").tolist()
        tiles = tile_set(players).tolist()
        for i in range(len(tiles) - 1):
            j = i + words[i] % (len(tiles) - i)
            tiles[i], tiles[j] = tiles[j], tiles[i]
        assert walls[0, : len(tiles)].tolist() == tiles
        assert dice[0].tolist() == [words[135] % 6, words[136] % 6]


def test_games_draw_their_walls_independently_of_each_other() -> None:
    together = Shufflers(keys(3), 4)
    together.deal(np.array([0, 1, 2]))
    second, _ = together.deal(np.array([0, 2]))  # game 1 is over
    alone = Shufflers(keys(3)[2:], 4)
    alone.deal(np.array([0]))
    assert second[1].tolist() == alone.deal(np.array([0]))[0][0].tolist()


def test_splitmix_is_the_published_one() -> None:
    """The first outputs of SplitMix64 from state 1234567 (Vigna's reference code)."""
    gamma = 0x9E3779B97F4A7C15
    states = np.array([(1234567 + k * gamma) % 2**64 for k in range(3)], dtype=np.uint64)
    assert splitmix(states).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_the_seed_is_written_as_little_endian_words() -> None:
    text = seed_text(np.arange(SEED_WORDS, dtype=np.uint32))
    kind, words = text.split(",")
    assert kind == "mt19937ar-sha512-n288-base64"
    assert np.frombuffer(base64.b64decode(words), "<u4").tolist() == list(range(SEED_WORDS))


def test_every_deal_and_draw_comes_from_the_wall_in_order(four: list[Game]) -> None:
    """Dealt from the end: four, four, four, one; replacement draws from the other end."""
    for game in four[:20]:
        shufflers = Shufflers(game.key[None], 4)  # type: ignore[index]
        for table in game.rounds:
            wall = shufflers.deal(np.zeros(1, dtype=np.int64))[0][0].tolist()
            dealer = int(table["number"])
            backwards = wall[::-1]
            for seat in range(4):
                place = (seat - dealer) % 4
                own = [
                    backwards[16 * block + 4 * place + i] for block in range(3) for i in range(4)
                ]
                assert table["haipai"][seat].tolist() == [*own, backwards[48 + place]]
            count = int(table["events"])
            draws = [
                int(tile)
                for kind, tile in zip(
                    table["event_kind"][:count], table["event_tile"][:count], strict=True
                )
                if kind == DRAW
            ]
            replaced = [tile for tile in draws if tile in wall[:4]]
            assert replaced == [wall[at] for at in (1, 0, 3, 2)][: len(replaced)]
            assert [t for t in draws if t not in wall[:4]] == backwards[
                52 : 52 + len(draws) - len(replaced)
            ]
