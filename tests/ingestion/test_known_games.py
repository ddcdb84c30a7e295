"""Each game is stored once; the whole game replaces beginnings and lines of lists."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from paifu.ingestion.committer import Committer
from paifu.lake.lake import Lake
from tests.helpers.synthetic import Game, Sources

COMMIT = import_module("paifu.ingestion.committer")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake.open(tmp_path / "lake", create=True)


def stored(lake: Lake) -> set[int]:
    ids = {row[0] for row in lake.sql("SELECT game_id FROM games").fetchall()}
    for table in ("seats", "rounds", "round_seats", "actions", "wins", "win_yaku", "seeds"):
        rows = lake.sql(
            f"SELECT DISTINCT game_id FROM {table} EXCEPT SELECT game_id FROM games"
        ).fetchall()
        assert not rows, f"{table} has rows of games that are not stored"
    return ids


def test_a_game_known_is_skipped(lake: Lake) -> None:
    committer, sources = Committer(lake), Sources()
    committer.commit(sources.prepared([Game(1), Game(2)], b"first"))
    committer.commit(sources.prepared([Game(2), Game(3)], b"second"))
    assert stored(lake) == {1, 2, 3}
    assert (committer.counts.games, committer.counts.skipped) == (3, 1)
    assert lake.sql("SELECT count(*) FROM actions WHERE game_id = 2").fetchall() == [(20,)]


def test_a_second_run_knows_what_the_first_stored(lake: Lake) -> None:
    Committer(lake).commit(Sources().prepared([Game(1)], b"first"))
    again = Committer(lake)
    assert again.skip(Sources().source(b"first"))
    assert again.counts.skipped == 1
    assert not again.skip(Sources().source(b"another"))


def test_the_whole_game_takes_the_place_of_its_beginning(lake: Lake) -> None:
    sources = Sources()
    beginning = Game(1, deal=9, complete=False, trail=(5, 6, 7, 8), plays=20)
    whole = Game(2, deal=9, trail=(5, 6, 7, 99, 3, 4), plays=60)
    other = Game(3, deal=9, trail=(5, 77, 1, 2), plays=60)
    for order in ([beginning, whole, other], [whole, beginning], [other, beginning, whole]):
        committer = Committer(lake)
        for game in order:
            committer.commit(sources.prepared([game], repr((order, game)).encode()))
        assert stored(lake) == {2, 3}


def test_beginning_and_whole_game_in_one_batch(lake: Lake) -> None:
    committer = Committer(lake)
    beginning = Game(1, deal=9, complete=False, trail=(5, 6, 7, 8), plays=20)
    longer = Game(2, deal=9, complete=False, trail=(5, 6, 7, 9, 1, 1), plays=30)
    whole = Game(3, deal=9, trail=(5, 6, 7, 9, 1, 2), plays=60)
    committer.commit(Sources().prepared([longer, whole, beginning]))
    assert stored(lake) == {3}
    assert committer.counts.superseded == 2


def test_a_game_cut_off_after_its_last_discard_has_the_id_of_the_whole(lake: Lake) -> None:
    committer, sources = Committer(lake), Sources()
    committer.commit(sources.prepared([Game(1, complete=False)], b"cut off"))
    committer.commit(sources.prepared([Game(1)], b"whole"))
    committer.commit(sources.prepared([Game(1, complete=False)], b"cut off again"))
    assert lake.sql("SELECT game_id, complete FROM games").fetchall() == [(1, True)]
    assert lake.sql("SELECT count(*) FROM actions").fetchall() == [(20,)]


def test_different_games_may_share_a_first_deal(lake: Lake) -> None:
    committer = Committer(lake)
    committer.commit(
        Sources().prepared([Game(i, deal=4, trail=(i, i, 8, 8)) for i in range(1, 14)])
    )
    assert stored(lake) == set(range(1, 14))


def test_a_played_game_takes_the_place_of_its_list_line(lake: Lake) -> None:
    sources = Sources()
    line = Game(1, complete=False, detail="result", list_key=77, trail=())
    played = Game(2, list_key=77)
    unknown = Game(3, complete=False, detail="result", list_key=78, trail=())
    for order in ([line, played, unknown], [played, line]):
        committer = Committer(lake)
        for game in order:
            committer.commit(sources.prepared([game], repr((order, game)).encode()))
        assert stored(lake) == {2, 3}


def test_refresh_replaces_what_older_versions_read(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = Sources()
    Committer(lake).commit(sources.prepared([Game(1), Game(2)], b"x"))
    monkeypatch.setattr(COMMIT, "REPLAY_VERSION", 32_000)
    monkeypatch.setattr(import_module("paifu.ingestion.source_rows"), "REPLAY_VERSION", 32_000)
    ordinary = Committer(lake)
    assert ordinary.skip(sources.source(b"x")), "an older reading is good enough unless asked"
    refresh = Committer(lake, refresh=True)
    assert not refresh.skip(sources.source(b"x"))
    # the newer version reads game 2 as game 3
    refresh.commit(sources.prepared([Game(1, players="efgh"), Game(3)], b"x"))
    assert stored(lake) == {1, 3}
    assert refresh.counts.games == 2
    players = lake.sql("SELECT player FROM seats WHERE game_id = 1 ORDER BY seat").fetchall()
    assert [row[0] for row in players] == list("efgh")
    rows = lake.sql("SELECT games, replay_version FROM sources").fetchall()
    assert rows == [(2, 32_000)]


def test_refresh_keeps_what_this_version_read_from_a_source_that_breaks_off(lake: Lake) -> None:
    sources = Sources()
    for refresh in (False, True, True):
        prepared = sources.prepared([Game(1), Game(2)], b"x")
        for source in prepared.unit.sources.values():
            source.complete = False
        Committer(lake, refresh=refresh).commit(prepared)
        assert stored(lake) == {1, 2}


def test_rejects_are_not_doubled_and_are_tried_again_by_a_newer_importer(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = Sources()
    Committer(lake).commit(sources.prepared([Game(1)], b"x", ["a.xml", "b.xml"]))
    # recorded with version 1 of all formats together: a newer set of importers tries again
    monkeypatch.setattr(COMMIT, "unrecognised_version", lambda: 1)
    assert Committer(lake).skip(sources.source(b"x"))
    monkeypatch.setattr(COMMIT, "unrecognised_version", lambda: 2)
    again = Committer(lake)
    assert not again.skip(sources.source(b"x"))
    again.commit(sources.prepared([Game(1), Game(2)], b"x", ["b.xml"]))
    assert stored(lake) == {1, 2}
    assert lake.sql("SELECT member FROM rejects").fetchall() == [("b.xml",)]
    assert lake.sql("SELECT logs, games, rejected FROM sources").fetchall() == [(3, 2, 1)]
