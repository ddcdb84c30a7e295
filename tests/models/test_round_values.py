"""Values of a lake's positions: they telescope, end with the places, and are kept up to date."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import numpy as np
import pytest

from paifu.cli.main import run
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.models.model_file import read_models
from paifu.models.positions import Positions, rounds_left
from paifu.models.round_values import value

SCHEMES = ["7dan", "tenhou", "uma", "30/10/-10/-30", "45/0/-45"]
COUNT = "SELECT count(*) FROM round_values"


def one(lake: Lake, query: str) -> tuple:
    (row,) = lake.sql(query).fetchall()
    return row


def test_every_round_of_every_seat_of_complete_games_is_valued(lake: Lake) -> None:
    asked = "SELECT count(*) FROM round_seats SEMI JOIN (FROM games WHERE complete) USING (game_id)"
    assert one(lake, COUNT) == one(lake, asked) > (0,)


@pytest.mark.parametrize("when", ["", "_sticks", "_paid", "_after"])
def test_chances_add_up_over_places_and_over_seats(lake: Lake, when: str) -> None:
    places = [f"coalesce(place_{place}{when}, 0)" for place in (1, 2, 3, 4)]
    known = f"place_1{when} IS NOT NULL"
    off = one(lake, f"SELECT max(abs({' + '.join(places)} - 1)) FROM round_values WHERE {known}")
    assert off[0] < 1e-12
    sums = ", ".join(f"sum({place}) AS p{n}" for n, place in enumerate(places, 1))
    off = one(
        lake,
        f"""SELECT max(abs(p1 - 1)), max(abs(p2 - 1)), max(abs(p3 - 1)),
            max(CASE n WHEN 4 THEN abs(p4 - 1) ELSE p4 END)
        FROM (SELECT {sums}, count(*) AS n FROM round_values WHERE {known}
            GROUP BY game_id, round_index)""",
    )
    assert max(off) < 1e-12


def test_after_a_round_is_before_the_next_and_the_game_ends_with_the_places(lake: Lake) -> None:
    assert one(
        lake,
        """SELECT count(*) FROM round_values AS a JOIN round_values AS b
            ON b.game_id = a.game_id AND b.seat = a.seat AND b.round_index = a.round_index + 1
        WHERE (a.place_1_after, a.place_2_after, a.place_3_after, a.place_4_after)
            IS DISTINCT FROM (b.place_1, b.place_2, b.place_3, b.place_4)""",
    ) == (0,)
    assert one(
        lake,
        """SELECT count(*) FROM round_values AS v
        JOIN games ON games.game_id = v.game_id AND games.rounds = v.round_index + 1
        JOIN seats ON seats.game_id = v.game_id AND seats.seat = v.seat
        WHERE [place_1_after, place_2_after, place_3_after, place_4_after][placement] <> 1
            OR place_1_paid IS NOT NULL""",
    ) == (0,)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_changes_telescope_and_their_parts_add_up(lake: Lake, scheme: str) -> None:
    rows, parts, total = one(
        lake,
        f"""SELECT count(*), max(abs(change - stick_change - payment_change - dealership_change)),
            max(off)
        FROM (
            SELECT *, abs(sum(change) OVER game - last_value(value_after) OVER game
                + first_value(value_before) OVER game) AS off
            FROM value_changes('{scheme}')
            WINDOW game AS (PARTITION BY game_id, seat ORDER BY round_index
                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
        )""",
    )
    assert rows > 0
    assert parts < 1e-9
    assert total < 1e-9


def test_causes_are_how_the_round_ended_for_the_seat(lake: Lake) -> None:
    assert one(
        lake,
        "SELECT count(*) FROM round_values JOIN round_seats USING (game_id, round_index, seat)"
        " WHERE cause IS DISTINCT FROM outcome",
    ) == (0,)


def test_the_stored_chances_are_those_of_the_model(lake: Lake) -> None:
    """One position at a time, from the tables as they stand."""
    four = next(model for model in read_models() if model.rules.players == 4)
    rows = lake.sql(
        """SELECT r.game_id, r.round_index, length, wind, number, dealer, honba, scores_start,
            list(CASE WHEN riichi_accepted THEN 1000 ELSE 0 END ORDER BY s.seat) AS paid,
            list([place_1, place_2, place_3, place_4] ORDER BY s.seat) AS before,
            list([place_1_sticks, place_2_sticks, place_3_sticks, place_4_sticks] ORDER BY s.seat)
                AS sticks,
            list([place_1_paid, place_2_paid, place_3_paid, place_4_paid] ORDER BY s.seat)
                AS settled,
            list(points_end ORDER BY s.seat) AS ends
        FROM rounds AS r JOIN games USING (game_id)
        JOIN round_seats AS s USING (game_id, round_index)
        JOIN round_values USING (game_id, round_index, seat)
        WHERE games.players = 4 GROUP BY ALL ORDER BY r.game_id, r.round_index LIMIT 150"""
    ).fetchall()
    for row in rows:
        _, _, length, wind, number, dealer, honba, points, paid, before, sticks, settled, ends = row
        winds = {"east": 1, "south": 2}[length]
        left = rounds_left(np.array([wind]), np.array([number]), 4, winds)
        about = (left, np.array([dealer], np.int16), np.array([honba], np.int16))
        for held, stored in (
            (points, before), (np.array(points) - paid, sticks), (ends, settled),
        ):  # fmt: skip
            if stored[0][0] is None:
                assert stored is settled or not any(paid)
                continue
            chances = four.chances(Positions(np.array([held], np.int32), *about))[0]
            assert chances == pytest.approx(np.array(stored), abs=1e-12)


def test_a_list_of_another_length_and_an_unknown_scheme_are_refused(lake: Lake) -> None:
    for wrong, told in (("90/45", "3 or 4 numbers"), ("8dan", "no scheme")):
        with pytest.raises(duckdb.Error, match=told):
            lake.sql(f"FROM value_changes('{wrong}')").fetchall()


def test_what_is_valued_is_not_valued_again_unless_forced(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place, tmp_path / "lake")
    with Lake.open(folder) as lake:
        before = lake.sql("SELECT * FROM round_values ORDER BY ALL").fetchall()
    again = value(folder)
    assert (again.games, again.known) == (0, 32)
    assert value(folder, force=True, batch_games=5, jobs=2).games == 32
    with Lake.open(folder) as lake:
        assert lake.sql("SELECT * FROM round_values ORDER BY ALL").fetchall() == before


def test_a_game_that_comes_later_is_valued_and_a_forgotten_one_leaves(
    simulated: Path, tmp_path: Path
) -> None:
    logs = sorted(simulated.rglob("*.mjlog"))
    folder = tmp_path / "lake"
    ingest(logs[:3], lake=folder)
    assert value(folder).games == 3
    ingest(logs[:5], lake=folder)
    assert (later := value(folder)).games == 2
    assert later.known == 3
    with Lake.open(folder) as lake:
        (first,) = one(lake, "SELECT min(game_id) FROM games")
    assert run(["forget", "--game", str(first), "--lake", str(folder)]) == 0
    with Lake.open(folder) as lake:
        assert one(lake, "SELECT count(DISTINCT game_id) FROM round_values") == (4,)
        assert one(lake, "SELECT count(*) FROM round_values ANTI JOIN games USING (game_id)") == (
            0,
        )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE games SET complete = false", "broken off"),
        ("UPDATE games SET ruleset = 'tenhou-custom'", "tenhou-custom, for whose rules"),
        ("UPDATE games SET ruleset = 'mleague'", "mleague, for whose rules"),
        ("UPDATE games SET length = 'one_round'", "length one_round"),
        ("UPDATE games SET flags = ['x']", "with flags"),
        ("UPDATE seats SET placement = 1 WHERE placement = 2", "a place of their own"),
        ("UPDATE seats SET placement = NULL WHERE seat = 0", "a place of their own"),
        ("UPDATE rounds SET scores_start = [30000] || scores_start[2:]", "did not start with"),
    ],
)
def test_games_without_a_model_are_counted_with_the_reason(
    two_games: Path, change: str, why: str
) -> None:
    with Lake.open(two_games, write=True) as lake:
        lake.connection.execute(change)
    report = value(two_games)
    assert report.games == 0
    ((reason, n),) = report.left_out.items()
    assert why in reason
    assert n == 2


def test_another_platform_with_the_same_rules_is_valued_with_a_note(
    two_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Lake.open(two_games, write=True) as lake:
        lake.connection.execute("UPDATE games SET ruleset = 'majsoul-4p'")
    assert run(["value", "--lake", str(two_games)]) == 0
    assert "2 of them: south games of majsoul-4p with the model of tenhou-4p" in (
        capsys.readouterr().out
    )


def test_values_of_two_models_stand_beside_each_other(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place, tmp_path / "lake")
    out = tmp_path / "own.json"
    asked = ["fit", "placement", "--lake", str(folder), "--players", "4", "--out", str(out)]
    assert run([*asked, "--force"]) == 0
    assert run(["value", "--lake", str(folder), "--model", str(out)]) == 0
    with Lake.open(folder) as lake:
        own, shipped = read_models(out)[0].name, [model.name for model in read_models()]
        assert dict(lake.sql("SELECT model_id, current FROM placement_models").fetchall()) == {
            own: True, shipped[0]: False, shipped[1]: True,
        }  # fmt: skip
        assert one(lake, "SELECT count(DISTINCT model_id) FROM round_values") == (3,)
        assert lake.sql(
            "SELECT DISTINCT players, model_id FROM value_changes('7dan') ORDER BY ALL"
        ).fetchall() == [(3, shipped[1]), (4, own)]


def test_place_points_are_those_of_the_day(two_games: Path) -> None:
    """Before 2017-10-24, the first of the Ippan room got 45 points and the second none."""
    value(two_games)
    points = {}
    with Lake.open(two_games, write=True) as lake:
        for day in ("2017-10-23 14:59:59", "2017-10-23 15:00:00", None):
            lake.transact(
                lambda tx, day=day: [
                    tx.execute("UPDATE games SET room = 'ippan', length = 'south', played_at = ?",
                               [day]),
                    tx.execute("UPDATE seats SET dan = 12"),
                ]
            )  # fmt: skip
            points[day] = one(
                lake,
                """SELECT DISTINCT points FROM scheme_points('tenhou') AS p
                JOIN games AS g ON g.players = p.players AND g.length = p.length
                    AND g.room = p.room AND p.dan = 12
                    AND (p.since IS NULL OR coalesce(played_at >= p.since, true))
                    AND (p.until IS NULL OR played_at < p.until)""",
            )[0]
            before = one(lake, "SELECT sum(value_before) FROM value_changes('tenhou')")
            explicit = "/".join(f"{each:g}" for each in points[day])
            assert before == pytest.approx(
                one(lake, f"SELECT sum(value_before) FROM value_changes('{explicit}')")
            )
    assert list(points.values()) == [[45, 0, 0, -75], [30, 15, 0, -75], [30, 15, 0, -75]]
