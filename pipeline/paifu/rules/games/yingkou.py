"""Yingkou (营口麻将): five conditions for a win, and wild tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import EAST, GREEN, KINDS, NORTH, RED, WHITE
from paifu.rules.fan import features as words
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options, amount
from paifu.rules.fan.features import EVERY_KIND, NUMBER_KINDS, discarder_alone
from paifu.rules.fan.game import Expanded, Fan, Game, any_of
from paifu.rules.fan.wild_tiles import completions
from paifu.rules.hands.features import YAOCHUU, dragon_pair, has
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.partitions import KAN, MOST_PARTITIONS, TRIPLET, find_partitions
from paifu.rules.hands.shapes import CHI, NO_MELD, PON

_NEXT_DRAGON = {RED: GREEN, GREEN: WHITE, WHITE: RED}


def wild_of(turned: int) -> int:
    """Return the kind that is wild if ``turned`` is turned up: the next kind.

    After 9 comes 1. Winds go east, south, west, north and again east. Dragons go 中, 发, 白 and
    again 中, which differs from riichi's dora.

    >>> from paifu.game.tiles import CODE, TEXT
    >>> [TEXT[wild_of(CODE[turned])] for turned in ("9m", "7z", "4z")]
    ['1m', '6z', '1z']
    """
    if turned < EAST:
        return turned // 9 * 9 + (turned + 1) % 9
    return EAST if turned == NORTH else _NEXT_DRAGON.get(turned, turned + 1)


def _wilds_of(hands: Hands, row: int) -> tuple[npt.NDArray[np.int8], int, int]:
    """Return a concealed hand's real tiles, how many are wild, and how many of those by 绝头会.

    By 绝头会 a fourth copy is wild: a tile of a kind of which the hand holds four, or of which it
    holds one and has a pung.
    """
    wild = int(hands.wild[row])
    real = hands.concealed[row].copy()
    wilds = 0
    if 0 <= wild < KINDS:
        wilds, real[wild] = int(real[wild]), 0
    pungs = hands.meld_tile[row][hands.meld_kind[row] == PON]
    fourth = [kind for kind in range(KINDS) if real[kind] == 4]
    fourth += [kind for kind in pungs.tolist() if 0 <= kind < KINDS and real[kind] == 1]
    real[fourth] -= 1
    return real, wilds + len(fourth), len(fourth)


def expand(hands: Hands) -> Expanded:
    """Return every complete hand that a hand with wild tiles can stand for, or the hand itself.

    ``natural_tiles`` is the mask of the kinds with a real tile in the hand or its melds,
    ``real_pairs`` the mask of the kinds with two real tiles in the hand, ``real_counts`` the number
    of real tiles of each kind, and ``fourth_copies`` the number of tiles that are wild as fourth
    copies.
    """
    rows: list[tuple[int, npt.NDArray[np.int8], int, npt.NDArray[np.int8], int]] = []
    found = np.zeros((MOST_PARTITIONS, 5), dtype=np.int8)
    melds = (hands.meld_kind != NO_MELD).sum(axis=1)
    for row in range(len(hands)):
        win = int(hands.win_tile[row])
        counts = hands.concealed[row]
        if win < 0:
            rows.append((row, counts, win, counts, 0))
            continue
        real, wilds, fourth = _wilds_of(hands, row)
        before = len(rows)
        for stood_for in completions(real, wilds) if wilds else ():
            filled = real + stood_for
            if find_partitions(filled, 4 - int(melds[row]), found) == 0:
                continue
            lowest = int(np.flatnonzero(stood_for)[0])
            tile = win if filled[win] and win != hands.wild[row] else lowest
            rows.append((row, filled, tile, real, fourth))
        if len(rows) == before:
            rows.append((row, counts, win, real if wilds else counts, fourth))
    origin = np.array([row for row, *_ in rows], dtype=np.int64)
    expanded = hands[origin]
    if rows:
        expanded.concealed[:] = [counts for _, counts, *_ in rows]
        expanded.win_tile[:] = [tile for _, _, tile, *_ in rows]
    real_counts = np.array([each[3] for each in rows], dtype=np.int16).reshape(-1, KINDS)
    held = real_counts.copy()
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
        "real_pairs": ((real_counts >= 2) * bits).sum(axis=1),
        "expanded_row": np.arange(len(rows), dtype=np.int64),
        "fourth_copies": np.array([each[4] for each in rows], dtype=np.int8),
    }
    return Expanded(expanded, origin, {**facts, "real_counts": real_counts})


def _kinds_of(part: int) -> range:
    """Return the kinds of the tiles of a set, or of the pair given as a triplet."""
    if part < TRIPLET:
        return range(part, part + 3)
    kind = part - (KAN if part >= KAN else TRIPLET)
    return range(kind, kind + 1)


def _each_has_a_real_tile(parts: list[int], real: list[int]) -> bool:
    """Return whether the real tiles can be distributed so that every part has one."""
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
    """Return whether all concealed sets and the pair have a real tile, and if the pair is real."""
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
    """Return the kind that makes ``wild`` wild when it is turned up."""
    return next(kind for kind in range(KINDS) if wild_of(kind) == wild)


_triplets = pl.sum_horizontal(
    has(f"triplets_{suit}").cast(pl.Int64) * (1 << 9 * at) for at, suit in enumerate("mpsz")
)
_has_pung = has("triplet_count") >= 1
_is_opened = has("open_count") >= 1
_good_pair = ~(words.number_pair & (has("pair") % 9).is_in([1, 7]))

_turned_pung = (_triplets & has("turned_bit")) != 0
_turned_dragon = has("turned_bit") >= 1 << WHITE
_all_pungs_if_turned_dragon = ~(_turned_pung & _turned_dragon) | words.all_pungs

FAN = (
    Fan("turned_tile_pung", "墙头绝", 1, _turned_pung),
    Fan("fourth_copy_wild", "绝头会", 1, has("fourth_copies")),
    Fan("one_tile_left", "手把一", 0, words.all_pungs & (has("open_count") == 4), ("all_pungs",)),
    Fan("all_pungs", "飘胡", 0, words.all_pungs),
)


def _doublings(options: Options, fan: pl.Expr) -> pl.Expr:
    """Return the factor by which ``fan`` fan multiply the base."""
    return 1 + fan if options["fan_value"] == "add" else pl.lit(2, pl.Int32).pow(fan)


def _all_fan(options: Options) -> pl.Expr:
    """Return the fan of a hand, including those that the source names without a value."""
    fan = has("fan").cast(pl.Int32)
    for key in ("one_tile_left", "all_pungs"):
        value = pl.lit(options[f"{key}_fan"], pl.Int32)
        fan = fan + pl.when(any_of(key)).then(value).otherwise(0)
    return fan


def _worth(options: Options) -> pl.Expr:
    return pl.lit(options["base"], pl.Int32) * _doublings(options, _all_fan(options))


def _payments(options: Options) -> Mapping[str, pl.Expr]:
    """Return the payments: between two seats, each of them that raised adds a fan."""

    def raised(seat: pl.Expr) -> pl.Expr:
        return pl.any_horizontal(
            (seat == each) & ((has("raised") & (1 << each)) != 0) for each in range(4)
        ).cast(pl.Int32)

    base, fan = pl.lit(options["base"], pl.Int32), _all_fan(options)
    pays = {}
    for seat in range(4):
        more = raised(has("winner")) + raised(pl.lit(seat))
        if options["both_raised"] == 1:
            more = pl.min_horizontal(more, 1)
        owed = base * (_doublings(options, fan + more) - _doublings(options, fan))
        is_paying = has("tsumo") | (has("loser") == seat)
        pays[f"extra_{seat}"] = pl.when(is_paying).then(owed).otherwise(0)
    return {**discarder_alone(options), **pays}


YINGKOU = Game(
    name="yingkou",
    title="营口麻将 · Yingkou",
    doc="A win needs a pung or kong (or a real pair of dragons), a real terminal or honour, an "
    "open hand, a pair other than 2 or 8, and all three suits. A set or pair with wild tiles needs "
    "a real tile, and the fourth copy of a kind of which a seat holds three is wild too (绝头会). "
    "A pung of the turned-up tile (墙头绝) and each 绝头会 are a fan; a seat that raised (加钢) "
    "wins and loses a fan more. The source has no amounts, and its fan table is lost: it does not "
    "say what 飘胡 and 手把一 are worth, or what a seat that has not opened pays.",
    kinds=lambda options: EVERY_KIND if options["tile_set"] == 136 else NUMBER_KINDS,
    facts=frozenset({"wild", "raised"}),
    fan=FAN,
    choices=(
        Choice("tile_set", 136, "The number of tiles: 136, which the rules use, or 108, which the "
        "text says.", (136, 108)),
        Choice("base", NO_AMOUNT, "What each payer pays for a win without fan."),
        Choice("fan_value", "double", "Each fan doubles the base (assumed), or adds it once.",
               ("double", "add"), needs=amount("base")),
        Choice("all_pungs_fan", NO_AMOUNT, "Fan of 飘胡 (all pungs), named without a value."),
        Choice("one_tile_left_fan", NO_AMOUNT, "Fan of 手把一 (all pungs with one tile left), "
               "instead of those of 飘胡."),
        Choice("both_raised", 2, "Additional fan between two seats that both raised (加钢); the "
        "source does not say.", (2, 1), needs=amount("base")),
    ),
    may_win=(_has_pung | (dragon_pair & has("real_pair")))
    & ((has("natural_tiles") & YAOCHUU) != 0)
    & _is_opened
    & _good_pair
    & (words.number_suits == 3)
    & _all_pungs_if_turned_dragon
    & has("is_supported"),
    refusal="it needs a pung (or a real pair of dragons), a terminal or honour, a chi or pung "
    "made, a pair other than 2 or 8, and all three suits; with a pung of the turned-up tile, a "
    "dragon, all pungs",
    expand=expand,
    columns=_columns,
    worth=_worth,
    payments=_payments,
)  # fmt: skip

GAMES = (YINGKOU,)
