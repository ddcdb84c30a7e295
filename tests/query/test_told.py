"""Notes of a statistic: the effect of a filter, and a parameter that left out every row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paifu.cli.main import run as command
from paifu.lake.lake import Lake
from paifu.query.filters import Filter
from paifu.query.statistics import run, statistics

COMPARING = sorted(name for name, found in statistics().items() if found.compares)


def somebody(lake: Lake) -> str:
    ((player,),) = lake.sql("SELECT min(player) FROM seats WHERE NOT anonymous").fetchall()
    return str(player)


@pytest.mark.parametrize("name", COMPARING)
def test_filters_of_seats_say_what_they_did_where_players_are_compared(
    lake: Lake, name: str
) -> None:
    (player,) = run(lake, name, only=Filter(player=somebody(lake))).told[:1]
    assert player == "filter player: only this player's rows, still compared with all players"
    (dan,) = run(lake, name, only=Filter(dan=16)).told[:1]
    assert dan == "filter dan 16: seats of this rank are compared with each other only"
    assert "compared" not in " ".join(run(lake, name).told)


def test_a_filter_that_only_narrows_says_nothing(lake: Lake) -> None:
    assert run(lake, "wins", only=Filter(player=somebody(lake))).told == ()


def test_the_least_number_that_leaves_every_row_out_is_named(
    place: Path, lake: Lake, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = run(lake, "player_percentiles", {"min_games": 1}).table.num_rows
    assert command(["stats", "player_percentiles", "--lake", str(place)]) == 0
    told = capsys.readouterr().err
    assert f"min_games = 100 leaves every row out: --param min_games=1 shows {rows}" in told
    assert "or a --param leaves it out" not in told


def test_a_chosen_player_with_too_few_games_gets_the_reason(lake: Lake) -> None:
    only = Filter(player=somebody(lake))
    assert any(
        "min_games = 100" in line for line in run(lake, "player_percentiles", only=only).told
    )


def test_messages_are_in_the_json_too(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["stats", "player_percentiles", "--lake", str(place), "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["told"]
    assert line.startswith("min_games = 100 leaves every row out")
