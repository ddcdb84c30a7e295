"""What is wrong with a log that can be read: the reasons as numbers, and how one is raised."""

from __future__ import annotations

import numpy as np

from paifu.kernels import inner
from paifu.replay.rows import NULL16
from paifu.replay.state import ENDED, FLAG_SLOTS, Record, Records
from paifu.schema import FLAGS

REASONS: tuple[str, ...] = tuple(FLAGS)
"""Text of each reason's number."""

TILE_NOT_IN_HAND = REASONS.index("tile_not_in_hand")
FIFTH_COPY = REASONS.index("fifth_copy")
OUT_OF_TURN = REASONS.index("out_of_turn")
DISCARD_MISSING = REASONS.index("discard_missing")
BAD_MELD = REASONS.index("bad_meld")
CALL_WITHOUT_DRAW_LEFT = REASONS.index("call_without_draw_left")
BAD_CHI = REASONS.index("bad_chi")
KAKAN_WITHOUT_PON = REASONS.index("kakan_without_pon")
RIICHI_OPEN = REASONS.index("riichi_open")
RIICHI_NOTEN = REASONS.index("riichi_noten")
RIICHI_TWICE = REASONS.index("riichi_twice")
RIICHI_WITHOUT_DISCARD = REASONS.index("riichi_without_discard")
RIICHI_NOT_ACCEPTED = REASONS.index("riichi_not_accepted")
HAND_CHANGED_IN_RIICHI = REASONS.index("hand_changed_in_riichi")
CALL_IN_RIICHI = REASONS.index("call_in_riichi")
TOO_MANY_KANS = REASONS.index("too_many_kans")
WALL_OVERDRAWN = REASONS.index("wall_overdrawn")
DORA_MISSING = REASONS.index("dora_missing")
DORA_SURPLUS = REASONS.index("dora_surplus")
WIN_NOT_COMPLETE = REASONS.index("win_not_complete")
WIN_WITHOUT_TILE = REASONS.index("win_without_tile")
EVENT_AFTER_END = REASONS.index("event_after_end")
NO_END = REASONS.index("no_end")
HIDDEN_TILES = REASONS.index("hidden_tiles")
SHORT_HAIPAI = REASONS.index("short_haipai")
WRONG_TILE_FOR_PLAYERS = REASONS.index("wrong_tile_for_players")
HAND_DIFFERS = REASONS.index("hand_differs")
TENPAI_DIFFERS = REASONS.index("tenpai_differs")
SCORES_NOT_CARRIED = REASONS.index("scores_not_carried")
SCORES_BEFORE_DIFFER = REASONS.index("scores_before_differ")
HONBA_DIFFERS = REASONS.index("honba_differs")
ROUND_ORDER = REASONS.index("round_order")
DEALER_DIFFERS = REASONS.index("dealer_differs")
SUM_DIFFERS = REASONS.index("sum_differs")
INDICATORS_DIFFER = REASONS.index("indicators_differ")
OUTCOME_DIFFERS = REASONS.index("outcome_differs")

_NOBODY = FLAG_SLOTS - 1
MOST_FLAGS = FLAG_SLOTS * len(REASONS)
"""A round has each reason at most once for each seat and once for none."""


@inner
def flag(table: Record, reason: int, seat: int) -> None:
    """Note a reason, once for each seat and round, and the act it was found at."""
    slot = seat if 0 <= seat < _NOBODY else _NOBODY
    mask = np.uint64(1) << np.uint64(reason)
    if not table.flagged[slot] & mask:
        table.flagged[slot] |= mask
        table.flag_act[slot, reason] = NULL16 if table.phase == ENDED else table.acts


@inner
def list_flags(table: Record, flags: Records, written: int) -> int:
    """Write the reasons found in the round; return how many rows there are now."""
    for slot in range(FLAG_SLOTS):
        if not table.flagged[slot]:
            continue
        for reason in range(len(REASONS)):
            if table.flagged[slot] & (np.uint64(1) << np.uint64(reason)):
                row = flags[written]
                written += 1
                row.round = table.row
                row.seq = table.flag_act[slot, reason]
                row.seat = slot if slot != _NOBODY else NULL16
                row.reason = reason
    return written
