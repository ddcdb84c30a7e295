"""Makes a ``Batch`` and the facts of games from the tokeniser's matrices."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import numpy as np
import numpy.typing as npt

from paifu.formats.base import Blob
from paifu.formats.mjlog import tags
from paifu.formats.mjlog.elements import (
    EVENTS,
    FROM,
    G_CSRULE,
    G_DAN,
    G_LOBBY,
    G_NAMES,
    G_PLAYERS,
    G_RATE,
    G_REF,
    G_RESULT,
    G_ROUNDS_END,
    G_SEED,
    G_SEX,
    G_STATUS,
    G_TYPE,
    G_UNKNOWN,
    G_WORDS,
    KIND,
    ROUNDS,
    SEAT,
    STATED,
    TILE,
    TSUMOGIRI,
    WINS,
    YAKU,
    Rows,
)
from paifu.formats.mjlog.grammar import FINE
from paifu.formats.tenhou import LogId, dan_names, find_log_id, game_type, lobby_text, ruleset_of
from paifu.game.events import Batch, GameInfo

KEY = "mjlog"
_CHIP_NUMBERS = 12
"""The fewest numbers of an ``owari`` with chips: two of points and two of chips per seat."""


def play_of(rows: Rows) -> Batch:
    """Return the batch of every log that was ``FINE``; the caller fills in its ``games``."""
    events, rounds, wins, yaku, stated = (
        int(rows.counts[output]) for output in (EVENTS, ROUNDS, WINS, YAKU, STATED)
    )
    event, round_, win = rows.events[:, :events], rows.rounds[:rounds], rows.wins[:wins]
    ends = rows.games[rows.games[:, G_STATUS] == FINE, G_ROUNDS_END]

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
        round_haipai=of_round(tags.R_HAIPAI, np.int8, 52).reshape(-1, 4, 13),
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
        event_consumed=rows.consumed[:events].copy(),
        stated_event=rows.stated[:stated, 0].copy(),
        stated_scores=rows.stated[:stated, 1:].astype(np.int32),
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
        win_before=of_win(tags.W_BEFORE, np.int32, 4),
        win_delta=of_win(tags.W_DELTA, np.int32, 4),
        win_chips=of_win(tags.W_CHIPS, np.int16),
        win_yaku=_offsets(win[:, tags.W_YAKU_END]),
        yaku_id=rows.yaku[:yaku, 0].copy(),
        yaku_han=rows.yaku[:yaku, 1].copy(),
    )


def _columns(
    matrix: npt.NDArray[np.int32], column: int, dtype: type[np.generic], width: int
) -> npt.NDArray[np.generic]:
    part = matrix[:, column : column + width] if width else matrix[:, column]
    return part.astype(dtype)


def _offsets(ends: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), ends.astype(np.int64)])


def game_info(
    blob: Blob, text: bytes, words: bytes, game: list[int], start: list[int], shuffles: list[bytes]
) -> GameInfo:
    """Return the facts of a log about its game.

    ``game`` is the game's row; its places are in the buffer ``text`` and in the decoded seeds
    ``words``. ``start`` are the points before the first round, ``shuffles`` the shuffle attributes
    of the rounds (2009).
    """
    players = game[G_PLAYERS]
    bits = game[G_TYPE] if game[G_TYPE] >= 0 else None
    kind = None if bits is None else game_type(bits)
    log_id = _log_id(blob, _at(text, game, G_REF))
    lobby = log_id.lobby if log_id else None
    if given := _at(text, game, G_LOBBY):
        lobby = lobby_text(given.decode("ascii"))
    played_at, precision = _played_at(blob, log_id)
    final, result, chips = _results(game, players)
    seed_kind, seed = _seed(_at(text, game, G_SEED), _at(words, game, G_WORDS), shuffles)
    dan = tuple(game[G_DAN : G_DAN + players]) if game[G_DAN - 1] >= players else ()
    sex, bots = _sexes(_at(text, game, G_SEX), players)
    notes = ["unknown_tag"] if game[G_UNKNOWN] else []
    if kind is not None and kind.players != players:
        notes.append("go_type_contradicts_players")
    return GameInfo(
        players=players,
        platform="tenhou",
        format=KEY,
        log_id=log_id.text if log_id else blob.log_id,
        played_at=played_at,
        played_precision=precision,
        ruleset=ruleset_of(players, kind, lobby, bool(game[G_CSRULE]), start, final, result),
        length=kind.length if kind else None,
        aka=kind.aka if kind else None,
        kuitan=kind.kuitan if kind else None,
        fast=kind.fast if kind else None,
        room=kind.room if kind else None,
        lobby=lobby,
        go_type=bits,
        rule_text=kind.rule_text if kind else None,
        names=tuple(
            [_name(_at(text, game, column)) for column in range(G_NAMES, G_NAMES + 2 * players, 2)]
        ),
        bots=bots,
        dan=dan,
        dan_names=dan_names(dan),
        rate=(
            tuple([rate / 100 for rate in game[G_RATE : G_RATE + players]])
            if game[G_RATE - 1] >= players
            else ()
        ),
        sex=sex,
        final_points=final,
        result=result,
        chips=chips,
        shuffle_kind=seed_kind,
        shuffle_seed=seed,
        complete=final is not None,
        notes=notes,
        member=blob.member,
        position="byte 0",
    )


def _at(text: bytes, game: list[int], column: int) -> bytes:
    """Return the text whose place is in two columns of a game's row."""
    return text[game[column] : game[column + 1]]


