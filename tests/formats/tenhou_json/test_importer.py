"""tenhou.net/6 logs: wrappings, dialects, the order of play, results, and what is refused."""

from __future__ import annotations

import copy
import csv
import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.formats import registry as importers
from paifu.formats.base import Blob, Imported
from paifu.formats.json import text as json_text
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.formats.tenhou_json.result import Value, read_result, read_value
from paifu.formats.tenhou_json.scan import scan
from paifu.game.events import (
    ANKAN,
    DAIMINKAN,
    DISCARD,
    DISCONNECT,
    DORA,
    DRAW,
    KAKAN,
    LIMITS,
    OUTCOMES,
    PON,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    UNKNOWN,
    WIN,
    Batch,
    concat,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import TEXT
from paifu.schema.yaku import YAKU
from tests.formats.both_ways import assert_same

HANDS = [
    [11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42],
    [21, 22, 23, 24, 25, 26, 27, 28, 29, 43, 43, 44, 44],
    [31, 32, 33, 34, 35, 36, 37, 38, 39, 45, 45, 46, 46],
    [11, 12, 13, 51, 52, 53, 17, 18, 19, 47, 47, 27, 27],
]


def a_round(
    draws: list[list[Any]],
    discards: list[list[Any]],
    result: list[Any],
    *,
    head: tuple[int, int, int] = (0, 0, 0),
    dora: tuple[int, ...] = (21,),
    ura: tuple[int, ...] = (),
) -> list[Any]:
    lists = [part for at in range(4) for part in (HANDS[at], draws[at], discards[at])]
    return [list(head), [25000] * 4, list(dora), list(ura), *lists, result]


def a_game(*rounds: list[Any], **more: Any) -> dict[str, Any]:
    game: dict[str, Any] = {"title": ["", ""], "name": ["A", "B", "C", "D"]}
    game |= {"rule": {"disp": "鳳南喰赤", "aka": 1}, "log": list(rounds)}
    return game | more


GO_ROUND = a_round([[31], [32], [33], [34]], [[60], [60], [60], [60]], ["不明"])


def read(*texts: Any) -> Imported:
    blobs = [
        Blob(text if isinstance(text, bytes) else json.dumps(text).encode(), 0) for text in texts
    ]
    return tenhou_json.read(blobs)


def acts(batch: Batch, round_: int = 0) -> list[tuple[int, int, str]]:
    """Return kind, seat and tile of a round's events."""
    span = range(batch.round_events[round_], batch.round_events[round_ + 1])
    return [
        (int(batch.event_kind[at]), int(batch.event_seat[at]),
         TEXT[batch.event_tile[at]] if batch.event_tile[at] >= 0 else "")
        for at in span
    ]  # fmt: skip


# --- the rule set -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disp", "points", "ends", "ruleset"),
    [
        ("大会戦", 25000, None, "majsoul-4p"),
        ("大会戦", 30000, None, "majsoul-custom"),
        ("友人戦", 25000, [45000, 35.0, 25000, 5.0, 20000, -10.0, 10000, -30.0], "majsoul-4p"),
        ("友人戦", 25000, [45000, 40.0, 25000, 5.0, 20000, -10.0, 10000, -35.0], "majsoul-custom"),
        ("玉の間四人南", 25000, [45000, 40.0, 25000, 5.0, 20000, -10.0, 10000, -35.0],
         "majsoul-4p"),
    ],
)  # fmt: skip
def test_contests_of_mahjong_soul_are_recognised_by_their_points(
    disp: str, points: int, ends: list[float] | None, ruleset: str
) -> None:
    """The format does not record a contest's settings; start and uma (15, 5) show them."""
    first = [GO_ROUND[0], [points] * 4, *GO_ROUND[2:]]
    more = {"rule": {"disp": disp, "aka": 1}} | ({"sc": ends} if ends else {})
    assert read(a_game(first, **more)).batch.games[0].ruleset == ruleset


