"""A rule set as expressions over readings: from the yaku found to what each reading is worth.

The stages run one after the other over the rows of ``shapes``. They find the yaku; the yaku that
count together; han, yakuman and whether the form counts at all; the parts of fu; fu and han; base
points; whether the han suffice; and the key that readings are compared by.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from paifu.rules.hands.features import closed, has
from paifu.rules.hands.shapes import FIRST_SPECIAL, REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS
from paifu.rules.riichi.all_yaku import RULES, replaced_by
from paifu.rules.riichi.fu import fu_parts, total_fu
from paifu.rules.riichi.points import base_points, yakuman_paid
from paifu.rules.riichi.rule import Rule
from paifu.rules.riichi.ruleset import YAKUMAN, RuleSet

Stage = tuple[pl.Expr, ...]

CONTEXT = (
    "tsumo", "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "after_kita", "haitei",
    "houtei", "after_rinshan", "chankan", "first_turn", "loser_riichi", "seat_wind", "round_wind",
    "kuitan", "dealer_wins", "dealer_rounds", "table_honba", "is_dealer",
)  # fmt: skip
"""Fields of ``Hands`` (and ``is_dealer``) that expressions may use."""

_FORM_OF = {
    "chiitoitsu": SEVEN_PAIRS,
    "kokushi": THIRTEEN_ORPHANS,
    "kokushi_13": THIRTEEN_ORPHANS,
    "shiisanpuutaa": FIRST_SPECIAL,
}
"""Forms that can win only if their yaku counts."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A rule set as expressions over readings, stage by stage."""

    keys: tuple[str, ...]
    """Yaku that can count, in listing order; each is a boolean column of the last stage."""
    stages: tuple[Stage, ...]
    """They read the features of a reading, the circumstances of ``context`` and ``bonus`` (han
    from dora, int16), and leave ``yakuman yaku_han counted han fu base worthy key`` and the parts
    of fu; ``counted`` is the han that a win needs some of, and ``key`` (int64) is -1 where the
    reading does not count."""
    context: tuple[str, ...]
    flat_renhou: bool
    """Whether renhou may count alone, without bonus han."""
    raised: tuple[str, ...]
    """Yaku below yakuman that become a yakuman if the discarder is not in riichi."""


@lru_cache(maxsize=32)
def plan_of(ruleset: RuleSet) -> Plan:
    """Return the plan of a rule set."""
    rules = [rule for rule in RULES if rule.key in ruleset.yaku]
    keys = tuple(rule.key for rule in rules)
    yakuman = [key for key in keys if is_yakuman(ruleset, key)]
    ordinary = [key for key in keys if key not in yakuman]
    flat_renhou = "renhou" in ordinary and not ruleset.renhou_combines
    added = [key for key in ordinary if not (flat_renhou and key == "renhou")]
    raised = tuple(key for key in ordinary if key.startswith("open_"))
    raised = raised if ruleset.open_riichi_yakuman else ()

    pinfu = has("pinfu") if "pinfu" in keys else pl.lit(False)
    total = has("yaku_han") + has("bonus")
    stages: list[Stage] = [
        tuple(_counts(rule, ruleset).alias(rule.key) for rule in rules),
        tuple(
            (has(old) & ~pl.any_horizontal(new)).alias(old)
            for old, new in replaced_by(ruleset).items()
        ),
        (
            yakuman_paid(ruleset, _yakuman(ruleset, yakuman, raised)).alias("yakuman"),
            _han(ruleset, added).alias("yaku_han"),
            _form_counts(ruleset).alias("countable"),
        ),
        tuple(part.alias(name) for name, part in fu_parts(ruleset, pinfu).items()),
        (total_fu(ruleset, total).alias("fu"), total.alias("han")),
        (base_points(ruleset, has("han"), has("fu"), has("yakuman")).alias("base"),),
        (_counted(ruleset).alias("counted"),),
        (_suffices(ruleset).alias("worthy"),),
        *(_flat_renhou(ruleset, keys) if flat_renhou else ()),
        (_key().alias("key"),),
    ]
    used = {name for stage in stages for expr in stage for name in expr.meta.root_names()}
    return Plan(
        keys,
        tuple(stage for stage in stages if stage),
        tuple(name for name in CONTEXT if name in used),
        flat_renhou,
        raised,
    )


def is_yakuman(ruleset: RuleSet, key: str) -> bool:
    """Return whether a yaku is a yakuman under a rule set."""
    han = ruleset.yaku[key].closed
    return han > 0 and han % YAKUMAN == 0


