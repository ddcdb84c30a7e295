"""Games and players that must not be in a lake: removes them, and keeps them out.

A lake remembers keyed hashes of what was removed (table ``forgotten``). So ingesting the same logs
again does not bring it back, and nobody can read from the lake what was removed. The old files are
kept for their readers for a time (:mod:`paifu.lake.retention`). Call :func:`for_good` after
everything has been removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.errors import LakeError
from paifu.lake.compact import compact
from paifu.lake.connection import quoted
from paifu.lake.lake import Lake, Transaction
from paifu.lake.names import QUOTED, UNQUOTED, digest, salt, salt_check
from paifu.lake.retention import must_purge

_GAME, _PLAYER = "game", "player"
_LETTERS = 40
"""Of a longer name a reason quotes these letters at least."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a lake must not take in again."""

    key: bytes = b""
    games: frozenset[str] = field(default_factory=frozenset)
    players: frozenset[str] = field(default_factory=frozenset)

    @staticmethod
    def read(lake: Lake) -> Forgotten:
        """Return what the lake remembers. Raises ``LakeError`` if the salt is not the lake's."""
        rows = lake.connection.execute("SELECT kind, digest FROM forgotten").fetchall()
        if not rows:
            return Forgotten()
        key = lake.salt()
        if key is None:
            raise LakeError(f"the lake at {lake.location.text} has no salt_check in lake_info")
        kinds = {kind: frozenset(d for k, d in rows if k == kind) for kind in (_GAME, _PLAYER)}
        return Forgotten(key, kinds[_GAME], kinds[_PLAYER])

    def has(self, games: pa.Table) -> npt.NDArray[np.bool_]:
        """Return which rows of table ``games`` are of forgotten games."""
        if not self.games:
            return np.zeros(games.num_rows, dtype=bool)
        ids = games.column("game_id").to_pylist()
        return np.array([digest(self.key, _GAME, str(i)) in self.games for i in ids], dtype=bool)

    def anonymous(self, tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
        """Return the tables of new games without the names of forgotten players.

        What a sheet notes about their games is left out too.
        """
        if not self.players:
            return tables
        gone = self._forgotten_seats(tables["seats"])
        if not gone.any():
            return tables
        changed = {**tables, "seats": _without_players(tables["seats"], gone)}
        games = tables["seats"].column("game_id").filter(pa.array(gone))
        for name in ("games", "rounds"):
            theirs = pc.is_in(tables[name].column("game_id"), games.combine_chunks())
            at = tables[name].schema.get_field_index("remarks")
            kept = pc.if_else(theirs, pa.scalar(None, pa.string()), tables[name].column(at))
            changed[name] = tables[name].set_column(at, "remarks", kept)
        return changed

    def _forgotten_seats(self, seats: pa.Table) -> npt.NDArray[np.bool_]:
        """Return which rows of table ``seats`` are of forgotten players."""
        named = zip(
            seats.column("player").to_pylist(), seats.column("player_id").to_pylist(), strict=True
        )
        return np.array(
            [
                any(
                    name and not {name, digest(self.key, _PLAYER, name)}.isdisjoint(self.players)
                    for name in pair
                )  # the name itself in a lake that stores names in this form
                for pair in named
            ],
            dtype=bool,
        )


def _without_players(seats: pa.Table, gone: npt.NDArray[np.bool_]) -> pa.Table:
    for column, value in (("player", None), ("player_id", None), ("anonymous", True)):
        index = seats.schema.get_field_index(column)
        kept = seats.column(index).cast(pa.bool_() if value else pa.string())
        changed = pc.if_else(pa.array(gone), pa.scalar(value, kept.type), kept)
        seats = seats.set_column(index, column, changed)
    return seats


def games_called(lake: Lake, name: str) -> list[int]:
    """Return the ids of games with this ``game_id`` or platform id; games with play come first.

    In a lake of hashed names, the original id of the platform is found too. Raises
    :class:`~paifu.errors.LakeError` if that needs a salt that is not there.
    """
    found = _stored_as(lake, name)
    if not found and lake.names == "hash" and (key := lake.salt()):
        found = _stored_as(lake, digest(key, "log_id", name))
    return found


def _stored_as(lake: Lake, name: str) -> list[int]:
    found = lake.connection.execute(
        "SELECT game_id FROM games WHERE log_id = $name OR CAST(game_id AS VARCHAR) = $name "
        "ORDER BY detail, game_id",
        {"name": name},
    ).fetchall()
    return [game_id for (game_id,) in found]


def forget_game(lake: Lake, game_id: int) -> int:
    """Remove a game for good; return how many games were removed (0 or 1).

    A game that the lake does not have is remembered too. See :func:`for_good`.
    """
    key = _key(lake)

    def work(tx: Transaction) -> int:
        (found,) = tx.execute("SELECT count(*) FROM games WHERE game_id = ?", [game_id])[0]
        tx.remove_games([game_id])
        _remember(tx, _GAME, digest(key, _GAME, str(game_id)))
        return int(found)

    return lake.transact(work)


def forget_player(lake: Lake, name: str) -> int:
    """Remove a player's name and account for good; return how many seats had them.

    The games stay, with an anonymous seat, because they are also the other players' games. Excerpts
    of broken logs with the name are removed too, what a reject quotes with it, and the remarks of
    score sheets on games of the player or with the name. See :func:`for_good`.
    """
    key = _key(lake)
    stored = digest(key, "player", name) if lake.names == "hash" else name

    def work(tx: Transaction) -> int:
        for table in ("games", "rounds"):
            tx.update(
                table,
                "NULL AS remarks",
                "remarks IS NOT NULL AND (contains(remarks, ?) OR game_id IN "
                "(SELECT game_id FROM seats WHERE player = ? OR player_id = ?))",
                [name, stored, stored],
            )
        seats = tx.update(
            "seats",
            "NULL AS player, NULL AS player_id, true AS anonymous",
            "player = ? OR player_id = ?",
            [stored, stored],
        )
        tx.update("rejects", "NULL AS excerpt", "contains(excerpt, ?)", [name])
        tx.update(
            "rejects",
            f"regexp_replace(reason, {quoted(QUOTED)}, {quoted(UNQUOTED)}, 'g') AS reason",
            "contains(reason, ?)",
            [repr(name[:_LETTERS])[:-1]],
        )
        _remember(tx, _PLAYER, digest(key, _PLAYER, name))
        return seats

    return lake.transact(work)


def _key(lake: Lake) -> bytes:
    """Return the lake's salt; a lake that has not used a salt yet gets it now."""
    if known := lake.salt():
        return known
    key = salt()
    check = salt_check(key)

    def work(tx: Transaction) -> None:
        tx.execute("DELETE FROM lake_info WHERE key = 'salt_check'")
        tx.execute("INSERT INTO lake_info VALUES ('salt_check', ?)", [check])

    lake.transact(work)
    lake.facts["salt_check"] = check
    return key


def _remember(tx: Transaction, kind: str, value: str) -> None:
    tx.execute("DELETE FROM forgotten WHERE kind = ? AND digest = ?", [kind, value])
    now = datetime.now(UTC).replace(tzinfo=None)
    tx.execute("INSERT INTO forgotten VALUES (?, ?, ?)", [kind, value, now])
    must_purge(tx)


def for_good(lake: Lake, *, kept: timedelta | None = None, now: bool = False) -> datetime | None:
    """Rewrite the files with deleted rows; return when the old files go, None if they are gone.

    The old files are kept for readers for a time that ``kept`` sets for the lake. The next writer
    after that removes them. With ``now`` they are removed as soon as no paifu reads the lake.
    Raises :class:`~paifu.errors.LakeError` as :func:`~paifu.lake.compact.compact` does.
    """
    return compact(lake, kept=kept, now=now).kept_until
