"""``paifu report``: the notebooks as HTML pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from paifu.cli.options import GameFilterOptions, JsonOption, LakeOption
from paifu.cli.output import print_json, say
from paifu.errors import UsageError
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.lake.lake import Lake
    from paifu.query.filters import Filter

_USUAL_PLAYERS = 4
"""How many players the games of a page have; games of three are counted separately."""


def report(
    name: str | None = None,
    /,
    *,
    lake: LakeOption,
    out: Annotated[Path, Parameter(name="--out")],
    player: str | None = None,
    only: GameFilterOptions = None,
    json: JsonOption = False,
) -> None:
    """Run the notebooks on a lake and write self-contained HTML pages.

    Example: paifu report yaku --lake games.lake --out pages --where "room = 'houou'"

    Parameters
    ----------
    name
        The notebook; without it, all of them: yaku, deal_in, placement, player, data_quality.
    out
        Folder the pages are written into.
    player
        The player of the page "player"; without it, the player with the most games.
    """
    from paifu.lake.lake import Lake
    from paifu.pages.notebooks import settable, write_reports
    from paifu.query.adhoc_sql import shut_in
    from paifu.query.filters import Filter

    chosen = Filter.of(only)
    with Lake.open(lake) as opened:  # reports what is wrong before a notebook starts
        shut_in(opened)
        if chosen != Filter():
            _check_games(opened, chosen)
        players = _players(opened)
        if player is not None:
            _check_player(opened, player, players)
        stored = None if player is None else opened.stored_name(player)
    given: dict[str, Any] = {"player": stored, "where": chosen.expression()}
    if "players" in settable(name):
        given["players"] = players
    written = []
    for path in write_reports(lake, out, name, {k: v for k, v in given.items() if v is not None}):
        say(f"wrote {path}")
        written.append(str(path))
    if json:
        print_json({"written": written})


def _check_games(lake: Lake, chosen: Filter) -> None:
    """Raise :class:`~paifu.errors.UsageError` for conditions that no game of the lake meets."""
    from paifu.query.filters import unmatched

    chosen.apply(lake.connection)
    if not lake.sql("SELECT 1 FROM games LIMIT 1").fetchone():
        why = unmatched(lake, chosen) or ["no game of the lake meets the conditions"]
        raise UsageError("; ".join(why))


def _players(lake: Lake) -> int:
    """Return how many players the games of a page have: four, unless no such game counts."""
    row = lake.sql("SELECT max(players) FROM games").fetchone()
    return int(row[0]) if row and row[0] else _USUAL_PLAYERS


def _check_player(lake: Lake, player: str, players: int) -> None:
    """Raise :class:`~paifu.errors.UsageError` if a player's page would be empty."""
    from paifu.query.filters import nobody_named

    if absent := nobody_named(lake, player):
        raise UsageError(absent)
    games = lake.sql(
        """SELECT players, count(*) FROM seats JOIN games USING (game_id)
        WHERE player = $player AND NOT anonymous GROUP BY players""",
        player=lake.stored_name(player),
    ).fetchall()
    if players not in dict(games):
        others = [f"--players {other} has {counted(n, 'game')}" for other, n in games]
        hint = "; ".join(others) or "none is counted under that name"
        raise UsageError(f"{player!r} has no game of {players} players that counts: {hint}")
