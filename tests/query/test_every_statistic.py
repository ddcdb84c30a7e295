"""Every statistic on a small lake: its rates, its denominators, the filters, and its messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import paifu
from paifu.cli.main import run as command
from paifu.errors import UsageError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.query.filters import EVERYTHING, Filter
from paifu.query.statistics import Answer, run, statistics
from tests.helpers.answers import Answers
from tests.helpers.processes import python

NAMES = sorted(statistics())
CHOICES = [
    (name, param.name, choice)
    for name, found in statistics().items()
    for param in found.params
    for choice in param.choices
]


def rates(answer: Answer) -> list[str]:
    """Return the columns that are shares of their denominator."""
    return [
        name
        for name in answer.columns
        if name in ("rate", "share", "low", "high", "of_rounds", "of_live")
        or name.endswith(("_rate", "_share", "_low", "_high", "_pct"))
        or name.startswith("rate_")
    ]


OF_MAHJONG_SOUL = ("stable_level",)
"""Statistics about games that the simulator does not play."""


def check(answer: Answer) -> None:
    """Assert that every rate is between 0 and 1, has its denominator, and is in its interval."""
    columns = {name: answer.table[name].to_pylist() for name in answer.columns}
    found = [name for name in rates(answer) if answer.statistic.name != "stable_dan"]
    for name in found:
        known = [value for value in columns[name] if value is not None]
        assert all(0 <= value <= 1 for value in known), name
    if found:
        assert any(name == "n" or name.startswith("n_") for name in columns)
    if "rate" in columns and "low" in columns:
        for low, rate, high in zip(columns["low"], columns["rate"], columns["high"], strict=True):
            assert low is None or low <= rate <= high


@pytest.mark.parametrize("name", NAMES)
def test_rates_are_rates_and_have_their_n(answers: Answers, name: str) -> None:
    answer = answers(name, {"min_games": 1} if takes(name, "min_games") else {})
    assert answer.table.num_rows > 0 or name in OF_MAHJONG_SOUL
    check(answer)


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_integers_that_every_client_reads(answers: Answers, name: str) -> None:
    """No HUGEINT, which is DuckDB's type of a sum, and no DECIMAL: both arrive as decimals."""
    schema = answers(name).table.schema
    assert [field.name for field in schema if pa.types.is_decimal(field.type)] == []


def takes(name: str, param: str) -> bool:
    """Return whether a statistic has a parameter."""
    return any(p.name == param for p in statistics()[name].params)


@pytest.mark.parametrize(("name", "param", "choice"), CHOICES)
def test_every_choice_of_a_parameter_runs(
    answers: Answers, name: str, param: str, choice: str
) -> None:
    answer = answers(name, {param: choice})
    assert str(answer.params[param]) == choice
    check(answer)


@pytest.fixture(scope="module")
def empty(empty_place: Path) -> Iterator[Lake]:
    with Lake.open(empty_place) as opened:
        # DuckLake looks up the size of an empty table each time that the order of joins is planned
        opened.connection.execute("SET disabled_optimizers = 'join_order'")
        yield opened


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_lake_has_no_rows(empty: Lake, name: str) -> None:
    answer = run(empty, name)
    assert (answer.table.num_rows, answer.games, answer.left_out) == (0, 0, 0)


