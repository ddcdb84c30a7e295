"""Legality: acts that the rules of play do not allow, and wins that are not allowed.

Replay records what was done (columns of ``round_seats`` and ``rounds``, reasons in ``flags``).
Whether it was allowed depends on the rule set. If a rule set does not know its lobby's settings
(``flow = "unknown"``), only acts that every rule set forbids count as illegal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import polars as pl

from paifu.replay.row_types import PASSED_ANKAN, PASSED_KITA, PASSED_TILE
from paifu.rules.riichi.ruleset import RuleSet
from paifu.schema.flags import FLAGS

SEAT_COLUMNS = (
    "points_start", "riichi_tiles_left", "furiten_riichi", "kuikae", "kuikae_suji", "riichi_kans",
    "riichi_kan_drawn", "riichi_kan_wait", "riichi_kan_readings", "riichi_broken", "kita_after_pon",
)  # fmt: skip
"""Columns of ``round_seats`` by which a seat's play is judged, besides ``breach``."""

ACT_BREACHES = (
    "tile_not_in_hand", "out_of_turn", "discard_missing", "bad_meld", "call_without_draw_left",
    "bad_chi", "kakan_without_pon", "riichi_open", "riichi_noten", "riichi_twice",
    "riichi_without_discard", "hand_changed_in_riichi", "call_in_riichi", "too_many_kans",
    "wall_overdrawn",
)  # fmt: skip
"""Flags of acts that no rule set allows."""
WIN_BREACHES = ("win_without_tile", "win_not_complete", *ACT_BREACHES)
"""Flags that make the seat's own win illegal."""

DORA_MISSING = "the log lacks a dora indicator that a kan turned up"
"""Why the wins of a round cannot be scored and the following rounds cannot be settled."""

_OVER = {
    "suufon": "the first four discards were the same wind",
    "suucha": "all four seats were in riichi",
    "suukan": "two or more seats had made four kans",
}
"""Abortive draws that follow from the play alone, by option of the rule set."""

_Checks = Sequence[tuple[pl.Expr, str]]


def _first(checks: _Checks) -> pl.Expr:
    """Return the sentence of the first check that is true, or NULL."""
    return reduce(
        lambda reason, check: (
            pl.when(check[0].fill_null(False)).then(pl.lit(check[1])).otherwise(reason)
        ),
        reversed(checks),
        pl.lit(None, dtype=pl.String),
    )


def _as_reason(sentence: str) -> str:
    return sentence[:1].lower() + sentence.removesuffix(".")[1:]


def _of_seat(rules: RuleSet, breaches: Sequence[str]) -> _Checks:
    declared = pl.col("riichi_tiles_left").is_not_null()
    checks = [
        *((pl.col("breach") == key, _as_reason(FLAGS[key])) for key in breaches),
        (pl.col("riichi_broken") > 0, "a tile other than the one drawn was discarded in riichi"),
        (pl.col("riichi_kan_drawn") > 0, "an ankan in riichi without the tile just drawn"),
        (pl.col("riichi_kan_wait") > 0, "an ankan in riichi that changed the wait"),
    ]
    if rules.flow == "unknown":
        return checks
    if rules.riichi_ankan == "off":
        checks.append((pl.col("riichi_kans") > 0, "an ankan in riichi"))
    elif rules.riichi_ankan == "readings":
        checks.append(
            (
                pl.col("riichi_kan_readings") > 0,
                "an ankan in riichi of tiles that were not a triplet in every reading of the hand",
            )
        )
    if rules.riichi_min_tiles:
        checks.append(
            (
                declared & (pl.col("riichi_tiles_left") < rules.riichi_min_tiles),
                f"riichi with fewer than {rules.riichi_min_tiles} tiles left to draw",
            )
        )
    if rules.riichi_needs_points:
        checks.append(
            (declared & (pl.col("points_start") < 1000), "riichi with less than 1000 points")
        )
    if not rules.furiten_riichi:
        checks.append((declared & pl.col("furiten_riichi"), "riichi in furiten"))
    if rules.kuikae != "allowed":
        checks.append((pl.col("kuikae") > 0, "kuikae: the tile called was discarded again"))
    if rules.kuikae == "suji":
        checks.append((pl.col("kuikae_suji") > 0, "kuikae: the other end of the run was discarded"))
    if not rules.kita_after_pon:
        checks.append((pl.col("kita_after_pon") > 0, "a north was set aside right after a pon"))
    return checks


