"""The data dictionary: ``docs/tables.md``, written from the schema.

``python -m paifu.docgen.tables_page > docs/tables.md`` writes it again; a test compares it with the
schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from paifu.schema.flags import FLAGS
from paifu.schema.table import Table
from paifu.schema.tables import DERIVED, TABLES
from paifu.schema.views import VIEWS
from paifu.schema.yaku import YAKU


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _table(table: Table) -> Iterator[str]:
    rescored = table.name in DERIVED and table.name != "round_values"
    derived = " Filled by `paifu rescore`." if rescored else ""
    yield f"## {table.name}\n"
    yield f"{table.doc.removesuffix(' Derived by rescore.')}{derived}"
    yield f"One row per {table.row}; key: {', '.join(f'`{name}`' for name in table.key)}.\n"
    yield "| column | type | unit | what it is |"
    yield "| --- | --- | --- | --- |"
    for column in table.columns:
        kind = f"{column.type}, may be NULL" if column.nullable else column.type
        yield f"| `{column.name}` | {kind} | {column.unit} | {_cell(column.doc)} |"
    yield ""


def dictionary() -> str:
    """Return the whole dictionary in Markdown: tables, reasons for flags, yaku."""
    lines = [
        "# Tables\n",
        "Written by `python -m paifu.docgen.tables_page` from `pipeline/paifu/schema/`.\n",
        "Tiles are MPSZ (`123m0456p11z`; `0m 0p 0s` are red fives). Seats are 0-3; seat 0 is the "
        "first dealer. `turn` is 1 + the seat's earlier discards; `table_turn` is (1 + all earlier "
        "discards) / players.\n",
    ]
    for table in TABLES.values():
        lines += _table(table)
    lines += [
        "## Views\n",
        "A view has the columns of its tables and, in some, a few of its own.\n",
    ]
    lines += ["| view | one row per | what it is |", "| --- | --- | --- |"]
    lines += [f"| `{view.name}` | {view.row} | {_cell(view.doc)} |" for view in VIEWS.values()]
    lines += ["", "## Reasons for flags\n", "| reason | meaning |", "| --- | --- |"]
    lines += [f"| `{key}` | {_cell(doc)} |" for key, doc in FLAGS.items()]
    lines += ["", "## Yaku\n"]
    lines += ["| key | Japanese or Chinese | English | family | Tenhou | Mahjong Soul |"]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    for yaku in YAKU:
        ids = ("" if number is None else str(number) for number in (yaku.tenhou, yaku.majsoul))
        row = (f"`{yaku.key}`", yaku.japanese, yaku.english, yaku.family, *ids)
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(dictionary(), end="")
