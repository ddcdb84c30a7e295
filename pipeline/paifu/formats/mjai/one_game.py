"""Puts the deals, wins, draws and points of one mjai game into a builder, and renumbers seats."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from paifu.errors import LogError
from paifu.formats.builder import (
    FROM_SHIFT,
    KIND_MASK,
    NO_POINTS,
    NOT_SAID,
    NOT_SHOWN,
    SEAT_MASK,
    SEAT_SHIFT,
    Builder,
    WinRecord,
    last_tile,
    pack,
)
from paifu.formats.json.documents import played_length
from paifu.formats.json.memo import SPECIAL
from paifu.formats.json.text import fields, items, parse, text_or_none, whole, wholes
from paifu.formats.mjai.lines import TILES, actor, event_code, event_type, tile, tiles
from paifu.formats.mjai.win import add_value
from paifu.game.events import (
    DRAW,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    Array,
    GameInfo,
)
from paifu.game.tiles import NO_TILE
from paifu.messages import counted

_WINDS = "ESWN"
_START = {3: 35000, 4: 25000}
_STICK = 1000
WALL = {3: 55, 4: 70}
"""Tiles that are drawn until the wall is exhausted, including replacement tiles."""
REASONS = {
    "fanpai": OUTCOME_EXHAUSTIVE, "kyushukyuhai": OUTCOME_KYUUSHU, "sufonrenta": OUTCOME_SUUFON,
    "suchareach": OUTCOME_SUUCHA, "sucharichi": OUTCOME_SUUCHA, "sanchaho": OUTCOME_SANCHAHOU,
    "sukaikan": OUTCOME_SUUKAN, "nagashimangan": OUTCOME_NAGASHI,
}  # fmt: skip
"""Recorded outcome of each reason that gimite's dialect gives for a draw."""


class _Deal(NamedTuple):
    wind: int
    number: int
    honba: int
    sticks: int
    dealer: int
    indicator: int
    scores: list[int]
    hands: list[list[int]]


