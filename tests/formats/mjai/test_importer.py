"""mjai logs: dialects, wrappings, seats renumbered, and what is refused."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.export import mjai_writer as writer
from paifu.formats import registry as importers
from paifu.formats.base import Blob, Imported
from paifu.formats.mjai import importer as mjai
from paifu.formats.mjai.lines import TILES
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import (
    ANKAN,
    DISCARD,
    DORA,
    DRAW,
    KITA,
    OUTCOMES,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import TEXT
from paifu.schema.yaku import YAKU
from tests.formats.both_ways import assert_same

HANDS = [
    ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "S", "S"],
    ["1p", "2p", "3p", "4p", "5pr", "6p", "7p", "8p", "9p", "W", "W", "N", "N"],
    ["1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "P", "P", "F", "F"],
    ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "C", "C", "9p", "9p"],
]


def deal(**fields: Any) -> dict[str, Any]:
    return {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "1p", "scores": [25000] * 4, "tehais": HANDS,
    } | fields  # fmt: skip


START = {"type": "start_game", "names": ["a", "b", "c", "d"]}
TSUMO = [
    START,
    deal(),
    {"type": "tsumo", "actor": 0, "pai": "7m"},
    {"type": "hora", "actor": 0, "target": 0, "deltas": [6000, -2000, -2000, -2000]},
    {"type": "end_kyoku"},
    {"type": "end_game"},
]


def lines(events: list[dict[str, Any]]) -> bytes:
    return b"\n".join(json.dumps(event, separators=(",", ":")).encode() for event in events)


def read(*texts: bytes) -> Imported:
    return mjai.read([Blob(text, 0) for text in texts])


def test_null_is_a_hidden_tile_where_a_tile_may_be_hidden() -> None:
    seen = [HANDS[0], *[[hidden] * 13 for hidden in (None, "?", None)]]
    hidden = read(lines([START, deal(tehais=seen), {"type": "tsumo", "actor": 1, "pai": None}]))
    told = [HANDS[0], *[["?"] * 13] * 3]
    same = read(lines([START, deal(tehais=told), {"type": "tsumo", "actor": 1, "pai": "?"}]))
    assert hidden.rejects == []
    for name in ("round_haipai", "event_kind", "event_tile"):
        np.testing.assert_array_equal(getattr(hidden.batch, name), getattr(same.batch, name), name)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"type": "dahai", "actor": 0, "pai": None, "tsumogiri": True}, "null is not a tile"),
        ({"type": "dahai", "actor": 0, "pai": "x"}, '"x" is not a tile'),
        ({"type": "tsumo", "actor": 0}, "nothing is not a tile"),
    ],
)
def test_an_invalid_tile_is_shown_as_the_log_has_it(event: dict[str, Any], reason: str) -> None:
    (reject,) = read(lines([START, deal(), event])).rejects
    assert reject.reason == reason
    assert reject.position == "line 3, $.pai"


# --- play -------------------------------------------------------------------------------------


def test_every_event_says_what_happened() -> None:
    events = [
        START, deal(),
        {"type": "tsumo", "actor": 0, "pai": "1m"},
        {"type": "ankan", "actor": 0, "consumed": ["5s", "5sr", "5s", "5s"]},
        {"type": "dora", "dora_marker": "3s"},
        {"type": "tsumo", "actor": 0, "pai": "9m"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": True},
        {"type": "reach_accepted", "actor": 0},
        {"type": "pon", "actor": 2, "target": 0, "pai": "9m", "consumed": ["9m", "9m"]},
        {"type": "dahai", "actor": 2, "pai": "E", "tsumogiri": False},
        {"type": "ryukyoku", "deltas": [3000, -1000, -1000, -1000]},
    ]  # fmt: skip
    batch = read(lines(events)).batch
    assert batch.event_kind.tolist() == [
        DRAW, ANKAN, DORA, DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, 3, DISCARD, RYUUKYOKU,
    ]  # fmt: skip
    assert [TEXT[tile] for tile in batch.event_consumed[1]] == ["0s", "5s", "5s"]
    assert batch.event_tsumogiri[[5, 8]].tolist() == [1, 0]
    assert batch.event_from[7] == 0
    assert OUTCOMES[batch.round_recorded_outcome[0]] == "exhaustive"
    assert batch.round_recorded_tenpai.tolist() == [[1, 0, 0, 0]]


def test_seat_0_is_who_dealt_first_whatever_number_the_log_gives_them() -> None:
    turned = [
        START,
        deal(oya=3, scores=[1, 2, 3, 4], tehais=HANDS),
        {"type": "tsumo", "actor": 3, "pai": "C"},
        {"type": "dahai", "actor": 3, "pai": "C", "tsumogiri": True},
        {"type": "hora", "actor": 1, "target": 3, "deltas": [10, 20, 30, -60]},
        {"type": "end_game", "scores": [11, 22, 33, -56]},
    ]
    batch = read(lines(turned)).batch
    assert batch.round_dealer.tolist() == [0]
    assert batch.games[0].names == ("d", "a", "b", "c")
    assert batch.games[0].final_points == (-56, 11, 22, 33)
    assert batch.round_scores.tolist() == [[4, 1, 2, 3]]
    assert batch.win_delta.tolist() == [[-60, 10, 20, 30]]
    assert batch.event_seat.tolist() == [0, 0, 2]
    assert batch.event_from[2] == 0
    assert batch.round_haipai[0, 0].tolist() == [TILES[text] for text in HANDS[3]]


def test_three_players_set_aside_norths() -> None:
    events = [
        {"type": "start_game", "names": ["a", "b", "c"]},
        deal(scores=[35000] * 3, tehais=HANDS[:3]),
        {"type": "tsumo", "actor": 0, "pai": "N"},
        {"type": "nukidora", "actor": 0, "pai": "N"},
        {"type": "tsumo", "actor": 0, "pai": "1p"},
        {"type": "hora", "actor": 0, "target": 0, "deltas": [4000, -2000, -2000]},
    ]
    batch = read(lines(events)).batch
    assert batch.games[0].players == 3
    assert batch.games[0].ruleset == "tenhou-3p"
    assert batch.event_kind.tolist() == [DRAW, KITA, DRAW, WIN]
    assert batch.round_scores.tolist() == [[35000, 35000, 35000, 0]]
    wrong = [*events[:2], {"type": "tsumo", "actor": 3, "pai": "N"}]
    assert "three players" in read(lines(wrong)).rejects[0].reason


def test_the_play_shows_the_reason_of_a_draw() -> None:
    turn = [
        {"type": "tsumo", "actor": 0, "pai": "1m"},
        {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": True},
    ]
    ends = {
        "exhaustive": [*turn * 70, {"type": "ryukyoku", "deltas": [0, 0, 0, 0]}],
        "kyuushu": [turn[0], {"type": "ryukyoku", "deltas": [0, 0, 0, 0]}],
        "unknown": [*turn, {"type": "ryukyoku", "deltas": [0, 0, 0, 0]}],
    }
    for outcome, play in ends.items():
        batch = read(lines([START, deal(), *play])).batch
        assert OUTCOMES[batch.round_recorded_outcome[0]] == outcome
        assert batch.event_seat[-1] == (0 if outcome == "kyuushu" else -1)


# --- gimite's dialect -------------------------------------------------------------------------


def test_the_original_dialect_records_the_value_of_a_win() -> None:
    events = [
        START, deal(),
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False},
        {"type": "reach_accepted", "actor": 0, "deltas": [-1000, 0, 0, 0],
         "scores": [24000, 25000, 25000, 25000]},
        {"type": "hora", "actor": 2, "target": 0, "pai": "P",
         "hora_tehais": ["1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "P", "P", "F", "F"],
         "uradora_markers": [], "yakus": [["sangenpai", 1], ["jikaze", 1], ["dora", 2]],
         "fu": 40, "fan": 4, "hora_points": 8000, "deltas": [-8000, 0, 9000, 0],
         "scores": [16000, 25000, 34000, 25000]},
    ]  # fmt: skip
    batch = read(lines(events)).batch
    assert batch.stated_scores.tolist() == [[24000, 25000, 25000, 25000]]
    assert [YAKU[index].key for index in batch.yaku_id] == ["haku", "seat_west", "dora"]
    assert (batch.win_fu[0], batch.win_han[0], batch.win_points[0]) == (40, 4, 8000)
    assert batch.win_before.tolist() == [[24000, 25000, 25000, 25000]]
    assert TEXT[batch.win_hand[0, 13]] == "5z"


def test_fan_that_a_program_of_chinese_official_lists_are_its_yaku() -> None:
    chinese = deal()
    del chinese["dora_marker"]
    win = {
        "type": "hora",
        "actor": 0,
        "target": 0,
        "fan": 9,
        "info": {"bools": ["fully_concealed", "all_chows"], "integers": {"short_straight": 3}},
    }
    events = [START, chinese, {"type": "tsumo", "actor": 0, "pai": "C"}, win]  # fmt: skip
    batch = read(lines(events)).batch
    assert batch.games[0].ruleset == "mcr"
    keys = [YAKU[index].key for index in batch.yaku_id]
    assert keys == ["fully_concealed", "all_chows", "short_straight"]
    assert batch.yaku_han.tolist() == [4, 2, 3]
    assert batch.win_han.tolist() == [9]
    unknown = [*events[:3], win | {"info": {"bools": ["no_such_fan"]}}]
    assert read(lines(unknown)).batch.games[0].notes == ["unknown_tag@0"]
    for info in ({"bools": 1}, {"integers": []}, {"integers": {"all_chows": 1e9}}, []):
        (reject,) = read(lines([*events[:3], win | {"info": info}])).rejects
        assert reject.position.startswith("line 4, $.info")


def test_points_a_log_leaves_out_follow_from_those_it_gives() -> None:
    events = [
        START, deal(),
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False},
        {"type": "reach_accepted", "actor": 0},
        {"type": "hora", "actor": 2, "target": 0, "scores": [16000, 25000, 34000, 25000]},
        {"type": "start_kyoku", "bakaze": "E", "kyoku": 2, "oya": 1, "dora_marker": "1p",
         "tehais": HANDS},
        {"type": "tsumo", "actor": 1, "pai": "C"},
    ]  # fmt: skip
    batch = read(lines(events)).batch
    assert batch.win_delta.tolist() == [[-8000, 0, 9000, 0]]
    assert batch.win_before.tolist() == [[UNKNOWN] * 4]  # not stated, so not recorded
    assert batch.round_scores[1].tolist() == [16000, 25000, 34000, 25000]


# --- wrappings --------------------------------------------------------------------------------


def test_every_wrapping_gives_the_same_game() -> None:
    plain = lines(TSUMO)
    texts = [
        plain,
        b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n\r\n") + b"\n",
        json.dumps(TSUMO, indent=1).encode(),
        json.dumps({"events": TSUMO, "players": []}).encode(),
        b"# Original file: x\n" + plain.replace(b"\n", b"\n\n" + b"-" * 80 + b"\n"),
    ]
    imported = read(*texts)
    assert not imported.rejects
    assert len(set(identify(imported.batch).game_id.tolist())) == 1
    assert {importers.detect(text) for text in texts} == {"mjai"}
    assert [game.position for game in imported.batch.games] == [
        "line 1", "line 1", "$[0]", "$.events[0]", "line 2",
    ]  # fmt: skip


def test_a_file_of_games_is_split_at_their_starts() -> None:
    imported = read(lines([*TSUMO, *TSUMO]))
    assert [game.position for game in imported.batch.games] == ["line 1", "line 7"]
    assert all(game.complete for game in imported.batch.games)
    unfinished = read(lines(TSUMO[:-1]))
    assert not unfinished.batch.games[0].complete


@pytest.mark.parametrize("separators", [(",", ":"), (", ", " : ")])
def test_lines_mean_the_same_at_the_first_and_at_every_later_reading(
    separators: tuple[str, str],
) -> None:
    meta = {"type": "hora", "q": [0.5]}
    events = [*TSUMO[:2], {"type": "tsumo", "actor": 0, "pai": "4m", "meta": meta}, *TSUMO[3:]]
    text = b"\n".join(json.dumps(event, separators=separators).encode() for event in events)
    first, second = read(text).batch, read(text).batch
    assert first.event_kind.tolist() == [DRAW, WIN]
    assert TEXT[first.event_tile[0]] == "4m"
    np.testing.assert_array_equal(first.event_tile, second.event_tile)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "line", "place"),
    [
        (2, '{"type":"tsumo","actor":0,"pai":"8z"}', "line 9, $.pai"),
        (2, '{"type":"tsumo","actor":7,"pai":"8m"}', "line 9, $.actor"),
        (2, '{"type":"tsumo","actor":true,"pai":"8m"}', "line 9, $.actor"),
        (2, '{"type":"tsumo","actor":0,"actor":0,"pai":"8m"}', "line 9, $"),
        (2, '{"type":"tsumo","actor":0,"pai":NaN}', "line 9, byte"),
        (2, '{"type":"tsumo","actor":0,"pai":"\\ud800"}', "line 9, byte"),
        (2, '{"type":"tsumo","actor":0,', "line 9, byte"),
        (2, '{"type":"chi","actor":0,"target":3,"pai":"1m","consumed":["2m"]}', "$.consumed"),
        (2, "[" * 3000 + "]" * 3000, "line 9, byte"),
        (2, "7", "line 9, $"),
        (1, '{"type":"start_kyoku","bakaze":"X","kyoku":1,"oya":0}', "line 8, $.bakaze"),
        (1, '{"type":"start_kyoku","bakaze":"E","kyoku":9,"oya":0}', "line 8, $.kyoku"),
        (1, json.dumps(deal(scores=[1e300] * 4)), "line 8, $.scores[0]"),
        (1, json.dumps(deal(honba=99999)), "line 8, $.honba"),
        (1, json.dumps(deal(tehais=[["1m"] * 14])), "line 8, $.tehais[0]"),
        (1, '{"type":"end_kyoku"}', "line 9"),
        (3, '{"type":"hora","actor":0,"target":0,"deltas":["a"]}', "line 10, $.deltas[0]"),
        (3, '{"type":"hora","actor":0,"target":0,"yakus":[["dora"]]}', "line 10, $.yakus[0]"),
        (3, '{"type":"hora","actor":0,"target":0,"fu":1000000}', "line 10, $.fu"),
    ],
)
def test_a_broken_game_is_refused_with_its_place_and_spares_its_neighbours(
    at: int, line: str, place: str
) -> None:
    good = lines(TSUMO)
    bad = good.split(b"\n")
    bad[at] = line.encode()
    imported = read(b"\n".join([good, *bad, good]))
    assert len(imported.batch.games) == 2
    (reject,) = imported.rejects
    assert place in reject.position


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32))
def test_no_spoiled_line_crashes_or_harms_its_neighbours(seed: int) -> None:
    rng = random.Random(seed)
    spoiled = [dict(event) for event in TSUMO]
    for _ in range(3):
        event = rng.choice(spoiled[1:])
        key = rng.choice([*event, "actor", "scores", "tehais", "yakus", "type"])
        event[key] = rng.choice(
            [
                None,
                True,
                -1,
                3,
                1 << 70,
                1e308,
                "",
                "E",
                "hora",
                [],
                {},
                [[]],
                ["1m"],
                [9] * 5,
            ]
        )
    imported = read(lines(TSUMO), lines(spoiled), lines(TSUMO))
    good = [blob for blob in imported.game_blob if blob != 1]
    assert good == [0, 2]
    assert 1 in imported.game_blob or any(reject.blob == 1 for reject in imported.rejects)
    imported.batch.validate()


# --- both ways of reading ---------------------------------------------------------------------


def read_slowly(*texts: bytes) -> Imported:
    """Read every game line by line, without the kernels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mjai, "scan", lambda _, games: [None] * len(games))
        return read(*texts)


