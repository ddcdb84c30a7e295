"""Batches of games as events: every importer produces them, and replay reads nothing else.

A :class:`Batch` holds many games as arrays (struct of arrays). Games have rounds and rounds have
events, by offsets: game ``g`` has the rounds ``game_rounds[g]:game_rounds[g + 1]``, round ``r`` the
events ``round_events[r]:round_events[r + 1]``, in the order in which they happened at the table.

Tiles are codes of ``tiles``. Seats are 0-3 and seat 0 is the first dealer; a three-player game has
no seat 3. Points are in full (25000). A value that a log does not give is ``NO_TILE`` / ``NO_SEAT``
(-1) or ``UNKNOWN``. Two kinds of facts are kept apart and never mixed: what *happened* (deals,
draws, discards, calls, declarations), from which replay and the rules engine compute everything,
and what the log *recorded* about it (``recorded_…``: yaku, fu, payments, outcomes).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import CODES, NO_TILE

Array = npt.NDArray[Any]

NO_SEAT = -1
UNKNOWN = -(2**31)
"""A number that the log does not give."""

# --- kinds of event -----------------------------------------------------------------------------
DRAW = 0
"""``seat`` draws ``tile`` from the live wall, or from the dead wall after a kan or kita."""
DISCARD = 1
"""``seat`` discards ``tile``; ``tsumogiri``: 1 the tile just drawn, 0 from the hand, -1 unknown."""
CHI = 2
PON = 3
DAIMINKAN = 4
"""Calls: ``seat`` takes ``tile`` from ``from_seat`` and melds it with ``consumed``."""
ANKAN = 5
"""``seat`` melds ``tile`` and the three ``consumed``, all from the hand."""
KAKAN = 6
"""``seat`` adds ``tile`` to a pon; ``consumed`` are the pon's three tiles, if known."""
KITA = 7
"""``seat`` sets aside ``tile``, a north (three players)."""
RIICHI = 8
"""``seat`` declares riichi; the next event of the seat is the declaration discard. ``tsumogiri`` is
1 if it shows its hand (open riichi), 0 if not, -1 if unknown."""
RIICHI_ACCEPTED = 9
"""The declaration tile passed; ``seat`` pays the stick."""
DORA = 10
"""``tile`` is turned up as a new dora indicator; ``seat`` is -1."""
WIN = 11
"""``seat`` wins on ``tile``, by tsumo if ``from_seat`` is ``seat``; one row of ``win_*`` each."""
RYUUKYOKU = 12
"""The round ends without a win; ``seat`` is the seat that declared kyuushu kyuuhai, or -1."""
DISCONNECT = 13
RECONNECT = 14
EVENT_KINDS = 15

# --- recorded outcomes of a round without a win -------------------------------------------------
OUTCOMES: tuple[str, ...] = (
    "win", "exhaustive", "nagashi", "kyuushu", "suufon", "suucha", "suukan", "sanchahou", "unknown",
)  # fmt: skip
"""Text of each ``round_recorded_outcome``; it is also ``unknown`` if the log breaks off."""
(
    OUTCOME_WIN, OUTCOME_EXHAUSTIVE, OUTCOME_NAGASHI, OUTCOME_KYUUSHU, OUTCOME_SUUFON,
    OUTCOME_SUUCHA, OUTCOME_SUUKAN, OUTCOME_SANCHAHOU, OUTCOME_UNKNOWN,
) = range(9)  # fmt: skip

# --- recorded limits ----------------------------------------------------------------------------
LIMITS: tuple[str, ...] = ("none", "mangan", "haneman", "baiman", "sanbaiman", "kazoe", "yakuman")
(
    LIMIT_NONE, LIMIT_MANGAN, LIMIT_HANEMAN, LIMIT_BAIMAN, LIMIT_SANBAIMAN, LIMIT_KAZOE,
    LIMIT_YAKUMAN,
) = range(7)  # fmt: skip


