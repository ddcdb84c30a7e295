"""Hostile input for every kind of kernel; run as a program, with bounds checks.

test_bounds runs it in a separate process: ``python bounds_job.py [CORPUS]`` with
NUMBA_BOUNDSCHECK=1 and an empty NUMBA_CACHE_DIR. Kernels are compiled once for all parts. A log
that cannot be read is a reject or a flag. The program ends with exit status 0 and prints a line of
counts for each part.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.kernels.compiling import inner, njit
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets
from paifu.rules.engine import score
from paifu.rules.hands.from_wins import read_wins
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import Game, play_games
from paifu.simulate.log_files import FORMATS
from paifu.simulate.scenarios import SCENARIOS
from paifu.simulate.scripted import play_scenario
from tests.helpers.damage import broken, sample, spoiled, whole_tags_moved
from tests.replay import test_garbage

IMPORTERS = {"mjlog": "mjlog", "tenhou-json": "tenhou_json", "mjai": "mjai", "majiang": "majiang"}
JSON = {"majsoul": ("majsoul", 30), "mjai": ("mjai", 4), "tenhou6": ("tenhou_json", 20)}
"""By folder of the corpus: the importer, and how many damaged copies of each log are read."""


@inner
def _read(values, index):
    return values[index]


@njit
def overrun(values, index):
    """Read beyond an array, in a kernel that only kernels call."""
    return _read(values, index)


def prove_bounds_are_checked() -> None:
    """Raise SystemExit unless a deliberate overrun raises."""
    values = np.zeros(4, dtype=np.int8)
    assert overrun(values, 3) == 0
    try:
        overrun(values, 1 << 20)
    except IndexError:
        return
    raise SystemExit("bounds are not checked: an overrun went unnoticed")


def read(format: str, logs: list[bytes]) -> dict[str, int]:
    """Read logs, replay the games and score their wins; return counts."""
    imported = importer(format).read([Blob(log, 0) for log in logs])
    imported.batch.validate()
    blobs = [*imported.game_blob, *(reject.blob for reject in imported.rejects)]
    assert set(blobs) == set(range(len(logs))), format
    tables = replay(imported.batch, np.zeros(len(imported.batch.games), np.int64))
    hands = read_wins(tables["wins"])
    for rules in ("tenhou-4p", "tenhou-3p", "mcr"):
        assert score(hands, rulesets.get_any(rules)).wins.height == len(hands)
    return {
        "logs": len(logs), "games": len(imported.game_blob), "rejects": len(imported.rejects),
        "wins": len(hands),
    }  # fmt: skip


def add(counts: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Return the sums of two counts."""
    return {name: counts.get(name, 0) + number for name, number in more.items()}


def games(count: int) -> Iterator[Game]:
    """Yield games of free play for four and for three players, and every scenario."""
    for players in (4, 3):
        rules = rulesets.get(f"tenhou-{players}p")
        flow = flow_of(rules, players, "east", True, True)
        yield from play_games(np.arange(count), 13, rules, flow)
    yield from map(play_scenario, SCENARIOS.values())


def simulated(count: int, some: int, damaged: int) -> dict[str, int]:
    """Read games in every format that can be written, and ``some`` of them damaged."""
    played = list(games(count))
    counts: dict[str, int] = {}
    for format, (write, _) in FORMATS.items():
        texts = [write(g) for g in played if g.flow.players == 4 or format != "majiang"]
        logs = [*texts, *broken(texts[:: len(texts) // some], damaged, seed=5)]
        if format == "mjlog":
            logs += whole_tags_moved(texts, seed=6)
        counts = add(counts, read(IMPORTERS[format], logs))
    return counts


def real_mjlog(corpus: Path) -> dict[str, int]:
    """Read damaged real logs, together and one by one: next to others an overrun may not show."""
    texts = sample(corpus, 15)
    logs = [*texts, *broken(texts, 4, seed=1), *whole_tags_moved(texts, seed=2)]
    for log in logs[:: len(logs) // 60]:
        read("mjlog", [log])
    return read("mjlog", logs)


def real_json(corpus: Path) -> dict[str, int]:
    """Read real logs in JSON, each with damaged copies."""
    chance = random.Random(6)
    counts: dict[str, int] = {}
    for folder, (format, times) in JSON.items():
        files = [file for file in sorted((corpus / folder).iterdir()) if file.is_file()]
        for file in files[:12]:
            text = file.read_bytes()
            counts = add(counts, read(format, [text, *spoiled(text, times, chance)]))
    return counts


def main(corpus: str | None = None) -> None:
    """Run all parts; see the module."""
    prove_bounds_are_checked()
    test_garbage.run(range(200))
    found = {"simulated": simulated(6, 20, 2)}
    if corpus:
        found |= {"mjlog": real_mjlog(Path(corpus)), "json": real_json(Path(corpus))}
    for part, counts in found.items():
        print(part, *(f"{number} {name}" for name, number in counts.items()), sep=", ")


if __name__ == "__main__":
    main(*sys.argv[1:])
