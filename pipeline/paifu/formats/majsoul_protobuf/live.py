"""Live games: frames between client and server, and the actions that one seat was sent.

A frame is a notice (1), a request (2) or its answer (3). A request and its answer have the same
number, and only the request says what was asked. The bytes of an action are masked. The other
seats' deals and draws are not sent: their tiles are hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from paifu.errors import LogError
from paifu.formats.majsoul.scan import TILES
from paifu.formats.majsoul_protobuf.messages import SCHEMAS
from paifu.formats.majsoul_protobuf.stored import answer, wrapper
from paifu.formats.majsoul_protobuf.wire import decode
from paifu.game.tiles import HIDDEN, TEXT

_NOTICE, _REQUEST, _ANSWER = 1, 2, 3
_AUTH, _GAME_RECORD = ".lq.FastTest.authGame", ".lq.Lobby.fetchGameRecord"
_RESTORING = (".lq.FastTest.enterGame", ".lq.FastTest.syncGame")
ACTION, _END, _TERMINATE = (
    ".lq.ActionPrototype", ".lq.NotifyGameEndResult", ".lq.NotifyGameTerminate",
)  # fmt: skip
_START, _DEAL, _DRAW = "ActionMJStart", "ActionNewRound", "ActionDealTile"
_MASK = np.frombuffer(bytes.fromhex("845e4e4239a21f601c"), dtype=np.uint8).astype(np.int64)
_MASK_BASE, _MASK_STEP = 23, 5
_UNSEEN = TEXT[HIDDEN]
_HAND = 13


def unmasked(data: bytes) -> bytes:
    """Return the bytes of a live action; masking and unmasking are the same operation.

    >>> unmasked(unmasked(b"abc"))
    b'abc'
    """
    at = np.arange(len(data))
    mask = (_MASK_BASE ^ len(data)) + _MASK_STEP * at + _MASK[at % len(_MASK)]
    return (np.frombuffer(data, dtype=np.uint8) ^ (mask & 0xFF).astype(np.uint8)).tobytes()


class _Action(NamedTuple):
    name: str
    data: bytes
    """Unmasked."""


class LiveGame:
    """The actions of a live game, in order."""

    def __init__(self, position: str) -> None:
        self.position = position
        self.head: dict[str, Any] = {}
        self.account = 0
        """The account of the player who recorded the game."""
        self.joined_late = False
        """Whether the game's beginning, before the first deal that was sent, is missing."""
        self._actions: list[_Action] = []

    @property
    def text(self) -> bytes:
        """The bytes of all its actions, which distinguish it from other games."""
        return b"".join(action.data for action in self._actions)

    def has_rounds(self) -> bool:
        """Return whether there is a deal."""
        return any(action.name == _DEAL for action in self._actions)

    def take(self, prototype: dict[str, Any], *, masked: bool = True) -> None:
        """Add an action."""
        name, data = prototype.get("name", "").removeprefix(".lq."), prototype.get("data", b"")
        if not self._actions and name not in (_START, _DEAL):
            self.joined_late = True
            return
        self._actions.append(_Action(name, unmasked(data) if masked else data))

    def restore(self, prototypes: list[dict[str, Any]]) -> None:
        """Take the actions of the current round again, as they are sent after a reconnect.

        They are masked or plain, which the deal shows.
        """
        deals = [at for at, action in enumerate(self._actions) if action.name == _DEAL]
        again = next((p for p in prototypes if p.get("name", "").endswith(_DEAL)), None)
        data = again.get("data", b"") if again is not None else b""
        masked = not _is_deal(data)
        if deals and self._actions[deals[-1]].data == (unmasked(data) if masked else data):
            del self._actions[deals[-1] :]
        for prototype in prototypes:
            self.take(prototype, masked=masked)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the actions as records; tiles that the seat was not shown are hidden."""
        seat = self._own_seat()
        for name, data in self._actions:
            schema = SCHEMAS.get(name)
            if name == _START:
                continue
            fields = decode(data, schema) if schema else {}
            if name == _DEAL:
                fields = _with_all_hands(fields, seat)
            elif name == _DRAW:
                fields.setdefault("tile", _UNSEEN)
            yield {"name": f".lq.Record{name.removeprefix('Action')}", "data": fields}

    def _own_seat(self) -> int:
        """Return the seat that recorded the game: by its account, or by the tiles it was shown."""
        for account in self.head.get("accounts", []):
            if self.account and account["account_id"] == self.account:
                return int(account["seat"])
        for name, data in self._actions:
            if name == _DRAW:
                draw = decode(data, SCHEMAS[name])
                if draw.get("tile"):
                    return int(draw.get("seat", 0))
            elif name == _DEAL:
                deal = decode(data, SCHEMAS[name])
                if len(deal.get("tiles", [])) > _HAND:
                    return int(deal.get("ju", 0))
        raise LogError("the seat that recorded this live game is not known: it has no draw")


def _is_deal(data: bytes) -> bool:
    """Return whether bytes are the deal of a round without masking."""
    try:
        tiles = decode(data, SCHEMAS[_DEAL]).get("tiles", [])
    except LogError:
        return False
    return len(tiles) >= _HAND and all(tile in TILES for tile in tiles)


def _with_all_hands(deal: dict[str, Any], seat: int) -> dict[str, Any]:
    players, dealer = len(deal.get("scores", [])), deal.get("ju", 0)
    hands = {
        f"tiles{other}": [_UNSEEN] * (_HAND + (other == dealer)) for other in range(min(players, 4))
    }
    own = deal.pop("tiles", [])
    if f"tiles{seat}" not in hands:
        raise LogError(f"a deal for {players} players, and a player in seat {seat}")
    return deal | hands | {f"tiles{seat}": own}


class Frames:
    """Takes frames in order, and yields each game when it is complete."""

    def __init__(self) -> None:
        self._methods: dict[int, str] = {}
        self._asked: dict[int, dict[str, Any]] = {}
        self._game: LiveGame | None = None

    def take(self, data: bytes, position: str) -> Iterator[LiveGame | bytes]:
        """Yield the live game that a frame ends, or the stored game (bytes) in the frame.

        Raises :class:`LogError` for bytes that are not a frame.
        """
        kind = data[0]
        start = 1 if kind == _NOTICE else 3
        if not _NOTICE <= kind <= _ANSWER or len(data) < start:
            raise LogError("not a frame of Mahjong Soul")
        name, begin, end = wrapper(data, start, len(data))
        number = int.from_bytes(data[1:start], "little")
        message = data[begin:end]
        if kind == _NOTICE:
            yield from self.notice(name, message, position)
        elif kind == _REQUEST:
            self._methods[number] = name
            if name == _AUTH:
                self._asked[number] = decode(message, SCHEMAS["ReqAuthGame"])
        else:
            method = self._methods.pop(number, "")
            if method == _AUTH:
                yield from self._joined(message, self._asked.pop(number, {}), position)
            elif method in _RESTORING:
                restored = decode(message, SCHEMAS["ResEnterGame"]).get("game_restore", {})
                if actions := restored.get("actions"):
                    self._current(position).restore(actions)
            elif method in ("", _GAME_RECORD) and answer(message) is not None:
                yield message

    def notice(self, name: str, message: bytes, position: str) -> Iterator[LiveGame]:
        """Take a notice, and yield the game that it ends."""
        if name == ACTION:
            prototype = decode(message, SCHEMAS["ActionPrototype"])
            begins = prototype.get("name", "").endswith(_START)
            if begins and self._game is not None and self._game.has_rounds():
                yield from self.finish()
            self._current(position).take(prototype)
        elif name == _END and self._game is not None:
            self._game.head |= decode(message, SCHEMAS["NotifyGameEndResult"])
            yield from self.finish()
        elif name == _TERMINATE:
            yield from self.finish()

    def finish(self) -> Iterator[LiveGame]:
        """Yield the current game, if it has a deal."""
        game, self._game = self._game, None
        if game is not None and (game.has_rounds() or game.joined_late):
            yield game

    def _current(self, position: str) -> LiveGame:
        self._game = self._game or LiveGame(position)
        return self._game

    def _joined(self, message: bytes, asked: dict[str, Any], position: str) -> Iterator[LiveGame]:
        """Take the answer to a request to join a game: the players' seats and the rules."""
        uuid = asked.get("game_uuid")
        if self._game is not None and self._game.head.get("uuid") != uuid:
            yield from self.finish()
        told = decode(message, SCHEMAS["ResAuthGame"])
        people = {view.get("account_id", 0): view for view in told.get("players", [])}
        game = self._current(position)
        game.account = asked.get("account_id", 0)
        game.head |= {
            "uuid": uuid,
            "config": told.get("game_config", {}),
            "accounts": [
                people.get(number, {}) | {"account_id": number, "seat": seat}
                for seat, number in enumerate(told.get("seat_list", []))
                if number
            ],
        }