@pytest.mark.parametrize(
    "yaku", ["大七星(役満)", "燕返し(1飜)", "五门齐(2飜)", "Big Seven Stars(役満)"]
)
@pytest.mark.parametrize("ascii", [True, False])
def test_a_room_with_old_yaku_is_told_by_a_yaku(yaku: str, ascii: bool) -> None:
    """The format does not record the setting; the yaku may be unknown otherwise."""
    won = ["和了", [8000, -8000, 0, 0], [0, 1, 0, "満貫8000点", "立直(1飜)", yaku]]
    friends, tenhou = (
        read(json.dumps(game, ensure_ascii=ascii).encode()).batch.games[0]
        for disp in ("友人戦", "四般南喰赤")
        if (game := a_game([*GO_ROUND[:-1], won], rule={"disp": disp}, name=["大七星"] * 4))
    )
    assert (friends.ruleset, "own_yaku" in friends.notes) == ("majsoul-custom", True)
    assert "own_yaku" not in tenhou.notes


# --- the order of play ------------------------------------------------------------------------


def test_seats_take_turns_from_the_dealer_on() -> None:
    play = acts(read(a_game(GO_ROUND)).batch)
    assert [seat for _, seat, _ in play] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert play[:2] == [(DRAW, 0, "1s"), (DISCARD, 0, "1s")]


def test_a_pon_jumps_the_queue() -> None:
    round_ = a_round([[43], [], ["41p4141"], [34]], [[41], [], [31], [60]], ["不明"])
    assert acts(read(a_game(round_)).batch) == [
        (DRAW, 0, "3z"), (DISCARD, 0, "1z"), (PON, 2, "1z"), (DISCARD, 2, "1s"),
        (DRAW, 3, "4s"), (DISCARD, 3, "4s"),
    ]  # fmt: skip


def test_a_call_tried_too_early_is_taken_back() -> None:
    # Seat 2 pons a 1z of seat 0, which discards two. Taking the first would leave seat 3, which
    # pons from seat 1, without a tile to draw in its turn.
    draws: list[list[Any]] = [[43, 44], [15], ["41p4141"], ["15p1515"]]
    discards: list[list[Any]] = [[41, 41], [60], [33], [19]]
    play = acts(read(a_game(a_round(draws, discards, ["不明"]))).batch)
    assert [act for act in play if act[0] != DRAW] == [
        (DISCARD, 0, "1z"), (DISCARD, 1, "5m"), (PON, 3, "5m"), (DISCARD, 3, "9m"),
        (DISCARD, 0, "1z"), (PON, 2, "1z"), (DISCARD, 2, "3s"),
    ]  # fmt: skip


def test_lists_that_fit_no_order_are_refused() -> None:
    round_ = a_round([[43], [32], [], ["41p4141"]], [[45], [60], [], [31]], ["不明"])
    imported = read(a_game(round_))
    assert not imported.batch.games
    assert imported.rejects[0].position == "$.log[0]"
    assert "fit no order of play" in imported.rejects[0].reason


def test_riichi_is_accepted_unless_its_tile_is_ronned() -> None:
    draws: list[list[Any]] = [[31], [32], [], []]
    discards: list[list[Any]] = [["r60"], ["r12"], [], []]
    ron = ["和了", [0, -1000, 2000, 0], [2, 1, 2, "30符1飜1000点", "断幺九(1飜)"]]
    play = acts(read(a_game(a_round(draws, discards, ron))).batch)
    assert [kind for kind, _, _ in play] == [
        DRAW, RIICHI, DISCARD, RIICHI_ACCEPTED, DRAW, RIICHI, DISCARD, WIN,
    ]  # fmt: skip
    passed = acts(read(a_game(a_round(draws, discards, ["流局", [0, 0, 0, 0]]))).batch)
    assert [act for act in passed if act[0] == RIICHI_ACCEPTED] == [
        (RIICHI_ACCEPTED, 0, ""), (RIICHI_ACCEPTED, 1, ""),
    ]  # fmt: skip


def test_kan_dora_is_turned_up_as_tenhou_does() -> None:
    # an ankan turns one up at once, a daiminkan just before the discard
    draws: list[list[Any]] = [[11, 35], ["m19191919", 37], [], []]
    discards: list[list[Any]] = [["111111a11", 19], [0, 41], [], []]
    round_ = a_round(draws, discards, ["不明"], dora=(21, 22, 23))
    assert [kind for kind, _, _ in acts(read(a_game(round_)).batch)] == [
        DRAW, ANKAN, DORA, DRAW, DISCARD, DAIMINKAN, DRAW, DORA, DISCARD,
    ]  # fmt: skip


