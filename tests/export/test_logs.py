"""Games written as logs and read again have the same play and the same game_id."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from paifu.export import mjai_writer
from paifu.export import tenhou_json_writer as tenhou_writer
from paifu.export.from_tables import TABLES, batch_of
from paifu.formats.base import Blob
from paifu.formats.builder import Builder, WinRecord, pack
from paifu.formats.mjai import importer as mjai
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_json import importer as tenhou_json
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DISCONNECT,
    DRAW,
    KAKAN,
    KITA,
    LIMIT_KAZOE,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_YAKUMAN,
    OUTCOME_KYUUSHU,
    OUTCOMES,
    PON,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    Batch,
    GameInfo,
)
from paifu.game.fingerprint import identify
from paifu.game.tiles import CODE
from paifu.replay.replay_batch import replay
from paifu.rules.riichi.presets import NAMES, resolve
from paifu.schema.yaku import YAKU_INDEX

FORMATS = ((tenhou_writer, tenhou_json), (mjai_writer, mjai))
HAIPAI = [*range(13), *range(9, 22), *range(18, 31), *range(13)]


def written_and_read(batch: Batch, writer: ModuleType, reader: ModuleType) -> Batch:
    texts = [writer.log_text(batch, game) for game in range(len(batch.games))]
    imported = reader.read([Blob(text, 0) for text in texts])
    assert not imported.rejects
    assert imported.game_blob == list(range(len(batch.games)))
    result: Batch = imported.batch
    return result


def one_round(*events: int, win: WinRecord | None = None, players: int = 4) -> Batch:
    builder = Builder()
    with builder.game():
        scores = [25000] * players + [0] * (4 - players)
        haipai = HAIPAI[: 13 * players] + [-1] * (52 - 13 * players)
        builder.round(0, 0, 0, 0, scores, 27, haipai)
        builder.events.extend(events)
        if win is None:
            builder.events.append(pack(RYUUKYOKU, 0))
            builder.draw(OUTCOME_KYUUSHU, delta=(0, 0, 0, 0))
        else:
            builder.win(win)
            builder.won()
        builder.end_game(GameInfo(players=players, names=("a",) * players))
    return builder.finish()


def tile(text: str) -> int:
    return CODE[text]


# --- the notation -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "draw", "discard"),
    [
        (pack(CHI, 1, tile("3m"), 0, consumed=(tile("4m"), tile("0m"))), "c131451", None),
        (pack(PON, 1, tile("5p"), 0, consumed=(tile("0p"), tile("5p"))), "p252552", None),
        (pack(PON, 2, tile("1z"), 0, consumed=(tile("1z"),) * 2), "41p4141", None),
        (pack(PON, 3, tile("1z"), 0, consumed=(tile("1z"),) * 2), "4141p41", None),
        (pack(DAIMINKAN, 3, tile("0s"), 0, consumed=(tile("5s"),) * 3), "353535m53", 0),
        (pack(DAIMINKAN, 1, tile("9s"), 0, consumed=(tile("9s"),) * 3), "m39393939", 0),
        (pack(ANKAN, 0, tile("0m"), consumed=(tile("5m"),) * 3), None, "151515a51"),
        (pack(KITA, 0, tile("4z")), None, "f44"),
    ],
)
def test_calls_stand_where_their_letter_tells_whose_tile_it_was(
    event: int, draw: str | None, discard: str | int | None
) -> None:
    log = tenhou_writer.log_of(one_round(event), 0)["log"][0]
    draws = [entry for at in range(4) for entry in log[5 + 3 * at]]
    discards = [entry for at in range(4) for entry in log[6 + 3 * at]]
    assert draws == ([] if draw is None else [draw])
    assert discards == ([] if discard is None else [discard])


def test_a_kakan_is_its_pon_with_the_added_tile_before_the_called_one() -> None:
    pon = pack(PON, 2, tile("5m"), 0, consumed=(tile("5m"),) * 2)
    kakan = pack(KAKAN, 2, tile("0m"), consumed=(tile("5m"),) * 3)
    batch = one_round(pon, kakan)
    assert tenhou_writer.log_of(batch, 0)["log"][0][12] == ["15k511515"]
    line = list(mjai_writer.events(batch, 0))[3]
    assert line == {"type": "kakan", "actor": 2, "pai": "5mr", "consumed": ["5m"] * 3}


@pytest.mark.parametrize(
    ("winner", "from_seat", "fields", "text"),
    [
        (1, 0, {"fu": 30, "han": 2, "points": 2000, "limit": LIMIT_NONE}, "30符2飜2000点"),
        (0, 0, {"fu": 30, "han": 4, "points": 11700, "limit": LIMIT_NONE}, "30符4飜3900点∀"),
        (1, 1, {"fu": 30, "han": 3, "points": 4000, "limit": LIMIT_NONE}, "30符3飜1000-2000点"),
        (1, 1, {"han": 5, "points": 8000, "limit": LIMIT_MANGAN}, "満貫2000-4000点"),
        (1, 1, {"yakuman": 2, "points": 64000, "limit": LIMIT_YAKUMAN}, "役満16000-32000点"),
        (1, 0, {"han": 13, "points": 32000, "limit": LIMIT_KAZOE}, "役満32000点"),
    ],
)
def test_values_are_written_as_tenhou_writes_them(
    winner: int, from_seat: int, fields: dict[str, int], text: str
) -> None:
    said = {"yakuman": 0} | fields
    win = WinRecord(winner, from_seat, 3, delta=(0, 0, 0, 0), **said)
    win.yaku = [(YAKU_INDEX["riichi"], 1), (YAKU_INDEX["ura_dora"], 0)]
    result = tenhou_writer.log_of(one_round(pack(DRAW, 0, 3), win=win), 0)["log"][0][-1]
    assert result[2] == [winner, from_seat, winner, text, "立直(1飜)"]


def test_mjai_says_what_the_modern_dialect_says() -> None:
    batch = one_round(
        pack(DRAW, 0, tile("5m")), pack(RIICHI, 0), pack(DISCARD, 0, tile("5m"), tsumogiri=1),
        pack(RIICHI_ACCEPTED, 0),
    )  # fmt: skip
    lines = [json.loads(line) for line in mjai_writer.log_text(batch, 0).splitlines()]
    assert [line["type"] for line in lines] == [
        "start_game", "start_kyoku", "tsumo", "reach", "dahai", "reach_accepted", "ryukyoku",
        "end_kyoku", "end_game",
    ]  # fmt: skip
    assert lines[4] == {"type": "dahai", "actor": 0, "pai": "5m", "tsumogiri": True}
    assert lines[6]["reason"] == "kyushukyuhai"


GIMITE = WinRecord(
    1, 0, CODE["3s"], fu=40, han=3, yakuman=0, points=5200, delta=[-5200, 5200, 0, 0],
    yaku=[(YAKU_INDEX["riichi"], 1), (YAKU_INDEX["haku"], 1), (YAKU_INDEX["ura_dora"], 1)],
)  # fmt: skip
YAKUMAN = WinRecord(
    1, 0, CODE["3s"], fu=40, yakuman=1, points=32000, delta=[-32000, 32000, 0, 0],
    yaku=[(YAKU_INDEX["daisangen"], 13)],
)  # fmt: skip


@pytest.mark.parametrize("win", [GIMITE, YAKUMAN])
def test_mjai_keeps_what_a_win_is_worth(win: WinRecord) -> None:
    """gimite's dialect says it, and no limit."""
    batch = one_round(pack(DRAW, 0, tile("3s")), pack(DISCARD, 0, tile("3s")), win=win)
    batch.games[0].format = "mjai"
    again = written_and_read(batch, mjai_writer, mjai)
    for name in ("win_fu", "win_han", "win_yakuman", "win_points", "yaku_id", "yaku_han"):
        np.testing.assert_array_equal(getattr(batch, name), getattr(again, name), name)
    again = written_and_read(batch, tenhou_writer, tenhou_json)
    for name in ("win_han", "win_yakuman", "win_points", "yaku_id", "yaku_han"):
        np.testing.assert_array_equal(getattr(batch, name), getattr(again, name), name)


