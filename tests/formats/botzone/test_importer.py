"""Botzone's games of Chinese Official: read in both forms, stored, and every win re-scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from paifu.audit.lake_audit import rescore
from paifu.formats.base import Blob, Imported
from paifu.formats.botzone import importer as botzone
from paifu.formats.registry import detect
from paifu.game.events import CHI, DISCARD, DRAW, WIN, Batch
from paifu.game.tiles import CODE, tiles_text
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.replay.replay_batch import replay

# fmt: off
HAND = ["W1 W2 W3 W4 W5 W6 W7 W8 W9 B3 B4 T9 T9", "B1 B1 B5 B7 B9 T1 T2 T4 T6 T7 F1 F2 J1",
        "W1 W4 W7 B2 B5 B8 T3 T6 F1 F2 F3 J1 J2", "W2 W5 W8 B3 B6 B9 T1 T4 F1 F2 F3 J1 J3"]
# fmt: on


def text_form(*steps: str, end: Any = ()) -> bytes:
    deals = [f"Player {seat} Deal {tiles}" for seat, tiles in enumerate(HAND)]
    return "\n".join(["Match 61602cb45ddc087351c04358", "Wind 0", *deals, *steps, *end]).encode()


SELF_DRAWN = text_form(
    "Player 0 Draw B2",
    "Player 0 Hu B2",
    end=("Fan 22 清龙*1+不求人*1+平和*1", "Score 90 -30 -30 -30"),
)


def read(*data: bytes) -> Imported:
    return botzone.read([Blob(each, 0, name=f"{at}.txt") for at, each in enumerate(data)])


def events(batch: Batch) -> list[tuple[int, int, str]]:
    return [
        (int(kind), int(seat), tiles_text([int(tile)]))
        for kind, seat, tile in zip(
            batch.event_kind, batch.event_seat, batch.event_tile, strict=True
        )
    ]


def test_a_match_in_text() -> None:
    assert detect(SELF_DRAWN) == "botzone"
    found = read(SELF_DRAWN)
    assert found.rejects == []
    assert events(found.batch) == [(DRAW, 0, "2p"), (WIN, 0, "2p")]
    (info,) = found.batch.games
    assert (info.ruleset, info.log_id, info.complete) == ("mcr", "61602cb45ddc087351c04358", True)
    assert info.final_points == (90, -30, -30, -30)
    tables = replay(found.batch, np.zeros(1, dtype=np.int64))
    (win,) = pl.DataFrame(pl.from_arrow(tables["wins"])).to_dicts()
    assert (win["hand"], win["win_tile"], win["han"], win["points"]) == (
        "123456789m234p99s", "2p", 22, 90,
    )  # fmt: skip
    yaku = pl.DataFrame(pl.from_arrow(tables["win_yaku"]))
    assert dict(zip(yaku["yaku"], yaku["han"], strict=True)) == {
        "pure_straight": 16, "fully_concealed": 4, "all_chows": 2,
    }  # fmt: skip
    assert tables["flags"].num_rows == 0


def test_calls_and_kongs() -> None:
    found = read(
        text_form(
            "Player 0 Draw T3",
            "Player 0 Play T3",
            "Player 1 Chi T3",
            "Player 1 Play B1 Ignore Player 2 Chi B2",
            "Player 2 Draw W1",
        )
    )
    batch = found.batch
    assert [kind for kind, _, _ in events(batch)] == [DRAW, DISCARD, CHI, DISCARD, DRAW]
    assert sorted(batch.event_consumed[2].tolist()) == [-1, CODE["2s"], CODE["4s"]]
    assert not batch.games[0].complete


def test_both_forms_of_a_match_are_the_same_game() -> None:
    def shown(**display: Any) -> dict[str, Any]:
        return {"output": {"display": display}}

    deal = [tiles.split() for tiles in HAND]
    log = [
        shown(action="INIT", quan=0, tileCnt=[21] * 4),
        shown(action="DEAL", hand=deal),
        {"0": {"raw": "PASS"}},
        shown(action="DRAW", player=0, tile="B2"),
        shown(
            action="HU", player=0, score=[90, -30, -30, -30], fanCnt=22,
            fan=[{"name": "清龙", "cnt": 1, "value": 16}, {"name": "不求人", "cnt": 1, "value": 4},
                 {"name": "平和", "cnt": 1, "value": 2}],
        ),
    ]  # fmt: skip
    lite = json.dumps({"logs": log, "players": [{"name": "x"}] * 4}).encode()
    bare = json.dumps(log).encode()
    assert detect(lite) == detect(bare) == "botzone"
    batch = read(SELF_DRAWN, lite, bare).batch
    ids = pl.from_arrow(replay(batch, np.zeros(3, dtype=np.int64))["games"])["game_id"]
    assert ids.n_unique() == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (text_form("Player 0 Draw B2", "Player 0 Sing B2"), "Sing"),
        (text_form("Player 0 Draw B0"), "no tile 'B0'"),
        (text_form("Player 7 Draw B2"), "not a number"),
        (text_form("Player 0 Hu B2"), "without a tile"),
        (text_form("Player 0 Draw B2", "Player 0 Play B2", "Player 1 Chi T5"), "chi"),
        (text_form("Player 0 Draw B2", "Player 0 Hu B2", "Player 0 Draw B2"), "after the end"),
        (b"Match 1\nWind 0\nPlayer 0 Deal W1\n", "thirteen"),
        (b'{"logs": [{"output": {"display": {"action": "DRAW", "tileCnt": 3}}}]}', "None is not"),
        (b'[{"output": {"display": {"action": [1]}}}]', "an action '[1]'"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_place(data: bytes, reason: str) -> None:
    found = read(data, SELF_DRAWN)
    assert len(found.batch.games) == 1
    (reject,) = found.rejects
    assert reason in reject.reason
    assert reject.position


def test_a_truncated_match_never_raises() -> None:
    for end in range(0, len(SELF_DRAWN), 7):
        found = read(SELF_DRAWN[:end])
        assert len(found.batch.games) + len(found.rejects) == 1


def test_every_recorded_win_of_the_corpus_matches(corpus: Path, tmp_path: Path) -> None:
    """All fan lists, points and payments agree with the play, through a lake.

    Only the text records name the fan: the names in the JSON records were replaced.
    """
    files = [*sorted((corpus / "mcr").glob("*.json")), *(corpus / "mcr").glob("data_*sample.txt")]
    done = ingest([str(each) for each in files], lake=tmp_path / "lake")
    assert done.rejected == 0
    report = rescore(tmp_path / "lake")
    assert report.count("win") == report.count("win", "match") == 46
    assert report.count("game") == report.count("game", "match") == 48
    with Lake.open(tmp_path / "lake") as lake:
        acts = lake.sql("SELECT DISTINCT action FROM actions").pl()["action"]
        assert {"chi", "pon", "daiminkan", "kakan"} <= set(acts)
        named = lake.sql("SELECT count(DISTINCT game_id) FROM win_yaku").fetchone()
        assert named == (14,)
