"""A round as steps that a reader goes through: what each act changes on the table.

:func:`round_steps` plays the rows of :func:`paifu.query.game_text.read_round` forward. A draw and
the act after it are two steps. A step says which hand is now what, so that a page needs no rules to
show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from paifu.game.tiles import CODE, HIDDEN, KIND_OF, KINDS, TEXT, parse_tiles, tiles_text
from paifu.rules.hands.shanten import NOT_A_HAND, shanten, suit_tables

Row = dict[str, Any]

_STICK = 1000
_MELDS = ("chi", "pon", "daiminkan", "ankan", "kakan")
_DISCARDS = ("discard", "riichi")
_WINS = ("tsumo", "ron")


def round_steps(row: Row, players: int) -> list[Row]:
    """Return the steps of a round, the deal first and its result last.

    Each step has ``kind`` (deal, draw, discard, riichi, a kind of call, kita, tsumo, ron or end)
    and what it changes: ``seat`` who acts, ``tile``, ``hand`` its concealed tiles without
    ``drawn``, ``melds`` its melds in order, ``norths`` its norths set aside, ``shanten`` and
    ``waits`` (NULL where the log hides tiles), ``taken`` the seat whose last discard was called or
    won on, ``tsumogiri``, ``dora`` how many indicators are turned up, ``paid`` the seat
    whose riichi stick was paid before the step, ``left`` the drawable tiles left, ``seq`` the act's
    in ``actions``.
    Of a meld, ``tiles`` are in the order in which they lie; ``turned`` is the position of the tile
    that lies sideways and ``added`` the tile on it.
    """
    return list(_Table(row, players).steps())


class _Table:
    """The hands of a round while it is played."""

    def __init__(self, row: Row, players: int) -> None:
        self._row = row
        self._players = players
        self._hands = [parse_tiles(seat["haipai"]) for seat in row["seats"]]
        self._melds: list[list[Row]] = [[] for _ in row["seats"]]
        self._norths = [0 for _ in row["seats"]]
        self._accepted = {seat["seat"] for seat in row["seats"] if seat["riichi_accepted"]}
        self._declared: int | None = None
        """The seat that declared riichi and has not paid yet."""
        self._shown = min(1, len(row["dora_indicators"]))

    def steps(self) -> Iterator[Row]:
        left = self._row["actions"][0]["tiles_left"] + 1 if self._row["actions"] else None
        hands = [self._hand(seat) for seat in range(len(self._hands))]
        yield {"kind": "deal", "hands": hands, "dora": self._shown, "left": left}
        before = ""
        for act in self._row["actions"]:
            paid = self._pay(act)
            if act["drawn"] is not None:
                # a kan that is not called from a discard turns its indicator up before the draw
                if before == "ankan":
                    self._shown = max(self._shown, act["dora_shown"])
                yield self._draw(act) | paid
                paid = {}
            self._shown = max(self._shown, act["dora_shown"])
            yield self._act(act) | paid
            before = act["action"]
        yield from self._last()

    def _pay(self, act: Row) -> Row:
        """Return the seat whose stick is paid before this act; a ron on the tile comes first."""
        seat = self._declared
        if seat is None or (act["action"] == "ron" and act["from_seat"] == seat):
            return {}
        self._declared = None
        return {"paid": seat}

    def _last(self) -> Iterator[Row]:
        """Yield a draw that no act followed, and the end of the round."""
        paid: Row = {}
        if self._declared is not None and not self._row["wins"]:
            paid = {"paid": self._declared}
        for seat in self._row["seats"]:
            if seat["held_draw"] is not None:
                drawn = CODE[seat["held_draw"]]
                shown = self._hand(seat["seat"], drawn)
                yield {"kind": "draw", "seat": seat["seat"], "tile": TEXT[drawn], **shown} | paid
                paid = {}
        indicators = len(self._row["dora_indicators"])
        yield {"kind": "end", "dora": indicators, "left": self._row["tiles_left"]} | paid

    def _hand(self, seat: int, drawn: int | None = None) -> Row:
        hand = self._hands[seat]
        whole = hand if drawn is None else [*hand, drawn]
        return {
            "hand": tiles_text(hand),
            "drawn": None if drawn is None else TEXT[drawn],
            "shanten": _shanten(whole, len(self._melds[seat]), self._players),
        }

    def _draw(self, act: Row) -> Row:
        drawn = CODE[act["drawn"]]
        shown = self._hand(act["seat"], drawn)
        if act["action"] not in _WINS:
            self._hands[act["seat"]].append(drawn)
        return {
            "kind": "draw", "seat": act["seat"], "tile": act["drawn"], **shown,
            "dora": self._shown, "left": act["tiles_left"],
        }  # fmt: skip

    def _act(self, act: Row) -> Row:
        seat, action, tile = act["seat"], act["action"], act["tile"]
        step: Row = {
            "kind": action, "seat": seat, "tile": tile, "seq": act["seq"],
            "dora": self._shown, "left": act["tiles_left"],
        }  # fmt: skip
        if action in _WINS:
            if HIDDEN in self._hands[seat]:  # the winner's hand is shown
                self._hands[seat] = self._shown_hand(act["seq"], CODE[tile])
            step |= self._hand(seat, CODE[tile])
            if action == "ron":
                step["taken"] = act["from_seat"]
            return step
        if action in _DISCARDS:
            self._take(seat, CODE[tile])
            step["tsumogiri"] = bool(act["tsumogiri"])
            if action == "riichi" and seat in self._accepted:
                self._declared = seat
        elif action == "kita":
            self._take(seat, CODE[tile])
            self._norths[seat] += 1
            step["norths"] = self._norths[seat]
        else:
            self._meld(act)
            step["melds"] = list(self._melds[seat])
            if action not in ("ankan", "kakan"):
                step["taken"] = act["from_seat"]
        step |= self._hand(seat)
        if act["shanten"] is not None:
            step |= {"shanten": act["shanten"], "waits": act["waits"]}
        return step

    def _shown_hand(self, seq: int, tile: int) -> list[int]:
        """Return the concealed tiles of the win at this act, without the winning tile."""
        shown = parse_tiles(next(win["hand"] for win in self._row["wins"] if win["seq"] == seq))
        if tile in shown:
            shown.remove(tile)
        return shown

    def _meld(self, act: Row) -> None:
        seat, action, tile = act["seat"], act["action"], CODE[act["tile"]]
        tiles = parse_tiles(act["meld"] or "")
        if action == "kakan":
            self._take(seat, tile)
            for meld in self._melds[seat]:
                own = {int(KIND_OF[CODE[each]]) for each in meld["tiles"]}
                if meld["kind"] == "pon" and own == {int(KIND_OF[tile])}:
                    place = self._melds[seat].index(meld)
                    self._melds[seat][place] = meld | {"kind": "kakan", "added": TEXT[tile]}
                    return
            self._melds[seat].append({"kind": "kakan", "tiles": [TEXT[code] for code in tiles]})
            return
        if action == "ankan":
            for code in tiles:
                self._take(seat, code)
            self._melds[seat].append({"kind": action, "tiles": [TEXT[code] for code in tiles]})
            return
        if tile in tiles:
            tiles.remove(tile)
        for code in tiles:
            self._take(seat, code)
        # the place of the tile laid sideways says whose it was: left, middle or right
        relative = (act["from_seat"] - seat) % self._players
        right = relative == 1
        turned = len(tiles) if right else 0 if relative == self._players - 1 else 1
        laid = [*tiles[:turned], tile, *tiles[turned:]]
        self._melds[seat].append(
            {"kind": action, "tiles": [TEXT[code] for code in laid], "turned": turned}
        )

    def _take(self, seat: int, code: int) -> None:
        """Take a tile from a hand: the very tile, else one of its kind, else a hidden one."""
        hand = self._hands[seat]
        alike = [each for each in hand if KIND_OF[each] == KIND_OF[code]]
        for each in (code, *alike, HIDDEN):
            if each in hand:
                hand.remove(each)
                return


def _shanten(tiles: list[int], melds: int, players: int) -> int | None:
    """Return the shanten of concealed tiles, as the kernels of replay count it."""
    kinds = Counter(int(KIND_OF[code]) for code in tiles)
    if max(kinds, default=0) >= KINDS:  # a hidden tile or a flower
        return None
    counts = np.zeros(KINDS, np.int8)
    for kind, count in kinds.items():
        counts[kind] = count
    found = int(shanten(suit_tables(players), counts, melds))
    return None if found == NOT_A_HAND else found
