"""``paifu report``: pages about a lake's games, from its notebooks."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paifu.cli.options import GameFilterOptions, JsonOption, LakeOption, LangOption, OutPath
from paifu.cli.output import print_json, say


def report(
    name: str | None = None,
    /,
    *,
    lake: LakeOption,
    out: Annotated[OutPath, Parameter(name="--out")],
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
    from paifu.pages.site import planned
    from paifu.query.filters import Filter

    site = planned(
        lake,
        out,
        name,
        only=Filter.of(only),
        player=player or (),
        top=top,
        versus=versus,
        single=single,
        labels=labels_for(lang),
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
