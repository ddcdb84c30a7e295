"""Bad input and bad lakes give one clear line and the right exit status, and nothing is lost."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

import paifu
from paifu.cli.main import run
from paifu.cli.output import print_folded, print_lines
from paifu.errors import SourceError
from paifu.ingestion.committer import Committer
from paifu.lake import failures
from paifu.lake.lake import Lake
from paifu.sources.containers import open_sources
from tests.helpers.processes import environment
from tests.helpers.synthetic import Game, Sources

# a log of one round and a single discard, enough to be read as a cut-off game
LOG = b"".join(
    (
        b'<mjloggm ver="2.3"><GO type="9" lobby="0"/>',
        b'<UN n0="a" n1="b" n2="c" n3="d" dan="10,11,12,13" sx="M,M,F,M"',
        b' rate="1500.00,1500.00,1500.00,1500.00"/><TAIKYOKU oya="0"/>',
        b'<INIT seed="0,0,0,1,2,135" ten="250,250,250,250" oya="0"',
        *(
            f' hai{seat}="{",".join(str(seat + 4 * kind) for kind in range(13))}"'.encode()
            for seat in range(4)
        ),
        b"/><T52/><D52/></mjloggm>",
    )
)


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "lake")


def rejects(place: str) -> list[tuple[str, str, str]]:
    with Lake.open(place) as lake:
        return lake.sql(
            """SELECT path, member, reason FROM rejects JOIN sources USING (source_id)
            ORDER BY ALL"""
        ).fetchall()


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    error = capsys.readouterr().err
    assert "Traceback" not in error
    assert error.count("\n") == 1, error
    return error


def truncated() -> bytes:
    return gzip.compress(LOG)[:-20]


def with_password() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("secret.mjlog", LOG)
    data = bytearray(out.getvalue())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1  # "encrypted", in both headers
    return bytes(data)


BAD = {
    "empty.mjlog": (b"", "empty"),
    "page.mjlog": (b"<!DOCTYPE html><html><body>404 Not Found</body></html>", "web page"),
    "marked.mjlog": (b"\xef\xbb\xbf\r\n <HTML lang='ja'><body>login</body></HTML>", "web page"),
    "strict.mjlog": (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>', "web page"),
    "log.xz": (lzma.compress(b"<mjloggm/>"), "an xz file: unpack it first"),
    "logs.7z": (b"7z\xbc\xaf\x27\x1c" + bytes(64), "a 7z archive: unpack it first"),
    "utf16.json": ('{"title": []}'.encode("utf-16") + b"7", "damaged UTF-16 text"),
    "sum.tar": (b"a" * 257 + b"ustar" + b"1" * 1024, "a damaged tar archive"),
    "cut.mjlog.gz": (truncated(), "breaks off"),
    "locked.zip": (with_password(), "password"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a log format"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_source_that_cannot_be_read_is_rejected_with_a_reason(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    data, reason = BAD[name]
    source = tmp_path / name
    source.write_bytes(data)
    assert run(["ingest", str(source), "--lake", place, "--jobs", "1"]) == 3
    error = capsys.readouterr().err
    assert "Traceback" not in error
    line = next(line for line in error.splitlines() if line.startswith("rejected"))
    assert str(source) in line
    assert reason in line
    assert [(path, reason in why) for path, _, why in rejects(place)] == [(str(source), True)]


def test_the_other_logs_of_a_folder_go_on(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, (data, _) in BAD.items():
        (folder / name).write_bytes(data)
    (folder / "good.mjlog").write_bytes(LOG)
    assert run(["ingest", str(folder), "--lake", place]) == 0
    assert run(["ingest", str(folder), "--lake", place, "--strict"]) in (0, 1)
    assert len(rejects(place)) == len(BAD), "rejects are not doubled"
    with Lake.open(place) as lake:
        assert lake.sql("SELECT complete, detail FROM games").fetchall() == [(False, "play")]
    assert "Traceback" not in capsys.readouterr().err


def test_strict_says_so_with_its_exit_status(tmp_path: Path, place: str) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    (tmp_path / "b.mjlog").write_bytes(b"")
    sources = [str(tmp_path / "a.mjlog"), str(tmp_path / "b.mjlog")]
    assert run(["ingest", *sources, "--lake", place, "--strict"]) == 1


def test_a_folder_without_files(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nothing").mkdir()
    assert run(["ingest", str(tmp_path / "nothing"), "--lake", place]) == 3
    assert "no file in" in capsys.readouterr().err
    assert not Path(place).exists()


def test_a_source_that_is_not_there_makes_no_lake(tmp_path: Path, place: str) -> None:
    with pytest.raises(SourceError, match="no file or folder"):
        paifu.ingest(tmp_path / "nothing", place)
    assert not Path(place).exists()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["ingest", "missing.mjlog", "--lake", "L"], 3, "missing.mjlog"),
        (["ingest", "--lake", "L"], 2, "at least one"),
        (["ingest", "--frobnicate", "--lake", "L"], 2, "--frobnicate"),
        (["ingest", "."], 2, "--lake"),
        (["ingest", "", "--lake", "L"], 3, "empty text"),
        (["ingset"], 2, "ingest"),
        (["tables", "--lake", "L"], 2, "--lake. See paifu tables --help"),
        (
            ["report", "luck", "x", "--lake", "L", "--out", "O"],
            2,
            "the argument 'x'. See paifu rep",
        ),
        (["sql", "SELECT 1", "--lake", "missing"], 3, "no lake at"),
        (["stats", "placement", "--lake", "missing"], 3, "no lake at"),
        (["stats", "placement"], 2, "--lake"),
        (["compact", "--lake", "missing"], 3, "no lake at"),
        (["forget", "--lake", "missing"], 2, "--game"),
        (["show", "\udcff", "--lake", "missing"], 2, "not UTF-8"),
        (["forget", "--player", "\udcff", "--lake", "missing"], 2, "not UTF-8"),
        (["sql", "SELECT '\udcff'", "--lake", "missing"], 2, "not UTF-8"),
        (["stats", "placement", "--where", "room = '\udcff'"], 2, "not UTF-8"),
        (["export", "--out", "\udcff", "--format", "csv", "--lake", "L"], 2, "not UTF-8"),
        (["ingest", "\udcff.mjlog", "--lake", "L"], 3, "no file or folder \\udcff.mjlog"),
        (["score", "234m067p345s88s67m", "--win", "8m", "--seat", "up"], 2, "seat is east"),
        (["score", "234m067p345s88s67m", "--win", "8m", "--honba", "-1"], 2, "honba is a number"),
        (["score", "234m067p345s88s67m", "--win", "8m", "--ura", "1m"], 2, "add --riichi"),
        (["score", "234m067p345s88s67m", "--win", "9m"], 3, "not a winning hand"),
        (["simulate", "--games", "1", "--rules", "mcr", "--out", "L"], 2, "not a riichi rule set"),
        (["simulate", "--games", "1", "--rules", "tenhou-3p", "--out", "L"], 2, "--players 3"),
        (["simulate", "--games", "1", "--samples", "--out", "L"], 2, "choose one of --games"),
    ],
)
def test_wrong_usage(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PAIFU_LAKE", raising=False)
    assert run(arguments) == status
    assert words in one_line(capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("log", ['<mjloggm ver="{}">', "<{}><mjloggm/>"])
def test_a_log_is_not_rejected_with_all_it_says(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str], log: str
) -> None:
    (tmp_path / "a.mjlog").write_text(log.format("x" * 5000))
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", place]) == 3
    ((_, _, reason),) = rejects(place)
    assert len(reason) < 400
    assert len(capsys.readouterr().err) < 1000


@pytest.mark.parametrize(
    "command",
    [
        ["sheet", "template", "mcr", "--out", "s3://bucket/evening.csv"],
        ["sql", "SELECT 1", "--lake", "lake", "--parquet", "https://host/a.parquet"],
    ],
)
def test_what_is_written_is_a_file_of_this_machine(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command) == 2
    assert f"{command[-1]} is not on this machine" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "x" * 5000],
        ["score", "1m " * 5000],
        ["stats", "y" * 5000, "--lake", "L"],
        ["z" * 5000],
        ["rulesets", "w" * 5000],
        ["ingest", "v" * 5000, "--lake", "L"],
    ],
    ids=lambda arguments: arguments[0][:5],
)
def test_a_very_long_argument_is_not_echoed_whole(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) in (2, 3)
    told = one_line(capsys)
    assert len(told) < 2100
    assert "…" in told or not any(len(word) > 300 for word in told.split())


def test_an_unknown_player_is_reported_and_remembered(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "game.mjlog"
    log.write_bytes(LOG)
    with Lake.open(place, create=True):
        pass
    assert run(["forget", "--player", "a", "--game", "17", "--lake", place]) == 2
    told = capsys.readouterr().err
    assert "nobody named 'a' in the lake" in told
    assert "no game 17 in the lake" in told
    assert run(["ingest", str(log), "--lake", place]) == 0
    with Lake.open(place) as lake:
        names = lake.sql("SELECT player FROM seats ORDER BY seat").fetchall()
    assert names == [(None,), ("b",), ("c",), ("d",)]
    assert run(["forget", "--player", "b", "--lake", place]) == 0


def not_sqlite(folder: Path) -> None:
    folder.mkdir()
    (folder / "catalog.sqlite").write_text("this is no database, whatever its name says")


def other_database(folder: Path) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / "catalog.sqlite") as database:
        database.execute("CREATE TABLE t (a)")


def other_files(folder: Path) -> None:
    folder.mkdir()
    (folder / "letter.txt").write_text("dear reader")


def a_file(folder: Path) -> None:
    folder.write_text("a file")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (not_sqlite, "not an SQLite database"),
        (other_database, "not a lake"),
        (other_files, "no lake"),
        (a_file, "is a file"),
    ],
)
def test_a_lake_that_is_no_lake(
    place: str,
    capsys: pytest.CaptureFixture[str],
    make: object,
    words: str,
) -> None:
    make(Path(place))  # type: ignore[operator]
    assert run(["sql", "SELECT 1", "--lake", place]) == 3
    assert words in one_line(capsys)


def test_a_lake_is_not_made_among_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", str(tmp_path)]) == 3
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.mjlog"]


def tables_of_others(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as database:
        database.execute("CREATE TABLE t (a)")


def data_of_others(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "thesis.txt").write_text("the only copy")


def a_project(folder: Path) -> None:
    (folder / "data").mkdir(parents=True)
    (folder / "README").write_text("a project with a folder data, as many have")


@pytest.mark.parametrize("make", [tables_of_others, data_of_others, a_project])
def test_a_lake_is_not_made_of_what_is_anothers(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str], make: object
) -> None:
    make(Path(place))  # type: ignore[operator]
    before = {path: path.is_file() and path.read_bytes() for path in Path(place).rglob("*")}
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", place]) == 3
    assert "no lake" in (error := one_line(capsys)) or "not a lake" in error
    assert before == {p: p.is_file() and p.read_bytes() for p in Path(place).rglob("*")}


@pytest.mark.parametrize("lake", ["", "s3://bucket/lake", "postgres:dbname=games", "http://x/y"])
def test_a_lake_that_names_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lake: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", lake]) == 3
    assert "folder" in one_line(capsys)
    assert not list((tmp_path / "here").iterdir())


def test_names_of_files_that_are_no_text(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / os.fsdecode(b"\xff\xfe.mjlog")).write_bytes(LOG)
    (folder / "\x1b[31m\n.mjlog").write_bytes(b"")
    with tarfile.open(folder / "a.tar", "w", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("\udcff.mjlog"))
    assert run(["ingest", str(folder), "--lake", place]) == 0
    error = capsys.readouterr().err
    assert "\x1b" not in error
    assert r"\x1b[31m\n.mjlog" in error
    names = [Path(path).name for path, _, _ in rejects(place)]
    assert names == ["\x1b[31m\n.mjlog", "a.tar"]
    with Lake.open(place) as lake:
        assert lake.sql("SELECT path FROM sources JOIN games USING (source_id)").fetchall() == [
            (str(folder / r"\xff\xfe.mjlog"),)
        ]


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "closed").mkdir()
    (tmp_path / "open" / "a.mjlog").write_bytes(LOG)
    listed = os.scandir

    def scandir(path: str | Path) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)  # root may read every folder
    found = {Path(source.path).name: source.problem for source in open_sources([tmp_path])}
    assert set(found) == {"a.mjlog", "closed"}
    assert "cannot read" in found["closed"]


def fill(place: str) -> None:
    with Lake.open(place, create=True) as lake:
        Committer(lake).commit(Sources().prepared([Game(1), Game(2, deal=2)]))


def set_schema(place: str, version: int) -> None:
    with Lake.open(place, write=True) as lake:
        lake.connection.execute(
            "UPDATE lake_info SET value = ? WHERE key = 'schema_version'", [str(version)]
        )


def test_a_newer_lake_is_refused(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(place)
    set_schema(place, 99)
    for command in (["sql", "SELECT 1"], ["stats", "placement"], ["compact"], ["upgrade"]):
        assert run([*command, "--lake", place]) == 3
        assert "newer paifu" in one_line(capsys)


def test_an_older_lake_names_upgrade_and_is_upgraded(
    place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(place)
    with Lake.open(place, write=True) as lake:
        for statement in (
            "DROP VIEW win_facts",
            "ALTER TABLE rounds DROP COLUMN abort_due",
            "ALTER TABLE wins DROP COLUMN yaku_recorded",
            "ALTER TABLE discard_risks DROP COLUMN suji_left",
            "DROP TABLE verdict_fields",
        ):
            lake.connection.execute(statement)
    set_schema(place, 0)
    assert run(["stats", "placement", "--lake", place]) == 3
    assert "paifu upgrade" in one_line(capsys)
    assert run(["upgrade", "--lake", place]) == 0
    with Lake.open(place) as lake:
        assert lake.sql("SELECT abort_due FROM rounds").fetchall() == [(None,), (None,)]
        assert lake.sql("SELECT count(suji_left) FROM discard_risks").fetchall() == [(0,)]
        assert lake.sql("SELECT count(*) FROM win_facts").fetchall() == [(2,)]
        assert lake.sql("SELECT yaku_recorded FROM wins").fetchall() == [(1,), (1,)]
        assert lake.sql("SELECT count(*) FROM verdict_fields").fetchall() == [(0,)]


def test_a_moved_lake_opens(place: str, tmp_path: Path) -> None:
    fill(place)
    shutil.move(place, tmp_path / "elsewhere")
    with Lake.open(tmp_path / "elsewhere") as lake:
        assert lake.sql("SELECT count(*) FROM actions").fetchall() == [(40,)]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A separate file system of one and a half megabytes."""
    folder = tmp_path / "mounted"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a file system takes the rights of root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk(mounted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    fill(str(mounted / "lake"))
    (mounted / "ballast").write_bytes(bytes(shutil.disk_usage(mounted).free))
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", str(mounted / "lake")]) == 3
    error = one_line(capsys)
    assert "space" in error or "full" in error
    (mounted / "ballast").unlink()
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", str(mounted / "lake")]) == 0
    with Lake.open(mounted / "lake") as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(3,)]


