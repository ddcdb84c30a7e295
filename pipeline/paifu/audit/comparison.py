"""Compares recorded with computed values and makes verdicts, in the same way for every subject.

A subject gives one frame with a row per thing to judge: its key, a pair of columns
``recorded_NAME`` and ``computed_NAME`` for each field, and, if needed, the text columns ``illegal``
and ``unscorable`` with a reason or NULL, and ``said`` with what differs in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.tables import TABLES

MATCH, MISMATCH, ILLEGAL, UNSCORABLE = "match", "mismatch", "illegal", "unscorable"

SUBJECTS = {"win": "wins", "draw": "draws", "round": "rounds", "game": "games", "wall": "walls"}
"""The subjects that are judged, each with its plural."""

KEY = ("game_id", "round_index", "win_index")
"""Key columns of a verdict; if a subject has fewer, the others are NULL."""


@dataclass(frozen=True)
class Verdicts:
    """Rows for the tables ``verdicts`` and ``verdict_fields``."""

    verdicts: pl.DataFrame
    fields: pl.DataFrame

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many of each subject have each status."""
        counted: dict[str, dict[str, int]] = {}
        for subject, status, count in self.verdicts.group_by("subject", "status").len().iter_rows():
            counted.setdefault(subject, {})[status] = count
        return counted

    @cached_property
    def reasons(self) -> dict[tuple[str, str, str], int]:
        """How many of each subject have each status for each reason, if there is a reason."""
        given = self.verdicts.filter(pl.col("reason").is_not_null())
        grouped = given.group_by("subject", "status", "reason").len()
        return {(subject, status, reason): n for subject, status, reason, n in grouped.iter_rows()}


def concat(parts: Sequence[Verdicts]) -> Verdicts:
    """Return the rows of all parts together."""
    return Verdicts(
        pl.concat([part.verdicts for part in parts]), pl.concat([part.fields for part in parts])
    )


def paired(fields: Iterable[str], players: int | None = None) -> list[str]:
    """Return field names; names that end in ``_`` occur once per seat.

    >>> paired(["honba", "delta_"], 3)
    ['honba', 'delta_0', 'delta_1', 'delta_2']
    """
    names: list[str] = []
    for field in fields:
        if field.endswith("_"):
            names.extend(f"{field}{seat}" for seat in range(players or 0))
        else:
            names.append(field)
    return names


def differs(field: str) -> pl.Expr:
    """Return whether a field is recorded and differs from the computed value."""
    recorded, computed = pl.col(f"recorded_{field}"), pl.col(f"computed_{field}")
    return recorded.is_not_null() & recorded.ne_missing(computed)


def judge(
    subject: str,
    rows: pl.DataFrame,
    fields: Sequence[str],
    rules: RuleSet | Game,
    engine_version: int,
) -> Verdicts:
    """Return the verdict on every row, and the fields in which it differs from the record.

    A field that is NULL in the record is not compared. A subject that was not allowed is illegal
    whether or not it can be scored, and keeps the fields in which it differs. A subject that cannot
    be scored has no such fields.
    """
    absent = [name for name in ("illegal", "unscorable", "said") if name not in rows.columns]
    rows = rows.with_columns(
        *(pl.lit(None, dtype=pl.String).alias(name) for name in absent),
        *(pl.lit(None, dtype=pl.Int16).alias(name) for name in KEY if name not in rows.columns),
    ).with_columns(*(differs(field).alias(f"differs_{field}") for field in fields))
    any_differs = pl.any_horizontal(*(pl.col(f"differs_{field}") for field in fields))
    judged = rows.with_columns(
        status=pl.when(pl.col("illegal").is_not_null())
        .then(pl.lit(ILLEGAL))
        .when(pl.col("unscorable").is_not_null())
        .then(pl.lit(UNSCORABLE))
        .when(any_differs)
        .then(pl.lit(MISMATCH))
        .otherwise(pl.lit(MATCH))
    )
    about = {
        "subject": pl.lit(subject),
        "ruleset": pl.lit(rules.name),
        "ruleset_hash": pl.lit(rules.hash, dtype=pl.Int64),
        "engine_version": pl.lit(engine_version, dtype=pl.Int16),
        "reason": pl.coalesce(
            "illegal", "unscorable", pl.when(pl.col("status") == MISMATCH).then("said")
        ),
    }
    verdicts = judged.with_columns(**about).select(TABLES["verdicts"].names)
    wrong = judged.filter(any_differs & pl.col("unscorable").is_null()).with_columns(**about)
    return Verdicts(verdicts, _differing(wrong, fields))


def _differing(rows: pl.DataFrame, fields: Sequence[str]) -> pl.DataFrame:
    """Return one row per differing field, with its values as text, in the order of the fields."""
    names = TABLES["verdict_fields"].names
    parts = [
        rows.filter(pl.col(f"differs_{field}"))
        .with_columns(
            field=pl.lit(field),
            recorded=_text(rows.schema[f"recorded_{field}"], f"recorded_{field}"),
            computed=_text(rows.schema[f"computed_{field}"], f"computed_{field}"),
        )
        .select(names)
        for field in fields
    ]
    return pl.concat(parts)


def _text(dtype: pl.DataType, name: str) -> pl.Expr:
    column = pl.col(name)
    if isinstance(dtype, pl.List):
        column = column.cast(pl.List(pl.String)).list.join(" ")
    return column.cast(pl.String)
