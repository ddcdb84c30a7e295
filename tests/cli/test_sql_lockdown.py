"""``paifu sql`` answers questions about the lake, and refuses everything else."""

from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest

from paifu.cli.main import run
from paifu.errors import LakeError, UsageError
from paifu.ingestion.committer import Committer
from paifu.lake.lake import Lake
from paifu.query.adhoc_sql import Limits, ask, lock, time_limit
from tests.helpers.synthetic import Game, Sources


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sql")
    with Lake.open(folder / "lake", create=True) as lake:
        Committer(lake).commit(Sources().prepared([Game(2**62 + i, deal=i) for i in range(3)]))
    (folder / "secret.csv").write_text("a,b\nsecret,2\n")
    (folder / "secret.parquet").write_bytes(next(folder.rglob("*.parquet")).read_bytes())
    with sqlite3.connect(folder / "secret.sqlite") as database:
        database.execute("CREATE TABLE t (a)")
    return folder


@pytest.fixture(scope="module")
def locked(place: Path) -> Lake:
    lake = Lake.open(place / "lake")
    lock(lake, Limits())
    return lake


ALLOWED = [
    "SELECT count(*) FROM games",
    "FROM games",
    "TABLE games",
    "SELECT * FROM main.games JOIN lake.main.seats USING (game_id)",
    "SELECT * FROM win_facts",
    "WITH g AS (SELECT game_id FROM games) SELECT * FROM g",
    "SELECT * FROM range(3), unnest([1, 2]), (VALUES (1)) v(x)",
    "SELECT game_id, row_number() OVER (ORDER BY game_id) FROM games",
    "DESCRIBE games",
    "SUMMARIZE games",
    "SHOW TABLES",
    "SELECT table_name FROM information_schema.tables",
    "SELECT column_name FROM duckdb_columns() WHERE table_name = 'games'",
    "SELECT now()",
    "SELECT 1; ",
    "SELECT 1 -- a comment; DROP TABLE games",
]

