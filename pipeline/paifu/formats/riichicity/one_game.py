"""Puts the rounds of one Riichi City game into a builder, and renumbers seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats.builder import (
    NO_POINTS,
    NOT_SAID,
    NOT_SHOWN,
    Builder,
    WinRecord,
    located,
    pack,
)
from paifu.formats.json.text import fields, items, parse, whole
from paifu.formats.payments import payments_of_each
from paifu.formats.riichicity import codes
from paifu.formats.riichicity.codes import tile, tiles
from paifu.formats.riichicity.game_info import (
    MAX_ROUNDS,
    people,
    set_people,
    set_result,
    set_time,
)
from paifu.formats.yaku_names import with_wind
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    LIMIT_BAIMAN,
    LIMIT_HANEMAN,
    LIMIT_KAZOE,
    LIMIT_MANGAN,
    LIMIT_NONE,
    LIMIT_SANBAIMAN,
    LIMIT_YAKUMAN,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_UNKNOWN,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    GameInfo,
)
from paifu.game.recorded_wall import RecordedWall
from paifu.game.tiles import NO_TILE, NORTH

_SEATS, _HAND = 4, 13
_HONBA = 100
_ANY = 1 << 62
_CALLS = {
    codes.CHI_LOW: (CHI, 2), codes.CHI_MIDDLE: (CHI, 2), codes.CHI_HIGH: (CHI, 2),
    codes.PON: (PON, 2), codes.DAIMINKAN: (DAIMINKAN, 3),
}  # fmt: skip
_LEAVING = {ANKAN: 4, KAKAN: 1, KITA: 1}
"""Tiles that leave the hand with each kind of act."""
_LIMITS = {
    2000: LIMIT_MANGAN, 3000: LIMIT_HANEMAN, 4000: LIMIT_BAIMAN, 6000: LIMIT_SANBAIMAN,
}  # fmt: skip
"""Limit by the base points of a hand."""
_YAKUMAN_BASE = 8000
_MOST_LISTED = 5  # players and some to spare


class Options(NamedTuple):
    """Settings of a room that change what a record says about a win."""

    chips: bool
    wareme: bool


class GameReader:
    """Takes the rounds of a game in order."""

    def __init__(self, builder: Builder, info: GameInfo, options: Options) -> None:
        self._builder = builder
        self._info = info
        self._options = options
        self._offset = 0
        """Position at the table of the player who dealt first and is seat 0."""
        self._rounds = 0
        self._times: list[Any] = []
        self.walls: list[RecordedWall] = []
        """The wall of each round and its SHA-256; ``""`` if the record does not give it."""

    def take_all(self, rounds: list[Any], path: str) -> None:
        """Take all rounds."""
        if len(rounds) > MAX_ROUNDS:
            raise LogError(f"{len(rounds)} rounds, more than a game has", path)
        for at, entry in enumerate(rounds):
            self._take(fields(entry, f"{path}[{at}]"), f"{path}[{at}]")
        if not rounds:
            raise LogError("a game without a round", path)
        if self._times:
            set_time(self._info, self._times[0], self._times[-1])

    def _take(self, round_: dict[str, Any], path: str) -> None:
        players = self._info.players
        seated = people(round_, players, path)
        events = [
            fields(event, f"{path}.handEventRecord[{at}]")
            for at, event in enumerate(
                items(round_.get("handEventRecord"), f"{path}.handEventRecord")
            )
        ]
        with located(path):
            number = whole(round_.get("changCi"), ".changCi", 1, players) - 1
            wind = codes.wind(round_.get("quanFeng"), ".quanFeng")
            honba = whole(round_.get("benChangNum", 0), ".benChangNum", 0, 999)
        deals = [
            (at, _inner(event, f"{path}.handEventRecord[{at}]"))
            for at, event in enumerate(events)
            if event.get("eventType") == codes.DEAL
        ]
        if len(deals) != players:
            raise LogError(f"{len(deals)} hands dealt to {players} players", path)
        place = f"{path}.handEventRecord[{deals[0][0]}].data"
        dealer = whole(deals[0][1].get("dealer_pos"), f"{place}.dealer_pos", 0, players - 1)
        if not self._rounds:
            self._offset = (dealer - number) % players
            set_people(self._info, [seated[self._position(seat)] for seat in range(players)])
        seat_of = {
            whole(person.get("userId"), f"{path}.players", 0, _ANY): (at - self._offset) % players
            for at, person in enumerate(seated)
        }
        about = wind, number, honba
        play = _Round(self._builder, self._info, seat_of, self._options, self._rounds, about)
        self._begin(deals, events, seat_of, (wind, number, honba, dealer), path)
        self._rounds += 1
        self.walls.append(_wall(round_.get("handCardEncode"), round_.get("handCardsSHA256")))
        for at, event in enumerate(events):
            place = f"{path}.handEventRecord[{at}]"
            kind = whole(event.get("eventType"), f"{place}.eventType", 0, 1 << 15)
            time = event.get("startTime")
            self._times += [time] if type(time) is int else []
            if kind != codes.DEAL and kind not in codes.SAYS_NOTHING:
                with located(f"{place}.data"):
                    play.take(kind, event, _inner(event, place))
        play.close()

    def _position(self, seat: int) -> int:
        return (seat + self._offset) % self._info.players

    def _begin(
        self,
        deals: list[tuple[int, dict[str, Any]]],
        events: list[dict[str, Any]],
        seat_of: dict[int, int],
        about: tuple[int, int, int, int],
        path: str,
    ) -> None:
        wind, number, honba, dealer = about
        players = self._info.players
        hands: list[list[int]] = [[] for _ in range(_SEATS)]
        for at, deal in deals:
            place = f"{path}.handEventRecord[{at}]"
            seat = seat_of.get(whole(events[at].get("userId"), f"{place}.userId", 0, _ANY))
            if seat is None or hands[seat]:
                raise LogError("a hand dealt to nobody, or to a player twice", f"{place}.userId")
            hands[seat] = tiles(deal.get("hand_cards"), f"{place}.data.hand_cards", _HAND + 1)
        first = deals[0][1]
        place = f"{path}.handEventRecord[{deals[0][0]}].data"
        scores = [0] * _SEATS
        listed = items(first.get("user_info_list"), f"{place}.user_info_list")
        for at, entry in enumerate(listed[:_MOST_LISTED]):
            person, where = (
                fields(entry, f"{place}.user_info_list[{at}]"),
                f"{place}.user_info_list",
            )
            seat = seat_of.get(whole(person.get("user_id"), f"{where}[{at}].user_id", 0, _ANY))
            if seat is not None:
                scores[seat] = whole(person.get("hand_points"), f"{where}[{at}].hand_points")
        dealer_seat = (dealer - self._offset) % players
        drawn = hands[dealer_seat][_HAND:]
        shown = first.get("bao_pai_card")
        self._builder.round(
            wind,
            number,
            honba,
            whole(first.get("li_zhi_bang_num", 0), f"{place}.li_zhi_bang_num", 0, 999),
            scores,
            tile(shown, f"{place}.bao_pai_card") if shown else NO_TILE,
            [code for hand in hands for code in [*hand, *[NO_TILE] * _HAND][:_HAND]],
            dealer=dealer_seat,
            dice=_dice(first.get("dices"), f"{place}.dices"),
        )
        self._builder.events.extend(pack(DRAW, dealer_seat, code) for code in drawn)


def _dice(value: Any, path: str) -> tuple[int, int]:
    listed = items([] if value is None else value, path)
    if len(listed) != 2:
        return -1, -1
    first, second = (whole(number, path, 1, 6) - 1 for number in listed)
    return first, second


def _inner(event: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the content of an event, which is a JSON text within the JSON."""
    data = event.get("data")
    if type(data) is str:
        try:
            data = parse(data.encode("utf-8", "surrogatepass"))
        except LogError as error:
            raise LogError(error.reason, f"{path}.data") from error
    return fields(data, f"{path}.data")


