"""A game is the same in the lake in every format, except for what the format loses."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import paifu
from paifu.errors import UsageError
from paifu.schema.tables import TABLES
from paifu.simulate.game_loop import Game
from paifu.simulate.log_files import FORMATS, Output, file_name
from paifu.simulate.samples import sample_files, scenario_files
from paifu.simulate.scenarios import SCENARIOS

DATA = Path(__file__).parents[2] / "data"

SOURCE = {"format", "source_id", "position", "sha256"}
GAME = {
    "list_key", "log_id", "platform", "played_at", "played_precision", "length", "ruleset", "aka",
    "kuitan", "fast", "room", "lobby", "go_type", "ended_by",
}  # fmt: skip
RANKS = {"dan", "dan_name", "rate", "table_rate", "sex"}
PRINTED = {"recorded_honba", "recorded_sticks"}
HITS = {"dealer_hits", "dealer_mangan_hits", "dealer_mangan_points"}

LOSSES: dict[str, dict[str, set[str]]] = {
    "tenhou-json": {
        "games": SOURCE,
        "rounds": {"dice"},
        "wins": {*PRINTED, "fu"},  # it writes no fu from mangan on
    },
    "mjai": {
        "games": SOURCE | GAME,
        "seats": RANKS | {"result"},
        "rounds": {"dice", "is_all_last"},  # the planned length of the game is not recorded
        "round_seats": {"tsumo_paid_limit", "tenpai_shown"},
        "game_seats": HITS,
        # limits are not named, and norths are counted separately from other dora
        "wins": {
            *PRINTED, "kuitan", "limit", "dora_han", "kita_han", "yaku_recorded",
            "recorded_indicators",
        },
    },
    "majiang": {
        "games": SOURCE | GAME,
        "seats": RANKS,
        "rounds": {"dice", "is_all_last", "is_extra"},
        "round_seats": {"tsumo_paid_limit"},
        "game_seats": HITS,
        "wins": {*PRINTED, "kuitan", "limit"},
    },
}  # fmt: skip
"""What each format loses, or records differently from mjlog, by table; only mjlog has seeds."""
DORA_KEYS = ("dora", "kita")
COMPARED = (
    "games",
    "seats",
    "rounds",
    "round_seats",
    "game_seats",
    "actions",
    "discard_risks",
    "wins",
    "win_yaku",
)


def differing_columns(table: str, one: pl.DataFrame, other: pl.DataFrame) -> set[str]:
    """Return the columns in which two tables of the same rows differ."""
    key = list(TABLES[table].key)
    one, other = one.sort(key), other.sort(key)
    assert one.select(key).equals(other.select(key)), table
    return {name for name in one.columns if one[name].to_list() != other[name].to_list()}


def test_the_samples_are_what_the_documented_command_writes() -> None:
    written = dict(sample_files())
    logs = [path for path in DATA.iterdir() if path.is_file() and path.name != "README.md"]
    kept = {path.name: path.read_bytes() for path in logs}
    assert kept.keys() == written.keys()
    assert kept == written
    assert sum(map(len, kept.values())) < 300_000


@pytest.fixture(scope="module")
def tables(
    four: list[Game], three: list[Game], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, pl.DataFrame]]:
    """The tables of the same two dozen games, ingested from each format."""
    root = tmp_path_factory.mktemp("formats")
    read: dict[str, dict[str, pl.DataFrame]] = {}
    for format, (write, _) in FORMATS.items():
        games = [g for g in four[:12] + three[:12] if format != "majiang" or g.flow.players == 4]
        with Output(root / format) as output:
            for game in games:
                output.add(file_name(game, format), write(game))
        summary = paifu.ingest([root / format], lake=root / f"{format}.lake")
        assert (summary.games, summary.rejected, summary.flagged) == (len(games), 0, 0), format
        with paifu.open(root / f"{format}.lake") as lake:
            read[format] = {name: lake.sql(f"SELECT * FROM {name}").pl() for name in COMPARED}
    return read


@pytest.mark.parametrize("format", LOSSES)
def test_a_game_is_the_same_in_every_format_except_what_the_format_leaves_out(
    format: str, tables: dict[str, dict[str, pl.DataFrame]]
) -> None:
    found, full = tables[format], tables["mjlog"]
    games = found["games"]["game_id"].implode()
    for table in COMPARED:
        theirs = full[table].filter(pl.col("game_id").is_in(games))
        ours = found[table]
        if table == "win_yaku" and format == "mjai":
            ours, theirs = (
                rows.filter(~pl.col("yaku").is_in(DORA_KEYS)) for rows in (ours, theirs)
            )
        lost = LOSSES[format].get(table, set())
        assert differing_columns(table, theirs, ours) <= lost, table


def test_no_format_has_a_scenario_flagged_that_another_has_not(tmp_path: Path) -> None:
    with Output(tmp_path) as output:
        for name, data in scenario_files("all", list(FORMATS)):
            output.add(name, data)
    flagged = {}
    for format in FORMATS:
        paifu.ingest(tmp_path / format, lake=tmp_path / f"{format}.lake")
        with paifu.open(tmp_path / f"{format}.lake") as lake:
            flagged[format] = lake.sql("SELECT game_id, round_index, reason FROM flags").fetchall()
    for format, found in flagged.items():
        assert set(found) <= set(flagged["mjlog"]), format


def test_scenarios_are_written_in_each_format_that_has_their_players() -> None:
    names = [name for name, _ in scenario_files("kita_ron", list(FORMATS))]
    assert names == ["mjlog/kita_ron.mjlog", "tenhou-json/kita_ron.json", "mjai/kita_ron.mjson"]
    assert [name for name, _ in scenario_files("kita_ron", ["mjai"])] == ["kita_ron.mjson"]
    with pytest.raises(UsageError, match="no scenario 'nonsense'"):
        scenario_files("nonsense", ["mjlog"])
    assert all(scenario.shows for scenario in SCENARIOS.values())


def test_json_formats_are_json(four: list[Game]) -> None:
    round_ = json.loads(FORMATS["tenhou-json"].write(four[0]))["log"][0]
    assert len(round_) == 17
    for line in FORMATS["mjai"].write(four[0]).splitlines():
        assert "type" in json.loads(line)
