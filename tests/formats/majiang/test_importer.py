"""majiang logs: seats counted from the dealer, its notation, and what is refused."""

from __future__ import annotations

import copy
import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paifu.formats import registry as importers
from paifu.formats.base import Blob, Imported
from paifu.formats.majiang import importer as majiang
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    OUTCOMES,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    WIN,
    concat,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import TEXT
from paifu.host.shipped_files import resource_dir
from paifu.replay.replay_batch import replay
from paifu.schema.yaku import YAKU

HANDS = ["m123p456s789z1122", "m123p406s789z3344", "m123p456s789z5566", "m456p789s123z7711"]
Act = dict[str, dict[str, Any]]


def deal(**fields: Any) -> Act:
    return {"qipai": {
        "zhuangfeng": 0, "jushu": 0, "changbang": 0, "lizhibang": 0, "baopai": "p1",
        "defen": [25000, 26000, 24000, 25000], "shoupai": HANDS,
    } | fields}  # fmt: skip


def act(kind: str, seat: int, tile: str) -> Act:
    return {kind: {"l": seat, "m" if kind in ("fulou", "gang") else "p": tile}}


RON: list[Act] = [
    deal(),
    act("zimo", 0, "z3"), act("dapai", 0, "z3_*"),
    act("fulou", 1, "z333-"), act("dapai", 1, "s9"),
    {"hule": {"l": 3, "baojia": 1, "shoupai": "m456p789s123z77s9", "fubaopai": None, "fu": 30,
              "fanshu": 3, "defen": 3900, "fenpei": [0, -3900, 0, 4900],
              "hupai": [{"name": "自風 北", "fanshu": 1}, {"name": "翻牌 中", "fanshu": 2}]}},
]  # fmt: skip


def game(*rounds: list[Act], **fields: Any) -> dict[str, Any]:
    return {
        "title": "t", "player": ["a", "b", "c", "d"], "qijia": 0, "log": list(rounds),
        "defen": [30000, 20000, 10000, 40000], "point": ["10.0", "0", "-20.0", "10.0"],
    } | fields  # fmt: skip


def read(*games: Any) -> Imported:
    return majiang.read([
        Blob(text if isinstance(text, bytes) else json.dumps(text).encode(), 0) for text in games
    ])  # fmt: skip


def test_acts_say_what_happened() -> None:
    batch = read(game(RON)).batch
    assert batch.event_kind.tolist() == [
        DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, PON, DISCARD, WIN,
    ]  # fmt: skip
    assert batch.event_tsumogiri[[2, 5]].tolist() == [1, 0]
    assert (batch.event_from[4], batch.event_from[6]) == (0, 1)
    assert [YAKU[index].key for index in batch.yaku_id] == ["seat_north", "chun"]
    assert TEXT[batch.event_tile[6]] == "9s"
    assert batch.win_delta.tolist() == [[0, -3900, 0, 4900]]
    assert (batch.win_fu[0], batch.win_han[0], batch.win_points[0]) == (30, 3, 3900)


def test_seats_are_counted_from_the_dealer_and_players_from_the_first_dealer() -> None:
    second = [deal(jushu=1, defen=[1, 2, 3, 4]), act("zimo", 0, "z3"), act("dapai", 0, "z3_")]
    batch = read(game(RON, second, qijia=2)).batch
    info = batch.games[0]
    assert info.names == ("c", "d", "a", "b")
    assert info.final_points == (10000, 40000, 30000, 20000)
    assert info.result == (-20.0, 10.0, 10.0, 0.0)
    assert batch.round_dealer.tolist() == [0, 1]
    assert batch.round_scores[1].tolist() == [4, 1, 2, 3]
    assert batch.event_seat[-2:].tolist() == [1, 1]
    # the dealer's hand is the first in the list
    np.testing.assert_array_equal(batch.round_haipai[1, 1], batch.round_haipai[0, 0])


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("fulou", "m1-23", (CHI, "1m", 3, ["2m", "3m"])),
        ("fulou", "m40-6", (CHI, "0m", 3, ["4m", "6m"])),
        ("fulou", "z333=", (PON, "3z", 2, ["3z", "3z"])),
        ("fulou", "p550+", (PON, "0p", 1, ["5p", "5p"])),
        ("fulou", "s6666-", (DAIMINKAN, "6s", 3, ["6s", "6s", "6s"])),
        ("gang", "s5550", (ANKAN, "5s", -1, ["0s", "5s", "5s"])),
        ("gang", "p555=0", (KAKAN, "0p", -1, ["5p", "5p", "5p"])),
    ],
)
def test_the_notation_of_melds(kind: str, text: str, expected: Any) -> None:
    batch = read(game([deal(), act(kind, 0, text)])).batch
    consumed = sorted(TEXT[tile] for tile in batch.event_consumed[0] if tile >= 0)
    assert (
        batch.event_kind[0], TEXT[batch.event_tile[0]], batch.event_from[0], consumed,
    ) == expected  # fmt: skip


