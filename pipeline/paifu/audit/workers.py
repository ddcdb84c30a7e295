"""Audits units of games in this process, and in worker processes if there are many.

Whoever audits a unit reads its games from the lake and writes its verdicts to files. So only the
numbers of the games go to a worker, and only counts and examples come back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl

from paifu.audit.batch_audit import Audited, audit
from paifu.audit.lake_reader import READ, read_play, with_last_discards
from paifu.audit.other_game_checks import with_table_facts
from paifu.audit.pending_games import Unit
from paifu.audit.summary import Counted
from paifu.audit.wide_rounds import Play
from paifu.errors import RuleError
from paifu.host.memory import give_back
from paifu.host.worker_processes import WorkerProcess
from paifu.lake.lake import Lake, Transaction
from paifu.lake.places import Places, find_places, have_moved
from paifu.lake.staging import Staged, Written
from paifu.rules import rulesets
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet
from paifu.stores.store import Store

ALONE_UNITS = 4
"""Units that are worth no worker processes, which take a second to start."""

_AHEAD = 2
"""Units that each worker is given at a time."""

Where = tuple[int, dict[str, str]]
"""A snapshot, and for each table a condition of the rows of a unit in it."""


class Auditor:
    """Reads units from a lake, audits them, and writes the rows of their verdicts to files."""

    def __init__(self, lake: Lake, new_stage: Callable[[], Staged] | None = None) -> None:
        """The files are the lake's, or those of ``new_stage`` if the lake is read only."""
        self._lake = lake
        self._new_stage = new_stage or lake.new_stage
        self._staged = self._new_stage()

    def audit(self, unit: Unit, where: Where, examples: int) -> Counted | None:
        """Audit a unit and write its rows; return None if its games are no more where they were."""
        play = self._lake.read(partial(_read, unit, where))
        if play is None:
            return None
        audited: Audited = audit(play, unit.rules, examples=examples)
        self._staged.append(audited.tables)
        give_back()
        return Counted(audited.verdicts.counts, audited.verdicts.reasons, audited.examples)

    def finish(self) -> Written:
        """Close the files; what is audited next goes into other files."""
        staged, self._staged = self._staged, self._new_stage()
        staged.finish()
        return Written.of(staged)

    def discard(self) -> None:
        """Drop what has not been finished."""
        self._lake.locks.abandoned |= not self._staged.discard()


class Worker:
    """What a worker process does: the work of an :class:`Auditor` with a connection of its own."""

    def __init__(self, lake: str) -> None:
        self._lake = Lake.open(lake, write=True)
        self._lake.connection.execute("SET threads = 1")
        self._auditor = Auditor(self._lake)

    def audit(
        self, games: pl.DataFrame, players: int, played: bool, rules: RuleSet | str,
        where: Where, examples: int,
    ) -> Counted | None:  # fmt: skip
        """Audit a unit of this content, as :func:`sent` returns it."""
        return self._auditor.audit(received(games, players, played, rules), where, examples)

    def finish(self) -> Written:
        """Close the files; what is audited next goes into other files."""
        return self._auditor.finish()

    def close(self) -> None:
        """Drop what has not been finished."""
        self._auditor.discard()
        self._lake.close()


@dataclass(slots=True)
class Batch:
    """Audited units that are stored in one transaction."""

    audited: list[tuple[Unit, Counted]] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """A batch whose units are still being audited."""

    asked: list[tuple[Unit, Future[Counted | None]]] = field(default_factory=list)
    games: int = 0
    workers: list[WorkerProcess] = field(default_factory=list)
    """Those that have units of the batch."""
    finishing: list[Future[Written]] = field(default_factory=list)
    """What they and this process have written, once no unit is added any more."""
    closed: bool = False

    def open(self) -> list[Future[Any]]:
        """Return what has no answer yet."""
        futures: list[Future[Any]] = [future for _, future in self.asked]
        futures += self.finishing
        return [future for future in futures if not future.done()]

    def close(self, alone: Auditor) -> None:
        """Let all who have units of the batch finish their files; what follows is of the next."""
        self.closed = True
        mine: Future[Written] = Future()
        mine.set_result(alone.finish())
        self.finishing = [mine, *(worker.ask("finish") for worker in self.workers)]

    def discard(self, store: Store) -> None:
        """Remove the files of this process; those of workers are removed after they have ended."""
        for mine in self.finishing[:1]:
            mine.result().staged(store).discard()

    def finished(self) -> tuple[Batch, list[Unit]]:
        """Return the batch, and the units whose rows were no more where they had been."""
        results = [(unit, future.result()) for unit, future in self.asked]
        batch = Batch(
            [(unit, counted) for unit, counted in results if counted is not None],
            [future.result() for future in self.finishing],
        )
        return batch, [unit for unit, counted in results if counted is None]


