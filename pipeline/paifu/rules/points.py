"""Points: limits, what a win is worth, and who pays what.

The base of a hand is fu × 2^(han + 2), 2000 (mangan) at most, then by han 3000, 4000, 6000 and 8000
for a yakuman. By ron the discarder pays four times the base, six times to the dealer; by tsumo each
child pays it once and the dealer, or everyone to the dealer, twice. Each payment is rounded up to
100. Honba and sticks go to the winner on top; a feeder liable for a yakuman (pao) pays for others.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from paifu.events import LIMITS
from paifu.rules.ruleset import RuleSet

MANGAN = 2000
YAKUMAN_BASE = 8000
STICK = 1000
_LADDER = ((5, 2000), (6, 3000), (8, 4000), (11, 6000))
"""Han from which each limit holds, with its base: mangan, haneman, baiman, sanbaiman."""
COUNTED_YAKUMAN_HAN = 13
SEATS = range(4)

PAO_COLUMNS = (
    ("daisangen", "pao_daisangen"), ("daisuushii", "pao_daisuushi"), ("suukantsu", "pao_suukantsu")
)  # fmt: skip
"""Yakuman one can be liable for, with the column of who fed it."""


def yakuman_paid(ruleset: RuleSet, yakuman: pl.Expr) -> pl.Expr:
    """Return how many yakuman are paid of those a hand has."""
    return yakuman.clip(upper_bound=ruleset.max_yakuman) if ruleset.max_yakuman else yakuman


def _first_of(cases: Sequence[tuple[pl.Expr, pl.Expr]], otherwise: pl.Expr) -> pl.Expr:
    """Return the value of the first case that holds."""
    for condition, value in reversed(cases):
        otherwise = pl.when(condition).then(value).otherwise(otherwise)
    return otherwise


def base_points(ruleset: RuleSet, han: pl.Expr, fu: pl.Expr, yakuman: pl.Expr) -> pl.Expr:
    """Return a hand's base points; ``han`` with dora, ``yakuman`` how many are paid."""
    wide_fu = fu.cast(pl.Int32)
    small = _first_of(
        [(han == number, wide_fu * (4 << number)) for number in (1, 2, 3, 4)], wide_fu * 4
    ).clip(upper_bound=MANGAN)
    if ruleset.kiriage_mangan:  # 30 fu 4 han and 60 fu 3 han
        small = pl.when(small == 1920).then(pl.lit(MANGAN, pl.Int32)).otherwise(small)
    counted = pl.lit(YAKUMAN_BASE, pl.Int32)
    if ruleset.counted_yakuman == "multiple":
        counted = counted * (han // COUNTED_YAKUMAN_HAN)
    cases = [(yakuman > 0, yakuman.cast(pl.Int32) * YAKUMAN_BASE)]
    if ruleset.counted_yakuman != "off":
        cases.append((han >= COUNTED_YAKUMAN_HAN, counted))
    cases += [(han >= least, pl.lit(base, pl.Int32)) for least, base in reversed(_LADDER)]
    return _first_of(cases, small)


def limit_word(ruleset: RuleSet, han: pl.Expr, fu: pl.Expr, yakuman: pl.Expr) -> pl.Expr:
    """Return a hand's limit, one of ``events.LIMITS``.

    A hand that kiriage raises to a mangan's points stays ``none``, as Tenhou records it.
    """
    none, mangan, haneman, baiman, sanbaiman, kazoe, limit = (pl.lit(word) for word in LIMITS)
    cases = [(yakuman > 0, limit)]
    if ruleset.counted_yakuman != "off":
        cases.append((han >= COUNTED_YAKUMAN_HAN, kazoe))
    words = (mangan, haneman, baiman, sanbaiman)
    cases += [
        (han >= least, word) for (least, _), word in list(zip(_LADDER, words, strict=True))[::-1]
    ]
    full = ((han == 4) & (fu > 30)) | ((han == 3) & (fu > 60)) | ((han == 2) & (fu > 120))
    return _first_of([*cases, (full, mangan)], none)


def _rounded(points: pl.Expr) -> pl.Expr:
    """Return points rounded up to 100."""
    return (points + 99) // 100 * 100


def ron_points(base: pl.Expr, is_dealer: pl.Expr) -> pl.Expr:
    """Return what a discarder pays for a hand, without honba."""
    return _rounded(base * pl.when(is_dealer).then(6).otherwise(4))


def tsumo_share(
    ruleset: RuleSet, base: pl.Expr, is_dealer: pl.Expr, dealer_pays: pl.Expr
) -> pl.Expr:
    """Return what one payer of a tsumo pays, without honba; ``dealer_pays``: it is the dealer."""
    share = _rounded(base * pl.when(is_dealer | dealer_pays).then(2).otherwise(1))
    if ruleset.tsumo_loss == "lost":
        return share
    if ruleset.tsumo_loss == "equal":
        three = _rounded((ron_points(base, is_dealer) + 1) // 2)
    else:  # the absent child's share is halved between the two
        three = share + _rounded((base * pl.when(is_dealer).then(2).otherwise(1) + 1) // 2)
    return pl.when(pl.col("players") == 3).then(three).otherwise(share)


PAYMENT_COLUMNS = (
    "players", "winner", "loser", "dealer", "tsumo", "honba", "sticks", "pao_daisangen",
    "pao_daisuushi", "pao_suukantsu",
)  # fmt: skip
"""Fields of :class:`~paifu.rules.hands.Hands` that :func:`payments` reads."""


def payments(ruleset: RuleSet, fed: Sequence[str]) -> dict[str, pl.Expr]:
    """Return expressions for ``points honba_points stick_points pao_seat delta_0 … delta_3``.

    They read ``base`` (Int32), ``is_dealer``, the columns of ``PAYMENT_COLUMNS`` and, for each
    yakuman of ``fed``, ``fed_<yakuman>``: how many yakuman its feeder answers for (0: no one does).
    """
    honba = pl.col("honba").cast(pl.Int32) * (
        ruleset.honba * (pl.col("players").cast(pl.Int32) - 1)
    )
    sticks = pl.col("sticks").cast(pl.Int32) * STICK
    feeders = [(pl.col(column), pl.col(f"fed_{key}")) for key, column in PAO_COLUMNS if key in fed]
    feeder = pl.coalesce(
        *(pl.when(count > 0).then(seat) for seat, count in feeders), pl.lit(None, pl.Int8)
    )
    paid = []
    for seat in SEATS:
        own = (
            _own_payment(ruleset, seat, honba)
            if not fed
            else _payment_with_pao(ruleset, seat, honba, feeders, feeder)
        )
        out = (pl.col("winner") == seat) | (pl.col("players") <= seat)
        paid.append(pl.when(out).then(pl.lit(0, pl.Int32)).otherwise(own).cast(pl.Int32))
    total = pl.sum_horizontal(paid)
    deltas = {
        f"delta_{seat}": pl.when(pl.col("players") > seat).then(
            pl.when(pl.col("winner") == seat).then(total + sticks).otherwise(-paid[seat])
        )
        for seat in SEATS
    }
    return {
        "points": total - honba,
        "honba_points": honba,
        "stick_points": sticks,
        "pao_seat": feeder.cast(pl.Int16),
        **deltas,
    }


def _own_payment(ruleset: RuleSet, seat: int, honba: pl.Expr) -> pl.Expr:
    """Return what a seat other than the winner pays, honba included, where no one is liable."""
    base, is_dealer = pl.col("base"), pl.col("is_dealer")
    share = tsumo_share(ruleset, base, is_dealer, pl.col("dealer") == seat)
    each = pl.col("honba").cast(pl.Int32) * ruleset.honba
    by_ron = pl.when(pl.col("loser") == seat).then(ron_points(base, is_dealer) + honba).otherwise(0)
    return pl.when("tsumo").then(share + each).otherwise(by_ron)


def _payment_with_pao(
    ruleset: RuleSet,
    seat: int,
    honba: pl.Expr,
    feeders: Sequence[tuple[pl.Expr, pl.Expr]],
    feeder: pl.Expr,
) -> pl.Expr:
    """Return the same where a feeder may be liable.

    By tsumo the feeder pays the whole ron value of what he answers for, and his share of the rest;
    by ron the discarder and he halve it, and the discarder pays the rest. Tsumo honba is the
    feeder's; by ron the rule set says whose.
    """
    is_dealer = pl.col("is_dealer")
    fed = pl.sum_horizontal(count for _, count in feeders).cast(pl.Int32)
    own_fed = pl.sum_horizontal(
        pl.when(who == seat).then(count).otherwise(0) for who, count in feeders
    ).cast(pl.Int32)
    rest = pl.col("base") - fed * YAKUMAN_BASE
    own = ron_points(own_fed * YAKUMAN_BASE, is_dealer)
    others = ron_points((fed - own_fed) * YAKUMAN_BASE, is_dealer)
    liable = fed > 0
    is_loser = pl.col("loser") == seat

    share = tsumo_share(ruleset, rest, is_dealer, pl.col("dealer") == seat)
    each = pl.col("honba").cast(pl.Int32) * ruleset.honba
    tsumo_honba = pl.when(~liable).then(each).when(feeder == seat).then(honba).otherwise(0)
    by_ron = (
        pl.when(is_loser).then(ron_points(rest, is_dealer) + own + others // 2).otherwise(own // 2)
    )
    ron_honba_payer = pl.col("loser")
    if ruleset.pao_honba == "feeder":
        ron_honba_payer = pl.when(liable).then(feeder).otherwise(ron_honba_payer)
    ron_honba = pl.when(ron_honba_payer == seat).then(honba).otherwise(0)
    return pl.when("tsumo").then(share + own + tsumo_honba).otherwise(by_ron + ron_honba)
