"""An independent replay in plain Python, slow and obvious.

It shares only the tile codes with the kernels, and computes its answers from whole lists of events,
not from running state. :func:`replayed` returns the rows of one game as dictionaries, with the
columns of the schema that follow from the play.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

from mahjong.shanten import Shanten

from paifu.game import events as ev
from paifu.game.events import Batch
from paifu.game.tiles import KIND_OF, TEXT, parse_tiles, tiles_text

Row = dict[str, Any]
_CALLS = {ev.CHI: "chi", ev.PON: "pon", ev.DAIMINKAN: "daiminkan"}
_YAOCHUU = {k for k in range(34) if k >= 27 or k % 9 in (0, 8)}
_SHANTEN = Shanten()


def kind(code: int) -> int:
    return int(KIND_OF[code])


@lru_cache(100_000)
def _sets(counts: tuple[int, ...]) -> bool:
    """Whether the counts consist only of sets."""
    first = next((k for k in range(34) if counts[k]), None)
    if first is None:
        return True
    left = list(counts)
    if left[first] >= 3:
        left[first] -= 3
        if _sets(tuple(left)):
            return True
        left[first] += 3
    if first < 27 and first % 9 <= 6 and left[first + 1] and left[first + 2]:
        for k in range(first, first + 3):
            left[k] -= 1
        return _sets(tuple(left))
    return False


def _ways(counts: tuple[int, ...], pair: bool) -> list[list[tuple[int, ...]]]:
    """Every way to divide the counts into sets, and a pair if there is no pair yet."""
    first = next((k for k in range(34) if counts[k]), None)
    if first is None:
        return [[]] if pair else []
    parts = [(first,) * 3]
    if not pair:
        parts.append((first,) * 2)
    if first < 27 and first % 9 <= 6:
        parts.append((first, first + 1, first + 2))
    found = []
    for part in parts:
        if (left := _without(counts, *part)) is not None:
            found += [[part, *way] for way in _ways(left, pair or len(part) == 2)]
    return found


def _in_a_run(counts: tuple[int, ...], k: int) -> bool:
    """Whether a reading of the tenpai tiles with a winning tile has the kind in a run."""
    full = [tuple(c + (i == wait) for i, c in enumerate(counts)) for wait in waits_of(counts)]
    return any(
        k in part and len(set(part)) == 3
        for hand in full
        for way in _ways(hand, pair=False)
        for part in way
    )


def _without(counts: tuple[int, ...], *kinds: int) -> tuple[int, ...] | None:
    left = list(counts)
    for k in kinds:
        left[k] -= 1
        if left[k] < 0:
            return None
    return tuple(left)


def _sets_and_pair(counts: tuple[int, ...]) -> bool:
    return any((rest := _without(counts, k, k)) is not None and _sets(rest) for k in range(34))


def _is_kokushi(counts: tuple[int, ...]) -> bool:
    return sum(counts) == 14 and all(counts[k] for k in _YAOCHUU) and sum(
        counts[k] for k in _YAOCHUU
    ) == 14  # fmt: skip


def _is_chiitoi(counts: tuple[int, ...]) -> bool:
    return sorted(c for c in counts if c) == [2] * 7


def _complete(counts: tuple[int, ...]) -> bool:
    return _sets_and_pair(counts) or _is_chiitoi(counts) or _is_kokushi(counts)


@lru_cache(100_000)
def waits_of(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The kinds that complete the concealed tiles, except kinds of which they hold four."""
    if sum(counts) % 3 != 1:
        return ()
    return tuple(
        k for k in range(34)
        if counts[k] < 4 and _complete(tuple(c + (i == k) for i, c in enumerate(counts)))
    )  # fmt: skip


def a_fifth(counts: tuple[int, ...]) -> bool:
    """Whether a fifth copy of a kind would complete the concealed tiles."""
    return sum(counts) % 3 == 1 and any(
        counts[k] == 4 and _sets_and_pair(tuple(c + (i == k) for i, c in enumerate(counts)))
        for k in range(34)
    )


@lru_cache(100_000)
def shanten_of(counts: tuple[int, ...]) -> int:
    if sum(counts) % 3 == 1 and waits_of(counts):
        return 0
    value = int(_SHANTEN.calculate_shanten(list(counts)))
    return max(value, 1) if sum(counts) % 3 == 1 else value


