"""Kernels of every kind stay within their arrays, on games as played and on damaged logs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_every_kernel_stays_within_bounds(tmp_path: Path) -> None:
    """With bounds checks, compiled anew, in a process that first proves that they work."""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("bounds_of_all.py"))],
        env={
            **os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path),
            "PYTHONPATH": path,
        },
        capture_output=True, text=True, timeout=1200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    counts = {word: int(n) for n, word in (pair.split() for pair in done.stdout.split(", "))}
    assert counts["games"] + counts["rejects"] == counts["logs"]
    assert min(counts["rejects"], counts["wins"]) > 200
