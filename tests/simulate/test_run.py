"""Simulated archives through the whole pipeline: no flags, all match, always the same bytes."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

import paifu
from paifu.errors import RuleError, SourceError, UsageError
from paifu.rules import rulesets
from paifu.simulate import workers as run
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import Game
from paifu.simulate.log_files import FORMATS, Output, deflated
from paifu.simulate.workers import written_games
from paifu.simulate.write_mjlog import log_id
from tests.helpers.workers import start_at_once

SUBJECTS = ("win", "draw", "round", "game", "wall")


def archive(path: Path, players: int, games: int, seed: int) -> Path:
    rules = rulesets.get(f"tenhou-{players}p")
    flow = flow_of(rules, players, "south", True, True)
    with Output(path) as output:
        for files in written_games(games, seed, rules, flow, ["mjlog"], jobs=2):
            for name, data in files:
                output.add(name, data)
    return path


def check_whole_pipeline(tmp_path: Path, games: int, seed: int) -> None:
    """Ingest and re-score ``games`` of four and of three players; a failure names its games."""
    lake = tmp_path / "games.lake"
    sources = [archive(tmp_path / f"{players}.zip", players, games, seed) for players in (4, 3)]
    summary = paifu.ingest(sources, lake=lake)
    with paifu.open(lake) as opened:
        flags = opened.sql("SELECT log_id, reason FROM flags JOIN games USING (game_id)").fetchall()
    assert not flags, f"seed {seed}: {flags[:5]}"
    assert (summary.games, summary.rejected, summary.flagged) == (2 * games, 0, 0)
    report = paifu.rescore(lake)
    with paifu.open(lake) as opened:
        wrong = opened.sql(
            "SELECT log_id, subject, round_index, status FROM verdicts JOIN games USING (game_id) "
            "WHERE status <> 'match'"
        ).fetchall()
    assert not wrong, f"seed {seed}: {wrong[:5]}"
    for subject in SUBJECTS:
        assert report.count(subject) == report.count(subject, "match") > 0, subject


def test_simulated_games_ingest_clean_and_rescore_to_the_point(tmp_path: Path) -> None:
    check_whole_pipeline(tmp_path, 200, seed=21)


@pytest.mark.slow
def test_a_hundred_thousand_games(tmp_path: Path) -> None:
    check_whole_pipeline(tmp_path, 50_000, seed=22)


def test_scenarios_ingest_clean_and_rescore_to_the_point(
    scripted: dict[str, Game], tmp_path: Path
) -> None:
    with Output(tmp_path / "scenarios") as output:
        for name, game in scripted.items():
            output.add(f"{name}.mjlog", FORMATS["mjlog"].write(game))
    summary = paifu.ingest([tmp_path / "scenarios"], lake=tmp_path / "scenarios.lake")
    assert (summary.games, summary.rejected, summary.flagged) == (len(scripted), 0, 0)
    report = paifu.rescore(tmp_path / "scenarios.lake")
    for subject in ("win", "draw", "round", "game"):  # walls laid by hand have no seed
        assert report.count(subject) == report.count(subject, "match") > 0, subject


def digest(games: int, seed: int, jobs: int) -> str:
    rules = rulesets.get("tenhou-4p")
    flow = flow_of(rules, 4, "east", True, True)
    whole = hashlib.sha256()
    for files in written_games(games, seed, rules, flow, ["mjlog"], jobs):
        for name, data in files:
            whole.update(name.encode() + data)
    return whole.hexdigest()


def test_the_same_seed_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in any number of processes and in batches of any size; another seed differs."""
    expected = digest(40, 5, jobs=1)
    monkeypatch.setattr(run, "BATCH", 7)
    assert digest(40, 5, jobs=1) == expected
    start_at_once(monkeypatch, run, ALONE=3)
    assert digest(40, 5, jobs=2) == expected
    assert digest(40, 6, jobs=1) != expected


@pytest.mark.parametrize(
    ("players", "format", "expected"),
    [
        (4, "mjlog", "911e22a4b885ce18"),
        (3, "mjlog", "b8bde25197be05a0"),
        (4, "tenhou-json", "17b2736fe5120765"),
        (3, "mjai", "a4b1b8b2cdaccb49"),
        (4, "majiang", "b0dcd74f6f9eb666"),
    ],
)
def test_games_are_the_same_bytes_on_every_machine(
    players: int, format: str, expected: str
) -> None:
    """Golden digests: if you change them on purpose, also make the samples in ``data`` again."""
    rules = rulesets.get(f"tenhou-{players}p")
    flow = flow_of(rules, players, "south", True, True)
    whole = hashlib.sha256()
    for files in written_games(8, 2026, rules, flow, [format], 2):
        for name, data in files:
            whole.update(name.encode() + data)
    assert whole.hexdigest()[:16] == expected


def test_a_longer_run_begins_with_the_shorter_one() -> None:
    rules = rulesets.get("tenhou-3p")
    flow = flow_of(rules, 3, "east", True, True)
    short = list(written_games(5, 9, rules, flow, ["mjlog"], 1))
    assert list(written_games(8, 9, rules, flow, ["mjlog"], 1))[:5] == short


def test_log_ids_are_each_games_own(four: list[Game], three: list[Game]) -> None:
    ids = [log_id(game) for game in four + three]
    assert len(set(ids)) == len(ids)
    assert all("gm-00a9-0000-" in name for name in ids[:150])
    assert all("gm-00b9-0000-" in name for name in ids[150:])


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz"])
def test_archives_are_the_same_bytes_twice(suffix: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        with Output(tmp_path / f"{name}.{suffix}") as output:
            output.add("x/one.mjlog", b"<mjloggm/>" * 100)
    assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_output_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        Output(tmp_path / "file")
    with pytest.raises(SourceError, match="cannot write"):
        Output(tmp_path / "file" / "games.zip")


def test_a_rule_set_for_others_is_refused() -> None:
    with pytest.raises(RuleError, match="for 3 players, not 4"):
        flow_of(rulesets.get("tenhou-3p"), 4, "south", True, True)
    with pytest.raises(RuleError, match="know only wareme = False"):
        flow_of(rulesets.get("riichicity-wareme-4p"), 4, "south", True, True)
    with pytest.raises(RuleError, match="does not say how a game flows"):
        flow_of(rulesets.get("tenhou-custom"), 4, "south", True, True)


@pytest.mark.parametrize("name", ["mleague", "wrc", "ema", "majsoul-4p", "jpml-a", "saikouisen"])
def test_other_rule_sets_are_played_too(name: str) -> None:
    """The engine scores their wins while they are played, so that a false win would raise."""
    rules = rulesets.get(name)
    flow = flow_of(rules, 4, "south", True, True)
    files = list(written_games(15, 1, rules, flow, ["mjai"], 1))
    assert len(files) == 15


def test_a_zip_of_deflated_files_is_the_one_that_zipfile_writes(tmp_path: Path) -> None:
    logs = {f"x/{size}.mjlog": b"<mjloggm/>" * size for size in (0, 1, 100, 10_000)}
    with Output(tmp_path / "a.zip") as output:
        assert output.deflates
        for name, data in logs.items():
            output.add(name, deflated(data))
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in logs.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
