"""Tables of invented games that follow the schema, for tests of the lake without real play."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from paifu.ingestion.prepare import Prepared, Rejected
from paifu.ingestion.units import Unit
from paifu.schema.tables import PLAY_TABLES, TABLES
from paifu.sources.containers import Source

ACTIONS = 20
"""How many acts each invented game has."""

_VALUES: dict[str, Any] = {
    "int16": 1,
    "int32": 1000,
    "int64": 1,
    "bool": False,
    "text": "x",
    "double": 1.0,
    "timestamp": dt.datetime(2020, 1, 1),
    "binary": b"\0",
    "list<int16>": [1, 2],
    "list<int32>": [25000, 25000, 25000, 25000],
    "list<double>": [],
    "list<text>": [],
}


@dataclass(frozen=True, slots=True)
class Game:
    """An invented game: only what the lake looks at."""

    id: int
    deal: int = 0
    complete: bool = True
    detail: str = "play"
    list_key: int | None = None
    trail: Sequence[int] = (1, 2)
    opening: bytes = b""
    plays: int = 10
    players: Sequence[str] = ("a", "b", "c", "d")
    light: bool = False
    """Rows only in games, seats and actions."""


def row(table: str, **values: Any) -> dict[str, Any]:
    """Return a row of a table: the given values, and NULL or some value of the type elsewhere."""
    return {
        column.name: values.get(column.name, None if column.nullable else _VALUES[column.type])
        for column in TABLES[table].columns
    }


def tables(games: Sequence[Game], source_id: int) -> dict[str, pa.Table]:
    """Return the play tables of some games, as replay gives them."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in PLAY_TABLES}
    for game in games:
        key = {"game_id": game.id, "round_index": 0, "win_index": 0}
        rows["games"].append(
            row(
                "games", game_id=game.id, deal_id=game.deal, complete=game.complete,
                detail=game.detail, list_key=game.list_key, trail=list(game.trail),
                opening=game.opening, plays=game.plays, source_id=source_id,
                log_id=f"log{game.id}", member=f"log{game.id}.xml",
            )
        )  # fmt: skip
        for seat, player in enumerate(game.players):
            rows["seats"].append(row("seats", game_id=game.id, seat=seat, player=player))
        if game.detail == "result":
            continue
        for seq in range(ACTIONS):
            rows["actions"].append(row("actions", **key, seq=seq, action="discard"))
        if game.light:
            continue
        for name in ("rounds", "wins", "win_yaku", "seeds"):
            rows[name].append(row(name, **key))
        for seat in range(4):
            rows["round_seats"].append(row("round_seats", **key, seat=seat))
    return {
        name: pa.Table.from_pylist(rows[name], schema=TABLES[name].arrow()) for name in PLAY_TABLES
    }


@dataclass(slots=True)
class Sources:
    """Makes prepared units, each with its own source."""

    count: int = 0
    made: list[Source] = field(default_factory=list)

    def source(self, content: bytes) -> Source:
        """Return a source that was read to its end."""
        source = Source(
            self.count, f"games/{self.count}.xml", "file", len(content),
            dt.datetime(2020, 1, 1, tzinfo=dt.UTC), hashlib.sha256(content).digest(), Path("none"),
            complete=True,
        )  # fmt: skip
        self.count += 1
        self.made.append(source)
        return source

    def prepared(
        self, games: Sequence[Game], content: bytes = b"", rejected: Sequence[str] = ()
    ) -> Prepared:
        """Return a unit of one source that holds these games and broken logs."""
        from paifu.ingestion.source_rows import source_id

        source = self.source(content or repr(games).encode())
        unit = Unit(sources={source.number: source}, ended={source.number})
        rejects = [
            Rejected(source.number, member, "byte 0", None, 1, "broken") for member in rejected
        ]
        return Prepared(
            unit, tables(games, source_id(source)), rejects, {source.number: len(games)}
        )
