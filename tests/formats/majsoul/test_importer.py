"""Mahjong Soul records: one game in every notation, and what is refused."""

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

from paifu.formats import registry as importers
from paifu.formats.base import Blob, Imported
from paifu.formats.json.memo import SPECIAL
from paifu.formats.majsoul import importer as majsoul
from paifu.formats.majsoul.game_info import dan_code
from paifu.formats.majsoul.scan import scan
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import (
    ANKAN,
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
    UNKNOWN,
    WIN,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import TEXT, parse_tiles
from paifu.rules import rulesets
from paifu.schema.yaku import YAKU
from tests.formats.both_ways import assert_same

EAST = ["1m", "2m", "3m", "4m", "0m", "6m", "7m", "8m", "9m", "1z", "1z", "2z", "2z", "7m"]
SOUTH = ["1p", "2p", "3p", "4p", "0p", "6p", "7p", "8p", "9p", "3z", "3z", "4z", "4z"]
WEST = ["1s", "2s", "3s", "4s", "0s", "6s", "7s", "8s", "9s", "5z", "5z", "6z", "6z"]
LAST = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "7z", "7z", "9p", "9p"]
Record = tuple[str, dict[str, Any]]


def deal(**fields: Any) -> Record:
    return "NewRound", {
        "chang": 0, "ju": 0, "ben": 0, "liqibang": 0, "scores": [25000] * 4, "doras": ["1p"],
        "tiles0": EAST, "tiles1": SOUTH, "tiles2": WEST, "tiles3": LAST,
    } | fields  # fmt: skip


RON: list[Record] = [
    deal(),
    ("DiscardTile", {"seat": 0, "tile": "7m", "moqie": True, "is_liqi": True}),
    ("DealTile", {"seat": 1, "tile": "5z", "left_tile_count": 68}),
    ("DiscardTile", {"seat": 1, "tile": "5z", "moqie": True}),
    ("ChiPengGang", {"seat": 2, "type": 1, "tiles": ["5z", "5z", "5z"], "froms": [2, 2, 1]}),
    ("DiscardTile", {"seat": 2, "tile": "7m"}),
    ("Hule", {
        "hules": [{
            "hand": EAST[:13], "hu_tile": "7m", "seat": 0, "zimo": False, "qinjia": True,
            "liqi": True, "doras": ["1p"], "li_doras": ["3z"], "yiman": False, "count": 3,
            "fans": [{"id": 2, "val": 1}, {"id": 16, "val": 2}, {"id": 33, "val": 0}],
            "fu": 40, "point_rong": 7700, "title_id": 0,
        }],
        "old_scores": [24000, 25000, 25000, 25000], "delta_scores": [8700, 0, -7700, 0],
    }),
]  # fmt: skip


def camel(value: Any) -> Any:
    """Return a record as written by exporters that keep protobufjs's names and omit defaults."""
    if isinstance(value, dict):
        return {
            "".join(w.capitalize() if at else w for at, w in enumerate(key.split("_"))): camel(part)
            for key, part in value.items()
            if part not in (0, False, "") or key == "name"
        }
    return [camel(part) for part in value] if isinstance(value, list) else value


def head(**config: Any) -> dict[str, Any]:
    return {
        "uuid": "210815-6da08e40-2605-42fb-a5e3-f8aa5940362a", "start_time": 1629039063,
        "end_time": 1629041163,
        "config": {"category": 2, "mode": {"mode": 2}, "meta": {"mode_id": 12}} | config,
        "accounts": [
            {"account_id": 10 + seat, "seat": seat, "nickname": "abcd"[seat],
             "level": {"id": 10402}, "level3": {"id": 20301}}
            for seat in range(4)
        ],
        "result": {"players": [
            {"seat": seat, "part_point_1": 25000 + seat, "total_point": 1000 * seat}
            for seat in range(4)
        ]},
    }  # fmt: skip


def game(records: list[Record], **config: Any) -> dict[str, Any]:
    listed = [{"name": f".lq.Record{name}", "data": data} for name, data in records]
    return {"head": head(**config), "data": listed}


