"""Fixtures every test may use: the corpus of real logs, and a small lake of simulated games."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import numpy as np
import pytest

from paifu.audit.lake_audit import rescore
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import play_games
from paifu.simulate.write_mjlog import log_id, write

# A deadline measures the machine, and the compiling of kernels, not the code.
hypothesis.settings.register_profile("paifu", deadline=None)
hypothesis.settings.load_profile("paifu")

ROOT = Path(__file__).parent.parent
GAMES = {4: 24, 3: 8}
"""Simulated games by number of players."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real logs, which never ships with the project, or a skip that says so."""
    folder = Path(os.environ.get("PAIFU_CORPUS", ROOT.parent / "shared" / "corpus"))
    if not folder.is_dir():
        pytest.skip(f"no corpus of real logs at {folder}; set PAIFU_CORPUS to its folder")
    return folder


@pytest.fixture
def signals_heard() -> Iterator[None]:
    """Signals as a terminal has them, here and in processes started: a job may ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of simulated Tenhou logs."""
    folder = tmp_path_factory.mktemp("logs")
    for players, count in GAMES.items():
        rules = rulesets.get(f"tenhou-{players}p")
        flow = flow_of(rules, players, "south", True, True)
        for game in play_games(np.arange(count), 20, rules, flow):
            path = folder / f"{players}p" / f"{log_id(game)}.mjlog"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(write(game))
    return folder


@pytest.fixture(scope="session")
def place(simulated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake of the simulated games."""
    folder = tmp_path_factory.mktemp("stats") / "lake"
    ingest([simulated], lake=folder)
    rescore(folder)
    return folder


@pytest.fixture(scope="session")
def empty_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake without games."""
    folder = tmp_path_factory.mktemp("empty") / "lake"
    Lake.open(folder, create=True).close()
    return folder


@pytest.fixture(scope="session")
def lake(place: Path) -> Iterator[Lake]:
    """The lake of the simulated games, open."""
    with Lake.open(place) as opened:
        yield opened
