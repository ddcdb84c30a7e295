"""Plain counts of the statistics of games: placement, players, rating, rounds, data quality."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, permutations

from tests.query.checks_hands import haipai_shanten
from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered,
    ended,
    grouped,
    half_width,
    lived,
    mean,
    players,
    share,
    wilson,
)
from tests.query.slow_game import Game

Seated = tuple[Game, int]
PLACES = ("first_rate", "second_rate", "third_rate", "fourth_rate")


def seated(games: list[Game], *, named: bool = False) -> list[Seated]:
    """Return every seat of every game, or only seats of players with a name."""
    return [
        (game, seat)
        for game in games
        for seat in range(game.players)
        if not (named and game.anonymous(seat))
    ]


def of_players(one: Seated) -> int:
    return one[0].players


def player(one: Seated) -> str:
    return one[0].names[one[1]]


def place(one: Seated) -> int:
    return one[0].places[one[1]]


def final(one: Seated) -> int:
    return one[0].final[one[1]]


def result(one: Seated) -> float:
    return one[0].results[one[1]]


def placed(games: Iterable[Seated]) -> Row:
    """Return how often these seats came first to last."""
    found = list(games)
    size = of_players(found[0])
    rates: Row = {
        name: sum(place(s) == at for s in found) / len(found) if at <= size else None
        for at, name in enumerate(PLACES, start=1)
    }
    return rates | {"n": len(found), "average_placement": mean(map(place, found))}


# --- placement ----------------------------------------------------------------------------------


@check("placement", "player")
def placement(games: list[Game]) -> Iterator[Row]:
    for number, name, of in grouped(seated(games, named=True), of_players, player):
        half = half_width([float(place(s)) for s in of])
        firsts = wilson(sum(place(s) == 1 for s in of), len(of))
        yield placed(of) | {
            "players": number, "player": name, "placement_plus_minus": half,
            "first_low": firsts[0], "first_high": firsts[1],
            "top_two_rate": share(of, lambda s: place(s) <= 2),
            "bust_rate": share(of, lambda s: final(s) < 0),
            "average_points": mean(map(final, of)),
            "average_result": mean(g.results[seat] for g, seat in of),
        }  # fmt: skip


def longest_run(of: list[Seated], holds: Callable[[Seated], bool]) -> int:
    """Return the most games in a row for which something holds, in the order of play."""
    played = sorted(of, key=lambda one: (one[0].log[:10], one[0].listed))
    return max((len([*run]) for held, run in groupby(played, holds) if held), default=0)


@check("standings", "player", "season")
@check("standings", "player", "season", seasons="month")
def standings(games: list[Game], seasons: str = "all") -> Iterator[Row]:
    def season(one: Seated) -> str | None:
        return one[0].month if seasons == "month" else "all"

    for when, some in grouped(seated(games, named=True), season):
        if when is None:
            continue
        for number, of_size in grouped(some, of_players):
            totals = {name: sum(result(s) for s in of) for name, of in grouped(of_size, player)}
            for name, of in grouped(of_size, player):
                results = [result(s) for s in of]
                yield {
                    "season": when, "players": number, "player": name, "n": len(of),
                    "n_left_out": 0,
                    "place": 1 + sum(t > totals[name] + 1e-6 for t in totals.values()),
                    "total_result": sum(results), "average_result": mean(results),
                    "result_plus_minus": half_width(results),
                    **{f"n_{word}": sum(place(s) == at for s in of) if at <= number else None
                       for at, word in enumerate(("first", "second", "third", "fourth"), 1)},
                    "average_placement": mean(map(place, of)),
                    "best_result": max(results), "worst_result": min(results),
                    "most_points": max(map(final, of)),
                    "longest_run_of_firsts": longest_run(of, lambda s: place(s) == 1),
                    "longest_run_without_last": longest_run(
                        of, lambda s: place(s) < of_players(s)
                    ),
                }  # fmt: skip


@check("placement_by_start_seat", "seat")
def placement_by_start_seat(games: list[Game]) -> Iterator[Row]:
    for number, seat, of in grouped(seated(games), of_players, lambda s: s[1]):
        yield placed(of) | {
            "players": number, "seat": seat, "average_points": mean(map(final, of)),
        }  # fmt: skip


@check("placement_by_points", "round", "from_points")
@check("placement_by_points", "round", "from_points", measure="gap", step=10000)
def placement_by_points(
    games: list[Game], measure: str = "points", step: int = 5000
) -> Iterator[Row]:
    def begun(r: Lived) -> int:
        first = max(seat.start for seat in r.round.seats)
        value = r.seat.start if measure == "points" else first - r.seat.start
        return math.floor(value / step) * step

    for number, name, points, of in grouped(lived(games), players, lambda r: r.round.name, begun):
        low, high = clustered(of, lambda r: r.game.places[r.seat.number] == 1)
        yield placed((r.game, r.seat.number) for r in of) | {
            "players": number, "round": name, "from_points": points,
            "first_low": low, "first_high": high,
        }  # fmt: skip


@check("all_last", "rank", "is_dealer")
def all_last(games: list[Game]) -> Iterator[Row]:
    firsts = [next((n for n in game.rounds if n.all_last), None) for game in games]
    reached = [r for r in lived(games) if r.round in firsts]
    for number, rank, dealer, of in grouped(
        reached, players, lambda r: r.round.ranks()[r.seat.number], lambda r: r.dealer
    ):
        ends = [(r.game, r.seat.number) for r in of]
        yield {
            "players": number, "rank": rank, "is_dealer": dealer, "n": len(of),
            "keep_rate": share(ends, lambda s, rank=rank: place(s) == rank),
            "climb_rate": share(ends, lambda s, rank=rank: place(s) < rank),
            "fall_rate": share(ends, lambda s, rank=rank: place(s) > rank),
            "last_rate": share(ends, lambda s: place(s) == of_players(s)),
            "average_gap_to_next": mean(
                min(o.start - r.seat.start for o in r.round.seats
                    if r.round.ranks()[o.number] == rank - 1)
                for r in of
            ) if rank > 1 else None,
        }  # fmt: skip


@check("all_last_play", "rank", "from_points")
@check("all_last_play", "rank", "from_points", step=8000, dealer="dealer")
def all_last_play(games: list[Game], step: int = 4000, dealer: str = "all") -> Iterator[Row]:
    firsts = [next((n for n in game.rounds if n.all_last), None) for game in games]
    reached = [r for r in lived(games) if r.round in firsts and (dealer == "all" or r.dealer)]

    def rank(r: Lived) -> int:
        return r.round.ranks()[r.seat.number]

    def gap(r: Lived) -> int:
        starts = sorted((seat.start for seat in r.round.seats), reverse=True)
        return starts[0] - starts[1] if rank(r) == 1 else starts[rank(r) - 2] - r.seat.start

    def against_riichi(r: Lived) -> list[set[str]]:
        """Return for each discard against riichi its class against each seat in riichi."""
        found = [
            {risk.tile_class for risk in made.risks if risk.threat == "riichi"}
            for made in r.seat.discards
        ]
        return [classes for classes in found if classes]

    for number, at, points, of in grouped(reached, players, rank, lambda r: gap(r) // step * step):
        facing = [r for r in of if against_riichi(r) and not r.seat.riichi_order]
        ends = [(r.game, r.seat.number) for r in of]
        row = ended(of) | {
            "players": number, "rank": at, "from_points": points,
            "riichi_rate": share(of, lambda r: r.seat.riichi_order),
            "call_rate": share(of, lambda r: r.seat.calls), "n_facing": len(facing),
            "fold_rate": share(
                facing, lambda r: all(c == {"genbutsu"} for c in against_riichi(r))
            ),
            "average_points": mean(r.points for r in of if r.won),
            "keep_rate": share(ends, lambda s, at=at: place(s) == at),
            "climb_rate": share(ends, lambda s, at=at: place(s) < at),
            "fall_rate": share(ends, lambda s, at=at: place(s) > at),
        }  # fmt: skip
        del row["balance"]
        yield row


@check("busts", "last_round")
def busts(games: list[Game]) -> Iterator[Row]:
    ends = [(g, seat, g.rounds[-1].seats[seat].outcome) for g, seat in seated(games)]
    for number, of in grouped(ends, lambda e: e[0].players):
        for name in {"all", *(outcome for *_, outcome in of)}:

            def bust(end: tuple[Game, int, str], name: str = name) -> bool:
                return end[0].final[end[1]] < 0 and name in ("all", end[2])

            low, high = clustered(of, bust, lambda end: end[0].part)
            yield {
                "players": number, "last_round": name, "n": len(of), "busts": sum(map(bust, of)),
                "low": low, "high": high,
            }  # fmt: skip


# --- players ------------------------------------------------------------------------------------


def by_player(games: list[Game]) -> Iterator[tuple[int, str, list[Seated], list[Lived]]]:
    """Yield each player's games and rounds."""
    rounds = {
        (number, name): of
        for number, name, of in grouped(
            (r for r in lived(games) if not r.game.anonymous(r.seat.number)),
            players, lambda r: r.player,
        )
    }  # fmt: skip
    for number, name, of in grouped(seated(games, named=True), of_players, player):
        yield number, name, of, rounds[number, name]


