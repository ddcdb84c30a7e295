"""What is said of a win beside its tiles, as people say it: riichi, seats by their winds, dora."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.errors import FactError

WINDS = ("east", "south", "west", "north")
_WIND_NAMES = {
    name: wind
    for wind, names in enumerate(
        (("east", "e", "1z", "東", "东"), ("south", "s", "2z", "南"), ("west", "w", "3z", "西"),
         ("north", "n", "4z", "北"))
    )
    for name in names
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
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
    dealer_rounds: int = 0
    """Rounds the dealer has dealt in a row before this one."""
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


def seat_of(wind: str, what: str, seats: int) -> int:
    """Return the seat a wind names, 0 for east; ``what`` it is said of.

    >>> seat_of("South", "seat", 4), seat_of("北", "loser", 4)
    (1, 3)

    Raises :class:`~paifu.errors.FactError` for what is not a wind of the table.
    """
    seat = _WIND_NAMES.get(wind.strip().lower(), seats)
    if seat >= seats:
        raise FactError(f"{what} is {', '.join(WINDS[:seats])}, not {wind!r}")
    return seat


def seats_of(winds: str | None, what: str, seats: int) -> list[int]:
    """Return the seats of winds parted by blanks or commas.

    >>> seats_of("south, west", "out", 4)
    [1, 2]
    """
    return [seat_of(wind, what, seats) for wind in (winds or "").replace(",", " ").split()]