@dataclass(slots=True)
class GameInfo:
    """What a log says about a game apart from its play; ``None`` if the log does not say it."""

    players: int
    platform: str = "unknown"
    """``tenhou``, ``majsoul``, ``mjai``, ``majiang``, ``mleague`` … : where it was played."""
    format: str = "unknown"
    """The importer's key: ``mjlog``, ``tenhou_json``, ``mjai``, ``majsoul``, ``majiang``, …"""
    log_id: str | None = None
    played_at: datetime | None = None
    """UTC, without a zone."""
    played_precision: str | None = None
    """``second``, ``minute``, ``hour`` or ``day``."""
    minutes: int | None = None
    """How long the game took."""
    ruleset: str = "tenhou-4p"
    """The rule set that the record names, as a preset."""
    game: str | None = None
    """The game, if it is not riichi."""
    riichi: bool = True
    """Whether the game is riichi, with its wall, its dora and its forms of a hand."""
    length: str | None = None
    """``east``, ``south`` or another length of the platform."""
    aka: bool | None = None
    kuitan: bool | None = None
    fast: bool | None = None
    room: str | None = None
    lobby: str | None = None
    go_type: int | None = None
    rule_text: str | None = None
    """The rule text as in Tenhou's lobby lists, ``四鳳南喰赤－``, if known."""
    names: tuple[str | None, ...] = ()
    player_ids: tuple[str | None, ...] = ()
    bots: tuple[bool, ...] = ()
    dan: tuple[int | None, ...] = ()
    dan_names: tuple[str | None, ...] = ()
    """The platform's names of those ranks."""
    rate: tuple[float | None, ...] = ()
    sex: tuple[str | None, ...] = ()
    final_points: tuple[int, ...] | None = None
    """As recorded, points by seat."""
    result: tuple[float, ...] | None = None
    """As recorded, with uma and oka, in thousands."""
    chips: tuple[int, ...] | None = None
    shuffle_kind: str | None = None
    """The seed's own prefix: ``mt19937ar-sha512-n288-base64``, ``mt19937ar-sha512-n288``, …"""
    shuffle_seed: bytes | None = None
    """The seed's words: decoded base64, or the text after the prefix if it is not base64."""
    complete: bool = True
    """The log reaches the end of the game."""
    notes: list[str] = field(default_factory=list)
    """Flags set by the importer, as keys of ``schema.FLAGS``, with ``@round`` appended if they
    belong to one round: ``go_type_contradicts_players``, ``unknown_tag``."""
    member: str = ""
    """Path of the log within its source, ``""`` if the source is the log."""
    position: str = ""
    """Where the log starts: ``byte 1234``, ``line 3``, ``$[4]``."""
    sha256: bytes = b""
    """SHA-256 of the log's decompressed bytes."""


def _empty(dtype: type[np.generic], *shape: int) -> Any:
    return field(default_factory=lambda: np.empty((0, *shape), dtype=dtype))


