"""Stores verdicts in the place of older ones, and follows what others do to the lake meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.audit.pending_games import Unit
from paifu.lake.changes import changes_since, deleted, inserted
from paifu.lake.connection import current_version, last_committed
from paifu.lake.lake import Lake, Transaction
from paifu.lake.rows import without_games
from paifu.lake.staging import Staged, Written
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

Int64 = npt.NDArray[np.int64]

_BY_RULESET = ("verdicts", "verdict_fields", "scored_wins", "scored_yaku", "computed_results")


class VerdictWriter:
    """Stores verdicts, and follows which games others remove and judge meanwhile."""

    def __init__(self, lake: Lake, tx: Transaction, games: list[pl.DataFrame]) -> None:
        """``games`` are all games of the run, as in :class:`Unit`."""
        self._lake = lake
        self._todo = games
        self._snapshot = current_version(tx.connection) or 0
        self._gone = self._judged = _NO_IDS
        """Games that others have removed or judged since."""
        self._units: list[Unit] = []
        self._staged: list[Staged] = []

    def write(self, units: list[Unit], written: list[Written]) -> None:
        """Replace the lake's rows of the games of some units, each under its rule set.

        Games that were forgotten or replaced since this run began are left out.
        """
        self._units, self._staged = units, [one.staged(self._lake.store) for one in written]
        try:
            self._lake.transact(self._write)
        except BaseException:
            self._discard()
            raise
        self._snapshot = last_committed(self._lake.connection) or self._snapshot

    def _discard(self) -> None:
        for staged in self._staged:
            staged.discard()

    def _write(self, tx: Transaction) -> None:
        self._follow(tx)
        ids = np.concatenate([unit.games["game_id"].to_numpy() for unit in self._units])
        gone = np.intersect1d(ids, self._gone)
        if len(gone):
            left = [without_games(staged.read(), gone) for staged in self._staged]
            self._discard()
            self._staged = [self._lake.stage(tables) for tables in left]
        for rules, games in self._judged_by_rules():
            _remove(tx, np.setdiff1d(games, gone).tolist(), rules)
        for staged in self._staged:
            tx.add(staged)

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
