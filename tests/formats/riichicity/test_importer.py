"""Riichi City records: each kind of event, each end of a round, walls, and what is refused."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paifu
from paifu.formats import registry
from paifu.formats.base import Blob, Imported
from paifu.formats.riichicity import importer as riichicity
from paifu.formats.riichicity.codes import TILES, YAKU
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    LIMITS,
    OUTCOMES,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
)
from paifu.game.recorded_wall import RECORDED, read_walls
from paifu.game.tiles import TEXT, parse_tiles
from paifu.replay.replay_batch import replay
from paifu.schema.yaku import YAKU as VOCABULARY

NUMBER = {TEXT[code]: number for number, code in TILES.items()}
FANG = {VOCABULARY[index].key: number for number, index in YAKU.items() if index >= 0}
FANG |= {"round_east": 10, "seat_east": 11}
EAST_WIND, SOUTH_WIND = 0x31, 0x41
USERS = (501, 502, 503, 504)


class Hand:
    """Writes a round as the server does, from a wall that gives the chosen hands."""

    def __init__(
        self, hands: list[str], draws: str, dora: str = "1s", ura: str = "2s", *, dealer: int = 0,
        wind: int = EAST_WIND, number: int = 1, honba: int = 0, sticks: int = 0,
        points: list[int] | None = None, rinshan: str = "", dice: tuple[int, int] = (1, 1),
    ) -> None:  # fmt: skip
        self.players = players = len(hands)
        self.dealer, self.number, self.honba, self.sticks = dealer, number, honba, sticks
        self.wind, self.dice = wind, dice
        self.points = points or [35000 if players == 3 else 25000] * players
        self.hands = [_split(hand) for hand in hands]
        self.drawn = 0
        self.dora = dora
        self.wall = self._wall(_split(draws), _split(rinshan), dora, ura)
        self.shown: list[str] = []
        self.replaced = 0
        self.declared: set[int] = set()
        self.held = [13] * players
        self.held[dealer] += 1
        self.events: list[dict[str, Any]] = []
        for position, user in enumerate(USERS[:players]):
            self.event(1, user, {
                "hand_cards": [NUMBER[tile] for tile in self._dealt(position)],
                "dealer_pos": dealer, "dices": list(dice), "bao_pai_card": NUMBER[dora],
                "quan_feng": wind, "chang_ci": number, "ben_chang_num": honba,
                "li_zhi_bang_num": sticks,
                "user_info_list": [
                    {"user_id": u, "hand_points": p, "luck_score": 0}
                    for u, p in zip(USERS, self.points, strict=False)
                ],
            })  # fmt: skip
        self.event(2, USERS[dealer], {"in_card": 0})

    def _wall(self, draws: list[str], rinshan: list[str], dora: str, ura: str) -> list[str]:
        """Return a wall with these hands and draws; the other tiles are in any order."""
        players = self.players
        size = 108 if players == 3 else 136
        order = [(self.dealer + at) % players for at in range(players)]
        front = [
            tile for first in (0, 4, 8) for seat in order
            for tile in self.hands[seat][first : first + 4]
        ]  # fmt: skip
        front += [self.hands[seat][12] for seat in order] + draws
        first_dora = 9 if players == 3 else 5
        wall: list[str | None] = [None] * size
        wall[: len(front)] = front
        for at, tile in enumerate(rinshan):
            wall[-1 - at] = tile
        wall[-first_dora], wall[-first_dora - 1] = dora, ura
        left = _whole_set(players)
        for tile in wall:
            if tile is not None:
                left.remove(tile)
        return [tile if tile is not None else left.pop() for tile in wall]

    def _dealt(self, position: int) -> list[str]:
        extra = [self.next_tile()] if position == self.dealer else []
        return self.hands[position] + extra

    def next_tile(self) -> str:
        self.drawn += 1
        return self.wall[13 * self.players + self.drawn - 1]

    def event(self, kind: int, user: int, data: dict[str, Any]) -> None:
        self.events.append({
            "eventPos": len(self.events), "eventType": kind, "handId": "", "userId": user,
            "startTime": 1_700_000_000_000 + 1000 * len(self.events), "data": json.dumps(data),
        })  # fmt: skip

    def draw(self, position: int, *, after_kan: bool = False) -> Hand:
        if after_kan:
            self.replaced += 1
        tile = self.wall[-self.replaced] if after_kan else self.next_tile()
        self.held[position] += 1
        self.event(2, USERS[position], {"in_card": NUMBER[tile], "is_zi_mo": False})
        return self

    def act(self, position: int, action: int, tile: str = "", **more: Any) -> Hand:
        data = {"action": action, "card": NUMBER[tile] if tile else 0, "move_cards_pos": None,
                "user_id": USERS[position], "hand_cards": None, "group_cards": None,
                "is_li_zhi": False, "li_zhi_type": 0}  # fmt: skip
        self.event(4, USERS[position], data | more)
        return self

    def discard(self, position: int, tile: str, *, drawn: bool = False, **more: Any) -> Hand:
        place = self.held[position] if drawn else 1
        self.held[position] -= 1
        return self.act(position, 11, tile, **{"move_cards_pos": [place, 3]} | more)

    def riichi(self, position: int, tile: str, kind: int = 1) -> Hand:
        self.declared.add(USERS[position])
        return self.discard(position, tile, is_li_zhi=True, li_zhi_type=kind)

    def call(self, position: int, action: int, tile: str, own: str) -> Hand:
        self.held[position] -= len(_split(own))
        return self.act(position, action, tile, group_cards=[NUMBER[t] for t in _split(own)])

    def kan_dora(self, *tiles: str) -> Hand:
        self.event(7, 0, {"cards": [NUMBER[tile] for tile in tiles]})
        return self

    def end(self, kind: int, wins: list[dict[str, Any]], profit: list[int], **more: Any) -> Hand:
        profits = [
            {"user_id": user, "point_profit": gain,
             "user_point": points + gain - 1000 * (user in self.declared)}
            for user, gain, points in zip(USERS, profit, self.points, strict=False)
        ]  # fmt: skip
        self.event(5, 0, {"end_type": kind, "win_info": wins, "user_profit": profits} | more)
        return self

    def over(self, *rows: tuple[int, int, int]) -> Hand:
        self.event(6, 0, {"user_data": [
            {"user_id": USERS[position], "point_num": points, "score": score, "luck_score": 0}
            for position, points, score in rows
        ]})  # fmt: skip
        return self

    def round(self) -> dict[str, Any]:
        text = "".join(self.wall)
        return {
            "handID": "x_1", "handPos": 1, "quanFeng": self.wind, "changCi": self.number,
            "benChangNum": self.honba, "handCardEncode": text,
            "handCardsSHA256": hashlib.sha256(text.encode()).hexdigest(),
            "handEventRecord": self.events,
            "players": [
                {"userId": user, "nickname": f"name {user}", "position": at, "points": points}
                for at, (user, points) in enumerate(zip(USERS, self.points, strict=False))
            ],
        }  # fmt: skip


def _split(hand: str) -> list[str]:
    return [TEXT[code] for code in parse_tiles(hand)]


def _whole_set(players: int) -> list[str]:
    kinds = [f"{n}{suit}" for suit in "pms" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
    if players == 3:
        kinds = [kind for kind in kinds if kind[1] != "m" or kind in ("1m", "9m")]
    tiles = [kind for kind in kinds for _ in range(4)]
    for red in ("0p", "0s") if players == 3 else ("0p", "0s", "0m"):
        tiles[tiles.index(f"5{red[1]}")] = red
    return tiles


def won(position: int, hand: str, yaku: dict[str, int], **more: Any) -> dict[str, Any]:
    return {
        "user_id": USERS[position], "user_cards": [NUMBER[tile] for tile in _split(hand)],
        "fang_info": [{"fang_type": FANG[key], "fang_num": han} for key, han in yaku.items()],
        "all_fang_num": sum(yaku.values()), "li_bao_card": None,
    } | more  # fmt: skip


def record(*rounds: Hand, **more: Any) -> dict[str, Any]:
    players = rounds[0].players
    return {"code": 0, "message": "ok", "data": {
        "keyValue": "abcdefghij0123456789", "playerCount": players, "gamePlay": 1001, "round": 2,
        "initPoints": 35000 if players == 3 else 25000, "stageType": 3, "isWithUser": True,
        "isLuck": False, "isGeMu": False, "northOperateType": 0,
        "handRecord": [round_.round() for round_ in rounds],
    } | more}  # fmt: skip


def read(*files: dict[str, Any] | bytes) -> Imported:
    return riichicity.read([
        Blob(file if isinstance(file, bytes) else json.dumps(file).encode(), 0) for file in files
    ])  # fmt: skip


FOUR = ["123m456p789s1122z", "19m19p19s1234567z", "234m55p345s67899s", "123p777p234s55577z"]
THREE = ["123p456p789s1122z", "19m19p19s1234567z", "234p55p345s67899s"]


def ron() -> Hand:
    """Seat 0 declares riichi on its first discard and wins on the others' third discard."""
    hand = Hand(FOUR, "7z6z1z", points=[26000, 24000, 25000, 25000])
    hand.riichi(0, "7z").draw(1).discard(1, "6z", drawn=True).draw(2).discard(2, "1z", drawn=True)
    yaku = {"double_riichi": 2, "ippatsu": 1, "round_east": 1, "seat_east": 1}
    told = won(
        0, "123m456p789s1122z", yaku, all_fu=40, all_point=12000, bash_points=2000,
        li_bao_card=[NUMBER["2s"]],
    )  # fmt: skip
    return hand.act(0, 7, "1z").end(0, [told], [13000, 0, -12000, 0])


