"""What all Tenhou formats share: log ids, the bits of the game type, ranks, rule texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from paifu.game.times import JAPAN

# --- bits of the game type (formats.md §3.1) ----------------------------------------------------
NO_AKA, NO_KUITAN, SOUTH, SANMA = 0x02, 0x04, 0x08, 0x10
UPPER, FAST, HIGH = 0x20, 0x40, 0x80
CHIPS, PARLOUR, SKILL = 0x200, 0x400, 0x800

ROOMS = ("ippan", "joukyuu", "tokujou", "houou")
_ROOM_TEXT = "般上特鳳"

DAN_NAMES: tuple[str, ...] = (
    "新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級", "初段", "二段",
    "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位",
)  # fmt: skip
"""Name of each rank, by its number in logs."""

_LOG_ID = re.compile(
    r"(?<!\d)(\d{4})(\d\d)(\d\d)(\d\d)gm-([0-9a-f]{4})-(\d{4,5})-(?:[0-9a-f]{8}|x[0-9a-f]{12})(?!\w)"
)


class LogId(NamedTuple):
    """A log id, ``2019010100gm-00a9-0000-0123abcd``, and its facts."""

    text: str
    played_at: datetime
    """UTC, to the hour: an id has the hour, in Japan time, in which the game began."""
    go_type: int
    lobby: str


def find_log_id(text: str) -> LogId | None:
    """Return the log id within a file name or address, if there is one.

    >>> find_log_id("2019010100gm-00a9-0000-0123abcd&tw=2.mjlog").played_at.isoformat()
    '2018-12-31T15:00:00'
    """
    match = _LOG_ID.search(text)
    if match is None:
        return None
    year, month, day, hour, go_type, lobby = match.groups()
    try:
        played_at = datetime(int(year), int(month), int(day), int(hour)) - JAPAN
    except (ValueError, OverflowError):
        return None
    return LogId(match[0], played_at, int(go_type, 16), lobby_text(lobby))


def lobby_text(lobby: str) -> str:
    """Return a lobby's number without leading zeros; ``0`` is the lobby of ranked games."""
    return lobby.lstrip("0") or "0"


@dataclass(frozen=True, slots=True)
class GameType:
    """The facts in the bits of a game type."""

    players: int
    length: str
    aka: bool
    kuitan: bool
    fast: bool
    room: str
    chips: bool
    parlour: bool
    """Chips are worth five thousand points (祝5), not two thousand (祝2)."""
    skill: bool
    rule_text: str | None
    """As lobby lists write it, ``四鳳南喰赤－``; None for chip lobbies, which add the stake."""


@lru_cache(maxsize=4096)
def game_type(bits: int) -> GameType:
    """Return the facts of a game type.

    >>> game_type(0xA9).rule_text
    '四鳳南喰赤－'
    """
    sanma, south = bool(bits & SANMA), bool(bits & SOUTH)
    aka, kuitan, fast = not bits & NO_AKA, not bits & NO_KUITAN, bool(bits & FAST)
    level = (2 if bits & UPPER else 0) + (1 if bits & HIGH else 0)
    chips, skill = bool(bits & (CHIPS | PARLOUR)), bool(bits & SKILL)
    text = (
        ("三" if sanma else "四")
        + ("技" if skill else _ROOM_TEXT[level])
        + ("－" if skill else "南" if south else "東")
        + ("喰" if kuitan else "－")
        + ("赤" if aka else "－")
        + ("速" if fast and not skill else "－")
    )
    return GameType(
        players=3 if sanma else 4,
        length="south" if south else "east",
        aka=aka,
        kuitan=kuitan,
        fast=fast,
        room=ROOMS[level],
        chips=chips,
        parlour=bool(bits & PARLOUR),
        skill=skill,
        rule_text=None if chips else text,
    )


@lru_cache(maxsize=1 << 14)
def dan_names(dans: tuple[int | None, ...]) -> tuple[str | None, ...]:
    """Return the names of ranks; None for an unknown number.

    >>> dan_names((16, 99))
    ('七段', None)
    """
    return tuple(
        DAN_NAMES[dan] if dan is not None and 0 <= dan < len(DAN_NAMES) else None for dan in dans
    )


_RULE_TEXT = re.compile(
    "([四三]?)([般上特鳳若銀琥孔技])([東南－-])([喰－-]?)([赤－-]?)(速|祝.*|[－-])?"
)


def rule_text_type(text: str) -> GameType | None:
    """Return the facts of a rule text, ``四鳳南喰赤－`` or shorter (``鳳南喰赤``), or None.

    >>> rule_text_type("三般東喰－速") == game_type(0x53)
    True
    """
    match = _RULE_TEXT.fullmatch(text)
    if match is None:
        return None
    players, room, length, kuitan, aka, last = match.groups()
    return GameType(
        players=3 if players == "三" else 4,
        length="south" if length == "南" else "east",
        aka=aka == "赤",
        kuitan=kuitan == "喰",
        fast=last == "速",
        room=ROOMS[_ROOM_TEXT.index(room)] if room in _ROOM_TEXT else room,
        chips=(last or "").startswith("祝"),
        parlour=last in ("祝5", "祝５"),
        skill=room == "技",
        rule_text=text,
    )


# --- rule sets ----------------------------------------------------------------------------------
_START = {3: 35_000, 4: 25_000}
_TARGET = {3: 40_000, 4: 30_000}
_UMA: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((20, 0, -20),),
    4: ((20, 10, -10, -20), (10, 5, -5, -10)),
}
"""Uma by placement; for four players also the uma of East games before 2009-08."""


def ruleset_of(
    players: int,
    kind: GameType | None,
    lobby: str | None,
    custom_rules: bool,
    start: Sequence[int],
    final: Sequence[int] | None,
    result: Sequence[float] | None,
) -> str:
    """Return the preset of a game (formats.md §3.3).

    ``start`` and ``final`` are points by seat, ``result`` the final results in thousands.
    ``tenhou-custom`` are games with tournament rules, games of the skill lobby, and games of a
    private lobby with other start points or uma than ranked games.
    """
    if custom_rules or (kind is not None and kind.skill):
        return "tenhou-custom"
    if kind is not None and kind.chips:
        return "tenhou-chip-5" if kind.parlour else "tenhou-chip"
    if lobby not in (None, "0") and _deviates(players, start, final, result):
        return "tenhou-custom"
    return f"tenhou-{players}p"


def _deviates(
    players: int,
    start: Sequence[int],
    final: Sequence[int] | None,
    result: Sequence[float] | None,
) -> bool:
    if any(points != _START[players] for points in start[:players]):
        return True
    if final is None or result is None:
        return False
    order = sorted(range(players), key=lambda seat: (-final[seat], seat))
    oka = players * (_TARGET[players] - _START[players]) / 1000
    return not any(
        all(
            abs(
                (final[seat] - _TARGET[players]) / 1000 + uma[place] + (0 if place else oka)
                - result[seat]
            ) < 1.5
            for place, seat in enumerate(order)
        )
        for uma in _UMA[players]
    )  # fmt: skip
