"""A game in a list and in a log is one game, in whatever order they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.game.times import JAPAN
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake


def line_of(log: Path) -> str:
    """The line of a lobby list for a log: its rule text, and names with results, best first."""
    info = mjlog.read([Blob(log.read_bytes(), 0, name=log.name)]).batch.games[0]
    assert info.result is not None
    assert info.played_at is not None
    order = sorted(range(info.players), key=lambda seat: -(info.result or ())[seat])
    told = " ".join(f"{_escaped(info.names[seat])}({info.result[seat]:+.1f})" for seat in order)
    hour = (info.played_at + JAPAN).hour
    return f"{hour:02}:17 | 30 | {info.rule_text} | {told}\n"


def _escaped(name: str | None) -> str:
    return (name or "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def details(lake: Path) -> list[tuple[str, int]]:
    with Lake.open(lake) as opened:
        return opened.sql(
            "SELECT detail, count(*) FROM games SEMI JOIN seats USING (game_id) GROUP BY ALL"
        ).fetchall()


@pytest.fixture
def log_and_list(corpus: Path, tmp_path: Path) -> tuple[Path, Path]:
    log = next(file for file in sorted((corpus / "mjlog").iterdir()) if "gm-00a9-0000" in file.name)
    listed = tmp_path / f"scc{log.name[:8]}.html"
    other = "00:01 | 12 | 四鳳南喰赤－ | x(+50.0) y(+10.0) z(-20.0) w(-40.0)\n"
    listed.write_text(other + line_of(log), encoding="utf-8")
    return log, listed


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_played_game_supersedes_its_line(
    log_and_list: tuple[Path, Path], tmp_path: Path, order: tuple[int, int]
) -> None:
    lake = tmp_path / "games.lake"
    for at in order:
        ingest([log_and_list[at]], lake=lake)
    assert sorted(details(lake)) == [("play", 1), ("result", 1)]


def test_both_at_once_are_one_game_too(log_and_list: tuple[Path, Path], tmp_path: Path) -> None:
    ingest(list(log_and_list), lake=tmp_path / "games.lake")
    assert sorted(details(tmp_path / "games.lake")) == [("play", 1), ("result", 1)]
    # reading the list again adds nothing
    ingest([log_and_list[1]], lake=tmp_path / "games.lake", refresh=True)
    assert sorted(details(tmp_path / "games.lake")) == [("play", 1), ("result", 1)]
