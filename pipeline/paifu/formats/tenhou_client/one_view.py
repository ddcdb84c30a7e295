"""Rewrites games as seen by one client as mjlogs, with seats numbered from the first dealer.

A client counts seats from itself: 0 is the player, 1 the seat to the right. Tiles that it was not
shown (the others' hands and draws) get the id of any tile here, so that the tokeniser of mjlogs can
read them; the importer hides these tiles again. The id keeps one known fact: a discard in small
letters (``e``, ``f``, ``g``) was the tile just drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from paifu.formats.mjlog.grammar import GRAMMAR
from paifu.formats.mjlog.tokeniser import END, ROOT
from paifu.formats.tenhou_client.traffic import Tag

_SEATS = 4
_DRAWS, _DISCARDS = "TUVW", "DEFG"
_TILES = 136
_HAND = ",".join(map(str, range(13)))
"""The ids of a hand that was not shown."""
_IGNORED = frozenset(
    {"HELO", "LN", "PROF", "RANKING", "CHAT", "WG", "FURITEN", "REJOIN", "SAIKAI", "JOIN", "AUTH",
     "GOK", "NEXTREADY", "PXR", "Z", "ERR", "BYE", "SHUFFLE"}
)  # fmt: skip
_BY_SEAT = {"ten": 1, "dan": 1, "rate": 1, "sx": 1, "rc": 1, "gold": 1, "sc": 2, "owari": 2}
"""How many values in a row belong to a seat, by attribute."""
_ONE_SEAT = frozenset({"who", "fromWho", "paoWho", "oya"})
_OWN_KEYS = frozenset({f"{key}{seat}" for key in ("n", "hai") for seat in range(_SEATS)})


@dataclass(slots=True)
class View:
    """The tags of one game that a client saw."""

    tags: list[Tag] = field(default_factory=list)
    log_id: str | None = None
    own_seat: int = -1
    """The client's seat, counted from the first dealer; -1 until it is known."""
    last_round: int = -1
    rejoined: bool = False
    """Whether the client came back within a round whose deal it was not shown."""
    unknown: bool = False
    """Whether unknown tags were left out."""
    ended: bool = False

    @property
    def position(self) -> str:
        """Where it begins."""
        return f"byte {self.tags[0].at if self.tags else 0}"

    def is_dealt(self) -> bool:
        """Return whether there is a deal."""
        return any(tag.name == "INIT" for tag in self.tags)


def views(tags: Sequence[Tag]) -> Iterator[View]:
    """Yield the games of a file; a reconnection to the same game continues it."""
    view, before = View(), list[Tag]()
    within = False  # between a reconnection and the next deal: the start of the round is missing
    for tag in tags:
        if tag.name in ("GO", "UN") and (tag.name == "GO" or "dan" in tag.values):
            before.append(tag)
            continue
        if tag.name == "TAIKYOKU":
            log_id = tag.values.get("log")
            if not (view.log_id and log_id == view.log_id):
                if view.tags:
                    yield view
                view = View([*before, tag], log_id)
                view.own_seat = -_number(tag.values.get("oya", "")) % _SEATS
                within = False
            before = []
        elif tag.name == "INIT":
            number, own = _deal(tag)
            other = view.own_seat >= 0 and own != view.own_seat
            if view.ended or other or number < view.last_round:
                if view.tags:
                    yield view
                view = View(before)
                before = []
            view.own_seat, view.last_round, within = own, number, False
            view.tags.append(tag)
        elif tag.name == "REINIT":
            within = view.rejoined = True
        elif tag.name[0] in _DRAWS + _DISCARDS.upper() + _DISCARDS.lower() and len(tag.name) == 1:
            if not within and view.own_seat >= 0 and view.last_round >= 0:
                view.tags.append(tag)
        elif tag.name in GRAMMAR or tag.name == "BYE":
            if tag.name in ("BYE", "UN") or (not within and view.last_round >= 0):
                view.tags.append(tag)
            view.ended |= "owari" in tag.values
        elif tag.name not in _IGNORED and view.last_round >= 0:
            view.unknown = True
    if view.tags or view.rejoined:
        yield view


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _deal(tag: Tag) -> tuple[int, int]:
    """Return the number of the dealt round, and the client's own seat.

    The number has four rounds for each wind, and gives the dealer counted from the first dealer.
    ``oya`` gives the dealer counted from the client.
    """
    number = _number(tag.values.get("seed", "").split(",")[0])
    return number, (number - _number(tag.values.get("oya", ""))) % _SEATS


