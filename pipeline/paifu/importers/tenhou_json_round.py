"""One round of a tenhou.net/6 log: its lists decoded and put in order of play."""

from __future__ import annotations

import re
from array import array
from typing import Any

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
)
from paifu.importers.builder import (
    KIND_MASK,
    SEAT_MASK,
    SEAT_SHIFT,
    Builder,
    WinRecord,
    last_tile,
    pack,
)
from paifu.importers.json_text import items, whole, wholes
from paifu.importers.tenhou_json_order import (
    ANY_SEAT,
    END_ANY,
    END_PASSED,
    END_RON,
    END_TSUMO,
    NO_ORDER,
    PLACEHOLDER,
    RIICHI_BIT,
    order_round,
)
from paifu.importers.tenhou_json_result import Result, read_result
from paifu.importers.yaku_names import with_wind
from paifu.tiles import NO_TILE

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


def _tokens(memo: _Memo, elements: Any, path: str) -> list[int]:
    try:
        return [memo[element] for element in elements]
    except (ValueError, TypeError, KeyError):
        pass
    for at, element in enumerate(items(elements, path)):
        try:
            _token(element, draws=memo.draws)
        except (ValueError, KeyError):
            act = "draw or call" if memo.draws else "discard, kan or north"
            raise LogError(f"{str(element)[:40]!r} is no {act}", f"{path}[{at}]") from None
    raise LogError("unreadable", path)


def _tiles(elements: Any, path: str, limit: int) -> list[int]:
    """Return the codes of a list of tiles, at most ``limit``."""
    tiles = items(elements, path)
    if len(tiles) > limit:
        raise LogError(f"{len(tiles)} tiles where there can be {limit}", path)
    try:
        return [_TILES[tile] for tile in tiles]
    except (KeyError, TypeError):
        known = [type(tile) is int and tile in _TILES for tile in tiles]
        bad = known.index(False)
        raise LogError(f"{str(tiles[bad])[:40]!r} is no tile", f"{path}[{bad}]") from None


# --- the round ----------------------------------------------------------------------------------


def players_of(round_: Any, path: str) -> int:
    """Return how many players a round's lists are for."""
    lists = items(round_, path)
    if len(lists) not in (LISTS_3P, LISTS_4P):
        raise LogError(f"a round has {LISTS_4P} lists or {LISTS_3P}, not {len(lists)}", path)
    return 3 if len(lists) == LISTS_3P or lists[13] == [] else 4


def read_round(builder: Builder, round_: list[Any], players: int, path: str) -> Result:
    """Add one round to the builder and return how it ended."""
    head = wholes(round_[0], f"{path}[0]", 3)
    wind, number = divmod(whole(head[0], f"{path}[0][0]", 0, 15), 4)
    if number >= players:
        raise LogError(f"round {head[0]} has no dealer with three players", f"{path}[0][0]")
    scores = wholes(round_[1], f"{path}[1]", 4)
    indicators = _tiles(round_[2], f"{path}[2]", 10)
    ura = _tiles(round_[3], f"{path}[3]", 10)
    haipai: list[int] = []
    tokens = array("q")
    starts = array("q", [0])
    riichi = [False] * 4
    for seat in range(players):
        at = 4 + 3 * seat
        dealt = _tiles(round_[at], f"{path}[{at}]", 13)
        haipai += dealt + [NO_TILE] * (13 - len(dealt))
        tokens.extend(_tokens(_DRAWS, round_[at + 1], f"{path}[{at + 1}]"))
        starts.append(len(tokens))
        discards = _tokens(_DISCARDS, round_[at + 2], f"{path}[{at + 2}]")
        riichi[seat] = max(discards, default=0) >= RIICHI_BIT
        tokens.extend(discards)
        starts.append(len(tokens))
    haipai += [NO_TILE] * (52 - len(haipai))
    starts.extend([len(tokens)] * (9 - len(starts)))
    result = read_result(round_[-1], players, f"{path}[{len(round_) - 1}]")
    indicator = indicators[0] if indicators else NO_TILE
    builder.round(wind, number, head[1], head[2], scores, indicator, haipai)
    events = _in_order(tokens, starts, players, number, result, indicators[1:], path)
    builder.events.extend(events)
    if result.outcome == OUTCOME_WIN:
        _add_wins(builder, result, events, (wind, number), players, riichi, indicators, ura)
    else:
        if result.outcome != OUTCOME_UNKNOWN:
            declared = result.outcome == OUTCOME_KYUUSHU and bool(events)
            seat = (events[-1] >> SEAT_SHIFT & SEAT_MASK) - 1 if declared else NO_SEAT
            builder.events.append(pack(RYUUKYOKU, seat))
        builder.draw(result.outcome, result.tenpai, delta=result.delta)
    return result


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
    tokens: array[int],
    starts: array[int],
    players: int,
    dealer: int,
    result: Result,
    indicators: list[int],
    path: str,
) -> list[int]:
    """Return the round's packed events in order of play."""
    end, end_seat = _last_act(result)
    stands = end != END_RON and result.outcome != OUTCOME_SANCHAHOU
    out = np.empty(3 * len(tokens) + len(indicators), dtype=np.int64)
    lists = np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64)
    flips = np.array(indicators, dtype=np.int64)
    count = order_round(*lists, players, dealer, end, end_seat, stands, flips, out)
    if count == NO_ORDER and end != END_ANY:
        # the recorded result may be what is wrong: replay will say so
        count = order_round(*lists, players, dealer, END_ANY, ANY_SEAT, stands, flips, out)
    if count < 0:
        reason = (
            "the draws and discards of the seats fit no order of play"
            if count == NO_ORDER
            else "the draws and discards of the seats fit too many orders of play"
        )
        raise LogError(reason, path)
    events: list[int] = out[:count].tolist()
    return events


def _add_wins(
    builder: Builder,
    result: Result,
    events: list[int],
    round_: tuple[int, int],
    players: int,
    riichi: list[bool],
    indicators: list[int],
    ura: list[int],
) -> None:
    wind, dealer = round_
    tile = last_tile(events)
    for win in result.wins:
        seat_wind = (win.who - dealer) % players
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
                indicators=indicators,
                ura=ura if riichi[win.who] else (),
                # people leave ura indicators out; Tenhou lists them whenever there are any
                ura_known=bool(ura) or not riichi[win.who],
                delta=win.delta,
                yaku=[(with_wind(index, wind, seat_wind), han) for index, han in win.yaku],
            )
        )
    builder.won()