def _parts(counts: tuple[int, ...], k: int) -> set[str]:
    """The kinds of wait in which regular tenpai tiles wait for a kind."""
    found = set()
    for a, b in product(range(34), repeat=2):
        if a > b or (rest := _without(counts, a, b)) is None or not _sets_and_pair(rest):
            continue
        if a == b == k:
            found.add("shanpon")
        elif (
            a < 27
            and a // 9 == b // 9 == k // 9
            and sorted({a, b, k}) == list(range(min(a, b, k), min(a, b, k) + 3))
        ):
            number = k % 9
            if a < k < b:
                found.add("kanchan")
            elif (k < a and number == 6) or (k > b and number == 2):
                found.add("penchan")
            else:
                found.add("ryanmen")
    if (rest := _without(counts, k)) is not None and _sets(rest):
        found.add("tanki")
    return found


@lru_cache(100_000)
def wait_kind_of(counts: tuple[int, ...]) -> str | None:
    waits = waits_of(counts)
    if not waits:
        return None
    full = [tuple(c + (i == k) for i, c in enumerate(counts)) for k in waits]
    if any(_is_kokushi(hand) for hand in full):
        return "kokushi13" if len(waits) == 13 else "kokushi"
    if not any(_sets_and_pair(hand) for hand in full):
        return "chiitoi"
    if len(waits) == 1:
        return tile_wait_kind_of(counts, waits[0])
    parts = [_parts(counts, k) for k in waits]
    if len(waits) == 2 and all("ryanmen" in p for p in parts) and waits[1] == waits[0] + 3:
        between = _without(counts, waits[0] + 1, waits[0] + 2)
        if between is not None and _sets_and_pair(between):
            return "ryanmen"
    if len(waits) == 2 and all("shanpon" in p for p in parts):
        return "shanpon"
    return "multi"


@lru_cache(100_000)
def tile_wait_kind_of(counts: tuple[int, ...], k: int) -> str:
    parts = _parts(counts, k)
    return next(
        name for name in ("ryanmen", "shanpon", "kanchan", "penchan", "tanki") if name in parts
    )


def texts(kinds: Any) -> str | None:
    return tiles_text(sorted(kinds)) or None


@dataclass
class Seat:
    number: int
    hand: list[int]
    melds: list[tuple[str, list[int]]] = field(default_factory=list)
    drawn: int | None = None
    river: list[int] = field(default_factory=list)
    called_away: int = 0
    riichi_at: int | None = None
    declaring: bool = False
    accepted: bool = False
    missed: str | None = None  # temporary or riichi
    missed_on: set[str] = field(default_factory=set)  # tile, kita or ankan
    row: Row = field(default_factory=dict)

    def concealed(self) -> list[int]:
        """The 13 tiles: without the one just drawn."""
        hand = list(self.hand)
        if self.drawn is not None:
            hand.remove(self.drawn)
        return hand

    def counts(self) -> tuple[int, ...]:
        counter = Counter(map(kind, self.concealed()))
        return tuple(counter[k] for k in range(34))

    def sets(self) -> list[tuple[str, list[int]]]:
        return [meld for meld in self.melds if meld[0] != "kita"]

    def open_melds(self) -> int:
        return sum(word not in ("ankan", "kita") for word, _ in self.melds)

    def state(self) -> str:
        if self.riichi_at is not None or self.declaring:
            return "riichi"
        return "open" if self.open_melds() else "closed"

    def waits(self) -> tuple[int, ...]:
        return waits_of(self.counts())

    def furiten(self) -> str:
        if set(self.waits()) & set(map(kind, self.river)):
            return "own"
        return self.missed or "none"


