"""From the tokeniser's matrices to a :class:`~paifu.events.Batch`, and what logs say of a game."""

from __future__ import annotations

import binascii
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import numpy as np
import numpy.typing as npt

from paifu.events import Batch, GameInfo
from paifu.importers import mjlog_tags as tags
from paifu.importers.base import Blob
from paifu.importers.mjlog_scan import FINE
from paifu.importers.mjlog_tokenise import (
    EVENTS,
    FROM,
    G_CSRULE,
    G_PLAYERS,
    G_ROUNDS,
    G_STATUS,
    G_TYPE,
    G_UNKNOWN,
    KIND,
    ROUNDS,
    S_DAN,
    S_LOBBY,
    S_NAMES,
    S_OWARI,
    S_RATE,
    S_REF,
    S_SEED,
    S_SEX,
    SEAT,
    STATED,
    TILE,
    TSUMOGIRI,
    WINS,
    YAKU,
    Scanned,
)
from paifu.importers.tenhou import dan_name, find_log_id, game_type, lobby_text, ruleset_of

KEY = "mjlog"


def play_of(scanned: Scanned) -> Batch:
    """Return the batch of every log that was ``FINE``, its ``games`` still to be filled."""
    events, rounds, wins, yaku, stated = (
        int(scanned.counts[row]) for row in (EVENTS, ROUNDS, WINS, YAKU, STATED)
    )
    event, round_, win = scanned.events[:, :events], scanned.rounds[:rounds], scanned.wins[:wins]
    ends = scanned.games[scanned.games[:, G_STATUS] == FINE, G_ROUNDS]

    def of_round(column: int, dtype: type[np.generic], width: int = 0) -> npt.NDArray[np.generic]:
        return _columns(round_, column, dtype, width)

    def of_win(column: int, dtype: type[np.generic], width: int = 0) -> npt.NDArray[np.generic]:
        return _columns(win, column, dtype, width)

    return Batch(
        game_rounds=_offsets(ends),
        round_events=np.append(round_[:, tags.R_EVENTS].astype(np.int64), events),
        round_wind=of_round(tags.R_WIND, np.int8),
        round_number=of_round(tags.R_NUMBER, np.int8),
        round_honba=of_round(tags.R_HONBA, np.int16),
        round_sticks=of_round(tags.R_STICKS, np.int16),
        round_dealer=of_round(tags.R_DEALER, np.int8),
        round_dice=of_round(tags.R_DICE, np.int8, 2),
        round_indicator=of_round(tags.R_INDICATOR, np.int8),
        round_haipai=scanned.haipai[:rounds].copy(),
        round_scores=of_round(tags.R_SCORES, np.int32, 4),
        round_recorded_outcome=of_round(tags.R_OUTCOME, np.int8),
        round_recorded_tenpai=of_round(tags.R_TENPAI, np.int8, 4),
        round_recorded_before=of_round(tags.R_BEFORE, np.int32, 4),
        round_recorded_delta=of_round(tags.R_DELTA, np.int32, 4),
        event_kind=event[KIND].copy(),
        event_seat=event[SEAT].copy(),
        event_tile=event[TILE].copy(),
        event_from=event[FROM].copy(),
        event_tsumogiri=event[TSUMOGIRI].copy(),
        event_consumed=scanned.consumed[:events].copy(),
        stated_event=scanned.stated[:stated, 0].copy(),
        stated_scores=scanned.stated[:stated, 1:].astype(np.int32),
        win_event=of_win(tags.W_EVENT, np.int64),
        win_hand=of_win(tags.W_HAND, np.int8, 14),
        win_fu=of_win(tags.W_FU, np.int16),
        win_han=of_win(tags.W_HAN, np.int16),
        win_yakuman=of_win(tags.W_YAKUMAN, np.int16),
        win_points=of_win(tags.W_POINTS, np.int32),
        win_limit=of_win(tags.W_LIMIT, np.int8),
        win_pao=of_win(tags.W_PAO, np.int8),
        win_honba=of_win(tags.W_HONBA, np.int16),
        win_sticks=of_win(tags.W_STICKS, np.int16),
        win_indicators=of_win(tags.W_INDICATORS, np.int8, 5),
        win_ura=of_win(tags.W_URA, np.int8, 5),
        win_ura_known=np.ones(wins, dtype=np.bool_),
        win_before=of_win(tags.W_BEFORE, np.int32, 4),
        win_delta=of_win(tags.W_DELTA, np.int32, 4),
        win_chips=of_win(tags.W_CHIPS, np.int16),
        win_yaku=_offsets(win[:, tags.W_YAKU_END]),
        yaku_id=scanned.yaku[:yaku, 0].copy(),
        yaku_han=scanned.yaku[:yaku, 1].copy(),
    )


def _columns(
    matrix: npt.NDArray[np.int32], column: int, dtype: type[np.generic], width: int
) -> npt.NDArray[np.generic]:
    part = matrix[:, column : column + width] if width else matrix[:, column]
    return part.astype(dtype)


def _offsets(ends: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), ends.astype(np.int64)])


