"""Worker processes that start at once, and the rows that they stored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from paifu.host.worker_processes import WorkerProcess
from paifu.lake.lake import Lake


def start_at_once(monkeypatch: pytest.MonkeyPatch, workers: Any, **limits: int) -> None:
    """Set the limits of a module from which on it starts processes, and wait for these."""
    for name, value in limits.items():
        monkeypatch.setattr(workers, name, value)
    ready = property(lambda self: self._made.result() is None)
    monkeypatch.setattr(WorkerProcess, "ready", ready)


def rows_of(lake: Path, tables: Iterable[str]) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of some tables of a lake, in an order that depends only on the rows."""
    with Lake.open(lake) as opened:
        return {
            name: opened.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for name in tables
        }
