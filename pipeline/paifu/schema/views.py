"""The views of a lake: what a row of each is, and what its columns are.

``lake/layout.py`` has their statements. A view's columns are those of its tables and a few of its
own.
"""

from __future__ import annotations

from paifu.schema.table import Column, Table, columns
from paifu.schema.tables import TABLES

_WIN_KEY = ("game_id", "round_index", "win_index")
_SOURCE = "source text? recorded or computed; NULL if neither has the value.\n"
_YAKU_SOURCE = "yaku_source text? The same for the yaku of the win.\n"

PLAYER_COLUMNS = ("player", "player_id", "anonymous", "dan", "dan_name", "rate", "placement")
"""Columns of ``seats`` that the views of a player's rounds and acts have."""
GAME_COLUMNS = ("platform", "played_at", "length", "ruleset", "room", "lobby", "complete")
"""Columns of ``games`` that these views have."""


def _some(table: str, names: tuple[str, ...]) -> tuple[Column, ...]:
    found = {column.name: column for column in TABLES[table].columns}
    return tuple(found[name] for name in names)


def _of_player(table: str) -> tuple[Column, ...]:
    return (
        *TABLES[table].columns, *_some("seats", PLAYER_COLUMNS), *_some("games", GAME_COLUMNS)
    )  # fmt: skip


VIEWS: dict[str, Table] = {
    view.name: view
    for view in (
        Table(
            "win_facts",
            "win",
            _WIN_KEY,
            "Wins with their values as recorded, or else as computed under the rule set that the "
            "game's record names.",
            (*TABLES["wins"].columns, *columns(_SOURCE + _YAKU_SOURCE)),
        ),
        Table(
            "computed_win_facts",
            "win that was re-scored",
            _WIN_KEY,
            "Wins with their values as computed under the rule set that the game's record names.",
            (*TABLES["wins"].columns, *columns(_SOURCE + _YAKU_SOURCE)),
        ),
        Table(
            "yaku_facts",
            "win and yaku",
            (*_WIN_KEY, "yaku"),
            "Yaku as recorded, or else as computed.",
            (*TABLES["win_yaku"].columns, *columns(_SOURCE)),
        ),
        Table(
            "computed_yaku_facts",
            "win that was re-scored, and yaku",
            (*_WIN_KEY, "yaku"),
            "Yaku as computed under the rule set that the game's record names.",
            (*TABLES["win_yaku"].columns, *columns(_SOURCE)),
        ),
        Table(
            "rated_games",
            "game and player, in Tenhou's ranked rooms, if every seat has an R",
            ("game_id", "seat"),
            "A player's rated games in the order in which they were played.",
            (
                *_some("games", ("game_id",)),
                *_some("seats", ("seat", "player")),
                *_some("games", ("players", "played_at", "room")),
                *_some("seats", ("dan", "dan_name", "rate")),
                *columns(
                    """
step double? Change of R if the game counted in full.
games_before int64? Games played before, 400 for 400 and more; NULL if not known.
nth int64 Place of the game in the player's order, from 1.
order_known bool Whether the place within the hour is known; if not, the order is by game_id.
"""
                ),
            ),
        ),
        Table(
            "player_rounds",
            "round and seat",
            ("game_id", "round_index", "seat"),
            "round_seats with the player's name and rank, and the room and date of the game.",
            _of_player("round_seats"),
        ),
        Table(
            "player_actions",
            "act of a seat",
            ("game_id", "round_index", "seq"),
            "actions with the player's name and rank, and the room and date of the game.",
            _of_player("actions"),
        ),
        Table(
            "deal_in_chances",
            "discard and threatening opponent, in games of a rule set with a model",
            ("game_id", "round_index", "seq", "against"),
            "discard_risks with the chance that the opponent wins on the discard.",
            (
                *TABLES["discard_risks"].columns,
                *columns(
                    """
model_id text The model, of deal_in_models.
deal_in_chance double Chance that the opponent wins on it, by what all could see; 0 for genbutsu.
"""
                ),
            ),
        ),
        Table(
            "riichi_chances",
            "accepted riichi, in a game of a rule set with a model",
            ("game_id", "round_index", "seat"),
            "Accepted riichis with the chance to win, as it was at the declaration.",
            (
                *_some("round_seats", ("game_id", "round_index", "seat", "players")),
                *columns(
                    """
model_id text The model, of riichi_models.
won bool The seat won.
win_chance double Chance to win by what the seat could see.
win_chance_by_wall double? Chance to win for somebody who knew the wall; NULL if the wall is not known.
"""
                ),
            ),
        ),
    )
}
"""Views by name."""
