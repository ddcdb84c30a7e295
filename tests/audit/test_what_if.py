"""Other rule sets than the record's: their verdicts are stored, but never count for the record."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

import paifu
from paifu.audit.game_results import result_rows
from paifu.cli.main import run
from paifu.errors import RuleError
from paifu.lake.lake import Lake
from paifu.query.filters import Filter
from paifu.query.statistics import run as run_statistic
from paifu.rules import rulesets
from paifu.rules.riichi.toml_rules import parse
from tests.audit.games_by_hand import a_game, settled, won_by

UMA = (15, 5, -5, -15)
OWN = f'extends = "tenhou-4p"\numa = {list(UMA)}\n'
KIRIAGE = OWN + "kiriage_mangan = true\nmin_han = 2\n"


@pytest.fixture(scope="module")
def place(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of simulated games, re-scored under their records' rules; tests may change it."""
    return shutil.copytree(place, tmp_path_factory.mktemp("what-if") / "lake")


def own_rules(folder: Path, text: str = OWN, name: str = "own_uma.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows with rounded numbers, because the order of a sum changes the last digits."""
    return [tuple(round(v, 9) if isinstance(v, float) else v for v in row) for row in rows]


def said_of_the_record(place: Path, capsys: pytest.CaptureFixture[str]) -> list[object]:
    """Return all answers about the records, without asking for a rule set."""
    with Lake.open(place) as lake:
        answers: list[object] = [
            rounded(run_statistic(lake, "data_quality").rows),
            rounded(run_statistic(lake, "games", only=Filter(matched=True)).rows),
            rounded(run_statistic(lake, "placement").rows),
            rounded(run_statistic(lake, "placement", {"results": "computed"}).rows),
            rounded(run_statistic(lake, "wins").rows),
        ]
        games = lake.sql("SELECT game_id FROM games ORDER BY 1 LIMIT 1").fetchall()
    answers.append(run(["rescore", "--lake", str(place), "--strict"]))
    capsys.readouterr()
    for (game,) in games:
        assert run(["show", str(game), "--lake", str(place), "--json"]) == 0
        assert run(["show", str(game), "0", "--lake", str(place)]) == 0
        answers.append(capsys.readouterr().out)
    return answers


def test_another_rule_set_changes_nothing_that_is_said_of_the_record(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = said_of_the_record(place, capsys)
    report = paifu.rescore(place, ruleset=own_rules(tmp_path))
    assert report.count("game", "mismatch") > 0  # results that differ from the recorded results
    report = paifu.rescore(place, ruleset=own_rules(tmp_path, KIRIAGE, "two_han.toml"))
    assert report.count("win", "illegal") > 0  # wins of one han
    assert said_of_the_record(place, capsys) == before


def test_what_another_rule_set_says_is_there_for_whoever_asks_by_name(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = own_rules(tmp_path)
    paifu.rescore(place, ruleset=rules)
    with Lake.open(place) as lake:
        told = run_statistic(lake, "data_quality", {"ruleset": "own_uma"}).rows
        assert ("verdict game", "mismatch") in {row[:2] for row in told}
        assert run_statistic(lake, "data_quality", {"ruleset": "tenhou-4p"}).rows
        (game,) = lake.sql("SELECT min(game_id) FROM games WHERE players = 4").fetchone() or ()
    where = ["--lake", str(place)]
    assert run(["rescore", *where, "--strict"]) == 0
    assert run(["rescore", *where, "--ruleset", rules, "--strict"]) == 1
    capsys.readouterr()
    assert run(["show", str(game), *where, "--ruleset", "own_uma"]) == 0
    assert "agree under own_uma" in capsys.readouterr().out
    for command in (
        ["stats", "placement", "--param", "ruleset=own_umi"], ["show", str(game), "--rules", "x"],
    ):  # fmt: skip
        assert run([*command, *where]) == 2
        assert "nothing is re-scored under" in capsys.readouterr().err


def test_results_under_another_uma_are_its_points_with_that_uma(
    place: Path, tmp_path: Path
) -> None:
    paifu.rescore(place, ruleset=own_rules(tmp_path))
    with Lake.open(place) as lake:
        rows = lake.sql(
            "SELECT s.final_points, s.placement, c.points, c.placement, c.result"
            " FROM computed_results AS c JOIN seats AS s USING (game_id, seat)"
            " WHERE c.ruleset = 'own_uma'"
        ).fetchall()
        by_player = run_statistic(lake, "placement", {"ruleset": "own_uma"}).pl()
    assert rows
    for final, recorded_place, points, place_, result in rows:
        assert (points, place_) == (final, recorded_place)
        oka = 20 if place_ == 1 else 0
        assert result == pytest.approx((points - 30000) / 1000 + UMA[place_ - 1] + oka)
    total = (by_player["average_result"] * by_player["n"]).sum()
    assert total == pytest.approx(sum(row[-1] for row in rows), abs=1e-6)


def test_the_records_own_results_come_out_as_recorded(place: Path) -> None:
    with Lake.open(place) as lake:
        rows = lake.sql(
            "SELECT s.final_points = c.points AND s.placement = c.placement"
            " AND coalesce(abs(s.result - c.result) < 0.01, true) AS same, count(*)"
            " FROM computed_results AS c JOIN games USING (game_id, ruleset)"
            " JOIN seats AS s USING (game_id, seat) GROUP BY ALL"
        ).fetchall()
        for name in ("placement", "placement_by_points", "placement_by_start_seat"):
            recorded, computed = (
                run_statistic(lake, name, {"results": results}).rows
                for results in ("recorded", "computed")
            )
            assert recorded
            assert rounded(computed) == rounded(recorded), name
    assert [same for same, _ in rows] == [True]


def test_a_placement_under_other_rules_moves_with_them(tmp_path: Path) -> None:
    """A honba of 1,500 points changes the placements of a game; a honba of 300 points does not."""
    lead = {"delta": [0, 3000, -1000, -2000]}
    last = won_by(2, [-5500, 0, 5500, 0], honba=1, points=[25000, 28000, 24000, 23000])
    play, paid = a_game(won_by(1, lead["delta"]), last, final=[19500, 28000, 29500, 23000])
    for rules, points, places in (
        (rulesets.get("tenhou-4p"), [19500, 28000, 29500, 23000], [4, 2, 1, 3]),
        (rulesets.get("wrc"), [24500, 33000, 34500, 28000], [4, 2, 1, 3]),
    ):
        rows = result_rows(play, settled(play, paid, rules), rules)
        assert rows["points"].to_list() == points, rules.name
        assert rows["placement"].to_list() == places
        assert rows["result"].sum() == pytest.approx(0)


def test_points_are_carried_through_all_rounds_under_the_rule_set_asked_for() -> None:
    """A rule set that pays the first round differently changes all points after it."""
    first = won_by(1, [0, 3900, -3900, 0], delta=[0, 2000, -2000, 0])
    second = won_by(0, [1000, -1000, 0, 0], number=2, points=[25000, 27000, 23000, 25000])
    play, paid = a_game(first, second, final=[26000, 26000, 23000, 25000])
    tenhou = rulesets.get("tenhou-4p")
    rows = result_rows(play, settled(play, paid, tenhou), tenhou)
    assert rows["points"].to_list() == [26000, 27900, 21100, 25000]


def test_a_log_that_begins_later_goes_on_from_its_own_points() -> None:
    later = won_by(0, [2000, -1000, -1000, 0], number=3, dealer=2, sticks=1,
                   points=[30000, 20000, 24000, 25000])  # fmt: skip
    play, paid = a_game(later, final=[32000, 19000, 23000, 25000])
    for name, more in (("tenhou-4p", 0), ("wrc", 5000)):
        rules = rulesets.get(name)
        rows = result_rows(play, settled(play, paid, rules), rules)
        assert rows["points"].to_list() == [
            points + more for points in (32000, 19000, 23000, 25000)
        ]


@pytest.mark.parametrize(
    "facts", [{"complete": False}, {"flags": ["points_unknown"]}], ids=["broken off", "no points"]
)
def test_a_game_that_cannot_be_settled_has_no_result(facts: dict[str, object]) -> None:
    play, paid = a_game(won_by(1, [0, 3900, -3900, 0]), **facts)
    tenhou = rulesets.get("tenhou-4p")
    assert result_rows(play, settled(play, paid, tenhou), tenhou).is_empty()
    unknown = rulesets.get("tenhou-custom")
    play, paid = a_game(won_by(1, [0, 3900, -3900, 0]))
    assert result_rows(play, settled(play, paid, unknown), unknown).is_empty()


# --- names


def test_rules_that_set_what_the_record_names_are_the_records_whatever_their_name(
    place: Path, tmp_path: Path
) -> None:
    same = own_rules(tmp_path, 'extends = "tenhou-4p"\n', "same.toml")
    query = (
        "SELECT v.ruleset, v.status, count(*) FROM verdicts AS v JOIN games AS g USING (game_id)"
        " WHERE g.ruleset = 'tenhou-4p' GROUP BY ALL ORDER BY ALL"
    )
    with Lake.open(place) as lake:
        before = lake.sql(query).fetchall()
    paifu.rescore(place, ruleset=same, force=True)
    with Lake.open(place) as lake:
        assert lake.sql(query).fetchall() == before


def test_a_file_named_like_a_preset_does_not_take_its_place(tmp_path: Path) -> None:
    assert rulesets.load(own_rules(tmp_path, OWN, "tenhou-4p.toml")).name == "tenhou-4p.toml"
    changsha = own_rules(tmp_path, 'extends = "changsha"\n', "changsha.toml")
    assert rulesets.load_any(changsha).name == "changsha.toml"
    with pytest.raises(RuleError, match="needs a name of its own"):
        rulesets.load(own_rules(tmp_path, OWN + 'name = "tenhou-4p"\n', "mine.toml"))


def test_another_rule_set_by_the_name_the_record_has_is_refused(place: Path) -> None:
    usurper = parse(OWN + 'name = "tenhou-4p"', name="x", get=rulesets.get, where="x.toml")
    with pytest.raises(RuleError, match="give yours a name of its own"):
        paifu.rescore(place, ruleset=usurper)


def test_json_says_how_many_verdicts_there_are_of_the_rule_set_asked_for(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = own_rules(tmp_path, OWN + "oka = 0\n", "no_oka.toml")
    command = ["rescore", "--lake", str(place), "--ruleset", rules, "--json"]
    assert run(command) == 0
    found = orjson.loads(capsys.readouterr().out)
    assert found["games"] > found["games_matched"]
