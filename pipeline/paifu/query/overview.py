"""What is in a lake: how many games of which kind, dates, players, verdicts, sizes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paifu.lake.connection import CATALOG, METADATA

if TYPE_CHECKING:
    import duckdb

    from paifu.lake.lake import Lake, Transaction


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts under one rule set."""

    ruleset: str
    subject: str
    n: int
    matched: int
    mismatched: int
    illegal: int
    unscorable: int


@dataclass(frozen=True, slots=True)
class Overview:
    """What a lake holds."""

    lake: str
    schema_version: int
    names: str
    """The policy for names: keep, hash or drop."""
    created_by: str
    games: int
    rounds: int
    wins: int
    seats: int
    players: int
    """Different names that are not anonymous; 0 in a lake without names."""
    first_played: datetime | None
    """UTC."""
    last_played: datetime | None
    kinds: tuple[tuple[str, str, int | None, str | None, str, int], ...]
    """Platform, format, players, length and ``detail`` of games, with their number; most first."""
    rulesets: tuple[tuple[str, int], ...]
    """Rule sets that records name, with their games; most first."""
    rooms: tuple[tuple[str, int], ...]
    judged: tuple[Judged, ...]
    sources: int
    flagged: int
    """Games with a flag."""
    rejects: int
    snapshots: int
    files: int
    """Files of rows; ``bytes`` is their size."""
    bytes: int


def overview(lake: Lake) -> Overview:
    """Return what a lake holds, of one state of the lake."""
    return lake.read(lambda tx: _read(lake, tx))


def _read(lake: Lake, tx: Transaction) -> Overview:
    connection = tx.connection

    def row(query: str) -> tuple[Any, ...]:
        return connection.execute(query).fetchone() or ()

    def rows(query: str) -> tuple[tuple[Any, ...], ...]:
        return tuple(connection.execute(query).fetchall())

    games, first, last, flagged = row(
        "SELECT count(*), min(played_at), max(played_at), "
        f"count(*) FILTER (len(flags) > 0) FROM {CATALOG}.games"
    )
    seats, players = row(
        "SELECT count(*), count(DISTINCT player) FILTER (NOT anonymous) FROM seats"
    )
    files, size = row(
        f"SELECT count(*), coalesce(sum(file_size_bytes), 0) FROM {METADATA}.ducklake_data_file "
        "WHERE end_snapshot IS NULL"
    )
    return Overview(
        lake=lake.location.place,
        schema_version=int(lake.facts["schema_version"]),
        names=lake.names,
        created_by=lake.facts.get("created_by", ""),
        games=games,
        rounds=_count(connection, "rounds"),
        wins=_count(connection, "wins"),
        seats=seats,
        players=players,
        first_played=first,
        last_played=last,
        kinds=rows(
            "SELECT platform, format, players, length, detail, count(*) FROM games "
            "GROUP BY ALL ORDER BY 6 DESC, 1, 2, 3, 4, 5"
        ),
        rulesets=rows("SELECT ruleset, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1"),
        rooms=rows(
            "SELECT room, count(*) FROM games WHERE room IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1"
        ),
        judged=tuple(
            Judged(*found)
            for found in rows("""
                SELECT ruleset, subject, count(*), count(*) FILTER (status = 'match'),
                    count(*) FILTER (status = 'mismatch'), count(*) FILTER (status = 'illegal'),
                    count(*) FILTER (status = 'unscorable')
                FROM verdicts GROUP BY ruleset, subject ORDER BY sum(count(*)) OVER (
                    PARTITION BY ruleset) DESC, ruleset, subject""")
        ),
        sources=_count(connection, "sources"),
        flagged=flagged,
        rejects=_count(connection, "rejects"),
        snapshots=row(f"SELECT count(*) FROM {METADATA}.ducklake_snapshot")[0],
        files=files,
        bytes=int(size),
    )


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone() or (0,)
    return int(count)
