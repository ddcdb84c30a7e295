"""Readings of winning hands, compared with a simple recursive division, and their features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
import pytest

from paifu.game.tiles import IS_YAOCHUU, parse_tiles
from paifu.rules.hands import shapes
from paifu.rules.hands.partitions import MOST_PARTITIONS, find_partitions
from paifu.rules.hands.shanten import COMPLETE, shanten
from paifu.rules.hands.shapes import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KAN,
    PON,
    TRIPLET,
    kinds,
    readings,
)
from paifu.rules.hands.suit_tables import suit_tables

Meld = tuple[int, int]
Hand = tuple[np.ndarray, list[Meld], int, bool]


def counts_of(text: str) -> np.ndarray:
    return np.bincount(parse_tiles(text), minlength=34).astype(np.int8)


def hand(
    concealed: str, win: str, melds: Sequence[tuple[int, str]] = (), tsumo: bool = False
) -> Hand:
    return (
        counts_of(concealed),
        [(kind, parse_tiles(tile)[0]) for kind, tile in melds],
        parse_tiles(win)[0],
        tsumo,
    )


def read(
    hands: Iterable[Hand], special: np.ndarray | None = None, aside: np.ndarray | None = None
) -> pl.DataFrame:
    hands = list(hands)
    meld_kind = np.zeros((len(hands), 4), dtype=np.int8)
    meld_tile = np.full((len(hands), 4), -1, dtype=np.int8)
    for row, (_, melds, _, _) in enumerate(hands):
        for at, (kind, tile) in enumerate(melds):
            meld_kind[row, at], meld_tile[row, at] = kind, tile
    return readings(
        np.stack([h[0] for h in hands]),
        meld_kind,
        meld_tile,
        np.array([h[2] for h in hands], dtype=np.int8),
        np.array([h[3] for h in hands]),
        special,
        aside,
    )


def random_wins(seed: int, hands: int) -> list[Hand]:
    """Complete hands of four random sets and a pair, some of one suit, some with melds."""
    rng = np.random.default_rng(seed)
    wins: list[Hand] = []
    while len(wins) < hands:
        suits = [range(9), range(18), range(34)][rng.integers(3)]
        concealed = np.zeros(34, dtype=np.int8)
        melds: list[Meld] = []
        copies = np.zeros(34, dtype=np.int8)
        for _ in range(4):
            kind = int(rng.choice(suits))
            as_run = kind < 27 and kind % 9 < 7 and rng.random() < 0.6
            tiles = [kind, kind + 1, kind + 2] if as_run else [kind] * 3
            if rng.random() < 0.25:
                meld = CHI if as_run else int(rng.choice([PON, DAIMINKAN, KAKAN, ANKAN]))
                melds.append((meld, kind))
                np.add.at(copies, tiles if meld in (CHI, PON) else [kind] * 4, 1)
            else:
                np.add.at(concealed, tiles, 1)
        concealed[rng.choice(suits)] += 2
        if (copies + concealed).max() <= 4:
            win = int(rng.choice(np.flatnonzero(concealed)))
            wins.append((concealed, melds, win, bool(rng.random() < 0.5)))
    return wins


def plain_partitions(counts: Counter[int], sets: int) -> set[tuple[tuple[int, ...], int]]:
    """Every way to divide the tiles: take any pair out, and then the set of the lowest tile."""

    def part(left: Counter[int], sets: int) -> set[tuple[int, ...]]:
        left = +left
        if not left:
            return {()} if sets == 0 else set()
        low = min(left)
        found: set[tuple[int, ...]] = set()
        if left[low] >= 3:
            rest = left - Counter({low: 3})
            found |= {tuple(sorted((TRIPLET + low, *more))) for more in part(rest, sets - 1)}
        if low < 27 and low % 9 < 7 and left[low + 1] and left[low + 2]:
            rest = left - Counter([low, low + 1, low + 2])
            found |= {tuple(sorted((low, *more))) for more in part(rest, sets - 1)}
        return found

    return {
        (way, pair)
        for pair in counts
        if counts[pair] >= 2
        for way in part(counts - Counter({pair: 2}), sets)
    }


def plain_readings(win: Hand) -> set[tuple[tuple[int, ...], int, int]]:
    """The concealed sets, the pair, and the set that the winning tile completed (-1: the pair)."""
    concealed, melds, tile, _ = win
    counts = Counter({kind: int(n) for kind, n in enumerate(concealed) if n})
    found = set()
    for way, pair in plain_partitions(counts, 4 - len(melds)):
        found |= {(way, pair, part) for part in way if tile in tiles_of(part)}
        if pair == tile:
            found.add((way, pair, -1))
    return found


def tiles_of(part: int) -> list[int]:
    if part >= KAN:
        return [part - KAN] * 4
    if part >= TRIPLET:
        return [part - TRIPLET] * 3
    return [part, part + 1, part + 2]


def sets_of(row: dict[str, int]) -> list[int]:
    return [row[f"set_{i}"] for i in range(4)]


def test_readings_are_those_of_a_plain_search() -> None:
    wins = random_wins(1, 1500)
    frame = read(wins)
    assert frame["hand"].is_sorted()
    regular = frame.filter(pl.col("form") == shapes.REGULAR)
    found: dict[int, list[tuple[tuple[int, ...], int, int]]] = {}
    for row in regular.iter_rows(named=True):
        sets = sets_of(row)
        won = row["won"]
        way = tuple(sorted(sets[len(wins[row["hand"]][1]) :]))
        completed = -1 if won == shapes.WON_PAIR else sets[won]
        found.setdefault(row["hand"], []).append((way, row["pair"], completed))
    for index, win in enumerate(wins):
        expected = plain_readings(win)
        assert len(found[index]) == len(set(found[index]))
        assert set(found[index]) == expected


def test_features_follow_from_the_sets() -> None:
    wins = random_wins(2, 800)
    for row in read(wins).filter(pl.col("form") == shapes.REGULAR).iter_rows(named=True):
        concealed, melds, _, tsumo = wins[row["hand"]]
        sets, pair = sets_of(row), row["pair"]
        tiles = Counter(t for part in sets for t in tiles_of(part)) + Counter({pair: 2})
        held = Counter({k: int(n) for k, n in enumerate(concealed) if n})
        for kind, first in melds:
            held.update(
                [first, first + 1, first + 2]
                if kind == CHI
                else [first] * (3 if kind == PON else 4)
            )
        assert tiles == held
        assert [kind for kind in range(34) if row["tiles"] >> kind & 1] == sorted(tiles)
        assert row["fours"] == kinds(k for k, n in tiles.items() if n == 4)
        assert row["manzu_sum"] == sum((k + 1) * n for k, n in tiles.items() if k < 9)
        runs = [part for part in sets if part < TRIPLET]
        triplets = [tiles_of(part)[0] for part in sets if part >= TRIPLET]
        for suit, name in enumerate("mps"):
            assert row[f"runs_{name}"] == kinds({p - 9 * suit for p in runs if p // 9 == suit})
        for suit, name in enumerate("mpsz"):
            mask = kinds(k - 9 * suit for k in triplets if k // 9 == suit)
            assert row[f"triplets_{name}"] == mask
        assert row["run_count"] == len(runs)
        assert row["triplet_count"] == len(triplets)
        alike = Counter(runs).values()
        assert row["run_copies"] == max(alike, default=0)
        assert row["run_pairs"] == sum(n // 2 for n in alike)
        kans = [kind for kind, _ in melds if kind in (DAIMINKAN, KAKAN, ANKAN)]
        assert row["kan_count"] == len(kans)
        assert row["concealed_kan_count"] == kans.count(ANKAN)
        assert row["open_count"] == sum(kind != ANKAN for kind, _ in melds)
        outside = [any(IS_YAOCHUU[t] for t in tiles_of(part)) for part in [*sets, TRIPLET + pair]]
        assert row["outside_count"] == sum(outside)
        fu = 0
        closed = 0
        for at, part in enumerate(sets):
            if part < TRIPLET:
                continue
            is_meld = at < len(melds)
            is_closed = melds[at][0] == ANKAN if is_meld else tsumo or row["won"] != at
            value = 16 if part >= KAN and is_closed else 8 if part >= KAN else 4 if is_closed else 2
            fu += value * (2 if IS_YAOCHUU[tiles_of(part)[0]] else 1)
            closed |= is_closed << tiles_of(part)[0]
        assert row["set_fu"] == fu
        assert row["concealed_triplets"] == closed
        assert row["concealed_triplet_count"] == closed.bit_count()
        assert row["kans"] == kinds(tiles_of(p)[0] for p in sets if p >= KAN)
        suits = {t // 9 if t < 27 else 3 if t < 31 else 4 for t in tiles}
        assert row["suits"] == kinds(suits)


@pytest.mark.parametrize(
    ("concealed", "win", "waits"),
    [
        ("123m456p789s11222z", "3m", {"penchan"}),
        ("123m456p789s11222z", "5p", {"kanchan"}),
        ("123m456p789s11222z", "7s", {"penchan"}),
        ("123m456p789s11222z", "4p", {"ryanmen"}),
        ("123m456p789s11222z", "1z", {"tanki"}),
        ("123m456p789s11222z", "2z", {"shanpon"}),
        ("12333m456p789s222z", "3m", {"penchan", "tanki"}),
        ("11123m456p789s222z", "1m", {"ryanmen", "tanki"}),
        ("11223344556677m", "4m", {"tanki", "ryanmen"}),
        ("19m19p19s12345677z", "7z", {"orphans_13"}),
        ("19m19p19s12345677z", "1m", {"tanki"}),
    ],
)
def test_the_winning_tile_is_tried_in_every_place(
    concealed: str, win: str, waits: set[str]
) -> None:
    frame = read([hand(concealed, win)])
    assert {shapes.WAIT_WORDS[code] for code in frame["wait"]} == waits


def test_forms() -> None:
    frame = read(
        [
            hand("11223344556677m", "7m"),
            hand("1155m2288p3399s77z", "7z"),
            hand("1111m2288p3399s77z", "7z"),
            hand("19m19p19s12345677z", "7z"),
            hand("123m456p789s1234z1p", "1z"),  # not a win
            hand("129m19p19s1234567z", "2m"),  # thirteen orphans, but 2m is no orphan
        ]
    )
    by_hand = frame.group_by("hand", maintain_order=True).agg(pl.col("form").unique().sort())
    assert by_hand["hand"].to_list() == [0, 1, 2, 3]
    assert by_hand["form"].to_list() == [
        [shapes.REGULAR, shapes.SEVEN_PAIRS],
        [shapes.SEVEN_PAIRS],
        [shapes.SEVEN_PAIRS_ALIKE],
        [shapes.THIRTEEN_ORPHANS],
    ]


def near_wins(rng: np.random.Generator, count: int) -> np.ndarray:
    """Fourteen tiles each, int8[N, 34]: a winning hand with up to two tiles exchanged."""
    orphans = np.flatnonzero(IS_YAOCHUU)
    hands = np.zeros((count, 34), dtype=np.int8)
    for counts in hands:
        style = rng.integers(3)
        if style == 0:
            np.add.at(counts, [*orphans, rng.choice(orphans)], 1)
        elif style == 1:
            counts[rng.choice(34, 7, replace=False)] = 2
        else:
            starts = rng.integers(0, 7, 4) + 9 * rng.integers(0, 3, 4)
            np.add.at(counts, (starts[:, None] + [0, 1, 2]).ravel(), 1)
            counts[rng.integers(34)] += 2
        for _ in range(rng.integers(3)):
            counts[rng.choice(np.flatnonzero(counts))] -= 1
            counts[rng.integers(34)] += 1
    return hands[(hands <= 4).all(axis=1)]


def test_a_hand_is_complete_if_and_only_if_its_shanten_is() -> None:
    hands = near_wins(np.random.default_rng(13), 3000)
    rows = len(hands)
    none = np.full((rows, 4), shapes.NO_MELD, dtype=np.int8)
    win_tile = hands.argmax(axis=1).astype(np.int8)
    frame = readings(hands, none, none, win_tile, np.ones(rows, dtype=np.bool_))
    riichi = pl.col("form") != shapes.SEVEN_PAIRS_ALIKE
    complete = set(frame.filter(riichi)["hand"])
    expected = {row for row in range(rows) if shanten(suit_tables(), hands[row], 0) == COMPLETE}
    assert complete == expected
    assert 500 < len(complete) < rows - 500


@pytest.mark.parametrize(
    ("concealed", "win", "gates"),
    [
        ("11123456789995m", "5m", 2),
        ("11123456789995s", "1s", 1),
        ("11112345678999p", "1p", 2),
        ("11123456777999p", "7p", 0),
        ("111222333m11122z", "2z", 0),
    ],
)
def test_nine_gates(concealed: str, win: str, gates: int) -> None:
    assert set(read([hand(concealed, win)])["nine_gates"]) == {gates}


def test_a_triplet_completed_by_ron_is_open() -> None:
    concealed = "111m333p55577s222z"
    by_ron, by_tsumo = (read([hand(concealed, "5s", (), tsumo)]) for tsumo in (False, True))
    assert by_ron["concealed_triplet_count"].to_list() == [3]
    assert by_tsumo["concealed_triplet_count"].to_list() == [4]
    assert by_ron["open_count"].to_list() == [0]


def test_no_hand_has_more_partitions_than_there_is_room_for() -> None:
    """The most ambiguous hands have one suit: all such hands of sets and a pair are counted."""
    rng = np.random.default_rng(5)
    found = np.empty((MOST_PARTITIONS, 5), dtype=np.int8)
    most = 0
    for _ in range(20_000):
        counts = np.zeros(34, dtype=np.int8)
        for _ in range(4):
            first = rng.integers(7)
            counts[first : first + 3] += 1
        counts[rng.integers(9)] += 2
        if counts.max() <= 4:
            most = max(most, find_partitions(counts, 4, found))
    assert 4 <= most < MOST_PARTITIONS // 2


def test_the_order_of_melds_does_not_matter() -> None:
    melds = [(CHI, "1m"), (PON, "5p"), (ANKAN, "7z")]
    features = [name for name in shapes.NARROW if not name.startswith(("set_", "won"))]
    first = read([hand("23444s", "4s", melds)]).select(features)
    for turned in ([*melds[1:], melds[0]], melds[::-1]):
        assert read([hand("23444s", "4s", turned)]).select(features).equals(first)


def test_a_special_form_of_a_rule_set_is_a_reading() -> None:
    tiles = hand("147m258p369s12345z", "1z")
    assert read([tiles]).is_empty()
    special = np.array([shapes.FIRST_SPECIAL], dtype=np.int8)
    row = read([tiles], special).row(0, named=True)
    assert row["form"] == shapes.FIRST_SPECIAL
    assert row["pair"] == row["won"] == -1
    assert row["tiles"] == kinds(parse_tiles("147m258p369s12345z"))


def test_tiles_set_aside_leave_the_rest_to_be_read() -> None:
    """A knitted straight with a meld and a pair, or a run and a pair (Chinese Official)."""
    knitted = kinds(parse_tiles("147m258p369s"))
    hands = [
        hand("147m258p369s22z", "9s", [(PON, "7z")]),
        hand("147m258p369s23444m", "4m"),
    ]
    special = np.full(2, shapes.FIRST_SPECIAL, dtype=np.int8)
    aside = np.full(2, knitted, dtype=np.int64)
    frame = read(hands, special, aside).filter(pl.col("form") == shapes.FIRST_SPECIAL)
    first = frame.filter(pl.col("hand") == 0).row(0, named=True)
    assert (first["set_0"], first["set_1"], first["pair"]) == (TRIPLET + 33, -1, 28)
    assert (first["won"], first["wait"]) == (-1, shapes.NO_WAIT)
    second = frame.filter(pl.col("hand") == 1)
    assert set(second["set_0"]) == {1}
    assert set(second["pair"]) == {3}
    assert set(second["wait"]) == {shapes.RYANMEN, shapes.TANKI, shapes.NO_WAIT}


def test_an_incomplete_hand_has_no_reading() -> None:
    five = hand("1111m23m456p789s55z", "1m")
    five[0][0] = 5
    negative = hand("123m456p789s11222z", "1z")
    negative[0][33] = -1
    cases = [
        hand("123m456p789s11222z", "5z"),  # the hand does not have the winning tile
        hand("123m456p789s1122z", "1z"),  # thirteen tiles
        hand("123m456p11222z", "1z", [(CHI, "8s")]),  # no such run
        hand("123m456p11222z", "1z", [(9, "1s")]),
        hand("11222z", "1z", [(PON, "1s")]),
        five,
        negative,
    ]
    assert read(cases).is_empty()
