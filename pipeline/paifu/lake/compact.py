"""Keeps a lake small and quick: merges files, and drops deleted rows and old snapshots.

Files are compared with their digests before they are merged, and their rows are counted after. The
files that they replace are kept for readers (:mod:`paifu.lake.retention`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice

import pyarrow.parquet as pq

from paifu.errors import LakeError
from paifu.lake.connection import CATALOG, METADATA
from paifu.lake.files import LakeFile, damage, files, sizes
from paifu.lake.lake import Lake
from paifu.lake.leftovers import sweep_old
from paifu.lake.retention import rewritten, set_keep, tidy
from paifu.lake.text_bounds import widen

_WRITTEN = {"parquet_compression": "zstd", "parquet_compression_level": "6"}
"""How DuckLake writes merged files. That is seldom, so small files matter more than speed."""

_ROW_GROUPS = {"seeds": 4_096, "walls": 20_480}
"""Rows in a row group of tables with long rows, because writers and readers hold whole groups."""

_NAMED = 3
"""How many damaged files an error names."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a lake is."""

    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a compaction."""

    before: Size
    after: Size
    kept_until: datetime | None
    """When the replaced files may be removed; None if no replaced files are kept."""


def size(lake: Lake) -> Size:
    """Return the number and bytes of the Parquet files of the current lake."""
    row = lake.connection.execute(
        f"""SELECT coalesce(sum(file_count), 0), coalesce(sum(file_size_bytes), 0)
        FROM ducklake_table_info('{CATALOG}')"""
    ).fetchone()
    return Size(int(row[0]), int(row[1])) if row else Size(0, 0)


def compact(lake: Lake, *, kept: timedelta | None = None, now: bool = False) -> Compacted:
    """Merge small files and drop deleted rows and old snapshots; return the result.

    The replaced files are kept for readers, for a time that ``kept`` sets for the lake. With
    ``now`` they are removed as soon as no paifu reads the lake. Raises
    :class:`~paifu.errors.LakeError` if the lake cannot be written; if a file is missing or has
    changed (then nothing is merged); and if others do not stop reading.
    """
    if kept is not None:
        set_keep(lake, kept)
    before = size(lake)
    _check_files(lake)
    _set_options(lake)
    lake.maintain(f"CALL ducklake_flush_inlined_data('{CATALOG}')")
    tables = _to_write_anew(lake)
    _check_files(lake, read=tables)
    for table in tables:
        _write_anew(lake, table)
    widen(lake)  # older versions of paifu left bounds that hide rows
    rewritten(lake)
    kept_until = tidy(lake, now=now)
    sweep_old(lake.connection, lake.store)
    return Compacted(before, size(lake), kept_until)


def _set_options(lake: Lake) -> None:
    with lake.locks.committing():
        known = lake.connection.execute(
            f"SELECT key FROM {METADATA}.ducklake_metadata WHERE starts_with(key, 'parquet_')"
        ).fetchall()
        if len(known) == len(_WRITTEN) + len(_ROW_GROUPS):
            return
        for option, value in _WRITTEN.items():
            lake.maintain(f"CALL ducklake_set_option('{CATALOG}', '{option}', '{value}')")
        for table, number in _ROW_GROUPS.items():
            lake.maintain(
                f"CALL ducklake_set_option('{CATALOG}', 'parquet_row_group_size', {number},"
                f" table_name => '{table}')"
            )


def _to_write_anew(lake: Lake) -> list[str]:
    """Return the tables that have several files or deleted rows."""
    rows = lake.connection.execute(
        f"""SELECT table_name FROM ducklake_table_info('{CATALOG}')
        WHERE file_count > 1 OR delete_file_count > 0 ORDER BY 1"""
    ).fetchall()
    return [table for (table,) in rows]


def _write_anew(lake: Lake, table: str) -> None:
    """Merge the files of a table, drop its deleted rows, and check the number of rows."""
    with lake.locks.committing():
        rows = _rows(lake, table)
        lake.maintain(
            f"CALL ducklake_rewrite_data_files('{CATALOG}', '{table}', delete_threshold => 0)"
        )
        lake.maintain(f"CALL ducklake_merge_adjacent_files('{CATALOG}', '{table}')")
        if _rows(lake, table) != rows or not all(map(partial(_is_whole, lake), _new(lake, table))):
            place = lake.location.place
            raise LakeError(
                f"merging the files of {table} of the lake at {place} did not give {rows:,} rows: "
                f"the files of before are kept, paifu doctor --lake {place} --deep says more"
            )


def _rows(lake: Lake, table: str) -> int:
    row = lake.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def _new(lake: Lake, table: str) -> list[LakeFile]:
    """Return the files of a table that have just been written."""
    found = files(lake.connection, "f.table_name = ?", [table])
    return [file for file in found if file.current and not file.deletes and file.sha256 is None]


def _is_whole(lake: Lake, file: LakeFile) -> bool:
    with lake.store.read(file.path) as opened:
        return bool(pq.read_metadata(opened).num_rows == file.rows)


def _check_files(lake: Lake, read: Collection[str] = ()) -> None:
    """Check that all files exist, and compare those of the tables ``read`` with their digests."""
    there = sizes(lake.store)
    wrong = (
        f"{file.path} {what}"
        for file in files(lake.connection, "f.end_snapshot IS NULL")
        if (what := damage(lake.store, file, deep=file.table in read, there=there))
    )
    told = list(islice(wrong, _NAMED + 1))
    if told:
        place = lake.location.place
        more = "; and more" if len(told) > _NAMED else ""
        raise LakeError(
            f"the lake at {place} is damaged, nothing has been compacted: "
            f"{'; '.join(told[:_NAMED])}{more}: paifu doctor --lake {place} --deep says what to do"
        )
