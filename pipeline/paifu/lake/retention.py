"""What a lake keeps for readers of an older state, for how long, and how it is removed for good.

Each commit makes a snapshot of the lake. Readers keep their snapshot while others write. So a
snapshot, and the files that only it needs, are kept for a stated time after the next snapshot.
DuckLake's own functions are not enough for that. They use the time at which a snapshot was made,
although it may have been the current state for long after that, and they compare the times of files
by the day.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paifu.lake.connection import CATALOG, METADATA, current_version, quoted
from paifu.lake.files import DIGESTS, files
from paifu.lake.text_bounds import widen

if TYPE_CHECKING:
    from paifu.lake.lake import Lake, Transaction

KEEP = timedelta(hours=1)
"""How long replaced snapshots and files are kept, unless the lake has another setting."""

_KEEP, _PURGE = "keep", "purge"
"""Keys of ``lake_info``: the seconds for which they are kept; the state of purging forgotten
rows."""
_UNWRITTEN = "compact"
"""The value of ``purge`` until the files with forgotten rows have been rewritten. After that the
value is the first snapshot without these rows, and the time in microseconds."""

_SCHEDULED = f"{METADATA}.ducklake_files_scheduled_for_deletion"


def keep(lake: Lake) -> timedelta:
    """Return how long the lake keeps replaced snapshots and files."""
    return _kept(_infos(lake))


def _kept(facts: Mapping[str, str]) -> timedelta:
    found = facts.get(_KEEP)
    return KEEP if found is None else timedelta(seconds=float(found))


def set_keep(lake: Lake, kept: timedelta) -> None:
    """Set how long the lake keeps replaced snapshots and files from now on."""
    if kept != keep(lake):
        lake.transact(lambda tx: put_info(tx, _KEEP, str(kept.total_seconds())))


def _info(lake: Lake, key: str) -> str | None:
    return _infos(lake).get(key)


def _infos(lake: Lake) -> dict[str, str]:
    return dict(lake.connection.execute("SELECT key, value FROM lake_info").fetchall())


def put_info(tx: Transaction, key: str, value: str | None) -> None:
    """Set a fact of the lake, or remove it."""
    tx.execute("DELETE FROM lake_info WHERE key = ?", [key])
    if value is not None:
        tx.execute("INSERT INTO lake_info VALUES (?, ?)", [key, value])


# --- what must be removed for good
# ------------------------------------------------------------------


def must_purge(tx: Transaction) -> None:
    """Note that rows deleted in this transaction must finally be removed everywhere."""
    put_info(tx, _PURGE, _UNWRITTEN)


def rewritten(lake: Lake) -> None:
    """Note that the lake was compacted: no current file has a deleted row any more.

    It is always a transaction, so that other writers read the lake again.
    """
    clean = f"{current_version(lake.connection)} {_now().timestamp() * 1e6:.0f}"

    def work(tx: Transaction) -> None:
        if _info(lake, _PURGE) == _UNWRITTEN:
            put_info(tx, _PURGE, clean)

    lake.transact(work)


def is_interrupted(lake: Lake) -> bool:
    """Return whether a ``paifu forget`` was interrupted: its rows are still in current files."""
    return _info(lake, _PURGE) == _UNWRITTEN


def _scrub(lake: Lake, clean: str) -> None:
    """Remove from the catalog what it still has of removed rows, after everything else is gone.

    ``clean`` is the value of ``purge``. The catalog keeps the smallest and largest text that each
    column ever had, and its database keeps deleted rows for a time.
    """
    before = lake.connection.execute(
        f"""SELECT 1 FROM ducklake_snapshots('{CATALOG}') WHERE snapshot_id < $1 UNION ALL
        SELECT 1 FROM {_SCHEDULED} WHERE epoch_us(schedule_start::TIMESTAMPTZ) <= $2""",
        [int(part) for part in clean.split()],
    ).fetchone()
    if before:
        return
    with lake.locks.committing():
        widen(lake)
        busy = lake.location.catalog.vacuum(lake.location.place)
    if not busy:
        lake.transact(lambda tx: put_info(tx, _PURGE, None))


# --- snapshots and files --------------------------------------------------------------------------


def tidy(lake: Lake, *, now: bool = False) -> datetime | None:
    """Remove what has been kept long enough; return when the rest may go, None if all is gone.

    With ``now``, nothing is kept: it waits for readers, and raises :class:`~paifu.errors.LakeError`
    if they do not end.
    """
    facts = _infos(lake)
    kept = timedelta(0) if now else _kept(facts)
    with lake.locks.committing(), lake.locks.alone() if now else contextlib.nullcontext():
        young = _young_files(lake, kept)
        superseded = _superseded(lake)
        due = [version for version, since in superseded if since + kept <= _now()]
        if due:
            lake.maintain(f"CALL ducklake_expire_snapshots('{CATALOG}', versions => {due})")
        _remove_files(lake, young)
    if (clean := facts.get(_PURGE)) and clean != _UNWRITTEN:
        _scrub(lake, clean)
    times = [since for version, since in superseded if version not in due] + list(young.values())
    return max(times) + kept if times else None


def _now() -> datetime:
    return datetime.now(UTC)


def _superseded(lake: Lake) -> list[tuple[int, datetime]]:
    """Return the snapshots except the current one, and when each was replaced."""
    rows = lake.connection.execute(
        f"""SELECT snapshot_id, epoch_us(lead(snapshot_time) OVER (ORDER BY snapshot_id)) AS since
        FROM ducklake_snapshots('{CATALOG}') QUALIFY since IS NOT NULL ORDER BY 1"""
    ).fetchall()
    return [(version, _time(since)) for version, since in rows]


def _young_files(lake: Lake, kept: timedelta) -> dict[tuple[int, str], datetime]:
    """Return the files that were replaced so recently that they may be in use, and when."""
    rows = lake.connection.execute(
        f"SELECT data_file_id, path, epoch_us(schedule_start::TIMESTAMPTZ) FROM {_SCHEDULED}"
    ).fetchall()
    times = {(number, path): _time(since) for number, path, since in rows}
    return {file: since for file, since in times.items() if since + kept > _now()}


def _time(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1e6, UTC)


def _remove_files(lake: Lake, young: Iterable[tuple[int, str]]) -> None:
    """Remove the files that the lake does not need, except the young files."""
    rows = lake.connection.execute(f"SELECT data_file_id, path FROM {_SCHEDULED}").fetchall()
    if not rows:
        return
    used = {Path(file.path).name for file in files(lake.connection)}
    due = [row for row in rows if row[:2] not in set(young) and Path(row[1]).name not in used]
    if not due:
        return
    lake.store.delete(path for _, path in due)
    gone = f"({', '.join(quoted(path) for _, path in due)})"
    lake.maintain(f"DELETE FROM {_SCHEDULED} WHERE path IN {gone}")
    lake.maintain(f"DELETE FROM {DIGESTS} WHERE path IN {gone}")
