"""Winning hands as arrays: the tiles, melds and circumstances that the rules engine scores.

:class:`Hands` is the input of :func:`paifu.rules.engine.score`. Rescoring builds it from table
``wins`` (``from_wins``), the simulator from its own arrays, the calculator from text. No value in
it is trusted: :meth:`Hands.faults` looks for impossible hands, and a hand with a fault gets a
reason instead of a score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from paifu.errors import Fault
from paifu.game.tiles import IS_YAOCHUU, KINDS, NORTH
from paifu.kernels.compiling import inner, njit
from paifu.rules.hands.faults import FAULT
from paifu.rules.hands.reading_kernels import ANKAN, CHI, DAIMINKAN, NO_MELD, PON

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
BoolArray = npt.NDArray[np.bool_]

MELD_WORDS: tuple[str, ...] = ("", "chi", "pon", "kan", "kakan", "ankan")
"""The word for each kind of meld in text; ``kan`` is an open kan (daiminkan)."""

MAX_INDICATORS = 5


def _array(dtype: type[np.generic], fill: int | str = 0, *shape: int) -> Any:
    return field(metadata={"dtype": dtype, "fill": fill, "shape": shape})


@dataclass(slots=True, kw_only=True)
class Hands:
    """``N`` winning hands, as a struct of arrays. :meth:`blank` makes empty hands to fill in.

    Tiles are kinds 0-33 (a red five counts as a five, and ``reds`` has the number of red fives).
    Seats are 0-3. Winds are 0 (east) to 3 (north). -1 means that there is no tile, seat or wind.
    """

    concealed: Int8Array = _array(np.int8, 0, KINDS)
    """int8[N, 34]: copies of each kind in the concealed hand, the winning tile included."""
    meld_kind: Int8Array = _array(np.int8, NO_MELD, 4)
    """int8[N, 4]: ``CHI`` … ``ANKAN``; melds come first, then ``NO_MELD``."""
    meld_tile: Int8Array = _array(np.int8, -1, 4)
    """int8[N, 4]: lowest kind of each meld."""
    win_tile: Int8Array = _array(np.int8, -1)
    reds: Int8Array = _array(np.int8)
    """int8[N]: red fives in hand and melds, the winning tile included."""
    kita: Int8Array = _array(np.int8)
    """int8[N]: norths set aside."""
    players: Int8Array = _array(np.int8, 4)
    winner: Int8Array = _array(np.int8)
    loser: Int8Array = _array(np.int8, -1)
    """int8[N]: seat that discarded the winning tile or was robbed of it; -1 for tsumo."""
    dealer: Int8Array = _array(np.int8)
    seat_wind: Int8Array = _array(np.int8)
    round_wind: Int8Array = _array(np.int8)
    tsumo: BoolArray = _array(np.bool_)
    riichi: BoolArray = _array(np.bool_)
    """bool[N]: in riichi of any sort."""
    double_riichi: BoolArray = _array(np.bool_)
    open_riichi: BoolArray = _array(np.bool_)
    ippatsu: BoolArray = _array(np.bool_)
    rinshan: BoolArray = _array(np.bool_)
    after_kita: BoolArray = _array(np.bool_)
    """bool[N]: won on the tile drawn for a north set aside."""
    haitei: BoolArray = _array(np.bool_)
    houtei: BoolArray = _array(np.bool_)
    after_rinshan: BoolArray = _array(np.bool_)
    """bool[N]: won on the discard after a rinshan draw."""
    chankan: BoolArray = _array(np.bool_)
    kita_ron: BoolArray = _array(np.bool_)
    first_turn: BoolArray = _array(np.bool_)
    """bool[N]: won before the winner's first discard and before any call."""
    loser_riichi: BoolArray = _array(np.bool_)
    honba: Int16Array = _array(np.int16)
    """int16[N]: honba that this win is paid; 0 for later winners on a tile. ``sticks`` likewise."""
    sticks: Int16Array = _array(np.int16)
    table_honba: Int16Array = _array(np.int16)
    """int16[N]: honba on the table, for a two-han minimum."""
    dora_indicators: Int8Array = _array(np.int8, -1, MAX_INDICATORS)
    ura_indicators: Int8Array = _array(np.int8, -1, MAX_INDICATORS)
    kuitan: BoolArray = _array(np.bool_, 1)
    """bool[N]: open tanyao counts in this game, if the rule set leaves it to the game."""
    aka: BoolArray = _array(np.bool_, 1)
    """bool[N]: red fives are dora in this game, likewise."""
    pao_daisangen: Int8Array = _array(np.int8, -1)
    pao_daisuushi: Int8Array = _array(np.int8, -1)
    pao_suukantsu: Int8Array = _array(np.int8, -1)
    """int8[N]: seat that fed the last set, if it was a call."""
    wareme: Int8Array = _array(np.int8, -1)
    """int8[N]: seat in front of which the wall was broken; -1 if not known."""
    dealer_wins: Int16Array = _array(np.int16)
    """int16[N]: rounds the dealer has won in a row before this one."""
    dealer_rounds: Int16Array = _array(np.int16)
    """int16[N]: rounds the dealer has dealt in a row before this one."""
    flowers: Int8Array = _array(np.int8)
    """int8[N]: flower tiles set aside (games other than riichi)."""
    last_copy: BoolArray = _array(np.bool_)
    """bool[N]: the other three copies of the winning tile are open on the table."""
    meld_from: Int8Array = _array(np.int8, -1, 4)
    """int8[N, 4]: seat that fed each meld; -1 if no seat did or it is not known."""
    liable: Int8Array = _array(np.int8, -1)
    """int8[N]: seat that must pay for all by the rules of the table."""
    wild: Int8Array = _array(np.int8, -1)
    """int8[N]: kind that stands for any tile."""
    bird: Int8Array = _array(np.int8, -1)
    """int8[N]: kind turned up after the win; its number decides a seat."""
    out: Int8Array = _array(np.int8)
    """int8[N]: mask of the seats that have won already; a bit beyond the table's seats is a
    fault."""
    raised: Int8Array = _array(np.int8)
    """int8[N]: mask of the seats that raised their wins and losses before the hand."""
    dealt: BoolArray = _array(np.bool_)
    """bool[N]: the hand is not a win, but is paid as dealt."""
    triple_ron: BoolArray = _array(np.bool_)
    """bool[N]: three seats win on the tile."""
    name: npt.NDArray[np.object_] = _array(np.object_, "")
    """object[N]: text in the place of tiles, such as the name of a hand."""
    fault: Int8Array = _array(np.int8)
    """int8[N]: code of the fault in the text of the hand; 0 if there is no fault."""

    def __len__(self) -> int:
        """Return how many hands there are."""
        return len(self.win_tile)

    @classmethod
    def blank(cls, count: int) -> Self:
        """Return ``count`` hands without tiles: ron by east in an east round, without dora."""
        return cls(
            **{
                spec.name: np.full(
                    (count, *spec.metadata["shape"]), spec.metadata["fill"], spec.metadata["dtype"]
                )
                for spec in fields(cls)
            }
        )

    def __getitem__(self, rows: slice | npt.NDArray[Any]) -> Hands:
        """Return the hands of some rows: a slice, an index array or a mask."""
        return Hands(**{spec.name: getattr(self, spec.name)[rows] for spec in fields(self)})

    @property
    def is_open(self) -> BoolArray:
        """bool[N]: the hand has a meld other than an ankan."""
        kinds = self.meld_kind
        open_meld: BoolArray = ((kinds != NO_MELD) & (kinds != ANKAN)).any(axis=1)
        return open_meld

    def faults(self) -> Int8Array:
        """Return int8[N]: the code, an index into ``FAULT_KEYS``, of each hand's first fault."""
        codes = self.fault.copy()
        _find_faults(_Checked(*(getattr(self, name) for name in _Checked._fields)), codes)
        ron = ~self.tsumo
        won_as_ron = self.houtei | self.after_rinshan | self.chankan | self.kita_ron
        fed_by_no_one = np.zeros(len(self), dtype=np.bool_)
        for feeder in (self.pao_daisangen, self.pao_daisuushi, self.pao_suukantsu):
            fed_by_no_one |= (feeder < -1) | (feeder >= self.players)
        for key, wrong in (
            ("bad_seat", fed_by_no_one),
            ("riichi_open", self.riichi & self.is_open),
            (
                "ippatsu_without_riichi",
                (self.ippatsu | self.double_riichi | self.open_riichi) & ~self.riichi,
            ),
            ("own_tile", ron & (self.loser == self.winner)),
            ("tsumo_loser", self.tsumo & ((self.loser >= 0) | self.loser_riichi)),
            ("tsumo_event", ((self.rinshan | self.haitei) & ron) | (won_as_ron & self.tsumo)),
            ("kita_ron", self.kita_ron & ((self.players != 3) | (self.win_tile != NORTH))),
            *_impossible_circumstances(self),
        ):
            codes[wrong & (codes == 0)] = FAULT[key]
        return codes