@check("players", "player")
def profiles(games: list[Game]) -> Iterator[Row]:
    for number, name, of, rounds in by_player(games):
        won = [r for r in rounds if r.won]
        dealt = [r for r in rounds if r.dealt_in]
        rode = [r for r in rounds if r.seat.riichi_order]
        opened = [r for r in rounds if r.seat.calls]
        drawn = [r for r in rounds if r.drew]
        hit = [r for r in rounds if r.dealer and r.hit_by]
        riichi_wins = [r for r in won if r.seat.riichi_order]
        with_han = [r for r in riichi_wins if not r.seat.win.yakuman]
        efficiency, loss = (
            sum(r.points for r in won) / len(rounds), sum(r.cost for r in dealt) / len(rounds),
        )  # fmt: skip
        first = share(rode, lambda r: r.seat.riichi_order == 1)
        yield {
            "players": number, "player": name, "n_games": len(of), "n": len(rounds),
            "average_placement": mean(map(place, of)),
            "n_riichi_wins": len(riichi_wins), "n_ura": len(with_han),
            "first_rate": share(of, lambda s: place(s) == 1),
            "top_two_rate": share(of, lambda s: place(s) <= 2),
            "last_rate": share(of, lambda s: place(s) == of_players(s)),
            "bust_rate": share(of, lambda s: final(s) < 0),
            "average_result": mean(g.results[seat] for g, seat in of),
            "n_wins": len(won), "win_rate": len(won) / len(rounds),
            "n_deal_ins": len(dealt), "deal_in_rate": len(dealt) / len(rounds),
            "n_riichis": len(rode), "riichi_rate": len(rode) / len(rounds),
            "n_open": len(opened), "call_rate": len(opened) / len(rounds),
            "n_draws": len(drawn), "draw_rate": len(drawn) / len(rounds),
            "draw_tenpai_rate": share(drawn, lambda r: r.seat.end_shanten == 0),
            "tsumo_rate": share(won, lambda r: r.seat.win.tsumo),
            "dama_rate": share(won, lambda r: r.seat.win.winner_state == "closed"),
            "average_win": mean(r.points for r in won),
            "average_win_turn": mean(r.seat.win.turn for r in won),
            "average_deal_in": mean(r.cost for r in dealt),
            "win_efficiency": efficiency if won else None, "deal_in_loss": loss if dealt else None,
            "net_efficiency": efficiency - loss if won and dealt else None,
            "deal_in_riichi_rate": share(dealt, lambda r: r.seat.state == "riichi"),
            "deal_in_open_rate": share(dealt, lambda r: r.seat.state == "open"),
            "deal_in_tenpai_rate": share(dealt, lambda r: r.seat.dealt_shanten == 0),
            "average_riichi_turn": mean(r.seat.riichi.turn for r in rode),
            "riichi_win_rate": share(rode, lambda r: r.won),
            "riichi_deal_in_rate": share(rode, lambda r: r.dealt_in),
            "riichi_deal_in_rate_after_declaration": share(
                rode, lambda r: r.dealt_in and not r.ronned
            ),
            "riichi_draw_rate": share(rode, lambda r: r.drew),
            "riichi_balance": mean(r.balance for r in rode),
            "riichi_income": mean(r.balance for r in riichi_wins),
            "riichi_expense": mean(-r.balance for r in rode if r.dealt_in),
            "first_riichi_rate": first, "chasing_rate": None if first is None else 1 - first,
            "chased_rate": share(rode, lambda r: r.seat.riichi_later),
            "furiten_riichi_rate": share(rode, lambda r: r.seat.at_riichi.furiten),
            "multi_wait_rate": share(rode, lambda r: len(r.seat.at_riichi.kinds) >= 2),
            "good_wait_rate": share(rode, lambda r: r.seat.at_riichi.live >= 6),
            "ippatsu_rate": share(riichi_wins, lambda r: 2 in r.seat.win.yaku),
            "ura_rate": share(with_han, lambda r: 53 in r.seat.win.yaku),
            "open_win_rate": share(opened, lambda r: r.won),
            "open_deal_in_rate": share(opened, lambda r: r.dealt_in),
            "open_draw_rate": share(opened, lambda r: r.drew),
            "calls_per_open_round": mean(r.seat.calls for r in opened),
            "dealer_win_rate": share([r for r in rounds if r.dealer], lambda r: r.won),
            "dealer_hit_by_mangan_rate": share(hit, lambda r: r.hit_hard),
            "dealer_hit_by_mangan_points": mean(r.hit_by for r in hit if r.hit_hard),
            "average_haipai_shanten": mean(haipai_shanten(r) for r in rounds),
            "points_per_round": mean(r.balance for r in rounds),
        }  # fmt: skip


