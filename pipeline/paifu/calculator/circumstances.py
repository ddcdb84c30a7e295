"""A hand and its circumstances as people write them, read into a row of table ``wins``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from paifu.errors import FactError, HandError
from paifu.game.notation import WrittenHand, read_hand, read_tiles
from paifu.game.tiles import CODE, FIRST_FLOWER, HIDDEN, IS_RED, KIND_OF, TEXT, tiles_text

if TYPE_CHECKING:
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

WINDS = ("east", "south", "west", "north")
_WIND_NAMES = {
    name: wind
    for wind, names in enumerate(
        (("east", "e", "1z", "東", "东"), ("south", "s", "2z", "南"), ("west", "w", "3z", "西"),
         ("north", "n", "4z", "北"))
    )
    for name in names
}  # fmt: skip
_MOST_COUNTERS = 1000
_FLOWERS = range(FIRST_FLOWER, HIDDEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything about a win but its tiles. Seats are named by their wind: east deals."""

    tsumo: bool = False
    """Won by own draw; else by ron."""
    riichi: bool = False
    """In riichi of any sort."""
    double_riichi: bool = False
    """Riichi on the first turn, no call before."""
    open_riichi: bool = False
    """Riichi with the hand shown."""
    ippatsu: bool = False
    """Within one go-around of riichi, no call between."""
    rinshan: bool = False
    """Tsumo on the replacement tile after a kan or kita."""
    after_kita: bool = False
    """That tile was drawn for a north set aside."""
    haitei: bool = False
    """Tsumo on the last tile of the wall."""
    houtei: bool = False
    """Ron on the last discard."""
    after_rinshan: bool = False
    """That discard followed a rinshan draw."""
    chankan: bool = False
    """Ron on a tile added to a pon."""
    kita_ron: bool = False
    """Ron on a north being set aside."""
    first_turn: bool = False
    """Before the winner's first discard, no call before: tenhou, chihou, renhou."""
    seat: str = "east"
    """The winner's wind."""
    round: str = "east"
    """The wind of the round."""
    loser: str | None = None
    """Wind of the discarder; left out, it is the next seat."""
    loser_riichi: bool = False
    """The discarder is in riichi, which matters for open riichi."""
    dora: str | None = None
    """Dora indicators turned up, as tiles: under an indicator 3p the dora is 4p."""
    ura: str | None = None
    """Ura dora indicators, likewise."""
    honba: int = 0
    """Honba on the table."""
    sticks: int = 0
    """Riichi sticks the winner takes, his own included."""
    no_aka: bool = False
    """Red fives are no dora, where the rule set leaves it to the game."""
    no_kuitan: bool = False
    """Open tanyao does not count, where the rule set leaves it to the game."""
    pao: str | None = None
    """Wind of the seat liable for having fed the yakuman."""
    dealer_wins: int = 0
    """Rounds the dealer has won in a row before this one."""
    flowers: int = 0
    """Flower tiles set aside, in games that have them."""
    last_copy: bool = False
    """The other three copies of the winning tile lie open (Chinese games)."""
    liable: str | None = None
    """Wind of the seat that the table's rules make pay for all (Chinese games)."""
    wild: str | None = None
    """The tile that stands for any other, in games that have one."""
    bird: str | None = None
    """The tile turned up after the win whose number names a seat (Changsha)."""
    out: str | None = None
    """Winds of the seats that have won already, where play goes on (Chengdu, Sichuan)."""
    fed: str | None = None
    """Winds of the seats that fed the open kans, in their order (Qingyuan)."""
    raised: str | None = None
    """Winds of the seats that raised their wins and losses beforehand (Yingkou's 加钢)."""
    triple_ron: bool = False
    """Three seats win on the tile (Guangdong)."""
    dealt: bool = False
    """Not a win: what the tiles show as dealt (Changsha)."""


