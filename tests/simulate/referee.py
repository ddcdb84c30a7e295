"""A referee in plain Python: checks a simulated round event by event for illegal acts.

It tracks hands, discards and furiten itself, and uses only the shanten kernels for waits.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from paifu.rules.hands.shanten import waits
from paifu.rules.hands.suit_tables import suit_tables
from paifu.simulate.game_loop import Game
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    DRAWN_GAME,
    KAKAN,
    KITA,
    PON,
    RIICHI,
    RIICHI_PAID,
    WIN,
)

CALLS = (CHI, PON, DAIMINKAN)
OUTCOMES = (
    "tsumo", "ron", "exhaustive", "nagashi", "kyuushu", "suufon", "suucha", "suukan", "sanchahou",
)  # fmt: skip
"""Names of the ways in which a round ends, by the number in the package."""


class Referee:
    """Follows one round; ``faults`` are its faults, ``seen`` the rules that it could test."""

    def __init__(self, game: Game, table: Any) -> None:
        self.players = game.flow.players
        self.table = table
        self.hands = [Counter(table["haipai"][seat].tolist()) for seat in range(self.players)]
        self.melds: list[list[list[int]]] = [[] for _ in range(self.players)]
        self.open = [0] * self.players
        self.rivers: list[list[int]] = [[] for _ in range(self.players)]
        self.riichi = [0] * self.players
        self.passed = [0] * self.players
        self.scores = table["start"].tolist()
        self.left = 55 if self.players == 3 else 70
        self.drawn = -1
        self.last: tuple[int, int, int] | None = None  # kind, seat, tile of a possible win
        self.turn: int | None = int(table["number"])
        self.forbidden: set[int] = set()
        self.owed = 0
        self.shown = 1
        self.kans = [0] * self.players
        self.faults: list[str] = []
        self.seen: set[str] = set()

    def waits(self, seat: int) -> int:
        counts = np.zeros(34, dtype=np.int8)
        for tile in self.hands[seat].elements():
            counts[tile // 4] += 1
        return int(waits(suit_tables(self.players), counts, len(self.melds[seat])))

    def check(self, rule: str, holds: bool) -> None:
        self.seen.add(rule)
        if not holds:
            self.faults.append(rule)

    def take_out(self, seat: int, tiles: list[int]) -> None:
        for tile in tiles:
            self.check("a tile used is held", self.hands[seat][tile] == 1)
            del self.hands[seat][tile]

    def watch(self) -> None:
        table = self.table
        for at in range(int(table["events"])):
            kind, seat = int(table["event_kind"][at]), int(table["event_seat"][at])
            tile, source = int(table["event_tile"][at]), int(table["event_from"][at])
            used = [t for t in table["event_used"][at].tolist() if t >= 0]
            if kind not in (WIN, DRAWN_GAME) and self.last is not None and kind != RIICHI_PAID:
                self.note_passed()
            if kind == DRAW:
                self.draw(seat, tile)
            elif kind == DISCARD:
                self.discard(seat, tile)
            elif kind in CALLS:
                self.call(kind, seat, tile, source, used)
            elif kind in (ANKAN, KAKAN, KITA):
                self.replace(kind, seat, tile, used)
            elif kind == DORA:
                self.shown += 1
                self.owed -= 1
            elif kind == RIICHI:
                self.declare(seat)
            elif kind == RIICHI_PAID:
                self.riichi[seat] = 2
                self.scores[seat] -= 1000
            elif kind == WIN:
                self.win(seat, tile, source)

    def note_passed(self) -> None:
        """T26, T27: a seat that waits for a tile that passed is in furiten."""
        assert self.last is not None
        _, owner, tile = self.last
        for seat in range(self.players):
            if seat != owner and self.waits(seat) >> (tile // 4) & 1:
                self.passed[seat] = max(self.passed[seat], 2 if self.riichi[seat] == 2 else 1)
        self.last = None

    def draw(self, seat: int, tile: int) -> None:
        self.check("a draw follows the turn", self.turn == seat)
        self.left -= 1
        self.check("the wall has a tile", self.left >= 0)
        self.hands[seat][tile] += 1
        self.drawn = tile
        self.forbidden = set()
        self.turn = seat

    def discard(self, seat: int, tile: int) -> None:
        self.check("a discard is the turn's seat's", self.turn == seat)
        self.check("T30 dora owed are shown by the discard", self.owed == 0)
        self.check("T4 no swap call", tile // 4 not in self.forbidden)
        if self.riichi[seat] == 2:
            self.check("in riichi the drawn tile goes", tile == self.drawn)
        self.take_out(seat, [tile])
        if self.riichi[seat] == 1:
            self.check("riichi is tenpai", self.waits(seat) != 0)
        self.rivers[seat].append(tile)
        if self.passed[seat] == 1:
            self.passed[seat] = 0
        self.last = (DISCARD, seat, tile)
        self.drawn = -1
        self.turn = (seat + 1) % self.players

    def declare(self, seat: int) -> None:
        self.check("riichi is closed", self.open[seat] == 0 and self.riichi[seat] == 0)
        self.check("T23 riichi has points and tiles", self.scores[seat] >= 1000)
        self.check("T23 riichi has tiles left", self.left >= (3 if self.players == 3 else 4))
        self.riichi[seat] = 1

    def call(self, kind: int, seat: int, tile: int, source: int, used: list[int]) -> None:
        self.check("T32 no call on the last discard", self.left > 0)
        self.check("no call in riichi", self.riichi[seat] == 0)
        self.check("the tile called was just discarded", self.rivers[source][-1] == tile)
        self.take_out(seat, used)
        kinds = sorted([tile // 4, *(other // 4 for other in used)])
        if kind == CHI:
            self.check("S4 chi only from the seat before", (source + 1) % 4 == seat)
            self.check("a chi is a run", kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2])
            self.check("a chi is of one suit", kinds[0] < 27 and kinds[0] // 9 == kinds[2] // 9)
            self.forbidden = {tile // 4}
            if tile // 4 == kinds[0] and kinds[0] % 9 < 6:
                self.forbidden.add(kinds[0] + 3)
            if tile // 4 == kinds[2] and kinds[0] % 9 > 0:
                self.forbidden.add(kinds[0] - 1)
        else:
            self.check("a pon or kan is of one kind", len(set(kinds)) == 1)
            self.forbidden = {tile // 4} if kind == PON else set()
        self.melds[seat].append([tile, *used])
        self.open[seat] += 1
        self.turn, self.drawn = seat, -1
        if kind == DAIMINKAN:
            self.kans[seat] += 1
            self.check("at most four kans", sum(self.kans) <= 4)
            self.owed += 1

    def replace(self, kind: int, seat: int, tile: int, used: list[int]) -> None:
        self.check("a kan or north comes from the seat's turn", self.turn == seat)
        self.check("a kan or north follows a draw", self.drawn >= 0)
        self.check("a kan or north leaves a tile to draw", self.left > 0)
        if kind == KITA:
            self.check("S8 a north is set aside", tile // 4 == 30 and self.players == 3)
            self.take_out(seat, [tile])
        elif kind == ANKAN:
            before = 0
            if self.riichi[seat] == 2:
                self.check("T28 the drawn tile is in it", self.drawn // 4 == tile // 4)
                self.hands[seat][self.drawn] -= 1
                self.hands[seat] += Counter()
                before = self.waits(seat)
                self.hands[seat][self.drawn] = 1
            self.take_out(seat, [tile, *used])
            self.melds[seat].append([tile, *used])
            if self.riichi[seat] == 2:
                self.check("T28 the waits stay", self.waits(seat) == before)
        else:
            self.take_out(seat, [tile])
            pon = [
                meld for meld in self.melds[seat] if len(meld) == 3 and sorted(meld) == sorted(used)
            ]
            self.check("a kakan adds to a pon", len(pon) == 1 and pon[0][0] // 4 == tile // 4)
            pon[0].append(tile)
        if kind != KITA:
            self.kans[seat] += 1
            self.check("at most four kans", sum(self.kans) <= 4)
            self.owed += 1
        if kind != ANKAN:
            self.last = (kind, seat, tile)

    def win(self, seat: int, tile: int, source: int) -> None:
        if source == seat:
            self.check("a tsumo is on the drawn tile", tile == self.drawn)
            hand = Counter(self.hands[seat])
            hand[tile] -= 1
            self.hands[seat] = +hand
            self.check("a win is complete", bool(self.waits(seat) >> (tile // 4) & 1))
            return
        own_waits = self.waits(seat)
        self.check("a win is complete", bool(own_waits >> (tile // 4) & 1))
        self.check("T26 T27 no ron in furiten", self.passed[seat] == 0)
        river = {other // 4 for other in self.rivers[seat]}
        own = any(own_waits >> kind & 1 for kind in river)
        self.check("no ron on a wait of the own river", not own)
