"""The state of replay during a round: the table and each seat, as records that kernels share.

A record is one element of a NumPy structured array. A kernel gets it by reference, and reads and
writes its fields by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.replay.rights import RIGHTS
from paifu.replay.row_types import (
    BLANK_ROUND_SEAT,
    MOST_ABORTS,
    MOST_DORA,
    MOST_LAID,
    ROUND_SEAT,
    ROUND_UNKNOWN,
)

Record = Any
"""An element of a structured array, inside a kernel."""
Records = Any
"""A structured array."""

MOST_MELDS = 4
FLAG_SLOTS = 5
"""Four seats, and a slot without a seat."""
MOST_TILES = 5
"""The highest count of a kind: four are legal, a fifth is flagged, and more need not be counted."""

# phases of a round
DRAW_DUE = 0
"""``turn`` draws next, unless a seat calls or wins first."""
DISCARD_DUE = 1
"""``turn`` has drawn, and discards, declares a kan or kita, or wins next."""
CALL_DISCARD_DUE = 2
"""``turn`` has called a chi or pon and discards next."""
ENDED = 3

# riichi of a seat
NO_RIICHI, RIICHI_DECLARED, IN_RIICHI = 0, 1, 2

# what can be won on now, and what the next draw replaces
NOTHING, OFFERED_DISCARD, OFFERED_KAKAN, OFFERED_ANKAN, OFFERED_KITA = range(5)
LIVE_DRAW, KAN_DRAW, KITA_DRAW = range(3)

# what a seat has laid down
LAID_CHI, LAID_PON, LAID_DAIMINKAN, LAID_KAKAN, LAID_ANKAN, LAID_KITA = range(6)

NO_SHANTEN = -(2**15)
"""Shanten of a hand that is not known or cannot exist: NULL in the tables."""

SEAT = np.dtype(
    [
        ("counts", "i1", 34),  # concealed tiles by kind, a red five as its five
        ("reds", "i1", 3),  # red fives among them
        ("hidden", "i4"),  # concealed tiles the log hides
        ("melds", "i8"),  # sets laid down
        ("open_melds", "i4"),
        ("laid", "i4"),  # sets and norths laid down, with their kinds and tiles in order
        ("laid_kind", "i1", MOST_LAID),
        ("laid_tiles", "i1", (MOST_LAID, 4)),
        ("drawn", "i4"),  # tile drawn and not yet discarded, else NO_TILE
        ("had_drawn", "i4"),  # tile drawn before the last discard, else NO_TILE
        ("tsumogiri", "i4"),  # the last discard: 1 or 0, -1 not known
        ("has_drawn", "i1"),  # a tile, hidden or not, has been drawn since the last discard
        ("changed", "i1"),  # the concealed tiles are no longer those of shanten and waits
        ("shanten", "i4"),  # of the 13 tiles
        ("waits", "u8"),
        ("wait_kind", "i4"),
        ("value_pairs", "u8"),  # value kinds of which it was dealt two
        ("discards", "i4"),
        ("own", "u8"),  # kinds it has discarded
        ("early", "u8"),  # kinds among its first discards, before a riichi
        ("passed", "u8"),  # kinds it did not win on since its riichi
        ("passing", "u8"),  # kinds others discarded since its last discard
        ("riichi", "i1"),
        ("riichi_at", "i4"),  # its discards when it declared riichi
        ("open_at", "i4"),  # its discards at its second open meld
        ("ippatsu", "i1"),
        ("temporary_furiten", "i1"),
        ("riichi_furiten", "i1"),
        ("swap", "i4"),  # kind called this turn, else -1
        ("swap_end", "i4"),  # kind at the other end of the run called this turn, else -1
        ("all_yaochuu", "i1"),  # all discards so far are terminals and honours, and none was called
        ("pao", "i1", 3),  # who fed daisangen, daisuushi, suukantsu; NO_SEAT
    ],
    align=True,
)
"""One seat."""

_GAME_FIELDS = [
    # the round before: whether there was one, its facts, and the points and sticks it left
    ("had_round", "i1"),
    ("last_wind", "i4"),
    ("last_number", "i4"),
    ("last_honba", "i4"),
    ("last_sticks", "i4"),
    ("last_scores", "i4", 4),
    ("last_scores_known", "i1"),
    ("last_dealer", "i4"),
    ("last_dealer_won", "i1"),
    ("last_drawn", "i1"),  # it ended without a win
    ("dealer_wins", "i4"),  # rounds the last dealer has won in a row
    ("dealer_rounds", "i4"),  # rounds it has dealt in a row
    *((name, RIGHTS[name]) for name in RIGHTS.names or ()),  # what its rule set forbids
    ("away", "i1", 4),
    ("ever_away", "i1", 4),
    # what has been read and written so far, in all games
    ("records", "i8"),  # recorded wins
    ("stated", "i8"),  # points stated before the event
    ("actions", "i8"),
    ("risks", "i8"),
    ("wins", "i8"),
    ("flags", "i8"),
    ("players", "i8"),
]

_ROUND_FIELDS = [
    ("row", "i8"),  # number of the round in the batch
    ("seats", SEAT, 4),
    ("rows", ROUND_SEAT, 4),  # the rows of round_seats
    ("dealer", "i8"),
    ("phase", "i4"),
    ("turn", "i4"),
    ("tiles_left", "i4"),
    ("live_draws", "i4"),
    ("acts", "i4"),
    ("discards", "i4"),
    ("interrupted", "i1"),  # a call, kan or kita is completed: the first turn is over
    ("break_due", "i1"),  # a kan or kita that may still be robbed
    ("replaces", "i4"),  # what the next draw is for
    ("rinshan", "i4"),  # what the last draw was for: LIVE_DRAW, KAN_DRAW or KITA_DRAW
    ("offered", "i4"),
    ("passed", "i4"),  # the tile that was offered last and not won on
    ("offered_tile", "i4"),
    ("offered_seat", "i4"),
    ("declaring", "i4"),  # who declared riichi and has not discarded yet, else NO_SEAT
    ("first_risk", "i8"),  # rows of the last discard in discard_risks
    ("after_risk", "i8"),
    ("seen", "i1", 34),  # copies that everybody sees
    ("copies", "i1", 34),  # copies that have come up anywhere
    ("indicators", "i4"),
    ("dora", "i1", MOST_DORA),
    ("dora_kinds", "u8"),
    ("dora_due", "i4"),  # indicators that must be open by now
    ("dora_pending", "i4"),  # kans whose indicator follows with the next discard
    ("kans", "i4"),
    ("kan_seats", "i4"),  # bit set of seats
    ("riichis", "i4"),
    ("accepted", "i4"),
    ("suufon", "i4"),  # the wind that all discards so far were; -1 if they were not all one wind
    ("round_wins", "i4"),
    ("dealer_won", "i1"),
    ("abort_due", "i4"),
    ("aborts_passed", "i4", MOST_ABORTS),  # abortive draws that were due although play went on
    ("aborts_count", "i4"),
    ("outcome", "i4"),
    ("scores", "i4", 4),
    ("scores_known", "i1"),  # all payments of the round are recorded
    ("sticks", "i4"),
    ("flagged", "u8", FLAG_SLOTS),  # reasons found in the round, by seat, then without
    ("flag_act", "i2", (FLAG_SLOTS, 64)),  # and the act at which they were first found
]

TABLE = np.dtype(_GAME_FIELDS + _ROUND_FIELDS, align=True)
"""The table: first the state that is kept from round to round, then the state of the round."""


_WORD = 8
"""Bytes of a word; tables and their rows are copied in words."""


def _place(field: str) -> int:
    """Return the word of a table at which a field begins."""
    assert TABLE.fields is not None
    words, rest = divmod(int(TABLE.fields[field][1]), _WORD)
    assert rest == 0
    return words


ROUND_WORDS = _place("row")
"""The word of a table at which the state of the round begins."""
ROW_WORDS = _place("rows")
"""The word at which its rows of ``round_seats`` begin."""
ROW_SIZE = ROUND_SEAT.itemsize // _WORD

DRAWS = 70
"""Tiles drawn from a wall, including replacements: 136 less the deal and the dead wall."""


def fresh_table() -> np.ndarray[Any, Any]:
    """Return a table in its state before a four-player round."""
    block = np.zeros(1, TABLE)
    block["tiles_left"] = DRAWS
    block["dora_due"] = 1
    block["outcome"] = ROUND_UNKNOWN
    block["rows"] = BLANK_ROUND_SEAT[0]
    for name in (
        "offered_tile",
        "offered_seat",
        "declaring",
        "suufon",
        "abort_due",
        "dora",
        "aborts_passed",
    ):
        block[name] = -1
    for name in ("drawn", "swap", "swap_end", "pao"):
        block["seats"][name] = -1
    block["seats"]["all_yaochuu"] = 1
    return block
