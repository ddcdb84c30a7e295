"""What a lake keeps for its readers, for how long, and that it is removed afterwards."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from paifu.audit.lake_audit import rescore
from paifu.errors import LakeError
from paifu.ingestion.committer import Committer
from paifu.lake import locks, retention
from paifu.lake.compact import compact
from paifu.lake.connection import METADATA
from paifu.lake.forget import for_good, forget_game, forget_player
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.retention import KEEP, keep, tidy
from tests.helpers.synthetic import ACTIONS, Game, Sources

SEEN = f"SELECT count(*), (SELECT count(*) FROM actions) // {ACTIONS} FROM games"
"""How many games there are, and how many games have acts."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of four games, with two files per table. Do not change it."""
    folder, sources = tmp_path_factory.mktemp("made") / "lake", Sources()
    with Lake.open(folder, create=True) as lake:
        for games in ([1, 2], [3, 4]):
            prepared = [Game(i, deal=i, players=("Zoe", "Ben", "Cho", "Dai")) for i in games]
            Committer(lake).commit(sources.prepared(prepared))
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "lake")


@pytest.fixture
def writer(place: Path) -> Iterator[Lake]:
    with Lake.open(place, write=True) as lake:
        yield lake


def files(place: Path) -> set[Path]:
    return set(place.rglob("*.parquet"))


def test_a_reader_stays_with_what_the_lake_was(place: Path, writer: Lake) -> None:
    with Lake.open(place) as before:
        Committer(writer).commit(Sources().prepared([Game(5, deal=5)], b"later"))
        forget_game(writer, 1)
        for_good(writer)
        assert before.sql(SEEN).fetchall() == [(4, 4)]
        assert before.sql("SELECT count(*) FROM seats WHERE player = 'Zoe'").fetchall() == [(4,)]
        with Lake.open(place) as after:
            assert after.sql(SEEN).fetchall() == [(4, 4)]
            assert after.sql("SELECT min(game_id), max(game_id) FROM games").fetchall() == [(2, 5)]


def test_a_reader_whose_snapshot_is_gone_gets_an_error(place: Path, writer: Lake) -> None:
    """DuckLake by itself would show the reader tables without rows."""
    told = "has been changed and compacted since it was opened"
    before = Lake.open(place)
    compact(writer, kept=timedelta(0))
    with pytest.raises(LakeError, match=told), before:
        before.sql(SEEN).fetchall()
    with Lake.open(place) as after:
        assert after.sql(SEEN).fetchall() == [(4, 4)]