def mjlog_of(view: View) -> tuple[bytes, list[int], list[int]]:
    """Return a view as an mjlog, where its elements begin, and where their tags were."""
    parts, starts, origins, size = [ROOT], list[int](), list[int](), len(ROOT)
    for at, tag in enumerate(view.tags):
        element = _element(view, at, tag).encode("ascii", "replace")
        starts.append(size)
        origins.append(tag.at)
        parts.append(element)
        size += len(element)
    return b"".join([*parts, END]), starts, origins


def _element(view: View, at: int, tag: Tag) -> str:
    if len(tag.name) == 1 and tag.name.upper() in _DRAWS + _DISCARDS:
        letters = _DRAWS if tag.name in _DRAWS else _DISCARDS
        relative = letters.index(tag.name.upper())
        tile = tag.tile
        if tile < 0:
            tile = _stand_in(view.tags, at, _DISCARDS[relative])
        return f"<{letters[(relative + view.own_seat) % _SEATS]}{tile}/>"
    if tag.name == "INIT":
        values = tag.values | {
            f"hai{seat}": "" if _is_empty(view, seat) else _HAND for seat in range(1, _SEATS)
        }
        values["hai0"] = values.pop("hai", "")
    elif tag.name == "RYUUKYOKU" and _is_own_tenpai(view, tag.values):
        values = {"hai0": ""} | tag.values
    else:
        values = tag.values
    known = GRAMMAR[tag.name]
    turned = [_turned(view.own_seat, tag.name, key, value) for key, value in values.items()]
    written = " ".join(f'{key}="{value}"' for key, value in turned if key in known)
    return f"<{tag.name} {written}/>"


def _is_own_tenpai(view: View, values: dict[str, str]) -> bool:
    """Return whether the client was tenpai at an exhaustive draw: it is not sent its own hand.

    The payments show it; if nobody paid, the hands of all others show it.
    """
    if "type" in values:
        return False
    payments = values.get("sc", "").split(",")[1::2]
    if any(paid.strip("-0") for paid in payments):
        return payments[0].strip("0") != "" and not payments[0].startswith("-")
    return all(f"hai{seat}" in values or _is_empty(view, seat) for seat in range(1, _SEATS))


def _is_empty(view: View, relative: int) -> bool:
    """Return whether a seat is empty: the fourth from the first dealer, according to the names."""
    if (relative + view.own_seat) % _SEATS != _SEATS - 1:
        return False
    return any(
        tag.name == "UN" and "dan" in tag.values and not tag.values.get(f"n{relative}")
        for tag in view.tags
    )


def _stand_in(tags: Sequence[Tag], at: int, discard: str) -> int:
    """Return the id of a tile for a draw that was not shown.

    It is the id of the next discard if that is a tsumogiri, and another id if it is not.
    """
    for tag in tags[at + 1 :]:
        if tag.name.upper() == discard and tag.tile >= 0:
            return tag.tile if tag.name != discard else (tag.tile + 1) % _TILES
        if tag.name in ("INIT", "N"):
            break
    return 0


def _turned(own: int, element: str, key: str, value: str) -> tuple[str, str]:
    """Return an attribute with seats counted from the first dealer."""
    if key in _OWN_KEYS:
        return f"{key[:-1]}{(int(key[-1]) + own) % _SEATS}", value
    if key in _ONE_SEAT:
        return key, str((_number(value) + own) % _SEATS)
    chips = key == "chip" and element == "INIT"
    if (key not in _BY_SEAT and not chips) or (key == "ten" and element == "AGARI"):
        return key, value
    each = _BY_SEAT.get(key, 1)
    parts = value.split(",")
    out: list[str] = []
    for first in range(0, len(parts), each * _SEATS):
        group = parts[first : first + each * _SEATS]
        if len(group) != each * _SEATS:
            return key, value
        for seat in range(_SEATS):
            relative = (seat - own) % _SEATS
            out += group[each * relative : each * (relative + 1)]
    return key, ",".join(out)
