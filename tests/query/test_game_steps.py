"""A round as steps: no tile is lost or made, and the end is the one recorded."""

from __future__ import annotations

from collections import Counter

import pytest

from paifu.game.tiles import KIND_OF, parse_tiles
from paifu.lake.lake import Lake
from paifu.query.game_rows import read_rounds
from paifu.query.game_steps import round_steps


def games(lake: Lake) -> list[tuple[int, int]]:
    return lake.sql("SELECT game_id, players FROM games ORDER BY game_id").fetchall()


@pytest.fixture(scope="module")
def played(lake: Lake) -> list[tuple[dict, list[dict]]]:
    chosen = games(lake)[:3] + [game for game in games(lake) if game[1] == 3][:2]
    return [
        (row, round_steps(row, players))
        for game, players in chosen
        for row in read_rounds(lake, game)
    ]


def test_a_seat_holds_thirteen_tiles_a_meld_counts_three_and_a_draw_one_more(played) -> None:
    for row, steps in played:
        melds = Counter()
        for step in steps:
            if "seat" not in step:
                continue
            seat = step["seat"]
            melds[seat] = len(step["melds"]) if "melds" in step else melds[seat]
            held = len(parse_tiles(step["hand"])) + 3 * melds[seat]
            called = step["kind"] in ("chi", "pon")  # a discard follows
            assert held == (14 if called else 13), step
            if step["drawn"] is not None:
                assert step["kind"] in ("draw", "tsumo", "ron")
        assert row["wins"] or steps[-1]["kind"] == "end"


def test_a_win_shows_the_recorded_hand_as_complete(played) -> None:
    checked = 0
    for row, steps in played:
        shown = [step for step in steps if step["kind"] in ("tsumo", "ron")]
        for step, win in zip(shown, row["wins"], strict=True):
            tiles = [*parse_tiles(step["hand"]), *parse_tiles(step["drawn"])]
            assert sorted(tiles) == sorted(parse_tiles(win["hand"]))
            assert step["shanten"] == -1
            checked += 1
    assert checked > 20


def test_a_tile_laid_sideways_is_the_called_one_and_says_whose_it_was(played) -> None:
    checked = set()
    for row, steps in played:
        players = len(row["seats"])
        for step in steps:
            if "taken" not in step or step["kind"] == "ron":
                continue
            meld = step["melds"][-1]
            assert meld["tiles"][meld["turned"]] == step["tile"]
            relative = (step["taken"] - step["seat"]) % players
            last = len(meld["tiles"]) - 1
            place = last if relative == 1 else 0 if relative == players - 1 else 1
            assert meld["turned"] == place
            checked.add((players, relative))
    assert {(4, 3), (4, 2), (4, 1)} <= checked


def test_the_last_step_turns_up_every_indicator_and_sticks_are_paid_once(played) -> None:
    for row, steps in played:
        assert steps[-1]["kind"] == "end"
        assert steps[-1]["dora"] == len(row["dora_indicators"])
        paid = Counter(step["paid"] for step in steps if "paid" in step)
        assert set(paid.values()) <= {1}
        assert set(paid) == {seat["seat"] for seat in row["seats"] if seat["riichi_accepted"]}


def test_a_discard_leaves_the_hand_and_a_red_five_is_that_tile(played) -> None:
    for row, steps in played:
        hands = {seat["seat"]: Counter(parse_tiles(seat["haipai"])) for seat in row["seats"]}
        for step in steps:
            if step["kind"] == "draw":
                hands[step["seat"]][parse_tiles(step["tile"])[0]] += 1
            if step["kind"] in ("discard", "riichi"):
                (tile,) = parse_tiles(step["tile"])
                hands[step["seat"]][tile] -= 1
                assert +hands[step["seat"]] == Counter(parse_tiles(step["hand"])), KIND_OF[tile]
            elif "hand" in step and step["kind"] not in ("draw", "tsumo", "ron"):
                hands[step["seat"]] = Counter(parse_tiles(step["hand"]))
