"""How a tenhou.net/6 round ended: its last list, ``["和了", deltas, win, …]`` or a draw's name.

A win is ``[who, from, pao or who, "30符2飜2000点", "役(1飜)", …]``; people who write by hand leave
out parts from the value on. Names are in Japanese (Tenhou), and in Japanese, English and Chinese
from programs that convert Mahjong Soul games.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from paifu.errors import LogError
from paifu.formats.builder import NO_POINTS, NOT_SAID
from paifu.formats.json.text import items, whole, wholes
from paifu.formats.yaku_names import DRAGONS, named
from paifu.game.events import (
    LIMIT_BAIMAN,
    LIMIT_HANEMAN,
    LIMIT_KAZOE,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_SANBAIMAN,
    LIMIT_YAKUMAN,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
)

YAKUMAN_HAN = 13

_OUTCOMES = {
    OUTCOME_WIN: "和了 和 agari win hule",
    OUTCOME_EXHAUSTIVE: "流局 荒牌流局 荒牌平局 ryuukyoku ryukyoku draw exhaustivedraw",
    OUTCOME_NAGASHI: "流し満貫 流局満貫 流局满贯 nagashimangan manganatdraw",
    OUTCOME_KYUUSHU: "九種九牌 九种九牌 kyuushukyuuhai kyushukyuhai nineterminals",
    OUTCOME_SUUCHA: "四家立直 suuchariichi suuchareach fourplayerriichi",
    OUTCOME_SANCHAHOU: "三家和了 三家和 sanchahou sanchahora triplewin tripleron",
    OUTCOME_SUUFON: "四風連打 四风连打 suufonrenda suufuurenda fourwinddiscarded",
    OUTCOME_SUUKAN: "四槓散了 四開槓 四杠散了 suukansanra suukaikan fourkanabort",
    OUTCOME_UNKNOWN: "不明 unknown",
}
_OUTCOME_BY_NAME = {name: outcome for outcome, names in _OUTCOMES.items() for name in names.split()}
NOTHING_PAID = frozenset(
    (OUTCOME_KYUUSHU, OUTCOME_SUUCHA, OUTCOME_SANCHAHOU, OUTCOME_SUUFON, OUTCOME_SUUKAN)
)
"""Abortive draws, which have no deltas."""
_ALL_TENPAI = {"全員聴牌", "allplayerstenpai", "everyonetenpai"}
_ALL_NOTEN = {"全員不聴", "allplayersnoten", "nobodytenpai"}

_LIMITS = {
    "満貫": LIMIT_MANGAN, "满贯": LIMIT_MANGAN, "mangan": LIMIT_MANGAN,
    "切り上げ満貫": LIMIT_MANGAN,
    "跳満": LIMIT_HANEMAN, "跳满": LIMIT_HANEMAN, "haneman": LIMIT_HANEMAN,
    "倍満": LIMIT_BAIMAN, "倍满": LIMIT_BAIMAN, "baiman": LIMIT_BAIMAN,
    "三倍満": LIMIT_SANBAIMAN, "三倍满": LIMIT_SANBAIMAN, "sanbaiman": LIMIT_SANBAIMAN,
    "役満": LIMIT_YAKUMAN, "役满": LIMIT_YAKUMAN, "yakuman": LIMIT_YAKUMAN,
    "数え役満": LIMIT_KAZOE, "累计役满": LIMIT_KAZOE, "kazoeyakuman": LIMIT_KAZOE,
}  # fmt: skip

_VALUE = re.compile(
    r"(?:(\d{1,3})(?:符|fu))?(?:(\d{1,3})(?:飜|翻|番|han))?"
    r"(\D*?)(\d{1,7})(?:[-‐](\d{1,7}))?(?:点|點|points?)?(∀|all)?"
)
_YAKU = re.compile(r"(.+)\((?:(\d{1,3})[飜翻番]|(.*(?:役満|役满|yakuman).*))\)", re.IGNORECASE)
_DOUBLE = re.compile(r"ダブル|2倍|二倍|两倍|double", re.IGNORECASE)


@dataclass(slots=True)
class Value:
    """What the value text of a win says; -1 for a number it does not give."""

    fu: int = -1
    han: int = -1
    limit: int = -1
    points: tuple[int, ...] = ()
    """One number for a ron or a dealer's tsumo (``each``), two for a tsumo by another seat."""
    each: bool = False


