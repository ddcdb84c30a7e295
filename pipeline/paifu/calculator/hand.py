"""One hand to be scored: its tiles as codes, its melds, its circumstances as numbers.

A hand goes through the calculator in one direction: text, :class:`Hand`, arrays, engine.
:func:`typed` reads what a person wrote, and :func:`to_arrays` fills the engine's
:class:`~paifu.rules.hands.hands.Hands`. Messages about a hand are made from :class:`Hand`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from paifu.calculator.circumstances import Circumstances, seat_of, seats_of
from paifu.errors import FactError, Fault, HandError
from paifu.game.notation import WrittenHand, read_hand, read_tiles
from paifu.game.tiles import (
    FIRST_FLOWER,
    HIDDEN,
    IS_RED,
    KIND_OF,
    KINDS,
    NO_TILE,
    TEXT,
    tiles_text,
)
from paifu.rules.fan.game import Game, is_drawn
from paifu.rules.hands.faults import FAULT
from paifu.rules.hands.hands import MAX_INDICATORS, MELD_WORDS, Hands
from paifu.rules.hands.reading_kernels import DAIMINKAN
from paifu.rules.riichi.ruleset import RuleSet

_FLOWERS = range(FIRST_FLOWER, HIDDEN)
_MOST_COUNTERS = 1000
_MOST_MELDS = 4
_MOST_COPIES = np.iinfo(np.int8).max
NO_SEAT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One hand: tiles are codes of :mod:`paifu.game.tiles`, seats 0 to 3; seat 0 is the dealer.

    A seat's number is its wind. ``NO_TILE`` means no tile, ``NO_SEAT`` no seat.
    """

    tiles: list[int] = field(default_factory=list)
    """Concealed tiles with the winning tile, without flowers."""
    melds: list[tuple[str, list[int]]] = field(default_factory=list)
    """Kind (``chi pon kan kakan ankan``) and tiles of each meld."""
    kita: int = 0
    win_tile: int = NO_TILE
    """``NO_TILE`` for a kong by itself, a hand as dealt and a hand paid by its name."""
    flowers: int = 0
    name: str = ""
    """Name of a hand that is paid by its name and has no tiles."""
    players: int = 4
    winner: int = 0
    loser: int = NO_SEAT
    """``NO_SEAT`` for a tsumo."""
    round_wind: int = 0
    tsumo: bool = False
    riichi: bool = False
    """In riichi of any kind."""
    dora: Sequence[int] = ()
    """Indicators."""
    ura: Sequence[int] = ()
    pao: int = NO_SEAT
    liable: int = NO_SEAT
    wild: int = NO_TILE
    bird: int = NO_TILE
    out: Sequence[int] = ()
    fed: Sequence[int] = ()
    raised: Sequence[int] = ()
    circumstances: Circumstances = field(default_factory=Circumstances)
    """The circumstances that are flags and numbers, as given."""

    @property
    def tiles_text(self) -> str:
        """The concealed tiles as MPSZ, or the name of a hand paid by its name."""
        return self.name or tiles_text(self.tiles)

    @property
    def melds_text(self) -> str:
        """The melds as table ``wins`` has them: ``chi:123s pon:777z kita``."""
        return WrittenHand(melds=self.melds, kita=self.kita).melds_text

    @property
    def text(self) -> str:
        """The hand and its melds."""
        return f"{self.tiles_text} {self.melds_text}".strip()

    @property
    def win_text(self) -> str:
        """The winning tile as MPSZ, or "" if there is none."""
        return "" if self.win_tile == NO_TILE else TEXT[self.win_tile]

    @property
    def all_tiles(self) -> Iterator[int]:
        """The tiles of the hand and its melds."""
        return chain(self.tiles, chain.from_iterable(tiles for _, tiles in self.melds))


# --- from text


