"""An ingest on a cluster stores what one process stores."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import paifu
from paifu.ingestion import driver
from paifu.lake.forget import forget_game, forget_player
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.schema.tables import PLAY_TABLES
from tests.helpers.clusters import Processes


@pytest.fixture(autouse=True)
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)


def rows(lake: Path) -> dict[str, list[tuple[object, ...]]]:
    with Lake.open(lake) as opened:
        return {
            name: opened.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
            for name in PLAY_TABLES
        }


def test_the_tables_are_those_of_one_process(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    done = paifu.ingest(simulated, lake, scheduler=cluster.address, batch_games=20)
    assert rows(lake) == rows(place)
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", simulated)
    again = paifu.ingest(packed, lake, scheduler=cluster.address)
    assert (again.games, again.skipped) == (0, done.games)
    assert {path.name for path in (lake / "locks").iterdir()} == {"commits", "readers"}
    assert inspect(lake, deep=True).damage == []
    with Lake.open(lake) as opened:
        assert orphans(opened.connection, opened.location.data) == []


def test_names_and_what_is_forgotten_stay_out_and_no_process_logs_them(
    cluster: Processes, simulated: Path, place: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    salt = "a salt that nobody sees"
    monkeypatch.setenv("PAIFU_SALT", salt)
    lake = tmp_path / "lake"
    with Lake.open(place) as known:
        game, name = known.sql(
            "SELECT game_id, player FROM seats WHERE NOT anonymous ORDER BY ALL LIMIT 1"
        ).fetchall()[0]
    with Lake.open(lake, create=True, names="hash") as opened:
        forget_game(opened, game)
        forget_player(opened, name)
    paifu.ingest(simulated, lake, scheduler=cluster.address)
    with Lake.open(lake) as opened:
        assert opened.sql("SELECT * FROM games WHERE game_id = $game", game=game).fetchall() == []
        named = {player for (player,) in opened.sql("SELECT DISTINCT player FROM seats").fetchall()}
        assert not {name, opened.stored_name(name)} & named
        assert len(named) > 1
    told = cluster.logs()
    assert "paifu-" in told  # the workers named what they got
    assert salt not in told
    assert name not in told
