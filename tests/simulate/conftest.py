"""Simulated games that the tests of this folder share."""

from __future__ import annotations

import numpy as np
import pytest

from paifu.rules import rulesets
from paifu.simulate.flow import Flow, flow_of
from paifu.simulate.game_loop import Game, play_games
from paifu.simulate.scenarios import SCENARIOS
from paifu.simulate.scripted import play_scenario

SEED = 4


def tenhou_flow(players: int, length: str = "south") -> Flow:
    return flow_of(rulesets.get(f"tenhou-{players}p"), players, length, True, True)


def free_games(players: int, count: int, length: str = "south") -> list[Game]:
    rules = rulesets.get(f"tenhou-{players}p")
    return play_games(np.arange(count), SEED, rules, tenhou_flow(players, length))


@pytest.fixture(scope="session")
def four() -> list[Game]:
    """A hundred and fifty games of four players."""
    return free_games(4, 150)


@pytest.fixture(scope="session")
def three() -> list[Game]:
    """A hundred and fifty games of three players."""
    return free_games(3, 150)


@pytest.fixture(scope="session")
def scripted() -> dict[str, Game]:
    """Every scenario, after it was played."""
    return {name: play_scenario(scenario) for name, scenario in SCENARIOS.items()}