class GameReader:
    """Takes a game's events in order; :meth:`finish` returns the facts of the game."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._info = GameInfo(players=4, platform="mjai", format="mjai", complete=False)
        self._offset = 0
        """The actor who dealt first and is seat 0."""
        self._rounds: list[tuple[int, int]] = []
        self._deal: _Deal | None = None
        """The deal of a round whose hands may still follow (gimite's ``haipai`` events)."""
        self._open = False
        self._first_event = 0
        self._dealer, self._dealer_won = 0, False
        self._wins = 0
        self._draw: tuple[int, Sequence[int], Sequence[int]] | None = None
        self._scores: list[int] | None = None
        """Points now; None if the log has not given them and they cannot be worked out."""
        self._sticks = 0
        self._honba = 0
        """Sticks on the table, for logs whose deals do not say."""
        self._stated_no_points = False
        self._draw_before: Sequence[int] = NO_POINTS
        self._accepted = [0] * 4
        """Whether a riichi was accepted in this round, by seat."""

    def play(self, events: Array) -> None:
        """Add packed events (int64), with actors in the log's numbering."""
        self._begin()
        if self._offset or self._info.players == 3:
            events = self._renumbered(events)
        self._builder.events.frombytes(events.tobytes())
        for event in events[events & KIND_MASK == RIICHI_ACCEPTED].tolist():
            self._accepted[(event >> SEAT_SHIFT & SEAT_MASK) - 1] += 1

    def special(self, line: bytes) -> None:
        """Take a line that is more than an event, or raise :class:`LogError` for a bad line."""
        event = fields(parse(line), "$")
        kind = event_type(event)
        if kind == "start_game":
            note_start(self._info, event)
        elif kind == "start_kyoku":
            self._start_kyoku(event)
        elif kind == "haipai":
            self._haipai(event)
        elif kind == "reach_accepted":
            self.play(np.array([pack(RIICHI_ACCEPTED, actor(event))]))
            self._builder.stated(self._by_seat(event.get("scores"), "$.scores"))
        elif kind == "hora":
            self._hora(event)
        elif kind == "ryukyoku":
            self._ryukyoku(event)
        elif kind == "end_game":
            self._close()
            self._info.complete = bool(self._rounds)
            if "scores" in event:
                scores = self._by_seat(event["scores"], "$.scores")
                self._info.final_points = tuple(scores[: self._info.players])
        elif (code := event_code(event, "$")) >= 0:
            self.play(np.array([code]))
        elif code == SPECIAL:
            self._info.notes.append(f"unknown_tag@{max(0, len(self._rounds) - 1)}")

    def finish(self) -> GameInfo:
        """Close the game and return its facts."""
        self._close()
        info = self._info
        if not self._rounds:
            raise LogError("a game without a round", "")
        if self._stated_no_points:
            info.notes.append("points_unknown")
        if info.complete:
            info.length = length_of(len(self._rounds), *self._rounds[-1], info.players)
        return info

    # --- the start ----------------------------------------------------------------------------

    def _start_kyoku(self, event: dict[str, Any]) -> None:
        self._close()
        hands = items(event.get("tehais", []), "$.tehais")
        if len(hands) > 4:
            raise LogError(f"{counted(len(hands), 'hand')} where there are 4 seats", "$.tehais")
        dealer = actor(event, "oya")
        bakaze = event.get("bakaze")
        if type(bakaze) is not str or len(bakaze) != 1 or bakaze not in _WINDS:
            raise LogError(f"{str(bakaze)[:40]!r} is not a wind", "$.bakaze")
        number = whole(event.get("kyoku"), "$.kyoku", 1, 4) - 1
        if not self._rounds:
            players = 3 if len(hands) == 3 or (len(hands) == 4 and hands[3] == []) else 4
            self._start_at(players, (dealer - number) % players, "dora_marker" in event)
        players = self._info.players
        if number >= players or dealer >= players:
            raise LogError(f"round {number + 1}, dealer {dealer} with three players", "$.kyoku")
        marker = event.get("dora_marker")
        self._deal = _Deal(
            _WINDS.index(bakaze),
            number,
            whole(event.get("honba", self._honba), "$.honba", 0, 999),
            whole(event.get("kyotaku", self._sticks), "$.kyotaku", 0, 999),
            (dealer - self._offset) % players,
            NO_TILE if marker is None else tile(marker, "$.dora_marker"),
            self._starting_scores(event),
            _dealt(hands),
        )
        self._sticks, self._honba = self._deal.sticks, self._deal.honba
        self._rounds.append((self._deal.wind, number))

    def _start_at(self, players: int, offset: int, has_dora: bool) -> None:
        """Set the facts of the game that follow from the first deal."""
        info = self._info
        info.players, self._offset = players, offset
        info.ruleset = f"tenhou-{players}p" if has_dora else "mcr"
        info.game = None if has_dora else "mcr"
        info.names = names_by_seat(info.names, players, offset)

    def _starting_scores(self, event: dict[str, Any]) -> list[int]:
        if "scores" in event:
            return self._by_seat(event["scores"], "$.scores")
        if self._scores is not None:
            return self._scores
        self._stated_no_points = bool(self._rounds)
        players = self._info.players
        return [_START[players]] * players + [0] * (4 - players)

    def _haipai(self, event: dict[str, Any]) -> None:
        if self._deal is None or self._deal.hands[actor(event)]:
            raise LogError("a hand in the wrong place", "$.actor")
        self._deal.hands[actor(event)] = tiles(event.get("pais"), "$.pais", 13, hidden=True)

    def _begin(self) -> None:
        """Open the round that was dealt, when its play begins."""
        deal, self._deal = self._deal, None
        if deal is None:
            if not self._open:
                raise LogError("play before the first deal", "")
            return
        players = self._info.players
        haipai: list[int] = []
        for seat in range(4):
            hand = deal.hands[(seat + self._offset) % players] if seat < players else []
            haipai += hand + [NO_TILE] * (13 - len(hand))
        self._builder.round(
            deal.wind, deal.number, deal.honba, deal.sticks, deal.scores, deal.indicator, haipai,
            dealer=deal.dealer,
        )  # fmt: skip
        self._open = True
        self._first_event = len(self._builder.events)
        self._dealer, self._dealer_won = deal.dealer, False
        self._wins, self._draw, self._scores = 0, None, list(deal.scores)
        self._accepted = [0] * 4

    # --- the end ------------------------------------------------------------------------------

    def _events(self) -> array[int]:
        return self._builder.events[self._first_event :]

    def _before(self) -> list[int] | None:
        """Return points at the end of play, after riichi sticks and after earlier wins."""
        if self._scores is None or self._stated_no_points:
            return None
        scores = list(self._scores)
        if self._wins == 0:
            for seat, accepted in enumerate(self._accepted):
                scores[seat] -= _STICK * accepted
        return scores

    def _payments(self, event: dict[str, Any]) -> tuple[Sequence[int], ...]:
        """Return points before, and payments, as stated or worked out; keep the points after."""
        before = self._before()
        delta = self._by_seat(event["deltas"], "$.deltas") if "deltas" in event else None
        after = self._by_seat(event["scores"], "$.scores") if "scores" in event else None
        if delta is None and after is not None and before is not None:
            delta = [now - then for now, then in zip(after, before, strict=True)]
        if after is None and delta is not None and before is not None:
            after = [then + paid for then, paid in zip(before, delta, strict=True)]
        self._scores = after
        told: Sequence[int] = NO_POINTS
        if "deltas" in event and "scores" in event and delta and after:
            told = [now - paid for now, paid in zip(after, delta, strict=True)]
        return told, NO_POINTS if delta is None else delta

    def _hora(self, event: dict[str, Any]) -> None:
        self._begin()
        winner, target = self._seat(event, "actor"), self._seat(event, "target")
        events = self._events()
        before, delta = self._payments(event)
        won_on = tile(event["pai"], "$.pai") if "pai" in event else last_tile(events)
        hand = tiles(event["hora_tehais"], "$.hora_tehais", 14) if "hora_tehais" in event else []
        if hand and len(hand) % 3 == 1 and won_on != NO_TILE:
            hand.append(won_on)
        ura_key = "ura_markers"
        if ura_key not in event:
            ura_key = next((key for key in event if key.startswith("ura")), "")
        win = WinRecord(
            winner,
            target,
            won_on,
            hand=[*hand, *NOT_SHOWN][:14],
            fu=whole(event["fu"], "$.fu", -1, 999) if "fu" in event else -1,
            points=whole(event["hora_points"], "$.hora_points")
            if "hora_points" in event
            else UNKNOWN,
            ura=tiles(event.get(ura_key), f"$.{ura_key}", 10) if ura_key else (),
            before=before,
            delta=delta,
        )
        wind, number = self._rounds[-1]
        winds = wind, (winner - number) % self._info.players
        if not add_value(win, event, events, winds, chinese=self._info.ruleset == "mcr"):
            self._info.notes.append(f"unknown_tag@{len(self._rounds) - 1}")
        self._builder.win(win)
        self._wins += 1
        self._dealer_won |= winner == self._dealer
        self._sticks = 0

    def _ryukyoku(self, event: dict[str, Any]) -> None:
        self._begin()
        events = self._events()
        before, delta = self._payments(event)
        reason = event.get("reason")
        if type(reason) is str and reason in REASONS:
            outcome = REASONS[reason]
        else:
            paid = delta is not NO_POINTS and any(delta)
            drawn = sum(event & KIND_MASK == DRAW for event in events)
            last = events[-1] & KIND_MASK if events else -1
            outcome = kind_of_draw(paid, drawn, last, self._info.players)
        tenpais = event.get("tenpais")
        tenpai: Sequence[int] = NOT_SAID
        if type(tenpais) is list and all(type(shown) is bool for shown in tenpais):
            shown = self._by_seat([int(shown) for shown in tenpais], "$.tenpais")
            tenpai = [*shown[: self._info.players], *NOT_SAID][:4]
        elif outcome == OUTCOME_EXHAUSTIVE and delta is not NO_POINTS and any(delta):
            tenpai = [*(int(d > 0) for d in delta[: self._info.players]), *NOT_SAID][:4]
        declared = outcome == OUTCOME_KYUUSHU and bool(events)
        seat = (events[-1] >> SEAT_SHIFT & SEAT_MASK) - 1 if declared else NO_SEAT
        self._builder.events.append(pack(RYUUKYOKU, seat))
        self._draw = outcome, tenpai, delta
        self._draw_before = before

    def _close(self) -> None:
        """End the current round as recorded."""
        if self._deal is not None:
            self._begin()
        if not self._open:
            return
        self._open = False
        if self._wins:
            self._builder.won()
            self._honba = self._honba + 1 if self._dealer_won else 0
        elif self._draw is not None:
            outcome, tenpai, delta = self._draw
            self._builder.draw(outcome, tenpai, self._draw_before, delta)
            self._sticks += sum(self._accepted)
            self._honba += 1
        else:
            self._builder.draw(OUTCOME_UNKNOWN)
            self._sticks += sum(self._accepted)

    # --- seats --------------------------------------------------------------------------------

    def _seat(self, event: dict[str, Any], key: str) -> int:
        return (whole(event.get(key), f"$.{key}", 0, self._info.players - 1) - self._offset) % (
            self._info.players
        )

    def _by_seat(self, value: Any, path: str) -> list[int]:
        """Return one number per seat from numbers by actor; an empty seat has 0."""
        players = self._info.players
        numbers = wholes(value, path, 4)
        if players == 4 and not self._offset:
            return numbers
        return [numbers[(seat + self._offset) % players] for seat in range(players)] + [0] * (
            4 - players
        )

    def _renumbered(self, events: Array) -> Array:
        players, offset = self._info.players, self._offset
        for shift in (SEAT_SHIFT, FROM_SHIFT):
            seats = (events >> shift & SEAT_MASK) - 1
            if np.any(seats >= players):
                raise LogError("an act of the fourth seat with three players", "")
            turned = np.where(seats >= 0, (seats - offset) % players - seats, 0)
            events = events + (turned << shift)
        return events


def note_start(info: GameInfo, event: dict[str, Any]) -> None:
    """Set the facts from the start of a game."""
    names = event.get("names")
    if type(names) is list:
        info.names = tuple(text_or_none(name) for name in names[:4])
    if type(flag := event.get("aka_flag")) is bool:
        info.aka = flag


def names_by_seat(
    names: tuple[str | None, ...], players: int, offset: int
) -> tuple[str | None, ...]:
    """Return the names of actors by seat, where actor ``offset`` dealt first."""
    known = (*names, None, None, None, None)
    return tuple(known[(seat + offset) % players] for seat in range(players if names else 0))


def length_of(rounds: int, wind: int, number: int, players: int) -> str | None:
    """Return the length of a game that ended normally with its last round."""
    return "one_round" if rounds == 1 else played_length(wind, number, players)


def kind_of_draw(paid: bool, drawn: int, last_kind: int, players: int) -> int:
    """Return which draw it was if the log does not say: modern mjai gives no reason.

    ``drawn`` tiles were drawn in the round; its last event is of ``last_kind``.
    """
    if paid or drawn >= WALL[players]:
        return OUTCOME_EXHAUSTIVE
    return OUTCOME_KYUUSHU if last_kind == DRAW else OUTCOME_UNKNOWN


def _dealt(hands: list[Any]) -> list[list[int]]:
    """Return the codes of four hands, at most thirteen each, from the hands in a deal."""
    if set(map(type, hands)) == {list} and max(map(len, hands)) <= 13:
        try:
            return [[TILES[text] for text in hand] for hand in hands] + [[]] * (4 - len(hands))
        except (KeyError, TypeError):
            pass  # the line below says which tile it is
    return [tiles(hand, f"$.tehais[{at}]", 13, hidden=True) for at, hand in enumerate(hands)] + [
        [] for _ in range(4 - len(hands))
    ]
