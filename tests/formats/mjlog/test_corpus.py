"""The mjlog importer on the corpus: both ways of reading, a simple reader, and invariants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from paifu.formats.base import Blob, Imported
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.mjlog.any_xml import rewrite
from paifu.formats.mjlog.build import play_of
from paifu.formats.mjlog.elements import G_STATUS
from paifu.formats.mjlog.grammar import FINE
from paifu.formats.mjlog.tokeniser import scan
from paifu.game.events import LIMITS, OUTCOMES, RIICHI_ACCEPTED, UNKNOWN, WIN, Batch
from paifu.schema.yaku import YAKU
from paifu.sources.containers import open_sources
from tests.formats.mjlog.mjlog_twin import KINDS, TwinRound, rounds_of

FOLDERS = ("mjlog", "mjlog3p", "mjlog_partial", "mjlog_malformed")


@pytest.fixture(scope="module")
def blobs(corpus: Path) -> list[Blob]:
    members = [
        member.unpack()
        for source in open_sources([corpus / folder for folder in FOLDERS])
        for member in source.members()
    ]
    assert all(isinstance(blob, Blob) for blob in members)
    return members


@pytest.fixture(scope="module")
def imported(blobs: list[Blob]) -> Imported:
    return mjlog.read(blobs)


def test_every_log_is_read_but_the_one_without_a_deal(
    blobs: list[Blob], imported: Imported
) -> None:
    imported.batch.validate()
    assert [blobs[reject.blob].name for reject in imported.rejects] == [
        "2014060122gm-00b9-0000-81b92751.mjlog"
    ]
    reject = imported.rejects[0]
    assert (reject.position, reject.reason) == (
        f"byte {len(blobs[reject.blob].data)}",
        "the log breaks off before the first deal",
    )
    assert sorted([*imported.game_blob, reject.blob]) == list(range(len(blobs)))


def test_a_game_is_complete_when_its_log_has_the_final_result(
    corpus: Path, blobs: list[Blob], imported: Imported
) -> None:
    partial = {path.name for path in (corpus / "mjlog_partial").iterdir()}
    for game, index in zip(imported.batch.games, imported.game_blob, strict=True):
        name = blobs[index].name
        assert game.complete == (name not in partial), name
        assert not game.notes, name


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_both_ways_make_the_same_arrays(blobs: list[Blob], every: int) -> None:
    """For a strict log, the XML parser and the tokeniser give the same tokens."""
    blobs, step = blobs[::every], 1000
    for start in range(0, len(blobs), step):
        texts = [blob.data for blob in blobs[start : start + step]]
        strict = [
            text
            for text, status in zip(texts, scan(texts)[1].games[:, G_STATUS], strict=True)
            if status == FINE
        ]
        assert len(strict) > 0.95 * len(texts)
        fast = play_of(scan(strict)[1])
        slow = play_of(scan([rewrite(text).data for text in strict])[1])
        for spec in fields(Batch):
            if spec.name != "games":
                assert np.array_equal(getattr(fast, spec.name), getattr(slow, spec.name)), spec.name


def _same_round(batch: Batch, index: int, twin: TwinRound, wins: Sequence[int]) -> None:
    events = slice(batch.round_events[index], batch.round_events[index + 1])
    consumed = [
        tuple(tile for tile in row if tile >= 0) for row in batch.event_consumed[events].tolist()
    ]
    kinds = [KINDS[kind] for kind in batch.event_kind[events]]
    columns = [
        getattr(batch, f"event_{name}")[events].tolist()
        for name in ("seat", "tile", "from", "tsumogiri")
    ]
    assert list(zip(kinds, *columns, consumed, strict=True)) == twin.events
    assert twin.seed == [
        4 * batch.round_wind[index] + batch.round_number[index],
        batch.round_honba[index],
        batch.round_sticks[index],
        *batch.round_dice[index],
        batch.round_indicator[index],
    ]
    assert batch.round_dealer[index] == twin.dealer
    hands = [[tile for tile in hand if tile >= 0] for hand in batch.round_haipai[index].tolist()]
    assert hands == twin.haipai
    assert batch.round_scores[index].tolist() == twin.scores
    assert OUTCOMES[batch.round_recorded_outcome[index]] == twin.outcome
    assert batch.round_recorded_tenpai[index].tolist() == twin.tenpai
    unknown = [UNKNOWN] * 4
    assert batch.round_recorded_before[index].tolist() == (twin.before or unknown)
    assert batch.round_recorded_delta[index].tolist() == (twin.delta or unknown)
    stated = (batch.stated_event >= events.start) & (batch.stated_event < events.stop)
    assert batch.stated_scores[stated].tolist() == twin.stated
    assert (batch.event_kind[batch.stated_event[stated]] == RIICHI_ACCEPTED).all()
    assert len(wins) == len(twin.wins)
    for win, expected in zip(wins, twin.wins, strict=True):
        yaku = slice(batch.win_yaku[win], batch.win_yaku[win + 1])
        ids = [YAKU[number].tenhou for number in batch.yaku_id[yaku]]
        han = batch.yaku_han[yaku].tolist()
        listed = expected.yaku + [(number, 13) for number in expected.yakuman]
        assert list(zip(ids, han, strict=True)) == listed
        assert [tile for tile in batch.win_hand[win] if tile >= 0] == expected.hand
        assert [tile for tile in batch.win_indicators[win] if tile >= 0] == expected.indicators
        assert [tile for tile in batch.win_ura[win] if tile >= 0] == expected.ura
        assert batch.win_han[win] == (
            -1 if expected.yakuman else sum(number for _, number in expected.yaku)
        )
        assert batch.win_yakuman[win] == len(expected.yakuman)
        assert LIMITS[batch.win_limit[win]] == expected.limit
        for name in ("fu", "points", "honba", "sticks", "pao", "chips"):
            assert getattr(batch, f"win_{name}")[win] == getattr(expected, name), name
        assert batch.win_before[win].tolist() == expected.before
        assert batch.win_delta[win].tolist() == expected.delta


def test_the_importer_agrees_with_a_plain_reading(
    blobs: list[Blob], imported: Imported, request: pytest.FixtureRequest
) -> None:
    """Every seventh log and every log that is not strict; with ``--slow`` all logs."""
    batch = imported.batch
    strict = scan([blob.data for blob in blobs])[1].games[:, G_STATUS] == FINE
    every = 1 if request.config.getoption("--slow") else 7
    round_of_win = np.searchsorted(batch.round_events, batch.win_event, side="right") - 1
    compared = 0
    for game, index in enumerate(imported.game_blob):
        if strict[index] and index % every:
            continue
        twins, about = rounds_of(blobs[index].data)
        first, last = batch.game_rounds[game], batch.game_rounds[game + 1]
        assert last - first == len(twins)
        for number, twin in zip(range(first, last), twins, strict=True):
            wins = np.flatnonzero(round_of_win == number) if twin.wins else []
            _same_round(batch, number, twin, wins)
        info = batch.games[game]
        assert info.go_type == int(about["type"])
        if "owari" in about:
            owari = [float(number) for number in about["owari"].split(",")]
            assert list(info.final_points) == [
                round(100 * n) for n in owari[0 : 2 * info.players : 2]
            ]
            assert list(info.result) == owari[1 : 2 * info.players : 2]
        assert list(info.dan) == [int(dan) for dan in about["dan"].split(",")][: info.players]
        assert list(info.rate) == [float(r) for r in about["rate"].split(",")][: info.players]
        compared += 1
    assert compared > 500


def test_records_keep_their_promises(imported: Imported) -> None:
    """The invariants of formats.md §3.2 about the record alone."""
    batch = imported.batch
    accepted = np.zeros((len(batch.round_wind), 4), dtype=np.int64)
    steps = np.flatnonzero(batch.event_kind == RIICHI_ACCEPTED)
    round_of = np.searchsorted(batch.round_events, np.arange(len(batch.event_kind)), "right") - 1
    np.add.at(accepted, (round_of[steps], batch.event_seat[steps]), 1)
    assert accepted.max() == 1

    round_of_win = round_of[batch.win_event]
    first = np.ones(len(round_of_win), dtype=bool)
    first[1:] = round_of_win[1:] != round_of_win[:-1]
    paid = batch.round_scores - 1000 * accepted

    # 2. Points before the first payment are the starting points minus the riichi sticks.
    assert np.array_equal(batch.win_before[first], paid[round_of_win[first]])
    drawn = batch.round_recorded_before[:, 0] != UNKNOWN
    assert np.array_equal(batch.round_recorded_before[drawn], paid[drawn])

    # 3. The first win has the honba and sticks of the table; 4. a later win has only the honba.
    sticks = batch.round_sticks + accepted.sum(axis=1)
    assert np.array_equal(batch.win_honba, batch.round_honba[round_of_win])
    assert np.array_equal(batch.win_sticks, np.where(first, sticks[round_of_win], 0))
    later = np.flatnonzero(~first)
    assert len(later) > 100
    after = batch.win_before + batch.win_delta
    assert np.array_equal(batch.win_before[later], after[later - 1])

    # 1. The next round starts with the points at the end of this round.
    end = np.full_like(batch.round_scores, UNKNOWN)
    end[drawn] = (batch.round_recorded_before + batch.round_recorded_delta)[drawn]
    end[round_of_win] = after  # the last win of a round comes last
    follows = np.ones(len(end), dtype=bool)
    follows[batch.game_rounds[1:] - 1] = False
    known = follows & (end[:, 0] != UNKNOWN)
    assert known.sum() > 0.99 * follows.sum()
    assert np.array_equal(end[known], batch.round_scores[1:][known[:-1]])

    # 5. Final points are the last points, with leftover sticks to the first; 6. results sum to
    #    zero.
    leftover = 0
    for game, info in enumerate(batch.games):
        if info.final_points is None:
            continue
        last = end[batch.game_rounds[game + 1] - 1][: info.players]
        surplus = np.array(info.final_points) - last
        assert (surplus >= 0).all()
        assert np.count_nonzero(surplus) <= 1
        if surplus.any():
            leftover += 1
            assert info.final_points[int(surplus.argmax())] == max(info.final_points)
        assert abs(sum(info.result)) < 0.05
    assert leftover > 50
    # 7. Chips are recorded if the lobby has chips.
    assert {info.ruleset for info in batch.games if info.chips} <= {
        "tenhou-chip", "tenhou-chip-5", "tenhou-custom",
    }  # fmt: skip
    assert (np.flatnonzero(batch.event_kind == WIN) == batch.win_event).all()