def test_a_disk_too_full_for_a_new_lake_is_said_at_once(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process waits for another process that makes the same lake, but not for disk space."""
    tries: list[int] = []

    def full(*_: object) -> None:
        tries.append(1)
        assert len(tries) < 3
        raise duckdb.TransactionException('failed to execute "COMMIT": database or disk is full')

    monkeypatch.setattr("paifu.lake.empty_catalog._kept", full)
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", place]) == 3
    assert "disk is full" in one_line(capsys)
    assert len(tries) == 1


def test_a_read_only_disk(
    mounted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    fill(str(mounted / "lake"))
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", str(mounted / "lake")]) == 3
    assert str(mounted / "lake") in one_line(capsys)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", str(mounted / "new")]) == 3
    assert "mounted/new" in one_line(capsys)
    assert run(["sql", "SELECT count(*) AS n FROM games", "--lake", str(mounted / "lake")]) == 0
    assert capsys.readouterr().out.split()[-1] == "2"


def test_a_file_that_may_not_grow_stops_the_ingest_with_a_message(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    fill(place)
    done = subprocess.run(
        [sys.executable, "-m", "paifu", "ingest", str(tmp_path / "a.mjlog"), "--lake", place],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    with Lake.open(place) as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(2,)]


def test_a_lake_whose_name_is_not_utf8(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", f"{place}\udcff"]) == 2
    assert "in UTF-8" in one_line(capsys)


@pytest.fixture
def small(tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> str:
    """A lake of one game cut off in its first round."""
    (tmp_path / "a.mjlog").write_bytes(LOG)
    assert run(["ingest", str(tmp_path / "a.mjlog"), "--lake", place]) == 0
    capsys.readouterr()
    return place


@pytest.mark.parametrize("condition", [["--since", "0001-01-01"], ["--until", "9999-12-31"]])
def test_days_at_the_ends_of_the_calendar(
    small: str, capsys: pytest.CaptureFixture[str], condition: list[str]
) -> None:
    assert run(["stats", "placement", *condition, "--lake", small]) == 2
    assert "no game was played in the year" in one_line(capsys)


def test_types_of_values_that_a_result_cannot_hold(
    tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "SELECT INTERVAL 1 DAY AS long, MAP {1: 2} AS pairs"
    assert run(["sql", query, "--lake", small, "--json"]) == 0
    assert '"pairs":{"1":2}' in capsys.readouterr().out
    file = tmp_path / "o.parquet"
    assert run(["sql", query, "--lake", small, "--parquet", str(file)]) == 2
    assert "cast it to text" in one_line(capsys)
    assert not file.exists()


@pytest.mark.parametrize("columns", [["player"], ["player", "n" * 100]])
def test_a_name_from_a_log_is_shown_not_obeyed(
    capsys: pytest.CaptureFixture[str], columns: list[str]
) -> None:
    print_folded(columns, [["\x1b[31m\n"] * len(columns)], keys=1)
    shown = capsys.readouterr().out
    assert "\\x1b[31m\\n" in shown
    assert "\x1b" not in shown


def test_lines_are_split_for_a_narrow_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "win in game 17: mismatch\n    yaku: recorded 断幺九 1, pinfu 1, computed pinfu 1"
    print_lines(text)
    assert capsys.readouterr().out == text + "\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    print_lines(text)
    assert capsys.readouterr().out.splitlines() == [
        "win in game 17: mismatch",
        "    yaku: recorded 断幺九 1,",
        "        pinfu 1, computed",
        "        pinfu 1",
    ]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_standard_input_that_is_no_text_or_closed(small: str, locale: str) -> None:
    query = [sys.executable, "-m", "paifu", "sql", "-", "--lake", small]
    binary = subprocess.run(
        query, input=b"\xff\xfe", capture_output=True, env=environment(LC_ALL=locale)
    )
    assert binary.returncode == 2
    assert b"not UTF-8 text" in binary.stderr
    closed = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *query],
        capture_output=True,
        env=environment(LC_ALL=locale),
    )
    assert closed.returncode == 2
    assert closed.stderr.startswith(b"paifu: ")
    assert closed.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", [["score", "234m067p345s88s67m", "--win", "8m"], ["rulesets"]])
def test_a_reader_that_has_gone_is_no_mistake(command: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "paifu", *command],
            stdout=pipe,
            stderr=subprocess.PIPE,
            env=environment(),
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(("free", "full"), [(0, True), (4096, False)])
def test_an_io_error_on_a_full_disk_is_the_full_disk(
    free: int, full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures.shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    error = duckdb.IOException('Failed to execute query "PRAGMA journal_mode=WAL": disk I/O error')
    for told in (failures.unusable, lambda place, _, e: failures.unwritable(place, e)):
        assert ("disk is full" in str(told(str(tmp_path), None, error))) == full
