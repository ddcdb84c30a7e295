"""Whatever writes is killed, again and again, while others read: nothing lost, nothing left."""

from __future__ import annotations

import contextlib
import itertools
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import PaifuError
from paifu.host.private_folder import leftovers
from paifu.ingestion.driver import ingest
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.schema.tables import DERIVED, MODEL_TABLES, PLAY_TABLES, TABLES
from tests.helpers.processes import environment
from tests.lake.race_workers import WHOLE, ids

AT_FIRST = 12
"""Games in the lake when the killing begins."""
COMMANDS = (
    "ingest", "rescore", "value", "compact", "compact --now", "forget", "forget --now", "ingest",
)  # fmt: skip
OF_INGEST = ("--jobs", "1", "--batch-games", "2")


def check_all_is_there(place: Path, whole: Path, gone: set[int]) -> None:
    """Check that a lake has the rows of another but for some games, and nothing left over."""
    for other in gone:
        assert run(["forget", "--game", str(other), "--lake", str(place)]) in (0, 2)
    rescore(place, jobs=1)
    assert run(["value", "--lake", str(place)]) == 0
    with Lake.open(place) as lake, Lake.open(whole) as afresh:
        for name in (*PLAY_TABLES, *DERIVED):
            if "game_id" not in TABLES[name].names:
                continue
            columns = "* EXCLUDE (source_id)" if name == "games" else "*"
            query = f"""SELECT count(*), sum(hash(t)::HUGEINT) FROM (
                SELECT {columns} FROM {name} WHERE game_id NOT IN (SELECT unnest($gone::BIGINT[]))
            ) AS t"""
            theirs = afresh.sql(query, gone=list(gone)).fetchall()
            assert lake.sql(query, gone=list(gone)).fetchall() == theirs, name
        assert not set(ids(place)) & gone
        assert orphans(lake.connection, lake.store) == []
    assert inspect(place, deep=True).damage == []


@pytest.mark.parametrize(
    ("kills", "games", "longest_s"),
    [(1, 18, 1.0), pytest.param(100, 32, 4.0, marks=pytest.mark.slow)],
)
def test_writers_that_are_killed_leave_whole_games_to_all_who_read(
    simulated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int, games: int,
    longest_s: float,
) -> None:  # fmt: skip
    """A command is killed at most ``longest_s`` after it began to write."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    logs = sorted(simulated.rglob("*.mjlog"))[:games]
    base, whole = tmp_path / "base", tmp_path / "whole"
    ingest(logs[:AT_FIRST], base, jobs=1)
    rescore(base, jobs=1)
    first = ids(base)
    shutil.copytree(base, whole)
    ingest(logs, whole, jobs=1)
    rescore(whole, jobs=1)
    assert run(["value", "--lake", str(whole)]) == 0
    place = shutil.copytree(base, tmp_path / "lake 0")
    chance, stop, number = random.Random(1868), threading.Event(), itertools.count(1)
    wrong: list[str] = []
    looks = 0

    def read() -> None:
        nonlocal looks
        while not stop.wait(0.2):
            try:
                with Lake.open(place) as lake:
                    rows = lake.sql(WHOLE).fetchall()
                wrong.extend(f"game {game} is not whole" for game, good in rows if not good)
            except PaifuError as error:
                wrong.append(str(error))
            looks += 1

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    killed: Counter[str] = Counter()
    gone: set[int] = set()
    try:
        while killed.total() < kills:
            command = COMMANDS[killed.total() % len(COMMANDS)]
            if command.startswith("forget"):
                gone.add(game := chance.choice(first))
                arguments = ["--game", str(game)]
            else:
                arguments = [*map(str, logs), *OF_INGEST] if command == "ingest" else []
            process = start(*command.split(), *arguments, "--lake", str(place))
            if kill(process, place, chance.uniform(0, longest_s)):
                killed[command] += 1
            assert "Traceback" not in process.communicate()[1]
            if process.returncode == 0 and command == "ingest":  # all is there: from the beginning
                check_all_is_there(place, whole, gone)
                gone = set()
                place = shutil.copytree(base, tmp_path / f"lake {next(number)}")
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    ingest(logs, place, jobs=1)
    check_all_is_there(place, whole, gone)
    last = start("compact", "--now", "--lake", str(place))
    assert "Traceback" not in last.communicate()[1]
    assert last.returncode == 0
    assert leftovers() == []
    print(f"{dict(killed)} killed, {looks} reads beside them, {len(wrong)} wrong or refused")
    assert wrong == []
    assert looks


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start a command of paifu in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "paifu", *arguments], env=environment(), text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def kill(process: subprocess.Popen[str], place: Path, after_s: float) -> bool:
    """Kill a process some time after it began to write; return whether it was still running."""
    before = set(place.glob("locks/writer-*"))
    while process.poll() is None and not set(place.glob("locks/writer-*")) - before:
        time.sleep(0.01)  # importing takes a while
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after_s)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def make_older(place: Path) -> None:
    """Make a lake one of schema 3."""
    with Lake.open(place, write=True) as lake:
        for table in ("computed_results", "round_values", *MODEL_TABLES):
            lake.connection.execute(f"DROP TABLE {table}")
        for table in ("verdicts", "verdict_fields", "scored_wins", "scored_yaku"):
            lake.connection.execute(f"UPDATE {table} SET ruleset_hash = ruleset_hash + 1")
        lake.connection.execute("UPDATE lake_info SET value = '3' WHERE key = 'schema_version'")


def damage(place: Path) -> None:
    """Change a byte in files of three tables."""
    for table in ("wins", "round_seats", "verdicts"):
        file = min(place.glob(f"data/main/{table}/*.parquet"))
        content = bytearray(file.read_bytes())
        content[len(content) // 3] ^= 1
        file.write_bytes(content)


def commented(place: Path) -> set[tuple[str, str]]:
    """Return the columns of a lake that have a comment."""
    query = "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NOT NULL"
    with Lake.open(place) as lake:
        return set(lake.sql(query).fetchall())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "change"), [("upgrade", make_older), ("doctor --deep --mend", damage)]
)
def test_an_upgrade_or_a_repair_that_is_killed_ends_the_next_time(
    simulated: Path, tmp_path: Path, command: str, change: Callable[[Path], None]
) -> None:
    logs = sorted(simulated.rglob("*.mjlog"))[:AT_FIRST]
    whole, changed = tmp_path / "whole", tmp_path / "changed"
    ingest(logs, whole, jobs=1)
    rescore(whole, jobs=1)
    assert run(["value", "--lake", str(whole)]) == 0
    change(shutil.copytree(whole, changed))
    chance, killed, kills = random.Random(1868), 0, 15
    arguments = (*command.split(), "--lake")
    for number in range(kills):
        place = shutil.copytree(changed, tmp_path / f"lake {number}")
        killed += kill(start(*arguments, str(place)), place, chance.uniform(0, 1.5))
        assert "Traceback" not in start(*arguments, str(place)).communicate()[1]
        ingest(logs, place, jobs=1)
        check_all_is_there(place, whole, set())
        assert commented(place) == commented(whole)
    print(f"{killed} of {kills} killed")
