"""A game as it happened, for the simple counts: seats, rounds, discards, calls and wins.

Tiles are Tenhou's ids, 0-135; a kind is an id // 4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from tests.query.slow_hands import Counts, counted, dora_of

RED = (16, 52, 88)
OPEN_CALLS = ("chi", "pon", "daiminkan")


@dataclass
class Meld:
    """A call: its kind, its tiles, and the tile taken or added."""

    kind: str
    tiles: list[int]
    tile: int

    @property
    def kan(self) -> bool:
        return self.kind in ("ankan", "kakan", "daiminkan")


@dataclass
class Risk:
    """A discard against one threatening opponent."""

    against: int
    threat: str
    threat_turn: int
    tile_class: str
    live: int
    near_dora: str
    outside: bool
    suji_left: int
    """Suji left against that opponent."""
    tile_suji: int
    """How many of these suji have the tile."""
    chance: int | None
    """Copies not seen of the scarcer neighbour that a ryanmen needs."""
    of_dealer: bool
    """The opponent is the dealer."""
    ippatsu: bool
    """A win on it would be ippatsu."""
    hit: bool = False


@dataclass
class Discard:
    """A discarded tile, and the hand after the discard."""

    turn: int
    tile: int
    drawn: bool
    """It was the tile just drawn."""
    shanten: int
    open_melds: int
    riichi: bool
    """Riichi was declared with it."""
    risks: list[Risk] = field(default_factory=list)
    order: int = 0
    """The number of the act in the round."""


@dataclass
class Tenpai:
    """A tenpai hand at one moment."""

    turn: int
    kinds: tuple[int, ...]
    kind: str | None
    live: int
    draws: int
    left: int
    furiten: bool = False


@dataclass
class Win:
    """A win as recorded."""

    winner: int
    loser: int | None
    tile: int
    points: int
    fu: int
    limit: str
    yaku: dict[int, int]
    """Han by Tenhou's number; 13 for a yakuman; ura of 0 han is not among them."""
    yakuman: list[int]
    ura: list[int]
    indicators: list[int]
    pao: int | None
    paid: list[int]
    """Change of each seat."""
    honba: int
    turn: int
    table_turn: float
    winner_state: str
    loser_state: str | None
    wait: str | None
    live: int
    hand: list[int]
    melds: list[Meld]
    kan_robbed: bool

    @property
    def tsumo(self) -> bool:
        return self.loser is None

    @property
    def han(self) -> int | None:
        """Its han; None for a yakuman, except a counted yakuman."""
        return None if self.yakuman else sum(self.yaku.values())


