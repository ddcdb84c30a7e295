"""Tables ``games``, ``seats`` and ``seeds``: the facts of the log, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from paifu.game.events import Array, Batch, GameInfo
from paifu.game.fingerprint import Identity, list_key
from paifu.replay.game_ends import ENDED_BY, Finals
from paifu.replay.tables import assemble, numbers, words
from paifu.schema.flags import FLAGS

_PROGRAM_SEX = "C"
"""The sex of a program. An anonymous seat has no name, or is a guest (``NoName``) or a program."""


def noted(info: GameInfo) -> list[tuple[int, str]]:
    """Return the reasons that the importer noted, each with its round or -1."""
    found = []
    for note in info.notes:
        reason, _, where = note.partition("@")
        if reason in FLAGS:
            found.append((int(where) if where.isdigit() else -1, reason))
    return found


def _utc(moment: datetime | None) -> datetime | None:
    if moment is None or moment.tzinfo is None:
        return moment
    return moment.astimezone(UTC).replace(tzinfo=None)


def games(
    batch: Batch, source_ids: Array, identity: Identity, ends: Finals, flags: dict[int, list[str]]
) -> pa.Table:
    """Return table ``games``; ``flags`` has the reasons found, by game."""
    infos = batch.games
    rounds = np.diff(batch.game_rounds)

    def text(name: str) -> pa.Array:
        return pa.array([getattr(info, name) for info in infos], pa.string())

    def boolean(name: str) -> pa.Array:
        return pa.array([getattr(info, name) for info in infos], pa.bool_())

    keys = [list_key(i.played_at, i.rule_text, i.names, i.result) for i in infos]
    trail = pa.ListArray.from_arrays(
        pa.array((2 * batch.game_rounds).astype(np.int32)), pa.array(identity.trail.ravel())
    )
    given = {
        "game_id": pa.array(identity.game_id),
        "deal_id": pa.array(identity.deal_id),
        "list_key": pa.array(keys, pa.int64()),
        "source_id": pa.array(np.asarray(source_ids, np.int64)),
        "sha256": pa.array([info.sha256 or None for info in infos], pa.binary()),
        "played_at": pa.array([_utc(info.played_at) for info in infos], pa.timestamp("us")),
        "players": pa.array(ends.players.astype(np.int16)),
        "go_type": _fitting((info.go_type for info in infos), pa.int32()),
        "minutes": _fitting((info.minutes for info in infos), pa.int16()),
        "rounds": pa.array(rounds.astype(np.int16)),
        "ended_by": words(ends.ended_by, pa.array(ENDED_BY)),
        "detail": pa.array(["play"] * len(infos), pa.string()),
        "flags": pa.array([flags.get(g, []) for g in range(len(infos))], pa.list_(pa.string())),
        "trail": trail,
        "opening": pa.Array.from_buffers(
            pa.binary(), len(infos),
            [None, pa.py_buffer(identity.openings), pa.py_buffer(identity.opening)],
        ),
        "plays": pa.array(identity.plays),
        **{name: boolean(name) for name in ("aka", "kuitan", "fast", "complete")},
        **{
            name: text(name)
            for name in (
                "log_id", "platform", "format", "member", "position", "played_precision", "length",
                "ruleset", "game", "room", "lobby",
            )
        },
    }  # fmt: skip
    return assemble("games", None, given)


def _fitting(values: Iterable[int | None], column_type: pa.DataType) -> pa.Array:
    """Return whole numbers as a column; NULL for a number that no log of a real game has."""
    most = 1 << (column_type.bit_width - 1)
    fitting = [v if v is not None and -most <= v < most else None for v in values]
    return pa.array(fitting, column_type)


def _by_seat(infos: list[GameInfo], players: Array, name: str) -> list[Any]:
    """Return a value for each seat that plays; None if the log does not say."""
    out: list[Any] = []
    for info, count in zip(infos, players.tolist(), strict=True):
        values = (getattr(info, name) or ())[:count]
        out.extend(values)
        out.extend([None] * (count - len(values)))
    return out


def _table_rates(infos: list[GameInfo], players: Array) -> list[float | None]:
    """Return the mean rating of each game's seats; None unless every seat has a rating."""
    rates: list[float | None] = []
    for info, count in zip(infos, players.tolist(), strict=True):
        known = [rate for rate in info.rate[:count] if rate is not None]
        rates.append(sum(known) / count if len(known) == count else None)
    return rates


def seats(batch: Batch, game_id: Array, ends: Finals, disconnected: Array) -> pa.Table:
    """Return table ``seats``; ``disconnected`` is int8[G, 4]."""
    infos, players = batch.games, ends.players
    present = np.arange(4) < players[:, None]
    unknown = np.repeat(~ends.known, players)
    names, sex = _by_seat(infos, players, "names"), _by_seat(infos, players, "sex")
    bots, dan = _by_seat(infos, players, "bots"), _by_seat(infos, players, "dan")
    rates = pa.array(_table_rates(infos, players), pa.float64())
    anonymous = [
        not name or name == "NoName" or bool(bot) or letter == _PROGRAM_SEX
        for name, bot, letter in zip(names, bots, sex, strict=True)
    ]
    given = {
        "game_id": pa.array(np.repeat(game_id, players)),
        "seat": pa.array(np.nonzero(present)[1].astype(np.int16)),
        "disconnected": pa.array(disconnected[present] > 0),
        "player": pa.array(names, pa.string()),
        "player_id": pa.array(_by_seat(infos, players, "player_ids"), pa.string()),
        "anonymous": pa.array(anonymous, pa.bool_()),
        "dan": _fitting(dan, pa.int16()),
        "dan_name": pa.array(_by_seat(infos, players, "dan_names"), pa.string()),
        "rate": pa.array(_by_seat(infos, players, "rate"), pa.float64()),
        "table_rate": rates.take(pa.array(np.repeat(np.arange(len(infos)), players))),
        "sex": pa.array(sex, pa.string()),
        "final_points": numbers(ends.points[present], "int32", unknown),
        "final_recorded": pa.array(np.repeat(ends.recorded & ends.known, players)),
        "placement": numbers(ends.placement[present], "int16", unknown),
        "result": pa.array(_by_seat(infos, players, "result"), pa.float64()),
        "chips": _fitting(_by_seat(infos, players, "chips"), pa.int16()),
    }
    return assemble("seats", None, given)


def seeds(batch: Batch, game_id: Array) -> pa.Table:
    """Return table ``seeds``: the games whose log has the seed of the walls."""
    known = [g for g, i in enumerate(batch.games) if i.shuffle_seed is not None]
    infos = [batch.games[game] for game in known]
    given = {
        "game_id": pa.array(game_id[np.array(known, np.int64)]),
        "kind": pa.array([info.shuffle_kind or "" for info in infos], pa.string()),
        "seed": pa.array([info.shuffle_seed for info in infos], pa.binary()),
    }
    return assemble("seeds", None, given)
