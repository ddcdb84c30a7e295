"""How a session of a game other than riichi goes: who deals next, what a draw pays, when it ends.

A :class:`Flow` is the part of a rule set that says so, as data beside its fan table. What tables
may settle otherwise is an option of the game (:func:`flow_choices`), whose sentence says whether
the source of the game states it. The functions below take a ``Flow`` and the number of players.
They return Polars expressions for a frame with one row per round (or per session), sorted by
session and round, with these columns:

=============== ===========================================================================
``game_id``     the session; ``round_index`` the position of the round in it, from 0
``dealer``      the seat that dealt; ``wind`` the round wind, 0-3
``first_i``     bool: seat ``i`` won first in the round, alone or with others on the same tile
``discarder``   the seat whose tile they won on; NULL after a self-draw, or if it is not known
``waits_i``     bool: at a draw, seat ``i`` had not won yet; ``ready_i`` bool: its hand was ready;
                ``pig_i`` bool: its hand had all three suits (花猪)
``final_i``     points at the end of a session; ``change_i`` points won and lost in it;
                ``left_i`` bool: the seat left before its end
=============== ===========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options

STAYS, NEXT, WINNER, DISCARDER, AS_ONE = "stays", "next", "winner", "discarder", "as_one"
"""Who deals next: the same seat; the next seat; the winner; the seat whose tile several won on. The
last, after several wins: as after the dealer's win if the dealer is among the winners, otherwise as
after another's."""

ONE, ALL = "one", "all"
"""Who wins if several seats can win on the same tile: the first in turn, or all."""

NOBODY, OTHERS = "nobody", "others"
"""Who gets what a seat pays that leaves before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The flow of a game. The fields that :func:`flow_choices` names are options of the game."""

    said: Mapping[str, str] = field(default_factory=dict)
    """What the source says of options, in a sentence that follows theirs; "" if it simply states
    the value. It leaves the other options open."""
    more: frozenset[str] = frozenset()
    """The further options of ``_MORE`` that the game has."""

    start_points: int = 0
    rounds: int = 0
    circles: int = 0
    dealer_after_own_win: str = STAYS
    dealer_after_other_win: str = NEXT
    dealer_after_several_wins: str = AS_ONE
    dealer_after_draw: str = STAYS
    winners: str = ALL

    play_on: bool = False
    flower_pig: int | None = NO_AMOUNT
    not_ready: int | None = NO_AMOUNT
    pig_pays_both: bool = False
    kongs_returned: bool = False
    false_win: int | None = NO_AMOUNT
    leaving_fine: int = 0
    leaving_fine_to: str = NOBODY
    table_points: tuple[float, ...] = ()
    coin: int | None = NO_AMOUNT
    leaving_coins: int | None = NO_AMOUNT

    has_winds: bool = False
    """The round wind counts; it changes when the deal has passed all seats (圈风)."""
    by_discard: bool = True
    """A hand can win on a discard."""
    undrawn: int = 0
    """Tiles that are still in the wall when a round is drawn."""
    forced_last: int = 0
    """The last tiles of the wall on which a seat that can win must win."""
    missed_win: str = ""
    """漏和: on what a seat may not win after it let a winning discard pass, in a sentence."""
    ranks: tuple[tuple[str, int], ...] = ()
    """The ranks of the platform, each with the points that it takes, ascending."""

    @property
    def in_turn(self) -> bool:
        """The deal passes from seat to seat in turn, so that circles (圈) can be counted."""
        several = self.winners == ONE or self.dealer_after_several_wins == AS_ONE
        return several and self.dealer_after_other_win == NEXT

    @property
    def always_passes(self) -> bool:
        """Whatever happens in a round, the next seat deals next."""
        always = (self.dealer_after_own_win, self.dealer_after_other_win, self.dealer_after_draw)
        return set(always) == {NEXT} and self.dealer_after_several_wins == AS_ONE

    @property
    def most_winners(self) -> int:
        """How many seats win before a round ends, players - 1 at most; 1: the first win ends it."""
        return 3 if self.play_on else 1


