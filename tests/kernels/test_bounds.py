"""Kernels of every kind stay within their arrays, with good games and with damaged logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.processes import environment, python
from tests.kernels.bounds_job import simulated


def test_damaged_logs_of_every_format_are_games_or_rejects() -> None:
    counts = simulated(2, 10, 1)
    assert counts["games"] + counts["rejects"] >= counts["logs"]
    assert min(counts["rejects"], counts["wins"]) > 100


@pytest.mark.slow
def test_every_kernel_stays_within_bounds(corpus: Path, tmp_path: Path) -> None:
    """Compiled again with bounds checks, in a process that first shows that the checks work."""
    checked = environment(NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    job = Path(__file__).with_name("bounds_job.py")
    done = python(str(job), str(corpus), env=checked, timeout=3000)
    assert done.returncode == 0, done.stderr[-3000:]
    parts = {}
    for line in done.stdout.splitlines():
        part, *counts = line.split(", ")
        parts[part] = {name: int(number) for number, name in map(str.split, counts)}
    assert set(parts) == {"simulated", "mjlog", "json"}
    for counts in parts.values():
        assert counts["games"] + counts["rejects"] >= counts["logs"]
        assert min(counts["rejects"], counts["games"], counts["wins"]) > 50