def test_a_kakan_keeps_the_place_of_its_pon_and_names_the_added_tile() -> None:
    draws: list[list[Any]] = [[31, 33], [34], ["15p1515", 51], [32]]
    discards: list[list[Any]] = [[15, 60], [60], [31, "15k511515"], [60]]
    batch = read(a_game(a_round(draws, discards, ["不明"]))).batch
    kakan = int(np.flatnonzero(batch.event_kind == KAKAN)[0])
    assert TEXT[batch.event_tile[kakan]] == "0m"
    assert [TEXT[tile] for tile in batch.event_consumed[kakan]] == ["5m"] * 3


# --- wrappings --------------------------------------------------------------------------------


def whole(index: int) -> dict[str, Any]:
    return a_game(GO_ROUND, sc=[25000, 0, 25000, 0, 25000, 0, 25000, index])


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        (json.dumps(whole(0)), ["$"]),
        ("\ufeff" + json.dumps(whole(0), indent=1), ["$"]),
        (f"{json.dumps(whole(0))}\n\n{json.dumps(whole(1))}\r\n", ["line 1", "line 3"]),
        (json.dumps([whole(0), whole(1)], indent=2), ["$[0]", "$[1]"]),
        (f"https://tenhou.net/6/#json={json.dumps(whole(0))}&ts=3", ["$"]),
        (f"https://tenhou.net/6/#json={quote(json.dumps(whole(0)))}&ts=3", ["$"]),
        (
            json.dumps({"review": {}, "split_logs": [whole(0), whole(1)]}),
            ["$.split_logs[0]", "$.split_logs[1]"],
        ),
    ],
)
def test_every_wrapping_gives_its_games(text: str, positions: list[str]) -> None:
    imported = read(text.encode())
    assert not imported.rejects
    assert [game.position for game in imported.batch.games] == positions
    assert importers.detect(text.encode()) == "tenhou_json"


def next_round(before: list[Any], number: int, scores: list[int]) -> list[Any]:
    after = copy.deepcopy(before)
    after[0][0] = number
    after[1] = scores
    return after


def test_objects_of_one_round_each_are_joined_where_one_follows_from_the_other() -> None:
    draw = ["流局", [-1000, -1000, -1000, 3000]]
    first = a_round([[31], [32], [33], [34]], [[60], ["r60"], [60], [60]], draw)
    second = next_round(first, 1, [24000, 23000, 24000, 28000])
    stranger = next_round(first, 2, [25000, 25000, 25000, 25000])
    lines = "\n".join(json.dumps(a_game(round_)) for round_ in (first, second, stranger))
    imported = read(lines.encode())
    assert np.diff(imported.batch.game_rounds).tolist() == [2, 1]
    together = read(a_game(first, second), a_game(stranger))
    ids = identify(imported.batch).game_id.tolist()
    assert ids == identify(together.batch).game_id.tolist()


def test_three_players_have_14_lists_or_an_empty_fourth_seat() -> None:
    padded = a_round([[31], [32], [33], []], [[60], [60], [60], []], ["不明"])
    padded[13] = []
    short = padded[:13] + padded[16:]
    imported = read(a_game(padded), a_game(short))
    assert [game.players for game in imported.batch.games] == [3, 3]
    ids = identify(imported.batch).game_id
    assert ids[0] == ids[1]


# --- results ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "players", "points", "limit"),
    [
        ("30符2飜2000点", 4, 2000, "none"),
        ("満貫2000-4000点", 4, 8000, "mangan"),
        ("満貫2000-4000点", 3, 6000, "mangan"),
        ("30符4飜3900点∀", 4, 11700, "none"),
        ("役満16000点∀", 3, 32000, "yakuman"),
        ("Haneman 3000-6000点", 4, 12000, "haneman"),
        ("三倍満24000点", 4, 24000, "sanbaiman"),
    ],
)
def test_the_value_of_a_win_is_the_sum_of_what_all_pay(
    text: str, players: int, points: int, limit: str
) -> None:
    draws: list[list[Any]] = [[31], [], [], []]
    round_ = a_round(draws, [[]] * 4, ["和了", [0, 0, 0, 0], [0, 0, 0, text]])
    batch = read(a_game(round_ if players == 4 else round_[:13] + round_[16:])).batch
    assert batch.games[0].players == players
    assert batch.win_points[0] == points
    assert LIMITS[batch.win_limit[0]] == limit