_OPEN = "The source does not say."
_EVERY = (
    Choice("start_points", 0, "Points each seat starts a session with; 0: those that the record "
           "begins with."),
    Choice("rounds", 0, "Rounds of a session; 0: as many as are played."),
    Choice("circles", 0, "Times that the deal passes all seats (圈) in a session, which may end "
           "earlier by the clock; 0: as often as is played."),
    Choice("dealer_after_own_win", STAYS, "Who deals after a win of the dealer.", (STAYS, NEXT)),
    Choice("dealer_after_other_win", NEXT, "Who deals after the win of another seat.",
           (NEXT, WINNER, STAYS)),
    Choice("dealer_after_several_wins", AS_ONE, "Who deals after several wins on one tile (通炮): "
           "as after the dealer's win if the dealer is among them, otherwise as after another's; "
           "or the seat that discarded the tile.", (AS_ONE, DISCARDER)),
    Choice("dealer_after_draw", STAYS, "Who deals after a draw.", (STAYS, NEXT)),
    Choice("winners", ALL, "Who wins if several seats can win on one tile: all, or the first in "
           "turn (截胡).", (ALL, ONE)),
)  # fmt: skip
_MORE = (
    Choice("play_on", False, "Play goes on after a win until one seat is left or the wall ends "
           "(血战到底).", (False, True)),
    Choice("flower_pig", NO_AMOUNT, "What a seat with all three suits (花猪) pays each seat "
           "without, at a draw (查花猪)."),
    Choice("not_ready", NO_AMOUNT, "What a seat that is not ready pays each seat that is, at a "
           "draw (查大叫)."),
    Choice("pig_pays_both", False, "A seat with all three suits also pays as a seat that is not "
           "ready.", (False, True)),
    Choice("kongs_returned", False, "A seat that is not ready at a draw gives back what it got for "
           "kongs in the round.", (False, True)),
    Choice("false_win", NO_AMOUNT, "What a seat pays each other seat for a false win (诈和)."),
    Choice("leaving_fine", 0, "What a seat pays that leaves before the end, in bases."),
    Choice("leaving_fine_to", NOBODY, "Who gets the fine of a seat that leaves.",
           (NOBODY, OTHERS)),
    Choice("table_points", (4, 2, 1, 0), "What the places of a session are worth (table points); "
           "seats with equal points share them."),
    Choice("coin", NO_AMOUNT, "Coins that a point is worth."),
    Choice("leaving_coins", NO_AMOUNT, "Coins that a seat loses that leaves before the end; the "
           "other seats' coins do not change."),
)  # fmt: skip


def flow_choices(flow: Flow) -> tuple[Choice, ...]:
    """Return the options by which tables may change a flow, with the flow's values as defaults."""
    return tuple(
        Choice(
            choice.name,
            getattr(flow, choice.name),
            f"{choice.doc} {flow.said.get(choice.name, _OPEN)}".strip(),
            choice.values,
        )
        for choice in (*_EVERY, *(each for each in _MORE if each.name in flow.more))
    )


def idle_options(flow: Flow, options: Options) -> dict[str, str]:
    """Return the options that have no effect beside the others, and what they need."""
    needs: dict[str, str] = {}
    if flow.winners == ONE:
        needs["dealer_after_several_wins"] = 'winners = "all"'
    if not flow.in_turn:
        needs["circles"] = "a deal that passes in turn"
    if not flow.flower_pig or flow.not_ready is None:
        needs["pig_pays_both"] = "amounts for flower_pig and not_ready"
    if not options.get("kong_money"):
        needs["kongs_returned"] = "kong_money = true"
    if flow.leaving_fine == 0:
        needs["leaving_fine_to"] = "a leaving_fine"
    return needs


# --- who deals next ---


def _of_seats(name: str, players: int) -> list[pl.Expr]:
    return [pl.col(f"{name}_{seat}") for seat in range(players)]


def _at(seat: pl.Expr, values: list[pl.Expr]) -> pl.Expr:
    """Return the value of the seat whose number is in a column."""
    found = pl.lit(None)
    for place, value in enumerate(values):
        found = pl.when(seat == place).then(value).otherwise(found)
    return found


