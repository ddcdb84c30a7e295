"""The summary of an ingest."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path

import orjson
import pytest

from paifu.errors import SourceError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake


def test_flagged_games_show_what_is_wrong(tmp_path: Path) -> None:
    """Two games, in two transactions, whose final points differ from their last rounds."""
    for name in ("double_ron", "four_riichi", "south_1"):
        log = (resource_dir("data") / f"{name}.mjlog").read_text(encoding="utf-8")
        head, owari, tail = log.partition('owari="')
        changed = head + owari + ("9" if name != "south_1" else "") + tail
        (tmp_path / f"{name}.mjlog").write_text(changed, encoding="utf-8")
    summary = ingest(tmp_path, lake=tmp_path / "lake", jobs=1, batch_games=1)
    with Lake.open(tmp_path / "lake") as lake:
        rows = lake.sql("SELECT reason, count(DISTINCT game_id) FROM flags GROUP BY 1").fetchall()
    assert summary.games == 3
    assert summary.flagged == 2
    assert summary.flags == dict(rows)
    assert summary.flags["final_differs"] == 2
    assert orjson.loads(orjson.dumps(asdict(summary)))["flags"] == summary.flags


@pytest.mark.parametrize("batch_games", [1, 100])
def test_a_game_that_gave_way_within_the_run_is_not_counted_as_stored(
    tmp_path: Path, batch_games: int
) -> None:
    """A game cut off after two rounds with wrong points; the same game whole; another game."""
    logs = tmp_path / "logs"
    logs.mkdir()
    whole = (resource_dir("data") / "south_1.mjlog").read_text(encoding="utf-8")
    _, second, third, *_ = (at.start() for at in re.finditer("<INIT", whole))
    points = whole.index('ten="', second) + len('ten="')
    cut_off = f"{whole[:points]}9{whole[points:third]}</mjloggm>"
    (logs / "a.mjlog").write_text(cut_off, encoding="utf-8")
    assert ingest(logs / "a.mjlog", lake=tmp_path / "cut_off").flagged == 1
    (logs / "b.mjlog").write_text(whole, encoding="utf-8")
    shutil.copy(resource_dir("data") / "four_riichi.mjlog", logs / "c.mjlog")
    summary = ingest(logs, lake=tmp_path / "lake", jobs=1, batch_games=batch_games)
    with Lake.open(tmp_path / "lake") as lake:
        (stored,) = lake.sql(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rounds), "
            "(SELECT count(*) FROM wins), (SELECT count(DISTINCT game_id) FROM flags)"
        ).fetchall()
        flags = lake.sql("SELECT reason, count(DISTINCT game_id) FROM flags GROUP BY 1").fetchall()
    assert (summary.games, summary.rounds, summary.wins, summary.flagged) == stored
    assert summary.flags == dict(flags)
    assert (summary.games, summary.superseded, summary.skipped) == (2, 1, 0)


@pytest.mark.parametrize("batch_games", [1, 100])
def test_a_file_met_twice_holds_games_that_are_known(tmp_path: Path, batch_games: int) -> None:
    """Four copies of a zip of two games, and three files of the beginning of one of them."""
    logs = tmp_path / "logs"
    logs.mkdir()
    whole = (resource_dir("data") / "south_1.mjlog").read_bytes()
    other = (resource_dir("data") / "four_riichi.mjlog").read_bytes()
    with zipfile.ZipFile(logs / "a.zip", "w") as archive:
        archive.writestr("1.mjlog", whole)
        archive.writestr("2.mjlog", other)
        archive.writestr("3.mjlog", b"no log")
    for name in "bcd":
        shutil.copy(logs / "a.zip", logs / f"{name}.zip")
    (logs / "e.mjlog").write_bytes(whole[: whole.rindex(b"<INIT")])
    for name in "fg":
        shutil.copy(logs / "e.mjlog", logs / f"{name}.mjlog")
    summary = ingest(logs, lake=tmp_path / "lake", jobs=1, batch_games=batch_games)
    assert (summary.games, summary.rejected, summary.sources) == (2, 1, 7)
    assert summary.games + summary.skipped + summary.superseded == 4 * 2 + 3
    again = ingest(logs, lake=tmp_path / "lake", jobs=1, batch_games=batch_games)
    assert (again.games, again.skipped, again.superseded) == (0, 4 * 2 + 3, 0)


def test_a_lake_among_the_logs_is_not_searched_for_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(resource_dir("data") / "four_riichi.mjlog", tmp_path)
    for games, known in ((1, 0), (0, 1), (0, 1)):
        summary = ingest(".", lake="games.lake", jobs=1)
        assert (summary.games, summary.skipped, summary.rejected) == (games, known, 0)
        assert summary.sources == 1
    for own in ("games.lake", "games.lake/catalog.sqlite"):
        with pytest.raises(SourceError, match=f"there is no file in {own}"):
            ingest(own, lake="games.lake", jobs=1)


def test_an_empty_text_is_not_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(resource_dir("data") / "four_riichi.mjlog", tmp_path)
    with pytest.raises(SourceError, match="empty text"):
        ingest("", lake=tmp_path / "lake")
    assert not (tmp_path / "lake").exists()


def test_a_log_taken_for_the_wrong_format_is_tried_again(tmp_path: Path) -> None:
    log = resource_dir("data") / "south_1.mjlog"
    lake = tmp_path / "lake"
    for known in range(2):  # the same mistake is made again
        made = ingest(log, lake=lake, format="mjai")
        assert (made.rejected, made.known_rejected) == (1 - known, known)
    assert ingest(log, lake=lake).games == 1
    with Lake.open(lake) as opened:
        assert opened.sql("FROM rejects").fetchall() == []
    assert ingest(log, lake=lake, format="mjai").skipped == 1
