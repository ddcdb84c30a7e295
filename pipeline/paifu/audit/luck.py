"""Luck: what the wall held, hidden from all players.

For the first tenpai and the riichi of each seat: how many winning tiles were really left in the
wall, and how many draws away the next one was. For each winner, in riichi or not: the ura
indicators, and the han that they would have given the hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.audit.wall_checks import SeededRounds, dealt_rounds
from paifu.audit.wide_rounds import ROUND, Play
from paifu.game.tiles import KIND_OF, parse_tiles
from paifu.kernels.compiling import njit
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.hands.hands import MAX_INDICATORS
from paifu.rules.hands.scoring_kernels import count_dora

Array = npt.NDArray[Any]

_SUITS = b"mpsz"
_NONE = -1
"""Stands for no winning tile left, or an unknown wait."""


@njit
def look_ahead(
    walls: Array, row: Array, start: Array, left: Array, waits: Array, players: int, out: Array
) -> None:
    """Write what the rest of the live wall holds of each wait, one row of ``out`` int16[N, 3] each.

    ``walls`` int8[R, n] are kinds in the order in which they are drawn. Of wall ``row`` int64[N],
    the ``left`` int64[N] tiles from ``start`` int64[N] on are still to be drawn. ``waits``
    uint64[N] has a bit per kind. The three values are: the number of winning tiles among them; the
    number of the draw, from 1 and counting all seats, that is the first of them; and the number of
    the seat's own draw that would be the first of them if nobody calls (the seat draws last in each
    go-around). -1 if there is no such draw.
    """
    for at in range(len(row)):
        found, first, own = 0, _NONE, _NONE
        begin = max(0, start[at])
        end = min(begin + left[at], walls.shape[1])
        for place in range(begin, end):
            if waits[at] >> np.uint64(walls[row[at], place]) & np.uint64(1):
                draw = place - begin + 1
                found += 1
                if first == _NONE:
                    first = draw
                if own == _NONE and draw % players == 0:
                    own = draw // players
        out[at, 0], out[at, 1], out[at, 2] = found, first, own


def wall_kinds(texts: pl.Series) -> Array:
    """Return int8[R, n]: the kinds of walls given as text of equal length, two characters a tile.

    >>> wall_kinds(pl.Series(["1m0p7z"])).tolist()
    [[0, 13, 33]]
    """
    if not len(texts):
        return np.zeros((0, 0), dtype=np.int8)
    letters = np.frombuffer("".join(texts.to_list()).encode("ascii"), dtype=np.uint8)
    letters = letters.reshape(len(texts), -1, 2)
    suit = np.zeros(256, dtype=np.int8)
    suit[list(_SUITS)] = 9 * np.arange(len(_SUITS))
    number = letters[..., 0].astype(np.int8) - ord("0")
    return (suit[letters[..., 1]] + np.where(number == 0, 5, number) - 1).astype(np.int8)


def wait_masks(waits: pl.Series) -> Array:
    """Return uint64[N]: a bit for each kind of each wait, given in MPSZ; 0 for NULL.

    >>> wait_masks(pl.Series(["14m", None])).tolist()
    [9, 0]
    """
    texts = waits.unique().drop_nulls().to_list()
    masks = [sum(1 << int(KIND_OF[tile]) for tile in set(parse_tiles(text))) for text in texts]
    known = pl.DataFrame({"wait": texts, "mask": pl.Series(masks, dtype=pl.UInt64)}).cast(
        {"wait": pl.String}
    )
    found = (
        waits.cast(pl.String)
        .to_frame("wait")
        .join(known, on="wait", how="left", maintain_order="left")
    )
    return found["mask"].fill_null(0).to_numpy()


def luck_rows(play: Play, seeded: SeededRounds) -> pl.DataFrame:
    """Return the rows of table ``luck``: seats that were tenpai or won, if the wall is known."""
    walls = dealt_rounds(play, seeded).with_row_index("wall_row")
    seats = play.round_seats.join(
        walls.select(*ROUND, "wall_row"), on=ROUND, maintain_order="left"
    ).filter(pl.col("tenpai_wait").is_not_null() | pl.col("won"))
    kinds = wall_kinds(walls["draws"])
    ahead = [_ahead(seats, kinds, moment, play.players) for moment in ("tenpai", "riichi")]
    return (
        seats.select(*ROUND, "seat")
        .hstack([column for columns in ahead for column in columns])
        .join(_ura(play, walls), on=[*ROUND, "seat"], how="left", maintain_order="left")
        .with_columns(pl.col("ura_indicators").fill_null([]))
    )


def _ahead(seats: pl.DataFrame, kinds: Array, moment: str, players: int) -> list[pl.Series]:
    """Return the columns of one moment (tenpai or riichi), NULL for seats without it."""
    masks = wait_masks(seats[f"{moment}_wait"])
    out = np.full((len(seats), 3), _NONE, dtype=np.int16)
    start, left = (
        seats[f"{moment}_{name}"].fill_null(0).cast(pl.Int64).to_numpy()
        for name in ("draws", "tiles_left")
    )
    look_ahead(kinds, seats["wall_row"].cast(pl.Int64).to_numpy(), start, left, masks, players, out)
    out[masks == 0] = _NONE
    names = ("in_wall", "next_draw", "own_draw")
    columns = (pl.Series(f"{moment}_{name}", out[:, at]) for at, name in enumerate(names))
    return [column.set(column == _NONE, None) for column in columns]


def _ura(play: Play, walls: pl.DataFrame) -> pl.DataFrame:
    """Return ``ura_indicators`` and ``ura_han`` of each winner of a round with its wall."""
    under = pl.col("ura").str.extract_all("..").list.head(pl.col("dora_indicators").list.len())
    wins = (
        play.wins.drop("ura_indicators")
        .join(walls.select(*ROUND, "ura"), on=ROUND, maintain_order="left")
        .with_columns(ura_indicators=under)
    )
    hands = read_wins(wins.to_arrow())
    han = np.zeros(len(wins), dtype=np.int16)
    count_dora(
        hands.concealed, hands.meld_kind, hands.meld_tile, hands.kita, hands.players, hands.fault,
        hands.ura_indicators, MAX_INDICATORS, True, han,
    )  # fmt: skip
    readable = pl.Series(hands.fault == 0)
    return wins.select(
        *ROUND,
        pl.col("winner").alias("seat"),
        "ura_indicators",
        pl.when(readable).then(pl.Series("ura_han", han)).alias("ura_han"),
    )