def read(*games: Any) -> Imported:
    return majsoul.read([
        Blob(text if isinstance(text, bytes) else json.dumps(text).encode(), 0) for text in games
    ])  # fmt: skip


def in_every_way(records: list[Record]) -> dict[str, Any]:
    actions = [
        {"passed": 1, "type": 1, "result": {"name": f"Record{name}", "data": data}}
        for name, data in records
    ]
    actions.insert(1, {"passed": 2, "type": 2, "user_input": {"seat": 0}})
    return {
        "list": game(records),
        "actions": {"head": head(), "data": {"name": "x", "data": {"actions": actions}}},
        "camel": {"head": camel(head()), "records": [
            {**camel(data), "@type": f"Record{name}"} for name, data in records
        ]},
        "scrambled": {"head": head(), "data": {"data": {"records": [
            {"name": f"zz{name[::-1]}", "data": data} for name, data in records
        ]}}},
    }  # fmt: skip


# --- one game in every notation ---------------------------------------------------------------


def test_every_way_of_writing_gives_the_same_game() -> None:
    ways = in_every_way(RON)
    imported = read(*ways.values())
    assert not imported.rejects
    batch = imported.batch
    assert len(set(identify(batch).game_id.tolist())) == 1
    count = len(batch.event_kind) // len(ways)
    for name in ("event_kind", "event_seat", "event_tile", "event_from", "event_tsumogiri"):
        for row in getattr(batch, name).reshape(len(ways), count)[1:]:
            np.testing.assert_array_equal(row, getattr(batch, name)[:count], name)
    for name in ("win_delta", "win_before", "win_hand", "win_points", "win_han", "win_ura"):
        assert len(np.unique(getattr(batch, name), axis=0)) == 1, name
    for info in batch.games:
        assert info.names == ("a", "b", "c", "d")
        assert info.final_points == (25000, 25001, 25002, 25003)
        assert info.result == (0.0, 1.0, 2.0, 3.0)
        assert (info.room, info.length, info.minutes) == ("jade", "south", 35)
        assert info.ruleset == "majsoul-4p"
    assert {importers.detect(json.dumps(way).encode()) for way in ways.values()} == {"majsoul"}


def test_records_say_what_happened() -> None:
    batch = read(game(RON)).batch
    assert batch.event_kind.tolist() == [
        DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, DRAW, DISCARD, PON, DISCARD, WIN,
    ]  # fmt: skip
    assert TEXT[batch.event_tile[0]] == "7m"  # the dealer's fourteenth tile
    assert batch.event_tsumogiri[[2, 7]].tolist() == [1, 0]
    assert (batch.event_from[6], batch.event_from[8]) == (1, 2)
    assert [YAKU[index].key for index in batch.yaku_id] == ["riichi", "ittsuu", "ura_dora"]
    assert batch.win_before.tolist() == [[24000, 25000, 25000, 25000]]
    assert (batch.win_points[0], LIMITS[batch.win_limit[0]]) == (7700, "none")


def test_a_ronned_riichi_is_not_accepted() -> None:
    batch = read(game([*RON[:2], RON[-1]])).batch
    assert batch.event_kind.tolist() == [DRAW, RIICHI, DISCARD, WIN]


def test_kans_and_their_indicators() -> None:
    records: list[Record] = [
        deal(),
        ("AnGangAddGang", {"seat": 0, "type": 3, "tiles": "5p", "doras": ["1p", "2p"]}),
        ("DealTile", {"seat": 0, "tile": "9s", "doras": ["1p", "2p"]}),
        ("AnGangAddGang", {"seat": 0, "type": 2, "tiles": "0m"}),
        ("DealTile", {"seat": 0, "tile": "9s"}),
        ("DiscardTile", {"seat": 0, "tile": "9s", "moqie": True, "doras": ["1p", "2p", "3p"]}),
    ]
    batch = read(game(records)).batch
    # replay takes the indicator before or after the ankan that turned it up
    assert sorted(batch.event_kind[1:3].tolist()) == [ANKAN, DORA]
    assert batch.event_kind[3:].tolist() == [DRAW, KAKAN, DRAW, DORA, DISCARD]
    ankan = int(np.flatnonzero(batch.event_kind == ANKAN)[0])
    tiles = [batch.event_tile[ankan], *batch.event_consumed[ankan]]
    assert sorted(TEXT[tile] for tile in tiles) == ["0p", "5p", "5p", "5p"]


