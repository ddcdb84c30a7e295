"""A simple reader of mjlog for the tests: XML tags in order, one Python tuple per event.

Written from formats.md §3.1 apart from the importer, and slow: what it says of a log and what the
importer says have to be the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree import ElementTree

KINDS = [
    "draw",
    "discard",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kita",
    "riichi",
    "accepted",
    "dora",
    "win",
    "ryuukyoku",
    "bye",
    "back",
]
OUTCOMES = {
    None: "exhaustive", "nm": "nagashi", "yao9": "kyuushu", "kaze4": "suufon",
    "reach4": "suucha", "kan4": "suukan", "ron3": "sanchahou",
}  # fmt: skip
LIMITS = ["none", "mangan", "haneman", "baiman", "sanbaiman", "kazoe"]


@dataclass
class TwinWin:
    """A win as recorded."""

    seat: int
    source: int
    tile: int
    hand: list[int]
    fu: int
    points: int
    limit: str
    yaku: list[tuple[int, int]]
    yakuman: list[int]
    honba: int
    sticks: int
    indicators: list[int]
    ura: list[int]
    pao: int
    before: list[int]
    delta: list[int]
    chips: int


@dataclass
class TwinRound:
    """A round: its seed, its events as (kind, seat, tile, from, tsumogiri, consumed), its end."""

    seed: list[int]
    scores: list[int]
    dealer: int
    haipai: list[list[int]]
    events: list[tuple[object, ...]] = field(default_factory=list)
    wins: list[TwinWin] = field(default_factory=list)
    stated: list[list[int]] = field(default_factory=list)
    outcome: str = "unknown"
    tenpai: list[int] = field(default_factory=lambda: [-1] * 4)
    before: list[int] = field(default_factory=list)
    delta: list[int] = field(default_factory=list)
    chips: bool = False


def numbers(text: str | None) -> list[int]:
    """Return the integers of a list."""
    return [int(part) for part in (text or "").split(",") if part.strip()]


def rounds_of(data: bytes) -> tuple[list[TwinRound], dict[str, str]]:
    """Return a log's rounds, and ``owari`` and the attributes of ``GO`` and the first ``UN``."""
    about: dict[str, str] = {}
    rounds: list[TwinRound] = []
    early: list[tuple[object, ...]] = []
    drawn: dict[int, int] = {}
    aka = True

    def code(tile: int) -> int:
        return {16: 34, 52: 35, 88: 36}.get(tile, tile // 4) if aka else tile // 4

    for element in ElementTree.fromstring(data):
        tag, get = element.tag, element.get
        events = rounds[-1].events if rounds else early
        if tag == "GO":
            about.update(element.attrib)
            aka = not int(about["type"]) & 2
        elif tag == "UN" and "n0" not in about:
            about.update(element.attrib)
        elif tag == "UN":
            events += [
                ("back", seat, -1, -1, -1, ()) for seat in range(4) if get(f"n{seat}") is not None
            ]
        elif tag == "BYE":
            events.append(("bye", int(get("who")), -1, -1, -1, ()))
        elif tag == "INIT":
            drawn = {}
            rounds.append(
                TwinRound(
                    seed=numbers(get("seed")),
                    scores=[100 * n for n in numbers(get("ten"))],
                    dealer=int(get("oya")),
                    haipai=[[code(t) for t in numbers(get(f"hai{s}"))] for s in range(4)],
                )
            )
            rounds[-1].seed[5] = code(rounds[-1].seed[5])
            rounds[-1].events += early
            early = []
        elif tag[0] in "TUVW" and tag[1:].isdigit():
            seat = "TUVW".index(tag[0])
            drawn[seat] = int(tag[1:])
            events.append(("draw", seat, code(int(tag[1:])), -1, -1, ()))
        elif tag[0] in "DEFG" and tag[1:].isdigit():
            seat = "DEFG".index(tag[0])
            same = int(drawn.pop(seat, None) == int(tag[1:]))
            events.append(("discard", seat, code(int(tag[1:])), -1, same, ()))
        elif tag == "N":
            seat = int(get("who"))
            drawn.pop(seat, None)
            kind, tile, relative, consumed = meld(int(get("m")))
            source = (seat + relative) % 4 if relative else -1
            events.append((kind, seat, code(tile), source, -1, tuple(map(code, consumed))))
        elif tag == "REACH" and get("step") == "1":
            events.append(("riichi", int(get("who")), -1, -1, -1, ()))
        elif tag == "REACH":
            events.append(("accepted", int(get("who")), -1, -1, -1, ()))
            if get("ten"):
                rounds[-1].stated.append([100 * n for n in numbers(get("ten"))])
        elif tag == "DORA":
            events.append(("dora", -1, code(int(get("hai"))), -1, -1, ()))
        elif tag == "AGARI":
            rounds[-1].outcome = "win"
            rounds[-1].wins.append(win(element, code))
            won = rounds[-1].wins[-1]
            events.append(("win", won.seat, won.tile, won.source, -1, ()))
        elif tag == "RYUUKYOKU":
            end = rounds[-1]
            end.outcome = OUTCOMES[get("type")]
            shown = [get(f"hai{seat}") is not None for seat in range(4)]
            if end.outcome in ("exhaustive", "nagashi"):
                players = 4 if rounds[0].haipai[3] else 3
                end.tenpai = [int(s) for s in shown[:players]] + [-1] * (4 - players)
            payments = [100 * n for n in numbers(get("sc"))]
            end.before, end.delta = payments[0:8:2], payments[1:8:2]
            declarer = shown.index(True) if end.outcome == "kyuushu" else -1
            events.append(("ryuukyoku", declarer, -1, -1, -1, ()))
        if get("owari"):
            about["owari"] = element.get("owari", "")
    return rounds, about


def meld(m: int) -> tuple[str, int, int, list[int]]:
    """Return a call's kind, the tile taken or added, whose it was, and the ids consumed."""
    relative = m & 3
    if m & 4:
        place, called = divmod(m >> 10, 3)
        first = 9 * (place // 7) + place % 7
        ids = [4 * (first + i) + (m >> shift & 3) for i, shift in enumerate((3, 5, 7))]
        return "chi", ids.pop(called), relative, ids
    if m & 24:
        kind, called = divmod(m >> 9, 3)
        ids = [4 * kind + copy for copy in range(4)]
        spare = ids.pop(m >> 5 & 3)
        if m & 8:
            return "pon", ids.pop(called), relative, ids
        return "kakan", spare, 0, ids
    tile = m >> 8
    if m & 32:
        return "kita", tile, 0, []
    ids = [tile // 4 * 4 + copy for copy in range(4) if copy != tile % 4]
    return ("daiminkan" if relative else "ankan"), tile, relative, ids


def win(element: ElementTree.Element, code: object) -> TwinWin:
    """Return a win from its ``AGARI``."""
    get = element.get
    codes = [[code(t) for t in numbers(get(key))] for key in ("hai", "doraHai", "doraHaiUra")]
    fu, points, limit = numbers(get("ten"))
    payments = numbers(get("sc"))
    pairs = numbers(get("yaku"))
    chips = numbers(get("chip"))
    return TwinWin(
        seat=int(get("who")),
        source=int(get("fromWho")),
        tile=code(int(get("machi"))),
        hand=codes[0],
        fu=fu,
        points=points,
        limit="yakuman" if get("yakuman") else LIMITS[limit],
        yaku=list(zip(pairs[0::2], pairs[1::2], strict=True)),
        yakuman=numbers(get("yakuman")),
        honba=numbers(get("ba"))[0],
        sticks=numbers(get("ba"))[1],
        indicators=codes[1],
        ura=codes[2],
        pao=int(get("paoWho", "-1")),
        before=[100 * n for n in payments[0:8:2]],
        delta=[100 * n for n in payments[1:8:2]],
        chips=sum(chips[1::2]) if len(payments) > 8 or chips else -1,
    )