REFUSED = [
    # statements that are not a SELECT, or several statements
    "",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE games",
    "DELETE FROM games",
    "INSERT INTO games SELECT * FROM games",
    "UPDATE games SET complete = false",
    "DROP TABLE games",
    "CREATE TABLE t AS SELECT 1",
    "CREATE VIEW v AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "ALTER TABLE games ADD COLUMN x INT",
    "COPY games TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.parquet'",
    "COPY games FROM '{folder}/secret.csv'",
    "EXPORT DATABASE '{folder}/out'",
    "IMPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/secret.sqlite' AS s (TYPE sqlite)",
    "DETACH lake",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "PRAGMA database_list",
    "PRAGMA enable_external_access = true",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_directories",
    "SET VARIABLE x = 1",
    "CALL ducklake_snapshots('lake')",
    "CALL ducklake_expire_snapshots('lake', older_than => now())",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE COPY games TO '{folder}/out.csv'",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "BEGIN",
    "CHECKPOINT",
    "VACUUM",
    "CREATE SECRET (TYPE s3)",
    "PIVOT games ON complete USING count(*)",
    # other files
    "SELECT * FROM '{folder}/secret.csv'",
    "SELECT * FROM '{folder}/secret.parquet'",
    'SELECT * FROM "{folder}/secret.csv"',
    "SELECT * FROM read_csv('{folder}/secret.csv')",
    "SELECT * FROM read_csv_auto('{folder}/secret.csv')",
    "SELECT * FROM read_json('{folder}/secret.csv')",
    "SELECT * FROM read_text('{folder}/secret.csv')",
    "SELECT * FROM read_blob('{folder}/secret.csv')",
    "SELECT * FROM read_parquet('{folder}/secret.parquet')",
    "SELECT * FROM parquet_scan('{folder}/lake/data/main/games/*.parquet')",
    "SELECT * FROM parquet_metadata('{folder}/secret.parquet')",
    "SELECT * FROM sniff_csv('{folder}/secret.csv')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT (SELECT max(content) FROM read_text('{folder}/secret.csv'))",
    "SELECT * FROM games WHERE EXISTS (FROM read_csv('{folder}/secret.csv'))",
    "WITH s AS (FROM glob('/*')) SELECT * FROM s",
    "SELECT * FROM sqlite_scan('{folder}/secret.sqlite', 't')",
    "SELECT * FROM sqlite_attach('{folder}/secret.sqlite')",
    "SELECT * FROM 'https://example.org/x.parquet'",
    # the catalog behind the lake
    "SELECT * FROM main.csv",
    "SELECT * FROM secret.csv",
    "SELECT * FROM lake.main.csv",
    "SELECT * FROM information_schema.csv",
    "SELECT json_serialize_plan('SELECT * FROM ''{folder}/secret.csv''')",
    "SELECT * FROM __ducklake_metadata_lake.ducklake_data_file",
    "SELECT * FROM __ducklake_metadata_lake.main.ducklake_metadata",
    "SELECT * FROM sqlite_scan('{folder}/lake/catalog.sqlite', 'ducklake_data_file')",
    "SELECT * FROM sqlite_query('__ducklake_metadata_lake', 'SELECT 1')",
    "DESCRIBE __ducklake_metadata_lake.ducklake_metadata",
    # functions that write, or that run text
    "SELECT * FROM ducklake_add_data_files('lake', 'games', '{folder}/secret.parquet')",
    "SELECT * FROM ducklake_delete_orphaned_files('lake', cleanup_all => true)",
    "SELECT * FROM ducklake_cleanup_old_files('lake', cleanup_all => true)",
    "SELECT * FROM ducklake_merge_adjacent_files('lake')",
    "SELECT * FROM ducklake_set_option('lake', 'parquet_compression', 'snappy')",
    "SELECT * FROM query('DROP TABLE games')",
    "SELECT * FROM query_table('games')",
    "SELECT write_log('x')",
    "SELECT * FROM duckdb_logs()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM pragma_storage_info('games')",
    "SELECT getenv('HOME')",
    # Python
    "SELECT * FROM frame",
    "SELECT * FROM arrow_scan(1, 2, 3)",
    "SELECT * FROM pandas_scan(1)",
    "SELECT * FROM python_map_function(1)",
]


@pytest.mark.parametrize("query", ALLOWED)
def test_questions_about_the_lake_are_answered(locked: Lake, query: str) -> None:
    assert ask(locked, query).fetchall() is not None


@pytest.mark.parametrize("query", REFUSED)
def test_every_way_round_is_refused(locked: Lake, place: Path, query: str) -> None:
    frame = pd.DataFrame({"secret": [1]})
    before = sorted(place.rglob("*"))
    with pytest.raises(UsageError) as refusal:
        ask(locked, query.format(folder=place)).fetchall()
    assert "secret,2" not in str(refusal.value)
    assert len(frame) == 1
    assert sorted(place.rglob("*")) == before
    assert locked.sql("SELECT count(*) FROM games").fetchall() == [(3,)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('{folder}/secret.csv')",
        "SELECT * FROM '{folder}/secret.csv'",
        "COPY (SELECT 1) TO '{folder}/out.csv'",
        "DELETE FROM games",
        "ATTACH '{folder}/other.duckdb'",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "INSTALL httpfs",
        "SELECT * FROM frame",
    ],
)
def test_the_connection_itself_refuses_what_the_parser_might_miss(
    locked: Lake, place: Path, query: str
) -> None:
    frame = pd.DataFrame({"secret": [1]})
    with pytest.raises(duckdb.Error):
        locked.connection.execute(query.format(folder=place)).fetchall()
    assert len(frame) == 1
    assert not (place / "out.csv").exists()


def test_a_query_that_takes_too_long_is_stopped(locked: Lake) -> None:
    query = "SELECT count(*) FROM range(10000000000) a, range(10000000) b WHERE a.range % 7 = 3"
    with pytest.raises(LakeError, match="longer than"), time_limit(locked.connection, 0.3):
        ask(locked, query).fetchall()


