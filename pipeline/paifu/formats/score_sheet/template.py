"""An empty score sheet of a rule set: a guide to its columns, an example, and the header.

The guide and the example are rows that begin with ``#``, which a sheet may have anywhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Literal

from paifu.errors import PaifuError
from paifu.formats.score_sheet.columns import COLUMNS, SEATS, WIN_TITLES
from paifu.rules.fan.flow import STAYS
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

Depth = Literal["results", "rounds", "hands"]
LANGUAGES = ("en", "ja", "zh")

_DAY = "2026-11-30"
_PEOPLE = ("Aiko", "Ben", "Chen", "Dora")
_OF_RESULTS = ("date", "place", "table", "game", "rules", "length", "player", "points", "remarks")
_OF_ROUNDS = (
    "date", "place", "table", "game", "rules", "length", "player", "round", "dealer", "outcome",
    "winner", "loser", "riichi", "tenpai", "three_suits", "delta", "points", "remarks",
)  # fmt: skip
_RIICHI_ONLY = frozenset({"length", "riichi"})
_OF_HANDS = ("hand", "melds", "win_tile", "fan", "han")
_RIICHI_HANDS = ("dora_indicators", "ura_indicators")
_GUIDES = {
    "hand": "the concealed tiles with the winning tile: 234m345p345567s22p; 1z-4z winds, 5z white, "
            "6z green, 7z red, 0m 0p 0s red fives",
    "melds": "chi:123s pon:777z kan:1111p kakan:2222s ankan:2222s",
    "win_tile": "the winning tile: 4m",
    "fan": "what was counted: 混一色 箭刻*2",
    "han": "the sum of what was counted",
    "dora_indicators": "the indicators turned up: 1z 3m",
    "ura_indicators": "the indicators below them, after a riichi",
}  # fmt: skip
_ABOUT = (
    "A score sheet for paifu. Rows that begin with # are not read; write your games below the "
    "header.",
    "An empty cell of date, place, game, rules, length and of all people means: as in the row "
    "above. Columns may be left out, and be in any order.",
    "paifu ingest FILE --lake club.lake brings it into a lake; the same file, corrected, replaces "
    "its games.",
)


def template(
    rules: RuleSet | Game, name: str, *, depth: Depth = "rounds", language: str = "en"
) -> list[list[str]]:
    """Return the rows of an empty sheet; ``name`` is that of the rule set, for column rules.

    Raises :class:`~paifu.errors.PaifuError` for a language without headings.
    """
    if language not in LANGUAGES:
        raise PaifuError(f"sheets have headings in {', '.join(LANGUAGES)}, not {language!r}")
    at = LANGUAGES.index(language)
    titles = {column.key: column.titles[at] for column in COLUMNS}
    titles |= {key: headings[at] for key, headings in WIN_TITLES.items()}
    guides = {column.key: column.guide for column in COLUMNS} | _GUIDES
    keys = _keys(rules, depth)
    rows = [[f"# {line}"] for line in _ABOUT] + [["#"]]
    rows += [[f"# {titles[key]}", guides[key]] for key in keys]
    rows += [["#"], ["# an example:"]]
    rows.append([f"# {titles[keys[0]]}", *(titles[key] for key in keys[1:])])
    for cells in example(rules, name, depth):
        rows.append([f"# {cells.get(keys[0], '')}", *(cells.get(key, "") for key in keys[1:])])
    return [*rows, ["#"], [titles[key] for key in keys]]


def _keys(rules: RuleSet | Game, depth: Depth) -> list[str]:
    """Return the columns of a sheet."""
    riichi, players = isinstance(rules, RuleSet), rules.players or SEATS
    left_out = set() if isinstance(rules, RuleSet) else set(_RIICHI_ONLY)
    if isinstance(rules, RuleSet) or "flower_pig" not in rules.course.more:
        left_out.add("three_suits")
    known = [column.key for column in COLUMNS]
    keys: list[str] = []
    for name in _OF_RESULTS if depth == "results" else _OF_ROUNDS:
        if name not in left_out:
            seats = [f"{name}_{seat}" for seat in range(players)]
            keys += [name] if name in known else seats
    if depth == "hands":
        more = (*_OF_HANDS, *(_RIICHI_HANDS if riichi else ()))
        keys[-1:-1] = more
    return keys


def example(rules: RuleSet | Game, name: str, depth: Depth) -> list[Mapping[str, str]]:
    """Return the rows of a short game, by column."""
    players = rules.players or SEATS
    people = {f"player_{seat}": _PEOPLE[seat] for seat in range(players)}
    first = {"date": _DAY, "place": "Kanda", "table": "A", "game": "1", "rules": name} | people
    riichi = isinstance(rules, RuleSet)
    start = rules.start_points if isinstance(rules, RuleSet) else rules.course.start_points
    if depth == "results":
        gains = (9000, -1000, -8000, 0) if riichi else (30, 10, -40, 0)
        points = {f"points_{seat}": f"{start + gains[seat]}" for seat in range(players)}
        return [first | points]
    paid = _tsumo(players) if riichi else [-8, 8 * (players - 1), *[-8] * (players - 2)]
    win = {
        "winner": _PEOPLE[1],
        "outcome": "tsumo",
        **{f"delta_{seat}": f"{paid[seat]:+}" for seat in range(players)},
        "remarks": "the first win",
    }
    if depth == "hands" and riichi and players == SEATS:
        win |= {"hand": "234m345p345567s22p", "win_tile": "4m", "dora_indicators": "1z"}
    if isinstance(rules, RuleSet):
        return [
            first | {"round": "E1", "outcome": "draw", "tenpai": "none"},
            win | {"round": "E2-1" if rules.honba_noten_dealer else "E2"},
        ]
    dealer = _PEOPLE[0 if rules.course.dealer_after_draw == STAYS else 1]
    return [
        first | {"round": "1", "dealer": _PEOPLE[0], "outcome": "draw"},
        win | {"round": "2", "dealer": dealer},
    ]


def _tsumo(players: int) -> list[int]:
    """Return what each seat gets or pays for the example's hand: 3 han 20 fu, with a honba."""
    dealer, other = -1300 - 100, -700 - 100
    paid = [dealer, 0, *[other] * (players - 2)]
    paid[1] = -sum(paid)
    return paid


def as_csv(rows: list[list[str]]) -> str:
    """Return the rows as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def as_workbook(rows: list[list[str]]) -> bytes:
    """Return the rows as an Excel workbook, with the header in bold and in view.

    Raises :class:`~paifu.errors.PaifuError` if openpyxl is not installed.
    """
    try:
        import openpyxl
        from openpyxl.styles import Font
    except ImportError:
        raise PaifuError(
            "an Excel workbook needs openpyxl: pip install 'paifu[excel]', or write a .csv"
        ) from None
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for cell in sheet[len(rows)]:
        cell.font = Font(bold=True)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()
