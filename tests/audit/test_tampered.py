"""A real log with one change: the audit reports the change and nothing else."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from datetime import datetime

import duckdb
import numpy as np
import polars as pl
import pytest

from paifu.audit.batch_audit import audit
from paifu.audit.lake_reader import read_play
from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets

WANTED = ('"mt19937ar-sha512-n288-base64,', "doraHaiUra", 'type="169"', "RYUUKYOKU", 'owari="')


@pytest.fixture(scope="module")
def log(corpus):
    """Return the first Phoenix-room log of the corpus that has all of ``WANTED``."""
    for path in sorted((corpus / "mjlog").iterdir()):
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")
        if all(part in text for part in WANTED):
            return text
    raise AssertionError("the corpus has no such log")


def play_of(text):
    """Return the tables of one log in the form that the audit reads."""
    imported = mjlog.read([Blob(text.encode(), 0, played_at=datetime(2010, 8, 17))])
    assert not imported.rejects
    tables = replay(imported.batch, np.zeros(1, dtype=np.int64))
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.register(name, table)
    return read_play(connection, connection.sql("SELECT game_id FROM games").pl(), 4)


def findings(play):
    """Return what the audit finds: subject, round and field of every difference."""
    verdicts = audit(play, rulesets.get("tenhou-4p")).verdicts
    assert set(verdicts.verdicts["status"]) <= {"match", "mismatch"}
    rows = verdicts.fields.select("subject", "round_index", "field").rows()
    return {(subject, field) for subject, _, field in rows}


def changed(text, pattern, replacement):
    """Return the log with the first match of a pattern replaced."""
    out, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    assert count == 1
    assert out != text
    return out


def plus(amount, modulus=None):
    """Return a replacement that raises the number in group 1 by an amount."""

    def raised(match):
        number = int(match[1]) + amount
        start, end = match.start(1) - match.start(), match.end(1) - match.start()
        return match[0][:start] + str(number % modulus if modulus else number) + match[0][end:]

    return raised


def test_nothing_is_found_in_the_log_as_it_is(log):
    assert findings(play_of(log)) == set()


@pytest.mark.parametrize(
    ("pattern", "replacement", "expected"),
    [
        (r'<AGARI [^>]*ten="(\d+),', plus(10), {("win", "fu")}),
        (r'<AGARI [^>]*ten="\d+,(\d+),', plus(100), {("win", "points"), ("win", "honba_points")}),
        (r'<AGARI [^>]*ten="\d+,\d+,(\d)', plus(1), {("win", "limit")}),
        (r'<AGARI [^>]*yaku="(\d+),', plus(1), {("win", "yaku")}),
        (
            r'<AGARI [^>]*sc="\d+,-?\d+,\d+,(-?\d+)',
            plus(1),
            {("win", "delta_1"), ("win", "honba_points")},
        ),
        (r'<RYUUKYOKU [^>]*sc="\d+,(-?\d+)', plus(5), {("draw", "delta_0")}),
        (r'doraHaiUra="(\d+)', plus(4, 136), {("wall", "ura")}),
        (r'<INIT seed="\d,\d+,\d+,(\d)', plus(1, 6), {("wall", "dice")}),
        (r'owari="(-?\d+)', plus(10), {("game", "final_points_0")}),
        (r'owari="-?\d+,(-?\d+)', plus(1), {("game", "result_0")}),
    ],
)
def test_one_number_changed_is_found_in_its_place(log, pattern, replacement, expected):
    assert findings(play_of(changed(log, pattern, replacement))) == expected


def test_points_or_honba_that_do_not_follow_are_found_where_the_round_begins(log):
    last_round = r"^.*<INIT "
    points = findings(play_of(changed(log, last_round + r'[^>]*ten="(\d+)', plus(10))))
    assert ("round", "points_0") in points
    assert {subject for subject, _ in points} == {
        "round",
        "game",
    }  # and so the end of the game
    honba = findings(play_of(changed(log, last_round + r'seed="\d+,(\d+)', plus(1))))
    assert ("round", "honba") in honba
    assert ("win", "honba_points") in honba


def test_another_games_seed_is_found_in_every_wall_and_says_nothing_of_the_ura_dora(log):
    other = changed(log, r"n288-base64,(....)", lambda match: match[0][:-4] + "AAAA")
    play = play_of(other)
    verdicts = audit(play, rulesets.get("tenhou-4p")).verdicts
    assert verdicts.counts["wall"] == {"mismatch": len(play.rounds)}
    assert set(verdicts.fields["subject"]) == {"wall"}


def test_tiles_drawn_in_another_order_are_found(log):
    play = play_of(log)
    swapped = pl.col("live").str.slice(2, 2) + pl.col("live").str.slice(0, 2)
    draws = play.draws.with_columns(live=swapped + pl.col("live").str.slice(4))
    changed_rounds = (draws["live"] != play.draws["live"]).sum()
    assert changed_rounds > 0
    verdicts = audit(replace(play, draws=draws), rulesets.get("tenhou-4p")).verdicts
    assert set(verdicts.fields.select("subject", "field").rows()) == {("wall", "draws")}
    assert verdicts.counts["wall"]["mismatch"] == changed_rounds
