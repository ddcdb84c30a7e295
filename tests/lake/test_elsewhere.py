"""A lake beyond one machine: its catalog in PostgreSQL, its files in an S3-compatible store."""

from __future__ import annotations

import contextlib
import multiprocessing as mp
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import LakeError
from paifu.ingestion.committer import Committer
from paifu.ingestion.driver import ingest
from paifu.lake.compact import compact
from paifu.lake.files import files
from paifu.lake.forget import for_good, forget_player
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.lake.location import Location
from paifu.lake.upgrade import upgrade
from paifu.query.open_lake import open_lake
from paifu.schema.tables import TABLES
from paifu.schema.views import VIEWS
from paifu.stores.buckets import Bucket
from paifu.stores.store import Store
from tests.helpers.processes import environment
from tests.helpers.servers import BUCKET, KEY, PASSWORD, SECRET, Servers, faulty, free_port
from tests.helpers.synthetic import ACTIONS, Game, Sources
from tests.lake.lake_workers import create, watch

SPAWN = mp.get_context("spawn")
LOGS = 6
"""Simulated logs that these tests store."""
BATCHES, BATCH = 15, 100
"""How many batches each of several writers commits, and the games of each."""
KILLS = 30
COMMANDS = ("ingest", "rescore", "compact")
"""What is killed."""
WHOLE = """
    SELECT game_id, games.rounds = count(DISTINCT r.round_index)
    FROM games LEFT JOIN rounds AS r USING (game_id) GROUP BY game_id, games.rounds
"""
WRITERS = "SELECT name FROM paifu_writers"


def bring(place: Path, writer: int, batches: int) -> None:
    """Bring batches of games, each in a transaction, while others do so."""
    sources = Sources()
    with Lake.open(place, write=True) as lake:
        for batch in range(batches):
            start = (writer * batches + batch) * BATCH
            games = [Game(start + i, deal=start + i, light=True) for i in range(BATCH)]
            content = f"{writer} {batch}".encode()
            Committer(lake).commit(sources.prepared(games, content))


def rows(lake: Lake, table: str) -> list[tuple[object, ...]]:
    """Return the rows of a table, except when they came in."""
    times = {"ingested_at", "scored_at", "forgotten_at", "created_at"}
    columns = ", ".join(f'"{c.name}"' for c in TABLES[table].columns if c.name not in times)
    return sorted(lake.sql(f"SELECT {columns} FROM {table}").fetchall(), key=repr)


@pytest.fixture(scope="module")
def logs(simulated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for path in sorted(simulated.rglob("*.mjlog"))[:LOGS]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def alike(
    running_servers: Servers, logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, Path]]:
    """A lake on the servers, and one in a folder, of the same logs, both re-scored."""
    folder = tmp_path_factory.mktemp("lakes")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in running_servers.settings().items():
            patch.setenv(name, value)
        there, here = running_servers.lake(folder, "alike"), folder / "lake"
        for place in (there, here):
            ingest(logs, place, jobs=1)
            rescore(place, jobs=1)
        yield there, here


def test_a_lake_elsewhere_has_the_same_rows(servers: Servers, alike: tuple[Path, Path]) -> None:
    there, here = alike
    with Lake.open(there) as far, Lake.open(here) as near:
        assert far.store.address == f"s3://{BUCKET}/alike/"
        for table in TABLES:
            assert rows(far, table) == rows(near, table), table
        for view in VIEWS:
            count = f"SELECT count(*) FROM {view}"
            assert far.sql(count).fetchall() == near.sql(count).fetchall(), view
        comments = "SELECT table_name, column_name, comment FROM duckdb_columns() ORDER BY ALL"
        assert far.sql(comments).fetchall() == near.sql(comments).fetchall()
    assert not list(Path(there).parent.glob("s3*"))
    tables = {table for (table,) in servers.rows("alike", "SELECT relname FROM pg_class")}
    assert {"ducklake_data_file", "paifu_files", "paifu_writers"} <= tables


def test_questions_are_answered_there(
    servers: Servers, alike: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        ["sql", "SELECT count(*) AS n, sum(points) AS p FROM win_facts"],
        ["stats", "wins"],
        ["info"],
    ):
        said = []
        for place in alike:
            assert run([*command, "--json", "--lake", str(place)]) == 0
            said.append(capsys.readouterr().out.replace(str(place), "LAKE"))
        assert command == ["info"] or said[0] == said[1]
    with open_lake(alike[0], locked=True) as lake:
        (game,) = lake.sql("SELECT min(game_id) FROM games").fetchall()[0]
        with pytest.raises(Exception, match=r"not allowed|disabled|Permission"):
            lake.connection.execute(f"FROM read_parquet('s3://{BUCKET}/other/x.parquet')")
    assert run(["show", str(game), "--lake", str(alike[0])]) == 0
    assert "agree under tenhou-" in capsys.readouterr().out


