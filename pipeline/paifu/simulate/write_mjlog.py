"""Writes games as Tenhou XML (mjlog 2.3), attribute for attribute as Tenhou writes it.

Draws and discards, which are nine of ten events, are looked up in tables of ready text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.yaku import YAKU, YAKU_INDEX
from paifu.simulate.game_loop import Game
from paifu.simulate.scoring import Value, dora_tiles
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    DRAWN_GAME,
    EXHAUSTIVE,
    KAKAN,
    KITA,
    KYUUSHU,
    LEAVE,
    NAGASHI,
    PON,
    RETURN,
    RIICHI,
    RIICHI_PAID,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAN,
    TILES,
    WIN,
)
from paifu.simulate.wall_building import seed_text

_PLAIN = tuple(f"<{letter}{tile}/>" for letter in "TUVWDEFG" for tile in range(TILES))
"""The text of every draw by seat and tile, then of every discard."""
_DISCARDS = 4 * TILES
DRAW_TYPE = {
    EXHAUSTIVE: "", NAGASHI: "nm", KYUUSHU: "yao9", SUUFON: "kaze4", SUUCHA: "reach4",
    SUUKAN: "kan4", SANCHAHOU: "ron3",
}  # fmt: skip
LIMIT_CODE = {
    "none": 0, "mangan": 1, "haneman": 2, "baiman": 3, "sanbaiman": 4, "kazoe": 5, "yakuman": 5,
}  # fmt: skip
_LISTED = (1, 21, 2, 4, 0, 3, 5, 6, 7, 9, 32, 22, 29, 8, 24, 25, 28)
"""Yaku that Tenhou lists first, by id; the others follow by id, with dora, aka and ura last."""
_LAST = {52: 200, 54: 201, 53: 202}
_URA = 53
_GO_HUMAN, _GO_NO_AKA, _GO_NO_KUITAN, _GO_SOUTH, _GO_SANMA = 0x01, 0x02, 0x04, 0x08, 0x10
_GO_JOUKYUU, _GO_HOUOU, _GO_CHIPS, _GO_PARLOUR = 0x20, 0xA0, 0x200, 0x400
_PARLOUR_CHIP = 5000
"""From this value of a chip, in points, the lobby is a parlour's."""


def log_id(game: Game) -> str:
    """Return the log's id in Tenhou's form: start, type, lobby and a hash."""
    return f"{game.seating.started}gm-{go_type(game):04x}-0000-{game.seating.tag}"


def go_type(game: Game) -> int:
    """Return the type bits of a game under its rules: of the Phoenix room, or a chip lobby."""
    flow, rules = game.flow, game.rules
    room = _GO_HOUOU
    if rules.chips:
        parlour = _GO_PARLOUR if rules.chip_points >= _PARLOUR_CHIP else 0
        room = _GO_JOUKYUU + _GO_CHIPS + parlour
    return (
        _GO_HUMAN
        + room
        + (0 if flow.aka else _GO_NO_AKA)
        + (0 if flow.kuitan else _GO_NO_KUITAN)
        + (_GO_SOUTH if flow.winds == 2 else 0)
        + (_GO_SANMA if flow.players == 3 else 0)
    )


def percent(name: str) -> str:
    """Return every byte of a name's UTF-8 percent-encoded."""
    return "".join(f"%{byte:02X}" for byte in name.encode())


def write(game: Game) -> bytes:
    """Return a game as the bytes of an mjlog file."""
    people = game.seating.people
    missing = 4 - len(people)
    parts = ['<mjloggm ver="2.3">']
    if game.key is not None:
        parts.append(f'<SHUFFLE seed="{seed_text(game.key)}" ref=""/>')
    parts.append(f'<GO type="{go_type(game)}" lobby="0"/><UN')
    parts.extend(
        f' n{seat}="{percent(name)}"'
        for seat, name in enumerate([person.name for person in people] + [""] * missing)
    )
    dan = ",".join([str(person.dan) for person in people] + ["0"] * missing)
    rate = ",".join([f"{person.rate:.2f}" for person in people] + ["1500.00"] * missing)
    sex = ",".join([person.sex for person in people] + ["C"] * missing)
    parts.append(f' dan="{dan}" rate="{rate}" sx="{sex}"/><TAIKYOKU oya="0"/>')
    last = len(game.rounds) - 1
    chips = [0] * 4 if game.rules.chips else []
    for nth, (table, values) in enumerate(zip(game.rounds, game.values, strict=True)):
        parts.append(round_text(game, table, values, chips, is_last=nth == last))
    parts.append("</mjloggm>")
    return "".join(parts).encode()