def _wall(wall: Any, digest: Any) -> RecordedWall:
    if type(wall) is not str or not wall.isalnum():
        return RecordedWall("")
    if type(digest) is not str or not digest.isalnum():
        return RecordedWall(wall)
    return RecordedWall(wall, algorithm="sha256", digest=digest)


class _Round:
    """Takes the events of a round in order."""

    def __init__(
        self, builder: Builder, info: GameInfo, seat_of: dict[int, int], options: Options,
        index: int, about: tuple[int, int, int],
    ) -> None:  # fmt: skip
        self._builder = builder
        self._info = info
        self._options = options
        self._seat_of = seat_of
        self._index = index
        self._wind, self._number, self._honba = about
        self._open = True
        self._riichi = NO_SEAT
        """The seat whose riichi discard may still be ronned."""
        self._discarder, self._discarded = NO_SEAT, NO_TILE
        self._actor, self._drawn_now = self._number, True
        """The seat that acts, and whether it has just drawn; the dealer has a fourteenth tile."""
        self._last = NO_TILE
        """The tile that a win would be on."""
        self._held = [_HAND] * _SEATS
        self._held[self._number] += 1
        self._kan_dora = 0
        self._won_on: list[tuple[int, int, int]] = []
        """Winner, the seat won from, and the winning tile."""
        self._voted = False
        """Whether the players broke off the game."""

    def close(self) -> None:
        """End a round that the record breaks off in."""
        if self._open:
            self._builder.draw(OUTCOME_UNKNOWN)

    def take(self, kind: int, event: dict[str, Any], data: dict[str, Any]) -> None:
        """Take an event."""
        if kind == codes.OVER:
            set_result(self._info, data, self._seat_of, "")
            self._info.complete = self._info.final_points is not None and not self._voted
            return
        if not self._open:
            raise LogError("play after the end of the round")
        if kind == codes.TURN:
            self._turn(self._seat(event.get("userId"), ".userId"), data)
        elif kind == codes.ACT:
            self._act(whole(data.get("action"), ".action", 0, 1 << 15), data)
        elif kind == codes.KAN_DORA:
            shown = tiles(data.get("cards"), ".cards", 10)
            for code in shown[self._kan_dora :]:
                self._builder.events.append(pack(DORA, NO_SEAT, code))
            self._kan_dora = max(self._kan_dora, len(shown))
        elif kind == codes.END:
            self._end(data)
        else:
            self._info.notes.append(f"unknown_tag@{self._index}")

    def _seat(self, user: Any, path: str) -> int:
        seat = self._seat_of.get(whole(user, path, 0, _ANY))
        if seat is None:
            raise LogError(f"{user} does not play in this round", path)
        return seat

    def _passed(self) -> None:
        """Note that nobody won on the last discard."""
        if self._riichi != NO_SEAT:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
            self._riichi = NO_SEAT

    def _turn(self, seat: int, data: dict[str, Any]) -> None:
        drawn = data.get("in_card", 0)
        if drawn:
            self._passed()
            self._last = tile(drawn, ".in_card")
            self._builder.events.append(pack(DRAW, seat, self._last))
            self._held[seat] += 1
            self._actor, self._drawn_now = seat, True

    def _act(self, action: int, data: dict[str, Any]) -> None:
        seat = self._seat(data.get("user_id"), ".user_id")
        if action in (codes.RON, codes.TSUMO):
            self._won(action, seat, data)
        elif action == codes.DISCARD:
            self._discard(seat, data)
        elif action in _CALLS:
            self._call(seat, *_CALLS[action], data)
        elif action == codes.ANKAN:
            own = tiles(data.get("group_cards"), ".group_cards", 3)
            self._lay_down(ANKAN, seat, tile(data.get("card"), ".card"), own)
        elif action == codes.KAKAN:
            self._lay_down(KAKAN, seat, tile(data.get("card"), ".card"), ())
        elif action == codes.KITA:
            self._lay_down(KITA, seat, NORTH, ())
        elif action != codes.ROUND_OVER:
            self._info.notes.append(f"unknown_tag@{self._index}")

    def _discard(self, seat: int, data: dict[str, Any]) -> None:
        code = tile(data.get("card"), ".card")
        self._passed()
        if data.get("is_li_zhi") is True:
            shown = data.get("li_zhi_type") in codes.OPEN_RIICHI
            self._builder.events.append(pack(RIICHI, seat, tsumogiri=int(shown)))
            self._riichi = seat
        places = data.get("move_cards_pos")
        tsumogiri = -1
        if self._actor != seat or not self._drawn_now:
            tsumogiri = 0  # after a chi or pon
        elif type(places) is list and places and type(places[0]) is int:
            tsumogiri = int(places[0] == self._held[seat])
        self._builder.events.append(pack(DISCARD, seat, code, tsumogiri=tsumogiri))
        self._held[seat] -= 1
        self._drawn_now = False
        self._discarder, self._discarded, self._last = seat, code, code

    def _call(self, seat: int, kind: int, count: int, data: dict[str, Any]) -> None:
        own = tiles(data.get("group_cards"), ".group_cards", 3)
        if len(own) != count:
            raise LogError(f"{len(own)} tiles where the call takes {count}", ".group_cards")
        if self._discarder in (NO_SEAT, seat):
            raise LogError("a call without another seat's discard", ".action")
        called = tile(data.get("card"), ".card")
        self._passed()
        self._builder.events.append(pack(kind, seat, called, self._discarder, consumed=own))
        self._held[seat] -= count
        self._actor, self._drawn_now = seat, False

    def _lay_down(self, kind: int, seat: int, code: int, own: Sequence[int]) -> None:
        if kind == ANKAN and len(own) != 3:
            raise LogError(f"{len(own)} tiles beside the one of an ankan", ".group_cards")
        self._passed()
        self._builder.events.append(pack(kind, seat, code, consumed=own))
        self._held[seat] -= _LEAVING[kind]
        self._drawn_now = False
        self._discarder, self._last = seat, code

    # --- the end ------------------------------------------------------------------------------

    def _won(self, action: int, seat: int, data: dict[str, Any]) -> None:
        source = seat if action == codes.TSUMO else self._discarder
        if source == NO_SEAT:
            raise LogError("a ron before any discard", ".action")
        if action == codes.TSUMO:
            self._passed()  # the draw may be missing
        given = data.get("card")
        self._won_on.append((seat, source, tile(given, ".card") if given else self._last))

    def _end(self, data: dict[str, Any]) -> None:
        end = whole(data.get("end_type"), ".end_type", 0, 1 << 15)
        listed = data.get("win_info") or []
        shown = [fields(entry, ".win_info") for entry in items(listed, ".win_info")]
        if len(shown) > _MOST_LISTED:
            raise LogError(f"{len(shown)} hands shown at the end", ".win_info")
        before, delta, liable = self._profits(data)
        self._open = False
        if end in (codes.BY_RON, codes.BY_TSUMO):
            self._wins(shown, before, delta, liable)
            return
        self._passed()
        if end not in codes.DRAWS:
            self._voted = end == codes.VOTED
            self._builder.draw(OUTCOME_UNKNOWN)
            return
        outcome = codes.DRAWS[end]
        tenpai: Sequence[int] = NOT_SAID
        if outcome == OUTCOME_EXHAUSTIVE:
            seats = {self._seat(entry.get("user_id"), ".win_info") for entry in shown}
            tenpai = [int(seat in seats) for seat in range(self._info.players)]
            if any(_has(entry, codes.NAGASHI) for entry in shown):
                outcome, tenpai = OUTCOME_NAGASHI, NOT_SAID
        declared = self._actor if outcome == OUTCOME_KYUUSHU else NO_SEAT
        self._builder.events.append(pack(RYUUKYOKU, declared))
        self._builder.draw(outcome, [*tenpai, *NOT_SAID][:_SEATS], before, delta)

    def _profits(self, data: dict[str, Any]) -> tuple[Sequence[int], Sequence[int], int]:
        """Return all seats' points before the payments, their payments, and the liable seat."""
        delta, before, liable = [0] * _SEATS, [0] * _SEATS, NO_SEAT
        known = told = 0
        listed = data.get("user_profit") or []
        for at, entry in enumerate(items(listed, ".user_profit")[:_MOST_LISTED]):
            path = f".user_profit[{at}]"
            row = fields(entry, path)
            seat = self._seat(row.get("user_id"), f"{path}.user_id")
            delta[seat] = whole(row.get("point_profit"), f"{path}.point_profit")
            known += 1
            if "user_point" in row:
                before[seat] = whole(row["user_point"], f"{path}.user_point") - delta[seat]
                told += 1
            if row.get("is_bao_pai") is True:
                liable = seat
        count = self._info.players
        return (
            before if told == count else NO_POINTS, delta if known == count else NO_POINTS, liable,
        )  # fmt: skip

    def _wins(
        self, shown: list[dict[str, Any]], before: Sequence[int], delta: Sequence[int], liable: int
    ) -> None:
        won = {seat: (source, code) for seat, source, code in self._won_on}
        told = {self._seat(entry.get("user_id"), ".win_info"): entry for entry in shown}
        if not won or set(won) != set(told):
            raise LogError("the winners are not the seats that called a win", ".win_info")
        players = self._info.players
        loser = next(iter(won.values()))[0]
        order = sorted(won, key=lambda seat: (seat - loser) % players)
        known = delta is not NO_POINTS
        shares = payments_of_each(delta, order, loser, players) if known else None
        for at, seat in enumerate(order):
            source, code = won[seat]
            win = self._win_record(told[seat], seat, source, code, liable)
            win.delta = shares[at] if shares else NO_POINTS
            if self._options.wareme and win.delta is not NO_POINTS:
                # the record's own value is the value before the doubling
                paid = -sum(win.delta[other] for other in range(players) if other != seat)
                win.points = paid - (self._honba * _HONBA * (players - 1) if at == 0 else 0)
            win.before = before if at == 0 else NO_POINTS
            self._builder.win(win)
        self._builder.won()

    def _win_record(
        self, told: dict[str, Any], seat: int, source: int, code: int, liable: int
    ) -> WinRecord:
        hand = tiles(told.get("user_cards"), ".win_info.user_cards", _HAND + 1)
        if source != seat and hand:
            hand = [*hand, code][: _HAND + 1]
        players = self._info.players
        winds = self._wind, (seat - self._number) % players
        yaku: list[tuple[int, int]] = []
        yakuman = 0
        for at, entry in enumerate(items(told.get("fang_info") or [], ".win_info.fang_info")):
            path = f".win_info.fang_info[{at}]"
            row = fields(entry, path)
            number = whole(row.get("fang_type"), f"{path}.fang_type", 0, 1 << 15)
            han = whole(row.get("fang_num"), f"{path}.fang_num", 0, 999)
            if number in codes.YAKU:
                yaku.append((with_wind(codes.YAKU[number], *winds), han))
            else:
                self._info.notes.append(f"unknown_tag@{self._index}")
            yakuman += han // codes.YAKUMAN_HAN if number not in codes.BONUS else 0
        base = whole(told.get("bash_points", 0), ".win_info.bash_points", 0)
        chips = whole(told.get("luck_score", 0), ".win_info.luck_score", -999, 999)
        return WinRecord(
            seat,
            source,
            code,
            hand=[*hand, *NOT_SHOWN][: _HAND + 1],
            fu=whole(told.get("all_fu", -1), ".win_info.all_fu", -1, 999),
            han=-1
            if yakuman
            else whole(told.get("all_fang_num"), ".win_info.all_fang_num", 0, 999),
            yakuman=yakuman,
            points=whole(told.get("all_point"), ".win_info.all_point")
            if "all_point" in told
            else UNKNOWN,
            limit=_limit(base, yakuman),
            pao=liable,
            ura=tiles(told.get("li_bao_card"), ".win_info.li_bao_card", 10),
            chips=chips // (players - 1 if source == seat else 1) if self._options.chips else -1,
            yaku=yaku,
        )


def _has(told: dict[str, Any], number: int) -> bool:
    listed = told.get("fang_info")
    return type(listed) is list and any(
        type(row) is dict and row.get("fang_type") == number for row in listed
    )


def _limit(base: int, yakuman: int) -> int:
    if base >= _YAKUMAN_BASE:
        return LIMIT_YAKUMAN if yakuman else LIMIT_KAZOE
    if base >= 2000:
        return _LIMITS.get(base, -1)
    return LIMIT_NONE if base else -1
