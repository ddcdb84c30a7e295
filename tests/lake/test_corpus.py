"""Real logs in a lake: every table is filled and consistent, and nothing is stored twice."""

from __future__ import annotations

import gzip
import io
import random
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import paifu
from paifu.errors import LakeError
from paifu.lake.connection import CATALOG
from paifu.lake.lake import Lake
from paifu.schema.tables import DERIVED, PLAY_TABLES, TABLES
from tests.helpers.processes import environment

EVERY = 12
"""The ordinary tests read one log in so many."""

FILLED = [name for name in PLAY_TABLES if name != "flags"] + ["sources"]


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[Path]:
    return [
        path
        for folder in ("mjlog", "mjlog3p")
        for path in sorted((corpus / folder).iterdir())[::EVERY]
    ] + sorted((corpus / "mjlog_partial").iterdir())[::4]


@pytest.fixture(scope="module")
def place(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "lake"
    summary = paifu.ingest(logs, folder, batch_games=100)
    assert summary.sources == len(logs)
    assert summary.rejected == 0
    assert summary.games + summary.skipped + summary.superseded == len(logs)
    return folder


@pytest.fixture(scope="module")
def lake(place: Path) -> Iterator[Lake]:
    with Lake.open(place) as opened:
        yield opened


def none(lake: Lake, query: str) -> None:
    """Assert that a query finds nothing."""
    rows = lake.sql(f"{query} LIMIT 3").fetchall()
    assert not rows, f"{query}: {rows}"


@pytest.mark.parametrize("name", FILLED)
def test_every_table_is_filled_with_unique_keys_and_no_null_where_none_may_be(
    lake: Lake, name: str
) -> None:
    table = TABLES[name]
    key = ", ".join(f'"{column}"' for column in table.key)
    none(lake, f"SELECT {key} FROM {name} GROUP BY ALL HAVING count(*) > 1")
    filled = [column.name for column in table.columns if not column.nullable]
    counts = ", ".join(f'count("{column}")' for column in filled)
    ((rows, *values),) = lake.sql(f"SELECT count(*), {counts} FROM {name}").fetchall()
    assert rows > 0
    assert {c: rows - n for c, n in zip(filled, values, strict=True) if n < rows} == {}


@pytest.mark.parametrize("name", sorted({*PLAY_TABLES, *DERIVED} - {"games"}))
def test_no_row_is_of_a_game_that_is_not_there(lake: Lake, name: str) -> None:
    none(lake, f"SELECT game_id FROM {name} ANTI JOIN games USING (game_id)")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM games ANTI JOIN sources USING (source_id)",
        """SELECT game_id FROM games JOIN seats USING (game_id)
        GROUP BY game_id, players HAVING count(*) <> players""",
        """SELECT game_id FROM games JOIN rounds USING (game_id)
        GROUP BY game_id, games.rounds HAVING count(*) <> games.rounds""",
        """SELECT game_id, round_index FROM games JOIN round_seats USING (game_id)
        GROUP BY game_id, round_index, games.players HAVING count(*) <> games.players""",
        """SELECT game_id, round_index FROM actions ANTI JOIN rounds
        USING (game_id, round_index)""",
        """SELECT game_id, round_index FROM wins JOIN rounds USING (game_id, round_index)
        WHERE outcome NOT IN ('tsumo', 'ron', 'double_ron', 'triple_ron')""",
        """SELECT game_id, round_index, outcome, count(win_index) AS n
        FROM rounds LEFT JOIN wins USING (game_id, round_index) GROUP BY ALL
        HAVING n <> CASE outcome WHEN 'tsumo' THEN 1 WHEN 'ron' THEN 1 WHEN 'double_ron' THEN 2
            WHEN 'triple_ron' THEN 3 ELSE 0 END""",
        """SELECT game_id, round_index FROM win_yaku ANTI JOIN wins
        USING (game_id, round_index, win_index)""",
        """SELECT game_id, a.round_index, seat FROM round_seats AS a JOIN round_seats AS b
        USING (game_id, seat) JOIN games USING (game_id)
        WHERE b.round_index = a.round_index + 1 AND b.points_start <> a.points_end
            AND len(flags) = 0""",
        """SELECT game_id, round_index, sum(delta) AS moved FROM round_seats
        JOIN rounds USING (game_id, round_index) JOIN games USING (game_id)
        WHERE complete AND len(flags) = 0 GROUP BY game_id, round_index, sticks, sticks_end
        HAVING moved <> 1000 * (sticks - sticks_end)""",
        """SELECT game_id, round_index, seq FROM wins ANTI JOIN actions
        USING (game_id, round_index, seq)""",
        """SELECT game_id, round_index, seq FROM discard_risks ANTI JOIN actions
        USING (game_id, round_index, seq, seat, tile)""",
        """SELECT game_id FROM games JOIN seats USING (game_id) WHERE complete
        GROUP BY game_id, players
        HAVING list_sort(list(placement)) <> list_transform(range(1, players + 1), x -> x)""",
    ],
)
def test_tables_agree_with_each_other(lake: Lake, query: str) -> None:
    none(lake, query)


