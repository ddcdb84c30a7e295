"""``paifu waits``: what a hand waits for, or what to discard from it."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from paifu.calculator.circumstances import BeforeWin
from paifu.cli.commands.score import worth_text
from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_table
from paifu.errors import UsageError
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.calculator.hand_scores import HandScore
    from paifu.calculator.tile_waits import Useful, Waits
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

_PLAIN = BeforeWin()
_SHANTEN = {-1: "a winning hand", 0: "tenpai"}


def waits(
    *hand: str,
    circumstances: Annotated[BeforeWin, Parameter(name="*")] = _PLAIN,
    seen: str = "",
    rules: Annotated[str, Parameter(alias="--ruleset")] = "tenhou-4p",
    notation: Literal["mpsz", "mjai", "keyboard"] = "mpsz",
    json: JsonOption = False,
) -> None:
    """Say what a hand waits for and what each tile would score, or which tiles help it.

    Of fourteen tiles it says what each discard leaves, the best first. In the words 999 (any set)
    and 99 (any pair) tiles are left open.

    Example: paifu waits 234m067p345s88s67m --riichi

    Parameters
    ----------
    hand
        Thirteen or fourteen tiles, a kan counted as three, and melds, as for paifu score.
    seen
        Tiles seen in discards and in melds of others, which are not left.
    rules
        A rule set of `paifu rulesets`, or a TOML file.
    notation
        How tiles are written: mpsz, mjai (5pr E P) or keyboard (letters of a mahjong font).
    """
    if not hand:
        raise UsageError("name a hand, such as 234m067p345s88s67m")
    from paifu.calculator.hand_scores import load_rules
    from paifu.calculator.tile_waits import waits as find

    ruleset = load_rules(rules)
    told = {spec.name: getattr(circumstances, spec.name) for spec in fields(circumstances)}
    found = find(" ".join(hand), rules=ruleset, notation=notation, seen=seen, **told)
    if json:
        print_json(asdict(found))
    else:
        _print(found, ruleset, f"{circumstances.seat} seat, {circumstances.round} round")


def _print(found: Waits, ruleset: RuleSet | Game, where: str) -> None:
    print(f"{found.hand} {found.melds}".strip() + f": {_distance(found.shanten)}")
    if found.shanten == -1:
        print("paifu score says what it is worth")
    if found.waits:
        left = sum(wait.left for wait in found.waits)
        print(f"waits for {counted(left, 'tile')} of {counted(len(found.waits), 'kind')}\n")
        rows = [
            (wait.tile, wait.left, _worth(wait.tsumo, wait.no_tsumo, ruleset),
             _worth(wait.ron, wait.no_ron, ruleset))
            for wait in found.waits
        ]  # fmt: skip
        if any(row[2] or row[3] for row in rows):
            print_table(("tile", "left", "tsumo", "ron"), rows)
        else:
            print_table(("tile", "left"), [row[:2] for row in rows])
    elif found.useful:
        total = sum(each.left for each in found.useful)
        print(f"{counted(total, 'tile')} of {counted(len(found.useful), 'kind')} help: "
              + _tiles(found.useful))  # fmt: skip
    if found.discards:
        print_table(
            ("discard", "leaves", "tiles", "which"),
            [(each.tile, _distance(each.shanten), each.left, _tiles(each.useful))
             for each in found.discards],
        )  # fmt: skip
    print(f"rules   {found.ruleset}, {where}")


def _distance(shanten: int | None) -> str:
    if shanten is None:
        return "not tenpai"
    return _SHANTEN.get(shanten, f"{shanten} shanten")


def _worth(score: HandScore | None, refusal: str | None, ruleset: RuleSet | Game) -> str:
    if score is None:
        return refusal or ""
    payers = {-points for points in score.payments.values() if points < 0}
    paid = "/".join(f"{points:,}" for points in sorted(payers))
    return (
        f"{worth_text(score, ruleset)} ({paid})" if len(payers) > 1 else worth_text(score, ruleset)
    )


def _tiles(useful: tuple[Useful, ...]) -> str:
    return " ".join(f"{each.tile}×{each.left}" for each in useful)
