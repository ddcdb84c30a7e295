"""Fingerprints of games: a lake stores each game once, by its fingerprint.

Fingerprint v1. Everything is hashed with 64-bit FNV-1a over bytes (``h = (h ^ byte) * prime`` from
the offset basis, modulo 2**64). If several hashes are joined, each is added as 8 little-endian
bytes. An id is the joined hash after the finaliser of splitmix64, read as a signed integer.

- A **tile** is one byte: its code of :mod:`paifu.game.tiles` (kind, or red five); 63 if not given.
- The **deal** of a round: wind, number (0-3), honba as two bytes (low, high), the first dora
  indicator, then for each seat that plays its haipai in ascending order of code.
- The **trail of a seat** in a round, its own draws, calls and discards in order: a draw is the
  tile; a discard 64 + the tile; a call a marker (128 chi, 129 pon, 130 daiminkan, 131 ankan, 132
  kakan, 133 kita) and what identifies it: chi, pon and daiminkan the called tile and then the tiles
  from the hand in ascending order; an ankan its kind; a kakan the added tile; kita nothing.
- A **round**: the deal's hash, then the hash of each playing seat's trail.
- ``deal_id``: the bytes 1 (the version) and the number of players, then the first deal's hash.
- ``game_id``: the bytes 1 and the number of players, then the hash of every round.

It leaves out names, ids, tile copies, scores, the order between seats, riichi declarations, dora
timing, tsumogiri and results, so that a game has the same id in every log format. With 64 bits, the
probability that any two of 10**8 different games have the same id is 0.0003.

**Beginnings of games.** The play of a log that was cut off is the beginning of the play of another
game. :func:`begins` decides this from columns of ``games``: ``trail`` (two numbers per round: the
low 32 bits of the hash of its deal and of the hash of the round), ``opening`` (the trails of the
first round) and ``plays`` (the length of all trails). It is called only for games with the same
``deal_id``, if the shorter game is not complete. A game cut off after its last discard has the same
``game_id`` as the whole game; the complete game is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.game.events import ANKAN, CHI, DAIMINKAN, DISCARD, DRAW, KAKAN, KITA, Array, Batch
from paifu.game.tiles import CODES, KIND_OF
from paifu.game.times import JAPAN
from paifu.kernels.compiling import inner, njit
from paifu.kernels.fnv import BASIS, fold, fold_bytes

VERSION = 1
"""Version of the fingerprint; a change gives every game a new id."""

_BYTE = np.uint64(0xFF)
_UNGIVEN = 63
_DISCARDED = 64
_CALLED = 128
_SEAT_END = 255
_HAND = 13
_LONGEST_PLAY = 5  # marker, called tile and three from the hand
# by code; NO_TILE, -1, indexes the last
_TILE_BYTE = np.append(np.arange(CODES, dtype=np.int64), _UNGIVEN)
_KIND = KIND_OF.astype(np.int64)


@dataclass(slots=True)
class Identity:
    """The fingerprints of a batch's games; ``trail`` is per round, the rest per game."""

    game_id: npt.NDArray[np.int64]
    deal_id: npt.NDArray[np.int64]
    trail: npt.NDArray[np.int32]
    """int32[R, 2]: for each round, the low 32 bits of its deal's hash and of the round's hash."""
    plays: npt.NDArray[np.int32]
    """int32[G]: bytes of all trails of the game."""
    opening: npt.NDArray[np.uint8]
    """The trails of each game's first round, seat after seat; a byte 255 ends each."""
    openings: npt.NDArray[np.int32]
    """int32[G + 1]: where each game's part of ``opening`` begins."""


@inner
def _fold_hash(h: np.uint64, other: np.uint64) -> np.uint64:
    for _ in range(8):
        h = fold(h, other & _BYTE)
        other >>= np.uint64(8)
    return h


@inner
def finished(h: np.uint64) -> np.int64:
    """Return the id that a hash stands for: the finaliser of splitmix64, read as signed."""
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(h ^ (h >> np.uint64(31)))


@inner
def _insert(values: Array, size: int, value: int) -> None:
    """Insert a value into the ascending ``values[:size]``, so that ``values[:size + 1]`` ascend."""
    while size > 0 and values[size - 1] > value:
        values[size] = values[size - 1]
        size -= 1
    values[size] = value


class _Played(NamedTuple):
    """The deals and events of a batch, as :class:`~paifu.game.events.Batch` has them."""

    players: Array
    """int64[G]: 3 or 4."""
    game_rounds: Array
    round_events: Array
    wind: Array
    number: Array
    honba: Array
    indicator: Array
    haipai: Array
    kind: Array
    seat: Array
    tile: Array
    consumed: Array