def test_indicators_and_a_yakuman() -> None:
    hule = RON[-1]["hule"] | {
        "damanguan": 1, "hupai": [{"name": "国士無双", "fanshu": "*"}], "fubaopai": ["z1", "z2"],
    }  # fmt: skip
    batch = read(game([*RON[:3], {"kaigang": {"baopai": "z7"}}, {"hule": hule}])).batch
    assert DORA in batch.event_kind
    assert [TEXT[tile] for tile in batch.win_indicators[0] if tile >= 0] == ["1p", "7z"]
    assert [TEXT[tile] for tile in batch.win_ura[0] if tile >= 0] == ["1z", "2z"]
    assert (batch.win_yakuman[0], batch.win_han[0], batch.yaku_han.tolist()) == (1, -1, [13])


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("荒牌平局", "exhaustive"), ("流局", "exhaustive"), ("九種九牌", "kyuushu"),
     ("四風連打", "suufon"), ("四家立直", "suucha"), ("四開槓", "suukan"), ("三家和", "sanchahou"),
     ("流し満貫", "nagashi")],
)  # fmt: skip
def test_every_draw_has_its_name(name: str, outcome: str) -> None:
    end = {"pingju": {"name": name, "shoupai": ["m1", "", "", ""], "fenpei": [0, 0, 0, 0]}}
    batch = read(game([deal(), act("zimo", 0, "z3"), end])).batch
    assert OUTCOMES[batch.round_recorded_outcome[0]] == outcome
    assert batch.event_seat[-1] == (0 if outcome == "kyuushu" else -1)
    shown = [1, 0, 0, 0] if outcome in ("exhaustive", "nagashi") else [-1] * 4
    assert batch.round_recorded_tenpai[0].tolist() == shown


def test_a_tsumo_has_a_draw_even_where_it_was_not_written() -> None:
    hule = RON[-1]["hule"] | {"baojia": None, "shoupai": "m456p789s123z77s9"}
    batch = read(game([*RON[:3], {"hule": hule}])).batch
    assert batch.event_kind.tolist() == [DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, DRAW, WIN]
    assert (batch.event_seat[4], TEXT[batch.event_tile[4]]) == (3, "9s")


