"""Winning hands held as arrays: the tiles, melds and circumstances the rules engine scores.

:class:`Hands` is what everybody hands to :func:`paifu.rules.engine.score`: rescoring builds it from
table ``wins`` (``from_wins``), the simulator from its own arrays, the calculator
from text. Nothing in it is trusted: :func:`find_faults` looks for what cannot be, and a hand with a
fault is answered with its reason instead of a score.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paifu.game.tiles import KINDS, NORTH
from paifu.kernels.compiling import njit
from paifu.rules.hands.reading_kernels import ANKAN, CHI, DAIMINKAN, NO_MELD, PON

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
BoolArray = npt.NDArray[np.bool_]

MAX_INDICATORS = 5

FAULTS: dict[str, str] = {
    "ok": "",
    # text that cannot be read
    "unreadable_hand": "the hand is not written in tiles like 123m0456p11z",
    "unreadable_melds": "the melds are not written like chi:123s pon:777z ankan:2222s kita",
    "unreadable_win_tile": "the winning tile is not one tile",
    "unreadable_indicators": "an indicator is not one tile",
    "bad_feeders": "who fed the open kans is not a seat for each, in their order",
    "hidden_tiles": "tiles of the hand are not known",
    # what cannot be
    "bad_seat": "a seat or wind is not one of the table's",
    "bad_meld": "a meld is not a run, a triplet or a kan",
    "too_many_melds": "there are more than four melds",
    "tile_count": "the tiles are not fourteen, a kan counted as three",
    "five_copies": "there are more than four copies of a tile, indicators and norths counted",
    "too_many_reds": "there are more red fives than fives",
    "win_tile_absent": "the winning tile is not in the concealed hand",
    "sanma_tiles": "three players have no 2m-8m",
    "sanma_chi": "three players have no chi",
    "kita": "only three players set norths aside, at most four",
    "riichi_open": "riichi with an open hand",
    "ippatsu_without_riichi": "ippatsu, double riichi or open riichi without riichi",
    "own_tile": "a ron on the winner's own tile",
    "tsumo_event": "rinshan and haitei are tsumo, houtei, chankan and a ronned kita are ron",
    "foreign_tiles": "the game has no such tile",
    "foreign_flowers": "the game has no flowers, or not so many",
    "foreign_chi": "the game has no chi",
    "foreign_players": "the game is for another number of players",
    "foreign_wild": "the game has no wild tile",
    "foreign_bird": "the game has no bird tile",
    "foreign_liable": "the game makes no seat pay for all; riichi's liability is pao",
    "foreign_out": "the game ends with its first win, so that no seat has won before",
    "foreign_raised": "in this game no seat raises its wins and losses",
    "foreign_fed": "who fed a kong makes no difference in this game",
    "feeder_unknown": "which seat fed the open kong is not said",
    "foreign_reds": "the game has no red fives",
    "foreign_riichi": "the game has no riichi, dora, honba, sticks or norths set aside",
    "foreign_triple_ron": "three winners of one tile make no difference in this game",
    "foreign_kong": "a kong by itself is not paid in this game",
    "foreign_dealt": "a hand as dealt is not paid in this game",
    "not_named": "the source names the hands it pays and does not say which tiles they are: name "
    "the hand",
    "unknown_name": "the game's table has no hand of that name",
    "named_otherwise": "its name says how it was won, and the record another way",
    "dealt_tiles": "a hand as dealt has thirteen tiles, the dealer's may have fourteen, no melds",
    "seat_is_out": "a seat that has won already neither wins nor pays again",
    "kita_ron": "only three players set norths aside, and the tile ronned is then a 4z",
}
"""What keeps a hand from being scored, by key, with a sentence; a key's position is its code."""

FAULT_KEYS: tuple[str, ...] = tuple(FAULTS)
FAULT: dict[str, int] = {key: code for code, key in enumerate(FAULTS)}
FIRST_IMPOSSIBLE = FAULT["bad_seat"]
"""Codes from here on are hands that can be read and cannot be."""


def _array(dtype: type[np.generic], fill: int | str = 0, *shape: int) -> Any:
    return field(metadata={"dtype": dtype, "fill": fill, "shape": shape})