class Round:
    """Plays one round forward; its rows are in ``actions``, ``risks``, ``wins`` and its seats."""

    def __init__(self, batch: Batch, r: int, players: int) -> None:
        self.batch, self.r, self.players = batch, r, players
        self.dealer = int(batch.round_dealer[r])
        self.seats = [Seat(s, [int(t) for t in batch.round_haipai[r, s]]) for s in range(players)]
        self.indicators = [int(batch.round_indicator[r])]
        self.wall = 70 if players == 4 else 55
        self.discards: list[tuple[int, int]] = []  # seat, tile
        self.calls_made = False
        self.pending_kan: int | None = None  # a kan or north that may still be robbed
        self.last: tuple[str, int, int] | None = None  # kind, seat, tile of a possible win
        self.draw_of: str = "live"
        self.next_draw: str = "live"
        self.kans: list[int] = []
        self.passes: list[tuple[int, int, int]] = []  # moment, seat and kind of tiles that passed
        self.riichis: list[int] = []
        self.ippatsu: set[int] = set()
        self.scores = [int(batch.round_scores[r, s]) for s in range(players)]
        self.start = list(self.scores)
        self.table_sticks = int(batch.round_sticks[r])
        self.actions: list[Row] = []
        self.risks: list[Row] = []
        self.wins: list[Row] = []
        self.outcome = "unknown"
        self.since: dict[int, int] = {}  # how many passed before each seat's last discard
        for seat in self.seats:
            self._start_row(seat)

    # --- what can be seen ---------------------------------------------------------------------
    def visible(self) -> Counter[int]:
        seen: Counter[int] = Counter(map(kind, self.indicators))
        seen.update(kind(tile) for _, tile in self.discards)
        for seat in self.seats:
            for word, tiles in seat.melds:
                # the called tile is first, and was already counted as a discard
                shown = tiles[1:] if word in ("chi", "pon", "kan", "kakan") else tiles
                seen.update(map(kind, shown))
        return seen

    def live(self, seat: Seat, kinds: Any, hand: list[int] | None = None) -> int:
        seen = self.visible() + Counter(map(kind, seat.hand if hand is None else hand))
        return sum(max(0, 4 - seen[k]) for k in kinds)

    def dora(self) -> set[int]:
        found = set()
        for tile in self.indicators:
            k = kind(tile)
            if k < 27:
                if self.players == 3 and k < 9:
                    found.add(8 if k == 0 else 0)
                else:
                    found.add(k - k % 9 + (k % 9 + 1) % 9)
            else:
                found.add(27 + (k - 26) % 4 if k < 31 else 31 + (k - 30) % 3)
        return found

    def table_turn(self) -> float:
        return (1 + len(self.discards)) / self.players

    # --- rows ---------------------------------------------------------------------------------
    def rank(self, scores: list[int], seat: int) -> int:
        return 1 + sorted(range(self.players), key=lambda s: (-scores[s], s)).index(seat)

    def is_value(self, seat: Seat, tile: str) -> bool:
        """Return whether a tile is a dragon, the round's wind or the seat's wind."""
        own = (seat.number - self.dealer) % self.players
        winds = {int(self.batch.round_wind[self.r]), own}
        return tile in {"5z", "6z", "7z"} or tile in {f"{wind + 1}z" for wind in winds}

    def _start_row(self, seat: Seat) -> None:
        row, s = seat.row, seat.number
        dealt = Counter(map(kind, seat.hand))
        place = self.rank(self.start, s)
        by_place = {self.rank(self.start, o): o for o in range(self.players)}
        row.update(
            seat=s, seat_wind=(s - self.dealer) % self.players, is_dealer=s == self.dealer,
            points_start=self.start[s], rank_start=place,
            gap_to_next=None if place == 1 else self.start[by_place[place - 1]] - self.start[s],
            gap_to_first=self.start[by_place[1]] - self.start[s],
            haipai=tiles_text(seat.hand), haipai_shanten=shanten_of(seat.counts()),
            haipai_dora=sum((kind(t) in self.dora()) + (34 <= t <= 36) for t in seat.hand),
            haipai_yaochuu_kinds=len(set(map(kind, seat.hand)) & _YAOCHUU),
            yakuhai_pairs=sum(n == 2 and self.is_value(seat, TEXT[k]) for k, n in dealt.items()),
            yakuhai_pairs_called=0,
            first_discards="", discards=0, tsumogiri=0, shanten_min=shanten_of(seat.counts()),
            calls=0, chi=0, pon=0, daiminkan=0, ankan=0, kakan=0, kita=0, kita_after_pon=0,
            first_call_turn=None, first_call_table_turn=None,
            riichi_turn=None, riichi_table_turn=None, riichi_accepted=None, riichi_double=None,
            riichi_order=None, riichi_later=None, riichi_tile=None, riichi_ronned=None,
            riichi_wait=None, riichi_wait_kind=None, riichi_wait_tiles=None, riichi_live=None,
            riichi_tiles_left=None, furiten_riichi=None,
            tenpai_turn=None, tenpai_table_turn=None, tenpai_wait=None, tenpai_wait_kind=None,
            tenpai_live=None,
            won=False, won_by=None, win_turn=None, win_table_turn=None,
            deal_ins=0, deal_in_turn=None, deal_in_table_turn=None, deal_in_tile=None,
            deal_in_shanten=None, deal_in_state=None, facing_riichi=0, facing_riichi_safe=0,
            kuikae=0, kuikae_suji=0, riichi_kans=0, riichi_kan_drawn=0, riichi_kan_wait=0,
            riichi_kan_readings=0, riichi_broken=0,
        )  # fmt: skip
        self._tenpai(seat, 0, 0.0)

    def _tenpai(self, seat: Seat, turn: int, at: float) -> None:
        if seat.waits() and seat.row["tenpai_turn"] is None:
            seat.row.update(
                tenpai_turn=turn, tenpai_table_turn=at, tenpai_wait=texts(seat.waits()),
                tenpai_wait_kind=wait_kind_of(seat.counts()),
                tenpai_live=self.live(seat, seat.waits()),
            )  # fmt: skip

    def _act(self, seat: Seat, action: str, tile: int, **more: Any) -> Row:
        row: Row = {
            "seq": len(self.actions), "turn": 1 + len(seat.river), "table_turn": self.table_turn(),
            "seat": seat.number, "action": action, "drawn": None, "tile": TEXT[tile],
            "tsumogiri": None, "from_seat": None, "meld": None, "shanten": None, "waits": None,
            "tiles_left": self.wall, "dora_shown": len(self.indicators),
            "open_melds": seat.open_melds(),
        } | more  # fmt: skip
        self.actions.append(row)
        return row

    # --- events -------------------------------------------------------------------------------
    def passed(self, caller: int | None = None) -> None:
        """Record that nobody won on a tile that could be won on."""
        if self.last is None:
            return
        word, owner, tile = self.last
        self.last = None
        if self.pending_kan is not None:
            self.pending_kan = None
            self.interrupt()
        if word == "ankan":
            for seat in self.seats:
                orphans = wait_kind_of(seat.counts()) in ("kokushi", "kokushi13")
                if seat.number != owner and orphans and kind(tile) in seat.waits():
                    seat.missed_on.add("ankan")  # not furiten at Tenhou
            return
        for seat in self.seats:
            if seat.number == owner:
                continue
            self.passes.append((len(self.discards), seat.number, kind(tile)))
            if kind(tile) in seat.waits() and seat.number != caller:
                seat.missed_on.add("kita" if word == "kita" else "tile")
                seat.missed = "riichi" if seat.riichi_at is not None else (
                    seat.missed or "temporary"
                )  # fmt: skip

    def interrupt(self) -> None:
        self.calls_made = True
        self.ippatsu.clear()

    def draw(self, seat: Seat, tile: int) -> None:
        self.passed()
        self.wall -= 1
        self.draw_of, self.next_draw = self.next_draw, "live"
        seat.hand.append(tile)
        seat.drawn = tile
        self.called: tuple[int, set[int]] | None = None

    def discard(self, seat: Seat, tile: int, said: int) -> None:
        self.passed()
        tsumogiri = seat.drawn == tile and said != 0
        if seat.riichi_at is not None and not tsumogiri:
            seat.row["riichi_broken"] += 1
        drawn, seat.drawn = seat.drawn, None
        seat.hand.remove(tile)
        called = getattr(self, "called", None)
        if called is not None:
            seat.row["kuikae"] += kind(tile) == called[0]
            seat.row["kuikae_suji"] += kind(tile) in called[1] and kind(tile) != called[0]
        self.called = None
        self.ippatsu.discard(seat.number)
        if seat.missed == "temporary":
            seat.missed = None
        if seat.riichi_at is None:
            seat.missed_on.clear()
        table_turn, declares = self.table_turn(), seat.declaring
        seat.river.append(tile)
        self.discards.append((seat.number, tile))
        if declares:
            self._enter_riichi(seat, tile, table_turn)
        self._risks(seat, tile, tsumogiri, table_turn)
        counts = seat.counts()
        row = self._act(
            seat, "riichi" if declares else "discard", tile,
            drawn=None if drawn is None else TEXT[drawn], tsumogiri=tsumogiri,
            shanten=shanten_of(counts), waits=texts(seat.waits()),
        )  # fmt: skip
        row["turn"], row["table_turn"] = len(seat.river), table_turn
        seat.row["discards"] += 1
        if len(seat.row["first_discards"]) < 12:
            seat.row["first_discards"] += TEXT[tile]
        seat.row["tsumogiri"] += tsumogiri
        seat.row["shanten_min"] = min(seat.row["shanten_min"], shanten_of(counts))
        self._tenpai(seat, len(seat.river), table_turn)
        self.since[seat.number] = len(self.passes)
        self.last = ("discard", seat.number, tile)

    def _enter_riichi(self, seat: Seat, tile: int, table_turn: float) -> None:
        seat.declaring = False
        seat.riichi_at = len(seat.river) - 1
        for other in self.riichis:
            self.seats[other].row["riichi_later"] += 1
        self.riichis.append(seat.number)
        self.ippatsu.add(seat.number)
        waits = seat.waits()
        seat.row.update(
            riichi_turn=len(seat.river), riichi_table_turn=table_turn, riichi_accepted=False,
            riichi_double=len(seat.river) == 1 and not self.calls_made,
            riichi_order=len(self.riichis), riichi_later=0, riichi_tile=TEXT[tile],
            riichi_ronned=False, riichi_wait=texts(waits),
            riichi_wait_kind=wait_kind_of(seat.counts()), riichi_wait_tiles=len(waits),
            riichi_live=self.live(seat, waits), riichi_tiles_left=self.wall,
            furiten_riichi=bool(set(waits) & set(map(kind, seat.river))),
        )  # fmt: skip
        self.riichi_passes = getattr(self, "riichi_passes", {}) | {seat.number: len(self.passes)}

    def _risks(self, seat: Seat, tile: int, tsumogiri: bool, table_turn: float) -> None:
        for other in self.seats:
            in_riichi = other.riichi_at is not None
            if other is seat or not (in_riichi or other.open_melds() >= 2):
                continue
            own = set(map(kind, other.river))
            by_riichi = {
                k for i, (_, s, k) in enumerate(self.passes)
                if in_riichi and s == other.number and i >= self.riichi_passes[other.number]
            }  # fmt: skip
            lately = {
                k for i, (_, s, k) in enumerate(self.passes)
                if s == other.number and i >= self.since.get(other.number, 0)
            }  # fmt: skip
            early = other.river[: min(6, other.riichi_at if in_riichi else 6)]
            k, dora = kind(tile), self.dora()
            if in_riichi:
                turn = len(other.river) - other.riichi_at - 1
            else:
                turn = len(other.river) - other.second_meld_at
            self.risks.append({
                "seq": len(self.actions), "turn": len(seat.river), "table_turn": table_turn,
                "seat": seat.number, "against": other.number,
                "threat": "riichi" if in_riichi else "open", "threat_turn": turn,
                "tile": TEXT[tile],
                "class": self._class(seat, k, own | by_riichi | lately, own | by_riichi),
                "suji_left": len(self._suji(own | by_riichi)),
                "tile_suji": sum(k in pair for pair in self._suji(own | by_riichi)),
                "chance": self._chance(seat, k, own | by_riichi | lately, own | by_riichi),
                "live": self.live(seat, [k]),
                "near_dora": "dora" if k in dora else "near" if k < 27 and any(
                    d // 9 == k // 9 and abs(d - k) <= 2 for d in dora if d < 27
                ) else "none",
                "outside_early": k < 27 and any(
                    e // 9 == k // 9 and (k < e <= e // 9 * 9 + 4 or k > e >= e // 9 * 9 + 4)
                    for e in map(kind, early)
                ),
                "tsumogiri": tsumogiri, "state": seat.state(), "shanten": shanten_of(seat.counts()),
                "against_dealer": other.number == self.dealer,
                "ippatsu": other.number in self.ippatsu,
                "dealt_in": False,
            })  # fmt: skip
        facing = [
            risk["class"]
            for risk in self.risks
            if risk["seq"] == len(self.actions) and risk["threat"] == "riichi"
        ]
        seat.row["facing_riichi"] += bool(facing)
        seat.row["facing_riichi_safe"] += set(facing) == {"genbutsu"}

    def _class(self, seat: Seat, k: int, safe: set[int], furiten: set[int]) -> str:
        if k in safe:
            return "genbutsu"
        if k >= 27:
            return "honour"
        seen = self.visible() + Counter(map(kind, seat.hand))
        if self.players == 3:
            seen.update(dict.fromkeys(range(1, 8), 4))
        group = ("19", "28", "37", "456")[min(k % 9, 8 - k % 9, 3)]
        sides = []
        for step in (-1, 1):
            other = k + 3 * step
            if other // 9 != k // 9 or other < 0:
                continue
            if other in furiten:
                sides.append("suji")
            elif seen[k + step] >= 4 or seen[k + 2 * step] >= 4:
                sides.append("wall")
            else:
                sides.append("open")
        if "open" not in sides:
            return "no_chance" if "wall" in sides else f"suji_{group}"
        return "half_suji_456" if "suji" in sides else f"no_suji_{group}"

    def _suji(self, furiten: set[int]) -> list[tuple[int, int]]:
        """Return the suji with neither tile genbutsu against the opponent."""
        suits = (1, 2) if self.players == 3 else (0, 1, 2)
        pairs = [(9 * suit + low, 9 * suit + low + 3) for suit in suits for low in range(6)]
        return [pair for pair in pairs if not set(pair) & furiten]

    def _chance(self, seat: Seat, k: int, safe: set[int], furiten: set[int]) -> int | None:
        """Return the copies left of the scarcer neighbour that a ryanmen on a kind needs."""
        if k in safe or k >= 27:
            return None
        gone = set(range(1, 8)) if self.players == 3 else set()
        left = [
            min(0 if near in gone else self.live(seat, [near]) for near in (k + step, k + 2 * step))
            for step in (-1, 1)
            if (k + 3 * step) // 9 == k // 9 and k + 3 * step not in furiten
        ]
        return max(left, default=None)

    def call(self, seat: Seat, word: str, tile: int, feeder: int, consumed: list[int]) -> None:
        self.passed(seat.number)
        for used in consumed:
            seat.hand.remove(used)
        self.interrupt()
        self.seats[feeder].called_away += 1
        if seat.row["first_call_turn"] is None:
            seat.row["first_call_turn"] = 1 + len(seat.river)
            seat.row["first_call_table_turn"] = self.table_turn()
        seat.row["calls"] += 1
        seat.row[word] += 1
        dealt = [TEXT[t] for t in parse_tiles(seat.row["haipai"]) if kind(t) == kind(tile)]
        if word == "pon" and len(dealt) == 2 and self.is_value(seat, dealt[0]):
            seat.row["yakuhai_pairs_called"] += 1
        name = "kan" if word == "daiminkan" else word
        seat.melds.append((name, [tile, *consumed]))
        if seat.open_melds() == 2:
            seat.second_meld_at = len(seat.river)  # type: ignore[attr-defined]
        self._note_pao(seat, word, tile, feeder)
        self._act(seat, word, tile, from_seat=feeder, meld=tiles_text([tile, *consumed]))
        ends: set[int] = set()
        if word == "chi":
            low, high = sorted(map(kind, consumed))
            if high == low + 1:
                ends = {low - 1, high + 1} - {kind(tile)}
                ends = {k for k in ends if k >= 0 and k // 9 == low // 9}
        if word == "daiminkan":
            self.kans.append(seat.number)
            self.next_draw = "kan"
        else:
            self.called = (kind(tile), ends)

    def _note_pao(self, seat: Seat, word: str, tile: int, feeder: int) -> None:
        kinds = [kind(t[0]) for w, t in seat.sets() if w != "chi"]
        pao = seat.__dict__.setdefault("pao", {})
        if kind(tile) in (31, 32, 33) and len({31, 32, 33} & set(kinds)) == 3 and word != "chi":
            pao["pao_daisangen"] = feeder
        if kind(tile) in range(27, 31) and len(set(range(27, 31)) & set(kinds)) == 4:
            pao["pao_daisuushi"] = feeder
        if word == "daiminkan" and sum(w in ("kan", "kakan", "ankan") for w, _ in seat.melds) == 4:
            pao["pao_suukantsu"] = feeder

    def own_meld(self, seat: Seat, word: str, tile: int, tiles: list[int]) -> None:
        """Ankan, kakan or kita."""
        self.passed()
        before, drawn, hand = seat.waits(), seat.drawn, seat.counts()
        meld: list[int] | None = tiles
        if word == "kakan":
            seat.hand.remove(tile)
            pon = next(
                i for i, (w, t) in enumerate(seat.melds) if w == "pon" and kind(t[0]) == kind(tile)
            )
            meld = [*seat.melds[pon][1], tile]
            seat.melds[pon] = ("kakan", meld)
        else:
            for used in tiles:
                seat.hand.remove(used)
            seat.melds.append((word, tiles))
            if word == "kita":
                meld = None
        seat.row[word] += 1
        self._act(
            seat, word, tile, drawn=None if drawn is None else TEXT[drawn],
            meld=None if meld is None else tiles_text(meld),
        )  # fmt: skip
        seat.drawn = None
        if word == "ankan" and seat.riichi_at is not None:
            seat.row["riichi_kan_drawn"] += drawn is not None and kind(drawn) != kind(tile)
            seat.row["riichi_kan_wait"] += seat.waits() != before
            seat.row["riichi_kans"] += 1
            seat.row["riichi_kan_readings"] += _in_a_run(hand, kind(tile))
        if word != "kita":
            self.kans.append(seat.number)
        self.next_draw = "kita" if word == "kita" else "kan"
        self.pending_kan = seat.number
        self.last = (word, seat.number, tile)

    def win(self, winner: int, tile: int, feeder: int, w: int, streak: int, dealt: int) -> None:
        seat, tsumo = self.seats[winner], winner == feeder
        word = self.last[0] if self.last else ""
        hand = [*seat.hand] if tsumo else [*seat.hand, tile]
        first = not self.wins
        pao = seat.__dict__.get("pao", {})
        waits = seat.waits()
        kind_of_wait = wait_kind_of(seat.counts())
        if kind_of_wait == "multi":
            kind_of_wait = tile_wait_kind_of(seat.counts(), kind(tile))
        words = [w if w == "kita" else f"{w}:{tiles_text(t)}" for w, t in seat.melds]
        row: Row = {
            "win_index": len(self.wins), "seq": len(self.actions), "players": self.players,
            "winner": winner, "loser": None if tsumo else feeder, "tsumo": tsumo,
            "dealer": self.dealer, "round_wind": int(self.batch.round_wind[self.r]),
            "seat_wind": (winner - self.dealer) % self.players, "hand": tiles_text(hand),
            "melds": " ".join(words), "win_tile": TEXT[tile], "wait": texts(waits),
            "wait_kind": kind_of_wait, "wait_live": self.live(seat, waits) + 1,
            "turn": 1 + len(seat.river), "table_turn": self.table_turn(), "tiles_left": self.wall,
            "winner_state": seat.state(), "loser_state": None, "loser_shanten": None,
            "riichi": seat.riichi_at is not None,
            "double_riichi": bool(seat.row["riichi_double"]), "ippatsu": winner in self.ippatsu,
            "rinshan": tsumo and self.draw_of != "live",
            "after_kita": tsumo and self.draw_of == "kita",
            "haitei": tsumo and self.wall == 0 and self.draw_of == "live",
            "houtei": not tsumo and self.wall == 0 and word == "discard",
            "chankan": not tsumo and word in ("kakan", "ankan"),
            "kita_ron": not tsumo and word == "kita",
            "ankan_ron": not tsumo and word == "ankan",
            "first_turn": not seat.river and not self.calls_made, "furiten": seat.furiten(),
            "passed": sum({"tile": 1, "kita": 2, "ankan": 4}[each] for each in seat.missed_on),
            "honba": int(self.batch.round_honba[self.r]) if first else 0,
            "sticks": self.table_sticks if first else 0,
            "dora_indicators": [TEXT[t] for t in self.indicators],
            "pao_daisangen": pao.get("pao_daisangen"), "pao_daisuushi": pao.get("pao_daisuushi"),
            "pao_suukantsu": pao.get("pao_suukantsu"),
            "riichi_sticks": sum(s.accepted for s in self.seats), "dealer_wins": streak,
            "dealer_rounds": dealt,
        }  # fmt: skip
        drawn = TEXT[seat.drawn] if tsumo and seat.drawn is not None else None
        self._act(
            seat, "tsumo" if tsumo else "ron", tile, drawn=drawn,
            from_seat=None if tsumo else feeder, shanten=-1,
        )  # fmt: skip
        seat.row.update(
            won=True, won_by="tsumo" if tsumo else "ron", win_turn=row["turn"],
            win_table_turn=row["table_turn"], shanten_min=-1,
        )  # fmt: skip
        if not tsumo:
            self._deal_in(row, self.seats[feeder], winner, tile, word == "discard")
        self.table_sticks = 0
        for s in range(self.players):
            self.scores[s] += int(self.batch.win_delta[w, s])
        self.wins.append(row)
        names = ("ron", "double_ron", "triple_ron")
        self.outcome = "tsumo" if tsumo else names[len(self.wins) - 1]

    def _deal_in(self, row: Row, loser: Seat, winner: int, tile: int, discarded: bool) -> None:
        shanten = shanten_of(loser.counts())
        row.update(loser_state=loser.state(), loser_shanten=shanten)
        turn = len(loser.river) if discarded else 1 + len(loser.river)
        at = (len(self.discards) + (not discarded)) / self.players
        loser.row["deal_ins"] += 1
        loser.row.update(
            deal_in_turn=turn, deal_in_table_turn=at, deal_in_tile=TEXT[tile],
            deal_in_shanten=shanten, deal_in_state=loser.state(),
        )  # fmt: skip
        if loser.row["riichi_accepted"] is False:
            loser.row["riichi_ronned"] = True
        if discarded:
            last = max(a["seq"] for a in self.actions if a["action"] in ("discard", "riichi"))
            for risk in self.risks:
                if risk["seq"] == last and risk["against"] == winner:
                    risk["dealt_in"] = True

    def finish(self) -> None:
        drawn_out = self.outcome in ("exhaustive", "nagashi")
        for seat in self.seats:
            row, waits = seat.row, seat.waits()
            nagashi = (
                drawn_out
                and not seat.called_away
                and bool(seat.river)
                and all(kind(t) in _YAOCHUU for t in seat.river)
            )
            owned = Counter(map(kind, seat.hand))
            for _, tiles in seat.melds:
                owned.update(map(kind, tiles))
            row.update(
                points_end=self.scores[seat.number],
                delta=self.scores[seat.number] - self.start[seat.number],
                rank_end=self.rank(self.scores, seat.number),
                shanten_end=shanten_of(seat.counts()), state_end=seat.state(),
                end_wait=texts(waits), end_wait_kind=wait_kind_of(seat.counts()),
                end_live=self.live(seat, waits) if waits else None,
                furiten_end=seat.furiten() if waits else None, nagashi=nagashi,
                held_draw=None if seat.drawn is None or row["won"] else TEXT[seat.drawn],
                tenpai_at_draw=bool(waits) if drawn_out else None,
                three_suits=None,
                penalty=None,
                tenpai_exhausted=(not waits and a_fifth(seat.counts())) if drawn_out else None,
                keishiki=bool(waits) and all(owned[k] >= 4 for k in waits) if drawn_out else None,
            )  # fmt: skip
            if row["won"]:
                row["outcome"] = f"won_{row['won_by']}"
            elif self.outcome == "tsumo":
                row["outcome"] = "paid_tsumo"
            elif self.wins:
                row["outcome"] = "deal_in" if row["deal_ins"] else "bystander"
            elif self.outcome == "nagashi" and nagashi:
                row["outcome"] = "nagashi"
            elif drawn_out:
                row["outcome"] = "draw_tenpai" if waits else "draw_noten"
            else:
                row["outcome"] = "unknown" if self.outcome == "unknown" else "abort"


def replayed(batch: Batch, game: int) -> list[Round]:
    """Play the rounds of a game forward and return them."""
    players = 3 if batch.games[game].players == 3 else 4
    rounds: list[Round] = []
    streak, streak_of = 0, -1
    for r in range(batch.game_rounds[game], batch.game_rounds[game + 1]):
        play = Round(batch, r, players)
        if streak_of != play.dealer:
            streak = 0
        dealers = [earlier.dealer for earlier in reversed(rounds)]
        dealt = next((n for n, who in enumerate(dealers) if who != play.dealer), len(dealers))
        for e in range(batch.round_events[r], batch.round_events[r + 1]):
            _happen(batch, play, e, streak, dealt)
        play.finish()
        dealer_won = any(win["winner"] == play.dealer for win in play.wins)
        streak, streak_of = streak + 1 if dealer_won else 0, play.dealer
        rounds.append(play)
    return rounds


def _happen(batch: Batch, play: Round, e: int, streak: int, dealt: int) -> None:
    what, s, tile = (int(a[e]) for a in (batch.event_kind, batch.event_seat, batch.event_tile))
    consumed = [int(t) for t in batch.event_consumed[e] if t >= 0]
    seat = play.seats[s] if 0 <= s < play.players else None
    if what == ev.DORA:
        play.indicators.append(tile)
    elif what == ev.RYUUKYOKU:
        play.passed()
        play.outcome = ev.OUTCOMES[batch.round_recorded_outcome[play.r]]
        for o in range(play.players):
            play.scores[o] += max(int(batch.round_recorded_delta[play.r, o]), -(10**6))
    elif seat is None or what in (ev.DISCONNECT, ev.RECONNECT):
        return
    elif what == ev.DRAW:
        play.draw(seat, tile)
    elif what == ev.DISCARD:
        play.discard(seat, tile, int(batch.event_tsumogiri[e]))
    elif what in _CALLS:
        play.call(seat, _CALLS[what], tile, int(batch.event_from[e]), consumed)
    elif what == ev.ANKAN:
        play.own_meld(seat, "ankan", tile, [tile, *consumed])
    elif what == ev.KAKAN:
        play.own_meld(seat, "kakan", tile, [tile])
    elif what == ev.KITA:
        play.own_meld(seat, "kita", tile, [tile])
    elif what == ev.RIICHI:
        seat.declaring = True
    elif what == ev.RIICHI_ACCEPTED:
        seat.accepted = True
        seat.row["riichi_accepted"] = True
        play.scores[s] -= 1000
        play.table_sticks += 1
    elif what == ev.WIN:
        w = int((batch.win_event < e).sum())
        play.win(s, tile, int(batch.event_from[e]), w, streak, dealt)
