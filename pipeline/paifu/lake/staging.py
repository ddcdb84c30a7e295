"""Parquet files that are written beside the catalog and then registered in a transaction.

Files are written before the transaction, so the transaction is short. A file that is never
registered is not part of the lake; the next writer removes it after this writer has ended.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from paifu.errors import LakeError
from paifu.lake.layout import arrow_schema
from paifu.stores.store import Sink, Store

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
    """Rows for one transaction, in files of a store that no catalog has yet."""

    def __init__(self, store: Store, writer: str = "") -> None:
        """``writer`` is the writer's name, which is part of the file names."""
        self._store = store
        self._writer = writer
        self._held: dict[str, list[pa.Table]] = {}
        self._open: dict[str, tuple[pq.ParquetWriter, Sink]] = {}
        self.files: dict[str, str] = {}
        """The path of each table's file in the store, complete once :meth:`finish` was called."""
        self.digests: dict[str, str] = {}
        """The digest of each finished file, by its path."""

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Add rows. Raises ``OSError`` if there is no room or no permission."""
        for name, table in tables.items():
            if table.num_rows:
                held = self._held.setdefault(name, [])
                held.append(table)
                if sum(part.num_rows for part in held) >= ROW_GROUP:
                    self._write(name)

    def finish(self) -> None:
        """Write the rows that are held back, and close the files."""
        for name in list(self._held):
            self._write(name)
        for name, (writer, sink) in self._open.items():
            writer.close()
            sink.close()
            self.digests[self.files[name]] = sink.sha256
        self._open.clear()

    def addresses(self) -> dict[str, str]:
        """Return the full name of the file of each table."""
        return {name: self._store.address_of(path) for name, path in self.files.items()}

    def read(self) -> dict[str, pa.Table]:
        """Return the rows of a finished stage by table."""
        import pyarrow.parquet as pq

        tables: dict[str, pa.Table] = {}
        for name, path in self.files.items():
            with self._store.read(path) as file:
                tables[name] = pq.read_table(file, schema=arrow_schema(name))
        return tables

    def hand_over(self) -> None:
        """Give up the files, which the lake has registered."""
        self.files.clear()

    def discard(self) -> bool:
        """Remove the files that the lake has not registered; return whether none is left.

        If a store that fails keeps some, the writer is to be ``abandoned`` (:class:`Locks`), so
        that the next one removes them.
        """
        for writer, sink in self._open.values():
            sink.give_up()
            with contextlib.suppress(ValueError):  # its footer cannot be written any more
                writer.close()
        self._open.clear()
        self._held.clear()
        try:
            self._store.delete(self.files.values())
        except LakeError:
            return False
        return True

    def _write(self, name: str) -> None:
        table = _joined(self._held.pop(name))
        if name not in self._open:
            self._open[name] = self._opened(name, _as_declared(name, table.schema))
        writer, _ = self._open[name]
        if table.schema != writer.schema:
            table = table.cast(writer.schema)
        writer.write_table(table, row_group_size=ROW_GROUP)

    def _opened(self, name: str, schema: pa.Schema) -> tuple[pq.ParquetWriter, Sink]:
        import pyarrow.parquet as pq

        path = f"main/{name}/{file_name(self._writer, uuid.uuid4().hex)}"
        sink = self._store.write(path)
        self.files[name] = path
        # small numbers are quicker, and hardly larger, as differences than in a dictionary
        small = {field.name for field in schema if field.type == pa.int16()} - _AS_THEY_ARE
        plain = _AS_THEY_ARE | small
        writer = pq.ParquetWriter(
            sink,
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
        return writer, sink


@dataclass(frozen=True, slots=True)
class Written:
    """A finished stage as one process hands it to another."""

    files: dict[str, str]
    """The path of each table's file in the store of the lake."""
    digests: dict[str, str]
    """The digest of each file, by its path."""

    @staticmethod
    def of(staged: Staged) -> Written:
        """Return what a finished stage has."""
        return Written(dict(staged.files), dict(staged.digests))

    def staged(self, store: Store) -> Staged:
        """Return the files as a finished stage."""
        staged = Staged(store)
        staged.files, staged.digests = dict(self.files), dict(self.digests)
        return staged


def try_to_write(store: Store, writer: str) -> None:
    """Make a file as a writer would, and remove it.

    Raises as the methods of :class:`~paifu.stores.store.Store` do if that is not possible.
    """
    if store.path is not None:
        store.path.stat()  # a folder that is not there is not made: it would be another lake's
    path = f"main/{file_name(writer, uuid.uuid4().hex)}"
    store.write(path).close()
    store.delete([path])


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