def seat_breach(rules: RuleSet) -> pl.Expr:
    """Return an act of a seat in a round that was not allowed, or NULL.

    Reads rows of ``round_seats``: :data:`SEAT_COLUMNS` and ``breach``, the first of the seat's
    flags that is in :data:`ACT_BREACHES`.
    """
    return _first(_of_seat(rules, ACT_BREACHES))


def passed_abort(rules: RuleSet) -> pl.Expr:
    """Return the first of ``aborts_passed`` that ends a round under the rule set, or NULL."""
    if rules.flow == "unknown":
        return pl.lit(None, dtype=pl.String)
    allowed = [name for name in _OVER if getattr(rules, name)]
    passed = [pl.col("aborts_passed").list.get(place, null_on_oob=True) for place in range(3)]
    return pl.coalesce(pl.when(name.is_in(allowed)).then(name) for name in passed)


def _missed(rules: RuleSet) -> pl.Expr:
    """Return whether the winner let a tile pass that a rule set says is furiten."""
    counted = PASSED_TILE
    if rules.kita_ron and rules.kita_pass_furiten:
        counted |= PASSED_KITA
    if rules.kokushi_ankan_ron:
        counted |= PASSED_ANKAN
    by_rules = (pl.col("passed") & pl.lit(counted, dtype=pl.Int16)) != 0
    return pl.coalesce(by_rules, pl.col("furiten").is_in(["riichi", "temporary"]))


def illegality(rules: RuleSet, players: int) -> pl.Expr:
    """Return why a win was not allowed although the hand may have its yaku, or NULL.

    Reads rows of ``wins`` with ``orphans`` (whether the hand is scored as kokushi), with the
    winner's columns that :func:`seat_breach` reads (here ``breach`` is a flag of
    :data:`WIN_BREACHES`), and with two columns of its round: ``aborts_passed``, and ``overdrawn``,
    which says whether more tiles were drawn than the wall has.
    """
    ron, furiten, over = ~pl.col("tsumo"), pl.col("furiten"), passed_abort(rules)
    missed = ron & _missed(rules)
    in_riichi = (furiten == "riichi") | (pl.col("riichi") & (furiten != "temporary"))
    checks = [
        *(
            (over == name, f"the round had already ended by an abortive draw: {why}")
            for name, why in _OVER.items()
        ),
        (pl.col("overdrawn"), "the round had already ended: the wall was used up"),
        (ron & (furiten == "own"), "ron in furiten: a winning tile among the seat's own discards"),
        (missed & in_riichi, "ron in furiten: a winning tile passed in riichi"),
        (missed, "ron in furiten: a winning tile passed this turn"),
        *_of_seat(rules, WIN_BREACHES),
    ]
    third = pl.col("win_index").max().over("game_id", "round_index") > 1
    if rules.flow == "known":
        if rules.sanchahou and players == 4:
            checks.append((third, "three winners of a tile abort the round"))
        if rules.multi_ron == "head_bump":
            checks.append((pl.col("win_index") > 0, "only the nearest winner of a tile is paid"))
        elif rules.multi_ron == "double":
            checks.append((pl.col("win_index") > 1, "three winners of a tile are not paid"))
    if players == 3 and not rules.kita_ron:
        checks.append((pl.col("kita_ron"), "a north being set aside cannot be ronned"))
    if rules.flow == "known" and not rules.kokushi_ankan_ron:
        checks.append((pl.col("ankan_ron"), "an ankan cannot be robbed"))
    robs = pl.col("ankan_ron") & ~pl.col("orphans")
    checks.append((robs, "only thirteen orphans may rob an ankan"))
    return _first(checks)


def dora_unknown(rules: RuleSet) -> pl.Expr:
    """Return whether a dora indicator of a kan is missing, so that the dora are not known."""
    return pl.col("dora_missing").fill_null(False) & rules.kan_dora
