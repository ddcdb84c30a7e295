"""The rounds of a tenhou.net/6 log: their lists decoded and put in order of play."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paifu.errors import LogError
from paifu.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    KAKAN,
    KITA,
    NO_SEAT,
    OUTCOME_KYUUSHU,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    OUTCOME_WIN,
    PON,
    RYUUKYOKU,
    Array,
)
from paifu.importers.builder import (
    KIND_MASK,
    Builder,
    WinRecord,
    located,
    pack,
)
from paifu.importers.json_text import items, whole, wholes
from paifu.importers.tenhou_json_order import (
    ANY_SEAT,
    COUNT,
    END_ANY,
    END_PASSED,
    END_RON,
    END_TSUMO,
    LAST_SEAT,
    LAST_TILE,
    NO_ORDER,
    PLACEHOLDER,
    RIICHI_BIT,
    RIICHI_SEATS,
    order_rounds,
)
from paifu.importers.tenhou_json_result import Result, read_result
from paifu.importers.yaku_names import with_wind
from paifu.tiles import NO_TILE
from paifu.words import counted

Placed = tuple[str, list[Any]]
"""A round and where it stands."""
DRAWS_AT, DISCARDS_AT = 5, 6
"""Where the first seat's lists stand in a round; each further seat's follow by three."""
LISTS_4P, LISTS_3P = 17, 14
"""How many lists a round has; with three players the fourth seat's may also stand empty."""

# --- tiles and acts as written -----------------------------------------------------------------

_TILES = {
    **{10 * suit + n: 9 * (suit - 1) + n - 1 for suit in (1, 2, 3) for n in range(1, 10)},
    **{40 + n: 26 + n for n in range(1, 8)},
    51: 34, 52: 35, 53: 36,
}  # fmt: skip
_TSUMOGIRI = 60
_ACT = re.compile(r"((?:[1-5][1-9])*)([cpmkaf])((?:[1-5][1-9])+)")
_CALLS = {"c": CHI, "p": PON, "m": DAIMINKAN}
_LENGTH = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4, "f": 1}
_FROM = {0: 3, 2: 2, 4: 1, 6: 1}
"""Whose tile a call took, by where its letter stands: kamicha, toimen, shimocha, relative."""
_MEMO_SIZE = 1 << 16


class _Memo(dict[Any, int]):
    """Token of each element of a draws or discards list, worked out once."""

    def __init__(self, *, draws: bool) -> None:
        super().__init__()
        self.draws = draws

    def __missing__(self, element: Any) -> int:
        token = _token(element, draws=self.draws)
        if len(self) < _MEMO_SIZE:
            self[element] = token
        return token


def _token(element: Any, *, draws: bool) -> int:
    """Return the token of one element; ``ValueError`` if it is none."""
    if type(element) is str and element.isascii() and element.isdigit() and len(element) == 2:
        element = int(element)
    if type(element) in (int, float):
        if element in _TILES:
            tile = _TILES[element]
            return pack(DRAW, tile=tile) if draws else pack(DISCARD, tile=tile, tsumogiri=0)
        if element == _TSUMOGIRI and not draws:
            return pack(DISCARD, tsumogiri=1)
        if element == 0 and not draws:
            return PLACEHOLDER
    elif type(element) is str:
        if element[:1] == "r" and not draws:
            token = _token(element[1:], draws=False)
            if token & KIND_MASK == DISCARD and token < RIICHI_BIT:
                return token | RIICHI_BIT
        elif (match := _ACT.fullmatch(element)) is not None:
            return _act(*match.groups(), draws=draws)
    raise ValueError


