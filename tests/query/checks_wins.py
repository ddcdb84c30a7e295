"""Plain counts of the statistics of yaku and of wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from paifu.schema.yaku import YAKU
from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered,
    grouped,
    lived,
    mean,
    median,
    players,
    share,
    wilson,
)
from tests.query.slow_game import Game

KEYS = {yaku.tenhou: yaku.key for yaku in YAKU if yaku.tenhou is not None}
DORA, RED_FIVES = 52, 54
VALUE = {27: (10, 14), 28: (11, 15), 29: (12, 16), 30: (13, 17), 31: (18,), 32: (19,), 33: (20,)}
"""Yakuhai by kind of tile, as Tenhou numbers them."""


def wins(games: list[Game]) -> list[Lived]:
    return [seat for seat in lived(games) if seat.won]


def state(item: Lived) -> str:
    return item.seat.win.winner_state


@check("yaku_frequency", "yaku")
@check("yaku_frequency", "yaku", source="recorded")
@check("yaku_frequency", "yaku", source="computed", four=True)
def yaku_frequency(games: list[Game]) -> Iterator[Row]:
    for number, won in grouped(wins(games), players):
        for yaku in {yaku for w in won for yaku in w.seat.win.yaku}:
            row: Row = {"players": number, "yaku": KEYS[yaku], "n": len(won)}
            row["wins"] = sum(yaku in w.seat.win.yaku for w in won)
            row["low"], row["high"] = wilson(row["wins"], len(won))
            for name in ("riichi", "open", "closed"):
                of = [w for w in won if state(w) == name]
                row[f"n_{name}"] = len(of)
                row[f"{name}_rate"] = share(of, lambda w, yaku=yaku: yaku in w.seat.win.yaku)
            of = [w for w in won if w.dealer]
            row["n_dealer"] = len(of)
            row["dealer_rate"] = share(of, lambda w, yaku=yaku: yaku in w.seat.win.yaku)
            yield row


@check("yaku_by_turn", "from_turn", "yaku")
@check("yaku_by_turn", "from_turn", "yaku", source="computed", four=True)
def yaku_by_turn(games: list[Game]) -> Iterator[Row]:
    for number, span, won in grouped(wins(games), players, lambda w: (w.seat.win.turn - 1) // 6):
        for yaku, count in Counter(yaku for w in won for yaku in w.seat.win.yaku).items():
            yield {
                "players": number, "from_turn": 6 * span + 1, "to_turn": 6 * span + 6,
                "yaku": KEYS[yaku], "wins": count, "n": len(won), "rate": count / len(won),
            }  # fmt: skip


@check("yaku_pairs", "yaku", "other", min_wins=1)
@check("yaku_pairs", "yaku", "other", min_wins=1, source="computed", four=True)
def yaku_pairs(games: list[Game]) -> Iterator[Row]:
    for number, won in grouped(wins(games), players):
        sets = [
            {KEYS[yaku] for yaku in w.seat.win.yaku if yaku not in (DORA, 53, RED_FIVES)}
            for w in won
        ]
        single = Counter(yaku for found in sets for yaku in found)
        pairs = Counter(pair for found in sets for pair in combinations(sorted(found), 2))
        for (one, two), count in pairs.items():
            yield {
                "players": number, "yaku": one, "other": two, "wins": count, "n": len(won),
                "lift": (count / len(won)) / (single[one] * single[two] / len(won) ** 2),
            }  # fmt: skip


@check("yaku_by_ruleset", "yaku", four=True)
def yaku_by_ruleset(games: list[Game]) -> Iterator[Row]:
    """The lake was re-scored only under the record's rule set, so the counts are the record's."""
    for number, won in grouped(wins(games), players):
        for yaku, count in Counter(yaku for w in won for yaku in w.seat.win.yaku).items():
            yield {"players": number, "yaku": KEYS[yaku], "wins": count, "n": len(won)}


@check("atozuke")
def atozuke(games: list[Game]) -> Iterator[Row]:
    def by_tile(w: Lived) -> bool:
        real = {yaku for yaku in w.seat.win.yaku if yaku not in (DORA, 53, RED_FIVES)}
        return real <= set(VALUE.get(w.seat.win.tile // 4, ()))

    for number, won in grouped((w for w in wins(games) if state(w) == "open"), players):
        of = [w for w in won if by_tile(w)]
        yield {
            "players": number, "wins": len(of), "n": len(won),
            "average_points": mean(w.points for w in of),
            "average_points_of_others": mean(w.points for w in won if not by_tile(w)),
            "tsumo_rate": share(of, lambda w: w.seat.win.tsumo),
        }  # fmt: skip


@check("han_and_fu", "han", "fu", "yakuman")
@check("han_and_fu", "han", "fu", "yakuman", source="computed", four=True)
@check("han_and_fu", "han", "fu", "yakuman", won_by="ron")
def han_and_fu(games: list[Game], won_by: str = "both") -> Iterator[Row]:
    counted = [w for w in wins(games) if won_by == "both" or not w.seat.win.tsumo]
    for number, of_players in grouped(counted, players):
        for han, fu, yakuman, won in grouped(
            of_players,
            lambda w: w.seat.win.han,
            lambda w: None if w.seat.win.yakuman else w.seat.win.fu,
            lambda w: len(w.seat.win.yakuman),
        ):
            yield {
                "players": number, "han": han, "fu": fu, "yakuman": yakuman, "wins": len(won),
                "n": len(of_players), "average_points": mean(w.points for w in won),
            }  # fmt: skip


@check("limits", "state", "limit")
@check("limits", "state", "limit", source="computed", four=True)
def limits(games: list[Game]) -> Iterator[Row]:
    for number, name, of_state in grouped(wins(games), players, state):
        for limit, won in grouped(of_state, lambda w: w.seat.win.limit):
            yield {
                "players": number, "state": name, "limit": limit, "wins": len(won),
                "n": len(of_state), "average_points": mean(w.points for w in won),
            }  # fmt: skip


@check("dora_kinds", "kind", "han")
def dora_kinds(games: list[Game]) -> Iterator[Row]:
    kinds = {"dora": DORA, "aka": RED_FIVES, "ura": 53}
    for number, won in grouped((w for w in wins(games) if not w.seat.win.yakuman), players):
        for kind, yaku in kinds.items():
            can = [
                w
                for w in won
                if (kind != "ura" or state(w) == "riichi") and (kind != "aka" or w.game.red)
            ]
            for han, of in grouped(can, lambda w, yaku=yaku: w.seat.win.yaku.get(yaku, 0)):
                yield {
                    "players": number, "kind": kind, "han": han, "wins": len(of), "n": len(can),
                    "average_points": mean(w.points for w in of),
                }  # fmt: skip


@check("wins", "state")
@check("wins", "state", turn="table")
def wins_by_state(games: list[Game], turn: str = "own") -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for name in ("all", "riichi", "open", "closed"):
            won = [r for r in rounds if r.won and name in ("all", state(r))]
            low, high = clustered(rounds, lambda r, name=name: r.won and name in ("all", state(r)))
            yield {
                "players": number, "state": name, "wins": len(won), "n": len(rounds),
                "win_rate": len(won) / len(rounds), "low": low, "high": high,
                "tsumo_rate": share(won, lambda w: w.seat.win.tsumo),
                "average_turn": mean(
                    w.seat.win.turn if turn == "own" else w.seat.win.table_turn for w in won
                ),
                "average_points": mean(w.points for w in won),
                "median_points": median(w.points for w in won),
            }  # fmt: skip


@check("wins_from", "own_state", "won_from", "from_dealer")
def wins_from(games: list[Game]) -> Iterator[Row]:
    for number, all_wins in grouped(wins(games), players):
        for own, source, dealer, won in grouped(
            all_wins,
            state,
            lambda w: w.seat.win.loser_state or "tsumo",
            lambda w: w.seat.win.loser == w.round.dealer,
        ):
            yield {
                "players": number, "own_state": own, "won_from": source, "from_dealer": dealer,
                "wins": len(won), "n": len(all_wins), "average_points": mean(w.points for w in won),
            }  # fmt: skip


@check("win_points", "is_dealer", "state", "won_by")
def win_points(games: list[Game]) -> Iterator[Row]:
    for number, dealer, name, tsumo, won in grouped(
        wins(games), players, lambda w: w.dealer, state, lambda w: w.seat.win.tsumo
    ):
        yield {
            "players": number, "is_dealer": dealer, "state": name,
            "won_by": "tsumo" if tsumo else "ron", "n": len(won),
            "average_points": mean(w.points for w in won),
            "median_points": median(w.points for w in won),
            "rate_3900": share(won, lambda w: w.points >= 3900),
            "rate_7700": share(won, lambda w: w.points >= 7700),
            "rate_11600": share(won, lambda w: w.points >= 11600),
        }  # fmt: skip


@check("win_turns", "at_turn")
def win_turns(games: list[Game]) -> Iterator[Row]:
    for number, all_wins in grouped(wins(games), players):
        for turn, won in grouped(all_wins, lambda w: w.seat.win.turn):
            yield {
                "players": number, "at_turn": turn, "wins": len(won), "n": len(all_wins),
                "average_points": mean(w.points for w in won),
                "tsumo_rate": share(won, lambda w: w.seat.win.tsumo),
            }  # fmt: skip


@check("win_waits", "state", "wait_kind")
def win_waits(games: list[Game]) -> Iterator[Row]:
    for number, name, of_state in grouped(wins(games), players, state):
        for kind, won in grouped(of_state, lambda w: w.seat.win.wait):
            yield {
                "players": number, "state": name, "wait_kind": kind, "wins": len(won),
                "n": len(of_state), "tsumo_rate": share(won, lambda w: w.seat.win.tsumo),
                "average_live": mean(w.seat.win.live for w in won),
                "average_points": mean(w.points for w in won),
            }  # fmt: skip


@check("ippatsu_and_ura", "indicators")
def ippatsu_and_ura(games: list[Game]) -> Iterator[Row]:
    riichi = (w for w in wins(games) if state(w) == "riichi" and not w.seat.win.yakuman)
    for number, shown, won in grouped(riichi, players, lambda w: len(w.seat.win.indicators)):
        yield {
            "players": number, "indicators": shown, "n": len(won),
            "ippatsu_rate": share(won, lambda w: 2 in w.seat.win.yaku),
            "ura_rate": share(won, lambda w: 53 in w.seat.win.yaku),
            "average_ura": mean(w.seat.win.yaku.get(53, 0) for w in won),
            "average_points": mean(w.points for w in won),
        }  # fmt: skip