def next_dealer(flow: Flow, players: int) -> pl.Expr:
    """Return the seat that deals after a round, int16.

    It is NULL if it depends on a fact that is not known: who won (``first_i`` is NULL) or on whose
    tile. A kong, a payment for a hand as dealt and a fine do not end a round, and do not pass the
    deal.
    """
    first = _of_seats("first", players)
    dealer = pl.col("dealer")
    following = (dealer + 1) % players
    nearest = pl.lit(None, pl.Int16)
    for step in range(players - 1, -1, -1):  # the nearest to the discarder, or to the dealer
        for seat in range(players):
            begin = pl.coalesce("discarder", "dealer")
            nearest = (
                pl.when(first[seat] & ((begin + 1 + step) % players == seat))
                .then(pl.lit(seat, pl.Int16))
                .otherwise(nearest)
            )
    seats = {STAYS: dealer, NEXT: following, WINNER: nearest, DISCARDER: pl.col("discarder")}
    count = pl.sum_horizontal(each.cast(pl.Int16) for each in first)
    one = (
        pl.when(_at(dealer, first))
        .then(seats[flow.dealer_after_own_win])
        .otherwise(seats[flow.dealer_after_other_win])
    )
    several = one if flow.dealer_after_several_wins == AS_ONE else seats[DISCARDER]
    known = pl.all_horizontal(each.is_not_null() for each in first)
    return (
        pl.when(known & (count == 0))
        .then(seats[flow.dealer_after_draw])
        .when(known & (count == 1))
        .then(one)
        .when(known)
        .then(several)
        .cast(pl.Int16)
    )


def next_round(flow: Flow, players: int) -> dict[str, pl.Expr]:
    """Return ``dealer``, ``wind`` and ``number`` of the round after a round, int16.

    Wind and number are those of a game in which the deal passes in turn: the wind changes when the
    last seat has dealt, the number is that of the dealer's seat. They are NULL for another game.
    """
    dealer = next_dealer(flow, players)
    if not flow.in_turn:
        return {"dealer": dealer, "wind": pl.lit(None, pl.Int16), "number": pl.lit(None, pl.Int16)}
    wind = pl.when(passes_all(flow, players)).then((pl.col("wind") + 1) % 4).otherwise("wind")
    return {
        "dealer": dealer,
        "wind": wind.cast(pl.Int16) if flow.has_winds else pl.lit(None, pl.Int16),
        "number": (dealer + 1).cast(pl.Int16),
    }


def passes_all(flow: Flow, players: int) -> pl.Expr:
    """Return whether a circle (圈) ends with the round: the last seat dealt and passes the deal."""
    return (pl.col("dealer") == players - 1) & (next_dealer(flow, players) == 0).fill_null(False)


def session_ends(flow: Flow, players: int) -> pl.Expr:
    """Return whether the session has to end with the round, at the latest."""
    ends = pl.lit(False)
    if flow.rounds:
        ends = ends | (pl.col("round_index") + 1 >= flow.rounds)
    if flow.circles and flow.in_turn:
        passed = passes_all(flow, players).cast(pl.Int32).cum_sum().over("game_id")
        ends = ends | (passed >= flow.circles)
    return ends


# --- what is paid beside wins ---


def draw_payments(flow: Flow, players: int) -> list[pl.Expr]:
    """Return what each seat gets or pays at a draw, int32: 查花猪 and 查大叫 among the seats that
    have not won, where the game has them; otherwise nothing.

    NULL if an amount that has to be paid is missing, or if it is not known who is ready.
    """
    if "not_ready" not in flow.more:
        return [pl.lit(0, pl.Int32)] * players
    waits, ready, pig = (_of_seats(name, players) for name in ("waits", "ready", "pig"))
    ready = [own & ~swine for own, swine in zip(ready, pig, strict=True)]
    total = [pl.lit(0, pl.Int32)] * players
    for payer in range(players):
        for payee in range(players):
            if payer == payee:
                continue
            both = waits[payer] & waits[payee]
            unready = ~ready[payer] if flow.pig_pays_both else ~ready[payer] & ~pig[payer]
            for owed, amount in (
                (pig[payer] & ~pig[payee], flow.flower_pig),
                (unready & ready[payee], flow.not_ready),
            ):
                paid = pl.when(both & owed).then(pl.lit(amount, pl.Int32)).otherwise(0)
                paid = pl.when(both & owed.is_null()).then(None).otherwise(paid)
                total[payer] = total[payer] - paid
                total[payee] = total[payee] + paid
    return total