@lru_cache(maxsize=4096)
def read_value(text: str) -> Value | None:
    """Return what a text like ``満貫2000-4000点`` says, or None if it is not such a text.

    >>> read_value("30符4飜3900点∀")
    Value(fu=30, han=4, limit=0, points=(3900,), each=True)
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace(" ", "")
    match = _VALUE.fullmatch(plain)
    if match is None:
        return None
    fu, han, name, first, second, each = match.groups()
    limit = _LIMITS.get(name.removesuffix("!"), LIMIT_YAKUMAN if "役満" in name else -1)
    if not name and fu:
        limit = LIMIT_NONE
    return Value(
        int(fu) if fu else -1,
        int(han) if han else -1,
        limit,
        (int(first),) if second is None else (int(first), int(second)),
        each is not None,
    )


@lru_cache(maxsize=4096)
def read_yaku(text: str) -> tuple[int | None, int, bool] | None:
    """Return index (None if unknown), han and whether it is a yakuman, from ``役牌 白(1飜)``."""
    match = _YAKU.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        return None
    name, han, yakuman = match.groups()
    index = named(name)
    if index == DRAGONS:
        index = None  # the text does not say which dragons
    if han is not None:
        return index, int(han), False
    return index, YAKUMAN_HAN * (2 if _DOUBLE.search(yakuman) else 1), True


@dataclass(slots=True)
class Win:
    """One win as in the list."""

    who: int
    from_seat: int
    pao: int
    delta: Sequence[int]
    value: Value = field(default_factory=Value)
    yaku: list[tuple[int, int]] = field(default_factory=list)
    """Index or marker of ``yaku_names``, and han."""
    yakuman: int = -1


@dataclass(slots=True)
class Result:
    """The end of a round."""

    outcome: int
    wins: list[Win] = field(default_factory=list)
    tenpai: Sequence[int] = NOT_SAID
    delta: Sequence[int] = NO_POINTS
    unknown: bool = False
    """Whether the list has a name or text that is not known."""


def read_result(entry: Any, players: int, path: str) -> Result:
    """Return what the last list of a round says; an empty list means an end not recorded."""
    parts = items(entry, path)
    if not parts:
        return Result(OUTCOME_UNKNOWN)
    name = parts[0]
    if type(name) is not str:
        raise LogError("a result begins with text like 和了 or 流局", f"{path}[0]")
    outcome, all_are = read_outcome(name)
    if outcome == OUTCOME_WIN:
        return _won(parts, players, path)
    deltas: Sequence[int] = NO_POINTS
    if len(parts) > 1 and parts[1] != []:
        deltas = wholes(parts[1], f"{path}[1]", 4)
    elif outcome in NOTHING_PAID or all_are is not None:
        deltas = (0, 0, 0, 0)
    tenpai: Sequence[int] = NOT_SAID
    if all_are is not None:
        tenpai = _by_seat([int(all_are)] * 4, players)
    elif outcome == OUTCOME_EXHAUSTIVE and deltas is not NO_POINTS and any(deltas):
        tenpai = _by_seat([int(delta > 0) for delta in deltas], players)
    return Result(
        OUTCOME_UNKNOWN if outcome is None else outcome,
        tenpai=tenpai,
        delta=deltas,
        unknown=outcome is None,
    )


def read_outcome(name: str) -> tuple[int | None, bool | None]:
    """Return the outcome by a result's name, and True if all were tenpai, False if all noten."""
    plain = "".join(name.casefold().split())
    if plain in _ALL_TENPAI or plain in _ALL_NOTEN:
        return OUTCOME_EXHAUSTIVE, plain in _ALL_TENPAI
    return _OUTCOME_BY_NAME.get(plain), None


def _by_seat(said: list[int], players: int) -> tuple[int, ...]:
    return tuple(said[:players]) + (-1,) * (4 - players)


def _won(parts: list[Any], players: int, path: str) -> Result:
    result = Result(OUTCOME_WIN)
    if len(parts) < 3:
        raise LogError("a win without deltas and winner", path)
    for at in range(1, len(parts) - 1, 2):
        # an empty list does not say what was paid
        delta = wholes(parts[at], f"{path}[{at}]", 4) if parts[at] != [] else NO_POINTS
        result.wins.append(_read_win(parts[at + 1], delta, players, f"{path}[{at + 1}]", result))
    return result


def _read_win(entry: Any, delta: Sequence[int], players: int, path: str, result: Result) -> Win:
    told = items(entry, path)
    if len(told) < 2:
        raise LogError("a win needs the winner and the seat won from", path)
    seats = [whole(seat, f"{path}[{at}]", 0, players - 1) for at, seat in enumerate(told[:2])]
    win = Win(seats[0], seats[1], -1, delta)
    texts = told[2:]
    if texts and type(texts[0]) is not str:
        pao = whole(texts[0], f"{path}[2]", 0, players - 1)
        win.pao = -1 if pao == win.who else pao
        texts = texts[1:]
    yaku_listed = yakuman = 0
    for text in texts:
        if type(text) is not str:
            raise LogError("a yaku is a text", path)
        if (yaku := read_yaku(text)) is not None:
            index, han, is_yakuman = yaku
            yaku_listed += 1
            yakuman += han // YAKUMAN_HAN if is_yakuman else 0
            if index is None:
                result.unknown = True
            else:
                win.yaku.append((index, han))
        elif (value := read_value(text)) is not None:
            win.value = value
        else:
            result.unknown = True
    if yaku_listed:
        win.yakuman = yakuman
    return win
