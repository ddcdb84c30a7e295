"""Reads table ``wins`` into ``Hands``, directly from the Arrow buffers.

Kernels parse the bytes of the text columns (hand, melds, winning tile, indicators). No text is
trusted: a row with text that cannot be read gets the code of a fault, and the engine returns that
reason.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from paifu.game.tiles import FIRST_FLOWER, HIDDEN, KIND_OF, KINDS, NO_TILE, RED_5M, RED_5S
from paifu.kernels.compiling import inner, njit
from paifu.kernels.digits import ZERO, is_digit
from paifu.rules.hands.faults import FAULT
from paifu.rules.hands.hands import Hands
from paifu.rules.hands.reading_kernels import ANKAN, CHI, DAIMINKAN, KAKAN, NO_MELD, PON

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int32]

_FLAGS = (
    "tsumo", "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "after_kita", "haitei",
    "houtei", "after_rinshan", "chankan", "kita_ron", "first_turn", "last_copy", "dealt",
    "triple_ron",
)  # fmt: skip
_NUMBERS = (
    ("players", 4), ("winner", -1), ("loser", -1), ("dealer", -1), ("seat_wind", -1),
    ("round_wind", -1), ("honba", 0), ("sticks", 0), ("table_honba", 0), ("dealer_wins", 0),
    ("dealer_rounds", 0),
    ("pao_daisangen", -1), ("pao_daisuushi", -1), ("pao_suukantsu", -1), ("flowers", 0),
    ("liable", -1), ("wareme", -1),
)  # fmt: skip


def read_wins(wins: pa.Table) -> Hands:
    """Return the hands of table ``wins``, one for each row.

    Columns ``hand`` and ``win_tile`` must be there. A missing column means no (no riichi, no honba,
    …). Missing seats are worked out from the other seats. A NULL ``kuitan`` counts as on. Raises
    ``KeyError`` for a missing column, and ``pyarrow`` errors for a column of another type.
    """
    count = wins.num_rows
    hands = Hands.blank(count)
    named = set(wins.column_names)
    for name in _FLAGS:
        if name in named:
            setattr(hands, name, _values(wins[name], False, np.bool_))
    for name, missing in _NUMBERS:
        if name in named:
            setattr(hands, name, _values(wins[name], missing, getattr(hands, name).dtype))
    _fill_seats(hands, named)
    if "table_honba" not in named:
        hands.table_honba = hands.honba.copy()
    for name in ("wild", "bird"):
        if name in named:
            tile = getattr(hands, name)
            parse_single_tiles(*_text(wins[name]), tile)
            hands.fault[(tile < NO_TILE) & (hands.fault == 0)] = FAULT["unreadable_indicators"]
    for name in ("out", "raised"):
        if name in named:
            setattr(hands, name, _seats(wins[name]))
    for name in ("kuitan", "aka"):
        if name in named:
            setattr(hands, name, _values(wins[name], True, np.bool_))
    if "loser_state" in named:
        state = _series(wins["loser_state"]).cast(pl.String)
        hands.loser_riichi = (state == "riichi").fill_null(False).to_numpy().copy()

    parse_hands(*_text(wins["hand"]), hands.concealed, hands.reds, hands.flowers, hands.fault)
    for row in np.flatnonzero(hands.fault == _UNREADABLE_HAND).tolist():
        hands.name[row] = str(wins["hand"][row])[:_LONGEST_NAME]
    if "melds" in named:
        parse_melds(*_text(wins["melds"]), _Melds(*(getattr(hands, n) for n in _Melds._fields)))
    if "fed" in named:
        _read_feeders(wins["fed"], hands)
    tiles = _text(wins["win_tile"])
    _indicators(tiles, np.arange(count + 1, dtype=np.int32), hands.win_tile.reshape(-1, 1),
                hands.fault, FAULT["unreadable_win_tile"])  # fmt: skip
    for name in ("dora_indicators", "ura_indicators"):
        if name in named:
            column = _whole(wins[name].cast(pa.list_(pa.string())))
            text, lists = _text(column.values), _offsets(column.buffers()[1], column.offset, count)
            _indicators(text, lists, getattr(hands, name), hands.fault,
                        FAULT["unreadable_indicators"])  # fmt: skip
    return hands


def _fill_seats(hands: Hands, named: set[str]) -> None:
    """Work out missing seats from the winds or the dealer.

    By ron the loser is the next seat; on the first turn it is the dealer, who plays first.
    """
    seats = np.maximum(hands.players, 1)
    if "winner" not in named:
        hands.winner = (hands.dealer + hands.seat_wind) % seats
    elif "seat_wind" not in named:
        hands.seat_wind = (hands.winner - hands.dealer) % seats
    if "loser" not in named:
        by_dealer = hands.first_turn & (hands.winner != hands.dealer)
        loser = np.where(by_dealer, hands.dealer, (hands.winner + 1) % seats)
        hands.loser = np.where(hands.tsumo, -1, loser).astype(np.int8)


def _whole(column: Any) -> Any:
    """Return a column as one array."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _values(column: Any, missing: Any, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return a column of booleans or small numbers; out of range becomes ``missing`` too.

    It uses Polars, because Arrow's own functions would load pandas.
    """
    series = _series(column)
    if series.dtype == pl.Null:
        return np.full(len(series), missing, dtype=dtype)
    if not (series.dtype == pl.Boolean if dtype == np.bool_ else series.dtype.is_numeric()):
        raise pa.ArrowTypeError(f"{column.type} where {np.dtype(dtype)} belongs")
    filled = series.fill_null(missing).to_numpy()
    if dtype == np.bool_:
        return np.ascontiguousarray(filled, dtype=np.bool_)
    info = np.iinfo(np.dtype(dtype))
    if len(filled) and not (filled.min() >= info.min and filled.max() <= info.max):
        filled = np.where((filled >= info.min) & (filled <= info.max), filled, missing)
    values: npt.NDArray[Any] = filled.astype(dtype)
    return values


def _series(column: Any) -> pl.Series:
    """Return a column as a Polars series."""
    series = pl.from_arrow(_whole(column))
    assert isinstance(series, pl.Series)  # one column gives a series, not a frame
    return series


def _seats(column: Any) -> npt.NDArray[np.int8]:
    """Return a column of lists of seats as masks; a seat that no table has sets the sign bit."""
    lists = _series(column)
    if lists.dtype == pl.Null:
        return np.zeros(len(lists), dtype=np.int8)
    if not isinstance(lists.dtype, pl.List):
        raise pa.ArrowTypeError(f"{column.type} where a list of seats belongs")
    seats = pl.DataFrame({"row": np.arange(len(lists)), "seat": lists}).explode("seat")
    seats = seats.drop_nulls("seat")
    masks = np.zeros(len(lists), dtype=np.int8)
    seat = seats["seat"].cast(pl.Int64).to_numpy()
    bit = np.where((seat >= 0) & (seat < _SEATS), 1 << (seat & 3), _NO_SEAT).astype(np.int8)
    np.bitwise_or.at(masks, seats["row"].to_numpy(), bit)
    return masks


def _read_feeders(column: Any, hands: Hands) -> None:
    """Write who fed each open kan, from lists of seats in the order of the kans."""
    for row, seats in enumerate(column.to_pylist() if column.null_count < len(column) else ()):
        if seats:
            kans = np.flatnonzero(hands.meld_kind[row] == DAIMINKAN)
            if len(kans) == len(seats) and all(0 <= seat < _SEATS for seat in seats):
                hands.meld_from[row, kans] = seats
            elif hands.fault[row] == 0:
                hands.fault[row] = FAULT["bad_feeders"]


def _text(column: Any) -> tuple[Bytes, Offsets]:
    """Return the bytes of a text column and int32[N + 1] offsets into them; NULL is empty.

    The bytes are always read-only, so that a kernel is compiled for one type only.
    """
    array = _whole(column)
    array = _whole(array.cast(pa.string()))
    _, offsets, data = array.buffers()
    text = np.frombuffer(data if data is not None and data.size else b"\0", dtype=np.uint8)
    text.flags.writeable = False
    return text, _offsets(offsets, array.offset, len(array))


def _offsets(buffer: Any, first: int, count: int) -> Offsets:
    """Return int32[count + 1] offsets from an Arrow buffer; zeros if an empty array has none."""
    if buffer is None or buffer.size == 0:
        return np.zeros(count + 1, dtype=np.int32)
    return np.frombuffer(buffer, dtype=np.int32)[first : first + count + 1].copy()


def _indicators(
    text: tuple[Bytes, Offsets], lists: Offsets, out: npt.NDArray[np.int8],
    fault: npt.NDArray[np.int8], code: int,
) -> None:  # fmt: skip
    kinds = np.full(len(text[1]) - 1, NO_TILE, dtype=np.int8)
    parse_single_tiles(*text, kinds)
    fill_lists(kinds, lists, out, fault, code)


_UNREADABLE_HAND = FAULT["unreadable_hand"]
_UNREADABLE_MELDS = FAULT["unreadable_melds"]
_HIDDEN_TILES = FAULT["hidden_tiles"]
_TOO_MANY_MELDS = FAULT["too_many_melds"]
_MOST_DIGITS = 24
_LONGEST_NAME = 40
"""How many characters are kept of a text that is in the place of tiles."""
_SEATS = 4
_NO_SEAT = -128
_UNREADABLE = -2
_SPACE, _COLON = 32, 58
_M, _P, _S, _Z, _F = 109, 112, 115, 122, 102
_A, _C, _K, _T = 97, 99, 107, 116
_NORTH_ASIDE = -1
_FIRST_HONOUR = 27
_MOST_MELDS, _TOO_MANY_NORTHS = 4, 5
_KIND_OF = KIND_OF


@inner
def tile_code(digit: int, suit: int) -> int:
    """Return the code of a tile by its two characters (see ``paifu.game.tiles``), else -2."""
    number = digit - ZERO
    if number < 0 or number > 9:
        return _UNREADABLE
    if suit in (_M, _P, _S):
        at = 0 if suit == _M else 1 if suit == _P else 2
        return RED_5M + at if number == 0 else 9 * at + number - 1
    if suit == _Z:
        return HIDDEN if number == 0 else 26 + number if number <= 7 else _UNREADABLE
    if suit == _F and 1 <= number <= 8:
        return FIRST_FLOWER + number - 1
    return _UNREADABLE


@njit
def parse_hands(
    data: Bytes,
    offsets: Offsets,
    concealed: npt.NDArray[np.int8],
    reds: npt.NDArray[np.int8],
    flowers: npt.NDArray[np.int8],
    fault: npt.NDArray[np.int8],
) -> None:
    """Count the tiles of each hand's MPSZ text into ``concealed``, ``reds`` and ``flowers``."""
    digits = np.zeros(_MOST_DIGITS, dtype=np.uint8)
    for hand in range(len(offsets) - 1):
        waiting, tiles = 0, 0
        for at in range(offsets[hand], offsets[hand + 1]):
            character = data[at]
            if is_digit(character):
                if waiting == _MOST_DIGITS:
                    fault[hand] = _UNREADABLE_HAND
                    break
                digits[waiting] = character
                waiting += 1
            elif character == _SPACE:
                continue
            elif waiting == 0:
                fault[hand] = _UNREADABLE_HAND
                break
            else:
                tiles += waiting
                if tiles > _MOST_DIGITS:
                    fault[hand] = _UNREADABLE_HAND
                    break
                for index in range(waiting):
                    code = tile_code(digits[index], character)
                    if code == _UNREADABLE:
                        fault[hand] = _UNREADABLE_HAND
                    elif code == HIDDEN:
                        if fault[hand] == 0:
                            fault[hand] = _HIDDEN_TILES
                    elif code >= FIRST_FLOWER:
                        flowers[hand] = min(flowers[hand] + 1, _MOST_DIGITS)
                    else:
                        concealed[hand, _KIND_OF[code]] += 1
                        if code >= RED_5M:
                            reds[hand] += 1
                waiting = 0
        if waiting:
            fault[hand] = _UNREADABLE_HAND