def kinds(batch: Any) -> list[int]:
    return [int(kind) for kind in batch.event_kind]


# --- play -------------------------------------------------------------------------------------


def test_a_round_from_the_deal_to_a_ron() -> None:
    file = record(ron())
    assert registry.detect(json.dumps(file).encode()) == "riichicity"
    imported = read(file)
    assert not imported.rejects
    batch = imported.batch
    assert kinds(batch) == [
        DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, DRAW, DISCARD, DRAW, DISCARD, WIN,
    ]  # fmt: skip
    assert batch.event_tsumogiri[[1, 2, 5]].tolist() == [0, 0, 1]
    assert batch.round_scores[0].tolist() == [26000, 24000, 25000, 25000]
    assert batch.win_delta[0].tolist() == [13000, 0, -12000, 0]
    assert batch.win_before[0].tolist() == [25000, 24000, 25000, 25000]
    assert (batch.win_fu[0], batch.win_han[0], batch.win_points[0]) == (40, 5, 12000)
    assert LIMITS[batch.win_limit[0]] == "mangan"
    assert [VOCABULARY[i].key for i in batch.yaku_id] == [
        "double_riichi", "ippatsu", "round_east", "seat_east",
    ]  # fmt: skip
    (info,) = batch.games
    assert (info.platform, info.log_id, info.room) == (
        "riichicity", "abcdefghij0123456789", "ranked",
    )  # fmt: skip
    assert info.names == ("name 501", "name 502", "name 503", "name 504")
    assert (info.ruleset, info.length, info.aka) == ("riichicity-4p", "south", True)
    assert (info.played_at is not None, info.played_precision) == (True, "second")