def _log_id(blob: Blob, ref: bytes) -> LogId | None:
    """Return the log's id: from its container, else from its file name, else its own ``ref``."""
    for text in (blob.log_id, blob.name, ref.decode("ascii")):
        if text and (log_id := find_log_id(text)):
            return log_id
    return None


def _played_at(blob: Blob, log_id: LogId | None) -> tuple[datetime | None, str | None]:
    if blob.played_at is not None:
        return blob.played_at, "minute"
    return (log_id.played_at, "hour") if log_id else (None, None)


@lru_cache(maxsize=1 << 16)
def _name(encoded: bytes) -> str | None:
    """Return a percent-encoded player's name; None if it is empty."""
    return unquote_to_bytes(encoded).decode("utf-8", "replace") or None


@lru_cache(maxsize=1 << 10)
def _sexes(text: bytes, players: int) -> tuple[tuple[str | None, ...], tuple[bool, ...]]:
    """Return the sexes by seat, and which seats are programs (``C``)."""
    letters = text.decode("ascii").split(",")[:players]
    if len(letters) < players:
        return (), ()
    return tuple(letter or None for letter in letters), tuple(letter == "C" for letter in letters)


def _results(
    game: list[int], players: int
) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None, tuple[int, ...] | None]:
    """Return final points, results and, in chip lobbies, chips by seat."""
    count = game[G_RESULT - 1]
    if count < 2 * players:
        return None, None, None
    numbers = game[G_RESULT : G_RESULT + count]
    final = tuple([10 * points for points in numbers[0 : 2 * players : 2]])
    result = tuple([points / 10 for points in numbers[1 : 2 * players : 2]])
    if count < _CHIP_NUMBERS:
        return final, result, None
    half = numbers[count // 2 :]
    return final, result, tuple([chips // 10 for chips in half[0 : 2 * players : 2]])


def _seed(text: bytes, words: bytes, shuffles: list[bytes]) -> tuple[str | None, bytes | None]:
    """Return a shuffle seed's kind and its words.

    Seeds other than base64 stay text. If each round has its own seed (2009), the seeds are joined
    by semicolons in the order of the rounds. A seed that should be base64 and is not has the kind
    ``…-damaged``.
    """
    if words:
        return text[: text.index(b",")].decode("ascii"), words
    seeds = [text] if text else shuffles
    if not seeds:
        return None, None
    kind = seeds[0].partition(b",")[0].decode("ascii")
    rest = b";".join([seed.partition(b",")[2] for seed in seeds])
    return (f"{kind}-damaged" if kind.endswith("base64") else kind), rest
