"""Addresses of rounds in the viewer tenhou.net/6, which hold the whole record of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import orjson

from paifu.export.files import rows_of
from paifu.export.from_tables import batch_of
from paifu.export.tenhou_json_writer import log_of

if TYPE_CHECKING:
    from paifu.lake.lake import Lake

_VIEWER = "https://tenhou.net/6/#json="
_UNTOLD = frozenset({"hidden_tiles", "out_of_turn"})
"""Flags of games that lists of draws and discards by seat cannot tell."""


def addresses(lake: Lake, game: dict[str, Any]) -> dict[int, str]:
    """Return the address of each round of a game, by its index.

    ``game`` is a row of ``games``. Empty for a game that the format cannot hold: of another game
    than riichi, without its acts, with hidden tiles.
    """
    if (
        game["game"] is not None
        or game["detail"] != "play"
        or not _UNTOLD.isdisjoint(game["flags"])
    ):
        return {}
    rows = rows_of(lake, [game["game_id"]])
    if not rows["actions"]:
        return {}
    log = log_of(batch_of(rows), 0)
    indexes = sorted(row["round_index"] for row in rows["rounds"])
    return {
        index: _VIEWER + quote(orjson.dumps(log | {"log": [one]}).decode(), safe="")
        for index, one in zip(indexes, log["log"], strict=True)
    }
