"""Walls from seeds: properties of every tile set, and comparison with real logs."""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.errors import LogError
from paifu.game.tiles import KIND_OF, parse_tiles
from paifu.game.wall import LAYOUTS, read_seed, regenerate, tiles_column

BASE64 = "mt19937ar-sha512-n288-base64"
HEX = "mt19937ar-sha512-n288"

keys = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=624).map(
    lambda words: np.array(words, dtype=np.uint32)
)


def walls_of(key, *, kind=BASE64, players=4, rounds=3, aka=True):
    walls = regenerate(kind, players, [key], np.array([rounds]), np.array([aka]))
    assert walls is not None
    return walls


@given(key=keys, players=st.sampled_from([3, 4]), aka=st.booleans())
@settings(max_examples=30, deadline=None)
def test_every_wall_is_the_tile_set_in_some_order(key, players, aka):
    walls = walls_of(key, players=players, aka=aka)
    for wall, dice in zip(walls.tiles, walls.dice, strict=True):
        kinds = Counter(KIND_OF[wall].tolist())
        absent = range(1, 8) if players == 3 else ()
        assert kinds == {kind: 4 for kind in range(34) if kind not in absent}
        reds = [code for code in wall.tolist() if code >= 34]
        assert sorted(reds) == ([34, 35, 36][4 - players :] if aka else [])
        assert ((dice >= 1) & (dice <= 6)).all()


@given(key=keys, players=st.sampled_from([3, 4]), data=st.data())
@settings(max_examples=30, deadline=None)
def test_deal_and_draws_use_every_tile_once_and_the_dealer_is_dealt_first(key, players, data):
    walls = walls_of(key, players=players)
    dealer = data.draw(st.integers(0, players - 1))
    haipai = walls.haipai(np.full(len(walls.tiles), dealer))
    for row, wall in enumerate(walls.tiles):
        used = haipai[row].ravel().tolist() + walls.draws()[row].tolist()
        assert Counter(used) == Counter(wall.tolist())
        assert haipai[row, dealer, :4].tolist() == wall[::-1][:4].tolist()
        assert haipai[row, (dealer + 1) % players, 12] == wall[::-1][12 * players + 1]


@given(key=keys, kind=st.sampled_from([BASE64, HEX]))
@settings(max_examples=20, deadline=None)
def test_dead_wall_positions_never_overlap(key, kind):
    for (of, _), layout in LAYOUTS.items():
        if of == kind:
            places = layout.rinshan + layout.dora + layout.ura
            assert len(set(places)) == len(places)
    walls = walls_of(key, kind=kind)
    dead = np.concatenate([walls.rinshan(), walls.dora(), walls.ura()], axis=1)
    for row in range(len(dead)):
        assert Counter(dead[row].tolist()) == Counter(walls.tiles[row, :14].tolist())


@given(key=keys, before=st.integers(0, 3))
@settings(max_examples=10, deadline=None)
def test_a_round_depends_on_its_place_in_its_own_game_only(key, before):
    other = np.arange(7, dtype=np.uint32)
    alone = walls_of(key, rounds=before + 1)
    together = regenerate(
        BASE64, 4, [other, key], np.array([2, before + 1]), np.array([False, True])
    )
    assert (together.tiles[2:] == alone.tiles).all()
    assert (together.dice[2:] == alone.dice).all()


def test_kinds_without_a_known_layout_give_no_wall():
    key = np.array([1], dtype=np.uint32)
    assert regenerate("mt19937ar", 4, [key], np.array([1]), np.array([True])) is None
    assert regenerate(HEX, 3, [key], np.array([1]), np.array([True])) is None


@pytest.mark.parametrize(
    ("kind", "seed"),
    [(BASE64, b"abc"), (BASE64, b""), (HEX, b"12,xyz"), (HEX, b"\xff"), (HEX, b"1FFFFFFFF")],
)
def test_a_damaged_seed_is_named(kind, seed):
    with pytest.raises(LogError, match="shuffle seed"):
        read_seed(kind, seed)


def test_a_wall_in_text_reads_back():
    walls = walls_of(np.array([5], dtype=np.uint32), rounds=2)
    for text, wall in zip(tiles_column(walls.tiles).to_pylist(), walls.tiles, strict=True):
        assert len(text) == 272
        assert parse_tiles(text) == wall.tolist()


# --- against real logs, read here by a few regular expressions ---

SEED = re.compile(r'<SHUFFLE seed="([^,"]+),([^"]+)"')
ROUND = re.compile(r"<INIT .*?(?=<INIT |</mjloggm)", re.DOTALL)
STEP = re.compile(r"<(?:[TUVW](\d+)\s*/>|(N) who|([DEFG])\d|DORA hai=\"(\d+)\")")


def log_text(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")


def numbers_of(part: str, attribute: str) -> list[int]:
    found = re.search(rf' {attribute}="([-\d,]*)"', part)
    return [int(number) for number in found[1].split(",")] if found and found[1] else []


def check_log(text: str) -> int:
    """Compare one log's deals, draws, dice and indicators with its seed; return its rounds."""
    kind, words = SEED.search(text).groups()
    seed = base64.b64decode(words) if kind == BASE64 else words.encode()
    aka = not int(re.search(r'<GO type="(\d+)"', text)[1]) & 2
    parts = [match[0] for match in ROUND.finditer(text)]
    players = 4 if numbers_of(parts[0], "hai3") else 3
    walls = regenerate(
        kind, players, [read_seed(kind, seed)], np.array([len(parts)]), np.array([aka])
    )

    def codes(ids: list[int]) -> list[int]:
        return [{16: 34, 52: 35, 88: 36}.get(i, i // 4) if aka else i // 4 for i in ids]

    haipai = walls.haipai(np.array([numbers_of(part, "oya")[0] for part in parts]))
    for row, part in enumerate(parts):
        start = numbers_of(part, "seed")
        assert walls.dice[row].tolist() == [start[3] + 1, start[4] + 1]
        for seat in range(players):
            dealt = codes(numbers_of(part, f"hai{seat}"))
            assert Counter(haipai[row, seat].tolist()) == Counter(dealt)
        live, rinshan, indicators, called = [], [], [start[5]], False
        for drawn, call, discarded, turned in STEP.findall(part):
            if drawn:  # after a kan or kita: a discard follows chi and pon
                (rinshan if called else live).append(int(drawn))
                called = False
            elif turned:
                indicators.append(int(turned))
            elif call or discarded:
                called = bool(call)
        for computed, recorded in (
            (walls.draws()[row], live),
            (walls.rinshan()[row], rinshan),
            (walls.dora()[row], indicators),
            (walls.ura()[row], numbers_of(part, "doraHaiUra")),
        ):
            assert computed[: len(recorded)].tolist() == codes(recorded)
    return len(parts)


@pytest.mark.parametrize(("folder", "step", "least"), [("mjlog", 20, 1000), ("mjlog3p", 10, 700)])
def test_real_logs_were_dealt_from_their_seeds(corpus, folder, step, least):
    """All rounds of every twentieth (tenth) log of the corpus with a seed."""
    rounds = 0
    for path in sorted((corpus / folder).iterdir())[::step]:
        text = log_text(path)
        if SEED.search(text):
            rounds += check_log(text)
    assert rounds > least


@pytest.mark.parametrize("name", ["bug8.xml", "bug9.xml", "pao.xml", "yakumann.xml"])
def test_the_older_hexadecimal_seeds_have_their_own_dead_wall(corpus, name):
    text = log_text(corpus / "mjlog" / name)
    assert SEED.search(text)[1] == HEX
    assert check_log(text) > 0
