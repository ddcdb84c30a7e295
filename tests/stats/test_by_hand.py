"""A sample game counted by hand: every figure follows from the comments, which follow from the log.

`double_ron.mjlog` has five rounds, 20 seats of rounds in all:

1. E1: seat 0 (dealer) tsumo, dama: pinfu, menzen tsumo, 2,100 (700 from each).
2. E1, one honba: seat 3 is in riichi; seat 0 deals in to seats 1 and 2, both dama with pinfu and
   tanyao, 2,000 each. Seat 1 is nearer: it gets the honba and the stick (2,300 + 1,000).
3. E2: seats 1 and 2 call once, seat 3 twice; seat 0 in riichi wins by tsumo, 2,700, no ura.
4. E3: seat 2 calls once and deals in to the riichi of seat 1 (riichi, tanyao), 2,600, no ura.
5. E4: seat 0 in riichi wins by tsumo: pinfu, a red five, one ura, mangan 8,000. Final points 33,500
   26,900 21,000 18,600.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from paifu.ingest import ingest
from paifu.lake import Lake
from paifu.resources import resource_dir
from paifu.stats import run


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    place = tmp_path_factory.mktemp("by_hand") / "lake"
    ingest(resource_dir("data") / "double_ron.mjlog", lake=place)
    with Lake.open(place) as opened:
        yield opened


def rows(lake: Lake, name: str, *columns: str) -> list[tuple[object, ...]]:
    """Return some columns of a statistic."""
    return list(run(lake, name).pl().select(columns).iter_rows())


def test_wins(lake: Lake) -> None:
    # six wins in 20; three by tsumo; 2,100 + 2,000 + 2,000 + 2,700 + 2,600 + 8,000 = 19,400
    assert rows(lake, "wins", "state", "wins", "n", "win_rate", "tsumo_rate", "average_points") == [
        ("all", 6, 20, 0.3, 0.5, pytest.approx(19_400 / 6)),
        ("closed", 3, 20, 0.15, pytest.approx(1 / 3), pytest.approx(6_100 / 3)),
        ("riichi", 3, 20, 0.15, pytest.approx(2 / 3), pytest.approx(13_300 / 3)),
    ]


def test_points_received(lake: Lake) -> None:
    # with honba and sticks: 2,100; 2,300 + 1,000; 2,000; and 2,700, 2,600, 8,000 + 1,000 each
    answer = run(lake, "wins", {"points": "received"}).pl()
    assert answer["average_points"][0] == pytest.approx(23_700 / 6)


def test_deal_ins(lake: Lake) -> None:
    # seat 0 in round 2, twice, for 2,300 + 2,000; seat 2 in round 4, open, for 2,600
    found = rows(
        lake, "deal_in", "state", "n", "deal_in_rounds", "deal_ins", "deal_in_rate", "average_cost"
    )
    assert found[0] == ("all", 20, 2, 3, 0.1, 3450.0)
    # seats that ended open: 1, 2, 3 of round 3 and 2 of round 4; in riichi: four
    assert found[1:] == [
        ("closed", 12, 1, 2, pytest.approx(1 / 12), 4300.0),
        ("open", 4, 1, 1, 0.25, 2600.0),
        ("riichi", 4, 0, 0, 0.0, None),
    ]


def test_to_whom(lake: Lake) -> None:
    assert rows(lake, "deal_in_to", "own_state", "winner_state", "to_dealer", "deal_ins", "n") == [
        ("closed", "closed", False, 2, 3),
        ("open", "riichi", False, 1, 3),
    ]


def test_riichi(lake: Lake) -> None:
    # four riichis, each its round's first; three won; -1,000 + 2,700 + 2,600 + 8,000 = 12,300
    assert rows(
        lake,
        "riichi",
        "riichi",
        "n",
        "n_rounds",
        "riichi_rate",
        "chased_rate",
        "win_rate",
        "balance",
    ) == [
        ("all", 4, 20, 0.2, 0.0, 0.75, 3075.0),
        ("first", 4, 20, 0.2, 0.0, 0.75, 3075.0),
    ]
    # one indicator each; ura in the last of three; none at once
    assert rows(lake, "ippatsu_and_ura", "indicators", "n", "ippatsu_rate", "ura_rate") == [
        (1, 3, 0.0, pytest.approx(1 / 3))
    ]


def test_calls(lake: Lake) -> None:
    assert rows(lake, "calls", "calls", "n", "call_rate", "win_rate", "deal_in_rate") == [
        (0, 16, 0.2, 0.375, 0.0625),
        (1, 3, 0.2, 0.0, pytest.approx(1 / 3)),
        (2, 1, 0.2, 0.0, 0.0),
    ]


def test_yaku(lake: Lake) -> None:
    assert rows(lake, "yaku_frequency", "yaku", "wins", "n") == [
        ("pinfu", 4, 6),
        ("menzen_tsumo", 3, 6),
        ("riichi", 3, 6),
        ("tanyao", 3, 6),
        ("aka_dora", 1, 6),
        ("ura_dora", 1, 6),
    ]


def test_the_game(lake: Lake) -> None:
    assert sorted(rows(lake, "rounds_by_outcome", "outcome", "rounds", "n")) == [
        ("double_ron", 1, 5),
        ("ron", 1, 5),
        ("tsumo", 3, 5),
    ]
    assert rows(lake, "games", "length", "n", "average_rounds", "bust_rate") == [
        ("east", 1, 5.0, 0.0)
    ]
    assert rows(lake, "placement_by_start_seat", "seat", "average_placement", "average_points") == [
        (0, 1.0, 33_500.0),
        (1, 2.0, 26_900.0),
        (2, 3.0, 21_000.0),
        (3, 4.0, 18_600.0),
    ]
    # no round was drawn
    assert rows(lake, "draws", "state", "n", "n_rounds", "draw_rate")[0] == ("all", 0, 20, 0.0)
