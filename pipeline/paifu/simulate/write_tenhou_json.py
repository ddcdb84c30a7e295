"""Writes games as tenhou.net/6 JSON: a round is seventeen arrays; a seat has hand, draws, discards.

This format does not have the order of events between seats, the timing of dora, or the ura of a win
without riichi.
"""

from __future__ import annotations

import json
from typing import Any

from paifu.schema.yaku import YAKU, YAKU_INDEX
from paifu.simulate.game_loop import Game
from paifu.simulate.naming import DAN_JAPANESE, LIMIT_JAPANESE, tenhou_tile, tsumo_words
from paifu.simulate.scoring import Value, dora_tiles
from paifu.simulate.settle import base_of
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    EXHAUSTIVE,
    KAKAN,
    KITA,
    KYUUSHU,
    LEAVE,
    NAGASHI,
    PON,
    RETURN,
    RIICHI,
    RON,
    SANCHAHOU,
    SUUCHA,
    SUUFON,
    SUUKAN,
    TSUMO,
)
from paifu.simulate.write_mjlog import log_id

_DRAWN = {
    NAGASHI: "流し満貫", KYUUSHU: "九種九牌", SUUFON: "四風連打", SUUCHA: "四家立直",
    SUUKAN: "四槓散了", SANCHAHOU: "三家和了",
}  # fmt: skip
_TSUMOGIRI = 60
_NO_DISCARD = 0
"""Marks a daiminkan among the discards; its own discard comes after another draw."""


def write(game: Game) -> bytes:
    """Return a game as the bytes of a tenhou.net/6 JSON file."""
    people = game.seating.people
    missing = 4 - len(people)
    points = [*game.final_points, *[0] * missing]
    finals = [*game.final_results, *[0.0] * missing]
    logged: dict[str, Any] = {
        "ver": 2.3,
        "ref": log_id(game),
        "log": [
            round_arrays(game, table, values)
            for table, values in zip(game.rounds, game.values, strict=True)
        ],
    }
    if connections := _connections(game):
        logged["connection"] = connections
    logged |= {
        "ratingc": f"PF{game.flow.players}",
        "rule": rule(game),
        "lobby": 0,
        "dan": [DAN_JAPANESE[person.dan] for person in people] + [DAN_JAPANESE[0]] * missing,
        "rate": [person.rate for person in people] + [1500] * missing,
        "sx": [person.sex for person in people] + ["C"] * missing,
        "sc": [value for pair in zip(points, map(_plain, finals), strict=True) for value in pair],
        "name": [person.name for person in people] + [""] * missing,
    }
    return json.dumps(logged, ensure_ascii=False, separators=(",", ":")).encode()


def rule(game: Game) -> dict[str, Any]:
    """Return the rule in Tenhou's words: room, length, open tanyao, red fives."""
    flow = game.flow
    words = ("三" if flow.players == 3 else "") + "鳳" + ("南" if flow.winds == 2 else "東")
    words += ("喰" if flow.kuitan else "") + ("赤" if flow.aka else "")
    return {"disp": words, "aka53": flow.aka, "aka52": flow.aka, "aka51": flow.aka}


def _plain(number: float) -> float:
    """Return a whole number without decimals, as in the format."""
    return int(number) if number == int(number) else number


def _connections(game: Game) -> list[dict[str, int]]:
    """Return who disconnected (0) and came back (1), with the round and event."""
    found = []
    for nth, table in enumerate(game.rounds):
        count = int(table["events"])
        for step, kind in enumerate(table["event_kind"][:count].tolist()):
            if kind in (LEAVE, RETURN):
                seat = int(table["event_seat"][step])
                found.append({"what": int(kind == RETURN), "log": nth, "who": seat, "step": step})
    return found


def round_arrays(game: Game, table: Any, values: list[Value]) -> list[Any]:
    """Return the seventeen arrays of a round."""
    flow = game.flow
    aka = bool(flow.aka)
    scores = [int(points) for points in table["start"][: flow.players]]
    shows_ura = any(table["riichi"][winner] == 2 for winner in table["winner"][: len(values)])
    arrays: list[Any] = [
        [
            4 * int(table["wind"]) + int(table["number"]),
            int(table["honba"]),
            int(table["start_sticks"]),
        ],
        scores + [0] * (4 - flow.players),
        [tenhou_tile(tile, aka) for tile in dora_tiles(table, flow, ura=False)],
        [tenhou_tile(tile, aka) for tile in dora_tiles(table, flow, ura=True)] if shows_ura else [],
    ]
    draws, discards = _by_seat(table, aka)
    for seat in range(4):
        hand = table["haipai"][seat].tolist() if seat < flow.players else []
        arrays += [sorted(tenhou_tile(tile, aka) for tile in hand), draws[seat], discards[seat]]
    return [*arrays, result(game, table, values)]