@pytest.mark.parametrize("kept", ["0s", "5s"])
@pytest.mark.parametrize(("writer", "reader"), FORMATS)
def test_an_ankan_of_fives_keeps_its_tile(
    kept: str, writer: ModuleType, reader: ModuleType
) -> None:
    others = [tile(text) for text in ("5s", "5s", "5s" if kept == "0s" else "0s")]
    batch = one_round(pack(DRAW, 0, tile("5s")), pack(ANKAN, 0, tile(kept), consumed=others))
    again = written_and_read(batch, writer, reader)
    ankan = again.event_kind == ANKAN
    assert again.event_tile[ankan].tolist() == [tile(kept)]
    assert sorted(again.event_consumed[ankan][0].tolist()) == sorted(others)


# --- what the format has no place for -----------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
def test_tenhou_json_keeps_every_rule_set(ruleset: str) -> None:
    players = resolve(ruleset).players or 4
    batch = one_round(players=players)
    batch.games[0].ruleset = ruleset
    again = written_and_read(batch, tenhou_writer, tenhou_json)
    assert [(info.ruleset, info.room) for info in again.games] == [(ruleset, None)]


def test_tenhou_json_keeps_how_a_game_without_results_ended() -> None:
    batch = one_round()
    points = (41000, 23000, 21000, 15000)
    for complete in (True, False):
        info = batch.games[0]
        info.length, info.complete, info.final_points = "one_round", complete, points
        (read,) = written_and_read(batch, tenhou_writer, tenhou_json).games
        assert (read.length, read.complete, read.final_points) == ("one_round", complete, points)


def test_tenhou_json_keeps_the_room_of_another_platform() -> None:
    batch = one_round()
    info = batch.games[0]
    info.platform, info.ruleset, info.room = "majsoul", "majsoul-4p", "玉の間四人南"
    (read,) = written_and_read(batch, tenhou_writer, tenhou_json).games
    assert (read.platform, read.ruleset, read.room) == (info.platform, info.ruleset, info.room)


