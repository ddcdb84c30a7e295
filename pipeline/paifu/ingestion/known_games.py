"""Which games a lake already has, and what that means for arriving games.

A game is stored once. Of two games with the same id, the complete game stays; if both are complete
or both are not, the one stays whose log format records more. A game that is cut off is superseded
by a game that begins with the same play, and a line of a lobby list by the played game. The games
are held in memory as arrays (26 bytes per game), which are updated when another process has
committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.formats.registry import telling as formats_by_telling
from paifu.game.fingerprint import begins

Int64 = npt.NDArray[np.int64]
Play = tuple[list[int], bytes, int]
Plays = Callable[[Int64], Mapping[int, Play]]

LISTED, CUT_OFF, COMPLETE = 0, 1, 2
"""How much of a game is known: a line of a list, its beginning, or all of it."""

_IDENTITY = ("game_id", "deal_id", "list_key", "detail", "complete", "format")
PLAY_COLUMNS = ["game_id", "trail", "opening", "plays"]
"""The columns that show whether one game is the beginning of another."""

_ABSENT = np.int64(-(2**63))


@dataclass(frozen=True, slots=True)
class Games:
    """The facts of games that are needed to decide between them: arrays of equal length."""

    ids: Int64
    deals: Int64
    lists: Int64
    extent: npt.NDArray[np.int8]
    """``LISTED``, ``CUT_OFF`` or ``COMPLETE``."""
    telling: npt.NDArray[np.int8]
    """How much the record's format records, by its place in ``telling``; -1 for other formats."""

    @staticmethod
    def of(table: pa.Table) -> Games:
        """Return the :class:`Games` of rows of table ``games``."""
        ids, deals, lists = (_int64(table, name) for name in _IDENTITY[:3])
        played = np.array(table.column("detail").to_pylist(), dtype=object) == "play"
        complete = table.column("complete").to_numpy(zero_copy_only=False).astype(bool)
        extent = np.where(played, np.where(complete, COMPLETE, CUT_OFF), LISTED).astype(np.int8)
        return Games(ids, deals, lists, extent, telling(table))

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in the order of the fields."""
        return self.ids, self.deals, self.lists, self.extent, self.telling

    def take(self, where: npt.NDArray[Any]) -> Games:
        """Return the games at these positions, or those for which a mask is true."""
        return Games(*(column[where] for column in self.columns()))

    def __len__(self) -> int:
        return len(self.ids)


def telling(table: pa.Table) -> npt.NDArray[np.int8]:
    """Return how much the formats of rows of ``games`` record: int8, see :attr:`Games.telling`."""
    places = pc.index_in(
        table.column("format").cast(pa.string()), value_set=pa.array(formats_by_telling())
    )
    return np.asarray(places.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int8)


def _int64(table: pa.Table, name: str) -> Int64:
    column = table.column(name)
    return np.asarray(column.fill_null(int(_ABSENT)).to_numpy(zero_copy_only=False), dtype=np.int64)


@dataclass(slots=True)
class Decision:
    """What to do with a batch of arriving games."""

    keep: npt.NDArray[np.bool_]
    """For each arriving game, whether to store it."""
    superseded: int = 0
    """How many games, arriving or stored, are superseded by a game with more information."""
    remove: list[int] = field(default_factory=list)
    """Ids of stored games to remove."""

    known: int = 0
    """How many of the games the lake already has."""


class Known:
    """The games of a lake, by id, sorted."""

    def __init__(self, games: Games) -> None:
        order = np.argsort(games.ids, kind="stable")
        self.games = games.take(order)

    @staticmethod
    def read(connection: duckdb.DuckDBPyConnection) -> Known:
        """Read the games of the lake in the state that the connection's transaction sees."""
        query = f"SELECT {', '.join(_IDENTITY)} FROM games"
        return Known(Games.of(connection.execute(query).to_arrow_table()))

    def changed(self, added: Games, removed: Iterable[int]) -> Known:
        """Return the games after a commit."""
        gone = np.fromiter(removed, dtype=np.int64)
        kept = self.games.take(~np.isin(self.games.ids, gone)) if len(gone) else self.games
        both = zip(kept.columns(), added.columns(), strict=True)
        return Known(Games(*(np.concatenate(columns) for columns in both)))

    def decide(
        self,
        table: pa.Table,
        plays: Plays,
        replaceable: Int64 | None = None,
    ) -> Decision:
        """Decide which arriving rows of ``games`` to store and which stored games to remove.

        All rows have different ids. ``plays`` returns the play of stored games by their ids.
        ``replaceable`` are ids of stored games that are replaced when the same game is read again
        from a format that records as much.
        """
        arriving = Games.of(table)
        decision = Decision(np.ones(len(arriving), dtype=bool))
        self._same_game(arriving, decision, replaceable)
        self._cut_off(arriving, table, plays, decision)
        self._listed(arriving, decision)
        decision.remove = sorted(set(decision.remove))
        return decision

    def _same_game(self, arriving: Games, decision: Decision, replaceable: Int64 | None) -> None:
        if not len(self.games):
            return
        at = np.searchsorted(self.games.ids, arriving.ids).clip(max=len(self.games) - 1)
        stored = (self.games.ids[at] == arriving.ids) & decision.keep
        more = arriving.telling > self.games.telling[at]
        longer = arriving.extent > self.games.extent[at]
        as_long = arriving.extent == self.games.extent[at]
        gives_way = stored & (longer | (as_long & more))
        decision.superseded += int(gives_way.sum())
        if replaceable is not None:
            less = arriving.telling < self.games.telling[at]
            gives_way |= stored & ~less & np.isin(arriving.ids, replaceable)
        decision.keep &= ~stored | gives_way
        decision.known = int((stored & ~gives_way).sum())
        decision.remove.extend(arriving.ids[gives_way].tolist())

    def _cut_off(
        self,
        arriving: Games,
        table: pa.Table,
        plays: Plays,
        decision: Decision,
    ) -> None:
        cut_off = decision.keep & (arriving.extent == CUT_OFF)
        ours = self.games.extent == CUT_OFF
        played = decision.keep & (arriving.extent != LISTED)
        shared = np.union1d(
            arriving.deals[cut_off],
            np.intersect1d(self.games.deals[ours], arriving.deals[played]),
        )
        if not len(shared):
            return
        indices = np.flatnonzero(played & np.isin(arriving.deals, shared))
        at_stored = np.isin(self.games.deals, shared) & (self.games.extent != LISTED)
        stored = self.games.take(at_stored & ~np.isin(self.games.ids, decision.remove))
        candidates = [*_arriving(arriving, table, indices)]
        candidates += _stored(stored, plays(stored.ids) if len(stored) else {})
        superseded = _superseded(candidates)
        decision.superseded += len(superseded)
        for candidate in superseded:
            if candidate.index is None:
                decision.remove.append(candidate.game)
            else:
                decision.keep[candidate.index] = False

    def _listed(self, arriving: Games, decision: Decision) -> None:
        lines = decision.keep & (arriving.extent == LISTED) & (arriving.lists != _ABSENT)
        played = decision.keep & (arriving.extent != LISTED) & (arriving.lists != _ABSENT)
        stored_play = self.games.lists[self.games.extent != LISTED]
        told = lines & np.isin(
            arriving.lists, np.concatenate([stored_play, arriving.lists[played]])
        )
        decision.keep &= ~told
        stored_lines = self.games.extent == LISTED
        gone = stored_lines & np.isin(self.games.lists, arriving.lists[played])
        decision.superseded += int(told.sum() + gone.sum())
        decision.remove.extend(self.games.ids[gone].tolist())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A game that may be the beginning of another game, or the other way round."""

    game: int
    deal: int
    cut_off: bool
    play: Play
    index: int | None
    """Position among the arriving games; None for a stored game."""


def _play(row: Mapping[str, Any]) -> Play:
    return row["trail"] or [], row["opening"] or b"", row["plays"] or 0


def _arriving(games: Games, table: pa.Table, indices: npt.NDArray[np.intp]) -> Iterator[_Candidate]:
    rows = table.select(["trail", "opening", "plays"]).take(pa.array(indices)).to_pylist()
    for index, row in zip(indices.tolist(), rows, strict=True):
        yield _Candidate(
            int(games.ids[index]), int(games.deals[index]),
            bool(games.extent[index] == CUT_OFF), _play(row), index,
        )  # fmt: skip


def _stored(games: Games, plays: Mapping[int, Play]) -> Iterator[_Candidate]:
    for game, deal, extent in zip(games.ids, games.deals, games.extent, strict=True):
        if int(game) in plays:  # else another process has removed it, which the commit will find
            yield _Candidate(int(game), int(deal), bool(extent == CUT_OFF), plays[int(game)], None)


def plays_of(table: pa.Table) -> dict[int, Play]:
    """Return the play of each row of table ``games`` by its id."""
    rows = table.select(PLAY_COLUMNS).to_pylist()
    return {row["game_id"]: _play(row) for row in rows}


def stored_plays(connection: duckdb.DuckDBPyConnection, ids: Int64) -> dict[int, Play]:
    """Return the play of games of the lake by their ids."""
    rows = connection.execute(
        "SELECT game_id, trail, opening, plays FROM games WHERE game_id IN (SELECT unnest(?))",
        [ids.tolist()],
    )
    return plays_of(rows.to_arrow_table())


def _superseded(candidates: list[_Candidate]) -> list[_Candidate]:
    """Return the candidates that are the beginning of another candidate with the same deal."""
    by_deal: dict[int, list[_Candidate]] = {}
    for candidate in candidates:
        by_deal.setdefault(candidate.deal, []).append(candidate)
    gone: list[_Candidate] = []
    for group in by_deal.values():
        standing = sorted(group, key=lambda c: (c.play[2], not c.cut_off))
        for position, shorter in enumerate(standing):
            if shorter.cut_off and any(
                begins(shorter.play, longer.play) for longer in standing[position + 1 :]
            ):
                gone.append(shorter)
    return gone
