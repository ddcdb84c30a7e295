"""A win as a Mahjong Soul record gives it: hand, value, limit and yaku."""

from __future__ import annotations

from typing import Any

from paifu.errors import LogError
from paifu.formats.builder import NOT_SHOWN, WinRecord
from paifu.formats.json.text import fields, items, whole
from paifu.formats.majsoul.records import either
from paifu.formats.majsoul.scan import read_tile, read_tiles
from paifu.formats.yaku_names import BY_MAJSOUL, named, with_wind
from paifu.game.events import (
    LIMIT_BAIMAN,
    LIMIT_HANEMAN,
    LIMIT_KAZOE,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_SANBAIMAN,
    LIMIT_YAKUMAN,
    UNKNOWN,
)
from paifu.messages import counted

_LIMITS = {
    0: LIMIT_NONE, 1: LIMIT_MANGAN, 2: LIMIT_HANEMAN, 3: LIMIT_BAIMAN, 4: LIMIT_SANBAIMAN,
    11: LIMIT_KAZOE,
}  # fmt: skip
_LIMIT_NAMES = {
    "满贯": LIMIT_MANGAN, "跳满": LIMIT_HANEMAN, "倍满": LIMIT_BAIMAN, "三倍满": LIMIT_SANBAIMAN,
    "累计役满": LIMIT_KAZOE,
}  # fmt: skip
_YAKUMAN_HAN = 13
_OLD_YAKU = range(51, 65)
"""Ids of the yaku that only rooms with old yaku have, 人和 (59) among them."""


def read_win(
    hule: dict[str, Any], winner: int, from_seat: int, tile: int, players: int
) -> WinRecord:
    """Return a win without its yaku and payments; ``tile`` is used if the record names none."""
    hand = read_tiles(items(hule.get("hand", []), ".hand"))
    if len(hand) > 13:
        raise LogError(f"a hand of {counted(len(hand), 'tile')} and the winning one")
    won_on = either(hule, "hu_tile", "huTile")
    tile = tile if won_on is None else read_tile(won_on)
    # every win has han and a hand, so a value of 0 or an empty hand is not known
    count = whole(hule.get("count", 0), ".count", 0, 999) or -1
    yakuman = _is_yakuman(hule)
    fu = whole(hule.get("fu", 0), ".fu", 0, 999)
    ura = read_tiles(items(either(hule, "li_doras", "liDoras") or [], ".li_doras"))
    return WinRecord(
        winner,
        from_seat,
        tile,
        hand=[*hand, tile, *NOT_SHOWN][:14] if hand else NOT_SHOWN,
        fu=-1 if fu == 0 and count < 0 else fu,
        han=-1 if yakuman else count,
        yakuman=count if yakuman or count < 0 else 0,
        points=_points(hule, winner == from_seat, players),
        limit=_limit(hule, told=count > 0),
        indicators=read_tiles(items(hule.get("doras", []), ".doras")),
        ura=ura,
    )


def add_yaku(win: WinRecord, hule: dict[str, Any], winds: tuple[int, int]) -> bool:
    """Set the yaku of a win; ``winds`` are the round wind and the winner's seat wind.

    Returns False if a yaku is not known.
    """
    yaku: list[tuple[int, int]] = []
    all_known = True
    for entry in items(hule.get("fans", []), ".fans"):
        fan = fields(entry, ".fans")
        name, number = fan.get("name"), fan.get("id")
        value = whole(fan.get("val", 0), ".val", 0, 999)
        index = BY_MAJSOUL.get(number) if type(number) is int else None
        if index is None and type(name) is str:
            index = named(name)
        if index is None:
            all_known = False
        else:
            han = value * _YAKUMAN_HAN if _is_yakuman(hule) else value
            yaku.append((with_wind(index, *winds), han))
    win.yaku = yaku
    return all_known


def has_old_yaku(hule: dict[str, Any]) -> bool:
    """Return whether a win counts a yaku that only rooms with old yaku (古役) have."""
    fans = [fan for fan in items(hule.get("fans", []), ".fans") if type(fan) is dict]
    return any(type(fan.get("id")) is int and fan["id"] in _OLD_YAKU for fan in fans)


def _is_yakuman(hule: dict[str, Any]) -> bool:
    return hule.get("yiman", False) is True


def _points(hule: dict[str, Any], tsumo: bool, players: int) -> int:
    """Return the total value of the hand, without honba and sticks."""

    def value(snake: str, camel: str) -> int:
        return whole(either(hule, snake, camel) or 0, f".{snake}")

    if not tsumo:
        return value("point_rong", "pointRong") or UNKNOWN
    others = players - 1
    xian = value("point_zimo_xian", "pointZimoXian")
    if hule.get("qinjia", False) is True:
        return others * xian or UNKNOWN
    return (others - 1) * xian + value("point_zimo_qin", "pointZimoQin") or UNKNOWN


def _limit(hule: dict[str, Any], *, told: bool) -> int:
    """Return the limit. If the record names no limit, there is none if its han are ``told``."""
    if _is_yakuman(hule):
        return LIMIT_YAKUMAN
    title = hule.get("title")
    if type(title) is str and title:
        return _LIMIT_NAMES.get(title, -1)
    number = either(hule, "title_id", "titleId")
    if type(number) is int and number:
        return _LIMITS.get(number, -1)
    return LIMIT_NONE if told else -1
