"""A filter expression cannot read any file, and text in CSV does not run in a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import duckdb
import pytest

from paifu.cli.main import run
from paifu.ingestion.committer import Committer
from paifu.lake.lake import Lake
from paifu.query import filters
from tests.helpers.synthetic import Game, Sources

ROOMS = ("=1+1", "plain", "a\tb")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("closed") / "lake"
    with Lake.open(folder, create=True) as lake:
        Committer(lake).commit(Sources().prepared([Game(2**62 + i, deal=i) for i in range(3)]))
        lake.transact(
            lambda tx: [
                tx.execute(f"UPDATE games SET room = ? WHERE game_id = {2**62 + at}", [room])
                for at, room in enumerate(ROOMS)
            ]
        )
    return folder


@pytest.fixture
def here(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The lake, queried from a folder with files whose names DuckDB would read as tables."""
    for name in ("main.csv", "temp.csv", "lake.csv"):
        (tmp_path / name).write_text("a\ntrue\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return place


EXPRESSIONS = [
    "(SELECT a FROM main.csv)",
    "(SELECT a FROM temp.csv)",
    "(SELECT a FROM lake.csv)",
    "EXISTS (FROM 'main.csv')",
    "EXISTS (FROM read_csv('main.csv'))",
    "json_serialize_plan('SELECT * FROM main.csv') IS NOT NULL",
]


@pytest.mark.parametrize("where", EXPRESSIONS)
@pytest.mark.parametrize(
    "command",
    [
        ["stats", "games"],
        ["report", "yaku", "--out", "pages"],
        ["export", "--format", "csv", "--out", "out"],
    ],
    ids=lambda command: command[0],
)
def test_an_expression_reads_no_file(
    here: Path, command: list[str], where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--lake", str(here), "--where", where]) == 2
    told = capsys.readouterr().err
    assert "--where" in told
    assert "Traceback" not in told


def test_even_unchecked_an_expression_reads_no_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The connection is locked too, in case an expression gets past the check of its text."""
    monkeypatch.setattr(filters, "_check_expression", lambda *_: None)
    where = "EXISTS (FROM read_csv('main.csv'))"
    assert run(["stats", "games", "--lake", str(here), "--where", where]) == 2
    assert "disabled" in capsys.readouterr().err


def test_an_expression_is_stopped_after_its_time(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(filters, "_WHERE_SECONDS", 0.2)
    where = "(SELECT count(*) FROM range(10000000) a, range(10000000) b) > game_id"
    assert run(["stats", "games", "--lake", str(here), "--where", where]) == 3
    assert "--where took longer than 0.2 s" in capsys.readouterr().err


def test_text_of_csv_is_no_formula(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rooms = ["sql", "SELECT room FROM games ORDER BY game_id", "--lake", str(here), "--csv"]
    assert run(rooms) == 0
    shown = [row[0] for row in csv.reader(io.StringIO(capsys.readouterr().out))]
    assert shown == ["room", "'=1+1", "plain", "a b"]
    assert run([*rooms, "--raw"]) == 0
    raw = [row[0] for row in csv.reader(io.StringIO(capsys.readouterr().out))]
    assert raw == ["room", *ROOMS]
    assert run(["sql", "SELECT 1", "--lake", str(here), "--raw"]) == 2


@pytest.mark.parametrize(("more", "rooms"), [([], ("'=1+1", "plain", "a b")), (["--raw"], ROOMS)])
def test_text_of_exported_csv_is_no_formula(
    here: Path, tmp_path: Path, more: list[str], rooms: tuple[str, ...]
) -> None:
    command = ["export", "--lake", str(here), "--format", "csv", "--table", "games"]
    assert run([*command, "--out", str(tmp_path / "out"), *more]) == 0
    file = tmp_path / "out" / "games.csv"
    rows = duckdb.sql(f"SELECT room FROM read_csv('{file}') ORDER BY game_id").fetchall()
    assert tuple(room for (room,) in rows) == rooms