WHOLE = [
    START, deal(),
    {"type": "tsumo", "actor": 0, "pai": "1m"},
    {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": False},
    {"type": "hora", "actor": 1, "target": 0, "pai": "E", "deltas": [-3900, 3900, 0, 0],
     "ura_markers": ["1s"]},
    {"type": "hora", "actor": 3, "target": 0, "deltas": [-1000, 0, 0, 1000]},
    {"type": "end_kyoku"},
    deal(kyoku=2, oya=1, honba=1, kyotaku=1),
    {"type": "tsumo", "actor": 1, "pai": "1m"},
    {"type": "ryukyoku", "deltas": [0, 0, 0, 0], "reason": "kyushukyuhai"},
    deal(kyoku=2, oya=1),
    {"type": "tsumo", "actor": 1, "pai": "1m"},
    {"type": "ryukyoku", "deltas": [-1000, 3000, -1000, -1000]},
    {"type": "end_game", "scores": [1, 2, 3, 4]},
]  # fmt: skip


def test_a_whole_game_is_the_same_both_ways() -> None:
    text = lines(WHOLE)
    sanma = [dict(event) for event in WHOLE if event["type"] != "hora" or event["actor"] != 3]
    for event in sanma:
        for key in ("scores", "tehais", "deltas"):
            if key in event:
                event[key] = event[key][:3]
    several = [text, text + b"\n\n" + lines(WHOLE[:7]) + b"\n" + text, lines(sanma), lines(TSUMO)]
    assert_same(read(*several), read_slowly(*several))
    laid_out = mjai._in_lines(text)
    (game,) = mjai.scan(laid_out, [(0, len(laid_out.starts))])
    assert game is not None
    assert (game.info.complete, game.info.length, game.last) == (True, None, 3)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32))
