"""Finds red fives in hands that a person wrote for rules without red fives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paifu.rules.hands.faults import FAULT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from paifu.rules.fan.game import Game
    from paifu.rules.hands.hands import Hands
    from paifu.rules.riichi.ruleset import RuleSet


def find_foreign_reds(
    hands: Hands, rules: RuleSet | Game, written: npt.NDArray[np.bool_] | bool = True
) -> None:
    """Write the fault of red fives into hands if the rules have no red fives.

    ``written`` (bool[N]): the hands that a person wrote for these rules. In all other hands, such
    as those of a log that is scored under other rules than its own, red fives count as plain fives.
    """
    if getattr(rules, "red_fives", None) == "off":  # other games than riichi have no such option
        hands.fault[(hands.reds > 0) & (hands.fault == 0) & written] = FAULT["foreign_reds"]