@pytest.mark.parametrize(
    ("at", "bad", "place"),
    [
        (1, act("zimo", 5, "z3"), "$.log[0][1].zimo.l"),
        (1, act("zimo", 0, "z8"), "$.log[0][1].zimo.p"),
        (2, act("dapai", 0, "z3?"), "$.log[0][2].dapai.p"),
        (3, act("fulou", 1, "z33-"), "$.log[0][3].fulou.m"),
        (3, act("gang", 1, "z333-"), "$.log[0][3].gang.m"),
        (3, act("fulou", 1, "q333-"), "$.log[0][3].fulou.m"),
        (0, deal(shoupai=HANDS[:3]), "$.log[0][0].qipai.shoupai"),
        (0, deal(shoupai=["m" + "1" * 14, *HANDS[1:]]), "$.log[0][0].qipai.shoupai"),
        (0, deal(defen=[1e300] * 4), "$.log[0][0].qipai.defen[0]"),
        (0, deal(jushu=4), "$.log[0][0].qipai.jushu"),
        (2, deal(), "$.log[0][2].qipai"),
        (0, act("zimo", 0, "z3"), "$.log[0][0]"),
        (4, {"dapai": {}, "zimo": {}}, "$.log[0][4]"),
        (5, {"hule": {"l": 3, "fenpei": None}}, "$.log[0][5].hule.fenpei"),
        (5, {"hule": RON[-1]["hule"] | {"fu": 10**6}}, "$.log[0][5].hule.fu"),
        (5, [], "$.log[0][5]"),
        (3, {"pingju": {"name": "流局", "shoupai": [""] * 4, "fenpei": [0] * 4}}, "$.log[0][4]"),
    ],
)
def test_a_broken_game_is_refused_with_its_place_and_spares_its_neighbours(
    at: int, bad: Any, place: str
) -> None:
    acts: list[Any] = [*RON]
    acts[at] = bad
    imported = read([game(RON), game(acts), game(RON)])
    assert len(imported.batch.games) == 2
    (reject,) = imported.rejects
    assert reject.position.startswith(place.replace("$", "$[1]"))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("NaN", "byte"), ('"\\ud800"', "byte"), ("[" * 3000 + "]" * 3000, "byte"),
        ("1e400", "byte"), ('0, "title": 0', "$"), ('{"a": 1, "a": 1}', "$"),
        ("9" * 40, "$.log[0][0].qipai.changbang"), ("1e300", "$.log[0][0].qipai.changbang"),
        ("-1", "$.log[0][0].qipai.changbang"), ("[]", "$.log[0][0].qipai.changbang"),
    ],
)  # fmt: skip
def test_hostile_json_is_refused_with_its_place_and_spares_its_neighbours(
    said: str, place: str
) -> None:
    good = json.dumps(game(RON))
    key = '"changbang": ' if place.startswith("$.") else '"title": '
    bad = good.replace(
        f"{key}{0 if place.startswith('$.') else chr(34) + 't' + chr(34)}", key + said
    )
    assert bad != good
    imported = read(good.encode(), bad.encode(), good.encode())
    assert imported.game_blob == [0, 2]
    assert imported.rejects[0].position.startswith(place)


@pytest.mark.parametrize("hands", [HANDS[:3], [*HANDS[:3], ""]])
def test_games_of_three_are_refused_since_the_format_has_none(hands: list[str]) -> None:
    imported = read(game([deal(shoupai=hands, defen=[35000] * 3)]), game(RON))
    assert imported.game_blob == [1]
    (reject,) = imported.rejects
    assert (reject.position, "the format is for four" in reject.reason) == (
        "$.log[0][0].qipai.shoupai", True,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["{}", "[]", '{"log": []}', '{"log": [[]]}', '{"log": [[{}]]}'])
def test_values_that_are_not_games_are_refused(text: str) -> None:
    imported = read(text.encode())
    assert not imported.batch.games
    assert len(imported.rejects) == 1


@given(st.integers(0, 1 << 32))
def test_no_spoiled_act_crashes_or_harms_its_neighbours(seed: int) -> None:
    rng = random.Random(seed)
    acts: list[Any] = copy.deepcopy(RON)
    for _ in range(2):
        (inner,) = rng.choice(acts).values()
        inner[rng.choice([*inner, "l", "m", "p", "hupai"])] = rng.choice(
            [None, True, -1, 9, 1 << 70, 1e308, "", "m1", "m1-2-3", [], {}, [[]], [{}], ["m1"]]
        )
    imported = read(game(RON), game(acts), game(RON))
    assert [blob for blob in imported.game_blob if blob != 1] == [0, 2]
    assert len(imported.game_blob) + len(imported.rejects) == 3
    imported.batch.validate()