def _counts(rule: Rule, ruleset: RuleSet) -> pl.Expr:
    """Return whether a hand has a yaku that is worth something in its state, closed or open."""
    value, condition = ruleset.yaku[rule.key], rule.condition(ruleset)
    if rule.closed_only or not value.open:
        return condition & closed
    return condition if value.closed else condition & ~closed


def _form_counts(ruleset: RuleSet) -> pl.Expr:
    """Return whether a hand can win by the reading's form."""
    forms = {form for key, form in _FORM_OF.items() if key in ruleset.yaku}
    return has("form").is_in([REGULAR, *sorted(forms)])


def _sum_of(values: Iterable[tuple[str, int]]) -> pl.Expr:
    """Return the sum (int16) of values of boolean columns."""
    by_value: dict[int, list[str]] = {}
    for key, value in values:
        if value:
            by_value.setdefault(value, []).append(key)
    total = pl.lit(0, pl.Int16)
    for value, keys in sorted(by_value.items()):
        count = pl.sum_horizontal(pl.col(key).cast(pl.Int16) for key in keys)
        total = total + (count if value == 1 else count * pl.lit(value, pl.Int16))
    return total


def _han(ruleset: RuleSet, keys: list[str]) -> pl.Expr:
    """Return the han of the yaku that are not yakuman."""
    values = [(key, ruleset.yaku[key]) for key in keys]
    less_open = _sum_of((key, value.closed - value.open) for key, value in values)
    return _sum_of((key, value.closed) for key, value in values) - pl.when(closed).then(
        pl.lit(0, pl.Int16)
    ).otherwise(less_open)


def _yakuman(ruleset: RuleSet, keys: list[str], raised: tuple[str, ...]) -> pl.Expr:
    """Return how many yakuman there are."""
    count = _sum_of((key, ruleset.yaku[key].closed // YAKUMAN) for key in keys)
    if raised:
        dealt_in = pl.any_horizontal(raised) & ~has("tsumo") & ~has("loser_riichi")
        count = count + dealt_in.cast(pl.Int16)
    return count


def least_han(ruleset: RuleSet, honba: int) -> int:
    """Return how many han of yaku a win needs with so many honba on the table."""
    many = 0 < ruleset.two_han_honba <= honba
    return max(ruleset.min_han, 2) if many else ruleset.min_han


def _counted(ruleset: RuleSet) -> pl.Expr:
    """Return the han of the yaku that count towards what a win needs."""
    if ruleset.min_han_ippatsu or "ippatsu" not in ruleset.yaku:
        return has("yaku_han")
    own = pl.lit(ruleset.yaku["ippatsu"].closed, pl.Int16)
    return has("yaku_han") - has("ippatsu").cast(pl.Int16) * own


def _suffices(ruleset: RuleSet) -> pl.Expr:
    """Return whether the yaku have as many han as a win needs."""
    least = pl.lit(ruleset.min_han, pl.Int16)
    if honba := ruleset.two_han_honba:
        more = pl.lit(least_han(ruleset, honba), pl.Int16)
        least = pl.when(has("table_honba") >= honba).then(more).otherwise(least)
    return (has("yakuman") > 0) | (has("counted") >= least)


def _flat_renhou(ruleset: RuleSet, keys: tuple[str, ...]) -> tuple[Stage, ...]:
    """Return stages in which a renhou that does not add up counts alone if it is worth more."""
    flat_han = pl.lit(ruleset.yaku["renhou"].closed, pl.Int16)
    flat_base = base_points(ruleset, flat_han, has("fu"), pl.lit(0, pl.Int16))
    alone = has("renhou") & (has("yakuman") == 0) & (flat_base > has("base") * has("worthy"))
    return (
        (alone.alias("renhou"),),
        (
            *((has(key) & ~has("renhou")).alias(key) for key in keys if key != "renhou"),
            pl.when("renhou").then(flat_han).otherwise(has("han")).alias("han"),
            pl.when("renhou").then(flat_base).otherwise(has("base")).alias("base"),
            (has("worthy") | has("renhou")).alias("worthy"),
        ),
    )


def _key() -> pl.Expr:
    """Return the key of a reading: base points, a yakuman before a counted yakuman, han, fu."""
    worth = (has("base") * has("worthy")).cast(pl.Int64)
    is_limit_hand = (has("yakuman") > 0).cast(pl.Int64)
    key = worth * (1 << 24) + is_limit_hand * (1 << 23) + has("han").cast(pl.Int64) * (1 << 12)
    return pl.when("countable").then(key + has("fu")).otherwise(-1)
