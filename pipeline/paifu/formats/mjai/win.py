"""The value of a win in an mjai log: gimite's yaku, or a program's Chinese fan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paifu.errors import LogError
from paifu.formats.botzone.fan_names import FAN_BY_KEY
from paifu.formats.builder import KIND_MASK, SEAT_MASK, SEAT_SHIFT, WinRecord, tiles_of
from paifu.formats.json.text import fields, items, whole
from paifu.formats.yaku_names import DRAGONS, named, with_wind
from paifu.game.events import DISCARD, KITA
from paifu.game.tiles import GREEN, KIND_OF, RED, WHITE
from paifu.schema.yaku import YAKU_INDEX

YAKUMAN_FAN, YAKUMAN_HAN = 100, 13
"""How gimite's dialect counts a yakuman, and how the tables count it."""


def add_value(
    win: WinRecord,
    event: dict[str, Any],
    events: Sequence[int],
    winds: tuple[int, int],
    *,
    chinese: bool,
) -> bool:
    """Set han, yakuman and yaku from the event of a win.

    ``events`` are the packed events of the round; ``winds`` are the round wind and the winner's
    seat wind. Returns False if a yaku or fan is not known.
    """
    if "fan" in event:
        win.han = whole(event["fan"], "$.fan", -1, 9999)
    known = True
    if chinese and "info" in event:
        known = _add_fan(win, fields(event["info"], "$.info"))
    if "yakus" in event:
        known &= _add_yaku(win, items(event["yakus"], "$.yakus"), events, winds)
    return known


def _add_yaku(
    win: WinRecord, yakus: list[Any], events: Sequence[int], winds: tuple[int, int]
) -> bool:
    yaku: list[tuple[int, int]] = []
    yakuman, all_known = 0, True
    for at, entry in enumerate(yakus):
        pair = items(entry, f"$.yakus[{at}]")
        if len(pair) != 2 or type(pair[0]) is not str:
            raise LogError("a yaku is its name and its fan", f"$.yakus[{at}]")
        han = whole(pair[1], f"$.yakus[{at}][1]", 0, 1000)
        if han >= YAKUMAN_FAN:
            yakuman += han // YAKUMAN_FAN
            han = han // YAKUMAN_FAN * YAKUMAN_HAN
        index = named(pair[0])
        if index == DRAGONS:
            kinds = _dragon_sets(win, events)
            yaku += [(YAKU_INDEX["haku"] + kind - WHITE, 1) for kind in kinds]
            all_known &= len(kinds) == han
        elif index is not None:
            yaku.append((with_wind(index, *winds), han))
        else:
            all_known = False
    win.yaku, win.yakuman = yaku, yakuman
    if yakuman:
        win.han = -1
    return all_known


def _add_fan(win: WinRecord, info: dict[str, Any]) -> bool:
    times: dict[str, Any] = dict.fromkeys(map(str, items(info.get("bools", []), "$.info.bools")), 1)
    times |= fields(info.get("integers", {}), "$.info.integers")
    win.yaku = [
        (FAN_BY_KEY[key][0], FAN_BY_KEY[key][1] * whole(count, f"$.info.integers.{key}", 0, 99))
        for key, count in times.items()
        if key in FAN_BY_KEY
    ]
    return len(win.yaku) == len(times)


def _dragon_sets(win: WinRecord, events: Sequence[int]) -> list[int]:
    """Return the dragons of which the winner has at least three, including melds."""
    held = [int(KIND_OF[code]) for code in win.hand if code >= 0]
    for event in events:
        own = (event >> SEAT_SHIFT & SEAT_MASK) - 1 == win.winner
        if own and DISCARD < event & KIND_MASK < KITA:
            held += [int(KIND_OF[code]) for code in tiles_of(event)]
    return [kind for kind in (WHITE, GREEN, RED) if held.count(kind) >= 3]
