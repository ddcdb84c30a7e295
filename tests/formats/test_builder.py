"""The batch builder keeps what it is given, and leaves nothing of a game that fails."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from paifu.errors import LogError
from paifu.formats.builder import Builder, WinRecord, pack, unpack
from paifu.game.events import (
    CHI,
    DISCARD,
    DRAW,
    EVENT_KINDS,
    OUTCOME_EXHAUSTIVE,
    RIICHI_ACCEPTED,
    UNKNOWN,
    Batch,
    GameInfo,
)
from paifu.game.tiles import CODES, NO_TILE

HAIPAI = [*range(13)] * 4


def add_game(builder: Builder, tile: int = 5, honba: int = 0) -> None:
    builder.round(1, 2, honba, 1, [25000, 24000, 26000, 25000], 27, HAIPAI)
    builder.events.append(pack(DRAW, 2, tile))
    builder.events.append(pack(RIICHI_ACCEPTED, 2))
    builder.stated([24000] * 4)
    builder.win(
        WinRecord(2, 2, tile, fu=30, han=2, ura=(1, 2), yaku=[(0, 1), (52, 1)], points=3000)
    )
    builder.won()
    builder.round(1, 3, 0, 0, [25000] * 4, 3, HAIPAI)
    builder.draw(OUTCOME_EXHAUSTIVE, (1, 0, 0, 0), delta=(3000, -1000, -1000, -1000))
    builder.end_game(GameInfo(players=4, names=("a", "b", "c", "d")))


def add_game_that_fails(builder: Builder) -> None:
    with builder.game():
        add_game(builder)
        builder.round(0, 0, 0, 0, [25000] * 4, 3, HAIPAI)
        builder.events.append(pack(DISCARD, 0, 3))
        raise LogError("cut off")


def add_game_without_end(builder: Builder) -> None:
    with builder.game():
        builder.round(0, 0, 0, 0, [25000] * 4, 3, HAIPAI)


def add_game_with_points_after_a_draw(builder: Builder) -> None:
    with builder.game():
        builder.round(0, 0, 0, 0, [25000] * 4, 3, HAIPAI)
        builder.events.append(pack(DRAW, 0, 3))
        builder.stated([25000] * 4)


def same(left: Batch, right: Batch) -> bool:
    return all(
        getattr(left, spec.name) == right.games
        if spec.name == "games"
        else np.array_equal(getattr(left, spec.name), getattr(right, spec.name))
        for spec in fields(Batch)
    )


def test_every_packed_field_comes_back() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (
            int(rng.integers(0, EVENT_KINDS)),
            int(rng.integers(-1, 4)),
            int(rng.integers(-1, CODES)),
            int(rng.integers(-1, 4)),
            int(rng.integers(-1, 2)),
            tuple(rng.integers(0, CODES, size=rng.integers(0, 4)).tolist()),
        )
        for _ in range(500)
    ]
    columns = unpack(np.array([pack(*row) for row in rows]))
    for at, (kind, seat, tile, from_seat, tsumogiri, consumed) in enumerate(rows):
        assert columns["event_kind"][at] == kind
        assert columns["event_seat"][at] == seat
        assert columns["event_tile"][at] == tile
        assert columns["event_from"][at] == from_seat
        assert columns["event_tsumogiri"][at] == tsumogiri
        expected = [*consumed, NO_TILE, NO_TILE, NO_TILE][:3]
        assert columns["event_consumed"][at].tolist() == expected


@pytest.mark.parametrize(
    ("seat", "tile", "from_seat", "consumed"),
    [(4, 0, 0, ()), (0, CODES, 0, ()), (0, 0, 4, ()), (0, 0, 0, (46,)), (0, 0, 0, (1, 1, 1, 1))],
)
def test_every_event_has_a_valid_seat_and_tile(
    seat: int, tile: int, from_seat: int, consumed: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError):
        pack(CHI, seat, tile, from_seat, consumed=consumed)


def test_a_game_comes_out_as_it_went_in() -> None:
    builder = Builder()
    with builder.game():
        add_game(builder)
    batch = builder.finish()
    assert batch.game_rounds.tolist() == [0, 2]
    assert batch.round_events.tolist() == [0, 3, 3]
    assert batch.round_wind.tolist() == [1, 1]
    assert batch.round_dealer.tolist() == [2, 3]
    assert batch.round_haipai.shape == (2, 4, 13)
    assert batch.win_event.tolist() == [2]
    assert batch.win_ura.tolist() == [[1, 2, NO_TILE, NO_TILE, NO_TILE]]
    assert batch.yaku_id.tolist() == [0, 52]
    assert batch.stated_event.tolist() == [1]
    assert batch.round_recorded_delta.tolist() == [[UNKNOWN] * 4, [3000, -1000, -1000, -1000]]


def test_a_game_that_fails_half_way_leaves_no_trace() -> None:
    alone = Builder()
    beside = Builder()
    for builder in (alone, beside):
        with builder.game():
            add_game(builder, tile=3)
        if builder is beside:
            with pytest.raises(LogError, match="cut off"):
                add_game_that_fails(builder)
            with pytest.raises(LogError, match="out of range"), builder.game():
                add_game(builder, honba=1 << 20)
            with pytest.raises(LogError, match="no end"):
                add_game_without_end(builder)
        with builder.game():
            add_game(builder, tile=4)
    assert same(alone.finish(), beside.finish())


def test_points_are_stated_only_after_an_accepted_riichi() -> None:
    with pytest.raises(LogError, match="riichi"):
        add_game_with_points_after_a_draw(Builder())