def test_a_spoiled_game_is_the_same_both_ways(seed: int) -> None:
    rng = random.Random(seed)
    spoiled = [dict(event) for event in WHOLE]
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(spoiled))
        event = spoiled[at]
        key = rng.choice([*event, "actor", "scores", "tehais", "pai", "type", "ura_markers"])
        event[key] = rng.choice(
            [None, True, -1, 0, 3, 1 << 70, 0.5, "", "E", "?", "hora", "ryukyoku", [], {}, [[]],
             ["1m"], [9] * 5, [1, 2, 3], HANDS[:3], [*HANDS[:3], []]]
        )  # fmt: skip
        if rng.random() < 0.3:
            del spoiled[rng.randrange(len(spoiled))]
        if rng.random() < 0.3:
            event.pop(rng.choice([*event]))
    texts = [lines(WHOLE), lines(spoiled), lines(WHOLE)]
    assert_same(read(*texts), read_slowly(*texts))


def test_real_games_are_the_same_both_ways(corpus: Path) -> None:
    files = [file for file in sorted((corpus / "mjai").rglob("*")) if file.is_file()]
    texts = [file.read_bytes() for file in files]
    assert_same(read(*texts), read_slowly(*texts))
    logs = (
        sorted((corpus / "mjlog").iterdir())[::100] + sorted((corpus / "mjlog3p").iterdir())[::60]
    )
    batch = mjlog.read([Blob(file.read_bytes(), 0, name=file.name) for file in logs]).batch
    whole = [game for game, info in enumerate(batch.games) if info.complete]
    texts = [writer.log_text(batch, game) for game in whole]
    quick = read(*texts)
    assert_same(quick, read_slowly(*texts))
    scanned = [
        mjai.scan(found, [(0, len(found.starts))])[0] for found in map(mjai._in_lines, texts)
    ]
    assert len(scanned) > 10
    assert None not in scanned


