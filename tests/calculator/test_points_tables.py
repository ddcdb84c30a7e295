"""Points tables: the cells players know by heart, and the engine's own scores."""

from __future__ import annotations

import json
import random
from typing import Any

import polars as pl
import pytest

import paifu
from paifu.calculator.points_tables import points_table
from paifu.cli.main import run
from paifu.errors import RuleError
from paifu.rules import engine, rulesets
from paifu.rules.hands.from_wins import read_wins
from tests.helpers.random_hands import random_hand
from tests.helpers.winning_hands import table


def cell(rules: str, *, dealer: bool, han: int, fu: int | None) -> dict[str, Any]:
    rows = points_table(rules).filter(
        pl.col("dealer") == dealer, pl.col("han") == han, pl.col("fu").eq_missing(fu)
    )
    return rows.row(0, named=True)


@pytest.mark.parametrize(
    ("han", "fu", "ron", "other", "dealer"),
    [
        (1, 30, 1000, 300, 500), (2, 25, 1600, None, None), (2, 20, None, 400, 700),
        (3, 30, 3900, 1000, 2000), (3, 60, 7700, 2000, 3900), (4, 25, 6400, 1600, 3200),
        (4, 30, 7700, 2000, 3900), (4, 40, 8000, 2000, 4000), (5, None, 8000, 2000, 4000),
        (6, None, 12000, 3000, 6000), (8, None, 16000, 4000, 8000), (11, None, 24000, 6000, 12000),
        (13, None, 32000, 8000, 16000),
    ],
)  # fmt: skip
def test_the_cells_players_know(
    han: int, fu: int | None, ron: int | None, other: int | None, dealer: int | None
) -> None:
    found = cell("tenhou-4p", dealer=False, han=han, fu=fu)
    assert (found["ron"], found["tsumo_other"], found["tsumo_dealer"]) == (ron, other, dealer)


def test_the_dealer_gets_half_as_much_again() -> None:
    found = cell("tenhou-4p", dealer=True, han=3, fu=60)
    assert (found["ron"], found["tsumo_other"], found["tsumo_dealer"]) == (11600, 3900, None)
    assert found["tsumo"] == 11700


def test_options_change_the_table() -> None:
    assert cell("mleague", dealer=False, han=4, fu=30)["ron"] == 8000  # kiriage mangan
    assert cell("tenhou-3p", dealer=False, han=3, fu=30)["tsumo"] == 3000  # the absent seat's share
    assert points_table("ema").filter(pl.col("han") == 13).is_empty()  # no counted yakuman


@pytest.mark.parametrize("rules", ["tenhou-4p", "tenhou-3p", "mleague", "majsoul-4p"])
def test_the_engine_scores_hands_as_the_table_says(rules: str) -> None:
    ruleset = rulesets.get(rules)
    rng = random.Random(4)
    rows = [random_hand(rng, ruleset.players).row() for _ in range(300)]
    wins = read_wins(table([row | {"honba": 0, "sticks": 0} for row in rows]))
    scored = engine.score(wins, ruleset).wins.with_columns(
        dealer=pl.Series(wins.winner == wins.dealer), tsumo_won=pl.Series(wins.tsumo)
    )
    plain = scored.filter(
        pl.col("status") == "ok", pl.col("yakuman") == 0, pl.col("pao_seat").is_null()
    )
    small = plain.filter(pl.col("han") <= 4)
    found = small.join(points_table(ruleset), on=["dealer", "han", "fu"], suffix="_told")
    assert len(found) == len(small) > 20
    told = pl.when("tsumo_won").then("tsumo").otherwise("ron")
    assert found.filter(pl.col("points") != told).is_empty()


def test_chinese_official_adds_eight_from_each() -> None:
    table_of = points_table("mcr")
    assert table_of.row(0, named=True) == {
        "fan": 8, "ron_loser": 16, "ron_other": 8, "ron": 32, "tsumo_each": 16, "tsumo": 48,
    }  # fmt: skip


def test_a_game_has_a_table_or_says_why_not() -> None:
    refused = {}
    for game in rulesets.game_names():
        try:
            table_of = paifu.points_table(game)
        except RuleError as error:
            refused[game] = str(error)
        else:
            assert table_of["fan"].is_sorted()
            assert table_of["ron"].null_count() == 0
    assert all(game in reason for game, reason in refused.items())
    assert {"mcr", "qq-guobiao"} == {*rulesets.game_names()} - {*refused}


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["points", "mleague"]) == 0
    printed = capsys.readouterr().out
    assert "8000 (2000/4000)" in printed
    assert "12000 (4000 all)" in printed
    assert run(["points", "--lang", "ja"]) == 0
    printed = capsys.readouterr().out
    assert "12000 (4000オール)" in printed
    assert "数え役満" in printed
    assert run(["points", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == points_table().height
    assert run(["points", "sichuan"]) != 0
    assert "give no amount for base" in capsys.readouterr().err
