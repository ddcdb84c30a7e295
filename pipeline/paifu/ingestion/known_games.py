"""Which games a lake already has, and what that means for arriving games.

A game is stored once. Of two games with the same id, the complete game stays; if both are complete
or both are not, the one stays whose log format records more. A game of a score sheet that is
entered again with other content replaces the stored one. A game that is cut off is superseded
by a game that begins with the same play, and a line of a lobby list by the played game. The games
are held in memory as arrays (27 bytes per game), which are updated when another process has
committed.

The arrays are in parts, each sorted by id and much larger than the next. New games become a new
part, and small parts are merged. So neither a search nor an addition reads all games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.formats.registry import telling as formats_by_telling
from paifu.game.fingerprint import begins
from paifu.lake.changes import deleted, inserted
from paifu.lake.connection import quoted

Int64 = npt.NDArray[np.int64]
Play = tuple[list[int], bytes, int]
Plays = Callable[[Int64], Mapping[int, Play]]

REMOVED, LISTED, CUT_OFF, COMPLETE = -1, 0, 1, 2
"""How much of a game is known: nothing, as it was removed; a line of a list; its beginning; all."""

_IDENTITY = ("game_id", "deal_id", "list_key")
_PLAY = ("game_id", "trail", "opening", "plays")
"""The columns that show whether one game is the beginning of another."""

COLUMNS = [*_IDENTITY, "detail", "complete", "format", *_PLAY[1:], "source_id"]
"""The columns of ``games`` by which a committer decides about games."""

_ABSENT = np.int64(-(2**63))
_NULL = "(-9223372036854775808)::BIGINT"
"""``_ABSENT`` in SQL."""


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
    replaceable: npt.NDArray[np.bool_]
    """The game is replaced when it is read again from a format that records as much."""

    @staticmethod
    def of(table: pa.Table) -> Games:
        """Return the :class:`Games` of rows of table ``games``; none is replaceable."""
        ids, deals, lists = (_int64(table, name) for name in _IDENTITY)
        played = pc.equal(table.column("detail").cast(pa.string()), "play").to_numpy()
        complete = table.column("complete").to_numpy().astype(bool)
        extent = np.where(played, np.where(complete, COMPLETE, CUT_OFF), LISTED).astype(np.int8)
        return Games(ids, deals, lists, extent, telling(table), np.zeros(len(ids), np.bool_))

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in the order of the fields."""
        return self.ids, self.deals, self.lists, self.extent, self.telling, self.replaceable

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


class _Index:
    """Finds games by another number than their id."""

    def __init__(self, numbers: Int64, wanted: npt.NDArray[np.bool_]) -> None:
        at = np.flatnonzero(wanted)
        order = np.argsort(numbers[at], kind="stable")
        self._at = at[order]
        self._numbers = numbers[self._at]

    def find(self, numbers: Int64) -> npt.NDArray[np.intp]:
        """Return the positions of all games that have one of these numbers; each is given once."""
        if not len(self._at) or not len(numbers):
            return np.empty(0, np.intp)
        first = np.searchsorted(self._numbers, numbers, side="left")
        times = np.searchsorted(self._numbers, numbers, side="right") - first
        nth = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        found: npt.NDArray[np.intp] = self._at[np.repeat(first, times) + nth]
        return found