def audited_batches(
    lake: Lake, units: Sequence[Unit], batch_games: int, jobs: int, examples: int,
    started: ExitStack,
) -> Iterator[Batch]:  # fmt: skip
    """Yield all units, audited, in batches of ``batch_games``; the files are the caller's.

    They are audited by ``jobs`` processes: here, and if there are many, by others until ``started``
    ends them.
    """
    alone = Auditor(lake)
    started.callback(alone.discard)
    workers: list[WorkerProcess] = []
    if jobs > 1 and len(units) > ALONE_UNITS and all(map(can_be_sent, units)):
        started.push(lake.clear_up_after)
        for _ in range(jobs - 1):
            process = WorkerProcess(f"{__name__}:Worker", lake.location.text)
            workers.append(started.enter_context(process))
    todo, places = deque(units), Finder(lake)
    batches = deque([_Open()])
    started.callback(_discard, batches, lake.store)
    while todo or len(batches) > 1 or batches[0].asked:
        batch = batches[-1]
        ready = [worker for worker in workers if worker.ready and worker.waiting < _AHEAD]
        if todo and ready:
            worker, unit = min(ready, key=lambda worker: worker.waiting), todo.popleft()
            where = places.of(unit, todo)
            batch.asked.append((unit, worker.ask("audit", *sent(unit), where, examples)))
            batch.games += len(unit.games)
            if worker not in batch.workers:
                batch.workers.append(worker)
        elif todo:
            unit = todo.popleft()
            done: Future[Counted | None] = Future()
            done.set_result(alone.audit(unit, places.of(unit, todo), examples))
            batch.asked.append((unit, done))
            batch.games += len(unit.games)
        else:
            wait([future for one in batches for future in one.open()], return_when=FIRST_COMPLETED)
        if batch.asked and (batch.games >= batch_games or not todo):
            batch.close(alone)
            batches.append(_Open())
        if batches[0].closed and not batches[0].open():
            finished, moved = batches[0].finished()
            batches.popleft()
            if moved:
                places.forget()
                todo.extend(moved)
            if finished.audited:
                yield finished


def _discard(batches: Iterable[_Open], store: Store) -> None:
    for batch in batches:
        batch.discard(store)


class Finder:
    """Knows where the rows of units are."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self._known: dict[int, int] = {}
        self._places: Places | None = None

    def of(self, unit: Unit, rest: Sequence[Unit]) -> Where:
        """Return where the rows of a unit are, and find those of the ``rest`` too if need be."""
        if self._places is None or id(unit) not in self._known:
            self._known = {id(other): number for number, other in enumerate((unit, *rest))}
            games = {number: other.games for number, other in enumerate((unit, *rest))}
            self._places = self._lake.read(lambda tx: find_places(tx.connection, games, READ))
        return self._places.snapshot, self._places.of(self._known[id(unit)])

    def forget(self) -> None:
        """Find the rows again when they are next asked for."""
        self._places = None


def can_be_sent(unit: Unit) -> bool:
    """Return whether a worker can get the rules: a game's only by its name."""
    if isinstance(unit.rules, RuleSet):
        return True
    try:
        return rulesets.get_any(unit.rules.name).hash == unit.rules.hash
    except RuleError:
        return False


Sent = tuple[pl.DataFrame, int, bool, RuleSet | str]
"""Games, players, whether they have play, and a rule set or the name of a game's."""


def sent(unit: Unit) -> Sent:
    """Return what a worker is told of a unit."""
    rules = unit.rules if isinstance(unit.rules, RuleSet) else unit.rules.name
    return unit.games, unit.players, unit.played, rules


def received(games: pl.DataFrame, players: int, played: bool, rules: RuleSet | str) -> Unit:
    """Return the unit of which a worker was told."""
    found = rulesets.get_any(rules) if isinstance(rules, str) else rules
    return Unit(games, players, found, played)


def _read(unit: Unit, where: Where, tx: Transaction) -> Play | None:
    """Return the play of a unit; None if its rows may have moved."""
    snapshot, conditions = where
    if have_moved(tx.connection, snapshot, READ, unit.games["game_id"].to_numpy()):
        return None
    return _play(unit, conditions, tx)


def _play(unit: Unit, where: Mapping[str, str], tx: Transaction) -> Play:
    """Return the play of a unit; some rules need facts that are read from the acts."""
    play = read_play(tx.connection, unit.games, unit.players, where)
    if not unit.played:
        return play
    if isinstance(unit.rules, Game):
        return with_table_facts(tx.connection, play, where)
    if not unit.rules.houtei_after_rinshan:
        return with_last_discards(tx.connection, play, where)
    return play
