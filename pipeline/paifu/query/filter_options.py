"""Which games and seats count, said by a user: the conditions, apart from how a lake applies them.

Nothing heavy is imported here, so that the command line reads its options from this one list.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from cyclopts import Parameter


@dataclass(frozen=True, slots=True)
class GameConditions:
    """What games have to be; ``None`` lets everything through."""

    since: str | date | None = None
    """From this day on (Japan time), as 2026-01-31; or from the start of 2026-01 or 2026."""
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
    """Only games whose every verdict, under the rules that the record names, matches."""
    where: str | None = None
    """One SQL expression on the columns of games."""


@dataclass(frozen=True, slots=True)
class Conditions(GameConditions):
    """What games, and of them which seats, have to be; ``None`` lets everything through."""

    player: str | None = None
    """Only this player's rounds, wins and games."""
    dan: int | str | None = None
    """Only seats of this rank: its name, as 七段, or its code in column dan of seats, as 16."""
