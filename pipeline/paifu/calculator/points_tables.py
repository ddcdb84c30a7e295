"""The points tables of a rule set: what each number of han and fu is worth, and who pays it.

>>> table = points_table("tenhou-4p")
>>> table.filter(dealer=False, han=3, fu=30).select("ron", "tsumo_dealer", "tsumo_other").row(0)
(3900, 2000, 1000)
>>> points_table("mleague").filter(dealer=True, han=4, fu=30).select("ron", "tsumo_other").row(0)
(12000, 4000)

The values are those of the expressions that the engine scores with.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from paifu.calculator.hand_scores import load_rules
from paifu.errors import RuleError
from paifu.rules.fan.game import Game, resolved
from paifu.rules.riichi.points import (
    COUNTED_YAKUMAN_HAN,
    base_points,
    limit_word,
    ron_points,
    tsumo_share,
)
from paifu.rules.riichi.ruleset import RuleSet

_FU = (20, 25, *range(30, 120, 10))
_HAN_WITH_FU = range(1, 5)
"""Han of which the fu matter."""
_LIMIT_HAN = (5, 6, 7, 8, 9, 10, 11, 12, COUNTED_YAKUMAN_HAN)
_MOST_YAKUMAN = 3
"""Yakuman at once that a table shows, where the rule set pays for several."""
_MOST_FAN = 88
"""Fan of the highest single fan of MCR."""
_NUMBERS = frozenset({"fan", "bonus", "worth", "is_dealer"})
"""What a table by numbers of fan knows about a hand."""


def points_table(rules: str | Path | RuleSet | Game = "tenhou-4p") -> pl.DataFrame:
    """Return what wins are worth under a rule set, without honba and sticks.

    Returns
    -------
    For riichi a row for each pair of han and fu, for each limit and for each number of yakuman,
    first for other seats, then for the dealer: ``dealer`` (bool), ``han``, ``fu`` (NULL for limits
    of five han or more), ``yakuman``, ``limit``, ``ron`` (points of a ron), ``tsumo_dealer`` and
    ``tsumo_other`` (what the dealer and each other seat pay for a tsumo), ``tsumo`` (their sum).
    NULL where no hand can have the han and fu: 20 fu are a closed pinfu tsumo, and seven pairs have
    two han of their own.

    For other games a row for each number of fan that may win, up to 88: ``fan``, ``ron_loser`` and
    ``ron_other`` (what the discarder and each other seat pay), ``ron`` (their sum), ``tsumo_each``,
    ``tsumo``. A game in which the dealer pays or gets more has a column ``dealer`` too.

    Raises
    ------
    RuleError
        The rule set cannot be found, gives no amount, or the points of its hands do not follow from
        the number of fan alone.
    """
    ruleset = load_rules(rules)
    return _game_table(ruleset) if isinstance(ruleset, Game) else _riichi_table(ruleset)


def _riichi_table(ruleset: RuleSet) -> pl.DataFrame:
    players = ruleset.players or 4
    most = min(ruleset.max_yakuman or _MOST_YAKUMAN, _MOST_YAKUMAN)
    rows = [
        *((han, fu, 0) for han in _HAN_WITH_FU for fu in _FU),
        *((han, None, 0) for han in _LIMIT_HAN
          if han < COUNTED_YAKUMAN_HAN or ruleset.counted_yakuman != "off"),
        *((None, None, times) for times in range(1, most + 1)),
    ]  # fmt: skip
    schema = {"han": pl.Int16, "fu": pl.Int16, "yakuman": pl.Int16}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    both = pl.concat([frame.with_columns(dealer=pl.lit(value)) for value in (False, True)])
    han, fu, yakuman = pl.col("han").fill_null(0), pl.col("fu").fill_null(30), pl.col("yakuman")
    dealer, base = pl.col("dealer"), pl.col("base")
    worth = both.with_columns(
        base=base_points(ruleset, han, fu, yakuman),
        limit=limit_word(ruleset, han, fu, yakuman),
        players=pl.lit(players, pl.Int8),
    ).with_columns(
        ron=ron_points(base, dealer),
        tsumo_dealer=tsumo_share(ruleset, base, dealer, pl.lit(True)),
        tsumo_other=tsumo_share(ruleset, base, dealer, pl.lit(False)),
    )
    others = players - 1 - (~dealer).cast(pl.Int32)
    seven_pairs = pl.col("fu") == ruleset.chiitoitsu_fu
    pinfu_tsumo = pl.col("fu") == 20
    by_ron = ~(pinfu_tsumo.fill_null(False) | ((pl.col("fu") == 25) & (han < 2)).fill_null(False))
    by_tsumo = ~(
        (pinfu_tsumo & ((han < 2) | pl.lit(not ruleset.pinfu_tsumo))).fill_null(False)
        | ((pl.col("fu") == 25) & (seven_pairs & (han < 3))).fill_null(False)
    )
    kept = worth.filter((pl.col("fu") != 25).fill_null(True) | pl.lit(ruleset.chiitoitsu_fu == 25))
    return kept.select(
        "dealer", "han", "fu", "yakuman", "limit",
        ron=pl.when(by_ron).then("ron"),
        tsumo_dealer=pl.when(by_tsumo & ~dealer).then("tsumo_dealer"),
        tsumo_other=pl.when(by_tsumo).then("tsumo_other"),
        tsumo=pl.when(by_tsumo).then(
            pl.when(dealer).then(0).otherwise("tsumo_dealer") + others * pl.col("tsumo_other")
        ),
    ).filter(pl.any_horizontal(pl.col("ron", "tsumo").is_not_null()))  # fmt: skip


def _game_table(game: Game) -> pl.DataFrame:
    worth = resolved(game.worth, game.options)
    payments = game.payments(game.options)
    used = {*worth.meta.root_names(), *(n for e in payments.values() for n in e.meta.root_names())}
    if game.by_name or not payments or not used <= _NUMBERS or used.isdisjoint({"fan"}):
        raise RuleError(
            f"the points of {game.name} do not follow from a number of fan alone: paifu rulesets "
            f"{game.name} says what each hand is worth"
        )
    if game.missing:
        raise RuleError(
            f"the rules of {game.name} give no amount for {', '.join(game.missing)}: set it in a "
            f"TOML file with extends = {game.extends or game.name!r}"
        )
    highest = min(_MOST_FAN, sum(fan.points for fan in game.fan))
    frame = pl.DataFrame({"fan": range(1, highest + 1)}, schema={"fan": pl.Int16})
    frame = frame.with_columns(bonus=pl.lit(0, pl.Int16))
    may_win = resolved(game.may_win, game.options)
    if set(may_win.meta.root_names()) <= {"fan"}:
        frame = frame.filter(may_win)
    if "is_dealer" in used:
        frame = pl.concat(
            [frame.with_columns(is_dealer=pl.lit(dealer)) for dealer in (False, True)]
        )
    frame = frame.with_columns(worth=worth.cast(pl.Int32))
    frame = frame.with_columns(**{name: expr.cast(pl.Int32) for name, expr in payments.items()})
    others = game.players - 1
    none = pl.lit(0, pl.Int32)
    loser = pl.col("from_loser") if "from_loser" in payments else none
    other = pl.col("from_other") if "from_other" in payments else none
    return frame.select(
        *([pl.col("is_dealer").alias("dealer")] if "is_dealer" in used else []),
        "fan",
        ron_loser=loser,
        ron_other=other,
        ron=loser + (others - 1) * other,
        tsumo_each=pl.col("from_each"),
        tsumo=others * pl.col("from_each"),
    )
