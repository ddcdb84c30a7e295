"""M.League viewer pages: each kind of event once, forms of pages, and what is refused."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.formats import registry
from paifu.formats.base import Blob, Imported
from paifu.formats.mleague_page import importer as mleague
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    LIMITS,
    OUTCOMES,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    WIN,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import TEXT, parse_tiles
from paifu.replay.replay_batch import replay
from paifu.schema.yaku import YAKU

Event = tuple[str, ...]
HANDS = ("123m456p789s1122z", "19m19p19s1234567z", "234m55p345s67899s", "123p777p234s55577z")
START: list[Event] = [
    ("area", "-"),
    *(("player", f"{letter}0", f"name {letter}", "user", "T001") for letter in "ABCD"),
    ("gamestart", "id=L001_S099_0001_01A"),
]


def deal(
    dealer: int = 0, wind: str = "1z", honba: int = 0, sticks: int = 0,
    hands: tuple[str, ...] = HANDS, points: tuple[int, ...] = (25000,) * 4, dora: str = "1s",
) -> list[Event]:  # fmt: skip
    winds = [f"{(seat - dealer) % 4 + 1}z" for seat in range(4)]
    events: list[Event] = [
        ("kyokustart", "0", f"{'ABCD'[dealer]}0", str(honba), str(1000 * sticks), wind, *winds)
    ]
    events += [("point", f"{'ABCD'[seat]}0", f"={points[seat]}") for seat in range(4)]
    events += [("dice", "1", "1"), ("dora", "2s", dora)]
    split = [[text(code) for code in parse_tiles(hand)] for hand in hands]
    for first, last in ((0, 4), (4, 8), (8, 12), (12, 13)):
        for at in range(4):
            seat = (dealer + at) % 4
            events.append(("haipai", f"{'ABCD'[seat]}0", "".join(split[seat][first:last])))
    return events


def text(code: int) -> str:
    """Return a tile as the viewer writes it, red fives in capitals."""
    return TEXT[code] if TEXT[code][0] != "0" else f"5{TEXT[code][1].upper()}"


RON: list[Event] = [
    *deal(),
    ("tsumo", "A0", "69", "7z"),
    ("say", "A0", "richi"), ("sutehai", "A0", "7z", "tsumogiri", "richi"), ("richi", "A0", "-1000"),
    ("tsumo", "B0", "68", "6z"), ("sutehai", "B0", "6z", "tsumogiri"),
    ("tsumo", "C0", "67", "1z"), ("sutehai", "C0", "1z", "tsumogiri"),
    ("say", "A0", "ron"), ("open", "A0", "1m2m3m4p5p6p7s8s9s1z1z2z2z"), ("uradora", "3s", "2s"),
    ("agari", "ron=1z", "A0", "満貫", "40", "ダブルリーチ", "2", "一発", "1", "ダブ東", "2"),
    ("point", "C0", "-12000"), ("point", "A0", "+12000"),
    ("kyokuend",),
]  # fmt: skip


def listed(events: list[Event]) -> list[dict[str, Any]]:
    return [
        {"time": f"2023-04-28 21:{at // 60 % 60:02}:{at % 60:02}", "id": str(at), "cmd": cmd,
         "args": list(args)}
        for at, (cmd, *args) in enumerate(events)
    ]  # fmt: skip


def page(events: list[Event], quote: str = "'") -> bytes:
    inner = json.dumps(listed(events), ensure_ascii=False)
    if quote == '"':
        inner = inner.replace("\\", "\\\\").replace('"', '\\"')
    return (
        "<!DOCTYPE html>\n<html><head><title>牌譜ビューア</title></head><body><script>\n"
        f"  UMP_PLAYER.init(true, true, {quote}{inner}{quote}, autoplay);\n</script></body></html>"
    ).encode()


def read(*files: list[Event] | bytes) -> Imported:
    return mleague.read([
        Blob(file if isinstance(file, bytes) else page(START + file), 0) for file in files
    ])  # fmt: skip


def kinds(batch: Any) -> list[int]:
    return [int(kind) for kind in batch.event_kind]


# --- forms of pages ---------------------------------------------------------------------------


def test_a_page_its_list_and_lists_in_lines_give_the_same_game() -> None:
    events = START + RON
    whole = json.dumps(listed(events))
    files = [
        page(events), page(events, '"'), b"\xef\xbb\xbf" + page(events), whole.encode(),
        json.dumps(listed(events), indent=1).encode(), f"{whole}\n{whole}\n".encode(),
    ]  # fmt: skip
    assert {registry.detect(file) for file in files} == {"mleague_page"}
    imported = read(*files)
    assert not imported.rejects
    assert imported.game_blob == [0, 1, 2, 3, 4, 5, 5]
    assert len(set(identify(imported.batch).game_id.tolist())) == 1


def test_two_games_in_a_page() -> None:
    assert read(page(START + RON) + page(START + RON)).game_blob == [0, 0]


# --- play -------------------------------------------------------------------------------------


def test_a_round_from_the_deal_to_a_ron() -> None:
    batch = read(RON).batch
    assert kinds(batch) == [
        DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, DRAW, DISCARD, DRAW, DISCARD, WIN,
    ]  # fmt: skip
    assert batch.event_tsumogiri[[2, 5]].tolist() == [1, 1]
    assert batch.win_delta[0].tolist() == [13000, 0, -12000, 0]  # the own stick is returned
    assert batch.win_before[0].tolist() == [24000, 25000, 25000, 25000]
    assert (batch.win_points[0], batch.win_fu[0], batch.win_han[0]) == (12000, 40, 5)
    assert LIMITS[batch.win_limit[0]] == "mangan"
    assert [YAKU[i].key for i in batch.yaku_id] == [
        "double_riichi", "ippatsu", "round_east", "seat_east",
    ]  # fmt: skip
    assert [TEXT[code] for code in batch.win_ura[0] if code >= 0] == ["2s"]
    (info,) = batch.games
    assert (info.platform, info.ruleset, info.log_id) == (
        "mleague",
        "mleague",
        "L001_S099_0001_01A",
    )
    assert info.names == ("name A", "name B", "name C", "name D")
    assert info.played_at is not None
    assert f"{info.played_at:%Y-%m-%d %H:%M:%S}" == "2023-04-28 12:00:00"  # Japan is 9 hours ahead
    flags = replay(batch, np.zeros(1, np.int64))["flags"].column("reason").to_pylist()
    assert flags == []


def test_the_first_dealer_is_seat_0_and_the_round_is_numbered_from_him() -> None:
    game = [*deal(2), ("tsumo", "C0", "69", "7z"), ("sutehai", "C0", "9s"), ("kyokuend",),
            *deal(0, "2z", 3, 2), ("tsumo", "A0", "69", "7z")]  # fmt: skip
    batch = read(game).batch
    assert batch.round_number.tolist() == [0, 2]
    assert batch.round_wind.tolist() == [0, 1]
    assert (batch.round_honba[1], batch.round_sticks[1]) == (3, 2)
    assert batch.event_seat.tolist() == [0, 0, 2]
    assert batch.games[0].names[0] == "name C"


@pytest.mark.parametrize(
    ("own", "tile", "hand", "kind"),
    [("<4m5m>", "3m", "345m9m19p19s24567z", CHI), ("<1z1z>", "1z", "11z5m9m19p19s24567z", PON),
     ("<1z1z1z>", "1z", "111z9m19p19s24567z", DAIMINKAN),
     ("<4m5M>", "3m", "340m9m19p19s24567z", CHI)],
)  # fmt: skip
def test_a_call_takes_the_last_discard(own: str, tile: str, hand: str, kind: int) -> None:
    hands = ("123p456p789s2233z", hand, *HANDS[2:])
    game = [*deal(hands=hands), ("tsumo", "A0", "69", tile), ("sutehai", "A0", tile, "tsumogiri"),
            ("say", "B0", "call"), ("open", "B0", own, tile), ("sutehai", "B0", "9m")]  # fmt: skip
    batch = read(game).batch
    at = kinds(batch).index(kind)
    assert (batch.event_seat[at], batch.event_from[at]) == (1, 0)
    assert [text(code) for code in batch.event_consumed[at] if code >= 0] == [
        own[1:-1][i : i + 2] for i in range(0, len(own) - 2, 2)
    ]


def test_concealed_and_added_kans_turn_up_dora() -> None:
    hands = ("1z1z456p789s2233z", "5555m9m19p19s2456z", *HANDS[2:])
    hands = ("11z456p789s22334z", *hands[1:])
    game = [*deal(hands=hands), ("tsumo", "A0", "69", "7z"), ("sutehai", "A0", "7z", "tsumogiri"),
            ("tsumo", "B0", "68", "7z"), ("open", "B0", "(5m5M5m5m)"), ("dora", "4p", "3p"),
            ("tsumo", "B0", "67", "1z"), ("sutehai", "B0", "1z", "tsumogiri"),
            ("open", "A0", "<1z1z>", "1z"), ("sutehai", "A0", "4z"),
            ("tsumo", "A0", "66", "1z"), ("open", "A0", "[1z1z1z]", "1z"),
            ("dora", "5p", "4p")]  # fmt: skip
    batch = read(game).batch
    assert [kind for kind in kinds(batch) if kind in (ANKAN, KAKAN, DORA)] == [
        ANKAN, DORA, KAKAN, DORA,
    ]  # fmt: skip
    at = kinds(batch).index(ANKAN)
    assert "0m" in {TEXT[code] for code in [batch.event_tile[at], *batch.event_consumed[at]]}


def test_a_tile_that_nobody_wrote_down_is_not_known() -> None:
    game = [*deal(), ("tsumo", "A0", "69", ""), ("sutehai", "A0", "1z")]
    batch = read(game).batch
    assert batch.event_tile.tolist()[0] == -1


# --- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "fu", "yaku", "expected"),
    [
        ("7700", "40", ["リーチ", "1", "ドラ", "2"], (7700, "none", 3, 0, {"riichi", "dora"})),
        ("跳満", "30", ["東", "1", "混一色", "3", "ドラ", "2"],
         (18000, "haneman", 6, 0, {"round_east", "honitsu", "dora"})),
        ("役満", "0", ["国士無双", "1"], (48000, "yakuman", -1, 1, {"kokushi"})),
        ("1300", "20", ["発", "1"], (1300, "none", 1, 0, {"hatsu"})),
    ],
)  # fmt: skip
def test_what_a_win_is_worth_is_written_as_points_or_as_a_limit(
    value: str, fu: str, yaku: list[str], expected: tuple[Any, ...]
) -> None:
    game = [event for event in RON if event[0] != "agari"]
    at = next(i for i, event in enumerate(game) if event[0] == "uradora")
    game.insert(at + 1, ("agari", "comment=x", "ron=1z", "A0", value, fu, *yaku))
    batch = read(game).batch
    points, limit, han, yakuman, keys = expected
    assert (batch.win_points[0], LIMITS[batch.win_limit[0]]) == (points, limit)
    assert (batch.win_han[0], batch.win_yakuman[0]) == (han, yakuman)
    assert {YAKU[i].key for i in batch.yaku_id} == keys


def test_a_declaration_tile_that_is_won_on_leaves_no_stick() -> None:
    game = [*deal(), ("tsumo", "A0", "69", "7z"), ("sutehai", "A0", "2z", "richi"),
            ("say", "B0", "ron"), ("open", "B0", "1m9m1p9p1s9s1z2z3z4z5z6z7z"), ("uradora", "", ""),
            ("agari", "ron=2z", "B0", "役満", "0", "国士無双十三面待ち", "1"),
            ("point", "A0", "-32000"), ("point", "B0", "+32000"), ("kyokuend",)]  # fmt: skip
    batch = read(game).batch
    assert RIICHI_ACCEPTED not in batch.event_kind
    assert batch.win_delta[0].tolist() == [-32000, 32000, 0, 0]
    assert batch.win_before[0].tolist() == [25000] * 4


def test_a_draw_has_who_said_tenpai_and_payments_without_the_own_stick() -> None:
    game = [*deal(), ("tsumo", "A0", "69", "7z"), ("sutehai", "A0", "7z", "richi"),
            ("richi", "A0", "-1000"), ("tsumo", "B0", "0", "6z"), ("sutehai", "B0", "6z"),
            ("say", "A0", "tenpai"), *(("say", f"{seat}0", "noten") for seat in "BCD"),
            ("ryukyoku",), ("point", "A0", "+2000"),
            *(("point", f"{seat}0", "-1000") for seat in "BCD"), ("kyokuend",),
            ("gameend", "A0", "57.0", "B0", "4.0", "C0", "-16.0", "D0", "-46.0", "A0_rank=0",
             "B0_rank=1", "C0_rank=2", "D0_rank=3")]  # fmt: skip
    batch = read(game).batch
    assert kinds(batch)[-1] == RYUUKYOKU
    assert OUTCOMES[batch.round_recorded_outcome[0]] == "exhaustive"
    assert batch.round_recorded_tenpai[0].tolist() == [1, 0, 0, 0]
    assert batch.round_recorded_delta[0].tolist() == [3000, -1000, -1000, -1000]
    assert batch.round_recorded_before[0].tolist() == [24000, 25000, 25000, 25000]
    (info,) = batch.games
    assert (info.result, info.complete) == ((57.0, 4.0, -16.0, -46.0), True)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (("tsumo", "E0", "69", "7z"), "'E0' is not a seat"),
        (("tsumo", "A0", "69", "8z"), "'8z' is not a tile"),
        (("tsumo", "A0"), "1 values"),
        (("open", "A0", "<1z1z>", "1z"), "another seat's discard"),
        (("open", "A0", "(1z1z)"), "an ankan of 2 tiles"),
        (("haipai", "A0", "1m"), "in the wrong place"),
        (("point", "A0", "many"), "not a number"),
        (("kyokustart", "0", "A0", "0", "500", "1z"), "not whole riichi sticks"),
        (("kyokustart", "0", "A0", "0", "0", "5z"), "not a wind"),
        (("gameend", "A0", "lots"), "not a result"),
        (("agari", "A0"), "1 values"),
    ],
)
def test_a_refusal_says_why_and_where(event: Event, reason: str) -> None:
    imported = read(RON, [*deal(), event], RON)
    assert imported.game_blob == [0, 2]
    (reject,) = imported.rejects
    assert reason in reject.reason
    assert f"[{len(START) + len(deal())}]" in reject.position


def test_pages_without_a_whole_game() -> None:
    cut = page(START + RON)[:-4000]
    empty = b"<script>UMP_PLAYER.init(true);</script>"
    imported = read(cut, empty, page([]))
    assert not imported.batch.games
    reasons = [reject.reason for reject in imported.rejects]
    assert ["breaks off" in reasons[0], "no game" in reasons[1]] == [True, True]
    assert "without a round" in reasons[2]


def test_an_event_that_is_not_known_is_a_note() -> None:
    assert read([*RON, ("chombo", "A0")]).batch.games[0].notes == ["unknown_tag@0"]


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_spoiled_games_never_crash(seed: int) -> None:
    rng = random.Random(seed)
    events: list[Any] = copy.deepcopy(listed(START + RON))
    event = rng.choice(events)
    kind = rng.randrange(4)
    if kind == 0:
        event["args"] = rng.choice(JUNK)
    elif kind == 1 and event["args"]:
        event["args"][rng.randrange(len(event["args"]))] = rng.choice(JUNK)
    elif kind == 2:
        event["cmd"] = rng.choice([*JUNK, "agari", "ryukyoku", "kyokuend", "richi", "gameend"])
    else:
        rng.shuffle(events)
    imported = read(json.dumps(events).encode())
    imported.batch.validate()
    assert len(imported.batch.games) + len(imported.rejects) == 1


JUNK: list[Any] = [None, True, -1, "", "-", "A0", "1z", "+5", "<>", "()", "[]", [], {}, "9" * 40]


# --- a real page ------------------------------------------------------------------------------


def test_the_real_page_is_read(corpus: Path) -> None:
    files = sorted((corpus / "mleague_page").iterdir())
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    assert {registry.detect(blob.data) for blob in blobs} == {"mleague_page"}
    imported = mleague.read(blobs)
    assert not imported.rejects
    batch = imported.batch
    assert len(batch.round_wind) == 11
    assert (batch.event_kind == DISCARD).sum() == 640
    assert not batch.games[0].notes
    assert not replay(batch, np.zeros(1, np.int64))["flags"].num_rows
