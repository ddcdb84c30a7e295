"""Reads the rounds of many tenhou.net/6 games at once, by kernels, from the games' bytes.

This is the quick way, for games as programs write them.
:mod:`paifu.formats.tenhou_json.parsed_round` reads an unusual game or says what is wrong with it:
numbers with a point, lists too long, unknown texts, lists that fit no order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import orjson

from paifu.formats.batch_rows import Rows
from paifu.formats.json.columns import NO_NODE, Columns, Reader
from paifu.formats.json.memo import SPECIAL, TextMemo
from paifu.formats.tenhou_json.acts import TILES, token
from paifu.formats.tenhou_json.game_info import Course
from paifu.formats.tenhou_json.parsed_round import (
    DISCARDS_AT,
    DRAWS_AT,
    HAIPAI_AT,
    LISTS_3P,
    LISTS_4P,
    MAX_ROUNDS,
    MOST,
    value_columns,
)
from paifu.formats.tenhou_json.result import (
    NOTHING_PAID,
    YAKUMAN_HAN,
    read_outcome,
    read_value,
    read_yaku,
)
from paifu.formats.tenhou_json.round_columns import INDICATORS, Rounds, Wins, played
from paifu.game.events import OUTCOME_EXHAUSTIVE, OUTCOME_WIN, UNKNOWN, Array
from paifu.game.tiles import NO_TILE

_SEATS = 4
_MOST_ACTS, _MOST_WINS, _MOST_TEXTS = 64, 3, 64
"""The most acts of a seat in a round, winners of a tile and texts of a win that are read here."""
_TILE_OF = np.full(64, SPECIAL, dtype=np.int64)
_TILE_OF[list(TILES)] = list(TILES.values())
_LOW = 8
"""Added to each packed number, so that no number is negative."""
_VALUE_BITS, _YAKU_BITS = (10, 10, 5, 17, 17, 4), (12, 11, 4)
_IS_VALUE = 1


class Game(NamedTuple):
    """A game whose rounds are in ``rows`` from ``first`` up to and not including ``last``."""

    frame: dict[str, Any]
    """The object without its rounds."""
    course: Course
    rows: Rows
    first: int
    last: int


def scan(texts: Sequence[bytes]) -> list[Game | None]:
    """Return the game of each text; None for a text that must be read another way."""
    sizes = np.array([len(text) for text in texts])
    ends = (sizes + 1).cumsum() - 1
    columns = Columns(b"\n".join(texts), ends - sizes, ends)
    fields, _ = columns.fields(columns.roots, ("log",))
    logs = fields[:, 0]
    nodes, counts = columns.elements(logs, MAX_ROUNDS)
    good = (counts >= 1) & (counts <= MAX_ROUNDS)
    there = (nodes >= 0) & good[:, None]
    game_of = np.nonzero(there)[0]
    reader = _Reader(columns, len(game_of))
    rounds = reader.rounds(nodes[there])
    reader.expect(rounds.players == rounds.players[np.searchsorted(game_of, game_of)])
    good[game_of[~reader.usual]] = False
    kept = good[game_of]
    rounds, game_of = _chosen(rounds, kept), game_of[kept]
    rows, events = played(rounds)
    good[game_of[events < 0]] = False
    spans = pairwise(np.searchsorted(game_of, np.arange(len(texts) + 1)).tolist())
    heads, scores, players = (
        column.tolist() for column in (rounds.heads, rounds.scores, rounds.players)
    )
    return [
        Game(
            _without_rounds(columns, log, text, end),
            Course(players[first], heads[first], heads[last - 1], scores[first]),
            rows, first, last,
        )
        if known
        else None
        for known, log, text, end, (first, last) in zip(
            good.tolist(), logs.tolist(), texts, ends.tolist(), spans, strict=True
        )
    ]  # fmt: skip


def _without_rounds(columns: Columns, log: int, text: bytes, end: int) -> dict[str, Any]:
    begin = end - len(text)
    start = int(columns.nodes.starts[log]) - begin
    stop = int(columns.nodes.stops[log]) - begin
    frame: dict[str, Any] = orjson.loads(text[: start + 1] + text[stop - 1 :])
    return frame


class _Reader(Reader):
    """Reads rounds, or wins."""

    def tiles(self, lists: Array, most: int) -> Array:
        """Return lists of tiles as codes, filled up with ``NO_TILE``."""
        nodes, counts = self.columns.elements(lists, most)
        codes = _TILE_OF[np.clip(self.columns.wholes(nodes), 0, len(_TILE_OF) - 1)]
        self.expect((counts >= 0) & (counts <= most))
        self.expect((codes >= 0) | (nodes == NO_NODE))
        return np.where(nodes == NO_NODE, NO_TILE, codes)

    def rounds(self, nodes: Array) -> Rounds:
        """Return rounds."""
        lists, count = self.columns.elements(nodes, LISTS_4P)
        self.expect((count == LISTS_3P) | (count == LISTS_4P))
        _, fourth = self.columns.elements(lists[:, HAIPAI_AT + 9], 0)
        players = np.where((count == LISTS_3P) | (fourth == 0), 3, 4)
        seated = np.arange(_SEATS) < players[:, None]
        heads, scores = self.numbers(lists[:, 0], 3), self.numbers(lists[:, 1], 4)
        self.expect((heads >= 0) & (heads <= (15, MOST, MOST)))
        self.expect(heads[:, 0] % 4 < players)
        indicators, ura = (self.tiles(lists[:, at], INDICATORS) for at in (2, 3))
        haipai = self._haipai(lists[:, HAIPAI_AT:-1:3], seated)
        acts = self._acts(lists, seated)
        results = lists[np.arange(len(lists)), count.clip(1, LISTS_4P) - 1]
        outcome, tenpai, delta, wins = self._results(results, seated)
        return Rounds(
            players, heads, scores, indicators, ura, haipai, *acts, outcome, tenpai, delta, wins
        )

    def _haipai(self, lists: Array, seated: Array) -> Array:
        hands = np.full((*lists.shape, 13), NO_TILE)
        for seat in range(_SEATS):
            here = seated[:, seat]
            reader = _Reader(self.columns, int(here.sum()))
            hands[here, seat] = reader.tiles(lists[here, seat], 13)
            self.usual[here] &= reader.usual
        return hands.reshape(len(lists), _SEATS * 13)

    def _acts(self, lists: Array, seated: Array) -> tuple[Array, Array, Array]:
        """Return tokens, and where each seat's draws and discards begin and end among them."""
        tokens: list[Array] = []
        starts, stops = np.empty((2, len(lists), 2 * _SEATS), dtype=np.int64)
        done = 0
        for at, memo in ((DRAWS_AT, _DRAWS), (DISCARDS_AT, _DISCARDS)):
            of_seats = np.where(seated, lists[:, at::3], NO_NODE).ravel()
            nodes, counts = self.columns.elements(of_seats, _MOST_ACTS)
            self.expect(((counts >= 0) & (counts <= _MOST_ACTS)) | ~seated.ravel())
            meanings = self.columns.meanings(memo, nodes, 0)
            self.expect(meanings >= 0)
            tokens.append(meanings[nodes != NO_NODE])
            lengths = counts.clip(0, _MOST_ACTS)
            ends = done + lengths.cumsum()
            stops[:, at - DRAWS_AT :: 2] = ends.reshape(seated.shape)
            starts[:, at - DRAWS_AT :: 2] = (ends - lengths).reshape(seated.shape)
            done += len(tokens[-1])
        return np.concatenate(tokens), starts, stops

    def _results(self, lists: Array, seated: Array) -> tuple[Array, Array, Array, Wins]:
        """Return outcomes, the seats in tenpai at draws, payments at draws, and wins."""
        parts, count = self.columns.elements(lists, 1 + 2 * _MOST_WINS)
        name = self.columns.meanings(_OUTCOMES, parts[:, 0], SPECIAL)
        self.expect(name >= 0)
        outcome, all_are = name & 15, (name >> 4) - 1
        won = outcome == OUTCOME_WIN
        self.expect(np.where(won, (count % 2 == 1) & (count >= 3), count <= 2))
        self.expect(count <= parts.shape[1])
        paid, numbers = self.columns.elements(parts[:, 1], _SEATS)
        told = numbers > 0
        delta = self.columns.wholes(paid)
        self.expect(won | (count == 1) | (numbers >= 0) & (numbers <= _SEATS))
        self.expect((delta > -(2**31)) & (delta < 2**31))
        nothing = np.isin(outcome, list(NOTHING_PAID)) | (all_are >= 0)
        delta[~told] = np.where(nothing, 0, UNKNOWN)[~told, None]
        by_payments = (outcome == OUTCOME_EXHAUSTIVE) & told & delta.any(axis=1)
        tenpai = np.where(by_payments[:, None], delta > 0, all_are[:, None])
        tenpai = np.where(seated, np.where((all_are >= 0)[:, None], all_are[:, None], tenpai), -1)
        return outcome, tenpai, delta, self._wins(parts, won & self.usual, seated.sum(axis=1))

    def _wins(self, parts: Array, won: Array, players: Array) -> Wins:
        there = (parts[:, 2::2] != NO_NODE) & won[:, None]
        round_ = np.nonzero(there)[0]
        reader = _Reader(self.columns, len(round_))
        wins = reader.wins(parts[:, 2::2][there], parts[:, 1::2][there], round_, players[round_])
        self.usual[round_[~reader.usual]] = False
        return wins

    def wins(self, nodes: Array, deltas: Array, round_: Array, players: Array) -> Wins:
        """Return wins."""
        said, count = self.columns.elements(nodes, 2 + 1 + _MOST_TEXTS)
        self.expect((count >= 2) & (count <= said.shape[1]))
        is_text = self.columns.are_texts(said)
        is_text[:, :2] = False
        by_pao = (said[:, 2] != NO_NODE) & ~is_text[:, 2]
        seats = self.columns.wholes(said[:, :3])
        self.expect((seats[:, :2] >= 0) & (seats[:, :2] < players[:, None]))
        self.expect(~by_pao | (seats[:, 2] >= 0) & (seats[:, 2] < players))
        seats[:, 2] = np.where(by_pao & (seats[:, 2] != seats[:, 0]), seats[:, 2], -1)
        self.expect((said[:, 3:] == NO_NODE) | is_text[:, 3:])
        meanings = self.columns.meanings(_TEXTS, np.where(is_text, said, NO_NODE), 0)
        self.expect(meanings >= 0)
        is_value = (meanings & _IS_VALUE == 1) & (meanings > 0)
        self.expect(is_value.sum(axis=1) <= 1)
        value = np.tile(np.array(value_columns(None)), (len(nodes), 1))
        value[np.nonzero(is_value)[0]] = _unpacked(meanings[is_value] >> 1, _VALUE_BITS)
        is_yaku = ~is_value & (meanings > 0)
        win = np.nonzero(is_yaku)[0]
        index, han, counted = _unpacked(meanings[is_yaku] >> 1, _YAKU_BITS).T
        yakuman, listed = (
            np.bincount(win, weights=weights, minlength=len(nodes)).astype(np.int64)
            for weights in (counted * han // YAKUMAN_HAN, np.ones(len(win)))
        )
        self.expect(np.bincount(win, weights=han, minlength=len(nodes)) <= MOST)
        paid = self.numbers(deltas, _SEATS)
        paid[self.columns.elements(deltas, _SEATS)[1] == 0] = UNKNOWN
        return Wins(
            round_,
            seats,
            paid,
            value,
            np.where(listed > 0, yakuman, -1),
            np.stack([win, index, han], axis=1),
        )


def _chosen(rounds: Rounds, kept: Array) -> Rounds:
    """Return the rounds that are kept (bool[R])."""
    wins = rounds.wins
    win_kept = kept[wins.round]
    yaku = wins.yaku[win_kept[wins.yaku[:, 0]]]
    yaku[:, 0] = (win_kept.cumsum() - 1)[yaku[:, 0]]
    of_wins = {
        name: getattr(wins, name)[win_kept] for name in ("seats", "delta", "value", "yakuman")
    }
    of_rounds = {
        name: column[kept]
        for name, column in rounds._asdict().items()
        if name not in ("tokens", "wins")
    }
    round_ = (kept.cumsum() - 1)[wins.round[win_kept]]
    return Rounds(**of_rounds, tokens=rounds.tokens, wins=Wins(round=round_, yaku=yaku, **of_wins))


# --- what texts mean ----------------------------------------------------------------------------


def _packed(values: Sequence[int], bits: Sequence[int]) -> int:
    """Return small numbers packed into one; ``SPECIAL`` if a number is too large."""
    number = 0
    for value, width in zip(values, bits, strict=True):
        if not 0 <= value + _LOW < 1 << width:
            return SPECIAL
        number = number << width | (value + _LOW)
    return number


def _unpacked(numbers: Array, bits: Sequence[int]) -> Array:
    """Return the packed numbers: int64[N, len(bits)]."""
    values = np.empty((len(numbers), len(bits)), dtype=np.int64)
    for column in range(len(bits) - 1, -1, -1):
        values[:, column] = (numbers & (1 << bits[column]) - 1) - _LOW
        numbers = numbers >> bits[column]
    return values


def _draw(text: bytes) -> int:
    return _token(text, draws=True)


def _discard(text: bytes) -> int:
    return _token(text, draws=False)


def _token(text: bytes, *, draws: bool) -> int:
    try:
        return token(orjson.loads(text), draws=draws)
    except (ValueError, KeyError, TypeError):
        return SPECIAL


def _outcome(text: bytes) -> int:
    name = orjson.loads(text)
    outcome, all_are = read_outcome(name) if type(name) is str else (None, None)
    if outcome is None:
        return SPECIAL
    return outcome | (0 if all_are is None else 1 + all_are) << 4


def _win_text(text: bytes) -> int:
    written = orjson.loads(text)
    if (yaku := read_yaku(written)) is not None:
        index, han, is_yakuman = yaku
        number = SPECIAL if index is None else _packed((index, han, is_yakuman), _YAKU_BITS)
        return SPECIAL if number == SPECIAL else number << 1
    value = read_value(written)
    number = SPECIAL if value is None else _packed(value_columns(value), _VALUE_BITS)
    return SPECIAL if number == SPECIAL else number << 1 | _IS_VALUE


_DRAWS, _DISCARDS = TextMemo(_draw), TextMemo(_discard)
_OUTCOMES, _TEXTS = TextMemo(_outcome), TextMemo(_win_text)