def hand_row(
    text: str,
    win: str | None,
    situation: Situation,
    ruleset: RuleSet | Game,
    notation: str = "mpsz",
) -> dict[str, Any]:
    """Return a hand as a row with the columns of table ``wins`` that scoring reads.

    Raises :class:`~paifu.errors.HandError` for text that cannot be read.
    """
    from paifu.rules.fan.game import Game, is_drawn

    shown = _shown(text, win, situation, ruleset, notation)
    players = ruleset.players or 4
    seat = _wind(situation.seat, "seat", players)
    loser = _wind(situation.loser, "loser", players) if situation.loser else (seat + 1) % players
    pao = _wind(situation.pao, "pao", players) if situation.pao else None
    if pao == seat:
        raise FactError("pao is the seat that fed the winner: it cannot be the winner's own")
    for name in ("honba", "sticks", "dealer_wins", "flowers"):
        if not 0 <= getattr(situation, name) <= _MOST_COUNTERS:
            raise FactError(f"{name} is a number from 0 to {_MOST_COUNTERS}")
    flags = {
        spec.name: getattr(situation, spec.name)
        for spec in fields(Situation)
        if spec.name in _FLAG_COLUMNS
    }
    drawn = situation.tsumo
    if isinstance(ruleset, Game):
        drawn = drawn or situation.dealt or bool(is_drawn(ruleset, shown["hand"], shown["melds"]))
    in_riichi = situation.riichi or situation.double_riichi or situation.open_riichi
    if situation.ura and not in_riichi:
        raise FactError("ura indicators are turned over for riichi only: add --riichi")
    no_kita_ron = not isinstance(ruleset, Game) and players == 3 and not ruleset.kita_ron
    if situation.kita_ron and no_kita_ron:
        raise HandError(f"under {ruleset.name} a north set aside may not be ronned")
    return flags | shown | {
        "tsumo": drawn,
        "riichi": in_riichi,
        "players": players,
        "winner": seat,
        "loser": None if drawn else loser,
        "loser_state": "riichi" if situation.loser_riichi else None,
        "dealer": 0,
        "seat_wind": seat,
        "round_wind": _wind(situation.round, "round", 4),
        "dora_indicators": [TEXT[code] for code in read_tiles(situation.dora or "", notation)],
        "ura_indicators": [TEXT[code] for code in read_tiles(situation.ura or "", notation)],
        "honba": situation.honba,
        "sticks": situation.sticks,
        "aka": not situation.no_aka,
        "kuitan": not situation.no_kuitan,
        "pao_daisangen": pao,
        "pao_daisuushi": pao,
        "pao_suukantsu": pao,
        "dealer_wins": situation.dealer_wins,
        "liable": _wind(situation.liable, "liable", players) if situation.liable else None,
        "wild": _one_tile(situation.wild, notation) if situation.wild else None,
        "bird": _one_tile(situation.bird, notation) if situation.bird else None,
        "out": _winds(situation.out, "out", players),
        "fed": _winds(situation.fed, "fed", players),
        "raised": _winds(situation.raised, "raised", players),
    }  # fmt: skip


def _shown(
    text: str, win: str | None, situation: Situation, ruleset: RuleSet | Game, notation: str
) -> dict[str, Any]:
    """Return the columns ``hand``, ``melds``, ``win_tile`` and ``flowers`` of what a text shows.

    A kong by itself and a hand as dealt have no winning tile, a hand paid by its name no tiles.
    """
    from paifu.rules.fan.game import Game

    if isinstance(ruleset, Game) and ruleset.by_name:
        name = text.strip()
        if win is not None or ruleset.by_name.read(name) is None:
            raise HandError(
                f"{ruleset.name} has no hand {name!r}. Its source pays hands by their names and "
                f"does not say which tiles they are: name one of {ruleset.by_name.names}"
            )
        return {"hand": name, "melds": "", "win_tile": "", "flowers": situation.flowers}
    hand = read_hand(text, notation)
    check_tiles(hand, situation, ruleset, notation)
    flowers = [code for code in hand.tiles if code in _FLOWERS]
    hand.tiles = [code for code in hand.tiles if code not in _FLOWERS]
    is_kong = isinstance(ruleset, Game) and not hand.tiles and len(hand.melds) == 1 and win is None
    if is_kong or situation.dealt:
        tiles, tile = hand.tiles, ""
    else:
        tiles, code = _with_winning_tile(hand, win, notation)
        tile = TEXT[code]
    return {
        "hand": tiles_text(tiles),
        "melds": hand.melds_text,
        "win_tile": tile,
        "flowers": situation.flowers + len(flowers),
    }


