"""``paifu report``: pages about a lake's games, from its notebooks."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.options import GameFilterOptions, JsonOption, LakeOption, LangOption
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
    player: list[str] | None = None,
    top: int | None = None,
    versus: str | None = None,
    single: bool = False,
    lang: LangOption = None,
    only: GameFilterOptions = None,
    json: JsonOption = False,
) -> None:
    """Write a site of pages about the games of a lake, which opens without a network.

    index.html says what the lake holds and links to the pages: themes, players and games.

    Example: paifu report --lake games.lake --out pages --room houou --player NAME

    Parameters
    ----------
    name
        The one page to write, such as yaku, deal_in, placement or player; without it, all.
    out
        Folder the pages are written into.
    player
        A player to write a page about; can be given several times.
    top
        Write pages about so many of the players with the most games; 1 without --player.
    versus
        Compare the players of the pages with this one.
    single
        Put the script that draws the charts into each page, instead of beside them.
    """
    from paifu.labels import labels_for
    from paifu.lake.lake import Lake
    from paifu.pages.notebooks import chosen
    from paifu.pages.site import Site, most_played
    from paifu.query.adhoc_sql import shut_in
    from paifu.query.filters import Filter

    labels = labels_for(lang)
    chosen(name)  # an unknown name is told before the lake is opened
    conditions = Filter.of(only)
    with Lake.open(lake) as opened:  # reports what is wrong before a notebook starts
        shut_in(opened)
        conditions.apply(opened.connection)
        if conditions != Filter():
            _check_games(opened, conditions)
        players = _players(opened)
        for who in [*(player or ()), *([versus] if versus is not None else [])]:
            _check_player(opened, who, players)
        people = [opened.stored_name(who) for who in player or ()]
        if top is not None or not people:
            people += most_played(opened, 1 if top is None else top, players)
        compared = None if versus is None else opened.stored_name(versus)
    site = Site(
        lake=str(lake),
        out=out,
        labels=labels,
        only=conditions,
        filters=_in_words(conditions),
        players=players,
        people=list(dict.fromkeys(people)),
        versus=compared,
        single=single,
        name=name,
    )
    written = []
    for page in site.write():
        say(f"wrote {page.path}")
        written.append(page)
    if json:
        print_json(
            {
                "written": [str(page.path) for page in written],
                "pages": [page.as_dict() for page in written],
            }
        )


def _in_words(conditions: Filter) -> list[str]:
    """Return the conditions as a user gave them."""
    given = {spec.name: getattr(conditions, spec.name) for spec in fields(conditions)}
    return [
        f"--{name}" if value is True else f"--{name} {value}"
        for name, value in given.items()
        if value not in (None, False)
    ]


def _check_games(lake: Lake, conditions: Filter) -> None:
    """Raise :class:`~paifu.errors.UsageError` for conditions that no game of the lake meets."""
    from paifu.query.filters import unmatched

    if not lake.sql("SELECT 1 FROM games LIMIT 1").fetchone():
        why = unmatched(lake, conditions) or ["no game of the lake meets the conditions"]
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
