"""Re-scoring a lake: audits every game that has no verdict yet, batch by batch.

A verdict belongs to a rule set (the hash of what it sets) and a version of the rules engine. A
verdict of another hash or version is stale and does not count. The verdicts on the record are those
under the rule set that the game's record names, ``verdicts.ruleset = games.ruleset``. Verdicts
under other rule sets are stored beside them and are read when asked for by name; so two rule sets
of a game cannot have the same name. Units of games are read and audited, and a batch of them is one
transaction over all derived tables, so that a run can be interrupted and continued.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.audit.batch_audit import Audited, audit
from paifu.audit.comparison import ILLEGAL, MISMATCH
from paifu.audit.lake_reader import READ, read_play, with_last_discards
from paifu.audit.other_game_checks import with_table_facts
from paifu.audit.summary import Report
from paifu.audit.wide_rounds import Play
from paifu.errors import RuleError
from paifu.host.memory import give_back
from paifu.host.threads import worker_count
from paifu.lake.changes import changes_since, deleted, inserted
from paifu.lake.connection import current_version, last_committed
from paifu.lake.lake import Lake, Transaction
from paifu.lake.places import FILE_ORDER, Places, find_places, have_moved
from paifu.lake.retention import tidy
from paifu.lake.rows import without_games
from paifu.rules import rulesets
from paifu.rules.engine import ENGINE_VERSION
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

BATCH_GAMES = 20_000
"""Games per transaction by default."""

UNIT_GAMES = 2_000
"""Games that are read and audited at a time, which takes some 150 MiB."""

_PARTS = 16
"""If verdicts are replaced, they are replaced in so many transactions at most: each of them reads
all verdicts."""

Int64 = npt.NDArray[np.int64]

_BY_RULESET = ("verdicts", "verdict_fields", "scored_wins", "scored_yaku", "computed_results")


@dataclass(frozen=True, slots=True)
class _Unit:
    """Games to audit together: with the same rule set and number of players."""

    games: pl.DataFrame
    """Columns ``game_id``, ``row`` (the row id of the game) and ``judged`` (it has verdicts)."""
    players: int
    rules: RuleSet | Game
    played: bool
    """The games have play; they are not from a win sheet."""


def rescore(
    lake: Lake | str | Path,
    *,
    ruleset: str | Path | RuleSet | Game | None = None,
    force: bool = False,
    jobs: int | None = None,
    batch_games: int = BATCH_GAMES,
    examples: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Audit the games of a lake that have no verdict yet, and return a summary.

    ``ruleset`` is a preset's name, the path of a TOML file or a rule set; without it, each game is
    checked under the rule set that its record names. ``force`` also audits games that have a
    verdict. ``batch_games`` are stored in one transaction, or a sixteenth of the games if verdicts
    are replaced and that is more. ``jobs`` is how many units are audited at once, in threads.
    ``progress`` is called with the number of games done and the number of all games. Raises
    :class:`~paifu.errors.RuleError` and :class:`~paifu.errors.LakeError`.
    """
    started = time.perf_counter()
    workers = worker_count(jobs)
    rules = rulesets.load_scoring(ruleset) if isinstance(ruleset, str | Path) else ruleset
    with nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake, write=True) as opened:
        tidy(opened)
        report = Report()
        writer, todo = opened.read(lambda tx: _begin(opened, tx, rules, force, report))
        total = sum(len(unit.games) for unit in todo)
        if any(unit.games["judged"].any() for unit in todo):
            batch_games = max(batch_games, total // _PARTS)
        units = [part for unit in todo for part in _split(unit, min(batch_games, UNIT_GAMES))]
        try:
            for unit, audited in _audited(opened, units, workers, examples):
                writer.add(unit, audited)
                report.add(audited)
                report.examples += audited.examples[: examples - len(report.examples)]
                if writer.games >= batch_games:
                    writer.flush()
                    if progress:
                        progress(writer.done, total)
                give_back()
            if writer.games:
                writer.flush()
                if progress:
                    progress(writer.done, total)
        finally:
            writer.discard()
    report.seconds = time.perf_counter() - started
    return report


def disagreements(
    lake: Lake | str | Path, *, ruleset: str | Path | RuleSet | Game | None = None
) -> int:
    """Return how many verdicts of a lake are a mismatch or illegal, from this or any earlier run.

    Verdicts under ``ruleset`` in its present form count. Without it, each game's verdicts under the
    rule set that its record names count, because a record need not agree with other rules.
    """
    rules = rulesets.load_scoring(ruleset) if isinstance(ruleset, str | Path) else ruleset
    asked = "v.ruleset = g.ruleset" if rules is None else "v.ruleset_hash = $hash"
    with nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake) as opened:
        row = opened.sql(
            f"""SELECT count(*) FROM verdicts AS v JOIN games AS g USING (game_id)
            WHERE v.status IN ('{MISMATCH}', '{ILLEGAL}') AND {asked}""",
            **({} if rules is None else {"hash": rules.hash}),
        ).fetchone()
    return int(row[0]) if row else 0


