"""The columns of a score sheet, and their names in three languages.

This is the one place that defines them: the reader, ``paifu sheet template`` and docs/clubs.md use
it. What their cells say is in module ``guides``. The columns of win sheets
(:mod:`paifu.formats.win_sheet.sheet`) may stand beside them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paifu.formats.win_sheet import sheet as win_sheet

SEATS = 4


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a score sheet."""

    key: str
    titles: tuple[str, str, str]
    """Its heading in English, Japanese and Chinese."""
    also: tuple[str, ...] = ()
    """Further headings that people use."""
    carried: bool = False
    """An empty cell means: as in the row above."""


_WINDS = ("East", "South", "West", "North"), tuple("東南西北"), tuple("东南西北")
_TABLE = """
date* | date | 日付 | 日期 | day, 日時
place* | place | 会場 | 地点 | club, venue, 場所, 会场, 俱乐部
table* | table | 卓 | 桌号 | 卓番, 桌
game* | game | 回戦 | 场次 | game number, 半荘, 試合, 轮次
rules* | rules | ルール | 规则 | rule set, 規則, 規則セット
length* | length | 長さ | 长度 | 東風半荘
player_#* | @ | @家 | @家 | 起@
round | round | 局 | 局 | hand number, 局数, 盘
honba | honba | 本場 | 本场 | counters, 連荘, 连庄
dealer | dealer | 親 | 庄家 | 庄, 荘家
outcome | outcome | 結果 | 结果 | result, ending, 終局
winner | winner | 和了者 | 和牌者 | アガリ, 和家, 胡牌者
loser | discarder | 放銃者 | 点炮者 | loser, 放銃, 放炮者, 点炮
riichi | riichi | 立直 | 立直 | リーチ
tenpai | tenpai | 聴牌 | 听牌 | テンパイ
three_suits | three suits | 花猪 | 花猪 | pig
delta_# | @ change | @家増減 | @家得失 | @ +/-, @増減, @得失
points_# | @ points | @家点数 | @家分数 | @ score, @点数, @分数, @家得分
result_# | @ result | @家成績 | @家成绩 | @ uma, @成績, @成绩
remarks | remarks | 備考 | 备注 | remark, note, notes, comment, comments, メモ, 注, 附注
"""
"""Key, headings in English, Japanese and Chinese, and further headings; # is a seat, @ the wind
with which it begins. A key with * is carried."""


def _columns() -> Iterator[Column]:
    for line in _TABLE.strip().splitlines():
        *titles, further = (part.strip() for part in line.split("|"))
        row = [*titles, *further.split(", ")]
        yield from (_column(row, seat) for seat in range(SEATS if "#" in row[0] else 1))


def _column(row: list[str], seat: int) -> Column:
    """Return the column that a row of the table describes, for a seat."""
    english, japanese, chinese = (names[seat] for names in _WINDS)

    def written(text: str, wind: str) -> str:
        return text.replace("@", wind)

    key, *titles = row[:4]
    return Column(
        key.removesuffix("*").replace("#", str(seat)),
        (written(titles[0], english), written(titles[1], japanese), written(titles[2], chinese)),
        tuple(written(each, wind) for each in row[4:] for wind in (english, japanese, chinese)),
        key.endswith("*"),
    )


COLUMNS = tuple(_columns())
"""The columns, in the order of the template."""

WIN_TITLES = {
    "hand": ("hand", "手牌", "手牌"),
    "melds": ("melds", "副露", "副露"),
    "win_tile": ("winning tile", "和了牌", "和牌张"),
    "fan": ("fan", "役", "番种"),
    "han": ("han", "翻", "番"),
    "points": ("points", "点", "得分"),
    "tsumo": ("self-drawn", "ツモ", "自摸"),
    "flowers": ("flowers", "花牌", "花牌"),
    "dora_indicators": ("dora indicators", "ドラ表示牌", "宝牌指示牌"),
    "ura_indicators": ("ura indicators", "裏ドラ表示牌", "里宝牌指示牌"),
    "round_wind": ("round wind", "場風", "圈风"),
    "ippatsu": ("ippatsu", "一発", "一发"),
}
"""Headings of the columns of a win that have one in each language; all answer to their keys."""

CARRIED = tuple(column.key for column in COLUMNS if column.carried)
WIN_COLUMNS = frozenset(win_sheet.COLUMNS) - {
    "winner",
    "loser",
    "dealer",
    "riichi",
    "honba",
    "rules",
}
"""The columns of a win sheet that a score sheet does not read in a way of its own."""

_TELLING = frozenset(
    f"{name}_{seat}" for name in ("player", "points", "result") for seat in range(SEATS)
) | {"date", "place", "table", "game", "round", "outcome"}
"""The columns that no win sheet has."""
_PER_SEAT = ("player_0", "player_1", "player_2")


def folded(heading: str) -> str:
    """Return a heading without what people write differently: case, width, blanks and marks.

    >>> folded("East +/-") == folded("ｅａｓｔ＋/-"), folded("Player 1")
    (True, 'player1')
    """
    plain = unicodedata.normalize("NFKC", heading).casefold()
    return "".join(letter for letter in plain if letter.isalnum() or letter in "+-")


def _by_heading() -> dict[str, str]:
    found: dict[str, str] = {}
    for column in COLUMNS:
        for heading in (column.key, *column.titles, *column.also):
            found.setdefault(folded(heading), column.key)
    for key, titles in WIN_TITLES.items():
        for heading in titles:
            found.setdefault(folded(heading), key)
    for key in win_sheet.COLUMNS:
        found.setdefault(folded(key), key)
    return found


BY_HEADING = _by_heading()
"""The key of a column by its folded headings."""


_NUMBERED = re.compile("(player|points|score|delta|change|result)([0-4])")
"""A folded heading with the number of a seat."""
_STEMS = {"score": "points", "change": "delta"}


def first_seat(headings: Iterable[str]) -> int:
    """Return the number of the first seat, 0 or 1, in headings such as "Player 1" and "points_0".

    >>> first_seat(["Player 1", "Player 2", "Player 3", "Points 1"]), first_seat(["player_0"])
    (1, 0)
    """
    names = {folded(heading) for heading in headings}
    numbers = {found[2] for name in names if (found := _NUMBERED.fullmatch(name))}
    return int("0" not in numbers and ("player1" in names or str(SEATS) in numbers))


def key_of(heading: str, first: int = 0) -> str | None:
    """Return the key of the column with this heading, or None; the first seat is number ``first``.

    >>> key_of("East"), key_of("放銃者"), key_of("南家 点数"), key_of("delta_3"), key_of("colour")
    ('player_0', 'loser', 'points_1', 'delta_3', None)
    >>> key_of("Player 1", first=1), key_of("Points 4", first=1), key_of("Points 4")
    ('player_0', 'points_3', None)
    """
    name = folded(heading)
    if found := _NUMBERED.fullmatch(name):
        seat = int(found[2]) - first
        return f"{_STEMS.get(found[1], found[1])}_{seat}" if 0 <= seat < SEATS else None
    return BY_HEADING.get(name)


def is_header(cells: list[str]) -> bool:
    """Return whether a row names the columns of a score sheet: a date or round, and people.

    >>> is_header(["Date", "East", "South", "West", "North", "East points"])
    True
    >>> is_header(["rules", "hand", "win_tile"])
    False
    """
    first = first_seat(cells)
    keys = {key for cell in cells if (key := key_of(cell, first))}
    return not keys.isdisjoint(_TELLING) and keys.issuperset(_PER_SEAT)