def test_games_are_exported_from_there(
    servers: Servers, alike: tuple[Path, Path], tmp_path: Path
) -> None:
    exported = []
    for place in alike:
        out = tmp_path / place.stem
        for options in (["mjai"], ["csv", "--table", "wins"]):
            command = ["export", "--lake", str(place), "--out", str(out), "--format", *options]
            assert run(command) == 0
        exported.append({f.name: sorted(f.read_bytes().splitlines()) for f in out.iterdir()})
    assert exported[0] == exported[1]
    assert len(exported[0]) == LOGS + 1


@pytest.mark.slow
def test_values_pages_and_mending_there(
    servers: Servers, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, site = servers.lake(tmp_path, "valued"), tmp_path / "site"
    lake = ["--lake", str(place)]
    ingest(logs, place, jobs=1)
    rescore(place, jobs=1)
    assert run(["value", "--jobs", "1", *lake]) == 0
    assert run(["report", "standings", "--out", str(site), *lake]) == 0
    pages = [page.read_text("utf-8") for page in site.rglob("*.html")]
    assert pages
    assert not any(secret in page for page in pages for secret in (PASSWORD, KEY, SECRET))
    with Lake.open(place, write=True) as opened:
        valued = opened.sql("SELECT count(DISTINCT game_id) FROM round_values").fetchall()
        assert valued == [(LOGS,)]
        (lost,) = (file for file in files(opened.connection) if file.table == "wins")
        opened.store.delete([lost.path])
    assert run(["doctor", *lake]) == 3
    said = capsys.readouterr()
    assert "is missing" in said.out
    assert f"s3://{BUCKET}/valued/" in said.err
    assert run(["doctor", "--mend", *lake]) == 0
    assert run(["ingest", str(logs), "--jobs", "1", *lake]) == 0
    assert run(["rescore", "--jobs", "1", *lake]) == 0
    assert run(["value", "--jobs", "1", *lake]) == 0
    found = inspect(place, deep=True)
    assert (found.games, found.damage) == (LOGS, [])


def test_a_reader_needs_no_setting_but_the_keys(
    servers: Servers, alike: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", servers.endpoint)
    monkeypatch.delenv("PAIFU_DATA_PATH", raising=False)
    with Lake.open(f"ducklake:postgres:{servers.target('alike')}") as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(LOGS,)]


def test_keys_of_duckdbs_secrets(
    servers: Servers, alike: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import duckdb

    from paifu.host.duckdb_extensions import STORE, extension_file
    from paifu.stores import buckets

    monkeypatch.setenv("HOME", str(tmp_path))
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as connection:
        connection.load_extension(str(extension_file(STORE)))
        connection.execute(
            f"CREATE PERSISTENT SECRET mine (TYPE s3, KEY_ID '{KEY}', SECRET '{SECRET}')"
        )
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    buckets._of_duckdb.cache_clear()
    try:
        found = buckets.keys_for(buckets.Bucket.of(f"s3://{BUCKET}/"))
        with Lake.open(alike[0]) as lake:
            assert lake.sql("SELECT count(*) FROM games").fetchall() == [(LOGS,)]
            assert lake.store.list()
    finally:
        buckets._of_duckdb.cache_clear()
    assert (found.key, found.secret) == (KEY, SECRET)
    assert KEY not in repr(found)


@pytest.mark.slow
def test_what_changes_a_lake(servers: Servers, tmp_path: Path) -> None:
    place = servers.lake(tmp_path, "changed")
    sources = Sources()
    with Lake.open(place, create=True) as lake, Lake.open(place) as before:
        for start in (0, 10):
            games = [
                Game(start + i, deal=start + i, players=("a", "b", "c", "d")) for i in range(20)
            ]
            Committer(lake).commit(sources.prepared(games))
        assert before.sql("SELECT count(*) FROM games").fetchall() == [(0,)]
        assert forget_player(lake, "b") == 30
        assert for_good(lake) is not None
    assert b"\0" not in place.read_bytes()
    with Lake.open(place, write=True) as lake:
        done = compact(lake, now=True)
        assert done.kept_until is None
        assert done.after.files <= len(TABLES)
        assert upgrade(lake)[0] == upgrade(lake)[1]
        count = "SELECT count(*), (SELECT count(*) FROM actions) FROM games"
        assert lake.sql(count).fetchall() == [(30, 30 * ACTIONS)]
        assert lake.sql("SELECT DISTINCT player FROM seats ORDER BY 1").fetchall() == [
            ("a",), ("c",), ("d",), (None,),
        ]  # fmt: skip
        assert orphans(lake.connection, lake.store) == []
    found = inspect(place, deep=True)
    assert (found.bad, found.games, found.undigested) == ([], 30, 0)


def test_dead_rows_of_a_forgotten_name_are_vacuumed(servers: Servers, tmp_path: Path) -> None:
    place = servers.lake(tmp_path, "vacuumed")
    with Lake.open(place, create=True) as lake:
        games = [Game(i, deal=i, players=("a", "zebra", "c", "d")) for i in range(3)]
        Committer(lake).commit(Sources().prepared(games))
        forget_player(lake, "zebra")
        for_good(lake, now=True)
        assert "purge" not in dict(lake.sql("SELECT key, value FROM lake_info").fetchall())
    servers.rows("vacuumed", "CHECKPOINT")
    (oid,) = servers.rows("vacuumed", "SELECT oid FROM pg_database WHERE datname = 'vacuumed'")[0]
    files = [path for path in (servers.folder / "base" / str(oid)).iterdir() if path.is_file()]
    assert files
    assert not [path for path in files if b"zebra" in path.read_bytes()]


@pytest.mark.slow
@pytest.mark.usefixtures("all_processors")
def test_four_processes_may_make_one_lake(servers: Servers, tmp_path: Path) -> None:
    place = servers.lake(tmp_path, "four")
    barrier, results = SPAWN.Barrier(4), SPAWN.Queue()
    processes = [SPAWN.Process(target=create, args=(place, n, barrier, results)) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    assert {results.get(timeout=10) for _ in processes} == {0, 1, 2, 3}
    with Lake.open(place) as lake:
        assert lake.sql("SELECT game_id FROM games ORDER BY 1").fetchall() == [
            (n,) for n in (1, 2, 3, 4, 5)
        ]
        assert lake.sql("SELECT count(*) FROM lake_info WHERE key = 'commits'").fetchall() == [(1,)]


def test_what_a_dead_writer_left_is_removed(servers: Servers, tmp_path: Path) -> None:
    place = servers.lake(tmp_path, "left")
    lake = Lake.open(place, create=True)
    staged = lake.new_stage()
    staged.append(Sources().prepared([Game(1)]).tables)
    staged.finish()
    assert len(list(lake.store.list(pattern="*.parquet"))) == len(staged.files)
    with Lake.open(place, write=True) as other:  # the writer is alive: its files are kept
        assert len(orphans(other.connection, other.store)) == len(staged.files)
    lake.locks._session.close()  # type: ignore[attr-defined]  # as when its machine is lost
    with Lake.open(place, write=True) as other:
        assert orphans(other.connection, other.store) == []
        assert servers.rows("left", "SELECT name FROM paifu_writers") == [(other.locks.name,)]
    lake.close()


# --- many at once, and killed ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("all_processors")
def test_four_writers_of_small_batches(servers: Servers, tmp_path: Path) -> None:
    place = servers.lake(tmp_path, "crowded")
    Lake.open(place, create=True).close()
    stop, seen = SPAWN.Event(), SPAWN.Queue()
    reader = SPAWN.Process(target=watch, args=(place, stop, seen))
    reader.start()
    writers = [SPAWN.Process(target=bring, args=(place, n, BATCHES)) for n in range(4)]
    for process in writers:
        process.start()
    for process in writers:
        process.join(600)
        assert process.exitcode == 0
    stop.set()
    looks, torn = seen.get(timeout=60)
    reader.join(60)
    assert looks
    assert not torn
    with Lake.open(place) as lake:
        games = 4 * BATCHES * BATCH
        for table, each in (("games", 1), ("seats", 4), ("actions", ACTIONS)):
            query = f"SELECT count(*), count(DISTINCT game_id) FROM {table}"
            assert lake.sql(query).fetchall() == [(games * each, games)], table


@pytest.mark.slow
@pytest.mark.usefixtures("all_processors")
def test_writers_that_are_killed(
    servers: Servers, logs: Path, alike: tuple[Path, Path], tmp_path: Path
) -> None:
    place = servers.lake(tmp_path, "killed")
    first = min(logs.iterdir())
    ingest(first, place, jobs=1)
    chance = random.Random(1868)
    wrong: list[str] = []
    killed = 0
    while killed < KILLS:
        command = COMMANDS[killed % len(COMMANDS)]
        arguments = [str(logs), "--batch-games", "1", "--refresh"] if command == "ingest" else []
        process = subprocess.Popen(
            [sys.executable, "-m", "paifu", command, *arguments, "--lake", str(place)],
            env=environment(), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        query = "SELECT count(*) FROM paifu_writers"
        deadline = time.monotonic() + 120
        while process.poll() is None and servers.rows(place.stem, query) == [(0,)]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0, 3))
        process.send_signal(signal.SIGKILL)
        killed += 1
        assert "Traceback" not in process.communicate()[1]
        with Lake.open(place) as lake:
            found = lake.sql(WHOLE).fetchall()
            wrong += [f"game {game} is not whole" for game, whole in found if not whole]
    assert wrong == []
    ingest(logs, place, jobs=1)
    rescore(place, jobs=1)
    with Lake.open(place, write=True) as lake:
        compact(lake, now=True)
        assert orphans(lake.connection, lake.store) == []
        assert lake.locks.name in {name for (name,) in servers.rows(place.stem, WRITERS)}
    found = inspect(place, deep=True)
    assert (found.games, found.damage) == (LOGS, [])
    with Lake.open(place) as far, Lake.open(alike[1]) as near:
        for table in ("games", "actions", "wins", "verdicts"):
            count = f"SELECT count(*), count(DISTINCT game_id) FROM {table}"
            assert far.sql(count).fetchall() == near.sql(count).fetchall(), table


# --- sources --------------------------------------------------------------------------------------


def test_logs_of_an_object_store_are_sources(
    servers: Servers, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", servers.endpoint)
    bucket = Store(f"s3://{BUCKET}/", Bucket.of(f"s3://{BUCKET}/"))
    files = sorted(logs.iterdir())
    packed = tmp_path / "all.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in files[3:]:
            archive.write(path, path.name)
    for name, content in [(f.name, f.read_bytes()) for f in files[:3]] + [
        ("deep/all.zip", packed.read_bytes())
    ]:
        sink = bucket.write(f"logs/2026/{name}")
        sink.write(content)
        sink.close()
    place = servers.lake(tmp_path, "sourced", data=f"s3://{BUCKET}/logs/lake/")
    done = ingest(f"s3://{BUCKET}/logs", place, jobs=1)
    assert (done.sources, done.games) == (4, LOGS)
    assert ingest(f"s3://{BUCKET}/logs/", place, jobs=1).sources == 4  # not the lake's own files
    one = ingest(f"s3://{BUCKET}/logs/2026/{files[0].name}", tmp_path / "here", jobs=1)
    assert (one.sources, one.games) == (1, 1)
    with Lake.open(place) as lake:
        assert lake.sql("SELECT min(path), count(sha256) FROM sources").fetchall() == [
            (f"s3://{BUCKET}/logs/2026/{files[0].name}", 4)
        ]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"s3://{BUCKET}/nothing/here", "there is no file or folder"),
        ("s3://nobodys/logs", "there is no such bucket"),
        ("s3://", "is not an address such as s3://bucket/folder/"),
    ],
)
def test_sources_of_a_store_that_are_not_there(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], source: str, said: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("AWS_ENDPOINT_URL", servers.endpoint)
    assert run(["ingest", source, "--lake", str(tmp_path / "lake")]) == 3
    assert said in one_line(capsys)
    assert not (tmp_path / "lake").exists()


