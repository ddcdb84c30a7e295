"""What a table of the schema is made of: its columns, their types, and the Arrow schema they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    type: str
    doc: str
    unit: str = ""
    nullable: bool = False


@dataclass(frozen=True)
class Table:
    """One table of the lake: what a row is, which columns are its key, and all its columns."""

    name: str
    row: str
    key: tuple[str, ...]
    doc: str
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(column.name for column in self.columns)

    def arrow(self) -> pa.Schema:
        """Return the table's Arrow schema.

        >>> from paifu.schema.tables import TABLES
        >>> TABLES["win_yaku"].arrow().field("han").type
        DataType(int16)
        """
        import pyarrow as pa

        types = {
            "int16": pa.int16(),
            "int32": pa.int32(),
            "int64": pa.int64(),
            "bool": pa.bool_(),
            "text": pa.string(),
            "double": pa.float64(),
            "timestamp": pa.timestamp("us"),
            "binary": pa.binary(),
            "list<int16>": pa.list_(pa.int16()),
            "list<int32>": pa.list_(pa.int32()),
            "list<double>": pa.list_(pa.float64()),
            "list<text>": pa.list_(pa.string()),
        }
        return pa.schema(
            [pa.field(c.name, types[c.type], nullable=c.nullable) for c in self.columns]
        )


def columns(text: str) -> tuple[Column, ...]:
    """Read ``name  type  [unit]  sentence`` lines; ``type?`` may be NULL."""
    columns: list[Column] = []
    for line in text.strip().splitlines():
        if not line:
            continue
        name, kind, doc = line.split(maxsplit=2)
        unit = ""
        if doc.startswith("["):
            unit, doc = doc[1:].split("]", 1)
        columns.append(Column(name, kind.removesuffix("?"), doc.strip(), unit, kind.endswith("?")))
    return tuple(columns)
