"""The same game in every format is the same game in the lake, but for what the format loses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import paifu
from paifu.simulate.games import Game
from paifu.simulate.output import FORMATS, Output, file_name
from paifu.simulate.samples import sample_files, scenario_files
from paifu.simulate.scenarios import SCENARIOS

DATA = Path(__file__).parent.parent.parent / "data"

LOSSES: dict[str, dict[str, set[str]]] = {
    # what the log does not say: platform, ranks, connections, results; how dora are counted
    "tenhou-json": {
        "seats": {"rate"},
        "wins": {"wait_live"},
        "round_seats": set(),
    },
}


def test_the_samples_are_what_the_documented_command_writes() -> None:
    written = dict(sample_files())
    kept = {path.name: path.read_bytes() for path in DATA.iterdir() if path.name != "README.md"}
    assert kept.keys() == written.keys()
    assert kept == written
    assert sum(map(len, kept.values())) < 300_000


def test_each_format_gives_the_same_games_and_flags_none(
    four: list[Game], three: list[Game], tmp_path: Path
) -> None:
    ids: dict[str, set[int]] = {}
    played = four[:12] + three[:12]
    for format, (write, _) in FORMATS.items():
        games = [game for game in played if format != "majiang" or game.flow.players == 4]
        folder = tmp_path / format
        with Output(folder) as output:
            for game in games:
                output.add(file_name(game, format), write(game))
        lake = tmp_path / f"{format}.lake"
        summary = paifu.ingest([folder], lake=lake)
        assert (summary.rejected, summary.flagged) == (0, 0), format
        with paifu.open(lake) as opened:
            ids[format] = {row[0] for row in opened.sql("SELECT game_id FROM games").fetchall()}
        assert len(ids[format]) == len(games)
    assert ids["tenhou-json"] == ids["mjlog"]
    assert ids["mjai"] == ids["mjlog"]
    assert ids["majiang"] < ids["mjlog"]


def test_scenarios_are_written_in_each_format_that_has_their_players() -> None:
    names = [name for name, _ in scenario_files("kita_ron", list(FORMATS))]
    assert names == ["kita_ron.mjlog", "kita_ron.json", "kita_ron.mjson"]
    with pytest.raises(paifu.errors.UsageError, match="no scenario nonsense"):
        scenario_files("nonsense", ["mjlog"])
    assert all(scenario.shows for scenario in SCENARIOS.values())


def test_json_formats_are_json(four: list[Game]) -> None:
    round_ = json.loads(FORMATS["tenhou-json"].write(four[0]))["log"][0]
    assert len(round_) == 17
    for line in FORMATS["mjai"].write(four[0]).splitlines():
        assert "type" in json.loads(line)