def typed(
    text: str,
    win: str | None,
    circumstances: Circumstances,
    ruleset: RuleSet | Game,
    notation: str = "mpsz",
) -> Hand:
    """Return the :class:`Hand` of a hand that a person wrote.

    Raises :class:`~paifu.errors.HandError` for text that cannot be read, for tiles that the rule
    set does not have, and for circumstances that do not exist.
    """
    told = circumstances
    players = ruleset.players or 4
    shown = _shown(text, win, told, ruleset, notation)
    winner = seat_of(told.seat, "seat", players)
    other = 0 if told.first_turn and winner else (winner + 1) % players
    loser = seat_of(told.loser, "loser", players) if told.loser else other
    pao = seat_of(told.pao, "pao", players) if told.pao else NO_SEAT
    for name in ("honba", "sticks", "dealer_wins", "dealer_rounds", "flowers"):
        if not 0 <= getattr(told, name) <= _MOST_COUNTERS:
            raise FactError(f"{name} is a number from 0 to {_MOST_COUNTERS}")
    tsumo = told.tsumo
    if isinstance(ruleset, Game):
        kong = _kong_alone(shown["tiles"], shown["melds"])
        tsumo = tsumo or told.dealt or bool(is_drawn(ruleset, shown["name"], kong))
    riichi = told.riichi or told.double_riichi or told.open_riichi
    dora, ura = read_tiles(told.dora or "", notation), read_tiles(told.ura or "", notation)
    if ura and not riichi:
        raise FactError("ura indicators are turned over for riichi only: add --riichi")
    if dora and len(ura) > len(dora):
        raise FactError(
            f"an ura indicator lies under each dora indicator: {len(ura)} ura, {len(dora)} dora"
        )
    _check_seats(told, pao, winner, tsumo=tsumo, chinese=isinstance(ruleset, Game))
    no_kita_ron = isinstance(ruleset, RuleSet) and players == 3 and not ruleset.kita_ron
    if told.kita_ron and no_kita_ron:
        raise HandError(
            f"under {ruleset.name} a north set aside may not be ronned", Fault("kita_ron")
        )
    return Hand(
        **shown,
        circumstances=told,
        players=players,
        winner=winner,
        loser=NO_SEAT if tsumo else loser,
        round_wind=seat_of(told.round, "round", 4),
        tsumo=tsumo,
        riichi=riichi,
        dora=dora,
        ura=ura,
        pao=pao,
        liable=seat_of(told.liable, "liable", players) if told.liable else NO_SEAT,
        wild=_one_tile(told.wild, notation) if told.wild else NO_TILE,
        bird=_one_tile(told.bird, notation) if told.bird else NO_TILE,
        out=seats_of(told.out, "out", players),
        fed=seats_of(told.fed, "fed", players),
        raised=seats_of(told.raised, "raised", players),
    )


def _check_seats(told: Circumstances, pao: int, winner: int, *, tsumo: bool, chinese: bool) -> None:
    """Raise :class:`~paifu.errors.FactError` for circumstances of seats that exclude each other."""
    if tsumo and told.loser is not None:
        raise FactError("nobody discards the winning tile of a tsumo: leave out --loser or --tsumo")
    if tsumo and told.loser_riichi:
        raise FactError("--loser-riichi is about the discarder, and a tsumo has none")
    if pao == winner:
        raise FactError("pao is the seat that fed the winner: it cannot be the winner's own")
    if pao != NO_SEAT and chinese:
        raise FactError("pao is riichi's liability: a seat that pays for all is --liable")
    for name in ("dealer_wins", "dealer_rounds"):
        if getattr(told, name) and winner != 0 and not chinese:
            option = f"--{name.replace('_', '-')}"
            raise FactError(
                f"{option} is about a winner who is the dealer: leave it out, or --seat"
            )
    if 0 < told.dealer_rounds < told.dealer_wins:
        raise FactError("a dealer has dealt every round that he won: --dealer-rounds is too low")


def _shown(
    text: str, win: str | None, told: Circumstances, ruleset: RuleSet | Game, notation: str
) -> dict[str, Any]:
    """Return the fields of a :class:`Hand` that a text gives.

    A kong by itself and a hand as dealt have no winning tile, a hand paid by its name no tiles.
    """
    if isinstance(ruleset, Game) and ruleset.by_name:
        name = text.strip()
        if win is not None or ruleset.by_name.read(name) is None:
            raise HandError(
                f"{ruleset.name} has no hand {name!r}. Its source pays hands by their names and "
                f"does not say which tiles they are: name one of {ruleset.by_name.names}",
                Fault("unknown_name"),
            )
        return {"name": name, "tiles": [], "melds": [], "flowers": told.flowers}
    hand = read_hand(text, notation)
    indicators = read_tiles(told.dora or "", notation) + read_tiles(told.ura or "", notation)
    melded = chain.from_iterable(tiles for _, tiles in hand.melds)
    _check_tiles(chain(hand.tiles, melded, indicators), ruleset)
    plain = [code for code in hand.tiles if code not in _FLOWERS]
    flowers = told.flowers + len(hand.tiles) - len(plain)
    is_kong = isinstance(ruleset, Game) and win is None and _kong_alone(plain, hand.melds)
    if is_kong or told.dealt:
        tiles, tile = plain, NO_TILE
    else:
        hand.tiles = plain
        tiles, tile = _with_winning_tile(hand, win, notation)
    return {
        "name": "", "tiles": tiles, "melds": hand.melds, "kita": hand.kita, "win_tile": tile,
        "flowers": flowers,
    }  # fmt: skip