@dataclass(slots=True, kw_only=True)
class Hands:
    """``N`` winning hands, struct of arrays. :meth:`blank` makes one to be filled in.

    Tiles are kinds 0-33 (a red five is its five; how many there are is in ``reds``), seats 0-3,
    winds 0 east to 3 north; -1 is none.
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
    """int8[N]: seat whose tile was won on, -1 for tsumo."""
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
    """bool[N]: a rinshan tile drawn for a north set aside."""
    haitei: BoolArray = _array(np.bool_)
    houtei: BoolArray = _array(np.bool_)
    after_rinshan: BoolArray = _array(np.bool_)
    """bool[N]: won on the discard after a rinshan draw."""
    chankan: BoolArray = _array(np.bool_)
    kita_ron: BoolArray = _array(np.bool_)
    first_turn: BoolArray = _array(np.bool_)
    """bool[N]: before the winner's first discard, no call before."""
    loser_riichi: BoolArray = _array(np.bool_)
    honba: Int16Array = _array(np.int16)
    """int16[N]: honba this win is paid; 0 for the later winners of a tile. Likewise ``sticks``."""
    sticks: Int16Array = _array(np.int16)
    table_honba: Int16Array = _array(np.int16)
    """int16[N]: honba on the table, for a two-han minimum."""
    dora_indicators: Int8Array = _array(np.int8, -1, MAX_INDICATORS)
    ura_indicators: Int8Array = _array(np.int8, -1, MAX_INDICATORS)
    kuitan: BoolArray = _array(np.bool_, 1)
    """bool[N]: open tanyao counts in this game, where the rule set leaves it to the game."""
    aka: BoolArray = _array(np.bool_, 1)
    """bool[N]: red fives are dora in this game, likewise."""
    pao_daisangen: Int8Array = _array(np.int8, -1)
    pao_daisuushi: Int8Array = _array(np.int8, -1)
    pao_suukantsu: Int8Array = _array(np.int8, -1)
    """int8[N]: seat that fed the last set, if it was a call."""
    dealer_wins: Int16Array = _array(np.int16)
    """int16[N]: rounds the dealer has won in a row before this one."""
    flowers: Int8Array = _array(np.int8)
    """int8[N]: flower tiles set aside (games other than riichi)."""
    last_copy: BoolArray = _array(np.bool_)
    """bool[N]: the other three copies of the winning tile lie open on the table."""
    meld_from: Int8Array = _array(np.int8, -1, 4)
    """int8[N, 4]: seat that fed each meld, -1 where none did or it is not known."""
    liable: Int8Array = _array(np.int8, -1)
    """int8[N]: seat that the rules of the table make pay for all."""
    wild: Int8Array = _array(np.int8, -1)
    """int8[N]: kind that stands for any tile."""
    bird: Int8Array = _array(np.int8, -1)
    """int8[N]: kind turned up after the win, whose number names a seat."""
    out: Int8Array = _array(np.int8)
    """int8[N]: mask of the seats that have won already; a bit above the table's is a bad seat."""
    raised: Int8Array = _array(np.int8)
    """int8[N]: mask of the seats that raised their wins and losses beforehand."""
    dealt: BoolArray = _array(np.bool_)
    """bool[N]: not a win, but what the hand shows as dealt."""
    triple_ron: BoolArray = _array(np.bool_)
    """bool[N]: three seats win on the tile."""
    name: npt.NDArray[np.object_] = _array(np.object_, "")
    """object[N]: what stands in the place of tiles and is none, such as the name of a hand."""
    fault: Int8Array = _array(np.int8)
    """int8[N]: code of what was wrong with the text it was read from; 0 for nothing."""

    def __len__(self) -> int:
        """Return how many hands there are."""
        return len(self.win_tile)

    @classmethod
    def blank(cls, count: int) -> Self:
        """Return ``count`` hands of no tiles, east's by ron in an east round, no one's dora."""
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
        """Return int8[N], the code in ``FAULT_KEYS`` of the first thing wrong with each hand."""
        codes = self.fault.copy()
        find_faults(
            self.concealed, self.meld_kind, self.meld_tile, self.win_tile, self.reds, self.kita,
            self.players, self.winner, self.loser, self.dealer, self.seat_wind, self.round_wind,
            self.dora_indicators, self.ura_indicators, codes,
        )  # fmt: skip
        ron = ~self.tsumo
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
            ("own_tile", (ron & (self.loser == self.winner)) | (self.tsumo & (self.loser >= 0))),
            (
                "tsumo_event",
                ((self.rinshan | self.haitei) & ron)
                | ((self.houtei | self.chankan | self.kita_ron) & self.tsumo),
            ),
            ("kita_ron", self.kita_ron & ((self.players != 3) | (self.win_tile != NORTH))),
        ):
            codes[wrong & (codes == 0)] = FAULT[key]
        return codes


