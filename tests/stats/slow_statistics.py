"""Statistics counted the slow, obvious way, straight from the elements of Tenhou's logs.

Written from the definitions of the statistics alone: a log is walked element by element, a count
goes up where something happens. Nothing here knows the tables or the SQL.
"""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mahjong.shanten import Shanten

DRAWS = "TUVW"
DISCARDS = "DEFG"
ABORTS = {
    "yao9": "kyuushu",
    "kaze4": "suufon",
    "reach4": "suucha",
    "kan4": "suukan",
    "ron3": "sanchahou",
    "nm": "nagashi",
}
RIICHI, IPPATSU, DOUBLE_RIICHI, URA = 1, 2, 21, 53
CHI, PON, KAKAN, KITA, DAIMINKAN, ANKAN = "chi", "pon", "kakan", "kita", "daiminkan", "ankan"
OPEN = {CHI, PON, KAKAN, DAIMINKAN}


@dataclass
class Tally:
    """What was counted in games of one number of players."""

    counts: Counter[str] = field(default_factory=Counter)
    """How often each thing happened, or its total."""
    yaku: Counter[int] = field(default_factory=Counter)
    """Wins with each yaku, by Tenhou's number."""
    outcomes: Counter[str] = field(default_factory=Counter)
    placements: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Games by starting seat and placement."""
    games_seen: set[str] = field(default_factory=set)

    def mean(self, total: str, number: str) -> float:
        """Return one count over another."""
        return self.counts[total] / self.counts[number]


@dataclass
class Round:
    """A round while it is walked through."""

    dealer: int
    seats: list[int]
    discards: Counter[int] = field(default_factory=Counter)
    melds: dict[int, set[str]] = field(default_factory=dict)
    riichi: list[int] = field(default_factory=list)
    """Seats in the order they declared."""
    last: tuple[str, int] = ("", -1)
    """What was done last, and by whom."""
    wins: list[ET.Element] = field(default_factory=list)
    draw: ET.Element | None = None

    def state(self, seat: int) -> str:
        """Return riichi, open or closed."""
        if seat in self.riichi:
            return "riichi"
        return "open" if self.melds.get(seat, set()) & OPEN else "closed"

    def called(self, seat: int) -> bool:
        """Say whether a seat made a chi, pon or daiminkan."""
        return bool(self.melds.get(seat, set()) & {CHI, PON, DAIMINKAN})


def elements(path: Path) -> list[ET.Element]:
    """Return the elements of a log, gzipped or not."""
    data = path.read_bytes()
    return list(ET.fromstring(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))


def integers(text: str) -> list[int]:
    """Return comma-separated whole numbers."""
    return [int(float(part)) for part in text.split(",")]


def count(paths: Iterable[Path]) -> dict[int, Tally]:
    """Return what happens in some complete logs, by number of players; a game counts once."""
    tallies = {3: Tally(), 4: Tally()}
    for path in paths:
        walked = elements(path)
        go = next(element for element in walked if element.tag == "GO")
        players = 3 if int(go.attrib["type"]) & 0x10 else 4
        first = next(element for element in walked if element.tag == "INIT")
        deal = "|".join(first.attrib[f"hai{seat}"] for seat in range(players))
        if deal not in tallies[players].games_seen:
            tallies[players].games_seen.add(deal)
            count_game(walked, players, tallies[players])
    return tallies


def count_game(walked: list[ET.Element], players: int, tally: Tally) -> None:
    """Walk through a game."""
    now: Round | None = None
    for element in walked:
        tag, of = element.tag, element.attrib
        if tag == "INIT":
            if now:
                count_round(now, tally)
            now = Round(int(of["oya"]), list(range(players)))
            for seat in now.seats:
                count_haipai(integers(of[f"hai{seat}"]), tally)
        elif now is None:
            continue
        elif tag == "N":
            who, kind = int(of["who"]), meld_kind(int(of["m"]))
            now.melds.setdefault(who, set()).add(kind)
            now.last = ("meld", who)
        elif tag == "REACH" and of["step"] == "1":
            who = int(of["who"])
            now.riichi.append(who)
            tally.counts["riichi turns"] += 1 + now.discards[who]
        elif tag == "AGARI":
            now.wins.append(element)
        elif tag == "RYUUKYOKU":
            now.draw = element
        elif tag[0] in DRAWS and tag[1:].isdigit():
            now.last = ("draw", DRAWS.index(tag[0]))
        elif tag[0] in DISCARDS and tag[1:].isdigit():
            who = DISCARDS.index(tag[0])
            now.discards[who] += 1
            now.last = ("discard", who)
        if "owari" in of:
            count_end(of["owari"], players, tally)
    if now:
        count_round(now, tally)
    tally.counts["games"] += 1


def meld_kind(code: int) -> str:
    """Return what a meld code stands for."""
    if code & 0x4:
        return CHI
    if code & 0x8:
        return PON
    if code & 0x10:
        return KAKAN
    if code & 0x20:
        return KITA
    return DAIMINKAN if code & 0x3 else ANKAN


def count_haipai(tiles: list[int], tally: Tally) -> None:
    """Count the shanten of the first 13 tiles."""
    kinds = [0] * 34
    for tile in tiles:
        kinds[tile // 4] += 1
    tally.counts["haipai shanten"] += Shanten().calculate_shanten(kinds)


def count_round(now: Round, tally: Tally) -> None:
    """Count a round that is over."""
    counts = tally.counts
    counts["rounds"] += 1
    counts["seat rounds"] += len(now.seats)
    counts["riichi"] += len(now.riichi)
    counts["first riichi"] += bool(now.riichi)
    counts["chased riichi"] += max(0, len(now.riichi) - 1)
    for win in now.wins:
        count_win(now, win, tally)
    losers = {int(w.attrib["fromWho"]) for w in now.wins if w.attrib["fromWho"] != w.attrib["who"]}
    for seat in now.seats:
        counts["called"] += now.called(seat)
        if seat in losers:
            counts["deal-in rounds"] += 1
            counts["deal-in turns"] += now.discards[seat] + (now.last != ("discard", seat))
            counts["riichi deal-ins"] += seat in now.riichi
    if now.draw is None:
        names = ("tsumo",) if not losers else ("ron", "double_ron", "triple_ron")
        tally.outcomes[names[len(now.wins) - 1]] += 1
        return
    kind = now.draw.attrib.get("type", "")
    tally.outcomes[ABORTS.get(kind, "exhaustive")] += 1
    if kind in ("", "nm"):
        for seat in now.seats:
            counts["drawn"] += 1
            counts["tenpai at draw"] += f"hai{seat}" in now.draw.attrib
            counts["riichi drawn"] += seat in now.riichi


def count_win(now: Round, win: ET.Element, tally: Tally) -> None:
    """Count one win."""
    counts, of = tally.counts, win.attrib
    who, source = int(of["who"]), int(of["fromWho"])
    points = integers(of["ten"])[1]
    state = now.state(who)
    pairs = integers(of["yaku"]) if of.get("yaku") else []
    han = dict(zip(pairs[::2], pairs[1::2], strict=True))
    found = {yaku for yaku in han if yaku != URA or han[yaku] > 0}
    found |= set(integers(of["yakuman"])) if of.get("yakuman") else set()
    counts["wins"] += 1
    counts[f"{state} wins"] += 1
    counts["win points"] += points
    counts["win turns"] += 1 + now.discards[who]
    tally.yaku.update(found)
    if state == "riichi" and not of.get("yakuman"):
        counts["riichi wins with han"] += 1
        counts["ippatsu"] += IPPATSU in found
        counts["ura"] += URA in found
    if who == source:
        counts["tsumo"] += 1
    else:
        counts["deal-ins"] += 1
        counts[f"deal-ins to {state}"] += 1
        counts["deal-in points"] -= 100 * integers(of["sc"])[2 * source + 1]


def count_end(owari: str, players: int, tally: Tally) -> None:
    """Count the final placement: by points, the seat nearer the first dealer before another."""
    points = integers(owari)[: 2 * players : 2]
    order = sorted(range(players), key=lambda seat: (-points[seat], seat))
    for place, seat in enumerate(order, start=1):
        tally.placements[seat, place] += 1
        tally.counts["placements"] += place
        tally.counts["busts"] += points[seat] < 0
