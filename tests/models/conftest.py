"""A lake of simulated games whose positions are valued."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.models.round_values import value


@pytest.fixture(scope="session")
def valued_place(place: Path, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The lake of the simulated games, valued; do not change it."""

    def fill(folder: Path) -> None:
        value(shutil.copytree(place, folder / "lake"))

    return made_once("valued_lake", fill) / "lake"


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


@pytest.fixture(scope="session")
def valued(valued_place: Path) -> Iterator[Lake]:
    """The valued lake, open."""
    with Lake.open(valued_place) as opened:
        yield opened
