"""Chances of deal-ins and riichis: the views weigh rows as the fit does."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from paifu.cli.main import run
from paifu.errors import UsageError
from paifu.ingestion.driver import ingest
from paifu.lake.chances import DEAL_IN_FEATURES, RIICHI_FEATURES, WALL_FEATURES
from paifu.lake.lake import Lake
from paifu.models import logistic
from paifu.models.event_fit import fit_events
from paifu.models.event_models import SAFE
from paifu.models.model_file import (
    default_file,
    kind_of,
    read_event_models,
    write_models,
)
from paifu.models.round_values import value


def test_shipped_models_have_a_weight_for_each_feature() -> None:
    for model in read_event_models("deal_in"):
        assert {key for each in model.classes for key in each.key[:1]} == {"riichi", "open"}
        assert SAFE not in {each.key[1] for each in model.classes}
        assert {len(each.weights) for each in model.classes} == {len(DEAL_IN_FEATURES)}
    for model in read_event_models("riichi"):
        assert {len(each.weights) for each in model.classes} == {len(RIICHI_FEATURES)}
        assert {len(each.wall_weights) for each in model.classes} <= {0, len(WALL_FEATURES)}


def chance(weights: tuple[float, ...], seen: dict[str, float]) -> float:
    logit = sum(w * x for w, x in zip(weights, seen.values(), strict=True))
    return 1 / (1 + math.exp(-logit))


def test_the_view_of_deal_ins_is_the_model(lake: Lake) -> None:
    """The columns of a row, put into the model by hand."""
    models = {
        (model.ruleset, *each.key): each.weights
        for model in read_event_models("deal_in")
        for each in model.classes
    }
    rows = lake.sql(
        "SELECT ruleset, threat, class, table_turn, suji_left, tile_suji, live, near_dora,"
        " outside_early, chance, deal_in_chance"
        " FROM deal_in_chances JOIN games USING (game_id) ORDER BY hash(game_id, seq) LIMIT 500"
    ).fetchall()
    assert len(rows) == 500
    for ruleset, threat, kind, turn, suji, on_tile, live, dora, outside, scarce, said in rows:
        if kind == SAFE:
            assert said == 0
            continue
        t = (min(turn, 18) - 9) / 9
        seen = {
            "base": 1, "turn": t, "turn_squared": t * t, "suji_left": math.log((suji + 1) / 10),
            "tile_suji": on_tile > 0, "live_0": live == 0, "live_1": live == 1,
            "live_2": live == 2, "dora": dora == "dora", "near_dora": dora == "near",
            "outside_early": outside, "no_chance": scarce == 0, "one_chance": scarce == 1,
        }  # fmt: skip
        assert list(seen) == list(DEAL_IN_FEATURES)
        assert said == pytest.approx(chance(models[ruleset, threat, kind], seen))


def test_every_accepted_riichi_has_a_chance_and_with_a_wall_another(lake: Lake) -> None:
    asked = """SELECT count(*) FROM round_seats LEFT JOIN luck USING (game_id, round_index, seat)
        WHERE riichi_accepted AND riichi_wait_kind IS NOT NULL"""
    (riichis,) = lake.sql(asked).fetchone() or ()
    (walled,) = lake.sql(f"{asked} AND riichi_in_wall IS NOT NULL").fetchone() or ()
    found = lake.sql(
        "SELECT count(win_chance), count(win_chance_by_wall), min(win_chance), max(win_chance)"
        " FROM riichi_chances"
    ).fetchone()
    assert found is not None
    assert found[:2] == (riichis, walled)
    assert walled > 0
    assert 0 < found[2] < found[3] < 1


def test_a_wall_without_a_winning_tile_makes_a_win_unlikely(lake: Lake) -> None:
    """Others may still discard one that they hold."""
    (without, with_many) = (
        lake.sql(
            "SELECT avg(win_chance_by_wall) FROM riichi_chances"
            f" JOIN luck USING (game_id, round_index, seat) WHERE riichi_in_wall {condition}"
        ).fetchone()
        for condition in ("= 0", "> 2")
    )
    assert without is not None
    assert with_many is not None
    assert without[0] < 0.6 * with_many[0]


def test_newton_finds_the_shares_of_two_groups() -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 2_000)
    happened = rng.random(2_000) < np.where(group, 0.3, 0.02)
    seen = np.stack([np.ones(2_000), group], axis=1).astype(float)
    said = logistic.chances(seen, logistic.fitted(seen, happened, ridge=1e-9))
    for each in (0, 1):
        assert said[group == each] == pytest.approx(happened[group == each].mean())


def test_what_is_certain_costs_nothing() -> None:
    said, happened = np.array([0.0, 1.0, 0.5]), np.array([False, True, True])
    assert logistic.losses(said, happened).tolist() == pytest.approx([0, 0, math.log(2)])


@pytest.mark.parametrize("kind", ["deal_in", "riichi"])
def test_a_fit_is_written_read_and_used(kind: str, place: Path, tmp_path: Path) -> None:
    with Lake.open(place) as lake:
        ((four, measured), (three, _)) = fit_events(lake.connection, kind, force=True)
    assert (four.ruleset, three.ruleset) == ("tenhou-4p", "tenhou-3p")
    assert measured is not None
    assert measured.events == pytest.approx(sum(band.seen * band.n for band in measured.bands))
    path = tmp_path / "own.json"
    write_models(path, [four, three])
    assert kind_of(path) == kind
    assert read_event_models(kind, path) == [four, three]


def test_the_command_fits_and_reports(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "riichi.json")
    asked = ["fit", "riichi", "--lake", str(place), "--out", out, "--report", "--force"]
    assert run(asked) == 0
    said = capsys.readouterr().out
    assert "the model with the wall" in said
    assert run(["fit", "deal_in", "--lake", str(place)]) == 3
    assert "needs 500 complete" in capsys.readouterr().err


def test_two_files_of_a_kind_and_another_file_are_refused(two_games: Path, tmp_path: Path) -> None:
    riichi = default_file("riichi")
    with pytest.raises(UsageError, match="both riichi models"):
        value(two_games, models=[riichi, riichi])
    other = tmp_path / "other.json"
    other.write_text('{"kind": "package"}')
    with pytest.raises(UsageError, match="no model file"):
        value(two_games, models=[other])
    with pytest.raises(UsageError, match="no model file"):
        read_event_models("deal_in", riichi)


GOALS = {("deal_in", 4): 0.755, ("deal_in", 3): 0.700, ("riichi", 4): 0.957, ("riichi", 3): 0.957}
"""Log loss in parts of the constant's; riichi: at least 0.030 below 0.693."""


@pytest.mark.slow
def test_on_real_games_chances_are_better_than_the_mean_and_calibrated(
    corpus: Path, tmp_path: Path
) -> None:
    """The goals, with two standard errors of grace: the corpus has only some thousand games."""
    ingest([corpus / "mjlog", corpus / "mjlog3p"], lake=tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        for kind in ("deal_in", "riichi"):
            for model, found in fit_events(lake.connection, kind):
                assert found is not None
                players = int(model.ruleset[-2])
                constant = found.loss["constant"]
                error = found.less["model"][1] / constant
                assert found.loss["model"] / constant - 2 * error <= GOALS[kind, players]
                assert max(abs(band.z) for band in found.bands) < 3