@dataclass(slots=True)
class Batch:
    """Games as arrays. ``G`` games, ``R`` rounds, ``E`` events, ``W`` wins, ``Y`` yaku of wins."""

    games: list[GameInfo] = field(default_factory=list)
    game_rounds: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    """int64[G + 1]"""

    # rounds: what happened
    round_events: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    """int64[R + 1]"""
    round_wind: Array = _empty(np.int8)
    """int8[R]: 0 east, 1 south, 2 west, 3 north."""
    round_number: Array = _empty(np.int8)
    """int8[R]: 0-3 (0-2 with three players); the dealer's seat."""
    round_honba: Array = _empty(np.int16)
    round_sticks: Array = _empty(np.int16)
    """int16[R]: riichi sticks on the table at the start."""
    round_dealer: Array = _empty(np.int8)
    round_dice: Array = _empty(np.int8, 2)
    """int8[R, 2]: 0-5 each, -1 unknown."""
    round_indicator: Array = _empty(np.int8)
    """int8[R]: the first dora indicator."""
    round_haipai: Array = _empty(np.int8, 4, 13)
    """int8[R, 4, 13]: each seat's deal in the log's order; ``NO_TILE`` for an empty seat."""
    round_scores: Array = _empty(np.int32, 4)
    """int32[R, 4]: points at the start."""

    # rounds: what was recorded of their end
    round_recorded_outcome: Array = _empty(np.int8)
    """int8[R]: index into ``OUTCOMES``."""
    round_recorded_tenpai: Array = _empty(np.int8, 4)
    """int8[R, 4]: 1 the seat showed its hand at the draw, 0 not, -1 not said."""
    round_recorded_before: Array = _empty(np.int32, 4)
    """int32[R, 4]: at a draw, points before its payments (sticks already paid), or ``UNKNOWN``."""
    round_recorded_delta: Array = _empty(np.int32, 4)
    """int32[R, 4]: at a draw, its payments, or ``UNKNOWN``."""

    # events
    event_kind: Array = _empty(np.int8)
    event_seat: Array = _empty(np.int8)
    event_tile: Array = _empty(np.int8)
    event_from: Array = _empty(np.int8)
    event_tsumogiri: Array = _empty(np.int8)
    event_consumed: Array = _empty(np.int8, 3)
    """int8[E, 3]: tiles from the hand, padded with ``NO_TILE``."""

    # points the log states after an accepted riichi (mjlog ``REACH ten``), checked by replay
    stated_event: Array = _empty(np.int64)
    """int64[S]: index of the ``RIICHI_ACCEPTED`` event, rising."""
    stated_scores: Array = _empty(np.int32, 4)

    # wins as recorded, in the order of the ``WIN`` events
    win_event: Array = _empty(np.int64)
    """int64[W]: index of the ``WIN`` event, rising."""
    win_hand: Array = _empty(np.int8, 14)
    """int8[W, 14]: concealed tiles with the winning tile, or all ``NO_TILE`` where not shown."""
    win_fu: Array = _empty(np.int16)
    """int16[W]: -1 if not recorded, as in ``win_han``."""
    win_han: Array = _empty(np.int16)
    """int16[W]: han with dora, for a win that is not a yakuman."""
    win_yakuman: Array = _empty(np.int16)
    """int16[W]: how many yakuman (0 without, also for a counted yakuman), -1 not recorded."""
    win_points: Array = _empty(np.int32)
    """int32[W]: without honba and sticks, or ``UNKNOWN``."""
    win_limit: Array = _empty(np.int8)
    """int8[W]: index into ``LIMITS``, -1 not recorded."""
    win_pao: Array = _empty(np.int8)
    win_honba: Array = _empty(np.int16)
    """int16[W]: honba and sticks as listed with the win, -1 not recorded."""
    win_sticks: Array = _empty(np.int16)
    win_indicators: Array = _empty(np.int8, 5)
    """int8[W, 5]: dora indicators as recorded, ``NO_TILE`` padded."""
    win_ura: Array = _empty(np.int8, 5)
    win_before: Array = _empty(np.int32, 4)
    """int32[W, 4]: points before the win's payments, or ``UNKNOWN``."""
    win_delta: Array = _empty(np.int32, 4)
    """int32[W, 4]: payments with honba and sticks, or ``UNKNOWN``."""
    win_chips: Array = _empty(np.int16)
    """int16[W]: chips the winner gets from each payer, -1 not recorded."""
    win_yaku: Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    """int64[W + 1]: offsets into ``yaku_id``; a win without recorded yaku has no entries."""
    yaku_id: Array = _empty(np.int16)
    """int16[Y]: index into ``schema.YAKU``."""
    yaku_han: Array = _empty(np.int16)
    """int16[Y]: han as recorded; 13 for each yakuman, 26 for a double yakuman."""

    def validate(self) -> None:
        """Check shapes, offsets and ranges, so that kernels can index without further checks.

        Raises ``ValueError`` with the name of the field. If a batch fails this check, the importer
        has a bug. A strange *log* passes, because the importer has checked every value of it.
        """
        rounds, events = len(self.round_wind), len(self.event_kind)
        wins, yaku = len(self.win_event), len(self.yaku_id)
        for offsets, count, total in (
            ("game_rounds", len(self.games), rounds),
            ("round_events", rounds, events),
            ("win_yaku", wins, yaku),
        ):
            values = getattr(self, offsets)
            if (
                values.shape != (count + 1,)
                or values[0] != 0
                or values[-1] != total
                or (np.diff(values) < 0).any()
            ):
                raise ValueError(f"{offsets} are not rising offsets of {count} spans over {total}")
        template = Batch()
        for prefix, count in (
            ("round_", rounds),
            ("event_", events),
            ("win_", wins),
            ("yaku_", yaku),
        ):
            for spec in fields(self):
                if not spec.name.startswith(prefix) or spec.name in ("round_events", "win_yaku"):
                    continue
                values, expected = getattr(self, spec.name), getattr(template, spec.name)
                if values.dtype != expected.dtype or values.shape != (count, *expected.shape[1:]):
                    raise ValueError(
                        f"{spec.name} is {values.dtype}{list(values.shape)}, "
                        f"not {expected.dtype}{[count, *expected.shape[1:]]}"
                    )
        for name, low, high in (
            ("round_wind", 0, 3), ("round_number", 0, 3), ("round_dealer", 0, 3),
            ("round_dice", -1, 5), ("round_indicator", NO_TILE, CODES - 1),
            ("round_haipai", NO_TILE, CODES - 1), ("round_recorded_outcome", 0, len(OUTCOMES) - 1),
            ("event_kind", 0, EVENT_KINDS - 1), ("event_seat", NO_SEAT, 3),
            ("event_from", NO_SEAT, 3), ("event_tile", NO_TILE, CODES - 1),
            ("event_consumed", NO_TILE, CODES - 1), ("win_hand", NO_TILE, CODES - 1),
            ("win_indicators", NO_TILE, CODES - 1), ("win_ura", NO_TILE, CODES - 1),
            ("win_limit", -1, len(LIMITS) - 1), ("win_pao", NO_SEAT, 3),
        ):  # fmt: skip
            values = getattr(self, name)
            if values.size and (values.min() < low or values.max() > high):
                raise ValueError(f"{name} leaves {low}..{high}")
        won = np.flatnonzero(self.event_kind == WIN)
        if not np.array_equal(won, self.win_event):
            raise ValueError("win_event does not list the WIN events")
        if len(self.stated_event) and (
            self.stated_event.min() < 0 or self.stated_event.max() >= max(events, 1)
        ):
            raise ValueError("stated_event leaves the events")


