"""The conditions that a user can give on games and seats, without how a lake applies them.

Nothing heavy is imported here, so that the command line can read its options from this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from cyclopts import Parameter


@dataclass(frozen=True, slots=True)
class GameConditions:
    """Conditions on games; ``None`` lets everything through."""

    since: str | date | None = None
    """From this day on (Japan time): 2026-01-31; or from the start of 2026-01 or 2026."""
    until: str | date | None = None
    """To the end of this day, month or year (Japan time)."""
    room: str | None = None
    """Only this room: ippan, joukyuu, tokujou, houou, or another platform's word."""
    length: str | None = None
    """Only games of this length: east, south, one_round or hand."""
    players: int | None = None
    """Only games of 3 or of 4 players."""
    ruleset: Annotated[str | None, Parameter(alias="--rules")] = None
    """Only games recorded under this rule set."""
    matched: bool = False
    """Only games whose verdicts all match, under the rules that the record names."""
    where: str | None = None
    """One SQL expression on the columns of games."""


@dataclass(frozen=True, slots=True)
class Conditions(GameConditions):
    """Conditions on games and on their seats; ``None`` lets everything through."""

    player: str | None = None
    """Only this player's rounds, wins and games."""
    dan: int | str | None = None
    """Only seats of this rank: its name (七段) or its code in column dan of seats (16)."""