def test_every_real_log_is_read(corpus: Path) -> None:
    files = sorted((corpus / "kobalab_paipu").iterdir())
    data = [file.read_bytes() for file in files]
    data = [gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text for text in data]
    assert {importers.detect(text) for text in data} == {"majiang"}
    imported = read(*data)
    assert not imported.rejects
    assert len(imported.batch.games) == 45
    assert {info.ruleset for info in imported.batch.games} == {"tenhou-custom", "jpml-a"}


def test_broadcast_games_are_the_same_in_both_formats(corpus: Path) -> None:
    pairs = (
        ("SegaSammy_No1.json", "paipu.txt"),
        ("第39期十段位決定戦5.json", "第39期十段位決定戦5.txt"),
    )
    ours = concat([read((corpus / "kobalab_paipu" / mine).read_bytes()).batch for mine, _ in pairs])
    theirs = concat([
        tenhou_json.read([Blob((corpus / "mleague_tenhou6" / name).read_bytes(), 0)]).batch
        for _, name in pairs
    ])  # fmt: skip
    assert identify(ours).game_id.tolist() == identify(theirs).game_id.tolist()
    for name in ("event_kind", "event_seat", "event_tile", "win_delta"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
    assert (ours.event_kind == DISCARD).sum() > 1000


RINSHAN: list[Act] = [
    deal(),
    act("zimo", 0, "z3"),
    act("gang", 0, "z3333"),
    act("gangzimo", 0, "z1"),
    {"kaigang": {"baopai": "z7"}},
    {"hule": {"l": 0, "baojia": None, "shoupai": "m11p1z1,z3333", "fenpei": [12, -4, -4, -4]}},
]


@pytest.mark.parametrize("order", [(3, 4), (4, 3)])
def test_a_kan_dora_may_be_written_before_or_after_the_draw(order: tuple[int, int]) -> None:
    """kobalab's own converter writes gang, gangzimo, kaigang, hule: there is one draw in it."""
    batch = read(game([*RINSHAN[:3], *(RINSHAN[at] for at in order), RINSHAN[5]])).batch
    assert sorted(batch.event_kind.tolist()) == sorted([DRAW, ANKAN, DRAW, DORA, WIN])
    assert [TEXT[tile] for tile in batch.win_indicators[0] if tile >= 0] == ["1p", "7z"]


def test_a_kan_dora_between_riichi_and_ron_does_not_pay_the_stick() -> None:
    acts = [*RON[:2], {"kaigang": {"baopai": "z7"}}]
    won = {"hule": RON[-1]["hule"] | {"l": 3, "baojia": 0}}
    riichi = act("dapai", 0, "z3_*")
    for order in ([*acts, riichi, won], [*acts[:2], riichi, acts[2], won]):
        assert RIICHI_ACCEPTED not in read(game(order)).batch.event_kind
    played_on = read(game([*acts[:2], riichi, acts[2], *RON[3:]])).batch
    assert (played_on.event_kind == RIICHI_ACCEPTED).sum() == 1


def test_what_is_turned_up_after_a_win_was_due_before_it_only_after_a_concealed_kan() -> None:
    won = [RINSHAN[5], RINSHAN[4]]
    concealed = read(game([*RINSHAN[:4], *won])).batch
    assert concealed.event_kind.tolist() == [DRAW, ANKAN, DRAW, DORA, WIN]
    assert [TEXT[tile] for tile in concealed.win_indicators[0] if tile >= 0] == ["1p", "7z"]
    added = [*RINSHAN[:2], act("gang", 0, "z333=3"), RINSHAN[3], *won]
    assert DORA not in read(game(added)).batch.event_kind


def test_a_part_of_a_game_may_have_the_final_points_of_the_whole() -> None:
    path = resource_dir("data") / "east_majiang.majiang.json"
    whole = json.loads(path.read_text(encoding="utf-8"))

    def flags(log: list[Any]) -> list[str]:
        batch = read(whole | {"log": log}).batch
        (found,) = replay(batch, np.zeros(1, np.int64))["games"].column("flags").to_pylist()
        return list(found)

    log = whole["log"]
    assert flags(log) == flags(log[1:]) == flags(log[1:-1]) == []
    assert flags(log[:-1]) == ["final_differs"]  # it begins like a whole game