MEASURES = {
    "placement_pct": ("average_placement", -1), "win_pct": ("win_rate", 1),
    "deal_in_pct": ("deal_in_rate", -1), "riichi_pct": ("riichi_rate", 1),
    "call_pct": ("call_rate", 1), "average_win_pct": ("average_win", 1),
    "points_pct": ("points_per_round", 1),
}  # fmt: skip
"""The measure of each percentile, and 1 if more is better, -1 if less is better."""


@check("player_percentiles", "player", min_games=1)
def player_percentiles(games: list[Game]) -> Iterator[Row]:
    profile = list(profiles(games))
    for number in {row["players"] for row in profile}:
        every = [row for row in profile if row["players"] == number]
        for row in every if len(every) > 1 else ():
            told: Row = {
                "players": number, "player": row["player"], "n": row["n"],
                "n_games": row["n_games"], "n_players": len(every),
            }  # fmt: skip
            for name, (measure, sign) in MEASURES.items():
                if any(other[measure] is None for other in every):
                    continue  # a player never won
                below = sum(
                    sign * round(o[measure], 9) < sign * round(row[measure], 9) for o in every
                )
                told[name] = below / (len(every) - 1)
            yield told


@check("player_trend", "player", "month")
def player_trend(games: list[Game]) -> Iterator[Row]:
    for month, some in grouped(games, lambda g: g.month):
        if month is None:
            continue
        for number, name, of, rounds in by_player(some):
            row = ended(rounds) | {
                "players": number, "player": name, "month": month, "n_games": len(of),
                "average_placement": mean(map(place, of)),
                "last_rate": share(of, lambda s: place(s) == of_players(s)),
                "riichi_rate": share(rounds, lambda r: r.seat.riichi_order),
                "call_rate": share(rounds, lambda r: r.seat.calls),
            }  # fmt: skip
            row["points_per_round"] = row.pop("balance")
            yield row