def test_a_yakuman_without_a_yakuman_is_a_counted_one() -> None:
    def won(*texts: str) -> Batch:
        result = ["和了", [0, 33000, 0, -32000], [0, 0, 0, "役満16000点∀", *texts]]
        return read(a_game(a_round([[31], [], [], []], [[]] * 4, result))).batch

    counted = won("断幺九(1飜)", "立直(1飜)", "ドラ(11飜)")
    assert LIMITS[counted.win_limit[0]] == "kazoe"
    assert (counted.win_han[0], counted.win_yakuman[0]) == (13, 0)
    real = won("国士無双(役満)")
    assert LIMITS[real.win_limit[0]] == "yakuman"
    assert (real.win_han[0], real.win_yakuman[0]) == (-1, 1)


def test_names_in_other_languages_are_the_same_yaku() -> None:
    def yaku(*texts: str) -> list[str]:
        win = ["和了", [0] * 4, [0, 0, 0, "30符3飜1000-2000点", *texts]]
        round_ = a_round([[31], [], [], []], [[], [], [], []], win, head=(4, 0, 0))
        batch = read(a_game(round_)).batch
        return [YAKU[index].key for index in batch.yaku_id]

    japanese = yaku("立直(1飜)", "門前清自摸和(1飜)", "場風 南(1飜)", "自風 東(1飜)", "裏ドラ(0飜)")
    english = yaku("Riichi(1飜)", "Fully Concealed Hand(1飜)", "Prevalent Wind(1飜)",
                   "Seat Wind(1飜)", "Ura Dora(0飜)")  # fmt: skip
    chinese = yaku(
        "立直(1飜)", "门前清自摸和(1飜)", "役牌:场风牌(1飜)", "役牌:自風牌(1飜)", "里宝牌(0飜)"
    )
    assert japanese == ["riichi", "menzen_tsumo", "round_south", "seat_east", "ura_dora"]
    assert english == chinese == japanese


@pytest.mark.parametrize(
    ("name", "outcome", "tenpai"),
    [
        ("流局", "exhaustive", [-1] * 4),
        ("全員聴牌", "exhaustive", [1] * 4),
        ("全員不聴", "exhaustive", [0] * 4),
        ("九種九牌", "kyuushu", [-1] * 4),
        ("四家立直", "suucha", [-1] * 4),
        ("三家和了", "sanchahou", [-1] * 4),
        ("四風連打", "suufon", [-1] * 4),
        ("四槓散了", "suukan", [-1] * 4),
        ("流し満貫", "nagashi", [-1] * 4),
        ("Ryuukyoku", "exhaustive", [-1] * 4),
    ],
)
def test_every_draw_has_its_name(name: str, outcome: str, tenpai: list[int]) -> None:
    result = read_result([name], 4, "$")
    assert OUTCOMES[result.outcome] == outcome
    assert list(result.tenpai) == tenpai


def test_payments_at_a_draw_tell_who_was_tenpai() -> None:
    result = read_result(["流局", [-1500, 1500, 1500, -1500]], 4, "$")
    assert list(result.tenpai) == [0, 1, 1, 0]


def test_a_null_is_not_counted_as_a_value() -> None:
    assert read_value("ツモ") is None
    assert read_value("30符4飜3900点∀") == Value(30, 4, 0, (3900,), True)


# --- what is refused --------------------------------------------------------------------------

