"""Table ``luck`` of simulated games: what must be true for every wall."""

from __future__ import annotations

import pytest

from paifu.lake.lake import Lake

SEATS = "luck JOIN round_seats USING (game_id, round_index, seat)"
WINS = (
    "luck JOIN wins ON wins.game_id = luck.game_id AND wins.round_index = luck.round_index "
    "AND winner = luck.seat"
)


@pytest.mark.parametrize(
    ("what", "broken"),
    [
        (f"{SEATS} WHERE tenpai_in_wall IS NOT NULL", "tenpai_in_wall > tenpai_live"),
        (f"{SEATS} WHERE riichi_in_wall IS NOT NULL", "riichi_in_wall > riichi_live"),
        (f"{SEATS} WHERE tenpai_next_draw IS NOT NULL", "tenpai_next_draw > tenpai_tiles_left"),
        ("luck WHERE tenpai_in_wall = 0", "tenpai_next_draw IS NOT NULL"),
        ("luck WHERE tenpai_in_wall > 0", "tenpai_next_draw IS NULL"),
        (
            f"{SEATS} WHERE tenpai_own_draw IS NOT NULL",
            "players * tenpai_own_draw < tenpai_next_draw",
        ),
        (f"{SEATS} WHERE riichi_wait IS NOT NULL", "riichi_in_wall IS NULL"),
        (f"{SEATS} WHERE won", "luck.ura_han IS NULL OR len(luck.ura_indicators) = 0"),
        (f"{SEATS} WHERE NOT won", "luck.ura_han IS NOT NULL OR len(luck.ura_indicators) > 0"),
        (f"{WINS} WHERE yakuman = 0 AND riichi", "wins.ura_han <> luck.ura_han"),
        (
            f"{WINS} WHERE yakuman = 0 AND riichi",
            "wins.ura_indicators <> luck.ura_indicators",
        ),
    ],
)
def test_never(lake: Lake, what: str, broken: str) -> None:
    checked, wrong = lake.sql(
        f"SELECT count(*), count(*) FILTER ({broken}) FROM {what}"
    ).fetchone() or (0, 0)
    assert checked > 0
    assert wrong == 0


def test_every_seat_that_was_tenpai_or_won_has_its_row(lake: Lake) -> None:
    seats = lake.sql("SELECT count(*) FROM round_seats WHERE tenpai_turn IS NOT NULL OR won")
    assert lake.sql("SELECT count(*) FROM luck").fetchone() == seats.fetchone()


def test_a_riichi_that_drew_its_tile_drew_it_where_the_wall_had_it(lake: Lake) -> None:
    """The number of draws from the riichi to a tsumo from the live wall follows from the wall.

    The winner's own draw is its first winning tile: winning tiles that others drew before were not
    discarded.
    """
    rows = lake.sql(
        """
        SELECT riichi_next_draw, count(*) FILTER (actions.seq > declared.at AND drawn IS NOT NULL)
        FROM luck
        JOIN round_seats USING (game_id, round_index, seat)
        JOIN wins ON wins.game_id = luck.game_id AND wins.round_index = luck.round_index
            AND winner = luck.seat AND tsumo AND NOT rinshan
        JOIN (
            SELECT game_id, round_index, seat, max(seq) FILTER (action = 'riichi') AS at
            FROM actions GROUP BY ALL
        ) AS declared USING (game_id, round_index, seat)
        JOIN actions USING (game_id, round_index)
        JOIN rounds USING (game_id, round_index)
        WHERE riichi_accepted AND kans = 0 AND round_seats.players = 4
        GROUP BY game_id, round_index, luck.seat, riichi_next_draw
        """
    ).fetchall()
    assert rows
    assert all(first <= draws for first, draws in rows)
    assert any(first == draws for first, draws in rows)


def test_live_tiles_lie_in_the_wall_as_often_as_unseen_tiles_do(lake: Lake) -> None:
    """A tile that a seat waits for is in the live wall as often as any other hidden tile.

    With four players and no call, the hidden tiles are the live wall, 14 tiles minus the
    indicators, and 39 tiles in other hands.
    """
    live, in_wall, fair = lake.sql(
        f"""
        SELECT sum(tenpai_live), sum(tenpai_in_wall),
            sum(tenpai_live * tenpai_tiles_left / (tenpai_tiles_left + 13 + 39))
        FROM {SEATS} WHERE players = 4 AND tenpai_in_wall IS NOT NULL
        """
    ).fetchone() or (0, 0, 0)
    assert live > 1000
    assert in_wall / live == pytest.approx(fair / live, abs=0.06)


def test_the_ura_of_riichi_and_of_other_wins_hit_alike(lake: Lake) -> None:
    wins, hits = lake.sql(
        "SELECT count(*), count(*) FILTER (ura_han > 0) FROM luck WHERE ura_han IS NOT NULL"
    ).fetchone() or (0, 0)
    assert 0.15 < hits / wins < 0.5
