"""Reads are never wrong while other workers ingest, forget, compact and re-score."""

from __future__ import annotations

import multiprocessing as mp
import queue
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from paifu.audit.lake_audit import rescore
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from tests.lake.race_workers import WHOLE, read, score, write

PATIENCE_S = 300
"""How long a process may take to start, or to end, on a busy machine."""
AT_FIRST = 6
"""Games in the lake when the race begins."""
DERIVED = ("verdicts", "verdict_fields", "scored_wins", "scored_yaku")


@dataclass(frozen=True)
class Race:
    """The workers, as threads or processes, and when the race is over."""

    readers: int
    rescorings: int
    turns: int | None
    """Rounds of the writer; None: until the time is over."""
    seconds: float
    processes: bool
    pause_s: float
    """How long readers and re-scorings wait before they begin again."""


def race(place: Path, logs: list[Path], how: Race) -> dict[str, list[tuple[Any, ...]]]:
    """Run readers, re-scorings and a writer on one lake; return their reports by kind."""
    tasks: list[tuple[Any, tuple[Any, ...]]] = [(read, (place, how.pause_s))] * how.readers
    tasks += [(score, (place, how.pause_s))] * how.rescorings
    tasks.append((write, (place, logs, how.turns)))
    spawn = mp.get_context("spawn")
    start: Any = spawn.Process if how.processes else threading.Thread
    together: Any = spawn if how.processes else threading
    ready, stop = together.Barrier(len(tasks) + 1), together.Event()
    results: Any = spawn.Queue() if how.processes else queue.Queue()
    racers = [start(target=task, args=(*given, ready, stop, results)) for task, given in tasks]
    for racer in racers:
        racer.start()
    ready.wait(PATIENCE_S)  # importing takes longer than a short race
    stop.wait(how.seconds)
    stop.set()
    reports: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for _ in range(len(tasks) + 1):  # the writer reports twice
        name, *report = results.get(timeout=PATIENCE_S)
        reports[name].append(tuple(report))
    for racer in racers:
        racer.join(PATIENCE_S)
        assert not racer.is_alive()
    return reports


def wrong_reads(
    looks: list[tuple[float, float, list[int], list[str]]],
    notes: list[tuple[str, int, float, float]],
    first: set[int],
) -> list[str]:
    """Return what readers saw but should not have seen, or did not see but should have seen."""
    came = {game: after for kind, game, _, after in notes if kind == "in"}
    begun = {game: before for kind, game, before, _ in notes if kind == "in"}
    going = {game: before for kind, game, before, _ in notes if kind == "out"}
    gone = {game: after for kind, game, _, after in notes if kind == "out"}
    never = float("inf")
    found = []
    for start, end, seen, wrong in looks:
        found += wrong
        found += [f"game {game} twice" for game, n in Counter(seen).items() if n > 1]
        for game in first | set(came):
            there = came.get(game, -never) < start and end < going.get(game, never)
            not_there = end < begun.get(game, -never) or gone.get(game, never) < start
            if there and game not in seen:
                found.append(f"game {game} not seen")
            if not_there and game in seen:
                found.append(f"game {game} seen before it came or after it was forgotten")
    return found


@pytest.mark.parametrize(
    "how",
    [
        Race(readers=2, rescorings=1, turns=2, seconds=PATIENCE_S, processes=False, pause_s=0.3),
        pytest.param(
            Race(readers=2, rescorings=3, turns=None, seconds=60, processes=True, pause_s=0),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["short", "long"],
)
def test_no_read_is_wrong_while_the_lake_is_written_and_kept(
    simulated: Path, tmp_path: Path, how: Race
) -> None:
    logs = sorted(simulated.rglob("*.mjlog"))
    if how.turns:
        logs = logs[: AT_FIRST + how.turns]
    place = tmp_path / "lake"
    ingest(logs[:AT_FIRST], place, jobs=1)
    rescore(place, jobs=1)
    with Lake.open(place) as lake:
        first = {game for game, whole in lake.sql(WHOLE).fetchall() if whole}
    assert len(first) == AT_FIRST
    reports = race(place, logs[AT_FIRST:], how)
    raised = [text for name in reports for _, _, texts in reports[name] for text in texts]
    refused = [text for name in reports for _, texts, _ in reports[name] for text in texts]
    ((notes, _, _),) = reports["notes"]
    looks = [look for done, _, _ in reports["read"] for look in done]
    wrong = wrong_reads(looks, notes, first)
    print(
        f"{len(looks)} reads, {sum(len(done) for done, _, _ in reports['rescore'])} re-scorings, "
        f"{len(reports['write'][0][0])} turns of the writer: {len(wrong)} wrong, "
        f"{len(raised)} raised, {len(refused)} refused"
    )
    assert raised == []
    assert refused == []
    assert wrong == []
    assert looks
    check_nothing_lost_or_doubled(place, logs, first, notes, tmp_path / "afresh")


def check_nothing_lost_or_doubled(
    place: Path, logs: list[Path], first: set[int], notes: list[Any], afresh: Path
) -> None:
    """Check that the lake has its games, without forgotten ones, and their verdicts."""
    kept = first | {game for kind, game, _, _ in notes if kind == "in"}
    kept -= {game for kind, game, _, _ in notes if kind == "out"}
    rescore(place, jobs=1)
    ingest(logs, afresh, jobs=1)
    rescore(afresh, jobs=1)
    with Lake.open(place) as lake, Lake.open(afresh) as other:
        rows = lake.sql(WHOLE).fetchall()
        assert sorted(game for game, _ in rows) == sorted(kept)
        assert all(whole for _, whole in rows)
        for table in ("games", "rounds", "actions", "wins", *DERIVED):
            columns = "* EXCLUDE (source_id)" if table == "games" else "*"
            query = f"SELECT {columns} FROM {table} WHERE game_id IN (SELECT unnest($ids))"
            ours = sorted(map(str, lake.sql(query, ids=list(kept)).fetchall()))
            theirs = sorted(map(str, other.sql(query, ids=list(kept)).fetchall()))
            assert ours == theirs, table