def test_an_empty_lake_says_so(empty_place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["stats", "wins", "--lake", str(empty_place)]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no rows: no game of the lake meets the conditions" in printed.err


@pytest.mark.parametrize("name", NAMES)
def test_a_filter_that_leaves_nothing_leaves_no_rows(lake: Lake, name: str) -> None:
    assert run(lake, name, only=Filter(where="false")).table.num_rows == 0


def test_a_file_runs_as_it_stands_in_another_client(place: Path) -> None:
    """Without paifu: with DuckDB's own ATTACH, the text of the file, and no variable set."""
    texts = [found.sql for found in statistics().values()]
    code = (
        "import sys, duckdb\n"
        "from paifu.lake.connection import connect\n"
        f"c = connect(); c.execute(\"ATTACH 'ducklake:sqlite:{place}/catalog.sqlite' AS games "
        f"(READ_ONLY, DATA_PATH '{place}/data/', OVERRIDE_DATA_PATH true)\")\n"
        "c.execute('USE games')\n"
        "print(sum(len(c.execute(text).fetchall()) > 0 for text in sys.argv[1:]))"
    )
    done = python("-c", code, *texts, check=True)
    assert int(done.stdout) >= len(texts) - 3 - len(OF_MAHJONG_SOUL)  # some need more games


COMPARING = [name for name, found in statistics().items() if found.compares]


@pytest.mark.parametrize("name", COMPARING)
def test_a_player_is_picked_from_those_compared_with_all(answers: Answers, name: str) -> None:
    least = {"min_games": 1, "min_rounds": 1, "min_wins": 1}
    params = {p.name: least[p.name] for p in statistics()[name].params if p.name in least}
    every = answers(name, params)
    at = every.columns.index("player")
    player = every.rows[0][at]
    mine = answers(name, params, Filter(player=player))
    theirs = [row for row in every.rows if row[at] == player]
    assert len(mine.rows) == len(theirs)
    for row, expected in zip(mine.rows, theirs, strict=True):
        for value, other in zip(row, expected, strict=True):
            # threads add up fractions in any order
            assert value == (pytest.approx(other) if isinstance(other, float) else other)


def test_lists_tell_how_many_minutes_games_take(tmp_path: Path) -> None:
    listed = tmp_path / "scb20180928.log"
    listed.write_text(
        "00:00 | 17 | 三般南喰赤－ | a(+56.0) b(+1.0) c(-57.0)\n"
        "00:00 | 20 | 三般南喰赤－ | d(+56.0) e(+1.0) f(-57.0)\n"
        "00:01 | 40 | 四鳳南喰赤－ | g(+59.0) h(+11.0) i(-14.0) j(-56.0)\n",
        encoding="utf-8",
    )
    paifu.ingest(listed, tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        rows = run(lake, "games").pl().select("players", "n", "n_minutes", "average_minutes")
    assert rows.rows() == [(4, 0, 1, 40.0), (3, 0, 2, 18.5)]


def value(answer: Answer, column: str, **where: object) -> object:
    """Return a column of the one row that fits."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    (row,) = [row for row in rows if all(row[key] == wanted for key, wanted in where.items())]
    return row[column]


def test_a_players_rates_are_those_of_the_profile(lake: Lake, answers: Answers) -> None:
    player, players = lake.sql(
        "SELECT player, players FROM seats JOIN games USING (game_id) WHERE NOT anonymous "
        "GROUP BY ALL ORDER BY count(*) DESC, player LIMIT 1"
    ).fetchone() or ("", 0)
    mine = Filter(player=player, players=players)

    def profile(column: str) -> object:
        return value(answers("players"), column, player=player, players=players)

    def own(name: str, column: str, **where: object) -> object:
        return value(answers(name, only=mine), column, players=players, **where)

    assert profile("n") == own("deal_in", "n", state="all")
    assert profile("win_rate") == own("wins", "win_rate", state="all")
    assert profile("average_win") == own("wins", "average_points", state="all")
    assert profile("deal_in_rate") == own("deal_in", "deal_in_rate", state="all")
    assert profile("average_deal_in") == own("deal_in", "average_cost", state="all")
    assert profile("riichi_rate") == own("riichi", "riichi_rate", riichi="all")
    assert profile("riichi_win_rate") == own("riichi", "win_rate", riichi="all")
    assert profile("draw_rate") == own("draws", "draw_rate", state="all")
    assert profile("average_placement") == own("placement", "average_placement", player=player)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("wins", ("wins",)),
        ("deal_in", ("n", "deal_ins")),
        ("riichi", ("n",)),
        ("draws", ("n", "n_rounds")),
        ("calls", ("n",)),
        ("deal_in_by_tile_class", ("n", "deal_ins")),
        ("placement_by_start_seat", ("n",)),
        ("yaku_frequency", ("wins",)),
        ("rounds_by_outcome", ("rounds",)),
    ],
)
@pytest.mark.parametrize("parts", [
    [Filter(players=4), Filter(players=3)],
    [Filter(where="game_id % 2 = 0"), Filter(where="game_id % 2 <> 0")],
    [Filter(matched=True), Filter(where="game_id NOT IN (SELECT game_id FROM verdicts)")],
])  # fmt: skip
def test_parts_add_up_to_the_whole(
    answers: Answers, name: str, counts: tuple[str, ...], parts: list[Filter]
) -> None:
    def total(only: Filter, column: str) -> int:
        return sum(answers(name, only=only).table[column].to_pylist())

    for column in counts:
        whole = total(EVERYTHING, column)
        assert whole > 0
        assert sum(total(part, column) for part in parts) == whole


def test_a_narrower_filter_has_no_more_games(lake: Lake, answers: Answers) -> None:
    def games(only: Filter) -> int:
        return sum(answers("games", only=only).table["n"].to_pylist())

    first, last = lake.sql(
        "SELECT min(played_at + INTERVAL 9 HOUR)::DATE, max(played_at + INTERVAL 9 HOUR)::DATE "
        "FROM games"
    ).fetchone() or (None, None)
    assert games(Filter(since=first, until=last)) == games(EVERYTHING)
    since = games(Filter(since=last))
    before = games(Filter(where=f"played_at + INTERVAL 9 HOUR < DATE '{last}'"))
    assert since > 0
    assert since + before == games(EVERYTHING)
    assert games(Filter(length="east")) == 0
    assert games(Filter(ruleset="tenhou-3p")) == games(Filter(players=3))


def test_a_filter_by_dan_leaves_the_seats_of_that_dan(lake: Lake) -> None:
    ((*ranks, seats),) = lake.sql(
        "SELECT dan, dan_name, count(*) FROM seats JOIN games USING (game_id) WHERE players = 4 "
        "GROUP BY ALL ORDER BY 3 DESC, 1 LIMIT 1"
    ).fetchall()
    assert ranks[1].endswith("段")
    for rank in ranks:
        table = run(lake, "placement_by_start_seat", only=Filter(dan=rank, players=4)).table
        assert sum(table["n"].to_pylist()) == seats


@pytest.mark.parametrize(("rank", "known"), [("十一段", "七段"), ("99", "16")])
def test_an_unknown_rank_is_refused_with_the_known_ones(
    place: Path, rank: str, known: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["stats", "games", "--dan", known, "--lake", str(place)]) == 0
    assert "no rows" not in capsys.readouterr().err
    assert command(["stats", "games", "--dan", rank, "--lake", str(place)]) == 0
    told = capsys.readouterr().err
    assert f"the lake has no seat of rank '{rank}': it has " in told
    assert known in told


def test_a_log_that_cannot_be_read_is_of_nobody_and_of_no_room(tmp_path: Path) -> None:
    (tmp_path / "broken.mjlog").write_bytes(b"<mjloggm")
    sample = resource_dir("data") / "double_ron.mjlog"
    paifu.ingest([sample, tmp_path / "broken.mjlog"], tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        ((player, room),) = lake.sql(
            "SELECT player, room FROM seats JOIN games USING (game_id) WHERE seat = 0"
        ).fetchall()

        def rejected(only: Filter) -> list[tuple[int, int]]:
            rows = run(lake, "data_quality", only=only).pl().rows(named=True)
            return [(row["found"], row["n"]) for row in rows if row["kind"] == "rejected"]

        assert rejected(Filter(player=player)) == rejected(Filter(room=room)) == []
        assert rejected(EVERYTHING) == [(1, 2)]


@pytest.mark.parametrize(
    ("name", "params"), [("records", {}), ("largest_deal_ins", {"rows": 10_000})]
)
def test_games_of_lobbies_with_settings_of_their_own_can_be_left_out(
    tmp_path: Path, name: str, params: dict[str, int]
) -> None:
    """A game in kobalab's format, which has no rules, and a sample of the Phoenix room."""
    samples = resource_dir("data")
    game = json.loads((samples / "east_majiang.majiang.json").read_bytes())
    untitled = tmp_path / "untitled.json"
    untitled.write_text(json.dumps(game | {"title": "at home"}), encoding="utf-8")
    ingest([untitled, samples / "double_ron.mjlog"], lake=tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        custom = Filter(where="ruleset = 'tenhou-custom'")
        others = Filter(where="ruleset <> 'tenhou-custom'")
        assert run(lake, name, params, only=custom).rows
        assert run(lake, name, params | {"custom": False}, only=custom).rows == []
        assert (
            run(lake, name, params | {"custom": False}).rows
            == run(lake, name, params, only=others).rows
            != run(lake, name, params).rows
        )


def test_a_wrong_choice_names_the_allowed_values(lake: Lake) -> None:
    with pytest.raises(UsageError, match="--param draws takes exhaustive, all, not 'none'"):
        run(lake, "draws", {"draws": "none"})


def test_a_wrong_number_says_what_it_takes(lake: Lake) -> None:
    with pytest.raises(UsageError, match="--param min_games takes a whole number, not 'many'"):
        run(lake, "placement", {"min_games": "many"})


@pytest.mark.parametrize(("span", "name"), [("0", "yaku_by_turn"), ("-5", "placement_by_points")])
def test_a_width_is_at_least_one(lake: Lake, span: str, name: str) -> None:
    param = {"yaku_by_turn": "span", "placement_by_points": "step"}[name]
    with pytest.raises(UsageError, match=f"--param {param} takes a whole number from 1 on"):
        run(lake, name, {param: span})


def test_an_unknown_parameter_names_those_there_are(lake: Lake) -> None:
    with pytest.raises(UsageError, match="its parameters: min_games"):
        run(lake, "placement", {"games": 3})


def test_an_unknown_statistic_suggests_the_nearest(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["stats", "placment", "--lake", str(place)]) == 2
    assert "did you mean 'placement'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "where",
    ["1=1) OR (1=1", "true GROUP BY 1", "true; DROP TABLE games", "true LIMIT 1", "(true", ""],
)
def test_where_is_one_expression(lake: Lake, where: str) -> None:
    with pytest.raises(UsageError, match="where"):
        run(lake, "games", only=Filter(where=where))
