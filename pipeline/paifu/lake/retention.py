"""What a lake keeps for those who still read what it was, for how long, and how that goes for good.

Each commit makes a snapshot of the lake. Readers stay with theirs while others write, so that a
snapshot outlives the one that follows it by a stated time, and with it the files only it needs.
DuckLake's own functions for that are not enough: they go by when a snapshot was made, which may be
long before it was the lake, and compare the times of files by the day.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paifu.lake.connection import CATALOG, METADATA, current_version, quoted
from paifu.lake.files import DIGESTS, files

if TYPE_CHECKING:
    from paifu.lake.lake import Lake, Transaction

KEEP = timedelta(hours=1)
"""How long what was superseded is kept, unless the lake is told otherwise."""

_KEEP, _PURGE = "keep", "purge"
"""Keys of ``lake_info``: seconds that are kept; what is to be purged of forgotten rows."""
_UNWRITTEN = "compact"
"""Value of ``purge`` before the files that hold forgotten rows have been written anew; after that
it is the first snapshot that knows nothing of them, and the time in microseconds."""

_SCHEDULED = f"{METADATA}.ducklake_files_scheduled_for_deletion"


def keep(lake: Lake) -> timedelta:
    """Return how long the lake keeps what was superseded."""
    found = _info(lake, _KEEP)
    return KEEP if found is None else timedelta(seconds=float(found))


def set_keep(lake: Lake, kept: timedelta) -> None:
    """Let the lake keep what is superseded for another time from here on."""
    if kept != keep(lake):
        lake.transact(lambda tx: put_info(tx, _KEEP, str(kept.total_seconds())))


def _info(lake: Lake, key: str) -> str | None:
    row = lake.connection.execute("SELECT value FROM lake_info WHERE key = ?", [key]).fetchone()
    return row[0] if row else None


def put_info(tx: Transaction, key: str, value: str | None) -> None:
    """Set a fact of the lake, or remove it."""
    tx.execute("DELETE FROM lake_info WHERE key = ?", [key])
    if value is not None:
        tx.execute("INSERT INTO lake_info VALUES (?, ?)", [key, value])


# --- what is to be gone for good ------------------------------------------------------------------


def must_purge(tx: Transaction) -> None:
    """Take note that rows deleted in this transaction must be nowhere in the end."""
    put_info(tx, _PURGE, _UNWRITTEN)


def rewritten(lake: Lake) -> None:
    """Take note that the lake was compacted: no current file holds a deleted row any more.

    It is a transaction in any case, so that whoever is writing looks at the lake anew.
    """
    clean = f"{current_version(lake.connection)} {_now().timestamp() * 1e6:.0f}"

    def work(tx: Transaction) -> None:
        if _info(lake, _PURGE) == _UNWRITTEN:
            put_info(tx, _PURGE, clean)

    lake.transact(work)


def is_interrupted(lake: Lake) -> bool:
    """Tell whether a ``paifu forget`` came to its end too soon: its rows lie in current files."""
    return _info(lake, _PURGE) == _UNWRITTEN


def _scrub(lake: Lake) -> None:
    """Remove from the catalog what it still tells of rows that are gone, once nothing else does.

    It keeps the smallest and largest text of each column ever seen, and SQLite keeps deleted rows
    in its free pages.
    """
    clean = _info(lake, _PURGE)
    if clean is None or clean == _UNWRITTEN:
        return
    before = lake.connection.execute(
        f"""SELECT 1 FROM ducklake_snapshots('{CATALOG}') WHERE snapshot_id < $1 UNION ALL
        SELECT 1 FROM {_SCHEDULED} WHERE epoch_us(schedule_start::TIMESTAMPTZ) <= $2""",
        [int(part) for part in clean.split()],
    ).fetchone()
    if before:
        return
    with lake.locks.committing():
        lake.maintain(
            f"""UPDATE {METADATA}.ducklake_table_column_stats SET min_value = NULL, max_value = NULL
            WHERE (table_id, column_id) IN
                (SELECT (table_id, column_id) FROM {METADATA}.ducklake_column
                WHERE column_type = 'varchar')"""
        )
        busy = not lake.location.is_url and _vacuumed(lake)
    if not busy:
        lake.transact(lambda tx: put_info(tx, _PURGE, None))


def _vacuumed(lake: Lake) -> bool:
    """Write the catalog anew without what was deleted; return whether others kept the old one."""
    try:
        with contextlib.closing(sqlite3.connect(lake.location.catalog, timeout=20)) as catalog:
            catalog.execute("VACUUM")
            (busy, *_) = catalog.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:  # locked: the next writer tries again
        return True
    return bool(busy)


# --- snapshots and files --------------------------------------------------------------------------


def tidy(lake: Lake, *, now: bool = False) -> datetime | None:
    """Remove what has been kept for long enough; return when the rest may go, None without any.

    ``now`` keeps nothing: it waits for those who read, and raises
    :class:`~paifu.errors.LakeError` where they do not come to an end.
    """
    kept = timedelta(0) if now else keep(lake)
    with lake.locks.committing(), lake.locks.alone() if now else contextlib.nullcontext():
        young = _young_files(lake, kept)
        superseded = _superseded(lake)
        due = [version for version, since in superseded if since + kept <= _now()]
        if due:
            lake.maintain(f"CALL ducklake_expire_snapshots('{CATALOG}', versions => {due})")
        _remove_files(lake, young)
    _scrub(lake)
    times = [since for version, since in superseded if version not in due] + list(young.values())
    return max(times) + kept if times else None


def _now() -> datetime:
    return datetime.now(UTC)


def _superseded(lake: Lake) -> list[tuple[int, datetime]]:
    """Return the snapshots but the current one, and since when each has not been that."""
    rows = lake.connection.execute(
        f"""SELECT snapshot_id, epoch_us(lead(snapshot_time) OVER (ORDER BY snapshot_id)) AS since
        FROM ducklake_snapshots('{CATALOG}') QUALIFY since IS NOT NULL ORDER BY 1"""
    ).fetchall()
    return [(version, _time(since)) for version, since in rows]


def _young_files(lake: Lake, kept: timedelta) -> dict[tuple[int, str], datetime]:
    """Return the files replaced so lately that somebody may be reading them, and since when."""
    rows = lake.connection.execute(
        f"SELECT data_file_id, path, epoch_us(schedule_start::TIMESTAMPTZ) FROM {_SCHEDULED}"
    ).fetchall()
    times = {(number, path): _time(since) for number, path, since in rows}
    return {file: since for file, since in times.items() if since + kept > _now()}


def _time(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1e6, UTC)


def _remove_files(lake: Lake, young: Iterable[tuple[int, str]]) -> None:
    """Remove the files that the lake has no use for, but for the young ones."""
    rows = lake.connection.execute(f"SELECT data_file_id, path FROM {_SCHEDULED}").fetchall()
    used = {Path(file.path).name for file in files(lake.connection)}
    due = [row for row in rows if row[:2] not in set(young) and Path(row[1]).name not in used]
    if lake.location.is_url:  # the store is DuckLake's to reach: all of them, or none
        if due and len(due) == len(rows):
            lake.maintain(f"CALL ducklake_cleanup_old_files('{CATALOG}', cleanup_all => true)")
        return
    if not due:
        return
    for _, path in due:
        (lake.location.data / path).unlink(missing_ok=True)
    gone = f"({', '.join(quoted(path) for _, path in due)})"
    lake.maintain(f"DELETE FROM {_SCHEDULED} WHERE path IN {gone}")
    lake.maintain(f"DELETE FROM {DIGESTS} WHERE path IN {gone}")