def _impossible_circumstances(hands: Hands) -> Iterator[tuple[str, BoolArray]]:
    """Yield the keys of impossible circumstances, and which hands have them (bool[N]).

    A robbed kan or north is not completed, so it need not end the first turn. Only kokushi may rob
    an ankan; any other robbed kan was added to a pon.
    """
    kinds = hands.meld_kind
    has_meld = (kinds != NO_MELD).any(axis=1)
    replaced = ((kinds != NO_MELD) & (kinds != CHI) & (kinds != PON)).any(axis=1) | (hands.kita > 0)
    last_tile = hands.haitei | hands.houtei
    one_ron = hands.houtei.astype(np.int8) + hands.chankan + hands.kita_ron
    one_ron += hands.after_rinshan & ~hands.houtei
    yield "one_ron", one_ron > 1
    yield "rinshan_without_kan", hands.rinshan & ~replaced
    yield "rinshan_without_kan", hands.after_kita & ~(hands.rinshan & (hands.kita > 0))
    # a double riichi comes before every call and kan, and the kans of its hand after it
    kan_since = hands.rinshan | hands.after_rinshan | (hands.double_riichi & replaced)
    yield "ippatsu_over", hands.ippatsu & kan_since
    for feeder in (hands.pao_daisangen, hands.pao_daisuushi, hands.pao_suukantsu):
        yield "own_pao", (feeder >= 0) & (feeder == hands.winner)
    yield "own_pao", (hands.liable >= 0) & (hands.liable == hands.winner)
    yield "own_feed", (hands.meld_from == hands.winner[:, None]).any(axis=1)
    yield "dealer_streak", (hands.dealer_rounds > 0) & (hands.dealer_rounds < hands.dealer_wins)
    dora, ura = ((each >= 0).sum(axis=1) for each in (hands.dora_indicators, hands.ura_indicators))
    yield "ura_without_riichi", (ura > 0) & ~hands.riichi
    yield "ura_beyond_dora", (dora > 0) & (ura > dora)
    first = hands.first_turn
    yield "first_turn_called", first & (has_meld | (hands.kita > 0) | hands.after_rinshan)
    if (first & hands.chankan).any():
        orphans = (hands.concealed[:, IS_YAOCHUU] > 0).all(axis=1)
        yield "first_turn_called", first & hands.chankan & ~orphans
    yield "first_turn_riichi", first & hands.riichi
    if (first & ~hands.tsumo).any():
        yield "first_turn_order", first & ~hands.tsumo & ~_plays_before(hands)
    first_go_around = first | (hands.double_riichi & hands.ippatsu)
    yield "first_turn_last_tile", first_go_around & last_tile
    if (hands.chankan | hands.last_copy).any():
        rows = np.arange(len(hands))
        held = hands.concealed[rows, np.clip(hands.win_tile, 0, KINDS - 1)]
        yield "last_copy_held", hands.last_copy & (held > 1)
        yield "chankan_copy", hands.chankan & (held + _shown_copies(hands) > 1)