GOOD = json.dumps(whole(0))


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (GOOD.replace("[31]", "[NaN]", 1), "byte"),
        (GOOD.replace('"A"', '"\\ud800"'), "byte"),
        (GOOD.replace("[31]", "[" * 5000 + "]" * 5000, 1), "byte"),
        (GOOD.replace("[31]", "[1e400]", 1), "byte"),
        (GOOD[:-20], "byte"),
        (GOOD.replace('"title"', '"log": [], "title"'), "$"),
        (GOOD.replace("[31]", "[123456789012345678901234567890]", 1), "$.log[0][5][0]"),
        (GOOD.replace("[31]", "[true]", 1), "$.log[0][5][0]"),
        (GOOD.replace("[31]", "[[31]]", 1), "$.log[0][5][0]"),
        (GOOD.replace("[31]", "31", 1), "$.log[0][5]"),
        (GOOD.replace("[60]", '["r61"]', 1), "$.log[0][6][0]"),
        (GOOD.replace("25000", '"25000"', 1), "$.log[0][1][0]"),
        (GOOD.replace("25000", "2.5e300", 1), "$.log[0][1][0]"),
        (GOOD.replace("[0, 0, 0]", "[0, -1, 0]", 1), "$.log[0]"),
        (GOOD.replace("[0, 0, 0]", "[0, 70000, 0]", 1), "$.log[0]"),
        (GOOD.replace("[0, 0, 0]", "[77, 0, 0]", 1), "$.log[0][0][0]"),
        (GOOD.replace('["\\u4e0d\\u660e"]', '["和了", [0], [9, 0]]'), "$.log[0][16][2][0]"),
        (GOOD.replace('["\\u4e0d\\u660e"]', "7"), "$.log[0][16]"),
        ('{"log": []}', "$.log"),
        ('{"log": [[]]}', "$.log[0]"),
        ('{"name": []}', "$.log"),
        ("[1]", "$[0]"),
    ],
)
def test_a_broken_game_is_refused_with_its_place_and_spares_its_neighbours(
    bad: str, place: str
) -> None:
    for text, prefix in (
        (f"{GOOD}\n{bad}\n{GOOD}", "line 2, "),
        (f"[{GOOD}, {bad}, {GOOD}]", "$[1]"),
    ):
        if bad == GOOD[:-20] and prefix == "$[1]":
            continue  # an element without an end takes the following text with it
        imported = read(text.encode())
        assert len(imported.batch.games) == 2, imported.rejects
        (reject,) = imported.rejects
        if bad == "[1]":
            continue
        expected = place if place.startswith("byte") else place.removeprefix("$")
        assert reject.position.startswith(prefix)
        assert expected in reject.position
        assert reject.reason


def _spoil(value: Any, rng: random.Random) -> Any:
    """Return a value with one random part of it replaced by something else."""
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _spoil(value[at], rng), *value[at + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: part for name, part in value.items() if name != key}
        return value | {key: _spoil(value[key], rng)}
    return rng.choice(
        [None, True, -1, 0, 47, 60, 1 << 70, 1e308, "", "r60", "c111213", "k11111111", [], {},
         [[]], {"log": 1}, "和了", "f44", 3.5]
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 4))
def test_no_spoiled_game_crashes_or_harms_its_neighbours(seed: int, times: int) -> None:
    rng = random.Random(seed)
    win = ["和了", [0, -1000, 1000, 0], [2, 1, 2, "30符1飜1000点", "断幺九(1飜)"]]
    spoiled: Any = a_game(
        a_round([["31"], ["c323334"], [33], []], [["r32"], [35], [60], []], win), sc=[0] * 8
    )
    for _ in range(times):
        spoiled = _spoil(spoiled, rng)
    imported = read(whole(0), spoiled, whole(1))
    assert 2 <= len(imported.batch.games) <= 3
    assert len(imported.batch.games) + len(imported.rejects) >= 3
    imported.batch.validate()


# --- both ways of reading ---------------------------------------------------------------------


