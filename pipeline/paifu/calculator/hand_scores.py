"""The hand calculator: one hand written as text, or a table of hands, scored under a rule set.

>>> found = score("234m067p345s88s67m", "8m", riichi=True, tsumo=True, seat="south")
>>> found.yaku
{'menzen_tsumo': 1, 'riichi': 1, 'pinfu': 1, 'tanyao': 1, 'aka_dora': 1}
>>> found.han, found.fu, found.limit, found.payments
(5, 20, 'mangan', {'east': -4000, 'south': 8000, 'west': -2000, 'north': -2000})
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from paifu.calculator.circumstances import WINDS, Circumstances
from paifu.errors import HandError
from paifu.game.tiles import tiles_text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from paifu.calculator.hand import Hand
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

__all__ = ["Circumstances", "HandScore", "score", "score_hands", "score_table", "try_hands"]


@dataclass(frozen=True, slots=True)
class HandScore:
    """The value of one hand."""

    ruleset: str
    hand: str
    """Concealed tiles with the winning tile, as MPSZ."""
    melds: str
    win_tile: str
    reading: str | None
    """The reading scored: ``123m 456p 789s 111z 55p``; None if it is not a complete hand."""
    yaku: dict[str, int]
    """Han by yaku (13 for a yakuman); bonus han (dora, ura_dora, aka_dora, kita) are last."""
    han: int | None
    """Han with bonus han; None for a yakuman, except a counted yakuman."""
    fu: int | None
    """None in other games than riichi; so are yakuman and limit."""
    fu_parts: tuple[tuple[str, int], ...]
    """The parts of the fu before rounding; empty for hands of fixed fu."""
    yakuman: int | None
    """How many yakuman; 0 without yakuman and for a counted yakuman."""
    limit: str | None
    """none, mangan, haneman, baiman, sanbaiman, kazoe (counted yakuman) or yakuman."""
    points: int
    """Without honba and sticks."""
    honba_points: int
    stick_points: int
    chips: int | None
    """Chips from each payer; None if the rule set has no chips."""
    payments: dict[str, int]
    """What each seat gains or loses, with honba and sticks, by wind."""


@overload
def score(
    hand: str, win: str | None = None, *, rules: str | Path | RuleSet | Game = ...,
    notation: str = ..., **circumstances: Any,
) -> HandScore: ...  # fmt: skip
@overload
def score(
    hand: pa.Table | pl.DataFrame | pd.DataFrame, *, rules: str | Path | RuleSet | Game = ...
) -> pl.DataFrame: ...
def score(
    hand: Any, win: str | None = None, *, rules: str | Path | RuleSet | Game = "tenhou-4p",
    notation: str = "mpsz", **circumstances: Any,
) -> Any:  # fmt: skip
    """Score one hand, or a table of hands.

    Parameters
    ----------
    hand
        The tiles, melds as words: ``"234m067p88s67m chi:345s"``, with or without the winning tile.
        Or a table (Arrow, Polars, pandas) with columns of table ``wins``: at least ``hand`` and
        ``win_tile``. A circumstance without a column is false or 0.
        In games other than riichi, a kong by itself (``"ankan:2222s"``) is a kong that is paid at
        once. If the source of a game only names hands (``nanchang-jing``), the text is the name.
    win
        The winning tile.
    rules
        A preset's name, the path of a TOML file, or a :class:`~paifu.rules.RuleSet`.
    notation
        ``mpsz``, ``mjai`` or ``keyboard`` (:mod:`paifu.game.notation`).
    circumstances
        Fields of :class:`Circumstances`.

    Returns
    -------
    A :class:`HandScore`. For a table, a Polars frame with a row per hand: the columns of a score,
    ``reading``, ``yaku`` and ``yaku_han`` (lists), ``status`` and ``reason``.

    Raises
    ------
    HandError
        The hand cannot be read, cannot exist, does not win, or has no yaku.
    RuleError
        The rule set cannot be found or understood.
    """
    ruleset = load_rules(rules)
    if not isinstance(hand, str):
        if win is not None or circumstances:
            raise TypeError("a table of hands has its circumstances in its columns")
        return score_table(hand, ruleset)
    from paifu.calculator.hand import typed

    told = Circumstances(**circumstances)
    return score_hands([typed(hand, win, told, ruleset, notation)], ruleset)[0]


def load_rules(rules: str | Path | RuleSet | Game) -> RuleSet | Game:
    from paifu.rules import rulesets

    return rulesets.load_scoring(rules) if isinstance(rules, str | Path) else rules


def score_table(hands: Any, ruleset: RuleSet | Game) -> pl.DataFrame:
    """Return the scores of a table of hands, in order; see :func:`score`."""
    import polars as pl
    import pyarrow as pa

    from paifu.rules.engine import score as score_batch
    from paifu.rules.fan.game import Game
    from paifu.rules.hands.from_wins import read_wins
    from paifu.rules.red_fives import find_foreign_reds

    if isinstance(hands, pl.DataFrame):
        table = hands.to_arrow()
    elif isinstance(hands, pa.Table):
        table = hands
    else:
        table = pa.Table.from_pandas(hands, preserve_index=False)
    for name in ("hand", "win_tile"):
        if name not in table.column_names:
            raise HandError(f"a table of hands needs a column {name!r}")
    if "players" not in table.column_names:
        players = pa.repeat(pa.scalar(ruleset.players or 4, pa.int16()), table.num_rows)
        table = table.append_column("players", players)
    if isinstance(ruleset, Game) and ruleset.events:
        table = _with_events_drawn(table, ruleset)
    try:
        batch = read_wins(table)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
        raise HandError(f"the table of hands has a column of the wrong type: {error}") from error
    find_foreign_reds(batch, ruleset)
    found = score_batch(batch, ruleset)
    lists = found.yaku.group_by("hand", maintain_order=True).agg(
        pl.col("yaku"), pl.col("han").alias("yaku_han")
    )
    rows = found.wins.with_row_index("hand").with_columns(pl.col("hand").cast(pl.Int32))
    return rows.join(lists, on="hand", how="left", maintain_order="left").drop("hand")


def _with_events_drawn(table: pa.Table, game: Game) -> pa.Table:
    """Return a table of hands with ``tsumo`` set where the paid event implies an own draw."""
    import pyarrow as pa

    from paifu.rules.fan.game import is_drawn, kong_alone

    told = {name: table[name].to_pylist() for name in table.column_names}
    nothing = [None] * table.num_rows
    tsumo, dealt, melds = (told.get(name, nothing) for name in ("tsumo", "dealt", "melds"))
    drawn = [
        bool(drew or shown or is_drawn(game, hand or "", kong_alone(hand, meld)))
        for drew, shown, hand, meld in zip(tsumo, dealt, told["hand"], melds, strict=True)
    ]
    if "tsumo" in told:
        table = table.drop_columns("tsumo")
    return table.append_column("tsumo", pa.array(drawn, pa.bool_()))


def score_hands(hands: Sequence[Hand], ruleset: RuleSet | Game) -> list[HandScore]:
    """Score hands; raise the first error of :func:`try_hands`."""
    scores: list[HandScore] = []
    for found in try_hands(hands, ruleset):
        if isinstance(found, HandError):
            raise found
        scores.append(found)
    return scores


def try_hands(hands: Sequence[Hand], ruleset: RuleSet | Game) -> list[HandScore | HandError]:
    """Return for each hand, in order, its score or the error why it has no score."""
    from paifu.calculator.hand import to_arrays
    from paifu.calculator.refusals import refusal, unfounded_pao
    from paifu.rules.engine import score as score_batch

    if not hands:
        return []
    batch = to_arrays(hands)
    found = score_batch(batch, ruleset, explain=True)
    yaku: list[dict[str, int]] = [{} for _ in hands]
    for hand, key, han in found.yaku.iter_rows():
        yaku[hand][key] = han
    fu = repeat(None) if found.fu is None else found.fu.iter_rows(named=True)
    scored = zip(hands, found.wins.iter_rows(named=True), fu, yaku, strict=False)
    return [
        unfounded_pao(hand, worth["pao_seat"], ruleset)
        or _hand_score(hand, worth, reading, keys, ruleset)
        if worth["status"] == "ok"
        else refusal(hand, found, batch, row, keys, ruleset)
        for row, (hand, worth, reading, keys) in enumerate(scored)
    ]


def _hand_score(
    hand: Hand, worth: dict[str, Any], reading: dict[str, Any] | None, yaku: dict[str, int],
    ruleset: RuleSet | Game,
) -> HandScore:  # fmt: skip
    columns = ("reading", "han", "fu", "yakuman", "limit", "points", "honba_points",
               "stick_points", "chips")  # fmt: skip
    return HandScore(
        ruleset=ruleset.name,
        hand=hand.tiles_text,
        melds=hand.melds_text,
        win_tile=hand.win_text,
        yaku=yaku,
        fu_parts=_fu_parts(reading) if reading else (),
        payments={WINDS[seat]: worth[f"delta_{seat}"] for seat in range(hand.players)},
        **{name: worth[name] for name in columns},
    )


def _fu_parts(reading: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the parts of a reading's fu, set by set; empty for hands of fixed fu."""
    from paifu.rules.hands.shapes import REGULAR, WAIT_WORDS
    from paifu.rules.riichi.fu import PARTS, fu_of_sets

    if reading["form"] != REGULAR:
        return ()
    parts = [(PARTS["base_fu"], reading["base_fu"])]
    parts += [(PARTS[name], reading[name]) for name in ("closed_ron_fu", "tsumo_fu")]
    parts += fu_of_sets(reading)
    parts.append((f"{tiles_text([reading['pair']] * 2)} {PARTS['pair_fu']}", reading["pair_fu"]))
    parts.append((f"{WAIT_WORDS[reading['wait']]} {PARTS['wait_fu']}", reading["wait_fu"]))
    return tuple((name, value) for name, value in parts if value)
