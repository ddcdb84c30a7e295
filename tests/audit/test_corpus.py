"""Every win, draw, round, game and wall of the real Tenhou logs agrees with its record.

The few that cannot be scored are listed here, with the reason.
"""

from __future__ import annotations

import pytest

import paifu
from paifu.lake.lake import Lake

CUSTOM = {"2019020120gm-0009-10011-215330df.mjlog", "chips_tonpusen.xml", "ratio.xml"}
"""A private lobby with another uma, a chip lobby with its own rules, the lobby of skill: the log
does not have their settings, so that only their wins are scored."""
OLDEST_SEEDS = "no wall follows from a mt19937ar seed"
"""Six logs of 2008-2009 have a seed of a few words; how walls follow from it is not known."""


@pytest.fixture(scope="module")
def lake(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit") / "corpus.lake"
    paifu.ingest([corpus / "mjlog", corpus / "mjlog3p"], lake=folder)
    paifu.rescore(folder)
    with Lake.open(folder) as opened:
        yield opened


def count(lake, table, condition="true"):
    return lake.sql(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]


def test_every_subject_has_one_verdict(lake):
    for subject, table, condition in (
        ("win", "wins", "true"),
        ("round", "rounds", "true"),
        ("game", "games", "detail = 'play'"),
        ("draw", "rounds", "outcome NOT IN ('tsumo', 'ron', 'double_ron', 'triple_ron')"),
        ("wall", "rounds SEMI JOIN seeds USING (game_id)", "true"),
    ):
        assert count(lake, "verdicts", f"subject = '{subject}'") == count(lake, table, condition)
    assert count(lake, "wins") > 30_000
    assert count(lake, "verdicts", "subject = 'wall'") > 35_000


def test_nothing_differs_from_its_record_and_nothing_was_not_allowed(lake):
    wrong = lake.sql(
        """SELECT subject, g.log_id, v.round_index, v.win_index, status, v.reason,
            list({'field': field, 'recorded': recorded, 'computed': computed})
        FROM verdicts AS v JOIN games AS g USING (game_id)
        LEFT JOIN verdict_fields AS f USING (subject, game_id, ruleset_hash)
        WHERE status IN ('mismatch', 'illegal') GROUP BY ALL"""
    ).fetchall()
    assert wrong == []


def test_what_cannot_be_scored_is_known_by_name(lake):
    unscorable = lake.sql(
        """SELECT v.subject, v.reason, parse_filename(s.path), count(*)
        FROM verdicts AS v JOIN games AS g USING (game_id) JOIN sources AS s USING (source_id)
        WHERE status = 'unscorable' GROUP BY ALL"""
    ).fetchall()
    assert {row[0] for row in unscorable} == {"draw", "round", "game", "wall"}
    for subject, reason, file, _ in unscorable:
        if subject == "wall":
            assert reason == OLDEST_SEEDS, file
        else:
            assert file in CUSTOM, (subject, reason)
    assert len({row[2] for row in unscorable if row[0] == "wall"}) == 6


@pytest.mark.parametrize(
    ("what", "table", "condition", "least"),
    [
        ("draws", "rounds", "outcome = 'exhaustive'", 4500),
        ("nagashi mangan", "rounds", "outcome = 'nagashi'", 20),
        ("nine kinds", "rounds", "outcome = 'kyuushu'", 400),
        ("four winds", "rounds", "outcome = 'suufon'", 20),
        ("four riichi", "rounds", "outcome = 'suucha'", 8),
        ("three winners", "rounds", "outcome = 'sanchahou'", 3),
        ("four kans", "rounds", "outcome = 'suukan'", 1),
        ("double ron", "rounds", "outcome = 'double_ron'", 150),
        ("bust", "games", "ended_by = 'bust'", 800),
        ("agari-yame", "games", "ended_by = 'agari_yame'", 300),
        ("tenpai-yame", "games", "ended_by = 'tenpai_yame'", 20),
        ("sudden death", "games", "ended_by = 'sudden_death'", 50),
        ("pao", "wins", "pao_seat IS NOT NULL AND tsumo", 4),
        ("ron on kita", "wins", "kita_ron", 10),
        ("chankan", "wins", "chankan", 5),
        ("counted yakuman", "wins", "\"limit\" = 'kazoe'", 10),
        ("several yakuman", "wins", "yakuman > 1", 2),
        ("ura dora of a wall", "scored_wins SEMI JOIN walls USING (game_id)", "ura_han > 0", 3000),
    ],
)
def test_the_rare_cases_are_there_to_agree(lake, what, table, condition, least):
    assert count(lake, table, condition) >= least, what


def test_a_changed_option_changes_the_verdicts_where_it_matters_and_nowhere_else(lake, tmp_path):
    mine = tmp_path / "kiriage.toml"
    mine.write_text('extends = "tenhou-4p"\nkiriage_mangan = true\n')
    with Lake.open(lake.location.text, write=True) as writable:
        paifu.rescore(writable, ruleset=mine)
    with Lake.open(lake.location.text) as changed:  # ``lake`` stays with what it was
        differing = changed.sql(
            """SELECT game_id, round_index, win_index FROM verdicts
            WHERE subject = 'win' AND ruleset = 'kiriage' AND status <> 'match' ORDER BY ALL"""
        ).fetchall()
    matters = lake.sql(
        """SELECT game_id, round_index, win_index FROM wins JOIN games USING (game_id)
        WHERE wins.players = 4 AND ruleset = 'tenhou-4p'
            AND ((han = 4 AND fu = 30) OR (han = 3 AND fu = 60)) ORDER BY ALL"""
    ).fetchall()
    lobbies = lake.sql(
        """SELECT DISTINCT game_id FROM games
        WHERE ruleset NOT IN ('tenhou-4p', 'tenhou-3p')"""
    ).fetchall()
    odd = {row[0] for row in lobbies}
    assert [row for row in differing if row[0] not in odd] == matters
    assert len(matters) > 100
