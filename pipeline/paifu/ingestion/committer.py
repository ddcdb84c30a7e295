"""The committer: brings prepared units into the lake in order, several in one transaction.

A commit takes as long for ten games as for ten thousand (DuckLake keeps statistics of every
column). So units are collected in open files until a batch is full; then the whole batch becomes
visible at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.ingestion.alike_names import AlikeNames, alike_names
from paifu.ingestion.kept_games import Counts, counts_of, filled, kept_rows
from paifu.ingestion.known_games import (
    COLUMNS,
    Decision,
    Games,
    Known,
    Play,
    Plays,
    plays_of,
    stored_plays,
)
from paifu.ingestion.prepare import Prepared, Rejected, importer_versions, unrecognised_version
from paifu.ingestion.source_rows import Tally, source_id, source_row, versions_text
from paifu.ingestion.workers import Held, store
from paifu.lake.changes import changes_since, inserted
from paifu.lake.connection import current_version, last_committed, quoted
from paifu.lake.forget import Forgotten
from paifu.lake.lake import Lake, Transaction
from paifu.lake.layout import arrow_schema
from paifu.lake.names import apply_policy, stored_texts, without_quotes
from paifu.lake.staging import Staged, Written
from paifu.messages import shortened
from paifu.replay.replay_batch import VERSION as REPLAY_VERSION
from paifu.sources.containers import Source
from paifu.stores.store import Store

Int64 = npt.NDArray[np.int64]

_MOST_REJECTS = 1000
"""How many rejects of one source are stored one by one; one more counts the others."""
SHEETS = "score_sheet"
"""The format whose games people write by hand."""
_NO_IDS: Int64 = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Flagged:
    """One fault of a game that was stored, as in table ``flags``."""

    source: str
    """Path of the source of the game."""
    log_id: str | None
    format: str
    game_id: int
    round_index: int | None
    seq: int | None
    seat: int | None
    reason: str


class _Logs(NamedTuple):
    """How many logs a source has."""

    readable: int
    rejected: int


@dataclass(slots=True)
class _Batch:
    """What the next transaction will store."""

    staged: Staged
    elsewhere: list[Staged] = field(default_factory=list)
    """What worker processes have written, once they have finished it."""
    storing: list[tuple[Held, Future[Counts]]] = field(default_factory=list)
    """What worker processes write."""
    games: list[Games] = field(default_factory=list)
    rows: list[pa.Table] = field(default_factory=list)
    """The rows of table ``games``, with the columns that decisions need."""
    remove: set[int] = field(default_factory=set)
    """Stored games that are superseded."""
    sources: set[int] = field(default_factory=set)
    """Numbers of the sources of its logs."""
    ended: set[int] = field(default_factory=set)
    counts: Counts = field(default_factory=Counts)
    gone: Counts = field(default_factory=Counts)
    """Those of the games to remove that an earlier batch of this run stored."""

    def collect(self, store: Store) -> None:
        """Finish the files, also those of worker processes."""
        writers = {held.writer: held for held, _ in self.storing}
        finishing = [held.finish() for held in writers.values()]
        self.staged.finish()
        written: list[Written] = [future.result() for future in finishing]
        self.elsewhere = [one.staged(store) for one in written]
        for _, counts in self.storing:
            self.counts.add(counts.result())
        self.storing = []

    def read(self) -> dict[str, pa.Table]:
        """Return all rows of the finished files."""
        parts = [filled(staged.read()) for staged in (self.staged, *self.elsewhere)]
        return {
            name: pa.concat_tables([part[name] for part in parts], promote_options="permissive")
            for name in parts[0]
        }

    def discard(self) -> None:
        """Remove the files that the lake has not registered."""
        for staged in (self.staged, *self.elsewhere):
            staged.discard()
        self.elsewhere = []

    def has_any(self, ids: list[int]) -> bool:
        """Return whether any of these games is in the batch."""
        return any(np.isin(part.ids, ids).any() for part in self.games) if ids else False

    def games_by_source(self) -> Counter[int]:
        """Return how many games each source has in the batch."""
        columns = [part.column("source_id").to_numpy() for part in self.rows]
        found = np.unique(np.concatenate([*columns, _NO_IDS]), return_counts=True)
        return Counter(dict(zip(*(part.tolist() for part in found), strict=True)))


class Committer:
    """Knows which games the lake has, and adds games to it."""

    def __init__(self, lake: Lake, *, refresh: bool = False, batch_games: int = 1) -> None:
        self.lake = lake
        self.refresh = refresh
        self.batch_games = batch_games
        self.counts = Counts()
        """The counts of what has been committed."""
        self._salt = lake.salt()
        self._started = datetime.now(UTC).replace(tzinfo=None)
        self._tallies: dict[int, Tally] = {}
        self._reading: set[int] = set()
        """Ids of the sources that this run reads or has read."""
        self._read: dict[int, _Logs] = {}
        """The logs of sources that were read to their end, by source id."""
        self._repeated: Counter[int] = Counter()
        """For each of these, by id, how many other files of this run have the same content."""
        self._added: list[Int64] = []
        """Ids of the games that this run has stored, sorted, by transaction."""
        self._games_by_source: Counter[int] = Counter()
        """How many games this run has stored of each source that has not ended."""
        self._begun: set[int] = set()
        """Those of these sources that the lake did not have before."""
        self._all_there = True
        """No game that this run has stored has been removed since."""
        self._from_sheets = False
        """Some of the games are from score sheets."""
        self._known_rejects: set[int] | None = None
        """Hashes of the rejects of earlier runs, once they are needed."""
        self._batch = _Batch(lake.new_stage())
        lake.read(self._look_for_the_first_time)

    # --- what is already known --------------------------------------------------------------------

    def _look_for_the_first_time(self, tx: Transaction) -> None:
        self._commits, self._snapshot = tx.commits, current_version(tx.connection) or 0
        self._known = Known.read(tx.connection, self._is_old())
        self._stored_sources = {row[0] for row in tx.execute("SELECT source_id FROM sources")}
        self._forgotten = Forgotten.read(self.lake)
        self._done = self._readable_sources() if self._stored_sources else {}
        self._old = self._older_games(tx) if self.refresh else {}

    def _look(self, tx: Transaction) -> None:
        """Read what others changed since the last look."""
        self._known.undo()
        changes = changes_since(tx.connection, self._snapshot)
        games = {"games"}
        if changes is None or games <= changes.moved:
            self._known = Known.read(tx.connection, self._is_old())
            self._stored_sources = {row[0] for row in tx.execute("SELECT source_id FROM sources")}
            self._known_rejects, self._all_there = None, False
        else:
            if games <= changes.inserted | changes.deleted:
                self._known.follow(tx.connection, self._snapshot + 1, changes.last)
            if "sources" in changes.inserted:
                new = inserted("sources", self._snapshot + 1, changes.last)
                self._stored_sources |= {
                    row[0] for row in tx.execute(f"SELECT source_id FROM {new}")
                }
            if "rejects" in changes.inserted | changes.deleted:
                self._known_rejects = None
            self._all_there &= not games <= changes.deleted
        self._forgotten = Forgotten.read(self.lake)
        self._commits, self._snapshot = tx.commits, current_version(tx.connection) or 0

    def _is_old(self) -> str:
        """Return SQL that is true for games that this run replaces: older versions read them."""
        if not self.refresh:
            return "false"
        return f"""source_id IN (SELECT source_id FROM sources
            WHERE importer_version <> {quoted(versions_text())}
            OR replay_version <> {REPLAY_VERSION})"""

    def skip(self, source: Source) -> bool:
        """Return whether a source has nothing new: the same versions read it to its end before."""
        identity = source_id(source)
        if identity in self._done:
            self._count_again(self._done[identity])
            return True
        if identity in self._reading:  # under another name; its logs are counted at the end
            self._repeated[identity] += 1
            return True
        if source.sha256:
            self._reading.add(identity)
        return False

    def _count_again(self, logs: _Logs, times: int = 1) -> None:
        """Count logs that are not read again because their content is known."""
        self.counts.skipped += times * logs.readable
        self.counts.known_rejected += times * logs.rejected

    def _readable_sources(self) -> dict[int, _Logs]:
        """Return the logs of each source that need not be read again."""
        rows = self.lake.connection.execute(
            """SELECT source_id, logs - rejected, rejected, importer_version, replay_version
            FROM sources WHERE complete"""
        ).fetchall()
        current = (versions_text(), REPLAY_VERSION)
        again = self._sources_to_retry()
        return {
            identity: _Logs(readable, rejected)
            for identity, readable, rejected, *versions in rows
            if identity not in again and not (self.refresh and tuple(versions) != current)
        }

    def _sources_to_retry(self) -> set[int]:
        """Return the sources with rejects that a changed or another importer may read."""
        versions: dict[str | None, int] = {None: unrecognised_version()}
        versions.update(importer_versions())
        rows = self.lake.connection.execute(
            "SELECT DISTINCT source_id, format, importer_version FROM rejects"
        ).fetchall()
        return {identity for identity, key, version in rows if versions.get(key) != version}

    def _older_games(self, tx: Transaction) -> dict[int, Int64]:
        """Return the ids of the games that older versions read, by source."""
        rows = tx.connection.execute(
            f"SELECT source_id, game_id FROM games WHERE {self._is_old()} ORDER BY source_id"
        ).fetchnumpy()
        sources, first = np.unique(rows["source_id"], return_index=True)
        games = np.split(rows["game_id"], first[1:])
        return dict(zip(sources.tolist(), games, strict=False))  # one part even of no games

    # --- storing ----------------------------------------------------------------------------------

    def commit(self, prepared: Prepared, held: Held | None = None) -> list[Rejected]:
        """Add one unit to the batch, and write the batch to the lake if it is full.

        ``held`` are the rows if a worker process has them. Returns the rejects that the lake did
        not have before.
        """
        arriving = prepared.tables["games"]
        games, decision = self._decided(arriving, self._plays)
        if self._batch.has_any(decision.remove):
            self.flush()  # a game of this batch is superseded: it must be in the lake to be removed
            games, decision = self._decided(arriving, self._plays)
        keep = ~self._forgotten.has(arriving)
        keep[keep] = decision.keep
        kept = arriving.filter(pa.array(keep)).select(COLUMNS)
        batch, added = self._batch, Games.of(kept)
        self._tally(prepared, games)
        rejected = self._first_rejects(prepared)
        new, rejects = self._new_rejects(rejected), {"rejects": self._rejects(rejected)}
        batch.staged.append(apply_policy(self.lake.names, self._salt, rejects))
        if held is not None:
            batch.storing.append((held, held.store(keep, self._forgotten)))
        else:
            batch.counts.add(
                store(
                    prepared.tables, keep, self._forgotten, batch.staged, self.lake.names,
                    self._salt,
                )
            )  # fmt: skip
        batch.games.append(added)
        batch.rows.append(kept)
        formats = kept.column("format").cast(pa.string())
        self._from_sheets |= pc.any(pc.equal(formats, SHEETS)).as_py() or False
        batch.remove |= set(decision.remove)
        batch.sources |= set(prepared.unit.sources)
        batch.ended |= prepared.unit.ended
        logs_new, logs = (sum(reject.logs for reject in each) for each in (new, rejected))
        batch.counts.rejected += logs_new
        batch.counts.known_rejected += logs - logs_new
        batch.counts.skipped += prepared.duplicates + decision.known
        batch.counts.superseded += prepared.superseded + decision.superseded
        self._known.change(added, decision.remove)
        if sum(map(len, batch.games)) >= self.batch_games or len(batch.sources) >= self.batch_games:
            self.flush()
        return new

    def _decided(self, games: pa.Table, plays: Plays) -> tuple[pa.Table, Decision]:
        """Return the arriving games that are not forgotten, and the decision about them."""
        gone = self._forgotten.has(games)
        if gone.any():
            games = games.filter(pa.array(~gone))
        return games, self._known.decide(games, plays)

    def _plays(self, ids: Int64) -> dict[int, Play]:
        """Return the play of games that are stored or about to be stored, by their ids."""
        wanted = pa.array(ids)
        ours = {
            game: play
            for rows in self._batch.rows
            for game, play in plays_of(
                rows.filter(pc.is_in(rows.column("game_id"), value_set=wanted))
            ).items()
        }
        stored = ids[[game not in ours for game in ids.tolist()]]
        return ours | (stored_plays(self.lake.connection, stored) if len(stored) else {})

    def flush(self) -> None:
        """Write the batch to the lake in one transaction."""
        batch = self._batch
        if not batch.sources:
            return
        try:
            batch.collect(self.lake.store)
            self.lake.transact(self._write)
        except BaseException:
            batch.discard()
            raise
        self._commits += 1
        self._snapshot = last_committed(self.lake.connection) or self._snapshot
        self._known.settle()
        sources = {source_id(self._tallies[n].source) for n in batch.sources}
        self._begun |= sources - self._stored_sources
        self._stored_sources |= sources
        self._games_by_source += batch.games_by_source()
        for number in batch.ended:
            ended = source_id(self._tallies.pop(number).source)
            self._games_by_source.pop(ended, None)
            self._begun.discard(ended)
        self._added.append(np.sort(np.concatenate([part.ids for part in batch.games])))
        self._all_there &= not batch.gone.games
        self.counts.add(batch.counts)
        self.counts.add(batch.gone, -1)
        self._batch = _Batch(self.lake.new_stage())

    def finish(self) -> None:
        """Write what is left, and count the games of files with repeated content."""
        self.flush()
        for identity, times in self._repeated.items():
            self._count_again(self._read[identity], times)

    def discard(self) -> None:
        """Drop what has not been written."""
        self._batch.discard()

    def _write(self, tx: Transaction) -> None:
        batch = self._batch
        if tx.commits != self._commits:
            self._reconsider(tx)
        batch.gone = self._stored_by_this_run(tx, batch.remove)
        vanished = self._vanished()
        self._known.change(Games.of(batch.rows[0].slice(0, 0)), vanished)
        if remove := batch.remove | vanished:
            tx.remove_games(sorted(remove))
        for staged in (batch.staged, *batch.elsewhere):
            tx.add(staged)
        self._write_sources(tx)

    def _stored_by_this_run(self, tx: Transaction, ids: Iterable[int]) -> Counts:
        """Return the counts of those of some games that earlier batches stored."""
        removed = np.fromiter(ids, dtype=np.int64)
        ours: list[int] = []
        for added in self._added if len(removed) else ():
            at = np.searchsorted(added, removed)
            found = np.append(added, 0)[at] == removed
            ours += removed[found & (at < len(added))].tolist()
        if not ours:
            return Counts()
        rows = "SELECT * FROM {} WHERE game_id IN (SELECT unnest(?))"
        return counts_of(
            {
                name: tx.connection.execute(rows.format(name), [ours]).to_arrow_table()
                for name in ("games", "rounds", "wins")
            }
        )

    def _reconsider(self, tx: Transaction) -> None:
        """Decide again about the whole batch, because another process has written to the lake."""
        batch, forgotten = self._batch, self._forgotten
        self._look(tx)
        games, decision = self._decided(
            pa.concat_tables(batch.rows), lambda ids: stored_plays(tx.connection, ids)
        )
        counts = batch.counts
        if not decision.keep.all() or self._forgotten != forgotten:
            games = games.filter(pa.array(decision.keep))
            tables = batch.read()
            ids = games.column("game_id").combine_chunks()
            keep = pc.is_in(tables["games"].column("game_id"), value_set=ids)
            kept = self._forgotten.anonymous(kept_rows(tables, keep.to_numpy()))
            batch.discard()
            batch.staged = self.lake.stage(kept)
            counts = counts_of(kept)
        batch.games, batch.rows = [Games.of(games)], [games]
        batch.remove = set(decision.remove)
        batch.counts = replace(
            counts,
            rejected=batch.counts.rejected,
            known_rejected=batch.counts.known_rejected,
            skipped=batch.counts.skipped + decision.known,
            superseded=batch.counts.superseded + decision.superseded,
        )
        self._known.change(batch.games[0], decision.remove)

    # --- sources and rejects ----------------------------------------------------------------------

    def _tally(self, prepared: Prepared, games: pa.Table) -> None:
        rejects: Counter[int] = Counter()
        for reject in prepared.rejected:
            rejects[reject.source] += reject.logs
        for number, source in prepared.unit.sources.items():
            tally = self._tallies.setdefault(number, Tally(source))
            rejected = rejects[number]
            tally.rejected += rejected
            tally.logs += rejected + prepared.games.get(number, 0)
            tally.ended = number in prepared.unit.ended
            if tally.ended:
                self._read[source_id(source)] = _Logs(tally.logs - tally.rejected, tally.rejected)
            if self.refresh:
                mine = pc.equal(games.column("source_id"), source_id(source))
                tally.found.append(games.filter(mine).column("game_id").to_numpy())

    def _write_sources(self, tx: Transaction) -> None:
        """Write the rows of the batch's sources; they replace rows of an earlier run."""
        tallies = [self._tallies[number] for number in sorted(self._batch.sources)]
        before = [t for t in tallies if source_id(t.source) in self._stored_sources]
        again = [source_id(t.source) for t in before if t.ended]
        if again:
            # rejects of an earlier run; rejects of this run have its time
            tx.execute(
                "DELETE FROM rejects WHERE source_id IN (SELECT unnest(?)) AND ingested_at <> ?",
                [again, self._started],
            )
            tx.execute("DELETE FROM sources WHERE source_id IN (SELECT unnest(?))", [again])
        written = [t for t in tallies if t.ended or source_id(t.source) not in self._stored_sources]
        ids = [source_id(tally.source) for tally in written]
        counts = self._games_of(tx, ids, {source_id(tally.source) for tally in before})
        rows = [
            source_row(tally, counts.get(identity, 0), self._started)
            for identity, tally in zip(ids, written, strict=True)
        ]
        if rows:
            table = pa.Table.from_pylist(rows, schema=arrow_schema("sources"))
            kept = apply_policy(self.lake.names, self._salt, {"sources": table})
            tx.insert("sources", kept["sources"])

    def _games_of(self, tx: Transaction, sources: list[int], before: set[int]) -> dict[int, int]:
        """Return how many games of each source the lake has; ``before`` were in it before."""
        counts = self._games_by_source + self._batch.games_by_source()
        asked = [n for n in sources if n in before - self._begun] if self._all_there else sources
        if asked:
            rows = """SELECT source_id, count(*) FROM games
                WHERE source_id IN (SELECT unnest(?::BIGINT[])) GROUP BY 1"""
            counts.update(dict.fromkeys(asked, 0))
            counts |= Counter(dict(tx.execute(rows, [asked])))
        return counts

    def _vanished(self) -> set[int]:
        """Return the games that older versions found in sources and this run does not."""
        ended = [self._tallies[number] for number in self._batch.ended] if self._old else []
        return {
            game
            for tally in ended
            for game in np.setdiff1d(
                self._old.get(source_id(tally.source), _NO_IDS), np.concatenate(tally.found)
            ).tolist()
        }

    def alike_names(self) -> list[AlikeNames]:
        """Return names in the sheets of this run that are nearly those of others."""
        if not self._from_sheets or self.lake.names != "keep":
            return []
        return alike_names(self.lake.connection, np.concatenate(self._added).tolist())

    def flags(self) -> list[Flagged]:
        """Return the flags of the games that this run stored and the lake still has."""
        if not self.counts.flagged:
            return []
        rows = self.lake.connection.execute(
            """SELECT path, log_id, games.format, game_id, round_index, seq, seat, reason
            FROM flags JOIN games USING (game_id) JOIN sources USING (source_id)
            WHERE game_id IN (SELECT unnest(?)) ORDER BY ALL""",
            [np.concatenate(self._added).tolist()],
        ).fetchall()
        return [Flagged(*row) for row in rows]

    def _first_rejects(self, prepared: Prepared) -> list[Rejected]:
        """Return the first rejects of each source; when it ends, one more stands for the others."""
        kept: list[Rejected] = []
        for reject in prepared.rejected:
            tally = self._tallies[reject.source]
            if tally.reject_rows < _MOST_REJECTS:
                tally.reject_rows += 1
                kept.append(reject)
            else:
                tally.left_out += reject.logs
                tally.first_left_out = tally.first_left_out or reject
        for number in prepared.unit.ended:
            tally = self._tallies[number]
            if (first := tally.first_left_out) is not None:
                place = " ".join(filter(None, (first.member, first.position)))
                kept.append(
                    Rejected(
                        number, "", "", None, unrecognised_version(),
                        shortened(
                            f"{tally.left_out:,} more of this archive cannot be read, "
                            f"the first ({place}): {first.reason}"
                        ),
                        logs=tally.left_out,
                    )
                )  # fmt: skip
        return kept

    def _new_rejects(self, rejected: list[Rejected]) -> list[Rejected]:
        """Return the rejects that no earlier run has stored: same file, place and reason.

        A file is the same if it has the same content or the same path, so that an archive that
        grows every night does not bring its old rejects again.
        """
        if not rejected:
            return []
        sources = {n: self._tallies[n].source for n in {reject.source for reject in rejected}}
        ids = {n: source_id(source) for n, source in sources.items()}
        paths = dict(zip(sources, self._stored_paths(sources.values()), strict=True))
        known = self._rejects_before()
        if not known:
            return rejected
        written: list[str | None] = [reject.member for reject in rejected]
        members = stored_texts(self.lake.names, self._salt, "rejects", "member", written)
        return [
            reject
            for reject, member in zip(rejected, members, strict=True)
            if known.isdisjoint(
                hash((key, member, reject.position, reason))
                for key in (ids[reject.source], paths[reject.source])
                if key != ""
                for reason in (reject.reason, without_quotes(reject.reason))
            )
        ]

    def _rejects_before(self) -> set[int]:
        """Return hashes of the rejects of earlier runs, with the source's id and with its path."""
        if self._known_rejects is None:
            rows = self.lake.connection.execute(
                """SELECT source_id, path, member, position, reason
                FROM rejects JOIN sources USING (source_id) WHERE rejects.ingested_at <> ?""",
                [self._started],
            ).fetchall()
            self._known_rejects = {
                hash((key, *row[2:])) for row in rows for key in row[:2] if key != ""
            }
        return self._known_rejects

    def _stored_paths(self, sources: Iterable[Source]) -> list[str | None]:
        """Return the paths of sources as the lake stores them, empty if it does not store paths."""
        paths: list[str | None] = [source.path for source in sources]
        return stored_texts(self.lake.names, self._salt, "sources", "path", paths)

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
