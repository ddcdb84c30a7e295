"""Reads many games of modern mjai at once, by kernels, from the meanings of their lines.

This is the quick way, for whole games of the modern dialect: deals, wins and draws have exactly its
fields, and actor 0 deals first. :mod:`paifu.formats.mjai.one_game` reads all other games line by
line, or says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import orjson

from paifu.formats.batch_rows import Rows, rows_of
from paifu.formats.builder import (
    FROM_SHIFT,
    KIND_MASK,
    MAX_INDICATORS,
    NO_POINTS,
    NOT_SHOWN,
    SEAT_MASK,
    SEAT_SHIFT,
    TILE_MASK,
    TILE_SHIFT,
)
from paifu.formats.json.columns import NO_NODE, Columns, Reader
from paifu.formats.json.memo import SPECIAL, TextMemo
from paifu.formats.mjai.lines import NOTHING, TILES
from paifu.formats.mjai.one_game import REASONS, kind_of_draw, length_of, names_by_seat, note_start
from paifu.game.events import (
    ANKAN,
    DISCARD,
    DRAW,
    KAKAN,
    KITA,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_WIN,
    RYUUKYOKU,
    UNKNOWN,
    WIN,
    Array,
    GameInfo,
)
from paifu.game.tiles import NO_TILE

_SEATS = 4
_EAST = TILES["E"]
_MOST_URA = 10
_EVENT, _GAME, _DEAL, _WIN, _DRAW, _END, _OTHER = range(7)
"""Kinds of line."""
_KINDS = {
    "start_game": _GAME, "start_kyoku": _DEAL, "hora": _WIN, "ryukyoku": _DRAW, "end_game": _END,
}  # fmt: skip
_FOLLOWS = np.zeros((7, 7), dtype=np.bool_)
"""Whether, in a whole game, a line of the second kind may follow a line of the first kind."""
for _before, _after in (
    (_GAME, _DEAL), (_DEAL, _EVENT), (_EVENT, _EVENT), (_EVENT, _WIN), (_EVENT, _DRAW),
    (_WIN, _WIN), (_WIN, _DEAL), (_WIN, _END), (_DRAW, _DEAL), (_DRAW, _END),
):  # fmt: skip
    _FOLLOWS[_before, _after] = True
_WON_ON = np.isin(np.arange(KIND_MASK + 1), (DRAW, DISCARD, KAKAN, ANKAN, KITA))
"""Whether a win may be on the tile of an event, by kind of event."""
_NO_REASON = max(REASONS.values()) + 1


class Lines(NamedTuple):
    """Lines of one or several files."""

    text: bytes
    starts: Array
    """int64[L]: where each line begins in the text; ``stops``: where it ends."""
    stops: Array
    meanings: Array
    """int64[L]: each line's packed event, ``SPECIAL`` or ``NOTHING``."""

    def line(self, index: int) -> bytes:
        """Return a line by its number."""
        return self.text[self.starts[index] : self.stops[index]]


class ScannedGame(NamedTuple):
    """A game whose rounds are in ``rows`` from ``first`` up to and not including ``last``."""

    info: GameInfo
    rows: Rows
    first: int
    last: int


def scan(lines: Lines, games: Sequence[tuple[int, int]]) -> list[ScannedGame | None]:
    """Return the games between those lines; None for a game that must be read line by line."""
    scanned: list[ScannedGame | None] = [None] * len(games)
    wanted = np.arange(len(games))
    while len(wanted):
        batch = _Batch(lines, [games[game] for game in wanted.tolist()])
        if batch.usual.all():
            found = batch.games()
            if batch.usual.all():
                for game, known in zip(wanted.tolist(), found, strict=True):
                    scanned[game] = known
                break
        wanted = wanted[batch.usual]
    return scanned


class _Deals(NamedTuple):
    """Columns of a batch that follow from its deals, and the number of players."""

    columns: dict[str, Any]
    players: Array


class _Draws(NamedTuple):
    """Draws: their payments (int64[D, 4]), and the outcome that each gives, or ``_NO_REASON``."""

    delta: Array
    reason: Array


class _Wins(NamedTuple):
    """Columns of a batch that follow from wins, and the events of the wins."""

    columns: dict[str, Any]
    seats: Array
    """int64[W, 2]: the winner, and the seat won from."""
    tile: Array
    """int64[W]: the winning tile that the line names, or ``NO_TILE``."""