def read_slowly(*texts: Any) -> Imported:
    """Read every game from its parsed JSON, without the kernels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tenhou_json, "scan", lambda texts: [None] * len(texts))
        return read(*texts)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 4))
def test_a_spoiled_game_is_the_same_both_ways(seed: int, times: int) -> None:
    rng = random.Random(seed)
    win = ["和了", [0, -1000, 1000, 0], [2, 1, 2, "30符1飜1000点", "断幺九(1飜)"]]
    spoiled: Any = a_game(
        a_round([[31], ["c323334"], [33], []], [["r32"], [35], [60], []], win),
        a_round([[31], [32], [33], []], [[60], [60], [60], []], ["流局", [1000, 0, -1000, 0]]),
    )
    for _ in range(times):
        spoiled = _spoil(spoiled, rng)
    assert_same(read(spoiled, whole(0)), read_slowly(spoiled, whole(0)))


def test_real_logs_are_the_same_both_ways(corpus: Path) -> None:
    folders = ("tenhou6", "majsoul_tenhou6", "mleague_tenhou6")
    files = [file for folder in folders for file in sorted((corpus / folder).iterdir())]
    texts = [file.read_bytes() for file in files]
    assert_same(read(*texts), read_slowly(*texts))
    pieces = [piece.text for text in texts for piece in json_text.pieces(text)]
    scanned = [game is not None for game in scan(pieces)]
    assert sum(scanned) > 0.8 * len(scanned)


# --- real logs --------------------------------------------------------------------------------

REFUSED = {
    "sample_tenhou.json": "made up: 60 (tsumogiri) among the draws",
    "open-tanyao-no-rule.json": "made up: a pon of 2p that nobody discards",
}


def test_every_real_log_is_read(corpus: Path) -> None:
    files = [
        file
        for folder in ("tenhou6", "majsoul_tenhou6", "mleague_tenhou6")
        for file in sorted((corpus / folder).iterdir())
    ]
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    assert {importers.detect(blob.data) for blob in blobs} == {"tenhou_json"}
    imported = tenhou_json.read(blobs)
    refused = {files[reject.blob].name for reject in imported.rejects}
    assert refused == set(REFUSED)
    assert {files[blob].name for blob in imported.game_blob} | refused == {f.name for f in files}
    assert not [game.notes for game in imported.batch.games if game.notes]


@pytest.fixture(scope="module")
def pairs(corpus: Path) -> tuple[Batch, Batch]:
    """The complete games that exist as mjlog and as tenhou.net/6, in the same order."""
    with (corpus / "pairs.tsv").open(encoding="utf-8") as table:
        rows = [
            row
            for row in csv.DictReader(table, delimiter="\t")
            if not row["mjlog"].startswith("mjlog_partial")
        ]
    batches = []
    for column, importer in (("mjlog", mjlog), ("tenhou_json", tenhou_json)):
        # one by one: an importer may return its games in another order
        read_alone = [
            importer.read([Blob((corpus / row[column]).read_bytes(), 0, name=row[column])])
            for row in rows
        ]
        assert not [imported.rejects for imported in read_alone if imported.rejects]
        batches.append(concat([imported.batch for imported in read_alone]))
    return batches[0], batches[1]


def test_both_formats_tell_the_same_play(pairs: tuple[Batch, Batch]) -> None:
    xml, text = pairs
    assert len(xml.games) > 80
    assert identify(xml).game_id.tolist() == identify(text).game_id.tolist()
    seen = (xml.event_kind != DISCONNECT) & (xml.event_kind != RECONNECT)
    for name in ("event_kind", "event_seat", "event_tile", "event_from", "event_tsumogiri"):
        np.testing.assert_array_equal(getattr(xml, name)[seen], getattr(text, name), name)
    np.testing.assert_array_equal(
        np.sort(xml.event_consumed[seen], axis=1), np.sort(text.event_consumed, axis=1)
    )
    np.testing.assert_array_equal(
        np.sort(xml.round_haipai, axis=2), np.sort(text.round_haipai, axis=2)
    )


def test_both_formats_record_the_same_results(pairs: tuple[Batch, Batch]) -> None:
    xml, text = pairs
    for name in (
        "round_scores", "round_sticks", "round_honba", "round_recorded_outcome", "win_han",
        "win_yakuman", "win_points", "win_limit", "win_pao", "win_delta", "win_indicators",
        "win_ura",
    ):  # fmt: skip
        np.testing.assert_array_equal(getattr(xml, name), getattr(text, name), name)
    known = text.win_fu >= 0
    np.testing.assert_array_equal(xml.win_fu[known], text.win_fu[known])
    # the text leaves fu out from mangan on, but nowhere else
    assert (text.win_limit[~known] > 0).all()
    paid = text.round_recorded_delta != UNKNOWN
    np.testing.assert_array_equal(xml.round_recorded_delta[paid], text.round_recorded_delta[paid])

    def yaku(batch: Batch, win: int) -> list[tuple[int, int]]:
        span = slice(batch.win_yaku[win], batch.win_yaku[win + 1])
        listed = zip(batch.yaku_id[span].tolist(), batch.yaku_han[span].tolist(), strict=True)
        return sorted((index, han) for index, han in listed if han)

    for win in range(len(xml.win_event)):
        assert yaku(xml, win) == yaku(text, win)
