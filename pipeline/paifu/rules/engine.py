"""The engine: winning hands in, yaku, han, fu, points and payments out, under any rule set.

Every reading of every hand (``shapes``) is a row. The yaku of the rule book, fu and base points are
expressions over those rows. A kernel chooses the reading that is worth most. Payments are
expressions over the chosen rows. Hands are scored in chunks, each in a thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import KINDS
from paifu.host.threads import processors
from paifu.rules.fan.game import Game
from paifu.rules.fan.scoring import score_game
from paifu.rules.hands.faults import FAULT, FAULT_KEYS, FIRST_IMPOSSIBLE
from paifu.rules.hands.features import has
from paifu.rules.hands.hands import MAX_INDICATORS, Hands, find_foreign_facts
from paifu.rules.hands.reading_kernels import NO_MELD
from paifu.rules.hands.reading_text import READING_COLUMNS, reading_text
from paifu.rules.hands.scoring_kernels import (
    best_rows,
    count_dora,
    find_unconnected,
    order_by_hand,
)
from paifu.rules.hands.shanten import waits_of_wins
from paifu.rules.hands.shapes import readings
from paifu.rules.hands.suit_tables import suit_tables
from paifu.rules.riichi.fu import PARTS
from paifu.rules.riichi.points import PAO_COLUMNS, PAYMENT_COLUMNS, limit_word, with_payments
from paifu.rules.riichi.reading_values import Plan, is_yakuman, least_han, plan_of
from paifu.rules.riichi.ruleset import YAKUMAN, RuleSet

ENGINE_VERSION = 7
"""Raise it when a change may give a hand another score or legality under the same rule set."""

CHUNK = 100_000
"""Hands scored at a time by one thread."""

DORA_KEYS = ("dora", "ura_dora", "aka_dora", "kita")
"""Keys of bonus han, which are listed like yaku, in this order."""

_NO_YAKU = 1
UNCERTAIN = "the hand has no yaku on some of the tiles it waits for"
STATUSES = (
    "ok", "no_yaku", "not_complete", "impossible", "unreadable", "uncertain_yaku", "unpriced",
)  # fmt: skip

SCORE_COLUMNS = (
    "han", "fu", "yakuman", "limit", "points", "honba_points", "stick_points", "dora_han",
    "aka_han", "ura_han", "kita_han", "pao_seat", "chips", "delta_0", "delta_1", "delta_2",
    "delta_3",
)  # fmt: skip
"""The columns a score has, as in tables ``wins`` and ``scored_wins``."""

_RIICHI_FACTS = frozenset({"riichi", "reds"})
"""The facts that riichi knows, of the facts that only some games know."""

EXPLAINED = (*READING_COLUMNS, "won", "wait", "concealed_triplets", *PARTS)
"""The columns of a reading that explain its fu."""

Int16Array = npt.NDArray[np.int16]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scored:
    """What the engine says about a batch of hands."""

    wins: pl.DataFrame
    """One row per hand, in order: ``han fu yakuman limit points honba_points stick_points dora_han
    aka_han ura_han kita_han pao_seat chips delta_0 … delta_3`` as table ``scored_wins`` has them,
    ``reading``, ``status`` (``ok``, ``no_yaku``, ``not_complete``, ``impossible``, ``unreadable``)
    and ``reason`` (a key of ``faults.FAULTS`` for the last two, a sentence for ``no_yaku``). The
    status is ``uncertain_yaku`` if the rule set wants a yaku on every tile waited for and the hand
    has one on some of them only. It is ``unpriced`` if the source of the game gives no price for
    the hand; the reason then says which amounts to set. All columns but status and reason are NULL
    unless ``ok``."""
    yaku: pl.DataFrame
    """One row per hand that is ``ok`` and yaku, by hand: ``hand`` (int32), ``yaku``, ``han``
    (13 for a yakuman), bonus han (``dora ura_dora aka_dora kita``) last."""
    counted: Int16Array
    """int16[N]: the han of yaku, or the fan, of each complete hand that count for a win, also if
    they are too few; 0 for other hands."""
    fu: pl.DataFrame | None = None
    """The parts of the fu of each hand's reading, if they were asked for and the game is riichi.
    One row per hand, in order: ``form set_0 … set_3 pair won wait concealed_triplets`` as
    ``shapes`` has them and the parts of :data:`paifu.rules.riichi.fu.PARTS`; NULL unless ``ok``."""


def score(
    hands: Hands, ruleset: RuleSet | Game, *, jobs: int | None = None, explain: bool = False
) -> Scored:
    """Score hands under a rule set, on ``jobs`` threads (default: one per processor).

    With ``explain`` the answer has ``fu``. No hand raises an error: a hand that cannot be scored
    has a status and a reason.
    """
    starts = range(0, max(len(hands), 1), CHUNK)
    chunks = [hands[start : start + CHUNK] for start in starts]
    jobs = min(jobs or processors(), len(chunks))
    if jobs <= 1:
        parts = [_score_any(chunk, ruleset, explain) for chunk in chunks]
    else:
        with ThreadPoolExecutor(jobs) as pool:
            parts = list(pool.map(lambda chunk: _score_any(chunk, ruleset, explain), chunks))
    if len(parts) == 1:
        return parts[0]
    return Scored(
        pl.concat([part.wins for part in parts]),
        pl.concat(
            part.yaku.with_columns(pl.col("hand") + start)
            for start, part in zip(starts, parts, strict=True)
        ),
        np.concatenate([part.counted for part in parts]),
        pl.concat(fu) if (fu := [part.fu for part in parts if part.fu is not None]) else None,
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """The readings of a chunk of hands, and the one each hand is scored by."""

    plan: Plan
    rows: pl.DataFrame
    best: Int64Array
    """int64[N]: row of ``rows``, -1 if no reading counts."""
    complete: BoolArray
    """bool[N]: the hand has a reading, worth something or not."""
    counted: Int16Array
    """int16[N]: as in :class:`Scored`."""
    bonus: Int16Array
    fault: npt.NDArray[np.int8]


def _choose(hands: Hands, ruleset: RuleSet, columns: tuple[str, ...]) -> _Choice:
    """Return the readings of hands, with feature ``columns``, and the best under a rule set."""
    plan = plan_of(ruleset)
    fault = hands.faults()
    find_foreign_facts(hands, _RIICHI_FACTS, fault)
    if not ruleset.kita_ron:
        fault[hands.kita_ron & (fault == 0)] = FAULT["kita_ron_forbidden"]
    bonus = _bonus_han(hands, ruleset, fault)
    special = np.zeros(len(hands), dtype=np.int8)
    if "shiisanpuutaa" in ruleset.yaku:
        find_unconnected(hands.concealed, special)
        special[~(hands.first_turn & hands.tsumo)] = 0
    win_tile = np.where(fault == 0, hands.win_tile, -1).astype(np.int8)
    frame = readings(
        hands.concealed, hands.meld_kind, hands.meld_tile, win_tile, hands.tsumo, special
    )
    hand = _column(frame, "hand")
    is_dealer = hands.winner == hands.dealer
    context = [
        pl.Series(name, (is_dealer if name == "is_dealer" else getattr(hands, name))[hand])
        for name in plan.context
    ]
    total_bonus = pl.Series("bonus", bonus.sum(axis=0, dtype=np.int16)[hand])
    lazy = frame.with_columns(*context, total_bonus).lazy()
    for stage in plan.stages:
        lazy = lazy.with_columns(stage)
    rows = lazy.select(
        "hand", "key", "han", "fu", "yakuman", "base", "worthy", "counted", *columns, *plan.keys
    ).collect()
    best = np.full(len(hands), -1, dtype=np.int64)
    best_rows(hand, _column(rows, "key"), best)
    complete = best >= 0
    counted = _at(rows, "counted", best)
    best[~_at(rows, "worthy", best)] = -1
    if plan.flat_renhou:
        bonus[:, _at(rows, "renhou", best)] = 0
    return _Choice(plan, rows, best, complete, counted, bonus, fault)


def _score_any(hands: Hands, ruleset: RuleSet | Game, explain: bool) -> Scored:
    if isinstance(ruleset, Game):
        return Scored(*score_game(hands, ruleset))
    return _score_chunk(hands, ruleset, explain)


def _score_chunk(hands: Hands, ruleset: RuleSet, explain: bool) -> Scored:
    choice = _choose(hands, ruleset, EXPLAINED if explain else READING_COLUMNS)
    rows, best = choice.rows, choice.best
    uncertain = np.zeros(len(hands), dtype=np.bool_)
    if not ruleset.atozuke:
        uncertain = _uncertain(hands, ruleset, best >= 0)
        best[uncertain] = -1
    fed = _fed_yakuman(hands, ruleset, rows, best)
    wins = _win_rows(hands, ruleset, rows, best, choice.bonus, fed)
    return Scored(
        wins.with_columns(
            _reading_text(hands, rows, best),
            *_status(hands, ruleset, choice, best >= 0, uncertain),
        ),
        _yaku_rows(hands, ruleset, choice.plan, rows, best, choice.bonus),
        choice.counted,
        _fu_rows(rows, best) if explain else None,
    )


_CHANCE = ("haitei", "houtei", "rinshan", "after_kita", "chankan", "kita_ron")
"""Circumstances whose yaku a player cannot know beforehand."""


def _uncertain(hands: Hands, ruleset: RuleSet, won: BoolArray) -> BoolArray:
    """Return which of the hands that ``won`` lack the yaku they need on a tile they waited for.

    Each of these hands is scored once for each tile it waited for, without the circumstances of
    ``_CHANCE``. A tile of which the hand and its melds hold all four copies is not waited for.
    """
    chosen = np.flatnonzero(won)
    melds = (hands.meld_kind[chosen] != NO_MELD).sum(axis=1).astype(np.int8)
    masks = np.zeros(len(chosen), dtype=np.uint64)
    waits_of_wins(suit_tables(), hands.concealed[chosen], hands.win_tile[chosen], melds, masks)
    nth, kind = np.nonzero(masks[:, None] >> np.arange(KINDS, dtype=np.uint64) & np.uint64(1))
    on_each = hands[chosen[nth]]
    rows = np.arange(len(nth))
    on_each.concealed[rows, on_each.win_tile] -= 1
    on_each.concealed[rows, kind] += 1
    on_each.win_tile = kind.astype(np.int8)
    on_each.reds = np.zeros_like(on_each.reds)  # dora are not yaku, and the red five may be gone
    for name in _CHANCE:
        setattr(on_each, name, np.zeros(len(nth), dtype=np.bool_))
    choice = _choose(on_each, ruleset, ())
    missed = (choice.fault == 0) & choice.complete & (choice.best < 0)
    uncertain = np.zeros(len(hands), dtype=np.bool_)
    uncertain[chosen[nth[missed]]] = True
    return uncertain


def _fu_rows(rows: pl.DataFrame, best: Int64Array) -> pl.DataFrame:
    """Return ``Scored.fu``."""
    columns = {name: _at(rows, name, best) for name in EXPLAINED}
    return pl.DataFrame(columns).select(pl.when(pl.Series(best >= 0)).then(pl.all()))


def _column(rows: pl.DataFrame, name: str) -> npt.NDArray[Any]:
    """Return a column as a read-only array, so that a kernel is compiled for one type only."""
    values = rows[name].to_numpy()
    values.flags.writeable = False
    return values


def _at(rows: pl.DataFrame, name: str, best: Int64Array) -> npt.NDArray[Any]:
    """Return a column of the chosen readings, one value per hand; zero if it has no reading."""
    values = _column(rows, name)
    if not len(values):
        return np.zeros(len(best), dtype=values.dtype)
    return np.where(best >= 0, values[np.maximum(best, 0)], np.zeros(1, dtype=values.dtype))


def _bonus_han(hands: Hands, ruleset: RuleSet, fault: npt.NDArray[np.int8]) -> Int16Array:
    """Return int16[4, N]: han from dora, ura dora, red fives and set-aside norths."""
    bonus = np.zeros((len(DORA_KEYS), len(hands)), dtype=np.int16)
    for row, indicators, shown in (
        (0, hands.dora_indicators, MAX_INDICATORS if ruleset.kan_dora else 1),
        (1, hands.ura_indicators, MAX_INDICATORS if ruleset.kan_ura else 1),
    ):
        count_dora(
            hands.concealed, hands.meld_kind, hands.meld_tile, hands.kita, hands.players, fault,
            indicators, shown, ruleset.kita_under_west, bonus[row],
        )  # fmt: skip
    bonus[1] *= hands.riichi & ruleset.ura_dora
    if ruleset.red_fives != "off":
        red = hands.aka if ruleset.red_fives == "by_game" else np.ones(len(hands), dtype=np.bool_)
        bonus[2] = hands.reds * red
    bonus[3] = hands.kita * ruleset.kita_han
    return bonus


def _fed_yakuman(
    hands: Hands, ruleset: RuleSet, rows: pl.DataFrame, best: Int64Array
) -> dict[str, Int16Array]:
    """Return, for each yakuman with liability, how many yakuman its feeder is liable for."""
    left = _at(rows, "yakuman", best)
    fed: dict[str, Int16Array] = {}
    for key, column in PAO_COLUMNS:
        if key not in ruleset.pao or key not in rows.columns:
            continue
        feeder = getattr(hands, column)
        liable = _at(rows, key, best) & (feeder >= 0) & (feeder != hands.winner)
        share = left if ruleset.pao_scope == "hand" else ruleset.yaku[key].closed // YAKUMAN
        fed[key] = np.where(liable, np.minimum(share, left), 0).astype(np.int16)
        left = left - fed[key]
    return fed


def _win_rows(
    hands: Hands, ruleset: RuleSet, rows: pl.DataFrame, best: Int64Array, bonus: Int16Array,
    fed: dict[str, Int16Array],
) -> pl.DataFrame:  # fmt: skip
    """Return the columns of ``Scored.wins`` up to the payments."""
    liable = any(share.any() for share in fed.values())
    frame = pl.DataFrame(
        {
            **{name: _at(rows, name, best) for name in ("han", "fu", "yakuman", "base")},
            **{f"fed_{key}": share for key, share in fed.items()},
            **{name: getattr(hands, name) for name in PAYMENT_COLUMNS},
            **dict(zip(DORA_KEYS, bonus, strict=True)),
            "ippatsu": _at(rows, "ippatsu", best) if "ippatsu" in rows.columns else best < -1,
            "riichi": hands.riichi,
            "won": best >= 0,
        }
    ).with_columns((has("winner") == has("dealer")).alias("is_dealer"))
    ordinary = has("yakuman") == 0
    bonus_han = {
        f"{name}_han": pl.when(ordinary).then(key).otherwise(0)
        for name, key in zip(("dora", "ura", "aka", "kita"), DORA_KEYS, strict=True)
    }
    chips = has("ippatsu") * ruleset.chip_ippatsu + has("aka_dora") * ruleset.chip_red
    chips = (chips + has("ura_dora") * ruleset.chip_ura).cast(pl.Int16)
    columns = {
        **{name: has(name) for name in SCORE_COLUMNS},
        "han": pl.when(ordinary).then("han"),
        "limit": limit_word(ruleset, has("han"), has("fu"), has("yakuman")),
        **bonus_han,
        "ura_han": pl.when("riichi").then(bonus_han["ura_han"]),
        "chips": chips if ruleset.chips else pl.lit(None, pl.Int16),
    }
    paid = with_payments(frame.lazy(), ruleset, list(fed) if liable else [])
    return paid.select(
        pl.when("won").then(columns[name]).alias(name) for name in SCORE_COLUMNS
    ).collect()


_Found = tuple[npt.NDArray[Any], int, npt.NDArray[Any]]
"""Hands that have a yaku, its number, and its han in each."""


def _yaku_rows(
    hands: Hands, ruleset: RuleSet, plan: Plan, rows: pl.DataFrame, best: Int64Array,
    bonus: Int16Array,
) -> pl.DataFrame:  # fmt: skip
    """Return ``Scored.yaku``: the yaku and bonus han of each chosen reading."""
    ordinary = (best >= 0) & (_at(rows, "yakuman", best) == 0)
    found = _yaku_of(hands, ruleset, plan, rows, best)
    for number, han in enumerate(bonus, start=len(plan.keys)):
        hand = np.flatnonzero(ordinary & (han > 0))
        found.append((hand, number, han[hand]))
    return _by_hand(found, (*plan.keys, *DORA_KEYS), len(hands))


def _yaku_of(
    hands: Hands, ruleset: RuleSet, plan: Plan, rows: pl.DataFrame, best: Int64Array
) -> list[_Found]:
    """Return which hands have each yaku in the chosen reading; yakuman count alone."""
    chosen = np.zeros(len(rows), dtype=np.bool_)
    chosen[best[best >= 0]] = True
    has_yakuman = _column(rows, "yakuman") > 0
    ordinary, limit = chosen & ~has_yakuman, chosen & has_yakuman
    hand_of = _column(rows, "hand")
    is_open = hands.is_open
    found: list[_Found] = []
    for number, key in enumerate(plan.keys):
        value, fired = ruleset.yaku[key], _column(rows, key)
        if is_yakuman(ruleset, key):
            hand = hand_of[fired & limit]
            found.append((hand, number, np.full(len(hand), value.closed, np.int16)))
            continue
        hand = hand_of[fired & ordinary]
        found.append((hand, number, np.where(is_open[hand], value.open, value.closed)))
        if key in plan.raised:
            hand = hand_of[fired & limit]
            hand = hand[~hands.tsumo[hand] & ~hands.loser_riichi[hand]]
            found.append((hand, number, np.full(len(hand), YAKUMAN, np.int16)))
    return found


def _by_hand(found: list[_Found], names: tuple[str, ...], count: int) -> pl.DataFrame:
    """Return a row for each hand and yaku, by hand; the yaku of a hand in the order found."""
    hand = np.concatenate([each for each, _, _ in found]).astype(np.int32)
    numbers = np.repeat([number for _, number, _ in found], [len(each) for each, _, _ in found])
    han = np.concatenate([each for _, _, each in found]).astype(np.int16)
    first = np.zeros(count + 1, dtype=np.int64)
    first[1:] = np.bincount(hand, minlength=count)
    order = np.empty(len(hand), dtype=np.int64)
    order_by_hand(hand, first, order)
    yaku = pl.Series(names, dtype=pl.String).gather(numbers[order].astype(np.uint32))
    return pl.DataFrame({"hand": hand[order], "yaku": yaku, "han": han[order]})


def _reading_text(hands: Hands, rows: pl.DataFrame, best: Int64Array) -> pl.Series:
    """Return the chosen readings as text."""
    columns = {name: _column(rows, name) for name in READING_COLUMNS}
    return reading_text(columns, hands.concealed, best)


def _needs(hands: Hands, ruleset: RuleSet, counted: Int16Array, at: Int64Array) -> list[str]:
    """Return why the complete hands ``at`` may not win with the han they have, ``counted``."""
    besides = "dora" if ruleset.min_han_ippatsu else "dora and ippatsu"
    return [
        f"a win needs {least_han(ruleset, honba)} han, {besides} not counted: the hand has {han}"
        if han
        else "the hand has no yaku"
        for honba, han in zip(hands.table_honba[at].tolist(), counted[at].tolist(), strict=True)
    ]


def _status(
    hands: Hands, ruleset: RuleSet, choice: _Choice, won: BoolArray, uncertain: BoolArray
) -> list[pl.Series]:
    """Return the status and reason columns."""
    fault = choice.fault
    code = np.where(won, 0, np.where(choice.complete, _NO_YAKU, 2))
    code[uncertain] = STATUSES.index("uncertain_yaku")
    code[fault > 0] = np.where(fault[fault > 0] >= FIRST_IMPOSSIBLE, 3, 4)
    status = pl.Series(STATUSES, dtype=pl.String).gather(code)
    reason = pl.Series([None, *FAULT_KEYS[1:]], dtype=pl.String).gather(fault.astype(np.uint32))
    short = np.flatnonzero(code == _NO_YAKU)
    reason = reason.scatter(
        short, pl.Series(_needs(hands, ruleset, choice.counted, short), dtype=pl.String)
    ).set(pl.Series(uncertain & (fault == 0)), UNCERTAIN)
    return [status.alias("status"), reason.alias("reason")]