def later(monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    """Let this much time pass for the lake."""
    passed = timedelta(hours=hours)
    monkeypatch.setattr(retention, "_now", lambda: datetime.now(UTC) + passed)


def test_what_a_compaction_replaced_goes_when_its_time_has_come(
    place: Path, writer: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, begun = files(place), datetime.now(UTC)
    done = compact(writer)
    assert done.kept_until is not None
    assert begun + KEEP <= done.kept_until <= datetime.now(UTC) + KEEP
    tidy(writer)
    assert before < files(place)
    later(monkeypatch, 2)
    assert tidy(writer) is None
    assert not before & files(place)
    assert writer.sql(SEEN).fetchall() == [(4, 4)]


def test_a_snapshot_is_kept_from_when_another_followed(place: Path, writer: Lake) -> None:
    """The snapshot may be old: a reader that has just begun may read it."""
    writer.maintain(f"UPDATE {METADATA}.ducklake_snapshot SET snapshot_time = '2020-01-01 00:00'")
    with Lake.open(place) as before:
        compact(writer)
        assert before.sql(SEEN).fetchall() == [(4, 4)]


def test_how_long_a_lake_keeps_is_the_lakes(place: Path, writer: Lake) -> None:
    assert keep(writer) == KEEP
    compact(writer, kept=timedelta(minutes=5))
    assert keep(writer) == timedelta(minutes=5)
    with Lake.open(place) as lake:
        assert keep(lake) == timedelta(minutes=5)


def test_now_waits_for_those_who_read(
    place: Path, writer: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(place)
    with Lake.open(place) as reader:
        monkeypatch.setattr(locks, "READERS_PATIENCE_S", 0.1)
        with pytest.raises(LakeError, match="is being read by another process"):
            compact(writer, now=True)
        assert before <= files(place)
        assert reader.sql(SEEN).fetchall() == [(4, 4)]
        monkeypatch.setattr(locks, "READERS_PATIENCE_S", 60.0)
        end = threading.Timer(0.3, reader.close)
        end.start()
        assert compact(writer, now=True).kept_until is None
        end.join()
    assert not before & files(place)
    assert writer.sql(SEEN).fetchall() == [(4, 4)]


def holds(place: Path, text: bytes) -> bool:
    """Return whether a lake's files contain a text, in Parquet or in the catalog."""
    found = [path for path in place.glob("data/main/seats/*") if "-delete." not in path.name]
    rows = [duckdb.read_parquet(str(path)).fetchall() for path in found]
    catalog = b"".join(path.read_bytes() for path in place.glob("catalog.sqlite*"))
    return text in str(rows).encode() + catalog


@pytest.mark.parametrize("what", ["game", "player"])
def test_what_was_forgotten_is_gone_with_the_first_writer_after_its_time(
    place: Path, writer: Lake, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if what == "game":
        for game in (1, 2, 3, 4):
            forget_game(writer, game)
    else:
        forget_player(writer, "Zoe")
    assert for_good(writer) is not None
    with Lake.open(place) as lake:
        assert lake.sql("SELECT count(*) FROM seats WHERE player = 'Zoe'").fetchall() == [(0,)]
    rescore(place, jobs=1)
    assert holds(place, b"Zoe")
    later(monkeypatch, 2)
    rescore(place, jobs=1)
    assert not holds(place, b"Zoe")


def found_by_name(lake: Lake) -> list[int]:
    """Return how many rows of ``forgotten`` a condition on each digest finds."""
    digests = lake.sql("SELECT digest FROM forgotten").fetchall()
    query = "SELECT count(*) FROM forgotten WHERE digest = ?"
    found = (lake.connection.execute(query, digest).fetchone() for digest in digests)
    return [row[0] for row in found if row]


def test_what_was_stored_before_a_purge_is_found_after_the_next_commit(writer: Lake) -> None:
    forget_game(writer, 1)
    compact(writer, now=True)
    forget_game(writer, 2)
    assert found_by_name(writer) == [1, 1]


def hidden(place: Path) -> set[str]:
    """Return what a deep check says of conditions that do not find all rows."""
    told = (damage.what for damage in inspect(place, deep=True).damage)
    return {what.partition(" (")[0] for what in told if ": a condition on " in what}


def test_bounds_that_hide_rows_are_damage_that_a_compaction_mends(
    place: Path, writer: Lake
) -> None:
    """As an older version of paifu left them."""
    forget_game(writer, 1)
    compact(writer, now=True)
    writer.maintain(
        f"""UPDATE {METADATA}.ducklake_table_column_stats
        SET min_value = NULL, max_value = NULL WHERE min_value = ''"""
    )
    forget_game(writer, 2)
    assert sorted(found_by_name(writer)) == [0, 1]
    assert "table forgotten: a condition on digest does not find 1 row" in hidden(place)
    compact(writer)
    assert found_by_name(writer) == [1, 1]
    assert hidden(place) == set()


def test_a_player_who_is_forgotten_takes_no_other_seats_along(place: Path, writer: Lake) -> None:
    """DuckLake took the seats that an UPDATE wrote for all that the table has."""
    forget_player(writer, "Zoe")
    with Lake.open(place) as lake:
        seats = lake.sql("SELECT seat, count(*), count(player) FROM seats GROUP BY 1 ORDER BY 1")
        assert seats.fetchall() == [(0, 4, 0), (1, 4, 4), (2, 4, 4), (3, 4, 4)]
        assert lake.sql("SELECT count(*) FROM seats WHERE seat = 3").fetchall() == [(4,)]


def test_what_a_broken_off_forget_left_is_gone_after_a_compaction(
    place: Path, writer: Lake
) -> None:
    forget_player(writer, "Zoe")  # and no longer: its process was killed
    tidy(writer, now=True)
    assert holds(place, b"Zoe")
    compact(writer, now=True)
    assert not holds(place, b"Zoe")


def test_compactions_at_once_do_not_get_in_each_others_way(place: Path) -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with Lake.open(place, write=True) as lake:
                compact(lake)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert failed == []
    with Lake.open(place) as lake:
        assert lake.sql(SEEN).fetchall() == [(4, 4)]


def test_an_ingest_knows_what_came_before_a_compaction(place: Path, writer: Lake) -> None:
    with Lake.open(place, write=True) as other:
        committer = Committer(writer)
        Committer(other).commit(Sources().prepared([Game(5, deal=5)], b"other"))
        compact(other, kept=timedelta(0))
        committer.commit(Sources().prepared([Game(i, deal=i) for i in (1, 5, 6)], b"mine"))
    assert (committer.counts.games, committer.counts.skipped) == (1, 2)
    assert writer.sql("SELECT game_id FROM games ORDER BY 1").fetchall() == [
        (1,), (2,), (3,), (4,), (5,), (6,),
    ]  # fmt: skip
