"""Reads a Tenhou log element by element in a slow and obvious way.

It is written only from the description of the format and the definitions of the statistics; it does
not use the tables, the replay or the SQL.
"""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import unquote

from tests.query.slow_game import OPEN_CALLS, Discard, Game, Meld, Risk, Round, Seat, Tenpai, Win
from tests.query.slow_hands import (
    Counts,
    counted,
    shanten,
    tile_class,
    wait_kind,
    waits,
    won_kind,
)

ABORTS = {
    "yao9": "kyuushu", "kaze4": "suufon", "reach4": "suucha", "kan4": "suukan",
    "ron3": "sanchahou", "nm": "nagashi",
}  # fmt: skip
LIMITS = ("none", "mangan", "haneman", "baiman", "sanbaiman", "kazoe")
ROOMS = {0: "ippan", 0x80: "joukyuu", 0x20: "tokujou", 0xA0: "houou"}
URA = 53


def numbers(text: str | None) -> list[int]:
    """Return comma-separated whole numbers."""
    return [int(float(part)) for part in text.split(",")] if text else []


def read(path: Path) -> Game:
    """Return the game of a log, gzipped or not."""
    data = path.read_bytes()
    root = ET.fromstring(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    go = next(element for element in root if element.tag == "GO")
    kind = int(go.attrib["type"])
    game = Game(
        log=path.name.split(".")[0],
        players=3 if kind & 0x10 else 4,
        length="south" if kind & 0x08 else "east",
        room=ROOMS[kind & 0xA0],
        red=not kind & 0x02,
        lobby=int(go.attrib.get("lobby", 0)),
    )
    for element in root:
        _walk(game, element)
    return game


def _walk(game: Game, element: ET.Element) -> None:
    tag, of = element.tag, element.attrib
    now = game.rounds[-1] if game.rounds else None
    if tag == "UN" and not game.names:
        game.names = [unquote(of[f"n{seat}"]) for seat in range(game.players)]
        game.dans, game.rates = numbers(of["dan"]), [float(rate) for rate in of["rate"].split(",")]
        game.sexes = of["sx"].split(",")
    elif tag == "SHUFFLE":
        game.seed = of["seed"]
    elif tag == "BYE":
        game.away.add(int(of["who"]))
    elif tag == "INIT":
        game.rounds.append(_deal(game, of))
    elif now is None:
        return
    elif tag[0] in "TUVW" and tag[1:].isdigit():
        _draw(now, now.seats["TUVW".index(tag[0])], int(tag[1:]))
    elif tag[0] in "DEFG" and tag[1:].isdigit():
        _discard(now, now.seats["DEFG".index(tag[0])], int(tag[1:]))
    elif tag == "N":
        _call(now, now.seats[int(of["who"])], int(of["m"]))
    elif tag == "DORA":
        now.indicators.append(int(of["hai"]))
    elif tag == "REACH":
        _riichi(now, now.seats[int(of["who"])], of["step"])
    elif tag == "AGARI":
        _win(now, of)
    elif tag == "RYUUKYOKU":
        _draw_game(now, of)
    if "owari" in of:
        parts = of["owari"].split(",")[: 2 * game.players]
        game.final = [round(100 * float(points)) for points in parts[::2]]
        game.results = [float(result) for result in parts[1::2]]


def _deal(game: Game, of: dict[str, str]) -> Round:
    place, honba, sticks, *_, indicator = numbers(of["seed"])
    points = numbers(of["ten"])
    seats = [
        Seat(seat, numbers(of[f"hai{seat}"]), 100 * points[seat], numbers(of[f"hai{seat}"]))
        for seat in range(game.players)
    ]
    now = Round(
        game, len(game.rounds), place // 4, place % 4 + 1, honba, sticks, int(of["oya"]),
        [indicator], seats,
    )  # fmt: skip
    for seat in seats:
        _look(now, seat, 0)
    return now


def _look(now: Round, seat: Seat, turn: int) -> Tenpai | None:
    """Return the tenpai of a hand of 13 tiles, and remember the first."""
    kinds = waits(seat.hand)
    if not kinds:
        return None
    found = Tenpai(
        turn, kinds, wait_kind(seat.hand), now.live(seat, kinds), now.draws, now.left,
        any(discard.tile // 4 in kinds for discard in seat.discards),
    )  # fmt: skip
    seat.first_tenpai = seat.first_tenpai or found
    return found


def _draw(now: Round, seat: Seat, tile: int) -> None:
    if now.broken:
        now.broken = False
        for other in now.seats:
            other.ippatsu = False
    seat.closed.append(tile)
    seat.drawn = tile
    now.draws += not now.owed
    now.owed = False


def _discard(now: Round, seat: Seat, tile: int) -> None:
    risks = _risks(now, seat, tile)
    turn = len(seat.discards) + 1
    drawn, seat.drawn = seat.drawn == tile, None
    seat.closed.remove(tile)
    declared = seat.riichi is None and seat.riichi_order > 0
    seat.ippatsu = declared
    made = Discard(
        turn, tile, drawn, shanten(seat.hand), seat.open_melds, declared, risks, now.acts
    )
    now.acts += 1
    seat.discards.append(made)
    seat.passing = set()
    _put_down(now, seat, tile, "discard")
    tenpai = _look(now, seat, turn)
    if declared:
        seat.riichi, seat.at_riichi = made, tenpai


def _put_down(now: Round, seat: Seat, tile: int, what: str) -> None:
    """Record that the others passed a tile on which they could have won."""
    for other in now.seats:
        if other is not seat:
            other.passing.add(tile // 4)
            if other.riichi:
                other.passed.add(tile // 4)
    if tile // 4 >= 27:
        now.honours.setdefault(tile // 4, []).append((seat.number, what))


def _risks(now: Round, seat: Seat, tile: int) -> list[Risk]:
    found = []
    kind = tile // 4
    in_sight = now.in_sight(seat)
    for other in now.seats:
        if other is seat or not (other.riichi_paid or other.open_melds >= 2):
            continue
        own = {discard.tile // 4 for discard in other.discards}
        ruled_out = own | (other.passed if other.riichi_paid else set())
        since = other.riichi.turn if other.riichi_paid and other.riichi else other.second_open
        rode = other.riichi.turn if other.riichi else 7
        early = [discard.tile // 4 for discard in other.discards[:6] if discard.turn < rode]
        near = "none"
        if kind in now.dora:
            near = "dora"
        elif any(
            kind < 27 and kind // 9 == dora // 9 and abs(kind - dora) <= 2 for dora in now.dora
        ):
            near = "near"
        found.append(
            Risk(
                other.number,
                "riichi" if other.riichi_paid else "open",
                len(other.discards) - since,
                tile_class(kind, ruled_out | other.passing, ruled_out, in_sight),
                4 - in_sight[kind],
                near,
                kind < 27
                and any(
                    kind // 9 == first // 9
                    and (kind < first <= kind // 9 * 9 + 4 or kind > first >= kind // 9 * 9 + 4)
                    for first in early
                ),
                *_suji(kind, ruled_out, now.game.players),
                _chance(kind, ruled_out | other.passing, ruled_out, in_sight),
                other.number == now.dealer,
                other.ippatsu,
            )
        )
    return found


def _suji(kind: int, ruled_out: set[int], players: int) -> tuple[int, int]:
    """Return how many suji are left, and how many of them have this tile."""
    numbers = range(9, 27) if players == 3 else range(27)
    pairs = [{low, low + 3} for low in numbers if low % 9 < 6]
    left = [pair for pair in pairs if not pair & ruled_out]
    return len(left), sum(kind in pair for pair in left)


def _chance(kind: int, safe: set[int], ruled_out: set[int], in_sight: Counts) -> int | None:
    """Return the copies not seen of the scarcer neighbour for a ryanmen, on the better side."""
    if kind in safe or kind >= 27:
        return None
    left = [
        min(4 - in_sight[kind + step], 4 - in_sight[kind + 2 * step])
        for step in (-1, 1)
        if 0 <= kind % 9 + 3 * step < 9 and kind + 3 * step not in ruled_out
    ]
    return max(left, default=None)


def _call(now: Round, seat: Seat, code: int) -> None:
    meld = _meld(code)
    seat.drawn = None
    now.acts += 1
    if meld.kind == "kakan":
        pon = next(m for m in seat.melds if m.kind == "pon" and m.tile // 4 == meld.tile // 4)
        pon.kind, pon.tiles = "kakan", [*pon.tiles, meld.tile]
    else:
        seat.melds.append(meld)
    for tile in meld.tiles:
        if tile in seat.closed:
            seat.closed.remove(tile)
    if meld.kind in OPEN_CALLS:
        seat.first_call = seat.first_call or len(seat.discards) + 1
        if meld.tile // 4 >= 27:
            now.honours.setdefault(meld.tile // 4, []).append((seat.number, meld.kind))
        if seat.open_melds == 2:
            seat.second_open = len(seat.discards)
    if meld.kind in ("ankan", "kakan", "daiminkan", "kita"):
        now.owed = True
        now.kans += 1
    if meld.kind in ("kakan", "kita"):
        _put_down(now, seat, meld.tile, meld.kind)
    now.first_go = False
    for other in now.seats:
        # a kan or north does not end it as long as it may be robbed
        other.ippatsu &= meld.kind in ("kakan", "kita")
    now.broken = meld.kind in ("kakan", "kita")


def _meld(code: int) -> Meld:
    """Return the call a code stands for."""
    if code & 4:
        place, called = divmod(code >> 10, 3)
        first = 9 * (place // 7) + place % 7
        tiles = [4 * (first + at) + (code >> shift & 3) for at, shift in enumerate((3, 5, 7))]
        return Meld("chi", tiles, tiles[called])
    if code & 24:
        kind, called = divmod(code >> 9, 3)
        spare = 4 * kind + (code >> 5 & 3)
        tiles = [4 * kind + copy for copy in range(4) if 4 * kind + copy != spare]
        if code & 8:
            return Meld("pon", tiles, tiles[called])
        return Meld("kakan", [*tiles, spare], spare)
    tile = code >> 8
    if code & 32:
        return Meld("kita", [tile], tile)
    tiles = [tile // 4 * 4 + copy for copy in range(4)]
    return Meld("daiminkan" if code & 3 else "ankan", tiles, tile)


def _riichi(now: Round, seat: Seat, step: str) -> None:
    if step == "2":
        seat.riichi_paid = True
        return
    declared = [other for other in now.seats if other.riichi_order]
    for other in declared:
        other.riichi_later += 1
    seat.riichi_order = len(declared) + 1
    seat.riichi_double = now.first_go and not seat.discards


def _win(now: Round, of: dict[str, str]) -> None:
    who, source = int(of["who"]), int(of["fromWho"])
    seat, tile = now.seats[who], int(of["machi"])
    loser = None if who == source else now.seats[source]
    fu, points, limit = numbers(of["ten"])
    pairs = numbers(of.get("yaku"))
    yakuman = numbers(of.get("yakuman"))
    yaku = {n: han for n, han in zip(pairs[::2], pairs[1::2], strict=True) if n != URA or han}
    before = seat.hand
    if loser is None:
        before = counted(t // 4 for t in seat.closed if t != tile)
    kinds = waits(before)
    seen = now.seen(seat) - {tile}
    robbed = loser is not None and (not loser.discards or loser.discards[-1].tile != tile)
    won = Win(
        winner=who,
        loser=None if loser is None else source,
        tile=tile,
        points=points,
        fu=fu,
        limit="yakuman" if yakuman else LIMITS[limit],
        yaku=yaku | dict.fromkeys(yakuman, 13),
        yakuman=yakuman,
        ura=numbers(of.get("doraHaiUra")),
        indicators=numbers(of["doraHai"]),
        pao=int(of["paoWho"]) if "paoWho" in of else None,
        paid=[100 * part for part in numbers(of["sc"])[1 : 2 * len(now.seats) : 2]],
        honba=numbers(of["ba"])[0],
        turn=len(seat.discards) + 1,
        table_turn=(1 + now.discards) / now.game.players,
        winner_state=seat.state,
        loser_state=None if loser is None else loser.state,
        wait=won_kind(before, tile // 4),
        live=sum(4 * kind + copy not in seen for kind in kinds for copy in range(4)),
        hand=[*seat.closed, *([tile] if loser else [])],
        melds=seat.melds,
        kan_robbed=robbed,
    )
    now.wins.append(won)
    seat.win = won
    now.outcome = (
        "tsumo" if loser is None else ("ron", "double_ron", "triple_ron")[len(now.wins) - 1]
    )
    if loser:
        last = loser.discards[-1] if loser.discards else None
        loser.dealt.append(won)
        loser.dealt_turn = len(loser.discards) + robbed
        loser.dealt_shanten = shanten(loser.hand)
        loser.dealt_state = "riichi" if loser.riichi_order else loser.state
        for risk in last.risks if last and not robbed else []:
            risk.hit |= risk.against == who
    for other, paid in zip(now.seats, won.paid, strict=True):
        other.change += paid
    _close(now, tile if loser is None else None)


def _draw_game(now: Round, of: dict[str, str]) -> None:
    now.outcome = ABORTS.get(of.get("type", ""), "exhaustive")
    for seat, paid in zip(now.seats, numbers(of["sc"])[1::2], strict=False):
        seat.change += 100 * paid
        seat.shown = f"hai{seat.number}" in of
    if now.outcome == "kyuushu":
        now.declarer = next(seat.number for seat in now.seats if seat.shown)
    _close(now, None)


def _close(now: Round, won_on: int | None) -> None:
    """Look at every hand as the round ends."""
    losers = {win.loser for win in now.wins}
    by_tsumo = any(win.tsumo for win in now.wins)
    for seat in now.seats:
        held = [tile for tile in seat.closed if tile != (won_on if seat.win else seat.drawn)]
        hand = counted(tile // 4 for tile in held)
        seat.end_shanten, seat.end_wait = shanten(hand), wait_kind(hand)
        if seat.win:
            seat.outcome = "won_tsumo" if seat.win.tsumo else "won_ron"
        elif seat.number in losers:
            seat.outcome = "deal_in"
        elif now.wins:
            seat.outcome = "paid_tsumo" if by_tsumo else "bystander"
        elif now.outcome == "nagashi" and seat.change > 0:
            seat.outcome = "nagashi"
        elif now.drawn:
            seat.outcome = "draw_tenpai" if waits(hand) else "draw_noten"
        else:
            seat.outcome = "abort"
