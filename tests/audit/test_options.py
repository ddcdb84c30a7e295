"""Options that only a few rule sets set: each has an effect on re-scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import paifu
from paifu.audit.draw_checks import audit_draws
from paifu.audit.honba_and_sticks import with_honba_and_sticks
from paifu.audit.wide_rounds import Play, round_rows
from paifu.audit.win_checks import score_wins
from paifu.cli.main import run
from paifu.errors import RuleError
from paifu.rules import rulesets
from paifu.rules.riichi.ruleset import OPTIONS
from tests.audit.games_by_hand import a_game
from tests.audit.test_wins import PINFU, a_play

TENHOU = rulesets.get("tenhou-4p")


def drawn(rules, **seats):
    """Return the status of an exhaustive draw, and the seats that are tenpai by the rules."""
    play, paid = a_game(seats)
    rows = round_rows(play, paid, rules)
    verdict = audit_draws(rows, play.players, rules, 1).verdicts["status"].item()
    return verdict, [seat for seat in range(4) if rows[f"tenpai_{seat}"].item()]


def test_tenpai_may_be_kept_hidden_where_the_rule_set_has_it():
    hidden = {
        "tenpai_at_draw": [True, True, False, False],
        "tenpai_shown": [True, False, False, False],
        "delta": [3000, -1000, -1000, -1000],
    }
    assert drawn(TENHOU, **hidden) == ("mismatch", [0, 1])
    assert drawn(replace(TENHOU, tenpai_declared=True), **hidden) == ("match", [0])
    in_riichi = hidden | {"riichi_accepted": [None, True, None, None],
                          "delta": [3000, -2000, -1000, -1000]}  # fmt: skip
    assert drawn(replace(TENHOU, tenpai_declared=True), **in_riichi) == ("mismatch", [0, 1])


@pytest.mark.parametrize(
    ("option", "tenpai"), [("own", [1]), ("concealed", [1, 2]), ("never", [1, 2, 3])]
)
def test_a_wait_for_tiles_one_holds_oneself_is_tenpai_as_the_rule_set_has_it(option, tenpai):
    rules = replace(TENHOU, exhausted_wait=option)
    _, found = drawn(
        rules,
        tenpai_at_draw=[False, True, True, False],
        keishiki=[False, False, True, False],
        tenpai_exhausted=[False, False, False, True],
    )
    assert found == tenpai


def double_ron(**changes):
    """Return the play of two winners on one tile, one stick and two honba on the table.

    The nearest winner is not in riichi; the other winner and seat 0, which deals in, are in riichi.
    """
    first = PINFU | {"winner": 2, "riichi": False, "ura_indicators": [], "sticks": 3, "honba": 2,
                     "table_honba": 2, "honba_points": 600, "stick_points": 3000}  # fmt: skip
    later = PINFU | {"winner": 3, "seat_wind": 3, "sticks": 0, "honba": 0, "table_honba": 2,
                     "honba_points": 0, "stick_points": 0}  # fmt: skip
    play = a_play(first | changes, later)
    accepted = [True, None, None, True]
    seats = [
        {"game_id": 7, "round_index": 0, "seat": seat, "riichi_accepted": accepted[seat],
         "riichi_ronned": False}
        for seat in range(4)
    ]  # fmt: skip
    types = {"round_index": pl.Int16, "seat": pl.Int16, "riichi_accepted": pl.Boolean}
    return replace(play, round_seats=pl.DataFrame(seats, schema_overrides=types))


def received(play: Play, rules):
    """Return honba points and stick points of each winner."""
    wins = score_wins(with_honba_and_sticks(play, rules), rules).wins
    return list(zip(wins["honba_points"], wins["stick_points"], strict=True))


def test_honba_and_sticks_go_to_the_nearest_winner_or_to_all_as_the_rule_set_has_it():
    play = double_ron()
    assert received(play, TENHOU) == [(600, 3000), (0, 0)]
    to_all = replace(TENHOU, multi_ron_payment="honba_to_all")
    assert received(play, to_all) == [(600, 2000), (600, 1000)]
    wins = with_honba_and_sticks(play, to_all).wins  # the recorded amount, divided in the same way
    assert wins["stick_points"].to_list() == [2000, 1000]
    assert wins["honba_points"].to_list() == [1600, -1000]


def test_a_ronned_declaration_is_paid_where_the_rule_set_takes_the_stick():
    play = a_play(PINFU)
    seats = [
        {"game_id": 7, "round_index": 0, "seat": seat, "riichi_accepted": accepted,
         "riichi_ronned": ronned}
        for seat, accepted, ronned in ((0, False, True), (2, True, False))
    ]  # fmt: skip
    types = {"round_index": pl.Int16, "seat": pl.Int16}
    play = replace(play, round_seats=pl.DataFrame(seats, schema_overrides=types))
    assert received(play, TENHOU) == [(0, 1000)]
    pays = replace(TENHOU, ronned_riichi_pays=True)
    assert received(play, pays) == [(0, 2000)]
    paid = with_honba_and_sticks(play, pays).round_seats
    assert paid["riichi_accepted"].to_list() == [True, True]


# --- options that only simulated games follow


IDLE = [spec.name for spec in OPTIONS if spec.metadata["simulator_only"]]


@pytest.mark.parametrize("option", IDLE)
def test_a_file_that_sets_what_only_simulated_games_follow_is_refused_elsewhere(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = {"at_once": '"at_discard"', "at_discard": '"at_once"'}.get(
        getattr(TENHOU, option), "5000"
    )
    own = tmp_path / "own.toml"
    chips = "chips = true\n" if option == "chip_points" else ""
    own.write_text(f'extends = "tenhou-4p"\n{chips}{option} = {value}\n', encoding="utf-8")
    assert rulesets.load(own) is not None  # paifu simulate takes it, and it can be listed
    with pytest.raises(RuleError, match=f"{option} changes nothing here"):
        paifu.rescore(tmp_path / "lake", ruleset=own)
    hand = ["score", "234m067p345s88s67m", "--win", "8m", "--riichi", "--rules"]
    assert run([*hand, str(own)]) == 3
    assert f"{option} changes nothing here" in capsys.readouterr().err
    assert run(["rulesets", str(own)]) == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert listed.count("For paifu simulate alone") == len(IDLE) - (not chips)


def test_a_file_that_repeats_the_presets_value_is_read(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "tenhou-4p"\nkan_dora_kakan = "at_discard"\n', encoding="utf-8")
    assert rulesets.load_scoring(own).hash == TENHOU.hash


@pytest.mark.parametrize(
    "line", ["atozuke = false", "min_han = 2", 'exhausted_wait = "never"', 'tsumo_loss = "halved"']
)
def test_what_simulated_players_do_not_know_is_refused_by_simulate(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'extends = "tenhou-4p"\n{line}\n', encoding="utf-8")
    out = tmp_path / "games"
    assert run(["simulate", "--games", "1", "--out", str(out), "--rules", str(own)]) == 3
    assert line.partition(" ")[0] in capsys.readouterr().err