def _plays_before(hands: Hands) -> BoolArray:
    """Return bool[N]: the loser, if given, has its first turn before the winner."""
    seats = np.maximum(hands.players, 1)
    nth = (hands.winner - hands.dealer) % seats
    before: BoolArray = (hands.loser - hands.dealer) % seats < nth
    return np.where(hands.loser >= 0, before, nth > 0)


def _shown_copies(hands: Hands) -> Int8Array:
    """Return int8[N]: copies of the winning tile in melds, indicators and norths set aside."""
    tile = hands.win_tile[:, None]
    kinds, low = hands.meld_kind, hands.meld_tile
    in_chi = (kinds == CHI) & (low <= tile) & (tile <= low + 2)
    in_set = (kinds != NO_MELD) & (kinds != CHI) & (low == tile)
    shown = in_chi.sum(axis=1) + 3 * in_set.sum(axis=1)
    for indicators in (hands.dora_indicators, hands.ura_indicators):
        shown += (indicators == tile).sum(axis=1)
    shown += np.where(hands.win_tile == NORTH, hands.kita, 0)
    copies: Int8Array = np.minimum(shown, np.iinfo(np.int8).max).astype(np.int8)
    return copies


def find_foreign_facts(hands: Hands, known: frozenset[str], codes: Int8Array) -> None:
    """Write into ``codes`` (where it is 0) the facts of a hand that its game does not know.

    ``known`` has the facts of ``paifu.rules.fan.game.TABLE_FACTS`` that the game knows. If the game
    needs the seat that fed an open kan, a missing seat is a fault.
    """
    riichi = hands.riichi | hands.double_riichi | hands.open_riichi | hands.ippatsu
    riichi = (
        riichi | (hands.honba > 0) | (hands.sticks > 0) | (hands.kita > 0)
        | (hands.dora_indicators >= 0).any(axis=1) | (hands.ura_indicators >= 0).any(axis=1)
    )  # fmt: skip
    for name, given in (
        ("flowers", hands.flowers > 0),
        ("wild", hands.wild >= 0),
        ("bird", hands.bird >= 0),
        ("liable", hands.liable >= 0),
        ("out", hands.out != 0),
        ("raised", hands.raised != 0),
        ("fed", (hands.meld_from >= 0).any(axis=1)),
        ("triple_ron", hands.triple_ron),
        ("dealt", hands.dealt),
        ("reds", hands.reds > 0),
        ("riichi", riichi),
    ):
        if name not in known:
            codes[given & (codes == 0)] = FAULT[f"foreign_{name}"]
    if "fed" in known:
        fed_by = (hands.meld_kind == DAIMINKAN) & (hands.meld_from < 0)
        codes[fed_by.any(axis=1) & (codes == 0)] = FAULT["feeder_unknown"]


