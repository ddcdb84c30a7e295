"""Options that several commands share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

if TYPE_CHECKING:
    from paifu.filters import Filter

LakeOption = Annotated[
    str,
    Parameter(
        name="--lake",
        env_var="PAIFU_LAKE",
        help=(
            "Folder of the lake, or a DuckLake URL such as ducklake:postgres:dbname=games "
            "(its data path, when it is made, from PAIFU_DATA_PATH)."
        ),
    ),
]

JsonOption = Annotated[
    bool, Parameter(name="--json", help="Print one machine-readable result on standard output.")
]

CsvOption = Annotated[bool, Parameter(name="--csv", help="Print CSV on standard output.")]


@Parameter(name="*", group=Group("Which games count", sort_key=9))
@dataclass(frozen=True)
class FilterOptions:
    """Which games and seats a statistic counts."""

    player: str | None = None
    """Only this player's rounds, wins and games."""
    since: str | None = None
    """From this day on (Japan time), as 2026-01-31."""
    until: str | None = None
    """To the end of this day (Japan time)."""
    room: str | None = None
    """Only this room: ippan, joukyuu, tokujou, houou, or another platform's word."""
    length: str | None = None
    """Only games of this length: east, south."""
    players: int | None = None
    """Only games of 3 or of 4 players."""
    ruleset: str | None = None
    """Only games recorded under this rule set."""
    dan: int | None = None
    """Only seats with this dan code."""
    matched: bool = False
    """Only games in which every verdict of paifu rescore matches."""
    where: str | None = None
    """One SQL expression on the columns of games."""

    def filter(self) -> Filter:
        """Return the filter the options describe."""
        from paifu.filters import Filter

        return Filter.of_text(**asdict(self))