class _Prints(NamedTuple):
    """The fingerprints of games and rounds, as :class:`Identity` has them."""

    game_id: Array
    deal_id: Array
    trail: Array
    plays: Array


@inner
def _deal_hash(played: _Played, r: int, players: int, hand: Array) -> np.uint64:
    """Return the hash of a round's deal; ``hand`` int64[13] is working space."""
    honba = played.honba[r]
    h = fold(fold(BASIS, played.wind[r]), played.number[r])
    h = fold(fold(h, honba & 255), (honba >> 8) & 255)
    h = fold(h, _TILE_BYTE[played.indicator[r]])
    for seat in range(players):
        for i in range(len(hand)):
            _insert(hand, i, _TILE_BYTE[played.haipai[r, seat, i]])
        for byte in hand:
            h = fold(h, byte)
    return h


@inner
def _play_bytes(kind: int, tile: int, consumed: Array, out: Array) -> int:
    """Write the bytes that an event adds to its seat's trail, and return their number."""
    byte = _TILE_BYTE[tile]
    if kind == DRAW:
        out[0] = byte
        return 1
    if kind == DISCARD:
        out[0] = _DISCARDED + byte
        return 1
    if kind < CHI or kind > KITA:
        return 0
    out[0] = _CALLED + kind - CHI
    if kind == KITA:
        return 1
    if kind == ANKAN:
        out[1] = _KIND[tile] if tile >= 0 else _UNGIVEN
        return 2
    out[1] = byte
    if kind == KAKAN:
        return 2
    count = 3 if kind == DAIMINKAN else 2
    for i in range(count):
        _insert(out[2:], i, _TILE_BYTE[consumed[i]])
    return 2 + count


@inner
def _hash_trails(played: _Played, r: int, hashes: Array, out: Array) -> int:
    """Write the hash of each seat's trail in a round; return the number of bytes of all trails.

    ``out`` int64[5] is room to work in.
    """
    for seat in range(len(hashes)):
        hashes[seat] = BASIS
    total = 0
    for e in range(played.round_events[r], played.round_events[r + 1]):
        seat, kind = played.seat[e], played.kind[e]
        if seat < 0 or kind > KITA:
            continue
        h = hashes[seat]
        if kind <= DISCARD:  # most of them
            h = fold(h, _TILE_BYTE[played.tile[e]] + _DISCARDED * kind)
            total += 1
        else:
            count = _play_bytes(kind, played.tile[e], played.consumed[e], out)
            for i in range(count):
                h = fold(h, out[i])
            total += count
        hashes[seat] = h
    return total


@inner
def _low_half(h: np.uint64) -> np.int32:
    return np.int32(np.int64(h & np.uint64(0xFFFFFFFF)))


@njit
def _identify(played: _Played, prints: _Prints) -> None:
    hashes = np.empty(4, dtype=np.uint64)
    out = np.empty(_LONGEST_PLAY, dtype=np.int64)
    hand = np.empty(_HAND, dtype=np.int64)
    for game in range(len(played.players)):
        players = played.players[game]
        head = fold(fold(BASIS, VERSION), players)
        whole, first_deal = head, head
        total = 0
        for r in range(played.game_rounds[game], played.game_rounds[game + 1]):
            deal = _deal_hash(played, r, players, hand)
            total += _hash_trails(played, r, hashes, out)
            h = _fold_hash(BASIS, deal)
            for seat in range(players):
                h = _fold_hash(h, hashes[seat])
            whole = _fold_hash(whole, h)
            if r == played.game_rounds[game]:
                first_deal = _fold_hash(head, deal)
            prints.trail[r, 0] = _low_half(deal)
            prints.trail[r, 1] = _low_half(h)
        prints.plays[game] = total
        prints.game_id[game] = finished(whole)
        prints.deal_id[game] = finished(first_deal)


@inner
def _write_trail(played: _Played, r: int, seat: int, out: Array, size: int, play: Array) -> int:
    """Write a seat's trail to ``out`` from ``size`` on, and return where it ends there."""
    for e in range(played.round_events[r], played.round_events[r + 1]):
        kind = played.kind[e]
        if played.seat[e] == seat and kind <= KITA:
            for i in range(_play_bytes(kind, played.tile[e], played.consumed[e], play)):
                out[size] = play[i]
                size += 1
    out[size] = _SEAT_END
    return size + 1


@njit
def _write_openings(played: _Played, offsets: Array, out: Array) -> None:
    """Write the trails of every game's first round, seat after seat."""
    size = 0
    play = np.empty(_LONGEST_PLAY, dtype=np.int64)
    for game in range(len(played.players)):
        r = played.game_rounds[game]
        if r < played.game_rounds[game + 1]:
            for seat in range(played.players[game]):
                size = _write_trail(played, r, seat, out, size, play)
        offsets[game + 1] = size