# --- real logs --------------------------------------------------------------------------------


def test_every_real_log_is_read(corpus: Path) -> None:
    files = [file for file in sorted((corpus / "mjai").rglob("*")) if file.is_file()]
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    assert {importers.detect(blob.data) for blob in blobs} == {"mjai"}
    imported = mjai.read(blobs)
    assert not imported.rejects
    assert set(imported.game_blob) == set(range(len(files)))
    assert {game.ruleset for game in imported.batch.games} == {"tenhou-4p", "tenhou-3p", "mcr"}
    noted = {files[imported.game_blob[at]].name: game.notes
             for at, game in enumerate(imported.batch.games) if game.notes}  # fmt: skip
    # an arena that stopped at a program's error writes the error into the log
    assert noted == {
        "2026-06-18-160903.mjson": ["unknown_tag@5"],
        "2026-06-19-030401.mjson": ["unknown_tag@3"],
    }


def test_the_original_tools_dump_is_the_same_game_as_its_mjlog(corpus: Path) -> None:
    pair = corpus / "pairs" / "mjai_original.mjlog"
    packed = pair.read_bytes()
    xml = mjlog.read([Blob(gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed, 0)])
    text = mjai.read([Blob(pair.with_suffix(".mjson").read_bytes(), 0)])
    assert identify(xml.batch).game_id.tolist() == identify(text.batch).game_id.tolist()
    for name in ("event_kind", "event_seat", "event_tile", "event_from"):
        np.testing.assert_array_equal(getattr(xml.batch, name), getattr(text.batch, name))
    assert text.batch.games[0].notes == ["points_unknown"]