class _Melds(NamedTuple):
    """The arrays of :class:`Hands` that melds are written to."""

    meld_kind: npt.NDArray[np.int8]
    meld_tile: npt.NDArray[np.int8]
    reds: npt.NDArray[np.int8]
    kita: npt.NDArray[np.int8]
    fault: npt.NDArray[np.int8]


@inner
def _meld_of(data: Bytes, word: int, end: int) -> int:
    """Return the meld that a word names: ``CHI`` … ``ANKAN``, ``_NORTH_ASIDE`` or ``NO_MELD``."""
    length, first = end - word, data[word]
    if length == 3:
        return CHI if first == _C else PON if first == _P else DAIMINKAN if first == _K else NO_MELD
    if length == 4 and first == _K and data[word + 2] == _T:
        return _NORTH_ASIDE
    if length == 5:
        return KAKAN if first == _K else ANKAN if first == _A else NO_MELD
    return NO_MELD


@inner
def _read_set(data: Bytes, at: int, made: int, tiles: int) -> tuple[int, int]:
    """Read a meld's tiles, as ``340s``: return its lowest kind or -1, and how many are red."""
    suit = data[at + tiles]
    low, high, total, distinct, reds = KINDS, -1, 0, True, 0
    for place in range(at, at + tiles):
        code = tile_code(data[place], suit)
        if code < 0 or code >= FIRST_FLOWER:
            return -1, reds
        reds += RED_5M <= code <= RED_5S
        kind = _KIND_OF[code]
        distinct = distinct and kind != low and kind != high
        low, high, total = min(low, kind), max(high, kind), total + kind
    if made == CHI:
        fits = high - low == 2 and total == 3 * low + 3 and distinct and high < _FIRST_HONOUR
    else:
        fits = low == high
    return (low if fits else -1), reds


