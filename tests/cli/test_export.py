"""``paifu export``: games and tables of a lake are written, and read into another lake."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[Path]:
    """A few real logs, of four and of three players."""
    return [
        *sorted((corpus / "mjlog").glob("20101127*.mjlog"))[:1],
        *sorted((corpus / "mjlog").iterdir())[40:43],
        *sorted((corpus / "mjlog3p").iterdir())[:2],
    ]


@pytest.fixture(scope="module")
def lake(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake") / "games.lake"
    ingest(logs, lake=folder)
    return folder


def ids(lake: Path) -> set[int]:
    with Lake.open(lake) as opened:
        return {row[0] for row in opened.sql("SELECT game_id FROM games").fetchall()}


@pytest.mark.parametrize("format", ["mjai", "tenhou-json"])
def test_exported_games_come_back_as_the_same_games(
    lake: Path, tmp_path: Path, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["export", "--lake", str(lake), "--format", format, "--out", str(tmp_path / "out")]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == len(ids(lake)) == len(list((tmp_path / "out").iterdir()))
    ingest([tmp_path / "out"], lake=tmp_path / "again.lake")
    assert ids(tmp_path / "again.lake") == ids(lake)
    # and both together give the same games as before
    ingest([tmp_path / "out"], lake=lake)
    assert ids(tmp_path / "again.lake") == ids(lake)


def test_games_are_chosen_by_id_and_by_filter(lake: Path, tmp_path: Path) -> None:
    arguments = ["export", "--lake", str(lake), "--format", "mjai", "--out", str(tmp_path)]
    one = next(iter(ids(lake)))
    assert run([*arguments, "--game", str(one)]) == 0
    assert len(list(tmp_path.iterdir())) == 1
    assert run([*arguments, "--players", "3"]) == 0
    assert len(list(tmp_path.iterdir())) in (2, 3)
    assert run([*arguments, "--game", "1"]) == 2
    assert run([*arguments, "--table", "games"]) == 2


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_tables_are_written_whole(lake: Path, tmp_path: Path, format: str) -> None:
    arguments = ["export", "--lake", str(lake), "--format", format, "--out", str(tmp_path)]
    assert run([*arguments, "--table", "games", "--table", "wins"]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {f"games.{format}", f"wins.{format}"}
    with Lake.open(lake) as opened:
        wins = opened.sql("SELECT count(*) FROM wins").fetchall()[0][0]
    assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/wins.{format}'").fetchall() == [(wins,)]
    assert run([*arguments, "--table", "nothing"]) == 2
    assert run([*arguments, "--game", "1"]) == 2


def test_a_lake_without_acts_says_so(
    logs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(logs[:1], lake=tmp_path / "bare.lake", actions=False)
    arguments = ["--lake", str(tmp_path / "bare.lake"), "--out", str(tmp_path / "out")]
    assert run(["export", "--format", "mjai", *arguments]) == 3
    assert "keeps no acts" in capsys.readouterr().err
    assert run(["export", "--format", "parquet", "--table", "seats", *arguments]) == 0
    assert pl.read_parquet(tmp_path / "out" / "seats.parquet").height in (3, 4)


def test_packed_logs_are_logs_too(lake: Path, tmp_path: Path) -> None:
    arguments = ["export", "--lake", str(lake), "--format", "mjai", "--out", str(tmp_path / "out")]
    assert run(arguments) == 0
    for file in (tmp_path / "out").iterdir():
        file.with_suffix(".json.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    ingest([tmp_path / "out"], lake=tmp_path / "again.lake")
    assert ids(tmp_path / "again.lake") == ids(lake)


def told_of(lake: Path, query: str) -> list[tuple[object, ...]]:
    with Lake.open(lake) as opened:
        return opened.sql(query).fetchall()


@pytest.mark.parametrize("players", ["4", "3"])
def test_a_game_of_no_room_is_judged_alike_after_tenhou_json(tmp_path: Path, players: str) -> None:
    """mjai does not record the room, which shows the rules in tenhou.net/6 JSON."""
    arguments = ["--games", "3", "--players", players, "--format", "mjai", "--seed", "7"]
    assert run(["simulate", *arguments, "--out", str(tmp_path / "mjai")]) == 0
    first, again = tmp_path / "first.lake", tmp_path / "again.lake"
    ingest([tmp_path / "mjai"], lake=first)
    out = ["--format", "tenhou-json", "--out", str(tmp_path / "out")]
    assert run(["export", "--lake", str(first), *out]) == 0
    ingest([tmp_path / "out"], lake=again)
    facts = "SELECT game_id, ruleset, room, length, complete FROM games ORDER BY game_id"
    before = told_of(first, facts)
    assert {row[1:3] for row in before} == {(f"tenhou-{players}p", None)}
    assert told_of(again, facts) == before
    verdicts = "SELECT COLUMNS(* EXCLUDE reason) FROM verdicts ORDER BY ALL"
    for lake in (first, again):
        rescore(lake)
    assert told_of(again, verdicts) == told_of(first, verdicts)
    judged = "SELECT DISTINCT subject, status FROM verdicts WHERE subject <> 'wall'"
    assert {*told_of(again, judged)} >= {(subject, "match") for subject in ("win", "draw", "round")}


def test_a_game_out_of_turn_is_left_out_of_tenhou_json_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", "--games", "1", "--format", "mjai", "--out", str(tmp_path / "in")]) == 0
    (file,) = (tmp_path / "in").iterdir()
    lines = file.read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if json.loads(line)["type"] == "tsumo")
    draw, discard = (json.loads(line) for line in lines[at : at + 2])
    # the seat after the dealer's neighbour draws and discards first
    lines[at : at + 2] = [
        json.dumps(draw | {"actor": 2}),
        json.dumps(discard | {"actor": 2, "pai": draw["pai"], "tsumogiri": True}),
    ]
    file.write_text("\n".join(lines) + "\n")
    lake = tmp_path / "games.lake"
    ingest([file], lake=lake)
    ((flags,),) = told_of(lake, "SELECT flags FROM games")
    assert "out_of_turn" in flags
    arguments = ["export", "--lake", str(lake), "--out", str(tmp_path / "out")]
    capsys.readouterr()
    assert run([*arguments, "--format", "tenhou-json"]) == 0
    assert "1 game left out: flagged out_of_turn" in capsys.readouterr().err
    assert run([*arguments, "--format", "mjai"]) == 0
    assert len(list((tmp_path / "out").iterdir())) == 1
