"""Processes that write to and read from one lake at the same time, for tests."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from typing import Any

from tests.helpers.synthetic import ACTIONS, Game, Sources

OWN, SHARED = 5, 10
"""How many games only one writer brings, and how many both bring, in each repetition."""


def write(places: list[Path], writer: int, times: int, barrier: Barrier, results: Any) -> None:
    """Bring games to each lake several times, at the same time as another writer."""
    from paifu.ingestion.committer import Committer
    from paifu.lake.lake import Lake

    games, skipped = 0, 0
    for place in places:
        with Lake.open(place, create=True) as lake:
            for turn in range(times):
                begin = turn * (2 * OWN + SHARED) + writer * OWN
                arriving = [Game(i, deal=i, light=True) for i in range(begin, begin + OWN + SHARED)]
                committer = Committer(lake)  # both read the state of the lake before either writes
                barrier.wait(60)
                committer.commit(Sources().prepared(arriving, f"{writer} {turn}".encode()))
                games += committer.counts.games
                skipped += committer.counts.skipped
                barrier.wait(60)
    results.put((games, skipped))


def watch(place: Path, stop: Event, results: Any) -> None:
    """Look at the lake again and again; report games that do not have all their rows."""
    from paifu.lake.lake import Lake

    looks, torn = 0, []
    while not stop.wait(0.1):
        with Lake.open(place) as lake:
            row = lake.sql(
                f"""SELECT (SELECT count(*) FROM games) * {ACTIONS},
                (SELECT count(*) FROM actions), (SELECT count(*) FROM seats) * {ACTIONS} // 4"""
            ).fetchone()
            looks += 1
            if row and len(set(row)) != 1:
                torn.append(row)
    results.put((looks, torn))


def create(place: Path, writer: int, barrier: Barrier, results: Any) -> None:
    """Make a lake at the same time as another process, and bring one game."""
    from paifu.ingestion.committer import Committer
    from paifu.lake.lake import Lake

    barrier.wait(60)
    with Lake.open(place, create=True) as lake:
        Committer(lake).commit(
            Sources().prepared([Game(1), Game(2 + writer)], str(writer).encode())
        )
    results.put(writer)
