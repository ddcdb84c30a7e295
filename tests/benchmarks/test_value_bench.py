"""How fast positions are valued: in memory, a fit, and a lake of simulated games.

Figures are printed; the tests assert only that the work was done. The lake has 200,000 games, or as
many as ``PAIFU_BENCH_GAMES`` says: 10,000 are played and ingested without their acts, and the
others are copies of these with ids of their own, so that the whole takes some minutes.
``PAIFU_BENCH_YEAR`` names a folder of an earlier run of ``test_stats_bench.py``: its lake is valued
again. Run it alone on a quiet machine:

    pytest tests/benchmarks/test_value_bench.py --slow -s
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import paifu
from paifu.cli.main import run as command
from paifu.lake.lake import Lake, Transaction
from paifu.models.model_file import read_models
from paifu.models.placement_fit import fitted_weights
from paifu.models.positions import Positions

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("PAIFU_BENCH_GAMES", 200_000))
PLAYED = 10_000
"""Games that are played; the others are copies."""
ROUNDS = 100_000
SEED = 2026
JOBS = 2
_VALUE = """
import resource, sys, paifu
print(paifu.value(sys.argv[1], force=True, jobs=int(sys.argv[2])).games)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def positions(n: int, players: int = 4) -> Positions:
    """Return random positions of a south game whose points add up."""
    rng = np.random.default_rng(SEED)
    points = rng.normal(25_000, 9_000, (n, players)).round(-2)
    points[:, -1] += 25_000 * players - points.sum(axis=1)
    of_round = rng.integers(0, 2 * players, n)
    return Positions(
        points.astype(np.int32), (2 * players - of_round).astype(np.int16),
        (of_round % players).astype(np.int16), np.zeros(n, np.int16),
    )  # fmt: skip


def test_rounds_in_memory() -> None:
    """The chances that one round needs: before, after its sticks, and after its payments."""
    (model,) = (each for each in read_models() if each.rules.players == 4)
    asked = positions(ROUNDS)
    model.chances(asked)
    started = time.process_time()
    for _ in range(3):
        chances = model.chances(asked)
    seconds = time.process_time() - started
    assert chances.sum(axis=1) == pytest.approx(1)
    print(f"\n{ROUNDS:,} rounds valued in {seconds:.2f} s of one processor (goal 3)")


def test_a_fit() -> None:
    asked = positions(ROUNDS)
    (model,) = (each for each in read_models() if each.rules.players == 4)
    rng = np.random.default_rng(SEED)
    keys = np.log(model.chances(asked)[:, :, 0]) + rng.gumbel(size=asked.points.shape)
    places = np.argsort(np.argsort(-keys, axis=1), axis=1).astype(np.int8)
    started = time.process_time()
    weights = fitted_weights(asked, places)
    seconds = time.process_time() - started
    assert np.isfinite(weights).all()
    print(f"\na fit on {ROUNDS:,} rounds takes {seconds:.0f} s of one processor (goal 120)")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = os.environ.get("PAIFU_BENCH_YEAR")
    if given and (Path(given) / "lake").exists():
        return Path(given) / "lake"
    folder = tmp_path_factory.mktemp("value")
    logs = folder / "games.zip"
    played = min(GAMES, PLAYED)
    command(["simulate", "--games", str(played), "--seed", str(SEED), "--out", str(logs)])
    paifu.ingest(logs, lake=folder / "lake", jobs=JOBS, actions=False)
    with Lake.open(folder / "lake", write=True) as opened:
        opened.transact(lambda tx: copy_games(tx, GAMES // played))
    return folder / "lake"


def copy_games(tx: Transaction, times: int) -> None:
    """Add copies of all games, with other ids, until each is there so many times.

    Each copy is a file of each table, sorted by game, as ingests write them.
    """
    for name in ("games", "seats", "rounds", "round_seats"):
        tx.execute(f"CREATE OR REPLACE TEMP TABLE played AS FROM {name}")
        for copy in range(1, times):
            tx.execute(
                f"INSERT INTO {name} "
                f"SELECT * REPLACE ((hash(game_id, {copy}) >> 1)::BIGINT AS game_id) "
                "FROM played ORDER BY game_id"
            )


def test_a_lake(lake: Path) -> None:
    """In a process of its own, which tells its memory."""
    with Lake.open(lake) as opened:
        (complete,) = opened.sql("SELECT count(*) FROM games WHERE complete").fetchone() or (0,)
    started = time.perf_counter()
    asked = [sys.executable, "-c", _VALUE, str(lake), str(JOBS)]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    seconds = time.perf_counter() - started
    games, memory = map(int, said.split())
    assert 0 < games <= complete
    print(f"\n{games:,} games valued in {seconds:.1f} s (goal 60 for 200,000)")
    print(f"with {memory / 1024:,.0f} MiB of memory and {JOBS} jobs")