def check_tiles(
    hand: WrittenHand, situation: Situation, ruleset: RuleSet | Game, notation: str
) -> None:
    """Raise :class:`~paifu.errors.HandError` for red fives and flowers that the game has not."""
    from paifu.rules.fan.game import Game

    codes = hand.tiles + [code for _, tiles in hand.melds for code in tiles]
    for indicators in (situation.dora, situation.ura):
        codes += read_tiles(indicators or "", notation)
    if isinstance(ruleset, Game):
        has_reds, has_flowers = False, "flowers" in ruleset.known_facts
    else:
        has_reds, has_flowers = ruleset.red_fives != "off", False
    for code, count in Counter(codes).items():
        if IS_RED[code] and not has_reds:
            plain = TEXT[KIND_OF[code]]
            raise HandError(f"{ruleset.name} has no red fives: write {plain} for {TEXT[code]}")
        if IS_RED[code] and count > 1:
            raise HandError(
                f"{ruleset.name} has one red five of each suit: there are {count} of {TEXT[code]}"
            )
        if code in _FLOWERS and not has_flowers:
            raise HandError(f"{ruleset.name} has no flowers: there is {TEXT[code]}")
        if code in _FLOWERS and count > 1:
            raise HandError(f"there is one {TEXT[code]}, not {count}")


_FLAG_COLUMNS = frozenset(
    {"tsumo", "double_riichi", "open_riichi", "ippatsu", "rinshan", "after_kita", "after_rinshan",
     "haitei", "houtei", "chankan", "kita_ron", "first_turn", "last_copy",
     "triple_ron", "dealt"}
)  # fmt: skip


def _with_winning_tile(hand: WrittenHand, win: str | None, notation: str) -> tuple[list[int], int]:
    """Return all concealed tiles and the winning one, adding it where the hand is one short."""
    if win is not None:
        tile = CODE[_one_tile(win, notation)]
    elif hand.win is not None:
        tile = hand.win
    else:
        raise HandError("which tile was won on? Name it: --win 8m (in Python: win='8m')")
    if len(hand.tiles) + 3 * len(hand.melds) < 14:
        return [*hand.tiles, tile], tile
    if tile in hand.tiles:
        return hand.tiles, tile
    for held in hand.tiles:  # a red five may be named as a plain one
        if KIND_OF[held] == KIND_OF[tile]:
            return hand.tiles, held
    raise HandError(f"the winning tile {TEXT[tile]} is not among {tiles_text(hand.tiles)}")


def _one_tile(text: str, notation: str) -> str:
    written = read_tiles(text, notation)
    if len(written) != 1:
        raise HandError(f"one tile is needed, not {text!r}")
    return TEXT[written[0]]


def _wind(name: str, what: str, seats: int) -> int:
    wind = _WIND_NAMES.get(name.strip().lower(), seats)
    if wind >= seats:
        raise FactError(f"{what} is {', '.join(WINDS[:seats])}, not {name!r}")
    return wind


def _winds(names: str | None, what: str, seats: int) -> list[int]:
    """Return the seats of winds parted by blanks or commas: ``"south, west"``."""
    words = (names or "").replace(",", " ").split()
    return [_wind(word, what, seats) for word in words]
