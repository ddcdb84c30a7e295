"""The sample logs that come with paifu, and scenarios as files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paifu.errors import UsageError
from paifu.messages import did_you_mean
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import Game, play_games
from paifu.simulate.log_files import FORMATS
from paifu.simulate.scenarios import SCENARIOS
from paifu.simulate.scripted import play_scenario

SAMPLE_SEED = 2026
_FREE: tuple[tuple[str, int, int, str, str], ...] = (
    ("south_1", 4, 0, "south", "mjlog"),
    ("south_2", 4, 1, "south", "mjlog"),
    ("sanma", 3, 2, "south", "mjlog"),
    ("east_tenhou", 4, 3, "east", "tenhou-json"),
    ("sanma_tenhou", 3, 4, "east", "tenhou-json"),
    ("east_mjai", 4, 5, "east", "mjai"),
    ("east_majiang", 4, 6, "east", "majiang"),
)
"""Games of free play: file name, players, number of the game, length, format."""
_SCRIPTED = {
    "double_ron": 59, "four_riichi": 53, "pao_tsumo": 37, "kita_ron": 64, "disconnected": 58,
}  # fmt: skip
"""Scenarios, each with the number of the game that the tests have counted by hand."""


def sample_files() -> list[tuple[str, bytes]]:
    """Return the name and content of each sample log."""
    files = []
    for name, players, number, length, format in _FREE:
        rules = rulesets.get(f"tenhou-{players}p")
        flow = flow_of(rules, players, length, True, True)
        game = play_games(np.array([number], dtype=np.int64), SAMPLE_SEED, rules, flow)[0]
        files.append(_file(name, game, format))
    for name, number in _SCRIPTED.items():
        files.append(_file(name, play_scenario(SCENARIOS[name], number), "mjlog"))
    return files


def scenario_files(name: str, formats: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return the files of one scenario, or of ``all``, in each format that can hold it.

    With several formats, each has its own folder.

    Raises ``UsageError`` for an unknown scenario.
    """
    if name != "all" and name not in SCENARIOS:
        some = ", ".join(list(SCENARIOS)[:6])
        hint = did_you_mean(name, SCENARIOS, f"--scenario all writes every one, such as {some}")
        raise UsageError(f"there is no scenario {name!r}: {hint}")
    files = []
    for scenario in SCENARIOS.values():
        if name not in ("all", scenario.name):
            continue
        game = play_scenario(scenario)
        for format in formats:
            if format == "mjlog" or not (
                game.rules.chips or (format == "majiang" and scenario.players == 3)
            ):
                folder = f"{format}/" if len(formats) > 1 else ""
                files.append(_file(folder + scenario.name, game, format))
    return files


def _file(name: str, game: Game, format: str) -> tuple[str, bytes]:
    return name + FORMATS[format].suffix, FORMATS[format].write(game)