def test_a_review_report_holds_one_game_in_two_formats(corpus: Path) -> None:
    report = (corpus / "majsoul_tenhou6" / "report.json").read_bytes()
    events = json.loads(report)["mjai_log"]
    from_text = tenhou_json.read([Blob(report, 0)]).batch
    from_events = read(lines(events)).batch
    assert len(from_events.games) == 1
    assert identify(from_text).game_id.tolist() == identify(from_events).game_id.tolist()


def test_the_object_of_a_converter_is_a_game() -> None:
    """Rounds of ``data`` and ``game``, tiles as 0m and 1z, Tenhou's ids for yaku."""
    hand = ["2m", "3m", "4m", "5m", "6m", "7m", "1p", "2p", "3p", "0s", "5s", "6s", "7s"]
    others = [["1z", "2z", "3z", "4z", "5z", "6z", "7z", "1s", "9s", "1m", "9m", "1p", "9p"]] * 3
    deal = {
        "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "4z",
        "scores": [25000] * 4, "tehais": [hand, *others],
    }  # fmt: skip
    win = {
        "type": "agari", "actor": 0, "fromwho": 0, "paowho": None, "machi": "8s", "han": 5,
        "hai": [*hand, "8s"], "naki": None, "hu": 20, "score": 12000, "yaku": [1, 0, 7, 53, 54],
        "ura_marker": ["7s"], "dora_marker": ["4z"], "honba": 0, "kyotaku": 1, "junme": 2,
    }  # fmt: skip
    played = [
        {"type": "tsumo", "actor": 0, "pai": "6z", "junme": 1},
        {"type": "riichi", "actor": 0, "junme": 1},
        {"type": "dahai", "actor": 0, "pai": "6z", "tsumogiri": True, "junme": 1},
        {"type": "riichi_accepted", "actor": 0, "junme": 1},
        {"type": "tsumo", "actor": 0, "pai": "8s", "junme": 2},
        win,
    ]
    value = {
        "type": 169, "lobby": 0, "id": ["%41", "%E6%9D%B1", "C", "D"], "dan": [16, 16, 16, 16],
        "games": [{"data": deal, "game": played}], "owari": [370, 210, 210, 210],
    }  # fmt: skip
    text = json.dumps(value, indent=4).encode()
    assert importers.detect(text) == "mjai"
    imported = read(text)
    assert not imported.rejects
    batch, info = imported.batch, imported.batch.games[0]
    assert info.names == ("A", "東", "C", "D")
    assert (info.complete, info.final_points, info.aka) == (
        True,
        (37000, 21000, 21000, 21000),
        True,
    )
    assert TEXT[batch.round_indicator[0]] == "4z"
    assert "0s" in [TEXT[tile] for tile in batch.round_haipai[0, 0]]
    assert (batch.win_fu[0], batch.win_han[0], batch.win_points[0]) == (20, 5, 12000)
    assert [YAKU[index].key for index in batch.yaku_id] == [
        "menzen_tsumo", "riichi", "pinfu", "ura_dora", "aka_dora",
    ]  # fmt: skip
    assert batch.yaku_han.tolist() == [1, 1, 1, 1, 1]
