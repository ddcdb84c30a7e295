"""What is wrong with a log that can be read: the reasons as numbers, and how they are noted."""

from __future__ import annotations

import numpy as np

from paifu.kernels.compiling import inner
from paifu.replay.row_types import NULL16
from paifu.replay.table_state import ENDED, FLAG_SLOTS, Record, Records
from paifu.schema.flags import FLAGS

REASONS: tuple[str, ...] = tuple(FLAGS)
"""The text of each reason, by its number."""


def _number(reason: str) -> np.int64:
    """Return a reason's number.

    Numba would take a plain int for a literal, and compile a kernel again for each literal.
    """
    return np.int64(REASONS.index(reason))


TILE_NOT_IN_HAND = _number("tile_not_in_hand")
FIFTH_COPY = _number("fifth_copy")
OUT_OF_TURN = _number("out_of_turn")
DISCARD_MISSING = _number("discard_missing")
BAD_MELD = _number("bad_meld")
CALL_WITHOUT_DRAW_LEFT = _number("call_without_draw_left")
BAD_CHI = _number("bad_chi")
KAKAN_WITHOUT_PON = _number("kakan_without_pon")
RIICHI_OPEN = _number("riichi_open")
RIICHI_NOTEN = _number("riichi_noten")
RIICHI_TWICE = _number("riichi_twice")
RIICHI_WITHOUT_DISCARD = _number("riichi_without_discard")
RIICHI_NOT_ACCEPTED = _number("riichi_not_accepted")
HAND_CHANGED_IN_RIICHI = _number("hand_changed_in_riichi")
CALL_IN_RIICHI = _number("call_in_riichi")
TOO_MANY_KANS = _number("too_many_kans")
KUIKAE = _number("kuikae")
KUIKAE_SUJI = _number("kuikae_suji")
RIICHI_WITHOUT_POINTS = _number("riichi_without_points")
RIICHI_TOO_LATE = _number("riichi_too_late")
RIICHI_FURITEN = _number("riichi_furiten")
RIICHI_KAN = _number("riichi_kan")
KITA_AFTER_PON = _number("kita_after_pon")
RIICHI_KAN_DRAWN = _number("riichi_kan_drawn")
RIICHI_KAN_WAIT = _number("riichi_kan_wait")
RIICHI_KAN_READINGS = _number("riichi_kan_readings")
ABORT_PASSED = _number("abort_passed")
WALL_OVERDRAWN = _number("wall_overdrawn")
DORA_MISSING = _number("dora_missing")
DORA_SURPLUS = _number("dora_surplus")
WIN_NOT_COMPLETE = _number("win_not_complete")
WIN_WITHOUT_TILE = _number("win_without_tile")
EVENT_AFTER_END = _number("event_after_end")
NO_END = _number("no_end")
HIDDEN_TILES = _number("hidden_tiles")
SHORT_HAIPAI = _number("short_haipai")
WRONG_TILE_FOR_PLAYERS = _number("wrong_tile_for_players")
HAND_DIFFERS = _number("hand_differs")
TENPAI_DIFFERS = _number("tenpai_differs")
SCORES_NOT_CARRIED = _number("scores_not_carried")
SCORES_BEFORE_DIFFER = _number("scores_before_differ")
HONBA_DIFFERS = _number("honba_differs")
ROUND_ORDER = _number("round_order")
DEALER_DIFFERS = _number("dealer_differs")
SUM_DIFFERS = _number("sum_differs")
INDICATORS_DIFFER = _number("indicators_differ")
OUTCOME_DIFFERS = _number("outcome_differs")

_NOBODY = FLAG_SLOTS - 1
MOST_FLAGS = FLAG_SLOTS * len(REASONS)
"""A round has each reason at most once for each seat, and once without a seat."""


@inner
def flag(table: Record, reason: np.int64, seat: int) -> None:
    """Note a reason, once for each seat and round, and the act at which it was found."""
    slot = seat if 0 <= seat < _NOBODY else _NOBODY
    mask = np.uint64(1) << np.uint64(reason)
    if not table.flagged[slot] & mask:
        table.flagged[slot] |= mask
        table.flag_act[slot, reason] = NULL16 if table.phase == ENDED else table.acts


@inner
def list_flags(table: Record, flags: Records) -> None:
    """Write the reasons found in the round."""
    for slot in range(FLAG_SLOTS):
        if not table.flagged[slot]:
            continue
        for reason in range(len(REASONS)):
            if table.flagged[slot] & (np.uint64(1) << np.uint64(reason)):
                row = flags[table.flags]
                table.flags += 1
                row.round = table.row
                row.seq = table.flag_act[slot, reason]
                row.seat = slot if slot != _NOBODY else NULL16
                row.reason = reason