def hundreds(points: Any, players: int) -> list[int]:
    """Return points by seat in hundreds, always for four seats."""
    return [int(value) // 100 for value in points[:players]] + [0] * (4 - players)


def numbers(values: Any) -> str:
    """Return numbers joined by commas."""
    return ",".join(map(str, values))


def round_text(
    game: Game, table: Any, values: list[Value], chips: list[int], *, is_last: bool
) -> str:
    """Return a round from INIT to its AGARI or RYUUKYOKU.

    ``chips`` by seat (empty if the game has no chips) are updated to the end of the round.
    """
    players = game.flow.players
    count = int(table["events"])
    kinds = table["event_kind"][:count]
    seats = table["event_seat"][:count].astype(np.int64)
    tiles = table["event_tile"][:count]
    early, first = _connections_before(game, kinds.tolist(), seats.tolist())
    dealer = int(table["number"])
    seed = [
        4 * int(table["wind"]) + dealer, int(table["honba"]), int(table["start_sticks"]),
        *table["dice"].tolist(), dora_tiles(table, game.flow, ura=False)[0],
    ]  # fmt: skip
    hands = [table["haipai"][seat].tolist() for seat in range(players)] + [[]] * (4 - players)
    is_plain = (kinds == DRAW) | (kinds == DISCARD)
    texts = np.where(is_plain, TILES * seats + tiles + _DISCARDS * (kinds == DISCARD), 0)
    parts = [_PLAIN[text] for text in texts.tolist()]
    chips_before = f' chip="{numbers(chips)}"' if chips else ""
    state = _Running(game, table, values, chips, is_last)
    for at in np.flatnonzero(~is_plain).tolist():
        if at >= first:
            parts[at] = state.element(at, int(kinds[at]), int(seats[at]), int(tiles[at]))
    return "".join(
        (
            early,
            f'<INIT seed="{numbers(seed)}" ten="{numbers(hundreds(table["start"], players))}"',
            f'{chips_before} oya="{dealer}"',
            *(f' hai{seat}="{numbers(hand)}"' for seat, hand in enumerate(hands)),
            "/>",
            *parts[first:],
        )
    )


def _connections_before(game: Game, kinds: list[int], seats: list[int]) -> tuple[str, int]:
    """Return the connections before the first draw, which are before INIT, and their number."""
    count = 0
    while kinds[count] in (LEAVE, RETURN):
        count += 1
    return "".join(connection(game, kinds[at], seats[at]) for at in range(count)), count


def connection(game: Game, kind: int, seat: int) -> str:
    """Return the element of a seat that disconnects (BYE) or comes back (UN)."""
    if kind == LEAVE:
        return f'<BYE who="{seat}" />'
    return f'<UN n{seat}="{percent(game.seating.people[seat].name)}"/>'


class _Running:
    """The state while a round is written: the points, and which win comes next."""

    def __init__(
        self, game: Game, table: Any, values: list[Value], chips: list[int], is_last: bool
    ) -> None:
        self.game = game
        self.chips = chips
        self.table = table
        self.values = values
        self.is_last = is_last
        self.players = game.flow.players
        self.scores = hundreds(table["start"], self.players)
        self.sticks = int(table["start_sticks"])
        self.win = 0

    def element(self, at: int, kind: int, seat: int, tile: int) -> str:
        """Return the element of an event that is neither a draw nor a discard."""
        if kind in (CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA):
            own = self.table["event_used"][at].tolist()
            source = int(self.table["event_from"][at])
            return f'<N who="{seat}" m="{meld_code(kind, seat, source, tile, own)}" />'
        if kind == RIICHI:
            return f'<REACH who="{seat}" step="1"/>'
        if kind == RIICHI_PAID:
            self.scores[seat] -= 10
            self.sticks += 1
            return f'<REACH who="{seat}" ten="{numbers(self.scores)}" step="2"/>'
        if kind == DORA:
            return f'<DORA hai="{tile}" />'
        if kind == WIN:
            return self.agari(seat)
        if kind == DRAWN_GAME:
            return self.ryuukyoku()
        return connection(self.game, kind, seat)

    def changes(self, nth: int) -> str:
        """Return ``sc`` (points before a win or draw, and their change), and apply the change."""
        delta = hundreds(self.table["delta"][nth], self.players)
        pairs = [value for pair in zip(self.scores, delta, strict=True) for value in pair]
        self.scores = [points + change for points, change in zip(self.scores, delta, strict=True)]
        if self.chips:
            won = self.chips_moved()
            pairs += [value for pair in zip(self.chips, won, strict=True) for value in pair]
            self.chips[:] = [chips + more for chips, more in zip(self.chips, won, strict=True)]
        return f'sc="{numbers(pairs)}"'

    def chips_moved(self) -> list[int]:
        """Return each seat's change of chips by the current win, or by a draw."""
        moved = [0] * 4
        if self.win < len(self.values):
            winner, loser = int(self.table["winner"][self.win]), int(self.table["loser"])
            each = sum(count for _, count in chips_of(self.values[self.win], self.game.rules))
            payers = [loser] if loser != winner else [seat for seat in range(4) if seat != winner]
            for seat in payers:
                moved[seat] -= each
            moved[winner] = each * len(payers)
        return moved

    def owari(self) -> str:
        """Return the final points and results, if this is the game's last element."""
        if not self.is_last or self.win < len(self.values):
            return ""
        points = [value // 100 for value in self.game.final_points]
        finals = [f"{p},{r:.1f}" for p, r in zip(points, self.game.final_results, strict=True)]
        finals += ["0,0.0"] * (4 - self.players) + [f"{chips},0" for chips in self.chips]
        ratio = f' ratio="{self.game.rules.chip_points},10"' if self.chips else ""
        return f' owari="{",".join(finals)}"{ratio}'

    def agari(self, winner: int) -> str:
        """Return the element of a win."""
        table, value = self.table, self.values[self.win]
        hand = sorted(tile for tile in table["hand"][winner].tolist() if tile >= 0)
        tile = int(table["win_tile"])
        if tile not in hand:
            hand = sorted([*hand, tile])
        parts = [f'<AGARI ba="{int(table["honba"])},{self.sticks}" hai="{numbers(hand)}"']
        melds = meld_codes(table, winner)
        if melds:
            parts.append(f' m="{numbers(melds)}"')
        parts.append(f' machi="{tile}" ten="{value.fu},{value.points},{LIMIT_CODE[value.limit]}"')
        in_riichi = table["riichi"][winner] == 2
        parts.append(yaku_text(value, in_riichi=bool(in_riichi)))
        chips = chips_of(value, self.game.rules) if self.chips else []
        if chips:
            parts.append(f' chip="{numbers(number for pair in chips for number in pair)}"')
        parts.append(f' doraHai="{numbers(dora_tiles(table, self.game.flow, ura=False))}"')
        ura = dora_tiles(table, self.game.flow, ura=True) if in_riichi else []
        if ura:
            parts.append(f' doraHaiUra="{numbers(ura)}"')
        parts.append(f' who="{winner}" fromWho="{int(table["loser"])}"')
        if value.feeder >= 0 and value.feeder != winner:
            parts.append(f' paoWho="{value.feeder}"')
        parts.append(f" {self.changes(self.win)}")
        self.win += 1
        self.sticks = 0
        parts.append(f"{self.owari()} />")
        return "".join(parts)

    def ryuukyoku(self) -> str:
        """Return the element of a round's end without a win."""
        table, outcome = self.table, int(self.table["outcome"])
        parts = ["<RYUUKYOKU"]
        if DRAW_TYPE[outcome]:
            parts.append(f' type="{DRAW_TYPE[outcome]}"')
        parts.append(f' ba="{int(table["honba"])},{self.sticks}" {self.changes(0)}')
        for seat in range(self.players):
            if self.shows_hand(outcome, seat):
                hand = sorted(tile for tile in table["hand"][seat].tolist() if tile >= 0)
                parts.append(f' hai{seat}="{numbers(hand)}"')
        parts.append(f"{self.owari()} />")
        return "".join(parts)

    def shows_hand(self, outcome: int, seat: int) -> bool:
        """Return whether a seat's hand is shown at this end of the round."""
        if outcome in (EXHAUSTIVE, NAGASHI):
            return bool(self.table["tenpai"][seat])
        if outcome == SANCHAHOU:
            return seat != self.last_discarder()
        return outcome == SUUCHA or (outcome == KYUUSHU and seat == self.table["declarer"])

    def last_discarder(self) -> int:
        """Return who made the round's last discard (or added the tile that three seats rob)."""
        count = int(self.table["events"])
        kinds = self.table["event_kind"][:count].tolist()
        last = max(at for at in range(count) if kinds[at] in (DISCARD, KAKAN, KITA))
        return int(self.table["event_seat"][last])


def meld_code(kind: int, seat: int, source: int, tile: int, own: list[int]) -> int:
    """Return Tenhou's 16-bit number of a meld.

    ``tile`` is the called tile (any tile of an ankan), and ``own`` are the other tiles, padded with
    -1. For a kakan, ``tile`` is the added tile and ``own`` is the pon, its called tile first.
    """
    direction = (source - seat) % 4 if source >= 0 else 0
    if kind == CHI:
        tiles = sorted([tile, own[0], own[1]])
        base = tiles[0] // 4
        number = (base // 9 * 7 + base % 9) * 3 + tiles.index(tile)
        copies = sum((t % 4) << (3 + 2 * at) for at, t in enumerate(tiles))
        return number << 10 | copies | 4 | direction
    if kind == PON:
        tiles = sorted([tile, own[0], own[1]])
        unused = ({0, 1, 2, 3} - {t % 4 for t in tiles}).pop()
        return ((tile // 4 * 3 + tiles.index(tile)) << 9) | unused << 5 | 8 | direction
    if kind == KAKAN:
        tiles = sorted(own)
        return ((tile // 4 * 3 + tiles.index(own[0])) << 9) | (tile % 4) << 5 | 16 | direction
    if kind == KITA:
        return tile << 8 | 32
    return tile << 8 | direction


def meld_codes(table: Any, seat: int) -> list[int]:
    """Return a seat's melds and norths as numbers, the latest first, as in Tenhou's logs."""
    own = np.flatnonzero(table["event_seat"][: int(table["events"])] == seat)
    kinds = table["event_kind"][own].tolist()
    tiles = table["event_tile"][own].tolist()
    codes: list[int] = []
    laid = 0
    for kind, tile in zip(kinds, tiles, strict=True):
        if kind in (CHI, PON, DAIMINKAN, ANKAN):
            made = int(table["meld_kind"][seat, laid])
            meld = table["meld_tile"][seat, laid].tolist()
            source = int(table["meld_from"][seat, laid])
            laid += 1
            if made == KAKAN:
                codes.append(meld_code(KAKAN, seat, source, meld[3], meld[:3]))
            else:
                codes.append(meld_code(made, seat, source, meld[0], meld[1:]))
        elif kind == KITA:
            codes.append(meld_code(KITA, seat, -1, tile, []))
    return codes[::-1]


def _position(pair: tuple[int, int]) -> int:
    number = pair[0]
    return _LISTED.index(number) if number in _LISTED else _LAST.get(number, 100 + number)


def yaku_text(value: Value, *, in_riichi: bool) -> str:
    """Return the yaku of a win: ids of yakuman, or ids with han; after riichi also ura of 0 han."""
    if value.limit == "yakuman":
        ids = [tenhou_id(key) for key, _ in value.yaku]
        return f' yakuman="{numbers(sorted(ids))}"'
    folded: dict[int, int] = {}
    for key, han in value.yaku:
        number = tenhou_id("dora" if key == "kita" else key)
        folded[number] = folded.get(number, 0) + han
    if in_riichi:
        folded.setdefault(_URA, 0)
    pairs = sorted(folded.items(), key=_position)
    return f' yaku="{numbers(value for pair in pairs for value in pair)}"'


def chips_of(value: Value, rules: RuleSet) -> list[tuple[int, int]]:
    """Return the chips of a win from each payer: Tenhou's number of the yaku, and how many."""
    worth = {
        "ippatsu": rules.chip_ippatsu, "aka_dora": rules.chip_red, "ura_dora": rules.chip_ura,
    }  # fmt: skip
    earned = [(tenhou_id(key), han * worth[key]) for key, han in value.yaku if key in worth]
    return sorted([pair for pair in earned if pair[1] > 0], key=_position)


def tenhou_id(key: str) -> int:
    """Return Tenhou's number of a yaku; raise an error for a yaku that Tenhou does not have."""
    number = YAKU[YAKU_INDEX[key]].tenhou
    if number is None:
        raise ValueError(f"mjlog has no number for {key}")
    return number