@inner
def _read_meld(data: Bytes, at: int, end: int, made: int, hand: int, melds: _Melds) -> int:
    """Read the tiles that follow a meld's word (``:340s``); return where the meld ends."""
    tiles = 3 if made in (CHI, PON) else 4
    after = at + tiles + 2
    if made == NO_MELD or after > end or data[at] != _COLON:
        melds.fault[hand] = _UNREADABLE_MELDS
        return end
    place = 0
    while place < _MOST_MELDS and melds.meld_kind[hand, place] != NO_MELD:
        place += 1
    if place == _MOST_MELDS:
        melds.fault[hand] = _TOO_MANY_MELDS
        return end
    low, reds = _read_set(data, at + 1, made, tiles)
    melds.reds[hand] += reds
    if low < 0 or (after < end and data[after] != _SPACE):
        melds.fault[hand] = _UNREADABLE_MELDS
        return end
    melds.meld_kind[hand, place] = made
    melds.meld_tile[hand, place] = low
    return after


@njit
def parse_melds(data: Bytes, offsets: Offsets, melds: _Melds) -> None:
    """Read each hand's melds: words like ``chi:123s pon:777z kan:1111p kakan:… ankan:… kita``."""
    for hand in range(len(offsets) - 1):
        at, end = offsets[hand], offsets[hand + 1]
        while at < end and melds.fault[hand] == 0:
            if data[at] == _SPACE:
                at += 1
                continue
            word = at
            while at < end and data[at] != _SPACE and data[at] != _COLON:
                at += 1
            made = _meld_of(data, word, at)
            if made != _NORTH_ASIDE:
                at = _read_meld(data, at, end, made, hand, melds)
                continue
            melds.kita[hand] = min(melds.kita[hand] + 1, _TOO_MANY_NORTHS)
            if at < end and data[at] == _COLON:
                melds.fault[hand] = _UNREADABLE_MELDS


