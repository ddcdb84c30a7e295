"""``paifu points``: the points tables of a rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paifu.cli.options import JsonOption, LangOption
from paifu.cli.output import print_json, print_rows, print_table
from paifu.labels import Labels, labels_for

if TYPE_CHECKING:
    import polars as pl

_HAN = range(1, 5)


def points(
    rules: str = "tenhou-4p", /, *, lang: LangOption = None, json: JsonOption = False
) -> None:
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
        labels = labels_for(lang)
        for dealer, whose in ((False, "others"), (True, "dealer")):
            _print_riichi(table.filter(dealer=dealer), labels(f"points.{whose}"), labels)


def _print_riichi(table: pl.DataFrame, title: str, labels: Labels) -> None:
    cells: dict[tuple[Any, ...], str] = {}
    limits: list[tuple[str, str]] = []
    for row in table.iter_rows(named=True):
        if row["fu"] is not None:
            cells[row["fu"], row["han"]] = _paid(row, labels)
            continue
        if row["yakuman"]:
            name = labels.yakuman(row["yakuman"])
        else:
            limit = "" if row["limit"] == "none" else f", {labels.of('limit', row['limit'])}"
            name = labels("value.han", han=row["han"]) + limit
        limits.append((name, _paid(row, labels)))
    fus = sorted({fu for fu, _ in cells})
    print_table(
        ("", *(labels("value.han", han=han) for han in _HAN)),
        [(labels("value.fu", fu=fu), *(cells.get((fu, han), "") for han in _HAN)) for fu in fus],
        title=title,
    )
    print()
    print_table(("", ""), limits)
    print()


def _paid(row: dict[str, Any], labels: Labels) -> str:
    """Return points like ``3900 (1000/2000)``, or ``5800 (2000 all)`` of the dealer."""
    ron = "–" if row["ron"] is None else str(row["ron"])
    if row["tsumo"] is None:
        return ron
    dealer, other = row["tsumo_dealer"], row["tsumo_other"]
    each = labels("points.all", points=other) if dealer is None else f"{other}/{dealer}"
    return f"{ron} ({each})"
