"""Free play follows the rules of flow: an independent referee checks every event."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from paifu.rules.hands.shanten import NOT_A_HAND, shanten
from paifu.rules.hands.suit_tables import suit_tables
from paifu.simulate.efficiency import discard_shantens
from paifu.simulate.game_loop import Game
from paifu.simulate.table_record import EXHAUSTIVE, NAGASHI, RON, TSUMO
from tests.simulate.referee import OUTCOMES, Referee


@pytest.mark.parametrize("players", [4, 3])
def test_every_event_is_allowed(players: int, request: pytest.FixtureRequest) -> None:
    games: list[Game] = request.getfixturevalue("four" if players == 4 else "three")
    seen: set[str] = set()
    for game in games[:60]:
        for nth, table in enumerate(game.rounds):
            referee = Referee(game, table)
            referee.watch()
            assert not referee.faults, (game.number, nth, referee.faults)
            seen |= referee.seen
    assert {"T4 no swap call", "T30 dora owed are shown by the discard", "riichi is tenpai"} <= seen
    assert "T26 T27 no ron in furiten" in seen


def test_points_are_kept(four: list[Game], three: list[Game]) -> None:
    """No points appear or disappear: seats and sticks sum to the starting points."""
    for game in four + three:
        start = game.flow.players * game.flow.start_points
        for table in game.rounds:
            assert table["end"].sum() + 1000 * table["end_sticks"] == start
        assert abs(sum(game.final_results)) < 0.05


def test_rounds_follow_from_each_other(four: list[Game], three: list[Game]) -> None:
    for game in four + three:
        for before, after in zip(game.rounds, game.rounds[1:], strict=False):
            assert after["start"].tolist() == before["end"].tolist()
            assert after["start_sticks"] == before["end_sticks"]
            stays = after["number"] == before["number"]
            if before["outcome"] in (TSUMO, RON):
                winners = before["winner"][: before["wins"]].tolist()
                assert stays == (before["number"] in winners)
                assert after["honba"] == (before["honba"] + 1 if stays else 0)
            else:
                assert after["honba"] == before["honba"] + 1
            if before["outcome"] in (EXHAUSTIVE, NAGASHI):
                assert stays == bool(before["tenpai"][before["number"]])


def test_an_exhausted_wall_has_been_drawn_to_its_last_tile(
    four: list[Game], three: list[Game]
) -> None:
    for game in four + three:
        for table in game.rounds:
            draws = (table["event_kind"][: table["events"]] == 0).sum()
            assert draws + table["left"] == (70 if game.flow.players == 4 else 55)
            if table["outcome"] in (EXHAUSTIVE, NAGASHI):
                assert table["left"] == 0


def test_population_rates_are_near_the_published_ones(four: list[Game]) -> None:
    """Rates roughly as in the Phoenix room (win .211, deal-in .125, riichi .170, call .344, draw
    .162): players as simple as these come near them."""
    rounds = [table for game in four for table in game.rounds]
    seats = 4 * len(rounds)
    wins = sum(int(table["wins"]) for table in rounds)
    dealt = sum(int(table["wins"]) for table in rounds if table["outcome"] == RON)
    drawn = sum(table["outcome"] not in (TSUMO, RON) for table in rounds)
    riichi = sum(int((table["riichi"] > 0).sum()) for table in rounds)
    called = sum(int((table["open_melds"] > 0).sum()) for table in rounds)
    assert wins / seats == pytest.approx(0.211, abs=0.02)
    assert dealt / seats == pytest.approx(0.125, abs=0.03)
    assert riichi / seats == pytest.approx(0.170, abs=0.03)
    assert called / seats == pytest.approx(0.344, abs=0.03)
    assert drawn / len(rounds) == pytest.approx(0.162, abs=0.03)
    assert len(rounds) / len(four) == pytest.approx(10.7, abs=0.6)


def test_many_outcomes_come_up_in_free_play(four: list[Game], three: list[Game]) -> None:
    outcomes = Counter(OUTCOMES[t["outcome"]] for game in four + three for t in game.rounds)
    assert {"tsumo", "ron", "exhaustive", "kyuushu"} <= set(outcomes)


def test_shanten_after_each_discard_is_that_of_the_thirteen_tiles_left() -> None:
    rng = np.random.default_rng(3)
    tables = suit_tables()
    for melds in (0, 0, 0, 1, 2, 3) * 40:
        tiles = rng.permutation(136)[: 14 - 3 * melds] // 4
        counts = np.bincount(tiles, minlength=34).astype(np.int8)
        out = np.empty(34, dtype=np.int8)
        best = discard_shantens(tables, counts.copy(), melds, out)
        expected = []
        for kind in range(34):
            if counts[kind] == 0:
                assert out[kind] == NOT_A_HAND
                continue
            rest = counts.copy()
            rest[kind] -= 1
            expected.append(shanten(tables, rest, melds))
            # seven pairs and orphans far from tenpai are not counted
            assert out[kind] == expected[-1] or expected[-1] >= 3
        if min(expected) < 3:
            assert best == min(expected)
