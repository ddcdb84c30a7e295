"""majiang JSON (牌譜), the format of kobalab's 電脳麻将.

A game is an object with ``log``, a list of rounds. A round is a list of acts. Each act is an object
with one key: ``qipai`` (deal), ``zimo``, ``gangzimo``, ``dapai``, ``fulou``, ``gang``, ``kaigang``,
``hule``, ``pingju``. In a round, seats are counted from its dealer. Players are numbered in the
order of their names; ``qijia`` is the first dealer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from paifu.errors import LogError
from paifu.formats import tenhou
from paifu.formats.base import Blob, Imported
from paifu.formats.builder import (
    KIND_MASK,
    NOT_SAID,
    NOT_SHOWN,
    SEAT_MASK,
    SEAT_SHIFT,
    Builder,
    WinRecord,
    last_tile,
    located,
    pack,
)
from paifu.formats.json.documents import played_length, read_documents
from paifu.formats.json.text import Document, fields, items, text_or_none, whole, wholes
from paifu.formats.leagues import league_of
from paifu.formats.yaku_names import named, with_wind
from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    KAKAN,
    LIMIT_YAKUMAN,
    NO_SEAT,
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_NAGASHI,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
    OUTCOME_UNKNOWN,
    PON,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    UNKNOWN,
    GameInfo,
)
from paifu.game.tiles import CODE, HIDDEN, KIND_OF, NO_TILE
from paifu.messages import counted

KEY = "majiang"
TITLE = "majiang JSON (kobalab's 牌譜)"

_DEAL = re.compile(rb'"qipai"\s*:\s*\{')
_TILE = re.compile(r"([mpsz])(\d)")
_DISCARD = re.compile(r"([mpsz]\d)(_?)(\*?)")
_MELD = re.compile(r"([mpsz])(\d+)(?:([-=+])(\d*))?")
_HAND = re.compile(r"(?:[mpsz]\d+|_+|\*)*")
_GROUP = re.compile(r"([mpsz])(\d+)|(_+)")
_FROM = {"+": 1, "=": 2, "-": 3}
"""The relative seat whose tile a meld took, by the sign after it: shimocha, toimen, kamicha."""
_SEATS = 4
_YAKUMAN_HAN = 13
_DRAWS = {
    "荒牌平局": OUTCOME_EXHAUSTIVE, "流局": OUTCOME_EXHAUSTIVE, "九種九牌": OUTCOME_KYUUSHU,
    "四風連打": OUTCOME_SUUFON, "四家立直": OUTCOME_SUUCHA, "四開槓": OUTCOME_SUUKAN,
    "四槓散了": OUTCOME_SUUKAN, "三家和": OUTCOME_SANCHAHOU, "三家和了": OUTCOME_SANCHAHOU,
    "流し満貫": OUTCOME_NAGASHI,
}  # fmt: skip


def sniff(head: bytes) -> bool:
    """Return whether content begins like a game: with a deal."""
    return _DEAL.search(head) is not None


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    return read_documents(blobs, _read_game)


def _read_game(builder: Builder, document: Document) -> None:
    root = document.position if document.position[0] == "$" else f"{document.position}, $"
    game = fields(document.value, root)
    rounds = items(game.get("log"), f"{root}.log")
    if not rounds:
        raise LogError("a game without a round", f"{root}.log")
    info = _game_info(game)
    last = (0, 0)
    for number, acts in enumerate(rounds):
        path = f"{root}.log[{number}]"
        reader = _Round(builder, info, number)
        for at, act in _in_order(items(acts, path)):
            with located(f"{path}[{at}]"):
                reader.take(act)
        with located(path):
            reader.close()
        last = reader.place
    if info.complete:
        info.length = played_length(*last, _SEATS)
    info.position = document.position
    info.sha256 = hashlib.sha256(document.text).digest()
    builder.end_game(info)


def _in_order(acts: list[Any]) -> list[tuple[int, Any]]:
    """Return the acts of a round, numbered, in the order of play.

    The indicator of a concealed kan is turned up before a win on the tile drawn for the kan. If
    the record has it after the win, it is moved.
    """
    numbered = list(enumerate(acts))
    kinds = [next(iter(act), "") if type(act) is dict else "" for act in acts]
    if kinds[-2:] != ["hule", "kaigang"] or kinds[-4:-2] != ["gang", "gangzimo"]:
        return numbered
    kan = acts[-4]["gang"]
    concealed = type(kan) is dict and re.fullmatch(r"[mpsz]\d{4}", str(kan.get("m")))
    return [*numbered[:-2], numbered[-1], numbered[-2]] if concealed else numbered


def _game_info(game: dict[str, Any]) -> GameInfo:
    title = text_or_none(game.get("title")) or ""
    info = GameInfo(players=_SEATS, platform="majiang", format=KEY, complete=False)
    first = game.get("qijia")
    first = first if type(first) is int else 0
    order = [(first + seat) % _SEATS for seat in range(_SEATS)]
    names = game.get("player")
    if type(names) is list and len(names) == _SEATS:
        info.names = tuple(text_or_none(names[player]) for player in order)
    points, results = game.get("defen"), game.get("point")
    if type(points) is list and len(points) == _SEATS and all(type(p) is int for p in points):
        info.final_points = tuple(points[player] for player in order)
        info.complete = True
    if type(results) is list and len(results) == _SEATS:
        with suppress(TypeError, ValueError):
            numbers = [float(results[player]) for player in order]
            # in games written by hand, results are often left at zero
            info.result = tuple(numbers) if any(numbers) else None
    _set_rules(info, title)
    return info


def _set_rules(info: GameInfo, title: str) -> None:
    """Set the rule set and what else a title says: a league, or the id of a log of Tenhou."""
    log_id = tenhou.find_log_id(title)
    if log_id is None:
        info.ruleset = (league_of(title) or (None, "tenhou-custom"))[1]
        return
    kind = tenhou.game_type(log_id.go_type)
    info.platform, info.log_id, info.lobby = "tenhou", log_id.text, log_id.lobby
    info.go_type, info.rule_text, info.room = log_id.go_type, kind.rule_text, kind.room
    info.played_at, info.played_precision = log_id.played_at, "hour"
    info.aka, info.kuitan, info.fast = kind.aka, kind.kuitan, kind.fast
    info.ruleset = tenhou.ruleset_of(
        _SEATS, kind, log_id.lobby, False, (), info.final_points, info.result
    )
    if kind.players != _SEATS:
        info.notes.append("go_type_contradicts_players")


class _Round:
    """Takes the acts of one round."""

    def __init__(self, builder: Builder, info: GameInfo, number: int) -> None:
        self._builder = builder
        self._info = info
        self._number = number
        self._dealt = False
        self._ended = False
        self._wind = self._dealer = 0
        self._riichi = NO_SEAT
        self._first_event = len(builder.events)
        self._indicators: list[int] = []
        self._wins = 0

    def take(self, entry: Any) -> None:
        """Take one act, or raise :class:`LogError` with a place within the act."""
        act = fields(entry, ".")
        if len(act) != 1:
            raise LogError("an act is an object of one key")
        ((kind, value),) = act.items()
        said = fields(value, f".{kind}")
        if kind == "qipai":
            self._deal(said)
            return
        if not self._dealt:
            raise LogError("play before the deal")
        if self._ended:
            raise LogError("play after the draw that ended the round")
        if kind == "hule":
            self._hule(said)
            return
        if kind == "kaigang":  # it may be written before or after the draw or discard that follows
            self._turn_up(_tile(said.get("baopai"), ".kaigang.baopai"))
            return
        ronned = kind == "pingju" and _DRAWS.get(str(said.get("name"))) == OUTCOME_SANCHAHOU
        if self._riichi != NO_SEAT and not ronned:
            self._builder.events.append(pack(RIICHI_ACCEPTED, self._riichi))
        self._riichi = NO_SEAT
        if kind in ("zimo", "gangzimo"):
            tile = _tile(said.get("p"), f".{kind}.p")
            self._builder.events.append(pack(DRAW, self._seat(said, kind), tile))
        elif kind == "dapai":
            self._discard(said)
        elif kind in ("fulou", "gang"):
            self._meld(said, kind)
        elif kind == "pingju":
            self._pingju(said)
        else:
            self._info.notes.append(f"unknown_tag@{self._number}")

    @property
    def place(self) -> tuple[int, int]:
        """Wind and number of the round; both start at 0."""
        return self._wind, self._dealer

    def close(self) -> None:
        """End the round as recorded."""
        if not self._dealt:
            raise LogError("a round without a deal")
        if self._wins:
            self._builder.won()
        elif not self._ended:
            self._builder.draw(OUTCOME_UNKNOWN)

    def _seat(self, act: dict[str, Any], kind: str, key: str = "l") -> int:
        seat = whole(act.get(key), f".{kind}.{key}", 0, _SEATS - 1)
        return (seat + self._dealer) % _SEATS

    def _by_seat(self, numbers: list[int]) -> list[int]:
        return [numbers[(seat - self._dealer) % _SEATS] for seat in range(_SEATS)]

    def _deal(self, deal: dict[str, Any]) -> None:
        if self._dealt:
            raise LogError("a second deal in a round", ".qipai")

        def number(key: str, high: int) -> int:
            return whole(deal.get(key, 0), f".qipai.{key}", 0, high)

        self._wind, self._dealer = number("zhuangfeng", 3), number("jushu", 3)
        hands = items(deal.get("shoupai"), ".qipai.shoupai")
        if len(hands) == 3 or [bool(hand) for hand in hands].count(False) == 1:
            raise LogError("a game of three players: the format is for four", ".qipai.shoupai")
        if len(hands) != _SEATS:
            raise LogError(
                f"{counted(len(hands), 'hand')} where there are {_SEATS} seats", ".qipai.shoupai"
            )
        dealt = [_hand(hand, f".qipai.shoupai[{at}]") for at, hand in enumerate(hands)]
        if any(len(hand) > 13 for hand in dealt):
            raise LogError("more than 13 tiles dealt", ".qipai.shoupai")
        haipai: list[int] = []
        for seat in range(_SEATS):
            hand = dealt[(seat - self._dealer) % _SEATS]
            haipai += [*hand, *[NO_TILE] * (13 - len(hand))]
        self._indicators = [_tile(deal.get("baopai"), ".qipai.baopai")]
        scores = wholes(deal.get("defen"), ".qipai.defen", _SEATS)
        self._builder.round(
            self._wind, self._dealer, number("changbang", 999), number("lizhibang", 999),
            self._by_seat(scores), self._indicators[0], haipai,
        )  # fmt: skip
        self._dealt = True

    def _discard(self, act: dict[str, Any]) -> None:
        seat = self._seat(act, "dapai")
        text = act.get("p")
        match = _DISCARD.fullmatch(text) if type(text) is str else None
        if match is None:
            raise LogError(f"{str(text)[:40]!r} is not a discard", ".dapai.p")
        tile, drawn, riichi = match.groups()
        if riichi:
            self._riichi = seat
            self._builder.events.append(pack(RIICHI, seat))
        code = _tile(tile, ".dapai.p")
        self._builder.events.append(pack(DISCARD, seat, code, tsumogiri=int(bool(drawn))))

    def _meld(self, act: dict[str, Any], kind: str) -> None:
        seat = self._seat(act, kind)
        text = act.get("m")
        match = _MELD.fullmatch(text) if type(text) is str else None
        if match is None:
            raise LogError(f"{str(text)[:40]!r} is not a meld", f".{kind}.m")
        suit, before, sign, after = match.groups()
        tiles = [_tile(f"{suit}{digit}", f".{kind}.m") for digit in before + (after or "")]
        source = NO_SEAT if sign is None else (seat + _FROM[sign]) % _SEATS
        taken = len(before) - 1
        kinds = {int(KIND_OF[tile]) for tile in tiles}
        if kind == "fulou" and sign is not None and len(tiles) in (3, 4):
            call = CHI if len(kinds) > 1 else PON if len(tiles) == 3 else DAIMINKAN
            tile = tiles.pop(taken)
            event = pack(call, seat, tile, source, consumed=tiles)
        elif kind == "gang" and len(tiles) == 4 and sign is None:
            event = pack(ANKAN, seat, tiles[0], consumed=tiles[1:])
        elif kind == "gang" and len(tiles) == 4 and len(after) == 1:
            event = pack(KAKAN, seat, tiles[3], consumed=tiles[:3])
        else:
            raise LogError(f"{text!r} is not a meld of this kind", f".{kind}.m")
        self._builder.events.append(event)

    def _hule(self, hule: dict[str, Any]) -> None:
        seat = self._seat(hule, "hule")
        source = seat if hule.get("baojia") is None else self._seat(hule, "hule", "baojia")
        shown = text_or_none(hule.get("shoupai")) or ""
        hand = _hand(shown.split(",", 1)[0], ".hule.shoupai")
        if source == seat and hand:
            self._draw_if_missing(seat, hand[-1])
        events = self._builder.events[self._first_event :].tolist()
        yakuman = whole(hule.get("damanguan") or 0, ".hule.damanguan", 0, 99)
        ura = items(hule.get("fubaopai") or [], ".hule.fubaopai")
        self._builder.win(
            WinRecord(
                seat,
                source,
                hand[-1] if hand else last_tile(events),
                hand=[*hand, *NOT_SHOWN][:14],
                fu=whole(hule.get("fu", -1), ".hule.fu", -1, 999),
                han=whole(hule.get("fanshu", -1), ".hule.fanshu", -1, 999) if not yakuman else -1,
                yakuman=yakuman,
                points=whole(hule.get("defen", UNKNOWN), ".hule.defen"),
                limit=LIMIT_YAKUMAN if yakuman else -1,
                indicators=self._indicators,
                ura=[_tile(tile, ".hule.fubaopai") for tile in ura],
                delta=self._by_seat(wholes(hule.get("fenpei"), ".hule.fenpei", _SEATS)),
                yaku=self._yaku(hule, seat),
            )
        )
        self._wins += 1
        self._riichi = NO_SEAT

    def _turn_up(self, indicator: int) -> None:
        """Add a kan dora; one that is turned up after a win counts for nothing."""
        if not self._wins:
            self._indicators.append(indicator)
            self._builder.events.append(pack(DORA, NO_SEAT, indicator))

    def _draw_if_missing(self, seat: int, tile: int) -> None:
        """Add the draw of a tsumo: people who write games by hand often record only the win."""
        events = self._builder.events
        played = reversed(events[self._first_event :])
        last = next((event for event in played if event & KIND_MASK != DORA), 0)
        if last & KIND_MASK == DRAW and (last >> SEAT_SHIFT & SEAT_MASK) - 1 == seat:
            return
        if self._riichi != NO_SEAT:
            events.append(pack(RIICHI_ACCEPTED, self._riichi))
        events.append(pack(DRAW, seat, tile))

    def _yaku(self, hule: dict[str, Any], seat: int) -> list[tuple[int, int]]:
        yaku: list[tuple[int, int]] = []
        for entry in items(hule.get("hupai") or [], ".hule.hupai"):
            listed = fields(entry, ".hule.hupai")
            name, fan = listed.get("name"), listed.get("fanshu")
            index = named(name) if type(name) is str else None
            if index is None:
                self._info.notes.append(f"unknown_tag@{self._number}")
                continue
            # a yakuman has a star for each yakuman it counts as
            if type(fan) is str and fan and set(fan) == {"*"}:
                han = _YAKUMAN_HAN * len(fan)
            else:
                han = whole(fan, ".hule.hupai", 0, 999)
            yaku.append((with_wind(index, self._wind, (seat - self._dealer) % _SEATS), han))
        return yaku

    def _pingju(self, end: dict[str, Any]) -> None:
        shown = items(end.get("shoupai", []), ".pingju.shoupai")
        paid = end.get("fenpei")
        delta = [0] * _SEATS if not paid else wholes(paid, ".pingju.fenpei", _SEATS)
        name = end.get("name")
        outcome = _DRAWS.get(name) if type(name) is str else None
        if outcome is None:
            self._info.notes.append(f"unknown_tag@{self._number}")
            outcome = OUTCOME_EXHAUSTIVE if any(delta) else OUTCOME_UNKNOWN
        tenpai: Sequence[int] = NOT_SAID
        if outcome in (OUTCOME_EXHAUSTIVE, OUTCOME_NAGASHI) and len(shown) == _SEATS:
            tenpai = self._by_seat([int(bool(hand)) for hand in shown])
        last = self._builder.events[-1] if len(self._builder.events) > self._first_event else 0
        declared = outcome == OUTCOME_KYUUSHU and last
        seat = (last >> SEAT_SHIFT & SEAT_MASK) - 1 if declared else NO_SEAT
        self._builder.events.append(pack(RYUUKYOKU, seat))
        self._builder.draw(outcome, tenpai, delta=self._by_seat(delta))
        self._ended = True


def _tile(text: Any, path: str) -> int:
    """Return the code of a tile; ``m0`` is the red five of manzu."""
    match = _TILE.match(text) if type(text) is str else None
    code = CODE.get(match[2] + match[1]) if match and len(text) <= 4 else None
    if code is None or match is None or match[0] in ("z0", "z8", "z9"):
        raise LogError(f"{str(text)[:40]!r} is not a tile", path)
    return code


def _hand(text: Any, path: str) -> list[int]:
    """Return the codes of a hand, ``m123p40z11``; the tile drawn last is at the end."""
    if type(text) is not str or _HAND.fullmatch(text) is None or len(text) > 64:
        raise LogError(f"{str(text)[:40]!r} is not a hand", path)
    codes: list[int] = []
    for suit, digits, hidden in _GROUP.findall(text):
        codes += [HIDDEN] * len(hidden)
        codes += [_tile(f"{suit}{digit}", path) for digit in digits]
    return codes