def seat_faults(hands: Hands) -> BoolArray:
    """Return bool[N]: a seat other than winner, loser and dealer is not a seat of the table."""
    beyond = np.int8(-1) << hands.players.astype(np.int8)
    seats = (hands.liable < -1) | (hands.liable >= hands.players)
    seats |= ((hands.meld_from < -1) | (hands.meld_from >= hands.players[:, None])).any(axis=1)
    found: BoolArray = seats | (((hands.out | hands.raised) & beyond) != 0)
    return found


_COPIES = 4
_EVERY_KIND = frozenset(range(KINDS))
_NOT_IN_SANMA = np.isin(np.arange(KINDS), range(1, 8))
"""bool[34]: the kinds that three players do not have, 2m to 8m."""


def fault_in(hands: Hands, row: int, key: str, game_kinds: frozenset[int] = _EVERY_KIND) -> Fault:
    """Return the fault ``key`` of hand ``row``, with the tiles or the number it is about.

    ``game_kinds`` are the kinds of tile the hand's game is played with.
    """
    if key == "tile_count":
        melds = int((hands.meld_kind[row] != NO_MELD).sum())
        return Fault(key, number=int(hands.concealed[row].sum(dtype=np.int64)) + 3 * melds)
    tile = int(hands.win_tile[row])
    if key == "last_copy_held":
        return Fault(key, ((tile, int(hands.concealed[row, tile])),))
    if key not in ("five_copies", "sanma_tiles", "foreign_tiles", "chankan_copy"):
        return Fault(key)
    copies = _own_copies(hands, row)
    if key == "foreign_tiles":
        copies += _copies_of([hands.wild[row], hands.bird[row]])
        asked = ~np.isin(np.arange(KINDS), list(game_kinds))
    else:
        copies[NORTH] += hands.kita[row]
        copies += _copies_of([*hands.dora_indicators[row], *hands.ura_indicators[row]])
        asked = {
            "five_copies": copies > _COPIES,
            "chankan_copy": np.arange(KINDS) == tile,
            "sanma_tiles": _NOT_IN_SANMA,
        }[key]
    there = np.flatnonzero(asked & (copies > 0))
    return Fault(key, tuple((int(kind), int(copies[kind])) for kind in there))


