"""``paifu score``: the hand calculator."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from io import TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from paifu.calculator.circumstances import WINDS, Circumstances
from paifu.calculator.hand_scores import HandScore, score_hands, try_hands
from paifu.cli.options import JsonOption, LangOption
from paifu.cli.output import print_json, say
from paifu.errors import HandError, UsageError
from paifu.labels import Labels, labels_for, labels_in

if TYPE_CHECKING:
    from paifu.calculator.hand import Hand
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

ENGLISH = labels_in("en")
_LINES_AT_ONCE = 20_000
_LABEL = 8
"""Cells of the word at the beginning of a line."""
_PLAIN = Circumstances()
_RAISED_BASE = 1920
"""Base points of 4 han 30 fu and 3 han 60 fu: kiriage pays a mangan, but ``limit`` stays none."""


def score(
    *hand: str,
    win: str | None = None,
    circumstances: Annotated[Circumstances, Parameter(name="*")] = _PLAIN,
    rules: Annotated[str, Parameter(alias="--ruleset")] = "tenhou-4p",
    notation: Literal["mpsz", "mjai", "keyboard"] = "mpsz",
    stdin: bool = False,
    sheet: str | None = None,
    lang: LangOption = None,
    json: JsonOption = False,
) -> int:
    """Score a hand: yaku, han, fu with their parts, limit, and who pays what.

    Tiles are 1m-9m, 1p-9p, 1s-9s, 1z-7z (east south west north white green red) and 0m 0p 0s, the
    red fives. Melds are words: chi:123s pon:777z kan:1111p kakan:2222s ankan:2222s kita.

    Example: paifu score "234m 067p 345s 88s 67m" --win 8m --riichi --tsumo --dora 3p

    In games other than riichi, a kong by itself (ankan:2222s) is a kong that is paid at once. If
    the source of a game only names hands (nanchang-jing), give the name as the hand.

    Parameters
    ----------
    hand
        Concealed tiles, with or without the winning tile, and melds.
    win
        The winning tile.
    rules
        A rule set of `paifu rulesets`, or a TOML file.
    notation
        How tiles are written: mpsz, mjai (5pr E P) or keyboard (letters of a mahjong font).
    stdin
        Read hands from standard input, one per line; each line may have options after the tiles.
    sheet
        A table of recorded wins (CSV or JSON lines) to check against the rules.
    """
    labels = labels_for(lang)
    with labels.refusing():
        if sheet is not None:
            if hand or stdin:
                raise UsageError("--sheet names the wins; give no hand and no --stdin beside it")
            return _check_sheet(sheet, rules, json, labels)
        from paifu.rules import rulesets

        ruleset = rulesets.load_scoring(rules)
        if stdin:
            if hand:
                raise UsageError("--stdin reads the hands; name none beside it")
            return _score_lines(ruleset, win, circumstances, notation, json, labels)
        if not hand:
            raise UsageError('name a hand, such as "234m067p345s88s67m" --win 8m, or --stdin')
        from paifu.calculator.hand import typed

        one = typed(" ".join(hand), win, circumstances, ruleset, notation)
        found = score_hands([one], ruleset)[0]
        if json:
            print_json(asdict(found))
        else:
            _print(found, one, ruleset, labels)
        return 0


def _check_sheet(path: str, rules: str, json: bool, labels: Labels) -> int:
    """Print the rows of a win sheet that differ, and how many agree; return 1 if any differ."""
    from paifu.formats.win_sheet.sheet import check_sheet

    checked = check_sheet(path, rules)
    counts: dict[str, int] = dict(checked["status"].value_counts().rows())
    wrong = checked.filter(checked["status"] != "match")
    if json:
        print_json({"rows": len(checked), **counts, "checked": checked.to_dicts()})
    else:
        for row in wrong.iter_rows(named=True):
            why = row["differs"] or labels.reason(row["reason"])
            print(
                labels(
                    "score.row", number=row["row"], status=_status(row["status"], labels), why=why
                )
            )
        told = (f"{count:,} {_status(status, labels)}" for status, count in sorted(counts.items()))
        print(", ".join(told))
    return 1 if len(wrong) else 0


def _status(status: str, labels: Labels) -> str:
    return labels.of("status", status)


def _print(found: HandScore, hand: Hand, ruleset: RuleSet | Game, labels: Labels) -> None:
    from rich.console import Console
    from rich.table import Table

    from paifu.rules.fan.game import Game
    from paifu.schema.yaku import YAKU, YAKU_INDEX

    out = Console(file=sys.stdout, highlight=False)
    how = labels("outcome.tsumo" if hand.tsumo else "outcome.ron")
    won = labels("score.won", how=how, tile=found.win_tile) if found.win_tile else ""
    out.print(f"{found.hand} {found.melds}".strip() + won)
    read = labels("score.read_as", reading=found.reading) if found.reading else ""
    seat, wind = (labels(f"score.{WINDS[place]}") for place in (hand.winner, hand.round_wind))
    out.print(read + labels("score.seat", seat=seat, wind=wind), style="dim")
    out.print()
    table_of = ruleset.every_fan if isinstance(ruleset, Game) else ()
    own_names = {fan.key: fan.name for fan in table_of}
    table = Table(show_header=False, show_edge=False, box=None, pad_edge=False)
    table.add_column()
    table.add_column()
    table.add_column(justify="right")
    for key, han in found.yaku.items():
        name = labels.yaku(key)
        other = own_names.get(key, YAKU[YAKU_INDEX[key]].japanese)
        if found.fu is None:
            value = str(han)
        elif found.yakuman:
            value = labels.yakuman(han // 13)
        else:
            value = labels("value.han", han=han)
        table.add_row(name, "" if other == name else other, value)
    if found.yaku:
        out.print(table)
        out.print()
    if found.fu_parts:
        parts = " + ".join(f"{fu} {_fu_part(name, labels)}" for name, fu in found.fu_parts)
        exact = sum(fu for _, fu in found.fu_parts)
        rounded = "" if exact == found.fu else labels("score.rounded", exact=exact, fu=found.fu)
        out.print(_line(labels("score.fu"), parts + rounded))
    out.print(_line(labels("score.worth"), worth_text(found, ruleset, labels)))
    paid = [f"{labels(f'score.{w}')} {p:+,}" for w, p in found.payments.items() if p]
    out.print(_line(labels("score.points"), ", ".join(paid)))
    extras = [
        labels(f"score.for_{what}", points=points)
        for points, what in ((found.honba_points, "honba"), (found.stick_points, "sticks"))
        if points
    ]
    if extras:
        out.print(_line("", labels("score.of_it", parts=labels("score.and").join(extras))))
    if found.chips is not None:
        out.print(_line(labels("score.chips"), labels("score.from_each", chips=found.chips)))
    out.print(_line(labels("score.rules"), ruleset.name), style="dim")


def _line(label: str, text: str) -> str:
    """Return a line that begins with a word of fixed width."""
    from rich.cells import set_cell_size

    return f"{set_cell_size(label, _LABEL)}{text}"


def _fu_part(name: str, labels: Labels) -> str:
    """Return the name of a part of the fu: its own, or tiles or a wait and a name."""
    first, _, rest = name.partition(" ")
    if labels.has(f"fu.{name}") or not rest:
        return labels.of("fu", name)
    return f"{labels.of('wait', first)} {labels.of('fu', rest)}"


def worth_text(found: HandScore, ruleset: RuleSet | Game, labels: Labels = ENGLISH) -> str:
    """Return a line like ``5 han 20 fu, mangan: 8,000``."""
    from paifu.rules.riichi.ruleset import RuleSet

    if found.reading is None:
        return f"{found.points:,}"
    if found.fu is None:
        return f"{labels('value.fan', han=found.han)}: {found.points:,}"
    if found.yakuman:
        return f"{labels.yakuman(found.yakuman)}: {found.points:,}"
    limit = found.limit or "none"
    base = found.fu * 4 << (found.han or 0)
    if isinstance(ruleset, RuleSet) and ruleset.kiriage_mangan and base == _RAISED_BASE:
        limit = "mangan"
    han, fu = labels("value.han", han=found.han), labels("value.fu", fu=found.fu)
    named = "" if limit == "none" else f", {labels.of('limit', limit)}"
    return f"{han} {fu}{named}: {found.points:,}"


# --- many hands

_SWITCHES = frozenset(spec.name for spec in fields(Circumstances) if isinstance(spec.default, bool))
_NUMBERS = frozenset(spec.name for spec in fields(Circumstances) if type(spec.default) is int)
_OPTIONS = frozenset(spec.name for spec in fields(Circumstances))
_QUOTING = frozenset("'\"\\")


def _parse_line(
    line: str, win: str | None, told: dict[str, Any]
) -> tuple[str, str | None, Circumstances]:
    """Return hand, winning tile and circumstances of a line like ``123m… --win 8m --riichi``.

    ``told`` are the circumstances of all lines; a line adds its own.
    """
    words = _words(line)
    tiles: list[str] = []
    changes = dict(told)
    for word in words:
        if not word.startswith("--"):
            tiles.append(word)
            continue
        name, given, value = word[2:].replace("-", "_").partition("=")
        if name in _SWITCHES and not given:
            changes[name] = True
            continue
        if name in ("rules", "json"):
            raise HandError(f"--{name} is for all lines: give it to the command")
        if name != "win" and name not in _OPTIONS:
            raise HandError(f"there is no option {word}")
        value = word.partition("=")[2] if given else next(words, "")
        if name == "win":
            win = value
        elif name in _NUMBERS:
            if not value.isascii() or not value.isdigit():
                raise HandError(f"--{name.replace('_', '-')} is a number, not {value!r}")
            changes[name] = int(value[:9])
        else:
            changes[name] = value
    return " ".join(tiles), win, Circumstances(**changes)


def _words(line: str) -> Iterator[str]:
    """Return the words of a line; words in quotes are one word, as in a shell."""
    if _QUOTING.isdisjoint(line):
        return iter(line.split())
    try:
        return iter(shlex.split(line))
    except ValueError as error:
        raise HandError(f"cannot read the line: {error}") from error


def _score_lines(
    ruleset: RuleSet | Game,
    win: str | None,
    circumstances: Circumstances,
    notation: str,
    json: bool,
    labels: Labels,
) -> int:
    """Score the lines of standard input in batches; return 1 if a line could not be scored."""
    failed = 0
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # bad bytes affect only their own line
    lines = (line.rstrip("\r\n") for line in sys.stdin)
    kept = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    while batch := list(islice(kept, _LINES_AT_ONCE)):
        for number, line, found in _score_batch(batch, ruleset, win, circumstances, notation):
            wrong = isinstance(found, HandError)
            failed += wrong
            if json:
                result = {"error": str(found)} if isinstance(found, HandError) else asdict(found)
                print_json({"line": number, **result})
            elif isinstance(found, HandError):
                print(f"{line}\t{labels.reason(str(found))}")
            else:
                yaku = " ".join(f"{key}:{han}" for key, han in found.yaku.items())
                print(f"{line}\t{worth_text(found, ruleset, labels)}\t{yaku}")
    if failed:
        say(labels("score.failed", n=failed))
    return 1 if failed else 0


def _score_batch(
    batch: Sequence[tuple[int, str]], ruleset: RuleSet | Game, win: str | None,
    circumstances: Circumstances, notation: str,
) -> Iterator[tuple[int, str, HandScore | HandError]]:  # fmt: skip
    """Yield number, line and score (or error) of each line, in order."""
    from paifu.calculator.hand import typed

    every_line = {spec.name: getattr(circumstances, spec.name) for spec in fields(circumstances)}
    hands: list[Hand] = []
    errors: dict[int, HandError] = {}
    for number, line in batch:
        try:
            tiles, tile, told = _parse_line(line, win, every_line)
            hands.append(typed(tiles, tile, told, ruleset, notation))
        except HandError as error:
            errors[number] = error
    scores = iter(try_hands(hands, ruleset))
    for number, line in batch:
        yield number, line, errors[number] if number in errors else next(scores)