class _Batch:
    """The lines of games; a game counts as usual until one of its lines is unusual."""

    def __init__(self, lines: Lines, games: Sequence[tuple[int, int]]) -> None:
        begins, ends = np.array(games).T
        inside = np.arange(begins[0], ends[-1])
        game = np.searchsorted(begins, inside, side="right") - 1
        says = (inside < ends[game]) & (lines.meanings[inside] != NOTHING)
        self._lines = lines
        self._at, self._game = inside[says], game[says]
        """int64[L], of lines with content: their index, and the game they belong to."""
        self._meaning = lines.meanings[self._at]
        special = self._meaning == SPECIAL
        at = self._at[special]
        self._columns = Columns(lines.text, lines.starts[at], lines.stops[at])
        self._node = np.full(len(special), NO_NODE, dtype=np.int32)
        self._node[special] = self._columns.roots
        types, _ = self._columns.fields(self._columns.roots, ("type",))
        self._kind = np.full(len(special), _EVENT)
        self._kind[special] = self._columns.meanings(_TYPES, types[:, 0], _OTHER)
        self.usual: Array = np.zeros(len(games), dtype=np.bool_)
        """bool[G]"""
        self._note_order()

    def _note_order(self) -> None:
        """Note which games have their lines in a possible order."""
        kind, game = self._kind, self._game
        first = np.flatnonzero(np.diff(game, prepend=-1))
        last = np.append(first[1:], len(game))[: len(first)] - 1
        ended = np.isin(kind[last], (_WIN, _DRAW, _END))
        self.usual[game[first]] = (kind[first] == _GAME) & ended
        follows = _FOLLOWS[kind[:-1], kind[1:]] | (game[:-1] != game[1:])
        self.usual[game[1:][~follows]] = False

    def games(self) -> list[ScannedGame]:
        """Return the games; if any is unusual, note which, and return an empty list."""
        round_ = (self._kind == _DEAL).cumsum() - 1
        game_of = self._game[self._kind == _DEAL]
        deals = self._deals(game_of)
        wins, draws = self._wins(deals.players[round_[self._kind == _WIN]]), self._draws()
        acts = np.flatnonzero(np.isin(self._kind, (_EVENT, _WIN, _DRAW)))
        round_events = np.searchsorted(round_[acts], np.arange(len(game_of) + 1))
        events, outcome = self._events(acts, round_[acts], round_events, deals, wins, draws)
        infos = self._infos(deals, game_of)
        if not self.usual.all():
            return []
        drawn = round_[self._kind == _DRAW]
        win_round = round_[self._kind == _WIN]
        delta, tenpai = np.full((2, len(game_of), _SEATS), -1)
        delta[:] = UNKNOWN
        delta[drawn] = draws.delta
        paid = np.zeros(len(game_of), dtype=np.bool_)
        paid[drawn] = draws.delta.any(axis=1)
        told = ((outcome == OUTCOME_EXHAUSTIVE) & paid)[:, None]
        seated = np.arange(_SEATS) < deals.players[:, None]
        columns = {
            "round_recorded_outcome": outcome,
            "round_recorded_tenpai": np.where(told & seated, delta > 0, tenpai),
            "round_recorded_before": NO_POINTS,
            "round_recorded_delta": delta,
            "win_event": np.flatnonzero(self._kind[acts] == _WIN),
            "yaku_id": 0,
            "yaku_han": 0,
        }
        none = np.empty(0, dtype=np.int64)
        columns |= deals.columns | wins.columns
        rows = rows_of(events, round_events, win_round, none, columns)
        spans = pairwise(np.searchsorted(game_of, np.arange(len(infos) + 1)).tolist())
        return [ScannedGame(info, rows, *span) for info, span in zip(infos, spans, strict=True)]

    def _reader(self, kind: int, keys: Sequence[str], optional: Sequence[str] = ()) -> _Reader:
        """Return a reader of the lines of a kind, which must have exactly these keys."""
        return _Reader(self._columns, self._node[self._kind == kind], keys, optional)

    def _note(self, reader: Reader, game: Array) -> None:
        """Note the games in which a reader has found something unusual."""
        self.usual[game[~reader.usual]] = False

    def _deals(self, game_of: Array) -> _Deals:
        keys = (
            "bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais",
        )  # fmt: skip
        reader = self._reader(_DEAL, keys)
        told = reader.told
        number = reader.whole(told["kyoku"], 1, 4) - 1
        reader.expect(reader.whole(told["oya"], 0, 3) == number)
        hands, count = self._columns.elements(told["tehais"], _SEATS)
        reader.expect((count == 3) | (count == 4))
        codes, dealt = reader.tiles(hands.ravel(), 13)
        fourth = dealt.reshape(hands.shape)[:, 3]
        players = np.where((count == 3) | (fourth == 0), 3, 4)
        reader.expect(number < players)
        reader.expect(players == players[np.searchsorted(game_of, game_of)])
        scores = reader.numbers(told["scores"], _SEATS)
        scores[players == 3, 3] = 0
        wind = reader.tile(told["bakaze"]) - _EAST
        reader.expect((wind >= 0) & (wind < 4))
        columns = {
            "round_wind": wind,
            "round_number": number,
            "round_honba": reader.whole(told["honba"], 0, 999),
            "round_sticks": reader.whole(told["kyotaku"], 0, 999),
            "round_dealer": number,
            "round_dice": -1,
            "round_indicator": reader.tile(told["dora_marker"]),
            "round_haipai": codes.reshape(-1, _SEATS, 13),
            "round_scores": scores,
        }
        self._note(reader, game_of)
        return _Deals(columns, players)

    def _wins(self, players: Array) -> _Wins:
        reader = self._reader(_WIN, ("actor", "target", "deltas"), ("pai", "ura_markers"))
        told = reader.told
        seats = np.stack([reader.whole(told[key], 0, 3) for key in ("actor", "target")], axis=1)
        reader.expect(seats < players[:, None])
        delta = reader.numbers(told["deltas"], _SEATS)
        delta[players == 3, 3] = 0
        ura, _ = reader.tiles(told["ura_markers"], _MOST_URA)
        tile = reader.tile(told["pai"])
        columns = {
            "win_hand": NOT_SHOWN,
            "win_indicators": NO_TILE,
            "win_ura": ura[:, :MAX_INDICATORS],
            "win_before": NO_POINTS,
            "win_delta": delta,
            "win_points": UNKNOWN,
            "win_pao": NO_SEAT,
        }
        not_said = ("fu", "han", "yakuman", "limit", "honba", "sticks", "chips")
        columns |= {f"win_{name}": -1 for name in not_said}
        self._note(reader, self._game[self._kind == _WIN])
        return _Wins(columns, seats, tile)

    def _draws(self) -> _Draws:
        reader = self._reader(_DRAW, ("deltas",), ("reason",))
        delta = reader.numbers(reader.told["deltas"], _SEATS)
        reason = self._columns.meanings(_REASONS, reader.told["reason"], _NO_REASON)
        self._note(reader, self._game[self._kind == _DRAW])
        return _Draws(delta, reason)

    def _events(
        self, acts: Array, round_: Array, round_events: Array, deals: _Deals, wins: _Wins,
        draws: _Draws,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Return all events, packed, and the outcome of each round.

        ``acts`` are the lines that are events, ``round_`` their rounds.
        """
        ends = self._kind[acts]
        events = np.where(ends == _EVENT, self._meaning[acts], RYUUKYOKU)
        players = deals.players[round_]
        for shift in (SEAT_SHIFT, FROM_SHIFT):
            beyond = (events >> shift & SEAT_MASK) > players
            self.usual[self._game[acts[beyond]]] = False
        kinds = events & KIND_MASK
        won, drawn = np.flatnonzero(ends == _WIN), np.flatnonzero(ends == _DRAW)
        acted_on = np.where(_WON_ON[kinds], np.arange(len(events)), -1)
        on = np.maximum.accumulate(acted_on)[won]
        last = (events[on] >> TILE_SHIFT & TILE_MASK) - 1
        last[on < round_events[round_[won]]] = NO_TILE
        tile = np.where(wins.tile == NO_TILE, last, wins.tile) + 1
        who, target = wins.seats.T + 1
        events[won] = WIN | tile << TILE_SHIFT | target << FROM_SHIFT | who << SEAT_SHIFT
        outcome = np.full(len(deals.players), OUTCOME_WIN)
        taken = np.append(0, (kinds == DRAW).cumsum())
        tiles = taken[drawn] - taken[round_events[round_[drawn]]]
        told = zip(
            draws.reason.tolist(), (draws.delta != 0).any(axis=1).tolist(), tiles.tolist(),
            kinds[drawn - 1].tolist(), players[drawn].tolist(), strict=True,
        )  # fmt: skip
        outcome[round_[drawn]] = [
            kind_of_draw(*facts) if reason == _NO_REASON else reason for reason, *facts in told
        ]
        declared = drawn[outcome[round_[drawn]] == OUTCOME_KYUUSHU]
        events[declared] |= events[declared - 1] & SEAT_MASK << SEAT_SHIFT
        return events, outcome

    def _infos(self, deals: _Deals, game_of: Array) -> list[GameInfo]:
        """Return the facts of each game other than its play."""
        infos = []
        first = np.searchsorted(game_of, np.arange(len(self.usual)))
        for at, players in zip(
            self._at[self._kind == _GAME].tolist(), deals.players[first].tolist(), strict=True
        ):
            info = GameInfo(players, platform="mjai", format="mjai", complete=False)
            note_start(info, orjson.loads(self._lines.line(at)))
            info.names = names_by_seat(info.names, players, 0)
            info.ruleset = f"tenhou-{players}p"
            infos.append(info)
        reader = self._reader(_END, (), ("scores",))
        scores = reader.told["scores"]
        scored: Array = scores != NO_NODE
        final = np.zeros((len(scores), _SEATS), dtype=np.int64)
        among = Reader(self._columns, int(scored.sum()))
        final[scored] = among.numbers(scores[scored], _SEATS)
        reader.usual[scored] &= among.usual
        ended = self._game[self._kind == _END]
        self._note(reader, ended)
        rounds = np.bincount(game_of, minlength=len(infos))
        last = rounds.cumsum() - 1
        winds, numbers = (deals.columns[name][last] for name in ("round_wind", "round_number"))
        for game, points, are_said in zip(
            ended.tolist(), final.tolist(), scored.tolist(), strict=True
        ):
            info = infos[game]
            info.complete = True
            info.final_points = tuple(points[: info.players]) if are_said else None
            wind, number = int(winds[game]), int(numbers[game])
            info.length = length_of(int(rounds[game]), wind, number, info.players)
        return infos


class _Reader(Reader):
    """Reads the objects of lines of one kind, which must have exactly the given keys."""

    def __init__(
        self, columns: Columns, objects: Array, keys: Sequence[str], optional: Sequence[str]
    ) -> None:
        super().__init__(columns, len(objects))
        names = ("type", *keys, *optional)
        nodes, plain = columns.fields(objects, names)
        self.expect(plain)
        self.expect(nodes[:, : 1 + len(keys)] != NO_NODE)
        self.told: dict[str, Array] = dict(zip(names, nodes.T, strict=True))
        """int32: the node of each key's value."""

    def tile(self, nodes: Array) -> Array:
        """Return the codes of tiles; ``NO_TILE`` where there is no tile."""
        codes = self.columns.meanings(_TILES, nodes, NO_TILE)
        self.expect((codes >= 0) | (nodes == NO_NODE))
        return codes

    def tiles(self, lists: Array, most: int) -> tuple[Array, Array]:
        """Return lists of at most ``most`` tiles, and their lengths."""
        nodes, counts = self.columns.elements(lists, most)
        self.expect(((counts >= 0) & (counts <= most)) | (lists == NO_NODE))
        return self.tile(nodes), counts


def _tile(text: bytes) -> int:
    written = orjson.loads(text)
    return TILES.get(written, SPECIAL) if type(written) is str else SPECIAL


def _type(text: bytes) -> int:
    written = orjson.loads(text)
    return _KINDS.get(written, _OTHER) if type(written) is str else _OTHER


def _reason(text: bytes) -> int:
    written = orjson.loads(text)
    return REASONS.get(written, _NO_REASON) if type(written) is str else _NO_REASON


_TILES, _TYPES, _REASONS = TextMemo(_tile), TextMemo(_type), TextMemo(_reason)