def test_two_winners_share_the_payments_the_record_sums_up() -> None:
    hule = RON[-1][1]["hules"][0]
    hules = [hule, hule | {"seat": 3, "qinjia": False, "point_rong": 2000}]
    # one honba and a stick: both go to the winner nearest to the discarder, seat 3
    delta = [7700, 0, -10000, 3300]
    records = [*RON[:-1], ("Hule", RON[-1][1] | {"hules": hules, "delta_scores": delta})]
    batch = read(game(records)).batch
    assert batch.win_delta.tolist() == [[7700, 0, -7700, 0], [0, 0, -2300, 3300]]
    odd = [*RON[:-1], ("Hule", RON[-1][1] | {"hules": hules, "delta_scores": [7700, -2000, -8000,
                                                                               3300]})]  # fmt: skip
    assert read(game(odd)).batch.win_delta.tolist() == [[UNKNOWN] * 4] * 2


def test_three_players_and_their_norths() -> None:
    records: list[Record] = [
        deal(scores=[35000] * 3, tiles3=[]),
        ("BaBei", {"seat": 0, "moqie": False}),
        ("DealTile", {"seat": 0, "tile": "9s"}),
        ("NoTile", {"liujumanguan": False, "players": [{"tingpai": True}, {}, {}],
                    "scores": [{"old_scores": [35000] * 3, "delta_scores": [2000, -1000, -1000]}]}),
    ]  # fmt: skip
    sanma = {"category": 2, "mode": {"mode": 12}, "meta": {"mode_id": 24}}
    batch = read(game(records, **sanma)).batch
    info = batch.games[0]
    assert (info.players, info.ruleset, info.room) == (3, "majsoul-3p", "jade")
    assert info.names == ("a", "b", "c")
    assert info.dan == (20301, 20301, 20301)
    assert batch.event_kind[1] == KITA
    assert OUTCOMES[batch.round_recorded_outcome[0]] == "exhaustive"
    assert batch.round_recorded_tenpai.tolist() == [[1, 0, 0, -1]]


@pytest.mark.parametrize(
    ("type_", "outcome", "seat"),
    [(1, "kyuushu", 0), (2, "suufon", -1), (3, "suukan", -1), (4, "suucha", -1),
     (5, "sanchahou", -1)],
)  # fmt: skip
def test_every_abortive_draw(type_: int, outcome: str, seat: int) -> None:
    batch = read(game([deal(), ("LiuJu", {"type": type_, "seat": 0})])).batch
    assert OUTCOMES[batch.round_recorded_outcome[0]] == outcome
    assert batch.event_seat[-1] == seat


def test_yakuman_count_by_themselves() -> None:
    hule = RON[-1][1]["hules"][0] | {
        "yiman": True, "count": 3, "fans": [{"id": 48, "val": 2}, {"id": 39, "val": 1}],
    }  # fmt: skip
    batch = read(game([*RON[:-1], ("Hule", RON[-1][1] | {"hules": [hule]})])).batch
    assert (batch.win_yakuman[0], batch.win_han[0]) == (3, -1)
    assert batch.yaku_han.tolist() == [26, 13]
    assert LIMITS[batch.win_limit[0]] == "yakuman"