def identify(batch: Batch) -> Identity:
    """Return the fingerprints of every game of a validated batch."""
    count = len(batch.games)
    prints = _Prints(
        game_id=np.empty(count, np.int64),
        deal_id=np.empty(count, np.int64),
        trail=np.empty((len(batch.round_wind), 2), np.int32),
        plays=np.zeros(count, np.int32),
    )
    players = np.array([3 if game.players == 3 else 4 for game in batch.games], dtype=np.int64)
    played = _Played(
        players, batch.game_rounds, batch.round_events, batch.round_wind, batch.round_number,
        batch.round_honba, batch.round_indicator, batch.round_haipai, batch.event_kind,
        batch.event_seat, batch.event_tile, batch.event_consumed,
    )  # fmt: skip
    _identify(played, prints)
    has_round = np.diff(batch.game_rounds) > 0
    first = batch.game_rounds[:-1][has_round]
    most = int((batch.round_events[first + 1] - batch.round_events[first]).sum())
    opening = np.empty(_LONGEST_PLAY * most + 4 * count, np.uint8)
    openings = np.zeros(count + 1, np.int32)
    _write_openings(played, openings, opening)
    return Identity(*prints, opening=opening[: openings[-1]], openings=openings)


def begins(
    shorter: tuple[Sequence[int], bytes, int], longer: tuple[Sequence[int], bytes, int]
) -> bool:
    """Return whether the play of one game is the beginning of the play of another.

    Each is ``(trail, opening, plays)`` as in table ``games``; ``shorter`` is a game that is not
    complete. All its rounds except the last must be rounds of ``longer``, and its last round must
    have the same deal. If its last round is also its first, each seat's trail must also be the
    beginning of that seat's trail in ``longer`` (different games may share a first deal, but hardly
    a first round and a second deal).

    >>> begins(([7, 1, 8, 2], b"", 40), ([7, 1, 8, 5, 9, 3], b"", 90))
    True
    >>> begins(([7, 1], bytes([3, 255, 4, 255]), 2), ([7, 9], bytes([5, 67, 255, 4, 255]), 3))
    False
    """
    trail, opening, plays = shorter
    other_trail, other_opening, other_plays = longer
    known = len(trail) - 1
    if known < 1 or plays > other_plays or list(trail[:known]) != list(other_trail[:known]):
        return False
    if known > 1 or trail[1] == other_trail[1]:
        return True
    seats = opening.split(b"\xff")
    others = other_opening.split(b"\xff")
    return len(seats) == len(others) and all(
        theirs.startswith(ours) for ours, theirs in zip(seats, others, strict=True)
    )


def list_key(
    played_at: datetime | None,
    rule_text: str | None,
    names: Sequence[str | None],
    results: Sequence[float] | None,
) -> int | None:
    """Return the key under which a lobby list's line and the log of its game are the same.

    It hashes what Tenhou's lists contain: the date and hour of the start in Japan (``played_at`` is
    UTC), the rule text, and the names with their results, best result first. It is ``None`` if one
    of them is missing. It must be computed before names are hashed or dropped.

    >>> key = list_key(datetime(2020, 1, 1, 3), "四鳳南喰赤－", ["b", "a"], [-51.0, 51.0])
    >>> key == list_key(datetime(2020, 1, 1, 3, 59), "四鳳南喰赤－", ["a", "b"], [51.0, -51.0])
    True
    """
    if played_at is None or not rule_text or not results or len(names) < len(results):
        return None
    scores = sorted((-round(10 * r), name) for name, r in zip(names, results, strict=False) if name)
    if len(scores) < len(results):
        return None
    try:
        hour = f"{played_at.replace(tzinfo=None) + JAPAN:%Y%m%d%H}"
    except OverflowError:  # the year 10000 in Japan
        return None
    text = "\0".join((hour, rule_text, *(f"{name}\0{-score}" for score, name in scores)))
    return text_hash(text.encode("utf-8", "surrogatepass"))


def text_hash(text: bytes) -> int:
    """Return the id of a text: its FNV-1a hash, finished as a game's.

    A game known only from a list has such an id as ``game_id``: that of the text of its
    ``list_key``, the lobby and the minute of the start.

    >>> text_hash(b"")
    -780787492076525413
    """
    return int(_text_hash(np.frombuffer(text, dtype=np.uint8)))


@njit
def _text_hash(data: Array) -> np.int64:
    return finished(fold_bytes(BASIS, data, 0, len(data)))
