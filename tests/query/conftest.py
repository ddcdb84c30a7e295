"""A small lake of simulated games, ingested and re-scored once for all these tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from paifu.audit.lake_audit import rescore
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import play_games
from paifu.simulate.write_mjlog import log_id, write

GAMES = {4: 24, 3: 8}
"""Simulated games by number of players."""


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
