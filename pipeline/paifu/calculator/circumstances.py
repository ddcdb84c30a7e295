"""The circumstances of a win, as people give them: riichi, seats by their winds, dora."""

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
class BeforeWin:
    """What is known about a hand before it wins, except its tiles. East is the dealer."""

    riichi: bool = False
    """In riichi of any kind."""
    double_riichi: bool = False
    """Riichi on the first turn, before any call."""
    open_riichi: bool = False
    """Riichi with the hand shown."""
    seat: str = "east"
    """The winner's wind."""
    round: str = "east"
    """The wind of the round."""
    dora: str | None = None
    """Dora indicators turned up, as tiles: under an indicator 3p the dora is 4p."""
    honba: int = 0
    """Honba on the table."""
    sticks: int = 0
    """Riichi sticks that the winner takes, including the winner's own."""
    no_aka: bool = False
    """Red fives do not count as dora, if the rule set leaves this to the game."""
    no_kuitan: bool = False
    """Open tanyao does not count, if the rule set leaves this to the game."""
    dealer_wins: int = 0
    """Rounds the dealer has won in a row before this one."""
    dealer_rounds: int = 0
    """Rounds the dealer has dealt in a row before this one."""
    flowers: int = 0
    """Flower tiles set aside, in games that have them."""
    wild: str | None = None
    """The wild tile, which stands for any other, in games that have a wild tile."""
    out: str | None = None
    """Winds of the seats that have already won, if play goes on after a win (Chengdu, Sichuan)."""
    fed: str | None = None
    """Winds of the seats that fed the open kans, in their order (Qingyuan)."""
    raised: str | None = None
    """Winds of the seats that raised their wins and losses beforehand (Yingkou's 加钢)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances(BeforeWin):
    """Everything about a win except its tiles. Seats are named by wind; east is the dealer."""

    tsumo: bool = False
    """Won by own draw; otherwise by ron."""
    ippatsu: bool = False
    """Within one go-around after riichi, with no call in between."""
    rinshan: bool = False
    """Tsumo on the replacement tile after a kan or kita."""
    after_kita: bool = False
    """The replacement tile was drawn for a north set aside."""
    haitei: bool = False
    """Tsumo on the last tile of the wall."""
    houtei: bool = False
    """Ron on the last discard."""
    after_rinshan: bool = False
    """The last discard followed a draw of a replacement tile."""
    chankan: bool = False
    """Ron on a tile added to a pon."""
    kita_ron: bool = False
    """Ron on a north being set aside."""
    first_turn: bool = False
    """Before the winner's first discard and before any call: tenhou, chihou, renhou."""
    loser: str | None = None
    """Wind of the discarder; by default the next seat, on the first turn the dealer."""
    loser_riichi: bool = False
    """The discarder is in riichi, which matters for open riichi."""
    ura: str | None = None
    """Ura dora indicators, as tiles."""
    pao: str | None = None
    """Wind of the seat that is liable for the yakuman (pao)."""
    last_copy: bool = False
    """The other three copies of the winning tile are visible (Chinese games)."""
    liable: str | None = None
    """Wind of the seat that pays for all by the rules of the table (Chinese games)."""
    bird: str | None = None
    """The bird tile, turned up after the win; its number names a seat (Changsha)."""
    triple_ron: bool = False
    """Three seats win on the tile (Guangdong)."""
    dealt: bool = False
    """Not a win: a payment for the hand as dealt (Changsha)."""


def seat_of(wind: str, what: str, seats: int) -> int:
    """Return the seat that a wind names, 0 for east; ``what`` names it in an error.

    >>> seat_of("South", "seat", 4), seat_of("北", "loser", 4)
    (1, 3)

    Raises :class:`~paifu.errors.FactError` if there is no such wind at the table.
    """
    seat = _WIND_NAMES.get(wind.strip().lower(), seats)
    if seat >= seats:
        raise FactError(f"{what} is {', '.join(WINDS[:seats])}, not {wind!r}")
    return seat


def seats_of(winds: str | None, what: str, seats: int) -> list[int]:
    """Return the seats of winds separated by blanks or commas.

    >>> seats_of("south, west", "out", 4)
    [1, 2]
    """
    return [seat_of(wind, what, seats) for wind in (winds or "").replace(",", " ").split()]
