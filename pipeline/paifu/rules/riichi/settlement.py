"""Settlement: what a draw pays, what follows a round, when a game ends and what its results are.

Every function takes a ``RuleSet`` and the number of players. It returns Polars expressions for a
frame with one row per round (or per game) and one column per seat, ``tenpai_0``, ``tenpai_1``, …:

=============== ===========================================================================
``wind``        round wind, 0-3; ``number`` 1-4, ``dealer`` 0-3, ``honba``, ``sticks`` at its start
``last_wind``   the last scheduled wind: 0 for an East game, 1 for an East-South one
``outcome``     as in the table ``rounds``
``start_i``     points of seat ``i`` at the start
``riichi_i``    bool: the seat paid a riichi stick
``won_i``       bool: the seat won; ``paid_i`` all it gets or pays for the wins of the round
``tenpai_i``    bool: tenpai at a draw; ``nagashi_i`` bool: nagashi mangan at a draw
=============== ===========================================================================

Points are whole points (int32 or wider). T1 to T33 are the numbers of Tenhou's rules (see
``presets.SOURCES``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from paifu.rules.riichi.ruleset import RuleSet

STICK = 1000
"""Points a riichi stick is worth."""

ABORTS = ("kyuushu", "suufon", "suucha", "suukan", "sanchahou")
"""Outcomes of an abortive draw."""
DRAWS = ("exhaustive", "nagashi")
"""Outcomes of a round played to its last tile."""
WINS = ("tsumo", "ron", "double_ron", "triple_ron")
"""Outcomes of a round with a win."""

_MANGAN = {True: 4000, False: 2000}
"""What a seat pays for a mangan tsumo: if the dealer pays or wins (True), or otherwise."""


def seats(name: str, players: int) -> list[pl.Expr]:
    """Return the columns ``name_0``, ``name_1``, … of the seats."""
    return [pl.col(f"{name}_{seat}") for seat in range(players)]


def _sum(terms: Iterable[pl.Expr]) -> pl.Expr:
    return pl.sum_horizontal(*terms)


def _of_dealer(values: list[pl.Expr]) -> pl.Expr:
    """Return the value of the seat that deals."""
    chosen = pl.lit(None)
    for seat, value in enumerate(values):
        chosen = pl.when(pl.col("dealer") == seat).then(value).otherwise(chosen)
    return chosen


# --- what a draw pays ---


def noten_payments(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return what each seat gets or pays at an exhaustive draw (T7): the noten share a pool.

    With three players and one tenpai the noten pay 1000 each, as with four.
    """
    tenpai = seats("tenpai", players)
    count = _sum(flag.cast(pl.Int32) for flag in tenpai)
    pool = pl.lit(rules.noten_pool, dtype=pl.Int32)
    paid = count.is_between(1, players - 1)
    return [
        pl.when(~paid)
        .then(pl.lit(0, dtype=pl.Int32))
        .when(flag)
        .then(pool // count)
        .otherwise(-pool // (players - count))
        .cast(pl.Int32)
        for flag in tenpai
    ]


def nagashi_payments(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return what each seat gets or pays for nagashi mangan (T18): a mangan tsumo for each.

    With three players the absent seat's share is lost or halved, or both payers pay the same, as
    ``tsumo_loss`` says.
    """
    nagashi = seats("nagashi", players)
    payments = []
    for seat in range(players):
        own: list[pl.Expr] = []
        for other in range(players):
            if other == seat:
                continue
            share = _tsumo_share(rules, players, winner=seat, payer=other)
            owed = _tsumo_share(rules, players, winner=other, payer=seat)
            own.append(nagashi[seat].cast(pl.Int32) * share)
            own.append(-nagashi[other].cast(pl.Int32) * owed)
        payments.append(_sum(own).cast(pl.Int32))
    return payments


def _tsumo_share(rules: RuleSet, players: int, *, winner: int, payer: int) -> pl.Expr:
    """Return what ``payer`` pays ``winner`` for a mangan tsumo, depending on the dealer."""
    dealer_wins, dealer_pays, neither = _MANGAN[True], _MANGAN[True], _MANGAN[False]
    if players == 3 and rules.tsumo_loss == "halved":
        dealer_wins, dealer_pays, neither = dealer_wins + 2000, dealer_pays + 1000, neither + 1000
    elif players == 3 and rules.tsumo_loss == "equal":
        dealer_wins, dealer_pays, neither = 6000, 4000, 4000
    return (
        pl.when(pl.col("dealer") == winner)
        .then(dealer_wins)
        .when(pl.col("dealer") == payer)
        .then(dealer_pays)
        .otherwise(neither)
    )


def round_deltas(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's change of points over the round, without its riichi stick.

    After a win it is ``paid_i``; after an exhaustive draw or nagashi mangan it is what the rules
    say; after an abortive draw it is 0. It is NULL where the outcome is unknown.
    """
    outcome = pl.col("outcome")
    return [
        pl.when(outcome.is_in(WINS))
        .then(paid)
        .when(outcome == "exhaustive")
        .then(noten)
        .when(outcome == "nagashi")
        .then(nagashi)
        .when(outcome.is_in(ABORTS))
        .then(pl.lit(0, dtype=pl.Int32))
        for paid, noten, nagashi in zip(
            seats("paid", players),
            noten_payments(rules, players),
            nagashi_payments(rules, players),
            strict=True,
        )
    ]


# --- what follows from a round ---


def end_points(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's points after the round and after paying its riichi stick."""
    return [
        start - STICK * riichi.cast(pl.Int32) + delta
        for start, riichi, delta in zip(
            seats("start", players),
            seats("riichi", players),
            round_deltas(rules, players),
            strict=True,
        )
    ]


def sticks_end(players: int) -> pl.Expr:
    """Return the sticks left on the table: none after a win, all of them after a draw."""
    paid = _sum(riichi.cast(pl.Int16) for riichi in seats("riichi", players))
    return pl.when(~pl.col("outcome").is_in(WINS)).then(pl.col("sticks") + paid).otherwise(0)


def _dealer_won(players: int) -> pl.Expr:
    return pl.col("outcome").is_in(WINS) & _of_dealer(seats("won", players))


def _dealer_tenpai(players: int) -> pl.Expr:
    return pl.col("outcome").is_in(DRAWS) & _of_dealer(seats("tenpai", players))


def _dealer_stays_by_play(rules: RuleSet, players: int) -> pl.Expr:
    if rules.renchan == "never":
        return pl.lit(False)
    if rules.renchan == "win":
        return _dealer_won(players)
    return _dealer_won(players) | _dealer_tenpai(players)


def dealer_stays(rules: RuleSet, players: int) -> pl.Expr:
    """Return whether the dealer deals again (renchan): by a win or tenpai, or after an abort."""
    aborted = pl.col("outcome").is_in(ABORTS) & pl.lit(rules.abort_renchan)
    return _dealer_stays_by_play(rules, players) | aborted


def next_round(rules: RuleSet, players: int) -> dict[str, pl.Expr]:
    """Return ``wind``, ``number``, ``honba`` and ``sticks`` of the round that would follow."""
    stays = dealer_stays(rules, players)
    wraps = ~stays & (pl.col("number") == players)
    drawn = pl.col("outcome").is_in(DRAWS) & (stays | pl.lit(rules.honba_noten_dealer))
    again = pl.col("outcome").is_in(WINS) & stays
    return {
        "wind": pl.col("wind") + wraps.cast(pl.Int16),
        "number": pl.when(stays)
        .then(pl.col("number"))
        .otherwise(pl.col("number") % players + 1)
        .cast(pl.Int16),
        "honba": pl.when(again | drawn | pl.col("outcome").is_in(ABORTS))
        .then(pl.col("honba") + 1)
        .otherwise(0)
        .cast(pl.Int16),
        "sticks": sticks_end(players).cast(pl.Int16),
    }


# --- when the game ends ---


def game_end(rules: RuleSet, players: int) -> pl.Expr:
    """Return why the game ends after the round, or NULL where it goes on (T8-T10).

    Reads ``end_i``, the points after the round (:func:`end_points`), before any sticks left on the
    table are given away. The reasons are those of ``games.ended_by``: ``bust``; ``agari_yame`` and
    ``tenpai_yame``, a leading dealer's win or tenpai in the last round; ``sudden_death``, somebody
    reaching the target in the extra round; ``last_round``.
    """
    ends = seats("end", players)
    target = rules.target_points
    top = pl.max_horizontal(*ends)
    last_wind, wind = pl.col("last_wind"), pl.col("wind")
    last_deal = pl.col("number") == players
    extra = wind > last_wind

    leads = _dealer_leads(rules, players)
    may_stop = (wind == last_wind) & last_deal
    if rules.yame_in_extra_round:
        may_stop = may_stop | extra
    stops = may_stop & leads & (_of_dealer(ends) >= target)
    stays = dealer_stays(rules, players)
    reached = extra & (top >= target)
    if rules.extra_round_dealer:
        # a dealer who stays by a win or tenpai plays on unless he leads
        reached = reached & (~stays | (_dealer_stays_by_play(rules, players) & leads))
    scheduled_end = (wind >= last_wind) & last_deal & ~stays
    if rules.extra_round:
        scheduled_end = scheduled_end & (extra | (top >= target))
    return (
        pl.when(_bust(rules, ends))
        .then(pl.lit("bust"))
        .when(stops & _dealer_won(players) & pl.lit(rules.agari_yame))
        .then(pl.lit("agari_yame"))
        .when(stops & _dealer_tenpai(players) & pl.lit(rules.tenpai_yame))
        .then(pl.lit("tenpai_yame"))
        .when(reached & pl.lit(rules.extra_round))
        .then(pl.lit("sudden_death"))
        .when(scheduled_end)
        .then(pl.lit("last_round"))
    )


def _bust(rules: RuleSet, ends: list[pl.Expr]) -> pl.Expr:
    if rules.tobi == "off":
        return pl.lit(False)
    lowest = pl.min_horizontal(*ends)
    return lowest < 0 if rules.tobi == "below_zero" else lowest <= 0


def _dealer_leads(rules: RuleSet, players: int) -> pl.Expr:
    """Return whether the dealer leads; with equal points by seat order, or never."""
    ends = seats("end", players)
    own = _of_dealer(ends)
    ahead = [
        (pl.col("dealer") == seat)
        | (own > end)
        | ((own == end) & (pl.col("dealer") < seat) & pl.lit(not rules.yame_sole_first))
        for seat, end in enumerate(ends)
    ]
    return pl.all_horizontal(*ahead)


# --- what the game is worth ---


def _places(points: list[pl.Expr]) -> list[pl.Expr]:
    """Return each seat's placement by points, of equal seats the earlier is better (T13)."""
    return [
        1
        + _sum((other > own).cast(pl.Int16) for other in points)
        + _sum([pl.lit(0, dtype=pl.Int16)] + [(o == own).cast(pl.Int16) for o in points[:seat]])
        for seat, own in enumerate(points)
    ]


def _level(points: list[pl.Expr], seat: int) -> pl.Expr:
    """Return how many seats have as many points as ``seat``, which is counted too."""
    return _sum((other == points[seat]).cast(pl.Int16) for other in points)


def final_points(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's points at the end of the game, from ``end_i`` and ``sticks_end`` (T12)."""
    ends = seats("end", players)
    if rules.leftover_sticks == "stay":
        return ends
    pot = STICK * pl.col("sticks_end").cast(pl.Int32)
    places = _places(ends)
    if rules.leftover_sticks == "first":
        return [
            end + pl.when(place == 1).then(pot).otherwise(0)
            for end, place in zip(ends, places, strict=True)
        ]
    top = pl.max_horizontal(*ends)
    shared = []
    for seat, (end, place) in enumerate(zip(ends, places, strict=True)):
        level = _level(ends, seat).cast(pl.Int32)
        share = pot // level // 100 * 100
        if rules.leftover_sticks == "first_shared":  # the remainder goes to the earliest seat
            share = share + pl.when(place == 1).then(pot - share * level).otherwise(0)
        shared.append(end + pl.when(end == top).then(share).otherwise(0))
    return shared


def placements(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's placement from ``final_i``; equal seats share the better one or not."""
    points = seats("final", players)
    if rules.ties == "seat":
        return _places(points)
    return [1 + _sum((other > own).cast(pl.Int16) for other in points) for own in points]


def _uma(rules: RuleSet, players: int, place: pl.Expr) -> pl.Expr:
    """Return uma and oka in points for a place 1, 2, … that is not shared."""
    tables = rules.uma_floating or (rules.uma,)
    bonus = pl.lit(0, dtype=pl.Int32)
    floating = _sum((p >= rules.return_points).cast(pl.Int16) for p in seats("final", players))
    for count, table in enumerate(tables):
        chosen = pl.lit(0, dtype=pl.Int32)
        for position, thousands in enumerate(table[:players], start=1):
            oka = rules.oka if position == 1 else 0
            chosen = pl.when(place == position).then(1000 * (thousands + oka)).otherwise(chosen)
        if len(tables) == 1:
            return chosen
        bonus = pl.when(floating == count).then(chosen).otherwise(bonus)
    return bonus


def _shared_uma(rules: RuleSet, players: int, seat: int) -> pl.Expr:
    """Return uma and oka in points of a seat; equal seats share those of their places."""
    points = seats("final", players)
    better = _sum((other > points[seat]).cast(pl.Int16) for other in points)
    level = _level(points, seat)
    pot = _sum(
        pl.when((place > better) & (place <= better + level))
        .then(_uma(rules, players, pl.lit(place)))
        .otherwise(0)
        for place in range(1, players + 1)
    )
    if rules.ties == "shared":
        return pot / level
    share = pot // level // 100 * 100
    first_of_level = _places(points)[seat] == better + 1
    return share + pl.when(first_of_level).then(pot - share * level).otherwise(0)


def results(rules: RuleSet, players: int, *, whole_thousands: bool) -> list[pl.Expr]:
    """Return each seat's final result in thousands from ``final_i`` (T1, T2, T11).

    The results are exact, or points are rounded to whole thousands, half away from zero, and first
    place takes the balance: -500 points are -1 thousand.
    """
    if whole_thousands:
        return balanced(places_by_seat(players), rounded_results(rules, players))
    return [
        (own - rules.return_points + bonus) / 1000
        for own, bonus in zip(seats("final", players), _bonuses(rules, players), strict=True)
    ]


def _bonuses(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's uma and oka in points."""
    if rules.ties == "seat":
        return [_uma(rules, players, place) for place in places_by_seat(players)]
    return [_shared_uma(rules, players, seat) for seat in range(players)]


def places_by_seat(players: int) -> list[pl.Expr]:
    """Return each seat's placement from ``final_i``; of equal seats the earlier one is ahead."""
    return _places(seats("final", players))


def rounded_results(rules: RuleSet, players: int) -> list[pl.Expr]:
    """Return each seat's result with points rounded to whole thousands, before :func:`balanced`."""
    return [
        (own.sign() * ((own.abs() + 500) // 1000) * 1000 - rules.return_points + bonus) / 1000
        for own, bonus in zip(seats("final", players), _bonuses(rules, players), strict=True)
    ]


def balanced(places: Sequence[pl.Expr], rounded: Sequence[pl.Expr]) -> list[pl.Expr]:
    """Return the rounded results, of which first place takes the balance."""
    others = _sum(
        pl.when(place == 1).then(0.0).otherwise(value)
        for place, value in zip(places, rounded, strict=True)
    )
    return [
        pl.when(place == 1).then(-others).otherwise(value)
        for place, value in zip(places, rounded, strict=True)
    ]
