"""Plain counts of the statistics of models: each position and row put into the model by hand."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np

from paifu.models.event_models import EventModel
from paifu.models.model_file import read_event_models, read_models
from paifu.models.positions import Positions
from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered,
    clustered_half_width,
    grouped,
    lived,
    mean,
    players,
)
from tests.query.slow_game import Discard, Game, Risk, Round, Seat

SEVEN_DAN = {
    (4, "south"): (90, 45, 0, -135), (4, "east"): (60, 30, 0, -90), (3, "south"): (135, 0, -135),
    (3, "east"): (90, 0, -90),
}  # fmt: skip
MODELS = {model.rules.players: model for model in read_models()}


class Chances:
    """The chances of every seat around each round of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game  # kept, so that its id is not given to another game
        self.before = [chances(now, [seat.start for seat in now.seats]) for now in game.rounds]
        self.sticks = [
            chances(now, [seat.start - 1000 * seat.riichi_paid for seat in now.seats])
            for now in game.rounds
        ]
        pairs = zip(game.rounds, game.rounds[1:], strict=False)
        self.paid = [chances(now, [seat.start for seat in after.seats]) for now, after in pairs]
        ends = np.eye(game.players)[[game.places[seat] - 1 for seat in range(game.players)]]
        self.after = [*self.before[1:], ends]
        self.paid.append(ends)


_SEEN: dict[int, Chances] = {}


def around(game: Game) -> Chances:
    """Return the chances around the rounds of a game, computed once."""
    if id(game) not in _SEEN:
        _SEEN[id(game)] = Chances(game)
    return _SEEN[id(game)]


def chances(now: Round, points: list[int]) -> np.ndarray:
    """Return the chances of one position, seat by place."""
    size = now.game.players
    scheduled = size * {"east": 1, "south": 2}[now.game.length]
    left = max(1, scheduled - now.wind * size - now.number + 1)
    about = np.array([[left], [now.dealer], [now.honba]], np.int16)
    return MODELS[size].chances(Positions(np.array([points], np.int32), *about))[0]


def values(r: Lived, scheme: str = "7dan") -> list[float]:
    """Return what the position was worth: before, after sticks, after payments, and after."""
    points = (
        SEVEN_DAN[r.game.players, r.game.length]
        if scheme == "7dan"
        else [float(part) for part in scheme.split("/")]
    )
    found, at, seat = around(r.game), r.round.index, r.seat.number
    return [
        float(each[at][seat] @ points)
        for each in (found.before, found.sticks, found.paid, found.after)
    ]


def change(r: Lived, scheme: str = "7dan") -> float:
    before, *_, after = values(r, scheme)
    return after - before


@check("placement_chances", "length", "round", "from_points")
@check("placement_chances", "length", "round", "from_points", step=10000)
def placement_chances(games: list[Game], step: int = 5000) -> Iterator[Row]:
    for number, length, name, points, of in grouped(
        lived(games), players, lambda r: r.game.length, lambda r: r.round.name,
        lambda r: math.floor(r.seat.start / step) * step,
    ):  # fmt: skip
        said = np.mean([around(r.game).before[r.round.index][r.seat.number] for r in of], axis=0)
        yield {
            "players": number, "length": length, "round": name, "from_points": points,
            "n": len(of), "average_placement": float(said @ range(1, number + 1)),
            "first_chance": float(said[0]), "second_chance": float(said[1]),
            "third_chance": float(said[2]),
            "fourth_chance": float(said[3]) if number == 4 else None,
        }  # fmt: skip


@check("value_by_cause", "cause")
@check("value_by_cause", "cause", four=True, scheme="30/10/-10/-30")
def value_by_cause(games: list[Game], scheme: str = "7dan") -> Iterator[Row]:
    rounds = [(r, cause) for r in lived(games) for cause in (r.seat.outcome, "all")]
    for number, cause, pairs in grouped(rounds, lambda pair: pair[0].players, lambda pair: pair[1]):
        of = [r for r, _ in pairs]
        steps = np.mean([np.diff(values(r, scheme)) for r in of], axis=0)
        sums: dict[tuple[int, int], float] = defaultdict(float)
        for r in of:
            sums[id(r.game), r.seat.number] += change(r, scheme)
        seats = [(game, sums[id(game), seat]) for game in games if game.players == number
                 for seat in range(number)]  # fmt: skip
        yield {
            "players": number, "cause": cause, "n": len(of),
            "change": mean(change(r, scheme) for r in of),
            "plus_minus": clustered_half_width(of, lambda r: change(r, scheme)),
            "by_sticks": float(steps[0]), "by_payments": float(steps[1]),
            "by_dealership": float(steps[2]), "n_games": len(seats),
            "per_game": mean(total for _, total in seats),
            "per_game_plus_minus": clustered_half_width(
                seats, lambda one: one[1], lambda one: one[0].part
            ),
        }  # fmt: skip


@check("value_by_round", "length", "round")
def value_by_round(games: list[Game]) -> Iterator[Row]:
    for number, length, name, of in grouped(
        lived(games), players, lambda r: r.game.length, lambda r: r.round.name
    ):
        yield {
            "players": number, "length": length, "round": name, "n": len(of),
            "value_before": mean(values(r)[0] for r in of),
            "change": mean(change(r) for r in of),
            "plus_minus": clustered_half_width(of, change),
        }  # fmt: skip


