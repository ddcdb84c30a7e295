"""Plain counts of the statistics of rating, luck, rounds and games, and of data quality."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.query.checks_games import Seated, by_player, of_players, place, player, seated
from tests.query.checks_hands import ABORTIVE, haipai_dora, haipai_shanten
from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered_half_width,
    ended,
    grouped,
    half_width,
    inside,
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
RANKS = ("新人", *(f"{kyu}級" for kyu in range(9, 0, -1)), *DANS, "天鳳位")
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


def old_ippan(game: Game) -> bool:
    """Return whether a game of four in the lowest room was before 2017-10-24."""
    return game.players == 4 and game.room == "ippan" and game.log[:8] < "20171024"


def dan_points_of(game: Game, seat: int) -> int:
    """Return the dan points of a game for a seat of first dan or higher."""
    at, dan = game.places[seat], game.dans[seat] - 9
    if old_ippan(game) and at < game.players:
        return {"south": 45, "east": 30}[game.length] if at == 1 else 0
    if at == 1:
        return FIRST[game.players, game.length][game.room]
    if at == game.players:
        return -(15 if game.length == "south" else 10) * (dan + 2)
    return SECOND[game.length][game.room] if at == 2 and game.players == 4 else 0


@check("dan_points", "room", "length", "dan")
def dan_points(games: list[Game]) -> Iterator[Row]:
    ranked = [s for s in seated(games) if 10 <= s[0].dans[s[1]] <= 19 and not s[0].lobby]
    for number, room, length, dan, of in grouped(
        ranked, of_players, lambda s: s[0].room, lambda s: s[0].length, lambda s: s[0].dans[s[1]]
    ):
        points = [float(dan_points_of(game, seat)) for game, seat in of]
        half = clustered_half_width(of, lambda s: dan_points_of(*s), lambda s: s[0].part)
        yield {
            "players": number, "room": room, "length": length, "dan": DANS[dan - 10],
            "n": len(of), "average_dan_points": mean(points), "plus_minus": half,
        }  # fmt: skip


@check("stable_dan", "player", "room", min_games=1)
def stable_dan(games: list[Game]) -> Iterator[Row]:
    """The dan at which the mean dan points of a south game are zero."""

    def prize(one: Seated) -> float:
        game, at = one[0], place(one)
        if old_ippan(game):
            return 45 / 15 if at == 1 else 0.0
        first, second = FIRST[game.players, "south"][game.room], SECOND["south"][game.room]
        return {1: first / 15, 2: second / 15 if game.players == 4 else 0.0}.get(at, 0.0)

    ranked = [s for s in seated(games, named=True) if not s[0].lobby]
    for number, name, room, of in grouped(ranked, of_players, player, lambda s: s[0].room):
        # each game's prize, and whether it was a last place
        kinds = Counter((prize(s) if place(s) < number else 0.0, place(s) == number) for s in of)
        rates = {kind: count / len(of) for kind, count in kinds.items()}
        last = sum(rate for (_, lost), rate in rates.items() if lost)
        won = sum(rate * value for (value, _), rate in rates.items())
        low = high = stable = None
        if last:
            # delta method: slopes of won / last in each rate, and the variance of a multinomial
            slopes = {
                (value, lost): -won / last**2 if lost else value / last for value, lost in rates
            }
            variance = sum(rates[kind] * slopes[kind] ** 2 for kind in rates)
            variance -= sum(rates[kind] * slopes[kind] for kind in rates) ** 2
            stable = won / last - 2
            half = 1.959964 * math.sqrt(max(0.0, variance) / len(of))
            low, high = stable - half, stable + half
        yield {
            "players": number, "player": name, "room": room, "n": len(of),
            "n_last": sum(place(s) == number for s in of), "stable_dan": stable, "low": low,
            "high": high,
        }  # fmt: skip


@check("stable_level", "player", "room", "length", min_games=1)
def stable_level(games: list[Game]) -> Iterator[Row]:
    """These games are Tenhou's: tests/query/test_majsoul_ranks.py has Mahjong Soul's."""
    return iter(())


def changes_of_r(of: list[Seated]) -> list[float]:
    """Return what games add to the R of a player with 400 or more games: a fifth of a step."""
    prizes = {4: (30, 10, -10, -30), 3: (30, 0, -30)}
    return [
        0.2
        * (
            prizes[game.players][game.places[seat] - 1]
            + (sum(game.rates[: game.players]) / game.players - game.rates[seat]) / 40
        )
        for game, seat in of
    ]


def ranked_games(games: list[Game]) -> Iterator[tuple[int, str, list[Seated]]]:
    """Yield each player's games of the ranked rooms, in the order of their hours."""
    ranked = [s for s in seated(games, named=True) if not s[0].lobby]
    for number, name, of in grouped(ranked, of_players, player):
        yield number, name, sorted(of, key=hour)


