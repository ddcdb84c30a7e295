"""The views ``deal_in_chances`` and ``riichi_chances``: logistic models applied to a lake's rows.

The models see a row as numbers, which are SQL expressions. They stand here once: the views weigh
them, and a fit reads them (:mod:`paifu.models.event_fit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

DEAL_IN_FEATURES: Final[Mapping[str, str]] = {
    "base": "1",
    "turn": "(least(r.table_turn, 18) - 9) / 9",
    "turn_squared": "((least(r.table_turn, 18) - 9) / 9) ** 2",
    "suji_left": "ln((r.suji_left + 1) / 10)",
    "tile_suji": "(r.tile_suji > 0)::INTEGER",
    "live_0": "(r.live = 0)::INTEGER",
    "live_1": "(r.live = 1)::INTEGER",
    "live_2": "(r.live = 2)::INTEGER",
    "dora": "(r.near_dora = 'dora')::INTEGER",
    "near_dora": "(r.near_dora = 'near')::INTEGER",
    "outside_early": "r.outside_early::INTEGER",
    "no_chance": "(coalesce(r.chance, 9) = 0)::INTEGER",
    "one_chance": "(coalesce(r.chance, 9) = 1)::INTEGER",
}
"""What a discard of ``discard_risks`` (``r``) looks like to the model."""

RIICHI_FEATURES: Final[Mapping[str, str]] = {
    "base": "1",
    "live": "r.riichi_live / 8",
    "live_root": "sqrt(r.riichi_live)",
    "left": "r.riichi_tiles_left / 70",
    "left_squared": "(r.riichi_tiles_left / 70) ** 2",
    "live_left": "r.riichi_live / 8 * r.riichi_tiles_left / 70",
    "dealer": "r.is_dealer::INTEGER",
    "second": "(r.riichi_order = 2)::INTEGER",
    "later": "(r.riichi_order > 2)::INTEGER",
    "furiten": "coalesce(r.furiten_riichi, false)::INTEGER",
    "kinds": "r.riichi_wait_tiles / 3",
}
"""What an accepted riichi of ``round_seats`` (``r``) looks like at the declaration."""

WALL_FEATURES: Final[Mapping[str, str]] = {
    **RIICHI_FEATURES,
    "in_wall": "l.riichi_in_wall / 4",
    "in_wall_left": "l.riichi_in_wall / 4 * r.riichi_tiles_left / 70",
    "drawn": "(l.riichi_next_draw IS NOT NULL)::INTEGER",
    "draw": "ln(coalesce(l.riichi_next_draw, 1))",
    "own_drawn": "(l.riichi_own_draw IS NOT NULL)::INTEGER",
    "own_draw": "ln(coalesce(l.riichi_own_draw, 1))",
}
"""The same with what the wall held (``l``, a row of ``luck``)."""

RIICHI_ROWS: Final = """round_seats AS r
    JOIN games USING (game_id)
    LEFT JOIN luck AS l
        ON l.game_id = r.game_id AND l.round_index = r.round_index AND l.seat = r.seat"""
"""Riichis with their games and what the wall held."""


def _logistic(weights: str, features: Iterable[str]) -> str:
    terms = (f"{weights}[{n}] * ({feature})" for n, feature in enumerate(features, 1))
    return f"1 / (1 + exp(-({' + '.join(terms)})))"


DEAL_IN_CHANCES: Final = f"""CREATE OR REPLACE VIEW deal_in_chances AS
SELECT
    r.*,
    m.model_id,
    CASE
        WHEN r.class = 'genbutsu' THEN 0
        ELSE {_logistic("m.weights", DEAL_IN_FEATURES.values())}
    END AS deal_in_chance
FROM discard_risks AS r
JOIN games USING (game_id)
JOIN deal_in_models AS m
    ON m.ruleset = games.ruleset AND m.threat = r.threat AND m.class = r.class"""
"""The statement that makes the view: ``discard_risks`` with the chance that the opponent wins on
the discard. It has the games of rule sets for which there is a model."""

RIICHI_CHANCES: Final = f"""CREATE OR REPLACE VIEW riichi_chances AS
SELECT
    r.game_id, r.round_index, r.seat, r.players, m.model_id, r.won,
    {_logistic("m.weights", RIICHI_FEATURES.values())} AS win_chance,
    CASE WHEN l.riichi_in_wall IS NOT NULL THEN
        {_logistic("m.wall_weights", WALL_FEATURES.values())}
    END AS win_chance_by_wall
FROM {RIICHI_ROWS}
JOIN riichi_models AS m ON m.ruleset = games.ruleset AND m.wait_kind = r.riichi_wait_kind
WHERE r.riichi_accepted"""
"""The statement that makes the view: accepted riichis with the chance to win, as seen by the seat
at the declaration, and as seen by somebody who knew the wall (NULL if it is not known)."""
