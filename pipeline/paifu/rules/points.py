"""Points: limits, what a win is worth, and who pays what.

The base of a hand is fu × 2^(han + 2), 2000 (mangan) at most, then by han 3000, 4000, 6000 and 8000
for a yakuman. By ron the discarder pays four times the base, six times to the dealer; by tsumo each
child pays it once and the dealer, or everyone to the dealer, twice. Each payment is rounded up to
100. Honba and sticks go to the winner on top; a feeder liable for a yakuman (pao) pays for others.
"""

from __future__ import annotations

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


def base_points(ruleset: RuleSet, han: pl.Expr, fu: pl.Expr, yakuman: pl.Expr) -> pl.Expr:
    """Return a hand's base points; ``han`` with dora, ``yakuman`` how many are paid."""
    fu = fu.cast(pl.Int32)
    small = pl.when(han >= 5).then(pl.lit(MANGAN, pl.Int32))
    for number in (4, 3, 2):
        small = small.when(han == number).then(fu * (4 << number))
    base = small.otherwise(fu * 8).clip(upper_bound=MANGAN)
    if ruleset.kiriage_mangan:  # 30 fu 4 han and 60 fu 3 han
        base = pl.when(base == 1920).then(pl.lit(MANGAN, pl.Int32)).otherwise(base)
    counted = pl.lit(YAKUMAN_BASE, pl.Int32)
    if ruleset.counted_yakuman == "multiple":
        counted = counted * (han // COUNTED_YAKUMAN_HAN)
    ladder = pl.when(yakuman > 0).then(yakuman.cast(pl.Int32) * YAKUMAN_BASE)
    if ruleset.counted_yakuman != "off":
        ladder = ladder.when(han >= COUNTED_YAKUMAN_HAN).then(counted)
    for least, limit_base in reversed(_LADDER):
        ladder = ladder.when(han >= least).then(pl.lit(limit_base, pl.Int32))
    return ladder.otherwise(base)


def limit_word(ruleset: RuleSet, han: pl.Expr, fu: pl.Expr, yakuman: pl.Expr) -> pl.Expr:
    """Return a hand's limit, one of ``events.LIMITS``.

    A hand that kiriage raises to a mangan's points stays ``none``, as Tenhou records it.
    """
    word = pl.when(yakuman > 0).then(pl.lit(LIMITS[6]))
    if ruleset.counted_yakuman != "off":
        word = word.when(han >= COUNTED_YAKUMAN_HAN).then(pl.lit(LIMITS[5]))
    for position in (3, 2, 1, 0):
        word = word.when(han >= _LADDER[position][0]).then(pl.lit(LIMITS[position + 1]))
    full = ((han == 4) & (fu > 30)) | ((han == 3) & (fu > 60)) | ((han == 2) & (fu > 120))
    return word.when(full).then(pl.lit(LIMITS[1])).otherwise(pl.lit(LIMITS[0]))


def _rounded(points: pl.Expr) -> pl.Expr:
    """Return points rounded up to 100."""
    return (points + 99) // 100 * 100


def ron_points(base: pl.Expr, is_dealer: pl.Expr) -> pl.Expr:
    """Return what a discarder pays for a hand, without honba."""
    return _rounded(base * pl.when(is_dealer).then(6).otherwise(4))


def tsumo_share(ruleset: RuleSet, base: pl.Expr, is_dealer: pl.Expr, dealer_pays: pl.Expr) -> pl.Expr:
    """Return what one payer of a tsumo pays, without honba; ``dealer_pays``: it is the dealer."""
    share = _rounded(base * pl.when(is_dealer | dealer_pays).then(2).otherwise(1))
    if ruleset.tsumo_loss == "lost":
        return share
    if ruleset.tsumo_loss == "equal":
        three = _rounded((ron_points(base, is_dealer) + 1) // 2)
    else:  # the absent child's share is halved between the two
        three = share + _rounded((base * pl.when(is_dealer).then(2).otherwise(1) + 1) // 2)
    return pl.when(pl.col("players") == 3).then(three).otherwise(share)


def payments(ruleset: RuleSet) -> list[pl.Expr]:
    """Return expressions for ``points honba_points stick_points pao_seat delta_0 … delta_3``.

    They read the columns ``base`` (Int32), ``yakuman`` (paid ones), ``fed_daisangen`` … (yakuman
    paid for that fed hand), ``players winner loser dealer is_dealer tsumo honba sticks pao_…``.
    """
    col = pl.col
    base, is_dealer, drawn = col("base"), col("is_dealer"), col("tsumo")
    honba_each = col("honba").cast(pl.Int32) * ruleset.honba
    honba_all = honba_each * (col("players").cast(pl.Int32) - 1)
    sticks = col("sticks").cast(pl.Int32) * STICK

    # liability: per feeder the yakuman he answers for, and what the others still share
    fed = [
        (col(column), pl.when(col(column) >= 0).then(col(f"fed_{key}")).otherwise(0))
        for key, column in PAO_COLUMNS
        if key in ruleset.pao
    ]
    fed_count = pl.sum_horizontal(count for _, count in fed) if fed else pl.lit(0, pl.Int32)
    feeder = pl.coalesce(
        *(pl.when(count > 0).then(seat) for seat, count in fed), pl.lit(None, pl.Int8)
    )
    liable = fed_count > 0
    rest = base - fed_count * YAKUMAN_BASE

    def owed(seat: int) -> pl.Expr:
        """Yakuman the seat answers for as their feeder."""
        parts = [pl.when(who == seat).then(count).otherwise(0) for who, count in fed]
        return pl.sum_horizontal(parts) if parts else pl.lit(0, pl.Int32)

    def paid(seat: int) -> pl.Expr:
        """Points the seat pays, honba included, if it is not the winner."""
        share = tsumo_share(ruleset, rest, is_dealer, col("dealer") == seat) + (
            ron_points(owed(seat) * YAKUMAN_BASE, is_dealer)
        )
        honba_tsumo = (
            pl.when(liable).then(pl.when(feeder == seat).then(honba_all).otherwise(0))
            .otherwise(honba_each)
        )  # fmt: skip
        is_loser = col("loser") == seat
        # the discarder shares the fed part with its feeder, unless he is the feeder
        own = ron_points(owed(seat) * YAKUMAN_BASE, is_dealer)
        all_fed = ron_points(fed_count * YAKUMAN_BASE, is_dealer)
        as_loser = ron_points(rest, is_dealer) + own + (all_fed - own) // 2
        honba_payer = (
            pl.when(liable).then(feeder).otherwise(col("loser"))
            if ruleset.pao_honba == "feeder"
            else col("loser")
        )
        honba_ron = pl.when(honba_payer == seat).then(honba_all).otherwise(0)
        by_ron = pl.when(is_loser).then(as_loser).otherwise(own // 2) + honba_ron
        return pl.when(drawn).then(share + honba_tsumo).otherwise(by_ron)

    gain = [
        pl.when((col("winner") == seat) | (col("players") <= seat)).then(0).otherwise(paid(seat))
        for seat in SEATS
    ]
    total = pl.sum_horizontal(gain)
    return [
        (total - honba_all).alias("points"),
        honba_all.alias("honba_points"),
        sticks.alias("stick_points"),
        feeder.cast(pl.Int16).alias("pao_seat"),
        *(
            pl.when(col("players") <= seat)
            .then(None)
            .when(col("winner") == seat)
            .then(total + sticks)
            .otherwise(-gain[seat])
            .cast(pl.Int32)
            .alias(f"delta_{seat}")
            for seat in SEATS
        ),
    ]