@pytest.mark.parametrize(
    ("rule", "ruleset"),
    [
        ({}, "majsoul-4p"),
        ({"time_fixed": 60, "dora_count": 3, "shiduan": 1, "init_point": 25000,
          "fandian": 30000, "fanfu": 1}, "majsoul-4p"),
        ({"init_point": 30000}, "majsoul-custom"),
        ({"dora_count": 0}, "majsoul-custom"),
        ({"shiduan": 0}, "majsoul-custom"),
        ({"haveToutiao": True}, "majsoul-custom"),
    ],
)  # fmt: skip
def test_rooms_with_rules_of_their_own(rule: dict[str, Any], ruleset: str) -> None:
    config = {"category": 1, "mode": {"mode": 2, "detail_rule": rule}, "meta": {"room_id": 6}}
    info = read(game(RON, **config)).batch.games[0]
    assert (info.ruleset, info.room, info.lobby) == (ruleset, "friend", "6")
    assert info.aka is (rule.get("dora_count") != 0)
    assert rulesets.get(ruleset).players == 4
    assert info.notes == []


@pytest.mark.parametrize(
    "rule",
    [
        {"guyi_mode": 1},
        {"haveQieshangmanguan": True},
        {"have_li_dora": False, "have_yifa": True},
        {"liqibangValue": 2000},
    ],
)
def test_rooms_whose_wins_depend_on_rules_of_their_own(rule: dict[str, Any]) -> None:
    config = {"category": 1, "mode": {"mode": 2, "detail_rule": rule}, "meta": {"room_id": 6}}
    info = read(game(RON, **config)).batch.games[0]
    assert (info.ruleset, info.notes) == ("majsoul-custom", ["own_yaku"])


def test_settings_without_effect_are_ignored() -> None:
    names = ("have_yifa", "have_li_dora", "have_gang_li_dora", "have_gang_biao_dora", "guyi_mode")
    rule = dict.fromkeys(names, False) | {"liqibang_value": 0}
    config = {"category": 1, "mode": {"mode": 2, "detail_rule": rule}, "meta": {"room_id": 6}}
    info = read(game(RON, **config)).batch.games[0]
    assert (info.ruleset, info.notes) == ("majsoul-4p", [])


def test_a_win_with_an_old_yaku_tells_the_room() -> None:
    hule = RON[-1][1]["hules"][0] | {"fans": [{"id": 59, "val": 1}], "yiman": True, "count": 1}
    info = read(game([*RON[:-1], ("Hule", RON[-1][1] | {"hules": [hule]})])).batch.games[0]
    assert (info.ruleset, info.notes) == ("majsoul-custom", ["own_yaku"])


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "record", "reason"),
    [
        (1, ("DiscardTile", {"seat": 7, "tile": "7m"}), "no discard"),
        (1, ("DiscardTile", {"seat": 0, "tile": "8z"}), "no discard"),
        (1, ("DiscardTile", {"seat": [], "tile": {}}), "no discard"),
        (2, ("DealTile", {"seat": 0}), "no draw"),
        (4, ("ChiPengGang", {"seat": 2, "type": 5, "tiles": [], "froms": []}), "whole number"),
        (4, ("ChiPengGang", {"seat": 2, "tiles": ["1m"], "froms": [2]}), "one tile from another"),
        (4, ("AnGangAddGang", {"seat": 2, "type": 9, "tiles": "1m"}), "not a kind of kan"),
        (0, deal(tiles0=["1m"] * 15), "dealt"),
        (0, deal(ben=10**9), "whole number"),
        (0, deal(chang=4), "whole number"),
        (0, deal(scores=["a"]), "whole number"),
        (6, ("Hule", {"hules": []}), "wins at once"),
        (6, ("Hule", RON[-1][1] | {"delta_scores": [1e99]}), "whole number"),
        (5, ("HuleXueZhanEnd", {}), "does not have"),
        (0, ("DealTile", {"seat": 0, "tile": "1m"}), "before the first deal"),
    ],
)
def test_a_broken_game_is_refused_with_its_place_and_spares_its_neighbours(
    at: int, record: Record, reason: str
) -> None:
    records = [*RON]
    records[at] = record
    imported = read(game(RON), game(records), game(RON))
    assert imported.game_blob == [0, 2]
    (reject,) = imported.rejects
    assert reason in reject.reason
    assert reject.position.startswith(f"$.data[{at}].data")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"head": {"accounts": []}, "data": "AAEC"}', "still encoded"),
        ('{"head": {}}', "no records"),
        ('{"head": {}, "data": []}', "without a round"),
        ('{"head": {"uuid": NaN}, "data": []}', "not JSON"),
        ('{"head": {}, "head": {}, "data": []}', "twice"),
        ("[" * 4000 + "]" * 4000, "not JSON"),
    ],
)
def test_values_that_are_not_games_are_refused(text: str, reason: str) -> None:
    (reject,) = read(text.encode()).rejects
    assert reason in reject.reason