def _kong_alone(tiles: list[int], melds: list[tuple[str, list[int]]]) -> str:
    """Return the kind of a meld without other tiles, or "" if there are other tiles."""
    return melds[0][0] if len(melds) == 1 and not tiles else ""


def _check_tiles(codes: Iterable[int], ruleset: RuleSet | Game) -> None:
    """Raise :class:`~paifu.errors.HandError` for red fives and flowers that the game lacks."""
    if isinstance(ruleset, Game):
        has_reds, has_flowers = False, "flowers" in ruleset.known_facts
    else:
        has_reds, has_flowers = ruleset.red_fives != "off", False
    for code, count in Counter(codes).items():
        about = ((code, count),)
        if IS_RED[code] and not has_reds:
            plain = TEXT[KIND_OF[code]]
            raise HandError(
                f"{ruleset.name} has no red fives: write {plain} for {TEXT[code]}",
                Fault("foreign_reds", about),
            )
        if IS_RED[code] and count > 1:
            raise HandError(
                f"{ruleset.name} has one red five of each suit: there are {count} of {TEXT[code]}",
                Fault("too_many_reds", about),
            )
        if code in _FLOWERS and not has_flowers:
            raise HandError(
                f"{ruleset.name} has no flowers: there is {TEXT[code]}",
                Fault("foreign_flowers", about),
            )
        if code in _FLOWERS and count > 1:
            raise HandError(
                f"there is one {TEXT[code]}, not {count}", Fault("foreign_flowers", about)
            )


def _with_winning_tile(hand: WrittenHand, win: str | None, notation: str) -> tuple[list[int], int]:
    """Return all concealed tiles and the winning tile, which is added if the hand is one short."""
    if win is not None:
        tile = _one_tile(win, notation)
    elif hand.win is not None:
        tile = hand.win
    else:
        raise HandError("which tile was won on? Name it: --win 8m (in Python: win='8m')")
    if len(hand.tiles) + 3 * len(hand.melds) < 14:
        return [*hand.tiles, tile], tile
    if tile in hand.tiles:
        return hand.tiles, tile
    for held in hand.tiles:  # a red five may be given as a plain five
        if KIND_OF[held] == KIND_OF[tile]:
            return hand.tiles, held
    raise HandError(
        f"the winning tile {TEXT[tile]} is not among {tiles_text(hand.tiles)}",
        Fault("win_tile_absent", ((tile, 0),)),
    )


def _one_tile(text: str, notation: str) -> int:
    written = read_tiles(text, notation)
    if len(written) != 1:
        raise HandError(f"one tile is needed, not {text!r}")
    return written[0]


# --- to arrays

_SAID = (
    "double_riichi", "open_riichi", "ippatsu", "rinshan", "after_kita", "haitei", "houtei",
    "after_rinshan", "chankan", "kita_ron", "first_turn", "last_copy", "triple_ron", "dealt",
    "loser_riichi", "honba", "sticks", "dealer_wins", "dealer_rounds",
)  # fmt: skip
"""Circumstances that have the same name in ``Hands``."""
_READ = ("tsumo", "riichi", "players", "winner", "loser", "round_wind", "liable", "wild", "bird",
         "name", "kita", "flowers")  # fmt: skip
"""Fields of a :class:`Hand` that have the same name in ``Hands``."""


