"""Measures of a player beside those of others: values, intervals, tests, percentiles.

A measure is a ratio of sums, such as wins over rounds. Rounds of one game are not independent, so
the variance of a ratio is that of its games (the ratio estimator of cluster sampling, Cochran 1977,
section 10.5): a game's residual is ``k - ratio * n``. A player is compared with all other seats in
games of the same platform, room and length, weighted as the player's own games; residuals of the
same game are subtracted, so that the test knows that one seat's win is another's loss. The test is
two-sided on the normal distribution, and Holm's correction (1979) holds for all measures together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import polars as pl

from paifu.lake.connection import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paifu.lake.lake import Lake

MEASURES: dict[str, tuple[str, str]] = {
    "average_placement": ("placement", "1"),
    "first_rate": ("(placement = 1)::INT", "1"),
    "top_two_rate": ("(placement <= 2)::INT", "1"),
    "last_rate": ("(placement = players)::INT", "1"),
    "win_rate": ("wins", "rounds"),
    "deal_in_rate": ("deal_in_rounds", "rounds"),
    "riichi_rate": ("riichis", "rounds"),
    "call_rate": ("open_rounds", "rounds"),
    "draw_rate": ("draws", "rounds"),
    "draw_tenpai_rate": ("draw_tenpai", "draws"),
    "points_per_round": ("delta", "rounds"),
    "average_win": ("win_points", "wins"),
    "average_deal_in": ("deal_in_points", "deal_in_rounds"),
    "tsumo_rate": ("tsumo_wins", "wins"),
    "dama_rate": ("closed_wins", "wins"),
    "riichi_win_rate": ("riichi_wins", "riichis"),
    "riichi_deal_in_rate": ("riichi_deal_ins", "riichis"),
    "riichi_balance": ("riichi_delta", "riichis"),
    "average_riichi_turn": ("riichi_turns", "riichis"),
    "first_riichi_rate": ("first_riichis", "riichis"),
    "good_wait_rate": ("good_wait_riichis", "riichis"),
    "open_win_rate": ("open_wins", "open_rounds"),
    "open_deal_in_rate": ("open_deal_ins", "open_rounds"),
    "calls_per_open_round": ("calls", "open_rounds"),
    "dealer_win_rate": ("dealer_wins", "dealer_rounds"),
    "average_haipai_shanten": ("haipai_shanten", "rounds"),
}
"""Each measure's numerator and denominator, in the words of statistic ``players``."""
STYLE = ("riichi_rate", "call_rate", "win_rate", "deal_in_rate")
"""The measures that say how a player plays."""
LEVEL = 0.05
"""Differences are called so at this level, for all measures together."""
_Z = 1.959963984540054
_POSITIVE = frozenset(
    {"average_win", "average_deal_in", "average_riichi_turn", "calls_per_open_round"}
)
"""Means that are larger than 0 whenever they exist."""
_SHARES = frozenset(name for name in MEASURES if name.endswith("_rate"))
LEAST_TESTED = 20
"""Fewer games are not tested: their variance is not known well enough."""
LEAST_GAMES, LEAST_PLAYERS = 50, 10
"""A percentile is among players with so many games, if there are at least so many."""

_PAIRS = ("k1", "n1", "k2", "n2")
"""Numerator and denominator of the player (1) and of the others (2), in a game."""
_ROWS = """
    SELECT game_id, seat, player, games.players, anonymous,
        CASE WHEN complete OR detail = 'result' THEN placement END AS placement,
        coalesce(platform, '') || '/' || coalesce(room, '') || '/' || coalesce(length, '') AS place,
        game_seats.* EXCLUDE (game_id, seat, players)
    FROM seats JOIN games USING (game_id) LEFT JOIN game_seats USING (game_id, seat)
    WHERE NOT anonymous AND games.game IS NULL
"""


def compared(
    lake: Lake, player: str, versus: str | None = None, *, names: Sequence[str] = tuple(MEASURES)
) -> pl.DataFrame:
    """Return each measure of a player beside the others', or beside those of ``versus``.

    Columns: ``measure``; ``n`` (the player's denominator); ``mine`` with ``low`` and ``high``;
    ``pooled`` (the others') with ``pooled_low`` and ``pooled_high``; ``difference``, ``z``, ``p``;
    ``differs`` (by Holm's test over all rows); ``percentile`` (share of the players with at least
    :data:`LEAST_GAMES` games who have a lower value) and ``n_players`` of them. A value that
    nothing tells is NULL. The views that a filter put on the connection apply.
    """
    rows = [_measure(name, found) for name, found in _moments(lake, player, versus, names).items()]
    frame = pl.DataFrame(rows, schema=_SCHEMA).filter(pl.col("mine").is_not_null())
    frame = frame.with_columns(differs=pl.Series(holm(frame["p"].to_list()), dtype=pl.Boolean))
    return frame.join(_percentiles(lake, player, names), on="measure", how="left")