@check("player_records", "player")
def player_records(games: list[Game]) -> Iterator[Row]:
    for number, name, of, rounds in by_player(games):
        won = [r for r in rounds if r.won]
        yakuman = sum(bool(r.seat.win.yakuman) for r in won)
        yield {
            "players": number, "player": name, "n_games": len(of), "n": len(rounds),
            "largest_win": max((r.points for r in won), default=None),
            "most_han": max((r.seat.win.han for r in won if r.seat.win.han), default=None),
            "yakuman": yakuman, "yakuman_rate": yakuman / len(rounds),
            "kazoe_yakuman": sum(r.seat.win.limit == "kazoe" for r in won),
            "nagashi": sum(r.seat.outcome == "nagashi" for r in rounds),
            "double_riichi": sum(r.seat.riichi_double for r in rounds),
            "longest_streak": max((r.round.honba for r in rounds if r.dealer), default=None),
            "largest_deal_in": max((r.cost for r in rounds), default=None),
            "most_points": max(r.seat.start + r.balance for r in rounds),
            "fewest_points": min(r.seat.start + r.balance for r in rounds),
        }  # fmt: skip


@check("opponents", "player", "opponent", min_games=1)
def opponents(games: list[Game]) -> Iterator[Row]:
    pairs = [
        (game, one, two)
        for game in games
        for one, two in permutations(range(game.players), 2)
        if not game.anonymous(one) and not game.anonymous(two)
        and game.names[one] != game.names[two]
    ]  # fmt: skip
    for number, own, theirs, of in grouped(
        pairs, lambda p: p[0].players, lambda p: p[0].names[p[1]], lambda p: p[0].names[p[2]]
    ):
        yield {
            "players": number, "player": own, "opponent": theirs, "n": len(of),
            "ahead_rate": share(of, lambda p: p[0].places[p[1]] < p[0].places[p[2]]),
            "average_placement": mean(g.places[one] for g, one, _ in of),
            "their_placement": mean(g.places[two] for g, _, two in of),
            "total_result": sum(g.results[one] for g, one, _ in of),
        }  # fmt: skip