@njit
def parse_single_tiles(data: Bytes, offsets: Offsets, kinds: npt.NDArray[np.int8]) -> None:
    """Write the kind of each one-tile text; -1 for empty text, -2 for text that is not a tile."""
    for index in range(len(kinds)):
        start = offsets[index]
        length = offsets[index + 1] - start
        if length == 0:
            kinds[index] = NO_TILE
            continue
        code = tile_code(data[start], data[start + 1]) if length == 2 else _UNREADABLE
        kinds[index] = _KIND_OF[code] if 0 <= code < FIRST_FLOWER else _UNREADABLE


@njit
def fill_lists(
    kinds: npt.NDArray[np.int8],
    lists: Offsets,
    out: npt.NDArray[np.int8],
    fault: npt.NDArray[np.int8],
    code: int,
) -> None:
    """Write list ``i`` of ``kinds`` into row ``i`` of ``out``; a list too long is a fault."""
    width = out.shape[1]
    for row in range(len(out)):
        if lists[row + 1] - lists[row] > width and fault[row] == 0:
            fault[row] = code
        for index in range(lists[row], min(lists[row + 1], lists[row] + width)):
            if kinds[index] < 0:
                if fault[row] == 0:
                    fault[row] = code
            else:
                out[row, index - lists[row]] = kinds[index]