@dataclass
class Seat:
    """A round from the view of one seat."""

    number: int
    haipai: list[int]
    start: int
    closed: list[int] = field(default_factory=list)
    """Concealed tiles."""
    melds: list[Meld] = field(default_factory=list)
    discards: list[Discard] = field(default_factory=list)
    drawn: int | None = None
    riichi: Discard | None = None
    riichi_order: int = 0
    riichi_later: int = 0
    riichi_paid: bool = False
    riichi_double: bool = False
    ippatsu: bool = False
    """A win now would be ippatsu."""
    at_riichi: Tenpai | None = None
    first_tenpai: Tenpai | None = None
    first_call: int | None = None
    passed: set[int] = field(default_factory=set)
    """Kinds that others discarded since its riichi."""
    passing: set[int] = field(default_factory=set)
    """Kinds that others discarded since its own last discard."""
    second_open: int = 0
    """Discards it had made at its second open meld."""
    win: Win | None = None
    dealt: list[Win] = field(default_factory=list)
    """Wins on its tile."""
    dealt_turn: int = 0
    dealt_shanten: int = 0
    dealt_state: str = ""
    change: int = 0
    outcome: str = ""
    shown: bool = False
    """It showed a tenpai hand at the draw."""
    end_shanten: int = 0
    end_wait: str | None = None

    @property
    def tenpai_for_orphans(self) -> bool:
        """It waited for kokushi when first tenpai, at its riichi or at the end."""
        kinds = [at.kind for at in (self.first_tenpai, self.at_riichi) if at]
        return any(kind and kind.startswith("kokushi") for kind in [*kinds, self.end_wait])

    @property
    def open_melds(self) -> int:
        return sum(meld.kind not in ("ankan", "kita") for meld in self.melds)

    @property
    def calls(self) -> int:
        return sum(meld.kind in (*OPEN_CALLS, "kakan") for meld in self.melds)

    def made(self, kind: str) -> int:
        """Return how many melds of a kind it has made; a kakan also counts as a pon."""
        return sum(meld.kind == kind for meld in self.melds)

    @property
    def state(self) -> str:
        if self.riichi:
            return "riichi"
        return "open" if self.open_melds else "closed"

    @property
    def hand(self) -> Counts:
        return counted(tile // 4 for tile in self.closed)

    @property
    def own_tiles(self) -> set[int]:
        return {*self.closed, *(tile for meld in self.melds for tile in meld.tiles)}


@dataclass
class Round:
    """A round and its end."""

    game: Game
    index: int
    wind: int
    number: int
    honba: int
    sticks: int
    dealer: int
    indicators: list[int]
    seats: list[Seat]
    wins: list[Win] = field(default_factory=list)
    outcome: str = ""
    declarer: int | None = None
    """The seat that declared kyuushu kyuuhai."""
    draws: int = 0
    acts: int = 0
    kans: int = 0
    gone: set[int] = field(default_factory=set)
    first_go: bool = True
    """Nobody has called yet."""
    broken: bool = False
    """A kakan or a north that may still be robbed."""
    owed: bool = False
    """The next tile drawn is a replacement tile after a kan or a north."""
    honours: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    """The acts with each kind of honour: the seat, and discard or the kind of call."""

    @property
    def name(self) -> str:
        return "ESWN"[self.wind] + str(self.number)

    @property
    def declared_kans(self) -> int:
        """Return the kans of all seats."""
        return sum(meld.kan for seat in self.seats for meld in seat.melds)

    @property
    def drawn(self) -> bool:
        """It ended without a win, and not by an abortive draw."""
        return self.outcome in ("exhaustive", "nagashi")

    @property
    def discards(self) -> int:
        return sum(len(seat.discards) for seat in self.seats)

    @property
    def left(self) -> int:
        """Tiles left to draw."""
        return self.game.live_wall - self.draws - self.kans

    @property
    def all_last(self) -> bool:
        last = {"east": 0, "south": 1}[self.game.length]
        return (self.wind, self.number) >= (last, self.game.players)

    @property
    def dora(self) -> set[int]:
        return {dora_of(tile // 4, self.game.players) for tile in self.indicators}

    def ranks(self) -> list[int]:
        """Return each seat's rank at the start; ties are in the order of seats."""
        order = sorted(self.seats, key=lambda seat: (-seat.start, seat.number))
        return [order.index(seat) + 1 for seat in self.seats]

    def seen(self, seat: Seat) -> set[int]:
        """Return the ids of the tiles that a seat sees, including its own."""
        everybody = self.seats
        return {
            *self.indicators,
            *seat.closed,
            *(discard.tile for other in everybody for discard in other.discards),
            *(tile for other in everybody for meld in other.melds for tile in meld.tiles),
        }

    def in_sight(self, seat: Seat) -> Counts:
        """Return the copies of each kind that a seat sees; four of a kind not in the set."""
        absent = range(1, 8) if self.game.players == 3 else ()
        seen = counted(tile // 4 for tile in self.seen(seat))
        return tuple(4 if kind in absent else count for kind, count in enumerate(seen))

    def live(self, seat: Seat, kinds: tuple[int, ...]) -> int:
        """Return how many copies of these kinds a seat does not see."""
        seen = self.seen(seat)
        return sum(4 * kind + copy not in seen for kind in kinds for copy in range(4))

    def seat_wind(self, seat: Seat) -> int:
        return (seat.number - self.dealer) % self.game.players


@dataclass
class Game:
    """A game: its players by seat, its rounds, and how it ended."""

    log: str
    players: int
    length: str
    room: str
    red: bool
    names: list[str] = field(default_factory=list)
    dans: list[int] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    sexes: list[str] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    final: list[int] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    seed: str = ""
    lobby: int = 0
    part: int = 0
    """Which of the 256 parts of all games it is in, by its id."""
    listed: str = ""
    """What lists of the lake call it: the platform's id, or paifu's if there is none."""
    away: set[int] = field(default_factory=set)

    @property
    def live_wall(self) -> int:
        return 70 if self.players == 4 else 55

    @cached_property
    def places(self) -> list[int]:
        """Placement of each seat by points; ties by distance from the first dealer."""
        order = sorted(range(self.players), key=lambda seat: (-self.final[seat], seat))
        return [order.index(seat) + 1 for seat in range(self.players)]

    @property
    def month(self) -> str | None:
        """The month in which it was played, if the log's name gives it."""
        found = re.match(r"(\d{4})(\d\d)\d{4}gm-", self.log)
        return f"{found[1]}-{found[2]}" if found else None

    def anonymous(self, seat: int) -> bool:
        return self.names[seat] in ("NoName", "") or self.sexes[seat] == "C"
