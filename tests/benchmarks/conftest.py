"""Benchmarks run alone: beside other tests they would measure those."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    skip = pytest.mark.skip(reason="benchmarks measure nothing beside others: run without -n")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(skip)