# --- bad input ------------------------------------------------------------------------------------


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the only line of an error, which tells nobody a key."""
    said = capsys.readouterr()
    assert all(secret not in said.out + said.err for secret in (PASSWORD, KEY, SECRET))
    (line,) = said.err.strip().splitlines()
    assert line.startswith("paifu: ")
    return line


def sql(place: Path | str) -> int:
    return run(["sql", "SELECT count(*) FROM games", "--lake", str(place)])


def test_a_catalog_that_cannot_be_reached(
    servers: Servers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = f"host=127.0.0.1 port={free_port()} user=paifu dbname=games password={PASSWORD}"
    assert sql(f"ducklake:postgres:{nobody}") == 3
    assert "cannot be reached" in one_line(capsys)
    (tmp_path / "log.mjlog").write_bytes(b"<mjloggm/>")
    place = servers.lake(tmp_path, "there", catalog=f"postgres:{servers.target('nowhere')}")
    assert run(["ingest", str(tmp_path / "log.mjlog"), "--lake", str(place)]) == 3
    assert 'database "nowhere" does not exist' in one_line(capsys)


def test_a_wrong_password(
    servers: Servers, alike: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("PGPASSWORD", "wrong-one")
    assert sql(alike[0]) == 3
    line = one_line(capsys)
    assert "password authentication failed" in line
    assert "wrong-one" not in line


def test_a_store_that_cannot_be_reached(
    servers: Servers, alike: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = alike[0].read_text().replace(servers.endpoint, f"http://127.0.0.1:{free_port()}")
    (tmp_path / "away.toml").write_text(away)
    assert sql(tmp_path / "away.toml") == 3
    assert "the store cannot be reached" in one_line(capsys)


def test_a_bucket_that_is_not_there(
    servers: Servers, tmp_path: Path, logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = servers.lake(tmp_path, "bucketless", data="s3://nobodys/lake/")
    assert run(["ingest", str(logs), "--jobs", "1", "--lake", str(place)]) == 3
    assert "s3://nobodys/lake/: there is no such bucket" in one_line(capsys)


def test_wrong_keys(
    servers: Servers, alike: tuple[Path, Path], tmp_path: Path, logs: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with faulty(servers.endpoint) as store:
        store.key = KEY
        guarded = tmp_path / "guarded.toml"
        guarded.write_text(alike[0].read_text().replace(servers.endpoint, store.endpoint))
        assert sql(guarded) == 0
        capsys.readouterr()
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAWRONG")
        assert sql(guarded) == 3
        line = one_line(capsys)
        assert "AWS_ACCESS_KEY_ID" in line
        assert "AKIAWRONG" not in line
        assert run(["ingest", str(logs), "--refresh", "--jobs", "1", "--lake", str(guarded)]) == 3
        assert "AWS_ACCESS_KEY_ID" in one_line(capsys)


@pytest.mark.slow
def test_a_store_that_fails_midway_loses_nothing(
    servers: Servers, tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("paifu.stores.buckets._ATTEMPTS", 1)
    with faulty(servers.endpoint) as store:
        place = servers.lake(tmp_path, "failing", endpoint=store.endpoint)
        command = ["ingest", str(logs), "--jobs", "1", "--batch-games", "2", "--lake", str(place)]
        assert run([*command[:1], str(next(logs.iterdir())), *command[2:]]) == 0
        capsys.readouterr()
        store.writes = 20  # in the middle of a batch
        assert run(command) == 3
        assert store.failed
        line = one_line(capsys)
        assert f"s3://{BUCKET}/failing/" in line
        store.writes = -1
        with Lake.open(place) as lake:
            (games,) = lake.sql("SELECT count(*) FROM games").fetchall()[0]
            assert 1 <= games < LOGS
        assert run(command) == 0
        found = inspect(place, deep=True)
        assert (found.games, found.damage) == (LOGS, [])
        with Lake.open(place) as lake:
            assert orphans(lake.connection, lake.store) == []


def test_two_lakes_cannot_share_their_files(servers: Servers, tmp_path: Path) -> None:
    first = servers.lake(tmp_path, "first")
    Lake.open(first, create=True).close()
    second = servers.lake(tmp_path, "second", data=f"s3://{BUCKET}/first/")
    with pytest.raises(LakeError, match="a place of their own"):
        Lake.open(second, create=True)
    third = servers.lake(tmp_path, "third", data=f"s3://{BUCKET}/third/")
    with Lake.open(third, create=True) as lake:
        lake.store.write("paifu-another.lake").close()  # both were made in the same moment
        lake.store.write("main/games/foreign.parquet").close()
        from datetime import timedelta

        from paifu.lake.leftovers import sweep_old

        with pytest.raises(LakeError, match="files of another lake"):
            sweep_old(lake.connection, lake.store, timedelta(0))
        assert [f.path for f in lake.store.list(pattern="foreign*")] == [
            "main/games/foreign.parquet"
        ]


def test_data_elsewhere_than_the_catalog_says(servers: Servers, alike: tuple[Path, Path]) -> None:
    moved = alike[0].with_name("moved.toml")
    moved.write_text(alike[0].read_text().replace("/alike/", "/moved/"))
    with pytest.raises(LakeError, match=f"at s3://{BUCKET}/alike/, not at s3://{BUCKET}/moved/"):
        Lake.open(moved)


def test_the_place_of_a_lake_shows_no_password() -> None:
    for text in (
        f"ducklake:postgres:dbname=games password={PASSWORD}",
        f"ducklake:postgres:postgresql://me:{PASSWORD}@db/games",
        f"ducklake:postgresql://db/games?user=me&password={PASSWORD}",
    ):
        where = Location.of(text)
        assert PASSWORD not in where.place + where.name + where.catalog.name
