"""Parquet files written beside the catalog, ready to be registered in a transaction.

Writing happens before the transaction, so that this stays short; a file that is never registered is
no part of the lake, and ``paifu compact`` sweeps it away.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from paifu.lake.layout import arrow_schema

_ROW_GROUP = 122_880
"""Rows a DuckDB thread takes at a time."""

_PREFIX = "paifu-"


def stage(data: Path, tables: Mapping[str, pa.Table]) -> dict[str, Path]:
    """Write each table that has rows to a new Parquet file; return the files by table.

    Raises ``OSError`` where there is no room or no permission; what was written is removed then.
    """
    files: dict[str, Path] = {}
    try:
        for name, table in tables.items():
            if table.num_rows:
                files[name] = folder = data / "main" / name / f"{_PREFIX}{uuid.uuid4().hex}.parquet"
                folder.parent.mkdir(parents=True, exist_ok=True)
                _write(table, name, folder)
    except BaseException:
        discard(files)
        raise
    return files


def discard(files: Mapping[str, Path]) -> None:
    """Remove staged files that will not be registered."""
    for path in files.values():
        path.unlink(missing_ok=True)


def _write(table: pa.Table, name: str, path: Path) -> None:
    text = [field.name for field in arrow_schema(name) if pa.types.is_string(field.type)]
    pq.write_table(
        table,
        path,
        row_group_size=_ROW_GROUP,
        compression="zstd",
        compression_level=1,
        use_dictionary=text,
        store_schema=False,
        write_statistics=True,
    )