def game_info(
    blob: Blob,
    text: bytes,
    game: list[int],
    spans: list[list[int]],
    first_scores: list[int],
    shuffles: list[bytes],
) -> GameInfo:
    """Return what one log says about its game.

    ``text`` is the buffer that ``spans`` point into, ``first_scores`` the points before the first
    round, ``shuffles`` the rounds' own shuffle attributes (2009), ``game`` the game's row.
    """
    players = game[G_PLAYERS]
    bits = game[G_TYPE] if game[G_TYPE] >= 0 else None
    log_id = find_log_id(blob.log_id or "") or find_log_id(blob.name)
    if log_id is None and spans[S_REF][1] > spans[S_REF][0]:
        log_id = find_log_id(_ascii(text, spans[S_REF]))
    kind = None if bits is None else game_type(bits)
    lobby = _ascii(text, spans[S_LOBBY]) if spans[S_LOBBY][1] else None
    lobby = lobby_text(lobby) if lobby is not None else log_id.lobby if log_id else None
    final, result, chips = _owari(_ascii(text, spans[S_OWARI]), players)
    seed_kind, seed = _seed(text[slice(*spans[S_SEED])], shuffles)
    dan = _integers(_ascii(text, spans[S_DAN]), players)
    sex = _ascii(text, spans[S_SEX]).split(",")[:players]
    notes = []
    if kind is not None and kind.players != players:
        notes.append("go_type_contradicts_players")
    if game[G_UNKNOWN]:
        notes.append("unknown_tag")
    played_at, precision = blob.played_at, "minute"
    if played_at is None:
        played_at, precision = (log_id.played_at, "hour") if log_id else (None, None)
    return GameInfo(
        players=players,
        platform="tenhou",
        format=KEY,
        log_id=log_id.text if log_id else blob.log_id,
        played_at=played_at,
        played_precision=precision if played_at else None,
        ruleset=ruleset_of(
            players, kind, lobby, custom_rules=bool(game[G_CSRULE]), start=first_scores,
            final=final, result=result,
        ),
        length=kind.length if kind else None,
        aka=kind.aka if kind else None,
        kuitan=kind.kuitan if kind else None,
        fast=kind.fast if kind else None,
        room=kind.room if kind else None,
        lobby=lobby,
        go_type=bits,
        rule_text=kind.rule_text if kind else None,
        names=tuple(
            _name(text[slice(*span)]) for span in spans[S_NAMES : S_NAMES + players]
        ),
        bots=tuple(letter == "C" for letter in sex) if len(sex) == players else (),
        dan=dan,
        dan_names=tuple(dan_name(number) for number in dan),
        rate=_floats(_ascii(text, spans[S_RATE]), players),
        sex=tuple(letter or None for letter in sex) if len(sex) == players else (),
        final_points=final,
        result=result,
        chips=chips,
        shuffle_kind=seed_kind,
        shuffle_seed=seed,
        complete=final is not None,
        notes=notes,
        member=blob.member,
    )  # fmt: skip


def _ascii(text: bytes, span: list[int]) -> str:
    return text[span[0] : span[1]].decode("ascii")


@lru_cache(maxsize=1 << 16)
def _name(encoded: bytes) -> str | None:
    """Return a percent-encoded player's name; an empty one is nobody's."""
    return unquote_to_bytes(encoded).decode("utf-8", "replace") or None


def _integers(text: str, players: int) -> tuple[int | None, ...]:
    try:
        numbers = tuple(int(part) for part in text.split(","))
    except ValueError:
        return ()
    return numbers[:players] if len(numbers) >= players else ()


def _floats(text: str, players: int) -> tuple[float | None, ...]:
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        return ()
    return numbers[:players] if len(numbers) >= players else ()


def _owari(
    text: str, players: int
) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None, tuple[int, ...] | None]:
    """Return final points, results and, in chip lobbies, chips by seat."""
    numbers = _floats(text, 2 * players)
    count = text.count(",") + 1
    if not numbers:
        return None, None, None
    final = tuple(round(100 * number) for number in numbers[0::2] if number is not None)
    result = tuple(number for number in numbers[1::2] if number is not None)
    if count < 4 * players:
        return final, result, None
    tail = text.split(",")[count // 2 :]
    return final, result, tuple(int(float(chips)) for chips in tail[0 : 2 * players : 2])


def _seed(text: bytes, shuffles: list[bytes]) -> tuple[str | None, bytes | None]:
    """Return a shuffle seed's kind and its words.

    A base64 seed is decoded; other seeds stay text. Where each round has its own (2009), they are
    joined by semicolons in the rounds' order.
    """
    seeds = [text] if text else shuffles
    if not seeds:
        return None, None
    kind = seeds[0].partition(b",")[0]
    words = b";".join(seed.partition(b",")[2] for seed in seeds)
    if kind.endswith(b"base64"):
        try:
            words = binascii.a2b_base64(words)
        except binascii.Error:
            return kind.decode("ascii") + "-damaged", words
    return kind.decode("ascii"), words