def test_the_first_dealer_is_seat_0_wherever_he_sits() -> None:
    hand = Hand(FOUR, "6z5m", dealer=2, points=[1000, 2000, 3000, 4000])
    hand.discard(2, "9s").draw(3)
    batch = read(record(hand)).batch
    assert batch.round_dealer[0] == 0
    assert batch.round_scores[0].tolist() == [3000, 4000, 1000, 2000]
    assert batch.event_seat.tolist() == [0, 0, 1]
    assert batch.games[0].names[:2] == ("name 503", "name 504")
    assert "".join(TEXT[code] for code in batch.round_haipai[0, 0]).startswith("2m3m4m5p5p")


def test_calls_and_kans_and_their_dora() -> None:
    hands = ["1123m456p789s112z", "19m19p19s1234567z", "2344m55p345s6789s", "1237777p234s557z"]
    hand = Hand(hands, "7z9m6z5m6p", rinshan="8s3m", dora="3z")
    hand.discard(0, "1z").draw(1).discard(1, "9m", drawn=True).draw(2).discard(2, "4m")
    hand.draw(3).call(3, 8, "7p", "777p").kan_dora("4z").draw(3, after_kan=True)
    hand.discard(3, "5z").draw(0)
    batch = read(record(hand)).batch
    at = kinds(batch).index(ANKAN)
    assert kinds(batch)[at : at + 3] == [ANKAN, DORA, DRAW]
    assert TEXT[batch.event_tile[at + 1]] == "4z"
    assert [TEXT[code] for code in batch.event_consumed[at]] == ["7p"] * 3


