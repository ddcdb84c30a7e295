"""Replay survives every batch that passes validation, and its tables fit the schema.

``tests/kernels/test_bounds.py`` does the same with kernels that check every index.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paifu.game import events as ev
from paifu.game.events import Batch, GameInfo
from paifu.replay.replay_batch import replay
from paifu.schema.tables import PLAY_TABLES, TABLES


def garbage(seed: int, games: int = 6) -> Batch:
    """A batch of random values within the ranges of ``Batch.validate``, without any sense.

    Half of the games use few kinds of tile, so that calls, kans and wins sometimes fit.
    """
    rng = np.random.default_rng(seed)
    infos = [
        GameInfo(
            players=int(rng.choice([3, 4])), length=str(rng.choice(["east", "south", "?"])),
            final_points=(1, 2, 3, 4) if rng.random() < 0.5 else None,
            complete=bool(rng.random() < 0.5),
        )
        for _ in range(games)
    ]  # fmt: skip
    rounds = rng.integers(1, 4, games)
    rounds[0] = 0  # all games without a round have the same id
    events = rng.integers(0, 200, rounds.sum())
    count, total = int(rounds.sum()), int(events.sum())
    top = int(rng.choice([4, 12, 46]))

    def tiles(*shape: int) -> ev.Array:
        return rng.integers(-1 if rng.random() < 0.3 else 0, top, shape).astype(np.int8)

    def numbers(dtype: type, *shape: int) -> ev.Array:
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, int(info.max) + 1, shape)
        return np.where(rng.random(shape) < 0.8, rng.integers(-2, 5, shape), wide).astype(dtype)

    def seats(*shape: int) -> ev.Array:
        return rng.integers(-1, 4, shape).astype(np.int8)

    kind = rng.choice(
        ev.EVENT_KINDS, total,
        p=np.array([30, 30, 4, 4, 4, 4, 4, 4, 4, 4, 2, 1, 0.5, 1, 1]) / 97.5,
    ).astype(np.int8)  # fmt: skip
    won = np.flatnonzero(kind == ev.WIN)
    wins = len(won)
    yaku = rng.integers(0, 4, wins)
    stated = np.sort(rng.integers(0, max(total, 1), 5 if total else 0))
    return Batch(
        games=infos,
        game_rounds=np.concatenate([[0], np.cumsum(rounds)]).astype(np.int64),
        round_events=np.concatenate([[0], np.cumsum(events)]).astype(np.int64),
        round_wind=rng.integers(0, 4, count).astype(np.int8),
        round_number=rng.integers(0, 4, count).astype(np.int8),
        round_honba=numbers(np.int16, count), round_sticks=numbers(np.int16, count),
        round_dealer=rng.integers(0, 4, count).astype(np.int8),
        round_dice=rng.integers(-1, 6, (count, 2)).astype(np.int8),
        round_indicator=tiles(count), round_haipai=tiles(count, 4, 13),
        round_scores=numbers(np.int32, count, 4),
        round_recorded_outcome=rng.integers(0, 9, count).astype(np.int8),
        round_recorded_tenpai=rng.integers(-128, 128, (count, 4)).astype(np.int8),
        round_recorded_before=numbers(np.int32, count, 4),
        round_recorded_delta=numbers(np.int32, count, 4),
        event_kind=kind, event_seat=seats(total), event_tile=tiles(total), event_from=seats(total),
        event_tsumogiri=rng.integers(-128, 128, total).astype(np.int8),
        event_consumed=tiles(total, 3),
        stated_event=stated.astype(np.int64), stated_scores=numbers(np.int32, len(stated), 4),
        win_event=won.astype(np.int64), win_hand=tiles(wins, 14), win_fu=numbers(np.int16, wins),
        win_han=numbers(np.int16, wins), win_yakuman=numbers(np.int16, wins),
        win_points=numbers(np.int32, wins), win_limit=rng.integers(-1, 7, wins).astype(np.int8),
        win_pao=seats(wins), win_honba=numbers(np.int16, wins), win_sticks=numbers(np.int16, wins),
        win_indicators=tiles(wins, 5), win_ura=tiles(wins, 5),
        win_before=numbers(np.int32, wins, 4),
        win_delta=numbers(np.int32, wins, 4), win_chips=numbers(np.int16, wins),
        win_yaku=np.concatenate([[0], np.cumsum(yaku)]).astype(np.int64),
        yaku_id=numbers(np.int16, int(yaku.sum())), yaku_han=numbers(np.int16, int(yaku.sum())),
    )  # fmt: skip


def check(batch: Batch) -> None:
    """Replay a batch and compare its tables with the schema."""
    tables = replay(batch, np.zeros(len(batch.games), np.int64))
    assert tuple(tables) == PLAY_TABLES
    for name, table in tables.items():
        table.validate(full=True)
        for field, column in zip(TABLES[name].arrow(), table.columns, strict=True):
            plain = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            assert plain == field.type, (name, field.name)
            assert field.nullable or column.null_count == 0, (name, field.name)
    for name in ("games", "seats", "rounds", "round_seats", "actions", "discard_risks", "wins"):
        keys = tables[name].select(list(TABLES[name].key)).to_pylist()
        assert len({tuple(key.values()) for key in keys}) == len(keys), name


def run(seeds: range) -> None:
    for seed in seeds:
        check(garbage(seed))


def test_garbage_is_survived() -> None:
    run(range(60))