def find_foreign_facts(hands: Hands, known: frozenset[str], codes: Int8Array) -> None:
    """Write into ``codes`` (where it is 0) what a hand's record has that its game does not know.

    ``known`` names what the game knows, of ``paifu.rules.fan.game.TABLE_FACTS``. A game in which it
    matters who fed an open kan must be told.
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
    """Return bool[N]: a seat named beside the winner, loser and dealer is not one of the table."""
    beyond = np.int8(-1) << hands.players.astype(np.int8)
    seats = (hands.liable < -1) | (hands.liable >= hands.players)
    seats |= ((hands.meld_from < -1) | (hands.meld_from >= hands.players[:, None])).any(axis=1)
    found: BoolArray = seats | (((hands.out | hands.raised) & beyond) != 0)
    return found


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


@njit
def find_faults(
    concealed: Int8Array,
    meld_kind: Int8Array,
    meld_tile: Int8Array,
    win_tile: Int8Array,
    reds: Int8Array,
    kita: Int8Array,
    players: Int8Array,
    winner: Int8Array,
    loser: Int8Array,
    dealer: Int8Array,
    seat_wind: Int8Array,
    round_wind: Int8Array,
    dora_indicators: Int8Array,
    ura_indicators: Int8Array,
    codes: Int8Array,
) -> None:
    """Write into ``codes`` (int8[N], where it is 0) what is wrong with the tiles of each hand."""
    copies = np.zeros(KINDS, dtype=np.int16)
    for hand in range(len(codes)):
        if codes[hand] != 0:
            continue
        if players[hand] != 3 and players[hand] != 4:
            codes[hand] = _BAD_SEAT
            continue
        last = players[hand] - 1
        if (
            not 0 <= winner[hand] <= last
            or not -1 <= loser[hand] <= last
            or not 0 <= dealer[hand] <= last
            or not 0 <= round_wind[hand] <= 3
            or seat_wind[hand] != (winner[hand] - dealer[hand]) % players[hand]
        ):
            codes[hand] = _BAD_SEAT
            continue
        total = 0
        fault = 0
        for kind in range(KINDS):
            count = concealed[hand, kind]
            if count < 0 or count > 14:
                fault = _TILE_COUNT
            copies[kind] = count
            total += count
        for meld in range(4):
            made, tile = meld_kind[hand, meld], meld_tile[hand, meld]
            if made == NO_MELD:
                continue
            if made < NO_MELD or made > ANKAN or tile < 0 or tile >= KINDS:
                fault = _BAD_MELD
                break
            total += 3
            if made == CHI:
                if tile >= 27 or tile % 9 > 6:
                    fault = _BAD_MELD
                    break
                if last == 2:
                    fault = _SANMA_CHI
                for step in range(3):
                    copies[tile + step] += 1
            else:
                copies[tile] += 3 if made == PON else 4
        if fault == 0 and total != 14:
            fault = _TILE_COUNT
        if fault == 0 and (kita[hand] < 0 or kita[hand] > 4 or (kita[hand] > 0 and last == 3)):
            fault = _KITA
        if fault == 0:
            tile = win_tile[hand]
            if tile < 0 or tile >= KINDS or concealed[hand, tile] == 0:
                fault = _WIN_TILE_ABSENT
        if fault == 0:
            fives = copies[_FIVES[0]] + copies[_FIVES[1]] + copies[_FIVES[2]]
            if reds[hand] < 0 or reds[hand] > fives:
                fault = _TOO_MANY_REDS
        if fault == 0:
            copies[NORTH] += kita[hand]
            for at in range(dora_indicators.shape[1]):
                for tile in (dora_indicators[hand, at], ura_indicators[hand, at]):
                    if 0 <= tile < KINDS:
                        copies[tile] += 1
            for kind in range(KINDS):
                if copies[kind] > 4:
                    fault = _FIVE_COPIES
                elif last == 2 and 1 <= kind <= 7 and copies[kind] > 0:
                    fault = _SANMA_TILES
        codes[hand] = fault