def _begin(
    lake: Lake, tx: Transaction, rules: RuleSet | Game | None, force: bool, report: Report
) -> tuple[_Writer, list[_Unit]]:
    """Return a writer of verdicts, and the games to audit in the state that the writer follows."""
    todo = _todo(tx, rules, force, report)
    return _Writer(lake, tx, [unit.games for unit in todo]), todo


def _todo(
    tx: Transaction, rules: RuleSet | Game | None, force: bool, report: Report
) -> list[_Unit]:
    """Return the games to audit by rule set and players; count stale and left-out games."""
    games = tx.connection.sql(
        "SELECT game_id, rowid AS row, ruleset, game, players, detail FROM games"
        f" WHERE detail IN ('play', 'sheet') ORDER BY {FILE_ORDER}"
    ).pl()
    judged = tx.connection.sql(
        "SELECT game_id, ruleset AS judged_as, ruleset_hash, engine_version"
        " FROM verdicts WHERE subject = 'game'"
    ).pl()
    report.games = len(games)
    games = games.with_columns(judged=pl.col("game_id").is_in(judged["game_id"].unique().implode()))
    todo: list[_Unit] = []
    by_rules = games.partition_by(
        "ruleset", "game", "players", "detail", as_dict=True, maintain_order=True
    )
    for (name, game, players, detail), part in by_rules.items():
        chosen = _chosen(rules, _rules_named(str(name)))
        if isinstance(chosen, str):
            report.left_out[chosen] = len(part)
            continue
        if isinstance(chosen, Game) != (game is not None):
            played = f"games of {game or 'riichi'}"
            report.left_out[f"{chosen.name} is not for {played}"] = len(part)
            continue
        if chosen.players not in (0, players):
            report.left_out[f"{chosen.name} is not for {players} players"] = len(part)
            continue
        own = judged.filter(
            (pl.col("ruleset_hash") == chosen.hash) | (pl.col("judged_as") == chosen.name)
        )
        current = (pl.col("ruleset_hash") == chosen.hash) & (
            pl.col("engine_version") == ENGINE_VERSION
        )
        pending = part.join(own.filter(current), on="game_id", how="anti", maintain_order="left")
        report.stale += len(pending.join(own, on="game_id", how="semi"))
        if force:
            pending = part
        if len(pending):
            kept = pending.select("game_id", "row", "judged")
            todo.append(_Unit(kept, int(players), chosen, detail == "play"))
    return todo


def _chosen(asked: RuleSet | Game | None, named: RuleSet | Game | str) -> RuleSet | Game | str:
    """Return the rule set under which games are checked: the one asked for, or their record's.

    A rule set with the same settings as the record's is the record's, whatever its name. Raises
    :class:`~paifu.errors.RuleError` for a different rule set with the name of the record's.
    """
    if asked is None or (not isinstance(named, str) and named.hash == asked.hash):
        return named
    if not isinstance(named, str) and named.name == asked.name:
        raise RuleError(
            f"games of this lake were played under another rule set named {asked.name!r}: give "
            'yours a name of its own, with a line like name = "ours"'
        )
    return asked


def _rules_named(name: str) -> RuleSet | Game | str:
    """Return the rule set that a record names, under that name, or why there is no such set."""
    if not name.endswith(".toml"):
        known = (*rulesets.names(), *rulesets.game_names())
        return rulesets.get_any(name) if name in known else f"{name} is no rule set"
    try:
        return replace(rulesets.load_within(name, Path()), name=name)
    except RuleError as error:
        return str(error)


def _split(unit: _Unit, size: int) -> Iterator[_Unit]:
    for start in range(0, len(unit.games), size):
        yield replace(unit, games=unit.games.slice(start, size))


def _audited(
    lake: Lake, units: list[_Unit], jobs: int, examples: int
) -> Iterator[tuple[_Unit, Audited]]:
    """Yield the audited units in order. They are read here and audited in ``jobs`` threads."""
    waiting: deque[tuple[_Unit, Future[Audited]]] = deque()
    places: Places | None = None
    with ThreadPoolExecutor(jobs, thread_name_prefix="rescore") as pool:
        for number, unit in enumerate(units):
            if len(waiting) >= jobs:
                first, future = waiting.popleft()
                yield first, future.result()
            play, places = lake.read(partial(_read, units, number, places))
            waiting.append((unit, pool.submit(audit, play, unit.rules, examples=examples)))
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()


def _read(
    units: list[_Unit], number: int, places: Places | None, tx: Transaction
) -> tuple[Play, Places]:
    """Return the play of a unit, and the places of all units from it on."""
    unit = units[number]
    ids = unit.games["game_id"].to_numpy()
    if places is None or have_moved(tx.connection, places.snapshot, READ, ids):
        rest = {n: units[n].games for n in range(number, len(units))}
        places = find_places(tx.connection, rest, READ)
    return _play(unit, places.of(number), tx), places