def test_a_lake_open_for_writing_is_not_locked(place: Path) -> None:
    with Lake.open(place / "lake", write=True) as lake, pytest.raises(LakeError):
        lock(lake, Limits())


def test_results_as_json_csv_and_parquet(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = ["--lake", str(place / "lake")]
    query = "SELECT game_id, complete, trail, played_at, now() AS t FROM games ORDER BY game_id"
    assert run(["sql", query, *lake, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["row_count"] == 3
    assert result["rows"][0]["game_id"] == str(2**62), "ids do not fit a double"
    assert result["rows"][0]["trail"] == [1, 2]
    assert run(["sql", query, *lake, "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "game_id,complete,trail,played_at,t"
    assert lines[1].startswith(f"{2**62},True,1 2,,20")
    out = tmp_path / "out.parquet"
    assert run(["sql", query, *lake, "--parquet", str(out)]) == 0
    assert pq.read_table(out).num_rows == 3


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELEC 1", "syntax error"),
        ("SELECT nothing FROM games", "nothing"),
        ("SELECT * FROM gamse", "games"),
        ("DROP TABLE games", "only SELECT"),
    ],
)
def test_errors_are_one_line(
    place: Path, capsys: pytest.CaptureFixture[str], query: str, words: str
) -> None:
    assert run(["sql", query, "--lake", str(place / "lake")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert words in error


def test_a_query_comes_from_standard_input_too(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(text: bytes) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
        return run(["sql", "-", "--lake", str(place / "lake"), "--csv"])

    assert typed(b"-- how many\nSELECT count(*) AS n FROM games") == 0
    assert capsys.readouterr().out == "n\n3\n"
    assert typed(b"SELECT '\xff'") == 2
    assert "not UTF-8" in capsys.readouterr().err
    assert run(["sql", "-- a comment first\nSELECT 1 AS n", "--lake", str(place / "lake")]) == 0


@pytest.mark.parametrize(
    "option",
    [("--limit", "-1"), ("--limit", str(1 << 63)), ("--timeout", "-1"), ("--timeout", "nan")],
)
def test_invalid_limits_are_refused(
    place: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    assert run(["sql", "SELECT 1", "--lake", str(place / "lake"), *option]) == 2
    assert option[0] in capsys.readouterr().err


@pytest.mark.filterwarnings("error")  # so that a timer that cannot wait that long fails the test
@pytest.mark.parametrize("seconds", ["inf", "1e300"])
def test_a_query_may_have_all_the_time_there_is(
    place: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    query = ["sql", "SELECT 1 AS n", "--lake", str(place / "lake"), "--csv"]
    assert run([*query, "--timeout", seconds]) == 0
    assert capsys.readouterr() == ("n\n1\n", "")


def test_columns_of_one_name_are_distinguished(locked: Lake) -> None:
    result = ask(locked, "SELECT 1 AS a, 2 AS a, 3 AS a_1, now() AS n, 4 AS n")
    assert result.columns == ["a", "a_2", "a_1", "n", "n_1"]
    a, a_2, a_1, _, n_1 = result.fetchone() or ()
    assert (a, a_2, a_1, n_1) == (1, 2, 3, 4)


def test_times_with_a_zone_become_text_at_any_depth(locked: Lake) -> None:
    zoned = "TIMESTAMPTZ '2019-01-01 00:00:00+09'"
    result = ask(locked, f"""SELECT {zoned} AS "of ""new"" year", [{zoned}] AS l, 1 AS n""")
    assert result.columns == ['of "new" year', "l", "n"]
    when, several, _ = result.fetchone() or ()
    assert several == f"['{when}']"


def test_a_terminal_is_shown_nothing_it_would_obey(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "SELECT 'a' || chr(27) || '[31m' || chr(10) || 'b' AS name, [chr(7)] AS names"
    assert run(["sql", query, "--lake", str(place / "lake")]) == 0
    shown = capsys.readouterr().out
    assert r"a\x1b[31m\nb" in shown
    assert r"\x07" in shown
    assert not {"\x1b", "\x07"} & set(shown)
