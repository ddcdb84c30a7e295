"""Why a hand is not scored: the fault as data, and its sentence."""

from __future__ import annotations

from collections.abc import Iterable

from paifu.calculator.hand import NO_SEAT, Hand
from paifu.errors import FactError, Fault, HandError
from paifu.game.tiles import EAST, KIND_OF, NORTH, RED, WHITE
from paifu.rules.engine import Scored
from paifu.rules.fan.features import EVERY_KIND
from paifu.rules.fan.game import Game
from paifu.rules.hands.faults import sentence
from paifu.rules.hands.hands import Hands, fault_in
from paifu.rules.riichi.reading_values import least_han
from paifu.rules.riichi.ruleset import RuleSet

_FED = {
    "daisangen": range(WHITE, RED + 1), "daisuushii": range(EAST, NORTH + 1), "suukantsu": range(0),
}  # fmt: skip
"""The kinds of tiles in the melds that a seat can be liable for; of four kans, any kind."""
_FOUR = 4


def refusal(
    hand: Hand, found: Scored, batch: Hands, row: int, yaku: Iterable[str], ruleset: RuleSet | Game
) -> HandError:
    """Return the error for a hand that the engine did not score.

    The hand is ``row`` of ``batch`` and of ``found``. ``yaku`` are its yaku, for a hand that has no
    price.
    """
    status, reason = found.wins.row(row, named=True)["status"], found.wins["reason"][row] or ""
    if status in ("impossible", "unreadable"):
        kinds = ruleset.tile_kinds if isinstance(ruleset, Game) else EVERY_KIND
        fault = fault_in(batch, row, reason, kinds)
        return HandError(f"{hand.text}: {sentence(fault, ruleset.name)}", fault)
    counted = int(found.counted[row])
    fault = Fault(status, number=counted if status == "no_yaku" else None)
    return HandError(_not_won(hand, fault, reason, yaku, ruleset), fault)


def unfounded_pao(hand: Hand, liable: int | None, ruleset: RuleSet | Game) -> FactError | None:
    """Return the error for a hand with pao but nothing that a seat can be liable for.

    ``liable`` is the seat that pays by the engine's score. A seat is liable for sets that are all
    melds, at least one of them with a tile that it fed.
    """
    if hand.pao == NO_SEAT or isinstance(ruleset, Game):
        return None
    if not ruleset.pao:
        return FactError(f"{ruleset.name} has no pao: leave it out")
    if liable is None:
        names = " or ".join(ruleset.pao)
        return FactError(f"pao is about {names} under {ruleset.name}: {hand.text} is neither")
    for key in ruleset.pao:
        fed = [word for word, tiles in hand.melds if KIND_OF[tiles[0]] in _FED[key]]
        if fed and len(fed) == len(_FED[key]) and not {*fed} <= {"ankan"}:
            return None
        kans = [word for word, _ in hand.melds if word in ("kan", "kakan", "ankan")]
        if key == "suukantsu" and len(kans) == _FOUR and "kan" in kans:
            return None
    return FactError(f"pao needs sets that were called: {hand.melds_text or 'there is no meld'}")


def _not_won(
    hand: Hand, fault: Fault, reason: str, yaku: Iterable[str], ruleset: RuleSet | Game
) -> str:
    """Return why a possible hand is worth nothing."""
    who, under = hand.text, ruleset.name
    if fault.key == "not_complete":
        return f"{who} is not a winning hand under {under}"
    if fault.key == "uncertain_yaku":
        return f"{who} has no yaku on some of the tiles it waits for, as {under} asks"
    if isinstance(ruleset, RuleSet):
        if fault.number:
            return f"{who} may not win under {under}: {reason}"
        return (
            f"{who} has no yaku under {under}: a win needs "
            f"{least_han(ruleset, hand.circumstances.honba)} han, dora not counted"
        )
    is_event = hand.circumstances.dealt or not hand.tiles
    if fault.key == "unpriced":
        if is_event:
            return f"{who} is paid, but {reason}"
        return f"{who} wins with {' '.join(yaku) or 'no fan'}, but {reason}"
    if is_event:
        return f"{who} is paid nothing under {under}: {reason}"
    return f"{who} is complete but may not win under {under}: {reason}"
