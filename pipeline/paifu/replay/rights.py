"""What the rule set of each game forbids a seat to do, as numbers that kernels read.

Rule sets differ in kuikae, in who may declare riichi, in kans in riichi, in which passed tiles make
furiten, and in which draws abort a round. A game is judged by the rule set that its record names.
If the settings of that rule set are not known (``flow = "unknown"``), only what every rule set
forbids is forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from paifu.game.events import GameInfo
from paifu.replay.row_types import ROUND_SUUCHA, ROUND_SUUFON, ROUND_SUUKAN
from paifu.rules.riichi import presets
from paifu.rules.riichi.ruleset import RuleSet

KUIKAE_ALLOWED, KUIKAE_SAME, KUIKAE_WITH_SUJI = range(3)
RIICHI_KAN_OFF, RIICHI_KAN_SAME_WAITS, RIICHI_KAN_SAME_READINGS, RIICHI_KAN_FREE = range(4)
LEFTOVER = ("first", "first_shared", "first_shared_down", "stay")
"""Who takes the sticks left on the table at the end of a game; the index is the number."""
LEFTOVER_UNKNOWN = -1

RIGHTS = np.dtype(
    [
        ("kuikae", "i4"),
        ("riichi_points", "i4"),  # points riichi needs
        ("riichi_tiles", "i4"),  # drawable tiles that must be left for it
        ("furiten_riichi", "i4"),  # 1: it may be declared in furiten
        ("riichi_kan", "i4"),
        ("own_tiles_exhaust", "i4"),  # 1: no tenpai if hand and melds hold all tiles waited for
        ("kita_furiten", "i4"),  # 1: not ronning a north set aside is furiten
        ("ankan_furiten", "i4"),  # 1: so is not robbing an ankan, for thirteen orphans
        ("kita_after_pon", "i4"),  # 1: a north may be set aside right after a pon
        ("aborts", "i4"),  # bit set of the outcomes of ABORTS
        ("kan_dora", "i4"),  # 1: kans turn up indicators
        ("leftover_sticks", "i4"),  # index into LEFTOVER
    ],
    align=True,
)
"""The rights of one game."""

ABORTS = {"suufon": ROUND_SUUFON, "suucha": ROUND_SUUCHA, "suukan": ROUND_SUUKAN}
"""Abortive draws that follow from play alone, by option of the rule set."""

_NO_LIMIT = -(2**30)
_FREE: dict[str, int] = {
    "kuikae": KUIKAE_ALLOWED, "riichi_points": _NO_LIMIT, "riichi_tiles": _NO_LIMIT,
    "furiten_riichi": 1, "riichi_kan": RIICHI_KAN_FREE, "own_tiles_exhaust": 0, "kita_furiten": 1,
    "ankan_furiten": 0, "kita_after_pon": 1, "aborts": 0, "kan_dora": 1,
    "leftover_sticks": LEFTOVER_UNKNOWN,
}  # fmt: skip
"""The rights if no riichi rule set of the game is known: nothing is forbidden."""


def _of_rules(rules: RuleSet) -> dict[str, int]:
    always = {
        "riichi_kan": RIICHI_KAN_SAME_WAITS,  # forbidden at every table
        "kita_furiten": int(rules.kita_ron and rules.kita_pass_furiten),
        "ankan_furiten": int(rules.kokushi_ankan_ron),
        "kan_dora": int(rules.kan_dora),
    }
    if rules.flow == "unknown":
        return _FREE | always
    return always | {
        "kuikae": ("allowed", "same", "suji").index(rules.kuikae),
        "riichi_points": 1000 if rules.riichi_needs_points else _NO_LIMIT,
        "riichi_tiles": rules.riichi_min_tiles,
        "furiten_riichi": int(rules.furiten_riichi),
        "riichi_kan": ("off", "waits", "readings").index(rules.riichi_ankan),
        "own_tiles_exhaust": int(rules.exhausted_wait == "own"),
        "kita_after_pon": int(rules.kita_after_pon),
        "aborts": sum(1 << bit for name, bit in ABORTS.items() if getattr(rules, name)),
        "leftover_sticks": LEFTOVER.index(rules.leftover_sticks),
    }


@cache
def _of_name(ruleset: str) -> tuple[int, ...]:
    found = _of_rules(presets.resolve(ruleset)) if ruleset in presets.NAMES else _FREE
    return tuple(found[name] for name in RIGHTS.names or ())


def rights_of(games: Iterable[GameInfo]) -> np.ndarray[Any, Any]:
    """Return the rights of each game, a structured array of :data:`RIGHTS`.

    If a log gives no points, no seat can lack the thousand points for riichi.
    """
    infos = list(games)
    rights = np.array([_of_name(info.ruleset) for info in infos], dtype=RIGHTS)
    for game, info in enumerate(infos):
        if "points_unknown" in info.notes:
            rights["riichi_points"][game] = _NO_LIMIT
    return rights
