"""``paifu waits``: what a hand waits for, or what to discard from it."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from paifu.calculator.circumstances import BeforeWin
from paifu.cli.commands.score import worth_text
from paifu.cli.options import JsonOption, LangOption
from paifu.cli.output import print_json, print_table
from paifu.errors import UsageError
from paifu.labels import Labels, labels_for

if TYPE_CHECKING:
    from paifu.calculator.hand_scores import HandScore
    from paifu.calculator.tile_waits import Useful, Waits
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

_PLAIN = BeforeWin()


def waits(
    *hand: str,
    circumstances: Annotated[BeforeWin, Parameter(name="*")] = _PLAIN,
    seen: str = "",
    rules: Annotated[str, Parameter(alias="--ruleset")] = "tenhou-4p",
    notation: Literal["mpsz", "mjai", "keyboard"] = "mpsz",
    lang: LangOption = None,
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
    labels = labels_for(lang)
    with labels.refusing():
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
            seat, wind = (
                labels.of("score", each) for each in (circumstances.seat, circumstances.round)
            )
            _print(found, ruleset, labels("score.seat", seat=seat, wind=wind), labels)


def _print(found: Waits, ruleset: RuleSet | Game, where: str, labels: Labels) -> None:
    print(f"{found.hand} {found.melds}".strip() + f": {_distance(found.shanten, labels)}")
    if found.shanten == -1:
        print(labels("waits.score_it"))
    if found.waits:
        left = sum(wait.left for wait in found.waits)
        print(labels("waits.waits_for", tiles=_counted(left, "tile", labels),
                     kinds=_counted(len(found.waits), "kind", labels)) + "\n")  # fmt: skip
        rows = [
            (wait.tile, wait.left, _worth(wait.tsumo, wait.tsumo_fault, ruleset, labels),
             _worth(wait.ron, wait.ron_fault, ruleset, labels))
            for wait in found.waits
        ]  # fmt: skip
        scored = any(wait.tsumo or wait.ron for wait in found.waits)
        heads = ("tile", "left", "tsumo", "ron")[: 4 if scored else 2]
        print_table(
            [labels(f"waits.{head}") for head in heads], [row[: len(heads)] for row in rows]
        )
    elif found.useful:
        total = sum(each.left for each in found.useful)
        told = labels("waits.help", tiles=_counted(total, "tile", labels),
                      kinds=_counted(len(found.useful), "kind", labels))  # fmt: skip
        print(f"{told}: {_tiles(found.useful)}")
    if found.discards:
        print_table(
            [labels(f"waits.{head}") for head in ("discard", "leaves", "tiles", "which")],
            [(each.tile, _distance(each.shanten, labels), each.left, _tiles(each.useful))
             for each in found.discards],
        )  # fmt: skip
    print(f"{labels('score.rules')}   {found.ruleset}, {where}")


def _counted(n: int, what: str, labels: Labels) -> str:
    return labels(f"count.{what}", n=n)


def _distance(shanten: int | None, labels: Labels) -> str:
    key = {None: "no_tenpai", -1: "won", 0: "tenpai"}.get(shanten, "shanten")
    return labels(f"waits.{key}", shanten=shanten)


def _worth(
    score: HandScore | None, fault: str | None, ruleset: RuleSet | Game, labels: Labels
) -> str:
    if score is None:
        return "" if fault is None else labels.section("refusal").get(fault, labels("waits.no_win"))
    payers = {-points for points in score.payments.values() if points < 0}
    paid = "/".join(f"{points:,}" for points in sorted(payers))
    worth = worth_text(score, ruleset, labels)
    return f"{worth} ({paid})" if len(payers) > 1 else worth


def _tiles(useful: tuple[Useful, ...]) -> str:
    return " ".join(f"{each.tile}×{each.left}" for each in useful)
