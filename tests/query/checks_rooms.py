"""Plain counts of the statistics of rating, luck, rounds and games, and of data quality."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from tests.query.checks_games import by_player, of_players, place, player, seated
from tests.query.checks_hands import ABORTIVE, haipai_dora, haipai_shanten
from tests.query.registry import (
    Lived,
    Row,
    check,
    ended,
    grouped,
    half_width,
    lived,
    mean,
    median,
    players,
    share,
    wilson,
)
from tests.query.slow_game import Game, Round, Tenpai
from tests.query.slow_wall import in_wall, next_draw, ura_han, wall

# --- rating -------------------------------------------------------------------------------------

DANS = ("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段")
FIRST = {
    (4, "south"): {"ippan": 30, "joukyuu": 60, "tokujou": 75, "houou": 90},
    (4, "east"): {"ippan": 20, "joukyuu": 40, "tokujou": 50, "houou": 60},
    (3, "south"): {"ippan": 45, "joukyuu": 75, "tokujou": 105, "houou": 135},
    (3, "east"): {"ippan": 30, "joukyuu": 50, "tokujou": 70, "houou": 90},
}
SECOND = {
    "south": {"ippan": 15, "joukyuu": 15, "tokujou": 30, "houou": 45},
    "east": {"ippan": 10, "joukyuu": 10, "tokujou": 20, "houou": 30},
}


def dan_points_of(game: Game, seat: int) -> int:
    """Return the dan points of a game for a seat of first dan and more."""
    at, dan = game.places[seat], game.dans[seat] - 9
    if at == 1:
        return FIRST[game.players, game.length][game.room]
    if at == game.players:
        return -(15 if game.length == "south" else 10) * (dan + 2)
    return SECOND[game.length][game.room] if at == 2 and game.players == 4 else 0


@check("dan_points", "room", "length", "dan")
def dan_points(games: list[Game]) -> Iterator[Row]:
    ranked = [s for s in seated(games) if 10 <= s[0].dans[s[1]] <= 19]
    for number, room, length, dan, of in grouped(
        ranked, of_players, lambda s: s[0].room, lambda s: s[0].length, lambda s: s[0].dans[s[1]]
    ):
        points = [float(dan_points_of(game, seat)) for game, seat in of]
        yield {
            "players": number, "room": room, "length": length, "dan": DANS[dan - 10],
            "n": len(of), "average_dan_points": mean(points), "plus_minus": half_width(points),
        }  # fmt: skip


@check("stable_dan", "player", "room", min_games=1)
def stable_dan(games: list[Game]) -> Iterator[Row]:
    """The dan at which the mean of the dan points of a south game is zero."""
    for number, name, room, of in grouped(
        seated(games, named=True), of_players, player, lambda s: s[0].room
    ):
        prize = {1: FIRST[number, "south"][room] / 15}
        prize[2] = SECOND["south"][room] / 15 if number == 4 else 0.0
        rates = {
            at: share(of, lambda s, at=at: place(s) == at) or 0.0 for at in range(1, number + 1)
        }
        last = rates[number]
        won = sum(rates[at] * prize[at] for at in (1, 2))
        low = high = stable = None
        if last:
            # delta method: slopes of won / last in each rate, and the variance of a multinomial
            slopes = {at: prize.get(at, 0.0) / last for at in range(1, number)}
            slopes[number] = -won / last**2
            variance = sum(rates[at] * slopes[at] ** 2 for at in rates)
            variance -= sum(rates[at] * slopes[at] for at in rates) ** 2
            stable = won / last - 2
            half = 1.959964 * math.sqrt(max(0.0, variance) / len(of))
            low, high = stable - half, stable + half
        yield {
            "players": number, "player": name, "room": room, "n": len(of),
            "n_last": sum(place(s) == number for s in of), "stable_dan": stable, "low": low,
            "high": high,
        }  # fmt: skip


@check("rating", "player")
def rating(games: list[Game]) -> Iterator[Row]:
    """Of players of 400 games and more: a fifth of the whole change."""
    for number, name, of in grouped(seated(games, named=True), of_players, player):
        prizes = {4: (30, 10, -10, -30), 3: (30, 0, -30)}[number]
        changes = [
            0.2
            * (
                prizes[game.places[seat] - 1]
                + (sum(game.rates[:number]) / number - game.rates[seat]) / 40
            )
            for game, seat in of
        ]
        yield {
            "players": number, "player": name, "n": len(of), "average_change": mean(changes),
            "total_change": sum(changes), "plus_minus": half_width(changes),
        }  # fmt: skip


# --- rounds and games ---------------------------------------------------------------------------


def rounds(games: list[Game]) -> list[Round]:
    return [now for game in games for now in game.rounds]


@check("rounds_by_outcome", "outcome")
def rounds_by_outcome(games: list[Game]) -> Iterator[Row]:
    for number, of_game in grouped(rounds(games), lambda n: n.game.players):
        for outcome, of in grouped(of_game, lambda n: n.outcome):
            yield {
                "players": number, "outcome": outcome, "rounds": len(of), "n": len(of_game),
                "average_discards": mean(now.discards for now in of),
                "average_riichis": mean(sum(s.riichi_paid for s in now.seats) for now in of),
                "average_kans": mean(now.declared_kans for now in of),
            }  # fmt: skip


@check("rounds_by_wind", "round")
def rounds_by_wind(games: list[Game]) -> Iterator[Row]:
    for number, name, of in grouped(lived(games), players, lambda r: r.round.name):
        row = ended(of) | {
            "players": number, "round": name, "average_points": mean(r.points for r in of if r.won),
            "riichi_rate": share(of, lambda r: r.seat.riichi_order),
            "call_rate": share(of, lambda r: r.seat.calls),
            "average_discards": mean(r.round.discards for r in of),
            "most_honba": max(r.round.honba for r in of),
        }  # fmt: skip
        del row["balance"]
        yield row


@check("games", "length", "room")
def all_games(games: list[Game]) -> Iterator[Row]:
    for number, length, room, of in grouped(games, players, lambda g: g.length, lambda g: g.room):
        yield {
            "players": number, "length": length, "room": room, "n": len(of),
            "average_rounds": mean(len(game.rounds) for game in of),
            "most_rounds": max(len(game.rounds) for game in of),
            "bust_rate": share(of, lambda g: min(g.final) < 0),
            "disconnect_rate": share(of, lambda g: g.away),
        }  # fmt: skip


@check("rare_events", "event")
def rare_events(games: list[Game]) -> Iterator[Row]:
    for number, of in grouped(rounds(games), lambda n: n.game.players):
        seen: Counter[str] = Counter()
        for now in of:
            yaku = {number for win in now.wins for number in win.yaku}
            pao = [win for win in now.wins if win.pao is not None]
            north = [win for win in now.wins if win.kan_robbed and win.tile // 4 == 30]
            north = north if number == 3 else []
            happened = {
                "yakuman": any(win.yakuman for win in now.wins),
                "kazoe_yakuman": any(win.limit == "kazoe" for win in now.wins),
                "pao_tsumo": any(win.tsumo for win in pao),
                "pao_ron": any(not win.tsumo for win in pao),
                "chankan": any(win.kan_robbed for win in now.wins) and not north,
                "kita_ron": bool(north), "rinshan": 4 in yaku, "haitei": 5 in yaku,
                "houtei": 6 in yaku, "double_riichi_win": 21 in yaku,
                "double_ron": len(now.wins) == 2, "triple_ron": len(now.wins) == 3,
                "four_kans": now.declared_kans >= 4,
            }  # fmt: skip
            seen.update(name for name, happens in happened.items() if happens)
            seen[now.outcome] += now.outcome in (*ABORTIVE, "nagashi")
        for name, count in (+seen).items():
            yield {"players": number, "event": name, "rounds": count, "n": len(of)}


@check("records", "record")
def records(games: list[Game]) -> Iterator[Row]:
    for number, some in grouped(games, players):
        won = [win for now in rounds(some) for win in now.wins]
        finals = [points for game in some for points in game.final]
        found = {
            "win points": [win.points for win in won],
            "win han": [win.han for win in won if win.han is not None],
            "dora in a win": [
                sum(win.yaku.get(kind, 0) for kind in (52, 53, 54))
                for win in won
                if not win.yakuman
            ],
            "honba": [now.honba for now in rounds(some)],
            "riichi sticks at a start": [now.sticks for now in rounds(some)],
            "rounds of a game": [len(game.rounds) for game in some],
            "final points": finals,
        }  # fmt: skip
        for name, values in found.items():
            yield {"players": number, "record": name, "value": max(values), "n": len(values)}
        yield {
            "players": number, "record": "fewest final points", "value": min(finals),
            "n": len(finals),
        }  # fmt: skip


@check("data_quality", "kind", "detail", some=True, by_players=False)
def data_quality(games: list[Game]) -> Iterator[Row]:
    """All agree, where the rules of the games are known."""
    every = rounds(games)
    for subject, count in {
        "win": sum(len(now.wins) for now in every), "round": len(every),
        "draw": sum(not now.wins for now in every), "game": len(games),
        "wall": sum(wall(now) is not None for now in every),
    }.items():  # fmt: skip
        yield {"kind": f"verdict {subject}", "detail": "match", "found": count, "n": count}


# --- luck ---------------------------------------------------------------------------------------


@check("luck_haipai", "player")
def luck_haipai(games: list[Game]) -> Iterator[Row]:
    everybody = {
        number: mean(map(haipai_shanten, of)) for number, of in grouped(lived(games), players)
    }
    for number, name, _, of in by_player(games):
        values = [float(haipai_shanten(r)) for r in of]
        own = mean(values)
        assert own is not None
        yield {
            "players": number, "player": name, "n": len(of), "average_shanten": own,
            "average_of_all": everybody[number], "better": (everybody[number] or 0.0) - own,
            "plus_minus": half_width(values), "good_rate": share(values, lambda v: v <= 2),
            "average_dora": mean(map(haipai_dora, of)),
        }  # fmt: skip


def moment_of(r: Lived, moment: str) -> Tenpai | None:
    return r.seat.at_riichi if moment == "riichi" else r.seat.first_tenpai


@check("luck_waits", "live")
@check("luck_waits", "live", moment="tenpai")
def luck_waits(games: list[Game], moment: str = "riichi") -> Iterator[Row]:
    known = [
        (r, at) for r in lived(games) if wall(r.round) and (at := moment_of(r, moment)) is not None
    ]
    for number, live, of in grouped(known, lambda k: k[0].players, lambda k: k[1].live):
        left = [in_wall(r.round, at) for r, at in of]
        yield {
            "players": number, "live": live, "n": len(of), "n_live": live * len(of),
            "average_in_wall": mean(left), "none_left_rate": share(left, lambda n: n == 0),
            "median_next_draw": median(
                n for r, at in of if (n := next_draw(r.round, at, 1)) is not None
            ),
            "median_own_draw": median(
                n for r, at in of if (n := next_draw(r.round, at, number)) is not None
            ),
            "win_rate": share(of, lambda k: k[0].won),
            "win_rate_if_any_left": share(
                [r for (r, _), n in zip(of, left, strict=True) if n], lambda r: r.won
            ),
        }  # fmt: skip


@check("luck_ura", "state", "indicators")
def luck_ura(games: list[Game]) -> Iterator[Row]:
    won = [r for r in lived(games) if r.won and wall(r.round)]
    for number, name, shown, of in grouped(
        won, players, lambda r: r.seat.win.winner_state, lambda r: len(r.seat.win.indicators)
    ):
        han = [ura_han(r.round, r.seat) for r in of]
        yield {
            "players": number, "state": name, "indicators": shown, "n": len(of),
            "ura_rate": share(han, lambda n: n > 0), "average_ura": mean(han), "most_ura": max(han),
        }  # fmt: skip


@check("player_luck", "player")
def player_luck(games: list[Game]) -> Iterator[Row]:
    rode = [r for r in lived(games) if r.seat.at_riichi and wall(r.round)]

    def alike(r: Lived) -> tuple[int, int, int]:
        return r.players, min(r.seat.at_riichi.live, 12), r.seat.at_riichi.left // 12

    deserved = {key: share(of, lambda r: r.won) for key, of in grouped(rode, alike)}
    fair = {
        key: mean(in_wall(r.round, r.seat.at_riichi) for r in of)
        for key, of in grouped(rode, alike)
    }
    for number, name, of in grouped(
        (r for r in rode if not r.game.anonymous(r.seat.number)), players, lambda r: r.player
    ):
        low, high = wilson(sum(r.won for r in of), len(of))
        yield {
            "players": number, "player": name, "n": len(of), "low": max(0.0, low), "high": high,
            "win_rate": share(of, lambda r: r.won),
            "deserved_rate": mean(deserved[alike(r)] for r in of),
            "wins_above_deserved": sum(r.won - (deserved[alike(r)] or 0.0) for r in of),
            "average_live": mean(r.seat.at_riichi.live for r in of),
            "average_in_wall": mean(in_wall(r.round, r.seat.at_riichi) for r in of),
            "fair_in_wall": mean(fair[alike(r)] for r in of), "n_wins": sum(r.won for r in of),
            "average_ura": mean(ura_han(r.round, r.seat) for r in of if r.won),
        }  # fmt: skip