def to_arrays(hands: Sequence[Hand]) -> Hands:
    """Return hands as the arrays that the engine scores, one hand per row, in order."""
    batch = Hands.blank(len(hands))
    for name in _READ:
        _fill(getattr(batch, name), map(attrgetter(name), hands))
    for name in _SAID:
        _fill(getattr(batch, name), map(attrgetter(f"circumstances.{name}"), hands))
    batch.seat_wind = batch.winner.copy()
    batch.table_honba = batch.honba.copy()
    batch.aka[:] = [not hand.circumstances.no_aka for hand in hands]
    batch.kuitan[:] = [not hand.circumstances.no_kuitan for hand in hands]
    for pao in (batch.pao_daisangen, batch.pao_daisuushi, batch.pao_suukantsu):
        pao[:] = [hand.pao for hand in hands]
    for name in ("out", "raised"):
        masks = getattr(batch, name)
        masks[:] = [sum(1 << seat for seat in {*getattr(hand, name)}) for hand in hands]
    _fill_tiles(batch, hands)
    for row, hand in enumerate(hands):
        batch.fault[row] = FAULT[_fault_of_text(hand)]
        _fill_melds(batch, row, hand)
        for indicators, codes in (
            (batch.dora_indicators, hand.dora),
            (batch.ura_indicators, hand.ura),
        ):
            kept = [KIND_OF[code] for code in codes if code < FIRST_FLOWER][:MAX_INDICATORS]
            indicators[row, : len(kept)] = kept
    return batch


def _fill(array: Any, values: Iterable[Any]) -> None:
    """Write values into an array; a number that is too large becomes the highest possible one."""
    listed = list(values)
    if np.issubdtype(array.dtype, np.signedinteger):
        array[:] = np.minimum(np.array(listed, dtype=np.int64), np.iinfo(array.dtype).max)
    else:
        array[:] = listed


def _fill_tiles(batch: Hands, hands: Sequence[Hand]) -> None:
    """Count the concealed tiles, and name the winning one by its kind."""
    sizes = [len(hand.tiles) for hand in hands]
    rows = np.repeat(np.arange(len(hands)), sizes)
    codes = np.fromiter(chain.from_iterable(hand.tiles for hand in hands), np.int64, len(rows))
    plain = codes < FIRST_FLOWER
    places = KINDS * rows[plain] + KIND_OF[codes[plain]]
    counts = np.bincount(places, minlength=KINDS * len(hands)).reshape(-1, KINDS)
    batch.concealed[:] = np.minimum(counts, _MOST_COPIES)
    reds = np.bincount(rows[IS_RED[codes]], minlength=len(hands))
    batch.reds[:] = np.minimum(reds, _MOST_COPIES)
    batch.win_tile[:] = [KIND_OF[hand.win_tile] if hand.win_tile >= 0 else NO_TILE
                         for hand in hands]  # fmt: skip


def _fill_melds(batch: Hands, row: int, hand: Hand) -> None:
    """Write the melds of one hand, and who fed its open kans."""
    feeders = iter(hand.fed)
    for place, (word, tiles) in enumerate(hand.melds[:_MOST_MELDS]):
        kind = MELD_WORDS.index(word)
        batch.meld_kind[row, place] = kind
        batch.meld_tile[row, place] = min(int(KIND_OF[code]) for code in tiles)
        batch.reds[row] += sum(bool(IS_RED[code]) for code in tiles)
        if kind == DAIMINKAN:
            batch.meld_from[row, place] = next(feeders, NO_SEAT)


def _fault_of_text(hand: Hand) -> str:
    """Return the key of the fault if a hand that could be read does not fit into arrays."""
    kans = sum(word == MELD_WORDS[DAIMINKAN] for word, _ in hand.melds)
    if HIDDEN in hand.tiles:
        return "hidden_tiles"
    if hand.wild >= FIRST_FLOWER or hand.bird >= FIRST_FLOWER:
        return "unreadable_indicators"
    if any(code >= FIRST_FLOWER for _, tiles in hand.melds[:_MOST_MELDS] for code in tiles):
        return "unreadable_melds"
    if len(hand.melds) > _MOST_MELDS:
        return "too_many_melds"
    if hand.fed and len(hand.fed) != kans:
        return "bad_feeders"
    if hand.win_tile == NO_TILE or hand.win_tile >= FIRST_FLOWER:
        return "unreadable_win_tile"
    for indicators in (hand.dora, hand.ura):
        if len(indicators) > MAX_INDICATORS or any(code >= FIRST_FLOWER for code in indicators):
            return "unreadable_indicators"
    return "ok"