def _play(unit: _Unit, where: Mapping[str, str], tx: Transaction) -> Play:
    """Return the play of a unit; some rules need facts that are read from the acts."""
    play = read_play(tx.connection, unit.games, unit.players, where)
    if not unit.played:
        return play
    if isinstance(unit.rules, Game):
        return with_table_facts(tx.connection, play, where)
    if not unit.rules.houtei_after_rinshan:
        return with_last_discards(tx.connection, play, where)
    return play


class _Writer:
    """Stores verdicts, and follows which games others remove and judge meanwhile."""

    def __init__(self, lake: Lake, tx: Transaction, games: list[pl.DataFrame]) -> None:
        """``games`` are all games of the run, as in :class:`_Unit`."""
        self._lake = lake
        self._todo = games
        self._snapshot = current_version(tx.connection) or 0
        self._gone = self._judged = _NO_IDS
        """Games that others have removed or judged since."""
        self._units: list[_Unit] = []
        self._staged = lake.new_stage()
        self.games = 0
        """Games added and not stored yet."""
        self.done = 0

    def add(self, unit: _Unit, audited: Audited) -> None:
        """Add the rows of a unit to the next transaction."""
        self._staged.append(audited.tables)
        self._units.append(unit)
        self.games += len(unit.games)

    def flush(self) -> None:
        """Replace the lake's rows of the games added, each under its rule set.

        Games that were forgotten or replaced since this run began are left out.
        """
        self._staged.finish()
        self._lake.transact(self._write)
        self._snapshot = last_committed(self._lake.connection) or self._snapshot
        self.done += self.games
        self.games, self._units, self._staged = 0, [], self._lake.new_stage()

    def discard(self) -> None:
        """Drop what has not been stored."""
        self._staged.discard()

    def _write(self, tx: Transaction) -> None:
        self._follow(tx)
        ids = np.concatenate([unit.games["game_id"].to_numpy() for unit in self._units])
        gone = np.intersect1d(ids, self._gone)
        if len(gone):
            tables = without_games(self._staged.read(), gone)
            self._staged.discard()
            self._staged = self._lake.stage(tables)
        for rules, games in self._judged_by_rules():
            _remove(tx, np.setdiff1d(games, gone).tolist(), rules)
        tx.add(self._staged)

    def _judged_by_rules(self) -> Iterator[tuple[RuleSet | Game, Int64]]:
        """Yield the games that have verdicts of some rule set, by the rule set of new verdicts."""
        parts: dict[int, tuple[RuleSet | Game, list[Int64]]] = {}
        for unit in self._units:
            ids = unit.games["game_id"].to_numpy()
            judged = ids[unit.games["judged"].to_numpy() | np.isin(ids, self._judged)]
            if len(judged):
                parts.setdefault(unit.rules.hash, (unit.rules, []))[1].append(judged)
        for rules, games in parts.values():
            yield rules, np.concatenate(games)

    def _follow(self, tx: Transaction) -> None:
        """Read which games others removed or judged since this was last read."""
        changes = changes_since(tx.connection, self._snapshot)
        if changes is None or {"games", "verdicts"} & changes.moved:
            there = tx.connection.sql("SELECT game_id, rowid AS row FROM games").pl()
            gone = pl.concat(self._todo).join(there, on=["game_id", "row"], how="anti")
            judged = tx.connection.sql("SELECT DISTINCT game_id FROM verdicts").pl()
            self._gone = np.union1d(self._gone, gone["game_id"].to_numpy())
            self._judged = np.union1d(self._judged, judged["game_id"].to_numpy())
        else:
            if "games" in changes.deleted:
                rows = deleted("games", self._snapshot + 1, changes.last)
                self._gone = np.union1d(self._gone, _ids(tx, rows))
            if "verdicts" in changes.inserted:
                rows = inserted("verdicts", self._snapshot + 1, changes.last)
                self._judged = np.union1d(self._judged, _ids(tx, rows))
        self._snapshot = current_version(tx.connection) or 0


_NO_IDS: Int64 = np.empty(0, np.int64)


def _ids(tx: Transaction, rows: str) -> Int64:
    found: Int64 = tx.connection.execute(f"SELECT DISTINCT game_id FROM {rows}").fetchnumpy()[
        "game_id"
    ]
    return found


def _remove(transaction: Transaction, ids: list[int], rules: RuleSet | Game) -> None:
    """Remove the games' rows under this rule set, under older sets of its name, and of walls."""
    hashes = [
        row[0]
        for row in transaction.execute(
            "SELECT DISTINCT ruleset_hash FROM verdicts WHERE game_id IN (SELECT unnest(?))"
            " AND (ruleset_hash = ? OR ruleset = ?)",
            [ids, rules.hash, rules.name],
        )
    ]
    if hashes:
        for table in _BY_RULESET:
            transaction.execute(
                f"DELETE FROM {table} WHERE game_id IN (SELECT unnest(?))"
                " AND ruleset_hash IN (SELECT unnest(?))",
                [ids, hashes],
            )
    for table in ("walls", "luck"):
        transaction.execute(f"DELETE FROM {table} WHERE game_id IN (SELECT unnest(?))", [ids])
