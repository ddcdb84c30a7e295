"""``paifu points``: the points tables of a rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_rows, print_table
from paifu.messages import yakuman_times

if TYPE_CHECKING:
    import polars as pl

_HAN = range(1, 5)


def points(rules: str = "tenhou-4p", /, *, json: JsonOption = False) -> None:
    """Print what han and fu are worth: ron, and in brackets what each seat pays for a tsumo.

    Example: paifu points mleague

    Parameters
    ----------
    rules
        A rule set of `paifu rulesets`, or a TOML file.
    """
    from paifu.calculator.points_tables import points_table

    table = points_table(rules)
    if json:
        print_json(table.to_dicts())
    elif "fu" not in table.columns:
        print_rows(table.columns, table.rows())
    else:
        for dealer, title in ((False, "other seats"), (True, "dealer")):
            _print_riichi(table.filter(dealer=dealer), title)


def _print_riichi(table: pl.DataFrame, title: str) -> None:
    cells: dict[tuple[Any, ...], str] = {}
    limits: list[tuple[str, str]] = []
    for row in table.iter_rows(named=True):
        if row["fu"] is not None:
            cells[row["fu"], row["han"]] = _paid(row)
            continue
        words = {"none": "", "kazoe": "counted yakuman"}
        limit = words.get(row["limit"], row["limit"])
        name = yakuman_times(row["yakuman"]) if row["yakuman"] else f"{row['han']} han, {limit}"
        limits.append((name, _paid(row)))
    fus = sorted({fu for fu, _ in cells})
    print_table(
        ("", *(f"{han} han" for han in _HAN)),
        [(f"{fu} fu", *(cells.get((fu, han), "") for han in _HAN)) for fu in fus],
        title=f"{title}: ron (tsumo)",
    )
    print()
    print_table(("", ""), limits)
    print()


def _paid(row: dict[str, Any]) -> str:
    """Return points like ``3900 (1000/2000)``, or ``5800 (2000 all)`` of the dealer."""
    ron = "–" if row["ron"] is None else str(row["ron"])
    if row["tsumo"] is None:
        return ron
    dealer, other = row["tsumo_dealer"], row["tsumo_other"]
    return f"{ron} ({other} all)" if dealer is None else f"{ron} ({other}/{dealer})"