_SCHEMA = {
    "measure": pl.String, "n": pl.Int64, "mine": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "pooled": pl.Float64, "pooled_low": pl.Float64, "pooled_high": pl.Float64,
    "difference": pl.Float64, "z": pl.Float64, "p": pl.Float64,
}  # fmt: skip


def _moments(
    lake: Lake, player: str, versus: str | None, names: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return for each measure, by place, sums over games of products of k and n of both sides."""
    others = "player = $versus" if versus is not None else "player IS DISTINCT FROM $player"
    per_game, sums = [], []
    for index, name in enumerate(names):
        k, n = MEASURES[name]
        told = f"({k}) IS NOT NULL AND ({n}) IS NOT NULL"
        for side, who in ((1, "player = $player"), (2, others)):
            keep = f"FILTER ({who} AND {told})"
            per_game.append(f"coalesce(sum({k}) {keep}, 0)::DOUBLE AS k{side}_{index}")
            per_game.append(f"coalesce(sum({n}) {keep}, 0)::DOUBLE AS n{side}_{index}")
        sums += [f"sum({a}_{index}) AS {a}_{index}" for a in _PAIRS]
        sums += [f"count(*) FILTER (n{s}_{index} > 0) AS g{s}_{index}" for s in (1, 2)]
        sums += [
            f"sum({a}_{index} * {b}_{index}) AS {a}{b}_{index}"
            for at, a in enumerate(_PAIRS)
            for b in _PAIRS[at:]
        ]
    place = "'all'" if versus is not None else "place"
    found = lake.connection.execute(
        f"""WITH rows AS ({_ROWS}),
        chosen AS (SELECT DISTINCT place FROM rows WHERE player = $player),
        by_game AS (
            SELECT game_id, {place} AS place, {", ".join(per_game)} FROM rows
            WHERE $versus IS NOT NULL OR place IN (SELECT place FROM chosen) GROUP BY ALL
        )
        SELECT place, {", ".join(sums)} FROM by_game GROUP BY place""",
        {"player": player, "versus": versus},
    ).pl()
    keys = [*_PAIRS, "g1", "g2"]
    keys += [f"{a}{b}" for at, a in enumerate(_PAIRS) for b in _PAIRS[at:]]
    return {
        name: [{key: row[f"{key}_{index}"] for key in keys} for row in found.iter_rows(named=True)]
        for index, name in enumerate(names)
    }


def _measure(name: str, places: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a row of :func:`compared` from the sums of each place."""
    own_n = sum(place["n1"] for place in places)
    empty = dict.fromkeys(_SCHEMA) | {"measure": name, "n": int(own_n)}
    if not own_n:
        return empty
    mine = sum(place["k1"] for place in places) / own_n
    games = sum(place["g1"] for place in places)
    own_variance = sum(_residuals(place, 1, mine) for place in places) / own_n**2
    own_variance *= games / (games - 1) if games > 1 else math.inf
    low, high = _interval(name, mine, own_variance, own_n)
    row = empty | {"mine": mine, "low": low, "high": high}
    used = [place for place in places if place["n1"] and place["n2"]]
    weight = sum(place["n1"] for place in used)
    other_games = sum(place["g2"] for place in used)
    if not used or other_games < 2:
        return row
    pooled, pooled_variance, both = 0.0, 0.0, 0.0
    for place in used:
        share = place["n1"] / weight
        ratio = place["k2"] / place["n2"]
        pooled += share * ratio
        pooled_variance += share**2 * _residuals(place, 2, ratio) / place["n2"] ** 2
        product = (
            place["k1k2"] - ratio * place["k1n2"] - mine * place["n1k2"]
            + mine * ratio * place["n1n2"]
        )  # fmt: skip
        both += share * product / (own_n * place["n2"])
    pooled_variance *= other_games / (other_games - 1)
    other_n = sum(place["n2"] for place in used)
    pooled_low, pooled_high = _interval(name, pooled, pooled_variance, other_n)
    variance = own_variance + pooled_variance - 2 * both
    difference = mine - pooled
    row |= {
        "pooled": pooled, "pooled_low": pooled_low, "pooled_high": pooled_high,
        "difference": difference,
    }  # fmt: skip
    if 0 < variance < math.inf and min(games, other_games) >= LEAST_TESTED:
        z = difference / math.sqrt(variance)
        row |= {"z": z, "p": math.erfc(abs(z) / math.sqrt(2))}
    return row


def _residuals(place: dict[str, Any], side: int, ratio: float) -> float:
    """Return the sum over games of the squared residuals ``k - ratio * n`` of a side."""
    k, n = f"k{side}", f"n{side}"
    total = place[k + k] - 2 * ratio * place[k + n] + ratio**2 * place[n + n]
    return max(float(total), 0.0)


def _interval(
    name: str, value: float, variance: float, n: float
) -> tuple[float | None, float | None]:
    """Return the 95 % interval; of a share by Wilson, with as many cases as the variance is worth.

    That of a mean that cannot be negative is symmetric in its logarithm, so that it cannot be
    negative either. Both ends are NULL if a single game says nothing about the variance.
    """
    if name not in _SHARES:
        if not math.isfinite(variance):
            return None, None
        if name in _POSITIVE and value > 0:
            factor = math.exp(_Z * math.sqrt(variance) / value)
            return value / factor, value * factor
        return value - _Z * math.sqrt(variance), value + _Z * math.sqrt(variance)
    cases = n
    if 0 < variance < math.inf:
        cases = min(value * (1 - value) / variance, n) or n
    return wilson(value, cases)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of Wilson for a share of ``n`` cases.

    >>> [round(end, 3) for end in wilson(0.25, 100)]
    [0.175, 0.343]
    """
    middle = share + _Z**2 / (2 * n)
    spread = _Z * math.sqrt(max(share * (1 - share), 0) / n + _Z**2 / (4 * n**2))
    return (middle - spread) / (1 + _Z**2 / n), (middle + spread) / (1 + _Z**2 / n)


def holm(values: Sequence[float | None], level: float = LEVEL) -> list[bool]:
    """Return which tests reject by Holm's method at a level for all; NULL is no test.

    >>> holm([0.01, 0.04, None, 0.03])
    [True, False, False, False]
    """
    tests = sorted((p, index) for index, p in enumerate(values) if p is not None)
    rejected = [False] * len(values)
    for done, (p, index) in enumerate(tests):
        if p > level / (len(tests) - done):
            break
        rejected[index] = True
    return rejected


def compared_values(lake: Lake, player: str, scheme: str) -> pl.DataFrame:
    """Return a player's value a game by cause beside that of the others of the same rooms.

    Values are place points of a scheme (``value_changes``) in the games that are valued. Columns as
    in :func:`compared` without percentiles, ``measure`` being the cause or ``all``; and
    ``pooled_case``, the others' mean of a round that ended so. Cause and ``all`` are tested
    together by Holm's method.
    """
    moments = _value_moments(lake, player, scheme)
    rows = [
        _measure(cause, places) | {"pooled_case": _mean_case(places)}
        for cause, places in moments.items()
    ]
    frame = pl.DataFrame(rows, schema=_SCHEMA | {"pooled_case": pl.Float64})
    return frame.with_columns(differs=pl.Series(holm(frame["p"].to_list()), dtype=pl.Boolean))


def _mean_case(places: list[dict[str, Any]]) -> float | None:
    cases = sum(place["cases"] for place in places)
    return sum(place["k2"] for place in places) / cases if cases else None


def _value_moments(lake: Lake, player: str, scheme: str) -> dict[str, list[dict[str, Any]]]:
    """Return for each cause, by place, what :func:`_moments` returns; n are seats of a game."""
    products = [f"{a}{b}" for at, a in enumerate(_PAIRS) for b in _PAIRS[at:]]
    of_seats = [pair for pair in products if "k" not in pair]
    sums = [
        f"sum({pair[:2]} * {pair[2:]})::DOUBLE AS {pair}"
        for pair in products if pair not in of_seats
    ]  # fmt: skip
    totals = [f"sum({pair[:2]} * {pair[2:]})::DOUBLE AS {pair}" for pair in of_seats]
    found = lake.connection.execute(
        f"""WITH changes AS (
            SELECT game_id, seat, cause, sum(change) AS change, count(*) AS cases
            FROM value_changes({quoted(scheme)}) GROUP BY ALL
        ),
        rows AS (
            SELECT game_id, seat, player IS NOT DISTINCT FROM $player AS own, place
            FROM ({_ROWS}) SEMI JOIN changes USING (game_id, seat)
        ),
        by_game AS (
            SELECT game_id, place, count(*) FILTER (own)::DOUBLE AS n1,
                count(*) FILTER (NOT own)::DOUBLE AS n2
            FROM rows WHERE place IN (SELECT place FROM rows WHERE own) GROUP BY ALL
        ),
        seats_of AS (
            SELECT place, sum(n1) AS n1, sum(n2) AS n2, {", ".join(totals)},
                count(*) FILTER (n1 > 0) AS g1, count(*) FILTER (n2 > 0) AS g2
            FROM by_game GROUP BY place
        ),
        by_cause AS (
            SELECT game_id, coalesce(cause, 'all') AS cause,
                coalesce(sum(change) FILTER (own), 0) AS k1,
                coalesce(sum(change) FILTER (NOT own), 0) AS k2,
                coalesce(sum(cases) FILTER (NOT own), 0)::DOUBLE AS cases
            FROM changes JOIN rows USING (game_id, seat)
            GROUP BY GROUPING SETS ((game_id), (game_id, cause))
        ),
        changes_of AS (
            SELECT place, cause, sum(k1) AS k1, sum(k2) AS k2, sum(cases) AS cases,
                {", ".join(sums)}
            FROM by_cause JOIN by_game USING (game_id) GROUP BY place, cause
        )
        SELECT * FROM changes_of JOIN seats_of USING (place) ORDER BY cause, place""",
        {"player": player},
    ).pl()
    moments: dict[str, list[dict[str, Any]]] = {}
    for row in found.iter_rows(named=True):
        moments.setdefault(row["cause"], []).append(row)
    return moments


def _percentiles(lake: Lake, player: str, names: Sequence[str]) -> pl.DataFrame:
    """Return ``measure``, ``percentile`` and ``n_players``; no rows with too few players."""
    schema = {"measure": pl.String, "percentile": pl.Float64, "n_players": pl.Int64}
    ratios = [
        f"sum({k}) / nullif(sum({n}) FILTER (({k}) IS NOT NULL), 0)::DOUBLE AS {name}"
        for name, (k, n) in ((name, MEASURES[name]) for name in names)
    ]
    players = lake.connection.execute(
        f"""WITH rows AS ({_ROWS})
        SELECT player, {", ".join(ratios)} FROM rows
        WHERE place IN (SELECT place FROM rows WHERE player = $player) AND player IS NOT NULL
        GROUP BY player HAVING count(placement) >= {LEAST_GAMES} OR player = $player""",
        {"player": player},
    ).pl()
    rows = []
    for name in names:
        own = players.filter(pl.col("player") == player)[name].to_list()
        others = players.filter(pl.col("player") != player)[name].drop_nulls()
        if own and own[0] is not None and others.len() >= LEAST_PLAYERS:
            below = int((others < own[0]).sum()) + 0.5 * int((others == own[0]).sum())
            rows.append((name, below / others.len(), others.len() + 1))
    return pl.DataFrame(rows, schema=schema, orient="row")


def compared_shares(
    mine: pl.DataFrame,
    everyone: pl.DataFrame,
    *keys: str,
    within: Sequence[str] = (),
    cases: str = "wins",
) -> pl.DataFrame:
    """Return shares of a player's cases beside those of all others, with the same kind of test.

    Both frames have the ``keys``, ``cases`` (how many cases are of that kind) and ``n`` (all cases,
    the same for rows with the same values of ``within``), and ``everyone`` includes the player.
    Cases count as independent. A kind of which the player has no case counts 0.
    """
    own_n = mine.select(*within, own_n="n").unique()
    joined = everyone.select(*keys, pl.col(cases).alias("all"), "n").join(
        mine.select(*keys, own=cases), on=keys, how="left"
    )
    joined = (
        joined.join(own_n, on=within, how="left") if within else joined.join(own_n, how="cross")
    )
    rows = []
    for *kind, of_all, n, own, own_of in joined.iter_rows():
        k1, k2, n2 = own or 0, of_all - (own or 0), n - (own_of or 0)
        if not own_of or n2 <= 0:
            continue
        p1, p2 = k1 / own_of, k2 / n2
        both = (k1 + k2) / (own_of + n2)
        error = math.sqrt(both * (1 - both) * (1 / own_of + 1 / n2))
        z = (p1 - p2) / error if error else None
        low, high = wilson(p1, own_of)
        p = None if z is None else math.erfc(abs(z) / math.sqrt(2))
        rows.append((*kind, own_of, p1, low, high, p2, p1 - p2, z, p))
    columns = (*keys, "n", "mine", "low", "high", "pooled", "difference", "z", "p")
    if not rows:
        return pl.DataFrame(schema=dict.fromkeys((*columns, "differs"), pl.Float64))
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return frame.with_columns(differs=pl.Series(holm(frame["p"].to_list())))


def moving_averages(values: Sequence[float], half_life: float) -> pl.DataFrame:
    """Return the moving average of a series with its 95 % band.

    Weights halve every ``half_life`` games. The band is for the mean of independent values with
    the variance of the whole series. Columns: ``game_number`` from 1, ``value``, ``low``, ``high``.
    """
    decay = 0.5 ** (1 / half_life)
    mean = sum(values) / len(values) if values else 0.0
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    total = weights = squares = 0.0
    rows = []
    for number, value in enumerate(values, start=1):
        total = decay * total + value
        weights = decay * weights + 1
        squares = decay**2 * squares + 1
        spread = _Z * math.sqrt(variance * squares) / weights
        rows.append((number, total / weights, total / weights - spread, total / weights + spread))
    return pl.DataFrame(rows, schema=["game_number", "value", "low", "high"], orient="row")