@pytest.mark.parametrize(
    ("action", "tile", "own", "kind"),
    [(2, "3m", "45m", CHI), (3, "4m", "35m", CHI), (4, "5m", "34m", CHI), (5, "1z", "11z", PON),
     (6, "1z", "111z", DAIMINKAN)],
)  # fmt: skip
def test_a_call_takes_the_last_discard(action: int, tile: str, own: str, kind: int) -> None:
    rest = {CHI: "345m", PON: "11z5m", DAIMINKAN: "111z"}[kind]
    hands = ["123p456p789s1122z".replace("1122z", "2233z"), rest + "9m19p19s24567z",
             "234s55p345s67899s", "123p77p234s55577z"]  # fmt: skip
    hand = Hand(hands, tile).discard(0, tile, drawn=True).call(1, action, tile, own)
    hand.discard(1, "9m")
    batch = read(record(hand)).batch
    at = kinds(batch).index(kind)
    assert (batch.event_seat[at], batch.event_from[at]) == (1, 0)
    assert batch.event_tsumogiri[-1] == 0  # after a call no tile was drawn


def test_an_added_kan_and_a_north_set_aside() -> None:
    hand = Hand(THREE, "7z4z9p1s", rinshan="3s8s")
    hand.discard(0, "7z", drawn=True).draw(1).act(1, 13, "4z").draw(1, after_kan=True)
    hand.discard(1, "3s", drawn=True).draw(2).discard(2, "9p", drawn=True)
    batch = read(record(hand)).batch
    assert batch.games[0].players == 3
    assert KITA in batch.event_kind
    assert (batch.round_haipai[0, 3] == -1).all()

    hand = Hand(["123p456p789s2233z", "11z5m9m19p19s24567z", *FOUR[2:]], "1z1z9m")
    hand.discard(0, "1z", drawn=True).call(1, 5, "1z", "11z").discard(1, "9m")
    hand.draw(2).discard(2, "9s")
    hand.act(1, 9, "1z")
    assert KAKAN in read(record(hand)).batch.event_kind


def test_tsumogiri_is_not_said_where_the_place_of_the_tile_is_not() -> None:
    hand = Hand(FOUR, "7z6z").discard(0, "7z", move_cards_pos=None)
    assert read(record(hand)).batch.event_tsumogiri.tolist()[1] == -1


def test_an_open_riichi_and_a_closed_one_are_told_apart() -> None:
    for kind, shown in ((1, False), (2, False), (3, True), (4, True)):
        hand = ron()
        event = next(e for e in hand.events if '"is_li_zhi": true' in e["data"])
        event["data"] = event["data"].replace('"li_zhi_type": 1', f'"li_zhi_type": {kind}')
        tables = replay(read(record(hand)).batch, np.zeros(1, np.int64))
        assert tables["wins"].column("open_riichi").to_pylist() == [shown]


# --- the end ----------------------------------------------------------------------------------


def test_a_tsumo_has_its_tile_in_the_hand_and_chips_from_each() -> None:
    hand = Hand(THREE, "7z3z1z", dice=(1, 3)).discard(0, "7z", drawn=True).draw(1)
    hand.discard(1, "3z").draw(2).act(2, 10, "1z")
    told = won(2, "234p55p345s67899s1z", {"menzen_tsumo": 1}, all_fu=30, all_point=1100,
               bash_points=240, luck_score=4)  # fmt: skip
    hand.end(1, [told], [-600, -300, 900])
    batch = read(record(hand, isLuck=True)).batch
    assert batch.win_chips[0] == 2
    assert (batch.win_hand[0] >= 0).sum() == 14
    assert read(record(hand)).batch.win_chips[0] == -1


