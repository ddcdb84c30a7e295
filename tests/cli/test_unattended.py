"""What an operator's night leaves: exit statuses, rejects that are new, a log, and silence."""

from __future__ import annotations

import json
import re
import shutil
import threading
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from paifu.cli.main import run
from paifu.lake.lake import Lake
from paifu.query.open_lake import open_lake

Captured = pytest.CaptureFixture[str]
BROKEN = b'<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="169" lobby="0"/><UN n0="a"'


@pytest.fixture
def logs(simulated: Path, tmp_path: Path) -> Path:
    """A folder of two logs that can be read and one that breaks off."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for path in sorted((simulated / "4p").iterdir())[:2]:
        shutil.copy(path, folder)
    (folder / "broken.mjlog").write_bytes(BROKEN)
    return folder


def another(simulated: Path, folder: Path) -> None:
    """Bring one more log into a folder."""
    shutil.copy(sorted((simulated / "4p").iterdir())[2], folder)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def result(capsys: Captured) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_reject_is_new_once(
    logs: Path, simulated: Path, tmp_path: Path, capsys: Captured
) -> None:
    ingest = ["ingest", str(logs), "--lake", str(tmp_path / "lake"), "--json"]
    assert run([*ingest, "--strict"]) == 1
    first = result(capsys)
    assert (first["games"], first["rejected"], first["known_rejected"]) == (2, 1, 0)
    (row,) = first["reject_rows"]
    assert row["source"].endswith("broken.mjlog")
    assert row["reason"]
    assert row["position"].startswith("byte ")
    another(simulated, logs)
    assert run([*ingest, "--strict"]) == 0
    second = result(capsys)
    assert (second["games"], second["skipped"]) == (1, 2)
    assert (second["rejected"], second["known_rejected"]) == (0, 1)
    assert second["reject_rows"] == []
    assert run([*ingest, "--strict-known"]) == 1


@pytest.mark.parametrize("names", ["keep", "hash"])
def test_an_archive_that_grows_brings_its_rejects_once(
    names: str, logs: Path, simulated: Path, tmp_path: Path, capsys: Captured
) -> None:
    archive = tmp_path / "all.zip"

    def pack() -> None:
        with zipfile.ZipFile(archive, "w") as packed:
            for path in sorted(logs.iterdir()):
                packed.write(path, path.name)

    ingest = ["ingest", str(archive), "--lake", str(tmp_path / "lake"), "--names", names, "--json"]
    pack()
    assert run([*ingest, "--strict"]) == 1
    assert result(capsys)["rejected"] == 1
    another(simulated, logs)
    pack()
    assert run([*ingest, "--strict"]) == 0
    grown = result(capsys)
    assert (grown["games"], grown["rejected"], grown["known_rejected"]) == (1, 0, 1)
    (logs / "broken2.mjlog").write_bytes(BROKEN)
    pack()
    assert run([*ingest, "--strict"]) == 1
    assert [row["member"] for row in result(capsys)["reject_rows"]] == ["broken2.mjlog"]


def test_what_is_wrong_with_games_is_named(
    simulated: Path, tmp_path: Path, capsys: Captured
) -> None:
    text = sorted((simulated / "4p").iterdir())[0].read_text()
    log = tmp_path / "flagged.mjlog"
    last = text.rindex("<INIT")  # which begins with points that the round before did not leave
    log.write_text(text[:last] + re.sub(r'ten="\d+', 'ten="1', text[last:], count=1))
    assert run(["ingest", str(log), "--lake", str(tmp_path / "lake"), "--json"]) == 0
    found = result(capsys)
    rows = found["flag_rows"]
    assert dict.fromkeys({row["reason"] for row in rows}, 1) == found["flags"]
    assert rows
    assert all(row["source"] == str(log) for row in rows)


def test_a_quiet_run_speaks_of_new_rejects_only(
    logs: Path, tmp_path: Path, capsys: Captured
) -> None:
    log = tmp_path / "night.jsonl"
    night = ["--lake", str(tmp_path / "lake"), "--quiet", "--log", str(log), "--strict"]
    assert run(["ingest", str(logs), *night]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = told.err.splitlines()
    assert line.startswith("rejected: ")
    assert "broken.mjlog" in line
    assert run(["ingest", str(logs), *night]) == 0
    assert run(["rescore", *night]) == 0
    assert run(["run", str(logs), *night]) == 0
    assert capsys.readouterr() == ("", "")

    written = lines(log)
    assert [(row["command"], row["event"]) for row in written] == [
        ("ingest", "started"), ("ingest", "rejected"), ("ingest", "finished"),
        ("ingest", "started"), ("ingest", "finished"),
        ("rescore", "started"), ("rescore", "finished"),
        ("run", "started"), ("run", "ingested"), ("run", "rescored"), ("run", "valued"),
        ("run", "finished"),
    ]  # fmt: skip
    times = [datetime.fromisoformat(row["time"]) for row in written]
    assert times == sorted(times)
    assert [row["status"] for row in written if row["event"] == "finished"] == [1, 0, 0, 0]


def test_a_run_that_fails_says_so_in_its_log(tmp_path: Path, capsys: Captured) -> None:
    log = tmp_path / "night.jsonl"
    assert run(["rescore", "--lake", str(tmp_path / "none"), "--quiet", "--log", str(log)]) == 3
    assert str(tmp_path / "none") in capsys.readouterr().err
    assert [row["event"] for row in lines(log)] == ["started", "failed"]
    assert str(tmp_path / "none") in lines(log)[-1]["error"]


def test_a_log_that_cannot_be_written_is_said_before_anything_is_done(
    logs: Path, tmp_path: Path, capsys: Captured
) -> None:
    place = tmp_path / "lake"
    night = ["ingest", str(logs), "--lake", str(place), "--log", str(tmp_path / "no" / "log")]
    assert run(night) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert not place.exists()


def test_two_nights_on_one_lake_beside_readers(
    logs: Path, simulated: Path, tmp_path: Path, capsys: Captured
) -> None:
    place = tmp_path / "lake"
    night = ["--lake", str(place), "--quiet", "--log", str(tmp_path / "night.jsonl")]

    def work() -> None:
        assert run(["ingest", str(logs), *night]) == 0
        assert run(["rescore", *night, "--strict"]) == 0

    work()
    ended = threading.Event()
    wrong: list[object] = []

    def read() -> None:
        """Ask until the night is over: a game has its rounds and four seats at any moment."""
        while not ended.wait(0.3):
            with open_lake(place) as lake:
                counts = lake.sql(
                    """SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM seats),
                    (SELECT count(DISTINCT game_id) FROM rounds)"""
                ).fetchone()
            if counts not in ((2, 8, 2), (3, 12, 3)):
                wrong.append(counts)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        another(simulated, logs)
        work()
        assert run(["compact", *night]) == 0
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert wrong == []
    with Lake.open(place) as lake:
        assert lake.connection.execute(
            "SELECT count(*), count(DISTINCT game_id) FROM games"
        ).fetchone() == (3, 3)
        assert lake.connection.execute(
            "SELECT count(*) FROM verdicts WHERE subject = 'game'"
        ).fetchone() == (3,)
