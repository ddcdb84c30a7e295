"""Parquet files that are written beside the catalog and then registered in a transaction.

Files are written before the transaction, so the transaction is short. A file that is never
registered is not part of the lake; the next writer removes it after this writer has ended.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from paifu.lake.files import digest
from paifu.lake.layout import arrow_schema

if TYPE_CHECKING:
    import pyarrow.parquet as pq

ROW_GROUP = 245_760
"""Rows are held back until there are this many: twice as many as DuckDB writes, because each page
of each column needs its own compressor."""

_FOUND_BY = ("game_id", "source_id", "played_at")
_AS_THEY_ARE = {
    "game_id", "round_index", "players", "seq", "tiles_left", "dora_shown", "haipai",
    "first_discards",
}  # fmt: skip
"""Columns that are constant or increase evenly over many rows, and texts that are almost all
different: zstd alone makes them as small as a dictionary would, in half the time."""


class Staged:
    """Rows for one transaction: in files under ``data``, or in memory if that is None."""

    def __init__(self, data: Path | None = None, writer: str = "") -> None:
        """``writer`` is the writer's name, which is part of the file names."""
        self._data = data
        self._writer = writer
        self._held: dict[str, list[pa.Table]] = {}
        self._writers: dict[str, pq.ParquetWriter] = {}
        self.files: dict[str, Path] = {}
        """The file of each table, once :meth:`finish` has been called."""

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Add rows. Raises ``OSError`` if there is no room or no permission."""
        for name, table in tables.items():
            if table.num_rows:
                held = self._held.setdefault(name, [])
                held.append(table)
                if self._data and sum(part.num_rows for part in held) >= ROW_GROUP:
                    self._write(name)

    def finish(self) -> None:
        """Write the rows that are held back, and close the files."""
        if self._data:
            for name in list(self._held):
                self._write(name)
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def read(self) -> dict[str, pa.Table]:
        """Return the rows of a finished stage by table."""
        import pyarrow.parquet as pq

        tables = {name: _joined(parts) for name, parts in self._held.items()}
        for name, path in self.files.items():
            tables[name] = pq.read_table(path, schema=arrow_schema(name))
        return tables

    def hand_over(self) -> None:
        """Give up the files, which the lake has registered."""
        self.files.clear()

    def discard(self) -> None:
        """Remove the files that the lake has not registered."""
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()
        self._held.clear()
        for path in self.files.values():
            path.unlink(missing_ok=True)

    def _write(self, name: str) -> None:
        table = _joined(self._held.pop(name))
        writer = self._writers.get(name)
        if writer is None:
            writer = self._writers[name] = self._open(name, _as_declared(name, table.schema))
        if table.schema != writer.schema:
            table = table.cast(writer.schema)
        writer.write_table(table, row_group_size=ROW_GROUP)

    def _open(self, name: str, schema: pa.Schema) -> pq.ParquetWriter:
        if self._data is None:
            raise ValueError("a stage in memory writes no files")
        import pyarrow.parquet as pq

        path = self._data / "main" / name / file_name(self._writer, uuid.uuid4().hex)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.files[name] = path
        # small numbers are quicker, and hardly larger, as differences than in a dictionary
        small = {field.name for field in schema if field.type == pa.int16()} - _AS_THEY_ARE
        plain = _AS_THEY_ARE | small
        return pq.ParquetWriter(
            path,
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[_leaf(field) for field in schema if field.name not in plain],
            column_encoding=dict.fromkeys(small, "DELTA_BINARY_PACKED"),
            store_schema=False,
            write_page_checksum=True,
            # it would take a quarter of the time for writing, and helps only to find games by these
            write_statistics=[column for column in _FOUND_BY if column in schema.names] or False,
        )


@dataclass(frozen=True, slots=True)
class Written:
    """A finished stage as one process hands it to another."""

    files: dict[str, tuple[Path, str]]
    """The file of each table, and its digest."""
    tables: dict[str, pa.Table]
    """The rows, if there are no files."""

    @staticmethod
    def of(staged: Staged) -> Written:
        """Return what a finished stage has."""
        files = {name: (path, digest(path)) for name, path in staged.files.items()}
        return Written(files, {} if files else staged.read())

    def staged(self) -> Staged:
        """Return the files or rows as a finished stage."""
        staged = Staged()
        staged.files = {name: path for name, (path, _) in self.files.items()}
        staged.append(self.tables)
        return staged


def try_to_write(data: Path, writer: str) -> None:
    """Make a file as a writer would, and remove it; raises ``OSError`` if that is not possible."""
    data.stat()  # a folder that is not there is not made: it would be another lake's
    path = data / "main" / file_name(writer, uuid.uuid4().hex)
    path.parent.mkdir(exist_ok=True)
    path.touch()
    path.unlink()


def file_name(writer: str, part: str) -> str:
    """Return the name of a file, or, with part ``*``, the pattern of a writer's files."""
    return f"paifu-{writer}-{part}.parquet"


def _as_declared(name: str, schema: pa.Schema) -> pa.Schema:
    """Return the schema with the table's columns that are never NULL: they are cheaper."""
    declared = arrow_schema(name)
    return pa.schema([field.with_nullable(declared.field(field.name).nullable) for field in schema])


def _leaf(field: pa.Field) -> str:
    """Return Parquet's path of a column's values."""
    return f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name


def _joined(parts: list[pa.Table]) -> pa.Table:
    if len(parts) == 1:
        return parts[0].replace_schema_metadata(None)
    joined = pa.concat_tables(parts, promote_options="permissive")
    return joined.unify_dictionaries().replace_schema_metadata(None)
