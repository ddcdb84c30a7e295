"""Plain counts of the statistics of riichi, calls, draws, dealing and the deal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tests.query.registry import (
    Lived,
    Row,
    check,
    clustered,
    ended,
    grouped,
    in_parts,
    inside,
    lived,
    mean,
    players,
    share,
    spread,
    wilson,
)
from tests.query.slow_game import RED, Discard, Game
from tests.query.slow_hands import ORPHANS, counted, dora_of, shanten


def average(items: list[Lived]) -> float | None:
    """Return the mean points of the wins among these."""
    return mean(r.points for r in items if r.won)


# --- riichi -------------------------------------------------------------------------------------


def declared(games: list[Game]) -> list[Lived]:
    return [r for r in lived(games) if r.seat.riichi_order]


def accepted(games: list[Game]) -> list[Lived]:
    return [r for r in declared(games) if r.seat.riichi_paid]


def half_width_of(of: list[Lived], rounds: list[Lived]) -> float | None:
    """Return the half width for the mean balance of these rounds, which may miss in some parts."""
    totals = in_parts(of, lambda r: r.game.part, lambda r: r.balance)
    parts = {r.game.part: totals.get(r.game.part, (0.0, 0.0)) for r in rounds}
    return 1.959963984540054 * math.sqrt(spread(parts)) if len(parts) > 1 else None


@check("riichi", "riichi")
@check("riichi", "riichi", ronned="false")
def riichi(games: list[Game], ronned: str = "true") -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        every = [r for r in rounds if r.seat.riichi_order and (ronned == "true" or not r.ronned)]
        for name in ("all", "first", "chasing"):
            of = [
                r
                for r in every
                if name in ("all", "first" if r.seat.riichi_order == 1 else "chasing")
            ]
            chosen = set(map(id, of))
            low, high = clustered(rounds, lambda r, chosen=chosen: id(r) in chosen)
            won, dealt = [r for r in of if r.won], [r for r in of if r.dealt_in]
            yield ended(of) | {
                "players": number, "riichi": name, "n_rounds": len(rounds),
                "riichi_rate": len(of) / len(rounds), "low": low, "high": high,
                "chased_rate": share(of, lambda r: r.seat.riichi_later),
                "average_turn": mean(r.seat.riichi.turn for r in of),
                "deal_in_rate_after_declaration": share(of, lambda r: r.dealt_in and not r.ronned),
                "draw_rate": share(of, lambda r: r.drew),
                "furiten_rate": share(of, lambda r: r.seat.at_riichi.furiten),
                "balance_plus_minus": half_width_of(of, rounds),
                "n_won": len(won), "income": mean(r.balance for r in won),
                "n_dealt_in": len(dealt), "expense": mean(-r.balance for r in dealt),
            }  # fmt: skip


@check("riichi_by_live", "live")
def riichi_by_live(games: list[Game]) -> Iterator[Row]:
    for number, live, of in grouped(accepted(games), players, lambda r: r.seat.at_riichi.live):
        row = ended(of) | {"players": number, "live": live, "average_points": average(of)}
        del row["deal_in_rate"]
        yield row


@check("riichi_by_turn", "turn", "wait", "riichi")
@check("riichi_by_turn", "turn", "wait", "riichi", wait="kind")
def riichi_by_turn(games: list[Game], wait: str = "quality") -> Iterator[Row]:
    def of_wait(r: Lived) -> str | None:
        if wait == "kind":
            return r.seat.at_riichi.kind
        return "good" if r.seat.at_riichi.live >= 6 else "bad"

    for number, turn, name, first, of in grouped(
        accepted(games), players, lambda r: r.seat.riichi.turn, of_wait,
        lambda r: r.seat.riichi_order == 1,
    ):  # fmt: skip
        yield ended(of) | {
            "players": number, "turn": turn, "wait": name,
            "riichi": "first" if first else "chasing", "average_points": average(of),
        }  # fmt: skip


@check("riichi_by_wait", "wait_kind")
@check("riichi_by_wait", "wait_kind", double="true")
def riichi_by_wait(games: list[Game], double: str = "false") -> Iterator[Row]:
    every = [r for r in accepted(games) if double == "false" or r.seat.riichi_double]
    for number, of_players in grouped(every, players):
        for kind, of in grouped(of_players, lambda r: r.seat.at_riichi.kind):
            won = [r for r in of if r.won]
            yield ended(of) | {
                "players": number, "wait_kind": kind, "share": len(of) / len(of_players),
                "average_live": mean(r.seat.at_riichi.live for r in of),
                "multi_wait_rate": share(of, lambda r: len(r.seat.at_riichi.kinds) >= 2),
                "good_rate": share(of, lambda r: r.seat.at_riichi.live >= 6),
                "tsumo_share": share(won, lambda r: r.seat.win.tsumo),
                "ippatsu_rate": share(won, lambda r: 2 in r.seat.win.yaku),
                "average_points": average(of),
            }  # fmt: skip


def tile_name(tile: int, red: bool) -> str:
    """Return the class of a declaration tile."""
    if tile // 4 >= 27:
        return "honour"
    if red and tile in RED:
        return "red 5"
    number = tile // 4 % 9 + 1
    return {1: "1 9", 9: "1 9", 2: "2 8", 8: "2 8", 3: "3 7", 7: "3 7"}.get(number, "4 5 6")


@check("riichi_by_tile", "wait_kind", "tiles", "outs")
@check("riichi_by_tile", "wait_kind", "tiles", "outs", outs="false")
def riichi_by_tile(games: list[Game], outs: str = "true") -> Iterator[Row]:
    def tiles(r: Lived) -> str:
        kinds = sorted(r.seat.at_riichi.kinds, key=lambda kind: (kind >= 27, kind % 9))
        return "".join("z" if kind >= 27 else str(kind % 9 + 1) for kind in kinds)

    for number, of_players in grouped(accepted(games), players):
        for kind, name, live, of in grouped(
            of_players,
            lambda r: r.seat.at_riichi.kind,
            tiles,
            lambda r: r.seat.at_riichi.live if outs == "true" else None,
        ):
            row = ended(of) | {
                "players": number, "wait_kind": kind, "tiles": name, "outs": live,
                "share": len(of) / len(of_players), "average_points": average(of),
                "average_outs": mean(r.seat.at_riichi.live for r in of),
                "tsumo_share": share([r for r in of if r.won], lambda r: r.seat.win.tsumo),
            }  # fmt: skip
            del row["deal_in_rate"]
            yield row


@check("riichi_tiles", "class")
def riichi_tiles(games: list[Game]) -> Iterator[Row]:
    for number, name, of in grouped(
        declared(games), players, lambda r: tile_name(r.seat.riichi.tile, r.game.red)
    ):
        row = ended(of) | {
            "players": number, "class": name, "ronned_rate": share(of, lambda r: r.ronned),
            "average_turn": mean(r.seat.riichi.turn for r in of),
            "good_rate": share(of, lambda r: r.seat.at_riichi.live >= 6),
            "average_points": average(of),
        }  # fmt: skip
        del row["deal_in_rate"]
        yield row


@check("dama_or_riichi", "wait", "choice")
def dama_or_riichi(games: list[Game]) -> Iterator[Row]:
    closed = [r for r in lived(games) if r.seat.first_tenpai and not r.seat.open_melds]
    for number, good, rode, of in grouped(
        closed, players, lambda r: r.seat.first_tenpai.live >= 6, lambda r: r.seat.riichi_order > 0
    ):
        yield ended(of) | {
            "players": number, "wait": "good" if good else "bad",
            "choice": "riichi" if rode else "dama",
            "average_tenpai_turn": mean(r.seat.first_tenpai.turn for r in of),
            "tsumo_share": share([r for r in of if r.won], lambda r: r.seat.win.tsumo),
            "average_points": average(of),
        }  # fmt: skip


# --- calls --------------------------------------------------------------------------------------


@check("calls", "calls")
def calls(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for count, of in grouped(rounds, lambda r: r.seat.calls):
            low, high = clustered(of, lambda r: r.won)
            yield ended(of) | {
                "players": number, "calls": count, "share": len(of) / len(rounds),
                "low": low, "high": high,
                "call_rate": share(rounds, lambda r: r.seat.calls),
                "draw_rate": share(of, lambda r: r.drew), "average_points": average(of),
            }  # fmt: skip


@check("open_rounds", "seat")
def open_rounds(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for name in ("all", "dealer", "other"):
            every = [r for r in rounds if name in ("all", "dealer" if r.dealer else "other")]
            of = [r for r in every if r.seat.calls]
            row = ended(of) | {
                "players": number, "seat": name, "n_rounds": len(every),
                "call_rate": len(of) / len(every), "draw_rate": share(of, lambda r: r.drew),
                "call_low": clustered(every, lambda r: r.seat.calls)[0],
                "call_high": clustered(every, lambda r: r.seat.calls)[1],
                "calls_per_open_round": mean(r.seat.calls for r in of),
                "average_points": average(of),
            }  # fmt: skip
            row["income"] = row.pop("balance")
            yield row


@check("first_call", "turn")
def first_call(games: list[Game]) -> Iterator[Row]:
    called = [r for r in lived(games) if r.seat.first_call]
    for number, turn, of in grouped(called, players, lambda r: r.seat.first_call):
        yield ended(of) | {"players": number, "turn": turn, "average_points": average(of)}


@check("kans", "kan")
def kans(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for kind in ("ankan", "daiminkan", "kakan"):
            of = [r for r in rounds if r.seat.made(kind)]
            yield ended(of) | {
                "players": number, "kan": kind, "n_rounds": len(rounds),
                "rate": len(of) / len(rounds),
            }  # fmt: skip


def discards(games: list[Game]) -> list[tuple[int, Lived, Discard]]:
    return [(r.players, r, made) for r in lived(games) for made in r.seat.discards]


@check("open_tenpai", "melds", "turn")
def open_tenpai(games: list[Game]) -> Iterator[Row]:
    opened = [(number, made) for number, _, made in discards(games) if made.open_melds]
    for number, melds, turn, of in grouped(
        opened, lambda d: d[0], lambda d: d[1].open_melds, lambda d: d[1].turn
    ):
        yield {
            "players": number, "melds": melds, "turn": turn, "n": len(of),
            "tenpai_rate": share(of, lambda d: d[1].shanten == 0),
        }  # fmt: skip


@check("yakuhai_pairs", "choice")
def yakuhai_pairs(games: list[Game]) -> Iterator[Row]:
    found = []
    for r in lived(games):
        dealt = counted(tile // 4 for tile in r.seat.haipai)
        value = {31, 32, 33, 27 + r.round.wind, 27 + r.round.seat_wind(r.seat)}
        for kind in sorted(value):
            done = r.round.honours.get(kind, [])
            if dealt[kind] == 2 and any(
                what == "pon" and who == r.seat.number for who, what in done
            ):
                found.append((r.players, "called", r))
            elif dealt[kind] == 2:
                found.append((r.players, "not called", r))
    for number, choice, of in grouped(found, lambda f: f[0], lambda f: f[1]):
        rounds = [f[2] for f in of]
        yield ended(rounds) | {
            "players": number, "choice": choice, "average_points": average(rounds),
        }  # fmt: skip


# --- draws and dealing --------------------------------------------------------------------------

ABORTIVE = ("kyuushu", "suufon", "suucha", "suukan", "sanchahou")


def is_drawn(r: Lived, draws: str) -> bool:
    """Return whether a round was drawn; abortive draws count only if all draws count."""
    return r.drew or (draws == "all" and r.round.outcome in ABORTIVE)


@check("draws", "state")
@check("draws", "state", draws="all")
def draws(games: list[Game], draws: str = "exhaustive") -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        tables = [r for r in rounds if r.seat.number == 0]
        for name in ("all", "riichi", "open", "closed"):
            every = [r for r in rounds if name in ("all", r.seat.state)]
            drawn = [r for r in every if is_drawn(r, draws)]
            counted_once = tables if name == "all" else every
            n = sum(is_drawn(r, draws) for r in counted_once)
            low, high = (
                inside(wilson(n, len(tables))) if name == "all"
                else clustered(every, lambda r: is_drawn(r, draws))
            )  # fmt: skip
            yield {
                "players": number, "state": name, "n": n, "n_rounds": len(counted_once),
                "draw_rate": n / len(counted_once), "low": low, "high": high,
                "n_tenpai": sum(r.drew for r in drawn),
                "tenpai_rate": mean(r.seat.end_shanten == 0 for r in drawn if r.drew),
                "balance": mean(r.balance for r in drawn),
            }  # fmt: skip


@check("dealer", "is_dealer")
def dealer(games: list[Game]) -> Iterator[Row]:
    for number, rounds in grouped(lived(games), players):
        for dealt in (True, False):
            of = [r for r in rounds if r.dealer == dealt]
            hit = [r for r in of if r.hit_by]
            yield ended(of) | {
                "players": number, "is_dealer": dealt,
                "riichi_rate": share(of, lambda r: r.seat.riichi_order),
                "call_rate": share(of, lambda r: r.seat.calls), "average_points": average(of),
                "n_hit_by_tsumo": len(hit), "hit_by_mangan_rate": share(hit, lambda r: r.hit_hard),
                "hit_by_mangan_points": mean(r.hit_by for r in hit if r.hit_hard),
                "longest_streak": max(r.round.honba for r in of) if dealt else None,
                "average_haipai_shanten": mean(haipai_shanten(r) for r in of),
                "n_wins": sum(r.won for r in rounds),
                "of_wins_rate": sum(r.won for r in of) / sum(r.won for r in rounds),
            }  # fmt: skip


@check("seat_winds", "seat")
def seat_winds(games: list[Game]) -> Iterator[Row]:
    winds = ("east", "south", "west", "north")
    for number, wind, of in grouped(lived(games), players, lambda r: r.round.seat_wind(r.seat)):
        yield ended(of) | {
            "players": number, "seat": winds[wind], "average_points": average(of),
            "riichi_rate": share(of, lambda r: r.seat.riichi_order),
            "call_rate": share(of, lambda r: r.seat.calls),
        }  # fmt: skip


# --- the deal -----------------------------------------------------------------------------------


def haipai_shanten(r: Lived) -> int:
    return shanten(counted(tile // 4 for tile in r.seat.haipai))


def haipai_dora(r: Lived) -> int:
    """Return the dora and red fives of the first 13 tiles."""
    dora = dora_of(r.round.indicators[0] // 4, r.players)
    reds = sum(tile in RED for tile in r.seat.haipai) if r.game.red else 0
    return reds + sum(tile // 4 == dora for tile in r.seat.haipai)


@check("haipai", "shanten")
@check("haipai", "shanten", seat="dealer")
def haipai(games: list[Game], seat: str = "all") -> Iterator[Row]:
    every = [r for r in lived(games) if seat == "all" or r.dealer]
    for number, of_players in grouped(every, players):
        for distance, of in grouped(of_players, haipai_shanten):
            low, high = clustered(of, lambda r: r.won)
            yield ended(of) | {
                "players": number, "shanten": distance, "share": len(of) / len(of_players),
                "low": low, "high": high,
                "riichi_rate": share(of, lambda r: r.seat.riichi_order),
                "call_rate": share(of, lambda r: r.seat.calls), "average_points": average(of),
                "average_dora": mean(haipai_dora(r) for r in of),
                "average_tenpai_turn": mean(
                    r.seat.first_tenpai.turn for r in of if r.seat.first_tenpai
                ),
            }  # fmt: skip


@check("haipai_dora", "dora")
def by_haipai_dora(games: list[Game]) -> Iterator[Row]:
    for number, dora, of in grouped(lived(games), players, haipai_dora):
        row = ended(of) | {"players": number, "dora": dora, "average_points": average(of)}
        del row["deal_in_rate"]
        yield row


@check("haipai_orphans", "kinds")
def haipai_orphans(games: list[Game]) -> Iterator[Row]:
    for number, kinds, of in grouped(
        lived(games), players, lambda r: len({t // 4 for t in r.seat.haipai} & set(ORPHANS))
    ):
        kokushi = [r for r in of if r.seat.tenpai_for_orphans]
        won = [r for r in of if r.won and (r.seat.end_wait or "").startswith("kokushi")]
        yield ended(of) | {
            "players": number, "kinds": kinds,
            "kyuushu_rate": share(of, lambda r: r.round.declarer == r.seat.number),
            "kokushi_tenpai_rate": len(kokushi) / len(of),
            "kokushi_win_rate": len(won) / len(of),
            "nagashi_rate": share(of, lambda r: r.seat.outcome == "nagashi"),
        }  # fmt: skip


@check("shanten_by_turn", "turn", "shanten")
def shanten_by_turn(games: list[Game]) -> Iterator[Row]:
    for number, turn, made in grouped(discards(games), lambda d: d[0], lambda d: d[2].turn):
        for distance, of in grouped(made, lambda d: d[2].shanten):
            yield {
                "players": number, "turn": turn, "shanten": distance, "hands": len(of),
                "n": len(made),
            }  # fmt: skip


@check("tenpai_by_turn", "turn")
def tenpai_by_turn(games: list[Game]) -> Iterator[Row]:
    for number, turn, of in grouped(discards(games), lambda d: d[0], lambda d: d[2].turn):

        def tenpai(made: tuple[int, Lived, Discard]) -> bool:
            return made[2].shanten == 0

        rode = [
            made for made in of if made[1].seat.riichi and made[1].seat.riichi.turn <= made[2].turn
        ]
        opened = [made for made in of if tenpai(made) and made[2].open_melds]
        low, high = clustered(of, tenpai, lambda made: made[1].game.part)
        yield {
            "players": number, "turn": turn, "n": len(of), "low": low, "high": high,
            "tenpai_rate": share(of, tenpai), "riichi_rate": len(rode) / len(of),
            "open_tenpai_rate": len(opened) / len(of),
            "dama_rate": (sum(map(tenpai, of)) - len(opened) - len(rode)) / len(of),
        }  # fmt: skip


@check("first_discards", "class")
@check("first_discards", "class", turn=3)
def first_discards(games: list[Game], turn: int = 1) -> Iterator[Row]:
    def of_class(r: Lived) -> str:
        tile = r.seat.discards[turn - 1].tile
        if tile // 4 < 27:
            return tile_name(tile, red=False)
        if tile // 4 >= 31:
            return "dragon"
        value = (r.round.wind, r.round.seat_wind(r.seat))
        return "value wind" if tile // 4 - 27 in value else "guest wind"

    made = [r for r in lived(games) if len(r.seat.discards) >= turn]
    for number, of_players in grouped(made, players):
        for name, of in grouped(of_players, of_class):
            yield ended(of) | {
                "players": number, "class": name, "n_all": len(of_players),
                "average_points": average(of),
                "average_tenpai_turn": mean(
                    r.seat.first_tenpai.turn for r in of if r.seat.first_tenpai
                ),
            }  # fmt: skip
