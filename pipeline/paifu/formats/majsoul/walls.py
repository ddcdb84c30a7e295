"""The wall of a round in a Mahjong Soul record, with the digest shown before the deal.

Since 2023 the record has the whole wall, and the digest is the SHA-256 of the wall and a salt.
Before, the wall begins after the deal, and the digest is its MD5 in capitals. (Verified in records
of both kinds.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paifu.formats.json.text import text_or_none
from paifu.game.recorded_wall import RecordedWall
from paifu.game.tiles import TEXT
from paifu.game.wall import DEAL, TILES

_SEATS = 4


def recorded_wall(
    record: dict[str, Any], hands: Sequence[Sequence[int]], dealer: int
) -> RecordedWall | None:
    """Return the wall of a game of four; None if the record has no wall that fits the deal."""
    wall = text_or_none(record.get("paishan"))
    if wall is None or not wall.isalnum():
        return None
    dealt = "" if len(wall) == 2 * TILES[_SEATS] else _as_dealt(hands, dealer)
    salt = text_or_none(record.get("salt")) or ""
    for algorithm in ("sha256", "md5"):
        digest = text_or_none(record.get(algorithm))
        if digest is not None and digest.isalnum() and (salt.isalnum() or not salt):
            return RecordedWall(wall, dealt, algorithm, digest, salt)
    return RecordedWall(wall, dealt)


def _as_dealt(hands: Sequence[Sequence[int]], dealer: int) -> str:
    """Return the dealt tiles in dealing order: three times four each, one each, one more."""
    turn = [hands[(dealer + at) % _SEATS] for at in range(_SEATS)]
    fours = [code for first in (0, 4, 8) for hand in turn for code in hand[first : first + 4]]
    ones = [code for hand in turn for code in hand[DEAL - 1 : DEAL]]
    return "".join(TEXT[code] for code in (*fours, *ones, *turn[0][DEAL:]))