def hour(one: Seated) -> str:
    """Return the hour of a game if the name of its log gives it; other games are last."""
    return one[0].log[:10] if one[0].month else "unknown"


@check("rating", "player", games_before=400)
def rating(games: list[Game]) -> Iterator[Row]:
    """First and last R if one game was played in that hour, so that the order is known."""
    for number, name, of in ranked_games(games):
        changes = changes_of_r(of)
        hours = [hour(s) for s in of]
        row: Row = {
            "players": number, "player": name, "n": len(of), "average_change": mean(changes),
            "total_change": sum(changes), "plus_minus": half_width(changes),
        }  # fmt: skip
        if hours.count(hours[0]) == 1:
            row["first_r"] = of[0][0].rates[of[0][1]]
        if hours.count(hours[-1]) == 1:
            row["last_r"] = of[-1][0].rates[of[-1][1]]
            row["r_after"] = row["last_r"] + changes[-1]
        yield row


@check("rating_history", "player", "log", rows=100_000)
def rating_history(games: list[Game]) -> Iterator[Row]:
    for number, name, of in ranked_games(games):
        for game, seat in of:
            yield {
                "players": number, "player": name, "n": len(of),
                "log": game.listed, "room": game.room, "r": game.rates[seat],
                "dan": RANKS[game.dans[seat]],
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
    """All verdicts agree if the rules of the games are known."""
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


def sd(values: list[float]) -> float:
    """Return the standard deviation of a whole population."""
    middle = sum(values) / len(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / len(values))


@check("player_luck", "player", alike=3)
@check("player_luck", "player")
def player_luck(games: list[Game], alike: int = 30) -> Iterator[Row]:
    rode = [r for r in lived(games) if r.seat.at_riichi and wall(r.round)]

    def kinds(r: Lived) -> list[tuple[Any, ...]]:
        """Return the keys by which riichis are compared: exactly, in any room, roughly."""
        at = r.seat.at_riichi
        live, draws = min(at.live, 8), at.left // 12
        kind = (r.players, r.seat.riichi_order == 1, at.kind)
        return [
            (*kind, live, draws, r.game.room),
            (*kind, live, draws),
            (*kind, live // 3, draws // 2),
        ]

    def others(r: Lived) -> tuple[int, list[Lived]] | None:
        """Return the first level with enough riichis of other players, and these riichis."""
        for level, key in enumerate(kinds(r)):
            found = [o for o in rode if o.player != r.player and kinds(o)[level] == key]
            if len(found) >= alike:
                return level, found
        return None

    for number, name, of in grouped(
        (r for r in rode if not r.game.anonymous(r.seat.number)), players, lambda r: r.player
    ):
        low, high = inside(wilson(sum(r.won for r in of), len(of)))
        # riichis of one player with the same exact key are compared with the same riichis
        compared = []
        for _, same in grouped(of, lambda r: kinds(r)[0]):
            if found := others(same[0]):
                compared.append((same, found[1]))
        n = sum(len(same) for same, _ in compared)
        row: Row = {
            "players": number, "player": name, "n": len(of), "low": low, "high": high,
            "win_rate": share(of, lambda r: r.won), "n_compared": n,
            "average_live": mean(r.seat.at_riichi.live for r in of),
            "average_in_wall": mean(in_wall(r.round, r.seat.at_riichi) for r in of),
            "n_wins": sum(r.won for r in of),
            "average_ura": mean(ura_han(r.round, r.seat) for r in of if r.won),
        }  # fmt: skip
        for values, above, spread_of, fair in (
            (lambda r: float(r.won), "wins_above_deserved", "wins_sd", "deserved_rate"),
            (
                lambda r: float(in_wall(r.round, r.seat.at_riichi)),
                "tiles_above_fair", "tiles_sd", "fair_in_wall",
            ),
        ):  # fmt: skip
            means = [(same, theirs, mean(map(values, theirs)) or 0.0) for same, theirs in compared]
            variance = sum(
                len(same) * sd([values(o) for o in theirs]) ** 2 * (1 + len(same) / len(theirs))
                for same, theirs, _ in means
            )
            row |= {
                fair: sum(len(same) * rate for same, _, rate in means) / n if n else None,
                above: (
                    sum(values(r) - rate for same, _, rate in means for r in same) if n else None
                ),
                spread_of: math.sqrt(variance) if n else None,
            }
        yield row
