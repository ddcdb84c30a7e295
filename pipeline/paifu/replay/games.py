"""Games and seats: what the log says of them, and how the game ended."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from paifu.events import UNKNOWN, Array, Batch, GameInfo
from paifu.identity import Identity, list_key
from paifu.replay.points import STICK
from paifu.replay.rows import ROUND_EXHAUSTIVE, ROUND_NAGASHI
from paifu.replay.tables import assemble
from paifu.schema import FLAGS

LAST_WIND = {"east": 0, "south": 1, "west": 2, "north": 3}
"""Wind of the last scheduled round, by length of the game."""

TARGET = {3: 40_000, 4: 30_000}
"""Points with which somebody must stand for extra rounds to end."""

DAN_NAMES: tuple[str, ...] = (
    "新人", "9級", "8級", "7級", "6級", "5級", "4級", "3級", "2級", "1級", "初段", "二段", "三段",
    "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位",
)  # fmt: skip
"""Tenhou's ranks, by the code a log gives."""

_PROGRAM_SEX = "C"


def is_anonymous(info: GameInfo, seat: int) -> bool:
    """Tell whether a seat is nobody in particular: no name, a guest, or a program."""
    name = info.names[seat] if seat < len(info.names) else None
    return (
        not name
        or name == "NoName"
        or (seat < len(info.bots) and info.bots[seat])
        or (seat < len(info.sex) and info.sex[seat] == _PROGRAM_SEX)
    )


def scheduled_winds(batch: Batch) -> Array:
    """Return the wind of each game's last scheduled round, int16[G]; -1 where not known."""
    winds = [LAST_WIND.get(info.length or "", -1) for info in batch.games]
    return np.array(winds, dtype=np.int16)


def recorded_finals(batch: Batch) -> Array:
    """Return the final points recorded, int32[G, 4]; ``UNKNOWN`` where not."""
    finals = np.full((len(batch.games), 4), UNKNOWN, np.int32)
    for game, info in enumerate(batch.games):
        if info.final_points is not None:
            points = info.final_points[:4]
            finals[game, : len(points)] = points
    return finals


def _placements(points: Array, players: int) -> list[int]:
    """Return the placement of each seat, ties by seat."""
    order = sorted(range(players), key=lambda seat: (-int(points[seat]), seat))
    return [order.index(seat) + 1 for seat in range(players)]


class Ends:
    """How each game of a batch ended, from its last round."""

    def __init__(self, batch: Batch, rounds: Array, seats: Array, first_row: Array, players: Array):
        """Take the replayed ``rounds`` and ``round_seats`` rows with each round's first row."""
        self.batch, self.rounds, self.seats = batch, rounds, seats
        self.first_row, self.players = first_row, players
        self.scheduled = scheduled_winds(batch)
        self.recorded = recorded_finals(batch)
        self.finals: list[Array | None] = [self._final(game) for game in range(len(batch.games))]

    def last_round(self, game: int) -> int:
        """Return the number of the game's last round in the batch, -1 without one."""
        first, end = self.batch.game_rounds[game], self.batch.game_rounds[game + 1]
        return int(end) - 1 if end > first else -1

    def last_seats(self, game: int) -> Array:
        """Return the rows of the game's last round in ``round_seats``."""
        first = self.first_row[self.last_round(game)]
        return self.seats[first : first + self.players[game]]

    def replayed_final(self, game: int) -> Array | None:
        """Return the last round's points with the sticks left over given to the first."""
        last = self.last_round(game)
        if last < 0 or not self.batch.games[game].complete:
            return None
        points = self.last_seats(game)["points_end"].astype(np.int64)
        first = _placements(points, len(points)).index(1)
        points[first] += STICK * int(self.rounds[last]["sticks_end"])
        return points

    def _final(self, game: int) -> Array | None:
        info = self.batch.games[game]
        if not info.complete:
            return None
        players = int(self.players[game])
        if info.final_points is not None and len(info.final_points) >= players:
            return self.recorded[game, :players]
        return self.replayed_final(game)

    def ended_by(self, game: int) -> str:
        """Return why the game was over, as ``games.ended_by`` has it."""
        if not self.batch.games[game].complete:
            return "broken_off"
        last = self.last_round(game)
        if last < 0:
            return "unknown"
        if not self.batch.games[game].riichi:
            return "last_round"
        rows, row = self.last_seats(game), self.rounds[last]
        players, scheduled = int(self.players[game]), self.scheduled[game]
        if (rows["points_end"] < 0).any():
            return "bust"
        wind, number = self.batch.round_wind[last], self.batch.round_number[last]
        if scheduled < 0 or wind < scheduled:
            return "unknown"
        if wind > scheduled:
            reached = (rows["points_end"] >= TARGET[players]).any()
            return "sudden_death" if reached else "last_round"
        if number < players - 1:
            return "unknown"
        if row["dealer_won"]:
            return "agari_yame"
        drawn = ROUND_EXHAUSTIVE <= row["outcome"] <= ROUND_NAGASHI
        dealer = self.batch.round_dealer[last] % players
        if drawn and rows["tenpai_at_draw"][dealer] == 1:
            return "tenpai_yame"
        return "last_round"

    def contradictions(self, game: int) -> list[str]:
        """Return what the record of the game's end gets wrong, as keys of ``schema.FLAGS``."""
        info = self.batch.games[game]
        found = []
        if info.result is not None and abs(sum(info.result)) > 0.05:
            found.append("result_sum")
        replayed = self.replayed_final(game)
        if (
            replayed is not None
            and info.final_points is not None
            and list(info.final_points[: len(replayed)]) != replayed.tolist()
        ):
            found.append("final_differs")
        if self.last_round(game) < 0:
            found.append("no_rounds")
        return found


