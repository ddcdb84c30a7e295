"""Makes Arrow tables with the columns of the schema from the rows of a replayed batch.

A column is a field of the row, or is given separately: what the log recorded, lists, and texts of
many tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from paifu.game.events import LIMITS, RIICHI, UNKNOWN, Array, Batch
from paifu.game.tile_text import hand_texts, mask_texts, meld_texts, tile_texts
from paifu.game.tiles import NO_TILE, TEXT
from paifu.replay.flags import REASONS
from paifu.replay.recorded_yaku import recorded_yaku
from paifu.replay.row_types import MASKS, NULL16, OUTCOMES, TILES, WORDS
from paifu.schema.table import Column
from paifu.schema.tables import TABLES
from paifu.schema.yaku import YAKU

_TILE_TEXTS = pa.array(TEXT)
_KEYS = pa.array([yaku.key for yaku in YAKU])
_FLAG_TEXTS = pa.array(REASONS)
_OUTCOME_TEXTS = pa.array(OUTCOMES)
_ARROW = {"int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64(), "double": pa.float64()}


def _valid(missing: Array | None) -> pa.Buffer | None:
    """Return the validity bitmap of a column; None if no value is missing."""
    if missing is None or not missing.any():
        return None
    return pa.py_buffer(np.packbits(~missing, bitorder="little"))


def words(indices: Array, texts: pa.Array) -> pa.Array:
    """Return dictionary-encoded text by index; a negative index is NULL."""
    indices = np.ascontiguousarray(indices)
    buffers = [_valid(indices < 0), pa.py_buffer(indices)]
    column = pa.Array.from_buffers(pa.from_numpy_dtype(indices.dtype), len(indices), buffers)
    return pa.DictionaryArray.from_arrays(column, texts, safe=False)


def numbers(values: Array, column_type: str, missing: Array | None = None) -> pa.Array:
    """Return numbers as a column of a schema type, NULL where missing."""
    arrow = _ARROW[column_type]
    cast = np.ascontiguousarray(values, dtype=arrow.to_pandas_dtype())
    return pa.Array.from_buffers(arrow, len(cast), [_valid(missing), pa.py_buffer(cast)])


def booleans(values: Array, missing: Array | None = None) -> pa.Array:
    """Return truth values as a column, NULL where missing."""
    bits = pa.py_buffer(np.packbits(values, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(values), [_valid(missing), bits])


def _field(table: str, column: Column, values: Array) -> pa.Array:
    """Return a field of the rows as its column."""
    name = f"{table}.{column.name}"
    values = np.ascontiguousarray(values)
    if name in WORDS:
        return words(values, pa.array(WORDS[name]))
    if name in TILES:
        return words(values, _TILE_TEXTS)
    if name in MASKS:
        return mask_texts(values)
    if column.type == "bool":
        return booleans(values > 0, values < 0 if column.nullable else None)
    if not column.nullable:
        return numbers(values, column.type)
    if column.type == "double":
        return numbers(values, column.type, np.isnan(values))
    return numbers(values, column.type, values == (NULL16 if column.type == "int16" else UNKNOWN))


def assemble(name: str, rows: Array | None, given: Mapping[str, pa.Array]) -> pa.Table:
    """Return a table of the schema from fields of rows and separately given columns."""
    columns = [
        given[column.name] if column.name in given else _field(name, column, rows[column.name])  # type: ignore[index]
        for column in TABLES[name].columns
    ]
    return pa.table(columns, names=list(TABLES[name].names))


def lists(values: Array, counts: Array, elements: Any = None) -> pa.Array:
    """Return list values: the first ``counts`` of each row of ``values``.

    ``elements`` are the texts that the values index; without them the values are numbers.
    """
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    kept = values[np.arange(values.shape[1]) < np.asarray(counts)[:, None]]
    flat = pa.array(kept) if elements is None else elements.take(pa.array(kept))
    return pa.ListArray.from_arrays(pa.array(offsets), flat)


def tile_lists(codes: Array) -> pa.Array:
    """Return lists of tiles from codes int8[n, most], which end at the first ``NO_TILE``."""
    counts = (np.cumsum(codes == NO_TILE, axis=1) == 0).sum(axis=1)
    return lists(codes, counts, _TILE_TEXTS)


def _of_rounds(
    rows: Array, game_id: Array, round_index: Array, players: Array
) -> dict[str, pa.Array]:
    """Return the columns that rows share with their rounds; rows are in the order of rounds."""
    counts = np.bincount(rows["round"], minlength=len(game_id))
    return {
        "game_id": pa.array(np.repeat(game_id, counts)),
        "round_index": pa.array(np.repeat(round_index, counts)),
        "players": pa.array(np.repeat(players.astype(np.int16), counts)),
    }


def actions(rows: Array, game_id: Array, round_index: Array, players: Array) -> pa.Table:
    """Return table ``actions``; the other arguments are by round of the batch."""
    melds = rows["meld_tiles"]
    given = {
        **_of_rounds(rows, game_id, round_index, players),
        "meld": hand_texts(melds, melds[:, 0] != NO_TILE),
    }
    return assemble("actions", rows, given)


def round_seats(
    rows: Array, batch: Batch, game_id: Array, round_index: Array, players: Array
) -> pa.Table:
    """Return table ``round_seats``; ``players`` is by round of the batch."""
    given = {
        **_of_rounds(rows, game_id, round_index, players),
        "round_wind": pa.array(batch.round_wind[rows["round"]].astype(np.int16)),
        "haipai": hand_texts(batch.round_haipai[rows["round"], rows["seat"]]),
        "first_discards": tile_texts(rows["pond"], rows["discards"]),
    }
    return assemble("round_seats", rows, given)


def rounds(
    rows: Array, batch: Batch, game_id: Array, round_index: Array, players: Array, scheduled: Array,
    ura: Array,
) -> pa.Table:  # fmt: skip
    """Return table ``rounds``.

    By round: ``players``; ``scheduled``, the last scheduled wind, -1 if not known; ``ura`` int8[R,
    5], the recorded ura indicators.
    """
    wind, number = batch.round_wind.astype(np.int16), batch.round_number.astype(np.int16)
    extra = (scheduled >= 0) & (wind > scheduled)
    last = extra | ((scheduled >= 0) & (wind == scheduled) & (number >= players - 1))
    has_dice = (batch.round_dice >= 0).all(axis=1)
    given = {
        "game_id": pa.array(game_id),
        "round_index": pa.array(round_index),
        "wind": pa.array(wind),
        "number": pa.array(number + np.int16(1)),
        "honba": pa.array(batch.round_honba),
        "sticks": pa.array(batch.round_sticks),
        "dealer": pa.array((batch.round_dealer % players).astype(np.int16)),
        "dice": lists(batch.round_dice.astype(np.int16) + np.int16(1), np.where(has_dice, 2, 0)),
        "is_all_last": pa.array(last),
        "is_extra": pa.array(extra),
        "dora_indicators": tile_lists(rows["dora"]),
        "ura_indicators": tile_lists(ura),
        "aborts_passed": lists(rows["aborts"], rows["aborts_count"], _OUTCOME_TEXTS),
        "scores_start": lists(batch.round_scores, players),
        "remarks": pa.nulls(len(rows), pa.string()),
    }
    return assemble("rounds", rows, given)


def discard_risks(rows: Array, game_id: Array, round_index: Array, players: Array) -> pa.Table:
    """Return table ``discard_risks``; ``players`` is by round of the batch."""
    given = _of_rounds(rows, game_id, round_index, players)
    return assemble("discard_risks", rows, given)


def _recorded(batch: Batch, record: Array, players: Array, riichi: Array) -> dict[str, pa.Array]:
    """Return the columns of ``wins`` with what the log recorded."""
    yakuman, han, fu = batch.win_yakuman[record], batch.win_han[record], batch.win_fu[record]
    given = {
        "yakuman": numbers(yakuman, "int16", yakuman < 0),
        "han": numbers(han, "int16", (han < 0) | (yakuman > 0)),
        "fu": numbers(fu, "int16", fu < 0),
        "limit": words(batch.win_limit[record], pa.array(LIMITS)),
        "chips": numbers(batch.win_chips[record], "int16", batch.win_chips[record] < 0),
        "pao_seat": numbers(batch.win_pao[record], "int16", batch.win_pao[record] < 0),
        "recorded_honba": numbers(batch.win_honba[record], "int16", batch.win_honba[record] < 0),
        "recorded_sticks": numbers(batch.win_sticks[record], "int16", batch.win_sticks[record] < 0),
        "ura_indicators": tile_lists(batch.win_ura[record]),
        "recorded_indicators": tile_lists(batch.win_indicators[record]),
    }
    delta = batch.win_delta[record]
    for seat in range(4):
        missing = (delta[:, seat] == UNKNOWN) | (seat >= players)
        given[f"delta_{seat}"] = numbers(delta[:, seat], "int32", missing)
    return given


def _paid(rows: Array, batch: Batch) -> dict[str, pa.Array]:
    """Return what a winner received: for the hand, for honba, and in sticks."""
    record = rows["record"]
    points = batch.win_points[record].astype(np.int64)
    received = batch.win_delta[record, rows["winner"]].astype(np.int64)
    sticks = 1000 * rows["sticks"].astype(np.int64)
    unknown = (points == UNKNOWN) | (received == UNKNOWN)
    return {
        "points": numbers(points, "int32", points == UNKNOWN),
        "stick_points": numbers(sticks, "int32", received == UNKNOWN),
        "honba_points": numbers(np.where(unknown, 0, received - points - sticks), "int32", unknown),
    }


_ON_SHEETS = {
    "flowers": pa.int16(), "last_copy": pa.bool_(), "liable": pa.int16(), "wild": pa.string(),
    "bird": pa.string(), "out": pa.list_(pa.int16()), "fed": pa.list_(pa.int16()),
    "raised": pa.list_(pa.int16()), "dealt": pa.bool_(), "triple_ron": pa.bool_(),
    "after_rinshan": pa.bool_(),
}  # fmt: skip
"""Columns of ``wins`` that only win sheets fill."""


def _open_riichi(batch: Batch, round_: Array, winner: Array) -> pa.Array:
    """Return whether each winner declared open riichi; NULL if the log does not say."""
    declared = np.flatnonzero((batch.event_kind == RIICHI) & (batch.event_tsumogiri >= 0))
    shown = np.full((len(batch.round_wind), 5), -1, np.int8)  # the last for no seat
    at = np.searchsorted(batch.round_events, declared, side="right") - 1
    shown[at, batch.event_seat[declared]] = batch.event_tsumogiri[declared]
    told = shown[round_, winner]
    return pa.array(told > 0, mask=told < 0)


def wins(
    rows: Array, batch: Batch, game_id: Array, round_index: Array, aka: Array, kuitan: Array,
    folds_kita: Array,
) -> tuple[pa.Table, pa.Table]:  # fmt: skip
    """Return tables ``wins`` and ``win_yaku``.

    By round: ``aka`` bool, ``kuitan`` int8 (-1 if not known), and ``folds_kita``, whether the
    record counts set-aside norths as dora.
    """
    round_, record = rows["round"], rows["record"]
    yaku = recorded_yaku(batch, record)
    yakuman = batch.win_yakuman[record]
    no_dora = ~yaku.any_recorded | (yakuman > 0)
    dora, aka_dora, ura, kita = yaku.dora.T
    given = {
        "game_id": pa.array(game_id[round_]),
        "round_index": pa.array(round_index[round_]),
        "hand": hand_texts(rows["hand_tiles"]),
        "melds": meld_texts(rows["laid"], rows["laid_kind"], rows["laid_tiles"]),
        "dora_indicators": tile_lists(rows["dora"]),
        "aka": pa.array(aka[round_]),
        "kuitan": pa.array(kuitan[round_] > 0, mask=kuitan[round_] < 0),
        "dora_han": numbers(dora, "int16", no_dora),
        "aka_han": numbers(aka_dora, "int16", no_dora),
        "ura_han": numbers(ura, "int16", no_dora | (rows["riichi"] == 0)),
        "kita_han": numbers(kita, "int16", no_dora | folds_kita[round_]),
        "yaku_recorded": pa.array(np.bincount(yaku.win, minlength=len(rows)).astype(np.int16)),
        **_recorded(batch, record, rows["players"], rows["riichi"]),
        **_paid(rows, batch),
        "open_riichi": _open_riichi(batch, round_, rows["winner"]),
        **{name: pa.nulls(len(rows), kind) for name, kind in _ON_SHEETS.items()},
    }
    table = assemble("wins", rows, given)
    yaku_rows = {
        "game_id": pa.array(game_id[round_[yaku.win]]),
        "round_index": pa.array(round_index[round_[yaku.win]]),
        "win_index": pa.array(rows["win_index"][yaku.win]),
        "yaku": words(yaku.yaku, _KEYS),
        "han": pa.array(yaku.han),
    }
    return table, assemble("win_yaku", None, yaku_rows)


def flags(
    rows: Array, game_id: Array, round_index: Array, more: list[tuple[int, int, str]]
) -> pa.Table:
    """Return table ``flags``: the flags of play, and ``(game_id, round, reason)`` of the record.

    Round -1 means the whole game.
    """
    reasons = [*_FLAG_TEXTS.take(pa.array(rows["reason"])).to_pylist(), *(r for *_, r in more)]
    nothing = np.full(len(more), NULL16, np.int16)
    index = np.array([r if r >= 0 else NULL16 for _, r, _ in more], np.int16)
    index = np.concatenate([round_index[rows["round"]], index])
    seq, seat = np.concatenate([rows["seq"], nothing]), np.concatenate([rows["seat"], nothing])
    ids = np.concatenate([game_id[rows["round"]], np.array([g for g, *_ in more], np.int64)])
    given = {
        "game_id": pa.array(ids),
        "round_index": numbers(index, "int16", index == NULL16),
        "seq": numbers(seq, "int16", seq == NULL16),
        "seat": numbers(seat, "int16", seat == NULL16),
        "reason": pa.array(reasons, pa.string()),
    }
    return assemble("flags", None, given)