_OFFSETS = {"game_rounds": "round_wind", "round_events": "event_kind", "win_yaku": "yaku_id"}
_INDICES = {"stated_event": "event_kind", "win_event": "event_kind"}


def concat(batches: list[Batch]) -> Batch:
    """Return one batch with the games of all, in order."""
    joined = Batch()
    for spec in fields(Batch):
        name = spec.name
        if name == "games":
            joined.games = [game for batch in batches for game in batch.games]
            continue
        shift, parts = 0, []
        for batch in batches:
            values = getattr(batch, name)
            if name in _OFFSETS:
                parts.append(values[1:] + shift)
                shift += len(getattr(batch, _OFFSETS[name]))
            elif name in _INDICES:
                parts.append(values + shift)
                shift += len(getattr(batch, _INDICES[name]))
            else:
                parts.append(values)
        head = [np.zeros(1, dtype=np.int64)] if name in _OFFSETS else [getattr(Batch(), name)]
        setattr(joined, name, np.concatenate(head + parts))
    return joined


def select(batch: Batch, keep: npt.NDArray[np.bool_]) -> Batch:
    """Return a batch with the games for which ``keep`` (bool[G]) is true, in order."""
    rounds = np.repeat(keep, np.diff(batch.game_rounds))
    events = np.repeat(rounds, np.diff(batch.round_events))
    wins, stated = events[batch.win_event], events[batch.stated_event]
    yaku = np.repeat(wins, np.diff(batch.win_yaku))
    masks = {"round_": rounds, "event_": events, "win_": wins, "yaku_": yaku, "stated_": stated}
    position = np.cumsum(events) - 1
    chosen = Batch(games=[game for game, kept in zip(batch.games, keep, strict=True) if kept])
    for spec in fields(Batch):
        name = spec.name
        mask = next((masks[prefix] for prefix in masks if name.startswith(prefix)), None)
        if name in _INDICES:
            setattr(chosen, name, position[getattr(batch, name)[mask]])
        elif name not in _OFFSETS and mask is not None:
            setattr(chosen, name, getattr(batch, name)[mask])
    for name, mask in (("game_rounds", keep), ("round_events", rounds), ("win_yaku", wins)):
        lengths = np.diff(getattr(batch, name))[mask]
        setattr(chosen, name, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]))
    return chosen
