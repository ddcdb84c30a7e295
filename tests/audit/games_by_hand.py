"""Small games written by hand, as the tables of a batch, for the tests of this folder."""

from __future__ import annotations

from datetime import datetime

import polars as pl

from paifu.audit.legality import SEAT_COLUMNS
from paifu.audit.round_checks import settle
from paifu.audit.wide_rounds import Play, round_rows
from paifu.rules.riichi.settlement import WINS

EMPTY = pl.DataFrame()

ROUND = {
    "wind": 0, "number": 1, "honba": 0, "sticks": 0, "outcome": "exhaustive", "abort_due": None,
    "tiles_left": 0, "aborts_passed": [], "dora_missing": False, "riichi_unknown": False,
    "sticks_left": 0,
}  # fmt: skip
SEAT = {
    "delta": 0, "riichi_accepted": None, "won": False, "calls": 0, "tenpai_at_draw": None,
    "tenpai_shown": None, "tenpai_exhausted": None, "keishiki": False, "nagashi": False,
    "haipai": "", "breach": None,
    **dict.fromkeys(set(SEAT_COLUMNS) - {"points_start"}, 0), "riichi_tiles_left": None,
    "furiten_riichi": None,
}  # fmt: skip


def a_game(*rounds, players=4, start=25000, final=None, result=None, seed=None, **facts):
    """Return the play of one game and the payments of its wins.

    Each round is a dict of columns of ``rounds``. Columns of ``round_seats`` are lists by seat;
    ``points`` and ``paid`` are the points at the start and the computed payments of wins.
    """
    round_rows_, seat_rows, paid_rows = [], [], []
    for index, given in enumerate(rounds):
        given = dict(given)
        key = {"game_id": 7, "round_index": index}
        points = given.pop("points", [start] * players)
        paid = given.pop("paid", None)
        if paid:
            paid_rows.append(key | {f"paid_{seat}": value for seat, value in enumerate(paid)})
        per_seat = {name: given.pop(name) for name in list(given) if name in SEAT}
        row = key | ROUND | given
        row.setdefault("dealer", row["number"] - 1)
        round_rows_.append(row)
        for seat in range(players):
            own = {name: values[seat] for name, values in per_seat.items()}
            if row["outcome"] in ("exhaustive", "nagashi"):
                own.setdefault("tenpai_at_draw", False)
                own.setdefault("tenpai_shown", own["tenpai_at_draw"])
            seat_row = key | {"seat": seat} | SEAT | own | {"points_start": points[seat]}
            seat_rows.append(seat_row | {"points_end": points[seat] + seat_row["delta"]})
    game = {
        "game_id": 7, "log_id": "log", "players": players, "length": "south", "aka": True,
        "rounds": len(rounds), "detail": "play",
        "ended_by": "last_round", "complete": True, "flags": [],
        "played_at": datetime(2020, 1, 1),
    } | facts  # fmt: skip
    final = final or [None] * players
    seats = [
        {
            "game_id": 7,
            "seat": seat,
            "final_points": final[seat],
            "final_recorded": final[seat] is not None,
            "result": result[seat] if result else None,
        }
        for seat in range(players)
    ]
    play = Play(
        players=players,
        games=pl.DataFrame(
            [{"ruleset": None, "detail": "play", **game}],
            schema_overrides={
                "ruleset": pl.String,
                "played_at": pl.Datetime("us"),
                "length": pl.String,
                "flags": pl.List(pl.String),
            },
        ),
        seats=pl.DataFrame(
            seats, schema_overrides={"final_points": pl.Int32, "result": pl.Float64}
        ),
        rounds=pl.DataFrame(
            round_rows_,
            schema_overrides={"abort_due": pl.String, "aborts_passed": pl.List(pl.String)},
        ),
        round_seats=pl.DataFrame(
            seat_rows,
            infer_schema_length=None,
            schema_overrides={
                "riichi_accepted": pl.Boolean,
                "breach": pl.String,
                "riichi_tiles_left": pl.Int16,
                "furiten_riichi": pl.Boolean,
                "tenpai_at_draw": pl.Boolean,
                "tenpai_shown": pl.Boolean,
                "tenpai_exhausted": pl.Boolean,
            },
        ),
        wins=EMPTY,
        win_yaku=EMPTY,
        draws=EMPTY,
        seeds=pl.DataFrame(
            [{"game_id": 7, "kind": seed}] if seed else [],
            schema={"game_id": pl.Int64, "kind": pl.String},
        ),
    )
    schema = {"game_id": pl.Int64, "round_index": pl.Int64}
    schema |= {f"paid_{seat}": pl.Int32 for seat in range(players)}
    return play, pl.DataFrame(paid_rows, schema=schema, orient="row")


def settled(play, paid, rules):
    return settle(round_rows(play, paid, rules), play.players, rules)


def won_by(seat, paid, **more):
    """Return a round that the seat wins; the given changes include sticks and honba."""
    more.setdefault("outcome", "ron")
    assert more["outcome"] in WINS
    return {"won": [s == seat for s in range(len(paid))], "paid": paid, "delta": paid} | more
