"""Tables ``games``, ``seats`` and ``seeds``: the facts of the log, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa

from paifu.game.events import Array, Batch, GameInfo
from paifu.game.fingerprint import Identity, list_key
from paifu.replay.game_ends import ENDED_BY, Finals
from paifu.replay.tables import assemble, numbers, words
from paifu.schema.flags import FLAGS

_SAID = dict.fromkeys(
    (
        "log_id", "platform", "format", "member", "position", "played_precision", "length",
        "ruleset", "game", "room", "lobby",
    ),
    pa.string(),
) | dict.fromkeys(("aka", "kuitan", "fast", "complete"), pa.bool_())  # fmt: skip
"""Columns of ``games`` that are what the log says, and their types."""
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
    played_at, go_types, minutes, *said = _facts(infos, ("played_at", "go_type", "minutes", *_SAID))
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
        "played_at": pa.array([_utc(moment) for moment in played_at], pa.timestamp("us")),
        "players": pa.array(ends.players.astype(np.int16)),
        "go_type": _fitting(go_types, pa.int32()),
        "minutes": _fitting(minutes, pa.int16()),
        "rounds": pa.array(rounds.astype(np.int16)),
        "ended_by": words(ends.ended_by, pa.array(ENDED_BY)),
        "detail": pa.array(["play"] * len(infos), pa.string()),
        "flags": pa.array([flags.get(g, []) for g in range(len(infos))], pa.list_(pa.string())),
        "remarks": pa.nulls(len(infos), pa.string()),
        "trail": trail,
        "opening": pa.Array.from_buffers(
            pa.binary(), len(infos),
            [None, pa.py_buffer(identity.openings), pa.py_buffer(identity.opening)],
        ),
        "plays": pa.array(identity.plays),
        **{
            name: pa.array(values, column_type)
            for (name, column_type), values in zip(_SAID.items(), said, strict=True)
        },
    }  # fmt: skip
    return assemble("games", None, given)


def _facts(infos: list[GameInfo], names: Iterable[str]) -> list[Sequence[Any]]:
    """Return, for each name of a fact, its values by game."""
    names = tuple(names)
    return [*zip(*map(attrgetter(*names), infos), strict=True)] or [()] * len(names)


def _fitting(values: Sequence[int | None], column_type: pa.DataType) -> pa.Array:
    """Return whole numbers as a column; NULL for a number that no log of a real game has."""
    try:
        return pa.array(values, column_type)
    except (OverflowError, pa.ArrowInvalid):
        most = 1 << (column_type.bit_width - 1)
        fitting = [v if v is not None and -most <= v < most else None for v in values]
        return pa.array(fitting, column_type)


def _by_seat(values: Sequence[Sequence[Any] | None], players: list[int]) -> list[Any]:
    """Return a value for each seat that plays, from those by game.

    None if the log does not say.
    """
    told: list[Sequence[Any]] = [value or () for value in values]
    if not any(told):
        return [None] * sum(players)
    if [*map(len, told)] != players:
        told = [
            [*value[:count], *[None] * (count - len(value))]
            for value, count in zip(told, players, strict=True)
        ]
    return [*chain.from_iterable(told)]


def _table_rates(rates: list[float | None], present: Array) -> pa.Array:
    """Return for each seat the mean rating of its game; NULL unless every seat has a rating."""
    by_seat = np.zeros((len(present), 4))
    by_seat[present] = np.array(rates, np.float64)  # None becomes NaN
    players = present.sum(axis=1)
    first, second, third, fourth = by_seat.T
    means = np.repeat((first + second + third + fourth) / players, players)
    return numbers(means, "double", np.isnan(means))


def seats(batch: Batch, game_id: Array, ends: Finals, disconnected: Array) -> pa.Table:
    """Return table ``seats``; ``disconnected`` is int8[G, 4]."""
    infos, players = batch.games, ends.players
    present = np.arange(4) < players[:, None]
    unknown = np.repeat(~ends.known, players)
    names, sex, bots, dan, ids, dan_names, rates, results, chips = (
        _by_seat(values, players.tolist())
        for values in _facts(
            infos,
            ("names", "sex", "bots", "dan", "player_ids", "dan_names", "rate", "result", "chips"),
        )
    )
    anonymous = [
        not name or name == "NoName" or bool(bot) or letter == _PROGRAM_SEX
        for name, bot, letter in zip(names, bots, sex, strict=True)
    ]
    given = {
        "game_id": pa.array(np.repeat(game_id, players)),
        "seat": pa.array(np.nonzero(present)[1].astype(np.int16)),
        "disconnected": pa.array(disconnected[present] > 0),
        "player": pa.array(names, pa.string()),
        "player_id": pa.array(ids, pa.string()),
        "anonymous": pa.array(anonymous, pa.bool_()),
        "dan": _fitting(dan, pa.int16()),
        "dan_name": pa.array(dan_names, pa.string()),
        "rate": pa.array(rates, pa.float64()),
        "table_rate": _table_rates(rates, present),
        "sex": pa.array(sex, pa.string()),
        "final_points": numbers(ends.points[present], "int32", unknown),
        "final_recorded": pa.array(np.repeat(ends.recorded & ends.known, players)),
        "placement": numbers(ends.placement[present], "int16", unknown),
        "result": pa.array(results, pa.float64()),
        "chips": _fitting(chips, pa.int16()),
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
