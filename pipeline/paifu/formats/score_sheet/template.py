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
from paifu.formats.score_sheet.guides import LANGUAGES, about, guide_of, guide_of_tiles
from paifu.game.tiles import EAST, KINDS, WHITE
from paifu.rules.fan.flow import STAYS
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

Depth = Literal["results", "rounds", "hands"]
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
_WORDS = {
    "draw": ("draw", "流局", "荒庄"),
    "tsumo": ("tsumo", "ツモ", "自摸"),
    "none": ("none", "なし", "无"),
    "E1": ("E1", "東1局", "东1局"),
    "E2": ("E2", "東2局", "东2局"),
    "E2-1": ("E2-1", "東2局1本場", "东2局1本场"),
}
"""The words of the example in each language, as a sheet may have them."""


def template(
    rules: RuleSet | Game, name: str, *, depth: Depth = "rounds", language: str = "en"
) -> list[list[str]]:
    """Return the rows of an empty sheet; ``name`` is that of the rule set, for column rules.

    Raises :class:`~paifu.errors.PaifuError` for a language that no sheet has.
    """
    *told, example_follows, remark = about(language)
    at = LANGUAGES.index(language)
    titles = {column.key: column.titles[at] for column in COLUMNS}
    titles |= {key: headings[at] for key, headings in WIN_TITLES.items()}
    keys = _keys(rules, depth)
    rows = [[f"# {line}"] for line in told] + [["#"]]
    rows += [[f"# {titles[key]}", _guide(key, rules, language)] for key in keys]
    rows += [["#"], [f"# {example_follows}"]]
    rows.append([f"# {titles[keys[0]]}", *(titles[key] for key in keys[1:])])
    for cells in example(rules, name, depth, remark):
        texts = [_WORDS.get(cells.get(key, ""), [cells.get(key, "")] * 3)[at] for key in keys]
        rows.append([f"# {texts[0]}", *texts[1:]])
    return [*rows, ["#"], [titles[key] for key in keys]]


def _guide(key: str, rules: RuleSet | Game, language: str) -> str:
    """Return what the cells of a column say; of hands and melds, what the rule set has of them."""
    if key == "hand":
        return guide_of_tiles(_special_tiles(rules), language)
    has_chi = rules.players == SEATS if isinstance(rules, RuleSet) else rules.chi
    if key == "melds" and has_chi:
        return f"{guide_of('chi', language)} {guide_of(key, language)}"
    return guide_of(key, language)


def _special_tiles(rules: RuleSet | Game) -> list[str]:
    """Return which tiles beside plain numbers a rule set has, as :func:`guide_of_tiles` asks."""
    if isinstance(rules, RuleSet):
        reds = [] if rules.red_fives == "off" else ["reds" if rules.players == SEATS else "reds_3p"]
        return ["winds", "dragons", *reds]
    kinds = {"winds": range(EAST, WHITE), "dragons": range(WHITE, KINDS)}
    return [name for name, among in kinds.items() if rules.tile_kinds & set(among)]


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


def example(rules: RuleSet | Game, name: str, depth: Depth, remark: str) -> list[Mapping[str, str]]:
    """Return the rows of a short game, by column, in the words of English."""
    players = rules.players or SEATS
    people = {f"player_{seat}": _PEOPLE[seat] for seat in range(players)}
    first = {"date": _DAY, "place": "Kanda", "table": "A", "game": "1", "rules": name} | people
    riichi = isinstance(rules, RuleSet)
    start = rules.start_points if isinstance(rules, RuleSet) else rules.course.start_points
    if depth == "results":
        gains = (9000, -1000, -8000, 0) if riichi else (30, 10, -40, 0)
        points = {f"points_{seat}": f"{start + gains[seat]}" for seat in range(players)}
        return [first | points]
    has_honba = isinstance(rules, RuleSet) and rules.honba_noten_dealer
    share = 1300 + (rules.honba if has_honba and isinstance(rules, RuleSet) else 0)
    paid = _tsumo(players, share) if riichi else [-8, 8 * (players - 1), *[-8] * (players - 2)]
    win = {
        "winner": _PEOPLE[1],
        "outcome": "tsumo",
        **{f"delta_{seat}": f"{paid[seat]:+}" for seat in range(players)},
        "remarks": remark,
    }
    if depth == "hands" and riichi and players == SEATS:
        win |= {"hand": "234m345p345567s22p", "win_tile": "4m", "dora_indicators": "1z"}
    if isinstance(rules, RuleSet):
        return [
            first | {"round": "E1", "outcome": "draw", "riichi": "none", "tenpai": "none"},
            win | {"round": "E2-1" if has_honba else "E2"},
        ]
    dealer = _PEOPLE[0 if rules.course.dealer_after_draw == STAYS else 1]
    return [
        first | {"round": "1", "dealer": _PEOPLE[0], "outcome": "draw"},
        win | {"round": "2", "dealer": dealer},
    ]


def _tsumo(players: int, share: int) -> list[int]:
    """Return what each seat gets or pays for the example's hand: the dealer's, 3 han 20 fu."""
    paid = [-share] * players
    paid[1] = share * (players - 1)
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
