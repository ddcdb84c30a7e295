"""What pages say of the lake they were made from: its name, its games, players and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paifu.game.times import JAPAN

if TYPE_CHECKING:
    from paifu.lake.lake import Lake


def lake_name(lake: Lake) -> str:
    """Return what pages call the lake: its folder's name, or the kind of catalog that it has."""
    return lake.location.name


def facts_of_lake(lake: Lake) -> dict[str, Any]:
    """Return ``games``, ``players`` and the days (of Japan) of the ``first`` and the ``last`` game.

    The views that a filter put on the connection apply.
    """
    row = lake.connection.execute(
        """SELECT count(*), (strftime(min(played_at) + $ahead, '%Y-%m-%d')),
            (strftime(max(played_at) + $ahead, '%Y-%m-%d')) FROM games""",
        {"ahead": JAPAN},
    ).fetchone()
    games, first, last = row or (0, None, None)
    return {"games": games, "first": first, "last": last}