def _act(before: str, letter: str, after: str, *, draws: bool) -> int:
    """Return the token of a call, kan or north: its letter stands before the tile it is about."""
    digits = before + after
    tiles = [_TILES[int(digits[at : at + 2])] for at in range(0, len(digits), 2)]
    place = len(before)
    if len(tiles) != _LENGTH[letter] or (letter in _CALLS) is not draws:
        raise ValueError
    tile = tiles.pop(place // 2)
    if letter in _CALLS:
        return pack(_CALLS[letter], tile=tile, from_seat=_FROM[place], consumed=tiles)
    if letter == "f":
        return pack(KITA, tile=tile)
    return pack(KAKAN if letter == "k" else ANKAN, tile=tile, consumed=tiles)


_DRAWS, _DISCARDS = _Memo(draws=True), _Memo(draws=False)


def _tokens(memo: _Memo, rounds: Sequence[Placed], players: int) -> tuple[array[int], list[int]]:
    """Return the tokens of all seats' draws or discards, and how many each list has."""
    first = DRAWS_AT if memo.draws else DISCARDS_AT
    lists = [part for _, round_ in rounds for part in round_[first : first + 3 * players : 3]]
    if set(map(type, lists)) == {list}:
        try:
            tokens = array("q", map(memo.__getitem__, chain.from_iterable(lists)))
            return tokens, list(map(len, lists))
        except (ValueError, TypeError, KeyError):
            pass
    for index, elements in enumerate(lists):
        path = f"{rounds[index // players][0]}[{first + 3 * (index % players)}]"
        for at, element in enumerate(items(elements, path)):
            try:
                _token(element, draws=memo.draws)
            except (ValueError, KeyError):
                act = "draw or call" if memo.draws else "discard, kan or north"
                raise LogError(f"{str(element)[:40]!r} is no {act}", f"{path}[{at}]") from None
    raise LogError("unreadable", rounds[0][0])


def _tiles(elements: Any, path: str, limit: int) -> list[int]:
    """Return the codes of a list of tiles, at most ``limit``."""
    tiles = items(elements, path)
    if len(tiles) > limit:
        raise LogError(f"{counted(len(tiles), 'tile')} where there can be {limit}", path)
    try:
        return [_TILES[tile] for tile in tiles]
    except (KeyError, TypeError):
        known = [type(tile) is int and tile in _TILES for tile in tiles]
        bad = known.index(False)
        raise LogError(f"{str(tiles[bad])[:40]!r} is no tile", f"{path}[{bad}]") from None


# --- the rounds ---------------------------------------------------------------------------------


class _Round(NamedTuple):
    """A round but for its play."""

    wind: int
    number: int
    honba: int
    sticks: int
    scores: list[int]
    indicators: list[int]
    ura: list[int]
    haipai: list[int]
    result: Result


def players_of(round_: Any, path: str) -> int:
    """Return how many players a round's lists are for."""
    lists = items(round_, path)
    if len(lists) not in (LISTS_3P, LISTS_4P):
        raise LogError(f"a round has {LISTS_4P} lists or {LISTS_3P}, not {len(lists)}", path)
    return 3 if len(lists) == LISTS_3P or lists[13] == [] else 4


def read_rounds(builder: Builder, rounds: Sequence[Placed], players: int) -> list[int]:
    """Add a game's rounds to the builder.

    Returns the rounds whose results say something that is not known.
    """
    frames: list[_Round] = []
    for path, round_ in rounds:
        with located(path):
            frames.append(_read_frame(round_, players))
    events, facts = _in_order(rounds, frames, players)
    for (path, _), frame, part, told in zip(rounds, frames, events, facts, strict=True):
        with located(path):
            _add_round(builder, frame, players, part, told)
    return [at for at, frame in enumerate(frames) if frame.result.unknown]


def _read_frame(round_: list[Any], players: int) -> _Round:
    """Return a round but for its play; places of errors are relative to it."""
    head = wholes(round_[0], "[0]", 3)
    wind, number = divmod(whole(head[0], "[0][0]", 0, 15), 4)
    if number >= players:
        raise LogError(f"round {head[0]} has no dealer with three players", "[0][0]")
    haipai: list[int] = []
    for at in range(4, 4 + 3 * players, 3):
        dealt = _tiles(round_[at], f"[{at}]", 13)
        haipai += dealt if len(dealt) == 13 else dealt + [NO_TILE] * (13 - len(dealt))
    if players == 3:
        haipai += [NO_TILE] * 13
    return _Round(
        wind,
        number,
        head[1],
        head[2],
        wholes(round_[1], "[1]", 4),
        _tiles(round_[2], "[2]", 10),
        _tiles(round_[3], "[3]", 10),
        haipai,
        read_result(round_[-1], players, f"[{len(round_) - 1}]"),
    )


def _last_act(result: Result) -> tuple[int, int]:
    """Return how the result says that the play ended, and with which seat."""
    if result.outcome == OUTCOME_WIN:
        win = result.wins[0]
        return (END_TSUMO if win.who == win.from_seat else END_RON), win.from_seat
    if result.outcome == OUTCOME_KYUUSHU:
        return END_TSUMO, ANY_SEAT
    if result.outcome in (OUTCOME_UNKNOWN, OUTCOME_SUUKAN):
        return END_ANY, ANY_SEAT
    return END_PASSED, ANY_SEAT


def _in_order(
    rounds: Sequence[Placed], frames: Sequence[_Round], players: int
) -> tuple[list[Array], list[list[int]]]:
    """Return each round's packed events in order of play, and what ``order_rounds`` tells of it."""
    draws, drawn = _tokens(_DRAWS, rounds, players)
    discards, discarded = _tokens(_DISCARDS, rounds, players)
    lengths = np.array([drawn, discarded]).reshape(2, len(rounds), players)
    lists = np.zeros((2, len(rounds), 8), dtype=np.int64)
    stops = lengths.cumsum().reshape(lengths.shape)
    for which in range(2):
        lists[1, :, which : 2 * players : 2] = stops[which]
        lists[0, :, which : 2 * players : 2] = stops[which] - lengths[which]
    ends = np.empty((len(rounds), 4), dtype=np.int64)
    for at, frame in enumerate(frames):
        end, seat = _last_act(frame.result)
        stands = end != END_RON and frame.result.outcome != OUTCOME_SANCHAHOU
        ends[at] = frame.number, end, seat, stands
    indicators = [code for frame in frames for code in frame.indicators[1:]]
    flips = np.cumsum([0, *(max(0, len(frame.indicators) - 1) for frame in frames)])
    tokens = np.frombuffer(draws + discards, dtype=np.int64)
    out = np.empty(3 * len(tokens) + len(indicators), dtype=np.int64)
    facts = np.empty((len(rounds), 4), dtype=np.int64)
    shown = np.array(indicators, dtype=np.int64)
    starts, stops = lists
    order_rounds(tokens, starts, stops, players, ends, shown, flips, out, facts)
    counts = facts[:, COUNT]
    for (path, _), count in zip(rounds, counts.tolist(), strict=True):
        if count < 0:
            many = "no order" if count == NO_ORDER else "too many orders"
            raise LogError(f"the draws and discards of the seats fit {many} of play", path)
    return np.split(out[: counts.sum()], counts.cumsum()[:-1]), facts.tolist()


def _add_round(
    builder: Builder, frame: _Round, players: int, events: Array, told: list[int]
) -> None:
    builder.round(
        frame.wind,
        frame.number,
        frame.honba,
        frame.sticks,
        frame.scores,
        frame.indicators[0] if frame.indicators else NO_TILE,
        frame.haipai,
    )
    builder.events.frombytes(events.tobytes())
    result = frame.result
    if result.outcome == OUTCOME_WIN:
        _add_wins(builder, frame, players, told[LAST_TILE], told[RIICHI_SEATS])
        return
    if result.outcome != OUTCOME_UNKNOWN:
        seat = told[LAST_SEAT] if result.outcome == OUTCOME_KYUUSHU else NO_SEAT
        builder.events.append(pack(RYUUKYOKU, seat))
    builder.draw(result.outcome, result.tenpai, delta=result.delta)


def _add_wins(builder: Builder, frame: _Round, players: int, tile: int, riichi: int) -> None:
    for win in frame.result.wins:
        seat_wind = (win.who - frame.number) % players
        declared = riichi >> win.who & 1
        builder.win(
            WinRecord(
                win.who,
                win.from_seat,
                tile,
                fu=win.value.fu,
                han=win.han,
                yakuman=win.yakuman,
                points=win.points(players),
                limit=win.limit,
                pao=win.pao,
                indicators=frame.indicators,
                ura=frame.ura if declared else (),
                # people leave ura indicators out; Tenhou lists them whenever there are any
                ura_known=bool(frame.ura) or not declared,
                delta=win.delta,
                yaku=[(with_wind(index, frame.wind, seat_wind), han) for index, han in win.yaku],
            )
        )
    builder.won()