def _own_copies(hands: Hands, row: int) -> npt.NDArray[np.int64]:
    """Return int64[34]: copies of each kind in a hand and its melds."""
    copies: npt.NDArray[np.int64] = hands.concealed[row].astype(np.int64)
    melds = zip(hands.meld_kind[row].tolist(), hands.meld_tile[row].tolist(), strict=True)
    for made, tile in melds:
        if made == CHI:
            copies[tile : tile + 3] += 1
        elif made != NO_MELD:
            copies[tile] += 3 if made == PON else 4
    return copies


def _copies_of(kinds: list[Any]) -> npt.NDArray[np.int64]:
    """Return int64[34]: copies of each kind in ``kinds``, where -1 is ignored."""
    known = np.array([kind for kind in kinds if kind >= 0], dtype=np.int64)
    copies: npt.NDArray[np.int64] = np.bincount(known, minlength=KINDS)
    return copies


_BAD_SEAT = FAULT["bad_seat"]
_BAD_MELD = FAULT["bad_meld"]
_TILE_COUNT = FAULT["tile_count"]
_FIVE_COPIES = FAULT["five_copies"]
_TOO_MANY_REDS = FAULT["too_many_reds"]
_WIN_TILE_ABSENT = FAULT["win_tile_absent"]
_SANMA_TILES = FAULT["sanma_tiles"]
_SANMA_CHI = FAULT["sanma_chi"]
_KITA = FAULT["kita"]
_FIVES = (4, 13, 22)
_FIRST_HONOUR, _HAND_TILES = 27, 14


class _Checked(NamedTuple):
    """The arrays of :class:`Hands` that are checked for impossible seats and tiles."""

    concealed: Int8Array
    meld_kind: Int8Array
    meld_tile: Int8Array
    win_tile: Int8Array
    reds: Int8Array
    kita: Int8Array
    players: Int8Array
    winner: Int8Array
    loser: Int8Array
    dealer: Int8Array
    seat_wind: Int8Array
    round_wind: Int8Array
    dora_indicators: Int8Array
    ura_indicators: Int8Array


@inner
def _seats_fit(hands: _Checked, hand: int) -> bool:
    """Return whether all seats are seats of the table and have the right winds."""
    players, winner, dealer = hands.players[hand], hands.winner[hand], hands.dealer[hand]
    if players != 3 and players != 4:
        return False
    if not (0 <= winner < players and -1 <= hands.loser[hand] < players and 0 <= dealer < players):
        return False
    own_wind = (winner - dealer) % players
    return bool(0 <= hands.round_wind[hand] <= 3 and hands.seat_wind[hand] == own_wind)


