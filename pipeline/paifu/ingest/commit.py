"""The one committer: brings prepared units into the lake in order, a transaction each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

import paifu
from paifu.importers.containers import Source
from paifu.ingest.prepare import Prepared, Rejected, importer_versions, unrecognised_version
from paifu.lake import Lake, Staged, Transaction
from paifu.lake.forget import Forgotten
from paifu.lake.known import Decision, Games, Known
from paifu.lake.layout import arrow_schema
from paifu.lake.names import apply_policy
from paifu.replay import VERSION as REPLAY_VERSION


def source_id(source: Source) -> int:
    """Return the id of a source: the first eight bytes of its SHA-256."""
    digest = source.sha256 or source.path.encode("utf-8", "surrogateescape").ljust(8, b"\0")[-8:]
    return int.from_bytes(digest[:8], "little", signed=True)


def versions_text() -> str:
    """Return the versions of all importers as table ``sources`` keeps them."""
    return " ".join(f"{key}={version}" for key, version in sorted(importer_versions().items()))


@dataclass(slots=True)
class Tally:
    """What a source came to, over all its units."""

    source: Source
    logs: int = 0
    rejected: int = 0
    units: int = 0
    found: list[npt.NDArray[np.int64]] = field(default_factory=list)
    """Ids of the games found in it; kept only for ``--refresh``."""


@dataclass(slots=True)
class Counts:
    """What was brought into the lake, in numbers."""

    games: int = 0
    rounds: int = 0
    wins: int = 0
    rejected: int = 0
    flagged: int = 0
    skipped: int = 0
    superseded: int = 0


class Committer:
    """Knows what the lake has, and adds to it."""

    def __init__(self, lake: Lake, *, refresh: bool) -> None:
        self.lake = lake
        self.refresh = refresh
        self.counts = Counts()
        self.first_rejects: list[Rejected] = []
        """Some of what could not be read, for the messages at the end."""
        self._salt = lake.salt()
        self._started = datetime.now(UTC).replace(tzinfo=None)
        self._tallies: dict[int, Tally] = {}
        lake.read(self._look)
        self._replaceable = self._older_games() if refresh else None
        self._done = self._readable_sources()

    # --- what is known already --------------------------------------------------------------------

    def _look(self, tx: Transaction) -> None:
        self._commits = tx.commits
        self._known = Known.read(tx.connection)
        self._stored_sources = {row[0] for row in tx.execute("SELECT source_id FROM sources")}
        self._forgotten = Forgotten.read(self.lake)

    def skip(self, source: Source) -> bool:
        """Tell whether a source has nothing new: read to its end before, by the same versions."""
        identity = source_id(source)
        if identity not in self._done:
            if source.sha256:
                self._done[identity] = 0  # for the same content under a second name in this run
            return False
        self.counts.skipped += self._done[identity]
        return True

    def _readable_sources(self) -> dict[int, int]:
        """Return how many games each source holds that need not be read again."""
        rows = self.lake.connection.execute(
            """SELECT source_id, logs - rejected, importer_version, replay_version FROM sources
            WHERE complete"""
        ).fetchall()
        current = (versions_text(), REPLAY_VERSION)
        again = self._sources_to_retry()
        return {
            identity: logs
            for identity, logs, *versions in rows
            if identity not in again and not (self.refresh and tuple(versions) != current)
        }

    def _sources_to_retry(self) -> set[int]:
        """Return the sources with rejects of which a changed importer may know more."""
        versions: dict[str | None, int] = {None: unrecognised_version()}
        versions.update(importer_versions())
        rows = self.lake.connection.execute(
            "SELECT DISTINCT source_id, format, importer_version FROM rejects"
        ).fetchall()
        return {identity for identity, key, version in rows if versions.get(key) != version}

    def _older_games(self) -> npt.NDArray[np.int64]:
        """Return the ids of the games that older versions read."""
        table = self.lake.connection.execute(
            """SELECT game_id FROM games JOIN sources USING (source_id)
            WHERE importer_version <> ? OR replay_version <> ?""",
            [versions_text(), REPLAY_VERSION],
        ).to_arrow_table()
        return np.asarray(table.column(0).to_numpy(), dtype=np.int64)

    # --- bringing in ------------------------------------------------------------------------------

    def commit(self, prepared: Prepared) -> None:
        """Bring one unit into the lake."""
        tables = self._forgotten.remove(prepared.tables)
        self._count_logs(prepared)
        rejects = self._rejects(prepared.rejected)
        plan = self._plan(tables, prepared, rejects, self.lake)
        try:
            plan = self.lake.transact(lambda tx: self._write(tx, tables, prepared, rejects, plan))
        except BaseException:
            plan.staged.discard()
            raise
        self._after(prepared, plan)

    def _count_logs(self, prepared: Prepared) -> None:
        for number, source in prepared.unit.sources.items():
            tally = self._tallies.setdefault(number, Tally(source))
            rejected = sum(reject.source == number for reject in prepared.rejected)
            tally.rejected += rejected
            tally.logs += rejected + prepared.games.get(number, 0)
            tally.units += 1
            if self.refresh and "games" in prepared.tables:
                games = prepared.tables["games"]
                mine = pc.equal(games.column("source_id"), source_id(source))
                tally.found.append(games.filter(mine).column("game_id").to_numpy())

    def _plan(
        self,
        tables: dict[str, pa.Table],
        prepared: Prepared,
        rejects: pa.Table,
        lake: Lake,
    ) -> _Plan:
        decision = self._known.decide(tables["games"], lake.connection, self._replaceable)
        kept = _kept(tables, decision.keep)
        fresh = self._fresh_sources(prepared, kept["games"])
        listed = {**kept, "rejects": rejects, "sources": fresh}
        return _Plan(
            decision,
            Games.of(kept["games"]),
            kept,
            lake.stage(apply_policy(lake.names, self._salt, listed)),
            self._commits,
            set(fresh.column("source_id").to_pylist()),
        )

    def _write(
        self,
        tx: Transaction,
        tables: dict[str, pa.Table],
        prepared: Prepared,
        rejects: pa.Table,
        plan: _Plan,
    ) -> _Plan:
        if tx.commits != plan.commits:
            # another process wrote since: what it brought must not be stored again
            self._look(tx)
            plan.staged.discard()
            plan.renew(self._plan(self._forgotten.remove(tables), prepared, rejects, self.lake))
        if plan.decision.remove:
            tx.remove_games(plan.decision.remove)
        tx.add(plan.staged)
        self._write_sources(tx, prepared, plan)
        return plan

    def _after(self, prepared: Prepared, plan: _Plan) -> None:
        self._commits += 1
        self._known = self._known.changed(plan.added, plan.decision.remove)
        if self._replaceable is not None:
            self._replaceable = np.setdiff1d(self._replaceable, plan.decision.remove)
        self._stored_sources |= {source_id(s) for s in prepared.unit.sources.values()}
        for number in prepared.unit.ended:
            del self._tallies[number]
        counts = self.counts
        counts.games += len(plan.added)
        counts.rounds += plan.kept["rounds"].num_rows
        counts.wins += plan.kept["wins"].num_rows
        counts.flagged += _flagged(plan.kept["games"])
        counts.superseded += plan.decision.superseded
        counts.skipped += prepared.duplicates + plan.decision.known
        counts.rejected += len(prepared.rejected)
        self.first_rejects += prepared.rejected[: 10 - len(self.first_rejects)]

    # --- sources and rejects ----------------------------------------------------------------------

    def _fresh_sources(self, prepared: Prepared, games: pa.Table) -> pa.Table:
        """Return rows of the sources the lake has nothing of, as far as they have been read."""
        stored = pc.value_counts(games.column("source_id")).to_pylist()
        count = {row["values"]: row["counts"] for row in stored}
        rows = [
            self._source_row(number, prepared, count.get(source_id(source), 0))
            for number, source in prepared.unit.sources.items()
            if source_id(source) not in self._stored_sources
        ]
        return pa.Table.from_pylist(rows, schema=arrow_schema("sources"))

    def _source_row(self, number: int, prepared: Prepared, games: int) -> dict[str, Any]:
        tally = self._tallies[number]
        source = tally.source
        modified = source.modified_at
        return {
            "source_id": source_id(source),
            "path": source.path,
            "format": source.format,
            "sha256": source.sha256,
            "bytes": source.bytes,
            "modified_at": modified.astimezone(UTC).replace(tzinfo=None) if modified else None,
            "logs": tally.logs,
            "games": games,
            "rejected": tally.rejected,
            "complete": number in prepared.unit.ended and source.complete,
            "paifu_version": paifu.__version__,
            "importer_version": versions_text(),
            "replay_version": REPLAY_VERSION,
            "ingested_at": self._started,
        }

    def _write_sources(self, tx: Transaction, prepared: Prepared, plan: _Plan) -> None:
        """Bring the rows of sources up to date that an earlier unit or run has written."""
        for number in sorted(prepared.unit.ended):
            source = prepared.unit.sources[number]
            identity = source_id(source)
            if identity in plan.fresh:
                continue
            if self.refresh:
                self._drop_vanished(tx, identity, self._tallies[number])
            # rejects of an earlier reading; those of this one bear its time
            tx.execute(
                "DELETE FROM rejects WHERE source_id = ? AND ingested_at <> ?",
                [identity, self._started],
            )
            ((games,),) = tx.execute("SELECT count(*) FROM games WHERE source_id = ?", [identity])
            tx.execute("DELETE FROM sources WHERE source_id = ?", [identity])
            row = self._source_row(number, prepared, games)
            table = pa.Table.from_pylist([row], schema=arrow_schema("sources"))
            tx.insert("sources", apply_policy(self.lake.names, self._salt, {"s": table})["s"])

    def _drop_vanished(self, tx: Transaction, identity: int, tally: Tally) -> None:
        """Remove games of a source that this reading of it, by newer versions, no longer finds."""
        found = np.concatenate([*tally.found, np.empty(0, np.int64)]).tolist()
        rows = tx.execute(
            """SELECT game_id FROM games WHERE source_id = ?
            AND game_id NOT IN (SELECT unnest(?::BIGINT[]))""",
            [identity, found],
        )
        if rows:
            tx.remove_games([row[0] for row in rows])

    def _rejects(self, rejected: Iterable[Rejected]) -> pa.Table:
        rows = [
            {
                "source_id": source_id(self._tallies[reject.source].source),
                "member": reject.member,
                "position": reject.position,
                "format": reject.format,
                "importer_version": reject.importer_version,
                "reason": reject.reason,
                "excerpt": reject.excerpt[:80] or None,
                "ingested_at": self._started,
            }
            for reject in rejected
        ]
        return pa.Table.from_pylist(rows, schema=arrow_schema("rejects"))


@dataclass(slots=True)
class _Plan:
    """What a transaction is going to do, decided from the lake as of ``commits``."""

    decision: Decision
    added: Games
    kept: dict[str, pa.Table]
    staged: Staged
    commits: int
    fresh: set[int]
    """Ids of the sources whose rows are among what is staged."""

    def renew(self, other: _Plan) -> None:
        """Become another plan, so that whoever holds this one can discard what is staged."""
        self.decision, self.added, self.kept = other.decision, other.added, other.kept
        self.staged, self.commits, self.fresh = other.staged, other.commits, other.fresh


def _kept(tables: dict[str, pa.Table], keep: npt.NDArray[np.bool_]) -> dict[str, pa.Table]:
    if keep.all():
        return dict(tables)
    games = tables["games"].filter(pa.array(keep))
    ids = games.column("game_id").combine_chunks()
    return {
        name: games
        if name == "games"
        else table.filter(pc.is_in(table.column("game_id"), value_set=ids))
        for name, table in tables.items()
    }


def _flagged(games: pa.Table) -> int:
    lengths = pc.list_value_length(games.column("flags"))
    return int(pc.sum(pc.greater(lengths, 0)).as_py() or 0)