def test_a_key_twice_in_a_large_record_is_found() -> None:
    text = json.dumps(game(RON * 30), separators=(",", ":"))
    assert read(text.encode()).batch.games
    twice = text.replace('"moqie":true', '"moqie":true,"moqie":true', 1)
    assert "twice" in read(twice.encode()).rejects[0].reason


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32))
def test_no_spoiled_record_crashes_or_harms_its_neighbours(seed: int) -> None:
    rng = random.Random(seed)
    spoiled = copy.deepcopy(RON)
    for _ in range(2):
        place: Any = rng.choice(spoiled)[1]
        while isinstance(place, dict) and rng.random() < 0.7:
            inner = [part for part in place.values() if isinstance(part, (dict, list)) and part]
            if not inner:
                break
            place = rng.choice(inner)
        value = rng.choice([None, True, -1, 9, 1 << 70, 1e308, "", "1m", [], {}, [[]], ["1m"]])
        if isinstance(place, dict):
            place[rng.choice([*place, "seat", "doras", "type"])] = value
        elif isinstance(place, list) and place:
            place[rng.randrange(len(place))] = value
    imported = read(game(RON), game(spoiled), game(RON))
    assert [blob for blob in imported.game_blob if blob != 1] == [0, 2]
    assert len(imported.game_blob) + len(imported.rejects) == 3
    imported.batch.validate()