def test_two_winners_of_a_tile_share_what_the_record_sums_up() -> None:
    hand = Hand(FOUR, "7z6z1z", honba=1, sticks=1).discard(0, "7z").draw(1)
    hand.discard(1, "6z").draw(2).discard(2, "1z", drawn=True)
    hand.act(1, 7, "1z").act(0, 7, "1z")
    hand.end(0, [
        won(1, "19m19p19s1234567z", {"kokushi": 13}, all_fu=0, all_point=32000, bash_points=8000),
        won(0, "123m456p789s1122z", {"haku": 1}, all_fu=40, all_point=2000, bash_points=320),
    ], [3300 + 0, 32000, -34300, 0])  # fmt: skip
    batch = read(record(hand)).batch
    assert batch.event_seat[batch.win_event].tolist() == [0, 1]  # the nearest first
    assert batch.win_delta.tolist() == [[3300, 0, -2300, 0], [0, 32000, -32000, 0]]
    assert batch.win_yakuman.tolist() == [0, 1]
    assert [LIMITS[code] for code in batch.win_limit] == ["none", "yakuman"]


@pytest.mark.parametrize(
    ("end", "outcome"),
    [(2, "suufon"), (3, "suukan"), (4, "suucha"), (5, "sanchahou"), (6, "kyuushu"),
     (7, "exhaustive"), (8, "unknown"), (9, "unknown"), (11, "unknown")],
)  # fmt: skip
def test_each_way_to_end_without_a_win(end: int, outcome: str) -> None:
    hand = Hand(FOUR, "7z6z").discard(0, "7z").draw(1)
    shown = [{"user_id": USERS[1], "ting_card_list": [], "fang_info": None}] if end == 7 else []
    hand.end(end, shown, [-1000, 3000, -1000, -1000] if end == 7 else [])
    batch = read(record(hand)).batch
    assert OUTCOMES[batch.round_recorded_outcome[0]] == outcome
    assert (kinds(batch)[-1] == RYUUKYOKU) == (outcome != "unknown")
    if end == 7:
        assert batch.round_recorded_tenpai[0].tolist() == [0, 1, 0, 0]
        assert batch.round_recorded_delta[0].tolist() == [-1000, 3000, -1000, -1000]
    if end == 6:
        assert batch.event_seat[-1] == 1
    if end == 8:
        assert batch.round_recorded_delta[0].tolist() == [UNKNOWN] * 4


def test_nagashi_mangan_is_a_kind_of_draw() -> None:
    hand = Hand(FOUR, "7z6z").discard(0, "7z")
    row = {"user_id": USERS[0], "fang_info": [{"fang_type": 30, "fang_num": 5}]}
    hand.end(7, [row], [12000, -4000, -4000, -4000])
    assert OUTCOMES[read(record(hand)).batch.round_recorded_outcome[0]] == "nagashi"


def test_the_result_is_by_seat_and_a_vote_breaks_the_game_off() -> None:
    rows = (2, 40000, 600), (0, 30000, 100), (1, 20000, -200), (3, 10000, -500)
    (info,) = read(record(ron().over(*rows))).batch.games
    assert info.final_points == (30000, 20000, 40000, 10000)
    assert info.result == (10.0, -20.0, 60.0, -50.0)
    assert info.complete
    voted = Hand(FOUR, "7z6z").discard(0, "7z").end(8, [], []).over(*rows)
    assert not read(record(voted)).batch.games[0].complete


def test_rules_of_rooms() -> None:
    def ruleset(**more: Any) -> str:
        return read(record(ron(), **more)).batch.games[0].ruleset

    assert ruleset(gamePlay=1003, isLuck=True, isShaoJi=True) == "riichicity-4p"
    assert ruleset(isGeMu=True) == "riichicity-wareme-4p"
    assert ruleset(initPoints=30000) == "riichicity-custom"
    three = Hand(THREE, "7z3z").discard(0, "7z")
    assert read(record(three)).batch.games[0].ruleset == "riichicity-3p"
    assert read(record(three, northOperateType=1)).batch.games[0].ruleset == "riichicity-custom-3p"


def test_a_win_under_wareme_is_worth_what_was_paid_for_it() -> None:
    hand = Hand(FOUR, "7z6z1z", honba=1, dice=(1, 2)).discard(0, "7z").draw(1)
    hand.discard(1, "6z").draw(2).discard(2, "1z", drawn=True).act(0, 7, "1z")
    told = won(0, "123m456p789s1122z", {"haku": 1}, all_fu=40, all_point=2000, bash_points=320)
    hand.end(0, [told], [4300, 0, -4300, 0])  # the wall was broken in front of seat 2
    assert read(record(hand, isGeMu=True)).batch.win_points[0] == 4000
    assert read(record(hand)).batch.win_points[0] == 2000


