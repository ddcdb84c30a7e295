"""Points: limits, what a win is worth, and who pays what.

The base points of a hand are fu × 2^(han + 2), at most 2000 (mangan). More han give a base of 3000,
4000 or 6000, and a yakuman 8000. By ron the discarder pays four times the base, or six times the
base to the dealer. By tsumo each child pays the base once and the dealer pays it twice; to a dealer
everyone pays it twice. Each payment is rounded up to 100. Honba and sticks go to the winner in
addition. A feeder who is liable for a yakuman (pao) pays for others.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from paifu.game.events import LIMITS
from paifu.rules.riichi.ruleset import RuleSet

MANGAN = 2000
YAKUMAN_BASE = 8000
STICK = 1000
_LADDER = ((5, 2000), (6, 3000), (8, 4000), (11, 6000))
"""The lowest han of each limit, with its base: mangan, haneman, baiman, sanbaiman."""
COUNTED_YAKUMAN_HAN = 13
SEATS = range(4)

PAO_COLUMNS = (
    ("daisangen", "pao_daisangen"), ("daisuushii", "pao_daisuushi"), ("suukantsu", "pao_suukantsu")
)  # fmt: skip
"""Yakuman that a seat can be liable for, with the column that says who fed it."""


def yakuman_paid(ruleset: RuleSet, yakuman: pl.Expr) -> pl.Expr:
    """Return how many of a hand's yakuman are paid."""
    return yakuman.clip(upper_bound=ruleset.max_yakuman) if ruleset.max_yakuman else yakuman


def _first_of(cases: Sequence[tuple[pl.Expr, pl.Expr]], otherwise: pl.Expr) -> pl.Expr:
    """Return the value of the first case that holds."""
    for condition, value in reversed(cases):
        otherwise = pl.when(condition).then(value).otherwise(otherwise)
    return otherwise


