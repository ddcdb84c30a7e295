"""What a Riichi City record says about a game besides its play: place, rules, people, result."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from paifu.errors import LogError
from paifu.formats.json.text import fields, items, text_or_none, whole
from paifu.game.events import GameInfo

_PLACES = {1001: "ranked", 1002: "match", 1003: "friend"}
_LENGTHS = {1: "east", 2: "south", 3: "one_round"}
_START = {3: 35_000, 4: 25_000}
_LONGEST_MS = 24 * 60 * 60 * 1000
MAX_ROUNDS = 1000


def seats_taken(data: dict[str, Any], path: str) -> int:
    """Return the number of players."""
    return whole(data.get("playerCount", 4), f"{path}.playerCount", 3, 4)


def game_info(data: dict[str, Any], path: str) -> GameInfo:
    """Return the facts that the record gives before its first round."""
    players = seats_taken(data, path)
    info = GameInfo(players, platform="riichicity", format="riichicity", complete=False)
    info.log_id = text_or_none(data.get("keyValue")) or text_or_none(data.get("roomId"))
    place, stage = data.get("gamePlay"), data.get("stageType")
    info.room = _PLACES.get(place) if type(place) is int else None
    info.lobby = str(stage) if type(stage) is int and stage else None
    length = data.get("round")
    info.length = _LENGTHS.get(length) if type(length) is int else None
    info.ruleset = ruleset(data, players)
    info.aka, info.kuitan = False, True
    return info


def ruleset(data: dict[str, Any], players: int) -> str:
    """Return the preset of a game; a room with its own settings has ``custom``.

    Chips, yakitori and open riichi do not count as such settings: they change no payment.
    """
    if data.get("initPoints", _START[players]) != _START[players] or data.get("northOperateType"):
        return f"riichicity-custom{'' if players == 4 else '-3p'}"
    return f"riichicity-{'wareme-' if data.get('isGeMu') else ''}{players}p"


def people(round_: dict[str, Any], count: int, path: str) -> list[dict[str, Any]]:
    """Return the players of a round by their position at the table."""
    found: dict[int, dict[str, Any]] = {}
    for at, entry in enumerate(items(round_.get("players"), f"{path}.players")):
        place = f"{path}.players[{at}]"
        person = fields(entry, place)
        found[whole(person.get("position"), f"{place}.position", 0, count - 1)] = person
    if len(found) != count:
        raise LogError(f"{len(found)} players where there are {count}", f"{path}.players")
    return [found[position] for position in range(count)]


def set_people(info: GameInfo, seated: list[dict[str, Any]]) -> None:
    """Set names and ids, by seat."""
    info.names = tuple(text_or_none(person.get("nickname")) for person in seated)
    info.player_ids = tuple(_id(person.get("userId")) for person in seated)


def _id(number: Any) -> str | None:
    return str(number) if type(number) is int and number else None


def set_time(info: GameInfo, first: Any, last: Any) -> None:
    """Set the time of the game from the milliseconds of its first and last event."""
    if type(first) is not int or not 0 < first < 1 << 43:
        return
    info.played_at = datetime.fromtimestamp(first // 1000, UTC)
    info.played_precision = "second"
    if type(last) is int and first <= last < first + _LONGEST_MS:
        info.minutes = round((last - first) / 60_000)


def set_result(info: GameInfo, over: dict[str, Any], seat_of: dict[int, int], path: str) -> None:
    """Set final points, results and chips, from the event that ends the game."""
    rows: dict[int, tuple[int, int, int]] = {}
    for at, entry in enumerate(items(over.get("user_data"), f"{path}.user_data")):
        place = f"{path}.user_data[{at}]"
        row = fields(entry, place)
        seat = seat_of.get(whole(row.get("user_id"), f"{place}.user_id", 0, 1 << 62))
        if seat is not None:
            rows[seat] = (
                whole(row.get("point_num"), f"{place}.point_num"),
                whole(row.get("score", 0), f"{place}.score"),
                whole(row.get("luck_score", 0), f"{place}.luck_score", -(1 << 15), (1 << 15) - 1),
            )
    if len(rows) != info.players:
        return
    points, scores, chips = zip(*(rows[seat] for seat in range(info.players)), strict=True)
    info.final_points = tuple(points)
    info.result = tuple(score / 10 for score in scores)
    if any(chips):
        info.chips = tuple(chips)