# --- walls ------------------------------------------------------------------------------------


def test_the_wall_of_each_round_is_kept_with_its_digest() -> None:
    (info,) = read(record(ron())).batch.games
    assert info.shuffle_kind == RECORDED
    (wall,) = read_walls(info.shuffle_seed or b"")
    assert wall.wall == "".join(ron().wall)
    assert wall.computed() == wall.digest
    without = record(ron())
    del without["data"]["handRecord"][0]["handCardEncode"]
    assert read(without).batch.games[0].shuffle_seed is None


def verdicts(folder: Path, *files: dict[str, Any]) -> dict[str, list[str]]:
    """Return the statuses of each subject, and the fields that differ."""
    for at, file in enumerate(files):
        (folder / f"{at}.json").write_text(json.dumps(file))
    paifu.ingest([folder / f"{at}.json" for at in range(len(files))], folder / "lake")
    paifu.rescore(folder / "lake")
    lake = paifu.open(folder / "lake")
    found: dict[str, list[str]] = {}
    for subject, status in lake.sql("SELECT subject, status FROM verdicts ORDER BY ALL").fetchall():
        found.setdefault(subject, []).append(status)
    found["fields"] = [
        row[0]
        for row in lake.sql("SELECT DISTINCT field FROM verdict_fields ORDER BY 1").fetchall()
    ]
    return found


def test_play_and_wall_agree_with_the_record(tmp_path: Path) -> None:
    found = verdicts(tmp_path, record(ron()))
    assert found["wall"] == ["match"]
    assert found["win"] == ["match"]
    assert sorted(found["fields"]) == ["points_0", "points_1"]  # it did not start with 25,000 each


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda wall, digest: (wall, digest.replace(digest[0], "0" if digest[0] != "0" else "1")),
         "digest"),
        pytest.param(
            lambda wall, digest: (wall[:-8] + wall[-2:] + wall[-6:], digest), "digest",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            lambda wall, digest: (wall[2:4] + wall[:2] + wall[4:], digest), "digest",
            marks=pytest.mark.slow,
        ),
        (lambda wall, digest: (wall[:2] + wall[10:12] + wall[4:10] + wall[2:4] + wall[12:], digest),
         "haipai_0"),
        (lambda wall, digest: (wall[:106] + wall[108:110] + wall[106:108] + wall[110:], digest),
         "draws"),
    ],
)  # fmt: skip
def test_a_wall_that_was_tampered_with_differs(
    tmp_path: Path, spoil: Callable[[str, str], tuple[str, str]], field: str
) -> None:
    file = record(ron())
    round_ = file["data"]["handRecord"][0]
    names = "handCardEncode", "handCardsSHA256"
    round_[names[0]], round_[names[1]] = spoil(round_[names[0]], round_[names[1]])
    found = verdicts(tmp_path, file)
    assert found["wall"] == ["mismatch"]
    assert field in found["fields"]


def test_a_wall_of_another_size_cannot_be_held_against_the_play(tmp_path: Path) -> None:
    file = record(ron())
    file["data"]["handRecord"][0]["handCardEncode"] = "1m2m3m"
    assert verdicts(tmp_path, file)["wall"] == ["unscorable"]


