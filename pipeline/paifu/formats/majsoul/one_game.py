"""Puts the records of one Mahjong Soul game into a builder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paifu.errors import LogError
from paifu.formats.builder import (
    KIND_MASK,
    NO_POINTS,
    NOT_SAID,
    SEAT_MASK,
    SEAT_SHIFT,
    Builder,
    last_tile,
    pack,
)
from paifu.formats.json.text import fields, items, whole, wholes
from paifu.formats.majsoul.game_info import set_rules
from paifu.formats.majsoul.records import (
    AN_GANG_ADD_GANG,
    BA_BEI,
    CHI_PENG_GANG,
    DEAL_TILE,
    DISCARD_TILE,
    HULE,
    LIU_JU,
    NEW_ROUND,
    NO_TILE,
    RIICHI_KEYS,
    Kinds,
    either,
    kind_by_itself,
    unwrapped,
)
from paifu.formats.majsoul.scan import (
    DISCARDS,
    DRAWS,
    NOTHING,
    Scanned,
    call_event,
    read_tile,
    read_tiles,
)
from paifu.formats.majsoul.walls import recorded_wall
from paifu.formats.majsoul.win import add_yaku, has_old_yaku, read_win
from paifu.formats.payments import payments_of_each
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    Array,
    GameInfo,
)
from paifu.game.recorded_wall import RECORDED, RecordedWall, seed_of
from paifu.game.tiles import KIND_OF, NORTH, RED_5M
from paifu.game.tiles import NO_TILE as NONE
from paifu.messages import counted

_KAKAN, _ANKAN = 2, 3
_DRAW_KINDS = {
    1: OUTCOME_KYUUSHU, 2: OUTCOME_SUUFON, 3: OUTCOME_SUUKAN, 4: OUTCOME_SUUCHA,
    5: OUTCOME_SANCHAHOU,
}  # fmt: skip


class GameReader:
    """Takes the records of a game in order."""

    def __init__(self, builder: Builder, info: GameInfo) -> None:
        self._builder = builder
        self._info = info
        self._round = (0, 0)
        self._rounds = 0
        self._open = False
        self._first_event = 0
        self._riichi = NO_SEAT
        """The seat whose riichi discard may still be ronned."""
        self._shown = 0
        """How many dora indicators are turned up."""
        self._walls: list[RecordedWall | None] = []
        """The wall of each round; None if the record does not give it."""
        self.at = 0
        """Index of the record that is being taken."""

    def take_all(self, records: Iterable[Any]) -> None:
        """Take the records of a game; after a :class:`LogError`, ``at`` is the record's index."""
        kinds = Kinds()
        for self.at, entry in enumerate(records):
            if (known := unwrapped(entry)) is not None:
                self._take(kinds.of(*known), known[1])

    def take_scanned(self, scanned: Scanned) -> None:
        """Take the records of a game whose plain draws, discards and calls are already events.

        Raises :class:`LogError`, without a place, if :meth:`take_all` might raise it.
        """
        kinds = Kinds()
        wanted = np.flatnonzero(scanned.meanings != NOTHING)
        meanings = scanned.meanings[wanted]
        done = 0
        for at in [*np.flatnonzero(meanings < 0).tolist(), len(meanings)]:
            if at > done:
                self._play(meanings[done:at])
            if at < len(meanings) and (known := unwrapped(scanned.record(wanted[at]))) is not None:
                if "tile" in known[1] and kind_by_itself(*known) is None:
                    raise LogError("an earlier record may tell whether it is a draw or a discard")
                self._take(kinds.of(*known), known[1])
            done = at + 1
        calls = (meanings & KIND_MASK >= CHI) & (meanings & KIND_MASK <= DAIMINKAN)
        if self._info.players == 3 and np.any(meanings[calls] >> SEAT_SHIFT & SEAT_MASK == 4):
            raise LogError("a call by the fourth of three players")

    def _play(self, events: Array) -> None:
        """Add packed draws, discards and calls (int64)."""
        if not self._open:
            raise LogError("play after the end of a round, or before the first deal")
        if self._riichi != NO_SEAT:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
            self._riichi = NO_SEAT
        self._builder.events.frombytes(events.tobytes())

    def _take(self, kind: int, record: dict[str, Any]) -> None:
        if kind == NEW_ROUND:
            self._new_round(record)
            return
        if not self._open:
            if kind in (DEAL_TILE, DISCARD_TILE, CHI_PENG_GANG, AN_GANG_ADD_GANG, BA_BEI, HULE):
                raise LogError("play after the end of a round, or before the first deal")
            return
        if self._riichi != NO_SEAT and kind != HULE:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
            self._riichi = NO_SEAT
        if "doras" in record:
            self._turn_up(record["doras"])
        if kind == DEAL_TILE:
            self._draw(record.get("seat", 0), record.get("tile"))
        elif kind == DISCARD_TILE:
            self._discard(record)
        elif kind == CHI_PENG_GANG:
            self._call(record)
        elif kind == AN_GANG_ADD_GANG:
            self._kan(record)
        elif kind == BA_BEI:
            self._builder.events.append(pack(KITA, self._seat(record), NORTH))
        elif kind == HULE:
            self._hule(record)
        elif kind == NO_TILE:
            self._no_tile(record)
        elif kind == LIU_JU:
            self._liu_ju(record)
        else:
            raise LogError("a record of a kind that riichi mahjong does not have")

    def finish(self) -> GameInfo:
        """Close the last round and return the game's facts; raise if there was no round."""
        if not self._rounds:
            raise LogError("a game without a round")
        self._close()
        info = self._info
        walls = [wall for wall in self._walls if wall is not None]
        if len(walls) == self._rounds:
            info.shuffle_kind, info.shuffle_seed = RECORDED, seed_of(walls)
        for name in ("names", "player_ids", "dan", "dan_names", "bots"):
            setattr(info, name, getattr(info, name)[: info.players])
        return info

    # --- play ---------------------------------------------------------------------------------

    def _new_round(self, record: dict[str, Any]) -> None:
        self._close()
        players = self._info.players
        wind, dealer = (whole(record.get(key, 0), f".{key}", 0, 3) for key in ("chang", "ju"))
        hands = [self._dealt(record, seat) for seat in range(4)]
        if not self._rounds and not hands[3]:
            players = self._info.players = 3
        if dealer >= players or (hands[3] and players == 3):
            raise LogError("a deal for four players in a game of three")
        doras = record.get("doras") or ([record["dora"]] if "dora" in record else [])
        indicators = read_tiles(items(doras, ".doras"))
        drawn = hands[dealer][13:]
        haipai = [code for hand in hands for code in [*hand[:13], *[NONE] * (13 - len(hand))]]
        self._builder.round(
            wind,
            dealer,
            whole(record.get("ben", 0), ".ben", 0, 999),
            whole(record.get("liqibang", 0), ".liqibang", 0, 999),
            wholes(record.get("scores"), ".scores", 4),
            indicators[0] if indicators else NONE,
            haipai,
        )
        self._open, self._riichi, self._shown = True, NO_SEAT, 1
        self._round, self._rounds = (wind, dealer), self._rounds + 1
        self._first_event = len(self._builder.events)
        self._builder.events.extend(pack(DRAW, dealer, code) for code in drawn)
        self._walls.append(recorded_wall(record, hands, dealer) if players == 4 else None)

    def _dealt(self, record: dict[str, Any], seat: int) -> list[int]:
        hand = record.get(f"tiles{seat}")
        hand = record.get(f"begin_tiles[{seat}]", []) if hand is None else hand
        if len(items(hand, f".tiles{seat}")) > 14:
            raise LogError(f"{counted(len(hand), 'tile')} dealt to seat {seat}")
        return read_tiles(hand)

    def _seat(self, record: dict[str, Any]) -> int:
        return whole(record.get("seat", 0), ".seat", 0, self._info.players - 1)

    def _draw(self, seat: Any, text: Any) -> None:
        try:
            self._builder.events.append(DRAWS[seat, text])
        except (KeyError, TypeError):
            raise LogError(f"no draw of {str(text)[:40]!r} by seat {str(seat)[:40]}") from None

    def _discard(self, record: dict[str, Any]) -> None:
        seat: Any = record.get("seat", 0)
        text: Any = record.get("tile")
        try:
            code = DISCARDS[seat, text, record.get("moqie", False)]
        except (KeyError, TypeError):
            raise LogError(f"no discard of {str(text)[:40]!r} by seat {str(seat)[:40]}") from None
        if any(record.get(key) is True for key in RIICHI_KEYS if key in record):
            self._riichi = self._seat(record)
            self._builder.events.append(pack(RIICHI, self._riichi))
        self._builder.events.append(code)

    def _turn_up(self, doras: Any) -> None:
        """Add the indicators that are new; the list has all of them."""
        for text in items(doras, ".doras")[self._shown :]:
            self._builder.events.append(pack(DORA, NO_SEAT, read_tile(text)))
            self._shown += 1

    def _call(self, record: dict[str, Any]) -> None:
        self._seat(record)
        self._builder.events.append(call_event(record))

    def _kan(self, record: dict[str, Any]) -> None:
        seat, tile = self._seat(record), read_tile(record.get("tiles"))
        kind = whole(record.get("type", 0), ".type")
        if kind == _KAKAN:
            self._builder.events.append(pack(KAKAN, seat, tile))
        elif kind == _ANKAN:
            # the record names the kind of tile and not which of them is red
            five = int(KIND_OF[tile])
            red = RED_5M + five // 9 if five % 9 == 4 and five < 27 and self._info.aka else five
            consumed = (five, five, five)
            self._builder.events.append(pack(ANKAN, seat, red, consumed=consumed))
        else:
            raise LogError(f"{kind} is not a kind of kan")

    # --- the end ------------------------------------------------------------------------------

    def _close(self) -> None:
        if self._open:
            self._builder.draw(OUTCOME_UNKNOWN)
            self._open = False

    def _hule(self, record: dict[str, Any]) -> None:
        hules = [fields(hule, ".hules") for hule in items(record.get("hules"), ".hules")]
        if not 1 <= len(hules) <= 3:
            raise LogError(f"{len(hules)} wins at once")
        tsumo = hules[0].get("zimo", False) is True
        if self._riichi != NO_SEAT and tsumo:
            # the draw is missing from the record, but nobody ronned the riichi discard
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
        events = self._builder.events[self._first_event :]
        if not events:
            raise LogError("a win before any play")
        actor = (events[-1] >> SEAT_SHIFT & SEAT_MASK) - 1
        self._turn_up(hules[0].get("doras", []))
        before = wholes(either(record, "old_scores", "oldScores") or [], ".old_scores", 4)
        delta = wholes(either(record, "delta_scores", "deltaScores") or [], ".delta_scores", 4)
        winners = [self._seat(hule) for hule in hules]
        stated = before if either(record, "old_scores", "oldScores") else NO_POINTS
        payments = payments_of_each(delta, winners, actor, self._info.players)
        (wind, dealer), players = self._round, self._info.players
        for at, (hule, winner) in enumerate(zip(hules, winners, strict=True)):
            win = read_win(hule, winner, winner if tsumo else actor, last_tile(events), players)
            if not add_yaku(win, hule, (wind, (winner - dealer) % players)):
                self._info.notes.append(f"unknown_tag@{self._rounds - 1}")
            if has_old_yaku(hule):
                set_rules(self._info, own=True, own_wins=True)
            win.delta = payments[at]
            win.before = stated if at == 0 else NO_POINTS
            self._builder.win(win)
        self._builder.won()
        self._open, self._riichi = False, NO_SEAT

    def _no_tile(self, record: dict[str, Any]) -> None:
        shown = [fields(player, ".players") for player in items(record.get("players"), ".players")]
        tenpai = [int(player.get("tingpai", False) is True) for player in shown]
        scores = [fields(entry, ".scores") for entry in items(record.get("scores", []), ".scores")]
        before: Sequence[int] = NO_POINTS
        delta = [0] * 4
        for at, entry in enumerate(scores):
            old = either(entry, "old_scores", "oldScores")
            if at == 0 and old:
                before = wholes(old, ".old_scores", 4)
            paid = wholes(either(entry, "delta_scores", "deltaScores") or [], ".delta_scores", 4)
            delta = [total + part for total, part in zip(delta, paid, strict=True)]
        nagashi = record.get("liujumanguan", False) is True
        self._ended(
            OUTCOME_NAGASHI if nagashi else OUTCOME_EXHAUSTIVE, NO_SEAT, tenpai, before, delta
        )

    def _liu_ju(self, record: dict[str, Any]) -> None:
        outcome = _DRAW_KINDS.get(whole(record.get("type", 0), ".type"), OUTCOME_UNKNOWN)
        seat = self._seat(record) if outcome == OUTCOME_KYUUSHU else NO_SEAT
        self._ended(outcome, seat, (), NO_POINTS, [0] * 4)

    def _ended(
        self,
        outcome: int,
        seat: int,
        tenpai: Sequence[int],
        before: Sequence[int],
        delta: Sequence[int],
    ) -> None:
        self._builder.events.append(pack(RYUUKYOKU, seat))
        self._builder.draw(outcome, [*tenpai[: self._info.players], *NOT_SAID][:4], before, delta)
        self._open = False
