"""``paifu report``: the notebooks as HTML pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paifu.commands.options import JsonOption, LakeOption
from paifu.commands.output import print_json, say
from paifu.errors import UsageError


def report(
    name: str | None = None,
    /,
    *,
    lake: LakeOption,
    out: Annotated[Path, Parameter(name="--out")],
    player: str | None = None,
    where: str | None = None,
    json: JsonOption = False,
) -> None:
    """Run the notebooks on a lake and write self-contained HTML pages.

    Example: paifu report yaku --lake games.lake --out pages --where "room = 'houou'"

    Parameters
    ----------
    name
        The notebook; without it, every one: yaku, deal_in, placement, player, data_quality.
    out
        Folder the pages are written into.
    player
        Whose page the player notebook is.
    where
        One SQL expression on the columns of games: only these games count.
    """
    from paifu.filters import Filter, nobody_named
    from paifu.lake import Lake
    from paifu.report import write_reports

    with Lake.open(lake) as opened:  # says what is wrong before a notebook does
        if player is not None and (absent := nobody_named(opened, player)):
            raise UsageError(absent)
        only = Filter(player=player, where=where).stored(opened)
        only.apply(opened.connection)
    given = {"player": only.player, "where": where}
    written = []
    for path in write_reports(lake, out, name, {k: v for k, v in given.items() if v is not None}):
        say(f"wrote {path}")
        written.append(str(path))
    if json:
        print_json({"written": written})
