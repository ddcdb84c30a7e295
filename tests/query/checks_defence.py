"""Plain counts of the statistics of deal-ins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered,
    grouped,
    inside,
    lived,
    mean,
    players,
    share,
    wilson,
)
from tests.query.slow_game import Discard, Game, Risk, Round, Win

Seen = tuple[int, Lived, Discard, Risk]


def dealt_in(games: list[Game]) -> list[Lived]:
    return [r for r in lived(games) if r.dealt_in]


@check("deal_in", "state")
def deal_in(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for name in ("all", "riichi", "open", "closed"):
            of = [r for r in rounds if name in ("all", r.seat.state)]
            dealt = [r for r in of if r.dealt_in]
            yield {
                "players": number, "state": name, "n": len(of), "deal_in_rounds": len(dealt),
                "deal_ins": sum(len(r.seat.dealt) for r in dealt),
                "deal_in_rate": len(dealt) / len(of),
                "deal_in_low": clustered(of, lambda r: r.dealt_in)[0],
                "deal_in_high": clustered(of, lambda r: r.dealt_in)[1],
                "average_cost": mean(r.cost for r in dealt),
                "average_turn": mean(r.seat.dealt_turn for r in dealt),
            }  # fmt: skip


@check("deal_in_to", "own_state", "winner_state", "to_dealer")
def deal_in_to(games: list[Game]) -> Iterator[Row]:
    rons = [(r, win) for r in dealt_in(games) for win in r.seat.dealt]
    for number, of_players in grouped(rons, lambda d: d[0].players):
        for own, theirs, dealer, of in grouped(
            of_players,
            lambda d: d[1].loser_state,
            lambda d: d[1].winner_state,
            lambda d: d[1].winner == d[0].round.dealer,
        ):
            yield {
                "players": number, "own_state": own, "winner_state": theirs, "to_dealer": dealer,
                "deal_ins": len(of), "n": len(of_players),
                "average_points": mean(win.points for _, win in of),
            }  # fmt: skip


@check("deal_in_waits", "winner_state", "wait_kind")
def deal_in_waits(games: list[Game]) -> Iterator[Row]:
    rons = [(r, win) for r in dealt_in(games) for win in r.seat.dealt]
    for number, theirs, of_state in grouped(
        rons, lambda d: d[0].players, lambda d: d[1].winner_state
    ):
        for kind, of in grouped(of_state, lambda d: d[1].wait):
            yield {
                "players": number, "winner_state": theirs, "wait_kind": kind, "deal_ins": len(of),
                "n": len(of_state), "average_live": mean(win.live for _, win in of),
                "average_paid": mean(-win.paid[r.seat.number] for r, win in of),
            }  # fmt: skip


@check("deal_in_by_turn", "turn")
def deal_in_by_turn(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for turn in range(1, 1 + max(len(r.seat.discards) for r in rounds)):
            dealt = [
                r
                for r in rounds
                if r.dealt_in and r.seat.dealt_turn == turn <= len(r.seat.discards)
            ]
            yield {
                "players": number, "turn": turn, "deal_in_rounds": len(dealt),
                "n": sum(len(r.seat.discards) >= turn for r in rounds),
                "average_cost": mean(r.cost for r in dealt),
            }  # fmt: skip


@check("deal_in_by_shanten", "shanten", "state")
def deal_in_by_shanten(games: list[Game]) -> Iterator[Row]:
    for number, dealt in grouped(dealt_in(games), players):
        rounds = sum(r.players == number for r in lived(games))
        for distance, name, of in grouped(
            dealt, lambda r: r.seat.dealt_shanten, lambda r: r.seat.state
        ):
            yield {
                "players": number, "shanten": distance, "state": name, "deal_in_rounds": len(of),
                "n": len(dealt), "n_rounds": rounds, "average_cost": mean(r.cost for r in of),
            }  # fmt: skip


@check("largest_deal_ins", "player", "round", "turn", "cost", rows=100_000)
def largest_deal_ins(games: list[Game]) -> Iterator[Row]:
    for r in dealt_in(games):
        yield {
            "players": r.players, "player": r.player,
            "round": f"{r.round.name}.{r.round.honba}", "turn": r.seat.dealt_turn,
            "cost": r.cost, "n_winners": len(r.seat.dealt), "own_state": r.seat.dealt_state,
        }  # fmt: skip


# --- discards against threatening opponents -----------------------------------------------------


def risks(games: list[Game], threat: str = "riichi") -> list[Seen]:
    return [
        (r.players, r, made, risk)
        for r in lived(games)
        for made in r.seat.discards
        for risk in made.risks
        if risk.threat == threat
    ]


def danger(of: list[Seen]) -> Row:
    """Return how many of these discards were ronned."""
    hits = sum(risk.hit for *_, risk in of)
    low, high = wilson(hits, len(of))
    return {
        "n": len(of),
        "deal_ins": hits,
        "rate": hits / len(of),
        "low": max(0.0, low),
        "high": high,
    }


def by(*keys: Callable[[Seen], Any]) -> tuple[Callable[[Seen], Any], ...]:
    """Return keys of a discard: the players, the class, and others."""
    return (lambda d: d[0], lambda d: d[3].tile_class, *keys)


@check("deal_in_by_tile_class", "class", "live")
@check("deal_in_by_tile_class", "class", "live", threat="open")
def deal_in_by_tile_class(games: list[Game], threat: str = "riichi") -> Iterator[Row]:
    def copies(d: Seen) -> int | None:
        return d[3].live if d[3].tile_class == "honour" else None

    for number, name, live, of in grouped(risks(games, threat), *by(copies)):
        yield {"players": number, "class": name, "live": live} | danger(of)


@check("deal_in_by_dora", "class", "near_dora")
@check("deal_in_by_dora", "class", "near_dora", threat="open")
def deal_in_by_dora(games: list[Game], threat: str = "riichi") -> Iterator[Row]:
    for number, name, near, of in grouped(risks(games, threat), *by(lambda d: d[3].near_dora)):
        yield {"players": number, "class": name, "near_dora": near} | danger(of)


@check("deal_in_by_outside", "class", "outside")
@check("deal_in_by_outside", "class", "outside", threat="open")
def deal_in_by_outside(games: list[Game], threat: str = "riichi") -> Iterator[Row]:
    for number, name, outside, of in grouped(risks(games, threat), *by(lambda d: d[3].outside)):
        if name not in ("genbutsu", "honour"):
            yield {"players": number, "class": name, "outside": outside} | danger(of)


@check("danger_by_turn", "class", "threat_turn")
def danger_by_turn(games: list[Game]) -> Iterator[Row]:
    for number, name, turn, of in grouped(risks(games), *by(lambda d: d[3].threat_turn)):
        yield {"players": number, "class": name, "threat_turn": turn} | danger(of)


@check("danger_by_suji", "tile_suji", "suji_left")
@check("danger_by_suji", "tile_suji", "suji_left", threat="open")
def danger_by_suji(games: list[Game], threat: str = "riichi") -> Iterator[Row]:
    numbers = [d for d in risks(games, threat) if d[3].tile_class not in ("genbutsu", "honour")]
    for number, tile, left, of in grouped(
        numbers, lambda d: d[0], lambda d: d[3].tile_suji, lambda d: d[3].suji_left
    ):
        yield danger(of) | {
            "players": number, "tile_suji": tile, "suji_left": left,
            "average_turn": mean(made.turn for _, _, made, _ in of),
        }  # fmt: skip


@check("deal_in_by_wall", "class", "copies_left")
@check("deal_in_by_wall", "class", "copies_left", threat="open")
def deal_in_by_wall(games: list[Game], threat: str = "riichi") -> Iterator[Row]:
    feared = [d for d in risks(games, threat) if d[3].chance is not None]
    for number, name, left, of in grouped(feared, *by(lambda d: d[3].chance)):
        assert (name == "no_chance") == (left == 0)
        yield danger(of) | {"players": number, "class": name, "copies_left": left}


@check("deal_in_cost", "class", "from_turn", "against_dealer", "ippatsu")
@check("deal_in_cost", "class", "from_turn", "against_dealer", "ippatsu", threat="open", span=3)
def deal_in_cost(games: list[Game], threat: str = "riichi", span: int = 6) -> Iterator[Row]:
    for number, name, first, dealer, ippatsu, of in grouped(
        risks(games, threat),
        *by(
            lambda d: (d[2].turn - 1) // span * span + 1,
            lambda d: d[3].of_dealer,
            lambda d: d[3].ippatsu,
        ),
    ):
        paid = [
            win.points + 100 * (r.players - 1) * win.honba * (win is nearest(r.round))
            for _, r, _, risk in of
            if risk.hit
            for win in r.seat.dealt
            if win.winner == risk.against
        ]
        yield danger(of) | {
            "players": number, "class": name, "from_turn": first, "to_turn": first + span - 1,
            "against_dealer": dealer, "ippatsu": ippatsu, "n_paid": len(paid),
            "average_paid": mean(paid), "average_lost": sum(paid) / len(of),
        }  # fmt: skip


def nearest(now: Round) -> Win:
    """Return the win of a round whose winner is nearest to the discarder and gets the honba."""
    return min(now.wins, key=lambda win: (win.winner - (win.loser or 0)) % len(now.seats))


@check("deal_in_by_threat", "shown")
def deal_in_by_threat(games: list[Game]) -> Iterator[Row]:
    def shown(dealt: tuple[Lived, Win]) -> str:
        winner = dealt[0].round.seats[dealt[1].winner]
        if winner.riichi_order:
            return "riichi"
        return ("nothing", "one call", "two calls and more")[min(2, winner.open_melds)]

    rons = [(r, win) for r in dealt_in(games) for win in r.seat.dealt]
    for number, of_players in grouped(rons, lambda d: d[0].players):
        for name, of in grouped(of_players, shown):
            low, high = inside(wilson(len(of), len(of_players)))
            yield {
                "players": number, "shown": name, "deal_ins": len(of), "n": len(of_players),
                "low": low, "high": high,
                "average_turn": mean(r.seat.dealt_turn for r, _ in of),
                "average_points": mean(win.points for _, win in of),
                "mangan_rate": share(of, lambda d: d[1].limit != "none"),
            }  # fmt: skip


@check("facing_riichi", "answer")
def facing_riichi(games: list[Game]) -> Iterator[Row]:
    def against_riichi(r: Lived) -> list[bool]:
        """Return for each discard against riichi whether it was genbutsu to all in riichi."""
        classes = [
            [risk.tile_class for risk in made.risks if risk.threat == "riichi"]
            for made in r.seat.discards
        ]
        return [set(found) == {"genbutsu"} for found in classes if found]

    def answer(r: Lived) -> str:
        if r.seat.riichi_order:
            return "riichi"
        safe = against_riichi(r)
        return "folded" if all(safe) else "mixed" if any(safe) else "pushed"

    faced = [r for r in lived(games) if against_riichi(r)]
    for number, of_players in grouped(faced, players):
        for name, of in grouped(of_players, answer):
            dealt = [r for r in of if r.dealt_in]
            yield {
                "players": number, "answer": name, "n": len(of),
                "share": len(of) / len(of_players), "win_rate": share(of, lambda r: r.won),
                "deal_in_rate": len(dealt) / len(of), "average_cost": mean(r.cost for r in dealt),
                "paid_tsumo_rate": share(of, lambda r: r.hit_by),
                "noten_draw_rate": share(of, lambda r: r.seat.outcome == "draw_noten"),
                "balance": mean(r.balance for r in of),
            }  # fmt: skip