def noted(info: GameInfo) -> list[tuple[int, str]]:
    """Return the reasons the importer noted, with the round each belongs to or -1."""
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
    batch: Batch, source_ids: Array, identity: Identity, ends: Ends, flags: dict[int, list[str]]
) -> pa.Table:
    """Return table ``games``; ``flags`` are the reasons found, by game."""
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
        "go_type": pa.array([info.go_type for info in infos], pa.int32()),
        "rounds": pa.array(rounds.astype(np.int16)),
        "ended_by": pa.array([ends.ended_by(game) for game in range(len(infos))], pa.string()),
        "detail": pa.array(["play"] * len(infos), pa.string()),
        "flags": pa.array([flags.get(g, []) for g in range(len(infos))], pa.list_(pa.string())),
        "trail": trail,
        "opening": pa.array(identity.opening, pa.binary()),
        "plays": pa.array(identity.plays),
        **{name: boolean(name) for name in ("aka", "kuitan", "fast", "complete")},
        **{
            name: text(name)
            for name in (
                "log_id", "platform", "format", "member", "position", "played_precision", "length",
                "ruleset", "room", "lobby",
            )
        },
    }  # fmt: skip
    return assemble("games", None, given)


def seats(batch: Batch, game_id: Array, ends: Ends, disconnected: Array) -> pa.Table:
    """Return table ``seats``; ``disconnected`` is int8[G, 4]."""
    rows: dict[str, list[object]] = {name: [] for name in (
        "player", "player_id", "anonymous", "dan", "dan_name", "rate", "table_rate", "sex", "final_points",
        "placement", "result", "chips",
    )}  # fmt: skip
    for game, info in enumerate(batch.games):
        players = int(ends.players[game])
        final = ends.finals[game]
        placements = None if final is None else _placements(final, players)
        tenhou = info.platform == "tenhou"
        rates = [rate for rate in info.rate[:players] if rate is not None]
        table_rate = sum(rates) / players if len(rates) == players else None
        for seat in range(players):
            for name, values in (
                ("player", info.names), ("player_id", info.player_ids), ("rate", info.rate),
                ("sex", info.sex), ("result", info.result), ("chips", info.chips),
                ("final_points", final), ("placement", placements),
            ):  # fmt: skip
                known = values is not None and seat < len(values)
                rows[name].append(values[seat] if known else None)  # type: ignore[index]
            dan = info.dan[seat] if seat < len(info.dan) else None
            named = tenhou and dan is not None and 0 <= dan < len(DAN_NAMES)
            rows["table_rate"].append(table_rate)
            rows["dan"].append(dan)
            rows["dan_name"].append(DAN_NAMES[dan] if named else None)  # type: ignore[index]
            rows["anonymous"].append(is_anonymous(info, seat))
    present = np.arange(4) < ends.players[:, None]
    given = {
        "game_id": pa.array(np.repeat(game_id, ends.players)),
        "seat": pa.array(np.nonzero(present)[1].astype(np.int16)),
        "disconnected": pa.array(disconnected[present] > 0),
        "player": pa.array(rows["player"], pa.string()),
        "player_id": pa.array(rows["player_id"], pa.string()),
        "anonymous": pa.array(rows["anonymous"], pa.bool_()),
        "dan": pa.array(rows["dan"], pa.int16()),
        "dan_name": pa.array(rows["dan_name"], pa.string()),
        "rate": pa.array(rows["rate"], pa.float64()),
        "table_rate": pa.array(rows["table_rate"], pa.float64()),
        "sex": pa.array(rows["sex"], pa.string()),
        "final_points": pa.array(rows["final_points"], pa.int32()),
        "placement": pa.array(rows["placement"], pa.int16()),
        "result": pa.array(rows["result"], pa.float64()),
        "chips": pa.array(rows["chips"], pa.int16()),
    }
    return assemble("seats", None, given)


def seeds(batch: Batch, game_id: Array) -> pa.Table:
    """Return table ``seeds``: the games whose log gives the seed of its walls."""
    known = [g for g, i in enumerate(batch.games) if i.shuffle_seed is not None]
    infos = [batch.games[game] for game in known]
    given = {
        "game_id": pa.array(game_id[np.array(known, np.int64)]),
        "kind": pa.array([info.shuffle_kind or "" for info in infos], pa.string()),
        "seed": pa.array([info.shuffle_seed for info in infos], pa.binary()),
    }
    return assemble("seeds", None, given)
