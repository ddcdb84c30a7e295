"""Why a hand is not scored: the fault as data, and the sentence that tells of it."""

from __future__ import annotations

from paifu.calculator.hand import Hand
from paifu.errors import Fault, HandError
from paifu.rules.fan.features import EVERY_KIND
from paifu.rules.fan.game import Event, Game
from paifu.rules.hands.faults import sentence
from paifu.rules.hands.hands import Hands, fault_in
from paifu.rules.riichi.ruleset import RuleSet


def refusal(
    hand: Hand, batch: Hands, row: int, status: str, reason: str | None, yaku: dict[str, int],
    ruleset: RuleSet | Game,
) -> HandError:  # fmt: skip
    """Return the error for a hand, which is ``row`` of ``batch``, that the engine did not score.

    ``status`` and ``reason`` are the engine's, ``yaku`` what it found.
    """
    if status in ("impossible", "unreadable") and reason:
        kinds = ruleset.tile_kinds if isinstance(ruleset, Game) else EVERY_KIND
        fault = fault_in(batch, row, reason, kinds)
        return HandError(f"{hand.text}: {sentence(fault, ruleset.name)}", fault)
    return HandError(f"{hand.text} {_not_won(hand, status, reason, yaku, ruleset)}", Fault(status))


def _not_won(
    hand: Hand, status: str, reason: str | None, yaku: dict[str, int], ruleset: RuleSet | Game
) -> str:
    """Return why a hand that can be is worth nothing, said of it."""
    if status == "not_complete":
        return f"is not a winning hand under {ruleset.name}"
    if status == "uncertain_yaku":
        return f"has no yaku on some of the tiles it waits for, as {ruleset.name} asks"
    if isinstance(ruleset, RuleSet):
        honba, least = hand.circumstances.honba, ruleset.min_han
        if ruleset.two_han_honba and honba >= ruleset.two_han_honba:
            least = max(least, 2)
        return f"has no yaku under {ruleset.name}: a win needs {least} han, dora not counted"
    event = _event(hand, ruleset)
    if status == "unpriced":
        won = "is paid" if event else f"wins with {' '.join(yaku) or 'no fan'}"
        return f"{won}, but {reason}"
    if event:
        return f"is paid nothing under {ruleset.name}: {event.refusal}"
    return f"is complete but may not win under {ruleset.name}: {ruleset.needs}"


def _event(hand: Hand, game: Game) -> Event | None:
    """Return what a hand is for its game, if it is not a complete hand."""
    if hand.circumstances.dealt:
        return game.dealt
    return game.by_name or (None if hand.tiles else game.kong)
