"""Checks a lake: its catalog, its files, and whether its tables agree with each other.

Damage makes answers wrong or impossible. Each damage comes with the sources of the games it
concerns, because these must be ingested again. Notes are about things that are left over or still
to be done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from paifu.errors import LakeError
from paifu.host.private_folder import leftovers
from paifu.lake.agreement import agreement
from paifu.lake.connection import METADATA, attach, connect, reach
from paifu.lake.failures import DATABASE_ERRORS, first_line
from paifu.lake.files import LakeFile, damage, files, has_digests, sizes
from paifu.lake.lake import Lake
from paifu.lake.leftovers import orphans
from paifu.lake.location import Location
from paifu.lake.retention import is_interrupted
from paifu.lake.text_bounds import narrow
from paifu.messages import counted
from paifu.schema.tables import DERIVED, LAKE_TABLES, MODEL_TABLES, TABLES
from paifu.stores.store import Store

_ROWS_AT_ONCE = 1 << 16

OnStep = Callable[[str], None]
"""Called with a description of the next check."""


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong with a lake."""

    what: str
    file: str | None = None
    """The file, relative to the folder of the data."""
    table: str | None = None
    sources: tuple[str, ...] = ()
    """The sources of the games it concerns."""


@dataclass(slots=True)
class Inspection:
    """What was checked, and what was found."""

    files: int = 0
    bytes: int = 0
    games: int = 0
    deep: bool = False
    undigested: int = 0
    """How many files have no known digest."""
    bad: list[LakeFile] = field(default_factory=list, repr=False)
    """The files that are damaged."""
    damage: list[Damage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def sources(self) -> list[str]:
        """The sources to ingest again, or whose games may be wrong."""
        return sorted({source for found in self.damage for source in found.sources})

    def as_dict(self) -> dict[str, object]:
        """Return what ``paifu doctor --json`` prints."""
        return {
            "files": self.files, "bytes": self.bytes, "games": self.games, "deep": self.deep,
            "undigested": self.undigested, "whole": not self.damage,
            "damage": [asdict(found) for found in self.damage], "notes": self.notes,
            "sources": self.sources,
        }  # fmt: skip

    @property
    def derived_only(self) -> bool:
        """Whether only data of ``paifu rescore`` and ``value`` is damaged."""
        return all(found.table in DERIVED | MODEL_TABLES for found in self.damage)


def inspect(place: str | Path, *, deep: bool = False, on_step: OnStep | None = None) -> Inspection:
    """Return what is wrong with a lake.

    Without ``deep``, the files are counted and measured, and the tables are compared. With
    ``deep``, each file is also read completely and compared with its digest and the checksums of
    its pages, and each table is searched for duplicate keys, for NULL where it is not allowed, and
    for texts that conditions do not find.
    Raises :class:`~paifu.errors.LakeError` if there is no lake.
    """
    location = Location.of(place)
    found = Inspection(deep=deep)
    tell = on_step or (lambda _: None)
    tell("catalog")
    if wrong := location.catalog.damage():
        found.damage.append(Damage(f"the catalog {wrong}: bring it back from a backup"))
    try:
        _inspect_files(location, found, tell)
        with Lake.open(place) as lake:
            _inspect(lake, found, tell)
    except LakeError as error:
        if not found.damage:
            raise
        if not found.bad:  # else a damaged file is what keeps it from being opened
            found.damage.append(Damage(str(error)))
    return found


def _inspect(lake: Lake, found: Inspection, tell: OnStep) -> None:
    for table, what, query in agreement():
        tell(table)
        _inspect_rows(lake, found, table, what, query)
    if found.deep:
        for name in (*TABLES, *LAKE_TABLES):
            tell(name)
            _inspect_keys(lake, found, name)
        _inspect_bounds(lake, found)
    # if that table is damaged, this has been noted already
    with contextlib.suppress(*DATABASE_ERRORS):
        (found.games,) = lake.sql("SELECT count(*) FROM games").fetchone() or (0,)
        if is_interrupted(lake):
            found.notes.append(
                "a paifu forget was broken off: its rows lie in files of the lake until "
                f"paifu compact --lake {lake.location.place} is run"
            )
    _note_leftovers(lake, found)


# --- files ----------------------------------------------------------------------------------------


def _inspect_files(location: Location, found: Inspection, tell: OnStep) -> None:
    """Look at each file by itself, also where a damaged one keeps the lake from being opened."""
    locks = location.catalog.locks(location.place)
    with contextlib.ExitStack() as held:
        connection = held.enter_context(connect())
        held.callback(locks.close)
        store, _ = reach(connection, location, create=False)
        held.enter_context(locks.reading())
        attach(connection, location, store, write=False)
        every, there = files(connection), sizes(store)
        current = [file for file in every if file.current]
        found.files, found.bytes = len(current), sum(file.bytes for file in current)
        found.undigested = sum(file.sha256 is None for file in current)
        for file in current:
            tell(file.path)
            wrong = damage(store, file, deep=found.deep, there=there)
            if wrong is None and found.deep:
                wrong = _unread(store, file)
            if wrong:
                found.bad.append(file)
                sources = _sources_of(connection, file)
                found.damage.append(Damage(f"{file.path} {wrong}", file.path, file.table, sources))
        kept = [file for file in every if not file.current]
        gone = sum(damage(store, file, deep=found.deep, there=there) is not None for file in kept)
        if gone:
            found.notes.append(
                f"{counted(gone, 'file')} that the lake once was of cannot be read by those who "
                "still look at it as it was"
            )


def _unread(store: Store, file: LakeFile) -> str | None:
    """Return why a file, or the checksum of a page, is bad; None if all of it can be read."""
    try:
        with (
            store.read(file.path) as source,
            pq.ParquetFile(source, page_checksum_verification=True) as opened,
        ):
            rows = sum(batch.num_rows for batch in opened.iter_batches(_ROWS_AT_ONCE))
    except (OSError, LakeError, pa.ArrowException) as error:
        return f"cannot be read ({first_line(error)})"
    return None if rows == file.rows else f"has {counted(rows, 'row')} instead of {file.rows:,}"


def _sources_of(connection: duckdb.DuckDBPyConnection, file: LakeFile) -> tuple[str, ...]:
    """Return the paths of the sources whose games may have rows in a file.

    Rows keep the snapshot they came with, also after compaction. If the tables with these facts are
    damaged themselves, all sources are returned.
    """
    span = f"snapshot_id BETWEEN {file.first} AND {file.last}"
    for query in (
        f"""SELECT DISTINCT path FROM sources SEMI JOIN
        (SELECT source_id FROM games WHERE {span}) USING (source_id)""",
        f"SELECT path FROM sources WHERE {span}",
        "SELECT path FROM sources",
    ):
        with contextlib.suppress(*DATABASE_ERRORS):
            if rows := connection.sql(f"{query} ORDER BY path").fetchall():
                return tuple(path for (path,) in rows)
    return ()


# --- rows -----------------------------------------------------------------------------------------


def _inspect_rows(lake: Lake, found: Inspection, table: str, what: str, query: str) -> None:
    """Note the games that a query finds, with their sources."""
    try:
        row = lake.sql(
            f"""SELECT count(*), count(DISTINCT game_id), min(game_id),
            list(DISTINCT path ORDER BY path)
            FROM ({query}) LEFT JOIN games USING (game_id) LEFT JOIN sources USING (source_id)"""
        ).fetchone()
    except DATABASE_ERRORS as error:
        _note_unread(found, table, error)
        return
    rows, games, first, paths = row or (0, 0, None, None)
    if rows:
        said = f"table {table}: {what} (in {counted(games, 'game')}, {first} the first)"
        sources = tuple(path for path in paths or () if path)
        found.damage.append(Damage(said, table=table, sources=sources))


def _inspect_keys(lake: Lake, found: Inspection, name: str) -> None:
    """Note duplicate keys, and NULL in columns where it is not allowed."""
    table = (TABLES | LAKE_TABLES)[name]
    key = ", ".join(f'"{column}"' for column in table.key)
    no_null = " OR ".join(f'"{c.name}" IS NULL' for c in table.columns if not c.nullable) or "false"
    try:
        twice, null = lake.sql(
            f"""SELECT count(*) - count(DISTINCT row({key})), count(*) FILTER ({no_null})
            FROM {name}"""
        ).fetchone() or (0, 0)
    except DATABASE_ERRORS as error:
        _note_unread(found, name, error)
        return
    if twice:
        said = f"table {name}: {counted(twice, 'row')} with a key that another row has"
        found.damage.append(Damage(said, table=name))
    if null:
        said = f"table {name}: {counted(null, 'row')} with NULL where a value is required"
        found.damage.append(Damage(said, table=name))


def _inspect_bounds(lake: Lake, found: Inspection) -> None:
    """Note the columns of which a condition does not find all texts."""
    with contextlib.suppress(*DATABASE_ERRORS):  # what cannot be read has been noted already
        for table, column, rows in narrow(lake):
            said = (
                f"table {table}: a condition on {column} does not find {counted(rows, 'row')} "
                f"(paifu compact --lake {lake.location.place} mends this, without another ingest)"
            )
            found.damage.append(Damage(said, table=table))


def _note_unread(found: Inspection, table: str, error: Exception) -> None:
    """Note that a query failed, unless a damaged file has been noted already.

    The queries are right, so that whatever makes one fail is damage, or a signal.
    """
    if isinstance(error, duckdb.InterruptException):
        raise error
    if not found.bad:
        said = f"table {table} cannot be read ({first_line(error)})"
        if said not in {known.what for known in found.damage}:
            found.damage.append(Damage(said, table=table))


# --- what is left over ----------------------------------------------------------------------------


def _note_leftovers(lake: Lake, found: Inspection) -> None:
    lost = orphans(lake.connection, lake.store)
    if lost:
        size = sum(file.bytes for file in lost)
        found.notes.append(
            f"{counted(len(lost), 'file')} of {size / 1e6:,.1f} MB that the catalog does not know: "
            "of a run that is writing now, or was killed (the next one sweeps them away)"
        )
    with lake.locks.dead_writers() as dead:
        if dead.since:
            found.notes.append(
                f"{counted(len(dead.since), 'run')} that wrote to the lake and was killed: the "
                "next one clears up"
            )
    if folders := leftovers():
        found.notes.append(
            f"{counted(len(folders), 'temporary folder')} of runs that were killed: the next one "
            f"sweeps them away ({folders[0]})"
        )
    if not has_digests(lake.connection) or found.undigested:
        found.notes.append(
            f"{counted(found.undigested, 'file')} without a digest: the next run that writes to "
            "the lake takes them"
        )
    outside = lake.connection.execute(
        f"SELECT count(*) FROM {METADATA}.ducklake_data_file WHERE NOT path_is_relative"
    ).fetchone()
    if outside and outside[0]:
        found.notes.append(
            f"{counted(outside[0], 'file')} named by an absolute path: a copy of the lake reads "
            "the original's"
        )
