"""Yingkou (营口麻将): five conditions of a win, and wild tiles."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.rules.fan import NO_AMOUNT, Choice, Expanded, Fan, Game, Options
from paifu.rules.games import words
from paifu.rules.games.words import EVERY_KIND, NUMBER_KINDS, discarder_alone
from paifu.rules.hands import Hands
from paifu.rules.partitions import KAN, MOST_PARTITIONS, TRIPLET, find_partitions
from paifu.rules.shapes import CHI, NO_MELD
from paifu.rules.terms import YAOCHUU, dragon_pair, has
from paifu.tiles import EAST, GREEN, KINDS, NORTH, RED, WHITE

_NEXT_DRAGON = {RED: GREEN, GREEN: WHITE, WHITE: RED}


def wild_of(turned: int) -> int:
    """Return the wild kind that a turned-up kind makes: the next one.

    Numbers go 1 to 9 and round, winds east south west north and round, dragons 中 发 白 and round
    (not as riichi's dora do).

    >>> from paifu.tiles import CODE, TEXT
    >>> [TEXT[wild_of(CODE[turned])] for turned in ("9m", "7z", "4z")]
    ['1m', '6z', '1z']
    """
    if turned < EAST:
        return turned // 9 * 9 + (turned + 1) % 9
    return EAST if turned == NORTH else _NEXT_DRAGON.get(turned, turned + 1)


def _stand_ins(counts: npt.NDArray[np.int8]) -> list[int]:
    """Return the kinds a wild could stand for beside the real tiles of a hand."""
    found: set[int] = set()
    for kind in np.flatnonzero(counts).tolist():
        found.add(kind)
        if kind < EAST:
            found |= {kind + step for step in (-2, -1, 1, 2) if (kind + step) // 9 == kind // 9}
    return sorted(each for each in found if 0 <= each < EAST or (each in found and counts[each]))


def expand(hands: Hands) -> Expanded:
    """Return every complete hand that a hand with wild tiles can stand for, or the hand itself.

    ``natural_tiles`` is the mask of kinds of which hand or melds have a real tile, ``real_pairs``
    that of kinds of which the hand has two, ``real_counts`` how many of each it has.
    """
    rows: list[tuple[int, npt.NDArray[np.int8], int, npt.NDArray[np.int8]]] = []
    found = np.zeros((MOST_PARTITIONS, 5), dtype=np.int8)
    melds = (hands.meld_kind != NO_MELD).sum(axis=1)
    for row in range(len(hands)):
        wild, win = int(hands.wild[row]), int(hands.win_tile[row])
        counts = hands.concealed[row]
        wilds = int(counts[wild]) if 0 <= wild < KINDS and win >= 0 else 0
        real = counts.copy()
        if not wilds:
            rows.append((row, counts, win, real))
            continue
        real[wild] = 0
        before = len(rows)
        for kinds in combinations_with_replacement(_stand_ins(real), wilds):
            filled = real.copy()
            np.add.at(filled, list(kinds), 1)
            if find_partitions(filled, 4 - int(melds[row]), found) == 0:
                continue  # kept, all that is not complete would fill the memory
            for tile in sorted(set(kinds)) if win == wild else [win]:
                rows.append((row, filled, tile, real))
        if len(rows) == before:
            rows.append((row, counts, win, real))
    origin = np.array([row for row, _, _, _ in rows], dtype=np.int64)
    expanded = hands[origin]
    if rows:
        expanded.concealed[:] = [counts for _, counts, _, _ in rows]
        expanded.win_tile[:] = [tile for _, _, tile, _ in rows]
    real = np.array([counts for _, _, _, counts in rows], dtype=np.int16).reshape(-1, KINDS)
    held = real.copy()
    for i in range(4):
        made = expanded.meld_kind[:, i]
        first = np.clip(expanded.meld_tile[:, i], 0, KINDS - 1).astype(np.int64)
        for step in range(3):
            of_run = made == CHI
            np.add.at(held, (np.flatnonzero(of_run), np.minimum(first[of_run] + step, 33)), 1)
        like = np.flatnonzero((made != NO_MELD) & (made != CHI))
        np.add.at(held, (like, first[like]), 3)
    bits = np.int64(1) << np.arange(KINDS, dtype=np.int64)
    facts = {
        "natural_tiles": ((held >= 1) * bits).sum(axis=1),
        "real_pairs": ((real >= 2) * bits).sum(axis=1),
        "expanded_row": np.arange(len(rows), dtype=np.int64),
    }
    return Expanded(expanded, origin, {**facts, "real_counts": real})


def _kinds_of(part: int) -> range:
    """Return the kinds of the tiles of a set, or of the pair given as a triplet."""
    if part < TRIPLET:
        return range(part, part + 3)
    kind = part - (KAN if part >= KAN else TRIPLET)
    return range(kind, kind + 1)


def _each_has_a_real_tile(parts: list[int], real: list[int]) -> bool:
    """Return whether real tiles can be dealt out so that every part has one."""
    if not parts:
        return True
    for kind in _kinds_of(parts[0]):
        if real[kind] > 0:
            real[kind] -= 1
            found = _each_has_a_real_tile(parts[1:], real)
            real[kind] += 1
            if found:
                return True
    return False


def _columns(hands: Hands, rows: pl.DataFrame, options: Options) -> Mapping[str, npt.NDArray[Any]]:
    """Return whether every concealed set and the pair has a real tile, and whether the pair is
    real."""
    pair = rows["pair"].to_numpy().astype(np.int64)
    sets = rows.select(f"set_{i}" for i in range(4)).to_numpy()
    melds = (hands.meld_kind != NO_MELD).sum(axis=1)
    supported = np.ones(len(rows), dtype=np.bool_)
    for row, (each, real) in enumerate(
        zip(rows["expanded_row"].to_list(), rows["real_counts"].to_list(), strict=True)
    ):
        parts = [*sets[row, melds[each] :].tolist(), TRIPLET + int(pair[row])]
        supported[row] = _each_has_a_real_tile(parts, real)
    turned = np.array([_turned_of(int(wild)) for wild in range(KINDS)], dtype=np.int64)
    shown = turned[np.clip(rows["wild"].to_numpy(), 0, KINDS - 1)]
    return {
        "is_supported": supported,
        "real_pair": (rows["real_pairs"].to_numpy() >> pair & 1) == 1,
        "turned_bit": np.where(rows["wild"].to_numpy() >= 0, np.int64(1) << shown, 0),
    }


def _turned_of(wild: int) -> int:
    """Return the kind whose turning up makes ``wild`` wild."""
    return next(kind for kind in range(KINDS) if wild_of(kind) == wild)


_triplets = pl.sum_horizontal(
    has(f"triplets_{suit}").cast(pl.Int64) * (1 << 9 * at) for at, suit in enumerate("mpsz")
)
_has_pung = has("triplet_count") >= 1
_is_opened = has("open_count") >= 1
_good_pair = ~(words.number_pair & (has("pair") % 9).is_in([1, 7]))

YINGKOU = Game(
    name="yingkou",
    title="营口麻将 · Yingkou",
    doc="A win needs a pung or kong (or a real pair of dragons), a real terminal or honour, an "
    "open hand, a pair other than 2 or 8, and all three suits; a wild tile stands beside real "
    "ones. The source has no amounts; 绝头会 (a fourth copy become wild) and 加钢 are not scored.",
    kinds=lambda options: EVERY_KIND if options["tile_set"] == 136 else NUMBER_KINDS,
    fan=(Fan("turned_tile_pung", "墙头绝", 1, (_triplets & has("turned_bit")) != 0),),
    choices=(
        Choice("tile_set", 136, "Tiles played with: 136, as the rules use, or the 108 of "
               "the text.", (136, 108)),
        Choice("base", NO_AMOUNT, "What each payer pays for a win without fan."),
    ),
    may_win=(_has_pung | (dragon_pair & has("real_pair")))
    & ((has("natural_tiles") & YAOCHUU) != 0)
    & _is_opened
    & _good_pair
    & (words.number_suits == 3)
    & has("is_supported"),
    refusal="it needs a pung (or a real pair of dragons), a terminal or honour, a chi or pung "
    "made, a pair other than 2 or 8, and all three suits",
    expand=expand,
    columns=_columns,
    worth=lambda options: pl.lit(options["base"], pl.Int32) * pl.lit(2, pl.Int32).pow(has("fan")),
    payments=discarder_alone,
)  # fmt: skip

GAMES = (YINGKOU,)
