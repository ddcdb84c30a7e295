"""A small lake that tests of models change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from paifu.ingestion.driver import ingest


@pytest.fixture
def two_games(
    simulated: Path,
    tmp_path: Path,
    made_once: Callable[[str, Callable[[Path], object]], Path],
) -> Path:
    """A lake of two simulated games that is not valued, to be changed."""

    def fill(folder: Path) -> None:
        ingest(sorted((simulated / "4p").glob("*.mjlog"))[:2], lake=folder / "lake")

    return shutil.copytree(made_once("two_games", fill) / "lake", tmp_path / "two_games")