def missing_at_draw(flow: Flow, players: int) -> pl.Expr:
    """Return the names of the amounts that a draw needs and that are not given, or NULL."""
    if "not_ready" not in flow.more:
        return pl.lit(None, pl.String)
    waits, ready, pig = (_of_seats(name, players) for name in ("waits", "ready", "pig"))

    def both(one: list[pl.Expr], other: list[pl.Expr]) -> pl.Expr:
        """Return whether some seat that has not won is the one, and some such seat the other."""
        return pl.any_horizontal(w & a for w, a in zip(waits, one, strict=True)) & (
            pl.any_horizontal(w & b for w, b in zip(waits, other, strict=True))
        )

    lacking = [
        pl.when(both(pig, [~each for each in pig]) & pl.lit(flow.flower_pig is NO_AMOUNT)).then(
            pl.lit("flower_pig")
        ),
        pl.when(both(ready, [~each for each in ready]) & pl.lit(flow.not_ready is NO_AMOUNT)).then(
            pl.lit("not_ready")
        ),
    ]
    names = pl.concat_str(lacking, separator=", ", ignore_nulls=True)
    return pl.when(names != "").then(names)


def false_win_payments(flow: Flow, players: int, seat: int) -> list[int] | None:
    """Return what each seat gets or pays if ``seat`` declares a false win; None if not given.

    >>> false_win_payments(Flow(false_win=10), 4, 1)
    [10, -30, 10, 10]
    """
    if flow.false_win is None:
        return None
    paid = [flow.false_win] * players
    paid[seat] = -flow.false_win * (players - 1)
    return paid


def leaving_payments(flow: Flow, base: int, players: int, seat: int) -> list[int]:
    """Return what each seat gets or pays if ``seat`` leaves before the end.

    >>> leaving_payments(Flow(leaving_fine=8), 10, 4, 2)
    [0, 0, -80, 0]
    """
    fine = flow.leaving_fine * base
    share = fine // (players - 1) if flow.leaving_fine_to == OTHERS else 0
    paid = [share] * players
    paid[seat] = -share * (players - 1) if share else -fine
    return paid


# --- what a session is worth ---


def session_results(flow: Flow, players: int) -> list[pl.Expr]:
    """Return what a session is worth to each seat, float64: table points or coins, else NULL.

    Seats with equal points share the table points of their places. A seat that left loses
    ``leaving_coins``, and the coins of the others do not change.
    """
    final = _of_seats("final", players)
    if flow.table_points:
        sums = [0.0]
        for worth in flow.table_points:
            sums.append(sums[-1] + worth)
        upto = dict(enumerate(sums))
        results = []
        for own in final:
            above = pl.sum_horizontal((other > own).cast(pl.Int32) for other in final)
            alike = pl.sum_horizontal((other == own).cast(pl.Int32) for other in final)
            shared = [
                count.replace_strict(upto, default=None, return_dtype=pl.Float64)
                for count in (above + alike, above)
            ]
            results.append((shared[0] - shared[1]) / alike)
        return results
    if "coin" in flow.more:
        left = _of_seats("left", players)
        anyone = pl.any_horizontal(left)
        return [
            pl.when(own_left)
            .then(-pl.lit(flow.leaving_coins, pl.Float64))
            .when(anyone)
            .then(0.0)
            .otherwise(change * pl.lit(flow.coin, pl.Float64))
            for change, own_left in zip(_of_seats("change", players), left, strict=True)
        ]
    return [pl.lit(None, pl.Float64)] * players


def rank_of(points: int, flow: Flow) -> str | None:
    """Return the highest rank of a platform that so many points give; None below the first.

    >>> ranks = (("九万", 12_000), ("东风", 20_000))
    >>> [rank_of(points, Flow(ranks=ranks)) for points in (11_999, 12_000, 99_999)]
    [None, '九万', '东风']
    """
    reached = [name for name, needed in flow.ranks if points >= needed]
    return reached[-1] if reached else None
