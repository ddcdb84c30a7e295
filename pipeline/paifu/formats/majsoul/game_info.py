"""Mahjong Soul's facts outside the play: record ids, ranks, rooms, and the head of a record."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from paifu.formats.json.text import text_or_none
from paifu.formats.majsoul.records import either
from paifu.game.events import GameInfo
from paifu.schema.flags import OWN_YAKU

CHINA = timezone(timedelta(hours=8))
"""The servers' time zone, in which record ids give their date."""

RECORD_ID = re.compile(
    r"(?P<date>\d{6})-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)
ROOM = re.compile(r"[銅铜銀银金玉]の間|[铜银金玉]之间|王座|友人|大会|\bRoom\b|Friendly|Tournament")
"""What the names of its rooms have in common, in all languages of its clients."""

_RANKS = ("初心", "雀士", "雀傑", "雀豪", "雀聖", "魂天")
_RANKS_ELSEWHERE = {
    "雀杰": 3, "雀圣": 5,
    "novice": 1, "adept": 2, "expert": 3, "master": 4, "saint": 5, "celestial": 6,
}  # fmt: skip
_RANK = re.compile(r"([^\d★ ]+?)\s*★?\s*(\d|I{1,3})?")
_STARS = {"I": 1, "II": 2, "III": 3}


def dan_code(name: str, players: int) -> int | None:
    """Return the platform's rank code (``level_id``) of a written rank, or None.

    The code is 10000 (four players) or 20000 (three) + 100 × rank + stars.

    >>> dan_code("雀豪★2", 4), dan_code("Saint I", 4), dan_code("七段", 4)
    (10402, 10501, None)
    """
    match = _RANK.fullmatch(name.strip())
    if match is None:
        return None
    rank, stars = match.groups()
    number = _RANKS.index(rank) + 1 if rank in _RANKS else _RANKS_ELSEWHERE.get(rank.casefold())
    if number is None:
        return None
    star = _STARS[stars] if stars in _STARS else int(stars or 1)
    return (20000 if players == 3 else 10000) + 100 * number + star


def played_on(record_id: str) -> datetime | None:
    """Return the start, in UTC, of the day in a record id; None if it has no date.

    >>> played_on("230117-2f56958d-7b7e-4156-a9a4-d60c4ab5c698").isoformat()
    '2023-01-16T16:00:00+00:00'
    """
    match = RECORD_ID.search(record_id)
    if match is None:
        return None
    try:
        day = datetime.strptime(match["date"], "%y%m%d").replace(tzinfo=CHINA)
    except ValueError:
        return None
    return day.astimezone(UTC)


_START = {4: 25000, 3: 35000}
_UMA = {4: (15, 5, -5, -15), 3: (15, 0, -15)}
_TOLERANCE = 0.05
_RANKED_ROOM = re.compile(
    r"[銅铜銀银金玉]の間|[铜银金玉]之间|王座|\b(?:Bronze|Silver|Gold|Jade|Throne) Room\b"
)


def is_ranked(room: str) -> bool:
    """Return whether the name of a table is that of a ranked one.

    >>> is_ranked("玉の間南喰赤"), is_ranked("大会戦")
    (True, False)
    """
    return _RANKED_ROOM.search(room) is not None


def ruleset_of(info: GameInfo, start: Sequence[int], *, ranked: bool) -> str:
    """Return the preset of a game if only its points can show that its room had its own settings.

    ``start`` are the points at the start of the first round; empty if they are not known. Contests
    and friend rooms with other start points or another uma than ranked tables are
    ``majsoul-custom``.
    """
    players = info.players
    own = any(points != _START[players] for points in start[:players])
    if not own and not ranked and info.final_points and info.result:
        final, result = info.final_points, info.result
        order = sorted(range(players), key=lambda seat: (-final[seat], seat))
        own = any(
            abs((final[seat] - _START[players]) / 1000 + uma - result[seat]) > _TOLERANCE
            for seat, uma in zip(order, _UMA[players], strict=True)
        )
    return f"majsoul-custom{'-3p' if players == 3 else ''}" if own else f"majsoul-{players}p"


# --- a record's head --------------------------------------------------------------------------

_ROOMS = ("bronze", "silver", "gold", "jade", "throne")
_ROOM_OF_MODE = {
    **dict(zip((2, 3, 5, 6, 8, 9, 11, 12, 15, 16), (0, 0, 1, 1, 2, 2, 3, 3, 4, 4), strict=True)),
    **{mode: (mode - 17) // 2 for mode in range(17, 27)},
}
"""Room of each ranked table (``mode_id``), four players and three."""
_FRIEND, _RANKED, _TOURNAMENT = 1, 2, 4
_CATEGORIES = {_FRIEND: "friend", _TOURNAMENT: "tournament"}
_LENGTHS = {1: "east", 2: "south"}
_SANMA_MODES = range(11, 20)
_USUAL = {
    "init_point": {4: 25000, 3: 35000}, "fandian": {4: 30000, 3: 40000},
    "dora_count": {4: 3, 3: 2}, "shiduan": {4: 1, 3: 1}, "fanfu": {4: 1, 3: 1},
}  # fmt: skip
"""The settings of ranked tables: points at the start, target, red fives, open tanyao."""
_LONGEST = 24 * 60 * 60
"""Seconds that no game takes; a later end is ignored."""
_OWN_WINS = (
    "guyi_mode", "jiuchao_mode", "muyu_mode", "xuezhandaodi", "huansanzhang", "chuanma",
    "field_spell_mode", "zhanxing", "tianming_mode", "disable_multi_yukaman",
    "disable_double_yakuman", "disable_composite_yakuman", "disable_leijiyiman",
    "have_qieshangmanguan", "disable_double_wind_four_fu", "enable_renhe", "amusement_switches",
)  # fmt: skip
"""Settings that ranked tables do not have and that change what a win is worth."""
_OWN_FLOW = (
    "open_hand", "reveal_discard", "have_toutiao", "have_helelianzhuang", "disable_angang_guoshi",
    "enable_nontsumo_kan_dora",
)  # fmt: skip
"""Other settings that ranked tables do not have: they do not change what a win is worth."""
_ALWAYS_ON = ("have_yifa", "have_li_dora", "have_gang_li_dora", "have_gang_biao_dora")
"""Ippatsu, ura, kan ura and kan dora. A room may switch one of them off. If a record has all four
off, it is older than these settings: its writer put in the default values."""
_STICK = 1000


def game_info(head: dict[str, Any]) -> GameInfo:
    """Return what a record's head says; the number of players is set by the first deal."""
    info = GameInfo(players=4, platform="majsoul", format="majsoul", complete=False)
    info.log_id = text_or_none(head.get("uuid"))
    start = either(head, "start_time", "startTime")
    if type(start) is int and 0 < start < 1 << 33:
        info.played_at, info.played_precision = datetime.fromtimestamp(start, UTC), "second"
        end = either(head, "end_time", "endTime")
        if type(end) is int and start < end < start + _LONGEST:
            info.minutes = round((end - start) / 60)
    config = _inner(head, "config")
    mode, meta = _inner(config, "mode"), _inner(config, "meta")
    number = mode.get("mode")
    number = number if type(number) is int else 0
    info.players = 3 if number in _SANMA_MODES else 4
    info.length = _LENGTHS.get(number % 10)
    category = config.get("category")
    place = either(meta, "mode_id", "modeId") if category == _RANKED else None
    if type(place) is int and place in _ROOM_OF_MODE:
        info.room = _ROOMS[_ROOM_OF_MODE[place]]
    elif type(category) is int:
        info.room = _CATEGORIES.get(category)
    lobby = either(meta, "room_id", "roomId") or either(meta, "contest_uid", "contestUid")
    info.lobby = str(lobby) if type(lobby) is int else None
    _set_rules(info, mode)
    _set_seats(info, head)
    _set_end(info, head)
    return info


def _inner(record: dict[str, Any], key: str) -> dict[str, Any]:
    inner = record.get(key)
    return inner if type(inner) is dict else {}


def _set_rules(info: GameInfo, mode: dict[str, Any]) -> None:
    rule = _inner(mode, "detail_rule") or _inner(mode, "detailRule")
    info.aka, info.kuitan = True, True
    own_wins = any(rule.get(key) or rule.get(_camel(key)) for key in _OWN_WINS)
    on = [either(rule, key, _camel(key)) for key in _ALWAYS_ON]
    own_wins |= True in on and False in on
    own_wins |= either(rule, "liqibang_value", "liqibangValue") not in (None, 0, _STICK)
    own = any(rule.get(key) or rule.get(_camel(key)) for key in _OWN_FLOW)
    for key, usual in _USUAL.items():
        value = either(rule, key, _camel(key))
        own |= value is not None and value != usual[info.players]
    if rule:
        # a room that says nothing of them has none: their default is 0
        count, open_tanyao = either(rule, "dora_count", "doraCount"), rule.get("shiduan")
        info.aka = count != 0 if count is not None else True
        info.kuitan = open_tanyao != 0 if open_tanyao is not None else True
    own |= bool(_inner(mode, "testing_environment"))
    set_rules(info, own=own, own_wins=own_wins)


_OLD_YAKU = (
    "人和", "大車輪", "大车轮", "大竹林", "大数隣", "大數鄰", "大数邻", "大七星",
    "石の上にも三年", "石上三年", "三連刻", "三连刻", "一色三順", "一色三同順", "一色三同顺",
    "五門斉", "五門齊", "五门齐", "燕返し", "燕返", "槓振り", "槓振", "杠振", "十二落抬",
    "Hand of Man", "Big Wheels", "Bamboo Forest", "Numerous Numbers", "Big Seven Stars",
    "Three Consecutive Triplets", "Pure Triple Chow", "All Types", "Swallow Return",
    "Twelve Fallen Lifts",
)  # fmt: skip
"""Names of the old yaku (古役), which count in rooms only where a setting says so."""


def _old_yaku() -> re.Pattern[bytes]:
    names = {name.encode() for name in _OLD_YAKU} | {
        json.dumps(name)[1:-1].encode() for name in _OLD_YAKU
    }
    any_of_them = b"|".join(map(re.escape, sorted(names)))
    return re.compile(rb'"\s*(?:' + any_of_them + rb")\s*\(", re.IGNORECASE)


_NAMES_OLD_YAKU = _old_yaku()
"""A won old yaku in text of tenhou.net/6 JSON, as it is or in ASCII."""


def names_old_yaku(text: bytes) -> bool:
    """Return whether a win in text of tenhou.net/6 JSON has an old yaku, such as ``大七星(役満)``.

    >>> names_old_yaku('["大七星(役満)"]'.encode()), names_old_yaku(b'["Riichi(1)"]')
    (True, False)
    """
    return _NAMES_OLD_YAKU.search(text) is not None


def set_rules(info: GameInfo, *, own: bool, own_wins: bool) -> None:
    """Set the preset of a room by whether it has settings of its own, and wins depend on them."""
    if own_wins and OWN_YAKU not in info.notes:
        info.notes.append(OWN_YAKU)
    custom = f"majsoul-custom{'-3p' if info.players == 3 else ''}"
    info.ruleset = custom if own or own_wins else f"majsoul-{info.players}p"


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _set_seats(info: GameInfo, head: dict[str, Any]) -> None:
    names: list[str | None] = [None] * 4
    ids: list[str | None] = [None] * 4
    ranks: list[int | None] = [None] * 4
    accounts = head.get("accounts")
    people = [a for a in accounts if type(a) is dict] if type(accounts) is list else []
    if not people:
        return
    for account in people:
        seat = account.get("seat", 0)
        if type(seat) is not int or not 0 <= seat < 4:
            continue
        number = either(account, "account_id", "accountId")
        level = _inner(account, "level3" if info.players == 3 else "level").get("id")
        names[seat] = text_or_none(account.get("nickname"))
        ids[seat] = str(number) if type(number) is int and number else None
        ranks[seat] = level if type(level) is int and 0 < level < 1 << 15 else None
    info.names, info.player_ids, info.dan = tuple(names), tuple(ids), tuple(ranks)
    info.dan_names = tuple(rank_name(rank) for rank in ranks)
    # programs have no account
    info.bots = tuple(number is None for number in ids)


def _set_end(info: GameInfo, head: dict[str, Any]) -> None:
    players = _inner(head, "result").get("players")
    if type(players) is not list or not all(type(player) is dict for player in players):
        return
    seats = [player.get("seat", 0) for player in players]
    ends = {seat: player for seat, player in zip(seats, players, strict=True) if type(seat) is int}
    if set(ends) != set(range(info.players)):
        return
    points = [either(ends[seat], "part_point_1", "partPoint1") or 0 for seat in range(info.players)]
    totals = [either(ends[seat], "total_point", "totalPoint") or 0 for seat in range(info.players)]
    if all(type(number) is int and abs(number) < 1 << 31 for number in points + totals):
        info.final_points = tuple(points)
        info.result = tuple(total / 1000 for total in totals)
        info.complete = True


def rank_name(level: int | None) -> str | None:
    """Return the name of a rank code: ``10402`` is 雀豪★2."""
    if level is None:
        return None
    rank, stars = level // 100 % 100, level % 100
    return f"{_RANKS[rank - 1]}★{stars}" if 1 <= rank <= len(_RANKS) else None