def base_points(ruleset: RuleSet, han: pl.Expr, fu: pl.Expr, yakuman: pl.Expr) -> pl.Expr:
    """Return a hand's base points; ``han`` includes dora, ``yakuman`` is how many are paid."""
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

    A hand that kiriage raises to the points of a mangan has the limit ``none``, as in Tenhou's
    logs.
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
    """Return what one payer of a tsumo pays, without honba; ``dealer_pays``: it is the dealer's."""
    share = _rounded(base * pl.when(is_dealer | dealer_pays).then(2).otherwise(1))
    if ruleset.tsumo_loss == "lost":
        return share
    if ruleset.tsumo_loss == "equal":
        three = _rounded((ron_points(base, is_dealer) + 1) // 2)
    else:  # each of the two pays half the absent child's share
        three = share + _rounded((base * pl.when(is_dealer).then(2).otherwise(1) + 1) // 2)
    return pl.when(pl.col("players") == 3).then(three).otherwise(share)


PAYMENT_COLUMNS = (
    "players", "winner", "loser", "dealer", "tsumo", "honba", "sticks", "pao_daisangen",
    "pao_daisuushi", "pao_suukantsu", "wareme",
)  # fmt: skip
"""Fields of :class:`~paifu.rules.hands.hands.Hands` that :func:`payments` reads."""


def with_payments(frame: pl.LazyFrame, ruleset: RuleSet, fed: Sequence[str]) -> pl.LazyFrame:
    """Add ``points honba_points stick_points pao_seat delta_0 … delta_3`` to scored hands.

    The frame has ``base`` (int32), ``is_dealer``, the columns of ``PAYMENT_COLUMNS`` and, for each
    yakuman of ``fed``, ``fed_<yakuman>``: how many yakuman its feeder is liable for (0: no seat is
    liable).
    """
    honba = pl.col("honba").cast(pl.Int32) * ruleset.honba
    frame = frame.with_columns(
        each_honba=honba, honba_points=honba * (pl.col("players").cast(pl.Int32) - 1)
    )
    frame = _with_liability(frame, fed)
    rest, is_dealer = pl.col("rest"), pl.col("is_dealer")
    frame = frame.with_columns(
        ron_value=ron_points(rest, is_dealer),
        child_share=tsumo_share(ruleset, rest, is_dealer, pl.lit(False)),
        dealer_share=tsumo_share(ruleset, rest, is_dealer, pl.lit(True)),
    )
    frame = frame.with_columns(
        pl.when((pl.col("winner") == seat) | (pl.col("players") <= seat))
        .then(pl.lit(0, pl.Int32))
        .otherwise(_paid(ruleset, seat, fed))
        .alias(f"paid_{seat}")
        for seat in SEATS
    )
    frame = frame.with_columns(
        total=pl.sum_horizontal(f"paid_{seat}" for seat in SEATS),
        stick_points=pl.col("sticks").cast(pl.Int32) * STICK,
    )
    gain = pl.col("total") + pl.col("stick_points")
    return frame.with_columns(
        (pl.col("total") - pl.col("honba_points")).alias("points"),
        pl.col("feeder").cast(pl.Int16).alias("pao_seat"),
        *(
            pl.when(pl.col("players") > seat)
            .then(pl.when(pl.col("winner") == seat).then(gain).otherwise(-pl.col(f"paid_{seat}")))
            .alias(f"delta_{seat}")
            for seat in SEATS
        ),
    )


def _with_liability(frame: pl.LazyFrame, fed: Sequence[str]) -> pl.LazyFrame:
    """Add ``rest``, the base points that no feeder is liable for, and the parts of the feeders.

    ``feeder`` is the seat of the first feeder. If ``fed`` names any yakuman, ``own_0`` … ``own_3``
    are the ron value of each seat's part and ``all_fed`` is their sum.
    """
    if not fed:
        return frame.with_columns(rest=pl.col("base"), feeder=pl.lit(None, pl.Int8))
    parts = [(pl.col(column), pl.col(f"fed_{key}")) for key, column in PAO_COLUMNS if key in fed]
    count = pl.sum_horizontal(fed_by for _, fed_by in parts).cast(pl.Int32)
    first = pl.coalesce(pl.when(fed_by > 0).then(seat) for seat, fed_by in parts)

    def owned(seat: int) -> pl.Expr:
        own = pl.sum_horizontal(pl.when(who == seat).then(n).otherwise(0) for who, n in parts)
        return ron_points(own.cast(pl.Int32) * YAKUMAN_BASE, pl.col("is_dealer"))

    return frame.with_columns(
        rest=pl.col("base") - count * YAKUMAN_BASE,
        feeder=first,
        all_fed=ron_points(count * YAKUMAN_BASE, pl.col("is_dealer")),
        **{f"own_{seat}": owned(seat) for seat in SEATS},
    )


def _share(seat: int) -> pl.Expr:
    """Return the seat's share of a tsumo, without honba."""
    return pl.when(pl.col("dealer") == seat).then("dealer_share").otherwise("child_share")


def _paid(ruleset: RuleSet, seat: int, fed: Sequence[str]) -> pl.Expr:
    """Return what a seat other than the winner pays; the seat of wareme pays and gets double.

    Honba is not doubled.
    """
    value, honba = _liable_payment(ruleset, seat) if fed else _payment(seat)
    if ruleset.wareme:
        broken = (pl.col("wareme") == seat) | (pl.col("wareme") == pl.col("winner"))
        value = value * pl.when(broken).then(2).otherwise(1)
    return value + honba


def _payment(seat: int) -> tuple[pl.Expr, pl.Expr]:
    """Return what a seat other than the winner pays, and the honba, if no seat is liable."""
    none = pl.lit(0, pl.Int32)
    by_ron = pl.col("loser") == seat
    value = pl.when("tsumo").then(_share(seat)).when(by_ron).then("ron_value").otherwise(none)
    honba = pl.when("tsumo").then("each_honba").when(by_ron).then("honba_points").otherwise(none)
    return value, honba


def _liable_payment(ruleset: RuleSet, seat: int) -> tuple[pl.Expr, pl.Expr]:
    """Return the same if a feeder may be liable.

    By tsumo the feeder pays the whole ron value of the yakuman he is liable for, and his share of
    the rest. By ron the feeder and the discarder each pay half of those yakuman, and the discarder
    pays the rest. The feeder pays the honba of a tsumo. By ron the rule set says who pays the
    honba.
    """
    own, honba, feeder = pl.col(f"own_{seat}"), pl.col("honba_points"), pl.col("feeder")
    tsumo_honba = (
        pl.when(feeder.is_null()).then("each_honba").when(feeder == seat).then(honba).otherwise(0)
    )
    others = pl.col("all_fed") - own
    by_ron = (
        pl.when(pl.col("loser") == seat)
        .then(pl.col("ron_value") + own + others // 2)
        .otherwise(own // 2)
    )
    payer = pl.coalesce(feeder, "loser") if ruleset.pao_honba == "feeder" else pl.col("loser")
    ron_honba = pl.when(payer == seat).then(honba).otherwise(0)
    value = pl.when("tsumo").then(_share(seat) + own).otherwise(by_ron)
    return value, pl.when("tsumo").then(tsumo_honba).otherwise(ron_honba)
