"""Logs that are cut off, damaged or senseless cause no crash and no read out of bounds."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from paifu.errors import LogError
from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.mjlog.any_xml import rewrite
from paifu.formats.mjlog.build import play_of
from paifu.formats.mjlog.elements import G_STATUS, SEEDS
from paifu.formats.mjlog.grammar import FINE
from paifu.formats.mjlog.tokeniser import scan
from paifu.game.events import Batch
from tests.helpers.damage import broken, sample, whole_tags_moved


@pytest.fixture(scope="module")
def hostile(corpus: Path) -> list[bytes]:
    texts = sample(corpus, 40)
    return [*broken(texts, 3, seed=3), *whole_tags_moved(texts, seed=4)]


def test_every_broken_log_is_a_game_or_a_reject(hostile: list[bytes]) -> None:
    imported = mjlog.read([Blob(text, 0) for text in hostile])
    imported.batch.validate()
    rejected = [reject.blob for reject in imported.rejects]
    assert sorted([*imported.game_blob, *rejected]) == list(range(len(hostile)))
    for reject in imported.rejects:
        position = int(reject.position.removeprefix("byte "))
        assert 0 <= position <= len(hostile[reject.blob])
        assert reject.reason


def test_what_the_tokeniser_accepts_is_xml_and_says_the_same(hostile: list[bytes]) -> None:
    status = scan(hostile)[1].games[:, G_STATUS]
    strict = [text for text, code in zip(hostile, status, strict=True) if code == FINE]
    assert len(strict) > 100
    fast = play_of(scan(strict)[1])
    slow = play_of(scan([rewrite(text).data for text in strict])[1])
    for spec in fields(Batch):
        if spec.name != "games":
            assert np.array_equal(getattr(fast, spec.name), getattr(slow, spec.name)), spec.name


def test_a_broken_log_leaves_its_neighbours_alone(corpus: Path, hostile: list[bytes]) -> None:
    good = sample(corpus, 2)[0]
    alone = mjlog.read([Blob(good, 0)]).batch
    batch = mjlog.read([Blob(good, 0), *(Blob(text, 0) for text in hostile), Blob(good, 0)]).batch
    for spec in fields(Batch):
        if spec.name.startswith(("event_", "round_haipai", "round_scores")):
            expected, values = getattr(alone, spec.name), getattr(batch, spec.name)
            assert np.array_equal(values[: len(expected)], expected), spec.name


def test_a_seed_is_decoded_once_however_often_shuffling_is_told(corpus: Path) -> None:
    """Each seed has space only for its own words."""
    log = sample(corpus, 1)[0]
    seed = log.index(b"<SHUFFLE")
    behind = log.index(b"/>", seed) + 2
    again = log[:behind] + b"<SHUFFLE/>" * 3 + log[behind:]
    (_, once), (_, repeated) = scan([log]), scan([again])
    assert once.counts[SEEDS] == repeated.counts[SEEDS] == 2496  # 624 words


def test_a_log_of_nothing_but_elements_takes_bounded_time() -> None:
    """A megabyte of the smallest elements: every output fills its array completely."""
    hands = 'hai0="" hai1="" hai2="" hai3=""'
    deal = f'<INIT seed="0,0,0,0,0,0" ten="0,0,0" oya="0" {hands}/>'
    smallest = '<INIT seed="0,0,0,0,0,0" ten="0,0,0" oya="0" hai0=""/>'
    win = '<AGARI machi="0" who="0" fromWho="0"/>'
    yakuman = '<AGARI machi="0" who="0" fromWho="0" yakuman="' + ",".join(["9"] * 60) + '"/>'
    reach = '<REACH who="0" ten="0,0,0" step="2"/>'
    players = '<UN n0="" n1="" n2="" n3=""/>'
    for element, name, each in (
        ("<T1/>", "event_kind", 1),
        (smallest, "round_wind", 1),
        (win, "win_event", 1),
        (yakuman, "yaku_id", 60),
        (reach, "stated_event", 1),
        (players, "event_kind", 4),
    ):
        count = (1 << 20) // len(element)
        data = f'<mjloggm ver="2.3"><UN n0=""/>{deal}{element * count}</mjloggm>'.encode()
        imported = mjlog.read([Blob(data, 0)])
        imported.batch.validate()
        found = len(getattr(imported.batch, name))
        assert found == each * count + (name == "round_wind")


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "martian"])
def test_an_encoding_that_cannot_be_read_is_said(encoding: str) -> None:
    log = f'<?xml version="1.0" encoding="{encoding}"?><mjloggm ver="2.3"></mjloggm>'
    with pytest.raises(LogError, match="encoding"):
        rewrite(log.encode())
