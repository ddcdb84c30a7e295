"""Re-scoring a lake: what is scored, what is not, and batches that are stored whole or not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import orjson
import pytest

import paifu
from paifu.audit.summary import Report, report_lines
from paifu.audit.verdict_writer import VerdictWriter
from paifu.cli.main import run
from paifu.errors import LakeError, RuleError
from paifu.lake.compact import compact
from paifu.lake.lake import Lake
from paifu.rules import rulesets
from tests.audit.lakes_by_hand import lake_of, table_of


def rows(folder, query):
    with Lake.open(folder) as lake:
        return lake.sql(query).fetchall()


def test_every_win_gets_its_score_yaku_and_verdict(tmp_path):
    lake = lake_of(tmp_path / "lake", [1, 2, 3])
    report = paifu.rescore(lake)
    assert (report.count("win"), report.count("win", "match")) == (3, 3)
    assert report.disagreements == 0
    assert rows(lake, 'SELECT DISTINCT han, fu, points, "limit", reading FROM scored_wins') == [
        (4, 30, 7700, "none", "234m 234m 567m 678s 55s")
    ]
    assert len(rows(lake, "SELECT * FROM scored_yaku")) == 12
    assert rows(lake, "SELECT subject, count(*) FROM verdicts GROUP BY 1 ORDER BY 1") == [
        ("game", 3), ("round", 3), ("win", 3),
    ]  # fmt: skip


def test_what_has_a_verdict_is_left_alone_and_new_games_are_done(tmp_path):
    lake = lake_of(tmp_path / "lake", [1, 2])
    paifu.rescore(lake)
    assert paifu.rescore(lake).count("win") == 0
    lake_of(lake, [3])
    assert paifu.rescore(lake).count("win") == 1
    assert paifu.rescore(lake, force=True).count("win") == 3
    assert rows(lake, "SELECT count(*), count(DISTINCT game_id) FROM scored_wins") == [(3, 3)]
    assert rows(lake, "SELECT count(*) FROM verdicts") == [(9,)]


def test_a_verdict_of_another_engine_is_stale_and_replaced(tmp_path, monkeypatch):
    lake = lake_of(tmp_path / "lake", [1, 2])
    paifu.rescore(lake)
    monkeypatch.setattr("paifu.audit.pending_games.ENGINE_VERSION", 99)
    monkeypatch.setattr("paifu.audit.batch_audit.ENGINE_VERSION", 99)
    report = paifu.rescore(lake)
    assert (report.stale, report.count("win")) == (2, 2)
    assert rows(lake, "SELECT DISTINCT engine_version FROM verdicts") == [(99,)]
    assert rows(lake, "SELECT count(*) FROM scored_yaku") == [(8,)]


def test_a_rule_set_whose_options_changed_replaces_its_verdicts_and_others_stay(tmp_path):
    lake = lake_of(tmp_path / "lake", [1])
    mine = replace(rulesets.get("tenhou-4p"), name="mine")
    paifu.rescore(lake)
    paifu.rescore(lake, ruleset=replace(mine, tobi="off"))
    changed = paifu.rescore(lake, ruleset=replace(mine, kiriage_mangan=True))
    assert changed.stale == 1
    assert changed.count("win", "mismatch") == 1
    assert rows(lake, "SELECT ruleset, points FROM scored_wins ORDER BY ruleset") == [
        ("mine", 8000), ("tenhou-4p", 7700),
    ]  # fmt: skip
    fields = rows(lake, "SELECT field, recorded, computed FROM verdict_fields ORDER BY field")
    assert fields == [
        ("delta_0", "-7700", "-8000"), ("delta_2", "8700", "9000"),
        ("points", "7700", "8000"),
    ]  # fmt: skip


def test_batches_and_threads_do_not_change_the_result(tmp_path):
    ids = list(range(1, 10))
    one = lake_of(tmp_path / "one", ids)
    many = lake_of(tmp_path / "many", ids)
    told = []
    paifu.rescore(one)
    paifu.rescore(
        many, batch_games=4, jobs=3, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(4, 9), (8, 9), (9, 9)]
    for table in ("verdicts", "scored_wins", "scored_yaku"):
        query = f"SELECT * FROM {table} ORDER BY ALL"
        assert rows(one, query) == rows(many, query)


def test_a_run_broken_off_keeps_whole_batches_and_is_taken_up_again(tmp_path, monkeypatch):
    lake = lake_of(tmp_path / "lake", [1, 2, 3, 4])
    write, done = VerdictWriter.write, []

    def fails_the_second_time(writer, *what):
        if done:
            raise KeyboardInterrupt
        done.append(1)
        write(writer, *what)

    monkeypatch.setattr(VerdictWriter, "write", fails_the_second_time)
    with pytest.raises(KeyboardInterrupt):
        paifu.rescore(lake, batch_games=2)
    monkeypatch.undo()
    assert rows(lake, "SELECT count(*) FROM scored_wins") == [(2,)]
    assert paifu.rescore(lake).count("win") == 2
    assert rows(lake, "SELECT count(DISTINCT game_id) FROM verdicts") == [(4,)]


@pytest.mark.parametrize("compacted", [False, True])
def test_a_game_forgotten_meanwhile_leaves_no_rows(tmp_path, monkeypatch, compacted):
    lake = lake_of(tmp_path / "lake", [1, 2])
    write = VerdictWriter.write

    def forgets_first(writer, *what):
        with Lake.open(lake, write=True) as other:
            other.transact(lambda transaction: transaction.remove_games([2]))
            if compacted:
                compact(other, now=True)
        write(writer, *what)

    monkeypatch.setattr(VerdictWriter, "write", forgets_first)
    paifu.rescore(lake)
    assert rows(lake, "SELECT DISTINCT game_id FROM verdicts") == [(1,)]
    assert rows(lake, "SELECT DISTINCT game_id FROM scored_yaku") == [(1,)]


@pytest.mark.usefixtures("all_processors")
def test_two_runs_at_once_leave_every_verdict_once(tmp_path):
    lake = lake_of(tmp_path / "lake", list(range(1, 7)))
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(paifu.rescore, lake, batch_games=2) for _ in range(2)]
        for running in runs:
            running.result()
    for table, each in (("verdicts", 3), ("scored_wins", 1), ("scored_yaku", 4)):
        assert rows(lake, f"SELECT DISTINCT count(*) FROM {table} GROUP BY game_id") == [(each,)]
        assert rows(lake, f"SELECT count(*) FROM {table}") == [(6 * each,)]


def test_games_of_other_players_or_rules_are_left_out_and_said_so(tmp_path):
    lake = lake_of(tmp_path / "lake", [1])
    report = paifu.rescore(lake, ruleset="tenhou-3p")
    assert report.left_out == {"tenhou-3p is not for 4 players": 1}
    assert rows(lake, "SELECT count(*) FROM verdicts") == [(0,)]
    chinese = lake_of(tmp_path / "chinese", [1], ruleset="taiwan")
    report = paifu.rescore(chinese)
    assert report.as_dict()["left_out"] == 1
    assert "taiwan is no rule set" in report.left_out


def test_an_illegal_win_and_one_recorded_wrongly_are_told_apart(tmp_path):
    lake = lake_of(tmp_path / "lake", [1], furiten="own")
    lake_of(lake, [2], fu=40)
    report = paifu.rescore(lake)
    assert report.count("win", "illegal") == report.count("win", "mismatch") == 1
    texts = [example.text() for example in report.examples]
    assert any("furiten" in text and "hand 22334456m678s55s7m" in text for text in texts)
    assert any("fu: recorded 40, computed 30" in text for text in texts)


def test_the_command_prints_its_result_and_can_be_strict(tmp_path, capsys):
    lake = lake_of(tmp_path / "lake", [1, 2])
    lake_of(lake, [-3], points=8000)
    assert run(["rescore", "--lake", str(lake), "--json"]) == 0
    result = orjson.loads(capsys.readouterr().out)
    for key in (
        "wins", "matched", "mismatched", "illegal", "unscorable", "draws", "draws_matched",
        "rounds", "rounds_matched", "games", "games_matched", "walls", "walls_matched", "stale",
        "seconds",
    ):  # fmt: skip
        assert key in result
    assert (result["wins"], result["matched"], result["mismatched"]) == (3, 2, 1)
    assert result["disagreements"][0]["game_id"] == "-3"
    assert run(["rescore", "--lake", str(lake), "--force", "--strict"]) == 1
    text = capsys.readouterr().out
    assert "wins    2 of 3 match (1 mismatch)" in text
    assert "points: recorded 8000, computed 7700" in text


def test_a_rule_set_or_lake_that_is_not_there(tmp_path):
    with pytest.raises(LakeError, match="no lake"):
        paifu.rescore(tmp_path / "none")
    lake = lake_of(tmp_path / "lake", [1])
    with pytest.raises(RuleError, match="no rule set"):
        paifu.rescore(lake, ruleset="tenhuo")


ACT = {"turn": 1, "table_turn": 1.0, "action": "discard", "tile": "7m", "seat": 0}


def test_a_last_discard_after_a_replacement_tile_is_read_from_the_acts(tmp_path):
    """A rule set may say that it is not houtei; after an ordinary draw it is houtei."""
    lake = lake_of(tmp_path / "lake", [1, 2], houtei=True, seq=2)
    first = {1: {"action": "ankan", "tile": "1z"}, 2: {"seat": 1, "tile": "9p"}}
    acts = [
        {"game_id": game} | ACT | changes | {"seq": seq}
        for game in (1, 2)
        for seq, changes in enumerate((first[game], {"drawn": "7m"}))
    ]
    with Lake.open(lake, write=True) as opened:
        staged = opened.stage({"actions": table_of("actions", acts)})
        opened.transact(lambda transaction: transaction.add(staged))
    house = tmp_path / "house.toml"
    house.write_text('extends = "tenhou-4p"\nhoutei_after_rinshan = false\n')
    query = "SELECT DISTINCT game_id FROM scored_yaku WHERE yaku = 'houtei' ORDER BY 1"
    paifu.rescore(lake, ruleset=house)
    assert rows(lake, query) == [(2,)]
    paifu.rescore(lake, ruleset="tenhou-4p")
    assert rows(lake, query) == [(1,), (2,)]


MCR = {
    "hand": "56677899m", "melds": "pon:777z chi:123m", "win_tile": "8m", "han": 10, "fu": None,
    "points": 17, "limit": None, "riichi": False, "flowers": 1, "dora_indicators": [], "sticks": 0,
    "ura_indicators": [], "dora_han": None, "aka_han": None, "ura_han": None,
}  # fmt: skip


def report_of(lake):
    """Re-score a lake and return the report as text."""
    return "\n".join(report_lines(paifu.rescore(lake)))


def test_a_disagreement_says_what_was_on_the_table_and_what_the_win_was_paid(tmp_path):
    lake = lake_of(tmp_path / "lake", [1], fu=40)
    text = report_of(lake)
    assert "the disagreement:" in text
    assert "East 1, honba 0 (round 0, began with 0 sticks on the table, dealer seat 0," in text
    assert "takes 1 stick, including the winner's own" in text
    assert "1 sticks" not in text
    lake_of(lake, [2], points=8000, delta_0=5)
    assert "seat 0's change by the win: recorded 5, computed" in report_of(lake)


def test_a_chinese_hand_is_told_without_dora_and_red_fives(tmp_path):
    lake = lake_of(tmp_path / "lake", [1], ruleset="mcr", played="mcr", **MCR)
    text = report_of(lake)
    assert "hand 56677899m  melds pon:777z chi:123m\n    1 flower" in text
    for word in ("dora", "red fives", "honba", "stick", "han:", "yaku"):
        assert word not in text, word
    assert "fan in all: recorded 10, computed 9" in text


def test_the_most_frequent_reasons_are_listed_and_where_to_find_all(tmp_path):
    lake = lake_of(tmp_path / "lake", [1, 2], ruleset="tenhou-custom")
    lake_of(lake, [3], ura_indicators=[])
    lake_of(lake, [4], furiten="own")
    lake_of(lake, [5], furiten="riichi")
    text = report_of(lake)
    assert "unscorable: the lobby's own settings are not known (2 rounds, 2 games)" in text
    assert text.count("unscorable: ") + text.count("illegal: ") == 3
    assert "2 other reasons; paifu stats data_quality lists all" in text
    assert "data_quality" not in report_of(lake_of(tmp_path / "clean", [1], ended_by="last_round"))


def test_a_lake_without_games_is_not_said_to_be_judged() -> None:
    assert report_lines(Report())[0].endswith("no game whose play or wins are known")
    assert report_lines(Report(games=1))[0].endswith("every game has its verdict")