def _by_seat(table: Any, aka: bool) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return what each seat drew or called, and what it discarded or declared."""
    draws: list[list[Any]] = [[], [], [], []]
    discards: list[list[Any]] = [[], [], [], []]
    drawn = [-1] * 4
    riichi = False
    count = int(table["events"])
    names = ("event_kind", "event_seat", "event_tile", "event_from", "event_used")
    rows = zip(*(table[name][:count].tolist() for name in names), strict=True)
    pons: dict[tuple[int, int], str] = {}
    for kind, seat, tile, source, used in rows:
        code = tenhou_tile(tile, aka) if tile >= 0 else 0
        if kind == DRAW:
            draws[seat].append(code)
            drawn[seat] = tile
        elif kind == RIICHI:
            riichi = True
        elif kind == DISCARD:
            shown = _TSUMOGIRI if drawn[seat] == tile else code
            discards[seat].append(f"r{shown}" if riichi else shown)
            drawn[seat], riichi = -1, False
        elif kind in (CHI, PON, DAIMINKAN):
            own = [tenhou_tile(other, aka) for other in used if other >= 0]
            text = _called("cpm"[kind - CHI], code, own, (source - seat) % 4)
            draws[seat].append(text)
            pons[seat, tile // 4] = text
            drawn[seat] = -1
            if kind == DAIMINKAN:
                discards[seat].append(_NO_DISCARD)
        elif kind == ANKAN:
            last, *others = sorted((tenhou_tile(t, aka) for t in (tile, *used)), reverse=True)
            discards[seat].append(f"{''.join(map(str, others))}a{last}")
        elif kind == KAKAN:
            discards[seat].append(pons[seat, tile // 4].replace("p", f"k{code}"))
        elif kind == KITA:
            discards[seat].append(f"f{code}")
    return draws, discards


def _called(letter: str, called: int, own: list[int], direction: int) -> str:
    """Return a call: the position of the letter and the called tile shows the discarder."""
    tiles = [str(tile) for tile in sorted(own)]
    at = 0 if letter == "c" or direction == 3 else 1 if direction == 2 else len(tiles)
    tiles.insert(at, f"{letter}{called}")
    return "".join(tiles)


def result(game: Game, table: Any, values: list[Value]) -> list[Any]:
    """Return how a round ended."""
    outcome, players = int(table["outcome"]), game.flow.players
    deltas = [
        [int(points) for points in row[:players]] + [0] * (4 - players) for row in table["delta"]
    ]
    if outcome in (TSUMO, RON):
        wins: list[Any] = ["和了"]
        for nth, value in enumerate(values):
            wins += [deltas[nth], win(game, table, int(table["winner"][nth]), value)]
        return wins
    if outcome == EXHAUSTIVE:
        ready = int(table["tenpai"][:players].sum())
        if ready in (0, players):
            return ["全員聴牌" if ready else "全員不聴"]
        return ["流局", deltas[0]]
    return ["流し満貫", deltas[0]] if outcome == NAGASHI else [_DRAWN[outcome]]


def win(game: Game, table: Any, winner: int, value: Value) -> list[Any]:
    """Return a win: the winner, the discarder, the liable seat, the value in words, the yaku."""
    loser = int(table["loser"])
    base = base_of(value.limit, value.han, value.fu, value.yakuman, game.rules.kiriage_mangan)
    is_dealer = winner == int(table["number"])
    paid = tsumo_words(base, is_dealer) if loser == winner else f"{value.points}点"
    worth = LIMIT_JAPANESE.get(value.limit) or f"{value.fu}符{value.han}飜"
    feeder = value.feeder if value.feeder >= 0 else winner
    return [winner, loser, feeder, worth + paid, *yaku_words(value)]


def yaku_words(value: Value) -> list[str]:
    """Return the yaku with their han; kita are dora, and ura of 0 han are left out."""
    folded: dict[str, int] = {}
    for key, han in value.yaku:
        name = "dora" if key == "kita" else key
        folded[name] = folded.get(name, 0) + han
    is_yakuman = value.limit == "yakuman"
    return [
        f"{YAKU[YAKU_INDEX[key]].japanese}({'役満' if is_yakuman else f'{han}飜'})"
        for key, han in folded.items()
        if han
    ]