@check("value_of_1000_points", "length", "round", "rank")
def value_of_1000_points(games: list[Game]) -> Iterator[Row]:
    paid = [
        r
        for r in lived(games)
        if r.seat.riichi_paid and sum(seat.riichi_paid for seat in r.round.seats) == 1
    ]

    def worth(r: Lived) -> float:
        before, sticks, *_ = values(r)
        return before - sticks

    for number, length, name, rank, of in grouped(
        paid, players, lambda r: r.game.length, lambda r: r.round.name,
        lambda r: r.round.ranks()[r.seat.number],
    ):  # fmt: skip
        yield {
            "players": number, "length": length, "round": name, "rank": rank, "n": len(of),
            "value": mean(map(worth, of)), "plus_minus": clustered_half_width(of, worth),
        }  # fmt: skip


@check("model_calibration", "place", "from_chance", step=0.25)
def model_calibration(games: list[Game], step: float) -> Iterator[Row]:
    said = [
        (r, place, float(around(r.game).before[r.round.index][r.seat.number][place - 1]))
        for r in lived(games)
        for place in range(1, r.game.players + 1)
    ]
    for number, place, band, of in grouped(
        said, lambda s: s[0].players, lambda s: s[1], lambda s: math.floor(s[2] / step) * step
    ):
        ended = [s[0].game.places[s[0].seat.number] == place for s in of]
        low, high = clustered(
            of,
            lambda s, place=place: s[0].game.places[s[0].seat.number] == place,
            lambda s: s[0].game.part,
        )
        yield {
            "players": number, "place": place, "from_chance": band, "n": len(of),
            "average_chance": mean(s[2] for s in of), "rate": mean(ended), "low": low, "high": high,
        }  # fmt: skip


# --- chances of events ----------------------------------------------------------------------------


@cache
def weights(kind: str) -> dict[tuple[str, ...], tuple[float, ...]]:
    models: list[EventModel] = read_event_models(kind)
    return {(m.ruleset, *each.key): each.weights for m in models for each in m.classes}


def logistic(kind: str, key: tuple[str, ...], seen: list[float]) -> float:
    pairs = zip(weights(kind)[key], seen, strict=True)
    return 1 / (1 + math.exp(-sum(weight * value for weight, value in pairs)))


def deal_in_chance(now: Round, made: Discard, risk: Risk) -> float:
    if risk.tile_class == "genbutsu":
        return 0.0
    earlier = sum(other.order < made.order for seat in now.seats for other in seat.discards)
    turn = (min((1 + earlier) / now.game.players, 18) - 9) / 9
    seen = [
        1, turn, turn**2, math.log((risk.suji_left + 1) / 10), risk.tile_suji > 0,
        risk.live == 0, risk.live == 1, risk.live == 2, risk.near_dora == "dora",
        risk.near_dora == "near", risk.outside, risk.chance == 0, risk.chance == 1,
    ]  # fmt: skip
    return logistic("deal_in", (f"tenhou-{now.game.players}p", risk.threat, risk.tile_class), seen)


@check("deal_in_expected", "player", min_n=1)
def deal_in_expected(games: list[Game]) -> Iterator[Row]:
    feared = [
        (game, game.names[seat.number], risk, deal_in_chance(now, made, risk))
        for game in games
        for now in game.rounds
        for seat in now.seats
        for made in seat.discards
        for risk in made.risks
        if not game.anonymous(seat.number)
    ]
    for number, name, of in grouped(feared, lambda f: f[0].players, lambda f: f[1]):
        said = [chance for *_, chance in of]
        hits = sum(risk.hit for _, _, risk, _ in of)
        yield {
            "players": number, "player": name, "n": len(of), "deal_ins": hits,
            "genbutsu_rate": mean(risk.tile_class == "genbutsu" for _, _, risk, _ in of),
            "expected": sum(said), "average_chance": mean(said), "above": hits - sum(said),
            "sd": math.sqrt(sum(chance * (1 - chance) for chance in said)),
        }  # fmt: skip


def win_chance(game: Game, now: Round, seat: Seat) -> float:
    at = seat.at_riichi
    assert at is not None
    left = at.left / 70
    seen = [
        1, at.live / 8, math.sqrt(at.live), left, left**2, at.live / 8 * left,
        seat.number == now.dealer, seat.riichi_order == 2, seat.riichi_order > 2, at.furiten,
        len(at.kinds) / 3,
    ]  # fmt: skip
    return logistic("riichi", (f"tenhou-{game.players}p", str(at.kind)), seen)


@check("riichi_expected", "player", min_n=1)
def riichi_expected(games: list[Game]) -> Iterator[Row]:
    declared = [
        (r, win_chance(r.game, r.round, r.seat))
        for r in lived(games)
        if r.seat.riichi_paid and r.seat.at_riichi and r.seat.at_riichi.kind
        and not r.game.anonymous(r.seat.number)
    ]  # fmt: skip
    for number, name, of in grouped(declared, lambda d: d[0].players, lambda d: d[0].player):
        wins, said = sum(r.won for r, _ in of), [chance for _, chance in of]
        yield {
            "players": number, "player": name, "n": len(of), "wins": wins, "expected": sum(said),
            "average_chance": mean(said), "above": wins - sum(said),
            "sd": math.sqrt(sum(chance * (1 - chance) for chance in said)),
        }  # fmt: skip
