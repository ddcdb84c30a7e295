"""What a tenhou.net/6 object says about a game besides its play: where, when, who, which rules.

Tenhou's own logs carry the log id in ``ref`` and the table in ``rule.disp`` (``鳳南喰赤``).
Programs that convert Mahjong Soul games put the record id and the room there (``玉の間南喰赤``).
People who write down broadcast games put any text there. Games that paifu wrote have in
``rule.paifu`` the facts for which there is no other place: ``ruleset``, ``room``, ``length``,
``complete`` and ``points``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats import tenhou
from paifu.formats.base import Blob
from paifu.formats.json.documents import played_length
from paifu.formats.json.text import number, text_or_none, whole
from paifu.formats.leagues import league_of
from paifu.formats.majsoul import game_info as majsoul_info
from paifu.game.events import GameInfo
from paifu.messages import counted
from paifu.rules.riichi import presets
from paifu.schema.flags import OWN_YAKU

_DAN = {name: code for code, name in enumerate(tenhou.DAN_NAMES)}
_DAN["天鳳"] = _DAN["天鳳位"]
_NOT_SAID_RULES = "tenhou-custom"
"""Wins are scored as on Tenhou, but the course of the game and its final result are not judged."""


OWN_KEY = "paifu"
"""The key in ``rule`` under which paifu writes facts for which the format has no place."""
_LENGTHS = ("one_round", "east", "south")
_MOST_POINTS = 2**31 - 1


class Course(NamedTuple):
    """The facts of a game that follow from its rounds."""

    players: int
    first: list[int]
    """Number, honba and sticks of the first round; ``last`` has those of the last round."""
    last: list[int]
    scores: list[int]
    """Points at the start of the first round."""


def game_info(game: dict[str, Any], course: Course, path: str, blob: Blob) -> GameInfo:
    """Return the facts of a game; a value of an unexpected type is ignored."""
    rule = game.get("rule")
    rule = rule if type(rule) is dict else {}
    disp = text_or_none(rule.get("disp")) or ""
    players = course.players
    info = GameInfo(players=players, format="tenhou_json", aka=_aka(rule))
    _seats(info, game, players)
    _end(info, game, course, path)
    title = " ".join(text for text in _texts(game.get("title")) if text)
    ref = text_or_none(game.get("ref")) or blob.log_id or ""
    if majsoul_info.RECORD_ID.fullmatch(ref) or majsoul_info.ROOM.search(f"{disp} {title}"):
        _majsoul(info, game, disp, ref, course)
    elif not _tenhou(info, game, disp, ref, course, blob):
        custom = _NOT_SAID_RULES if players == 4 else f"{_NOT_SAID_RULES}-3p"
        info.platform, info.ruleset = league_of(disp + title) or ("unknown", custom)
    own = rule.get(OWN_KEY)
    if type(own) is dict:
        _own(info, own, "sc" in game)
    _table(info, disp, course.last)
    return info


def _own(info: GameInfo, own: dict[str, Any], has_ends: bool) -> None:
    """Set the facts that paifu wrote about a game; impossible values are ignored."""
    ruleset = own.get("ruleset")
    if type(ruleset) is str and ruleset in presets.NAMES:
        if presets.resolve(ruleset).players in (0, info.players):
            info.ruleset = ruleset
    if info.length is None and own.get("length") in _LENGTHS:
        info.length = own["length"]
    if info.platform == "majsoul" and "room" in own:  # the table's name has more than the room
        info.room = text_or_none(own["room"])
    if own.get(OWN_YAKU) is True and OWN_YAKU not in info.notes:
        info.notes.append(OWN_YAKU)
    if has_ends:
        return
    if type(own.get("complete")) is bool:
        info.complete = own["complete"]
    points = own.get("points")
    if type(points) is list and [type(value) for value in points] == [int] * info.players:
        if all(abs(value) <= _MOST_POINTS for value in points):
            info.final_points = tuple(points)


def _texts(value: Any) -> list[str]:
    """Return the texts of a value, also of lists in it: a title is a text or a list."""
    if type(value) is list:
        return [text for part in value[:8] for text in _texts(part)]
    return [str(value)] if type(value) in (str, int, float) else []


def _aka(rule: dict[str, Any]) -> bool | None:
    """Return whether there are red fives, by ``aka`` or ``aka51`` … per suit; None if not given."""
    keys = [key for key in ("aka", "aka51", "aka52", "aka53") if type(rule.get(key)) in (int, bool)]
    return any(rule[key] for key in keys) if keys else None


def _seats(info: GameInfo, game: dict[str, Any], players: int) -> None:
    def by_seat(key: str) -> list[Any]:
        values = game.get(key)
        values = values[:players] if type(values) is list else []
        return values + [None] * (players - len(values)) if values else []

    info.names = tuple(text_or_none(name) for name in by_seat("name"))
    info.sex = tuple(text_or_none(sex) for sex in by_seat("sx"))
    info.rate = tuple(
        float(rate) if type(rate) in (int, float) else None for rate in by_seat("rate")
    )
    info.bots = tuple(sex == "C" for sex in info.sex)


def _majsoul(info: GameInfo, game: dict[str, Any], disp: str, ref: str, course: Course) -> None:
    info.platform = "majsoul"
    # none where the record begins later
    start = course.scores if course.first == [0, 0, 0] else []
    info.ruleset = majsoul_info.ruleset_of(info, start, ranked=majsoul_info.is_ranked(disp))
    info.log_id = ref if majsoul_info.RECORD_ID.fullmatch(ref) else None
    info.room = disp or None
    # converters write C for everybody, so here the sex does not show which players are programs
    info.bots = ()
    if type(dan := game.get("dan")) is list:
        ranks = [rank if type(rank) is str else "" for rank in dan[: info.players]]
        info.dan_names = tuple(rank or None for rank in ranks)
        info.dan = tuple(majsoul_info.dan_code(rank, info.players) for rank in ranks)
    accounts = game.get("playerMapping")
    if type(accounts) is list:
        known = {
            account.get("nickname"): str(account.get("account_id"))
            for account in accounts
            if type(account) is dict and type(account.get("nickname")) is str
        }
        if len(known) == len(accounts):  # with a name twice, names do not identify the players
            info.player_ids = tuple(known.get(name) for name in info.names)
    for text in _texts(game.get("title")):
        if (played_at := _moment(text)) is not None:
            info.played_at, info.played_precision = played_at, "second"
            return
    if (day := majsoul_info.played_on(ref)) is not None:
        info.played_at, info.played_precision = day, "day"


def _tenhou(
    info: GameInfo, game: dict[str, Any], disp: str, ref: str, course: Course, blob: Blob
) -> bool:
    """Set the facts of a Tenhou game; return False if nothing says that it is a Tenhou game."""
    log_id = tenhou.find_log_id(ref) or tenhou.find_log_id(blob.name)
    kind = tenhou.game_type(log_id.go_type) if log_id else tenhou.rule_text_type(disp)
    if kind is None:
        return False
    lobby = game.get("lobby")
    info.platform = "tenhou"
    info.log_id = log_id.text if log_id else None
    info.lobby = str(lobby) if type(lobby) is int else log_id.lobby if log_id else None
    info.go_type = log_id.go_type if log_id else None
    if log_id:
        info.played_at, info.played_precision = log_id.played_at, "hour"
    info.length, info.room, info.rule_text = kind.length, kind.room, kind.rule_text
    info.aka = kind.aka if info.aka is None else info.aka
    info.kuitan, info.fast = kind.kuitan, kind.fast
    if kind.players != info.players:
        info.notes.append("go_type_contradicts_players")
    if type(dan := game.get("dan")) is list:
        ranks = [rank if type(rank) is str else "" for rank in dan[: info.players]]
        info.dan_names = tuple(rank or None for rank in ranks)
        info.dan = tuple(_DAN.get(rank) for rank in ranks)
    # not known if the record begins later
    start = course.scores if course.first[:2] == [0, 0] else []
    info.ruleset = tenhou.ruleset_of(
        info.players, kind, info.lobby, False, start, info.final_points, info.result
    )
    return True


def _moment(text: str) -> datetime | None:
    """Return a time from a text with a zone: seconds since 1970, or ``Sat, 14 Oct 2023 … GMT``."""
    if re.fullmatch(r"1\d{9}", text):
        return datetime.fromtimestamp(int(text), UTC)
    if text.endswith("GMT"):
        try:
            return parsedate_to_datetime(text).astimezone(UTC)
        except ValueError:
            return None
    return None


def _end(info: GameInfo, game: dict[str, Any], course: Course, path: str) -> None:
    """Set final points and results, and whether the game is complete."""
    ends = game.get("sc")
    if type(ends) is list and ends:
        if len(ends) < 2 * info.players:
            raise LogError(f"{counted(len(ends), 'number')} for {info.players} seats", f"{path}.sc")
        pairs = range(0, 2 * info.players, 2)
        info.final_points = tuple(whole(ends[at], f"{path}.sc[{at}]") for at in pairs)
        info.result = tuple(number(ends[at + 1], f"{path}.sc[{at + 1}]") for at in pairs)
        info.complete = True
        return
    # the game is written by hand or cut into rounds, so only its first and last round can tell
    wind, dealer = divmod(course.last[0], 4)
    info.complete = course.first[:2] == [0, 0] and wind >= 1 and dealer == info.players - 1


def _table(info: GameInfo, disp: str, last: list[int]) -> None:
    """Set length, kuitan and clock from a table's name, if they are not known from elsewhere."""
    if info.length is None and (match := re.search(r"[東南]|\b(?:East|South)\b", disp)) is not None:
        info.length = "east" if match[0] in ("東", "East") else "south"
    if info.length is None and info.complete:
        wind, number = divmod(last[0], 4)
        info.length = played_length(wind, number, info.players)
    if info.kuitan is None and "喰" in disp:
        info.kuitan = True
