"""The rows that replay writes: for each table a structured array with the table's columns.

The fields follow from the schema. A number is stored as itself, a word of a closed list as its
index in :data:`WORDS`, a single tile as its code, the kinds that a hand waits for as a bit mask,
and a boolean as 0 or 1. NULL is the smallest integer or NaN for numbers, -1 for words, tiles and
booleans, and 0 for a mask. Lists and longer texts are not fields of these rows: ``tables.py``
writes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.game.events import LIMITS
from paifu.schema.table import Column
from paifu.schema.tables import TABLES

MOST_DORA = 5
"""The indicators of a wall; further indicators are flagged and not kept."""
MOST_LAID = 8
"""The most sets and norths that a seat can lay down: four of each."""

MOST_ABORTS = 3
"""Abortive draws after which play may go on: four winds, four riichi, four kans."""

EARLY = 6
"""How many first discards count as early."""

NULL16 = -(2**15)
NULL32 = -(2**31)

RIICHI, OPEN, CLOSED = range(3)
STATES = ("riichi", "open", "closed")

WAIT_KINDS = (
    "ryanmen", "kanchan", "penchan", "shanpon", "tanki", "multi", "chiitoi", "kokushi", "kokushi13",
)  # fmt: skip
(RYANMEN, KANCHAN, PENCHAN, SHANPON, TANKI, MULTI, CHIITOI, KOKUSHI, KOKUSHI13) = range(9)

FURITEN = ("none", "own", "temporary", "riichi")
FURITEN_NONE, FURITEN_OWN, FURITEN_TEMPORARY, FURITEN_RIICHI = range(4)

PASSED_TILE, PASSED_KITA, PASSED_ANKAN = 1, 2, 4
"""What a seat waited for and did not win on, as a sum: a discard or added tile, a north, an ankan
that thirteen orphans could rob."""

WON_BY = ("tsumo", "ron")
BY_TSUMO, BY_RON = range(2)

ACTIONS = (
    "discard", "riichi", "chi", "pon", "daiminkan", "ankan", "kakan", "kita", "tsumo", "ron",
)  # fmt: skip
(
    ACT_DISCARD, ACT_RIICHI, ACT_CHI, ACT_PON, ACT_DAIMINKAN, ACT_ANKAN, ACT_KAKAN, ACT_KITA,
    ACT_TSUMO, ACT_RON,
) = range(10)  # fmt: skip

OUTCOMES = (
    "tsumo", "ron", "double_ron", "triple_ron", "exhaustive", "nagashi", "kyuushu", "suufon",
    "suucha", "suukan", "sanchahou", "unknown",
)  # fmt: skip
(
    ROUND_TSUMO, ROUND_RON, ROUND_DOUBLE_RON, ROUND_TRIPLE_RON, ROUND_EXHAUSTIVE, ROUND_NAGASHI,
    ROUND_KYUUSHU, ROUND_SUUFON, ROUND_SUUCHA, ROUND_SUUKAN, ROUND_SANCHAHOU, ROUND_UNKNOWN,
) = range(12)  # fmt: skip

SEAT_OUTCOMES = (
    "won_tsumo", "won_ron", "deal_in", "paid_tsumo", "bystander", "draw_tenpai", "draw_noten",
    "nagashi", "abort", "unknown",
)  # fmt: skip
(
    SEAT_WON_TSUMO, SEAT_WON_RON, SEAT_DEAL_IN, SEAT_PAID_TSUMO, SEAT_BYSTANDER, SEAT_DRAW_TENPAI,
    SEAT_DRAW_NOTEN, SEAT_NAGASHI, SEAT_ABORT, SEAT_UNKNOWN,
) = range(10)  # fmt: skip

THREATS = ("riichi", "open")
THREAT_RIICHI, THREAT_OPEN = range(2)

CLASSES = (
    "genbutsu", "no_chance", "suji_19", "suji_28", "suji_37", "suji_456", "half_suji_456",
    "no_suji_19", "no_suji_28", "no_suji_37", "no_suji_456", "honour",
)  # fmt: skip
(GENBUTSU, NO_CHANCE, SUJI_19) = range(3)
HALF_SUJI_456, NO_SUJI_19, HONOUR = 6, 7, 11

NEAR_DORA = ("none", "near", "dora")
NEAR_NONE, NEAR_WITHIN_TWO, NEAR_SAME = range(3)

WORDS: dict[str, tuple[str, ...]] = {
    "round_seats.state_end": STATES,
    "round_seats.tenpai_wait_kind": WAIT_KINDS,
    "round_seats.riichi_wait_kind": WAIT_KINDS,
    "round_seats.end_wait_kind": WAIT_KINDS,
    "round_seats.furiten_end": FURITEN,
    "round_seats.won_by": WON_BY,
    "round_seats.tsumo_paid_limit": LIMITS,
    "round_seats.deal_in_state": STATES,
    "round_seats.outcome": SEAT_OUTCOMES,
    "rounds.outcome": OUTCOMES,
    "rounds.abort_due": OUTCOMES,
    "actions.action": ACTIONS,
    "discard_risks.threat": THREATS,
    "discard_risks.class": CLASSES,
    "discard_risks.near_dora": NEAR_DORA,
    "discard_risks.state": STATES,
    "wins.wait_kind": WAIT_KINDS,
    "wins.winner_state": STATES,
    "wins.loser_state": STATES,
    "wins.furiten": FURITEN,
    "wins.limit": LIMITS,
}
"""The closed lists of words, by column."""

TILES = frozenset({
    "round_seats.riichi_tile", "round_seats.deal_in_tile", "round_seats.held_draw",
    "actions.drawn", "actions.tile", "discard_risks.tile", "wins.win_tile",
})  # fmt: skip
"""Columns that hold one tile."""

MASKS = frozenset({
    "round_seats.tenpai_wait", "round_seats.riichi_wait", "round_seats.end_wait", "actions.waits",
    "wins.wait",
})  # fmt: skip
"""Columns that list kinds of tile."""

_NUMBERS = {"int16": "i2", "int32": "i4", "double": "f8", "bool": "i1"}
_NULLS = {"int16": NULL16, "int32": NULL32, "double": np.nan, "bool": -1}


def field_of(table: str, column: Column) -> tuple[str, Any] | None:
    """Return the field type and the NULL of a column, or None if it is not a field."""
    name = f"{table}.{column.name}"
    if name in WORDS or name in TILES:
        return "i1", -1
    if name in MASKS:
        return "u8", 0
    if column.type in _NUMBERS:
        return _NUMBERS[column.type], _NULLS[column.type]
    return None


def _row(table: str, *extra: tuple[Any, ...]) -> tuple[np.dtype[Any], np.ndarray[Any, Any]]:
    """Return the row type of a table, and a row in which every field that may be NULL is NULL."""
    columns = [
        (column, field)
        for column in TABLES[table].columns
        if (field := field_of(table, column)) is not None
    ]
    dtype = np.dtype([(c.name, kind) for c, (kind, _) in columns] + [*extra], align=True)
    blank = np.zeros(1, dtype)
    for column, (_, null) in columns:
        if column.nullable:
            blank[column.name] = null
    return dtype, blank


ROUND, BLANK_ROUND = _row(
    "rounds", ("dora", "i1", MOST_DORA), ("indicators", "i2"), ("aborts", "i1", MOST_ABORTS),
    ("aborts_count", "i2"), ("dealer_won", "i1"),
    ("dealer_tenpai", "i1"), ("points_end", "i4", 4),
)  # fmt: skip
ROUND_SEAT, BLANK_ROUND_SEAT = _row("round_seats", ("round", "i4"), ("pond", "i1", EARLY))
for _sum in (
    "deal_in_points",
    "win_points",
    "tsumo_paid",
):  # NULL only where a payment is not recorded
    BLANK_ROUND_SEAT[_sum] = 0
ACTION, _ = _row("actions", ("round", "i4"), ("meld_tiles", "i1", 4))
RISK, _ = _row("discard_risks", ("round", "i4"))
WIN, BLANK_WIN = _row(
    "wins", ("round", "i4"), ("record", "i4"), ("hand_tiles", "i1", 14), ("laid", "i1"),
    ("laid_kind", "i1", MOST_LAID), ("laid_tiles", "i1", (MOST_LAID, 4)),
    ("dora", "i1", MOST_DORA), ("indicators", "i2"),
)  # fmt: skip
FLAG = np.dtype([("round", "i4"), ("seq", "i2"), ("seat", "i2"), ("reason", "i2")], align=True)