def test_views_offer_what_is_recorded(lake: Lake) -> None:
    wins = lake.sql("SELECT count(*) FROM wins").fetchall()
    assert lake.sql("SELECT count(*) FROM win_facts WHERE source = 'recorded'").fetchall() == wins
    assert (
        lake.sql("SELECT count(*) FROM yaku_facts").fetchall()
        == lake.sql("SELECT count(*) FROM win_yaku").fetchall()
    )


def content(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def packed(logs: list[Path], kind: str, folder: Path) -> Path:
    """Return an archive of some logs."""
    out = folder / f"logs.{kind}"
    match kind:
        case "zip":
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                for log in logs:
                    archive.writestr(log.name, content(log))
        case "zip of gzip":
            with zipfile.ZipFile(out, "w") as archive:
                for log in logs:
                    archive.writestr(f"{log.name}.gz", gzip.compress(content(log)))
        case "tar.gz":
            with tarfile.open(out, "w:gz") as archive:
                for log in logs:
                    info = tarfile.TarInfo(f"2019/{log.name}")
                    info.size = len(content(log))
                    archive.addfile(info, io.BytesIO(content(log)))
        case "folder of gzip":
            out.mkdir()
            for log in logs:
                (out / f"{log.name}.gz").write_bytes(gzip.compress(content(log), mtime=7))
        case "sqlite":
            with sqlite3.connect(out) as database:
                database.execute("CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT, log BLOB)")
                database.executemany(
                    "INSERT INTO logs VALUES (?, '2019-01-01', ?)",
                    [(log.stem, gzip.compress(content(log))) for log in logs],
                )
    return out


@pytest.fixture(scope="module")
def before(place: Path) -> dict[str, tuple[object, ...]]:
    """The rows of the lake except those of table ``sources``."""
    return tables(place, without=("sources",))


@pytest.mark.parametrize("kind", ["zip", "zip of gzip", "tar.gz", "folder of gzip", "sqlite"])
def test_the_same_logs_packed_otherwise_add_nothing(
    logs: list[Path],
    place: Path,
    before: dict[str, tuple[object, ...]],
    tmp_path: Path,
    kind: str,
) -> None:
    some = logs[::9]
    summary = paifu.ingest(packed(some, kind, tmp_path), place, jobs=1)
    assert summary.games == 0
    assert summary.rejected == 0
    assert summary.skipped + summary.superseded == len(some)
    assert tables(place, without=("sources",)) == before


def test_ingesting_again_adds_nothing(logs: list[Path], place: Path) -> None:
    before = tables(place)
    summary = paifu.ingest(logs, place)
    assert (summary.games, summary.rejected) == (0, 0)
    assert summary.skipped > 0
    assert tables(place) == before


def tables(place: Path, without: tuple[str, ...] = ()) -> dict[str, tuple[object, ...]]:
    """Return a fingerprint of the rows of each table, independent of their order and read time."""
    found = {}
    with Lake.open(place) as lake:
        for name in (*PLAY_TABLES, "sources", "rejects"):
            if name not in without:
                kept = "* EXCLUDE (ingested_at)" if name in ("sources", "rejects") else "*"
                found[name] = lake.sql(
                    f"SELECT count(*), sum(hash(t)::HUGEINT) FROM (SELECT {kept} FROM {name}) AS t"
                ).fetchall()[0]
    return found


@pytest.mark.slow
def test_killed_at_any_moment_and_run_again_gives_equal_rows(
    logs: list[Path], tmp_path: Path
) -> None:
    kills, games = 20, 96
    some = packed(logs[:games], "zip", tmp_path)
    whole = tmp_path / "whole"
    paifu.ingest(some, whole, jobs=1, batch_games=8)
    command = [sys.executable, "-m", "paifu", "ingest", str(some), "--lake"]
    options = ["--batch-games", "8", "--jobs", "1"]
    chance = random.Random(2019)
    place = tmp_path / "killed"
    started = time.monotonic()
    subprocess.run(
        [*command, str(tmp_path / "timed"), *options], check=True, env=environment(),
        capture_output=True,
    )  # fmt: skip
    duration = time.monotonic() - started
    killed = 0
    while killed < kills:
        process = subprocess.Popen(
            [*command, str(place), *options], env=environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            process.wait(chance.uniform(0.3, 0.9) * duration)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            if (place / "catalog.sqlite").exists():
                check_whole_games(place)
        else:  # a run has reached its end: begin again, and kill it sooner
            assert tables(place) == tables(whole)
            place = tmp_path / f"after {killed} kills"
            duration *= 0.8
    subprocess.run([*command, str(place), *options], check=True, env=environment())
    assert tables(place) == tables(whole)


def opened(place: Path) -> Lake | None:
    """Open a lake whose writer was killed; None if that was before the lake was made."""
    try:
        return Lake.open(place)
    except LakeError as error:
        if "is empty" in str(error) or "not a lake" in str(error):
            return None
        raise


def check_whole_games(place: Path) -> None:
    """Check that every game of a lake whose writer was killed has all its rows."""
    if (lake := opened(place)) is None:
        return
    with lake:
        for table in ("seats", "rounds", "round_seats", "actions"):
            none(lake, f"SELECT game_id FROM games ANTI JOIN {table} USING (game_id)")
            none(lake, f"SELECT game_id FROM {table} ANTI JOIN games USING (game_id)")


def start_ingest(place: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start an ingest in a separate process and return the process when the lake exists."""
    process = subprocess.Popen(
        [sys.executable, "-m", "paifu", "ingest", *map(str, arguments), "--lake", str(place)],
        env=environment(),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not (place / "catalog.sqlite").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


def check_nothing_is_left_behind(lake: Lake) -> int:
    """Check that a lake has exactly the files in its catalog; return how many games it has."""
    with lake:
        games = lake.sql("SELECT * FROM games").fetchall()
        kept = {
            Path(file).name
            for table in TABLES
            for (file,) in lake.connection.execute(
                f"SELECT data_file FROM ducklake_list_files('{CATALOG}', '{table}')"
            ).fetchall()
        }
    assert {file.name for file in Path(lake.location.text).rglob("*.parquet")} == kept
    return len(games)


@pytest.mark.usefixtures("signals_heard", "all_processors")
@pytest.mark.parametrize(
    "after", [0, 0.6, *(pytest.param(after, marks=pytest.mark.slow) for after in (0.3, 1))]
)
def test_interrupted_at_any_moment_it_leaves_nothing_behind(
    after: float, logs: list[Path], tmp_path: Path
) -> None:
    place = tmp_path / "lake"
    process = start_ingest(place, packed(logs[:96], "zip", tmp_path))
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=120)
    assert "Traceback" not in error
    assert process.returncode in (0, 130)  # it may already have been done
    if process.returncode == 130:
        assert error.splitlines()[-1] == "paifu: interrupted; what was finished is kept"
    if lake := opened(place):
        # only if it was interrupted in its commit had it finished
        expected = {96} if process.returncode == 0 else {0, 96}
        assert check_nothing_is_left_behind(lake) in expected


def committed(place: Path) -> bool:
    """Return whether a transaction with files was committed to a lake that is being written."""
    with closing(sqlite3.connect(f"file:{place}/catalog.sqlite?mode=ro", uri=True)) as catalog:
        try:
            return catalog.execute("SELECT count(*) FROM ducklake_data_file").fetchone() != (0,)
        except sqlite3.OperationalError:  # the tables are just being made
            return False


@pytest.mark.usefixtures("signals_heard", "all_processors")
@pytest.mark.parametrize(
    ("number", "status", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_interrupted_it_keeps_what_was_finished(
    number: int, status: int, said: str, logs: list[Path], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    place, finished = tmp_path / "lake", 64
    some = packed(logs[:96], "zip", tmp_path)
    process = start_ingest(place, some, "-", "--batch-games", str(finished), "--jobs", "1")
    deadline = time.monotonic() + 120
    while not committed(place) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)  # it waits for standard input, which has nothing
    process.send_signal(number)
    _, error = process.communicate(timeout=120)
    assert process.returncode == status, error
    assert error.splitlines()[-1] == f"paifu: {said}; what was finished is kept"
    assert not list((tmp_path / "temporary").iterdir())
    assert check_nothing_is_left_behind(Lake.open(place)) == finished
