"""Fixtures every test may use: the corpus of real logs, which never ships with the project."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# A deadline measures the machine, and the compiling of kernels, not the code.
hypothesis.settings.register_profile("paifu", deadline=None)
hypothesis.settings.load_profile("paifu")

ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real logs, or a skip that says how to name it."""
    folder = Path(os.environ.get("PAIFU_CORPUS", ROOT.parent / "shared" / "corpus"))
    if not folder.is_dir():
        pytest.skip(f"no corpus of real logs at {folder}; set PAIFU_CORPUS to its folder")
    return folder


@pytest.fixture
def signals_heard() -> Iterator[None]:
    """Signals as a terminal has them, here and in processes started: a job may ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