def test_tenhou_json_keeps_that_wins_depend_on_settings_of_the_room() -> None:
    batch = one_round()
    for notes in ([], ["own_yaku"]):
        batch.games[0].notes = notes
        assert written_and_read(batch, tenhou_writer, tenhou_json).games[0].notes == notes


@pytest.mark.parametrize("by_itself", [False, True])
def test_payments_that_are_not_known_do_not_become_none(by_itself: bool) -> None:
    batch = one_round(pack(DRAW, 0, 3), win=WinRecord(0, 0, 3))
    text = tenhou_writer.log_text(batch, 0)
    if by_itself:  # a number that the fast reader leaves to the other reader
        text = text.replace(b"25000", b"25000.0")
    (delta,) = tenhou_json.read([Blob(text, 0)]).batch.win_delta.tolist()
    assert delta == batch.win_delta[0].tolist() == [UNKNOWN] * 4


@pytest.mark.parametrize(
    "own",
    [
        None,
        "tenhou-4p",
        {"ruleset": "no such rules"},
        {"ruleset": "tenhou-3p"},
        {"ruleset": ["tenhou-4p"], "length": [], "complete": 1, "points": [0, 0, 0]},
        {"length": "west", "points": [1 << 40, 0, 0, 0]},
        {"points": [True, 0, 0, 0]},
    ],
)
def test_what_cannot_be_so_is_taken_as_not_said(own: object) -> None:
    log = tenhou_writer.log_of(one_round(), 0)
    del log["rule"]["paifu"]
    plain, said = json.dumps(log), json.dumps(log | {"rule": log["rule"] | {"paifu": own}})
    games = tenhou_json.read([Blob(text.encode(), 0) for text in (plain, said)]).batch.games
    facts = [(info.ruleset, info.length, info.complete, info.final_points) for info in games]
    assert facts == [("tenhou-custom", None, False, None)] * 2


# --- real games -------------------------------------------------------------------------------


def some_logs(corpus: Path, every: int) -> Iterator[Blob]:
    for folder in ("mjlog", "mjlog3p"):
        for file in sorted((corpus / folder).iterdir())[::every]:
            data = file.read_bytes()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            yield Blob(data, 0, name=file.name)


@pytest.fixture(scope="module")
def games(corpus: Path) -> Batch:
    """Real games, of four and of three players."""
    return mjlog.read(list(some_logs(corpus, 60))).batch


@pytest.mark.parametrize(("writer", "reader"), FORMATS)
def test_what_was_written_reads_as_the_same_play(
    games: Batch, writer: ModuleType, reader: ModuleType
) -> None:
    again = written_and_read(games, writer, reader)
    assert identify(again).game_id.tolist() == identify(games).game_id.tolist()
    kept = (games.event_kind != DISCONNECT) & (games.event_kind != RECONNECT)
    for name in ("event_kind", "event_seat", "event_from", "event_tsumogiri"):
        np.testing.assert_array_equal(getattr(games, name)[kept], getattr(again, name), name)
    for name in ("round_scores", "round_recorded_outcome", "win_delta", "round_sticks"):
        np.testing.assert_array_equal(getattr(games, name), getattr(again, name), name)


def test_tenhou_json_keeps_the_value_of_every_win(games: Batch) -> None:
    again = written_and_read(games, tenhou_writer, tenhou_json)
    for name in ("win_han", "win_yakuman", "win_points", "win_limit", "win_pao", "win_ura"):
        np.testing.assert_array_equal(getattr(games, name), getattr(again, name), name)


def test_the_tables_hold_the_whole_play(games: Batch) -> None:
    tables = replay(games, np.zeros(len(games.games), dtype=np.int64))
    again = batch_of({name: tables[name].to_pylist() for name in TABLES})
    assert identify(again).game_id.tolist() == identify(games).game_id.tolist()
    kept = (games.event_kind != DISCONNECT) & (games.event_kind != RECONNECT)
    for name in ("event_kind", "event_seat", "event_from"):
        np.testing.assert_array_equal(getattr(games, name)[kept], getattr(again, name), name)
    for name in ("win_han", "win_fu", "win_points", "win_delta", "round_recorded_outcome"):
        np.testing.assert_array_equal(getattr(games, name), getattr(again, name), name)
    assert {OUTCOMES[outcome] for outcome in again.round_recorded_outcome} >= {"win", "exhaustive"}


@pytest.mark.slow
@pytest.mark.parametrize(("writer", "reader"), FORMATS)
def test_every_game_of_the_corpus_comes_back(
    corpus: Path, writer: ModuleType, reader: ModuleType
) -> None:
    batch = mjlog.read(list(some_logs(corpus, 1))).batch
    again = written_and_read(batch, writer, reader)
    assert identify(again).game_id.tolist() == identify(batch).game_id.tolist()
