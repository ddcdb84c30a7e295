"""Run by test_bounds in a process of its own: every kind of kernel with bounds checks.

Usage: ``python bounds_of_all.py`` with NUMBA_BOUNDSCHECK=1 and an empty NUMBA_CACHE_DIR. Games and
scenarios are simulated, written in every format, damaged, read, replayed, and their wins scored;
what is lost on the way is a reject or a flag. Ends with exit status 0 and a line of counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets
from paifu.rules.engine import score
from paifu.rules.hands.from_wins import read_wins
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import Game, play_games
from paifu.simulate.log_files import FORMATS
from paifu.simulate.scenarios import SCENARIOS
from paifu.simulate.scripted import play_scenario
from tests.formats.mjlog.bounds_job import broken, prove_bounds_are_checked, whole_tags_moved

IMPORTERS = {"mjlog": "mjlog", "tenhou-json": "tenhou_json", "mjai": "mjai", "majiang": "majiang"}
GAMES = 6
DAMAGED = 2
"""Logs damaged in each of five ways, of each game."""


def games() -> Iterator[Game]:
    """Yield games of free play for four and three, and every scenario."""
    for players in (4, 3):
        rules = rulesets.get(f"tenhou-{players}p")
        flow = flow_of(rules, players, "east", True, True)
        yield from play_games(np.arange(GAMES), 13, rules, flow)
    yield from map(play_scenario, SCENARIOS.values())


def main() -> None:
    """See the module."""
    prove_bounds_are_checked()
    played = list(games())
    counts = {"logs": 0, "games": 0, "rejects": 0, "wins": 0}
    for format, (write, _) in FORMATS.items():
        texts = [write(g) for g in played if g.flow.players == 4 or format != "majiang"]
        some = texts[:: len(texts) // 20]
        logs = [*texts, *broken(some, DAMAGED, seed=5)]
        if format == "mjlog":
            logs += whole_tags_moved(texts, seed=6)
        imported = importer(IMPORTERS[format]).read([Blob(log, 0) for log in logs])
        read = {*imported.game_blob, *(reject.blob for reject in imported.rejects)}
        assert read == set(range(len(logs))), format
        tables = replay(imported.batch, np.zeros(len(imported.batch.games), np.int64))
        hands = read_wins(tables["wins"])
        for rules in ("tenhou-4p", "tenhou-3p", "mcr"):
            assert score(hands, rulesets.get_any(rules)).wins.height == len(hands)
        for name, number in (
            ("logs", len(logs)), ("games", len(imported.game_blob)),
            ("rejects", len(imported.rejects)), ("wins", len(hands)),
        ):  # fmt: skip
            counts[name] += number
    print(*(f"{number} {name}" for name, number in counts.items()), sep=", ")


if __name__ == "__main__":
    main()
