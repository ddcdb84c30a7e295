"""Puts the events of one game of M.League's viewer into a builder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from paifu.errors import LogError
from paifu.formats.builder import NO_POINTS, NOT_SAID, NOT_SHOWN, Builder, WinRecord, pack
from paifu.formats.json.text import items, text_or_none, whole
from paifu.formats.payments import payments_of_each
from paifu.formats.yaku_names import named
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    LIMIT_BAIMAN,
    LIMIT_HANEMAN,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_SANBAIMAN,
    LIMIT_YAKUMAN,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_UNKNOWN,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    GameInfo,
)
from paifu.game.tiles import CODE, KIND_OF, NO_TILE, RED_5S
from paifu.game.times import JAPAN
from paifu.schema.yaku import YAKU, YAKU_INDEX

SEATS, HAND = 4, 13
_STICK = 1000
_TILES = {
    **{text: code for text, code in CODE.items() if code <= RED_5S and text[0] != "0"},
    **{f"5{suit.upper()}": CODE[f"0{suit}"] for suit in "mps"},
}
"""Code of each tile; red fives are in capitals."""
_WINDS = {"1z": 0, "2z": 1, "3z": 2, "4z": 3}
_SEAT = re.compile(r"([A-D])\d?")
_LIMITS = {
    "満貫": LIMIT_MANGAN, "跳満": LIMIT_HANEMAN, "ハネ満": LIMIT_HANEMAN, "倍満": LIMIT_BAIMAN,
    "三倍満": LIMIT_SANBAIMAN, "役満": LIMIT_YAKUMAN,
}  # fmt: skip
_LIMIT_BASE = {
    LIMIT_MANGAN: 2000, LIMIT_HANEMAN: 3000, LIMIT_BAIMAN: 4000, LIMIT_SANBAIMAN: 6000,
}  # fmt: skip
_WIND_YAKU = {"東": 0, "南": 1, "西": 2, "北": 3}
_DOUBLE_WIND = "ダブ"
_YAKUMAN_HAN = 13
_FIRST_YAKUMAN, _LAST_YAKUMAN = YAKU_INDEX["tenhou"], YAKU_INDEX["suukantsu"]
_CALLS_BY_SIZE = {2: (CHI, PON), 3: (DAIMINKAN,)}
_SAYS_NOTHING = frozenset(("area", "say", "dice", "point", "kyokuend", "gamestart", "player"))


class GameReader:
    """Takes the events of a game in order; :meth:`finish` returns the facts of the game."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._info = GameInfo(
            SEATS, platform="mleague", format="mleague_page", ruleset="mleague", length="south",
            aka=True, kuitan=True, complete=False,
        )  # fmt: skip
        self._names: list[str | None] = [None] * SEATS
        self._offset = NO_SEAT
        """The player who dealt first and is seat 0."""
        self._rounds = 0
        self._deal: list[Any] | None = None
        """The facts of a round whose hands are still being dealt."""
        self._times: list[datetime] = []
        self._clear()

    def _clear(self) -> None:
        """Forget the previous round."""
        self._hands: list[list[int]] = [[] for _ in range(SEATS)]
        self._points = [0] * SEATS
        self._change = [0] * SEATS
        self._paid = [0] * SEATS
        """The riichi sticks of the round."""
        self._indicator = NO_TILE
        self._riichi = NO_SEAT
        """The seat whose riichi discard may still be ronned."""
        self._discarder = NO_SEAT
        self._open = False
        self._tenpai: list[int] = [-1] * SEATS
        self._shown: dict[int, list[int]] = {}
        self._ura: list[int] = []
        self._wins: list[WinRecord] = []
        self._drawn = False
        self._last = NO_TILE

    def take(self, event: dict[str, Any]) -> None:
        """Take an event, or raise :class:`LogError` with a place within it."""
        cmd = event.get("cmd")
        args = items(event.get("args", []), ".args")
        if not all(type(arg) is str for arg in args):
            raise LogError("the args of an event are a list of texts", ".args")
        self._note_time(event.get("time"))
        if type(cmd) is not str:
            raise LogError("an event has a name", ".cmd")
        taker = _TAKERS.get(cmd)
        if taker is not None:
            taker(self, args)
        elif cmd not in _SAYS_NOTHING:
            self._info.notes.append(f"unknown_tag@{max(0, self._rounds - 1)}")

    def finish(self) -> GameInfo:
        """Close the game and return its facts."""
        self._end_round([])
        info = self._info
        if not self._rounds:
            raise LogError("a game without a round")
        info.names = tuple(self._names[(seat + self._offset) % SEATS] for seat in range(SEATS))
        if self._times:
            first, last = self._times[0], self._times[-1]
            info.played_at, info.played_precision = first - JAPAN, "second"
            seconds = (last - first).total_seconds()
            info.minutes = round(seconds / 60) if 0 <= seconds < 24 * 60 * 60 else None
        return info

    def _note_time(self, text: Any) -> None:
        if type(text) is not str:
            return
        try:
            when = datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
            when - JAPAN
        except (ValueError, OverflowError):
            return
        self._times = [*self._times[:1], when.replace(tzinfo=UTC).replace(tzinfo=None)]

    # --- the game -----------------------------------------------------------------------------

    def _player(self, args: list[str]) -> None:
        self._names[_position(args, 0)] = text_or_none(_arg(args, 1))

    def _gamestart(self, args: list[str]) -> None:
        for arg in args:
            if arg.startswith("id="):
                self._info.log_id = arg[3:] or None

    def _gameend(self, args: list[str]) -> None:
        self._end_round([])
        results: dict[int, float] = {}
        for at in range(0, len(args) - 1, 2):
            if _SEAT.fullmatch(args[at]):
                try:
                    results[self._seat(args, at)] = float(args[at + 1])
                except ValueError:
                    raise LogError(f"{args[at + 1][:40]!r} is not a result", ".args") from None
        if set(results) == set(range(SEATS)) and all(abs(r) < 1e6 for r in results.values()):
            self._info.result = tuple(results[seat] for seat in range(SEATS))
            self._info.complete = self._rounds > 0

    # --- a round ------------------------------------------------------------------------------

    def _kyokustart(self, args: list[str]) -> None:
        self._end_round([])
        self._clear()
        dealer = _position(args, 1)
        if self._offset == NO_SEAT:
            self._offset = dealer
        wind = _arg(args, 4)
        if wind not in _WINDS:
            raise LogError(f"{wind[:40]!r} is not a wind", ".args[4]")
        sticks = _number(args, 3)
        if sticks % _STICK:
            raise LogError(f"{sticks} points are not whole riichi sticks", ".args[3]")
        self._deal = [
            _WINDS[wind], (dealer - self._offset) % SEATS, _number(args, 2), sticks // _STICK,
        ]  # fmt: skip

    def _point(self, args: list[str]) -> None:
        seat, text = self._seat(args, 0), _arg(args, 1)
        if text.startswith("="):
            self._points[seat] = _whole(text[1:], ".args[1]")
        else:
            self._change[seat] += _whole(text, ".args[1]")

    def _dora(self, args: list[str]) -> None:
        code = _tile(_arg(args, 1), ".args[1]")
        if self._deal is not None and not self._open:
            self._indicator = code
        else:
            self._builder.events.append(pack(DORA, NO_SEAT, code))

    def _haipai(self, args: list[str]) -> None:
        seat = self._seat(args, 0)
        self._hands[seat] += _tiles(_arg(args, 1), ".args[1]")
        if self._deal is None or self._open or len(self._hands[seat]) > HAND:
            raise LogError("dealt tiles in the wrong place", ".args")

    def _begin(self) -> None:
        """Open the round that was dealt, when its play begins."""
        if self._open:
            return
        if self._deal is None:
            raise LogError("play before the first deal, or after the end of a round")
        wind, number, honba, sticks = self._deal
        haipai = [code for hand in self._hands for code in [*hand, *[NO_TILE] * HAND][:HAND]]
        self._builder.round(wind, number, honba, sticks, self._points, self._indicator, haipai)
        self._rounds += 1
        self._open = True

    def _passed(self) -> None:
        """Open the round if necessary, and note that nobody won on the last discard."""
        self._begin()
        if self._riichi != NO_SEAT:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
            self._riichi = NO_SEAT

    def _tsumo(self, args: list[str]) -> None:
        self._passed()
        seat, text = self._seat(args, 0), _arg(args, 2)
        # the people who write the game down sometimes miss a tile
        self._last = _tile(text, ".args[2]") if text else NO_TILE
        self._builder.events.append(pack(DRAW, seat, self._last))

    def _sutehai(self, args: list[str]) -> None:
        self._passed()
        seat, text = self._seat(args, 0), _arg(args, 1)
        self._last = _tile(text, ".args[1]") if text else NO_TILE
        if "richi" in args[2:]:
            self._builder.events.append(pack(RIICHI, seat))
            self._riichi = seat
        tsumogiri = int("tsumogiri" in args[2:])
        self._builder.events.append(pack(DISCARD, seat, self._last, tsumogiri=tsumogiri))
        self._discarder = seat

    def _richi(self, args: list[str]) -> None:
        self._paid[self._seat(args, 0)] += _STICK

    def _say(self, args: list[str]) -> None:
        if _arg(args, 1) in ("tenpai", "noten"):
            self._tenpai[self._seat(args, 0)] = int(args[1] == "tenpai")

    def _shows(self, args: list[str]) -> None:
        """Take a call, a kan, or a hand that is shown at the end."""
        seat, text = self._seat(args, 0), _arg(args, 1)
        kind = {"<": DAIMINKAN, "(": ANKAN, "[": KAKAN}.get(text[:1])
        if kind is None:
            self._shown[seat] = _tiles(text, ".args[1]")
            return
        own = _tiles(text[1:-1], ".args[1]")
        self._passed()
        if kind == ANKAN:
            if len(own) != 4:
                raise LogError(f"an ankan of {len(own)} tiles", ".args[1]")
            self._builder.events.append(pack(ANKAN, seat, own[0], consumed=own[1:]))
            self._last = own[0]
            return
        taken = _tile(_arg(args, 2), ".args[2]")
        if kind == KAKAN:
            self._builder.events.append(pack(KAKAN, seat, taken))
            self._last, self._discarder = taken, seat
            return
        if len(own) not in _CALLS_BY_SIZE or self._discarder in (NO_SEAT, seat):
            raise LogError("a call takes another seat's discard with two or three tiles", ".args")
        same = KIND_OF[own[0]] == KIND_OF[taken]
        call = DAIMINKAN if len(own) == 3 else PON if same else CHI
        self._builder.events.append(pack(call, seat, taken, self._discarder, consumed=own))

    # --- the end ------------------------------------------------------------------------------

    def _uradora(self, args: list[str]) -> None:
        if text := _arg(args, 1):
            self._ura.append(_tile(text, ".args[1]"))

    def _agari(self, args: list[str]) -> None:
        self._begin()
        args = [arg for arg in args if not arg.startswith("comment")]
        ron = args[0][4:] if args and args[0].startswith("ron=") else None
        if ron is not None:
            args = args[1:]
        winner = self._seat(args, 0)
        source = winner if ron is None else self._discarder
        if source == NO_SEAT or len(self._wins) == SEATS - 1:
            raise LogError("a win without a tile to win on", ".args")
        if ron is None and self._riichi != NO_SEAT:
            self._passed()
        tile = _tile(ron, ".args[0]") if ron else self._last
        hand = self._shown.get(winner, [])
        if ron is not None and hand:
            hand = [*hand, tile]
        win = WinRecord(
            winner,
            source,
            tile,
            hand=[*hand, *NOT_SHOWN][: HAND + 1],
            fu=_whole(_arg(args, 2), ".args[2]", 0, 999),
            ura=self._ura,
        )
        self._add_yaku(win, args[3:])
        self._set_value(win, _arg(args, 1))
        self._wins.append(win)

    def _add_yaku(self, win: WinRecord, listed: list[str]) -> None:
        """Set yaku, han and yakuman from a list that alternates names and han."""
        wind, number = (self._deal or [0, 0])[:2]
        winds = wind, (win.winner - number) % SEATS
        yaku: list[tuple[int, int]] = []
        known = len(listed) % 2 == 0
        han = yakuman = 0
        for name, text in zip(listed[::2], listed[1::2], strict=False):
            value = _whole(text, ".args", 0, 999)
            found = _yaku_of(name, winds)
            known &= bool(found)
            if any(_FIRST_YAKUMAN <= index <= _LAST_YAKUMAN for index in found):
                yakuman += max(1, value // _YAKUMAN_HAN)
                yaku += [(index, _YAKUMAN_HAN) for index in found]
            else:
                han += value
                yaku += [(index, value // len(found)) for index in found]
        if not known:
            self._info.notes.append(f"unknown_tag@{self._rounds - 1}")
        win.yaku, win.yakuman, win.han = yaku, yakuman, -1 if yakuman else han

    def _set_value(self, win: WinRecord, text: str) -> None:
        """Set points and limit; the text gives one of them."""
        dealer = win.winner == (self._deal or [0, 0])[1]
        if text in _LIMITS:
            win.limit = _LIMITS[text]
            base = _LIMIT_BASE.get(win.limit, 8000 * max(1, win.yakuman))
            win.points = base * (6 if dealer else 4)
        else:
            win.points = _whole(text, ".args[1]", 0)
            win.limit = LIMIT_NONE

    def _ryukyoku(self, _: list[str]) -> None:
        self._passed()
        self._builder.events.append(pack(RYUUKYOKU))
        self._drawn = True

    def _end_round(self, _: list[str]) -> None:
        """End the current round as recorded."""
        if self._deal is None:
            return
        self._begin()
        self._deal, self._open = None, False
        before = [
            points - paid for points, paid in zip(self._points, self._paid, strict=True)
        ]  # fmt: skip
        # riichi sticks are counted at the end
        delta = [change + paid for change, paid in zip(self._change, self._paid, strict=True)]
        if self._wins:
            self._add_wins(before, delta)
        elif self._drawn:
            told = all(shown >= 0 for shown in self._tenpai)
            tenpai: Sequence[int] = self._tenpai if told else NOT_SAID
            self._builder.draw(OUTCOME_EXHAUSTIVE, tenpai, before, delta)
        else:
            self._builder.draw(OUTCOME_UNKNOWN)

    def _add_wins(self, before: list[int], delta: list[int]) -> None:
        wins = sorted(self._wins, key=lambda win: (win.winner - win.from_seat) % SEATS)
        winners = [win.winner for win in wins]
        known = any(self._change) and len(set(winners)) == len(winners)
        shares = payments_of_each(delta, winners, wins[0].from_seat, SEATS) if known else None
        for at, win in enumerate(wins):
            win.delta = shares[at] if shares else NO_POINTS
            win.before = before if at == 0 and shares else NO_POINTS
            self._builder.win(win)
        self._builder.won()

    def _seat(self, args: list[str], at: int) -> int:
        return (_position(args, at) - max(0, self._offset)) % SEATS


_TAKERS = {
    "player": GameReader._player, "gamestart": GameReader._gamestart,
    "gameend": GameReader._gameend, "kyokustart": GameReader._kyokustart,
    "point": GameReader._point, "dora": GameReader._dora, "uradora": GameReader._uradora,
    "haipai": GameReader._haipai, "tsumo": GameReader._tsumo, "sutehai": GameReader._sutehai,
    "richi": GameReader._richi, "say": GameReader._say, "open": GameReader._shows,
    "agari": GameReader._agari, "ryukyoku": GameReader._ryukyoku,
    "kyokuend": GameReader._end_round,
}  # fmt: skip


def _yaku_of(name: str, winds: tuple[int, int]) -> list[int]:
    """Return the indices of a yaku by its name; a double wind has two."""
    round_wind, seat_wind = winds
    if (wind := _WIND_YAKU.get(name.removeprefix(_DOUBLE_WIND))) is not None:
        as_round = wind == round_wind
        as_seat = wind == seat_wind and (name.startswith(_DOUBLE_WIND) or not as_round)
        return [YAKU_INDEX["round_east"] + wind] * as_round + [
            YAKU_INDEX["seat_east"] + wind
        ] * as_seat
    index = named(name)
    return [index] if index is not None and 0 <= index < len(YAKU) else []


def _arg(args: list[str], at: int) -> str:
    if at >= len(args):
        raise LogError(f"{len(args)} values, fewer than the event has", ".args")
    return args[at]


def _position(args: list[str], at: int) -> int:
    text = _arg(args, at)
    match = _SEAT.fullmatch(text)
    if match is None:
        raise LogError(f"{text[:40]!r} is not a seat", f".args[{at}]")
    return "ABCD".index(match[1])


def _number(args: list[str], at: int) -> int:
    return _whole(_arg(args, at), f".args[{at}]", 0, 999_000)


def _whole(text: str, path: str, low: int = -(2**31), high: int = 2**31 - 1) -> int:
    if not re.fullmatch(r"[+-]?\d{1,9}", text):
        raise LogError(f"{text[:40]!r} is not a number", path)
    return whole(int(text), path, low, high)


def _tile(text: str, path: str) -> int:
    code = _TILES.get(text)
    if code is None:
        raise LogError(f"{text[:40]!r} is not a tile", path)
    return code


def _tiles(text: str, path: str) -> list[int]:
    if len(text) > 2 * (HAND + 1):
        raise LogError(f"{len(text) // 2} tiles where there may be at most {HAND + 1}", path)
    return [_tile(text[at : at + 2], path) for at in range(0, len(text), 2)]
