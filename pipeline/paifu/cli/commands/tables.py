"""``paifu tables``: the data dictionary."""

from __future__ import annotations

from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_table


def tables(name: str | None = None, /, *, json: JsonOption = False) -> None:
    """Say what each table and view of a lake is, or what the columns of one are.

    The same stands as comments in the catalog, for other clients of DuckDB.

    Example: paifu tables round_seats

    Parameters
    ----------
    name
        A table or view; without it, all are listed.
    """
    from paifu.query.dictionary import list_columns, list_tables, table_of

    found = list_tables() if name is None else list_columns(name)
    if json:
        print_json(found.to_dicts())
        return
    if name is None:
        print_table(("table", "kind", "one row per", "about"), found.drop("key").rows())
        return
    table = table_of(name)
    print(f"{name}: {table.doc}\none row per {table.row}; key: {', '.join(table.key)}\n")
    print_table(
        ("column", "type", "about"),
        [
            (column, f"{kind}{'?' * nullable}", f"[{unit}] {about}" if unit else about)
            for column, kind, nullable, unit, about in found.rows()
        ],
    )
    print("\n? may be NULL")