@inner
def _count_concealed(hands: _Checked, hand: int, copies: Int16Array) -> int:
    """Copy the counts of the hand; return their sum, -1 if a count is impossible."""
    total = 0
    known = True
    for kind in range(KINDS):
        count = hands.concealed[hand, kind]
        known = known and 0 <= count <= _HAND_TILES
        copies[kind] = count
        total += count
    return total if known else -1


@inner
def _add_meld(made: int, tile: int, players: int, copies: Int16Array) -> int:
    """Add a meld's tiles to ``copies``; return its fault or 0."""
    if made < NO_MELD or made > ANKAN or tile < 0 or tile >= KINDS:
        return _BAD_MELD
    if made != CHI:
        copies[tile] += 3 if made == PON else 4
        return 0
    if tile >= _FIRST_HONOUR or tile % 9 > 6:
        return _BAD_MELD
    for step in range(3):
        copies[tile + step] += 1
    return _SANMA_CHI if players == 3 else 0


@inner
def _add_melds(hands: _Checked, hand: int, copies: Int16Array) -> tuple[int, int]:
    """Add all melds to ``copies``; return their fault or 0, and how many there are."""
    fault, melds = 0, 0
    for place in range(4):
        made, tile = hands.meld_kind[hand, place], hands.meld_tile[hand, place]
        if made == NO_MELD:
            continue
        melds += 1
        found = _add_meld(made, tile, hands.players[hand], copies)
        if found == _BAD_MELD:
            return found, melds
        if found:
            fault = found
    return fault, melds


@inner
def _win_tile_fits(hands: _Checked, hand: int) -> bool:
    tile = hands.win_tile[hand]
    return bool(0 <= tile < KINDS and hands.concealed[hand, tile] != 0)


@inner
def _kita_fit(hands: _Checked, hand: int) -> bool:
    return bool(0 <= hands.kita[hand] <= (4 if hands.players[hand] == 3 else 0))


@inner
def _fault_of_copies(hands: _Checked, hand: int, copies: Int16Array) -> int:
    """Add norths and indicators to ``copies``; return the fault of the counts or 0."""
    copies[NORTH] += hands.kita[hand]
    for at in range(hands.dora_indicators.shape[1]):
        for tile in (hands.dora_indicators[hand, at], hands.ura_indicators[hand, at]):
            if 0 <= tile < KINDS:
                copies[tile] += 1
    fault = 0
    for kind in range(KINDS):
        if copies[kind] > 4:
            fault = _FIVE_COPIES
        elif hands.players[hand] == 3 and _NOT_IN_SANMA[kind] and copies[kind] > 0:
            fault = _SANMA_TILES
    return fault


@inner
def _fault_of(hands: _Checked, hand: int, copies: Int16Array) -> int:
    """Return the first fault of a hand's seats and tiles or 0; ``copies`` int16[34] is room."""
    if not _seats_fit(hands, hand):
        return _BAD_SEAT
    tiles = _count_concealed(hands, hand, copies)
    fault, melds = _add_melds(hands, hand, copies)
    if fault:
        return fault
    if tiles < 0 or tiles + 3 * melds != _HAND_TILES:
        return _TILE_COUNT
    if not _kita_fit(hands, hand):
        return _KITA
    if not _win_tile_fits(hands, hand):
        return _WIN_TILE_ABSENT
    fives = copies[_FIVES[0]] + copies[_FIVES[1]] + copies[_FIVES[2]]
    if hands.reds[hand] < 0 or hands.reds[hand] > fives:
        return _TOO_MANY_REDS
    return _fault_of_copies(hands, hand, copies)


@njit
def _find_faults(hands: _Checked, codes: Int8Array) -> None:
    """Write the fault of each hand's seats and tiles into ``codes`` (int8[N]) where it is 0."""
    copies = np.zeros(KINDS, dtype=np.int16)
    for hand in range(len(codes)):
        if codes[hand] == 0:
            codes[hand] = _fault_of(hands, hand, copies)