def read_slowly(*texts: bytes) -> Imported:
    """Read games by parsing all of them, as unusual texts are read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(majsoul, "scan", lambda *_: None)
        return majsoul.read([Blob(text, 0) for text in texts])


SANMA = [
    deal(scores=[35000] * 3, tiles3=[]),
    ("BaBei", {"seat": 0, "moqie": False}),
    ("ChiPengGang", {"seat": 3, "type": 1, "tiles": ["5z"] * 3, "froms": [3, 3, 1]}),
]
SHOWN = {"zhenting": [False] * 4, "operation": {"seat": 0, "tile": "1m"}, "left_tile_count": 60}


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32))
def test_kernels_read_what_parsing_reads(seed: int) -> None:
    rng = random.Random(seed)
    records = copy.deepcopy(rng.choice([RON, [*RON[:2], RON[-1]], SANMA]))
    for _, data in records:
        if rng.random() < 0.5:
            data |= SHOWN
        if rng.random() < 0.15:
            data[rng.choice([*data, "doras", "moqie", "type"])] = rng.choice(
                [None, True, 3, -1, 1e9, "5z", [], ["2p", "3p"], {}, "\ud83d"]
            )
    ways = in_every_way(records)
    style = rng.choice([None, 1])
    texts = [json.dumps(way, indent=style).encode() for way in ways.values()]
    assert_same(majsoul.read([Blob(text, 0) for text in texts]), read_slowly(*texts))


def test_kernels_read_most_real_records_without_parsing(corpus: Path) -> None:
    texts = [file.read_bytes() for file in sorted((corpus / "majsoul").iterdir())]
    assert_same(majsoul.read([Blob(text, 0) for text in texts]), read_slowly(*texts))
    for text in (texts[0], texts[3]):
        scanned = scan(text, "$")
        assert scanned is not None
        assert np.mean(scanned.meanings == SPECIAL) < 0.08


@pytest.mark.parametrize(
    "spoil",
    [
        ('"zhenting": 1', '"zhenting": NaN'),
        ('"zhenting": 1', '"zhenting": "\\ud800"'),
        ('"zhenting": 1', '"zhenting": {"a": 1, "a": 1}'),
        ('"zhenting": 1', '"zhenting": ' + "[" * 3000 + "]" * 3000),
        ('"zhenting": 1', '"zhenting": 01'),
        ('"zhenting": 1', '"zhenting": 1, "zhenting": 1'),
    ],
)
def test_values_that_are_not_used_must_be_json_too(spoil: tuple[str, str]) -> None:
    records = copy.deepcopy(RON)
    records[2][1]["zhenting"] = 1
    text = json.dumps(game(records))
    imported = read(text.encode(), text.replace(*spoil).encode(), text.encode())
    assert imported.game_blob == [0, 2]
    assert imported.rejects[0].blob == 1


# --- real records -----------------------------------------------------------------------------


def test_every_real_record_is_read(corpus: Path) -> None:
    files = sorted((corpus / "majsoul").iterdir())
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    # one has its records both encoded and decoded: the server's records are read
    assert {importers.detect(blob.data) for blob in blobs} == {"majsoul", "majsoul_protobuf"}
    imported = majsoul.read(blobs)
    assert not imported.rejects
    assert len(imported.batch.games) == len(files)
    assert {info.ruleset for info in imported.batch.games} == {"majsoul-4p", "majsoul-custom"}
    # the two views of one room's game are one game
    ids = identify(imported.batch).game_id
    assert ids[1] == ids[2]
    # the oldest record has other names of yaku; the room of the next two has old yaku
    noted = [info.notes for info in imported.batch.games]
    assert noted[1:] == [["own_yaku"], ["own_yaku"], []]
    assert noted[0][0].startswith("unknown_tag@")


def test_points_carry_over_from_win_to_deal(corpus: Path) -> None:
    record = (corpus / "majsoul" / "paipu_record.json").read_bytes()
    batch = read(record).batch
    rounds = len(batch.round_wind)
    accepted = np.zeros((rounds, 4), dtype=int)
    paid = np.zeros((rounds, 4), dtype=int)
    for index in range(rounds):
        span = slice(batch.round_events[index], batch.round_events[index + 1])
        for seat in range(4):
            accepted[index, seat] = np.sum(
                (batch.event_kind[span] == RIICHI_ACCEPTED) & (batch.event_seat[span] == seat)
            )
    for win, event in enumerate(batch.win_event):
        paid[np.searchsorted(batch.round_events, event, side="right") - 1] += batch.win_delta[win]
    drawn = batch.round_recorded_delta
    paid += np.where(drawn == UNKNOWN, 0, drawn)
    carried = batch.round_scores - 1000 * accepted + paid
    np.testing.assert_array_equal(carried[:-1], batch.round_scores[1:])
    assert tuple(carried[-1]) == batch.games[0].final_points


def test_ranks_are_the_same_in_records_and_in_converters_words() -> None:
    assert dan_code("雀豪★2", 4) == 10402
    assert dan_code("Master I", 4) == 10401
    assert dan_code("雀聖★3", 3) == 20503
    assert dan_code("七段", 4) is None


def test_a_converted_game_has_the_id_of_its_record() -> None:
    hands = [parse_tiles("".join(hand[:13])) for hand in (EAST, SOUTH, WEST, LAST)]

    def tenhou(codes: list[int]) -> list[int]:
        return [
            51 + code - 34 if code >= 34 else 10 * (code // 9 + 1) + code % 9 + 1
            if code < 27 else 41 + code - 27
            for code in codes
        ]  # fmt: skip

    lists: list[list[Any]] = [
        tenhou(hands[0]), [17], ["r60"], tenhou(hands[1]), [45], [60],
        tenhou(hands[2]), ["45p4545"], [17], tenhou(hands[3]), [], [],
    ]  # fmt: skip
    lists[7] = ["p454545"]  # from kamicha
    round_ = [[0, 0, 0], [25000] * 4, [21], [43], *lists,
              ["和了", [8700, 0, -7700, 0], [0, 2, 0, "40符3飜7700点"]]]  # fmt: skip
    converted = tenhou_json.read([Blob(json.dumps({"log": [round_]}).encode(), 0)])
    assert not converted.rejects
    ids = identify(converted.batch).game_id.tolist()
    assert ids == identify(read(game(RON)).batch).game_id.tolist()