@pytest.mark.parametrize(
    ("dice", "times"),
    [
        ((1, 4), 2), ((1, 1), 1),
        pytest.param((1, 2), 2, marks=pytest.mark.slow),
        pytest.param((1, 3), 1, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_under_wareme_the_seat_of_the_broken_wall_pays_and_gets_double(
    tmp_path: Path, dice: tuple[int, int], times: int
) -> None:
    hand = ron()
    told = json.loads(hand.events.pop()["data"])["win_info"]
    for event in hand.events[:4]:
        event["data"] = json.dumps(json.loads(event["data"]) | {"dices": list(dice)})
    hand.end(0, told, [1000 + 12000 * times, 0, -12000 * times, 0])
    assert verdicts(tmp_path, record(hand, isGeMu=True))["win"] == ["match"]


# --- what is refused --------------------------------------------------------------------------


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    file = record(ron())
    change(file["data"])
    return file


def event_data(data: dict[str, Any], at: int, **more: Any) -> None:
    event = data["handRecord"][0]["handEventRecord"][at]
    event["data"] = json.dumps(json.loads(event["data"]) | more)


@pytest.mark.parametrize(
    ("change", "reason", "place"),
    [
        (lambda d: d.update(playerCount=2), "2 is not a whole number", "$.data.playerCount"),
        (lambda d: d.update(handRecord=[]), "without a round", "$.data.handRecord"),
        (lambda d: d["handRecord"][0].update(quanFeng=7), "not a wind", "handRecord[0].quanFeng"),
        (lambda d: d["handRecord"][0]["players"].pop(), "3 players where there are 4", "players"),
        (lambda d: d["handRecord"][0]["handEventRecord"].pop(0), "3 hands dealt", "handRecord[0]"),
        (lambda d: event_data(d, 0, hand_cards=[0] * 14), "'0' is not a tile", "hand_cards[0]"),
        (lambda d: event_data(d, 0, hand_cards=[1] * 15), "15 tiles", "hand_cards"),
        (
            lambda d: event_data(d, 5, card=999),
            "'999' is not a tile",
            "handEventRecord[5].data.card",
        ),
        (lambda d: event_data(d, 5, user_id=9), "does not play", "handEventRecord[5].data.user_id"),
        (lambda d: d["handRecord"][0]["handEventRecord"][5].update(data="{"), "not JSON",
         "handEventRecord[5].data"),
        (lambda d: d["handRecord"][0]["handEventRecord"][5].update(data='{"a":1,"a":2}'),
         "written twice", "handEventRecord[5].data"),
        (lambda d: event_data(d, -1, win_info=[]), "not the seats that called", "win_info"),
        (lambda d: d["handRecord"][0]["handEventRecord"].append(
            d["handRecord"][0]["handEventRecord"][5]), "after the end", "handEventRecord["),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_where(change: Any, reason: str, place: str) -> None:
    imported = read(record(ron()), changed(change), record(ron()))
    assert imported.game_blob == [0, 2]
    (reject,) = imported.rejects
    assert reason in reject.reason
    assert place in reject.position


def test_a_kind_of_event_that_is_not_known_is_a_note() -> None:
    file = changed(
        lambda d: d["handRecord"][0]["handEventRecord"].insert(
            6, {"eventType": 77, "userId": 0, "data": "{}"}
        )
    )
    assert read(file).batch.games[0].notes == ["unknown_tag@0"]


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_spoiled_records_never_crash(seed: int) -> None:
    rng = random.Random(seed)
    file = copy.deepcopy(record(ron()))
    place: Any = file
    while True:
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if key == "data" and isinstance(place[key], str):
            inner = json.loads(place[key])
            name = rng.choice(list(inner))
            inner[name] = rng.choice(JUNK)
            place[key] = json.dumps(inner)
            break
        if not isinstance(place[key], (dict, list)) or not place[key] or rng.random() < 0.1:
            place[key] = rng.choice(JUNK)
            break
        place = place[key]
    imported = read(file)
    imported.batch.validate()
    assert len(imported.batch.games) + len(imported.rejects) == 1


JUNK: list[Any] = [None, True, -1, 0, 3, 1 << 70, 0.5, "", "1z", [], {}, [[]], [None], {"a": 1}]


# --- real records -----------------------------------------------------------------------------


def test_every_real_record_is_read(corpus: Path) -> None:
    files = sorted((corpus / "riichicity").glob("*.json"))
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    assert {registry.detect(blob.data) for blob in blobs} == {"riichicity"}
    imported = riichicity.read(blobs)
    assert not imported.rejects
    batch = imported.batch
    assert len(batch.games) == len(files) == 4
    assert [len(read_walls(info.shuffle_seed or b"")) for info in batch.games] == (
        np.diff(batch.game_rounds).tolist()
    )
    assert not [note for info in batch.games for note in info.notes]
    flags = replay(batch, np.zeros(len(files), np.int64))["flags"].column("reason").to_pylist()
    assert flags == ["no_end"]  # of the game that ended by a vote