class _Part:
    """Some of the games, sorted by id. What was removed stays, with extent ``REMOVED``."""

    def __init__(self, games: Games) -> None:
        self.games = games.take(np.argsort(games.ids, kind="stable"))

    def __len__(self) -> int:
        return len(self.games)

    def find(self, ids: Int64) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """Return for each id a position, and whether the game is there."""
        if not len(self):
            return np.zeros(len(ids), np.intp), np.zeros(len(ids), np.bool_)
        at = np.searchsorted(self.games.ids, ids).clip(max=len(self) - 1)
        return at, (self.games.ids[at] == ids) & (self.games.extent[at] != REMOVED)

    def still(self, at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return those of the positions at which there is still a game."""
        there: npt.NDArray[np.intp] = at[self.games.extent[at] != REMOVED]
        return there

    @cached_property
    def cut_off(self) -> _Index:
        """Games that are cut off, by deal."""
        return _Index(self.games.deals, self.games.extent == CUT_OFF)

    @cached_property
    def played(self) -> _Index:
        """Games with play, by deal."""
        return _Index(self.games.deals, self.games.extent > LISTED)

    @cached_property
    def played_by_list(self) -> _Index:
        """Games with play, by list key."""
        listed = self.games.lists != _ABSENT
        return _Index(self.games.lists, (self.games.extent > LISTED) & listed)

    @cached_property
    def lines(self) -> _Index:
        """Lines of lists, by list key."""
        listed = self.games.lists != _ABSENT
        return _Index(self.games.lists, (self.games.extent == LISTED) & listed)


_SHRINKING = 8
"""Each part has at least this many times the games of the next."""


def _merged(parts: list[_Part]) -> list[_Part]:
    """Return parts of which each is much larger than the next, with the same games."""
    while len(parts) > 1 and _SHRINKING * len(parts[-1]) >= len(parts[-2]):
        both = _joined([part.games for part in parts[-2:]])
        parts[-2:] = [_Part(both.take(both.extent != REMOVED))]
    return parts


def _joined(games: Sequence[Games]) -> Games:
    columns = zip(*(part.columns() for part in games), strict=True)
    return Games(*(np.concatenate(column) for column in columns))


class Known:
    """The games of a lake, and changes that are not yet in it, so that they can be undone."""

    def __init__(self, games: Games) -> None:
        self._parts = [_Part(games)]
        self._new: list[_Part] = []
        """Games added since the last :meth:`settle`."""
        self._removed: list[tuple[_Part, npt.NDArray[np.intp], npt.NDArray[np.int8]]] = []
        """Games removed since then: their part, positions and extents."""

    @staticmethod
    def read(connection: duckdb.DuckDBPyConnection, replaceable: str = "false") -> Known:
        """Read the games of the lake in the state that the connection's transaction sees.

        ``replaceable`` is SQL that is true for the rows of replaceable games.
        """
        return Known(_read(connection, "games", replaceable))

    def follow(self, connection: duckdb.DuckDBPyConnection, first: int, last: int) -> None:
        """Add and remove the games that others added and removed in some snapshots."""
        came, went = inserted("games", first, last), deleted("games", first, last)
        gone = connection.execute(f"SELECT game_id FROM {went} ANTI JOIN {came} USING (rowid)")
        removed = gone.fetchnumpy()["game_id"]
        self.change(_read(connection, f"{came} ANTI JOIN {went} USING (rowid)"), removed)
        self.settle()

    def change(self, added: Games, removed: Iterable[int]) -> None:
        """Remove and add games."""
        gone = np.fromiter(removed, dtype=np.int64)
        if len(gone):
            for part in (*self._parts, *self._new):
                at, found = part.find(gone)
                self._removed.append((part, at[found], part.games.extent[at[found]]))
                part.games.extent[at[found]] = REMOVED
        if len(added):
            self._new = _merged([*self._new, _Part(added)])

    def settle(self) -> None:
        """Confirm the changes: they are in the lake."""
        self._parts = _merged([*self._parts, *self._new])
        self._new, self._removed = [], []

    def undo(self) -> None:
        """Undo the changes since the last :meth:`settle`."""
        for part, at, extent in self._removed:
            part.games.extent[at] = extent
        self._new, self._removed = [], []

    def decide(self, table: pa.Table, plays: Plays) -> Decision:
        """Decide which arriving rows of ``games`` to store and which stored games to remove.

        All rows have different ids. ``plays`` returns the play of stored games by their ids.
        """
        arriving = Games.of(table)
        decision = Decision(np.ones(len(arriving), dtype=bool))
        self._same_game(arriving, decision)
        self._cut_off(arriving, table, plays, decision)
        self._listed(arriving, decision)
        decision.remove = sorted(set(decision.remove))
        return decision

    def _all(self) -> tuple[_Part, ...]:
        return (*self._parts, *self._new)

    def _same_game(self, arriving: Games, decision: Decision) -> None:
        for part in self._all():
            at, stored = part.find(arriving.ids)
            if not stored.any():
                continue
            games = part.games
            longer = arriving.extent > games.extent[at]
            as_long = arriving.extent == games.extent[at]
            gives_way = stored & (longer | (as_long & (arriving.telling > games.telling[at])))
            gives_way |= stored & _corrected(arriving, games.take(at))
            decision.superseded += int(gives_way.sum())
            as_telling = arriving.telling >= games.telling[at]
            gives_way |= stored & as_telling & games.replaceable[at]
            decision.keep &= ~stored | gives_way
            decision.known += int((stored & ~gives_way).sum())
            decision.remove.extend(arriving.ids[gives_way].tolist())

    def _cut_off(
        self,
        arriving: Games,
        table: pa.Table,
        plays: Plays,
        decision: Decision,
    ) -> None:
        cut_off = decision.keep & (arriving.extent == CUT_OFF)
        played = decision.keep & (arriving.extent != LISTED)
        deals = np.unique(arriving.deals[played])
        ours = [part.games.deals[part.still(part.cut_off.find(deals))] for part in self._all()]
        shared = np.unique(np.concatenate([arriving.deals[cut_off], *ours]))
        if not len(shared):
            return
        indices = np.flatnonzero(played & np.isin(arriving.deals, shared))
        found = [part.games.take(part.still(part.played.find(shared))) for part in self._all()]
        stored = _joined([games.take(~np.isin(games.ids, decision.remove)) for games in found])
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
        of_lines, of_played = np.unique(arriving.lists[lines]), np.unique(arriving.lists[played])
        both = [of_played] if len(of_lines) else []
        for part in self._all() if len(of_lines) else ():
            both.append(part.games.lists[part.still(part.played_by_list.find(of_lines))])
        if both:
            told = lines & np.isin(arriving.lists, np.concatenate(both))
            decision.keep &= ~told
            decision.superseded += int(told.sum())
        for part in self._all():
            gone = part.still(part.lines.find(of_played))
            decision.superseded += len(gone)
            decision.remove.extend(part.games.ids[gone].tolist())


def _corrected(arriving: Games, stored: Games) -> npt.NDArray[np.bool_]:
    """Return which games a score sheet enters again and differently.

    Their ids are equal, but not the hashes of what is said of them.
    """
    listed = (arriving.extent == LISTED) & (stored.extent == LISTED)
    known = (arriving.lists != _ABSENT) & (stored.lists != _ABSENT)
    corrected: npt.NDArray[np.bool_] = listed & known & (arriving.lists != stored.lists)
    return corrected


def _read(connection: duckdb.DuckDBPyConnection, rows: str, replaceable: str = "false") -> Games:
    """Return the facts of rows of table ``games``; the numbers are made in SQL, without texts."""
    formats = ", ".join(quoted(name) for name in formats_by_telling())
    columns = connection.execute(
        f"""SELECT game_id, coalesce(deal_id, {_NULL}) AS deal_id,
            coalesce(list_key, {_NULL}) AS list_key,
            (CASE WHEN detail <> 'play' THEN {LISTED} WHEN complete THEN {COMPLETE}
                ELSE {CUT_OFF} END)::TINYINT AS extent,
            (coalesce(list_position([{formats}], format), 0) - 1)::TINYINT AS telling,
            coalesce({replaceable}, false) AS replaceable
        FROM {rows}"""
    ).fetchnumpy()
    return Games(*(np.ascontiguousarray(column) for column in columns.values()))


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
    rows = table.select(_PLAY).to_pylist()
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
